/* apply.c - kn_model_apply: the answer of a model for every record, as a new column. */
#include "base/args.h"
#include "base/error.h"
#include "base/memory.h"
#include "base/threads.h"
#include "data/builder.h"
#include "models/judge/span_model.h"
#include "models/tree/tree.h"

#include <assert.h>
#include <stdatomic.h>
#include <stdio.h>
#include <string.h>

enum { SLICE = 1 << 14 };

typedef struct applying {
    const kn_model *m;
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
        if (a->m->kind == KN_MODEL_TREE) {
            const uint32_t node = kn__tree_node_of(&a->span_model, i);
            a->answer[i] = node == KN_NO_CODE ? KN_NO_CODE : a->m->tree.node[node].answer;
        } else {
            a->answer[i] = a->span_model.class_of(a->span_model.model, i, a->scratch[worker]);
        }
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

    KN_TRY(kn__span_model_make(&a->span_model, a->b, err));
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

static kn_status add_answer(const applying *a, kn_chunk *c, size_t record, kn_error *err)
{
    const uint32_t answer = a->answer[record];
    const kn_centroids *centres = &a->m->centres;
    const char *text = "";
    char number[32];
    size_t len = 0;

    if (answer == KN_NO_CODE) {
        return kn__chunk_add(c, 0, text, len, err);
    }
    if (a->m->kind == KN_MODEL_TREE) {
        text = kn__dict_text(a->m->attribute[a->m->tree.class_attribute].values, answer, &len);
    } else if (centres->name && centres->name[answer]) {
        text = centres->name[answer];
        len = strlen(text);
    } else {
        len = (size_t)snprintf(number, sizeof number, "%u", answer + 1);
        text = number;
    }
    return kn__chunk_add(c, 0, text, len, err);
}

/* The items that rules predict for a record: the right sides of rules whose left sides it holds.
 * has: 1 it holds the item, 2 the item was predicted; zeroed before and after. */
static kn_status add_predicted(const applying *a, kn_chunk *c, size_t record, uint8_t *has,
                               kn_error *err)
{
    const kn_rules *rules = &a->m->rules;
    const kn_column *items = a->b->items;
    kn_status status = KN_OK;

    for (uint64_t i = items->starts[record]; i < items->starts[record + 1]; i++) {
        const uint32_t item = a->b->item[kn__code_get(items->codes, items->width, (size_t)i)];
        if (item != KN_NO_CODE) {
            has[item] = 1;
        }
    }
    for (size_t r = 0; r < rules->count; r++) {
        const kn_rule *rule = &rules->rule[r];
        bool applies = true;
        for (size_t i = 0; i < rule->left_count; i++) {
            applies = applies && has[rule->left[i]] == 1;
        }
        for (size_t i = 0; applies && i < rule->right_count; i++) {
            const uint32_t item = rule->right[i];
            size_t len;
            const char *text = kn__dict_text(rules->items, item, &len);
            if (!has[item]) {
                has[item] = 2;
                KN_TRY(kn__chunk_add_item(c, 0, text, len, err));
            }
        }
    }
done:
    memset(has, 0, rules->items->len);
    return status;
}

static kn_status add_records(const applying *a, kn_builder *b, uint8_t *has, kn_error *err)
{
    kn_chunk *c = NULL;
    kn_status status = KN_OK;

    for (size_t i = 0; i < a->records; i++) {
        if (i % SLICE == 0) {
            KN_TRY(kn__builder_chunk(b, 0, i / SLICE, &c, err));
        }
        KN_TRY(a->m->kind == KN_MODEL_RULES ? add_predicted(a, c, i, has, err)
                                            : add_answer(a, c, i, err));
        KN_TRY(kn__chunk_end_record(c, err));
        if (i % SLICE == SLICE - 1 || i + 1 == a->records) {
            KN_TRY(kn__chunk_close(c, err));
        }
    }
done:
    return status;
}

/* A dataset of one column: the answers. */
static kn_status build(const applying *a, const char *name, kn_dataset **out, kn_error *err)
{
    const bool list = a->m->kind == KN_MODEL_RULES;
    size_t items = 0;
    uint8_t *has = NULL;
    kn_schema *schema = NULL;
    kn_builder *b = NULL, *filled;
    kn_status status;

    if (list) { /* a statement: see CONTRIBUTING.md on gcc 14 */
        items = a->m->rules.items->len;
    }
    has = kn__zalloc(items + 1);
    KN_TRY(has ? kn_schema_new(&schema, err) : kn__nomem(err));
    KN_TRY(kn_schema_set_type(schema, name, list ? KN_TYPE_SET : KN_TYPE_CATEGORY, err));
    KN_TRY(kn__builder_new(&b, &name, 1, schema, false, &list, 1, err));
    KN_TRY(add_records(a, b, has, err));
    filled = b;
    b = NULL; /* kn__builder_finish frees it */
    KN_TRY(kn__builder_finish(filled, a->run, out, err));
done:
    kn__builder_free(b);
    kn_schema_free(schema);
    kn__free(has);
    return status;
}

/* Remove the columns without values, and append that of `added`. */
static kn_status append(kn_dataset *ds, kn_dataset *added, kn_error *err)
{
    kn_column *columns = kn__realloc_array(ds->column, ds->columns + 1, sizeof *columns);
    size_t kept = 0;

    if (!columns) {
        return kn__nomem(err);
    }
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

static uint64_t count_right(const applying *a)
{
    const kn_bound_attribute *c = &a->b->attribute[a->m->tree.class_attribute];
    uint64_t right = 0;

    if (!c->column) {
        return UINT64_MAX;
    }
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

    applying a = {.m = model, .run = run, .records = ds->records};
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
    if (model->kind != KN_MODEL_RULES) {
        KN_TRY(find_answers(&a, err));
    }
    KN_TRY(build(&a, name, &added, err));
    found = model->kind == KN_MODEL_TREE ? count_right(&a) : UINT64_MAX;
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
