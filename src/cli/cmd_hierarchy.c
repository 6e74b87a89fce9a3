/* cmd_hierarchy.c - kanon hierarchy: make, validate and print hierarchies. */
#include "cli/cli.h"

#include <stdlib.h>
#include <string.h>

enum { MOST_NUMBERS = 1000 };

static const cli_option options[] = {
    {.name = "column", .argument = "COLUMN", .help = "build, check: the column"},
    {.name = "kind",
     .argument = "KIND",
     .choices = "width|frequency|cuts|dates|prefix|mask|fanout|bands|code-list|pack",
     .help =
         "build: ranges of equal width, of equal frequency, between given cuts; calendar; "
         "prefixes; masking; neighbours; bands such as 18-24; a table of codes; codes in common "
         "use. The default is what suggest says"},
    {.name = "width",
     .argument = "NUMBER",
     .help = "build --kind width: how wide the lowest ranges are; the default gives about 20"},
    {.name = "origin",
     .argument = "NUMBER",
     .help = "build --kind width: where a range begins; the default is 0"},
    {.name = "ranges",
     .argument = "N",
     .help = "build --kind frequency: how many ranges; the default is 20"},
    {.name = "cuts", .argument = "NUMBERS", .help = "build --kind cuts: where ranges begin: 18,65"},
    {.name = "fanout",
     .argument = "N",
     .help = "build: how many neighbours are put together a level up; 2 for ranges, 5 for values"},
    {.name = "lengths",
     .argument = "NUMBERS",
     .help = "build --kind prefix: lengths of the prefixes, such as 3,1"},
    {.name = "digits",
     .argument = "N",
     .help = "build --kind prefix: whole numbers are codes of N digits that lost zeros in front or "
             "became floats; with 5, 1234 and 1234.0 are 01234"},
    {.name = "code-list",
     .argument = "FILE",
     .help =
         "build: a table code,label,group,... with a header; with --pack, names for its groups"},
    {.name = "pack",
     .argument = "NAME",
     .choices = "country|icd10|isco|nace|nuts",
     .help = "build: UN regions of countries; blocks of ICD-10; groups of ISCO, NACE, NUTS"},
    {.name = "hierarchies",
     .argument = "FOLDER",
     .help =
         "build: for the quasi-identifiers that --qi names, or else for the suggested ones, COLUMN.csv in "
         "this folder"},
    {.name = "depth", .argument = "N", .help = "show: at most N levels; the default is all"},
    {.name = "children",
     .argument = "N",
     .help = "show: at most N children a node; the default is 20, 0 is all"},
    {.name = "output", .letter = 'o', .argument = "FILE", .help = "build: where to write"},
};

static const cli_example examples[] = {
    {"Ages in ranges of 5, then 10, 20, ... years.",
     "kanon hierarchy build patients.csv --column age --kind width --width 5 -o age.csv"},
    {"Which hierarchies would suit this table?", "kanon hierarchy suggest patients.csv"},
    {"All of them, in a folder.", "kanon hierarchy build patients.csv --hierarchies hierarchies/"},
    {"Groups of occupations that a code list names.",
     "kanon hierarchy build patients.csv --column job --pack isco --code-list isco.csv -o job.csv"},
    {"Does it cover every age of the table?",
     "kanon hierarchy check age.csv patients.csv --column age"},
    {"Print the tree, three levels deep.", "kanon hierarchy show age.csv --depth 3"},
    {"What two families of items look like together.", "kanon hierarchy show food.csv clothes.csv"},
};

/* "18,65" into `out`; 0 or the exit code. */
static int read_numbers(const cli_call *call, const char *name, double *out, size_t *count)
{
    const char *at = cli_value(call, name);

    *count = 0;
    while (at) {
        const char *end = *count < MOST_NUMBERS ? cli_number_at(at, &out[*count]) : NULL;
        if (!end) {
            return cli_usage("--%s: '%.100s' is not a list of numbers such as 18,65", name,
                             cli_value(call, name));
        }
        ++*count;
        at = *end == ',' ? end + 1 : NULL;
    }
    return 0;
}

