/* suppression.c - which items to suppress: a local search over sets of items.
 *
 * The method itself evaluates a set: it runs on the items that remain, and the set with the least
 * NCP over all occurrences wins. In this order it tries: no item; all items of rare combinations,
 * with nothing generalised; if neither is feasible, items of records that are too long; removals
 * that let generalised groups be split (suppression_break.c); and, where the data are small, sets
 * that differ from the best in one or two items. */
#include "methods/sets/suppression.h"
#include "base/error.h"
#include "base/memory.h"
#include "base/sort.h"
#include "base/threads.h"
#include "count/rare/rare.h"

#include <assert.h>
#include <math.h>
#include <string.h>

/* The method runs WORK / occurrences times, within LEAST_RUNS..MOST_RUNS. */
#define WORK 2e6
enum {
    LEAST_RUNS = 3,
    MOST_RUNS = 300,
    NEIGHBOUR_RUNS = 32, /* with more runs than this, neighbours of the best set are tried */
    ROUNDS = 8,          /* of kn__suppress_break_up per limit */
    CAPS = 3             /* limits that are tried: 1/16 and 1/4 of the limit, and the limit */
};

kn_status kn__suppress_rest(kn_baskets **rest, const kn_items_task *task, const uint8_t *out,
                            kn_error *err)
{
    const kn_baskets *b = task->baskets;
    uint32_t *to = kn__malloc_array(b->items, sizeof *to);
    kn_status status;

    *rest = NULL;
    KN_PASS(to ? KN_OK : kn__nomem(err));
    for (uint32_t i = 0; i < b->items; i++) {
        to[i] = out[i] ? KN_NO_CODE : i;
    }
    status = kn__baskets_map(rest, b, to, b->items, task->run, err);
    kn__free(to);
    return status;
}

/* ---- what a result loses ---- */

/* The node of a tree as which a code is published; KN_NO_NODE for a range or a value. */
static uint32_t published_node(const kn_domain *d, const kn_published *exact)
{
    if (exact->kind == KN_PUB_NODE) {
        return exact->node;
    }
    return exact->kind == KN_PUB_SUPPRESSED ? kn__domain_root(d) : KN_NO_NODE;
}

/* By code, the node that it is published as and its NCP; `*loss` is the NCP summed over all
 * occurrences. */
static kn_status measure_loss(const kn_suppression *s, const kn_recoding *r, const uint8_t *out,
                              uint32_t *node, double *ncp, double *loss, kn_error *err)
{
    const kn_domain *d = s->task->domain;
    const uint32_t texts = r->texts->len;
    kn_published *published = kn__zalloc_array(texts, sizeof *published);
    uint32_t parsed = 0;
    kn_status status;

    *loss = 0;
    KN_TRY(published ? KN_OK : kn__nomem(err));
    for (; parsed < texts; parsed++) {
        size_t len;
        const char *text = kn__dict_text(r->texts, parsed, &len);
        KN_TRY(kn__published_parse(&published[parsed], d, text, len, err));
    }
    for (uint32_t i = 0; i < s->values; i++) {
        kn_published exact = {.ncp = 1, .kind = KN_PUB_SUPPRESSED};
        node[i] = KN_NO_NODE;
        ncp[i] = 1;
        if (s->times[i] == 0) {
            continue;
        }
        if (!out[i]) {
            (void)kn__published_covers(&published[r->to[i]], d, i, &exact);
            node[i] = published_node(d, &exact);
            ncp[i] = exact.ncp;
        }
        *loss += (double)s->times[i] * ncp[i];
    }
done:
    for (uint32_t i = 0; published && i < parsed; i++) {
        kn__published_clear(&published[i]);
    }
    kn__free(published);
    return status;
}

/* ---- trying ---- */

static uint64_t lost_by(const kn_suppression *s, const uint8_t *out)
{
    uint64_t lost = 0;

    for (uint32_t i = 0; i < s->values; i++) {
        lost += out[i] ? s->times[i] : 0;
    }
    return lost;
}

/* A suppressed code has no name, even if the range of others contains its value. */
static void clear_names(const kn_suppression *s, kn_recoding *r, const uint8_t *out)
{
    for (uint32_t i = 0; i < s->values; i++) {
        r->to[i] = out[i] ? KN_NO_CODE : r->to[i];
    }
}

