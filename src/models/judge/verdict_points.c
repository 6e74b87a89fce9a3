/* verdict_points.c - the verdict on a model in its three states: what holds, by which columns, and
 * what is to settle. */
#include "base/buffer.h"
#include "base/error.h"
#include "base/memory.h"
#include "base/say.h"
#include "data/dataset.h"
#include "models/judge/verdict.h"
#include "models/registry.h"
#include "points/points.h"

#include <math.h>
#include <string.h>

static size_t names_of(const kn_dataset *ds, kn_role role, const char **names)
{
    size_t count = 0;

    for (size_t i = 0; i < ds->columns; i++) {
        if (ds->column[i].role == role) {
            names[count++] = ds->column[i].name;
        }
    }
    return count;
}

static bool of_items(const kn_model *m)
{
    return kn__model_row(m->kind)->of_items;
}

/* "By age and sex, ": the columns that an attacker knows. */
static void say_public(kn_buffer *b, const kn_model *m, const kn_dataset *ds, const char **names)
{
    const size_t count = names_of(ds, KN_ROLE_QUASI, names);

    if (of_items(m) && count == 1 && strcmp(names[0], "items") == 0) {
        kn__buffer_adds(b, "By the public items");
    } else if (count) {
        kn__buffer_adds(b, of_items(m) ? "By the public items of " : "By ");
        kn__say_names(b, names, count);
    } else {
        kn__buffer_adds(b, "Without any public column");
    }
    kn__buffer_adds(b, ", ");
}

static void say_private(kn_buffer *b, const kn_model *m, const kn_dataset *ds, const char **names)
{
    const size_t count = names_of(ds, KN_ROLE_SENSITIVE, names);

    if (of_items(m) || count == 0) {
        kn__buffer_adds(b, of_items(m) ? "private items" : "private values");
    } else {
        kn__say_names(b, names, count);
    }
}

/* Whether the model holds because nothing in the data is private, so that nothing can be revealed.
 */
static bool lacks_private(const kn_model_verdict *v, const kn_dataset *ds)
{
    if (!kn_model_verdict_holds(v) || v->figures.k != UINT64_MAX) {
        return false;
    }
    for (size_t i = 0; i < ds->columns; i++) {
        const kn_column *c = &ds->column[i];
        bool named = c->role == KN_ROLE_SENSITIVE;
        for (size_t by = 0; by < KN_NAMINGS; by++) {
            named = named || c->sensitive.count[by];
        }
        if (named) {
            return false;
        }
    }
    return true;
}

/* It states figures of other data: neither holds nor broken. */
static bool is_unknown(const kn_model_verdict *v)
{
    return !kn_model_verdict_holds(v) && v->figures.broken == 0;
}

static void say_claim(kn_buffer *b, const kn_model *m, const kn_model_verdict *v,
                      const kn_dataset *ds, const char **names)
{
    const char *noun = kn__model_row(m->kind)->noun;
    const kn_model_figures *f = &v->figures;

    if (lacks_private(v, ds)) {
        kn__buffer_addf(b, "No %s is called private, so nothing limits what this %s reveals",
                        of_items(m) ? "item" : "column", noun);
        return;
    }
    say_public(b, m, ds, names);
    if (is_unknown(v)) {
        kn__buffer_addf(b, "nothing is known of this %s: ", noun);
        kn__say_things(b, (size_t)f->unlike, "figure", "figures");
        kn__buffer_adds(b, " that it states are not those of these records");
        return;
    }
    if (!kn_model_verdict_holds(v)) {
        kn__say_things(b, (size_t)f->at_risk, "record is", "records are");
        kn__buffer_addf(b, " in groups of which this %s reveals more than was allowed about ",
                        noun);
        say_private(b, m, ds, names);
        return;
    }
    kn__buffer_addf(b,
                    f->k == UINT64_MAX ? "this %s reveals nothing about "
                                       : "what this %s reveals about ",
                    noun);
    say_private(b, m, ds, names);
    if (f->k == UINT64_MAX) {
        return;
    }
    kn__buffer_adds(b, " is true of at least ");
    kn__say_things(b, (size_t)f->k, "person", "people");
    kn__buffer_adds(b, " at once, with a certainty of at most ");
    kn__say_share(b, f->inference);
    if (v->limits.l > 0 && isfinite(f->l)) {
        kn__buffer_addf(b, " and %s l-diversity of ",
                        v->limits.distinct_l ? "distinct" : "entropy");
        kn__say_number(b, floor(f->l * 100 + 1e-9) / 100, 2);
    }
}

kn_status kn__model_verdict_settle(kn_model_verdict *v, const kn_model *m, const kn_dataset *ds,
                                   kn_error *err)
{
    const kn_point_options options = v->limits.points ? *v->limits.points : (kn_point_options){0};
    const double limit = kn__point_limit(&options, KN_CHECK_CERTAINTY);
    kn_model_facts facts = {.holds = kn_model_verdict_holds(v),
                            .unknown = is_unknown(v),
                            .lacks_private = lacks_private(v, ds),
                            .of_items = of_items(m),
                            .k = kn_model_verdict_holds(v) ? v->figures.k : v->limits.k,
                            .certainty = v->figures.inference,
                            .options = &options};
    const char **names = kn__malloc_array(ds->columns, sizeof *names);
    kn_buffer claim = {0};
    kn_status status = names ? KN_OK : kn__nomem(err);

    KN_TRY(status);
    for (size_t i = 0; i < v->spans.count; i++) {
        facts.certain_records += v->confidence[i] > limit ? v->spans.population[i] : 0;
    }
    say_claim(&claim, m, v, ds, names);
    KN_TRY(claim.failed ? kn__nomem(err) : KN_OK);
    facts.claim = claim.data;
    KN_TRY(kn__points_of_model(&v->points, &facts, err));
done:
    v->limits.points = NULL; /* it is the caller's */
    kn__buffer_free(&claim);
    kn__free((void *)names);
    return status;
}

const kn_points *kn_model_verdict_points(const kn_model_verdict *v)
{
    return v ? v->points : NULL;
}