/* The kind that --kind names, or that another option means; false: what suits the column. */
static bool choose_kind(const cli_call *call, kn_build_kind *kind)
{
    static const char *const names[] = {"width", "frequency", "cuts",  "dates",     "prefix",
                                        "mask",  "fanout",    "bands", "code-list", "pack"};
    static const struct {
        const char *option;
        kn_build_kind kind;
    } implied[] = {{"width", KN_BUILD_WIDTH},      {"cuts", KN_BUILD_CUTS},
                   {"ranges", KN_BUILD_FREQUENCY}, {"lengths", KN_BUILD_PREFIX},
                   {"pack", KN_BUILD_PACK},        {"code-list", KN_BUILD_CODE_LIST}};
    const char *name = cli_value(call, "kind");

    for (size_t i = 0; name && i < CLI_COUNT(names); i++) {
        if (strcmp(names[i], name) == 0) {
            *kind = (kn_build_kind)i;
            return true;
        }
    }
    for (size_t i = 0; !name && i < CLI_COUNT(implied); i++) {
        if (cli_value(call, implied[i].option)) {
            *kind = implied[i].kind;
            return true;
        }
    }
    return false;
}

static int find_column(const cli_call *call, const kn_dataset *ds, const char *path, size_t *out)
{
    const char *name = cli_value(call, "column");
    kn_error err = {0};
    char *columns;

    *out = kn_dataset_find(ds, name);
    if (*out != SIZE_MAX) {
        return 0;
    }
    if (kn_dataset_describe_columns(&columns, ds, name, &err) != KN_OK) {
        return cli_fail(&err);
    }
    (void)fprintf(stderr, "kanon: --column: there is no column '%s' in %s; %s\n", name, path,
                  columns);
    kn_string_free(columns);
    return kn_status_exit_code(KN_EUSAGE);
}

static void print_facts(FILE *out, const char *path, const kn_hierarchy *h)
{
    const size_t leaves = kn_hierarchy_leaves(h), levels = kn_hierarchy_levels(h);

    (void)fprintf(out, "%s: %zu %s, %zu nodes, %zu level%s\n", path, leaves,
                  leaves == 1 ? "leaf" : "leaves", kn_hierarchy_nodes(h), levels,
                  levels == 1 ? "" : "s");
}

static int read_build_options(const cli_call *call, kn_build_options *o, double *cuts,
                              size_t *lengths)
{
    static double numbers[MOST_NUMBERS];
    int code = cli_number(call, "width", &o->width);

    code = code ? code : cli_number(call, "origin", &o->origin);
    code = code ? code : cli_count(call, "ranges", 2, &o->ranges);
    code = code ? code : cli_count(call, "fanout", 2, &o->fanout);
    code = code ? code : cli_count(call, "digits", 1, &o->digits);
    code = code ? code : read_numbers(call, "cuts", cuts, &o->cuts_count);
    code = code ? code : read_numbers(call, "lengths", numbers, &o->lengths_count);
    if (code == 0 && cli_value(call, "width") && !(o->width > 0)) {
        code = cli_usage("--width: give a number above 0");
    }
    for (size_t i = 0; code == 0 && i < o->lengths_count; i++) {
        if (!(numbers[i] >= 1 && numbers[i] < 1e6)) {
            return cli_usage("--lengths: give whole numbers from 1, the longest first");
        }
        lengths[i] = (size_t)numbers[i];
    }
    o->date_format = kn_job_get(call->job, "date-format", 0);
    o->code_list = cli_value(call, "code-list");
    o->pack = cli_value(call, "pack");
    o->cuts = o->cuts_count ? cuts : NULL;
    o->lengths = o->lengths_count ? lengths : NULL;
    return code;
}

/* As the options say; without a kind, what suits the column, or neighbours if nothing is needed.
 * `*advice` holds words if the kind was ours to choose. */
