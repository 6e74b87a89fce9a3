/* front.c - the first screen of a report: may this be published? The claim with its columns, what
 * is to settle, what stays exact, and risk and usefulness before and after. */
#include "report/html/html.h"

#include <math.h>
#include <string.h>

/* ---- what stays exact ---- */

static bool is_exact(const kn_report *r, const kn_report_column *c)
{
    (void)r;
    return c->published && (c->role == KN_ROLE_SENSITIVE || c->role == KN_ROLE_KEPT);
}

static bool is_exact_quasi(const kn_report *r, const kn_report_column *c)
{
    (void)r;
    return c->role == KN_ROLE_QUASI && c->unchanged;
}

static void exact(kn_buffer *b, const kn_report *r)
{
    kn_buffer columns = {0}, quasi = {0};
    const size_t kept = kn__say_columns(&columns, r, is_exact);
    const size_t same = kn__say_columns(&quasi, r, is_exact_quasi);

    kn__buffer_adds(b, "<p class=\"exact\"><b>What stays exact:</b> ");
    if (kept) {
        kn__html_words(b, &columns);
        kn__buffer_adds(b, kept > 1 ? " are published as they are" : " is published as it is");
    } else {
        kn__buffer_adds(b, "no column is published as it is");
    }
    if (same) {
        kn__buffer_adds(b, "; of the quasi-identifiers ");
        kn__html_words(b, &quasi);
        kn__buffer_adds(b, " could stay unchanged");
    }
    kn__buffer_adds(b, ".</p>\n");
    kn__buffer_free(&columns);
    kn__buffer_free(&quasi);
}

/* ---- before and after ---- */

static void tile(kn_buffer *b, const char *term)
{
    kn__buffer_addf(b, "<div><dt>%s</dt><dd>", term);
}

static void tile_end(kn_buffer *b, const char *words)
{
    kn__buffer_addf(b, "<small>%s</small></dd></div>\n", words);
}

/* "100 % → 10 %" */
static void shares(kn_buffer *b, const char *term, double before, double after, const char *words)
{
    if (!isfinite(after)) {
        return;
    }
    tile(b, term);
    if (isfinite(before)) {
        kn__buffer_adds(b, "<span class=\"was\">");
        kn__say_share(b, before);
        kn__buffer_adds(b, " → </span>");
    }
    kn__say_share(b, after);
    tile_end(b, words);
}

static double kept_share(const kn_report *r, const char *measure)
{
    return 1 - kn_report_utility(r, measure);
}

static void records(kn_buffer *b, const kn_report *r)
{
    tile(b, "Records");
    kn__buffer_adds(b, "<span class=\"was\">");
    kn__say_count(b, r->input.rows);
    kn__buffer_adds(b, " → </span>");
    kn__say_count(b, r->output.rows);
    kn__buffer_adds(b, "<small>");
    kn__say_count(b, r->suppressed);
    kn__buffer_adds(b, " suppressed (");
    kn__say_share(b, r->input.rows ? (double)r->suppressed / (double)r->input.rows : 0);
    kn__buffer_adds(b, ")</small></dd></div>\n");
}

static void risk_tiles(kn_buffer *b, const kn_report *r)
{
    const kn_risk *x = &r->risk_before, *y = &r->risk_after;

    if (isfinite(y->prosecutor_max)) {
        shares(b, "Highest risk", x->prosecutor_max, y->prosecutor_max,
               "of picking the record of a person whose quasi-identifiers are known");
        shares(b, "Mean risk", x->prosecutor_mean, y->prosecutor_mean, "over all people");
        return;
    }
    for (size_t i = 0; i < r->guarantees_count; i++) {
        const double before = r->achieved_before ? r->achieved_before[i] : NAN;
        const char *parameter = kn_guarantee_parameter(&r->guarantees[i]);

        if (strcmp(parameter, "k") == 0) {
            shares(b, "Highest risk", kn__risk_of_k(before), kn__risk_of_k(r->achieved[i]),
                   "of picking a person’s record, knowing as much as the guarantee allows");
            return;
        }
        if (strcmp(parameter, "sigma") == 0) {
            shares(b, "Safe combinations", before, r->achieved[i],
                   "of items are shared by as many people as was asked");
            return;
        }
    }
}

static void query_tile(kn_buffer *b, const kn_report *r)
{
    const double error = kn_report_utility(r, "query_error");

    if (isfinite(error)) {
        tile(b, "Counting questions");
        kn__buffer_adds(b, "<span class=\"was\">exact → </span>off by ");
        kn__say_share(b, error);
        tile_end(b, "of the right answer, on average");
    }
}

