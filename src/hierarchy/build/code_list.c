/* code_list.c - read a table of codes with their labels and groups. */
#include "hierarchy/build/code_list.h"
#include "base/error.h"
#include "base/memory.h"
#include "data/value.h"
#include "hierarchy/hierarchy.h"
#include "io/bytes/file.h"
#include "io/format/delimited.h"

#include <string.h>

static const size_t MOST_BYTES = (size_t)64 << 20;

void kn__code_list_clear(kn_code_list *list)
{
    kn__dict_free(list->codes);
    kn__buffer_free(&list->text);
    KN_FREE(list->cell, list->bytes);
    *list = (kn_code_list){0};
}

const char *kn__code_list_cell(const kn_code_list *list, size_t row, size_t column)
{
    return list->text.data + list->cell[row * list->columns + column];
}

size_t kn__code_list_find(const kn_code_list *list, const char *code, size_t len)
{
    const uint32_t exact = kn__dict_find(list->codes, code, len);
    char padded[16] = "00000000000000";

    if (exact != KN_NO_CODE) {
        return exact;
    }
    for (size_t zeros = 1; len + zeros < sizeof padded && zeros <= 3; zeros++) {
        memset(padded, '0', zeros);
        memcpy(padded + zeros, code, len);
        const uint32_t found = kn__dict_find(list->codes, padded, len + zeros);
        if (found != KN_NO_CODE) {
            return found;
        }
    }
    return SIZE_MAX;
}

static kn_status add_row(kn_code_list *list, const kn_text_rows *r, kn_error *err)
{
    const size_t row = list->codes->len;
    uint32_t code;
    kn_status status;

    if (r->count != list->columns) {
        return kn__fail(err, KN_EINPUT, "%s: %zu column%s where the header has %zu",
                        kn__place_make(r->name, r->line).text, r->count, r->count == 1 ? "" : "s",
                        list->columns);
    }
    for (size_t i = 0; i < r->count; i++) {
        if (r->label[i].len == 0) {
            return kn__fail(err, KN_EINPUT,
                            "%s: column %zu is empty; every code needs a label and its groups",
                            kn__place_make(r->name, r->line).text, i + 1);
        }
    }
    KN_TRY(kn__dict_add(list->codes, r->label[0].at, r->label[0].len, &code, err));
    if (code != row) {
        KN_TRY(kn__fail(err, KN_EINPUT, "%s: code %s is listed twice",
                        kn__place_make(r->name, r->line).text,
                        kn__quote_make(r->label[0].at, r->label[0].len).text));
    }
    KN_TRY(
        kn__grow(&list->cell, &list->cell_cap, (row + 1) * list->columns, sizeof *list->cell, err));
    for (size_t i = 0; i < r->count; i++) {
        list->cell[row * list->columns + i] = list->text.len;
        kn__buffer_add(&list->text, r->label[i].at, r->label[i].len);
        kn__buffer_addc(&list->text, '\0');
    }
    status = list->text.failed ? kn__nomem(err) : KN_OK;
done:
    return status;
}

/* Whether some label stands for several codes, so that it is a group. */
static kn_status find_merges(kn_code_list *list, kn_error *err)
{
    kn_dict *labels = NULL;
    kn_status status;

    KN_TRY(kn__dict_new(&labels, err));
    for (size_t row = 0; row < list->codes->len; row++) {
        const char *label = kn__code_list_cell(list, row, 1);
        uint32_t number;
        KN_TRY(kn__dict_add(labels, label, strlen(label), &number, err));
    }
    list->merges = labels->len < list->codes->len;
done:
    kn__dict_free(labels);
    return status;
}

kn_status kn__code_list_read(kn_code_list *out, const char *path, kn_error *err)
{
    kn_text_rows r = {.name = path};
    bool trailing;
    size_t len, bad;
    kn_status status;

    KN_TRY(kn__file_slurp(path, MOST_BYTES, &out->bytes, &len, err));
    if (!kn__utf8_valid(out->bytes, len, &bad)) {
        KN_TRY(kn__fail(err, KN_EINPUT, "%s: invalid UTF-8; save the code list as UTF-8", path));
    }
    KN_TRY(kn__dict_new(&out->codes, err));
    KN_TRY(kn__rows_find_separator(&r, out->bytes, len, &trailing, err));
    KN_TRY(kn__text_rows_next(&r, err));
    if (r.count < 2) {
        KN_TRY(kn__fail(
            err, KN_EINPUT,
            "%s: a code list has a header and at least two columns: code,label,group,...", path));
    }
    out->columns = r.count;
    KN_TRY(kn__text_rows_next(&r, err));
    while (r.count) {
        KN_TRY(add_row(out, &r, err));
        KN_TRY(kn__text_rows_next(&r, err));
    }
    KN_TRY(find_merges(out, err));
done:
    kn__text_rows_clear(&r);
    if (status != KN_OK) {
        kn__code_list_clear(out);
    }
    return status;
}
