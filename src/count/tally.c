/* tally.c - plain counting, depth first.
 *
 * A node is a combination; its tails are the places in the records that hold it from which on
 * longer combinations go on, so a tail is one number. Two passes over a node's tails: one tallies
 * the items in them, which gives the supports of its children, and one deals them to the children.
 * In a bag the first of equal items of a tail stands for all: the child's tail begins right after
 * it, where the next of them makes {a,a}.
 *
 * Pairs of few items need no tails: a square of counts takes them in one pass over the records. */
#include "count/tally.h"
#include "base/error.h"
#include "base/hash.h"
#include "base/memory.h"
#include "base/sort.h"
#include "base/threads.h"

#include <stdatomic.h>

enum {
    GRAIN = 4,          /* first items that a thread takes at a time */
    PATIENCE = 1 << 22, /* items tallied between two calls of progress */
    SQUARE = 1 << 22,   /* pairs that are counted in a square: 2,048 items, 16 MB */
};

typedef struct child {
    uint32_t item, begin, end; /* its tails among those dealt */
    uint64_t hash;
} child;

/* What a node needs while its children are visited. */
typedef struct level {
    uint32_t *items, *supports, *dealt;
    child *children;
    size_t items_cap, supports_cap, dealt_cap, children_cap;
    size_t count, kept; /* items met; children that are followed */
} level;

typedef struct walk walk;

typedef struct worker {
    walk *s;
    unsigned number;
    uint32_t *support; /* by item: of the node at work, else all 0 */
    uint32_t *tails;   /* by item: how many tails have it; the same array unless records weigh */
    level levels[KN_MOST_M];
    uint32_t prefix[KN_MOST_M];
    size_t work;
} worker;

struct walk {
    const kn_tally_lists *l;
    size_t m;
    const kn_tally_cut *cut;
    bool ordered;
    unsigned threads;
    kn_tally_fn found;
    void *user;
    const kn_run *run;
    kn_error *err;
    worker *workers;
    atomic_int status;
    atomic_size_t done;
};

/* ---- lists ---- */

kn_status kn__tally_lists_init(kn_tally_lists *l, uint32_t items, size_t records,
                               uint64_t occurrences, kn_error *err)
{
    *l = (kn_tally_lists){.items = items};
    if (records > UINT32_MAX / 2 || occurrences > UINT32_MAX - 2 * (uint64_t)records) {
        return kn__fail(err, KN_EINPUT,
                        "%zu records with %llu items: together they are more than can be counted "
                        "plainly; split the table",
                        records, (unsigned long long)occurrences);
    }
    l->cap = (size_t)occurrences + 2 * records;
    l->words = kn__malloc_array(l->cap, sizeof *l->words);
    return l->words ? KN_OK : kn__nomem(err);
}

void kn__tally_lists_clear(kn_tally_lists *l)
{
    kn__free(l->words);
    *l = (kn_tally_lists){0};
}

/* ---- which combinations ---- */

static uint64_t extend(uint64_t hash, uint32_t item)
{
    return kn__mix(hash ^ UINT64_C(0x8ebc6af09c88c6e3),
                   ((uint64_t)item + 1) * UINT64_C(0x9e3779b97f4a7c15));
}

static bool is_looked_at(const kn_tally_cut *cut, uint64_t hash)
{
    return cut->parts < 2 || kn__hash_u64(hash) % cut->parts == cut->part;
}

static bool is_followed(const kn_tally_cut *cut, size_t size, uint64_t hash)
{
    return cut->one_in[size] < 2 || kn__hash_u64(hash) % cut->one_in[size] == 0;
}

bool kn__tally_in_cut(const kn_tally_cut *cut, const uint32_t *items, size_t size)
{
    uint64_t hash = cut->salt;

    for (size_t i = 1; i < size; i++) {
        hash = extend(hash, items[i - 1]);
        if (!is_followed(cut, i, hash)) {
            return false;
        }
    }
    return is_looked_at(cut, hash);
}

/* ---- a node ---- */

