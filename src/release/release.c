/* release.c - from groups of records to a published table. */
#include "release/release.h"
#include "base/error.h"
#include "base/map.h"
#include "base/memory.h"
#include "base/sort.h"
#include "base/threads.h"

#include <errno.h>
#include <string.h>
#include <sys/random.h>

/* Publishing one quasi-identifier: its texts, and which text every group has. */
typedef struct column_maker {
    const kn_task *task;
    const kn_grouping *grouping;
    size_t q;
    kn_dict *dict;
    uint32_t *code_of_group; /* the last entry: suppressed records */
    kn_buffer text;
    uint32_t *code_of_node; /* tree domains: text by node, KN_NO_CODE before it is used */
    kn_map code_of_range;   /* range domains: by low and high, the code of the text + 1 */
} column_maker;

static kn_status add_text(column_maker *m, uint32_t *code, kn_error *err)
{
    kn_status status = m->text.failed ? kn__nomem(err)
                                      : kn__dict_add(m->dict, m->text.data, m->text.len, code, err);

    m->text.len = 0;
    return status;
}

static kn_status text_of_node(column_maker *m, uint32_t node, uint32_t *code, kn_error *err)
{
    kn_status status = KN_OK;

    if (m->code_of_node[node] == KN_NO_CODE) {
        kn__domain_publish_node(m->task->domain[m->q], node, &m->text);
        status = add_text(m, &m->code_of_node[node], err);
    }
    *code = m->code_of_node[node];
    return status;
}

static kn_status text_of_range(column_maker *m, uint32_t low, uint32_t high, uint32_t *code,
                               kn_error *err)
{
    const uint64_t key = (uint64_t)low << 32 | high;
    kn_map_slot *slot;

    KN_PASS(kn__map_reserve(&m->code_of_range, m->code_of_range.used + 1, err));
    slot = kn__map_find(&m->code_of_range, key);
    if (!slot->value) {
        kn__domain_publish_range(m->task->domain[m->q], low, high, &m->text);
        KN_PASS(add_text(m, code, err));
        kn__map_put(&m->code_of_range, slot, key, (uint64_t)*code + 1);
    }
    *code = (uint32_t)(slot->value - 1);
    return KN_OK;
}

static kn_status suppressed_text(column_maker *m, uint32_t *code, kn_error *err)
{
    kn__buffer_addc(&m->text, '*');
    return add_text(m, code, err);
}

/* Sets: the values that occur in each group, found by sorting (group, code). */
static kn_status texts_of_sets(column_maker *m, kn_error *err)
{
    const kn_dataset *ds = m->task->ds;
    const kn_column *column = &ds->column[m->task->qi[m->q]];
    const kn_grouping *g = m->grouping;
    uint64_t *cells = kn__malloc_array(ds->records, sizeof *cells);
    uint32_t *codes = kn__malloc_array(kn__column_values(column), sizeof *codes);
    size_t len = 0;
    kn_status status;

    KN_TRY(cells && codes ? KN_OK : kn__nomem(err));
    for (size_t i = 0; i < ds->records; i++) {
        if (g->group[i] != KN_SUPPRESSED) {
            cells[len++] = (uint64_t)g->group[i] << 32 | kn__column_code(column, i);
        }
    }
    if (len) {
        kn__sort_u64(cells, len);
    }
    for (size_t i = 0; i < len;) {
        const uint32_t group = (uint32_t)(cells[i] >> 32);
        size_t count = 0;
        for (; i < len && cells[i] >> 32 == group; i++) {
            if (count == 0 || codes[count - 1] != (uint32_t)cells[i]) {
                codes[count++] = (uint32_t)cells[i];
            }
        }
        if (g->low[(size_t)group * m->task->qis + m->q] == KN_NO_NODE ||
            (count > 1 && codes[count - 1] == column->missing)) {
            kn__buffer_addc(&m->text, '*');
        } else {
            kn__domain_publish_set(m->task->domain[m->q], codes, count, &m->text);
        }
        KN_TRY(add_text(m, &m->code_of_group[group], err));
    }
done:
    KN_FREE(cells, codes);
    return status;
}