/* What a user of the published file will notice. */
static void use_tiles(kn_buffer *b, const kn_report *r)
{
    const kn_report_areas *a = &r->areas;
    const double items = kept_share(r, "items_changed"), loss = kept_share(r, "loss");

    if (a->count && isfinite(a->mean_error)) {
        tile(b, "Where people were");
        kn__buffer_adds(b, "<span class=\"was\">0 → </span>");
        kn__say_number(b, a->mean_error, 0);
        kn__buffer_adds(b, " m");
        tile_end(b, "from a place to the centre of its area, on average");
    }
    if (r->trees) {
        shares(b, "Relations", 1, kept_share(r, "relations_removed"),
               "between the values of a tree are still there");
        shares(b, "Frequent subtrees", 1, kept_share(r, "ml2"), "are still found");
        return;
    }
    if (isfinite(items)) {
        shares(b, "Items as they were", 1, items, "the others are generalised or left out");
        query_tile(b, r);
        shares(b, "Frequent itemsets", 1, kept_share(r, "mining_loss"), "are still found");
    }
    if (isfinite(loss) && isfinite(r->risk_after.prosecutor_max)) {
        shares(b, "Detail", 1, loss, "of the quasi-identifiers is left");
    } else if (isfinite(kn_report_utility(r, "relational_ncp"))) {
        shares(b, "Detail of the columns", 1, kept_share(r, "relational_ncp"),
               "is left, not counting the items");
    }
}

/* ---- contents ---- */

static void contents(kn_buffer *b, const kn_report *r)
{
    const struct {
        const char *id, *words;
        bool shown;
    } parts[] = {{"violations", "Groups that break it", r->violations_total > 0},
                 {"asked", "What was asked", true},
                 {"done", "What was done", true},
                 {"trees", "Records before and after", r->tree_drawings != NULL},
                 {"areas", "Areas", r->areas.count > 0},
                 {"whole", "The file as a whole", kn__html_has_whole(r)},
                 {"rows", "How records look", r->rows > 0},
                 {"columns", "Before and after", kn__html_has_columns(r)},
                 {"statistics", "Summary statistics", r->statistics > 0},
                 {"lost", "What was lost", r->measures_count > 0},
                 {"groups", "Groups", kn__html_has_groups(r)},
                 {"risk", "Risk", kn__html_has_risk(r)},
                 {"changes", "Generalisations", kn__html_has_changes(r)},
                 {"technical", "Technical details", true}};

    kn__buffer_adds(b, "<nav aria-label=\"Contents\"><ul>");
    for (size_t i = 0; i < sizeof parts / sizeof *parts; i++) {
        if (parts[i].shown) {
            kn__buffer_addf(b, "<li><a href=\"#%s\">%s</a></li>", parts[i].id, parts[i].words);
        }
    }
    kn__buffer_adds(b, "</ul></nav></header>\n");
}

void kn__html_title(kn_buffer *b, const kn_html_heading *h)
{
    if (h->title) {
        kn__buffer_adds(b, "<p class=\"title\">");
        kn__html_text(b, h->title);
        kn__buffer_adds(b, "</p>\n");
    }
    kn__buffer_adds(b, "<p class=\"eyebrow\">");
}

void kn__html_date(kn_buffer *b, const kn_html_heading *h)
{
    if (h->date) {
        kn__buffer_adds(b, ", ");
        kn__html_text(b, h->date);
    }
    kn__buffer_adds(b, "</p>\n");
}

void kn__html_note(kn_buffer *b, const kn_html_heading *h)
{
    if (h->note) {
        kn__buffer_adds(b, "<p class=\"remark\">");
        kn__html_text(b, h->note);
        kn__buffer_adds(b, "</p>\n");
    }
}

void kn__html_front(kn_buffer *b, const kn_report *r)
{
    const kn_html_heading heading = {r->title, r->note, r->date};

    if (r->originals) {
        kn__buffer_adds(b,
                        "<p class=\"secret\" role=\"note\"><b>Confidential:</b> this report shows "
                        "original records of people. Do not hand it on.</p>\n");
    }
    kn__html_verdict(b, r->points);
    kn__html_title(b, &heading);
    kn__buffer_adds(b, "Anonymisation report for ");
    kn__html_cut(b, r->output.path ? kn__basename(r->output.path) : "a table", 80);
    kn__html_date(b, &heading);
    kn__buffer_adds(b, "<h1>");
    kn__html_text(b, kn_points_claim(r->points));
    kn__buffer_adds(b, ".</h1>\n");
    kn__html_note(b, &heading);
    kn__html_points(b, r->points, false);
    exact(b, r);
    kn__buffer_adds(b, "</div>\n<h2 class=\"tiled\">Before and after, in short</h2>\n"
                       "<dl class=\"tiles\">\n");
    risk_tiles(b, r);
    use_tiles(b, r);
    records(b, r);
    kn__buffer_adds(b, "</dl>\n");
    contents(b, r);
}
