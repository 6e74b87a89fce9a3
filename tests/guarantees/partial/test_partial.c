/* test_partial.c - counts of slices: whatever the split and the order of merging, the bytes are the
 * same and the verdict is that of kn_check on all records. */
#include "base/memory.h"
#include "base/rng.h"
#include "kanon/partial.h"
#include "rounds.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <cmocka.h>

#define ROUNDS test_rounds(3000)
enum { MOST_RECORDS = 24, MOST_SLICES = 5, COLUMNS = 4 };

typedef struct table {
    int records, columns;
    bool items, bags;
    const char *cell[MOST_RECORDS][COLUMNS];
} table;

static const char *const names[] = {"zip", "age", "pay", "ill"};

static kn_schema *schema_of(const table *t)
{
    kn_schema *s;

    assert_int_equal(kn_schema_new(&s, NULL), KN_OK);
    if (t->items) {
        assert_int_equal(kn_schema_set_role(s, "zip", KN_ROLE_QUASI, NULL), KN_OK);
        assert_int_equal(kn_schema_set_type(s, "zip", t->bags ? KN_TYPE_BAG : KN_TYPE_SET, NULL),
                         KN_OK);
        return s;
    }
    for (int i = 0; i < COLUMNS; i++) {
        assert_int_equal(kn_schema_set_role(s, names[i], i < 2 ? KN_ROLE_QUASI : KN_ROLE_SENSITIVE,
                                            NULL),
                         KN_OK);
    }
    return s;
}

/* The records of `t` that `slice` says, or all (which = -1). */
static kn_dataset *dataset_of(const table *t, const int *slice, int which)
{
    kn_schema *s = schema_of(t);
    kn_dataset_builder *b;
    kn_dataset *ds;

    assert_int_equal(kn_dataset_builder_new(&b, names, (size_t)t->columns, s, NULL), KN_OK);
    for (int i = 0; i < t->records; i++) {
        if (which < 0 || slice[i] == which) {
            assert_int_equal(kn_dataset_builder_add(b, t->cell[i], NULL), KN_OK);
        }
    }
    assert_int_equal(kn_dataset_builder_finish(&ds, b, NULL), KN_OK);
    kn_schema_free(s);
    return ds;
}

static void random_table(table *t, kn_rng *r, bool items)
{
    static const char *const zips[] = {"10", "11", "1*", "", NULL};
    static const char *const pays[] = {"1.0", "1.00", "2", "30", "7", NULL};
    static const char *const words[] = {"flu", "none", "cold", "", "a b"};
    static const char *const lists[] = {"",  "a",     "a|b", "b|c", "a|b|c",
                                        "c", "a|a|b", "d",   "b|b", "a|c|d"};

    uint64_t spread;

    *t = (table){.items = items, .columns = items ? 1 : COLUMNS, .bags = kn__rng_below(r, 2)};
    t->records = (int)kn__rng_below(r, MOST_RECORDS + 1);
    spread = 1 + kn__rng_below(r, 5); /* few different values make classes that hold */
    for (int i = 0; i < t->records; i++) {
        t->cell[i][0] = items ? lists[kn__rng_below(r, 10)] : zips[kn__rng_below(r, spread)];
        t->cell[i][1] = kn__rng_below(r, spread) < 2 ? "34" : "35";
        t->cell[i][2] = pays[kn__rng_below(r, 6)];
        t->cell[i][3] = words[kn__rng_below(r, 5)];
    }
}

typedef struct bytes {
    unsigned char *at;
    size_t len;
} bytes;

