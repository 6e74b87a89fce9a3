/* areas.c - areas as texts. Colours go from pale yellow to dark blue with the logarithm of the
 * density, in five steps that can be told apart in print. */
#include "geo/areas.h"
#include "base/memory.h"
#include "base/say.h"
#include "data/value.h"

#include <math.h>
#include <string.h>

enum { COLOURS = 5 };
static const char *const colours[COLOURS] = {"#ffffcc", "#a1dab4", "#41b6c4", "#2c7fb8", "#253494"};

static void list_free(kn_area *area, size_t count)
{
    for (size_t i = 0; area && i < count; i++) {
        KN_FREE(area[i].name, area[i].items);
        kn__shape_clear(&area[i].shape);
    }
    kn__free(area);
}

void kn__areas_free(kn_areas *a)
{
    if (a) {
        list_free(a->before, a->before_count);
        list_free(a->after, a->after_count);
        KN_FREE(a->curve, a);
    }
}

double kn__area_error_rounded(const kn_area_error *error, size_t least)
{
    const double step = error->occurrences > 0
                            ? 2 * (double)least * error->longest / error->occurrences
                            : 0;

    return step > 0 ? step * ceil(error->mean / step) : error->mean;
}

/* The same in every locale. */
static void add_number(kn_buffer *out, double value, unsigned decimals)
{
    kn__number_format(out, value, decimals);
}

/* ---- GeoJSON ---- */

static void add_json_text(kn_buffer *out, const char *text, size_t len)
{
    kn__buffer_addc(out, '"');
    for (size_t i = 0; i < len; i++) {
        const unsigned char c = (unsigned char)text[i];
        if (c == '"' || c == '\\') {
            kn__buffer_addc(out, '\\');
            kn__buffer_addc(out, (char)c);
        } else if (c < 0x20) {
            kn__buffer_addf(out, "\\u%04x", c);
        } else {
            kn__buffer_addc(out, (char)c);
        }
    }
    kn__buffer_addc(out, '"');
}

static void add_shape(kn_buffer *out, const kn_shape *s)
{
    kn__buffer_adds(out, "{\"type\":\"MultiPolygon\",\"coordinates\":[");
    for (size_t p = 0; p < s->polygons; p++) {
        kn__buffer_adds(out, p ? ",[" : "[");
        for (size_t r = s->polygon_at[p]; r < s->polygon_at[p + 1]; r++) {
            kn__buffer_adds(out, r > s->polygon_at[p] ? ",[" : "[");
            for (size_t i = s->ring_at[r]; i < s->ring_at[r + 1]; i++) {
                kn__buffer_adds(out, i > s->ring_at[r] ? ",[" : "[");
                add_number(out, s->point[i][0], 7);
                kn__buffer_addc(out, ',');
                add_number(out, s->point[i][1], 7);
                kn__buffer_addc(out, ']');
            }
            kn__buffer_addc(out, ']');
        }
        kn__buffer_addc(out, ']');
    }
    kn__buffer_adds(out, "]}");
}

static void add_feature(kn_buffer *out, const kn_area *a, const kn_column *column)
{
    kn__buffer_adds(out, "{\"type\":\"Feature\",\"properties\":{\"area\":");
    add_json_text(out, a->name, strlen(a->name));
    kn__buffer_adds(out, ",\"people\":");
    add_number(out, a->people, 0);
    kn__buffer_adds(out, ",\"km2\":");
    add_number(out, a->km2, 6);
    kn__buffer_adds(out, ",\"mean_error_m\":");
    if (isnan(a->mean_error)) {
        kn__buffer_adds(out, "null");
    } else {
        add_number(out, a->mean_error, 1);
    }
    kn__buffer_adds(out, ",\"items\":[");
    for (size_t i = 0; i < a->items_count; i++) {
        size_t len;
        const char *text = kn__dict_text(column->dict, a->items[i], &len);
        kn__buffer_adds(out, i ? "," : "");
        add_json_text(out, text, len);
    }
    kn__buffer_adds(out, "]},\"geometry\":");
    if (a->shape.polygons) {
        add_shape(out, &a->shape);
    } else {
        kn__buffer_adds(out, "null");
    }
    kn__buffer_addc(out, '}');
}

