/* Measures: the examples of docs/measures.md by hand, and thousands of random releases against the
 * oracle. */
#include "base/memory.h"
#include "hierarchy/hierarchy.h"
#include "kanon/measure.h"
#include "oracle/utility.h"
#include "utility/utility.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>

#include <cmocka.h>

enum { MOST_COLUMNS = 6 };

/* Roles as letters: q quasi-identifier, s sensitive, k kept, i identifier. Rows of cells separated
 * by ';' (then a hierarchy's own notation fits into cells). */
static kn_dataset *table(const char *names, const char *roles, const char *const *rows)
{
    char copy[256], *name[MOST_COLUMNS], *cell[MOST_COLUMNS];
    const size_t columns = strlen(roles);
    kn_dataset_builder *b;
    kn_schema *schema;
    kn_dataset *ds;
    char *save;

    strcpy(copy, names);
    for (size_t c = 0; c < columns; c++) {
        name[c] = strtok_r(c ? NULL : copy, ";", &save);
    }
    assert_int_equal(kn_schema_new(&schema, NULL), KN_OK);
    for (size_t c = 0; c < columns; c++) {
        const kn_role role = roles[c] == 'q'   ? KN_ROLE_QUASI
                             : roles[c] == 's' ? KN_ROLE_SENSITIVE
                             : roles[c] == 'i' ? KN_ROLE_IDENTIFIER
                                               : KN_ROLE_KEPT;
        assert_int_equal(kn_schema_set_role(schema, name[c], role, NULL), KN_OK);
    }
    assert_int_equal(kn_dataset_builder_new(&b, (const char *const *)name, columns, schema, NULL),
                     KN_OK);
    for (; *rows; rows++) {
        char row[256], *at = row;
        strcpy(row, *rows);
        for (size_t c = 0; c < columns; c++) {
            cell[c] = strsep(&at, ";");
        }
        assert_int_equal(kn_dataset_builder_add(b, (const char *const *)cell, NULL), KN_OK);
    }
    assert_int_equal(kn_dataset_builder_finish(&ds, b, NULL), KN_OK);
    kn_schema_free(schema);
    return ds;
}

#define ROWS(...) ((const char *const[]){__VA_ARGS__, NULL})

static kn_hierarchies *hierarchy(const char *column, const char *text)
{
    kn_hierarchies *hs;
    kn_hierarchy *h;

    assert_int_equal(kn_hierarchies_new(&hs, NULL), KN_OK);
    assert_int_equal(kn__hierarchy_parse(&h, "test", text, strlen(text), NULL), KN_OK);
    assert_int_equal(kn_hierarchies_add(hs, column, h, NULL), KN_OK);
    return hs;
}

static void near(double a, double b)
{
    if (isnan(a) != isnan(b) || fabs(a - b) > 1e-9 * (1 + fabs(b))) {
        fail_msg("%.12g is not %.12g", a, b);
    }
}

static void value_is(const kn_measures *m, const char *name, const char *column, double want)
{
    const double got = kn_measures_value(m, name, column);

    if (isnan(got) != isnan(want) || fabs(got - want) > 1e-9 * (1 + fabs(want))) {
        fail_msg("%s of %s is %.12g, not %.12g", name, column ? column : "all", got, want);
    }
}

/* ---- by hand ---- */

static kn_dataset *patients(void)
{
    return table("age;city;illness", "qqs",
                 ROWS("20;Athens;flu", "30;Patras;flu", "40;Rome;ulcer", "60;Milan;flu"));
}

static const char cities[] = "Athens;Greece;Europe;*\n"
                             "Patras;Greece;Europe;*\n"
                             "Rome;Italy;Europe;*\n"
                             "Milan;Italy;Europe;*\n"
                             "Oslo;Norway;Europe;*\n";

