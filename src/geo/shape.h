/* geo/shape.h - polygons on the map, and reading them from GeoJSON.
 *
 * Outlines are parsed here and not by GEOS, whose reader of version 3.11 reads beyond coordinates
 * that have fewer numbers than they should. */
#ifndef KN_GEO_SHAPE_H
#define KN_GEO_SHAPE_H

#include "kanon/error.h"
#include <stddef.h>

/** Polygons in degrees. Ring i has the points point[ring_at[i]..ring_at[i + 1]), the last one equal
 *  to the first; polygon j the rings polygon_at[j]..polygon_at[j + 1], the outer one first and
 *  anticlockwise, holes clockwise, as GeoJSON asks for. */
typedef struct kn_shape {
    double (*point)[2]; /* longitude, latitude */
    size_t *ring_at, rings;
    size_t *polygon_at, polygons;
    double km2;
} kn_shape;

void kn__shape_clear(kn_shape *s);

/** Read the polygons of a GeoJSON file (RFC 7946): a geometry, a feature or a collection of either;
 *  points and lines in it are passed over. `km2` is left 0. At most 64 MiB.
 *  @return KN_EINPUT when it is not such a file or has no polygon: `err` names the place, a ring
 * that is not closed, or a coordinate that is not on Earth. */
kn_status kn__shape_read(kn_shape *out, const char *path, kn_error *err);

#endif
