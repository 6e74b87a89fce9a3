/* partial.c - faults in the partial counts of combinations, which apriori and the check share on
 * lists that no process holds together: both are wrong alike. The linker puts these functions in
 * the place of the real ones (python/CMakeLists.txt); $KN_FAULT says which fault, and
 * tests/test_second_count.py what becomes of it. */
#include "count/partial_inside.h"

#include <stdlib.h>
#include <string.h>

typedef kn_status count_fn(kn_itemset_counts **out, const kn_baskets *b, const uint32_t *weight,
                           size_t from, size_t to, const kn_itemset_counts_options *options,
                           const kn_run *run, kn_error *err);
typedef kn_status merge_fn(kn_itemset_counts **out, const kn_itemset_counts *a,
                           const kn_itemset_counts *b, kn_error *err);
count_fn __real_kn__partial_count, __wrap_kn__partial_count;
merge_fn __real_kn__partial_merge, __wrap_kn__partial_merge;

static bool has_fault(const char *name)
{
    const char *fault = getenv("KN_FAULT");

    return fault && strcmp(fault, name) == 0;
}

/* Keep every `step`th combination of some size. */
static void lose(kn__partial_size *s, size_t step)
{
    size_t kept = 0;

    for (size_t i = 0; i < s->count; i += step) {
        memmove(s->keys + kept * s->words, s->keys + i * s->words, s->words * sizeof *s->keys);
        s->supports[kept++] = s->supports[i];
    }
    s->count = kept;
}

kn_status __wrap_kn__partial_count(kn_itemset_counts **out, const kn_baskets *b,
                                   const uint32_t *weight, size_t from, size_t to,
                                   const kn_itemset_counts_options *options, const kn_run *run,
                                   kn_error *err)
{
    const kn_status status = __real_kn__partial_count(out, b, weight, from, to, options, run, err);

    for (size_t size = 1; status == KN_OK && size <= options->m; size++) {
        kn__partial_size *s = &(*out)->size[size];
        if (size > 1 && has_fault("no combinations")) {
            s->count = 0;
        } else if (size == 3 && has_fault("no triples")) {
            s->count = 0;
        } else if (size == 2 && has_fault("nine of ten pairs are lost")) {
            lose(s, 10);
        }
        for (size_t i = 0; i < s->count; i++) {
            const uint32_t more = has_fault("one too many") ? 1
                                  : has_fault("twice")      ? s->supports[i]
                                                            : 0;
            s->supports[i] = s->supports[i] + more < (*out)->records ? s->supports[i] + more
                                                                     : (uint32_t)(*out)->records;
        }
    }
    return status;
}

kn_status __wrap_kn__partial_merge(kn_itemset_counts **out, const kn_itemset_counts *a,
                                   const kn_itemset_counts *b, kn_error *err)
{
    const kn_status status = __real_kn__partial_merge(out, a, b, err);

    for (size_t size = 2; status == KN_OK && has_fault("merging forgets") && size <= a->options.m;
         size++) {
        lose(&(*out)->size[size], 10);
    }
    return status;
}
