/* number.c - numbers as models write them, and what their digits say. */
#include "data/value.h"
#include "models/format/formats.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

void kn__model_number(kn_buffer *out, double value)
{
    char text[40], *comma;
    unsigned decimals;
    double read;

    if (value == floor(value) && fabs(value) < 1e15) {
        kn__buffer_addf(out, "%.0f", value == 0 ? 0.0 : value);
        return;
    }
    for (int digits = 1; digits <= 17; digits++) {
        (void)snprintf(text, sizeof text, "%.*g", digits, value);
        comma = strchr(text, ','); /* what the locale of the process may say */
        if (comma) {
            *comma = '.';
        }
        if (kn__number_parse(text, strlen(text), &read, &decimals) && read == value) {
            break;
        }
    }
    kn__buffer_adds(out, text);
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