/* Merge the dictionaries of the slices in a random order and grouping. */
static kn_dictionary *dictionary_of(kn_dataset *const *slice, int slices, kn_rng *r)
{
    kn_dictionary *all, *part;
    bytes waiting[MOST_SLICES];

    for (int i = 0; i < slices; i++) {
        assert_int_equal(kn_dictionary_new(&part, NULL), KN_OK);
        assert_int_equal(kn_dictionary_add(part, slice[i], NULL), KN_OK);
        assert_int_equal(kn_dictionary_write(&waiting[i].at, &waiting[i].len, part, NULL), KN_OK);
        kn_dictionary_free(part);
    }
    assert_int_equal(kn_dictionary_new(&all, NULL), KN_OK);
    while (slices) {
        const int i = (int)kn__rng_below(r, (uint64_t)slices);
        kn_error err = {0};
        if (kn_dictionary_merge(all, waiting[i].at, waiting[i].len, &err) != KN_OK) {
            fail_msg("%s", err.message);
        }
        kn_bytes_free(waiting[i].at);
        waiting[i] = waiting[--slices];
    }
    return all;
}

static bytes written(const kn_partial *p)
{
    bytes b;

    assert_int_equal(kn_partial_write(&b.at, &b.len, p, NULL), KN_OK);
    return b;
}

static kn_partial *partial_of(const kn_dictionary *d, const kn_partial_options *o)
{
    kn_partial *p = NULL;
    kn_error err = {0};

    if (kn_partial_new(&p, d, o, &err) != KN_OK) {
        fail_msg("%s", err.message);
    }
    return p;
}

/* The counts of all slices, which are merged in a random order and grouping. */
static kn_partial *count(const kn_dictionary *d, const kn_partial_options *o,
                         kn_dataset *const *slice, int slices, kn_rng *r)
{
    bytes waiting[MOST_SLICES];
    kn_partial *p;

    for (int i = 0; i < slices; i++) {
        p = partial_of(d, o);
        assert_int_equal(kn_partial_add(p, slice[i], NULL, NULL), KN_OK);
        waiting[i] = written(p);
        kn_partial_free(p);
    }
    for (; slices > 1; slices--) { /* two of them become one */
        const int a = (int)kn__rng_below(r, (uint64_t)slices);
        int b = (int)kn__rng_below(r, (uint64_t)slices - 1);
        b += b >= a;
        p = partial_of(d, o);
        assert_int_equal(kn_partial_merge(p, waiting[a].at, waiting[a].len, NULL), KN_OK);
        assert_int_equal(kn_partial_merge(p, waiting[b].at, waiting[b].len, NULL), KN_OK);
        kn_bytes_free(waiting[a].at);
        kn_bytes_free(waiting[b].at);
        waiting[a] = written(p);
        waiting[b] = waiting[slices - 1];
        if (a == slices - 1) {
            waiting[b] = waiting[a];
        }
        kn_partial_free(p);
    }
    p = partial_of(d, o);
    assert_int_equal(kn_partial_merge(p, waiting[0].at, waiting[0].len, NULL), KN_OK);
    kn_bytes_free(waiting[0].at);
    return p;
}

static void same_bytes(const kn_partial *a, const kn_partial *b)
{
    const bytes x = written(a), y = written(b);

    assert_int_equal(x.len, y.len);
    assert_memory_equal(x.at, y.at, x.len);
    kn_bytes_free(x.at);
    kn_bytes_free(y.at);
}

static void same_number(double a, double b)
{
    assert_true(a == b || (isinf(a) && isinf(b)));
}

/* The text of a value of the record of the whole table, and of the class, are the same. */
static void same_class(const kn_partial *p, const kn_violation *mine, const kn_dataset *ds,
                       const kn_violation *theirs)
{
    for (size_t c = 0; c < kn_partial_columns(p); c++) {
        const uint32_t code = kn_partial_class_code(p, mine->record, c);
        const size_t column = kn_dataset_find(ds, kn_partial_column_name(p, c));
        const uint32_t other = kn_dataset_code(ds, column, theirs->record);
        size_t a_len, b_len;
        const char *a = kn_partial_value(p, c, code, &a_len);
        const char *b = kn_dataset_value(ds, column, other, &b_len);
        if (kn_dataset_role(ds, column) != KN_ROLE_QUASI) {
            assert_int_equal(code, KN_NO_CODE);
        } else if (other == kn_dataset_missing(ds, column)) {
            assert_null(a);
        } else {
            assert_int_equal(a_len, b_len);
            assert_memory_equal(a, b, a_len);
        }
    }
}

