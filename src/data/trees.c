/* trees.c - forests in compact arrays: building, normal form, checks.
 *
 * While it is built, a value's code is its place in the order of first appearance; the key of the
 * dictionary is two bytes of the class and then the text. kn__forest_builder_finish sorts the
 * values by class and text and renames the codes.
 *
 * Both the preorder of a record whose nodes came in any order and its normal form are made level by
 * level (`arrange`): the nodes of a level are sorted by their parent's new number and their own
 * key, equal neighbours are merged if asked for, and as the children of a node are then a run of
 * the level below, a walk down the runs gives the preorder. Nothing recurses: a record may be one
 * long path. */
#include "data/trees.h"
#include "base/error.h"
#include "base/memory.h"
#include "base/sort.h"
#include "data/dict.h"

#include <stdlib.h>
#include <string.h>

struct kn_forest_builder {
    kn_forest *f; /* its texts and classes of values are filled in by finish */
    kn_dict *values;
    size_t starts_cap, value_cap, parent_cap, names_cap;
    uint64_t nodes;
    char *key; /* class and text of the value that is looked up */
    size_t key_cap;
};

void kn__forest_free(kn_forest *f)
{
    if (!f) {
        return;
    }
    kn__free(f->starts);
    kn__free(f->value);
    kn__free(f->parent);
    for (size_t i = 0; f->text && i < f->values; i++) {
        kn__free(f->text[i]);
    }
    kn__free(f->text);
    kn__free(f->value_class);
    for (size_t i = 0; i < f->classes.len; i++) {
        kn__free(f->classes.name[i]);
    }
    kn__free(f->classes.name);
    kn__free(f);
}

static void *duplicate(const void *from, size_t count, size_t size)
{
    void *copy = kn__malloc_array(count, size);

    if (copy && count) {
        memcpy(copy, from, count * size);
    }
    return copy;
}

static kn_status copy_texts(char ***out, char *const *from, size_t count, kn_error *err)
{
    *out = kn__zalloc_array(count, sizeof **out);
    if (!*out) {
        return kn__nomem(err);
    }
    for (size_t i = 0; i < count; i++) {
        (*out)[i] = kn__strdup(from[i]);
        if (!(*out)[i]) {
            return kn__nomem(err);
        }
    }
    return KN_OK;
}

kn_status kn__forest_copy(kn_forest **out, const kn_forest *f, kn_error *err)
{
    const size_t nodes = (size_t)f->starts[f->records];
    kn_forest *g = kn__zalloc(sizeof *g);
    kn_status status;

    *out = NULL;
    KN_TRY(g ? KN_OK : kn__nomem(err));
    g->records = f->records;
    g->starts = duplicate(f->starts, f->records + 1, sizeof *f->starts);
    g->value = duplicate(f->value, nodes, sizeof *f->value);
    g->parent = duplicate(f->parent, nodes, sizeof *f->parent);
    g->value_class = duplicate(f->value_class, f->values, sizeof *f->value_class);
    KN_TRY(g->starts && g->value && g->parent && g->value_class ? KN_OK : kn__nomem(err));
    g->values = f->values;
    KN_TRY(copy_texts(&g->text, f->text, f->values, err));
    KN_TRY(copy_texts(&g->classes.name, f->classes.name, f->classes.len, err));
    g->classes.len = f->classes.len;
    *out = g;
    g = NULL;
done:
    if (g && g->classes.name) { /* a failed copy of names has no length yet */
        g->classes.len = f->classes.len;
    }
    kn__forest_free(g);
    return status;
}

size_t kn__tree_class_find(const kn_tree_classes *classes, const char *name, size_t len)
{
    for (size_t i = 0; i < classes->len; i++) {
        if (strlen(classes->name[i]) == len && memcmp(classes->name[i], name, len) == 0) {
            return i;
        }
    }
    return SIZE_MAX;
}

/* Where `text` of `class_` stands or would stand. */
static uint32_t lower_bound(const kn_forest *f, uint16_t class_, const char *text, size_t len)
{
    uint32_t low = 0, high = (uint32_t)f->values;

    while (low < high) {
        const uint32_t middle = low + (high - low) / 2;
        int order = (int)f->value_class[middle] - (int)class_;
        if (order == 0) {
            const size_t own = strlen(f->text[middle]), least = own < len ? own : len;
            order = least ? memcmp(f->text[middle], text, least) : 0;
            order = order ? order : own < len ? -1 : 0;
        }
        if (order < 0) {
            low = middle + 1;
        } else {
            high = middle;
        }
    }
    return low;
}

