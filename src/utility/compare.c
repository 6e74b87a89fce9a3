/* compare.c - an original and its release brought together: columns by name, published values
 * understood, records matched. */
#include "base/error.h"
#include "base/memory.h"
#include "base/threads.h"
#include "utility/utility.h"

#include <string.h>

/* Tables of (original code, published code) up to this many bytes remember what covers what. */
#define MOST_REMEMBERED ((size_t)1 << 22)

kn_status kn__utility_quasi(const kn_dataset *ds, const char *what, const kn_column *aside,
                            size_t **out, size_t *count, kn_error *err)
{
    kn_status status;
    size_t kept = 0;

    KN_TRY(kn__dataset_with_role(ds, KN_ROLE_QUASI, out, count, err));
    for (size_t i = 0; i < *count; i++) {
        if (&ds->column[(*out)[i]] != aside) {
            (*out)[kept++] = (*out)[i];
        }
    }
    *count = kept;
    if (*count == 0) {
        KN_TRY(kn__fail(err, KN_EUSAGE,
                        "the %s has no quasi-identifier: say which columns others may know "
                        "(--qi COLUMNS, or roles in a schema)",
                        what));
    }
    for (size_t i = 0; i < *count; i++) {
        const kn_column *column = &ds->column[(*out)[i]];
        if (kn__type_is_list(column->type)) {
            KN_TRY(kn__fail(err, KN_EUSAGE,
                            "column '%s' of the %s is a list: these measures take "
                            "quasi-identifiers with one value a record",
                            column->name, what));
        } else if (!column->dict) {
            KN_TRY(kn__fail(err, KN_EINPUT,
                            "the values of column '%s' of the %s were not kept when it was read: "
                            "say that it is a quasi-identifier before reading",
                            column->name, what));
        }
    }
done:
    if (status != KN_OK) {
        kn__free(*out);
        *out = NULL;
        *count = 0;
    }
    return status;
}

kn_status kn__utility_translate(const kn_column *from, const kn_column *to, uint32_t **out,
                                kn_error *err)
{
    const uint32_t values = kn__column_values(from);
    uint32_t *map = kn__malloc_array(values, sizeof *map);

    *out = map;
    KN_PASS(map ? KN_OK : kn__nomem(err));
    for (uint32_t code = 0; code < values; code++) {
        size_t len;
        const char *text = kn__column_text(from, code, &len);
        map[code] = code == from->missing ? to->missing : kn__dict_find(to->dict, text, len);
        if (code != from->missing && map[code] == to->missing) {
            map[code] = KN_NO_CODE;
        }
    }
    return KN_OK;
}

/* ---- columns ---- */

static kn_status find_columns(kn_comparison *c, kn_error *err)
{
    size_t *qi = NULL, columns = 0;
    double sum = 0;
    const kn_column *items = c->items ? kn__items_column_of(c->items) : NULL;
    kn_status status;

    KN_TRY(kn__utility_quasi(c->original, "original", items, &qi, &columns, err));
    c->column = kn__zalloc_array(columns, sizeof *c->column);
    KN_TRY(c->column ? KN_OK : kn__nomem(err));
    c->columns = columns;
    for (size_t i = 0; i < columns; i++) {
        const kn_column *column = &c->original->column[qi[i]];
        kn_compared *both = &c->column[i];
        both->original = qi[i];
        both->release = kn_dataset_find(c->release, column->name);
        both->weight = column->weight;
        both->star = KN_NO_CODE;
        sum += column->weight;
        if (both->release == SIZE_MAX) {
            KN_TRY(kn__fail(err, KN_EINPUT,
                            "the release has no column '%s', a quasi-identifier of the original: "
                            "measure a release with all of them, or give the column another role",
                            column->name));
        } else if (kn__type_is_list(c->release->column[both->release].type)) {
            KN_TRY(kn__fail(err, KN_EINPUT,
                            "column '%s' is a list in the release and not in the original: "
                            "read both with one schema",
                            column->name));
        } else if (!c->release->column[both->release].dict) {
            KN_TRY(kn__fail(err, KN_EINPUT,
                            "the values of column '%s' of the release were not kept when it was "
                            "read: give it a role that is published",
                            column->name));
        }
    }
    sum += items ? items->weight : 0;
    for (size_t i = 0; i < columns; i++) {
        c->column[i].weight = sum > 0 ? c->column[i].weight / sum
                                      : 1 / (double)(columns + (items != NULL));
    }
    if (items) {
        c->items_weight = sum > 0 ? items->weight / sum : 1 / (double)(columns + 1);
    }
done:
    kn__free(qi);
    return status;
}

