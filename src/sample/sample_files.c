/* sample_files.c - the files of a sample: its table, hierarchies, and a schema that points to them.
 */
#include "base/buffer.h"
#include "base/error.h"
#include "base/memory.h"
#include "data/value.h"
#include "io/bytes/file.h"
#include "io/bytes/paths.h"
#include "sample/generate.h"
#include "sample/sample.h"

#include <errno.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* ---- hierarchies ---- */

/* Write FOLDER/COLUMN.csv, the rows of its hierarchy; the sink is finished, not committed. */
static kn_status put_rows(kn_sink **sink, const kn_sample_column *c, const void *tables,
                          const char *folder, kn_error *err)
{
    kn_buffer path = {0}, rows = {0};
    kn_status status;

    kn__buffer_addf(&path, "%s/%s.csv", folder, c->name);
    c->hierarchy(tables, &rows);
    KN_TRY(path.failed || rows.failed ? kn__nomem(err) : KN_OK);
    KN_TRY(kn__sink_put(sink, path.data, KN_COMPRESSION_NONE, rows.data, rows.len, err));
done:
    kn__buffer_free(&rows);
    kn__buffer_free(&path);
    return status;
}

/* Make `folder` if it does not exist (then `*made`), and write the hierarchies of all columns. */
static kn_status put_hierarchies(kn_sink **sinks, const kn_sample *s, const void *tables,
                                 const char *folder, bool *made, kn_error *err)
{
    KN_PASS(kn__folder_make(folder, made, err));
    for (size_t i = 0; i < s->columns_count; i++) {
        if (s->columns[i].hierarchy) {
            KN_PASS(put_rows(&sinks[i], &s->columns[i], tables, folder, err));
        }
    }
    return KN_OK;
}

/* ---- schema ---- */

/* The folder that `path` is in, and, if `whole`, `path` itself, as an absolute path without links.
 * The last part of `path` need not exist. */
static kn_status resolve(const char *path, bool whole, char out[PATH_MAX], kn_error *err)
{
    char parent[PATH_MAX];
    size_t len = strlen(path), name;

    if (whole && realpath(path, out)) {
        return KN_OK;
    }
    while (len > 1 && path[len - 1] == '/') {
        len--;
    }
    for (name = len; name > 0 && path[name - 1] != '/'; name--) {
    }
    if (len == 0 || len >= PATH_MAX - 2) {
        return kn__fail_errno(err, path, "cannot be used as a path", len ? ENAMETOOLONG : ENOENT);
    }
    memcpy(parent, path, name);
    memcpy(parent + name, ".", 2);
    if (!realpath(parent, out)) {
        return kn__fail_errno(err, path, "cannot find its folder", errno);
    }
    if (whole) {
        const size_t end = strlen(out);
        if (end + 1 + (len - name) >= PATH_MAX) {
            return kn__fail_errno(err, path, "cannot be used as a path", ENAMETOOLONG);
        }
        out[end] = '/';
        memcpy(out + end + 1, path + name, len - name);
        out[end + 1 + (len - name)] = '\0';
    }
    return KN_OK;
}

/* The way from folder `from` to folder `to`, both absolute, each step followed by a slash: "",
 * "h/", "../h/". */
static void add_way(kn_buffer *out, const char *from, const char *to)
{
    size_t same = 0, i;

    for (i = 0; from[i] && from[i] == to[i]; i++) {
        if (from[i] == '/') {
            same = i + 1;
        }
    }
    if ((from[i] == '\0' || from[i] == '/') && (to[i] == '\0' || to[i] == '/')) {
        same = i;
    }
    for (const char *p = from + same; *p;) {
        p += strspn(p, "/");
        if (*p) {
            kn__buffer_adds(out, "../");
            p += strcspn(p, "/");
        }
    }
    to += same + strspn(to + same, "/");
    if (*to) {
        kn__buffer_adds(out, to);
        kn__buffer_addc(out, '/');
    }
}

static void add_json(kn_buffer *out, const char *text)
{
    for (; *text; text++) {
        if (*text == '"' || *text == '\\') {
            kn__buffer_addc(out, '\\');
            kn__buffer_addc(out, *text);
        } else if ((unsigned char)*text < 0x20) {
            kn__buffer_addf(out, "\\u%04x", (unsigned)(unsigned char)*text);
        } else {
            kn__buffer_addc(out, *text);
        }
    }
}

static void add_schema(kn_buffer *out, const kn_sample *s, const char *way)
{
    kn__buffer_adds(out, s->trees ? "{\n  \"classes\": [" : "{\n  \"missing\": [\"\"],\n");
    for (size_t i = 0; s->trees && i < s->columns_count; i++) {
        kn__buffer_addf(out, "%s\"%s\"", i ? ", " : "", s->columns[i].name);
    }
    kn__buffer_adds(out, s->trees ? "],\n  \"columns\": {\n" : "  \"columns\": {\n");
    for (size_t i = 0; i < s->columns_count; i++) {
        const kn_sample_column *c = &s->columns[i];
        kn__buffer_addf(out, "    \"%s\": { \"role\": \"%s\", \"type\": \"%s\"", c->name,
                        kn_role_name(c->role), kn_type_name(c->type));
        if (way && c->hierarchy) {
            kn__buffer_adds(out, ", \"hierarchy\": \"");
            add_json(out, way);
            kn__buffer_addf(out, "%s.csv\"", c->name);
        }
        kn__buffer_addf(out, " }%s\n", i + 1 < s->columns_count ? "," : "");
    }
    kn__buffer_adds(out, "  }\n}\n");
}