static kn_status build_column(const cli_call *call, kn_build_options *o, const kn_dataset *ds,
                              size_t column, kn_hierarchy **out, kn_hierarchy_advice *advice,
                              kn_error *err)
{
    kn_profile *profile = NULL;
    kn_status status;
    bool codes;

    if (choose_kind(call, &o->kind)) {
        return kn_hierarchy_build(out, ds, column, o, err);
    }
    CLI_TRY(kn_profile_make(&profile, ds, &call->run, err));
    codes = kn_profile_column(profile, column)->coded;
    CLI_TRY(kn_hierarchy_suggest(advice, ds, column, codes, err));
    if (codes && advice->doubtful) { /* no codes of one length: ranges say more */
        CLI_TRY(kn_hierarchy_suggest(advice, ds, column, false, err));
    }
    if (advice->wanted && !cli_value(call, "fanout") && !cli_value(call, "origin")) {
        status = kn_hierarchy_build_suggested(out, ds, column, advice, err);
        goto done;
    }
    o->kind = kn_dataset_type(ds, column) == KN_TYPE_INTEGER ||
                      kn_dataset_type(ds, column) == KN_TYPE_DECIMAL
                  ? KN_BUILD_WIDTH
                  : KN_BUILD_FANOUT;
    o->kind = advice->wanted ? advice->kind : o->kind;
    status = kn_hierarchy_build(out, ds, column, o, err);
done:
    kn_profile_free(profile);
    return status;
}

/* A plan for the quasi-identifiers that are named, or, if none is, for those that are suggested. */
static kn_status make_plan(cli_call *call, kn_plan **plan, kn_error *err)
{
    static const char *const rest[] = {"drop-rest", "keep-rest", "accept-suggested"};
    bool chosen = false;
    kn_status status = KN_OK;

    for (size_t i = 0; i < CLI_COUNT(rest); i++) {
        chosen = chosen || kn_job_get(call->job, rest[i], 0);
    }
    if (kn_job_get(call->job, "qi", 0) && !chosen) {
        CLI_TRY(kn_job_set(call->job, "drop-rest", "true", err));
    }
    status = kn_plan_make(plan, call->job, call->arguments[1], &call->run, err);
done:
    return status;
}

/* Those of all quasi-identifiers into a folder. Words about files go to standard error: the files
 * are in place then, and a standard output that fails must not make the call fail. */
static int build_all(cli_call *call)
{
    const char *folder = cli_value(call, "hierarchies");
    kn_hierarchies *hs = NULL;
    kn_plan *plan = NULL;
    kn_error err = {0};
    kn_status status;
    size_t written = 0;

    if (cli_value(call, "column") || cli_value(call, "output") || cli_value(call, "kind")) {
        return cli_usage(
            "--hierarchies builds for all columns what suits each: leave out --column, "
            "--kind and -o");
    }
    CLI_TRY(make_plan(call, &plan, &err));
    CLI_TRY(kn_plan_hierarchies(&hs, plan, &err));
    CLI_TRY(kn_hierarchies_write_folder(hs, folder, &err));
    cli_progress_end();
    for (size_t i = 0; !call->quiet && i < kn_plan_columns(plan); i++) {
        const kn_plan_column *c = kn_plan_column_at(plan, i);
        if (kn_hierarchies_get(hs, c->name)) {
            (void)fprintf(stderr, "%s/%s: %s\n", folder, c->name, c->hierarchy.words);
            written++;
        }
    }
    if (!call->quiet && written == 0) {
        (void)fputs("no column needs a hierarchy\n", stderr);
    }
done:
    kn_hierarchies_free(hs);
    kn_plan_free(plan);
    return status == KN_OK ? 0 : cli_fail(&err);
}

/* Neither the table nor the list of codes. 0 or the exit code. */
static int refuse_overwriting(const cli_call *call, const char *input, const char *output)
{
    const char *codes = cli_value(call, "code-list");
    const char *const read[] = {input, codes ? codes : input};
    kn_error err = {0};

    return kn_job_refuse_overwriting(call->job, read, 2, &output, 1, &err) == KN_OK
               ? 0
               : cli_fail(&err);
}

