/* cmd_check.c - kanon check: does a file satisfy a guarantee? */
#include "cli/cli.h"
#include "cli/json.h"

static const cli_option options[] = {
    {.name = "limit",
     .argument = "N",
     .help = "list at most N offending classes; the default is 10"},
    {.name = "job",
     .argument = "FILE",
     .help = "take columns, layout and guarantees from a job file; options given here win"},
    {.name = "json", .help = "print the verdict as JSON"},
};

static const cli_example examples[] = {
    {"Is this file 5-anonymous over age, sex and postcode?",
     "kanon check public.csv --qi age,sex,postcode --k 5"},
    {"The three worst classes, for a program.",
     "kanon check public.csv --qi age,sex --sensitive diagnosis --guarantee l-diversity --l 3 "
     "--limit 3 --json"},
};

typedef struct checking {
    kn_dataset *ds;
    kn_hierarchies *hierarchies;
    kn_guarantee *guarantees;
    size_t count, limit;
    kn_verdict *verdict;
} checking;

static const char *letter_of(const kn_guarantee *g)
{
    return g->kind == KN_K_ANONYMITY      ? "k"
           : g->kind == KN_T_CLOSENESS    ? "t"
           : g->diversity == KN_RECURSIVE ? "c"
                                          : "l";
}

static double asked(const kn_guarantee *g)
{
    return g->kind == KN_K_ANONYMITY      ? (double)g->k
           : g->kind == KN_T_CLOSENESS    ? g->t
           : g->diversity == KN_RECURSIVE ? g->c
                                          : g->l;
}

static const char *variant(const kn_guarantee *g)
{
    static const char *const diversities[] = {"distinct", "entropy", "recursive"};
    static const char *const distances[] = {"equal", "ordered", "hierarchical"};

    return g->kind == KN_L_DIVERSITY   ? diversities[g->diversity]
           : g->kind == KN_T_CLOSENESS ? distances[g->distance]
                                       : "";
}

static const kn_guarantee *guarantee_of(const checking *c, const kn_violation *v)
{
    for (size_t i = 0; i < c->count; i++) {
        if (c->guarantees[i].kind == v->kind) {
            return &c->guarantees[i];
        }
    }
    return &c->guarantees[0];
}

/* ---- for people ---- */

static void print_class(const checking *c, const kn_violation *v)
{
    char number[32], value[96];
    const kn_guarantee *g = guarantee_of(c, v);
    bool first = true;

    (void)snprintf(value, sizeof value, "%s = %s", letter_of(g), cli_format(v->value, number));
    (void)printf("%9zu  ", v->size);
    cli_pad(stdout, value, 14);
    for (size_t i = 0; i < kn_dataset_columns(c->ds); i++) {
        if (kn_dataset_role(c->ds, i) == KN_ROLE_QUASI) {
            size_t len;
            const char *text = kn_dataset_value(c->ds, i, kn_dataset_code(c->ds, i, v->record),
                                                &len);
            (void)fputs(first ? "  " : ", ", stdout);
            cli_print_plain(stdout, kn_dataset_name(c->ds, i), SIZE_MAX);
            (void)putchar('=');
            cli_print_plain(stdout, text, len);
            first = false;
        }
    }
    if (v->sensitive) {
        (void)printf("  (%s)", v->sensitive);
    }
    (void)putchar('\n');
}

static void print_words(const checking *c, const char *path)
{
    const size_t violations = kn_verdict_violations(c->verdict);
    const size_t kept = kn_verdict_violations_kept(c->verdict);
    const size_t shown = c->limit < kept ? c->limit : kept;
    char number[2][32];

    for (size_t i = 0; i < c->count; i++) {
        const kn_guarantee *g = &c->guarantees[i];
        const char *letter = letter_of(g);
        (void)printf("%s%s%s: asked %s = %s, achieved %s = %s\n", kn_guarantee_name(g->kind),
                     *variant(g) ? ", " : "", variant(g), letter, cli_format(asked(g), number[0]),
                     letter, cli_format(kn_verdict_achieved(c->verdict, i), number[1]));
    }
    (void)printf("%s: %s (records: %zu, classes: %zu)\n", path,
                 kn_verdict_holds(c->verdict) ? "holds" : "does not hold",
                 kn_dataset_records(c->ds), kn_verdict_classes(c->verdict));
    if (violations) {
        (void)printf("\n%zu violation%s in classes with %zu records; the worst first:\n",
                     violations, violations == 1 ? "" : "s",
                     kn_verdict_records_at_risk(c->verdict));
        if (shown) {
            (void)puts("  records  holds           class");
        }
    }
    for (size_t i = 0; i < shown; i++) {
        print_class(c, kn_verdict_violation(c->verdict, i));
    }
    if (violations > shown && shown) {
        (void)printf("          ... and %zu more; --limit shows more of them\n",
                     violations - shown);
    }
}

/* ---- for programs ---- */

