/* dense_rare.c - depth-first enumeration of itemsets over bit sets of the longest records.
 *
 * A node is an itemset, with the bit set of the long records that hold it: NEAR words for every
 * node, FAR words only once a child needs them. An itemset with k bits has support k. Otherwise its
 * support is counted over all records (postings.h), to k and no further. A rare or barely common
 * prefix has few records: below it the records themselves are walked (projection.h), which also
 * skips all that does not occur.
 *
 * Items that few records hold have no bit set; give them the smallest codes, and every itemset with
 * one of them is found by walking its records.
 *
 * Each first item is searched by one worker and has findings of its own, so what is kept does not
 * depend on the threads. */
#include "count/dense_rare.h"

#include "base/bits.h"
#include "base/error.h"
#include "base/memory.h"
#include "base/threads.h"
#include "count/projection.h"

#include <stdatomic.h>
#include <string.h>

enum {
    NEAR = 64,         /* words of the first bit set: 4,096 records */
    FAR = 1024,        /* of the second, which begins with the first */
    FEW = 4096,        /* a prefix with at most so many different records is walked */
    KEPT_EACH = 1000,  /* itemsets that are kept for each first item */
    PATIENCE = 1 << 22 /* items of records and words of bit sets that are read between two questions
                          whether to stop: some milliseconds */
};

#define NO_ROW SIZE_MAX

typedef struct depth {
    uint64_t near[NEAR];
    uint64_t *far; /* FAR words */
    bool far_ready;
} depth;

typedef struct worker {
    depth depths[KN_MOST_KNOWN];
    kn_projection_level levels[KN_MOST_KNOWN];
    uint32_t prefix[KN_MOST_KNOWN];
    kn_tail *tails; /* FEW of them */
    size_t tails_len;
    uint64_t undecided;
    unsigned number;
    size_t work; /* since the last question whether to stop, about */
} worker;

/* What one first item found. */
typedef struct finding {
    uint64_t count[KN_MOST_KNOWN + 1];
    uint32_t least[KN_MOST_KNOWN + 1];
    kn_dense_itemset *kept;
    size_t kept_count, cap;
} finding;

typedef struct search {
    const kn_set_source *source;
    const size_t *k; /* by size */
    size_t m, limit;
    uint32_t *occurring; /* items that occur, ascending */
    size_t items;
    size_t near, far; /* words in use */
    uint64_t *bits;   /* FAR words for each item that more than FEW records hold, */
    size_t *row;      /* by occurring item: which of them; NO_ROW: none, it is held by few */
    kn_projection_lists lists;
    worker *workers;
    finding *findings; /* by first item */
    const kn_run *run;
    double share;         /* of the first items that are finished, as the calling thread saw it */
    atomic_bool failed;   /* no memory */
    atomic_bool stopping; /* no memory, or the caller asked to stop */
    kn_error cancelled;   /* of the calling thread */
} search;

/* ---- stopping ---- */

static void fail(search *s)
{
    atomic_store(&s->failed, true);
    atomic_store(&s->stopping, true);
}

/* Whether to give up. One first item can take minutes, so the calling thread asks in between. */
static bool stops(search *s, worker *w, size_t work)
{
    w->work += work;
    if (w->number == 0 && w->work >= PATIENCE) {
        w->work = 0;
        if (s->cancelled.status == KN_OK &&
            kn__run_step(s->run, "itemsets", s->share, &s->cancelled) != KN_OK) {
            atomic_store(&s->stopping, true);
        }
    }
    return atomic_load_explicit(&s->stopping, memory_order_relaxed);
}

/* ---- what is found ---- */

static void note(search *s, finding *f, const uint32_t *items, size_t size, size_t support)
{
    f->count[size]++;
    if (f->least[size] == 0 || support < f->least[size]) {
        f->least[size] = (uint32_t)support;
    }
    if (f->kept_count < s->limit && f->kept_count < KEPT_EACH) {
        if (kn__grow(&f->kept, &f->cap, f->kept_count + 1, sizeof *f->kept, NULL) != KN_OK) {
            fail(s);
            return;
        }
        kn_dense_itemset *kept = &f->kept[f->kept_count++];
        *kept = (kn_dense_itemset){.size = (uint32_t)size, .support = (uint32_t)support};
        memcpy(kept->items, items, size * sizeof *items);
    }
}

/* ---- below a prefix with few records ---- */

