/* read_tests.c - predicates of PMML as tests of the model's own attributes.
 *
 * A predicate may compare a derived number f(x) with c. Every step of f is monotonic, also as
 * computed with rounding, so {x : f(x) <= c} is a half-line. Its end is found by bisection over all
 * doubles: the test of x then gives the same answer as the predicate, to the last bit. */
#include "base/error.h"
#include "base/memory.h"
#include "base/sort.h"
#include "models/format/pmml/pmml.h"

#include <float.h>
#include <string.h>

enum { DEEPEST = 60 };

/* ---- ends of derived numbers ---- */

/* The rank of a double among all doubles, and back. */
static int64_t rank_of(double x)
{
    int64_t bits;

    memcpy(&bits, &x, sizeof bits);
    return bits >= 0 ? bits : INT64_MIN - bits;
}

static double of_rank(int64_t rank)
{
    const int64_t bits = rank >= 0 ? rank : INT64_MIN - rank;
    double x;

    memcpy(&x, &bits, sizeof x);
    return x;
}

static bool holds(kn_test_kind kind, double x, double c)
{
    switch (kind) {
    case KN_TEST_LESS: return x < c;
    case KN_TEST_LESS_EQUAL: return x <= c;
    case KN_TEST_GREATER: return x > c;
    case KN_TEST_GREATER_EQUAL: return x >= c;
    case KN_TEST_EQUAL: return x == c;
    default: return x != c;
    }
}

/* The test of x that is true where `kind` is true of f(x) and c. */
static kn_test fold(const kn_pmml_field *f, kn_test_kind kind, double c)
{
    const bool upward = kind == KN_TEST_GREATER || kind == KN_TEST_GREATER_EQUAL;
    const bool above = upward != kn__pmml_steps_turn(f); /* x above the end make it true */
    kn_test t = {.attribute = f->attribute};
    int64_t low = rank_of(-DBL_MAX), high = rank_of(DBL_MAX);
    const bool at_low = holds(kind, kn__pmml_steps_value(f, -DBL_MAX), c);
    const bool at_high = holds(kind, kn__pmml_steps_value(f, DBL_MAX), c);

    if (at_low == at_high) {
        /* of every number, or of none */
        t.kind = at_low ? KN_TEST_LESS_EQUAL : KN_TEST_LESS;
        t.number = at_low ? DBL_MAX : -DBL_MAX;
        return t;
    }
    /* low is on one side of the end and high on the other */
    while ((uint64_t)high - (uint64_t)low > 1) {
        const int64_t middle = low + (int64_t)(((uint64_t)high - (uint64_t)low) / 2);
        if (holds(kind, kn__pmml_steps_value(f, of_rank(middle)), c) == at_low) {
            low = middle;
        } else {
            high = middle;
        }
    }
    /* one number for a predicate and its opposite, so that there is nothing between the two */
    t.kind = above ? KN_TEST_GREATER : KN_TEST_LESS_EQUAL;
    t.number = of_rank(low);
    return t;
}

/* ---- compound tests ---- */

static kn_status both(const kn_pmml_reader *r, kn_test_kind kind, const kn_test *a,
                      const kn_test *b, kn_test *out)
{
    kn_test *parts = kn__malloc_array(2, sizeof *parts);

    if (!parts) {
        return kn__nomem(r->err);
    }
    parts[0] = *a;
    parts[1] = *b;
    *out = (kn_test){.kind = kind, .parts = parts, .parts_count = 2};
    return KN_OK;
}

static kn_status number_test(const kn_pmml_reader *r, const kn_pmml_field *f, kn_test_kind kind,
                             double c, kn_test *out)
{
    if (!f->steps) {
        *out = (kn_test){.kind = kind, .attribute = f->attribute, .number = c};
        return KN_OK;
    }
    if (f->step[f->steps - 1].kind == KN_PMML_FLOAT) {
        c = (double)(float)c; /* what it is compared with is of its type */
    }
    if (kind == KN_TEST_EQUAL || kind == KN_TEST_NOT_EQUAL) {
        const bool equal = kind == KN_TEST_EQUAL;
        const kn_test below = fold(f, equal ? KN_TEST_GREATER_EQUAL : KN_TEST_LESS, c);
        const kn_test above = fold(f, equal ? KN_TEST_LESS_EQUAL : KN_TEST_GREATER, c);
        return both(r, equal ? KN_TEST_AND : KN_TEST_OR, &below, &above, out);
    }
    *out = fold(f, kind, c);
    return KN_OK;
}

