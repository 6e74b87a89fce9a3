/* trees.c - what a report says of tree records: the cut, the relations removed, some records. */
#include "report/make.h"
#include "report/tree_examples.h"
#include "base/error.h"
#include "base/memory.h"

static kn_status copy_texts(char ***out, size_t *count, const char *const *texts, size_t len,
                            kn_error *err)
{
    *out = kn__zalloc_array(len, sizeof **out);
    KN_PASS(*out ? KN_OK : kn__nomem(err));
    for (size_t i = 0; i < len; i++) {
        KN_PASS(kn__report_text_copy(&(*out)[i], texts[i], err));
        *count = i + 1;
    }
    return KN_OK;
}

/* Which published record came of `record`; SIZE_MAX: it is not known, or there is none. */
static size_t published_record(const kn_report_facts *f, size_t record)
{
    for (size_t i = 0; f->origin && i < f->published->records; i++) {
        if (f->origin[i] == record) {
            return i;
        }
    }
    return !f->origin && !f->shuffled && f->published->records == f->original->records ? record
                                                                                       : SIZE_MAX;
}

kn_status kn__report_draw_trees(kn_report *r, const kn_report_facts *f, kn_error *err)
{
    enum { DRAWN = 3 };
    kn_tree_example *examples = NULL;
    size_t count = 0;
    kn_buffer b = {0};
    unsigned ids = 1000; /* charts are numbered from 1 */
    kn_status status = KN_OK;

    if (!f->original->forest || !f->published || !f->published->forest ||
        f->published->forest->classes.len != f->original->forest->classes.len) {
        return KN_OK;
    }
    KN_TRY(
        kn__tree_examples_find(f->original->forest, r->rare_below, DRAWN, &examples, &count, err));
    for (size_t i = 0; i < count; i++) {
        const size_t published = published_record(f, examples[i].record);
        kn_tree_example part;
        if (published == SIZE_MAX) {
            continue;
        }
        status = kn__tree_example_part(f->published->forest, published, r->rare_below, &part, err);
        if (status == KN_OK && part.count) {
            kn__svg_tree_pair(&b, f->original->forest, &examples[i], f->published->forest, &part,
                              &ids);
        }
        kn__free(part.nodes);
        KN_TRY(status);
    }
    if (b.len || b.failed) {
        KN_TRY(kn__buffer_take(&b, &r->tree_drawings, err));
    }
done:
    kn__tree_examples_free(examples, count);
    kn__buffer_free(&b);
    return status;
}

/* What was done to tree records. */
kn_status kn__report_copy_trees(kn_report *r, const kn_report_facts *f, kn_error *err)
{
    r->trees = f->original->forest != NULL;
    r->tree_cuts = f->tree_cuts;
    r->tree_clusters = f->tree_clusters;
    KN_PASS(copy_texts(&r->tree_cut, &r->tree_cut_count, f->tree_cut, f->tree_cut_count, err));
    return copy_texts(&r->tree_removed, &r->tree_removed_count, f->tree_removed,
                      f->tree_removed_count, err);
}
