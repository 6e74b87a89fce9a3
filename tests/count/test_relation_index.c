/* The relations after a disassociation, from those before it, are those that the synopsis tree has.
 */
#include "base/memory.h"
#include "base/rng.h"
#include "count/relation_index.h"
#include "data/trees.h"
#include "oracle/trees.h"
#include "rounds.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

static void same_sets(const kn_record_set *a, const kn_record_set *b, size_t records)
{
    assert_int_equal(a->len, b->len);
    for (uint32_t r = 0; r < records; r++) {
        assert_int_equal(a->len && kn__record_set_has(a, r), b->len && kn__record_set_has(b, r));
    }
}

static void same_relations(const kn_relation_index *a, const kn_relation_index *b, size_t records)
{
    assert_int_equal(a->count, b->count);
    for (uint32_t i = 0; i < a->count; i++) {
        assert_int_equal(a->relation[i].above, b->relation[i].above);
        assert_int_equal(a->relation[i].below, b->relation[i].below);
        same_sets(&a->holds[i], &b->holds[i], records);
        assert_int_equal(kn__relation_index_find(a, b->relation[i]), i);
    }
    for (uint32_t l = 0; l < a->labels; l++) {
        same_sets(&a->value[l], &b->value[l], records);
    }
}

/* Disassociate some relations, up to `most` of them, and follow them in `*r`. */
static size_t disassociate(kn_rng *rng, kn_synopsis *s, kn_relation_index **r, size_t most)
{
    kn_relation chosen[8];
    bool changed[64] = {false};
    uint32_t records[128];
    kn_record_union u = {0};
    kn_record_set all = {0};
    kn_relation_index *next = NULL, *whole = NULL;
    size_t count = 0;

    assert_true(s->labels <= 64 && s->records <= 128);
    assert_int_equal(kn__record_union_init(&u, s->words, NULL), KN_OK);
    for (uint32_t i = 0; i < (*r)->count && count < most; i++) {
        if (kn__rng_below(rng, 4) == 0) {
            chosen[count++] = (*r)->relation[i];
            changed[(*r)->relation[i].below] = true;
            kn__record_union_add(&u, &(*r)->holds[i]);
        }
    }
    assert_int_equal(kn__record_union_take(&u, &all, NULL), KN_OK);
    const size_t held = kn__record_set_first(&all, s->words, all.len, records);
    assert_int_equal(kn__synopsis_disassociate(s, chosen, count, records, held, NULL), KN_OK);
    assert_int_equal(kn__relation_index_narrow(&next, *r, s, changed, records, held, NULL), KN_OK);
    assert_int_equal(kn__relation_index_new(&whole, s, NULL), KN_OK);
    same_relations(next, whole, s->records);
    kn__relation_index_free(whole);
    kn__relation_index_free(*r);
    *r = next;
    kn__record_union_clear(&u);
    kn__record_set_clear(&all);
    return count;
}

static void relations_are_narrowed(void **state)
{
    static const char *const texts[] = {"a", "b", "c", "d", "e"};
    size_t many = 0;
    kn_rng rng;

    (void)state;
    kn__rng_seed(&rng, 317, 0);
    for (unsigned round = 0; round < test_rounds(3000); round++) {
        kn_forest *f = oracle_random_forest(&rng, 120, 14, texts, 2 + kn__rng_below(&rng, 3));
        kn_synopsis *s = NULL;
        kn_relation_index *r = NULL;

        assert_int_equal(kn__forest_normalise(f, NULL, NULL), KN_OK);
        assert_int_equal(kn__synopsis_new(&s, f, NULL, f->values, NULL, NULL), KN_OK);
        assert_int_equal(kn__relation_index_new(&r, s, NULL), KN_OK);
        for (int step = 0; step < 3; step++) {
            many += disassociate(&rng, s, &r, 1 + kn__rng_below(&rng, 8)) > 1;
        }
        kn__relation_index_free(r);
        kn__synopsis_free(s);
        kn__forest_free(f);
    }
    assert_true(many > test_rounds(1000));
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(relations_are_narrowed)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
