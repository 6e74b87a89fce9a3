/* kmn_anonymity.c - an attacker who knows up to m values of a tree record and up to n
 * ancestor-descendant relations among them finds at least k records that match, or none (Gkountouna
 * and Terrovitis, Definition 1).
 *
 * What may be known, and when a record matches it, is defined in count/tree_knowledge.h. Classes
 * that are not quasi-identifiers are not known: they are left out before counting, and what is
 * above and below them stays related. What was found is counted a second time, record by record,
 * and nothing is said where the two disagree. */
#include "base/error.h"
#include "base/memory.h"
#include "count/tree_rare.h"
#include "guarantees/recount/km.h"
#include "guarantees/recount/kmn.h"
#include "guarantees/registry.h"

#include <math.h>
#include <stdio.h>

enum { BUDGET = 1 << 23 }; /* matches that the second count looks at: about a second */

static kn_status validate(const kn_guarantee *g, kn_error *err)
{
    if (g->k < 1) {
        return kn__fail(err, KN_EUSAGE,
                        "kmn-anonymity: k is 0; give k of at least 1 (2 or more to protect "
                        "anyone)");
    }
    if (g->m < 1 || g->m > KN_MOST_M) {
        return kn__fail(err, KN_EUSAGE,
                        "kmn-anonymity: m is %zu; give the number of values that an attacker may "
                        "know, 1 to %d",
                        g->m, KN_MOST_M);
    }
    if (g->m < 2 && g->n > 0) {
        return kn__fail(err, KN_EUSAGE,
                        "kmn-anonymity: m is 1 and n is %zu; a relation is between two values: "
                        "give m of at least 2, or n = 0",
                        g->n);
    }
    if (g->n > g->m * (g->m - 1) / 2) {
        return kn__fail(err, KN_EUSAGE,
                        "kmn-anonymity: n is %zu; among %zu values there are at most %zu "
                        "relations: give n up to that",
                        g->n, g->m, g->m * (g->m - 1) / 2);
    }
    if (g->l < 0 || g->l > (double)g->k) {
        return kn__fail(err, KN_EUSAGE,
                        "kmn-anonymity: l is %g; give l from 1 (not asked) to k = %zu", g->l, g->k);
    }
    return KN_OK;
}

/* ---- words ---- */

static void say_value(kn_buffer *b, const kn_forest *f, uint32_t value)
{
    kn__buffer_adds(b, f->text[value]);
}

/* "a ~> b, a ~> c; elsewhere b ~> d; e": relations of a part after a comma, parts and values
 * without a relation after a semicolon. */
static void say_known(kn_buffer *b, const kn_forest *f, const kn_known *known)
{
    bool begun = false;

    for (uint32_t i = 0; i < known->relations; i++) {
        const bool same = i > 0 && known->part[i] == known->part[i - 1];
        if (i > 0) {
            kn__buffer_adds(b, same ? ", " : "; elsewhere ");
        }
        say_value(b, f, known->relation[i].above);
        kn__buffer_adds(b, " ~> ");
        say_value(b, f, known->relation[i].below);
        begun = true;
    }
    for (uint32_t v = 0; v < known->values; v++) {
        bool related = false;
        for (uint32_t i = 0; i < known->relations; i++) {
            related = related || known->relation[i].above == known->value[v] ||
                      known->relation[i].below == known->value[v];
        }
        if (!related) {
            kn__buffer_adds(b, begun ? "; " : "");
            say_value(b, f, known->value[v]);
            begun = true;
        }
    }
}

/* ---- the check ---- */

/* What an attacker may know of `ds`: its forest without the classes that are no quasi-identifiers;
 * a copy is in `*owned`. */
