/* cmd_mine.c - kanon mine: models that keep people anonymous, and the verdict on models of others.
 */
#include "cli/cli.h"

#include <stdlib.h>
#include <string.h>

static const cli_option options[] = {
    {.name = "output",
     .letter = 'o',
     .argument = "FILE",
     .repeats = true,
     .help =
         "where to write the model: .json, .pmml, .dot, .sql, .txt or, of rules, .csv; - is JSON to standard "
         "output; may be given several times"},
    {.name = "check",
     .help = "mine nothing: judge the model that is the first argument against the data that is "
             "the second; exit 0 it keeps k-anonymity, 1 it does not, 4 it cannot be told"},
    {.name = "ignore-counts",
     .help = "--check: judge a model although counts or other figures that it states are not those "
             "of the data"},
    {.name = "ignore-extensions",
     .help = "--check: judge a model although its file holds what no verdict covers, such as "
             "Extension elements of PMML"},
    {.name = "records",
     .argument = "N",
     .help = "--check of rules without data: they are of N records; the default is what they say"},
    {.name = "limit", .argument = "N", .help = "--check: list at most N spans; the default is 10"},
    {.name = "rows",
     .argument = "N",
     .help = "--check: list at most N rows of each; the default is 10"},
    {.name = "report",
     .argument = "FILE",
     .repeats = true,
     .help = "write a report: .json for programs, .html for people; may be given several times"},
    {.name = "job",
     .argument = "FILE",
     .help = "take columns, layout and hierarchies from a job file; options given here win"},
    {.name = "json", .help = "print what was found as JSON"},
};

static const cli_example examples[] = {
    {"A tree that predicts income, and reveals nothing about fewer than ten.",
     "kanon mine tree people.csv --qi age,sex,job --class income --k 10 -o tree.json"},
    {"The same for other tools, and as a picture.",
     "kanon mine tree people.csv --qi age,sex,job --class income --k 10 -o tree.pmml -o tree.dot"},
    {"Does a tree that was trained elsewhere give anybody away?",
     "kanon mine --check tree.pmml people.csv --qi age,sex,job --sensitive income --k 10"},
    {"What goes with what in baskets, with medicines kept private.",
     "kanon mine rules baskets.dat --sensitive-items aspirin,insulin --k 20 -o rules.json"},
    {"May rules be published, by their supports and confidences alone?",
     "kanon mine --check rules.csv --records 1000 --sensitive-items aspirin --k 30"},
};

typedef struct mining {
    cli_call *call;
    kn_dataset *ds;
    kn_hierarchies *hierarchies;
    kn_model *model;
    kn_model_verdict *verdict;
    kn_mine_options options;
    kn_params *params;
    kn_clusters_quality quality;
    kn_model_limits limits;
    kn_point_options points; /* limits.points */
    const char *paths[CLI_MOST_VALUES], *reports[CLI_MOST_VALUES + 1];
    kn_model_output files;
    FILE *out;    /* for words */
    bool printed; /* with the reports */
} mining;

/* ---- options ---- */

static const kn_param *find_param(const kn_entry *entry, const char *name)
{
    for (size_t i = 0; i < entry->params_count; i++) {
        if (strcmp(entry->params[i].name, name) == 0) {
            return &entry->params[i];
        }
    }
    return NULL;
}

/* Parameters of another kind of model are a mistake. */
static int refuse_others(const cli_call *call, const kn_entry *entry)
{
    size_t count;
    const kn_entry *const *entries = kn_catalog(KN_ENTRY_MODEL, &count);

    for (size_t i = 0; i < count; i++) {
        for (size_t p = 0; p < entries[i]->params_count; p++) {
            const char *name = entries[i]->params[p].name;
            if (cli_value(call, name) && !find_param(entry, name)) {
                return cli_usage("--%s belongs to 'kanon mine %s', not to '%s'", name,
                                 entries[i]->name, entry->name);
            }
        }
    }
    return 0;
}

