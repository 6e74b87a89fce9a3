/* options.c - the words of the command line. Options are described in tables: the common ones here,
 * the commands' own in their files, those of jobs in the library. Help, man pages, completions and
 * this parser read the same tables. */
#include "cli/cli.h"

#include <dirent.h>
#include <stdlib.h>
#include <string.h>

const cli_option cli_common[] = {
    {.name = "progress",
     .argument = "WHEN",
     .choices = "auto|always|never",
     .help = "show progress on standard error; auto: on a terminal, after a second"},
    {.name = "quiet", .letter = 'q', .help = "say nothing but errors"},
    {.name = "no-clobber", .help = "refuse to write over a file that is there already"},
    {.name = "help", .help = "show all options, with examples; -h shows the common ones"},
};
const size_t cli_common_count = CLI_COUNT(cli_common);

static const struct {
    unsigned group;
    const char *heading;
} headings[] = {
    {KN_GROUP_COLUMNS, "Columns"},
    {KN_GROUP_ACCEPT, "Columns"},
    {KN_GROUP_LAYOUT, "How the file is laid out"},
    {KN_GROUP_HIERARCHIES, "Hierarchies"},
    {KN_GROUP_GUARANTEE, "What must hold"},
    {KN_GROUP_METHOD, "How to reach it"},
    {KN_GROUP_POINTS, "Points to settle"},
    {KN_GROUP_REPORT, "Reports"},
    {KN_GROUP_HEADING, "What reports say of themselves"},
    {KN_GROUP_SEED, "Chance"},
    {KN_GROUP_RUN, "Machine"},
};

/* Parameter number `*i` of the models of the catalogue, each name once; counts `*i` down by those
 * there are if it is beyond. */
static bool model_option(size_t *i, cli_option *out)
{
    static const char *const arguments[] = {
        [KN_PARAM_COUNT] = "N",   [KN_PARAM_NUMBER] = "NUMBER", [KN_PARAM_CHOICE] = "NAME",
        [KN_PARAM_FLAG] = NULL,   [KN_PARAM_COLUMN] = "COLUMN", [KN_PARAM_TEXT] = "TEXT",
        [KN_PARAM_LIST] = "TEXTS"};
    size_t count;
    const kn_entry *const *entries = kn_catalog(KN_ENTRY_MODEL, &count);

    for (size_t e = 0; e < count; e++) {
        for (size_t p = 0; p < entries[e]->params_count; p++) {
            const kn_param *param = &entries[e]->params[p];
            bool seen = false;
            for (size_t before = 0; before < e && !seen; before++) {
                for (size_t q = 0; q < entries[before]->params_count; q++) {
                    seen = seen || strcmp(entries[before]->params[q].name, param->name) == 0;
                }
            }
            if (!seen && (*i)-- == 0) {
                *out = (cli_option){.name = param->name,
                                    .argument = arguments[param->kind],
                                    .choices = param->choices,
                                    .help = param->help};
                return true;
            }
        }
    }
    return false;
}

bool cli_option_at(const cli_command *command, size_t i, cli_option *out, const char **heading)
{
    const size_t job_options = kn_job_options();

    if (i < command->options_count) {
        *heading = "Options";
        *out = command->options[i];
        return true;
    }
    i -= command->options_count;
    if (command->models && model_option(&i, out)) {
        *heading = "What is mined";
        return true;
    }
    for (size_t g = 0; g < CLI_COUNT(headings); g++) {
        for (size_t j = 0; j < job_options && (command->groups & headings[g].group); j++) {
            kn_option option;
            kn_job_option(&option, j);
            if ((unsigned)option.group == headings[g].group && i-- == 0) {
                *heading = headings[g].heading;
                *out = (cli_option){.name = option.name,
                                    .argument = option.argument,
                                    .choices = option.choices,
                                    .help = option.help};
                return true;
            }
        }
    }
    *heading = "Everywhere";
    if (i < cli_common_count) {
        *out = cli_common[i];
        return true;
    }
    return false;
}

static bool is_called(const cli_option *option, const char *name, size_t len, char letter)
{
    return name ? strlen(option->name) == len && memcmp(option->name, name, len) == 0
                : option->letter == letter;
}

