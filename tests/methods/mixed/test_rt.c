/* Tables with items: the six merging algorithms against themselves done naively, releases against
 * the definitions of the RT paper, its Fig. 2a, bounds that hold for what is published, and what
 * users may get wrong. */
#include "methods/cluster/validate.h"
#include "base/memory.h"
#include "base/rng.h"
#include "data/dataset.h"
#include "hierarchy/hierarchy.h"
#include "kanon/anonymize.h"
#include "release/release.h"
#include "methods/mixed/rt.h"
#include "methods/mixed/merge.h"
#include "rounds.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

#include "methods/method_params.h"
#include "oracle/rt.h"
#include "oracle/rt_merge.h"

#define CASES    test_rounds(1500)
#define RELEASES test_rounds(1200)

static const char *const names[] = {"number", "leaf", "items"};
static rt_answer answer; /* large */

/* A tiny table with items, and all that methods need of it. */
typedef struct subject {
    rm_world world;
    int times[RM_RECORDS][RM_ITEMS]; /* sensitive items too */
    bool bags, tree;                 /* the items have a hierarchy */
    bool sensitive[RM_ITEMS];
    int items, secrets;
    kn_dataset *ds;
    kn_hierarchies *hs;
    kn_guarantee guarantee;
    kn_anonymize_options options;
    /* Parameters of the method: take_params gives it those that it has. */
    bool paper, exact_utility;
    kn_merge merge;
    double delta;
    size_t parts; /* 0: the default */
    kn_run run;
    /* As the driver has them. */
    kn_task task;
    kn_rt_items column;
    size_t qi[2];
    kn_domain *domain[2];
    double weight[2];
    kn_cluster_items *t;
} subject;

static const char *const merges[] = {"rt", "r", "t"};

/* The parameters of the method that is set. */
static void take_params(subject *s)
{
    const char *method = s->options.method, *paper = s->paper ? "true" : "false";

    if (strcmp(method, "tfirst") == 0) {
        s->options.params = s->parts ? METHOD_PARAMS(method, "parts=%zu", s->parts) : NULL;
    } else if (strcmp(method, "rfirst") == 0) {
        s->options.params = METHOD_PARAMS(method, "paper=%s", paper);
    } else {
        s->options.params = METHOD_PARAMS(method, "paper=%s;delta=%.17g;merge=%s;exact-utility=%s",
                                          paper, s->delta, merges[s->merge],
                                          s->exact_utility ? "true" : "false");
    }
}

static void add_hierarchy(subject *s, const char *name, const char *text)
{
    kn_hierarchy *h;

    assert_int_equal(kn__hierarchy_parse(&h, name, text, strlen(text), NULL), KN_OK);
    assert_int_equal(kn_hierarchies_add(s->hs, name, h, NULL), KN_OK);
}

static void make_table(subject *s)
{
    char texts[RM_ITEMS][2];
    const char *secrets[RM_ITEMS];
    kn_schema *schema;
    kn_dataset_builder *b;

    assert_int_equal(kn_schema_new(&schema, NULL), KN_OK);
    for (int i = 0; i < 3; i++) {
        assert_int_equal(kn_schema_set_role(schema, names[i], KN_ROLE_QUASI, NULL), KN_OK);
    }
    assert_int_equal(kn_schema_set_type(schema, "items", s->bags ? KN_TYPE_BAG : KN_TYPE_SET, NULL),
                     KN_OK);
    for (int x = 0; x < s->items; x++) {
        texts[x][0] = (char)('a' + x);
        texts[x][1] = '\0';
        if (s->sensitive[x]) {
            secrets[s->secrets++] = texts[x];
        }
    }
    if (s->secrets) {
        assert_int_equal(kn_schema_set_sensitive_items(schema, "items", KN_BY_ITEM, secrets,
                                                       (size_t)s->secrets, NULL),
                         KN_OK);
    }
    assert_int_equal(kn_dataset_builder_new(&b, names, 3, schema, NULL), KN_OK);
    for (int i = 0; i < s->world.records; i++) {
        char number[8], leaf[8], list[4 * RM_ITEMS * 2] = "";
        const char *row[] = {number, leaf, list};
        (void)snprintf(number, sizeof number, "%d", s->world.number[i]);
        (void)snprintf(leaf, sizeof leaf, "v%d", s->world.leaf[i]);
        for (int x = 0; x < s->items; x++) {
            for (int n = 0; n < s->times[i][x]; n++) {
                (void)snprintf(list + strlen(list), sizeof list - strlen(list), "%s%s",
                               *list ? "|" : "", texts[x]);
            }
        }
        assert_int_equal(kn_dataset_builder_add(b, row, NULL), KN_OK);
    }
    assert_int_equal(kn_dataset_builder_finish(&s->ds, b, NULL), KN_OK);
    kn_schema_free(schema);
    assert_int_equal(kn_hierarchies_new(&s->hs, NULL), KN_OK);
    add_hierarchy(
        s, "leaf",
        "v0;a;x;*\nv1;a;x;*\nv2;b;x;*\nv3;b;x;*\nv4;c;y;*\nv5;c;y;*\nv6;d;y;*\nv7;d;y;*\n");
    if (s->tree) {
        add_hierarchy(s, "items",
                      "a;A;X;*\nb;A;X;*\nc;B;X;*\nd;B;X;*\ne;C;Y;*\nf;C;Y;*\ng;D;Y;*\nh;D;Y;*\n");
    }
}

