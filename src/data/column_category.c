/* column_category.c - make a category of a column of numbers that turned out to be codes. */
#include "base/error.h"
#include "base/memory.h"
#include "base/sort.h"
#include "data/dataset.h"
#include "data/value.h"

#include <stdlib.h>
#include <string.h>

bool kn__column_is_whole(const kn_column *c)
{
    const uint32_t values = kn__column_values(c) - (c->missing != KN_NO_CODE);

    if (c->type != KN_TYPE_DECIMAL || c->decimals > 1) {
        return c->type == KN_TYPE_INTEGER;
    }
    for (uint32_t code = 0; code < values; code++) {
        size_t len;
        const char *text = kn__column_text(c, code, &len);
        const size_t sign = len > 0 && text[0] == '-', end = c->decimals ? 2 : 0;
        if (len <= sign + end || !kn__all_digits(text + sign, len - sign - end) ||
            memcmp(text + len - end, ".0", end) != 0) {
            return false;
        }
    }
    return values > 0;
}

/* Codes of `user`, a column, by the bytes of their texts; the missing value last. */
static int by_text(const void *a, const void *b, void *user)
{
    const kn_column *c = user;
    const uint32_t x = *(const uint32_t *)a, y = *(const uint32_t *)b;
    size_t x_len, y_len;
    const char *x_text, *y_text;

    if (x == c->missing || y == c->missing) {
        return (x == c->missing) - (y == c->missing);
    }
    x_text = kn__column_text(c, x, &x_len);
    y_text = kn__column_text(c, y, &y_len);
    return kn__order_bytes(x_text, x_len, y_text, y_len);
}

kn_status kn__column_make_category(kn_column *c, size_t records, kn_error *err)
{
    const uint32_t values = kn__column_values(c);
    uint32_t *order = kn__malloc_array(values, sizeof *order);
    uint32_t *map = kn__malloc_array(values, sizeof *map);
    kn_dict *dict = NULL;
    kn_status status;

    KN_TRY(order && map ? KN_OK : kn__nomem(err));
    KN_TRY(kn__dict_new(&dict, err));
    for (uint32_t code = 0; code < values; code++) {
        order[code] = code;
    }
    qsort_r(order, values, sizeof *order, by_text, c);
    for (uint32_t i = 0; i < values; i++) {
        size_t len;
        const char *text = kn__column_text(c, order[i], &len);
        KN_TRY(kn__dict_append(dict, text, len, err));
        map[order[i]] = i;
    }
    for (size_t i = 0; i < records; i++) {
        kn__code_set(c->codes, c->width, i, map[kn__column_code(c, i)]);
    }
    c->missing = c->missing == KN_NO_CODE ? KN_NO_CODE : map[c->missing];
    c->type = KN_TYPE_CATEGORY;
    c->decimals = 0;
    kn__free(c->numbers);
    c->numbers = NULL;
    kn__dict_free(c->dict);
    c->dict = dict;
    dict = NULL;
done:
    kn__dict_free(dict);
    KN_FREE(order, map);
    return status;
}