static int build(cli_call *call)
{
    static double cuts[MOST_NUMBERS];
    static size_t lengths[MOST_NUMBERS];
    const char *output = cli_value(call, "output"), *input = call->arguments[1];
    kn_build_options o = {0};
    kn_hierarchy_advice advice = {0};
    kn_dataset *ds = NULL;
    kn_hierarchy *h = NULL;
    kn_error err = {0};
    size_t column;
    int code;

    if (call->arguments_count == 2 && cli_value(call, "hierarchies")) {
        return build_all(call);
    }
    if (call->arguments_count != 2 || !cli_value(call, "column") || !output) {
        return cli_usage("usage: kanon hierarchy build INPUT --column COLUMN -o FILE");
    }
    code = refuse_overwriting(call, input, output);
    if (code) {
        return code;
    }
    code = read_build_options(call, &o, cuts, lengths);
    if (code) {
        return code;
    }
    if (cli_read(call, input, KN_TABLE_WHOLE, &ds, &err) != KN_OK) {
        return cli_fail(&err);
    }
    code = find_column(call, ds, input, &column);
    if (code == 0 && (build_column(call, &o, ds, column, &h, &advice, &err) != KN_OK ||
                      kn_hierarchy_write(h, output, &err) != KN_OK)) {
        code = cli_fail(&err);
    }
    /* The file is in place: a standard output that fails must not make the call fail. */
    if (code == 0 && !call->quiet && strcmp(output, "-") != 0) {
        print_facts(stderr, output, h);
        if (advice.wanted) {
            (void)fprintf(stderr, "  %s\n", advice.words);
        }
    }
    kn_hierarchy_free(h);
    kn_dataset_free(ds);
    return code;
}

/* What would be built for each quasi-identifier, and why. */
static int suggest(cli_call *call)
{
    static const bool right[] = {false, false, true, false};
    static const char *const titles[] = {"column", "type", "distinct", "hierarchy"};
    kn_plan *plan = NULL;
    kn_error err = {0};
    const char **cells;
    char(*numbers)[24];
    size_t rows = 1, columns;
    int code = 0;

    if (call->arguments_count != 2) {
        return cli_usage("usage: kanon hierarchy suggest INPUT");
    }
    if (make_plan(call, &plan, &err) != KN_OK) {
        return cli_fail(&err);
    }
    cli_progress_end();
    columns = kn_plan_columns(plan);
    cells = calloc((columns + 1) * CLI_COUNT(titles), sizeof *cells);
    numbers = calloc(columns + 1, sizeof *numbers);
    if (cells && numbers) {
        memcpy(cells, titles, sizeof titles);
        for (size_t i = 0; i < columns; i++) {
            const kn_plan_column *c = kn_plan_column_at(plan, i);
            if (c->role == KN_ROLE_QUASI) {
                const char **row = cells + rows++ * CLI_COUNT(titles);
                (void)snprintf(numbers[i], sizeof numbers[i], "%zu", c->values);
                row[0] = c->name;
                row[1] = c->coded ? "code" : kn_type_name(c->type);
                row[2] = numbers[i];
                row[3] = c->hierarchy.words;
            }
        }
        cli_table(stdout, cells, rows, CLI_COUNT(titles), right);
        (void)puts("\nkanon hierarchy build INPUT --hierarchies FOLDER writes them.");
    } else {
        err = (kn_error){.status = KN_ENOMEM, .message = "out of memory"};
        code = cli_fail(&err);
    }
    free(cells);
    free(numbers);
    kn_plan_free(plan);
    return code;
}

/* The hierarchy in the files that are the arguments 1..end-1: of several, all joined. */
static int read_files(const cli_call *call, size_t end, kn_hierarchy **out)
{
    kn_hierarchy *family[CLI_MOST_ARGUMENTS] = {NULL};
    kn_error err = {0};
    kn_status st = KN_OK;
    size_t count = 0;

    while (st == KN_OK && count + 1 < end) {
        st = kn_hierarchy_read(&family[count], call->arguments[count + 1], &err);
        count += st == KN_OK;
    }
    *out = NULL;
    if (st == KN_OK && count > 1) {
        st = kn_hierarchy_join(out, (const kn_hierarchy *const *)family, count, &err);
    } else if (st == KN_OK) {
        *out = family[0];
        family[0] = NULL;
    }
    for (size_t i = 0; i < count; i++) {
        kn_hierarchy_free(family[i]);
    }
    return st == KN_OK ? 0 : cli_fail(&err);
}