/* The rest of a subject whose records are known; the items that sensitive ones leave are what the
 * oracle sees. */
static void subject_finish(subject *s, uint64_t seed, kn_rng *r)
{
    for (int i = 0; i < s->world.records; i++) {
        for (int x = 0; x < s->items; x++) {
            s->world.holds[i][x] = s->times[i][x] > 0 && !s->sensitive[x];
        }
    }
    make_table(s);
    s->guarantee = (kn_guarantee){.kind = KN_K_KM_ANONYMITY,
                                  .k = 1 + kn__rng_below(r, 4),
                                  .m = 1 + kn__rng_below(r, 3),
                                  .l = 1 + (double)kn__rng_below(r, 3) / 2};
    s->guarantee.k = s->guarantee.k > (size_t)s->world.records ? 1 : s->guarantee.k;
    if (s->secrets && kn__rng_below(r, 2)) {
        s->guarantee.kind = KN_K_LM_DIVERSITY;
    }
    s->run = (kn_run){.threads = 1, .seed = seed};
    s->options = (kn_anonymize_options){.guarantees = &s->guarantee, .guarantees_count = 1};
    s->paper = kn__rng_below(r, 2) == 0;
    s->task = (kn_task){.ds = s->ds,
                        .qi = s->qi,
                        .qis = 2,
                        .domain = s->domain,
                        .weight = s->weight,
                        .hierarchies = s->hs,
                        .options = &s->options,
                        .run = &s->run};
}

static void subject_random(subject *s, uint64_t seed, int items, bool secrets)
{
    kn_rng r;
    int held = 0;

    memset(s, 0, sizeof *s);
    kn__rng_seed(&r, seed, 77);
    s->items = items;
    s->bags = kn__rng_below(&r, 3) == 0;
    s->tree = kn__rng_below(&r, 2) == 0;
    s->world.records = 4 + (int)kn__rng_below(&r, RM_RECORDS - 3);
    for (int x = 1; secrets && x < items; x++) {
        s->sensitive[x] = kn__rng_below(&r, 4) == 0;
    }
    for (int i = 0; i < s->world.records; i++) {
        const uint64_t rarity = 2 + kn__rng_below(&r, 4);
        s->world.number[i] = i == 0 ? 0 : i == 1 ? RM_WIDTH : (int)kn__rng_below(&r, RM_WIDTH + 1);
        s->world.leaf[i] = (int)kn__rng_below(&r, RM_LEAVES);
        for (int x = 0; x < items; x++) {
            /* Every item occurs: what is sensitive must be known. */
            const bool holds = kn__rng_below(&r, rarity) == 0 || i == x % s->world.records;
            s->times[i][x] = holds ? 1 + (s->bags ? (int)kn__rng_below(&r, 2) : 0) : 0;
            held += holds;
        }
    }
    assert_true(held > 0);
    subject_finish(s, seed, &r);
}

/* Records of two classes, one item sensitive: some hold all other items, some the sensitive and one
 * of the others, some none. Often k-lm-diverse as they are, and not with coarser items, which unite
 * the holders of the sensitive item. */
static void subject_alike(subject *s, uint64_t seed)
{
    kn_rng r;

    memset(s, 0, sizeof *s);
    kn__rng_seed(&r, seed, 78);
    s->items = 4;
    s->sensitive[3] = true;
    s->bags = kn__rng_below(&r, 4) == 0;
    s->tree = kn__rng_below(&r, 2) == 0;
    s->world.records = 4 + (int)kn__rng_below(&r, 13);
    for (int i = 0; i < s->world.records; i++) {
        const int kind = (int)kn__rng_below(&r, 4), one = (int)kn__rng_below(&r, 3);
        s->world.number[i] = i % 2 ? RM_WIDTH : 0;
        for (int x = 0; x < 3; x++) {
            s->times[i][x] = kind == 0 || i < 2 || (kind != 3 && x == one);
        }
        s->times[i][3] = i == 2 || (kind == 1 && i > 1);
    }
    subject_finish(s, seed, &r);
    s->guarantee = (kn_guarantee){.kind = KN_K_LM_DIVERSITY,
                                  .k = 1 + kn__rng_below(&r, 2),
                                  .m = 1 + kn__rng_below(&r, 2),
                                  .l = kn__rng_below(&r, 2) ? 1.5 : 2};
}

static void subject_prepare(subject *s)
{
    for (size_t q = 0; q < 2; q++) {
        s->qi[q] = q;
        s->weight[q] = 0.5;
        assert_int_equal(kn__domain_new(&s->domain[q], &s->ds->column[q],
                                        kn_hierarchies_get(s->hs, names[q]), KN_UNCOVERED_ROOT,
                                        NULL),
                         KN_OK);
    }
    assert_int_equal(kn__rt_items_find(&s->column, &s->task, NULL), KN_OK);
    assert_int_equal(kn__cluster_items_new(&s->t, s->column.baskets, s->column.domain, s->column.k,
                                           s->column.m, s->column.l, s->column.sensitive.is, 2,
                                           &s->run, NULL),
                     KN_OK);
}

