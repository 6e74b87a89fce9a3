/* voronoi_neighbours.c - which cells touch.
 *
 * Neighbours are the pairs of Delaunay's triangulation, the dual of the cells, whose clipped cells
 * still touch: on the hull the triangulation joins places far apart, whose cells would meet outside
 * only. */
#include "base/error.h"
#include "base/memory.h"
#include "geo/voronoi_inside.h"

#ifdef KN_HAVE_GEOS

static const double touching = 0.01; /* metres between cells that count as neighbours */

typedef struct pair_list {
    uint32_t *a, *b;
    size_t len, a_room, b_room;
} pair_list;

static kn_status add_pair(pair_list *l, uint32_t a, uint32_t b, kn_error *err)
{
    KN_PASS(kn__grow(&l->a, &l->a_room, l->len + 1, sizeof *l->a, err));
    KN_PASS(kn__grow(&l->b, &l->b_room, l->len + 1, sizeof *l->b, err));
    l->a[l->len] = a;
    l->b[l->len++] = b;
    return KN_OK;
}

/* The site at a point that is exactly one; they are sorted. */
static size_t site_at(const kn_voronoi *c, double x, double y)
{
    size_t low = 0, high = c->sites;

    while (low < high) {
        const size_t middle = low + (high - low) / 2;
        const double *s = c->site[middle];
        if (s[0] < x || (s[0] == x && s[1] < y)) {
            low = middle + 1;
        } else {
            high = middle;
        }
    }
    return low < c->sites ? low : c->sites - 1;
}

/* Sites that the triangulation joins and whose cells touch. */
static kn_status join_sites(const kn_voronoi *c, const GEOSGeometry *line, pair_list *out,
                            kn_error *err)
{
    const GEOSCoordSequence *points = GEOSGeom_getCoordSeq_r(c->geos, line);
    double x[2], y[2], apart;
    size_t site[2];

    for (unsigned i = 0; i < 2; i++) {
        if (!points || GEOSCoordSeq_getXY_r(c->geos, points, i, &x[i], &y[i]) != 1) {
            return kn__voronoi_failed(c, err);
        }
        site[i] = site_at(c, x[i], y[i]);
    }
    if (GEOSisEmpty_r(c->geos, c->cell[site[0]]) == 1 ||
        GEOSisEmpty_r(c->geos, c->cell[site[1]]) == 1) {
        apart = 0; /* nothing of one is inside the outline: let it join its neighbours */
    } else if (GEOSDistance_r(c->geos, c->cell[site[0]], c->cell[site[1]], &apart) != 1) {
        return kn__voronoi_failed(c, err);
    }
    return apart <= touching ? add_pair(out, (uint32_t)site[0], (uint32_t)site[1], err) : KN_OK;
}

static kn_status list_site_pairs(const kn_voronoi *c, pair_list *out, kn_error *err)
{
    GEOSGeometry *sites = NULL, *edges = NULL;
    kn_status status;

    KN_TRY(kn__voronoi_sites(&sites, c, err));
    edges = GEOSDelaunayTriangulation_r(c->geos, sites, 0, 1);
    KN_TRY(edges ? KN_OK : kn__voronoi_failed(c, err));
    for (int i = 0; i < GEOSGetNumGeometries_r(c->geos, edges); i++) {
        KN_TRY(join_sites(c, GEOSGetGeometryN_r(c->geos, edges, i), out, err));
    }
    /* Places on a line make no triangle: each touches the next. */
    for (size_t i = 1; GEOSisEmpty_r(c->geos, edges) == 1 && i < c->sites; i++) {
        KN_TRY(add_pair(out, (uint32_t)i - 1, (uint32_t)i, err));
    }
done:
    GEOSGeom_destroy_r(c->geos, edges);
    GEOSGeom_destroy_r(c->geos, sites);
    return status;
}

kn_status kn__voronoi_neighbours(kn_neighbours **out, const kn_voronoi *c, kn_error *err)
{
    const size_t n = c->places->count;
    pair_list sites = {0}, places = {0};
    size_t *at = kn__zalloc_array(c->sites + 2, sizeof *at);
    uint32_t *of = kn__malloc_array(n ? n : 1, sizeof *of);
    kn_status status;

    *out = NULL;
    KN_TRY(at && of ? KN_OK : kn__nomem(err));
    KN_TRY(list_site_pairs(c, &sites, err));
    for (size_t i = 0; i < n; i++) { /* the places of each site, by a counting sort */
        if (c->site_of[i] != UINT32_MAX) {
            at[c->site_of[i] + 2]++;
        }
    }
    for (size_t i = 2; i < c->sites + 2; i++) {
        at[i] += at[i - 1];
    }
    for (size_t i = 0; i < n; i++) {
        if (c->site_of[i] != UINT32_MAX) {
            of[at[c->site_of[i] + 1]++] = (uint32_t)i;
        }
    }
    for (size_t s = 0; s < c->sites; s++) {
        for (size_t i = at[s] + 1; i < at[s + 1]; i++) {
            KN_TRY(add_pair(&places, of[i - 1], of[i], err));
        }
    }
    for (size_t e = 0; e < sites.len; e++) {
        for (size_t i = at[sites.a[e]]; i < at[sites.a[e] + 1]; i++) {
            for (size_t j = at[sites.b[e]]; j < at[sites.b[e] + 1]; j++) {
                KN_TRY(add_pair(&places, of[i], of[j], err));
            }
        }
    }
    KN_TRY(kn__neighbours_new(out, n, places.a, places.b, places.len, err));
done:
    KN_FREE(at, of, sites.a, sites.b, places.a, places.b);
    return status;
}

#else

kn_status kn__voronoi_neighbours(kn_neighbours **out, const kn_voronoi *c, kn_error *err)
{
    (void)c;
    *out = NULL;
    return kn__fail(err, KN_EUSAGE, "kanon was built without GEOS");
}

#endif
