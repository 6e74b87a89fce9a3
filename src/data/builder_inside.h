/* data/builder_inside.h - what builder.c (collecting records) and column.c (making columns of them)
 * share. */
#ifndef KN_DATA_BUILDER_INSIDE_H
#define KN_DATA_BUILDER_INSIDE_H

#include "base/buffer.h"
#include "data/builder.h"
#include "data/item_intern.h"

/* In which orders the records may still be sorted by a column whose values are not kept. */
enum {
    KN__BYTES_UP = 1,
    KN__BYTES_DOWN = 2,
    KN__DIGITS_UP = 4, /* by length, then by bytes: the order of whole numbers */
    KN__DIGITS_DOWN = 8,
    KN__ALL_ORDERS = 15
};

/* How a given column goes into another. */
enum kn__member {
    KN__MEMBER_NO = 0,
    KN__MEMBER_VALUE, /* of a bag: a cell is a value */
    KN__MEMBER_LIST   /* of a set that is collected: a cell may hold several */
};

/* The plan for one column. */
typedef struct kn_plan {
    char *name;
    const kn_column_spec *spec; /* NULL: the schema does not name it */
    kn_type type;               /* as declared, maybe KN_TYPE_AUTO */
    kn_role role;
    kn_chosen chosen;
    bool list, keep;
    bool spelt; /* some text but the empty one means a missing value */
    bool bag;   /* made of several columns: numbers if all values are */
} kn_plan;

/* Scratch of one worker for one column of its current chunk. */
typedef struct kn_raw {
    uint32_t *codes;
    size_t len, cap;
    uint32_t *lengths; /* list columns: items by record */
    size_t lengths_cap;
    uint32_t in_record;
    kn_word_table *known; /* list columns: items that were met; most are found here */
} kn_raw;

typedef struct kn_chunk_column {
    void *codes; /* of the worker's dictionary */
    size_t len;
    uint8_t width;
    uint32_t *lengths;
    kn_buffer first, last; /* texts, only when values are not kept */
    unsigned orders;
} kn_chunk_column;

struct kn_chunk {
    kn_builder *builder;
    unsigned worker;
    size_t records;
    kn_chunk_column *column;
    kn_raw *raw; /* by column: its worker's */
};

struct kn_builder {
    size_t columns;
    size_t given;    /* columns that are added to: more than `columns` where some become a bag */
    uint32_t *place; /* by given column: the column it goes to; NULL: all go to themselves */
    uint8_t *member; /* by given column: whether it is one of a bag: a kn__member */
    unsigned workers;
    bool any_list;
    kn_plan *column;
    const kn_schema *schema;
    char *item_separator;
    kn_dict **dicts; /* [worker * columns + column]; NULL where values are not kept */
    kn_raw *raw;     /* likewise */
    kn_chunk **chunks;
    size_t chunks_count, chunks_cap;
};

/** The orders in which `a` may stand before `b`. */
unsigned kn__orders_of_pair(const char *a, size_t a_len, const char *b, size_t b_len);

/** Add the value of one of several columns that are one. */
kn_status kn__chunk_add_member(kn_chunk *c, size_t column, const char *text, size_t len,
                               kn_error *err);
/** Add the items of a cell, which are between separators. */
kn_status kn__chunk_split(kn_chunk *c, size_t column, enum kn__member member, const char *text,
                          size_t len, kn_error *err);

/** Make column number `i` of the dataset: merge and sort the dictionaries, detect the type, rewrite
 * the codes. Frees the chunks' codes as it goes. */
kn_status kn__column_make(kn_builder *b, size_t i, size_t records, kn_column *out, kn_error *err);

#endif
