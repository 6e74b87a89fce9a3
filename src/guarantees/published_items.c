/* published_items.c - the way back from published items to those of the original. */
#include "guarantees/published_items.h"

#include "base/error.h"
#include "base/hash.h"
#include "base/memory.h"
#include "hierarchy/domain.h"

#include <stdlib.h>
#include <string.h>

typedef struct finding {
    const kn_domain *domain;
    uint32_t *to;   /* by code of the original */
    double *leaves; /* of the narrowest published item so far */
} finding;

static void offer(finding *f, uint32_t code, uint32_t published, double leaves)
{
    if (f->to[code] == KN_NO_CODE || leaves < f->leaves[code]) {
        f->to[code] = published;
        f->leaves[code] = leaves;
    }
}

/* All codes that the published item stands for. Nodes are asked about each code: labels may belong
 * to several. */
static void spread(finding *f, const kn_published *p, uint32_t published)
{
    if (p->kind == KN_PUB_VALUE) {
        offer(f, p->code, published, 1);
        return;
    }
    if (p->kind == KN_PUB_SET) {
        for (size_t i = 0; i < p->count; i++) {
            offer(f, p->codes[i], published, p->leaves);
        }
        return;
    }
    for (uint32_t code = 0; code < f->domain->values; code++) {
        if (kn__published_covers(p, f->domain, code, NULL)) {
            offer(f, code, published, p->leaves);
        }
    }
}

kn_status kn__published_items(uint32_t **to, const kn_column *original, const kn_column *release,
                              const kn_hierarchy *hierarchy, kn_error *err)
{
    const uint32_t items = kn__column_values(original), published = kn__column_values(release);
    finding f = {0};
    kn_domain *domain = NULL;
    kn_status status;

    *to = NULL;
    KN_TRY(kn__domain_new(&domain, original, hierarchy, KN_UNCOVERED_ROOT, err));
    f.domain = domain;
    f.to = kn__malloc_array(items, sizeof *f.to);
    f.leaves = kn__malloc_array(items, sizeof *f.leaves);
    KN_TRY(f.to && f.leaves ? KN_OK : kn__nomem(err));
    for (uint32_t i = 0; i < items; i++) {
        f.to[i] = KN_NO_CODE;
    }
    for (uint32_t i = 0; i < published; i++) {
        kn_published p;
        size_t len;
        const char *text = kn__column_text(release, i, &len);
        if (i == release->missing) {
            continue;
        }
        status = kn__published_parse(&p, domain, text, len, err);
        if (status == KN_EINPUT) {
            kn__error_prefix(err, "the release does not belong to the original");
        }
        KN_TRY(status);
        spread(&f, &p, i);
        kn__published_clear(&p);
    }
    *to = f.to;
    f.to = NULL;
done:
    kn__free(f.to);
    kn__free(f.leaves);
    kn__domain_free(domain);
    return status;
}

static int ascending(const void *a, const void *b)
{
    const uint64_t x = *(const uint64_t *)a, y = *(const uint64_t *)b;

    return x < y ? -1 : x > y;
}

/* A hash of each record with items, sorted. */
static kn_status hash_records(uint64_t **out, size_t *count, const kn_baskets *b, kn_error *err)
{
    uint64_t *hashes = kn__malloc_array(b->records, sizeof *hashes);

    if (!hashes) {
        return kn__nomem(err);
    }
    *count = 0;
    for (size_t i = 0; i < b->records; i++) {
        size_t len;
        const uint32_t *items = kn__baskets_record(b, i, &len);
        if (len) {
            hashes[(*count)++] = kn__hash_bytes(items, len * sizeof *items);
        }
    }
    qsort(hashes, *count, sizeof *hashes, ascending);
    *out = hashes;
    return KN_OK;
}

kn_status kn__published_records(const kn_baskets *mapped, const kn_baskets *release, kn_error *err)
{
    uint64_t *from = NULL, *there = NULL;
    size_t from_count = 0, there_count = 0, strange = 0;
    kn_status status;

    KN_TRY(hash_records(&from, &from_count, mapped, err));
    KN_TRY(hash_records(&there, &there_count, release, err));
    for (size_t i = 0, j = 0; j < there_count; j++) {
        while (i < from_count && from[i] < there[j]) {
            i++;
        }
        if (i < from_count && from[i] == there[j]) {
            i++;
        } else {
            strange++;
        }
    }
    if (strange) {
        status = kn__fail(err, KN_EINPUT,
                          "the release does not belong to the original: %zu of its %zu records are "
                          "no generalisation of a record there, with one published form for each "
                          "item",
                          strange, there_count);
    }
done:
    kn__free(from);
    kn__free(there);
    return status;
}
