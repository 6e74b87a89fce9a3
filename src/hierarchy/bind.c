/* bind.c - find the leaf of a hierarchy that covers each value of a column: by text, by equal
 * number, by range (binary search), or by code stem. */
#include "base/args.h"
#include "base/error.h"
#include "base/memory.h"
#include "base/sort.h"
#include "data/value.h"
#include "hierarchy/hierarchy.h"

#include <assert.h>
#include <math.h>
#include <string.h>

typedef struct finder {
    kn_ranked *numbers, *ranges; /* leaves by their number, or by where their range begins */
    size_t numbers_count, ranges_count;
    kn_dict *codes; /* leaves as codes, without zeros and what follows a point */
    kn_buffer stem;
    uint32_t *leaf_of_code; /* KN_NO_CODE: several leaves, in different groups */
} finder;

static void finder_clear(finder *f)
{
    KN_FREE(f->numbers, f->ranges);
    kn__dict_free(f->codes);
    kn__free(f->leaf_of_code);
    kn__buffer_free(&f->stem);
    *f = (finder){0};
}

static kn_status finder_make(finder *f, const kn_hierarchy *h, const kn_column *column,
                             kn_error *err)
{
    const bool numeric = kn__type_is_number(column->type) || column->type == KN_TYPE_NUMBERS;
    const bool fits = h->low && (h->type == KN_TYPE_DATE ? column->type == KN_TYPE_DATE : numeric);
    unsigned decimals;

    f->numbers = kn__malloc_array(h->leaves, sizeof *f->numbers);
    f->ranges = kn__malloc_array(h->leaves, sizeof *f->ranges);
    if (!f->numbers || !f->ranges) {
        finder_clear(f);
        return kn__nomem(err);
    }
    for (uint32_t i = 0; i < h->leaves; i++) {
        const char *label = kn__hierarchy_label(h, i);
        double value;

        if (fits && kn__hierarchy_is_range(h, i)) {
            f->ranges[f->ranges_count++] = (kn_ranked){h->low[i], i};
        } else if (numeric && kn__number_parse(label, strlen(label), &value, &decimals)) {
            f->numbers[f->numbers_count++] = (kn_ranked){value, i};
        }
    }
    kn__sort_ranked(f->numbers, f->numbers_count);
    kn__sort_ranked(f->ranges, f->ranges_count);
    return KN_OK;
}

/* Binary search: the number of keys that are at most `value`. */
static size_t upper(const kn_ranked *keys, size_t count, double value)
{
    size_t low = 0, high = count;

    while (low < high) {
        const size_t middle = low + (high - low) / 2;
        if (keys[middle].rank <= value) {
            low = middle + 1;
        } else {
            high = middle;
        }
    }
    return low;
}

/* The digits of a plain number before and after the point, without leading and trailing zeros. */
typedef struct digits {
    bool negative;
    kn_text whole, part;
} digits;

static bool split_digits(const char *text, size_t len, digits *out)
{
    const char *const end = text + len;
    const char *point;

    out->negative = len && *text == '-';
    if (len && (*text == '-' || *text == '+')) {
        text++;
    }
    while (text < end && *text == '0') {
        text++;
    }
    for (point = text; point < end && *point >= '0' && *point <= '9'; point++) {
    }
    out->whole = (kn_text){text, (size_t)(point - text)};
    out->part = (kn_text){point, 0};
    if (point < end && *point == '.') {
        out->part = (kn_text){point + 1, (size_t)(end - point - 1)};
    } else if (point < end) {
        return false;
    }
    while (out->part.len && out->part.at[out->part.len - 1] == '0') {
        out->part.len--;
    }
    return !memchr(out->part.at, 'e', out->part.len) && !memchr(out->part.at, 'E', out->part.len);
}

static bool same_text(kn_text a, kn_text b)
{
    return a.len == b.len && (a.len == 0 || memcmp(a.at, b.at, a.len) == 0);
}

/* Two numbers with equal doubles may still differ in digits beyond their precision. */
static bool same_number(double value, const char *a, size_t a_len, const char *b)
{
    digits x, y;

    if (split_digits(a, a_len, &x) && split_digits(b, strlen(b), &y)) {
        return same_text(x.whole, y.whole) && same_text(x.part, y.part) &&
               (x.negative == y.negative || value == 0);
    }
    return fabs(value) < 0x1p53;
}

