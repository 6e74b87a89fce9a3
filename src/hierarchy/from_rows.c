/* from_rows.c - a hierarchy of rows that a program has in memory. */
#include "base/args.h"
#include "base/error.h"
#include "base/memory.h"
#include "data/value.h"
#include "hierarchy/hierarchy.h"

#include <string.h>

/* The labels of a row with their lengths. Texts that are no UTF-8 are refused. */
static kn_status measure(kn_text *out, const char *const *labels, size_t count, const char *name,
                         size_t line, kn_error *err)
{
    for (size_t i = 0; i < count; i++) {
        size_t bad;
        out[i] = (kn_text){labels[i], strlen(labels[i])};
        if (out[i].len && !kn__utf8_valid(labels[i], out[i].len, &bad)) {
            return kn__fail(err, KN_EINPUT, "%s: label %zu is no valid UTF-8",
                            kn__place_make(name, line).text, i + 1);
        }
    }
    return KN_OK;
}

kn_status kn_hierarchy_from_rows(kn_hierarchy **out, const char *const *const *rows,
                                 const size_t *lengths, size_t count, const char *name,
                                 kn_error *err)
{
    KN_NEED_OUT(err, out);
    KN_NEED(err, name);
    KN_NEED_LIST(err, rows, count);
    if (count > 0) {
        KN_NEED(err, lengths);
    }
    for (size_t i = 0; i < count; i++) {
        KN_NEED_LIST(err, rows[i], lengths[i]);
    }

    kn_hierarchy_builder m = {.name = name};
    kn_text *labels = NULL;
    size_t cap = 0;
    kn_status status = KN_OK;

    for (size_t i = 0; i < count; i++) {
        KN_TRY(kn__grow(&labels, &cap, lengths[i], sizeof *labels, err));
        KN_TRY(measure(labels, rows[i], lengths[i], name, i + 1, err));
        KN_TRY(kn__hierarchy_builder_row(&m, labels, lengths[i], i + 1, err));
    }
    KN_TRY(kn__hierarchy_builder_finish(&m, out, err));
done:
    kn__free(labels);
    kn__hierarchy_builder_clear(&m);
    return status;
}
