/* The second count of the spans of centres: it agrees with the first, but not with one that was
 * tampered with. */
#include "models/clusters/centres_case.h"
#include "models/clusters/recount.h"
#include "models/clusters/centroids.h"
#include "rounds.h"

typedef struct looking {
    random_case c;
    kn_model *m;
    kn_bound *b;
    kn_span_model span_model;
    kn_spans s;
} looking;

static void begin(looking *l, kn_rng *r, int size)
{
    make_case(&l->c, r, MOST_ROWS, size);
    l->m = make_centres(&l->c, r, size);
    assert_int_equal(kn__bound_new(&l->b, l->m, l->c.ds, NULL, NULL), KN_OK);
    assert_int_equal(kn__centroids_span_model(&l->span_model, l->b, NULL), KN_OK);
    assert_int_equal(kn__spans_find(&l->s, &l->span_model, NULL, NULL), KN_OK);
}

static void end(looking *l)
{
    kn__spans_clear(&l->s);
    kn__span_model_clear(&l->span_model);
    kn__bound_free(l->b);
    kn_model_free(l->m);
    kn_dataset_free(l->c.ds);
}

static void assert_noticed(const looking *l, const char *words)
{
    kn_centroids_counted out;
    kn_error err = {0};

    assert_int_equal(kn__centroids_recount(&out, l->b, &l->s, NULL, &err), KN_EBROKEN);
    assert_non_null(strstr(err.message, "worked out twice, and the two disagree"));
    if (!strstr(err.message, words)) {
        fail_msg("'%s' does not say '%s'", err.message, words);
    }
}

/* Everything is as it was found, then one thing after the other is not. */
static void test_noticed(void **state)
{
    size_t moved = 0, changed = 0;
    kn_rng r;

    (void)state;
    kn__rng_seed(&r, 3, 0);
    for (int n = 0; n < test_rounds(3000); n++) {
        const kn_run run = {.threads = 1 + (unsigned)n % 2};
        kn_centroids_counted out;
        kn_error err = {0};
        looking l;
        begin(&l, &r, n % 2 ? 2 : 300);
        kn_spans *s = &l.s;
        if (kn__centroids_recount(&out, l.b, s, &run, &err) != KN_OK) {
            fail_msg("%s", err.message);
        }
        assert_int_equal(out.records, l.c.rows);
        assert_true(out.spans.k == kn__spans_k(s));
        const size_t record = kn__rng_below(&r, (uint64_t)l.c.rows), span = s->of[record];
        if (s->count > 1) {
            const uint32_t was = s->of[record];
            const uint32_t to = (uint32_t)((was + 1 + kn__rng_below(&r, s->count - 1)) % s->count);
            s->of[record] = to;
            assert_noticed(&l, "a span has another number");
            s->population[was]--;
            s->population[to]++;
            assert_noticed(&l, "a span has other centres");
            s->population[was]++;
            s->population[to]--;
            s->of[record] = was;
            moved++;
        }
        if (l.m->centres.count > 1) {
            const uint32_t was = s->class_of[record];
            s->class_of[record] = was ? was - 1 : 1;
            assert_noticed(&l, "a class has another number");
            s->class_population[was]--;
            s->class_population[was ? was - 1 : 1]++;
            assert_noticed(&l, "nearer to another");
            s->class_population[was]++;
            s->class_population[was ? was - 1 : 1]--;
            s->class_of[record] = was;
        }
        s->population[span]++;
        assert_noticed(&l, "a span has another number");
        s->population[span]--;
        s->class_population[s->class_of[record]]--;
        assert_noticed(&l, "a class has another number");
        s->class_population[s->class_of[record]]++;
        if (s->starts[span + 1] - s->starts[span] < l.m->centres.count) {
            /* Another centre in the place of the last. */
            uint32_t *last = &s->classes[s->starts[span + 1] - 1], was = *last;
            *last = was + 1 < l.m->centres.count ? was + 1 : was - 1;
            assert_noticed(&l, "");
            *last = was;
            changed++;
        }
        end(&l);
    }
    assert_true(moved > test_rounds(500) && changed > test_rounds(1000));
}

/* More people, all different, than there is time for: a part is looked at, the same for every
 * thread count, and faults in that part are noticed. */
