/* rules_csv.c - rule lists as CSV: ours, and as R's arules and Python's mlxtend write them.
 *
 * The header says which columns there are: the sides in two of them (left and right, lhs and rhs,
 * antecedents and consequents) or in one ("{a,b} => {c}"), support, confidence, lift and count.
 * Of other measures only their presence matters (rules_csv_columns.c). A side is one of
 *   a|b                     ours
 *   {a,b}  {a,"b,c"}        arules; commas within brackets, as in age=[20,30), separate nothing
 *   frozenset({'a', 'b'})   mlxtend, and other Python lists and sets. */
#include "base/error.h"
#include "base/memory.h"
#include "base/sort.h"
#include "data/value.h"
#include "hierarchy/hierarchy.h"
#include "io/format/delimited.h"
#include "models/format/formats.h"
#include "models/format/rules_csv.h"

#include <math.h>
#include <string.h>

enum { FIGURES = 3 }; /* support, confidence, lift */

#define MOST_RECORDS 1e15
/* Figures that are not rounded are quotients of integers, up to their last bits. */
#define BINARY       1e-14

typedef struct reading {
    kn_text_rows rows;
    kn_rule_columns columns;
    kn_model *m;
    kn_buffer item;
    uint8_t *hidden; /* by item */
    size_t hidden_cap;
    uint32_t *list;
    size_t list_len, list_cap;
    kn_digits *digits; /* by rule: of its support, confidence and lift */
    size_t digits_cap;
    kn_error *err;
} reading;

static kn_status wrong(const reading *r, size_t column, kn_text found, const char *what)
{
    return kn__fail(r->err, KN_EINPUT, "%s: column %zu: %s %s",
                    kn__place_make(r->rows.name, r->rows.line).text, column + 1,
                    kn__quote_make(found.at, found.len).text, what);
}

/* ---- the header ---- */

static kn_status read_header(reading *r, const char *bytes, size_t len)
{
    static const char choices[] = {',', ';', '\t'};

    for (size_t i = 0; i < sizeof choices; i++) {
        kn_status status;
        kn__text_rows_start(&r->rows, bytes, len, choices[i]);
        status = kn__text_rows_next(&r->rows, r->err);
        if (status != KN_OK) {
            return status;
        }
        if (r->rows.count > 0) {
            bool is;
            status = kn__rule_columns_find(&r->columns, &r->rows, &is, r->err);
            if (status != KN_OK || is) {
                return status;
            }
        }
    }
    /* The message does not show the line: it may be the first record of a table. */
    return kn__fail(
        r->err, KN_EINPUT,
        "%s: no list of rules: the first line names the columns left and right (or lhs and "
        "rhs, antecedents and consequents), or rules; JSON and PMML begin with { and <",
        kn__place_make(r->rows.name, r->rows.line).text);
}

/* ---- sides ---- */

static kn_status add_item(reading *r, size_t column, kn_text item)
{
    kn_dict *items = r->m->rules.items;
    const uint32_t before = items->len;
    uint32_t code;

    if (item.len == 0) {
        return wrong(r, column, item, "is no item: something is missing between two separators");
    }
    KN_PASS(kn__dict_add(items, item.at, item.len, &code, r->err));
    if (items->len > before) {
        KN_PASS(kn__grow(&r->hidden, &r->hidden_cap, items->len, sizeof *r->hidden, r->err));
        r->hidden[before] = 0;
    }
    KN_PASS(kn__grow(&r->list, &r->list_cap, r->list_len + 1, sizeof *r->list, r->err));
    r->list[r->list_len++] = code;
    return KN_OK;
}

static char unescaped(char c)
{
    switch (c) {
    case 'n': return '\n';
    case 't': return '\t';
    case 'r': return '\r';
    default: return c;
    }
}