static void subject_clear(subject *s)
{
    kn__cluster_items_free(s->t);
    kn__rt_items_clear(&s->column);
    kn__domain_free(s->domain[0]);
    kn__domain_free(s->domain[1]);
    kn_hierarchies_free(s->hs);
    kn_dataset_free(s->ds);
}

static double ul_of(void *user, const int *records, int count)
{
    subject *s = user;
    uint32_t list[RM_RECORDS];
    kn_part_map map = {0};
    double ul;

    for (int i = 0; i < count; i++) {
        list[i] = (uint32_t)records[i];
    }
    assert_int_equal(kn__cluster_items_run(s->t, 0, list, (size_t)count, &map, NULL), KN_OK);
    ul = map.ul;
    kn__part_map_clear(&map);
    return ul;
}

static bool is_feasible(const subject *s, const uint32_t *records, int count)
{
    kn_feasibility feasible;

    assert_int_equal(kn__cluster_items_feasible(s->t, 0, records, (size_t)count, &feasible, NULL),
                     KN_OK);
    return feasible != KN_FEASIBLE_NOT;
}

static bool union_is_feasible(void *user, const int *records, int count)
{
    uint32_t list[RM_RECORDS];

    for (int i = 0; i < count; i++) {
        list[i] = (uint32_t)records[i];
    }
    return is_feasible(user, list, count);
}

/* ---- merging ---- */

/* The clusters of both are the same: the same records together. */
static void assert_same(const subject *s, const kn_clusters *c, const char *what, uint64_t seed)
{
    for (int i = 0; i < s->world.records; i++) {
        for (int j = 0; j < i; j++) {
            if ((c->cluster[i] == c->cluster[j]) != (s->world.cluster[i] == s->world.cluster[j])) {
                fail_msg("case %llu, %s: records %d and %d", (unsigned long long)seed, what, i, j);
            }
        }
    }
}

/* Clusters that T makes something of, in both worlds; false if there are none. */
static bool start(subject *s, kn_rt_merge *x)
{
    kn_clusters *c = NULL;
    kn_status status;

    assert_int_equal(kn__clusters_new(&c, &s->task, s->column.k, s->paper, KN_PRICE_NCP, NULL),
                     KN_OK);
    assert_int_equal(kn__growing_clusters_new(&x->parts, c, s->column.baskets,
                                              s->column.sensitive.is, NULL),
                     KN_OK);
    status = kn__rt_merge_feasible(x, NULL);
    if (status != KN_OK) {
        uint32_t all[RM_RECORDS];
        for (int i = 0; i < s->world.records; i++) {
            all[i] = (uint32_t)i;
        }
        assert_int_equal(status, KN_EINFEASIBLE);
        assert_false(is_feasible(s, all, s->world.records));
        kn__growing_clusters_free(x->parts);
        return false;
    }
    s->world.clusters = (int)c->count;
    for (size_t i = 0; i < x->parts->count; i++) {
        uint32_t in[RM_RECORDS];
        const uint32_t a = x->parts->number[i];
        kn__growing_clusters_records(x->parts, a, in);
        assert_true(is_feasible(s, in, (int)c->size[a]));
        for (uint32_t j = 0; j < c->size[a]; j++) {
            s->world.cluster[in[j]] = (int)a;
        }
    }
    return true;
}

static const char *const words[] = {"rt", "r", "t"};

static void within_rum(subject *s, kn_rt_merge *x, kn_rng *r)
{
    const uint64_t unit = KN_NCP_ONE / 32;
    const int first = rm_table_rum(&s->world, -1, -1);
    const int limit = first + (int)kn__rng_below(r, (uint64_t)(32 * s->world.records - first + 1));

    assert_true(x->parts->sum == (uint64_t)first * unit);
    assert_int_equal(kn__rt_merge_within_rum(x, (uint64_t)limit * unit, NULL), KN_OK);
    rm_within_rum(&s->world, words[x->how], x->exact, limit);
    assert_true(x->parts->sum == (uint64_t)rm_table_rum(&s->world, -1, -1) * unit);
}

static void to_tum(subject *s, kn_rt_merge *x, kn_rng *r)
{
    const double limit = (double)kn__rng_below(r, 1000) / 1000 * s->world.records;
    double reached, least = INFINITY;

    assert_int_equal(kn__rt_merge_to_tum(x, limit, &reached, NULL), KN_OK);
    assert_int_equal(rm_to_tum(&s->world, words[x->how], x->exact, limit, &least),
                     reached <= limit);
    for (size_t i = 0; i < x->parts->count && reached <= limit; i++) {
        const uint32_t a = x->parts->number[i];
        uint32_t in[RM_RECORDS];
        kn_part_map map;
        kn__growing_clusters_records(x->parts, a, in);
        assert_int_equal(kn__cluster_items_run(s->t, 0, in, x->parts->c->size[a], &map, NULL),
                         KN_OK);
        if (x->map[a].item) {
            assert_true(x->map[a].ul == map.ul && x->map[a].groups == map.groups);
        }
        kn__part_map_clear(&map);
    }
    if (reached > limit) {
        const subject was = *s;
        kn__growing_clusters_free(x->parts);
        assert_true(start(s, x));
        assert_int_equal(kn__rt_merge_least_tum(x, &reached, NULL), KN_OK);
        assert_true(fabs(reached - least) < 1e-9);
        memcpy(s->world.cluster, was.world.cluster, sizeof s->world.cluster);
    }
}

