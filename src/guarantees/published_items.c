/* published_items.c - the way back from published items to those of the original. */
#include "guarantees/published_items.h"

#include "base/error.h"
#include "base/hash.h"
#include "base/memory.h"
#include "base/sort.h"
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
    KN_FREE(f.to, f.leaves);
    kn__domain_free(domain);
    return status;
}

/* Records by a hash of their items, with the people in them. */
typedef struct hashed {
    uint64_t hash, people;
} hashed;

static int by_hash(const void *a, const void *b)
{
    const hashed *x = a, *y = b;

    return KN_ORDER(x->hash, y->hash);
}

/* The records with items, ordered by their hashes, each hash once. */
static kn_status hash_records(hashed **out, size_t *count, const kn_baskets *b, kn_error *err)
{
    hashed *all = kn__malloc_array(b->records, sizeof *all);
    size_t len, found = 0;

    *count = 0;
    KN_PASS(all ? KN_OK : kn__nomem(err));
    for (size_t i = 0; i < b->records; i++) {
        const uint32_t *items = kn__baskets_record(b, i, &len);
        if (len) {
            all[found++] = (hashed){kn__hash_bytes(items, len * sizeof *items),
                                    kn__baskets_people(b, i)};
        }
    }
    qsort(all, found, sizeof *all, by_hash);
    for (size_t i = 0; i < found; i++) {
        if (*count > 0 && all[*count - 1].hash == all[i].hash) {
            all[*count - 1].people += all[i].people;
        } else {
            all[(*count)++] = all[i];
        }
    }
    *out = all;
    return KN_OK;
}

kn_status kn__published_records(const kn_baskets *mapped, const kn_baskets *release, kn_error *err)
{
    hashed *from = NULL, *there = NULL;
    size_t from_count = 0, there_count = 0;
    uint64_t strange = 0, all = 0;
    kn_status status;

    KN_TRY(hash_records(&from, &from_count, mapped, err));
    KN_TRY(hash_records(&there, &there_count, release, err));
    for (size_t i = 0, j = 0; j < there_count; j++) {
        while (i < from_count && from[i].hash < there[j].hash) {
            i++;
        }
        const bool known = i < from_count && from[i].hash == there[j].hash;
        const uint64_t people = known ? from[i].people : 0;
        strange += there[j].people > people ? there[j].people - people : 0;
        all += there[j].people;
    }
    if (strange) {
        status = kn__fail(err, KN_EINPUT,
                          "the release does not belong to the original: %zu of its %zu records are "
                          "no generalisation of a record there, with one published form for each "
                          "item",
                          (size_t)strange, (size_t)all);
    }
done:
    KN_FREE(from, there);
    return status;
}
