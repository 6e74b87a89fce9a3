/* svg_plot.c - lines over two axes. As in the bar charts, places are shares of the width and text
 * has its own size, so that a plot is read on a phone as well; lines are made of single segments,
 * which alone can have such places. Room for the words beside the axes is left by the page. */
#include "report/html/html.h"

#include <assert.h>
#include <math.h>
#include <string.h>

enum {
    HEIGHT = 240,
    TOP = 12,
    BELOW = 46, /* for the words under the axis */
    TICKS = 4,
    MOST_LABELS = 10,
    MARK = 4,
    SMALL_MARK = 2,
    CROWD = 60, /* more points have small marks */
    /* Labels beside points: the room that one takes on a page as narrow as this. */
    NARROW = 340,
    LABEL_HEIGHT = 18,
    LABEL_CHARACTER = 8,
    MOST_PLACED = 64,
    MOST_SAID = 40 /* points in the description */
};

typedef struct axis {
    double top, step;
    unsigned steps, decimals;
} axis;

/* An axis from 0 with a round step, that reaches `most`. */
static axis axis_to(double most)
{
    static const double steps[] = {1, 2, 2.5, 5, 10};
    const double raw = most > 0 ? most / TICKS : 0.25;
    const double magnitude = pow(10, floor(log10(raw)));
    axis a = {.step = magnitude * 10};

    for (size_t i = sizeof steps / sizeof *steps; i-- > 0;) {
        a.step = magnitude * steps[i] >= raw * (1 - 1e-9) ? magnitude * steps[i] : a.step;
    }
    a.steps = most > 0 ? (unsigned)ceil(most / a.step - 1e-9) : TICKS;
    a.top = a.step * a.steps;
    while (a.decimals < 9 &&
           fabs(a.step * pow(10, a.decimals) - round(a.step * pow(10, a.decimals))) > 1e-6) {
        a.decimals++;
    }
    return a;
}

/* A share of the width, a little inside the plot. */
static void place(kn_buffer *b, const char *name, double share)
{
    const unsigned hundredths = (unsigned)lround((0.02 + 0.96 * fmin(fmax(share, 0), 1)) * 10000);

    kn__buffer_addf(b, " %s=\"%u.%02u%%\"", name, hundredths / 100, hundredths % 100);
}

static unsigned height_at(double share)
{
    return TOP + (unsigned)lround((1 - fmin(fmax(share, 0), 1)) * (HEIGHT - TOP));
}

static void levels(kn_buffer *b, const axis *y)
{
    for (unsigned i = 0; i <= y->steps; i++) {
        const unsigned at = height_at((double)i / y->steps);
        kn__buffer_addf(b, "<line x1=\"0\" x2=\"100%%\" y1=\"%u\" y2=\"%u\" class=\"%s\"/>", at, at,
                        i ? "grid" : "axis");
        kn__buffer_addf(b, "<text x=\"-8\" y=\"%u\" class=\"level\">", at + 4);
        kn__say_number(b, i * y->step, y->decimals);
        kn__buffer_adds(b, "</text>\n");
    }
}

static void tick(kn_buffer *b, double share)
{
    kn__buffer_adds(b, "<text");
    place(b, "x", share);
    kn__buffer_addf(b, " y=\"%d\" class=\"tick\">", HEIGHT + 18);
}

static void ticks(kn_buffer *b, const kn_svg_plot *plot, const axis *x)
{
    const size_t every = (plot->count + MOST_LABELS - 1) / MOST_LABELS;

    for (unsigned i = 0; plot->numbers && i <= x->steps; i++) {
        tick(b, (double)i / x->steps);
        kn__say_number(b, i * x->step, x->decimals);
        kn__buffer_adds(b, "</text>\n");
    }
    for (size_t i = 0; !plot->numbers && i < plot->count; i++) {
        if (i % every == 0) {
            tick(b, plot->lines[0][i].x);
            kn__html_text(b, plot->lines[0][i].label);
            kn__buffer_adds(b, "</text>\n");
        }
    }
    kn__buffer_addf(b, "<text x=\"100%%\" y=\"%d\" class=\"figure\">", HEIGHT + 38);
    kn__html_text(b, plot->x_name);
    kn__buffer_adds(b, "</text>\n");
}

