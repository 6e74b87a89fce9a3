/* guarantees/registry.h - every guarantee as one row.
 *
 * The catalogue, the checkers, the reports, the command line and the messages are driven from these
 * rows: no other room knows one guarantee from another. A new guarantee is a file that defines a
 * row, and the row's name in registry.c. */
#ifndef KN_GUARANTEES_REGISTRY_H
#define KN_GUARANTEES_REGISTRY_H

#include "base/catalog_entry.h"
#include "base/json.h"
#include "guarantees/claim.h"
#include "guarantees/formulas.h"
#include "guarantees/verdict.h"

/** A function is NULL where the comment says what holds then; the others are required. */
typedef struct kn_guarantee_row {
    kn_entry entry; /* with its default method; methods name the guarantees they reach */
    kn_guarantee_kind kind;
    unsigned about; /* KN_ABOUT_... of kanon/guarantee.h */
    bool original;  /* its check draws from kn_checking.original */
    kn_status (*validate)(const kn_guarantee *g, kn_error *err);

    /* ---- checking ---- */

    /** Check every guarantee of the call whose row has this same function, and add what was found
     *  to c->verdict. NULL: check.c asks `holds` about each equivalence class. */
    kn_status (*check)(const kn_checking *c, kn_error *err);
    /** Whether a class with this histogram of sensitive column `s` satisfies it; without
     *  KN_ABOUT_VALUES only the total is filled. NULL where there is `check`. */
    bool (*holds)(const kn_formulas *f, const kn_guarantee *g, size_t s,
                  kn_formula_scratch *scratch, double *value);
    /** Records that a class must have at least; NULL: 1. */
    size_t (*least)(const kn_guarantee *g);
    /** Whether merging two classes that satisfy it gives one that does; NULL: always. */
    bool (*grows)(const kn_guarantee *g);
    /** Classes are compared with the distribution of a whole table, which kn_guarantee.reference
     *  names, by kn_guarantee.distance. */
    bool reference;
    /** Why `records` records of `ds` can never satisfy it: KN_EINFEASIBLE, or KN_OK where that is
     *  not known. NULL: never known. */
    kn_status (*infeasible)(const kn_guarantee *g, const kn_dataset *ds, size_t records,
                            kn_error *err);

    /* ---- what holds, compared with what is asked ---- */

    /** The parameter that a verdict's achieved value is compared with, and its name: k, l, c, t. */
    double (*asked)(const kn_guarantee *g);
    const char *(*parameter)(const kn_guarantee *g);
    /** Whether smaller achieved values are better; NULL: larger ones are. */
    bool (*upper)(const kn_guarantee *g);
    /** How much of the requirement is missing, in 0..1 (kn__formula_badness); NULL: the share of
     *  `asked` that `value` lacks. */
    double (*missing)(const kn_guarantee *g, double value);

    /* ---- words ---- */

    /** "distinct", "ordered": which of its variants; NULL: it has none. */
    const char *(*variant)(const kn_guarantee *g);
    /** "k-anonymity with k = 5". */
    void (*describe)(kn_buffer *b, const kn_guarantee *g);
    /** What an attacker is taken to know besides the values of a class: "up to 2 items of codes".
     *  NULL: nothing. */
    void (*known)(kn_claim *c, const kn_guarantee *g);
    /** Its part of the sentence that says what holds; `i` is its number in the call. */
    void (*claim)(kn_claim *c, const kn_guarantee *g, size_t i);
    /** Put its parameters into `out`; false: out of memory. */
    bool (*json)(json_t *out, const kn_guarantee *g);
    /** Whether `check` counts people where records stand for several each. */
    bool counts;
} kn_guarantee_row;

const kn_entry *const *kn__guarantee_entries(size_t *count);
/** The row of a kind, or of a name; NULL where there is none. */
const kn_guarantee_row *kn__guarantee_row(kn_guarantee_kind kind);
const kn_guarantee_row *kn__guarantee_find(const char *name);
/** Set the parameter called `name`; of a choice, to the number of the choice. */
void kn__guarantee_set(kn_guarantee *g, const char *name, double value);
/** Set a parameter that may be a list, k or sigma, by number of items. */
void kn__guarantee_set_list(kn_guarantee *g, const char *name, const double *values, size_t count);

/** Whether it has a parameter k; whether it has one beside that which is compared. */
bool kn__guarantee_has_k(const kn_guarantee *g);
bool kn__guarantee_has_second_k(const kn_guarantee *g);
/** Whether it is about all of `about`. */
bool kn__guarantee_is_about(const kn_guarantee *g, unsigned about);
/** Whether the equivalence classes are all that it is about: k-anonymity, l-diversity. */
bool kn__guarantee_of_classes(const kn_guarantee *g);
/** Whether combinations of items are all that it is about. */
bool kn__guarantee_of_items(const kn_guarantee *g);

/** Whether `achieved` is as good as what is asked, and so is `achieved_k` where there is a k. */
bool kn__guarantee_met(const kn_guarantee *g, double achieved, double achieved_k);
/** "k = 7": what is achieved, never rounded to something better. */
void kn__say_achieved(kn_buffer *b, const kn_guarantee *g, double achieved);
/** "5", "2.5", "0.15": a parameter as it was asked. */
void kn__say_parameter(kn_buffer *b, double x);

/** `asked`, `parameter`, `describe` and `json` of guarantees of k, or of k and m. */
double kn__asked_k(const kn_guarantee *g);
const char *kn__parameter_k(const kn_guarantee *g);
void kn__describe_k_m(kn_buffer *b, const kn_guarantee *g);
bool kn__json_k_m(json_t *out, const kn_guarantee *g);

/** The parameters k and m of guarantees of items, and --recount. */
#define KN_PARAM_ITEMS_K                                                                       \
    {                                                                                          \
        .name = "k", .kind = KN_PARAM_COUNT, .min = 1, .max = KN_MOST_COUNT, .required = true, \
        .standard = 5, .help = "so many records hold every combination of items that occurs"   \
    }
#define KN_PARAM_ITEMS_M                                                                         \
    {                                                                                            \
        .name = "m", .kind = KN_PARAM_COUNT, .min = 1, .max = KN_MOST_M, .required = true,       \
        .standard = 2,                                                                           \
        .help = "guarantees of items: how many items of a person an attacker may know; up to 16" \
    }
#define KN_PARAM_RECOUNT                                                                       \
    {                                                                                          \
        .name = "recount", .kind = KN_PARAM_CHOICE, .choices = "budget|full",                  \
        .help = "guarantees of items: how much the check counts a second time: what a moment " \
                "allows, or all"                                                               \
    }

#endif
