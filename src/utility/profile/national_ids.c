/* national_ids.c - numbers that states give to people, recognised by their check digits.
 *
 * A random number passes a check modulo 10 or 11 in one of ten cases, so that a column is
 * recognised only when nearly all of its values pass the same check. Where the number holds a date
 * of birth, the date is checked as well. */
#include "utility/profile/detectors.h"
#include "data/value.h"

#include <string.h>

enum { MOST_BYTES = 24, FEWEST_VALUES = 4 };

size_t kn__compact_id(char *out, size_t cap, const char *text, size_t len)
{
    size_t n = 0;

    for (size_t i = 0; i < len; i++) {
        const char c = text[i];
        if (c == ' ' || c == '.' || c == '-' || c == '/') {
            continue;
        }
        if (n + 1 >= cap) {
            return 0;
        }
        out[n++] = (char)(c >= 'a' && c <= 'z' ? c - 'a' + 'A' : c);
    }
    out[n] = '\0';
    return n;
}

static int digit(const char *c, size_t i)
{
    return c[i] - '0';
}

static int two(const char *c, size_t i)
{
    return 10 * digit(c, i) + digit(c, i + 1);
}

static bool is_day(int day, int month)
{
    return day >= 1 && day <= 31 && month >= 1 && month <= 12;
}

/* The sum of the first digits times `weights`. */
static int weigh(const char *c, const int *weights, size_t count)
{
    int sum = 0;

    for (size_t i = 0; i < count; i++) {
        sum += digit(c, i) * weights[i];
    }
    return sum;
}

static unsigned modulo(const char *c, size_t len, unsigned by)
{
    unsigned rest = 0;

    for (size_t i = 0; i < len; i++) {
        rest = (rest * 10 + (unsigned)digit(c, i)) % by;
    }
    return rest;
}

static bool luhn(const char *c, size_t len)
{
    int sum = 0;

    for (size_t i = 0; i < len; i++) {
        const int d = digit(c, len - 1 - i) << (i % 2);
        sum += d > 9 ? d - 9 : d;
    }
    return sum % 10 == 0;
}

/* ISO/IEC 7064, MOD 11,10. */
static bool iso7064(const char *c, size_t len)
{
    int product = 10;

    for (size_t i = 0; i + 1 < len; i++) {
        const int sum = (digit(c, i) + product) % 10;
        product = 2 * (sum ? sum : 10) % 11;
    }
    return (product + digit(c, len - 1)) % 10 == 1;
}

static bool austria(const char *c, size_t len)
{
    static const int w[] = {3, 7, 9, 0, 5, 8, 4, 2, 1, 6};

    return len == 10 && kn__all_digits(c, len) && c[0] != '0' && is_day(two(c, 4), two(c, 6)) &&
           weigh(c, w, 10) % 11 == digit(c, 3);
}

static bool belgium(const char *c, size_t len)
{
    char late[12] = "2";

    if (len != 11 || !kn__all_digits(c, len) || two(c, 2) > 12 || two(c, 4) > 31) {
        return false;
    }
    memcpy(late + 1, c, 9); /* born from 2000: a 2 comes before the number */
    return 97 - modulo(c, 9, 97) == (unsigned)two(c, 9) ||
           97 - modulo(late, 10, 97) == (unsigned)two(c, 9);
}

static bool bulgaria(const char *c, size_t len)
{
    static const int w[] = {2, 4, 8, 5, 10, 9, 7, 3, 6};

    return len == 10 && kn__all_digits(c, len) && is_day(two(c, 4), two(c, 2) % 20) &&
           weigh(c, w, 9) % 11 % 10 == digit(c, 9);
}

static bool croatia(const char *c, size_t len)
{
    return len == 11 && kn__all_digits(c, len) && iso7064(c, len);
}

/* Czechia and Slovakia: divisible by 11; 50 (or 20, 70) is added to the month. */
static bool czechia(const char *c, size_t len)
{
    int month;

    if (len != 10 || !kn__all_digits(c, len)) {
        return false;
    }
    month = two(c, 2) % 50;
    month = month > 20 ? month - 20 : month;
    return is_day(two(c, 4), month) && modulo(c, 10, 11) == 0;
}

/* The check modulo 11 was given up in 2007: the date and the form are what is left. */
static bool denmark(const char *c, size_t len)
{
    return len == 10 && kn__all_digits(c, len) && is_day(two(c, 0), two(c, 2));
}

static bool estonia_lithuania(const char *c, size_t len)
{
    static const int w[] = {1, 2, 3, 4, 5, 6, 7, 8, 9, 1}, v[] = {3, 4, 5, 6, 7, 8, 9, 1, 2, 3};
    int check;

    if (len != 11 || !kn__all_digits(c, len) || c[0] < '1' || c[0] > '8' ||
        !is_day(two(c, 5), two(c, 3))) {
        return false;
    }
    check = weigh(c, w, 10) % 11;
    check = check == 10 ? weigh(c, v, 10) % 11 % 10 : check;
    return check == digit(c, 10);
}

