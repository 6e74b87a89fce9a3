/* profile.c - what a table is like, a column a thread. */
#include "base/args.h"
#include "base/error.h"
#include "base/hash.h"
#include "base/memory.h"
#include "base/threads.h"
#include "utility/profile/profile.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* ---- counting ---- */

/* Records that hold each code; in bags one that repeats is counted once. */
static void count_codes(uint32_t *held, const kn_column *column, size_t records)
{
    for (size_t i = 0; i < records; i++) {
        if (!column->starts) {
            held[kn__column_code(column, i)]++;
            continue;
        }
        for (uint64_t at = column->starts[i]; at < column->starts[i + 1]; at++) {
            const uint32_t code = kn__column_code(column, at);
            held[code] += at == column->starts[i] || kn__column_code(column, at - 1) != code;
        }
    }
}

static void measure_values(kn_column_profile *p, kn_profile_strings *owned, const kn_column *column,
                           const uint32_t *held, size_t records, size_t below)
{
    const uint32_t values = kn__column_values(column) - (column->missing != KN_NO_CODE);
    double sum = 0;

    p->missing = column->missing == KN_NO_CODE ? 0 : held[column->missing];
    for (uint32_t code = 0; code < values; code++) {
        p->values += held[code] > 0;
        p->unique += held[code] == 1;
        owned->rare += held[code] < below ? held[code] : 0;
        sum += column->numbers ? held[code] * column->numbers[code] : 0;
    }
    if (column->numbers && values && records > p->missing) {
        p->min = column->numbers[0];
        p->max = column->numbers[values - 1];
        p->mean = sum / (double)(records - p->missing);
        owned->min_shared = held[0] >= KN_PROFILE_SHARED;
        owned->max_shared = held[values - 1] >= KN_PROFILE_SHARED;
        owned->mean_shared = records - p->missing >= KN_PROFILE_SHARED;
    }
}

/* ---- lists ---- */

typedef struct hashed_list {
    uint64_t hash;
    uint32_t record;
} hashed_list;

static int by_list(const void *a, const void *b, void *user)
{
    const hashed_list *x = a, *y = b;
    const kn_column *column = user;
    uint64_t len;

    if (x->hash != y->hash) {
        return x->hash < y->hash ? -1 : 1;
    }
    /* Equal hashes: the lists decide, so that two that only collide stay apart. */
    len = column->starts[x->record + 1] - column->starts[x->record];
    if (column->starts[y->record + 1] - column->starts[y->record] != len) {
        return len < column->starts[y->record + 1] - column->starts[y->record] ? -1 : 1;
    }
    for (uint64_t i = 0; i < len; i++) {
        const uint32_t c = kn__column_code(column, column->starts[x->record] + i);
        const uint32_t d = kn__column_code(column, column->starts[y->record] + i);
        if (c != d) {
            return c < d ? -1 : 1;
        }
    }
    return 0;
}

static kn_status measure_lists(kn_column_profile *p, kn_profile_strings *owned,
                               const kn_column *column, const uint32_t *held, size_t records,
                               size_t below, kn_error *err)
{
    const uint32_t values = kn__column_values(column);
    hashed_list *list = kn__malloc_array(records, sizeof *list);
    uint64_t least = UINT64_MAX, most = 0;
    size_t at_least = 0, at_most = 0;

    KN_PASS(list ? KN_OK : kn__nomem(err));
    for (uint32_t code = 0; code < values; code++) {
        p->values += code != column->missing && held[code] > 0;
    }
    for (size_t i = 0; i < records; i++) {
        const uint64_t len = column->starts[i + 1] - column->starts[i];
        list[i] = (hashed_list){len, (uint32_t)i};
        for (uint64_t at = column->starts[i]; at < column->starts[i + 1]; at++) {
            list[i].hash = kn__mix(list[i].hash ^ UINT64_C(0x9e3779b97f4a7c15),
                                   kn__column_code(column, at) + UINT64_C(0xd6e8feb86659fd93));
        }
        p->missing += len == 0;
        at_least = len < least ? 1 : at_least + (len == least);
        at_most = len > most ? 1 : at_most + (len == most);
        least = len < least ? len : least;
        most = len > most ? len : most;
    }
    qsort_r(list, records, sizeof *list, by_list, (void *)(uintptr_t)column);
    for (size_t i = 0, next; i < records; i = next) {
        const bool empty = column->starts[list[i].record + 1] == column->starts[list[i].record];
        for (next = i + 1; next < records; next++) {
            if (by_list(&list[i], &list[next], (void *)(uintptr_t)column) != 0) {
                break;
            }
        }
        p->unique += !empty && next == i + 1;
        owned->rare += !empty && next - i < below ? next - i : 0;
    }
    if (records) {
        p->min = (double)least;
        p->max = (double)most;
        p->mean = (double)column->starts[records] / (double)records;
        owned->min_shared = at_least >= KN_PROFILE_SHARED;
        owned->max_shared = at_most >= KN_PROFILE_SHARED;
        owned->mean_shared = records >= KN_PROFILE_SHARED;
    }
    kn__free(list);
    return KN_OK;
}