uint32_t kn__forest_find(const kn_forest *f, uint16_t class_, const char *text, size_t len)
{
    const uint32_t at = lower_bound(f, class_, text, len);

    return at < f->values && f->value_class[at] == class_ && strlen(f->text[at]) == len &&
                   memcmp(f->text[at], text, len) == 0
               ? at
               : KN_NO_VALUE;
}

void kn__forest_class_values(const kn_forest *f, uint16_t class_, uint32_t *begin, uint32_t *end)
{
    *begin = lower_bound(f, class_, "", 0);
    *end = class_ == UINT16_MAX ? (uint32_t)f->values
                                : lower_bound(f, (uint16_t)(class_ + 1), "", 0);
}

kn_status kn__forest_builder_new(kn_forest_builder **out, const kn_tree_classes *classes,
                                 kn_error *err)
{
    kn_forest_builder *b = kn__zalloc(sizeof *b);
    kn_status status;
    uint16_t class_;

    *out = NULL;
    KN_TRY(b ? KN_OK : kn__nomem(err));
    b->f = kn__zalloc(sizeof *b->f);
    KN_TRY(b->f ? KN_OK : kn__nomem(err));
    KN_TRY(kn__dict_new(&b->values, err));
    KN_TRY(kn__grow(&b->f->starts, &b->starts_cap, 1024, sizeof *b->f->starts, err));
    b->f->starts[0] = 0;
    for (size_t i = 0; classes && i < classes->len; i++) {
        KN_TRY(
            kn__forest_builder_class(b, classes->name[i], strlen(classes->name[i]), &class_, err));
    }
    *out = b;
    b = NULL;
done:
    kn__forest_builder_free(b);
    return status;
}

void kn__forest_builder_free(kn_forest_builder *b)
{
    if (b) {
        kn__forest_free(b->f);
        kn__dict_free(b->values);
        kn__free(b->key);
        kn__free(b);
    }
}

kn_status kn__forest_builder_class(kn_forest_builder *b, const char *name, size_t len,
                                   uint16_t *out, kn_error *err)
{
    kn_tree_classes *classes = &b->f->classes;
    const size_t found = kn__tree_class_find(classes, name, len);
    char *copy = NULL;
    kn_status status = KN_OK;

    if (found != SIZE_MAX) {
        *out = (uint16_t)found;
        return KN_OK;
    }
    if (len == 0) {
        return kn__fail(err, KN_EINPUT, "a class of the trees has an empty name");
    }
    if (classes->len >= UINT16_MAX) {
        return kn__fail(err, KN_EINPUT, "the trees have more than %d classes", UINT16_MAX);
    }
    KN_TRY(kn__grow(&classes->name, &b->names_cap, classes->len + 1, sizeof *classes->name, err));
    copy = kn__strndup(name, len);
    KN_TRY(copy ? KN_OK : kn__nomem(err));
    *out = (uint16_t)classes->len;
    classes->name[classes->len++] = copy;
done:
    return status;
}

const kn_tree_classes *kn__forest_builder_classes(const kn_forest_builder *b)
{
    return &b->f->classes;
}

size_t kn__forest_builder_records(const kn_forest_builder *b)
{
    return b->f->records;
}

kn_status kn__forest_builder_record(kn_forest_builder *b, kn_error *err)
{
    kn_status status;

    KN_TRY(kn__grow(&b->f->starts, &b->starts_cap, b->f->records + 2, sizeof *b->f->starts, err));
    b->f->records++;
    b->f->starts[b->f->records] = b->nodes;
done:
    return status;
}

/* The code of a value in the order of first appearance. */
static kn_status intern(kn_forest_builder *b, uint16_t class_, const char *text, size_t len,
                        uint32_t *code, kn_error *err)
{
    kn_status status;

    KN_TRY(kn__grow(&b->key, &b->key_cap, len + 2, 1, err));
    b->key[0] = (char)(class_ >> 8);
    b->key[1] = (char)(class_ & 0xff);
    if (len) {
        memcpy(b->key + 2, text, len);
    }
    KN_TRY(kn__dict_add(b->values, b->key, len + 2, code, err));
done:
    return status;
}

