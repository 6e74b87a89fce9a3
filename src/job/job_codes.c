/* job_codes.c - quasi-identifiers whose numbers are codes, where no type and no hierarchy was
 * given.
 */
#include "base/buffer.h"
#include "base/error.h"
#include "data/dataset.h"
#include "job/job.h"
#include "utility/profile/profile.h"

kn_status kn__add_postcode_prefixes(kn_hierarchies *hs, const kn_dataset *ds, kn_buffer *names,
                                    kn_error *err)
{
    kn_status status = KN_OK;

    for (size_t i = 0; i < ds->columns; i++) {
        const kn_column *c = &ds->column[i];
        kn_hierarchy_advice advice;
        kn_hierarchy *h = NULL;

        if (c->role != KN_ROLE_QUASI || c->declared || kn_hierarchies_get(hs, c->name) ||
            !kn__holds_postcodes(&advice, ds, c)) {
            continue;
        }
        KN_TRY(kn_hierarchy_build_suggested(&h, ds, i, &advice, err));
        status = kn_hierarchies_add(hs, c->name, h, err);
        if (status != KN_OK) {
            kn_hierarchy_free(h);
            goto done;
        }
        kn__buffer_addf(names, "%s%.60s", names->len ? ", " : "", c->name);
    }
done:
    return status;
}

static kn_status treat_postcodes(kn_dataset *ds, kn_hierarchies *hs, kn_error *err)
{
    kn_buffer names = {0}, note = {0};
    kn_status status;

    KN_TRY(kn__add_postcode_prefixes(hs, ds, &names, err));
    if (names.len) {
        kn__buffer_addf(&note,
                        "postcodes that are numbers are generalised to their first digits: %s "
                        "(--type COLUMN=decimal gives ranges)",
                        names.data);
        KN_TRY(kn__dataset_add_note(ds, &note, err));
    }
done:
    kn__buffer_free(&names);
    kn__buffer_free(&note);
    return status;
}

kn_status kn__treat_codes(kn_dataset *ds, kn_hierarchies *hs, kn_error *err)
{
    kn_buffer note = {0};
    size_t count = 0;
    bool floats = false;
    kn_status status;

    KN_TRY(treat_postcodes(ds, hs, err));
    for (size_t i = 0; i < ds->columns; i++) {
        kn_column *c = &ds->column[i];
        if (c->role != KN_ROLE_QUASI || c->declared || kn_hierarchies_get(hs, c->name) ||
            !kn__holds_codes(ds, c)) {
            continue;
        }
        floats = floats || c->type == KN_TYPE_DECIMAL;
        KN_TRY(kn__column_make_category(c, ds->records, err));
        kn__buffer_addf(&note, "%s%.60s",
                        count++ ? ", "
                                : "numbers that are codes are treated as "
                                  "categories: ",
                        c->name);
    }
    if (count) {
        kn__buffer_addf(&note, " (--type COLUMN=%s keeps them as numbers)",
                        floats ? "decimal" : "integer");
        KN_TRY(kn__dataset_add_note(ds, &note, err));
    }
done:
    kn__buffer_free(&note);
    return status;
}
