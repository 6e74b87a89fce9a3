/* acd_cross_pairs.c - combinations of both sides of a range's cuts: one pass, in which occurrences
 * go from the right to the left. */
#include "base/error.h"
#include "methods/numbers/acd_sweep_state.h"

typedef kn__acd_hand hand;
typedef kn__acd_sweeping sweeping;

/* The record at hand had `a` items on the left and `b` on the right, now `new_a` and `new_b`. */
typedef struct change {
    size_t a, b, new_a, new_b;
} change;

/* What that changes for number `n`, of `size` ranges. */
static inline void count_across(const kn_acd_points *p, hand *h, const change *x, uint32_t n,
                                size_t size)
{
    uint32_t *count = h->numbers.count + n * h->numbers.stride;

    if (x->new_b < x->b) {
        for (size_t a = 1; a <= x->a && a + x->b + size <= p->m; a++) {
            kn__acd_lose(h, &count[a * (p->m + 1) + x->b], p->k);
        }
    }
    if (x->new_a > x->a) {
        for (size_t b = 1; b <= x->new_b && x->new_a + b + size <= p->m; b++) {
            kn__acd_gain(h, &count[x->new_a * (p->m + 1) + b], p->k);
        }
    }
}

/* The same for all numbers that extend `n`, as in walk_side; size + 2 < m. */
static void walk_across(const kn_acd_points *p, hand *h, const change *x, uint32_t n, size_t size,
                        size_t from)
{
    for (size_t i = from; i < h->others; i++) {
        if (i == from || h->other[i] != h->other[i - 1]) {
            const uint32_t next = kn__acd_number(&h->numbers, n, h->other[i]);
            if (next == 0) { /* it failed */
                return;
            }
            count_across(p, h, x, next, size + 1);
            if (size + 3 < p->m && i + 1 < h->others) {
                walk_across(p, h, x, next, size + 1, i + 1);
            }
        }
    }
}

static inline size_t at_most(size_t count, size_t most)
{
    return count < most ? count : most;
}

/* An occurrence goes from the right to the left. (Those of one point may come in any order: counts
 * are looked at after it.) */
KN_INLINED void go_over(const kn_acd_points *p, hand *h, const sweeping *now,
                        const kn_acd_occurrence *o)
{
    const size_t most = p->bags ? p->m : 1;
    uint32_t begin = o->place, end = o->place + 1;
    change x;

    while (begin > 0 && kn__acd_point(o, begin - 1) >= now->low) {
        begin--;
    }
    while (end < o->len && kn__acd_point(o, end) < now->high) {
        end++;
    }
    if (kn__acd_point(o, begin) == kn__acd_point(o, end - 1)) { /* no cut parts them */
        return;
    }
    x = (change){.a = at_most(o->place - begin, most),
                 .b = at_most(end - o->place, most),
                 .new_a = at_most(o->place - begin + 1, most),
                 .new_b = at_most(end - o->place - 1, most)};
    count_across(p, h, &x, 0, 0);
    if (p->m > 2) {
        kn__acd_list_others(p, h, now, o);
        walk_across(p, h, &x, 0, 0, 0);
    }
}

KN_INLINED void all_go_over(const kn_acd_points *p, hand *h, const sweeping *now, uint32_t q,
                            uint8_t width)
{
    kn_acd_cursor c = kn__acd_occurrences(p, q);
    kn_acd_occurrence o;

    while (kn_acd_next_of_width(p, width, &c, &o) && !h->numbers.failed) {
        go_over(p, h, now, &o);
    }
}

static kn_status judge_across(kn_acd_sweep *s, kn_error *err)
{
    const kn_acd_points *p = s->p;
    hand *h = &s->hands[2];
    uint32_t first, last;
    kn_status status;

    KN_TRY(kn__acd_hand_start(p, h, &s->now, err));
    if (p->m == 2) {
        KN_TRY(kn__acd_numbers_start(&h->numbers, s->now.ranges, err));
    }
done:
    if (status == KN_OK && kn__acd_left_to_judge(&s->now, &first, &last)) {
        for (uint32_t q = s->now.low; q < last && !h->numbers.failed; q++) {
            if (p->copies && p->copy_width == 2) {
                all_go_over(p, h, &s->now, q, 2);
            } else {
                all_go_over(p, h, &s->now, q, 4);
            }
            if (h->rare) {
                s->now.good[q + 1 - s->now.low] = 0;
            }
        }
        status = h->numbers.failed ? kn__nomem(err) : KN_OK;
    }
    s->now.across = true;
    return status;
}

/* m = 2: the records with an item on both sides of `c`, up to k. Those near the cut come first. */
static size_t crossing(const kn_acd_sweep *s, uint32_t c)
{
    const kn_acd_points *p = s->p;
    size_t count = 0;

    for (uint32_t q = c; q > s->now.low && count < p->k; q--) {
        kn_acd_cursor at = kn__acd_occurrences(p, q - 1);
        kn_acd_occurrence o;
        while (kn__acd_next(p, &at, &o) && count < p->k) {
            /* The last of its record below the cut. */
            if (o.place + 1 < o.len) {
                const uint32_t next = kn__acd_point(&o, o.place + 1);
                count += next >= c && next < s->now.high;
            }
        }
    }
    return count;
}

kn_status kn__acd_sweep_across(kn_acd_sweep *s, uint32_t c, bool *fine, kn_error *err)
{
    kn_status status = KN_OK;

    if (s->p->m == 2) {
        const size_t count = crossing(s, c);
        s->now.crossed = count > 0;
        *fine = count == 0 || count >= s->p->k;
        return *fine || s->now.across ? KN_OK : judge_across(s, err);
    }
    if (!s->now.across) {
        status = judge_across(s, err);
    }
    *fine = s->now.good[c - s->now.low] != 0;
    return status;
}
