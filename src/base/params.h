/* base/params.h - parameters of a method or a kind of model, as its code reads them.
 *
 * A row of the catalogue says which parameters there are. kn_params holds what was set, by place in
 * the row; an accessor gives that, or the default of the row. So a new parameter is one more line
 * in the row, and a call of an accessor where it is used: the options of the command, help,
 * completions, keys of jobs and checks of values are all made from the row. */
#ifndef KN_BASE_PARAMS_H
#define KN_BASE_PARAMS_H

#include "kanon/params.h"

/* What was set; which field counts is a matter of the parameter's kind. */
typedef struct kn_param_value {
    bool set;
    bool flag;
    int64_t whole;
    double real;
    unsigned choice; /* its place among the choices */
    char **texts;    /* one for a choice, column or text; a list has `count` */
    size_t count;
} kn_param_value;

struct kn_params {
    const kn_entry *entry;
    kn_param_value *value; /* by place in entry->params; NULL: nothing was set */
};

/** Parameters of `entry`, none of them set. */
kn_status kn__params_new(kn_params **out, const kn_entry *entry, kn_error *err);

/** `given` (may be NULL: none are set) as parameters of `entry`, for the time that `given` lives.
 *  @return KN_EUSAGE when they are parameters of another method or model. */
kn_status kn__params_bind(kn_params *out, const kn_params *given, const kn_entry *entry,
                          kn_error *err);

/** Whether two names of options are the same, with `-` or `_`. */
bool kn__same_name(const char *a, const char *b);
/** The parameter called `name` of `entry`, where `-` and `_` are the same; NULL: it has none. */
const kn_param *kn__param_find(const kn_entry *entry, const char *name);

/* Accessors: what was set, or the default. The row has `name`, and of that kind: anything else is a
 * defect of the caller (asserted). O(parameters of the row). */

size_t kn__param_count(const kn_params *params, const char *name);
double kn__param_number(const kn_params *params, const char *name);
bool kn__param_flag(const kn_params *params, const char *name);
/** The place of the choice among the row's choices; the first, 0, is the default. */
unsigned kn__param_choice(const kn_params *params, const char *name);
/** Whether the choice is `choice`. */
bool kn__param_is(const kn_params *params, const char *name, const char *choice);
/** Of kind column or text; NULL: it was not set. */
const char *kn__param_text(const kn_params *params, const char *name);
/** Of kind list; `*count` is 0 when it was not set. Borrowed. */
const char *const *kn__param_list(const kn_params *params, const char *name, size_t *count);

#endif
