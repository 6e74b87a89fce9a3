/* fuzz_places.c - any bytes as a file about places: coordinates, edges, distances, or an outline in
 * GeoJSON. The first byte chooses which. What is read keeps what the readers promise; what is not
 * has words why. */
#include "base/memory.h"
#include "fuzz_io.h"
#include "geo/places.h"
#include "geo/voronoi.h"

#include <math.h>

enum { ITEMS = 4 };

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void must(int holds, const char *what)
{
    if (!holds) {
        fuzz_fail(what);
    }
}

/* The column that the files are about; made once. */
static const kn_column *items(void)
{
    static kn_dataset *ds;
    static const char *const names[] = {"items"};
    const char *row[] = {"a|b|c|d"};
    kn_schema *schema = NULL;
    kn_dataset_builder *b = NULL;

    if (!ds) {
        must(kn_schema_new(&schema, NULL) == KN_OK &&
                 kn_schema_set_type(schema, "items", KN_TYPE_SET, NULL) == KN_OK &&
                 kn_schema_set_item_separator(schema, "|", NULL) == KN_OK &&
                 kn_dataset_builder_new(&b, names, 1, schema, NULL) == KN_OK &&
                 kn_dataset_builder_add(b, row, NULL) == KN_OK &&
                 kn_dataset_builder_finish(&ds, b, NULL) == KN_OK,
             "no dataset");
        kn_schema_free(schema);
    }
    return &ds->column[0];
}

static kn_status read_coordinates(const char *path, const uint8_t *needed, kn_error *err)
{
    kn_places *p = NULL;
    const kn_status status = kn__places_read(&p, path, items(), needed, NULL, err);

    must((status == KN_OK) == (p != NULL), "places without success, or success without places");
    for (size_t i = 0; p && i < p->count; i++) {
        must(isnan(p->lat[i]) == isnan(p->lon[i]), "half a place");
        must(isnan(p->lat[i]) || (fabs(p->lat[i]) <= 90 && fabs(p->lon[i]) <= 180),
             "a place that is not on Earth");
        must(!needed[i] || !isnan(p->lat[i]), "a place that is needed is missing");
    }
    kn__places_free(p);
    return status;
}

static kn_status read_edges(const char *path, kn_error *err)
{
    kn_neighbours *n = NULL;
    const kn_status status = kn__edges_read(&n, path, items(), NULL, err);

    must((status == KN_OK) == (n != NULL), "a graph without success, or success without one");
    for (uint32_t i = 0; n && i < n->count; i++) {
        for (uint64_t e = n->at[i]; e < n->at[i + 1]; e++) {
            const uint32_t to = n->to[e];
            bool back = false;
            must(to < n->count && to != i, "an edge to nothing");
            must(e == n->at[i] || n->to[e - 1] < to, "edges are not ascending");
            for (uint64_t f = n->at[to]; f < n->at[to + 1]; f++) {
                back = back || n->to[f] == i;
            }
            must(back, "an edge in one direction");
        }
    }
    kn__neighbours_free(n);
    return status;
}

static kn_status read_distances(const char *path, const uint8_t *needed, kn_error *err)
{
    double *d = NULL;
    const kn_status status = kn__distances_read(&d, path, items(), needed, NULL, err);

    must((status == KN_OK) == (d != NULL), "distances without success, or success without them");
    for (size_t i = 0; d && i < ITEMS; i++) {
        for (size_t j = 0; j < ITEMS; j++) {
            must(!needed[i] || !needed[j] || (d[i * ITEMS + j] >= 0 && isfinite(d[i * ITEMS + j])),
                 "no distance");
        }
    }
    kn__free(d);
    return status;
}

static kn_status read_outline(const char *path, kn_error *err)
{
    double lat[ITEMS] = {47.50, 47.51, 47.52, 47.50}, lon[ITEMS] = {8.50, 8.52, 8.51, 8.53};
    const kn_places places = {ITEMS, lat, lon};
    kn_voronoi *cells = NULL;
    const kn_status status = kn__voronoi_new(&cells, &places, path, err);

    must((status == KN_OK) == (cells != NULL), "cells without success, or success without them");
    for (uint32_t i = 0; cells && i < ITEMS; i++) {
        must(kn__voronoi_area(cells, i) >= 0, "a negative area");
    }
    kn__voronoi_free(cells);
    return status;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    const uint8_t needed[ITEMS] = {size && (data[0] & 4), size && (data[0] & 8), 0, 0};
    kn_error err = {0};
    kn_status status;
    char path[64];
    size_t before;
    int fd;

    if (size == 0) {
        return 0;
    }
    (void)items();
    before = kn_memory_in_use();
    fd = fuzz_file(data + 1, size - 1, path);
    switch (data[0] & 3) {
    case 0: status = read_coordinates(path, needed, &err); break;
    case 1: status = read_edges(path, &err); break;
    case 2: status = read_distances(path, needed, &err); break;
    default: status = read_outline(path, &err); break;
    }
    must(status == KN_OK || (err.status == status && err.message[0]), "a failure without words");
    must(kn_memory_in_use() == before, "memory was not given back");
    (void)close(fd);
    return 0;
}
