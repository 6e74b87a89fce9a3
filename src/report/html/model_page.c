/* model_page.c - the page about a model: does it hold, what does that mean, who is at risk, the
 * model itself, and what an attacker can infer. */
#include "report/html/model_page.h"
#include "base/error.h"
#include "base/memory.h"
#include "models/registry.h"
#include "models/tree/tree.h"
#include "points/points.h"

#include <inttypes.h>
#include <math.h>
#include <string.h>

enum { SMALLEST = 20, TENTHS = 10, WORDS = 3, CUT = 160 };

void kn__model_html_text(kn_buffer *b, const char *text, size_t len, size_t most)
{
    char *clean = kn__clean(text, len);

    if (!clean) {
        b->failed = true;
        return;
    }
    kn__html_value(b, clean, most);
    kn__free(clean);
}

void kn__model_html_words(kn_buffer *b, kn_buffer *words, size_t most)
{
    if (words->failed) {
        b->failed = true;
    } else if (words->len) {
        kn__model_html_text(b, words->data, words->len, most);
    }
    kn__buffer_free(words);
}

/* ---- what is known of nodes and centres ---- */

/* Of a tree, records that are lost at a node are shown with it. `all` places are `places` nodes or
 * centres, once or twice. */
static void note_spans(kn_model_page *p, size_t bins, size_t places, size_t all)
{
    const kn_spans *s = &p->v->spans;

    for (size_t i = 0; i < s->count; i++) {
        for (size_t c = s->starts[i]; kn__span_discloses(s, i) && c < s->starts[i + 1]; c++) {
            const size_t at = s->classes[c] / bins;
            if (at < all) {
                kn_model_place *place = &p->place[at % places];
                place->broken |= p->v->breaks[i] != 0;
                if (!place->smallest || s->population[i] < place->smallest) {
                    place->smallest = s->population[i];
                }
            }
        }
    }
}

static kn_status find_places(kn_model_page *p, kn_error *err)
{
    const kn_spans *s = &p->v->spans;
    const bool tree = p->shape.target != NULL; /* only trees predict a class */
    const size_t places = tree ? p->m->tree.nodes : p->m->centres.count;
    const size_t all = tree ? kn__tree_places(&p->m->tree) : places;
    const size_t bins = tree ? kn__tree_bins(&p->m->tree, s->classes_count) : 1;

    p->place = kn__zalloc_array(places, sizeof *p->place);
    KN_PASS(p->place ? KN_OK : kn__nomem(err));
    for (size_t c = 0; c < s->classes_count; c++) {
        if (bins && c / bins < all) {
            p->place[c / bins % places].records += s->class_population[c];
        }
    }
    if (bins) {
        note_spans(p, bins, places, all);
    }
    /* what is below a node is there too; children come after their parents */
    for (size_t i = places; tree && i-- > 1;) {
        kn_model_place *up = &p->place[p->m->tree.node[i].parent], *own = &p->place[i];
        up->records += own->records;
        up->broken |= own->broken;
        if (own->smallest && (!up->smallest || own->smallest < up->smallest)) {
            up->smallest = own->smallest;
        }
    }
    return KN_OK;
}

/* Whether there is something to say of private values: where nothing is private, a certainty of 0 %
 * would read as protection. */
static bool says_private(const kn_model_page *p)
{
    return p->v->figures.telling > 0 || !kn__points_lack_private(p->v->points);
}

/* ---- 1: does it hold? ---- */

/* Nothing is broken, but the model states figures of other data: there is no verdict on it, only
 * what these records alone show. */
static bool cannot_be_told(const kn_model_page *p)
{
    return !kn_model_verdict_holds(p->v) && p->v->figures.broken == 0;
}

static void found(kn_buffer *b, const kn_model_page *p)
{
    kn__buffer_adds(b, cannot_be_told(p) ? ". By these records alone: " : ". Achieved: ");
}

