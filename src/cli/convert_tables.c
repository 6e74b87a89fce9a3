/* convert_tables.c - kanon convert from related tables to tree records, and back. */
#include "cli/convert_tables.h"
#include "kanon/relations.h"

#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

static bool is_folder(const char *path)
{
    struct stat info;

    return stat(path, &info) == 0 && S_ISDIR(info.st_mode);
}

static bool is_sqlite(const char *path)
{
    char head[16] = "";
    FILE *file = strcmp(path, "-") == 0 ? NULL : fopen(path, "rb");
    const size_t got = file ? fread(head, 1, sizeof head, file) : 0;

    if (file) {
        (void)fclose(file);
    }
    return got == sizeof head && memcmp(head, "SQLite format 3", sizeof head) == 0;
}

bool cli_is_tables(const cli_call *call, const char *input)
{
    return cli_flag(call, "tables") || is_folder(input) || is_sqlite(input);
}

bool cli_makes_tables(const char *output)
{
    const size_t len = strlen(output);

    return is_folder(output) || (len && output[len - 1] == '/');
}

/* "NAME=VALUE" of a repeated option, given to `set`. */
static int each_pair(const cli_call *call, kn_relations *r, const char *option,
                     kn_status (*set)(kn_relations *r, const char *name, const char *value,
                                      kn_error *err))
{
    const char *values[CLI_MOST_VALUES];
    const size_t count = cli_values(call, option, values);

    for (size_t i = 0; i < count; i++) {
        const char *equals = strchr(values[i], '=');
        char name[256];
        kn_error err = {0};
        if (!equals || equals == values[i] || (size_t)(equals - values[i]) >= sizeof name) {
            return cli_usage("--%s: '%.60s' is no NAME=VALUE", option, values[i]);
        }
        memcpy(name, values[i], (size_t)(equals - values[i]));
        name[equals - values[i]] = '\0';
        if (set(r, name, equals + 1, &err) != KN_OK) {
            return cli_fail(&err);
        }
    }
    return 0;
}

/* "a,b,c" as the columns of a table. */
static kn_status set_columns(kn_relations *r, const char *table, const char *list, kn_error *err)
{
    enum { MOST = 1000 };
    const char *names[MOST];
    size_t count = 0;
    char *copy = strdup(list);
    kn_status status;

    for (char *at = copy, *next; at && count < MOST; at = next) {
        next = strchr(at, ',');
        if (next) {
            *next++ = '\0';
        }
        names[count++] = at;
    }
    status = kn_relations_set_columns(r, table, names, count, err);
    free(copy);
    return status;
}

static int set_up(const cli_call *call, kn_relations *r)
{
    const char *keys[CLI_MOST_VALUES];
    const size_t count = cli_values(call, "foreign-key", keys);
    int code = each_pair(call, r, "table-columns", set_columns);

    if (code == 0) {
        code = each_pair(call, r, "bin", kn_relations_set_bin);
    }
    for (size_t i = 0; i < count && code == 0; i++) {
        kn_error err = {0};
        if (kn_relations_add_key(r, keys[i], &err) != KN_OK) {
            code = cli_fail(&err);
        }
    }
    if (cli_value(call, "orphans") && strcmp(cli_value(call, "orphans"), "drop") == 0) {
        kn_relations_set_orphans(r, KN_ORPHANS_DROP);
    }
    return code;
}

/* --id and --drop leave classes out. */
static kn_status set_roles(const cli_call *call, kn_dataset *ds, kn_error *err)
{
    static const char *const options[] = {"id", "drop"};
    static const kn_role roles[] = {KN_ROLE_IDENTIFIER, KN_ROLE_DROPPED};
    kn_status status = KN_OK;

    for (size_t o = 0; o < 2; o++) {
        const char *name;
        for (size_t i = 0; status == KN_OK && (name = kn_job_get(call->job, options[o], i)); i++) {
            const size_t column = kn_dataset_find(ds, name);
            status = kn_dataset_set_role(ds, column, roles[o], err);
        }
    }
    return status;
}

int cli_read_tables(const cli_call *call, const char *input, kn_dataset **out)
{
    const char *tree = kn_job_get(call->job, "tree", 0),
               *folder = cli_value(call, "hierarchies-to");
    kn_relations *r = NULL;
    kn_error err = {0};
    kn_status st;
    int code;

    *out = NULL;
    if (!tree) {
        return cli_usage(
            "%s: to make tree records of tables, say how with --tree: 'customer(nation) "
            "> orders(price, date)'",
            input);
    }
    st = kn_relations_open(&r, input, &err);
    if (st != KN_OK) {
        return cli_fail(&err);
    }
    code = set_up(call, r);
    if (code == 0) {
        st = kn_relations_trees(out, r, tree, NULL, &call->run, &err);
        if (st == KN_OK) {
            st = set_roles(call, *out, &err);
        }
        if (st == KN_OK && folder) {
            st = kn_relations_write_hierarchies(r, *out, 0, folder, &err);
        }
        code = st == KN_OK ? 0 : cli_fail(&err);
    }
    kn_relations_free(r);
    if (code) {
        kn_dataset_free(*out);
        *out = NULL;
        return code;
    }
    cli_print_notes(call, *out);
    return 0;
}

int cli_write_tables(const cli_call *call, const kn_dataset *ds, const char *output)
{
    const char *tree = cli_value(call, "to-tree") ? cli_value(call, "to-tree")
                                                  : kn_job_get(call->job, "tree", 0);
    kn_error err = {0};

    if (!tree) {
        return cli_usage("%s: to write tree records as tables, say how with --to-tree: "
                         "'customer(nation) > orders(price, date)'",
                         output);
    }
    return kn_trees_write_tables(ds, tree, output, &call->run, &err) == KN_OK ? 0 : cli_fail(&err);
}
