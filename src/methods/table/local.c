/* local.c - local recoding: every group of records is published as narrowly as it can be.
 *
 * Mondrian's parts come first. Tables of more than LARGEST_WHOLE records are cut into blocks of
 * neighbouring parts, which satisfy the guarantee because their parts do, and the blocks are worked
 * on by themselves, on all threads: O(n log n) for the parts, and a constant for each block. A
 * block is walked (lattice_walk.c), unless its lattice is too large, and the groups are refined
 * (local_refine.c). Mondrian's groups, and for a table that is not cut those of the best
 * full-domain generalisation (flash.c), are refined too where they begin below the walk's. The
 * search counts the cost as groups.h does (a set of categories by the width of its ranks); what is
 * taken in the end is the candidate with the least loss as it is reported. Where the two differ the
 * groups of Mondrian and flash are candidates without refinement as well. So the result never loses
 * more than Mondrian's, nor than flash's where that is looked at. */
#include "methods/registry.h"
#include "methods/params.h"
#include "methods/table/local.h"
#include "base/error.h"
#include "base/memory.h"
#include "base/threads.h"

#include <math.h>
#include <string.h>

enum {
    LARGEST_WHOLE = 50000, /* records of a table that is not cut */
    BLOCK_TUPLES = 10000,
    LARGEST_LATTICE = 1 << 20,
    LARGEST_OPTIMUM = 1 << 14, /* nodes of a lattice that is searched for its optimum first */
    LARGEST_STEP = 8
};

/* What an effort of 1 allows: tuples grouped in the walk and groups looked at in the refinement,
 * for a table that is not cut and by tuple for one that is. */
#define WALK_WHOLE       4e7
#define WALK_PER_TUPLE   1e3
#define REFINE_WHOLE     2e8
#define REFINE_PER_TUPLE 2.5e3

/* A block of tuples, on its way to groups: those at begin..end-1 of `sorted`. */
typedef struct block {
    size_t begin, end;
    kn_tuples *tuples;
    kn_groups *groups; /* the best candidate so far; NULL: none */
    double lost;       /* what is lost with it */
    kn_error error;
} block;

typedef struct local {
    const kn_task *task;
    kn_costs *costs;
    kn_judge *judge;
    double effort;
    bool whole;        /* the table is small enough not to be cut */
    bool walks;        /* the lattice is small enough */
    kn_tuples *all;    /* of the whole table */
    uint32_t *part;    /* by tuple: Mondrian's part */
    size_t parts;      /* how many there are */
    uint32_t *sorted;  /* the tuples, part by part */
    uint32_t *optimum; /* by tuple: its class in the best full-domain generalisation; may be NULL */
    size_t optimum_parts;
    block *blocks;
    size_t blocks_count;
    unsigned inner_threads;
    const kn_run *inner_run;
} local;

/* The tuples `which` of `all`, as tuples of their own. */
static kn_status subset(const kn_tuples *all, const uint32_t *which, size_t count, kn_tuples **out,
                        kn_error *err)
{
    kn_tuples *t = kn__zalloc(sizeof *t);
    size_t records = 0, at = 0;

    *out = NULL;
    if (!t) {
        return kn__nomem(err);
    }
    for (size_t i = 0; i < count; i++) {
        records += all->size[which[i]];
    }
    t->qis = all->qis;
    t->count = (uint32_t)count;
    t->records = records;
    t->codes = kn__malloc_array(count * t->qis, sizeof *t->codes);
    t->size = kn__malloc_array(count, sizeof *t->size);
    t->begin = kn__malloc_array(count + 1, sizeof *t->begin);
    t->members = kn__malloc_array(records, sizeof *t->members);
    if (!t->codes || !t->size || !t->begin || !t->members) {
        kn__tuples_free(t);
        return kn__nomem(err);
    }
    for (size_t i = 0; i < count; i++) {
        const uint32_t from = which[i];
        memcpy(t->codes + i * t->qis, kn__tuple(all, from), t->qis * sizeof *t->codes);
        t->size[i] = all->size[from];
        t->begin[i] = (uint32_t)at;
        memcpy(t->members + at, all->members + all->begin[from],
               all->size[from] * sizeof *t->members);
        at += all->size[from];
    }
    t->begin[count] = (uint32_t)at;
    *out = t;
    return KN_OK;
}

