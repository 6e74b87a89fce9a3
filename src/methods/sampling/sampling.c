/* sampling.c - the method `sampling`: sigma-k^m-anonymity of one column of sets (Acs, Achara and
 * Castelluccia, Probabilistic k^m-anonymity, IEEE Big Data 2015, Algorithm 2 and A^(r)).
 *
 * Items are merged into regions until, for every size, random itemsets of the original are held by
 * k people in the release; then other samples certify it. */
#include "base/error.h"
#include "base/memory.h"
#include "methods/params.h"
#include "methods/registry.h"
#include "methods/sampling/sampling.h"

#include <string.h>

extern const kn_method_row kn__sampling_row;

static kn_status find_guarantee(const kn_items_task *task, const kn_guarantee **out, kn_error *err)
{
    const kn_anonymize_options *o = task->options;

    *out = NULL;
    for (size_t i = 0; i < o->guarantees_count; i++) {
        const char *asked = kn_guarantee_name(o->guarantees[i].kind);
        if (*out || strcmp(asked, kn__sampling_row.entry.reaches) != 0) {
            return kn__fail(err, KN_EUSAGE,
                            "sampling reaches one guarantee, sigma-km-anonymity: ask for it alone");
        }
        *out = &o->guarantees[i];
    }
    return KN_OK;
}

/* Regions stay within the connected parts of the neighbour graph; without k people in each part
 * the guarantee cannot be met, which is known before the search. */
static kn_status refuse_small_parts(const kn_sampling_rules *r, const kn_guarantee *g,
                                    kn_error *err)
{
    uint8_t *seen = kn__zalloc_array(r->rules.items ? r->rules.items : 1, 1);
    uint32_t *stack = kn__malloc_array(r->rules.items ? r->rules.items : 1, sizeof *stack);
    const double k = (double)kn_guarantee_k(g, 1);
    kn_status status;

    KN_TRY(seen && stack ? KN_OK : kn__nomem(err));
    for (uint32_t i = 0; r->near && i < r->rules.items; i++) {
        double occurrences = 0;
        size_t len = 0;
        if (!r->occurs[i] || seen[i]) {
            continue;
        }
        seen[i] = 1;
        stack[len++] = i;
        while (len > 0) {
            const uint32_t at = stack[--len];
            occurrences += r->weight[at];
            for (uint64_t e = r->near->at[at]; e < r->near->at[at + 1]; e++) {
                if (!seen[r->near->to[e]]) {
                    seen[r->near->to[e]] = 1;
                    stack[len++] = r->near->to[e];
                }
            }
        }
        if (occurrences < k && r->parts > 1) {
            KN_TRY(kn__fail(err, KN_EINFEASIBLE,
                            "the neighbour graph has %zu parts that are not connected, and one of "
                            "them is held by fewer than %.0f people: regions stay within a part; "
                            "add edges, or leave those items out",
                            r->parts, k));
        }
    }
done:
    KN_FREE(seen, stack);
    return status;
}

static kn_status run(const kn_items_task *task, kn_recoding *out, kn_error *err)
{
    const kn_guarantee *g = NULL;
    kn_sampling_rules rules = {0};
    kn_set_source *source = NULL;
    kn_regions *regions = NULL;
    kn_search_counts counts;
    kn_search_path path = {{0}};
    kn_sampling_certified certified;
    kn_certifier *certifier = NULL;
    const bool curve = kn__param_flag(&task->params, "curve");
    kn_search_options options = {.paper = kn__param_flag(&task->params, "paper"),
                                 .runs = kn__param_count(&task->params, "runs"),
                                 .rule = kn__param_is(&task->params, "samples", "hoeffding")
                                             ? KN_SAMPLE_HOEFFDING
                                             : KN_SAMPLE_ZERO_FAILURE,
                                 .seed = task->run ? task->run->seed : 0,
                                 .run = task->run,
                                 .path = curve ? &path : NULL};
    kn_status status;

    KN_TRY(find_guarantee(task, &g, err));
    options.guarantee = g;
    KN_TRY(kn__sampling_rules_init(&rules, task, err));
    if (curve && !rules.places) {
        KN_TRY(kn__fail(err, KN_EUSAGE, "--curve needs places: give --coordinates FILE"));
    }
    KN_TRY(refuse_small_parts(&rules, g, err));
    KN_TRY(kn__set_source_new(&source, task->baskets, err));
    KN_TRY(kn__search(&regions, &rules.rules, source, &options, &counts, err));
    KN_TRY(kn__sampling_certify(&regions, task, source, &options, &certifier, &certified, err));
    out->attempt = certified.attempt;
    KN_TRY(kn__sampling_publish(out, task, &rules, regions, err));
    if (curve) {
        KN_TRY(kn__sampling_curve(out->areas, task, &rules, source, &options, regions, &certifier,
                                  &certified, err));
    }
done:
    kn__certifier_free(certifier);
    kn__search_path_clear(&path);
    kn__regions_free(regions);
    kn__set_source_free(source);
    kn__sampling_rules_clear(&rules);
    return status;
}

static const kn_param params[] = {
    {.name = "coordinates",
     .kind = KN_PARAM_TEXT,
     .help = "sampling: where the items are, a CSV file item,lat,lon; those whose Voronoi cells "
             "touch may be merged"},
    {.name = "edges",
     .kind = KN_PARAM_TEXT,
     .help = "sampling: which items touch, a CSV file item,neighbour, instead of Voronoi cells"},
    {.name = "outline",
     .kind = KN_PARAM_TEXT,
     .help =
         "sampling: a GeoJSON polygon that cells are clipped to; the default is the convex hull"},
    {.name = "error",
     .kind = KN_PARAM_CHOICE,
     .choices = "auto|distance|ncp|matrix",
     .help = "sampling: the error to keep small: metres to the centre of the region, the share of "
             "items in it, or --distances; auto: what the files given allow"},
    {.name = "distances",
     .kind = KN_PARAM_TEXT,
     .help = "sampling: a CSV matrix of distances between items, with a column item"},
    {.name = "names",
     .kind = KN_PARAM_CHOICE,
     .choices = "sets|areas",
     .help = "sampling: publish a region as the set of its items, or as area-1, area-2, ... (see "
             "--mapping)"},
    {.name = "runs",
     .kind = KN_PARAM_COUNT,
     .min = 1,
     .max = 1000,
     .standard = 1,
     .help = "sampling: independent runs, of which the one with the least error is kept"},
    {.name = "samples",
     .kind = KN_PARAM_CHOICE,
     .choices = "zero-failure|hoeffding",
     .help = "sampling: how many samples the search needs; hoeffding: as printed in the paper"},
    {.name = "curve",
     .kind = KN_PARAM_FLAG,
     .help = "sampling: the report also says what every smaller m would have cost, each certified"},
    KN_PARAM_PAPER,
};

const kn_method_row kn__sampling_row = {
    .entry = {.kind = KN_ENTRY_METHOD,
              .name = "sampling",
              .reaches = "sigma-km-anonymity",
              .summary = "merges places or items until random itemsets are common, for millions of "
                         "people",
              KN_PARAMS(params),
              .page = "places.md"},
    .family = KN_METHOD_ITEMS,
    .counts = true,
    .items = run,
};