/* Is the attribute one of `codes`? Takes them. */
static void set_test(const kn_pmml_field *f, bool in, uint32_t *codes, size_t count, kn_test *out)
{
    size_t kept = 0;

    kn__sort_u32(codes, count);
    for (size_t i = 0; i < count; i++) {
        if (kept == 0 || codes[kept - 1] != codes[i]) {
            codes[kept++] = codes[i];
        }
    }
    *out = (kn_test){.kind = in ? KN_TEST_IN : KN_TEST_NOT_IN,
                     .attribute = f->attribute,
                     .values = codes,
                     .values_count = kept};
}

static kn_status one_value(kn_pmml_reader *r, const kn_pmml_field *f, bool in, const char *text,
                           kn_test *out)
{
    uint32_t *codes = kn__malloc(sizeof *codes);
    kn_status st = codes ? kn__pmml_code(r, f->attribute, text, strlen(text), codes)
                         : kn__nomem(r->err);

    if (st != KN_OK) {
        kn__free(codes);
        return st;
    }
    set_test(f, in, codes, 1, out);
    return KN_OK;
}

/* ---- what stands for missing values ---- */

static bool true_of(const kn_test *t, double number, uint32_t code)
{
    bool found = false;

    if (t->kind == KN_TEST_AND || t->kind == KN_TEST_OR) {
        for (size_t i = 0; i < t->parts_count; i++) {
            if (true_of(&t->parts[i], number, code) == (t->kind == KN_TEST_OR)) {
                return t->kind == KN_TEST_OR;
            }
        }
        return t->kind == KN_TEST_AND;
    }
    if (t->kind != KN_TEST_IN && t->kind != KN_TEST_NOT_IN) {
        return holds(t->kind, number, t->number);
    }
    for (size_t i = 0; i < t->values_count; i++) {
        found |= t->values[i] == code;
    }
    return found == (t->kind == KN_TEST_IN);
}

/* Let `*t`, which is unknown for missing values, give for them the answer of their replacement. */
static kn_status replace_missing(kn_pmml_reader *r, const kn_xml_element *e, const kn_pmml_field *f,
                                 kn_test *t)
{
    kn_test missing = {.attribute = f->attribute}, whole;
    double number = 0;
    uint32_t code = KN_NO_CODE;
    bool answer;
    kn_status st = KN_OK;

    if (!f->replacement) {
        return KN_OK;
    }
    if (f->type == KN_TYPE_CATEGORY) {
        st = kn__pmml_code(r, f->attribute, f->replacement, strlen(f->replacement), &code);
    } else if (!kn__pmml_value(f->type, f->replacement, &number)) {
        st = kn__pmml_refuse(r, e,
                             "missingValueReplacement of '%.60s' is '%.40s', which is no number",
                             f->name, f->replacement);
    }
    if (st == KN_OK) {
        answer = true_of(t, number, code);
        missing.kind = answer ? KN_TEST_MISSING : KN_TEST_NOT_MISSING;
        st = both(r, answer ? KN_TEST_OR : KN_TEST_AND, t, &missing, &whole);
    }
    if (st != KN_OK) {
        kn__test_clear(t);
        return st;
    }
    *t = whole;
    return KN_OK;
}

/* ---- predicates ---- */

static bool kind_of(const char *operator, kn_test_kind * kind)
{
    static const struct {
        const char *name;
        kn_test_kind kind;
    } names[] = {{"equal", KN_TEST_EQUAL},         {"notEqual", KN_TEST_NOT_EQUAL},
                 {"lessThan", KN_TEST_LESS},       {"lessOrEqual", KN_TEST_LESS_EQUAL},
                 {"greaterThan", KN_TEST_GREATER}, {"greaterOrEqual", KN_TEST_GREATER_EQUAL},
                 {"isMissing", KN_TEST_MISSING},   {"isNotMissing", KN_TEST_NOT_MISSING}};

    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        if (strcmp(names[i].name, operator) == 0) {
            *kind = names[i].kind;
            return true;
        }
    }
    return false;
}

