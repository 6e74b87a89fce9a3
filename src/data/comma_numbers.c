/* comma_numbers.c - columns of numbers with a decimal comma (1234,50 or 1.234,50), read as numbers.
 *
 * Their texts are spelled with a decimal point, once per distinct value, before the type is
 * detected; so they are published with a point as well. */
#include "base/buffer.h"
#include "base/error.h"
#include "base/memory.h"
#include "data/builder_inside.h"
#include "data/value.h"

#include <string.h>

typedef enum spelling {
    NO_NUMBER,
    PLAIN,     /* 1234 */
    POINTED,   /* 1234.5, or 1.234: with a comma elsewhere, perhaps 1234 */
    AMBIGUOUS, /* 1,234: perhaps 1234 */
    COMMA      /* 1234,5 or 1.234,50 */
} spelling;

static size_t digits(const char *text, size_t len)
{
    size_t i = 0;

    while (i < len && text[i] >= '0' && text[i] <= '9') {
        i++;
    }
    return i;
}

/* Append a number with a decimal comma, perhaps with thousands separated by `.`, with a decimal
 * point; false if it is none. */
static bool respell(kn_buffer *out, const char *text, size_t len)
{
    size_t i = len && (text[0] == '-' || text[0] == '+');
    size_t run = digits(text + i, len - i);
    const size_t first = run;

    if (text[0] == '-') {
        kn__buffer_addc(out, '-');
    }
    kn__buffer_add(out, text + i, run);
    i += run;
    while (first <= 3 && i < len && text[i] == '.') {
        run = digits(text + i + 1, len - i - 1);
        kn__buffer_add(out, text + i + 1, run);
        i += 1 + run;
        if (run != 3) {
            return false;
        }
    }
    if (i < len && text[i] == ',') {
        run = digits(text + i + 1, len - i - 1);
        kn__buffer_addc(out, '.');
        kn__buffer_add(out, text + i + 1, run);
        i += 1 + run;
        return first > 0 && run > 0 && i == len;
    }
    return first > 0 && i == len;
}

static spelling spelling_of(kn_buffer *scratch, const char *text, size_t len)
{
    const char *comma = len ? memchr(text, ',', len) : NULL;
    const size_t sign = len && (text[0] == '-' || text[0] == '+');
    double value;
    unsigned decimals;

    scratch->len = 0;
    if (len > sign + 1 && text[sign] == '0' && text[sign + 1] != ',' && text[sign + 1] != '.') {
        return NO_NUMBER; /* leading zeros: a code */
    }
    if (!comma) {
        if (kn__number_parse(text, len, &value, &decimals)) {
            return memchr(text, '.', len) ? POINTED : PLAIN;
        }
        return respell(scratch, text, len) ? POINTED : NO_NUMBER;
    }
    if (!respell(scratch, text, len)) {
        return NO_NUMBER;
    }
    return len - (size_t)(comma - text) - 1 == 3 && comma - text - (ptrdiff_t)sign <= 3 &&
                   !memchr(text, '.', len)
               ? AMBIGUOUS
               : COMMA;
}

/* Whether the values of `d` are numbers with a decimal comma: all are numbers, and one at least can
 * be nothing else; where the comma was `stated`, one at least has a comma. */
static bool has_commas(kn_buffer *scratch, const kn_dict *d, const kn_schema *schema,
                       const kn_column_spec *spec, bool stated)
{
    size_t seen[COMMA + 1] = {0};

    for (uint32_t code = 0; code < d->len; code++) {
        size_t len;
        const char *text = kn__dict_text(d, code, &len);
        if (!kn__schema_is_missing(schema, spec, text, len)) {
            const spelling found = spelling_of(scratch, text, len);
            if (found == NO_NUMBER || (found == POINTED && !stated)) {
                return false;
            }
            scratch->len = 0;
            if (found == POINTED && !respell(scratch, text, len)) {
                return false; /* 1.5 beside a stated comma */
            }
            seen[found]++;
        }
    }
    return seen[COMMA] > 0 || (stated && seen[AMBIGUOUS] > 0);
}

/* The values of `d` with a decimal point; by code of `d` the code there in `to`. */
static kn_status spell_all(kn_dict *out, uint32_t *to, const kn_dict *d, const kn_schema *schema,
                           const kn_column_spec *spec, kn_error *err)
{
    kn_buffer scratch = {0};
    kn_status status = KN_OK;

    for (uint32_t code = 0; code < d->len; code++) {
        size_t len;
        const char *text = kn__dict_text(d, code, &len);
        scratch.len = 0;
        if (!kn__schema_is_missing(schema, spec, text, len) && respell(&scratch, text, len)) {
            KN_TRY(scratch.failed ? kn__nomem(err) : KN_OK);
            text = scratch.data;
            len = scratch.len;
        }
        KN_TRY(kn__dict_add(out, text, len, &to[code], err));
    }
done:
    kn__buffer_free(&scratch);
    return status;
}

kn_status kn__comma_numbers(kn_dict **merged, uint32_t **map, const uint32_t *map_len,
                            const kn_builder *b, const kn_column_plan *plan, bool *changed,
                            kn_error *err)
{
    const char decimal = b->schema ? b->schema->decimal : '\0';
    kn_buffer scratch = {0};
    kn_dict *dict = NULL;
    uint32_t *to = NULL;
    kn_status status = KN_OK;

    if (decimal == '.' || (plan->type != KN_TYPE_AUTO && plan->type != KN_TYPE_INTEGER &&
                           plan->type != KN_TYPE_DECIMAL)) {
        return KN_OK;
    }
    *changed = has_commas(&scratch, *merged, b->schema, plan->spec, decimal == ',');
    KN_TRY(scratch.failed ? kn__nomem(err) : KN_OK);
    if (*changed) {
        to = kn__malloc_array((*merged)->len, sizeof *to);
        KN_TRY(to ? KN_OK : kn__nomem(err));
        KN_TRY(kn__dict_new(&dict, err));
        KN_TRY(spell_all(dict, to, *merged, b->schema, plan->spec, err));
        for (unsigned w = 0; w < b->workers; w++) {
            for (uint32_t code = 0; code < map_len[w]; code++) {
                map[w][code] = to[map[w][code]];
            }
        }
        kn__dict_free(*merged);
        *merged = dict;
        dict = NULL;
    }
done:
    kn__buffer_free(&scratch);
    kn__dict_free(dict);
    kn__free(to);
    return status;
}
