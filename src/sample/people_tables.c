/* people_tables.c - from words and weights to tables. Whole numbers only. */
#include "sample/people_tables.h"
#include "base/error.h"
#include "base/memory.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

enum { AREAS = 48, CITIES = 4, TOWNS = 18 };

static void set_word(kn_people_word *w, const char *text)
{
    const size_t len = strlen(text);

    assert(len <= KN_PEOPLE_WORD);
    memcpy(w->text, text, len);
    w->len = (uint8_t)len;
}

static void set_values(kn_people_word *words, const void *first, size_t size, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        set_word(&words[i], kn__people_value_at(first, size, i)->text);
    }
}

static void set_texts(kn_people_word *words, const char *const *texts, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        set_word(&words[i], texts[i]);
    }
}

#define TEXTS(array) (array), sizeof(array) / sizeof *(array)

static void set_words(kn_people_tables *t)
{
    set_values(t->sex_word, KN_PEOPLE_VALUES(kn__people_sexes));
    set_values(t->marital_word, KN_PEOPLE_VALUES(kn__people_maritals));
    set_values(t->education_word, KN_PEOPLE_VALUES(kn__people_educations));
    set_values(t->occupation_word, KN_PEOPLE_VALUES(kn__people_occupations));
    set_values(t->sector_word, KN_PEOPLE_VALUES(kn__people_sectors));
    set_values(t->country_word, KN_PEOPLE_VALUES(kn__people_countries));
    set_values(t->diagnosis_word, KN_PEOPLE_VALUES(kn__people_diagnoses));
    set_texts(t->given_word[0], TEXTS(kn__people_given[0]));
    set_texts(t->given_word[1], TEXTS(kn__people_given[1]));
    set_texts(t->stem_word, TEXTS(kn__people_stems));
    set_texts(t->ending_word, TEXTS(kn__people_endings));
}

/* The weights at `age`, all times the distance of the knots around it, which is returned. */
static uint32_t at_age(const kn_people_curve *c, uint32_t age, uint32_t *weights)
{
    size_t i = 1;
    uint32_t before, after;

    while (c->age[i] < age) {
        i++;
    }
    before = age - c->age[i - 1];
    after = (uint32_t)c->age[i] - age;
    for (size_t j = 0; j < c->choices; j++) {
        weights[j] = c->weight[(i - 1) * c->choices + j] * after +
                     c->weight[i * c->choices + j] * before;
    }
    return before + after;
}

static kn_status set_curve(kn_alias *a, const kn_people_curve *curves, size_t count, kn_error *err)
{
    uint32_t weights[16];

    KN_PASS(kn__alias_init(a, count * KN_PEOPLE_AGES, curves->choices, err));
    assert(curves->choices <= sizeof weights / sizeof *weights);
    for (uint32_t row = 0; row < count * KN_PEOPLE_AGES; row++) {
        (void)at_age(&curves[row / KN_PEOPLE_AGES], row % KN_PEOPLE_AGES, weights);
        KN_PASS(kn__alias_set(a, row, weights, err));
    }
    return KN_OK;
}

/* The place i of a list is picked with a weight of 1 / (i + shift): a few are common, many are
 * rare. */
static kn_status set_ranks(kn_alias *a, size_t choices, uint32_t shift, kn_error *err)
{
    uint32_t weights[128];

    assert(choices <= sizeof weights / sizeof *weights);
    for (uint32_t i = 0; i < choices; i++) {
        weights[i] = 1000000 / (i + shift);
    }
    return kn__alias_one(a, weights, choices, err);
}

static kn_status set_ages(kn_people_tables *t, kn_error *err)
{
    uint32_t ages[KN_PEOPLE_AGES] = {0}, weights[KN_PEOPLE_SEXES] = {0};

    KN_PASS(kn__alias_init(&t->age, 1, KN_PEOPLE_AGES, err));
    KN_PASS(kn__alias_init(&t->sex, KN_PEOPLE_AGES, KN_PEOPLE_SEXES, err));
    for (uint32_t age = 0; age < KN_PEOPLE_AGES; age++) {
        uint32_t distance = at_age(&kn__people_age_curve, age, &ages[age]);
        ages[age] = ages[age] * 100 / distance;
        distance = at_age(&kn__people_women_curve, age, weights);
        weights[KN_PEOPLE_FEMALE] = weights[0] * 998 / distance;
        weights[KN_PEOPLE_MALE] = 998000 - weights[KN_PEOPLE_FEMALE];
        weights[KN_PEOPLE_OTHER] = 2000;
        KN_PASS(kn__alias_set(&t->sex, age, weights, err));
        distance = at_age(&kn__people_earning_curve, age, weights);
        t->earning[age] = (uint16_t)(weights[0] / distance);
    }
    return kn__alias_set(&t->age, 0, ages, err);
}

