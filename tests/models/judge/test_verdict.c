/* The verdict on trees: the paper's examples, random trees against the attack, failing memory. */
#include "io/bytes/file.h"
#include "kanon/io.h"
#include "kanon/model.h"
#include "models/bind.h"
#include "models/format/formats.h"
#include "models/judge/span.h"
#include "models/tree/tree.h"
#include "models/tree/tree_case.h"
#include "rounds.h"

#define EXAMPLES KN_TEST_DATA "/../../examples/models/"

/* ---- sections 3 and 4.1 ---- */

static kn_model *read_model(const char *name)
{
    char path[512];
    kn_model *m;
    kn_error err;

    (void)snprintf(path, sizeof path, EXAMPLES "%s", name);
    if (kn_model_read(&m, path, &err) != KN_OK) {
        fail_msg("%s", err.message);
    }
    return m;
}

/* `roles`: one letter a column: i identifier, q public, s private, - none. */
static kn_dataset *read_table(const char *name, const char *roles)
{
    char path[512];
    kn_dataset *ds;

    (void)snprintf(path, sizeof path, EXAMPLES "%s", name);
    assert_int_equal(kn_read(&ds, path, NULL, NULL, NULL), KN_OK);
    for (size_t i = 0; roles[i]; i++) {
        ds->column[i].role = roles[i] == 'i'   ? KN_ROLE_IDENTIFIER
                             : roles[i] == 'q' ? KN_ROLE_QUASI
                             : roles[i] == 's' ? KN_ROLE_SENSITIVE
                                               : KN_ROLE_KEPT;
    }
    return ds;
}

static void expect_words(const kn_broken_span *s, const char *const *words, size_t count)
{
    assert_int_equal(s->classes, count);
    assert_int_equal(s->words_count, count);
    for (size_t i = 0; i < count; i++) {
        assert_string_equal(s->words[i], words[i]);
    }
}

/* Table 4 and Figure 2. With Sports Car private there are two spans of three records, each with the
 * bins of l_no and of its own leaf: 3-anonymous, not 4-anonymous. */
static void test_private_sports_car(void **state)
{
    static const char *const unmarried[] = {
        "Sports Car = No: Loan Risk = bad", "Sports Car = No: Loan Risk = good",
        "Sports Car = Yes, Marital Status = Unmarried: Loan Risk = bad",
        "Sports Car = Yes, Marital Status = Unmarried: Loan Risk = good"};
    static const char *const married[] = {
        "Sports Car = No: Loan Risk = bad", "Sports Car = No: Loan Risk = good",
        "Sports Car = Yes, Marital Status = Married: Loan Risk = bad",
        "Sports Car = Yes, Marital Status = Married: Loan Risk = good"};
    kn_model *m = read_model("loans-tree.json");
    kn_dataset *ds = read_table("loans.csv", "iqss");
    kn_model_limits limits = {.k = 3};
    kn_model_verdict *v;
    const kn_broken_span *s;

    (void)state;
    assert_int_equal(kn_model_check(&v, m, ds, NULL, &limits, NULL, NULL), KN_OK);
    assert_true(kn_model_verdict_holds(v));
    assert_int_equal(kn_model_verdict_figures(v)->k, 3);
    assert_int_equal(kn_model_verdict_figures(v)->spans, 2);
    assert_int_equal(kn_model_verdict_figures(v)->telling, 2);
    assert_int_equal(kn_model_verdict_figures(v)->classes, 4);
    assert_int_equal(kn_model_verdict_figures(v)->right, 5);
    assert_int_equal(kn_model_verdict_listed(v), 0);
    kn_model_verdict_free(v);

    limits.k = 4;
    assert_int_equal(kn_model_check(&v, m, ds, NULL, &limits, NULL, NULL), KN_OK);
    assert_false(kn_model_verdict_holds(v));
    assert_int_equal(kn_model_verdict_listed(v), 2);
    s = kn_model_verdict_broken(v, 0); /* Lisa, Robert and Anna */
    assert_int_equal(s->population, 3);
    assert_int_equal(s->rows_count, 3);
    assert_true(s->rows[0] == 0 && s->rows[1] == 4 && s->rows[2] == 5);
    expect_words(s, unmarried, 4);
    s = kn_model_verdict_broken(v, 1); /* John, Ben and Laura */
    assert_true(s->rows[0] == 1 && s->rows[1] == 2 && s->rows[2] == 3);
    expect_words(s, married, 4);
    assert_true(s->few && !s->certain && !s->uniform);
    kn_model_verdict_free(v);
    kn_dataset_free(ds);
    kn_model_free(m);
}

