/* clinic_trees.c - the sample "clinic-trees": patients, the hospitals they were in, what was found
 * there, and how it was treated, as tree records.
 *
 * 25 hospitals in 5 towns, 125 diagnoses in 25 groups of 5 chapters, 125 treatments likewise. A
 * patient goes to one or two hospitals, mostly of one town, suffers mostly from one chapter, and
 * each diagnosis has treatments that are usual for its group. On every level a few values are
 * common. Whole numbers only: a seed gives the same bytes everywhere. */
#include "base/error.h"
#include "base/memory.h"
#include "sample/alias.h"
#include "sample/sample.h"
#include "sample/text.h"

#include <stdio.h>
#include <string.h>

enum {
    SIDE = 5, /* children of every node of the hierarchies */
    HOSPITALS = SIDE * SIDE,
    GROUPS = SIDE * SIDE,
    CODES = SIDE * SIDE * SIDE,
    NAME = 24,
    MOST_VISITS = 2,
    MOST_FINDINGS = 3,
    MOST_TREATMENTS = 2,
    MOST_BYTES = MOST_VISITS * (1 + MOST_FINDINGS * (1 + MOST_TREATMENTS)) * NAME + 8
};

static const char *const towns[SIDE] = {"Athens", "Bergen", "Cracow", "Dublin", "Evora"};
static const char *const chapters[SIDE] = {"Lung", "Heart", "Stomach", "Nerves", "Bones"};
static const char *const kinds[SIDE] = {"Antibiotic", "Painkiller", "Surgery", "Therapy", "Diet"};

typedef struct tables {
    kn_alias few; /* one of five, the first most */
    char hospital[HOSPITALS][NAME], diagnosis[CODES][NAME], treatment[CODES][NAME];
} tables;

static void close_tables(void *user)
{
    tables *t = user;

    kn__alias_clear(&t->few);
    kn__free(t);
}

static kn_status open_tables(void **out, kn_error *err)
{
    static const uint32_t weights[SIDE] = {60, 30, 20, 15, 12};
    tables *t = kn__zalloc(sizeof *t);
    kn_status status;

    *out = NULL;
    KN_PASS(t ? KN_OK : kn__nomem(err));
    for (size_t i = 0; i < HOSPITALS; i++) {
        (void)snprintf(t->hospital[i], NAME, "%s_%zu", towns[i / SIDE], i % SIDE + 1);
    }
    for (size_t i = 0; i < CODES; i++) {
        (void)snprintf(t->diagnosis[i], NAME, "%s_%zu.%zu", chapters[i / GROUPS],
                       i / SIDE % SIDE + 1, i % SIDE + 1);
        (void)snprintf(t->treatment[i], NAME, "%s_%zu.%zu", kinds[i / GROUPS], i / SIDE % SIDE + 1,
                       i % SIDE + 1);
    }
    status = kn__alias_one(&t->few, weights, SIDE, err);
    if (status != KN_OK) {
        close_tables(t);
        return status;
    }
    *out = t;
    return KN_OK;
}

static uint32_t few(const tables *t, kn_rng *r)
{
    return kn__alias_pick(&t->few, 0, r);
}

static bool is_among(const uint32_t *taken, size_t count, uint32_t value)
{
    for (size_t i = 0; i < count; i++) {
        if (taken[i] == value) {
            return true;
        }
    }
    return false;
}

/* What is usual for a diagnosis: two kinds that follow from its group. */
static char *put_treatments(char *p, const tables *t, kn_rng *r, uint32_t diagnosis)
{
    const uint64_t wanted = kn__rng_below(r, MOST_TREATMENTS + 1);
    uint32_t taken[MOST_TREATMENTS];
    size_t count = 0;

    for (uint64_t i = 0; i < wanted; i++) {
        const uint32_t kind = (diagnosis / SIDE * 7 + (uint32_t)kn__rng_below(r, 2) * 3) % SIDE;
        const uint32_t code = (kind * SIDE + few(t, r)) * SIDE + few(t, r);
        if (!is_among(taken, count, code)) {
            *p++ = count ? ' ' : '(';
            p = kn__put_text(p, t->treatment[code]);
            taken[count++] = code;
        }
    }
    if (count) {
        *p++ = ')';
    }
    return p;
}

