/* fuzz_hierarchy.c - any bytes as a hierarchy: what is read is valid, and written and read again it
 * is the same. */
#include "base/memory.h"
#include "hierarchy/hierarchy.h"

#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void must(int holds, const char *what)
{
    if (!holds) {
        (void)fprintf(stderr, "fuzz_hierarchy: %s\n", what);
        abort();
    }
}

/* By the paths of its leaves: two forms may list them in different order. */
static void must_equal(const kn_hierarchy *a, const kn_hierarchy *b)
{
    must(a->leaves == b->leaves && a->nodes == b->nodes && a->levels == b->levels,
         "the sizes differ after writing and reading");
    for (uint32_t i = 0; i < a->leaves; i++) {
        const char *label = kn__hierarchy_label(a, i);
        uint32_t x = i, y = kn__dict_find(b->leaf, label, strlen(label));

        must(y != KN_NO_CODE, "a leaf was lost");
        must((i == a->missing) == (y == b->missing), "the missing value moved");
        must(kn__hierarchy_is_range(a, i) == kn__hierarchy_is_range(b, y), "a range was lost");
        must(a->depth[i] == b->depth[y], "a depth differs");
        while (a->parent[x] != x) {
            x = a->parent[x];
            y = b->parent[y];
            must(strcmp(kn__hierarchy_label(a, x), kn__hierarchy_label(b, y)) == 0,
                 "a path differs");
        }
    }
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    const size_t before = kn_memory_in_use();
    kn_hierarchy *h = NULL, *again = NULL;
    kn_error err = {0};
    kn_buffer text = {0};
    const char *reason = "";
    char *drawn = NULL;
    kn_status status;

    status = kn__hierarchy_parse(&h, "input", (const char *)data, size, &err);
    if (status != KN_OK) {
        must(!h && err.status == status && err.message[0], "a failure without words");
    } else {
        must(kn__hierarchy_validate(h, &reason), reason);
        must(kn_hierarchy_show(&drawn, h, 5, 0, NULL) == KN_OK, "cannot be shown");
        status = kn__hierarchy_format(h, &text, &err);
        must(status == KN_OK || status == KN_EINPUT, "cannot be written");
        if (status == KN_OK) {
            status = kn__hierarchy_parse(&again, "again", text.data, text.len, &err);
            must(status == KN_OK, err.message);
            must(kn__hierarchy_validate(again, &reason), reason);
            must_equal(h, again);
        }
    }
    kn_string_free(drawn);
    kn__buffer_free(&text);
    kn_hierarchy_free(h);
    kn_hierarchy_free(again);
    must(kn_memory_in_use() == before, "memory was lost");
    return 0;
}