static int check_cover(cli_call *call, const kn_hierarchy *h)
{
    const char *input = call->arguments[call->arguments_count - 1];
    kn_dataset *ds = NULL;
    kn_error err = {0};
    size_t column;
    int code;

    if (cli_read(call, input, KN_TABLE_WHOLE, &ds, &err) != KN_OK) {
        return cli_fail(&err);
    }
    code = find_column(call, ds, input, &column);
    if (code == 0 && kn_hierarchy_covers(h, ds, column, &err) != KN_OK) {
        code = cli_fail(&err);
    }
    kn_dataset_free(ds);
    return code;
}

static int check(cli_call *call)
{
    const bool cover = cli_value(call, "column") != NULL;
    const size_t end = call->arguments_count - cover;
    kn_hierarchy *h = NULL;
    int code;

    if (end < 2) {
        return cli_usage("usage: kanon hierarchy check FILE... INPUT --column COLUMN");
    }
    code = read_files(call, end, &h);
    if (code == 0 && cover) {
        code = check_cover(call, h);
    }
    /* The whole answer or none: nothing is printed before all is known. */
    if (code == 0 && !call->quiet) {
        print_facts(stdout, end == 2 ? call->arguments[1] : "joined", h);
    }
    if (code == 0 && cover && !call->quiet) {
        (void)printf("it covers every value of %s in %s\n", cli_value(call, "column"),
                     call->arguments[end]);
    }
    kn_hierarchy_free(h);
    return code;
}

static int show(cli_call *call)
{
    kn_hierarchy *h = NULL;
    kn_error err = {0};
    size_t depth = 0, children = 20;
    char *text = NULL;
    int code = cli_count(call, "depth", 0, &depth);

    code = code ? code : cli_count(call, "children", 0, &children);
    if (code) {
        return code;
    }
    code = read_files(call, call->arguments_count, &h);
    if (code == 0 && kn_hierarchy_show(&text, h, children, depth, &err) != KN_OK) {
        code = cli_fail(&err);
    } else if (code == 0) {
        (void)fputs(text, stdout);
    }
    kn_string_free(text);
    kn_hierarchy_free(h);
    return code;
}

static int run(cli_call *call)
{
    static const char *const actions[] = {"suggest", "build", "check", "show"};
    const char *action = call->arguments[0], *near;

    if (strcmp(action, "suggest") == 0) {
        return suggest(call);
    }
    if (strcmp(action, "build") == 0) {
        return build(call);
    }
    if (strcmp(action, "check") == 0) {
        return check(call);
    }
    if (strcmp(action, "show") == 0) {
        return show(call);
    }
    near = kn_nearest(action, actions, CLI_COUNT(actions));
    return cli_usage("there is no 'hierarchy %.60s'; %s%s%s", action,
                     near ? "did you mean '" : "choose suggest, build, check or show",
                     near ? near : "", near ? "'?" : "");
}

const cli_command cmd_hierarchy = {
    .name = "hierarchy",
    .arguments =
        "suggest INPUT | build INPUT --column COLUMN -o FILE | check FILE... [INPUT --column COLUMN] | "
        "show FILE...",
    .summary = "make, validate and print hierarchies",
    .about =
        "suggest says which hierarchy suits each quasi-identifier that --qi names, or else each suggested "
        "one. build makes one "
        "over the values of a column, the suggested one unless --kind says otherwise; with "
        "--hierarchies, those of all quasi-identifiers. check reads a hierarchy file and says what is "
        "wrong with it, file and line; with INPUT and --column, also whether it covers every value "
        "of the column. show prints the tree. Several files are joined, as those of one column of "
        "items are. docs/hierarchies.md describes the files that are read.",
    .groups = KN_GROUP_COLUMNS | KN_GROUP_LAYOUT | KN_GROUP_RUN,
    CLI_OPTIONS(options),
    .words = "suggest|build|check|show",
    .common = "column|kind|width|cuts|lengths|output",
    .writes = "output|hierarchies",
    CLI_EXAMPLES(examples),
    .least = 2,
    .most = CLI_MOST_ARGUMENTS,
    .run = run,
};
