/* classes.c - equivalence classes as counts that merge: a sum per key, so the order and grouping in
 * which slices are added do not matter. Two hash tables while it is counted; written in the order
 * of the keys, so that equal counts are equal bytes. */
#include "base/memory.h"
#include "base/threads.h"
#include "guarantees/partial/partial.h"

#include <stdlib.h>
#include <string.h>

enum { STEP = 1 << 16 }; /* records between two calls of progress */

static void put_code(char *key, uint32_t code)
{
    for (int i = 0; i < 4; i++) {
        key[i] = (char)(code >> (8 * (3 - i)));
    }
}

static uint32_t get_code(const char *key)
{
    uint32_t code = 0;

    for (int i = 0; i < 4; i++) {
        code = code << 8 | (unsigned char)key[i];
    }
    return code;
}

kn_status kn__class_counts_init(kn_class_counts *c, kn_error *err)
{
    *c = (kn_class_counts){0};
    KN_PASS(kn__dict_new(&c->keys, err));
    return kn__dict_new(&c->cells, err);
}

void kn__class_counts_clear(kn_class_counts *c)
{
    kn__dict_free(c->keys);
    kn__dict_free(c->cells);
    KN_FREE(c->size, c->times);
    *c = (kn_class_counts){0};
}

uint32_t kn__class_code(const kn_class_counts *c, uint32_t i, size_t place)
{
    size_t len;
    const char *key = kn__dict_text(c->keys, i, &len);

    return get_code(key + 4 * place);
}

/* Add `times` to what `dict` and `sums` have for `key`. */
static kn_status add(kn_dict *dict, uint64_t **sums, size_t *cap, const char *key, size_t len,
                     uint64_t times, uint32_t *number, kn_error *err)
{
    const uint32_t known = dict->len;

    KN_PASS(kn__grow(sums, cap, (size_t)known + 1, sizeof **sums, err));
    KN_PASS(kn__dict_add(dict, key, len, number, err));
    (*sums)[*number] = (*number == known ? 0 : (*sums)[*number]) + times;
    return KN_OK;
}

static kn_status add_cell(kn_class_counts *c, uint32_t number, size_t s, uint32_t code,
                          uint64_t times, kn_error *err)
{
    uint32_t ignored;
    char cell[12];

    put_code(cell, number);
    put_code(cell + 4, (uint32_t)s);
    put_code(cell + 8, code);
    return add(c->cells, &c->times, &c->times_cap, cell, sizeof cell, times, &ignored, err);
}

static kn_status count_records(kn_partial *p, const kn_dataset *slice, const size_t *at,
                               uint32_t *const *map, char *key, const kn_run *run, kn_error *err)
{
    kn_class_counts *c = &p->classes;

    for (size_t i = 0; i < slice->records; i++) {
        uint32_t number;
        if (i % STEP == 0) {
            KN_PASS(kn__run_step(run, "count", (double)i / (double)slice->records, err));
        }
        for (size_t q = 0; q < p->quasis; q++) {
            const size_t column = p->quasi[q];
            put_code(key + 4 * q, map[column][kn__column_code(&slice->column[at[column]], i)]);
        }
        KN_PASS(add(c->keys, &c->size, &c->size_cap, key, 4 * p->quasis, 1, &number, err));
        for (size_t s = 0; s < p->sensitives; s++) {
            const size_t column = p->sensitive[s];
            KN_PASS(add_cell(c, number, s,
                             map[column][kn__column_code(&slice->column[at[column]], i)], 1, err));
        }
    }
    return KN_OK;
}

kn_status kn__classes_add(kn_partial *p, const kn_dataset *slice, const size_t *at,
                          const kn_run *run, kn_error *err)
{
    uint32_t **map = kn__zalloc_array(p->space.columns, sizeof(uint32_t *));
    char *key = kn__malloc(4 * p->quasis);
    kn_status status;

    KN_TRY(map && key ? KN_OK : kn__nomem(err));
    for (size_t i = 0; i < p->space.columns; i++) {
        KN_TRY(kn__space_map(&map[i], &p->space.column[i], &slice->column[at[i]], err));
    }
    status = count_records(p, slice, at, map, key, run, err);
    p->broken = status != KN_OK;
    p->records += slice->records;
done:
    for (size_t i = 0; map && i < p->space.columns; i++) {
        kn__free(map[i]);
    }
    KN_FREE(map, key);
    return status;
}

