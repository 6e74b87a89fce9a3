/* text.c - the few lines that the command prints after a job. */
#include "report/facts.h"
#include "base/args.h"

#include <math.h>
#include <string.h>

enum { TREE_LINES = 5 }; /* relations named in the text */

static void label(kn_buffer *b, const char *word)
{
    kn__buffer_addf(b, "%-12s", word);
}

static void say_measure(kn_buffer *b, const kn_report *r, const char *word, const char *name,
                        const char *meaning)
{
    const double value = kn_report_utility(r, name);

    if (isfinite(value)) {
        label(b, word);
        kn__say_measure(b, value);
        kn__buffer_addf(b, "  (%s)\n", meaning);
    }
}

static void say_risk(kn_buffer *b, const char *word, double before, double after)
{
    if (isfinite(before) && isfinite(after)) {
        label(b, word);
        kn__say_share(b, before);
        kn__buffer_adds(b, " -> ");
        kn__say_share(b, after);
        kn__buffer_addc(b, '\n');
    }
}

static bool is_kept_with_rest(const kn_report *r, const kn_report_column *c)
{
    (void)r;
    return c->chosen == KN_CHOSEN_REST && c->role == KN_ROLE_KEPT;
}

static bool is_dropped_with_rest(const kn_report *r, const kn_report_column *c)
{
    (void)r;
    return c->chosen == KN_CHOSEN_REST && c->role == KN_ROLE_DROPPED;
}

/* Roles that no one gave column by column: what they came to. */
static void say_roles(kn_buffer *b, const kn_report *r)
{
    kn_buffer kept = {0}, dropped = {0};
    const char *word = "roles";
    size_t accepted = 0;

    if (kn__say_columns(&kept, r, is_kept_with_rest) && !kept.failed) {
        label(b, word);
        kn__buffer_addf(b, "kept with the rest: %s\n", kept.data);
        word = "";
    }
    if (kn__say_columns(&dropped, r, is_dropped_with_rest) && !dropped.failed) {
        label(b, word);
        kn__buffer_addf(b, "dropped with the rest: %s\n", dropped.data);
        word = "";
    }
    for (size_t i = 0; i < r->columns; i++) {
        if (r->column[i].chosen == KN_CHOSEN_SUGGESTED) {
            if (accepted++ == 0) {
                label(b, word);
            }
            kn__buffer_addf(b, "%s%s (%s)", accepted == 1 ? "accepted as suggested: " : ", ",
                            r->column[i].name, kn_role_name(r->column[i].role));
        }
    }
    kn__buffer_adds(b, accepted ? "\n" : "");
    b->failed = b->failed || kept.failed || dropped.failed;
    kn__buffer_free(&kept);
    kn__buffer_free(&dropped);
}

/* Tree records: the cut of each hierarchy, and how many relations were disassociated. */
static void say_trees(kn_buffer *b, const kn_report *r)
{
    for (size_t i = 0; i < r->tree_cut_count; i++) {
        label(b, i ? "" : "cut");
        kn__buffer_addf(b, "%.200s%s\n", r->tree_cut[i],
                        strlen(r->tree_cut[i]) > 200 ? " ..." : "");
    }
    for (size_t i = 0; i < r->tree_removed_count && i < TREE_LINES; i++) {
        label(b, i ? "" : "removed");
        kn__buffer_addf(b, "%s\n", r->tree_removed[i]);
    }
    if (r->tree_removed_count > TREE_LINES) {
        label(b, "");
        kn__buffer_adds(b, "and ");
        kn__say_things(b, r->tree_removed_count - TREE_LINES, "relation more", "relations more");
        kn__buffer_adds(b, ": the report lists them\n");
    }
    if (r->trees) {
        say_measure(b, r, "rpd", "rpd", "reverse path domain; lower is better");
        say_measure(b, r, "  before", "rpd_original", "of the original");
        say_measure(b, r, "relations", "relations_removed", "share that is gone");
        say_measure(b, r, "ml2", "ml2", "share of frequent subtrees that is lost");
        say_measure(b, r, "dml2", "dml2", "distance of frequent subtrees");
    }
}

/* Of item lists first what a user notices. */
static void say_items(kn_buffer *b, const kn_report *r)
{
    const double changed = kn_report_utility(r, "items_changed");
    const double queries = kn_report_utility(r, "query_error");

    if (isfinite(changed)) {
        label(b, "changed");
        kn__say_share(b, changed);
        kn__buffer_adds(b, " of the items are generalised or left out\n");
    }
    if (isfinite(queries)) {
        label(b, "questions");
        kn__buffer_adds(b, "answers to counting questions are off by ");
        kn__say_share(b, queries);
        kn__buffer_adds(b, " on average\n");
    }
}

