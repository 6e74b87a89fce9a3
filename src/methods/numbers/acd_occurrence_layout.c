/* acd_occurrence_layout.c - records laid out by point, as sweeps read them.
 *
 * Every worker takes a part of the records, counts what its points need, and once all have counted
 * writes behind those who take earlier parts: the copies are the same for any number of them. */
#include "base/error.h"
#include "base/memory.h"
#include "base/threads.h"
#include "methods/numbers/acd_search.h"
#include "methods/numbers/acd_occurrences.h"

#include <string.h>

/* Copies of this many numbers an occurrence are worth their memory; more workers would need more
 * places to write at than a cache holds. */
enum { MOST_COPIED = 16, MOST_COPIERS = 4 };

typedef struct copying {
    kn_acd_points *p;
    uint32_t *record; /* by length, those of one length in their order */
    uint64_t *next;   /* by worker and point: the numbers it needs, then where it writes */
    uint64_t room;    /* numbers in all */
    unsigned workers;
    size_t bound[MOST_COPIERS + 1]; /* worker w has records bound[w]..bound[w+1]-1 */
} copying;

/* What a record of `len` items needs. */
static uint64_t room_for(uint64_t len)
{
    return len > 1 ? len * (len + 1) : 0;
}

/* Lengths follow each other as they like, so short records are listed too: leaving them out would
 * be a branch that nobody could guess. */
static kn_status list_by_length(copying *x, kn_error *err)
{
    const kn_acd_points *p = x->p;
    const uint64_t *starts = p->b->starts;
    size_t *at = kn__malloc_array(p->longest + 1, sizeof *at), sum = 0;

    x->record = kn__malloc_array(p->b->records, sizeof *x->record);
    if (!at || !x->record) {
        kn__free(at);
        return kn__nomem(err);
    }
    for (size_t len = 0; len <= p->longest; len++) {
        at[len] = sum;
        sum += p->of_length[len];
    }
    for (size_t r = 0; r < p->b->records; r++) {
        x->record[at[starts[r + 1] - starts[r]]++] = (uint32_t)r;
    }
    kn__free(at);
    return KN_OK;
}

/* Those of one item need no copies. */
static void count_alone(const copying *x)
{
    const kn_acd_points *p = x->p;

    for (size_t i = 0; p->longest && i < p->of_length[1]; i++) {
        p->alone[p->list[p->b->starts[x->record[p->of_length[0] + i]]]]++;
    }
}

/* Bounds between parts that need about as much room each. */
static void bound_parts(copying *x)
{
    const size_t *of_length = x->p->of_length;
    uint64_t before = 0; /* the room of what is shorter */
    size_t first = 0;
    unsigned w = 0;

    for (size_t len = 0; len <= x->p->longest; len++) {
        const uint64_t one = room_for(len), after = before + of_length[len] * one;
        for (; w < x->workers && x->room / x->workers * w < after; w++) {
            x->bound[w] = first + (size_t)((x->room / x->workers * w - before) / one);
        }
        before = after;
        first += of_length[len];
    }
    for (; w <= x->workers; w++) {
        x->bound[w] = first;
    }
}

/* Records first..end-1, of one length. */
typedef struct part {
    size_t first, end;
} part;

/* Of these, those of `worker`. */
static part part_of(const copying *x, unsigned worker, part all)
{
    const size_t from = x->bound[worker], to = x->bound[worker + 1];

    return (part){from > all.first ? from : all.first, to < all.end ? to : all.end};
}

/* Those of the next length, `len`. */
static part of_next_length(const copying *x, part before, size_t len)
{
    return (part){before.end, before.end + x->p->of_length[len]};
}

static part too_short(const copying *x)
{
    const size_t *of_length = x->p->of_length;

    return (part){0, of_length[0] + (x->p->longest ? of_length[1] : 0)};
}

