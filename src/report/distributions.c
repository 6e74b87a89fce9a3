/* distributions.c - how often each value occurs, with rare values kept out of sight. */
#include "base/error.h"
#include "base/memory.h"
#include "data/value.h"
#include "hierarchy/build/bands.h"
#include "report/facts.h"

#include <assert.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

void kn__bars_clear(kn_bars *b)
{
    for (size_t i = 0; b->bar && i < b->count; i++) {
        kn__free(b->bar[i].label);
    }
    kn__free(b->bar);
    *b = (kn_bars){0};
}

kn_status kn__label(char **out, const kn_column *c, uint32_t code, kn_error *err)
{
    size_t len;
    const char *text;

    *out = NULL;
    if (code == c->missing) {
        return KN_OK;
    }
    text = kn__column_text(c, code, &len);
    *out = kn__clean(text, len);
    return *out ? KN_OK : kn__nomem(err);
}

/* ---- class sizes ---- */

size_t kn__size_bin_low(size_t i)
{
    static const size_t steps[] = {1, 2, 5};
    size_t power = 1;

    for (size_t j = 0; j < i / 3; j++) {
        power *= 10;
    }
    return steps[i % 3] * power;
}

void kn__size_bins_fill(kn_size_bins *out, const kn_class_sizes *sizes)
{
    size_t bin = 0;

    *out = (kn_size_bins){0};
    for (size_t i = 0; i < sizes->count; i++) {
        while (bin + 1 < KN_SIZE_BINS && sizes->size[i] >= kn__size_bin_low(bin + 1)) {
            bin++;
        }
        out->classes[bin] += sizes->classes[i];
        out->records[bin] += sizes->classes[i] * sizes->size[i];
        out->all += sizes->classes[i];
    }
    if (sizes->count) {
        out->smallest = sizes->size[0];
        out->largest = sizes->size[sizes->count - 1];
    }
}

/* ---- ranges of an ordered column ---- */

/* By slot: the records that hold a number in it, however many. */
static void count_holders(size_t *holders, const kn_ruler *u, const kn_dataset *ds,
                          const kn_column *c)
{
    for (size_t i = 0; i < ds->records; i++) {
        size_t last = SIZE_MAX;
        for (uint64_t j = c->starts[i]; j < c->starts[i + 1]; j++) {
            const uint32_t code = kn__code_get(c->codes, c->width, (size_t)j);
            const size_t slot = code == c->missing ? last : kn__ruler_slot(u, c->numbers[code]);
            holders[slot == SIZE_MAX ? 0 : slot] += slot != last; /* numbers ascend */
            last = slot;
        }
    }
}

/* `counts`: by code, the records that hold it; in lists of numbers, how often it occurs. Many
 * numbers may be those of one person, so in lists a bar must have a slot that enough records have
 * a number in. */
static kn_status count_ranges(kn_bars *out, const kn_dataset *ds, const kn_column *c,
                              const size_t *counts, size_t cells, size_t rare_below, kn_error *err)
{
    const uint32_t values = kn__column_values(c);
    size_t in_slot[KN_REPORT_BARS] = {0}, begin[KN_REPORT_BARS + 1] = {0},
           sums[KN_REPORT_BARS] = {0}, holders[KN_REPORT_BARS] = {0}, held = 0;
    size_t bars = 0;
    kn_status status = KN_OK;
    kn_ruler u;

    kn__ruler_lay(&u, c, counts, cells);
    for (uint32_t v = 0; v < values; v++) {
        if (v != c->missing) {
            in_slot[kn__ruler_slot(&u, c->numbers[v])] += counts[v];
        }
    }
    /* Neighbours are joined until a bar has enough records. An empty slot belongs to no record and
     * may be seen. */
    if (c->starts) {
        count_holders(holders, &u, ds, c);
    }
    for (size_t i = 0; i < u.slots; i++) {
        sums[bars] += in_slot[i];
        if (!c->starts) {
            held = sums[bars];
        } else if (holders[i] > held) {
            held = holders[i];
        }
        if (held >= rare_below || (sums[bars] == 0 && begin[bars] == i)) {
            begin[++bars] = i + 1;
            held = 0;
        }
    }
    if (begin[bars] < u.slots) { /* a tail that has too few joins the last bar that has records */
        const size_t left = sums[bars];

        while (bars > 0 && sums[bars - 1] == 0) {
            bars--;
        }
        if (bars == 0) {
            sums[bars++] = left;
        } else {
            sums[bars - 1] += left;
        }
        begin[bars] = u.slots;
    }
    out->binned = true;
    out->ruler = u;
    memcpy(out->begin, begin, sizeof begin);
    for (size_t i = 0; i < bars && status == KN_OK; i++) {
        status = kn__ruler_label(&out->bar[i].label, &u, begin[i], begin[i + 1], err);
        out->bar[i].records = sums[i];
        out->count += status == KN_OK;
    }
    return status;
}

/* ---- single values ---- */

typedef struct tally {
    uint32_t code;
    size_t records;
    double key; /* its place among ordered values */
} tally;

static int by_records(const void *a, const void *b)
{
    const tally *x = a, *y = b;

    if (x->records != y->records) {
        return x->records < y->records ? 1 : -1;
    }
    return x->code < y->code ? -1 : x->code > y->code;
}

static int by_key(const void *a, const void *b)
{
    const tally *x = a, *y = b;

    if (x->key < y->key || x->key > y->key) {
        return x->key < y->key ? -1 : 1;
    }
    return x->code < y->code ? -1 : x->code > y->code;
}

