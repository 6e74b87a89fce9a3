/* finish.c - the verdict from counts of classes or of combinations. The formulas are those of
 * kn_check (formulas.h); what differs is that histograms come from counts and not from records.
 *
 * The formulas want sensitive columns of a dataset, for their types, numbers and hierarchies: one
 * is made that holds every value of the dictionary once. */
#include "base/args.h"
#include "base/memory.h"
#include "base/threads.h"
#include "guarantees/formulas.h"
#include "guarantees/partial/partial.h"
#include "guarantees/registry.h"
#include "guarantees/verdict.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

typedef struct finishing {
    kn_partial *p;
    kn_dataset *values; /* every value of every sensitive column */
    uint32_t **to;      /* by sensitive column, by shared code: its code in `values` */
    kn_formulas *formulas;
    kn_formula_scratch scratch;
    kn_worst worst;
    double *achieved;
    size_t violations, at_risk;
    size_t *begin;  /* by class: its first cell among `cell`; classes + 1 */
    uint32_t *cell; /* cells by class */
} finishing;

static void clear(finishing *f)
{
    kn__formula_scratch_clear(&f->scratch);
    kn__worst_clear(&f->worst);
    kn__formulas_free(f->formulas);
    for (size_t s = 0; f->to && s < f->p->sensitives; s++) {
        kn__free(f->to[s]);
    }
    kn__free(f->to);
    kn_dataset_free(f->values);
    KN_FREE(f->achieved, f->begin, f->cell);
}

/* ---- the columns ---- */

static kn_status values_schema(kn_schema **out, const kn_partial *p, kn_error *err)
{
    static const char *const none[] = {"\x01 no text is missing \x01"};

    KN_PASS(kn_schema_new(out, err));
    KN_PASS(kn_schema_set_missing(*out, NULL, none, 1, err));
    for (size_t s = 0; s < p->sensitives; s++) {
        const kn_dictionary_column *c = &p->space.column[p->sensitive[s]];
        KN_PASS(kn_schema_set_role(*out, c->name, KN_ROLE_SENSITIVE, err));
        KN_PASS(kn_schema_set_type(*out, c->name,
                                   c->type == KN_TYPE_AUTO ? KN_TYPE_CATEGORY : c->type, err));
    }
    return KN_OK;
}

static kn_status fill_values(kn_dataset_builder *b, const kn_partial *p, kn_error *err)
{
    const char **record = kn__zalloc_array(p->sensitives, sizeof *record);
    uint32_t most = 0;
    kn_status status;

    KN_TRY(record ? KN_OK : kn__nomem(err));
    for (size_t s = 0; s < p->sensitives; s++) {
        const uint32_t here = kn__space_values(&p->space.column[p->sensitive[s]]);
        most = here > most ? here : most;
    }
    for (uint32_t i = 0; i < most; i++) {
        for (size_t s = 0; s < p->sensitives; s++) {
            const kn_dict *texts = p->space.column[p->sensitive[s]].texts;
            kn__free((void *)record[s]);
            record[s] = NULL;
            if (i < texts->len) {
                size_t len;
                const char *text = kn__dict_text(texts, i, &len);
                record[s] = kn__strndup(text, len);
                KN_TRY(record[s] ? KN_OK : kn__nomem(err));
            }
        }
        KN_TRY(kn_dataset_builder_add(b, record, err));
    }
done:
    for (size_t s = 0; record && s < p->sensitives; s++) {
        kn__free((void *)record[s]);
    }
    kn__free(record);
    return status;
}