static void same_verdict(const kn_verdict *mine, const kn_verdict *theirs, size_t guarantees)
{
    assert_int_equal(kn_verdict_holds(mine), kn_verdict_holds(theirs));
    assert_int_equal(kn_verdict_violations(mine), kn_verdict_violations(theirs));
    assert_int_equal(kn_verdict_violations_kept(mine), kn_verdict_violations_kept(theirs));
    for (size_t g = 0; g < guarantees; g++) {
        same_number(kn_verdict_achieved(mine, g), kn_verdict_achieved(theirs, g));
    }
}

static int slices_of(const table *t, kn_rng *r, int *of, kn_dataset **slice)
{
    const int slices = 1 + (int)kn__rng_below(r, MOST_SLICES);

    for (int i = 0; i < t->records; i++) {
        of[i] = (int)kn__rng_below(r, (uint64_t)slices);
    }
    for (int i = 0; i < slices; i++) {
        slice[i] = dataset_of(t, of, i);
    }
    return slices;
}

static void random_guarantees(kn_guarantee *g, size_t *count, kn_rng *r)
{
    const kn_guarantee all[] = {
        {.kind = KN_K_ANONYMITY, .k = 1 + kn__rng_below(r, 4)},
        {.kind = KN_L_DIVERSITY, .l = 1 + (double)kn__rng_below(r, 3)},
        {.kind = KN_L_DIVERSITY, .l = 1.5, .diversity = KN_ENTROPY},
        {.kind = KN_L_DIVERSITY, .l = 2, .c = 1.5, .diversity = KN_RECURSIVE},
        {.kind = KN_T_CLOSENESS, .t = 0.1 * (double)kn__rng_below(r, 8)}};

    *count = 1 + kn__rng_below(r, 3);
    for (size_t i = 0; i < *count; i++) {
        g[i] = all[kn__rng_below(r, 5)];
    }
}

static void classes_agree(void **state)
{
    kn_rng r;
    int broken = 0, held = 0;

    (void)state;
    kn__rng_seed(&r, 71, 0);
    for (int round = 0; round < ROUNDS; round++) {
        kn_dataset *slice[MOST_SLICES], *ds;
        kn_guarantee g[3];
        kn_partial_options o = {KN_INIT(kn_partial_options), .guarantees = g};
        kn_verdict *mine = NULL, *theirs = NULL;
        int of[MOST_RECORDS], slices;
        kn_error err = {0};
        table t;
        random_table(&t, &r, false);
        ds = dataset_of(&t, NULL, -1);
        slices = slices_of(&t, &r, of, slice);
        random_guarantees(g, &o.guarantees_count, &r);
        kn_dictionary *d = dictionary_of(slice, slices, &r);
        kn_partial *p = count(d, &o, slice, slices, &r), *whole = partial_of(d, &o);
        assert_int_equal(kn_partial_add(whole, ds, NULL, NULL), KN_OK);
        same_bytes(p, whole);
        assert_int_equal(kn_partial_records(p), t.records);
        if (kn_partial_finish(&mine, p, NULL, NULL, &err) != KN_OK) {
            fail_msg("%s", err.message);
        }
        assert_int_equal(kn_check(&theirs, ds, g, o.guarantees_count, NULL, NULL, NULL), KN_OK);
        same_verdict(mine, theirs, o.guarantees_count);
        assert_int_equal(kn_verdict_classes(mine), kn_verdict_classes(theirs));
        assert_int_equal(kn_partial_classes(p), kn_verdict_classes(theirs));
        assert_int_equal(kn_verdict_records_at_risk(mine), kn_verdict_records_at_risk(theirs));
        if (kn_verdict_violations(mine) == 1) { /* more of them may be in another order */
            same_class(p, kn_verdict_violation(mine, 0), ds, kn_verdict_violation(theirs, 0));
        }
        same_bytes(p, whole); /* finishing changes nothing that is written */
        broken += !kn_verdict_holds(mine);
        held += kn_verdict_holds(mine);
        kn_verdict_free(mine);
        kn_verdict_free(theirs);
        kn_partial_free(p);
        kn_partial_free(whole);
        kn_dictionary_free(d);
        kn_dataset_free(ds);
        for (int i = 0; i < slices; i++) {
            kn_dataset_free(slice[i]);
        }
    }
    assert_true(broken > ROUNDS / 10 && held > ROUNDS / 10);
}