static void walk(search *s, worker *w, finding *f, size_t size, const kn_tail *tails, size_t len)
{
    kn_projection_level *level = &w->levels[size];
    size_t work = 0;
    bool fine;

    if (stops(s, w, 0)) {
        return;
    }
    fine = kn__projection_ready(level, s->lists.items);
    if (fine) {
        (void)kn__projection_count(&s->lists, level, tails, len, &work);
        w->work += work;
    }
    for (size_t i = 0; fine && i < level->touched_len; i++) {
        const uint32_t item = level->touched[i];
        w->prefix[size] = item;
        if (level->count[item] < s->k[size + 1]) {
            note(s, f, w->prefix, size + 1, level->count[item]);
        }
        if (size + 1 < s->m) {
            fine = kn__projection_choose(level, item) != NULL;
        }
    }
    fine = fine && (size + 1 == s->m || kn__projection_deal(&s->lists, level, tails, len));
    if (!fine) {
        fail(s);
        return;
    }
    kn__projection_reset(level);
    for (size_t i = 0; size + 1 < s->m && i < level->chosen_len; i++) {
        const kn_extension next = level->chosen[i];
        w->prefix[size] = next.item;
        walk(s, w, f, size + 1, level->dealt + next.begin, next.len);
    }
}

typedef struct gathering {
    const search *s;
    worker *w;
    uint32_t last;
} gathering;

static void gather(void *user, uint32_t record)
{
    gathering *g = user;
    size_t len, low = 0;
    const uint32_t *items = kn__baskets_record(g->s->source->records, record, &len);

    while (low < len) { /* the first item behind the prefix */
        const size_t middle = low + (len - low) / 2;
        if (items[middle] <= g->last) {
            low = middle + 1;
        } else {
            len = middle;
        }
    }
    g->w->tails[g->w->tails_len++] = (kn_tail){record, (uint32_t)low};
}

static void walk_prefix(search *s, worker *w, finding *f, size_t size)
{
    gathering g = {s, w, w->prefix[size - 1]};

    w->tails_len = 0;
    kn__postings_each(s->source->postings, w->prefix, size, gather, &g);
    walk(s, w, f, size, w->tails, w->tails_len);
}

/* ---- the bit sets ---- */

static const uint64_t *row(const search *s, size_t place)
{
    return s->row[place] == NO_ROW ? NULL : s->bits + s->row[place] * FAR;
}

/* Whether at least k bits are set in both, of `words` words. */
static bool both_have(const uint64_t *a, const uint64_t *b, size_t words, size_t k)
{
    size_t found = 0;

    for (size_t i = 0; i < words; i++) {
        found += kn__bits_count(a[i] & b[i]);
        if (found >= k) {
            return true;
        }
    }
    return false;
}

/* The far bits of the prefix of `size` items, which were not needed until now. */
static const uint64_t *far_bits(const search *s, worker *w, const size_t *places, size_t size)
{
    depth *d = &w->depths[size - 1];

    if (size == 1) {
        return row(s, places[0]);
    }
    if (!d->far_ready) {
        const uint64_t *before = far_bits(s, w, places, size - 1), *last = row(s, places[size - 1]);
        for (size_t i = 0; i < s->far; i++) {
            d->far[i] = before[i] & last[i];
        }
        d->far_ready = true;
    }
    return d->far;
}

static void extend(search *s, worker *w, finding *f, size_t *places, size_t size);

/* The itemset w->prefix[0..size), whose near bits are too few: count all of its records, and go on
 * below it. */
static void decide(search *s, worker *w, finding *f, size_t *places, size_t size)
{
    const kn_set_source *source = s->source;
    const size_t k = s->k[size];
    size_t support, records;

    w->undecided++;
    w->work += (size_t)kn__postings_of(source->postings, w->prefix[0], 1).len;
    support = kn__postings_support(source->postings, w->prefix, size, source->weight, k, NULL);
    if (support == 0) {
        return;
    }
    if (support < k) {
        note(s, f, w->prefix, size, support);
    }
    if (size == s->m) {
        return;
    }
    records = support < k ? support
                          : kn__postings_support(source->postings, w->prefix, size, NULL,
                                                 (size_t)FEW + 1, NULL);
    if (records <= FEW) {
        walk_prefix(s, w, f, size);
    } else {
        extend(s, w, f, places, size);
    }
}