static bool finland(const char *c, size_t len)
{
    char number[10];

    if (len == 11) { /* the sign of the century, where it is no dash */
        if (!strchr("+ABCDEFYXWVU", c[6])) {
            return false;
        }
        memcpy(number, c, 6);
        memcpy(number + 6, c + 7, 3);
    } else if (len == 10) {
        memcpy(number, c, 9);
    } else {
        return false;
    }
    return kn__all_digits(number, 9) && is_day(two(number, 0), two(number, 2)) &&
           "0123456789ABCDEFHJKLMNPRSTUVWXY"[modulo(number, 9, 31)] == c[len - 1];
}

static bool france(const char *c, size_t len)
{
    char number[16];

    if (len != 15 || (c[0] != '1' && c[0] != '2')) {
        return false;
    }
    memcpy(number, c, 15);
    if (number[6] == 'A' || number[6] == 'B') { /* Corsica: 2A counts as 19, 2B as 18 */
        number[5] = '1';
        number[6] = (char)(c[6] == 'A' ? '9' : '8');
    }
    return kn__all_digits(number, 15) && 97 - modulo(number, 13, 97) == (unsigned)two(number, 13);
}

/* One of the first ten digits occurs twice or three times. */
static bool germany(const char *c, size_t len)
{
    int count[10] = {0}, repeated = 0;

    if (len != 11 || !kn__all_digits(c, len) || c[0] == '0' || !iso7064(c, len)) {
        return false;
    }
    for (size_t i = 0; i < 10; i++) {
        count[digit(c, i)]++;
    }
    for (size_t i = 0; i < 10; i++) {
        repeated += count[i] == 2 || count[i] == 3;
    }
    return repeated >= 1;
}

static bool greece(const char *c, size_t len)
{
    return len == 11 && kn__all_digits(c, len) && is_day(two(c, 0), two(c, 2)) && luhn(c, len);
}

static bool hungary(const char *c, size_t len)
{
    static const int w[] = {3, 7, 3, 7, 3, 7, 3, 7};

    return len == 9 && kn__all_digits(c, len) && weigh(c, w, 8) % 10 == digit(c, 8);
}

static bool ireland(const char *c, size_t len)
{
    static const int w[] = {8, 7, 6, 5, 4, 3, 2};
    int sum;

    if ((len != 8 && len != 9) || !kn__all_digits(c, 7)) {
        return false;
    }
    sum = weigh(c, w, 7) + (len == 9 && c[8] >= 'A' && c[8] <= 'I' ? 9 * (c[8] - 'A' + 1) : 0);
    return "WABCDEFGHIJKLMNOPQRSTUV"[sum % 23] == c[7];
}

static bool italy(const char *c, size_t len)
{
    static const int odd[] = {1,  0,  5, 7, 9, 13, 15, 17, 19, 21, 2,  4,  18,
                              20, 11, 3, 6, 8, 12, 14, 16, 10, 22, 25, 24, 23};
    int sum = 0;

    if (len != 16) {
        return false;
    }
    for (size_t i = 0; i < 15; i++) {
        const bool number = c[i] >= '0' && c[i] <= '9';
        const int value = number ? c[i] - '0' : c[i] - 'A';
        if (!number && (c[i] < 'A' || c[i] > 'Z')) {
            return false;
        }
        sum += i % 2 ? value : odd[value];
    }
    return c[15] == 'A' + sum % 26 && !kn__all_digits(c, 6);
}

static bool netherlands(const char *c, size_t len)
{
    static const int w[] = {9, 8, 7, 6, 5, 4, 3, 2, -1};

    return len == 9 && kn__all_digits(c, len) && weigh(c, w, 9) % 11 == 0 && weigh(c, w, 8) > 0;
}

static bool poland(const char *c, size_t len)
{
    static const int w[] = {1, 3, 7, 9, 1, 3, 7, 9, 1, 3, 1};

    return len == 11 && kn__all_digits(c, len) && is_day(two(c, 4), two(c, 2) % 20) &&
           weigh(c, w, 11) % 10 == 0;
}

static bool portugal(const char *c, size_t len)
{
    static const int w[] = {9, 8, 7, 6, 5, 4, 3, 2};
    int check;

    if (len != 9 || !kn__all_digits(c, len) || c[0] == '0') {
        return false;
    }
    check = 11 - weigh(c, w, 8) % 11;
    return (check > 9 ? 0 : check) == digit(c, 8);
}

