/* help.c - help as text, from the tables. */
#include "cli/cli.h"

#include <string.h>

enum { WIDTH = 80, INDENT = 28 };

/* Print `text` folded at WIDTH, lines after the first indented; the cursor stands at column `at`.
 */
static void fold(FILE *out, const char *text, int at, int indent)
{
    while (*text) {
        const size_t word = strcspn(text, " \n");
        char one[256];
        (void)snprintf(one, sizeof one, "%.*s", (int)word, text);
        if (at > indent && at + 1 + cli_width(one) > WIDTH) {
            (void)fprintf(out, "\n%*s", indent, "");
            at = indent;
        } else if (at > indent) {
            (void)fputc(' ', out);
            at++;
        }
        (void)fputs(one, out);
        at += cli_width(one);
        text += word;
        if (*text == '\n') {
            (void)fputs("\n\n", out);
            (void)fprintf(out, "%*s", indent, "");
            at = indent;
        }
        text += *text != '\0';
    }
    (void)fputc('\n', out);
}

/* A command line, continued with backslashes. */
static void print_line(FILE *out, const char *text)
{
    int at = 4;

    (void)fputs("    ", out);
    while (*text) {
        const size_t word = strcspn(text, " ");
        if (at > 8 && at + 1 + (int)word > WIDTH - 2) {
            (void)fputs(" \\\n        ", out);
            at = 8;
        } else if (at > 4) {
            (void)fputc(' ', out);
            at++;
        }
        (void)fprintf(out, "%.*s", (int)word, text);
        at += (int)word;
        text += word;
        text += *text != '\0';
    }
    (void)fputc('\n', out);
}

static void print_option(FILE *out, const cli_option *o)
{
    char left[64];
    int width;

    (void)snprintf(left, sizeof left, "  %c%c%s --%s%s%s", o->letter ? '-' : ' ',
                   o->letter ? o->letter : ' ', o->letter ? "," : " ", o->name,
                   o->argument ? " " : "", o->argument ? o->argument : "");
    width = cli_width(left);
    (void)fputs(left, out);
    if (width + 2 > INDENT) {
        (void)fprintf(out, "\n%*s", INDENT, "");
    } else {
        (void)fprintf(out, "%*s", INDENT - width, "");
    }
    if (o->choices) {
        char help[512];
        size_t len = (size_t)snprintf(help, sizeof help - 64, "%s (", o->help);
        for (const char *c = o->choices; *c && len + 4 < sizeof help; c++) {
            help[len++] = *c == '|' ? ',' : *c;
            if (*c == '|') {
                help[len++] = ' ';
            }
        }
        (void)snprintf(help + len, sizeof help - len, ")");
        fold(out, help, INDENT, INDENT);
    } else {
        fold(out, o->help, INDENT, INDENT);
    }
}

void cli_print_help(FILE *out, const cli_command *command)
{
    const char *heading, *last = "";
    cli_option option;

    (void)fputs("usage: ", out);
    {
        char usage[256];
        (void)snprintf(usage, sizeof usage, "kanon %s %s", command->name, command->arguments);
        fold(out, usage, 7, 7);
    }
    (void)fputc('\n', out);
    fold(out, command->about, 0, 0);
    for (size_t i = 0; cli_option_at(command, i, &option, &heading); i++) {
        if (strcmp(heading, last) != 0) {
            (void)fprintf(out, "\n%s:\n", heading);
            last = heading;
        }
        print_option(out, &option);
    }
    (void)fputs(command->examples_count == 1 ? "\nExample:\n" : "\nExamples:\n", out);
    for (size_t i = 0; i < command->examples_count; i++) {
        (void)fputs("  ", out);
        fold(out, command->examples[i].words, 2, 2);
        print_line(out, command->examples[i].line);
    }
}

void cli_print_overview(FILE *out)
{
    size_t count;
    const cli_command *const *commands = cli_commands(&count);

    (void)fputs("kanon publishes data about people without giving anyone away.\n\n"
                "usage: kanon COMMAND [arguments] [options]\n\ncommands:\n",
                out);
    for (size_t i = 0; i < count; i++) {
        (void)fputs("  ", out);
        cli_pad(out, commands[i]->name, 12);
        fold(out, commands[i]->summary, 14, 14);
    }
    (void)fputs("\n  kanon COMMAND --help   help with examples\n"
                "  kanon --version        the version and the features built in\n\n"
                "A first try:\n"
                "  kanon sample people --records 1000 -o people.csv --hierarchies hierarchies \\\n"
                "      --schema people.schema.json\n"
                "  kanon anonymize people.csv --schema people.schema.json --k 5 -o public.csv\n",
                out);
}
