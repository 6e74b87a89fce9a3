/* methods/sets/km_case.h - small random problems of k^m-anonymity, as the oracle and as the library
 * see them, and what users bring. */
#ifndef METHODS_KM_CASE_H
#define METHODS_KM_CASE_H

#include "base/buffer.h"
#include "base/memory.h"
#include "data/dataset.h"
#include "hierarchy/hierarchy.h"
#include "kanon/anonymize.h"
#include "methods/sets/apriori.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>
#include <sys/stat.h>

#include <cmocka.h>

#include "methods/method_params.h"
#include "oracle/km_local.h"

typedef struct km_case {
    km_data data;
    km_tree tree;
    int k, m;
} km_case;

static void random_case(km_case *c, kn_rng *r)
{
    km_data *d = &c->data;
    const int most = 1 + (int)kn__rng_below(r, 6);

    memset(c, 0, sizeof *c);
    d->records = 1 + (int)kn__rng_below(r, KM_RECORDS);
    d->items = 1 + (int)kn__rng_below(r, KM_ITEMS);
    d->bags = kn__rng_below(r, 2) == 1;
    for (int i = 0; i < d->records; i++) {
        const int len = (int)kn__rng_below(r, (uint64_t)most + 1);
        if (i > 0 && kn__rng_below(r, 3) == 0) { /* so that something can stay as it is */
            memcpy(d->times[i], d->times[kn__rng_below(r, (uint64_t)i)], sizeof d->times[i]);
            continue;
        }
        for (int j = 0; j < len; j++) {
            int *times = &d->times[i][kn__rng_below(r, (uint64_t)d->items)];
            *times = d->bags ? *times + 1 : 1;
        }
    }
    km_random_tree(&c->tree, d->items, r);
    c->k = 1 + (int)kn__rng_below(r, 5);
    c->m = 1 + (int)kn__rng_below(r, 4);
}

static kn_dataset *make_dataset(const km_data *d)
{
    const char *const name = "items";
    kn_schema *schema;
    kn_dataset_builder *b;
    kn_dataset *ds;

    assert_int_equal(kn_schema_new(&schema, NULL), KN_OK);
    assert_int_equal(kn_schema_set_type(schema, name, d->bags ? KN_TYPE_BAG : KN_TYPE_SET, NULL),
                     KN_OK);
    assert_int_equal(kn_schema_set_role(schema, name, KN_ROLE_QUASI, NULL), KN_OK);
    assert_int_equal(kn_schema_set_item_separator(schema, " ", NULL), KN_OK);
    assert_int_equal(kn_dataset_builder_new(&b, &name, 1, schema, NULL), KN_OK);
    for (int i = 0; i < d->records; i++) {
        kn_buffer text = {0};
        const char *cell;
        kn__buffer_add(&text, "", 0);
        for (int x = 0; x < d->items; x++) {
            for (int t = 0; t < d->times[i][x]; t++) {
                kn__buffer_addf(&text, "%si%d", text.len ? " " : "", x);
            }
        }
        cell = text.len ? text.data : "";
        assert_int_equal(kn_dataset_builder_add(b, &cell, NULL), KN_OK);
        kn__buffer_free(&text);
    }
    assert_int_equal(kn_dataset_builder_finish(&ds, b, NULL), KN_OK);
    kn_schema_free(schema);
    return ds;
}

static kn_hierarchies *make_hierarchies(const km_tree *t, int leaves)
{
    kn_hierarchies *hs;
    kn_hierarchy *h;
    kn_buffer text = {0};

    for (int x = 0; x < leaves; x++) {
        kn__buffer_addf(&text, "i%d", x);
        for (int l = 1; l < t->levels; l++) {
            kn__buffer_addf(&text, ";n%d", t->node[l][x]);
        }
        kn__buffer_addc(&text, '\n');
    }
    assert_int_equal(kn_hierarchies_new(&hs, NULL), KN_OK);
    assert_int_equal(kn__hierarchy_parse(&h, "items", text.data, text.len, NULL), KN_OK);
    assert_int_equal(kn_hierarchies_add(hs, "items", h, NULL), KN_OK);
    kn__buffer_free(&text);
    return hs;
}

