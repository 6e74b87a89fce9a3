/* items.c - what a release of item lists lost: every occurrence of an item in the original is
 * looked up among the published items of its record. */
#include "base/error.h"
#include "base/memory.h"
#include "base/threads.h"
#include "utility/items/ul.h"
#include "utility/items/ul_weights.h"
#include "utility/items/items.h"

#include <math.h>

enum { GRAIN = 4096, MEASURES = 8, GUESSES = 64 };

typedef kn__items_sums sums;
typedef kn__items_worker worker;
typedef kn__items_run value_run;

size_t kn__items_measured(const kn_dataset *ds)
{
    size_t found = SIZE_MAX, lists = 0;

    for (size_t i = 0; i < ds->columns; i++) {
        if (ds->column[i].role == KN_ROLE_QUASI && kn__type_is_list(ds->column[i].type)) {
            found = i;
            lists++;
        }
    }
    return lists == 1 ? found : SIZE_MAX;
}

/* ---- preparing ---- */

static kn_status find_columns(kn_items *x, kn_error *err)
{
    size_t other;

    x->from = &x->original->column[kn__items_measured(x->original)];
    other = kn_dataset_find(x->release, x->from->name);
    if (other == SIZE_MAX) {
        return kn__fail(err, KN_EINPUT,
                        "the release has no column '%s', which holds the items of the original",
                        x->from->name);
    }
    x->to = &x->release->column[other];
    if (!x->from->dict || !x->to->dict) {
        return kn__fail(err, KN_EINPUT,
                        "the values of column '%s' of the %s were not kept when it was read: say "
                        "that it is a quasi-identifier before reading",
                        x->from->name, x->from->dict ? "release" : "original");
    }
    if (!x->to->starts) {
        return kn__fail(err, KN_EINPUT,
                        "column '%s' is a list in the original and not in the release: read both "
                        "with one schema",
                        x->from->name);
    }
    x->bags = x->from->type != KN_TYPE_SET;
    return KN_OK;
}

/* By label: the run of the codes below the nodes that have it. `last` is scratch, by label. */
static void find_label_runs(const kn_domain *d, value_run *of, uint32_t *last)
{
    uint32_t *count = last + d->labels->len;

    for (uint32_t id = 0; id < d->labels->len; id++) {
        of[id] = (value_run){.low = UINT32_MAX};
        last[id] = KN_NO_CODE;
        count[id] = 0;
    }
    for (uint32_t code = 0; code < d->values; code++) {
        for (uint32_t at = code; at != kn__domain_root(d);) {
            at = d->parent[at];
            value_run *s = &of[d->label_id[at - d->values]];
            uint32_t *seen = &last[s - of];
            if (*seen != code) { /* nodes of one label may be above each other */
                *seen = code;
                count[s - of]++;
                s->low = d->order[code] < s->low ? d->order[code] : s->low;
                s->len = d->order[code] + 1 > s->len ? d->order[code] + 1 : s->len; /* its end */
            }
        }
    }
    for (uint32_t id = 0; id < d->labels->len; id++) {
        of[id].len -= count[id] ? of[id].low : 0;
        of[id].known = count[id] == of[id].len;
    }
}

/* O(values x depth + published items). */
static kn_status find_runs(kn_items *x, kn_error *err)
{
    const kn_domain *d = x->domain;
    const uint32_t values = kn__column_values(x->to);
    const size_t labels = d->kind == KN_DOMAIN_TREE ? d->labels->len : 0;
    value_run *of = kn__malloc_array(labels, sizeof *of);
    uint32_t *last = kn__malloc_array(2 * labels, sizeof *last);
    kn_status status = KN_OK;

    x->run = kn__zalloc_array(values, sizeof *x->run);
    if (!of || !last || !x->run) {
        KN_TRY(kn__nomem(err));
    } else if (labels) {
        find_label_runs(d, of, last);
    }
    for (uint32_t to = 0; to < values; to++) {
        const kn_published *p = &x->published[to];
        if (to == x->to->missing) {
            x->run[to] = (value_run){.known = true};
        } else if (p->kind == KN_PUB_SUPPRESSED) {
            x->run[to] = (value_run){.len = d->values, .known = true};
        } else if (p->kind == KN_PUB_VALUE) {
            x->run[to] = (value_run){.low = d->order[p->code], .len = 1, .known = true};
        } else if (p->kind == KN_PUB_NODE && !p->ambiguous) {
            x->run[to] = of[d->label_id[p->node - d->values]];
        } else if (p->kind == KN_PUB_RANGE && d->kind == KN_DOMAIN_RANGE) {
            const uint32_t low = kn__domain_below(d, p->low, false);
            x->run[to] = (value_run){low, kn__domain_below(d, p->high, true) - low, true};
        }
    }
done:
    KN_FREE(of, last);
    return status;
}

