/* ul.c - utility loss of a record, and of a release. */
#include "utility/items/ul.h"
#include "base/error.h"
#include "base/hash.h"
#include "base/memory.h"
#include "base/threads.h"
#include "utility/items/ul_weights.h"

#include <math.h>

enum { GRAIN = 4096, PLAIN = 64 };

/* What must be known of a record that holds an item: only how many it has; their sizes, which are
 * the same in all records; or more. */
enum { TELLS_NOTHING = 0, TELLS_SIZE = 1, TELLS_MORE = 2 };

kn_ul_parts kn__ul_add_up(const uint64_t *size, const double *weight, size_t items)
{
    kn_ul_parts p = {0};

    for (size_t i = 0; i < items; i++) {
        p.sigma += size[i];
    }
    for (size_t i = 0; i < items; i++) {
        const double w = weight ? weight[i] : 1;
        p.shares += w * kn__ul_half(p.sigma - size[i]);
        p.weights += w;
    }
    return p;
}

/* A sum of losses of records, 0 to 1 each, as a whole number of 2^-90: the same in whatever order
 * the records come, so that a table, its rows in another order and its classes have lost the same.
 */
typedef kn_u128 ul_sum;

static ul_sum fixed(double ul)
{
    return ul > 0 ? (ul_sum)(ul * 0x1p90) : 0;
}

typedef struct slice {
    ul_sum ul;
    size_t with_items;
} slice;

typedef struct measuring {
    const kn_ul_lists *l;
    uint64_t *size;      /* by code of the release; 0: missing; OF_RECORD: the record decides */
    double *weight;      /* by code of the release; NULL: all 1 */
    uint8_t *tells;      /* by code of the release: a TELLS_ */
    ul_sum plain[PLAIN]; /* what a record of so many items that tell nothing lost */
    slice *slice;
} measuring;

#define OF_RECORD UINT64_MAX

static uint64_t size_of(const kn_published *p)
{
    return p->leaves > 1 ? (uint64_t)p->leaves : 1;
}

/* What the published item `to` stands for in this record, and its weight, where several nodes have
 * its label: those above items of the record are meant. */
static uint64_t size_in(const kn_ul_lists *l, uint32_t to, size_t record, double *weight)
{
    const kn_published *p = &l->published[to];
    uint64_t most = 0;

    for (uint64_t i = l->from->starts[l->origin[record]];
         i < l->from->starts[l->origin[record] + 1]; i++) {
        const uint32_t code = kn__code_get(l->from->codes, l->from->width, (size_t)i);
        kn_published exact;
        if (code != l->from->missing && kn__published_covers(p, l->domain, code, &exact) &&
            size_of(&exact) > most) {
            most = size_of(&exact);
            *weight = kn__ul_weight_of(l->weight, l->domain, &exact);
        }
    }
    return most ? most : size_of(p);
}

static uint64_t size_of_code(const kn_ul_lists *l, uint32_t to)
{
    if (to == l->to->missing) {
        return 0;
    }
    return l->published[to].ambiguous && l->origin ? OF_RECORD : size_of(&l->published[to]);
}

static kn_status find_sizes(measuring *m, kn_error *err)
{
    const kn_ul_lists *l = m->l;
    const uint32_t values = kn__column_values(l->to);

    m->size = kn__malloc_array(values, sizeof *m->size);
    m->tells = kn__malloc_array(values, 1);
    KN_PASS(m->size && m->tells ? KN_OK : kn__nomem(err));
    for (uint32_t to = 0; to < values; to++) {
        m->size[to] = size_of_code(l, to);
        m->tells[to] = m->size[to] == 0 || m->size[to] == OF_RECORD ? TELLS_MORE : TELLS_SIZE;
        if (m->size[to] == 1) {
            m->tells[to] = TELLS_NOTHING;
        }
    }
    for (size_t items = 0; items < PLAIN; items++) {
        const kn_ul_parts parts = {.sigma = items,
                                   .weights = (double)items,
                                   .shares = items ? (double)items * kn__ul_half(items - 1) : 0};
        m->plain[items] = fixed(kn__ul_of(&parts));
    }
    return KN_OK;
}

static kn_ul_parts parts_of(const measuring *m, size_t record)
{
    const kn_column *c = m->l->to;
    const uint64_t begin = c->starts[record], end = c->starts[record + 1];
    kn_ul_parts parts = {0};

    for (int pass = 0; pass < 2; pass++) {
        for (uint64_t j = begin; j < end; j++) {
            const uint32_t to = kn__code_get(c->codes, c->width, (size_t)j);
            double weight = m->weight ? m->weight[to] : 1;
            if (m->size[to] == 0) {
                weight = 0;
            }
            const uint64_t size = m->size[to] == OF_RECORD ? size_in(m->l, to, record, &weight)
                                                           : m->size[to];
            if (pass == 0) {
                parts.sigma += size;
                parts.weights += weight;
            } else if (size > 0) {
                parts.shares += weight * kn__ul_half(parts.sigma - size);
            }
        }
    }
    return parts;
}

