/* sampling_publish.c - names of regions, and the areas that they are on a map. */
#include "base/error.h"
#include "base/memory.h"
#include "base/sort.h"
#include "hierarchy/hierarchy.h"
#include "methods/sampling/sampling.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

/* The items of a region that occur, ascending; at least one of its items does not have to. */
static size_t members(const kn_regions *r, uint32_t region, uint32_t *items)
{
    size_t count = 0;
    uint32_t at = region;

    do {
        items[count++] = at;
        at = r->next[at];
    } while (at != region);
    kn__sort_u32(items, count);
    return count;
}

typedef struct naming {
    const kn_items_task *task;
    const kn_sampling_rules *rules;
    const kn_regions *regions;
    kn_recoding *out;
    uint32_t *items; /* scratch */
    char **name;     /* by region */
    bool areas;      /* area-1, area-2, ... instead of sets */
    size_t number;
} naming;

/* "area-7", unless an item is called so. */
static void add_area_name(naming *n, kn_buffer *text)
{
    char name[48];
    int len;

    do {
        len = snprintf(name, sizeof name, "area-%zu", ++n->number);
    } while (kn__dict_find(n->task->column->dict, name, (size_t)len) != KN_NO_CODE);
    kn__buffer_add(text, name, (size_t)len);
}

static kn_status name_region(naming *n, uint32_t region, kn_error *err)
{
    const kn_regions *r = n->regions;
    const size_t count = members(r, region, n->items);
    kn_buffer text = {0};
    uint32_t code = 0;
    kn_status status;

    if (r->node) {
        kn__domain_publish_node(n->task->domain, r->node[region], &text);
    } else if (n->areas && count > 1) {
        add_area_name(n, &text);
    } else {
        kn__domain_publish_set(n->task->domain, n->items, count, &text);
    }
    KN_TRY(text.failed ? kn__nomem(err) : KN_OK);
    KN_TRY(kn__dict_add(n->out->texts, text.data, text.len, &code, err));
    for (size_t i = 0; i < count; i++) {
        n->out->to[n->items[i]] = code;
    }
    KN_TRY(kn__buffer_take(&text, &n->name[region], err));
done:
    kn__buffer_free(&text);
    return status;
}

/* Regions in the order of their least item. */
static kn_status name_all(naming *n, kn_error *err)
{
    const uint32_t items = n->rules->rules.items;

    for (uint32_t i = 0; i < items; i++) {
        n->out->to[i] = KN_NO_CODE;
    }
    for (uint32_t i = 0; i < items; i++) {
        const uint32_t region = n->regions->of[i];
        if (!n->name[region] && i != n->task->column->missing) {
            KN_PASS(name_region(n, region, err));
        }
    }
    return KN_OK;
}

/* ---- the hierarchy of named areas ---- */

static kn_status make_hierarchy(naming *n, kn_error *err)
{
    const kn_column *column = n->task->column;
    kn_hierarchy_builder builder = {.name = "areas"};
    kn_hierarchy *h = NULL;
    kn_status status = KN_OK;

    for (uint32_t i = 0; i < n->rules->rules.items; i++) {
        const char *name = n->name[n->regions->of[i]];
        kn_text labels[3];
        size_t len;
        const char *text = kn__dict_text(column->dict, i, &len);
        if (i == column->missing || !name) {
            continue;
        }
        labels[0] = (kn_text){text, len};
        labels[1] = (kn_text){name, strlen(name)};
        labels[2] = (kn_text){"*", 1};
        KN_TRY(kn__hierarchy_builder_row(&builder, labels, 3, i + 1, err));
    }
    KN_TRY(kn__hierarchy_builder_finish(&builder, &h, err));
    KN_TRY(kn_hierarchies_new(&n->out->hierarchies, err));
    status = kn_hierarchies_add(n->out->hierarchies, column->name, h, err);
    if (status == KN_OK) {
        h = NULL;
    }
done:
    kn_hierarchy_free(h);
    kn__hierarchy_builder_clear(&builder);
    return status;
}

/* ---- areas ---- */

kn_status kn__sampling_people(double **out, const kn_items_task *task, const kn_regions *regions,
                              kn_error *err)
{
    const kn_baskets *b = task->baskets;
    const size_t room = regions->rules->items ? regions->rules->items : 1;
    size_t *last = kn__zalloc_array(room, sizeof *last);
    kn_status status;

    *out = kn__zalloc_array(room, sizeof **out);
    KN_TRY(last && *out ? KN_OK : kn__nomem(err));
    for (size_t i = 0; i < b->records; i++) {
        for (uint64_t at = b->starts[i]; at < b->starts[i + 1]; at++) {
            const uint32_t region = regions->of[b->list[at]];
            if (last[region] != i + 1) {
                (*out)[region] += kn__baskets_people(b, i);
                last[region] = i + 1;
            }
        }
    }
done:
    kn__free(last);
    if (status != KN_OK) {
        kn__free(*out);
        *out = NULL;
    }
    return status;
}

