/* colour.c - colour on terminals: https://no-color.org is respected. */
#include "cli/cli.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static const char *const codes[] = {
    [CLI_PLAIN] = "",           [CLI_BOLD] = "\033[1m",     [CLI_RED] = "\033[1;31m",
    [CLI_AMBER] = "\033[1;33m", [CLI_GREEN] = "\033[1;32m",
};

/* A text in memory (it has no descriptor) is put together for standard output. */
static bool coloured(FILE *out)
{
    const int fd = fileno(out);
    const char *no_colour = getenv("NO_COLOR"), *terminal = getenv("TERM");

    return !(no_colour && *no_colour) && terminal && *terminal && strcmp(terminal, "dumb") != 0 &&
           isatty(fd < 0 ? STDOUT_FILENO : fd);
}

void cli_colour_begin(FILE *out, cli_colour colour)
{
    if (colour != CLI_PLAIN && coloured(out)) {
        (void)fputs(codes[colour], out);
    }
}

void cli_colour_end(FILE *out)
{
    if (coloured(out)) {
        (void)fputs("\033[0m", out);
    }
}

cli_colour cli_colour_of(const kn_points *points)
{
    switch (kn_points_state(points)) {
    case KN_STATE_HOLDS: return CLI_GREEN;
    case KN_STATE_POINTS: return CLI_AMBER;
    case KN_STATE_FAILS: return CLI_RED;
    }
    return CLI_PLAIN;
}

void cli_print_headline(FILE *out, const char *text, cli_colour colour)
{
    const size_t end = strcspn(text, ".\n");

    cli_colour_begin(out, colour);
    cli_print_plain(out, text, end);
    cli_colour_end(out);
    for (const char *at = text + end; *at; at++) {
        const size_t len = strcspn(at, "\n");
        cli_print_plain(out, at, len);
        at += len;
        if (!*at) {
            break;
        }
        (void)fputc('\n', out);
    }
}
