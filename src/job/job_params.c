/* job_params.c - parameters of methods and models from texts, as the command line and jobs give
 * them. A text is checked as an option of the parameter's kind and range, then set as what it
 * means. */
#include "base/args.h"
#include "base/error.h"
#include "base/memory.h"
#include "base/params.h"
#include "job/job.h"

#include <stdlib.h>
#include <string.h>

/* "a,b" as two texts. */
static kn_status parse_list(kn_params *params, const char *name, const char *text, kn_error *err)
{
    char *copy = kn__strdup(text);
    const char **values = NULL;
    size_t count = 1;
    kn_status status;

    for (const char *at = text; (at = strchr(at, ',')); at++) {
        count++;
    }
    values = kn__malloc_array(count, sizeof *values);
    KN_TRY(copy && values ? KN_OK : kn__nomem(err));
    values[0] = copy;
    for (size_t i = 1; i < count; i++) {
        char *comma = strchr(values[i - 1], ',');
        *comma = '\0';
        values[i] = comma + 1;
    }
    KN_TRY(kn_params_set_list(params, name, values, count, err));
done:
    KN_FREE(values, copy);
    return status;
}

kn_status kn_params_parse(kn_params *params, const char *name, const char *text, kn_error *err)
{
    KN_NEED(err, params, name, text);

    const kn_param *p = kn__param_find(params->entry, name);
    kn_option option;

    if (!p || p->typed) {
        return kn_params_unset(params, name, err); /* which words the refusal */
    }
    if (p->kind == KN_PARAM_LIST) {
        return parse_list(params, name, text, err);
    }
    kn__option_of_param(p, KN_GROUP_METHOD, &option);
    KN_PASS(kn__option_check(&option, text, err));
    switch (p->kind) {
    case KN_PARAM_COUNT:
        KN_PASS(kn_params_set_int(params, name, strtoll(text, NULL, 10), err));
        break;
    case KN_PARAM_NUMBER:
        KN_PASS(kn_params_set_real(params, name, kn__option_number(&option, text), err));
        break;
    case KN_PARAM_FLAG:
        KN_PASS(kn_params_set_bool(params, name, strcmp(text, "true") == 0, err));
        break;
    case KN_PARAM_CHOICE:
    case KN_PARAM_COLUMN:
    case KN_PARAM_TEXT:
    case KN_PARAM_LIST: KN_PASS(kn_params_set_text(params, name, text, err)); break;
    }
    return KN_OK;
}

kn_status kn__job_params(kn_params **out, const kn_job *job, const kn_entry *entry, kn_error *err)
{
    kn_params *params = NULL;
    kn_status status;

    KN_TRY(kn__params_new(&params, entry, err));
    for (size_t i = 0; i < entry->params_count; i++) {
        const kn_job_values *v = kn__job_values(job, entry->params[i].name);
        if (v && entry->params[i].kind == KN_PARAM_LIST) {
            KN_TRY(kn_params_set_list(params, entry->params[i].name, (const char *const *)v->texts,
                                      v->count, err));
        } else if (v) {
            KN_TRY(kn_params_parse(params, entry->params[i].name, v->texts[0], err));
        }
    }
    *out = params;
    params = NULL;
done:
    kn_params_free(params);
    return status;
}