/* The leaf with that number. Several spellings of it ("8", "8.0") may be leaves; when they lie in
 * different groups none is right. */
static uint32_t find_number(const finder *f, const kn_hierarchy *h, double value, const char *text,
                            size_t len)
{
    size_t i = upper(f->numbers, f->numbers_count, value);
    uint32_t leaf = KN_NO_CODE;

    assert(f->numbers || i == 0);
    for (; i > 0 && f->numbers[i - 1].rank == value; i--) {
        if (!same_number(value, text, len, kn__hierarchy_label(h, f->numbers[i - 1].id))) {
            continue;
        }
        if (leaf != KN_NO_CODE && h->parent[leaf] != h->parent[f->numbers[i - 1].id]) {
            return KN_NO_CODE;
        }
        leaf = f->numbers[i - 1].id;
    }
    return leaf;
}

static uint32_t find_range(const finder *f, const kn_hierarchy *h, double value)
{
    size_t i = upper(f->ranges, f->ranges_count, value);
    uint32_t leaf;

    if (i == 0) {
        return KN_NO_CODE;
    }
    assert(f->ranges && h->high && h->closed);
    leaf = f->ranges[i - 1].id;
    if (value < h->high[leaf] || (value == h->high[leaf] && h->closed[leaf])) {
        return leaf;
    }
    return KN_NO_CODE;
}

/* Write the stem of a code to f->stem: without leading zeros, and without the point and what
 * follows. A prefix up to a colon is the column of the item, and stays. */
static void find_stem(finder *f, const char *text, size_t len)
{
    const char *colon = memrchr(text, ':', len);
    const size_t prefix = colon ? (size_t)(colon - text) + 1 : 0;
    const char *code = text + prefix, *point = memchr(code, '.', len - prefix);
    size_t rest = point ? (size_t)(point - code) : len - prefix, count = 0;

    while (count < rest && code[count] >= '0' && code[count] <= '9') {
        count++;
    }
    for (; count == rest && rest > 1 && *code == '0'; count--) {
        code++;
        rest--;
    }
    f->stem.len = 0;
    if (rest) {
        kn__buffer_add(&f->stem, text, prefix);
        kn__buffer_add(&f->stem, code, rest);
    }
}

static kn_status list_codes(finder *f, const kn_hierarchy *h, kn_error *err)
{
    KN_PASS(kn__dict_new(&f->codes, err));
    f->leaf_of_code = kn__malloc_array(h->leaves, sizeof *f->leaf_of_code);
    KN_PASS(f->leaf_of_code ? KN_OK : kn__nomem(err));
    for (uint32_t i = 0; i < h->leaves; i++) {
        const char *label = kn__hierarchy_label(h, i);
        const uint32_t known = f->codes->len;
        uint32_t code;
        find_stem(f, label, strlen(label));
        KN_PASS(f->stem.failed ? kn__nomem(err)
                               : kn__dict_add(f->codes, f->stem.data, f->stem.len, &code, err));
        if (code == known) {
            f->leaf_of_code[code] = i;
        } else if (f->leaf_of_code[code] != KN_NO_CODE &&
                   h->parent[f->leaf_of_code[code]] != h->parent[i]) {
            f->leaf_of_code[code] = KN_NO_CODE;
        }
    }
    return KN_OK;
}

static kn_status find_code(finder *f, const kn_hierarchy *h, const char *text, size_t len,
                           uint32_t *leaf, kn_error *err)
{
    kn_status status;
    uint32_t code = KN_NO_CODE;

    KN_TRY(f->codes ? KN_OK : list_codes(f, h, err));
    find_stem(f, text, len);
    KN_TRY(f->stem.failed ? kn__nomem(err) : KN_OK);
    if (f->stem.len) {
        code = kn__dict_find(f->codes, f->stem.data, f->stem.len);
    }
done:
    *leaf = code == KN_NO_CODE ? KN_NO_CODE : f->leaf_of_code[code];
    return status;
}

