/* catalog.c - what kanon can do, as tables. A new guarantee, method or measure is one row here. */
#include "kanon/catalog.h"

#include <math.h>
#include <string.h>

#define COUNT_OF(a) (sizeof(a) / sizeof(a)[0])
#define MOST_COUNT  4294967295.0

static const kn_param k_params[] = {
    {.name = "k",
     .kind = KN_PARAM_COUNT,
     .min = 1,
     .max = MOST_COUNT,
     .required = true,
     .standard = 5,
     .help = "every record looks like at least k-1 others"},
};

static const kn_param l_params[] = {
    {.name = "l",
     .kind = KN_PARAM_NUMBER,
     .min = 1,
     .max = MOST_COUNT,
     .required = true,
     .standard = 2,
     .help = "how diverse the sensitive values of every class are at least"},
    {.name = "diversity",
     .kind = KN_PARAM_CHOICE,
     .choices = "distinct|entropy|recursive",
     .help = "how diversity is counted: different values, entropy of at least log l, or "
             "recursive (c,l)"},
    {.name = "c",
     .kind = KN_PARAM_NUMBER,
     .min = 0,
     .max = HUGE_VAL,
     .standard = 3,
     .help = "recursive (c,l)-diversity: the commonest value is rarer than c times the tail from "
             "the l-th on"},
};

static const kn_param t_params[] = {
    {.name = "t",
     .kind = KN_PARAM_NUMBER,
     .min = 0,
     .max = 1,
     .required = true,
     .standard = 0.2,
     .help = "how far the sensitive values of a class may be distributed from those of the "
             "whole table"},
    {.name = "distance",
     .kind = KN_PARAM_CHOICE,
     .choices = "equal|ordered|hierarchical",
     .help = "the distance between sensitive values: all alike, by order (numbers and dates), or "
             "by hierarchy"},
};

#define RECOUNT                                                                                \
    {                                                                                          \
        .name = "recount", .kind = KN_PARAM_CHOICE, .choices = "budget|full",                  \
        .help = "guarantees of items: how much the check counts a second time: what a moment " \
                "allows, or all"                                                               \
    }

static const kn_param km_params[] = {
    {.name = "k",
     .kind = KN_PARAM_COUNT,
     .min = 1,
     .max = MOST_COUNT,
     .required = true,
     .standard = 5,
     .help = "so many records hold every combination of items that occurs"},
    {.name = "m",
     .kind = KN_PARAM_COUNT,
     .min = 1,
     .max = 16,
     .required = true,
     .standard = 2,
     .help = "km-anonymity: how many items of a person an attacker may know; up to 16"},
    RECOUNT,
};

static const kn_param k_lm_params[] = {
    {.name = "k",
     .kind = KN_PARAM_COUNT,
     .min = 1,
     .max = MOST_COUNT,
     .required = true,
     .standard = 5,
     .help = "so many records have the values and hold the items that an attacker may know"},
    {.name = "l",
     .kind = KN_PARAM_NUMBER,
     .min = 1,
     .max = MOST_COUNT,
     .required = true,
     .standard = 2,
     .help = "no sensitive item can be inferred with a probability above 1/l"},
    {.name = "m",
     .kind = KN_PARAM_COUNT,
     .min = 1,
     .max = 16,
     .required = true,
     .standard = 2,
     .help = "how many items of a person an attacker may know; up to 16"},
    RECOUNT,
};

