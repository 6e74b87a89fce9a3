/* choose.c - which candidate rules are published: greedy choice, then local search over its order.
 *
 * Greedy pass: candidates are tried in order, the most interesting first; one is taken if every
 * span that discloses something keeps the limits. Taking more rules only splits spans further, so a
 * rule that does not fit now never will, and one pass gives a list to which no other candidate can
 * be added. But a rule may exclude several that are worth more together. So, within a fixed amount
 * of work, passes are tried with one refused candidate moved to the front of the order, or one
 * chosen moved to its end, and the best pass is kept: the one whose rules with private items have
 * the greatest sum of leverages. */
#include "base/error.h"
#include "base/hash.h"
#include "base/memory.h"
#include "base/threads.h"
#include "models/rules/mine.h"
#include "models/rules/disclosure.h"

#include <stdlib.h>

enum { BATCH = 16, MOST_MOVES = 64 };
static const uint64_t MOST_WORK = 1 << 25; /* records that further passes may move */

/* A candidate with the records that match it. */
typedef struct trial {
    uint32_t items[KN_MOST_LONGEST];
    kn_rule rule;
    kn_rule_view view;
    kn_rule_matches matches;
    kn_rule_split split;
    kn_status status;
    kn_error error;
} trial;

typedef struct batch {
    const kn_rule_mining *m;
    const size_t *candidate; /* by candidate of the batch: its number */
    trial trial[BATCH];
} batch;

/* Numbers of candidates. */
typedef struct candidate_list {
    size_t *at;
    size_t count, cap;
} candidate_list;

typedef struct pass {
    kn_partition partition;
    kn_disclosure *disclosure; /* NULL: only k is limited */
    candidate_list chosen, refused;
    kn_u128 interest;
    uint64_t work; /* records that were moved */
} pass;

typedef struct chooser {
    const kn_rule_mining *m;
    batch *batch;
    size_t disclosing; /* candidates with a private item: they come first */
    size_t *order;
    candidate_list first, last; /* moved to the front and to the end of the best order */
    uint8_t *placed;            /* by candidate: it is one of these */
    pass best;
    uint64_t spent;
    kn_error *err;
} chooser;

static kn_status add(candidate_list *to, size_t number, kn_error *err)
{
    const kn_status status = kn__grow(&to->at, &to->cap, to->count + 1, sizeof *to->at, err);

    if (status == KN_OK) {
        to->at[to->count++] = number;
    }
    return status;
}

/* ---- a pass ---- */

static void pass_clear(pass *p)
{
    kn__partition_clear(&p->partition);
    kn__disclosure_free(p->disclosure);
    KN_FREE(p->chosen.at, p->refused.at);
    *p = (pass){0};
}

static kn_status pass_new(pass *p, const kn_rule_mining *m, kn_error *err)
{
    const kn_mine_options *o = m->options;

    *p = (pass){0};
    KN_PASS(kn__partition_new(&p->partition, m->ranked.records, err));
    if (o->l > 0 || o->inference > 0) {
        KN_PASS(kn__disclosure_new(&p->disclosure, m->ranked.baskets, m->ranked.hidden, o->l,
                                   o->distinct_l, o->inference, err));
    }
    return KN_OK;
}

static void match_slice(void *user, unsigned worker, size_t begin, size_t end)
{
    batch *b = user;

    (void)worker;
    for (size_t i = begin; i < end; i++) {
        trial *t = &b->trial[i];
        kn__mining_rule(b->m, &b->m->candidate[b->candidate[i]], t->items, &t->rule);
        kn__rule_view_clear(&t->view);
        t->status = kn__rule_view_of(&t->view, &t->rule, b->m->ranked.hidden, &t->error);
        if (t->status == KN_OK) {
            t->status = kn__rule_match(&t->matches, &t->view, &b->m->ranked.index, &t->split,
                                       &t->error);
        }
    }
}

/* Take the candidate if all spans keep the limits with it. */
static kn_status try_candidate(pass *p, const kn_rule_mining *m, size_t number, trial *t,
                               kn_error *err)
{
    const size_t before = p->partition.count;
    const kn_rule_candidate *c = &m->candidate[number];
    bool fits = false;
    kn_status status = t->status;

    if (status != KN_OK) {
        if (err) {
            *err = t->error;
        }
        return status;
    }
    p->work++;
    if (t->split.left_only) {
        p->work += t->split.left_only->len;
    }
    if (t->split.both) {
        p->work += t->split.both->len;
    }
    t->split.rule = (uint32_t)p->chosen.count;
    KN_TRY(kn__partition_keeps_k(&p->partition, &t->split, m->options->k, &fits, err));
    if (fits && p->disclosure) {
        KN_TRY(kn__disclosure_try(p->disclosure, &p->partition, &t->rule, &t->split,
                                  t->matches.rest, &fits, err));
    }
    if (!fits) {
        status = c->discloses ? add(&p->refused, number, err) : KN_OK;
        goto done;
    }
    KN_TRY(kn__partition_refine(&p->partition, &t->split, err));
    if (p->disclosure) {
        KN_TRY(kn__disclosure_commit(p->disclosure, &p->partition, before, err));
    }
    KN_TRY(add(&p->chosen, number, err));
    p->interest += c->discloses ? c->leverage : 0;
done:
    return status;
}

