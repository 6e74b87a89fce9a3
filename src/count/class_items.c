/* class_items.c - one code per group and item. */
#include "count/class_items.h"
#include "base/error.h"
#include "base/memory.h"
#include "base/sort.h"

#include <string.h>

typedef struct coding {
    const kn_baskets *from;
    const uint8_t *left_out;
    kn_class_items *g;
    uint32_t *code; /* by item: its code in the group at hand; KN_NO_CODE: not seen there */
    uint32_t *used; /* items seen there */
    uint32_t codes; /* given to earlier groups */
} coding;

static bool counts(const coding *c, uint32_t item)
{
    return !c->left_out || !c->left_out[item];
}

static uint64_t measure(coding *c, uint64_t *starts)
{
    for (size_t i = 0; i < c->from->records; i++) {
        size_t len;
        const uint32_t *items = kn__baskets_record(c->from, i, &len);
        starts[i + 1] = starts[i];
        for (size_t j = 0; j < len; j++) {
            starts[i + 1] += counts(c, items[j]);
        }
    }
    return starts[c->from->records];
}

static void code_group(coding *c, uint32_t group, const uint32_t *records, size_t count)
{
    uint32_t used = 0;

    for (size_t i = 0; i < count; i++) {
        size_t len;
        const uint32_t *items = kn__baskets_record(c->from, records[i], &len);
        for (size_t j = 0; j < len; j++) {
            if (counts(c, items[j]) && c->code[items[j]] == KN_NO_CODE) {
                c->code[items[j]] = 0;
                c->used[used++] = items[j];
            }
        }
    }
    kn__sort_u32(c->used, used);
    for (uint32_t i = 0; i < used; i++) {
        c->code[c->used[i]] = c->codes + i;
        c->g->item[c->codes + i] = c->used[i];
        c->g->group[c->codes + i] = group;
    }
    for (size_t i = 0; i < count; i++) {
        size_t len;
        const uint32_t *items = kn__baskets_record(c->from, records[i], &len);
        uint32_t *list = c->g->baskets->list + c->g->baskets->starts[records[i]];
        for (size_t j = 0; j < len; j++) {
            if (counts(c, items[j])) {
                *list++ = c->code[items[j]];
            }
        }
    }
    for (uint32_t i = 0; i < used; i++) {
        c->code[c->used[i]] = KN_NO_CODE;
    }
    c->codes += used;
}

kn_status kn__class_items_new(kn_class_items **out, const kn_baskets *b, const uint32_t *members,
                              const uint32_t *begin, uint32_t groups, const uint8_t *left_out,
                              kn_error *err)
{
    coding c = {.from = b, .left_out = left_out, .g = kn__zalloc(sizeof *c.g)};
    uint64_t *starts = kn__zalloc_array(b->records + 1, sizeof *starts);
    uint64_t occurrences = 0;
    kn_status status = KN_OK;

    *out = NULL;
    c.code = kn__malloc_array(b->items, sizeof *c.code);
    c.used = kn__malloc_array(b->items, sizeof *c.used);
    KN_TRY(c.g && starts && c.code && c.used ? KN_OK : kn__nomem(err));
    occurrences = measure(&c, starts);
    if (occurrences >= UINT32_MAX) {
        KN_TRY(kn__fail(err, KN_EINPUT,
                        "%llu items in all records: at most 4294967294 can be counted by class",
                        (unsigned long long)occurrences));
    }
    c.g->baskets = kn__baskets_room(b->records, occurrences, 0, b->bags);
    c.g->item = kn__malloc_array((size_t)occurrences, sizeof *c.g->item);
    c.g->group = kn__malloc_array((size_t)occurrences, sizeof *c.g->group);
    KN_TRY(c.g->baskets && c.g->item && c.g->group ? KN_OK : kn__nomem(err));
    memcpy(c.g->baskets->starts, starts, (b->records + 1) * sizeof *starts);
    for (uint32_t i = 0; i < b->items; i++) {
        c.code[i] = KN_NO_CODE;
    }
    for (uint32_t i = 0; i < groups; i++) {
        code_group(&c, i, members + begin[i], begin[i + 1] - begin[i]);
    }
    c.g->baskets->items = c.codes;
    *out = c.g;
    c.g = NULL;

done:
    kn__class_items_free(c.g);
    KN_FREE(starts, c.code, c.used);
    return status;
}

kn_status kn__class_items_pick(kn_baskets **out, const kn_class_items *g, const kn_classes *groups,
                               size_t least, bool below, kn_error *err)
{
    const kn_baskets *b = g->baskets;
    kn_baskets *picked = kn__baskets_room(b->records, b->starts[b->records], b->items, b->bags);

    *out = picked;
    KN_PASS(picked ? KN_OK : kn__nomem(err));
    for (size_t i = 0; i < b->records; i++) {
        size_t len;
        const uint32_t *items = kn__baskets_record(b, i, &len);
        len = (groups->size[groups->of[i]] < least) == below ? len : 0;
        memcpy(picked->list + picked->starts[i], items, len * sizeof *items);
        picked->starts[i + 1] = picked->starts[i] + len;
    }
    return KN_OK;
}

void kn__class_items_free(kn_class_items *g)
{
    if (g) {
        kn__baskets_free(g->baskets);
        KN_FREE(g->item, g->group, g);
    }
}
