/* geo/voronoi.h - the Voronoi cells of places: who touches whom, areas, and the outlines of
 * regions.
 *
 * Cells are computed by GEOS in a local projection: metres east and north of the middle of all
 * places, which is exact enough for a country and not for a continent. They are clipped to an
 * outline, or else to the convex hull of the places. Places in one spot share a cell, each with its
 * part of the area, and touch each other.
 *
 * Without GEOS in the build, kn__voronoi_new says so (KN_EUSAGE); everything else needs cells. */
#ifndef KN_GEO_VORONOI_H
#define KN_GEO_VORONOI_H

#include "geo/places.h"
#include "geo/shape.h"

typedef struct kn_voronoi kn_voronoi;

/** The cells of the places that have coordinates. `outline` (may be NULL): a GeoJSON file with a
 *  polygon or several. KN_EINPUT when that cannot be read as such. */
kn_status kn__voronoi_new(kn_voronoi **out, const kn_places *places, const char *outline,
                          kn_error *err);
void kn__voronoi_free(kn_voronoi *c);

/** km^2 of the cell of a place; 0 where the outline leaves nothing of it. */
double kn__voronoi_area(const kn_voronoi *c, uint32_t place);
/** The centroid of its cell, in degrees; the place itself where nothing is left of the cell. */
void kn__voronoi_centroid(const kn_voronoi *c, uint32_t place, double *lat, double *lon);
/** Cells whose boundaries touch, and places in one spot. */
kn_status kn__voronoi_neighbours(kn_neighbours **out, const kn_voronoi *c, kn_error *err);

/** The cells of `count` places as one shape. */
kn_status kn__voronoi_unite(kn_shape *out, const kn_voronoi *c, const uint32_t *places,
                            size_t count, kn_error *err);

#endif
