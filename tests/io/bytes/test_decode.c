/* Text in other encodings, against characters encoded by hand; in pieces of every size. */
#include "io/bytes/decode.h"
#include "base/memory.h"
#include "base/rng.h"
#include "data/value.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

static const struct {
    kn_encoding from;
    const char *bytes;
    size_t len;
    const char *text;
} cases[] = {
    {KN_ENCODING_LATIN1, "M\xfcller \x80 \xdf", 10, "Müller € ß"},
    {KN_ENCODING_UTF16,
     "\xff\xfe"
     "M\0\xfc\0",
     6, "\xef\xbb\xbfMü"},
    {KN_ENCODING_UTF16, "\xfe\xff\0M\0\xfc", 6, "\xef\xbb\xbfMü"},
    {KN_ENCODING_UTF16, "a\0=\xd8\0\xde!\0", 8, "a😀!"}, /* two units */
    {KN_ENCODING_UTF16,
     "=\xd8"
     "a\0",
     4,
     "\xed\xa0\xbd"
     "a"},                                            /* the second one is missing */
    {KN_ENCODING_UTF16, "\0\xde", 2, "\xed\xb8\x80"}, /* and the first one */
    {KN_ENCODING_UTF16, "a\0b", 3, "a\xed\xbf\xbf"},  /* half a unit */
    {KN_ENCODING_UTF16, "=\xd8", 2, "\xed\xbf\xbf"},
};

static void test_cases(void **state)
{
    (void)state;
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        for (size_t piece = 1; piece <= cases[i].len; piece++) {
            kn_decoder d = {.from = cases[i].from};
            kn_buffer out = {0};
            for (size_t at = 0; at < cases[i].len; at += piece) {
                const size_t left = cases[i].len - at;
                kn__decode(&d, &out, cases[i].bytes + at, left < piece ? left : piece);
            }
            kn__decode_end(&d, &out);
            assert_string_equal(out.data, cases[i].text);
            /* No half is taken for text. */
            assert_int_equal(kn__utf8_valid(out.data, out.len, NULL),
                             !strstr(cases[i].text, "\xed"));
            kn__buffer_free(&out);
        }
    }
}

static void test_detection(void **state)
{
    static const struct {
        const char *text;
        size_t len;
        bool whole;
        kn_encoding encoding;
    } texts[] = {
        {"plain", 5, true, KN_ENCODING_UTF8},
        {"M\xfcller", 6, true, KN_ENCODING_LATIN1},
        {"Müller", 7, true, KN_ENCODING_UTF8},
        {"Müller M\xfcller", 14, true, KN_ENCODING_UTF8}, /* mixed: damaged */
        {"a\xff", 2, true, KN_ENCODING_UTF8},
        {"a\x81", 2, true, KN_ENCODING_UTF8}, /* no character */
        {"\x93quoted\x94", 8, true, KN_ENCODING_LATIN1},
        {"M\xc3", 2, false, KN_ENCODING_UTF8}, /* the rest is not here yet */
        {"M\xc3", 2, true, KN_ENCODING_LATIN1},
        {"\xff\xfe"
         "a\0",
         4, true, KN_ENCODING_UTF16},
        {"a\0\xfc", 3, true, KN_ENCODING_UTF8},
        {"", 0, true, KN_ENCODING_UTF8},
    };

    (void)state;
    for (size_t i = 0; i < sizeof texts / sizeof *texts; i++) {
        assert_int_equal(kn__encoding_of(texts[i].text, texts[i].len, texts[i].whole),
                         texts[i].encoding);
    }
}

/* Whatever the bytes are, UTF-8 comes out, but for halves of characters. */
static void test_random_bytes(void **state)
{
    kn_rng rng;

    (void)state;
    kn__rng_seed(&rng, 3, 0);
    for (size_t n = 0; n < 5000; n++) {
        char bytes[64];
        kn_decoder d = {.from = n % 2 ? KN_ENCODING_LATIN1 : KN_ENCODING_UTF16};
        kn_buffer out = {0};
        size_t bad;
        for (size_t i = 0; i < sizeof bytes; i++) {
            bytes[i] = (char)(1 + kn__rng_below(&rng, 255));
        }
        kn__decode(&d, &out, bytes, sizeof bytes);
        kn__decode_end(&d, &out);
        assert_true(kn__utf8_valid(out.data, out.len, &bad) ||
                    (d.from == KN_ENCODING_UTF16 && (unsigned char)out.data[bad] == 0xED));
        kn__buffer_free(&out);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_cases),
        cmocka_unit_test(test_detection),
        cmocka_unit_test(test_random_bytes),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
