/* points.c - a list of points: found by the checks, put in order, accepted by name, summed up. */
#include "points/points.h"
#include "base/args.h"
#include "base/error.h"
#include "base/memory.h"
#include "base/say.h"
#include "data/value.h"
#include "guarantees/registry.h"
#include "kanon/catalog.h"
#include "points/checks.h"

#include <float.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

/* ---- adding a point ---- */

static bool is_named(const char *name, const char *const *names, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        if (strcmp(names[i], name) == 0) {
            return true;
        }
    }
    return false;
}

/* Take what `b` holds, cleaned: names of columns are the user's bytes. */
static kn_status take(kn_buffer *b, char **out, kn_error *err)
{
    *out = b->failed ? NULL : kn__clean(b->data ? b->data : "", b->len);
    kn__buffer_free(b);
    return *out ? KN_OK : kn__nomem(err);
}

static void clear_point(kn_point *p)
{
    KN_FREE((char *)p->name, (char *)p->column, (char *)p->words, (char *)p->remedy);
}

kn_status kn__point_add(kn_point_search *s, kn_check_number check, const char *column,
                        size_t records, double value, bool decided)
{
    kn_points *points = s->points;
    const double limit = kn__point_limit(s->options, check);
    kn_point p = {.check = kn__checks[check].name,
                  .column = column, /* as the words need it; its own copy below */
                  .records = records,
                  .value = value,
                  .limit = limit > 0 ? limit : NAN};
    kn_buffer name = {0}, words = {0}, remedy = {0};
    char *text[4] = {0};
    kn_status status = kn__grow(&points->point, &points->cap, points->count + 1,
                                sizeof *points->point, s->err);
    size_t at;

    KN_TRY(status);
    kn__check_rows[check].words(&words, s, &p);
    kn__check_rows[check].remedy(&remedy, s, &p);
    kn__buffer_addf(&name, "%s%s%s", p.check, column ? ":" : "", column ? column : "");
    p.decided = decided || (name.data &&
                            is_named(name.data, s->options->accepted, s->options->accepted_count));
    KN_TRY(take(&name, &text[0], s->err));
    KN_TRY(take(&words, &text[1], s->err));
    KN_TRY(take(&remedy, &text[2], s->err));
    if (column) {
        text[3] = kn__clean(column, strlen(column));
        KN_TRY(text[3] ? KN_OK : kn__nomem(s->err));
    }
    p.name = text[0];
    p.words = text[1];
    p.remedy = text[2];
    p.column = text[3];
    at = p.decided ? points->count : points->open++;
    memmove(&points->point[at + 1], &points->point[at],
            (points->count - at) * sizeof *points->point);
    points->point[at] = p;
    points->count++;
done:
    kn__buffer_free(&name);
    kn__buffer_free(&words);
    kn__buffer_free(&remedy);
    if (status != KN_OK) {
        for (size_t i = 0; i < 4; i++) {
            kn__free(text[i]);
        }
    }
    return status;
}

size_t kn_point_checks(void)
{
    return KN_CHECKS;
}

const kn_point_check *kn_point_check_at(size_t i)
{
    return i < KN_CHECKS ? &kn__checks[i] : NULL;
}

/* ---- options ---- */

_Static_assert(KN_CHECKS <= KN_POINT_LIMITS, "every check has a place for its limit");

double kn__point_limit(const kn_point_options *options, kn_check_number check)
{
    const double given = options ? options->limit[check] : 0;

    return given > 0 ? given : kn__checks[check].standard;
}

/* The check whose name is the first `len` bytes of `name`. */
static kn_status find_check(size_t *out, const char *name, size_t len, kn_error *err)
{
    const char *names[KN_CHECKS], *near;
    kn_buffer all = {0};
    char word[64];

    for (size_t i = 0; i < KN_CHECKS; i++) {
        names[i] = kn__checks[i].name;
        if (strlen(names[i]) == len && memcmp(names[i], name, len) == 0) {
            *out = i;
            return KN_OK;
        }
    }
    (void)snprintf(word, sizeof word, "%.*s", (int)(len < 60 ? len : 60), name);
    near = kn_nearest(word, names, KN_CHECKS);
    for (size_t i = 0; i < KN_CHECKS; i++) {
        kn__buffer_addf(&all, "%s%s", kn__say_gap(i, KN_CHECKS, " and "), names[i]);
    }
    (void)kn__fail(err, KN_EUSAGE,
                   "there is no point called '%s'%s%s%s; there are %s, most of them with :COLUMN",
                   word, near ? "; did you mean '" : "", near ? near : "", near ? "'?" : "",
                   all.failed ? "others" : all.data);
    kn__buffer_free(&all);
    return kn__about_parameter(err, KN_EUSAGE, KN_ERROR_PARAMETER, "accept_point");
}

static kn_status check_limit(const kn_point_check *check, double limit, kn_error *err)
{
    if (limit < 0 || isnan(limit) || (check->share && limit > 1)) {
        return kn__fail(err, KN_EUSAGE, "the limit of %s is %s", check->name,
                        check->share ? "a share: 0 to 1, or a percentage" : "a number from 0 on");
    }
    return KN_OK;
}

