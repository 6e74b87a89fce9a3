/* centroids.c - centres of clusters as a span model: the Voronoi cells of the centres are the
 * equivalence classes. */
#include "models/clusters/centroids.h"
#include "base/error.h"
#include "base/memory.h"
#include "data/rows/group.h"
#include "models/exact/integer_simplex.h"

#include <inttypes.h>
#include <math.h>
#include <string.h>

/* ---- tuples ---- */

static kn_status too_wide(const kn_attribute *a, kn_error *err)
{
    return kn__fail(
        err, KN_EINPUT,
        "attribute '%.60s' has a number, scale or weight too large or too small to compare "
        "distances exactly: other than 0 they must be between 1e-75 and 1e75; measure it "
        "in another unit",
        a->name);
}

static kn_status set_attribute(kn_frame *t, size_t n, size_t attribute, kn_error *err)
{
    const kn_bound_attribute *b = &t->bound->attribute[attribute];
    const kn_attribute *a = &t->bound->model->attribute[attribute];
    const kn_centroids *c = &t->bound->model->centres;
    const uint32_t codes = kn__column_values(b->column);
    const double scale = c->scale ? c->scale[attribute] : 1;
    kn_space_attribute *at = &t->space.at[n];

    *at = (kn_space_attribute){.category = b->code != NULL,
                               .hidden = b->hidden,
                               .missing = b->missing,
                               .possible = b->possible,
                               .factor = a->weight / (scale * scale),
                               .weight = a->weight,
                               .low = b->low,
                               .high = b->high,
                               .integers = b->integers};
    t->attribute[n] = (uint32_t)attribute;
    t->value[n] = kn__malloc_array(codes, sizeof **t->value);
    if (!t->value[n]) {
        return kn__nomem(err);
    }
    for (uint32_t code = 0; code < codes; code++) {
        double *to = &t->value[n][code];
        *to = NAN;
        if (code != b->column->missing) {
            *to = at->category ? (double)b->code[code] : b->column->numbers[code];
        }
        if (!at->category && !isnan(*to) && !kn__exact_takes(*to)) {
            return too_wide(a, err);
        }
    }
    if (!kn__exact_takes(at->weight) || !kn__exact_takes(at->factor) || at->factor == 0) {
        return too_wide(a, err);
    }
    if (!at->category && at->low <= at->high &&
        (!kn__exact_takes(at->low) || !kn__exact_takes(at->high))) {
        return too_wide(a, err);
    }
    for (size_t i = 0; i < t->centres; i++) {
        const size_t from = i * t->bound->model->attributes + attribute;
        double *to = &t->centre[i * t->space.attributes + n];
        if (at->category) {
            *to = c->value[from] == KN_NO_CODE ? NAN : (double)c->value[from];
        } else {
            *to = c->number[from];
        }
        if (isnan(*to) && at->hidden && !at->category) {
            return kn__fail(
                err, KN_EINPUT,
                "centre %zu has no value of '%.60s', which is private and a number: what "
                "it tells cannot be judged; give every centre a number there",
                i + 1, a->name);
        }
        if (!isnan(*to) && !kn__exact_takes(*to)) {
            return too_wide(a, err);
        }
    }
    return KN_OK;
}

void kn__frame_find_other_values(kn_frame *t, const double *centre, size_t count)
{
    for (size_t n = 0; n < t->space.attributes; n++) {
        kn_space_attribute *at = &t->space.at[n];
        const uint32_t values = t->bound->attribute[t->attribute[n]].values;
        size_t named = 0, all = at->possible ? 0 : values;
        if (!at->category) {
            continue;
        }
        for (uint32_t v = 0; at->possible && v < values; v++) {
            all += at->possible[v];
        }
        for (size_t i = 0; i < count; i++) {
            const double own = centre[i * t->space.attributes + n];
            bool before = isnan(own) || (at->possible && !at->possible[(size_t)own]);
            for (size_t j = 0; j < i && !before; j++) {
                before = centre[j * t->space.attributes + n] == own;
            }
            named += !before;
        }
        at->other = named < all;
    }
}

