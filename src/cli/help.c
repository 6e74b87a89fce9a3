/* help.c - help as text, from the tables. */
#include "cli/cli.h"

#include <string.h>

enum { WIDTH = 80, INDENT = 28, CONTEXT = 16 };

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

static void print_heading(FILE *out, const char *heading)
{
    (void)fputc('\n', out);
    cli_colour_begin(out, CLI_BOLD);
    (void)fprintf(out, "%s:", heading);
    cli_colour_end(out);
    (void)fputc('\n', out);
}

/* "NAME is one of a, b and c", from "a|b|c". */
static void print_names(FILE *out, const char *words)
{
    char names[512] = "NAME is one of ";
    size_t len = strlen(names);

    for (const char *c = words; *c && len + 8 < sizeof names; c++) {
        if (*c == '|') {
            len += (size_t)snprintf(names + len, sizeof names - len,
                                    strchr(c + 1, '|') ? ", " : " and ");
        } else {
            names[len++] = *c;
            names[len] = '\0';
        }
    }
    fold(out, names, 0, 0);
}

static void print_usage(FILE *out, const cli_command *command)
{
    char usage[256];

    (void)fputs("usage: ", out);
    (void)snprintf(usage, sizeof usage, "kanon %s %s", command->name, command->arguments);
    fold(out, usage, 7, 7);
    if (command->words && strncmp(command->arguments, "NAME", 4) == 0) {
        print_names(out, command->words);
    }
    (void)fputc('\n', out);
}

/* The first clause of an option's help. */
static void shorten(char *out, size_t size, const char *help)
{
    const char *end = strstr(help, "; "), *colon = strstr(help, ": ");

    /* What stands before a colon early on says only where the option belongs. */
    if (colon && colon - help > CONTEXT && (!end || colon < end)) {
        end = colon;
    }
    (void)snprintf(out, size, "%.*s", end ? (int)(end - help) : (int)strlen(help), help);
}

static bool is_common(const cli_command *command, const char *name, size_t number)
{
    const size_t len = strlen(name);

    if (!command->common) {
        return number < command->options_count;
    }
    for (const char *c = command->common; *c; c += strcspn(c, "|"), c += *c == '|') {
        if (strcspn(c, "|") == len && memcmp(c, name, len) == 0) {
            return true;
        }
    }
    return false;
}

void cli_print_short_help(FILE *out, const cli_command *command)
{
    const char *heading;
    char words[256];
    cli_option option;

    print_usage(out, command);
    (void)snprintf(words, sizeof words, "%c%s.", command->summary[0] - 'a' + 'A',
                   command->summary + 1);
    fold(out, words, 0, 0);
    print_heading(out, "Common options");
    for (size_t i = 0; cli_option_at(command, i, &option, &heading); i++) {
        if (is_common(command, option.name, i)) {
            shorten(words, sizeof words, option.help);
            option.help = words;
            option.choices = NULL;
            print_option(out, &option);
        }
    }
    (void)fputs("\nFor example:\n", out);
    print_line(out, command->examples[0].line);
    (void)fprintf(out, "\nkanon %s --help explains the command and shows all options.\n",
                  command->name);
}

void cli_print_help(FILE *out, const cli_command *command)
{
    const char *heading, *last = "";
    cli_option option;

    print_usage(out, command);
    fold(out, command->about, 0, 0);
    for (size_t i = 0; cli_option_at(command, i, &option, &heading); i++) {
        if (strcmp(heading, last) != 0) {
            print_heading(out, heading);
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
    (void)fputs("\n  kanon COMMAND -h       its common options\n"
                "  kanon COMMAND --help   all of them, with examples\n"
                "  kanon --version        the version and the features built in\n\n"
                "A first try:\n"
                "  kanon sample people --records 1000 -o people.csv --hierarchies hierarchies \\\n"
                "      --schema people.schema.json\n"
                "  kanon anonymize people.csv --schema people.schema.json --k 5 -o public.csv\n",
                out);
}