/* The levels over `tuples`; coarser ranges where the lattice would be too large. `*fits` says
 * whether it can be walked. */
static kn_status make_levels(const local *l, kn_qi_levels *levels, bool *fits, kn_error *err)
{
    const kn_task *task = l->task;

    *fits = false;
    for (unsigned step = 1; step <= LARGEST_STEP && !*fits; step++) {
        for (size_t q = 0; q < task->qis; q++) {
            kn__qi_levels_clear(&levels[q]);
            KN_PASS(kn__qi_levels_of_ranges(&levels[q], task->domain[q], step, err));
        }
        *fits = kn__lattice_size(levels, task->qis) <= LARGEST_LATTICE;
    }
    return KN_OK;
}

static void clear_levels(const local *l, kn_qi_levels *levels)
{
    for (size_t q = 0; levels && q < l->task->qis; q++) {
        kn__qi_levels_clear(&levels[q]);
    }
    kn__free(levels);
}

static kn_status walk_block(const local *l, const block *b, kn_groups *groups, kn_error *err)
{
    kn_qi_levels *levels = kn__zalloc_array(l->task->qis, sizeof *levels);
    bool fits;
    kn_status status;

    KN_TRY(levels ? make_levels(l, levels, &fits, err) : kn__nomem(err));
    for (size_t q = 0; q < l->task->qis; q++) {
        kn__qi_levels_weigh(&levels[q], b->tuples, q);
    }
    KN_TRY(kn__local_walk(groups, levels,
                          l->effort * (l->whole ? WALK_WHOLE : WALK_PER_TUPLE * b->tuples->count),
                          l->inner_run, err));
done:
    clear_levels(l, levels);
    return status;
}

/* How many records of the block may be left out: its share of the limit. Not where classes are
 * compared with what is published (t-closeness), as what is left out changes that, nor as starred
 * rows, which would have to be a class. */
static size_t allowance(const local *l, const block *b)
{
    const kn_task *task = l->task;
    const double share = (double)b->tuples->records / (double)l->all->records;

    return kn__judge_reference_moves(l->judge) || task->options->suppressed == KN_SUPPRESSED_STARRED
               ? 0
               : (size_t)((double)(task->limit - task->barred_count) * share);
}

/* Take `*groups` for the block if less is lost with them: their loss as it is reported, and 1 for
 * every record left out. `*groups` is then what the block had. */
static kn_status offer(block *b, kn_groups **groups, kn_error *err)
{
    kn_groups *const other = b->groups;
    double lost;

    KN_PASS(kn__groups_reported(*groups, &lost, err));
    lost += (double)(*groups)->tuples->records;
    for (uint32_t i = 0; i < (*groups)->count; i++) {
        lost -= (*groups)->group[i].size;
    }
    if (!other || lost < b->lost) {
        b->groups = *groups;
        b->lost = lost;
        *groups = other;
    }
    return KN_OK;
}

static kn_status refine(const local *l, const block *b, kn_groups *groups, kn_error *err)
{
    groups->may_suppress = allowance(l, b);
    return kn__local_refine(groups, l->effort,
                            l->effort *
                                (l->whole ? REFINE_WHOLE : REFINE_PER_TUPLE * b->tuples->count),
                            l->inner_threads, l->inner_run, err);
}

