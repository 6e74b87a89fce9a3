/* sample/people_data.h - the words and weights behind the sample "people". Invented, but shaped
 * like a population: nothing here counts real people. Weights are relative; `per mille` factors are
 * named as such. */
#ifndef KN_SAMPLE_PEOPLE_DATA_H
#define KN_SAMPLE_PEOPLE_DATA_H

#include <stddef.h>
#include <stdint.h>

enum { KN_PEOPLE_AGES = 101 };

typedef enum kn_people_sex {
    KN_PEOPLE_FEMALE,
    KN_PEOPLE_MALE,
    KN_PEOPLE_OTHER,
    KN_PEOPLE_SEXES
} kn_people_sex;

enum { KN_PEOPLE_MARITALS = 6, KN_PEOPLE_EDUCATIONS = 9, KN_PEOPLE_EDUCATION_CLASSES = 4 };

/* What people do. The last seven occupations are those of people who do not work, in this order. */
typedef enum kn_people_status {
    KN_PEOPLE_CHILD,
    KN_PEOPLE_PUPIL,
    KN_PEOPLE_STUDENT,
    KN_PEOPLE_UNEMPLOYED,
    KN_PEOPLE_HOMEMAKER,
    KN_PEOPLE_UNABLE,
    KN_PEOPLE_RETIRED,
    KN_PEOPLE_WORKING,
    KN_PEOPLE_STATUSES
} kn_people_status;

enum { KN_PEOPLE_JOBS = 38, KN_PEOPLE_OCCUPATIONS = KN_PEOPLE_JOBS + KN_PEOPLE_WORKING };

/* Where people work: the last one is for those who do not. */
enum {
    KN_PEOPLE_SECTORS = 8,
    KN_PEOPLE_NO_SECTOR = KN_PEOPLE_SECTORS - 1,
    KN_PEOPLE_SECTOR_PROFILES = 7
};

enum { KN_PEOPLE_COUNTRIES = 56, KN_PEOPLE_DIAGNOSES = 38 };
enum { KN_PEOPLE_GIVEN = 72, KN_PEOPLE_STEMS = 56, KN_PEOPLE_ENDINGS = 22 };

/** A value and its labels on the levels between itself and the root; a NULL ends them. */
typedef struct kn_people_value {
    const char *text;
    const char *up[3];
} kn_people_value;

extern const kn_people_value kn__people_sexes[KN_PEOPLE_SEXES];
extern const kn_people_value kn__people_maritals[KN_PEOPLE_MARITALS];
extern const kn_people_value kn__people_educations[KN_PEOPLE_EDUCATIONS];
extern const kn_people_value kn__people_sectors[KN_PEOPLE_SECTORS];

typedef struct kn_people_occupation {
    kn_people_value value;
    uint16_t weight[KN_PEOPLE_EDUCATION_CLASSES]; /* among the jobs, by class of education */
    uint16_t women;                               /* their share, per mille */
    uint16_t income;                              /* typical, in tens a year */
    uint8_t profile;                              /* of sectors */
} kn_people_occupation;
extern const kn_people_occupation kn__people_occupations[KN_PEOPLE_OCCUPATIONS];
extern const uint16_t kn__people_sector_weights[KN_PEOPLE_SECTOR_PROFILES][KN_PEOPLE_SECTORS - 1];

typedef struct kn_people_country {
    kn_people_value value;
    uint16_t weight; /* among those born abroad; the first country is home */
} kn_people_country;
extern const kn_people_country kn__people_countries[KN_PEOPLE_COUNTRIES];

enum { KN_PEOPLE_DIAGNOSIS_KNOTS = 8 };
typedef struct kn_people_diagnosis {
    kn_people_value value;
    uint16_t weight[KN_PEOPLE_DIAGNOSIS_KNOTS]; /* by age */
    uint16_t factor[2];                         /* women's and men's, per mille */
} kn_people_diagnosis;
extern const uint8_t kn__people_diagnosis_ages[KN_PEOPLE_DIAGNOSIS_KNOTS];
extern const kn_people_diagnosis kn__people_diagnoses[KN_PEOPLE_DIAGNOSES];

extern const char *const kn__people_given[2][KN_PEOPLE_GIVEN];  /* women's and men's */
extern const char *const kn__people_stems[KN_PEOPLE_STEMS];     /* a family name is a stem */
extern const char *const kn__people_endings[KN_PEOPLE_ENDINGS]; /* and an ending */

/** Weights that change with age along straight lines between knots. */
typedef struct kn_people_curve {
    size_t knots, choices;
    const uint8_t *age;     /* ascending, the first 0, the last 100 */
    const uint16_t *weight; /* [knot * choices + choice] */
} kn_people_curve;
extern const kn_people_curve kn__people_age_curve;        /* one choice: how many have that age */
extern const kn_people_curve kn__people_women_curve;      /* one choice: women per mille */
extern const kn_people_curve kn__people_marital_curve[2]; /* women's and men's */
extern const kn_people_curve kn__people_education_curve;
extern const kn_people_curve kn__people_status_curve;
extern const kn_people_curve kn__people_earning_curve; /* one choice: factor of income, per mille */

/** By education: factor of income, per mille. */
extern const uint16_t kn__people_education_income[KN_PEOPLE_EDUCATIONS];
/** Income around its typical value, per mille, at 64 equal steps of its distribution: log-normal,
 * cut at the ends. */
enum { KN_PEOPLE_SPREAD_STEPS = 64 };
extern const uint16_t kn__people_spread[KN_PEOPLE_SPREAD_STEPS + 1];

/** The spread at a position of 16 bits: 6 of step, 10 of way to the next. */
static inline uint64_t kn__people_spread_at(uint64_t position)
{
    const uint64_t step = position >> 10, way = position & 1023;

    return (kn__people_spread[step] * (1024 - way) + kn__people_spread[step + 1] * way) >> 10;
}

#endif