static void segment(kn_buffer *b, const char *class, double x1, double y1, double x2, double y2)
{
    kn__buffer_adds(b, "<line");
    place(b, "x1", x1);
    place(b, "x2", x2);
    kn__buffer_addf(b, " y1=\"%u\" y2=\"%u\" class=\"line %s\"/>\n", height_at(y1), height_at(y2),
                    class);
}

/* A circle, or for the second line a square, which tells itself when pointed at. */
static void mark(kn_buffer *b, const kn_svg_point *p, int size, bool second, double x, double y)
{
    kn__buffer_adds(b, second ? "<rect" : "<circle");
    place(b, second ? "x" : "cx", x);
    if (second) {
        kn__buffer_addf(b, " y=\"%u\" width=\"%d\" height=\"%d\" transform=\"translate(-%d -%d)\"",
                        height_at(y), 2 * size, 2 * size, size, size);
    } else {
        kn__buffer_addf(b, " cy=\"%u\" r=\"%d\"", height_at(y), size);
    }
    kn__buffer_addf(b, " class=\"%s\"><title>", second ? "two" : "one");
    kn__html_text(b, p->label);
    kn__buffer_adds(b, ": ");
    kn__say_measure(b, p->y);
    kn__buffer_addf(b, "</title></%s>\n", second ? "rect" : "circle");
}

static void line(kn_buffer *b, const kn_svg_plot *plot, size_t which, const axis *x, const axis *y)
{
    const kn_svg_point *points = plot->lines[which];
    const double width = plot->numbers ? x->top : 1;

    for (size_t i = 1; i < plot->count && !plot->scattered; i++) {
        const kn_svg_point *p = &points[i - 1], *q = &points[i];
        if (isfinite(p->y) && isfinite(q->y)) {
            segment(b, which ? "two" : "one", p->x / width, p->y / y->top, q->x / width,
                    q->y / y->top);
        }
    }
    for (size_t i = 0; i < plot->count; i++) {
        if (isfinite(points[i].y)) {
            mark(b, &points[i], plot->count > CROWD ? SMALL_MARK : MARK, which > 0,
                 points[i].x / width, points[i].y / y->top);
        } else if (which == 0 && !plot->numbers) {
            kn__buffer_adds(b, "<text");
            place(b, "x", points[i].x);
            kn__buffer_addf(b, " y=\"%d\" class=\"miss\">×<title>", HEIGHT - 5);
            kn__html_text(b, points[i].label);
            kn__buffer_adds(b, ": cannot be met</title></text>\n");
        }
    }
}

/* Whether a label that begins at `at_x` above a point at height `at_y` covers the mark of a point.
 */
static bool covers_mark(const kn_svg_plot *plot, const axis *x, const axis *y, double at_x,
                        double at_y, double width)
{
    for (size_t l = 0; l < 2 && plot->lines[l]; l++) {
        for (size_t i = 0; i < plot->count; i++) {
            const kn_svg_point *p = &plot->lines[l][i];
            if (isfinite(p->x) && isfinite(p->y)) {
                const double mark = p->x / x->top * NARROW, above = at_y - height_at(p->y / y->top);
                if (mark > at_x && mark < at_x + width && above > MARK &&
                    above < LABEL_HEIGHT + MARK) {
                    return true;
                }
            }
        }
    }
    return false;
}

/* Labels beside the points, the ends first; one that would cover another or a point is left to the
 * table. */
