/* sweep_values.c - the values of a sweep. They are whole numbers of the smallest decimal place that
 * was written: steps of 0.1 as doubles would miss the end, and write 0.30000000000000004. */
#include "job/sweep_values.h"
#include "base/buffer.h"
#include "base/error.h"
#include "base/memory.h"
#include "job/job.h"
#include "kanon/catalog.h"
#include "kanon/sweep.h"

#include <stdint.h>
#include <stdio.h>
#include <string.h>

/* 10 digits before the point and 6 + 2 (of a percentage) behind it stay below 2^63. */
enum { WHOLE = 10, DECIMALS = 6, PLACES = DECIMALS + 2, MOST_PARAMETERS = 64, LONGEST = 64 };

#define FORM "PARAMETER=START:END:STEP or PARAMETER=VALUE,VALUE,..."

void kn__swept_clear(kn_swept *v)
{
    for (size_t i = 0; v->values && i < v->count; i++) {
        kn__free(v->values[i]);
    }
    kn__free(v->values);
    *v = (kn_swept){0};
}

/* ---- the parameter ---- */

static bool is_number(const kn_option *option)
{
    return (option->group == KN_GROUP_GUARANTEE || option->group == KN_GROUP_METHOD) &&
           (option->kind == KN_OPTION_COUNT || option->kind == KN_OPTION_NUMBER ||
            option->kind == KN_OPTION_SHARE);
}

static bool is_method(const kn_option *option)
{
    return option->name && strcmp(option->name, "method") == 0;
}

static kn_status find_parameter(kn_option *out, const char *name, kn_error *err)
{
    const char *names[MOST_PARAMETERS], *near;
    kn_buffer list = {0};
    size_t count = 0;
    kn_status st;

    if (kn_job_option_find(out, name) && (is_number(out) || is_method(out))) {
        return KN_OK;
    }
    for (size_t i = 0; i < kn_job_options() && count < MOST_PARAMETERS; i++) {
        kn_job_option(out, i);
        if (is_number(out)) {
            kn__buffer_addf(&list, "%s%s", count ? ", " : "", out->name);
            names[count++] = out->name;
        }
    }
    near = kn_nearest(name, names, count);
    st = list.failed
             ? kn__nomem(err)
             : kn__fail(err, KN_EUSAGE,
                        "--sweep: there is no parameter '%.60s' with numbers%s%s%s (%s; or method)",
                        name, near ? "; did you mean '" : "; give one of them", near ? near : "",
                        near ? "'?" : "", list.data);
    kn__buffer_free(&list);
    return st;
}

/* ---- numbers ---- */

/* `text` in units of 10^-PLACES. */
static bool parse_units(const char *text, int64_t *units)
{
    const size_t whole = strspn(text, "0123456789");
    const char *point = text + whole;
    const size_t decimals = *point == '.' ? strspn(point + 1, "0123456789") : 0;
    const char *end = point + (*point == '.') + decimals;
    const bool percent = strcmp(end, "%") == 0;
    size_t places = PLACES - (percent ? 2 : 0);

    if (whole == 0 || whole > WHOLE || decimals > DECIMALS || (*end && !percent)) {
        return false;
    }
    *units = 0;
    for (const char *c = text; c < end; c++) {
        if (*c != '.') {
            *units = *units * 10 + (*c - '0');
        }
    }
    for (places -= decimals; places > 0; places--) {
        *units *= 10;
    }
    return true;
}

/* Add one value as text, which the option must take. */
static kn_status add_text(kn_swept *v, const char *text, kn_error *err)
{
    const kn_status st = kn__option_check(&v->parameter, text, err);

    if (st != KN_OK) {
        kn__error_prefix(err, "--sweep");
        return st;
    }
    for (size_t i = 0; i < v->count; i++) {
        if (strcmp(v->values[i], text) == 0) {
            return kn__fail(err, KN_EUSAGE, "--sweep: %s=%s is there twice", v->parameter.name,
                            text);
        }
    }
    v->values[v->count] = kn__strdup(text);
    KN_PASS(v->values[v->count] ? KN_OK : kn__nomem(err));
    v->count++;
    return KN_OK;
}

