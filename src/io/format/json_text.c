/* json_text.c - a strict reader of flat JSON objects (RFC 8259), and the writing of strings. */
#include "io/format/json_text.h"

#include <stdint.h>
#include <string.h>

static bool fail(kn_json *j, const char *wrong)
{
    j->wrong = wrong;
    return false;
}

static void skip_blanks(kn_json *j)
{
    while (j->at < j->end &&
           (j->text[j->at] == ' ' || j->text[j->at] == '\t' || j->text[j->at] == '\r')) {
        j->at++;
    }
}

static bool take(kn_json *j, char wanted)
{
    if (j->at < j->end && j->text[j->at] == wanted) {
        j->at++;
        return true;
    }
    return false;
}

static int hex(char x)
{
    if (x >= '0' && x <= '9') {
        return x - '0';
    }
    if (x >= 'a' && x <= 'f') {
        return x - 'a' + 10;
    }
    return x >= 'A' && x <= 'F' ? x - 'A' + 10 : -1;
}

/* The four hexadecimal digits at `text`, or -1. */
static long hex4(const char *text, size_t len)
{
    long value = 0;

    for (size_t i = 0; i < 4; i++) {
        const int digit = i < len ? hex(text[i]) : -1;
        if (digit < 0) {
            return -1;
        }
        value = value * 16 + digit;
    }
    return value;
}

static bool is_high(long unit)
{
    return unit >= 0xd800 && unit <= 0xdbff;
}

static bool is_low(long unit)
{
    return unit >= 0xdc00 && unit <= 0xdfff;
}

/* After a backslash. */
static bool escape(kn_json *j)
{
    long unit;

    if (j->at < j->end && j->text[j->at] && strchr("\"\\/bfnrt", j->text[j->at])) {
        j->at++;
        return true;
    }
    if (!take(j, 'u')) {
        return fail(
            j,
            "no such escape: \\\" \\\\ \\/ \\b \\f \\n \\r \\t and \\u with four hexadecimal digits are known");
    }
    unit = hex4(j->text + j->at, j->end - j->at);
    if (unit < 0) {
        return fail(j, "\\u needs four hexadecimal digits");
    }
    if (unit == 0) {
        return fail(j, "\\u0000 stands for a NUL, which no value may hold");
    }
    j->at += 4;
    if (is_low(unit)) {
        return fail(j, "half of a character: \\uDC00 to \\uDFFF follow \\uD800 to \\uDBFF");
    }
    if (is_high(unit)) {
        if (!take(j, '\\') || !take(j, 'u') || !is_low(hex4(j->text + j->at, j->end - j->at))) {
            return fail(j,
                        "half of a character: \\uDC00 to \\uDFFF must follow \\uD800 to \\uDBFF");
        }
        j->at += 4;
    }
    return true;
}

static bool string(kn_json *j, kn_json_span *span)
{
    *span = (kn_json_span){KN_JSON_STRING, j->at, 0};
    if (!take(j, '"')) {
        return fail(j, "a string in quotes is expected");
    }
    while (j->at < j->end) {
        const char x = j->text[j->at];
        if (x == '"') {
            j->at++;
            span->end = j->at;
            return true;
        }
        if ((unsigned char)x < 0x20) {
            return fail(j,
                        "a control character inside a string: write it as an escape, such as \\t");
        }
        j->at++;
        if (x == '\\' && !escape(j)) {
            return false;
        }
    }
    j->at = span->begin;
    return fail(j, "the string that begins here is not closed on this line");
}

static size_t digits(const kn_json *j, size_t at)
{
    while (at < j->end && j->text[at] >= '0' && j->text[at] <= '9') {
        at++;
    }
    return at;
}

