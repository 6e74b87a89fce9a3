/* acd_sweep.c - two passes towards each other over the values of a range. What spans its cuts is
 * looked at by acd_cross_pairs.c.
 *
 * A record holds a items of the left side once its a-th lowest item in the range is left of the
 * cut, so the pass from below counts it for (a, Q) when it meets that item. */
#include "methods/numbers/acd_sweep_state.h"
#include "base/error.h"
#include "base/memory.h"
#include "base/threads.h"
#include "methods/numbers/acd_occurrences.h"

#include <string.h>

/* From this many occurrences on, starting a second thread is worth it. */
enum { WORTH_TWO = 1 << 15 };

typedef kn__acd_reach reach;
typedef kn__acd_hand hand;
typedef kn__acd_sweeping sweeping;

kn_status kn__acd_sweep_new(kn_acd_sweep **out, const kn_acd_points *p, unsigned threads,
                            kn_error *err)
{
    kn_acd_sweep *s = kn__zalloc(sizeof *s);

    *out = NULL;
    if (!s) {
        return kn__nomem(err);
    }
    s->p = p;
    s->threads = threads;
    for (int h = 0; h < 3; h++) {
        s->hands[h].numbers.stride = (p->m + 1) * (h == 2 ? p->m + 1 : 1);
    }
    *out = s;
    return KN_OK;
}

void kn__acd_sweep_free(kn_acd_sweep *s)
{
    if (s) {
        for (int h = 0; h < 3; h++) {
            kn__acd_numbers_free(&s->hands[h].numbers);
            kn__free(s->hands[h].pair);
            kn__free(s->hands[h].seen);
            kn__free(s->hands[h].other);
        }
        kn__free(s->keys);
        kn__free(s);
    }
}

/* ---- passes ---- */

/* `more` records hold it, that is gain so many times. */
static inline void gain_many(hand *h, uint32_t *count, uint32_t more, size_t k)
{
    const uint32_t before = *count;

    *count += more;
    h->rare += before == 0 && *count > 0;
    h->rare -= before < k && *count >= k;
}

/* One more record holds it; true for the first. */
static inline bool reached(hand *h, reach *r, uint32_t q, size_t k)
{
    if (r->count >= k) {
        return false;
    }
    kn__acd_gain(h, &r->count, k);
    h->full += r->count == k;
    if (r->count == 1) {
        r->first = q;
        return true;
    }
    return false;
}

/* The same if `one`, which could not be guessed either: without a branch. */
static inline bool reached_if(hand *h, reach *r, bool one, uint32_t q, size_t k)
{
    const bool more = one & (r->count < k);
    bool first, full;

    r->count += more;
    first = more & (r->count == 1);
    full = more & (r->count == k);
    r->first = first ? q : r->first;
    h->rare += first;
    h->rare -= full;
    h->full += full;
    return first;
}

/* m = 2. Items of one range are neighbours in a record. The swept range is full from the start, so
 * that nobody need ask which items are in it. `len` is the length of the record, which most callers
 * know beforehand. */
KN_INLINED void meet_pair(const kn_acd_points *p, hand *h, const sweeping *now,
                          const kn_acd_occurrence *o, uint32_t len, uint32_t q, bool down)
{
    const uint32_t low = now->low, high = now->high, i = o->place;
    /* Looked up before it is known that there is one: that could not be guessed. */
    const bool has_next = down ? i + 1 < len : i > 0;
    const uint32_t next = kn__acd_point(o, down ? i + has_next : i - has_next);
    const bool inside = has_next & (down ? next < high : next >= low);
    uint32_t last = UINT32_MAX, open = h->own[0].count < p->k;

    for (uint32_t j = 0; j < len; j++) {
        open |= h->pair[now->range_of[kn__acd_point(o, j)]].count < p->k;
    }
    if (!(open | inside)) { /* most of the time */
        return;
    }
    if (inside) {
        if (p->bags && (down ? i + 2 >= len || kn__acd_point(o, i + 2) >= high
                             : i < 2 || kn__acd_point(o, i - 2) < low)) {
            (void)reached(h, &h->own[1], q, p->k);
        }
        return;
    }
    (void)reached(h, &h->own[0], q, p->k);
    for (uint32_t j = 0; j < len; j++) {
        const uint32_t range = now->range_of[kn__acd_point(o, j)];
        h->seen[h->seens] = range;
        h->seens += reached_if(h, &h->pair[range], range != last, q, p->k);
        last = range;
    }
}

