/* acd_sweep.c - supports on both sides of a moving cut.
 *
 * A combination is (a, b, Q): a items of the left side, b of the right, and Q of other ranges. Each
 * Q that occurs gets a number through a trie whose edges are in a hash table; the first level,
 * which is all there is for m = 2, is an array by range. A record holds (a, b, Q) when it has a
 * items or more on the left, b or more on the right, and Q. So when one of its items goes over, it
 * gains the combinations with a at its new count, and loses those with b at its old one. In sets a
 * and b are at most 1. */
#include "methods/acd_sweep.h"
#include "base/error.h"
#include "base/hash.h"
#include "base/memory.h"
#include "base/threads.h"

#include <string.h>

/* From this many occurrences on, starting a second thread is worth it. */
enum { WORTH_TWO = 1 << 15 };

/* The supports of one sweep. */
typedef struct hand {
    const kn_acd_points *p;
    uint32_t *first; /* by range: the number of {range}, 0: none; 0 between sweeps */
    uint32_t *seen;  /* ranges that have one, or pairs */
    size_t first_cap, seen_cap, seens;
    uint64_t *edge; /* hash table: parent << 32 | range; 0: empty, and so are all between sweeps */
    uint32_t *child;
    uint32_t *used;     /* slots that are not empty; a large table is not cleared as a whole */
    size_t edges, mask; /* in use; slots - 1, or 0 without a table */
    uint32_t numbers;   /* of Q; 0 is the empty one */
    uint32_t *count;    /* [number * stride + a * (m + 1) + b] */
    size_t count_cap, stride;
    size_t rare; /* combinations above 0 and below k */
    /* For m = 2: by range, the support of {left, range} and of {right, range}; 0 between sweeps. */
    uint32_t (*pair)[2];
    size_t pair_cap;
    uint32_t own[5]; /* of {left}, {right}, {left, left}, {left, right}, {right, right} */

    uint32_t *other; /* ranges of the record at hand, aside from the one being swept */
    size_t others, other_cap;
    /* What happens to the record at hand: it held `a` and `b` items, now `new_a` and `new_b`. */
    size_t a, b, new_a, new_b;
    bool failed;
} hand;

/* The range that is swept. */
typedef struct sweeping {
    const uint32_t *range_of;
    uint32_t swept, low, middle, high;
    uint8_t *good;
} sweeping;

struct kn_acd_sweep {
    const kn_acd_points *p;
    /* For each occurrence, in the order of the points: the length of its record, its place there,
     * and the record's points. Read from one end to the other, so that a sweep never waits for
     * memory; NULL where records are too long for so many copies. */
    uint32_t *copies;
    uint64_t *copies_at; /* by point */
    /* A large range is swept from both ends at once. Either hand finds what one alone would find,
     * so it does not matter whether there are two. */
    hand hands[2];
    unsigned threads;
    sweeping now;
};

/* Where the record's first item of point `q` is. */
static uint32_t place_of(const uint32_t *list, uint32_t q)
{
    uint32_t place = 0;

    while (list[place] != q) {
        place++;
    }
    return place;
}

/* Copies of this many numbers an occurrence are worth their memory. */
enum { MOST_COPIED = 16 };

static kn_status make_copies(kn_acd_sweep *s, kn_error *err)
{
    const kn_acd_points *p = s->p;
    const uint64_t *starts = p->b->starts;
    uint64_t room = 0, at = 0;

    for (size_t r = 0; r < p->b->records; r++) {
        const uint64_t len = starts[r + 1] - starts[r];
        room += len * (len + 2);
    }
    if (room > MOST_COPIED * starts[p->b->records]) {
        return KN_OK;
    }
    s->copies = kn_malloc_array((size_t)room, sizeof *s->copies);
    s->copies_at = kn_malloc_array((size_t)p->points + 1, sizeof *s->copies_at);
    if (!s->copies || !s->copies_at) {
        return kn_nomem(err);
    }
    for (uint32_t q = 0; q < p->points; q++) {
        s->copies_at[q] = at;
        for (uint64_t i = p->at[q], again = 0; i < p->at[q + 1]; i++) {
            const uint32_t *list = p->list + starts[p->record[i]];
            const size_t len = (size_t)(starts[p->record[i] + 1] - starts[p->record[i]]);
            again = i > p->at[q] && p->record[i - 1] == p->record[i] ? again + 1 : 0;
            s->copies[at++] = (uint32_t)len;
            s->copies[at++] = place_of(list, q) + (uint32_t)again;
            memcpy(s->copies + at, list, len * sizeof *list);
            at += len;
        }
    }
    s->copies_at[p->points] = at;
    return KN_OK;
}