static void test_by_hand(void **state)
{
    kn_dataset *original = patients();
    kn_hierarchies *hs = hierarchy("city", cities);
    kn_dataset *release = table("age;city;illness", "qqs",
                                ROWS("[20,30];Greece;flu", "[20,30];Greece;flu", "40;*;ulcer"));
    kn_measures *m;
    (void)state;

    assert_int_equal(kn_measure(&m, original, release, NULL, hs, NULL, NULL), KN_OK);
    assert_int_equal(kn_measures_count(m), 10 + 4 * 2);
    value_is(m, "loss", "age", (0.25 + 0.25 + 0 + 1) / 4);
    value_is(m, "ncp", "age", (0.25 + 0.25 + 0 + 1) / 4);
    value_is(m, "loss", "city", (0.25 + 0.25 + 1 + 1) / 4);
    value_is(m, "ncp", "city", (0.4 + 0.4 + 1 + 1) / 4);
    value_is(m, "loss", NULL, (0.375 + 0.625) / 2);
    value_is(m, "ncp", NULL, (0.375 + 0.7) / 2);
    value_is(m, "discernibility", NULL, 4 + 1 + 4);
    value_is(m, "average_class_size", NULL, 1.5);
    value_is(m, "classification", NULL, 0.25);
    value_is(m, "classification_metric", NULL, 1);
    value_is(m, "entropy", "age", (1 + 1 + 0 + 2) / 8.0);
    value_is(m, "entropy", "city", (1 + 1 + 2 + 2) / 8.0);
    value_is(m, "entropy", NULL, 10 / 16.0);
    value_is(m, "precision", "age", 1 - 0.375);
    value_is(m, "precision", "city", 1 - (1 / 3.0 + 1 / 3.0 + 1 + 1) / 4);
    value_is(m, "suppressed_cells", NULL, 3 / 8.0);
    value_is(m, "suppressed_records", NULL, 0.25);
    value_is(m, "loss", "illness", NAN);
    value_is(m, "no such", NULL, NAN);
    assert_null(kn_measures_get(m, kn_measures_count(m)));
    kn_measures_free(m);
    kn_dataset_free(release);
    kn_dataset_free(original);
    kn_hierarchies_free(hs);
    kn_measures_free(NULL);
}

static void test_nothing_changed(void **state)
{
    kn_dataset *original = patients();
    kn_measures *m;
    (void)state;

    assert_int_equal(kn_measure(&m, original, original, NULL, NULL, NULL, NULL), KN_OK);
    for (size_t i = 0; i < kn_measures_count(m); i++) {
        const kn_measurement *at = kn_measures_get(m, i);
        const bool one = strcmp(at->name, "precision") == 0 ||
                         strcmp(at->name, "average_class_size") == 0;
        near(at->value, strcmp(at->name, "discernibility") == 0 ? 4 : one ? 1 : 0);
    }
    kn_measures_free(m);
    kn_dataset_free(original);
}

static void test_all_suppressed(void **state)
{
    kn_dataset *original = patients();
    kn_dataset *stars = table("age;city;illness", "qqs",
                              ROWS("*;*;flu", "*;*;flu", "*;*;ulcer", "*;*;flu"));
    kn_dataset *none = table("age;city;illness", "qqs", (const char *const[]){NULL});
    kn_dataset *const release[] = {stars, none};
    (void)state;

    for (size_t i = 0; i < 2; i++) {
        kn_measures *m;
        assert_int_equal(kn_measure(&m, original, release[i], NULL, NULL, NULL, NULL), KN_OK);
        value_is(m, "loss", NULL, 1);
        value_is(m, "ncp", NULL, 1);
        value_is(m, "entropy", NULL, 1);
        value_is(m, "precision", NULL, 0);
        value_is(m, "discernibility", NULL, 16);
        value_is(m, "classification", NULL, 1);
        value_is(m, "suppressed_cells", NULL, 1);
        value_is(m, "suppressed_records", NULL, 1);
        value_is(m, "average_class_size", NULL, i == 0 ? 4 : NAN);
        kn_measures_free(m);
    }
    kn_dataset_free(stars);
    kn_dataset_free(none);
    kn_dataset_free(original);
}

