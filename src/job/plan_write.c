/* plan_write.c - a plan as files: schema.json with the reasons as comments, job.json, and the
 * hierarchies. All of them appear, or none. */
#include "base/args.h"
#include "base/buffer.h"
#include "base/error.h"
#include "base/json.h"
#include "base/memory.h"
#include "hierarchy/hierarchy.h"
#include "io/bytes/file.h"
#include "job/plan.h"

#include <errno.h>
#include <jansson.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static const double MOST_FREQUENT = 0.8; /* of a sensitive value, for l-diversity to be reachable */

static size_t count_role(const kn_plan *plan, kn_role role, bool lists)
{
    size_t count = 0;

    for (size_t i = 0; i < plan->ds->columns; i++) {
        count += plan->column[i].role == role && kn__type_is_list(plan->column[i].type) == lists;
    }
    return count;
}

/* ---- schema ---- */

static json_t *texts_json(const kn_job *job, const char *option)
{
    json_t *list = json_array();
    const char *text;

    for (size_t i = 0; (text = kn_job_get(job, option, i)); i++) {
        (void)json_array_append_new(list, json_string(text));
    }
    return list;
}

static json_t *column_json(const kn_plan *plan, size_t i, const char *file)
{
    const kn_plan_column *c = &plan->column[i];
    const bool quasi = c->role == KN_ROLE_QUASI;
    json_t *o = json_object();

    (void)json_object_set_new(o, "role", json_string(kn_role_name(c->role)));
    if (c->coded && quasi) {
        (void)json_object_set_new(o, "type", json_string("category"));
    }
    if (file) {
        (void)json_object_set_new(o, "hierarchy", json_sprintf("hierarchies/%s", file));
    }
    (void)json_object_set_new(o, "comment",
                              json_sprintf("%s%s%s%s", c->doubtful ? "UNSURE: " : "", c->reason,
                                           quasi && c->hierarchy.words[0] ? "; " : "",
                                           quasi ? c->hierarchy.words : ""));
    return o;
}

static const char *const schema_words[] = {
    "Written by kanon init after looking at the table: look at every role before you publish.",
    "identifier: left out. quasi-identifier: others may know it, so it is generalised. sensitive: what "
    "others must not learn about a person, published as it is.",
    "kept: published as it is. dropped: left out. A comment that begins with UNSURE has only counts "
    "behind it."};

static json_t *words_json(const char *const *words, size_t count)
{
    json_t *list = json_array();

    for (size_t i = 0; i < count; i++) {
        (void)json_array_append_new(list, json_string(words[i]));
    }
    return list;
}

/* The file of each column's hierarchy, by name of the column; NULL where it has none. */
static kn_status file_of(char **out, const kn_hierarchies *hs, const char *column, kn_error *err)
{
    const kn_hierarchy *h = kn_hierarchies_get(hs, column);
    kn_buffer name = {0};
    kn_status status;

    *out = NULL;
    if (!h) {
        return KN_OK;
    }
    status = kn__hierarchy_file_name(&name, h, column, err);
    return status == KN_OK ? kn__buffer_take(&name, out, err) : status;
}

static kn_status make_schema(json_t **out, const kn_plan *plan, const kn_hierarchies *hs,
                             kn_error *err)
{
    json_t *root = json_object(), *columns = json_object();
    json_t *comment = words_json(schema_words, sizeof schema_words / sizeof *schema_words);
    kn_status status = KN_OK;

    (void)json_object_set_new(root, "comment", comment);
    if (plan->person != SIZE_MAX) {
        (void)json_array_append_new(
            comment, json_string("group_by: the rows of a person become one record, and of every "
                                 "other column only the first value is published. To publish all "
                                 "values of a column, name it under collect (docs/rt.md)."));
    }
    if (kn_job_get(plan->job, "missing", 0)) {
        (void)json_object_set_new(root, "missing", texts_json(plan->job, "missing"));
    }
    if (plan->person != SIZE_MAX) {
        (void)json_object_set_new(root, "group_by",
                                  json_pack("[s]", plan->column[plan->person].name));
    }
    for (size_t i = 0; i < plan->ds->columns; i++) {
        char *file = NULL;
        KN_TRY(file_of(&file, hs, plan->column[i].name, err));
        (void)json_object_set_new(columns, plan->column[i].name, column_json(plan, i, file));
        kn__free(file);
    }
    (void)json_object_set(root, "columns", columns);
    *out = json_incref(root);
done:
    json_decref(columns);
    json_decref(root);
    return status;
}

