/* report/html/html.h - the parts that the page is put together from. The page is well-formed XML
 * and HTML5 at once, so any XML parser can check it. */
#ifndef KN_REPORT_HTML_HTML_H
#define KN_REPORT_HTML_HTML_H

#include "report/facts.h"

/** The style sheet: light and dark, narrow and wide, screen and paper. NULL-terminated pieces. */
extern const char *const kn__html_style[];

/** Text with `&`, `<`, `>` and quotes escaped. Everything that is not ours goes through here. */
void kn__html_text(kn_buffer *b, const char *text);
/** The same, with options of the command (`--qi age`) as code. */
void kn__html_options(kn_buffer *b, const char *text);
/** `len` bytes of what may be typed or pasted; where it is long, its lines may be broken. */
void kn__html_code(kn_buffer *b, const char *text, size_t len);
/** Text, at most `most` characters, then an ellipsis. */
void kn__html_cut(kn_buffer *b, const char *text, size_t most);
/** A value: cut, or "missing" for NULL, or "empty" for the empty text. */
void kn__html_value(kn_buffer *b, const char *text, size_t most);

/** What `words` holds, escaped; frees it. */
void kn__html_words(kn_buffer *b, kn_buffer *words);

/** The page up to its first part: `what` it is, of the file at `path` (may be NULL), or `title`
 * (may be NULL) instead of both; and its end, with `more` in the last line. */
void kn__html_begin(kn_buffer *b, const char *what, const char *path, const char *title);
kn_status kn__html_end(kn_buffer *b, const char *more, char **out, kn_error *err);

/** What was asked to stand in a page's first box; each may be NULL. */
typedef struct kn_html_heading {
    const char *title, *note, *date;
} kn_html_heading;
/** The title, and the line below it that says what the page is: its start, and its end with the
 * date. Then the note, which comes below the claim. */
void kn__html_title(kn_buffer *b, const kn_html_heading *h);
void kn__html_date(kn_buffer *b, const kn_html_heading *h);
void kn__html_note(kn_buffer *b, const kn_html_heading *h);

/** A table up to its first heading, in a region that can be scrolled; `class` may be "". The caller
 * writes the headings, then "</tr></thead><tbody>", the rows and "</tbody></table></div>". */
void kn__html_table(kn_buffer *b, const char *class, const char *caption);

/** The start of a page's first box: green, amber or red, with the state in words; the caller closes
 * its div. In it the points to settle, or those that are decided. */
void kn__html_verdict(kn_buffer *b, const kn_points *points);
void kn__html_points(kn_buffer *b, const kn_points *points, bool decided);

/** Entries of a list of technical details: a file with its hash; seed, memory and version; and
 * below the list, the job (JSON, may be NULL). */
void kn__html_file(kn_buffer *b, const char *term, const kn_report_file *f);
void kn__html_machine(kn_buffer *b, uint64_t seed, size_t peak_memory_bytes);
void kn__html_job(kn_buffer *b, const char *json);

/** The first screen: the claim, the points to settle, what stays exact, risk and usefulness before
 * and after, and the contents. */
void kn__html_front(kn_buffer *b, const kn_report *r);
/** Whether the section would be empty, which is then left out. */
bool kn__html_has_whole(const kn_report *r);
bool kn__html_has_groups(const kn_report *r);
bool kn__html_has_risk(const kn_report *r);
bool kn__html_has_changes(const kn_report *r);
bool kn__html_has_columns(const kn_report *r);
/** Records as they look now, and means, deviations and correlations. */
void kn__html_rows(kn_buffer *b, const kn_report *r);
void kn__html_statistics(kn_buffer *b, const kn_report *r);

/** Tree records: the cut of each hierarchy, and the relations that were disassociated. */
void kn__html_tree_changes(kn_buffer *b, const kn_report *r);
/** The section about areas, if there are any. */
void kn__html_areas(kn_buffer *b, const kn_report *r);
/** The sections about the whole table. */
void kn__html_whole(kn_buffer *b, const kn_report *r);
void kn__html_lost(kn_buffer *b, const kn_report *r, unsigned *ids);
void kn__html_groups(kn_buffer *b, const kn_report *r, unsigned *ids);
void kn__html_risk(kn_buffer *b, const kn_report *r);
void kn__html_technical(kn_buffer *b, const kn_report *r);
/** The sections about single columns. */
void kn__html_distributions(kn_buffer *b, const kn_report *r, unsigned *ids);
void kn__html_changes(kn_buffer *b, const kn_report *r);

/* ---- svg.c ---- */

typedef enum kn_fill { KN_FILL_BEFORE, KN_FILL_AFTER, KN_FILL_REST } kn_fill;

/** One row of a chart: words on the left, a figure on the right, one or two bars below. */
typedef struct kn_svg_row {
    const char *label; /* NULL: "missing" */
    bool ours;         /* the label is our words, not a value */
    double value, second;
    kn_fill fill, second_fill;
    bool pair;
    char figure[96]; /* what stands on the right, plain text */
} kn_svg_row;

/** A chart of horizontal bars as long as value / `top` of the width, which adapts to the page. Its
 * description for readers who do not see it ends with the labels and figures of all rows. `*ids`
 * numbers the titles. */
void kn__svg_bars(kn_buffer *b, const char *title, const char *description, const kn_svg_row *rows,
                  size_t count, double top, unsigned *ids);
/** Write what `say` has put into `words` to the row's figure, cut to fit, and empty it. */
void kn__svg_figure(kn_svg_row *row, kn_buffer *words);

/* ---- svg_plot.c ---- */

typedef struct kn_svg_point {
    double x, y;       /* NaN y: none here; lines are broken */
    const char *label; /* our words or a number, shown when the mouse is over it */
} kn_svg_point;

/** Lines over two axes that begin at 0. */
typedef struct kn_svg_plot {
    const char *title, *description;
    const kn_svg_point *lines[2]; /* the second (may be NULL) with dashes and squares */
    size_t count;                 /* points of each line */
    const char *x_name;
    bool numbers;   /* x is a number with an axis like y's; else x is 0..1 and labels stand below */
    bool scattered; /* points without lines between them */
    bool labels;    /* points have their labels beside them, where there is room */
} kn_svg_plot;

void kn__svg_plot(kn_buffer *b, const kn_svg_plot *plot, unsigned *ids);

#endif
