/* people_data.c - words and weights of the sample "people": who they are. Names and places are in
 * people_names.c, illnesses in people_health.c. */
#include "sample/people_data.h"

#define CURVE(ages, weights, n)                                                \
    {                                                                          \
        .knots = sizeof(ages) / sizeof *(ages), .choices = (n), .age = (ages), \
        .weight = &(weights)[0][0]                                             \
    }

const kn_people_value kn__people_sexes[KN_PEOPLE_SEXES] = {
    {"Female", {NULL}},
    {"Male", {NULL}},
    {"Other", {NULL}},
};

const kn_people_value kn__people_maritals[KN_PEOPLE_MARITALS] = {
    {"Never married", {"Single", NULL}},          {"Married", {"In a couple", NULL}},
    {"Partnership", {"In a couple", NULL}},       {"Separated", {"Formerly in a couple", NULL}},
    {"Divorced", {"Formerly in a couple", NULL}}, {"Widowed", {"Formerly in a couple", NULL}},
};

const kn_people_value kn__people_educations[KN_PEOPLE_EDUCATIONS] = {
    {"No schooling", {"Basic", "Below tertiary", NULL}},
    {"Primary", {"Basic", "Below tertiary", NULL}},
    {"Lower secondary", {"Basic", "Below tertiary", NULL}},
    {"Upper secondary", {"Secondary", "Below tertiary", NULL}},
    {"Vocational", {"Secondary", "Below tertiary", NULL}},
    {"Post-secondary", {"Secondary", "Below tertiary", NULL}},
    {"Bachelor", {"First degree", "Tertiary", NULL}},
    {"Master", {"Higher degree", "Tertiary", NULL}},
    {"Doctorate", {"Higher degree", "Tertiary", NULL}},
};

const uint16_t kn__people_education_income[KN_PEOPLE_EDUCATIONS] = {780,  820,  870,  1000, 1010,
                                                                    1050, 1200, 1380, 1560};

const kn_people_value kn__people_sectors[KN_PEOPLE_SECTORS] = {
    {"Private company", {"Private", "Employed", NULL}},
    {"Self-employed", {"Own business", "Employed", NULL}},
    {"Family business", {"Own business", "Employed", NULL}},
    {"Central government", {"Public", "Employed", NULL}},
    {"Local government", {"Public", "Employed", NULL}},
    {"Public enterprise", {"Public", "Employed", NULL}},
    {"Non-profit", {"Private", "Employed", NULL}},
    {"Not working", {"Not working", "Not working", NULL}},
};

/* Profiles: 0 business, 1 health and teaching, 2 free professions, 3 trades, 4 land and sea, 5 the
 * state, 6 shops and inns. */
const uint16_t kn__people_sector_weights[KN_PEOPLE_SECTOR_PROFILES][KN_PEOPLE_SECTORS - 1] = {
    {760, 60, 30, 40, 40, 50, 20},  {250, 60, 5, 420, 130, 55, 80}, {280, 540, 40, 60, 20, 10, 50},
    {480, 330, 100, 15, 35, 38, 2}, {120, 480, 380, 3, 7, 5, 5},    {10, 0, 0, 760, 200, 30, 0},
    {590, 170, 200, 5, 15, 10, 10},
};

#define JOB(name, group, top) \
    {                         \
        name,                 \
        {                     \
            group, top, NULL  \
        }                     \
    }