static void verdict_line(kn_buffer *b, const kn_model_page *p, bool holds)
{
    if (holds && cannot_be_told(p)) {
        kn__buffer_adds(b, ".</p>\n");
        return;
    }
    kn__buffer_addf(b, ". <span class=\"%s\">%s</span></p>\n", holds ? "holds" : "fails",
                    holds ? "✓ holds" : "✗ does not hold");
}

static void asked(kn_buffer *b, const kn_model_page *p)
{
    const kn_model_limits *l = &p->v->limits;
    const kn_model_figures *f = &p->v->figures;

    if (l->k > 1) {
        kn__buffer_addf(b, "<p>Asked: k-anonymity with k = %" PRIu64, l->k);
        found(b, p);
        if (f->k == UINT64_MAX) {
            kn__buffer_adds(b, kn__points_lack_private(p->v->points)
                                   ? "any k, as nothing is called private"
                                   : "nothing private is revealed");
        } else {
            kn__buffer_addf(b, "k = %" PRIu64, f->k);
        }
        verdict_line(b, p, f->k >= l->k);
    }
    if (l->l > 0) {
        kn__buffer_addf(b, "<p>Asked: %s l-diversity with l = ",
                        l->distinct_l ? "distinct" : "entropy");
        kn__say_measure(b, l->l);
        found(b, p);
        kn__buffer_adds(b, "l = ");
        kn__say_measure(b, f->l);
        verdict_line(b, p, !(f->l < l->l * (1 - 1e-12)));
    }
    if (l->inference > 0) {
        kn__buffer_adds(b, "<p>Asked: no attacker is more than ");
        kn__say_share(b, l->inference);
        kn__buffer_adds(b, " certain");
        found(b, p);
        kn__say_share(b, f->inference);
        verdict_line(b, p, f->inference <= l->inference);
    }
}

static void tile(kn_buffer *b, const char *term, uint64_t count, const char *small)
{
    kn__buffer_addf(b, "<div><dt>%s</dt><dd>", term);
    kn__say_count(b, (size_t)count);
    kn__buffer_addf(b, "<small>%s</small></dd></div>\n", small);
}

static void share_tile(kn_buffer *b, const char *term, double share, const char *small)
{
    kn__buffer_addf(b, "<div><dt>%s</dt><dd>", term);
    kn__say_share(b, share);
    kn__buffer_addf(b, "<small>%s</small></dd></div>\n", small);
}

static void tree_tiles(kn_buffer *b, const kn_model_page *p)
{
    const kn_model_shape *s = &p->shape;
    const kn_model_figures *f = &p->v->figures;

    tile(b, s->leaves == 1 ? "Leaf" : "Leaves", s->leaves, "of the tree");
    share_tile(b, "Right in training", f->records ? (double)f->right / (double)f->records : 0,
               "of the records that it was checked against are predicted as they are");
    if (s->held_out) {
        share_tile(b, "Right on held-out records", (double)s->held_out_right / (double)s->held_out,
                   "by a tree that was grown without them");
    } else if (s->validated) {
        share_tile(b, "Right in cross-validation",
                   (double)s->validated_right / (double)s->validated,
                   "by trees that were grown without the records asked about");
    }
}

static void clusters_tiles(kn_buffer *b, const kn_model_page *p)
{
    tile(b, "Clusters", p->shape.clusters, "centres");
}

static void rules_tiles(kn_buffer *b, const kn_model_page *p)
{
    tile(b, "Rules", p->shape.rules, "in the list");
}

/* What the page shows of each kind of model. */
static const struct {
    const char *exposed; /* what is known for certain */
    void (*tiles)(kn_buffer *b, const kn_model_page *p);
    void (*model)(kn_buffer *b, const kn_model_page *p);
} of_kind[] = {
    [KN_MODEL_TREE] = {"records whose private class is certain", tree_tiles, kn__model_html_tree},
    [KN_MODEL_CLUSTERS] = {"records whose cluster is certain", clusters_tiles,
                           kn__model_html_clusters},
    [KN_MODEL_RULES] = {"records of which a private item is certain", rules_tiles,
                        kn__model_html_rules},
};