/* A number of the catalogue; its default when it is not given. */
static int param_number(const cli_call *call, const kn_entry *entry, const char *name, double *out)
{
    const kn_param *p = find_param(entry, name);
    char low[32], high[32];
    int code;

    if (!p) {
        return 0;
    }
    *out = p->required ? 0 : p->standard;
    code = cli_number(call, name, out);
    if (code || !cli_value(call, name)) {
        return code;
    }
    if (p->kind == KN_PARAM_COUNT &&
        strspn(cli_value(call, name), "0123456789") != strlen(cli_value(call, name))) {
        return cli_usage("--%s: '%.60s' is not a whole number", name, cli_value(call, name));
    }
    if (*out < p->min || *out > p->max) {
        return cli_usage("--%s: %.60s is out of range: give %s..%s", name, cli_value(call, name),
                         cli_format(p->min, low), cli_format(p->max, high));
    }
    return 0;
}

static bool chosen(const cli_call *call, const char *name, const char *value)
{
    return cli_value(call, name) && strcmp(cli_value(call, name), value) == 0;
}

static int read_limits(mining *m, const kn_entry *entry)
{
    const cli_call *call = m->call;
    double k = 0;
    int code = param_number(call, entry, "k", &k);

    code = code ? code : param_number(call, entry, "l", &m->limits.l);
    code = code ? code : param_number(call, entry, "inference", &m->limits.inference);
    if (!code && cli_value(call, "inference") && m->limits.inference == 0) {
        return cli_usage("--inference: 0 cannot be kept, as a guess is sometimes right: give "
                         "a number above 0, to 1");
    }
    if (!code && cli_value(call, "diversity") && !cli_value(call, "l")) {
        return cli_usage("--diversity says how --l is counted; give --l");
    }
    m->limits.k = (uint64_t)k;
    m->limits.distinct_l = chosen(call, "diversity", "distinct");
    m->limits.ignore_counts = cli_flag(call, "ignore-counts");
    m->limits.ignore_extensions = cli_flag(call, "ignore-extensions");
    code = code ? code : cli_count(call, "limit", 1, &m->limits.spans);
    return code ? code : cli_count(call, "rows", 1, &m->limits.rows);
}

/* What is peculiar to the kind of model. */
static int read_params(mining *m, const kn_entry *entry)
{
    kn_error err = {0};
    kn_status st = kn_params_new(&m->params, KN_ENTRY_MODEL, entry->name, &err);

    for (size_t i = 0; i < entry->params_count && st == KN_OK; i++) {
        const kn_param *p = &entry->params[i];
        const char *value = cli_value(m->call, p->name);
        if (value && !p->typed) {
            st = kn_params_parse(m->params, p->name, value, &err);
        }
    }
    return st == KN_OK ? 0 : cli_fail(&err);
}

static int read_options(mining *m, const kn_entry *entry)
{
    kn_mine_options *o = &m->options;
    int code = refuse_others(m->call, entry);

    code = code ? code : read_limits(m, entry);
    code = code ? code : read_params(m, entry);
    if (code) {
        return code;
    }
    if (m->limits.k == 0) {
        return cli_usage("how many people must a model tell of at least? Give --k; 1 is a plain "
                         "model");
    }
    o->k = m->limits.k;
    o->l = m->limits.l;
    o->distinct_l = m->limits.distinct_l;
    o->inference = m->limits.inference;
    o->params = m->params;
    /* What clusters cost is looked for only where it is shown. */
    if (m->call->json || !m->call->quiet || m->files.reports_count > 0) {
        o->quality = &m->quality;
    }
    m->files.quality = &m->quality;
    return 0;
}

/* ---- the result ---- */

static int print_json(const mining *m)
{
    char *text = NULL;
    kn_error err = {0};
    const kn_status st = kn_model_report(&text, m->model, m->verdict, false, &err);

    if (st != KN_OK) {
        return cli_fail(&err);
    }
    (void)fputs(text, stdout);
    kn_string_free(text);
    return 0;
}

static kn_status say(const mining *m, FILE *out, bool published, kn_error *err)
{
    const kn_status st = cli_say_verdict(out, m->model, m->verdict, &m->limits, &m->quality, err);

    for (size_t i = 0; st == KN_OK && published && i < m->files.reports_count; i++) {
        (void)fprintf(out, "report: %s\n", m->files.reports[i]);
    }
    return st;
}

