/* lra.c - k^m-anonymity of items by local recoding.
 *
 * LRA of Terrovitis, Mamoulis and Kalnis ("Local and global recoding methods for anonymizing
 * set-valued data", VLDB Journal 2011) orders the records so that similar ones are neighbours, cuts
 * them into parts and recodes each part by itself: what is k^m-anonymous in its part is so in the
 * whole. But what is frequent in the whole is often rare in a part, and then the parts lose more
 * than they gain. So we end with what the whole allows: whatever a start says, the global one or
 * that of the parts, names are made finer record by record as long as every combination keeps its k
 * records in the whole (lra_refine.c). As the global start is always tried, the result is never
 * worse than apriori's. */
#include "base/sort.h"
#include "methods/registry.h"
#include "methods/params.h"
#include "methods/sets/lra.h"
#include "base/error.h"
#include "base/memory.h"
#include "methods/sets/apriori.h"

#include <stdlib.h>
#include <string.h>

/* ---- parts of the records ---- */

typedef struct ordered {
    const uint32_t *place;
    size_t len;
    uint32_t record;
} ordered;

int kn__gray_order(const uint32_t *a, size_t a_len, const uint32_t *b, size_t b_len)
{
    size_t same = 0;

    while (same < a_len && same < b_len && a[same] == b[same]) {
        same++;
    }
    if (same == a_len && same == b_len) {
        return 0;
    }
    const bool has = same == b_len || (same < a_len && a[same] < b[same]);
    return has == (same % 2 == 1) ? -1 : 1;
}

static int by_gray(const void *x, const void *y)
{
    const ordered *a = x, *b = y;
    const int order = kn__gray_order(a->place, a->len, b->place, b->len);

    return order ? order : KN_ORDER(a->record, b->record);
}

static kn_status order_records(const kn_cut *c, ordered **out, kn_error *err)
{
    ordered *list = kn__malloc_array(c->records, sizeof *list);

    *out = list;
    KN_PASS(list ? KN_OK : kn__nomem(err));
    for (size_t i = 0; i < c->records; i++) {
        list[i] = (ordered){c->place + c->starts[i], (size_t)(c->starts[i + 1] - c->starts[i]),
                            (uint32_t)i};
    }
    if (c->records > 1) {
        qsort(list, c->records, sizeof *list, by_gray);
    }
    return KN_OK;
}

/* Whether these records can be k^m-anonymous by themselves: in bags those with so many items must
 * be k, too. */
static bool stand_alone(const kn_cut *c, const ordered *list, size_t count)
{
    for (size_t size = 1; size <= (c->bags ? c->m : 1); size++) {
        uint64_t support = 0;
        for (size_t i = 0; i < count; i++) {
            support += list[i].len >= size ? c->weight[list[i].record] : 0;
        }
        if (support > 0 && support < c->k) {
            return false;
        }
    }
    return true;
}

/* Where parts end, about equally many people in each: `end` has room for `most`; how many there
 * are. A part that cannot stand alone goes with the next, the last one with those before. */
static size_t cut_records(const kn_cut *c, const ordered *list, size_t most, size_t *end)
{
    uint64_t all = 0, seen = 0;
    size_t parts = 0, begin = 0;

    for (size_t i = 0; i < c->records; i++) {
        all += c->weight[i];
    }
    for (size_t i = 0; i < c->records; i++) {
        seen += c->weight[list[i].record];
        if (i + 1 == c->records ||
            (parts + 1 < most && (double)seen >= (double)all * (double)(parts + 1) / (double)most &&
             stand_alone(c, list + begin, i + 1 - begin))) {
            end[parts++] = begin = i + 1;
        }
    }
    while (parts > 1 && !stand_alone(c, list + end[parts - 2], end[parts - 1] - end[parts - 2])) {
        end[parts - 2] = end[parts - 1];
        parts--;
    }
    return parts;
}

static kn_status write_part(const kn_cut *c, const ordered *list, size_t count,
                            const uint32_t *code_at, kn_baskets *b, kn_error *err)
{
    uint64_t occurrences = 0, at = 0;
    size_t next = 0;

    b->records = 0;
    for (size_t i = 0; i < count; i++) {
        b->records += c->weight[list[i].record];
        occurrences += c->weight[list[i].record] * (uint64_t)list[i].len;
    }
    b->starts = kn__malloc_array(b->records + 1, sizeof *b->starts);
    b->list = kn__malloc_array((size_t)occurrences, sizeof *b->list);
    KN_PASS(b->starts && b->list ? KN_OK : kn__nomem(err));
    for (size_t i = 0; i < count; i++) {
        for (uint32_t w = 0; w < c->weight[list[i].record]; w++) {
            b->starts[next++] = at;
            for (size_t j = 0; j < list[i].len; j++) {
                b->list[at++] = code_at[list[i].place[j]];
            }
        }
    }
    b->starts[next] = at;
    return KN_OK;
}

/* Recode the records list[0..count) by themselves, into `n`. */
static kn_status recode_part(const kn_items_task *task, kn_names *n, const ordered *list,
                             size_t count, const uint32_t *code_at, kn_error *err)
{
    const kn_cut *c = n->c;
    kn_baskets b = {.items = task->baskets->items, .bags = c->bags};
    kn_cut *part = NULL;
    kn_status status;

    KN_TRY(write_part(c, list, count, code_at, &b, err));
    KN_TRY(kn__cut_new(&part, c->domain, &b, c->k, c->m, c->threads, err));
    KN_TRY(kn__apriori_search(part, KN_APRIORI_WORK, task->run, err));
    KN_TRY(kn__cut_split_partly(part, task->run, err));
    for (size_t i = 0; i < count; i++) {
        const uint64_t begin = c->starts[list[i].record];
        for (size_t j = 0; j < list[i].len; j++) {
            n->name[begin + j] = part->to[part->place_of[code_at[list[i].place[j]]]];
        }
    }
done:
    n->loss += status == KN_OK ? part->loss : 0;
    kn__cut_free(part);
    KN_FREE(b.starts, b.list);
    return status;
}