static void test_empty(void **state)
{
    kn_dataset *none = table("age;city;illness", "qqs", (const char *const[]){NULL});
    kn_measures *m;
    (void)state;

    assert_int_equal(kn_measure(&m, none, none, NULL, NULL, NULL, NULL), KN_OK);
    value_is(m, "loss", NULL, NAN);
    value_is(m, "entropy", NULL, NAN);
    value_is(m, "discernibility", NULL, 0);
    value_is(m, "suppressed_records", NULL, NAN);
    kn_measures_free(m);
    kn_dataset_free(none);
}

/* "north" stands on two levels; the record says which is meant, and without it the larger counts.
 */
static void test_ambiguous_label(void **state)
{
    kn_dataset *original = table("place", "q", ROWS("a", "b", "c", "d"));
    kn_dataset *release = table("place", "q", ROWS("north", "north", "north", "d"));
    kn_dataset *mixed = table("place", "q", ROWS("d", "north", "north", "north"));
    kn_hierarchies *hs = hierarchy("place", "a;north;north;*\nb;north;north;*\n"
                                            "c;mid;north;*\nd;mid2;south;*\n");
    kn_measures *m;
    (void)state;

    assert_int_equal(kn_measure(&m, original, release, NULL, hs, NULL, NULL), KN_OK);
    value_is(m, "loss", NULL, (2 / 3.0 * 3) / 4);
    value_is(m, "precision", NULL, 1 - (2 / 3.0 * 3) / 4);
    kn_measures_free(m);
    assert_int_equal(kn_measure(&m, original, mixed, NULL, hs, NULL, NULL), KN_OK);
    value_is(m, "loss", NULL, (2 / 3.0 * 3) / 4);
    value_is(m, "entropy", NULL, NAN);
    kn_measures_free(m);
    kn_hierarchies_free(hs);

    /* Here x is both a leaf of one branch and the name of another: a leaf where the record is that
     * leaf. */
    hs = hierarchy("place", "a;x;*\nb;x;*\nc;x;*\nd;y;*\nx;y;*\n");
    kn_dataset_free(original);
    kn_dataset_free(release);
    original = table("place", "q", ROWS("a", "x", "d"));
    release = table("place", "q", ROWS("x", "x", "d"));
    assert_int_equal(kn_measure(&m, original, release, NULL, hs, NULL, NULL), KN_OK);
    value_is(m, "loss", NULL, (0.5 + 0 + 0) / 3);
    kn_measures_free(m);
    kn_dataset_free(original);
    kn_dataset_free(release);
    kn_dataset_free(mixed);
    kn_hierarchies_free(hs);
}

static void test_missing_values(void **state)
{
    kn_dataset *original = table("age;city", "qq", ROWS("20;Athens", ";Rome", "40;", "60;Rome"));
    kn_dataset *release = table("age;city", "qq", ROWS("[20,40];Athens", ";Rome", "*;", "60;*"));
    kn_dataset *wrong = table("age;city", "qq", ROWS(";Athens", ";Rome", "40;", "60;Rome"));
    kn_measures *m;
    kn_error err;
    (void)state;

    assert_int_equal(kn_measure(&m, original, release, NULL, NULL, NULL, NULL), KN_OK);
    value_is(m, "loss", "age", (0.5 + 0 + 1 + 0) / 4);
    value_is(m, "loss", "city", 0.25);
    value_is(m, "entropy", "age", (1 + 0 + 2 + 0) / 8.0);
    kn_measures_free(m);
    assert_int_equal(kn_measure(&m, original, wrong, (const uint32_t[]){0, 1, 2, 3}, NULL, NULL,
                                &err),
                     KN_EINPUT);
    assert_non_null(strstr(err.message, "'age'"));
    assert_non_null(strstr(err.message, "record 1 of the release"));
    kn_dataset_free(original);
    kn_dataset_free(release);
    kn_dataset_free(wrong);
}

