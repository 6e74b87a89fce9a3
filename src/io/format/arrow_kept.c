/* arrow_kept.c - columns of an Arrow stream that may be published as they are.
 *
 * The arrays are moved out of their batches, which the specification allows, and not copied. */
#include "io/format/arrow_kept.h"
#include "base/error.h"
#include "base/memory.h"
#include "io/format/arrow_own.h"

#include <string.h>

typedef struct kept_batch {
    size_t offset, length;
    uint8_t *validity; /* of the records; NULL: none is null */
} kept_batch;

struct kn_arrow_kept {
    kn_kept_cells cells; /* first: the dataset's */
    struct ArrowSchema *types;
    size_t *number; /* by kept column: in the stream */
    size_t columns;
    kept_batch *batches;
    struct ArrowArray *arrays; /* by batch and column */
    size_t count, cap, arrays_cap;
};

static void free_kept(kn_kept_cells *cells)
{
    kn_arrow_kept *k = (kn_arrow_kept *)cells;

    for (size_t i = 0; k->types && i < k->columns; i++) {
        if (k->types[i].release) {
            k->types[i].release(&k->types[i]);
        }
    }
    for (size_t i = 0; i < k->count * k->columns; i++) {
        if (k->arrays[i].release) {
            k->arrays[i].release(&k->arrays[i]);
        }
    }
    for (size_t i = 0; i < k->count; i++) {
        kn__free(k->batches[i].validity);
    }
    KN_FREE(k->types, k->number, k->batches, k->arrays, k);
}

kn_status kn__arrow_kept_new(kn_arrow_kept **out, const struct ArrowSchema *schema,
                             const bool *keep, size_t count, kn_error *err)
{
    kn_arrow_kept *k = kn__zalloc(sizeof *k);
    kn_status status;

    *out = NULL;
    KN_TRY(k ? KN_OK : kn__nomem(err));
    k->cells.free = free_kept;
    k->types = kn__zalloc_array(count, sizeof *k->types);
    k->number = kn__malloc_array(count, sizeof *k->number);
    KN_TRY(k->types && k->number ? KN_OK : kn__nomem(err));
    for (size_t i = 0; i < count; i++) {
        if (keep[i]) {
            k->number[k->columns] = i;
            KN_TRY(kn__arrow_schema_copy(&k->types[k->columns++], schema->children[i])
                       ? KN_OK
                       : kn__nomem(err));
        }
    }
    *out = k;
    k = NULL;
done:
    if (k) {
        free_kept(&k->cells);
    }
    return status;
}

static kn_status copy_validity(kept_batch *b, const struct ArrowArray *batch, kn_error *err)
{
    const size_t bytes = (b->offset + b->length) / 8 + 1;

    if (!batch->buffers[0]) {
        return KN_OK;
    }
    b->validity = kn__zalloc_array(bytes, 1);
    KN_PASS(b->validity ? KN_OK : kn__nomem(err));
    memcpy(b->validity, batch->buffers[0], (b->offset + b->length + 7) / 8);
    return KN_OK;
}

kn_status kn__arrow_kept_add(kn_arrow_kept *k, struct ArrowArray *batch, kn_error *err)
{
    kept_batch *b;

    KN_PASS(kn__grow(&k->batches, &k->cap, k->count + 1, sizeof *k->batches, err));
    KN_PASS(
        kn__grow(&k->arrays, &k->arrays_cap, (k->count + 1) * k->columns, sizeof *k->arrays, err));
    b = &k->batches[k->count];
    *b = (kept_batch){.offset = (size_t)batch->offset, .length = (size_t)batch->length};
    KN_PASS(copy_validity(b, batch, err));
    for (size_t i = 0; i < k->columns; i++) {
        struct ArrowArray *array = batch->children[k->number[i]];
        k->arrays[k->count * k->columns + i] = *array;
        array->release = NULL; /* moved */
    }
    k->count++;
    return KN_OK;
}

kn_kept_cells *kn__arrow_kept_cells(kn_arrow_kept *k)
{
    return &k->cells;
}

const kn_arrow_kept *kn__arrow_kept_of(const kn_dataset *ds)
{
    return (const kn_arrow_kept *)ds->kept;
}

/* The places of all rows. */
static void place_rows(const kn_arrow_kept *k, kn_arrow_place *all)
{
    for (size_t i = 0, row = 0; i < k->count; i++) {
        const kept_batch *b = &k->batches[i];
        for (size_t j = 0; j < b->length; j++, row++) {
            const size_t at = b->offset + j;
            const bool valid = !b->validity || (b->validity[at / 8] >> (at % 8) & 1) != 0;
            all[row] = valid ? (kn_arrow_place)i << KN_ARROW_PLACE_BITS | at : KN_ARROW_NO_PLACE;
        }
    }
}

kn_status kn__arrow_kept_places(kn_arrow_place **out, const kn_arrow_kept *k, const uint32_t *rows,
                                size_t count, kn_error *err)
{
    size_t total = 0;
    kn_arrow_place *all, *chosen = NULL;
    kn_status status;

    *out = NULL;
    for (size_t i = 0; i < k->count; i++) {
        total += k->batches[i].length;
    }
    all = kn__malloc_array(total + 1, sizeof *all);
    KN_TRY(all ? KN_OK : kn__nomem(err));
    place_rows(k, all);
    if (rows) {
        chosen = kn__malloc_array(count + 1, sizeof *chosen);
        KN_TRY(chosen ? KN_OK : kn__nomem(err));
        for (size_t i = 0; i < count; i++) {
            chosen[i] = all[rows[i]];
        }
    }
    *out = rows ? chosen : all;
done:
    if (rows || status != KN_OK) {
        kn__free(all);
    }
    return status;
}

size_t kn__arrow_kept_find(const kn_arrow_kept *k, const char *name)
{
    for (size_t i = 0; i < k->columns; i++) {
        if (strcmp(k->types[i].name, name) == 0) {
            return i;
        }
    }
    return SIZE_MAX;
}

kn_status kn__arrow_kept_take(struct ArrowSchema *s, struct ArrowArray *a, const kn_arrow_kept *k,
                              size_t column, const kn_arrow_place *place, size_t count,
                              kn_error *err)
{
    const struct ArrowArray **parts = kn__malloc_array(k->count + 1, sizeof *parts);
    kn_status status;

    KN_TRY(parts ? KN_OK : kn__nomem(err));
    for (size_t i = 0; i < k->count; i++) {
        parts[i] = &k->arrays[i * k->columns + column];
    }
    KN_TRY(kn__arrow_take(s, a, &k->types[column], parts, k->count, place, count, err));
done:
    kn__free(parts);
    return status;
}
