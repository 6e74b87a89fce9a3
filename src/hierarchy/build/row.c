/* row.c - collect the labels of a row and hand them to the builder. */
#include "hierarchy/build/row.h"
#include "base/error.h"
#include "base/memory.h"

void kn__build_row_clear(kn_build_row *r)
{
    kn__buffer_free(&r->text);
    KN_FREE(r->end, r->label);
}

void kn__build_row_mark(kn_build_row *r)
{
    if (kn__grow(&r->end, &r->end_cap, r->count + 1, sizeof *r->end, NULL) == KN_OK) {
        r->end[r->count++] = r->text.len;
    } else {
        r->text.failed = true;
    }
}

void kn__build_row_add(kn_build_row *r, const char *text, size_t len)
{
    kn__buffer_add(&r->text, text, len);
    kn__build_row_mark(r);
}

kn_status kn__build_row_flush(kn_build_row *r, kn_hierarchy_builder *m, kn_error *err)
{
    kn_status status;

    kn__build_row_add(r, "*", 1);
    if (r->text.failed ||
        kn__grow(&r->label, &r->label_cap, r->count, sizeof *r->label, NULL) != KN_OK) {
        return kn__nomem(err);
    }
    for (size_t i = 0; i < r->count; i++) {
        const size_t begin = i ? r->end[i - 1] : 0;
        r->label[i] = (kn_text){r->text.data + begin, r->end[i] - begin};
    }
    status = kn__hierarchy_builder_row(m, r->label, r->count, 0, err);
    r->text.len = 0;
    r->count = 0;
    return status;
}