static kn_status add_value(kn_swept *v, int64_t units, kn_error *err)
{
    int64_t one = 1;
    char text[LONGEST], *end;

    for (int i = 0; i < PLACES; i++) {
        one *= 10;
    }
    (void)snprintf(text, sizeof text, "%lld.%0*lld", (long long)(units / one), PLACES,
                   (long long)(units % one));
    for (end = text + strlen(text); end[-1] == '0'; end--) {
        end[-1] = '\0';
    }
    if (end[-1] == '.') {
        end[-1] = '\0';
    }
    return add_text(v, text, err);
}

/* One number of the text, `what` it is; the option's own words where it would not take it. */
static kn_status read_number(const kn_swept *v, const char *text, size_t len, const char *what,
                             int64_t *units, kn_error *err)
{
    char word[LONGEST];
    kn_status st;

    if (len >= sizeof word) {
        return kn__fail(err, KN_EUSAGE, "--sweep: '%.30s...' is no number", text);
    }
    memcpy(word, text, len);
    word[len] = '\0';
    if (parse_units(word, units)) {
        return KN_OK;
    }
    st = kn__option_check(&v->parameter, word, err);
    if (st != KN_OK) {
        kn__error_prefix(err, "--sweep");
        return st;
    }
    return kn__fail(
        err, KN_EUSAGE,
        "--sweep: write the %s '%s' with digits, up to %d before the point and %d behind it", what,
        word, WHOLE, DECIMALS);
}

static kn_status too_many(size_t count, const char *what, kn_error *err)
{
    return kn__fail(err, KN_EUSAGE, "--sweep: %zu values, and %d is the most: %s", count,
                    KN_SWEEP_MOST, what);
}

static kn_status read_range(kn_swept *v, const char *text, kn_error *err)
{
    static const char *const what[] = {"start", "end", "step"};
    int64_t number[3] = {0};
    size_t count;
    kn_status st = KN_OK;

    for (size_t i = 0; i < 3 && st == KN_OK; i++) {
        const size_t len = strcspn(text, ":");
        if ((i < 2) != (text[len] == ':')) {
            return kn__fail(err, KN_EUSAGE,
                            "--sweep: a range has a start, an end and a step: %s=START:END:STEP",
                            v->parameter.name);
        }
        if (i == 2 && text[0] == '-') {
            return kn__fail(err, KN_EUSAGE, "--sweep: the step '%.30s' is below 0: count upwards",
                            text);
        }
        st = read_number(v, text, len, what[i], &number[i], err);
        text += len + (i < 2);
    }
    if (st != KN_OK) {
        return st;
    }
    if (number[2] == 0) {
        return kn__fail(err, KN_EUSAGE, "--sweep: the step is 0: give one above it");
    }
    if (number[0] > number[1]) {
        return kn__fail(err, KN_EUSAGE, "--sweep: the start of %s is beyond its end: count upwards",
                        v->parameter.name);
    }
    count = (size_t)((number[1] - number[0]) / number[2]) + 1;
    if (count > KN_SWEEP_MOST) {
        return too_many(count, "take a larger step", err);
    }
    v->values = kn__zalloc_array(count, sizeof *v->values);
    st = v->values ? KN_OK : kn__nomem(err);
    for (size_t i = 0; i < count && st == KN_OK; i++) {
        st = add_value(v, number[0] + (int64_t)i * number[2], err);
    }
    return st;
}

static kn_status read_name(kn_swept *v, const char *text, size_t len, kn_error *err)
{
    char word[LONGEST];

    (void)snprintf(word, sizeof word, "%.*s", (int)(len < sizeof word ? len : sizeof word - 1),
                   text);
    return add_text(v, word, err);
}

