/* method.c - the methods for tree records as rows, and the driver that makes a release of them. */
#include "base/error.h"
#include "base/memory.h"
#include "base/params.h"
#include "base/threads.h"
#include "methods/params.h"
#include "methods/registry.h"
#include "methods/trees/anonymize_trees.h"
#include "methods/trees/trees.h"

/* ---- what was done, in words ---- */

static void say_relation(kn_buffer *b, const kn_tree_domain *d, kn_relation r)
{
    kn__buffer_addf(b, "%s ~> %s", d->text[r.above], d->text[r.below]);
}

static kn_status add_text(char ***list, size_t *count, kn_buffer *b, kn_error *err)
{
    char **longer = kn__realloc_array(*list, *count + 1, sizeof *longer);

    KN_PASS(longer ? KN_OK : kn__nomem(err));
    *list = longer;
    KN_PASS(kn__buffer_take(b, &longer[*count], err));
    ++*count;
    return KN_OK;
}

/* "Hospital1 ~> Gastritis: too few records matched Hospital1 ~> Gastritis with Flu". Reports
 * are passed on, so they do not state how many. */
static kn_status explain(kn_tree_changes *out, const kn_tree_domain *d, const kn_tree_solution *s,
                         kn_error *err)
{
    kn_buffer b = {0};
    kn_status status = KN_OK;

    for (size_t i = 0; i < s->cuts; i++) {
        const kn_disassociation *cut = &s->cut[i];
        say_relation(&b, d, cut->relation);
        kn__buffer_adds(&b, ": too few records matched ");
        for (uint32_t j = 0; j < cut->relations && j < KN_WHY_RELATIONS; j++) {
            kn__buffer_adds(&b, j ? ", " : "");
            say_relation(&b, d, cut->known[j]);
        }
        for (uint32_t v = 0; v < cut->values; v++) {
            bool related = false;
            for (uint32_t j = 0; j < cut->relations && j < KN_WHY_RELATIONS; j++) {
                related = related || cut->known[j].above == cut->value[v] ||
                          cut->known[j].below == cut->value[v];
            }
            if (!related) {
                kn__buffer_addf(&b, " with %s", d->text[cut->value[v]]);
            }
        }
        KN_TRY(add_text(&out->removed, &out->removed_count, &b, err));
    }
done:
    kn__buffer_free(&b);
    return status;
}

/* What each class is published as: the labels of the cut that values of the data have. */
static kn_status describe_cut(kn_tree_changes *out, const kn_forest *f, const kn_tree_domain *d,
                              const kn_tree_solution *s, kn_error *err)
{
    uint8_t *named = kn__zalloc_array(d->labels, 1);
    kn_buffer b = {0};
    kn_status status = named ? KN_OK : kn__nomem(err);

    KN_TRY(status);
    for (uint32_t c = 0; c < d->classes; c++) {
        uint32_t begin, end, labels = 0;
        kn__forest_class_values(f, (uint16_t)c, &begin, &end);
        kn__buffer_addf(&b, "%s: ", f->classes.name[c]);
        for (uint32_t v = begin; v < end; v++) {
            const uint32_t label = s->to[v];
            if (label != KN_NO_LABEL && !named[label]) {
                named[label] = 1;
                kn__buffer_addf(&b, "%s%s", labels++ ? ", " : "", d->text[label]);
            }
        }
        kn__buffer_adds(&b, labels ? "" : "left out");
        KN_TRY(add_text(&out->cut, &out->cut_count, &b, err));
    }
done:
    kn__buffer_free(&b);
    kn__free(named);
    return status;
}

/* ---- the driver ---- */

static kn_status task_of(kn_tree_task *out, bool **fixed, kn_tree_diversity *diversity,
                         const kn_task *task, const kn_tree_domain *d, kn_error *err)
{
    const kn_dataset *ds = task->ds;
    kn_status status = KN_OK;
    double l = 0;

    *out = (kn_tree_task){.forest = ds->forest, .domain = d, .run = task->run};
    for (size_t i = 0; i < task->options->guarantees_count; i++) {
        const kn_guarantee *g = &task->options->guarantees[i];
        out->k = g->k > out->k ? g->k : out->k;
        out->m = g->m > out->m ? g->m : out->m;
        out->n = g->n > out->n ? g->n : out->n;
        l = g->l > l ? g->l : l;
    }
    *fixed = kn__zalloc_array(ds->columns, sizeof **fixed);
    KN_PASS(*fixed ? KN_OK : kn__nomem(err));
    for (size_t i = 0; i < ds->columns; i++) {
        (*fixed)[i] = ds->column[i].role == KN_ROLE_SENSITIVE;
    }
    if (l > 1) {
        status = kn__tree_diversity_init(diversity, l, ds->forest, *fixed, err);
        out->diversity = diversity;
    }
    for (size_t i = 0; i < ds->columns; i++) {
        (*fixed)[i] = ds->column[i].role != KN_ROLE_QUASI;
    }
    out->fixed = *fixed;
    return status;
}

