/* trees.c - what the readers and writers of tree records share: blocks of whole records, places in
 * messages, and the way from a builder to a dataset. */
#include "io/format/trees.h"
#include "base/error.h"
#include "base/threads.h"

#include <stdio.h>
#include <string.h>

enum { BLOCK = 1 << 20 };

/* What `enough` of a format is asked about, and how much there should be before. */
typedef struct block_of {
    const kn_tree_feed *feed;
    size_t least;
} block_of;

static bool is_enough(void *user, const char *text, size_t len)
{
    const block_of *b = user;

    return len >= b->least && b->feed->enough(b->feed->user, text, len);
}

kn_status kn__tree_feed_run(kn_reading *r, const kn_tree_feed *feed, kn_error *err)
{
    block_of block = {feed, r->sizes && r->sizes->block ? r->sizes->block : BLOCK};
    bool bom = false, any = false;

    for (;;) {
        const char *text;
        size_t len, used = 0, lines = 0;
        double share;
        bool last;

        KN_PASS(kn__feed_peek(r->feed, is_enough, &block, &text, &len, &bom, err));
        r->layout.bom = bom;
        if (len == 0 && !any) {
            KN_PASS(kn__fail(err, KN_EINPUT, "the file is empty"));
        }
        any = true;
        last = !is_enough(&block, text, len);
        KN_PASS(feed->parse(feed->user, text, len, last, &used, &lines, err));
        kn__feed_skip(r->feed, used, lines);
        if (last) {
            break;
        }
        share = kn__source_done(kn__feed_source(r->feed));
        KN_PASS(kn__run_step(r->run, "read", share < 0 ? 0 : share, err));
    }
    return kn__run_step(r->run, "read", 1, err);
}

kn_tree_place kn__tree_place(size_t line, const char *text, size_t at)
{
    kn_tree_place place;
    size_t characters = 1;

    for (size_t i = 0; i < at; i++) {
        characters += ((unsigned char)text[i] & 0xc0) != 0x80;
    }
    (void)snprintf(place.text, sizeof place.text, "line %zu, character %zu", line, characters);
    return place;
}

kn_status kn__tree_check_text(const char *text, size_t len, size_t line, kn_error *err)
{
    const size_t bad = kn__text_check(text, len);
    size_t begin = bad;

    if (bad == len) {
        return KN_OK;
    }
    while (begin && text[begin - 1] != '\n') {
        begin--;
    }
    for (size_t i = 0; i < begin; i++) {
        line += text[i] == '\n';
    }
    return kn__fail(err, KN_EINPUT, "%s: %s", kn__tree_place(line, text + begin, bad - begin).text,
                    text[bad] ? "this is not UTF-8: convert the file with iconv"
                              : "a NUL byte: this is no text file, or it is damaged");
}

kn_status kn__tree_builder(const kn_reading *r, kn_forest_builder **out, kn_error *err)
{
    const kn_schema *s = r->options->schema;
    const kn_tree_classes classes = {s ? s->classes_count : 0, s ? s->classes : NULL};

    return kn__forest_builder_new(out, &classes, err);
}

kn_status kn__tree_shape_of(const kn_reading *r, kn_forest_builder *b, kn_tree_shape **out,
                            kn_error *err)
{
    const char *notation = r->options->schema ? r->options->schema->tree : NULL;
    kn_tree_shape *shape = NULL;
    kn_status status;

    *out = NULL;
    if (!notation) {
        return KN_OK;
    }
    KN_TRY(kn__tree_shape_parse(&shape, notation, err));
    for (size_t i = 0; i < shape->attributes; i++) {
        const char *name = shape->classes.name[shape->attribute[i].class_];
        KN_TRY(kn__forest_builder_class(b, name, strlen(name), &shape->attribute[i].class_, err));
    }
    *out = shape;
    shape = NULL;
done:
    kn__tree_shape_free(shape);
    return status;
}

kn_status kn__tree_finish(const kn_reading *r, kn_forest_builder *b, bool ordered, kn_dataset **out,
                          kn_error *err)
{
    const kn_schema *s = r->options->schema;
    const size_t records = kn__forest_builder_records(b);
    kn_forest *f = NULL;
    kn_status status;

    *out = NULL;
    KN_TRY(kn__forest_builder_finish(b, &f, err));
    if (records == 0) {
        KN_TRY(kn__fail(err, KN_EINPUT, "there are no records in it"));
    }
    if (f->starts[records] == 0) {
        KN_TRY(kn__fail(err, KN_EINPUT, "no record has a node"));
    }
    if (!ordered && !(s && s->classes_count)) {
        KN_TRY(kn__forest_order_classes(f, err));
    }
    status = kn__dataset_of_forest(out, f, s, r->options->keep_dropped, err);
    f = NULL;
done:
    kn__forest_free(f);
    return status;
}

kn_status kn__tree_writing(kn_writing *w, const char *format, kn_error *err)
{
    if (!w->ds->forest) {
        return kn__fail(err, KN_EUSAGE,
                        "%s holds tree records, and this table has none: write CSV or JSON Lines, "
                        "or build trees with --tree (docs/tree-records.md)",
                        format);
    }
    return kn__dataset_published_forest(w->ds, &w->forest, &w->own_forest, err);
}

kn_status kn__tree_fill(kn_writing *w,
                        void (*put)(const kn_writing *w, uint32_t code, kn_buffer *out),
                        kn_error *err)
{
    kn_buffer all = {0};
    kn_status status;

    w->trees.starts = kn__malloc_array(w->forest->values + 1, sizeof *w->trees.starts);
    KN_TRY(w->trees.starts ? KN_OK : kn__nomem(err));
    for (uint32_t code = 0; code < w->forest->values; code++) {
        w->trees.starts[code] = all.len;
        put(w, code, &all);
    }
    w->trees.starts[w->forest->values] = all.len;
    kn__buffer_addc(&all, '\0');
    KN_TRY(kn__buffer_take(&all, &w->trees.bytes, err));
done:
    kn__buffer_free(&all);
    return status;
}