static kn_guarantee asked(const km_case *c)
{
    return (kn_guarantee){.kind = KN_KM_ANONYMITY, .k = (size_t)c->k, .m = (size_t)c->m};
}

/* The node that a published text stands for, leaves as they are. */
static int node_of(const char *text, size_t len)
{
    char copy[16];

    assert_true(len >= 2 && len <= sizeof copy - 1);
    memcpy(copy, text, len);
    copy[len] = '\0';
    assert_true(copy[0] == 'i' || copy[0] == 'n');
    return atoi(copy + 1);
}

/* Read the release as generalised records, and the level at which each item was published. */
static void read_release(const km_case *c, const kn_release *r, km_general *g, int *level)
{
    const kn_dataset *ds = kn_release_data(r);
    const kn_column *column = &ds->column[0];
    const char *reason = "";

    memset(g, 0, sizeof *g);
    memset(level, 0xff, KM_LEAVES * sizeof *level);
    assert_true(kn__dataset_validate(ds, &reason));
    assert_int_equal(ds->records, c->data.records);
    assert_int_equal(column->type, c->data.bags ? KN_TYPE_BAG : KN_TYPE_SET);
    g->records = c->data.records;
    for (int i = 0; i < g->records; i++) {
        assert_int_equal(kn_release_origin(r, (size_t)i), i);
        for (uint64_t j = column->starts[i]; j < column->starts[i + 1]; j++) {
            size_t len;
            const char *text = kn__column_text(
                column, kn__code_get(column->codes, column->width, (size_t)j), &len);
            g->times[i][node_of(text, len)]++;
        }
    }
    /* A node says on which level it is; the items below it in this record are published so. */
    for (int i = 0; i < g->records; i++) {
        for (int n = 0; n < KM_NODES; n++) {
            for (int x = 0; g->times[i][n] && x < c->data.items; x++) {
                if (c->data.times[i][x] && c->tree.node[n / 10][x] == n) {
                    assert_true(level[x] == -1 || level[x] == n / 10);
                    level[x] = n / 10;
                }
            }
        }
    }
}

/* The release is the original generalised to that level, and satisfies the guarantee; its NCP. */
static double judge(const km_case *c, const kn_release *r)
{
    km_general g, expected;
    int level[KM_LEAVES];

    read_release(c, r, &g, level);
    for (int x = 0; x < c->tree.leaves; x++) {
        for (int y = 0; level[x] == -1 && y < c->tree.leaves; y++) {
            /* An item that does not occur is where its neighbours are, or as high as can be. */
            if (level[y] > 0 && c->tree.node[level[y]][x] == c->tree.node[level[y]][y]) {
                level[x] = level[y];
            }
        }
        level[x] = level[x] == -1 ? 0 : level[x];
    }
    km_generalise(&c->data, &c->tree, level, &expected);
    assert_memory_equal(&g, &expected, sizeof g);
    for (int x = 0; x < c->data.items; x++) { /* a cut: nothing published is above another */
        for (int y = 0; y < c->data.items; y++) {
            bool occurs = false;
            for (int i = 0; i < c->data.records; i++) {
                occurs = occurs || c->data.times[i][y] > 0;
            }
            if (occurs && c->tree.node[level[x]][x] == c->tree.node[level[x]][y]) {
                assert_int_equal(level[x], level[y]);
            }
        }
    }
    assert_true(km_anonymous(&g, c->k, c->m));
    return km_ncp(&c->data, &c->tree, level);
}

static bool has_items(const km_data *d)
{
    for (int i = 0; i < d->records; i++) {
        if (km_size(d->times[i])) {
            return true;
        }
    }
    return false;
}

/* What the codes are published as, as levels of the tree. */
static void read_cut(const kn_cut *cut, int *level)
{
    const kn_domain *d = cut->domain;

    memset(level, 0, KM_LEAVES * sizeof *level);
    for (uint32_t code = 0; code < d->values; code++) {
        const uint32_t node = kn__cut_node(cut, code);
        size_t len;
        const char *text = kn__column_text(d->column, code, &len);
        if (node != KN_NO_NODE && node != code) {
            level[node_of(text, len)] = atoi(d->label[node - d->values] + 1) / 10;
        }
    }
}

