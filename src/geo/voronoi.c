/* voronoi.c - GEOS behind a small interface.
 *
 * GEOS gives the cells in no order: each is matched with the site inside it by a tree over the
 * cells' envelopes. */
#include "geo/voronoi.h"
#include "base/error.h"
#include "base/memory.h"
#include "geo/voronoi_inside.h"

#ifdef KN_HAVE_GEOS

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const double earth = 6371008.8; /* metres: the mean radius */
static const double degree = 3.14159265358979323846 / 180;
static const double no_area = 1;          /* m^2: a hull below that is a line */
static const double around_a_line = 1000; /* metres */

static void keep_reason(const char *message, void *user)
{
    kn_voronoi *c = user;

    (void)snprintf(c->reason, sizeof c->reason, "%.200s", message);
}

static bool is_out_of_memory(const kn_voronoi *c)
{
    return strstr(c->reason, "alloc") != NULL; /* std::bad_alloc */
}

kn_status kn__voronoi_failed(const kn_voronoi *c, kn_error *err)
{
    return is_out_of_memory(c)
               ? kn__nomem(err)
               : kn__fail(err, KN_EINPUT, "the cells of the places cannot be computed: %s",
                          c->reason[0] ? c->reason : "GEOS gave no reason");
}

void kn__voronoi_free(kn_voronoi *c)
{
    if (c) {
        for (size_t i = 0; c->cell && i < c->sites; i++) {
            GEOSGeom_destroy_r(c->geos, c->cell[i]);
        }
        if (c->geos) {
            GEOS_finish_r(c->geos);
        }
        KN_FREE(c->site, c->site_of, c->sharing, c->cell, c->area, c->centroid, c);
    }
}

/* ---- projection ---- */

/* A difference of longitudes, between -180 and 180 degrees. */
static double wrap(double lon)
{
    if (lon > 180) {
        return lon - 360;
    }
    return lon < -180 ? lon + 360 : lon;
}

static void to_metres(const kn_voronoi *c, double lat, double lon, double out[2])
{
    const double east = wrap(lon - c->lon);

    out[0] = earth * cos(c->lat * degree) * east * degree;
    out[1] = earth * (lat - c->lat) * degree;
}

static void to_degrees(const kn_voronoi *c, double x, double y, double *lat, double *lon)
{
    *lat = c->lat + y / earth / degree;
    *lon = wrap(c->lon + x / earth / cos(c->lat * degree) / degree);
}

/* The middle of all places: the direction of the sum of their unit vectors. */
static void find_middle(kn_voronoi *c)
{
    double sum[3] = {0};

    for (size_t i = 0; i < c->places->count; i++) {
        double v[3];
        if (!isnan(c->places->lat[i])) {
            kn__unit_vector(c->places->lat[i], c->places->lon[i], v);
            for (int d = 0; d < 3; d++) {
                sum[d] += v[d];
            }
        }
    }
    c->lat = atan2(sum[2], hypot(sum[0], sum[1])) / degree;
    c->lon = atan2(sum[1], sum[0]) / degree;
}

/* ---- sites ---- */

typedef struct spot {
    double x, y;
    uint32_t place;
} spot;

static int compare_spots(const void *a, const void *b)
{
    const spot *p = a, *q = b;

    if (p->x != q->x) {
        return p->x < q->x ? -1 : 1;
    }
    if (p->y != q->y) {
        return p->y < q->y ? -1 : 1;
    }
    return (p->place > q->place) - (p->place < q->place);
}

static kn_status find_sites(kn_voronoi *c, kn_error *err)
{
    const size_t n = c->places->count;
    spot *spots = kn__malloc_array(n ? n : 1, sizeof *spots);
    size_t count = 0;
    kn_status status;

    c->site = kn__malloc_array(n ? n : 1, sizeof *c->site);
    c->site_of = kn__malloc_array(n ? n : 1, sizeof *c->site_of);
    c->sharing = kn__zalloc_array(n ? n : 1, sizeof *c->sharing);
    c->cell = kn__zalloc_array(n ? n : 1, sizeof(GEOSGeometry *));
    c->area = kn__zalloc_array(n ? n : 1, sizeof *c->area);
    c->centroid = kn__malloc_array(n ? n : 1, sizeof *c->centroid);
    KN_TRY(spots && c->site && c->site_of && c->sharing && c->cell && c->area && c->centroid
               ? KN_OK
               : kn__nomem(err));
    for (size_t i = 0; i < n; i++) {
        c->site_of[i] = UINT32_MAX;
        if (!isnan(c->places->lat[i])) {
            double xy[2];
            to_metres(c, c->places->lat[i], c->places->lon[i], xy);
            spots[count++] = (spot){xy[0], xy[1], (uint32_t)i};
        }
    }
    qsort(spots, count, sizeof *spots, compare_spots);
    for (size_t i = 0; i < count; i++) {
        if (i == 0 || spots[i].x != spots[i - 1].x || spots[i].y != spots[i - 1].y) {
            c->site[c->sites][0] = spots[i].x;
            c->site[c->sites++][1] = spots[i].y;
        }
        c->site_of[spots[i].place] = (uint32_t)c->sites - 1;
        c->sharing[c->sites - 1]++;
    }
done:
    kn__free(spots);
    return status;
}