kn_status kn_point_options_limit(kn_point_options *options, const char *check, double limit,
                                 kn_error *err)
{
    size_t i = 0;

    KN_NEED(err, options, check);
    KN_NEED_SIZED(err, options);
    KN_PASS(find_check(&i, check, strlen(check), err));

    if (kn__checks[i].standard == 0) {
        KN_PASS(kn__fail(err, KN_EUSAGE, "%s has no limit; accept it with --accept-point",
                         kn__checks[i].name));
    }
    KN_PASS(check_limit(&kn__checks[i], limit, err));
    options->limit[i] = limit > 0 ? limit : DBL_MIN;
    return KN_OK;
}

kn_status kn_point_options_validate(const kn_point_options *options, kn_error *err)
{
    kn_status status = KN_OK;
    size_t check;

    KN_NEED(err, options);
    KN_NEED_SIZED(err, options);
    KN_NEED_LIST(err, options->accepted, options->accepted_count);
    for (size_t i = 0; status == KN_OK && i < KN_CHECKS; i++) {
        status = check_limit(&kn__checks[i], options->limit[i], err);
    }
    for (size_t i = 0; status == KN_OK && i < options->accepted_count; i++) {
        status = find_check(&check, options->accepted[i], strcspn(options->accepted[i], ":"), err);
    }
    return status;
}

static void free_names(const char *const *names, size_t count)
{
    for (size_t i = 0; names && i < count; i++) {
        kn__free((char *)names[i]);
    }
    kn__free((void *)names);
}

void kn__point_options_clear(kn_point_options *options)
{
    free_names(options->accepted, options->accepted_count);
    *options = (kn_point_options){0};
}

static kn_status copy_names(const char *const **out, const char *const *from, size_t count,
                            kn_error *err)
{
    const char **names = kn__zalloc_array(count, sizeof *names);

    *out = names;
    KN_PASS(names ? KN_OK : kn__nomem(err));
    for (size_t i = 0; i < count; i++) {
        names[i] = kn__strdup(from[i]);
        KN_PASS(names[i] ? KN_OK : kn__nomem(err));
    }
    return KN_OK;
}

kn_status kn__point_options_copy(kn_point_options *out, const kn_point_options *from, kn_error *err)
{
    kn_status status;

    *out = *from;
    out->accepted = NULL;
    KN_TRY(copy_names(&out->accepted, from->accepted, from->accepted_count, err));
done:
    if (status != KN_OK) {
        kn__point_options_clear(out);
    }
    return status;
}

/* ---- all of it ---- */

const char *kn_state_name(kn_state state)
{
    switch (state) {
    case KN_STATE_HOLDS: return "holds";
    case KN_STATE_POINTS: return "holds_with_points";
    case KN_STATE_FAILS: return "fails";
    }
    return "unknown";
}

static kn_status summarise(kn_points *p, kn_error *err)
{
    kn_buffer b = {0};

    if (p->holds) {
        kn__buffer_adds(&b, "Holds");
    } else {
        kn__buffer_adds(&b, p->unknown ? "Cannot be told" : "Does not hold");
    }
    if (p->holds && p->open) {
        kn__buffer_adds(&b, ", with ");
        kn__say_things(&b, p->open, "point to settle", "points to settle");
    }
    if (p->holds && !p->open && p->count) {
        kn__buffer_adds(&b, ", with ");
        kn__say_things(&b, p->count, "point accepted", "points accepted");
    }
    kn__buffer_addf(&b, ". %s", p->claim);
    return kn__buffer_take(&b, &p->summary, err);
}

static kn_status find_all(kn_point_search *s)
{
    kn_status status = kn_point_options_validate(s->options, s->err);

    for (size_t i = 0; status == KN_OK && i < KN_CHECKS; i++) {
        status = kn__check_rows[i].find(s);
    }
    return status == KN_OK ? summarise(s->points, s->err) : status;
}

static const kn_point_options standard;

static size_t rare_below(const kn_table_facts *t)
{
    size_t k = 0;

    for (size_t i = 0; i < t->guarantees_count; i++) {
        if (kn__guarantee_has_k(&t->guarantees[i]) && (k == 0 || t->guarantees[i].k < k)) {
            k = t->guarantees[i].k;
        }
    }
    return k ? k : KN_USUAL_K;
}

