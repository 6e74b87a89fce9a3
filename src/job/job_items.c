/* job_items.c - what a job says of single items of its item column. */
#include "base/error.h"
#include "base/memory.h"
#include "data/dataset.h"
#include "job/job.h"

static size_t item_column(const kn_dataset *ds)
{
    size_t column = 0;

    while (column < ds->columns && !(ds->column[column].role == KN_ROLE_QUASI &&
                                     kn__type_is_list(ds->column[column].type))) {
        column++;
    }
    return column;
}

static kn_status no_item_column(const char *option, kn_error *err)
{
    return kn__fail(err, KN_EUSAGE,
                    "--%s: no quasi-identifier holds items: name the column (--items and --qi)",
                    option);
}

/* Sensitive items are those of the one item column, which is known only now. */
static kn_status apply_sensitive(const kn_job *job, kn_dataset *ds, kn_error *err)
{
    static const char *const options[] = {[KN_BY_ITEM] = "sensitive-items",
                                          [KN_BY_PREFIX] = "sensitive-prefix",
                                          [KN_BY_NODE] = "sensitive-node"};
    const size_t column = item_column(ds);
    kn_status st = KN_OK;

    for (int by = 0; by < KN_NAMINGS && st == KN_OK; by++) {
        const char **texts;
        size_t count = 0;
        while (kn_job_get(job, options[by], count)) {
            count++;
        }
        if (count == 0) {
            continue;
        }
        if (column == ds->columns) {
            return no_item_column(options[by], err);
        }
        texts = kn__malloc_array(count, sizeof *texts);
        for (size_t i = 0; texts && i < count; i++) {
            texts[i] = kn_job_get(job, options[by], i);
        }
        st = texts ? kn_dataset_set_sensitive_items(ds, column, (kn_named_by)by, texts, count, err)
                   : kn__nomem(err);
        kn__free(texts);
    }
    return st;
}

/* So are those that have weights. */
static kn_status apply_item_weights(const kn_job *job, kn_dataset *ds, kn_error *err)
{
    const kn_option number = {.kind = KN_OPTION_NUMBER};
    const size_t column = item_column(ds);
    const char *pair;
    kn_status st = KN_OK;

    for (size_t i = 0; st == KN_OK && (pair = kn_job_get(job, "item-weight", i)); i++) {
        size_t len = 0;
        const char *value = kn__map_value(pair, &len);
        char *item = kn__strndup(pair, len);
        if (!item) {
            st = kn__nomem(err);
        } else if (column == ds->columns) {
            st = no_item_column("item-weight", err);
        } else {
            st = kn_dataset_set_item_weight(ds, column, item, kn__option_number(&number, value),
                                            err);
        }
        kn__free(item);
    }
    return st;
}

kn_status kn__job_items(const kn_job *job, kn_dataset *ds, kn_error *err)
{
    const kn_status st = apply_sensitive(job, ds, err);

    return st == KN_OK ? apply_item_weights(job, ds, err) : st;
}
