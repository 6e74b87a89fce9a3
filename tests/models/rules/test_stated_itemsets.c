/* What is told beside rules: lifts, other measures and item sets with their support are judged as
 * `{} => set`, against the linking attack by definition; figures that were rounded are judged by
 * all that they may stand for; and the second count finds what the first one gets wrong. */
#include "models/format/formats.h"
#include "models/rules/recount.h"
#include "models/rules/rules_test.h"
#include "models/judge/verdict.h"
#include "rounds.h"

#include <math.h>

enum { PLUMS = 1, PEARS = 2, TYLENOL = 4, ITEMS = 6, TEXT = 4096 };

static kn_model *parse(const char *text)
{
    kn_model *m;
    kn_error err = {0};

    if (kn__model_parse_csv(&m, "rules.csv", text, strlen(text), &err) != KN_OK) {
        fail_msg("%s: %s", text, err.message);
    }
    return m;
}

static uint64_t k_that_holds(const kn_model *m, const kn_dataset *ds, uint64_t told)
{
    kn_model_verdict *v;
    uint64_t k;
    kn_error err = {0};

    if (kn_model_check(&v, m, ds, NULL, NULL, NULL, &err) != KN_OK) {
        fail_msg("%s", err.message);
    }
    k = kn_model_verdict_figures(v)->k;
    assert_int_equal(kn_model_verdict_figures(v)->told, told);
    assert_int_equal(kn_model_verdict_figures(v)->recounted, ds->records);
    kn_model_verdict_free(v);
    return k;
}

/* 12 of the 17 who buy plums take tylenol, and, as a lift says, 2 of the other 3. */
static void test_plums(void **state)
{
    static const char *const others[] = {"lift",           "leverage",           "conviction",
                                         "Zhang's metric", "consequent support", "cosine",
                                         "odds.ratio"};
    static const char *const own[] = {"coverage", "antecedent support", "count", "representativity",
                                      ""};
    uint32_t records[20];
    kn_dataset *ds;
    char text[200];

    (void)state;
    for (size_t i = 0; i < 20; i++) {
        records[i] = (i < 17 ? PLUMS : PEARS) | (i < 12 || i > 17 ? TYLENOL : 0);
    }
    ds = letters(records, 20, TYLENOL);
    for (size_t i = 0; i < sizeof others / sizeof *others; i++) {
        kn_model *m;
        (void)snprintf(text, sizeof text, "lhs,rhs,support,confidence,%s\na,c,0.6,0.706,1.0084\n",
                       others[i]);
        m = parse(text);
        assert_int_equal(k_that_holds(m, ds, 1), 3);
        kn_model_free(m);
        (void)snprintf(text, sizeof text, "lhs,rhs,support,confidence,%s\na,c,0.6,0.706,\n",
                       others[i]);
        m = parse(text); /* an empty cell says nothing */
        assert_int_equal(k_that_holds(m, ds, 0), 17);
        kn_model_free(m);
        (void)snprintf(text, sizeof text, "lhs,rhs,support,confidence,%s\nc,a,0.6,0.857,1.0084\n",
                       others[i]);
        m = parse(text); /* who buys plums can be seen */
        assert_int_equal(k_that_holds(m, ds, 0), 3);
        kn_model_free(m);
    }
    for (size_t i = 0; i < sizeof own / sizeof *own; i++) {
        kn_model *m;
        (void)snprintf(text, sizeof text, "lhs,rhs,support,confidence,%s\na,c,0.6,0.706,12\n",
                       own[i]);
        m = parse(text);
        assert_int_equal(k_that_holds(m, ds, 0), 17);
        kn_model_free(m);
    }
    kn_dataset_free(ds);
}

typedef struct told_world {
    uint32_t records[ORACLE_RECORDS], private_items, occurring;
    size_t count, rules_count;
    oracle_rule rules[ORACLE_RULES]; /* with what is told beside them behind */
    size_t all_count;
    kn_model *m;
} told_world;