/* parts_of where nothing tells more than its size. */
static inline kn_ul_parts parts_by_size(const measuring *m, size_t record, uint8_t width)
{
    const kn_column *c = m->l->to;
    const uint64_t begin = c->starts[record], end = c->starts[record + 1];
    kn_ul_parts parts = {.weights = (double)(end - begin)};

    for (uint64_t j = begin; j < end; j++) {
        parts.sigma += m->size[kn__code_get(c->codes, width, (size_t)j)];
    }
    for (uint64_t j = begin; j < end; j++) {
        parts.shares += kn__ul_half(parts.sigma -
                                    m->size[kn__code_get(c->codes, width, (size_t)j)]);
    }
    return parts;
}

/* In most records nothing is generalised. */
static inline void measure_of(const measuring *m, slice *s, size_t begin, size_t end, uint8_t width)
{
    const kn_column *c = m->l->to;

    for (size_t i = begin; i < end; i++) {
        const uint64_t items = c->starts[i + 1] - c->starts[i];
        const uint32_t people = kn__dataset_count(m->l->release, i);
        uint8_t tells = items >= PLAIN ? TELLS_SIZE : TELLS_NOTHING;
        if (m->weight) {
            tells = TELLS_MORE;
        }
        for (uint64_t j = c->starts[i]; j < c->starts[i + 1]; j++) {
            tells |= m->tells[kn__code_get(c->codes, width, (size_t)j)];
        }
        if (tells) {
            const kn_ul_parts parts = tells < TELLS_MORE ? parts_by_size(m, i, width)
                                                         : parts_of(m, i);
            s->ul += people * fixed(kn__ul_of(&parts));
            s->with_items += parts.sigma > 0 ? people : 0;
        } else {
            s->ul += people * m->plain[items];
            s->with_items += items > 0 ? people : 0;
        }
    }
}

static void measure_slice(void *user, unsigned worker, size_t begin, size_t end)
{
    const measuring *m = user;
    slice *s = &m->slice[begin / GRAIN];

    (void)worker;
    KN_BY_WIDTH(m->l->to->width, measure_of, m, s, begin, end);
}

static size_t count_with_items(const kn_column *c, const kn_dataset *ds)
{
    size_t count = 0;

    for (size_t i = 0; i < ds->records; i++) {
        bool any = false;
        for (uint64_t j = c->starts[i]; j < c->starts[i + 1] && !any; j++) {
            any = kn__code_get(c->codes, c->width, (size_t)j) != c->missing;
        }
        count += any ? kn__dataset_count(ds, i) : 0;
    }
    return count;
}

kn_status kn__ul_measure(double *out, const kn_ul_lists *lists, unsigned threads, kn_error *err)
{
    const size_t people = kn__dataset_people(lists->original),
                 slices = lists->release->records / GRAIN + 1;
    measuring m = {.l = lists, .slice = kn__zalloc_array(slices, sizeof *m.slice)};
    const kn_published gone = {.kind = KN_PUB_SUPPRESSED};
    const uint32_t values = kn__column_values(lists->to);
    size_t with_items = 0;
    ul_sum sum = 0;
    double lost;
    kn_status status;

    KN_TRY(m.slice ? find_sizes(&m, err) : kn__nomem(err));
    if (lists->weight) {
        m.weight = kn__malloc_array(values, sizeof *m.weight);
        KN_TRY(m.weight ? KN_OK : kn__nomem(err));
    }
    for (uint32_t to = 0; m.weight && to < values; to++) {
        m.weight[to] = to == lists->to->missing
                           ? 0
                           : kn__ul_weight_of(lists->weight, lists->domain, &lists->published[to]);
    }
    kn__parallel_for(threads, lists->release->records, GRAIN, measure_slice, &m);
    for (size_t i = 0; i < slices; i++) {
        sum += m.slice[i].ul;
        with_items += m.slice[i].with_items;
    }
    lost = (double)sum * 0x1p-90 +
           kn__ul_weight_of(lists->weight, lists->domain, &gone) *
               fmax(0, (double)count_with_items(lists->from, lists->original) - (double)with_items);
    *out = people ? lost / (double)people : NAN;
done:
    KN_FREE(m.slice, m.size, m.tells, m.weight);
    return status;
}
