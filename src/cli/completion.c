/* completion.c - completions for bash and zsh, from the tables. */
#include "cli/cli.h"

#include <string.h>

static bool is_path(const char *argument)
{
    return argument && (strstr(argument, "FILE") || strstr(argument, "FOLDER"));
}

/* The choices of an option as words separated by `between`; those of the catalogue where the table
 * has none. */
static bool print_choices(FILE *out, const cli_option *o, const char *between)
{
    const bool guarantee = strcmp(o->name, "guarantee") == 0;
    bool any = false;

    if (guarantee || strcmp(o->name, "method") == 0) {
        size_t count;
        const kn_entry *const *entries = kn_catalog(
            guarantee ? KN_ENTRY_GUARANTEE : KN_ENTRY_METHOD, &count);
        for (size_t i = 0; i < count; i++) {
            (void)fprintf(out, "%s%s", i ? between : "", entries[i]->name);
        }
        return count > 0;
    }
    if (!o->choices || strchr(o->argument, '=')) {
        return false;
    }
    for (const char *c = o->choices; *c; c += strcspn(c, "|"), c += *c == '|') {
        (void)fprintf(out, "%s%.*s", any ? between : "", (int)strcspn(c, "|"), c);
        any = true;
    }
    return any;
}

static bool has_choices(const cli_option *o)
{
    return strcmp(o->name, "guarantee") == 0 || strcmp(o->name, "method") == 0 ||
           (o->choices && !strchr(o->argument, '='));
}

/* Whether the value names columns of the file on the line: "COLUMNS", "COLUMN", "COLUMN=TYPE". */
static bool is_column(const char *argument)
{
    return argument && strncmp(argument, "COLUMN", 6) == 0;
}

/* ---- bash ---- */

/* What completes a value that has no choices. */
static const char *bash_value(const char *argument)
{
    if (is_column(argument)) {
        return strchr(argument, '=') ? "_kanon_columns =; return" : "_kanon_columns; return";
    }
    return is_path(argument) ? "files=1" : "return";
}

static void bash_command(FILE *out, const cli_command *command)
{
    const char *heading;
    cli_option o;

    (void)fprintf(out, "        %s)\n            case \"$previous\" in\n", command->name);
    for (size_t i = 0; cli_option_at(command, i, &o, &heading); i++) {
        if (!o.argument) {
            continue;
        }
        (void)fprintf(out, "                --%s", o.name);
        if (o.letter) {
            (void)fprintf(out, " | -%c", o.letter);
        }
        if (has_choices(&o)) {
            (void)fputs(") words=\"", out);
            (void)print_choices(out, &o, " ");
            (void)fputs("\" ;;\n", out);
        } else {
            (void)fprintf(out, ") %s ;;\n", bash_value(o.argument));
        }
    }
    (void)fputs("                *)\n                    options=\"", out);
    for (size_t i = 0; cli_option_at(command, i, &o, &heading); i++) {
        (void)fprintf(out, "%s--%s", i ? " " : "", o.name);
    }
    (void)fputs("\"\n", out);
    if (command->words) {
        (void)fputs("                    if [[ $COMP_CWORD -eq 2 ]]; then words=\"", out);
        for (const char *c = command->words; *c; c++) {
            (void)fputc(*c == '|' ? ' ' : *c, out);
        }
        (void)fputs("\"; else files=1; fi\n", out);
    } else {
        (void)fputs("                    files=1\n", out);
    }
    (void)fputs("                    ;;\n            esac\n            ;;\n", out);
}

/* Sets `line` to the header of `file`, in bash and zsh: unpacked, without a byte order mark. */
#define FIRST_LINE                                                            \
    "    case $file in\n"                                                     \
    "        *.gz) line=$(gzip -dc \"$file\" 2>/dev/null | head -n 1) ;;\n"   \
    "        *.zst) line=$(zstd -dcq \"$file\" 2>/dev/null | head -n 1) ;;\n" \
    "        *) IFS= read -r line <\"$file\" 2>/dev/null ;;\n"                \
    "    esac\n"                                                              \
    "    line=${line#$'\\xef\\xbb\\xbf'}\n"                                   \
    "    line=${line%$'\\r'}\n"

