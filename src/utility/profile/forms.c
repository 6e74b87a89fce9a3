/* forms.c - tests of one value: does it have the form of an e-mail address, a phone number, ...?
 * What has check digits is checked. */
#include "data/value_form.h"
#include "utility/profile/detectors.h"

#include <stdint.h>
#include <string.h>

static bool is_digit(char c)
{
    return c >= '0' && c <= '9';
}

static bool is_capital(char c)
{
    return c >= 'A' && c <= 'Z';
}

/* Letters beyond ASCII count as small ones. */
static bool is_small(char c)
{
    return (c >= 'a' && c <= 'z') || (unsigned char)c >= 0x80;
}

static bool is_letter(char c)
{
    return is_small(c) || is_capital(c);
}

static bool is_hex(char c)
{
    return is_digit(c) || (c >= 'a' && c <= 'f') || (c >= 'A' && c <= 'F');
}

static size_t count_digits(const char *text, size_t len)
{
    size_t count = 0;

    for (size_t i = 0; i < len; i++) {
        count += is_digit(text[i]);
    }
    return count;
}

/* Whether `mark` stands for `c`: 9 is a digit, A a capital, x either, everything else itself. */
static bool has_mark(char c, char mark)
{
    switch (mark) {
    case '9': return is_digit(c);
    case 'A': return is_capital(c);
    case 'x': return is_digit(c) || is_capital(c);
    default: return c == mark;
    }
}

/* Whether `text` has the form `mask`; small letters are taken as capitals. */
static bool has_form(const char *text, size_t len, const char *mask)
{
    if (strlen(mask) != len) {
        return false;
    }
    for (size_t i = 0; i < len; i++) {
        const char c = (char)(text[i] >= 'a' && text[i] <= 'z' ? text[i] - 'a' + 'A' : text[i]);
        if (!has_mark(c, mask[i])) {
            return false;
        }
    }
    return true;
}

bool kn__is_email(const char *text, size_t len)
{
    const char *at = memchr(text, '@', len);
    size_t host, dot = 0;

    if (!at || at == text || memchr(at + 1, '@', len - (size_t)(at - text) - 1)) {
        return false;
    }
    host = len - (size_t)(at - text) - 1;
    for (size_t i = 0; i < len; i++) {
        if (text[i] <= ' ' && (unsigned char)text[i] < 0x80) {
            return false;
        }
    }
    for (size_t i = 1; i + 3 <= host; i++) { /* something before it, two letters behind it */
        dot = at[1 + i] == '.' ? i : dot;
    }
    return dot > 0;
}

static bool begins(const char *text, size_t len, const char *with)
{
    const size_t n = strlen(with);

    for (size_t i = 0; i < n; i++) {
        if (i >= len || (is_capital(text[i]) ? text[i] - 'A' + 'a' : text[i]) != with[i]) {
            return false;
        }
    }
    return true;
}

bool kn__is_url(const char *text, size_t len)
{
    return len > 8 && !memchr(text, ' ', len) &&
           (begins(text, len, "http://") || begins(text, len, "https://") ||
            begins(text, len, "ftp://") || begins(text, len, "www."));
}

bool kn__is_uuid(const char *text, size_t len)
{
    if (len == 38 && text[0] == '{' && text[37] == '}') {
        text++;
        len -= 2;
    }
    if (len != 36) {
        return false;
    }
    for (size_t i = 0; i < len; i++) {
        const bool dash = i == 8 || i == 13 || i == 18 || i == 23;
        if (dash ? text[i] != '-' : !is_hex(text[i])) {
            return false;
        }
    }
    return true;
}

/* ISO 13616: two letters, two check digits, up to 30 letters or digits; moved and read as a number
 * it is 1 modulo 97. */
bool kn__is_iban(const char *text, size_t len)
{
    char compact[40];
    const size_t n = kn__compact_id(compact, sizeof compact, text, len);
    unsigned rest = 0;

    if (n < 15 || n > 34 || !is_capital(compact[0]) || !is_capital(compact[1]) ||
        !is_digit(compact[2]) || !is_digit(compact[3])) {
        return false;
    }
    for (size_t i = 0; i < n; i++) {
        const char c = compact[(i + 4) % n];
        if (is_digit(c)) {
            rest = (rest * 10 + (unsigned)(c - '0')) % 97;
        } else if (is_capital(c)) {
            rest = (rest * 100 + (unsigned)(c - 'A' + 10)) % 97;
        } else {
            return false;
        }
    }
    return rest == 1;
}

/* 13 to 19 digits with the check digit of ISO/IEC 7812 (Luhn). */
bool kn__is_payment_card(const char *text, size_t len)
{
    char compact[24];
    const size_t n = kn__compact_id(compact, sizeof compact, text, len);
    unsigned sum = 0;

    if (n < 13 || n > 19 || count_digits(compact, n) != n || compact[0] < '3' || compact[0] > '6') {
        return false;
    }
    for (size_t i = 0; i < n; i++) {
        const unsigned digit = (unsigned)(compact[n - 1 - i] - '0') << (i % 2);
        sum += digit > 9 ? digit - 9 : digit;
    }
    return sum % 10 == 0;
}