/* ---- published values ---- */

typedef struct parsing {
    kn_comparison *of;
    const kn_hierarchies *hierarchies;
    kn_first_error error; /* by column */
} parsing;

static kn_status parse_column(kn_comparison *c, kn_compared *both,
                              const kn_hierarchies *hierarchies, kn_error *err)
{
    const kn_column *original = &c->original->column[both->original];
    const kn_column *release = &c->release->column[both->release];

    /* A value that the hierarchy lacks can have been published as the root or suppressed: both
     * are read back. */
    KN_PASS(kn__domain_new(&both->domain, original,
                           hierarchies ? kn_hierarchies_get(hierarchies, original->name) : NULL,
                           KN_UNCOVERED_ROOT, err));
    both->star = kn__dict_find(release->dict, "*", 1);
    KN_PASS(kn__parse_published(&both->published, both->domain, c->release, release, err));
    both->published_count = kn__column_values(release);
    return KN_OK;
}

static void parse_columns(void *user, unsigned worker, size_t begin, size_t end)
{
    parsing *p = user;

    (void)worker;
    for (size_t i = begin; i < end; i++) {
        kn_error error;
        if (parse_column(p->of, &p->of->column[i], p->hierarchies, &error) != KN_OK) {
            kn__first_error_note(&p->error, i, &error);
        }
    }
}

static kn_status parse_release(kn_comparison *c, const kn_hierarchies *hierarchies, kn_error *err)
{
    parsing p = {.of = c, .hierarchies = hierarchies, .error = KN_NO_ERROR_YET};

    kn__parallel_for(kn__run_threads(c->run), c->columns, 1, parse_columns, &p);
    return kn__first_error_take(&p.error, err);
}

/* ---- records ---- */

/* A column that is published as it was. */
typedef struct same {
    const kn_column *original, *release;
    uint32_t *code; /* by code of the release: that of the original */
} same;

typedef struct matching {
    const kn_comparison *of;
    uint8_t **covers; /* by quasi-identifier; [to * values + from]: 0 not known yet, 1 no, 2 yes.
                       * NULL: too large to keep */
    same *kept;
    size_t kept_count;
} matching;

static bool published_as_it_was(const kn_column *column)
{
    return column->role == KN_ROLE_KEPT || column->role == KN_ROLE_SENSITIVE ||
           column->role == KN_ROLE_UNSET;
}

static kn_status matching_init(matching *m, const kn_comparison *c, kn_error *err)
{
    const kn_dataset *original = c->original;

    m->of = c;
    m->covers = kn__zalloc_array(c->columns, sizeof *m->covers);
    m->kept = kn__zalloc_array(original->columns, sizeof *m->kept);
    KN_PASS(m->covers && m->kept ? KN_OK : kn__nomem(err));
    for (size_t i = 0; i < c->columns; i++) {
        const size_t values = c->column[i].domain->values;
        if (values * c->column[i].published_count <= MOST_REMEMBERED) {
            m->covers[i] = kn__zalloc(values * c->column[i].published_count);
            KN_PASS(m->covers[i] ? KN_OK : kn__nomem(err));
        }
    }
    for (size_t i = 0; i < original->columns; i++) {
        const kn_column *a = &original->column[i];
        const size_t found = published_as_it_was(a) ? kn_dataset_find(c->release, a->name)
                                                    : SIZE_MAX;
        const kn_column *b = found == SIZE_MAX ? NULL : &c->release->column[found];
        if (b && a->dict && b->dict && !a->starts == !b->starts) {
            same *kept = &m->kept[m->kept_count++];
            kept->original = a;
            kept->release = b;
            KN_PASS(kn__utility_translate(b, a, &kept->code, err));
        }
    }
    return KN_OK;
}

