/* cmd_measure.c - kanon measure: what a release lost, and what risk is left. */
#include "cli/cli.h"
#include "cli/json.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static const cli_option options[] = {
    {.name = "population",
     .argument = "FILE",
     .help = "the table that a journalist could look people up in, generalised like the release"},
    {.name = "threshold",
     .argument = "SHARE",
     .help = "records with a risk above it count as at risk; the default is 0.2"},
    {.name = "queries",
     .argument = "N",
     .help =
         "query_error: how many questions are drawn, at most 1,000,000; the default is 100, and 0 "
         "asks none"},
    {.name = "query-values",
     .argument = "N",
     .help = "values of one-valued columns in a question; the default is 2, or 1 beside items"},
    {.name = "query-items",
     .argument = "N",
     .help = "items in a question, up to 10; the default is 2 where there are item lists"},
    {.name = "query-file",
     .argument = "FILE",
     .help = "questions instead of drawn ones: a table with columns of the original, one a record"},
    {.name = "support",
     .argument = "SHARE",
     .help = "mining_loss: sets of items in so many of the records are frequent; the default is "
             "0.01"},
    {.name = "set-size",
     .argument = "N",
     .help = "mining_loss: items that a frequent set has at most; the default is 3"},
    {.name = "negative",
     .argument = "Q",
     .help = "tree records: draw attackers who also know Q values that a person does not have, and "
             "count what they find"},
    {.name = "k", .argument = "N", .help = "--negative: fewer records are too few; default 20"},
    {.name = "m", .argument = "N", .help = "--negative: values that they know; default 3"},
    {.name = "n", .argument = "N", .help = "--negative: relations that they know; default 2"},
    {.name = "job",
     .argument = "FILE",
     .help = "take columns, layout and hierarchies from a job file; options given here win"},
    {.name = "json", .help = "print the measures as JSON"},
};

static const cli_example examples[] = {
    {"What did this release lose?",
     "kanon measure patients.csv public.csv --schema patients.schema.json"},
    {"For a program.",
     "kanon measure patients.csv public.csv --id name --qi age,sex,postcode --hierarchies "
     "hierarchies/ --json"},
    {"Which frequent subtrees of these tree records are left, and what do attackers find who know "
     "two values that a person does not have?",
     "kanon measure clinic.trees public.trees --hierarchies hierarchies/ --support 0.01 --negative "
     "2"},
    {"How well do the baskets answer for pairs of items, and which frequent sets are left?",
     "kanon measure baskets.dat public.dat --hierarchy items=items.csv --queries 1000 --support "
     "0.02"},
};

typedef struct measuring {
    kn_dataset *original, *release, *population, *questions;
    kn_hierarchies *hierarchies;
    kn_measures *measures;
    kn_query_options ask;
    kn_query_error queries;
    kn_mining_options mine;
    kn_mining mining;
    bool asks, asked, mines; /* questions are put; the user wants them; sets are mined */
    kn_risk before, after;
    double threshold;
    bool trees, negates; /* tree records; --negative was given */
    kn_tree_mining subtrees;
    kn_negative negative;
    kn_guarantee attacker;
    size_t q;
    bool classes; /* of quasi-identifiers with one value a record: what risk is about */
} measuring;

typedef struct risk_row {
    const char *name;
    double before, after;
} risk_row;

enum { RISKS = 7, MOST_NAMES = 8 };

static void list_risks(const measuring *m, risk_row rows[RISKS])
{
    const kn_risk *b = &m->before, *a = &m->after;

    rows[0] = (risk_row){"prosecutor_risk", b->prosecutor_max, a->prosecutor_max};
    rows[1] = (risk_row){"prosecutor_mean", b->prosecutor_mean, a->prosecutor_mean};
    rows[2] = (risk_row){"journalist_risk", b->journalist_max, a->journalist_max};
    rows[3] = (risk_row){"journalist_mean", b->journalist_mean, a->journalist_mean};
    rows[4] = (risk_row){"marketer_risk", b->marketer, a->marketer};
    rows[5] = (risk_row){"at_risk_share", b->at_risk_share, a->at_risk_share};
    rows[6] = (risk_row){"unique_records", (double)b->unique, (double)a->unique};
}