static kn_status known_forest(const kn_dataset *ds, const kn_forest **out, kn_forest **owned,
                              kn_error *err)
{
    bool *aside = NULL, any = false;
    kn_status status = KN_OK;

    *owned = NULL;
    if (!ds->forest) {
        (void)kn__fail(err, KN_EUSAGE,
                       "kmn-anonymity is about tree records, and this table has none: read a file "
                       "of trees (.trees, .json or .xml), or ask for another guarantee");
        return kn__about_parameter(err, KN_EUSAGE, KN_ERROR_PARAMETER, "guarantee");
    }
    aside = kn__zalloc_array(ds->columns, sizeof *aside);
    KN_TRY(aside ? KN_OK : kn__nomem(err));
    for (size_t i = 0; i < ds->columns; i++) {
        aside[i] = ds->column[i].role != KN_ROLE_QUASI;
        any = any || aside[i];
    }
    *out = ds->forest;
    if (any) {
        KN_TRY(kn__forest_copy(owned, ds->forest, err));
        KN_TRY(kn__forest_leave_out(*owned, aside, err));
        *out = *owned;
    }
done:
    kn__free(aside);
    if (status != KN_OK) {
        kn__forest_free(*owned);
        *owned = NULL;
    }
    return status;
}

/* The k that holds: what is rare already was not extended, and may be rarer with more knowledge. */
static kn_status achieved(double *out, const kn_forest *f, const kn_guarantee *g, size_t least,
                          const kn_run *run, kn_error *err)
{
    while (least > 1) {
        kn_tree_rare_list *rarer = NULL;
        KN_PASS(kn__tree_rare_find(&rarer, f, least, g->m, g->n, NULL, 0, NULL, run, err));
        const size_t next = rarer->least;
        kn__tree_rare_free(rarer);
        if (next == 0) {
            break;
        }
        least = next;
    }
    *out = (double)least;
    return KN_OK;
}

static kn_status disagree(kn_error *err, const char *what, double first, double second)
{
    return kn__fail(err, KN_EBROKEN,
                    "kmn-anonymity was counted twice, and the two counts disagree (%s: %.17g and "
                    "%.17g). This is a defect of kanon; please report it, and do not publish the "
                    "file",
                    what, first, second);
}

/* Count again, for guarantee `i`. Where all was counted, the smallest support is the k that is
 * achieved; the first count stops at k. */
static kn_status count_again(const kn_checking *c, size_t i, const kn_forest *f,
                             const kn_tree_rare_list *first, bool whole, kn_error *err)
{
    const kn_guarantee *g = &c->guarantees[i];
    kn_kmn_sensitive sensitive = {.f = c->ds->forest, .l = g->l};
    bool *is = kn__zalloc_array(c->ds->columns, sizeof *is);
    kn_verdict *v = c->verdict;
    kn_kmn_recount second;
    uint64_t salt;
    bool all;
    kn_status status;

    KN_TRY(is ? kn__km_recount_salt(&salt, err) : kn__nomem(err));
    for (size_t j = 0; j < c->ds->columns; j++) {
        is[j] = c->ds->column[j].role == KN_ROLE_SENSITIVE;
    }
    sensitive.is = is;
    KN_TRY(kn__kmn_recount(&second, f, g->m, g->n, g->l > 1 ? &sensitive : NULL,
                           g->recount == KN_RECOUNT_FULL ? 0 : BUDGET, salt, c->run, err));
    all = second.taken == second.values;
    if (first->longest != second.longest) {
        KN_TRY(disagree(err, "nodes of the largest record", (double)first->longest,
                        (double)second.longest));
    }
    if (first->empty != second.empty) {
        KN_TRY(disagree(err, "records without nodes", (double)first->empty, (double)second.empty));
    }
    if (second.least && second.least < g->k && first->count == 0) { /* l adds violations only */
        KN_TRY(disagree(err, "smallest support", (double)g->k, (double)second.least));
    }
    if (all && first->count > 0 && first->least < g->k && second.least >= g->k) {
        KN_TRY(disagree(err, "smallest support", (double)first->least, (double)second.least));
    }
    if (second.inferred && first->count == 0 && !whole) {
        KN_TRY(disagree(err, "knowledge from which a sensitive value is inferred", 0,
                        (double)second.inferred));
    }
    if (all && (whole || (first->count > 0 && first->least >= g->k)) && !second.inferred) {
        KN_TRY(disagree(err, "knowledge from which a sensitive value is inferred",
                        (double)first->count + whole, 0));
    }
    if (all && first->count == 0 && second.least) {
        v->achieved[i] = v->sizes[i][0] = (double)second.least;
    }
    if (all) {
        (void)snprintf(v->recount, sizeof v->recount,
                       "all that can be known of up to %zu value%s and %zu relation%s", g->m,
                       g->m == 1 ? "" : "s", g->n, g->n == 1 ? "" : "s");
    } else {
        (void)snprintf(v->recount, sizeof v->recount,
                       "all that can be known with %zu of %zu values", second.taken, second.values);
    }
    v->seen.recount = v->recount;
done:
    kn__free(is);
    return status;
}