static kn_status texts_of_groups(column_maker *m, kn_error *err)
{
    const kn_grouping *g = m->grouping;
    const kn_domain_kind kind = m->task->domain[m->q]->kind;
    kn_status status = KN_OK;

    if (kind == KN_DOMAIN_SET) {
        return texts_of_sets(m, err);
    }
    for (size_t i = 0; status == KN_OK && i < g->groups; i++) {
        const size_t at = i * m->task->qis + m->q;
        uint32_t *code = &m->code_of_group[i];
        if (g->low[at] == KN_NO_NODE) {
            status = suppressed_text(m, code, err);
        } else if (kind == KN_DOMAIN_TREE) {
            status = text_of_node(m, g->low[at], code, err);
        } else {
            status = text_of_range(m, g->low[at], g->high[at], code, err);
        }
    }
    return status;
}

static kn_status maker_init(column_maker *m, kn_error *err)
{
    const kn_domain *d = m->task->domain[m->q];
    kn_status status = kn__dict_new(&m->dict, err);

    m->code_of_group = kn__malloc_array(m->grouping->groups + 1, sizeof *m->code_of_group);
    if (m->code_of_group) {
        memset(m->code_of_group, 0xff, (m->grouping->groups + 1) * sizeof *m->code_of_group);
    }
    if (d->kind == KN_DOMAIN_TREE) {
        m->code_of_node = kn__malloc_array(d->nodes, sizeof *m->code_of_node);
        if (m->code_of_node) {
            memset(m->code_of_node, 0xff, d->nodes * sizeof *m->code_of_node);
        }
    }
    if (status == KN_OK && (!m->code_of_group || (d->kind == KN_DOMAIN_TREE && !m->code_of_node))) {
        status = kn__nomem(err);
    }
    return status;
}

/* A missing value, where one is published as such, must have the last code. */
static kn_status missing_last(column_maker *m, const kn_column *from, kn_column *out, kn_error *err)
{
    kn_dict *tidy = NULL;
    uint32_t *code = NULL, miss;
    size_t len;
    const char *text;
    kn_status status;

    if (from->missing == KN_NO_CODE) {
        return KN_OK;
    }
    text = kn__column_text(from, from->missing, &len);
    miss = kn__dict_find(m->dict, text, len);
    if (miss == KN_NO_CODE) {
        return KN_OK;
    }
    code = kn__malloc_array(m->dict->len, sizeof *code);
    KN_TRY(code ? kn__dict_new(&tidy, err) : kn__nomem(err));
    for (uint32_t i = 0; i < m->dict->len; i++) {
        const char *other = kn__dict_text(m->dict, i, &len);
        if (i != miss) {
            KN_TRY(kn__dict_add(tidy, other, len, &code[i], err));
        }
    }
    text = kn__column_text(from, from->missing, &len);
    KN_TRY(kn__dict_add(tidy, text, len, &code[miss], err));
    for (size_t i = 0; i <= m->grouping->groups; i++) {
        uint32_t *c = &m->code_of_group[i];
        *c = *c < m->dict->len ? code[*c] : *c;
    }
    out->missing = code[miss];
    kn__dict_free(m->dict);
    m->dict = tidy;
    tidy = NULL;
done:
    kn__dict_free(tidy);
    kn__free(code);
    return status;
}

/* The published column of quasi-identifier `q` for the records in `origin`. */
static kn_status publish_column(const kn_release *r, const kn_task *task,
                                const kn_grouping *grouping, size_t q, kn_column *out,
                                kn_error *err)
{
    column_maker m = {.task = task, .grouping = grouping, .q = q};
    const size_t records = r->data->records;
    kn_status status;

    KN_TRY(maker_init(&m, err));
    KN_TRY(texts_of_groups(&m, err));
    if (r->starred && r->suppressed) {
        KN_TRY(suppressed_text(&m, &m.code_of_group[grouping->groups], err));
    }
    KN_TRY(missing_last(&m, &task->ds->column[task->qi[q]], out, err));
    out->width = kn__code_width(m.dict->len);
    out->codes = kn__malloc_array(records, out->width);
    KN_TRY(out->codes ? KN_OK : kn__nomem(err));
    for (size_t i = 0; i < records; i++) {
        const uint32_t group = grouping->group[r->origin[i]];
        kn__code_set(out->codes, out->width, i,
                     m.code_of_group[group == KN_SUPPRESSED ? grouping->groups : group]);
    }
    out->dict = m.dict;
    m.dict = NULL;
done:
    kn__dict_free(m.dict);
    kn__buffer_free(&m.text);
    KN_FREE(m.code_of_group, m.code_of_node);
    kn__map_clear(&m.code_of_range);
    return status;
}

