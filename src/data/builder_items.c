/* builder_items.c - the items of list columns, added one by one. */
#include "base/error.h"
#include "base/memory.h"
#include "data/builder_inside.h"

#include <string.h>

/* Add one item to the current record's list in column `column` of the dataset. A text that means
 * "missing" is no item. */
static kn_status add_item(kn_chunk *c, size_t column, const char *text, size_t len, kn_error *err)
{
    const kn_builder *b = c->builder;
    const kn_column_plan *plan = &b->column[column];
    kn_column_scratch *scratch = &c->scratch[column];

    if (!plan->keep || ((len == 0 || plan->has_missing_text) &&
                        kn__schema_is_missing(b->schema, plan->spec, text, len))) {
        return KN_OK;
    }
    if (scratch->len == scratch->cap) {
        KN_PASS(kn__grow(&scratch->codes, &scratch->cap, scratch->len + 1, sizeof *scratch->codes,
                         err));
    }
    KN_PASS(kn__dict_add(b->dicts[c->worker * b->columns + column], text, len,
                         &scratch->codes[scratch->len], err));
    scratch->len++;
    scratch->in_record++;
    return KN_OK;
}

kn_status kn__chunk_add_member(kn_chunk *c, size_t column, const char *text, size_t len,
                               kn_error *err)
{
    return len == 0 || kn__schema_is_null(c->builder->schema, text, len)
               ? KN_OK
               : add_item(c, column, text, len, err);
}

kn_status kn__chunk_split(kn_chunk *c, size_t column, enum kn__member member, const char *text,
                          size_t len, kn_error *err)
{
    const char *separator = c->builder->item_separator;
    const size_t separator_len = strlen(separator);
    const char *end = text + len, *item = text;

    if (len == 0 ||
        kn__schema_is_missing(c->builder->schema, c->builder->column[column].spec, text, len)) {
        return KN_OK; /* an empty list */
    }
    for (;;) {
        const char *stop = memmem(item, (size_t)(end - item), separator, separator_len);
        stop = stop ? stop : end;
        KN_PASS((member ? kn__chunk_add_member : add_item)(c, column, item, (size_t)(stop - item),
                                                           err));
        if (stop == end) {
            break;
        }
        item = stop + separator_len;
    }
    return KN_OK;
}

kn_status kn__chunk_add_item(kn_chunk *c, size_t column, const char *text, size_t len,
                             kn_error *err)
{
    const kn_builder *b = c->builder;

    return b->target && b->member[column]
               ? kn__chunk_add_member(c, b->target[column], text, len, err)
               : add_item(c, b->target ? b->target[column] : column, text, len, err);
}
