/* geo/places.h - where the items of a column are, which of them touch, and how far apart they are,
 * as read from files.
 *
 * Items are codes of the column. Items of a file that the column does not have are passed over:
 * the file may describe all places, and the data only some. */
#ifndef KN_GEO_PLACES_H
#define KN_GEO_PLACES_H

#include "data/dataset.h"

/** Coordinates in degrees, by code of the column; NaN where there are none. */
typedef struct kn_places {
    size_t count;
    double *lat, *lon;
} kn_places;

/** A graph over codes, both directions: i touches to[at[i]..at[i + 1]), ascending. */
typedef struct kn_neighbours {
    size_t count;
    uint64_t *at;
    uint32_t *to;
} kn_neighbours;

/** The place as a unit vector. */
void kn__unit_vector(double lat, double lon, double out[3]);

/** Read a CSV file with the columns `item`, `lat` and `lon` (also `latitude`, `longitude`).
 *  `needed`: by code, whether it must have coordinates.
 *  @return KN_EINPUT when a needed item is missing, which is named, occurs twice with different
 *  coordinates, or a coordinate is no number in its range. O(file). */
kn_status kn__places_read(kn_places **out, const char *path, const kn_column *column,
                          const uint8_t *needed, const kn_run *run, kn_error *err);
void kn__places_free(kn_places *p);

/** Read a CSV file with the columns `item` and `neighbour`: an edge for each row, in both
 *  directions. */
kn_status kn__edges_read(kn_neighbours **out, const char *path, const kn_column *column,
                         const kn_run *run, kn_error *err);
/** The graph of `edges` pairs (a[i], b[i]); pairs of equals and repeated ones count once or not at
 * all. O(edges log edges). */
kn_status kn__neighbours_new(kn_neighbours **out, size_t count, const uint32_t *a,
                             const uint32_t *b, size_t edges, kn_error *err);
void kn__neighbours_free(kn_neighbours *n);
/** How many connected parts the items that `needed` marks are in. */
kn_status kn__neighbours_parts(const kn_neighbours *n, const uint8_t *needed, size_t *parts,
                               kn_error *err);

/** Read a CSV matrix of distances: a column `item`, and one for each item with its name. In `*out`
 *  (kn__free) [a * count + b]; needed items must have a row and a column, distances be 0 or more.
 */
kn_status kn__distances_read(double **out, const char *path, const kn_column *column,
                             const uint8_t *needed, const kn_run *run, kn_error *err);

#endif
