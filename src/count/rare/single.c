/* single.c - rare items one at a time: with m = 1 nothing has to be walked. */
#include "base/error.h"
#include "base/memory.h"
#include "count/rare/search.h"

/* By item: the people who hold it, and the first of their records. */
static void count_items(const kn_baskets *b, uint32_t *support, uint32_t *first)
{
    for (size_t i = 0; i < b->records; i++) {
        const uint32_t people = kn__baskets_people(b, i);
        for (uint64_t j = b->starts[i]; j < b->starts[i + 1]; j++) {
            const uint32_t item = b->list[j];
            if (j > b->starts[i] && item == b->list[j - 1]) {
                continue;
            }
            if (support[item] == 0) {
                first[item] = (uint32_t)i;
            }
            support[item] += people;
        }
    }
}

/* Note the rare items of `b`. */
static kn_status note(kn_rare_list *out, const kn_baskets *b, const uint32_t *support, size_t k,
                      size_t limit, const uint32_t *first, kn_error *err)
{
    kn_top_n keep;
    kn_status status = KN_OK;

    kn__top_n_init(&keep, 1, limit);
    for (uint32_t item = 0; item < b->items; item++) {
        if (support[item] == 0) {
            continue;
        }
        if (out->least[1] == 0 || support[item] < out->least[1]) {
            out->least[1] = support[item];
        }
        if (support[item] < k) {
            out->count_of_size[1]++;
            KN_TRY(kn__top_n_offer(&keep, &item, 1, support[item]) ? KN_OK : kn__nomem(err));
        }
    }
    out->count = out->count_of_size[1];
    KN_TRY(kn__top_n_finish(&keep, &out->rare, &out->kept, &out->room, err));
    for (size_t i = 0; i < out->kept; i++) {
        out->rare[i].record = first[out->rare[i].items[0]];
    }
done:
    kn__top_n_clear(&keep);
    return status;
}

static void mark(kn_rare_list *out, const kn_baskets *b, const uint32_t *support, size_t k,
                 uint8_t *risky)
{
    for (size_t i = 0; i < b->records; i++) {
        bool rare = false;
        for (uint64_t j = b->starts[i]; j < b->starts[i + 1]; j++) {
            rare = rare || support[b->list[j]] < k;
        }
        out->at_risk += rare ? kn__baskets_people(b, i) : 0;
        if (rare && risky) {
            risky[i] = 1;
        }
    }
}

kn_status kn__rare_single(kn_rare_list *out, const kn_baskets *b, size_t k, size_t limit,
                          uint8_t *risky, kn_error *err)
{
    uint32_t *support = kn__zalloc_array(b->items, sizeof *support);
    uint32_t *first = kn__malloc_array(b->items, sizeof *first);
    kn_status status;

    KN_TRY(support && first ? kn__baskets_countable(b, err) : kn__nomem(err));
    count_items(b, support, first);
    KN_TRY(note(out, b, support, k, limit, first, err));
    if (out->count) {
        mark(out, b, support, k, risky);
    }
done:
    KN_FREE(support, first);
    return status;
}