/* Add what was found for guarantee `i`. */
static kn_status add(kn_verdict *v, size_t i, const kn_forest *f, const kn_tree_rare_list *l,
                     kn_error *err)
{
    size_t *begin = kn__malloc_array(l->kept, sizeof *begin);
    kn_buffer words = {0};
    char *text = NULL;
    kn_status status;

    KN_TRY(begin ? kn__verdict_reserve(v, l->kept, err) : kn__nomem(err));
    for (size_t r = 0; r < l->kept; r++) {
        begin[r] = words.len;
        say_known(&words, f, &l->rare[r].known);
        kn__buffer_addc(&words, '\0');
    }
    KN_TRY(kn__buffer_take(&words, &text, err));
    kn__free(v->words[i]);
    v->words[i] = text;
    for (size_t r = 0; r < l->kept; r++) {
        v->violation[v->kept++] = (kn_violation){.kind = KN_KMN_ANONYMITY,
                                                 .size = l->rare[r].known.support,
                                                 .value = (double)l->rare[r].known.support,
                                                 .record = l->rare[r].record,
                                                 .guarantee = i,
                                                 .knowledge = text + begin[r]};
    }
    v->violations += (size_t)l->count;
done:
    kn__free(begin);
    kn__buffer_free(&words);
    return status;
}

/* The sensitive classes of `ds` for l-diversity (section 3.5). */
static kn_status sensitive_values(kn_tree_diversity *out, const kn_dataset *ds, double l,
                                  kn_error *err)
{
    bool *is = kn__zalloc_array(ds->columns, sizeof *is), any = false;
    kn_status status = is ? KN_OK : kn__nomem(err);

    KN_TRY(status);
    for (size_t i = 0; i < ds->columns; i++) {
        is[i] = ds->column[i].role == KN_ROLE_SENSITIVE;
        any = any || is[i];
    }
    if (!any) {
        KN_TRY(
            kn__fail(err, KN_EUSAGE,
                     "kmn-anonymity: l is %g, and no class is sensitive: name one (--sensitive), "
                     "or leave --l out",
                     l));
    }
    KN_TRY(kn__tree_diversity_init(out, l, ds->forest, is, err));
done:
    kn__free(is);
    return status;
}

/* Whether an attacker who knows nothing infers a sensitive value. */
static bool is_common(const kn_tree_diversity *d, size_t records)
{
    for (size_t s = 0; s < d->count; s++) {
        if ((double)d->set[s].len * d->l > (double)records) {
            return true;
        }
    }
    return false;
}

static kn_status add_whole(kn_verdict *v, size_t i, size_t records, kn_error *err)
{
    KN_PASS(kn__verdict_reserve(v, 1, err));
    v->violation[v->kept++] = (kn_violation){.kind = KN_KMN_ANONYMITY,
                                             .size = records,
                                             .value = (double)records,
                                             .guarantee = i,
                                             .knowledge = "(nothing: a sensitive value is too "
                                                          "common in all records)"};
    v->violations++;
    v->at_risk = records;
    return KN_OK;
}

static kn_status check_one(const kn_checking *c, size_t i, const kn_forest *f, kn_error *err)
{
    const kn_guarantee *g = &c->guarantees[i];
    kn_verdict *v = c->verdict;
    kn_tree_diversity diversity = {0};
    kn_tree_rare_list *l = NULL;
    bool whole;
    kn_status status;

    if (g->l > 1) {
        KN_TRY(sensitive_values(&diversity, c->ds, g->l, err));
    }
    KN_TRY(kn__tree_rare_find(&l, f, g->k, g->m, g->n, &diversity, c->twice ? KN_WORST : 0,
                              c->risky, c->run, err));
    v->at_risk = l->at_risk;
    v->seen.empty = l->empty;
    v->seen.longest = l->longest;
    if (l->count == 0) {
        v->achieved[i] = l->empty == f->records ? INFINITY : (double)g->k;
    } else {
        KN_TRY(achieved(&v->achieved[i], f, g, l->least < g->k ? l->least : g->k, c->run, err));
    }
    v->sizes[i][0] = v->achieved[i];
    whole = is_common(&diversity, f->records);
    if (c->twice) {
        KN_TRY(count_again(c, i, f, l, whole, err));
    }
    KN_TRY(add(v, i, f, l, err));
    if (whole) {
        KN_TRY(add_whole(v, i, f->records, err));
    }
done:
    kn__tree_diversity_clear(&diversity);
    kn__tree_rare_free(l);
    return status;
}

