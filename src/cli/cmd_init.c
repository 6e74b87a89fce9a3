/* cmd_init.c - kanon init: look at a table, and write a schema, hierarchies and a job to edit. */
#include "cli/cli.h"

#include <string.h>
#include <unistd.h>

enum { LONGEST_ANSWER = 64, LONGEST_PATH = 4096 };

static const cli_option options[] = {
    {.name = "output",
     .letter = 'o',
     .argument = "FOLDER",
     .help = "where to write; the default is the name of the table with .kanon, in the current "
             "folder"},
    {.name = "yes", .help = "ask nothing, and take what is suggested"},
    {.name = "ask", .help = "ask even when standard input is no terminal"},
};

static const cli_example examples[] = {
    {"Look at a table, answer some questions, and get files to edit.", "kanon init patients.csv"},
    {"Then publish as they say.", "kanon anonymize --job patients.kanon/job.json"},
    {"Ask nothing.", "kanon init patients.csv --yes -o plan"},
};

/* ---- questions ---- */

static const struct {
    char letter;
    kn_role role;
} answers[] = {{'i', KN_ROLE_IDENTIFIER},
               {'q', KN_ROLE_QUASI},
               {'s', KN_ROLE_SENSITIVE},
               {'k', KN_ROLE_KEPT},
               {'d', KN_ROLE_DROPPED}};

static const char role_words[] =
    "\nWhat the roles mean:\n"
    "  identifier        names a person: left out\n"
    "  quasi-identifier  others may know it: generalised\n"
    "  sensitive         others must not learn it: published as it is, with several values in every "
    "group\n"
    "  keep              neither: published as it is\n"
    "  drop              left out\n";

static void print_question(const kn_plan_column *c)
{
    (void)fputs("\n", stderr);
    cli_print_plain(stderr, c->name, SIZE_MAX);
    (void)fprintf(
        stderr,
        " (%s, %zu value%s): %s.\n  [i]dentifier, [q]uasi-identifier, [s]ensitive, [k]eep as it is, "
        "[d]rop; Enter: %s; [a]ll others as suggested? ",
        kn_type_name(c->type), c->values, c->values == 1 ? "" : "s", c->reason,
        kn_role_name(c->role));
    (void)fflush(stderr);
}

/* Ask about one column until the answer is one. False: ask no more. */
static bool ask(kn_plan *plan, size_t column)
{
    char answer[LONGEST_ANSWER];

    for (;;) {
        print_question(kn_plan_column_at(plan, column));
        if (!fgets(answer, sizeof answer, stdin) || answer[0] == 'a') {
            return false;
        }
        if (answer[0] == '\n') {
            (void)kn_plan_set_role(plan, column, kn_plan_column_at(plan, column)->role, NULL);
            return true;
        }
        for (size_t i = 0; i < CLI_COUNT(answers); i++) {
            if (answer[0] == answers[i].letter) {
                (void)kn_plan_set_role(plan, column, answers[i].role, NULL);
                return true;
            }
        }
    }
}

static void ask_group_by(kn_plan *plan)
{
    const size_t column = kn_plan_group_by(plan);
    char answer[LONGEST_ANSWER];

    if (column == SIZE_MAX) {
        return;
    }
    (void)fputs("\n", stderr);
    cli_print_plain(stderr, kn_plan_column_at(plan, column)->name, SIZE_MAX);
    (void)fprintf(stderr,
                  " repeats: %zu values in %zu records. Are these people with several rows "
                  "each? One record per person is made then, with the first value of each column. "
                  "[Y/n] ",
                  kn_plan_column_at(plan, column)->values, kn_plan_records(plan));
    (void)fflush(stderr);
    if (fgets(answer, sizeof answer, stdin) && (answer[0] == 'n' || answer[0] == 'N')) {
        (void)kn_plan_set_group_by(plan, SIZE_MAX, NULL);
    }
}

static size_t ask_all(kn_plan *plan)
{
    bool more = true;
    size_t columns = 0, asked = kn_plan_group_by(plan) != SIZE_MAX;

    ask_group_by(plan);
    for (size_t i = 0; more && i < kn_plan_columns(plan); i++) {
        if (kn_plan_column_at(plan, i)->doubtful) {
            (void)fputs(columns++ ? "" : role_words, stderr);
            asked++;
            more = ask(plan, i);
        }
    }
    return asked;
}

