/* cmd_list.c - kanon list: what there is, from the catalogue. */
#include "cli/cli.h"
#include "cli/json.h"

#include <string.h>

static const cli_option options[] = {
    {.name = "json", .help = "print the list as JSON"},
};

static const cli_example examples[] = {
    {"Everything there is.", "kanon list"},
    {"What can be guaranteed, and with which options?", "kanon list guarantees"},
    {"The methods, for a program.", "kanon list methods --json"},
};

static const char *const kinds[] = {
    [KN_ENTRY_GUARANTEE] = "guarantees",
    [KN_ENTRY_METHOD] = "methods",
    [KN_ENTRY_MEASURE] = "measures",
    [KN_ENTRY_MODEL] = "models",
};

static void print_param(const kn_param *p)
{
    char low[32], high[32];

    (void)printf("    --%s", p->name);
    if (p->kind == KN_PARAM_CHOICE) {
        (void)printf(" %s", p->choices);
    } else if (p->kind == KN_PARAM_COLUMN) {
        (void)printf(" COLUMN");
    } else if (p->kind != KN_PARAM_FLAG && p->max >= 4294967295.0) {
        (void)printf(" %s or more", cli_format(p->min, low));
    } else if (p->kind != KN_PARAM_FLAG) {
        (void)printf(" %s..%s", cli_format(p->min, low), cli_format(p->max, high));
    }
    (void)printf("%s\n        %s\n", p->required ? ", required" : "", p->help);
}

static void print_words(const kn_entry *const *entries, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        const kn_entry *e = entries[i];
        (void)printf("%s%s: %s\n", i && e->params_count ? "\n" : "", e->name, e->summary);
        if (e->method) {
            (void)printf("    default method: %s\n", e->method);
        }
        if (e->reaches) {
            (void)printf("    reaches: %s\n", e->reaches);
        }
        for (size_t p = 0; p < e->params_count; p++) {
            print_param(&e->params[p]);
        }
    }
    (void)printf("\nMore in docs/%s.\n", entries[0]->page);
}

static json_t *split(const char *text, const char *separators)
{
    json_t *list = json_array();

    while (*text) {
        const size_t len = strcspn(text, separators);
        (void)json_array_append_new(list, json_stringn(text, len));
        text += len;
        text += *text != '\0';
    }
    return list;
}

static json_t *json_param(const kn_param *p)
{
    static const char *const names[] = {
        [KN_PARAM_COUNT] = "count", [KN_PARAM_NUMBER] = "number", [KN_PARAM_CHOICE] = "choice",
        [KN_PARAM_FLAG] = "flag",   [KN_PARAM_COLUMN] = "column",
    };
    json_t *object = json_pack("{s:s, s:s, s:b, s:s}", "name", p->name, "kind", names[p->kind],
                               "required", p->required, "help", p->help);

    if (object && p->choices) {
        (void)json_object_set_new(object, "choices", split(p->choices, "|"));
    }
    if (object && (p->kind == KN_PARAM_COUNT || p->kind == KN_PARAM_NUMBER)) {
        (void)json_object_set_new(object, "min", cli_json_number(p->min));
        (void)json_object_set_new(object, "max", cli_json_number(p->max));
        (void)json_object_set_new(object, "default", cli_json_number(p->standard));
    }
    return object;
}

static json_t *json_entry(const kn_entry *e)
{
    json_t *object = json_pack("{s:s, s:s, s:s}", "name", e->name, "summary", e->summary, "page",
                               e->page);
    json_t *params = json_array();

    for (size_t i = 0; i < e->params_count; i++) {
        (void)json_array_append_new(params, json_param(&e->params[i]));
    }
    (void)json_object_set_new(object, "parameters", params);
    if (e->method) {
        (void)json_object_set_new(object, "method", json_string(e->method));
    }
    if (e->reaches) {
        (void)json_object_set_new(object, "reaches", split(e->reaches, " "));
    }
    if (e->better) {
        (void)json_object_set_new(object, "better", json_string(e->better));
    }
    return object;
}

static json_t *json_entries(const kn_entry *const *entries, size_t count)
{
    json_t *list = json_array();

    for (size_t i = 0; i < count; i++) {
        (void)json_array_append_new(list, json_entry(entries[i]));
    }
    return list;
}

/* Without an argument: the names and summaries of everything; as JSON, all lists by their kinds. */
static int print_all(bool json)
{
    json_t *all = json ? json_object() : NULL;

    for (size_t i = 0; i < CLI_COUNT(kinds); i++) {
        size_t count;
        const kn_entry *const *entries = kn_catalog((kn_entry_kind)i, &count);
        if (json) {
            (void)json_object_set_new(all, kinds[i], json_entries(entries, count));
            continue;
        }
        (void)printf("%s%s\n", i ? "\n" : "", kinds[i]);
        for (size_t j = 0; j < count; j++) {
            (void)printf("  %-20s %s\n", entries[j]->name, entries[j]->summary);
        }
    }
    if (json) {
        return cli_json_print(all);
    }
    (void)printf("\nkanon list methods, for example, adds the options of each.\n");
    return 0;
}

static int run(cli_call *call)
{
    const char *word = call->arguments_count ? call->arguments[0] : NULL, *near;

    if (!word) {
        return print_all(call->json);
    }
    for (size_t i = 0; i < CLI_COUNT(kinds); i++) {
        if (strcmp(kinds[i], word) == 0) {
            size_t count;
            const kn_entry *const *entries = kn_catalog((kn_entry_kind)i, &count);
            if (call->json) {
                return cli_json_print(json_entries(entries, count));
            }
            print_words(entries, count);
            return 0;
        }
    }
    near = kn_nearest(word, kinds, CLI_COUNT(kinds));
    return cli_usage("there are no '%.60s'; %s%s%s", word,
                     near ? "did you mean '" : "choose guarantees, methods, measures or models",
                     near ? near : "", near ? "'?" : "");
}

const cli_command cmd_list = {
    .name = "list",
    .arguments = "[guarantees|methods|measures|models] [--json]",
    .summary = "the guarantees, methods, measures and models there are",
    .about = "Prints what kanon can guarantee, how it can get there, what it can measure and "
             "which models it mines: one of these lists with the options of each entry, or all of "
             "them in short.",
    CLI_OPTIONS(options),
    .words = "guarantees|methods|measures|models",
    CLI_EXAMPLES(examples),
    .least = 0,
    .most = 1,
    .run = run,
};
