/* survey.c - the published file as a whole.
 *
 * Unique records: one grouping by all columns that are compared, one by the quasi-identifiers. Only
 * where kept columns make too many records unique are they looked at one by one: sorted by the
 * number of pairs of records that share a value, the least telling first, the longest prefix of
 * them is found by bisection with which unique records stay within the limit. Unique records grow
 * with every column, so bisection is exact; the columns beyond the prefix are those to change.
 *
 * A column that was sampled as nearly all of its values are different (job/job_sample.c) is one of
 * those to change in any case: the others are compared without it, and the records that it makes
 * unique by itself are a lower bound. */
#include "base/error.h"
#include "base/memory.h"
#include "base/threads.h"
#include "count/classes.h"
#include "data/dataset.h"
#include "points/points.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

typedef struct surveying {
    const kn_dataset *ds;
    const kn_run *run;
    size_t rare_below;
    kn_dataset view;  /* the same table, with whole lists as values of kept list columns */
    kn_dict **lists;  /* by column: the dictionary of such values, owned; NULL: none */
    size_t *compared; /* columns that records are compared by, quasi-identifiers first */
    size_t quasis, kept;
    double *shared; /* by column: pairs of records with one value, counted in both directions */
    kn_published_column *column;
    kn_status *status; /* by column */
} surveying;

/* A file that is only checked may have columns without a role: they are in it as they are. */
static bool is_kept(const kn_column *c)
{
    return (c->role == KN_ROLE_KEPT || c->role == KN_ROLE_UNSET) && c->dict;
}

/* ---- values of a column ---- */

static void count_records(uint32_t *held, const kn_column *c, size_t records)
{
    for (size_t i = 0; i < records; i++) {
        if (!c->starts) {
            held[kn__column_code(c, i)]++;
            continue;
        }
        for (uint64_t at = c->starts[i]; at < c->starts[i + 1]; at++) {
            const uint32_t code = kn__column_code(c, (size_t)at);
            held[code] += at == c->starts[i] || kn__column_code(c, (size_t)at - 1) != code;
        }
    }
}

static bool is_rare(const surveying *s, const kn_column *c, uint32_t code, const uint32_t *held)
{
    return code != c->missing && held[code] > 0 && held[code] < s->rare_below;
}

static size_t lists_with_rare(const surveying *s, const kn_column *c, const uint32_t *held)
{
    size_t records = 0;

    for (size_t i = 0; i < s->ds->records; i++) {
        uint64_t at = c->starts[i];
        while (at < c->starts[i + 1] && !is_rare(s, c, kn__column_code(c, (size_t)at), held)) {
            at++;
        }
        records += at < c->starts[i + 1];
    }
    return records;
}

static kn_status count_values(surveying *s, size_t column)
{
    const kn_column *c = &s->ds->column[column];
    kn_published_column *out = &s->column[column];
    uint32_t *held = kn__zalloc_array(kn__column_values(c), sizeof *held);

    if (!held) {
        return KN_ENOMEM;
    }
    count_records(held, c, s->ds->records);
    for (uint32_t code = 0; code < kn__column_values(c); code++) {
        const bool rare = is_rare(s, c, code, held);
        out->values += held[code] > 0 && code != c->missing;
        out->rare_values += rare;
        out->rare_records += rare && !c->starts ? held[code] : 0;
        s->shared[column] += (double)held[code] * (double)held[code];
    }
    if (c->starts && out->rare_values) {
        out->rare_records = lists_with_rare(s, c, held);
    }
    kn__free(held);
    if (c->role == KN_ROLE_QUASI) { /* their guarantee is about how many share a value */
        out->rare_values = out->rare_records = 0;
    }
    return KN_OK;
}

/* Column `at` was sampled: nearly all of its values are different. */
static void estimate_values(surveying *s, size_t at)
{
    const kn_value_sample *sample = s->ds->column[at].sample;
    kn_published_column *out = &s->column[at];
    double share;

    out->estimated = out->singles_out = true;
    out->values = kn__value_sample_values(sample);
    out->rare_values = kn__value_sample_rare(sample, s->rare_below, &share);
    out->rare_records = (size_t)llround(share * (double)s->ds->records);
}

