/* kanon/sample.h - seeded synthetic data of realistic shape, any size. */
#ifndef KANON_SAMPLE_H
#define KANON_SAMPLE_H

#include "kanon/error.h"
#include "kanon/run.h"
#include <stddef.h>

#ifdef __cplusplus
extern "C" {
#endif

/** The samples there are: "people". */
const char *const *kn_sample_names(size_t *count);

/** Write `records` records of sample `name` as CSV to `path` ("-": standard output; .gz/.zst compress), seeded by run->seed.
 *  The same name, records and seed give the same bytes. Streams: memory does not grow with `records`. */
kn_status kn_sample_write(const char *name, size_t records, const char *path, const kn_run *run,
                          kn_error *err);

/** Write the hierarchies of the sample's columns, COLUMN.csv each, into `folder` (made if absent). */
kn_status kn_sample_write_hierarchies(const char *name, const char *folder, kn_error *err);

/** Write a schema file for the sample (roles, types, the hierarchies of `folder`). */
kn_status kn_sample_write_schema(const char *name, const char *path, const char *folder,
                                 kn_error *err);

#ifdef __cplusplus
}
#endif
#endif
