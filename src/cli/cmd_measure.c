/* cmd_measure.c - kanon measure: what a release lost, and what risk is left. */
#include "cli/cli.h"
#include "cli/json.h"

#include <string.h>

static const cli_option options[] = {
    {.name = "population",
     .argument = "FILE",
     .help = "the table that a journalist could look people up in, generalised like the release"},
    {.name = "threshold",
     .argument = "SHARE",
     .help = "records with a risk above it count as at risk; the default is 0.2"},
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
};

typedef struct measuring {
    kn_dataset *original, *release, *population;
    kn_hierarchies *hierarchies;
    kn_measures *measures;
    kn_risk before, after;
    double threshold;
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

static void print_columns(const measuring *m)
{
    const char *names[MOST_NAMES];
    const size_t count = list_names(m, names), columns = kn_dataset_columns(m->original);
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
            cli_pad(stdout, cli_format(kn_measures_value(m->measures, names[j], column), number),
                    -12);
        }
        (void)putchar('\n');
    }
}

static void print_words(const measuring *m)
{
    char number[2][32];
    risk_row risks[RISKS];

    for (size_t i = 0; i < kn_measures_count(m->measures); i++) {
        const kn_measurement *x = kn_measures_get(m->measures, i);
        if (!x->column) {
            cli_pad(stdout, x->name, 22);
            cli_pad(stdout, cli_format(x->value, number[0]), -12);
            (void)putchar('\n');
        }
    }
    print_columns(m);
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

static int print_json(const measuring *m)
{
    json_t *whole = json_object(), *columns = json_object(), *before = json_object(),
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
    list_risks(m, risks);
    for (size_t i = 0; m->classes && i < RISKS; i++) {
        (void)json_object_set_new(before, risks[i].name, cli_json_number(risks[i].before));
        (void)json_object_set_new(after, risks[i].name, cli_json_number(risks[i].after));
    }
    return cli_json_print(json_pack("{s:o, s:o, s:{s:o, s:o}}", "utility", whole, "columns",
                                    columns, "risk", "before", before, "after", after));
}

/* Item lists form no classes. */
static bool has_classes(const kn_dataset *ds)
{
    for (size_t i = 0; ds && i < kn_dataset_columns(ds); i++) {
        const kn_type type = kn_dataset_type(ds, i);
        if (kn_dataset_role(ds, i) == KN_ROLE_QUASI &&
            (type == KN_TYPE_SET || type == KN_TYPE_BAG || type == KN_TYPE_NUMBERS)) {
            return false;
        }
    }
    return true;
}

static kn_status measure(const cli_call *call, measuring *m, kn_error *err)
{
    const char *population = cli_value(call, "population");
    kn_status st = kn_job_table(call->job, call->arguments[0], KN_TABLE_ORIGINAL, false, &call->run,
                                &m->original, err);

    if (st == KN_OK) {
        st = kn_job_table(call->job, call->arguments[1], KN_TABLE_RELEASE, false, &call->run,
                          &m->release, err);
    }
    if (st == KN_OK && population) {
        st = kn_job_table(call->job, population, KN_TABLE_RELEASE, false, &call->run,
                          &m->population, err);
    }
    if (st == KN_OK) {
        st = kn_job_hierarchies(call->job, m->original, &m->hierarchies, err);
    }
    if (st == KN_OK) {
        st = kn_measure(&m->measures, m->original, m->release, NULL, m->hierarchies, &call->run,
                        err);
    }
    m->classes = has_classes(m->original);
    if (st == KN_OK && m->classes) {
        st = kn_risk_measure(&m->before, m->original, NULL, m->threshold, &call->run, err);
    }
    if (st == KN_OK && m->classes) {
        st = kn_risk_measure(&m->after, m->release, m->population, m->threshold, &call->run, err);
    }
    return st;
}

static int run(cli_call *call)
{
    measuring m = {.threshold = 0.2};
    kn_error err = {0};
    kn_status st;
    int code = cli_number(call, "threshold", &m.threshold);

    if (code) {
        return code;
    }
    if (m.threshold < 0 || m.threshold > 1) {
        return cli_usage("--threshold: give a share from 0 to 1");
    }
    st = measure(call, &m, &err);
    cli_progress_end();
    if (st != KN_OK) {
        code = cli_fail(&err);
    } else if (call->json) {
        code = print_json(&m);
    } else {
        print_words(&m);
    }
    kn_measures_free(m.measures);
    kn_hierarchies_free(m.hierarchies);
    kn_dataset_free(m.population);
    kn_dataset_free(m.release);
    kn_dataset_free(m.original);
    return code;
}

const cli_command cmd_measure = {
    .name = "measure",
    .arguments = "ORIGINAL RELEASE [options]",
    .summary = "information loss and risk of a release",
    .about =
        "Compares RELEASE with the ORIGINAL that it was made from. Both are read with the same "
        "columns and layout; the roles say what is measured. docs/measures.md defines each "
        "measure.",
    .groups = KN_GROUP_COLUMNS | KN_GROUP_LAYOUT | KN_GROUP_HIERARCHIES | KN_GROUP_RUN,
    CLI_OPTIONS(options),
    CLI_EXAMPLES(examples),
    .least = 2,
    .most = 2,
    .run = run,
};
