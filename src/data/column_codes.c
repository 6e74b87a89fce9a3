/* column_codes.c - the codes of one column: those of the chunks that the workers filled, in the
 * final numbering and one after the other. */
#include "base/error.h"
#include "base/memory.h"
#include "base/sort.h"
#include "base/threads.h"
#include "data/builder_inside.h"

/* Where a chunk's codes and records begin in the column. */
typedef struct chunk_offset {
    size_t code, record;
    bool repeats; /* some list holds an item twice */
} chunk_offset;

typedef struct writing {
    const kn_builder *b;
    size_t index;         /* of the column */
    uint32_t *const *map; /* by worker and its code: the final code */
    kn_column *out;
    chunk_offset *offset; /* by chunk */
    uint32_t *items;      /* by worker: scratch for the longest list */
    size_t longest;
} writing;

static size_t longest_list(const kn_chunk_column *col, size_t records)
{
    size_t longest = 0;

    for (size_t i = 0; col->lengths && i < records; i++) {
        longest = col->lengths[i] > longest ? col->lengths[i] : longest;
    }
    return longest;
}

/* Write the lists of a chunk, each in ascending order. The widths are constants where this is
 * inlined. */
static inline void write_lists_of(const writing *w, const kn_chunk *c, chunk_offset *p,
                                  uint32_t *items, uint8_t from_width, uint8_t to_width)
{
    const kn_chunk_column *col = &c->column[w->index];
    const uint32_t *map = w->map[c->worker], *lengths = col->lengths;
    const void *codes = col->codes;
    void *to = w->out->codes;
    uint64_t *starts = w->out->starts + p->record;
    const size_t records = c->records;
    size_t from = 0, at = p->code;

    for (size_t r = 0; r < records; r++) {
        const size_t len = lengths[r];
        uint64_t next = 0; /* the least item that is in order and no repeat */
        bool ordered = true;
        starts[r] = at;
        for (size_t i = 0; i < len; i++) {
            const uint32_t item = map[kn__code_get(codes, from_width, from + i)];
            ordered &= item >= next;
            next = (uint64_t)item + 1;
            items[i] = item;
            kn__code_set(to, to_width, at + i, item);
        }
        from += len;
        if (!ordered) {
            bool repeats = false;
            kn__sort_u32(items, len);
            for (size_t i = 0; i < len; i++) {
                repeats |= i && items[i] == items[i - 1];
                kn__code_set(to, to_width, at + i, items[i]);
            }
            p->repeats = p->repeats || repeats;
        }
        at += len;
    }
}

static void write_lists(const writing *w, const kn_chunk *c, chunk_offset *p, uint32_t *items)
{
    const uint8_t from = c->column[w->index].width, to = w->out->width;

    KN_BY_WIDTHS(from, to, write_lists_of, w, c, p, items);
}

static void write_chunks(void *user, unsigned worker, size_t begin, size_t end)
{
    const writing *w = user;

    for (size_t i = begin; i < end; i++) {
        const kn_chunk *c = w->b->chunks[i];
        kn_chunk_column *col = &c->column[w->index];
        const uint32_t *map = w->map[c->worker];

        if (w->out->starts) {
            write_lists(w, c, &w->offset[i], w->items + worker * w->longest);
        } else {
            for (size_t j = 0; j < col->len; j++) {
                kn__code_set(w->out->codes, w->out->width, w->offset[i].code + j,
                             map[kn__code_get(col->codes, col->width, j)]);
            }
        }
        KN_FREE(col->codes, col->lengths);
        col->codes = NULL;
        col->lengths = NULL;
    }
}

kn_status kn__column_write_codes(const kn_builder *b, size_t index, uint32_t *const *map,
                                 size_t records, kn_column *out, bool *repeats, kn_error *err)
{
    const size_t chunks = b->chunks_count;
    const bool list = b->column[index].list;
    const unsigned threads = b->columns == 1 ? b->workers : 1;
    writing w = {.b = b,
                 .index = index,
                 .map = map,
                 .out = out,
                 .offset = kn__zalloc_array(chunks, sizeof *w.offset)};
    size_t total = 0, record = 0;
    kn_status status;

    KN_TRY(w.offset ? KN_OK : kn__nomem(err));
    for (size_t i = 0; i < chunks; i++) {
        const kn_chunk_column *col = &b->chunks[i]->column[index];
        const size_t longest = longest_list(col, b->chunks[i]->records);
        w.offset[i] = (chunk_offset){.code = total, .record = record};
        w.longest = longest > w.longest ? longest : w.longest;
        total += col->len;
        record += b->chunks[i]->records;
    }
    out->width = kn__code_width(out->dict->len);
    out->codes = kn__malloc_array(total, out->width);
    out->starts = list ? kn__malloc_array(records + 1, sizeof *out->starts) : NULL;
    w.items = kn__malloc_array(w.longest, threads * sizeof *w.items);
    KN_TRY(out->codes && w.items && (out->starts || !list) ? KN_OK : kn__nomem(err));
    kn__parallel_for(threads, chunks, 1, write_chunks, &w);
    *repeats = false;
    for (size_t i = 0; i < chunks; i++) {
        *repeats = *repeats || w.offset[i].repeats;
    }
    if (out->starts) {
        out->starts[records] = total;
    }
done:
    KN_FREE(w.offset, w.items);
    return status;
}

void kn__column_make_sets(kn_column *out, size_t records)
{
    uint64_t begin = out->starts[0], at = begin;

    for (size_t r = 0; r < records; r++) {
        const uint64_t end = out->starts[r + 1];
        uint32_t last = KN_NO_CODE;
        for (uint64_t i = begin; i < end; i++) {
            const uint32_t item = kn__code_get(out->codes, out->width, (size_t)i);
            if (item != last) {
                kn__code_set(out->codes, out->width, (size_t)at++, item);
            }
            last = item;
        }
        begin = end;
        out->starts[r + 1] = at;
    }
}