/* The groups that another method made, `part` by tuple of the table. */
static kn_status groups_of(const local *l, const block *b, const uint32_t *part, size_t parts,
                           kn_groups **out, kn_error *err)
{
    uint32_t *number = kn__malloc_array(parts, sizeof *number); /* by part: its group here */
    kn_status status;

    KN_TRY(number ? kn__groups_new(out, l->costs, b->tuples, l->judge, err) : kn__nomem(err));
    memset(number, 0xff, parts * sizeof *number);
    for (size_t i = b->begin; i < b->end; i++) {
        uint32_t *group = &number[part[l->sorted[i]]];
        if (*group == UINT32_MAX) {
            KN_TRY(kn__groups_add(*out, group, err));
        }
        KN_TRY(kn__groups_put(*out, *group, (uint32_t)(i - b->begin), err));
    }
done:
    kn__free(number);
    return status;
}

/* Another method's groups are candidates too: refined where they cost less than `most`, and as they
 * are where lowering the cost may raise what is reported. */
static kn_status try_parts(const local *l, block *b, const uint32_t *part, size_t parts,
                           double most, kn_error *err)
{
    kn_groups *groups = NULL, *plain = NULL;
    kn_status status;

    KN_TRY(groups_of(l, b, part, parts, &groups, err));
    if (kn__groups_cost(groups) < most) {
        KN_TRY(refine(l, b, groups, err));
        KN_TRY(offer(b, &groups, err));
    }
    if (!l->costs->exact) {
        KN_TRY(groups_of(l, b, part, parts, &plain, err));
        KN_TRY(offer(b, &plain, err));
    }
done:
    kn__groups_free(groups);
    kn__groups_free(plain);
    return status;
}

static kn_status work_on(const local *l, block *b, kn_error *err)
{
    kn_groups *groups = NULL;
    double walked = INFINITY;
    kn_status status;

    KN_TRY(subset(l->all, l->sorted + b->begin, b->end - b->begin, &b->tuples, err));
    if (l->walks) {
        KN_TRY(kn__groups_new(&groups, l->costs, b->tuples, l->judge, err));
        KN_TRY(walk_block(l, b, groups, err));
        walked = kn__groups_cost(groups);
        KN_TRY(refine(l, b, groups, err));
        KN_TRY(offer(b, &groups, err));
    }
    KN_TRY(try_parts(l, b, l->part, l->parts, walked, err));
    if (l->optimum) {
        KN_TRY(try_parts(l, b, l->optimum, l->optimum_parts, walked, err));
    }
done:
    kn__groups_free(groups);
    return status;
}

static void work_on_blocks(void *user, unsigned worker, size_t begin, size_t end)
{
    local *l = user;

    (void)worker;
    for (size_t i = begin; i < end; i++) {
        block *b = &l->blocks[i];
        b->error.status = work_on(l, b, &b->error);
    }
}

/* Mondrian's parts: not relaxed, so that tuples stay whole. */
static kn_status mondrian_parts(const kn_task *task, kn_grouping *out, kn_error *err)
{
    kn_task strict = *task;

    strict.params = (kn_params){.entry = &kn__mondrian_row.entry};
    return kn__method_mondrian(&strict, out, err);
}

/* Mondrian's parts, and the tuples in their order: neighbours among the parts are alike. */
static kn_status cut(local *l, kn_error *err)
{
    kn_grouping parts = {0};
    uint32_t *begin = NULL;
    kn_status status;

    KN_TRY(mondrian_parts(l->task, &parts, err));
    l->parts = parts.groups;
    l->part = kn__malloc_array(l->all->count, sizeof *l->part);
    l->sorted = kn__malloc_array(l->all->count, sizeof *l->sorted);
    begin = kn__zalloc_array(parts.groups + 1, sizeof *begin);
    KN_TRY(l->part && l->sorted && begin ? KN_OK : kn__nomem(err));
    for (uint32_t t = 0; t < l->all->count; t++) {
        l->part[t] = parts.group[l->all->members[l->all->begin[t]]];
        begin[l->part[t] + 1]++;
    }
    for (size_t i = 0; i < parts.groups; i++) {
        begin[i + 1] += begin[i];
    }
    for (uint32_t t = 0; t < l->all->count; t++) {
        l->sorted[begin[l->part[t]]++] = t;
    }
done:
    kn__free(begin);
    kn__grouping_clear(&parts);
    return status;
}

