/* formula.c - cells that a spreadsheet would take for a formula. */
#include "io/format/formula.h"

#include <string.h>

/* A sign, then digits with points or commas among them. */
static bool is_plain_number(const char *text, size_t len)
{
    bool digit = false;

    for (size_t i = 1; i < len; i++) {
        if (text[i] >= '0' && text[i] <= '9') {
            digit = true;
        } else if (text[i] != '.' && text[i] != ',') {
            return false;
        }
    }
    return digit && (text[0] == '-' || text[0] == '+');
}

bool kn__is_formula(const char *text, size_t len)
{
    while (len && *text == '\'') {
        text++;
        len--;
    }
    return len && *text && strchr("=+-@\t\r", *text) && !is_plain_number(text, len);
}
