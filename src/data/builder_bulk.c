/* builder_bulk.c - add the codes of many records to a column at once. */
#include "base/error.h"
#include "base/memory.h"
#include "data/builder_inside.h"

kn_column_use kn__builder_use(const kn_builder *b, size_t column)
{
    const kn_column_plan *plan = &b->column[b->target ? b->target[column] : column];

    return (kn_column_use){.keep = plan->keep, .list = plan->list};
}

bool kn__builder_merges(const kn_builder *b)
{
    return b->target != NULL;
}

kn_dict *kn__chunk_dict(kn_chunk *c, size_t column)
{
    return c->builder->dicts[c->worker * c->builder->columns + column];
}

kn_status kn__chunk_reserve(kn_chunk *c, size_t column, size_t count, size_t records,
                            uint32_t **codes, uint32_t **lengths, kn_error *err)
{
    kn_column_scratch *scratch = &c->scratch[column];

    *codes = *lengths = NULL;
    KN_PASS(kn__grow(&scratch->codes, &scratch->cap, scratch->len + count, sizeof *scratch->codes,
                     err));
    if (c->builder->column[column].list) {
        KN_PASS(kn__grow(&scratch->lengths, &scratch->lengths_cap, c->records + records,
                         sizeof *scratch->lengths, err));
        *lengths = scratch->lengths + c->records;
    }
    *codes = scratch->codes ? scratch->codes + scratch->len : NULL;
    return KN_OK;
}

void kn__chunk_extend(kn_chunk *c, size_t column, size_t count)
{
    c->scratch[column].len += count;
}

void kn__chunk_end_records(kn_chunk *c, size_t records)
{
    c->records += records;
}
