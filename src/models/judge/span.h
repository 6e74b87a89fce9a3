/* models/judge/span.h - the span engine: the linking attack on a release of a model.
 *
 * It knows nothing of trees, clusters or rules. A model says which equivalence classes the public
 * values of a record allow (its span, Definition 5 of the models paper) and in which one the record
 * is. The engine groups the records by span, as the attacker of Definition 6 does. By Claim 3 a
 * release is k-anonymous if the span of every record has one class only, or at least k records. */
#ifndef KN_MODELS_JUDGE_SPAN_H
#define KN_MODELS_JUDGE_SPAN_H

#include "base/buffer.h"
#include "kanon/error.h"
#include "kanon/run.h"
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/** A growing list of equivalence classes. */
typedef struct kn_class_list {
    uint32_t *at;
    size_t len, cap;
} kn_class_list;
kn_status kn__class_list_add(kn_class_list *list, uint32_t class_number, kn_error *err);
void kn__class_list_clear(kn_class_list *list);

/** A model as the span engine sees it. The functions are called from several threads at a time;
 * `scratch` belongs to one thread. */
typedef struct kn_span_model {
    void *model;                /* with the dataset that it is bound to */
    void (*clear)(void *model); /* frees `model`; NULL: nothing to free */
    size_t records;
    size_t classes;                       /* equivalence classes are 0..classes-1 */
    size_t scratch_bytes;                 /* zeroed before the first call */
    void (*scratch_clear)(void *scratch); /* NULL: nothing to free */
    /** Group records that share a span: `*of` by record its group, `*first` by group its first
     * record, `*count` groups in the order of their first records; borrowed until the model is
     * cleared. Several groups may have the same span. `reach` is called once per group. NULL: there
     * is no such grouping, and `key` is used. */
    kn_status (*group)(void *model, const uint32_t **of, const uint32_t **first, size_t *count,
                       kn_error *err);
    /** A number that is equal only for records with the same span; UINT64_MAX: not known. Each
     * thread calls `reach` once per key. NULL: no keys are known. */
    uint64_t (*key)(const void *model, size_t record, void *scratch);
    /** The span of `record`: its classes, ascending, are appended to the empty list. */
    kn_status (*reach)(const void *model, size_t record, void *scratch, kn_class_list *out,
                       kn_error *err);
    /** The class that `record` is in. */
    uint32_t (*class_of)(const void *model, size_t record, void *scratch);
    /** The private value of `record` whose diversity and inference are judged, 0..values-1; of
     * trees a private class. NULL: the equivalence class is judged. */
    uint32_t (*value_of)(const void *model, size_t record, void *scratch);
    /** Instead of value_of, where a record has several private values or none, such as items: those
     * that a record of the class is known to have, 0..values-1, ascending, `*len` of them. The
     * greatest class of a span has all that the span discloses. NULL: value_of is used. */
    const uint32_t *(*known)(const void *model, uint32_t class_number, size_t *len);
    size_t values;
    /** A description of a class, and of a value of value_of or known. */
    void (*class_words)(const void *model, uint32_t class_number, kn_buffer *out);
    void (*value_words)(const void *model, uint32_t value, kn_buffer *out); /* NULL: class_words */
} kn_span_model;
void kn__span_model_clear(kn_span_model *model);

/** The spans of all records, in the order of their first records. */
typedef struct kn_spans {
    size_t count;
    size_t *starts; /* count + 1: the classes of span s are classes[starts[s]..starts[s + 1]) */
    uint32_t *classes;
    uint64_t *population;       /* by span: its records */
    uint32_t *of;               /* by record: its span */
    uint32_t *class_of;         /* by record: its class */
    uint64_t *class_population; /* by class */
    size_t classes_count;
} kn_spans;

/** Find the spans of all records. The result does not depend on the number of threads. At most
 * O(records * cost of reach). */
kn_status kn__spans_find(kn_spans *out, const kn_span_model *model, const kn_run *run,
                         kn_error *err);
void kn__spans_clear(kn_spans *s);

/** Whether the release discloses private information on the records of a span: it has more than one
 * class (Corollary 1). */
static inline bool kn__span_discloses(const kn_spans *s, size_t span)
{
    return s->starts[span + 1] - s->starts[span] > 1;
}
/** The greatest k for which the release is k-anonymous; UINT64_MAX if no span discloses anything.
 */
uint64_t kn__spans_k(const kn_spans *s);

#endif