static void tiles(kn_buffer *b, const kn_model_page *p)
{
    const kn_model_figures *f = &p->v->figures;

    kn__buffer_adds(b, "<dl class=\"tiles\">\n");
    tile(b, "Records", f->records, "that it was checked against");
    of_kind[p->m->kind].tiles(b, p);
    tile(b, f->spans == 1 ? "Span" : "Spans", f->spans,
         f->spans == 1 ? "group: an attacker cannot tell its people apart"
                       : "groups that an attacker can tell apart");
    if (says_private(p)) {
        share_tile(b, "Highest certainty", f->inference, "of what an attacker can infer");
        tile(b, "Known for certain", f->exposed, of_kind[p->m->kind].exposed);
    }
    kn__buffer_adds(b, "</dl>\n");
}

static void front(kn_buffer *b, const kn_model_page *p)
{
    const bool holds = kn_model_verdict_holds(p->v);
    const kn_html_heading heading = {p->v->title, p->v->note, p->v->date};

    kn__html_verdict(b, p->v->points);
    kn__html_title(b, &heading);
    kn__buffer_addf(b, "Report on a %s", kn__model_row(p->m->kind)->noun);
    if (p->shape.target) {
        kn__buffer_adds(b, " for ");
        kn__model_html_text(b, p->shape.target, strlen(p->shape.target), 60);
    }
    kn__html_date(b, &heading);
    kn__buffer_adds(b, "<h1>");
    kn__html_text(b, kn_points_claim(p->v->points));
    kn__buffer_adds(b, ".</h1>\n");
    kn__html_note(b, &heading);
    if (holds) {
        kn__html_points(b, p->v->points, false);
    }
    asked(b, p);
    if (cannot_be_told(p)) {
        kn__buffer_adds(
            b, "<p><b>Do not hand it on</b> by this page: give the data that it was made from. "
               "<code>--ignore-counts</code> judges it by these records alone.</p>\n");
    }
    if (!holds) {
        if (p->v->figures.broken) {
            kn__buffer_addf(b,
                            "<p><b>Do not hand it on.</b> <code>kanon mine %s</code> makes a model "
                            "of these records that keeps what is asked, if there is one.</p>\n",
                            kn__model_row(p->m->kind)->entry.name);
        }
        kn__html_points(b, p->v->points, false);
    }
    kn__buffer_adds(b,
                    "<p class=\"note\">Judged against the data by a linking attack with all "
                    "public values, by code that knows nothing of how the model was made.</p>\n");
    if (p->v->figures.domain == KN_DOMAIN_WHOLE) {
        kn__buffer_adds(b,
                        "<p class=\"note\">This is what an attacker finds who knows that private "
                        "numbers are whole.</p>\n");
    } else if (p->v->figures.domain != KN_DOMAIN_ONE) {
        kn__buffer_addf(b,
                        "<p class=\"note\">The model names private values that the data lacks. It "
                        "was judged with and without them; this is the worse verdict, %s "
                        "them.</p>\n",
                        p->v->figures.domain == KN_DOMAIN_OF_DATA ? "without" : "with");
    }
    if (p->v->figures.unlike && p->v->limits.ignore_counts) {
        kn__buffer_addf(b,
                        "<p class=\"note\">%" PRIu64
                        " of the figures that the model states are not "
                        "those of these records. They were ignored, as asked.</p>\n",
                        p->v->figures.unlike);
    }
    if (p->v->figures.unjudged) {
        kn__buffer_addf(b,
                        "<p class=\"note\">Not judged, as asked: Extension elements or other "
                        "content in %" PRIu64 " places of the file.</p>\n",
                        p->v->figures.unjudged);
    }
    kn__html_points(b, p->v->points, true);
    kn__buffer_adds(b, "</div>\n");
    if (p->shape.unsplit) {
        kn__buffer_adds(b, "<p class=\"note\">Growing stopped at its limit: ");
        kn__say_things(b, p->shape.unsplit, "leaf", "leaves");
        kn__buffer_adds(b, " could still be split. What gained most was split first.</p>\n");
    }
    tiles(b, p);
    kn__buffer_adds(b, "<nav aria-label=\"Contents\"><ul><li><a href=\"#means\">What this "
                       "means</a></li>");
    kn__buffer_adds(b, p->v->figures.broken == 0
                           ? ""
                           : "<li><a href=\"#broken\">Who is at risk</a></li>");
    kn__buffer_adds(b, "<li><a href=\"#model\">The model</a></li>");
    kn__buffer_adds(b,
                    !says_private(p) ? "" : "<li><a href=\"#infer\">What can be inferred</a></li>");
    kn__buffer_adds(b, "<li><a href=\"#technical\">Technical "
                       "details</a></li></ul></nav></header>\n");
}

