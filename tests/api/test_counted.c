/* test_counted.c - sets of items that are counted elsewhere: apriori, which is given the items and
 * the answers to its questions, recodes as it does when it has the records. */
#include "counts.h"

enum { CASES = 3000, MOST_ITEMS = 14, MOST_RECORDS = 60, MOST_LISTED = 1 << 16 };

typedef struct table {
    unsigned items;
    uint32_t record[MOST_RECORDS]; /* a bit for each item */
    size_t records;
} table;

/* ---- tables ---- */

static void random_table(table *t)
{
    const unsigned longest = 1 + below(5);

    t->items = 3 + below(MOST_ITEMS - 2);
    t->records = 1 + below(MOST_RECORDS);
    for (size_t i = 0; i < t->records; i++) {
        t->record[i] = 0;
        for (unsigned j = below(longest + 1); j > 0; j--) {
            /* The first items are frequent. */
            const unsigned item = below(2) ? below(t->items) : below(1 + t->items / 3);
            t->record[i] |= 1u << item;
        }
    }
}

static kn_dataset *make(const char *const *cell, size_t records)
{
    static const char *const names[] = {"basket"};
    kn_schema *schema = NULL;
    kn_dataset_builder *b = NULL;
    kn_dataset *ds = NULL;

    assert_int_equal(kn_schema_new(&schema, NULL), KN_OK);
    assert_int_equal(kn_schema_set_role(schema, "basket", KN_ROLE_QUASI, NULL), KN_OK);
    assert_int_equal(kn_schema_set_type(schema, "basket", KN_TYPE_SET, NULL), KN_OK);
    assert_int_equal(kn_dataset_builder_new(&b, names, 1, schema, NULL), KN_OK);
    for (size_t i = 0; i < records; i++) {
        assert_int_equal(kn_dataset_builder_add(b, &cell[i], NULL), KN_OK);
    }
    assert_int_equal(kn_dataset_builder_finish(&ds, b, NULL), KN_OK);
    kn_schema_free(schema);
    return ds;
}

static kn_dataset *make_rows(const table *t)
{
    char text[MOST_RECORDS][2 * MOST_ITEMS + 1];
    const char *cell[MOST_RECORDS];

    for (size_t i = 0; i < t->records; i++) {
        char *at = text[i];
        *at = 0;
        for (unsigned item = 0; item < t->items; item++) {
            if (t->record[i] >> item & 1) {
                at += sprintf(at, "%s%c", at == text[i] ? "" : "|", 'a' + (int)item);
            }
        }
        cell[i] = text[i];
    }
    return make(cell, t->records);
}

/* Every item once. NULL: there is none. */
static kn_dataset *make_items(const table *t)
{
    char text[MOST_ITEMS][2];
    const char *cell[MOST_ITEMS];
    uint64_t count[MOST_ITEMS];
    size_t items = 0;
    kn_dataset *ds;

    for (unsigned item = 0; item < t->items; item++) {
        count[items] = 0;
        for (size_t i = 0; i < t->records; i++) {
            count[items] += t->record[i] >> item & 1;
        }
        if (count[items]) {
            text[items][0] = (char)('a' + item);
            text[items][1] = 0;
            cell[items] = text[items];
            items++;
        }
    }
    if (!items) {
        return NULL;
    }
    ds = make(cell, items);
    assert_int_equal(kn_dataset_set_counts(ds, count, items, NULL), KN_OK);
    return ds;
}

/* A random hierarchy, in which items without a line are lacking. */
static kn_hierarchies *make_hierarchies(const table *t, bool lacks)
{
    const unsigned low = 2 + below(3), high = 1 + below(3);
    char text[MOST_ITEMS * 32];
    char *at = text;
    kn_hierarchies *hs = NULL;

    for (unsigned item = 0; item < MOST_ITEMS; item++) {
        const unsigned group = item / low, above = group / (1 + high);
        if (!lacks || item == 0 || item + 2 < t->items) {
            at += sprintf(at, "%c;g%u;h%u;*\n", 'a' + (int)item, group, above);
        }
    }
    assert_int_equal(kn_hierarchies_new(&hs, NULL), KN_OK);
    add_hierarchy(hs, "basket", text);
    return hs;
}

