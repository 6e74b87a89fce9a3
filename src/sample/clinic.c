/* clinic.c - the sample "clinic": patients with demographics and a set of diagnosis codes.
 *
 * The people are those of the sample "people", older than these as patients are. Codes look like
 * those of the ICD: a letter for the chapter, two digits. Which chapters a patient has depends on
 * age and sex; in a chapter few codes are frequent (by 1/rank). Many patients, and most of the old,
 * have a syndrome, a handful of codes of several chapters that come together; the rest is drawn
 * freely. Whole numbers only: a seed gives the same bytes everywhere. */
#include "base/error.h"
#include "base/memory.h"
#include "sample/people_tables.h"
#include "sample/sample.h"
#include "sample/text.h"

#include <assert.h>
#include <stdio.h>
#include <string.h>

enum {
    CHAPTERS = 18,
    BLOCKS = 5, /* a chapter */
    CODES = 8,  /* a block */
    IN_CHAPTER = BLOCKS * CODES,
    ALL_CODES = CHAPTERS * IN_CHAPTER,
    AGE_GROUPS = 7,
    SYNDROMES = 24,
    IN_SYNDROME = 7,
    MOST_CODES = 20, /* a patient */
    CODE_LEN = 3,
    MOST_BYTES = 64 + 5 * KN_PEOPLE_WORD + MOST_CODES * (CODE_LEN + 1)
};

static const uint8_t group_starts[AGE_GROUPS] = {0, 1, 15, 30, 45, 60, 75};

/* How often the chapters are met by age group, and by women and men, in percent of that. */
static const struct {
    char letter;
    uint16_t weight[AGE_GROUPS];
    uint8_t factor[2];
} chapters[CHAPTERS] = {
    {'A', {90, 120, 60, 40, 35, 35, 45}, {95, 105}},    /* infections */
    {'C', {4, 8, 12, 30, 80, 140, 130}, {95, 105}},     /* neoplasms */
    {'D', {20, 20, 20, 25, 30, 40, 60}, {120, 80}},     /* blood */
    {'E', {25, 20, 30, 60, 110, 150, 130}, {100, 100}}, /* endocrine, metabolic */
    {'F', {2, 25, 110, 110, 90, 60, 80}, {105, 95}},    /* mental */
    {'G', {15, 25, 35, 45, 55, 65, 80}, {110, 90}},     /* nervous system */
    {'H', {40, 80, 25, 25, 40, 80, 110}, {105, 95}},    /* eye and ear */
    {'I', {4, 5, 12, 40, 120, 220, 300}, {85, 115}},    /* circulatory */
    {'J', {150, 160, 70, 60, 65, 90, 120}, {95, 105}},  /* respiratory */
    {'K', {50, 50, 70, 80, 90, 95, 85}, {95, 105}},     /* digestive */
    {'L', {50, 45, 45, 30, 30, 35, 40}, {100, 100}},    /* skin */
    {'M', {2, 20, 50, 90, 130, 150, 120}, {115, 85}},   /* musculoskeletal */
    {'N', {15, 20, 40, 50, 60, 80, 100}, {115, 85}},    /* genitourinary */
    {'O', {0, 0, 190, 130, 2, 0, 0}, {200, 0}},         /* pregnancy */
    {'P', {260, 1, 0, 0, 0, 0, 0}, {90, 110}},          /* around birth */
    {'Q', {80, 15, 6, 4, 3, 2, 1}, {90, 110}},          /* congenital */
    {'R', {60, 60, 60, 60, 65, 75, 110}, {105, 95}},    /* symptoms */
    {'S', {30, 110, 110, 80, 65, 60, 100}, {70, 130}},  /* injuries */
};

/* In a thousand patients of an age group: how many have a syndrome. */
static const uint16_t with_syndrome[AGE_GROUPS] = {60, 80, 150, 250, 420, 580, 680};

/* In how many of 1,000 steps the list of a patient ends, by age group. */
static const uint16_t ends[AGE_GROUPS] = {420, 450, 400, 330, 260, 205, 180};

typedef struct tables {
    kn_people_tables *people;
    kn_alias chapter;  /* by sex and age group */
    kn_alias code;     /* in a chapter, by its number modulo 4 */
    kn_alias length;   /* by age group */
    kn_alias syndrome; /* by age group */
    uint16_t codes[SYNDROMES][IN_SYNDROME];
    char text[ALL_CODES][CODE_LEN + 1];
} tables;

static void clinic_close(void *user)
{
    tables *t = user;

    kn__alias_clear(&t->chapter);
    kn__alias_clear(&t->code);
    kn__alias_clear(&t->length);
    kn__alias_clear(&t->syndrome);
    kn__people_tables_free(t->people);
    kn__free(t);
}

static uint32_t group_of(uint32_t age)
{
    uint32_t group = AGE_GROUPS - 1;

    while (age < group_starts[group]) {
        group--;
    }
    return group;
}

