/* verdict.c - access to a verdict on a model. */
#include "models/judge/verdict.h"
#include "base/args.h"
#include "base/error.h"
#include "base/memory.h"

void kn_model_verdict_free(kn_model_verdict *v)
{
    for (size_t i = 0; v && i < v->listed_count; i++) {
        kn_broken_span *s = &v->listed[i];
        for (size_t w = 0; w < s->words_count; w++) {
            kn__free((char *)s->words[w]);
        }
        KN_FREE((void *)s->words, (void *)s->rows, (char *)s->inferred);
    }
    if (v) {
        kn__free(v->listed);
        kn__spans_clear(&v->spans);
        KN_FREE(v->source, v->title, v->note, v->date);
        kn_points_free(v->points);
        KN_FREE(v->confidence, v->diversity, v->breaks);
    }
    kn__free(v);
}

static kn_status replace(char **to, const char *text, kn_error *err)
{
    char *copy = text ? kn__strdup(text) : NULL;

    if (text && !copy) {
        return kn__nomem(err);
    }
    kn__free(*to);
    *to = copy;
    return KN_OK;
}

kn_status kn_model_verdict_set_heading(kn_model_verdict *verdict, const char *title,
                                       const char *note, const char *date, kn_error *err)
{
    KN_NEED(err, verdict);

    KN_PASS(replace(&verdict->title, title, err));
    KN_PASS(replace(&verdict->note, note, err));
    return replace(&verdict->date, date, err);
}

bool kn_model_verdict_holds(const kn_model_verdict *v)
{
    return v && v->figures.broken == 0 && (v->figures.unlike == 0 || v->limits.ignore_counts);
}

const kn_model_figures *kn_model_verdict_figures(const kn_model_verdict *v)
{
    return v ? &v->figures : NULL;
}

size_t kn_model_verdict_listed(const kn_model_verdict *v)
{
    return v ? v->listed_count : 0;
}

const kn_broken_span *kn_model_verdict_broken(const kn_model_verdict *v, size_t i)
{
    return v && i < v->listed_count ? &v->listed[i] : NULL;
}