static const kn_entry guarantees[] = {
    {.kind = KN_ENTRY_GUARANTEE,
     .name = "k-anonymity",
     .method = "local",
     .summary = "every published record shares its quasi-identifiers with at least k-1 others",
     .params = k_params,
     .params_count = COUNT_OF(k_params),
     .page = "guarantees.md"},
    {.kind = KN_ENTRY_GUARANTEE,
     .name = "l-diversity",
     .method = "local",
     .summary = "the sensitive values of every class are diverse",
     .params = l_params,
     .params_count = COUNT_OF(l_params),
     .page = "guarantees.md"},
    {.kind = KN_ENTRY_GUARANTEE,
     .name = "t-closeness",
     .method = "local",
     .summary = "the sensitive values of every class are distributed nearly as in the whole table",
     .params = t_params,
     .params_count = COUNT_OF(t_params),
     .page = "guarantees.md"},
    {.kind = KN_ENTRY_GUARANTEE,
     .name = "km-anonymity",
     .method = "apriori",
     .summary = "whoever knows up to m items of a person finds at least k records that hold them",
     .params = km_params,
     .params_count = COUNT_OF(km_params),
     .page = "guarantees.md"},
    {.kind = KN_ENTRY_GUARANTEE,
     .name = "k-km-anonymity",
     .method = "rum-bound",
     .summary =
         "whoever knows the quasi-identifiers of a person and up to m items finds at least k "
         "records",
     .params = km_params,
     .params_count = COUNT_OF(km_params),
     .page = "guarantees.md"},
    {.kind = KN_ENTRY_GUARANTEE,
     .name = "k-lm-diversity",
     .method = "rum-bound",
     .summary = "k-km-anonymity of the items that are not sensitive, and of the others none can be "
                "inferred with a probability above 1/l",
     .params = k_lm_params,
     .params_count = COUNT_OF(k_lm_params),
     .page = "guarantees.md"},
};

static const kn_param flash_params[] = {
    {.name = "objective",
     .kind = KN_PARAM_CHOICE,
     .choices = "loss|ncp|precision|discernibility|average_class_size|classification",
     .help = "the measure that flash makes as good as it can be"},
};

static const kn_param class_params[] = {
    {.name = "class",
     .kind = KN_PARAM_COLUMN,
     .help = "id3, tds: the column whose classes are to stay apart, sensitive or kept; the default "
             "is the first sensitive one"},
};

static const kn_param mondrian_params[] = {
    {.name = "relaxed",
     .kind = KN_PARAM_FLAG,
     .help = "mondrian: records with equal values may fall on both sides of a cut"},
};

static const kn_param local_params[] = {
    {.name = "effort",
     .kind = KN_PARAM_NUMBER,
     .min = 0,
     .max = 1000,
     .standard = 1,
     .help = "local: how long to refine; 2 takes about twice as long as 1"},
};

#define PAPER                                                                                   \
    {                                                                                           \
        .name = "paper", .kind = KN_PARAM_FLAG,                                                 \
        .help = "acd, cluster: the algorithm as it was published, to compare with; rum-bound, " \
                "tum-bound, rfirst: start from its clusters; rum-bound: spend the whole bound"  \
    }

static const kn_param cluster_params[] = {PAPER};

static const kn_param acd_params[] = {
    {.name = "d",
     .kind = KN_PARAM_NUMBER,
     .min = 0,
     .max = 1,
     .standard = 0.001,
     .help = "acd --paper: how much a repair may add to the loss before others are looked for"},
    PAPER,
};

#define SUBTREE                                                                                \
    {                                                                                          \
        .name = "subtree", .kind = KN_PARAM_FLAG,                                              \
        .help = "apriori, vpa: whole groups only, as in the paper: no item below a published " \
                "group keeps its name"                                                         \
    }
#define PARTS(usual)                                                                            \
    {                                                                                           \
        .name = "parts", .kind = KN_PARAM_COUNT, .min = 1, .max = 1000000, .standard = (usual), \
        .help = "lra: how many parts the records are also cut into, vpa: the items"             \
    }

static const kn_param apriori_params[] = {SUBTREE};
static const kn_param lra_params[] = {PARTS(1)};
static const kn_param tfirst_params[] = {PARTS(10)};
static const kn_param vpa_params[] = {PARTS(8), SUBTREE};

#define DELTA                                                                           \
    {                                                                                   \
        .name = "delta", .kind = KN_PARAM_NUMBER, .min = 0, .max = 1, .standard = 0.65, \
        .help = "the most that may be lost: rum-bound in the quasi-identifiers "        \
                "(relational_ncp), tum-bound in the items (ul)"                         \
    }
#define MERGE                                                                                   \
    {                                                                                           \
        .name = "merge", .kind = KN_PARAM_CHOICE, .choices = "rt|r|t",                          \
        .help = "rum-bound, tum-bound: merge clusters that are near in their values and items " \
                "(rt), in their values (r) or in their items (t)"                               \
    }
