/* notation.c - write published values as text, and parse them. Checkers and measures read a release
 * by this parser: it knows the notation, not the method that wrote it. */
#include "base/error.h"
#include "base/memory.h"
#include "base/say.h"
#include "data/value.h"
#include "hierarchy/domain.h"
#include "hierarchy/hierarchy.h"

#include <assert.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

void kn__set_add_text(kn_buffer *out, const char *text, size_t len)
{
    bool quote = len == 0;

    for (size_t i = 0; i < len && !quote; i++) {
        quote = text[i] == ',' || text[i] == '{' || text[i] == '}' || text[i] == '"' ||
                text[i] == '\n' || text[i] == '\r' ||
                (text[i] == '.' && i + 1 < len && text[i + 1] == '.') ||
                ((i == 0 || i + 1 == len) && (text[i] == ' ' || text[i] == '\t'));
    }
    if (quote) {
        kn__say_quoted(out, '"', text, len);
    } else {
        kn__buffer_add(out, text, len);
    }
}

static void add_value(const kn_domain *d, uint32_t code, kn_buffer *out)
{
    size_t len;
    const char *text = kn__column_text(d->column, code, &len);

    kn__buffer_add(out, text, len);
}

void kn__domain_publish_node(const kn_domain *d, uint32_t node, kn_buffer *out)
{
    if (node < d->values) {
        add_value(d, node, out);
    } else {
        kn__buffer_adds(out, d->label[node - d->values]);
    }
}

void kn__domain_publish_range(const kn_domain *d, uint32_t low, uint32_t high, kn_buffer *out)
{
    if (low == high) {
        add_value(d, low, out);
    } else if (high == d->column->missing) {
        kn__buffer_addc(out, '*'); /* no range holds a missing value */
    } else {
        kn__buffer_addc(out, '[');
        add_value(d, low, out);
        kn__buffer_addc(out, ',');
        add_value(d, high, out);
        kn__buffer_addc(out, ']');
    }
}

void kn__domain_publish_set(const kn_domain *d, const uint32_t *codes, size_t count, kn_buffer *out)
{
    if (count == 1) {
        add_value(d, codes[0], out);
        return;
    }
    if (count >= d->values) {
        kn__buffer_addc(out, '*');
        return;
    }
    kn__buffer_addc(out, '{');
    for (size_t i = 0; i < count; i++) {
        size_t len;
        const char *text = kn__column_text(d->column, codes[i], &len);

        if (i > 0) {
            kn__buffer_addc(out, ',');
        }
        kn__set_add_text(out, text, len);
    }
    kn__buffer_addc(out, '}');
}

void kn__published_clear(kn_published *p)
{
    kn__free(p->codes);
    *p = (kn_published){0};
}

static void set_value(kn_published *p, uint32_t code)
{
    *p = (kn_published){.kind = KN_PUB_VALUE, .code = code, .leaves = 1};
}

static void set_node(kn_published *p, const kn_domain *d, uint32_t node)
{
    *p = (kn_published){.kind = KN_PUB_NODE,
                        .node = node,
                        .leaves = d->leaves[node],
                        .loss = d->loss[node],
                        .ncp = kn__domain_ncp(d, node)};
}

static bool parse_bound(const kn_domain *d, const char *text, size_t len, double *value)
{
    unsigned decimals;

    return d->column->type == KN_TYPE_DATE
               ? kn__plain_date_parse(text, len, d->column->dates, value)
               : kn__number_parse(text, len, value, &decimals);
}

/* Codes follow the numbers; a missing value comes last. */
uint32_t kn__domain_below(const kn_domain *d, double value, bool equal)
{
    uint32_t low = 0, high = d->values - (d->column->missing != KN_NO_CODE);

    while (low < high) {
        const uint32_t middle = low + (high - low) / 2;
        const double number = d->column->numbers[middle];
        if (number < value || (equal && number == value)) {
            low = middle + 1;
        } else {
            high = middle;
        }
    }
    return low;
}

static bool parse_range(kn_published *p, const kn_domain *d, const char *text, size_t len)
{
    const char *comma;
    double low, high;

    if (len < 5 || text[0] != '[' || text[len - 1] != ']') {
        return false;
    }
    comma = memchr(text, ',', len);
    if (!comma || !parse_bound(d, text + 1, (size_t)(comma - text) - 1, &low) ||
        !parse_bound(d, comma + 1, (size_t)(text + len - 1 - comma) - 1, &high) || low > high) {
        return false;
    }
    *p = (kn_published){.kind = KN_PUB_RANGE, .low = low, .high = high};
    p->leaves = (double)(kn__domain_below(d, high, true) - kn__domain_below(d, low, false));
    if (high > low) {
        p->loss = d->high > d->low ? fmin((high / 2 - low / 2) / (d->high / 2 - d->low / 2), 1) : 1;
    }
    p->ncp = p->loss;
    return true;
}