/* Reduced counts list combinations with their true supports. Items are single letters. */
static void rare_are_listed(const kn_partial *p, const table *t, bool reduced)
{
    uint32_t code[KN_MOST_M];
    size_t count = 0, len, text_len;

    assert_int_equal(kn_partial_rare(&count, p, NULL), reduced ? KN_OK : KN_EUSAGE);
    for (size_t i = 0; i < count; i++) {
        uint64_t support = kn_partial_rare_codes(p, i, code, &len);
        assert_true(support > 0);
        for (int r = 0; r < t->records; r++) {
            const char *at = t->cell[r][0];
            for (size_t j = 0; j < len && at; j++) { /* items come in order, in bags with repeats */
                at = strchr(at, *kn_partial_value(p, 0, code[j], &text_len));
                at = at ? at + 1 : NULL;
            }
            support -= at != NULL;
        }
        assert_int_equal(support, 0);
    }
    assert_int_equal(kn_partial_rare_codes(p, count, code, &len), 0);
}

static void items_agree(void **state)
{
    kn_rng r;
    int broken = 0, held = 0;

    (void)state;
    kn__rng_seed(&r, 72, 0);
    for (int round = 0; round < ROUNDS; round++) {
        kn_dataset *slice[MOST_SLICES], *ds;
        const kn_guarantee g[] = {
            {.kind = KN_KM_ANONYMITY, .k = 1 + kn__rng_below(&r, 4), .m = 1 + kn__rng_below(&r, 3)},
            {.kind = KN_KM_ANONYMITY, .k = 2, .m = 2}};
        const uint32_t parts = (uint32_t)kn__rng_below(&r, 4);
        kn_partial_options o = {KN_INIT(kn_partial_options), .guarantees = g,
                                .guarantees_count = 1 + kn__rng_below(&r, 2), .parts = parts};
        kn_verdict *mine = NULL, *theirs = NULL;
        int of[MOST_RECORDS], slices;
        kn_partial *all = NULL;
        kn_error err = {0};
        table t;
        random_table(&t, &r, true);
        ds = dataset_of(&t, NULL, -1);
        slices = slices_of(&t, &r, of, slice);
        kn_dictionary *d = dictionary_of(slice, slices, &r);
        for (uint32_t part = 0; part < (parts ? parts : 1); part++) {
            o.part = part;
            kn_partial *p = count(d, &o, slice, slices, &r), *whole = partial_of(d, &o);
            assert_int_equal(kn_partial_add(whole, ds, NULL, NULL), KN_OK);
            same_bytes(p, whole);
            if (parts > 1 || round % 2) {
                assert_int_equal(kn_partial_reduce(p, NULL), KN_OK);
            }
            if (all) {
                bytes b = written(p);
                if (kn_partial_merge(all, b.at, b.len, &err) != KN_OK) {
                    fail_msg("%s", err.message);
                }
                assert_int_equal(kn_partial_merge(all, b.at, b.len, &err), KN_EUSAGE); /* twice */
                kn_bytes_free(b.at);
                kn_partial_free(p);
            } else {
                all = p;
                if (round % 3 == 0) { /* into counts of no record yet, reduced or not */
                    bytes b = written(p);
                    all = partial_of(d, &o);
                    assert_int_equal(kn_partial_merge(all, b.at, b.len - 1, NULL), KN_EINPUT);
                    if (kn_partial_merge(all, b.at, b.len, &err) != KN_OK) {
                        fail_msg("%s", err.message);
                    }
                    kn_bytes_free(b.at);
                    same_bytes(all, p);
                    kn_partial_free(p);
                }
                if (parts > 1) {
                    assert_int_equal(kn_partial_finish(&mine, all, NULL, NULL, &err), KN_EUSAGE);
                    assert_non_null(strstr(err.message, "is lacking"));
                }
            }
            kn_partial_free(whole);
        }
        assert_int_equal(kn_partial_records(all), t.records);
        rare_are_listed(all, &t, parts > 1 || round % 2);
        if (kn_partial_finish(&mine, all, NULL, NULL, &err) != KN_OK) {
            fail_msg("%s", err.message);
        }
        assert_int_equal(kn_check(&theirs, ds, g, o.guarantees_count, NULL, NULL, NULL), KN_OK);
        same_verdict(mine, theirs, o.guarantees_count);
        for (size_t i = 0; i < kn_verdict_violations_kept(mine); i++) {
            const kn_violation *x = kn_verdict_violation(mine, i),
                               *y = kn_verdict_violation(theirs, i);
            assert_int_equal(x->size, y->size);
            assert_int_equal(x->items_count, y->items_count);
            for (size_t j = 0; j < x->items_count; j++) {
                size_t a_len, b_len;
                const char *a = kn_partial_value(all, x->column, x->items[j], &a_len);
                const char *b = kn_dataset_value(ds, y->column, y->items[j], &b_len);
                assert_int_equal(a_len, b_len);
                assert_memory_equal(a, b, a_len);
            }
        }
        for (size_t i = 0; i < o.guarantees_count; i++) {
            for (size_t size = 1; size <= g[i].m; size++) {
                same_number(kn_verdict_achieved_size(mine, i, size),
                            kn_verdict_achieved_size(theirs, i, size));
            }
        }
        assert_int_equal(kn_verdict_items(mine)->empty, kn_verdict_items(theirs)->empty);
        broken += !kn_verdict_holds(mine);
        held += kn_verdict_holds(mine);
        kn_verdict_free(mine);
        kn_verdict_free(theirs);
        kn_partial_free(all);
        kn_dictionary_free(d);
        kn_dataset_free(ds);
        for (int i = 0; i < slices; i++) {
            kn_dataset_free(slice[i]);
        }
    }
    assert_true(broken > ROUNDS / 10 && held > ROUNDS / 20);
}

