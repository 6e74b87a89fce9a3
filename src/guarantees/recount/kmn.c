/* kmn.c - counting a second time, record by record, what an attacker may know about tree records.
 *
 * A part is a set of nodes of a record with different values that hang together: all but one of
 * them have an ancestor in the set. It is written down as its values, each with the value of one of
 * its ancestors in the set: a relation that is known. Where a node has several such ancestors, each
 * choice is knowledge that the record matches. All parts
 * of a record of up to n relations are listed, each once; knowledge is a set of parts and of single
 * values with at most m different values and n relations in all. Every knowledge that a record
 * matches adds one to its entry of a hash table; the key is 128 bits of hash, so that two kinds of
 * knowledge share an entry with a probability below 2^-64. For l-diversity a second table counts
 * knowledge together with each sensitive value of the record. */
#include "guarantees/recount/kmn.h"
#include "base/error.h"
#include "base/hash.h"
#include "base/memory.h"
#include "base/sort.h"
#include "base/threads.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { MOST_VALUES = 16, STEP = 1 << 12 };

typedef struct key {
    uint64_t a, b;
} key;

typedef struct entry {
    key k;
    uint32_t count, last; /* last record, + 1; 0: free */
    uint32_t most;        /* records that share one sensitive value */
} entry;

typedef struct table {
    entry *slot;
    size_t mask, len;
} table;

/* A part of the record that is looked at. */
typedef struct part {
    key k;
    uint32_t values, relations;
    uint32_t value[MOST_VALUES]; /* ascending */
} part;

typedef struct counting {
    const kn_forest *f;
    size_t m, n;
    uint64_t *hash; /* by value, salted */
    bool *taken;    /* by value */
    uint64_t least; /* hash of the taken values of the record: no value with a lesser one counts */
    table known;    /* by knowledge */
    table held;     /* by knowledge and sensitive value */
    const kn_kmn_sensitive *sensitive;
    uint32_t *secret; /* the different sensitive values of the record, ascending */
    size_t secrets, secret_cap;
    uint32_t most; /* records that share one sensitive value, nothing being known */
    part *parts;   /* of the record */
    size_t parts_len, parts_cap;
    uint32_t record;
    const uint32_t *value, *parent;
    uint32_t size;
    uint32_t node[MOST_VALUES]; /* the part that is grown */
    uint32_t nodes;
    uint32_t *single; /* the different values of the record, ascending */
    size_t singles;
    kn_status status;
    kn_error *err;
} counting;

static key mix(key k, uint64_t x)
{
    return (key){kn__mix(k.a ^ x, UINT64_C(0x9e3779b97f4a7c15)),
                 kn__mix(k.b + x, UINT64_C(0xc2b2ae3d27d4eb4f)) ^ (x << 7)};
}

static const key start = {UINT64_C(0x243f6a8885a308d3), UINT64_C(0x13198a2e03707344)};

/* ---- the table ---- */

static kn_status grow_table(table *t, kn_error *err)
{
    const size_t slots = t->slot ? 2 * (t->mask + 1) : 4096;
    entry *next = kn__zalloc_array(slots, sizeof *next);

    KN_PASS(next ? KN_OK : kn__nomem(err));
    for (size_t i = 0; t->slot && i <= t->mask; i++) {
        if (t->slot[i].last) {
            size_t at = (size_t)t->slot[i].k.a & (slots - 1);
            while (next[at].last) {
                at = (at + 1) & (slots - 1);
            }
            next[at] = t->slot[i];
        }
    }
    kn__free(t->slot);
    t->slot = next;
    t->mask = slots - 1;
    return KN_OK;
}

/* Add one to the entry `k`, once per record. NULL: this record did already, or there is no memory.
 */
static entry *count(counting *c, table *t, key k)
{
    size_t at;

    if (!t->slot || t->len * 2 > t->mask) {
        c->status = c->status == KN_OK ? grow_table(t, c->err) : c->status;
        if (c->status != KN_OK) {
            return NULL;
        }
    }
    at = (size_t)k.a & t->mask;
    while (t->slot[at].last && (t->slot[at].k.a != k.a || t->slot[at].k.b != k.b)) {
        at = (at + 1) & t->mask;
    }
    if (t->slot[at].last == c->record + 1) {
        return NULL;
    }
    if (!t->slot[at].last) {
        t->slot[at].k = k;
        t->len++;
    }
    t->slot[at].last = c->record + 1;
    t->slot[at].count++;
    return &t->slot[at];
}