static void stop(walk *s, kn_status status)
{
    int none = KN_OK;

    (void)atomic_compare_exchange_strong(&s->status, &none, (int)status);
}

static bool stopped(walk *s)
{
    return atomic_load_explicit(&s->status, memory_order_relaxed) != KN_OK;
}

static uint32_t weight_from(const uint32_t *tail)
{
    while (*tail != KN_TALLY_END) {
        tail++;
    }
    return tail[1];
}

/* Tally the items of the tails; what was met is in level->items, in the order of meeting. */
static bool tally(worker *w, level *l, const uint32_t *tails, size_t count)
{
    const uint32_t *const words = w->s->l->words;
    const bool weighted = w->s->l->weighted > 0;

    l->count = 0;
    for (size_t i = 0; i < count; i++) {
        const uint32_t *tail = words + tails[i];
        const uint32_t weight = weighted ? weight_from(tail) : 1;
        for (uint32_t last = KN_TALLY_END; *tail != KN_TALLY_END; last = *tail++) {
            if (*tail == last) {
                continue;
            }
            if (w->support[*tail] == 0) {
                if (l->count == l->items_cap && kn__grow(&l->items, &l->items_cap, l->count + 1,
                                                         sizeof *l->items, NULL) != KN_OK) {
                    return false;
                }
                l->items[l->count++] = *tail;
            }
            w->support[*tail] += weight;
            if (weighted) {
                w->tails[*tail]++;
            }
        }
        w->work += (size_t)(tail - words) - tails[i];
    }
    return true;
}

static kn_status tell(worker *w, size_t depth, level *l)
{
    for (size_t i = 0; i < l->count; i++) {
        l->supports[i] = w->support[l->items[i]];
    }
    return w->s->found(w->s->user, w->number, depth + 1, w->prefix, l->items, l->supports,
                       l->count);
}

/* Deal the tails to the children that are followed. From here on tails[item] is 1 + where the
 * item's next tail goes, 0 if it is not followed. */
static bool deal(worker *w, size_t depth, level *l, uint64_t hash, const uint32_t *tails,
                 size_t count)
{
    const uint32_t *const words = w->s->l->words;
    uint32_t at = 0;

    if (kn__grow(&l->children, &l->children_cap, l->count, sizeof *l->children, NULL) != KN_OK) {
        return false;
    }
    l->kept = 0;
    for (size_t i = 0; i < l->count; i++) {
        const uint32_t item = l->items[i], len = w->tails[item];
        const uint64_t extended = extend(hash, item);
        w->tails[item] = 0;
        if (is_followed(w->s->cut, depth + 1, extended)) {
            l->children[l->kept++] = (child){item, at, at, extended};
            w->tails[item] = at + 1;
            at += len;
        }
    }
    if (kn__grow(&l->dealt, &l->dealt_cap, at, sizeof *l->dealt, NULL) != KN_OK) {
        return false;
    }
    for (size_t i = 0; i < count && l->kept; i++) {
        uint32_t last = KN_TALLY_END;
        for (uint32_t place = tails[i]; words[place] != KN_TALLY_END; last = words[place++]) {
            uint32_t *const next = &w->tails[words[place]];
            if (words[place] != last && *next && words[place + 1] != KN_TALLY_END) {
                l->dealt[(*next)++ - 1] = place + 1;
            }
        }
    }
    for (size_t i = 0; i < l->kept; i++) {
        l->children[i].end = w->tails[l->children[i].item] - 1;
    }
    return true;
}

static void forget(worker *w, const level *l)
{
    for (size_t i = 0; i < l->count; i++) {
        w->support[l->items[i]] = 0;
        w->tails[l->items[i]] = 0;
    }
}

/* Count the children of the combination of `depth` items in w->prefix and deal its tails to them.
 */
