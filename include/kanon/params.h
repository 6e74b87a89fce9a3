/* kanon/params.h - what is peculiar to a method or to a kind of model.
 *
 *     kn_params_new(&params, KN_ENTRY_METHOD, "flash", &err);
 *     kn_params_set_text(params, "objective", "ncp", &err);
 *     options.params = params;                        // kn_anonymize_options, kn_mine_options
 *
 * The names, kinds, ranges and defaults are those of the catalogue (kanon/catalog.h). A setter
 * refuses a name that the method does not have, and names the nearest one that it has; it refuses a
 * value of another kind or out of range, and then nothing has changed. In names `-` and `_` are the
 * same. What all methods share (the guarantees, how much may be suppressed, ...) has typed fields
 * in the options instead. */
#ifndef KANON_PARAMS_H
#define KANON_PARAMS_H

#include "kanon/catalog.h"
#include "kanon/error.h"
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef struct kn_params kn_params;

/** Parameters of the method (KN_ENTRY_METHOD) or kind of model (KN_ENTRY_MODEL) called `name`, all
 * with their defaults. The caller frees them, after the call that uses them.
 *  @return KN_EUSAGE for an unknown name, with the nearest right one. */
kn_status kn_params_new(kn_params **out, kn_entry_kind kind, const char *name, kn_error *err);
/** Free `params`. NULL is fine. */
void kn_params_free(kn_params *params);

/** A parameter of kind KN_PARAM_COUNT, or a whole value of one of kind KN_PARAM_NUMBER. */
kn_status kn_params_set_int(kn_params *params, const char *name, int64_t value, kn_error *err);
/** KN_PARAM_NUMBER. */
kn_status kn_params_set_real(kn_params *params, const char *name, double value, kn_error *err);
/** KN_PARAM_FLAG. */
kn_status kn_params_set_bool(kn_params *params, const char *name, bool value, kn_error *err);
/** KN_PARAM_CHOICE (one of the choices), KN_PARAM_COLUMN or KN_PARAM_TEXT. The text is copied. */
kn_status kn_params_set_text(kn_params *params, const char *name, const char *value, kn_error *err);
/** KN_PARAM_LIST: `count` texts, which are copied, instead of those set before. */
kn_status kn_params_set_list(kn_params *params, const char *name, const char *const *values,
                             size_t count, kn_error *err);
/** Any parameter, from a text as the command line takes it: "5", "0.5", "true", "ncp"; of a list,
 * separated by commas. */
kn_status kn_params_parse(kn_params *params, const char *name, const char *text, kn_error *err);
/** Go back to the default. @return KN_EUSAGE for an unknown name. */
kn_status kn_params_unset(kn_params *params, const char *name, kn_error *err);

/** What the parameters are of: its entry in the catalogue, or NULL without `params`. */
const kn_entry *kn_params_entry(const kn_params *params);
/** Whether `name` was set. */
bool kn_params_is_set(const kn_params *params, const char *name);

#ifdef __cplusplus
}
#endif
#endif