kn_status kn__suppress_try(kn_suppression *s, const uint8_t *out, bool *better, kn_error *err)
{
    const uint64_t lost = lost_by(s, out);
    kn_items_task task = *s->task;
    kn_baskets *rest = NULL;
    kn_recoding r = {0};
    uint32_t *node = NULL;
    double *ncp = NULL, loss = INFINITY;
    bool wins = false;
    kn_status status = KN_OK;

    if (better) {
        *better = false;
    }
    /* A suppressed occurrence has NCP 1, so `lost` is a lower bound of the loss. */
    if (lost > s->limit || (double)lost >= s->loss) {
        return KN_OK;
    }
    s->runs -= s->runs > 0;
    status = kn__suppress_rest(&rest, s->task, out, err);
    if (status == KN_OK) {
        task.baskets = rest;
        status = s->method(&task, &r, err);
    }
    if (status == KN_OK) {
        clear_names(s, &r, out);
        node = kn__malloc_array(s->values, sizeof *node);
        ncp = kn__malloc_array(s->values, sizeof *ncp);
        status = node && ncp ? measure_loss(s, &r, out, node, ncp, &loss, err) : kn__nomem(err);
    } else if (status == KN_EINFEASIBLE) { /* this set will not do; `err` says why */
        status = KN_OK;
    }
    wins = status == KN_OK && loss < s->loss - 1e-9 * (double)s->all;
    if (wins) {
        kn__recoding_clear(&s->best);
        KN_FREE(s->node, s->ncp);
        s->best = r;
        s->node = node;
        s->ncp = ncp;
        s->loss = loss;
        s->left_out = lost;
        memmove(s->out, out, s->values);
    } else {
        kn__recoding_clear(&r);
        KN_FREE(node, ncp);
    }
    kn__baskets_free(rest);
    if (better) {
        *better = wins;
    }
    return status;
}

/* ---- local search around the best ---- */

/* The codes that occur, by the loss of their group per occurrence of the code: first those that are
 * rare in a group that loses much, since the group is generalised so far because of them. */
static kn_status rank(const kn_suppression *s, kn_ranked *list, size_t *count, kn_error *err)
{
    const bool any = s->best.texts != NULL;
    double *lost = kn__zalloc_array(any ? s->best.texts->len : 0, sizeof *lost);

    *count = 0;
    KN_PASS(lost ? KN_OK : kn__nomem(err));
    for (uint32_t i = 0; any && i < s->values; i++) {
        if (kn__suppress_keeps(s, i)) {
            lost[s->best.to[i]] += (double)s->times[i] * s->ncp[i];
        }
    }
    for (uint32_t i = 0; i < s->values; i++) {
        if (s->times[i]) {
            const double group = s->out[i] || !any ? 0 : lost[s->best.to[i]];
            list[(*count)++] = (kn_ranked){(group + 1) / (double)s->times[i], i};
        }
    }
    kn__free(lost);
    kn__sort_ranked_down(list, *count);
    return KN_OK;
}

/* Hill climbing: suppress one more code or publish one again, then two at a time, as long as that
 * lowers the loss. */
static kn_status search_neighbours(kn_suppression *s, uint8_t *out, kn_ranked *list, kn_error *err)
{
    bool better = true;
    size_t count = 0;

    while (better && s->runs) {
        better = false;
        KN_PASS(rank(s, list, &count, err));
        for (size_t i = 0; i < count && s->runs && !better; i++) {
            memcpy(out, s->out, s->values);
            out[list[i].id] ^= 1;
            KN_PASS(kn__suppress_try(s, out, &better, err));
        }
        for (size_t i = 0; i < count && s->runs && !better; i++) {
            for (size_t j = 0; j < i && s->runs && !better; j++) {
                memcpy(out, s->out, s->values);
                out[list[i].id] ^= 1;
                out[list[j].id] ^= 1;
                KN_PASS(kn__suppress_try(s, out, &better, err));
            }
        }
    }
    return KN_OK;
}

