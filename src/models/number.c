/* number.c - numbers as models write them. */
#include "data/value.h"
#include "models/formats.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

void kn_model_number(kn_buffer *out, double value)
{
    char text[40], *comma;
    unsigned decimals;
    double read;

    if (value == floor(value) && fabs(value) < 1e15) {
        kn_buffer_addf(out, "%.0f", value == 0 ? 0.0 : value);
        return;
    }
    for (int digits = 1; digits <= 17; digits++) {
        (void)snprintf(text, sizeof text, "%.*g", digits, value);
        comma = strchr(text, ','); /* what the locale of the process may say */
        if (comma) {
            *comma = '.';
        }
        if (kn_number_parse(text, strlen(text), &read, &decimals) && read == value) {
            break;
        }
    }
    kn_buffer_adds(out, text);
}
