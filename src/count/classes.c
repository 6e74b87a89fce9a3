/* classes.c - exact grouping by packed keys.
 *
 * The codes of a record are packed into one 64-bit number by mixed radix: as many columns as
 * fit, then the class so far stands for them and packing goes on, round by round. Few possible
 * keys are counted in a table indexed by the key. Otherwise records are dealt by the hash of
 * their key into parts whose tables fit a core's cache; threads take parts. Within a part
 * records stay in order, so each record can be given the first record of its class, and one last
 * pass turns first records into class numbers: the same numbers whatever the threads did. */
#include "count/classes.h"
#include "base/error.h"
#include "base/map.h"
#include "base/memory.h"
#include "base/threads.h"

#include <stdatomic.h>
#include <string.h>

enum {
    BLOCK = 512,         /* records whose keys are packed at once */
    DENSE = 1 << 18,     /* up to so many possible keys: a table by key */
    PART_RECORDS = 8192, /* records a part, about */
    MOST_PART_BITS = 10,
    ALONE = 1 << 16 /* fewer records than this are not worth a second thread */
};

typedef struct round_job {
    const kn_dataset *ds;
    const size_t *columns; /* those of this round */
    size_t count;
    bool again; /* not the first round: `of` holds the class so far */
    size_t records;
    uint32_t *of; /* in: the class so far; out: the first record of the class */
    unsigned threads, slices, part_bits;
    size_t slice_records;
    size_t *place;      /* [slice * parts + part]: where the slice's next record of the part goes */
    size_t *part_begin; /* parts + 1 */
    uint64_t *key;      /* by place */
    uint32_t *record;   /* by place */
    kn_map *heads;      /* by worker: by key, the first record of the class + 1 */
    atomic_size_t classes;
    atomic_bool failed;
} round_job;

#define PACK(type)                                                       \
    for (size_t i = 0; i < len; i++) {                                   \
        keys[i] = keys[i] * radix + ((const type *)c->codes)[begin + i]; \
    }

static void pack(const round_job *job, size_t begin, size_t len, uint64_t *keys)
{
    for (size_t i = 0; i < len; i++) {
        keys[i] = job->again ? job->of[begin + i] : 0;
    }
    for (size_t j = 0; j < job->count; j++) {
        const kn_column *c = &job->ds->column[job->columns[j]];
        const uint64_t radix = kn__column_values(c);
        if (c->width == 1) {
            PACK(uint8_t)
        } else if (c->width == 2) {
            PACK(uint16_t)
        } else {
            PACK(uint32_t)
        }
    }
}

static size_t part_of(const round_job *job, uint64_t key)
{
    return job->part_bits ? (size_t)(kn__hash_u64(key) >> (64 - job->part_bits)) : 0;
}

static void slice_bounds(const round_job *job, unsigned slice, size_t *begin, size_t *end)
{
    *begin = slice * job->slice_records;
    *end = *begin + job->slice_records;
    *begin = *begin < job->records ? *begin : job->records;
    *end = *end < job->records ? *end : job->records;
}

/* Keys are packed twice, to count and to deal, rather than kept: packing streams, and memory is
 * dearer. */
static void count_slice(void *user, unsigned slice)
{
    round_job *job = user;
    size_t *const place = job->place + ((size_t)slice << job->part_bits);
    uint64_t keys[BLOCK];
    size_t begin, end;

    slice_bounds(job, slice, &begin, &end);
    for (size_t at = begin; at < end; at += BLOCK) {
        const size_t len = end - at < BLOCK ? end - at : BLOCK;
        pack(job, at, len, keys);
        for (size_t i = 0; i < len; i++) {
            place[part_of(job, keys[i])]++;
        }
    }
}

static void deal_slice(void *user, unsigned slice)
{
    round_job *job = user;
    size_t *const place = job->place + ((size_t)slice << job->part_bits);
    uint64_t keys[BLOCK];
    size_t begin, end;

    slice_bounds(job, slice, &begin, &end);
    for (size_t at = begin; at < end; at += BLOCK) {
        const size_t len = end - at < BLOCK ? end - at : BLOCK;
        pack(job, at, len, keys);
        for (size_t i = 0; i < len; i++) {
            const size_t to = place[part_of(job, keys[i])]++;
            job->key[to] = keys[i];
            job->record[to] = (uint32_t)(at + i);
        }
    }
}