static uint32_t some(kn_rng *rng, uint32_t of)
{
    return of & (uint32_t)(kn__rng_below(rng, 1u << ITEMS) | kn__rng_below(rng, 1u << ITEMS));
}

static void tell(told_world *w, uint32_t set)
{
    bool there = (set & w->private_items) == 0;

    for (size_t i = w->rules_count; i < w->all_count; i++) {
        there = there || w->rules[i].right == set;
    }
    if (!there) {
        w->rules[w->all_count++] = (oracle_rule){0, set};
    }
}

static bool make_world(told_world *w, kn_rng *rng)
{
    *w = (told_world){.count = 1 + kn__rng_below(rng, 40),
                      .rules_count = 1 + kn__rng_below(rng, 4),
                      .private_items = (uint32_t)kn__rng_below(rng, 1u << ITEMS)};
    for (size_t i = 0; i < w->count; i++) {
        w->records[i] = some(rng, (1u << ITEMS) - 1);
        w->occurring |= w->records[i];
    }
    for (size_t i = 0; i < w->rules_count; i++) {
        w->rules[i].right = some(rng, w->occurring) & some(rng, w->occurring);
        w->rules[i].left = some(rng, w->occurring) & ~w->rules[i].right;
        if (w->rules[i].right == 0) {
            return false;
        }
    }
    w->private_items &= w->occurring;
    if (w->private_items == w->occurring) {
        return false;
    }
    w->all_count = w->rules_count;
    w->m = model_of(w->rules, w->rules_count);
    for (size_t i = 0; i < w->rules_count; i++) {
        kn_rule *r = &w->m->rules.rule[i];
        r->support = r->confidence = NAN;
        switch (kn__rng_below(rng, 4)) {
        case 0: r->right_stated = true; break;
        case 1: {
            const double left = (double)oracle_support(w->records, w->count, w->rules[i].left);
            const double both = (double)oracle_support(w->records, w->count,
                                                       w->rules[i].left | w->rules[i].right);
            r->lift = left > 0 ? both / left * (double)w->count /
                                     (double)oracle_support(w->records, w->count, w->rules[i].right)
                               : 0;
            break;
        }
        default: break;
        }
        if (r->right_stated || r->lift > 0) {
            tell(w, w->rules[i].right);
        }
    }
    if (kn__rng_below(rng, 2)) { /* of items that rules name */
        uint32_t named = 0, set;
        kn_stated_set *s = kn__zalloc_array(1, sizeof *s);
        for (size_t i = 0; i < w->rules_count; i++) {
            named |= w->rules[i].left | w->rules[i].right;
        }
        set = some(rng, named) | (named & (~named + 1));
        s->items = side(w->m, set, &s->count);
        s->support = (double)oracle_support(w->records, w->count, set) / (double)w->count;
        w->m->rules.set = s;
        w->m->rules.sets = w->m->rules.sets_cap = 1;
        tell(w, set);
    }
    return true;
}

static void test_random(void **state)
{
    static told_world w;
    static oracle_attack attack, before;
    kn_rng rng;
    size_t done = 0, told = 0, changed = 0;

    (void)state;
    kn__rng_seed(&rng, 81, 0);
    for (size_t round = 0; round < test_rounds(8000); round++) {
        kn_dataset *ds;
        kn_model_verdict *v;
        if (!make_world(&w, &rng)) {
            continue;
        }
        ds = letters(w.records, w.count, w.private_items);
        oracle_link(&before, w.rules, w.rules_count, w.records, w.count, w.private_items);
        oracle_link(&attack, w.rules, w.all_count, w.records, w.count, w.private_items);
        assert_int_equal(k_that_holds(w.m, ds, w.all_count - w.rules_count), attack.k);
        assert_int_equal(kn_model_check(&v, w.m, ds, NULL, NULL, NULL, NULL), KN_OK);
        assert_int_equal(kn_model_verdict_figures(v)->unlike, 0);
        kn_model_verdict_free(v);
        done++;
        told += w.all_count > w.rules_count;
        changed += attack.k < before.k;
        kn_dataset_free(ds);
        kn_model_free(w.m);
    }
    print_message("%zu lists, %zu tell more, %zu have another k for it\n", done, told, changed);
    assert_true(done > test_rounds(5000) && told > test_rounds(2000) && changed > test_rounds(500));
}