/* Points to settle, each with what settles it, or those that are decided; of many the first. */
static void say_points(kn_buffer *b, const kn_points *points, bool decided)
{
    const size_t open = kn_points_open(points);
    const size_t all = decided ? kn_points_count(points) - open : open;
    const char *name = decided ? "decided" : "to settle";
    size_t said = 0;

    for (size_t i = 0; i < kn_points_count(points); i++) {
        const kn_point *p = kn_points_get(points, i);
        if (p->decided != decided || said == KN_REPORT_POINTS) {
            continue;
        }
        label(b, said++ ? "" : name);
        kn__buffer_addf(b, "%s\n", p->words);
        if (decided) {
            label(b, "");
            kn__buffer_addf(b, "Accepted as %s.\n", p->name);
        } else {
            label(b, "");
            kn__buffer_addf(b, "%s Or accept it: --accept-point ", p->remedy);
            kn__say_option_name(b, p->name);
            kn__buffer_addc(b, '\n');
        }
    }
    if (all > said) {
        label(b, "");
        kn__buffer_adds(b, "... and ");
        kn__say_things(b, all - said, "more point", "more points");
        kn__buffer_adds(b, "; --report FILE lists them all\n");
    }
    kn__buffer_adds(b, said && !decided ? "\n" : "");
}

kn_status kn_report_text(char **out, const kn_report *r, kn_error *err)
{
    KN_NEED_OUT(err, out);
    KN_NEED(err, r);

    kn_buffer b = {0};

    kn__buffer_addf(&b, "%s.\n\n", kn_points_summary(r->points));
    say_points(&b, r->points, false);
    for (size_t i = 0; i < r->guarantees_count; i++) {
        label(&b, i ? "" : "guarantee");
        kn__say_guarantee(&b, &r->guarantees[i]);
        kn__buffer_adds(&b, ": achieved ");
        kn__say_achieved(&b, &r->guarantees[i], r->achieved[i]);
        kn__buffer_adds(&b, kn__meets(r, i) ? ", holds\n" : ", DOES NOT HOLD\n");
    }
    for (size_t i = 0; i < r->certificates_count; i++) {
        label(&b, i ? "" : "certificate");
        kn__say_certificate(&b, &r->certificates[i]);
        kn__buffer_addc(&b, '\n');
    }
    if (r->recount) {
        label(&b, "");
        kn__buffer_addf(&b, "counted a second time: %s\n", r->recount);
    }
    label(&b, "method");
    kn__buffer_adds(&b, r->method ? r->method : "none");
    kn__buffer_addc(&b, '\n');
    label(&b, "records");
    kn__say_count(&b, r->input.rows);
    kn__buffer_adds(&b, " in, ");
    kn__say_count(&b, r->output.rows);
    kn__buffer_adds(&b, " out, ");
    kn__say_count(&b, r->suppressed);
    kn__buffer_adds(&b, " suppressed");
    if (r->suppressed && r->input.rows) {
        kn__buffer_adds(&b, " (");
        kn__say_share(&b, (double)r->suppressed / (double)r->input.rows);
        kn__buffer_adds(&b, r->starred ? ", kept as *)" : ", removed)");
    }
    kn__buffer_addc(&b, '\n');
    if (r->left_out.items) {
        label(&b, "items");
        kn__say_left_out(&b, r);
        kn__buffer_addc(&b, '\n');
    }
    if (r->clusters.clusters) {
        label(&b, "clusters");
        kn__say_clusters(&b, r);
        kn__buffer_addc(&b, '\n');
    }
    say_trees(&b, r);
    say_roles(&b, r);
    say_items(&b, r);
    say_measure(&b, r, "loss", "loss", "0 nothing lost, 1 everything");
    say_measure(&b, r, "ncp", "ncp", "0 exact values, 1 nothing said");
    if (r->clusters.clusters) {
        say_measure(&b, r, "  columns", "relational_ncp", "relational_ncp");
        say_measure(&b, r, "  items", "items_ncp", "items_ncp");
        say_measure(&b, r, "ul", "ul", "utility loss of the items");
    }
    say_risk(&b, "risk, most", r->risk_before.prosecutor_max, r->risk_after.prosecutor_max);
    say_risk(&b, "risk, mean", r->risk_before.prosecutor_mean, r->risk_after.prosecutor_mean);
    if (kn_points_survey(r->points)->grouped) {
        label(&b, "as a whole");
        kn__say_whole(&b, kn_points_survey(r->points));
        kn__buffer_addc(&b, '\n');
    }
    say_points(&b, r->points, true);
    for (size_t i = 0; i < r->warnings_count; i++) {
        const char *name = r->warnings_count > 1 ? "warnings" : "warning";
        label(&b, i ? "" : name);
        kn__buffer_adds(&b, r->warnings[i]);
        kn__buffer_addc(&b, '\n');
    }
    return kn__buffer_take(&b, out, err);
}