static void count_part(void *user, unsigned worker)
{
    const copying *x = user;
    const kn_acd_points *p = x->p;
    uint64_t *need = x->next + (size_t)worker * p->points;
    part all = too_short(x);

    memset(need, 0, p->points * sizeof *need);
    for (size_t len = 2; len <= p->longest; len++) {
        part mine;
        all = of_next_length(x, all, len);
        mine = part_of(x, worker, all);
        for (size_t i = mine.first; i < mine.end; i++) {
            const uint32_t *list = p->list + p->b->starts[x->record[i]];
            for (size_t place = 0; place < len; place++) {
                need[list[place]] += len + 1;
            }
        }
    }
}

/* From what workers need to where they write. */
static void share_out(copying *x)
{
    kn_acd_points *p = x->p;
    uint64_t sum = 0;

    for (uint32_t q = 0; q < p->points; q++) {
        p->copies_at[q] = sum;
        for (unsigned w = 0; w < x->workers; w++) {
            uint64_t *next = &x->next[(size_t)w * p->points + q];
            const uint64_t need = *next;
            *next = sum;
            sum += need;
        }
    }
    p->copies_at[p->points] = sum;
}

/* Most callers know the length beforehand, all know the width. */
KN_INLINED void copy_length(const copying *x, uint64_t *next, part mine, uint32_t len,
                            uint8_t width)
{
    const kn_acd_points *p = x->p;

    for (size_t i = mine.first; i < mine.end; i++) {
        const uint32_t *list = p->list + p->b->starts[x->record[i]];
        for (uint32_t place = 0; place < len; place++) {
            const uint64_t to = next[list[place]];
            next[list[place]] = to + len + 1;
            kn__code_set(p->copies, width, to, len << 4 * width | place);
            for (uint32_t j = 0; j < len; j++) {
                kn__code_set(p->copies, width, to + 1 + j, list[j]);
            }
        }
    }
}

KN_INLINED void copy_part(const copying *x, unsigned worker, uint8_t width)
{
    uint64_t *next = x->next + (size_t)worker * x->p->points;
    part all = too_short(x);

    for (size_t len = 2; len <= x->p->longest; len++) {
        part mine;
        all = of_next_length(x, all, len);
        mine = part_of(x, worker, all);
        switch (len) {
        case 2: copy_length(x, next, mine, 2, width); break;
        case 3: copy_length(x, next, mine, 3, width); break;
        case 4: copy_length(x, next, mine, 4, width); break;
        case 5: copy_length(x, next, mine, 5, width); break;
        default: copy_length(x, next, mine, (uint32_t)len, width); break;
        }
    }
}

static void write_part(void *user, unsigned worker)
{
    const copying *x = user;

    if (x->p->copy_width == 2) {
        copy_part(x, worker, 2);
    } else {
        copy_part(x, worker, 4);
    }
}

kn_status kn__acd_copy(kn_acd_points *p, unsigned threads, kn_error *err)
{
    copying x = {.p = p, .workers = threads < MOST_COPIERS ? threads : MOST_COPIERS};
    kn_status status;

    for (size_t len = 2; len <= p->longest; len++) {
        x.room += p->of_length[len] * room_for(len);
    }
    if (x.room > MOST_COPIED * p->at[p->points] || p->longest > UINT16_MAX) {
        return p->record ? KN_OK : kn__acd_list(p, err);
    }
    p->copy_width = p->points <= UINT16_MAX + 1u && p->longest <= UINT8_MAX ? 2 : 4;
    status = list_by_length(&x, err);
    x.next = kn__malloc_array((size_t)p->points * x.workers, sizeof *x.next);
    p->copies_at = kn__malloc_array((size_t)p->points + 1, sizeof *p->copies_at);
    p->alone = kn__zalloc_array(p->points, sizeof *p->alone);
    if (status == KN_OK && (!x.next || !p->copies_at || !p->alone)) {
        status = kn__nomem(err);
    }
    if (status == KN_OK) {
        p->copies = kn__malloc_array((size_t)x.room, p->copy_width);
        status = p->copies ? KN_OK : kn__nomem(err);
    }
    if (status == KN_OK) {
        count_alone(&x);
        bound_parts(&x);
        kn__parallel(x.workers, count_part, &x);
        share_out(&x);
        kn__parallel(x.workers, write_part, &x);
    }
    kn__free(x.record);
    kn__free(x.next);
    return status;
}