/* All itemsets that begin with w->prefix[0..size), the places of which are places[0..size). */
static void extend(search *s, worker *w, finding *f, size_t *places, size_t size)
{
    const uint64_t *near = size == 1 ? row(s, places[0]) : w->depths[size - 1].near;
    const size_t k = s->k[size + 1];

    for (size_t next = places[size - 1] + 1; next < s->items; next++) {
        if (stops(s, w, NEAR)) {
            return;
        }
        const uint64_t *bits = row(s, next);
        bool common = bits && both_have(near, bits, s->near, k);
        if (bits && !common && s->far > s->near) {
            common = both_have(far_bits(s, w, places, size), bits, s->far, k);
        }
        if (common && size + 1 == s->m) {
            continue;
        }
        depth *d = &w->depths[size];
        places[size] = next;
        w->prefix[size] = s->occurring[next];
        for (size_t i = 0; bits && i < s->near && size + 1 < s->m; i++) {
            d->near[i] = near[i] & bits[i];
        }
        d->far_ready = false;
        if (common) {
            extend(s, w, f, places, size + 1);
        } else {
            decide(s, w, f, places, size + 1);
        }
    }
}

static void search_slice(void *user, unsigned number, size_t begin, size_t end)
{
    search *s = user;
    worker *w = &s->workers[number];
    size_t places[KN_MOST_KNOWN];

    if (number == 0) {
        s->share = (double)begin / (double)s->items;
    }
    for (size_t i = begin; i < end; i++) {
        places[0] = i;
        w->prefix[0] = s->occurring[i];
        finding *f = &s->findings[i];
        const kn_posting one = kn__postings_of(s->source->postings, w->prefix[0], 1);
        if (one.len <= FEW || one.len < s->k[1]) { /* a record may stand for several people */
            decide(s, w, f, places, 1);
        } else if (s->m > 1) {
            extend(s, w, f, places, 1);
        }
    }
}

/* ---- preparing ---- */

static kn_status list_items(search *s, kn_error *err)
{
    const kn_baskets *r = s->source->records;

    s->occurring = kn__malloc_array(r->items, sizeof *s->occurring);
    KN_PASS(s->occurring ? KN_OK : kn__nomem(err));
    for (uint32_t i = 0; i < r->items; i++) {
        if (kn__postings_of(s->source->postings, i, 1).len) {
            s->occurring[s->items++] = i;
        }
    }
    return KN_OK;
}

/* Which items have a bit set. */
static kn_status choose_rows(search *s, size_t *rows, kn_error *err)
{
    s->row = kn__malloc_array(s->items, sizeof *s->row);
    KN_PASS(s->row ? KN_OK : kn__nomem(err));
    *rows = 0;
    for (size_t i = 0; i < s->items; i++) {
        const size_t held = kn__postings_of(s->source->postings, s->occurring[i], 1).len;
        s->row[i] = held > FEW ? (*rows)++ : NO_ROW;
    }
    return KN_OK;
}

static kn_status fill_bits(search *s, kn_error *err)
{
    const kn_baskets *r = s->source->records;
    const size_t words = (r->records + 63) / 64;
    size_t rows = 0, *row_of = NULL; /* row_of: by item */
    kn_status status;

    s->near = words < NEAR ? words : NEAR;
    s->far = words < FAR ? words : FAR;
    KN_TRY(choose_rows(s, &rows, err));
    row_of = kn__malloc_array(r->items, sizeof *row_of);
    s->bits = rows > SIZE_MAX / FAR ? NULL : kn__zalloc_array(rows * FAR, sizeof *s->bits);
    KN_TRY(row_of && s->bits ? KN_OK : kn__nomem(err));
    for (size_t i = 0; i < s->items; i++) {
        row_of[s->occurring[i]] = s->row[i];
    }
    for (size_t i = 0; i < r->records && i < s->far * 64; i++) {
        size_t len;
        const uint32_t *items = kn__baskets_record(r, i, &len);
        for (size_t j = 0; j < len; j++) {
            if (row_of[items[j]] != NO_ROW) {
                s->bits[row_of[items[j]] * FAR + i / 64] |= UINT64_C(1) << (i % 64);
            }
        }
    }
done:
    kn__free(row_of);
    return status;
}

