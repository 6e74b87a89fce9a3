/* mine.c - `mine tree`: grow a tree from the columns of a dataset (models/tree/grow.h), and turn it
 * into a model (models/tree/grown_model.h). */
#include "models/registry.h"
#include "base/error.h"
#include "base/memory.h"
#include "base/rng.h"
#include "base/threads.h"
#include "hierarchy/hierarchy.h"
#include "models/tree/grown_model.h"

/* ---- attributes and class ---- */

typedef struct mining {
    const kn_dataset *ds;
    kn_grow_attribute *attribute;
    kn_domain **domain; /* by attribute; owned */
    size_t attributes;
    kn_grow_options grow;
} mining;

static void mining_clear(mining *m)
{
    for (size_t i = 0; m->domain && i < m->attributes; i++) {
        kn__domain_free(m->domain[i]);
    }
    KN_FREE(m->domain, m->attribute);
}

/* kn_mine has checked that the class is a column with a role and several values. */
static kn_status find_class(mining *m, const char *target, kn_error *err)
{
    const kn_column *c = &m->ds->column[kn_dataset_find(m->ds, target)];

    if (c->missing != KN_NO_CODE) {
        return kn__fail(err, KN_EINPUT,
                        "the class '%.100s' has missing values: leave these records out, or give "
                        "them a value of their own",
                        c->name);
    }
    if (kn__column_values(c) > KN_GROW_CLASSES_MOST) {
        return kn__fail(err, KN_EINPUT,
                        "the class '%.100s' has %u values, and a tree predicts %d at most: group "
                        "them first",
                        c->name, kn__column_values(c), KN_GROW_CLASSES_MOST);
    }
    m->grow.target = c;
    m->grow.target_hidden = c->role == KN_ROLE_SENSITIVE;
    return KN_OK;
}

static kn_status add_attribute(mining *m, const kn_column *c, const kn_hierarchies *hierarchies,
                               kn_error *err)
{
    const kn_hierarchy *h = hierarchies ? kn_hierarchies_get(hierarchies, c->name) : NULL;
    const size_t i = m->attributes;
    kn_status status = KN_OK;

    if (kn__type_is_list(c->type)) {
        return kn__fail(err, KN_EUSAGE,
                        "column '%.100s' holds lists: a tree needs one value a record; --keep "
                        "leaves it aside",
                        c->name);
    }
    m->attribute[i].column = c;
    m->attribute[i].hidden = c->role == KN_ROLE_SENSITIVE;
    if (h && c->type == KN_TYPE_CATEGORY) {
        status = kn__domain_new(&m->domain[i], c, h, KN_UNCOVERED_ERROR, err);
        m->attribute[i].domain = m->domain[i];
    }
    m->attributes++;
    return status;
}

static kn_status find_attributes(mining *m, const kn_hierarchies *hierarchies, kn_error *err)
{
    const kn_dataset *ds = m->ds;

    m->attribute = kn__zalloc_array(ds->columns, sizeof *m->attribute);
    m->domain = kn__zalloc_array(ds->columns, sizeof(kn_domain *));
    KN_PASS(m->attribute && m->domain ? KN_OK : kn__nomem(err));
    for (size_t i = 0; i < ds->columns; i++) {
        const kn_column *c = &ds->column[i];
        if (c != m->grow.target && (c->role == KN_ROLE_QUASI || c->role == KN_ROLE_SENSITIVE)) {
            KN_PASS(add_attribute(m, c, hierarchies, err));
        }
    }
    if (m->attributes == 0) {
        KN_PASS(kn__fail(err, KN_EUSAGE,
                         "no column is left to predict '%.100s' from: name some with --qi (public) "
                         "or --sensitive (private)",
                         m->grow.target->name));
    }
    return KN_OK;
}

/* ---- mining ---- */