kn_status kn_acd_sweep_new(kn_acd_sweep **out, const kn_acd_points *p, unsigned threads,
                           kn_error *err)
{
    kn_acd_sweep *s = kn_zalloc(sizeof *s);
    kn_status status;

    *out = NULL;
    if (!s) {
        return kn_nomem(err);
    }
    s->p = p;
    s->threads = threads;
    for (int h = 0; h < 2; h++) {
        s->hands[h].p = p;
        s->hands[h].stride = (p->m + 1) * (p->m + 1);
    }
    status = make_copies(s, err);
    if (status != KN_OK) {
        kn_acd_sweep_free(s);
        return status;
    }
    *out = s;
    return KN_OK;
}

void kn_acd_sweep_free(kn_acd_sweep *s)
{
    if (s) {
        kn_free(s->copies);
        kn_free(s->copies_at);
        for (int h = 0; h < 2; h++) {
            hand *x = &s->hands[h];
            kn_free(x->first);
            kn_free(x->seen);
            kn_free(x->edge);
            kn_free(x->child);
            kn_free(x->used);
            kn_free(x->count);
            kn_free(x->pair);
            kn_free(x->other);
        }
        kn_free(s);
    }
}

static uint32_t new_number(hand *s)
{
    const size_t need = ((size_t)s->numbers + 1) * s->stride;

    if (need > s->count_cap &&
        kn_grow(&s->count, &s->count_cap, need, sizeof *s->count, NULL) != KN_OK) {
        s->failed = true;
        return 0;
    }
    memset(s->count + need - s->stride, 0, s->stride * sizeof *s->count);
    return s->numbers++;
}

static bool grow_edges(hand *s)
{
    const size_t slots = s->mask ? 2 * (s->mask + 1) : 1024;
    uint64_t *edge = kn_zalloc_array(slots, sizeof *edge);
    uint32_t *child = kn_malloc_array(slots, sizeof *child);
    uint32_t *used = kn_malloc_array(slots, sizeof *used);

    if (!edge || !child || !used || slots > UINT32_MAX) {
        kn_free(edge);
        kn_free(child);
        kn_free(used);
        s->failed = true;
        return false;
    }
    for (size_t i = 0; i < s->edges; i++) {
        const uint32_t old = s->used[i];
        size_t slot = (size_t)kn_hash_u64(s->edge[old]) & (slots - 1);
        while (edge[slot]) {
            slot = (slot + 1) & (slots - 1);
        }
        edge[slot] = s->edge[old];
        child[slot] = s->child[old];
        used[i] = (uint32_t)slot;
    }
    kn_free(s->edge);
    kn_free(s->child);
    kn_free(s->used);
    s->edge = edge;
    s->child = child;
    s->used = used;
    s->mask = slots - 1;
    return true;
}

/* The number of Q with `range` added, Q having number `parent`. */
static inline uint32_t number_of(hand *s, uint32_t parent, uint32_t range)
{
    uint64_t key;
    size_t slot;

    if (parent == 0) {
        if (!s->first[range]) {
            s->first[range] = new_number(s);
            s->seen[s->seens++] = range;
        }
        return s->first[range];
    }
    if (2 * (s->edges + 1) > s->mask && !grow_edges(s)) {
        return 0;
    }
    key = (uint64_t)parent << 32 | range; /* not 0: the parent is not */
    slot = (size_t)kn_hash_u64(key) & s->mask;
    while (s->edge[slot] && s->edge[slot] != key) {
        slot = (slot + 1) & s->mask;
    }
    if (!s->edge[slot]) {
        s->edge[slot] = key;
        s->child[slot] = new_number(s);
        s->used[s->edges++] = (uint32_t)slot;
    }
    return s->child[slot];
}

