/* counts.h - records that stand for several people each must give what the rows give: random
 * numbers, and the comparison of a table of rows with the table of its classes. */
#ifndef KN_TESTS_API_COUNTS_H
#define KN_TESTS_API_COUNTS_H

#include <kanon.h>

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

static unsigned seed; /* of the case that is running */
static const kn_run alone = {KN_INIT(kn_run), .threads = 1};

static unsigned below(unsigned n)
{
    return (unsigned)rand_r(&seed) % n;
}

static void shuffle(size_t *order, size_t count)
{
    for (size_t i = count; i > 1; i--) {
        const size_t j = below((unsigned)i), other = order[j];
        order[j] = order[i - 1];
        order[i - 1] = other;
    }
}

/* List each of `classes` as often as it has people, in random order. */
static size_t rows_of(size_t *of, const uint64_t *count, size_t classes)
{
    size_t rows = 0;

    for (size_t i = 0; i < classes; i++) {
        for (uint64_t j = 0; j < count[i]; j++) {
            of[rows++] = i;
        }
    }
    shuffle(of, rows);
    return rows;
}

static void add_hierarchy(kn_hierarchies *hs, const char *column, const char *text)
{
    kn_hierarchy *h = NULL;

    assert_int_equal(kn_hierarchy_parse(&h, text, strlen(text), column, NULL), KN_OK);
    assert_int_equal(kn_hierarchies_add(hs, column, h, NULL), KN_OK);
}

/* What is compared of a case, and what was found in all of them. */
typedef struct comparison {
    double tolerance; /* relative, of measures whose sums are made in another order */
    bool classes;     /* both verdicts count the same classes */
    size_t made, held, suppressed;
} comparison;

static void same_verdict(const comparison *c, const kn_verdict *a, const kn_verdict *b,
                         size_t guarantees)
{
    assert_int_equal(kn_verdict_holds(a), kn_verdict_holds(b));
    assert_int_equal(kn_verdict_violations(a), kn_verdict_violations(b));
    assert_int_equal(kn_verdict_records_at_risk(a), kn_verdict_records_at_risk(b));
    if (c->classes) {
        assert_int_equal(kn_verdict_classes(a), kn_verdict_classes(b));
    }
    for (size_t i = 0; i < guarantees; i++) {
        assert_true(kn_verdict_achieved(a, i) == kn_verdict_achieved(b, i));
    }
    assert_int_equal(kn_verdict_certificates(a), kn_verdict_certificates(b));
    for (size_t i = 0; i < kn_verdict_certificates(a); i++) {
        const kn_certificate *x = kn_verdict_certificate(a, i), *y = kn_verdict_certificate(b, i);
        assert_int_equal(x->size, y->size);
        assert_int_equal(x->kind, y->kind);
        assert_int_equal(x->samples, y->samples);
        assert_int_equal(x->failures, y->failures);
        assert_int_equal(x->attempt, y->attempt);
        assert_true(x->eps == y->eps);
    }
}

static void same_measures(const comparison *c, const kn_measures *a, const kn_measures *b)
{
    assert_int_equal(kn_measures_count(a), kn_measures_count(b));
    for (size_t i = 0; i < kn_measures_count(a); i++) {
        const kn_measurement *x = kn_measures_get(a, i), *y = kn_measures_get(b, i);
        assert_string_equal(x->name, y->name);
        if (x->value != y->value && !(isnan(x->value) && isnan(y->value)) &&
            !(fabs(x->value - y->value) <= c->tolerance * fabs(x->value))) {
            fail_msg("seed %u: %s is %.17g of the rows and %.17g of the classes", seed, x->name,
                     x->value, y->value);
        }
    }
}

static void same_recoding(const kn_release *a, const kn_release *b)
{
    kn_value_recoding *x = NULL, *y = NULL;
    char *one = NULL, *other = NULL;
    const kn_status status = kn_release_recoding(&x, a, NULL); /* not every release has one */

    assert_int_equal(kn_release_recoding(&y, b, NULL), status);
    if (status == KN_OK) {
        assert_int_equal(kn_recoding_json(&one, x, NULL), KN_OK);
        assert_int_equal(kn_recoding_json(&other, y, NULL), KN_OK);
        assert_string_equal(one, other);
    }
    kn_string_free(one);
    kn_string_free(other);
    kn_recoding_free(x);
    kn_recoding_free(y);
}

static void same_release(comparison *c, const kn_dataset *rows, const kn_dataset *classes,
                         const kn_hierarchies *hs, const kn_anonymize_options *options)
{
    kn_release *r = NULL, *s = NULL;
    kn_outcome x = {0}, y = {0};
    kn_error err = {0}, other = {0};
    kn_status status = kn_anonymize(&r, rows, hs, options, &alone, &err);

    assert_int_equal(kn_anonymize(&s, classes, hs, options, &alone, &other), status);
    assert_string_equal(err.message, other.message);
    if (status == KN_OK) {
        assert_int_equal(kn_release_suppressed(r), kn_release_suppressed(s));
        c->suppressed += kn_release_suppressed(r);
        same_recoding(r, s);
        status = kn_release_verify(&x, r, &alone, &err); /* all records may be suppressed */
        assert_int_equal(kn_release_verify(&y, s, &alone, &other), status);
        assert_string_equal(err.message, other.message);
    }
    if (status == KN_OK) {
        c->made++;
        assert_int_equal(kn_dataset_people(kn_release_data(s)),
                         kn_dataset_records(kn_release_data(r)));
        assert_int_equal(kn_dataset_people(y.published), kn_dataset_records(x.published));
        assert_null(y.points);
        same_verdict(c, x.verdict, y.verdict, options->guarantees_count);
        same_measures(c, x.measures, y.measures);
    }
    kn_outcome_clear(&x);
    kn_outcome_clear(&y);
    kn_release_free(r);
    kn_release_free(s);
}

/* The check of both tables, and of what is made of them. Frees both and `hs`. */
static void compare(comparison *c, kn_dataset *rows, kn_dataset *classes, kn_hierarchies *hs,
                    const kn_anonymize_options *options)
{
    const kn_guarantee *g = options->guarantees;
    const size_t count = options->guarantees_count;
    kn_verdict *x = NULL, *y = NULL;

    assert_int_equal(kn_dataset_people(classes), kn_dataset_records(rows));
    assert_int_equal(kn_check(&x, rows, g, count, hs, &alone, NULL), KN_OK);
    assert_int_equal(kn_check(&y, classes, g, count, hs, &alone, NULL), KN_OK);
    same_verdict(c, x, y, count);
    c->held += kn_verdict_holds(x);
    same_release(c, rows, classes, hs, options);
    kn_verdict_free(x);
    kn_verdict_free(y);
    kn_hierarchies_free(hs);
    kn_dataset_free(classes);
    kn_dataset_free(rows);
}

/* Some of `cases` have a release and some not, some hold from the start, and some suppress. */
static void every_kind_occurred(const comparison *c, size_t cases)
{
    assert_in_range(c->made, cases / 4, cases - 1);
    assert_in_range(c->held, 1, cases - 1);
    assert_true(c->suppressed > 0);
}

#endif