/* The measures that have values by column, in order of appearance; returns how many. */
static size_t list_names(const measuring *m, const char *names[MOST_NAMES])
{
    size_t count = 0;

    for (size_t i = 0; i < kn_measures_count(m->measures); i++) {
        const kn_measurement *x = kn_measures_get(m->measures, i);
        bool known = !x->column;
        for (size_t j = 0; j < count && !known; j++) {
            known = strcmp(names[j], x->name) == 0;
        }
        if (!known && count < MOST_NAMES) {
            names[count++] = x->name;
        }
    }
    return count;
}

static void print_value(const char *name, double value)
{
    char number[32];

    cli_pad(stdout, name, 22);
    cli_pad(stdout, cli_format(value, number), -12);
    (void)putchar('\n');
}

/* What the frequent sets were, level by level. */
static void print_mining(const kn_mining *g)
{
    char number[2][32], level[32];

    (void)printf("\nfrequent sets of up to %zu item%s, in %zu record%s or more\n%-22s%12s%12s\n",
                 g->size, g->size == 1 ? "" : "s", g->least, g->least == 1 ? "" : "s", "level",
                 "original", "preserved");
    for (size_t i = 0; i < g->levels; i++) {
        (void)snprintf(level, sizeof level, i ? "%zu" : "%zu, the items", i);
        cli_pad(stdout, level, 22);
        cli_pad(stdout, cli_format((double)g->level[i].frequent, number[0]), -12);
        cli_pad(stdout, cli_format((double)g->level[i].preserved, number[1]), -12);
        (void)putchar('\n');
    }
    if (g->levels == 1) {
        (void)printf("there is no hierarchy with groups: the items are the only level\n");
    }
    if (g->bounded) {
        (void)printf("larger sets would have taken too long: give a higher --support for them\n");
    }
}

/* The measures of columns: MOST_NAMES for each, in the order of `names`; NULL: out of memory. */
static double *sort_values(const measuring *m, size_t columns, const char *const *names,
                           size_t count)
{
    double *values = calloc(columns * MOST_NAMES + 1, sizeof *values);

    for (size_t i = 0; values && i < columns * MOST_NAMES; i++) {
        values[i] = NAN;
    }
    for (size_t i = 0; values && i < kn_measures_count(m->measures); i++) {
        const kn_measurement *x = kn_measures_get(m->measures, i);
        const size_t at = x->column ? kn_dataset_find(m->original, x->column) : SIZE_MAX;
        for (size_t j = 0; at != SIZE_MAX && j < count; j++) {
            if (strcmp(x->name, names[j]) == 0) {
                values[at * MOST_NAMES + j] = x->value;
            }
        }
    }
    return values;
}

static void print_columns(const measuring *m, const char *const *names, size_t count,
                          const double *values)
{
    const size_t columns = kn_dataset_columns(m->original);
    int width = 22;

    for (size_t i = 0; i < columns; i++) {
        const int w = cli_width(kn_dataset_name(m->original, i)) + 2;
        width = w > width ? w : width;
    }
    if (count == 0) {
        return;
    }
    (void)putchar('\n');
    cli_pad(stdout, "by column", width);
    for (size_t j = 0; j < count; j++) {
        (void)printf("%12s", names[j]);
    }
    (void)putchar('\n');
    for (size_t i = 0; i < columns; i++) {
        const char *column = kn_dataset_name(m->original, i);
        if (kn_dataset_role(m->original, i) != KN_ROLE_QUASI) {
            continue;
        }
        cli_pad(stdout, column, width);
        for (size_t j = 0; j < count; j++) {
            char number[32];
            cli_pad(stdout, cli_format(values[i * MOST_NAMES + j], number), -12);
        }
        (void)putchar('\n');
    }
}

static void print_attackers(const char *who, const kn_negative_level *l)
{
    char number[3][32];

    (void)printf("%-22s%12s%12s%12zu%12zu%12s\n", who, cli_format(l->matching, number[0]),
                 cli_format(l->left, number[1]), l->least, l->below,
                 cli_format(l->breached, number[2]));
}

/* What is only said of tree records. */
static void print_trees(const measuring *m)
{
    print_value("ml2", m->subtrees.ml2);
    print_value("dml2", m->subtrees.dml2);
    (void)printf("\n%llu subtrees are frequent in the original, at all levels; %llu of them in the "
                 "release\n",
                 (unsigned long long)m->subtrees.frequent,
                 (unsigned long long)m->subtrees.preserved);
    if (m->negates) {
        (void)printf(
            "\n%zu attackers who know up to %zu value%s, %zu relation%s, and %zu value%s that "
            "the person does not have:\n%-22s%12s%12s%12s%12s%12s\n",
            m->negative.original.samples, m->attacker.m, m->attacker.m == 1 ? "" : "s",
            m->attacker.n, m->attacker.n == 1 ? "" : "s", m->q, m->q == 1 ? "" : "s",
            "values denied", "matching", "left", "least", "below k", "breached");
        print_attackers("of the original", &m->negative.original);
        print_attackers("generalised", &m->negative.generalised);
    }
}