/* The codes of the cells of published records, in `out`, as they are in `from`. */
static kn_status copy_codes(const kn_release *r, const kn_column *from, kn_column *out,
                            size_t *count, kn_error *err)
{
    const size_t records = r->data->records;
    size_t codes = records;

    if (from->starts) {
        out->starts = kn__malloc_array(records + 1, sizeof *out->starts);
        KN_PASS(out->starts ? KN_OK : kn__nomem(err));
        codes = 0;
        for (size_t i = 0; i < records; i++) {
            out->starts[i] = codes;
            codes += (size_t)(from->starts[r->origin[i] + 1] - from->starts[r->origin[i]]);
        }
        out->starts[records] = codes;
    }
    out->codes = kn__malloc_array(codes, out->width);
    KN_PASS(out->codes ? KN_OK : kn__nomem(err));
    for (size_t i = 0; i < records; i++) {
        if (!from->starts) {
            kn__code_set(out->codes, out->width, i, kn__column_code(from, r->origin[i]));
            continue;
        }
        for (uint64_t j = out->starts[i], k = from->starts[r->origin[i]]; j < out->starts[i + 1];
             j++, k++) {
            kn__code_set(out->codes, out->width, (size_t)j,
                         kn__code_get(from->codes, from->width, (size_t)k));
        }
    }
    *count = codes;
    return KN_OK;
}

/* The values of `from` that the `count` codes of `out` have, which are renumbered. The others are
 * of records that are not published. */
static kn_status copy_values(const kn_column *from, kn_column *out, size_t count, kn_error *err)
{
    const uint32_t values = kn__column_values(from);
    uint8_t *used = kn__zalloc(values);
    uint32_t *code = kn__malloc_array(values, sizeof *code);
    kn_status status = used && code ? kn__dict_new(&out->dict, err) : kn__nomem(err);

    KN_TRY(status);
    for (size_t i = 0; i < count; i++) {
        used[kn__code_get(out->codes, out->width, i)] = 1;
    }
    out->numbers = from->numbers ? kn__malloc_array(values, sizeof *out->numbers) : NULL;
    KN_TRY(out->numbers || !from->numbers ? KN_OK : kn__nomem(err));
    for (uint32_t value = 0; value < values; value++) {
        size_t len;
        const char *text = kn__dict_text(from->dict, value, &len);
        if (used[value]) {
            KN_TRY(kn__dict_add(out->dict, text, len, &code[value], err));
            if (out->numbers) {
                out->numbers[code[value]] = from->numbers[value];
            }
        }
    }
    for (size_t i = 0; i < count && out->dict->len < values; i++) {
        kn__code_set(out->codes, out->width, i, code[kn__code_get(out->codes, out->width, i)]);
    }
    out->missing = KN_NO_CODE;
    if (from->missing != KN_NO_CODE && used[from->missing]) {
        out->missing = code[from->missing];
    }
done:
    KN_FREE(used, code);
    return status;
}

/* A column that is published as it is, for the records in `origin`. */
static kn_status copy_column(const kn_release *r, const kn_column *from, kn_column *out,
                             kn_error *err)
{
    size_t count;

    out->decimals = from->decimals;
    out->width = from->width;
    if (from->arrow && !(out->arrow = kn__strdup(from->arrow))) {
        return kn__nomem(err);
    }
    KN_PASS(copy_codes(r, from, out, &count, err));
    return copy_values(from, out, count, err);
}

/* Mix with entropy of the system: the order must not follow from anything that is published. */
kn_status kn__release_shuffle(uint32_t *origin, size_t count, kn_error *err)
{
    uint64_t pool[32];
    size_t left = 0;

    for (size_t i = count; i > 1; i--) {
        const uint64_t reject = (0 - (uint64_t)i) % i;
        uint64_t x;
        uint32_t swap;
        do {
            if (left == 0) {
                if (getrandom(pool, sizeof pool, 0) != (ssize_t)sizeof pool) {
                    return kn__fail_errno(err, "shuffle", "no entropy from the system", errno);
                }
                left = sizeof pool / sizeof *pool;
            }
            x = pool[--left];
        } while (x < reject);
        swap = origin[i - 1];
        origin[i - 1] = origin[x % i];
        origin[x % i] = swap;
    }
    return KN_OK;
}