#define EXACT_UTILITY                                                                         \
    {                                                                                         \
        .name = "exact-utility", .kind = KN_PARAM_FLAG,                                       \
        .help = "rum-bound, tum-bound: generalise the items of every two clusters on trial, " \
                "instead of comparing records; slow"                                          \
    }

static const kn_param bound_params[] = {DELTA, MERGE, EXACT_UTILITY, PAPER};

#define BOTH_GUARANTEES  "k-km-anonymity k-lm-diversity"
#define TABLE_GUARANTEES "k-anonymity l-diversity t-closeness"

static const kn_entry methods[] = {
    {.kind = KN_ENTRY_METHOD,
     .name = "flash",
     .reaches = TABLE_GUARANTEES,
     .summary =
         "full-domain generalisation: one level a column, the best combination of levels there is",
     .params = flash_params,
     .params_count = COUNT_OF(flash_params),
     .page = "methods.md"},
    {.kind = KN_ENTRY_METHOD,
     .name = "mondrian",
     .reaches = TABLE_GUARANTEES,
     .summary = "cuts the records in two again and again while both sides satisfy the guarantee",
     .params = mondrian_params,
     .params_count = COUNT_OF(mondrian_params),
     .page = "methods.md"},
    {.kind = KN_ENTRY_METHOD,
     .name = "local",
     .reaches = TABLE_GUARANTEES,
     .summary = "local recoding: groups of records are refined for as long as something is "
                "gained; least loss",
     .params = local_params,
     .params_count = COUNT_OF(local_params),
     .page = "methods.md"},
    {.kind = KN_ENTRY_METHOD,
     .name = "apriori",
     .reaches = "km-anonymity",
     .summary = "items: every item becomes itself or a group of its hierarchy, in all records "
                "alike",
     .params = apriori_params,
     .params_count = COUNT_OF(apriori_params),
     .page = "methods.md"},
    {.kind = KN_ENTRY_METHOD,
     .name = "lra",
     .reaches = "km-anonymity",
     .summary = "local recoding of items: an item keeps its name in the records where it can; "
                "least loss",
     .params = lra_params,
     .params_count = COUNT_OF(lra_params),
     .page = "methods.md"},
    {.kind = KN_ENTRY_METHOD,
     .name = "vpa",
     .reaches = "km-anonymity",
     .summary = "apriori in two steps: parts of the hierarchy first, then what spans them",
     .params = vpa_params,
     .params_count = COUNT_OF(vpa_params),
     .page = "methods.md"},
    {.kind = KN_ENTRY_METHOD,
     .name = "acd",
     .reaches = "km-anonymity",
     .summary = "numbers become ranges that it finds by itself, without a hierarchy",
     .params = acd_params,
     .params_count = COUNT_OF(acd_params),
     .page = "methods.md"},
    {.kind = KN_ENTRY_METHOD,
     .name = "cluster",
     .reaches = "k-anonymity",
     .summary = "a random record and the k-1 nearest to it, again and again; then improved",
     .params = cluster_params,
     .params_count = COUNT_OF(cluster_params),
     .page = "methods.md"},
    {.kind = KN_ENTRY_METHOD,
     .name = "tds",
     .reaches = TABLE_GUARANTEES,
     .summary = "top-down specialisation: keeps what tells the classes of a column apart, for "
                "learning a classifier",
     .params = class_params,
     .params_count = COUNT_OF(class_params),
     .page = "methods.md"},
    {.kind = KN_ENTRY_METHOD,
     .name = "id3",
     .reaches = TABLE_GUARANTEES,
     .summary = "the table that is equivalent to a decision tree whose leaves keep the guarantee",
     .params = class_params,
     .params_count = COUNT_OF(class_params),
     .page = "methods.md"},
    {.kind = KN_ENTRY_METHOD,
     .name = "rum-bound",
     .reaches = BOTH_GUARANTEES,
     .summary = "clusters of records grow while the quasi-identifiers lose at most delta; items by "
                "cluster",
     .params = bound_params,
     .params_count = COUNT_OF(bound_params),
     .page = "rt.md"},
    {.kind = KN_ENTRY_METHOD,
     .name = "tum-bound",
     .reaches = BOTH_GUARANTEES,
     .summary = "clusters of records grow until the items lose at most delta",
     .params = bound_params,
     .params_count = COUNT_OF(bound_params),
     .page = "rt.md"},
    {.kind = KN_ENTRY_METHOD,
     .name = "rfirst",
     .reaches = BOTH_GUARANTEES,
     .summary =
         "small clusters of records, alike in their quasi-identifiers; then the items of each",
     .params = cluster_params,
     .params_count = COUNT_OF(cluster_params),
     .page = "rt.md"},
    {.kind = KN_ENTRY_METHOD,
     .name = "tfirst",
     .reaches = BOTH_GUARANTEES,
     .summary = "few parts of records, alike in their items; then the quasi-identifiers of each",
     .params = tfirst_params,
     .params_count = COUNT_OF(tfirst_params),
     .page = "rt.md"},
};