/* Any bit of the bytes may be another: refused, and nothing has changed. */
static void damaged_bytes_are_refused(void **state)
{
    kn_guarantee two = {.kind = KN_L_DIVERSITY, .l = 2};
    const kn_partial_options o = {KN_INIT(kn_partial_options), .guarantees = &two,
                                  .guarantees_count = 1};
    kn_dictionary *d, *other;
    kn_dataset *ds;
    kn_rng r;
    table t;
    bytes b;

    (void)state;
    kn__rng_seed(&r, 73, 0);
    do {
        random_table(&t, &r, false);
    } while (t.records < 8);
    ds = dataset_of(&t, NULL, -1);
    assert_int_equal(kn_dictionary_new(&d, NULL), KN_OK);
    assert_int_equal(kn_dictionary_add(d, ds, NULL), KN_OK);
    kn_partial *p = partial_of(d, &o), *q = partial_of(d, &o);
    assert_int_equal(kn_partial_add(p, ds, NULL, NULL), KN_OK);
    b = written(p);
    for (size_t i = 0; i < b.len; i++) {
        kn_error err = {0};
        b.at[i] ^= (unsigned char)(1 << i % 8);
        assert_int_equal(kn_partial_merge(q, b.at, b.len, &err), KN_EINPUT);
        b.at[i] ^= (unsigned char)(1 << i % 8);
        assert_int_equal(kn_partial_merge(q, b.at, i, &err), KN_EINPUT);
    }
    assert_int_equal(kn_partial_records(q), 0);
    assert_int_equal(kn_partial_classes(q), 0);
    assert_int_equal(kn_partial_merge(q, b.at, b.len, NULL), KN_OK);
    same_bytes(p, q);
    kn_bytes_free(b.at);
    assert_int_equal(kn_dictionary_write(&b.at, &b.len, d, NULL), KN_OK);
    for (size_t i = 0; i < b.len; i++) {
        assert_int_equal(kn_dictionary_new(&other, NULL), KN_OK);
        b.at[i] ^= (unsigned char)(1 << i % 8);
        assert_int_equal(kn_dictionary_merge(other, b.at, b.len, NULL), KN_EINPUT);
        b.at[i] ^= (unsigned char)(1 << i % 8);
        kn_dictionary_free(other);
    }
    kn_bytes_free(b.at);
    kn_partial_free(p);
    kn_partial_free(q);
    kn_dictionary_free(d);
    kn_dataset_free(ds);
}

