/* sampling_curve.c - what every smaller m would have cost: regions, error and size, certified. */
#include "base/error.h"
#include "base/memory.h"
#include "methods/sampling/sampling.h"

/* The mean size of the regions, weighted by the people who hold each. Cells do not overlap, so the
 * size of a region is the sum of those of its cells. */
static kn_status mean_km2(double *out, const kn_items_task *task, const kn_sampling_rules *rules,
                          const kn_regions *regions, kn_error *err)
{
    const uint32_t items = rules->rules.items;
    double *km2 = kn__zalloc_array(items ? items : 1, sizeof *km2), weighted = 0, people = 0;
    double *held = NULL;
    kn_status status;

    *out = 0;
    KN_TRY(km2 ? KN_OK : kn__nomem(err));
    KN_TRY(kn__sampling_people(&held, task, regions, err));
    for (uint32_t i = 0; rules->cells && i < items; i++) {
        km2[regions->of[i]] += kn__voronoi_area(rules->cells, i);
    }
    for (uint32_t i = 0; i < items; i++) {
        weighted += held[i] * km2[i];
        people += held[i];
    }
    *out = people > 0 ? weighted / people : 0;
done:
    KN_FREE(km2, held);
    return status;
}

static kn_status add_step(kn_areas *areas, size_t m, const kn_items_task *task,
                          const kn_sampling_rules *rules, const kn_regions *regions,
                          const kn_sampling_certified *certified, kn_error *err)
{
    kn_area_step *step = &areas->curve[areas->curve_count];

    *step = (kn_area_step){.m = m, .eps = certified->eps, .attempt = certified->attempt};
    for (uint32_t i = 0; i < rules->rules.items; i++) {
        step->areas += regions->of[i] == i && rules->occurs[i];
    }
    KN_PASS(kn__sampling_error(&step->error, regions, err));
    KN_PASS(mean_km2(&step->mean_km2, task, rules, regions, err));
    areas->curve_count++;
    return KN_OK;
}

kn_status kn__sampling_curve(kn_areas *areas, const kn_items_task *task,
                             const kn_sampling_rules *rules, const kn_set_source *source,
                             const kn_search_options *options, const kn_regions *regions,
                             kn_certifier **certifier, const kn_sampling_certified *done,
                             kn_error *err)
{
    kn_guarantee smaller = *options->guarantee;
    kn_search_options asked = *options;

    areas->curve = kn__zalloc_array(smaller.m, sizeof *areas->curve);
    KN_PASS(areas->curve ? KN_OK : kn__nomem(err));
    asked.guarantee = &smaller;
    for (size_t m = 1; m < options->guarantee->m && options->path->after[m]; m++) {
        kn_sampling_certified certified;
        smaller.m = m;
        KN_PASS(kn__sampling_certify(&options->path->after[m], task, source, &asked, certifier,
                                     &certified, err));
        KN_PASS(add_step(areas, m, task, rules, options->path->after[m], &certified, err));
    }
    return add_step(areas, options->guarantee->m, task, rules, regions, done, err);
}
