/* rules_csv_columns.c - the columns of rule lists, by the names that tools give them.
 *
 * The measures here are those that the common tools write. Those that are functions of its support,
 * its confidence and the number of records disclose nothing more. The others are functions of the
 * four cells of the rule's table and imply the support of the right side (stated_itemsets.c). Any
 * other measure could be about other records, or other rules (as improvement and boost of arules
 * are), so a list with it is refused. */
#include "models/format/rules_csv.h"
#include "base/error.h"
#include "base/memory.h"

#include <string.h>

static const struct {
    const char *name;
    kn_csv_field field;
} names[] = {
    {"left", KN_CSV_LEFT},       {"right", KN_CSV_RIGHT},      {"lhs", KN_CSV_LEFT},
    {"rhs", KN_CSV_RIGHT},       {"antecedents", KN_CSV_LEFT}, {"consequents", KN_CSV_RIGHT},
    {"antecedent", KN_CSV_LEFT}, {"consequent", KN_CSV_RIGHT}, {"rules", KN_CSV_RULE},
    {"rule", KN_CSV_RULE},       {"support", KN_CSV_SUPPORT},  {"confidence", KN_CSV_CONFIDENCE},
    {"lift", KN_CSV_LIFT},       {"count", KN_CSV_COUNT},      {"private", KN_CSV_PRIVATE},
    {"", KN_CSV_NUMBERING},
};

/* What arules, mlxtend and Spark write, in lower case and without what separates words. */
static const char no_more[] = "antecedentsupport coverage id length lhssupport representativity ";
static const char right[] =
    "certainty chisquared consequentsupport conviction cosine jaccard kulczynski leverage oddsratio "
    "phi rhssupport zhangsmetric ";

enum { LONGEST_NAME = 40 };

kn_text kn__text_trimmed(kn_text t)
{
    while (t.len > 0 && (*t.at == ' ' || *t.at == '\t')) {
        t.at++;
        t.len--;
    }
    while (t.len > 0 && (t.at[t.len - 1] == ' ' || t.at[t.len - 1] == '\t')) {
        t.len--;
    }
    return t;
}

bool kn__is_numbering(kn_text t)
{
    if (t.len == 2 && memcmp(t.at, "=>", 2) == 0) {
        return true;
    }
    if (t.len > 2 && t.at[0] == '[' && t.at[t.len - 1] == ']') {
        t = (kn_text){t.at + 1, t.len - 2};
    }
    for (size_t i = 0; i < t.len; i++) {
        if (t.at[i] < '0' || t.at[i] > '9') {
            return false;
        }
    }
    return true;
}

static bool is_one_of(const char *list, const char *name)
{
    const size_t len = strlen(name);

    for (const char *at = list; *at; at = strchr(at, ' ') + 1) {
        if (strncmp(at, name, len) == 0 && at[len] == ' ') {
            return true;
        }
    }
    return false;
}

static kn_csv_field meaning(kn_text t)
{
    char name[LONGEST_NAME + 1];
    size_t len = 0;

    for (size_t i = 0; i < t.len; i++) {
        const char c = t.at[i];
        if (strchr(" \t._-'", c)) {
            continue;
        }
        if (len == LONGEST_NAME) {
            return KN_CSV_UNKNOWN;
        }
        name[len++] = c >= 'A' && c <= 'Z' ? (char)(c - 'A' + 'a') : c;
    }
    name[len] = '\0';
    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        if (strcmp(name, names[i].name) == 0) {
            return names[i].field;
        }
    }
    if (is_one_of(right, name)) {
        return KN_CSV_TELLS_RIGHT;
    }
    return is_one_of(no_more, name) ? KN_CSV_TELLS_NO_MORE : KN_CSV_UNKNOWN;
}

static kn_status refuse(const kn_text_rows *row, size_t column, const char *what, kn_error *err)
{
    return kn__fail(err, KN_EINPUT, "%s: column %zu: %s %s",
                    kn__place_make(row->name, row->line).text, column + 1,
                    kn__quote_make(row->label[column].at, row->label[column].len).text, what);
}

kn_status kn__rule_columns_find(kn_rule_columns *c, const kn_text_rows *row, bool *is,
                                kn_error *err)
{
    size_t twice = SIZE_MAX;
    kn_status status = kn__grow(&c->means, &c->cap, row->count, sizeof *c->means, err);

    *is = false;
    if (status != KN_OK) {
        return status;
    }
    for (size_t f = 0; f < KN_CSV_FIELDS; f++) {
        c->at[f] = SIZE_MAX;
    }
    c->count = row->count;
    for (size_t i = 0; i < row->count; i++) {
        const kn_csv_field f = meaning(row->label[i]);
        c->means[i] = f;
        if (f < KN_CSV_FIELDS) {
            twice = c->at[f] != SIZE_MAX && twice == SIZE_MAX ? i : twice;
            c->at[f] = i;
        }
    }
    if (c->at[KN_CSV_RULE] == SIZE_MAX &&
        (c->at[KN_CSV_LEFT] == SIZE_MAX || c->at[KN_CSV_RIGHT] == SIZE_MAX)) {
        return KN_OK;
    }
    if (c->at[KN_CSV_RULE] != SIZE_MAX && twice == SIZE_MAX &&
        (c->at[KN_CSV_LEFT] != SIZE_MAX || c->at[KN_CSV_RIGHT] != SIZE_MAX)) {
        twice = c->at[KN_CSV_RULE];
    }
    if (twice != SIZE_MAX) {
        return refuse(row, twice, "is a second column for the same; leave one of them out", err);
    }
    for (size_t i = 0; i < row->count; i++) {
        if (c->means[i] == KN_CSV_UNKNOWN) {
            return refuse(row, i,
                          "is no measure that is known, and what it tells beside the rules cannot "
                          "be judged: leave the column out of what is published",
                          err);
        }
    }
    *is = true;
    return KN_OK;
}

void kn__rule_columns_clear(kn_rule_columns *c)
{
    kn__free(c->means);
    *c = (kn_rule_columns){0};
}