static void memory_may_run_out(void **state)
{
    kn_guarantee close = {.kind = KN_T_CLOSENESS, .t = 0.2};
    const kn_guarantee km = {.kind = KN_KM_ANONYMITY, .k = 2, .m = 2};
    const size_t before = kn_memory_in_use();
    kn_rng r;

    (void)state;
    kn__rng_seed(&r, 74, 0);
    for (int items = 0; items < 2; items++) {
        const kn_partial_options o = {KN_INIT(kn_partial_options),
                                      .guarantees = items ? &km : &close, .guarantees_count = 1};
        const kn_run run = {.threads = 1};
        kn_status status = KN_ENOMEM;
        kn_dataset *ds;
        table t;
        do {
            random_table(&t, &r, items);
        } while (t.records < 8);
        ds = dataset_of(&t, NULL, -1);
        for (size_t n = 1; status == KN_ENOMEM; n++) {
            kn_dictionary *d = NULL;
            kn_partial *p = NULL, *q = NULL;
            kn_verdict *v = NULL;
            bytes b = {0};
            kn__memory_fail_after(n);
            status = kn_dictionary_new(&d, NULL);
            status = status ? status : kn_dictionary_add(d, ds, NULL);
            status = status ? status : kn_partial_new(&p, d, &o, NULL);
            status = status ? status : kn_partial_new(&q, d, &o, NULL);
            status = status ? status : kn_partial_add(p, ds, &run, NULL);
            status = status ? status : kn_partial_write(&b.at, &b.len, p, NULL);
            status = status ? status : kn_partial_merge(q, b.at, b.len, NULL);
            status = status || !items ? status : kn_partial_reduce(q, NULL);
            status = status ? status : kn_partial_finish(&v, q, NULL, &run, NULL);
            kn__memory_fail_after(0);
            assert_true(status == KN_OK || status == KN_ENOMEM);
            assert_true((status == KN_OK) == (v != NULL));
            kn_verdict_free(v);
            kn_bytes_free(b.at);
            kn_partial_free(p);
            kn_partial_free(q);
            kn_dictionary_free(d);
        }
        assert_int_equal(status, KN_OK);
        kn_dataset_free(ds);
    }
    assert_int_equal(kn_memory_in_use(), before);
}

