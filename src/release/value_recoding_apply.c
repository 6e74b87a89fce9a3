/* value_recoding_apply.c - a recoding that was kept, applied to another table. */
#include "base/args.h"
#include "base/error.h"
#include "base/memory.h"
#include "data/dataset.h"
#include "data/rows/group.h"
#include "release/recoding.h"
#include "release/value_recoding.h"

#include <string.h>

static kn_status uncovered(const kn_column *from, size_t count, kn_error *err)
{
    (void)kn__fail(
        err, KN_EINPUT,
        "%zu value%s of column '%.100s' %s not covered by the recoding: nothing says what "
        "becomes of %s; make a new release, whose recoding covers %s",
        count, count == 1 ? "" : "s", from->name, count == 1 ? "is" : "are",
        count == 1 ? "it" : "them", count == 1 ? "it" : "them");
    return kn__about_column(err, KN_EINPUT, KN_ERROR_UNCOVERED, from->name);
}

/* By code of `from`, the text that it becomes: codes of c->texts. */
static kn_status look_up(const kn_recoded_column *c, const kn_column *from, uint32_t *to,
                         kn_error *err)
{
    size_t lacking = 0;

    for (uint32_t code = 0; code < kn__column_values(from); code++) {
        size_t len;
        const char *text = kn__column_text(from, code, &len);
        const uint32_t value = code == from->missing ? KN_NO_CODE
                                                     : kn__dict_find(c->from, text, len);
        if (code == from->missing) {
            to[code] = c->missing;
            lacking += !c->has_missing && !from->starts;
        } else {
            to[code] = value == KN_NO_CODE ? KN_NO_CODE : c->to[value];
            lacking += value == KN_NO_CODE;
        }
    }
    return lacking ? uncovered(from, lacking, err) : KN_OK;
}

/* Whether a value becomes another text, or is left out. Lists are changed. */
static bool changes(const kn_recoded_column *c, const kn_column *from, const uint32_t *to)
{
    bool any = c->items;

    for (uint32_t code = 0; code < kn__column_values(from) && !any; code++) {
        size_t len, to_len = 0;
        const char *text = kn__column_text(from, code, &len);
        if (to[code] == KN_NO_CODE) {
            any = code != from->missing; /* a missing value stays one */
        } else {
            const char *becomes = kn__dict_text(c->texts, to[code], &to_len);
            any = code == from->missing || len != to_len || memcmp(text, becomes, len) != 0;
        }
    }
    return any;
}

static kn_status recode_values(const kn_recoded_column *c, const kn_column *from,
                               const uint32_t *to, size_t records, kn_column *out, kn_error *err)
{
    uint32_t *of = kn__malloc_array(c->texts->len + 1, sizeof *of);
    uint8_t *used = kn__zalloc_array(c->texts->len + 1, sizeof *used);
    kn_status status;

    KN_TRY(of && used ? KN_OK : kn__nomem(err));
    for (uint32_t code = 0; code < kn__column_values(from); code++) {
        if (to[code] != KN_NO_CODE) {
            used[to[code]] = 1;
        }
    }
    KN_TRY(kn__texts_sort(out, c->texts, used, of, err));
    if (from->missing != KN_NO_CODE && c->missing == KN_NO_CODE) { /* it stays missing */
        size_t len;
        const char *text = kn__column_text(from, from->missing, &len);
        KN_TRY(kn__dict_add(out->dict, text, len, &out->missing, err));
    }
    out->type = KN_TYPE_CATEGORY;
    out->width = kn__code_width(out->dict->len);
    out->codes = kn__malloc_array(records + 1, out->width);
    KN_TRY(out->codes ? KN_OK : kn__nomem(err));
    for (size_t i = 0; i < records; i++) {
        const uint32_t text = to[kn__column_code(from, i)];
        kn__code_set(out->codes, out->width, i, text == KN_NO_CODE ? out->missing : of[text]);
    }
done:
    KN_FREE(of, used);
    return status;
}