/* The best full-domain generalisation without suppression, where it is quickly found. */
static kn_status find_optimum(local *l, kn_error *err)
{
    kn_task task = *l->task;
    kn_grouping classes = {0};
    kn_qi_levels *levels = kn__zalloc_array(task.qis, sizeof *levels);
    kn_status status;

    KN_TRY(levels ? KN_OK : kn__nomem(err));
    for (size_t q = 0; q < task.qis; q++) {
        KN_TRY(kn__qi_levels_of_domain(&levels[q], task.domain[q], err));
    }
    if (kn__lattice_size(levels, task.qis) > LARGEST_OPTIMUM) {
        goto done;
    }
    task.params = (kn_params){.entry = &kn__flash_row.entry};
    task.limit = task.barred_count;
    KN_TRY(kn__method_flash(&task, &classes, err));
    l->optimum = kn__malloc_array(l->all->count, sizeof *l->optimum);
    KN_TRY(l->optimum ? KN_OK : kn__nomem(err));
    for (uint32_t t = 0; t < l->all->count; t++) {
        l->optimum[t] = classes.group[l->all->members[l->all->begin[t]]];
    }
    l->optimum_parts = classes.groups;
done:
    clear_levels(l, levels);
    kn__grouping_clear(&classes);
    return status == KN_EINFEASIBLE ? KN_OK : status;
}

/* A block is as many parts as make BLOCK_TUPLES, or the whole table. */
static kn_status make_blocks(local *l, kn_error *err)
{
    size_t begin = 0;
    uint32_t count = l->all->count;

    l->blocks = kn__zalloc_array((size_t)count + 1, sizeof *l->blocks);
    if (!l->blocks) {
        return kn__nomem(err);
    }
    for (size_t i = 1; i <= count; i++) {
        const bool border = i == count || l->part[l->sorted[i]] != l->part[l->sorted[i - 1]];
        if (i == count || (border && !l->whole && i - begin >= BLOCK_TUPLES)) {
            l->blocks[l->blocks_count++] = (block){.begin = begin, .end = i};
            begin = i;
        }
    }
    return KN_OK;
}

static kn_status publish_groups(const local *l, kn_grouping *out, kn_error *err)
{
    const size_t qis = l->task->qis;
    size_t groups = 0, number = 0;

    for (size_t i = 0; i < l->blocks_count; i++) {
        for (uint32_t j = 0; j < l->blocks[i].groups->count; j++) {
            groups += l->blocks[i].groups->group[j].size > 0;
        }
    }
    KN_PASS(kn__grouping_init(out, l->task, groups, err));
    for (size_t i = 0; i < l->blocks_count; i++) {
        const kn_groups *g = l->blocks[i].groups;
        for (uint32_t j = 0; j < g->count; j++) {
            const kn_value_span *span = g->span + (size_t)j * qis;
            if (g->group[j].size == 0) {
                continue;
            }
            for (uint32_t t = 0; t < g->group[j].len; t++) {
                kn__tuples_assign(g->tuples, g->group[j].tuples[t], (uint32_t)number, out);
            }
            for (size_t q = 0; q < qis; q++) {
                const kn_domain *d = l->task->domain[q];
                const bool mixed = d->kind != KN_DOMAIN_TREE && span[q].low != span[q].high &&
                                   span[q].high == d->column->missing;
                out->low[number * qis + q] = mixed ? KN_NO_NODE : span[q].low;
                out->high[number * qis + q] = mixed ? KN_NO_NODE : span[q].high;
            }
            number++;
        }
    }
    return KN_OK;
}