static kn_status recode_parts(const kn_items_task *task, kn_names *n, size_t parts, kn_error *err)
{
    const kn_cut *c = n->c;
    ordered *list = NULL;
    size_t *end = kn__malloc_array(parts, sizeof *end);
    uint32_t *code_at = kn__malloc_array(c->places, sizeof *code_at);
    kn_status status = end && code_at ? order_records(c, &list, err) : kn__nomem(err);

    n->loss = 0;
    if (status == KN_OK) {
        for (uint32_t code = 0; code < c->domain->values; code++) {
            if (c->place_of[code] != KN_NO_CODE) {
                code_at[c->place_of[code]] = code;
            }
        }
        parts = cut_records(c, list, parts, end);
    }
    for (size_t i = 0; i < parts && status == KN_OK; i++) {
        const size_t begin = i ? end[i - 1] : 0;
        status = recode_part(task, n, list + begin, end[i] - begin, code_at, err);
    }
    KN_FREE(list, end, code_at);
    return status;
}

/* ---- publishing ---- */

/* By record of the task: its different record in `c`, or KN_NO_CODE if it holds no item. */
static kn_status find_records(const kn_items_task *task, const kn_cut *c, uint32_t **out,
                              kn_error *err)
{
    kn_baskets *distinct = NULL;
    uint32_t *weight = NULL, *number = NULL, next = 0;
    kn_status status;

    KN_TRY(kn__baskets_group(&distinct, task->baskets, &weight, NULL, out, err));
    number = kn__malloc_array(distinct->records, sizeof *number);
    KN_TRY(number ? KN_OK : kn__nomem(err));
    for (size_t i = 0; i < distinct->records; i++) {
        size_t len;
        const uint32_t *items = kn__baskets_record(distinct, i, &len);
        number[i] = KN_NO_CODE;
        for (size_t j = 0; j < len && number[i] == KN_NO_CODE; j++) {
            number[i] = c->place_of[items[j]] == KN_NO_CODE ? KN_NO_CODE : next;
        }
        next += number[i] != KN_NO_CODE;
    }
    for (size_t i = 0; i < task->baskets->records; i++) {
        (*out)[i] = number[(*out)[i]];
    }
done:
    kn__baskets_free(distinct);
    KN_FREE(weight, number);
    return status;
}

static kn_status publish(const kn_items_task *task, const kn_names *n, kn_recoding *out,
                         kn_error *err)
{
    const kn_cut *c = n->c;
    const kn_column *column = task->column;
    const size_t records = task->baskets->records;
    uint32_t *of = NULL, *text_of = kn__malloc_array(c->domain->nodes, sizeof *text_of);
    kn_status status;

    KN_TRY(text_of ? find_records(task, c, &of, err) : kn__nomem(err));
    memset(text_of, 0xff, c->domain->nodes * sizeof *text_of);
    for (uint64_t p = 0; p < c->starts[c->records]; p++) {
        text_of[n->name[p] == c->apart ? c->root : n->name[p]] = 0;
    }
    KN_TRY(kn__apriori_texts(out, c->domain, text_of, err));
    out->each = kn__malloc_array((size_t)column->starts[records], sizeof *out->each);
    KN_TRY(out->each ? KN_OK : kn__nomem(err));
    for (size_t i = 0; i < records; i++) {
        for (uint64_t j = column->starts[i]; j < column->starts[i + 1]; j++) {
            const uint32_t code = kn__code_get(column->codes, column->width, (size_t)j);
            const uint32_t place = code < c->domain->values ? c->place_of[code] : KN_NO_CODE;
            out->each[j] = KN_NO_CODE;
            if (of[i] != KN_NO_CODE && place != KN_NO_CODE) {
                const uint32_t name = n->name[kn__cut_first(c, of[i], place)];
                out->each[j] = text_of[name == c->apart ? c->root : name];
            }
        }
    }
done:
    KN_FREE(of, text_of);
    return status;
}

static kn_status run(const kn_items_task *task, kn_recoding *out, kn_error *err)
{
    const size_t parts = kn__param_count(&task->params, "parts");
    kn_names *best = NULL, *other = NULL;
    kn_cut *c = NULL;
    kn_status status;

    KN_TRY(kn__apriori_start(&c, task, "lra", err));
    KN_TRY(kn__apriori_search(c, KN_APRIORI_WORK, task->run, err));
    KN_TRY(kn__cut_split_partly(c, task->run, err));
    KN_TRY(kn__names_new(&best, c, err));
    KN_TRY(kn__names_refine(best, task->run, err));
    if (parts > 1) {
        KN_TRY(kn__names_new(&other, c, err));
        KN_TRY(recode_parts(task, other, parts, err));
        KN_TRY(kn__names_refine(other, task->run, err));
    }
    KN_TRY(publish(task, other && other->loss < best->loss ? other : best, out, err));
done:
    kn__names_free(best);
    kn__names_free(other);
    kn__cut_free(c);
    return status;
}

static const kn_param params[] = {KN_PARAM_PARTS(1)};

const kn_method_row kn__lra_row = {
    .entry = {.kind = KN_ENTRY_METHOD,
              .name = "lra",
              .reaches = "km-anonymity",
              .summary =
                  "local recoding of items: an item keeps its name in the records where it can; "
                  "least loss",
              KN_PARAMS(params),
              .page = "methods.md"},
    .family = KN_METHOD_ITEMS,
    .items = run,
};
