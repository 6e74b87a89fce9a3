/* cmd_list.c - kanon list: what there is, from the catalogue. */
#include "cli/cli.h"
#include "cli/json.h"

#include <string.h>

static const cli_option options[] = {
    {.name = "json", .help = "print the list as JSON"},
    {.name = "sigma",
     .argument = "LIST",
     .help = "sample-sizes: shares of itemsets that have to be safe, such as 0.99,0.999 (the "
             "default)"},
    {.name = "rounds",
     .argument = "N",
     .help = "sample-sizes: how often a search may test again, at most once per item; the default "
             "is 1"},
    {.name = "runs",
     .argument = "N",
     .help = "sample-sizes: runs of the search, of which the best is kept; the default is 1"},
};

static const cli_example examples[] = {
    {"Everything there is.", "kanon list"},
    {"What can be guaranteed, and with which options?", "kanon list guarantees"},
    {"The methods, for a program.", "kanon list methods --json"},
    {"How many samples does a search over 1,303 items need?",
     "kanon list sample-sizes --sigma 0.99 --rounds 1303"},
};

static const char *const kinds[] = {
    [KN_ENTRY_GUARANTEE] = "guarantees",
    [KN_ENTRY_METHOD] = "methods",
    [KN_ENTRY_MEASURE] = "measures",
    [KN_ENTRY_MODEL] = "models",
};

/* Everything that can be named. */
static const char *const words[] = {"guarantees", "methods", "measures", "models", "sample-sizes"};
/* The options of sample-sizes alone. */
static const char *const only_sizes[] = {"sigma", "rounds", "runs"};

