/* cmd_apply.c - kanon apply: what a model says of records. */
#include "cli/cli.h"
#include "cli/json.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

static const cli_option options[] = {
    {.name = "output",
     .letter = 'o',
     .argument = "FILE",
     .help = "where to write the table with the column of answers; - is standard output"},
    {.name = "name",
     .argument = "COLUMN",
     .help = "what the new column is called; the default is predicted, cluster or expected"},
    {.name = "job",
     .argument = "FILE",
     .help = "take columns and layout from a job file; options given here win"},
    {.name = "json", .help = "print the counts as JSON"},
};

static const cli_example examples[] = {
    {"Which class does the tree predict for new clients?",
     "kanon apply tree.json clients.csv --id name -o scored.csv"},
    {"How often is it right on records whose class is known?",
     "kanon apply tree.pmml test.csv -o /dev/null"},
};

static double share_of(uint64_t right, size_t records)
{
    return records ? (double)right / (double)records : 0;
}

/* The counts as JSON, which end with a newline; NULL when memory is out. */
static char *counts(size_t records, uint64_t right)
{
    json_t *root = json_pack("{s:I}", "records", (json_int_t)records);

    if (root && right != UINT64_MAX &&
        (json_object_set_new(root, "right", json_integer((json_int_t)right)) != 0 ||
         json_object_set_new(root, "accuracy", cli_json_number(share_of(right, records))) != 0)) {
        json_decref(root);
        return NULL;
    }
    return cli_json_line(root);
}

static void say(const cli_call *call, size_t records, uint64_t right)
{
    if (!call->json && !call->quiet && right != UINT64_MAX) {
        (void)fprintf(stderr, "right for %" PRIu64 " of %zu records (%.2f %%)\n", right, records,
                      100 * share_of(right, records));
    }
}

static int run(cli_call *call)
{
    static const char *const names[] = {"predicted", "cluster", "expected"};
    const char *output = cli_value(call, "output"), *name = cli_value(call, "name");
    const char *model_path = call->arguments[0], *path = call->arguments[1];
    kn_model *model = NULL;
    kn_dataset *ds = NULL;
    kn_error err = {0};
    uint64_t right = UINT64_MAX;
    char *json = NULL;
    kn_status status;
    int code;

    if (!output) {
        return cli_usage("name the output: kanon apply MODEL DATA -o OUTPUT");
    }
    if (call->json && strcmp(output, "-") == 0) {
        return cli_usage("--json and -o - both write to standard output; choose a file for one");
    }
    CLI_TRY(kn_job_refuse_overwriting(call->job, (const char *const[]){model_path, path}, 2,
                                      &output, 1, &err));
    CLI_TRY(kn_model_read(&model, model_path, &err));
    CLI_TRY(cli_read(call, path, KN_TABLE_ORIGINAL, &ds, &err));
    name = name ? name : names[kn_model_kind_of(model)];
    CLI_TRY(kn_model_apply(&right, model, ds, name, &call->run, &err));
    if (call->json && !(json = counts(kn_dataset_records(ds), right))) {
        status = err.status = KN_ENOMEM;
        goto done;
    }
    CLI_TRY(json ? kn_write_and_print(ds, output, NULL, json, &call->run, &err)
                 : kn_write(ds, output, NULL, &call->run, &err));
    say(call, kn_dataset_records(ds), right);
done:
    cli_progress_end();
    code = status == KN_OK ? 0 : cli_fail(&err);
    free(json);
    kn_dataset_free(ds);
    kn_model_free(model);
    return code;
}

const cli_command cmd_apply = {
    .name = "apply",
    .arguments = "MODEL DATA -o OUTPUT [options]",
    .summary = "what a model says of records: the class, the cluster, the items expected",
    .about =
        "Reads a model (JSON of kanon, PMML, rules as CSV) and a table, and writes the table with "
        "one column more: the class that a tree predicts, the cluster that a record belongs to, or "
        "the items that rules expect beside those that are there. It is empty where the model has "
        "no answer. Identifiers (--id) and dropped columns are left out; all other columns "
        "are copied, so OUTPUT is as confidential as DATA: nothing in it is anonymised.\n"
        "Where the table has the column of the class, it is counted how often the tree is right.",
    .groups = KN_GROUP_COLUMNS | KN_GROUP_LAYOUT | KN_GROUP_RUN,
    CLI_OPTIONS(options),
    .writes = "output",
    CLI_EXAMPLES(examples),
    .least = 2,
    .most = 2,
    .run = run,
};