static bool is_ipv4(const char *text, size_t len)
{
    size_t parts = 0, i = 0;

    while (i < len) {
        int value = 0;
        const size_t begin = i;
        while (i < len && is_digit(text[i]) && i - begin < 4) {
            value = value * 10 + (text[i++] - '0');
        }
        if (i == begin || value > 255) {
            return false;
        }
        parts++;
        if (i < len && text[i++] != '.') {
            return false;
        }
    }
    return parts == 4 && text[len - 1] != '.';
}

/* IPv4, IPv6 or the address of a network card. */
bool kn__is_network_address(const char *text, size_t len)
{
    size_t colons = 0, dashes = 0;

    if (len >= 7 && len <= 15 && is_ipv4(text, len)) {
        return true;
    }
    if (len < 6 || len > 39) {
        return false;
    }
    for (size_t i = 0; i < len; i++) {
        colons += text[i] == ':';
        dashes += text[i] == '-';
        if (!is_hex(text[i]) && text[i] != ':' && text[i] != '-') {
            return false;
        }
    }
    return (len == 17 && (colons == 5 || dashes == 5)) || (colons >= 3 && dashes == 0 && len > 8);
}

/* 7 to 15 digits with signs as people write phone numbers, and with at least one that tells them
 * from other numbers: a leading +, 00 or 0, brackets, or two separators. */
bool kn__is_phone(const char *text, size_t len)
{
    const size_t digits = count_digits(text, len);
    size_t separators = 0, brackets = 0;

    if (digits < 7 || digits > 15 || kn__value_form_of(text, len) > KN_FORM_LOCAL_NUMBER) {
        return false;
    }
    for (size_t i = 0; i < len; i++) {
        const bool separator = text[i] == ' ' || text[i] == '-' || text[i] == '/' || text[i] == '.';
        separators += separator;
        brackets += text[i] == '(' || text[i] == ')';
        if (!is_digit(text[i]) && !separator && !strchr("()+x", text[i])) {
            return false;
        }
    }
    return text[0] == '+' || brackets == 2 || (separators >= 2 && separators <= 6) ||
           (text[0] == '0' && separators == 1);
}

/* A house number and words: "342 Reinger Mews", "Hauptstr. 12a". */
bool kn__is_street_address(const char *text, size_t len)
{
    size_t digits = 0, letters = 0, words = 1, first = 0, last = 0;

    while (first < len && is_digit(text[first])) {
        first++;
    }
    while (last < len &&
           (is_digit(text[len - 1 - last]) || (last < 2 && is_small(text[len - 1 - last]) &&
                                               len > last + 1 && is_digit(text[len - 2 - last])))) {
        last++;
    }
    for (size_t i = 0; i < len; i++) {
        digits += is_digit(text[i]);
        letters += is_letter(text[i]);
        words += text[i] == ' ';
        if (!is_digit(text[i]) && !is_letter(text[i]) && !strchr(" .,-'/#", text[i])) {
            return false;
        }
    }
    if (letters < 4 || digits > 9 || words < 2 || words > 8) {
        return false;
    }
    return (first >= 1 && first <= 5 && first + 2 < len && text[first] == ' ' &&
            is_letter(text[first + 1])) ||
           (last >= 1 && last <= 5 && last + 4 < len && text[len - last - 1] == ' ' &&
            is_letter(text[0]));
}

/* A number with a point: its bytes, or 0; its whole part and its decimals. */
static size_t read_degrees(const char *text, size_t len, int *whole, size_t *decimals)
{
    size_t i = len && (text[0] == '-' || text[0] == '+') ? 1 : 0;
    const size_t begin = i;

    *whole = 0;
    while (i < len && is_digit(text[i]) && i - begin < 4) {
        *whole = *whole * 10 + (text[i++] - '0');
    }
    if (i == begin || i >= len || text[i] != '.') {
        return 0;
    }
    for (*decimals = 0, i++; i < len && is_digit(text[i]); i++) {
        ++*decimals;
    }
    return i;
}

bool kn__is_coordinate_pair(const char *text, size_t len)
{
    int latitude, longitude;
    size_t decimals, more, i;

    while (len && (text[0] == '(' || text[0] == ' ')) {
        text++;
        len--;
    }
    while (len && (text[len - 1] == ')' || text[len - 1] == ' ')) {
        len--;
    }
    i = read_degrees(text, len, &latitude, &decimals);
    if (i == 0 || decimals < 2 || latitude > 90) {
        return false;
    }
    if (i >= len || !strchr(",; ", text[i])) {
        return false;
    }
    while (i < len && strchr(",; ", text[i])) {
        i++;
    }
    more = read_degrees(text + i, len - i, &longitude, &decimals);
    return more && i + more == len && decimals >= 2 && longitude <= 180;
}

