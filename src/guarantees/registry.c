/* registry.c - the list of guarantees, and what is asked of any of them. */
#include "guarantees/registry.h"
#include "base/args.h"
#include "base/buffer.h"
#include "base/error.h"

#include <math.h>

extern const kn_guarantee_row kn__k_anonymity_row, kn__l_diversity_row, kn__t_closeness_row,
    kn__km_anonymity_row, kn__k_km_anonymity_row, kn__k_lm_diversity_row;

static const kn_guarantee_row *const rows[] = {
    &kn__k_anonymity_row,  &kn__l_diversity_row,    &kn__t_closeness_row,
    &kn__km_anonymity_row, &kn__k_km_anonymity_row, &kn__k_lm_diversity_row,
};
static const kn_entry *const entries[] = {
    &kn__k_anonymity_row.entry,  &kn__l_diversity_row.entry,    &kn__t_closeness_row.entry,
    &kn__km_anonymity_row.entry, &kn__k_km_anonymity_row.entry, &kn__k_lm_diversity_row.entry,
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

double kn__asked_k(const kn_guarantee *g)
{
    return (double)g->k;
}

const char *kn__unit_k(const kn_guarantee *g)
{
    (void)g;
    return "k";
}

/* ---- asking any of them ---- */

static bool smaller_is_better(const kn_guarantee *g)
{
    const kn_guarantee_row *row = kn__guarantee_row(g->kind);

    return row->upper && row->upper(g);
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

bool kn__guarantee_of_items(const kn_guarantee *g)
{
    return kn__guarantee_row(g->kind)->subject == KN_ABOUT_ITEMS;
}

bool kn__guarantee_of_both(const kn_guarantee *g)
{
    return kn__guarantee_row(g->kind)->subject == KN_ABOUT_BOTH;
}

bool kn__guarantee_of_values(const kn_guarantee *g)
{
    return kn__guarantee_row(g->kind)->sensitive;
}

/* ---- the public part ---- */

const char *kn_guarantee_name(kn_guarantee_kind kind)
{
    const kn_guarantee_row *row = kn__guarantee_row(kind);

    return row ? row->entry.name : "unknown";
}

kn_status kn_guarantee_validate(const kn_guarantee *g, kn_error *err)
{
    kn_buffer names = {0};
    kn_status status;

    KN_NEED(err, g);
    KN_NEED_ENUM(err, g->recount, KN_RECOUNT_FULL, "extent of the recount");

    const kn_guarantee_row *row = kn__guarantee_row(g->kind);

    if (row) {
        return row->validate(g, err);
    }
    for (size_t i = 0; i < COUNT; i++) {
        kn__buffer_addf(&names, "%s%s",
                        i == 0          ? ""
                        : i + 1 < COUNT ? ", "
                                        : " or ",
                        entries[i]->name);
    }
    status = names.failed ? kn__nomem(err)
                          : kn__fail(err, KN_EUSAGE, "unknown guarantee; use %s", names.data);
    kn__buffer_free(&names);
    return status;
}