/* The record at hand holds Q, `size` ranges with number `q`. */
static inline void count_change(hand *s, uint32_t q, size_t size)
{
    const size_t m = s->p->m, k = s->p->k;
    uint32_t *count = s->count + q * s->stride;

    if (s->new_b < s->b) {
        for (size_t a = 0; a <= s->a && a + s->b + size <= m; a++) {
            uint32_t *c = &count[a * (m + 1) + s->b];
            --*c;
            s->rare += *c == k - 1;
            s->rare -= *c == 0; /* with k = 1 it was never rare: both cancel out */
        }
    } else if (s->new_b > s->b && s->new_b + size <= m) {
        uint32_t *c = &count[s->new_b];
        ++*c;
        s->rare += *c == 1;
        s->rare -= *c == k;
    }
    if (s->new_a > s->a) {
        for (size_t b = 0; b <= s->new_b && s->new_a + b + size <= m; b++) {
            uint32_t *c = &count[s->new_a * (m + 1) + b];
            ++*c;
            s->rare += *c == 1;
            s->rare -= *c == k;
        }
    }
}

/* All Q that extend number `q` with ranges of the record from place `from` on, each once. */
static void walk(hand *s, uint32_t q, size_t size, size_t from)
{
    count_change(s, q, size);
    if (size + 2 > s->p->m) { /* one place is for the range that is swept */
        return;
    }
    for (size_t i = from; i < s->others; i++) {
        if (i == from || s->other[i] != s->other[i - 1]) {
            const uint32_t next = number_of(s, q, s->other[i]);
            if (s->failed) {
                return;
            }
            if (size + 3 > s->p->m) {
                count_change(s, next, size + 1);
            } else {
                walk(s, next, size + 1, i + 1);
            }
        }
    }
}

/* What happens to occurrences: they are put on the right; or taken to the left, from the lowest
 * point up or from the highest down (then left and right have changed places). */
typedef enum how { PUT, UP, DOWN } how;

static inline void swap(size_t *a, size_t *b)
{
    const size_t c = *a;

    *a = *b;
    *b = c;
}

/* One occurrence: item number `place` of the record's list. What the record has on either side
 * follows from the order in which occurrences come: of its items in the swept range, those before
 * `place` have gone before. (Within a point they may come in any order: counts are looked at after
 * it.) */
static void change(hand *s, const sweeping *now, const uint32_t *list, size_t len, size_t place,
                   how what)
{
    const bool bags = s->p->bags;
    const size_t most = bags ? s->p->m : 1;
    size_t before = 0, after = 0, left, right;

    s->others = 0;
    for (size_t i = 0; i < len; i++) {
        const uint32_t range = now->range_of[list[i]];
        if (range == now->swept) {
            before += i < place;
            after += i > place;
        } else if (bags || s->others == 0 || s->other[s->others - 1] != range) {
            s->other[s->others++] = range;
        }
    }
    if (what == DOWN) {
        swap(&before, &after);
    }
    left = what == PUT ? 0 : before;
    right = what == PUT ? before : after + 1;
    s->a = left < most ? left : most;
    s->b = right < most ? right : most;
    left += what != PUT;
    right = what == PUT ? right + 1 : right - 1;
    s->new_a = left < most ? left : most;
    s->new_b = right < most ? right : most;
    if (s->a != s->new_a || s->b != s->new_b) {
        walk(s, 0, 0, 0);
    }
}

static inline void gain(hand *s, uint32_t *count)
{
    ++*count;
    s->rare += *count == 1;
    s->rare -= *count == s->p->k;
}

static inline void lose(hand *s, uint32_t *count)
{
    --*count;
    s->rare += *count == s->p->k - 1;
    s->rare -= *count == 0;
}

