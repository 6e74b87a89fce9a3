/* Numbers and dates as text, UTF-8. */
#include "base/rng.h"
#include "data/value.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

static void numbers_are_read_exactly(void **state)
{
    static const struct {
        const char *text;
        double value;
        unsigned decimals;
    } rows[] = {
        {"0", 0, 0},
        {"-0", 0, 0},
        {"42", 42, 0},
        {"+7", 7, 0},
        {"-12.50", -12.5, 2},
        {"0.1", 0.1, 1},
        {".5", 0.5, 1},
        {"1e3", 1000, 0},
        {"2.5E-2", 0.025, 0},
        {"197297", 197297, 0},
        {"9007199254740993", 9007199254740992.0, 0},
        {"123456789012345678901234567890", 123456789012345678901234567890.0, 0},
        {"0.30000000000000004", 0.30000000000000004, 17},
    };
    static const char *const wrong[] = {"",    "-",   "+",     ".",     "1.",     "e5",      "1e",
                                        "1e+", "nan", "inf",   "0x10",  " 1",     "1 ",      "1,5",
                                        "--1", "1-",  "1.2.3", "1e999", "-1e999", "infinity"};

    (void)state;
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        double value;
        unsigned decimals;
        assert_true(kn__number_parse(rows[i].text, strlen(rows[i].text), &value, &decimals));
        assert_true(value == rows[i].value);
        assert_int_equal(decimals, rows[i].decimals);
    }
    for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++) {
        double value;
        unsigned decimals;
        assert_false(kn__number_parse(wrong[i], strlen(wrong[i]), &value, &decimals));
    }
}

static void numbers_agree_with_the_c_library(void **state)
{
    kn_rng r;

    (void)state;
    kn__rng_seed(&r, 1, 0);
    for (size_t i = 0; i < 20000; i++) {
        char text[64];
        double value;
        unsigned decimals;
        const int precision = (int)kn__rng_below(&r, 18);
        const double x = (kn__rng_double(&r) - 0.5) * pow(10, (double)kn__rng_below(&r, 20));
        (void)snprintf(text, sizeof text, "%.*f", precision, x);
        assert_true(kn__number_parse(text, strlen(text), &value, &decimals));
        assert_true(value == strtod(text, NULL));
        assert_int_equal(decimals, precision);
    }
}

static void dates_are_days(void **state)
{
    static const char *const wrong[] = {"2020-02-30", "2021-02-29",  "1900-02-29", "2020-13-01",
                                        "2020-00-10", "2020-01-00",  "2020-1-1",   "20200101",
                                        "2020/01/01", "2020-01-011", "abcd-01-01"};
    double days;

    (void)state;
    assert_true(kn__date_parse("1970-01-01", 10, &days));
    assert_true(days == 0);
    assert_true(kn__date_parse("2000-03-01", 10, &days));
    assert_true(days == 11017);
    assert_true(kn__date_parse("1969-12-31", 10, &days));
    assert_true(days == -1);
    for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++) {
        assert_false(kn__date_parse(wrong[i], strlen(wrong[i]), &days));
    }
    /* Every day of nine centuries there and back. */
    for (double day = -400000; day < 300000; day++) {
        kn_buffer b = {0};
        int year, month, d;
        kn__date_split(day, &year, &month, &d);
        assert_true(kn__date_join(year, month, d) == day);
        if ((long)day % 997 == 0) {
            kn__date_format(&b, day);
            assert_true(kn__date_parse(b.data, b.len, &days));
            assert_true(days == day);
            kn__buffer_free(&b);
        }
    }
}

/* Straight from the table of well-formed byte sequences. */
static bool oracle_utf8(const unsigned char *p, size_t len)
{
    for (size_t i = 0; i < len;) {
        uint32_t c = p[i];
        size_t more = c < 0x80 ? 0 : c >> 5 == 6 ? 1 : c >> 4 == 14 ? 2 : c >> 3 == 30 ? 3 : 9;
        static const uint32_t least[] = {1, 0x80, 0x800, 0x10000};
        if (more == 9 || i + more >= len) {
            return false;
        }
        c &= more == 0 ? 0x7f : 0x3fu >> more;
        for (size_t j = 1; j <= more; j++) {
            if (p[i + j] >> 6 != 2) {
                return false;
            }
            c = c << 6 | (p[i + j] & 0x3f);
        }
        if (c < least[more] || c > 0x10ffff || (c >= 0xd800 && c <= 0xdfff)) {
            return false;
        }
        i += more + 1;
    }
    return true;
}

static void utf8_agrees_with_its_table(void **state)
{
    static const unsigned char bytes[] = {0x00, 'a',  0x7f, 0x80, 0x8f, 0x90, 0x9f,
                                          0xa0, 0xbf, 0xc0, 0xc1, 0xc2, 0xdf, 0xe0,
                                          0xed, 0xef, 0xf0, 0xf4, 0xf5, 0xff};
    kn_rng r;
    size_t bad = 99;

    (void)state;
    kn__rng_seed(&r, 3, 0);
    for (size_t i = 0; i < 200000; i++) {
        unsigned char text[24];
        size_t len = kn__rng_below(&r, 6), before = kn__rng_below(&r, 18);
        memset(text, 'x', sizeof text);
        for (size_t j = 0; j < len; j++) {
            text[before + j] = bytes[kn__rng_below(&r, sizeof bytes)];
        }
        assert_int_equal(kn__utf8_valid((char *)text, before + len, NULL),
                         oracle_utf8(text, before + len));
    }
    assert_false(kn__utf8_valid("abcdefghij\xff", 11, &bad));
    assert_int_equal(bad, 10);
}

static void spellings_of_a_number(void **state)
{
    static const struct {
        const char *text, *key, *plain;
    } rows[] = {
        {"0.1", "1e-1", "0.1"},
        {".1", "1e-1", "0.1"},
        {"1e-1", "1e-1", "0.1"},
        {"0.10", "1e-1", "0.10"},
        {"5", "5e0", "5"},
        {"+5", "5e0", "5"},
        {"005", "5e0", "5"},
        {"5.0", "5e0", "5.0"},
        {"-5e2", "-5e2", "-500"},
        {"1.25E1", "125e-1", "12.5"},
        {"12e-4", "12e-4", "0.0012"},
        {"0", "e0", "0"},
        {"-0", "e0", "-0"},
        {"+0.00", "e0", "0"},
        {"40000", "4e4", "40000"},
        {"1e300", "1e300", "1e300"},
        {"12345678901234567891", "12345678901234567891e0", "12345678901234567891"},
    };

    (void)state;
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        kn_buffer b = {0};
        const size_t len = strlen(rows[i].text);
        kn__number_key(&b, rows[i].text, len);
        kn__buffer_addc(&b, '\0');
        assert_string_equal(b.data, rows[i].key);
        b.len = 0;
        kn__number_spell(&b, rows[i].text, len);
        kn__buffer_addc(&b, '\0');
        assert_string_equal(b.data, rows[i].plain);
        kn__buffer_free(&b);
    }
    assert_true(kn__number_is_plainer("0.10", 4, ".1", 2));
    assert_true(kn__number_is_plainer("5", 1, "5.0", 3));
    assert_false(kn__number_is_plainer("1e1", 3, "10.000", 6));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(numbers_are_read_exactly),
        cmocka_unit_test(numbers_agree_with_the_c_library),
        cmocka_unit_test(spellings_of_a_number),
        cmocka_unit_test(dates_are_days),
        cmocka_unit_test(utf8_agrees_with_its_table),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
