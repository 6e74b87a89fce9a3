/* people_health.c - illnesses of the sample "people", by age and sex. */
#include "sample/people_data.h"

const uint8_t kn__people_diagnosis_ages[KN_PEOPLE_DIAGNOSIS_KNOTS] = {0,  8,  20, 35,
                                                                      50, 65, 80, 100};

#define ILL(name, chapter) \
    {                      \
        name,              \
        {                  \
            chapter, NULL  \
        }                  \
    }
const kn_people_diagnosis kn__people_diagnoses[KN_PEOPLE_DIAGNOSES] = {
    {ILL("Check-up", "No illness"), {420, 380, 400, 360, 240, 150, 90, 60}, {1000, 900}},
    {ILL("Pregnancy", "No illness"), {0, 0, 60, 110, 0, 0, 0, 0}, {1000, 0}},
    {ILL("Influenza", "Infections"), {110, 110, 70, 60, 50, 40, 40, 40}, {1000, 1000}},
    {ILL("COVID-19", "Infections"), {40, 50, 60, 60, 55, 50, 55, 60}, {1000, 1000}},
    {ILL("Gastroenteritis", "Infections"), {120, 80, 45, 35, 25, 20, 22, 25}, {1000, 1000}},
    {ILL("Hepatitis", "Infections"), {1, 1, 5, 10, 12, 9, 5, 3}, {800, 1200}},
    {ILL("HIV infection", "Infections"), {0, 0, 5, 9, 7, 3, 1, 0}, {400, 1600}},
    {ILL("Tuberculosis", "Infections"), {1, 1, 2, 3, 3, 3, 4, 4}, {800, 1200}},
    {ILL("Ear infection", "Infections"), {130, 60, 12, 8, 7, 6, 5, 5}, {1000, 1000}},
    {ILL("Pneumonia", "Respiratory"), {30, 12, 8, 9, 14, 28, 60, 90}, {900, 1100}},
    {ILL("Asthma", "Respiratory"), {30, 70, 45, 35, 30, 26, 20, 12}, {1050, 950}},
    {ILL("COPD", "Respiratory"), {0, 0, 1, 4, 25, 60, 65, 50}, {700, 1300}},
    {ILL("Allergy", "Respiratory"), {40, 80, 70, 50, 32, 20, 10, 5}, {1050, 950}},
    {ILL("Hypertension", "Circulatory"), {0, 1, 8, 40, 120, 175, 165, 130}, {960, 1040}},
    {ILL("Coronary disease", "Circulatory"), {0, 0, 1, 8, 38, 75, 85, 80}, {620, 1380}},
    {ILL("Heart failure", "Circulatory"), {1, 0, 1, 3, 10, 32, 85, 130}, {950, 1050}},
    {ILL("Stroke", "Circulatory"), {0, 0, 1, 4, 12, 28, 50, 60}, {930, 1070}},
    {ILL("Type 1 diabetes", "Metabolic"), {3, 9, 10, 8, 6, 4, 2, 1}, {950, 1050}},
    {ILL("Type 2 diabetes", "Metabolic"), {0, 1, 5, 24, 75, 110, 95, 60}, {900, 1100}},
    {ILL("Obesity", "Metabolic"), {3, 22, 30, 45, 50, 36, 15, 5}, {1050, 950}},
    {ILL("Thyroid disorder", "Metabolic"), {2, 4, 15, 32, 40, 36, 25, 18}, {1600, 400}},
    {ILL("Depression", "Mental"), {0, 6, 50, 62, 60, 40, 35, 30}, {1300, 700}},
    {ILL("Anxiety disorder", "Mental"), {1, 16, 55, 50, 40, 24, 16, 10}, {1350, 650}},
    {ILL("Schizophrenia", "Mental"), {0, 0, 8, 10, 8, 5, 3, 2}, {850, 1150}},
    {ILL("Alcohol dependence", "Mental"), {0, 0, 8, 18, 26, 18, 6, 1}, {500, 1500}},
    {ILL("Dementia", "Mental"), {0, 0, 0, 0, 2, 16, 85, 190}, {1150, 850}},
    {ILL("Epilepsy", "Nervous system"), {9, 12, 10, 8, 8, 9, 11, 12}, {970, 1030}},
    {ILL("Migraine", "Nervous system"), {0, 10, 40, 48, 36, 16, 6, 3}, {1500, 500}},
    {ILL("Parkinson's disease", "Nervous system"), {0, 0, 0, 0, 3, 12, 30, 35}, {850, 1150}},
    {ILL("Breast cancer", "Cancer"), {0, 0, 1, 9, 28, 32, 28, 22}, {1980, 20}},
    {ILL("Prostate cancer", "Cancer"), {0, 0, 0, 0, 10, 38, 45, 40}, {0, 2000}},
    {ILL("Lung cancer", "Cancer"), {0, 0, 0, 1, 9, 22, 20, 10}, {700, 1300}},
    {ILL("Bowel cancer", "Cancer"), {0, 0, 0, 2, 10, 22, 28, 25}, {880, 1120}},
    {ILL("Gastritis", "Digestive"), {2, 10, 28, 38, 42, 40, 32, 25}, {1000, 1000}},
    {ILL("Back pain", "Bones and joints"), {0, 4, 40, 80, 95, 75, 45, 30}, {1000, 1000}},
    {ILL("Arthritis", "Bones and joints"), {0, 1, 4, 16, 52, 88, 90, 80}, {1200, 800}},
    {ILL("Fracture", "Injuries"), {25, 60, 45, 28, 24, 28, 50, 90}, {950, 1050}},
    {ILL("Kidney disease", "Urinary"), {2, 2, 4, 8, 16, 32, 60, 70}, {980, 1020}},
};
