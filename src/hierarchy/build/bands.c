/* bands.c - hierarchies over bands of numbers: neighbours in the order of the numbers are put
 * together, and the label of a group is written as the bands are. Values that are no bands
 * ("unknown") stay by themselves below the root. */
#include "hierarchy/build/bands.h"
#include "base/error.h"
#include "base/memory.h"
#include "data/value.h"
#include "hierarchy/build/row.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* ---- reading ---- */

/* A number without a sign at `text`: its bytes, or 0. */
static size_t number_at(const char *text, size_t len, double *value)
{
    unsigned decimals;
    size_t n = 0;

    while (n < len &&
           ((text[n] >= '0' && text[n] <= '9') ||
            (text[n] == '.' && n + 1 < len && text[n + 1] >= '0' && text[n + 1] <= '9'))) {
        n++;
    }
    return n && kn__number_parse(text, n, value, &decimals) ? n : 0;
}

static size_t blanks_at(const char *text, size_t len)
{
    size_t n = 0;

    while (n < len && text[n] == ' ') {
        n++;
    }
    return n;
}

/* What stands between two ends: its bytes, or 0. */
static size_t separator_at(const char *text, size_t len, char *separator)
{
    static const struct {
        const char *text;
        char separator;
    } forms[] = {{"-", '-'}, {"\xe2\x80\x93", '-'}, {"..", '-'}, {"to ", '-'}, {",", ','}};
    const size_t before = blanks_at(text, len);

    for (size_t i = 0; i < sizeof forms / sizeof *forms; i++) {
        const size_t n = strlen(forms[i].text);
        if (before + n <= len && memcmp(text + before, forms[i].text, n) == 0) {
            *separator = forms[i].separator;
            return before + n + blanks_at(text + before + n, len - before - n);
        }
    }
    return 0;
}

/* <18, <=18, >65, >=65. */
static bool parse_open(kn_band *b, const char *text, size_t len)
{
    const bool below = text[0] == '<';
    size_t at = len > 1 && text[1] == '=' ? 2 : 1;
    double value;
    size_t n;

    at += blanks_at(text + at, len - at);
    n = number_at(text + at, len - at, &value);
    if (n == 0 || at + n != len) {
        return false;
    }
    *b = (kn_band){.low = below ? -INFINITY : value,
                   .high = below ? value : INFINITY,
                   .separator = '-',
                   .low_text = below ? NULL : text + at,
                   .low_len = n,
                   .high_text = below ? text + at : NULL,
                   .high_len = n};
    return true;
}

bool kn__band_parse(kn_band *out, const char *text, size_t len)
{
    kn_band b = {.separator = '-'};
    size_t at = 0, n;

    if (len == 0) {
        return false;
    }
    if (text[0] == '<' || text[0] == '>') {
        return parse_open(out, text, len);
    }
    if (text[0] == '[' || text[0] == '(') {
        b.open = text[at++];
    }
    b.low_text = text + at;
    b.low_len = number_at(text + at, len - at, &b.low);
    at += b.low_len;
    if (b.low_len == 0) {
        return false;
    }
    if (!b.open && at + 1 == len && text[at] == '+') {
        b.high = INFINITY;
        *out = b;
        return true;
    }
    n = separator_at(text + at, len - at, &b.separator);
    at += n;
    b.high_text = text + at;
    b.high_len = n ? number_at(text + at, len - at, &b.high) : 0;
    at += b.high_len;
    if (b.high_len && b.open && at + 1 == len && (text[at] == ']' || text[at] == ')')) {
        b.close = text[at++];
    }
    /* Without brackets a comma is a decimal comma or separates items. */
    if (!b.high_len || at != len || (b.open && !b.close) || b.high < b.low ||
        (!b.open && b.separator == ',')) {
        return false;
    }
    *out = b;
    return true;
}

/* ---- building ---- */

typedef struct placed_band {
    kn_band band;
    uint32_t code;
} placed_band;

static int by_ends(const void *x, const void *y)
{
    const placed_band *a = x, *b = y;

    if (a->band.low != b->band.low) {
        return a->band.low < b->band.low ? -1 : 1;
    }
    if (a->band.high != b->band.high) {
        return a->band.high < b->band.high ? -1 : 1;
    }
    return a->code < b->code ? -1 : a->code > b->code;
}