static kn_status make_values(finishing *f, kn_error *err)
{
    const kn_partial *p = f->p;
    const char **names = kn__zalloc_array(p->sensitives, sizeof *names);
    kn_schema *schema = NULL;
    kn_dataset_builder *b = NULL;
    kn_status status;

    KN_TRY(names ? values_schema(&schema, p, err) : kn__nomem(err));
    for (size_t s = 0; s < p->sensitives; s++) {
        names[s] = p->space.column[p->sensitive[s]].name;
    }
    KN_TRY(kn_dataset_builder_new(&b, names, p->sensitives, schema, err));
    KN_TRY(fill_values(b, p, err));
    status = kn_dataset_builder_finish(&f->values, b, err);
    b = NULL;
    KN_TRY(status);
    f->to = kn__zalloc_array(p->sensitives, sizeof(uint32_t *));
    KN_TRY(f->to ? KN_OK : kn__nomem(err));
    for (size_t s = 0; s < p->sensitives; s++) {
        const kn_dictionary_column *c = &p->space.column[p->sensitive[s]];
        const kn_column *made = &f->values->column[s];
        f->to[s] = kn__malloc_array(kn__space_values(c), sizeof **f->to);
        KN_TRY(f->to[s] ? KN_OK : kn__nomem(err));
        for (uint32_t code = 0; code < kn__space_values(c); code++) {
            size_t len = 0;
            const char *text = code < c->texts->len ? kn__dict_text(c->texts, code, &len) : NULL;
            f->to[s][code] = text ? kn__dict_find(made->dict, text, len) : made->missing;
            if (f->to[s][code] == KN_NO_CODE) {
                KN_TRY(
                    kn__fail(err, KN_EINPUT,
                             "a value of column \"%.100s\" is not one of its type: the slices were "
                             "read in different ways",
                             c->name));
            }
        }
    }
done:
    kn_dataset_builder_free(b);
    kn_schema_free(schema);
    kn__free(names);
    return status;
}

/* ---- histograms ---- */

/* The cells of each class, one after the other. */
static kn_status order_cells(finishing *f, kn_error *err)
{
    const kn_class_counts *c = &f->p->classes;
    size_t *next = NULL;

    f->begin = kn__zalloc_array((size_t)c->keys->len + 2, sizeof *f->begin);
    f->cell = kn__malloc_array(c->cells->len, sizeof *f->cell);
    KN_PASS(f->begin && f->cell ? KN_OK : kn__nomem(err));
    next = f->begin + 1;
    for (int pass = 0; pass < 2; pass++) {
        for (uint32_t i = 0; i < c->cells->len; i++) {
            size_t len;
            const unsigned char *key = (const unsigned char *)kn__dict_text(c->cells, i, &len);
            const uint32_t number = (uint32_t)key[0] << 24 | (uint32_t)key[1] << 16 |
                                    (uint32_t)key[2] << 8 | key[3];
            if (pass == 0) {
                next[number + 1]++;
            } else {
                f->cell[next[number]++] = i;
            }
        }
        for (uint32_t i = 0; pass == 0 && i < c->keys->len; i++) {
            next[i + 1] += next[i];
        }
    }
    return KN_OK;
}

static uint32_t cell_code(const unsigned char *cell)
{
    return (uint32_t)cell[0] << 24 | (uint32_t)cell[1] << 16 | (uint32_t)cell[2] << 8 | cell[3];
}

/* Add the values of sensitive column `s` of class `i` to `h`. */
static void gather(const finishing *f, uint32_t i, size_t s, kn_histogram *h)
{
    const kn_class_counts *c = &f->p->classes;
    const uint32_t *same = f->formulas->sensitive[s].same;

    for (size_t at = f->begin[i]; at < f->begin[i + 1]; at++) {
        size_t len;
        const unsigned char *cell = (const unsigned char *)kn__dict_text(c->cells, f->cell[at],
                                                                         &len);
        if (cell_code(cell + 4) == s) {
            const uint32_t code = f->to[s][cell_code(cell + 8)];
            kn__histogram_add_code(h, same ? same[code] : code, (uint32_t)c->times[f->cell[at]]);
        }
    }
}