kn_status kn__forest_builder_node(kn_forest_builder *b, uint16_t class_, const char *text,
                                  size_t len, uint32_t parent, uint32_t *node, kn_error *err)
{
    kn_forest *f = b->f;
    const uint64_t begin = f->records ? f->starts[f->records - 1] : 0, own = b->nodes - begin;
    uint32_t code;
    kn_status status;

    if (!f->records || class_ >= f->classes.len || (parent != KN_NO_PARENT && parent >= own)) {
        return kn__fail(err, KN_EUSAGE, "a node needs a record, a class and a parent that exist");
    }
    if (own >= UINT32_MAX - 1) {
        return kn__fail(err, KN_EINPUT, "record %zu has too many nodes", f->records);
    }
    KN_TRY(intern(b, class_, text, len, &code, err));
    KN_TRY(kn__grow(&f->value, &b->value_cap, (size_t)b->nodes + 1, sizeof *f->value, err));
    KN_TRY(kn__grow(&f->parent, &b->parent_cap, (size_t)b->nodes + 1, sizeof *f->parent, err));
    f->value[b->nodes] = code;
    f->parent[b->nodes] = parent;
    b->nodes++;
    f->starts[f->records] = b->nodes;
    if (node) {
        *node = (uint32_t)own;
    }
done:
    return status;
}

/* A node on its way to a new place. */
typedef struct placed {
    uint32_t level, up; /* up: the parent's number among the kept nodes of the level above */
    uint32_t key;       /* what siblings are sorted by */
    uint32_t node;      /* its old place */
} placed;

/* A node of the new record: its children are kept[first..first+count). */
typedef struct kept_node {
    uint32_t value, first, count;
} kept_node;

typedef struct arranger {
    placed *placed;
    kept_node *kept;
    uint32_t *renamed; /* by old place: its number in `kept`; then the stack of the walk */
    uint32_t *level;   /* by old place */
    uint32_t *above;   /* by number in `kept` on the stack: the new place of its parent */
    size_t placed_cap, kept_cap, renamed_cap, level_cap, above_cap;
} arranger;

static void arranger_free(arranger *a)
{
    kn__free(a->placed);
    kn__free(a->kept);
    kn__free(a->renamed);
    kn__free(a->level);
    kn__free(a->above);
}

static kn_status arranger_reserve(arranger *a, size_t n, kn_error *err)
{
    kn_status status;

    KN_TRY(kn__grow(&a->placed, &a->placed_cap, n, sizeof *a->placed, err));
    KN_TRY(kn__grow(&a->kept, &a->kept_cap, n, sizeof *a->kept, err));
    KN_TRY(kn__grow(&a->renamed, &a->renamed_cap, n, sizeof *a->renamed, err));
    KN_TRY(kn__grow(&a->level, &a->level_cap, n, sizeof *a->level, err));
    KN_TRY(kn__grow(&a->above, &a->above_cap, n, sizeof *a->above, err));
done:
    return status;
}

static int by_level(const void *a, const void *b)
{
    const placed *x = a, *y = b;

    return x->level < y->level ? -1 : x->level > y->level;
}

static int by_parent(const void *a, const void *b)
{
    const placed *x = a, *y = b;

    if (x->up != y->up) {
        return x->up < y->up ? -1 : 1;
    }
    if (x->key != y->key) {
        return x->key < y->key ? -1 : 1;
    }
    return x->node < y->node ? -1 : x->node > y->node;
}

static void sort_placed(placed *p, size_t n, int (*order)(const void *, const void *))
{
    if (n <= 16) { /* most records are small: insertion sort, stable, no call of the library */
        for (size_t i = 1; i < n; i++) {
            const placed one = p[i];
            size_t j = i;
            for (; j > 0 && order(&one, &p[j - 1]) < 0; j--) {
                p[j] = p[j - 1];
            }
            p[j] = one;
        }
        return;
    }
    qsort(p, n, sizeof *p, order);
}

/* The kept nodes of all levels into a->kept; how many. */
static uint32_t keep_levels(arranger *a, const uint32_t *value, const uint32_t *parent, uint32_t n,
                            bool merge)
{
    uint32_t kept = 0;

    for (uint32_t begin = 0, end; begin < n; begin = end) {
        for (end = begin; end < n && a->placed[end].level == a->placed[begin].level; end++) {
            placed *p = &a->placed[end];
            p->up = parent[p->node] == KN_NO_PARENT ? 0 : a->renamed[parent[p->node]];
            p->key = merge ? value[p->node] : p->node;
        }
        sort_placed(a->placed + begin, end - begin, by_parent);
        for (uint32_t i = begin; i < end; i++) {
            const placed *p = &a->placed[i];
            if (i == begin || p->up != p[-1].up || p->key != p[-1].key) {
                if (p->level > 0) {
                    kept_node *up = &a->kept[p->up];
                    up->first = up->count++ ? up->first : kept;
                }
                a->kept[kept++] = (kept_node){.value = value[p->node]};
            }
            a->renamed[p->node] = kept - 1;
        }
    }
    return kept;
}

