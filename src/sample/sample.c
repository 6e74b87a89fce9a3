/* sample.c - write samples: blocks of records are generated on all threads and written in order,
 * one batch while the next is generated. */
#include "sample/generate.h"
#include "base/error.h"
#include "base/memory.h"
#include "base/threads.h"
#include "io/bytes/file.h"
#include "sample/sample.h"

#include <string.h>

static const kn_sample *const samples[] = {&kn__sample_people,  &kn__sample_income,
                                           &kn__sample_baskets, &kn__sample_clinic,
                                           &kn__sample_informs, &kn__sample_youtube,
                                           &kn__sample_loans,   &kn__sample_towers,
                                           &kn__sample_orders,  &kn__sample_clinic_trees};
static const char *const names[] = {"people",  "income", "baskets", "clinic", "informs",
                                    "youtube", "loans",  "towers",  "orders", "clinic-trees"};

enum { BLOCKS_PER_THREAD = 4, MOST_BLOCKS = 64 };

/* Several blocks; while one batch is filled, the batch before is written. */
typedef struct batch {
    char *text;              /* block i starts at i * stride */
    size_t len[MOST_BLOCKS]; /* bytes of each */
    size_t blocks;
} batch;

typedef struct writing {
    const kn_sample *sample;
    const void *tables;
    uint64_t seed;
    size_t records, stride;
    size_t first; /* the first block of `filled` */
    batch batches[2], *filled, *written;
    kn_sink *sink;
    kn_error err; /* of the write */
} writing;

const char *const *kn__sample_names(size_t *count)
{
    *count = sizeof names / sizeof *names;
    return names;
}

kn_status kn__sample_find(const char *name, const kn_sample **out, kn_error *err)
{
    kn_buffer list = {0};
    kn_status status;

    *out = NULL;
    for (size_t i = 0; i < sizeof samples / sizeof *samples; i++) {
        if (strcmp(samples[i]->name, name) == 0) {
            *out = samples[i];
            return KN_OK;
        }
    }
    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        kn__buffer_addf(&list, "%s%s", i ? ", " : "", names[i]);
    }
    status = list.failed ? kn__nomem(err)
                         : kn__fail(err, KN_EUSAGE, "no sample is called \"%.100s\"; there are: %s",
                                    name, list.data);
    kn__buffer_free(&list);
    return status;
}

size_t kn__sample_records(const char *name)
{
    const kn_sample *s;

    return kn__sample_find(name, &s, NULL) == KN_OK && s->records ? s->records : 1000;
}

/* One line per class with its values, the leaves of its hierarchy. */
static kn_status write_classes(const kn_sample *s, const void *tables, kn_sink *sink, kn_error *err)
{
    kn_buffer rows = {0}, line = {0};
    kn_status status = KN_OK;

    for (size_t i = 0; i < s->columns_count; i++) {
        rows.len = line.len = 0;
        s->columns[i].hierarchy(tables, &rows);
        KN_TRY(rows.failed ? kn__nomem(err) : KN_OK);
        kn__buffer_addf(&line, "#class %s", s->columns[i].name);
        for (const char *row = rows.data; *row; row = strchr(row, '\n') + 1) {
            kn__buffer_addc(&line, ' ');
            kn__buffer_add(&line, row, strcspn(row, ";"));
        }
        kn__buffer_addc(&line, '\n');
        KN_TRY(line.failed ? kn__nomem(err) : kn__sink_write(sink, line.data, line.len, err));
    }
done:
    kn__buffer_free(&line);
    kn__buffer_free(&rows);
    return status;
}

static kn_status write_header(const kn_sample *s, kn_sink *sink, kn_error *err)
{
    kn_buffer line = {0};
    kn_status status;

    for (size_t i = 0; i < s->columns_count; i++) {
        kn__buffer_addf(&line, "%s%s", i ? "," : "", s->columns[i].name);
    }
    kn__buffer_addc(&line, '\n');
    status = line.failed ? kn__nomem(err) : kn__sink_write(sink, line.data, line.len, err);
    kn__buffer_free(&line);
    return status;
}

