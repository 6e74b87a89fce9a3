/* sample/generate.h - seeded synthetic data of realistic shape, any size: what `kanon sample`
 * calls. */
#ifndef KN_SAMPLE_GENERATE_H
#define KN_SAMPLE_GENERATE_H

#include "kanon/error.h"
#include "kanon/run.h"
#include <stddef.h>

/** The samples there are: "people" (a table), "income" (bags of numbers), "baskets" (sets); tables
 * with a set of items: "clinic", and "informs" and "youtube" of the shapes of the paper on these;
 * "loans" (a table with a class: whether a loan was paid back); "orders" and "clinic-trees" (tree
 * records); "towers" (sets of places, of the shape of the sampling paper's data). */
const char *const *kn__sample_names(size_t *count);
/** How many records the sample has unless the caller says: 1000, or as many as the paper's data. */
size_t kn__sample_records(const char *name);

/** Which files of a sample to write; NULL: not that one. */
typedef struct kn_sample_files {
    const char *table;         /**< see kn__sample_write */
    const char *hierarchies;   /**< a folder, see kn__sample_write_hierarchies */
    const char *coordinates;   /**< where its items are: item,lat,lon; "towers" only */
    const char *schema;        /**< see kn__sample_write_schema */
    const char *schema_folder; /**< the folder of hierarchies that the schema names */
} kn_sample_files;

/** Write the files of a sample: all appear or, on any failure, none. */
kn_status kn_sample_write_files(const char *name, size_t records, const kn_sample_files *files,
                                const kn_run *run, kn_error *err);

/** Write `records` records of sample `name` as CSV (income, baskets: a list a line) to `path` ("-":
 * standard output; .gz/.zst compress), seeded by run->seed (`run` NULL: 0). The same name, records
 * and seed give the same bytes on every machine; fewer records give the beginning of more. Streams:
 * memory does not grow with `records`. Nothing is left at `path` on failure.
 *  @return KN_EUSAGE for an unknown name, or more records than the sample has identifiers for
 * ("people": 2^36). */
kn_status kn__sample_write(const char *name, size_t records, const char *path, const kn_run *run,
                           kn_error *err);

/** Write the hierarchies of the sample's columns, COLUMN.csv each, into `folder` (made if absent;
 * the folder above it must exist). They are the same for every seed, and cover every value but the
 * missing one. */
kn_status kn__sample_write_hierarchies(const char *name, const char *folder, kn_error *err);

/** Write a schema file for the sample: roles, types, and the hierarchies of `folder`, by their path
 * from the folder of `path`. `folder` NULL: no hierarchies. */
kn_status kn__sample_write_schema(const char *name, const char *path, const char *folder,
                                  kn_error *err);

#endif