/* Bring the record of `n` nodes, whose parents have smaller places than their children, into
 * preorder, siblings by code and equal ones merged if `merge`, else in the order of their places.
 * @return how many nodes are left. The arrays are changed in place. */
static uint32_t arrange(arranger *a, uint32_t *value, uint32_t *parent, uint32_t n, bool merge)
{
    uint32_t roots = 0, kept, height = 0, at = 0;

    for (uint32_t i = 0; i < n; i++) {
        a->level[i] = parent[i] == KN_NO_PARENT ? 0 : a->level[parent[i]] + 1;
        a->placed[i] = (placed){.level = a->level[i], .node = i};
    }
    if (n > 16) {
        qsort(a->placed, n, sizeof *a->placed, by_level);
    } else {
        sort_placed(a->placed, n, by_level);
    }
    kept = keep_levels(a, value, parent, n, merge);
    for (uint32_t i = 0; i < n && a->placed[i].level == 0; i++) {
        roots = a->renamed[a->placed[i].node] + 1;
    }
    /* The stack holds what is to come: the next node is on top. It takes the place of `renamed`. */
    for (uint32_t i = roots; i-- > 0; height++) {
        a->renamed[height] = i;
        a->above[height] = KN_NO_PARENT;
    }
    while (height > 0) {
        const kept_node *node = &a->kept[a->renamed[--height]];
        value[at] = node->value;
        parent[at] = a->above[height];
        for (uint32_t i = node->count; i-- > 0; height++) {
            a->renamed[height] = node->first + i;
            a->above[height] = at;
        }
        at++;
    }
    return kept;
}

static bool in_preorder(const uint32_t *parent, uint32_t n)
{
    for (uint32_t i = 0; i < n; i++) {
        uint32_t last = i - 1; /* i == 0: KN_NO_PARENT */
        while (last != parent[i] && last != KN_NO_PARENT) {
            last = parent[last];
        }
        if (last != parent[i]) {
            return false;
        }
    }
    return true;
}

/* Whether siblings are in the order of their codes, none equal; the record is in preorder. `last`
 * has a place a node, for the code of its last child so far. */
static bool is_normal(const uint32_t *value, const uint32_t *parent, uint32_t n, uint32_t *last)
{
    uint32_t root = KN_NO_VALUE;

    for (uint32_t i = 0; i < n; i++) {
        uint32_t *before = parent[i] == KN_NO_PARENT ? &root : &last[parent[i]];
        if (*before != KN_NO_VALUE && *before >= value[i]) {
            return false;
        }
        *before = value[i];
        last[i] = KN_NO_VALUE;
    }
    return true;
}

kn_status kn__forest_normalise(kn_forest *f, uint64_t *merged, kn_error *err)
{
    arranger a = {0};
    uint64_t at = 0, begin = 0;
    size_t most = 0;
    kn_status status;

    if (merged) {
        *merged = 0;
    }
    for (size_t r = 0; r < f->records; r++) {
        most = kn__forest_size(f, r) > most ? kn__forest_size(f, r) : most;
    }
    KN_TRY(arranger_reserve(&a, most, err));
    for (size_t r = 0; r < f->records; r++) {
        const uint32_t n = (uint32_t)(f->starts[r + 1] - begin);
        uint32_t *value = f->value + begin, *parent = f->parent + begin, left = n;
        if (!is_normal(value, parent, n, a.level)) {
            left = arrange(&a, value, parent, n, true);
        }
        if (at != begin && left) {
            memmove(f->value + at, value, left * sizeof *value);
            memmove(f->parent + at, parent, left * sizeof *parent);
        }
        begin = f->starts[r + 1];
        at += left;
        f->starts[r + 1] = at;
    }
    if (merged) {
        *merged = begin - at;
    }
done:
    arranger_free(&a);
    return status;
}