static kn_dataset *dataset_of(const char *const *cells, size_t count, kn_type type)
{
    const char *const names[] = {"items", "town"};
    kn_schema *schema;
    kn_dataset_builder *b;
    kn_dataset *ds;

    assert_int_equal(kn_schema_new(&schema, NULL), KN_OK);
    assert_int_equal(kn_schema_set_type(schema, "items", type, NULL), KN_OK);
    assert_int_equal(kn_schema_set_role(schema, "items", KN_ROLE_QUASI, NULL), KN_OK);
    assert_int_equal(kn_schema_set_role(schema, "town", KN_ROLE_KEPT, NULL), KN_OK);
    assert_int_equal(kn_schema_allow_unique(schema, "town", NULL), KN_OK);
    assert_int_equal(kn_schema_set_item_separator(schema, " ", NULL), KN_OK);
    assert_int_equal(kn_dataset_builder_new(&b, names, 2, schema, NULL), KN_OK);
    for (size_t i = 0; i < count; i++) {
        assert_int_equal(
            kn_dataset_builder_add(b, (const char *const[]){cells[i], i % 2 ? "A" : "B"}, NULL),
            KN_OK);
    }
    assert_int_equal(kn_dataset_builder_finish(&ds, b, NULL), KN_OK);
    kn_schema_free(schema);
    return ds;
}

static kn_hierarchies *hierarchies_of(const char *text)
{
    kn_hierarchies *hs;
    kn_hierarchy *h;

    assert_int_equal(kn_hierarchies_new(&hs, NULL), KN_OK);
    assert_int_equal(kn__hierarchy_parse(&h, "h.csv", text, strlen(text), NULL), KN_OK);
    assert_int_equal(kn_hierarchies_add(hs, "items", h, NULL), KN_OK);
    return hs;
}

static char *slurp(const char *path)
{
    FILE *f = fopen(path, "rb");
    char *text = calloc(1, 4096);

    assert_non_null(f);
    assert_true(fread(text, 1, 4095, f) > 0);
    fclose(f);
    return text;
}

static bool is_there(const char *path)
{
    struct stat st;

    return stat(path, &st) == 0;
}

/* Web shop sessions with their hierarchy; false when they are not there, or cannot be read because
 * zstd was not built in. */
static bool read_sessions(kn_dataset **ds, kn_hierarchies **hs)
{
    const char *data = KN_SHARED_DATA "/sets/bms-webview-2.dat.zst";
    const char *tree = KN_SHARED_DATA "/sets/bms-webview-2.hierarchy.csv";
    kn_hierarchy *h;

    if (!is_there(data) || kn_read(ds, data, NULL, NULL, NULL) != KN_OK) {
        print_message("skipped: %s is not there, or zstd is not built in\n", data);
        return false;
    }
    kn_dataset_set_role(*ds, 0, KN_ROLE_QUASI, NULL);
    assert_int_equal(kn_hierarchies_new(hs, NULL), KN_OK);
    assert_int_equal(kn_hierarchy_read(&h, tree, NULL), KN_OK);
    assert_int_equal(kn_hierarchies_add(*hs, "items", h, NULL), KN_OK);
    return true;
}

static void same_items(const kn_release *a, const kn_release *b)
{
    const size_t records = kn_release_data(a)->records;
    const kn_column *x = &kn_release_data(a)->column[0], *y = &kn_release_data(b)->column[0];

    assert_int_equal(x->width, y->width);
    assert_memory_equal(x->starts, y->starts, (records + 1) * sizeof *x->starts);
    assert_memory_equal(x->codes, y->codes, (size_t)x->starts[records] * x->width);
}

/* A release is k^m-anonymous by the oracle, and each of its records comes from its own, whatever
 * the same items are published as elsewhere; its NCP, read as narrowly as it can be. */
