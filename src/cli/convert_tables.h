/* cli/convert_tables.h - kanon convert from related tables to tree records, and back. */
#ifndef CLI_CONVERT_TABLES_H
#define CLI_CONVERT_TABLES_H

#include "cli/cli.h"
#include "kanon/relations.h"

/* Whether INPUT is a set of related tables; `err` starts as zeros. */
kn_status cli_is_tables(const cli_call *call, const char *input, bool *is, kn_error *err);
/* Whether OUTPUT is a folder of tables. */
bool cli_makes_tables(const cli_call *call, const char *output);
/* Refuse to write over the tables of `input` and the hierarchies of --bin. 0 or the exit code. */
int cli_refuse_over_tables(const cli_call *call, const char *input, const char *output);
/* Tree records out of the tables of `input`, which `*r` holds: free both. 0 or the exit code. */
int cli_read_tables(const cli_call *call, const char *input, kn_relations **r, kn_dataset **out);
/* The tables of tree records into the folder `output`. 0 or the exit code. */
int cli_write_tables(const cli_call *call, const kn_dataset *ds, const char *output);

#endif