/* A field that is 1 for one value of its category and 0 for all others. */
static kn_status one_or_zero(kn_pmml_reader *r, const kn_pmml_field *f, kn_test_kind kind, double c,
                             kn_test *out)
{
    const bool one = holds(kind, 1, c), zero = holds(kind, 0, c);

    if (one != zero) {
        return one_value(r, f, one, f->one_for, out);
    }
    *out = (kn_test){.kind = one ? KN_TEST_NOT_IN : KN_TEST_IN, .attribute = f->attribute};
    return KN_OK;
}

static kn_status simple(kn_pmml_reader *r, const kn_xml_element *e, kn_test *out)
{
    const kn_pmml_field *f = NULL;
    const char *operator, * value;
    kn_test_kind kind = KN_TEST_TRUE;
    double c;
    kn_status st = kn__pmml_known(r, e, "field operator value", "");

    if (st != KN_OK || (st = kn__pmml_need(r, e, "operator", &operator)) != KN_OK ||
        (st = kn__pmml_field_of(r, e, "field", &f)) != KN_OK) {
        return st;
    }
    if (!kind_of(operator, & kind)) {
        return kn__pmml_refuse(r, e, "SimplePredicate with operator '%.40s' is not read", operator);
    }
    if (kind == KN_TEST_MISSING || kind == KN_TEST_NOT_MISSING) {
        *out = (kn_test){.kind = kind, .attribute = f->attribute};
        if (f->replacement) {
            *out = (kn_test){.kind = kind == KN_TEST_MISSING ? KN_TEST_FALSE : KN_TEST_TRUE};
        }
        return KN_OK;
    }
    if ((st = kn__pmml_need(r, e, "value", &value)) != KN_OK) {
        return st;
    }
    if (f->type == KN_TYPE_CATEGORY && !f->one_for) {
        if (kind != KN_TEST_EQUAL && kind != KN_TEST_NOT_EQUAL) {
            return kn__pmml_refuse(
                r, e,
                "operator '%s' asks for the order of the category '%.60s', which is "
                "not read: equal, notEqual and sets are",
                operator, f->name);
        }
        st = one_value(r, f, kind == KN_TEST_EQUAL, value, out);
    } else if (!kn__pmml_value(f->one_for || f->steps ? KN_TYPE_DECIMAL : f->type, value, &c)) {
        st = kn__pmml_refuse(r, e, "'%.60s' is compared with '%.40s', which is no %s", f->name,
                             value, f->type == KN_TYPE_DATE ? "date" : "number");
    } else {
        st = f->one_for ? one_or_zero(r, f, kind, c, out) : number_test(r, f, kind, c, out);
    }
    return st == KN_OK ? replace_missing(r, e, f, out) : st;
}

/* Numbers: equal to any of them. */
static kn_status set_of_numbers(kn_pmml_reader *r, const kn_xml_element *array,
                                const kn_pmml_field *f, bool in, size_t count, kn_test *out)
{
    kn_test whole = {.kind = in ? KN_TEST_OR : KN_TEST_AND};
    double *numbers = kn__malloc_array(count, sizeof *numbers);
    kn_status st = KN_OK;

    whole.parts = kn__zalloc_array(count, sizeof *whole.parts);
    st = numbers && whole.parts ? kn__pmml_array_numbers(r, array, count, numbers)
                                : kn__nomem(r->err);
    for (size_t i = 0; st == KN_OK && i < count; i++) {
        st = number_test(r, f, in ? KN_TEST_EQUAL : KN_TEST_NOT_EQUAL, numbers[i], &whole.parts[i]);
        whole.parts_count += st == KN_OK;
    }
    kn__free(numbers);
    if (st == KN_OK) {
        *out = whole;
    } else {
        kn__test_clear(&whole);
    }
    return st;
}

static kn_status set_of_values(kn_pmml_reader *r, const kn_xml_element *array,
                               const kn_pmml_field *f, bool in, size_t count, kn_test *out)
{
    uint32_t *codes = kn__malloc_array(count, sizeof *codes);
    kn_buffer scratch = {0};
    const char *text;
    size_t at = 0, len;
    kn_status status;

    KN_TRY(codes ? KN_OK : kn__nomem(r->err));
    for (size_t i = 0; i < count; i++) {
        (void)kn__pmml_array_next(array, &at, &scratch, &text, &len);
        KN_TRY(scratch.failed ? kn__nomem(r->err)
                              : kn__pmml_code(r, f->attribute, text, len, &codes[i]));
    }
    set_test(f, in, codes, count, out);
    codes = NULL;
done:
    kn__buffer_free(&scratch);
    kn__free(codes);
    return status;
}

