/* amnesia.c - Amnesia's hierarchies: text blocks of "parent has child child", and JSON.
 *
 * Neither form says whether a child is a value or a group: it is the group with that label from
 * below that has no parent yet, and a value when there is none. */
#include "base/error.h"
#include "base/json.h"
#include "base/memory.h"
#include "hierarchy/hierarchy.h"

#include <assert.h>
#include <jansson.h>
#include <stdio.h>
#include <string.h>

/* Groups that children may refer to, by label. */
typedef struct groups {
    kn_dict *labels;
    uint32_t *node; /* by label: the latest group */
    size_t cap;
} groups;

static kn_status groups_new(groups *g, kn_error *err)
{
    *g = (groups){0};
    return kn__dict_new(&g->labels, err);
}

static void groups_clear(groups *g)
{
    kn__dict_free(g->labels);
    kn__free(g->node);
    *g = (groups){0};
}

static kn_status type_from_word(const char *word, size_t len, const char *name, size_t line,
                                kn_type *type, kn_error *err)
{
    static const struct {
        const char *word;
        kn_type type;
    } types[] = {{"string", KN_TYPE_CATEGORY},
                 {"int", KN_TYPE_DECIMAL},
                 {"decimal", KN_TYPE_DECIMAL},
                 {"double", KN_TYPE_DECIMAL},
                 {"date", KN_TYPE_DATE}};

    for (size_t i = 0; i < sizeof types / sizeof *types; i++) {
        if (strlen(types[i].word) == len && memcmp(types[i].word, word, len) == 0) {
            *type = types[i].type;
            return KN_OK;
        }
    }
    return kn__fail(err, KN_EINPUT, "%s: type %s; use string, int, decimal, double or date",
                    kn__place_make(name, line).text, kn__quote_make(word, len).text);
}

/* Put `label` below `parent`: the open group of that name in `g`, or else a new value. */
static kn_status add_child(kn_hierarchy_builder *m, const groups *g, const char *label, size_t len,
                           uint32_t parent, size_t line, kn_error *err)
{
    const uint32_t code = kn__dict_find(g->labels, label, len);
    uint32_t node;

    if (code != KN_NO_CODE) {
        node = g->node[code];
        if (m->node[node].parent != KN_NO_CODE) {
            const char *first = m->text.data + m->node[m->node[node].parent].label;
            const char *second = m->text.data + m->node[parent].label;
            return kn__fail(err, KN_EINPUT,
                            "%s: group %s is below %s and below %s; a group can be in one larger "
                            "group only",
                            kn__place_make(m->name, line).text, kn__quote_make(label, len).text,
                            kn__quote_make(first, strlen(first)).text,
                            kn__quote_make(second, strlen(second)).text);
        }
    } else {
        KN_PASS(kn__hierarchy_builder_add(m, label, len, line, true, &node, err));
    }
    m->node[node].parent = parent;
    return KN_OK;
}

/* Make `node` the group that children called `label` refer to from now on. */
static kn_status open_group(kn_hierarchy_builder *m, groups *g, const char *label, size_t len,
                            uint32_t node, size_t line, kn_error *err)
{
    uint32_t code = kn__dict_find(g->labels, label, len);

    if (code != KN_NO_CODE && m->node[g->node[code]].parent == KN_NO_CODE) {
        return kn__fail(
            err, KN_EINPUT,
            "%s: group %s is described twice, first on line %u; name all that it has in "
            "one place",
            kn__place_make(m->name, line).text, kn__quote_make(label, len).text,
            (unsigned)m->node[g->node[code]].line);
    }
    KN_PASS(kn__grow(&g->node, &g->cap, (size_t)g->labels->len + 1, sizeof *g->node, err));
    KN_PASS(kn__dict_add(g->labels, label, len, &code, err));
    g->node[code] = node;
    return KN_OK;
}

/* All groups but one must have been put below another. */
static kn_status check_roots(const kn_hierarchy_builder *m, kn_error *err)
{
    size_t root = SIZE_MAX;

    for (size_t i = 0; i < m->count; i++) {
        if (m->node[i].parent != KN_NO_CODE) {
            continue;
        }
        if (root != SIZE_MAX) {
            const char *one = m->text.data + m->node[root].label;
            const char *two = m->text.data + m->node[i].label;
            char lines[64] = "";
            if (m->node[i].line) {
                (void)snprintf(lines, sizeof lines, " (lines %u and %u)",
                               (unsigned)m->node[root].line, (unsigned)m->node[i].line);
            }
            return kn__fail(err, KN_EINPUT,
                            "%s: two roots, %s and %s%s; all groups must end below one root",
                            kn__place_make(m->name, 0).text, kn__quote_make(one, strlen(one)).text,
                            kn__quote_make(two, strlen(two)).text, lines);
        }
        root = i;
    }
    return KN_OK;
}