/* References are those of all records that were counted. */
static kn_status refer(finishing *f, const kn_hierarchies *hierarchies, kn_error *err)
{
    kn_formulas *formulas = f->formulas;
    uint32_t *counts = NULL;
    kn_status status = KN_OK;

    for (size_t s = 0; formulas->reference && s < formulas->sensitives; s++) {
        kn_sensitive *sensitive = &formulas->sensitive[s];
        kn__free(counts);
        counts = kn__zalloc_array(kn__column_values(sensitive->column), sizeof *counts);
        KN_TRY(counts ? KN_OK : kn__nomem(err));
        for (uint32_t i = 0; i < f->p->classes.cells->len; i++) {
            size_t len;
            const unsigned char *cell = (const unsigned char *)kn__dict_text(f->p->classes.cells, i,
                                                                             &len);
            if (cell_code(cell + 4) == s) {
                const uint32_t code = f->to[s][cell_code(cell + 8)];
                counts[sensitive->same ? sensitive->same[code] : code] +=
                    (uint32_t)f->p->classes.times[i];
            }
        }
        for (size_t d = 0; d < 3; d++) {
            kn_reference **reference = &sensitive->reference[KN_REFERENCE_PUBLISHED][d];
            if (*reference) {
                kn__reference_free(*reference);
                *reference = NULL;
                KN_TRY(kn__reference_new(reference, sensitive->column, (kn_distance)d, counts,
                                         f->p->records, hierarchies, err));
            }
        }
    }
done:
    kn__free(counts);
    return status;
}

/* ---- classes ---- */

static bool judge(finishing *f, uint32_t class_number, size_t g, size_t s, bool holds, double value)
{
    const kn_guarantee *asked = &f->formulas->guarantees[g];

    f->achieved[g] = kn__formula_worse(asked, f->achieved[g], value);
    if (!holds) {
        const kn_break b = {.badness = kn__formula_badness(asked, value),
                            .value = value,
                            .size = f->p->classes.size[class_number],
                            .record = class_number,
                            .guarantee = (uint32_t)g,
                            .sensitive = (uint32_t)s};
        kn__worst_offer(&f->worst, &b);
        f->violations++;
    }
    return !holds;
}

static void check_class(finishing *f, uint32_t i)
{
    const kn_formulas *formulas = f->formulas;
    bool broken = false;
    double value;

    f->scratch.histogram.total = f->p->classes.size[i];
    for (size_t g = 0; g < formulas->count; g++) {
        if (!kn__guarantee_is_about(&formulas->guarantees[g], KN_ABOUT_VALUES)) {
            const bool holds = kn__formula_holds(formulas, g, 0, &f->scratch, &value);
            broken |= judge(f, i, g, 0, holds, value);
        }
    }
    f->scratch.histogram.total = 0;
    for (size_t s = 0; s < formulas->sensitives; s++) {
        gather(f, i, s, &f->scratch.histogram);
        for (size_t g = 0; g < formulas->count; g++) {
            if (kn__guarantee_is_about(&formulas->guarantees[g], KN_ABOUT_VALUES)) {
                const bool holds = kn__formula_holds(formulas, g, s, &f->scratch, &value);
                broken |= judge(f, i, g, s, holds, value);
            }
        }
        kn__histogram_reset(&f->scratch.histogram);
    }
    f->at_risk += broken ? (size_t)f->p->classes.size[i] : 0;
}

static kn_status class_verdict(kn_verdict *v, finishing *f, kn_error *err)
{
    const kn_formulas *formulas = f->formulas;

    v->classes = f->p->classes.keys->len;
    v->sensitive = kn__zalloc_array(formulas->sensitives, sizeof *v->sensitive);
    KN_PASS(v->sensitive ? KN_OK : kn__nomem(err));
    v->sensitives = formulas->sensitives;
    for (size_t s = 0; s < formulas->sensitives; s++) {
        v->sensitive[s] = kn__strdup(formulas->sensitive[s].column->name);
        KN_PASS(v->sensitive[s] ? KN_OK : kn__nomem(err));
    }
    memcpy(v->achieved, f->achieved, v->guarantees * sizeof *v->achieved);
    kn__worst_sort(&f->worst);
    v->violation = kn__malloc_array(f->worst.len, sizeof *v->violation);
    KN_PASS(v->violation ? KN_OK : kn__nomem(err));
    v->kept = f->worst.len;
    v->violations = f->violations;
    v->at_risk = f->at_risk;
    for (size_t i = 0; i < v->kept; i++) {
        const kn_break *b = &f->worst.breaks[i];
        const kn_guarantee_kind kind = formulas->guarantees[b->guarantee].kind;
        v->violation[i] = (kn_violation){.kind = kind,
                                         .size = (size_t)b->size,
                                         .value = b->value,
                                         .sensitive = kind == KN_K_ANONYMITY
                                                          ? NULL
                                                          : v->sensitive[b->sensitive],
                                         .record = b->record,
                                         .guarantee = b->guarantee};
    }
    return KN_OK;
}

