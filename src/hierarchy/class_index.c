/* class_index.c - which class of tree records a text belongs to: a table of all labels of the
 * classes' hierarchies, leaves and inner nodes. */
#include "base/args.h"
#include "base/error.h"
#include "base/memory.h"
#include "hierarchy/hierarchy.h"
#include "kanon/io.h"

#include <string.h>

struct kn_class_index {
    kn_dict *labels;
    size_t *class_; /* by code of `labels` */
    size_t cap;
};

static kn_status add_labels(kn_class_index *x, const kn_hierarchy *h, size_t class_, kn_error *err)
{
    for (uint32_t node = 0; node < h->nodes; node++) {
        const char *label = kn__hierarchy_label(h, node);
        const uint32_t before = x->labels->len;
        uint32_t code;
        KN_PASS(kn__dict_add(x->labels, label, strlen(label), &code, err));
        KN_PASS(kn__grow(&x->class_, &x->cap, (size_t)code + 1, sizeof *x->class_, err));
        x->class_[code] = code == before || x->class_[code] == class_ ? class_ : KN_CLASS_SEVERAL;
    }
    return KN_OK;
}

kn_status kn_class_index_new(kn_class_index **out, const kn_hierarchies *hierarchies,
                             const char *const *classes, size_t count, kn_error *err)
{
    KN_NEED_OUT(err, out);
    KN_NEED(err, hierarchies);
    KN_NEED_LIST(err, classes, count);

    kn_class_index *x = kn__zalloc(sizeof *x);
    kn_status status;

    KN_TRY(x ? KN_OK : kn__nomem(err));
    KN_TRY(kn__dict_new(&x->labels, err));
    for (size_t i = 0; i < count; i++) {
        const kn_hierarchy *h = kn_hierarchies_get(hierarchies, classes[i]);
        if (h) {
            KN_TRY(add_labels(x, h, i, err));
        }
    }
    *out = x;
    x = NULL;
done:
    kn_class_index_free(x);
    return status;
}

void kn_class_index_free(kn_class_index *x)
{
    if (x) {
        kn__dict_free(x->labels);
        KN_FREE(x->class_, x);
    }
}

size_t kn_class_index_find(void *index, const char *text, size_t len)
{
    const kn_class_index *x = index;
    const uint32_t code = x && text ? kn__dict_find(x->labels, text, len) : KN_NO_CODE;

    return code == KN_NO_CODE ? KN_CLASS_UNKNOWN : x->class_[code];
}
