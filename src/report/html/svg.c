/* svg.c - bar charts. Lengths are shares of the width and text has its own size, so a chart needs
 * no script and no scaling to be read on a phone. */
#include "report/html/html.h"

#include <math.h>
#include <string.h>

enum { LINE = 17, BAR = 7, GAP = 6, LABEL = 30 };

static const char *const fills[] = {"before", "after", "rest"};

/* Percent with two decimals, no locale. */
static void percent(kn_buffer *b, double share)
{
    const double kept = share >= 0 && isfinite(share) ? fmin(share, 1) : 0;
    const unsigned hundredths = (unsigned)lround(kept * 10000);

    kn__buffer_addf(b, "%u.%02u%%", hundredths / 100, hundredths % 100);
}

static void bar(kn_buffer *b, double share, unsigned y, kn_fill fill)
{
    if (!(share > 0)) {
        return;
    }
    kn__buffer_adds(b, "<rect x=\"0\" width=\"");
    percent(b, fmax(share, 0.002));
    kn__buffer_addf(b, "\" y=\"%u\" height=\"%d\" rx=\"1.5\" class=\"%s\"/>", y, BAR, fills[fill]);
}

static unsigned row_height(const kn_svg_row *row)
{
    return LINE + BAR + GAP + (row->pair ? BAR + 2u : 0u);
}

void kn__svg_figure(kn_svg_row *row, kn_buffer *words)
{
    row->figure[0] = '\0';
    if (!words->failed && words->data && words->len < sizeof row->figure) {
        memcpy(row->figure, words->data, words->len + 1);
    }
    words->len = 0;
    if (words->data) {
        words->data[0] = '\0';
    }
}

void kn__svg_bars(kn_buffer *b, const char *title, const char *description, const kn_svg_row *rows,
                  size_t count, double top, unsigned *ids)
{
    const unsigned id = ++*ids;
    unsigned height = 2, y = 0;

    for (size_t i = 0; i < count; i++) {
        height += row_height(&rows[i]);
    }
    kn__buffer_addf(b,
                    "<svg width=\"100%%\" height=\"%u\" role=\"img\" aria-labelledby=\"t%u d%u\">",
                    height, id, id);
    kn__buffer_addf(b, "<title id=\"t%u\">", id);
    kn__html_text(b, title);
    kn__buffer_addf(b, "</title><desc id=\"d%u\">", id);
    kn__html_text(b, description);
    for (size_t i = 0; i < count; i++) {
        kn__buffer_adds(b, i ? "; " : " ");
        kn__html_value(b, rows[i].label, LABEL);
        kn__buffer_adds(b, ": ");
        kn__html_text(b, rows[i].figure);
    }
    kn__buffer_adds(b, count ? ".</desc>\n" : "</desc>\n");
    for (size_t i = 0; i < count; i++) {
        const kn_svg_row *row = &rows[i];

        kn__buffer_addf(b, "<text x=\"0\" y=\"%u\" class=\"%s\">", y + LINE - 5,
                        row->ours || !row->label || !*row->label ? "label ours" : "label");
        kn__html_value(b, row->label, LABEL);
        kn__buffer_addf(b, "</text><text x=\"100%%\" y=\"%u\" class=\"figure\">", y + LINE - 5);
        kn__html_text(b, row->figure);
        kn__buffer_adds(b, "</text>");
        kn__buffer_addf(
            b, "<rect x=\"0\" width=\"100%%\" y=\"%u\" height=\"%u\" rx=\"1.5\" class=\"track\"/>",
            y + LINE, row->pair ? 2u * BAR + 2 : (unsigned)BAR);
        bar(b, row->value / top, y + LINE, row->fill);
        if (row->pair) {
            bar(b, row->second / top, y + LINE + BAR + 2, row->second_fill);
        }
        kn__buffer_addc(b, '\n');
        y += row_height(row);
    }
    kn__buffer_adds(b, "</svg>\n");
}
