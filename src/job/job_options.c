/* job_options.c - the options of a job: what they are called, what they take, what is a good value.
 */
#include "base/error.h"
#include "data/value.h"
#include "job/job.h"
#include "job/sweep_values.h"
#include "kanon/catalog.h"

#include <assert.h>
#include <errno.h>
#include <inttypes.h>
#include <limits.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define COUNT_OF(a) (sizeof(a) / sizeof(a)[0])

static const kn_option rows[] = {
    {.name = "input",
     .kind = KN_OPTION_PATH,
     .group = KN_GROUP_FILES,
     .argument = "FILE",
     .help = "the table to read; - is standard input"},
    {.name = "output",
     .kind = KN_OPTION_PATH,
     .group = KN_GROUP_FILES,
     .argument = "FILE",
     .help = "where to write; - is standard output"},

    {.name = "schema",
     .kind = KN_OPTION_PATH,
     .group = KN_GROUP_COLUMNS,
     .argument = "FILE",
     .help = "roles, types, hierarchies and missing values of the columns, as JSON"},
    {.name = "id",
     .kind = KN_OPTION_LIST,
     .group = KN_GROUP_COLUMNS,
     .argument = "COLUMNS",
     .help = "identifiers, such as names: never published, never shown"},
    {.name = "qi",
     .kind = KN_OPTION_LIST,
     .group = KN_GROUP_COLUMNS,
     .argument = "COLUMNS",
     .help = "quasi-identifiers: what an attacker may know about a person; generalised"},
    {.name = "sensitive",
     .kind = KN_OPTION_LIST,
     .group = KN_GROUP_COLUMNS,
     .argument = "COLUMNS",
     .help = "what an attacker must not learn; published as it is"},
    {.name = "keep",
     .kind = KN_OPTION_LIST,
     .group = KN_GROUP_COLUMNS,
     .argument = "COLUMNS",
     .help = "published as they are"},
    {.name = "drop",
     .kind = KN_OPTION_LIST,
     .group = KN_GROUP_COLUMNS,
     .argument = "COLUMNS",
     .help = "not published"},
    {.name = "drop-rest",
     .kind = KN_OPTION_FLAG,
     .group = KN_GROUP_COLUMNS,
     .help = "all columns without a role are not published"},
    {.name = "keep-rest",
     .kind = KN_OPTION_FLAG,
     .group = KN_GROUP_COLUMNS,
     .help = "all columns without a role are published as they are; the report lists them"},
    {.name = "accept-suggested",
     .kind = KN_OPTION_FLAG,
     .group = KN_GROUP_ACCEPT,
     .help = "all columns without a role get the one that kanon profile suggests; the report lists "
             "them"},
    {.name = "allow-unique",
     .kind = KN_OPTION_LIST,
     .group = KN_GROUP_COLUMNS,
     .argument = "COLUMNS",
     .help = "kept columns that may be published although they look like identifiers, or most "
             "records hold a value that fewer than k share"},
    {.name = "items",
     .kind = KN_OPTION_LIST,
     .group = KN_GROUP_COLUMNS,
     .argument = "COLUMNS",
     .help = "columns whose cells hold sets of items"},
    {.name = "numbers",
     .kind = KN_OPTION_LIST,
     .group = KN_GROUP_COLUMNS,
     .argument = "COLUMNS",
     .help = "columns whose cells hold several numbers"},
    {.name = "sensitive-items",
     .kind = KN_OPTION_LIST,
     .group = KN_GROUP_COLUMNS,
     .argument = "ITEMS",
     .help =
         "items that an attacker must not learn, while he may know the others; kept as they are"},
    {.name = "sensitive-prefix",
     .kind = KN_OPTION_LIST,
     .group = KN_GROUP_COLUMNS,
     .argument = "TEXTS",
     .help = "the same of all items that begin so, such as the codes of a chapter"},
    {.name = "sensitive-node",
     .kind = KN_OPTION_TEXTS,
     .group = KN_GROUP_COLUMNS,
     .argument = "LABEL",
     .help = "the same of all items below a node of their hierarchy; may be given several times"},
    {.name = "bag",
     .kind = KN_OPTION_MAP,
     .group = KN_GROUP_COLUMNS,
     .argument = "NAME=COLUMNS",
     .help = "read several columns as one: for each record the bag of their values"},
    {.name = "nulls",
     .kind = KN_OPTION_LIST,
     .group = KN_GROUP_COLUMNS,
     .argument = "TEXTS",
     .help = "--bag, --collect, --join: texts that cells hold instead of nothing, such as 0"},
    {.name = "group-by",
     .kind = KN_OPTION_LIST,
     .group = KN_GROUP_COLUMNS,
     .argument = "COLUMNS",
     .help = "rows that are equal in these become one record, with the first value of each column"},
    {.name = "collect",
     .kind = KN_OPTION_MAP,
     .group = KN_GROUP_COLUMNS,
     .argument = "NAME=COLUMNS",
     .help = "--group-by: the set of the values that the columns hold in all rows of a record"},
    {.name = "join",
     .kind = KN_OPTION_PATH_MAP,
     .group = KN_GROUP_COLUMNS,
     .argument = "NAME=FILE",
     .help = "add an item column: what the rows of another file hold for each record"},
    {.name = "join-on",
     .kind = KN_OPTION_MAP,
     .group = KN_GROUP_COLUMNS,
     .argument = "NAME=KEY=THEIRS",
     .help = "--join: the column that is the key here, and what it is called there if otherwise"},
    {.name = "join-items",
     .kind = KN_OPTION_MAP,
     .group = KN_GROUP_COLUMNS,
     .argument = "NAME=COLUMNS",
     .help = "--join: the columns of the other file whose values are the items"},
    {.name = "items-together",
     .kind = KN_OPTION_MAP,
     .group = KN_GROUP_COLUMNS,
     .argument = "NAME=COLUMNS",
     .help = "make one item column of several; items are called COLUMN:ITEM"},
    {.name = "classes",
     .kind = KN_OPTION_LIST,
     .group = KN_GROUP_COLUMNS,
     .argument = "NAMES",
     .help = "tree records: the classes of their nodes, those of ancestors first"},
    {.name = "tree",
     .kind = KN_OPTION_TEXT,
     .group = KN_GROUP_COLUMNS,
     .argument = "NOTATION",
     .help =
         "how nested JSON or XML becomes tree records: 'visits(hospital) > findings(diagnosis)'"},
    {.name = "item-separator",
     .kind = KN_OPTION_TEXT,
     .group = KN_GROUP_COLUMNS,
     .argument = "TEXT",
     .help = "what separates the items inside a cell; the default is |; in .dat files one "
             "character instead of spaces"},
    {.name = "type",
     .kind = KN_OPTION_MAP,
     .group = KN_GROUP_COLUMNS,
     .argument = "COLUMN=TYPE",
     .choices = "category|integer|decimal|date|set|bag|numbers",
     .help = "the type of a column, instead of the detected one"},
    {.name = "weight",
     .kind = KN_OPTION_MAP,
     .group = KN_GROUP_COLUMNS,
     .argument = "COLUMN=NUMBER",
     .help = "how much a column counts in the loss; the default is 1"},
    {.name = "item-weight",
     .kind = KN_OPTION_MAP,
     .group = KN_GROUP_COLUMNS,
     .argument = "ITEM=NUMBER",
     .help =
         "how much an item, or what is below a node of its hierarchy, counts in ul, 0 to 1; the "
         "default is 1"},
    {.name = "missing",
     .kind = KN_OPTION_LIST,
     .group = KN_GROUP_COLUMNS,
     .argument = "TEXTS",
     .help = "texts that mean a missing value, instead of the empty one; write '' for that"},
    {.name = "missing-rule",
     .kind = KN_OPTION_CHOICE,
     .group = KN_GROUP_COLUMNS,
     .argument = "RULE",
     .choices = "own|any",
     .help = "a missing value equals only itself (own), or may be anyone's (any)"},

    {.name = "format",
     .kind = KN_OPTION_CHOICE,
     .group = KN_GROUP_LAYOUT,
     .argument = "FORMAT",
     .choices = "auto|csv|dat|long|jsonl|trees|json|xml",
     .help = "the format of the table, instead of what its name says"},
    {.name = "separator",
     .kind = KN_OPTION_TEXT,
     .group = KN_GROUP_LAYOUT,
     .argument = "CHAR",
     .help = "what separates columns: one character, or the word tab, comma or semicolon"},
    {.name = "no-header",
     .kind = KN_OPTION_FLAG,
     .group = KN_GROUP_LAYOUT,
     .help = "the first line is data; columns are called column1, column2, ..."},
    {.name = "quote",
     .kind = KN_OPTION_CHOICE,
     .group = KN_GROUP_LAYOUT,
     .argument = "HOW",
     .choices = "double|none",
     .help = "none: a quote is a character like any other"},
    {.name = "trim",
     .kind = KN_OPTION_FLAG,
     .group = KN_GROUP_LAYOUT,
     .help = "strip spaces around values"},
    {.name = "spreadsheet-safe",
     .kind = KN_OPTION_FLAG,
     .group = KN_GROUP_LAYOUT,
     .help =
         "write an apostrophe before cells that a spreadsheet would take for a formula, and remove it when such "
         "a file is read"},
    {.name = "key",
     .kind = KN_OPTION_TEXT,
     .group = KN_GROUP_LAYOUT,
     .argument = "COLUMN",
     .help = "long form: the column that tells persons apart; the default is the first"},

    {.name = "hierarchy",
     .kind = KN_OPTION_PATH_MAP,
     .group = KN_GROUP_HIERARCHIES,
     .argument = "COLUMN=FILE",
     .help = "the hierarchy of a column; of items several, one a family, are joined"},
    {.name = "hierarchies",
     .kind = KN_OPTION_PATH,
     .group = KN_GROUP_HIERARCHIES,
     .argument = "FOLDER",
     .help = "a folder with hierarchies named after their columns: age.csv, ..."},
    {.name = "codes",
     .kind = KN_OPTION_LIST,
     .group = KN_GROUP_HIERARCHIES,
     .argument = "COLUMNS",
     .help = "what a hierarchy lacks goes with its code: 250.83 with 250, 8 with 008"},
    {.name = "uncovered",
     .kind = KN_OPTION_CHOICE,
     .group = KN_GROUP_HIERARCHIES,
     .argument = "WHAT",
     .choices = "error|suppress|root",
     .help = "values that a hierarchy lacks: refuse, suppress their records, or publish the root"},

    {.name = "guarantee",
     .kind = KN_OPTION_LIST,
     .group = KN_GROUP_GUARANTEE,
     .argument = "NAMES",
     .help = "what must hold (see kanon list guarantees); with --k alone, k-anonymity"},

    {.name = "method",
     .kind = KN_OPTION_CHOICE,
     .group = KN_GROUP_METHOD,
     .argument = "NAME",
     .help = "how to reach it (see kanon list methods); the default is local"},
    {.name = "suppression",
     .kind = KN_OPTION_SHARE,
     .group = KN_GROUP_METHOD,
     .argument = "SHARE",
     .max = 1,
     .help = "the largest share of records that may be suppressed: 0.05 or 5%; default 0"},
    {.name = "item-suppression",
     .kind = KN_OPTION_SHARE,
     .group = KN_GROUP_METHOD,
     .argument = "SHARE",
     .max = 1,
     .help = "apriori, acd: the largest share of items that may be left out everywhere; default 0"},
    {.name = "suppressed",
     .kind = KN_OPTION_CHOICE,
     .group = KN_GROUP_METHOD,
     .argument = "HOW",
     .choices = "removed|starred",
     .help = "leave suppressed records out, or keep them with * instead"},
    {.name = "shuffle",
     .kind = KN_OPTION_FLAG,
     .group = KN_GROUP_METHOD,
     .help = "mix the records: the order of a list can give people away"},
    {.name = "map",
     .kind = KN_OPTION_PATH,
     .group = KN_GROUP_METHOD,
     .argument = "FILE",
     .help = "sampling: also write the areas as GeoJSON"},
    {.name = "areas",
     .kind = KN_OPTION_PATH,
     .group = KN_GROUP_METHOD,
     .argument = "FILE",
     .help = "sampling: also write a table of the areas: people, km^2, mean error, items"},
    {.name = "mapping",
     .kind = KN_OPTION_PATH,
     .group = KN_GROUP_METHOD,
     .argument = "FILE",
     .help = "sampling: also write which area every item is in, as a hierarchy (--hierarchy of "
             "check)"},
    {.name = "sweep",
     .kind = KN_OPTION_TEXT,
     .group = KN_GROUP_METHOD,
     .argument = "NAME=VALUES",
     .help = "run for many values of a number, to choose: k=2,5,10 or delta=0.1:1:0.1 (from, to, "
             "step)"},

    {.name = "threads",
     .kind = KN_OPTION_COUNT,
     .group = KN_GROUP_RUN,
     .argument = "N",
     .max = 256,
     .help = "how many threads work; the default is one a core; no result depends on it"},
    {.name = "memory",
     .kind = KN_OPTION_SIZE,
     .group = KN_GROUP_RUN,
     .argument = "SIZE",
     .help = "stop rather than use more: 512M, 4G; the default is nine tenths of the machine's"},
    {.name = "seed",
     .kind = KN_OPTION_COUNT,
     .group = KN_GROUP_SEED,
     .argument = "N",
     .max = 9223372036854775807.0,
     .help = "start of the random numbers; the default is 0"},
    {.name = "report",
     .kind = KN_OPTION_PATHS,
     .group = KN_GROUP_REPORT,
     .argument = "FILE",
     .help = "write a report: .json for programs, .html for people; may be given several times"},
    {.name = "strict",
     .kind = KN_OPTION_FLAG,
     .group = KN_GROUP_POINTS,
     .help = "while there are points to settle, write nothing and exit with 1"},
    {.name = "accept-point",
     .kind = KN_OPTION_LIST,
     .group = KN_GROUP_POINTS,
     .argument = "NAMES",
     .help = "points that you have decided to accept, by name: rare-values:income, small-k"},
    {.name = "point-limit",
     .kind = KN_OPTION_MAP,
     .group = KN_GROUP_POINTS,
     .argument = "CHECK=NUMBER",
     .help = "from where on there is a point: unique-records=5%, rare-values=1%, certainty=90%, "
             "small-k=3 unless given"},
    {.name = "measures",
     .kind = KN_OPTION_CHOICE,
     .group = KN_GROUP_REPORT,
     .argument = "WHICH",
     .choices = "auto|all|basic",
     .help = "query_error and mining_loss in the report: for item lists of up to 200,000 items "
             "(auto), always, or never"},
};

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
    return COUNT_OF(rows) + params_count;
}