/* Two groups of one label at one depth could not be told apart, nor written as rows. */
static kn_status check_labels(const kn_hierarchy *h, kn_error *err)
{
    kn_dict *seen = NULL;
    kn_buffer key = {0};
    kn_status status;

    KN_TRY(kn__dict_new(&seen, err));
    for (uint32_t i = h->leaves; i < h->nodes; i++) {
        const char *label = kn__hierarchy_label(h, i);
        const uint32_t before = seen->len;
        uint32_t code = 0;

        key.len = 0;
        kn__buffer_add(&key, &h->depth[i], sizeof h->depth[i]);
        kn__buffer_adds(&key, label);
        KN_TRY(key.failed ? kn__nomem(err) : kn__dict_add(seen, key.data, key.len, &code, err));
        if (code < before) {
            KN_TRY(kn__fail(err, KN_EINPUT,
                            "%s: two groups called %s at the same distance from the root; "
                            "give them different names",
                            kn__place_make(h->name, h->line[i]).text,
                            kn__quote_make(label, strlen(label)).text));
        }
    }
done:
    kn__dict_free(seen);
    kn__buffer_free(&key);
    return status;
}

static kn_status finish(kn_hierarchy **out, kn_hierarchy_builder *m, kn_type type, kn_error *err)
{
    kn_hierarchy *h = NULL;
    kn_status status;

    KN_TRY(check_roots(m, err));
    KN_TRY(kn__hierarchy_builder_finish(m, &h, err));
    KN_TRY(check_labels(h, err));
    KN_TRY(kn__amnesia_set_type(h, type, err));
done:
    if (status != KN_OK) {
        kn_hierarchy_free(h);
        h = NULL;
    }
    *out = h;
    return status;
}

/* ---- text ---- */

static kn_text next_word(const char **at, const char *end)
{
    const char *p = *at;
    kn_text word;

    while (p < end && (*p == ' ' || *p == '\t')) {
        p++;
    }
    word.at = p;
    while (p < end && *p != ' ' && *p != '\t') {
        p++;
    }
    word.len = (size_t)(p - word.at);
    *at = p;
    return word;
}

static bool word_is(kn_text word, const char *text)
{
    return word.len == strlen(text) && memcmp(word.at, text, word.len) == 0;
}

static kn_status parse_group(kn_hierarchy_builder *m, groups *g, const char *at, const char *end,
                             size_t line, kn_error *err)
{
    const kn_text parent = next_word(&at, end), has = next_word(&at, end);
    kn_text child = next_word(&at, end);
    uint32_t node;

    if (!word_is(has, "has") || child.len == 0) {
        return kn__fail(err, KN_EINPUT,
                        "%s: expected a group, the word \"has\" and what the group has, such as "
                        "\"Europe has France Greece\"",
                        kn__place_make(m->name, line).text);
    }
    KN_PASS(kn__hierarchy_builder_add(m, parent.at, parent.len, line, false, &node, err));
    while (child.len > 0) {
        KN_PASS(add_child(m, g, child.at, child.len, node, line, err));
        child = next_word(&at, end);
    }
    /* Only now: a group may have a child of its own name. */
    return open_group(m, g, parent.at, parent.len, node, line, err);
}

kn_status kn__amnesia_parse_text(kn_hierarchy **out, const char *name, const char *bytes,
                                 size_t len, kn_error *err)
{
    const char *const end = bytes + len;
    kn_hierarchy_builder m = {.name = name};
    groups g = {0};
    kn_type type = KN_TYPE_CATEGORY;
    bool header = true;
    size_t line = 0;
    kn_status status;

    *out = NULL;
    KN_TRY(groups_new(&g, err));
    for (const char *at = bytes; at < end;) {
        const char *stop = memchr(at, '\n', (size_t)(end - at));
        const char *next = stop ? stop + 1 : end, *cursor = at;
        kn_text word;

        line++;
        stop = stop ? stop : end;
        while (stop > at && stop[-1] == '\r') {
            stop--;
        }
        word = next_word(&cursor, stop);
        if (word.len == 0) {
            at = next;
            continue;
        }
        if (header && (word_is(word, "name") || word_is(word, "height"))) {
            kn_text rest = next_word(&cursor, stop);
            /* A group may be called "name" too, once the header is over. */
            header = !(word_is(rest, "has") && next_word(&cursor, stop).len);
        } else if (header && word_is(word, "type")) {
            word = next_word(&cursor, stop);
            KN_TRY(type_from_word(word.at, word.len, name, line, &type, err));
            at = next;
            continue;
        } else {
            header = false;
        }
        if (!header) {
            KN_TRY(parse_group(&m, &g, at, stop, line, err));
        }
        at = next;
    }
    KN_TRY(finish(out, &m, type, err));
done:
    groups_clear(&g);
    kn__hierarchy_builder_clear(&m);
    return status;
}

/* ---- JSON ---- */

static kn_status fail_json(const char *name, const char *key, const char *what, kn_error *err)
{
    return kn__fail(err, KN_EINPUT, "%s: %s %s", kn__place_make(name, 0).text,
                    kn__quote_make(key, strlen(key)).text, what);
}

