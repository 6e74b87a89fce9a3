/* job_options.c - the options of a job: the rows of option_rows.c, then the parameters of the
 * catalogue. */
#include "base/params.h"
#include "job/job.h"
#include "kanon/catalog.h"

#include <assert.h>
#include <pthread.h>
#include <string.h>

void kn__option_of_param(const kn_param *p, kn_option_group group, kn_option *out)
{
    static const kn_option_kind kinds[] = {
        [KN_PARAM_COUNT] = KN_OPTION_COUNT,   [KN_PARAM_NUMBER] = KN_OPTION_NUMBER,
        [KN_PARAM_CHOICE] = KN_OPTION_CHOICE, [KN_PARAM_FLAG] = KN_OPTION_FLAG,
        [KN_PARAM_COLUMN] = KN_OPTION_TEXT,   [KN_PARAM_TEXT] = KN_OPTION_TEXT,
        [KN_PARAM_LIST] = KN_OPTION_LIST,
    };
    static const char *const arguments[] = {
        [KN_PARAM_COUNT] = "N",    [KN_PARAM_NUMBER] = "NUMBER", [KN_PARAM_CHOICE] = "NAME",
        [KN_PARAM_FLAG] = NULL,    [KN_PARAM_COLUMN] = "COLUMN", [KN_PARAM_TEXT] = "TEXT",
        [KN_PARAM_LIST] = "TEXTS",
    };

    *out = (kn_option){.name = p->name,
                       .kind = kinds[p->kind],
                       .group = group,
                       .argument = arguments[p->kind],
                       .choices = p->choices,
                       .min = p->min,
                       .max = p->max,
                       .list = p->list,
                       .help = p->help};
}

/* The parameters of the catalogue, each name once: listed at the first question, as every word of a
 * command line asks for all of them. */
enum { MOST_PARAMS = 256 };
static struct {
    const kn_param *param; /* of the first entry that has it */
    kn_option_group group;
    double max; /* the largest of all entries */
    bool list;  /* one of them takes a list */
} params[MOST_PARAMS];
static size_t params_count;
static pthread_once_t params_once = PTHREAD_ONCE_INIT;

/* Entries that share a name share the option: it takes what any of them takes. */
static void add_param(const kn_param *p, kn_option_group group)
{
    size_t i = 0;

    while (i < params_count &&
           (params[i].group != group || strcmp(params[i].param->name, p->name) != 0)) {
        i++;
    }
    if (i == params_count) {
        assert(params_count < MOST_PARAMS);
        params[params_count].param = p;
        params[params_count].max = p->max;
        params[params_count++].group = group;
    }
    params[i].max = p->max > params[i].max ? p->max : params[i].max;
    params[i].list = params[i].list || p->list;
}

static void list_params_of(kn_entry_kind kind, kn_option_group group)
{
    size_t count;
    const kn_entry *const *entries = kn_catalog(kind, &count);

    for (size_t e = 0; e < count; e++) {
        for (size_t p = 0; p < entries[e]->params_count; p++) {
            add_param(&entries[e]->params[p], group);
        }
    }
}

static void list_params(void)
{
    list_params_of(KN_ENTRY_GUARANTEE, KN_GROUP_GUARANTEE);
    list_params_of(KN_ENTRY_METHOD, KN_GROUP_METHOD);
}

size_t kn_job_options(void)
{
    (void)pthread_once(&params_once, list_params);
    return kn__option_rows_count + params_count;
}

void kn_job_option(kn_option *out, size_t i)
{
    if (!out) {
        return;
    }
    if (i >= kn_job_options()) {
        *out = (kn_option){0};
    } else if (i < kn__option_rows_count) {
        *out = kn__option_rows[i];
    } else {
        i -= kn__option_rows_count;
        kn__option_of_param(params[i].param, params[i].group, out);
        out->max = params[i].max;
        out->list = params[i].list;
    }
}

bool kn_job_option_find(kn_option *out, const char *name)
{
    const size_t count = kn_job_options();

    for (size_t i = 0; name && out && i < count; i++) {
        kn_job_option(out, i);
        if (kn__same_name(out->name, name)) {
            return true;
        }
    }
    return false;
}

bool kn_option_repeats(const kn_option *option)
{
    return option && (option->kind == KN_OPTION_LIST || option->kind == KN_OPTION_PATHS ||
                      option->kind == KN_OPTION_TEXTS || option->kind == KN_OPTION_MAP ||
                      option->kind == KN_OPTION_PATH_MAP);
}
