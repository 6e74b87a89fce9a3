/* global_recoding.c - what groups stand for where items are published alike in all records.
 *
 * A generalised item stands for the items that were mapped to it. Where every item is published
 * either always or never as itself, one that keeps its name was mapped to no group, although its
 * leaf is below one. Who reads such a release sees the name, and knows. */
#include "base/error.h"
#include "base/memory.h"
#include "utility/items/leaf_ranges.h"

/* Records by leaf that hold a text which means just that leaf. */
static kn_status count_exact(const kn_meanings *m, const kn_leaf_ranges *l, const kn_column *column,
                             size_t records, uint32_t **out, kn_error *err)
{
    uint32_t *count = kn__zalloc_array(l->total, sizeof *count);
    uint32_t *last = kn__zalloc_array(l->total, sizeof *last);

    *out = count;
    if (!count || !last) {
        kn__free(last);
        return kn__nomem(err);
    }
    for (size_t i = 0; i < records; i++) {
        for (uint64_t j = column->starts[i]; j < column->starts[i + 1]; j++) {
            const kn_leaf_runs *s = &m->of[kn__column_code(column, (size_t)j)];
            if (s->count == 1 && s->at[0].end - s->at[0].begin == 1 &&
                last[s->at[0].begin] != (uint32_t)i + 1) {
                last[s->at[0].begin] = (uint32_t)i + 1;
                count[s->at[0].begin]++;
            }
        }
    }
    kn__free(last);
    return KN_OK;
}

/* Take leaves with a count out of `s`, unless nothing would be left. */
static kn_status take_out(kn_leaf_runs *s, const uint32_t *count, kn_error *err)
{
    kn_leaf_runs left = {0};
    size_t cap = 0;

    for (size_t i = 0; i < s->count; i++) {
        for (size_t at = s->at[i].begin; at < s->at[i].end; at++) {
            if (count[at]) {
                continue;
            }
            if (left.count && left.at[left.count - 1].end == at) {
                left.at[left.count - 1].end++;
            } else {
                if (kn__grow(&left.at, &cap, left.count + 1, sizeof *left.at, err) != KN_OK) {
                    kn__free(left.at);
                    return KN_ENOMEM;
                }
                left.at[left.count++] = (kn_leaf_run){at, at + 1};
            }
        }
    }
    if (left.count) {
        kn__leaf_runs_clear(s);
        *s = left;
    } else {
        kn__free(left.at);
    }
    return KN_OK;
}

kn_status kn__meanings_narrow(kn_meanings *m, const kn_leaf_ranges *l, const kn_dataset *original,
                              const kn_dataset *release, const kn_column *column, kn_error *err)
{
    kn_meanings *own = NULL;
    uint32_t *before = NULL, *after = NULL;
    bool uniform = true;
    kn_status status;

    KN_TRY(kn__meanings_new(&own, l, original, l->domain->column, err));
    KN_TRY(count_exact(own, l, l->domain->column, original->records, &before, err));
    KN_TRY(count_exact(m, l, column, release->records, &after, err));
    for (size_t i = 0; i < l->total; i++) {
        uniform = uniform && (after[i] == 0 || after[i] == before[i]);
    }
    for (uint32_t code = 0; uniform && code < m->count; code++) {
        if (kn__leaf_runs_size(&m->of[code]) > 1) {
            KN_TRY(take_out(&m->of[code], after, err));
        }
    }
done:
    kn__meanings_free(own);
    KN_FREE(before, after);
    return status;
}
