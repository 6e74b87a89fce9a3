/* amnesia_ranges.c - parse the labels of Amnesia's hierarchies of numbers and dates: which leaves
 * are ranges, and of what. */
#include "base/error.h"
#include "base/memory.h"
#include "base/sort.h"
#include "data/value.h"
#include "hierarchy/hierarchy.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* What a label says: [low,high] with high's own extent. A number ends where it begins; the month
 * 3/2020 begins on its first day and ends on its last. */
typedef struct extent {
    double low;      /* first number or day */
    double high;     /* where the upper bound begins */
    double high_end; /* where it ends */
    bool range;      /* two bounds were given */
} extent;

static bool parse_digits(const char *text, size_t len, int *value)
{
    *value = 0;
    if (len < 1 || len > 4) {
        return false;
    }
    for (size_t i = 0; i < len; i++) {
        if (text[i] < '0' || text[i] > '9') {
            return false;
        }
        *value = *value * 10 + (text[i] - '0');
    }
    return true;
}

/* YYYY-MM-DD, d/m/yyyy, m/yyyy or yyyy, as the first and the last day. */
static bool parse_date_bound(const char *text, size_t len, double *first, double *last)
{
    int part[3], count = 0, day = 1, month = 1, year;
    const char *const end = text + len;

    if (kn__date_parse(text, len, first)) {
        *last = *first;
        return true;
    }
    for (;;) {
        const char *slash = memchr(text, '/', (size_t)(end - text));
        const char *stop = slash ? slash : end;
        if (count == 3 || !parse_digits(text, (size_t)(stop - text), &part[count])) {
            return false;
        }
        count++;
        if (!slash) {
            if (stop - text != 4) {
                return false;
            }
            break;
        }
        text = slash + 1;
    }
    year = part[count - 1];
    if (count >= 2) {
        month = part[count - 2];
    }
    if (count == 3) {
        day = part[0];
    }
    if (month < 1 || month > 12 || day < 1 || day > 31) {
        return false;
    }
    *first = kn__date_join(year, month, day);
    if (count == 3) {
        int y, m, d;
        kn__date_split(*first, &y, &m, &d);
        *last = *first;
        return m == month && d == day;
    }
    *last = (count == 1 || month == 12 ? kn__date_join(year + 1, 1, 1)
                                       : kn__date_join(year, month + 1, 1)) -
            1;
    return true;
}

static bool parse_bound(kn_type type, const char *text, size_t len, double *first, double *last)
{
    unsigned decimals;

    if (type == KN_TYPE_DATE) {
        return parse_date_bound(text, len, first, last);
    }
    if (!kn__number_parse(text, len, first, &decimals)) {
        return false;
    }
    *last = *first;
    return true;
}

/* A single bound, or two with `,` or `-` between, maybe in brackets. */
static bool parse_extent(kn_type type, const char *text, size_t len, extent *out)
{
    double last;

    if (parse_bound(type, text, len, &out->low, &out->high_end)) {
        out->range = out->high_end > out->low; /* a month or year by itself */
        out->high = out->range ? out->high_end + 1 : out->low;
        return true;
    }
    if (len >= 2 && text[0] == '[' && text[len - 1] == ']') {
        text++;
        len -= 2;
    }
    for (size_t i = 1; i + 1 < len; i++) {
        if ((text[i] == ',' || text[i] == '-') && parse_bound(type, text, i, &out->low, &last) &&
            parse_bound(type, text + i + 1, len - i - 1, &out->high, &out->high_end)) {
            out->range = true;
            return true;
        }
    }
    return false;
}

static bool means_missing(const char *label)
{
    static const char *const words[] = {"NaN",    "NaN,NaN", "null,null",
                                        "(null)", "NaN-NaN", "null-null"};

    for (size_t i = 0; i < sizeof words / sizeof *words; i++) {
        if (strcmp(label, words[i]) == 0) {
            return true;
        }
    }
    return false;
}

static kn_status fail_label(const kn_hierarchy *h, uint32_t node, const char *what, kn_error *err)
{
    const char *label = kn__hierarchy_label(h, node);

    return kn__fail(err, KN_EINPUT, "%s: %s %s", kn__place_make(h->name, h->line[node]).text,
                    kn__quote_make(label, strlen(label)).text, what);
}

static kn_status find_missing(kn_hierarchy *h, kn_error *err)
{
    for (uint32_t i = 0; i < h->leaves; i++) {
        if (means_missing(kn__hierarchy_label(h, i))) {
            if (h->missing != KN_NO_CODE) {
                return fail_label(h, i, "stands for a missing value, and another leaf does too",
                                  err);
            }
            h->missing = i;
        }
    }
    return KN_OK;
}

/* The extent of each node must lie within its parent's: a published label must cover every value
 * below it. */
