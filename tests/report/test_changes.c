/* Changes against counting by hand, on random recodings, uniform and local. */
#include "base/memory.h"
#include "base/rng.h"
#include "report/facts.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

enum { MOST = 300, RARE = 5, KINDS = 40, STAR = 20 };

/* By record: original value o0.., published value p0.., `*`, or the original itself (code 100 +
 * original). */
typedef struct sample {
    size_t in, out;
    unsigned from[MOST], to[MOST];
    uint32_t origin[MOST];
} sample;

static void name_to(char *text, size_t size, unsigned to)
{
    if (to == STAR) {
        (void)snprintf(text, size, "*");
    } else {
        (void)snprintf(text, size, to >= 100 ? "o%u" : "p%u", to % 100);
    }
}

static kn_dataset *build(const sample *s, bool published)
{
    static const char *const names[] = {"x"};
    kn_dataset_builder *b;
    kn_dataset *ds;

    assert_int_equal(kn_dataset_builder_new(&b, names, 1, NULL, NULL), KN_OK);
    for (size_t i = 0; i < (published ? s->out : s->in); i++) {
        char text[24];

        name_to(text, sizeof text, published ? s->to[i] : 100 + s->from[i]);
        assert_int_equal(kn_dataset_builder_add(b, (const char *[]){text}, NULL), KN_OK);
    }
    assert_int_equal(kn_dataset_builder_finish(&ds, b, NULL), KN_OK);
    return ds;
}

static void draw(sample *s, kn_rng *r)
{
    const size_t kinds = 1 + kn__rng_below(r, KINDS), targets = 1 + kn__rng_below(r, 19);
    const unsigned style = (unsigned)kn__rng_below(r, 3); /* uniform, local, mixed with unchanged */

    s->in = kn__rng_below(r, MOST);
    s->out = 0;
    for (size_t i = 0; i < s->in; i++) {
        s->from[i] = (unsigned)kn__rng_below(r, 1 + kn__rng_below(r, kinds));
        if (kn__rng_below(r, 10) == 0) {
            continue;
        }
        s->origin[s->out] = (uint32_t)i;
        s->to[s->out++] = kn__rng_below(r, 15) == 0      ? STAR
                          : style == 1                   ? (unsigned)kn__rng_below(r, targets)
                          : style == 2 && s->from[i] % 2 ? 100 + s->from[i]
                                                         : s->from[i] % (unsigned)targets;
    }
}

static size_t count_pairs(const sample *s, unsigned to, unsigned from)
{
    size_t n = 0;

    for (size_t i = 0; i < s->out; i++) {
        n += s->to[i] == to && s->from[s->origin[i]] == from;
    }
    return n;
}

static bool is_uniform(const sample *s)
{
    for (unsigned from = 0; from < KINDS; from++) {
        unsigned targets = 0;

        for (unsigned to = 0; to < 200; to++) {
            targets += to != STAR && count_pairs(s, to, from) > 0;
        }
        if (targets > 1) {
            return false;
        }
    }
    return true;
}

static unsigned code_of(const char *published)
{
    return published[0] == '*' ? STAR
                               : (unsigned)atoi(published + 1) + (published[0] == 'o' ? 100 : 0);
}

static void check_change(const sample *s, const kn_changes *c, const kn_change *change)
{
    const unsigned to = code_of(change->published);
    size_t originals = 0, records = 0, told = change->more_records + change->rare_records;

    for (unsigned from = 0; from < KINDS; from++) {
        originals += count_pairs(s, to, from) > 0;
        records += count_pairs(s, to, from);
    }
    assert_int_equal(change->originals, originals);
    assert_int_equal(change->records, records);
    assert_true(records >= RARE);
    if (!c->uniform || to == STAR) {
        assert_null(change->from);
        return;
    }
    for (size_t i = 0; i < change->from_count; i++) {
        const size_t own = count_pairs(s, to, (unsigned)atoi(change->from[i].label + 1));

        assert_int_equal(change->from[i].records, own);
        assert_true(own >= RARE);
        told += own;
    }
    assert_int_equal(told, records);
    assert_int_equal(change->from_count + change->more_values + change->rare_values, originals);
}

static void test_by_hand(void **state)
{
    static sample s;
    kn_rng r;
    unsigned uniform = 0;

    (void)state;
    kn__rng_seed(&r, 1, 0);
    for (unsigned round = 0; round < 300; round++) {
        kn_dataset *original, *published;
        kn_changes c;
        size_t same = 0, stars = 0, told;

        draw(&s, &r);
        original = build(&s, false);
        published = build(&s, true);
        assert_int_equal(kn__changes_count(&c, original, 0, published, 0, s.origin, RARE, NULL),
                         KN_OK);
        assert_true(c.known);
        if (s.out) {
            assert_int_equal(c.uniform, is_uniform(&s));
        }
        uniform += c.uniform;
        for (size_t i = 0; i < s.out; i++) {
            same += s.to[i] >= 100;
            stars += s.to[i] == STAR;
        }
        assert_int_equal(c.same_records, same);
        assert_int_equal(c.suppressed_records, stars);
        assert_int_equal(c.changed_records, s.out - same - stars);
        told = c.more_records + c.rare_records;
        for (size_t i = 0; i < c.count; i++) {
            check_change(&s, &c, &c.change[i]);
            assert_true(i == 0 || c.change[i].records <= c.change[i - 1].records);
            told += c.change[i].records;
        }
        assert_int_equal(told, s.out - same);
        kn__changes_clear(&c);
        kn_dataset_free(original);
        kn_dataset_free(published);
    }
    assert_true(uniform > 20 && uniform < 280);
}

static void test_untraced(void **state)
{
    sample s = {.in = 3, .out = 2, .from = {1, 2, 3}, .to = {1, 2}};
    kn_dataset *original = build(&s, false), *published = build(&s, true);
    kn_changes c;

    (void)state;
    assert_int_equal(kn__changes_count(&c, original, 0, published, 0, NULL, RARE, NULL), KN_OK);
    assert_false(c.known);
    kn__changes_clear(&c);
    kn_dataset_free(original);
    kn_dataset_free(published);
}

static void test_allocation_failures(void **state)
{
    static sample s;
    kn_dataset *original, *published;

    (void)state;
    s.in = s.out = MOST;
    for (size_t i = 0; i < MOST; i++) {
        s.from[i] = (unsigned)i % 30;
        s.to[i] = s.from[i] / 10;
        s.origin[i] = (uint32_t)i;
    }
    original = build(&s, false);
    published = build(&s, true);
    for (size_t n = 1;; n++) {
        const size_t before = kn_memory_in_use();
        kn_changes c;
        kn_status status;
        int failed;

        kn__memory_fail_after(n);
        status = kn__changes_count(&c, original, 0, published, 0, s.origin, RARE, NULL);
        failed = kn__memory_failed();
        kn__memory_fail_after(0);
        if (!failed) {
            assert_int_equal(status, KN_OK);
            assert_int_equal(c.count, 3);
            assert_true(c.uniform);
            kn__changes_clear(&c);
            break;
        }
        assert_int_equal(status, KN_ENOMEM);
        assert_int_equal(kn_memory_in_use(), before);
    }
    kn_dataset_free(original);
    kn_dataset_free(published);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_by_hand),
        cmocka_unit_test(test_untraced),
        cmocka_unit_test(test_allocation_failures),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
