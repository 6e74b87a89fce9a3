/* sweep_text.c - the table that the command prints after a sweep. */
#include "base/error.h"
#include "base/memory.h"
#include "report/sweep.h"

#include <math.h>
#include <string.h>

enum { COLUMNS = 12, WARNINGS = 10 };

/* Cells row by row, the heading first. */
typedef struct table {
    kn_buffer *cell;
    size_t columns, cells;
} table;

static kn_buffer *next(table *t)
{
    return &t->cell[t->cells++];
}

static size_t width_of(const kn_buffer *b)
{
    size_t width = 0;

    for (size_t i = 0; i < b->len; i++) {
        width += ((unsigned char)b->data[i] & 0xc0) != 0x80;
    }
    return width;
}

static void put(kn_buffer *b, const table *t)
{
    size_t width[COLUMNS] = {0};

    for (size_t i = 0; i < t->cells; i++) {
        const size_t w = width_of(&t->cell[i]);
        width[i % t->columns] = w > width[i % t->columns] ? w : width[i % t->columns];
    }
    for (size_t i = 0; i < t->cells; i++) {
        const size_t column = i % t->columns, w = width_of(&t->cell[i]);
        const bool words = column == 1; /* whether it holds; numbers stand on the right */
        kn_buffer_adds(b, column ? "  " : "");
        kn_buffer_addf(b, "%*s", (int)(words ? 0 : width[column] - w), "");
        kn_buffer_adds(b, t->cell[i].data ? t->cell[i].data : "");
        kn_buffer_addf(b, "%*s", (int)(words ? width[column] - w : 0), "");
        if (column + 1 == t->columns) {
            kn_buffer_addc(b, '\n');
        }
        b->failed |= t->cell[i].failed;
    }
}

static void fill(table *t, const kn_sweep *s)
{
    const kn_sweep_measure *m;

    kn_buffer_adds(next(t), s->parameter);
    kn_buffer_adds(next(t), "holds");
    kn_buffer_adds(next(t), "achieved");
    for (size_t i = 0; (m = kn__sweep_measure(s, i)); i++) {
        kn_buffer_adds(next(t), m->heading);
    }
    kn_buffer_adds(next(t), "suppressed");
    kn_buffer_adds(next(t), "seconds");
    t->columns = t->cells;
    for (size_t r = 0; r < s->count; r++) {
        const kn_report *report = s->rows[r].report;
        kn_buffer_adds(next(t), s->rows[r].value);
        kn_buffer_adds(next(t), !report ? "infeasible" : report->satisfied ? "yes" : "NO");
        if (report) {
            kn__say_sweep_achieved(next(t), report);
        } else {
            kn_buffer_adds(next(t), "-");
        }
        for (size_t i = 0; (m = kn__sweep_measure(s, i)); i++) {
            const double value = kn__sweep_value(s, r, m->name);
            if (isfinite(value)) {
                kn__say_measure(next(t), value);
            } else {
                kn_buffer_adds(next(t), "-");
            }
        }
        if (report) {
            kn__say_count(next(t), report->suppressed);
        } else {
            kn_buffer_adds(next(t), "-");
        }
        kn__say_number(next(t), s->rows[r].seconds, 3);
    }
}

static void reasons(kn_buffer *b, const kn_sweep *s)
{
    bool any = false;

    for (size_t i = 0; i < s->count; i++) {
        if (s->rows[i].reason) {
            kn_buffer_adds(b, any ? "" : "\n");
            kn_buffer_addf(b, "%s = %s: ", s->parameter, s->rows[i].value);
            kn_buffer_adds(b, s->rows[i].reason);
            kn_buffer_addc(b, '\n');
            any = true;
        }
    }
}

static void warnings(kn_buffer *b, const kn_sweep *s)
{
    size_t count = 0;
    kn_buffer words = {0};

    while (kn__say_sweep_warning(&words, s, count)) {
        if (count < WARNINGS) {
            kn_buffer_adds(b, count ? "" : "\n");
            kn_buffer_adds(b, "warning: ");
            kn_buffer_adds(b, words.data && !words.failed ? words.data : "");
            kn_buffer_addc(b, '\n');
        }
        words.len = 0;
        count++;
    }
    if (count > WARNINGS) {
        kn_buffer_addf(b, "and %zu more warnings, which a report (--report) lists\n",
                       count - WARNINGS);
    }
    b->failed |= words.failed;
    kn_buffer_free(&words);
}

kn_status kn_sweep_text(const kn_sweep *s, char **out, kn_error *err)
{
    kn_buffer b = {0};
    table t = {.cell = kn_zalloc_array((s->count + 1) * COLUMNS, sizeof *t.cell)};

    *out = NULL;
    if (!t.cell) {
        return kn_nomem(err);
    }
    kn__say_sweep(&b, s);
    kn_buffer_adds(&b, " (method ");
    kn_buffer_adds(&b, s->method);
    kn_buffer_adds(&b, ", ");
    kn__say_things(&b, s->input.rows, "record", "records");
    kn_buffer_adds(&b, ").\n\n");
    fill(&t, s);
    put(&b, &t);
    reasons(&b, s);
    warnings(&b, s);
    if (s->released && kn_sweep_worked(s)) {
        kn_buffer_addc(&b, '\n');
        for (size_t i = 0; i < s->count; i++) {
            const kn_report *report = s->rows[i].report;
            if (report && report->output.path) {
                kn_buffer_adds(&b, "release: ");
                kn_buffer_adds(&b, report->output.path);
                kn_buffer_addc(&b, '\n');
            }
        }
        if (kn_sweep_worked(s) > 1) {
            kn_buffer_addf(&b, "warning: %s\n", kn__sweep_one_only);
        }
    }
    for (size_t i = 0; i < t.cells; i++) {
        kn_buffer_free(&t.cell[i]);
    }
    kn_free(t.cell);
    return kn_buffer_take(&b, out, err);
}