/* All occurrences of a point. */
KN_INLINED void meet_pairs(const kn_acd_points *p, hand *h, const sweeping *now, uint32_t q,
                           bool down, uint8_t width)
{
    kn_acd_cursor c = kn__acd_occurrences(p, q);
    kn_acd_occurrence o;

    while (kn_acd_next_of_width(p, width, &c, &o)) {
        switch (o.len) { /* loops of a known length */
        case 2: meet_pair(p, h, now, &o, 2, q, down); break;
        case 3: meet_pair(p, h, now, &o, 3, q, down); break;
        case 4: meet_pair(p, h, now, &o, 4, q, down); break;
        default: meet_pair(p, h, now, &o, o.len, q, down); break;
        }
    }
}

/* Count `a` items of the side with all Q that extend number `n`, of `size` ranges, by ranges of the
 * record from place `from` on, each once; size + a < m. The first and the last level, which are all
 * of most walks, need no call. */
static void walk_side(const kn_acd_points *p, hand *h, uint32_t n, size_t size, size_t from,
                      size_t a);

KN_INLINED void walk_level(const kn_acd_points *p, hand *h, uint32_t n, size_t size, size_t from,
                           size_t a)
{
    const bool more = size + 1 + a < p->m;

    for (size_t i = from; i < h->others; i++) {
        if (i == from || h->other[i] != h->other[i - 1]) {
            const uint32_t next = kn__acd_number(&h->numbers, n, h->other[i]);
            if (next == 0) { /* it failed */
                return;
            }
            kn__acd_gain(h, &h->numbers.count[next * h->numbers.stride + a], p->k);
            if (more && i + 1 < h->others) {
                walk_side(p, h, next, size + 1, i + 1, a);
            }
        }
    }
}

static void walk_side(const kn_acd_points *p, hand *h, uint32_t n, size_t size, size_t from,
                      size_t a)
{
    walk_level(p, h, n, size, from, a);
}

/* Any m. */
KN_INLINED void meet(const kn_acd_points *p, hand *h, const sweeping *now,
                     const kn_acd_occurrence *o, bool down)
{
    const size_t most = p->bags ? p->m : 1;
    size_t a = 1;

    for (uint32_t i = o->place; down ? i + 1 < o->len && kn__acd_point(o, i + 1) < now->high
                                     : i > 0 && kn__acd_point(o, i - 1) >= now->low;
         i = down ? i + 1 : i - 1) {
        a++;
    }
    if (a <= most) {
        kn__acd_gain(h, &h->numbers.count[a], p->k); /* with nothing else: number 0 */
        if (a < p->m) {
            kn__acd_list_others(p, h, now, o);
            walk_level(p, h, 0, 0, 0, a);
        }
    }
}

KN_INLINED void meet_all_of_width(const kn_acd_points *p, hand *h, const sweeping *now, uint32_t q,
                                  bool down, uint8_t width)
{
    kn_acd_cursor c = kn__acd_occurrences(p, q);
    kn_acd_occurrence o;

    while (kn_acd_next_of_width(p, width, &c, &o) && !h->numbers.failed) {
        meet(p, h, now, &o, down);
    }
}

/* Not inlined: with m = 2 none of it is wanted. */
__attribute__((noinline)) static void meet_all(const kn_acd_points *p, hand *h, const sweeping *now,
                                               uint32_t q, bool down)
{
    if (p->copies && p->copy_width == 2) {
        meet_all_of_width(p, h, now, q, down, 2);
    } else {
        meet_all_of_width(p, h, now, q, down, 4);
    }
}

KN_INLINED void meet_point(const kn_acd_points *p, hand *h, const sweeping *now, uint32_t q,
                           bool down)
{
    const uint32_t alone = p->copies ? p->alone[q] : 0;

    if (p->m == 2) {
        for (uint32_t i = 0; i < alone && h->own[0].count < p->k; i++) {
            (void)reached(h, &h->own[0], q, p->k);
        }
        if (p->copies && p->copy_width == 2) {
            meet_pairs(p, h, now, q, down, 2);
        } else {
            meet_pairs(p, h, now, q, down, 4);
        }
        return;
    }
    gain_many(h, &h->numbers.count[1], alone, p->k); /* of nothing else: number 0 */
    meet_all(p, h, now, q, down);
}