/* ---- rounded figures ---- */

static void add_number(kn_buffer *out, double x, int digits, unsigned how)
{
    char text[64];

    kn__buffer_addc(out, ',');
    if (isnan(x)) {
        return;
    }
    (void)snprintf(text, sizeof text, how == 2 ? "%.*g" : "%.*f", digits, x);
    if (how == 1 && strchr(text, '.')) { /* as tools do that drop trailing zeros */
        size_t len = strlen(text);
        while (text[len - 1] == '0') {
            len--;
        }
        text[text[len - 1] == '.' ? len - 1 : len] = '\0';
    }
    kn__buffer_adds(out, text);
}

static void add_letters(kn_buffer *out, uint32_t items)
{
    const char *between = "";

    for (unsigned bit = 0; bit < 26; bit++) {
        if (items >> bit & 1) {
            kn__buffer_adds(out, between);
            kn__buffer_addc(out, (char)('a' + bit));
            between = "|";
        }
    }
}

/* Lists with figures of one to six digits: what is said to hold or to be broken really is. */
static void test_rounded(void **state)
{
    static uint32_t records[ORACLE_RECORDS];
    static oracle_attack attack;
    kn_rng rng;
    size_t answers[3] = {0};

    (void)state;
    kn__rng_seed(&rng, 82, 0);
    for (size_t round = 0; round < test_rounds(12000); round++) {
        const size_t n = 2 + kn__rng_below(&rng, 60), count = 1 + kn__rng_below(&rng, 3);
        const uint32_t private_items = 1u << kn__rng_below(&rng, 4);
        const char private_name[2] = {(char)('a' + __builtin_ctz(private_items)), '\0'};
        const char *const list = private_name;
        const uint64_t k = 1 + kn__rng_below(&rng, 8);
        const int digits = 1 + (int)kn__rng_below(&rng, 6);
        const unsigned how = (unsigned)kn__rng_below(&rng, 3);
        const bool lifts = kn__rng_below(&rng, 2);
        oracle_rule rules[2 * 3];
        size_t all = count;
        kn_buffer text = {0};
        kn_stated_verdict *v = NULL;
        kn_model *m;
        kn_error err = {0};
        bool named = false;

        for (size_t i = 0; i < n; i++) {
            records[i] = (uint32_t)(kn__rng_below(&rng, 16) | kn__rng_below(&rng, 16));
        }
        kn__buffer_adds(&text, "left,right,support,confidence,lift\n");
        for (size_t i = 0; i < count; i++) {
            double both, left, right;
            rules[i].right = 1u << kn__rng_below(&rng, 4);
            rules[i].left = (uint32_t)kn__rng_below(&rng, 16) & ~rules[i].right;
            named = named || ((rules[i].left | rules[i].right) & private_items);
            both = (double)oracle_support(records, n, rules[i].left | rules[i].right);
            left = (double)oracle_support(records, n, rules[i].left);
            right = (double)oracle_support(records, n, rules[i].right);
            add_letters(&text, rules[i].left);
            kn__buffer_addc(&text, ',');
            add_letters(&text, rules[i].right);
            add_number(&text, both / (double)n, digits, how);
            add_number(&text, left > 0 ? both / left : NAN, digits, how);
            add_number(&text, lifts && both > 0 ? both / left * (double)n / right : NAN, digits,
                       how);
            kn__buffer_addc(&text, '\n');
        }
        m = parse(text.data);
        for (size_t i = 0; i < count; i++) {
            /* a lift that was rounded to nothing is no lift */
            if (m->rules.rule[i].lift > 0 && rules[i].right & private_items) {
                rules[all++] = (oracle_rule){0, rules[i].right};
            }
        }
        if (kn_model_check_stated(&v, m, n, &list, named, k, &err) != KN_OK) {
            fail_msg("%s%s", text.data, err.message);
        }
        oracle_link(&attack, rules, all, records, n, named ? private_items : 0);
        switch (kn_stated_verdict_answer(v)) {
        case KN_STATED_HOLDS: assert_true(attack.k >= k); break;
        case KN_STATED_BROKEN: assert_true(attack.k < k); break;
        case KN_STATED_UNKNOWN: break;
        }
        assert_true(kn_stated_verdict_k(v) <= attack.k);
        answers[kn_stated_verdict_answer(v)]++;
        kn_stated_verdict_free(v);
        kn_model_free(m);
        kn__buffer_free(&text);
    }
    print_message("holds %zu, broken %zu, cannot be told %zu\n", answers[0], answers[1],
                  answers[2]);
    assert_true(answers[0] > test_rounds(1000) && answers[1] > test_rounds(300) &&
                answers[2] > test_rounds(1000));
}

