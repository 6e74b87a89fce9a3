/* geo/voronoi_inside.h - what the files about cells share: they alone know GEOS. */
#ifndef KN_GEO_VORONOI_INSIDE_H
#define KN_GEO_VORONOI_INSIDE_H

#include "geo/voronoi.h"

#ifdef KN_HAVE_GEOS

#define GEOS_USE_ONLY_R_API
#include <geos_c.h>

struct kn_voronoi {
    GEOSContextHandle_t geos;
    char reason[256]; /* what GEOS said last */
    const kn_places *places;
    double lat, lon; /* the middle */
    /* Sites: different spots. */
    size_t sites;
    double (*site)[2];   /* metres */
    uint32_t *site_of;   /* by place; UINT32_MAX: it has no coordinates */
    uint32_t *sharing;   /* by site: places */
    GEOSGeometry **cell; /* by site, clipped */
    double *area;        /* by site, m^2 */
    double (*centroid)[2];
};

/** What GEOS said last, as an error. */
kn_status kn__voronoi_failed(const kn_voronoi *c, kn_error *err);
/** All sites as points. */
kn_status kn__voronoi_sites(GEOSGeometry **out, const kn_voronoi *c, kn_error *err);

#endif
#endif