static bool number(kn_json *j, kn_json_span *span)
{
    size_t at = j->at, begin;

    *span = (kn_json_span){KN_JSON_NUMBER, j->at, 0};
    at += at < j->end && j->text[at] == '-';
    begin = at;
    at = digits(j, at);
    if (at == begin || (at - begin > 1 && j->text[begin] == '0')) {
        return fail(j, at == begin ? "a value is expected"
                                   : "a number does not begin with 0: put codes in quotes");
    }
    if (at < j->end && j->text[at] == '.') {
        begin = ++at;
        at = digits(j, at);
        if (at == begin) {
            return fail(j, "digits are expected after the point of this number");
        }
    }
    if (at < j->end && (j->text[at] == 'e' || j->text[at] == 'E')) {
        at++;
        at += at < j->end && (j->text[at] == '+' || j->text[at] == '-');
        begin = at;
        at = digits(j, at);
        if (at == begin) {
            return fail(j, "digits are expected in the exponent of this number");
        }
    }
    j->at = span->end = at;
    return true;
}

static bool word(kn_json *j, const char *expected, kn_json_kind kind, kn_json_span *span)
{
    const size_t len = strlen(expected);

    if (j->end - j->at < len || memcmp(j->text + j->at, expected, len) != 0) {
        return fail(j, "a value is expected: a string in quotes, a number, true, false, null or a "
                       "list");
    }
    *span = (kn_json_span){kind, j->at, j->at + len};
    j->at += len;
    return true;
}

static bool scalar(kn_json *j, kn_json_span *span)
{
    if (j->at == j->end) {
        return fail(j, "the record breaks off: a record stands on one line");
    }
    switch (j->text[j->at]) {
    case '"': return string(j, span);
    case 't': return word(j, "true", KN_JSON_BOOLEAN, span);
    case 'f': return word(j, "false", KN_JSON_BOOLEAN, span);
    case 'n': return word(j, "null", KN_JSON_NULL, span);
    case '{': return fail(j, "an object inside the record: kanon reads flat records");
    case '[': return fail(j, "a list inside a list: kanon reads flat records");
    default: return number(j, span);
    }
}

static bool list(kn_json *j, kn_json_span *span)
{
    kn_json_span element;

    *span = (kn_json_span){KN_JSON_LIST, j->at, 0};
    j->at++;
    skip_blanks(j);
    if (!take(j, ']')) {
        do {
            skip_blanks(j);
            if (!scalar(j, &element)) {
                return false;
            }
            if (element.kind != KN_JSON_STRING && element.kind != KN_JSON_NUMBER) {
                j->at = element.begin;
                return fail(j, "a list holds strings and numbers only");
            }
            skip_blanks(j);
        } while (take(j, ','));
        if (!take(j, ']')) {
            return fail(j, "',' or ']' is expected in the list");
        }
    }
    span->end = j->at;
    return true;
}

bool kn__json_open(kn_json *j)
{
    skip_blanks(j);
    return take(j, '{') || fail(j, "a record is expected: {\"name\": value, ...}, one on a line");
}

bool kn__json_pair(kn_json *j, bool first, bool *more, kn_json_span *key, kn_json_span *value)
{
    *more = false;
    skip_blanks(j);
    if (take(j, '}')) {
        skip_blanks(j);
        return j->at == j->end || fail(j, "text follows the record: one record on a line");
    }
    if (!first && !take(j, ',')) {
        return fail(j, j->at == j->end ? "the record breaks off: a record stands on one line"
                                       : "',' or '}' is expected");
    }
    skip_blanks(j);
    if (!string(j, key)) {
        return false;
    }
    skip_blanks(j);
    if (!take(j, ':')) {
        return fail(j, "':' is expected after a name");
    }
    skip_blanks(j);
    *more = true;
    return j->at < j->end && j->text[j->at] == '[' ? list(j, value) : scalar(j, value);
}

bool kn__json_element(const char *text, size_t *at, kn_json_span *element)
{
    kn_json j = {.text = text, .at = *at + 1, .end = SIZE_MAX};

    /* At the list's bracket, or at the comma after the element before. The list was checked when
     * its span was made. */
    skip_blanks(&j);
    if (text[j.at] == ']' || !scalar(&j, element)) {
        return false;
    }
    skip_blanks(&j);
    /* The next call steps over one byte: stop before ']', or at ','. */
    *at = text[j.at] == ']' ? j.at - 1 : j.at;
    return true;
}

