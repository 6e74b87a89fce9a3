/* Spanning trees against Kruskal's algorithm over all pairs, in spaces of numbers, categories and
 * missing values with many ties. */
#include "models/clusters/mst.h"
#include "base/memory.h"
#include "base/rng.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

enum { MOST_POINTS = 60, MOST_ATTRIBUTES = 4 };

typedef struct cloud {
    kn_space_attribute at[MOST_ATTRIBUTES];
    kn_space space;
    double point[MOST_POINTS * MOST_ATTRIBUTES];
    size_t count;
} cloud;

static bool same(const double *a, const double *b, size_t n)
{
    for (size_t i = 0; i < n; i++) {
        if (a[i] != b[i] && !(isnan(a[i]) && isnan(b[i]))) {
            return false;
        }
    }
    return true;
}

static void make_cloud(cloud *c, kn_rng *r, bool ties)
{
    const size_t wanted = 1 + kn__rng_below(r, MOST_POINTS), d = 1 + kn__rng_below(r, 4);

    c->space = (kn_space){.at = c->at, .attributes = d};
    for (size_t a = 0; a < d; a++) {
        c->at[a] = (kn_space_attribute){.category = kn__rng_below(r, 3) == 0,
                                        .factor = ties ? 1 : 0.1 + kn__rng_double(r),
                                        .weight = ties ? 1 : 0.1 + kn__rng_double(r)};
    }
    c->count = 0;
    for (size_t n = 0; n < wanted; n++) {
        double *own = c->point + c->count * d;
        bool there = false;
        for (size_t a = 0; a < d; a++) {
            own[a] = c->at[a].category ? (double)kn__rng_below(r, ties ? 3 : 200)
                     : ties            ? (double)kn__rng_below(r, 5)
                                       : 4 * kn__rng_double(r) - 2;
            own[a] = kn__rng_below(r, 10) == 0 ? NAN : own[a];
        }
        for (size_t i = 0; i < c->count; i++) {
            there = there || same(own, c->point + i * d, d);
        }
        c->count += !there;
    }
}

static int by_length(const void *one, const void *two)
{
    const kn_edge *a = one, *b = two;

    if (a->length != b->length) {
        return a->length < b->length ? -1 : 1;
    }
    return a->from != b->from ? (a->from < b->from ? -1 : 1) : (a->to < b->to ? -1 : 1);
}

static size_t kruskal(const cloud *c, kn_edge *out)
{
    static kn_edge all[MOST_POINTS * MOST_POINTS];
    uint32_t part[MOST_POINTS];
    size_t edges = 0, taken = 0;

    for (uint32_t i = 0; i < c->count; i++) {
        part[i] = i;
        for (uint32_t j = i + 1; j < c->count; j++) {
            double sum = 0;
            for (size_t a = 0; a < c->space.attributes; a++) {
                const double x = c->point[i * c->space.attributes + a],
                             y = c->point[j * c->space.attributes + a];
                if (isnan(x) || isnan(y) || c->at[a].category) {
                    sum += x == y || (isnan(x) && isnan(y)) ? 0 : c->at[a].weight;
                } else {
                    sum += c->at[a].factor * ((x - y) * (x - y));
                }
            }
            all[edges++] = (kn_edge){i, j, sum};
        }
    }
    qsort(all, edges, sizeof *all, by_length);
    for (size_t e = 0; e < edges; e++) {
        const uint32_t one = part[all[e].from], two = part[all[e].to];
        if (one != two) {
            out[taken++] = all[e];
            for (size_t i = 0; i < c->count; i++) {
                part[i] = part[i] == two ? one : part[i];
            }
        }
    }
    return taken;
}

static void test_trees(void **state)
{
    kn_rng r;

    (void)state;
    kn__rng_seed(&r, 1, 0);
    for (int n = 0; n < 3000; n++) {
        static cloud c;
        kn_edge want[MOST_POINTS], found[MOST_POINTS];
        const kn_run run = {.threads = 1 + n % 3};
        make_cloud(&c, &r, n % 2);
        const size_t edges = kruskal(&c, want);
        assert_int_equal(edges + 1, c.count);
        assert_int_equal(kn__mst(found, &c.space, c.point, c.count, &run, NULL), KN_OK);
        for (size_t e = 0; e < edges; e++) {
            assert_int_equal(found[e].from, want[e].from);
            assert_int_equal(found[e].to, want[e].to);
            assert_true(found[e].length == want[e].length);
        }
    }
}

static void test_no_memory(void **state)
{
    bool done = false;
    kn_rng r;

    (void)state;
    kn__rng_seed(&r, 1, 0);
    for (size_t n = 1; !done; n++) {
        static cloud c;
        kn_edge found[MOST_POINTS];
        const kn_run run = {.threads = 1};
        make_cloud(&c, &r, true);
        kn__memory_fail_after(n);
        const kn_status st = kn__mst(found, &c.space, c.point, c.count, &run, NULL);
        done = !kn__memory_failed();
        kn__memory_fail_after(0);
        assert_int_equal(st, done ? KN_OK : KN_ENOMEM);
        assert_true(n < 100);
    }
}

static int cancel(void *user, const char *phase, double share)
{
    (void)user;
    (void)phase;
    (void)share;
    return 1;
}

static void test_cancel(void **state)
{
    const kn_run run = {.progress = cancel};
    static cloud c;
    kn_edge found[MOST_POINTS];
    kn_rng r;

    (void)state;
    kn__rng_seed(&r, 5, 0);
    do {
        make_cloud(&c, &r, false);
    } while (c.count < 10);
    assert_int_equal(kn__mst(found, &c.space, c.point, c.count, &run, NULL), KN_ECANCELLED);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_trees),
        cmocka_unit_test(test_no_memory),
        cmocka_unit_test(test_cancel),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
