/* sensitive_items.c - from names, prefixes and nodes to sensitive items. */
#include "guarantees/sensitive_items.h"

#include "base/buffer.h"
#include "base/error.h"
#include "base/memory.h"
#include "base/sort.h"
#include "data/value.h"
#include "hierarchy/hierarchy.h"
#include "hierarchy/item_names.h"

#include <string.h>

typedef struct finding {
    kn_sensitive_items *out;
    const kn_column *c;
    const kn_hierarchy *h; /* or NULL */
    uint32_t *leaf;        /* by code: its leaf of the hierarchy, or KN_NO_CODE */
    uint8_t *below;        /* by node: named, or below one that is */
} finding;

static bool begins(const char *text, size_t len, const char *prefix)
{
    const size_t n = strlen(prefix);

    return n <= len && memcmp(text, prefix, n) == 0;
}

static bool equals(const char *text, size_t len, const char *other)
{
    return strlen(other) == len && memcmp(text, other, len) == 0;
}

/* ---- names ---- */

static kn_status unknown(const finding *f, const char *what, const char *name, bool nodes,
                         kn_error *err)
{
    return kn__item_unknown("sensitive items", what, name, f->c, f->h, nodes, err);
}

/* Note a name that fits no item. KN_ENOMEM only. */
static kn_status note_absent(const finding *f, const char *what, const char *name, kn_error *err)
{
    kn_error *const first = &f->out->unknown;

    if (f->out->absent++ == 0 && unknown(f, what, name, false, first) == KN_ENOMEM) {
        return kn__nomem(err);
    }
    return KN_OK;
}

static kn_status find_items(const finding *f, kn_error *err)
{
    const kn_named_items *named = &f->c->sensitive;
    kn_status status = KN_OK;

    for (size_t i = 0; i < named->count[KN_BY_ITEM] && status == KN_OK; i++) {
        const char *name = named->texts[KN_BY_ITEM][i];
        const uint32_t code = kn__dict_find(f->c->dict, name, strlen(name));
        const uint32_t leaf = f->h ? kn__dict_find(f->h->leaf, name, strlen(name)) : KN_NO_CODE;
        if ((code == KN_NO_CODE || code == f->c->missing) && leaf == KN_NO_CODE) {
            status = note_absent(f, "item", name, err);
        }
        if (code != KN_NO_CODE) {
            f->out->is[code] = 1;
        }
        if (leaf != KN_NO_CODE) {
            f->below[leaf] = 1;
        }
    }
    return status;
}

static kn_status find_prefixes(const finding *f, kn_error *err)
{
    const kn_named_items *named = &f->c->sensitive;
    kn_status status = KN_OK;

    for (size_t i = 0; i < named->count[KN_BY_PREFIX] && status == KN_OK; i++) {
        const char *prefix = named->texts[KN_BY_PREFIX][i];
        bool found = false;
        for (uint32_t code = 0; code < kn__column_values(f->c); code++) {
            size_t len;
            const char *text = kn__column_text(f->c, code, &len);
            if (begins(text, len, prefix)) {
                f->out->is[code] = found = true;
            }
        }
        for (uint32_t leaf = 0; f->h && leaf < f->h->leaves; leaf++) {
            const char *label = kn__hierarchy_label(f->h, leaf);
            if (begins(label, strlen(label), prefix)) {
                f->below[leaf] = found = true;
            }
        }
        if (!found) {
            status = note_absent(f, "item that begins with", prefix, err);
        }
    }
    return status;
}

static kn_status find_nodes(const finding *f, kn_error *err)
{
    const kn_named_items *named = &f->c->sensitive;

    if (named->count[KN_BY_NODE] && !f->h) {
        return kn__fail(
            err, KN_EUSAGE,
            "sensitive items below %s: column '%.100s' has no hierarchy; give it with "
            "--hierarchy %.100s=FILE, or name the items",
            kn__quote_make(named->texts[KN_BY_NODE][0], strlen(named->texts[KN_BY_NODE][0])).text,
            f->c->name, f->c->name);
    }
    for (size_t i = 0; i < named->count[KN_BY_NODE]; i++) {
        const char *name = named->texts[KN_BY_NODE][i];
        bool found = false;
        for (uint32_t node = 0; node < f->h->nodes; node++) {
            if (strcmp(kn__hierarchy_label(f->h, node), name) == 0) {
                f->below[node] = found = true;
            }
        }
        if (!found) {
            return unknown(f, "node", name, true, err);
        }
    }
    return KN_OK;
}

