/* changes.c - which published value each original value became, and for how many records.
 *
 * Where one original became several published values (local recoding), the pairs would tell more
 * about single groups than the release does; then only the number of originals behind a published
 * value is kept. */
#include "base/error.h"
#include "base/map.h"
#include "base/memory.h"
#include "report/facts.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

typedef struct pair {
    uint32_t to, from;
    size_t records;
} pair;

static int by_published(const void *a, const void *b)
{
    const pair *x = a, *y = b;

    if (x->to != y->to) {
        return x->to < y->to ? -1 : 1;
    }
    if (x->records != y->records) {
        return x->records < y->records ? 1 : -1;
    }
    return x->from < y->from ? -1 : x->from > y->from;
}

static int by_original(const void *a, const void *b)
{
    const pair *x = a, *y = b;

    if (x->from != y->from) {
        return x->from < y->from ? -1 : 1;
    }
    return x->to < y->to ? -1 : x->to > y->to;
}

/* A published value: pairs begin..end-1 of the list sorted by_published. */
typedef struct run {
    size_t begin, end, records;
} run;

static int by_size(const void *a, const void *b)
{
    const run *x = a, *y = b;

    if (x->records != y->records) {
        return x->records < y->records ? 1 : -1;
    }
    return x->begin < y->begin ? -1 : x->begin > y->begin;
}

static bool suppressed(const kn_column *c, uint32_t code)
{
    size_t len;
    const char *text = kn__column_text(c, code, &len);

    return len == 1 && text[0] == '*';
}

static bool same_text(const kn_column *a, uint32_t x, const kn_column *b, uint32_t y)
{
    size_t m, n;
    const char *s = kn__column_text(a, x, &m), *t = kn__column_text(b, y, &n);

    if ((x == a->missing) != (y == b->missing)) {
        return false;
    }
    return m == n && memcmp(s, t, m) == 0;
}

/* Sorts `list` by original; `*` aside, each original must have gone to one published value. */
static bool is_uniform(pair *list, size_t count, const kn_column *to)
{
    uint32_t from = KN_NO_CODE;

    qsort(list, count, sizeof *list, by_original);
    for (size_t i = 0; i < count; i++) {
        if (suppressed(to, list[i].to)) {
            continue;
        }
        if (list[i].from == from) {
            return false;
        }
        from = list[i].from;
    }
    return true;
}

static void change_clear(kn_change *c)
{
    for (size_t i = 0; i < c->from_count; i++) {
        kn__free(c->from[i].label);
    }
    KN_FREE(c->from, c->published);
    *c = (kn_change){0};
}

void kn__changes_clear(kn_changes *c)
{
    for (size_t i = 0; i < c->count; i++) {
        change_clear(&c->change[i]);
    }
    kn__free(c->change);
    *c = (kn_changes){0};
}

/* `known` are the records of each original value in the whole original. */
static kn_status name_originals(kn_change *out, const pair *list, size_t count,
                                const kn_column *from, const size_t *known, size_t rare_below,
                                kn_error *err)
{
    const size_t most = count < KN_REPORT_ORIGINS ? count : KN_REPORT_ORIGINS;

    out->from = kn__zalloc_array(most, sizeof *out->from);
    KN_PASS(out->from ? KN_OK : kn__nomem(err));
    for (size_t i = 0; i < count; i++) {
        if (list[i].records < rare_below || known[list[i].from] < rare_below) {
            out->rare_values++;
            out->rare_records += list[i].records;
        } else if (out->from_count == KN_REPORT_ORIGINS) {
            out->more_values++;
            out->more_records += list[i].records;
        } else {
            kn_bar *bar = &out->from[out->from_count];
            const kn_status status = kn__label(&bar->label, from, list[i].from, err);
            if (status != KN_OK) {
                return status;
            }
            bar->records = list[i].records;
            out->from_count++;
        }
    }
    return KN_OK;
}

static kn_status fill(kn_changes *out, const pair *list, const run *runs, size_t count,
                      const kn_column *from, const kn_column *to, const size_t *known,
                      size_t rare_below, kn_error *err)
{
    kn_status status;

    out->change = kn__zalloc_array(count < KN_REPORT_CHANGES ? count : KN_REPORT_CHANGES,
                                   sizeof *out->change);
    KN_PASS(out->change ? KN_OK : kn__nomem(err));
    for (size_t i = 0; i < count; i++) {
        const pair *own = &list[runs[i].begin];
        const size_t originals = runs[i].end - runs[i].begin;
        kn_change *change;

        if (originals == 1 && same_text(from, own->from, to, own->to)) {
            continue;
        }
        if (runs[i].records < rare_below) {
            out->rare_values++;
            out->rare_records += runs[i].records;
            continue;
        }
        if (out->count == KN_REPORT_CHANGES) {
            out->more_values++;
            out->more_records += runs[i].records;
            continue;
        }
        change = &out->change[out->count++];
        change->originals = originals;
        change->records = runs[i].records;
        status = kn__label(&change->published, to, own->to, err);
        if (status == KN_OK && out->uniform && !suppressed(to, own->to)) {
            status = name_originals(change, own, originals, from, known, rare_below, err);
        }
        if (status != KN_OK) {
            return status;
        }
    }
    return KN_OK;
}