/* Bound after bound with one memo: each run is as if it were the first. */
static void merge_and_compare(subject *s, uint64_t seed, kn_rng *r, kn_merge how, bool exact,
                              bool tum)
{
    kn_rt_merge x = {.t = s->t, .how = how, .exact = exact, .run = &s->run};
    const char *reason = "";

    s->world.ul = ul_of;
    s->world.feasible = union_is_feasible;
    s->world.user = s;
    x.map = tum ? kn__zalloc_array(RM_RECORDS, sizeof *x.map) : NULL;
    assert_int_equal(kn__sweep_cache_new(&x.memo, NULL), KN_OK);
    for (int round = 0; round < (seed % 4 ? 1 : 3) && start(s, &x); round++) {
        if (tum) {
            to_tum(s, &x, r);
        } else {
            within_rum(s, &x, r);
        }
        kn__growing_clusters_finish(x.parts);
        assert_same(s, x.parts->c, words[how], seed);
        if (!clusters_validate(x.parts->c, &s->task, s->column.k, &reason)) {
            fail_msg("case %llu: %s", (unsigned long long)seed, reason);
        }
        kn__growing_clusters_free(x.parts);
        for (size_t i = 0; x.map && i < RM_RECORDS; i++) {
            kn__part_map_clear(&x.map[i]);
        }
    }
    kn__free(x.map);
    kn__sweep_cache_free(x.memo);
}

static void merges_equal_the_oracle(void **state)
{
    (void)state;
    for (uint64_t seed = 0; seed < CASES; seed++) {
        subject s;
        kn_rng r;
        kn__rng_seed(&r, seed, 78);
        subject_random(&s, seed, RM_ITEMS, seed % 3 == 0);
        s.run.threads = 1 + (unsigned)(seed % 2);
        subject_prepare(&s);
        for (int how = 0; how < 3; how++) {
            for (int exact = 0; exact < (seed % 4 == 0 ? 2 : 1); exact++) {
                merge_and_compare(&s, seed, &r, (kn_merge)how, exact, false);
                merge_and_compare(&s, seed, &r, (kn_merge)how, exact, true);
            }
        }
        subject_clear(&s);
    }
}

/* The paper's property 2: generalising two groups as one never costs less in the quasi-identifiers.
 * Clusters are merged at random until one is left. */
static void merging_never_lowers_rum(void **state)
{
    size_t merges = 0, raised = 0;

    (void)state;
    for (uint64_t seed = 0; seed < CASES; seed++) {
        subject s;
        kn_rng r;
        kn_clusters *c = NULL;
        kn_growing_clusters *p = NULL;
        kn__rng_seed(&r, seed, 79);
        subject_random(&s, seed, RM_ITEMS, false);
        subject_prepare(&s);
        assert_int_equal(kn__clusters_new(&c, &s.task, s.column.k, seed % 2, KN_PRICE_NCP, NULL),
                         KN_OK);
        assert_int_equal(
            kn__growing_clusters_new(&p, c, s.column.baskets, s.column.sensitive.is, NULL), KN_OK);
        while (p->count > 1) {
            const uint64_t before = p->sum;
            const size_t i = (size_t)kn__rng_below(&r, p->count);
            const size_t j = (i + 1 + (size_t)kn__rng_below(&r, p->count - 1)) % p->count;
            assert_int_equal(kn__growing_clusters_merge(p, p->number[i], p->number[j], -1, NULL),
                             KN_OK);
            assert_true(p->sum >= before);
            raised += p->sum > before;
            merges++;
        }
        kn__growing_clusters_free(p);
        subject_clear(&s);
    }
    assert_true(merges > CASES && raised > merges / 4);
}

/* ---- releases ---- */

/* One class of the release, as the oracle has it; false if it has more items than that takes. */
static bool class_of(const kn_dataset *ds, size_t first, const subject *s, rt_data *d)
{
    const kn_column *items = &ds->column[2];
    uint32_t number[RT_ITEMS];
    int numbers = 0;

    memset(d, 0, sizeof *d);
    d->bags = s->bags;
    for (size_t i = 0; i < ds->records; i++) {
        if (kn__column_code(&ds->column[0], i) != kn__column_code(&ds->column[0], first) ||
            kn__column_code(&ds->column[1], i) != kn__column_code(&ds->column[1], first)) {
            continue;
        }
        if (d->records == RT_RECORDS) {
            return false;
        }
        for (uint64_t j = items->starts[i]; j < items->starts[i + 1]; j++) {
            const uint32_t code = kn__code_get(items->codes, items->width, (size_t)j);
            size_t len;
            const char *text = kn__column_text(items, code, &len);
            int n = 0;
            while (n < numbers && number[n] != code) {
                n++;
            }
            if (n == RT_ITEMS) {
                return false;
            }
            number[n] = code;
            numbers += n == numbers;
            d->sensitive[n] = len == 1 && text[0] >= 'a' && text[0] <= 'h' &&
                              s->sensitive[text[0] - 'a'];
            d->times[d->records][n]++;
        }
        d->records++;
    }
    return true;
}