/* Count the record's sensitive values together with `k`; the greatest count of one into `*most`. */
static void count_secrets(counting *c, key k, uint32_t *most)
{
    for (size_t i = 0; i < c->secrets; i++) {
        const entry *e = count(c, &c->held, mix(k, c->secret[i] + UINT64_C(0x200000000)));
        if (e && e->count > *most) {
            *most = e->count;
        }
    }
}

/* ---- parts ---- */

static bool is_ancestor(const counting *c, uint32_t above, uint32_t below)
{
    for (uint32_t i = c->parent[below]; i != KN_NO_PARENT; i = c->parent[i]) {
        if (i == above) {
            return true;
        }
    }
    return false;
}

static int compare_parts(const void *a, const void *b)
{
    const part *x = a, *y = b;

    const int order = KN_ORDER(x->k.a, y->k.a);

    return order ? order : KN_ORDER(x->k.b, y->k.b);
}

/* Write down the nodes as a part: values ascending, each with the chosen value above it. */
static void note_part(counting *c, const uint32_t *order, const uint32_t *above)
{
    part *p;

    if (kn__grow(&c->parts, &c->parts_cap, c->parts_len + 1, sizeof *c->parts, c->err) != KN_OK) {
        c->status = KN_ENOMEM;
        return;
    }
    p = &c->parts[c->parts_len++];
    *p = (part){.k = start, .values = c->nodes, .relations = c->nodes - 1};
    for (uint32_t i = 0; i < c->nodes; i++) {
        p->value[i] = c->value[order[i]];
        p->k = mix(p->k, (uint64_t)p->value[i] << 32 | above[i]);
    }
}

/* Every choice of a value above for the nodes from number `at` of the order on. */
static void choose_above(counting *c, const uint32_t *order, uint32_t *above, uint32_t at)
{
    if (at == c->nodes) {
        note_part(c, order, above);
        return;
    }
    if (order[at] == c->node[0]) {
        above[at] = UINT32_MAX;
        choose_above(c, order, above, at + 1);
        return;
    }
    for (uint32_t i = 0; i < c->nodes && c->status == KN_OK; i++) {
        if (is_ancestor(c, c->node[i], order[at])) {
            above[at] = c->value[c->node[i]];
            choose_above(c, order, above, at + 1);
        }
    }
}

static void note_parts(counting *c)
{
    uint32_t order[MOST_VALUES] = {0}, above[MOST_VALUES] = {0};

    for (uint32_t i = 0; i < c->nodes; i++) {
        uint32_t at = i;
        while (at > 0 && c->value[order[at - 1]] > c->value[c->node[i]]) {
            order[at] = order[at - 1];
            at--;
        }
        order[at] = c->node[i];
    }
    choose_above(c, order, above, 0);
}

/* Sets of nodes with root node[0], grown by nodes in preorder below the root. */
static void grow_part(counting *c, uint32_t from)
{
    if (c->nodes > 1) {
        note_parts(c);
    }
    for (uint32_t i = from; i < c->size && c->status == KN_OK; i++) {
        bool fresh = c->hash[c->value[i]] >= c->least && is_ancestor(c, c->node[0], i);
        for (uint32_t j = 0; fresh && j < c->nodes; j++) {
            fresh = c->value[c->node[j]] != c->value[i];
        }
        if (fresh && c->nodes < c->m && c->nodes <= c->n) {
            c->node[c->nodes++] = i;
            grow_part(c, i + 1);
            c->nodes--;
        }
    }
}

static void list_parts(counting *c)
{
    size_t kept = 0;

    c->parts_len = 0;
    for (uint32_t i = 0; i < c->size && c->n > 0 && c->status == KN_OK; i++) {
        if (c->hash[c->value[i]] >= c->least) {
            c->node[0] = i;
            c->nodes = 1;
            grow_part(c, i + 1);
        }
    }
    if (c->parts_len) {
        qsort(c->parts, c->parts_len, sizeof *c->parts, compare_parts);
    }
    for (size_t i = 0; i < c->parts_len; i++) {
        if (i == 0 || compare_parts(&c->parts[i], &c->parts[kept - 1]) != 0) {
            c->parts[kept++] = c->parts[i];
        }
    }
    c->parts_len = kept;
}

/* ---- knowledge ---- */

static bool holds(const uint32_t *values, uint32_t len, uint32_t value)
{
    for (uint32_t i = 0; i < len; i++) {
        if (values[i] == value) {
            return true;
        }
    }
    return false;
}

