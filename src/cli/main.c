/* main.c - the kanon command: finds the subcommand, runs it, turns statuses into exit codes. */
#include "cli/cli.h"

#include <errno.h>
#include <fcntl.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static const cli_command *const commands[] = {
    &cmd_init, &cmd_profile, &cmd_hierarchy, &cmd_anonymize, &cmd_check, &cmd_measure,
    &cmd_mine, &cmd_apply,   &cmd_convert,   &cmd_sample,    &cmd_list,  &cmd_help,
};

const cli_command *const *cli_commands(size_t *count)
{
    *count = CLI_COUNT(commands);
    return commands;
}

const cli_command *cli_find(const char *name)
{
    for (size_t i = 0; i < CLI_COUNT(commands); i++) {
        if (strcmp(commands[i]->name, name) == 0) {
            return commands[i];
        }
    }
    return NULL;
}

static void print_error(const char *message)
{
    cli_progress_end();
    cli_colour_begin(stderr, CLI_RED);
    (void)fputs("kanon:", stderr);
    cli_colour_end(stderr);
    (void)fprintf(stderr, " %s\n", message);
}

int cli_fail(const kn_error *err)
{
    print_error(err->message[0] ? err->message : kn_status_name(err->status));
    return kn_status_exit_code(err->status);
}

int cli_usage(const char *format, ...)
{
    char message[2048];
    va_list args;

    va_start(args, format);
    (void)vsnprintf(message, sizeof message, format, args);
    va_end(args);
    print_error(message);
    return kn_status_exit_code(KN_EUSAGE);
}

static int unknown_command(const char *word)
{
    const char *names[CLI_COUNT(commands)], *near;

    for (size_t i = 0; i < CLI_COUNT(commands); i++) {
        names[i] = commands[i]->name;
    }
    if (word[0] == '-') {
        return cli_usage("there is no option %.60s before a command; see kanon --help", word);
    }
    near = kn_nearest(word, names, CLI_COUNT(names));
    if (near) {
        return cli_usage("there is no command '%.60s'; did you mean '%s'?", word, near);
    }
    return cli_usage("there is no command '%.60s'; see kanon --help", word);
}

static void print_features(const char *title, const char *const *features)
{
    (void)printf("%s:", title);
    for (size_t i = 0; features[i]; i++) {
        (void)printf(" %s", features[i]);
    }
    (void)puts(features[0] ? "" : " none");
}

static int print_version(void)
{
    (void)printf("kanon %s\n", kn_version());
    print_features("built in", kn_features());
    print_features("left out", kn_features_missing());
    return 0;
}

/* A standard stream that is closed would be taken by the first file opened: put something harmless
 * there. Standard output gets a descriptor that cannot be written, so that the loss of the output
 * is noticed. */
static void open_standard_streams(void)
{
    for (int fd = 0; fd <= 2; fd++) {
        if (fcntl(fd, F_GETFD) == -1 && open("/dev/null", fd == 2 ? O_WRONLY : O_RDONLY) == -1) {
            _exit(5);
        }
    }
}

static int close_output(int code)
{
    if (fflush(stdout) != 0 || ferror(stdout) || close(STDOUT_FILENO) != 0) {
        if (code != 5) {
            (void)fprintf(stderr, "kanon: cannot write to standard output: %s\n", strerror(errno));
        }
        return 5;
    }
    return code;
}

static int run_command(const cli_command *command, int argc, char **argv)
{
    static cli_call call;
    cli_help help = CLI_HELP_NONE;
    int code = cli_parse(&call, command, argc, argv, &help);

    if (help == CLI_HELP_SHORT) {
        cli_print_short_help(stdout, command);
    } else if (help == CLI_HELP_FULL) {
        cli_print_help(stdout, command);
    } else if (code == 0) {
        code = command->run(&call);
        cli_progress_end();
    }
    cli_call_clear(&call);
    return code;
}

int main(int argc, char **argv)
{
    const cli_command *command;
    int code;

    open_standard_streams();
    cli_heap_prepare();
    cli_heap_guard_json();
    cli_signals_catch();
    (void)kn_temporary_set_folder(getenv("TMPDIR"));
    kn_memory_set_limit(kn_memory_of_machine() / 10 * 9); /* refuse rather than be killed */
    if (argc < 2) {
        cli_print_overview(stderr);
        return 2;
    }
    if (strcmp(argv[1], "--version") == 0 || strcmp(argv[1], "-V") == 0) {
        code = print_version();
    } else if (strcmp(argv[1], "--help") == 0 || strcmp(argv[1], "-h") == 0) {
        cli_print_overview(stdout);
        code = 0;
    } else {
        command = cli_find(argv[1]);
        code = command ? run_command(command, argc - 2, argv + 2) : unknown_command(argv[1]);
    }
    return close_output(code);
}
