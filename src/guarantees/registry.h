/* guarantees/registry.h - every guarantee as one row.
 *
 * The catalogue, the checkers, the reports and the messages are driven from these rows. A new
 * guarantee is a file that defines a row, and the row's name in registry.c. */
#ifndef KN_GUARANTEES_REGISTRY_H
#define KN_GUARANTEES_REGISTRY_H

#include "base/catalog_entry.h"
#include "guarantees/formulas.h"

/** What a guarantee is about, and so who checks it. */
typedef enum kn_guarantee_subject {
    KN_ABOUT_CLASSES, /* equivalence classes of records: check.c */
    KN_ABOUT_ITEMS,   /* combinations of items in one column: km_anonymity.c */
    KN_ABOUT_BOTH     /* combinations of items within each class: k_km.c */
} kn_guarantee_subject;

typedef struct kn_guarantee_row {
    kn_entry entry;
    kn_guarantee_kind kind;
    kn_guarantee_subject subject;
    bool sensitive; /* it looks at the values of sensitive columns */
    kn_status (*validate)(const kn_guarantee *g, kn_error *err);
    /** Whether a class with this histogram satisfies it (kn__formula_holds); NULL unless it is
     *  about classes. */
    bool (*holds)(const kn_formulas *f, const kn_guarantee *g, size_t s,
                  kn_formula_scratch *scratch, double *value);
    /** Records that a class must have at least; NULL: 1. */
    size_t (*least)(const kn_guarantee *g);
    /** Whether merging two classes that satisfy it gives one that does; NULL: always. */
    bool (*grows)(const kn_guarantee *g);
    /** The parameter that a verdict's achieved value is compared with, and its name: k, l, c or
     *  t. */
    double (*asked)(const kn_guarantee *g);
    const char *(*unit)(const kn_guarantee *g);
    /** Whether smaller achieved values are better; NULL: larger ones are. */
    bool (*upper)(const kn_guarantee *g);
    /** How much of the requirement is missing, in 0..1 (kn__formula_badness); NULL: the share of
     *  `asked` that `value` lacks. */
    double (*missing)(const kn_guarantee *g, double value);
} kn_guarantee_row;

const kn_entry *const *kn__guarantee_entries(size_t *count);
/** The row of a kind; NULL for a number that is no kind. */
const kn_guarantee_row *kn__guarantee_row(kn_guarantee_kind kind);

/** `asked` and `unit` of guarantees of k. */
double kn__asked_k(const kn_guarantee *g);
const char *kn__unit_k(const kn_guarantee *g);

/** The parameter --recount of guarantees of items. */
#define KN_PARAM_RECOUNT                                                                       \
    {                                                                                          \
        .name = "recount", .kind = KN_PARAM_CHOICE, .choices = "budget|full",                  \
        .help = "guarantees of items: how much the check counts a second time: what a moment " \
                "allows, or all"                                                               \
    }

#endif