static kn_status parse_release(kn_items *x, const kn_hierarchies *hierarchies, kn_error *err)
{
    KN_PASS(kn__domain_new(&x->domain, x->from,
                           hierarchies ? kn_hierarchies_get(hierarchies, x->from->name) : NULL,
                           KN_UNCOVERED_ROOT, err));
    KN_PASS(kn__parse_published(&x->published, x->domain, x->release, x->to, err));
    KN_PASS(find_runs(x, err));
    return kn__items_find_narrowest(x, err);
}

/* ---- all records ---- */

static void add_sums(sums *all, const sums *more, uint32_t people)
{
    all->ncp += people * more->ncp;
    all->loss += people * more->loss;
    all->changed += people * more->changed;
    all->left_out += people * more->left_out;
}

static void measure_records(void *user, unsigned number, size_t begin, size_t end)
{
    kn_items *x = user;
    worker *w = &x->worker[number];
    sums *s = &x->slice[begin / GRAIN];

    for (size_t i = begin; i < end; i++) {
        kn_error error;
        sums several = {0}; /* of a record that stands for several people */
        if (!kn__items_match(x, w, x->origin[i], i, x->release->counts ? &several : s)) {
            (void)kn__fail(&error, KN_EINPUT,
                           "record %zu of the release: its items in '%s' are not those of record "
                           "%zu of the original, generalised",
                           i + 1, x->to->name, (size_t)x->origin[i] + 1);
            kn__first_error_note(&x->error, i, &error);
            break;
        }
        add_sums(s, &several, kn__dataset_count(x->release, i));
    }
}

/* ---- records ---- */

/* As for tables (compare.c): each record of the release takes the first record of the original
 * after the last one taken that it may be. */
static kn_status find_origin(kn_items *x, kn_error *err)
{
    const size_t records = x->original->records, wanted = x->release->records;
    size_t next = 0;

    x->found = kn__malloc_array(wanted, sizeof *x->found);
    KN_PASS(x->found ? KN_OK : kn__nomem(err));
    for (size_t i = 0; i < records && next < wanted && records - i >= wanted - next; i++) {
        if (kn__items_fit(x, i, next)) {
            x->found[next++] = (uint32_t)i;
        }
    }
    x->origin = next == wanted ? x->found : NULL;
    return KN_OK;
}

static kn_status check_origin(const kn_items *x, kn_error *err)
{
    uint8_t *taken = kn__zalloc_array(x->original->records, 1);
    kn_status status;

    KN_TRY(taken ? KN_OK : kn__nomem(err));
    for (size_t i = 0; i < x->release->records; i++) {
        const uint32_t from = x->origin[i];
        if (from >= x->original->records || taken[from]) {
            KN_TRY(kn__fail(err, KN_EUSAGE,
                            "record %zu of the release is said to come from record %zu of the "
                            "original, which is %s: give each of its %zu records once, from 0",
                            i + 1, (size_t)from + 1,
                            from >= x->original->records ? "not there" : "taken already",
                            x->original->records));
        } else {
            taken[from] = 1;
        }
    }
done:
    kn__free(taken);
    return status;
}

/* ---- items that are left out ---- */