static bool romania(const char *c, size_t len)
{
    static const int w[] = {2, 7, 9, 1, 4, 6, 3, 5, 8, 2, 7, 9};

    return len == 13 && kn__all_digits(c, len) && c[0] != '0' && is_day(two(c, 5), two(c, 3)) &&
           (weigh(c, w, 12) % 11 == 10 ? 1 : weigh(c, w, 12) % 11) == digit(c, 12);
}

static bool slovenia(const char *c, size_t len)
{
    static const int w[] = {7, 6, 5, 4, 3, 2, 7, 6, 5, 4, 3, 2, 1};

    return len == 13 && kn__all_digits(c, len) && is_day(two(c, 0), two(c, 2)) &&
           weigh(c, w, 13) % 11 == 0;
}

static bool spain(const char *c, size_t len)
{
    char number[9];

    if (len != 9) {
        return false;
    }
    memcpy(number, c, 8);
    number[0] = (char)(c[0] >= 'X' && c[0] <= 'Z' ? '0' + (c[0] - 'X') : c[0]);
    return kn__all_digits(number, 8) && "TRWAGMYFPDXBNJZSQVHLCKE"[modulo(number, 8, 23)] == c[8];
}

static bool sweden(const char *c, size_t len)
{
    if (len == 12) { /* with the century */
        c += 2;
        len -= 2;
    }
    if (len == 11 && c[6] == '+') {
        char number[10];
        memcpy(number, c, 6);
        memcpy(number + 6, c + 7, 4);
        return kn__all_digits(number, 10) && is_day(two(number, 4), two(number, 2)) &&
               luhn(number, 10);
    }
    return len == 10 && kn__all_digits(c, len) && is_day(two(c, 4) % 60, two(c, 2)) && luhn(c, 10);
}

static bool united_kingdom(const char *c, size_t len)
{
    static const int w[] = {10, 9, 8, 7, 6, 5, 4, 3, 2, 1};

    return len == 10 && kn__all_digits(c, len) && weigh(c, w, 10) % 11 == 0;
}

/* No check digit: the form with dashes is looked at by holds_ssn. */
static bool united_states(const char *c, size_t len)
{
    return len == 9 && kn__all_digits(c, len) && memcmp(c, "000", 3) != 0 && two(c, 3) > 0;
}

static const kn_national_id ids[] = {
    {"Austria", "Versicherungsnummer", austria},
    {"Belgium", "national register number", belgium},
    {"Bulgaria", "EGN", bulgaria},
    {"Croatia", "OIB", croatia},
    {"Czechia and Slovakia", "birth number", czechia},
    {"Denmark", "CPR number", denmark},
    {"Estonia and Lithuania", "personal code", estonia_lithuania},
    {"Finland", "personal identity code", finland},
    {"France", "NIR", france},
    {"Germany", "tax identification number", germany},
    {"Greece", "AMKA", greece},
    {"Hungary", "TAJ number", hungary},
    {"Ireland", "PPS number", ireland},
    {"Italy", "codice fiscale", italy},
    {"the Netherlands", "BSN", netherlands},
    {"Poland", "PESEL", poland},
    {"Portugal", "NIF", portugal},
    {"Romania", "CNP", romania},
    {"Slovenia", "EMSO", slovenia},
    {"Spain", "DNI or NIE", spain},
    {"Sweden", "personal identity number", sweden},
    {"the United Kingdom", "NHS number", united_kingdom},
    {"the United States", "social security number", united_states},
};

const kn_national_id *kn__national_ids(size_t *count)
{
    *count = sizeof ids / sizeof *ids;
    return ids;
}

/* Numbers without check digits need their usual form: 999-99-9999 or 999999-9999. */
static bool has_dashes(const char *text, size_t len, bool (*valid)(const char *, size_t))
{
    if (valid == united_states) {
        return len == 11 && text[3] == '-' && text[6] == '-';
    }
    return valid != denmark || (len == 11 && text[6] == '-');
}

bool kn__holds_national_ids(const kn_column_facts *facts)
{
    const kn_column *column = facts->column;
    const uint32_t values = kn__column_values(column);

    if (facts->values < FEWEST_VALUES || 10 * facts->values < facts->present) {
        return false;
    }
    for (size_t i = 0; i < sizeof ids / sizeof *ids; i++) {
        size_t passed = 0, failed = 0;
        for (uint32_t code = 0; code < values && 50 * failed <= facts->values; code++) {
            char compact[MOST_BYTES];
            size_t len;
            const char *text = kn__column_text(column, code, &len);
            const size_t n = kn__compact_id(compact, sizeof compact, text, len);
            const bool good = n && ids[i].valid(compact, n) && has_dashes(text, len, ids[i].valid);
            passed += code != column->missing && good;
            failed += code != column->missing && !good;
        }
        if (passed >= FEWEST_VALUES && 50 * failed <= facts->values) {
            return true;
        }
    }
    return false;
}
