/* shape.c - GeoJSON into rings of points. */
#include "geo/shape.h"
#include "base/error.h"
#include "base/json.h"
#include "base/memory.h"
#include "io/bytes/file.h"

#include <math.h>
#include <string.h>

enum { MOST_BYTES = 1 << 26, DEEPEST = 32 /* collections in collections */ };

typedef struct reading {
    kn_shape *out;
    size_t points_cap, rings_cap, polygons_cap;
    const char *path;
    kn_error *err;
} reading;

void kn__shape_clear(kn_shape *s)
{
    KN_FREE(s->point, s->ring_at, s->polygon_at);
    *s = (kn_shape){0};
}

static kn_status refuse(const reading *r, const char *what)
{
    return kn__fail(r->err, KN_EINPUT, "%s cannot be read as a GeoJSON outline: polygon %zu: %s",
                    r->path, r->out->polygons + 1, what);
}

static kn_status add_point(reading *r, const json_t *point)
{
    kn_shape *s = r->out;
    const size_t at = s->ring_at[s->rings + 1];
    const json_t *lon = json_array_get(point, 0), *lat = json_array_get(point, 1);

    if (!json_is_number(lon) || !json_is_number(lat)) {
        return refuse(r, "a position is not [longitude, latitude]");
    }
    if (fabs(json_number_value(lon)) > 180 || fabs(json_number_value(lat)) > 90) {
        return refuse(r, "a position is outside longitude -180..180 and latitude -90..90");
    }
    KN_PASS(kn__grow(&s->point, &r->points_cap, at + 1, sizeof *s->point, r->err));
    s->point[at][0] = json_number_value(lon);
    s->point[at][1] = json_number_value(lat);
    s->ring_at[s->rings + 1]++;
    return KN_OK;
}

static kn_status add_ring(reading *r, const json_t *ring)
{
    kn_shape *s = r->out;
    const size_t count = json_array_size(ring);

    KN_PASS(kn__grow(&s->ring_at, &r->rings_cap, s->rings + 2, sizeof *s->ring_at, r->err));
    s->ring_at[0] = 0;
    s->ring_at[s->rings + 1] = s->ring_at[s->rings];
    if (count < 4) {
        KN_PASS(refuse(r, "a ring has fewer than four positions"));
    }
    for (size_t i = 0; i < count; i++) {
        KN_PASS(add_point(r, json_array_get(ring, i)));
    }
    const double *first = s->point[s->ring_at[s->rings]];
    const double *last = s->point[s->ring_at[s->rings + 1] - 1];
    if (first[0] != last[0] || first[1] != last[1]) {
        KN_PASS(refuse(r, "a ring does not end where it begins"));
    }
    s->rings++;
    return KN_OK;
}

static kn_status add_polygon(reading *r, const json_t *polygon)
{
    kn_shape *s = r->out;

    if (json_array_size(polygon) == 0) {
        return refuse(r, "it has no ring");
    }
    KN_PASS(
        kn__grow(&s->polygon_at, &r->polygons_cap, s->polygons + 2, sizeof *s->polygon_at, r->err));
    s->polygon_at[0] = 0;
    for (size_t i = 0; i < json_array_size(polygon); i++) {
        KN_PASS(add_ring(r, json_array_get(polygon, i)));
    }
    s->polygon_at[++s->polygons] = s->rings;
    return KN_OK;
}

/* A geometry, a feature, or a collection. */
static kn_status add_object(reading *r, const json_t *object, unsigned depth)
{
    const char *type = json_string_value(json_object_get(object, "type"));
    const json_t *coordinates = json_object_get(object, "coordinates"), *parts = NULL;

    if (!type || depth == DEEPEST) {
        return kn__fail(r->err, KN_EINPUT, "%s cannot be read as a GeoJSON outline: %s", r->path,
                        type ? "collections are nested too deeply" : "an object has no \"type\"");
    }
    if (strcmp(type, "Feature") == 0) {
        const json_t *geometry = json_object_get(object, "geometry");
        return json_is_object(geometry) ? add_object(r, geometry, depth + 1) : KN_OK;
    }
    if (strcmp(type, "Polygon") == 0) {
        return add_polygon(r, coordinates);
    }
    if (strcmp(type, "MultiPolygon") == 0) {
        for (size_t i = 0; i < json_array_size(coordinates); i++) {
            KN_PASS(add_polygon(r, json_array_get(coordinates, i)));
        }
    }
    if (strcmp(type, "FeatureCollection") == 0) {
        parts = json_object_get(object, "features");
    } else if (strcmp(type, "GeometryCollection") == 0) {
        parts = json_object_get(object, "geometries");
    }
    for (size_t i = 0; i < json_array_size(parts); i++) {
        KN_PASS(add_object(r, json_array_get(parts, i), depth + 1));
    }
    return KN_OK;
}

kn_status kn__shape_read(kn_shape *out, const char *path, kn_error *err)
{
    reading r = {.out = out, .path = path, .err = err};
    char *text = NULL;
    size_t len;
    json_t *root = NULL;
    json_error_t where;
    kn_status status;

    *out = (kn_shape){0};
    KN_TRY(kn__file_slurp(path, MOST_BYTES, &text, &len, err));
    status = kn__json_parse(&root, text, len, &where, err);
    if (status == KN_EINPUT) {
        status = kn__fail(err, KN_EINPUT, "%s:%d:%d: cannot be read as a GeoJSON outline: %s", path,
                          where.line, where.column, where.text);
    }
    KN_TRY(status);
    KN_TRY(add_object(&r, root, 0));
    if (out->polygons == 0) {
        KN_TRY(kn__fail(err, KN_EINPUT,
                        "%s: an outline is a polygon or several, and this file holds none", path));
    }
done:
    json_decref(root);
    kn__free(text);
    if (status != KN_OK) {
        kn__shape_clear(out);
    }
    return status;
}