/* Whether the value with the least hash is one of those taken. */
static bool is_taken(const counting *c, const uint32_t *values, uint32_t len)
{
    uint32_t least = values[0];

    for (uint32_t i = 1; i < len; i++) {
        least = c->hash[values[i]] < c->hash[least] ? values[i] : least;
    }
    return c->taken[least];
}

/* Add single values from number `from` on. */
static void add_singles(counting *c, key k, uint32_t *values, uint32_t len, size_t from)
{
    if (len && is_taken(c, values, len)) {
        entry *e = count(c, &c->known, k);
        if (e) {
            count_secrets(c, k, &e->most);
        }
    }
    for (size_t i = from; len < c->m && i < c->singles && c->status == KN_OK; i++) {
        if (!holds(values, len, c->single[i])) {
            values[len] = c->single[i];
            add_singles(c, mix(k, c->single[i] + UINT64_C(0x100000000)), values, len + 1, i + 1);
        }
    }
}

/* Add parts from number `from` on. */
static void add_parts(counting *c, key k, uint32_t *values, uint32_t len, size_t relations,
                      size_t from)
{
    add_singles(c, k, values, len, 0);
    for (size_t i = from; i < c->parts_len && c->status == KN_OK; i++) {
        const part *p = &c->parts[i];
        uint32_t with = len;
        if (relations + p->relations > c->n) {
            continue;
        }
        for (uint32_t j = 0; j < p->values && with <= c->m; j++) {
            if (!holds(values, with, p->value[j])) {
                if (with < c->m) {
                    values[with] = p->value[j];
                }
                with++;
            }
        }
        if (with <= c->m) {
            add_parts(c, mix(mix(k, p->k.a), p->k.b), values, with, relations + p->relations,
                      i + 1);
        }
    }
}

static int ascending(const void *a, const void *b)
{
    const uint32_t x = *(const uint32_t *)a, y = *(const uint32_t *)b;

    return x < y ? -1 : x > y;
}

/* Sort values; each stays once. How many are left. */
static size_t sort_unique(uint32_t *list, size_t len)
{
    size_t kept = 0;

    if (len) {
        qsort(list, len, sizeof *list, ascending);
    }
    for (size_t i = 0; i < len; i++) {
        if (i == 0 || list[i] != list[kept - 1]) {
            list[kept++] = list[i];
        }
    }
    return kept;
}

static kn_status list_secrets(counting *c, size_t r)
{
    const kn_kmn_sensitive *s = c->sensitive;
    const uint32_t *value = s->f->value + s->f->starts[r];
    const uint32_t size = kn__forest_size(s->f, r);
    kn_status status;

    c->secrets = 0;
    KN_TRY(kn__grow(&c->secret, &c->secret_cap, size, sizeof *c->secret, c->err));
    for (uint32_t i = 0; i < size; i++) {
        if (s->is[s->f->value_class[value[i]]]) {
            c->secret[c->secrets++] = value[i];
        }
    }
    c->secrets = sort_unique(c->secret, c->secrets);
    count_secrets(c, start, &c->most);
    status = c->status;
done:
    return status;
}

/* The least hash of the values of record `r` that were taken. False: it has none of them, and
 * matches nothing that is counted. */
static bool find_least(counting *c, size_t r)
{
    bool found = false;

    for (uint64_t i = c->f->starts[r]; i < c->f->starts[r + 1]; i++) {
        const uint32_t v = c->f->value[i];
        if (c->taken[v]) {
            c->least = found && c->least < c->hash[v] ? c->least : c->hash[v];
            found = true;
        }
    }
    return found;
}

static kn_status count_record(counting *c, size_t r)
{
    uint32_t values[MOST_VALUES + 1];

    c->value = c->f->value + c->f->starts[r];
    c->parent = c->f->parent + c->f->starts[r];
    c->size = kn__forest_size(c->f, r);
    c->singles = 0;
    for (uint32_t i = 0; i < c->size; i++) {
        if (c->hash[c->value[i]] >= c->least) {
            c->single[c->singles++] = c->value[i];
        }
    }
    c->singles = sort_unique(c->single, c->singles);
    list_parts(c);
    if (c->status == KN_OK) {
        add_parts(c, start, values, 0, 0, 0);
    }
    return c->status;
}

/* ---- how much ---- */

/* About how much knowledge a record of `size` nodes matches. */
static double expected(double size, size_t m, size_t n)
{
    double sum = 1, sets = 1;

    for (size_t i = 0; i < m; i++) {
        sets *= fmax(size - (double)i, 1) / (double)(i + 1);
        sum += sets;
    }
    return sum * (double)(1 + n * m);
}

