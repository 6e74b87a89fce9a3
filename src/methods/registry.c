/* registry.c - the list of methods. */
#include "methods/registry.h"
#include "base/buffer.h"
#include "base/error.h"

#include <string.h>

extern const kn_method_row kn__local_row, kn__apriori_row, kn__lra_row, kn__vpa_row, kn__acd_row,
    kn__tds_row, kn__id3_row, kn__rum_bound_row, kn__tum_bound_row, kn__rfirst_row, kn__tfirst_row,
    kn__gcs_row, kn__ecs_row, kn__ocs_row, kn__acs_row, kn__miracle_row, kn__sampling_row;

static const kn_method_row *const rows[] = {
    &kn__flash_row,     &kn__mondrian_row,  &kn__local_row,   &kn__apriori_row, &kn__lra_row,
    &kn__vpa_row,       &kn__acd_row,       &kn__cluster_row, &kn__tds_row,     &kn__id3_row,
    &kn__rum_bound_row, &kn__tum_bound_row, &kn__rfirst_row,  &kn__tfirst_row,  &kn__gcs_row,
    &kn__ecs_row,       &kn__ocs_row,       &kn__acs_row,     &kn__miracle_row, &kn__sampling_row,
};
static const kn_entry *const entries[] = {
    &kn__flash_row.entry,   &kn__mondrian_row.entry,  &kn__local_row.entry,
    &kn__apriori_row.entry, &kn__lra_row.entry,       &kn__vpa_row.entry,
    &kn__acd_row.entry,     &kn__cluster_row.entry,   &kn__tds_row.entry,
    &kn__id3_row.entry,     &kn__rum_bound_row.entry, &kn__tum_bound_row.entry,
    &kn__rfirst_row.entry,  &kn__tfirst_row.entry,    &kn__gcs_row.entry,
    &kn__ecs_row.entry,     &kn__ocs_row.entry,       &kn__acs_row.entry,
    &kn__miracle_row.entry, &kn__sampling_row.entry,
};

enum { COUNT = sizeof rows / sizeof *rows };

const kn_entry *const *kn__method_entries(size_t *count)
{
    *count = COUNT;
    return entries;
}

const kn_method_row *kn__method_find(const char *name)
{
    for (size_t i = 0; i < COUNT; i++) {
        if (strcmp(rows[i]->entry.name, name) == 0) {
            return rows[i];
        }
    }
    return NULL;
}

/* Whether `name` is one of the words of `list`. */
static bool is_listed(const char *name, const char *list)
{
    const size_t len = strlen(name);

    while (*list) {
        const size_t word = strcspn(list, " ");
        if (word == len && memcmp(list, name, len) == 0) {
            return true;
        }
        list += word + (list[word] == ' ');
    }
    return false;
}

const kn_method_row *kn__method_for_numbers(const char *guarantee)
{
    for (size_t i = 0; i < COUNT; i++) {
        if (rows[i]->numbers && is_listed(guarantee, rows[i]->entry.reaches)) {
            return rows[i];
        }
    }
    return NULL;
}

kn_status kn__method_params(kn_params *out, const kn_method_row *row, const kn_params *given,
                            kn_error *err)
{
    KN_PASS(kn__params_bind(out, given, &row->entry, err));
    return row->validate ? row->validate(out, err) : KN_OK;
}

/* "flash, mondrian and local": those of a family, or of it those that leave items out. */
static void list_family(kn_buffer *out, kn_method_family family, bool leaving_out, const char *and)
{
    const char *last = NULL;

    for (size_t i = 0; i < COUNT; i++) {
        if (rows[i]->family != family || (leaving_out && !rows[i]->leaves_out)) {
            continue;
        }
        if (last) {
            kn__buffer_addf(out, "%s%s", out->len ? ", " : "", last);
        }
        last = rows[i]->entry.name;
    }
    kn__buffer_addf(out, "%s%s", out->len ? and : "", last);
}

kn_status kn__method_leaves_out(const kn_method_row *row, kn_error *err)
{
    kn_buffer list = {0};
    kn_status status;

    if (row->leaves_out) {
        return KN_OK;
    }
    list_family(&list, KN_METHOD_ITEMS, true, " or ");
    status = list.failed ? kn__nomem(err)
                         : kn__fail(err, KN_EUSAGE,
                                    "method '%s' leaves no items out: use %s, or leave "
                                    "--item-suppression out",
                                    row->entry.name, list.data);
    kn__buffer_free(&list);
    return status;
}

kn_status kn__method_of_family(const kn_method_row **out, const char *name, kn_method_family family,
                               kn_error *err)
{
    static const char *const meant_for[] = {"tables", "items (km-anonymity)",
                                            "tables with items (k-km-anonymity, k-lm-diversity)",
                                            "tree records (kmn-anonymity)"};
    const kn_method_row *row = kn__method_find(name);
    kn_buffer list = {0};
    kn_status status;

    *out = row;
    if (row && row->family == family) {
        return KN_OK;
    }
    *out = NULL;
    list_family(&list, family, false, " and ");
    if (list.failed) {
        status = kn__nomem(err);
    } else if (row) {
        status = kn__fail(err, KN_EUSAGE, "method '%s' is for %s: for %s there are %s", name,
                          meant_for[row->family], meant_for[family], list.data);
        status = kn__about_parameter(err, status, KN_ERROR_PARAMETER, "method");
    } else {
        status = kn__fail(err, KN_EUSAGE, "there is no method '%.100s': for %s there are %s", name,
                          meant_for[family], list.data);
    }
    kn__buffer_free(&list);
    return status;
}

kn_status kn__method_reaches(const kn_method_row *method, const kn_anonymize_options *options,
                             kn_error *err)
{
    for (size_t i = 0; i < options->guarantees_count; i++) {
        const char *name = kn_guarantee_name(options->guarantees[i].kind);
        if (!is_listed(name, method->entry.reaches)) {
            return kn__fail(err, KN_EUSAGE,
                            "method %s reaches %s only, not %s: see kanon list methods for what "
                            "does",
                            method->entry.name, method->entry.reaches, name);
        }
    }
    return KN_OK;
}

/* Rows of a class differ in columns that are kept, so records that stand for several people have
 * none. */
kn_status kn__method_refuse_counts(const kn_method_row *row, const kn_task *task, kn_error *err)
{
    const kn_dataset *ds = task->ds;
    const kn_anonymize_options *o = task->options;

    if (!ds->counts) {
        return KN_OK;
    }
    for (size_t i = 0; i < ds->columns; i++) {
        if (ds->column[i].role == KN_ROLE_KEPT) {
            return kn__fail(err, KN_EUSAGE,
                            "records that stand for several people have no columns that are kept: "
                            "drop '%.100s'",
                            ds->column[i].name);
        }
    }
    if (o->points && o->points->strict) {
        return kn__fail(err, KN_EUSAGE,
                        "points to settle are found in rows, and these records stand for several "
                        "people each: leave out strict");
    }
    if (o->item_suppression > 0) {
        return kn__refuse_counts(ds, "leaving items out (item suppression)", err);
    }
    if (!row->counts) {
        const kn_method_row *able = &kn__flash_row;
        for (size_t i = COUNT; i-- > 0;) {
            able = rows[i]->counts && rows[i]->family == row->family ? rows[i] : able;
        }
        return kn__fail(err, KN_EUSAGE,
                        "%s takes rows, and these records stand for several people each "
                        "(kn_dataset_set_counts): take method %s, or give the rows themselves",
                        row->entry.name, able->entry.name);
    }
    return KN_OK;
}
