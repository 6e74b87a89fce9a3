/* plan.c - look at a table and plan how it could be published.
 *
 * The plan is on the safe side: what nothing is known of is a quasi-identifier, which is
 * generalised, and never published as it is; free text is left out. Each choice has its reason, and
 * those that only counts speak for are marked as doubtful. */
#include "job/plan.h"
#include "base/args.h"
#include "base/buffer.h"
#include "base/error.h"
#include "base/memory.h"
#include "base/name_list.h"
#include "base/say.h"
#include "data/value_form.h"
#include "job/job.h"
#include "kanon/profile.h"

#include <ctype.h>
#include <math.h>
#include <string.h>

enum { MOST_MARKS = 16 };

void kn_plan_free(kn_plan *plan)
{
    if (!plan) {
        return;
    }
    for (size_t i = 0; plan->reasons && i < kn_dataset_columns(plan->ds); i++) {
        kn__free(plan->reasons[i]);
    }
    for (size_t i = 0; i < plan->notes_count; i++) {
        kn__free(plan->notes[i]);
    }
    KN_FREE(plan->notes, plan->reasons, plan->column);
    kn_dataset_free(plan->ds);
    kn_job_free(plan->job);
    KN_FREE(plan->input, plan);
}

/* Add a sentence; takes what `text` holds. */
static kn_status plan_note(kn_plan *plan, kn_buffer *text, kn_error *err)
{
    kn_status status;

    KN_TRY(
        kn__grow(&plan->notes, &plan->notes_cap, plan->notes_count + 1, sizeof *plan->notes, err));
    KN_TRY(kn__buffer_take(text, &plan->notes[plan->notes_count], err));
    plan->notes_count++;
done:
    kn__buffer_free(text);
    return status;
}

/* ---- layout ---- */

/* "x.tbl", perhaps compressed: the separator of such files is a bar, whatever their text holds. */
static bool is_tbl(const char *path)
{
    const char *at = strstr(path, ".tbl");

    return at && (at[4] == '\0' || strcmp(at + 4, ".zst") == 0 || strcmp(at + 4, ".gz") == 0);
}

/* Marks that always mean "missing"; the others only among numbers and dates. */
static bool is_plain_mark(const char *text, size_t len)
{
    return !(len == 4 && memcmp(text, "None", 4) == 0) && !(len == 1 && strchr("-.", text[0]));
}

/* Note the marks of `c` in `found`, each once. */
static size_t find_marks(const kn_column *c, const char **found, size_t count)
{
    const kn_form_counts forms = kn__column_forms(c);
    const bool numeric = forms.numbers + forms.dates > 1 && forms.others == 0;
    size_t marks;
    const char *const *mark = kn__missing_marks(&marks);

    for (uint32_t code = 0; code < kn__column_values(c); code++) {
        size_t len;
        const char *text = kn__column_text(c, code, &len);
        while (len && *text == ' ') {
            text++;
            len--;
        }
        while (len && text[len - 1] == ' ') {
            len--;
        }
        if (code == c->missing || !kn__is_missing_mark(text, len) ||
            (!numeric && !is_plain_mark(text, len))) {
            continue;
        }
        for (size_t i = 0; i < marks; i++) {
            if (strlen(mark[i]) == len && memcmp(mark[i], text, len) == 0) {
                size_t at = 0;
                while (at < count && found[at] != mark[i]) {
                    at++;
                }
                if (at == count && count < MOST_MARKS) {
                    found[count++] = mark[i];
                }
            }
        }
    }
    return count;
}

