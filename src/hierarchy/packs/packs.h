/* hierarchy/packs/packs.h - hierarchies over codes in common use: countries, occupations,
 * branches, regions, diagnoses.
 *
 * A pack is one row of a table: its name, and a function from a code to the groups above it. The
 * groups are facts (UN regions, code ranges, prefixes); labels in words are the user's own, from a
 * code list. */
#ifndef KN_HIERARCHY_PACKS_PACKS_H
#define KN_HIERARCHY_PACKS_PACKS_H

#include <stdbool.h>
#include <stddef.h>

enum { KN_PACK_LEVELS = 4, KN_PACK_LABEL = 40 };

/** The groups above a code, the smallest first, without the root. */
typedef struct kn_pack_path {
    char label[KN_PACK_LEVELS][KN_PACK_LABEL];
    size_t count; /* the same for all codes of a pack */
} kn_pack_path;

typedef struct kn_pack {
    const char *name; /**< "country" */
    const char *help; /**< what it is, and the levels */
    /** The groups of the code `text`; false when it is no code of the pack. */
    bool (*path)(kn_pack_path *out, const char *text, size_t len);
    bool telling; /**< values that are codes of it are hardly anything else, if there are many */
} kn_pack;

const kn_pack *kn__packs(size_t *count);
const kn_pack *kn__pack_find(const char *name);

bool kn__country_path(kn_pack_path *out, const char *text, size_t len);
bool kn__icd10_path(kn_pack_path *out, const char *text, size_t len);
bool kn__isco_path(kn_pack_path *out, const char *text, size_t len);
bool kn__nace_path(kn_pack_path *out, const char *text, size_t len);
bool kn__nuts_path(kn_pack_path *out, const char *text, size_t len);

/** Set label `level` of `out` to `len` bytes. */
void kn__pack_label(kn_pack_path *out, size_t level, const char *text, size_t len);

#endif