static double judge_local(const km_case *c, const kn_release *r)
{
    const kn_column *column = &kn_release_data(r)->column[0];
    const char *reason = "";
    km_general g = {.records = c->data.records};
    double sum = 0;
    int all = 0;

    assert_true(kn__dataset_validate(kn_release_data(r), &reason));
    assert_int_equal(kn_release_data(r)->records, c->data.records);
    for (int i = 0; i < g.records; i++) {
        for (uint64_t j = column->starts[i]; j < column->starts[i + 1]; j++) {
            size_t len;
            const uint32_t code = kn__code_get(column->codes, column->width, (size_t)j);
            const char *text = kn__column_text(column, code, &len);
            g.times[i][node_of(text, len)]++;
        }
        sum += km_reading(&c->data, &c->tree, i, g.times[i]);
        all += km_size(c->data.times[i]);
    }
    assert_false(isinf(sum));
    assert_true(km_anonymous(&g, c->k, c->m));
    return all ? sum / all : 0;
}

static void assert_holds(const kn_release *r, const kn_guarantee *g, const kn_hierarchies *hs,
                         const kn_run *run)
{
    kn_verdict *verdict;

    assert_int_equal(kn_check(&verdict, kn_release_data(r), g, 1, hs, run, NULL), KN_OK);
    assert_true(kn_verdict_holds(verdict));
    kn_verdict_free(verdict);
}

/* ---- memory ---- */

/* A case that has a solution. */
static void feasible_case(km_case *c, kn_rng *r)
{
    do {
        random_case(c, r);
    } while (!has_items(&c->data) || isinf(km_best(&c->data, &c->tree, c->k, c->m)));
}

/* Anonymise with each allocation failing in turn, until none does. */
static kn_release *survive(const kn_dataset *ds, const kn_hierarchies *hs,
                           const kn_anonymize_options *o, const kn_run *run)
{
    kn_release *r = NULL;
    kn_status status = KN_ENOMEM;

    for (size_t after = 1; status != KN_OK; after++) {
        kn__memory_fail_after(after);
        status = kn_anonymize(&r, ds, hs, o, run, NULL);
        kn__memory_fail_after(0);
        assert_true(status == KN_OK || status == KN_ENOMEM);
        assert_true((r != NULL) == (status == KN_OK));
    }
    return r;
}

typedef struct listening {
    const char *phase; /* this one is listened for */
    size_t left, calls, heard;
} listening;

static int listen(void *user, const char *phase, double done)
{
    listening *l = user;

    assert_true(done <= 1);
    l->calls++;
    l->heard += strcmp(phase, l->phase) == 0 && done >= 0;
    return l->left-- == 0;
}

/* Stopped at every call of progress, a method says so and leaves nothing behind; and it tells, of
 * what takes long, the share that is done. */
static void assert_stops(const char *method, const char *phase)
{
    kn_rng rng;
    size_t heard = 0;

    kn__rng_seed(&rng, 31, 0);
    for (int n = 0; n < 30; n++) {
        km_case c;
        kn_status status = KN_ECANCELLED;
        random_case(&c, &rng);
        kn_dataset *ds = make_dataset(&c.data);
        kn_hierarchies *hs = make_hierarchies(&c.tree, c.tree.leaves);
        const kn_guarantee g = asked(&c);
        const kn_anonymize_options o = {
            .guarantees = &g,
            .guarantees_count = 1,
            .method = method,
            .params = n % 3 && kn__param_find(&kn__method_find(method)->entry, "parts")
                          ? METHOD_PARAMS(method, "parts=2")
                          : NULL};
        for (size_t left = 0; status == KN_ECANCELLED; left++) {
            listening l = {.phase = phase, .left = left};
            const kn_run run = {.threads = 1 + (unsigned)(n % 3), .progress = listen, .user = &l};
            const size_t before = kn_memory_in_use();
            kn_release *r = NULL;
            status = kn_anonymize(&r, ds, hs, &o, &run, NULL);
            assert_int_equal(l.calls > left, status == KN_ECANCELLED);
            kn_release_free(r);
            assert_int_equal(kn_memory_in_use(), before);
            heard += l.heard;
        }
        kn_hierarchies_free(hs);
        kn_dataset_free(ds);
    }
    assert_true(heard > 0);
}

#endif