#define MEASURE(measure, direction, words)                                                      \
    {                                                                                           \
        .kind = KN_ENTRY_MEASURE, .name = (measure), .summary = (words), .better = (direction), \
        .page = "measures.md"                                                                   \
    }

static const kn_entry measures[] = {
    MEASURE("ncp", "lower",
            "normalised certainty penalty: how wide published values are; 0 none, 1 all lost"),
    MEASURE("loss", "lower",
            "share of the possible generalisation used: (leaves-1)/(domain-1), suppressed 1"),
    MEASURE("relational_ncp", "lower",
            "ncp of the quasi-identifiers with one value a record, in tables with items"),
    MEASURE("items_ncp", "lower", "ncp of the items, in tables with items"),
    MEASURE("ul", "lower",
            "utility loss: subsets that the items of a record may stand for, of those of all"),
    MEASURE("discernibility", "lower",
            "sum over records of the size of their class; suppressed records count n"),
    MEASURE("average_class_size", "lower", "records divided by classes"),
    MEASURE("classification", "lower",
            "share of records whose sensitive value is not the commonest of their class"),
    MEASURE("classification_metric", "lower", "how many records these are: the papers' CM"),
    MEASURE("entropy", "lower",
            "non-uniform entropy: information lost, weighted by how common values are"),
    MEASURE("precision", "higher", "one minus the mean height to which values were generalised"),
    MEASURE("suppressed_cells", "lower", "share of quasi-identifier cells published as *"),
    MEASURE("suppressed_records", "lower", "share of records that were suppressed"),
    MEASURE("items_changed", "lower", "share of items that were not published as they were"),
    MEASURE("query_error", "lower",
            "mean relative error of the answers to counting questions: values and items"),
    MEASURE("mining_loss", "lower",
            "share of frequent sets of items, at all levels of the hierarchy, that are lost"),
    MEASURE("items_suppressed", "lower", "share of items that were left out of all records"),
    MEASURE("prosecutor_risk", "lower",
            "chance to find a person known to be in the table; the highest"),
    MEASURE("journalist_risk", "lower",
            "chance to find a person by looking up a population table; the highest"),
    MEASURE("marketer_risk", "lower",
            "expected share of all records that can be linked to their persons"),
    MEASURE("unique_records", "lower", "records that share their quasi-identifiers with nobody"),
};

/* What keeps people anonymous is the same for all kinds of models. */
#define SPAN_PARAMS                                                                             \
    {.name = "k",                                                                               \
     .kind = KN_PARAM_COUNT,                                                                    \
     .min = 1,                                                                                  \
     .max = MOST_COUNT,                                                                         \
     .required = true,                                                                          \
     .standard = 5,                                                                             \
     .help = "whatever the model tells of private values, it tells of at least k people; 1: a " \
             "plain model"},                                                                    \
        {.name = "l",                                                                           \
         .kind = KN_PARAM_NUMBER,                                                               \
         .min = 1,                                                                              \
         .max = MOST_COUNT,                                                                     \
         .help = "how diverse a tree's private class, the clusters or each private item of "    \
                 "rules must be among those people"},                                           \
        {.name = "diversity",                                                                   \
         .kind = KN_PARAM_CHOICE,                                                               \
         .choices = "entropy|distinct",                                                         \
         .help = "how diversity is counted: entropy of at least log l, or different values"},   \
    {                                                                                           \
        .name = "inference", .kind = KN_PARAM_NUMBER, .min = 0, .max = 1,                       \
        .help = "the most certain that anybody may be of a person's private class (tree), "     \
                "cluster, or private items (rules): 0.85"                                       \
    }