kn_status kn__forest_leave_out(kn_forest *f, const bool *out, kn_error *err)
{
    uint32_t *moved = NULL; /* by old place: the new place of the node, or of what it gave way to */
    uint64_t at = 0, begin = 0;
    size_t most = 0;
    kn_status status;

    for (size_t r = 0; r < f->records; r++) {
        most = kn__forest_size(f, r) > most ? kn__forest_size(f, r) : most;
    }
    moved = kn__malloc_array(most, sizeof *moved);
    KN_TRY(moved ? KN_OK : kn__nomem(err));
    for (size_t r = 0; r < f->records; r++) {
        const uint32_t n = (uint32_t)(f->starts[r + 1] - begin);
        uint32_t left = 0;
        for (uint32_t i = 0; i < n; i++) {
            const uint32_t code = f->value[begin + i], up = f->parent[begin + i];
            const uint32_t above = up == KN_NO_PARENT ? KN_NO_PARENT : moved[up];
            moved[i] = out[f->value_class[code]] ? above : left;
            if (!out[f->value_class[code]]) {
                f->value[at + left] = code;
                f->parent[at + left++] = above;
            }
        }
        begin = f->starts[r + 1];
        at += left;
        f->starts[r + 1] = at;
    }
    KN_TRY(kn__forest_normalise(f, NULL, err));
    KN_TRY(kn__forest_compact(f, err));
done:
    kn__free(moved);
    return status;
}

kn_status kn__forest_compact(kn_forest *f, kn_error *err)
{
    uint32_t *renamed = kn__zalloc_array(f->values, sizeof *renamed), kept = 0;

    if (!renamed) {
        return kn__nomem(err);
    }
    for (uint64_t i = 0; i < f->starts[f->records]; i++) {
        renamed[f->value[i]] = 1;
    }
    for (uint32_t code = 0; code < f->values; code++) {
        if (renamed[code]) {
            renamed[code] = kept;
            f->text[kept] = f->text[code];
            f->value_class[kept++] = f->value_class[code];
        } else {
            kn__free(f->text[code]);
        }
    }
    f->values = kept;
    for (uint64_t i = 0; i < f->starts[f->records]; i++) {
        f->value[i] = renamed[f->value[i]];
    }
    kn__free(renamed);
    return KN_OK;
}

typedef struct named_value {
    const char *key;
    size_t len;
    uint32_t code;
} named_value;

static int by_key(const void *a, const void *b)
{
    const named_value *x = a, *y = b;

    return kn__order_bytes(x->key, x->len, y->key, y->len); /* the class comes first */
}

/* Sort the values by class and text, and rename the codes of the nodes. */
static kn_status order_values(kn_forest_builder *b, kn_error *err)
{
    kn_forest *f = b->f;
    const size_t count = b->values->len;
    named_value *values = kn__malloc_array(count, sizeof *values);
    uint32_t *renamed = kn__malloc_array(count, sizeof *renamed);
    kn_status status;

    KN_TRY(values && renamed ? KN_OK : kn__nomem(err));
    for (uint32_t code = 0; code < count; code++) {
        values[code].key = kn__dict_text(b->values, code, &values[code].len);
        values[code].code = code;
    }
    qsort(values, count, sizeof *values, by_key);
    f->text = kn__zalloc_array(count, sizeof *f->text);
    f->value_class = kn__malloc_array(count, sizeof *f->value_class);
    KN_TRY(f->text && f->value_class ? KN_OK : kn__nomem(err));
    f->values = count;
    for (uint32_t code = 0; code < count; code++) {
        const named_value *v = &values[code];
        renamed[v->code] = code;
        f->value_class[code] = (uint16_t)((unsigned char)v->key[0] << 8 | (unsigned char)v->key[1]);
        f->text[code] = kn__strndup(v->key + 2, v->len - 2);
        KN_TRY(f->text[code] ? KN_OK : kn__nomem(err));
    }
    for (uint64_t i = 0; i < b->nodes; i++) {
        f->value[i] = renamed[f->value[i]];
    }
done:
    kn__free(values);
    kn__free(renamed);
    return status;
}

kn_status kn__forest_builder_finish(kn_forest_builder *b, kn_forest **out, kn_error *err)
{
    kn_forest *f = b->f;
    arranger a = {0};
    kn_status status;

    *out = NULL;
    /* A forest without nodes or classes has arrays all the same. */
    KN_TRY(kn__grow(&f->value, &b->value_cap, 1, sizeof *f->value, err));
    KN_TRY(kn__grow(&f->parent, &b->parent_cap, 1, sizeof *f->parent, err));
    KN_TRY(kn__grow(&f->classes.name, &b->names_cap, 1, sizeof *f->classes.name, err));
    KN_TRY(order_values(b, err));
    for (size_t r = 0; r < f->records; r++) {
        const uint32_t n = kn__forest_size(f, r);
        if (!in_preorder(f->parent + f->starts[r], n)) {
            KN_TRY(arranger_reserve(&a, n, err));
            (void)arrange(&a, f->value + f->starts[r], f->parent + f->starts[r], n, false);
        }
    }
    *out = f;
    b->f = NULL;
done:
    arranger_free(&a);
    kn__forest_builder_free(b);
    return status;
}
