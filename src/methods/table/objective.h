/* methods/table/objective.h - what flash minimises: a measure of docs/measures.md, computed at a
 * node of the lattice. */
#ifndef KN_METHODS_TABLE_OBJECTIVE_H
#define KN_METHODS_TABLE_OBJECTIVE_H

#include "methods/table/lattice.h"

typedef enum kn_objective_kind {
    KN_OBJECTIVE_CELLS, /* a sum over cells: loss, ncp, precision (what it lacks to 1) */
    KN_OBJECTIVE_DISCERNIBILITY,
    KN_OBJECTIVE_CLASS_SIZE,
    KN_OBJECTIVE_CLASSIFICATION
} kn_objective_kind;

typedef struct kn_objective {
    kn_objective_kind kind;
    const kn_task *task;
    double *weight; /* by quasi-identifier, for cells */
    size_t label;   /* classification: the column, SIZE_MAX when there is none */
} kn_objective;

/** A node with its classes. */
typedef struct kn_node_candidate {
    const kn_tuples *tuples;
    const kn_qi_levels *levels;
    const uint16_t *level;
    uint32_t classes;
    const uint32_t *class_of; /* by tuple */
    const uint32_t *size;     /* by class */
    const uint8_t *failing;   /* by class: its records are suppressed */
    size_t suppressed;        /* records in failing classes */
    uint32_t *scratch;        /* kn__objective_scratch entries */
} kn_node_candidate;

/** Take the task's objective; fills in the costs of the levels. KN_EUSAGE for a measure that cannot
 * be one. */
kn_status kn__objective_init(kn_objective *out, const kn_task *task, const kn_tuples *tuples,
                             kn_qi_levels *levels, kn_error *err);
void kn__objective_clear(kn_objective *o);

/** A value that no suppression at this node can go below. */
double kn__objective_bound(const kn_objective *o, const kn_qi_levels *levels,
                           const uint16_t *level);
/** How many entries of scratch kn__objective_value wants. */
size_t kn__objective_scratch(const kn_objective *o, const kn_tuples *tuples);
/** The value. Lower is better. */
double kn__objective_value(const kn_objective *o, const kn_node_candidate *c);

#endif
