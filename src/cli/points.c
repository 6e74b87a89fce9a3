/* points.c - the verdict in its three states, for commands that judge: check and mine. */
#include "cli/cli.h"
#include "cli/json.h"

#include <string.h>

enum { MOST_POINTS = 20 }; /* that are listed; a file may have a million columns */

const char *cli_state(const kn_points *points)
{
    switch (kn_points_state(points)) {
    case KN_STATE_HOLDS: return "holds";
    case KN_STATE_POINTS: return "holds, with points to settle";
    case KN_STATE_FAILS: return "does not hold";
    }
    return "";
}

int cli_verdict_code(const kn_points *points, const kn_point_options *decisions)
{
    const kn_state state = kn_points_state(points);

    return state == KN_STATE_FAILS || (state == KN_STATE_POINTS && decisions->strict);
}

void cli_print_verdict(FILE *out, const kn_points *points)
{
    cli_print_headline(out, kn_points_summary(points), cli_colour_of(points));
    (void)fputs(".\n", out);
    for (size_t i = 0; i < kn_points_count(points) && i < MOST_POINTS; i++) {
        const kn_point *p = kn_points_get(points, i);
        (void)fputs(p->decided ? "decided:   " : "to settle: ", out);
        cli_print_plain(out, p->words, SIZE_MAX);
        (void)fputs("\n           ", out);
        if (p->decided) {
            (void)fputs("Accepted as ", out);
            cli_print_plain(out, p->name, SIZE_MAX);
            (void)fputs(".\n", out);
        } else {
            cli_print_plain(out, p->remedy, SIZE_MAX);
            (void)fputs(" Or accept it: --accept-point ", out);
            cli_print_name(out, p->name);
            (void)fputc('\n', out);
        }
    }
    if (kn_points_count(points) > MOST_POINTS) {
        const size_t more = kn_points_count(points) - MOST_POINTS;
        (void)fprintf(out, "           ... and %zu more point%s; --json lists them all\n", more,
                      more == 1 ? "" : "s");
    }
    (void)fputc('\n', out);
}

json_t *cli_json_points(const kn_points *points)
{
    json_t *list = json_array();

    for (size_t i = 0; i < kn_points_count(points); i++) {
        const kn_point *p = kn_points_get(points, i);
        (void)json_array_append_new(
            list,
            json_pack("{s:s, s:s, s:s?, s:b, s:I, s:o, s:o, s:s, s:s}", "name", p->name, "check",
                      p->check, "column", p->column, "decided", p->decided, "records",
                      (json_int_t)p->records, "value", cli_json_number(p->value), "limit",
                      cli_json_number(p->limit), "words", p->words, "remedy", p->remedy));
    }
    return list;
}
