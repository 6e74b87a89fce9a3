/* certificates.c - what is known of the itemsets of each size, for kanon check. */
#include "cli/cli.h"
#include "cli/json.h"

static const char *answer(const kn_certificate *c)
{
    if (c->holds) {
        return "holds: ";
    }
    return c->kind == KN_CERTIFIED_UNKNOWN ? "open:  " : "FAILS: ";
}

void cli_print_certificates(FILE *out, const kn_verdict *verdict, size_t guarantee)
{
    for (size_t i = 0; i < kn_verdict_certificates(verdict); i++) {
        const kn_certificate *c = kn_verdict_certificate(verdict, i);
        char *words = NULL;
        if (c->guarantee == guarantee && kn_certificate_text(&words, c, NULL) == KN_OK) {
            (void)fprintf(out, "  %s %s\n", answer(c), words);
        }
        kn_string_free(words);
    }
}

json_t *cli_json_certificates(const kn_verdict *verdict, size_t guarantee)
{
    json_t *list = json_array();

    for (size_t i = 0; i < kn_verdict_certificates(verdict); i++) {
        const kn_certificate *c = kn_verdict_certificate(verdict, i);
        char *words = NULL;
        if (c->guarantee != guarantee || kn_certificate_text(&words, c, NULL) != KN_OK) {
            continue;
        }
        (void)json_array_append_new(
            list, json_pack("{s:I, s:s, s:s, s:b, s:I, s:o, s:o, s:o, s:I, s:I, s:I, s:I, s:s}",
                            "size", (json_int_t)c->size, "kind", kn_certificate_kind_name(c->kind),
                            "attacker", kn_attacker_name(c->attacker), "holds", c->holds, "k",
                            (json_int_t)c->k, "sigma", cli_json_number(c->sigma), "eps",
                            cli_json_number(c->eps), "delta", cli_json_number(c->delta), "samples",
                            (json_int_t)c->samples, "failures", (json_int_t)c->failures, "attempt",
                            (json_int_t)c->attempt, "seed", (json_int_t)c->seed, "words", words));
        kn_string_free(words);
    }
    return list;
}