/* One level, whose groups go into `here`; `below` has those of the level below. */
static kn_status parse_level(kn_hierarchy_builder *m, json_t *level, const groups *below,
                             groups *here, kn_error *err)
{
    const char *parent;
    json_t *children, *child;

    json_object_foreach(level, parent, children)
    {
        uint32_t node;
        size_t i;

        if (!json_is_array(children) || json_array_size(children) == 0) {
            return fail_json(m->name, parent, "needs a list of what it has, [\"a\", \"b\"]", err);
        }
        KN_PASS(kn__hierarchy_builder_add(m, parent, strlen(parent), 0, false, &node, err));
        json_array_foreach(children, i, child)
        {
            char digits[32];
            const char *text = json_string_value(child);

            if (json_is_integer(child)) {
                (void)snprintf(digits, sizeof digits, "%lld", (long long)json_integer_value(child));
                text = digits;
            }
            KN_PASS(text ? add_child(m, below, text, strlen(text), node, 0, err)
                         : fail_json(m->name, parent, "lists something that is no text", err));
        }
        KN_PASS(open_group(m, here, parent, strlen(parent), node, 0, err));
    }
    return KN_OK;
}

/* Every group of a level must be a child in the level above. */
static kn_status check_claimed(const kn_hierarchy_builder *m, const groups *g, size_t level,
                               kn_error *err)
{
    for (uint32_t i = 0; i < g->labels->len; i++) {
        const kn_hierarchy_builder_node *node;

        assert(g->node && m->node);
        node = &m->node[g->node[i]];
        if (node->parent == KN_NO_CODE) {
            char what[96];
            const char *label = m->text.data + node->label;

            (void)snprintf(what, sizeof what,
                           "is a group of \"level%zu\", but nothing in \"level%zu\" has it",
                           level + 1, level);
            return fail_json(m->name, label, what, err);
        }
    }
    return KN_OK;
}

static kn_status parse_levels(kn_hierarchy_builder *m, json_t *root, size_t levels, kn_error *err)
{
    groups below = {0}, here = {0};
    kn_status status;

    KN_TRY(groups_new(&below, err));
    for (size_t n = levels; n >= 1; n--) {
        char key[32];
        json_t *level;

        (void)snprintf(key, sizeof key, "level%zu", n);
        level = json_object_get(root, key);
        if (!json_is_object(level)) {
            KN_TRY(fail_json(m->name, key, "is no object {group: [what it has]}", err));
        }
        KN_TRY(groups_new(&here, err));
        KN_TRY(parse_level(m, level, &below, &here, err));
        KN_TRY(check_claimed(m, &below, n, err));
        groups_clear(&below);
        below = here;
        here = (groups){0};
    }
done:
    groups_clear(&below);
    groups_clear(&here);
    return status;
}

/* The largest n with a key "level<n>"; keys beyond a gap are found too, and the gap is then
 * refused. */
static size_t count_levels(json_t *root)
{
    const char *key;
    json_t *value;
    size_t levels = 0;

    json_object_foreach(root, key, value)
    {
        size_t n = 0;
        const char *p = key;

        (void)value;
        if (strncmp(p, "level", 5) != 0) {
            continue;
        }
        for (p += 5; *p >= '0' && *p <= '9' && n <= KN_LEVELS_MOST; p++) {
            n = n * 10 + (size_t)(*p - '0');
        }
        if (!*p && n > levels) {
            levels = n;
        }
    }
    return levels;
}

kn_status kn__amnesia_parse_json(kn_hierarchy **out, const char *name, const char *bytes,
                                 size_t len, kn_error *err)
{
    json_error_t problem;
    kn_hierarchy_builder m = {.name = name};
    kn_type type = KN_TYPE_CATEGORY;
    kn_status status;
    const char *word;
    size_t levels;
    json_t *root = NULL;

    *out = NULL;
    status = kn__json_parse(&root, bytes, len, &problem, err);
    if (status == KN_EINPUT) {
        return kn__fail(err, KN_EINPUT, "%s: not a hierarchy in JSON: %s",
                        kn__place_make(name, problem.line > 0 ? (size_t)problem.line : 0).text,
                        problem.text);
    }
    KN_TRY(status);
    word = json_string_value(json_object_get(root, "type"));
    levels = count_levels(root);
    if (word) {
        KN_TRY(type_from_word(word, strlen(word), name, 0, &type, err));
    }
    if (levels == 0 || levels >= KN_LEVELS_MOST) {
        KN_TRY(kn__fail(err, KN_EINPUT,
                        "%s: a hierarchy in JSON has \"level1\" (the root), \"level2\", ..., at "
                        "most %d of them",
                        kn__place_make(name, 0).text, KN_LEVELS_MOST - 1));
    }
    KN_TRY(parse_levels(&m, root, levels, err));
    KN_TRY(finish(out, &m, type, err));
done:
    kn__hierarchy_builder_clear(&m);
    json_decref(root);
    return status;
}