/* Whether all combinations have k records already: the side is good whatever follows. */
static bool saturated(const hand *h, const sweeping *now)
{
    return now->keys && h->full == now->keys;
}

/* Judge cuts up to `to`. */
static void pass_up(const kn_acd_points *p, hand *h, const sweeping *now, uint32_t to)
{
    while (h->at < to && !h->numbers.failed && !saturated(h, now)) {
        meet_point(p, h, now, h->at++, false);
        if (h->rare) {
            now->good[h->at - now->low] = 0;
        }
    }
}

/* Judge cuts down to `to`. */
static void pass_down(const kn_acd_points *p, hand *h, const sweeping *now, uint32_t to)
{
    while (h->at > to && !h->numbers.failed && !saturated(h, now)) {
        meet_point(p, h, now, --h->at, true);
        if (h->rare) {
            now->good[h->at - now->low] = 0;
        }
    }
}

static void pass(void *user, unsigned worker)
{
    kn_acd_sweep *s = user;

    if (worker) {
        pass_down(s->p, &s->hands[1], &s->now, s->now.to[1]);
    } else {
        pass_up(s->p, &s->hands[0], &s->now, s->now.to[0]);
    }
}

/* The first point of below..above that `occurrences` come before; `above` if there is none. */
static uint32_t point_after(const kn_acd_points *p, uint32_t below, uint32_t above,
                            uint64_t occurrences)
{
    while (below < above) {
        const uint32_t q = below + (above - below) / 2;
        if (p->at[q] < occurrences) {
            below = q + 1;
        } else {
            above = q;
        }
    }
    return below;
}

static void both_passes(kn_acd_sweep *s)
{
    const uint64_t *at = s->p->at;
    hand *up = &s->hands[0], *down = &s->hands[1];
    const uint32_t to[2] = {s->now.to[0] > up->at ? s->now.to[0] : up->at,
                            s->now.to[1] < down->at ? s->now.to[1] : down->at};
    const bool two = s->threads > 1 &&
                     at[to[0]] - at[up->at] + at[down->at] - at[to[1]] >= WORTH_TWO;

    /* Where passes may stop early most do so soon, and a second thread would find nothing to do. */
    if (two && s->now.keys) {
        const uint64_t before = at[down->at] < WORTH_TWO ? 0 : at[down->at] - WORTH_TWO;
        s->now.to[0] = point_after(s->p, up->at, to[0], at[up->at] + WORTH_TWO);
        s->now.to[1] = point_after(s->p, to[1], down->at, before);
        pass(s, 0);
        pass(s, 1);
        memcpy(s->now.to, to, sizeof to);
    }
    if (two && !saturated(up, &s->now) && !saturated(down, &s->now)) {
        kn__parallel(2, pass, s);
    } else {
        pass(s, 0);
        pass(s, 1);
    }
}

kn_status kn__acd_hand_start(const kn_acd_points *p, hand *h, const sweeping *now, kn_error *err)
{
    kn_status status = kn__grow(&h->other, &h->other_cap, p->longest + 1, sizeof *h->other, err);

    h->rare = 0;
    h->full = 0;
    memset(h->own, 0, sizeof h->own);
    while (h->seens) {
        h->pair[h->seen[--h->seens]] = (reach){0, 0};
    }
    if (h->pair_cap) {
        h->pair[h->swept[0]].count = h->pair[h->swept[1]].count = 0;
    }
    if (status != KN_OK || p->m != 2) {
        return status == KN_OK ? kn__acd_numbers_start(&h->numbers, now->ranges, err) : status;
    }
    status = kn__grow(&h->seen, &h->seen_cap, now->ranges + 1, sizeof *h->seen, err);
    if (status == KN_OK && now->ranges > h->pair_cap) {
        status = kn__grow(&h->pair, &h->pair_cap, now->ranges, sizeof *h->pair, err);
        if (status == KN_OK) {
            memset(h->pair, 0, h->pair_cap * sizeof *h->pair);
        }
    }
    if (status == KN_OK) {
        memcpy(h->swept, now->swept, sizeof h->swept);
        h->pair[h->swept[0]].count = h->pair[h->swept[1]].count = (uint32_t)p->k;
    }
    return status;
}

