/* mine_words.c - the verdict on a model in words. */
#include "cli/cli.h"

#include <inttypes.h>

typedef struct words {
    FILE *out;
    const kn_model *model;
    const kn_model_verdict *verdict;
    const kn_model_limits *limits;
    const kn_clusters_quality *quality;
} words;

/* How often trees that were grown without these records are right about them. */
static void say_accuracy(const words *m, const char *how, size_t right, size_t records)
{
    if (records) {
        (void)fprintf(m->out, "%s: right for %.2f %% of %zu records that were not learned from\n",
                      how, 100.0 * (double)right / (double)records, records);
    }
}

static void say_model(const words *m, const kn_model_shape *shape)
{
    switch (kn_model_kind_of(m->model)) {
    case KN_MODEL_TREE:
        (void)fputs("tree for '", m->out);
        cli_print_plain(m->out, shape->target, SIZE_MAX);
        (void)fprintf(m->out, "': %zu lea%s, depth %zu, %zu attribute%s\n", shape->leaves,
                      shape->leaves == 1 ? "f" : "ves", shape->depth, shape->attributes,
                      shape->attributes == 1 ? "" : "s");
        if (shape->unsplit) {
            (void)fprintf(m->out,
                          "growing stopped at its limit: %zu lea%s could still be split; private "
                          "attributes cost most\n",
                          shape->unsplit, shape->unsplit == 1 ? "f" : "ves");
        }
        say_accuracy(m, "cross-validation", shape->validated_right, shape->validated);
        say_accuracy(m, "hold-out", shape->held_out_right, shape->held_out);
        break;
    case KN_MODEL_CLUSTERS:
        (void)fprintf(m->out, "%zu cluster%s over %zu attribute%s\n", shape->clusters,
                      shape->clusters == 1 ? "" : "s", shape->attributes,
                      shape->attributes == 1 ? "" : "s");
        break;
    case KN_MODEL_RULES:
        (void)fprintf(m->out, "%zu rule%s\n", shape->rules, shape->rules == 1 ? "" : "s");
        break;
    }
}

/* Of clusters that were mined: of one, all are the same. */
static void say_quality(const words *m)
{
    const kn_clusters_quality *q = m->quality;

    if (q->whole > 0) {
        (void)fprintf(
            m->out,
            "distance within clusters: %.4f; of %zu without the guarantee %.4f, of all as "
            "one %.4f\n",
            q->within, q->asked, q->plain, q->whole);
    }
}

/* A figure that was found "holds", unless there is no verdict on the model. */
static const char *found_word(const words *m)
{
    return kn_model_verdict_holds(m->verdict) || kn_model_verdict_figures(m->verdict)->broken
               ? "holds"
               : "by these records";
}

static void say_k(const words *m, const kn_model_figures *f)
{
    if (f->k == UINT64_MAX) {
        (void)fputs("nothing is revealed about private values: it is k-anonymous for every k\n",
                    m->out);
        if (kn_model_kind_of(m->model) == KN_MODEL_RULES) {
            (void)fputs("no rule names a private item; which are private is said with "
                        "--sensitive-items\n",
                        m->out);
        }
    } else {
        (void)fprintf(m->out, "k-anonymity: %" PRIu64 " asked, %" PRIu64 " %s\n", m->limits->k,
                      f->k, found_word(m));
    }
}

static void say_domain(const words *m, const kn_model_figures *f)
{
    const bool data = f->domain == KN_DOMAIN_OF_DATA;

    if (f->domain == KN_DOMAIN_ONE) {
        return;
    }
    if (f->domain == KN_DOMAIN_WHOLE) {
        (void)fputs(
            "an attacker who knows that private numbers are whole finds this (another one: ",
            m->out);
    } else {
        (void)fprintf(m->out,
                      "the model names private values that the data lacks; the worse "
                      "verdict is shown, %s them (%s them: ",
                      data ? "without" : "with", data ? "with" : "without");
    }
    if (f->other_k == UINT64_MAX) {
        (void)fputs("nothing is revealed)\n", m->out);
    } else {
        (void)fprintf(m->out, "k = %" PRIu64 ")\n", f->other_k);
    }
}