static int print(const mining *m, bool published)
{
    kn_error err = {0};

    if (m->call->json) {
        return published ? 0 : print_json(m); /* it was published with the other files */
    }
    if (m->call->quiet || (published && m->printed)) {
        return 0;
    }
    return say(m, m->out, published, &err) == KN_OK ? 0 : cli_fail(&err);
}

/* ---- running ---- */

static kn_status read_table(mining *m, const char *path, kn_error *err)
{
    kn_status st = cli_read(m->call, path, KN_TABLE_ORIGINAL, &m->ds, err);

    return st == KN_OK ? kn_job_hierarchies(&m->hierarchies, m->call->job, m->ds, err) : st;
}

/* The class is private unless it is said to be public. */
static kn_status find_class(mining *m, const char *name, kn_error *err)
{
    const size_t at = name ? kn_dataset_find(m->ds, name) : SIZE_MAX;
    char *columns = NULL;

    if (name && at == SIZE_MAX) {
        const kn_status st = kn_dataset_describe_columns(&columns, m->ds, name, err);
        if (st == KN_OK) {
            err->status = KN_EUSAGE;
            (void)snprintf(err->message, sizeof err->message,
                           "the class '%.100s' is no column of the data; %.800s", name, columns);
            kn_string_free(columns);
        }
        return st == KN_OK ? KN_EUSAGE : st;
    }
    if (at != SIZE_MAX && (kn_dataset_role(m->ds, at) == KN_ROLE_KEPT ||
                           kn_dataset_role(m->ds, at) == KN_ROLE_UNSET)) {
        (void)kn_dataset_set_role(m->ds, at, KN_ROLE_SENSITIVE, NULL);
    }
    return KN_OK;
}

static kn_status mine(mining *m, kn_error *err)
{
    kn_status st = read_table(m, m->call->arguments[1], err);

    if (st == KN_OK) {
        st = find_class(m, cli_value(m->call, "class"), err);
    }
    if (st == KN_OK) {
        st = kn_mine(&m->model, m->ds, m->hierarchies, &m->options, &m->call->run, err);
    }
    return st == KN_OK ? kn_model_publish(&m->verdict, m->model, m->ds, m->hierarchies, &m->limits,
                                          &m->files, &m->call->run, err)
                       : st;
}

/* What is said of the model that was judged, as text, which is freed with free. */
static kn_status words_of(const mining *m, char **text, kn_error *err)
{
    size_t len;
    FILE *out = open_memstream(text, &len);
    kn_status st = KN_ENOMEM;
    bool whole;

    if (out) {
        st = say(m, out, true, err);
        whole = !ferror(out);
        whole = fclose(out) == 0 && *text && whole; /* glibc closes with 0 where it has no text */
        st = st == KN_OK && !whole ? KN_ENOMEM : st;
    }
    if (st == KN_ENOMEM) {
        err->status = KN_ENOMEM;
        (void)snprintf(err->message, sizeof err->message, "out of memory");
    }
    return st;
}

/* The reports on a model that was judged, and its words: all that a call writes appears, or
 * nothing. */
static kn_status write_reports(mining *m, kn_error *err)
{
    char *text = NULL;
    kn_status st = KN_OK;

    m->printed = m->files.reports_count > 0;
    if (!m->printed || m->call->json || m->call->quiet) {
        return kn_model_report_write(m->model, m->verdict, m->files.reports, m->files.reports_count,
                                     err);
    }
    st = words_of(m, &text, err);
    if (st == KN_OK) {
        st = kn_model_report_write_and_print(m->model, m->verdict, m->files.reports,
                                             m->files.reports_count, text, err);
    }
    free(text);
    return st;
}

