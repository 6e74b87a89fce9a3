/* Nearest centres against the definition, in cases full of ties and in cases of large numbers;
 * exact sums and linear programmes. */
#include "models/clusters/nearest_search.h"
#include "base/memory.h"
#include "base/rng.h"
#include "models/exact/integer_simplex.h"
#include "rounds.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>

#include <cmocka.h>

#include "oracle/nearest.h"

#define CASES test_rounds(20000)

static int between(kn_rng *r, int low, int high)
{
    return low + (int)kn__rng_below(r, (uint64_t)(high - low) + 1);
}

/* ---- exact sums ---- */

static void test_sums(void **state)
{
    kn_rng r;

    (void)state;
    kn__rng_seed(&r, 3, 0);
    for (int n = 0; n < test_rounds(20000); n++) {
        kn_exact sum = {{0}}, negative;
        oracle_wide want = 0;
        const int terms = between(&r, 1, 6);
        for (int i = 0; i < terms; i++) {
            const int64_t a = between(&r, -(1 << 20), 1 << 20),
                          b = between(&r, -(1 << 29), 1 << 29),
                          c = between(&r, -(1 << 29), 1 << 29), times = between(&r, -2, 2);
            kn__exact_add(&sum, (int)times, ldexp((double)a, 40), ldexp((double)b, -60), (double)c);
            want += (oracle_wide)times * a * b * c;
        }
        assert_int_equal(kn__exact_sign(&sum), (want > 0) - (want < 0));
        kn__exact_subtract(&negative, &(kn_exact){{0}}, &sum);
        assert_int_equal(kn__exact_sign(&negative), (want < 0) - (want > 0));
        kn__exact_subtract(&negative, &sum, &sum);
        assert_int_equal(kn__exact_sign(&negative), 0);
        /* The exact value taken off again leaves nothing; the least bit more or less shows. */
        kn__exact_add(&sum, -1, (double)(int64_t)(want >> 60), 0x1p40, 1);
        kn__exact_add(&sum, -1, (double)(int64_t)(want >> 30 & 0x3fffffff), 0x1p10, 1);
        kn__exact_add(&sum, -1, (double)(int64_t)(want & 0x3fffffff), 0x1p-20, 1);
        assert_int_equal(kn__exact_sign(&sum), 0);
        kn__exact_add(&sum, 1, 0x1p-250, 0x1p-250, 0x1p-250);
        assert_int_equal(kn__exact_sign(&sum), 1);
        kn__exact_add(&sum, -1, 0x1.8p-250, 0x1p-250, 0x1p-250);
        assert_int_equal(kn__exact_sign(&sum), -1);
        kn__exact_add(&sum, 4, 0x1p250, 0x1p250, 0x1p250);
        assert_int_equal(kn__exact_sign(&sum), 1);
    }
}

/* Against the corners of what is left of a box, by the oracle's lists of them. */
static void test_corners(void **state)
{
    enum { ROWS = 5, MOST = 3 };
    static kn_exact part[ROWS][MOST + 1], width[MOST];
    kn_exact_row row[ROWS];
    int yes = 0, no = 0;
    kn_rng r;

    (void)state;
    kn__rng_seed(&r, 2, 0);
    for (int n = 0; n < test_rounds(20000); n++) {
        const int d = between(&r, 0, MOST), rows = between(&r, 0, ROWS);
        oracle_plane p[ROWS + 2 * MOST];
        bool answer;
        memset(p, 0, sizeof p);
        memset(part, 0, sizeof part);
        memset(width, 0, sizeof width);
        for (int v = 0; v < d; v++) {
            const int side = between(&r, 0, 8);
            p[2 * v].part[v] = 1;
            p[2 * v + 1].part[v] = -1;
            p[2 * v + 1].part[3] = side;
            kn__exact_add(&width[v], 1, side, 1, 1);
        }
        for (int i = 0; i < rows; i++) {
            oracle_plane *own = &p[2 * d + i];
            own->strict = kn__rng_below(&r, 2);
            own->part[3] = between(&r, -6, 3);
            kn__exact_add(&part[i][d], 1, (double)own->part[3], 1, 1);
            for (int v = 0; v < d; v++) {
                own->part[v] = between(&r, -3, 3);
                kn__exact_add(&part[i][v], 1, (double)own->part[v], 1, 1);
            }
            row[i] = (kn_exact_row){part[i], own->strict};
        }
        const bool want = oracle_some_point(p, 2 * d + rows, d);
        assert_int_equal(kn__exact_feasible(&answer, row, (size_t)rows, width, (size_t)d, NULL),
                         KN_OK);
        assert_int_equal(answer, want);
        yes += want;
        no += !want;
    }
    assert_true(yes > test_rounds(3000) && no > test_rounds(3000));
}