/* Grow a tree without a share of the records, drawn at random, and ask it about them. */
static kn_status hold_out(const mining *m, double share, kn_tree *to, kn_error *err)
{
    kn_grow_options o = m->grow;
    kn_grown *tree = NULL;
    uint8_t *barred = kn__zalloc(m->ds->records + 1);
    kn_rng rng;
    kn_status status;

    KN_TRY(barred ? KN_OK : kn__nomem(err));
    kn__rng_seed(&rng, o.run ? o.run->seed : 0, 3);
    for (size_t i = 0; i < m->ds->records; i++) {
        barred[i] = kn__rng_double(&rng) < share;
    }
    o.barred = barred;
    KN_TRY(kn__grow_tree(&tree, &o, err));
    for (size_t i = 0; i < m->ds->records; i++) {
        if (barred[i]) {
            to->held_out++;
            to->held_out_right += kn__grown_answer(tree, &o, i) == kn__column_code(o.target, i);
        }
    }
done:
    kn__grown_free(tree);
    kn__free(barred);
    return status;
}

static void set_growth(kn_grow_options *g, const kn_mine_options *options)
{
    static const kn_gain gains[] = {KN_GAIN_RATIO, KN_GAIN_INFORMATION, KN_GAIN_GINI};
    const uint64_t smallest = kn__param_count(options->params, "smallest");

    g->k = options->k;
    g->l = options->l;
    g->distinct_l = options->distinct_l;
    g->inference = options->inference;
    g->gain = gains[kn__param_choice(options->params, "gain")];
    g->depth = kn__param_count(options->params, "depth");
    g->work_most = kn__param_count(options->params, "work");
    g->no_repairs = kn__param_flag(options->params, "paper");
    if (g->no_repairs && g->gain == KN_GAIN_RATIO) {
        g->gain = KN_GAIN_INFORMATION; /* the paper names it and the Gini index */
    }
    g->subsets = !g->no_repairs && kn__param_choice(options->params, "splits") == 0;
    g->prune = !g->no_repairs && !kn__param_flag(options->params, "no-prune");
    g->smallest = smallest || g->no_repairs ? smallest : options->k;
}

kn_status kn__mine_tree(kn_model **out, const kn_dataset *ds, const kn_hierarchies *hierarchies,
                        const kn_mine_options *options, const kn_run *run, kn_error *err)
{
    const double share = kn__param_number(options->params, "hold-out");
    mining m = {.ds = ds};
    kn_grown *tree = NULL;
    kn_status status;

    *out = NULL;
    KN_TRY(find_class(&m, kn__param_text(options->params, "class"), err));
    KN_TRY(find_attributes(&m, hierarchies, err));
    if (!m.grow.target_hidden && (options->l > 0 || options->inference > 0)) {
        KN_TRY(kn__fail(err, KN_EUSAGE,
                        "the class '%.100s' is public: limits on diversity and inference are for a "
                        "private one; leave them out, or make it --sensitive",
                        m.grow.target->name));
    }
    m.grow.ds = ds;
    m.grow.attribute = m.attribute;
    m.grow.attributes = m.attributes;
    m.grow.run = run;
    set_growth(&m.grow, options);
    KN_TRY(kn__grow_tree(&tree, &m.grow, err));
    KN_TRY(kn__run_step(run, "write", -1, err));
    KN_TRY(kn__grown_model(out, tree, &m.grow, err));
    (*out)->tree.unsplit = tree->unsplit;
    (*out)->tree.validated = tree->validated;
    (*out)->tree.validated_right = tree->validated - tree->validation_errors;
    if (share > 0) {
        KN_TRY(hold_out(&m, share, &(*out)->tree, err));
    }
    (*out)->promise = (kn_model_promise){.k = options->k,
                                         .l = options->distinct_l ? 0 : options->l,
                                         .inference = options->inference};
done:
    if (status != KN_OK) {
        kn_model_free(*out);
        *out = NULL;
    }
    kn__grown_free(tree);
    mining_clear(&m);
    return status;
}