static kn_status set_missing(kn_plan *plan, bool *changed, kn_error *err)
{
    const char *found[MOST_MARKS];
    kn_buffer all = {0}, words = {0};
    size_t count = 0;
    kn_status status = KN_OK;

    if (kn_job_get(plan->job, "missing", 0)) {
        return KN_OK;
    }
    for (size_t i = 0; i < plan->ds->columns; i++) {
        const kn_column *c = &plan->ds->column[i];
        if (c->type == KN_TYPE_CATEGORY && c->dict) {
            count = find_marks(c, found, count);
        }
    }
    if (count == 0) {
        return KN_OK;
    }
    for (size_t i = 0; i < count; i++) {
        kn__buffer_addf(&all, ",%s", found[i]);
        kn__buffer_addf(&words, "%s'%s'", kn__say_gap(i, count, " and "), found[i]);
    }
    KN_TRY(all.failed || words.failed ? kn__nomem(err) : KN_OK);
    KN_TRY(kn_job_set(plan->job, "missing", all.data, err));
    kn__buffer_adds(&words, count == 1 ? " is taken to mean that a value is missing."
                                       : " are taken to mean that a value is missing.");
    KN_TRY(plan_note(plan, &words, err));
    *changed = true;
done:
    kn__buffer_free(&all);
    kn__buffer_free(&words);
    return status;
}

static kn_status set_header(kn_plan *plan, const kn_profile *profile, bool *changed, kn_error *err)
{
    kn_buffer words = {0};

    if (kn_job_get(plan->job, "no-header", 0) || !plan->ds->line_names ||
        kn_profile_has_names(profile) ||
        kn__dataset_columns_named(plan->ds) >= KN_NAMED_FOR_HEADER) {
        return KN_OK;
    }
    KN_PASS(kn_job_set(plan->job, "no-header", "true", err));
    kn__buffer_adds(&words,
                    "The first line is taken for a record, not for the names of columns, which "
                    "are called column1, column2 and so on. If it names the columns, give two of "
                    "them a role (--qi, --id), and make the plan again.");
    KN_PASS(plan_note(plan, &words, err));
    *changed = true;
    return KN_OK;
}

/* One column whose cells look like lists is read so; which of several is meant, a person must say.
 */
static kn_status set_items(kn_plan *plan, const kn_profile *profile, bool *changed, kn_error *err)
{
    const kn_column_profile *found = NULL;
    kn_buffer words = {0};
    size_t lists = 0;
    kn_status status;

    for (size_t i = 0; i < plan->ds->columns; i++) {
        const kn_column_profile *c = kn_profile_column(profile, i);
        const bool list = c->list_separator && c->role == KN_ROLE_UNSET;
        lists += list || kn__type_is_list(c->type);
        found = list ? c : found;
    }
    if (!found || lists > 1 || !kn_profile_has_names(profile)) {
        return KN_OK;
    }
    kn__name_list_add(&words, found->name);
    status = words.failed ? kn__nomem(err) : kn_job_set(plan->job, "items", words.data, err);
    kn__buffer_free(&words);
    KN_PASS(status);
    if (found->list_separator != '|') {
        const char separator[] = {found->list_separator, '\0'};
        KN_PASS(kn_job_set(plan->job, "item-separator", separator, err));
    }
    kn__buffer_addf(&words, "The cells of '%.100s' are taken for lists of items.", found->name);
    KN_PASS(plan_note(plan, &words, err));
    *changed = true;
    return KN_OK;
}

static kn_status set_trim(kn_plan *plan, bool *changed, kn_error *err)
{
    kn_buffer words = {0};
    bool spaced = false;

    for (size_t i = 0; i < plan->ds->columns && !kn_job_get(plan->job, "trim", 0); i++) {
        const kn_column *c = &plan->ds->column[i];
        if (c->type == KN_TYPE_CATEGORY && c->dict) {
            const kn_form_counts forms = kn__column_forms(c);
            spaced = spaced || (forms.spaced && 2 * forms.spaced >= forms.values);
        }
    }
    if (spaced) {
        KN_PASS(kn_job_set(plan->job, "trim", "true", err));
        kn__buffer_adds(&words, "Blanks around values are stripped.");
        KN_PASS(plan_note(plan, &words, err));
        *changed = true;
    }
    return KN_OK;
}