void kn__areas_geojson(const kn_areas *a, const kn_column *column, kn_buffer *out)
{
    kn__buffer_adds(out, "{\"type\":\"FeatureCollection\",\"features\":[\n");
    for (size_t i = 0; i < a->after_count; i++) {
        add_feature(out, &a->after[i], column);
        kn__buffer_adds(out, i + 1 < a->after_count ? ",\n" : "\n");
    }
    kn__buffer_adds(out, "]}\n");
}

/* ---- tables ---- */

static void add_cell(kn_buffer *out, const char *text, size_t len, char separator)
{
    bool quote = false;

    for (size_t i = 0; i < len; i++) {
        quote = quote || text[i] == separator || text[i] == '"' || text[i] == '\n' ||
                text[i] == '\r';
    }
    if (quote) {
        kn__say_quoted(out, '"', text, len);
    } else {
        kn__buffer_add(out, text, len);
    }
}

void kn__areas_csv(const kn_areas *a, const kn_column *column, kn_buffer *out)
{
    kn__buffer_adds(out, "area,people,km2,mean_error_m,items\n");
    for (size_t i = 0; i < a->after_count; i++) {
        const kn_area *area = &a->after[i];
        kn_buffer items = {0};
        add_cell(out, area->name, strlen(area->name), ',');
        kn__buffer_addc(out, ',');
        add_number(out, area->people, 0);
        kn__buffer_addc(out, ',');
        add_number(out, area->km2, 6);
        kn__buffer_addc(out, ',');
        if (!isnan(area->mean_error)) {
            add_number(out, area->mean_error, 1);
        }
        for (size_t j = 0; j < area->items_count; j++) {
            size_t len;
            const char *text = kn__dict_text(column->dict, area->items[j], &len);
            kn__buffer_adds(&items, j ? " " : "");
            kn__buffer_add(&items, text, len);
        }
        kn__buffer_addc(out, ',');
        add_cell(out, items.data ? items.data : "", items.len, ',');
        kn__buffer_addc(out, '\n');
        out->failed = out->failed || items.failed;
        kn__buffer_free(&items);
    }
}

void kn__areas_mapping(const kn_areas *a, const kn_column *column, kn_buffer *out)
{
    for (size_t i = 0; i < a->after_count; i++) {
        const kn_area *area = &a->after[i];
        for (size_t j = 0; j < area->items_count; j++) {
            size_t len;
            const char *text = kn__dict_text(column->dict, area->items[j], &len);
            add_cell(out, text, len, ';');
            kn__buffer_addc(out, ';');
            add_cell(out, area->name, strlen(area->name), ';');
            kn__buffer_adds(out, ";*\n");
        }
    }
}

/* ---- SVG ---- */

typedef struct frame {
    double west, north, x, y; /* pixels per degree */
    double width, height;
    double least, most; /* logarithms of densities */
} frame;

static void widen(const kn_area *area, size_t count, double box[4])
{
    for (size_t i = 0; i < count; i++) {
        const kn_shape *s = &area[i].shape;
        for (size_t j = 0; s->rings && j < s->ring_at[s->rings]; j++) {
            box[0] = fmin(box[0], s->point[j][0]);
            box[1] = fmax(box[1], s->point[j][0]);
            box[2] = fmin(box[2], s->point[j][1]);
            box[3] = fmax(box[3], s->point[j][1]);
        }
    }
}

/* The scale is that of the published areas: how few people were at a place before shows in neither
 * picture. */
