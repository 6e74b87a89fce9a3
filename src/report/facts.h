/* report/facts.h - the inside of a report: everything counted, nothing borrowed.
 *
 * A report is handed around, so what it may show is decided here, once, when it is made: JSON, HTML
 * and text only spell out what stands in these structs. Values of identifier columns are never
 * read. Values that fewer than `rare_below` records share are counted, never copied. */
#ifndef KN_REPORT_FACTS_H
#define KN_REPORT_FACTS_H

#include "base/buffer.h"
#include "base/say.h"
#include "data/dataset.h"
#include "data/value.h"
#include "guarantees/registry.h"
#include "guarantees/sigma_check.h"
#include "report/report.h"
#include "report/ruler.h"

#define KN_REPORT_CHANGES 1000 /* published values kept of a column */
#define KN_REPORT_ORIGINS 20   /* originals named for a published value */
#define KN_REPORT_LEAST   5    /* values of fewer records are never shown, whatever k was asked */

/** A value, or a range of values, and how many records hold it. */
typedef struct kn_bar {
    char *label; /* NULL: missing */
    size_t records;
    uint32_t code; /* of a single value: its code in the column that was counted */
} kn_bar;

enum { KN_REPORT_POINTS = 20 }; /* points that a list shows at once */

/** A distribution: the values shown, and what was left out of them. */
typedef struct kn_bars {
    kn_bar *bar;
    size_t count;
    bool binned;    /* the bars are ranges, their ends open */
    bool ordered;   /* the bars are single values in their order, none is left out for its rank */
    kn_ruler ruler; /* where binned: bar i is slots begin[i]..begin[i + 1] - 1 */
    size_t begin[KN_REPORT_BARS + 1];
    size_t values;  /* distinct values in all */
    size_t numbers; /* lists of numbers: how many there are, and bars count them; otherwise 0 */
    size_t more_values, more_records; /* frequent enough, but beyond KN_REPORT_BARS */
    size_t rare_values, rare_records; /* too few records to be shown */
} kn_bars;

/** One published value and where it came from. */
typedef struct kn_change {
    char *published; /* NULL: missing */
    size_t originals, records;
    kn_bar *from; /* only where kn_changes.uniform */
    size_t from_count;
    size_t more_values, more_records;
    size_t rare_values, rare_records;
} kn_change;

typedef struct kn_changes {
    bool known;        /* published records could be traced to originals */
    bool uniform;      /* each original value became one published value (or `*`) everywhere: naming
                        * originals says      nothing about single groups */
    kn_change *change; /* most records first */
    size_t count;
    size_t more_values, more_records;
    size_t rare_values, rare_records;
    size_t same_records, changed_records, suppressed_records;
} kn_changes;

/** The published values of an ordered column over the bars of its original: a range counts in each
 * bar with the share of it that lies there. */
typedef struct kn_spread {
    double *bar;       /* by bar of the original's distribution; NULL: not known */
    double rare;       /* in values of the original that are not named */
    size_t suppressed; /* records that say nothing */
    size_t cells;      /* published: records; of lists, numbers */
} kn_spread;

typedef struct kn_report_column {
    char *name;
    kn_type type;
    kn_role role;
    kn_chosen chosen; /* how it came by the role */
    bool published;
    size_t values_before, values_after; /* distinct, missing included; 0 where not known */
    double loss;                        /* NaN where not measured */
    kn_bars before, after; /* quasi-identifiers both; sensitive columns only what was published */
    kn_spread spread;      /* ordered quasi-identifiers */
    kn_changes changes;    /* quasi-identifiers */
    bool unchanged;        /* quasi-identifiers: every published record has the original values */
} kn_report_column;

/** Mean and standard deviation of an ordered column; published ranges count with their middle. */
typedef struct kn_report_statistic {
    size_t column;
    bool before_known; /* false: the difference would say something about few people */
    double mean_before, deviation_before, mean_after, deviation_after;
    size_t records_after; /* with a number */
} kn_report_statistic;

