/* models/judge/span.h - the span engine: what a release of a model tells about people.
 *
 * It knows nothing of trees, clusters or rules. A model says which equivalence classes the public
 * values of a record allow (its span, Definition 5) and in which one it is; the engine groups the
 * records by span, which is the linking attack of Definition 6, and judges by Claim 3: a release is
 * k-anonymous if every record's span has one class only, or at least k records. */
#ifndef KN_MODELS_JUDGE_SPAN_H
#define KN_MODELS_JUDGE_SPAN_H

#include "base/buffer.h"
#include "kanon/error.h"
#include "kanon/run.h"
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/** Ascending class numbers; grown as needed. */
typedef struct kn_class_list {
    uint32_t *at;
    size_t len, cap;
} kn_class_list;
kn_status kn__class_list_add(kn_class_list *list, uint32_t class_number, kn_error *err);
void kn__class_list_clear(kn_class_list *list);

/** All that a model must be able to say. Called from several threads at a time; `scratch` is one
 * thread's own, made and freed by the model. */
typedef struct kn_span_model {
    void *model;                /* tied to its dataset */
    void (*clear)(void *model); /* what kn__span_model_clear frees it with; NULL: nothing to free */
    size_t records;
    size_t classes;                       /* equivalence classes are 0..classes-1 */
    size_t scratch_bytes;                 /* zeroed before the first call */
    void (*scratch_clear)(void *scratch); /* NULL: nothing to free */
    /** Put the records into `*count` groups of the same span: `*of` by record its group, `*first`
     * by group one of its records, numbered by first records; borrowed until the model is cleared.
     * Each group is asked once. Several groups may have the same span. NULL: key is asked. */
    kn_status (*group)(void *model, const uint32_t **of, const uint32_t **first, size_t *count,
                       kn_error *err);
    /** A number that is equal only for records with the same span; NULL, or UINT64_MAX: not known.
     * Equal ones are asked once, by each thread. */
    uint64_t (*key)(const void *model, size_t record, void *scratch);
    /** The classes that the public values of `record` allow, ascending, added to the empty list. */
    kn_status (*reach)(const void *model, size_t record, void *scratch, kn_class_list *out,
                       kn_error *err);
    /** The class that it is in. */
    uint32_t (*class_of)(const void *model, size_t record, void *scratch);
    /** What diversity and inference are about: the private value of `record` that the model tells
     * of, 0..values-1; NULL: its class. Trees give the class value when it is private. */
    uint32_t (*value_of)(const void *model, size_t record, void *scratch);
    /** Instead of value_of, where a record has several private values or none: those that a record
     * of the class is known to have, 0..values-1, ascending, `*len` of them. The greatest class of
     * a span has all that the span tells of. NULL: value_of is asked. */
    const uint32_t *(*known)(const void *model, uint32_t class_number, size_t *len);
    size_t values;
    /** A class, and a value of value_of or known, in words that a person understands. */
    void (*class_words)(const void *model, uint32_t class_number, kn_buffer *out);
    void (*value_words)(const void *model, uint32_t value, kn_buffer *out); /* NULL: class_words */
} kn_span_model;
void kn__span_model_clear(kn_span_model *model);

/** Spans in order of their first record. */
typedef struct kn_spans {
    size_t count;
    size_t *starts; /* count + 1: span s allows classes[starts[s]..starts[s + 1]) */
    uint32_t *classes;
    uint64_t *population;       /* by span: its records */
    uint32_t *of;               /* by record: its span */
    uint32_t *class_of;         /* by record: its class */
    uint64_t *class_population; /* by class */
    size_t classes_count;
} kn_spans;

/** Find the spans of all records. The same for every thread count. O(records * cost of reach) at
 * most, once for each key. */
kn_status kn__spans_find(kn_spans *out, const kn_span_model *model, const kn_run *run,
                         kn_error *err);
void kn__spans_clear(kn_spans *s);

/** Whether span `s` says something about private values: it has more than one class. */
static inline bool kn__span_discloses(const kn_spans *s, size_t span)
{
    return s->starts[span + 1] - s->starts[span] > 1;
}
/** The greatest k for which the release is k-anonymous; UINT64_MAX if no span tells anything. */
uint64_t kn__spans_k(const kn_spans *s);

#endif