/* Guess that what no published item of its record covers is left out. */
static bool guess_uncovered(const kn_items *x)
{
    bool any = false;

    for (size_t i = 0; i < x->release->records; i++) {
        const size_t original = x->origin[i];
        for (uint64_t j = x->from->starts[original]; j < kn__items_end(x->from, original); j++) {
            const uint32_t from = kn__items_code(x->from, j);
            bool covered = x->guess[from];
            for (uint64_t n = x->to->starts[i]; n < kn__items_end(x->to, i) && !covered; n++) {
                covered = kn__items_covers(x, kn__items_code(x->to, n), from);
            }
            if (!covered) {
                x->guess[from] = 1;
                any = true;
            }
        }
    }
    return any;
}

/* A bag has fewer published items than it should: guess that its rarest item is left out. */
static bool guess_rarest(const kn_items *x, const uint64_t *times, size_t record)
{
    const size_t original = x->origin[record];
    uint32_t rarest = KN_NO_CODE;

    for (uint64_t j = x->from->starts[original]; j < kn__items_end(x->from, original); j++) {
        const uint32_t from = kn__items_code(x->from, j);
        if (!x->guess[from] && (rarest == KN_NO_CODE || times[from] < times[rarest])) {
            rarest = from;
        }
    }
    if (rarest != KN_NO_CODE) {
        x->guess[rarest] = 1;
    }
    return rarest != KN_NO_CODE;
}

/* Which items are left out of all records, if that explains the release; `*found` says so. */
static kn_status guess_left_out(kn_items *x, bool *found, kn_error *err)
{
    const uint64_t occurrences = x->from->starts[x->original->records];
    uint64_t *times = kn__zalloc_array(x->domain->values, sizeof *times);
    kn_status status;

    *found = false;
    KN_TRY(times ? KN_OK : kn__nomem(err));
    x->guess = kn__zalloc_array(x->domain->values, 1);
    KN_TRY(x->guess ? KN_OK : kn__nomem(err));
    for (uint64_t i = 0; i < occurrences; i++) {
        times[kn__items_code(x->from, i)]++;
    }
    bool more = guess_uncovered(x);
    x->left_out = x->guess;
    for (int round = 0; round < GUESSES && more && !*found; round++) {
        size_t i = 0;
        while (i < x->release->records && kn__items_fit(x, x->origin[i], i)) {
            i++;
        }
        *found = i == x->release->records;
        more = *found || (x->bags && guess_rarest(x, times, i));
    }
done:
    x->left_out = *found ? x->guess : NULL;
    kn__free(times);
    return status;
}

/* ---- the measures ---- */

static kn_status measure_matched(kn_items *x, sums *all, kn_error *err)
{
    const size_t slices = x->release->records / GRAIN + 1;

    x->slice = kn__zalloc_array(slices, sizeof *x->slice);
    KN_PASS(x->slice ? KN_OK : kn__nomem(err));
    x->error = (kn_first_error)KN_NO_ERROR_YET;
    kn__parallel_for(x->threads, x->release->records, GRAIN, measure_records, x);
    for (size_t i = 0; i < slices; i++) {
        add_sums(all, &x->slice[i], 1);
    }
    kn__free(x->slice);
    x->slice = NULL;
    return kn__first_error_take(&x->error, err);
}

/* Records are not matched: what the published items say by themselves, spread over the original's
 * occurrences. */
static void measure_texts(const kn_items *x, uint64_t occurrences, sums *all)
{
    uint64_t published = 0;
    double share;

    for (size_t i = 0; i < x->release->records; i++) {
        for (uint64_t j = x->to->starts[i]; j < kn__items_end(x->to, i); j++) {
            const kn_published *p = &x->published[kn__items_code(x->to, j)];
            all->ncp += p->ncp;
            all->loss += p->loss;
            all->changed += p->kind != KN_PUB_VALUE;
            published++;
        }
    }
    share = published ? (double)occurrences / (double)published : 0;
    all->ncp *= share;
    all->loss *= share;
    all->changed = (uint64_t)((double)all->changed * share + 0.5);
}

static uint64_t count_occurrences(const kn_items *x, const uint32_t *records, size_t count)
{
    uint64_t sum = 0;

    for (size_t i = 0; i < count; i++) {
        const size_t record = records ? records[i] : i;
        sum += kn__dataset_count(x->original, record) *
               (kn__items_end(x->from, record) - x->from->starts[record]);
    }
    return sum;
}