void cli_print_bash(FILE *out)
{
    size_t count;
    const cli_command *const *commands = cli_commands(&count);

    (void)fputs(
        "# bash completion for kanon; made by: kanon help --completion bash\n"
        "# shellcheck shell=bash disable=SC2207\n"
        "# The names in the first line of the first file on the line, as a list separated by commas.\n"
        "_kanon_columns()\n{\n"
        "    local word file=\"\" line separator name list last=${current##*,}\n\n"
        "    for word in \"${COMP_WORDS[@]:2}\"; do\n"
        "        if [[ -f $word && -z $file ]]; then file=$word; fi\n"
        "    done\n"
        "    if [[ -z $file ]]; then return; fi\n" FIRST_LINE
        "    for separator in $'\\t' ';' '|' ','; do\n"
        "        if [[ $line == *\"$separator\"* ]]; then break; fi\n"
        "    done\n"
        "    IFS=$separator read -ra list <<<\"$line\"\n"
        "    compopt -o nospace 2>/dev/null\n"
        "    for name in \"${list[@]}\"; do\n"
        "        name=${name#\\\"} name=${name%\\\"}\n"
        "        if [[ $name == \"$last\"* ]]; then COMPREPLY+=(\"${current%\"$last\"}$(printf %q \"$name\")${1-}\"); fi\n"
        "    done\n}\n\n"
        "_kanon()\n{\n"
        "    local current=${COMP_WORDS[COMP_CWORD]} previous=${COMP_WORDS[COMP_CWORD - 1]}\n"
        "    local options=\"\" words=\"\" files=\"\"\n\n"
        "    COMPREPLY=()\n"
        "    if [[ $COMP_CWORD -eq 1 ]]; then\n"
        "        words=\"",
        out);
    for (size_t i = 0; i < count; i++) {
        (void)fprintf(out, "%s ", commands[i]->name);
    }
    (void)fputs("--help --version\"\n"
                "        COMPREPLY=($(compgen -W \"$words\" -- \"$current\"))\n"
                "        return\n    fi\n"
                "    case \"${COMP_WORDS[1]}\" in\n",
                out);
    for (size_t i = 0; i < count; i++) {
        bash_command(out, commands[i]);
    }
    (void)fputs("        *) return ;;\n    esac\n"
                "    if [[ $current == -* ]]; then\n"
                "        COMPREPLY=($(compgen -W \"$options\" -- \"$current\"))\n"
                "        return\n    fi\n"
                "    COMPREPLY=($(compgen -W \"$words\" -- \"$current\"))\n"
                "    if [[ -n $files ]]; then\n"
                "        compopt -o filenames 2>/dev/null\n"
                "        COMPREPLY+=($(compgen -f -- \"$current\"))\n"
                "    fi\n}\n"
                "complete -F _kanon kanon\n",
                out);
}

/* ---- zsh ---- */

/* Inside single quotes, within the brackets of a specification. */
static void zsh_text(FILE *out, const char *s)
{
    for (; *s; s++) {
        if (*s == '\'') {
            (void)fputs("'\\''", out);
        } else if (*s == '[' || *s == ']' || *s == ':' || *s == '\\') {
            (void)fprintf(out, "\\%c", *s);
        } else {
            (void)fputc(*s, out);
        }
    }
}

static const char *zsh_value(const char *argument)
{
    if (is_column(argument)) {
        return "_kanon_columns";
    }
    return is_path(argument) ? "_files" : " ";
}

static void zsh_option(FILE *out, const cli_option *o)
{
    (void)fprintf(out, "                '*--%s%s[", o->name, o->argument ? "=" : "");
    zsh_text(out, o->help);
    (void)fputc(']', out);
    if (o->argument) {
        (void)fputc(':', out);
        zsh_text(out, o->argument);
        (void)fputc(':', out);
        if (has_choices(o)) {
            (void)fputc('(', out);
            (void)print_choices(out, o, " ");
            (void)fputc(')', out);
        } else {
            (void)fputs(zsh_value(o->argument), out);
        }
    }
    (void)fputs("' \\\n", out);
    if (o->letter) {
        cli_option letter = *o;
        (void)fprintf(out, "                '-%c[", letter.letter);
        zsh_text(out, letter.help);
        if (letter.argument) {
            (void)fputs(is_path(letter.argument) ? "]:file:_files" : "]:value: ", out);
        } else {
            (void)fputc(']', out);
        }
        (void)fputs("' \\\n", out);
    }
}

void cli_print_zsh(FILE *out)
{
    size_t count;
    const cli_command *const *commands = cli_commands(&count);

    (void)fputs(
        "#compdef kanon\n"
        "# zsh completion for kanon; made by: kanon help --completion zsh\n"
        "# The names in the first line of the first file on the line, separated by commas.\n"
        "_kanon_columns()\n{\n"
        "    local word file line separator\n"
        "    local -a names\n"
        "    for word in $words[2,-1]; do\n"
        "        [[ -f $word && -z $file ]] && file=$word\n"
        "    done\n"
        "    [[ -z $file ]] && return 1\n" FIRST_LINE
        "    for separator in $'\\t' ';' '|' ','; do\n"
        "        [[ $line == *$separator* ]] && break\n"
        "    done\n"
        "    names=(\"${(@ps:$separator:)line}\")\n"
        "    names=(\"${(@)${(@)names#\\\"}%\\\"}\")\n"
        "    compset -P '*,'\n"
        "    compadd -S '' -- $names\n}\n\n"
        "_kanon()\n{\n"
        "    local -a commands\n"
        "    commands=(\n",
        out);
    for (size_t i = 0; i < count; i++) {
        (void)fprintf(out, "        '%s:", commands[i]->name);
        zsh_text(out, commands[i]->summary);
        (void)fputs("'\n", out);
    }
    (void)fputs("    )\n"
                "    if (( CURRENT == 2 )); then\n"
                "        _describe command commands\n"
                "        return\n    fi\n"
                "    local command=$words[2]\n"
                "    shift words\n"
                "    (( CURRENT-- ))\n"
                "    case $command in\n",
                out);
    for (size_t i = 0; i < count; i++) {
        const char *heading;
        cli_option o;
        (void)fprintf(out, "        %s)\n            _arguments -s \\\n", commands[i]->name);
        for (size_t j = 0; cli_option_at(commands[i], j, &o, &heading); j++) {
            zsh_option(out, &o);
        }
        if (commands[i]->words) {
            (void)fputs("                '1:what:(", out);
            for (const char *c = commands[i]->words; *c; c++) {
                (void)fputc(*c == '|' ? ' ' : *c, out);
            }
            (void)fputs(")' \\\n", out);
        }
        (void)fputs("                '*:file:_files'\n            ;;\n", out);
    }
    (void)fputs("    esac\n}\n_kanon \"$@\"\n", out);
}
