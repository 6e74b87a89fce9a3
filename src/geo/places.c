/* places.c - small CSV files about places, read by the reader of tables. */
#include "geo/places.h"
#include "base/error.h"
#include "base/memory.h"
#include "data/value.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const double degree = 3.14159265358979323846 / 180;

void kn__unit_vector(double lat, double lon, double out[3])
{
    out[0] = cos(lat * degree) * cos(lon * degree);
    out[1] = cos(lat * degree) * sin(lon * degree);
    out[2] = sin(lat * degree);
}

/* ---- tables ---- */

/* A table whose columns `item` and `also` (may be NULL) are read as texts. */
static kn_status read_table(kn_dataset **out, const char *path, const char *also, const kn_run *run,
                            kn_error *err)
{
    kn_schema *schema = NULL;
    kn_read_options options = {.partial = true, .keep_dropped = true};
    kn_status status;

    *out = NULL;
    KN_TRY(kn_schema_new(&schema, err));
    KN_TRY(kn_schema_set_type(schema, "item", KN_TYPE_CATEGORY, err));
    if (also) {
        KN_TRY(kn_schema_set_type(schema, also, KN_TYPE_CATEGORY, err));
    }
    options.schema = schema;
    KN_TRY(kn_read(out, path, &options, run, err));
done:
    kn_schema_free(schema);
    return status;
}

static const kn_column *find_column(const kn_dataset *ds, const char *name)
{
    for (size_t i = 0; i < ds->columns; i++) {
        if (strcmp(ds->column[i].name, name) == 0) {
            return &ds->column[i];
        }
    }
    return NULL;
}

static kn_status need_column(const kn_column **out, const kn_dataset *ds, const char *name,
                             const char *other, const char *path, kn_error *err)
{
    *out = find_column(ds, name);
    if (!*out && other) {
        *out = find_column(ds, other);
    }
    return *out ? KN_OK
                : kn__fail(err, KN_EINPUT,
                           "%s: there is no column '%s' in its first line; the columns must be "
                           "called so",
                           path, name);
}

/* The code in `items` of row `row` of `column`; KN_NO_CODE: the data do not have it. */
static uint32_t item_of(const kn_column *items, const kn_column *column, size_t row)
{
    size_t len;
    const uint32_t code = kn__column_code(column, row);
    const char *text = kn__dict_text(column->dict, code, &len);

    return code == column->missing ? KN_NO_CODE : kn__dict_find(items->dict, text, len);
}

/* A name for messages. */
typedef struct item_name {
    char text[64];
} item_name;

static item_name name_of(const kn_column *items, uint32_t code)
{
    item_name name;
    size_t len;
    const char *text = kn__dict_text(items->dict, code, &len);

    (void)snprintf(name.text, sizeof name.text, "%.*s", (int)(len < 60 ? len : 60), text);
    return name;
}

/* A number from -most to most in row `row`. */
static kn_status number_of(double *out, const kn_column *c, size_t row, double least, double most,
                           const char *path, kn_error *err)
{
    size_t len;
    const uint32_t code = kn__column_code(c, row);
    const char *text = kn__dict_text(c->dict, code, &len);
    unsigned decimals;
    char copy[64];

    (void)snprintf(copy, sizeof copy, "%.*s", (int)(len < 63 ? len : 63), text);
    if (code == c->missing || !kn__number_parse(text, len, out, &decimals) || !(*out >= least) ||
        *out > most) {
        return kn__fail(err, KN_EINPUT,
                        "%s, line %zu, column '%s': '%s' is no number from %g to %g", path, row + 2,
                        c->name, copy, least, most);
    }
    return KN_OK;
}

/* ---- coordinates ---- */

void kn__places_free(kn_places *p)
{
    if (p) {
        KN_FREE(p->lat, p->lon, p);
    }
}

static kn_status places_room(kn_places **out, size_t count, kn_error *err)
{
    kn_places *p = kn__zalloc(sizeof *p);

    *out = p;
    if (p) {
        p->count = count;
        p->lat = kn__malloc_array(count ? count : 1, sizeof *p->lat);
        p->lon = kn__malloc_array(count ? count : 1, sizeof *p->lon);
    }
    if (!p || !p->lat || !p->lon) {
        kn__places_free(p);
        *out = NULL;
        return kn__nomem(err);
    }
    for (size_t i = 0; i < count; i++) {
        p->lat[i] = p->lon[i] = NAN;
    }
    return KN_OK;
}

