/* sample/people_tables.h - the sample "people", ready for drawing: alias tables, texts, places. */
#ifndef KN_SAMPLE_PEOPLE_TABLES_H
#define KN_SAMPLE_PEOPLE_TABLES_H

#include "base/buffer.h"
#include "sample/alias.h"
#include "sample/people_data.h"

enum { KN_PEOPLE_WORD = 24, KN_PEOPLE_MOST_PLACES = 2048, KN_PEOPLE_PLACE_KINDS = 3 };

/* A text in a block of fixed size, so that copying it is a few moves. */
typedef struct kn_people_word {
    char text[KN_PEOPLE_WORD];
    uint8_t len;
} kn_people_word;

typedef struct kn_people_place {
    char code[5];
    uint8_t kind;       /* 0 city, 1 town, 2 country */
    uint16_t affluence; /* factor of income, per mille */
    uint32_t weight;
} kn_people_place;

typedef struct kn_people_tables {
    kn_alias age, sex, marital, education, status, job, sector, country, place, diagnosis;
    kn_alias given, stem, ending;
    uint16_t earning[KN_PEOPLE_AGES];
    kn_people_word sex_word[KN_PEOPLE_SEXES], marital_word[KN_PEOPLE_MARITALS],
        education_word[KN_PEOPLE_EDUCATIONS];
    kn_people_word occupation_word[KN_PEOPLE_OCCUPATIONS], sector_word[KN_PEOPLE_SECTORS];
    kn_people_word country_word[KN_PEOPLE_COUNTRIES], diagnosis_word[KN_PEOPLE_DIAGNOSES];
    kn_people_word given_word[2][KN_PEOPLE_GIVEN], stem_word[KN_PEOPLE_STEMS],
        ending_word[KN_PEOPLE_ENDINGS];
    kn_people_place places[KN_PEOPLE_MOST_PLACES]; /* ascending by code */
    size_t places_count;
} kn_people_tables;

/** Make the tables in `*out`; the caller owns them. They are the same every time. */
kn_status kn__people_tables_new(kn_people_tables **out, kn_error *err);
/** Free `t`. NULL is fine. */
void kn__people_tables_free(kn_people_tables *t);

/* As kn_sample wants them. */
kn_status kn__people_open(void **tables, kn_error *err);
void kn__people_close(void *tables);

/* A person by the numbers of the tables. */
typedef struct kn_person {
    uint32_t sex, age, place, country, marital, education, occupation, sector, diagnosis;
    uint32_t income;
    uint32_t given_list, given, stem, ending;
} kn_person;

void kn__person_draw(const kn_people_tables *t, kn_rng *r, kn_person *p);
/** Write name,sex,age,postcode,country,marital,education,occupation,sector. Ten bits of `holes` for
 * each column that may be empty; the first forty are used. The last word copied reaches over its
 * end by at most KN_PEOPLE_WORD. */
char *kn__person_put(char *out, const kn_people_tables *t, const kn_person *p, uint64_t holes);
/** People give round figures, so amounts pile up on them; `percent` is a chance of 0..99. */
uint32_t kn__person_stated(uint32_t amount, uint32_t percent);

/** Value number `i` of an array whose elements, `size` bytes each, start with one. */
static inline const kn_people_value *kn__people_value_at(const void *first, size_t size, size_t i)
{
    return (const kn_people_value *)(const void *)((const char *)first + i * size);
}
/** The arguments `first, size, count` for such an array. */
#define KN_PEOPLE_VALUES(array) (array), sizeof *(array), sizeof(array) / sizeof *(array)

/* The rows of hierarchies, as kn_sample_column wants them; `tables` are kn_people_tables. */
void kn__people_add_rows(kn_buffer *out, const void *first, size_t size, size_t count);
void kn__people_age_rows(const void *tables, kn_buffer *out);
void kn__people_postcode_rows(const void *tables, kn_buffer *out);
void kn__people_sex_rows(const void *tables, kn_buffer *out);
void kn__people_marital_rows(const void *tables, kn_buffer *out);
void kn__people_education_rows(const void *tables, kn_buffer *out);
void kn__people_country_rows(const void *tables, kn_buffer *out);
void kn__people_occupation_rows(const void *tables, kn_buffer *out);
void kn__people_sector_rows(const void *tables, kn_buffer *out);

/** The columns that all samples of people begin with. */
#define KN_PEOPLE_COLUMNS                                                            \
    {"id", KN_TYPE_CATEGORY, KN_ROLE_IDENTIFIER, NULL},                              \
        {"name", KN_TYPE_CATEGORY, KN_ROLE_IDENTIFIER, NULL},                        \
        {"sex", KN_TYPE_CATEGORY, KN_ROLE_QUASI, kn__people_sex_rows},               \
        {"age", KN_TYPE_INTEGER, KN_ROLE_QUASI, kn__people_age_rows},                \
        {"postcode", KN_TYPE_CATEGORY, KN_ROLE_QUASI, kn__people_postcode_rows},     \
        {"country", KN_TYPE_CATEGORY, KN_ROLE_QUASI, kn__people_country_rows},       \
        {"marital", KN_TYPE_CATEGORY, KN_ROLE_QUASI, kn__people_marital_rows},       \
        {"education", KN_TYPE_CATEGORY, KN_ROLE_QUASI, kn__people_education_rows},   \
        {"occupation", KN_TYPE_CATEGORY, KN_ROLE_QUASI, kn__people_occupation_rows}, \
    {                                                                                \
        "sector", KN_TYPE_CATEGORY, KN_ROLE_QUASI, kn__people_sector_rows            \
    }

#endif
