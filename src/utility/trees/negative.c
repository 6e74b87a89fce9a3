/* negative.c - attackers who also know values that a person does not have (the tree paper, Figure
 * 18).
 *
 * A drawn attacker knows up to m values of a random record, and up to n relations of those that
 * hold among them, as the release shows them. Negative knowledge is q values drawn from the domain
 * that the person does not have. "Not flu" rules out published records with the value flu itself; a
 * record with "lung disease" stays. A generalised attacker negates a value of the next level, which
 * rules out all published values at or below it. The person's own record always stays. */
#include "base/args.h"
#include "base/error.h"
#include "base/memory.h"
#include "base/rng.h"
#include "base/threads.h"
#include "count/relation_index.h"
#include "data/dataset.h"
#include "utility/trees/trees.h"

#include <string.h>

enum { SAMPLES = 10000, MOST_VALUES = 16, TRIES = 200 };

typedef struct drawing {
    const kn_tree_pair *p;
    const kn_guarantee *g;
    kn_rng rng;
    kn_synopsis *s; /* of the release; labels are its codes */
    kn_relation_index *r;
    uint32_t *list; /* records that match */
    size_t len;
    uint32_t value[MOST_VALUES];
    size_t values;
} drawing;

/* Different values of the published record, at random. */
static void draw_values(drawing *d, size_t record)
{
    const kn_forest *f = d->p->published;
    const uint32_t size = kn__forest_size(f, record);

    d->values = 0;
    for (int i = 0; size && i < TRIES && d->values < d->g->m && d->values < MOST_VALUES; i++) {
        const uint32_t v = f->value[f->starts[record] + kn__rng_below(&d->rng, size)];
        bool known = false;
        for (size_t j = 0; j < d->values; j++) {
            known = known || d->value[j] == v;
        }
        if (!known) {
            d->value[d->values++] = v;
        }
    }
}

static kn_status narrow(kn_record_set *set, const kn_record_set *by, size_t words, kn_error *err)
{
    kn_record_set both;
    const kn_status status = kn__record_set_intersect(&both, set, by, words, NULL, NULL, err);

    if (status == KN_OK) {
        kn__record_set_clear(set);
        *set = both;
    }
    return status;
}

/* The published records that hold the values and up to n relations among them that this record
 * holds. */
static kn_status match(drawing *d, size_t record, kn_error *err)
{
    kn_record_set set = {0};
    size_t relations = 0;
    kn_status status;

    KN_TRY(kn__record_set_intersect(&set, &d->r->value[d->value[0]], &d->r->value[d->value[0]],
                                    d->s->words, NULL, NULL, err));
    for (size_t i = 1; i < d->values; i++) {
        KN_TRY(narrow(&set, &d->r->value[d->value[i]], d->s->words, err));
    }
    for (size_t i = 0; i < d->values; i++) {
        for (size_t j = 0; j < d->values && relations < d->g->n; j++) {
            const uint32_t at = kn__relation_index_find(d->r,
                                                        (kn_relation){d->value[i], d->value[j]});
            if (at != UINT32_MAX && kn__record_set_has(&d->r->holds[at], (uint32_t)record)) {
                KN_TRY(narrow(&set, &d->r->holds[at], d->s->words, err));
                relations++;
            }
        }
    }
    d->len = kn__record_set_first(&set, d->s->words, set.len, d->list);
done:
    kn__record_set_clear(&set);
    return status;
}

/* A label that covers no value of the person. */
static uint32_t draw_absent(drawing *d, size_t record, bool general)
{
    const kn_forest *f = d->p->original;
    const size_t o = d->p->origin ? d->p->origin[record] : record;

    for (int i = 0; i < TRIES; i++) {
        uint32_t label = d->p->d->of_value[kn__rng_below(&d->rng, f->values)];
        bool has = false;
        label = general ? d->p->d->parent[label] : label;
        for (uint64_t n = f->starts[o]; n < f->starts[o + 1] && !has; n++) {
            has = kn__tree_domain_covers(d->p->d, label, d->p->d->of_value[f->value[n]]);
        }
        if (!has) {
            return label;
        }
    }
    return KN_NOT_A_LABEL;
}