static void refusals(void **state)
{
    const kn_guarantee k = {.kind = KN_K_ANONYMITY, .k = 2},
                       both[] = {{.kind = KN_K_ANONYMITY, .k = 2},
                                 {.kind = KN_KM_ANONYMITY, .k = 2, .m = 2}};
    const kn_guarantee original = {.kind = KN_T_CLOSENESS,
                                   .t = 0.5,
                                   .reference = KN_REFERENCE_ORIGINAL};
    const kn_guarantee mixed = {.kind = KN_K_KM_ANONYMITY, .k = 2, .m = 2};
    kn_partial_options o = {.guarantees = &k, .guarantees_count = 1};
    table t = {.records = 1, .columns = COLUMNS, .cell = {{"10", "34", "1", "flu"}}};
    table u = {.records = 1, .columns = COLUMNS, .cell = {{"12", "34", "1", "flu"}}};
    table lists = {.records = 1, .columns = 1, .items = true, .cell = {{"a|b"}}};
    kn_dataset *ds = dataset_of(&t, NULL, -1), *other = dataset_of(&u, NULL, -1);
    kn_dataset *items = dataset_of(&lists, NULL, -1);
    kn_dictionary *d, *e;
    kn_partial *p = NULL, *q = NULL;
    kn_error err = {0};
    bytes b;

    (void)state;
    assert_int_equal(kn_dictionary_new(&d, NULL), KN_OK);
    assert_int_equal(kn_partial_new(&p, d, &o, &err), KN_EUSAGE); /* no columns */
    assert_int_equal(kn_dictionary_add(d, ds, NULL), KN_OK);
    assert_int_equal(kn_dictionary_add(d, items, &err), KN_EUSAGE);
    assert_non_null(strstr(err.message, "one schema"));
    assert_int_equal(kn_partial_new(&p, d, &o, NULL), KN_OK);
    assert_int_equal(kn_partial_add(p, other, NULL, &err), KN_EINPUT);
    assert_non_null(
        strstr(err.message, "column \"zip\" holds a value that is not in the dictionary"));
    assert_int_equal(kn_partial_add(p, items, NULL, &err), KN_EUSAGE);
    assert_int_equal(kn_partial_add(p, ds, NULL, &err), KN_OK);
    assert_int_equal(kn_partial_reduce(p, &err), KN_EUSAGE);
    b = written(p);
    assert_int_equal(kn_dictionary_new(&e, NULL), KN_OK);
    assert_int_equal(kn_dictionary_add(e, other, NULL), KN_OK);
    assert_int_equal(kn_partial_new(&q, e, &o, NULL), KN_OK);
    assert_int_equal(kn_partial_merge(q, b.at, b.len, &err), KN_EUSAGE);
    assert_non_null(strstr(err.message, "another dictionary"));
    kn_partial_free(q);
    o.guarantees = both;
    o.guarantees_count = 2;
    assert_int_equal(kn_partial_new(&q, d, &o, &err), KN_EUSAGE);
    o.guarantees = &both[1];
    o.guarantees_count = 1;
    assert_int_equal(kn_partial_new(&q, d, &o, &err), KN_EUSAGE); /* no items */
    o.guarantees = &mixed;
    assert_int_equal(kn_partial_new(&q, d, &o, &err), KN_EUSAGE);
    assert_non_null(strstr(err.message, "k-km-anonymity cannot be counted by slices"));
    o.guarantees = &original;
    assert_int_equal(kn_partial_new(&q, d, &o, &err), KN_EUSAGE);
    assert_non_null(strstr(err.message, "compared with the original table"));
    o.guarantees = &k;
    o.parts = 2;
    assert_int_equal(kn_partial_new(&q, d, &o, &err), KN_EUSAGE);
    kn_bytes_free(b.at);
    kn_partial_free(p);
    kn_dictionary_free(d);
    kn_dictionary_free(e);
    kn_dataset_free(ds);
    kn_dataset_free(other);
    kn_dataset_free(items);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(classes_agree),
        cmocka_unit_test(items_agree),
        cmocka_unit_test(damaged_bytes_are_refused),
        cmocka_unit_test(memory_may_run_out),
        cmocka_unit_test(refusals),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