const kn_people_occupation kn__people_occupations[KN_PEOPLE_OCCUPATIONS] = {
    {JOB("Director", "Managers", "Non-manual"), {2, 8, 30, 50}, 310, 4800, 0},
    {JOB("Shop manager", "Managers", "Non-manual"), {15, 40, 20, 8}, 430, 2400, 6},
    {JOB("Software developer", "Professionals", "Non-manual"), {0, 10, 75, 70}, 230, 3300, 0},
    {JOB("Engineer", "Professionals", "Non-manual"), {0, 5, 70, 95}, 240, 3000, 0},
    {JOB("Physician", "Professionals", "Non-manual"), {0, 0, 8, 90}, 490, 4300, 1},
    {JOB("Nurse", "Professionals", "Non-manual"), {0, 35, 75, 20}, 850, 2000, 1},
    {JOB("Pharmacist", "Professionals", "Non-manual"), {0, 0, 20, 25}, 620, 2700, 2},
    {JOB("Teacher", "Professionals", "Non-manual"), {0, 6, 140, 110}, 680, 1900, 1},
    {JOB("Lecturer", "Professionals", "Non-manual"), {0, 0, 3, 50}, 450, 2900, 1},
    {JOB("Lawyer", "Professionals", "Non-manual"), {0, 0, 25, 75}, 500, 3400, 2},
    {JOB("Accountant", "Professionals", "Non-manual"), {0, 25, 80, 45}, 520, 2500, 2},
    {JOB("Scientist", "Professionals", "Non-manual"), {0, 0, 15, 60}, 470, 2600, 1},
    {JOB("Journalist", "Professionals", "Non-manual"), {0, 5, 22, 20}, 510, 2000, 2},
    {JOB("Artist", "Professionals", "Non-manual"), {4, 12, 22, 20}, 500, 1300, 2},
    {JOB("Laboratory technician", "Technicians", "Non-manual"), {0, 26, 30, 10}, 600, 1800, 1},
    {JOB("IT support", "Technicians", "Non-manual"), {2, 32, 30, 8}, 200, 1900, 0},
    {JOB("Sales agent", "Technicians", "Non-manual"), {14, 50, 45, 20}, 400, 2100, 0},
    {JOB("Social worker", "Technicians", "Non-manual"), {2, 14, 35, 18}, 780, 1700, 1},
    {JOB("Office clerk", "Clerks", "Non-manual"), {25, 110, 80, 25}, 700, 1600, 0},
    {JOB("Bank clerk", "Clerks", "Non-manual"), {2, 30, 45, 20}, 540, 2100, 0},
    {JOB("Receptionist", "Clerks", "Non-manual"), {14, 32, 15, 3}, 760, 1400, 6},
    {JOB("Shop assistant", "Service workers", "Service"), {95, 115, 30, 6}, 660, 1250, 6},
    {JOB("Cook", "Service workers", "Service"), {50, 42, 6, 1}, 430, 1350, 6},
    {JOB("Waiter", "Service workers", "Service"), {55, 48, 10, 3}, 500, 1150, 6},
    {JOB("Hairdresser", "Service workers", "Service"), {22, 28, 2, 0}, 800, 1200, 3},
    {JOB("Care worker", "Service workers", "Service"), {42, 38, 8, 1}, 870, 1250, 1},
    {JOB("Police officer", "Security forces", "Service"), {5, 38, 22, 6}, 190, 2000, 5},
    {JOB("Soldier", "Security forces", "Service"), {6, 30, 14, 5}, 120, 2000, 5},
    {JOB("Farmer", "Agriculture and fishing", "Manual"), {110, 50, 8, 3}, 350, 1350, 4},
    {JOB("Fisher", "Agriculture and fishing", "Manual"), {14, 5, 1, 0}, 60, 1300, 4},
    {JOB("Builder", "Craft workers", "Manual"), {90, 48, 3, 1}, 30, 1550, 3},
    {JOB("Electrician", "Craft workers", "Manual"), {20, 45, 5, 1}, 30, 1700, 3},
    {JOB("Mechanic", "Craft workers", "Manual"), {32, 42, 3, 0}, 30, 1600, 3},
    {JOB("Driver", "Machine operators", "Manual"), {75, 60, 5, 1}, 70, 1500, 3},
    {JOB("Machine operator", "Machine operators", "Manual"), {65, 45, 3, 0}, 280, 1450, 0},
    {JOB("Cleaner", "Elementary occupations", "Manual"), {95, 26, 3, 1}, 780, 1050, 0},
    {JOB("Farm labourer", "Elementary occupations", "Manual"), {55, 12, 1, 0}, 310, 950, 4},
    {JOB("Warehouse worker", "Elementary occupations", "Manual"), {60, 36, 4, 1}, 230, 1250, 0},
    {JOB("Child", "In education or younger", "Not working"), {0}, 0, 0, 0},
    {JOB("Pupil", "In education or younger", "Not working"), {0}, 0, 0, 0},
    {JOB("Student", "In education or younger", "Not working"), {0}, 0, 350, 0},
    {JOB("Unemployed", "Out of work", "Not working"), {0}, 0, 520, 0},
    {JOB("Homemaker", "Out of work", "Not working"), {0}, 0, 400, 0},
    {JOB("Unable to work", "Out of work", "Not working"), {0}, 0, 720, 0},
    {JOB("Retired", "Retired", "Not working"), {0}, 0, 1050, 0},
};

static const uint8_t age_ages[] = {0, 10, 20, 30, 40, 50, 60, 70, 80, 90, 95, 100};
static const uint16_t age_weights[][1] = {{760},  {900},  {980}, {1050}, {1350}, {1480},
                                          {1320}, {1080}, {680}, {210},  {60},   {8}};
const kn_people_curve kn__people_age_curve = CURVE(age_ages, age_weights, 1);

static const uint8_t women_ages[] = {0, 40, 60, 75, 85, 95, 100};
static const uint16_t women_weights[][1] = {{486}, {495}, {513}, {548}, {620}, {720}, {800}};
const kn_people_curve kn__people_women_curve = CURVE(women_ages, women_weights, 1);