static kn_status read_once(kn_plan *plan, const kn_run *run, kn_error *err)
{
    struct ArrowArrayStream stream = {0};

    if (!plan->in_memory) {
        return kn_job_table(&plan->ds, plan->job, plan->input, KN_TABLE_WHOLE, false, run, err);
    }
    KN_PASS(plan->open(plan->user, &stream, err));
    return kn_job_table_data(&plan->ds, plan->job, &stream, KN_TABLE_WHOLE, run, err);
}

/* Read the table; where header, blanks or missing values were not as assumed, once more. */
static kn_status read_table(kn_plan *plan, const kn_run *run, kn_error *err)
{
    kn_profile *profile = NULL;
    bool changed = false;
    kn_status status;

    if (is_tbl(plan->input) && !kn_job_get(plan->job, "separator", 0)) {
        KN_TRY(kn_job_set(plan->job, "separator", "|", err));
    }
    KN_TRY(read_once(plan, run, err));
    KN_TRY(kn_profile_make(&profile, plan->ds, run, err));
    KN_TRY(set_header(plan, profile, &changed, err));
    KN_TRY(set_items(plan, profile, &changed, err));
    if (!plan->in_memory) {
        KN_TRY(set_trim(plan, &changed, err));
    }
    KN_TRY(set_missing(plan, &changed, err));
    if (changed) {
        kn_dataset_free(plan->ds);
        plan->ds = NULL;
        KN_TRY(read_once(plan, run, err));
    }
done:
    kn_profile_free(profile);
    return status;
}

/* ---- columns ---- */

/* A suggestion that nothing is known of becomes a quasi-identifier: it is generalised then. */
static kn_role planned_role(const kn_column_profile *p)
{
    if (p->role != KN_ROLE_UNSET) {
        return p->role;
    }
    if (kn__type_is_list(p->type) && p->suggested == KN_ROLE_SENSITIVE) {
        return KN_ROLE_QUASI; /* who knows some items of a list must not learn the others */
    }
    return p->suggested == KN_ROLE_KEPT && p->doubtful && p->values ? KN_ROLE_QUASI : p->suggested;
}

static kn_status set_reason(kn_plan *plan, size_t i, const char *words, kn_error *err)
{
    char *reason = kn__strdup(words);

    KN_PASS(reason ? KN_OK : kn__nomem(err));
    kn__free(plan->reasons[i]);
    plan->reasons[i] = reason;
    plan->column[i].reason = reason;
    return KN_OK;
}

static kn_status plan_column(kn_plan *plan, const kn_column_profile *p, size_t i, kn_error *err)
{
    kn_plan_column *c = &plan->column[i];
    const bool given = p->role != KN_ROLE_UNSET;
    const char *reason = given ? "chosen by you" : p->reason;

    plan->reasons[i] = kn__strdup(reason ? reason : "");
    KN_PASS(plan->reasons[i] ? KN_OK : kn__nomem(err));
    *c = (kn_plan_column){.name = plan->ds->column[i].name,
                          .type = p->type,
                          .role = planned_role(p),
                          .reason = plan->reasons[i],
                          .doubtful = !given && p->doubtful,
                          .coded = p->coded,
                          .values = p->values};
    KN_PASS(kn_hierarchy_suggest(&c->hierarchy, plan->ds, i, c->coded, err));
    if (c->coded && c->hierarchy.doubtful) { /* no codes of one length: ranges say more */
        c->coded = false;
        KN_PASS(kn_hierarchy_suggest(&c->hierarchy, plan->ds, i, false, err));
    }
    if (!given && c->role == KN_ROLE_QUASI && !c->hierarchy.wanted &&
        kn__column_refuse_text(&plan->ds->column[i], KN_TEXT_RELEASED, NULL) != KN_OK) {
        KN_PASS(
            set_reason(plan, i,
                       "numbers or dates in a form that is read as text: left out until they are "
                       "written as 1234.50 or YYYY-MM-DD",
                       err));
        c->role = KN_ROLE_DROPPED; /* as text they cannot be generalised to ranges */
        c->doubtful = true;
    }
    plan->sorted = plan->sorted || (p->sorted && p->values > 1);
    return KN_OK;
}