static void matching_clear(matching *m)
{
    for (size_t i = 0; m->covers && i < m->of->columns; i++) {
        kn__free(m->covers[i]);
    }
    for (size_t i = 0; i < m->kept_count; i++) {
        kn__free(m->kept[i].code);
    }
    KN_FREE(m->covers, m->kept);
}

/* Lists are compared in the order of their dictionaries; where one schema read both tables it is
 * the same. */
static bool same_cell(const same *s, size_t original, size_t release)
{
    const kn_column *a = s->original, *b = s->release;
    uint64_t len;

    if (!a->starts) {
        return s->code[kn__column_code(b, release)] == kn__column_code(a, original);
    }
    len = a->starts[original + 1] - a->starts[original];
    if (b->starts[release + 1] - b->starts[release] != len) {
        return false;
    }
    for (uint64_t i = 0; i < len; i++) {
        if (s->code[kn__column_code(b, b->starts[release] + i)] !=
            kn__column_code(a, a->starts[original] + i)) {
            return false;
        }
    }
    return true;
}

static bool covers(const matching *m, size_t column, size_t original, size_t release)
{
    const kn_compared *both = &m->of->column[column];
    const uint32_t from = kn__column_code(&m->of->original->column[both->original], original);
    const uint32_t to = kn__column_code(&m->of->release->column[both->release], release);
    uint8_t *known = NULL;

    if (m->covers[column]) {
        known = &m->covers[column][(size_t)to * both->domain->values + from];
        if (*known) {
            return *known == 2;
        }
    }
    const bool yes = kn__published_covers(&both->published[to], both->domain, from, NULL);
    if (known) {
        *known = yes ? 2 : 1;
    }
    return yes;
}

static bool may_be(const matching *m, size_t original, size_t release)
{
    for (size_t i = 0; i < m->kept_count; i++) {
        if (!same_cell(&m->kept[i], original, release)) {
            return false;
        }
    }
    for (size_t i = 0; i < m->of->columns; i++) {
        if (!covers(m, i, original, release)) {
            return false;
        }
    }
    return !m->of->items || kn__items_fit(m->of->items, original, release);
}

/* Each record of the release, in turn, takes the first record of the original after the last one
 * taken that it may be.
 *
 * If any matching in order exists, this finds one: let f be one, and g what is taken here. g(1)
 * <= f(1), as f(1) is a candidate and g(1) the first. If g(i) <= f(i), then f(i+1) > f(i) >=
 * g(i) is a candidate for i+1, so g(i+1) is found and is at most f(i+1). Hence every record of
 * the original is looked at once. */
static kn_status match(kn_comparison *c, kn_error *err)
{
    const size_t records = c->original->records, wanted = c->release->records;
    matching m = {0};
    size_t next = 0;
    kn_status status;

    c->found = kn__malloc_array(wanted, sizeof *c->found);
    if (!c->found) {
        return kn__nomem(err);
    }
    KN_TRY(matching_init(&m, c, err));
    for (size_t i = 0; i < records && next < wanted; i++) {
        if (records - i < wanted - next) {
            break;
        }
        if (may_be(&m, i, next)) {
            c->found[next++] = (uint32_t)i;
        }
        if (i % (1u << 20) == 0) {
            KN_TRY(kn__run_step(c->run, "match", (double)i / (double)records, err));
        }
    }
    if (next == wanted) {
        c->origin = c->found;
    }
done:
    matching_clear(&m);
    return status;
}