/* Down the tree: parents have greater numbers than their children. What the hierarchy lacks stands
 * below its root. */
static void spread(const finding *f)
{
    for (uint32_t node = f->h ? f->h->nodes : 0; node-- > 0;) {
        f->below[node] |= f->below[f->h->parent[node]];
    }
    for (uint32_t code = 0; f->h && code < kn__column_values(f->c); code++) {
        const uint32_t leaf = f->leaf[code];
        if (code != f->c->missing && f->below[leaf != KN_NO_CODE ? leaf : f->h->nodes - 1]) {
            f->out->is[code] = 1;
        }
    }
}

/* ---- what published items hide ---- */

static bool is_named(const finding *f, const char *text, size_t len)
{
    const kn_named_items *named = &f->c->sensitive;

    for (size_t i = 0; i < named->count[KN_BY_ITEM]; i++) {
        if (equals(text, len, named->texts[KN_BY_ITEM][i])) {
            return true;
        }
    }
    return false;
}

static bool is_sensitive_text(const finding *f, const char *text, size_t len)
{
    const kn_named_items *named = &f->c->sensitive;
    const uint32_t leaf = f->h ? kn__dict_find(f->h->leaf, text, len) : KN_NO_CODE;

    if (is_named(f, text, len)) {
        return true;
    }
    for (size_t i = 0; i < named->count[KN_BY_PREFIX]; i++) {
        if (begins(text, len, named->texts[KN_BY_PREFIX][i])) {
            return true;
        }
    }
    return leaf != KN_NO_CODE && f->below[leaf];
}

static kn_status hides(const finding *f, const char *text, size_t len, const char *item,
                       size_t item_len, kn_error *err)
{
    return kn__fail(err, KN_EINPUT,
                    "column '%.100s': the published item %s could be the sensitive %s: what can be "
                    "inferred of it cannot be counted; publish sensitive items as they are",
                    f->c->name, kn__quote_make(text, len).text,
                    kn__quote_make(item, item_len).text);
}

static kn_status like_a_group(const finding *f, const char *label, kn_error *err)
{
    return kn__fail(
        err, KN_EINPUT,
        "column '%.100s': the sensitive item %s is called like a group of its "
        "hierarchy: where that is published it cannot be known which is meant; rename the "
        "group",
        f->c->name, kn__quote_make(label, strlen(label)).text);
}

static kn_status check_set(const finding *f, const char *text, size_t len, kn_error *err)
{
    const char *at = text + 1, *const end = text + len;
    kn_buffer element = {0};
    kn_status status = KN_OK;

    if (len < 2 || text[0] != '{' || text[len - 1] != '}') {
        return KN_OK;
    }
    while (status == KN_OK && at < end && kn__set_next_text(&at, end, &element)) {
        if (element.failed) {
            status = kn__nomem(err);
        } else if (is_sensitive_text(f, element.data, element.len)) {
            status = hides(f, text, len, element.data, element.len, err);
        }
        at++;
    }
    kn__buffer_free(&element);
    return status;
}

static bool within(const char *text, size_t len, double low, double high)
{
    unsigned decimals;
    double value;

    return kn__number_parse(text, len, &value, &decimals) && low <= value && value <= high;
}

static kn_status check_range(const finding *f, const char *text, size_t len, kn_error *err)
{
    const char *comma = len > 4 && text[0] == '[' && text[len - 1] == ']' ? memchr(text, ',', len)
                                                                          : NULL;
    unsigned decimals;
    double low, high;

    if (!comma || !kn__number_parse(text + 1, (size_t)(comma - text) - 1, &low, &decimals) ||
        !kn__number_parse(comma + 1, (size_t)(text + len - 1 - comma) - 1, &high, &decimals)) {
        return KN_OK;
    }
    for (size_t i = 0; i < f->c->sensitive.count[KN_BY_ITEM]; i++) {
        const char *name = f->c->sensitive.texts[KN_BY_ITEM][i];
        if (within(name, strlen(name), low, high)) {
            return hides(f, text, len, name, strlen(name), err);
        }
    }
    for (uint32_t code = 0; code < kn__column_values(f->c); code++) {
        size_t other_len;
        const char *other = kn__column_text(f->c, code, &other_len);
        if (f->out->is[code] && within(other, other_len, low, high)) {
            return hides(f, text, len, other, other_len, err);
        }
    }
    return KN_OK;
}