static kn_status make_workers(search *s, unsigned threads, kn_error *err)
{
    s->workers = kn__zalloc_array(threads, sizeof *s->workers);
    s->findings = kn__zalloc_array(s->items, sizeof *s->findings);
    KN_PASS(s->workers && s->findings ? KN_OK : kn__nomem(err));
    for (unsigned i = 0; i < threads; i++) {
        worker *w = &s->workers[i];
        w->number = i;
        w->tails = kn__malloc_array(FEW, sizeof *w->tails);
        KN_PASS(w->tails ? KN_OK : kn__nomem(err));
        for (size_t d = 1; d < s->m; d++) {
            w->depths[d].far = kn__malloc_array(FAR, sizeof *w->depths[d].far);
            KN_PASS(w->depths[d].far ? KN_OK : kn__nomem(err));
        }
    }
    return KN_OK;
}

static void clear(search *s, unsigned threads)
{
    for (unsigned i = 0; s->workers && i < threads; i++) {
        for (size_t d = 0; d < KN_MOST_KNOWN; d++) {
            kn__free(s->workers[i].depths[d].far);
            kn__projection_clear(&s->workers[i].levels[d]);
        }
        kn__free(s->workers[i].tails);
    }
    for (size_t i = 0; s->findings && i < s->items; i++) {
        kn__free(s->findings[i].kept);
    }
    KN_FREE(s->workers, s->findings, s->occurring, s->bits, s->row);
}

static kn_status collect(kn_dense_rare *r, const search *s, unsigned threads, kn_error *err)
{
    size_t kept = 0;

    for (size_t i = 0; i < s->items; i++) {
        kept += s->findings[i].kept_count;
    }
    kept = kept < s->limit ? kept : s->limit;
    r->kept = kn__malloc_array(kept, sizeof *r->kept);
    KN_PASS(r->kept ? KN_OK : kn__nomem(err));
    for (size_t i = 0; i < s->items; i++) {
        const finding *f = &s->findings[i];
        for (size_t size = 1; size <= s->m; size++) {
            r->count[size] += f->count[size];
            if (f->least[size] && (r->least[size] == 0 || f->least[size] < r->least[size])) {
                r->least[size] = f->least[size];
            }
        }
        for (size_t j = 0; j < f->kept_count && r->kept_count < kept; j++) {
            r->kept[r->kept_count++] = f->kept[j];
        }
    }
    for (unsigned i = 0; i < threads; i++) {
        r->undecided += s->workers[i].undecided;
    }
    return KN_OK;
}

kn_status kn__dense_rare_find(kn_dense_rare **out, const kn_set_source *source, const size_t *k,
                              size_t m, size_t limit, const kn_run *run, kn_error *err)
{
    const unsigned threads = kn__run_threads(run);
    search s = {.source = source, .k = k, .m = m, .limit = limit, .run = run};
    kn_dense_rare *r = NULL;
    kn_status status;

    *out = NULL;
    atomic_init(&s.failed, false);
    atomic_init(&s.stopping, false);
    if (m < 1 || m > KN_MOST_KNOWN) {
        return kn__fail(err, KN_EUSAGE, "itemsets of 1 to %d items can be counted, not of %zu",
                        KN_MOST_KNOWN, m);
    }
    s.lists = (kn_projection_lists){.starts = source->records->starts,
                                    .list = source->records->list,
                                    .weight = source->weight,
                                    .items = source->records->items};
    KN_TRY((r = kn__zalloc(sizeof *r)) ? KN_OK : kn__nomem(err));
    KN_TRY(list_items(&s, err));
    KN_TRY(fill_bits(&s, err));
    KN_TRY(make_workers(&s, threads, err));
    KN_TRY(kn__parallel_steps(run, "itemsets", threads, s.items, 1, search_slice, &s, err));
    KN_TRY(atomic_load(&s.failed) ? kn__nomem(err) : KN_OK);
    KN_TRY(kn__error_pass(err, &s.cancelled));
    KN_TRY(collect(r, &s, threads, err));
    *out = r;
    r = NULL;
done:
    clear(&s, threads);
    kn__dense_rare_free(r);
    return status;
}

void kn__dense_rare_free(kn_dense_rare *r)
{
    if (r) {
        KN_FREE(r->kept, r);
    }
}

double kn__dense_rare_work(const kn_set_source *source, size_t m)
{
    double items = 0, sum = 0, ways = 1;

    for (uint32_t i = 0; i < source->records->items; i++) {
        items += kn__postings_of(source->postings, i, 1).len > 0;
    }
    for (size_t size = 1; size <= m && (double)size <= items; size++) {
        ways *= (items - (double)size + 1) / (double)size;
        sum += ways;
    }
    return sum;
}