/* As with cli_option_at for all numbers, but in one walk over the tables. */
static bool find_option(const cli_command *command, const char *name, size_t len, char letter,
                        cli_option *out)
{
    const size_t job_options = kn_job_options();

    for (size_t i = 0; i < command->options_count; i++) {
        *out = command->options[i];
        if (is_called(out, name, len, letter)) {
            return true;
        }
    }
    for (size_t i = 0, at = 0; command->models && model_option(&at, out); at = ++i) {
        if (is_called(out, name, len, letter)) {
            return true;
        }
    }
    for (size_t i = 0; i < job_options; i++) {
        kn_option option;
        kn_job_option(&option, i);
        *out = (cli_option){.name = option.name,
                            .argument = option.argument,
                            .choices = option.choices,
                            .help = option.help};
        if ((command->groups & (unsigned)option.group) && is_called(out, name, len, letter)) {
            return true;
        }
    }
    for (size_t i = 0; i < cli_common_count; i++) {
        *out = cli_common[i];
        if (is_called(out, name, len, letter)) {
            return true;
        }
    }
    return false;
}

static int unknown_option(const cli_command *command, const char *name, size_t len)
{
    const char *names[CLI_MOST_VALUES * 2], *heading, *near, *meant;
    cli_option option;
    size_t count = 0;
    char word[64];

    for (size_t i = 0; count < CLI_COUNT(names) && cli_option_at(command, i, &option, &heading);
         i++) {
        names[count++] = option.name;
    }
    (void)snprintf(word, sizeof word, "%.*s", (int)(len < 60 ? len : 60), name);
    near = kn_nearest(word, names, count);
    if (cli_synonym(word, &meant)) {
        if (!meant) {
            return cli_usage("there is no option --%s: the file is given without one: kanon %s %s",
                             word, command->name, command->arguments);
        }
        near = find_option(command, meant, strlen(meant), '\0', &option) ? meant : near;
    }
    if (near) {
        return cli_usage("there is no option --%s; did you mean --%s?", word, near);
    }
    return cli_usage("there is no option --%s; see kanon %s --help", word, command->name);
}

static bool is_own(const cli_command *command, const char *name)
{
    cli_option option;

    for (size_t i = 0; i < command->options_count; i++) {
        if (strcmp(command->options[i].name, name) == 0) {
            return true;
        }
    }
    for (size_t i = 0; i < cli_common_count; i++) {
        if (strcmp(cli_common[i].name, name) == 0) {
            return true;
        }
    }
    for (size_t i = 0, at = 0; command->models && model_option(&at, &option); at = ++i) {
        if (strcmp(option.name, name) == 0) {
            return true;
        }
    }
    return false;
}

static bool allowed(const char *choices, const char *value)
{
    const size_t len = strlen(value);

    for (const char *c = choices; *c; c += strcspn(c, "|"), c += *c == '|') {
        if (strcspn(c, "|") == len && memcmp(c, value, len) == 0) {
            return true;
        }
    }
    return false;
}

/* Keep what was typed: job options are set later, over a job file that may be among them. */
static int keep(cli_call *call, const cli_option *option, const char *value)
{
    kn_option job_option;
    const bool repeats = is_own(call->command, option->name)
                             ? option->repeats
                             : kn_job_option_find(&job_option, option->name) &&
                                   kn_option_repeats(&job_option);

    for (size_t i = 0; i < call->values_count && !repeats; i++) {
        if (strcmp(call->values[i].name, option->name) == 0 && option->argument) {
            return cli_usage("--%s is given twice", option->name);
        }
    }
    if (is_own(call->command, option->name) && option->choices &&
        !allowed(option->choices, value)) {
        return cli_usage("--%s: there is no '%.100s'; choose one of %s", option->name, value,
                         option->choices);
    }
    if (call->values_count == CLI_MOST_VALUES) {
        return cli_usage("more than %d options; use a schema or a job file", CLI_MOST_VALUES);
    }
    call->values[call->values_count].name = option->name;
    call->values[call->values_count++].value = value;
    return 0;
}

