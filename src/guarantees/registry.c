/* registry.c - the list of guarantees, and what is asked of any of them. */
#include "guarantees/registry.h"
#include "base/args.h"
#include "base/buffer.h"
#include "base/error.h"

#include <math.h>
#include <string.h>

extern const kn_guarantee_row kn__k_anonymity_row, kn__l_diversity_row, kn__t_closeness_row,
    kn__km_anonymity_row, kn__k_km_anonymity_row, kn__k_lm_diversity_row, kn__kmn_anonymity_row,
    kn__sigma_km_anonymity_row;

static const kn_guarantee_row *const rows[] = {
    &kn__k_anonymity_row,   &kn__l_diversity_row,        &kn__t_closeness_row,
    &kn__km_anonymity_row,  &kn__k_km_anonymity_row,     &kn__k_lm_diversity_row,
    &kn__kmn_anonymity_row, &kn__sigma_km_anonymity_row,
};
static const kn_entry *const entries[] = {
    &kn__k_anonymity_row.entry,   &kn__l_diversity_row.entry,        &kn__t_closeness_row.entry,
    &kn__km_anonymity_row.entry,  &kn__k_km_anonymity_row.entry,     &kn__k_lm_diversity_row.entry,
    &kn__kmn_anonymity_row.entry, &kn__sigma_km_anonymity_row.entry,
};

enum { COUNT = sizeof rows / sizeof *rows };

const kn_entry *const *kn__guarantee_entries(size_t *count)
{
    *count = COUNT;
    return entries;
}

const kn_guarantee_row *kn__guarantee_row(kn_guarantee_kind kind)
{
    for (size_t i = 0; i < COUNT; i++) {
        if (rows[i]->kind == kind) {
            return rows[i];
        }
    }
    return NULL;
}

const kn_guarantee_row *kn__guarantee_find(const char *name)
{
    for (size_t i = 0; i < COUNT; i++) {
        if (strcmp(rows[i]->entry.name, name) == 0) {
            return rows[i];
        }
    }
    return NULL;
}

void kn__guarantee_set(kn_guarantee *g, const char *name, double value)
{
    const struct {
        const char *name;
        size_t *count;
        double *number;
    } fields[] = {{"k", &g->k, NULL},
                  {"m", &g->m, NULL},
                  {"n", &g->n, NULL},
                  {"l", NULL, &g->l},
                  {"c", NULL, &g->c},
                  {"t", NULL, &g->t},
                  {"sigma", NULL, &g->sigma[0]},
                  {"certificate-delta", NULL, &g->delta}};

    for (size_t i = 0; i < sizeof fields / sizeof *fields; i++) {
        if (strcmp(name, fields[i].name) != 0) {
            continue;
        }
        if (fields[i].count) {
            *fields[i].count = (size_t)value;
        } else if (fields[i].number) {
            *fields[i].number = value;
        }
    }
    if (strcmp(name, "diversity") == 0) {
        g->diversity = (kn_diversity)value;
    } else if (strcmp(name, "distance") == 0) {
        g->distance = (kn_distance)value;
    } else if (strcmp(name, "reference") == 0) {
        g->reference = (kn_reference_table)value;
    } else if (strcmp(name, "recount") == 0) {
        g->recount = (kn_recount_extent)value;
    } else if (strcmp(name, "exact-up-to") == 0) {
        g->exact_up_to = value > 0 ? (size_t)value : KN_SAMPLE_ALL;
    } else if (strcmp(name, "attacker") == 0) { /* both, or the one with the number */
        g->attackers = (unsigned)value;
    }
}

void kn__guarantee_set_list(kn_guarantee *g, const char *name, const double *values, size_t count)
{
    const bool of_k = strcmp(name, "k") == 0;

    count = count < KN_MOST_KNOWN ? count : KN_MOST_KNOWN;
    for (size_t i = 0; i < count; i++) {
        if (of_k) {
            g->k_of_size[i] = (size_t)values[i];
        } else {
            g->sigma[i] = values[i];
        }
    }
    if (of_k && count) {
        g->k = (size_t)values[count - 1];
    }
}

/* ---- what guarantees of k share ---- */

double kn__asked_k(const kn_guarantee *g)
{
    return (double)g->k;
}

const char *kn__parameter_k(const kn_guarantee *g)
{
    (void)g;
    return "k";
}

void kn__describe_k_m(kn_buffer *b, const kn_guarantee *g)
{
    kn__buffer_addf(b, "%s with k = ", kn_guarantee_name(g->kind));
    kn__say_count(b, g->k);
    kn__buffer_adds(b, " and m = ");
    kn__say_count(b, g->m);
}

bool kn__json_k_m(json_t *out, const kn_guarantee *g)
{
    return kn__json_put_number(out, "k", (double)g->k) &&
           kn__json_put_number(out, "m", (double)g->m);
}

/* ---- asking any of them ---- */

bool kn__guarantee_has_k(const kn_guarantee *g)
{
    const kn_entry *entry = &kn__guarantee_row(g->kind)->entry;

    for (size_t i = 0; i < entry->params_count; i++) {
        if (strcmp(entry->params[i].name, "k") == 0) {
            return true;
        }
    }
    return false;
}

bool kn__guarantee_has_second_k(const kn_guarantee *g)
{
    return kn__guarantee_has_k(g) && strcmp(kn_guarantee_parameter(g), "k") != 0;
}

bool kn__guarantee_is_about(const kn_guarantee *g, unsigned about)
{
    return (kn_guarantee_about(g->kind) & about) == about;
}

bool kn__guarantee_of_classes(const kn_guarantee *g)
{
    return !kn__guarantee_row(g->kind)->check;
}