typedef struct weighed {
    uint64_t hash;
    uint32_t value;
    double work; /* what the records with it match */
} weighed;

static int by_hash(const void *a, const void *b)
{
    const weighed *x = a, *y = b;

    return KN_ORDER(x->hash, y->hash);
}

/* The values of the forest with what it takes to count them, in the order of a second hash. */
static size_t weigh_values(const counting *c, kn_kmn_recount *out, uint64_t salt, weighed *list)
{
    size_t len = 0;

    for (uint32_t v = 0; v < c->f->values; v++) {
        list[v] = (weighed){kn__hash_u64(c->hash[v] + salt), v, 0};
    }
    for (size_t r = 0; r < c->f->records; r++) {
        const uint32_t size = kn__forest_size(c->f, r);
        const double work = expected(size, c->m, c->n);
        out->longest = size > out->longest ? size : out->longest;
        out->empty += size == 0;
        for (uint64_t i = c->f->starts[r]; i < c->f->starts[r + 1]; i++) {
            list[c->f->value[i]].work += work;
        }
    }
    for (uint32_t v = 0; v < c->f->values; v++) {
        if (list[v].work > 0) {
            list[len++] = list[v];
        }
    }
    if (len) {
        qsort(list, len, sizeof *list, by_hash);
    }
    return len;
}

/* Take values that together are within the budget, in an order that is not known beforehand. Where
 * no value is, take the first one that takes at most twice as long as the rarest. */
static kn_status plan(counting *c, kn_kmn_recount *out, double budget, uint64_t salt, kn_error *err)
{
    weighed *list = kn__malloc_array(c->f->values, sizeof *list);
    double left = budget, least = INFINITY;
    kn_status status;

    c->hash = kn__malloc_array(c->f->values, sizeof *c->hash);
    c->taken = kn__zalloc_array(c->f->values, sizeof *c->taken);
    KN_TRY(list && c->hash && c->taken ? KN_OK : kn__nomem(err));
    for (uint32_t v = 0; v < c->f->values; v++) {
        c->hash[v] = kn__hash_u64(v ^ salt);
    }
    out->values = weigh_values(c, out, salt, list);
    for (size_t i = 0; i < out->values; i++) {
        least = fmin(least, list[i].work);
        if (budget == 0 || list[i].work <= left) {
            left -= list[i].work;
            c->taken[list[i].value] = true;
            out->taken++;
        }
    }
    for (size_t i = 0; out->taken == 0 && i < out->values; i++) {
        if (list[i].work <= 2 * least) {
            c->taken[list[i].value] = true;
            out->taken = 1;
        }
    }
done:
    kn__free(list);
    return status;
}

/* What the tables say. */
static void sum_up(const counting *c, kn_kmn_recount *out)
{
    const double l = c->sensitive ? c->sensitive->l : 0;

    for (size_t i = 0; c->known.slot && i <= c->known.mask; i++) {
        const entry *e = &c->known.slot[i];
        if (e->last) {
            out->counted++;
            out->least = out->least && out->least < e->count ? out->least : e->count;
            out->inferred += (double)e->most * l > (double)e->count;
        }
    }
    out->inferred += (double)c->most * l > (double)c->f->records;
}

kn_status kn__kmn_recount(kn_kmn_recount *out, const kn_forest *f, size_t m, size_t n,
                          const kn_kmn_sensitive *sensitive, double budget, uint64_t salt,
                          const kn_run *run, kn_error *err)
{
    counting c = {.f = f, .m = m, .n = n, .sensitive = sensitive, .err = err};
    kn_status status;

    *out = (kn_kmn_recount){0};
    KN_TRY(plan(&c, out, budget, salt, err));
    c.single = kn__malloc_array(out->longest, sizeof *c.single);
    KN_TRY(c.single ? KN_OK : kn__nomem(err));
    for (size_t r = 0; r < f->records; r++) {
        if (r % STEP == 0) {
            KN_TRY(kn__run_step(run, "check", (double)r / (double)f->records, err));
        }
        c.record = (uint32_t)r;
        if (sensitive) {
            KN_TRY(list_secrets(&c, r));
        }
        if (find_least(&c, r)) {
            KN_TRY(count_record(&c, r));
        }
    }
    sum_up(&c, out);
done:
    KN_FREE(c.known.slot, c.held.slot, c.secret, c.parts, c.single, c.hash, c.taken);
    return status;
}
