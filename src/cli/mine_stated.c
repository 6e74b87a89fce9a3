/* mine_stated.c - kanon mine --check RULES: the verdict on rules by what they state, without the
 * data. */
#include "cli/cli.h"
#include "cli/json.h"

#include <inttypes.h>
#include <stdlib.h>

enum { UNKNOWN = 4 }; /* exit code: neither shown to hold nor to be broken */

static const char *const words[] = {
    [KN_STATED_HOLDS] = "holds",
    [KN_STATED_BROKEN] = "DOES NOT HOLD",
    [KN_STATED_UNKNOWN] = ("CANNOT BE TOLD: the supports and confidences do not say how large all "
                           "spans are; give the data behind the rules"),
};

static void print_span(const kn_stated_span *s)
{
    (void)fputs("    ", stdout);
    cli_print_plain(stdout, s->words, SIZE_MAX);
    if (s->least == s->most) {
        (void)printf(": %" PRIu64 " record%s", s->most, s->most == 1 ? "" : "s");
    } else {
        (void)printf(": %" PRIu64 " to %" PRIu64 " records", s->least, s->most);
    }
    (void)puts(s->tells ? ", of whom private items are told" : "");
}

static bool tells_of_any(const kn_stated_verdict *v)
{
    bool tells = false;

    for (size_t i = 0; i < kn_stated_verdict_spans(v) && !tells; i++) {
        tells = kn_stated_verdict_span(v, i)->tells;
    }
    return tells;
}

static void print_text(const kn_stated_verdict *v, uint64_t k)
{
    const uint64_t holds = kn_stated_verdict_k(v);

    if (holds == UINT64_MAX) {
        (void)puts("nothing is revealed about private items: it is k-anonymous for every k");
        (void)puts(tells_of_any(v) ? "no record holds the public items of a rule with private ones"
                                   : "no rule names a private item; which are private is said with "
                                     "--sensitive-items");
    } else {
        (void)printf("k-anonymity: %" PRIu64 " asked, %" PRIu64 " surely holds\n", k, holds);
    }
    for (size_t i = 0; i < kn_stated_verdict_spans(v); i++) {
        print_span(kn_stated_verdict_span(v, i));
    }
    (void)puts(words[kn_stated_verdict_answer(v)]);
}

static int print_json(const kn_stated_verdict *v, uint64_t k)
{
    static const char *const answers[] = {"holds", "broken", "unknown"};
    json_t *spans = json_array();
    json_t *root = json_pack("{s:I, s:s, s:o}", "k", (json_int_t)k, "answer",
                             answers[kn_stated_verdict_answer(v)], "spans", spans);

    if (root && kn_stated_verdict_k(v) != UINT64_MAX) {
        (void)json_object_set_new(root, "holds", json_integer((json_int_t)kn_stated_verdict_k(v)));
    }
    for (size_t i = 0; root && i < kn_stated_verdict_spans(v); i++) {
        const kn_stated_span *s = kn_stated_verdict_span(v, i);
        (void)json_array_append_new(spans, json_pack("{s:s, s:I, s:I, s:b}", "span", s->words,
                                                     "least", (json_int_t)s->least, "most",
                                                     (json_int_t)s->most, "tells", s->tells));
    }
    return cli_json_print(root);
}

static int refuse(const cli_call *call)
{
    static const char *const others[] = {"l", "inference", "report", "diversity"};

    for (size_t i = 0; i < CLI_COUNT(others); i++) {
        if (cli_value(call, others[i])) {
            return cli_usage("--%s needs the data: name it behind the rules", others[i]);
        }
    }
    if (kn_job_get(call->job, "sensitive-prefix", 0) ||
        kn_job_get(call->job, "sensitive-node", 0)) {
        return cli_usage("without the data, private items are named one by one: --sensitive-items");
    }
    return 0;
}

int cli_check_stated(cli_call *call, uint64_t k)
{
    const char **items = NULL;
    size_t count = 0, records = 0;
    kn_model *model = NULL;
    kn_stated_verdict *v = NULL;
    kn_error err = {0};
    kn_status st;
    int code = refuse(call);

    code = code ? code : cli_count(call, "records", 1, &records);
    if (code) {
        return code;
    }
    while (kn_job_get(call->job, "sensitive-items", count)) {
        count++;
    }
    items = malloc((count + 1) * sizeof *items);
    if (!items) {
        err.status = KN_ENOMEM;
        (void)snprintf(err.message, sizeof err.message, "out of memory");
        return cli_fail(&err);
    }
    for (size_t i = 0; i < count; i++) {
        items[i] = kn_job_get(call->job, "sensitive-items", i);
    }
    st = kn_model_read(&model, call->arguments[0], &err);
    if (st == KN_OK && k == 0) {
        k = kn_model_promised(model).k;
        code = k ? 0 : cli_usage("the rules do not say what they keep: give --k");
    }
    if (st == KN_OK && code == 0) {
        st = kn_model_check_stated(&v, model, records, items, count, k, &err);
    }
    if (st != KN_OK) {
        code = cli_fail(&err);
    } else if (code == 0) {
        const kn_stated_answer answer = kn_stated_verdict_answer(v);
        if (call->json) {
            code = print_json(v, k);
        } else if (!call->quiet) {
            print_text(v, k);
        }
        if (code == 0 && answer != KN_STATED_HOLDS) {
            code = answer == KN_STATED_BROKEN ? 1 : UNKNOWN;
        }
    }
    kn_stated_verdict_free(v);
    kn_model_free(model);
    free((void *)items);
    return code;
}