static void print_words(const measuring *m, const char *const *names, size_t count,
                        const double *values)
{
    char number[2][32];
    risk_row risks[RISKS];

    for (size_t i = 0; i < kn_measures_count(m->measures); i++) {
        const kn_measurement *x = kn_measures_get(m->measures, i);
        if (!x->column) {
            print_value(x->name, x->value);
        }
    }
    if (m->trees) {
        print_trees(m);
        return;
    }
    if (m->asks) {
        print_value("query_error", m->queries.mean);
    }
    if (m->mines) {
        print_value("mining_loss", m->mining.loss);
    }
    print_columns(m, names, count, values);
    if (m->asks && m->queries.queries) {
        (void)printf("\n%zu question%s; the median of the errors is %s\n", m->queries.queries,
                     m->queries.queries == 1 ? "" : "s", cli_format(m->queries.median, number[0]));
    }
    if (m->mines) {
        print_mining(&m->mining);
    }
    if (!m->classes) {
        return;
    }
    list_risks(m, risks);
    (void)printf("\n%-22s%12s%12s\n", "risk", "before", "after");
    for (size_t i = 0; i < RISKS; i++) {
        cli_pad(stdout, risks[i].name, 22);
        cli_pad(stdout, cli_format(risks[i].before, number[0]), -12);
        cli_pad(stdout, cli_format(risks[i].after, number[1]), -12);
        (void)putchar('\n');
    }
}

static json_t *json_mining(const kn_mining *g)
{
    json_t *levels = json_array();

    for (size_t i = 0; i < g->levels; i++) {
        (void)json_array_append_new(levels, json_pack("{s:I, s:I}", "frequent",
                                                      (json_int_t)g->level[i].frequent, "preserved",
                                                      (json_int_t)g->level[i].preserved));
    }
    return json_pack("{s:I, s:I, s:b, s:o}", "least_records", (json_int_t)g->least, "set_size",
                     (json_int_t)g->size, "bounded", g->bounded, "levels", levels);
}

static json_t *json_attackers(const kn_negative_level *l)
{
    return json_pack("{s:I, s:o, s:o, s:I, s:I, s:o}", "attackers", (json_int_t)l->samples,
                     "matching", cli_json_number(l->matching), "left", cli_json_number(l->left),
                     "least", (json_int_t)l->least, "below_k", (json_int_t)l->below, "breached",
                     cli_json_number(l->breached));
}

static int print_json(const measuring *m)
{
    json_t *all, *whole = json_object(), *columns = json_object(), *before = json_object(),
                 *after = json_object();
    risk_row risks[RISKS];

    for (size_t i = 0; i < kn_measures_count(m->measures); i++) {
        const kn_measurement *x = kn_measures_get(m->measures, i);
        json_t *into = whole;
        if (x->column) {
            into = json_object_get(columns, x->name);
            if (!into) {
                into = json_object();
                (void)json_object_set_new(columns, x->name, into);
            }
        }
        (void)json_object_set_new(into, x->column ? x->column : x->name, cli_json_number(x->value));
    }
    if (m->asks) {
        (void)json_object_set_new(whole, "query_error", cli_json_number(m->queries.mean));
    }
    if (m->mines) {
        (void)json_object_set_new(whole, "mining_loss", cli_json_number(m->mining.loss));
    }
    if (m->trees) {
        (void)json_object_set_new(whole, "ml2", cli_json_number(m->subtrees.ml2));
        (void)json_object_set_new(whole, "dml2", cli_json_number(m->subtrees.dml2));
    }
    list_risks(m, risks);
    for (size_t i = 0; m->classes && i < RISKS; i++) {
        (void)json_object_set_new(before, risks[i].name, cli_json_number(risks[i].before));
        (void)json_object_set_new(after, risks[i].name, cli_json_number(risks[i].after));
    }
    all = json_pack("{s:o, s:o, s:{s:o, s:o}}", "utility", whole, "columns", columns, "risk",
                    "before", before, "after", after);
    if (m->asks) {
        (void)json_object_set_new(all, "queries",
                                  json_pack("{s:I, s:o, s:o}", "asked",
                                            (json_int_t)m->queries.queries, "mean",
                                            cli_json_number(m->queries.mean), "median",
                                            cli_json_number(m->queries.median)));
    }
    if (m->mines) {
        (void)json_object_set_new(all, "mining", json_mining(&m->mining));
    }
    if (m->trees) {
        (void)json_object_set_new(all, "subtrees",
                                  json_pack("{s:I, s:I}", "frequent",
                                            (json_int_t)m->subtrees.frequent, "preserved",
                                            (json_int_t)m->subtrees.preserved));
    }
    if (m->trees && m->negates) {
        (void)json_object_set_new(all, "negative",
                                  json_pack("{s:I, s:o, s:o}", "values", (json_int_t)m->q,
                                            "original", json_attackers(&m->negative.original),
                                            "generalised",
                                            json_attackers(&m->negative.generalised)));
    }
    return cli_json_print(all);
}

