/* open.c - the words about columns whose decisions are open: which they are, why, and the options
 * that settle them, ready to be pasted. */
#include "cli/cli.h"

#include <stdlib.h>
#include <string.h>

static const struct {
    kn_role role;
    const char *option;
} role_options[] = {{KN_ROLE_IDENTIFIER, "--id"},
                    {KN_ROLE_QUASI, "--qi"},
                    {KN_ROLE_SENSITIVE, "--sensitive"},
                    {KN_ROLE_KEPT, "--keep"},
                    {KN_ROLE_DROPPED, "--drop"}};

static bool needs_quotes(const char *text)
{
    const size_t plain = strspn(text, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ"
                                      "0123456789_.-+:@%/");

    return text[plain] != '\0';
}

/* Whether an option would not take the name as one element of its list as it stands. */
static bool needs_list_quotes(const char *name)
{
    const size_t len = strlen(name);

    return len == 0 || strchr(name, ',') || *name == '"' || *name == ' ' || name[len - 1] == ' ';
}

void cli_print_name(FILE *out, const char *name)
{
    const bool list = needs_list_quotes(name);

    if (!list && !needs_quotes(name)) {
        (void)fputs(name, out);
        return;
    }
    (void)fputs(list ? "'\"" : "'", out);
    for (const char *c = name; *c; c++) {
        if (*c == '\'') {
            (void)fputs("'\\''", out);
        } else if ((unsigned char)*c >= ' ') {
            (void)fputs(list && *c == '"' ? "\"" : "", out);
            (void)fputc(*c, out);
        }
    }
    (void)fputs(list ? "\"'" : "'", out);
}

/* What a column is called here: by its number where its name may be a value of a file without a
 * header. */
static const char *name_of(const kn_open_column *c, char number[32])
{
    (void)snprintf(number, 32, "column %zu", c->column + 1);
    return c->named ? c->name : number;
}

/* An option with the columns of one kind and role. */
static void print_option(const char *option, const kn_open_column *columns, size_t count,
                         bool roles, kn_role role)
{
    bool any = false;

    for (size_t i = 0; i < count; i++) {
        const kn_open_column *c = &columns[i];
        if ((c->kind == KN_OPEN_ROLE) == roles && (!roles || c->suggested == role)) {
            (void)fprintf(stderr, any ? "," : " %s ", option);
            cli_print_name(stderr, c->name);
            any = true;
        }
    }
}

static void print_table(const kn_open_column *columns, size_t count, bool roles)
{
    static const char *const titles[] = {"column", "suggested", "why"};
    static const bool right[] = {false, false, false};
    const size_t width = roles ? 3 : 2;
    const char **cells = calloc((count + 1) * width, sizeof *cells);
    char(*numbers)[32] = calloc(count + 1, sizeof *numbers);
    size_t rows = 1;

    if (!cells || !numbers) {
        free(cells);
        free(numbers);
        return;
    }
    cells[0] = titles[0];
    cells[1] = titles[roles ? 1 : 2];
    cells[width - 1] = titles[2];
    for (size_t i = 0; i < count; i++) {
        if ((columns[i].kind == KN_OPEN_ROLE) == roles) {
            const char **row = cells + rows++ * width;
            row[0] = name_of(&columns[i], numbers[i]);
            row[1] = kn_role_name(columns[i].suggested);
            row[width - 1] = columns[i].reason;
        }
    }
    cli_table(stderr, cells, rows, width, right);
    free(cells);
    free(numbers);
}

static const char no_names[] =
    "\nThe first line of the table may be no header, so its texts are not shown. If it is one, name "
    "the columns (--id, --qi, --sensitive, --keep, --drop), or decide for all at once (--drop-rest); "
    "if not, --no-header calls them column1, column2, ...\n";

static void say_roles(const kn_open_column *columns, size_t count, size_t open)
{
    (void)fprintf(stderr,
                  "kanon: no role was chosen for %zu column%s, so nothing is published:\n\n", open,
                  open == 1 ? "" : "s");
    print_table(columns, count, true);
    if (!columns->named) {
        (void)fputs(no_names, stderr);
        return;
    }
    (void)fprintf(stderr,
                  "\nTo give %s the suggested role%s, add this line, changed where you know "
                  "better:\n ",
                  open == 1 ? "it" : "them", open == 1 ? "" : "s");
    for (size_t i = 0; i < CLI_COUNT(role_options); i++) {
        print_option(role_options[i].option, columns, count, true, role_options[i].role);
    }
    (void)fputs("\n(--accept-suggested does the same.) Or treat them all alike: --drop-rest leaves "
                "them out, --keep-rest publishes them as they are.\n",
                stderr);
}

static void say_kept(const kn_open_column *columns, size_t count, size_t open, bool also)
{
    (void)fprintf(stderr,
                  "%s%zu column%s that %s to be published as %s can single people out%s:\n\n",
                  also ? "\n" : "kanon: ", open, open == 1 ? "" : "s", open == 1 ? "is" : "are",
                  open == 1 ? "it is" : "they are", also ? "" : ", so nothing is published");
    print_table(columns, count, false);
    if (!columns->named) {
        (void)fputs(also ? "" : no_names, stderr);
        return;
    }
    (void)fprintf(stderr,
                  "\nLeave %s out (--id, --drop), generalise %s (--qi), or protect %s "
                  "(--sensitive). To publish %s all the same, add:\n ",
                  open == 1 ? "it" : "them", open == 1 ? "it" : "them", open == 1 ? "it" : "them",
                  open == 1 ? "it" : "them");
    print_option("--allow-unique", columns, count, false, KN_ROLE_UNSET);
    (void)fputc('\n', stderr);
}

void cli_say_open(void *said, const kn_open_column *columns, size_t count)
{
    size_t roles = 0;

    cli_progress_end();
    for (size_t i = 0; i < count; i++) {
        roles += columns[i].kind == KN_OPEN_ROLE;
    }
    if (roles) {
        say_roles(columns, count, roles);
    }
    if (roles < count) {
        say_kept(columns, count, count - roles, roles > 0);
    }
    *(bool *)said = true;
}
