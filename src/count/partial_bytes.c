/* partial_bytes.c - partial counts as bytes, little-endian whatever the machine:
 *
 *   "KNPARTC" and a zero byte, version, m, bags, items, cap, parts, part (32 bits each),
 *   salt, codes, records (64 bits each); for each size 1..m the number of combinations (64 bits),
 *   their keys (64 bits a word) and their supports (32 bits each); a checksum (64 bits).
 *
 * The checksum is for accidents. Against malice every number is looked at, and sizes are compared
 * with the bytes that are there before memory is asked for. */
#include "base/buffer.h"
#include "base/error.h"
#include "base/hash.h"
#include "count/partial_inside.h"

#include <string.h>

enum { VERSION = 1, HEADER = 8 + 7 * 4 + 3 * 8, CHECKSUM = 8 };
static const char magic[8] = "KNPARTC";

/* ---- numbers ---- */

static void put(kn_buffer *b, uint64_t x, size_t bytes)
{
    unsigned char room[8];

    for (size_t i = 0; i < bytes; i++) {
        room[i] = (unsigned char)(x >> (8 * i));
    }
    kn__buffer_add(b, room, bytes);
}

typedef struct source {
    const unsigned char *at;
    size_t left;
} source;

/* The caller has made sure that they are there. */
static uint64_t take(source *s, size_t bytes)
{
    uint64_t x = 0;

    for (size_t i = 0; i < bytes; i++) {
        x |= (uint64_t)s->at[i] << (8 * i);
    }
    s->at += bytes;
    s->left -= bytes;
    return x;
}

uint64_t kn__partial_checksum(const char *bytes, size_t len)
{
    source s = {(const unsigned char *)bytes, len};
    uint64_t sum = len;

    while (s.left) {
        sum = kn__mix(sum ^ UINT64_C(0x9e3779b97f4a7c15),
                      take(&s, s.left < 8 ? s.left : 8) ^ UINT64_C(0xd6e8feb86659fd93));
    }
    return sum;
}

/* ---- writing ---- */

kn_status kn__partial_write(const kn_itemset_counts *p, char **out, size_t *len, kn_error *err)
{
    const kn_itemset_counts_options *o = &p->options;
    kn_buffer b = {0};

    kn__buffer_add(&b, magic, sizeof magic);
    put(&b, VERSION, 4);
    put(&b, o->m, 4);
    put(&b, p->bags, 4);
    put(&b, p->items, 4);
    put(&b, o->cap, 4);
    put(&b, o->parts, 4);
    put(&b, o->part, 4);
    put(&b, o->salt, 8);
    put(&b, o->codes, 8);
    put(&b, p->records, 8);
    for (size_t size = 1; size <= o->m; size++) {
        const kn__partial_size *s = &p->size[size];
        put(&b, s->count, 8);
        for (size_t i = 0; i < s->count * s->words; i++) {
            put(&b, s->keys[i], 8);
        }
        for (size_t i = 0; i < s->count; i++) {
            put(&b, s->supports[i], 4);
        }
    }
    if (!b.failed) {
        put(&b, kn__partial_checksum(b.data, b.len), CHECKSUM);
    }
    *len = b.len;
    return kn__buffer_take(&b, out, err);
}

/* ---- reading ---- */

static kn_status wrong(kn_error *err, const char *what)
{
    return kn__fail(err, KN_EINPUT, "this is no partial count that can be used: %s", what);
}

static kn_status read_header(source *s, kn_itemset_counts_options *o, uint32_t *bags,
                             uint32_t *items, uint64_t *records, kn_error *err)
{
    uint32_t version;

    if (s->left < HEADER + CHECKSUM || memcmp(s->at, magic, sizeof magic) != 0) {
        return wrong(err, "it does not begin like one");
    }
    if (kn__partial_checksum((const char *)s->at, s->left - CHECKSUM) !=
        take(&(source){s->at + s->left - CHECKSUM, CHECKSUM}, CHECKSUM)) {
        return wrong(err, "its checksum is another: it was cut or changed");
    }
    s->left -= CHECKSUM;
    s->at += sizeof magic;
    s->left -= sizeof magic;
    version = (uint32_t)take(s, 4);
    if (version != VERSION) {
        return kn__fail(err, KN_EINPUT,
                        "this partial count is of version %lu, and this kanon reads version %d: "
                        "count again with one version everywhere",
                        (unsigned long)version, VERSION);
    }
    o->m = (size_t)take(s, 4);
    *bags = (uint32_t)take(s, 4);
    *items = (uint32_t)take(s, 4);
    o->cap = (uint32_t)take(s, 4);
    o->parts = (uint32_t)take(s, 4);
    o->part = (uint32_t)take(s, 4);
    o->salt = take(s, 8);
    o->codes = take(s, 8);
    *records = take(s, 8);
    if (o->m < 1 || o->m > KN_MOST_M || *bags > 1 || o->cap == 0 || o->parts == 0 ||
        o->part >= o->parts) {
        return wrong(err, "its header asks for what there is not");
    }
    return KN_OK;
}

static kn_status read_size(source *s, kn__partial_size *to, kn_error *err)
{
    const size_t each = 8 * to->words + 4;
    uint64_t count;

    if (s->left < 8) {
        return wrong(err, "it ends early");
    }
    count = take(s, 8);
    if (count > s->left / each) {
        return wrong(err, "it ends early");
    }
    if (!kn__partial_grow(to, (size_t)count)) {
        return kn__nomem(err);
    }
    for (size_t i = 0; i < count * to->words; i++) {
        to->keys[i] = take(s, 8);
    }
    for (size_t i = 0; i < count; i++) {
        to->supports[i] = (uint32_t)take(s, 4);
    }
    to->count = (size_t)count;
    return KN_OK;
}

kn_status kn__partial_read(kn_itemset_counts **out, const char *bytes, size_t len, kn_error *err)
{
    source s = {(const unsigned char *)bytes, len};
    kn_itemset_counts_options options = {0};
    uint32_t bags = 0, items = 0;
    uint64_t records = 0;
    const char *reason = "";
    kn_itemset_counts *p;
    kn_status status = read_header(&s, &options, &bags, &items, &records, err);

    *out = NULL;
    if (status != KN_OK) {
        return status;
    }
    p = kn__partial_new(&options, bags == 1, items);
    KN_PASS(p ? KN_OK : kn__nomem(err));
    p->records = records;
    for (size_t size = 1; size <= options.m && status == KN_OK; size++) {
        status = read_size(&s, &p->size[size], err);
    }
    if (status == KN_OK && s.left) {
        status = wrong(err, "more follows where it should end");
    }
    if (status == KN_OK && !kn__partial_validate(p, &reason)) {
        status = wrong(err, reason);
    }
    if (status != KN_OK) {
        kn__partial_free(p);
        return status;
    }
    *out = p;
    return KN_OK;
}