static GEOSGeometry *point_of(const kn_voronoi *c, size_t site)
{
    return GEOSGeom_createPointFromXY_r(c->geos, c->site[site][0], c->site[site][1]);
}

kn_status kn__voronoi_sites(GEOSGeometry **out, const kn_voronoi *c, kn_error *err)
{
    GEOSGeometry **points = kn__zalloc_array(c->sites ? c->sites : 1, sizeof(GEOSGeometry *));
    size_t count = 0;
    kn_status status;

    *out = NULL;
    KN_TRY(points ? KN_OK : kn__nomem(err));
    while (count < c->sites) {
        points[count] = point_of(c, count);
        KN_TRY(points[count] ? KN_OK : kn__voronoi_failed(c, err));
        count++;
    }
    *out = GEOSGeom_createCollection_r(c->geos, GEOS_MULTIPOINT, points, (unsigned)count);
    count = 0; /* GEOS owns them, also where it fails */
    KN_TRY(*out ? KN_OK : kn__voronoi_failed(c, err));
done:
    while (count > 0) {
        GEOSGeom_destroy_r(c->geos, points[--count]);
    }
    kn__free(points);
    return status;
}

/* ---- what cells are clipped to ---- */

/* A ring of the outline in metres; NULL when it cannot be made. */
static GEOSGeometry *make_ring(const kn_voronoi *c, const kn_shape *s, size_t ring)
{
    const size_t begin = s->ring_at[ring], count = s->ring_at[ring + 1] - begin;
    GEOSCoordSequence *points = GEOSCoordSeq_create_r(c->geos, (unsigned)count, 2);
    bool made = points != NULL;

    for (size_t i = 0; made && i < count; i++) {
        double xy[2];
        to_metres(c, s->point[begin + i][1], s->point[begin + i][0], xy);
        made = GEOSCoordSeq_setXY_r(c->geos, points, (unsigned)i, xy[0], xy[1]) == 1;
    }
    if (!made) {
        GEOSCoordSeq_destroy_r(c->geos, points);
        return NULL;
    }
    return GEOSGeom_createLinearRing_r(c->geos, points);
}

/* A polygon of the outline; NULL when GEOS cannot make it. */
static kn_status make_polygon(GEOSGeometry **out, const kn_voronoi *c, const kn_shape *s,
                              size_t polygon, kn_error *err)
{
    const size_t begin = s->polygon_at[polygon], rings = s->polygon_at[polygon + 1] - begin;
    GEOSGeometry **ring = kn__zalloc_array(rings, sizeof(GEOSGeometry *));
    bool made = ring != NULL;

    *out = NULL;
    for (size_t i = 0; made && i < rings; i++) {
        ring[i] = make_ring(c, s, begin + i);
        made = ring[i] != NULL;
    }
    if (made) {
        *out = GEOSGeom_createPolygon_r(c->geos, ring[0], ring + 1, (unsigned)rings - 1);
    } else {
        for (size_t i = 0; ring && i < rings; i++) {
            GEOSGeom_destroy_r(c->geos, ring[i]);
        }
    }
    made = ring != NULL;
    kn__free(ring);
    return made ? KN_OK : kn__nomem(err);
}