/* Write the schema that will stand at `path`; the sink is finished, not committed. */
static kn_status put_schema(kn_sink **sink, const kn_sample *s, const char *path,
                            const char *folder, kn_error *err)
{
    char from[PATH_MAX] = "", to[PATH_MAX] = "";
    kn_buffer way = {0}, text = {0};
    kn_status status;

    if (folder) {
        KN_TRY(resolve(strcmp(path, "-") == 0 ? "./-" : path, false, from, err));
        KN_TRY(resolve(folder, true, to, err));
        if (!kn__utf8_valid(to, strlen(to), NULL)) {
            KN_TRY(kn__fail(
                err, KN_EUSAGE,
                "the folder of the hierarchies has a name that is not UTF-8, which a schema "
                "cannot hold: use another"));
        }
        add_way(&way, from, to);
        kn__buffer_addc(&way, '\0'); /* so that there is text also when the way is empty */
    }
    add_schema(&text, s, way.data);
    KN_TRY(way.failed || text.failed ? kn__nomem(err) : KN_OK);
    KN_TRY(kn__sink_put(sink, path, KN_COMPRESSION_AUTO, text.data, text.len, err));
done:
    kn__buffer_free(&text);
    kn__buffer_free(&way);
    return status;
}

/* ---- coordinates ---- */

/* Write where the items of the sample are; the sink is finished, not committed. */
static kn_status put_coordinates(kn_sink **sink, const kn_sample *s, const void *tables,
                                 const char *path, kn_error *err)
{
    kn_buffer text = {0};
    kn_status status;

    if (!s->coordinates) {
        return kn__fail(err, KN_EUSAGE,
                        "the items of the sample \"%s\" have no coordinates; those of towers have",
                        s->name);
    }
    s->coordinates(tables, &text);
    KN_TRY(text.failed ? kn__nomem(err) : KN_OK);
    KN_TRY(kn__sink_put(sink, path, KN_COMPRESSION_AUTO, text.data, text.len, err));
done:
    kn__buffer_free(&text);
    return status;
}

/* ---- all files ---- */

kn_status kn_sample_write_files(const char *name, size_t records, const kn_sample_files *files,
                                const kn_run *run, kn_error *err)
{
    const kn_sample *s = NULL;
    void *tables = NULL;
    kn_sink **sinks = NULL;
    size_t count;
    bool made = false; /* the folder, by this call */
    kn_status status = kn__sample_find(name, &s, err);

    if (status != KN_OK) {
        return status;
    }
    status = s->open(&tables, err);
    if (status != KN_OK) {
        return status;
    }
    count = s->columns_count + 3; /* the table, a hierarchy per column, coordinates, the schema */
    sinks = kn__zalloc_array(count, sizeof(kn_sink *));
    KN_TRY(sinks ? KN_OK : kn__nomem(err));
    if (files->table) {
        KN_TRY(kn__sample_put_table(&sinks[0], s, tables, records, files->table, run, err));
    }
    if (files->hierarchies) {
        KN_TRY(put_hierarchies(sinks + 1, s, tables, files->hierarchies, &made, err));
    }
    if (files->coordinates) {
        KN_TRY(put_coordinates(&sinks[count - 2], s, tables, files->coordinates, err));
    }
    if (files->schema) {
        KN_TRY(put_schema(&sinks[count - 1], s, files->schema, files->schema_folder, err));
    }
    KN_TRY(kn__sinks_commit(sinks, count, err));
done:
    for (size_t i = 0; sinks && i < count; i++) {
        kn__sink_abandon(sinks[i]);
    }
    if (status != KN_OK && made) {
        (void)rmdir(files->hierarchies);
    }
    kn__free(sinks);
    s->close(tables);
    return status;
}

kn_status kn__sample_write(const char *name, size_t records, const char *path, const kn_run *run,
                           kn_error *err)
{
    return kn_sample_write_files(name, records, &(kn_sample_files){.table = path}, run, err);
}

kn_status kn__sample_write_hierarchies(const char *name, const char *folder, kn_error *err)
{
    return kn_sample_write_files(name, 0, &(kn_sample_files){.hierarchies = folder}, NULL, err);
}

kn_status kn__sample_write_schema(const char *name, const char *path, const char *folder,
                                  kn_error *err)
{
    return kn_sample_write_files(name, 0,
                                 &(kn_sample_files){.schema = path, .schema_folder = folder}, NULL,
                                 err);
}
