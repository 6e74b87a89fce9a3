/* Hierarchies in which groups are named like values, or like other groups: a published name is read
 * as the largest group above the value that has it. flash minimises what is read so, and local does
 * not lose more than mondrian in what is read so. */
#include "base/buffer.h"
#include "base/memory.h"
#include "base/rng.h"
#include "data/dataset.h"
#include "hierarchy/hierarchy.h"
#include "kanon/anonymize.h"
#include "kanon/measure.h"
#include "rounds.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <string.h>

#include <cmocka.h>

#include "methods/method_params.h"

#define CASES test_rounds(1500)
enum { VALUES = 5, LEVELS = 4, RECORDS = 14 };

/* The first VALUES are values; all of them may be names of groups. */
static const char *const names[] = {"a", "b", "c", "d", "e", "f", "*"};

typedef struct subject {
    int levels;
    int name[LEVELS][VALUES]; /* what a value is called on a level */
    int value[RECORDS];
    kn_dataset *ds;
    kn_hierarchies *hs;
    kn_guarantee k;
} subject;

/* Column q is named by `name` on `level`; column s is the same in all tables. */
static kn_dataset *table_of(const subject *s, int level)
{
    static const char *const columns[] = {"q", "s"};
    kn_schema *schema;
    kn_dataset_builder *b;
    kn_dataset *ds;

    assert_int_equal(kn_schema_new(&schema, NULL), KN_OK);
    assert_int_equal(kn_schema_set_role(schema, "q", KN_ROLE_QUASI, NULL), KN_OK);
    assert_int_equal(kn_schema_set_role(schema, "s", KN_ROLE_SENSITIVE, NULL), KN_OK);
    assert_int_equal(kn_dataset_builder_new(&b, columns, 2, schema, NULL), KN_OK);
    for (int i = 0; i < RECORDS; i++) {
        const char *row[2] = {names[s->name[level][s->value[i]]], "x"};
        assert_int_equal(kn_dataset_builder_add(b, row, NULL), KN_OK);
    }
    assert_int_equal(kn_dataset_builder_finish(&ds, b, NULL), KN_OK);
    kn_schema_free(schema);
    return ds;
}

/* False: the names make no hierarchy. */
static bool subject_init(subject *s, uint64_t seed)
{
    kn_buffer text = {0};
    kn_hierarchy *h = NULL;
    kn_rng r;

    kn__rng_seed(&r, seed, 3);
    *s = (subject){.levels = 2 + (int)kn__rng_below(&r, LEVELS - 1)};
    for (int i = 0; i < RECORDS; i++) {
        s->value[i] = (int)kn__rng_below(&r, VALUES);
    }
    for (int v = 0; v < VALUES; v++) {
        s->name[0][v] = v;
    }
    for (int l = 1; l < s->levels; l++) {
        int up[7];
        for (int i = 0; i < 7; i++) {
            up[i] = l == s->levels - 1 ? 6 : (int)kn__rng_below(&r, 6);
        }
        for (int v = 0; v < VALUES; v++) {
            s->name[l][v] = up[s->name[l - 1][v]];
        }
    }
    for (int v = 0; v < VALUES; v++) {
        for (int l = 0; l < s->levels; l++) {
            kn__buffer_adds(&text, names[s->name[l][v]]);
            kn__buffer_addc(&text, l + 1 < s->levels ? ';' : '\n');
        }
    }
    if (kn__hierarchy_parse(&h, "q", text.data, text.len, NULL) == KN_OK) {
        assert_int_equal(kn_hierarchies_new(&s->hs, NULL), KN_OK);
        assert_int_equal(kn_hierarchies_add(s->hs, "q", h, NULL), KN_OK);
        s->ds = table_of(s, 0);
        s->k = (kn_guarantee){.kind = KN_K_ANONYMITY, .k = 1 + kn__rng_below(&r, 3)};
    }
    kn__buffer_free(&text);
    return h != NULL;
}

static void subject_clear(subject *s)
{
    kn_hierarchies_free(s->hs);
    kn_dataset_free(s->ds);
}

static double measured(const subject *s, const kn_dataset *release, const char *what)
{
    kn_measures *m = NULL;
    kn_error err = {0};
    double value;

    if (kn_measure(&m, s->ds, release, NULL, s->hs, NULL, &err) != KN_OK) {
        fail_msg("%s", err.message);
    }
    value = kn_measures_value(m, what, NULL);
    kn_measures_free(m);
    return strcmp(what, "precision") == 0 ? 1 - value : value;
}

/* What a method publishes of the subject loses. */
static double lost_by(const subject *s, const char *method, const char *objective)
{
    const kn_anonymize_options options = {
        .guarantees = &s->k,
        .guarantees_count = 1,
        .method = method,
        .params = strcmp(method, "flash") == 0 ? METHOD_PARAMS("flash", "objective=%s", objective)
                                               : NULL};
    kn_release *release = NULL;
    kn_error err = {0};
    double lost;

    if (kn_anonymize(&release, s->ds, s->hs, &options, NULL, &err) != KN_OK) {
        fail_msg("%s: %s", method, err.message);
    }
    assert_int_equal(kn_dataset_records(kn_release_data(release)), RECORDS);
    lost = measured(s, kn_release_data(release), objective);
    kn_release_free(release);
    return lost;
}

/* The least that a level loses on which every group, as its members are, has k records. */
static double least_of_levels(const subject *s, const char *what)
{
    double least = INFINITY;

    for (int l = 0; l < s->levels; l++) {
        kn_dataset *published = table_of(s, l);
        bool holds = true;
        for (int i = 0; i < RECORDS; i++) {
            size_t alike = 0;
            for (int j = 0; j < RECORDS; j++) {
                alike += s->name[l][s->value[i]] == s->name[l][s->value[j]];
            }
            holds = holds && alike >= s->k.k;
        }
        if (holds) {
            least = fmin(least, measured(s, published, what));
        }
        kn_dataset_free(published);
    }
    return least;
}

static void flash_minimises_what_is_reported(void **state)
{
    static const char *const objectives[] = {"loss", "ncp", "precision"};
    int asked = 0;

    (void)state;
    for (int seed = 0; seed < CASES; seed++) {
        const char *objective = objectives[seed % 3];
        subject s;
        if (subject_init(&s, (uint64_t)seed)) {
            const double lost = lost_by(&s, "flash", objective);
            const double least = least_of_levels(&s, objective);
            if (fabs(lost - least) > 1e-9) {
                fail_msg("seed %d, %s: %g, a level loses %g", seed, objective, lost, least);
            }
            asked++;
            subject_clear(&s);
        }
    }
    assert_true(asked > CASES / 2);
}

static void local_loses_no_more_than_mondrian(void **state)
{
    (void)state;
    for (int seed = 0; seed < CASES; seed++) {
        subject s;
        if (subject_init(&s, (uint64_t)seed)) {
            const double local = lost_by(&s, "local", "loss");
            const double mondrian = lost_by(&s, "mondrian", "loss");
            if (local > mondrian + 1e-9) {
                fail_msg("seed %d: local loses %g, mondrian %g", seed, local, mondrian);
            }
            subject_clear(&s);
        }
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(flash_minimises_what_is_reported),
        cmocka_unit_test(local_loses_no_more_than_mondrian),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
