/* pairs.c - pairs of few items: with m = 2 a square of counts takes them in one pass over the
 * records as they are. Where nothing is rare, which is what releases are checked for, that is all
 * there is to know; what is rare is found by the search. */
#include "base/error.h"
#include "base/memory.h"
#include "base/threads.h"
#include "count/rare/search.h"

enum {
    FEW_PAIRS = 1 << 12,   /* a square of these costs nothing, */
    MOST_SQUARE = 1 << 22, /* and one of these, of 2,048 items, is still less than grouping */
    STEP = 1 << 18         /* records between two looks at whether to go on */
};

/* Larger squares than there are occurrences take longer to clear than they save. */
static bool fits(const kn_baskets *b)
{
    const uint64_t pairs = (uint64_t)b->items * b->items;

    return b->items <= MOST_SQUARE && pairs <= MOST_SQUARE &&
           pairs <= FEW_PAIRS + b->starts[b->records];
}

/* Count items in `support` and {low, high} in square[low * items + high]; in bags {a, a} where a
 * record holds it twice. */
static void fill(const kn_baskets *b, size_t begin, size_t end, uint32_t *support, uint32_t *square)
{
    for (size_t r = begin; r < end; r++) {
        const uint32_t *const first = b->list + b->starts[r], *const last = b->list +
                                                                            b->starts[r + 1];
        const uint32_t people = kn__baskets_people(b, r);
        for (const uint32_t *low = first; low < last; low++) {
            uint32_t *const row = square + (size_t)*low * b->items;
            if (low > first && low[-1] == *low) {
                row[*low] += low - first < 2 || low[-2] != *low ? people : 0;
                continue;
            }
            support[*low] += people;
            for (const uint32_t *high = low + 1; high < last; high++) {
                row[*high] += high[-1] != *high ? people : 0;
            }
        }
    }
}

static uint32_t least_of(const uint32_t *counts, size_t len)
{
    uint32_t least = UINT32_MAX;

    for (size_t i = 0; i < len; i++) {
        least = counts[i] && counts[i] < least ? counts[i] : least;
    }
    return least;
}

kn_status kn__rare_no_pairs(kn_rare_list *out, const kn_baskets *b, size_t k, const kn_run *run,
                            bool *none, kn_error *err)
{
    uint32_t *support, *square, one, two;
    kn_status status;

    *none = false;
    if (!fits(b)) {
        return KN_OK;
    }
    support = kn__zalloc_array(b->items, sizeof *support);
    square = kn__zalloc_array((size_t)b->items * b->items, sizeof *square);
    KN_TRY(support && square ? kn__baskets_countable(b, err) : kn__nomem(err));
    for (size_t i = 0; i < b->records; i += STEP) {
        KN_TRY(kn__run_step(run, "count", (double)i / (double)b->records, err));
        fill(b, i, b->records - i < STEP ? b->records : i + STEP, support, square);
    }
    one = least_of(support, b->items);
    two = least_of(square, (size_t)b->items * b->items);
    *none = one >= k && two >= k;
    out->least[1] = *none && one != UINT32_MAX ? one : 0;
    out->least[2] = *none && two != UINT32_MAX ? two : 0;
done:
    KN_FREE(support, square);
    return status;
}
