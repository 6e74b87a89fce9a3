/* fuzz_counts.c - bytes as a dictionary or as counts of slices (kanon/partial.h), with checksums
 * that are right and the dictionary that is expected: refused with words, or merged into counts
 * that can be written and finished. The first byte says which of the three it is. */
#include "base/memory.h"
#include "guarantees/partial/partial.h"

#include <stdlib.h>
#include <string.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

enum { ITEMS_HEADER = 55 }; /* bytes before the combinations of counts that were not reduced */

static void must(bool holds)
{
    if (!holds) {
        abort();
    }
}

/* A dictionary of a small table: of items, or of values. */
static kn_dictionary *dictionary(bool items)
{
    static const char *const names[] = {"age", "ill"};
    static const char *const cells[][2] = {
        {"34", "flu"}, {"35", "cold"}, {NULL, NULL}, {"36", "x"}};
    static const char *const lists[] = {"a|b", "b|c|d", "", "a"};
    kn_dataset_builder *b = NULL;
    kn_schema *s = NULL;
    kn_dataset *ds = NULL;
    kn_dictionary *d = NULL;

    must(kn_schema_new(&s, NULL) == KN_OK);
    must(kn_schema_set_role(s, "age", KN_ROLE_QUASI, NULL) == KN_OK);
    if (items) {
        must(kn_schema_set_type(s, "age", KN_TYPE_SET, NULL) == KN_OK);
    } else {
        must(kn_schema_set_role(s, "ill", KN_ROLE_SENSITIVE, NULL) == KN_OK);
    }
    must(kn_dataset_builder_new(&b, names, items ? 1 : 2, s, NULL) == KN_OK);
    for (int i = 0; i < 4; i++) {
        must(kn_dataset_builder_add(b, items ? &lists[i] : cells[i], NULL) == KN_OK);
    }
    must(kn_dataset_builder_finish(&ds, b, NULL) == KN_OK);
    must(kn_dictionary_new(&d, NULL) == KN_OK && kn_dictionary_add(d, ds, NULL) == KN_OK);
    kn_dataset_free(ds);
    kn_schema_free(s);
    return d;
}

static void put(unsigned char *at, uint64_t value)
{
    for (size_t i = 0; i < 8; i++) {
        at[i] = (unsigned char)(value >> (8 * i));
    }
}

static void read_dictionary(const unsigned char *bytes, size_t size)
{
    kn_dictionary *d = NULL;
    unsigned char *again = NULL;
    size_t len = 0;
    kn_error err = {0};

    must(kn_dictionary_new(&d, NULL) == KN_OK);
    if (kn_dictionary_merge(d, bytes, size, &err) == KN_OK) {
        must(kn_dictionary_write(&again, &len, d, NULL) == KN_OK);
        must(len == size && memcmp(again, bytes, len) == 0);
        must(kn_dictionary_merge(d, again, len, NULL) == KN_OK);
    } else {
        must(*err.message);
    }
    kn_bytes_free(again);
    kn_dictionary_free(d);
}

static void read_counts(unsigned char *bytes, size_t size, bool items)
{
    const kn_guarantee km = {.kind = KN_KM_ANONYMITY, .k = 2, .m = 2};
    const kn_guarantee l = {.kind = KN_L_DIVERSITY, .l = 2, .diversity = KN_ENTROPY};
    const kn_partial_options o = {.guarantees = items ? &km : &l, .guarantees_count = 1};
    kn_dictionary *d = dictionary(items);
    kn_partial *p = NULL;
    kn_verdict *v = NULL;
    unsigned char *again = NULL;
    size_t len = 0;
    kn_error err = {0};

    must(kn_partial_new(&p, d, &o, NULL) == KN_OK);
    if (size >= 25) {
        put(bytes + 9, p->space.hash);
    }
    if (items && size >= ITEMS_HEADER + 76 + 16) {
        put(bytes + ITEMS_HEADER + 44, p->space.hash);
        put(bytes + size - 16,
            kn__partial_checksum((const char *)bytes + ITEMS_HEADER, size - 16 - ITEMS_HEADER));
    }
    if (size >= 8) {
        put(bytes + size - 8, kn__partial_checksum((const char *)bytes, size - 8));
    }
    if (kn_partial_merge(p, bytes, size, &err) == KN_OK) {
        must(kn_partial_write(&again, &len, p, NULL) == KN_OK);
        must(len == size && memcmp(again, bytes, len) == 0);
        if (kn_partial_finish(&v, p, NULL, NULL, &err) != KN_OK) {
            must(*err.message && !v);
        }
    } else {
        must(*err.message && kn_partial_records(p) == 0);
    }
    kn_bytes_free(again);
    kn_verdict_free(v);
    kn_partial_free(p);
    kn_dictionary_free(d);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    const size_t before = kn_memory_in_use();
    unsigned char *bytes;

    if (size == 0) {
        return 0;
    }
    bytes = kn__malloc(size);
    memcpy(bytes, data + 1, size - 1);
    if (data[0] % 3) {
        read_counts(bytes, size - 1, data[0] % 3 == 2);
    } else {
        if (size > 8) {
            put(bytes + size - 9, kn__partial_checksum((const char *)bytes, size - 9));
        }
        read_dictionary(bytes, size - 1);
    }
    kn__free(bytes);
    must(kn_memory_in_use() == before);
    return 0;
}