static void test_sampled(void **state)
{
    enum { ROWS = 2000, CENTRES = 80 };
    static char text[2 * ROWS][16];
    const table t = {.name = {"a", "b"},
                     .role = {KN_ROLE_QUASI, KN_ROLE_SENSITIVE},
                     .type = {KN_TYPE_DECIMAL, KN_TYPE_DECIMAL},
                     .columns = 2};
    const char *cells[2 * ROWS];
    kn_centroids_counted one, two;
    looking l = {.c = {.rows = ROWS}};
    kn_rng r;

    (void)state;
    kn__rng_seed(&r, 4, 0);
    for (int i = 0; i < 2 * ROWS; i++) {
        (void)snprintf(text[i], sizeof text[i], "%.6f", i % 2 ? kn__rng_double(&r) : i + 0.5);
        cells[i] = text[i];
    }
    l.c.ds = make_dataset(&t, cells, ROWS);
    assert_int_equal(kn__model_new(&l.m, KN_MODEL_CLUSTERS, NULL), KN_OK);
    l.m->centres.count = CENTRES;
    l.m->centres.number = kn__malloc_array(2 * CENTRES, sizeof(double));
    l.m->centres.value = kn__malloc_array(2 * CENTRES, sizeof(uint32_t));
    l.m->centres.scale = kn__malloc_array(2, sizeof(double));
    for (size_t i = 0; i < 2 * CENTRES; i++) {
        l.m->centres.number[i] = kn__rng_double(&r) * (i % 2 ? 1 : 2 * ROWS);
        l.m->centres.value[i] = KN_NO_CODE;
    }
    for (size_t a = 0; a < 2; a++) {
        l.m->centres.scale[a] = a ? 0.001 : 3;
        assert_int_equal(
            kn__model_add_attribute(l.m, t.name[a], 1, KN_TYPE_DECIMAL, false, NULL, NULL), KN_OK);
    }
    assert_int_equal(kn__bound_new(&l.b, l.m, l.c.ds, NULL, NULL), KN_OK);
    assert_int_equal(kn__centroids_span_model(&l.span_model, l.b, NULL), KN_OK);
    assert_int_equal(kn__spans_find(&l.s, &l.span_model, NULL, NULL), KN_OK);
    assert_int_equal(kn__centroids_recount(&one, l.b, &l.s, &(kn_run){.threads = 1}, NULL), KN_OK);
    assert_int_equal(kn__centroids_recount(&two, l.b, &l.s, &(kn_run){.threads = 2}, NULL), KN_OK);
    assert_int_equal(one.records, two.records);
    assert_true(one.records > 100 && one.records < ROWS);
    assert_true(l.s.starts[l.s.of[0] + 1] > l.s.starts[l.s.of[0]] + 1);
    /* Another set of centres in the span of the first person. */
    l.s.classes[l.s.starts[l.s.of[0]]] = l.s.classes[l.s.starts[l.s.of[0]] + 1];
    assert_noticed(&l, "a span has other centres");
    end(&l);
}

/* The figures of spans, by hand. */
static void test_figures(void **state)
{
    size_t starts[] = {0, 2, 3};
    uint32_t classes[] = {0, 1, 1}, of[] = {0, 0, 0, 0, 1}, class_of[] = {0, 0, 0, 1, 1};
    uint64_t population[] = {4, 1}, class_population[] = {3, 2};
    const kn_spans s = {.count = 2,
                        .starts = starts,
                        .classes = classes,
                        .population = population,
                        .of = of,
                        .class_of = class_of,
                        .class_population = class_population,
                        .classes_count = 2};
    const double l = exp(-0.75 * log(0.75) - 0.25 * log(0.25));
    kn_model_figures f = {.k = 4, .l = l, .inference = 0.75};
    kn_spans_counted c;
    const char *what;

    (void)state;
    assert_int_equal(kn__spans_recount(&c, &what, &s, 5, NULL), KN_OK);
    assert_null(what);
    assert_true(c.k == 4 && c.inference == 0.75 && c.distinct == 2 && fabs(c.entropy - l) < 1e-12);
    assert_true(kn__spans_counted_agree(&c, &f, &(kn_model_limits){.k = 4}));
    /* A verdict that lets through what was forbidden. */
    assert_false(kn__spans_counted_agree(&c, &f, &(kn_model_limits){.k = 5}));
    assert_false(kn__spans_counted_agree(&c, &f, &(kn_model_limits){.inference = 0.7}));
    assert_false(kn__spans_counted_agree(&c, &f, &(kn_model_limits){.l = 1.9}));
    f.broken = 1;
    assert_true(kn__spans_counted_agree(&c, &f, &(kn_model_limits){.k = 5}));
    f.l = 2;
    assert_false(kn__spans_counted_agree(&c, &f, &(kn_model_limits){.k = 4}));
    assert_true(kn__spans_counted_agree(&c, &f, &(kn_model_limits){.k = 4, .distinct_l = true}));
    f.k = 5;
    assert_false(kn__spans_counted_agree(&c, &f, &(kn_model_limits){.distinct_l = true}));
    /* Two spans that are one. */
    classes[2] = 0;
    starts[1] = 1;
    starts[2] = 2;
    classes[1] = 0;
    assert_int_equal(kn__spans_recount(&c, &what, &s, 5, NULL), KN_OK);
    assert_string_equal(what, "one span was taken for two");
}

static void test_no_memory(void **state)
{
    bool several = false;
    kn_rng r;

    (void)state;
    kn__rng_seed(&r, 5, 0);
    for (int round = 0; round < 20; round++) {
        const kn_run run = {.threads = 1};
        bool done = false;
        looking l;
        begin(&l, &r, 50);
        for (size_t n = 1; !done; n++) {
            kn_centroids_counted out;
            kn__memory_fail_after(n);
            const kn_status st = kn__centroids_recount(&out, l.b, &l.s, &run, NULL);
            done = !kn__memory_failed();
            kn__memory_fail_after(0);
            assert_int_equal(st, done ? KN_OK : KN_ENOMEM);
            several = several || n > 10;
        }
        end(&l);
    }
    assert_true(several);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_noticed),
        cmocka_unit_test(test_sampled),
        cmocka_unit_test(test_figures),
        cmocka_unit_test(test_no_memory),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