/* By node: leaves below it that are sensitive, and all. */
typedef struct tally {
    uint32_t sensitive, all;
} tally;

static tally *count_leaves(const finding *f)
{
    tally *counts = kn__zalloc_array(f->h->nodes, sizeof *counts);

    for (uint32_t node = 0; counts && node < f->h->nodes; node++) {
        const uint32_t parent = f->h->parent[node];
        if (node < f->h->leaves) {
            counts[node] = (tally){f->below[node] != 0, 1};
        }
        if (parent != node) {
            counts[parent].sensitive += counts[node].sensitive;
            counts[parent].all += counts[node].all;
        }
    }
    return counts;
}

/* The name of a node stands for the items below it, also where it begins as sensitive items do:
 * taken for one of them, it would be nothing that an attacker may know. */
static kn_status check_nodes(const finding *f, kn_error *err)
{
    tally *counts = count_leaves(f);
    kn_status status = counts ? KN_OK : kn__nomem(err);

    for (uint32_t node = f->h->leaves; status == KN_OK && node < f->h->nodes; node++) {
        const char *label = kn__hierarchy_label(f->h, node);
        const uint32_t code = kn__dict_find(f->c->dict, label, strlen(label));
        if (code == KN_NO_CODE || code == f->c->missing) {
            continue;
        }
        if (f->leaf[code] != KN_NO_CODE) {
            if (f->out->is[code] && counts[node].all > 1) {
                status = like_a_group(f, label, err);
            }
            continue;
        }
        if (counts[node].sensitive && counts[node].sensitive == counts[node].all) {
            status = hides(f, label, strlen(label), label, strlen(label), err);
        } else if (is_named(f, label, strlen(label))) {
            status = like_a_group(f, label, err);
        }
        f->out->is[code] = 0;
        f->out->above[code] |= counts[node].sensitive > 0;
    }
    kn__free(counts);
    return status;
}

static kn_status check_published(const finding *f, kn_error *err)
{
    kn_status status = KN_OK;

    for (uint32_t code = 0; code < kn__column_values(f->c) && status == KN_OK; code++) {
        size_t len;
        const char *text = kn__column_text(f->c, code, &len);
        if (code == f->c->missing || is_sensitive_text(f, text, len)) {
            continue;
        }
        status = check_set(f, text, len, err);
        if (status == KN_OK) {
            status = check_range(f, text, len, err);
        }
        f->out->above[code] = equals(text, len, "*");
    }
    return status == KN_OK && f->h ? check_nodes(f, err) : status;
}

static kn_status find_all(finding *f, kn_error *err)
{
    size_t uncovered;

    KN_PASS(f->h ? kn__hierarchy_bind(f->h, f->c, f->leaf, &uncovered, err) : KN_OK);
    KN_PASS(find_items(f, err));
    KN_PASS(find_prefixes(f, err));
    KN_PASS(find_nodes(f, err));
    spread(f);
    return check_published(f, err);
}

kn_status kn__sensitive_items_find(kn_sensitive_items *out, const kn_column *column,
                                   const kn_hierarchies *hierarchies, kn_error *err)
{
    const uint32_t values = kn__column_values(column);
    finding f = {.out = out,
                 .c = column,
                 .h = hierarchies ? kn_hierarchies_get(hierarchies, column->name) : NULL};
    kn_status status = KN_OK;

    *out = (kn_sensitive_items){.given = kn__named_items_any(&column->sensitive)};
    out->is = kn__zalloc_array(values, 1);
    out->above = kn__zalloc_array(values, 1);
    f.leaf = kn__malloc_array(values, sizeof *f.leaf);
    f.below = kn__zalloc_array(f.h ? f.h->nodes : 0, 1);
    if (!out->is || !out->above || !f.leaf || !f.below) {
        KN_TRY(kn__nomem(err));
    } else if (out->given) {
        KN_TRY(find_all(&f, err));
    }
    for (uint32_t code = 0; code < values; code++) {
        out->count += out->is[code] && code != column->missing;
        out->others += !out->is[code] && code != column->missing;
    }
    if (out->count && out->others == 0 && !column->sensitive.settled) {
        KN_TRY(kn__fail(err, KN_EUSAGE,
                        "every item of column '%.100s' is sensitive: nothing is left that an "
                        "attacker may know; name fewer, or give the column the role sensitive",
                        column->name));
    }
done:
    KN_FREE(f.leaf, f.below);
    if (status != KN_OK) {
        kn__sensitive_items_clear(out);
    }
    return status;
}

