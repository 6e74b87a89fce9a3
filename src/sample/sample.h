/* sample/sample.h - what a sample is made of. A new one is a kn_sample in a file of its own and a
 * row in sample.c. */
#ifndef KN_SAMPLE_SAMPLE_H
#define KN_SAMPLE_SAMPLE_H

#include "base/buffer.h"
#include "io/bytes/file.h"
#include "sample/generate.h"
#include "kanon/schema.h"
#include <stdbool.h>

/** Records are made in blocks of this many, each from a random stream of its own, so that any
 * thread can make any block. */
enum { KN_SAMPLE_BLOCK = 4096 };

typedef struct kn_sample_column {
    const char *name; /* no character that CSV or JSON would quote */
    kn_type type;
    kn_role role;
    /** Append the rows of its hierarchy, `leaf;...;*`, the same for every seed. NULL: it has none.
     */
    void (*hierarchy)(const void *tables, kn_buffer *out);
} kn_sample_column;

typedef struct kn_sample {
    const char *name;
    bool lists; /* one list a line, items between spaces, and no header: a .dat file */
    bool trees; /* one tree a line: a .trees file; its columns are classes, in their order, and each
                   has a hierarchy, whose leaves need no quotes in .trees */
    const kn_sample_column *columns;
    size_t columns_count;
    size_t records;        /* what it has if nothing is asked; 0: 1,000 */
    uint64_t most_records; /* how many it can make without repeating an identifier */
    size_t most_bytes;     /* no record is longer */
    kn_status (*open)(void **tables, kn_error *err);
    void (*close)(void *tables);
    /** Append where its items are, `item,lat,lon` with a header, the same for every seed. NULL: its
     * items are at no place. */
    void (*coordinates)(const void *tables, kn_buffer *out);
    /** Write the records first..first+count-1, which lie in one block and start it, to `out` as
     * CSV (`lists`: lines of items); returns the bytes written, at most count * most_bytes. Never
     * fails; several threads may share `tables`. */
    size_t (*fill)(const void *tables, uint64_t seed, uint64_t first, size_t count, char *out);
} kn_sample;

extern const kn_sample kn__sample_people, kn__sample_income, kn__sample_baskets, kn__sample_clinic,
    kn__sample_informs, kn__sample_youtube, kn__sample_loans, kn__sample_towers, kn__sample_orders,
    kn__sample_clinic_trees;

/** The sample called `name`; KN_EUSAGE, naming those there are, when there is none. */
kn_status kn__sample_find(const char *name, const kn_sample **out, kn_error *err);

/** Write `records` records to a sink for `path`, which is finished but not committed. */
kn_status kn__sample_put_table(kn_sink **out, const kn_sample *s, const void *tables,
                               size_t records, const char *path, const kn_run *run, kn_error *err);

#endif
