/* codes.c - hierarchies over codes: from a code list, and from a pack with labels of a code list.
 */
#include "base/error.h"
#include "base/say.h"
#include "hierarchy/build/code_list.h"
#include "hierarchy/build/row.h"
#include "hierarchy/packs/packs.h"

#include <string.h>

const char *kn_pack_name(size_t i)
{
    size_t count;
    const kn_pack *packs = kn__packs(&count);

    return i < count ? packs[i].name : NULL;
}

const char *kn_pack_help(size_t i)
{
    size_t count;
    const kn_pack *packs = kn__packs(&count);

    return i < count ? packs[i].help : NULL;
}

static kn_status fail_unknown(const kn_column *column, const char *where, uint32_t code,
                              size_t unknown, kn_error *err)
{
    size_t len;
    const char *text = kn__column_text(column, code, &len);

    return kn__fail(
        err, KN_EINPUT,
        "column \"%s\": %zu of its values are no codes of %.200s, such as %s; add them, "
        "or say which texts mean a missing value (--missing)",
        column->name, unknown, where, kn__quote_make(text, len).text);
}

/* ---- a code list ---- */

/* The label is a level where it stands for several codes, or where there are no groups. */
static void add_groups(kn_build_row *r, const kn_code_list *list, size_t row)
{
    const size_t first = list->merges || list->columns == 2 ? 1 : 2;

    for (size_t i = first; i < list->columns; i++) {
        const char *group = kn__code_list_cell(list, row, i);
        kn__build_row_add(r, group, strlen(group));
    }
}

/* ---- a pack ---- */

/* "25" or, where the user's list names it, "25 Information and communications". */
static void add_pack_label(kn_build_row *r, const kn_code_list *list, const char *label)
{
    const size_t len = strlen(label);
    const size_t row = list->codes ? kn__code_list_find(list, label, len) : SIZE_MAX;

    kn__buffer_add(&r->text, label, len);
    if (row != SIZE_MAX) {
        kn__buffer_addf(&r->text, " %s", kn__code_list_cell(list, row, 1));
    }
    kn__build_row_mark(r);
}

static kn_status find_pack(const kn_pack **out, const char *name, kn_error *err)
{
    kn_buffer names = {0};
    size_t count;
    const kn_pack *packs = kn__packs(&count);
    kn_status status;

    *out = kn__pack_find(name);
    if (*out) {
        return KN_OK;
    }
    for (size_t i = 0; i < count; i++) {
        kn__buffer_addf(&names, "%s%s", kn__say_gap(i, count, " and "), packs[i].name);
    }
    status = names.failed ? kn__nomem(err)
                          : kn__fail(err, KN_EUSAGE, "there is no pack '%.60s': there are %s",
                                     name ? name : "", names.data);
    kn__buffer_free(&names);
    return status;
}

kn_status kn__build_codes(kn_hierarchy_builder *m, const kn_column *column,
                          const kn_build_options *options, kn_error *err)
{
    const uint32_t values = kn__column_values(column) - (column->missing != KN_NO_CODE);
    const kn_pack *pack = NULL;
    kn_code_list list = {0};
    kn_build_row r = {0};
    size_t unknown = 0;
    uint32_t first = 0;
    kn_status status = KN_OK;

    if (options->kind == KN_BUILD_PACK) {
        KN_TRY(find_pack(&pack, options->pack, err));
    } else if (!options->code_list) {
        KN_TRY(kn__fail(err, KN_EUSAGE, "give the code list: a table code,label,group,..."));
    }
    if (options->code_list) {
        KN_TRY(kn__code_list_read(&list, options->code_list, err));
    }
    for (uint32_t code = 0; code < values; code++) {
        size_t len;
        const char *text = kn__column_text(column, code, &len);
        const size_t row = pack ? 0 : kn__code_list_find(&list, text, len);
        kn_pack_path path;

        if (pack ? !pack->path(&path, text, len) : row == SIZE_MAX) {
            first = unknown++ ? first : code;
            continue;
        }
        kn__build_row_add(&r, text, len);
        if (pack) {
            for (size_t i = 0; i < path.count; i++) {
                add_pack_label(&r, &list, path.label[i]);
            }
        } else {
            add_groups(&r, &list, row);
        }
        KN_TRY(kn__build_row_flush(&r, m, err));
    }
    if (unknown) {
        KN_TRY(fail_unknown(column, pack ? pack->name : options->code_list, first, unknown, err));
    }
done:
    kn__build_row_clear(&r);
    kn__code_list_clear(&list);
    return status;
}