typedef struct kn_report_correlation {
    size_t column, other;
    double before, after; /* NaN: not known, or not defined */
} kn_report_correlation;

/** How some records look: the quasi-identifiers of an equivalence class, or of a record. */
typedef struct kn_report_row {
    size_t records; /* that look like this */
    char **after;   /* by quasi-identifier; NULL: missing */
    char **before;  /* only where originals were asked for */
} kn_report_row;

typedef struct kn_report_violation {
    kn_guarantee_kind kind;
    size_t size;
    double value;
    char *sensitive; /* the column, or the item that can be inferred; or NULL */
    char **values;   /* by quasi-identifier, in the order of kn_report.quasi; of an item column the
                        combination, NULL: no item */
} kn_report_violation;

typedef struct kn_report_file {
    char *path;
    size_t rows;
    char sha256[65];
    struct kn_report_file *joined; /* files that were joined with it; their rows are not counted */
    size_t joined_count;
} kn_report_file;

/** Copy what is known of the file of `ds`, which was given as `path` (NULL: where it was read). */
kn_status kn__report_file_copy(kn_report_file *out, const char *path, const kn_dataset *ds,
                               kn_error *err);
void kn__report_file_clear(kn_report_file *f);

/** Classes by size: bin i holds sizes kn__size_bin_low(i) up to kn__size_bin_low(i + 1) - 1. */
#define KN_SIZE_BINS 40
typedef struct kn_size_bins {
    size_t classes[KN_SIZE_BINS], records[KN_SIZE_BINS];
    size_t smallest, largest, all; /* all: classes; zeros for an empty table */
} kn_size_bins;

typedef struct kn_report_area {
    char *name;
    size_t items;
    double people, km2, mean_error; /* mean_error: metres; NaN: not known */
} kn_report_area;

typedef struct kn_report_area_step {
    size_t m, areas;
    double mean_error, mean_km2, eps; /* as in kn_area_step; the error is rounded */
    unsigned attempt;
} kn_report_area_step;

/** Areas of a release of places; count 0: it has none. */
typedef struct kn_report_areas {
    kn_report_area *area;
    size_t count, before_count;
    double mean_error, mean_km2; /* over all occurrences, rounded; weighted by people */
    char *before, *after;        /* maps, as SVG; empty without cells */
    kn_report_area_step *curve;  /* or NULL */
    size_t curve_count;
} kn_report_areas;

/** Copy what a report says of `from` (NULL: nothing). Where `least` occurrences were shows in no
 * figure. */
kn_status kn__report_areas_copy(kn_report_areas *out, const kn_areas *from, size_t least,
                                kn_error *err);
void kn__report_areas_clear(kn_report_areas *a);

struct kn_report {
    char *title, *note, *date; /* as asked, or NULL */
    char *job_json;            /* or NULL */
    uint64_t seed;
    kn_report_file input, output;
    size_t suppressed;
    kn_left_out left_out;
    kn_cluster_counts clusters;
    bool trees; /* tree records */
    char **tree_cut, **tree_removed;
    char *tree_drawings; /* records before and after, as HTML; NULL: none */
    size_t tree_cut_count, tree_removed_count, tree_cuts, tree_clusters;
    bool starred, shuffled;
    kn_guarantee *guarantees;
    double *achieved_before; /* NULL without a verdict of the original */
    double *achieved;
    kn_certificate *certificates; /* of sigma-km-anonymity */
    size_t certificates_count;
    char *recount; /* how far the items were counted twice, or NULL */
    uint64_t
        recounted[KN_MOST_KNOWN + 1]; /* by size: one combination in so many; 0 where not asked */
    double *achieved_k; /* the k that holds; of k-lm-diversity, which has a k and an l */
    size_t guarantees_count;
    bool satisfied;
    kn_points *points;
    size_t at_risk;          /* records in violating classes */
    bool at_least;           /* there may be more violations and records at risk */
    size_t violations_total; /* of which `violations_count` are listed */
    kn_report_violation *violations;
    size_t violations_count;
    char **measure_names, **measure_columns; /* column NULL: the whole table */
    double *measure_values;
    size_t measures_count;
    char *method;
    char **phase_names;
    double *phase_seconds;
    size_t phases_count;
    size_t peak_memory_bytes;
    size_t rare_below;
    kn_report_column *column;
    size_t columns;
    size_t *quasi; /* columns */
    size_t quasis;
    kn_risk risk_before, risk_after;
    kn_size_bins sizes_before, sizes_after;
    char **warnings;
    size_t warnings_count;
    kn_report_areas areas;
    kn_report_statistic *statistic;
    size_t statistics;
    kn_report_correlation *correlation; /* the strongest of the original first */
    size_t correlations;
    kn_report_row *row;
    size_t rows;
    bool originals; /* rows show originals: the report is confidential */
};

