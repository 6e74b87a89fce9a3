/* unchanged.c - columns that are published as they are: compared with the original, record by
 * record, text by text. */
#include "base/error.h"
#include "base/memory.h"
#include "publish/publish.h"
#include "release/release.h"

/* Whether record `i` of `read` holds what record `from` of `original` does; `code` has the codes of
 * the original by those of `read`. Lists of both are in the order of their values. */
static bool same_cell(const kn_column *original, size_t from, const kn_column *read, size_t i,
                      const uint32_t *code)
{
    uint64_t begin, len;

    if (!original->starts) {
        return code[kn__column_code(read, i)] == kn__column_code(original, from);
    }
    begin = original->starts[from];
    len = original->starts[from + 1] - begin;
    if (read->starts[i + 1] - read->starts[i] != len) {
        return false;
    }
    for (uint64_t j = 0; j < len; j++) {
        if (code[kn__column_code(read, (size_t)(read->starts[i] + j))] !=
            kn__column_code(original, (size_t)(begin + j))) {
            return false;
        }
    }
    return true;
}

static kn_status compare_column(const kn_release *r, const kn_column *original,
                                const kn_column *read, bool *same, kn_error *err)
{
    const uint32_t values = kn__column_values(read);
    uint32_t *code = kn__malloc_array(values, sizeof *code);

    KN_PASS(code ? KN_OK : kn__nomem(err));
    for (uint32_t i = 0; i < values; i++) {
        size_t len;
        const char *text = kn__column_text(read, i, &len);
        code[i] = kn__dict_find(original->dict, text, len);
    }
    *same = !original->starts == !read->starts;
    for (size_t i = 0; *same && i < r->data->records; i++) {
        *same = same_cell(original, r->origin[i], read, i, code);
    }
    kn__free(code);
    return KN_OK;
}

kn_status kn__release_unchanged(const kn_release *r, const kn_dataset *read, bool *same,
                                kn_error *err)
{
    kn_status status = KN_OK;

    *same = true;
    for (size_t i = 0; status == KN_OK && *same && i < read->columns; i++) {
        const kn_column *c = &read->column[i];
        if (c->role != KN_ROLE_QUASI) {
            const size_t from = kn_dataset_find(r->original, c->name);
            status = compare_column(r, &r->original->column[from], c, same, err);
        }
    }
    return status;
}
