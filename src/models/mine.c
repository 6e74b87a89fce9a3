/* mine.c - kn_mine: checks of options, columns and class that all kinds of models have in common.
 */
#include "models/registry.h"
#include "base/args.h"
#include "base/error.h"
#include "base/params.h"
#include "data/dataset.h"
#include "data/value_form.h"

#include <inttypes.h>
#include <math.h>

kn_status kn__model_limits_validate(double l, double inference, kn_error *err)
{
    if (!isfinite(l) || l < 0 || (l > 0 && l < 1)) {
        (void)kn__fail(err, KN_EUSAGE, "l is %g; give l of at least 1, or 0 for none", l);
        return kn__about_parameter(err, KN_EUSAGE, KN_ERROR_PARAMETER, "l");
    }
    if (!(inference >= 0 && inference <= 1)) {
        (void)kn__fail(err, KN_EUSAGE, "inference is %g; give a share in 0..1", inference);
        return kn__about_parameter(err, KN_EUSAGE, KN_ERROR_PARAMETER, "inference");
    }
    return KN_OK;
}

static kn_status check_options(const kn_mine_options *o, kn_error *err)
{
    KN_NEED_ENUM(err, o->kind, KN_MODEL_RULES, "kind of model");
    if (o->k < 1) {
        return kn__fail(err, KN_EUSAGE, "k is 0; give k of at least 1 (1: a plain model)");
    }
    return kn__model_limits_validate(o->l, o->inference, err);
}

/* A category with a different value in every record is an identifier, and dates that are read as
 * text would be categories, unless a hierarchy generalises them. */
static kn_status check_columns(const kn_dataset *ds, const kn_hierarchies *hierarchies,
                               kn_error *err)
{
    for (size_t i = 0; i < ds->columns; i++) {
        const kn_column *c = &ds->column[i];
        if ((c->role != KN_ROLE_QUASI && c->role != KN_ROLE_SENSITIVE) || !c->dict || c->starts ||
            (hierarchies && kn_hierarchies_get(hierarchies, c->name))) {
            continue;
        }
        KN_PASS(kn__column_refuse_text(c, KN_TEXT_MINED, err));
        if (c->type == KN_TYPE_CATEGORY && ds->records > 1 && kn__column_values(c) == ds->records) {
            KN_PASS(
                kn__fail(err, KN_EINPUT,
                         "'%.100s' has another value in every record: it is an identifier, and a "
                         "model must not know it; name it with --id, or leave it out",
                         c->name));
        }
    }
    return KN_OK;
}

static kn_status check_class(const kn_dataset *ds, const char *target, kn_error *err)
{
    const size_t at = target ? kn_dataset_find(ds, target) : SIZE_MAX;
    const kn_column *c;

    if (!target) {
        return kn__fail(err, KN_EUSAGE, "a tree predicts a class: name its column with --class");
    }
    if (at == SIZE_MAX) {
        (void)kn__fail(err, KN_EUSAGE, "the class '%.100s' is no column of the data", target);
        return kn__about_column(err, KN_EUSAGE, KN_ERROR_NO_COLUMN, target);
    }
    c = &ds->column[at];
    if (c->role != KN_ROLE_QUASI && c->role != KN_ROLE_SENSITIVE) {
        return kn__fail(err, KN_EUSAGE,
                        "the class '%.100s' is %s: it must be public (--qi) or private "
                        "(--sensitive)",
                        target,
                        c->role == KN_ROLE_IDENTIFIER ? "an identifier"
                                                      : "neither public nor private");
    }
    if (c->starts || !c->dict) {
        return kn__fail(err, KN_EINPUT, "the class '%.100s' holds lists; a class is one value",
                        target);
    }
    if (kn__column_values(c) == 1 && c->missing != KN_NO_CODE) {
        return kn__fail(
            err, KN_EINPUT,
            "the class '%.100s' is missing in every record: there is nothing to predict", target);
    }
    if (kn__column_values(c) < 2) {
        return kn__fail(err, KN_EINPUT,
                        "the class '%.100s' has one value only: there is nothing to predict",
                        target);
    }
    return KN_OK;
}

kn_status kn_mine(kn_model **out, const kn_dataset *ds, const kn_hierarchies *hierarchies,
                  const kn_mine_options *options, const kn_run *run, kn_error *err)
{
    KN_NEED_OUT(err, out);
    KN_NEED(err, ds, options);
    KN_NEED_ROWS(err, ds);
    KN_NEED_SIZED(err, options);
    KN_NEED_SIZED(err, run);

    const kn_model_row *row = kn__model_row(options->kind);
    kn_mine_options own = *options;
    kn_params params;

    KN_PASS(check_options(options, err));
    KN_PASS(kn__params_bind(&params, options->params, &row->entry, err));
    own.params = &params;
    if (options->k > ds->records) {
        KN_PASS(kn__fail(err, KN_EINFEASIBLE,
                         "k is %" PRIu64
                         ", and there %s %zu record%s: no model can hide anybody among "
                         "more people than there are",
                         options->k, ds->records == 1 ? "is" : "are", ds->records,
                         ds->records == 1 ? "" : "s"));
    }
    if (kn__param_find(&row->entry, "class")) {
        KN_PASS(check_class(ds, kn__param_text(&params, "class"), err));
    }
    KN_PASS(check_columns(ds, hierarchies, err));
    return row->mine(out, ds, hierarchies, &own, run, err);
}