static kn_status choose_records(kn_release *r, const kn_task *task, const kn_grouping *g,
                                kn_error *err)
{
    size_t len = 0;

    r->starred = task->options->suppressed == KN_SUPPRESSED_STARRED;
    r->shuffled = task->options->shuffle;
    r->suppressed = 0;
    r->origin = kn__malloc_array(task->ds->records, sizeof *r->origin);
    KN_PASS(r->origin ? KN_OK : kn__nomem(err));
    for (size_t i = 0; i < task->ds->records; i++) {
        const bool suppressed = g->group[i] == KN_SUPPRESSED;
        r->suppressed += suppressed ? kn__dataset_count(task->ds, i) : 0;
        if (!suppressed || r->starred) {
            r->origin[len++] = (uint32_t)i;
        }
    }
    r->data->records = len;
    return r->shuffled ? kn__release_shuffle(r->origin, len, err) : KN_OK;
}

/* The roles that are published are listed, so that a column without a role never is. */
static bool is_published(const kn_column *c)
{
    return c->role == KN_ROLE_QUASI || c->role == KN_ROLE_SENSITIVE || c->role == KN_ROLE_KEPT;
}

typedef struct making {
    const kn_release *r;
    const kn_task *task;
    const kn_grouping *grouping;
    const size_t *from; /* by published column: the original's */
    kn_error *errors;
} making;

static void make_columns(void *user, unsigned worker, size_t begin, size_t end)
{
    const making *m = user;

    (void)worker;
    for (size_t i = begin; i < end; i++) {
        const kn_column *from = &m->task->ds->column[m->from[i]];
        kn_column *out = &m->r->data->column[i];
        kn_error *err = &m->errors[i];
        size_t q = 0;
        while (q < m->task->qis && m->task->qi[q] != m->from[i]) {
            q++;
        }
        out->name = kn__strdup(from->name);
        out->role = from->role;
        out->chosen = from->chosen;
        out->allow_unique = from->allow_unique;
        out->weight = from->weight;
        out->missing_rule = from->missing_rule;
        out->dates = from->dates;
        if (!out->name) {
            (void)kn__nomem(err);
        } else if (q < m->task->qis) {
            out->type = KN_TYPE_CATEGORY;
            (void)publish_column(m->r, m->task, m->grouping, q, out, err);
        } else if (m->task->recoding && m->task->recoded == m->from[i]) {
            (void)kn__items_publish(out, from, m->task->recoding, m->r->origin, m->r->data->records,
                                    kn__run_threads(m->task->run), err);
        } else {
            out->type = from->type;
            (void)copy_column(m->r, from, out, err);
        }
    }
}

kn_status kn__release_make(kn_release *out, const kn_task *task, const kn_grouping *grouping,
                           kn_error *err)
{
    const kn_dataset *ds = task->ds;
    making m = {.r = out, .task = task, .grouping = grouping};
    size_t *from = kn__malloc_array(ds->columns, sizeof *from);
    size_t columns = 0;
    kn_status status;

    for (size_t i = 0; from && i < ds->columns; i++) {
        if (is_published(&ds->column[i])) {
            from[columns++] = i;
        }
    }
    m.from = from;
    m.errors = kn__zalloc_array(columns + 1, sizeof *m.errors);
    KN_TRY(from && m.errors ? KN_OK : kn__nomem(err));
    KN_TRY(kn__dataset_new(&out->data, columns, err));
    KN_TRY(choose_records(out, task, grouping, err));
    KN_TRY(kn__dataset_take_counts(out->data, ds, out->origin, err));
    out->data->layout = ds->layout;
    out->data->layout.key = NULL;
    if (ds->item_separator) {
        out->data->item_separator = kn__strdup(ds->item_separator);
        KN_TRY(out->data->item_separator ? KN_OK : kn__nomem(err));
    }
    KN_TRY(kn__parallel_steps(task->run, "recode", kn__run_threads(task->run), columns, 1,
                              make_columns, &m, err));
    for (size_t i = 0; i < columns; i++) {
        if (m.errors[i].status != KN_OK && err) {
            *err = m.errors[i];
        }
        KN_TRY(m.errors[i].status);
    }
    KN_TRY(kn__dataset_index_names(out->data, err));
done:
    KN_FREE(from, m.errors);
    return status;
}