static void say_figures(const words *m)
{
    const kn_model_figures *f = kn_model_verdict_figures(m->verdict);
    char number[32];

    if (kn_model_kind_of(m->model) == KN_MODEL_TREE && f->records) {
        (void)fprintf(m->out, "training: right for %" PRIu64 " of %" PRIu64 " records (%.2f %%)\n",
                      f->right, f->records, 100.0 * (double)f->right / (double)f->records);
    }
    if (f->unlike) {
        (void)fprintf(m->out,
                      "%" PRIu64 " stated figure%s not those of these records: a model is judged "
                      "against the data that it was made from%s\n",
                      f->unlike, f->unlike == 1 ? " is" : "s are",
                      m->limits->ignore_counts ? "; ignored (--ignore-counts)" : "");
    }
    if (f->unjudged) {
        (void)fprintf(m->out,
                      "NOT JUDGED: %" PRIu64 " Extension element%s or other content of the file "
                      "(--ignore-extensions): whatever stands there is published, too\n",
                      f->unjudged, f->unjudged == 1 ? "" : "s");
    }
    if (f->told) {
        (void)fprintf(m->out,
                      "beside the rules, lifts or other measures tell how many hold %" PRIu64
                      " set%s of private items: judged as if published\n",
                      f->told, f->told == 1 ? "" : "s");
    }
    say_k(m, f);
    say_domain(m, f);
    (void)fprintf(m->out,
                  "spans: %" PRIu64 ", of which %" PRIu64
                  " reveal%s something about private values\n",
                  f->spans, f->telling, f->telling == 1 ? "s" : "");
    if (f->telling) {
        (void)fprintf(m->out, "inference: at most %.1f %% certain", 100 * f->inference);
        if (m->limits->inference > 0) {
            (void)fprintf(m->out, " (%.1f %% allowed)", 100 * m->limits->inference);
        }
        (void)fprintf(m->out, "; %" PRIu64 " record%s known for certain (%.1f %%)\n", f->exposed,
                      f->exposed == 1 ? "" : "s", 100.0 * (double)f->exposed / (double)f->records);
        if (m->limits->l > 0) {
            (void)fprintf(m->out, "%s l-diversity: %s asked",
                          m->limits->distinct_l ? "distinct" : "entropy",
                          cli_format(m->limits->l, number));
            (void)fprintf(m->out, ", %s %s\n", cli_format(f->l, number), found_word(m));
        }
    }
}

static void say_span(const words *m, const kn_broken_span *s)
{
    (void)fprintf(m->out, "\n%" PRIu64 " record%s:", s->population, s->population == 1 ? "" : "s");
    (void)fputs(s->few ? " too few;" : "", m->out);
    (void)fputs(s->uniform ? " not diverse;" : "", m->out);
    (void)fputs(s->certain ? " too certain;" : "", m->out);
    (void)fputs(s->rows_count == 1 ? " row" : " rows", m->out);
    for (size_t i = 0; i < s->rows_count; i++) {
        (void)fprintf(m->out, "%s%" PRIu64, i ? ", " : " ", s->rows[i] + 1);
    }
    (void)fputs(s->rows_count < s->population ? ", ...\n" : "\n", m->out);
    (void)fputs("    ", m->out);
    cli_print_plain(m->out, s->inferred, SIZE_MAX);
    (void)fprintf(m->out, " is %.1f %% certain\n", 100 * s->confidence);
    for (size_t i = 0; i < s->words_count; i++) {
        (void)fputs(i ? "    or " : "    ", m->out);
        cli_print_plain(m->out, s->words[i], SIZE_MAX);
        (void)fputc('\n', m->out);
    }
    if (s->words_count < s->classes) {
        (void)fprintf(m->out, "    or one of %" PRIu64 " more\n", s->classes - s->words_count);
    }
}

static void say_verdict(const words *m)
{
    const kn_model_figures *f = kn_model_verdict_figures(m->verdict);
    const size_t listed = kn_model_verdict_listed(m->verdict);

    if (kn_model_verdict_holds(m->verdict)) {
        (void)fprintf(m->out, "%s%s\n", cli_state(kn_model_verdict_points(m->verdict)),
                      f->unjudged ? ", for what was judged" : "");
        return;
    }
    if (f->broken == 0) {
        (void)fputs("CANNOT BE TOLD: the model states figures of other data. Give the data that it "
                    "was made from, or judge it by these records alone with --ignore-counts\n",
                    m->out);
        return;
    }
    (void)fprintf(m->out,
                  "DOES NOT HOLD: %" PRIu64 " span%s with %" PRIu64 " record%s break%s it%s\n",
                  f->broken, f->broken == 1 ? "" : "s", f->at_risk, f->at_risk == 1 ? "" : "s",
                  f->broken == 1 ? "s" : "", listed < f->broken ? "; the smallest:" : ":");
    for (size_t i = 0; i < listed; i++) {
        say_span(m, kn_model_verdict_broken(m->verdict, i));
    }
}

kn_status cli_say_verdict(FILE *out, const kn_model *model, const kn_model_verdict *verdict,
                          const kn_model_limits *limits, const kn_clusters_quality *quality,
                          kn_error *err)
{
    const words m = {out, model, verdict, limits, quality};
    kn_model_shape shape;
    const kn_status st = kn_model_shape_of(&shape, model, err);

    if (st == KN_OK) {
        cli_print_verdict(out, kn_model_verdict_points(verdict));
        say_model(&m, &shape);
        say_quality(&m);
        say_figures(&m);
        say_verdict(&m);
    }
    return st;
}
