/* data/builder.h - how readers make datasets, on several threads.
 *
 * A reader makes one builder for its columns and hands out chunks: runs of consecutive records,
 * numbered in file order from 0. Each worker thread fills one chunk at a time with kn__chunk_add;
 * every worker has its own dictionaries, so no locks are needed. kn__builder_finish merges the
 * dictionaries, sorts them by value and rewrites the codes, so the result does not depend on which
 * worker had which chunk. */
#ifndef KN_DATA_BUILDER_H
#define KN_DATA_BUILDER_H

#include "data/dataset.h"
#include "data/schema.h"
#include "kanon/run.h"

typedef struct kn_builder kn_builder;
typedef struct kn_chunk kn_chunk;

/** A builder for columns called `names`. `keep_dropped`: also keep the values of identifier and
 * dropped columns. `lists[i]` (lists may be NULL) forces column i to be a list column whose codes
 * are added one by one; otherwise the schema's type decides, and kn__chunk_add splits the text at
 * the item separator. */
kn_status kn__builder_new(kn_builder **out, const char *const *names, size_t columns,
                          const kn_schema *schema, bool keep_dropped, const bool *lists,
                          unsigned workers, kn_error *err);
void kn__builder_free(kn_builder *b);

/** The names of the columns are the cells of a file's first line (kn_dataset_has_names). */
void kn__builder_names_from_line(kn_builder *b);

/** Start chunk number `number` for `worker`. The builder owns it. Call it under the reader's lock;
 * every number from 0 must be started in the end, each once. */
kn_status kn__builder_chunk(kn_builder *b, unsigned worker, size_t number, kn_chunk **out,
                            kn_error *err);
/** Add the value of `column` for the current record: columns 0..columns-1 in order, then
 * kn__chunk_end_record. */
kn_status kn__chunk_add(kn_chunk *c, size_t column, const char *text, size_t len, kn_error *err);
/** Add one item to the current record's list in list column `column`, as it is. */
kn_status kn__chunk_add_item(kn_chunk *c, size_t column, const char *text, size_t len,
                             kn_error *err);
kn_status kn__chunk_end_record(kn_chunk *c, kn_error *err);
size_t kn__chunk_records(const kn_chunk *c);

/* Adding in bulk, column by column, for builders that do not merge columns. Different columns of a
 * chunk may be filled on different threads. Fill all columns with the same records, then call
 * kn__chunk_end_records. */

/** What the builder does with input column `column`. */
typedef struct kn_column_use {
    bool keep; /* its values are kept; otherwise see kn__chunk_leave_out */
    bool list; /* its values become items of a list */
} kn_column_use;
kn_column_use kn__builder_use(const kn_builder *b, size_t column);
/** Whether several columns become one: records are added one by one then. */
bool kn__builder_merges(const kn_builder *b);
/** The dictionary for the codes of a kept column. */
kn_dict *kn__chunk_dict(kn_chunk *c, size_t column);
/** Make room for `count` more codes in `*codes` and, in a list column, for the lengths of `records`
 * lists in `*lengths`. Both are borrowed until the next call for the column. */
kn_status kn__chunk_reserve(kn_chunk *c, size_t column, size_t count, size_t records,
                            uint32_t **codes, uint32_t **lengths, kn_error *err);
/** `count` codes were written. */
void kn__chunk_extend(kn_chunk *c, size_t column, size_t count);
/** Look at a value of a column that is not kept: whether the records are sorted by the column, and
 * how often values repeat. `record`: from the end of the chunk. */
kn_status kn__chunk_leave_out(kn_chunk *c, size_t column, size_t record, const char *text,
                              size_t len, kn_error *err);
void kn__chunk_end_records(kn_chunk *c, size_t records);

/** The chunk is full: pack its codes. */
kn_status kn__chunk_close(kn_chunk *c, kn_error *err);

/** Make the dataset, on `run`'s threads. Frees the builder, also on failure.
 *  @return KN_EINPUT when a column that the schema types as number or date holds something else. */
kn_status kn__builder_finish(kn_builder *b, const kn_run *run, kn_dataset **out, kn_error *err);

#endif