/* ---- frequent values ---- */

static kn_status find_top(kn_column_profile *p, kn_profile_strings *owned, const kn_column *column,
                          const uint32_t *held, kn_error *err)
{
    uint32_t best[KN_PROFILE_TOP];
    size_t count = 0, bytes = 0;
    char *text;

    for (uint32_t code = 0; code < kn__column_values(column); code++) {
        size_t at = count;
        if (code == column->missing || held[code] < KN_PROFILE_SHARED) {
            continue;
        }
        while (at > 0 && held[code] > held[best[at - 1]]) {
            at--;
        }
        if (at < KN_PROFILE_TOP) {
            count += count < KN_PROFILE_TOP;
            memmove(&best[at + 1], &best[at], (count - at - 1) * sizeof *best);
            best[at] = code;
        }
    }
    for (size_t i = 0; i < count; i++) {
        size_t len;
        (void)kn__column_text(column, best[i], &len);
        bytes += len + 1;
    }
    owned->top = kn__malloc_array(count, sizeof *owned->top);
    owned->texts = text = kn__malloc(bytes);
    KN_PASS(owned->top && text ? KN_OK : kn__nomem(err));
    for (size_t i = 0; i < count; i++) {
        size_t len;
        const char *value = kn__column_text(column, best[i], &len);
        memcpy(text, value, len);
        text[len] = '\0';
        owned->top[i] = (kn_top_value){text, held[best[i]]};
        text += len + 1;
    }
    p->top = owned->top;
    p->top_count = count;
    return KN_OK;
}

/* ---- one column ---- */

/* `hidden` is 0, or the number that the column is called by because its name may be a value. */
static kn_status profile_column(kn_column_profile *p, kn_profile_strings *owned,
                                const kn_dataset *ds, const kn_column *column, size_t hidden,
                                size_t below, kn_error *err)
{
    const size_t records = ds->records;
    uint32_t *held = kn__zalloc_array(kn__column_values(column), sizeof *held);
    kn_buffer reason = {0}, hint = {0}, name = {0};
    kn_column_facts facts;
    kn_hierarchy_advice advice;
    kn_status status;

    owned->name = kn__strdup(column->name);
    *p = (kn_column_profile){.name = owned->name,
                             .type = column->type,
                             .role = column->role,
                             .min = NAN,
                             .mean = NAN,
                             .max = NAN,
                             .sorted = column->order == KN_ORDER_ASCENDING ||
                                       column->order == KN_ORDER_DESCENDING};
    KN_TRY(held && owned->name ? KN_OK : kn__nomem(err));
    if (column->dict) {
        count_codes(held, column, records);
        if (column->starts) {
            KN_TRY(measure_lists(p, owned, column, held, records, below, err));
        } else {
            measure_values(p, owned, column, held, records, below);
        }
    }
    facts = (kn_column_facts){.ds = ds,
                              .column = column,
                              .held = held,
                              .records = records,
                              .present = records - p->missing,
                              .values = p->values,
                              .rare = owned->rare,
                              .below = below};
    kn__header_split(&facts.header, column->name);
    kn__profile_suggest(p, &facts, &reason);
    KN_TRY(kn__buffer_take(&reason, &owned->reason, err));
    p->reason = owned->reason;
    if (hidden) {
        kn__free(owned->name);
        owned->name = NULL;
        kn__buffer_addf(&name, "column%zu", hidden);
        KN_TRY(kn__buffer_take(&name, &owned->name, err));
        p->name = owned->name;
    }
    if (column->dict) {
        KN_TRY(
            kn__profile_hint(&hint, &p->list_separator, column, p->name, held, p->suggested, err));
    }
    if (p->coded && kn__holds_codes(ds, column)) {
        kn__buffer_addf(&hint,
                        "whole numbers that are codes: as a quasi-identifier they are treated as "
                        "categories, unless --type %s=%s says that they are numbers",
                        p->name, kn_type_name(column->type));
    } else if (p->coded && kn__holds_postcodes(&advice, ds, column)) {
        kn__buffer_addf(&hint,
                        "whole numbers that are postcodes: as a quasi-identifier they are "
                        "generalised to their first digits, unless --type %s=%s says that they are "
                        "numbers",
                        p->name, kn_type_name(column->type));
    }
    if (hint.len || hint.failed) {
        KN_TRY(kn__buffer_take(&hint, &owned->hint, err));
        p->hint = owned->hint;
    }
    if (p->role == KN_ROLE_IDENTIFIER || p->suggested == KN_ROLE_IDENTIFIER) {
        p->min = p->mean = p->max = NAN;
    } else if (column->dict) {
        KN_TRY(find_top(p, owned, column, held, err));
    }
done:
    kn__buffer_free(&reason);
    kn__buffer_free(&hint);
    kn__free(held);
    return status;
}