static kn_status check_within(const kn_hierarchy *h, const extent *extents, const bool *known,
                              kn_error *err)
{
    for (uint32_t i = 0; i + 1 < h->nodes; i++) {
        const uint32_t parent = h->parent[i];

        if (known[i] && known[parent] &&
            (extents[i].low < extents[parent].low ||
             extents[i].high_end > extents[parent].high_end)) {
            return fail_label(h, i, "is not within the range above it", err);
        }
    }
    return KN_OK;
}

typedef struct ranked {
    double low;
    uint32_t leaf;
} ranked;

static int compare_ranked(const void *a, const void *b)
{
    const ranked *x = a, *y = b;
    const int order = KN_ORDER(x->low, y->low);

    return order ? order : KN_ORDER(x->leaf, y->leaf);
}

/* Ranges of leaves may touch, not overlap. The last of its siblings includes its upper bound; a
 * range of dates always does, to the end of the month or year that it names, since whatever begins
 * there takes precedence. */
static kn_status close_ranges(kn_hierarchy *h, const extent *extents, kn_error *err)
{
    ranked *order = kn__malloc_array(h->leaves, sizeof *order);
    double *greatest = kn__malloc_array(h->nodes, sizeof *greatest);
    kn_status status = KN_OK;
    size_t count = 0;

    KN_TRY(order && greatest ? KN_OK : kn__nomem(err));
    for (uint32_t i = 0; i < h->nodes; i++) {
        greatest[i] = -INFINITY;
    }
    for (uint32_t i = 0; i < h->leaves; i++) {
        if (kn__hierarchy_is_range(h, i)) {
            order[count++] = (ranked){h->low[i], i};
            greatest[h->parent[i]] = fmax(greatest[h->parent[i]], extents[i].high);
        }
    }
    qsort(order, count, sizeof *order, compare_ranked);
    for (size_t i = 0; i < count; i++) {
        const uint32_t leaf = order[i].leaf;

        if (i > 0 &&
            (h->low[leaf] < extents[order[i - 1].leaf].high || h->low[leaf] == order[i - 1].low)) {
            KN_TRY(fail_label(h, leaf, "overlaps another range", err));
        }
        h->closed[leaf] = h->type == KN_TYPE_DATE || extents[leaf].low == extents[leaf].high ||
                          extents[leaf].high == greatest[h->parent[leaf]];
        if (h->type == KN_TYPE_DATE) {
            h->high[leaf] = extents[leaf].high_end;
        }
    }
done:
    KN_FREE(order, greatest);
    return status;
}

kn_status kn__amnesia_set_type(kn_hierarchy *h, kn_type type, kn_error *err)
{
    extent *extents = NULL;
    bool *known = NULL;
    size_t ranges = 0;
    kn_status status;

    KN_TRY(find_missing(h, err));
    if (type == KN_TYPE_CATEGORY) {
        return KN_OK;
    }
    extents = kn__zalloc_array(h->nodes, sizeof *extents);
    known = kn__zalloc_array(h->nodes, sizeof *known);
    h->low = kn__malloc_array(h->leaves, sizeof *h->low);
    h->high = kn__malloc_array(h->leaves, sizeof *h->high);
    h->closed = kn__zalloc_array(h->leaves, sizeof *h->closed);
    KN_TRY(extents && known && h->low && h->high && h->closed ? KN_OK : kn__nomem(err));
    h->type = type;
    for (uint32_t i = 0; i < h->nodes; i++) {
        const char *label = kn__hierarchy_label(h, i);

        known[i] = parse_extent(type, label, strlen(label), &extents[i]);
        if (known[i] && extents[i].low > extents[i].high) {
            KN_TRY(fail_label(h, i, "is a range whose end comes before its beginning", err));
        }
        if (i >= h->leaves) {
            continue;
        }
        if (!known[i] && i != h->missing) {
            KN_TRY(fail_label(h, i,
                              type == KN_TYPE_DATE
                                  ? "is no date and no range of dates, such as 1/2000,6/2000"
                                  : "is no number and no range, such as 0,10",
                              err));
        }
        h->low[i] = known[i] && extents[i].range ? extents[i].low : NAN;
        h->high[i] = known[i] && extents[i].range ? extents[i].high : NAN;
        ranges += known[i] && extents[i].range;
        if (known[i] && extents[i].range && h->depth[i] + 2 > h->levels) {
            h->levels = h->depth[i] + 2;
        }
    }
    KN_TRY(check_within(h, extents, known, err));
    if (ranges > 0) {
        KN_TRY(close_ranges(h, extents, err));
    } else {
        KN_FREE(h->low, h->high, h->closed);
        h->low = h->high = NULL;
        h->closed = NULL;
        h->type = KN_TYPE_CATEGORY;
    }
done:
    KN_FREE(extents, known);
    return status;
}