static void add_character(kn_buffer *out, uint32_t c)
{
    if (c < 0x80) {
        kn__buffer_addc(out, (char)c);
    } else if (c < 0x800) {
        kn__buffer_addc(out, (char)(0xc0 | c >> 6));
        kn__buffer_addc(out, (char)(0x80 | (c & 0x3f)));
    } else if (c < 0x10000) {
        kn__buffer_addc(out, (char)(0xe0 | c >> 12));
        kn__buffer_addc(out, (char)(0x80 | (c >> 6 & 0x3f)));
        kn__buffer_addc(out, (char)(0x80 | (c & 0x3f)));
    } else {
        kn__buffer_addc(out, (char)(0xf0 | c >> 18));
        kn__buffer_addc(out, (char)(0x80 | (c >> 12 & 0x3f)));
        kn__buffer_addc(out, (char)(0x80 | (c >> 6 & 0x3f)));
        kn__buffer_addc(out, (char)(0x80 | (c & 0x3f)));
    }
}

/* The escape at text[at], after the backslash; returns how long it is. */
static size_t add_escape(kn_buffer *out, const char *text)
{
    static const char from[] = "\"\\/bfnrt", to[] = "\"\\/\b\f\n\r\t";
    long unit;

    if (text[0] != 'u') {
        kn__buffer_addc(out, to[strchr(from, text[0]) - from]);
        return 1;
    }
    unit = hex4(text + 1, 4);
    if (is_high(unit)) {
        const long low = hex4(text + 7, 4);
        add_character(out, (uint32_t)(0x10000 + ((unit - 0xd800) << 10) + (low - 0xdc00)));
        return 11;
    }
    add_character(out, (uint32_t)unit);
    return 5;
}

const char *kn__json_value(const char *text, const kn_json_span *span, kn_buffer *scratch,
                           size_t *len)
{
    const char *at, *end, *backslash;

    if (span->kind != KN_JSON_STRING) {
        *len = span->end - span->begin;
        return text + span->begin;
    }
    at = text + span->begin + 1;
    end = text + span->end - 1;
    *len = (size_t)(end - at);
    backslash = memchr(at, '\\', *len);
    if (!backslash) {
        return at;
    }
    scratch->len = 0;
    while (backslash) {
        kn__buffer_add(scratch, at, (size_t)(backslash - at));
        at = backslash + 1;
        at += add_escape(scratch, at);
        backslash = memchr(at, '\\', (size_t)(end - at));
    }
    kn__buffer_add(scratch, at, (size_t)(end - at));
    *len = scratch->len;
    return scratch->failed ? NULL : scratch->data;
}

bool kn__json_scalar(kn_json *j, kn_json_span *span)
{
    return scalar(j, span);
}

bool kn__json_is_number(const char *text, size_t len)
{
    kn_json j = {.text = text, .end = len};
    kn_json_span span;

    return number(&j, &span) && j.at == len;
}

void kn__json_quote(kn_buffer *out, const char *text, size_t len)
{
    static const char *const brief[0x20] = {['\n'] = "\\n", ['\r'] = "\\r", ['\t'] = "\\t"};
    size_t begin = 0;

    kn__buffer_addc(out, '"');
    for (size_t i = 0; i < len; i++) {
        const unsigned char x = (unsigned char)text[i];
        if (x >= 0x20 && x != '"' && x != '\\') {
            continue;
        }
        kn__buffer_add(out, text + begin, i - begin);
        begin = i + 1;
        if (x >= 0x20) {
            kn__buffer_addc(out, '\\');
            kn__buffer_addc(out, (char)x);
        } else if (brief[x]) {
            kn__buffer_adds(out, brief[x]);
        } else {
            kn__buffer_addf(out, "\\u%04x", x);
        }
    }
    kn__buffer_add(out, text + begin, len - begin);
    kn__buffer_addc(out, '"');
}