/* One pass over `order`. Matching records are found for a batch of candidates on all threads; the
 * candidates are then tried one by one. */
static kn_status try_all(chooser *c, pass *p, const size_t *order, size_t count)
{
    const size_t limit = kn__param_count(c->m->options->params, "rules");
    const size_t most = limit ? limit : SIZE_MAX;
    const unsigned threads = kn__run_threads(c->m->run);
    batch *b = c->batch;

    for (size_t at = 0; at < count && p->chosen.count < most;) {
        const size_t some = count - at < BATCH ? count - at : BATCH;
        b->candidate = order + at;
        kn__parallel_for(threads, some, 1, match_slice, b);
        for (size_t i = 0; i < some && p->chosen.count < most; i++) {
            KN_PASS(try_candidate(p, c->m, order[at + i], &b->trial[i], c->err));
        }
        at += some;
        KN_PASS(kn__run_step(c->m->run, "rules", (double)at / (double)count, c->err));
    }
    return KN_OK;
}

/* ---- other orders ---- */

/* The order of the best pass, with `number` moved to the front or to the end. */
static void set_order(chooser *c, size_t number, bool first)
{
    size_t n = 0;

    for (size_t i = 0; i < c->first.count; i++) {
        c->order[n++] = c->first.at[i];
    }
    if (first) {
        c->order[n++] = number;
    }
    for (size_t i = 0; i < c->disclosing; i++) {
        if (!c->placed[i] && i != number) {
            c->order[n++] = i;
        }
    }
    for (size_t i = 0; i < c->last.count; i++) {
        if (c->last.at[i] != number) {
            c->order[n++] = c->last.at[i];
        }
    }
    if (!first) {
        c->order[n++] = number;
    }
}

/* Try the order with `number` moved to the front or to the end; keep it if it is better. */
static kn_status try_order(chooser *c, size_t number, bool first, bool *better)
{
    pass p;
    kn_status status;

    *better = false;
    set_order(c, number, first);
    KN_TRY(pass_new(&p, c->m, c->err));
    status = try_all(c, &p, c->order, c->disclosing);
    c->spent += p.work;
    if (status == KN_OK && p.interest > c->best.interest) {
        const pass swap = c->best;
        *better = true;
        c->best = p;
        p = swap;
        if (!c->placed[number]) {
            KN_TRY(add(first ? &c->first : &c->last, number, c->err));
        }
        c->placed[number] = 1;
    }
done:
    pass_clear(&p);
    return status;
}

/* Local search: move one candidate at a time until no move is better or the work is spent. */
static kn_status local_search(chooser *c)
{
    const uint64_t work_of_pass = c->best.work;
    bool better = true;
    kn_status status = KN_OK;

    while (better) {
        better = false;
        for (size_t i = 0; i < 2 * MOST_MOVES && !better; i++) {
            const bool first = i % 2 == 0;
            const candidate_list *from = first ? &c->best.refused : &c->best.chosen;
            if (i / 2 >= from->count || c->placed[from->at[i / 2]]) {
                continue;
            }
            if (c->spent + work_of_pass > MOST_WORK) {
                goto done;
            }
            KN_TRY(try_order(c, from->at[i / 2], first, &better));
        }
    }
done:
    return status;
}

static int ascending(const void *a, const void *b)
{
    const size_t x = *(const size_t *)a, y = *(const size_t *)b;

    return (x > y) - (x < y);
}

kn_status kn__mining_choose(kn_rule_mining *m, kn_error *err)
{
    chooser c = {.m = m, .err = err};
    kn_status status;

    while (c.disclosing < m->candidates && m->candidate[c.disclosing].discloses) {
        c.disclosing++;
    }
    c.batch = kn__zalloc(sizeof *c.batch);
    c.order = kn__malloc_array(m->candidates, sizeof *c.order);
    c.placed = kn__zalloc(m->candidates);
    KN_TRY(c.batch && c.order && c.placed ? pass_new(&c.best, m, err) : kn__nomem(err));
    c.batch->m = m;
    for (size_t i = 0; i < m->candidates; i++) {
        c.order[i] = i;
    }
    KN_TRY(try_all(&c, &c.best, c.order, c.disclosing));
    KN_TRY(local_search(&c));
    for (size_t i = c.disclosing; i < m->candidates; i++) {
        c.order[i] = i;
    }
    KN_TRY(try_all(&c, &c.best, c.order + c.disclosing, m->candidates - c.disclosing));
    m->chosen = c.best.chosen.at;
    m->chosen_count = c.best.chosen.count;
    c.best.chosen = (candidate_list){0};
    if (m->chosen_count > 0) {
        qsort(m->chosen, m->chosen_count, sizeof *m->chosen, ascending);
    }
done:
    for (size_t i = 0; c.batch && i < BATCH; i++) {
        kn__rule_view_clear(&c.batch->trial[i].view);
        kn__rule_matches_clear(&c.batch->trial[i].matches);
    }
    pass_clear(&c.best);
    KN_FREE(c.batch, c.order, c.placed, c.first.at, c.last.at);
    return status;
}