/* With Sports Car public, John is alone in his span, and his loan risk is known. */
static void test_public_sports_car(void **state)
{
    static const char *const john[] = {
        "Sports Car = Yes, Marital Status = Married: Loan Risk = bad",
        "Sports Car = Yes, Marital Status = Married: Loan Risk = good"};
    kn_model *m = read_model("loans-tree.json");
    kn_dataset *ds = read_table("loans.csv", "iqqs");
    const kn_model_limits limits = {.k = 3};
    kn_model_verdict *v;
    const kn_broken_span *s;

    (void)state;
    assert_int_equal(kn_model_check(&v, m, ds, NULL, &limits, NULL, NULL), KN_OK);
    assert_false(kn_model_verdict_holds(v));
    assert_int_equal(kn_model_verdict_figures(v)->k, 1);
    assert_int_equal(kn_model_verdict_figures(v)->spans, 3);
    assert_int_equal(kn_model_verdict_figures(v)->broken, 2);
    assert_int_equal(kn_model_verdict_figures(v)->at_risk, 3);
    s = kn_model_verdict_broken(v, 0);
    assert_int_equal(s->population, 1);
    assert_int_equal(s->rows[0], 1);
    expect_words(s, john, 2);
    assert_string_equal(s->inferred, "Loan Risk = good");
    assert_true(s->confidence == 1);
    kn_model_verdict_free(v);
    kn_dataset_free(ds);
    kn_model_free(m);
}

/* Table 1 and Figure 1, whose equivalent table is Table 2: four leaves of three, 3-anonymous; all
 * of leaf 3 are bad risks, and all of leaf 1 good ones. */
static void test_mortgage(void **state)
{
    kn_model *m = read_model("mortgage-tree.json");
    kn_dataset *ds = read_table("mortgage.csv", "iqqqq-");
    kn_model_limits limits = {.k = 3};
    kn_model_verdict *v;
    const kn_model_figures *f;

    (void)state;
    assert_int_equal(kn_model_check(&v, m, ds, NULL, &limits, NULL, NULL), KN_OK);
    f = kn_model_verdict_figures(v);
    assert_true(kn_model_verdict_holds(v));
    assert_true(f->k == 3 && f->spans == 4 && f->telling == 4 && f->exposed == 6);
    assert_true(f->inference == 1 && f->l == 1 && f->right == 10);
    kn_model_verdict_free(v);

    /* leaves 1 and 3 break any limit on inference, and l-diversity of 2 or of 1.5 */
    limits.inference = 0.9;
    assert_int_equal(kn_model_check(&v, m, ds, NULL, &limits, NULL, NULL), KN_OK);
    assert_int_equal(kn_model_verdict_figures(v)->broken, 2);
    assert_string_equal(kn_model_verdict_broken(v, 1)->inferred, "Loan Risk = bad");
    assert_int_equal(kn_model_verdict_broken(v, 1)->rows[0], 9); /* Donna */
    kn_model_verdict_free(v);
    limits = (kn_model_limits){.k = 3, .l = 1.5};
    assert_int_equal(kn_model_check(&v, m, ds, NULL, &limits, NULL, NULL), KN_OK);
    assert_int_equal(kn_model_verdict_figures(v)->broken, 2);
    assert_true(kn_model_verdict_broken(v, 0)->uniform);
    kn_model_verdict_free(v);
    /* 2 of 3: entropy 0.6365, l = 1.8899: the other two leaves are not 2-diverse by entropy, but
     * hold two different values */
    limits.l = 2;
    assert_int_equal(kn_model_check(&v, m, ds, NULL, &limits, NULL, NULL), KN_OK);
    assert_int_equal(kn_model_verdict_figures(v)->broken, 4);
    kn_model_verdict_free(v);
    limits.distinct_l = true;
    assert_int_equal(kn_model_check(&v, m, ds, NULL, &limits, NULL, NULL), KN_OK);
    assert_int_equal(kn_model_verdict_figures(v)->broken, 2);
    kn_model_verdict_free(v);
    kn_dataset_free(ds);
    kn_model_free(m);
}

/* A public class: every leaf's bins are told apart by what everybody knows, and nothing is told. */
static void test_public_class(void **state)
{
    kn_model *m = read_model("mortgage-tree.json");
    kn_dataset *ds = read_table("mortgage.csv", "iqqqqq");
    const kn_model_limits limits = {.k = 100};
    kn_model_verdict *v;

    (void)state;
    assert_int_equal(kn_model_check(&v, m, ds, NULL, &limits, NULL, NULL), KN_OK);
    assert_true(kn_model_verdict_holds(v));
    assert_true(kn_model_verdict_figures(v)->k == UINT64_MAX);
    assert_int_equal(kn_model_verdict_figures(v)->telling, 0);
    assert_int_equal(kn_model_verdict_figures(v)->spans, 6);
    kn_model_verdict_free(v);
    kn_dataset_free(ds);
    kn_model_free(m);
}