/* ---- distributions.c ---- */

void kn__bars_clear(kn_bars *b);
/** Count the distribution of `column`. O(records + values log values). */
kn_status kn__bars_count(kn_bars *out, const kn_dataset *ds, size_t column, size_t rare_below,
                         kn_error *err);

/** The least class size of bin `i`: 1, 2, 5, 10, 20, 50, ... */
size_t kn__size_bin_low(size_t i);
void kn__size_bins_fill(kn_size_bins *out, const kn_class_sizes *sizes);

/** The label of value `code`, new in `*out`; NULL for the missing value. */
kn_status kn__label(char **out, const kn_column *c, uint32_t code, kn_error *err);

/* ---- changes.c ---- */

void kn__changes_clear(kn_changes *c);
/** Count how the values of column `from` of `original` were published in column `to`. `origin`
 * NULL: record by record. Expected O(records + pairs log pairs). */
kn_status kn__changes_count(kn_changes *out, const kn_dataset *original, size_t from,
                            const kn_dataset *published, size_t to, const uint32_t *origin,
                            size_t rare_below, kn_error *err);
/** The same for list columns, which have no single value a record: whether every published record
 * has the values of its original, in `*out`. O(values + items). */
kn_status kn__lists_unchanged(bool *out, const kn_dataset *original, size_t from,
                              const kn_dataset *published, size_t to, const uint32_t *origin,
                              kn_error *err);

/* ---- words.c ---- */

/** How much was left out of all records, without a full stop. */
void kn__say_left_out(kn_buffer *b, const kn_report *r);
void kn__say_clusters(kn_buffer *b, const kn_report *r);
/** As many decimals as help to read it. */
void kn__say_measure(kn_buffer *b, double x);
/** "412 MB", "0.280 s". */
void kn__say_bytes(kn_buffer *b, size_t bytes);
void kn__say_seconds(kn_buffer *b, double seconds);
/** "age, sex and city": the columns for which `pick` answers true. Returns how many. */
size_t kn__say_columns(kn_buffer *b, const kn_report *r,
                       bool (*pick)(const kn_report *r, const kn_report_column *c));

/** How many records are unique in the published file as a whole, without a full stop. */
void kn__say_whole(kn_buffer *b, const kn_survey *v);
/** "k-anonymity with k = 5". */
void kn__say_guarantee(kn_buffer *b, const kn_guarantee *g);
/** Whether guarantee `i` holds: what is achieved is at least as good as what it asks. */
bool kn__meets(const kn_report *r, size_t i);
/** The chance of picking the right one of `k` records; NaN where k is not known. */
double kn__risk_of_k(double k);
/** What a measure means, in one sentence; NULL when we have no words for it. */
const char *kn__measure_words(const char *name);
/** The part of `path` after the last '/'. */
const char *kn__basename(const char *path);

/* ---- warnings.c ---- */
kn_status kn__report_warn(kn_report *r, const kn_report_facts *facts, kn_error *err);

#endif
