/* sampling_rules.c - from the parameters of the method to the rules of the search. */
#include "base/error.h"
#include "base/memory.h"
#include "methods/sampling/sampling.h"

#include <math.h>

void kn__sampling_rules_clear(kn_sampling_rules *r)
{
    KN_FREE(r->occurs, r->weight);
    kn__voronoi_free(r->cells);
    kn__places_free(r->places);
    kn__neighbours_free(r->near);
    KN_FREE(r->place, r->middle, r->distance);
    *r = (kn_sampling_rules){0};
}

static kn_status count_occurrences(kn_sampling_rules *r, const kn_baskets *b, kn_error *err)
{
    const size_t room = b->items ? b->items : 1;

    r->occurs = kn__zalloc_array(room, 1);
    r->weight = kn__zalloc_array(room, sizeof *r->weight);
    KN_PASS(r->occurs && r->weight ? KN_OK : kn__nomem(err));
    r->rules.all = 0;
    for (size_t i = 0; i < b->records; i++) {
        const double people = kn__baskets_people(b, i);
        for (uint64_t at = b->starts[i]; at < b->starts[i + 1]; at++) {
            r->occurs[b->list[at]] = 1;
            r->weight[b->list[at]] += people;
            r->rules.all += people;
        }
    }
    r->rules.items = b->items;
    r->rules.weight = r->weight;
    return KN_OK;
}

/* Cells give neighbours, areas and maps. Where edges are given they are only for the maps: a build
 * without GEOS then goes without. */
static kn_status make_cells(kn_sampling_rules *r, const char *outline, bool needed, kn_error *err)
{
    const kn_status status = kn__voronoi_new(&r->cells, r->places, outline, err);

    return !needed && !outline && status == KN_EUSAGE ? KN_OK : status;
}

/* Places as unit vectors; the middle of a place is the centroid of its cell, by its area. */
static kn_status make_vectors(kn_sampling_rules *r, kn_error *err)
{
    const size_t n = r->rules.items, room = n ? n : 1;

    r->place = kn__zalloc_array(room, sizeof *r->place);
    r->middle = kn__zalloc_array(room, sizeof *r->middle);
    KN_PASS(r->place && r->middle ? KN_OK : kn__nomem(err));
    for (uint32_t i = 0; i < n; i++) {
        double area = 1e-9, lat, lon; /* km^2; a cell of no area does not move a centre */
        if (isnan(r->places->lat[i])) {
            continue;
        }
        kn__unit_vector(r->places->lat[i], r->places->lon[i], r->place[i]);
        lat = r->places->lat[i];
        lon = r->places->lon[i];
        if (r->cells) {
            kn__voronoi_centroid(r->cells, i, &lat, &lon);
            area += kn__voronoi_area(r->cells, i);
        }
        kn__unit_vector(lat, lon, r->middle[i]);
        for (int d = 0; d < 3; d++) {
            r->middle[i][d] *= area;
        }
    }
    r->rules.place = (const double(*)[3])r->place;
    r->rules.middle = (const double(*)[3])r->middle;
    return KN_OK;
}

static kn_status choose_error(kn_sampling_rules *r, const kn_items_task *task, kn_error *err)
{
    const char *path = kn__param_text(&task->params, "distances");

    if (kn__param_is(&task->params, "error", "distance") && !r->places) {
        return kn__fail(err, KN_EUSAGE,
                        "--error distance is in metres: say where the items are with --coordinates "
                        "FILE");
    }
    if (kn__param_is(&task->params, "error", "matrix") && !path) {
        return kn__fail(err, KN_EUSAGE, "--error matrix needs the distances: --distances FILE");
    }
    if (kn__param_is(&task->params, "error", "ncp")) {
        r->rules.error = KN_REGION_NCP;
    } else if (path && !kn__param_is(&task->params, "error", "distance")) {
        r->rules.error = KN_REGION_MATRIX;
    } else {
        r->rules.error = r->places ? KN_REGION_DISTANCE : KN_REGION_NCP;
    }
    return KN_OK;
}

static kn_status read_neighbours(kn_sampling_rules *r, const kn_items_task *task, const char *edges,
                                 kn_error *err)
{
    KN_PASS(edges ? kn__edges_read(&r->near, edges, task->column, task->run, err)
                  : kn__voronoi_neighbours(&r->near, r->cells, err));
    KN_PASS(kn__neighbours_parts(r->near, r->occurs, &r->parts, err));
    r->rules.near_at = r->near->at;
    r->rules.near = r->near->to;
    return KN_OK;
}

kn_status kn__sampling_rules_init(kn_sampling_rules *r, const kn_items_task *task, kn_error *err)
{
    const char *coordinates = kn__param_text(&task->params, "coordinates");
    const char *edges = kn__param_text(&task->params, "edges");
    const char *outline = kn__param_text(&task->params, "outline");
    const char *distances = kn__param_text(&task->params, "distances");
    const bool tree = task->domain->kind == KN_DOMAIN_TREE;

    *r = (kn_sampling_rules){0};
    if (!tree && !coordinates && !edges) {
        return kn__fail(err, KN_EUSAGE,
                        "sampling merges items that are near each other: give a hierarchy of the "
                        "items (--hierarchy), coordinates (--coordinates FILE) or neighbours "
                        "(--edges FILE)");
    }
    if (tree && edges) {
        return kn__fail(err, KN_EUSAGE,
                        "both a hierarchy and --edges say which items may be merged: give one");
    }
    if (outline && !coordinates) {
        return kn__fail(err, KN_EUSAGE, "--outline is for maps: add --coordinates FILE");
    }
    KN_PASS(count_occurrences(r, task->baskets, err));
    if (coordinates) {
        KN_PASS(kn__places_read(&r->places, coordinates, task->column, r->occurs, task->run, err));
        KN_PASS(make_cells(r, outline, !edges && !tree, err));
        KN_PASS(make_vectors(r, err));
    }
    if (distances) {
        KN_PASS(
            kn__distances_read(&r->distance, distances, task->column, r->occurs, task->run, err));
        r->rules.distance = r->distance;
    }
    KN_PASS(choose_error(r, task, err));
    r->rules.domain = tree ? task->domain : NULL;
    if (!tree) {
        KN_PASS(read_neighbours(r, task, edges, err));
    }
    return KN_OK;
}