static void check_digits(const char *text, int significant, int decimals)
{
    const kn_digits d = kn__digits_of(text, strlen(text));

    assert_int_equal(d.significant, significant);
    assert_int_equal(d.decimals, decimals);
}

static void test_digits(void **state)
{
    const kn_digits four = {4, 4};

    (void)state;
    check_digits("0.0240", 3, 4);
    check_digits("0.8", 1, 1);
    check_digits("12", 2, 0);
    check_digits("1.20e-03", 3, 5);
    check_digits("5E2", 1, -2);
    check_digits("0.000", 0, 3);
    /* trailing zeros were left out */
    assert_true(fabs(kn__digits_within((kn_digits){1, 1}, four) - 0.5e-4) < 1e-15);
    /* four decimals, or four digits that count */
    assert_true(fabs(kn__digits_within((kn_digits){2, 4}, four) - 0.5e-4) < 1e-15);
    assert_true(fabs(kn__digits_within((kn_digits){7, 7}, (kn_digits){7, 9}) - 0.5e-7) < 1e-15);
    assert_true(fabs(kn__digits_within((kn_digits){0, 0}, four) - 0.5e-4) < 1e-15);
}

/* 0.01 of 10,000 may be 50 to 150; a support of 0.0100 is of 100. */
static void test_worst_case(void **state)
{
    static const struct {
        const char *text;
        kn_stated_answer answer;
    } cases[] = {
        {"left,right,support,confidence\na,b,0.01,1.00\n", KN_STATED_UNKNOWN},
        {"left,right,support,confidence\na,b,0.0100,1.00\n", KN_STATED_HOLDS},
        {"left,right,support,confidence\na,b,0.0100,1\n", KN_STATED_HOLDS},
        {"left,right,support,confidence\na,b,0.009,1.00\n", KN_STATED_BROKEN},
        {"left,right,support,confidence\na,b,0.0100,0.9\n", KN_STATED_HOLDS},
        {"left,right,support,confidence,count\na,b,0.01,1.00,100\n", KN_STATED_HOLDS},
    };
    const char *const private_item = "b";

    (void)state;
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        kn_model *m = parse(cases[i].text);
        kn_stated_verdict *v;
        assert_int_equal(kn_model_check_stated(&v, m, 10000, &private_item, 1, 100, NULL), KN_OK);
        assert_int_equal(kn_stated_verdict_answer(v), cases[i].answer);
        kn_stated_verdict_free(v);
        kn_model_free(m);
    }
}

/* ---- the second count ---- */

