/* cmd_convert.c - kanon convert: between formats. */
#include "cli/cli.h"
#include "cli/convert_tables.h"

#include <string.h>

static const cli_option options[] = {
    {.name = "to",
     .argument = "FORMAT",
     .choices = "csv|dat|long|jsonl|trees|json|xml",
     .help = "the format to write, instead of what the name of OUTPUT says"},
    {.name = "to-separator",
     .argument = "CHAR",
     .help = "what separates the columns written: one character, or tab, comma, semicolon"},
    {.name = "to-no-header", .help = "write no header line"},
    {.name = "to-key",
     .argument = "COLUMN",
     .help = "long form: the column that tells persons apart"},
    {.name = "tables",
     .help =
         "INPUT is a JSON file with a list of rows per table (folders and SQLite files are known "
         "by themselves): make tree records of its tables, as --tree says"},
    {.name = "foreign-key",
     .argument = "TABLE.COLUMN=TABLE.COLUMN",
     .repeats = true,
     .help = "tables: a column that points to the key of another table; not needed where both are "
             "called the same, or SQLite declares it"},
    {.name = "table-columns",
     .argument = "TABLE=NAMES",
     .repeats = true,
     .help = "tables: the columns of a file without a header line"},
    {.name = "bin",
     .argument = "CLASS=HOW",
     .repeats = true,
     .help = "tables: groups instead of values: the width of ranges, day, month, quarter, year, "
             "decade, or the file of a hierarchy and, behind @, its level"},
    {.name = "orphans",
     .argument = "WHAT",
     .choices = "error|drop",
     .help = "tables: rows that belong to no row above them: refuse (the default), or leave out"},
    {.name = "hierarchies-to",
     .argument = "FOLDER",
     .help = "tables: write a hierarchy per class: what is above the groups of --bin, else five "
             "values to a group"},
    {.name = "to-tree",
     .argument = "NOTATION",
     .help =
         "tree records to tables (OUTPUT is a folder): which class is in which table, as --tree "
         "says it"},
};

static const cli_example examples[] = {
    {"From semicolons to commas, compressed.",
     "kanon convert patients.csv patients.csv.gz --separator ';' --to-separator ,"},
    {"JSON Lines, without the names.", "kanon convert patients.csv patients.jsonl --id name"},
    {"Tree records out of the tables in a folder: patients.csv, visits.csv.",
     "kanon convert clinic patients.trees --tree 'patients(sex) > visits(hospital, date)' "
     "--foreign-key visits.patient=patients.id --bin date=month"},
    {"And back: a release as tables, with new keys.",
     "kanon convert public.trees tables/ --to-tree 'patients(sex) > visits(hospital, date)'"},
    {"Tree records out of nested JSON.",
     "kanon convert patients.json patients.trees --tree 'patient > visits(hospital) > "
     "findings(diagnosis)'"},
};

/* Whether `path` ends in `ending`, before .gz or .zst. */
static bool is_named(const char *path, const char *ending)
{
    size_t len = strlen(path), ending_len = strlen(ending);

    if (len > 3 && strcmp(path + len - 3, ".gz") == 0) {
        len -= 3;
    } else if (len > 4 && strcmp(path + len - 4, ".zst") == 0) {
        len -= 4;
    }
    return len > ending_len && memcmp(path + len - ending_len, ending, ending_len) == 0;
}

static kn_format format_of(const char *path, kn_format otherwise)
{
    kn_format format;

    return kn_format_from_path(&format, path) ? format : otherwise;
}

/* One character, or the word for one; '\0' if it is neither. */
static char separator_of(const char *text)
{
    static const char *const words[] = {"tab", "comma", "semicolon"};

    for (size_t i = 0; i < CLI_COUNT(words); i++) {
        if (strcmp(text, words[i]) == 0) {
            return "\t,;"[i];
        }
    }
    return (char)(strlen(text) == 1 ? text[0] : '\0');
}