/* ---- counting elsewhere ---- */

typedef struct counter {
    const table *t;
    uint64_t key[MOST_LISTED]; /* combinations: a bit for each name */
    uint64_t support[MOST_LISTED];
    size_t listed, questions;
} counter;

static counter counted;

static void count_one(uint64_t key)
{
    size_t i = 0;

    while (i < counted.listed && counted.key[i] != key) {
        i++;
    }
    if (i == counted.listed) {
        assert_true(i < MOST_LISTED);
        counted.key[i] = key;
        counted.support[counted.listed++] = 0;
    }
    counted.support[i]++;
}

static void count_record(uint64_t names, uint64_t chosen, unsigned from, size_t left)
{
    if (chosen) {
        count_one(chosen);
    }
    for (unsigned i = from; left > 0 && i < 64; i++) {
        if (names >> i & 1) {
            count_record(names, chosen | UINT64_C(1) << i, i + 1, left - 1);
        }
    }
}

static kn_status count_elsewhere(void *user, const kn_naming *n, kn_rare_names *found,
                                 kn_error *err)
{
    const table *t = user;

    counted.listed = 0;
    counted.questions++;
    for (size_t r = 0; r < t->records; r++) {
        uint64_t names = 0;
        for (uint32_t code = 0; code < n->values; code++) {
            size_t len;
            const char *item = kn_dataset_value(n->ds, n->column, code, &len);
            for (uint32_t i = n->begin[code]; i < n->begin[code + 1]; i++) {
                assert_true(n->name[i] < 64);
                if (t->record[r] >> (*item - 'a') & 1) {
                    names |= UINT64_C(1) << n->name[i];
                }
            }
        }
        count_record(names, 0, 0, n->m);
    }
    for (size_t i = 0; i < counted.listed; i++) {
        uint32_t name[KN_MOST_M];
        size_t size = 0;
        for (uint32_t j = 0; j < 64; j++) {
            if (counted.key[i] >> j & 1) {
                name[size++] = j;
            }
        }
        if (counted.support[i] < n->k) {
            const kn_status status = kn_rare_names_add(found, name, size, counted.support[i], err);
            assert_int_equal(status, KN_OK);
        }
    }
    return KN_OK;
}

/* ---- tests ---- */

static void recodes_as_with_the_records(void **state)
{
    size_t made = 0, infeasible = 0, finer = 0;

    (void)state;
    for (unsigned i = 0; i < CASES; i++) {
        kn_dataset *rows, *items;
        kn_hierarchies *hs;
        kn_release *r = NULL, *s = NULL;
        kn_params *params = NULL;
        kn_error err = {0}, other = {0};
        kn_outcome outcome = {0};
        table t;
        seed = i;
        random_table(&t);
        const bool lacks = below(4) == 0;
        rows = make_rows(&t);
        items = make_items(&t);
        hs = make_hierarchies(&t, lacks);
        const kn_guarantee g = {KN_INIT(kn_guarantee), .kind = KN_KM_ANONYMITY, .k = 1 + below(5),
                                .m = 1 + below(3)};
        kn_anonymize_options o = {KN_INIT(kn_anonymize_options), .guarantees = &g,
                                  .guarantees_count = 1, .method = "apriori",
                                  .uncovered = lacks ? KN_UNCOVERED_ROOT : KN_UNCOVERED_ERROR};
        if (below(3) == 0) {
            assert_int_equal(kn_params_new(&params, KN_ENTRY_METHOD, "apriori", NULL), KN_OK);
            assert_int_equal(kn_params_set_bool(params, "subtree", true, NULL), KN_OK);
            o.params = params;
        }
        const kn_status status = kn_anonymize(&r, rows, hs, &o, &alone, &err);
        o.rare = count_elsewhere;
        o.rare_user = &t;
        if (items) {
            assert_int_equal(kn_anonymize(&s, items, hs, &o, &alone, &other), status);
            assert_string_equal(err.message, other.message);
        }
        if (items && status == KN_OK) {
            same_recoding(r, s);
            assert_int_equal(kn_release_verify(&outcome, s, &alone, &other), KN_OK);
            made++;
            finer += !params;
        }
        infeasible += status == KN_EINFEASIBLE;
        kn_outcome_clear(&outcome);
        kn_params_free(params);
        kn_release_free(r);
        kn_release_free(s);
        kn_hierarchies_free(hs);
        kn_dataset_free(rows);
        kn_dataset_free(items);
    }
    print_message("%zu made, %zu of them with names below the cut, %zu infeasible, %zu questions\n",
                  made, finer, infeasible, counted.questions);
    assert_true(made > CASES / 2 && finer > CASES / 4 && infeasible > CASES / 50);
}