/* A value that is too common among all records cannot be hidden by anything. */
static kn_status refuse_common(const kn_tree_diversity *d, const kn_forest *f, kn_error *err)
{
    for (size_t i = 0; i < d->count; i++) {
        if ((double)d->set[i].len * d->l > (double)f->records) {
            return kn__fail(
                err, KN_EINFEASIBLE,
                "l = %g cannot be met: a sensitive value is held by %zu of %zu records; "
                "l can be at most %.3g",
                d->l, d->set[i].len, f->records, (double)f->records / (double)d->set[i].len);
        }
    }
    return KN_OK;
}

static kn_status search(kn_forest **out, kn_tree_changes *changes, const kn_tree_task *t,
                        kn_cut_search kind, kn_error *err)
{
    kn_tree_solution s = {0};
    kn_status status;

    KN_TRY(kn__tree_search(&s, t, kind, err));
    changes->examined = s.examined;
    KN_TRY(describe_cut(changes, t->forest, t->domain, &s, err));
    KN_TRY(explain(changes, t->domain, &s, err));
    KN_TRY(kn__tree_publish(out, t->forest, t->domain, &s, t->run, err));
done:
    kn__tree_solution_clear(&s);
    return status;
}

static kn_status refuse_fixed(const kn_tree_task *t, const char *method, kn_error *err)
{
    for (size_t c = 0; c < t->forest->classes.len; c++) {
        uint32_t begin, end;
        kn__forest_class_values(t->forest, (uint16_t)c, &begin, &end);
        if (t->fixed[c] && begin < end) {
            return kn__fail(err, KN_EUSAGE,
                            "class \"%s\" is no quasi-identifier, and %s makes whole records "
                            "equal: drop the class, or take another method",
                            t->forest->classes.name[c], method);
        }
    }
    return KN_OK;
}

/* The records that hold a class which may be published, of the class where these are most. */
static kn_status most_holders(size_t *out, const kn_tree_task *t, kn_error *err)
{
    const kn_forest *f = t->forest;
    size_t *holders = kn__zalloc_array(2 * f->classes.len, sizeof *holders);
    size_t *last = holders ? holders + f->classes.len : NULL; /* the last holder, from 1 */

    KN_PASS(holders ? KN_OK : kn__nomem(err));
    *out = 0;
    for (size_t r = 0; r < f->records; r++) {
        for (uint64_t i = f->starts[r]; i < f->starts[r + 1]; i++) {
            const uint16_t c = f->value_class[f->value[i]];
            if (last[c] != r + 1) {
                last[c] = r + 1;
                holders[c]++;
                *out = holders[c] > *out ? holders[c] : *out;
            }
        }
    }
    kn__free(holders);
    return KN_OK;
}

/* Records without any node would satisfy the guarantee, and are no release. The root of a class
 * that k records hold can be published by itself, whatever m and n are. */
static kn_status refuse_nothing(const kn_forest *published, const kn_tree_task *t, kn_error *err)
{
    size_t most;

    if (published->starts[published->records] > 0) {
        return KN_OK;
    }
    KN_PASS(most_holders(&most, t, err));
    if (most < t->k) {
        return kn__fail(err, KN_EINFEASIBLE,
                        "k = %zu cannot be met: no class is in more than %zu records, so nothing "
                        "would be left to publish; k can be at most that",
                        t->k, most);
    }
    return kn__fail(err, KN_EINFEASIBLE,
                    "nothing would be left to publish: ask for a lower k%s, or take another "
                    "method%s",
                    t->diversity ? " or l" : "", t->most_cuts ? " or more --cuts" : "");
}