/* Records that are unique by a column that was sampled, about; 0 where it was not. */
static size_t estimate_unique(const kn_dataset *ds, size_t at)
{
    double share = 0;

    if (ds->column[at].sample) {
        (void)kn__value_sample_rare(ds->column[at].sample, 2, &share);
    }
    return (size_t)llround(share * (double)ds->records);
}

static void count_some(void *user, unsigned worker, size_t begin, size_t end)
{
    surveying *s = user;

    (void)worker;
    for (size_t i = begin; i < end; i++) {
        s->status[i] = s->ds->column[i].dict ? count_values(s, i) : KN_OK;
        if (s->ds->column[i].sample) {
            estimate_values(s, i);
        }
    }
}

static kn_status count_columns(surveying *s, kn_error *err)
{
    kn__parallel_for(kn__run_threads(s->run), s->ds->columns, 1, count_some, s);
    for (size_t i = 0; i < s->ds->columns; i++) {
        if (s->status[i] != KN_OK) {
            return kn__nomem(err);
        }
    }
    return KN_OK;
}

/* ---- unique records ---- */

/* Code the whole lists of column `at`: its view holds one value a record. */
static kn_status code_lists(surveying *s, size_t at, kn_error *err)
{
    const kn_column *c = &s->ds->column[at];
    kn_column *view = &s->view.column[at];
    uint32_t *codes = kn__malloc_array(s->ds->records, sizeof *codes), *list = NULL;
    size_t longest = 0;
    kn_status status = codes ? KN_OK : kn__nomem(err);

    KN_TRY(status);
    view->codes = codes;
    view->width = sizeof *codes;
    view->starts = NULL;
    view->type = KN_TYPE_CATEGORY;
    KN_TRY(kn__dict_new(&s->lists[at], err));
    view->dict = s->lists[at];
    for (size_t i = 0; i < s->ds->records; i++) {
        const size_t len = (size_t)(c->starts[i + 1] - c->starts[i]);
        longest = len > longest ? len : longest;
    }
    list = kn__malloc_array(longest, sizeof *list);
    KN_TRY(list ? KN_OK : kn__nomem(err));
    for (size_t i = 0; i < s->ds->records; i++) {
        const size_t begin = (size_t)c->starts[i], len = (size_t)(c->starts[i + 1] - c->starts[i]);
        for (size_t j = 0; j < len; j++) {
            list[j] = kn__column_code(c, begin + j);
        }
        KN_TRY(kn__dict_add(view->dict, (const char *)list, len * sizeof *list, &codes[i], err));
    }
done:
    kn__free(list);
    return status;
}

static kn_status start(surveying *s, kn_error *err)
{
    const kn_dataset *ds = s->ds;
    kn_status status = KN_OK;

    s->view = (kn_dataset){.records = ds->records, .columns = ds->columns};
    s->view.column = kn__malloc_array(ds->columns, sizeof *s->view.column);
    if (s->view.column) {
        memcpy(s->view.column, ds->column, ds->columns * sizeof *s->view.column);
    }
    s->lists = kn__zalloc_array(ds->columns, sizeof *s->lists);
    s->compared = kn__malloc_array(ds->columns, sizeof *s->compared);
    KN_PASS(s->view.column && s->lists && s->compared ? KN_OK : kn__nomem(err));
    for (size_t i = 0; i < ds->columns; i++) {
        const kn_column *c = &ds->column[i];
        if (c->role == KN_ROLE_QUASI && c->dict && !c->starts) {
            s->compared[s->quasis++] = i;
        }
    }
    for (size_t i = 0; i < ds->columns && status == KN_OK; i++) {
        if (is_kept(&ds->column[i])) {
            s->compared[s->quasis + s->kept++] = i;
            status = ds->column[i].starts ? code_lists(s, i, err) : KN_OK;
        }
    }
    return status;
}