static kn_status fails(void *user, const kn_naming *n, kn_rare_names *found, kn_error *err)
{
    static const uint32_t twice[] = {0, 0}, far[] = {UINT32_MAX};

    (void)n;
    assert_int_equal(kn_rare_names_add(found, twice, 2, 1, err), KN_EUSAGE);
    assert_int_equal(kn_rare_names_add(found, far, 1, 1, err), KN_EUSAGE);
    assert_int_equal(kn_rare_names_add(found, far, 0, 1, err), KN_EUSAGE);
    assert_int_equal(kn_rare_names_add(NULL, far, 1, 1, err), KN_EUSAGE);
    return *(kn_status *)user;
}

static void refuses(void **state)
{
    static const char *const single[] = {"a", "b"}, *const pairs[] = {"a|b", "b"};
    const uint64_t count[] = {5, 5};
    const kn_guarantee g = {KN_INIT(kn_guarantee), .kind = KN_KM_ANONYMITY, .k = 2, .m = 2};
    const kn_guarantee k = {KN_INIT(kn_guarantee), .kind = KN_K_ANONYMITY, .k = 2};
    const table t = {.items = 2};
    kn_status broken = KN_EIO;
    kn_anonymize_options o = {
        KN_INIT(kn_anonymize_options), .guarantees = &g, .guarantees_count = 1,
        .method = "apriori",           .rare = fails,    .rare_user = &broken};
    kn_dataset *ds = make(single, 2);
    kn_hierarchies *hs = make_hierarchies(&t, false);
    kn_release *r = NULL;

    (void)state;
    /* records without numbers */
    assert_int_equal(kn_anonymize(&r, ds, hs, &o, &alone, NULL), KN_EUSAGE);
    assert_int_equal(kn_dataset_set_counts(ds, count, 2, NULL), KN_OK);
    /* what the count says is what the caller gets */
    assert_int_equal(kn_anonymize(&r, ds, hs, &o, &alone, NULL), KN_EIO);
    o.uncovered = KN_UNCOVERED_SUPPRESS;
    assert_int_equal(kn_anonymize(&r, ds, hs, &o, &alone, NULL), KN_EUSAGE);
    o.uncovered = KN_UNCOVERED_ERROR;
    o.method = "sampling";
    assert_int_equal(kn_anonymize(&r, ds, hs, &o, &alone, NULL), KN_EUSAGE);
    o.method = NULL;
    o.guarantees = &k;
    assert_int_equal(kn_anonymize(&r, ds, hs, &o, &alone, NULL), KN_EUSAGE);
    kn_dataset_free(ds);
    /* records with several items */
    ds = make(pairs, 2);
    assert_int_equal(kn_dataset_set_counts(ds, count, 2, NULL), KN_OK);
    o.guarantees = &g;
    assert_int_equal(kn_anonymize(&r, ds, hs, &o, &alone, NULL), KN_EUSAGE);
    assert_null(r);
    kn_dataset_free(ds);
    kn_hierarchies_free(hs);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(recodes_as_with_the_records),
                                       cmocka_unit_test(refuses)};

    return cmocka_run_group_tests_name("api.counted", tests, NULL, NULL);
}
