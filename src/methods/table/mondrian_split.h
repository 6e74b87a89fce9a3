/* methods/table/mondrian_split.h - records as rows of positions, and one step of Mondrian on them:
 * splitting a part.
 *
 * A position is a code's place in the depth-first order of its hierarchy (its value's place without
 * one), so that what a node covers is an interval, and the lowest node over a part is the lowest
 * common ancestor of its least and greatest position. A split reorders the part's own stretch of
 * rows and nothing else: parts are independent. */
#ifndef KN_METHODS_TABLE_MONDRIAN_SPLIT_H
#define KN_METHODS_TABLE_MONDRIAN_SPLIT_H

#include "base/arena.h"
#include "methods/method.h"

typedef struct kn_partition_part {
    size_t begin, end; /* rows */
} kn_partition_part;

typedef struct kn_rows {
    kn_arena arena;
    const kn_task *task;
    size_t qis;
    kn_judge *judge;
    size_t least; /* smallest part allowed */
    bool by_size; /* the guarantee is a matter of sizes */
    bool relaxed; /* equal values may fall on both sides of a cut */
    size_t rows;
    uint32_t *row, *row_copy; /* [row * qis + q]: positions; the copy is scratch */
    uint32_t *id, *id_copy;   /* by row: the record */
    uint32_t **code_at;       /* by quasi-identifier, by position: the code */
    uint32_t *missing_at;     /* by quasi-identifier: the missing value's position, or KN_NO_CODE */
} kn_rows;

/** The rows of the task's records that are not barred. Clear them also after a failure. */
kn_status kn__rows_init(kn_rows *m, const kn_task *task, kn_error *err);
void kn__rows_clear(kn_rows *m);

/** What one thread needs to split. */
typedef struct kn_splitter {
    kn_rows *m;
    kn_judge_scratch *scratch;
    uint32_t *low, *high; /* by quasi-identifier: least and greatest position in the part */
    double *width;
    uint32_t *counts; /* by position in the part's span, or by child */
    size_t counts_cap;
    uint32_t *piece; /* by child: the piece it goes to */
    size_t piece_cap;
    size_t *ends; /* by piece: where it ends */
    size_t ends_cap;
    bool failed; /* memory is out: what looks finished is not */
} kn_splitter;

/** Clear it also after a failure. */
kn_status kn__splitter_init(kn_splitter *w, kn_rows *m, kn_error *err);
void kn__splitter_clear(kn_splitter *w);

/** Find w->low, w->high and w->width of a part. */
void kn__splitter_span(kn_splitter *w, kn_partition_part p);

/** Split `p` along the widest quasi-identifier that allows it. @return the number of pieces, which
 * end at w->ends; 0 when the part is finished, or w->failed. */
size_t kn__splitter_split(kn_splitter *w, kn_partition_part p);

#endif