/* Points of a programme that are known to be there are found, and those that would need a wrong
 * sign of a multiple of rows are not. */
static void test_programmes(void **state)
{
    kn_rng r;
    int yes = 0, no = 0;

    (void)state;
    kn__rng_seed(&r, 4, 0);
    for (int n = 0; n < test_rounds(3000); n++) {
        enum { ROWS = 12, MOST = 6 };
        const size_t d = (size_t)between(&r, 1, MOST), rows = (size_t)between(&r, 1, ROWS);
        static kn_exact part[ROWS + 1][MOST + 1], width[MOST];
        kn_exact_row row[ROWS + 1];
        double y[MOST], coefficient[ROWS][MOST];
        bool answer;
        memset(part, 0, sizeof part);
        memset(width, 0, sizeof width);
        for (size_t a = 0; a < d; a++) {
            y[a] = between(&r, 0, 64) / 8.0;
            kn__exact_add(&width[a], 1, 8, 1, 1);
        }
        for (size_t i = 0; i < rows; i++) {
            /* coefficient * (y' - y) >= 0, all equal to 0 at y' = y. */
            for (size_t a = 0; a < d; a++) {
                coefficient[i][a] = between(&r, -9, 9) * (kn__rng_below(&r, 2) ? 1 : 0x1p-90);
                kn__exact_add(&part[i][a], 1, coefficient[i][a], 1, 1);
                kn__exact_add(&part[i][d], -1, coefficient[i][a], y[a], 1);
            }
            row[i] = (kn_exact_row){part[i], false};
        }
        assert_int_equal(kn__exact_feasible(&answer, row, rows, width, d, NULL), KN_OK);
        assert_true(answer);
        yes++;
        /* Minus a sum of the rows, to be above 0: a contradiction, however near. */
        for (size_t i = 0; i < rows; i++) {
            const int times = between(&r, 0, 2);
            for (size_t a = 0; a < d; a++) {
                kn__exact_add(&part[rows][a], -times, coefficient[i][a], 1, 1);
                kn__exact_add(&part[rows][d], times, coefficient[i][a], y[a], 1);
            }
        }
        row[rows] = (kn_exact_row){part[rows], false};
        assert_int_equal(kn__exact_feasible(&answer, row, rows + 1, width, d, NULL), KN_OK);
        assert_true(answer);
        row[rows].strict = true;
        assert_int_equal(kn__exact_feasible(&answer, row, rows + 1, width, d, NULL), KN_OK);
        assert_false(answer);
        no++;
        row[rows].strict = false;
        kn__exact_add(&part[rows][d], -1, 0x1p-200, 1, 1);
        assert_int_equal(kn__exact_feasible(&answer, row, rows + 1, width, d, NULL), KN_OK);
        assert_false(answer);
    }
    assert_int_equal(yes, no);
}

/* ---- reach ---- */

static int number(kn_rng *r, int size)
{
    return between(r, -size, size);
}

static void make_case(oracle_centres *o, kn_rng *r, int size)
{
    int numbers = 0;

    memset(o, 0, sizeof *o);
    o->attributes = between(r, 1, 5);
    o->centres = between(r, 1, NEAREST_CENTRES);
    for (int a = 0; a < o->attributes; a++) {
        oracle_axis *x = &o->axis[a];
        x->category = kn__rng_below(r, 3) == 0;
        x->hidden = kn__rng_below(r, 2) && (x->category || numbers < 3);
        x->missing = x->hidden && kn__rng_below(r, 4) == 0;
        x->weight = between(r, 1, 3);
        x->values = between(r, 1, 3);
        x->low = number(r, size);
        x->high = x->low + between(r, 0, size);
        if (x->hidden && x->missing && kn__rng_below(r, 8) == 0) {
            x->high = x->low - 1;
            x->values = x->category ? x->values : 0;
        }
        numbers += x->hidden && !x->category;
        for (int i = 0; i < o->centres; i++) {
            o->centre[i][a] = x->category ? between(r, 0, x->values - 1) : number(r, size);
            if ((x->category || !x->hidden) && kn__rng_below(r, 10) == 0) {
                o->centre[i][a] = NEAREST_NONE;
            }
        }
    }
}

typedef struct subject {
    kn_space space;
    kn_space_attribute at[NEAREST_ATTRIBUTES];
    double centre[NEAREST_CENTRES * NEAREST_ATTRIBUTES];
    double category_distance[NEAREST_CENTRES * NEAREST_CENTRES];
} subject;

static double as_double(int x)
{
    return x == NEAREST_NONE ? NAN : x;
}