/* The two files may write their missing values differently. */
static void test_missing_texts(void **state)
{
    kn_dataset *original = table("age;note", "qk", ROWS("20;a", ";b", "40;"));
    kn_dataset *release;
    kn_dataset_builder *b;
    kn_schema *schema;
    kn_measures *m;
    kn_risk risk;
    static const char *const rows[][2] = {{"[20,40]", "a"}, {"?", "b"}, {"40", "?"}};
    (void)state;

    assert_int_equal(kn_schema_new(&schema, NULL), KN_OK);
    assert_int_equal(kn_schema_set_missing(schema, NULL, (const char *const[]){"?"}, 1, NULL),
                     KN_OK);
    assert_int_equal(
        kn_dataset_builder_new(&b, (const char *const[]){"age", "note"}, 2, schema, NULL), KN_OK);
    for (size_t i = 0; i < 3; i++) {
        assert_int_equal(kn_dataset_builder_add(b, rows[i], NULL), KN_OK);
    }
    assert_int_equal(kn_dataset_builder_finish(&release, b, NULL), KN_OK);
    assert_int_equal(kn_measure(&m, original, release, NULL, NULL, NULL, NULL), KN_OK);
    value_is(m, "loss", NULL, 1 / 3.0);
    value_is(m, "entropy", NULL, 1 / (3 * log2(3)));
    kn_measures_free(m);

    kn_dataset_set_role(release, 0, KN_ROLE_QUASI, NULL);
    assert_int_equal(kn_risk_measure(&risk, release, original, 0.5, NULL, NULL), KN_OK);
    near(risk.journalist_mean, 1);
    kn_dataset_free(original);
    original = table("age;note", "qk", ROWS(";b", ";b", ";a", ";a"));
    assert_int_equal(kn_risk_measure(&risk, release, original, 0.5, NULL, NULL), KN_OK);
    near(risk.journalist_mean, (1 + 1 + 0.25) / 3);
    kn_schema_free(schema);
    kn_dataset_free(original);
    kn_dataset_free(release);
}

static void test_weights(void **state)
{
    kn_dataset *original = patients();
    kn_dataset *release = table("age;city;illness", "qqs",
                                ROWS("*;Athens;flu", "*;Patras;flu", "*;Rome;ulcer",
                                     "*;Milan;flu"));
    kn_measures *m;
    (void)state;

    original->column[0].weight = 3;
    assert_int_equal(kn_measure(&m, original, release, NULL, NULL, NULL, NULL), KN_OK);
    value_is(m, "loss", NULL, 0.75);
    value_is(m, "ncp", NULL, 0.75);
    value_is(m, "precision", NULL, 0.5);
    kn_measures_free(m);
    original->column[0].weight = original->column[1].weight = 0;
    assert_int_equal(kn_measure(&m, original, release, NULL, NULL, NULL, NULL), KN_OK);
    value_is(m, "loss", NULL, 0.5);
    kn_measures_free(m);
    kn_dataset_free(original);
    kn_dataset_free(release);
}

static void refused(const kn_dataset *original, const kn_dataset *release, const uint32_t *origin,
                    kn_status want, const char *word)
{
    kn_measures *m;
    kn_error err;

    assert_int_equal(kn_measure(&m, original, release, origin, NULL, NULL, &err), want);
    assert_null(m);
    if (!strstr(err.message, word)) {
        fail_msg("'%s' lacks '%s'", err.message, word);
    }
    assert_int_equal(kn_measure(&m, original, release, origin, NULL, NULL, NULL), want);
}

