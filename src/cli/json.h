/* cli/json.h - JSON for programs that read what the command prints. */
#ifndef KN_CLI_JSON_H
#define KN_CLI_JSON_H

#include "kanon.h"

#include <jansson.h>

/* `value` as a number; null when it is not finite. */
json_t *cli_json_number(double value);
/* The points, those to settle first. */
json_t *cli_json_points(const kn_points *points);
/** `root` as text, which is freed; NULL when memory is out. Free the text with free. */
char *cli_json_text(json_t *root);
/** The same with a newline at its end. */
char *cli_json_line(json_t *root);
/* Print `root` to standard output and release it. 0, or the exit code when memory is out (also when
 * `root` is NULL). */
int cli_json_print(json_t *root);

/* certificates.c: the certificates of guarantee number `guarantee`. */
json_t *cli_json_certificates(const kn_verdict *verdict, size_t guarantee);

#endif