kn_status kn__hierarchy_bind(const kn_hierarchy *h, const kn_column *column, uint32_t *leaf,
                             size_t *uncovered, kn_error *err)
{
    finder f = {0};
    bool ready = false;
    kn_status status = KN_OK;

    *uncovered = 0;
    for (uint32_t code = 0; code < kn__column_values(column); code++) {
        size_t len;
        const char *text = kn__column_text(column, code, &len);

        leaf[code] = kn__dict_find(h->leaf, text, len);
        if (leaf[code] != KN_NO_CODE && !kn__hierarchy_is_range(h, leaf[code])) {
            continue;
        }
        leaf[code] = KN_NO_CODE;
        if (code == column->missing) {
            leaf[code] = h->missing;
            continue;
        }
        if (column->numbers) {
            if (!ready) {
                status = finder_make(&f, h, column, err);
                if (status != KN_OK) {
                    break;
                }
                ready = true;
            }
            leaf[code] = find_number(&f, h, column->numbers[code], text, len);
            if (leaf[code] == KN_NO_CODE) {
                leaf[code] = find_range(&f, h, column->numbers[code]);
            }
        }
        if (leaf[code] == KN_NO_CODE && h->codes) {
            status = find_code(&f, h, text, len, &leaf[code], err);
            if (status != KN_OK) {
                break;
            }
        }
        *uncovered += leaf[code] == KN_NO_CODE;
    }
    finder_clear(&f);
    return status;
}

kn_status kn__hierarchy_fail_uncovered(const kn_hierarchy *h, const kn_column *column,
                                       const uint32_t *leaf, size_t uncovered, kn_error *err)
{
    const bool shown = column->role != KN_ROLE_IDENTIFIER;
    char list[512] = "";
    size_t at = 0, named = 0;

    for (uint32_t code = 0; shown && named < 10 && code < kn__column_values(column); code++) {
        size_t len, add;
        kn_quote quote;
        const char *text;

        if (leaf[code] != KN_NO_CODE || code == column->missing) {
            continue;
        }
        text = kn__column_text(column, code, &len);
        quote = kn__quote_make(text, len);
        add = strlen(quote.text);
        if (at + add + 3 >= sizeof list) {
            break;
        }
        memcpy(list + at, named ? ", " : "", named ? 2 : 0);
        at += named ? 2 : 0;
        memcpy(list + at, quote.text, add + 1);
        at += add;
        named++;
    }
    (void)kn__fail(
        err, KN_EINPUT,
        "%s: %zu value%s of column %s %s in no row of the hierarchy%s%s%s\n"
        "add %s to the file, or choose --uncovered suppress (leave out their records) or "
        "--uncovered root (publish them as the root)",
        kn__place_make(h->name, 0).text, uncovered, uncovered == 1 ? "" : "s",
        kn__quote_make(column->name, strlen(column->name)).text, uncovered == 1 ? "is" : "are",
        shown ? ": " : "", list, shown && named < uncovered ? ", ..." : "",
        uncovered == 1 ? "it" : "them");
    return kn__about_column(err, KN_EINPUT, KN_ERROR_UNCOVERED, column->name);
}

kn_status kn_hierarchy_covers(const kn_hierarchy *h, const kn_dataset *ds, size_t column,
                              kn_error *err)
{
    KN_NEED(err, h, ds);
    KN_NEED_INDEX(err, column, ds->columns, "column");

    const kn_column *c;
    uint32_t *leaf = NULL;
    size_t uncovered = 0;
    kn_status status;

    c = &ds->column[column];
    if (!c->dict) {
        return kn__fail(err, KN_EUSAGE,
                        "the values of column \"%s\" were not kept when it was read", c->name);
    }
    leaf = kn__malloc_array(kn__column_values(c), sizeof *leaf);
    if (!leaf) {
        return kn__nomem(err);
    }
    KN_TRY(kn__hierarchy_bind(h, c, leaf, &uncovered, err));
    if (uncovered > 0) {
        KN_TRY(kn__hierarchy_fail_uncovered(h, c, leaf, uncovered, err));
    }
done:
    kn__free(leaf);
    return status;
}