static int compare_codes(const void *a, const void *b)
{
    const uint32_t x = *(const uint32_t *)a, y = *(const uint32_t *)b;

    return (x > y) - (x < y);
}

bool kn__set_next_text(const char **at, const char *end, kn_buffer *text)
{
    const char *p = *at;

    text->len = 0;
    kn__buffer_add(text, "", 0);
    if (p < end && *p == '"') {
        for (p++; p < end; p++) {
            if (*p == '"' && (p + 1 == end || p[1] != '"')) {
                break;
            }
            p += *p == '"';
            kn__buffer_addc(text, *p);
        }
        if (p == end) {
            return false;
        }
        p++;
    } else {
        while (p < end && *p != ',' && *p != '}') {
            kn__buffer_addc(text, *p++);
        }
    }
    *at = p;
    return p < end && (*p == ',' || *p == '}');
}

/* The code that `text` is a spelling of: itself, or in ordered columns the same number. */
static uint32_t find_value(const kn_domain *d, const char *text, size_t len)
{
    uint32_t code = kn__dict_find(d->column->dict, text, len);
    double value;

    if (code != KN_NO_CODE || !d->column->numbers || !kn__type_is_ordered(d->column->type) ||
        !parse_bound(d, text, len, &value)) {
        return code;
    }
    code = kn__domain_below(d, value, false);
    return code + 1 == kn__domain_below(d, value, true) && fabs(value) < 0x1p53 ? code : KN_NO_CODE;
}

/* Read "{a,b}". `*parsed` is false when the text is no set of values of the domain. */
static kn_status parse_set(kn_published *p, const kn_domain *d, const char *text, size_t len,
                           bool *parsed, kn_error *err)
{
    const char *at, *end;
    kn_buffer element = {0};
    uint32_t *codes = NULL;
    size_t count = 0, cap = 0;
    kn_status status = KN_OK;

    *parsed = false;
    if (len < 2 || text[0] != '{' || text[len - 1] != '}') {
        return KN_OK;
    }
    at = text + 1;
    end = text + len;
    for (;;) {
        uint32_t code;
        const bool well = kn__set_next_text(&at, end, &element);

        status = element.failed ? kn__nomem(err)
                                : kn__grow(&codes, &cap, count + 1, sizeof *codes, err);
        if (status != KN_OK || !well) {
            goto done;
        }
        code = find_value(d, element.data, element.len);
        if (code == KN_NO_CODE) {
            goto done;
        }
        assert(codes);
        codes[count++] = code;
        if (*at++ == '}') {
            break;
        }
    }
    qsort(codes, count, sizeof *codes, compare_codes);
    for (size_t i = 1; i < count; i++) {
        if (codes[i] == codes[i - 1]) {
            goto done;
        }
    }
    if (at != end) {
        goto done;
    }
    *p = (kn_published){.kind = KN_PUB_SET, .codes = codes, .count = count};
    codes = NULL;
    p->leaves = (double)count;
    p->loss = d->total > 1 ? (p->leaves - 1) / (d->total - 1) : 0;
    p->ncp = count > 1 ? p->leaves / d->total : 0;
    *parsed = true;
done:
    kn__free(codes);
    kn__buffer_free(&element);
    return status;
}

/* Whether all that `node` covers is the value `code`. */
static bool only_covers(const kn_domain *d, uint32_t node, uint32_t code)
{
    uint32_t at = code;

    if (d->leaves[node] != 1) {
        return false;
    }
    while (d->depth[at] > d->depth[node]) {
        at = d->parent[at];
    }
    return at == node;
}