static kn_status read_value(kn_swept *v, const char *text, size_t len, kn_error *err)
{
    int64_t units = 0;
    const kn_status st = read_number(v, text, len, "value", &units, err);

    return st == KN_OK ? add_value(v, units, err) : st;
}

static kn_status read_list(kn_swept *v, const char *text, kn_error *err)
{
    size_t count = 1;
    kn_status st;

    for (const char *c = text; *c; c++) {
        count += *c == ',';
    }
    if (count > KN_SWEEP_MOST) {
        return too_many(count, "leave some out", err);
    }
    v->values = kn__zalloc_array(count, sizeof *v->values);
    st = v->values ? KN_OK : kn__nomem(err);
    for (size_t i = 0; i < count && st == KN_OK; i++) {
        const size_t len = strcspn(text, ",");
        st = is_method(&v->parameter) ? read_name(v, text, len, err)
                                      : read_value(v, text, len, err);
        text += len + (text[len] == ',');
    }
    return st;
}

kn_status kn__swept_parse(kn_swept *out, const char *text, kn_error *err)
{
    size_t len;
    const char *values = kn__map_value(text, &len);
    char *name;
    kn_status status;

    *out = (kn_swept){0};
    if (!values) {
        return kn__fail(err, KN_EUSAGE, "--sweep: '%.200s' is not of the form " FORM, text);
    }
    name = kn__strndup(text, len);
    KN_TRY(name ? find_parameter(&out->parameter, name, err) : kn__nomem(err));
    KN_TRY(strchr(values, ':') && !is_method(&out->parameter) ? read_range(out, values, err)
                                                              : read_list(out, values, err));
done:
    kn__free(name);
    if (status != KN_OK) {
        kn__swept_clear(out);
    }
    return status;
}

/* ---- several parameters ---- */

kn_status kn__sweep_space_read(kn_sweep_space *out, const kn_job *job, kn_error *err)
{
    const char *text;
    kn_status status = KN_OK;

    *out = (kn_sweep_space){.count = 1};
    for (size_t i = 0; (text = kn_job_get(job, "sweep", i)); i++) {
        kn_swept one;
        if (out->axes == KN_SWEEP_AXES) {
            KN_TRY(kn__fail(err, KN_EUSAGE, "--sweep: %d parameters are the most", KN_SWEEP_AXES));
        }
        KN_TRY(kn__swept_parse(&one, text, err));
        if (kn__sweep_space_has(out, one.parameter.name)) {
            status = kn__fail(err, KN_EUSAGE,
                              "--sweep: %s is swept twice: give all of its values in one list",
                              one.parameter.name);
            kn__swept_clear(&one);
            goto done;
        }
        out->axis[out->axes++] = one;
        out->count *= one.count; /* at most 1000^4 */
    }
    if (out->count > KN_SWEEP_MOST) {
        KN_TRY(too_many(out->count, "leave some out", err));
    }
done:
    if (status != KN_OK) {
        kn__sweep_space_clear(out);
    }
    return status;
}

void kn__sweep_space_clear(kn_sweep_space *s)
{
    for (size_t a = 0; a < s->axes; a++) {
        kn__swept_clear(&s->axis[a]);
    }
    *s = (kn_sweep_space){0};
}

const char *kn__sweep_space_value(const kn_sweep_space *s, size_t i, size_t axis)
{
    for (size_t a = s->axes - 1; a > axis; a--) {
        i /= s->axis[a].count;
    }
    return s->axis[axis].values[i % s->axis[axis].count];
}

bool kn__sweep_space_has(const kn_sweep_space *s, const char *name)
{
    for (size_t a = 0; a < s->axes; a++) {
        const char *own = s->axis[a].parameter.name;
        if (own && name && strcmp(own, name) == 0) {
            return true;
        }
    }
    return false;
}