static kn_status open_node(worker *w, size_t depth, uint64_t hash, const uint32_t *tails,
                           size_t count)
{
    const bool looked_at = is_looked_at(w->s->cut, hash);
    level *l = &w->levels[depth];
    kn_status status = KN_OK;

    l->kept = 0;
    if (!tally(w, l, tails, count) ||
        kn__grow(&l->supports, &l->supports_cap, l->count, sizeof *l->supports, NULL) != KN_OK) {
        forget(w, l);
        return KN_ENOMEM;
    }
    if (w->s->ordered) {
        kn__sort_u32(l->items, l->count);
    }
    if (looked_at && l->count) {
        status = tell(w, depth, l);
    }
    if (status == KN_OK && depth + 1 < w->s->m && !deal(w, depth, l, hash, tails, count)) {
        status = KN_ENOMEM;
    }
    forget(w, l);
    return status;
}

static void progress(worker *w)
{
    walk *s = w->s;
    const size_t all = s->workers[0].levels[0].kept;

    w->work = 0;
    if (w->number == 0) { /* the calling thread */
        const kn_status status = kn__run_step(
            s->run, "recount", (double)atomic_load(&s->done) / (double)(all ? all : 1), s->err);
        if (status != KN_OK) {
            stop(s, status);
        }
    }
}

static void visit(worker *w, size_t depth, uint64_t hash, const uint32_t *tails, size_t count)
{
    const level *l = &w->levels[depth];
    kn_status status;

    if (stopped(w->s) || count == 0 || (depth + 1 == w->s->m && !is_looked_at(w->s->cut, hash))) {
        return;
    }
    status = open_node(w, depth, hash, tails, count);
    if (status != KN_OK) {
        stop(w->s, status);
        return;
    }
    if (w->work > PATIENCE) {
        progress(w);
    }
    for (size_t i = 0; i < l->kept; i++) {
        const child *c = &l->children[i];
        w->prefix[depth] = c->item;
        visit(w, depth + 1, c->hash, l->dealt + c->begin, c->end - c->begin);
    }
}

/* ---- pairs of few items ---- */

/* Where the square would be larger than the records, clearing it takes longer than it saves. */
static bool worth_a_square(const walk *s)
{
    const uint64_t pairs = (uint64_t)s->l->items * s->l->items;

    return s->m == 2 && !s->ordered && s->cut->parts < 2 && s->cut->one_in[1] < 2 &&
           pairs <= SQUARE && pairs <= s->l->len;
}

/* Count the record at `record` for its items and for {a, b} at square[a * items + b]; returns where
 * the next record begins. */
static const uint32_t *count_record(const uint32_t *record, size_t items, uint32_t *single,
                                    uint32_t *square)
{
    const uint32_t *end = record;
    uint32_t weight;

    while (*end != KN_TALLY_END) {
        end++;
    }
    weight = end[1];
    for (const uint32_t *first = record; first < end;) {
        uint32_t *const row = square + *first * items;
        const uint32_t item = *first;
        uint32_t last = KN_TALLY_END;
        single[item] += weight;
        for (const uint32_t *second = first + 1; second < end; last = *second++) {
            row[*second] += *second != last ? weight : 0;
        }
        while (first < end && *first == item) {
            first++;
        }
    }
    return end + 2;
}

/* Hand on the extensions of `prefix` that occur, `supports` by item. */
static kn_status tell_row(walk *s, size_t size, uint32_t prefix, const uint32_t *supports,
                          uint32_t *items, uint32_t *found)
{
    size_t count = 0;

    for (uint32_t item = 0; item < s->l->items; item++) {
        items[count] = item;
        found[count] = supports[item];
        count += supports[item] != 0;
    }
    return count ? s->found(s->user, 0, size, &prefix, items, found, count) : KN_OK;
}