kn_status kn__frame_new(kn_frame **out, const kn_bound *b, kn_error *err)
{
    const kn_model *model = b->model;
    kn_frame *t = kn__zalloc(sizeof *t);
    size_t n = 0, hidden = 0;
    kn_status status;

    *out = NULL;
    KN_TRY(t ? KN_OK : kn__nomem(err));
    t->bound = b;
    for (size_t a = 0; a < model->attributes; a++) {
        const bool used = model->attribute[a].weight > 0;
        t->space.attributes += used;
        hidden += used && b->attribute[a].hidden && !b->attribute[a].code;
    }
    if (hidden > KN_SPACE_HIDDEN) {
        KN_TRY(kn__fail(
            err, KN_EINPUT,
            "%zu private attributes are numbers; what centres tell of more than %d together "
            "is not looked into",
            hidden, KN_SPACE_HIDDEN));
    }
    t->centres = model->centres.count;
    t->space.at = kn__zalloc_array(t->space.attributes, sizeof *t->space.at);
    t->attribute = kn__zalloc_array(t->space.attributes, sizeof *t->attribute);
    t->value = kn__zalloc_array(t->space.attributes, sizeof *t->value);
    t->centre = kn__malloc_array(t->centres * t->space.attributes, sizeof *t->centre);
    KN_TRY(t->space.at && t->attribute && t->value && t->centre ? KN_OK : kn__nomem(err));
    for (size_t a = 0; a < model->attributes; a++) {
        if (model->attribute[a].weight > 0) {
            KN_TRY(set_attribute(t, n++, a, err));
        }
    }
    kn__frame_find_other_values(t, t->centre, t->centres);
    *out = t;
    t = NULL;
done:
    kn__frame_free(t);
    return status;
}

void kn__frame_free(kn_frame *t)
{
    if (t) {
        for (size_t n = 0; t->value && n < t->space.attributes; n++) {
            kn__free(t->value[n]);
        }
        kn__free(t->value);
        kn__free(t->attribute);
        kn__free(t->space.at);
        kn__free(t->centre);
        kn__free(t->category_distance);
        kn__free(t);
    }
}

void kn__frame_get(const kn_frame *t, size_t record, double *x)
{
    for (size_t n = 0; n < t->space.attributes; n++) {
        const kn_column *c = t->bound->attribute[t->attribute[n]].column;
        x[n] = t->value[n][kn__column_code(c, record)];
    }
}

/* ---- spans ---- */

typedef struct voronoi {
    kn_frame *frame;
    uint64_t *times; /* by attribute of the space: its place value in the key; 0: private */
    uint32_t *group; /* by record, where a key would not fit into 64 bits; NULL otherwise */
} voronoi;

typedef struct scratch_space {
    kn_nearest_searcher searcher;
    double *x;
} scratch_space;

static void clear_voronoi(void *model)
{
    voronoi *m = model;

    if (m) {
        kn__frame_free(m->frame);
        kn__free(m->times);
        kn__free(m->group);
        kn__free(m);
    }
}

static void clear_scratch(void *scratch)
{
    scratch_space *d = scratch;

    kn__nearest_searcher_clear(&d->searcher);
    kn__free(d->x);
}

static uint64_t key_of(const void *model, size_t record, void *scratch)
{
    const voronoi *m = model;
    uint64_t key = 0;

    (void)scratch;
    if (m->group) {
        return m->group[record];
    }
    for (size_t n = 0; n < m->frame->space.attributes; n++) {
        if (m->times[n]) {
            const kn_frame *t = m->frame;
            key += m->times[n] *
                   kn__column_code(t->bound->attribute[t->attribute[n]].column, record);
        }
    }
    return key;
}

static kn_status reach(const void *model, size_t record, void *scratch, kn_class_list *out,
                       kn_error *err)
{
    const kn_frame *t = ((const voronoi *)model)->frame;
    scratch_space *d = scratch;

    if (!d->x) {
        d->x = kn__malloc_array(t->space.attributes, sizeof *d->x);
        if (!d->x) {
            return kn__nomem(err);
        }
    }
    kn__frame_get(t, record, d->x);
    return kn__nearest_find_span(&d->searcher, &t->space, t->centre, t->centres, d->x, out, err);
}

