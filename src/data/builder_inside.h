/* data/builder_inside.h - the builder of datasets: collecting records (builder.c, builder_items.c,
 * builder_bulk.c, dataset_builder.c), and making columns of them (column.c,
 * column_codes.c). */
#ifndef KN_DATA_BUILDER_INSIDE_H
#define KN_DATA_BUILDER_INSIDE_H

#include "base/buffer.h"
#include "data/builder.h"

/* The orders in which records may still be sorted by a column whose values are not kept. */
enum {
    KN__BYTES_UP = 1,
    KN__BYTES_DOWN = 2,
    KN__DIGITS_UP = 4, /* by length, then by bytes: the order of whole numbers */
    KN__DIGITS_DOWN = 8,
    KN__ALL_ORDERS = 15
};

/* How an input column becomes a part of a column that is made of several. */
enum kn__member {
    KN__MEMBER_NO = 0,
    KN__MEMBER_VALUE, /* of a bag: a cell is one value */
    KN__MEMBER_LIST   /* of a set that is collected over rows: a cell may hold several */
};

/* What the schema says about one column of the dataset. */
typedef struct kn_column_plan {
    char *name;
    const kn_column_spec *spec; /* NULL: the schema does not name it */
    kn_type type;               /* as declared, maybe KN_TYPE_AUTO */
    kn_role role;
    kn_chosen chosen;
    bool list, keep;
    bool sample;           /* its values are sampled, not kept */
    bool count;            /* it is left out: only how many different values it has is counted */
    bool has_missing_text; /* some text other than the empty one means a missing value */
    bool bag;              /* made of several columns: numbers if all values are */
} kn_column_plan;

/* The codes of one column in a worker's current chunk. Reused from chunk to chunk. */
typedef struct kn_column_scratch {
    uint32_t *codes;
    size_t len, cap;
    uint32_t *lengths; /* list columns: items by record */
    size_t lengths_cap;
    uint32_t in_record; /* list columns: items of the current record so far */
} kn_column_scratch;

/* One column of a closed chunk. */
typedef struct kn_chunk_column {
    void *codes; /* of the worker's dictionary */
    size_t len;
    uint8_t width;
    uint32_t *lengths;     /* list columns: items by record */
    kn_buffer first, last; /* texts, only when values are not kept */
    unsigned orders;
} kn_chunk_column;

struct kn_chunk {
    kn_builder *builder;
    unsigned worker;
    size_t records;
    kn_chunk_column *column;
    kn_column_scratch *scratch; /* by column: its worker's */
};

struct kn_builder {
    size_t columns; /* of the dataset */
    size_t inputs;  /* columns that the reader adds to: more than `columns` where some are merged */
    uint32_t *target; /* by input column: its column of the dataset; NULL: they are the same */
    uint8_t *member;  /* by input column: a kn__member */
    unsigned workers;
    bool any_list;
    bool line_names; /* of the dataset */
    kn_column_plan *column;
    const kn_schema *schema;
    char *item_separator;
    kn_dict **dicts;            /* [worker * columns + column]; NULL where values are not kept */
    kn_column_scratch *scratch; /* likewise */
    kn_value_sample *samples;   /* likewise; of columns that are sampled or counted */
    kn_chunk **chunks;
    size_t chunks_count, chunks_cap;
};

/** The position of `name` in `names`, or `count`. */
size_t kn__find_name(const char *const *names, size_t count, const char *name);
/** The orders in which `a` may stand before `b`. */
unsigned kn__orders_of_pair(const char *a, size_t a_len, const char *b, size_t b_len);

/** Add the value of an input column that is one of several merged into `column`. */
kn_status kn__chunk_add_member(kn_chunk *c, size_t column, const char *text, size_t len,
                               kn_error *err);
/** Add the items of a cell, which is split at the item separator. */
kn_status kn__chunk_split(kn_chunk *c, size_t column, enum kn__member member, const char *text,
                          size_t len, kn_error *err);

/** Where the values of `*merged` are numbers with a decimal comma, as the schema says or as they
 * look, and the plan allows numbers: spell them with a decimal point, change the codes in `map` (by
 * worker, `map_len` each) accordingly, and set `*changed`. O(values). */
kn_status kn__comma_numbers(kn_dict **merged, uint32_t **map, const uint32_t *map_len,
                            const kn_builder *b, const kn_column_plan *plan, bool *changed,
                            kn_error *err);

/** The order of day and month in the dates of a column: the stated one if it fits all values, or
 * else the one that they show, if they have one form. O(values), and O(1) where the first value is
 * no date. */
kn_date_order kn__find_date_order(const kn_dict *values, const kn_schema *schema,
                                  const kn_column_spec *spec);

/** Write the codes of column `index` from all chunks, whose own are freed; `map` (by worker and its
 * code) has the final ones. Columns are made in parallel; a single column writes its chunks in
 * parallel. `*repeats`: some list holds an item twice. */
kn_status kn__column_write_codes(const kn_builder *b, size_t index, uint32_t *const *map,
                                 size_t records, kn_column *out, bool *repeats, kn_error *err);

/** Drop repeated items from sorted lists. */
void kn__column_make_sets(kn_column *out, size_t records);

/** Make column number `i` of the dataset: merge and sort the dictionaries, detect the type, rewrite
 * the codes. Frees the chunks' codes as it goes. */
kn_status kn__column_make(kn_builder *b, size_t i, size_t records, kn_column *out, kn_error *err);

#endif