/* The least size, up to m in bags and 1 in sets, such that fewer than k records hold so many items,
 * and at least one does; 0 if there is none. Generalisation cannot help such records: even with one
 * name for all items, so many of them are a rare combination. */
static size_t rare_length(const kn_suppression *s, const uint8_t *out)
{
    const kn_baskets *b = s->task->baskets;
    size_t held[KN_MOST_M + 1] = {0};

    for (size_t i = 0; i < b->records; i++) {
        size_t len, kept = 0;
        const uint32_t *items = kn__baskets_record(b, i, &len);
        for (size_t j = 0; j < len; j++) {
            kept += !out[items[j]];
        }
        for (size_t size = 1; size <= s->task->m && size <= kept; size++) {
            held[size]++;
        }
    }
    for (size_t size = 1; size <= (b->bags ? s->task->m : 1); size++) {
        if (held[size] > 0 && held[size] < s->task->k) {
            return size;
        }
    }
    return 0;
}

/* Occurrences of each item in the records that hold `size` items or more. */
static void count_in_long(const kn_suppression *s, const uint8_t *out, size_t size, uint64_t *in)
{
    const kn_baskets *b = s->task->baskets;

    memset(in, 0, s->values * sizeof *in);
    for (size_t i = 0; i < b->records; i++) {
        size_t len, kept = 0;
        const uint32_t *items = kn__baskets_record(b, i, &len);
        for (size_t j = 0; j < len; j++) {
            kept += !out[items[j]];
        }
        for (size_t j = 0; j < len && kept >= size; j++) {
            in[items[j]] += !out[items[j]];
        }
    }
}

/* If too few records are long, no set of names is feasible: suppress the items that occur mostly in
 * long records until it is. */
static kn_status shorten_records(kn_suppression *s, uint8_t *out, kn_error *err)
{
    uint64_t *in = kn__malloc_array(s->values, sizeof *in);
    uint64_t lost = 0;
    size_t size;
    kn_status status;

    KN_TRY(in ? KN_OK : kn__nomem(err));
    memset(out, 0, s->values);
    while (lost <= s->limit && (size = rare_length(s, out)) > 0) {
        uint32_t best = KN_NO_CODE;
        count_in_long(s, out, size, in);
        for (uint32_t i = 0; i < s->values; i++) {
            if (in[i] && (best == KN_NO_CODE || in[i] * s->times[best] > in[best] * s->times[i])) {
                best = i;
            }
        }
        assert(best != KN_NO_CODE);
        out[best] = 1;
        lost += s->times[best];
        KN_TRY(kn__run_step(s->task->run, "suppress", -1, err));
    }
    if (lost <= s->limit) {
        KN_TRY(kn__suppress_try(s, out, NULL, err));
    }
done:
    kn__free(in);
    return status;
}

/* ---- the search ---- */

/* Try to suppress an item of each rare combination and to generalise nothing. */
static kn_status try_suppression_only(kn_suppression *s, uint8_t *out, kn_error *err)
{
    const double most = s->loss < (double)s->limit ? s->loss : (double)s->limit;
    uint64_t lost;
    bool done;
    kn_status status = kn__suppress_only(s->task, s->times, (uint64_t)most, out, &lost, &done, err);

    return status == KN_OK && done ? kn__suppress_try(s, out, NULL, err) : status;
}

static kn_status search(kn_suppression *s, kn_error *err)
{
    const double runs = WORK / (double)(s->all + 1);
    const uint64_t limit = s->limit;
    uint8_t *out = kn__zalloc_array(s->values, 1);
    kn_ranked *list = kn__malloc_array(s->values, sizeof *list);
    kn_error first = {0};
    bool better;
    kn_status status;

    s->runs = (size_t)fmin(fmax(runs, LEAST_RUNS), MOST_RUNS);
    KN_TRY(out && list ? KN_OK : kn__nomem(err));
    KN_TRY(kn__suppress_try(s, out, NULL, &first));
    if (s->limit > 0) {
        KN_TRY(try_suppression_only(s, out, err));
    }
    if (s->limit > 0 && s->loss == INFINITY) {
        KN_TRY(shorten_records(s, out, err));
    }
    /* Small limits first, so that cheap removals are found before expensive ones use the limit. */
    for (int cap = CAPS; cap-- > 0 && s->loss < INFINITY;) {
        s->limit = limit >> (2 * cap);
        better = s->limit > 0;
        for (int round = 0; round < ROUNDS && better; round++) {
            KN_TRY(kn__suppress_break_up(s, &better, err));
        }
    }
    s->limit = limit;
    if (runs > NEIGHBOUR_RUNS && limit > 0) {
        KN_TRY(search_neighbours(s, out, list, err));
    }
    status = s->loss < INFINITY ? KN_OK : KN_EINFEASIBLE;
done:
    s->limit = limit;
    if (first.status == status && status != KN_OK && err) {
        *err = first; /* why the method fails on all items */
    }
    KN_FREE(out, list);
    return status;
}