static void group_part(void *user, unsigned worker, size_t begin, size_t end)
{
    round_job *job = user;
    kn_map *heads = &job->heads[worker];

    for (size_t part = begin; part < end && !atomic_load(&job->failed); part++) {
        kn__map_empty(heads);
        for (size_t i = job->part_begin[part]; i < job->part_begin[part + 1]; i++) {
            kn_map_slot *s;
            if (kn__map_reserve(heads, heads->used + 1, NULL) != KN_OK) {
                atomic_store(&job->failed, true);
                return;
            }
            s = kn__map_find(heads, job->key[i]);
            if (!s->value) {
                kn__map_put(heads, s, job->key[i], (uint64_t)job->record[i] + 1);
            }
            job->of[job->record[i]] = (uint32_t)(s->value - 1);
        }
        atomic_fetch_add(&job->classes, heads->used);
    }
}

static kn_status group_by_parts(round_job *job, kn_error *err)
{
    const size_t parts = (size_t)1 << job->part_bits;
    kn_status status = KN_OK;
    size_t sum = 0;

    job->place = kn__zalloc_array((size_t)job->slices << job->part_bits, sizeof *job->place);
    job->part_begin = kn__malloc_array(parts + 1, sizeof *job->part_begin);
    job->key = kn__malloc_array(job->records, sizeof *job->key);
    job->record = kn__malloc_array(job->records, sizeof *job->record);
    job->heads = kn__zalloc_array(job->threads, sizeof *job->heads);
    KN_TRY(job->place && job->part_begin && job->key && job->record && job->heads ? KN_OK
                                                                                  : kn__nomem(err));
    kn__parallel(job->slices, count_slice, job);
    for (size_t part = 0; part < parts; part++) {
        job->part_begin[part] = sum;
        for (size_t slice = 0; slice < job->slices; slice++) {
            size_t *place = &job->place[(slice << job->part_bits) + part];
            const size_t held = *place;
            *place = sum;
            sum += held;
        }
    }
    job->part_begin[parts] = sum;
    kn__parallel(job->slices, deal_slice, job);
    kn__parallel_for(job->threads, parts, 1, group_part, job);
    if (atomic_load(&job->failed)) {
        status = kn__nomem(err);
    }

done:
    for (unsigned i = 0; job->heads && i < job->threads; i++) {
        kn__map_clear(&job->heads[i]);
    }
    KN_FREE(job->heads, job->record, job->key, job->part_begin, job->place);
    return status;
}

static kn_status group_by_table(round_job *job, size_t keys_possible, kn_error *err)
{
    uint32_t *head = kn__zalloc_array(keys_possible, sizeof *head);
    uint64_t keys[BLOCK];
    size_t classes = 0;

    KN_PASS(head ? KN_OK : kn__nomem(err));
    for (size_t at = 0; at < job->records; at += BLOCK) {
        const size_t len = job->records - at < BLOCK ? job->records - at : BLOCK;
        pack(job, at, len, keys);
        for (size_t i = 0; i < len; i++) {
            uint32_t *h = &head[keys[i]];
            if (!*h) {
                *h = (uint32_t)(at + i) + 1;
                classes++;
            }
            job->of[at + i] = *h - 1;
        }
    }
    kn__free(head);
    atomic_store(&job->classes, classes);
    return KN_OK;
}

/* First records to class numbers, in place: the first record of a class comes before its others,
 * so its number is known by then. */
static kn_status number(kn_classes *c, const kn_dataset *ds, size_t classes, kn_error *err)
{
    uint32_t *size, *first;

    KN_FREE(c->size, c->first);
    c->size = c->first = NULL;
    c->count = 0;
    size = kn__zalloc_array(classes, sizeof *size);
    first = kn__malloc_array(classes, sizeof *first);
    if (!size || !first) {
        KN_FREE(size, first);
        return kn__nomem(err);
    }
    c->size = size;
    c->first = first;
    for (size_t i = 0; i < c->records; i++) {
        const uint32_t head = c->of[i];
        if (head == i) {
            c->of[i] = c->count;
            first[c->count++] = head;
        } else {
            c->of[i] = c->of[head];
        }
        size[c->of[i]] += kn__dataset_count(ds, i);
    }
    return KN_OK;
}

