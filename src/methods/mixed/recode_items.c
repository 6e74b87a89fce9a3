/* recode_items.c - the items of every cluster as T has them, as texts in the records. */
#include "base/error.h"
#include "base/memory.h"
#include "base/threads.h"
#include "methods/mixed/rt_items.h"

#include <string.h>

typedef struct recoder {
    const kn_rt_items *x;
    const kn_clusters *c;
    kn_cluster_items *t;
    uint32_t *members, *end; /* the records by cluster */
    kn_part_map *map;        /* by cluster */
    kn_error *errors;        /* by worker */
} recoder;

static void run_t(void *user, unsigned worker, size_t begin, size_t end)
{
    recoder *r = user;

    for (size_t i = begin; i < end && r->errors[worker].status == KN_OK; i++) {
        if (r->map[i].item) {
            continue;
        }
        (void)kn__cluster_items_run(r->t, worker, r->members + r->end[i] - r->c->size[i],
                                    r->c->size[i], &r->map[i], &r->errors[worker]);
    }
}

/* The codes by group, ascending, into `codes`; those of group g end at end[g]. */
static void sort_by_group(const kn_part_map *map, uint32_t *codes, uint32_t *end)
{
    uint32_t at = 0;

    memset(end, 0, map->groups * sizeof *end);
    for (uint32_t i = 0; i < map->items; i++) {
        end[map->to[i]]++;
    }
    for (uint32_t g = 0; g < map->groups; g++) {
        const uint32_t count = end[g];
        end[g] = at;
        at += count;
    }
    for (uint32_t i = 0; i < map->items; i++) {
        codes[end[map->to[i]]++] = map->item[i];
    }
}

/* The text of every group of `map`, into `text`. */
static kn_status write_texts(const recoder *r, const kn_part_map *map, kn_recoding *out,
                             uint32_t *text, uint32_t *codes, kn_buffer *room, kn_error *err)
{
    kn_status status = KN_OK;
    uint32_t begin = 0;

    sort_by_group(map, codes, text);
    for (uint32_t g = 0; g < map->groups && status == KN_OK; g++) {
        const uint32_t end = text[g];
        room->len = 0;
        if (map->node) {
            kn__domain_publish_node(r->x->domain, map->node[g], room);
        } else {
            kn__domain_publish_set(r->x->domain, codes + begin, end - begin, room);
        }
        begin = end;
        status = room->failed ? kn__nomem(err)
                              : kn__dict_add(out->texts, room->data, room->len, &text[g], err);
    }
    return status;
}

/* The records of cluster `i` hold these texts. */
static void write_records(const recoder *r, size_t i, const uint32_t *text_of, kn_recoding *out)
{
    const kn_column *column = r->x->column;

    for (uint32_t at = r->end[i] - r->c->size[i]; at < r->end[i]; at++) {
        const uint32_t record = r->members[at];
        for (uint64_t j = column->starts[record]; j < column->starts[record + 1]; j++) {
            const uint32_t code = kn__code_get(column->codes, column->width, (size_t)j);
            out->each[j] = code == column->missing ? KN_NO_CODE : text_of[code];
        }
    }
}

static kn_status write_items(const recoder *r, kn_recoding *out, kn_error *err)
{
    const kn_column *column = r->x->column;
    const uint32_t values = kn__column_values(column);
    const size_t occurrences = (size_t)column->starts[r->x->baskets->records];
    uint32_t *text = kn__malloc_array(values, sizeof *text);
    uint32_t *codes = kn__malloc_array(values, sizeof *codes);
    uint32_t *text_of = kn__malloc_array(values, sizeof *text_of);
    kn_buffer room = {0};
    kn_status status;

    KN_TRY(text && codes && text_of ? kn__dict_new(&out->texts, err) : kn__nomem(err));
    out->each = kn__malloc_array(occurrences, sizeof *out->each);
    KN_TRY(out->each ? KN_OK : kn__nomem(err));
    memset(out->each, 0xff, occurrences * sizeof *out->each); /* KN_NO_CODE */
    for (size_t i = 0; i < r->c->count; i++) {
        const kn_part_map *map = &r->map[i];
        KN_TRY(write_texts(r, map, out, text, codes, &room, err));
        for (uint32_t j = 0; j < map->items; j++) {
            text_of[map->item[j]] = text[map->to[j]];
        }
        write_records(r, i, text_of, out);
    }
done:
    kn__buffer_free(&room);
    KN_FREE(text, codes, text_of);
    return status;
}

kn_status kn__rt_recode(const kn_rt_items *x, const kn_clusters *c, kn_cluster_items *t,
                        kn_part_map *known, kn_recoding *out, const kn_run *run, kn_error *err)
{
    const unsigned threads = kn__run_threads(run);
    recoder r = {.x = x, .c = c, .t = t};
    uint32_t at = 0;
    kn_status status = KN_OK;

    r.members = kn__malloc_array(x->baskets->records, sizeof *r.members);
    r.end = kn__malloc_array(c->count, sizeof *r.end);
    r.map = kn__zalloc_array(c->count, sizeof *r.map);
    r.errors = kn__zalloc_array(threads, sizeof *r.errors);
    if (!r.members || !r.end || !r.map || !r.errors) {
        status = kn__nomem(err);
    }
    for (size_t i = 0; known && i < c->count && status == KN_OK; i++) {
        r.map[i] = known[i];
        known[i] = (kn_part_map){0};
    }
    for (size_t i = 0; i < c->count && status == KN_OK; i++) {
        r.end[i] = at;
        at += c->size[i];
    }
    for (size_t i = 0; i < x->baskets->records && status == KN_OK; i++) {
        if (c->cluster[i] != KN_SUPPRESSED) {
            r.members[r.end[c->cluster[i]]++] = (uint32_t)i;
        }
    }
    if (status == KN_OK) {
        kn__parallel_for(threads, c->count, 1, run_t, &r);
    }
    for (unsigned i = 0; i < threads && status == KN_OK; i++) {
        status = r.errors[i].status;
        if (status != KN_OK && err) {
            *err = r.errors[i];
        }
    }
    if (status == KN_OK) {
        status = write_items(&r, out, err);
    }
    for (size_t i = 0; r.map && i < c->count; i++) {
        kn__part_map_clear(&r.map[i]);
    }
    KN_FREE(r.members, r.end, r.map, r.errors);
    return status;
}