/* ---- without a hierarchy ---- */

static kn_status publish_as_they_are(kn_suppression *s, kn_error *err)
{
    const kn_column *column = s->task->column;
    kn_status status = kn__dict_new(&s->best.texts, err);

    s->best.to = kn__malloc_array(s->values, sizeof *s->best.to);
    if (status == KN_OK && !s->best.to) {
        status = kn__nomem(err);
    }
    for (uint32_t i = 0; i < s->values && status == KN_OK; i++) {
        size_t len;
        const char *text = kn__column_text(column, i, &len);
        s->best.to[i] = KN_NO_CODE;
        if (kn__suppress_keeps(s, i)) {
            status = kn__dict_add(s->best.texts, text, len, &s->best.to[i], err);
        }
    }
    return status;
}

static kn_status leave_out_only(kn_suppression *s, kn_error *err)
{
    const double all = (double)s->all;
    bool done;

    KN_PASS(kn__suppress_only(s->task, s->times, UINT64_MAX, s->out, &s->left_out, &done, err));
    if (s->left_out > s->limit) {
        /* Rounded up, so that the share in the message suffices. */
        (void)kn__fail(err, KN_EINFEASIBLE,
                       "km-anonymity with k = %zu and m = %zu cannot be met by leaving out at most "
                       "%.4g %% of the items of '%s': %.5g %% would do (--item-suppression %.5g), "
                       "or a hierarchy (--hierarchy %s=FILE)",
                       s->task->k, s->task->m, 100 * s->task->options->item_suppression,
                       s->task->column->name, ceil(1e5 * (double)s->left_out / all) / 1e3,
                       ceil(1e5 * (double)s->left_out / all) / 1e5, s->task->column->name);
        (void)kn__about_column(err, KN_EINFEASIBLE, KN_ERROR_SUPPRESSION, s->task->column->name);
        return kn__about_parameter(err, KN_EINFEASIBLE, KN_ERROR_SUPPRESSION, "item_suppression");
    }
    return publish_as_they_are(s, err);
}

static kn_status count(kn_suppression *s, kn_error *err)
{
    const kn_baskets *b = s->task->baskets;

    s->values = kn__column_values(s->task->column);
    s->times = kn__zalloc_array(s->values, sizeof *s->times);
    s->out = kn__zalloc_array(s->values, 1);
    s->loss = INFINITY;
    KN_PASS(s->times && s->out ? KN_OK : kn__nomem(err));
    for (uint64_t i = 0; i < b->starts[b->records]; i++) {
        s->times[b->list[i]]++;
    }
    s->all = b->starts[b->records];
    s->limit = (uint64_t)floor(s->task->options->item_suppression * (double)s->all + 1e-9);
    return KN_OK;
}

kn_status kn__suppress(const kn_items_task *task, const kn_method_row *method, kn_recoding *out,
                       kn_error *err)
{
    kn_suppression s = {.task = task, .method = method->items};
    kn_status status;

    KN_TRY(kn__method_leaves_out(method, err));
    KN_TRY(count(&s, err));
    KN_TRY(method->numbers || task->domain->kind == KN_DOMAIN_TREE ? search(&s, err)
                                                                   : leave_out_only(&s, err));
    *out = s.best;
    out->left_out = s.out;
    s.best = (kn_recoding){0};
    s.out = NULL;
done:
    kn__recoding_clear(&s.best);
    KN_FREE(s.times, s.out, s.node, s.ncp);
    return status;
}