/* `word` begins with one dash, and its letter is no option, or one without a value. */
static int wrong_letter(const cli_command *command, const char *word, bool known)
{
    const size_t len = strcspn(word + 1, "=");
    cli_option option;

    if (find_option(command, word + 1, len, '\0', &option)) {
        return cli_usage("there is no option %.60s; did you mean --%s?", word, option.name);
    }
    return known ? cli_usage("-%c takes no value; give options one by one", word[1])
                 : cli_usage("there is no option -%c; see kanon %s --help", word[1], command->name);
}

/* Whether `word` is an option of the command, where a value is expected. */
static bool is_option(const cli_command *command, const char *word)
{
    cli_option option;

    return word[0] == '-' && word[1] == '-' &&
           find_option(command, word + 2, strcspn(word + 2, "="), '\0', &option);
}

/* One option at argv[*i]; moves `*i` over its value. */
static int take_option(cli_call *call, int argc, char **argv, int *i)
{
    const char *word = argv[*i], *value = NULL;
    cli_option option;

    if (word[1] == '-') {
        const char *equals = strchr(word, '=');
        const size_t len = equals ? (size_t)(equals - word - 2) : strlen(word + 2);
        if (!find_option(call->command, word + 2, len, '\0', &option)) {
            return unknown_option(call->command, word + 2, len);
        }
        value = equals ? equals + 1 : NULL;
    } else {
        if (strcmp(word, "-h") == 0) {
            call->short_help = true;
            return 0;
        }
        const bool known = find_option(call->command, NULL, 0, word[1], &option);
        value = word[2] ? word + 2 : NULL;
        if (!known || (value && !option.argument)) {
            return wrong_letter(call->command, word, known);
        }
    }
    if (!option.argument && value) {
        return cli_usage("--%s takes no value", option.name);
    }
    if (option.argument && !value) {
        if (*i + 1 >= argc) {
            return cli_usage("--%s needs a value: %s", option.name, option.argument);
        }
        if (is_option(call->command, argv[*i + 1])) {
            return cli_usage("--%s needs a value, %s, and %.60s is an option; where it is the "
                             "value, write --%s=%.60s",
                             option.name, option.argument, argv[*i + 1], option.name, argv[*i + 1]);
        }
        value = argv[++*i];
    }
    return keep(call, &option, value ? value : "true");
}

static int take_words(cli_call *call, int argc, char **argv)
{
    bool options = true;

    for (int i = 0; i < argc; i++) {
        if (options && strcmp(argv[i], "--") == 0) {
            options = false;
        } else if (options && argv[i][0] == '-' && argv[i][1]) {
            const int code = take_option(call, argc, argv, &i);
            if (code) {
                return code;
            }
        } else if (call->arguments_count == CLI_MOST_ARGUMENTS) {
            return cli_usage("too many arguments, from '%.100s' on", argv[i]);
        } else {
            call->arguments[call->arguments_count++] = argv[i];
        }
    }
    return 0;
}

static int set_job(cli_call *call)
{
    const char *file = cli_value(call, "job");
    kn_error err = {0};
    kn_status st = file ? kn_job_read(&call->job, file, &err) : kn_job_new(&call->job, &err);

    for (size_t i = 0; i < call->values_count && st == KN_OK; i++) {
        if (!is_own(call->command, call->values[i].name)) {
            st = kn_job_set(call->job, call->values[i].name, call->values[i].value, &err);
        }
    }
    if (st == KN_OK) {
        st = kn_job_settings(&call->run, call->job, &err);
    }
    return st == KN_OK ? 0 : cli_fail(&err);
}

/* Whether `path` is a folder that holds nothing. */
static bool is_empty_folder(const char *path)
{
    DIR *folder = opendir(path);
    const struct dirent *entry;
    size_t entries = 0;

    while (folder && (entry = readdir(folder))) {
        entries += strcmp(entry->d_name, ".") != 0 && strcmp(entry->d_name, "..") != 0;
    }
    if (folder) {
        (void)closedir(folder);
    }
    return folder && entries == 0;
}

