/* acd_method.c - ACD as a method for a column of numbers. */
#include "methods/registry.h"
#include "methods/params.h"
#include "base/buffer.h"
#include "base/error.h"
#include "base/memory.h"
#include "methods/numbers/acd.h"

/* d where none is given: the paper's. */
/* What every range is published as: its least and its greatest number that occur. */
static kn_status publish_ranges(const kn_items_task *task, const uint32_t *range_of,
                                kn_recoding *out, kn_error *err)
{
    const kn_baskets *b = task->baskets;
    uint8_t *occurs = kn__zalloc_array(b->items, 1);
    kn_buffer text = {0};
    kn_status status = occurs ? KN_OK : kn__nomem(err);

    for (uint64_t i = 0; occurs && i < b->starts[b->records]; i++) {
        occurs[b->list[i]] = 1;
    }
    for (uint32_t i = 0, end; status == KN_OK && i < b->items; i = end) {
        uint32_t low = KN_NO_CODE, high = 0, code;
        for (end = i; end < b->items && range_of[end] == range_of[i]; end++) {
            if (occurs[end]) {
                low = low == KN_NO_CODE ? end : low;
                high = end;
            }
            out->to[end] = KN_NO_CODE;
        }
        if (low == KN_NO_CODE) {
            continue;
        }
        text.len = 0;
        kn__domain_publish_range(task->domain, low, high, &text);
        status = text.failed ? kn__nomem(err)
                             : kn__dict_add(out->texts, text.data, text.len, &code, err);
        for (uint32_t j = low; status == KN_OK && j <= high; j++) {
            out->to[j] = code;
        }
    }
    kn__buffer_free(&text);
    kn__free(occurs);
    return status;
}

static kn_status run(const kn_items_task *task, kn_recoding *out, kn_error *err)
{
    const kn_column *column = task->column;
    const double d = kn__param_number(&task->params, "d");
    const bool paper = kn__param_flag(&task->params, "paper");
    uint32_t *range_of = NULL, ranges;
    kn_status status;

    if (paper && task->options->item_suppression > 0) {
        return kn__fail(err, KN_EUSAGE,
                        "--paper is the algorithm as published, which leaves no items out: leave "
                        "--paper or --item-suppression out");
    }
    if (column->type != KN_TYPE_NUMBERS) {
        return kn__fail(err, KN_EUSAGE,
                        "method acd makes ranges of numbers, and column '%s' holds %s: declare it "
                        "with --numbers, or use apriori with a hierarchy",
                        column->name, column->type == KN_TYPE_SET ? "a set of items" : "items");
    }
    if (task->domain->kind == KN_DOMAIN_TREE) {
        return kn__fail(err, KN_EUSAGE,
                        "method acd makes its own ranges: leave the hierarchy of '%s' out, or use "
                        "apriori, which follows it",
                        column->name);
    }
    range_of = kn__malloc_array(task->baskets->items, sizeof *range_of);
    out->to = kn__malloc_array(kn__column_values(column), sizeof *out->to);
    KN_TRY(range_of && out->to ? kn__dict_new(&out->texts, err) : kn__nomem(err));
    KN_TRY(kn__acd(task->baskets, column->numbers, task->k, task->m, d, paper, task->run, range_of,
                   &ranges, err));
    for (uint32_t i = task->baskets->items; i < kn__column_values(column); i++) {
        out->to[i] = KN_NO_CODE; /* a missing value */
    }
    KN_TRY(publish_ranges(task, range_of, out, err));
done:
    kn__free(range_of);
    return status;
}

static kn_status validate(const kn_params *params, kn_error *err)
{
    return kn_params_is_set(params, "d") && !kn__param_flag(params, "paper")
               ? kn__fail(err, KN_EUSAGE,
                          "--d belongs to acd as printed in the paper: add --paper, or leave --d "
                          "out")
               : KN_OK;
}

static const kn_param params[] = {
    {.name = "d",
     .kind = KN_PARAM_NUMBER,
     .min = 0,
     .max = 1,
     .standard = 0.001,
     .help = "acd --paper: how much a repair may add to the loss before others are looked for"},
    KN_PARAM_PAPER,
};

const kn_method_row kn__acd_row = {
    .entry = {.kind = KN_ENTRY_METHOD,
              .name = "acd",
              .reaches = "km-anonymity",
              .summary = "numbers become ranges that it finds by itself, without a hierarchy",
              KN_PARAMS(params),
              .page = "methods.md"},
    .family = KN_METHOD_ITEMS,
    .leaves_out = true,
    .numbers = true,
    .items = run,
    .validate = validate,
};