static kn_status finish_classes(kn_verdict *v, kn_partial *p, const kn_hierarchies *hierarchies,
                                const kn_run *run, kn_error *err)
{
    const kn_dataset no_values = {0};
    finishing f = {.p = p};
    kn_status status;

    KN_TRY(kn__classes_sort(&p->classes, err));
    KN_TRY(p->sensitives ? make_values(&f, err) : KN_OK);
    KN_TRY(kn__formulas_new(&f.formulas, p->guarantees, p->guarantees_count,
                            &(kn_formula_tables){.ds = f.values ? f.values : &no_values,
                                                 .hierarchies = hierarchies},
                            err));
    KN_TRY(order_cells(&f, err));
    KN_TRY(refer(&f, hierarchies, err));
    KN_TRY(kn__formula_scratch_init(&f.scratch, f.formulas, err));
    KN_TRY(kn__worst_init(&f.worst, err));
    f.achieved = kn__malloc_array(v->guarantees, sizeof *f.achieved);
    KN_TRY(f.achieved ? KN_OK : kn__nomem(err));
    for (size_t g = 0; g < v->guarantees; g++) {
        f.achieved[g] = kn__formula_unlimited(&p->guarantees[g]);
    }
    for (uint32_t i = 0; i < p->classes.keys->len; i++) {
        if (i % 65536 == 0) {
            KN_TRY(kn__run_step(run, "check", (double)i / (double)p->classes.keys->len, err));
        }
        check_class(&f, i);
    }
    KN_TRY(class_verdict(v, &f, err));
done:
    clear(&f);
    return status;
}

/* ---- combinations ---- */

typedef struct rare {
    uint32_t support;
    size_t place; /* among the combinations of its size, which are in order */
} rare;

static int compare_rare(const void *a, const void *b)
{
    const rare *x = a, *y = b;

    return x->support != y->support ? (x->support > y->support) - (x->support < y->support)
                                    : (x->place > y->place) - (x->place < y->place);
}

/* Whether every part of a rare combination is frequent. A part that is not among the counts was
 * frequent, and went when they were reduced. */
static bool is_minimal(const kn_itemset_counts *c, const uint32_t *items, size_t size, size_t k)
{
    for (size_t out = 0; size > 1 && out < size; out++) {
        uint32_t part[KN_MOST_M], support;
        for (size_t i = 0, n = 0; i < size; i++) {
            if (i != out) {
                part[n++] = items[i];
            }
        }
        support = kn__partial_support(c, part, size - 1);
        if (support > 0 && support < k) {
            return false;
        }
    }
    return true;
}