static const uint8_t marital_ages[] = {0, 17, 20, 25, 30, 40, 50, 65, 80, 100};
static const uint16_t marital_women[][KN_PEOPLE_MARITALS] = {
    {1000, 0, 0, 0, 0, 0},       {1000, 0, 0, 0, 0, 0},      {955, 35, 8, 1, 1, 0},
    {780, 190, 20, 5, 5, 0},     {480, 460, 25, 15, 20, 0},  {220, 650, 20, 25, 80, 5},
    {130, 680, 12, 25, 130, 23}, {75, 650, 6, 15, 114, 140}, {60, 360, 2, 6, 62, 510},
    {70, 60, 0, 1, 29, 840},
};
static const uint16_t marital_men[][KN_PEOPLE_MARITALS] = {
    {1000, 0, 0, 0, 0, 0},     {1000, 0, 0, 0, 0, 0},    {985, 12, 3, 0, 0, 0},
    {890, 95, 12, 2, 1, 0},    {620, 340, 22, 10, 8, 0}, {280, 620, 18, 24, 57, 1},
    {170, 690, 12, 24, 98, 6}, {90, 750, 6, 14, 95, 45}, {55, 720, 3, 6, 46, 170},
    {45, 450, 0, 2, 23, 480},
};
const kn_people_curve kn__people_marital_curve[2] = {
    CURVE(marital_ages, marital_women, KN_PEOPLE_MARITALS),
    CURVE(marital_ages, marital_men, KN_PEOPLE_MARITALS),
};

static const uint8_t education_ages[] = {0, 11, 12, 14, 15, 17, 18, 21, 25, 30, 45, 60, 75, 100};
static const uint16_t education_weights[][KN_PEOPLE_EDUCATIONS] = {
    {1000, 0, 0, 0, 0, 0, 0, 0, 0},          {1000, 0, 0, 0, 0, 0, 0, 0, 0},
    {40, 960, 0, 0, 0, 0, 0, 0, 0},          {10, 990, 0, 0, 0, 0, 0, 0, 0},
    {8, 290, 702, 0, 0, 0, 0, 0, 0},         {6, 44, 930, 0, 20, 0, 0, 0, 0},
    {5, 30, 440, 440, 85, 0, 0, 0, 0},       {5, 25, 110, 600, 150, 90, 20, 0, 0},
    {5, 22, 90, 330, 140, 120, 250, 43, 0},  {5, 25, 90, 270, 130, 110, 240, 120, 10},
    {6, 50, 120, 310, 120, 80, 210, 90, 14}, {12, 180, 140, 310, 70, 60, 170, 45, 13},
    {50, 430, 130, 210, 30, 30, 95, 18, 7},  {140, 600, 80, 110, 10, 10, 40, 7, 3},
};
const kn_people_curve kn__people_education_curve = CURVE(education_ages, education_weights,
                                                         KN_PEOPLE_EDUCATIONS);

static const uint8_t status_ages[] = {0, 5, 6, 15, 17, 18, 20, 24, 30, 45, 55, 60, 65, 70, 80, 100};
static const uint16_t status_weights[][KN_PEOPLE_STATUSES] = {
    {1000, 0, 0, 0, 0, 0, 0, 0},     {1000, 0, 0, 0, 0, 0, 0, 0},
    {0, 1000, 0, 0, 0, 0, 0, 0},     {0, 1000, 0, 0, 0, 0, 0, 0},
    {0, 905, 0, 25, 3, 2, 0, 65},    {0, 340, 410, 65, 8, 4, 0, 173},
    {0, 0, 610, 80, 10, 5, 0, 295},  {0, 0, 290, 115, 20, 10, 0, 565},
    {0, 0, 35, 90, 40, 12, 0, 823},  {0, 0, 4, 60, 55, 25, 1, 855},
    {0, 0, 1, 60, 70, 50, 22, 797},  {0, 0, 0, 50, 80, 60, 190, 620},
    {0, 0, 0, 15, 50, 30, 645, 260}, {0, 0, 0, 0, 30, 10, 900, 60},
    {0, 0, 0, 0, 10, 0, 980, 10},    {0, 0, 0, 0, 0, 0, 1000, 0},
};
const kn_people_curve kn__people_status_curve = CURVE(status_ages, status_weights,
                                                      KN_PEOPLE_STATUSES);

static const uint8_t earning_ages[] = {0, 16, 20, 25, 35, 45, 55, 65, 80, 100};
static const uint16_t earning_weights[][1] = {{500},  {500},  {600},  {760}, {980},
                                              {1110}, {1170}, {1080}, {950}, {850}};
const kn_people_curve kn__people_earning_curve = CURVE(earning_ages, earning_weights, 1);

const uint16_t kn__people_spread[KN_PEOPLE_SPREAD_STEPS + 1] = {
    245,  405,  457,  495,  525,  551,  575,  597,  617,  636,  654,  672,  689,
    706,  722,  738,  753,  769,  784,  799,  814,  829,  845,  860,  875,  890,
    905,  921,  936,  952,  968,  984,  1000, 1017, 1033, 1051, 1068, 1086, 1105,
    1124, 1143, 1163, 1184, 1206, 1228, 1251, 1275, 1301, 1327, 1356, 1386, 1417,
    1452, 1488, 1528, 1572, 1621, 1676, 1739, 1814, 1905, 2022, 2187, 2471, 4088,
};