/* ---- in the order of the keys ---- */

typedef struct ranked {
    const char *key;
    size_t len;
    uint32_t number;
} ranked;

static int compare(const void *a, const void *b)
{
    const ranked *x = a, *y = b;

    return memcmp(x->key, y->key, x->len);
}

/* The entries of `dict` by key, in `*out` (kn__free). */
static kn_status rank(ranked **out, const kn_dict *dict, kn_error *err)
{
    ranked *list = kn__malloc_array(dict->len, sizeof *list);

    *out = list;
    KN_PASS(list ? KN_OK : kn__nomem(err));
    for (uint32_t i = 0; i < dict->len; i++) {
        list[i].number = i;
        list[i].key = kn__dict_text(dict, i, &list[i].len);
    }
    if (dict->len) {
        qsort(list, dict->len, sizeof *list, compare);
    }
    return KN_OK;
}

kn_status kn__classes_sort(kn_class_counts *c, kn_error *err)
{
    kn_class_counts sorted;
    ranked *list = NULL;
    uint32_t *place = kn__malloc_array(c->keys->len, sizeof *place), ignored;
    kn_status status = kn__class_counts_init(&sorted, err);

    KN_TRY(status);
    KN_TRY(place ? rank(&list, c->keys, err) : kn__nomem(err));
    for (uint32_t i = 0; i < c->keys->len; i++) {
        place[list[i].number] = i;
        KN_TRY(add(sorted.keys, &sorted.size, &sorted.size_cap, list[i].key, list[i].len,
                   c->size[list[i].number], &ignored, err));
    }
    for (uint32_t i = 0; i < c->cells->len; i++) {
        size_t len;
        const char *cell = kn__dict_text(c->cells, i, &len);
        KN_TRY(add_cell(&sorted, place[get_code(cell)], get_code(cell + 4), get_code(cell + 8),
                        c->times[i], err));
    }
    kn__class_counts_clear(c);
    *c = sorted;
    sorted = (kn_class_counts){0};
done:
    kn__class_counts_clear(&sorted);
    KN_FREE(place, list);
    return status;
}

/* ---- bytes ---- */

kn_status kn__classes_write(const kn_partial *p, kn_buffer *b, kn_error *err)
{
    kn_class_counts sorted = {0};
    ranked *cells = NULL;
    size_t at = 0;
    uint32_t ignored;
    kn_status status;

    /* A copy in the order of the keys: `p` stays as it is. */
    KN_TRY(kn__class_counts_init(&sorted, err));
    for (uint32_t i = 0; i < p->classes.keys->len; i++) {
        size_t len;
        const char *key = kn__dict_text(p->classes.keys, i, &len);
        KN_TRY(add(sorted.keys, &sorted.size, &sorted.size_cap, key, len, p->classes.size[i],
                   &ignored, err));
    }
    for (uint32_t i = 0; i < p->classes.cells->len; i++) {
        size_t len;
        const char *cell = kn__dict_text(p->classes.cells, i, &len);
        KN_TRY(add(sorted.cells, &sorted.times, &sorted.times_cap, cell, len, p->classes.times[i],
                   &ignored, err));
    }
    KN_TRY(kn__classes_sort(&sorted, err));
    KN_TRY(rank(&cells, sorted.cells, err));
    kn__put(b, p->quasis, 4);
    kn__put(b, p->sensitives, 4);
    kn__put(b, sorted.keys->len, 4);
    for (uint32_t i = 0; i < sorted.keys->len; i++) {
        for (size_t q = 0; q < p->quasis; q++) {
            kn__put(b, kn__class_code(&sorted, i, q), 4);
        }
        kn__put(b, sorted.size[i], 8);
        for (size_t s = 0; s < p->sensitives; s++) {
            size_t end = at;
            while (end < sorted.cells->len && get_code(cells[end].key) == i &&
                   get_code(cells[end].key + 4) == s) {
                end++;
            }
            kn__put(b, end - at, 4);
            for (; at < end; at++) {
                kn__put(b, get_code(cells[at].key + 8), 4);
                kn__put(b, sorted.times[cells[at].number], 8);
            }
        }
    }
done:
    kn__class_counts_clear(&sorted);
    kn__free(cells);
    return status;
}

