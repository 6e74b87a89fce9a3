/* rules_csv_write.c - rule lists as CSV, as rules_csv.c reads them back. */
#include "base/error.h"
#include "base/memory.h"
#include "base/say.h"
#include "models/format/formats.h"

#include <math.h>
#include <string.h>

/* Whether a|b would not be read back as it is. */
static bool is_delicate(const char *text, size_t len)
{
    return len == 0 || memchr(text, '|', len) || strchr("{[( \t'\"", text[0]) ||
           text[len - 1] == ' ' || text[len - 1] == '\t' ||
           (len == 5 && memcmp(text, "set()", 5) == 0) ||
           (len > 9 && memcmp(text, "frozenset", 9) == 0);
}

static void add_list(kn_buffer *out, const kn_rules *r, const uint32_t *items, size_t count)
{
    bool braces = false;
    size_t len;

    for (size_t i = 0; i < count; i++) {
        const char *text = kn__dict_text(r->items, items[i], &len);
        braces = braces || is_delicate(text, len);
    }
    if (braces) {
        kn__buffer_addc(out, '{');
    }
    for (size_t i = 0; i < count; i++) {
        const char *text = kn__dict_text(r->items, items[i], &len);
        if (i > 0) {
            kn__buffer_addc(out, braces ? ',' : '|');
        }
        if (braces) {
            kn__say_quoted(out, '\"', text, len); /* always: its brackets then mean nothing */
        } else {
            kn__buffer_add(out, text, len);
        }
    }
    if (braces) {
        kn__buffer_addc(out, '}');
    }
}

static void add_cell(kn_buffer *out, kn_buffer *cell, const kn_rules *r, const uint32_t *items,
                     size_t count)
{
    cell->len = 0;
    add_list(cell, r, items, count);
    out->failed = out->failed || cell->failed;
    if (cell->len > 0 && !cell->failed && strpbrk(cell->data, ",;\t\"\n\r")) {
        kn__say_quoted(out, '\"', cell->data, cell->len);
    } else {
        kn__buffer_add(out, cell->data, cell->len);
    }
}

static void add_figure(kn_buffer *out, double value)
{
    kn__buffer_addc(out, ',');
    if (value >= 0) {
        kn__model_number(out, value);
    }
}

/* Enough decimals to identify the figure among all quotients of integers up to `records`: rounded
 * figures look alike, and 0.8 alone could be anything from 0.75 to 0.85. */
static void add_share(kn_buffer *out, double value, uint64_t records)
{
    const size_t begin = out->len + 1;
    kn_digits written;
    int places = 0;

    add_figure(out, value);
    for (; records > 0 && places < 15; records /= 10) {
        places += 2;
    }
    if (out->failed || out->len == begin || strchr(out->data + begin, 'e')) {
        return;
    }
    written = kn__digits_of(out->data + begin, out->len - begin);
    if (written.decimals == 0 && places > 0) {
        kn__buffer_addc(out, '.');
    }
    for (; written.decimals < places; written.decimals++) {
        kn__buffer_addc(out, '0');
    }
}

static double count_of(const kn_rule *rule, uint64_t records)
{
    return round(rule->support * (double)records);
}

kn_status kn__model_csv(const kn_model *m, kn_buffer *out, kn_error *err)
{
    const kn_rules *r = &m->rules;
    uint32_t *hidden;
    kn_buffer cell = {0};

    if (m->kind != KN_MODEL_RULES) {
        return kn__fail(err, KN_EUSAGE, "CSV is for lists of rules; JSON or PMML would do");
    }
    hidden = kn__malloc_array(r->items->len, sizeof *hidden);
    KN_PASS(hidden ? KN_OK : kn__nomem(err));
    kn__buffer_adds(out, "left,right,support,confidence,lift,count,private\n");
    for (size_t i = 0; i < r->count; i++) {
        const kn_rule *rule = &r->rule[i];
        size_t count = 0;
        for (size_t j = 0; j < rule->left_count + rule->right_count; j++) {
            const uint32_t item = j < rule->left_count ? rule->left[j]
                                                       : rule->right[j - rule->left_count];
            if (r->hidden && r->hidden[item]) {
                hidden[count++] = item;
            }
        }
        add_cell(out, &cell, r, rule->left, rule->left_count);
        kn__buffer_addc(out, ',');
        add_cell(out, &cell, r, rule->right, rule->right_count);
        /* A figure that was read rounded keeps its digits; a support is exact if the number of
         * records is known. */
        add_share(out, r->records ? count_of(rule, r->records) / (double)r->records : rule->support,
                  r->records);
        add_share(out, rule->confidence, rule->confidence_within > 0 ? 0 : r->records);
        add_figure(out, rule->lift > 0 ? rule->lift : NAN);
        add_figure(out, r->records ? count_of(rule, r->records) : NAN);
        kn__buffer_addc(out, ',');
        add_cell(out, &cell, r, hidden, count);
        kn__buffer_addc(out, '\n');
    }
    kn__free(hidden);
    kn__buffer_free(&cell);
    return out->failed ? kn__nomem(err) : KN_OK;
}
