/* choose.c - which candidates are published.
 *
 * One by one, the most interesting first: a candidate is taken if every span that tells something
 * still has k records or none. A rule that does not fit now never will, as more rules only part
 * spans further; so one pass over the candidates gives a list to which none of the others can be
 * added. But a rule may keep out several that are worth more together. So, as long as little work
 * is enough, passes are tried that put a refused rule first, or one that was taken last, and the
 * best is kept: the one whose rules of private items have the greatest leverage in all. */
#include "base/error.h"
#include "base/hash.h"
#include "base/memory.h"
#include "base/threads.h"
#include "models/rules/mine.h"
#include "models/rules/disclosure.h"

#include <stdlib.h>

enum { BATCH = 16, MOST_TURNS = 64 };
static const uint64_t MOST_WORK = 1 << 25; /* records that more passes may look at */

/* A candidate whose holders have been looked up. */
typedef struct trial {
    uint32_t items[KN_MOST_LONGEST];
    kn_rule rule;
    kn_rule_view view;
    kn_rule_hits hits;
    kn_split split;
    kn_status status;
    kn_error error;
} trial;

typedef struct batch {
    const kn_mining *m;
    const size_t *candidate; /* those to look up */
    trial trial[BATCH];
} batch;

/* Candidates by number. */
typedef struct numbers {
    size_t *at;
    size_t count, cap;
} numbers;

typedef struct pass {
    kn_parts parts;
    kn_disclosure *told; /* NULL when only k is asked for */
    numbers chosen, refused;
    kn_u128 interest;
    uint64_t work; /* records that were looked at */
} pass;

typedef struct choosing {
    const kn_mining *m;
    batch *batch;
    size_t telling; /* candidates that name a private item: they come first */
    size_t *order;
    numbers lead, last; /* those that the best pass began and ended with */
    uint8_t *placed;    /* by candidate: it is one of these */
    pass best;
    uint64_t spent;
    kn_error *err;
} choosing;

static kn_status add(numbers *to, size_t number, kn_error *err)
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
    kn__parts_clear(&p->parts);
    kn__disclosure_free(p->told);
    kn__free(p->chosen.at);
    kn__free(p->refused.at);
    *p = (pass){0};
}

static kn_status pass_new(pass *p, const kn_mining *m, kn_error *err)
{
    const kn_mine_options *o = m->options;
    kn_status status;

    *p = (pass){0};
    status = kn__parts_new(&p->parts, m->m.records, err);
    if (status == KN_OK && (o->l > 0 || o->inference > 0)) {
        status = kn__disclosure_new(&p->told, m->m.lists, m->m.hidden, o->l, o->distinct_l,
                                    o->inference, err);
    }
    return status;
}

static void look_up(void *user, unsigned worker, size_t begin, size_t end)
{
    batch *b = user;

    (void)worker;
    for (size_t i = begin; i < end; i++) {
        trial *t = &b->trial[i];
        kn__mining_rule(b->m, &b->m->candidate[b->candidate[i]], t->items, &t->rule);
        kn__rule_view_clear(&t->view);
        t->status = kn__rule_view_of(&t->view, &t->rule, b->m->m.hidden, &t->error);
        if (t->status == KN_OK) {
            t->status = kn__rule_find_hits(&t->hits, &t->view, &b->m->m.holders, &t->split,
                                           &t->error);
        }
    }
}

static kn_status try(pass *p, const kn_mining *m, size_t number, trial *t, kn_error *err)
{
    const size_t before = p->parts.count;
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
    if (t->split.one) {
        p->work += t->split.one->len;
    }
    if (t->split.two) {
        p->work += t->split.two->len;
    }
    t->split.rule = (uint32_t)p->chosen.count;
    status = kn__parts_fits(&p->parts, &t->split, m->options->k, &fits, err);
    if (status == KN_OK && fits && p->told) {
        status = kn__disclosure_fits(p->told, &p->parts, &t->rule, &t->split, t->hits.rest, &fits,
                                     err);
    }
    if (status == KN_OK && fits) {
        status = kn__parts_split(&p->parts, &t->split, err);
    }
    if (status == KN_OK && fits && p->told) {
        status = kn__disclosure_take(p->told, &p->parts, before, err);
    }
    if (status == KN_OK && (fits || c->tells)) {
        status = add(fits ? &p->chosen : &p->refused, number, err);
    }
    p->interest += fits && c->tells ? c->leverage : 0;
    return status;
}

/* Holders are looked up for some candidates at a time, on all threads; they are tried one by one.
 */