bool kn__acd_left_to_judge(const sweeping *now, uint32_t *first, uint32_t *last)
{
    *first = now->low + 1;
    *last = now->high - 1;
    while (*first < now->high && !now->good[*first - now->low]) {
        ++*first;
    }
    while (*last > *first && !now->good[*last - now->low]) {
        --*last;
    }
    return *first < now->high;
}

kn_status kn__acd_sweep_range(kn_acd_sweep *s, const uint32_t *range_of, uint32_t ranges,
                              uint32_t low, uint32_t high, uint8_t *good, kn_error *err)
{
    const kn_acd_points *p = s->p;
    const uint64_t half = p->at[low] + (p->at[high] - p->at[low]) / 2;
    /* Cuts up to there have fewer occurrences below them than above. */
    const uint32_t middle = point_after(p, low, high, half + 1) - 1, left = range_of[low];
    hand *up = &s->hands[0], *down = &s->hands[1];
    uint32_t first, last;
    kn_status status;

    s->now = (sweeping){.range_of = range_of, .ranges = ranges, .low = low, .high = high};
    s->now.swept[0] = left;
    s->now.swept[1] = range_of[high - 1];
    s->now.good = good;
    s->now.keys = left == s->now.swept[1] && left < s->keys_cap ? s->keys[left] : 0;
    status = kn__acd_hand_start(p, up, &s->now, err);
    if (status == KN_OK) {
        status = kn__acd_hand_start(p, down, &s->now, err);
    }
    if (status != KN_OK) {
        return status;
    }
    up->at = low;
    down->at = high;
    /* Where no cut is good, each pass need not go further than the middle, nor begin without a cut
     * on its half: together they have seen all cuts from one side. What is left then must be seen
     * from the other side. */
    if (kn__acd_left_to_judge(&s->now, &first, &last)) {
        s->now.to[0] = first > middle ? low : last < middle ? last : middle;
        s->now.to[1] = last <= middle ? high : first > middle + 1 ? first : middle + 1;
        both_passes(s);
    }
    if (kn__acd_left_to_judge(&s->now, &first, &last)) {
        s->now.to[0] = last;
        s->now.to[1] = first;
        both_passes(s);
    }
    return up->numbers.failed || down->numbers.failed ? kn__nomem(err) : KN_OK;
}

/* ---- how many combinations there are ---- */

kn_status kn__acd_sweep_begin(kn_acd_sweep *s, kn_error *err)
{
    kn_status status = kn__grow(&s->keys, &s->keys_cap, 1, sizeof *s->keys, err);

    if (status == KN_OK) {
        kn__acd_sweep_forget(s);
        s->keys[0] = s->p->m != 2 ? 0 : s->p->bags && s->p->longest > 1 ? 2 : 1;
    }
    return status;
}

kn_status kn__acd_sweep_cut(kn_acd_sweep *s, uint32_t c, uint32_t right, kn_error *err)
{
    const hand *up = &s->hands[0], *down = &s->hands[1];
    const size_t known = s->keys_cap;
    const uint32_t own = s->now.crossed ? 2 : 1; /* {side}, {left, right} */
    uint32_t *keys;
    kn_status status;

    if (s->now.keys == 0) {
        return KN_OK;
    }
    status = kn__grow(&s->keys, &s->keys_cap, (size_t)right + 1, sizeof *s->keys, err);
    if (status != KN_OK) {
        return status;
    }
    keys = s->keys;
    memset(keys + known, 0, (s->keys_cap - known) * sizeof *keys);
    keys[s->now.swept[0]] = own + (up->own[1].count && up->own[1].first < c);
    keys[right] = own + (down->own[1].count && down->own[1].first >= c);
    for (size_t i = 0; i < up->seens; i++) {
        keys[s->now.swept[0]] += up->pair[up->seen[i]].first < c;
    }
    for (size_t i = 0; i < down->seens; i++) {
        const uint32_t range = down->seen[i];
        if (down->pair[range].first >= c) {
            keys[right]++;
            if (keys[range] && up->pair[range].count && up->pair[range].first < c) {
                keys[range]++;
            }
        }
    }
    return KN_OK;
}

void kn__acd_sweep_forget(kn_acd_sweep *s)
{
    memset(s->keys, 0, s->keys_cap * sizeof *s->keys);
}