static kn_status set(kn_pmml_reader *r, const kn_xml_element *e, kn_test *out)
{
    const kn_xml_element *array = kn__xml_child(e, "Array");
    const kn_pmml_field *f = NULL;
    const char *operator;
    size_t count;
    bool in;
    kn_status st = kn__pmml_known(r, e, "field booleanOperator", "Array");

    if (st != KN_OK || (st = kn__pmml_need(r, e, "booleanOperator", &operator)) != KN_OK ||
        (st = kn__pmml_only(r, e, "booleanOperator", "isIn isNotIn")) != KN_OK ||
        (st = kn__pmml_field_of(r, e, "field", &f)) != KN_OK) {
        return st;
    }
    in = strcmp(operator, "isIn") == 0;
    if (!array || kn__xml_again(array)) {
        return kn__pmml_refuse(r, e, "SimpleSetPredicate needs one Array");
    }
    if ((st = kn__pmml_array_count(r, array, &count)) != KN_OK) {
        return st;
    }
    if (f->one_for) {
        return kn__pmml_refuse(r, e, "SimpleSetPredicate over a NormDiscrete field is not read");
    }
    if (f->type == KN_TYPE_CATEGORY) {
        st = set_of_values(r, array, f, in, count, out);
    } else if (count == 0 || f->type == KN_TYPE_DATE) {
        return kn__pmml_refuse(r, e, "SimpleSetPredicate over %s is not read",
                               count ? "dates" : "no numbers at all");
    } else {
        st = set_of_numbers(r, array, f, in, count, out);
    }
    return st == KN_OK ? replace_missing(r, e, f, out) : st;
}

/* By the first letter of and, or, xor, surrogate. */
static kn_test_kind compound_kind(char letter)
{
    switch (letter) {
    case 'a': return KN_TEST_AND;
    case 'o': return KN_TEST_OR;
    case 'x': return KN_TEST_XOR;
    default: return KN_TEST_SURROGATE;
    }
}

static kn_status compound(kn_pmml_reader *r, const kn_xml_element *e, unsigned depth, kn_test *out)
{
    const char *operator;
    kn_test whole = {0};
    size_t count = 0;
    kn_status st = kn__pmml_known(
        r, e, "booleanOperator", "SimplePredicate SimpleSetPredicate CompoundPredicate True False");

    if (st != KN_OK || (st = kn__pmml_need(r, e, "booleanOperator", &operator)) != KN_OK ||
        (st = kn__pmml_only(r, e, "booleanOperator", "and or xor surrogate")) != KN_OK) {
        return st;
    }
    for (const kn_xml_element *c = e->first; c; c = c->next) {
        count += !kn__pmml_is(c, "Extension");
    }
    if (count == 0) {
        return kn__pmml_refuse(r, e, "CompoundPredicate of nothing");
    }
    whole.kind = compound_kind(*operator);
    whole.parts = kn__zalloc_array(count, sizeof *whole.parts);
    if (!whole.parts) {
        return kn__nomem(r->err);
    }
    for (const kn_xml_element *c = e->first; c && st == KN_OK; c = c->next) {
        if (!kn__pmml_is(c, "Extension")) {
            st = kn__pmml_predicate(r, c, depth + 1, &whole.parts[whole.parts_count]);
            whole.parts_count += st == KN_OK;
        }
    }
    if (st == KN_OK) {
        *out = whole;
    } else {
        kn__test_clear(&whole);
    }
    return st;
}

kn_status kn__pmml_predicate(kn_pmml_reader *r, const kn_xml_element *e, unsigned depth,
                             kn_test *out)
{
    if (depth > DEEPEST) {
        return kn__pmml_refuse(r, e, "predicates are nested more than %d deep", DEEPEST);
    }
    if (kn__pmml_is(e, "True") || kn__pmml_is(e, "False")) {
        *out = (kn_test){.kind = kn__pmml_is(e, "True") ? KN_TEST_TRUE : KN_TEST_FALSE};
        return kn__pmml_known(r, e, "", "");
    }
    if (kn__pmml_is(e, "SimplePredicate")) {
        return simple(r, e, out);
    }
    if (kn__pmml_is(e, "SimpleSetPredicate")) {
        return set(r, e, out);
    }
    return compound(r, e, depth, out);
}
