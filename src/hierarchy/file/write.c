/* write.c - a hierarchy as text, and as a file, which the sink writes. */
#include "base/args.h"
#include "base/error.h"
#include "base/json.h"
#include "base/say.h"
#include "hierarchy/hierarchy.h"
#include "io/bytes/file.h"

#include <jansson.h>
#include <stdlib.h>
#include <string.h>

static void add_field(kn_buffer *out, const char *label)
{
    if (!strpbrk(label, ";\"\r\n") && strncmp(label, "\xEF\xBB\xBF", 3) != 0) {
        kn__buffer_adds(out, label);
    } else {
        kn__say_quoted(out, '"', label, strlen(label));
    }
}

static void add_rows(const kn_hierarchy *h, kn_buffer *out)
{
    for (uint32_t i = 0; i < h->leaves; i++) {
        uint32_t at = i;

        add_field(out, kn__hierarchy_label(h, at));
        while (h->parent[at] != at) {
            at = h->parent[at];
            kn__buffer_addc(out, ';');
            add_field(out, kn__hierarchy_label(h, at));
        }
        kn__buffer_addc(out, '\n');
    }
}

/* Append `text` as JSON, or fail: jansson knows all the escapes. */
static void add_json_text(kn_buffer *out, const char *text)
{
    json_t *value = json_string(text);
    char *dumped = value ? kn__json_dump(value, JSON_ENCODE_ANY) : NULL;

    if (dumped) {
        kn__buffer_adds(out, dumped);
    } else {
        out->failed = true;
    }
    free(dumped);
    json_decref(value);
}

static void json_groups(const kn_hierarchy *h, kn_buffer *out)
{
    uint32_t node = h->nodes;

    /* Inner nodes are ordered by depth, so a level is a run of them. */
    for (uint32_t depth = 0; node > h->leaves && h->depth[node - 1] == depth; depth++) {
        kn__buffer_addf(out, ",\n  \"level%u\": {", depth + 1);
        for (const char *comma = ""; node > h->leaves && h->depth[node - 1] == depth; comma = ",") {
            node--;
            kn__buffer_addf(out, "%s\n    ", comma);
            add_json_text(out, kn__hierarchy_label(h, node));
            kn__buffer_adds(out, ": [");
            for (uint32_t c = h->child_begin[node]; c < h->child_begin[node + 1]; c++) {
                add_json_text(out, kn__hierarchy_label(h, h->child[c]));
                kn__buffer_adds(out, c + 1 < h->child_begin[node + 1] ? ", " : "]");
            }
        }
        kn__buffer_adds(out, "}");
    }
    kn__buffer_adds(out, "\n}\n");
}

/* JSON tells values from groups by label alone: at one depth they must differ. */
static kn_status check_json_labels(const kn_hierarchy *h, kn_error *err)
{
    for (uint32_t i = h->leaves; i < h->nodes; i++) {
        const char *label = kn__hierarchy_label(h, i);
        const uint32_t leaf = kn__dict_find(h->leaf, label, strlen(label));

        if (leaf != KN_NO_CODE && h->depth[leaf] == h->depth[i]) {
            return kn__fail(err, KN_EINPUT,
                            "%s: cannot be written: %s is a value and a group at the same distance "
                            "from the root; rename one",
                            kn__place_make(h->name, h->line[i]).text,
                            kn__quote_make(label, strlen(label)).text);
        }
    }
    return KN_OK;
}

static const char *type_name(kn_type type)
{
    if (type == KN_TYPE_DATE) {
        return "date";
    }
    return type == KN_TYPE_DECIMAL ? "double" : "string";
}

static kn_status add_json(const kn_hierarchy *h, kn_buffer *out, kn_error *err)
{
    const kn_status status = check_json_labels(h, err);

    if (status != KN_OK) {
        return status;
    }
    kn__buffer_addf(out,
                    "{\n  \"hierType\": \"%s\",\n  \"name\": \"hierarchy\",\n"
                    "  \"type\": \"%s\",\n  \"height\": %u",
                    h->low ? "range" : "distinct", type_name(h->type),
                    (unsigned)h->levels - (h->low != NULL));
    json_groups(h, out);
    return KN_OK;
}

kn_status kn__hierarchy_format(const kn_hierarchy *h, kn_buffer *out, kn_error *err)
{
    if (h->low || h->missing != KN_NO_CODE) {
        KN_PASS(add_json(h, out, err));
    } else {
        add_rows(h, out);
    }
    return out->failed ? kn__nomem(err) : KN_OK;
}

kn_status kn_hierarchy_write(const kn_hierarchy *h, const char *path, kn_error *err)
{
    KN_NEED(err, h, path);

    kn_buffer text = {0};
    kn_sink *sink = NULL;
    kn_status status;

    KN_TRY(kn__hierarchy_format(h, &text, err));
    KN_TRY(kn__sink_put(&sink, path, KN_COMPRESSION_AUTO, text.data, text.len, err));
    KN_TRY(kn__sink_commit(sink, err));
done:
    kn__buffer_free(&text);
    return status;
}