static void test_refusals(void **state)
{
    kn_dataset *original = patients();
    kn_dataset *plain = table("age;city;illness", "kks", ROWS("20;Athens;flu"));
    kn_dataset *narrow = table("age;illness", "qs", ROWS("20;flu"));
    kn_dataset *odd = table("age;city;illness", "qqs", ROWS("20;Athens;flu", "30;Sparta;flu"));
    kn_dataset *wrong = table("age;city;illness", "qqs", ROWS("20;Athens;flu", "[40,60];Rome;flu"));
    (void)state;

    refused(plain, plain, NULL, KN_EUSAGE, "no quasi-identifier");
    refused(original, narrow, NULL, KN_EINPUT, "'city'");
    refused(original, odd, NULL, KN_EINPUT, "release: record 2: column");
    refused(narrow, original, NULL, KN_EINPUT, "right order");
    refused(original, wrong, (const uint32_t[]){0, 1}, KN_EINPUT, "record 2 of the release");
    refused(original, wrong, (const uint32_t[]){0, 4}, KN_EUSAGE, "record 5");
    refused(original, wrong, (const uint32_t[]){2, 2}, KN_EUSAGE, "twice");
    kn_dataset_free(original);
    kn_dataset_free(plain);
    kn_dataset_free(narrow);
    kn_dataset_free(odd);
    kn_dataset_free(wrong);
}

static int cancel(void *user, const char *phase, double done)
{
    (void)phase;
    (void)done;
    return --*(int *)user < 0;
}

static void test_cancel(void **state)
{
    kn_dataset *original = patients();
    const size_t before = kn_memory_in_use();
    (void)state;

    for (int after = 0;; after++) {
        int left = after;
        const kn_run run = {.progress = cancel, .user = &left};
        kn_measures *m;
        const kn_status status = kn_measure(&m, original, original, NULL, NULL, &run, NULL);
        if (status == KN_OK) {
            assert_true(after > 1);
            kn_measures_free(m);
            break;
        }
        assert_int_equal(status, KN_ECANCELLED);
        assert_null(m);
        assert_int_equal(kn_memory_in_use(), before);
    }
    kn_dataset_free(original);
}

/* ---- against the oracle ---- */

static kn_dataset *to_dataset(const oracle_table *t, bool release, const unsigned *order)
{
    static const char *const names[] = {"s", "a", "b", "c", "k"};
    const char *name[ORACLE_COLUMNS + 2] = {names[0]};
    kn_dataset_builder *b;
    kn_schema *schema;
    kn_dataset *ds;

    assert_int_equal(kn_schema_new(&schema, NULL), KN_OK);
    assert_int_equal(kn_schema_set_role(schema, "s", KN_ROLE_SENSITIVE, NULL), KN_OK);
    for (unsigned c = 0; c < t->columns; c++) {
        name[c + 1] = names[c + 1];
        assert_int_equal(kn_schema_set_role(schema, name[c + 1], KN_ROLE_QUASI, NULL), KN_OK);
        assert_int_equal(kn_schema_set_weight(schema, name[c + 1], t->column[c].weight, NULL),
                         KN_OK);
    }
    name[t->columns + 1] = names[4];
    assert_int_equal(kn_dataset_builder_new(&b, name, t->columns + 2, schema, NULL), KN_OK);
    for (unsigned i = 0; i < (release ? t->published : t->records); i++) {
        const unsigned from = release ? t->origin[order[i]] : i;
        char text[ORACLE_COLUMNS + 2][ORACLE_TEXT];
        const char *cell[ORACLE_COLUMNS + 2];
        (void)snprintf(text[0], ORACLE_TEXT, "s%u", t->sensitive[from]);
        (void)snprintf(text[t->columns + 1], ORACLE_TEXT, "%u", t->kept[from]);
        for (unsigned c = 0; c < t->columns; c++) {
            const bool number = t->column[c].kind == ORACLE_NUMBER;
            if (release) {
                strcpy(text[c + 1], t->cell[order[i]][c].text);
            } else if (number) {
                (void)snprintf(text[c + 1], ORACLE_TEXT, "%d", oracle_number(t->value[i][c]));
            } else {
                (void)snprintf(text[c + 1], ORACLE_TEXT, "v%u", t->value[i][c]);
            }
        }
        for (unsigned c = 0; c < t->columns + 2; c++) {
            cell[c] = text[c];
        }
        assert_int_equal(kn_dataset_builder_add(b, cell, NULL), KN_OK);
    }
    assert_int_equal(kn_dataset_builder_finish(&ds, b, NULL), KN_OK);
    kn_schema_free(schema);
    return ds;
}