static uint32_t chapter_weight(size_t chapter, size_t sex, size_t group)
{
    return (uint32_t)chapters[chapter].weight[group] * chapters[chapter].factor[sex];
}

/* A syndrome has a chapter at its heart and two more beside it, of those that women and men of any
 * age may have (the first 13), and codes of them that depend on the syndrome, so that no two are
 * alike. */
static void make_syndromes(tables *t)
{
    static const uint8_t hearts[] = {7, 3, 8, 11, 4, 9, 12, 1}; /* I E J M F K N C */

    for (size_t s = 0; s < SYNDROMES; s++) {
        const size_t heart = hearts[s % sizeof hearts];
        const size_t beside[] = {heart, (heart + 4 + s / 8) % 13, hearts[(s + 3) % sizeof hearts]};
        for (size_t i = 0; i < IN_SYNDROME; i++) {
            t->codes[s][i] = (uint16_t)(beside[i % 3] * IN_CHAPTER +
                                        (s * 5 + i * 3 + i / 3) % (IN_CHAPTER / 2));
        }
    }
}

static kn_status fill_syndromes(tables *t, size_t group, kn_error *err)
{
    uint32_t weights[SYNDROMES];

    for (size_t s = 0; s < SYNDROMES; s++) {
        const size_t heart = t->codes[s][0] / IN_CHAPTER;
        weights[s] = 1 + chapters[heart].weight[group] * 100u / (uint32_t)(2 + s);
    }
    return kn__alias_set(&t->syndrome, group, weights, err);
}

static kn_status fill_group(tables *t, size_t group, kn_error *err)
{
    uint32_t weights[CHAPTERS], lengths[MOST_CODES], weight = 1000000;

    for (size_t sex = 0; sex < 2; sex++) {
        for (size_t c = 0; c < CHAPTERS; c++) {
            weights[c] = chapter_weight(c, sex, group);
        }
        KN_PASS(kn__alias_set(&t->chapter, sex * AGE_GROUPS + group, weights, err));
    }
    for (size_t i = 0; i < MOST_CODES; i++) {
        lengths[i] = weight;
        weight -= weight / 1000 * ends[group];
    }
    KN_PASS(kn__alias_set(&t->length, group, lengths, err));
    return fill_syndromes(t, group, err);
}

/* The frequent codes of a chapter lie in different blocks. */
static kn_status fill_codes(tables *t, kn_error *err)
{
    for (size_t row = 0; row < 4; row++) {
        uint32_t weights[IN_CHAPTER];
        for (size_t rank = 0; rank < IN_CHAPTER; rank++) {
            weights[(rank * 11 + row * 7) % IN_CHAPTER] = (uint32_t)(100000 / (1 + rank));
        }
        KN_PASS(kn__alias_set(&t->code, row, weights, err));
    }
    return KN_OK;
}

static kn_status clinic_open(void **out, kn_error *err)
{
    tables *t = kn__zalloc(sizeof *t);
    kn_status status;

    *out = NULL;
    if (!t) {
        return kn__nomem(err);
    }
    for (size_t i = 0; i < ALL_CODES; i++) {
        /* Two digits: a block has twenty numbers, and codes are not next to each other. */
        const size_t number = i % IN_CHAPTER / CODES * 20 + i % CODES * 5 / 2;
        (void)snprintf(t->text[i], sizeof t->text[i], "%c%02u", chapters[i / IN_CHAPTER].letter,
                       (unsigned)number % 100);
    }
    make_syndromes(t);
    KN_TRY(kn__people_tables_new(&t->people, err));
    KN_TRY(kn__alias_init(&t->chapter, (size_t)2 * AGE_GROUPS, CHAPTERS, err));
    KN_TRY(kn__alias_init(&t->code, 4, IN_CHAPTER, err));
    KN_TRY(kn__alias_init(&t->length, AGE_GROUPS, MOST_CODES, err));
    KN_TRY(kn__alias_init(&t->syndrome, AGE_GROUPS, SYNDROMES, err));
    KN_TRY(fill_codes(t, err));
    for (size_t group = 0; group < AGE_GROUPS; group++) {
        KN_TRY(fill_group(t, group, err));
    }
done:
    if (status != KN_OK) {
        clinic_close(t);
        return status;
    }
    *out = t;
    return KN_OK;
}

typedef struct patient {
    uint32_t age, sex, place, marital, education;
    uint32_t codes[MOST_CODES];
    size_t count;
} patient;

static void add_code(patient *p, uint32_t code)
{
    for (size_t i = 0; i < p->count; i++) {
        if (p->codes[i] == code) {
            return;
        }
    }
    p->codes[p->count++] = code;
}

