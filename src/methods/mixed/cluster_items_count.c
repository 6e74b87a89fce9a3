/* cluster_items_count.c - support within one cluster, counted on bitmaps. */
#include "base/bits.h"
#include "base/threads.h"
#include "methods/mixed/cluster_items_search.h"

#include <float.h>
#include <math.h>
#include <string.h>

enum { STEP_WORK = 1 << 25 }; /* words read between two reports of progress */

kn_status kn__part_step(kn__part *p, kn_error *err)
{
    if (p->work - p->reported < STEP_WORK) {
        return KN_OK;
    }
    p->reported = p->work;
    return kn__run_step(p->run, "items", -1, err);
}

void kn__part_copy(kn__part *p, uint32_t to, uint32_t from)
{
    memcpy(kn__part_bits(p, to), kn__part_bits(p, from), p->stride * sizeof *p->bits);
}

/* From high levels to low ones: a level of `a` or `b` is overwritten once it is not needed. */
void kn__part_unite(kn__part *p, uint32_t to, uint32_t a, uint32_t b)
{
    uint64_t *const out = kn__part_bits(p, to);

    for (size_t level = p->levels; level > 0; level--) {
        for (size_t w = 0; w < p->words; w++) {
            out[(level - 1) * p->words + w] = kn__part_united(p, a, b, level, w);
        }
    }
}

void kn__part_add(kn__part *p, uint32_t to, uint32_t slot, bool first)
{
    if (first) {
        kn__part_copy(p, to, slot);
    } else {
        kn__part_unite(p, to, to, slot);
    }
}

size_t kn__part_support(const kn__part *p, const uint64_t *string)
{
    size_t sum = 0;

    for (size_t w = 0; w < p->words; w++) {
        sum += kn__bits_count(string[w]);
    }
    return sum;
}

double kn__part_lack(const kn__part *p, const kn__part_word *held, size_t len, size_t support)
{
    double lack = support == 0 ? 0 : (double)p->t->k - (double)support;

    for (uint32_t i = 0; i < p->secrets; i++) {
        const uint64_t *secret = p->secret_bits + (size_t)i * p->words;
        size_t both = 0;
        for (size_t w = 0; w < len; w++) {
            both += kn__bits_count(held[w].bits & secret[held[w].at]);
        }
        if (both > 0 && kn__part_too_sure((double)support, (double)both, p->t->l)) {
            lack = fmax(lack, fmax(p->t->l * (double)both - (double)support, DBL_EPSILON));
        }
    }
    return lack;
}

static bool allowed(const kn__part *p, const kn__part_word *held, size_t len, size_t support)
{
    return support >= p->t->k && (p->secrets == 0 || kn__part_lack(p, held, len, support) <= 0);
}

size_t kn__part_within(const uint64_t *string, const kn__part_word *held, size_t len,
                       kn__part_word *out, size_t *out_len)
{
    size_t support = 0, kept = 0;

    for (size_t i = 0; i < len; i++) {
        const uint64_t bits = held[i].bits & string[held[i].at];
        out[kept] = (kn__part_word){bits, held[i].at};
        kept += bits != 0;
        support += kn__bits_count(bits);
    }
    *out_len = kept;
    return support;
}

/* Whether all extensions of a combination of `size` items by the slots from live[at] on are
 * allowed; `support` records, `held`, hold it. A slot that all of them hold is skipped, as the
 * extension has the same records. */
static bool extend(kn__part *p, const kn__part_word *held, size_t len, size_t support, size_t at,
                   size_t size, size_t most)
{
    const size_t depth = p->witness.len;
    kn__part_word *const next = p->prefix + depth * p->words;

    p->work += (p->live_len - at) * len;
    for (; at < p->live_len; at++) {
        const uint64_t *const bits = kn__part_bits(p, p->live[at]);
        for (size_t j = 1; j <= p->levels && size + j <= most; j++) {
            size_t kept;
            const size_t sum = kn__part_within(bits + (j - 1) * p->words, held, len, next, &kept);
            if (sum == 0) {
                break;
            }
            if (sum == support) {
                continue;
            }
            p->witness.slot[depth] = p->live[at];
            p->witness.level[depth] = j;
            p->witness.len = depth + 1;
            if (!allowed(p, next, kept, sum) ||
                (size + j < most && !extend(p, next, kept, sum, at + 1, size + j, most))) {
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
            size_t len;
            const size_t support = kn__part_within(bits + (j - 1) * p->words, p->all, p->words,
                                                   p->prefix, &len);
            if (support == 0) {
                break;
            }
            p->witness.slot[0] = p->live[from];
            p->witness.level[0] = j;
            p->witness.len = 1;
            if (!allowed(p, p->prefix, len, support) ||
                (j < size && !extend(p, p->prefix, len, support, from + 1, j, size))) {
                return false;
            }
        }
    }
    return true;
}

void kn__part_revert(kn__part *p, const uint32_t *old, size_t olds, size_t count)
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
    kn__part_revert(p, old, olds, count);
    return false;
}