static void clear(surveying *s)
{
    for (size_t i = 0; s->lists && i < s->ds->columns; i++) {
        if (s->view.column && s->view.column[i].codes != s->ds->column[i].codes) {
            kn__free(s->view.column[i].codes);
        }
        kn__dict_free(s->lists[i]);
    }
    KN_FREE(s->lists, s->view.column, s->compared, s->shared, s->status);
}

static size_t singles(const kn_classes *classes)
{
    size_t unique = 0;

    for (uint32_t i = 0; i < classes->count; i++) {
        unique += classes->size[i] == 1;
    }
    return unique;
}

static size_t smallest_of(const kn_classes *classes)
{
    size_t smallest = classes->count ? SIZE_MAX : 0;

    for (uint32_t i = 0; i < classes->count; i++) {
        smallest = classes->size[i] < smallest ? classes->size[i] : smallest;
    }
    return smallest;
}

/* Records that are unique by the quasi-identifiers and the first `kept` kept columns. */
static kn_status count_unique(const surveying *s, size_t kept, size_t *out, kn_error *err)
{
    kn_classes *classes = NULL;
    kn_status status = KN_OK;

    *out = 0;
    if (s->quasis + kept > 0) {
        status = kn__classes_new(&classes, &s->view, s->compared, s->quasis + kept, s->run, err);
    }
    if (classes) {
        *out = singles(classes);
    }
    kn__classes_free(classes);
    return status;
}

static int by_shared(const void *a, const void *b, void *user)
{
    const surveying *s = user;
    const size_t x = *(const size_t *)a, y = *(const size_t *)b;

    if (s->shared[x] != s->shared[y]) {
        return s->shared[x] > s->shared[y] ? -1 : 1;
    }
    return x < y ? -1 : x > y;
}

/* Mark the kept columns without which unique records stay within `allowed`. */
static kn_status mark_columns(surveying *s, size_t allowed, kn_error *err)
{
    size_t *kept = s->compared + s->quasis, low = 0, high = s->kept;
    kn_status status = KN_OK;

    qsort_r(kept, s->kept, sizeof *kept, by_shared, s);
    while (status == KN_OK && low + 1 < high) { /* `low` columns are fine, `high` are too many */
        const size_t middle = low + (high - low) / 2;
        size_t unique;
        status = count_unique(s, middle, &unique, err);
        if (unique <= allowed) {
            low = middle;
        } else {
            high = middle;
        }
    }
    for (size_t i = low; i < s->kept; i++) {
        s->column[kept[i]].singles_out = true;
    }
    return status;
}

bool kn__may_be_unique(const kn_dataset *ds, const kn_dataset *original, const char *name)
{
    const kn_dataset *said = original ? original : ds;
    const size_t at = kn_dataset_find(said, name);

    return at != SIZE_MAX && said->column[at].allow_unique;
}

kn_status kn__survey_unique_otherwise(size_t *out, const kn_dataset *ds, const kn_dataset *original,
                                      const kn_run *run, kn_error *err)
{
    surveying s = {.ds = ds, .run = run};
    size_t left = 0;
    kn_status status;

    KN_TRY(start(&s, err));
    for (size_t i = 0; i < s.kept; i++) {
        const size_t at = s.compared[s.quasis + i];
        if (!kn__may_be_unique(ds, original, ds->column[at].name)) {
            s.compared[s.quasis + left++] = at;
        }
    }
    KN_TRY(count_unique(&s, left, out, err));
    for (size_t i = 0; i < ds->columns; i++) {
        if (!kn__may_be_unique(ds, original, ds->column[i].name)) {
            const size_t unique = estimate_unique(ds, i);
            *out = unique > *out ? unique : *out;
        }
    }
done:
    clear(&s);
    return status;
}

/* ---- what can be inferred ---- */