/* ---- words ---- */

static void print_columns_of(const kn_plan *plan, kn_role role)
{
    size_t count = 0;

    for (size_t i = 0; i < kn_plan_columns(plan); i++) {
        const kn_plan_column *c = kn_plan_column_at(plan, i);
        if (c->role == role) {
            (void)fprintf(stderr, count ? ", " : "%-17s ", kn_role_name(role));
            cli_print_plain(stderr, c->name, SIZE_MAX);
            count++;
        }
    }
    (void)fputs(count ? "\n" : "", stderr);
}

static bool made_by_fanout(const kn_plan_column *c)
{
    return c->role == KN_ROLE_QUASI && c->hierarchy.doubtful;
}

static bool is_doubtful(const kn_plan_column *c)
{
    return c->doubtful || made_by_fanout(c);
}

/* Columns side by side with one reason share a line. */
static bool same_doubt(const kn_plan_column *a, const kn_plan_column *b)
{
    return a->doubtful && b->doubtful && !made_by_fanout(a) && !made_by_fanout(b) &&
           a->role == b->role && strcmp(a->reason, b->reason) == 0;
}

/* What comes after the names of the columns. */
static void print_doubt(const kn_plan_column *c)
{
    const bool fanout = made_by_fanout(c);

    (void)fputs(": ", stderr);
    if (c->doubtful) {
        (void)fprintf(stderr, "%s, because %s%s", kn_role_name(c->role), c->reason,
                      fanout ? "; " : "");
    }
    (void)fprintf(stderr, "%s\n", fanout ? c->hierarchy.words : "");
}

static void print_doubts(const kn_plan *plan)
{
    const char *note;
    const kn_plan_column *last = NULL;

    for (size_t i = 0; i < kn_plan_columns(plan); i++) {
        const kn_plan_column *c = kn_plan_column_at(plan, i);
        if (is_doubtful(c)) {
            (void)fputs(last ? "" : "\nunsure of:\n", stderr);
            if (last && !same_doubt(last, c)) {
                print_doubt(last);
            }
            (void)fputs(last && same_doubt(last, c) ? ", " : "  ", stderr);
            cli_print_plain(stderr, c->name, SIZE_MAX);
            last = c;
        }
    }
    if (last) {
        print_doubt(last);
    }
    for (size_t i = 0; (note = kn_plan_note(plan, i)); i++) {
        (void)fprintf(stderr, "note: %s\n", note);
    }
}

/* What is lost of a table of events comes first: no role or option below would show it. */
static void print_group_by(const kn_plan *plan)
{
    const size_t person = kn_plan_group_by(plan);

    if (person == SIZE_MAX) {
        return;
    }
    (void)fputs("Rows with the same ", stderr);
    cli_print_plain(stderr, kn_plan_column_at(plan, person)->name, SIZE_MAX);
    (void)fprintf(
        stderr,
        " become one record per person (%zu rows, %zu records). Of every other column only "
        "the first value of a person is published; to publish all values of one, collect "
        "them (--collect, docs/rt.md).\n\n",
        kn_plan_records(plan), kn_plan_column_at(plan, person)->values);
}

/* A sensitive column that no rule recognises is suggested as a quasi-identifier, which is not
 * published as it is, but has no diversity. */
static void print_sensitive(const kn_plan *plan)
{
    size_t quasi = 0, sensitive = 0;

    for (size_t i = 0; i < kn_plan_columns(plan); i++) {
        const kn_plan_column *c = kn_plan_column_at(plan, i);
        quasi += c->role == KN_ROLE_QUASI && c->type != KN_TYPE_SET && c->type != KN_TYPE_BAG &&
                 c->type != KN_TYPE_NUMBERS;
        sensitive += c->role == KN_ROLE_SENSITIVE;
    }
    if (quasi) {
        (void)fprintf(
            stderr,
            "\n%s. If a column says what others must not learn about a person, such as an illness "
            "or an income, give it the role sensitive.\n",
            sensitive ? "Only some sensitive columns are recognised"
                      : "No column is called sensitive, so the release hides which record is "
                        "whose, but not what a group of records has in common");
    }
}

