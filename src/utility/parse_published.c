/* parse_published.c - the texts of a published column, read one by one. */
#include "base/error.h"
#include "base/memory.h"
#include "utility/utility.h"

#include <stdio.h>

/* The first record that holds `code`. */
static size_t first_record(const kn_column *column, size_t records, uint32_t code)
{
    size_t i = 0;

    if (!column->starts) {
        while (i < records && kn__column_code(column, i) != code) {
            i++;
        }
        return i;
    }
    for (; i < records; i++) {
        for (uint64_t j = column->starts[i]; j < column->starts[i + 1]; j++) {
            if (kn__column_code(column, (size_t)j) == code) {
                return i;
            }
        }
    }
    return i;
}

kn_status kn__parse_published(kn_published **out, const kn_domain *d, const kn_dataset *release,
                              const kn_column *column, kn_error *err)
{
    const uint32_t values = kn__column_values(column);
    const kn_column *original = d->column;
    kn_published *published = kn__zalloc_array(values, sizeof *published);
    kn_status status;

    *out = NULL;
    KN_TRY(published ? KN_OK : kn__nomem(err));
    for (uint32_t code = 0; code < values; code++) {
        const bool missing = code == column->missing;
        size_t len;
        const char *text = missing && original->missing != KN_NO_CODE
                               ? kn__column_text(original, original->missing, &len)
                               : kn__column_text(column, code, &len);
        if (missing && column->starts) {
            continue; /* no item at all */
        }
        status = kn__published_parse(&published[code], d, text, len, err);
        if (status == KN_EINPUT && err) {
            char where[400];
            (void)snprintf(where, sizeof where, "%.300s: record %zu",
                           release->source ? release->source : "release",
                           first_record(column, release->records, code) + 1);
            kn__error_prefix(err, where);
        }
        KN_TRY(status);
    }
    *out = published;
done:
    if (status != KN_OK) {
        kn__parsed_published_free(published, published ? values : 0);
    }
    return status;
}

void kn__parsed_published_free(kn_published *published, uint32_t count)
{
    for (uint32_t i = 0; published && i < count; i++) {
        kn__published_clear(&published[i]);
    }
    kn__free(published);
}
