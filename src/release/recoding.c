/* recoding.c - a column of items as it is published: every item is replaced by the text that the
 * recoding gives it, and equal items of a set become one. */
#include "release/recoding.h"
#include "base/error.h"
#include "base/memory.h"
#include "base/sort.h"
#include "base/threads.h"

#include <stdlib.h>
#include <string.h>

enum { SLICE = 8192 }; /* records that a thread recodes at a time */

void kn__recoding_clear(kn_recoding *r)
{
    kn__dict_free(r->texts);
    KN_FREE(r->to, r->left_out, r->each);
    kn_hierarchies_free(r->hierarchies);
    kn__areas_free(r->areas);
    *r = (kn_recoding){0};
}

/* The text of the item at a position of the column. */
static inline uint32_t text_at(const kn_recoding *recoding, uint64_t position, uint32_t item)
{
    return recoding->each ? recoding->each[position] : recoding->to[item];
}

typedef struct text_order {
    const char *text;
    size_t len;
    uint32_t code;
} text_order;

static int by_bytes(const void *x, const void *y)
{
    const text_order *a = x, *b = y;

    return kn__order_bytes(a->text, a->len, b->text, b->len);
}

kn_status kn__texts_sort(kn_column *out, const kn_dict *texts, const uint8_t *used, uint32_t *code,
                         kn_error *err)
{
    const uint32_t count = texts->len;
    text_order *order = kn__malloc_array(count, sizeof *order);
    size_t len = 0;
    kn_status status;

    KN_TRY(order ? kn__dict_new(&out->dict, err) : kn__nomem(err));
    for (uint32_t i = 0; i < count; i++) {
        if (used[i]) {
            order[len].text = kn__dict_text(texts, i, &order[len].len);
            order[len++].code = i;
        }
    }
    if (len) {
        qsort(order, len, sizeof *order, by_bytes);
    }
    for (size_t i = 0; i < len; i++) {
        KN_TRY(kn__dict_add(out->dict, order[i].text, order[i].len, &code[order[i].code], err));
    }
done:
    kn__free(order);
    return status;
}

/* What the texts are in the published column. */
typedef struct publishing {
    const kn_recoding *recoding;
    uint32_t *code;   /* by text; KN_NO_CODE: it is not used */
    uint32_t missing; /* what a missing value, which has no text, becomes */
    uint32_t *of;     /* by item: its code, where all of one item have one; otherwise NULL */
} publishing;

static inline uint32_t code_at(const publishing *p, const kn_column *from, uint64_t position,
                               uint32_t item)
{
    const uint32_t text = text_at(p->recoding, position, item);

    if (text != KN_NO_CODE) {
        return p->code[text];
    }
    return item == from->missing ? p->missing : KN_NO_CODE;
}

/* Know the codes of all items, so that an occurrence takes one look. */
static kn_status find_codes(publishing *p, const kn_column *from, kn_error *err)
{
    const uint32_t values = kn__column_values(from);

    if (p->recoding->each) {
        return KN_OK;
    }
    p->of = kn__malloc_array(values, sizeof *p->of);
    for (uint32_t item = 0; p->of && item < values; item++) {
        p->of[item] = code_at(p, from, 0, item);
    }
    return p->of ? KN_OK : kn__nomem(err);
}

/* Lists are recoded slice by slice: each slice where it would begin if nothing were left out or
 * came together, and closed up afterwards, so that threads need not know each other's lengths. */
typedef struct recoding_lists {
    kn_column *out;
    const kn_column *from;
    const publishing *p;
    const uint32_t *origin;
    uint32_t *items; /* by worker: room for the longest list */
    size_t longest;
    size_t *begin, *len; /* by slice */
} recoding_lists;

/* The records of a slice, between codes of widths that are known. */
static inline void recode_records(const recoding_lists *x, uint32_t *items, size_t first,
                                  size_t end, uint8_t from_width, uint8_t to_width)
{
    const kn_column *from = x->from;
    const publishing *p = x->p;
    const uint32_t *of = p->of;
    const bool set = x->out->type == KN_TYPE_SET;
    const size_t begin = x->begin[first / SLICE];
    void *codes = x->out->codes;
    size_t at = begin;

    for (size_t i = first; i < end; i++) {
        const uint64_t stop = from->starts[x->origin[i] + 1];
        size_t len = 0, kept = 0;
        uint64_t next = 0; /* the least that keeps the order, without a repeat */
        bool ordered = true;

        x->out->starts[i] = at - begin;
        for (uint64_t j = from->starts[x->origin[i]]; j < stop; j++) {
            const uint32_t item = kn__code_get(from->codes, from_width, (size_t)j);
            const uint32_t code = of ? of[item] : code_at(p, from, j, item);
            if (code != KN_NO_CODE) {
                ordered &= code >= next;
                next = (uint64_t)code + 1;
                kn__code_set(codes, to_width, at + len, code);
                items[len++] = code;
            }
        }
        if (ordered) {
            at += len;
            continue;
        }
        kn__sort_u32(items, len);
        for (size_t j = 0; j < len; j++) {
            if (!set || j == 0 || items[j] != items[j - 1]) {
                kn__code_set(codes, to_width, at + kept++, items[j]);
            }
        }
        at += kept;
    }
    x->len[first / SLICE] = at - begin;
}

static void recode_slice(void *user, unsigned worker, size_t first, size_t end)
{
    const recoding_lists *x = user;
    uint32_t *items = x->items + worker * x->longest;

    KN_BY_WIDTHS(x->from->width, x->out->width, recode_records, x, items, first, end);
}

