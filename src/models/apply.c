/* apply.c - kn_model_apply: the answer of a model for every record, as a new column. */
#include "base/args.h"
#include "base/error.h"
#include "base/memory.h"
#include "base/threads.h"
#include "data/builder.h"
#include "models/registry.h"

#include <assert.h>
#include <stdatomic.h>
#include <string.h>

enum { SLICE = 1 << 14 };

typedef struct applying {
    const kn_model *m;
    const kn_model_row *row;
    const kn_bound *b;
    kn_span_model span_model;
    uint32_t *answer; /* by record: class value or cluster; KN_NO_CODE: none. Not of rules */
    void **scratch;   /* by worker */
    const kn_run *run;
    size_t records;
    atomic_size_t done;
    atomic_bool stop;
    kn_error err; /* of the progress function, which only the calling thread calls */
} applying;

static void answer_slice(void *user, unsigned worker, size_t begin, size_t end)
{
    applying *a = user;

    for (size_t i = begin; i < end && !atomic_load(&a->stop); i++) {
        a->answer[i] = a->row->answer_of(&a->span_model, a->b, i, a->scratch[worker]);
    }
    atomic_fetch_add(&a->done, end - begin);
    if (worker == 0 && !atomic_load(&a->stop) &&
        kn__run_step(a->run, "apply", (double)atomic_load(&a->done) / (double)a->records,
                     &a->err) != KN_OK) {
        atomic_store(&a->stop, true);
    }
}

static kn_status find_answers(applying *a, kn_error *err)
{
    const unsigned threads = kn__run_threads(a->run);
    kn_status status;

    KN_TRY(a->row->span_model(&a->span_model, a->b, err));
    a->answer = kn__malloc_array(a->records ? a->records : 1, sizeof *a->answer);
    a->scratch = kn__zalloc_array(threads, sizeof *a->scratch);
    KN_TRY(a->answer && a->scratch ? KN_OK : kn__nomem(err));
    for (unsigned i = 0; i < threads; i++) {
        a->scratch[i] = kn__zalloc(a->span_model.scratch_bytes ? a->span_model.scratch_bytes : 1);
        KN_TRY(a->scratch[i] ? KN_OK : kn__nomem(err));
    }
    kn__parallel_for(threads, a->records, SLICE, answer_slice, a);
    status = a->err.status;
    if (status != KN_OK && err) {
        *err = a->err;
    }
done:
    for (unsigned i = 0; a->scratch && i < threads; i++) {
        if (a->scratch[i] && a->span_model.scratch_clear) {
            a->span_model.scratch_clear(a->scratch[i]);
        }
        kn__free(a->scratch[i]);
    }
    kn__free(a->scratch);
    return status;
}

/* ---- as a column ---- */

static kn_status add_records(const applying *a, kn_builder *b, uint8_t *scratch, kn_error *err)
{
    kn_chunk *c = NULL;

    for (size_t i = 0; i < a->records; i++) {
        if (i % SLICE == 0) {
            KN_PASS(kn__builder_chunk(b, 0, i / SLICE, &c, err));
        }
        KN_PASS(
            a->row->add_answer(c, a->b, i, a->answer ? a->answer[i] : KN_NO_CODE, scratch, err));
        KN_PASS(kn__chunk_end_record(c, err));
        if (i % SLICE == SLICE - 1 || i + 1 == a->records) {
            KN_PASS(kn__chunk_close(c, err));
        }
    }
    return KN_OK;
}

/* A dataset of one column: the answers. */
static kn_status build(const applying *a, const char *name, kn_dataset **out, kn_error *err)
{
    const bool list = a->row->of_items;
    size_t items = 0;
    uint8_t *scratch = NULL;
    kn_schema *schema = NULL;
    kn_builder *b = NULL, *filled;
    kn_status status;

    if (list) { /* a statement: see CONTRIBUTING.md on gcc 14 */
        items = a->m->rules.items->len;
    }
    scratch = kn__zalloc(items + 1);
    KN_TRY(scratch ? kn_schema_new(&schema, err) : kn__nomem(err));
    KN_TRY(kn_schema_set_type(schema, name, list ? KN_TYPE_SET : KN_TYPE_CATEGORY, err));
    KN_TRY(kn__builder_new(&b, &name, 1, schema, false, &list, 1, err));
    KN_TRY(add_records(a, b, scratch, err));
    filled = b;
    b = NULL; /* kn__builder_finish frees it */
    KN_TRY(kn__builder_finish(filled, a->run, out, err));
done:
    kn__builder_free(b);
    kn_schema_free(schema);
    kn__free(scratch);
    return status;
}

/* Remove the columns without values, and append that of `added`. */
static kn_status append(kn_dataset *ds, kn_dataset *added, kn_error *err)
{
    kn_column *columns = kn__realloc_array(ds->column, ds->columns + 1, sizeof *columns);
    size_t kept = 0;

    KN_PASS(columns ? KN_OK : kn__nomem(err));
    ds->column = columns;
    kn__dataset_drop_name_index(ds);
    for (size_t i = 0; i < ds->columns; i++) {
        if (columns[i].dict && columns[i].role != KN_ROLE_IDENTIFIER &&
            columns[i].role != KN_ROLE_DROPPED) {
            columns[kept++] = columns[i];
        } else {
            kn__column_clear(&columns[i]);
        }
    }
    columns[kept++] = added->column[0];
    added->columns = 0;
    ds->columns = kept;
    return KN_OK;
}

/* Records whose class is the answer; UINT64_MAX: no class is predicted, or the data has none. */
static uint64_t count_right(const applying *a)
{
    const uint32_t class_attribute = kn__model_class(a->m);
    const kn_bound_attribute *c = NULL;
    uint64_t right = 0;

    if (class_attribute == KN_NO_CODE || !a->b->attribute[class_attribute].column) {
        return UINT64_MAX;
    }
    c = &a->b->attribute[class_attribute];
    assert(a->answer);
    for (size_t i = 0; i < a->records; i++) {
        const uint32_t is = c->code[kn__column_code(c->column, i)];
        right += is != KN_NO_CODE && is == a->answer[i];
    }
    return right;
}

kn_status kn_model_apply(uint64_t *right, const kn_model *model, kn_dataset *ds, const char *name,
                         const kn_run *run, kn_error *err)
{
    KN_NEED(err, model, ds, name);
    KN_NEED_ROWS(err, ds);
    KN_NEED_SIZED(err, run);

    applying a = {
        .m = model, .row = kn__model_row(model->kind), .run = run, .records = ds->records};
    kn_bound *b = NULL;
    kn_dataset *added = NULL;
    uint64_t found;
    kn_status status;

    if (kn_dataset_find(ds, name) != SIZE_MAX) {
        return kn__fail(err, KN_EUSAGE,
                        "there is a column '%.100s' already; --name gives the new one another name",
                        name);
    }
    KN_TRY(kn__bound_to_apply(&b, model, ds, err));
    a.b = b;
    if (a.row->answer_of) {
        KN_TRY(find_answers(&a, err));
    }
    KN_TRY(build(&a, name, &added, err));
    found = count_right(&a);
    KN_TRY(append(ds, added, err));
    if (right) {
        *right = found;
    }
done:
    kn_dataset_free(added);
    kn__free(a.answer);
    kn__span_model_clear(&a.span_model);
    kn__bound_free(b);
    return status;
}