static kn_hierarchies *to_hierarchies(const oracle_table *t)
{
    static const char *const names[] = {"a", "b", "c"};
    kn_hierarchies *hs;

    assert_int_equal(kn_hierarchies_new(&hs, NULL), KN_OK);
    for (unsigned c = 0; c < t->columns; c++) {
        const oracle_column *column = &t->column[c];
        kn_buffer text = {0};
        kn_hierarchy *h;
        kn_error err;
        if (column->kind != ORACLE_TREE) {
            continue;
        }
        for (unsigned u = 0; u < column->leaves; u++) {
            for (unsigned i = 0; i < column->height[u]; i++) {
                kn__buffer_addf(&text, "%s%s", i ? ";" : "", column->row[u][i]);
            }
            kn__buffer_addc(&text, '\n');
        }
        if (kn__hierarchy_parse(&h, "test", text.data, text.len, &err) != KN_OK) {
            fail_msg("%s\n%s", err.message, text.data);
        }
        assert_int_equal(kn_hierarchies_add(hs, names[c], h, NULL), KN_OK);
        kn__buffer_free(&text);
    }
    return hs;
}

static bool ambiguous(const oracle_table *t)
{
    for (unsigned c = 0; c < t->columns; c++) {
        const oracle_column *column = &t->column[c];
        for (unsigned u = 0; column->kind == ORACLE_TREE && u < column->leaves; u++) {
            for (unsigned i = 1; i + 1 < column->height[u]; i++) {
                if (strchr(column->row[u][i], '_') == NULL) {
                    return true;
                }
            }
        }
    }
    return false;
}

static void same_as_oracle(const kn_measures *m, const oracle_table *t, const oracle_result *want)
{
    static const char *const names[] = {"a", "b", "c"};

    value_is(m, "ncp", NULL, want->ncp);
    value_is(m, "loss", NULL, want->loss);
    value_is(m, "discernibility", NULL, want->discernibility);
    value_is(m, "average_class_size", NULL, want->average_class_size);
    value_is(m, "classification", NULL, want->classification);
    value_is(m, "classification_metric", NULL, want->classification * t->records);
    value_is(m, "entropy", NULL, want->entropy);
    value_is(m, "precision", NULL, want->precision);
    value_is(m, "suppressed_cells", NULL, want->suppressed_cells);
    value_is(m, "suppressed_records", NULL, want->suppressed_records);
    for (unsigned c = 0; c < t->columns; c++) {
        value_is(m, "ncp", names[c], want->column_ncp[c]);
        value_is(m, "loss", names[c], want->column_loss[c]);
        value_is(m, "entropy", names[c], want->column_entropy[c]);
        value_is(m, "precision", names[c], want->column_precision[c]);
    }
}

static void same_measures(const kn_measures *a, const kn_measures *b)
{
    assert_int_equal(kn_measures_count(a), kn_measures_count(b));
    for (size_t i = 0; i < kn_measures_count(a); i++) {
        const kn_measurement *x = kn_measures_get(a, i), *y = kn_measures_get(b, i);
        assert_string_equal(x->name, y->name);
        assert_memory_equal(&x->value, &y->value, sizeof x->value);
    }
}