/* ---- 2: what it means ---- */

static void means(kn_buffer *b, const kn_model_page *p)
{
    const kn_model_figures *f = &p->v->figures;

    kn__buffer_adds(
        b, "<section id=\"means\"><h2>What this means</h2>\n<p>An attacker who has the model, with "
           "all its counts, and who knows the public values of all people in the data, can divide "
           "them into ");
    kn__say_things(b, (size_t)f->spans, "group", "groups");
    kn__buffer_adds(b, f->spans == 1 ? ", called a span" : ", called spans");
    kn__buffer_adds(b, ": within a group all people look the same to the model, as far as their "
                       "public values go. ");
    if (f->k == UINT64_MAX) {
        kn__buffer_adds(b, "In none of them do private values make a difference to what the model "
                           "says");
        kn__buffer_adds(b, kn__points_lack_private(p->v->points)
                               ? ": no column or item was called private.</p>\n"
                               : ", so nothing private can be learned from it.</p>\n");
    } else {
        kn__buffer_adds(b, "In ");
        if (f->telling == f->spans) {
            kn__buffer_adds(b, "all");
        } else {
            kn__say_count(b, (size_t)f->telling);
        }
        kn__buffer_adds(b, " of them the model says different things for different private values, "
                           "and so reveals something about these; the smallest has ");
        kn__say_things(b, (size_t)f->k, "record", "records");
        if (f->k < p->v->limits.k) {
            kn__buffer_adds(b, ", and ");
            kn__say_count(b, (size_t)p->v->limits.k);
            kn__buffer_adds(b, " were asked for.</p>\n");
        } else {
            kn__buffer_adds(b, cannot_be_told(p)
                                   ? ". That is what these records alone show; the model states "
                                     "figures of other data, of which nothing is known.</p>\n"
                                   : ". No private value can be linked to fewer people than "
                                     "that.</p>\n");
        }
    }
    if (says_private(p)) {
        kn__buffer_adds(
            b, "<p>What this does not mean: a large group can still share a private value. How "
               "certain an attacker can be of one is shown under <a href=\"#infer\">what can "
               "be inferred</a>, and can be limited when a model is mined.</p>\n");
    }
    kn__buffer_adds(b, "</section>\n");
}

/* ---- 3: who is at risk ---- */