/* The minimal rare combinations of one size: the worst to `v`. */
static kn_status add_size(kn_verdict *v, const kn_partial *p, size_t g, size_t size, size_t *kept,
                          kn_error *err)
{
    const size_t k = p->guarantees[g].k, count = kn__partial_combinations(p->items, size);
    rare *list = kn__malloc_array(count, sizeof *list);
    uint32_t items[KN_MOST_M];
    size_t found = 0;
    kn_status status;

    KN_TRY(list ? KN_OK : kn__nomem(err));
    for (size_t i = 0; i < count; i++) {
        const uint32_t support = kn__partial_combination(p->items, size, i, items);
        if (support < k && is_minimal(p->items, items, size, k)) {
            list[found++] = (rare){support, i};
        }
    }
    if (found) {
        qsort(list, found, sizeof *list, compare_rare);
    }
    v->violations += found;
    found = found < (size_t)KN_WORST - *kept ? found : (size_t)KN_WORST - *kept;
    KN_TRY(kn__verdict_reserve(v, found, err));
    for (size_t i = 0; i < found; i++) {
        uint32_t *room = v->rooms[2 * g] + *kept * KN_MOST_M;
        (void)kn__partial_combination(p->items, size, list[i].place, room);
        v->violation[v->kept++] = (kn_violation){.kind = KN_KM_ANONYMITY,
                                                 .size = list[i].support,
                                                 .value = list[i].support,
                                                 .record = SIZE_MAX,
                                                 .guarantee = g,
                                                 .items = room,
                                                 .items_count = size,
                                                 .column = p->quasi[0]};
        ++*kept;
    }
done:
    kn__free(list);
    return status;
}

static kn_status finish_items(kn_verdict *v, const kn_partial *p, const kn_run *run, kn_error *err)
{
    for (uint32_t i = 0; p->parts > 1 && i < p->parts; i++) {
        KN_PASS(p->covered[i]
                    ? KN_OK
                    : kn__fail(err, KN_EUSAGE,
                               "part %lu of %lu is lacking: reduce every part and merge them",
                               (unsigned long)i, (unsigned long)p->parts));
    }
    KN_PASS(kn__verdict_prepare_items(v, err));
    v->seen.column = p->quasi[0];
    v->seen.empty = (size_t)p->empty;
    v->seen.longest = (size_t)p->longest;
    for (size_t g = 0; p->items && g < p->guarantees_count; g++) {
        size_t kept = 0;
        v->rooms[2 * g] = kn__malloc_array((size_t)KN_WORST * KN_MOST_M, sizeof **v->rooms);
        KN_PASS(v->rooms[2 * g] ? KN_OK : kn__nomem(err));
        for (size_t size = 1; size <= p->guarantees[g].m; size++) {
            const uint64_t least = p->reduced ? p->least[size] : kn__partial_least(p->items, size);
            KN_PASS(kn__run_step(run, "check", -1, err));
            KN_PASS(add_size(v, p, g, size, &kept, err));
            v->sizes[g][size] = least ? (double)least : INFINITY;
            v->achieved[g] = fmin(v->achieved[g], v->sizes[g][size]);
        }
    }
    return KN_OK;
}

kn_status kn_partial_finish(kn_verdict **out, kn_partial *p, const kn_hierarchies *hierarchies,
                            const kn_run *run, kn_error *err)
{
    KN_NEED_OUT(err, out);
    KN_NEED(err, p);
    KN_NEED_SIZED(err, run);

    kn_verdict *v = kn__zalloc(sizeof *v);
    kn_status status;

    KN_TRY(v ? KN_OK : kn__nomem(err));
    KN_TRY(p->broken ? kn__fail(err, KN_EUSAGE, "counting was stopped in the middle: count again")
                     : KN_OK);
    KN_TRY(p->records < UINT32_MAX ? KN_OK
                                   : kn__fail(err, KN_EINPUT, "there are more than %lu records",
                                              (unsigned long)UINT32_MAX - 1));
    v->guarantees = p->guarantees_count;
    v->achieved = kn__malloc_array(v->guarantees, sizeof *v->achieved);
    KN_TRY(v->achieved ? KN_OK : kn__nomem(err));
    for (size_t g = 0; g < v->guarantees; g++) {
        v->achieved[g] = kn__formula_unlimited(&p->guarantees[g]);
    }
    KN_TRY(p->of_items ? finish_items(v, p, run, err)
                       : finish_classes(v, p, hierarchies, run, err));
    *out = v;
    v = NULL;
done:
    kn_verdict_free(v);
    return status;
}