static kn_status prepare(local *l, kn_error *err)
{
    kn_qi_levels *levels = kn__zalloc_array(l->task->qis, sizeof *levels);
    kn_status status;

    KN_TRY(levels ? make_levels(l, levels, &l->walks, err) : kn__nomem(err));
    l->whole = l->task->ds->records <= LARGEST_WHOLE;
    KN_TRY(kn__tuples_new(&l->all, l->task, err));
    KN_TRY(kn__task_judge(l->task, &l->judge, err));
    KN_TRY(kn__costs_new(&l->costs, l->task, err));
    KN_TRY(cut(l, err));
    if (l->whole && l->walks) {
        KN_TRY(find_optimum(l, err));
    }
    KN_TRY(make_blocks(l, err));
done:
    clear_levels(l, levels);
    return status;
}

static void local_clear(local *l)
{
    for (size_t i = 0; i < l->blocks_count; i++) {
        kn__groups_free(l->blocks[i].groups);
        kn__tuples_free(l->blocks[i].tuples);
    }
    kn__free(l->blocks);
    kn__free(l->part);
    kn__free(l->sorted);
    kn__free(l->optimum);
    kn__tuples_free(l->all);
    kn__judge_free(l->judge);
    kn__costs_free(l->costs);
}

/* Process the blocks in batches; between them progress is reported, and the caller may cancel. */
static kn_status work(local *l, kn_error *err)
{
    const unsigned threads = kn__run_threads(l->task->run);

    /* One block: the threads are of use inside it. */
    l->inner_threads = l->blocks_count == 1 ? threads : 1;
    l->inner_run = l->blocks_count == 1 ? l->task->run : NULL;
    for (size_t at = 0; at < l->blocks_count; at += threads) {
        local batch = *l;
        batch.blocks += at;
        kn__parallel_for(threads, l->blocks_count - at < threads ? l->blocks_count - at : threads,
                         1, work_on_blocks, &batch);
        for (size_t i = at; i < l->blocks_count && i < at + threads; i++) {
            KN_PASS(kn__error_pass(err, &l->blocks[i].error));
        }
        KN_PASS(kn__run_step(l->task->run, "local", (double)at / (double)l->blocks_count, err));
    }
    return KN_OK;
}

/* Groups of tuples: walked, refined, and compared with those of Mondrian and flash. */
static kn_status recode_tuples(const kn_task *task, kn_grouping *out, kn_error *err)
{
    local l = {.task = task, .effort = kn__param_number(&task->params, "effort")};
    kn_status status;

    KN_TRY(prepare(&l, err));
    KN_TRY(work(&l, err));
    KN_TRY(publish_groups(&l, out, err));
done:
    local_clear(&l);
    return status;
}

static bool has_hierarchy(const kn_task *task)
{
    for (size_t q = 0; q < task->qis; q++) {
        if (task->domain[q]->kind == KN_DOMAIN_TREE) {
            return true;
        }
    }
    return false;
}

/* Where k-anonymity alone is asked for, groups of records follow those of tuples. Without any
 * hierarchy there are no levels that are worth a walk, and Mondrian's groups are start enough. */
static kn_status run(const kn_task *task, kn_grouping *out, kn_error *err)
{
    const bool by_record = kn__method_reaches(&kn__cluster_row, task->options, NULL) == KN_OK;

    *out = (kn_grouping){0};
    KN_PASS(by_record && !has_hierarchy(task) ? mondrian_parts(task, out, err)
                                              : recode_tuples(task, out, err));
    if (by_record) {
        KN_PASS(kn__local_records(task, out, err));
    }
    return KN_OK;
}

static const kn_param params[] = {
    {.name = "effort",
     .kind = KN_PARAM_NUMBER,
     .min = 0,
     .max = 1000,
     .standard = 1,
     .help = "local: how long to refine; 2 takes about twice as long as 1"},
};

const kn_method_row kn__local_row = {
    .entry = {.kind = KN_ENTRY_METHOD,
              .name = "local",
              .reaches = KN_TABLE_GUARANTEES,
              .summary =
                  "local recoding: groups of records are refined for as long as something is "
                  "gained; least loss",
              KN_PARAMS(params),
              .page = "methods.md"},
    .family = KN_METHOD_TABLE,
    .table = run,
};