/* Where a band such as 18-24, or a set of bands, belongs: the lower end of the first. */
static bool place_band(const char *text, size_t len, double *key)
{
    const bool set = len > 2 && text[0] == '{' && text[len - 1] == '}';
    kn_band band;

    for (size_t end = set ? 2 : len; end <= (set ? len - 1 : len); end++) {
        const bool whole = !set || end == len - 1 || text[end] == ',';
        if (whole && kn__band_parse(&band, text + set, end - set)) {
            *key = isfinite(band.low) ? band.low : -INFINITY;
            return true;
        }
    }
    return false;
}

/* Where a published number, date, range or band belongs: its lower end. `*` and missing come last;
 * false for other texts. */
static bool place(const kn_column *c, uint32_t code, double *key)
{
    size_t len;
    const char *text = kn__column_text(c, code, &len), *comma;
    unsigned decimals;

    *key = INFINITY;
    if (code == c->missing || (len == 1 && text[0] == '*')) {
        return true;
    }
    if (c->type == KN_TYPE_CATEGORY && place_band(text, len, key)) {
        return true;
    }
    if (len > 2 && text[0] == '[' && text[len - 1] == ']') {
        comma = memchr(text, ',', len);
        if (!comma) {
            return false;
        }
        text++;
        len = (size_t)(comma - text);
    }
    return kn__number_parse(text, len, key, &decimals) ||
           kn__plain_date_parse(text, len, c->dates, key);
}

static kn_status count_values(kn_bars *out, const kn_column *c, const size_t *counts,
                              size_t rare_below, kn_error *err)
{
    const uint32_t values = kn__column_values(c);
    tally *shown = kn__malloc_array(values, sizeof *shown);
    size_t count = 0;
    bool ordered;
    kn_status status = KN_OK;

    KN_PASS(shown ? KN_OK : kn__nomem(err));
    for (uint32_t v = 0; v < values; v++) {
        if (counts[v] >= rare_below) {
            shown[count++] = (tally){.code = v, .records = counts[v]};
        } else if (counts[v]) {
            out->rare_values++;
            out->rare_records += counts[v];
        }
    }
    qsort(shown, count, sizeof *shown, by_records);
    for (size_t i = KN_REPORT_BARS; i < count; i++) {
        out->more_values++;
        out->more_records += shown[i].records;
    }
    count = count > KN_REPORT_BARS ? KN_REPORT_BARS : count;
    ordered = out->more_values == 0; /* of a longer list the most frequent are shown, as such */
    for (size_t i = 0; i < count && ordered; i++) {
        ordered = place(c, shown[i].code, &shown[i].key);
    }
    if (ordered) {
        qsort(shown, count, sizeof *shown, by_key);
        out->ordered = true;
    }
    for (size_t i = 0; i < count && status == KN_OK; i++) {
        status = kn__label(&out->bar[i].label, c, shown[i].code, err);
        out->bar[i].records = shown[i].records;
        out->bar[i].code = shown[i].code;
        out->count += status == KN_OK;
    }
    kn__free(shown);
    return status;
}

static void tally_cells(size_t *counts, const kn_dataset *ds, const kn_column *c)
{
    if (!c->starts) {
        for (size_t i = 0; i < ds->records; i++) {
            counts[kn__column_code(c, i)]++;
        }
        return;
    }
    if (c->type == KN_TYPE_NUMBERS && c->missing == KN_NO_CODE) {
        for (uint64_t j = 0; j < c->starts[ds->records]; j++) {
            counts[kn__code_get(c->codes, c->width, (size_t)j)]++;
        }
        return;
    }
    /* Lists: records that hold the item; codes ascend within a record, so repeats are neighbours.
     */
    for (size_t i = 0; i < ds->records; i++) {
        uint32_t last = KN_NO_CODE;
        for (uint64_t j = c->starts[i]; j < c->starts[i + 1]; j++) {
            const uint32_t code = kn__code_get(c->codes, c->width, j);
            counts[code] += code != last;
            last = code;
        }
    }
}

kn_status kn__bars_count(kn_bars *out, const kn_dataset *ds, size_t column, size_t rare_below,
                         kn_error *err)
{
    const kn_column *c = &ds->column[column];
    const uint32_t values = kn__column_values(c);
    const size_t has_missing = c->missing != KN_NO_CODE;
    size_t *counts = NULL;
    kn_status status = KN_OK;

    assert(c->role != KN_ROLE_IDENTIFIER);
    *out = (kn_bars){0};
    if (values == 0) {
        return KN_OK;
    }
    counts = kn__zalloc_array(values, sizeof *counts);
    out->bar = kn__zalloc_array(KN_REPORT_BARS + 1, sizeof *out->bar);
    KN_TRY(counts && out->bar ? KN_OK : kn__nomem(err));
    tally_cells(counts, ds, c);
    for (uint32_t v = 0; v < values; v++) {
        out->values += counts[v] > 0;
    }
    if (kn__type_is_ordered(c->type) && values - has_missing > KN_REPORT_BARS) {
        const size_t missing = has_missing ? counts[c->missing] : 0;

        status = count_ranges(out, ds, c, counts, ds->records - missing, rare_below, err);
        if (status == KN_OK && missing >= rare_below) {
            out->bar[out->count++] = (kn_bar){.records = missing, .code = c->missing};
        } else if (status == KN_OK && missing) {
            out->rare_values = 1;
            out->rare_records = missing;
        }
    } else if (c->type == KN_TYPE_NUMBERS && c->starts && !has_missing) {
        out->numbers = (size_t)c->starts[ds->records];
        status = count_ranges(out, ds, c, counts, out->numbers, rare_below, err);
    } else {
        status = count_values(out, c, counts, rare_below, err);
    }
done:
    kn__free(counts);
    if (status != KN_OK) {
        kn__bars_clear(out);
    }
    return status;
}