/* Take the records away that show a value at or below `label`. */
static void rule_out(drawing *d, uint32_t label)
{
    for (uint32_t v = 0; v < d->p->published->values; v++) {
        size_t kept = 0;
        if (!kn__tree_domain_covers(d->p->d, label, d->p->label[v])) {
            continue;
        }
        for (size_t i = 0; i < d->len; i++) {
            if (!kn__record_set_has(&d->r->value[v], d->list[i])) {
                d->list[kept++] = d->list[i];
            }
        }
        d->len = kept;
    }
}

static kn_status draw_all(drawing *d, bool general, size_t q, kn_negative_level *out,
                          const kn_run *run, kn_error *err)
{
    const size_t records = d->p->published->records;
    double matching = 0, left = 0, breached = 0;

    out->least = SIZE_MAX;
    for (size_t i = 0; i < SAMPLES; i++) {
        const size_t record = (size_t)kn__rng_below(&d->rng, records);
        if (i % 64 == 0) {
            KN_PASS(kn__run_step(run, "measure", (double)i / SAMPLES, err));
        }
        draw_values(d, record);
        if (d->values == 0) {
            continue;
        }
        KN_PASS(match(d, record, err));
        matching += (double)d->len;
        for (size_t j = 0; j < q; j++) {
            const uint32_t label = draw_absent(d, record, general);
            if (label != KN_NOT_A_LABEL) {
                rule_out(d, label);
            }
        }
        left += (double)d->len;
        out->least = d->len < out->least ? d->len : out->least;
        out->below += d->len < d->g->k;
        breached += d->len < d->g->k ? (double)d->len : 0;
        out->samples++;
    }
    out->least = out->samples ? out->least : 0;
    out->matching = out->samples ? matching / (double)out->samples : 0;
    out->left = out->samples ? left / (double)out->samples : 0;
    out->breached = out->samples ? breached / (double)out->samples : 0;
    return KN_OK;
}

kn_status kn_negative_measure(kn_negative *out, const kn_dataset *original,
                              const kn_dataset *release, const kn_hierarchies *hierarchies,
                              const kn_guarantee *guarantee, size_t q, const kn_run *run,
                              kn_error *err)
{
    KN_NEED(err, out, original, release, guarantee);
    KN_NEED_SIZED(err, guarantee);
    KN_NEED_SIZED(err, run);

    kn_tree_comparison c = {0};
    drawing d = {.g = guarantee};
    kn_status status;

    *out = (kn_negative){.q = q};
    KN_TRY(kn__tree_comparison_init(&c, original, release, NULL, hierarchies, err));
    d.p = &c.pair;
    if (c.pair.published->records == 0 || c.pair.original->values == 0) {
        goto done;
    }
    KN_TRY(kn__synopsis_new(&d.s, c.pair.published, NULL, (uint32_t)c.pair.published->values, run,
                            err));
    KN_TRY(kn__relation_index_new(&d.r, d.s, err));
    d.list = kn__malloc_array(c.pair.published->records, sizeof *d.list);
    KN_TRY(d.list ? KN_OK : kn__nomem(err));
    kn__rng_seed(&d.rng, run ? run->seed : 0, 18);
    KN_TRY(draw_all(&d, false, q, &out->original, run, err));
    kn__rng_seed(&d.rng, run ? run->seed : 0, 18);
    KN_TRY(draw_all(&d, true, q, &out->generalised, run, err));
done:
    kn__free(d.list);
    kn__relation_index_free(d.r);
    kn__synopsis_free(d.s);
    kn__tree_comparison_clear(&c);
    return status;
}
