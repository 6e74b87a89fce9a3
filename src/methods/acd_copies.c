/* acd_copies.c - records laid out by point, as sweeps read them.
 *
 * Every worker takes a part of the records, counts what its points need, and once all have counted
 * writes behind those who take earlier parts: the copies are the same for any number of them. */
#include "base/error.h"
#include "base/memory.h"
#include "base/threads.h"
#include "methods/acd_inside.h"
#include "methods/acd_occurrences.h"

#include <string.h>

/* Copies of this many numbers an occurrence are worth their memory; more workers would need more
 * places to write at than a cache holds. */
enum { MOST_COPIED = 16, MOST_COPIERS = 4 };

typedef struct copying {
    kn_acd_points *p;
    uint32_t *record; /* of two items or more: by length, those of one length in their order */
    uint64_t *next;   /* by worker and point: the numbers it needs, then where it writes */
    uint64_t room;    /* numbers in all */
    unsigned workers;
} copying;

/* What a record of `len` items needs. */
static uint64_t room_for(uint64_t len)
{
    return len > 1 ? len * (len + 1) : 0;
}

static kn_status list_by_length(copying *x, kn_error *err)
{
    kn_acd_points *p = x->p;
    const uint64_t *starts = p->b->starts;
    size_t *at = kn_malloc_array(p->longest + 1, sizeof *at), sum = 0;

    for (size_t len = 2; at && len <= p->longest; len++) {
        at[len] = sum;
        sum += p->of_length[len];
    }
    x->record = kn_malloc_array(sum, sizeof *x->record);
    p->alone = kn_zalloc_array(p->points, sizeof *p->alone);
    if (!at || !x->record || !p->alone) {
        kn_free(at);
        return kn_nomem(err);
    }
    for (size_t r = 0; r < p->b->records; r++) {
        const uint64_t len = starts[r + 1] - starts[r];
        if (len > 1) {
            x->record[at[len]++] = (uint32_t)r;
        } else if (len == 1) {
            p->alone[p->list[starts[r]]]++;
        }
    }
    kn_free(at);
    return KN_OK;
}

/* Records of one length, of which a worker has those from `begin` to `end`. */
typedef struct part {
    uint64_t len;
    size_t begin, end;
} part;

/* The part of `worker` that is `len` long: parts need about as much room each. */
static part part_of(const copying *x, unsigned worker, size_t len)
{
    const uint64_t each = x->room / x->workers, one = room_for(len);
    const uint64_t from = each * worker;
    const uint64_t to = worker + 1 < x->workers ? from + each : x->room;
    part a = {.len = len};
    uint64_t before = 0, after; /* the room of what is shorter, and of that and these */
    size_t first = 0;

    for (size_t i = 2; i < len; i++) {
        before += x->p->of_length[i] * room_for(i);
        first += x->p->of_length[i];
    }
    after = before + x->p->of_length[len] * one;
    /* A record is of the part that its room begins in. */
    a.begin = first + (size_t)(from <= before  ? 0
                               : from >= after ? x->p->of_length[len]
                                               : (from - before + one - 1) / one);
    a.end = first + (size_t)(to <= before  ? 0
                             : to >= after ? x->p->of_length[len]
                                           : (to - before + one - 1) / one);
    return a;
}

static void count_part(void *user, unsigned worker)
{
    const copying *x = user;
    const kn_acd_points *p = x->p;
    uint64_t *need = x->next + (size_t)worker * p->points;

    memset(need, 0, p->points * sizeof *need);
    for (size_t len = 2; len <= p->longest; len++) {
        const part a = part_of(x, worker, len);
        for (size_t i = a.begin; i < a.end; i++) {
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
KN_INLINED void copy_length(const copying *x, uint64_t *next, const part *a, uint32_t len,
                            uint8_t width)
{
    const kn_acd_points *p = x->p;

    for (size_t i = a->begin; i < a->end; i++) {
        const uint32_t *list = p->list + p->b->starts[x->record[i]];
        for (uint32_t place = 0; place < len; place++) {
            const uint64_t to = next[list[place]];
            next[list[place]] = to + len + 1;
            kn_code_set(p->copies, width, to, len << 4 * width | place);
            for (uint32_t j = 0; j < len; j++) {
                kn_code_set(p->copies, width, to + 1 + j, list[j]);
            }
        }
    }
}

KN_INLINED void copy_part(const copying *x, unsigned worker, uint8_t width)
{
    uint64_t *next = x->next + (size_t)worker * x->p->points;

    for (size_t len = 2; len <= x->p->longest; len++) {
        const part a = part_of(x, worker, len);
        switch (len) {
        case 2: copy_length(x, next, &a, 2, width); break;
        case 3: copy_length(x, next, &a, 3, width); break;
        case 4: copy_length(x, next, &a, 4, width); break;
        case 5: copy_length(x, next, &a, 5, width); break;
        default: copy_length(x, next, &a, (uint32_t)len, width); break;
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

kn_status kn_acd_copy(kn_acd_points *p, unsigned threads, kn_error *err)
{
    copying x = {.p = p, .workers = threads < MOST_COPIERS ? threads : MOST_COPIERS};
    kn_status status;

    for (size_t len = 2; len <= p->longest; len++) {
        x.room += p->of_length[len] * room_for(len);
    }
    if (x.room > MOST_COPIED * p->at[p->points] || p->longest > UINT16_MAX) {
        return p->record ? KN_OK : kn_acd_list(p, err);
    }
    p->copy_width = p->points <= UINT16_MAX + 1u && p->longest <= UINT8_MAX ? 2 : 4;
    status = list_by_length(&x, err);
    x.next = kn_malloc_array((size_t)p->points * x.workers, sizeof *x.next);
    p->copies_at = kn_malloc_array((size_t)p->points + 1, sizeof *p->copies_at);
    if (status == KN_OK && (!x.next || !p->copies_at)) {
        status = kn_nomem(err);
    }
    if (status == KN_OK) {
        p->copies = kn_malloc_array((size_t)x.room, p->copy_width);
        status = p->copies ? KN_OK : kn_nomem(err);
    }
    if (status == KN_OK) {
        kn_parallel(x.workers, count_part, &x);
        share_out(&x);
        kn_parallel(x.workers, write_part, &x);
    }
    kn_free(x.record);
    kn_free(x.next);
    return status;
}
