/* builder_bulk.c - columns of many records at once: the caller codes the values. */
#include "base/memory.h"
#include "data/builder_inside.h"

kn_column_use kn__builder_use(const kn_builder *b, size_t column)
{
    const kn_plan *plan = &b->column[b->place ? b->place[column] : column];

    return (kn_column_use){.keep = plan->keep, .list = plan->list};
}

bool kn__builder_merges(const kn_builder *b)
{
    return b->place != NULL;
}

kn_dict *kn__chunk_dict(kn_chunk *c, size_t column)
{
    return c->builder->dicts[c->worker * c->builder->columns + column];
}

kn_status kn__chunk_reserve(kn_chunk *c, size_t column, size_t count, size_t records,
                            uint32_t **codes, uint32_t **lengths, kn_error *err)
{
    kn_raw *raw = &c->raw[column];
    kn_status status = kn__grow(&raw->codes, &raw->cap, raw->len + count, sizeof *raw->codes, err);

    *lengths = NULL;
    if (status == KN_OK && c->builder->column[column].list) {
        status = kn__grow(&raw->lengths, &raw->lengths_cap, c->records + records,
                          sizeof *raw->lengths, err);
        *lengths = status == KN_OK ? raw->lengths + c->records : NULL;
    }
    *codes = status == KN_OK && raw->codes ? raw->codes + raw->len : NULL;
    return status;
}

void kn__chunk_extend(kn_chunk *c, size_t column, size_t count)
{
    c->raw[column].len += count;
}

bool kn__chunk_is_sorted(const kn_chunk *c, size_t column)
{
    return c->column[column].orders != 0;
}

void kn__chunk_end_records(kn_chunk *c, size_t records)
{
    c->records += records;
}