/* A quoted item of a Python list, from its quote on; `*at` ends behind it. */
static kn_status python_item(reading *r, size_t column, kn_text whole, const char **at,
                             const char *end)
{
    const char quote = **at;

    r->item.len = 0;
    for ((*at)++; *at < end && **at != quote; (*at)++) {
        char c = **at;
        if (c == '\\' && *at + 1 < end) {
            (*at)++;
            c = unescaped(**at);
            if (c != '\n' && c != '\t' && c != '\r' && c != '\\' && c != '\'' && c != '"') {
                return wrong(r, column, whole, "holds an escape that is not understood");
            }
        }
        kn__buffer_addc(&r->item, c);
    }
    if (*at == end) {
        return wrong(r, column, whole, "opens a quote and does not close it");
    }
    (*at)++;
    if (r->item.failed) {
        return kn__nomem(r->err);
    }
    return add_item(r, column, (kn_text){r->item.data, r->item.len});
}

/* Skip the opening of np.str_('a') or np.int64(3), as numpy writes texts and numbers. */
static bool opens_numpy(const char **at, const char *end)
{
    const char *p = *at;

    if (end - p < 3 || memcmp(p, "np.", 3) != 0) {
        return false;
    }
    for (p += 3; p < end && (*p == '_' || (*p >= 'a' && *p <= 'z') || (*p >= '0' && *p <= '9'));) {
        p++;
    }
    if (p == end || *p != '(') {
        return false;
    }
    *at = p + 1;
    return true;
}

/* A number, or None. Brackets and quotes are refused: they would be read differently than meant. */
static kn_status python_bare(reading *r, size_t column, kn_text whole, const char **at,
                             const char *end)
{
    const char *begin = *at;

    for (; *at < end && **at != ',' && **at != ')'; (*at)++) {
        if (strchr("([{}]'\"\\", **at)) {
            return wrong(r, column, whole, "holds something that is neither a text nor a number");
        }
    }
    return add_item(r, column, kn__text_trimmed((kn_text){begin, (size_t)(*at - begin)}));
}

static const char *behind_spaces(const char *at, const char *end)
{
    while (at < end && *at == ' ') {
        at++;
    }
    return at;
}

/* 'a', 'b' without the brackets around it. */
static kn_status python_list(reading *r, size_t column, kn_text whole, kn_text t)
{
    const char *at = t.at, *end = t.at + t.len;

    while ((at = behind_spaces(at, end)) < end) {
        const bool numpy = opens_numpy(&at, end);
        const bool quoted = at < end && (*at == '\'' || *at == '"');
        KN_PASS(quoted ? python_item(r, column, whole, &at, end)
                       : python_bare(r, column, whole, &at, end));
        if (numpy && (at == end || *at++ != ')')) {
            KN_PASS(wrong(r, column, whole, "opens a bracket and does not close it"));
        }
        at = behind_spaces(at, end);
        if (at < end && *at++ != ',') {
            KN_PASS(
                wrong(r, column, whole, "has something between an item and the comma behind it"));
        }
    }
    return KN_OK;
}

/* a,b or a,"b,c" without the braces around it. */
static kn_status brace_list(reading *r, size_t column, kn_text whole, kn_text t)
{
    const char *at = t.at, *end = t.at + t.len;
    kn_status status = KN_OK;

    while (status == KN_OK && at <= end) {
        const char *begin = at;
        size_t depth = 0;
        while (at < end && *at == ' ') {
            at++;
        }
        if (at < end && *at == '"') {
            if (!kn__set_next_text(&at, end + 1, &r->item)) {
                return wrong(r, column, whole, "opens a quote and does not close it");
            }
            if (r->item.failed) {
                return kn__nomem(r->err);
            }
            status = add_item(r, column, (kn_text){r->item.data, r->item.len});
        } else {
            for (; at < end && (depth > 0 || *at != ','); at++) {
                depth += *at == '[' || *at == '(';
                depth -= depth > 0 && (*at == ']' || *at == ')');
            }
            if (depth > 0) {
                return wrong(r, column, whole, "opens a bracket and does not close it");
            }
            status = add_item(r, column, kn__text_trimmed((kn_text){begin, (size_t)(at - begin)}));
        }
        at++;
    }
    return status;
}

static kn_status bar_list(reading *r, size_t column, kn_text t)
{
    kn_status status = KN_OK;
    size_t begin = 0;

    for (size_t i = 0; i <= t.len && status == KN_OK; i++) {
        if (i == t.len || t.at[i] == '|') {
            status = add_item(r, column, kn__text_trimmed((kn_text){t.at + begin, i - begin}));
            begin = i + 1;
        }
    }
    return status;
}

