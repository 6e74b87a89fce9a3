/* item_names.c - the message for an unknown name of an item or node. */
#include "hierarchy/item_names.h"
#include "base/buffer.h"
#include "base/error.h"
#include "base/memory.h"
#include "hierarchy/hierarchy.h"
#include "kanon/catalog.h"

#include <string.h>

kn_status kn__item_unknown(const char *who, const char *what, const char *name, const kn_column *c,
                           const kn_hierarchy *h, bool nodes, kn_error *err)
{
    const uint32_t values = kn__column_values(c), labels = h ? h->nodes : 0;
    const size_t most = (size_t)values + labels;
    const char **names = kn__malloc_array(most, sizeof *names), *near;
    kn_buffer texts = {0};
    size_t count = 0;
    kn_status status;

    for (uint32_t i = 0; i < values && !nodes; i++) {
        size_t len;
        const char *text = kn__column_text(c, i, &len);
        kn__buffer_add(&texts, text, len);
        kn__buffer_addc(&texts, '\0');
    }
    if (!names || texts.failed) {
        kn__free(names);
        kn__buffer_free(&texts);
        return kn__nomem(err);
    }
    for (const char *at = texts.data; at && at < texts.data + texts.len; at += strlen(at) + 1) {
        names[count++] = at;
    }
    for (uint32_t i = 0; i < labels; i++) {
        names[count++] = kn__hierarchy_label(h, i);
    }
    near = kn_nearest(name, names, count);
    status = kn__fail(err, KN_EUSAGE,
                      "%s: there is no %s %s in column '%.100s'%s%s%s%s if it is gone", who, what,
                      kn__quote_make(name, strlen(name)).text, c->name,
                      h ? " nor in its hierarchy" : "", near ? "; did you mean " : "",
                      near ? kn__quote_make(near, strlen(near)).text : "",
                      near ? "? Leave it out" : "; leave it out");
    kn__free(names);
    kn__buffer_free(&texts);
    return status;
}