enum { ON_STACK = 64, MOST_WITH_DISTANCES = 2000 };

static uint32_t cell_of(const void *model, size_t record, void *scratch)
{
    const kn_frame *t = ((const voronoi *)model)->frame;
    const size_t stride = t->space.attributes;
    double x[ON_STACK];

    (void)scratch;
    kn__frame_get(t, record, x);
    return kn__space_nearest(&t->space, t->centre, stride ? t->centres : 1, x);
}

static void words(const void *model, uint32_t class_number, kn_buffer *out)
{
    const kn_centroids *c = &((const voronoi *)model)->frame->bound->model->centres;

    kn__buffer_addf(out, "cluster %" PRIu32, class_number + 1);
    if (c->name && c->name[class_number]) {
        kn__buffer_addf(out, " (%.60s)", c->name[class_number]);
    }
}

/* Number the combinations of public values: in mixed radix if that fits into 64 bits, otherwise
 * through groups of the records that share them. */
static kn_status number_groups(voronoi *m, const kn_dataset *ds, kn_error *err)
{
    const kn_frame *t = m->frame;
    const kn_column *keys[ON_STACK];
    kn_row_groups groups;
    uint64_t times = 1;
    size_t count = 0;
    bool fits = true;
    kn_status st;

    for (size_t n = 0; n < t->space.attributes; n++) {
        const kn_column *c = t->bound->attribute[t->attribute[n]].column;
        if (!t->space.at[n].hidden) {
            keys[count++] = c;
            m->times[n] = times;
            const uint64_t values = kn__column_values(c) ? kn__column_values(c) : 1;
            fits = fits && values < UINT64_MAX / 2 / times;
            times = fits ? times * values : 1;
        }
    }
    if (fits) {
        return KN_OK;
    }
    st = kn__row_groups_make(&groups, keys, count, ds->records, err);
    if (st != KN_OK) {
        return st;
    }
    m->group = kn__malloc_array(ds->records, sizeof *m->group);
    for (size_t g = 0; m->group && g < groups.count; g++) {
        for (size_t at = groups.starts[g]; at < groups.starts[g + 1]; at++) {
            m->group[groups.row[at]] = (uint32_t)g;
        }
    }
    kn__row_groups_clear(&groups);
    return m->group ? KN_OK : kn__nomem(err);
}

/* The distances between the private categories of the centres, worked out once. */
static kn_status set_category_distances(kn_frame *t, kn_error *err)
{
    if (t->centres > MOST_WITH_DISTANCES) {
        return KN_OK;
    }
    t->category_distance = kn__malloc_array(t->centres * t->centres, sizeof *t->category_distance);
    if (!t->category_distance) {
        return kn__nomem(err);
    }
    kn__space_category_distances(&t->space, t->centre, t->centres, t->category_distance);
    t->space.category_distance = t->category_distance;
    t->space.category_distance_count = t->centres;
    return KN_OK;
}

kn_status kn__centroids_span_model(kn_span_model *out, const kn_bound *b, kn_error *err)
{
    voronoi *m = kn__zalloc(sizeof *m);
    kn_status status;

    memset(out, 0, sizeof *out);
    KN_TRY(m ? kn__frame_new(&m->frame, b, err) : kn__nomem(err));
    if (m->frame->space.attributes > ON_STACK) {
        KN_TRY(kn__fail(err, KN_EINPUT, "the centres have %zu attributes; %d are the most",
                        m->frame->space.attributes, ON_STACK));
    }
    m->times = kn__zalloc_array(m->frame->space.attributes, sizeof *m->times);
    KN_TRY(m->times ? number_groups(m, b->ds, err) : kn__nomem(err));
    KN_TRY(set_category_distances(m->frame, err));
    *out = (kn_span_model){.model = m,
                           .clear = clear_voronoi,
                           .records = b->ds->records,
                           .classes = m->frame->centres,
                           .scratch_bytes = sizeof(scratch_space),
                           .scratch_clear = clear_scratch,
                           .key = key_of,
                           .reach = reach,
                           .class_of = cell_of,
                           .class_words = words};
    m = NULL;
done:
    clear_voronoi(m);
    return status;
}