static kn_status set_jobs(kn_people_tables *t, kn_error *err)
{
    uint32_t weights[KN_PEOPLE_JOBS];

    KN_PASS(kn__alias_init(&t->job, KN_PEOPLE_EDUCATION_CLASSES * 2, KN_PEOPLE_JOBS, err));
    for (size_t row = 0; row < KN_PEOPLE_EDUCATION_CLASSES * 2; row++) {
        for (size_t i = 0; i < KN_PEOPLE_JOBS; i++) {
            const kn_people_occupation *o = &kn__people_occupations[i];
            const uint32_t share = row % 2 == KN_PEOPLE_FEMALE ? o->women : 1000u - o->women;
            weights[i] = o->weight[row / 2] * share;
        }
        KN_PASS(kn__alias_set(&t->job, row, weights, err));
    }
    KN_PASS(kn__alias_init(&t->sector, KN_PEOPLE_SECTOR_PROFILES, KN_PEOPLE_SECTORS - 1, err));
    for (size_t row = 0; row < KN_PEOPLE_SECTOR_PROFILES; row++) {
        for (size_t i = 0; i < KN_PEOPLE_SECTORS - 1; i++) {
            weights[i] = kn__people_sector_weights[row][i];
        }
        KN_PASS(kn__alias_set(&t->sector, row, weights, err));
    }
    return KN_OK;
}

/* Rows: the kind of place, twice: grown-ups, and children, of whom fewer were born abroad. */
static kn_status set_countries(kn_people_tables *t, kn_error *err)
{
    static const uint32_t abroad[KN_PEOPLE_PLACE_KINDS * 2] = {190, 110, 60,
                                                               80,  45,  25}; /* per mille */
    uint32_t weights[KN_PEOPLE_COUNTRIES], sum = 0;

    KN_PASS(kn__alias_init(&t->country, KN_PEOPLE_PLACE_KINDS * 2, KN_PEOPLE_COUNTRIES, err));
    for (size_t i = 1; i < KN_PEOPLE_COUNTRIES; i++) {
        weights[i] = kn__people_countries[i].weight;
        sum += weights[i];
    }
    for (size_t row = 0; row < KN_PEOPLE_PLACE_KINDS * 2; row++) {
        weights[0] = sum * (1000 - abroad[row]) / abroad[row];
        KN_PASS(kn__alias_set(&t->country, row, weights, err));
    }
    return KN_OK;
}

static kn_status set_diagnoses(kn_people_tables *t, kn_error *err)
{
    uint32_t weights[KN_PEOPLE_DIAGNOSES];

    KN_PASS(kn__alias_init(&t->diagnosis, 2 * KN_PEOPLE_AGES, KN_PEOPLE_DIAGNOSES, err));
    for (uint32_t row = 0; row < 2 * KN_PEOPLE_AGES; row++) {
        for (size_t i = 0; i < KN_PEOPLE_DIAGNOSES; i++) {
            const kn_people_diagnosis *d = &kn__people_diagnoses[i];
            const kn_people_curve curve = {KN_PEOPLE_DIAGNOSIS_KNOTS, 1, kn__people_diagnosis_ages,
                                           d->weight};
            (void)at_age(&curve, row % KN_PEOPLE_AGES, &weights[i]);
            weights[i] *= d->factor[row / KN_PEOPLE_AGES];
        }
        KN_PASS(kn__alias_set(&t->diagnosis, row, weights, err));
    }
    return KN_OK;
}

static int by_code(const void *a, const void *b)
{
    return memcmp(((const kn_people_place *)a)->code, ((const kn_people_place *)b)->code,
                  sizeof((kn_people_place *)0)->code);
}