bool kn__guarantee_of_items(const kn_guarantee *g)
{
    return kn_guarantee_about(g->kind) == KN_ABOUT_ITEMS;
}

static bool smaller_is_better(const kn_guarantee *g)
{
    const kn_guarantee_row *row = kn__guarantee_row(g->kind);

    return row->upper && row->upper(g);
}

bool kn__guarantee_met(const kn_guarantee *g, double achieved, double achieved_k)
{
    const double slack = 1e-9, asked = kn_guarantee_asked(g);
    const bool met = smaller_is_better(g) ? achieved <= asked + slack : achieved >= asked - slack;

    return met && (!kn__guarantee_has_k(g) || achieved_k >= (double)g->k);
}

void kn__say_parameter(kn_buffer *b, double x)
{
    unsigned decimals = 0;
    double scaled = x;

    while (decimals < 6 && fabs(scaled - round(scaled)) > 1e-9) {
        scaled *= 10;
        decimals++;
    }
    kn__say_number(b, x, decimals);
}

void kn__say_achieved(kn_buffer *b, const kn_guarantee *g, double achieved)
{
    const double scaled = achieved * 1000;
    double shown = round(scaled);

    /* About trees counting stops at k. */
    kn__buffer_addf(b, "%s %s ", kn_guarantee_parameter(g),
                    kn__guarantee_is_about(g, KN_ABOUT_TREES) && achieved == kn_guarantee_asked(g)
                        ? ">="
                        : "=");
    if (isnan(achieved)) {
        kn__buffer_adds(b, "–");
        return;
    }
    if (isinf(achieved)) { /* where less is better, no limit holds: it must not read as praise */
        kn__buffer_adds(b, smaller_is_better(g) ? "unlimited" : "any");
        return;
    }
    if (fabs(scaled - shown) >= 1e-6) {
        shown = smaller_is_better(g) ? ceil(scaled) : floor(scaled);
    }
    kn__say_parameter(b, shown / 1000);
}

bool kn__formula_holds(const kn_formulas *f, size_t g, size_t s, kn_formula_scratch *scratch,
                       double *value)
{
    const kn_guarantee *asked = &f->guarantees[g];
    const kn_guarantee_row *row = kn__guarantee_row(asked->kind);

    if (scratch->histogram.total == 0) {
        if (value) {
            *value = kn__formula_unlimited(asked);
        }
        return true;
    }
    return row->holds && row->holds(f, asked, s, scratch, value);
}

double kn__formula_unlimited(const kn_guarantee *g)
{
    return smaller_is_better(g) ? 0 : INFINITY;
}

double kn__formula_worse(const kn_guarantee *g, double a, double b)
{
    return (smaller_is_better(g) ? a > b : a < b) ? a : b;
}

double kn__formula_badness(const kn_guarantee *g, double value)
{
    const kn_guarantee_row *row = kn__guarantee_row(g->kind);

    return row->missing ? row->missing(g, value) : 1 - value / row->asked(g);
}

/* ---- the public part ---- */

const char *kn_guarantee_name(kn_guarantee_kind kind)
{
    const kn_guarantee_row *row = kn__guarantee_row(kind);

    return row ? row->entry.name : "unknown";
}

unsigned kn_guarantee_about(kn_guarantee_kind kind)
{
    const kn_guarantee_row *row = kn__guarantee_row(kind);

    return row ? row->about : 0;
}

bool kn_guarantee_uses_original(kn_guarantee_kind kind)
{
    const kn_guarantee_row *row = kn__guarantee_row(kind);

    return row && row->original;
}

bool kn_guarantee_compares_original(const kn_guarantee *g)
{
    const kn_guarantee_row *row = g ? kn__guarantee_row(g->kind) : NULL;

    return row && row->reference && g->reference == KN_REFERENCE_ORIGINAL;
}

const char *kn_guarantee_parameter(const kn_guarantee *g)
{
    const kn_guarantee_row *row = g ? kn__guarantee_row(g->kind) : NULL;

    return row ? row->parameter(g) : "";
}

double kn_guarantee_asked(const kn_guarantee *g)
{
    const kn_guarantee_row *row = g ? kn__guarantee_row(g->kind) : NULL;

    return row ? row->asked(g) : NAN;
}

const char *kn_guarantee_variant(const kn_guarantee *g)
{
    const kn_guarantee_row *row = g ? kn__guarantee_row(g->kind) : NULL;

    return row && row->variant ? row->variant(g) : NULL;
}

kn_status kn_guarantee_validate(const kn_guarantee *g, kn_error *err)
{
    kn_buffer names = {0};
    kn_status status;

    KN_NEED(err, g);
    KN_NEED_SIZED(err, g);
    KN_NEED_ENUM(err, g->recount, KN_RECOUNT_FULL, "extent of the recount");

    const kn_guarantee_row *row = kn__guarantee_row(g->kind);

    if (row) {
        KN_PASS(row->validate(g, err)); /* says what there is of those that the kind uses */
        KN_NEED_ENUM(err, g->diversity, KN_RECURSIVE, "diversity");
        KN_NEED_ENUM(err, g->distance, KN_HIERARCHICAL, "distance");
        KN_NEED_ENUM(err, g->reference, KN_REFERENCE_ORIGINAL, "reference table");
        return KN_OK;
    }
    for (size_t i = 0; i < COUNT; i++) {
        kn__buffer_adds(&names, kn__say_gap(i, COUNT, " or "));
        kn__buffer_adds(&names, entries[i]->name);
    }
    status = names.failed ? kn__nomem(err)
                          : kn__fail(err, KN_EUSAGE, "unknown guarantee; use %s", names.data);
    kn__buffer_free(&names);
    return status;
}