static void random_release(uint64_t seed, size_t *matched, size_t *unmatched)
{
    oracle_table t, shuffled;
    oracle_result want;
    unsigned order[ORACLE_RECORDS], found[ORACLE_RECORDS];
    unsigned label[ORACLE_RECORDS], kept[ORACLE_RECORDS];
    uint32_t origin[ORACLE_RECORDS];
    kn_rng r;

    kn__rng_seed(&r, seed, 7);
    oracle_random(&t, &r);
    for (unsigned i = 0; i < t.published; i++) {
        order[i] = i;
    }
    const unsigned swaps = kn__rng_below(&r, 2) ? t.published : 0;
    for (unsigned i = 0; i < swaps; i++) {
        const unsigned j = (unsigned)kn__rng_below(&r, t.published), k = order[i];
        order[i] = order[j];
        order[j] = k;
    }
    shuffled = t;
    for (unsigned i = 0; i < t.published; i++) {
        memcpy(shuffled.cell[i], t.cell[order[i]], sizeof t.cell[i]);
        shuffled.origin[i] = t.origin[order[i]];
        origin[i] = shuffled.origin[i];
        label[i] = t.sensitive[origin[i]];
        kept[i] = t.kept[origin[i]];
    }

    kn_dataset *original = to_dataset(&t, false, NULL);
    kn_dataset *release = to_dataset(&t, true, order);
    kn_hierarchies *hs = to_hierarchies(&t);
    const kn_run one = {.threads = 1};
    kn_measures *m, *again;
    kn_error err;

    if (kn_measure(&m, original, release, origin, hs, &one, &err) != KN_OK) {
        fail_msg("seed %zu: %s", (size_t)seed, err.message);
    }
    want = oracle_measure(&shuffled, shuffled.origin, label);
    same_as_oracle(m, &t, &want);
    for (size_t i = 0; seed % 16 == 0 && i < 3; i++) {
        const kn_run run = {.threads = (const unsigned[]){1, 2, 5}[i]};
        assert_int_equal(kn_measure(&again, original, release, origin, hs, &run, NULL), KN_OK);
        same_measures(m, again);
        kn_measures_free(again);
    }
    kn_measures_free(m);

    assert_int_equal(kn_measure(&m, original, release, NULL, hs, &one, NULL), KN_OK);
    if (oracle_embed(&shuffled, label, kept, found)) {
        want = oracle_measure(&shuffled, found, label);
        same_as_oracle(m, &t, &want);
        ++*matched;
    } else if (!ambiguous(&t)) {
        want = oracle_measure(&shuffled, NULL, label);
        same_as_oracle(m, &t, &want);
        ++*unmatched;
    }
    kn_measures_free(m);
    kn_hierarchies_free(hs);
    kn_dataset_free(original);
    kn_dataset_free(release);
}

static void test_oracle(void **state)
{
    size_t matched = 0, unmatched = 0;
    (void)state;

    for (uint64_t seed = 0; seed < 4000; seed++) {
        random_release(seed, &matched, &unmatched);
    }
    assert_true(matched > 1000);
    assert_true(unmatched > 300);
}