static char *put_findings(char *p, const tables *t, kn_rng *r, uint32_t chapter)
{
    const uint64_t wanted = 1 + kn__rng_below(r, MOST_FINDINGS);
    uint32_t taken[MOST_FINDINGS];
    size_t count = 0;

    for (uint64_t i = 0; i < wanted; i++) {
        const uint32_t own = kn__rng_below(r, 4) ? chapter : few(t, r);
        const uint32_t code = (own * SIDE + few(t, r)) * SIDE + few(t, r);
        if (!is_among(taken, count, code)) {
            *p++ = count ? ' ' : '(';
            p = kn__put_text(p, t->diagnosis[code]);
            p = put_treatments(p, t, r, code);
            taken[count++] = code;
        }
    }
    *p++ = ')';
    return p;
}

static size_t fill(const void *user, uint64_t seed, uint64_t first, size_t count, char *out)
{
    const tables *t = user;
    char *p = out;
    kn_rng r;

    kn__rng_seed(&r, seed, first / KN_SAMPLE_BLOCK);
    for (size_t i = 0; i < count; i++) {
        const uint64_t visits = 1 + kn__rng_below(&r, MOST_VISITS);
        const uint32_t town = few(t, &r), chapter = few(t, &r);
        uint32_t taken[MOST_VISITS];
        size_t been = 0;
        for (uint64_t v = 0; v < visits; v++) {
            const uint32_t own = kn__rng_below(&r, 5) ? town : few(t, &r);
            const uint32_t hospital = own * SIDE + few(t, &r);
            if (!is_among(taken, been, hospital)) {
                if (been) {
                    *p++ = ' ';
                }
                p = kn__put_text(p, t->hospital[hospital]);
                p = put_findings(p, t, &r, chapter);
                taken[been++] = hospital;
            }
        }
        *p++ = '\n';
    }
    return (size_t)(p - out);
}

static void hospital_rows(const void *user, kn_buffer *out)
{
    const tables *t = user;

    for (size_t i = 0; i < HOSPITALS; i++) {
        kn__buffer_addf(out, "%s;%s;*\n", t->hospital[i], towns[i / SIDE]);
    }
}

static void diagnosis_rows(const void *user, kn_buffer *out)
{
    const tables *t = user;

    for (size_t i = 0; i < CODES; i++) {
        kn__buffer_addf(out, "%s;%s_%zu;%s;*\n", t->diagnosis[i], chapters[i / GROUPS],
                        i / SIDE % SIDE + 1, chapters[i / GROUPS]);
    }
}

static void treatment_rows(const void *user, kn_buffer *out)
{
    const tables *t = user;

    for (size_t i = 0; i < CODES; i++) {
        kn__buffer_addf(out, "%s;%s_%zu;%s;*\n", t->treatment[i], kinds[i / GROUPS],
                        i / SIDE % SIDE + 1, kinds[i / GROUPS]);
    }
}

static const kn_sample_column columns[] = {
    {.name = "hospital", .type = KN_TYPE_SET, .role = KN_ROLE_QUASI, .hierarchy = hospital_rows},
    {.name = "diagnosis", .type = KN_TYPE_SET, .role = KN_ROLE_QUASI, .hierarchy = diagnosis_rows},
    {.name = "treatment", .type = KN_TYPE_SET, .role = KN_ROLE_QUASI, .hierarchy = treatment_rows}};

const kn_sample kn__sample_clinic_trees = {.name = "clinic-trees",
                                           .trees = true,
                                           .columns = columns,
                                           .columns_count = sizeof columns / sizeof *columns,
                                           .most_records = UINT64_MAX,
                                           .most_bytes = MOST_BYTES,
                                           .open = open_tables,
                                           .close = close_tables,
                                           .fill = fill};