static void broken_row(kn_buffer *b, const kn_broken_span *s)
{
    kn__buffer_adds(b, "<tr><th scope=\"row\" class=\"n\">");
    kn__say_count(b, (size_t)s->population);
    kn__buffer_adds(b, "</th><td>");
    kn__buffer_adds(b, s->few ? "too few people" : "");
    kn__buffer_adds(b, s->few && (s->certain || s->uniform) ? ", " : "");
    if (s->certain || s->uniform) {
        kn__buffer_adds(b, s->certain ? "too certain" : "too uniform");
    }
    kn__buffer_adds(b, "</td><td>");
    kn__model_html_text(b, s->inferred, strlen(s->inferred), CUT);
    kn__buffer_adds(b, "</td><td class=\"n\">");
    kn__say_share(b, s->confidence);
    kn__buffer_adds(b, "</td><td class=\"rows\">");
    for (size_t i = 0; i < s->rows_count; i++) {
        kn__buffer_addf(b, "%s%" PRIu64, i ? ", " : "", s->rows[i] + 1);
    }
    kn__buffer_adds(b, s->rows_count < s->population ? ", …</td>" : "</td>");
    kn__buffer_adds(b, "<td class=\"possible\">");
    for (size_t i = 0; i < s->words_count && i < WORDS; i++) {
        kn__buffer_adds(b, i ? "<br/>or " : "");
        kn__model_html_text(b, s->words[i], strlen(s->words[i]), CUT);
    }
    if (s->classes > WORDS) {
        kn__buffer_adds(b, "<br/>or ");
        kn__say_count(b, (size_t)s->classes - WORDS);
        kn__buffer_adds(b, " more");
    }
    kn__buffer_adds(b, "</td></tr>\n");
}

static void broken(kn_buffer *b, const kn_model_page *p)
{
    const kn_model_figures *f = &p->v->figures;
    const size_t listed = kn_model_verdict_listed(p->v);

    if (f->broken == 0) {
        return;
    }
    kn__buffer_adds(b, "<section id=\"broken\"><h2>Who is at risk</h2>\n<p>");
    kn__say_things(b, (size_t)f->broken, "group breaks", "groups break");
    kn__buffer_adds(b, " what was asked, ");
    kn__say_things(b, (size_t)f->at_risk, "record is", "records are");
    kn__buffer_adds(b, listed < f->broken ? " in them. The smallest first, the first "
                                          : " in them. "
                                            "The "
                                            "smallest "
                                            "first.");
    if (listed < f->broken) {
        kn__say_count(b, listed);
        kn__buffer_addc(b, '.');
    }
    kn__buffer_adds(b, " Rows are numbered from 1.</p>\n");
    kn__html_table(b, "", "Groups that break what was asked");
    kn__buffer_adds(b,
                    "<th scope=\"col\" class=\"n\">Records</th><th scope=\"col\">Why</th>"
                    "<th scope=\"col\">Commonest</th><th scope=\"col\" class=\"n\">Certainty</th>"
                    "<th scope=\"col\">Rows</th><th scope=\"col\">What is possible for them</th>"
                    "</tr></thead><tbody>\n");
    for (size_t i = 0; i < listed; i++) {
        broken_row(b, kn_model_verdict_broken(p->v, i));
    }
    kn__buffer_adds(b, "</tbody></table></div>\n</section>\n");
}

/* ---- 5: what can be inferred ---- */

