/* models/clusters/span_boxes_inside.h - what the evaluation of spans in boxes (span_boxes.c) and
 * the early refusal of candidates (span_refusal.c) share. */
#ifndef KN_MODELS_CLUSTERS_SPAN_BOXES_INSIDE_H
#define KN_MODELS_CLUSTERS_SPAN_BOXES_INSIDE_H

#include "models/clusters/nearest_search.h"
#include "models/clusters/span_boxes.h"

enum { KN_SPAN_SLOTS = 2 };

/* A node whose groups are still to be evaluated. */
typedef struct kn_waiting_node {
    uint32_t at;
    uint32_t kept; /* the candidates that are left: so many of its worker's, from `begin` on */
    size_t begin;
    unsigned worker; /* that met it */
    bool done;
} kn_waiting_node;

/* Scratch and results of one thread. A node of depth d uses the slots KN_SPAN_SLOTS * d and the
 * next of `among` and `sure`, each with room for all centres: the candidates that its parent leaves
 * open, and those that it begins with itself. Its children's are what it leaves open. */
typedef struct kn_span_worker {
    kn_nearest_searcher searcher;
    kn_class_list list;
    uint32_t *among;
    uint8_t *sure; /* whether the candidate is in the span of every group of the node: a kn_answer,
                      YES or UNSURE if that was found out, otherwise NO */
    size_t among_cap, sure_cap;
    uint32_t *changed; /* the spans that changed, one after the other */
    size_t len, cap;
    kn_span_finding *found;
    size_t findings, found_cap;
    kn_waiting_node *waiting; /* in the order in which they were met */
    uint32_t *waiting_among;
    uint8_t *waiting_sure;
    size_t waits, waiting_cap, waiting_len, waiting_among_cap, waiting_sure_cap;
    kn_error error;
} kn_span_worker;

struct kn_span_boxes {
    size_t groups;
    const double *x; /* group * attributes + attribute */
    kn_space public; /* private attributes weigh nothing */
    kn_kd_tree tree; /* of the groups */
    uint32_t *place; /* by group */
    uint32_t *task;  /* nodes that are evaluated one by one, with all below them */
    size_t tasks, levels;
    kn_intern reaches; /* the clusters of all committed spans of a node, as lists */
    uint32_t *reach;   /* by node: its number */
    unsigned threads;
    kn_span_worker *worker; /* by thread */
    /* by place: its finding, or UNCHANGED, and of which thread */
    uint32_t *finding;
    uint8_t *thread;
    /* what is evaluated */
    const kn_space *space;
    const double *centre;
    size_t count;
    uint32_t split;
    const kn_intern *spans;
    const uint32_t *span; /* by group: the committed one */
    /* and whether it can be refused early */
    bool lazy;                  /* note spans that have not changed as well */
    bool leaves_nodes;          /* let small nodes wait */
    const uint32_t *population; /* by group */
    kn_waiting_node *waiting;   /* of all threads, by place */
    size_t waits, waiting_cap;
    kn_intern lists;           /* the spans that were found */
    uint64_t *list_population; /* by list: the records found to have it */
    uint8_t *list_known;       /* by list: it has enough records, or is none of those asked about */
    size_t list_population_cap, list_known_cap;
    uint32_t last; /* the place where the span was found that refused the last candidate */
};

/** Room for the candidates of `b` on one thread. */
kn_status kn__span_boxes_reserve(const kn_span_boxes *b, kn_span_worker *w, kn_error *err);
/** Evaluate what is below a node; the `kept` candidates that the node leaves are in its children's
 * first slot. */
kn_status kn__span_boxes_evaluate_below(kn_span_boxes *b, kn_span_worker *w, uint32_t at,
                                        size_t kept, kn_error *err);
/** Evaluate all groups, but those of the nodes that wait. */
kn_status kn__span_boxes_evaluate_tasks(kn_span_boxes *b, const kn_space *space,
                                        const double *centre, size_t count, uint32_t split,
                                        const kn_intern *spans, const uint32_t *span,
                                        kn_error *err);
/** The first error of the threads. */
kn_status kn__span_boxes_status(const kn_span_boxes *b, kn_error *err);

#endif