static kn_status fail_text(const kn_domain *d, const char *text, size_t len, kn_error *err)
{
    static const char *const groups[] = {[KN_DOMAIN_TREE] = "group of its hierarchy",
                                         [KN_DOMAIN_RANGE] = "range such as [20,30]",
                                         [KN_DOMAIN_SET] = "set such as {a,b}"};
    const char *name = d->column->name ? d->column->name : "";

    if (d->column->role == KN_ROLE_IDENTIFIER) {
        return kn__fail(err, KN_EINPUT, "column %s: a published value that is not parsed",
                        kn__quote_make(name, strlen(name)).text);
    }
    (void)kn__fail(err, KN_EINPUT,
                   "column %s: %s is no value of the original column, no %s and not suppressed (*)",
                   kn__quote_make(name, strlen(name)).text, kn__quote_make(text, len).text,
                   groups[d->kind]);
    return kn__about_column(err, KN_EINPUT, KN_ERROR_MISMATCH, name);
}

kn_status kn__published_parse(kn_published *out, const kn_domain *d, const char *text, size_t len,
                              kn_error *err)
{
    uint32_t code, id = KN_NO_CODE;
    bool parsed = false;
    kn_status status = KN_OK;

    *out = (kn_published){0};
    if (len == 1 && *text == '*') {
        *out = (kn_published){.kind = KN_PUB_SUPPRESSED, .leaves = d->total, .loss = 1, .ncp = 1};
        return KN_OK;
    }
    code = find_value(d, text, len);
    if (d->kind == KN_DOMAIN_TREE) {
        id = kn__dict_find(d->labels, text, len);
    }
    if (id != KN_NO_CODE) {
        const uint32_t node = d->top[id];

        if (code != KN_NO_CODE && !d->several[id] && only_covers(d, node, code)) {
            set_value(out, code);
        } else {
            set_node(out, d, node);
            out->ambiguous = d->several[id] || code != KN_NO_CODE;
        }
        return KN_OK;
    }
    if (code != KN_NO_CODE) {
        set_value(out, code);
        return KN_OK;
    }
    if (d->kind == KN_DOMAIN_RANGE) {
        parsed = parse_range(out, d, text, len);
    }
    if (!parsed) { /* numbers, and values that have a hierarchy, may be published so, too */
        status = parse_set(out, d, text, len, &parsed, err);
    }
    return status != KN_OK || parsed ? status : fail_text(d, text, len, err);
}

/* The highest node above `code` with the label of `node`; the value itself when its text is the
 * label; or KN_NO_NODE. */
static uint32_t narrow(const kn_domain *d, uint32_t node, uint32_t code)
{
    const uint32_t id = d->label_id[node - d->values], root = kn__domain_root(d);
    uint32_t found = KN_NO_NODE;

    for (uint32_t at = code; at != root;) {
        at = d->parent[at];
        if (d->label_id[at - d->values] == id) {
            found = at;
        }
    }
    if (found == KN_NO_NODE) {
        const char *label = d->label[node - d->values];
        return find_value(d, label, strlen(label)) == code ? code : KN_NO_NODE;
    }
    return found;
}

uint32_t kn__domain_as_read(const kn_domain *d, uint32_t node)
{
    const uint32_t root = kn__domain_root(d);
    const char *text;
    uint32_t id, code, found = node;
    size_t len;

    if (d->kind != KN_DOMAIN_TREE) {
        return node;
    }
    text = node < d->values ? kn__column_text(d->column, node, &len) : d->label[node - d->values];
    len = node < d->values ? len : strlen(text);
    if (len == 1 && *text == '*') {
        return root;
    }
    id = kn__dict_find(d->labels, text, len);
    while (id != KN_NO_CODE && node != root) {
        node = d->parent[node];
        found = d->label_id[node - d->values] == id ? node : found;
    }
    code = found < d->values ? found : find_value(d, text, len);
    return code != KN_NO_CODE && id != KN_NO_CODE && !d->several[id] && only_covers(d, found, code)
               ? code
               : found;
}

bool kn__published_covers(const kn_published *p, const kn_domain *d, uint32_t code,
                          kn_published *exact)
{
    uint32_t node;

    if (exact) {
        *exact = *p;
    }
    switch (p->kind) {
    case KN_PUB_VALUE: return p->code == code;
    case KN_PUB_RANGE:
        return code != d->column->missing && d->column->numbers[code] >= p->low &&
               d->column->numbers[code] <= p->high;
    case KN_PUB_SET: return bsearch(&code, p->codes, p->count, sizeof code, compare_codes) != NULL;
    case KN_PUB_SUPPRESSED: return true;
    case KN_PUB_NODE: break;
    }
    node = narrow(d, p->node, code);
    if (node != KN_NO_NODE && exact && p->ambiguous) {
        if (node < d->values) {
            set_value(exact, node);
        } else {
            set_node(exact, d, node);
        }
    }
    return node != KN_NO_NODE;
}
