/* lra_names.c - a name for every occurrence. */
#include "base/error.h"
#include "base/memory.h"
#include "methods/sets/lra.h"

kn_status kn__names_new(kn_names **out, kn_cut *c, kn_error *err)
{
    kn_names *n = kn__zalloc(sizeof *n);
    const uint64_t all = c->starts[c->records];

    *out = NULL;
    /* Records are written down twice, and positions in them have 32 bits. */
    if (all + c->records >= UINT32_MAX / 2) {
        kn__free(n);
        return kn__fail(err, KN_EINPUT,
                        "more than %u items in all records together are too many for lra: take "
                        "apriori, or anonymise them in parts",
                        UINT32_MAX / 2);
    }
    if (n) {
        n->c = c;
        n->loss = c->loss;
        n->name = kn__malloc_array((size_t)all, sizeof *n->name);
    }
    if (!n || !n->name) {
        kn__names_free(n);
        return kn__nomem(err);
    }
    for (uint64_t i = 0; i < all; i++) {
        n->name[i] = c->to[c->place[i]];
    }
    *out = n;
    return KN_OK;
}

void kn__names_free(kn_names *n)
{
    if (n) {
        KN_FREE(n->name, n);
    }
}