static void assert_defined(const subject *s, const kn_dataset *ds, uint64_t seed)
{
    static int asked, answered;

    for (size_t i = 0; i < ds->records; i++) {
        rt_data d;
        asked++;
        if (class_of(ds, i, s, &d)) {
            const bool lm = s->guarantee.kind == KN_K_LM_DIVERSITY;
            rt_solve(&d, (int)s->guarantee.k, lm ? s->guarantee.l : 1, (int)s->guarantee.m,
                     &answer);
            if (!answer.anonymous || (lm && !answer.diverse)) {
                fail_msg("case %llu: the class of record %zu", (unsigned long long)seed, i);
            }
            answered++;
        }
    }
    assert_true(asked < 1000 || answered > asked / 4); /* the oracle saw enough */
}

/* Whether the table holds as it is, by the oracle; false also where that has no room for it. */
static bool holds_as_it_is(const subject *s)
{
    for (size_t i = 0; i < s->ds->records; i++) {
        rt_data d;
        if (!class_of(s->ds, i, s, &d)) {
            return false;
        }
        rt_solve(&d, (int)s->guarantee.k, s->guarantee.l, (int)s->guarantee.m, &answer);
        if (!answer.anonymous || !answer.diverse) {
            return false;
        }
    }
    return true;
}

static double measured(const subject *s, const kn_release *r, const char *what)
{
    kn_measures *m = NULL;
    kn_error err = {0};
    double value;

    if (kn_measure(&m, s->ds, kn_release_data(r), r->origin, s->hs, &s->run, &err) != KN_OK) {
        fail_msg("%s", err.message);
    }
    value = kn_measures_value(m, what, NULL);
    kn_measures_free(m);
    return value;
}

static void assert_released(const subject *s, const kn_release *r, uint64_t seed)
{
    kn_verdict *v = NULL;
    const double rum = measured(s, r, "relational_ncp"), tum = measured(s, r, "ul");
    const kn_cluster_counts counts = kn_release_clusters(r);

    if (!s->secrets) { /* they are named when a file is read back; see tests/cli/rt.sh */
        assert_int_equal(kn_check(&v, kn_release_data(r), &s->guarantee, 1, s->hs, &s->run, NULL),
                         KN_OK);
        assert_true(kn_verdict_holds(v));
        kn_verdict_free(v);
    }
    assert_defined(s, kn_release_data(r), seed);
    if (strcmp(s->options.method, "rum-bound") == 0) {
        assert_true(rum <= s->delta);
    } else if (strcmp(s->options.method, "tum-bound") == 0) {
        assert_true(tum <= s->delta);
    }
    assert_int_equal(counts.formed - counts.merges, counts.clusters);
    assert_true(counts.largest >= s->guarantee.k);
}

/* The smallest delta that a message says can be reached works. */
static void take_the_hint(subject *s, const char *message, uint64_t seed)
{
    const char *at = strstr(message, "can be reached here is ");
    kn_release *r = NULL;
    kn_error err = {0};

    if (!at) {
        assert_true(strstr(message, "not even all records") ||
                    strstr(message, "nothing was found")); /* with no bound either */
        return;
    }
    s->delta = strtod(at + strlen("can be reached here is "), NULL);
    assert_true(s->delta > 0 && s->delta <= 1);
    take_params(s);
    if (kn_anonymize(&r, s->ds, s->hs, &s->options, &s->run, &err) != KN_OK) {
        fail_msg("case %llu: %s: %s", (unsigned long long)seed, s->options.method, err.message);
    }
    assert_released(s, r, seed);
    kn_release_free(r);
}

static void releases_keep_what_they_promise(void **state)
{
    static const char *const methods[] = {"rum-bound", "tum-bound", "rfirst", "tfirst"};
    int made = 0, hints = 0;

    (void)state;
    for (uint64_t seed = 0; seed < RELEASES; seed++) {
        subject s;
        kn_rng r;
        kn__rng_seed(&r, seed, 79);
        subject_random(&s, seed + 100000, 5, seed % 2 == 0);
        for (int i = 0; i < 4; i++) {
            kn_release *release = NULL;
            kn_error err = {0};
            kn_status status;
            s.options.method = methods[i];
            s.merge = (kn_merge)kn__rng_below(&r, 3);
            s.exact_utility = kn__rng_below(&r, 5) == 0;
            s.delta = (1 + (double)kn__rng_below(&r, 100)) / 100;
            s.parts = kn__rng_below(&r, 4);
            take_params(&s);
            status = kn_anonymize(&release, s.ds, s.hs, &s.options, &s.run, &err);
            if (status == KN_EINFEASIBLE) {
                take_the_hint(&s, err.message, seed);
                hints++;
                continue;
            }
            if (status != KN_OK) {
                fail_msg("case %llu: %s", (unsigned long long)seed, err.message);
            }
            assert_released(&s, release, seed);
            kn_release_free(release);
            made++;
        }
        subject_clear(&s);
    }
    assert_true(made > RELEASES && hints > RELEASES / 20);
}