/* More pairs than the array holds: they are counted in the hash table. */
static void test_many_values(void **state)
{
    enum { RECORDS = 6000 };
    static const char *const names[] = {"n"};
    kn_dataset_builder *b[2];
    kn_dataset *ds[2];
    kn_measures *m;
    kn_schema *schema;
    double loss = 0;
    (void)state;

    assert_int_equal(kn_schema_new(&schema, NULL), KN_OK);
    assert_int_equal(kn_schema_set_role(schema, "n", KN_ROLE_QUASI, NULL), KN_OK);
    for (int i = 0; i < 2; i++) {
        assert_int_equal(kn_dataset_builder_new(&b[i], names, 1, schema, NULL), KN_OK);
    }
    for (int i = 0; i < RECORDS; i++) {
        char text[40];
        const char *cell = text;
        const int width = i % 7 == 0 ? 0 : 1 + i % 3;
        const int low = i - width < 0 ? 0 : i - width;
        (void)snprintf(text, sizeof text, "%d", i);
        assert_int_equal(kn_dataset_builder_add(b[0], &cell, NULL), KN_OK);
        if (low < i) {
            (void)snprintf(text, sizeof text, "[%d,%d]", low, i);
        }
        assert_int_equal(kn_dataset_builder_add(b[1], &cell, NULL), KN_OK);
        loss += (i - low) / (double)(RECORDS - 1) / RECORDS;
    }
    for (int i = 0; i < 2; i++) {
        assert_int_equal(kn_dataset_builder_finish(&ds[i], b[i], NULL), KN_OK);
    }
    assert_int_equal(kn_measure(&m, ds[0], ds[1], NULL, NULL, NULL, NULL), KN_OK);
    value_is(m, "loss", NULL, loss);
    assert_false(isnan(kn_measures_value(m, "entropy", NULL)));
    kn_measures_free(m);

    kn_comparison *c;
    kn_cells *cells;
    size_t records = 0;
    assert_int_equal(kn__comparison_new(&c, ds[0], ds[1], NULL, NULL, NULL, NULL, NULL), KN_OK);
    assert_int_equal(kn__cells_new(&cells, c, 0, NULL), KN_OK);
    for (size_t i = 0; i < cells->len; i++) {
        const kn_tally *a = &cells->tally[i], *before = i ? a - 1 : NULL;
        assert_true(!before || before->to < a->to ||
                    (before->to == a->to && before->from < a->from));
        records += a->records;
    }
    assert_int_equal(records, RECORDS);
    kn__cells_free(cells);
    kn__comparison_free(c);

    const size_t before = kn_memory_in_use();
    for (size_t n = 1;; n++) {
        kn__memory_fail_after(n);
        const kn_status status = kn_measure(&m, ds[0], ds[1], NULL, NULL, NULL, NULL);
        const int failed = kn__memory_failed();
        kn__memory_fail_after(0);
        if (!failed) {
            assert_int_equal(status, KN_OK);
            kn_measures_free(m);
            break;
        }
        assert_int_equal(status, KN_ENOMEM);
        assert_null(m);
        assert_int_equal(kn_memory_in_use(), before);
    }
    kn_dataset_free(ds[0]);
    kn_dataset_free(ds[1]);
    kn_schema_free(schema);
}

static void test_allocation_failures(void **state)
{
    kn_dataset *original = patients();
    kn_hierarchies *hs = hierarchy("city", cities);
    kn_dataset *release = table("age;city;illness", "qqs",
                                ROWS("[20,30];Greece;flu", "[20,30];Greece;flu", "40;*;ulcer"));
    kn_dataset *mixed = table("age;city;illness", "qqs",
                              ROWS("40;*;ulcer", "[20,30];Greece;flu", "[20,30];Greece;flu"));
    kn_dataset *const releases[] = {release, mixed};
    const kn_run run = {.threads = 1};
    (void)state;

    for (size_t i = 0; i < 2; i++) {
        const size_t before = kn_memory_in_use();
        for (size_t n = 1;; n++) {
            kn_measures *m;
            kn_error err;
            kn__memory_fail_after(n);
            const kn_status status = kn_measure(&m, original, releases[i], NULL, hs, &run, &err);
            const int failed = kn__memory_failed();
            kn__memory_fail_after(0);
            if (!failed) {
                assert_int_equal(status, KN_OK);
                assert_true(n > 10);
                kn_measures_free(m);
                break;
            }
            assert_int_equal(status, KN_ENOMEM);
            assert_int_equal(err.status, KN_ENOMEM);
            assert_null(m);
            assert_int_equal(kn_memory_in_use(), before);
        }
    }
    kn_dataset_free(original);
    kn_dataset_free(release);
    kn_dataset_free(mixed);
    kn_hierarchies_free(hs);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_by_hand),
        cmocka_unit_test(test_nothing_changed),
        cmocka_unit_test(test_all_suppressed),
        cmocka_unit_test(test_empty),
        cmocka_unit_test(test_ambiguous_label),
        cmocka_unit_test(test_missing_values),
        cmocka_unit_test(test_missing_texts),
        cmocka_unit_test(test_weights),
        cmocka_unit_test(test_refusals),
        cmocka_unit_test(test_cancel),
        cmocka_unit_test(test_oracle),
        cmocka_unit_test(test_many_values),
        cmocka_unit_test(test_allocation_failures),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