static void labels(kn_buffer *b, const kn_svg_plot *plot, const axis *x, const axis *y)
{
    struct {
        double x, y, width;
    } placed[MOST_PLACED];
    size_t count = 0;

    for (size_t n = 0; n < plot->count && count < MOST_PLACED; n++) {
        size_t i = n ? n - 1 : 0;
        if (n == 1) {
            i = plot->count - 1;
        }
        const kn_svg_point *p = &plot->lines[0][i];
        const double width = LABEL_CHARACTER * (double)strlen(p->label) + LABEL_CHARACTER;
        const double mark = p->x / x->top * NARROW, at_y = height_at(p->y / y->top);
        const bool before = mark + width > NARROW; /* it would end outside the plot */
        const double at_x = before ? mark - width : mark;
        bool room = isfinite(p->y) && isfinite(p->x) && !covers_mark(plot, x, y, at_x, at_y, width);
        for (size_t o = 0; o < count && room; o++) {
            room = fabs(placed[o].y - at_y) >= LABEL_HEIGHT ||
                   placed[o].x + placed[o].width <= at_x || at_x + width <= placed[o].x;
        }
        if (room) {
            placed[count].x = at_x;
            placed[count].y = at_y;
            placed[count++].width = width;
            kn__buffer_adds(b, "<text");
            place(b, "x", p->x / x->top);
            kn__buffer_addf(b, " dx=\"%d\" y=\"%u\"%s>", before ? -7 : 7, (unsigned)at_y - 10,
                            before ? " text-anchor=\"end\"" : "");
            kn__html_text(b, p->label);
            kn__buffer_adds(b, "</text>\n");
        }
    }
}

/* The points in words, as many as one can listen to. */
static void describe(kn_buffer *b, const kn_svg_plot *plot)
{
    const size_t said = plot->count < MOST_SAID ? plot->count : MOST_SAID;

    for (size_t i = 0; i < said; i++) {
        kn__buffer_adds(b, i ? "; " : " ");
        kn__html_text(b, plot->lines[0][i].label);
        kn__buffer_adds(b, ": ");
        for (size_t l = 0; l < 2 && plot->lines[l]; l++) {
            if (plot->scattered && !isfinite(plot->lines[l][i].y)) {
                continue; /* a point of the other kind */
            }
            kn__buffer_adds(b, l && !plot->scattered ? " and " : "");
            if (isfinite(plot->lines[l][i].y)) {
                kn__say_measure(b, plot->lines[l][i].y);
            } else {
                kn__buffer_adds(b, "cannot be met");
            }
        }
    }
    kn__buffer_adds(b, said ? "." : "");
}

void kn__svg_plot(kn_buffer *b, const kn_svg_plot *plot, unsigned *ids)
{
    const unsigned id = ++*ids;
    double most_x = 0, most_y = 0;
    axis x, y;

    assert(plot->lines[0]);
    for (size_t l = 0; l < 2 && plot->lines[l]; l++) {
        for (size_t i = 0; i < plot->count; i++) {
            most_x = fmax(most_x, plot->lines[l][i].x);
            most_y = fmax(most_y, plot->lines[l][i].y);
        }
    }
    x = axis_to(most_x);
    y = axis_to(most_y);
    kn__buffer_addf(b,
                    "<div class=\"plot\"><svg width=\"100%%\" height=\"%d\" role=\"img\" "
                    "aria-labelledby=\"t%u d%u\">",
                    HEIGHT + BELOW, id, id);
    kn__buffer_addf(b, "<title id=\"t%u\">", id);
    kn__html_text(b, plot->title);
    kn__buffer_addf(b, "</title><desc id=\"d%u\">", id);
    kn__html_text(b, plot->description);
    describe(b, plot);
    kn__buffer_adds(b, "</desc>\n");
    levels(b, &y);
    ticks(b, plot, &x);
    for (size_t l = 0; l < 2 && plot->lines[l]; l++) {
        line(b, plot, l, &x, &y);
    }
    if (plot->labels) {
        labels(b, plot, &x, &y);
    }
    kn__buffer_adds(b, "</svg></div>\n");
}