/* Polygons that cross themselves are made valid first: what they surround stays. */
static kn_status read_outline(GEOSGeometry **out, kn_voronoi *c, const char *path, kn_error *err)
{
    GEOSGeometry *all = NULL;
    kn_shape shape = {0};
    kn_status status;

    *out = NULL;
    KN_TRY(kn__shape_read(&shape, path, err));
    for (size_t i = 0; i < shape.polygons; i++) {
        GEOSGeometry *polygon = NULL, *valid = NULL, *both = NULL;
        KN_TRY(make_polygon(&polygon, c, &shape, i, err));
        valid = polygon ? GEOSMakeValid_r(c->geos, polygon) : NULL;
        both = valid && all ? GEOSUnion_r(c->geos, all, valid) : NULL;
        GEOSGeom_destroy_r(c->geos, polygon);
        if (!all) {
            all = valid;
        } else {
            GEOSGeom_destroy_r(c->geos, valid);
            GEOSGeom_destroy_r(c->geos, all);
            all = both;
        }
        if (!all && is_out_of_memory(c)) {
            KN_TRY(kn__nomem(err));
        } else if (!all) {
            KN_TRY(kn__fail(err, KN_EINPUT, "%s: polygon %zu of the outline cannot be used: %s",
                            path, i + 1, c->reason[0] ? c->reason : "GEOS gave no reason"));
        }
    }
    if (GEOSGeom_getDimensions_r(c->geos, all) != 2 || GEOSisEmpty_r(c->geos, all) == 1) {
        KN_TRY(kn__fail(err, KN_EINPUT, "%s: the polygons of the outline have no area", path));
    }
    *out = all;
    all = NULL;
done:
    GEOSGeom_destroy_r(c->geos, all);
    kn__shape_clear(&shape);
    return status;
}

/* The convex hull; where all places are on a line, what is around it. */
static kn_status find_hull(GEOSGeometry **out, kn_voronoi *c, const GEOSGeometry *sites,
                           kn_error *err)
{
    GEOSGeometry *hull = GEOSConvexHull_r(c->geos, sites);
    double area = 0;

    if (hull && (GEOSArea_r(c->geos, hull, &area) != 1 || area < no_area)) {
        GEOSGeometry *wide = GEOSBuffer_r(c->geos, hull, around_a_line, 8);
        GEOSGeom_destroy_r(c->geos, hull);
        hull = wide;
    }
    *out = hull;
    return hull ? KN_OK : kn__voronoi_failed(c, err);
}

/* ---- cells ---- */

typedef struct match {
    kn_voronoi *c;
    const GEOSGeometry *point, *found;
} match;

static void match_cell(void *item, void *user)
{
    match *m = user;

    if (!m->found && GEOSIntersects_r(m->c->geos, item, m->point) == 1) {
        m->found = item;
    }
}

static kn_status clip_cell(kn_voronoi *c, size_t site, const GEOSGeometry *cell,
                           const GEOSGeometry *clip, kn_error *err)
{
    GEOSGeometry *middle = NULL;
    bool done;

    c->centroid[site][0] = c->site[site][0];
    c->centroid[site][1] = c->site[site][1];
    c->cell[site] = GEOSIntersection_r(c->geos, cell, clip);
    done = c->cell[site] && GEOSArea_r(c->geos, c->cell[site], &c->area[site]) == 1;
    if (done && c->area[site] > 0) {
        middle = GEOSGetCentroid_r(c->geos, c->cell[site]);
        done = middle && GEOSGeomGetX_r(c->geos, middle, &c->centroid[site][0]) == 1 &&
               GEOSGeomGetY_r(c->geos, middle, &c->centroid[site][1]) == 1;
        GEOSGeom_destroy_r(c->geos, middle);
    }
    return done ? KN_OK : kn__voronoi_failed(c, err);
}

static kn_status match_cells(kn_voronoi *c, const GEOSGeometry *diagram, const GEOSGeometry *clip,
                             kn_error *err)
{
    const int count = GEOSGetNumGeometries_r(c->geos, diagram);
    GEOSSTRtree *tree = GEOSSTRtree_create_r(c->geos, 10);
    kn_status status;

    KN_TRY(tree ? KN_OK : kn__voronoi_failed(c, err));
    for (int i = 0; i < count; i++) {
        GEOSGeometry *cell = (GEOSGeometry *)GEOSGetGeometryN_r(c->geos, diagram, i);
        GEOSSTRtree_insert_r(c->geos, tree, cell, cell);
    }
    for (size_t i = 0; i < c->sites; i++) {
        GEOSGeometry *point = point_of(c, i);
        match m = {.c = c, .point = point};
        if (point) {
            GEOSSTRtree_query_r(c->geos, tree, point, match_cell, &m);
        }
        status = m.found ? clip_cell(c, i, m.found, clip, err) : kn__voronoi_failed(c, err);
        GEOSGeom_destroy_r(c->geos, point);
        KN_TRY(status);
    }
done:
    if (tree) {
        GEOSSTRtree_destroy_r(c->geos, tree);
    }
    return status;
}