/* Item 0 writes the batch before, the other items fill one block each. */
static void work(void *user, unsigned worker, size_t begin, size_t end)
{
    writing *w = user;

    (void)worker;
    for (size_t item = begin; item < end; item++) {
        if (item == 0) {
            for (size_t i = 0; !w->err.status && i < w->written->blocks; i++) {
                (void)kn__sink_write(w->sink, w->written->text + i * w->stride, w->written->len[i],
                                     &w->err);
            }
        } else {
            const size_t block = w->first + item - 1, first = block * KN_SAMPLE_BLOCK;
            const size_t left = w->records - first;
            w->filled->len[item - 1] = w->sample->fill(w->tables, w->seed, first,
                                                       left < KN_SAMPLE_BLOCK ? left
                                                                              : KN_SAMPLE_BLOCK,
                                                       w->filled->text + (item - 1) * w->stride);
        }
    }
}

static kn_status write_records(writing *w, unsigned threads, const kn_run *run, kn_error *err)
{
    const size_t blocks = w->records / KN_SAMPLE_BLOCK + (w->records % KN_SAMPLE_BLOCK != 0);
    const size_t most = (size_t)threads * BLOCKS_PER_THREAD < MOST_BLOCKS
                            ? (size_t)threads * BLOCKS_PER_THREAD
                            : MOST_BLOCKS;
    const size_t room = blocks < most ? blocks : most;
    batch *a = &w->batches[0], *b = &w->batches[1];
    kn_status status = KN_OK;

    if (blocks == 0) {
        return KN_OK;
    }
    w->stride = (w->records < KN_SAMPLE_BLOCK ? w->records : KN_SAMPLE_BLOCK) *
                w->sample->most_bytes;
    a->text = kn__malloc_array(room, w->stride);
    b->text = kn__malloc_array(room, w->stride);
    KN_TRY(a->text && b->text ? KN_OK : kn__nomem(err));
    w->filled = a;
    w->written = b;
    while (w->first < blocks || w->written->blocks > 0) {
        batch *swap = w->filled;
        swap->blocks = blocks - w->first < room ? blocks - w->first : room;
        kn__parallel_for(threads, swap->blocks + 1, 1, work, w);
        KN_TRY(w->err.status ? kn__fail(err, w->err.status, "%s", w->err.message) : KN_OK);
        w->first += swap->blocks;
        w->filled = w->written;
        w->written = swap;
        KN_TRY(kn__run_step(run, "sample", (double)w->first / (double)blocks, err));
    }
done:
    KN_FREE(b->text, a->text);
    return status;
}

static kn_status put_records(writing *w, const kn_run *run, kn_error *err)
{
    if (w->sample->trees) {
        KN_PASS(write_classes(w->sample, w->tables, w->sink, err));
    } else if (!w->sample->lists) {
        KN_PASS(write_header(w->sample, w->sink, err));
    }
    KN_PASS(write_records(w, kn__run_threads(run), run, err));
    return kn__sink_finish(w->sink, err);
}

kn_status kn__sample_put_table(kn_sink **out, const kn_sample *s, const void *tables,
                               size_t records, const char *path, const kn_run *run, kn_error *err)
{
    writing w = {.sample = s, .tables = tables, .seed = run ? run->seed : 0, .records = records};
    kn_status status;

    *out = NULL;
    if (records > s->most_records) {
        return kn__fail(err, KN_EUSAGE,
                        "%zu records are too many: the sample \"%s\" has at most %llu", records,
                        s->name, (unsigned long long)s->most_records);
    }
    KN_TRY(kn__sink_open(&w.sink, path, KN_COMPRESSION_AUTO, err));
    KN_TRY(put_records(&w, run, err));
    *out = w.sink;
done:
    if (status != KN_OK) {
        kn__sink_abandon(w.sink);
    }
    return status;
}