enum { NAMES_SEEN = 1000 }; /* columns whose names are compared with usual ones */

typedef struct job {
    kn_profile *of;
    const kn_dataset *ds;
    const uint8_t *wanted; /* by column; NULL: all are */
    size_t below;
    bool named;           /* the names of the columns are surely names */
    kn_first_error error; /* by column */
} job;

static void profile_columns(void *user, unsigned worker, size_t begin, size_t end)
{
    job *j = user;

    (void)worker;
    for (size_t i = begin; i < end; i++) {
        kn_error error;
        if ((!j->wanted || j->wanted[i]) &&
            profile_column(&j->of->column[i], &j->of->owned[i], j->ds, &j->ds->column[i],
                           j->named ? 0 : i + 1, j->below, &error) != KN_OK) {
            kn__first_error_note(&j->error, i, &error);
        }
    }
}

/* A usual name among the first columns speaks for names, too. */
static bool has_names(const kn_dataset *ds)
{
    if (kn_dataset_has_names(ds) || !kn__dataset_may_have_names(ds)) {
        return kn_dataset_has_names(ds);
    }
    for (size_t i = 0; i < ds->columns && i < NAMES_SEEN; i++) {
        if (kn__is_usual_name(ds->column[i].name)) {
            return true;
        }
    }
    return false;
}

kn_status kn__profile_some(kn_profile **out, const kn_dataset *ds, const uint8_t *wanted,
                           size_t below, const kn_run *run, kn_error *err)
{
    job j = {.ds = ds,
             .wanted = wanted,
             .below = below,
             .named = has_names(ds),
             .error = KN_NO_ERROR_YET};
    kn_profile *p = NULL;
    kn_status status;

    if (ds->records >= UINT32_MAX) {
        return kn__fail(err, KN_EINPUT, "more than %zu records: profile a part of them",
                        (size_t)UINT32_MAX - 1);
    }
    KN_TRY(kn__run_step(run, "profile", -1, err));
    p = kn__zalloc(sizeof *p);
    KN_TRY(p ? KN_OK : kn__nomem(err));
    p->records = ds->records;
    p->columns = ds->columns;
    p->named = j.named;
    p->column = kn__zalloc_array(ds->columns, sizeof *p->column);
    p->owned = kn__zalloc_array(ds->columns, sizeof *p->owned);
    KN_TRY(p->column && p->owned ? KN_OK : kn__nomem(err));
    j.of = p;
    KN_TRY(kn__parallel_steps(run, "profile", kn__run_threads(run), ds->columns, 1, profile_columns,
                              &j, err));
    KN_TRY(kn__first_error_take(&j.error, err));
    KN_TRY(kn__profile_follow_sensitive(p, ds, err));
    KN_TRY(kn__profile_find_person(p, err));
    *out = p;
    p = NULL;
done:
    kn_profile_free(p);
    return status;
}

kn_status kn_profile_make(kn_profile **out, const kn_dataset *ds, const kn_run *run, kn_error *err)
{
    KN_NEED_OUT(err, out);
    KN_NEED(err, ds);
    KN_NEED_ROWS(err, ds);
    KN_NEED_SIZED(err, run);

    return kn__profile_some(out, ds, NULL, KN_PROFILE_SHARED, run, err);
}

void kn_profile_free(kn_profile *p)
{
    if (!p) {
        return;
    }
    for (size_t i = 0; p->owned && i < p->columns; i++) {
        KN_FREE(p->owned[i].name, p->owned[i].reason, p->owned[i].hint, p->owned[i].texts,
                p->owned[i].top);
    }
    KN_FREE(p->owned, p->column, p);
}

size_t kn_profile_columns(const kn_profile *p)
{
    return p ? p->columns : 0;
}

const kn_column_profile *kn_profile_column(const kn_profile *p, size_t column)
{
    return p && column < p->columns ? &p->column[column] : NULL;
}

bool kn_profile_has_names(const kn_profile *p)
{
    return p && p->named;
}

size_t kn_profile_person(const kn_profile *p)
{
    return p ? p->person : SIZE_MAX;
}