bool kn__is_postcode_of_form(const char *text, size_t len)
{
    static const char *const forms[] = {
        "A9 9AA",   "A99 9AA",  "AA9 9AA",  "AA99 9AA", "A9A 9AA",  "AA9A 9AA", /* United Kingdom */
        "9999 AA",  "9999AA",                                                   /* Netherlands */
        "99-999",                                                               /* Poland */
        "9999-999",                                                             /* Portugal */
        "999 99",                                      /* Sweden, Czechia, Slovakia, Greece */
        "A99 xxxx", "A9A 9A9",  "A9A9A9",              /* Ireland, Canada */
        "LV-9999",  "LT-99999", "MD-9999",  "SI-9999", /* with the country */
        "D-99999",  "A-9999",   "CH-9999",  "F-99999",  "FI-99999", "L-9999",
        "B-9999",   "HR-99999", "AAA 9999", /* Malta */
    };

    for (size_t i = 0; i < sizeof forms / sizeof *forms; i++) {
        if (has_form(text, len, forms[i])) {
            return true;
        }
    }
    return false;
}

bool kn__is_postcode_of_digits(const char *text, size_t len)
{
    if (len > 2 && text[len - 1] == '0' && text[len - 2] == '.') {
        len -= 2;
    }
    return len >= 4 && len <= 6 && count_digits(text, len) == len;
}

/* A letter, two digits (the second may be a letter in the clinical modification), then perhaps a
 * point and up to four signs; or one or two digits without a point. */
bool kn__is_icd10(const char *text, size_t len)
{
    if (len < 3 || len > 8 || !is_capital(text[0]) || !is_digit(text[1]) ||
        (!is_digit(text[2]) && text[2] != 'A' && text[2] != 'B')) {
        return false;
    }
    if (len > 3 && text[3] != '.') {
        return len <= 5 && count_digits(text + 3, len - 3) == len - 3;
    }
    for (size_t i = 4; i < len; i++) {
        if (!is_digit(text[i]) && !is_capital(text[i]) && text[i] != '-') {
            return false;
        }
    }
    return len != 4;
}

/* Three digits, or V and two, or E and three; then perhaps a point and one or two digits. */
bool kn__is_icd9(const char *text, size_t len)
{
    const char *point = memchr(text, '.', len);
    const size_t whole = point ? (size_t)(point - text) : len;
    const size_t letter = len && (text[0] == 'V' || text[0] == 'E');

    if (whole < 1 || whole > 4 || count_digits(text + letter, whole - letter) != whole - letter ||
        (letter ? whole != 3 && whole != 4 : whole > 3)) {
        return false;
    }
    return !point || (len - whole - 1 >= 1 && len - whole - 1 <= 2 &&
                      count_digits(point + 1, len - whole - 1) == len - whole - 1);
}

/* 6 to 18 digits with Verhoeff's check digit, as identifiers of SNOMED CT have it; perhaps with a
 * decimal of zero, as spreadsheets leave it. */
bool kn__is_snomed(const char *text, size_t len)
{
    static const uint8_t product[10][10] = {
        {0, 1, 2, 3, 4, 5, 6, 7, 8, 9}, {1, 2, 3, 4, 0, 6, 7, 8, 9, 5},
        {2, 3, 4, 0, 1, 7, 8, 9, 5, 6}, {3, 4, 0, 1, 2, 8, 9, 5, 6, 7},
        {4, 0, 1, 2, 3, 9, 5, 6, 7, 8}, {5, 9, 8, 7, 6, 0, 4, 3, 2, 1},
        {6, 5, 9, 8, 7, 1, 0, 4, 3, 2}, {7, 6, 5, 9, 8, 2, 1, 0, 4, 3},
        {8, 7, 6, 5, 9, 3, 2, 1, 0, 4}, {9, 8, 7, 6, 5, 4, 3, 2, 1, 0}};
    static const uint8_t permuted[10] = {1, 5, 7, 6, 2, 8, 3, 0, 9, 4};
    uint8_t check = 0;

    if (len > 2 && text[len - 1] == '0' && text[len - 2] == '.') {
        len -= 2;
    }
    if (len < 6 || len > 18 || count_digits(text, len) != len || text[0] == '0') {
        return false;
    }
    for (size_t i = 0; i < len; i++) {
        uint8_t digit = (uint8_t)(text[len - 1 - i] - '0');
        for (size_t times = 0; times < i % 8; times++) {
            digit = permuted[digit];
        }
        check = product[check][digit];
    }
    return check == 0;
}

/* Four words or more, most of them of small letters. */
bool kn__is_prose(const char *text, size_t len)
{
    size_t words = 0, small = 0;

    for (size_t i = 0; i < len; i++) {
        if (is_letter(text[i]) && (i == 0 || text[i - 1] == ' ')) {
            words++;
            small += is_small(text[i]);
        }
    }
    return words >= 4 && 2 * small >= words;
}