kn_status kn__items_new(kn_items **out, const kn_dataset *original, const kn_dataset *release,
                        const kn_hierarchies *hierarchies, bool known, const uint8_t *left_out,
                        const kn_run *run, kn_error *err)
{
    kn_items *x = kn__zalloc(sizeof *x);
    bool ambiguous = false;
    kn_status status = KN_OK;

    *out = NULL;
    if (!x) {
        return kn__nomem(err);
    }
    *x = (kn_items){.original = original,
                    .release = release,
                    .threads = kn__run_threads(run),
                    .known = known,
                    .left_out = left_out};
    x->worker = kn__zalloc_array(x->threads, sizeof *x->worker);
    KN_TRY(x->worker ? find_columns(x, err) : kn__nomem(err));
    KN_TRY(parse_release(x, hierarchies, err));
    for (size_t i = 0; i < release->records; i++) {
        const size_t len = (size_t)(x->to->starts[i + 1] - x->to->starts[i]);
        x->most = len > x->most ? len : x->most;
    }
    for (uint32_t i = 0; x->bags && i < kn__column_values(x->to); i++) {
        ambiguous = ambiguous || x->published[i].ambiguous;
    }
    for (unsigned i = 0; i < x->threads; i++) {
        worker *w = &x->worker[i];
        w->taken = kn__malloc_array(x->most, sizeof *w->taken);
        w->pairs = ambiguous ? kn__malloc_array(x->most, 5 * sizeof *w->pairs) : NULL;
        w->held = x->narrowest ? kn__zalloc_array(kn__column_values(x->to), sizeof *w->held) : NULL;
        KN_TRY(w->taken && (w->pairs || !ambiguous) && (w->held || !x->narrowest) ? KN_OK
                                                                                  : kn__nomem(err));
    }
done:
    if (status != KN_OK) {
        kn__items_free(x);
        return status;
    }
    *out = x;
    return KN_OK;
}

void kn__items_free(kn_items *x)
{
    if (!x) {
        return;
    }
    kn__parsed_published_free(x->published, x->to ? kn__column_values(x->to) : 0);
    for (unsigned i = 0; x->worker && i < x->threads; i++) {
        KN_FREE(x->worker[i].taken, x->worker[i].pairs, x->worker[i].held);
    }
    KN_FREE(x->run, x->narrowest, x->wider, x->slice, x->worker, x->found, x->guess);
    kn__domain_free(x->domain);
    kn__free(x);
}

const kn_column *kn__items_column_of(const kn_items *x)
{
    return x->from;
}

bool kn__items_fit(const kn_items *x, size_t original, size_t release)
{
    return kn__items_match(x, &x->worker[0], original, release, NULL);
}

/* Records are matched: sum up. Where it is not known what is left out, it is found out if need be.
 */
static kn_status measure_records_found(kn_items *x, sums *all, kn_error *err)
{
    bool found = false;
    kn_error why = {0};
    kn_status status = measure_matched(x, all, &why), guessed = KN_OK;

    if (status == KN_EINPUT && !x->known) {
        guessed = guess_left_out(x, &found, err);
        if (guessed != KN_OK) {
            return guessed;
        }
    }
    if (found) {
        *all = (sums){0};
        return measure_matched(x, all, err);
    }
    if (status != KN_OK && err) {
        *err = why;
    }
    return status;
}

static kn_status measure_ul(double *out, const kn_items *x, const uint32_t *origin, kn_error *err)
{
    kn_ul_lists lists = {.domain = x->domain,
                         .from = x->from,
                         .to = x->to,
                         .published = x->published,
                         .origin = origin,
                         .original = x->original,
                         .release = x->release};
    double *weight = NULL;
    kn_status status;

    KN_TRY(kn__ul_weights_new(&weight, x->domain, err));
    lists.weight = weight;
    KN_TRY(kn__ul_measure(out, &lists, x->threads, err));
done:
    kn__free(weight);
    return status;
}