/* ---- job ---- */

/* `*column`: a sensitive column with a value that most records hold; SIZE_MAX if there is none. */
static kn_status find_common(size_t *column, const kn_plan *plan, kn_error *err)
{
    *column = SIZE_MAX;
    for (size_t i = 0; i < plan->ds->columns && *column == SIZE_MAX; i++) {
        double share = 0;
        if (plan->column[i].role == KN_ROLE_SENSITIVE && !kn__type_is_list(plan->column[i].type)) {
            KN_PASS(kn__plan_top_share(&share, plan, i, err));
        }
        if (!(share <= MOST_FREQUENT)) {
            *column = i;
        }
    }
    return KN_OK;
}

static kn_status add_guarantees(json_t *list, const kn_plan *plan, json_t *comment, kn_error *err)
{
    const size_t items = count_role(plan, KN_ROLE_QUASI, true);
    const size_t quasi = count_role(plan, KN_ROLE_QUASI, false);
    size_t column = 0;
    kn_status status = KN_OK;

    if (items && quasi) {
        (void)json_array_append_new(list, json_pack("{s:s, s:i, s:i}", "name", "k-km-anonymity",
                                                    "k", KN_PLAN_K, "m", KN_PLAN_M));
    } else if (items) {
        (void)json_array_append_new(list, json_pack("{s:s, s:i, s:i}", "name", "km-anonymity", "k",
                                                    KN_PLAN_K, "m", KN_PLAN_M));
    } else {
        (void)json_array_append_new(list,
                                    json_pack("{s:s, s:i}", "name", "k-anonymity", "k", KN_PLAN_K));
    }
    if (!items && !count_role(plan, KN_ROLE_SENSITIVE, false)) {
        (void)json_array_append_new(
            comment,
            json_string(
                "No column is called sensitive, so the release hides which record is whose, "
                "but not what a group of records has in common."));
    }
    if (items || !count_role(plan, KN_ROLE_SENSITIVE, false)) {
        goto done;
    }
    KN_TRY(find_common(&column, plan, err));
    if (column == SIZE_MAX) {
        (void)json_array_append_new(list, json_pack("{s:s, s:i, s:s, s:i}", "name", "l-diversity",
                                                    "l", 2, "diversity", "recursive", "c", 9));
        (void)json_array_append_new(
            comment, json_string("l-diversity: no sensitive value has more than 90 % of a group of "
                                 "look-alikes."));
    } else {
        (void)json_array_append_new(
            comment,
            json_sprintf("No l-diversity: one value of %s is held by more than %.0f %% of "
                         "the records. Drop the column, or group its values, to ask for it.",
                         plan->column[column].name, 100 * MOST_FREQUENT));
    }
done:
    return status;
}

/* release.EXT: that of the input, without compression. */
static const char *extension(const kn_plan *plan)
{
    switch (plan->ds->layout.format) {
    case KN_FORMAT_DAT: return "dat";
    case KN_FORMAT_JSONL: return "jsonl";
    default: return plan->ds->layout.separator == '\t' ? "tsv" : "csv";
    }
}

