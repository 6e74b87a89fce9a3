/* judge.c - a release that was read back: it is what was written, and it holds.
 *
 * The check knows nothing of the method: it forms classes over what it reads, asks the guarantee's
 * own checker, and asks kn_measure whether every published value covers its original. */
#include "base/error.h"
#include "base/memory.h"
#include "base/threads.h"
#include "guarantees/sensitive_items.h"
#include "guarantees/verdict.h"
#include "points/points.h"
#include "publish/publish.h"
#include "release/release.h"
#include "utility/measure.h"
#include "utility/profile/profile.h"

#include <math.h>
#include <stdatomic.h>
#include <string.h>

static kn_status broken(kn_error *err, const char *what)
{
    return kn__fail(err, KN_EBROKEN,
                    "the release was withheld: %s. This is a defect of kanon; please report it",
                    what);
}

/* Whether `codes` codes of `meant`, each by its code in `same`, are those of `read`; all are looked
 * at, as none should differ. */
static inline bool are_same(const kn_column *meant, const kn_column *read, const uint32_t *same,
                            size_t codes, uint8_t meant_width, uint8_t read_width)
{
    const void *a = meant->codes, *b = read->codes;
    uint32_t differ = 0;

    for (size_t i = 0; i < codes; i++) {
        differ |= same[kn__code_get(a, meant_width, i)] ^ kn__code_get(b, read_width, i);
    }
    return differ == 0;
}

/* Whether column `read` holds, text by text, what column `meant` does. */
static kn_status compare_column(const kn_column *meant, const kn_column *read, size_t records,
                                kn_error *err)
{
    uint32_t *same;
    bool agrees;
    kn_status status = KN_OK;
    size_t codes = records;

    if (!read->dict || (meant->starts != NULL) != (read->starts != NULL)) {
        return broken(err, "a column was read back with another shape than it was written with");
    }
    same = kn__malloc_array(kn__column_values(meant), sizeof *same);
    if (!same) {
        return kn__nomem(err);
    }
    for (uint32_t code = 0; code < kn__column_values(meant); code++) {
        size_t len;
        const char *text = kn__column_text(meant, code, &len);
        same[code] = kn__dict_find(read->dict, text, len);
    }
    if (meant->starts) {
        codes = (size_t)meant->starts[records];
        if (memcmp(meant->starts, read->starts, (records + 1) * sizeof *meant->starts) != 0) {
            KN_TRY(broken(err, "the lists read back are not those that were written"));
        }
    }
    agrees = KN_BY_WIDTHS(meant->width, read->width, are_same, meant, read, same, codes);
    if (!agrees) {
        KN_TRY(broken(err, "the file read back differs from what was written"));
    }
done:
    kn__free(same);
    return status;
}

static kn_status compare(const kn_release *r, const kn_dataset *read, kn_error *err)
{
    const kn_dataset *meant = r->data;
    kn_status status = KN_OK;

    if (meant->records != read->records || meant->columns != read->columns) {
        return broken(err, "the file read back has another number of records or columns");
    }
    for (size_t i = 0; status == KN_OK && i < meant->columns; i++) {
        if (strcmp(meant->column[i].name, read->column[i].name) != 0) {
            return broken(err, "the file read back has other columns");
        }
        status = compare_column(&meant->column[i], &read->column[i], meant->records, err);
    }
    return status;
}

/* Whether the trees read back are those that were written, value by value. */
static kn_status compare_trees(const kn_release *r, const kn_dataset *read, kn_error *err)
{
    const kn_forest *f = NULL, *g = NULL;
    kn_forest *owned[2] = {NULL, NULL};
    kn_status status;

    KN_TRY(kn__dataset_published_forest(r->data, &f, &owned[0], err));
    KN_TRY(kn__dataset_published_forest(read, &g, &owned[1], err));
    if (!g || f->records != g->records || f->values != g->values ||
        memcmp(f->starts, g->starts, (f->records + 1) * sizeof *f->starts) != 0) {
        KN_TRY(broken(err, "the file read back has other records"));
    }
    for (uint32_t v = 0; v < f->values; v++) {
        if (strcmp(f->text[v], g->text[v]) != 0 ||
            strcmp(f->classes.name[f->value_class[v]], g->classes.name[g->value_class[v]]) != 0) {
            KN_TRY(broken(err, "the file read back has other values"));
        }
    }
    const size_t nodes = (size_t)f->starts[f->records];
    if (nodes && (memcmp(f->value, g->value, nodes * sizeof *f->value) != 0 ||
                  memcmp(f->parent, g->parent, nodes * sizeof *f->parent) != 0)) {
        KN_TRY(broken(err, "the file read back differs from what was written"));
    }
done:
    kn__forest_free(owned[0]);
    kn__forest_free(owned[1]);
    return status;
}

/* What is sensitive was said of the original; records with the last such item, or with the last
 * other one, may have been suppressed. */
static void settle_sensitive(const kn_release *r, kn_dataset *read)
{
    for (size_t i = 0; i < read->columns; i++) {
        const size_t from = kn_dataset_find(r->original, read->column[i].name);
        read->column[i].sensitive.settled = kn__named_items_any(
            &r->original->column[from].sensitive);
    }
}

/* Sensitive items were published as they were: none is hidden in a generalised item, where it could
 * not be counted. */
static kn_status check_sensitive(const kn_release *r, const kn_dataset *read, kn_error *err)
{
    for (size_t i = 0; i < read->columns; i++) {
        const size_t from = kn_dataset_find(r->original, read->column[i].name);
        const kn_column *original = &r->original->column[from];
        bool kept = true;
        size_t record = 0;
        if (read->column[i].starts && kn__named_items_any(&original->sensitive)) {
            KN_PASS(kn__sensitive_items_kept(&kept, &record, original, &read->column[i], r->origin,
                                             read->records, r->hierarchies, err));
        }
        if (!kept) {
            KN_PASS(broken(err, "a record does not hold the sensitive items of its original"));
        }
    }
    return KN_OK;
}

