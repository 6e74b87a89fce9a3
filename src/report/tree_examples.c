/* tree_examples.c - which records a report draws: the largest part of a record that enough records
 * share, found greedily.
 *
 * The nodes of a record are taken in preorder; one is kept if enough of the records that hold all
 * kept ones hold it, too, below the same node. As siblings are distinct, a path leads to one node
 * of a record at most, so that one number per record and kept node says where it is. */
#include "report/tree_examples.h"
#include "base/error.h"
#include "base/memory.h"

#include <stdlib.h>
#include <string.h>

enum { CANDIDATES = 24, MOST_NODES = 24, LEAST_NODES = 2 };

/* The records that hold the part so far, and where. */
typedef struct holders {
    uint32_t *record; /* of the holders */
    uint32_t *place;  /* [holder * MOST_NODES + kept node] */
    uint32_t *found;  /* by holder: where the node that is tried is */
    size_t count;
} holders;

static void holders_free(holders *h)
{
    KN_FREE(h->record, h->place, h->found);
}

static kn_status holders_new(holders *h, size_t records, kn_error *err)
{
    h->record = kn__malloc_array(records, sizeof *h->record);
    h->place = kn__malloc_array(records, MOST_NODES * sizeof *h->place);
    h->found = kn__malloc_array(records, sizeof *h->found);
    return h->record && h->place && h->found ? KN_OK : kn__nomem(err);
}

/* The child of node `parent` with value `code` in record `r`; KN_NO_PARENT: there is none. */
static uint32_t child_of(const kn_forest *f, size_t r, uint32_t parent, uint32_t code)
{
    const uint32_t *value = f->value + f->starts[r], *up = f->parent + f->starts[r];

    for (uint32_t i = parent == KN_NO_PARENT ? 0 : parent + 1; i < kn__forest_size(f, r); i++) {
        if (value[i] == code && up[i] == parent) {
            return i;
        }
    }
    return KN_NO_PARENT;
}

/* Try one more node: `parent` is its place among the kept, or SIZE_MAX. Whether it was kept. */
static bool try_node(const kn_forest *f, holders *h, size_t kept, size_t parent, uint32_t code,
                     size_t least)
{
    size_t with = 0;

    for (size_t i = 0; i < h->count; i++) {
        const uint32_t up = parent == SIZE_MAX ? KN_NO_PARENT : h->place[i * MOST_NODES + parent];
        h->found[i] = child_of(f, h->record[i], up, code);
        with += h->found[i] != KN_NO_PARENT;
    }
    if (with < least) {
        return false;
    }
    with = 0;
    for (size_t i = 0; i < h->count; i++) {
        if (h->found[i] == KN_NO_PARENT) {
            continue;
        }
        if (with != i) {
            h->record[with] = h->record[i];
            memcpy(h->place + with * MOST_NODES, h->place + i * MOST_NODES,
                   kept * sizeof *h->place);
        }
        h->place[with * MOST_NODES + kept] = h->found[i];
        with++;
    }
    h->count = with;
    return true;
}

static kn_status find_part(const kn_forest *f, size_t record, size_t least, holders *h,
                           kn_tree_example *out, kn_error *err)
{
    const uint32_t *value = f->value + f->starts[record], *parent = f->parent + f->starts[record];
    const uint32_t n = kn__forest_size(f, record);
    size_t *kept_as = kn__malloc_array(n, sizeof *kept_as); /* by node; SIZE_MAX: not kept */
    kn_status status;

    *out = (kn_tree_example){.record = record};
    out->nodes = kn__malloc_array(MOST_NODES, sizeof *out->nodes);
    KN_TRY(kept_as && out->nodes ? KN_OK : kn__nomem(err));
    h->count = f->records < KN_EXAMPLE_RECORDS ? f->records : KN_EXAMPLE_RECORDS;
    for (size_t i = 0; i < h->count; i++) {
        h->record[i] = (uint32_t)i;
    }
    for (uint32_t i = 0; i < n && out->count < MOST_NODES; i++) {
        const size_t up = parent[i] == KN_NO_PARENT ? SIZE_MAX : kept_as[parent[i]];
        kept_as[i] = SIZE_MAX;
        if ((parent[i] == KN_NO_PARENT || up != SIZE_MAX) &&
            try_node(f, h, out->count, up, value[i], least)) {
            kept_as[i] = out->count;
            out->nodes[out->count++] = i;
        }
    }
    out->shared_by = h->count;
done:
    kn__free(kept_as);
    return status;
}

static int by_size(const void *a, const void *b)
{
    const kn_tree_example *x = a, *y = b;

    if (x->count != y->count) {
        return x->count > y->count ? -1 : 1;
    }
    return x->record < y->record ? -1 : x->record > y->record;
}

static int by_record(const void *a, const void *b)
{
    const kn_tree_example *x = a, *y = b;

    return x->record < y->record ? -1 : x->record > y->record;
}

kn_status kn__tree_examples_find(const kn_forest *f, size_t least, size_t most,
                                 kn_tree_example **out, size_t *count, kn_error *err)
{
    const size_t records = f->records < KN_EXAMPLE_RECORDS ? f->records : KN_EXAMPLE_RECORDS;
    const size_t candidates = records < CANDIDATES ? records : CANDIDATES;
    kn_tree_example *all = kn__zalloc_array(candidates, sizeof *all);
    holders h = {0};
    size_t kept = 0;
    kn_status status;

    *out = NULL;
    *count = 0;
    KN_TRY(all ? KN_OK : kn__nomem(err));
    KN_TRY(holders_new(&h, records, err));
    for (size_t i = 0; i < candidates; i++) {
        KN_TRY(find_part(f, i * records / candidates, least ? least : 1, &h, &all[i], err));
    }
    qsort(all, candidates, sizeof *all, by_size);
    while (kept < candidates && kept < most && all[kept].count >= LEAST_NODES) {
        kept++;
    }
    for (size_t i = kept; i < candidates; i++) {
        kn__free(all[i].nodes);
        all[i].nodes = NULL;
    }
    qsort(all, kept, sizeof *all, by_record);
    *out = all;
    *count = kept;
    all = NULL;
done:
    kn__tree_examples_free(all, candidates);
    holders_free(&h);
    return status;
}

kn_status kn__tree_example_part(const kn_forest *f, size_t record, size_t least,
                                kn_tree_example *out, kn_error *err)
{
    holders h = {0};
    kn_status status;

    *out = (kn_tree_example){.record = record};
    KN_TRY(holders_new(&h, f->records < KN_EXAMPLE_RECORDS ? f->records : KN_EXAMPLE_RECORDS, err));
    KN_TRY(find_part(f, record, least ? least : 1, &h, out, err));
done:
    holders_free(&h);
    return status;
}

void kn__tree_examples_free(kn_tree_example *examples, size_t count)
{
    for (size_t i = 0; examples && i < count; i++) {
        kn__free(examples[i].nodes);
    }
    kn__free(examples);
}