/* One band from the beginning of `first` to the end of `last`. */
static void add_label(kn_build_row *r, const kn_band *first, const kn_band *last)
{
    if (!first->low_text && !last->high_text) { /* everything */
        kn__buffer_addc(&r->text, '*');
    } else if (!last->high_text) {
        kn__buffer_adds(&r->text, first->open ? ">=" : "");
        kn__buffer_add(&r->text, first->low_text, first->low_len);
        kn__buffer_adds(&r->text, first->open ? "" : "+");
    } else if (!first->low_text) {
        kn__buffer_adds(&r->text, last->close == ')' ? "<" : "<=");
        kn__buffer_add(&r->text, last->high_text, last->high_len);
    } else {
        if (first->open) {
            kn__buffer_addc(&r->text, first->open);
        }
        kn__buffer_add(&r->text, first->low_text, first->low_len);
        kn__buffer_addc(&r->text, last->separator);
        kn__buffer_add(&r->text, last->high_text, last->high_len);
        if (last->close) {
            kn__buffer_addc(&r->text, last->close);
        }
    }
    kn__build_row_mark(r);
}

/* Levels of groups between the bands and the root. */
static size_t levels_of(size_t count, size_t fanout)
{
    size_t levels = 0;

    for (size_t size = fanout; size < count; size *= fanout) {
        levels++;
    }
    return levels;
}

static kn_status add_band(kn_build_row *r, kn_hierarchy_builder *m, const kn_column *column,
                          const placed_band *list, size_t count, size_t at, size_t fanout,
                          kn_error *err)
{
    size_t len;
    const char *text = kn__column_text(column, list[at].code, &len);

    kn__build_row_add(r, text, len);
    for (size_t size = fanout; size < count; size *= fanout) {
        const size_t first = at / size * size;
        const size_t last = first + size < count ? first + size - 1 : count - 1;
        if (first == last) {
            kn__build_row_add(r, text, len);
        } else {
            add_label(r, &list[first].band, &list[last].band);
        }
    }
    return kn__build_row_flush(r, m, err);
}

/* Bands may touch, not overlap: 0-10 and 10-20 touch. */
static kn_status refuse_overlap(const kn_column *column, const placed_band *list, size_t count,
                                kn_error *err)
{
    for (size_t i = 1; i < count; i++) {
        if (list[i].band.low < list[i - 1].band.high) {
            size_t len, other;
            const char *text = kn__column_text(column, list[i].code, &len);
            const char *before = kn__column_text(column, list[i - 1].code, &other);
            return kn__fail(err, KN_EINPUT,
                            "column \"%s\": the bands %s and %s overlap; bands of one column must "
                            "not",
                            column->name, kn__quote_make(before, other).text,
                            kn__quote_make(text, len).text);
        }
    }
    return KN_OK;
}

kn_status kn__build_bands(kn_hierarchy_builder *m, const kn_column *column,
                          const kn_build_options *options, kn_error *err)
{
    const uint32_t values = kn__column_values(column) - (column->missing != KN_NO_CODE);
    const size_t fanout = options->fanout ? options->fanout : 2;
    placed_band *list = kn__malloc_array(values, sizeof *list);
    kn_build_row r = {0};
    size_t count = 0, len;
    kn_status status;

    KN_TRY(list ? KN_OK : kn__nomem(err));
    KN_TRY(fanout > 1 ? KN_OK : kn__fail(err, KN_EUSAGE, "fanout 1 merges nothing; use 2 or more"));
    for (uint32_t code = 0; code < values; code++) {
        const char *text = kn__column_text(column, code, &len);
        list[count].code = code;
        count += kn__band_parse(&list[count].band, text, len);
    }
    KN_TRY(count >= 2 ? KN_OK
                      : kn__fail(err, KN_EUSAGE,
                                 "column \"%s\" holds no bands such as [0-10), 18-24 or 65+; use "
                                 "another kind of hierarchy",
                                 column->name));
    qsort(list, count, sizeof *list, by_ends);
    KN_TRY(refuse_overlap(column, list, count, err));
    for (size_t i = 0; i < count; i++) {
        KN_TRY(add_band(&r, m, column, list, count, i, fanout, err));
    }
    for (uint32_t code = 0; code < values; code++) {
        const char *text = kn__column_text(column, code, &len);
        kn_band band;
        if (kn__band_parse(&band, text, len)) {
            continue;
        }
        for (size_t i = 0; i <= levels_of(count, fanout); i++) {
            kn__build_row_add(&r, text, len);
        }
        KN_TRY(kn__build_row_flush(&r, m, err));
    }
done:
    kn__build_row_clear(&r);
    kn__free(list);
    return status;
}