/* rum-bound: what a larger bound allows is never worse in UL, which it lowers, and the bound holds.
 */
static void a_larger_delta_is_never_worse(void **state)
{
    int pairs = 0, lower = 0;

    (void)state;
    for (uint64_t seed = 0; seed < RELEASES / 2; seed++) {
        double before = INFINITY;
        subject s;
        subject_random(&s, seed + 400000, 5, seed % 2 == 0);
        s.options.method = "rum-bound";
        s.paper = false;
        s.merge = (kn_merge)(seed % 3);
        s.exact_utility = seed % 7 == 0;
        for (int i = 1; i <= 10; i++) {
            kn_release *release = NULL;
            double ul;
            s.delta = i / 10.0;
            take_params(&s);
            if (kn_anonymize(&release, s.ds, s.hs, &s.options, &s.run, NULL) != KN_OK) {
                assert_true(isinf(before)); /* what a smaller one reaches, this one does */
                continue;
            }
            assert_released(&s, release, seed);
            ul = measured(&s, release, "ul");
            if (ul > before + 1e-9) {
                fail_msg("case %llu: ul is %g with delta %g, and was %g before",
                         (unsigned long long)seed, ul, s.delta, before);
            }
            pairs += !isinf(before);
            lower += ul < before - 1e-9 && !isinf(before);
            before = ul;
            kn_release_free(release);
        }
        subject_clear(&s);
    }
    assert_true(pairs > RELEASES && lower > pairs / 20);
}

/* l^m-diversity is not monotone under generalisation: what holds as it is need not hold with
 * coarser items, and must be published all the same. */
static void what_holds_is_published(void **state)
{
    static const char *const methods[] = {"rum-bound", "tum-bound", "rfirst", "tfirst"};
    int asked = 0, finer = 0, made = 0;

    (void)state;
    for (uint64_t seed = 0; seed < 6 * RELEASES; seed++) {
        subject s;
        subject_alike(&s, seed + 300000);
        if (!holds_as_it_is(&s)) { /* whatever is published holds */
            kn_release *release = NULL;
            s.options.method = methods[seed % 4];
            s.delta = 1;
            take_params(&s);
            if (kn_anonymize(&release, s.ds, s.hs, &s.options, &s.run, NULL) == KN_OK) {
                assert_released(&s, release, seed);
                made++;
            }
            kn_release_free(release);
            subject_clear(&s);
            continue;
        }
        asked++;
        for (int i = 0; i < 4; i++) {
            kn_release *release = NULL;
            kn_error err = {0};
            s.options.method = methods[i];
            s.merge = (kn_merge)(seed % 3);
            s.exact_utility = seed % 5 == 0;
            s.delta = 1;
            s.parts = seed % 4;
            take_params(&s);
            if (kn_anonymize(&release, s.ds, s.hs, &s.options, &s.run, &err) != KN_OK) {
                fail_msg("case %llu, %s: %s", (unsigned long long)seed, methods[i], err.message);
            }
            assert_released(&s, release, seed);
            kn_release_free(release);
        }
        subject_prepare(&s);
        {
            uint32_t all[RM_RECORDS];
            kn_feasibility feasible;
            for (int i = 0; i < s.world.records; i++) {
                all[i] = (uint32_t)i;
            }
            assert_int_equal(kn__cluster_items_feasible(s.t, 0, all, (size_t)s.world.records,
                                                        &feasible, NULL),
                             KN_OK);
            finer += feasible == KN_FEASIBLE_FINER;
        }
        subject_clear(&s);
    }
    print_message("%d tables hold as they are, %d of them with finer items only\n", asked, finer);
    assert_true(asked > test_rounds(100) && made > test_rounds(100) &&
                finer > (test_rounds(100) == 100 ? 5 : 0));
}

/* ---- the paper's figures ---- */