kn_status kn__trees_anonymize(kn_forest **out, kn_tree_changes *changes, kn_task *task,
                              const char **name, kn_error *err)
{
    const kn_anonymize_options *options = task->options;
    const kn_method_row *method = NULL;
    kn_tree_domain *d = NULL;
    kn_tree_task t;
    kn_tree_diversity diversity = {0};
    bool *fixed = NULL;
    kn_status status;

    *out = NULL;
    KN_TRY(kn__method_of_family(&method, options->method ? options->method : "gcs", KN_METHOD_TREES,
                                err));
    KN_TRY(kn__method_reaches(method, options, err));
    *name = method->entry.name;
    KN_TRY(kn__method_params(&task->params, method, options->params, err));
    KN_TRY(kn__tree_domain_new(&d, task->ds->forest, task->hierarchies, err));
    KN_TRY(task_of(&t, &fixed, &diversity, task, d, err));
    KN_TRY(refuse_common(&diversity, task->ds->forest, err));
    KN_TRY(kn__run_step(task->run, *name, 0, err));
    if (kn__param_find(&method->entry, "g")) {
        t.g = kn__param_count(&task->params, "g");
    }
    if (kn__param_find(&method->entry, "cuts")) {
        t.most_cuts = kn__param_count(&task->params, "cuts");
    }
    if (kn__param_find(&method->entry, "climit")) {
        KN_TRY(refuse_fixed(&t, *name, err));
        KN_TRY(kn__tree_miracle(out, &t, kn__param_count(&task->params, "climit"),
                                kn__param_number(&task->params, "threshold"), &changes->clusters,
                                err));
    } else {
        KN_TRY(search(out, changes, &t, (kn_cut_search)method->variant, err));
    }
    KN_TRY(refuse_nothing(*out, &t, err));
done:
    if (status != KN_OK) {
        kn__forest_free(*out);
        *out = NULL;
    }
    kn__free(fixed);
    kn__tree_diversity_clear(&diversity);
    kn__tree_domain_free(d);
    return status;
}

/* ---- the rows ---- */

#define PARAM_G                                                                              \
    {                                                                                        \
        .name = "g", .kind = KN_PARAM_COUNT, .min = 1, .max = 1000, .standard = 2,           \
        .help = "gcs, ocs, ecs: how many of the cheapest children of a cut are looked into " \
                "further"                                                                    \
    }
#define PARAM_CUTS                                                                             \
    {                                                                                          \
        .name = "cuts", .kind = KN_PARAM_COUNT, .min = 0, .max = KN_MOST_COUNT,                \
        .help = "acs, gcs, ocs, ecs: evaluate no more than so many cuts; 0: as many as there " \
                "are"                                                                          \
    }

static const kn_param acs_params[] = {PARAM_CUTS};
static const kn_param cut_params[] = {PARAM_G, PARAM_CUTS};
static const kn_param miracle_params[] = {
    {.name = "climit",
     .kind = KN_PARAM_COUNT,
     .min = 1,
     .max = KN_MOST_COUNT,
     .standard = 150,
     .help = "miracle: so many records are compared with a cluster to find the nearest"},
    {.name = "threshold",
     .kind = KN_PARAM_NUMBER,
     .min = 0,
     .max = 1,
     .standard = 0.1,
     .help = "miracle: a cluster of k records takes more while they are nearer than this"},
};

const kn_method_row kn__gcs_row = {
    .entry = {.kind = KN_ENTRY_METHOD,
              .name = "gcs",
              .reaches = "kmn-anonymity",
              .summary = "tree records: greedy search over cuts, relations disassociated where "
                         "they identify (GreedyCutSearch)",
              KN_PARAMS(cut_params),
              .page = "tree-anonymity.md"},
    .family = KN_METHOD_TREES,
    .variant = KN_GREEDY_CUTS,
};

const kn_method_row kn__ecs_row = {
    .entry = {.kind = KN_ENTRY_METHOD,
              .name = "ecs",
              .reaches = "kmn-anonymity",
              .summary = "tree records: as gcs, with RPD itself as the cost and relations chosen "
                         "together; loses less",
              KN_PARAMS(cut_params),
              .page = "tree-anonymity.md"},
    .family = KN_METHOD_TREES,
    .variant = KN_EXACT_CUTS,
};

const kn_method_row kn__ocs_row = {
    .entry = {.kind = KN_ENTRY_METHOD,
              .name = "ocs",
              .reaches = "kmn-anonymity",
              .summary = "tree records: values are generalised, the structure stays "
                         "(OnlyCutSearch)",
              KN_PARAMS(cut_params),
              .page = "tree-anonymity.md"},
    .family = KN_METHOD_TREES,
    .variant = KN_ONLY_CUTS,
};

const kn_method_row kn__acs_row = {
    .entry = {.kind = KN_ENTRY_METHOD,
              .name = "acs",
              .reaches = "kmn-anonymity",
              .summary = "tree records: all cuts, for small data and to compare with "
                         "(AllCutSearch)",
              KN_PARAMS(acs_params),
              .page = "tree-anonymity.md"},
    .family = KN_METHOD_TREES,
    .variant = KN_ALL_CUTS,
};

const kn_method_row kn__miracle_row = {
    .entry = {.kind = KN_ENTRY_METHOD,
              .name = "miracle",
              .reaches = "kmn-anonymity",
              .summary = "tree records: clusters of k records made equal (multirelational "
                         "k-anonymity), to compare with",
              KN_PARAMS(miracle_params),
              .page = "tree-anonymity.md"},
    .family = KN_METHOD_TREES,
};