static bool enclosed(kn_text t, char open, char close)
{
    return t.len >= 2 && t.at[0] == open && t.at[t.len - 1] == close;
}

static kn_text inner(kn_text t, size_t before, size_t behind)
{
    return kn__text_trimmed((kn_text){t.at + before, t.len - before - behind});
}

static bool begins(kn_text t, const char *with)
{
    return t.len >= strlen(with) && memcmp(t.at, with, strlen(with)) == 0;
}

static bool is(kn_text t, const char *text)
{
    return t.len == strlen(text) && begins(t, text);
}

/* The items of a side into r->list. */
static kn_status read_list(reading *r, size_t column, kn_text whole)
{
    static const char frozen[] = "frozenset(";
    kn_text t = kn__text_trimmed(whole);
    const bool python = begins(t, frozen);
    bool listed;

    r->list_len = 0;
    if (python) {
        t = t.at[t.len - 1] == ')' ? inner(t, sizeof frozen - 1, 1) : (kn_text){"?", 1};
        if (t.len > 0 && !enclosed(t, '{', '}') && !enclosed(t, '[', ']')) {
            return wrong(r, column, whole, "is no frozenset({...})");
        }
    }
    if (t.len == 0 || is(t, "set()") || is(t, "[]") || is(t, "()")) {
        return KN_OK;
    }
    listed = python || ((enclosed(t, '[', ']') || enclosed(t, '(', ')')) &&
                        (t.at[1] == '\'' || t.at[1] == '"'));
    if (listed || enclosed(t, '{', '}')) {
        t = (kn_text){t.at + 1, t.len - 2}; /* brace_list looks at the brace behind it */
        if (kn__text_trimmed(t).len == 0) {
            return KN_OK;
        }
        return listed || *kn__text_trimmed(t).at == '\'' || begins(kn__text_trimmed(t), "np.str_('")
                   ? python_list(r, column, whole, t)
                   : brace_list(r, column, whole, t);
    }
    if (*t.at == '{') {
        return wrong(r, column, whole, "opens a brace and does not close it");
    }
    return bar_list(r, column, t);
}

static kn_status read_side(reading *r, size_t column, kn_text t, uint32_t **out, size_t *count)
{
    KN_PASS(read_list(r, column, t));
    kn__sort_u32(r->list, r->list_len);
    for (size_t i = 1; i < r->list_len; i++) {
        if (r->list[i - 1] == r->list[i]) {
            return wrong(r, column, t, "names an item twice");
        }
    }
    *out = kn__malloc_array(r->list_len, sizeof **out);
    if (!*out) {
        return kn__nomem(r->err);
    }
    if (r->list_len > 0) {
        memcpy(*out, r->list, r->list_len * sizeof **out);
    }
    *count = r->list_len;
    return KN_OK;
}

/* Split a rule at its arrow. Items may contain arrows, too, so an arrow between braces counts only
 * if it stands between the two sides. */
static kn_status split_rule(const reading *r, kn_text t, kn_text *left, kn_text *right)
{
    const bool braces = kn__text_trimmed(t).len > 0 && *kn__text_trimmed(t).at == '{';
    size_t arrows = 0;

    for (size_t i = 0; i + 1 < t.len; i++) {
        if (t.at[i] == '=' && t.at[i + 1] == '>') {
            const kn_text before = kn__text_trimmed((kn_text){t.at, i});
            const kn_text behind = kn__text_trimmed((kn_text){t.at + i + 2, t.len - i - 2});
            if (!braces || (enclosed(before, '{', '}') && enclosed(behind, '{', '}'))) {
                *left = before;
                *right = behind;
                arrows++;
            }
        }
    }
    if (arrows == 1) {
        return KN_OK;
    }
    return wrong(r, r->columns.at[KN_CSV_RULE], t,
                 arrows ? "has several arrows: which one parts the sides cannot be told; give the "
                          "sides in two columns"
                        : "is no rule such as {a,b} => {c}");
}

/* ---- rows ---- */

