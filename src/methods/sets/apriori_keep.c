/* apriori_keep.c - which of the conflicts that were found are needed. */
#include "base/error.h"
#include "base/memory.h"
#include "base/sort.h"
#include "methods/sets/apriori.h"

#include <stdlib.h>

/* What excludes a split excludes those below it. Parents come before children. */
static void inherit(const kn_splits *s, uint8_t *excludes)
{
    for (size_t a = 0; a < s->count; a++) {
        for (size_t b = 0; b < s->count; b++) {
            if ((s->up[a] != KN_NO_NODE && excludes[s->up[a] * s->count + b]) ||
                (s->up[b] != KN_NO_NODE && excludes[a * s->count + s->up[b]])) {
                excludes[a * s->count + b] = 1;
            }
        }
    }
}

/* Whether a conflict follows from one of two splits, other than itself. */
static bool follows(const kn_splits *s, const uint8_t *excludes, const uint32_t *member,
                    size_t size)
{
    for (size_t i = 0; i < size; i++) {
        for (size_t j = 0; j < size; j++) {
            const uint32_t a = member[i], b = member[j];
            if (i != j && ((size > 2 && excludes[a * s->count + b]) ||
                           (s->up[a] != KN_NO_NODE && excludes[s->up[a] * s->count + b]))) {
                return true;
            }
        }
    }
    return false;
}

/* A conflict, for sorting. */
typedef struct conflict {
    const uint32_t *member;
    size_t size;
} conflict;

static int by_members(const void *a, const void *b)
{
    const conflict *x = a, *y = b;

    for (size_t i = 0; i < x->size && i < y->size; i++) {
        if (x->member[i] != y->member[i]) {
            return KN_ORDER(x->member[i], y->member[i]);
        }
    }
    return KN_ORDER(x->size, y->size);
}

kn_status kn__splits_keep(kn_splits *s, uint8_t *excludes, const kn_intern *found, kn_error *err)
{
    conflict *list = kn__malloc_array(found->count, sizeof *list);
    kn_status status = list ? KN_OK : kn__nomem(err);

    for (size_t i = 0; status == KN_OK && i < found->count; i++) {
        list[i].member = kn__intern_list(found, i, &list[i].size);
        if (list[i].size == 2) {
            excludes[list[i].member[0] * s->count + list[i].member[1]] = 1;
            excludes[list[i].member[1] * s->count + list[i].member[0]] = 1;
        }
    }
    if (status == KN_OK && found->count > 1) {
        qsort(list, found->count, sizeof *list, by_members);
    }
    if (status == KN_OK) {
        inherit(s, excludes);
    }
    for (size_t i = 0; status == KN_OK && i < found->count; i++) {
        if (!follows(s, excludes, list[i].member, list[i].size)) {
            status = kn__splits_add(s, list[i].member, list[i].size, err);
        }
    }
    kn__free(list);
    return status;
}
