/* data/value.h - numbers and dates as text: exact reading, exact writing. No locale. */
#ifndef KN_DATA_VALUE_H
#define KN_DATA_VALUE_H

#include "base/buffer.h"
#include <stdbool.h>
#include <stddef.h>

/** Read all of `text` as a number: optional sign, digits, optional point and digits, optional
 * exponent. Sets `*decimals` to the digits written after the point (0 with an exponent). No NaN,
 * infinity, hexadecimal or spaces. */
bool kn__number_parse(const char *text, size_t len, double *value, unsigned *decimals);
/** Append a key that is equal for all spellings of one number (`0.1`, `.10`, `1e-1`) and differs
 * for different numbers, exactly. `text` is what kn__number_parse accepts. */
void kn__number_key(kn_buffer *out, const char *text, size_t len);
/** Append the number in `text` as people write it: `0.1` for `1e-1`, `5` for `+5`. A text that is
 *  so already, or would become longer than 40 characters, is appended as it is. */
void kn__number_spell(kn_buffer *out, const char *text, size_t len);

/** Whether spelling `a` is to be preferred to `b` of the same number: plain ones go before others,
 *  then the shorter one. */
bool kn__number_is_plainer(const char *a, size_t a_len, const char *b, size_t b_len);

/** Write `value` with `decimals` decimals ("40000", "12.50"). */
void kn__number_format(kn_buffer *out, double value, unsigned decimals);
/** Write the shortest text that is read as `value` again, or, if `single`, as a float that equals
 * it: "40000", "12.5", "1e-07". Returns its length; `cap` must be at least 40. */
size_t kn__number_shortest(char *out, size_t cap, double value, bool single);

/** Read all of `text` as a date YYYY-MM-DD (proleptic Gregorian, real days only), as days since
 * 1970-01-01. */
bool kn__date_parse(const char *text, size_t len, double *days);
void kn__date_format(kn_buffer *out, double days);
/** Split days into year, month 1..12, day 1..31, and back. */
void kn__date_split(double days, int *year, int *month, int *day);
double kn__date_join(int year, int month, int day);

/** The characters of UTF-8 text. */
size_t kn__utf8_length(const char *text, size_t len);
/** Bytes that follow the first one of a character in UTF-8, by that one alone. */
static inline size_t kn__utf8_more(unsigned char first)
{
    if (first < 0xC0) {
        return 0;
    }
    if (first < 0xE0) {
        return 1;
    }
    return first < 0xF0 ? 2 : 3;
}
/** Whether it is digits and nothing else, at least one. */
bool kn__all_digits(const char *text, size_t len);
/** Whether `text` is valid UTF-8 without NUL bytes; if not, `*bad` (may be NULL) is the offset of
 * the first bad byte. */
bool kn__utf8_valid(const char *text, size_t len, size_t *bad);

/** `len` bytes as a NUL-terminated string of valid UTF-8 without control characters. NULL when out
 * of memory; free with kn__free. */
char *kn__clean(const char *text, size_t len);

#endif
