/* arrow_used.c - the values of a column that its cells hold. */
#include "io/format/arrow_used.h"
#include "base/error.h"
#include "base/memory.h"

#include <string.h>

static inline void mark_of(uint32_t *number, const kn_column *c, size_t count, uint8_t width)
{
    for (size_t i = 0; i < count; i++) {
        number[kn__code_get(c->codes, width, i)] = 0;
    }
}

/* Number what is marked, in the order of the codes. */
static kn_status number_values(kn_arrow_used *u, const kn_column *c, kn_error *err)
{
    const uint32_t codes = kn__column_values(c);
    size_t end = 0;

    u->code = kn__malloc_array((size_t)u->values + 1, sizeof *u->code);
    u->ends = kn__malloc_array((size_t)u->values + 1, sizeof *u->ends);
    KN_PASS(u->code && u->ends ? KN_OK : kn__nomem(err));
    u->values = 0;
    for (uint32_t code = 0; code < codes; code++) {
        size_t len;
        if (code == c->missing || u->number[code] == KN_NO_CODE) {
            continue;
        }
        (void)kn__column_text(c, code, &len);
        end += len;
        u->number[code] = u->values;
        u->code[u->values] = code;
        u->ends[u->values++] = end;
    }
    return KN_OK;
}

kn_status kn__arrow_used_find(kn_arrow_used *out, const kn_column *c, size_t count, kn_error *err)
{
    const uint32_t codes = kn__column_values(c);
    const uint32_t present = codes - (c->missing != KN_NO_CODE);

    *out = (kn_arrow_used){0};
    out->number = kn__malloc_array((size_t)codes + 1, sizeof *out->number);
    KN_PASS(out->number ? KN_OK : kn__nomem(err));
    memset(out->number, 0xff, ((size_t)codes + 1) * sizeof *out->number); /* KN_NO_CODE */
    KN_BY_WIDTH(c->width, mark_of, out->number, c, count);
    for (uint32_t code = 0; code < codes; code++) {
        out->values += code != c->missing && out->number[code] != KN_NO_CODE;
    }
    out->every = out->values == present;
    if (out->every) {
        kn__free(out->number);
        out->number = NULL;
        return KN_OK;
    }
    return number_values(out, c, err);
}

void kn__arrow_used_free(kn_arrow_used *u)
{
    KN_FREE(u->number, u->code, u->ends);
    *u = (kn_arrow_used){0};
}

const size_t *kn__arrow_used_ends(const kn_arrow_used *u, const kn_column *c)
{
    return u->every ? c->dict->ends : u->ends;
}

size_t kn__arrow_used_begin(const kn_arrow_used *u, const kn_column *c, uint32_t code)
{
    const uint32_t number = u->every ? code : u->number[code];

    return number ? kn__arrow_used_ends(u, c)[number - 1] : 0;
}

void *kn__arrow_used_bytes(const kn_arrow_used *u, const kn_column *c)
{
    char *bytes = kn__malloc_array((u->values ? u->ends[u->values - 1] : 0) + 1, 1);

    for (uint32_t i = 0; bytes && i < u->values; i++) {
        size_t len;
        const char *text = kn__column_text(c, u->code[i], &len);
        memcpy(bytes + u->ends[i] - len, text, len);
    }
    return bytes;
}

void *kn__arrow_used_numbers(const kn_arrow_used *u, const kn_column *c, size_t count)
{
    void *numbers = kn__malloc_array(count + 1, c->width);

    for (size_t i = 0; numbers && i < count; i++) {
        const uint32_t code = kn__column_code(c, i);
        kn__code_set(numbers, c->width, i, code == c->missing ? 0 : u->number[code]);
    }
    return numbers;
}