static void figure_2a(void **state)
{
    static const int age[] = {19, 22, 28, 39, 70, 55};
    static const char *const origin[] = {"France", "Greece",  "Germany",
                                         "Spain",  "Algeria", "Nigeria"};
    static const char *const gender[] = {"Male", "Male", "Female", "Female", "Female", "Male"};
    static const char *const items[] = {"B|E|F|G", "D|E|F|H", "B|C|E|G", "D|F|H", "E|G", "A|F|H"};
    static const char *const columns[] = {"Age", "Origin", "Gender", "Products"};
    static const char *const secrets[] = {"G", "H"};
    const kn_guarantee g = {.kind = KN_K_LM_DIVERSITY, .k = 2, .m = 2, .l = 2};
    subject s = {0};
    kn_schema *schema;
    kn_dataset_builder *b;

    (void)state;
    assert_int_equal(kn_schema_new(&schema, NULL), KN_OK);
    for (int i = 0; i < 4; i++) {
        assert_int_equal(kn_schema_set_role(schema, columns[i], KN_ROLE_QUASI, NULL), KN_OK);
    }
    assert_int_equal(kn_schema_set_type(schema, "Products", KN_TYPE_SET, NULL), KN_OK);
    assert_int_equal(
        kn_schema_set_sensitive_items(schema, "Products", KN_BY_ITEM, secrets, 2, NULL), KN_OK);
    assert_int_equal(kn_dataset_builder_new(&b, columns, 4, schema, NULL), KN_OK);
    for (int i = 0; i < 6; i++) {
        char number[8];
        const char *row[] = {number, origin[i], gender[i], items[i]};
        (void)snprintf(number, sizeof number, "%d", age[i]);
        assert_int_equal(kn_dataset_builder_add(b, row, NULL), KN_OK);
    }
    assert_int_equal(kn_dataset_builder_finish(&s.ds, b, NULL), KN_OK);
    kn_schema_free(schema);
    assert_int_equal(kn_hierarchies_new(&s.hs, NULL), KN_OK);
    add_hierarchy(&s, "Origin",
                  "France;Europe;All\nGreece;Europe;All\nGermany;Europe;All\nSpain;Europe;All\n"
                  "Algeria;Africa;All\nNigeria;Africa;All\n");
    add_hierarchy(&s, "Gender", "Male;All\nFemale;All\n");
    for (uint64_t seed = 0; seed < 20; seed++) {
        const kn_anonymize_options o = {.guarantees = &g,
                                        .guarantees_count = 1,
                                        .method = "rfirst"};
        static const char *const published[] = {"[19,22]", "[28,39]", "[55,70]"};
        kn_run run = {.seed = seed};
        kn_release *r = NULL;
        assert_int_equal(kn_anonymize(&r, s.ds, s.hs, &o, &run, NULL), KN_OK);
        for (size_t i = 0; i < 6; i++) {
            const kn_column *c = &kn_release_data(r)->column[0];
            size_t len;
            const char *text = kn__column_text(c, kn__column_code(c, i), &len);
            assert_int_equal(len, 7);
            assert_memory_equal(text, published[i / 2], 7);
        }
        kn_release_free(r);
    }
    subject_clear(&s);
}

/* ---- threads, memory, progress ---- */

static void assert_equal_column(const kn_column *a, const kn_column *b, size_t records)
{
    const size_t codes = a->starts ? (size_t)a->starts[records] : records;

    assert_int_equal(kn__column_values(a), kn__column_values(b));
    if (a->starts) {
        assert_memory_equal(a->starts, b->starts, (records + 1) * sizeof *a->starts);
    }
    for (size_t i = 0; i < codes; i++) {
        size_t a_len, b_len;
        const char *x = kn__column_text(a, kn__code_get(a->codes, a->width, i), &a_len);
        const char *y = kn__column_text(b, kn__code_get(b->codes, b->width, i), &b_len);
        assert_int_equal(a_len, b_len);
        assert_memory_equal(x, y, a_len);
    }
}

/* A table large enough for clusters to be looked at by several threads. */
static kn_dataset *large(size_t records)
{
    kn_schema *schema;
    kn_dataset_builder *b;
    kn_dataset *ds;
    kn_rng r;

    kn__rng_seed(&r, 5, 80);
    assert_int_equal(kn_schema_new(&schema, NULL), KN_OK);
    for (int i = 0; i < 3; i++) {
        assert_int_equal(kn_schema_set_role(schema, names[i], KN_ROLE_QUASI, NULL), KN_OK);
    }
    assert_int_equal(kn_schema_set_type(schema, "items", KN_TYPE_SET, NULL), KN_OK);
    assert_int_equal(kn_dataset_builder_new(&b, names, 3, schema, NULL), KN_OK);
    for (size_t i = 0; i < records; i++) {
        char number[8], leaf[8], list[64] = "";
        const char *row[] = {number, leaf, list};
        (void)snprintf(number, sizeof number, "%d", (int)kn__rng_below(&r, 5000));
        (void)snprintf(leaf, sizeof leaf, "v%d", (int)kn__rng_below(&r, RM_LEAVES));
        for (uint64_t n = kn__rng_below(&r, 6); n > 0; n--) {
            (void)snprintf(list + strlen(list), sizeof list - strlen(list), "%si%d",
                           *list ? "|" : "", (int)kn__rng_below(&r, 40));
        }
        assert_int_equal(kn_dataset_builder_add(b, row, NULL), KN_OK);
    }
    assert_int_equal(kn_dataset_builder_finish(&ds, b, NULL), KN_OK);
    kn_schema_free(schema);
    return ds;
}

static void threads_change_nothing(void **state)
{
    const kn_guarantee g = {.kind = KN_K_KM_ANONYMITY, .k = 2, .m = 2};
    kn_dataset *ds = large(12000);

    (void)state;
    for (int how = 0; how < 4; how++) {
        kn_release *r[2] = {NULL, NULL};
        const kn_anonymize_options o = {
            .guarantees = &g,
            .guarantees_count = 1,
            .params = METHOD_PARAMS(how < 3 ? "rum-bound" : "tum-bound", "merge=%s;delta=%g",
                                    merges[how % 3], how < 3 ? 0.05 : 0.6)};
        for (unsigned i = 0; i < 2; i++) {
            const kn_run run = {.threads = i ? 3 : 1};
            assert_int_equal(kn_anonymize(&r[i], ds, NULL, &o, &run, NULL), KN_OK);
        }
        assert_true(kn_release_clusters(r[0]).formed > 4500);
        assert_true(kn_release_clusters(r[0]).merges > 0);
        for (size_t i = 0; i < 3; i++) {
            assert_equal_column(&kn_release_data(r[0])->column[i],
                                &kn_release_data(r[1])->column[i], ds->records);
        }
        kn_release_free(r[0]);
        kn_release_free(r[1]);
    }
    kn_dataset_free(ds);
}

