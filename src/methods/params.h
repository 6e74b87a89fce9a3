/* methods/params.h - parameters that several methods have. */
#ifndef KN_METHODS_PARAMS_H
#define KN_METHODS_PARAMS_H

#include "base/catalog_entry.h"

#define KN_TABLE_GUARANTEES "k-anonymity l-diversity t-closeness"
#define KN_MIXED_GUARANTEES "k-km-anonymity k-lm-diversity"

#define KN_PARAM_PAPER                                                                                \
    {                                                                                                 \
        .name = "paper", .kind = KN_PARAM_FLAG,                                                       \
        .help =                                                                                       \
            "acd, cluster, sampling: the algorithm as it was published, to compare with; rum-bound, " \
            "tum-bound, rfirst: start from its clusters; rum-bound: spend the whole bound"            \
    }
#define KN_PARAM_SUBTREE                                                                       \
    {                                                                                          \
        .name = "subtree", .kind = KN_PARAM_FLAG,                                              \
        .help = "apriori, vpa: whole groups only, as in the paper: no item below a published " \
                "group keeps its name"                                                         \
    }
#define KN_PARAM_PARTS(usual)                                                                   \
    {                                                                                           \
        .name = "parts", .kind = KN_PARAM_COUNT, .min = 1, .max = 1000000, .standard = (usual), \
        .help = "lra: how many parts the records are also cut into, vpa: the items"             \
    }
/** The column whose classes a method keeps apart. */
#define KN_PARAM_CLASS                                                                          \
    {                                                                                           \
        .name = "class", .kind = KN_PARAM_COLUMN,                                               \
        .help = "id3, tds: the column whose classes are to stay apart, sensitive or kept; the " \
                "default is the first sensitive one"                                            \
    }

#endif