static kn_status collect(pair **out, size_t *count, const kn_dataset *original,
                         const kn_column *from, const kn_dataset *published, const kn_column *to,
                         const uint32_t *origin, kn_error *err)
{
    kn_map counts = {0}; /* by published and original code: records */
    size_t used = 0;
    kn_status status = KN_OK;

    *out = NULL;
    for (size_t i = 0; i < published->records; i++) {
        const size_t record = origin ? origin[i] : i;
        const uint64_t key = (uint64_t)kn__column_code(to, i) << 32 | kn__column_code(from, record);
        kn_map_slot *slot;

        assert(record < original->records);
        (void)original;
        KN_TRY(kn__map_reserve(&counts, counts.used + 1, err));
        slot = kn__map_find(&counts, key);
        if (!slot->value) {
            kn__map_put(&counts, slot, key, 0);
        }
        slot->value++;
    }
    *out = kn__malloc_array(counts.used, sizeof **out);
    KN_TRY(*out ? KN_OK : kn__nomem(err));
    for (size_t i = 0; counts.used && i <= counts.mask; i++) {
        const kn_map_slot *slot = &counts.slots[i];
        if (slot->value) {
            (*out)[used++] = (pair){(uint32_t)(slot->key >> 32), (uint32_t)slot->key, slot->value};
        }
    }
    *count = used;
done:
    kn__map_clear(&counts);
    return status;
}

kn_status kn__changes_count(kn_changes *out, const kn_dataset *original, size_t from,
                            const kn_dataset *published, size_t to, const uint32_t *origin,
                            size_t rare_below, kn_error *err)
{
    const kn_column *a = &original->column[from], *b = &published->column[to];
    pair *list = NULL;
    run *runs = NULL;
    size_t count = 0, used = 0, *known = NULL;
    kn_status status;

    assert(a->role != KN_ROLE_IDENTIFIER);
    *out = (kn_changes){0};
    if (a->starts || b->starts || (!origin && original->records != published->records)) {
        return KN_OK;
    }
    KN_TRY(collect(&list, &count, original, a, published, b, origin, err));
    runs = kn__malloc_array(count, sizeof *runs);
    known = kn__zalloc_array(kn__column_values(a), sizeof *known);
    KN_TRY(runs && known ? KN_OK : kn__nomem(err));
    for (size_t i = 0; i < original->records; i++) {
        known[kn__column_code(a, i)]++;
    }
    out->known = true;
    out->uniform = is_uniform(list, count, b);
    qsort(list, count, sizeof *list, by_published);
    for (size_t i = 0; i < count; i++) {
        if (i == 0 || list[i].to != list[i - 1].to) {
            runs[used++] = (run){.begin = i};
        }
        runs[used - 1].end = i + 1;
        runs[used - 1].records += list[i].records;
        if (suppressed(b, list[i].to)) {
            out->suppressed_records += list[i].records;
        } else if (same_text(a, list[i].from, b, list[i].to)) {
            out->same_records += list[i].records;
        } else {
            out->changed_records += list[i].records;
        }
    }
    qsort(runs, used, sizeof *runs, by_size);
    status = fill(out, list, runs, used, a, b, known, rare_below, err);
done:
    KN_FREE(list, runs, known);
    if (status != KN_OK) {
        kn__changes_clear(out);
    }
    return status;
}

/* Whether two records have the same list; `values` has the original's codes by published code.
 * Codes ascend in a list. Dictionaries of one type are sorted alike, so equal lists are equal in
 * order; of two types a list that stayed may be taken for one that changed. */
static bool same_list(const kn_column *a, size_t record, const kn_column *b, size_t published,
                      const uint32_t *values)
{
    const size_t begin = a->starts[record], count = a->starts[record + 1] - begin;
    const size_t at = b->starts[published];

    if (b->starts[published + 1] - at != count) {
        return false;
    }
    for (size_t i = 0; i < count; i++) {
        if (values[kn__column_code(b, at + i)] != kn__column_code(a, begin + i)) {
            return false;
        }
    }
    return true;
}

kn_status kn__lists_unchanged(bool *out, const kn_dataset *original, size_t from,
                              const kn_dataset *published, size_t to, const uint32_t *origin,
                              kn_error *err)
{
    const kn_column *a = &original->column[from], *b = &published->column[to];
    uint32_t *values;

    assert(a->role != KN_ROLE_IDENTIFIER);
    *out = false;
    if (!a->starts || !b->starts || (!origin && original->records != published->records)) {
        return KN_OK;
    }
    values = kn__malloc_array(kn__column_values(b), sizeof *values);
    KN_PASS(values ? KN_OK : kn__nomem(err));
    for (uint32_t code = 0; code < kn__column_values(b); code++) {
        size_t len;
        const char *text = kn__column_text(b, code, &len);
        values[code] = code == b->missing ? a->missing : kn__dict_find(a->dict, text, len);
    }
    *out = true;
    for (size_t i = 0; i < published->records && *out; i++) {
        *out = same_list(a, origin ? origin[i] : i, b, i, values);
    }
    kn__free(values);
    return KN_OK;
}