/* Areas have two digits, their sizes follow 1/rank; so do the postcodes within an area. Fixed for
 * all seeds: the hierarchy lists them. Steps that share no factor with 90 and 1000 scatter the
 * numbers without meeting one twice. */
static kn_status set_places(kn_people_tables *t, kn_error *err)
{
    static const uint32_t affluence[] = {980, 900, 800}; /* by kind */
    kn_rng r;
    uint32_t *weights;
    kn_status status;

    kn__rng_seed(&r, 20260101, 0);
    for (uint32_t area = 0; area < AREAS; area++) {
        const uint32_t prefix = 10 + (area * 37 + 1) % 90, codes = 8 + 240 / (area + 2);
        const uint8_t kind = (uint8_t)((area >= CITIES) + (area >= TOWNS));
        const uint32_t rich = affluence[kind] + (uint32_t)kn__rng_below(&r, 200);
        uint32_t size = 0;
        for (uint32_t i = 0; i < codes; i++) {
            size += 100000 / (i + 3);
        }
        for (uint32_t i = 0; i < codes; i++) {
            kn_people_place *p = &t->places[t->places_count++];
            uint32_t digits = prefix * 1000 + (area * 77 + i * 271) % 1000;
            assert(t->places_count < KN_PEOPLE_MOST_PLACES);
            p->kind = kind;
            p->affluence = (uint16_t)(rich * (850 + (uint32_t)kn__rng_below(&r, 350)) / 1000);
            p->weight = (uint32_t)(UINT64_C(100000000) / (area + 2) * (100000 / (i + 3)) / size);
            for (size_t j = sizeof p->code; j > 0; j--) {
                p->code[j - 1] = (char)('0' + digits % 10);
                digits /= 10;
            }
        }
    }
    qsort(t->places, t->places_count, sizeof *t->places, by_code);
    weights = kn__malloc_array(t->places_count, sizeof *weights);
    if (!weights) {
        return kn__nomem(err);
    }
    for (size_t i = 0; i < t->places_count; i++) {
        weights[i] = t->places[i].weight;
    }
    KN_TRY(kn__alias_init(&t->place, 1, t->places_count, err));
    KN_TRY(kn__alias_set(&t->place, 0, weights, err));
done:
    kn__free(weights);
    return status;
}

void kn__people_tables_free(kn_people_tables *t)
{
    if (t) {
        kn_alias *all[] = {&t->age,   &t->sex,    &t->marital, &t->education, &t->status,
                           &t->job,   &t->sector, &t->country, &t->place,     &t->diagnosis,
                           &t->given, &t->stem,   &t->ending};
        for (size_t i = 0; i < sizeof all / sizeof *all; i++) {
            kn__alias_clear(all[i]);
        }
        kn__free(t);
    }
}

kn_status kn__people_tables_new(kn_people_tables **out, kn_error *err)
{
    kn_people_tables *t = kn__zalloc(sizeof *t);
    kn_status status;

    *out = NULL;
    KN_PASS(t ? KN_OK : kn__nomem(err));
    set_words(t);
    if ((status = set_ages(t, err)) == KN_OK &&
        (status = set_curve(&t->marital, kn__people_marital_curve, 2, err)) == KN_OK &&
        (status = set_curve(&t->education, &kn__people_education_curve, 1, err)) == KN_OK &&
        (status = set_curve(&t->status, &kn__people_status_curve, 1, err)) == KN_OK &&
        (status = set_jobs(t, err)) == KN_OK && (status = set_countries(t, err)) == KN_OK &&
        (status = set_diagnoses(t, err)) == KN_OK && (status = set_places(t, err)) == KN_OK &&
        (status = set_ranks(&t->given, KN_PEOPLE_GIVEN, 4, err)) == KN_OK &&
        (status = set_ranks(&t->stem, KN_PEOPLE_STEMS, 12, err)) == KN_OK &&
        (status = set_ranks(&t->ending, KN_PEOPLE_ENDINGS, 3, err)) == KN_OK) {
        *out = t;
        return KN_OK;
    }
    kn__people_tables_free(t);
    return status;
}