static kn_status count_square(walk *s)
{
    const uint32_t *const words = s->l->words, *const end = words + s->l->len;
    const size_t items = s->l->items;
    uint32_t *square = kn__zalloc_array(items * items, sizeof *square);
    uint32_t *rows = kn__zalloc_array(3 * items, sizeof *rows); /* of single items, and to tell */
    kn_status status;

    KN_TRY(square && rows ? KN_OK : KN_ENOMEM);
    for (const uint32_t *record = words, *reported = words; record < end;) {
        record = count_record(record, items, rows, square);
        if (record - reported > PATIENCE) {
            reported = record;
            KN_TRY(kn__run_step(s->run, "recount", (double)(record - words) / (double)s->l->len,
                                s->err));
        }
    }
    KN_TRY(tell_row(s, 1, KN_TALLY_END, rows, rows + items, rows + 2 * items));
    for (uint32_t item = 0; item < items; item++) {
        KN_TRY(tell_row(s, 2, item, square + item * items, rows + items, rows + 2 * items));
    }
done:
    KN_FREE(square, rows);
    return status;
}

/* ---- all of it ---- */

static void visit_first(void *user, unsigned number, size_t begin, size_t end)
{
    walk *s = user;
    const level *root = &s->workers[0].levels[0];

    for (size_t i = begin; i < end; i++) {
        const child *c = &root->children[i];
        s->workers[number].prefix[0] = c->item;
        visit(&s->workers[number], 1, c->hash, root->dealt + c->begin, c->end - c->begin);
        atomic_fetch_add(&s->done, 1);
    }
}

static bool prepare(walk *s)
{
    s->workers = kn__zalloc_array(s->threads, sizeof *s->workers);
    for (unsigned i = 0; s->workers && i < s->threads; i++) {
        worker *w = &s->workers[i];
        w->s = s;
        w->number = i;
        w->support = kn__zalloc_array(s->l->items, sizeof *w->support);
        w->tails = s->l->weighted ? kn__zalloc_array(s->l->items, sizeof *w->tails) : w->support;
        if (!w->support || !w->tails) {
            return false;
        }
    }
    return s->workers != NULL;
}

static void clear(walk *s)
{
    for (unsigned i = 0; s->workers && i < s->threads; i++) {
        worker *w = &s->workers[i];
        for (size_t d = 0; d < KN_MOST_M; d++) {
            KN_FREE(w->levels[d].items, w->levels[d].supports, w->levels[d].dealt,
                    w->levels[d].children);
        }
        if (w->tails != w->support) {
            kn__free(w->tails);
        }
        kn__free(w->support);
    }
    kn__free(s->workers);
}

/* The root's tails are the records. */
static uint32_t *whole_records(const kn_tally_lists *l)
{
    uint32_t *tails = kn__malloc_array(l->records, sizeof *tails);
    size_t count = 0;

    for (size_t i = 0; tails && i < l->len; i += 2) {
        tails[count++] = (uint32_t)i;
        while (l->words[i] != KN_TALLY_END) {
            i++;
        }
    }
    return tails;
}

kn_status kn__tally_walk(const kn_tally_lists *l, size_t m, const kn_tally_cut *cut, bool ordered,
                         unsigned threads, kn_tally_fn found, void *user, const kn_run *run,
                         kn_error *err)
{
    static const kn_tally_cut everything = {0};
    walk s = {.l = l,
              .m = m,
              .cut = cut ? cut : &everything,
              .ordered = ordered,
              .threads = ordered || threads < 1 ? 1 : threads,
              .found = found,
              .user = user,
              .run = run,
              .err = err};
    uint32_t *tails = NULL;
    kn_status status = kn__run_step(run, "recount", 0, err);

    atomic_init(&s.status, KN_OK);
    atomic_init(&s.done, 0);
    if (status == KN_OK && worth_a_square(&s)) {
        status = count_square(&s);
        return status == KN_ENOMEM ? kn__nomem(err) : status;
    }
    if (status == KN_OK) {
        tails = whole_records(l);
        status = tails && prepare(&s) ? open_node(&s.workers[0], 0, s.cut->salt, tails, l->records)
                                      : KN_ENOMEM;
    }
    kn__free(tails);
    if (status == KN_OK) {
        kn__parallel_for(s.threads, s.workers[0].levels[0].kept, GRAIN, visit_first, &s);
        status = (kn_status)atomic_load(&s.status);
    }
    clear(&s);
    return status == KN_ENOMEM ? kn__nomem(err) : status;
}