static kn_status fill_places(kn_places *p, const kn_dataset *ds, const kn_column *column,
                             const char *path, kn_error *err)
{
    const kn_column *item = NULL, *lat = NULL, *lon = NULL;

    KN_PASS(need_column(&item, ds, "item", NULL, path, err));
    KN_PASS(need_column(&lat, ds, "lat", "latitude", path, err));
    KN_PASS(need_column(&lon, ds, "lon", "longitude", path, err));
    for (size_t i = 0; i < ds->records; i++) {
        const uint32_t code = item_of(column, item, i);
        double x, y;
        KN_PASS(number_of(&y, lat, i, -90, 90, path, err));
        KN_PASS(number_of(&x, lon, i, -180, 180, path, err));
        if (code == KN_NO_CODE) {
            continue;
        }
        if (!isnan(p->lat[code]) && (p->lat[code] != y || p->lon[code] != x)) {
            KN_PASS(kn__fail(err, KN_EINPUT,
                             "%s, line %zu: '%s' has other coordinates in a line above; each item "
                             "is at one place",
                             path, i + 2, name_of(column, code).text));
        }
        p->lat[code] = y;
        p->lon[code] = x;
    }
    return KN_OK;
}

kn_status kn__places_read(kn_places **out, const char *path, const kn_column *column,
                          const uint8_t *needed, const kn_run *run, kn_error *err)
{
    const size_t count = kn__column_values(column);
    kn_dataset *ds = NULL;
    kn_places *p = NULL;
    size_t absent = 0, first = 0;
    kn_status status;

    *out = NULL;
    KN_TRY(read_table(&ds, path, NULL, run, err));
    KN_TRY(places_room(&p, count, err));
    KN_TRY(fill_places(p, ds, column, path, err));
    for (size_t i = count; i-- > 0;) {
        if (needed[i] && isnan(p->lat[i])) {
            first = i;
            absent++;
        }
    }
    if (absent) {
        KN_TRY(kn__fail(err, KN_EINPUT,
                        "%s: there are no coordinates for '%s'%s: every item of the data needs a "
                        "line item,lat,lon",
                        path, name_of(column, (uint32_t)first).text,
                        absent > 1 ? " and others" : ""));
    }
    *out = p;
    p = NULL;
done:
    kn__places_free(p);
    kn_dataset_free(ds);
    return status;
}

/* ---- neighbours ---- */

void kn__neighbours_free(kn_neighbours *n)
{
    if (n) {
        KN_FREE(n->at, n->to, n);
    }
}

static int compare_u64(const void *a, const void *b)
{
    const uint64_t x = *(const uint64_t *)a, y = *(const uint64_t *)b;

    return (x > y) - (x < y);
}

kn_status kn__neighbours_new(kn_neighbours **out, size_t count, const uint32_t *a,
                             const uint32_t *b, size_t edges, kn_error *err)
{
    kn_neighbours *n = kn__zalloc(sizeof *n);
    uint64_t *pair = kn__malloc_array(edges ? edges : 1, 2 * sizeof *pair);
    size_t pairs = 0, kept = 0;
    kn_status status;

    *out = NULL;
    KN_TRY(n && pair ? KN_OK : kn__nomem(err));
    n->count = count;
    for (size_t i = 0; i < edges; i++) {
        if (a[i] != b[i]) {
            pair[pairs++] = (uint64_t)a[i] << 32 | b[i];
            pair[pairs++] = (uint64_t)b[i] << 32 | a[i];
        }
    }
    qsort(pair, pairs, sizeof *pair, compare_u64);
    n->at = kn__zalloc_array(count + 1, sizeof *n->at);
    n->to = kn__malloc_array(pairs ? pairs : 1, sizeof *n->to);
    KN_TRY(n->at && n->to ? KN_OK : kn__nomem(err));
    for (size_t i = 0; i < pairs; i++) {
        if (i == 0 || pair[i] != pair[i - 1]) {
            n->to[kept++] = (uint32_t)pair[i];
            n->at[(pair[i] >> 32) + 1] = kept;
        }
    }
    for (size_t i = 0; i < count; i++) { /* items without an edge end where the one before does */
        n->at[i + 1] = n->at[i + 1] > n->at[i] ? n->at[i + 1] : n->at[i];
    }
    *out = n;
    n = NULL;
done:
    kn__free(pair);
    kn__neighbours_free(n);
    return status;
}

