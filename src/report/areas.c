/* areas.c - the areas of a release of places: what a report keeps of them. The maps are drawn when
 * the report is made, so that it holds pictures and no coordinates. */
#include "base/error.h"
#include "base/memory.h"
#include "report/facts.h"

#include <string.h>

static const double map_width = 520; /* pixels */

void kn__report_areas_clear(kn_report_areas *a)
{
    for (size_t i = 0; a->area && i < a->count; i++) {
        kn__free(a->area[i].name);
    }
    KN_FREE(a->area, a->before, a->after, a->curve);
    *a = (kn_report_areas){0};
}

static kn_status draw(const kn_areas *areas, bool after, char **out, kn_error *err)
{
    kn_buffer b = {0};
    kn_status status;

    kn__areas_svg(areas, after, map_width, &b);
    status = kn__buffer_take(&b, out, err);
    kn__buffer_free(&b);
    return status;
}

static kn_status copy_curve(kn_report_areas *out, const kn_areas *from, size_t least, kn_error *err)
{
    if (!from->curve_count) {
        return KN_OK;
    }
    out->curve = kn__malloc_array(from->curve_count, sizeof *out->curve);
    KN_PASS(out->curve ? KN_OK : kn__nomem(err));
    for (size_t i = 0; i < from->curve_count; i++) {
        const kn_area_step *step = &from->curve[i];
        out->curve[out->curve_count++] = (kn_report_area_step){
            .m = step->m,
            .areas = step->areas,
            .mean_error = kn__area_error_rounded(&step->error, least),
            .mean_km2 = step->mean_km2,
            .eps = step->eps,
            .attempt = step->attempt};
    }
    return KN_OK;
}

kn_status kn__report_areas_copy(kn_report_areas *out, const kn_areas *from, size_t least,
                                kn_error *err)
{
    double weighted = 0, people = 0;

    if (!from) {
        return KN_OK;
    }
    out->area = kn__zalloc_array(from->after_count ? from->after_count : 1, sizeof *out->area);
    KN_PASS(out->area ? KN_OK : kn__nomem(err));
    for (size_t i = 0; i < from->after_count; i++) {
        const kn_area *a = &from->after[i];
        kn_report_area *to = &out->area[out->count++];
        *to = (kn_report_area){.items = a->items_count,
                               .people = a->people,
                               .km2 = a->km2,
                               .mean_error = a->mean_error};
        to->name = kn__malloc(strlen(a->name) + 1);
        KN_PASS(to->name ? KN_OK : kn__nomem(err));
        memcpy(to->name, a->name, strlen(a->name) + 1);
        weighted += a->people * a->km2;
        people += a->people;
    }
    out->before_count = from->before_count;
    out->mean_error = kn__area_error_rounded(&from->error, least);
    out->mean_km2 = people > 0 ? weighted / people : 0;
    KN_PASS(copy_curve(out, from, least, err));
    KN_PASS(draw(from, false, &out->before, err));
    return draw(from, true, &out->after, err);
}
