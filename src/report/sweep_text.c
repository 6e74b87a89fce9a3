/* sweep_text.c - the table that the command prints after a sweep. */
#include "base/args.h"
#include "base/error.h"
#include "base/memory.h"
#include "report/sweep.h"

#include <math.h>
#include <string.h>

enum { COLUMNS = 20, WARNINGS = 10 };

/* Cells row by row, the heading first. */
typedef struct table {
    kn_buffer *cell;
    size_t columns, cells;
    size_t holds; /* the column of words; numbers stand on the right */
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
        const bool words = column == t->holds;
        kn__buffer_adds(b, column ? "  " : "");
        kn__buffer_addf(b, "%*s", (int)(words ? 0 : width[column] - w), "");
        kn__buffer_adds(b, t->cell[i].data ? t->cell[i].data : "");
        kn__buffer_addf(b, "%*s", (int)(words ? width[column] - w : 0), "");
        if (column + 1 == t->columns) {
            while (b->len && b->data[b->len - 1] == ' ') {
                b->len--;
            }
            kn__buffer_addc(b, '\n');
        }
        b->failed |= t->cell[i].failed;
    }
}

static void say_state(kn_buffer *b, const kn_report *r)
{
    if (!r) {
        kn__buffer_adds(b, "infeasible");
        return;
    }
    kn__buffer_adds(b, r->satisfied ? "yes" : "NO");
    if (kn_points_state(r->points) == KN_STATE_POINTS) {
        kn__buffer_adds(b, ", ");
        kn__say_things(b, kn_points_open(r->points), "point", "points");
    }
}

static void fill(table *t, const kn_sweep *s)
{
    const bool several = s->parameters_count > 1;
    const kn_sweep_measure *m;

    for (size_t a = 0; a < s->parameters_count; a++) {
        kn__buffer_adds(next(t), s->parameters[a]);
    }
    t->holds = t->cells;
    kn__buffer_adds(next(t), "holds");
    kn__buffer_adds(next(t), "achieved");
    for (size_t i = 0; (m = kn__sweep_measure(s, i)); i++) {
        kn__buffer_adds(next(t), m->heading);
    }
    kn__buffer_adds(next(t), "suppressed");
    kn__buffer_adds(next(t), "seconds");
    if (several) {
        kn__buffer_adds(next(t), "risk");
        kn__buffer_adds(next(t), "best");
    }
    t->columns = t->cells;
    for (size_t r = 0; r < s->count; r++) {
        const kn_report *report = s->rows[r].report;
        for (size_t a = 0; a < s->parameters_count; a++) {
            kn__buffer_adds(next(t), s->rows[r].values[a]);
        }
        say_state(next(t), report);
        if (report) {
            kn__say_sweep_achieved(next(t), report);
        } else {
            kn__buffer_adds(next(t), "-");
        }
        for (size_t i = 0; (m = kn__sweep_measure(s, i)); i++) {
            const double value = kn__sweep_value(s, r, m->name);
            if (isfinite(value)) {
                kn__say_measure(next(t), value);
            } else {
                kn__buffer_adds(next(t), "-");
            }
        }
        if (report) {
            kn__say_count(next(t), report->suppressed);
        } else {
            kn__buffer_adds(next(t), "-");
        }
        kn__say_number(next(t), s->rows[r].seconds, 3);
        if (several && isfinite(kn__sweep_risk(s, r))) {
            kn__say_share(next(t), kn__sweep_risk(s, r));
        } else if (several) {
            kn__buffer_adds(next(t), "-");
        }
        if (several) {
            kn__buffer_adds(next(t), kn__sweep_is_best(s, r) ? "*" : "");
        }
    }
}

static void reasons(kn_buffer *b, const kn_sweep *s)
{
    bool any = false;

    for (size_t i = 0; i < s->count; i++) {
        if (s->rows[i].reason) {
            kn__buffer_adds(b, any ? "" : "\n");
            kn__say_sweep_run(b, s, i);
            kn__buffer_adds(b, ": ");
            kn__buffer_adds(b, s->rows[i].reason);
            kn__buffer_addc(b, '\n');
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
            kn__buffer_adds(b, count ? "" : "\n");
            kn__buffer_adds(b, "warning: ");
            kn__buffer_adds(b, words.data && !words.failed ? words.data : "");
            kn__buffer_addc(b, '\n');
        }
        words.len = 0;
        count++;
    }
    if (count > WARNINGS) {
        kn__buffer_addf(b, "and %zu more warnings, which a report (--report) lists\n",
                        count - WARNINGS);
    }
    b->failed |= words.failed;
    kn__buffer_free(&words);
}

kn_status kn_sweep_text(char **out, const kn_sweep *s, kn_error *err)
{
    KN_NEED_OUT(err, out);
    KN_NEED(err, s);

    kn_buffer b = {0};
    table t = {.cell = kn__zalloc_array((s->count + 1) * COLUMNS, sizeof *t.cell)};

    KN_PASS(t.cell ? KN_OK : kn__nomem(err));
    kn__say_sweep(&b, s);
    kn__buffer_adds(&b, " (");
    if (!kn__sweep_sweeps(s, "method")) {
        kn__buffer_addf(&b, "method %s, ", s->method);
    }
    kn__say_things(&b, s->input.rows, "record", "records");
    kn__buffer_adds(&b, ").\n\n");
    fill(&t, s);
    put(&b, &t);
    if (s->parameters_count > 1) {
        kn__buffer_adds(&b, "\nbest (*): no other row has less loss without more risk\n");
    }
    reasons(&b, s);
    warnings(&b, s);
    if (s->released && kn_sweep_worked(s)) {
        kn__buffer_addc(&b, '\n');
        for (size_t i = 0; i < s->count; i++) {
            const kn_report *report = s->rows[i].report;
            if (report && report->output.path) {
                kn__buffer_adds(&b, "release: ");
                kn__buffer_adds(&b, report->output.path);
                kn__buffer_addc(&b, '\n');
            }
        }
        if (kn_sweep_worked(s) > 1) {
            kn__buffer_addf(&b, "warning: %s\n", kn__sweep_one_only);
        }
    }
    for (size_t i = 0; i < t.cells; i++) {
        kn__buffer_free(&t.cell[i]);
    }
    kn__free(t.cell);
    return kn__buffer_take(&b, out, err);
}