static void certainty(kn_buffer *b, const kn_model_page *p)
{
    static const char *const labels[TENTHS] = {"up to 10 %", "10 to 20 %", "20 to 30 %",
                                               "30 to 40 %", "40 to 50 %", "50 to 60 %",
                                               "60 to 70 %", "70 to 80 %", "80 to 90 %",
                                               "90 to 100 %"};
    const kn_spans *s = &p->v->spans;
    uint64_t records[TENTHS] = {0}, spans[TENTHS] = {0}, most = 0;
    kn_svg_row rows[TENTHS];
    kn_buffer words = {0};
    size_t first = TENTHS, count = 0;

    for (size_t i = 0; i < s->count; i++) {
        if (kn__span_discloses(s, i)) {
            const double share = ceil(p->v->confidence[i] * TENTHS - 1e-9) - 1;
            const size_t at = (size_t)fmin(fmax(share, 0), TENTHS - 1);
            records[at] += s->population[i];
            spans[at]++;
            first = at < first ? at : first;
        }
    }
    for (size_t i = 0; i < TENTHS; i++) {
        most = records[i] > most ? records[i] : most;
    }
    for (size_t i = first; i < TENTHS; i++) {
        rows[count] = (kn_svg_row){
            .label = labels[i], .ours = true, .value = (double)records[i], .fill = KN_FILL_AFTER};
        kn__say_things(&words, (size_t)records[i], "record", "records");
        kn__buffer_adds(&words, " in ");
        kn__say_things(&words, (size_t)spans[i], "span", "spans");
        kn__svg_figure(&rows[count++], &words);
    }
    b->failed |= words.failed;
    kn__buffer_free(&words);
    if (count) {
        kn__buffer_adds(
            b,
            "<figure><figcaption>Records by the certainty with which an attacker can infer a private value</figcaption>\n");
        kn__svg_bars(b, "Records by certainty",
                     "One bar for each tenth of certainty, as long as it has records.", rows, count,
                     most ? (double)most : 1, p->ids);
        kn__buffer_adds(b, "</figure>\n");
    }
}

/* The spans that tell something and have the fewest records, in order. */
static size_t smallest_spans(const kn_model_verdict *v, size_t out[SMALLEST])
{
    const kn_spans *s = &v->spans;
    size_t count = 0;

    for (size_t i = 0; i < s->count; i++) {
        size_t at = count;
        if (!kn__span_discloses(s, i)) {
            continue;
        }
        while (at > 0 && s->population[out[at - 1]] > s->population[i]) {
            at--;
        }
        if (at < SMALLEST) {
            count += count < SMALLEST;
            for (size_t j = count - 1; j > at; j--) {
                out[j] = out[j - 1];
            }
            out[at] = i;
        }
    }
    return count;
}

static void span_table(kn_buffer *b, const kn_model_page *p)
{
    const kn_model_verdict *v = p->v;
    size_t smallest[SMALLEST];
    const size_t count = smallest_spans(v, smallest);

    kn__buffer_adds(b, "<h3>The smallest spans</h3>\n");
    kn__html_table(b, "", "The spans with the fewest records");
    kn__buffer_adds(b, "<th scope=\"col\" class=\"n\">Records</th><th scope=\"col\" "
                       "class=\"n\">Possible classes</th><th scope=\"col\" "
                       "class=\"n\">Certainty</th><th scope=\"col\" class=\"n\">Diversity (l)</th>"
                       "<th scope=\"col\">Holds</th></tr></thead><tbody>\n");
    for (size_t i = 0; i < count; i++) {
        const size_t s = smallest[i];
        kn__buffer_adds(b, "<tr><th scope=\"row\" class=\"n\">");
        kn__say_count(b, (size_t)v->spans.population[s]);
        kn__buffer_adds(b, "</th><td class=\"n\">");
        kn__say_count(b, v->spans.starts[s + 1] - v->spans.starts[s]);
        kn__buffer_adds(b, "</td><td class=\"n\">");
        kn__say_share(b, v->confidence[s]);
        kn__buffer_adds(b, "</td><td class=\"n\">");
        kn__say_measure(b, v->diversity[s]);
        if (v->breaks[s]) {
            kn__buffer_adds(b, "</td><td class=\"fails\">✗</td></tr>\n");
        } else {
            kn__buffer_adds(b, cannot_be_told(p) ? "</td><td>–</td></tr>\n"
                                                 : "</td><td class=\"holds\">✓</td></tr>\n");
        }
    }
    kn__buffer_adds(b, "</tbody></table></div>\n");
}

