/* people.c - the sample "people": a population register with health and income.
 *
 * Columns are drawn one after the other, each from a table chosen by those before it: age, sex and
 * place first; marital status, education and what people do by age; occupation by education and
 * sex; sector by occupation; income by occupation, education, age and place; diagnosis by age and
 * sex. Whole numbers only: a seed gives the same bytes everywhere. */
#include "sample/people_tables.h"
#include "sample/sample.h"
#include "sample/text.h"

#include <assert.h>
#include <string.h>

enum { MOST_BYTES = 232 };

/* ---- one person ---- */

static uint32_t round_to(uint32_t x, uint32_t unit)
{
    return (x + unit / 2) / unit * unit;
}

/* People give round figures, so incomes pile up on them. */
uint32_t kn__person_stated(uint32_t income, uint32_t percent)
{
    if (percent < 8 && income >= 20000) {
        return round_to(income, 5000);
    }
    if (percent < 32 && income >= 2000) {
        return round_to(income, 1000);
    }
    if (percent < 60) {
        return round_to(income, 100);
    }
    return percent < 75 ? round_to(income, 10) : income;
}

static uint32_t draw_income(const kn_people_tables *t, const kn_person *p, kn_people_status doing,
                            kn_rng *r)
{
    const uint64_t x = kn__rng_next(r);
    const uint32_t percent = (uint32_t)(((x >> 32) * 100) >> 32), chance = (uint32_t)(x % 100);
    const uint64_t spread = kn__people_spread_at(kn__rng_next(r) >> 48);
    uint64_t income = kn__people_occupations[p->occupation].income * UINT64_C(10);

    if ((doing == KN_PEOPLE_STUDENT && chance < 45) ||
        (doing == KN_PEOPLE_HOMEMAKER && chance < 60)) {
        return 0;
    }
    income *= kn__people_education_income[p->education];
    income *= doing == KN_PEOPLE_WORKING ? t->earning[p->age] : UINT64_C(1000);
    income *= t->places[p->place].affluence;
    return kn__person_stated((uint32_t)(income * spread / UINT64_C(1000000000000)), percent);
}

void kn__person_draw(const kn_people_tables *t, kn_rng *r, kn_person *p)
{
    static const uint8_t education_class[KN_PEOPLE_EDUCATIONS] = {0, 0, 0, 1, 1, 1, 2, 3, 3};
    kn_people_status doing;
    uint32_t row; /* women's or men's tables; those who are neither take either */

    p->age = kn__alias_pick(&t->age, 0, r);
    p->sex = kn__alias_pick(&t->sex, p->age, r);
    row = p->sex == KN_PEOPLE_OTHER ? (uint32_t)(kn__rng_next(r) >> 63) : p->sex;
    p->given_list = row;
    p->given = kn__alias_pick(&t->given, 0, r);
    p->stem = kn__alias_pick(&t->stem, 0, r);
    p->ending = kn__alias_pick(&t->ending, 0, r);
    p->place = kn__alias_pick(&t->place, 0, r);
    p->country = kn__alias_pick(
        &t->country, t->places[p->place].kind + (p->age < 18 ? KN_PEOPLE_PLACE_KINDS : 0u), r);
    p->marital = kn__alias_pick(&t->marital, row * KN_PEOPLE_AGES + p->age, r);
    p->education = kn__alias_pick(&t->education, p->age, r);
    doing = (kn_people_status)kn__alias_pick(&t->status, p->age, r);
    if (doing == KN_PEOPLE_WORKING) {
        p->occupation = kn__alias_pick(&t->job, education_class[p->education] * 2u + row, r);
        p->sector = kn__alias_pick(&t->sector, kn__people_occupations[p->occupation].profile, r);
    } else {
        p->occupation = KN_PEOPLE_JOBS + (uint32_t)doing;
        p->sector = KN_PEOPLE_NO_SECTOR;
    }
    p->income = draw_income(t, p, doing, r);
    p->diagnosis = kn__alias_pick(&t->diagnosis, row * KN_PEOPLE_AGES + p->age, r);
}

/* ---- text ---- */

static char *put_word(char *p, const kn_people_word *w)
{
    memcpy(p, w->text, KN_PEOPLE_WORD);
    return p + w->len;
}

char *kn__person_put(char *out, const kn_people_tables *t, const kn_person *p, uint64_t holes)
{
    const bool no_country = (holes & 1023) < 4, no_marital = (holes >> 10 & 1023) < 4;
    const bool no_education = (holes >> 20 & 1023) < 9, no_job = (holes >> 30 & 1023) < 7;

    out = put_word(out, &t->given_word[p->given_list][p->given]);
    *out++ = ' ';
    out = put_word(out, &t->stem_word[p->stem]);
    out = put_word(out, &t->ending_word[p->ending]);
    *out++ = ',';
    out = put_word(out, &t->sex_word[p->sex]);
    *out++ = ',';
    out = kn__put_number(out, p->age);
    *out++ = ',';
    memcpy(out, t->places[p->place].code, sizeof t->places->code);
    out += sizeof t->places->code;
    *out++ = ',';
    out = no_country ? out : put_word(out, &t->country_word[p->country]);
    *out++ = ',';
    out = no_marital ? out : put_word(out, &t->marital_word[p->marital]);
    *out++ = ',';
    out = no_education ? out : put_word(out, &t->education_word[p->education]);
    *out++ = ',';
    out = no_job ? out : put_word(out, &t->occupation_word[p->occupation]);
    *out++ = ',';
    return put_word(out, &t->sector_word[p->sector]);
}