static kn_status recode_items(const kn_recoding *recoding, const kn_column *from, size_t records,
                              kn_column *out, kn_error *err)
{
    uint32_t *origin = kn__malloc_array(records + 1, sizeof *origin);
    kn_status status;

    KN_TRY(origin ? KN_OK : kn__nomem(err));
    for (size_t i = 0; i < records; i++) {
        origin[i] = (uint32_t)i;
    }
    KN_TRY(kn__items_publish(out, from, recoding, origin, records, 1, err));
done:
    kn__free(origin);
    return status;
}

static const char *kind_of_values(const kn_column *c)
{
    if (!c->dict) {
        return "nothing";
    }
    return c->starts ? "lists" : "no lists";
}

static kn_status recode(const kn_recoded_column *c, const kn_column *from, size_t records,
                        kn_column *out, uint8_t *changed, kn_error *err)
{
    uint32_t *to = NULL;
    kn_status status;

    if (!from->dict || c->items != (from->starts != NULL)) {
        (void)kn__fail(err, KN_EINPUT,
                       "column '%.100s' holds %s here, and %s where the recoding was made", c->name,
                       kind_of_values(from), c->items ? "lists" : "none");
        return kn__about_column(err, KN_EINPUT, KN_ERROR_TYPE, c->name);
    }
    to = kn__malloc_array(kn__column_values(from) + 1, sizeof *to);
    KN_TRY(to ? look_up(c, from, to, err) : kn__nomem(err));
    if (changed) {
        *changed = changes(c, from, to);
    }
    if (c->items) {
        const kn_recoding recoding = {.texts = c->texts, .to = to};
        KN_TRY(recode_items(&recoding, from, records, out, err));
    } else {
        KN_TRY(recode_values(c, from, to, records, out, err));
    }
done:
    kn__free(to);
    return status;
}

/* What a column holds becomes what `made` holds; what is said of the column stays. */
static void replace(kn_column *c, kn_column *made)
{
    kn_column old = *c;

    c->type = made->type;
    c->dict = made->dict;
    c->codes = made->codes;
    c->width = made->width;
    c->starts = made->starts;
    c->missing = made->missing;
    c->numbers = NULL;
    c->arrow = NULL;
    c->decimals = 0;
    c->spellings = made->missing != KN_NO_CODE;
    *made = (kn_column){.dict = old.dict,
                        .codes = old.codes,
                        .starts = old.starts,
                        .numbers = old.numbers,
                        .arrow = old.arrow,
                        .missing = KN_NO_CODE};
}

kn_status kn_recoding_apply(kn_dataset *ds, const kn_value_recoding *recoding, kn_error *err)
{
    KN_NEED(err, ds, recoding);

    return kn__recoding_apply(ds, recoding, NULL, err);
}

kn_status kn__recoding_apply(kn_dataset *ds, const kn_value_recoding *recoding, uint8_t *changed,
                             kn_error *err)
{
    kn_column *made = kn__zalloc_array(recoding->count + 1, sizeof *made);
    kn_status status;

    KN_TRY(made ? KN_OK : kn__nomem(err));
    for (size_t i = 0; i < recoding->count; i++) {
        const kn_recoded_column *c = &recoding->column[i];
        const size_t at = kn_dataset_find(ds, c->name);
        made[i].missing = KN_NO_CODE;
        KN_TRY(at == SIZE_MAX ? kn__no_column(ds, "to recode", c->name, err) : KN_OK);
        KN_TRY(
            recode(c, &ds->column[at], ds->records, &made[i], changed ? &changed[at] : NULL, err));
    }
    for (size_t i = 0; i < recoding->count; i++) {
        replace(&ds->column[kn_dataset_find(ds, recoding->column[i].name)], &made[i]);
    }
done:
    for (size_t i = 0; made && i < recoding->count; i++) {
        kn__column_clear(&made[i]);
    }
    kn__free(made);
    return status;
}