static kn_status wrong(const char *what, kn_error *err)
{
    return kn__fail(err, KN_EINPUT, "these bytes are no counts: %s", what);
}

/* The histogram of one sensitive column of class `number`. */
static kn_status read_histogram(kn_partial *p, kn_byte_reader *r, size_t s, uint64_t size,
                                uint32_t number, bool add_it, kn_error *err)
{
    const kn_dictionary_column *column = &p->space.column[p->sensitive[s]];
    const uint32_t distinct = (uint32_t)kn__take(r, 4);
    uint64_t sum = 0;
    uint32_t before = 0;

    for (uint32_t i = 0; i < distinct && !r->short_of; i++) {
        const uint32_t code = (uint32_t)kn__take(r, 4);
        const uint64_t times = kn__take(r, 8);
        if (code >= kn__space_values(column) || (i && code <= before) || times == 0 ||
            times > size - sum) {
            KN_PASS(wrong("a histogram cannot be", err));
        }
        before = code;
        sum += times;
        if (add_it) {
            KN_PASS(add_cell(&p->classes, number, s, code, times, err));
        }
    }
    return !r->short_of && sum != size ? wrong("a histogram does not fit its class", err) : KN_OK;
}

kn_status kn__classes_read(kn_partial *p, kn_byte_reader r, bool add_it, kn_error *err)
{
    const uint64_t records = kn__take(&r, 8);
    const uint64_t quasis = kn__take(&r, 4), sensitives = kn__take(&r, 4);
    const uint32_t classes = (uint32_t)kn__take(&r, 4);
    char *key = kn__malloc(8 * p->quasis), *before = key ? key + 4 * p->quasis : NULL;
    uint64_t sum = 0;
    uint32_t number = 0;
    kn_status status;

    KN_TRY(key ? KN_OK : kn__nomem(err));
    if (!r.short_of && (quasis != p->quasis || sensitives != p->sensitives)) {
        KN_TRY(kn__fail(
            err, KN_EUSAGE,
            "these counts are of %llu quasi-identifiers and %llu sensitive columns, and "
            "others are of %zu and %zu: ask for the same guarantees everywhere",
            (unsigned long long)quasis, (unsigned long long)sensitives, p->quasis, p->sensitives));
    }
    for (uint32_t i = 0; i < classes && !r.short_of; i++) {
        uint64_t size;
        for (size_t q = 0; q < p->quasis; q++) {
            const uint32_t code = (uint32_t)kn__take(&r, 4);
            KN_TRY(code < kn__space_values(&p->space.column[p->quasi[q]]) || r.short_of
                       ? KN_OK
                       : wrong("a class has a value that there is not", err));
            put_code(key + 4 * q, code);
        }
        size = kn__take(&r, 8);
        if (!r.short_of &&
            ((i && memcmp(before, key, 4 * p->quasis) >= 0) || size == 0 || size > records - sum)) {
            KN_TRY(wrong("its classes are not in order, or do not fit its records", err));
        }
        sum += size;
        memcpy(before, key, 4 * p->quasis);
        if (add_it) {
            KN_TRY(add(p->classes.keys, &p->classes.size, &p->classes.size_cap, key, 4 * p->quasis,
                       size, &number, err));
        }
        for (size_t s = 0; s < p->sensitives && !r.short_of; s++) {
            KN_TRY(read_histogram(p, &r, s, size, number, add_it, err));
        }
    }
    if (r.short_of) {
        KN_TRY(wrong("they end early", err));
    }
    if (sum != records) {
        KN_TRY(wrong("its classes do not fit its records", err));
    }
    if (r.left) {
        KN_TRY(wrong("more follows where they should end", err));
    }
    if (records > UINT64_MAX - p->records) {
        KN_TRY(wrong("there are too many records", err));
    }
    if (add_it) {
        p->records += records;
    }
done:
    kn__free(key);
    return status;
}