static kn_status check_columns(const kn_dataset *ds, const size_t *columns, size_t count,
                               kn_error *err)
{
    if (ds->records > UINT32_MAX - 1) {
        return kn__fail(err, KN_EINPUT,
                        "%zu records: at most 4294967294 can be grouped; split the table",
                        ds->records);
    }
    for (size_t i = 0; i < count; i++) {
        const kn_column *c = &ds->column[columns[i]];
        if (kn__type_is_list(c->type)) {
            return kn__fail(
                err, KN_EUSAGE,
                "column \"%s\" holds lists: records are grouped by columns with one value "
                "a record",
                c->name);
        }
        if (!c->dict) {
            return kn__fail(
                err, KN_EUSAGE,
                "column \"%s\" was read without its values: records cannot be grouped by it",
                c->name);
        }
    }
    return KN_OK;
}

kn_status kn__classes_new(kn_classes **out, const kn_dataset *ds, const size_t *columns,
                          size_t count, const kn_run *run, kn_error *err)
{
    kn_classes *c = NULL;
    kn_status status = check_columns(ds, columns, count, err);
    size_t taken = 0;

    *out = NULL;
    if (status != KN_OK) {
        return status;
    }
    c = kn__zalloc(sizeof *c);
    if (!c) {
        return kn__nomem(err);
    }
    c->records = ds->records;
    c->people = kn__dataset_people(ds);
    c->of = kn__zalloc_array(c->records, sizeof *c->of);
    KN_TRY(c->of ? KN_OK : kn__nomem(err));
    do {
        round_job job = {.ds = ds, .columns = columns + taken, .records = c->records, .of = c->of};
        kn_u128 product = taken ? c->count : 1;

        KN_TRY(kn__run_step(run, "group", -1, err));
        job.again = taken > 0;
        while (taken < count) {
            const kn_u128 next = product * kn__column_values(&ds->column[columns[taken]]);
            if (next > UINT64_MAX) {
                break;
            }
            product = next;
            job.count++;
            taken++;
        }
        job.threads = c->records < ALONE ? 1 : kn__run_threads(run);
        job.slices = job.threads;
        job.slice_records = (c->records + job.slices - 1) / job.slices;
        while (job.part_bits < MOST_PART_BITS && c->records >> job.part_bits > PART_RECORDS) {
            job.part_bits++;
        }
        atomic_init(&job.classes, 0);
        atomic_init(&job.failed, false);
        if (c->records == 0) {
            taken = count;
        } else if (product <= DENSE) {
            status = group_by_table(&job, (size_t)product, err);
        } else {
            status = group_by_parts(&job, err);
        }
        if (status == KN_OK) {
            status = number(c, ds, atomic_load(&job.classes), err);
        }
        if (status != KN_OK) {
            goto done;
        }
    } while (taken < count);
    *out = c;
    c = NULL;

done:
    kn__classes_free(c);
    return status;
}

void kn__classes_free(kn_classes *c)
{
    if (c) {
        KN_FREE(c->of, c->size, c->first, c);
    }
}

kn_status kn__classes_members(const kn_classes *c, uint32_t **members, uint32_t **begin,
                              kn_error *err)
{
    uint32_t *m = kn__malloc_array(c->records, sizeof *m);
    uint32_t *b = kn__zalloc_array((size_t)c->count + 1, sizeof *b);

    *members = *begin = NULL;
    if (!m || !b) {
        KN_FREE(m, b);
        return kn__nomem(err);
    }
    for (size_t i = 0; i < c->records; i++) { /* sizes may count people */
        b[c->of[i] + 1]++;
    }
    for (size_t i = 0; i < c->count; i++) {
        b[i + 1] += b[i];
    }
    /* b[i] runs to the end of class i while its members are placed; then all are moved back by
     * one. */
    for (size_t i = 0; i < c->records; i++) {
        m[b[c->of[i]]++] = (uint32_t)i;
    }
    memmove(b + 1, b, c->count * sizeof *b);
    b[0] = 0;
    *members = m;
    *begin = b;
    return KN_OK;
}