static kn_status check(const kn_checking *c, kn_error *err)
{
    const kn_forest *f = NULL;
    kn_forest *owned = NULL;
    kn_status status;

    KN_TRY(known_forest(c->ds, &f, &owned, err));
    KN_TRY(kn__verdict_prepare_items(c->verdict, err));
    if (!c->verdict->words) {
        c->verdict->words = kn__zalloc_array(c->verdict->guarantees, sizeof *c->verdict->words);
        KN_TRY(c->verdict->words ? KN_OK : kn__nomem(err));
    }
    for (size_t i = 0; i < c->count; i++) {
        if (c->guarantees[i].kind == KN_KMN_ANONYMITY) {
            KN_TRY(check_one(c, i, f, err));
        }
    }
done:
    kn__forest_free(owned);
    return status;
}

static void describe(kn_buffer *b, const kn_guarantee *g)
{
    kn__buffer_adds(b, "kmn-anonymity with k = ");
    kn__say_count(b, g->k);
    kn__buffer_adds(b, ", m = ");
    kn__say_count(b, g->m);
    kn__buffer_adds(b, " and n = ");
    kn__say_count(b, g->n);
    if (g->l > 1) {
        kn__buffer_addf(b, ", and l = %g", g->l);
    }
}

static void say_what_is_known(kn_claim *c, const kn_guarantee *g)
{
    kn__buffer_adds(c->b, "up to ");
    kn__say_things(c->b, g->m, "value", "values");
    kn__buffer_adds(c->b, " of a tree");
    if (g->n) {
        kn__buffer_adds(c->b, " and ");
        kn__say_things(c->b, g->n, "relation", "relations");
        kn__buffer_adds(c->b, " between them");
    }
}

static bool json(json_t *out, const kn_guarantee *g)
{
    return kn__json_k_m(out, g) && kn__json_put_number(out, "n", (double)g->n) &&
           (!(g->l > 1) || kn__json_put_number(out, "l", g->l));
}

static const kn_param params[] = {
    {.name = "k",
     .kind = KN_PARAM_COUNT,
     .min = 1,
     .max = KN_MOST_COUNT,
     .required = true,
     .standard = 5,
     .help = "so many records match all that an attacker may know"},
    {.name = "m",
     .kind = KN_PARAM_COUNT,
     .min = 1,
     .max = KN_MOST_M,
     .required = true,
     .standard = 2,
     .help = "guarantees of items: how many items of a person an attacker may know; up to 16"},
    {.name = "n",
     .kind = KN_PARAM_COUNT,
     .min = 0,
     .max = KN_TREE_MOST_N,
     .standard = 1,
     .help = "kmn-anonymity: how many relations between these values an attacker may know"},
    {.name = "l",
     .kind = KN_PARAM_NUMBER,
     .min = 1,
     .max = KN_MOST_COUNT,
     .standard = 1,
     .help = "no sensitive value is held by more than 1/l of a class; recursive: see --c"},
    KN_PARAM_RECOUNT,
};

const kn_guarantee_row kn__kmn_anonymity_row = {
    .entry = {.kind = KN_ENTRY_GUARANTEE,
              .name = "kmn-anonymity",
              .method = "gcs",
              .summary = "an attacker who knows m values of a tree record and n relations between "
                         "them finds at least k records",
              KN_PARAMS(params),
              .page = "tree-anonymity.md"},
    .kind = KN_KMN_ANONYMITY,
    .about = KN_ABOUT_TREES,
    .validate = validate,
    .check = check,
    .asked = kn__asked_k,
    .parameter = kn__parameter_k,
    .describe = describe,
    .known = say_what_is_known,
    .claim = kn__claim_k,
    .json = json,
};