static void close_up(const recoding_lists *x, size_t records)
{
    char *codes = x->out->codes;
    const size_t width = x->out->width;
    size_t at = 0;

    for (size_t slice = 0; slice * SLICE < records; slice++) {
        const size_t end = records - slice * SLICE < SLICE ? records : (slice + 1) * SLICE;
        if (at != x->begin[slice]) {
            memmove(codes + at * width, codes + x->begin[slice] * width, x->len[slice] * width);
        }
        for (size_t i = slice * SLICE; i < end; i++) {
            x->out->starts[i] += at;
        }
        at += x->len[slice];
    }
    x->out->starts[records] = at;
}

static kn_status write_lists(kn_column *out, const kn_column *from, const publishing *p,
                             const uint32_t *origin, size_t records, unsigned threads,
                             kn_error *err)
{
    const size_t slices = records / SLICE + 1;
    recoding_lists x = {.out = out, .from = from, .p = p, .origin = origin};
    size_t total = 0;
    kn_status status = KN_OK;

    x.begin = kn__malloc_array(slices, 2 * sizeof *x.begin);
    KN_PASS(x.begin ? KN_OK : kn__nomem(err));
    x.len = x.begin + slices;
    for (size_t i = 0; i < records; i++) {
        const size_t len = (size_t)(from->starts[origin[i] + 1] - from->starts[origin[i]]);
        if (i % SLICE == 0) {
            x.begin[i / SLICE] = total;
        }
        x.longest = len > x.longest ? len : x.longest;
        total += len;
    }
    x.items = kn__malloc_array(x.longest, threads * sizeof *x.items);
    out->width = kn__code_width(out->dict->len);
    out->starts = kn__malloc_array(records + 1, sizeof *out->starts);
    out->codes = kn__malloc_array(total, out->width);
    if (!x.items || !out->starts || !out->codes) {
        status = kn__nomem(err);
    } else {
        kn__parallel_for(threads, records, SLICE, recode_slice, &x);
        close_up(&x, records);
    }
    KN_FREE(x.items, x.begin);
    return status;
}

/* A missing value among the items is none; it stays as it is. Its text must come last. */
static kn_status keep_missing(kn_column *out, const kn_column *from, bool occurs, kn_error *err)
{
    size_t len;
    const char *text;

    if (!occurs) {
        return KN_OK;
    }
    text = kn__column_text(from, from->missing, &len);
    if (kn__dict_find(out->dict, text, len) != KN_NO_CODE) {
        return kn__fail(err, KN_EINPUT,
                        "column '%s': an item would be published as '%.*s', which stands for a "
                        "missing one: rename it in the hierarchy",
                        from->name, (int)(len < 80 ? len : 80), text);
    }
    out->missing = out->dict->len;
    return kn__dict_append(out->dict, text, len, err);
}

/* Which texts are published, and whether a missing value is among the items. */
static kn_status find_used(uint8_t *used, bool *missing, const kn_column *from,
                           const kn_recoding *recoding, const uint32_t *origin, size_t records,
                           kn_error *err)
{
    const uint32_t values = kn__column_values(from);
    uint8_t *met = kn__zalloc_array(values, 1);

    KN_PASS(met ? KN_OK : kn__nomem(err));
    for (size_t i = 0, next; i < records; i = next) { /* records that stand together are one run */
        const uint64_t begin = from->starts[origin[i]];
        uint64_t end;
        for (next = i + 1; next < records && origin[next] == origin[next - 1] + 1; next++) {
        }
        end = from->starts[origin[next - 1] + 1];
        if (from->width == 2) {
            const uint16_t *codes = from->codes;
            for (uint64_t j = begin; j < end; j++) {
                met[codes[j]] = 1;
            }
        } else {
            for (uint64_t j = begin; j < end; j++) {
                met[kn__code_get(from->codes, from->width, (size_t)j)] = 1;
            }
        }
        for (uint64_t j = begin; recoding->each && j < end; j++) {
            if (recoding->each[j] != KN_NO_CODE) {
                used[recoding->each[j]] = 1;
            }
        }
    }
    for (uint32_t item = 0; item < values && !recoding->each; item++) {
        if (met[item] && recoding->to[item] != KN_NO_CODE) {
            used[recoding->to[item]] = 1;
        }
    }
    *missing = from->missing != KN_NO_CODE && met[from->missing];
    kn__free(met);
    return KN_OK;
}

kn_status kn__items_publish(kn_column *out, const kn_column *from, const kn_recoding *recoding,
                            const uint32_t *origin, size_t records, unsigned threads, kn_error *err)
{
    uint8_t *used = kn__zalloc_array(recoding->texts->len, 1);
    publishing p = {.recoding = recoding,
                    .code = kn__malloc_array(recoding->texts->len, sizeof *p.code)};
    bool missing = false;
    kn_status status;

    KN_TRY(used && p.code ? KN_OK : kn__nomem(err));
    out->type = from->type == KN_TYPE_SET ? KN_TYPE_SET : KN_TYPE_BAG;
    out->missing = KN_NO_CODE;
    KN_TRY(find_used(used, &missing, from, recoding, origin, records, err));
    KN_TRY(kn__texts_sort(out, recoding->texts, used, p.code, err));
    KN_TRY(keep_missing(out, from, missing, err));
    p.missing = out->missing;
    KN_TRY(find_codes(&p, from, err));
    KN_TRY(write_lists(out, from, &p, origin, records, threads, err));
done:
    KN_FREE(used, p.code, p.of);
    return status;
}
