/* certificate_words.c - a certificate as a sentence. */
#include "base/args.h"
#include "guarantees/sigma_check.h"

#include <math.h>

const char *kn_attacker_name(kn_attacker attacker)
{
    switch (attacker) {
    case KN_ATTACKER_UNIFORM: return "uniform";
    case KN_ATTACKER_PERSON: return "person";
    }
    return "any";
}

const char *kn_certificate_kind_name(kn_certificate_kind kind)
{
    static const char *const names[] = {"exact", "sampled", "nothing", "unknown"};

    return kind <= KN_CERTIFIED_UNKNOWN ? names[kind] : "unknown";
}

/* Rounded up to the third digit: what is said is never less than what was found. */
static void say_percent_up(kn_buffer *b, double share)
{
    const double percent = 100 * share;
    const double unit = percent > 0 ? pow(10, floor(log10(percent)) - 2) : 1;

    kn__buffer_addf(b, "%.6g %%", fmin(ceil(percent / unit - 1e-9) * unit, 100));
}

static void say_sampled(kn_buffer *b, const kn_certificate *c)
{
    kn__buffer_adds(b, "at most ");
    say_percent_up(b, c->eps);
    if (c->attacker == KN_ATTACKER_PERSON) {
        kn__buffer_adds(b, " of the people are found among fewer than ");
        kn__say_count(b, c->k);
        kn__buffer_adds(b, " by ");
        kn__say_things(b, c->size, "random item of theirs", "random items of theirs");
    } else {
        kn__buffer_addf(b, " of the %zu-itemsets that occur have support below ", c->size);
        kn__say_count(b, c->k);
    }
    kn__buffer_addf(b, " (confidence %.6g %%, ", floor((1 - c->delta) * 1e6) / 1e4);
    kn__say_things(b, (size_t)c->samples, "sample", "samples");
    kn__buffer_adds(b, " of which ");
    kn__say_count(b, (size_t)c->failures);
    kn__buffer_addf(b, " failed, attacker %s, seed %llu", kn_attacker_name(c->attacker),
                    (unsigned long long)c->seed);
    if (c->attempt > 1) {
        kn__buffer_addf(b, ", attempt %u", c->attempt);
    }
    kn__buffer_adds(b, ")");
}

void kn__say_certificate(kn_buffer *b, const kn_certificate *c)
{
    switch (c->kind) {
    case KN_CERTIFIED_EXACT:
        if (c->holds) {
            kn__buffer_addf(b, "none of the %zu-itemsets that occur has support below ", c->size);
            kn__say_count(b, c->k);
            kn__buffer_adds(b, " (exact: all were counted)");
        } else if (c->failures) {
            kn__say_count(b, (size_t)c->failures);
            kn__buffer_addf(b, " published %zu-itemset%s support below ", c->size,
                            c->failures == 1 ? " has" : "s have");
            kn__say_count(b, c->k);
            kn__buffer_adds(b, " (exact: all were counted)");
        } else {
            kn__buffer_addf(b,
                            "%zu-itemsets may be published as smaller ones, some of which are "
                            "rare (exact: all were counted)",
                            c->size);
        }
        break;
    case KN_CERTIFIED_SAMPLED: say_sampled(b, c); break;
    case KN_CERTIFIED_NOTHING:
        kn__buffer_addf(b, "no record has %zu items or more: there is nothing to protect", c->size);
        break;
    case KN_CERTIFIED_UNKNOWN:
        kn__buffer_addf(
            b,
            "%zu-itemsets: cannot be told from the release alone; samples come from the "
            "original",
            c->size);
        break;
    }
}

kn_status kn_certificate_text(char **out, const kn_certificate *c, kn_error *err)
{
    kn_buffer b = {0};

    KN_NEED_OUT(err, out);
    KN_NEED(err, c);
    KN_NEED_ENUM(err, c->kind, KN_CERTIFIED_UNKNOWN, "kind of certificates");
    KN_NEED_ENUM(err, c->attacker, KN_ATTACKER_UNIFORM | KN_ATTACKER_PERSON, "attacker");
    kn__say_certificate(&b, c);
    return kn__buffer_take(&b, out, err);
}