kn_status kn__sensitive_items_named(const kn_sensitive_items *s, const kn_column *column,
                                    const kn_guarantee *guarantees, size_t count, kn_error *err)
{
    for (size_t i = 0; i < count; i++) {
        const kn_guarantee_kind kind = guarantees[i].kind;
        if (kn_guarantee_about(kind) & KN_ABOUT_SENSITIVE_ITEMS && !s->given) {
            return kn__fail(err, KN_EUSAGE,
                            "%s protects sensitive items, and none of column '%.100s' is named: "
                            "give --sensitive-items, --sensitive-prefix or --sensitive-node",
                            kn_guarantee_name(kind), column->name);
        }
    }
    return KN_OK;
}

kn_status kn__sensitive_items_all_there(const kn_sensitive_items *s, kn_error *err)
{
    return s->absent ? kn__fail(err, s->unknown.status, "%s", s->unknown.message) : KN_OK;
}

void kn__sensitive_items_clear(kn_sensitive_items *s)
{
    KN_FREE(s->is, s->above);
    *s = (kn_sensitive_items){0};
}

/* ---- before and after ---- */

/* The sensitive items of a record as codes of the original, ascending; `as` by code of its column:
 * that code, or KN_NO_CODE. */
static size_t gather(uint32_t *items, const kn_column *c, size_t record, const uint32_t *as)
{
    size_t len = 0;

    for (uint64_t i = c->starts[record]; i < c->starts[record + 1]; i++) {
        const uint32_t item = as[kn__code_get(c->codes, c->width, (size_t)i)];
        if (item != KN_NO_CODE) {
            items[len++] = item;
        }
    }
    kn__sort_u32(items, len);
    return len;
}

static size_t longest(const kn_column *c, size_t records)
{
    uint64_t most = 0;

    for (size_t i = 0; i < records; i++) {
        const uint64_t len = c->starts[i + 1] - c->starts[i];
        most = len > most ? len : most;
    }
    return (size_t)most;
}

kn_status kn__sensitive_items_kept(bool *kept, size_t *record, const kn_column *original,
                                   const kn_column *release, const uint32_t *origin, size_t records,
                                   const kn_hierarchies *hierarchies, kn_error *err)
{
    const uint32_t before = kn__column_values(original), after = kn__column_values(release);
    kn_sensitive_items s = {0};
    uint32_t *same = kn__malloc_array(before, sizeof *same);
    uint32_t *as = kn__malloc_array(after, sizeof *as);
    uint32_t *mine = NULL, *theirs = kn__malloc_array(longest(release, records), sizeof *theirs);
    kn_status status = kn__sensitive_items_find(&s, original, hierarchies, err);

    *kept = true;
    if (status == KN_OK && origin) {
        size_t most = 0;
        for (size_t i = 0; i < records; i++) {
            const uint64_t len = original->starts[origin[i] + 1] - original->starts[origin[i]];
            most = len > most ? (size_t)len : most;
        }
        mine = kn__malloc_array(most, sizeof *mine);
    } else if (status == KN_OK) {
        mine = kn__malloc_array(longest(original, records), sizeof *mine);
    }
    if (status == KN_OK && (!same || !as || !mine || !theirs)) {
        status = kn__nomem(err);
    }
    for (uint32_t code = 0; status == KN_OK && code < before; code++) {
        same[code] = s.is[code] ? code : KN_NO_CODE;
    }
    for (uint32_t code = 0; status == KN_OK && code < after; code++) {
        size_t len;
        const char *text = kn__column_text(release, code, &len);
        const uint32_t item = kn__dict_find(original->dict, text, len);
        as[code] = item != KN_NO_CODE && s.is[item] ? item : KN_NO_CODE;
    }
    for (size_t i = 0; status == KN_OK && *kept && i < records; i++) {
        const size_t len = gather(mine, original, origin ? origin[i] : i, same);
        *kept = gather(theirs, release, i, as) == len &&
                memcmp(mine, theirs, len * sizeof *mine) == 0;
        *record = i;
    }
    KN_FREE(same, as, mine, theirs);
    kn__sensitive_items_clear(&s);
    return status;
}