static void failed_allocations_leave_nothing(void **state)
{
    static const char *const methods[] = {"rum-bound", "tum-bound", "tfirst"};

    (void)state;
    for (uint64_t seed = 0; seed < 6; seed++) {
        subject s;
        bool struck = true;
        subject_random(&s, seed + 200000, 5, seed % 2);
        s.guarantee.k = 2;
        s.guarantee.l = 1;
        s.options.method = methods[seed % 3];
        s.exact_utility = seed == 3;
        s.delta = seed == 4 ? 0.9 : 1;
        take_params(&s);
        if (seed % 2 == 0) {
            assert_int_equal(kn_dataset_set_item_weight(s.ds, 2, "a", 0.5, NULL), KN_OK);
        }
        for (size_t n = 1; struck; n++) {
            kn_release *r = NULL;
            kn_error err = {0};
            kn_status status;
            kn__memory_fail_after(n);
            status = kn_anonymize(&r, s.ds, s.hs, &s.options, &s.run, &err);
            struck = kn__memory_failed();
            kn__memory_fail_after(0);
            assert_true(status == (struck ? KN_ENOMEM : KN_OK));
            assert_true((r == NULL) == struck);
            kn_release_free(r);
        }
        subject_clear(&s);
    }
}

static int stop_at(void *user, const char *phase, double done)
{
    (void)done;
    return strcmp(phase, user) == 0;
}

static void progress_can_stop_it(void **state)
{
    static char phases[][16] = {"rum-bound", "merging", "items"};
    const kn_guarantee g = {.kind = KN_K_KM_ANONYMITY, .k = 2, .m = 2};
    const kn_anonymize_options o = {.guarantees = &g,
                                    .guarantees_count = 1,
                                    .method = "rum-bound",
                                    .params = METHOD_PARAMS("rum-bound", "delta=0.3")};
    kn_dataset *ds = large(800);

    (void)state;
    for (int i = 0; i < 3; i++) {
        const kn_run run = {.progress = stop_at, .user = phases[i]};
        kn_release *r = NULL;
        assert_int_equal(kn_anonymize(&r, ds, NULL, &o, &run, NULL), KN_ECANCELLED);
        assert_null(r);
    }
    kn_dataset_free(ds);
}

/* ---- refusals ---- */

static void refused(const subject *s, kn_status expected, const char *words)
{
    kn_release *r = NULL;
    kn_error err = {0};

    assert_int_equal(kn_anonymize(&r, s->ds, s->hs, &s->options, &s->run, &err), expected);
    assert_null(r);
    if (!strstr(err.message, words)) {
        fail_msg("'%s' is not in: %s", words, err.message);
    }
}

static void refusals(void **state)
{
    const kn_guarantee two[] = {{.kind = KN_K_KM_ANONYMITY, .k = 2, .m = 2},
                                {.kind = KN_K_ANONYMITY, .k = 2}};
    subject s;

    (void)state;
    subject_random(&s, 1, 5, false);
    s.guarantee = (kn_guarantee){.kind = KN_K_KM_ANONYMITY, .k = 2, .m = 2};
    s.options.method = "mondrian";
    refused(&s, KN_EUSAGE, "method 'mondrian' is for tables");
    s.options.method = "rum-bound";
    s.paper = false;
    s.delta = 0;
    take_params(&s);
    refused(&s, KN_EINFEASIBLE, "cannot be kept at delta = 0;");
    s.options.params = NULL;
    s.guarantee.k = 1000;
    refused(&s, KN_EINFEASIBLE, "needs at least 1000 records");
    s.guarantee.k = 2;
    s.options.guarantees = two;
    s.options.guarantees_count = 2;
    refused(&s, KN_EUSAGE, "k-anonymity cannot be reached together with");
    s.options.guarantees = &two[0];
    s.options.guarantees_count = 1;
    s.delta = 1;
    take_params(&s);
    s.ds->column[0].weight = 2;
    refused(&s, KN_EUSAGE, "the weight of column 'number' is 2");
    s.ds->column[0].weight = 1;
    s.options.guarantees = &two[1];
    s.options.guarantees_count = 1;
    refused(&s, KN_EUSAGE, "method 'rum-bound' is for tables with items");
    subject_clear(&s);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(merges_equal_the_oracle),
        cmocka_unit_test(merging_never_lowers_rum),
        cmocka_unit_test(releases_keep_what_they_promise),
        cmocka_unit_test(what_holds_is_published),
        cmocka_unit_test(a_larger_delta_is_never_worse),
        cmocka_unit_test(figure_2a),
        cmocka_unit_test(threads_change_nothing),
        cmocka_unit_test(failed_allocations_leave_nothing),
        cmocka_unit_test(progress_can_stop_it),
        cmocka_unit_test(refusals),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
