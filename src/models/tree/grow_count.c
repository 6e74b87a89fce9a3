/* grow_count.c - counting (value x class) in a leaf, and what counts are worth. */
#include "base/error.h"
#include "base/memory.h"
#include "base/sort.h"
#include "models/tree/grow_state.h"

#include <math.h>
#include <string.h>

static const double NEARLY = 1e-9;

static kn_status shape_init(kn_shape *s, const kn_growing *g, kn_error *err)
{
    const size_t cells = (size_t)g->names + 1;

    s->cell = kn__malloc_array(g->widest, sizeof *s->cell);
    s->name = kn__malloc_array(cells, sizeof *s->name);
    s->counts = kn__malloc_array(cells * g->classes, sizeof *s->counts);
    return s->cell && s->name && s->counts ? KN_OK : kn__nomem(err);
}

static void shape_clear(kn_shape *s)
{
    kn__free(s->cell);
    kn__free(s->name);
    kn__free(s->counts);
}

kn_status kn__scratch_init(kn_grow_scratch *s, const kn_growing *g, kn_error *err)
{
    const size_t cells = (size_t)g->widest * g->classes;

    s->table = kn__zalloc_array(cells, sizeof *s->table);
    s->bins = kn__malloc_array(g->widest, sizeof *s->bins);
    s->touched = kn__malloc_array(g->widest, sizeof *s->touched);
    s->counts = kn__malloc_array(cells, sizeof *s->counts);
    s->cell_of_name = kn__malloc_array((size_t)g->names + 1, sizeof *s->cell_of_name);
    s->own = kn__malloc_array((size_t)g->names + 1, sizeof *s->own);
    s->rows = g->o->holds ? kn__malloc_array(g->tree->records, sizeof *s->rows) : NULL;
    s->bad = kn__malloc_array((size_t)g->names + 2, 1);
    s->parts = kn__malloc_array(((size_t)g->names + 4) * g->classes, sizeof *s->parts);
    s->sum = kn__malloc_array(4 * g->classes, sizeof *s->sum);
    s->forbidden = kn__malloc_array((size_t)g->widest + 2, sizeof *s->forbidden);
    s->alike = kn__malloc_array(g->widest, sizeof *s->alike);
    if (!s->alike || !s->bins || !s->parts || !s->table || !s->touched || !s->counts ||
        !s->cell_of_name || !s->bad || !s->sum || !s->forbidden || !s->own ||
        (g->o->holds && !s->rows)) {
        return kn__nomem(err);
    }
    memset(s->cell_of_name, 0xff, ((size_t)g->names + 1) * sizeof *s->cell_of_name);
    return shape_init(&s->shape, g, err) == KN_OK ? shape_init(&s->best, g, err) : KN_ENOMEM;
}

void kn__scratch_clear(kn_grow_scratch *s)
{
    shape_clear(&s->shape);
    shape_clear(&s->best);
    kn__free(s->table);
    kn__free(s->bins);
    kn__free(s->touched);
    kn__free(s->counts);
    kn__free(s->cell_of_name);
    kn__free(s->own);
    kn__free(s->rows);
    kn__free(s->bad);
    kn__free(s->sum);
    kn__free(s->parts);
    kn__free(s->forbidden);
    kn__free(s->alike);
}

void kn__shape_swap(kn_shape *a, kn_shape *b)
{
    const kn_shape held = *a;

    *a = *b;
    *b = held;
}

/* Two records at a time into two halves would save stalls on equal values; one table does, as the
 * classes spread them. */
#define COUNT_ALL(type)                                           \
    do {                                                          \
        const type *codes = (const type *)c->codes;               \
        for (size_t i = begin; i < end; i++) {                    \
            s->table[(size_t)codes[i] * classes + g->klass[i]]++; \
        }                                                         \
    } while (0)

void kn__grow_count(const kn_growing *g, kn_grow_scratch *s, uint32_t leaf, uint32_t a)
{
    const kn_grow_column *c = &g->column[a];
    const size_t begin = g->tree->node[leaf].begin, end = g->tree->node[leaf].end;
    const size_t classes = g->classes;

    s->seen = 0;
    if ((end - begin) * 4 < c->values) {
        /* A small leaf: only what occurs is looked at. */
        for (size_t i = begin; i < end; i++) {
            const uint32_t code = kn__code_get(c->codes, c->width, i);
            if (!kn__grow_occurs(s, code, classes)) {
                s->touched[s->seen++] = code;
            }
            s->table[(size_t)code * classes + g->klass[i]]++;
        }
        kn__sort_u32(s->touched, s->seen);
    } else {
        if (c->width == 1) {
            COUNT_ALL(uint8_t);
        } else if (c->width == 2) {
            COUNT_ALL(uint16_t);
        } else {
            COUNT_ALL(uint32_t);
        }
        for (uint32_t code = 0; code < c->values; code++) {
            if (kn__grow_occurs(s, code, classes)) {
                s->touched[s->seen++] = code;
            }
        }
    }
    for (size_t i = 0; i < s->seen; i++) {
        uint32_t *row = s->table + (size_t)s->touched[i] * classes;
        memcpy(s->counts + i * classes, row, classes * sizeof *row);
        memset(row, 0, classes * sizeof *row);
    }
}

double kn__grow_xlogx(const kn_growing *g, uint64_t n)
{
    return n < KN_GROW_XLOGX ? g->xlogx[n] : (double)n * log((double)n);
}

double kn__grow_impurity(const kn_growing *g, const uint64_t *by_class, uint64_t total)
{
    double sum = 0;

    if (g->o->gain == KN_GAIN_GINI) {
        for (size_t c = 0; total && c < g->classes; c++) {
            sum += (double)by_class[c] * (double)by_class[c];
        }
        return total ? (double)total - sum / (double)total : 0;
    }
    for (size_t c = 0; c < g->classes; c++) {
        sum += kn__grow_xlogx(g, by_class[c]);
    }
    return kn__grow_xlogx(g, total) - sum;
}

bool kn__grow_keeps(const kn_growing *g, const uint64_t *by_class, uint64_t total)
{
    const kn_grow_options *o = g->o;
    uint64_t most = 0, different = 0;
    double sum = 0, above;

    if (total == 0 || !g->limits) {
        return true;
    }
    if (total < o->k) {
        return false;
    }
    if (!o->target_hidden || (!(o->l > 0) && !(o->inference > 0))) {
        return true;
    }
    for (size_t c = 0; c < g->classes; c++) {
        most = by_class[c] > most ? by_class[c] : most;
        different += by_class[c] > 0;
        sum += kn__grow_xlogx(g, by_class[c]);
    }
    if (o->inference > 0 && (double)most / (double)total > o->inference) {
        return false;
    }
    if (!(o->l > 0)) {
        return true;
    }
    if (o->distinct_l) {
        return (double)different >= o->l;
    }
    above = log((double)total) - sum / (double)total - log(o->l);
    if (fabs(above) > NEARLY) {
        return above > 0;
    }
    /* Too near for floating point: the entropy is log l for sure where all values are equally
     * frequent. What else comes so near is refused. */
    return o->l <= 1 || (most * different == total && o->l <= (double)different);
}
