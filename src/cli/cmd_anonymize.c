/* cmd_anonymize.c - kanon anonymize: the main job. */
#include "cli/cli.h"

#include <errno.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static const cli_option options[] = {
    {.name = "output",
     .letter = 'o',
     .argument = "FILE",
     .help = "where to write the release; - is standard output"},
    {.name = "job",
     .argument = "FILE",
     .help = "take the whole call from a job file; options given here win"},
    {.name = "save-job", .argument = "FILE", .help = "write the whole call to a job file as well"},
    {.name = "json", .help = "print the report as JSON to standard output"},
};

static const cli_example examples[] = {
    {"By age, sex and postcode, make every person look like at least four others.",
     "kanon anonymize patients.csv --qi age,sex,postcode --sensitive diagnosis --drop-rest --k 5 "
     "-o public.csv"},
    {"With hierarchies, at most 2 % of the records suppressed, and a report for the "
     "privacy officer.",
     "kanon anonymize patients.csv --schema patients.schema.json --hierarchies hierarchies/ --k 5 "
     "--suppression 2% -o public.csv --report report.html"},
    {"Diverse diagnoses in every class as well.",
     "kanon anonymize patients.csv --qi age,sex --sensitive diagnosis --drop-rest --k 5 "
     "--guarantee l-diversity --l 3 -o public.csv"},
    {"What each k would cost, to choose one: a table and a plot, and no release.",
     "kanon anonymize patients.csv --schema patients.schema.json --sweep k=2,5,10,20,50 "
     "--report sweep.html"},
    {"The same call again, later.", "kanon anonymize --job release.job.json"},
};

/* The words of the command line that a job takes in its own way. */
static kn_status complete_job(cli_call *call, kn_error *err)
{
    kn_status st = KN_OK;

    if (call->arguments_count) {
        st = kn_job_set(call->job, "input", call->arguments[0], err);
    }
    if (st == KN_OK && cli_value(call, "output")) {
        st = kn_job_set(call->job, "output", cli_value(call, "output"), err);
    }
    return st;
}

/* Data to standard output, words to standard error. Frees `text`. */
static void print_text(const cli_call *call, char *text, cli_colour colour, bool published)
{
    const char *path;

    if (call->json) {
        (void)fputs(text, stdout);
        (void)fputs(*text && text[strlen(text) - 1] == '\n' ? "" : "\n", stdout);
    } else {
        cli_print_headline(stderr, text, colour);
        (void)fputs(*text && text[strlen(text) - 1] == '\n' ? "" : "\n", stderr);
        for (size_t i = 0; published && (path = kn_job_get(call->job, "report", i)); i++) {
            (void)fprintf(stderr, "report: %s\n", path);
        }
    }
    kn_string_free(text);
}

static int print_report(const cli_call *call, const kn_report *report, bool published)
{
    char *text = NULL;
    kn_error err = {0};
    kn_status st = call->json ? kn_report_json(&text, report, &err)
                              : kn_report_text(&text, report, &err);

    if (st != KN_OK) {
        return cli_fail(&err);
    }
    print_text(call, text, cli_colour_of(kn_report_points(report)), published);
    return 0;
}

static int print_sweep(const cli_call *call, const kn_sweep *sweep, bool published)
{
    char *text = NULL;
    kn_error err = {0};
    kn_status st = call->json ? kn_sweep_json(&text, sweep, &err)
                              : kn_sweep_text(&text, sweep, &err);

    if (st != KN_OK) {
        return cli_fail(&err);
    }
    print_text(call, text, CLI_BOLD, published);
    return 0;
}

/* The job file is written last: what would stop it is better known before the work. */
static bool can_write_beside(const char *path)
{
    const char *slash = strrchr(path, '/');
    char folder[4096] = ".";

    if (slash) {
        (void)snprintf(folder, sizeof folder, "%.*s", slash == path ? 1 : (int)(slash - path),
                       path);
    }
    return access(folder, W_OK | X_OK) == 0;
}

/* Whether `path` is one of the other files of the job. */
static bool is_taken(const kn_job *job, const char *path)
{
    static const char *const names[] = {"input", "output", "schema", "report"};
    const char *other;
    char *release = NULL;
    bool taken = false;

    for (size_t i = 0; i < CLI_COUNT(names); i++) {
        for (size_t j = 0; (other = kn_job_get(job, names[i], j)); j++) {
            if (strcmp(path, other) == 0 || cli_same_file(path, other)) {
                return true;
            }
        }
    }
    for (size_t i = 0; !taken && kn_sweep_path(&release, job, i, NULL) == KN_OK && release; i++) {
        taken = strcmp(path, release) == 0 || cli_same_file(path, release);
        kn_string_free(release);
    }
    return taken;
}

/* With --no-clobber: the outputs that a job file names, and the releases of a sweep, which are
 * named after its values. */
static int refuse_clobber(const cli_call *call)
{
    static const char *const names[] = {"output", "report", "recoding", "map", "areas", "mapping"};
    const char *path;
    char *release = NULL;
    int code = 0;

    for (size_t i = 0; i < CLI_COUNT(names); i++) {
        for (size_t j = 0; code == 0 && (path = kn_job_get(call->job, names[i], j)); j++) {
            code = cli_refuse_clobber(call, path);
        }
    }
    for (size_t i = 0; code == 0 && kn_job_get(call->job, "sweep", 0) &&
                       kn_sweep_path(&release, call->job, i, NULL) == KN_OK && release;
         i++) {
        code = cli_refuse_clobber(call, release);
        kn_string_free(release);
    }
    return code;
}