static kn_status read_figure(const reading *r, kn_csv_field f, double most, double *out,
                             kn_digits *digits)
{
    static const char *const unknown[] = {"", "NA", "nan", "NaN", "inf", "Inf"};
    const size_t column = r->columns.at[f];
    unsigned decimals;
    kn_text t;

    *out = NAN;
    *digits = (kn_digits){0};
    if (column == SIZE_MAX) {
        return KN_OK;
    }
    t = kn__text_trimmed(r->rows.label[column]);
    for (size_t i = 0; i < sizeof unknown / sizeof *unknown; i++) {
        if (is(t, unknown[i])) {
            return KN_OK;
        }
    }
    if (!kn__number_parse(t.at, t.len, out, &decimals) || *out < 0 || *out > most) {
        return wrong(r, column, t, most == 1 ? "is no share in 0..1" : "is no number from 0 on");
    }
    if (f == KN_CSV_COUNT && *out != floor(*out)) {
        return wrong(r, column, t, "is no number of records");
    }
    *digits = kn__digits_of(t.at, t.len);
    return KN_OK;
}

/* Any other measure implies the support of the right side, whatever its value is. */
static kn_status read_others(const reading *r, kn_rule *rule)
{
    for (size_t i = 0; i < r->columns.count; i++) {
        const kn_text t = kn__text_trimmed(r->rows.label[i]);
        if (r->columns.means[i] == KN_CSV_NUMBERING && !kn__is_numbering(t)) {
            return wrong(r, i, t,
                         "stands in a column without a name and is no number of a row: name the "
                         "column, or leave it out");
        }
        rule->right_stated = rule->right_stated ||
                             (r->columns.means[i] == KN_CSV_TELLS_RIGHT && t.len > 0);
    }
    return KN_OK;
}

static kn_status read_private(reading *r)
{
    const size_t column = r->columns.at[KN_CSV_PRIVATE];

    if (column == SIZE_MAX) {
        return KN_OK;
    }
    KN_PASS(read_list(r, column, r->rows.label[column]));
    for (size_t i = 0; i < r->list_len; i++) {
        r->hidden[r->list[i]] = 1;
    }
    return KN_OK;
}

static kn_status read_sides(reading *r, kn_rule *rule)
{
    const size_t rule_column = r->columns.at[KN_CSV_RULE];
    size_t left_column = r->columns.at[KN_CSV_LEFT], right_column = r->columns.at[KN_CSV_RIGHT];
    kn_text left, right;

    if (left_column == SIZE_MAX || right_column == SIZE_MAX) {
        left_column = right_column = rule_column;
        KN_PASS(split_rule(r, r->rows.label[rule_column], &left, &right));
    } else {
        left = r->rows.label[left_column];
        right = r->rows.label[right_column];
    }
    KN_PASS(read_side(r, left_column, left, &rule->left, &rule->left_count));
    KN_PASS(read_side(r, right_column, right, &rule->right, &rule->right_count));
    if (rule->right_count == 0) {
        KN_PASS(wrong(r, right_column, right, "names nothing for the right side of the rule"));
    }
    for (size_t i = 0, j = 0; i < rule->left_count && j < rule->right_count;) {
        if (rule->left[i] == rule->right[j]) {
            KN_PASS(wrong(r, right_column, right, "names an item that is on the left side too"));
        }
        if (rule->left[i] < rule->right[j]) {
            i++;
        } else {
            j++;
        }
    }
    return KN_OK;
}

static kn_status read_row(reading *r)
{
    kn_rules *rules = &r->m->rules;
    kn_rule *rule;
    kn_digits *digits, ignored;
    double count = NAN;

    if (r->rows.count != r->columns.count) {
        return kn__fail(r->err, KN_EINPUT, "%s: %zu field%s, but the first line names %zu columns",
                        kn__place_make(r->rows.name, r->rows.line).text, r->rows.count,
                        r->rows.count == 1 ? "" : "s", r->columns.count);
    }
    KN_PASS(kn__grow(&rules->rule, &rules->cap, rules->count + 1, sizeof *rules->rule, r->err));
    rule = &rules->rule[rules->count++];
    *rule = (kn_rule){0};
    KN_PASS(read_sides(r, rule));
    KN_PASS(
        kn__grow(&r->digits, &r->digits_cap, FIGURES * rules->count, sizeof *r->digits, r->err));
    digits = r->digits + FIGURES * (rules->count - 1);
    KN_PASS(read_figure(r, KN_CSV_SUPPORT, 1, &rule->support, &digits[0]));
    KN_PASS(read_figure(r, KN_CSV_CONFIDENCE, 1, &rule->confidence, &digits[1]));
    KN_PASS(read_figure(r, KN_CSV_LIFT, HUGE_VAL, &rule->lift, &digits[2]));
    KN_PASS(read_figure(r, KN_CSV_COUNT, MOST_RECORDS, &count, &ignored));
    KN_PASS(read_others(r, rule));
    if (count > 0) {
        rule->count = (uint64_t)count;
    }
    return read_private(r);
}

