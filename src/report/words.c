/* words.c - numbers and findings as people say them. No locale. */
#include "report/facts.h"

#include <math.h>
#include <string.h>

void kn__say_measure(kn_buffer *b, double x)
{
    const double size = fabs(x);
    unsigned decimals = size >= 1 ? 2 : 4;

    if (x == floor(x) || size >= 10000) {
        decimals = 0;
    } else if (size >= 100) {
        decimals = 1;
    }
    if (x > 0 && x < 1e-9) {
        kn__buffer_adds(b, "under 0.000000001");
        return;
    }
    if (size > 0 && size < 1e-3) { /* two digits that are not zeros, not "0.0000" */
        decimals = (unsigned)fmin(1 - floor(log10(size)), 15);
    }
    kn__say_number(b, x, decimals);
}

void kn__say_bytes(kn_buffer *b, size_t bytes)
{
    static const char *const units[] = {"bytes", "kB", "MB", "GB", "TB"};
    double x = (double)bytes;
    size_t i = 0;

    while (x >= 1000 && i + 1 < sizeof units / sizeof *units) {
        x /= 1000;
        i++;
    }
    kn__say_number(b, x, i && x < 10 ? 1 : 0);
    kn__buffer_addc(b, ' ');
    kn__buffer_adds(b, units[i]);
}

void kn__say_seconds(kn_buffer *b, double seconds)
{
    if (seconds >= 0 && seconds < 0.001) {
        kn__buffer_adds(b, "under 0.001 s");
        return;
    }
    kn__say_number(b, seconds, seconds < 10 ? 3 : 1);
    kn__buffer_adds(b, " s");
}

size_t kn__say_columns(kn_buffer *b, const kn_report *r,
                       bool (*pick)(const kn_report *r, const kn_report_column *c))
{
    size_t count = 0, said = 0;

    for (size_t i = 0; i < r->columns; i++) {
        count += pick(r, &r->column[i]);
    }
    for (size_t i = 0; i < r->columns; i++) {
        if (pick(r, &r->column[i])) {
            kn__buffer_adds(b, kn__say_gap(said, count, " and "));
            kn__buffer_adds(b, r->column[i].name);
            said++;
        }
    }
    return count;
}

const char *kn__basename(const char *path)
{
    const char *slash = strrchr(path, '/');

    return slash && slash[1] ? slash + 1 : path;
}

/* ---- guarantees ---- */

void kn__say_guarantee(kn_buffer *b, const kn_guarantee *g)
{
    kn__guarantee_row(g->kind)->describe(b, g);
}

bool kn__meets(const kn_report *r, size_t i)
{
    return kn__guarantee_met(&r->guarantees[i], r->achieved[i], r->achieved_k[i]);
}

double kn__risk_of_k(double k)
{
    return k >= 1 ? 1 / k : NAN;
}

void kn__say_whole(kn_buffer *b, const kn_survey *v)
{
    kn__say_count(b, v->unique);
    kn__buffer_adds(b, " of ");
    kn__say_things(b, v->records, "record is", "records are");
    kn__buffer_adds(b, " unique by the ");
    kn__say_things(b, v->grouped, "published column that is", "published columns that are");
    kn__buffer_adds(b, " not sensitive");
}

/* ---- measures ---- */

const char *kn__measure_words(const char *name)
{
    static const struct {
        const char *name, *words;
    } known[] = {
        {"ncp", "How wide the published values are, compared with everything they could be; "
                "0: exact, 1: nothing is said."},
        {"loss", "How much of the possible generalisation was used, averaged over the "
                 "quasi-identifiers; 0: nothing was lost, 1: everything."},
        {"relational_ncp", "How wide the published values of columns with one value a record are."},
        {"items_ncp", "How wide the published items are."},
        {"rpd", "Reverse path domain: how little the paths of the published trees say; the lower, "
                "the more they say."},
        {"rpd_original", "The same of the original trees."},
        {"rpd_a", "The estimate of it that the search for a cut uses."},
        {"relations_removed", "Share of the relations between values of a tree that are gone."},
        {"nodes_suppressed", "Share of the nodes that no published value stands for."},
        {"ml2", "Share of the frequent subtrees, at all levels of the hierarchies, that are not "
                "frequent any more."},
        {"dml2", "How far frequent subtrees are from what they were published as: levels and "
                 "relations, in equal parts."},
        {"ul", "How many sets of items the published items of a record may stand for, compared "
               "with one group of them all; also high where records have few items."},
        {"discernibility",
         "For each record the number of records it cannot be told from, summed up; "
         "suppressed records count as lost among all."},
        {"average_class_size", "How many records look alike, on average over the groups."},
        {"classification",
         "The share of records whose group says something else about the sensitive "
         "column than the record does."},
        {"classification_metric", "How many records these are."},
        {"entropy",
         "The information lost, where telling common values apart counts less than telling "
         "rare ones apart; 0: nothing was lost, 1: everything."},
        {"precision", "How far below the top of their hierarchies values stayed; 1: untouched, 0: "
                      "all at the top."},
        {"suppressed_cells", "The share of quasi-identifier cells about which nothing is said."},
        {"suppressed_records", "The share of records that were suppressed."},
        {"items_changed", "The share of items that are not published as they were."},
        {"query_error",
         "How far off the answers to random questions are (how many records hold these two items, "
         "or these values?), as a share of the right answer, on average."},
        {"mining_loss",
         "The share of frequent sets of items, at every level of the hierarchy, that are not "
         "frequent any more; 0: all are, 1: none is."},
        {"items_suppressed", "The share of items that were left out of all records."},
        {"prosecutor_risk",
         "The highest chance of picking the right record for a person known to be "
         "in the file."},
        {"journalist_risk",
         "The highest chance of picking the right record by looking people up in a "
         "larger register."},
        {"marketer_risk",
         "The share of records that would be linked correctly if an attacker tried all "
         "of them."},
        {"unique_records", "Records that share their quasi-identifiers with no other."},
    };

    for (size_t i = 0; i < sizeof known / sizeof *known; i++) {
        if (strcmp(known[i].name, name) == 0) {
            return known[i].words;
        }
    }
    return NULL;
}

void kn__say_left_out(kn_buffer *b, const kn_report *r)
{
    kn__say_things(b, r->left_out.items, "item", "different items");
    kn__buffer_adds(b, " left out of all records: ");
    kn__say_things(b, r->left_out.occurrences, "occurrence", "occurrences");
    kn__buffer_adds(b, ", ");
    kn__say_things(b, r->left_out.emptied, "record", "records");
    kn__buffer_adds(b, " emptied by that");
}

void kn__say_clusters(kn_buffer *b, const kn_report *r)
{
    kn__say_things(b, r->clusters.clusters, "cluster", "clusters");
    kn__buffer_adds(b, " of records, the largest with ");
    kn__say_things(b, r->clusters.largest, "record", "records");
    kn__buffer_adds(b, " (");
    kn__say_count(b, r->clusters.formed);
    kn__buffer_adds(b, " were formed, then ");
    kn__say_things(b, r->clusters.merges, "merge", "merges");
    kn__buffer_adds(b, " of two)");
}
