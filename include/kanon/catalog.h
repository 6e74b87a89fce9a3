/* kanon/catalog.h - every guarantee, method, measure and kind of model, with its parameters, ranges
 * and help. The command line, its help, the man page and the completions are driven from it. */
#ifndef KANON_CATALOG_H
#define KANON_CATALOG_H

#include "kanon/error.h"
#include "kanon/memory.h"
#include <stdbool.h>
#include <stddef.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef enum kn_param_kind {
    KN_PARAM_COUNT,
    KN_PARAM_NUMBER,
    KN_PARAM_CHOICE,
    KN_PARAM_FLAG,
    KN_PARAM_COLUMN, /**< the name of a column */
    KN_PARAM_TEXT,   /**< any text that is not empty */
    KN_PARAM_LIST    /**< texts; as an option separated by commas */
} kn_param_kind;

typedef struct kn_param {
    const char *name; /**< "k": the option is --k, the key in a job "k" */
    kn_param_kind kind;
    double min, max;
    bool required;
    double standard;     /**< default of counts and numbers */
    const char *choices; /**< "distinct|entropy|recursive"; the first is the default */
    const char *help;
    /** Models: it has a field of its own in kn_mine_options and kn_model_limits, and kn_params does
     * not take it. (All parameters of guarantees are fields of kn_guarantee.) */
    bool typed;
    /** "diversity=recursive": it is needed with this choice, and refused with the others; NULL: it
     * goes with all. */
    const char *with;
    bool list; /**< several values, separated by commas: one for each number of items */
} kn_param;

typedef enum kn_entry_kind {
    KN_ENTRY_GUARANTEE,
    KN_ENTRY_METHOD,
    KN_ENTRY_MEASURE,
    KN_ENTRY_MODEL /**< what kn_mine mines */
} kn_entry_kind;

typedef struct kn_entry {
    kn_entry_kind kind;
    const char *name;
    const char *summary; /**< one line */
    const char *method;  /**< guarantees: the default method */
    const char *reaches; /**< methods: guarantees that it reaches, separated by spaces */
    const char *better;  /**< measures: "lower" or "higher" */
    const kn_param *params;
    size_t params_count;
    const char *page; /**< the page in docs/ */
} kn_entry;

/** All entries of `kind`; `*count` of them. */
const kn_entry *const *kn_catalog(kn_entry_kind kind, size_t *count);
const kn_entry *kn_catalog_find(kn_entry_kind kind, const char *name);

/** All of it as JSON: `guarantees`, `methods`, `measures` and `models`, each a list of entries with
 * their parameters, as `kanon list --json` prints it. Free with kn_string_free. */
kn_status kn_catalog_json(char **out, kn_error *err);

/** The name among `names` nearest to `word` in edits, or NULL when none is near. For "did you
 * mean". */
const char *kn_nearest(const char *word, const char *const *names, size_t count);

#ifdef __cplusplus
}
#endif
#endif