static kn_status walk(choosing *c, pass *p, const size_t *order, size_t count)
{
    const size_t most = c->m->options->rules ? c->m->options->rules : SIZE_MAX;
    const unsigned threads = kn__run_threads(c->m->run);
    batch *b = c->batch;
    kn_status status = KN_OK;

    for (size_t at = 0; status == KN_OK && at < count && p->chosen.count < most;) {
        const size_t some = count - at < BATCH ? count - at : BATCH;
        b->candidate = order + at;
        kn__parallel_for(threads, some, 1, look_up, b);
        for (size_t i = 0; i < some && status == KN_OK && p->chosen.count < most; i++) {
            status = try(p, c->m, order[at + i], &b->trial[i], c->err);
        }
        at += some;
        if (status == KN_OK) {
            status = kn__run_step(c->m->run, "rules", (double)at / (double)count, c->err);
        }
    }
    return status;
}

/* ---- other orders ---- */

/* The order of the best pass, with `number` first, or last. */
static void make_order(choosing *c, size_t number, bool first)
{
    size_t n = 0;

    for (size_t i = 0; i < c->lead.count; i++) {
        c->order[n++] = c->lead.at[i];
    }
    if (first) {
        c->order[n++] = number;
    }
    for (size_t i = 0; i < c->telling; i++) {
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

/* Whether a pass with `number` first, or last, is better: then it is the best. */
static kn_status turn(choosing *c, size_t number, bool first, bool *better)
{
    pass p;
    kn_status status = pass_new(&p, c->m, c->err);

    *better = false;
    make_order(c, number, first);
    if (status == KN_OK) {
        status = walk(c, &p, c->order, c->telling);
    }
    c->spent += p.work;
    if (status == KN_OK && p.interest > c->best.interest) {
        const pass swap = c->best;
        *better = true;
        c->best = p;
        p = swap;
        status = c->placed[number] ? KN_OK : add(first ? &c->lead : &c->last, number, c->err);
        c->placed[number] = 1;
    }
    pass_clear(&p);
    return status;
}

/* One turn after the other until none is better, or the work is done. */
static kn_status search(choosing *c)
{
    const uint64_t one = c->best.work;
    bool better = true;
    kn_status status = KN_OK;

    while (better && status == KN_OK) {
        better = false;
        for (size_t i = 0; i < 2 * MOST_TURNS && status == KN_OK && !better; i++) {
            const bool first = i % 2 == 0;
            const numbers *from = first ? &c->best.refused : &c->best.chosen;
            if (i / 2 >= from->count || c->placed[from->at[i / 2]]) {
                continue;
            }
            if (c->spent + one > MOST_WORK) {
                return KN_OK;
            }
            status = turn(c, from->at[i / 2], first, &better);
        }
    }
    return status;
}

static int ascending(const void *a, const void *b)
{
    const size_t x = *(const size_t *)a, y = *(const size_t *)b;

    return (x > y) - (x < y);
}

kn_status kn__mining_choose(kn_mining *m, kn_error *err)
{
    choosing c = {.m = m, .err = err};
    kn_status status;

    while (c.telling < m->candidates && m->candidate[c.telling].tells) {
        c.telling++;
    }
    c.batch = kn__zalloc(sizeof *c.batch);
    c.order = kn__malloc_array(m->candidates, sizeof *c.order);
    c.placed = kn__zalloc(m->candidates);
    KN_TRY(c.batch && c.order && c.placed ? pass_new(&c.best, m, err) : kn__nomem(err));
    c.batch->m = m;
    for (size_t i = 0; i < m->candidates; i++) {
        c.order[i] = i;
    }
    KN_TRY(walk(&c, &c.best, c.order, c.telling));
    KN_TRY(search(&c));
    for (size_t i = c.telling; i < m->candidates; i++) {
        c.order[i] = i;
    }
    KN_TRY(walk(&c, &c.best, c.order + c.telling, m->candidates - c.telling));
    m->chosen = c.best.chosen.at;
    m->chosen_count = c.best.chosen.count;
    c.best.chosen = (numbers){0};
    if (m->chosen_count > 0) {
        qsort(m->chosen, m->chosen_count, sizeof *m->chosen, ascending);
    }
done:
    for (size_t i = 0; c.batch && i < BATCH; i++) {
        kn__rule_view_clear(&c.batch->trial[i].view);
        kn__rule_hits_clear(&c.batch->trial[i].hits);
    }
    pass_clear(&c.best);
    kn__free(c.batch);
    kn__free(c.order);
    kn__free(c.placed);
    kn__free(c.lead.at);
    kn__free(c.last.at);
    return status;
}