static void find_scale(frame *f, const kn_areas *a)
{
    for (size_t i = 0; i < a->after_count; i++) {
        const kn_area *area = &a->after[i];
        if (area->km2 > 0 && area->people > 0) {
            f->least = fmin(f->least, log(area->people / area->km2));
            f->most = fmax(f->most, log(area->people / area->km2));
        }
    }
}

static bool frame_find(frame *f, const kn_areas *a, double width)
{
    double box[4] = {INFINITY, -INFINITY, INFINITY, -INFINITY};

    *f = (frame){.least = INFINITY, .most = -INFINITY, .width = width};
    widen(a->before, a->before_count, box);
    widen(a->after, a->after_count, box);
    find_scale(f, a);
    if (!(box[1] > box[0]) || !(box[3] > box[2])) {
        return false;
    }
    f->west = box[0];
    f->north = box[3];
    f->x = width / (box[1] - box[0]);
    f->y = f->x / cos((box[2] + box[3]) / 2 * 3.14159265358979323846 / 180);
    f->height = ceil((box[3] - box[2]) * f->y);
    return true;
}

static size_t colour_of(const frame *f, const kn_area *a)
{
    const double share = a->km2 > 0 && a->people > 0 && f->most > f->least
                             ? (log(a->people / a->km2) - f->least) / (f->most - f->least)
                             : 0;
    const double step = fmax(share, 0) * COLOURS;

    return step < COLOURS - 1 ? (size_t)step : COLOURS - 1;
}

static void add_path(kn_buffer *out, const frame *f, const kn_area *a)
{
    const kn_shape *s = &a->shape;

    if (!s->polygons) {
        return;
    }
    kn__buffer_adds(out, "<path d=\"");
    for (size_t r = 0; r < s->rings; r++) {
        for (size_t i = s->ring_at[r]; i + 1 < s->ring_at[r + 1]; i++) {
            kn__buffer_addc(out, i == s->ring_at[r] ? 'M' : 'L');
            add_number(out, (s->point[i][0] - f->west) * f->x, 1);
            kn__buffer_addc(out, ' ');
            add_number(out, (f->north - s->point[i][1]) * f->y, 1);
        }
        kn__buffer_addc(out, 'Z');
    }
    kn__buffer_addf(out, "\" fill=\"%s\"/>\n", colours[colour_of(f, a)]);
}

void kn__areas_svg(const kn_areas *a, bool after, double width, kn_buffer *out)
{
    const kn_area *area = after ? a->after : a->before;
    const size_t count = after ? a->after_count : a->before_count;
    frame f;

    if (!frame_find(&f, a, width)) {
        return;
    }
    kn__buffer_addf(out,
                    "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 %.0f %.0f\" "
                    "width=\"%.0f\" height=\"%.0f\" role=\"img\" aria-label=\"%zu areas, coloured "
                    "by people per square kilometre\">\n"
                    "<g stroke=\"#555\" stroke-width=\"0.5\" fill-rule=\"evenodd\">\n",
                    f.width, f.height + 24, f.width, f.height + 24, count);
    for (size_t i = 0; i < count; i++) {
        add_path(out, &f, &area[i]);
    }
    kn__buffer_adds(out, "</g>\n<g font-size=\"11\" font-family=\"sans-serif\">\n");
    for (size_t i = 0; i < COLOURS; i++) {
        const size_t end = i ? i : 1;
        const double from = exp(f.least + (f.most - f.least) * (double)end / COLOURS);
        kn__buffer_addf(out,
                        "<rect x=\"%.0f\" y=\"%.0f\" width=\"12\" height=\"12\" fill=\"%s\" "
                        "stroke=\"#555\"/><text x=\"%.0f\" y=\"%.0f\">%s %.0f</text>\n",
                        (double)i * width / COLOURS, f.height + 8, colours[i],
                        (double)i * width / COLOURS + 16, f.height + 18, i ? "from" : "below",
                        from);
    }
    kn__buffer_adds(out, "</g>\n</svg>\n");
}
