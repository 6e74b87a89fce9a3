/* cmd_help.c - kanon help: words about commands, and the files that are made of them. */
#include "cli/cli.h"

#include <string.h>

static const cli_option options[] = {
    {.name = "man", .help = "print the manual page of a command, or of kanon, in roff"},
    {.name = "completion",
     .argument = "SHELL",
     .choices = "bash|zsh",
     .help = "print the completions for a shell"},
};

static const cli_example examples[] = {
    {"Help on one command.", "kanon help anonymize"},
    {"Completions for this shell.", "source <(kanon help --completion bash)"},
};

static int run(cli_call *call)
{
    const char *shell = cli_value(call, "completion");
    const cli_command *command = NULL;

    if (call->arguments_count) {
        command = cli_find(call->arguments[0]);
        if (!command) {
            return cli_usage("there is no command '%.60s'; see kanon --help", call->arguments[0]);
        }
    }
    if (shell) {
        (strcmp(shell, "bash") == 0 ? cli_print_bash : cli_print_zsh)(stdout);
    } else if (cli_flag(call, "man")) {
        cli_print_man(stdout, command);
    } else if (command) {
        cli_print_help(stdout, command);
    } else {
        cli_print_overview(stdout);
    }
    return 0;
}

const cli_command cmd_help = {
    .name = "help",
    .arguments = "[COMMAND] [--man] [--completion bash|zsh]",
    .summary = "help on a command, manual pages, completions",
    .about = "Prints what kanon --help or kanon COMMAND --help print, or the manual page or the "
             "completions that are made from the same tables.",
    CLI_OPTIONS(options),
    CLI_EXAMPLES(examples),
    .least = 0,
    .most = 1,
    .run = run,
};