static kn_status plan_columns(kn_plan *plan, const kn_run *run, kn_error *err)
{
    kn_profile *profile = NULL;
    kn_status status;

    KN_TRY(kn_profile_make(&profile, plan->ds, run, err));
    plan->column = kn__zalloc_array(plan->ds->columns + 1, sizeof *plan->column);
    plan->reasons = kn__zalloc_array(plan->ds->columns + 1, sizeof *plan->reasons);
    KN_TRY(plan->column && plan->reasons ? KN_OK : kn__nomem(err));
    for (size_t i = 0; i < plan->ds->columns; i++) {
        KN_TRY(plan_column(plan, kn_profile_column(profile, i), i, err));
    }
    plan->person = kn_job_get(plan->job, "group-by", 0) ? SIZE_MAX : kn_profile_person(profile);
done:
    kn_profile_free(profile);
    return status;
}

/* ---- the plan ---- */

static kn_status copy_job(kn_job **out, const kn_job *job, kn_error *err)
{
    char *text = NULL;
    kn_status status;

    if (!job) {
        return kn_job_new(out, err);
    }
    KN_TRY(kn_job_json(&text, job, err));
    KN_TRY(kn_job_parse(out, text, strlen(text), "the options", NULL, err));
done:
    kn_string_free(text);
    return status;
}

static kn_status note_size(kn_plan *plan, kn_error *err)
{
    kn_buffer words = {0};

    if (plan->ds->records >= KN_PLAN_K) {
        return KN_OK;
    }
    kn__buffer_addf(&words,
                    "The job asks for k = %d, which a table of %zu record%s cannot meet: get more "
                    "records.",
                    KN_PLAN_K, plan->ds->records, plan->ds->records == 1 ? "" : "s");
    return plan_note(plan, &words, err);
}

/* What was noticed while the table was read, such as decimal commas: anonymize says it, too. */
static kn_status note_reading(kn_plan *plan, kn_error *err)
{
    for (size_t i = 0; i < kn_dataset_notes(plan->ds); i++) {
        const char *note = kn_dataset_note(plan->ds, i);
        kn_buffer words = {0};
        kn__buffer_addc(&words, (char)toupper((unsigned char)note[0]));
        kn__buffer_adds(&words, note[0] ? note + 1 : "");
        KN_PASS(plan_note(plan, &words, err));
    }
    return KN_OK;
}

static kn_status make_plan(kn_plan **out, const kn_job *job, const char *input, kn_table_fn open,
                           void *user, const kn_run *run, kn_error *err)
{
    kn_plan *plan = kn__zalloc(sizeof *plan);
    kn_status status;

    KN_TRY(plan ? KN_OK : kn__nomem(err));
    plan->person = SIZE_MAX;
    plan->open = open;
    plan->user = user;
    plan->in_memory = open != NULL;
    plan->input = kn__strdup(input);
    KN_TRY(plan->input ? KN_OK : kn__nomem(err));
    KN_TRY(copy_job(&plan->job, job, err));
    KN_TRY(read_table(plan, run, err));
    KN_TRY(kn_dataset_has_trees(plan->ds)
               ? kn__fail(err, KN_EUSAGE,
                          "%.300s: tree records cannot be planned yet; see docs/tree-anonymity.md",
                          input)
               : KN_OK);
    KN_TRY(plan_columns(plan, run, err));
    KN_TRY(note_reading(plan, err));
    KN_TRY(note_size(plan, err));
    *out = plan;
    plan = NULL;
done:
    kn_plan_free(plan);
    return status;
}

kn_status kn_plan_make(kn_plan **out, const kn_job *job, const char *input, const kn_run *run,
                       kn_error *err)
{
    KN_NEED_OUT(err, out);
    KN_NEED(err, input);
    KN_NEED_SIZED(err, run);

    return make_plan(out, job, input, NULL, NULL, run, err);
}