static kn_status check(mining *m, kn_error *err)
{
    kn_status st = kn_model_read(&m->model, m->call->arguments[0], err);

    if (st == KN_OK && m->limits.k == 0) {
        const kn_model_limits promised = kn_model_promised(m->model);
        m->limits.k = promised.k;
        if (m->limits.l == 0) {
            m->limits.l = promised.l;
        }
        if (m->limits.inference == 0) {
            m->limits.inference = promised.inference;
        }
    }
    if (st == KN_OK && m->limits.k == 0) {
        err->status = KN_EUSAGE;
        (void)snprintf(err->message, sizeof err->message,
                       "the model does not say what it keeps: give --k");
        return KN_EUSAGE;
    }
    if (st == KN_OK) {
        st = read_table(m, m->call->arguments[1], err);
    }
    if (st == KN_OK) {
        st = kn_model_check(&m->verdict, m->model, m->ds, m->hierarchies, &m->limits, &m->call->run,
                            err);
    }
    if (st == KN_OK) {
        st = kn_model_verdict_set_heading(m->verdict, m->files.title, m->files.note, m->files.date,
                                          err);
    }
    return st == KN_OK ? write_reports(m, err) : st;
}

static int unknown_kind(const char *word)
{
    static const char *const kinds[] = {"tree", "clusters", "rules"};
    const char *near = kn_nearest(word, kinds, CLI_COUNT(kinds));

    return near
               ? cli_usage("kanon mine: there is no '%.60s'; did you mean '%s'?", word, near)
               : cli_usage("kanon mine: there is no '%.60s'; choose tree, clusters or rules", word);
}

static int prepare(mining *m, bool checks)
{
    size_t count;
    const kn_entry *const *entries = kn_catalog(KN_ENTRY_MODEL, &count);
    const char *word = m->call->arguments[0];

    if (checks) {
        if (m->files.count) {
            return cli_usage("--check judges a model and writes none; leave -o out, or give "
                             "--report");
        }
        return read_limits(m, entries[0]);
    }
    for (size_t i = 0; i < count; i++) {
        if (strcmp(entries[i]->name, word) == 0) {
            m->options.kind = (kn_model_kind)i;
            if (i == KN_MODEL_TREE && !cli_value(m->call, "class")) {
                return cli_usage("a tree predicts a class: name its column with --class");
            }
            if (m->files.count == 0) {
                return cli_usage("name the model: -o tree.json; the name says how it is written");
            }
            return read_options(m, entries[i]);
        }
    }
    return unknown_kind(word);
}

/* What is read is the last argument, and with --check the model before it. */
static kn_status refuse_overwriting(const mining *m, bool checks, kn_error *err)
{
    const char *written[2 * CLI_MOST_VALUES + 1];
    const size_t first = checks ? 0 : 1;
    size_t count = 0;

    for (size_t i = 0; i < m->files.count; i++) {
        written[count++] = m->paths[i];
    }
    for (size_t i = 0; i < m->files.reports_count; i++) {
        written[count++] = m->reports[i];
    }
    return kn_job_refuse_overwriting(m->call->job, m->call->arguments + first,
                                     m->call->arguments_count - first, written, count, err);
}

/* The model states figures of other data: neither holds nor broken. */
static bool is_unknown(const kn_model_verdict *v)
{
    return !kn_model_verdict_holds(v) && kn_model_verdict_figures(v)->broken == 0;
}

/* The options are read: mine or judge, and print. */
static int answer(mining *m, bool checks)
{
    cli_call *call = m->call;
    kn_error err = {0};
    kn_status st;
    int code = prepare(m, checks);

    if (code) {
        return code;
    }
    if (!checks && (m->limits.ignore_counts || m->limits.ignore_extensions)) {
        return cli_usage("--ignore-counts and --ignore-extensions belong to --check");
    }
    if (checks && call->arguments_count < 2) {
        return m->limits.ignore_counts || m->limits.ignore_extensions
                   ? cli_usage("--ignore-counts and --ignore-extensions need the data: name it "
                               "behind the model")
                   : cli_check_stated(call, m->limits.k);
    }
    if (cli_value(call, "records")) {
        return cli_usage("--records belongs to --check of rules without data");
    }
    m->limits.points = &m->points;
    st = kn_job_points(&m->points, call->job, true, &err);
    if (st == KN_OK) {
        st = refuse_overwriting(m, checks, &err);
    }
    if (st == KN_OK) {
        st = checks ? check(m, &err) : mine(m, &err);
    }
    cli_progress_end();
    /* Also when --strict withheld the model: the points are what the user needs then. */
    code = m->verdict && (st == KN_OK || (st == KN_EBROKEN && m->points.strict))
               ? print(m, st == KN_OK)
               : 0;
    if (st != KN_OK) {
        return cli_fail(&err);
    }
    if (code == 0) {
        code = is_unknown(m->verdict)
                   ? kn_status_exit_code(KN_EINFEASIBLE)
                   : cli_verdict_code(kn_model_verdict_points(m->verdict), &m->points);
    }
    return code;
}

