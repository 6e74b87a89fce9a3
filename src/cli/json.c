/* json.c - JSON for programs that read what the command prints. */
#include "cli/json.h"
#include "cli/cli.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

json_t *cli_json_number(double value)
{
    if (!isfinite(value)) {
        return json_null();
    }
    return fabs(value) < 1e15 && value == floor(value) ? json_integer((json_int_t)value)
                                                       : json_real(value);
}

char *cli_json_text(json_t *root)
{
    char *text = root ? json_dumps(root, JSON_INDENT(2) | JSON_REAL_PRECISION(12)) : NULL;

    json_decref(root);
    return text;
}

char *cli_json_line(json_t *root)
{
    char *text = cli_json_text(root), *line;
    size_t len;

    if (!text) {
        return NULL;
    }
    len = strlen(text);
    line = realloc(text, len + 2);
    if (!line) {
        free(text);
        return NULL;
    }
    line[len] = '\n';
    line[len + 1] = '\0';
    return line;
}

int cli_json_print(json_t *root)
{
    char *text = cli_json_text(root);

    if (!text) {
        return cli_fail(&(kn_error){.status = KN_ENOMEM});
    }
    (void)puts(text);
    free(text);
    return 0;
}
