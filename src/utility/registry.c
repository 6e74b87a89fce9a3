/* registry.c - the measures, in the order in which they are listed. */
#include "utility/registry.h"

#define MEASURE(measure, direction, words)                                                      \
    &(const kn_entry)                                                                           \
    {                                                                                           \
        .kind = KN_ENTRY_MEASURE, .name = (measure), .summary = (words), .better = (direction), \
        .page = "measures.md"                                                                   \
    }

static const kn_entry *const entries[] = {
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
    MEASURE("rpd", "lower",
            "reverse path domain of tree records: mean over their paths of 1 / (depth x labels on "
            "the level), multiplied along the path"),
    MEASURE("rpd_original", "lower", "the same of the tree records before"),
    MEASURE("rpd_a", "lower", "the estimate of rpd from the synopsis tree that searches use"),
    MEASURE("relations_removed", "lower",
            "share of ancestor-descendant relations of tree records that are gone"),
    MEASURE("nodes_suppressed", "lower",
            "share of nodes of tree records that nothing published stands for"),
    MEASURE("ml2", "lower",
            "share of frequent subtrees, at all levels of the hierarchies, that are lost"),
    MEASURE("dml2", "lower", "mean distance of a frequent subtree to what it was published as"),
    MEASURE("prosecutor_risk", "lower",
            "chance to find a person known to be in the table; the highest"),
    MEASURE("journalist_risk", "lower",
            "chance to find a person by looking up a population table; the highest"),
    MEASURE("marketer_risk", "lower",
            "expected share of all records that can be linked to their persons"),
    MEASURE("unique_records", "lower",
            "records that share their quasi-identifiers with no other record"),
};

const kn_entry *const *kn__measure_entries(size_t *count)
{
    *count = sizeof entries / sizeof *entries;
    return entries;
}
