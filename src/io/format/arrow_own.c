/* arrow_own.c - schemas and arrays that are handed out. */
#include "io/format/arrow_own.h"
#include "base/buffer.h"
#include "base/memory.h"

#include <string.h>

/* ---- schemas ---- */

static void free_text(const char *const *text)
{
    char *owned;

    memcpy(&owned, text, sizeof owned);
    kn__free(owned);
}

static void release_schema(struct ArrowSchema *s)
{
    for (int64_t i = 0; i < s->n_children; i++) {
        if (s->children[i] && s->children[i]->release) {
            s->children[i]->release(s->children[i]);
        }
        kn__free(s->children[i]);
    }
    kn__free(s->children);
    if (s->dictionary && s->dictionary->release) {
        s->dictionary->release(s->dictionary);
    }
    kn__free(s->dictionary);
    free_text(&s->name);
    free_text(&s->format);
    free_text(&s->metadata);
    s->release = NULL;
}

bool kn__arrow_schema_make(struct ArrowSchema *s, const char *format, const char *name,
                           size_t children)
{
    *s = (struct ArrowSchema){.flags = ARROW_FLAG_NULLABLE, .release = release_schema};
    s->format = kn__strdup(format);
    s->name = kn__strdup(name ? name : "");
    s->children = children ? kn__zalloc_array(children, sizeof *s->children) : NULL;
    if (!s->format || !s->name || (children && !s->children)) {
        return false;
    }
    s->n_children = (int64_t)children;
    for (size_t i = 0; i < children; i++) {
        s->children[i] = kn__zalloc(sizeof **s->children);
        if (!s->children[i]) {
            return false;
        }
    }
    return true;
}

/* A number of metadata at `*at`; false when it is negative. */
static bool metadata_number(const char **at, int32_t *out)
{
    memcpy(out, *at, sizeof *out);
    *at += sizeof *out;
    return *out >= 0;
}

/* The pairs of `from` whose keys name an extension type, in the form of the specification: their
 * number, then length and bytes of each key and value. NULL in `*out` where there are none. */
static bool copy_metadata(const char **out, const char *from)
{
    static const char wanted[] = "ARROW:extension:";
    kn_buffer kept = {0};
    const char *at = from;
    int32_t pairs = 0, found = 0, key, value;
    bool done;

    kn__buffer_add(&kept, &found, sizeof found);
    if (!from || !metadata_number(&at, &pairs)) {
        pairs = 0;
    }
    for (int32_t i = 0; i < pairs; i++) {
        const char *pair = at;
        if (!metadata_number(&at, &key)) {
            break;
        }
        at += key;
        if (!metadata_number(&at, &value)) {
            break;
        }
        at += value;
        if ((size_t)key >= sizeof wanted - 1 &&
            memcmp(pair + sizeof key, wanted, sizeof wanted - 1) == 0) {
            kn__buffer_add(&kept, pair, (size_t)(at - pair));
            found++;
        }
    }
    done = !kept.failed;
    *out = NULL;
    if (done && found) {
        memcpy(kept.data, &found, sizeof found);
        *out = kept.data;
        kept = (kn_buffer){0};
    }
    kn__buffer_free(&kept);
    return done;
}

bool kn__arrow_schema_like(struct ArrowSchema *to, const struct ArrowSchema *from)
{
    const bool done = kn__arrow_schema_make(to, from->format, from->name, (size_t)from->n_children);

    to->flags = from->flags;
    return done && copy_metadata(&to->metadata, from->metadata);
}

bool kn__arrow_schema_copy(struct ArrowSchema *to, const struct ArrowSchema *from)
{
    bool done = kn__arrow_schema_like(to, from);

    for (int64_t i = 0; done && i < from->n_children; i++) {
        done = kn__arrow_schema_copy(to->children[i], from->children[i]);
    }
    if (done && from->dictionary) {
        to->dictionary = kn__zalloc(sizeof *to->dictionary);
        done = to->dictionary && kn__arrow_schema_copy(to->dictionary, from->dictionary);
    }
    return done;
}

/* ---- arrays ---- */

static void release_array(struct ArrowArray *a)
{
    kn_arrow_owned *o = a->private_data;

    for (int64_t i = 0; i < a->n_children; i++) {
        if (a->children[i] && a->children[i]->release) {
            a->children[i]->release(a->children[i]);
        }
        kn__free(a->children[i]);
    }
    kn__free(a->children);
    if (a->dictionary && a->dictionary->release) {
        a->dictionary->release(a->dictionary);
    }
    kn__free(a->dictionary);
    if (o) {
        kn_dataset_free(o->share);
        for (int64_t i = 0; o->made && i < a->n_buffers; i++) {
            kn__free(o->made[i]);
        }
        KN_FREE(o->made, o->buffers, o);
    }
    a->release = NULL;
}

kn_arrow_owned *kn__arrow_array_make(struct ArrowArray *a, size_t length, size_t buffers,
                                     size_t children)
{
    kn_arrow_owned *o = kn__zalloc(sizeof *o);

    *a = (struct ArrowArray){.length = (int64_t)length,
                             .n_buffers = (int64_t)buffers,
                             .release = release_array,
                             .private_data = o};
    a->children = children ? kn__zalloc_array(children, sizeof *a->children) : NULL;
    if (!o || (children && !a->children)) {
        return NULL;
    }
    o->made = kn__zalloc_array(buffers + 1, sizeof *o->made);
    o->buffers = kn__zalloc_array(buffers + 1, sizeof *o->buffers);
    a->buffers = o->buffers;
    a->n_children = (int64_t)children;
    for (size_t i = 0; i < children; i++) {
        a->children[i] = kn__zalloc(sizeof **a->children);
        if (!a->children[i]) {
            return NULL;
        }
    }
    return o->made && o->buffers ? o : NULL;
}

bool kn__arrow_own(kn_arrow_owned *o, size_t i, void *made)
{
    o->made[i] = made;
    o->buffers[i] = made;
    return made != NULL;
}

void kn__arrow_borrow(kn_arrow_owned *o, size_t i, const kn_dataset *ds, const void *buffer)
{
    o->buffers[i] = buffer;
    if (!o->share) {
        o->share = kn__dataset_share(ds);
    }
}
