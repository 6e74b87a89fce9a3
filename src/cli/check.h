/* cli/check.h - what kanon check has found, and how it is printed. */
#ifndef KN_CLI_CHECK_H
#define KN_CLI_CHECK_H

#include "cli/cli.h"

typedef struct cli_checking {
    kn_dataset *ds, *original;
    kn_hierarchies *hierarchies;
    kn_guarantee *guarantees;
    size_t count, limit;
    kn_verdict *verdict;
    kn_point_options decisions;
    kn_points *points;
} cli_checking;

/* Whether a guarantee is about all of `about` (KN_ABOUT_...). */
bool cli_guarantee_is_about(const kn_guarantee *g, unsigned about);
/* Whether it has a k beside the parameter that is compared. */
bool cli_guarantee_has_second_k(const kn_guarantee *g);
/* Whether all guarantees of the check are about items, or about trees. */
bool cli_check_only_items(const cli_checking *c);
bool cli_check_only_trees(const cli_checking *c);
/* Whether the column is a quasi-identifier with one value per record. */
bool cli_check_is_class_column(const cli_checking *c, size_t column);
/* What a violation is: 0 a class, 1 a combination of items, 2 both, 3 knowledge about a tree. */
size_t cli_check_shape(const kn_violation *v);

/* For people, to standard output. */
void cli_check_print_words(const cli_checking *c, const char *path);
/* To standard error: the data may be fine, the question is not what it seems. */
void cli_check_warn(const cli_checking *c);
/* For programs, to standard output; the exit code. */
int cli_check_print_json(const cli_checking *c);

#endif