static void make_subject(subject *s, const oracle_centres *o)
{
    memset(s, 0, sizeof *s);
    s->space = (kn_space){.at = s->at, .attributes = (size_t)o->attributes};
    for (int a = 0; a < o->attributes; a++) {
        const oracle_axis *x = &o->axis[a];
        bool named[8] = {false};
        int count = 0;
        for (int i = 0; i < o->centres; i++) {
            s->centre[i * o->attributes + a] = as_double(o->centre[i][a]);
            if (x->category && o->centre[i][a] != NEAREST_NONE && !named[o->centre[i][a]]) {
                named[o->centre[i][a]] = true;
                count++;
            }
        }
        s->at[a] = (kn_space_attribute){.category = x->category,
                                        .hidden = x->hidden,
                                        .missing = x->missing,
                                        .other = count < x->values,
                                        .factor = x->weight,
                                        .weight = x->weight,
                                        .low = x->low,
                                        .high = x->high};
    }
}

static void random_tuple(const oracle_centres *o, kn_rng *r, int size, int *x)
{
    for (int a = 0; a < o->attributes; a++) {
        x[a] = o->axis[a].category ? between(r, 0, 2) : number(r, size);
        if (kn__rng_below(r, 10) == 0) {
            x[a] = NEAREST_NONE;
        }
    }
}

/* The extents of tuples, as a k-d tree of them has. */
static void make_box(const oracle_centres *o, int tuple[][NEAREST_ATTRIBUTES], int count,
                     kn_kd_extent *box)
{
    for (int a = 0; a < o->attributes; a++) {
        box[a] = (kn_kd_extent){INFINITY, -INFINITY, 0};
        for (int t = 0; t < count; t++) {
            const double x = as_double(tuple[t][a]);
            if (o->axis[a].category) {
                box[a].values |= kn__kd_bit(x);
            } else if (isnan(x)) {
                box[a].values = 1;
            }
            box[a].low = fmin(box[a].low, x);
            box[a].high = fmax(box[a].high, x);
        }
    }
}

/* What is said of a box holds for each tuple in it. Returns how many answers were sure. */
static size_t compare_box(const oracle_centres *o, const subject *s,
                          int tuple[][NEAREST_ATTRIBUTES], int count, kn_nearest_searcher *seeker)
{
    kn_kd_extent box[NEAREST_ATTRIBUTES];
    uint32_t all[NEAREST_CENTRES];
    size_t sure = 0;

    make_box(o, tuple, count, box);
    for (int i = 0; i < o->centres; i++) {
        all[i] = (uint32_t)i;
    }
    for (int i = 0; i < o->centres; i++) {
        kn_answer answer;
        assert_int_equal(kn__nearest_in_box(seeker, &s->space, s->centre, all, (size_t)o->centres,
                                            (uint32_t)i, box, &answer, NULL),
                         KN_OK);
        for (int t = 0; t < count && answer != UNSURE; t++) {
            assert_int_equal(oracle_reached(o, i, tuple[t]), answer == YES);
        }
        sure += answer != UNSURE;
    }
    return sure;
}

static size_t compare_cases(int size, uint64_t seed, kn_nearest_searcher *seeker)
{
    kn_class_list list = {0};
    size_t reached_in_all = 0, sure_boxes = 0;
    kn_rng r;

    kn__rng_seed(&r, seed, 0);
    for (int n = 0; n < CASES; n++) {
        oracle_centres o;
        subject s;
        make_case(&o, &r, size);
        make_subject(&s, &o);
        if (n % 2) {
            kn__space_category_distances(&s.space, s.centre, (size_t)o.centres,
                                         s.category_distance);
            s.space.category_distance = s.category_distance;
            s.space.category_distance_count = (size_t)o.centres;
        }
        int tuple[3][NEAREST_ATTRIBUTES] = {{0}};
        for (int t = 0; t < 3; t++) {
            int *x = tuple[t];
            double own[NEAREST_ATTRIBUTES];
            uint32_t all[NEAREST_CENTRES];
            uint8_t sure[NEAREST_CENTRES];
            size_t at = 0;
            random_tuple(&o, &r, size, x);
            for (int a = 0; a < o.attributes; a++) {
                own[a] = as_double(x[a]);
            }
            assert_int_equal(kn__space_nearest(&s.space, s.centre, (size_t)o.centres, own),
                             oracle_nearest(&o, x));
            list.len = 0;
            assert_int_equal(kn__nearest_find_span(seeker, &s.space, s.centre, (size_t)o.centres,
                                                   own, &list, NULL),
                             KN_OK);
            for (int i = 0; i < o.centres; i++) {
                const bool want = oracle_reached(&o, i, x);
                all[i] = (uint32_t)i;
                sure[i] = want && kn__rng_below(&r, 2);
                assert_int_equal(at < list.len && list.at[at] == (uint32_t)i, want);
                at += want;
                reached_in_all += want;
            }
            list.len = at = 0;
            assert_int_equal(kn__nearest_find_among(seeker, &s.space, s.centre, all, sure,
                                                    (size_t)o.centres, own, &list, NULL),
                             KN_OK);
            for (int i = 0; i < o.centres; i++) {
                const bool want = oracle_reached(&o, i, x);
                assert_int_equal(at < list.len && list.at[at] == (uint32_t)i, want);
                at += want;
            }
            assert_int_equal(at, list.len);
        }
        sure_boxes += compare_box(&o, &s, tuple, 1 + n % 3, seeker);
    }
    assert_true(sure_boxes > CASES);
    kn__class_list_clear(&list);
    return reached_in_all;
}