static char *put_person(char *out, const kn_people_tables *t, const kn_person *p, uint64_t holes)
{
    const bool no_income = (holes >> 40 & 1023) < 20;

    out = kn__person_put(out, t, p, holes);
    *out++ = ',';
    out = no_income ? out : kn__put_number(out, p->income);
    *out++ = ',';
    out = put_word(out, &t->diagnosis_word[p->diagnosis]);
    *out++ = '\n';
    return out;
}

kn_status kn__people_open(void **out, kn_error *err)
{
    kn_people_tables *t;
    const kn_status status = kn__people_tables_new(&t, err);

    *out = t;
    return status;
}

void kn__people_close(void *state)
{
    kn__people_tables_free(state);
}

static size_t people_fill(const void *state, uint64_t seed, uint64_t first, size_t count, char *out)
{
    const kn_people_tables *t = state;
    char *end = out;
    const kn_ids ids = kn__ids_start(seed);
    kn_rng r;

    kn__rng_seed(&r, seed, first / KN_SAMPLE_BLOCK);
    for (size_t i = 0; i < count; i++) {
        const char *line = end;
        kn_person p;
        kn__person_draw(t, &r, &p);
        end = kn__put_id(end, first + i, &ids);
        *end++ = ',';
        end = put_person(end, t, &p, kn__rng_next(&r));
        assert(end - line <=
               MOST_BYTES - KN_PEOPLE_WORD); /* the last word copied reaches over its end */
        (void)line;
    }
    return (size_t)(end - out);
}

/* ---- hierarchies ---- */

void kn__people_add_rows(kn_buffer *out, const void *first, size_t size, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        const kn_people_value *v = kn__people_value_at(first, size, i);
        kn__buffer_adds(out, v->text);
        for (size_t j = 0; j < sizeof v->up / sizeof *v->up && v->up[j]; j++) {
            kn__buffer_addf(out, ";%s", v->up[j]);
        }
        kn__buffer_adds(out, ";*\n");
    }
}

void kn__people_age_rows(const void *state, kn_buffer *out)
{
    static const unsigned widths[] = {5, 10, 20, 40};

    (void)state;
    for (unsigned age = 0; age < KN_PEOPLE_AGES; age++) {
        kn__buffer_addf(out, "%u", age);
        for (size_t i = 0; i < sizeof widths / sizeof *widths; i++) {
            const unsigned low = age / widths[i] * widths[i];
            kn__buffer_addf(out, ";%u-%u", low, low + widths[i] - 1);
        }
        kn__buffer_adds(out, ";*\n");
    }
}

void kn__people_postcode_rows(const void *state, kn_buffer *out)
{
    const kn_people_tables *t = state;

    for (size_t i = 0; i < t->places_count; i++) {
        const char *code = t->places[i].code;
        kn__buffer_addf(out, "%.5s;%.3s**;%.2s***;%.1s****;*\n", code, code, code, code);
    }
}

void kn__people_sex_rows(const void *state, kn_buffer *out)
{
    (void)state;
    kn__people_add_rows(out, KN_PEOPLE_VALUES(kn__people_sexes));
}

void kn__people_country_rows(const void *state, kn_buffer *out)
{
    (void)state;
    kn__people_add_rows(out, KN_PEOPLE_VALUES(kn__people_countries));
}

void kn__people_marital_rows(const void *state, kn_buffer *out)
{
    (void)state;
    kn__people_add_rows(out, KN_PEOPLE_VALUES(kn__people_maritals));
}

void kn__people_education_rows(const void *state, kn_buffer *out)
{
    (void)state;
    kn__people_add_rows(out, KN_PEOPLE_VALUES(kn__people_educations));
}

void kn__people_occupation_rows(const void *state, kn_buffer *out)
{
    (void)state;
    kn__people_add_rows(out, KN_PEOPLE_VALUES(kn__people_occupations));
}

void kn__people_sector_rows(const void *state, kn_buffer *out)
{
    (void)state;
    kn__people_add_rows(out, KN_PEOPLE_VALUES(kn__people_sectors));
}

static void diagnosis_rows(const void *state, kn_buffer *out)
{
    (void)state;
    kn__people_add_rows(out, KN_PEOPLE_VALUES(kn__people_diagnoses));
}

static const kn_sample_column columns[] = {
    KN_PEOPLE_COLUMNS,
    {"income", KN_TYPE_INTEGER, KN_ROLE_SENSITIVE, NULL},
    {"diagnosis", KN_TYPE_CATEGORY, KN_ROLE_SENSITIVE, diagnosis_rows},
};

const kn_sample kn__sample_people = {
    .name = "people",
    .columns = columns,
    .columns_count = sizeof columns / sizeof *columns,
    .most_records = UINT64_C(1) << KN_ID_BITS,
    .most_bytes = MOST_BYTES,
    .open = kn__people_open,
    .close = kn__people_close,
    .fill = people_fill,
};
