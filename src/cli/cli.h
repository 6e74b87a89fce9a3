/* cli/cli.h - what the files of the command share. The command uses the public API only. */
#ifndef KN_CLI_CLI_H
#define KN_CLI_CLI_H

#include "kanon.h"

#include <stdbool.h>
#include <stdio.h>

/* An option that is a command's own. Options of jobs come from kn_job_option. */
typedef struct cli_option {
    const char *name;
    char letter;          /* '\0': none */
    const char *argument; /* NULL: a flag */
    const char *choices;  /* "a|b", or NULL */
    const char *help;
    bool repeats; /* it may be given several times */
} cli_option;

typedef struct cli_example {
    const char *words, *line;
} cli_example;

typedef struct cli_call cli_call;

typedef struct cli_command {
    const char *name;
    const char *arguments; /* "INPUT", as usage shows it */
    const char *summary;   /* one line */
    const char *about;     /* paragraphs, separated by newlines */
    unsigned groups;       /* kn_option_group: the job options that it takes */
    const cli_option *options;
    size_t options_count;
    bool models;        /* it takes the parameters of all kinds of models, from the catalogue */
    const char *words;  /* choices of its first argument for completion, "a|b", or NULL: a file */
    const char *common; /* the options that -h shows, "k|output"; NULL: its own */
    const char *writes; /* the options that name files which it writes, for --no-clobber; or NULL */
    size_t written;     /* the number of the argument that it writes, from 1; 0: none */
    const cli_example *examples;
    size_t examples_count;
    size_t least, most; /* arguments */
    int (*run)(cli_call *call);
} cli_command;

#define CLI_COUNT(a)    (sizeof(a) / sizeof(a)[0])
#define CLI_OPTIONS(a)  .options = (a), .options_count = CLI_COUNT(a)
#define CLI_EXAMPLES(a) .examples = (a), .examples_count = CLI_COUNT(a)

enum { CLI_MOST_ARGUMENTS = 8, CLI_MOST_VALUES = 64 };

/* One call of a command: what was typed, and how to run. */
struct cli_call {
    const cli_command *command;
    kn_job *job;
    kn_run run;
    const char *arguments[CLI_MOST_ARGUMENTS];
    size_t arguments_count;
    struct {
        const char *name, *value;
    } values[CLI_MOST_VALUES]; /* own options as given */
    size_t values_count;
    bool quiet, json, short_help;
};

/* ---- main.c ---- */

/** Set `status`, and go to `done` unless it is KN_OK. */
#define CLI_TRY(call)          \
    do {                       \
        status = (call);       \
        if (status != KN_OK) { \
            goto done;         \
        }                      \
    } while (0)

/* All commands, in the order of the help; `*count` of them. */
const cli_command *const *cli_commands(size_t *count);
const cli_command *cli_find(const char *name);
/* Print "kanon: MESSAGE" and give the exit code. */
int cli_fail(const kn_error *err);
/** The option that other tools call `word`; NULL in `*option`: an argument. False: it is none. */
bool cli_synonym(const char *word, const char **option);
int cli_usage(const char *format, ...) __attribute__((format(printf, 1, 2)));

extern const cli_command cmd_anonymize, cmd_apply, cmd_check, cmd_convert, cmd_help, cmd_hierarchy,
    cmd_init, cmd_list, cmd_measure, cmd_mine, cmd_profile, cmd_sample;

/* ---- options.c ---- */

/* Options that every command takes. */
extern const cli_option cli_common[];
extern const size_t cli_common_count;

/* What an option is, wherever it comes from. Number `i` of those that `command` takes, grouped;
 * false at the end.
 * `*heading` is the group's title. */
bool cli_option_at(const cli_command *command, size_t i, cli_option *out, const char **heading);

typedef enum cli_help { CLI_HELP_NONE, CLI_HELP_SHORT, CLI_HELP_FULL } cli_help;

/* Parse the words after the command's name. 0, or the exit code after words to standard error.
 * `*help` asks for help. */
int cli_parse(cli_call *call, const cli_command *command, int argc, char **argv, cli_help *help);
/* Whether a file or folder is at `path`. 0, or the exit code where the system cannot say. */
int cli_exists(bool *exists, const char *path);
/* With --no-clobber: refuse to write `path`, which is there already. 0 or the exit code. */
int cli_refuse_clobber(const cli_call *call, const char *path);
void cli_call_clear(cli_call *call);