static int run(cli_call *call)
{
    const bool checks = cli_flag(call, "check");
    mining m = {.call = call};
    char date[16];
    int code;

    m.files = (kn_model_output){.paths = m.paths,
                                .reports = m.reports,
                                .title = kn_job_get(call->job, "title", 0),
                                .note = kn_job_get(call->job, "note", 0),
                                .date = kn_job_date(call->job, date, sizeof date)};
    m.files.count = cli_values(call, "output", m.paths);
    m.files.reports_count = cli_values(call, "report", m.reports);
    if (call->json) {
        m.reports[m.files.reports_count++] = "-"; /* all that a call writes appears, or nothing */
    }
    m.out = checks ? stdout : stderr;
    for (size_t i = 0; i < m.files.count; i++) {
        if (call->json && strcmp(m.paths[i], "-") == 0) {
            return cli_usage(
                "--json and -o - both write to standard output; choose a file for one");
        }
    }
    if (!checks && call->arguments_count < 2) {
        return cli_usage("kanon mine %.60s: name the data to mine", call->arguments[0]);
    }
    code = answer(&m, checks);
    kn_job_points_free(&m.points);
    kn_model_verdict_free(m.verdict);
    kn_model_free(m.model);
    kn_params_free(m.params);
    kn_hierarchies_free(m.hierarchies);
    kn_dataset_free(m.ds);
    return code;
}

const cli_command cmd_mine = {
    .name = "mine",
    .arguments = "tree|clusters|rules INPUT -o MODEL [options], or --check MODEL [DATA]",
    .summary = "models that keep people anonymous, and the verdict on models of others",
    .about =
        "Mines a decision tree, clusters or association rules from INPUT so that an attacker who knows "
        "the public columns (--qi) cannot link fewer than k people to private values (--sensitive) "
        "through the model, with the counts in its leaves, clusters and rules. Columns without a "
        "role are not used, and identifiers never.\n"
        "The model is written to a temporary file, read back, judged by code that knows nothing of "
        "the mining, and only then put into place.\n"
        "With --check the first argument is a model, mined here or elsewhere (JSON of kanon, PMML, "
        "rules as CSV), and the second the data that it was made from. The spans, groups of people "
        "that an attacker can tell apart, that break what is asked are listed, the smallest first, "
        "with the numbers of their rows. Rules may be judged without the data too, by their supports "
        "and confidences and the number of records.\n"
        "All counts that a model states are taken for known to an attacker, and those that are not "
        "the data's own leave no verdict (--ignore-counts). A file with Extension elements, "
        "comments or other content that is no part of the model is refused by name "
        "(--ignore-extensions).\n"
        "A verdict that holds may have points to settle, such as a private value that can be inferred "
        "with near certainty; with --strict the exit code is 1 then, and no file is written.\n"
        "Exit codes: 0 done, or it holds; 1 it does not; 2 wrong usage, 3 bad input, 4 cannot be "
        "met, or cannot be told, 5 disk, memory or system, 130 interrupted.",
    .groups = KN_GROUP_COLUMNS | KN_GROUP_LAYOUT | KN_GROUP_HIERARCHIES | KN_GROUP_POINTS |
              KN_GROUP_HEADING | KN_GROUP_SEED | KN_GROUP_RUN,
    CLI_OPTIONS(options),
    .models = true,
    .words = "tree|clusters|rules",
    .common = "output|check|class|clusters|k|qi|sensitive|report",
    .writes = "output|report",
    CLI_EXAMPLES(examples),
    .least = 1,
    .most = 2,
    .run = run,
};