kn_status kn__sampling_error(kn_area_error *out, const kn_regions *regions, kn_error *err)
{
    const kn_region_rules *rules = regions->rules;
    uint32_t *items = kn__malloc_array(rules->items ? rules->items : 1, sizeof *items);

    *out = (kn_area_error){.mean = NAN, .occurrences = rules->all};
    KN_PASS(items ? KN_OK : kn__nomem(err));
    if (rules->error == KN_REGION_DISTANCE) {
        out->mean = kn__regions_mean_error(regions);
        for (uint32_t i = 0; i < rules->items; i++) {
            double longest = 0;
            if (regions->of[i] == i) {
                (void)kn__region_distances(rules, items, members(regions, i, items), &longest);
            }
            out->longest = fmax(out->longest, longest);
        }
    }
    kn__free(items);
    return KN_OK;
}

static kn_status fill_area(const naming *n, kn_area *a, const uint32_t *items, size_t count,
                           const char *name, double people, kn_error *err)
{
    double longest;

    a->people = people;
    a->items = kn__malloc_array(count, sizeof *a->items);
    a->name = kn__malloc(strlen(name) + 1);
    KN_PASS(a->items && a->name ? KN_OK : kn__nomem(err));
    memcpy(a->name, name, strlen(name) + 1);
    memcpy(a->items, items, count * sizeof *items);
    a->items_count = count;
    a->mean_error = n->rules->rules.error == KN_REGION_DISTANCE
                        ? kn__region_distances(&n->rules->rules, items, count, &longest)
                        : NAN;
    if (n->rules->cells) {
        KN_PASS(kn__voronoi_unite(&a->shape, n->rules->cells, items, count, err));
        a->km2 = a->shape.km2;
    }
    return KN_OK;
}

static kn_status make_areas(naming *n, kn_error *err)
{
    const uint32_t items = n->rules->rules.items;
    double *people = NULL;
    kn_areas *a = kn__zalloc(sizeof *a);
    kn_status status;

    KN_TRY(a ? KN_OK : kn__nomem(err));
    a->before = kn__zalloc_array(items ? items : 1, sizeof *a->before);
    a->after = kn__zalloc_array(items ? items : 1, sizeof *a->after);
    KN_TRY(a->before && a->after ? KN_OK : kn__nomem(err));
    KN_TRY(kn__sampling_people(&people, n->task, n->regions, err));
    for (uint32_t i = 0; i < items; i++) {
        const uint32_t region = n->regions->of[i];
        size_t len;
        if (n->rules->occurs[i]) {
            kn_buffer text = {0};
            const char *name = kn__dict_text(n->task->column->dict, i, &len);
            kn__buffer_add(&text, name, len);
            kn__buffer_addc(&text, '\0');
            status = text.failed ? kn__nomem(err)
                                 : fill_area(n, &a->before[a->before_count++], &i, 1, text.data,
                                             n->rules->weight[i], err);
            kn__buffer_free(&text);
            KN_TRY(status);
        }
        if (region == i && people[i] > 0) {
            const size_t count = members(n->regions, i, n->items);
            KN_TRY(fill_area(n, &a->after[a->after_count++], n->items, count, n->name[i], people[i],
                             err));
        }
    }
    KN_TRY(kn__sampling_error(&a->error, n->regions, err));
    n->out->areas = a;
    a = NULL;
done:
    kn__areas_free(a);
    kn__free(people);
    return status;
}

kn_status kn__sampling_publish(kn_recoding *out, const kn_items_task *task,
                               const kn_sampling_rules *rules, const kn_regions *regions,
                               kn_error *err)
{
    const uint32_t items = rules->rules.items;
    const size_t room = items ? items : 1;
    naming n = {.task = task,
                .rules = rules,
                .regions = regions,
                .out = out,
                .areas = kn__param_is(&task->params, "names", "areas")};
    kn_status status;

    n.items = kn__malloc_array(room, sizeof *n.items);
    n.name = kn__zalloc_array(room, sizeof(char *));
    out->to = kn__malloc_array(room, sizeof *out->to);
    KN_TRY(n.items && n.name && out->to ? KN_OK : kn__nomem(err));
    KN_TRY(kn__dict_new(&out->texts, err));
    KN_TRY(name_all(&n, err));
    if (n.areas && !regions->node) {
        KN_TRY(make_hierarchy(&n, err));
    }
    if (rules->places) {
        KN_TRY(make_areas(&n, err));
    }
done:
    for (uint32_t i = 0; n.name && i < items; i++) {
        kn__free(n.name[i]);
    }
    KN_FREE(n.name, n.items);
    return status;
}