kn_status kn_plan_make_data(kn_plan **out, const kn_job *job, kn_table_fn open, void *user,
                            const kn_run *run, kn_error *err)
{
    KN_NEED_OUT(err, out);
    KN_NEED_SIZED(err, run);
    if (!open) {
        return kn__fail(err, KN_EUSAGE, "there is no function that gives the table");
    }

    return make_plan(out, job, kn__job_data_name, open, user, run, err);
}

size_t kn_plan_records(const kn_plan *plan)
{
    return plan ? plan->ds->records : 0;
}

size_t kn_plan_columns(const kn_plan *plan)
{
    return plan ? plan->ds->columns : 0;
}

const kn_plan_column *kn_plan_column_at(const kn_plan *plan, size_t i)
{
    return plan && i < plan->ds->columns ? &plan->column[i] : NULL;
}

kn_status kn_plan_set_role(kn_plan *plan, size_t column, kn_role role, kn_error *err)
{
    KN_NEED(err, plan);
    KN_NEED_INDEX(err, column, plan->ds->columns, "column");

    if (role <= KN_ROLE_UNSET || role > KN_ROLE_DROPPED) {
        return kn__fail(err, KN_EUSAGE, "a planned column needs a role");
    }
    if (role != plan->column[column].role) {
        const kn_status status = set_reason(plan, column, "chosen by you", err);
        if (status != KN_OK) {
            return status;
        }
    }
    plan->column[column].role = role;
    plan->column[column].doubtful = false;
    return KN_OK;
}

size_t kn_plan_group_by(const kn_plan *plan)
{
    return plan ? plan->person : SIZE_MAX;
}

kn_status kn_plan_set_group_by(kn_plan *plan, size_t column, kn_error *err)
{
    KN_NEED(err, plan);
    if (column != SIZE_MAX) {
        KN_NEED_INDEX(err, column, plan->ds->columns, "column");
    }
    plan->person = column;
    return KN_OK;
}

const char *kn_plan_note(const kn_plan *plan, size_t i)
{
    return plan && i < plan->notes_count ? plan->notes[i] : NULL;
}

kn_status kn__plan_top_share(double *out, const kn_plan *plan, size_t column, kn_error *err)
{
    const kn_column *c = &plan->ds->column[column];
    uint64_t *held, most = 0;

    *out = NAN;
    if (!c->dict) {
        return KN_OK;
    }
    held = kn__zalloc_array(kn__column_values(c), sizeof *held);
    KN_PASS(held ? KN_OK : kn__nomem(err));
    for (size_t i = 0; i < plan->ds->records; i++) {
        const uint64_t now = ++held[kn__column_code(c, i)];
        most = now > most ? now : most;
    }
    kn__free(held);
    *out = plan->ds->records ? (double)most / (double)plan->ds->records : 0;
    return KN_OK;
}

kn_status kn_plan_hierarchies(kn_hierarchies **out, const kn_plan *plan, kn_error *err)
{
    KN_NEED_OUT(err, out);
    KN_NEED(err, plan);

    kn_hierarchies *hs = NULL;
    kn_hierarchy *h = NULL;
    kn_status status;

    KN_TRY(kn_hierarchies_new(&hs, err));
    for (size_t i = 0; i < plan->ds->columns; i++) {
        const kn_plan_column *c = &plan->column[i];
        if (c->role == KN_ROLE_QUASI && c->hierarchy.wanted) {
            KN_TRY(kn_hierarchy_build_suggested(&h, plan->ds, i, &c->hierarchy, err));
            KN_TRY(kn_hierarchies_add(hs, c->name, h, err));
            h = NULL;
        }
    }
    *out = hs;
    hs = NULL;
done:
    kn_hierarchy_free(h);
    kn_hierarchies_free(hs);
    return status;
}