kn_status kn__items_lose(kn_items_lost *out, kn_items *x, const uint32_t *origin, kn_error *err)
{
    const uint64_t occurrences = count_occurrences(x, NULL, x->original->records);
    const double all = (double)occurrences;
    sums sum = {0};

    x->origin = origin;
    if (origin) {
        const uint64_t absent = occurrences - count_occurrences(x, origin, x->release->records);
        KN_PASS(measure_records_found(x, &sum, err));
        sum.ncp += (double)absent;
        sum.loss += (double)absent;
        sum.changed += absent;
    } else {
        measure_texts(x, occurrences, &sum);
    }
    *out = (kn_items_lost){.ncp = occurrences ? sum.ncp / all : NAN,
                           .loss = occurrences ? sum.loss / all : NAN,
                           .changed = occurrences ? (double)sum.changed / all : NAN,
                           .left_out = occurrences ? (double)sum.left_out / all : NAN};
    return measure_ul(&out->ul, x, origin, err);
}

/* Records could not be matched one after the other: perhaps items are left out, and they are all
 * there in their order. */
static kn_status match_in_order(kn_items *x, kn_error *err)
{
    bool found = false;
    kn_status status;

    if (x->origin || x->release->records != x->original->records) {
        return KN_OK;
    }
    for (size_t i = 0; i < x->release->records; i++) {
        x->found[i] = (uint32_t)i;
    }
    x->origin = x->found;
    status = guess_left_out(x, &found, err);
    x->origin = found ? x->found : NULL;
    return status;
}

static kn_status make(kn_measures **out, const kn_items *x, const kn_items_lost *lost,
                      kn_error *err)
{
    const size_t records = kn__dataset_people(x->original),
                 absent = records - kn__dataset_people(x->release);
    kn_measures *m = kn__zalloc(sizeof *m);

    KN_PASS(m ? KN_OK : kn__nomem(err));
    m->names = kn__strdup(x->from->name);
    m->list = kn__malloc_array(MEASURES, sizeof *m->list);
    if (!m->names || !m->list) {
        kn_measures_free(m);
        return kn__nomem(err);
    }
    m->list[m->count++] = (kn_measurement){"ncp", NULL, lost->ncp};
    m->list[m->count++] = (kn_measurement){"loss", NULL, lost->loss};
    m->list[m->count++] = (kn_measurement){"ul", NULL, lost->ul};
    m->list[m->count++] = (kn_measurement){"items_changed", NULL, lost->changed};
    m->list[m->count++] = (kn_measurement){"items_suppressed", NULL, lost->left_out};
    m->list[m->count++] = (kn_measurement){"suppressed_records", NULL,
                                           records ? (double)absent / (double)records : NAN};
    m->list[m->count++] = (kn_measurement){"ncp", m->names, lost->ncp};
    m->list[m->count++] = (kn_measurement){"loss", m->names, lost->loss};
    *out = m;
    return KN_OK;
}

kn_status kn__items_measure(kn_measures **out, const kn_dataset *original,
                            const kn_dataset *release, const uint32_t *origin,
                            const kn_hierarchies *hierarchies, bool known, const uint8_t *left_out,
                            const kn_run *run, kn_error *err)
{
    kn_items *x = NULL;
    kn_items_lost lost;
    kn_status status;

    *out = NULL;
    if (original->records >= UINT32_MAX || release->records > original->records) {
        return kn__fail(err, KN_EINPUT,
                        "the release has %zu records and the original %zu: are they given in the "
                        "right order?",
                        release->records, original->records);
    }
    KN_TRY(kn__items_new(&x, original, release, hierarchies, known, left_out, run, err));
    x->origin = origin;
    KN_TRY(origin ? check_origin(x, err) : find_origin(x, err));
    if (!known) {
        KN_TRY(match_in_order(x, err));
    }
    KN_TRY(kn__run_step(run, "measure", 0.5, err));
    KN_TRY(kn__items_lose(&lost, x, x->origin, err));
    KN_TRY(make(out, x, &lost, err));
done:
    kn__items_free(x);
    return status;
}
