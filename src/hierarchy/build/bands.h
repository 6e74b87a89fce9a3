/* hierarchy/build/bands.h - bands of numbers as text: [0-10), 18-24, 65+, <18. */
#ifndef KN_HIERARCHY_BUILD_BANDS_H
#define KN_HIERARCHY_BUILD_BANDS_H

#include <stdbool.h>
#include <stddef.h>

/** A band. Its ends as they are written stay in the text. */
typedef struct kn_band {
    double low, high;                 /* -INFINITY, INFINITY: open */
    char open, close;                 /* brackets, or '\0' */
    char separator;                   /* between the ends: '-' or ',' */
    const char *low_text, *high_text; /* in the text; NULL: open */
    size_t low_len, high_len;
} kn_band;

/** Read all of `text` as a band. Forms: [0-10), (0,10], 18-24, 18 - 24, 18–24, 18..24, 18 to 24,
 * 65+, >65, >=65, <18, <=18. A number by itself is none. */
bool kn__band_parse(kn_band *out, const char *text, size_t len);

#endif