static void test_ties(void **state)
{
    kn_nearest_searcher seeker = {0};

    (void)state;
    assert_true(compare_cases(2, 1, &seeker) > CASES);
    /* The cases are full of ties: the exact way is taken. */
    assert_true(seeker.exact_decisions > CASES / 10);
    kn__nearest_searcher_clear(&seeker);
}

static void test_large_numbers(void **state)
{
    kn_nearest_searcher seeker = {0};

    (void)state;
    assert_true(compare_cases(20000, 2, &seeker) > CASES);
    kn__nearest_searcher_clear(&seeker);
}

/* With numbers that are no whole ones and several private ones: what samples of them reach is
 * reached, and what is said to be reached is found by samples more often than not. */
static void test_samples(void **state)
{
    kn_nearest_searcher seeker = {0};
    kn_class_list list = {0};
    size_t found = 0, said = 0;
    kn_rng r;

    (void)state;
    kn__rng_seed(&r, 8, 0);
    for (int n = 0; n < 400; n++) {
        enum { D = 5, M = 8 };
        kn_space_attribute at[D];
        const kn_space space = {.at = at, .attributes = D};
        double centre[M * D], x[D];
        bool seen[M] = {false};
        for (int a = 0; a < D; a++) {
            at[a] = (kn_space_attribute){.hidden = a > 0,
                                         .factor = 0.1 + kn__rng_double(&r),
                                         .weight = 1,
                                         .low = kn__rng_double(&r) / 3,
                                         .high = 0.4 + kn__rng_double(&r) / 3};
            x[a] = kn__rng_double(&r);
        }
        for (int i = 0; i < M * D; i++) {
            centre[i] = kn__rng_double(&r);
        }
        list.len = 0;
        assert_int_equal(kn__nearest_find_span(&seeker, &space, centre, M, x, &list, NULL), KN_OK);
        for (int t = 0; t < 4000; t++) {
            for (int a = 1; a < D; a++) {
                x[a] = at[a].low + (at[a].high - at[a].low) *
                                       (t % 2 ? kn__rng_double(&r) : (double)kn__rng_below(&r, 2));
            }
            seen[kn__space_nearest(&space, centre, M, x)] = true;
        }
        for (uint32_t i = 0, next = 0; i < M; i++) {
            const bool reached = next < list.len && list.at[next] == i;
            next += reached;
            assert_true(reached || !seen[i]);
            found += seen[i];
            said += reached;
        }
    }
    assert_true(found > said * 9 / 10);
    kn__nearest_searcher_clear(&seeker);
    kn__class_list_clear(&list);
}

static void test_no_memory(void **state)
{
    oracle_centres o = {.attributes = 3, .centres = 3};
    double x[3] = {0, 0, 0};
    bool done = false;
    subject s;

    (void)state;
    for (int a = 0; a < 3; a++) {
        o.axis[a] = (oracle_axis){.hidden = a > 0, .weight = 1, .low = 0, .high = 2};
        for (int i = 0; i < 3; i++) {
            o.centre[i][a] = i; /* the corner of the box is tied: the exact way is taken */
        }
    }
    o.axis[1].high = 0;
    o.axis[2].missing = true;
    make_subject(&s, &o);
    for (size_t n = 1; !done; n++) {
        kn_nearest_searcher seeker = {0};
        kn_class_list list = {0};
        kn__memory_fail_after(n);
        const kn_status st = kn__nearest_find_span(&seeker, &s.space, s.centre, 3, x, &list, NULL);
        done = !kn__memory_failed();
        kn__memory_fail_after(0);
        assert_int_equal(st, done ? KN_OK : KN_ENOMEM);
        kn__nearest_searcher_clear(&seeker);
        kn__class_list_clear(&list);
        assert_true(n < 100);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_sums),          cmocka_unit_test(test_corners),
        cmocka_unit_test(test_programmes),    cmocka_unit_test(test_ties),
        cmocka_unit_test(test_large_numbers), cmocka_unit_test(test_samples),
        cmocka_unit_test(test_no_memory),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
