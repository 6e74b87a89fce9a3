/* geo/areas.h - the regions of a release as areas on a map: GeoJSON, a table, SVG. */
#ifndef KN_GEO_AREAS_H
#define KN_GEO_AREAS_H

#include "base/buffer.h"
#include "geo/voronoi.h"

typedef struct kn_area {
    char *name;      /* as it is published */
    uint32_t *items; /* codes of the column, ascending */
    size_t items_count;
    double people; /* who hold one of its items */
    double km2;
    double mean_error; /* metres from an item to the centre, each item once; NaN: not known */
    kn_shape shape;    /* empty without cells */
} kn_area;

/** How far the items are from the centres of their areas. Beside the number of people in an area of
 * two items the exact mean tells how many were at each: kn__area_error_rounded. */
typedef struct kn_area_error {
    double mean;        /* metres, over occurrences; NaN: not known */
    double longest;     /* metres, of an item that is not alone */
    double occurrences; /* of all items */
} kn_area_error;

/** The mean, rounded up to a multiple of twice what `least` of the occurrences can shift it by. */
double kn__area_error_rounded(const kn_area_error *error, size_t least);

/** What guarding against `m` known items costs. */
typedef struct kn_area_step {
    size_t m, areas;
    kn_area_error error;
    double mean_km2;  /* weighted by people */
    double eps;       /* the largest certified bound on the failing share; 0: exact */
    unsigned attempt; /* of the certificate that succeeded */
} kn_area_step;

/** Areas before and after; before, each item is one. */
typedef struct kn_areas {
    kn_area *before, *after;
    size_t before_count, after_count;
    kn_area_error error;
    kn_area_step *curve; /* by rising m, the last one is what is published; NULL: not asked for */
    size_t curve_count;
} kn_areas;

void kn__areas_free(kn_areas *a);

/** A GeoJSON FeatureCollection of the areas after: name, items, people, km2, mean_error_m. */
void kn__areas_geojson(const kn_areas *a, const kn_column *column, kn_buffer *out);
/** The same as a table: area,people,km2,mean_error_m,items. */
void kn__areas_csv(const kn_areas *a, const kn_column *column, kn_buffer *out);
/** A hierarchy of the items, in ARX's rows: item;area;*. */
void kn__areas_mapping(const kn_areas *a, const kn_column *column, kn_buffer *out);
/** The areas before or after as an SVG picture of `width` pixels, coloured by people per km^2 on a
 *  logarithmic scale, which both pictures share and which ends where the published areas do: few
 *  people at a place before are not told apart. Nothing without shapes. */
void kn__areas_svg(const kn_areas *a, bool after, double width, kn_buffer *out);

#endif
