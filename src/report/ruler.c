/* ruler.c - slots of equal width over an ordered column, with round edges. */
#include "report/ruler.h"
#include "data/value.h"

#include <float.h>
#include <math.h>

static double unit(const kn_ruler *u, double value)
{
    int year, month, day;

    if (!u->months) {
        return value;
    }
    kn__date_split(value, &year, &month, &day);
    return (double)year * 12 + month - 1;
}

static double round_step(double rough)
{
    const double power = pow(10, floor(log10(rough)));

    if (rough <= power) {
        return power;
    }
    if (rough <= 2 * power) {
        return 2 * power;
    }
    return power * (rough <= 5 * power ? 5 : 10);
}

static double month_step(double months)
{
    static const double steps[] = {1, 3, 6, 12, 24, 60, 120, 240, 600};

    for (size_t i = 0; i < sizeof steps / sizeof *steps; i++) {
        if (months / steps[i] <= KN_REPORT_BARS - 2) {
            return steps[i];
        }
    }
    return 1200 * ceil(months / (1200 * (KN_REPORT_BARS - 2)));
}

/* Steps below 1 are not exact, so 0.6 / 0.2 may fall short of 3: what is within rounding of an edge
 * is on it. */
static double step_number(const kn_ruler *u, double x)
{
    const double at = x / u->step, near = round(at);

    return fabs(at - near) <= 4 * DBL_EPSILON * fmax(1, fabs(at)) ? near : floor(at);
}

size_t kn__ruler_slot(const kn_ruler *u, double value)
{
    const double at = step_number(u, unit(u, value)) - u->first;

    if (!(at > 0)) {
        return 0;
    }
    return at >= (double)u->slots ? u->slots - 1 : (size_t)at;
}

/* The ruler spans the middle 98 % of the records: the least and the greatest value belong to single
 * people, so neither is used as an end, and one rich person does not squeeze all others into one
 * bar. */
void kn__ruler_lay(kn_ruler *u, const kn_column *c, const size_t *counts, size_t records)
{
    const uint32_t values = kn__column_values(c);
    double low = 0, high = 0;
    size_t seen = 0;
    bool started = false;

    for (uint32_t v = 0; v < values; v++) {
        if (v == c->missing) {
            continue;
        }
        seen += counts[v];
        if (!started && seen * 100 >= records) {
            low = c->numbers[v];
            started = true;
        }
        high = c->numbers[v];
        if (seen >= records - records / 100) {
            break;
        }
    }
    *u = (kn_ruler){.date = c->type == KN_TYPE_DATE,
                    .whole = c->type == KN_TYPE_NUMBERS ? c->decimals == 0
                                                        : c->type != KN_TYPE_DECIMAL,
                    .slots = 1};
    u->months = u->date && high - low > 60;
    low = unit(u, low);
    high = unit(u, high);
    if (u->months) {
        u->step = month_step(high - low);
    } else {
        u->step = high > low ? round_step((high - low) / (KN_REPORT_BARS - 4)) : 1;
        u->step = u->whole && u->step < 1 ? 1 : u->step;
    }
    if (!(u->step > 1e-12 && u->step < 1e18) || fabs(low) > 1e18) {
        u->step = INFINITY; /* no ruler fits: one bar */
        return;
    }
    if (!u->whole && u->step < 1) {
        u->decimals = (unsigned)ceil(-log10(u->step) - 1e-9);
    }
    u->first = step_number(u, low);
    u->slots = (size_t)(step_number(u, high) - u->first) + 1;
    u->slots = u->slots > KN_REPORT_BARS ? KN_REPORT_BARS : u->slots;
}

static void say_edge(kn_buffer *b, const kn_ruler *u, size_t at, bool last_inside)
{
    double edge = (u->first + (double)at) * u->step;

    if (u->months) {
        const double year = floor(edge / 12);
        edge = kn__date_join((int)year, (int)(edge - year * 12) + 1, 1);
    }
    edge -= last_inside ? 1 : 0;
    if (u->date) {
        kn__date_format(b, edge);
    } else {
        kn__number_format(b, edge, u->decimals);
    }
}

double kn__ruler_share(const kn_ruler *u, size_t at, double low, double high)
{
    const double from = unit(u, low), to = unit(u, high) + (u->whole ? 1 : 0);
    const double lower = at == 0 ? -INFINITY : (u->first + (double)at) * u->step;
    const double upper = at + 1 == u->slots ? INFINITY : (u->first + (double)at + 1) * u->step;

    if (!(to > from)) {
        return kn__ruler_slot(u, low) == at ? 1 : 0;
    }
    return fmax(0, fmin(to, upper) - fmax(from, lower)) / (to - from);
}

kn_status kn__ruler_label(char **out, const kn_ruler *u, size_t begin, size_t end, kn_error *err)
{
    kn_buffer b = {0};

    if (begin == 0 && end == u->slots) {
        kn__buffer_adds(&b, "all values");
    } else if (begin == 0) {
        kn__buffer_adds(&b, u->date ? "before " : "below ");
        say_edge(&b, u, end, false);
    } else if (end == u->slots) {
        say_edge(&b, u, begin, false);
        kn__buffer_adds(&b, u->date ? " or later" : " or more");
    } else if (u->whole && u->step == 1 && end == begin + 1 && !u->months) {
        say_edge(&b, u, begin, false);
    } else {
        say_edge(&b, u, begin, false);
        kn__buffer_adds(&b, u->whole ? " to " : " to under ");
        say_edge(&b, u, end, u->whole);
    }
    return kn__buffer_take(&b, out, err);
}