static void print_param(const kn_param *p)
{
    static const char *const texts[] = {
        [KN_PARAM_COLUMN] = " COLUMN", [KN_PARAM_TEXT] = " TEXT", [KN_PARAM_LIST] = " TEXTS"};
    char low[32], high[32];

    (void)printf("    --%s", p->name);
    if (p->kind == KN_PARAM_CHOICE) {
        (void)printf(" %s", p->choices);
    } else if (p->kind >= KN_PARAM_COLUMN) {
        (void)fputs(texts[p->kind], stdout);
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

/* The lists of the catalogue, by kind; NULL when memory is out. */
static json_t *json_catalog(void)
{
    char *text = NULL;
    json_t *all;

    if (kn_catalog_json(&text, NULL) != KN_OK) {
        return NULL;
    }
    all = json_loads(text, 0, NULL);
    kn_string_free(text);
    return all;
}

/* The list of one kind. */
static json_t *json_kind(const char *kind)
{
    json_t *all = json_catalog(), *list = json_incref(json_object_get(all, kind));

    json_decref(all);
    return list;
}

/* Without an argument: the names and summaries of everything; as JSON, all lists by their kinds. */
static int print_all(bool json)
{
    if (json) {
        return cli_json_print(json_catalog());
    }
    for (size_t i = 0; i < CLI_COUNT(kinds); i++) {
        size_t count;
        const kn_entry *const *entries = kn_catalog((kn_entry_kind)i, &count);
        (void)printf("%s%s\n", i ? "\n" : "", kinds[i]);
        for (size_t j = 0; j < count; j++) {
            (void)printf("  %-20s %s\n", entries[j]->name, entries[j]->summary);
        }
    }
    (void)printf("\nkanon list methods, for example, adds the options of each.\n");
    return 0;
}

/* ---- numbers of samples ---- */

enum { SIZE_COLUMNS = 7, MOST_SIGMA = 16, CELL = 32 };

typedef struct size_row {
    char cells[SIZE_COLUMNS][CELL];
} size_row;

static const struct {
    kn_sample_rule rule;
    const char *name;
} rules[] = {{KN_SAMPLE_ZERO_FAILURE, "zero-failure"}, {KN_SAMPLE_HOEFFDING, "hoeffding"}};

static void fill_size(size_row *row, double sigma, const char *rule, size_t rounds, size_t runs,
                      const kn_sample_size *s)
{
    (void)snprintf(row->cells[0], CELL, "%g", sigma);
    (void)snprintf(row->cells[1], CELL, "%s", rule);
    (void)snprintf(row->cells[2], CELL, "%zu", rounds);
    (void)snprintf(row->cells[3], CELL, "%zu", runs);
    (void)snprintf(row->cells[4], CELL, "%llu", (unsigned long long)s->samples);
    (void)snprintf(row->cells[5], CELL, "%.3g", s->eps);
    (void)snprintf(row->cells[6], CELL, "%.3g", s->delta);
}

static void print_size_table(const size_row *rows, size_t count)
{
    static const bool right[SIZE_COLUMNS] = {
        [2] = true, [3] = true, [4] = true, [5] = true, [6] = true};
    const char *cells[(2 * MOST_SIGMA + 1) * SIZE_COLUMNS] = {"sigma",   "rule", "rounds", "runs",
                                                              "samples", "eps",  "delta"};

    for (size_t i = 0; i < count; i++) {
        for (size_t c = 0; c < SIZE_COLUMNS; c++) {
            cells[(i + 1) * SIZE_COLUMNS + c] = rows[i].cells[c];
        }
    }
    cli_table(stdout, cells, count + 1, SIZE_COLUMNS, right);
    (void)puts(
        "\nWhen all samples pass, at most a share eps of the itemsets fails, except with a "
        "probability of delta,\nand (1 - eps)(1 - delta) is sigma. zero-failure spends delta "
        "over all rounds of all runs; hoeffding is\nthe paper's gamma, for one round. More in "
        "docs/sampling.md.");
}

static int print_sizes(cli_call *call)
{
    const char *at = cli_value(call, "sigma");
    size_t rounds = 1, runs = 1, count = 0;
    size_row rows[2 * MOST_SIGMA];
    json_t *list = json_array();
    int code = cli_count(call, "rounds", 1, &rounds);

    code = code ? code : cli_count(call, "runs", 1, &runs);
    if (!code && runs > UINT64_MAX / rounds) {
        code = cli_usage("--rounds times --runs is too large");
    }
    for (at = at ? at : "0.99,0.999"; !code && at && *at;) {
        double sigma;
        const char *end = cli_number_at(at, &sigma);
        if (!end || (*end && *end != ',') || count + 2 > 2 * (size_t)MOST_SIGMA) {
            code = cli_usage("--sigma: give up to %d numbers above 0.5 and below 1, separated by "
                             "commas",
                             MOST_SIGMA);
            break;
        }
        for (size_t i = 0; !code && i < CLI_COUNT(rules); i++) {
            const bool spends = rules[i].rule == KN_SAMPLE_ZERO_FAILURE;
            kn_sample_size s;
            kn_error err = {0};
            if (kn_sample_size_for(&s, rules[i].rule, sigma, (uint64_t)rounds * runs, &err) !=
                KN_OK) {
                code = cli_fail(&err);
                break;
            }
            fill_size(&rows[count++], sigma, rules[i].name, spends ? rounds : 1, spends ? runs : 1,
                      &s);
            (void)json_array_append_new(
                list, json_pack("{s:f, s:s, s:I, s:I, s:I, s:f, s:f}", "sigma", sigma, "rule",
                                rules[i].name, "rounds", (json_int_t)(spends ? rounds : 1), "runs",
                                (json_int_t)(spends ? runs : 1), "samples", (json_int_t)s.samples,
                                "eps", s.eps, "delta", s.delta));
        }
        at = *end == ',' ? end + 1 : end;
    }
    if (!code && call->json) {
        return cli_json_print(list);
    }
    json_decref(list);
    if (!code) {
        print_size_table(rows, count);
    }
    return code;
}

static int run(cli_call *call)
{
    const char *word = call->arguments_count ? call->arguments[0] : NULL, *near;

    for (size_t i = 0; i < CLI_COUNT(only_sizes); i++) {
        if (cli_value(call, only_sizes[i]) && (!word || strcmp(word, "sample-sizes") != 0)) {
            return cli_usage("--%s is for 'kanon list sample-sizes'", only_sizes[i]);
        }
    }
    if (!word) {
        return print_all(call->json);
    }
    if (strcmp(word, "sample-sizes") == 0) {
        return print_sizes(call);
    }
    for (size_t i = 0; i < CLI_COUNT(kinds); i++) {
        if (strcmp(kinds[i], word) == 0) {
            size_t count;
            const kn_entry *const *entries = kn_catalog((kn_entry_kind)i, &count);
            if (call->json) {
                return cli_json_print(json_kind(kinds[i]));
            }
            print_words(entries, count);
            return 0;
        }
    }
    near = kn_nearest(word, words, CLI_COUNT(words));
    return cli_usage("there are no '%.60s'; %s%s%s", word,
                     near ? "did you mean '"
                          : "choose guarantees, methods, measures, models or sample-sizes",
                     near ? near : "", near ? "'?" : "");
}

const cli_command cmd_list = {
    .name = "list",
    .arguments = "[guarantees|methods|measures|models|sample-sizes] [--json]",
    .summary = "the guarantees, methods, measures and models there are",
    .about = "Prints what kanon can guarantee, how it can get there, what it can measure and "
             "which models it mines: one of these lists with the options of each entry, or all of "
             "them in short. sample-sizes: how many random itemsets a search for "
             "sigma-k^m-anonymity has to test.",
    CLI_OPTIONS(options),
    .words = "guarantees|methods|measures|models|sample-sizes",
    CLI_EXAMPLES(examples),
    .least = 0,
    .most = 1,
    .run = run,
};
