/* cmd_check.c - kanon check: does a file satisfy a guarantee? */
#include "cli/check.h"

#include <string.h>

static const cli_option options[] = {
    {.name = "limit",
     .argument = "N",
     .help = "list at most N offending classes or combinations; the default is 10"},
    {.name = "job",
     .argument = "FILE",
     .help = "take columns, layout and guarantees from a job file; options given here win"},
    {.name = "original",
     .argument = "FILE",
     .help =
         "the data that INPUT is a release of: sigma-km-anonymity draws itemsets from it (without "
         "it only sizes that can be counted are checked), and t-closeness with --reference "
         "original compares classes with it"},
    {.name = "json", .help = "print the verdict as JSON"},
};

static const cli_example examples[] = {
    {"Is this file 5-anonymous over age, sex and postcode?",
     "kanon check public.csv --qi age,sex,postcode --k 5"},
    {"The three worst classes, for a program.",
     "kanon check public.csv --qi age,sex --sensitive diagnosis --guarantee l-diversity --l 3 "
     "--limit 3 --json"},
    {"Does an attacker who knows two items of a basket find at least five baskets?",
     "kanon check baskets.dat --guarantee km-anonymity --k 5 --m 2"},
    {"And one who knows age, sex and two diagnoses, without learning of a mental disorder?",
     "kanon check patients.csv --qi age,sex --items codes --sensitive-prefix 29,30 "
     "--guarantee k-lm-diversity --k 5 --l 2 --m 2"},
    {"With a certificate that 99 % of what is known of up to 11 places is shared by 20 people?",
     "kanon check public.dat --original visits.dat --guarantee sigma-km-anonymity --k 20 --m 11 "
     "--sigma 0.99"},
};

/* Also where points are not printed: a file that still has its identifiers is no release. */
static void warn_of_identifiers(const kn_dataset *ds, const kn_points *points)
{
    for (size_t i = 0; i < kn_points_count(points); i++) {
        const kn_point *p = kn_points_get(points, i);
        if (strcmp(p->check, "identifier") == 0 &&
            kn_dataset_role(ds, kn_dataset_find(ds, p->column)) == KN_ROLE_IDENTIFIER) {
            (void)fprintf(stderr,
                          "kanon: warning: column '%s' is an identifier and is still in the file: "
                          "this is no release\n",
                          p->column);
        }
    }
}

/* Print what was found; returns the exit code. */
static int show(const cli_call *call, const cli_checking *c)
{
    int code = 0;

    if (!call->quiet) {
        cli_check_warn(c);
    }
    warn_of_identifiers(c->ds, c->points);
    if (call->json) {
        code = cli_check_print_json(c);
    } else if (!call->quiet) {
        cli_check_print_words(c, call->arguments[0]);
    }
    if (code == 0 && kn_verdict_unknown(c->verdict)) {
        code = 4;
    }
    return code ? code : cli_verdict_code(c->points, &c->decisions);
}

static bool uses_original(const cli_checking *c)
{
    for (size_t i = 0; i < c->count; i++) {
        const kn_guarantee *g = &c->guarantees[i];
        if (kn_guarantee_uses_original(g->kind) || kn_guarantee_compares_original(g)) {
            return true;
        }
    }
    return false;
}

static int run(cli_call *call)
{
    const char *path = call->arguments[0], *original = cli_value(call, "original");
    cli_checking c = {.limit = 10};
    kn_table_use use = KN_TABLE_SURVEYED;
    kn_error err = {0};
    kn_status status;
    int code = cli_count(call, "limit", 0, &c.limit);

    if (code) {
        return code;
    }
    CLI_TRY(kn_job_guarantees(&c.guarantees, &c.count, call->job, &err));
    if (original && !uses_original(&c)) {
        kn_job_guarantees_free(c.guarantees);
        return cli_usage(
            "--original is for sigma-km-anonymity, which draws itemsets from it, and for "
            "t-closeness with --reference original, which compares classes with it");
    }
    CLI_TRY(kn_job_points(&c.decisions, call->job, false, &err));
    if (call->quiet && !call->json && !c.decisions.strict) {
        use = KN_TABLE_CHECKED; /* of columns that no guarantee is about nothing is shown */
    }
    CLI_TRY(cli_read(call, path, use, &c.ds, &err));
    if (original) {
        CLI_TRY(cli_read(call, original, KN_TABLE_ORIGINAL, &c.original, &err));
    }
    CLI_TRY(kn_job_hierarchies(&c.hierarchies, call->job, original ? c.original : c.ds, &err));
    CLI_TRY(kn_check_release(&c.verdict, c.ds, c.original, c.guarantees, c.count, c.hierarchies,
                             &call->run, &err));
    CLI_TRY(kn_points_find(&c.points, c.ds, c.guarantees, c.count, c.verdict, &c.decisions,
                           &call->run, &err));
done:
    cli_progress_end();
    code = status == KN_OK ? show(call, &c) : cli_fail(&err);
    kn_points_free(c.points);
    kn_job_points_free(&c.decisions);
    kn_verdict_free(c.verdict);
    kn_job_guarantees_free(c.guarantees);
    kn_hierarchies_free(c.hierarchies);
    kn_dataset_free(c.original);
    kn_dataset_free(c.ds);
    return code;
}

const cli_command cmd_check = {
    .name = "check",
    .arguments = "INPUT [options]",
    .summary = "does a file satisfy a guarantee? exit 0 yes, 1 no",
    .about =
        "Forms the classes of records with equal quasi-identifiers, text for text, checks the "
        "guarantees exactly, and lists the classes that break them, the worst first. For "
        "km-anonymity it counts the combinations of items instead, and lists the rare ones, the "
        "smallest first; for k-km-anonymity and k-lm-diversity it does so inside each class. For "
        "sigma-km-anonymity it counts small combinations and certifies the larger ones by samples "
        "of the original (--original); without it, what cannot be counted is open: exit 4. So is "
        "t-closeness with --reference original.\n"
        "The file is then looked at as a whole, and points to settle are listed first; with --strict "
        "they make the exit code 1.\n"
        "INPUT is usually a release: identifiers and dropped columns that a schema names may be "
        "gone from it, quasi-identifiers may not.",
    .groups = KN_GROUP_COLUMNS | KN_GROUP_LAYOUT | KN_GROUP_HIERARCHIES | KN_GROUP_GUARANTEE |
              KN_GROUP_POINTS | KN_GROUP_SEED | KN_GROUP_RUN,
    CLI_OPTIONS(options),
    .common = "schema|qi|sensitive|hierarchies|guarantee|k|l|strict|limit|json",
    CLI_EXAMPLES(examples),
    .least = 1,
    .most = 1,
    .run = run,
};
