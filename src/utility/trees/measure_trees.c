/* measure_trees.c - the public measures of tree records. */
#include "base/args.h"
#include "base/error.h"
#include "base/memory.h"
#include "data/dataset.h"
#include "utility/trees/trees.h"
#include "utility/utility.h"

#include <math.h>

kn_status kn__tree_comparison_init(kn_tree_comparison *c, const kn_dataset *original,
                                   const kn_dataset *release, const uint32_t *origin,
                                   const kn_hierarchies *hierarchies, kn_error *err)
{
    const kn_forest *of = NULL, *to = NULL;

    *c = (kn_tree_comparison){0};
    if (!original->forest || !release->forest) {
        return kn__fail(err, KN_EUSAGE,
                        "this measure compares tree records with tree records: one of the two "
                        "files holds a table");
    }
    KN_PASS(kn__dataset_published_forest(original, &of, &c->owned[0], err));
    KN_PASS(kn__dataset_published_forest(release, &to, &c->owned[1], err));
    KN_PASS(kn__tree_domain_new(&c->d, of, hierarchies, err));
    return kn__tree_pair_init(&c->pair, of, to, origin, c->d, err);
}

void kn__tree_comparison_clear(kn_tree_comparison *c)
{
    kn__tree_pair_clear(&c->pair);
    kn__tree_domain_free(c->d);
    kn__forest_free(c->owned[0]);
    kn__forest_free(c->owned[1]);
    *c = (kn_tree_comparison){0};
}

static kn_status approximate(double *out, const kn_tree_pair *p, const kn_run *run, kn_error *err)
{
    kn_synopsis *s = NULL;
    double *scratch = NULL;
    kn_status status;

    KN_TRY(kn__synopsis_new(&s, p->published, p->label, p->d->labels, run, err));
    scratch = kn__malloc_array(2 * (size_t)s->nodes, sizeof *scratch);
    KN_TRY(scratch ? KN_OK : kn__nomem(err));
    *out = kn__rpd_approximate(s, p->d, scratch);
done:
    kn__free(scratch);
    kn__synopsis_free(s);
    return status;
}

static double share(uint64_t part, uint64_t all)
{
    return all ? (double)part / (double)all : 0;
}

kn_status kn__trees_measure(kn_measures **out, const kn_dataset *original,
                            const kn_dataset *release, const uint32_t *origin,
                            const kn_hierarchies *hierarchies, const kn_run *run, kn_error *err)
{
    kn_measures *m = kn__zalloc(sizeof *m);
    kn_tree_comparison c = {0};
    kn_tree_kept kept = {0};
    double rpd, before, a;
    kn_status status;

    *out = NULL;
    KN_TRY(m ? KN_OK : kn__nomem(err));
    KN_TRY(kn__tree_comparison_init(&c, original, release, origin, hierarchies, err));
    KN_TRY(kn__tree_kept_count(&kept, &c.pair, run, err));
    KN_TRY(kn__rpd_forest(&rpd, c.pair.published, c.pair.label, c.d, err));
    KN_TRY(kn__rpd_forest(&before, c.pair.original, c.d->of_value, c.d, err));
    KN_TRY(approximate(&a, &c.pair, run, err));
    KN_TRY(kn__measures_add(m, "rpd", rpd, err));
    KN_TRY(kn__measures_add(m, "rpd_original", before, err));
    KN_TRY(kn__measures_add(m, "rpd_a", a, err));
    KN_TRY(kn__measures_add(m, "relations_removed", share(kept.removed, kept.relations), err));
    KN_TRY(kn__measures_add(m, "nodes_suppressed", share(kept.suppressed, kept.nodes), err));
    *out = m;
    m = NULL;
done:
    kn__tree_kept_clear(&kept);
    kn__tree_comparison_clear(&c);
    kn_measures_free(m);
    return status;
}

kn_status kn_tree_mining_measure(kn_tree_mining *out, const kn_dataset *original,
                                 const kn_dataset *release, const kn_hierarchies *hierarchies,
                                 double support, const kn_run *run, kn_error *err)
{
    KN_NEED(err, out, original, release);
    KN_NEED_SIZED(err, run);

    kn_tree_comparison c = {0};
    kn_tree_kept kept = {0};
    kn_status status;

    *out = (kn_tree_mining){.ml2 = NAN, .dml2 = NAN};
    if (!(support >= 0 && support <= 1)) {
        return kn__fail(err, KN_EUSAGE, "support is a share from 0 to 1");
    }
    KN_TRY(kn__tree_comparison_init(&c, original, release, NULL, hierarchies, err));
    KN_TRY(kn__tree_kept_count(&kept, &c.pair, run, err));
    KN_TRY(kn__tree_mine(out, &c.pair, &kept, support > 0 ? support : 0.01, run, err));
done:
    kn__tree_kept_clear(&kept);
    kn__tree_comparison_clear(&c);
    return status;
}