static const kn_param tree_params[] = {
    SPAN_PARAMS,
    {.name = "gain",
     .kind = KN_PARAM_CHOICE,
     .choices = "information|ratio|gini",
     .help = "tree: how good a split is: information gain, gain ratio, or the Gini index"},
    {.name = "prune",
     .kind = KN_PARAM_FLAG,
     .help = "tree: take splits back that do not pay; what must hold still holds"},
    {.name = "depth",
     .kind = KN_PARAM_COUNT,
     .max = MOST_COUNT,
     .help = "tree: the longest way to a leaf; the default, 0, is no limit"},
};

static const kn_param clusters_params[] = {
    SPAN_PARAMS,
    {.name = "clusters",
     .kind = KN_PARAM_COUNT,
     .max = MOST_COUNT,
     .help = "clusters: stop at so many; the default, 0, is when no split is safe"},
    {.name = "algorithm",
     .kind = KN_PARAM_CHOICE,
     .choices = "mst|kmeans",
     .help = "clusters: split a minimal spanning tree, or merge k-means centres until they are "
             "safe"},
    {.name = "along-hierarchies",
     .kind = KN_PARAM_FLAG,
     .help = "clusters: public categories that have a hierarchy are as far apart as it says"},
    {.name = "smallest",
     .kind = KN_PARAM_COUNT,
     .max = MOST_COUNT,
     .help = "clusters: how many people a centre is the mean of at least; the default, 0, is k"},
};

static const kn_param rules_params[] = {
    SPAN_PARAMS,
    {.name = "support",
     .kind = KN_PARAM_NUMBER,
     .min = 0,
     .max = 1,
     .standard = 0.01,
     .help = "rules: the least share of the records that hold all of a rule"},
    {.name = "confidence",
     .kind = KN_PARAM_NUMBER,
     .min = 0,
     .max = 1,
     .standard = 0.5,
     .help = "rules: the least share of those with the left side that have the right side"},
    {.name = "rules",
     .kind = KN_PARAM_COUNT,
     .max = MOST_COUNT,
     .help = "rules: at most so many; the default, 0, is no limit"},
    {.name = "longest",
     .kind = KN_PARAM_COUNT,
     .max = 16,
     .standard = 4,
     .help = "rules: the most items of a rule; the default is 4"},
};

static const kn_entry models[] = {
    {.kind = KN_ENTRY_MODEL,
     .name = "tree",
     .summary = "a decision tree that predicts a class",
     .params = tree_params,
     .params_count = COUNT_OF(tree_params),
     .page = "models.md"},
    {.kind = KN_ENTRY_MODEL,
     .name = "clusters",
     .summary = "centres of groups of similar records",
     .params = clusters_params,
     .params_count = COUNT_OF(clusters_params),
     .page = "clusters.md"},
    {.kind = KN_ENTRY_MODEL,
     .name = "rules",
     .summary = "association rules between items",
     .params = rules_params,
     .params_count = COUNT_OF(rules_params),
     .page = "models.md"},
};

const kn_entry *kn_catalog(kn_entry_kind kind, size_t *count)
{
    static const struct {
        const kn_entry *entries;
        size_t count;
    } kinds[] = {[KN_ENTRY_GUARANTEE] = {guarantees, COUNT_OF(guarantees)},
                 [KN_ENTRY_METHOD] = {methods, COUNT_OF(methods)},
                 [KN_ENTRY_MEASURE] = {measures, COUNT_OF(measures)},
                 [KN_ENTRY_MODEL] = {models, COUNT_OF(models)}};
    const bool known = (size_t)kind < COUNT_OF(kinds);

    if (count) {
        *count = known ? kinds[kind].count : 0;
    }
    return known ? kinds[kind].entries : NULL;
}

const kn_entry *kn_catalog_find(kn_entry_kind kind, const char *name)
{
    size_t count;
    const kn_entry *entries = kn_catalog(kind, &count);

    for (size_t i = 0; name && i < count; i++) {
        if (strcmp(entries[i].name, name) == 0) {
            return &entries[i];
        }
    }
    return NULL;
}
