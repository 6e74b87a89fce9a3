/* kanon/arrow.h - tables in memory, in bulk, by the Arrow C data and stream interfaces.
 *
 *     kn_dataset_from_arrow(&table, &stream, &how, NULL, &err);      // releases the stream
 *     kn_anonymize(&release, table, hierarchies, &options, NULL, &err);
 *     kn_release_to_arrow(&out, NULL, release, NULL, NULL, &err);    // checked, as by kn_publish
 *
 * Every Arrow library can make and take such streams; none is needed to build or use this one. The
 * structs are those of the specification
 * (https://arrow.apache.org/docs/format/CDataInterface.html). docs/arrow.md says which Arrow type
 * becomes which type here, and as which it comes back. */
#ifndef KANON_ARROW_H
#define KANON_ARROW_H

#include "kanon/anonymize.h"
#include "kanon/io.h"
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

#ifndef ARROW_C_DATA_INTERFACE
#define ARROW_C_DATA_INTERFACE

#define ARROW_FLAG_DICTIONARY_ORDERED 1
#define ARROW_FLAG_NULLABLE           2
#define ARROW_FLAG_MAP_KEYS_SORTED    4

struct ArrowSchema {
    const char *format;
    const char *name;
    const char *metadata;
    int64_t flags;
    int64_t n_children;
    struct ArrowSchema **children;
    struct ArrowSchema *dictionary;
    void (*release)(struct ArrowSchema *);
    void *private_data;
};

struct ArrowArray {
    int64_t length;
    int64_t null_count;
    int64_t offset;
    int64_t n_buffers;
    int64_t n_children;
    const void **buffers;
    struct ArrowArray **children;
    struct ArrowArray *dictionary;
    void (*release)(struct ArrowArray *);
    void *private_data;
};

#endif

#ifndef ARROW_C_STREAM_INTERFACE
#define ARROW_C_STREAM_INTERFACE

struct ArrowArrayStream {
    int (*get_schema)(struct ArrowArrayStream *, struct ArrowSchema *out);
    int (*get_next)(struct ArrowArrayStream *, struct ArrowArray *out);
    const char *(*get_last_error)(struct ArrowArrayStream *);
    void (*release)(struct ArrowArrayStream *);
    void *private_data;
};

#endif

/** Make a dataset of all record batches of `stream`. Takes the stream: it is released when the
 * function returns, also on failure, and so is every schema and array that it gave; columns that
 * may be published as they are (no quasi-identifiers) are moved out of their batches, and released
 * with the dataset. `options` (may be NULL) is that of kn_read; `layout` and `hash` are not used.
 * Values are copied, each distinct one once. O(cells), columns side by side on all threads;
 * progress is called with "read", and can cancel.
 *  @return KN_EINPUT for a type that is not supported, by name; for arrays that break the
 *  specification in a way that can be seen, and values that cannot be kept, by column and record;
 *  KN_EIO with the words of the stream when it fails. */
kn_status kn_dataset_from_arrow(kn_dataset **out, struct ArrowArrayStream *stream,
                                const kn_read_options *options, const kn_run *run, kn_error *err);

/** Give `ds` as a stream of one record batch in `*out`, which the caller releases. As kn_write:
 * identifier and dropped columns are not given, and nothing is checked.
 *
 * The arrays use the memory of `ds`, and each of them owns a share of it: `ds` may be freed at any
 * time, and its memory goes when the last array was released. Arrays may be moved and released on
 * any thread.
 *
 * On failure `out->release` is NULL. O(cells) for columns of numbers, dates and booleans, O(values)
 * for others. */
kn_status kn_dataset_to_arrow(struct ArrowArrayStream *out, const kn_dataset *ds, const kn_run *run,
                              kn_error *err);

/** How to give a release. All zero is the default. */
typedef struct kn_release_arrow_options {
    size_t size; /**< KN_INIT sets it */
    /** Only the quasi-identifiers, which the release changed: the others can be taken from the
     * original, where record i of the release is record kn_release_origin(r, i). All are checked.
     */
    bool changed_only;
} kn_release_arrow_options;

/** Give release `r` as a stream, like kn_dataset_to_arrow, after the check that kn_publish makes of
 * a file: the arrays are read again and compared with the release, the guarantees hold for what was
 * read, and every value covers its original. The stream does not need `r` any more. `options` and
 * `outcome` may be NULL; clear `outcome` with kn_outcome_clear.
 *  @return KN_EBROKEN, and no stream, when the check fails; with points to settle as kn_publish. */
kn_status kn_release_to_arrow(struct ArrowArrayStream *out, kn_outcome *outcome,
                              const kn_release *r, const kn_release_arrow_options *options,
                              const kn_run *run, kn_error *err);

#ifdef __cplusplus
}
#endif
#endif