/* The share that the commonest value of column `at` has in each class; missing is no value. */
static kn_status infer(surveying *s, size_t at, const kn_classes *classes, const uint32_t *members,
                       const uint32_t *begin, double limit, kn_error *err)
{
    const kn_column *c = &s->ds->column[at];
    kn_published_column *out = &s->column[at];
    uint32_t *held = kn__zalloc_array(kn__column_values(c), sizeof *held);

    KN_PASS(held ? KN_OK : kn__nomem(err));
    out->certainty = 0;
    for (uint32_t i = 0; i < classes->count; i++) {
        const double size = (double)classes->size[i];
        uint32_t most = 0;
        for (uint32_t j = begin[i]; j < begin[i + 1]; j++) {
            const uint32_t code = kn__column_code(c, members[j]);
            if (code != c->missing && ++held[code] > most) {
                most = held[code];
            }
        }
        for (uint32_t j = begin[i]; j < begin[i + 1]; j++) {
            held[kn__column_code(c, members[j])] = 0;
        }
        out->certainty = fmax(out->certainty, (double)most / size);
        out->certain_records += (double)most / size > limit ? classes->size[i] : 0;
    }
    kn__free(held);
    return KN_OK;
}

static kn_status infer_all(surveying *s, const kn_classes *classes, double limit, kn_error *err)
{
    uint32_t *members = NULL, *begin = NULL;
    kn_status status = KN_OK;

    for (size_t i = 0; status == KN_OK && i < s->ds->columns; i++) {
        const kn_column *c = &s->ds->column[i];
        if (c->role != KN_ROLE_SENSITIVE || c->starts || !c->dict) {
            continue;
        }
        if (!members) {
            status = kn__classes_members(classes, &members, &begin, err);
        }
        if (status == KN_OK) {
            status = infer(s, i, classes, members, begin, limit, err);
        }
    }
    KN_FREE(members, begin);
    return status;
}

/* ---- all of it ---- */

void kn__survey_clear(kn_survey *s)
{
    for (size_t i = 0; s->column && i < s->columns; i++) {
        kn__free((char *)s->column[i].name);
    }
    kn__free((void *)s->column);
    *s = (kn_survey){0};
}

kn_status kn__survey_make(kn_survey *out, size_t *smallest, const kn_dataset *ds, size_t rare_below,
                          double unique_limit, double certainty_limit, const kn_run *run,
                          kn_error *err)
{
    surveying s = {.ds = ds, .run = run, .rare_below = rare_below};
    kn_classes *classes = NULL;
    size_t allowed;
    kn_status status = KN_OK;

    *out = (kn_survey){.records = ds->records, .rare_below = rare_below};
    *smallest = 0;
    s.column = kn__zalloc_array(ds->columns, sizeof *s.column);
    s.shared = kn__zalloc_array(ds->columns, sizeof *s.shared);
    s.status = kn__zalloc_array(ds->columns, sizeof *s.status);
    out->column = s.column;
    KN_TRY(s.column && s.shared && s.status ? KN_OK : kn__nomem(err));
    for (; out->columns < ds->columns; out->columns++) {
        kn_published_column *c = &s.column[out->columns];
        *c = (kn_published_column){.role = ds->column[out->columns].role, .certainty = NAN};
        c->name = kn__strdup(ds->column[out->columns].name);
        KN_TRY(c->name ? KN_OK : kn__nomem(err));
    }
    KN_TRY(start(&s, err));
    KN_TRY(count_columns(&s, err));
    out->grouped = s.quasis + s.kept;
    if (s.quasis) {
        KN_TRY(kn__classes_new(&classes, &s.view, s.compared, s.quasis, run, err));
        out->unique = out->unique_quasi = singles(classes);
        *smallest = smallest_of(classes);
        KN_TRY(infer_all(&s, classes, certainty_limit, err));
    }
    if (s.kept) {
        KN_TRY(count_unique(&s, s.kept, &out->unique, err));
    }
    allowed = out->unique_quasi + (size_t)floor(unique_limit * (double)ds->records + 1e-9);
    if (out->unique > allowed) {
        KN_TRY(mark_columns(&s, allowed, err));
    }
    for (size_t i = 0; i < ds->columns; i++) {
        const size_t unique = estimate_unique(ds, i);
        out->estimated = out->estimated || s.column[i].estimated;
        out->grouped += s.column[i].estimated;
        out->unique = unique > out->unique ? unique : out->unique;
    }
done:
    kn__classes_free(classes);
    clear(&s);
    if (status != KN_OK) {
        kn__survey_clear(out);
    }
    return status;
}