static kn_status check_origin(const kn_comparison *c, kn_error *err)
{
    const size_t records = c->original->records;
    uint8_t *taken = kn__zalloc(records / 8 + 1);
    kn_status status = KN_OK;

    if (!taken) {
        return kn__nomem(err);
    }
    for (size_t i = 0; i < c->release->records; i++) {
        const uint32_t from = c->origin[i];
        if (from >= records) {
            KN_TRY(kn__fail(err, KN_EUSAGE,
                            "record %zu of the release is said to come from record %zu of the "
                            "original, which has %zu: give numbers from 0",
                            i + 1, (size_t)from + 1, records));
        } else if (kn__dataset_count(c->release, i) != kn__dataset_count(c->original, from)) {
            KN_TRY(kn__fail(err, KN_EUSAGE,
                            "record %zu of the release and the record of the original from which "
                            "it comes stand for different numbers of people",
                            i + 1));
        } else if (taken[from / 8] >> (from % 8) & 1) {
            KN_TRY(kn__fail(err, KN_EUSAGE,
                            "record %zu of the original is said to be in the release twice, the "
                            "second time as record %zu: give each once",
                            (size_t)from + 1, i + 1));
        } else {
            taken[from / 8] = (uint8_t)(taken[from / 8] | 1u << (from % 8));
        }
    }
done:
    kn__free(taken);
    return status;
}

/* ---- classes ---- */

static bool starred(const kn_comparison *c, size_t record)
{
    for (size_t i = 0; i < c->columns; i++) {
        const kn_compared *both = &c->column[i];
        if (both->star == KN_NO_CODE ||
            kn__column_code(&c->release->column[both->release], record) != both->star) {
            return false;
        }
    }
    return true;
}

static kn_status form_classes(kn_comparison *c, kn_error *err)
{
    size_t *columns = kn__malloc_array(c->columns, sizeof *columns);
    kn_status status;

    KN_PASS(columns ? KN_OK : kn__nomem(err));
    for (size_t i = 0; i < c->columns; i++) {
        columns[i] = c->column[i].release;
    }
    status = kn__classes_new(&c->classes, c->release, columns, c->columns, c->run, err);
    kn__free(columns);
    if (status != KN_OK) {
        return status;
    }
    c->starred = kn__zalloc(c->classes->count);
    KN_PASS(c->starred ? KN_OK : kn__nomem(err));
    c->suppressed = c->absent;
    for (uint32_t i = 0; i < c->classes->count; i++) {
        c->starred[i] = starred(c, c->classes->first[i]);
        c->suppressed += c->starred[i] ? c->classes->size[i] : 0;
    }
    return KN_OK;
}

kn_status kn__comparison_new(kn_comparison **out, const kn_dataset *original,
                             const kn_dataset *release, const uint32_t *origin, kn_items *items,
                             const kn_hierarchies *hierarchies, const kn_run *run, kn_error *err)
{
    kn_comparison *c;
    kn_status status;

    *out = NULL;
    if (original->records >= UINT32_MAX || release->records > original->records) {
        return original->records >= UINT32_MAX
                   ? kn__fail(err, KN_EINPUT, "more than %zu records: measure them in parts",
                              (size_t)UINT32_MAX - 1)
                   : kn__about(err,
                               kn__fail(err, KN_EINPUT,
                                        "the release has %zu records and the original only %zu: "
                                        "are they given in the right order?",
                                        release->records, original->records),
                               KN_ERROR_MISMATCH);
    }
    c = kn__zalloc(sizeof *c);
    if (!c) {
        return kn__nomem(err);
    }
    c->original = original;
    c->release = release;
    c->origin = origin;
    c->items = items;
    c->run = run;
    c->people = kn__dataset_people(original);
    c->absent = c->people - kn__dataset_people(release);
    KN_TRY(find_columns(c, err));
    KN_TRY(parse_release(c, hierarchies, err));
    KN_TRY(origin ? check_origin(c, err) : match(c, err));
    KN_TRY(form_classes(c, err));
done:
    if (status != KN_OK) {
        kn__comparison_free(c);
        return status;
    }
    *out = c;
    return KN_OK;
}

void kn__comparison_free(kn_comparison *c)
{
    if (!c) {
        return;
    }
    for (size_t i = 0; i < c->columns; i++) {
        kn_compared *both = &c->column[i];
        kn__parsed_published_free(both->published, both->published_count);
        kn__domain_free(both->domain);
    }
    KN_FREE(c->column, c->found, c->starred);
    kn__classes_free(c->classes);
    kn__free(c);
}