/* Item lists form no classes, but can be mined. */
static bool has_lists(const kn_dataset *ds)
{
    for (size_t i = 0; ds && i < kn_dataset_columns(ds); i++) {
        const kn_type type = kn_dataset_type(ds, i);
        if (kn_dataset_role(ds, i) == KN_ROLE_QUASI &&
            (type == KN_TYPE_SET || type == KN_TYPE_BAG || type == KN_TYPE_NUMBERS)) {
            return true;
        }
    }
    return false;
}

static kn_status measure_trees(const cli_call *call, measuring *m, kn_error *err)
{
    kn_status st = kn_tree_mining_measure(&m->subtrees, m->original, m->release, m->hierarchies,
                                          m->mine.support, &call->run, err);

    if (st == KN_OK && m->negates) {
        st = kn_negative_measure(&m->negative, m->original, m->release, m->hierarchies,
                                 &m->attacker, m->q, &call->run, err);
    }
    m->asks = m->mines = false;
    return st;
}

/* Questions and frequent sets. What the user did not ask for is left out where the table does not
 * allow it: no record may have two items. */
static kn_status measure_uses(const cli_call *call, measuring *m, kn_error *err)
{
    const char *questions = cli_value(call, "query-file");
    kn_status st = KN_OK;

    if (m->trees) {
        return measure_trees(call, m, err);
    }
    if (questions) {
        st = kn_job_table(&m->questions, call->job, questions, KN_TABLE_QUESTIONS, false,
                          &call->run, err);
        m->ask.workload = m->questions;
    }
    if (st == KN_OK && m->asks) {
        st = kn_query_error_measure(&m->queries, m->original, m->release, m->hierarchies, &m->ask,
                                    &call->run, err);
        if (st == KN_EUSAGE && !m->asked) {
            st = KN_OK;
        }
    }
    m->mines = m->mines || has_lists(m->original);
    if (st == KN_OK && m->mines) {
        st = kn_mining_measure(&m->mining, m->original, m->release, m->hierarchies, &m->mine,
                               &call->run, err);
    }
    return st;
}

static kn_status measure(const cli_call *call, measuring *m, kn_error *err)
{
    const char *population = cli_value(call, "population");
    kn_status status;

    CLI_TRY(cli_read(call, call->arguments[0], KN_TABLE_ORIGINAL, &m->original, err));
    CLI_TRY(cli_read(call, call->arguments[1], KN_TABLE_RELEASE, &m->release, err));
    if (population) {
        CLI_TRY(cli_read(call, population, KN_TABLE_RELEASE, &m->population, err));
    }
    CLI_TRY(kn_job_hierarchies(&m->hierarchies, call->job, m->original, err));
    CLI_TRY(
        kn_measure(&m->measures, m->original, m->release, NULL, m->hierarchies, &call->run, err));
    m->trees = kn_dataset_has_trees(m->original);
    CLI_TRY(measure_uses(call, m, err));
    m->classes = !has_lists(m->original);
    if (m->classes) {
        CLI_TRY(kn_risk_measure(&m->before, m->original, NULL, m->threshold, &call->run, err));
        CLI_TRY(
            kn_risk_measure(&m->after, m->release, m->population, m->threshold, &call->run, err));
    }
done:
    return status;
}

