/* cmd_sample.c - kanon sample: synthetic data to try things on. */
#include "cli/cli.h"
#include "sample/generate.h"

#include <string.h>

static const cli_option options[] = {
    {.name = "records",
     .argument = "N",
     .help =
         "how many records; the default is 1000 (informs 36553, youtube 131780, towers 4427486)"},
    {.name = "output",
     .letter = 'o',
     .argument = "FILE",
     .help = "where to write the table; the default is standard output"},
    {.name = "hierarchies",
     .argument = "FOLDER",
     .help = "also write the hierarchies of its columns into this folder"},
    {.name = "coordinates",
     .argument = "FILE",
     .help = "towers: also write where the towers are, as item,lat,lon"},
    {.name = "schema",
     .argument = "FILE",
     .help = "also write a schema: roles, types, hierarchies"},
};

static const cli_example examples[] = {
    {"A table of 5,000 people that do not exist, with all that is needed to anonymise it.",
     "kanon sample people --records 5000 --seed 1 -o people.csv --hierarchies hierarchies "
     "--schema people.schema.json"},
    {"A million people's incomes, a line each.",
     "kanon sample income --records 1000000 -o income.dat"},
    {"Patients with sets of diagnoses, and the hierarchy of the codes.",
     "kanon sample clinic --records 20000 -o clinic.csv --hierarchies hierarchies --schema "
     "clinic.schema.json"},
    {"A million customers with their orders as trees, with a hierarchy per class.",
     "kanon sample orders --records 1000000 -o orders.trees --hierarchies hierarchies --schema "
     "orders.schema.json"},
    {"The towers that 100,000 people were seen at, and where the towers are.",
     "kanon sample towers --records 100000 -o towers.dat --coordinates towers.csv"},
};

static int unknown_sample(const char *name)
{
    size_t count;
    const char *const *names = kn__sample_names(&count);
    const char *near = kn_nearest(name, names, count);

    char list[200] = "";
    size_t len = 0;

    if (near) {
        return cli_usage("there is no sample '%.60s'; did you mean '%s'?", name, near);
    }
    for (size_t i = 0; i < count && len < sizeof list; i++) {
        len += (size_t)snprintf(list + len, sizeof list - len, "%s%s", i ? ", " : "", names[i]);
    }
    return cli_usage("there is no sample '%.60s'; there are: %s", name, list);
}

static int run(cli_call *call)
{
    const char *name = call->arguments[0], *output = cli_value(call, "output");
    const char *folder = cli_value(call, "hierarchies"), *schema = cli_value(call, "schema");
    const char *places = cli_value(call, "coordinates");
    size_t records = kn__sample_records(name), count;
    const char *const *names = kn__sample_names(&count);
    kn_error err = {0};
    kn_status st;
    bool known = false;
    int code = cli_count(call, "records", 0, &records);

    for (size_t i = 0; i < count; i++) {
        known = known || strcmp(names[i], name) == 0;
    }
    if (!known) {
        return unknown_sample(name);
    }
    if (code) {
        return code;
    }
    if (schema && output && strcmp(schema, output) == 0) {
        return cli_usage("--schema and --output are the same file; give two names");
    }
    if (places &&
        ((output && strcmp(places, output) == 0) || (schema && strcmp(places, schema) == 0))) {
        return cli_usage("--coordinates and another option name the same file; give two names");
    }
    st = kn_sample_write_files(name, records,
                               &(kn_sample_files){.table = output ? output : "-",
                                                  .hierarchies = folder,
                                                  .coordinates = places,
                                                  .schema = schema,
                                                  .schema_folder = folder},
                               &call->run, &err);
    return st == KN_OK ? 0 : cli_fail(&err);
}

const cli_command cmd_sample = {
    .name = "sample",
    .arguments = "NAME [options]",
    .summary = "synthetic data, any size, the same for the same seed",
    .about =
        "Writes data about people that do not exist: people, a table whose columns hang "
        "together as real ones do; income, the incomes of a person a line (bags of numbers, "
        ".dat); baskets, what was bought at once (sets of items, .dat); clinic, patients with "
        "sets of diagnosis codes; informs and youtube, tables with item sets of the shapes of "
        "the paper on these; loans, "
        "a bank's clients, what they earn, save and owe, and whether they paid it back; towers, "
        "the cell towers that each person was seen at (sets of places, .dat, with coordinates); orders, "
        "tree records of the shape of the paper on these (customers, orders, items, .trees); "
        "clinic-trees, tree records of patients (hospitals, diagnoses, treatments). The same name, size and seed give the same bytes.",
    .groups = KN_GROUP_SEED | KN_GROUP_RUN,
    CLI_OPTIONS(options),
    .words = "people|income|baskets|clinic|informs|youtube|loans|towers|orders|clinic-trees",
    .writes = "output|hierarchies|schema|coordinates",
    CLI_EXAMPLES(examples),
    .least = 1,
    .most = 1,
    .run = run,
};
