/* transact_count.c - support within one cluster, counted on strings of bits. */
#include "methods/transact_inside.h"

#include <float.h>
#include <math.h>
#include <string.h>

static size_t ones(uint64_t word)
{
    return (size_t)__builtin_popcountll(word);
}

void kn__part_copy(kn__part *p, uint32_t to, uint32_t from)
{
    memcpy(kn__part_bits(p, to), kn__part_bits(p, from), p->stride * sizeof *p->bits);
}

/* In bags a record holds j of both together when for some i it holds i of the one and j - i of the
 * other. */
void kn__part_unite_at(const kn__part *p, uint64_t *out, uint32_t a, uint32_t b, size_t level)
{
    const uint64_t *const x = kn__part_bits(p, a), *const y = kn__part_bits(p, b);
    const size_t words = p->words;

    for (size_t w = 0; w < words; w++) {
        uint64_t both = x[(level - 1) * words + w] | y[(level - 1) * words + w];
        for (size_t i = 1; i < level; i++) {
            both |= x[(i - 1) * words + w] & y[(level - i - 1) * words + w];
        }
        out[w] = both;
    }
}

/* From many to few, so that a string is not needed any more when it is written. */
void kn__part_unite(kn__part *p, uint32_t to, uint32_t a, uint32_t b)
{
    for (size_t level = p->levels; level > 0; level--) {
        kn__part_unite_at(p, kn__part_bits(p, to) + (level - 1) * p->words, a, b, level);
    }
}

size_t kn__part_support(const kn__part *p, const uint64_t *string)
{
    size_t sum = 0;

    for (size_t w = 0; w < p->words; w++) {
        sum += ones(string[w]);
    }
    return sum;
}

static size_t shared(const kn__part *p, const uint64_t *a, const uint64_t *b)
{
    size_t sum = 0;

    for (size_t w = 0; w < p->words; w++) {
        sum += ones(a[w] & b[w]);
    }
    return sum;
}

double kn__part_lack(const kn__part *p, const uint64_t *string, size_t support)
{
    double lack = support == 0 ? 0 : (double)p->t->k - (double)support;

    for (uint32_t i = 0; i < p->secrets && p->t->l > 0; i++) {
        const uint64_t *secret = p->secret_bits + (size_t)i * p->words;
        const double held = (double)shared(p, string, secret);
        if (held > 0 && kn__part_too_sure((double)support, held, p->t->l)) {
            const double over = fmax(p->t->l * held - (double)support, DBL_EPSILON);
            lack = fmax(lack, over);
        }
    }
    return lack;
}

static bool allowed(const kn__part *p, const uint64_t *string, size_t support)
{
    return support >= p->t->k &&
           (p->t->l <= 0 || p->secrets == 0 || kn__part_lack(p, string, support) <= 0);
}

/* Go on from a combination of `size` items, held by `support` records with bits `held`, with the
 * slots from live[at]. One that all of them hold is not followed: it changes no support. */
static bool extend(kn__part *p, const uint64_t *held, size_t support, size_t at, size_t size,
                   size_t most)
{
    const size_t words = p->words, depth = p->witness.len;
    uint64_t *const next = p->prefix + depth * words;

    p->work += (p->live_len - at) * words;
    for (; at < p->live_len; at++) {
        const uint64_t *const bits = kn__part_bits(p, p->live[at]);
        for (size_t j = 1; j <= p->levels && size + j <= most; j++) {
            size_t sum = 0;
            for (size_t w = 0; w < words; w++) {
                next[w] = held[w] & bits[(j - 1) * words + w];
                sum += ones(next[w]);
            }
            if (sum == 0) {
                break;
            }
            if (sum == support) {
                continue;
            }
            p->witness.slot[depth] = p->live[at];
            p->witness.level[depth] = j;
            p->witness.len = depth + 1;
            if (!allowed(p, next, sum) ||
                (size + j < most && !extend(p, next, sum, at + 1, size + j, most))) {
                return false;
            }
            p->witness.len = depth;
        }
    }
    return true;
}

bool kn__part_holds(kn__part *p, size_t from, size_t to, size_t size)
{
    for (; from < to; from++) {
        const uint64_t *const bits = kn__part_bits(p, p->live[from]);
        for (size_t j = 1; j <= p->levels && j <= size; j++) {
            const uint64_t *const held = bits + (j - 1) * p->words;
            const size_t support = kn__part_support(p, held);
            if (support == 0) {
                break;
            }
            p->witness.slot[0] = p->live[from];
            p->witness.level[0] = j;
            p->witness.len = 1;
            if (!allowed(p, held, support) ||
                (j < size && !extend(p, held, support, from + 1, j, size))) {
                return false;
            }
        }
    }
    return true;
}

void kn__part_put_back(kn__part *p, const uint32_t *old, size_t olds, size_t count)
{
    const size_t others = p->live_len - count;

    memmove(p->live + olds, p->live + count, others * sizeof *p->live);
    memcpy(p->live, old, olds * sizeof *p->live);
    p->live_len = olds + others;
}

bool kn__part_replace(kn__part *p, const uint32_t *old, size_t olds, const uint32_t *fresh,
                      size_t count)
{
    const size_t others = p->live_len - olds;

    for (size_t i = 0; i < olds; i++) {
        size_t at = i;
        while (p->live[at] != old[i]) {
            at++;
        }
        p->live[at] = p->live[i];
        p->live[i] = old[i];
    }
    memmove(p->live + count, p->live + olds, others * sizeof *p->live);
    memcpy(p->live, fresh, count * sizeof *p->live);
    p->live_len = count + others;
    if (kn__part_holds(p, 0, count, 1) && kn__part_holds(p, 0, count, p->t->m)) {
        return true;
    }
    kn__part_put_back(p, old, olds, count);
    return false;
}
