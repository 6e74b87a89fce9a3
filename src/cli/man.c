/* man.c - manual pages in roff, from the tables. */
#include "cli/cli.h"

#include <string.h>

/* Text with roff's own characters made plain. A dot or quote at the start of a line would be a
 * request. */
static void text(FILE *out, const char *s)
{
    bool start = true;

    for (; *s; s++) {
        if (start && (*s == '.' || *s == '\'')) {
            (void)fputs("\\&", out);
        }
        start = false;
        switch (*s) {
        case '\\': (void)fputs("\\e", out); break;
        case '-': (void)fputs("\\-", out); break;
        case '\'': (void)fputs("\\(aq", out); break;
        case '^': (void)fputs("\\(ha", out); break;
        case '~': (void)fputs("\\(ti", out); break;
        case '\n':
            (void)fputs("\n.PP\n", out);
            start = true;
            break;
        default: (void)fputc(*s, out);
        }
    }
}

static void line(FILE *out, const char *s)
{
    text(out, s);
    (void)fputc('\n', out);
}

static void upper(FILE *out, const char *s)
{
    for (; *s; s++) {
        (void)fputc(*s >= 'a' && *s <= 'z' ? *s - 'a' + 'A' : *s, out);
    }
}

static void heading(FILE *out, const char *s)
{
    (void)fputs(".SH ", out);
    upper(out, s);
    (void)fputc('\n', out);
}

static void option(FILE *out, const cli_option *o)
{
    (void)fputs(".TP\n", out);
    if (o->letter) {
        (void)fprintf(out, "\\fB\\-%c\\fR, ", o->letter);
    }
    (void)fputs("\\fB\\-\\-", out);
    text(out, o->name);
    (void)fputs("\\fR", out);
    if (o->argument) {
        (void)fputs(" \\fI", out);
        text(out, o->argument);
        (void)fputs("\\fR", out);
    }
    (void)fputc('\n', out);
    line(out, o->help);
    if (o->choices) {
        (void)fputs(".br\nOne of ", out);
        for (const char *c = o->choices; *c;) {
            char word[64];
            const size_t len = strcspn(c, "|");
            (void)snprintf(word, sizeof word, "%.*s", (int)len, c);
            text(out, word);
            c += len;
            (void)fputs(*c ? ", " : ".\n", out);
            c += *c == '|';
        }
    }
}

static void command_page(FILE *out, const cli_command *command)
{
    const char *title, *last = "";
    cli_option o;

    (void)fputs(".TH KANON\\-", out);
    upper(out, command->name);
    (void)fprintf(out, " 1 \"\" \"kanon %s\" \"kanon manual\"\n", kn_version());
    heading(out, "name");
    (void)fprintf(out, "kanon\\-%s \\- ", command->name);
    line(out, command->summary);
    heading(out, "synopsis");
    (void)fprintf(out, "\\fBkanon %s\\fR ", command->name);
    line(out, command->arguments);
    heading(out, "description");
    line(out, command->about);
    heading(out, "options");
    for (size_t i = 0; cli_option_at(command, i, &o, &title); i++) {
        if (strcmp(title, last) != 0) {
            (void)fprintf(out, ".SS %s\n", title);
            last = title;
        }
        option(out, &o);
    }
    heading(out, "examples");
    for (size_t i = 0; i < command->examples_count; i++) {
        (void)fputs(i ? ".PP\n" : "", out);
        line(out, command->examples[i].words);
        (void)fputs(".PP\n.RS 4\n.nf\n", out);
        line(out, command->examples[i].line);
        (void)fputs(".fi\n.RE\n", out);
    }
    heading(out, "see also");
    (void)fputs("\\fBkanon\\fR(1)\n", out);
}

static void exit_codes(FILE *out)
{
    static const char *const rows[][2] = {
        {"0", "done, or it holds"},
        {"1", "it does not hold, or a release failed its check and was withheld"},
        {"2", "wrong usage"},
        {"3", "bad input"},
        {"4", "infeasible: the guarantee cannot be met within the limits given"},
        {"5", "system: disk full, out of memory, no permission"},
        {"130", "interrupted"},
    };

    heading(out, "exit status");
    for (size_t i = 0; i < CLI_COUNT(rows); i++) {
        (void)fprintf(out, ".TP\n%s\n", rows[i][0]);
        line(out, rows[i][1]);
    }
}

void cli_print_man(FILE *out, const cli_command *command)
{
    size_t count;
    const cli_command *const *commands = cli_commands(&count);

    if (command) {
        command_page(out, command);
        return;
    }
    (void)fprintf(out, ".TH KANON 1 \"\" \"kanon %s\" \"kanon manual\"\n", kn_version());
    heading(out, "name");
    line(out, "kanon - publish data about people without giving anyone away");
    heading(out, "synopsis");
    (void)fputs("\\fBkanon\\fR \\fICOMMAND\\fR [arguments] [options]\n", out);
    heading(out, "description");
    line(out,
         "kanon makes tables about people satisfy a stated guarantee, such as k-anonymity, with "
         "as little loss as it can, proves that they do, and shows what was lost.\n"
         "Data go to standard output, words to standard error. The file - is standard input or "
         "output. Options are --option value or --option=value; -- ends them.");
    heading(out, "commands");
    for (size_t i = 0; i < count; i++) {
        (void)fprintf(out, ".TP\n\\fBkanon\\-%s\\fR(1)\n", commands[i]->name);
        line(out, commands[i]->summary);
    }
    exit_codes(out);
    heading(out, "signals");
    line(out, "The first interrupt stops the work and removes what was begun; a second one ends it "
              "at once.");
}