static void print_words(const kn_plan *plan, const char *folder)
{
    static const kn_role roles[] = {KN_ROLE_IDENTIFIER, KN_ROLE_QUASI, KN_ROLE_SENSITIVE,
                                    KN_ROLE_KEPT, KN_ROLE_DROPPED};

    print_group_by(plan);
    for (size_t i = 0; i < CLI_COUNT(roles); i++) {
        print_columns_of(plan, roles[i]);
    }
    print_sensitive(plan);
    print_doubts(plan);
    (void)fprintf(
        stderr,
        "\nwritten: %s/schema.json, %s/hierarchies/ and %s/job.json. Look at them, then:\n  "
        "kanon anonymize --job %s/job.json\n",
        folder, folder, folder, folder);
}

/* "data/patients.csv.zst" is "patients.kanon". */
static int name_folder(const char *input, char out[LONGEST_PATH])
{
    const char *slash = strrchr(input, '/'), *name = slash ? slash + 1 : input;
    size_t len = strcspn(name, ".");

    if (len == 0 || strcmp(input, "-") == 0) {
        return cli_usage("-o FOLDER: say where to write");
    }
    len = len < LONGEST_PATH - 16 ? len : LONGEST_PATH - 16;
    (void)snprintf(out, LONGEST_PATH, "%.*s.kanon", (int)len, name);
    return 0;
}

static int run(cli_call *call)
{
    const char *input = call->arguments[0], *output = cli_value(call, "output");
    const bool yes = cli_flag(call, "yes"), forced = cli_flag(call, "ask");
    const bool terminal = isatty(STDIN_FILENO) == 1 && isatty(STDERR_FILENO) == 1;
    char folder[LONGEST_PATH];
    kn_plan *plan = NULL;
    kn_error err = {0};
    kn_status status;
    int code = output ? 0 : name_folder(input, folder);
    bool exists;

    if (code) {
        return code;
    }
    if (yes && forced) {
        return cli_usage("--yes asks nothing and --ask asks: choose one");
    }
    if (strcmp(input, "-") == 0) {
        return cli_usage("the job that is written reads the table again: give a file, not -");
    }
    output = output ? output : folder;
    code = cli_exists(&exists, output);
    if (code) {
        return code;
    }
    if (exists) {
        return cli_usage("%.300s is there already, and nothing is overwritten: name another folder "
                         "(-o), or remove it",
                         output);
    }
    CLI_TRY(kn_plan_make(&plan, call->job, input, &call->run, &err));
    cli_progress_end();
    if (!yes && (terminal || forced)) {
        (void)ask_all(plan);
    }
    CLI_TRY(kn_plan_write(plan, output, &err));
    if (!call->quiet) {
        print_words(plan, output);
    }
done:
    code = status == KN_OK ? 0 : cli_fail(&err);
    kn_plan_free(plan);
    return code;
}

const cli_command cmd_init = {
    .name = "init",
    .arguments = "INPUT [-o FOLDER] [--yes]",
    .summary = "look at a table; write a schema, hierarchies and a job to edit",
    .about =
        "Looks at INPUT and writes a folder with schema.json (a role for every column, and a comment "
        "why), hierarchies/ (one file per quasi-identifier that needs one) and job.json, which kanon "
        "anonymize --job runs as it is. A column about which neither values nor name say anything gets "
        "the safe role, quasi-identifier, and is generalised; free text is left out.\n"
        "On a terminal it asks about each doubtful column. With --yes, or where standard input is no "
        "terminal, it asks nothing. It says what it was unsure of, and marks it in the schema.\n"
        "Header, blanks around values, texts that mean a missing value and rows of one person are found "
        "by looking, unless options say them. Roles that are given (--id, --qi, --sensitive, --keep, "
        "--drop) are taken over.\n"
        "All files are written, or none; a folder that is there already is refused. "
        "docs/init.md has the rules.",
    .groups = KN_GROUP_COLUMNS | KN_GROUP_LAYOUT | KN_GROUP_RUN,
    CLI_OPTIONS(options),
    CLI_EXAMPLES(examples),
    .least = 1,
    .most = 1,
    .run = run,
};