void kn_job_option(kn_option *out, size_t i)
{
    if (!out) {
        return;
    }
    if (i >= kn_job_options()) {
        *out = (kn_option){0};
    } else if (i < COUNT_OF(rows)) {
        *out = rows[i];
    } else {
        i -= COUNT_OF(rows);
        kn__option_of_param(params[i].param, params[i].group, out);
        out->max = params[i].max;
        out->list = params[i].list;
    }
}

bool kn__same_option(const char *a, const char *b)
{
    while (*a && (*a == *b || ((*a == '-' || *a == '_') && (*b == '-' || *b == '_')))) {
        a++;
        b++;
    }
    return *a == *b;
}

bool kn_job_option_find(kn_option *out, const char *name)
{
    const size_t count = kn_job_options();

    for (size_t i = 0; name && out && i < count; i++) {
        kn_job_option(out, i);
        if (kn__same_option(out->name, name)) {
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

/* ---- values ---- */

static bool is_choice(const char *choices, const char *text)
{
    const size_t len = strlen(text);

    for (const char *c = choices; *c; c += strcspn(c, "|"), c += *c == '|') {
        if (strcspn(c, "|") == len && memcmp(c, text, len) == 0) {
            return true;
        }
    }
    return false;
}

static kn_status bad_choice(const char *option, const char *text, const char *choices,
                            kn_error *err)
{
    char copy[256], *names[32];
    size_t count = 0;
    const char *near;

    (void)snprintf(copy, sizeof copy, "%s", choices);
    for (char *at = copy, *next = NULL; at && count < COUNT_OF(names); at = next) {
        next = strchr(at, '|');
        if (next) {
            *next++ = '\0';
        }
        names[count++] = at;
    }
    near = kn_nearest(text, (const char *const *)names, count);
    if (near) {
        return kn__fail(err, KN_EUSAGE, "--%s: there is no '%.100s'; did you mean '%s'? (%s)",
                        option, text, near, choices);
    }
    return kn__fail(err, KN_EUSAGE, "--%s: there is no '%.100s'; choose one of %s", option, text,
                    choices);
}

static kn_status check_entry(const char *option, kn_entry_kind kind, const char *text,
                             kn_error *err)
{
    char choices[512] = "";
    size_t count, len = 0;
    const kn_entry *const *entries = kn_catalog(kind, &count);

    if (kn_catalog_find(kind, text)) {
        return KN_OK;
    }
    for (size_t i = 0; i < count && len < sizeof choices; i++) {
        const int n = snprintf(choices + len, sizeof choices - len, "%s%s", i ? "|" : "",
                               entries[i]->name);
        len += n > 0 ? (size_t)n : 0;
    }
    return bad_choice(option, text, choices, err);
}

static kn_status out_of_range(const kn_option *option, const char *text, kn_error *err)
{
    if (option->max >= 4294967295.0) {
        return kn__fail(err, KN_EUSAGE, "--%s: %.60s is out of range: give %.10g or more",
                        option->name, text, option->min);
    }
    return kn__fail(err, KN_EUSAGE, "--%s: %.60s is out of range: give %.10g to %.10g",
                    option->name, text, option->min, option->max);
}

static kn_status check_count(const kn_option *option, const char *text, kn_error *err)
{
    unsigned long long value;

    if (*text == '\0' || strspn(text, "0123456789") != strlen(text)) {
        if (*text == '-' && text[1] && strspn(text + 1, "0123456789") == strlen(text + 1)) {
            return out_of_range(option, text, err);
        }
        return kn__fail(err, KN_EUSAGE, "--%s: '%.60s' is not a whole number; write digits only",
                        option->name, text);
    }
    errno = 0;
    value = strtoull(text, NULL, 10);
    if (errno || value > INT64_MAX || (double)value < option->min || (double)value > option->max) {
        return out_of_range(option, text, err);
    }
    return KN_OK;
}

static bool parse_number(const kn_option *option, const char *text, double *value)
{
    size_t len = strlen(text);
    unsigned decimals;
    const bool percent = option->kind == KN_OPTION_SHARE && len && text[len - 1] == '%';

    if (!kn__number_parse(text, len - percent, value, &decimals)) {
        return false;
    }
    *value /= percent ? 100 : 1;
    return true;
}

static kn_status check_number(const kn_option *option, const char *text, kn_error *err)
{
    double value;

    if (!parse_number(option, text, &value)) {
        return kn__fail(err, KN_EUSAGE, "--%s: '%.60s' is not a number%s", option->name, text,
                        strchr(text, ',') ? "; decimals come after a point, as in 0.5"
                        : option->kind == KN_OPTION_SHARE
                            ? "; give a share such as 0.05, or a percentage such as 5%"
                            : "; write it as in 3 or 0.5");
    }
    if (option->kind == KN_OPTION_SHARE && value > 1 && value <= 100 && option->max <= 1 &&
        !strchr(text, '%')) {
        return kn__fail(err, KN_EUSAGE,
                        "--%s: %.60s is out of range: give %.10g to %.10g, or a "
                        "percentage: %.60s%%",
                        option->name, text, option->min, option->max, text);
    }
    return value < option->min || value > option->max ? out_of_range(option, text, err) : KN_OK;
}

/* Numbers separated by commas, each as it would be alone. */
static kn_status check_numbers(const kn_option *option, const char *text, kn_error *err)
{
    kn_status status = KN_OK;

    for (const char *at = text; status == KN_OK; at++) {
        const size_t len = strcspn(at, ",");
        char part[64];
        if (len >= sizeof part) {
            return kn__fail(err, KN_EUSAGE, "--%s: '%.60s' is not a number", option->name, at);
        }
        (void)snprintf(part, sizeof part, "%.*s", (int)len, at);
        status = option->kind == KN_OPTION_COUNT ? check_count(option, part, err)
                                                 : check_number(option, part, err);
        at += len;
        if (*at == '\0') {
            break;
        }
    }
    return status;
}

double kn__option_number(const kn_option *option, const char *text)
{
    double value = 0;

    (void)parse_number(option, text, &value);
    return value;
}

bool kn__option_size(const char *text, size_t *out)
{
    static const char units[] = "KMGT";
    const size_t digits = strspn(text, "0123456789");
    unsigned long long value;
    unsigned shift = 0;
    const char *unit = text + digits;

    if (digits == 0 || digits > 18) {
        return false;
    }
    value = strtoull(text, NULL, 10);
    if (*unit) {
        const char *found = strchr(units, *unit >= 'a' ? *unit - 'a' + 'A' : *unit);
        if (!found) {
            return false;
        }
        shift = 10 * (unsigned)(found - units + 1);
        unit++;
        unit += strcmp(unit, "iB") == 0 ? 2 : strcmp(unit, "B") == 0 ? 1 : 0;
    }
    if (*unit || value == 0 || value > (SIZE_MAX >> shift)) {
        return false;
    }
    *out = (size_t)value << shift;
    return true;
}

bool kn__option_maps_numbers(const kn_option *option)
{
    return strcmp(option->name, "weight") == 0 || strcmp(option->name, "item-weight") == 0;
}

const char *kn__map_value(const char *text, size_t *column_len)
{
    const char *equals = strchr(text, '=');

    if (!equals || equals == text || equals[1] == '\0') {
        return NULL;
    }
    *column_len = (size_t)(equals - text);
    return equals + 1;
}

static kn_status check_map(const kn_option *option, const char *text, kn_error *err)
{
    size_t column_len;
    const char *value = kn__map_value(text, &column_len);
    const bool of_item = strcmp(option->name, "item-weight") == 0;
    const kn_option weight = {.name = option->name,
                              .kind = KN_OPTION_NUMBER,
                              .max = of_item ? 1 : 1e9};

    if (!value) {
        return kn__fail(err, KN_EUSAGE, "--%s: '%.200s' is not of the form %s", option->name, text,
                        option->argument);
    }
    if (option->choices) {
        return is_choice(option->choices, value)
                   ? KN_OK
                   : bad_choice(option->name, value, option->choices, err);
    }
    return kn__option_maps_numbers(option) ? check_number(&weight, value, err) : KN_OK;
}

static kn_status check_sweep(const char *text, kn_error *err)
{
    kn_swept values;
    const kn_status st = kn__swept_parse(&values, text, err);

    kn__swept_clear(&values);
    return st;
}

static kn_status check_text(const kn_option *option, const char *text, kn_error *err)
{
    if (*text == '\0') {
        return kn__fail(err, KN_EUSAGE, "--%s: the value is empty; give %s", option->name,
                        option->argument);
    }
    if (strcmp(option->name, "separator") == 0 && strlen(text) != 1 && strcmp(text, "tab") != 0 &&
        strcmp(text, "comma") != 0 && strcmp(text, "semicolon") != 0 && strcmp(text, "\\t") != 0) {
        return kn__fail(
            err, KN_EUSAGE,
            "--separator: '%.60s' is not one character; give one, or the word tab, comma "
            "or semicolon",
            text);
    }
    return strcmp(option->name, "sweep") == 0 ? check_sweep(text, err) : KN_OK;
}

static kn_status check_report(const char *path, kn_error *err)
{
    const size_t len = strlen(path);

    if (len > 5 && (strcmp(path + len - 5, ".json") == 0 || strcmp(path + len - 5, ".html") == 0)) {
        return KN_OK;
    }
    return kn__fail(err, KN_EUSAGE,
                    "--report: '%.300s' ends in neither .json nor .html; one of them "
                    "says which report to write",
                    path);
}

static kn_status check_value(const kn_option *option, const char *text, kn_error *err)
{
    size_t bytes;

    switch (option->kind) {
    case KN_OPTION_FLAG:
        return strcmp(text, "true") == 0 || strcmp(text, "false") == 0
                   ? KN_OK
                   : kn__fail(err, KN_EUSAGE, "--%s: '%.60s' is neither true nor false",
                              option->name, text);
    case KN_OPTION_CHOICE:
        if (!option->choices) {
            return check_entry(option->name, KN_ENTRY_METHOD, text, err);
        }
        return is_choice(option->choices, text)
                   ? KN_OK
                   : bad_choice(option->name, text, option->choices, err);
    case KN_OPTION_COUNT:
        return option->list ? check_numbers(option, text, err) : check_count(option, text, err);
    case KN_OPTION_NUMBER:
    case KN_OPTION_SHARE:
        return option->list ? check_numbers(option, text, err) : check_number(option, text, err);
    case KN_OPTION_SIZE:
        return kn__option_size(text, &bytes)
                   ? KN_OK
                   : kn__fail(err, KN_EUSAGE,
                              "--%s: '%.60s' is not a size; write it as in 512M or 4G",
                              option->name, text);
    case KN_OPTION_LIST:
        if (strcmp(option->name, "guarantee") == 0) {
            return check_entry(option->name, KN_ENTRY_GUARANTEE, text, err);
        }
        return strcmp(option->name, "missing") == 0 ? KN_OK : check_text(option, text, err);
    case KN_OPTION_MAP:
    case KN_OPTION_PATH_MAP: return check_map(option, text, err);
    case KN_OPTION_PATHS: return check_report(text, err);
    case KN_OPTION_TEXT:
    case KN_OPTION_TEXTS:
    case KN_OPTION_PATH: return check_text(option, text, err);
    }
    return KN_OK;
}

kn_status kn__option_check(const kn_option *option, const char *text, kn_error *err)
{
    return kn__about_parameter(err, check_value(option, text, err), KN_ERROR_PARAMETER,
                               option->name);
}
