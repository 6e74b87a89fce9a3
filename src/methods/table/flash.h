/* methods/table/flash.h - the state of flash: the search over the lattice (flash.c), and the
 * evaluation of one node (flash_evaluate.c). */
#ifndef KN_METHODS_TABLE_FLASH_H
#define KN_METHODS_TABLE_FLASH_H

#include "base/arena.h"
#include "base/sort.h"
#include "methods/table/lattice.h"
#include "methods/table/objective.h"

enum { KN_FLASH_BATCH = 64, KN_FLASH_QIS = 256, KN_FLASH_SNAPSHOTS = 64 };

/* The classes of a node, as tuples: with the codes of their first tuple and the records of all. */
typedef struct kn_flash_snapshot {
    kn_tuples *tuples; /* without members */
    uint16_t level[KN_FLASH_QIS];
} kn_flash_snapshot;

/* The scratch of one thread that evaluates nodes. */
typedef struct kn_flash_worker {
    kn_arena arena;
    kn_grouper *grouper;
    kn_judge_scratch *scratch;
    uint32_t *class_of; /* by tuple */
    uint32_t *size;     /* by class: people */
    uint8_t *failing;   /* by class */
    uint32_t *begin;    /* by class + 1: its tuples in `sorted`, or its records in `records` */
    uint32_t *records;  /* class by class; only when sizes do not decide */
    uint8_t *kept;      /* by record; only where classes are compared with what is published */
    kn_ranked *far;     /* failing classes by how far; only then */
    uint32_t *order;    /* the tuples in the order of their codes; only then */
    uint32_t *starred;  /* the suppressed records; only when they are kept as rows */
    uint32_t *objective_scratch;
    uint16_t level[KN_FLASH_QIS];
} kn_flash_worker;

typedef struct kn_flash_verdict {
    bool feasible;
    bool above_limit; /* more suppressed than allowed */
    bool all_below;   /* and so are all nodes below */
    double value;
    size_t suppressed; /* people */
    kn_status status;
} kn_flash_verdict;

typedef struct kn_flash_search {
    const kn_task *task;
    kn_tuples *tuples;
    kn_qi_levels *levels;
    kn_judge *judge;
    kn_objective objective;
    kn_flash_worker *workers;
    unsigned threads;
    size_t nodes;
    size_t stride[KN_FLASH_QIS];
    uint16_t lowest[KN_FLASH_QIS]; /* by quasi-identifier: the lowest level that is searched */
    uint8_t *state;                /* by node: 1 once it need not be evaluated */
    bool prunes_below;
    size_t best;
    kn_flash_verdict best_verdict;
    /* the batch under way */
    size_t batch[KN_FLASH_BATCH];
    kn_flash_verdict verdicts[KN_FLASH_BATCH];
    size_t batch_len;
    bool takes_snapshots;
    kn_flash_snapshot *snapshots;
    size_t snapshots_count;
    size_t snapshots_size; /* tuples in all of them */
} kn_flash_search;

/** The levels of `node`. */
static inline void kn__flash_levels_of(const kn_flash_search *s, size_t node, uint16_t *level)
{
    for (size_t q = 0; q < s->task->qis; q++) {
        level[q] = (uint16_t)(node / s->stride[q] % s->levels[q].levels);
    }
}

/** The scratch of one thread; clear it also after a failure. */
kn_status kn__flash_worker_init(kn_flash_worker *b, const kn_flash_search *s, kn_error *err);
void kn__flash_worker_clear(kn_flash_worker *b);
/** Take a snapshot for the batch, if that pays. A failed allocation only means no snapshot. */
void kn__flash_take_snapshot(kn_flash_search *s);
/** The verdict on `node`; leaves its classes and which of them fail in `b`. */
kn_flash_verdict kn__flash_evaluate(const kn_flash_search *s, kn_flash_worker *b, size_t node);
/** Group the tuples `t` at `node` and find the failing classes. @return the number of classes. */
uint32_t kn__flash_evaluate_node(const kn_flash_search *s, kn_flash_worker *b, const kn_tuples *t,
                                 size_t node, kn_flash_verdict *v);

#endif
