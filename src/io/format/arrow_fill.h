/* io/format/arrow_fill.h - add the record batches of an Arrow stream to a builder. */
#ifndef KN_IO_FORMAT_ARROW_FILL_H
#define KN_IO_FORMAT_ARROW_FILL_H

#include "base/threads.h"
#include "data/builder.h"
#include "io/format/arrow_cells.h"
#include "io/format/arrow_kept.h"

/** Codes by the bits of values: open addressing, at most half full. */
typedef struct kn_arrow_slot {
    kn_arrow_bits bits;
    uint32_t code;
    bool used;
} kn_arrow_slot;
typedef struct kn_arrow_codes {
    kn_arrow_slot *slots;
    size_t mask, len;
} kn_arrow_codes;

/** A column of the stream. */
typedef struct kn_arrow_input {
    kn_arrow_field field;
    kn_column_use use;
    const kn_schema *schema;
    const kn_column_spec *spec;
    bool has_missing_text; /* some text other than the empty one means a missing value */
    bool unchanged;        /* it is to be published as it is */
    bool opaque;           /* and its type is not supported: its cells have digests for texts */
    const struct ArrowSchema *type;
    const struct ArrowArray *array; /* of the current batch */
    const char *missing;  /* the text for null; NULL: the schema allows no missing values */
    uint32_t null_code;   /* its code; KN_NO_CODE before it is used */
    kn_arrow_column now;  /* of the current batch */
    kn_arrow_codes known; /* values of fixed width, of all batches */
    uint32_t *map;        /* by place in the batch's dictionary: code, KN_NO_CODE for none */
    size_t map_cap;
} kn_arrow_input;

/** The state of reading a stream. */
typedef struct kn_arrow_reading {
    const kn_read_options *options; /* never NULL */
    const kn_run *run;
    kn_arrow_input *columns;
    size_t count;
    kn_builder *builder;
    kn_chunk *chunk;
    size_t chunks;
    bool by_record;       /* columns are merged, or texts split into lists */
    size_t before;        /* records before the current batch */
    kn_arrow_cells batch; /* the current batch itself: which of its records are null */
    size_t begin, end;    /* the current slice of it */
    kn_first_error error; /* of filling columns in parallel */
    kn_arrow_kept *kept;  /* columns that may be published as they are; NULL: none are kept */
} kn_arrow_reading;

/** Make the table of codes of a column. */
kn_status kn__arrow_codes_new(kn_arrow_codes *t, kn_error *err);
/** Before another batch: mark all values of its dictionary as not met. */
kn_status kn__arrow_map_reset(kn_arrow_input *c, kn_error *err);
/** Add the current slice to the chunk: columns in parallel, or record by record. */
kn_status kn__arrow_fill(kn_arrow_reading *r, kn_error *err);
/** KN_EINPUT: record `i` of the batch is wrong in column `c`, and `why`. */
kn_status kn__arrow_fail_at(const kn_arrow_reading *r, const kn_arrow_input *c, size_t i,
                            const char *why, kn_error *err);

#endif