/* ---- random ---- */

/* What the attack of `r` finds, without l and the number of classes. */
static kn_model_figures figures_of(const tree_case *c, const link_result *r,
                                   const kn_model_limits *limits)
{
    kn_model_figures f = {.k = r->k,
                          .spans = (uint64_t)r->spans,
                          .telling = (uint64_t)r->telling,
                          .records = (uint64_t)c->link.records};
    uint64_t value[LINK_RECORDS];

    for (int i = 0; i < c->link.records; i++) {
        plain_value tuple[LINK_ATTRIBUTES];
        uint32_t node;
        for (int a = 0; a < c->link.attributes; a++) {
            tuple[a] = c->meaning[a][c->link.value[i][a]];
        }
        node = plain_node(&c->m->tree, tuple);
        f.right += node != KN_NO_CODE && c->m->tree.node[node].answer != KN_NO_CODE &&
                   !tuple[0].missing && c->m->tree.node[node].answer == tuple[0].text;
        value[i] = c->link.hidden[0] ? (uint64_t)c->link.value[i][0] : r->own[i];
    }
    link_infer(&c->link, r, value, &f.inference, &f.exposed);
    for (int i = 0; i < c->link.records; i++) {
        uint64_t population = 0;
        for (int j = 0; j < c->link.records; j++) {
            population += r->group[j] == r->group[i];
        }
        if (r->span_size[i] > 1 && population < limits->k) {
            f.broken += r->group[i] == i;
            f.at_risk++;
        }
    }
    return f;
}

/* Two attackers: one believes the model's domain, the other knows what the data lack. The worse
 * verdict is told. */
static kn_model_domain compare_figures(tree_case *c, const kn_model_verdict *v,
                                       const kn_model_limits *limits)
{
    const kn_model_figures *f = kn_model_verdict_figures(v);
    kn_model_figures of[2];

    for (int knows = 0; knows < 2; knows++) {
        link_result r;
        c->link.knows = knows;
        link_attack(&c->link, &r);
        of[knows] = figures_of(c, &r, limits);
        link_clear(&r, c->link.records);
    }
    const int told = f->domain == KN_DOMAIN_OF_DATA;
    const kn_model_figures *worse = &of[told], *other = &of[!told];
    if (f->domain == KN_DOMAIN_ONE) {
        assert_true(of[0].k == of[1].k && of[0].spans == of[1].spans &&
                    of[0].telling == of[1].telling && of[0].inference == of[1].inference &&
                    of[0].exposed == of[1].exposed && of[0].broken == of[1].broken &&
                    of[0].at_risk == of[1].at_risk);
        assert_int_equal(f->other_k, 0);
    } else {
        assert_true(f->other_k == other->k);
        assert_true(worse->k <= other->k);
        assert_true(worse->k < other->k || worse->inference >= other->inference);
    }
    assert_true(f->k == worse->k);
    assert_int_equal(f->spans, worse->spans);
    assert_int_equal(f->telling, worse->telling);
    assert_true(f->inference == fmax(worse->inference, other->inference));
    assert_int_equal(f->exposed, worse->exposed > other->exposed ? worse->exposed : other->exposed);
    assert_int_equal(f->right, worse->right);
    assert_int_equal(f->broken, worse->broken);
    assert_int_equal(f->at_risk, worse->at_risk);
    assert_int_equal(kn_model_verdict_holds(v), of[0].broken + of[1].broken == 0);
    assert_int_equal(kn_model_verdict_holds(v), of[0].k >= limits->k && of[1].k >= limits->k);
    return f->domain == KN_DOMAIN_OF_DATA && worse->k == other->k ? KN_DOMAIN_OF_MODEL : f->domain;
}

/* The verdict is the attack's, also on the model as it is written and read back. */
static void test_random_verdicts(void **state)
{
    kn_rng r;
    int domains[3] = {0};

    (void)state;
    kn__rng_seed(&r, 6, 1);
    for (int round = 0; round < test_rounds(4000); round++) {
        tree_case c;
        kn_model_verdict *v;
        kn_model *read;
        char *text, *again;
        kn_error err;
        /* what the random trees state are no counts of these records */
        const kn_model_limits limits = {.k = 1 + kn__rng_below(&r, 4), .ignore_counts = true};
        const kn_run run = {.threads = 1 + (unsigned)round % 3};
        tree_case_make(&c, &r);
        assert_int_equal(kn_model_check(&v, c.m, c.ds, NULL, &limits, &run, NULL), KN_OK);
        domains[compare_figures(&c, v, &limits)]++;
        kn_model_verdict_free(v);
        assert_int_equal(kn_model_format_text(&text, c.m, KN_MODEL_JSON, NULL), KN_OK);
        if (kn_model_parse(&read, "m", text, strlen(text), &err) != KN_OK) {
            fail_msg("%s\n%s", err.message, text);
        }
        assert_int_equal(kn_model_format_text(&again, read, KN_MODEL_JSON, NULL), KN_OK);
        assert_string_equal(text, again);
        assert_int_equal(kn_model_check(&v, read, c.ds, NULL, &limits, &run, NULL), KN_OK);
        (void)compare_figures(&c, v, &limits);
        kn_model_verdict_free(v);
        kn_string_free(text);
        kn_string_free(again);
        kn_model_free(read);
        tree_case_clear(&c);
    }
    /* where the data alone give less, test_domains.c looks closer */
    assert_true(domains[KN_DOMAIN_ONE] > test_rounds(500) &&
                domains[KN_DOMAIN_OF_MODEL] > test_rounds(500));
}