/* The job file must be a file of its own, and replace nothing but an older job. */
static int check_save(const kn_job *job, const char *path)
{
    kn_job *older = NULL;
    kn_error err = {0};
    struct stat at;
    bool taken = strcmp(path, "-") == 0 || is_taken(job, path), exists, streamed;
    const int code = cli_exists(&exists, path);

    if (code) {
        return code;
    }
    /* A device or a pipe is written to, as by other outputs: there is nothing to replace. */
    streamed = exists && stat(path, &at) == 0 && !S_ISREG(at.st_mode) && !S_ISDIR(at.st_mode);
    if (!taken && exists && !streamed) {
        const kn_status st = kn_job_read(&older, path, &err);
        kn_job_free(older);
        if (st == KN_ENOMEM || st == KN_EIO) {
            return cli_fail(&err);
        }
        taken = st != KN_OK;
    }
    if (taken) {
        return cli_usage("--save-job: '%.200s' is taken; give the job a file of its own", path);
    }
    if (!streamed && !can_write_beside(path)) {
        (void)fprintf(stderr, "kanon: %s: cannot write the job: %s\n", path, strerror(errno));
        return kn_status_exit_code(KN_EIO);
    }
    return 0;
}

static int run(cli_call *call)
{
    const bool prints = call->json || !call->quiet;
    kn_report *report = NULL;
    kn_sweep *sweep = NULL;
    kn_error err = {0};
    const char *save = cli_value(call, "save-job"), *output;
    kn_status st = complete_job(call, &err);
    bool said = false; /* what is wrong was said already */
    int code = 0;

    call->run.open = cli_say_open;
    call->run.open_user = &said;
    output = kn_job_get(call->job, "output", 0);
    if (st == KN_OK && !kn_job_get(call->job, "input", 0)) {
        return cli_usage("name the table: kanon anonymize INPUT -o OUTPUT");
    }
    if (call->json && output && strcmp(output, "-") == 0) {
        return cli_usage("--json and -o - both write to standard output; choose a file for one");
    }
    if (st == KN_OK && (code = refuse_clobber(call)) != 0) {
        return code;
    }
    if (save && (code = check_save(call->job, save)) != 0) {
        return code;
    }
    if (st == KN_OK && save) {
        st = kn_job_save_as(call->job, save, &err);
    }
    if (st == KN_OK && call->json) {
        st = kn_job_print_report(call->job, true, &err);
    }
    if (st == KN_OK) {
        st = kn_job_get(call->job, "sweep", 0)
                 ? kn_sweep_run(&sweep, call->job, &call->run, &err)
                 : kn_job_run(prints ? &report : NULL, call->job, &call->run, &err);
    }
    cli_progress_end();
    /* Also when --strict withheld it: the points are what the user needs then. */
    if (prints && (sweep || report) && !(call->json && st == KN_OK)) { /* printed by the job */
        code = sweep ? print_sweep(call, sweep, st == KN_OK)
                     : print_report(call, report, st == KN_OK);
    }
    if (st != KN_OK) {
        code = said ? kn_status_exit_code(st) : cli_fail(&err);
    }
    if (code == 0 && sweep && kn_sweep_worked(sweep) == 0) {
        code = kn_status_exit_code(KN_EINFEASIBLE);
    }
    kn_report_free(report);
    kn_sweep_free(sweep);
    return code;
}

const cli_command cmd_anonymize = {
    .name = "anonymize",
    .arguments = "INPUT -o OUTPUT [options]",
    .summary = "make a table satisfy a guarantee with as little loss as can be, and prove it",
    .about =
        "Reads INPUT, generalises the quasi-identifiers until the guarantees hold, and writes "
        "OUTPUT. "
        "Identifiers and dropped columns are left out; sensitive and kept columns are published as "
        "they are.\n"
        "Every column needs a role that you chose: by name (--id, --qi, --sensitive, --keep, "
        "--drop), in a schema, by accepting the suggestions (--accept-suggested), or for all others "
        "at once (--drop-rest, --keep-rest). Otherwise all columns without one are listed with a "
        "suggestion, and nothing is written. A kept column that looks like an identifier, or in "
        "which most records hold a value that fewer than k share, needs --allow-unique as well.\n"
        "The release is written to a temporary file, read back, checked by code that knows "
        "nothing of the method, and only then put into place: OUTPUT is either complete and "
        "checked, or not there.\n"
        "Then the published file is looked at as a whole: records that the kept columns make unique, "
        "rare values, what can be inferred, the order of the records. What it finds are points to "
        "settle, each with the option that settles it; --accept-point NAME records a decision. With "
        "--strict nothing is written, no report either, while a point is to settle.\n"
        "With --sweep the same is done for each value of a number, and a table shows what they "
        "give. OUTPUT may be left out then; given, each value has a file of its own beside it "
        "(out.csv: out.k=5.csv), of which one at most should be published. Values that cannot be "
        "met are rows of the table; exit code 4 says that none could be.\n"
        "Exit codes: 0 done, 1 the release failed its check, or --strict withheld it, 2 wrong usage, 3 bad "
        "input, 4 the guarantee cannot be met, 5 disk, memory or system, 130 interrupted.",
    .groups = KN_GROUP_COLUMNS | KN_GROUP_ACCEPT | KN_GROUP_LAYOUT | KN_GROUP_HIERARCHIES |
              KN_GROUP_GUARANTEE | KN_GROUP_METHOD | KN_GROUP_POINTS | KN_GROUP_REPORT |
              KN_GROUP_HEADING | KN_GROUP_SEED | KN_GROUP_RUN,
    CLI_OPTIONS(options),
    .common =
        "output|schema|id|qi|sensitive|keep|drop-rest|hierarchies|k|guarantee|suppression|report",
    .writes = "output|save-job|report|recoding|map|areas|mapping",
    CLI_EXAMPLES(examples),
    .least = 0,
    .most = 1,
    .run = run,
};