/* The value of an own option, or NULL. */
const char *cli_value(const cli_call *call, const char *name);
/* The values of one that repeats into `out` (of CLI_MOST_VALUES); how many. */
size_t cli_values(const cli_call *call, const char *name, const char **out);
bool cli_flag(const cli_call *call, const char *name);
/* A whole number; `*out` is left alone when the option is not given. 0 or the exit code. */
int cli_count(const cli_call *call, const char *name, size_t least, size_t *out);
int cli_number(const cli_call *call, const char *name, double *out);
/* Read one number at `text`, up to `,` or the end; NULL if there is none. */
const char *cli_number_at(const char *text, double *out);

/* ---- help.c, man.c, completion.c ---- */

void cli_print_overview(FILE *out);
void cli_print_help(FILE *out, const cli_command *command);
/* One screen: the common options only. */
void cli_print_short_help(FILE *out, const cli_command *command);
/* NULL: the page of kanon itself. */
void cli_print_man(FILE *out, const cli_command *command);
void cli_print_bash(FILE *out);
void cli_print_zsh(FILE *out);

/* ---- colour.c ---- */

typedef enum cli_colour { CLI_PLAIN, CLI_BOLD, CLI_RED, CLI_AMBER, CLI_GREEN } cli_colour;

/* Begin and end a colour where `out` is a terminal, NO_COLOR is not set and TERM is not dumb; write
 * nothing elsewhere. */
void cli_colour_begin(FILE *out, cli_colour colour);
void cli_colour_end(FILE *out);
cli_colour cli_colour_of(const kn_points *points);
/* Print `text`, its first sentence in `colour`. */
void cli_print_headline(FILE *out, const char *text, cli_colour colour);

/* ---- progress.c ---- */

/* Make `run` report to standard error as `mode` ("auto", "always", "never"; NULL: auto) says, and
 * stop at signals. */
void cli_progress_start(kn_run *run, const char *mode, bool quiet);
/* Clear the line, if there is one. */
void cli_progress_end(void);

/* ---- open.c ---- */

/* A kn_open_fn: say on standard error which decisions about columns are open and what settles them;
 * sets the bool at `said`. */
void cli_say_open(void *said, const kn_open_column *columns, size_t count);
/* A name as an option takes it in a list: in double quotes where it needs them, such as "last,
 * first", and in single quotes where a shell would split it. */
void cli_print_name(FILE *out, const char *name);

/* ---- heap.c ---- */

/** Before anything is allocated. */
void cli_heap_prepare(void);
/* End the command with the exit code of memory that is out when jansson gets none. */
void cli_heap_guard_json(void);

/* ---- points.c ---- */

/* "holds", "holds, with points to settle" or "does not hold". */
const char *cli_state(const kn_points *points);
/* The summary and the points, those to settle first, each with what settles it. */
void cli_print_verdict(FILE *out, const kn_points *points);
/* 0, or 1 where it does not hold or, with --strict, points are to settle. */
int cli_verdict_code(const kn_points *points, const kn_point_options *decisions);

/* ---- certificates.c ---- */

/* One line for each certificate of guarantee number `guarantee`. */
void cli_print_certificates(FILE *out, const kn_verdict *verdict, size_t guarantee);

/* ---- mine_stated.c ---- */

/* mine_words.c: print what the model is like, what was found, and the verdict. */
kn_status cli_say_verdict(FILE *out, const kn_model *model, const kn_model_verdict *verdict,
                          const kn_model_limits *limits, const kn_clusters_quality *quality,
                          kn_error *err);
/* Judge the rules that are the first argument without data; `k` 0: what they promise. The exit
 * code. */
int cli_check_stated(cli_call *call, uint64_t k);

/* ---- signals.c ---- */

void cli_signals_catch(void);
bool cli_signals_seen(void);

/* ---- print.c ---- */

/* Print `text` padded with spaces to `width` columns (of UTF-8 characters); right-aligned if
 * negative. */
void cli_pad(FILE *out, const char *text, int width);
/* Print up to `len` bytes of `text`, control characters made visible: a cell must not move the
 * cursor. */
void cli_print_plain(FILE *out, const char *text, size_t len);
/* Columns that `text` takes. */
int cli_width(const char *text);
/* A number as people write it: whole without decimals, others with four digits; "-" for NaN,
 * "unlimited" for infinity. */
const char *cli_format(double value, char out[32]);
/* A table: rows of `columns` texts, row-major, the first row a heading. `right[i]`: align column i
 * to the right. */
void cli_table(FILE *out, const char *const *cells, size_t rows, size_t columns, const bool *right);

/* What was noticed while a table was put together, as warnings. */
void cli_print_notes(const cli_call *call, const kn_dataset *ds);
/* kn_job_table with the call's job. What was noticed while rows were grouped or joined is said. */
kn_status cli_read(const cli_call *call, const char *path, kn_table_use use, kn_dataset **out,
                   kn_error *err);
/* Whether two paths name one existing file. */
bool cli_same_file(const char *a, const char *b);

#endif