static void draw_codes(const tables *t, kn_rng *r, uint32_t body, patient *p)
{
    const uint32_t group = group_of(p->age);
    const size_t wanted = 1 + kn__alias_pick(&t->length, group, r);
    const bool ill = kn__rng_below(r, 1000) < with_syndrome[group];
    const uint32_t syndrome = kn__alias_pick(&t->syndrome, group, r);

    p->count = 0;
    for (size_t i = 0; i < wanted; i++) {
        const uint64_t x = kn__rng_below(r, 5 * IN_SYNDROME);
        if (ill && x % 5 < 3) {
            add_code(p, t->codes[syndrome][x / 5]);
        } else {
            const uint32_t chapter = kn__alias_pick(&t->chapter, body * AGE_GROUPS + group, r);
            add_code(p, chapter * IN_CHAPTER + kn__alias_pick(&t->code, chapter % 4, r));
        }
    }
}

static void draw(const tables *t, kn_rng *r, patient *p)
{
    const kn_people_tables *people = t->people;
    const uint32_t first = kn__alias_pick(&people->age, 0, r);
    const uint32_t second = kn__alias_pick(&people->age, 0, r);
    const uint64_t why = kn__rng_below(r, 36);
    uint32_t body;

    /* Patients are older than people; but anyone may fall ill, and many are born there. */
    p->age = why < 10 || first > second ? first : second;
    if (why == 0) {
        p->age = 0;
    }
    p->sex = kn__alias_pick(&people->sex, p->age, r);
    body = p->sex == KN_PEOPLE_OTHER ? (uint32_t)(kn__rng_next(r) >> 63) : p->sex;
    p->place = kn__alias_pick(&people->place, 0, r);
    p->marital = kn__alias_pick(&people->marital, body * KN_PEOPLE_AGES + p->age, r);
    p->education = kn__alias_pick(&people->education, p->age, r);
    draw_codes(t, r, body, p);
}

static char *put_word(char *out, const kn_people_word *w)
{
    memcpy(out, w->text, w->len);
    return out + w->len;
}

static size_t clinic_fill(const void *user, uint64_t seed, uint64_t first, size_t count, char *out)
{
    const tables *t = user;
    const kn_ids ids = kn__ids_start(seed);
    char *end = out;
    kn_rng r;

    kn__rng_seed(&r, seed, first / KN_SAMPLE_BLOCK);
    for (size_t i = 0; i < count; i++) {
        const char *line = end;
        patient p;
        draw(t, &r, &p);
        end = kn__put_id(end, first + i, &ids);
        *end++ = ',';
        end = kn__put_number(end, p.age);
        *end++ = ',';
        end = put_word(end, &t->people->sex_word[p.sex]);
        *end++ = ',';
        memcpy(end, t->people->places[p.place].code, sizeof t->people->places->code);
        end += sizeof t->people->places->code;
        *end++ = ',';
        end = put_word(end, &t->people->marital_word[p.marital]);
        *end++ = ',';
        end = put_word(end, &t->people->education_word[p.education]);
        for (size_t j = 0; j < p.count; j++) {
            *end++ = j ? '|' : ',';
            memcpy(end, t->text[p.codes[j]], CODE_LEN);
            end += CODE_LEN;
        }
        *end++ = '\n';
        assert(end - line <= MOST_BYTES);
        (void)line;
    }
    return (size_t)(end - out);
}

static void postcode_rows(const void *user, kn_buffer *out)
{
    kn__people_postcode_rows(((const tables *)user)->people, out);
}

static void code_rows(const void *user, kn_buffer *out)
{
    const tables *t = user;

    for (size_t i = 0; i < ALL_CODES; i++) {
        const char letter = chapters[i / IN_CHAPTER].letter;
        const unsigned block = (unsigned)(i % IN_CHAPTER / CODES * 20);
        kn__buffer_addf(out, "%s;%c%02u-%c%02u;%c;*\n", t->text[i], letter, block, letter,
                        block + 19, letter);
    }
}

static const kn_sample_column columns[] = {
    {"patient", KN_TYPE_CATEGORY, KN_ROLE_IDENTIFIER, NULL},
    {"age", KN_TYPE_INTEGER, KN_ROLE_QUASI, kn__people_age_rows},
    {"sex", KN_TYPE_CATEGORY, KN_ROLE_QUASI, kn__people_sex_rows},
    {"postcode", KN_TYPE_CATEGORY, KN_ROLE_QUASI, postcode_rows},
    {"marital", KN_TYPE_CATEGORY, KN_ROLE_QUASI, kn__people_marital_rows},
    {"education", KN_TYPE_CATEGORY, KN_ROLE_QUASI, kn__people_education_rows},
    {"diagnoses", KN_TYPE_SET, KN_ROLE_QUASI, code_rows},
};

const kn_sample kn__sample_clinic = {
    .name = "clinic",
    .columns = columns,
    .columns_count = sizeof columns / sizeof *columns,
    .most_records = UINT64_C(1) << KN_ID_BITS,
    .most_bytes = MOST_BYTES,
    .open = clinic_open,
    .close = clinic_close,
    .fill = clinic_fill,
};