static kn_status make_cells(kn_voronoi *c, const char *outline, kn_error *err)
{
    GEOSGeometry *sites = NULL, *hull = NULL, *given = NULL, *around = NULL, *wide = NULL;
    GEOSGeometry *diagram = NULL;
    kn_status status;

    KN_TRY(kn__voronoi_sites(&sites, c, err));
    KN_TRY(find_hull(&hull, c, sites, err));
    if (outline) {
        KN_TRY(read_outline(&given, c, outline, err));
    }
    /* The diagram must reach beyond all that it is clipped to. */
    around = given ? GEOSUnion_r(c->geos, given, hull) : GEOSGeom_clone_r(c->geos, hull);
    wide = around ? GEOSBuffer_r(c->geos, around, 10 * around_a_line, 8) : NULL;
    KN_TRY(wide ? KN_OK : kn__voronoi_failed(c, err));
    if (c->sites == 1) {
        KN_TRY(clip_cell(c, 0, wide, given ? given : hull, err));
        goto done;
    }
    diagram = GEOSVoronoiDiagram_r(c->geos, sites, wide, 0, 0);
    KN_TRY(diagram ? KN_OK : kn__voronoi_failed(c, err));
    KN_TRY(match_cells(c, diagram, given ? given : hull, err));
done:
    GEOSGeom_destroy_r(c->geos, diagram);
    GEOSGeom_destroy_r(c->geos, wide);
    GEOSGeom_destroy_r(c->geos, around);
    GEOSGeom_destroy_r(c->geos, given);
    GEOSGeom_destroy_r(c->geos, hull);
    GEOSGeom_destroy_r(c->geos, sites);
    return status;
}

/* GEOS 3.15 ends the process where it gets no memory for a context, which needs a few kilobytes. */
static bool has_room_for_geos(void)
{
    void *room = kn__malloc((size_t)1 << 20);
    const bool has = room != NULL;

    kn__free(room);
    return has;
}

kn_status kn__voronoi_new(kn_voronoi **out, const kn_places *places, const char *outline,
                          kn_error *err)
{
    kn_voronoi *c = kn__zalloc(sizeof *c);
    kn_status status;

    *out = NULL;
    KN_TRY(c ? KN_OK : kn__nomem(err));
    c->places = places;
    KN_TRY(has_room_for_geos() ? KN_OK : kn__nomem(err));
    c->geos = GEOS_init_r();
    KN_TRY(c->geos ? KN_OK : kn__nomem(err));
    (void)GEOSContext_setErrorMessageHandler_r(c->geos, keep_reason, c);
    find_middle(c);
    KN_TRY(find_sites(c, err));
    if (c->sites) {
        KN_TRY(make_cells(c, outline, err));
    }
    *out = c;
    c = NULL;
done:
    kn__voronoi_free(c);
    return status;
}

double kn__voronoi_area(const kn_voronoi *c, uint32_t place)
{
    const uint32_t site = c->site_of[place];

    return site == UINT32_MAX ? 0 : c->area[site] / c->sharing[site] / 1e6;
}

void kn__voronoi_centroid(const kn_voronoi *c, uint32_t place, double *lat, double *lon)
{
    const uint32_t site = c->site_of[place];

    if (site == UINT32_MAX) {
        *lat = *lon = NAN;
    } else {
        to_degrees(c, c->centroid[site][0], c->centroid[site][1], lat, lon);
    }
}

/* ---- shapes ---- */

static double turn(double (*point)[2], size_t begin, size_t end)
{
    double sum = 0;

    for (size_t i = begin; i + 1 < end; i++) {
        sum += point[i][0] * point[i + 1][1] - point[i + 1][0] * point[i][1];
    }
    return sum;
}

static kn_status add_ring(kn_shape *s, const kn_voronoi *c, const GEOSGeometry *ring, bool outer,
                          kn_error *err)
{
    const GEOSCoordSequence *points = GEOSGeom_getCoordSeq_r(c->geos, ring);
    const size_t begin = s->ring_at ? s->ring_at[s->rings] : 0;
    unsigned count = 0;
    void *more;

    if (!points || GEOSCoordSeq_getSize_r(c->geos, points, &count) != 1) {
        return kn__voronoi_failed(c, err);
    }
    more = kn__realloc_array(s->point, begin + count, sizeof *s->point);
    KN_PASS(more ? KN_OK : kn__nomem(err));
    s->point = more;
    more = kn__realloc_array(s->ring_at, s->rings + 2, sizeof *s->ring_at);
    KN_PASS(more ? KN_OK : kn__nomem(err));
    s->ring_at = more;
    s->ring_at[0] = 0;
    for (unsigned i = 0; i < count; i++) {
        double x, y;
        (void)GEOSCoordSeq_getXY_r(c->geos, points, i, &x, &y);
        to_degrees(c, x, y, &s->point[begin + i][1], &s->point[begin + i][0]);
    }
    if ((turn(s->point, begin, begin + count) > 0) != outer) {
        for (size_t i = 0; i < count / 2; i++) {
            for (int d = 0; d < 2; d++) {
                const double swap = s->point[begin + i][d];
                s->point[begin + i][d] = s->point[begin + count - 1 - i][d];
                s->point[begin + count - 1 - i][d] = swap;
            }
        }
    }
    s->ring_at[++s->rings] = begin + count;
    return KN_OK;
}