static void infer(kn_buffer *b, const kn_model_page *p)
{
    const kn_model_figures *f = &p->v->figures;

    if (!says_private(p)) {
        return;
    }
    kn__buffer_adds(b, "<section id=\"infer\"><h2>What can be inferred</h2>\n<p>");
    if (f->telling == 0) {
        kn__buffer_adds(b, "Nothing private: no span reveals anything.</p>\n</section>\n");
        return;
    }
    kn__buffer_adds(b,
                    "Within a span an attacker takes the most frequent private class, cluster or "
                    "item for true. The certainty is the share of the span that has it: at most ");
    kn__say_share(b, f->inference);
    if (f->exposed) {
        kn__buffer_adds(b, "; of ");
        kn__say_things(b, (size_t)f->exposed, "record", "records");
        kn__buffer_adds(b, " it is known for certain, because all of their span share it");
    }
    kn__buffer_adds(b, ".</p>\n");
    certainty(b, p);
    span_table(b, p);
    kn__buffer_adds(b, "</section>\n");
}

/* ---- 6: technical details ---- */

static void attributes(kn_buffer *b, const kn_model *m, bool hidden)
{
    size_t shown = 0;

    kn__buffer_addf(b, "<dt>%s attributes</dt><dd>", hidden ? "Private" : "Public");
    for (size_t i = 0; i < m->attributes; i++) {
        if (m->attribute[i].hidden == hidden) {
            kn__buffer_adds(b, shown++ ? ", " : "");
            kn__model_html_text(b, m->attribute[i].name, strlen(m->attribute[i].name), 60);
        }
    }
    kn__buffer_adds(b, shown ? "</dd>\n" : "none</dd>\n");
}

static void technical(kn_buffer *b, const kn_model_page *p)
{
    const kn_model *m = p->m;

    kn__buffer_adds(b, "<section id=\"technical\"><h2>Technical details</h2>\n<dl "
                       "class=\"words\">\n");
    if (m->made_by) {
        kn__buffer_adds(b, "<dt>Made by</dt><dd>");
        kn__model_html_text(b, m->made_by, strlen(m->made_by), 80);
        kn__buffer_adds(b, "</dd>\n");
    }
    /* what a model from elsewhere does not say, it does not have as attributes of a kind */
    if (!kn__model_row(m->kind)->of_items && m->promise.k) {
        attributes(b, m, false);
        attributes(b, m, true);
    }
    kn__buffer_adds(b, "<dt>Equivalence classes</dt><dd>");
    kn__say_things(b, (size_t)p->v->figures.classes, "class has", "classes have");
    kn__buffer_adds(b, " records</dd>\n");
    if (p->v->figures.recounted) {
        kn__buffer_adds(b, "<dt>Worked out twice</dt><dd>the spans of ");
        kn__say_things(b, (size_t)p->v->figures.recounted, "record", "records");
        kn__buffer_adds(b, ", the second time by other code</dd>\n");
    }
    kn__buffer_adds(b, "<dt>Attack</dt><dd>Friedman, Wolff, Schuster: Providing "
                       "k-anonymity in data mining, Definition 6 and Claim 3</dd>\n</dl>\n"
                       "</section>\n");
}

kn_status kn__model_report_html(const kn_model *m, const kn_model_verdict *v, char **out,
                                kn_error *err)
{
    unsigned ids = 0;
    kn_model_page p = {.m = m, .v = v, .ids = &ids};
    kn_buffer b = {0};
    kn_status st = kn_model_shape_of(&p.shape, m, err);

    *out = NULL;
    if (st == KN_OK && !kn__model_row(m->kind)->of_items) {
        st = find_places(&p, err);
    }
    if (st != KN_OK) {
        return st;
    }
    kn__html_begin(&b, "Model report", kn__model_row(m->kind)->noun, v->title);
    front(&b, &p);
    means(&b, &p);
    broken(&b, &p);
    of_kind[m->kind].model(&b, &p);
    infer(&b, &p);
    technical(&b, &p);
    kn__free(p.place);
    return kn__html_end(&b, "Values of identifier columns appear nowhere on this page.", out, err);
}