/* Methods bound a measure of nodes of hierarchies; the file holds their names, which several nodes
 * may share. */
static kn_status check_bound(const kn_release *r, const kn_measures *measures, kn_error *err)
{
    const double value = r->bounded ? kn_measures_value(measures, r->bounded, NULL) : NAN;

    if (!(value > r->bound + 1e-12)) {
        return KN_OK;
    }
    return kn__fail(err, KN_EINFEASIBLE,
                    "%s: %s of the file would be %.6g, above delta = %g: in a hierarchy there are "
                    "groups called like values or like other groups, and a name is read as the "
                    "largest that it may be; rename them, or take rfirst, which has no bound",
                    r->method, r->bounded, value, r->bound < 1e-300 ? 0 : r->bound);
}

static kn_status check(const kn_release *r, const kn_run *run, kn_outcome *found, kn_error *err)
{
    const kn_status status = kn__check_release(&found->verdict, found->published, r->original,
                                               r->guarantees, r->guarantees_count, r->hierarchies,
                                               run, err);

    if (status == KN_EBROKEN) {
        kn__error_prefix(err, "the release was withheld");
    }
    return status == KN_OK && !kn_verdict_holds(found->verdict)
               ? broken(err, "the file read back does not satisfy the guarantee")
               : status;
}

static kn_status measure(const kn_release *r, const kn_run *run, kn_outcome *found, kn_error *err)
{
    kn_status status = kn__measure_release(&found->measures, r->original, found->published,
                                           r->origin, r->hierarchies, r->left_out, run, err);

    if (status == KN_EINPUT) {
        kn__error_prefix(err, "the release was withheld");
        status = KN_EBROKEN;
        if (err) {
            err->status = status;
        }
    }
    if (status == KN_OK && r->left_out &&
        kn_measures_value(found->measures, "items_suppressed", NULL) > r->item_limit + 1e-9) {
        status = broken(err, "more items are missing than may be left out");
    }
    return status == KN_OK ? check_bound(r, found->measures, err) : status;
}

/* Check and measure know nothing of each other. */
typedef struct judging {
    const kn_release *r;
    const kn_run *run;
    kn_outcome *found;
    kn_status status[2];
    kn_error error[2];
    atomic_bool stop; /* the check failed: what is measured is not asked for */
} judging;

static void check_and_measure(void *user, unsigned worker)
{
    judging *j = user;
    const kn_run aside = kn__run_aside(j->run, &j->stop);

    j->status[worker] = worker ? measure(j->r, &aside, j->found, &j->error[1])
                               : check(j->r, j->run, j->found, &j->error[0]);
    if (worker == 0 && j->status[0] != KN_OK) {
        atomic_store(&j->stop, true);
    }
}

static bool has_lists(const kn_dataset *ds)
{
    size_t i = 0;

    while (i < ds->columns && !(ds->column[i].starts && ds->column[i].role == KN_ROLE_QUASI)) {
        i++;
    }
    return i < ds->columns;
}

/* Lists are checked and measured side by side: each goes through them on one thread for a good part
 * of its time. Tables are done by all threads at once already, and would only take more
 * memory. */
static kn_status judge(const kn_release *r, const kn_run *run, kn_outcome *found, kn_error *err)
{
    judging j = {.r = r, .run = run, .found = found};
    kn_status status;
    int failed;

    if (kn__run_threads(run) < 2 || !has_lists(found->published)) {
        status = check(r, run, found, err);
        return status == KN_OK ? measure(r, run, found, err) : status;
    }
    atomic_init(&j.stop, false);
    kn__parallel(2, check_and_measure, &j);
    failed = j.status[0] == KN_OK;
    if (j.status[failed] != KN_OK && err) {
        *err = j.error[failed];
    }
    /* The measuring thread cannot call progress: ask once more whether the caller cancelled. */
    return j.status[failed] == KN_OK ? kn__run_step(run, "measure", 1, err) : j.status[failed];
}

/* Look at the file as a whole. */
static kn_status find_points(const kn_release *r, const kn_run *run, kn_outcome *found,
                             kn_error *err)
{
    kn_table_facts facts = {.published = found->published,
                            .guarantees = r->guarantees,
                            .guarantees_count = r->guarantees_count,
                            .verdict = found->verdict,
                            .original = r->original,
                            .origin = r->origin,
                            .shuffled = r->shuffled,
                            .options = &r->points};

    if (r->original) {
        facts.people = kn__left_out_people(r->original, &facts.people_found);
    }
    return kn__points_of_table(&found->points, &facts, run, err);
}

kn_status kn__release_judge(const kn_release *r, bool whole, const kn_run *run, kn_outcome *found,
                            kn_error *err)
{
    const bool trees = r->data->forest != NULL;
    bool same = true;

    KN_PASS(trees ? compare_trees(r, found->published, err) : compare(r, found->published, err));
    if (!trees) {
        KN_PASS(kn__release_unchanged(r, found->published, &same, err));
    }
    if (!same) {
        KN_PASS(broken(err, "a column that is published as it is differs from the original"));
    }
    if (!trees) {
        settle_sensitive(r, found->published);
        KN_PASS(check_sensitive(r, found->published, err));
    }
    KN_PASS(judge(r, run, found, err));
    if (whole && !r->data->counts) { /* points are found in rows */
        KN_PASS(find_points(r, run, found, err));
    }
    return KN_OK;
}