/* ---- applying ---- */

static void test_random_answers(void **state)
{
    kn_rng r;

    (void)state;
    kn__rng_seed(&r, 7, 1);
    for (int round = 0; round < test_rounds(2000); round++) {
        tree_case c;
        uint64_t right, count = 0;
        const kn_run run = {.threads = 1 + (unsigned)round % 2};
        size_t at;
        tree_case_make(&c, &r);
        assert_int_equal(kn_model_apply(&right, c.m, c.ds, "predicted", &run, NULL), KN_OK);
        at = kn_dataset_find(c.ds, "predicted");
        assert_int_equal(at, c.m->attributes);
        for (int i = 0; i < c.link.records; i++) {
            plain_value tuple[LINK_ATTRIBUTES];
            const uint32_t code = kn_dataset_code(c.ds, at, (size_t)i);
            uint32_t node;
            for (int a = 0; a < c.link.attributes; a++) {
                tuple[a] = c.meaning[a][c.link.value[i][a]];
            }
            node = plain_node(&c.m->tree, tuple);
            if (node == KN_NO_CODE || c.m->tree.node[node].answer == KN_NO_CODE) {
                assert_int_equal(code, kn_dataset_missing(c.ds, at));
            } else {
                const uint32_t answer = c.m->tree.node[node].answer;
                size_t len;
                const char *said = kn_dataset_value(c.ds, at, code, &len);
                assert_int_equal(len, 2);
                assert_memory_equal(said, case_values[answer], 2);
                count += !tuple[0].missing && tuple[0].text == answer;
            }
        }
        assert_int_equal(right, count);
        assert_int_equal(kn_model_apply(&right, c.m, c.ds, "predicted", &run, NULL), KN_EUSAGE);
        tree_case_clear(&c);
    }
}

/* ---- failing memory ---- */

static void test_failing_memory(void **state)
{
    kn_rng r;
    int cases = 0;

    (void)state;
    kn__rng_seed(&r, 8, 1);
    while (cases < 30) {
        tree_case c;
        char *text = NULL;
        size_t n;
        const kn_run run = {.threads = 1};
        const kn_model_limits limits = {.k = 3};
        tree_case_make(&c, &r);
        if (c.m->tree.nodes < 4) {
            tree_case_clear(&c);
            continue;
        }
        cases++;
        assert_int_equal(kn_model_format_text(&text, c.m, KN_MODEL_JSON, NULL), KN_OK);
        for (n = 1;; n++) {
            kn_model *read = NULL;
            kn_model_verdict *v = NULL;
            char *again = NULL;
            kn_error err;
            kn_status st;
            const size_t columns = c.ds->columns;
            kn__memory_fail_after(n);
            st = kn_model_parse(&read, "m", text, strlen(text), &err);
            if (st == KN_OK) {
                st = kn_model_check(&v, read, c.ds, NULL, &limits, &run, &err);
            }
            if (st == KN_OK) {
                st = kn_model_format_text(&again, read, KN_MODEL_JSON, &err);
            }
            if (st == KN_OK) {
                st = kn_model_apply(NULL, read, c.ds, "said", &run, &err);
            }
            kn__memory_fail_after(0);
            kn_string_free(again);
            kn_model_verdict_free(v);
            kn_model_free(read);
            if (st == KN_OK) {
                assert_int_equal(c.ds->columns, columns + 1);
                break;
            }
            assert_int_equal(st, KN_ENOMEM);
            assert_int_equal(err.status, KN_ENOMEM);
            assert_int_equal(c.ds->columns, columns);
        }
        assert_true(n > 20);
        kn_string_free(text);
        tree_case_clear(&c);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_private_sports_car), cmocka_unit_test(test_public_sports_car),
        cmocka_unit_test(test_mortgage),           cmocka_unit_test(test_public_class),
        cmocka_unit_test(test_random_verdicts),    cmocka_unit_test(test_random_answers),
        cmocka_unit_test(test_failing_memory),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