static void test_faults(void **state)
{
    const oracle_rule rules[] = {{PLUMS, TYLENOL}};
    uint32_t records[20];
    kn_dataset *ds;
    kn_model *m = model_of(rules, 1);
    kn_bound *b;

    (void)state;
    for (size_t i = 0; i < 20; i++) {
        records[i] = (i < 17 ? PLUMS : PEARS) | (i < 12 || i > 17 ? TYLENOL : 0);
    }
    ds = letters(records, 20, TYLENOL);
    m->rules.rule[0].support = m->rules.rule[0].confidence = NAN;
    assert_int_equal(kn__bound_new(&b, m, ds, NULL, NULL), KN_OK);
    for (int fault = 0; fault < 5; fault++) {
        kn_rules_recounted found;
        kn_span_model reach;
        kn_spans spans;
        kn_error err = {0};
        assert_int_equal(kn__rules_span_model(&reach, b, NULL), KN_OK);
        assert_int_equal(kn__spans_find(&spans, &reach, NULL, NULL), KN_OK);
        switch (fault) {
        case 1: spans.of[0] = spans.of[19]; break;             /* a record in another span */
        case 2: spans.class_of[0] = spans.class_of[12]; break; /* in another class */
        case 3: spans.population[spans.of[0]]++; break;
        case 4: spans.starts[1]--; break; /* the span that tells is the other one */
        default: break;
        }
        assert_int_equal(kn__rules_recount(&found, b, &spans, NULL, &err),
                         fault ? KN_EBROKEN : KN_OK);
        assert_true(fault || (found.k == 17 && found.told == 0 && found.unlike == 0));
        kn__spans_clear(&spans);
        kn__span_model_clear(&reach);
    }
    kn__bound_free(b);
    for (int fault = 0; fault < 6; fault++) { /* figures that are not those of the records */
        kn_model_verdict *v;
        kn_rule *r = &m->rules.rule[0];
        m->rules.records = fault == 5 ? 21 : 20;
        r->support = (fault == 1 ? 13 : 12) / 20.0;
        r->confidence = 12 / (fault == 2 ? 18.0 : 17.0);
        r->lift = fault == 3 ? 1.01 : 0;
        r->count = fault == 4 ? 11 : 12;
        assert_int_equal(kn_model_check(&v, m, ds, NULL, NULL, NULL, NULL), KN_OK);
        assert_int_equal(kn_model_verdict_holds(v), fault == 0);
        assert_int_equal(kn_model_verdict_figures(v)->unlike, fault != 0);
        kn_model_verdict_free(v);
    }
    kn_model_free(m);
    kn_dataset_free(ds);
}

static void test_memory(void **state)
{
    static told_world w;
    kn_dataset *ds;
    kn_rng rng;
    size_t n = 1;
    bool done = false;

    (void)state;
    kn__rng_seed(&rng, 84, 0);
    for (;;) {
        if (make_world(&w, &rng)) {
            if (w.all_count >= w.rules_count + 2 && w.m->rules.sets) {
                break;
            }
            kn_model_free(w.m);
        }
    }
    ds = letters(w.records, w.count, w.private_items);
    for (; !done; n++) {
        kn_model_verdict *v;
        kn_status status;
        kn__memory_fail_after(n);
        status = kn_model_check(&v, w.m, ds, NULL, NULL, NULL, NULL);
        done = !kn__memory_failed();
        kn__memory_fail_after(0);
        assert_int_equal(status, done ? KN_OK : KN_ENOMEM);
        kn_model_verdict_free(v);
    }
    assert_true(n > 40);
    kn_model_free(w.m);
    kn_dataset_free(ds);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_plums),      cmocka_unit_test(test_random),
        cmocka_unit_test(test_rounded),    cmocka_unit_test(test_digits),
        cmocka_unit_test(test_worst_case), cmocka_unit_test(test_faults),
        cmocka_unit_test(test_memory),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