/* Roles and missing values are in the schema; what is left is the layout. */
static kn_status layout_json(json_t **out, const kn_plan *plan, kn_error *err)
{
    static const char *const moved[] = {
        "id",        "qi",      "sensitive", "keep",  "drop",   "drop_rest", "accept_suggested",
        "keep_rest", "missing", "schema",    "input", "output", "type"};
    char *text = NULL;
    kn_status status;

    *out = NULL;
    KN_TRY(kn_job_json(&text, plan->job, err));
    *out = json_loads(text, 0, NULL);
    KN_TRY(*out ? KN_OK : kn__nomem(err));
    for (size_t i = 0; i < sizeof moved / sizeof *moved; i++) {
        (void)json_object_del(*out, moved[i]);
    }
done:
    kn_string_free(text);
    return status;
}

static kn_status make_job(json_t **out, const kn_plan *plan, const char *input, kn_error *err)
{
    json_t *root = json_object(), *layout = NULL, *comment = json_array();
    json_t *guarantees = json_array();
    kn_status status;

    KN_TRY(layout_json(&layout, plan, err));
    (void)json_array_append_new(
        comment, json_string("Run it: kanon anonymize --job job.json. What the keys mean: "
                             "docs/jobs.md."));
    (void)json_object_set(root, "comment", comment);
    if (input) {
        (void)json_object_set_new(root, "input", json_string(input));
        (void)json_object_set_new(root, "output", json_sprintf("release.%s", extension(plan)));
    }
    (void)json_object_set_new(root, "schema", json_string("schema.json"));
    (void)json_object_update(root, layout);
    KN_TRY(add_guarantees(guarantees, plan, comment, err));
    (void)json_object_set(root, "guarantee", guarantees);
    if (plan->sorted) {
        (void)json_object_set_new(root, "shuffle", json_true());
        (void)json_array_append_new(
            comment, json_string("shuffle: the records came sorted, and their order can identify "
                                 "people."));
    }
    if (input) {
        (void)json_object_set_new(root, "report", json_pack("[s]", "report.html"));
    }
    *out = json_incref(root);
done:
    json_decref(root);
    json_decref(layout);
    json_decref(comment);
    json_decref(guarantees);
    return status;
}

/* ---- files ---- */

/* The path of the input from within the folder: absolute, unless the folder is in the current one.
 */
static kn_status input_from(char **out, const kn_plan *plan, const char *folder, kn_error *err)
{
    const bool beside = !strchr(folder, '/') && strcmp(folder, "..") != 0;
    char *absolute = NULL;
    kn_buffer b = {0};

    if (plan->input[0] == '/') {
        kn__buffer_adds(&b, plan->input);
    } else if (beside) {
        kn__buffer_addf(&b, "../%s", plan->input);
    } else {
        absolute = realpath(plan->input, NULL); /* from malloc: free it with free */
        if (!absolute) {
            return kn__fail_errno(err, plan->input, "its folder cannot be found out", errno);
        }
        kn__buffer_adds(&b, absolute);
        free(absolute);
    }
    return kn__buffer_take(&b, out, err);
}

static kn_status dump_json(kn_buffer *out, const json_t *value, kn_error *err)
{
    char *text = kn__json_dump(value, JSON_INDENT(2) | JSON_REAL_PRECISION(15));
    const bool dumped = text != NULL;

    kn__buffer_addf(out, "%s\n", text ? text : "");
    free(text);
    return dumped && !out->failed ? KN_OK : kn__nomem(err);
}

static kn_status put_text(kn_sink **out, const char *folder, const char *name,
                          const kn_buffer *text, kn_error *err)
{
    kn_buffer path = {0};
    kn_status status;

    kn__buffer_addf(&path, "%s/%s", folder, name);
    KN_TRY(!path.failed ? KN_OK : kn__nomem(err));
    KN_TRY(kn__sink_put(out, path.data, KN_COMPRESSION_NONE, text->data, text->len, err));
done:
    kn__buffer_free(&path);
    return status;
}

/* What a plan writes, from the first file to the last. */
typedef struct writing {
    char *folder_of_hierarchies, *input;
    kn_hierarchies *hierarchies;
    json_t *schema, *job;
    kn_buffer schema_text, job_text;
    kn_sink **sinks; /* hierarchies, then schema, then job */
    size_t count;    /* hierarchies */
} writing;

