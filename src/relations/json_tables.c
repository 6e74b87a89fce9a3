/* json_tables.c - a JSON file as a set of tables: one object with a list of flat objects per table.
 */
#include "base/error.h"
#include "base/memory.h"
#include "io/bytes/file.h"
#include "io/format/document.h"
#include "io/format/json_document.h"
#include "relations/tables.h"

#include <string.h>

static const size_t largest_file = (size_t)1 << 30;

typedef struct column_names {
    kn_dict *dict;
    char **text; /* NUL-terminated, by code */
    size_t cap;
} column_names;

static void free_names(column_names *n)
{
    for (uint32_t i = 0; n->dict && i < n->dict->len; i++) {
        kn__free(n->text[i]);
    }
    kn__free(n->text);
    kn__dict_free(n->dict);
}

static bool same_name(const kn_document *d, const kn_document_item *a, const kn_document_item *b)
{
    return a->name_len == b->name_len &&
           memcmp(d->text.data + a->name, d->text.data + b->name, a->name_len) == 0;
}

/* The columns of the table that `first` is the first row of. */
static kn_status collect_names(const kn_document *d, const kn_document_item *first,
                               column_names *names, kn_error *err)
{
    kn_status status;

    KN_TRY(kn__dict_new(&names->dict, err));
    for (uint32_t i = (uint32_t)(first - d->item); i != KN_NO_ITEM; i = d->item[i].next) {
        for (uint32_t m = d->item[i].first; same_name(d, &d->item[i], first) && m != KN_NO_ITEM;
             m = d->item[m].next) {
            const kn_document_item *item = &d->item[m];
            const uint32_t before = names->dict->len;
            uint32_t code;
            if (item->object) {
                KN_TRY(kn__fail(err, KN_EINPUT, "line %zu: an object inside a row of a table",
                                item->line));
            }
            KN_TRY(
                kn__grow(&names->text, &names->cap, (size_t)before + 1, sizeof *names->text, err));
            names->text[before] = kn__strndup(d->text.data + item->name, item->name_len);
            KN_TRY(names->text[before] ? KN_OK : kn__nomem(err));
            status = kn__dict_add(names->dict, d->text.data + item->name, item->name_len, &code,
                                  err);
            if (status != KN_OK || code != before) {
                kn__free(names->text[before]);
            }
            KN_TRY(status);
        }
    }
done:
    return status;
}

static kn_status add_rows(const kn_document *d, const kn_document_item *first,
                          const column_names *names, kn_dataset_builder *b, kn_error *err)
{
    const uint32_t columns = names->dict->len;
    const char **values = kn__malloc_array(columns, sizeof *values);
    kn_buffer text = {0};
    size_t *at = kn__malloc_array(columns, sizeof *at);
    kn_status status;

    KN_TRY(values && at ? KN_OK : kn__nomem(err));
    for (uint32_t i = (uint32_t)(first - d->item); i != KN_NO_ITEM; i = d->item[i].next) {
        if (!same_name(d, &d->item[i], first)) {
            continue;
        }
        if (!d->item[i].object) {
            KN_TRY(kn__fail(err, KN_EINPUT, "line %zu: a row of a table is an object",
                            d->item[i].line));
        }
        text.len = 0;
        for (uint32_t c = 0; c < columns; c++) {
            at[c] = SIZE_MAX;
        }
        for (uint32_t m = d->item[i].first; m != KN_NO_ITEM; m = d->item[m].next) {
            const kn_document_item *item = &d->item[m];
            at[kn__dict_find(names->dict, d->text.data + item->name, item->name_len)] = text.len;
            kn__buffer_add(&text, d->text.data + item->value, item->value_len);
            kn__buffer_addc(&text, '\0');
        }
        KN_TRY(text.failed ? kn__nomem(err) : KN_OK);
        for (uint32_t c = 0; c < columns; c++) {
            values[c] = at[c] == SIZE_MAX ? NULL : text.data + at[c];
        }
        KN_TRY(kn_dataset_builder_add(b, values, err));
    }
done:
    kn__buffer_free(&text);
    KN_FREE(at, values);
    return status;
}

static kn_status add_table(kn_relations *r, const kn_document *d, const kn_document_item *first,
                           kn_error *err)
{
    column_names names = {0};
    kn_dataset_builder *b = NULL;
    kn_table *t;
    char *name = kn__strndup(d->text.data + first->name, first->name_len);
    kn_status status;

    KN_TRY(name ? KN_OK : kn__nomem(err));
    KN_TRY(kn__relations_entry(r, name, &t, err));
    if (t->ds) { /* a row further on */
        goto done;
    }
    KN_TRY(collect_names(d, first, &names, err));
    KN_TRY(kn_dataset_builder_new(&b, (const char *const *)names.text, names.dict->len, NULL, err));
    KN_TRY(add_rows(d, first, &names, b, err));
    status = kn_dataset_builder_finish(&t->ds, b, err);
    b = NULL;
done:
    kn_dataset_builder_free(b);
    free_names(&names);
    kn__free(name);
    return status;
}

kn_status kn__json_tables(kn_relations *r, kn_error *err)
{
    kn_document d = {0};
    char *text = NULL;
    size_t len;
    kn_status status;

    KN_TRY(kn__file_slurp(r->path, largest_file, &text, &len, err));
    status = kn__json_document(&d, text, len, err);
    for (uint32_t i = status == KN_OK ? d.item[0].first : KN_NO_ITEM; i != KN_NO_ITEM;
         i = d.item[i].next) {
        if (!d.item[i].object) {
            KN_TRY(kn__fail(err, KN_EINPUT,
                            "line %zu: a JSON file of tables is one object with a list of objects "
                            "per table",
                            d.item[i].line));
        }
        KN_TRY(add_table(r, &d, &d.item[i], err));
    }
done:
    if (status == KN_EINPUT && err && strncmp(err->message, r->path, strlen(r->path)) != 0) {
        kn__error_prefix(err, r->path);
    }
    kn__document_free(&d);
    kn__free(text);
    return status;
}
