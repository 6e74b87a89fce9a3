/* cmd_hierarchy.c - kanon hierarchy: make, validate and print hierarchies. */
#include "cli/cli.h"

#include <stdlib.h>
#include <string.h>

enum { MOST_NUMBERS = 1000 };

static const cli_option options[] = {
    {.name = "column", .argument = "COLUMN", .help = "build, check: the column"},
    {.name = "kind",
     .argument = "KIND",
     .choices = "width|frequency|cuts|dates|prefix|mask|fanout",
     .help = "build: ranges of equal width, of equal frequency, between given cuts; calendar; "
             "prefixes; masking; neighbours"},
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
    {.name = "depth", .argument = "N", .help = "show: at most N levels; the default is all"},
    {.name = "children",
     .argument = "N",
     .help = "show: at most N children a node; the default is 20, 0 is all"},
    {.name = "output", .letter = 'o', .argument = "FILE", .help = "build: where to write"},
};

static const cli_example examples[] = {
    {"Ages in ranges of 5, then 10, 20, ... years.",
     "kanon hierarchy build patients.csv --column age --kind width --width 5 -o age.csv"},
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

static kn_build_kind choose_kind(const cli_call *call, kn_type type)
{
    static const char *const names[] = {"width",  "frequency", "cuts",  "dates",
                                        "prefix", "mask",      "fanout"};
    static const struct {
        const char *option;
        kn_build_kind kind;
    } implied[] = {{"cuts", KN_BUILD_CUTS},
                   {"ranges", KN_BUILD_FREQUENCY},
                   {"lengths", KN_BUILD_PREFIX}};
    const char *name = cli_value(call, "kind");

    if (!name) {
        for (size_t i = 0; i < CLI_COUNT(implied); i++) {
            if (cli_value(call, implied[i].option)) {
                return implied[i].kind;
            }
        }
        if (type == KN_TYPE_INTEGER || type == KN_TYPE_DECIMAL) {
            return KN_BUILD_WIDTH;
        }
        return type == KN_TYPE_DATE ? KN_BUILD_DATES : KN_BUILD_FANOUT;
    }
    for (size_t i = 0; i < CLI_COUNT(names); i++) {
        if (strcmp(names[i], name) == 0) {
            return (kn_build_kind)i;
        }
    }
    return KN_BUILD_FANOUT;
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

static int print_facts(const char *path, const kn_hierarchy *h)
{
    (void)printf("%s: %zu leaves, %zu nodes, %zu levels\n", path, kn_hierarchy_leaves(h),
                 kn_hierarchy_nodes(h), kn_hierarchy_levels(h));
    return 0;
}

static int read_build_options(const cli_call *call, kn_build_options *o, double *cuts,
                              size_t *lengths)
{
    static double numbers[MOST_NUMBERS];
    int code = cli_number(call, "width", &o->width);

    code = code ? code : cli_number(call, "origin", &o->origin);
    code = code ? code : cli_count(call, "ranges", 2, &o->ranges);
    code = code ? code : cli_count(call, "fanout", 2, &o->fanout);
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
    o->cuts = o->cuts_count ? cuts : NULL;
    o->lengths = o->lengths_count ? lengths : NULL;
    return code;
}

static int build(cli_call *call)
{
    static double cuts[MOST_NUMBERS];
    static size_t lengths[MOST_NUMBERS];
    const char *output = cli_value(call, "output"), *input = call->arguments[1];
    kn_build_options o = {0};
    kn_dataset *ds = NULL;
    kn_hierarchy *h = NULL;
    kn_error err = {0};
    size_t column;
    int code;

    if (call->arguments_count != 2 || !cli_value(call, "column") || !output) {
        return cli_usage("usage: kanon hierarchy build INPUT --column COLUMN -o FILE");
    }
    if (cli_same_file(input, output)) {
        return cli_usage("%s: the output would overwrite the input; give it another name", output);
    }
    code = read_build_options(call, &o, cuts, lengths);
    if (code) {
        return code;
    }
    if (cli_read(call, input, KN_TABLE_WHOLE, &ds, &err) != KN_OK) {
        return cli_fail(&err);
    }
    code = find_column(call, ds, input, &column);
    if (code == 0) {
        o.kind = choose_kind(call, kn_dataset_type(ds, column));
    }
    if (code == 0 && (kn_hierarchy_build(&h, ds, column, &o, &err) != KN_OK ||
                      kn_hierarchy_write(h, output, &err) != KN_OK)) {
        code = cli_fail(&err);
    }
    if (code == 0 && !call->quiet && strcmp(output, "-") != 0) {
        (void)print_facts(output, h);
    }
    kn_hierarchy_free(h);
    kn_dataset_free(ds);
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
    if (code == 0 && !call->quiet) {
        (void)printf("it covers every value of %s in %s\n", cli_value(call, "column"), input);
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
    if (code == 0 && !call->quiet) {
        code = print_facts(end == 2 ? call->arguments[1] : "joined", h);
    }
    if (code == 0 && cover) {
        code = check_cover(call, h);
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
    static const char *const actions[] = {"build", "check", "show"};
    const char *action = call->arguments[0], *near;

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
                     near ? "did you mean '" : "choose build, check or show", near ? near : "",
                     near ? "'?" : "");
}

const cli_command cmd_hierarchy = {
    .name = "hierarchy",
    .arguments =
        "build INPUT --column COLUMN -o FILE | check FILE... [INPUT --column COLUMN] | show FILE...",
    .summary = "make, validate and print hierarchies",
    .about =
        "build makes a hierarchy over the values of a column; the kind is chosen by the type of "
        "the column unless --kind says otherwise. check reads a hierarchy file and says what is "
        "wrong with it, file and line; with INPUT and --column, also whether it covers every value "
        "of the column. show prints the tree. Several files are joined, as those of one column of "
        "items are. docs/hierarchies.md describes the files that are read.",
    .groups = KN_GROUP_COLUMNS | KN_GROUP_LAYOUT | KN_GROUP_RUN,
    CLI_OPTIONS(options),
    .words = "build|check|show",
    .common = "column|kind|width|cuts|lengths|output",
    .writes = "output",
    CLI_EXAMPLES(examples),
    .least = 2,
    .most = CLI_MOST_ARGUMENTS,
    .run = run,
};