/* A share that is left alone when it is not given. 0 or the exit code. */
static int share(const cli_call *call, const char *name, double *out)
{
    const int code = cli_number(call, name, out);

    if (code == 0 && !(*out >= 0 && *out <= 1)) {
        return cli_usage("--%s: give a share from 0 to 1", name);
    }
    return code;
}

static int read_options(const cli_call *call, measuring *m)
{
    static const char *const own[] = {"queries", "query-values", "query-items"};
    int code = share(call, "threshold", &m->threshold);

    code = code ? code : share(call, "support", &m->mine.support);
    code = code ? code : cli_count(call, "set-size", 1, &m->mine.items);
    code = code ? code : cli_count(call, "queries", 0, &m->ask.queries);
    code = code ? code : cli_count(call, "query-values", 0, &m->ask.values);
    code = code ? code : cli_count(call, "query-items", 0, &m->ask.items);
    code = code ? code : cli_count(call, "negative", 1, &m->q);
    code = code ? code : cli_count(call, "k", 1, &m->attacker.k);
    code = code ? code : cli_count(call, "m", 1, &m->attacker.m);
    code = code ? code : cli_count(call, "n", 0, &m->attacker.n);
    m->negates = cli_value(call, "negative") != NULL;
    if (code) {
        return code;
    }
    m->mines = cli_value(call, "support") || cli_value(call, "set-size");
    m->asks = m->ask.queries > 0;
    m->asked = cli_value(call, "query-file") != NULL;
    for (size_t i = 0; i < CLI_COUNT(own); i++) {
        if (cli_value(call, own[i]) && cli_value(call, "query-file")) {
            return cli_usage("--%s says how questions are drawn, and --query-file gives them: "
                             "leave one out",
                             own[i]);
        }
        m->asked = m->asked || cli_value(call, own[i]);
    }
    if (cli_value(call, "support") && m->mine.support == 0) {
        return cli_usage("--support: give a share above 0");
    }
    if (cli_value(call, "query-values") && cli_value(call, "query-items") &&
        m->ask.values + m->ask.items == 0) {
        return cli_usage("--query-values and --query-items are 0: a question needs a value or an "
                         "item");
    }
    if (!m->asks && (m->ask.values || m->ask.items)) {
        return cli_usage("--queries 0 asks nothing: leave out --query-values and --query-items");
    }
    return 0;
}

static int run(cli_call *call)
{
    measuring m = {.threshold = 0.2,
                   .ask.queries = 100,
                   .attacker = {.size = sizeof(kn_guarantee), .k = 20, .m = 3, .n = 2}};
    kn_error err = {0};
    kn_status st;
    int code = read_options(call, &m);

    if (code) {
        return code;
    }
    if (strcmp(call->arguments[0], "-") == 0 && strcmp(call->arguments[1], "-") == 0) {
        return cli_usage("measure: standard input can be one of the two files only; name the "
                         "other one");
    }
    st = measure(call, &m, &err);
    cli_progress_end();
    if (st != KN_OK) {
        code = cli_fail(&err);
    } else if (call->json) {
        code = print_json(&m);
    } else {
        const char *names[MOST_NAMES];
        const size_t count = list_names(&m, names);
        double *values = sort_values(&m, kn_dataset_columns(m.original), names, count);
        if (values) {
            print_words(&m, names, count, values);
        } else {
            err = (kn_error){.status = KN_ENOMEM, .message = "out of memory"};
            code = cli_fail(&err);
        }
        free(values);
    }
    kn_mining_clear(&m.mining);
    kn_measures_free(m.measures);
    kn_hierarchies_free(m.hierarchies);
    kn_dataset_free(m.questions);
    kn_dataset_free(m.population);
    kn_dataset_free(m.release);
    kn_dataset_free(m.original);
    return code;
}

const cli_command cmd_measure = {
    .name = "measure",
    .arguments = "ORIGINAL RELEASE [options]",
    .summary = "information loss, query error and risk of a release",
    .about =
        "Compares RELEASE with the ORIGINAL that it was made from. Both are read with the same "
        "columns and layout; the roles say what is measured. docs/measures.md defines each "
        "measure.",
    .groups = KN_GROUP_COLUMNS | KN_GROUP_LAYOUT | KN_GROUP_HIERARCHIES | KN_GROUP_SEED |
              KN_GROUP_RUN,
    CLI_OPTIONS(options),
    .common = "schema|qi|hierarchies|population|queries|json",
    CLI_EXAMPLES(examples),
    .least = 2,
    .most = 2,
    .run = run,
};