/* The same for m = 2, without numbers for Q. */
static void change_pairs(hand *s, const sweeping *now, const uint32_t *list, size_t len,
                         size_t place, how what)
{
    const bool bags = s->p->bags;
    size_t before = 0, after = 0;
    uint32_t last = now->swept;
    bool from_right, to_left;

    s->others = 0;
    for (size_t i = 0; i < len; i++) {
        const uint32_t range = now->range_of[list[i]];
        if (range == now->swept) {
            before += i < place;
            after += i > place;
        } else if (range != last) {
            s->other[s->others++] = range;
        }
        last = range;
    }
    if (what == PUT) {
        if (before == 0) {
            gain(s, &s->own[1]);
            for (size_t i = 0; i < s->others; i++) {
                uint32_t *count = &s->pair[s->other[i]][1];
                if (*count == 0) {
                    s->seen[s->seens++] = s->other[i];
                }
                gain(s, count);
            }
        } else if (before == 1 && bags) {
            gain(s, &s->own[4]);
        }
        return;
    }
    if (what == DOWN) {
        swap(&before, &after);
    }
    from_right = after == 0;
    to_left = before == 0;
    for (size_t i = 0; i < s->others; i++) {
        uint32_t *count = s->pair[s->other[i]];
        if (from_right) {
            lose(s, &count[1]);
        }
        if (to_left) {
            gain(s, &count[0]);
        }
    }
    if (from_right) {
        lose(s, &s->own[1]);
    }
    if (to_left) {
        gain(s, &s->own[0]);
    }
    if (from_right && !to_left) { /* the record was on both sides */
        lose(s, &s->own[3]);
    } else if (to_left && !from_right) {
        gain(s, &s->own[3]);
    }
    if (after == 1 && bags) {
        lose(s, &s->own[4]);
    }
    if (before == 1 && bags) {
        gain(s, &s->own[2]);
    }
}

/* All occurrences of point `q`. */
static void change_point(const kn_acd_sweep *s, hand *h, uint32_t q, how what)
{
    const kn_acd_points *p = s->p;
    void (*step)(hand *, const sweeping *, const uint32_t *, size_t, size_t,
                 how) = p->m == 2 ? change_pairs : change;

    if (s->copies) {
        const uint32_t *at = s->copies + s->copies_at[q], *end = s->copies + s->copies_at[q + 1];
        for (; at < end && !h->failed; at += 2 + at[0]) {
            step(h, &s->now, at + 2, at[0], at[1], what);
        }
        return;
    }
    for (uint64_t i = p->at[q], again = 0; i < p->at[q + 1] && !h->failed; i++) {
        const uint32_t r = p->record[i];
        const uint32_t *list = p->list + p->b->starts[r];
        again = i > p->at[q] && p->record[i - 1] == r ? again + 1 : 0;
        step(h, &s->now, list, (size_t)(p->b->starts[r + 1] - p->b->starts[r]),
             place_of(list, q) + (size_t)again, what);
    }
}

static kn_status make_room(hand *h, uint32_t ranges, size_t longest, kn_error *err)
{
    const size_t known = h->first_cap;
    kn_status status = kn_grow(&h->seen, &h->seen_cap, ranges, sizeof *h->seen, err);

    if (status == KN_OK) {
        status = kn_grow(&h->first, &h->first_cap, ranges, sizeof *h->first, err);
    }
    if (status == KN_OK) {
        memset(h->first + known, 0, (h->first_cap - known) * sizeof *h->first);
    }
    if (status == KN_OK && ranges > h->pair_cap) {
        status = kn_grow(&h->pair, &h->pair_cap, ranges, sizeof *h->pair, err);
        if (status == KN_OK) {
            memset(h->pair, 0, h->pair_cap * sizeof *h->pair);
        }
    }
    return status == KN_OK ? kn_grow(&h->other, &h->other_cap, longest + 1, sizeof *h->other, err)
                           : status;
}

static void start(hand *h)
{
    h->failed = false;
    h->numbers = 0;
    h->rare = 0;
    memset(h->own, 0, sizeof h->own);
    (void)new_number(h);
}

static void clear(hand *h)
{
    while (h->seens) {
        const uint32_t range = h->seen[--h->seens];
        h->first[range] = 0;
        memset(h->pair[range], 0, sizeof h->pair[range]);
    }
    while (h->edges) {
        h->edge[h->used[--h->edges]] = 0;
    }
}

