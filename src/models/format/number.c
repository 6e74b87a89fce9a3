/* number.c - numbers as models write them, and what their digits say. */
#include "data/value.h"
#include "models/format/formats.h"

#include <math.h>

void kn__model_number(kn_buffer *out, double value)
{
    char text[40];

    kn__buffer_add(out, text, kn__number_shortest(text, sizeof text, value, false));
}

kn_digits kn__digits_of(const char *text, size_t len)
{
    kn_digits d = {0};
    int exponent = 0;
    bool point = false, minus = false;
    size_t i = 0;

    for (; i < len && text[i] != 'e' && text[i] != 'E'; i++) {
        if (text[i] == '.') {
            point = true;
        } else if (text[i] >= '0' && text[i] <= '9') {
            d.significant += d.significant > 0 || text[i] != '0';
            d.decimals += point;
        }
    }
    for (i++; i < len && exponent < 10000; i++) {
        minus = minus || text[i] == '-';
        exponent = text[i] >= '0' && text[i] <= '9' ? exponent * 10 + (text[i] - '0') : exponent;
    }
    d.decimals += minus ? exponent : -exponent;
    return d;
}

double kn__digits_within(kn_digits figure, kn_digits most)
{
    const int as_significant = figure.decimals + most.significant - figure.significant;
    const bool zero = figure.significant == 0;
    const int places = zero || most.decimals < as_significant ? most.decimals : as_significant;

    return 0.5 * pow(10, -places);
}