int cli_refuse_clobber(const cli_call *call, const char *path)
{
    bool exists;
    int code;

    if (!cli_flag(call, "no-clobber") || !path || strcmp(path, "-") == 0) {
        return 0;
    }
    code = cli_exists(&exists, path);
    if (code || !exists || is_empty_folder(path)) {
        return code;
    }
    return cli_usage("--no-clobber: '%.300s' is there already; give another name, or leave "
                     "--no-clobber out",
                     path);
}

/* None of the files that the command is about to write may be there. */
static int refuse_clobber(const cli_call *call)
{
    const size_t written = call->command->written;
    int code = 0;

    if (written && written <= call->arguments_count) {
        code = cli_refuse_clobber(call, call->arguments[written - 1]);
    }
    for (size_t i = 0; i < call->values_count && code == 0; i++) {
        if (call->command->writes && allowed(call->command->writes, call->values[i].name)) {
            code = cli_refuse_clobber(call, call->values[i].value);
        }
    }
    return code;
}

int cli_parse(cli_call *call, const cli_command *command, int argc, char **argv, cli_help *help)
{
    int code;

    *call = (cli_call){.command = command};
    code = take_words(call, argc, argv);
    *help = CLI_HELP_NONE;
    if (code) {
        return code;
    }
    if (cli_flag(call, "help")) {
        *help = CLI_HELP_FULL;
    } else if (call->short_help) {
        *help = CLI_HELP_SHORT;
    }
    if (*help) {
        return 0;
    }
    code = set_job(call);
    if (code) {
        return code;
    }
    if (call->arguments_count < command->least || call->arguments_count > command->most) {
        if (call->arguments_count > command->most) {
            return cli_usage("too many arguments, from '%.100s' on; lists are separated by commas "
                             "without spaces; usage: kanon %s %s",
                             call->arguments[command->most], command->name, command->arguments);
        }
        return cli_usage("too few arguments; usage: kanon %s %s", command->name,
                         command->arguments);
    }
    code = refuse_clobber(call);
    if (code) {
        return code;
    }
    call->quiet = cli_flag(call, "quiet");
    call->json = cli_flag(call, "json");
    cli_progress_start(&call->run, cli_value(call, "progress"), call->quiet);
    return 0;
}

void cli_call_clear(cli_call *call)
{
    kn_job_free(call->job);
    call->job = NULL;
}

const char *cli_value(const cli_call *call, const char *name)
{
    for (size_t i = 0; i < call->values_count; i++) {
        if (strcmp(call->values[i].name, name) == 0) {
            return call->values[i].value;
        }
    }
    return NULL;
}

size_t cli_values(const cli_call *call, const char *name, const char **out)
{
    size_t count = 0;

    for (size_t i = 0; i < call->values_count; i++) {
        if (strcmp(call->values[i].name, name) == 0) {
            out[count++] = call->values[i].value;
        }
    }
    return count;
}

bool cli_flag(const cli_call *call, const char *name)
{
    return cli_value(call, name) != NULL;
}

int cli_count(const cli_call *call, const char *name, size_t least, size_t *out)
{
    const char *text = cli_value(call, name);
    unsigned long long value;

    if (!text) {
        return 0;
    }
    if (!*text || strspn(text, "0123456789") != strlen(text) || strlen(text) > 15) {
        return cli_usage("--%s: '%.60s' is not a whole number", name, text);
    }
    value = strtoull(text, NULL, 10);
    if (value < least) {
        return cli_usage("--%s: %s is out of range: give %zu or more", name, text, least);
    }
    *out = (size_t)value;
    return 0;
}

const char *cli_number_at(const char *text, double *out)
{
    char *end;

    /* strtod also takes spaces, names and hexadecimal; the command runs in the C locale. */
    if (strspn(text, "+-.0123456789eE") != strcspn(text, ",")) {
        return NULL;
    }
    *out = strtod(text, &end);
    return end == text || (*end && *end != ',') ? NULL : end;
}

int cli_number(const cli_call *call, const char *name, double *out)
{
    const char *text = cli_value(call, name), *end;

    if (!text) {
        return 0;
    }
    end = cli_number_at(text, out);
    if (!end || *end) {
        return cli_usage("--%s: '%.60s' is not a number; decimals come after a point, as in 0.5",
                         name, text);
    }
    return 0;
}