static void put(const kn_acd_sweep *s, hand *h, uint32_t low, uint32_t high)
{
    for (uint32_t q = low; q < high && !h->failed; q++) {
        change_point(s, h, q, PUT);
    }
}

/* Judge the cuts up to `end`, from the lowest. */
static void sweep_up(const kn_acd_sweep *s, hand *h, uint32_t end)
{
    for (uint32_t q = s->now.low; q < end && !h->failed; q++) {
        change_point(s, h, q, UP);
        s->now.good[q + 1 - s->now.low] = h->rare == 0;
    }
}

/* Judge the cuts above the middle, from the highest. */
static void sweep_down(const kn_acd_sweep *s, hand *h)
{
    for (uint32_t q = s->now.high - 1; q > s->now.middle && !h->failed; q--) {
        change_point(s, h, q, DOWN);
        s->now.good[q - s->now.low] = h->rare == 0;
    }
}

/* ---- two hands ---- */

static void put_with(void *user, unsigned worker)
{
    kn_acd_sweep *s = user;
    const sweeping *now = &s->now;
    hand *h = &s->hands[worker];

    start(h);
    if (s->p->m == 2) { /* half each: pairs are easily added */
        put(s, h, worker ? now->middle : now->low, worker ? now->high : now->middle);
    } else {
        put(s, h, now->low, now->high);
    }
}

static void sweep_with(void *user, unsigned worker)
{
    kn_acd_sweep *s = user;

    if (worker) {
        sweep_down(s, &s->hands[1]);
    } else {
        sweep_up(s, &s->hands[0], s->now.middle);
    }
}

/* Both hands get what each has put. No combination is rare yet: the partition satisfies. */
static void add_pairs(hand *a, hand *b)
{
    for (size_t i = 0; i < b->seens; i++) {
        const uint32_t range = b->seen[i];
        if (a->pair[range][1] == 0) {
            a->seen[a->seens++] = range;
        }
        a->pair[range][1] += b->pair[range][1];
    }
    for (size_t i = 0; i < a->seens; i++) {
        const uint32_t range = a->seen[i];
        if (b->pair[range][1] == 0) {
            b->seen[b->seens++] = range;
        }
        b->pair[range][1] = a->pair[range][1];
    }
    for (int i = 0; i < 5; i++) {
        a->own[i] += b->own[i];
        b->own[i] = a->own[i];
    }
    a->rare = 0;
    b->rare = 0;
}

/* Where half of the occurrences are passed; between low and high - 1. */
static uint32_t middle_of(const kn_acd_points *p, uint32_t low, uint32_t high)
{
    const uint64_t half = p->at[low] + (p->at[high] - p->at[low]) / 2;
    uint32_t below = low, above = high - 1;

    while (below < above) {
        const uint32_t q = below + (above - below) / 2;
        if (p->at[q] < half) {
            below = q + 1;
        } else {
            above = q;
        }
    }
    return below;
}

kn_status kn_acd_sweep_range(kn_acd_sweep *s, const uint32_t *range_of, uint32_t ranges,
                             uint32_t low, uint32_t high, uint8_t *good, kn_error *err)
{
    const kn_acd_points *p = s->p;
    const bool both = s->threads > 1 && p->at[high] - p->at[low] >= WORTH_TWO;
    kn_status status = make_room(&s->hands[0], ranges, p->longest, err);

    if (status == KN_OK && both) {
        status = make_room(&s->hands[1], ranges, p->longest, err);
    }
    if (status != KN_OK) {
        return status;
    }
    s->now = (sweeping){range_of, range_of[low], low, middle_of(p, low, high), high, NULL};
    s->now.good = good;
    if (both) {
        kn_parallel(2, put_with, s);
        if (p->m == 2) {
            add_pairs(&s->hands[0], &s->hands[1]);
        }
        kn_parallel(2, sweep_with, s);
        clear(&s->hands[1]);
    } else {
        start(&s->hands[0]);
        put(s, &s->hands[0], low, high);
        sweep_up(s, &s->hands[0], high - 1);
    }
    clear(&s->hands[0]);
    return s->hands[0].failed || (both && s->hands[1].failed) ? kn_nomem(err) : KN_OK;
}