/* The rounding error of a figure follows from the digits of all figures of its column. */
static void set_within(reading *r)
{
    kn_rules *rules = &r->m->rules;
    kn_digits most[FIGURES] = {{0}};

    for (size_t i = 0; i < FIGURES * rules->count; i++) {
        kn__digits_raise(&most[i % FIGURES], r->digits[i]);
    }
    for (size_t i = 0; i < rules->count; i++) {
        kn_rule *rule = &rules->rule[i];
        const kn_digits *digits = r->digits + FIGURES * i;
        rule->support_within = kn__digits_within(digits[0], most[0]);
        rule->confidence_within = kn__digits_within(digits[1], most[1]);
        rule->lift_within = kn__digits_within(digits[2], most[2]);
    }
}

/* The number of records follows from counts and supports if only one number fits all of them as
 * they are written: rounded supports fit many. */
static void set_records(reading *r)
{
    double least = 1, most = MOST_RECORDS;
    bool any = false;

    for (size_t i = 0; i < r->m->rules.count; i++) {
        const kn_rule *rule = &r->m->rules.rule[i];
        const double count = (double)rule->count, within = rule->support_within;
        if (rule->count > 0 && rule->support > 0) {
            any = true;
            least = fmax(least, ceil(count / (rule->support + within) * (1 - BINARY)));
            if (rule->support > within) {
                most = fmin(most, floor(count / (rule->support - within) * (1 + BINARY)));
            }
        }
    }
    if (any && least == most) {
        r->m->rules.records = (uint64_t)least;
    }
}

static size_t line_of(const char *bytes, size_t offset)
{
    size_t line = 1;

    for (size_t i = 0; i < offset; i++) {
        line += bytes[i] == '\n';
    }
    return line;
}

kn_status kn__model_parse_csv(kn_model **out, const char *name, const char *bytes, size_t len,
                              kn_error *err)
{
    reading r = {.rows = {.name = name}, .err = err};
    size_t bad;
    kn_status status;

    *out = NULL;
    if (len >= 3 && memcmp(bytes, "\xEF\xBB\xBF", 3) == 0) {
        bytes += 3;
        len -= 3;
    }
    if (len && !kn__utf8_valid(bytes, len, &bad)) {
        return kn__fail(err, KN_EINPUT, "%s: %s", kn__place_make(name, line_of(bytes, bad)).text,
                        bytes[bad] == '\0' ? "a NUL byte; lists of rules are text files"
                                           : "invalid UTF-8; save the file as UTF-8");
    }
    KN_TRY(kn__model_new(&r.m, KN_MODEL_RULES, err));
    kn__buffer_adds(&r.item, "");
    KN_TRY(read_header(&r, bytes, len));
    for (;;) {
        KN_TRY(kn__text_rows_next(&r.rows, err));
        if (r.rows.count == 0) {
            break;
        }
        KN_TRY(read_row(&r));
    }
    if (!r.hidden) {
        r.hidden = kn__zalloc(1);
        KN_TRY(r.hidden ? KN_OK : kn__nomem(err));
    }
    set_within(&r);
    set_records(&r);
    r.m->rules.hidden = r.hidden;
    r.hidden = NULL;
    *out = r.m;
    r.m = NULL;
done:
    kn_model_free(r.m);
    kn__text_rows_clear(&r.rows);
    kn__buffer_free(&r.item);
    KN_FREE(r.hidden, r.list, r.digits);
    kn__rule_columns_clear(&r.columns);
    return status;
}