kn_status kn__points_of_table(kn_points **out, const kn_table_facts *facts, const kn_run *run,
                              kn_error *err)
{
    kn_points *p = kn__zalloc(sizeof *p);
    kn_point_search s = {.table = facts, .run = run, .points = p, .err = err};
    kn_buffer claim = {0};
    kn_status status = p ? KN_OK : kn__nomem(err);

    *out = NULL;
    KN_TRY(status);
    s.options = facts->options ? facts->options : &standard;
    p->holds = facts->guarantees_count && kn_verdict_holds(facts->verdict);
    p->unknown = kn_verdict_unknown(facts->verdict);
    kn__say_claim(&claim, facts->published, facts->guarantees, facts->guarantees_count,
                  facts->verdict, facts->people ? "record" : "person");
    KN_TRY(take(&claim, &p->claim, err));
    p->surveyed = true;
    KN_TRY(kn__survey_make(&p->survey, &p->smallest, facts->published, rare_below(facts),
                           kn__point_limit(s.options, KN_CHECK_UNIQUE),
                           kn__point_limit(s.options, KN_CHECK_CERTAINTY), run, err));
    KN_TRY(find_all(&s));
    *out = p;
    p = NULL;
done:
    kn_points_free(p);
    return status;
}

bool kn__points_lack_private(const kn_points *p)
{
    const char *check = kn__checks[KN_CHECK_NOTHING_PRIVATE].name;

    for (size_t i = 0; i < p->count; i++) {
        if (strcmp(p->point[i].check, check) == 0) {
            return true;
        }
    }
    return false;
}

kn_status kn__points_of_model(kn_points **out, const kn_model_facts *facts, kn_error *err)
{
    kn_points *p = kn__zalloc(sizeof *p);
    kn_point_search s = {.model = facts, .points = p, .err = err};
    kn_status status = p ? KN_OK : kn__nomem(err);

    *out = NULL;
    KN_TRY(status);
    s.options = facts->options ? facts->options : &standard;
    p->holds = facts->holds;
    p->unknown = facts->unknown;
    p->claim = kn__clean(facts->claim, strlen(facts->claim));
    KN_TRY(p->claim ? KN_OK : kn__nomem(err));
    KN_TRY(find_all(&s));
    *out = p;
    p = NULL;
done:
    kn_points_free(p);
    return status;
}

kn_status kn_points_find(kn_points **out, const kn_dataset *ds, const kn_guarantee *guarantees,
                         size_t guarantees_count, const kn_verdict *verdict,
                         const kn_point_options *options, const kn_run *run, kn_error *err)
{
    const kn_table_facts facts = {.published = ds,
                                  .guarantees = guarantees,
                                  .guarantees_count = guarantees_count,
                                  .verdict = verdict,
                                  .options = options};

    KN_NEED_OUT(err, out);
    KN_NEED(err, ds, verdict);
    KN_NEED_ROWS(err, ds);
    KN_NEED_SIZED(err, options);
    KN_NEED_SIZED(err, run);
    KN_NEED_GUARANTEES(err, guarantees, guarantees_count);
    if (guarantees_count) {
        KN_NEED(err, guarantees);
    }
    return kn__points_of_table(out, &facts, run, err);
}

enum { MOST_NAMED = 10 }; /* points, in an error */

kn_status kn__points_refuse(const kn_points *p, const kn_point_options *options, const char *what,
                            kn_error *err)
{
    kn_buffer names = {0};
    kn_status status;

    if (!options || !options->strict || p->open == 0) {
        return KN_OK;
    }
    for (size_t i = 0; i < p->open && i < MOST_NAMED; i++) {
        kn__buffer_addf(&names, "%s%s", i ? ", " : "", p->point[i].name);
    }
    if (p->open > MOST_NAMED) {
        kn__buffer_addf(&names, " and %zu more", p->open - MOST_NAMED);
    }
    status = names.failed
                 ? kn__nomem(err)
                 : kn__fail(err, KN_EBROKEN,
                            "the %s was withheld, as --strict asks: there %s %zu point%s to "
                            "settle: %.700s",
                            what, p->open == 1 ? "is" : "are", p->open, p->open == 1 ? "" : "s",
                            names.data);
    if (status == KN_EBROKEN) {
        (void)kn__about_parameter(err, status, KN_ERROR_POINTS, "strict");
    }
    kn__buffer_free(&names);
    return status;
}

void kn_points_free(kn_points *p)
{
    if (p) {
        for (size_t i = 0; i < p->count; i++) {
            clear_point(&p->point[i]);
        }
        KN_FREE(p->point, p->claim, p->summary);
        kn__survey_clear(&p->survey);
        kn__free(p);
    }
}

kn_state kn_points_state(const kn_points *p)
{
    if (!p || !p->holds) {
        return KN_STATE_FAILS;
    }
    return p->open ? KN_STATE_POINTS : KN_STATE_HOLDS;
}

size_t kn_points_count(const kn_points *p)
{
    return p ? p->count : 0;
}

size_t kn_points_open(const kn_points *p)
{
    return p ? p->open : 0;
}

const kn_point *kn_points_get(const kn_points *p, size_t i)
{
    return p && i < p->count ? &p->point[i] : NULL;
}

const char *kn_points_claim(const kn_points *p)
{
    return p ? p->claim : "";
}

const char *kn_points_summary(const kn_points *p)
{
    return p ? p->summary : "";
}

const kn_survey *kn_points_survey(const kn_points *p)
{
    return p && p->surveyed ? &p->survey : NULL;
}
