/* convert_tables.c - kanon convert from related tables to tree records, and back. */
#include "cli/convert_tables.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static bool is_folder(const char *path)
{
    struct stat info;

    return stat(path, &info) == 0 && S_ISDIR(info.st_mode);
}

/* The system could not say what `input` is, for the reason `error`. A path that is wrong or may not
 * be read is left to the reader, which says why. */
static kn_status unreadable(const char *input, int error, kn_error *err)
{
    if (error == ENOENT || error == ENOTDIR || error == EACCES || error == EPERM ||
        error == ELOOP || error == ENAMETOOLONG) {
        return KN_OK;
    }
    err->status = KN_EIO;
    (void)snprintf(err->message, sizeof err->message, "%.300s: cannot be read: %s", input,
                   strerror(error));
    return KN_EIO;
}

/* Without fopen, which needs memory. */
static kn_status find_sqlite(const char *path, bool *found, kn_error *err)
{
    char head[16] = "";
    const int fd = open(path, O_RDONLY | O_CLOEXEC);
    const ssize_t got = fd >= 0 ? read(fd, head, sizeof head) : -1;
    const int why = errno;

    *found = got == sizeof head && memcmp(head, "SQLite format 3", sizeof head) == 0;
    if (fd >= 0) {
        (void)close(fd);
    }
    return got < 0 ? unreadable(path, why, err) : KN_OK;
}

kn_status cli_is_tables(const cli_call *call, const char *input, bool *is, kn_error *err)
{
    struct stat info;

    *is = cli_flag(call, "tables");
    if (*is) {
        return KN_OK;
    }
    if (stat(input, &info) != 0) {
        return unreadable(input, errno, err);
    }
    *is = S_ISDIR(info.st_mode);
    return S_ISREG(info.st_mode) ? find_sqlite(input, is, err) : KN_OK;
}

bool cli_makes_tables(const cli_call *call, const char *output)
{
    const size_t len = strlen(output);

    return cli_value(call, "to-tree") || is_folder(output) || (len && output[len - 1] == '/');
}

static bool ends_with(const char *name, size_t len, const char *ending)
{
    const size_t more = strlen(ending);

    return len > more && memcmp(name + len - more, ending, more) == 0;
}

static bool is_table_name(const char *name)
{
    static const char *const endings[] = {".csv", ".tsv", ".tbl", ".jsonl"};
    size_t len = strlen(name);

    len -= ends_with(name, len, ".gz") ? strlen(".gz") : 0;
    len -= ends_with(name, len, ".zst") ? strlen(".zst") : 0;
    for (size_t i = 0; i < sizeof endings / sizeof *endings; i++) {
        if (ends_with(name, len, endings[i])) {
            return true;
        }
    }
    return false;
}

/* Whether `path` is a file that is there already, of a table in `folder`. */
static bool is_table_of(const char *path, const char *folder)
{
    char real[PATH_MAX], *slash;

    if (!is_folder(folder) || !realpath(path, real)) {
        return false;
    }
    slash = strrchr(real, '/');
    *slash = '\0';
    return cli_same_file(slash == real ? "/" : real, folder) && is_table_name(slash + 1);
}

/* Whether a hierarchy that --hierarchies-to writes for `of` would replace the file of one of
 * `bins`, CLASS=FILE. */
static bool is_read_for_bins(const char *folder, const char *of, const char *const *bins,
                             size_t count)
{
    char path[PATH_MAX], file[PATH_MAX];

    (void)snprintf(path, sizeof path, "%s/%.*s.csv", folder, (int)strcspn(of, "="), of);
    for (size_t i = 0; i < count; i++) {
        const char *from = strchr(bins[i], '=');
        (void)snprintf(file, sizeof file, "%s", from ? from + 1 : "");
        file[strcspn(file, "@")] = '\0';
        if (cli_same_file(path, file)) {
            return true;
        }
    }
    return false;
}

int cli_refuse_over_tables(const cli_call *call, const char *input, const char *output)
{
    const char *folder = cli_value(call, "hierarchies-to"), *bins[CLI_MOST_VALUES];
    const size_t count = cli_values(call, "bin", bins);

    if (is_table_of(output, input)) {
        return cli_usage("%s: the output would overwrite a table of the input; give it another "
                         "name",
                         output);
    }
    if (folder && cli_same_file(folder, input)) {
        return cli_usage("--hierarchies-to %s: this is the folder of the tables; give another one",
                         folder);
    }
    for (size_t i = 0; folder && i < count; i++) {
        if (is_read_for_bins(folder, bins[i], bins, count)) {
            return cli_usage("--hierarchies-to %s: the hierarchies would overwrite one that --bin "
                             "reads; give another folder",
                             folder);
        }
    }
    return 0;
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

    if (!copy) {
        (void)snprintf(err->message, sizeof err->message, "out of memory");
        return err->status = KN_ENOMEM;
    }
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

int cli_read_tables(const cli_call *call, const char *input, kn_relations **r, kn_dataset **out)
{
    const char *tree = kn_job_get(call->job, "tree", 0);
    kn_error err = {0};
    kn_status st;
    int code;

    if (!tree) {
        return cli_usage(
            "%s: to make tree records of tables, say how with --tree: 'customer(nation) "
            "> orders(price, date)'",
            input);
    }
    st = kn_relations_open(r, input, &err);
    if (st != KN_OK) {
        return cli_fail(&err);
    }
    code = set_up(call, *r);
    if (code) {
        return code;
    }
    st = kn_relations_trees(out, *r, tree, NULL, &call->run, &err);
    if (st == KN_OK) {
        st = set_roles(call, *out, &err);
    }
    if (st != KN_OK) {
        return cli_fail(&err);
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
    if (cli_value(call, "hierarchies-to")) {
        return cli_usage("--hierarchies-to is for an output of tree records: give it when you make "
                         "them of tables, as in 'kanon convert FOLDER FILE.trees'");
    }
    return kn_trees_write_tables(ds, tree, output, &call->run, &err) == KN_OK ? 0 : cli_fail(&err);
}