static int choose_layout(const cli_call *call, const kn_dataset *ds, const char *output,
                         kn_layout *layout)
{
    const char *to = cli_value(call, "to"), *separator = cli_value(call, "to-separator");
    const bool was_tab = kn_dataset_layout(ds)->separator == '\t';
    const kn_format was = kn_dataset_layout(ds)->format;

    *layout = *kn_dataset_layout(ds);
    layout->compression = KN_COMPRESSION_AUTO;
    if (to) {
        (void)kn_format_from_name(&layout->format, to);
    } else if (!(was == KN_FORMAT_LONG && format_of(output, was) == KN_FORMAT_CSV)) {
        layout->format = format_of(output, was);
    }
    if ((was == KN_FORMAT_DAT) != (layout->format == KN_FORMAT_DAT)) {
        layout->separator = '\0';
    }
    if (layout->format == KN_FORMAT_DAT) {
        layout->separator = layout->separator ? layout->separator : ' ';
    } else if (is_named(output, ".tsv")) {
        layout->separator = '\t';
    } else if ((was_tab && is_named(output, ".csv")) || layout->separator == '\0') {
        layout->separator = ',';
    }
    if (separator) {
        layout->separator = separator_of(separator);
        if (!layout->separator) {
            return cli_usage("--to-separator: '%.60s' is not one character; give one, or the word "
                             "tab, comma or semicolon",
                             separator);
        }
    }
    layout->no_header = cli_flag(call, "to-no-header");
    layout->no_quotes = false;
    if (cli_value(call, "to-key")) {
        layout->key = cli_value(call, "to-key");
    }
    return 0;
}

static int write_output(const cli_call *call, const kn_relations *r, const kn_dataset *ds,
                        const char *output)
{
    const char *folder = cli_value(call, "hierarchies-to");
    kn_layout layout;
    kn_error err = {0};
    kn_status st;
    int code;

    if (cli_makes_tables(call, output)) {
        return cli_write_tables(call, ds, output);
    }
    code = choose_layout(call, ds, output, &layout);
    if (code) {
        return code;
    }
    st = r && folder ? kn_relations_write(r, ds, output, &layout, 0, folder, &call->run, &err)
                     : kn_write(ds, output, &layout, &call->run, &err);
    return st == KN_OK ? 0 : cli_fail(&err);
}

static int run(cli_call *call)
{
    const char *input = call->arguments[0], *output = call->arguments[1];
    kn_relations *r = NULL;
    kn_dataset *ds = NULL;
    kn_error err = {0};
    bool tables;
    int code = 0;

    if (cli_same_file(input, output)) {
        return cli_usage("%s: the output would overwrite the input; give it another name", output);
    }
    code = cli_refuse_over_tables(call, input, output);
    if (code) {
        return code;
    }
    if (!cli_makes_tables(call, output) &&
        kn_job_refuse_overwriting(call->job, &input, 1, &output, 1, &err) != KN_OK) {
        code = cli_fail(&err);
    } else if (cli_is_tables(call, input, &tables, &err) != KN_OK) {
        code = cli_fail(&err);
    } else if (tables) {
        code = cli_read_tables(call, input, &r, &ds);
    } else if (cli_read(call, input, KN_TABLE_ORIGINAL, &ds, &err) != KN_OK) {
        code = cli_fail(&err);
    }
    code = code ? code : write_output(call, r, ds, output);
    kn_relations_free(r);
    kn_dataset_free(ds);
    return code;
}

const cli_command cmd_convert = {
    .name = "convert",
    .arguments = "INPUT OUTPUT [options]",
    .summary = "between formats; related tables to trees and back",
    .about =
        "Writes the table of INPUT to OUTPUT, in the format that the name of OUTPUT says: .csv, "
        ".tsv, .dat, .jsonl, for tree records .trees, .json, .xml, each with .gz or .zst behind it "
        "for compression.\n"
        "INPUT may also be a set of related tables (a folder with a file per table, an SQLite file, or "
        "with --tables a JSON file), of which --tree makes tree records; and OUTPUT a folder, into which "
        "tree records are written as tables with new keys.\n"
        "Nothing is anonymised: all columns are copied, identifiers too, except those that "
        "--id, --drop or a schema leave out. INPUT is never overwritten.",
    .groups = KN_GROUP_COLUMNS | KN_GROUP_LAYOUT | KN_GROUP_HIERARCHIES | KN_GROUP_RUN,
    CLI_OPTIONS(options),
    .common = "to|to-separator|to-no-header|format|separator|no-header|tables",
    .writes = "hierarchies-to",
    .written = 2,
    CLI_EXAMPLES(examples),
    .least = 2,
    .most = 2,
    .run = run,
};