static kn_status add_polygon(kn_shape *s, const kn_voronoi *c, const GEOSGeometry *polygon,
                             kn_error *err)
{
    size_t *more = kn__realloc_array(s->polygon_at, s->polygons + 2, sizeof *more);

    KN_PASS(more ? KN_OK : kn__nomem(err));
    s->polygon_at = more;
    s->polygon_at[0] = 0;
    KN_PASS(add_ring(s, c, GEOSGetExteriorRing_r(c->geos, polygon), true, err));
    for (int i = 0; i < GEOSGetNumInteriorRings_r(c->geos, polygon); i++) {
        KN_PASS(add_ring(s, c, GEOSGetInteriorRingN_r(c->geos, polygon, i), false, err));
    }
    s->polygon_at[++s->polygons] = s->rings;
    return KN_OK;
}

kn_status kn__voronoi_unite(kn_shape *out, const kn_voronoi *c, const uint32_t *places,
                            size_t count, kn_error *err)
{
    GEOSGeometry **parts = kn__zalloc_array(count ? count : 1, sizeof(GEOSGeometry *));
    GEOSGeometry *all = NULL, *one = NULL;
    unsigned kept = 0;
    kn_status status;

    *out = (kn_shape){0};
    KN_TRY(parts ? KN_OK : kn__nomem(err));
    for (size_t i = 0; i < count; i++) {
        const uint32_t site = c->site_of[places[i]];
        out->km2 += kn__voronoi_area(c, places[i]);
        if (site != UINT32_MAX && GEOSisEmpty_r(c->geos, c->cell[site]) != 1) {
            parts[kept] = GEOSGeom_clone_r(c->geos, c->cell[site]);
            KN_TRY(parts[kept] ? KN_OK : kn__voronoi_failed(c, err));
            kept++;
        }
    }
    all = GEOSGeom_createCollection_r(c->geos, GEOS_GEOMETRYCOLLECTION, parts, kept);
    kept = 0; /* GEOS owns them, also where it fails */
    one = all ? GEOSUnaryUnion_r(c->geos, all) : NULL;
    KN_TRY(one ? KN_OK : kn__voronoi_failed(c, err));
    for (int i = 0; i < GEOSGetNumGeometries_r(c->geos, one); i++) {
        const GEOSGeometry *part = GEOSGetGeometryN_r(c->geos, one, i);
        if (GEOSGeomTypeId_r(c->geos, part) == GEOS_POLYGON && GEOSisEmpty_r(c->geos, part) != 1) {
            KN_TRY(add_polygon(out, c, part, err));
        }
    }
done:
    for (unsigned i = 0; parts && i < kept; i++) {
        GEOSGeom_destroy_r(c->geos, parts[i]);
    }
    GEOSGeom_destroy_r(c->geos, one);
    GEOSGeom_destroy_r(c->geos, all);
    kn__free(parts);
    if (status != KN_OK) {
        kn__shape_clear(out);
    }
    return status;
}

#else

kn_status kn__voronoi_new(kn_voronoi **out, const kn_places *places, const char *outline,
                          kn_error *err)
{
    (void)places, (void)outline;
    *out = NULL;
    return kn__fail(
        err, KN_EUSAGE,
        "neighbours by coordinates and maps need GEOS, which this kanon was built "
        "without: say which places touch with --edges FILE, or build it with libgeos-dev");
}

void kn__voronoi_free(kn_voronoi *c)
{
    (void)c;
}

double kn__voronoi_area(const kn_voronoi *c, uint32_t place)
{
    (void)c, (void)place;
    return 0;
}

void kn__voronoi_centroid(const kn_voronoi *c, uint32_t place, double *lat, double *lon)
{
    (void)c, (void)place;
    *lat = *lon = 0;
}

kn_status kn__voronoi_unite(kn_shape *out, const kn_voronoi *c, const uint32_t *places,
                            size_t count, kn_error *err)
{
    (void)c, (void)places, (void)count;
    *out = (kn_shape){0};
    return kn__fail(err, KN_EUSAGE, "kanon was built without GEOS");
}

#endif
