/* models/format/rules_csv.h - which columns a list of rules has. */
#ifndef KN_MODELS_FORMAT_RULES_CSV_H
#define KN_MODELS_FORMAT_RULES_CSV_H

#include "io/format/delimited.h"

typedef enum kn_csv_field {
    KN_CSV_LEFT = 0,
    KN_CSV_RIGHT,
    KN_CSV_RULE, /* both sides */
    KN_CSV_SUPPORT,
    KN_CSV_CONFIDENCE,
    KN_CSV_LIFT,
    KN_CSV_COUNT,
    KN_CSV_PRIVATE,
    KN_CSV_FIELDS,
    KN_CSV_TELLS_RIGHT = KN_CSV_FIELDS, /* a measure that implies the support of `right` */
    KN_CSV_TELLS_NO_MORE,               /* one that follows from the rule's own figures */
    KN_CSV_NUMBERING,                   /* has no name: the numbers of the rows */
    KN_CSV_UNKNOWN
} kn_csv_field;

typedef struct kn_rule_columns {
    size_t at[KN_CSV_FIELDS]; /* SIZE_MAX: there is none */
    kn_csv_field *means;      /* by column */
    size_t count, cap;
} kn_rule_columns;

/** Find the columns in the header row; `*is`: it names the sides of rules. KN_EINPUT for a header
 * of rules with two columns for one thing, or with an unknown one: it could disclose anything. */
kn_status kn__rule_columns_find(kn_rule_columns *c, const kn_text_rows *row, bool *is,
                                kn_error *err);
void kn__rule_columns_clear(kn_rule_columns *c);
/** Without blanks and tabs around it. */
kn_text kn__text_trimmed(kn_text t);
/** 12, [12], or an arrow between two columns: what stands in a column without a name. */
bool kn__is_numbering(kn_text t);

#endif