static kn_status prepare(writing *w, const kn_plan *plan, const char *folder, kn_error *err)
{
    kn_buffer path = {0};

    kn__buffer_addf(&path, "%s/hierarchies", folder);
    KN_PASS(kn__buffer_take(&path, &w->folder_of_hierarchies, err));
    KN_PASS(kn_plan_hierarchies(&w->hierarchies, plan, err));
    if (!plan->in_memory) {
        KN_PASS(input_from(&w->input, plan, folder, err));
    }
    KN_PASS(make_schema(&w->schema, plan, w->hierarchies, err));
    KN_PASS(make_job(&w->job, plan, w->input, err));
    /* Before there are folders: where memory is out inside jansson, the command ends at once. */
    KN_PASS(dump_json(&w->schema_text, w->schema, err));
    return dump_json(&w->job_text, w->job, err);
}

static kn_status put_all(writing *w, const char *folder, kn_error *err)
{
    KN_PASS(
        kn__hierarchies_sinks(&w->sinks, &w->count, w->hierarchies, w->folder_of_hierarchies, err));
    KN_PASS(put_text(&w->sinks[w->count], folder, "schema.json", &w->schema_text, err));
    KN_PASS(put_text(&w->sinks[w->count + 1], folder, "job.json", &w->job_text, err));
    return kn__sinks_commit(w->sinks, w->count + 2, err);
}

static void abandon(writing *w)
{
    for (size_t i = 0; w->sinks && i < w->count + 2; i++) {
        kn__sink_abandon(w->sinks[i]);
    }
    kn__free(w->sinks);
    json_decref(w->schema);
    json_decref(w->job);
    kn__buffer_free(&w->schema_text);
    kn__buffer_free(&w->job_text);
    kn_hierarchies_free(w->hierarchies);
    KN_FREE(w->folder_of_hierarchies, w->input);
}

/* Guarantees are about quasi-identifiers, and about one list of items at most. */
static kn_status refuse_roles(const kn_plan *plan, kn_error *err)
{
    const size_t lists = count_role(plan, KN_ROLE_QUASI, true);

    if (lists + count_role(plan, KN_ROLE_QUASI, false) == 0) {
        return kn__fail(err, KN_EUSAGE,
                        "no column of %.200s is a quasi-identifier, so there is nothing to protect "
                        "people by: name those that others may know (--qi)",
                        plan->input);
    }
    return lists < 2
               ? KN_OK
               : kn__fail(err, KN_EUSAGE,
                          "%zu columns hold lists of items, and guarantees are about one: put "
                          "them together (--items-together), or drop all but one (--drop)",
                          lists);
}

kn_status kn_plan_write(const kn_plan *plan, const char *folder, kn_error *err)
{
    KN_NEED(err, plan, folder);

    writing w = {0};
    bool made = false;
    kn_status status;

    KN_TRY(refuse_roles(plan, err));
    KN_TRY(prepare(&w, plan, folder, err));
    if (mkdir(folder, 0777) != 0) {
        KN_TRY(errno == EEXIST
                   ? kn__about(err,
                               kn__fail(err, KN_EUSAGE,
                                        "%.300s is there already, and nothing is overwritten: name "
                                        "another folder (-o), or remove it",
                                        folder),
                               KN_ERROR_FILE)
                   : kn__fail_errno(err, folder, "the folder cannot be made", errno));
    }
    made = true;
    if (mkdir(w.folder_of_hierarchies, 0777) != 0) {
        KN_TRY(kn__fail_errno(err, w.folder_of_hierarchies, "the folder cannot be made", errno));
    }
    KN_TRY(put_all(&w, folder, err));
done:
    if (status != KN_OK && made) {
        (void)rmdir(w.folder_of_hierarchies);
        (void)rmdir(folder);
    }
    abandon(&w);
    return status;
}