static json_t *json_class(const checking *c, const kn_violation *v)
{
    json_t *values = json_object(), *object;

    for (size_t i = 0; i < kn_dataset_columns(c->ds); i++) {
        if (kn_dataset_role(c->ds, i) == KN_ROLE_QUASI) {
            size_t len;
            const char *text = kn_dataset_value(c->ds, i, kn_dataset_code(c->ds, i, v->record),
                                                &len);
            (void)json_object_set_new(values, kn_dataset_name(c->ds, i), json_stringn(text, len));
        }
    }
    object = json_pack("{s:s, s:I, s:o, s:o}", "guarantee", kn_guarantee_name(v->kind), "records",
                       (json_int_t)v->size, "value", cli_json_number(v->value), "class", values);
    if (object && v->sensitive) {
        (void)json_object_set_new(object, "sensitive", json_string(v->sensitive));
    }
    return object;
}

static int print_json(const checking *c)
{
    const size_t kept = kn_verdict_violations_kept(c->verdict);
    json_t *guarantees = json_array(), *classes = json_array(), *root;

    for (size_t i = 0; i < c->count; i++) {
        const kn_guarantee *g = &c->guarantees[i];
        json_t *object = json_pack("{s:s, s:s, s:o, s:o}", "name", kn_guarantee_name(g->kind),
                                   "parameter", letter_of(g), "asked", cli_json_number(asked(g)),
                                   "achieved", cli_json_number(kn_verdict_achieved(c->verdict, i)));
        if (object && *variant(g)) {
            (void)json_object_set_new(object, "variant", json_string(variant(g)));
        }
        (void)json_array_append_new(guarantees, object);
    }
    for (size_t i = 0; i < c->limit && i < kept; i++) {
        (void)json_array_append_new(classes, json_class(c, kn_verdict_violation(c->verdict, i)));
    }
    root = json_pack("{s:b, s:I, s:I, s:o, s:I, s:I, s:o}", "satisfied",
                     kn_verdict_holds(c->verdict), "records", (json_int_t)kn_dataset_records(c->ds),
                     "classes", (json_int_t)kn_verdict_classes(c->verdict), "guarantees",
                     guarantees, "violations_count", (json_int_t)kn_verdict_violations(c->verdict),
                     "records_at_risk", (json_int_t)kn_verdict_records_at_risk(c->verdict),
                     "violations", classes);
    return cli_json_print(root);
}

/* A file that still has its identifiers is no release, whatever its classes are like. */
static void warn_of_identifiers(const kn_dataset *ds)
{
    for (size_t i = 0; i < kn_dataset_columns(ds); i++) {
        if (kn_dataset_role(ds, i) == KN_ROLE_IDENTIFIER) {
            (void)fprintf(stderr,
                          "kanon: warning: column '%s' is an identifier and is still in the file: "
                          "this is no release\n",
                          kn_dataset_name(ds, i));
        }
    }
}

static int run(cli_call *call)
{
    checking c = {.limit = 10};
    kn_error err = {0};
    kn_status st;
    int code = cli_count(call, "limit", 0, &c.limit);

    if (code) {
        return code;
    }
    st = kn_job_guarantees(call->job, &c.guarantees, &c.count, &err);
    if (st == KN_OK) {
        st = kn_job_table(call->job, call->arguments[0], KN_TABLE_RELEASE, false, &call->run, &c.ds,
                          &err);
    }
    if (st == KN_OK) {
        st = kn_job_hierarchies(call->job, c.ds, &c.hierarchies, &err);
    }
    if (st == KN_OK) {
        st = kn_check(&c.verdict, c.ds, c.guarantees, c.count, c.hierarchies, &call->run, &err);
    }
    cli_progress_end();
    if (st != KN_OK) {
        code = cli_fail(&err);
    } else {
        warn_of_identifiers(c.ds);
        if (call->json) {
            code = print_json(&c);
        } else if (!call->quiet) {
            print_words(&c, call->arguments[0]);
        }
        code = code ? code : kn_verdict_holds(c.verdict) ? 0 : 1;
    }
    kn_verdict_free(c.verdict);
    kn_job_guarantees_free(c.guarantees);
    kn_hierarchies_free(c.hierarchies);
    kn_dataset_free(c.ds);
    return code;
}

const cli_command cmd_check = {
    .name = "check",
    .arguments = "INPUT [options]",
    .summary = "does a file satisfy a guarantee? exit 0 yes, 1 no",
    .about =
        "Forms the classes of records with equal quasi-identifiers, text for text, checks the "
        "guarantees exactly, and lists the classes that break them, the worst first.\n"
        "INPUT is usually a release: identifiers and dropped columns that a schema names may be "
        "gone from it, quasi-identifiers may not.",
    .groups = KN_GROUP_COLUMNS | KN_GROUP_LAYOUT | KN_GROUP_HIERARCHIES | KN_GROUP_GUARANTEE |
              KN_GROUP_RUN,
    CLI_OPTIONS(options),
    CLI_EXAMPLES(examples),
    .least = 1,
    .most = 1,
    .run = run,
};