kn_status kn__edges_read(kn_neighbours **out, const char *path, const kn_column *column,
                         const kn_run *run, kn_error *err)
{
    kn_dataset *ds = NULL;
    const kn_column *item = NULL, *neighbour = NULL;
    uint32_t *a = NULL, *b = NULL;
    size_t edges = 0;
    kn_status status;

    *out = NULL;
    KN_TRY(read_table(&ds, path, "neighbour", run, err));
    KN_TRY(need_column(&item, ds, "item", NULL, path, err));
    KN_TRY(need_column(&neighbour, ds, "neighbour", NULL, path, err));
    a = kn__malloc_array(ds->records ? ds->records : 1, sizeof *a);
    b = kn__malloc_array(ds->records ? ds->records : 1, sizeof *b);
    KN_TRY(a && b ? KN_OK : kn__nomem(err));
    for (size_t i = 0; i < ds->records; i++) {
        a[edges] = item_of(column, item, i);
        b[edges] = item_of(column, neighbour, i);
        edges += a[edges] != KN_NO_CODE && b[edges] != KN_NO_CODE;
    }
    KN_TRY(kn__neighbours_new(out, kn__column_values(column), a, b, edges, err));
done:
    KN_FREE(a, b);
    kn_dataset_free(ds);
    return status;
}

kn_status kn__neighbours_parts(const kn_neighbours *n, const uint8_t *needed, size_t *parts,
                               kn_error *err)
{
    uint32_t *stack = kn__malloc_array(n->count ? n->count : 1, sizeof *stack);
    uint8_t *seen = kn__zalloc_array(n->count ? n->count : 1, 1);
    const kn_status status = stack && seen ? KN_OK : kn__nomem(err);

    *parts = 0;
    for (size_t i = 0; status == KN_OK && i < n->count; i++) {
        size_t len = 0;
        if (!needed[i] || seen[i]) {
            continue;
        }
        ++*parts;
        seen[i] = 1;
        stack[len++] = (uint32_t)i;
        while (len > 0) {
            const uint32_t at = stack[--len];
            for (uint64_t e = n->at[at]; e < n->at[at + 1]; e++) {
                if (!seen[n->to[e]]) {
                    seen[n->to[e]] = 1;
                    stack[len++] = n->to[e];
                }
            }
        }
    }
    KN_FREE(stack, seen);
    return status;
}

/* ---- distances ---- */

static kn_status fill_distances(double *d, const kn_dataset *ds, const kn_column *column,
                                const uint8_t *needed, const char *path, kn_error *err)
{
    const size_t count = kn__column_values(column);
    const kn_column *item = NULL;

    KN_PASS(need_column(&item, ds, "item", NULL, path, err));
    for (size_t c = 0; c < ds->columns; c++) {
        const kn_column *of = &ds->column[c];
        const uint32_t to = of == item ? KN_NO_CODE
                                       : kn__dict_find(column->dict, of->name, strlen(of->name));
        for (size_t i = 0; to != KN_NO_CODE && i < ds->records; i++) {
            const uint32_t from = item_of(column, item, i);
            double metres;
            KN_PASS(number_of(&metres, of, i, 0, 1e300, path, err));
            if (from != KN_NO_CODE) {
                d[from * count + to] = metres;
            }
        }
    }
    for (size_t a = 0; a < count; a++) {
        for (size_t b = 0; b < count; b++) {
            if (needed[a] && needed[b] && isnan(d[a * count + b])) {
                KN_PASS(kn__fail(err, KN_EINPUT,
                                 "%s: there is no distance from '%s' to '%s': the matrix needs a "
                                 "line and a column for every item of the data",
                                 path, name_of(column, (uint32_t)a).text,
                                 name_of(column, (uint32_t)b).text));
            }
        }
    }
    return KN_OK;
}

kn_status kn__distances_read(double **out, const char *path, const kn_column *column,
                             const uint8_t *needed, const kn_run *run, kn_error *err)
{
    const size_t count = kn__column_values(column);
    kn_dataset *ds = NULL;
    double *d = NULL;
    kn_status status;

    *out = NULL;
    KN_TRY(read_table(&ds, path, NULL, run, err));
    d = kn__malloc_array(count, count * sizeof *d);
    KN_TRY(d ? KN_OK : kn__nomem(err));
    for (size_t i = 0; i < count * count; i++) {
        d[i] = NAN;
    }
    KN_TRY(fill_distances(d, ds, column, needed, path, err));
    *out = d;
    d = NULL;
done:
    kn__free(d);
    kn_dataset_free(ds);
    return status;
}
