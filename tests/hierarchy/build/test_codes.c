/* test_codes.c - hierarchies over bands, code lists and packs, local dates, and what is suggested.
 */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include <cmocka.h>

#include "hierarchy/build/bands.h"
#include "hierarchy/build/builds.h"
#include "hierarchy/packs/packs.h"
#include "oracle/hierarchy_column.h"

static void test_band_forms(void **state)
{
    static const struct {
        const char *text;
        double low, high;
    } good[] = {
        {"[0-10)", 0, 10},
        {"(10,20]", 10, 20},
        {"18-24", 18, 24},
        {"18 - 24", 18, 24},
        {"18..24", 18, 24},
        {"18 to 24", 18, 24},
        {"18\xe2\x80\x93"
         "24",
         18, 24},
        {"65+", 65, INFINITY},
        {">65", 65, INFINITY},
        {">= 65", 65, INFINITY},
        {"<18", -INFINITY, 18},
        {"0.5-1.5", 0.5, 1.5},
    };
    static const char *const bad[] = {"18",    "24-18",      "18-", "-5", "18,24", "[18-24", "a-b",
                                      "1-2-3", "2020-01-01", "+",   "<",  "[5)",   "18-24x", ""};
    kn_band b;
    (void)state;

    for (size_t i = 0; i < sizeof good / sizeof *good; i++) {
        if (!kn__band_parse(&b, good[i].text, strlen(good[i].text)) || b.low != good[i].low ||
            b.high != good[i].high) {
            fail_msg("%s", good[i].text);
        }
    }
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
        if (kn__band_parse(&b, bad[i], strlen(bad[i]))) {
            fail_msg("%s is no band", bad[i]);
        }
    }
}

/* Bands are put into the order of their numbers: as texts, 100-119 would come before 5-9. */
static void test_bands(void **state)
{
    const kn_build_options bands = {.kind = KN_BUILD_BANDS};
    (void)state;

    builds(COLUMN(KN_TYPE_CATEGORY, "[10-20)", "[0-10)", "[100-110)", "[20-30)"), bands,
           "[0-10);[0-20);*\n[10-20);[0-20);*\n[20-30);[20-110);*\n[100-110);[20-110);*\n");
    builds(COLUMN(KN_TYPE_CATEGORY, "18-24", "25-34", "<18", "65+", "unknown"), bands,
           "<18;<=24;*\n18-24;<=24;*\n25-34;25+;*\n65+;25+;*\nunknown;unknown;*\n");
    builds(COLUMN(KN_TYPE_CATEGORY, "[75-100)", ">200", "[0-75)"), bands,
           "[0-75);[0-100);*\n[75-100);[0-100);*\n>200;>200;*\n");
    refuses(COLUMN(KN_TYPE_CATEGORY, "0-10", "5-15"), bands, KN_EINPUT, "overlap");
    refuses(COLUMN(KN_TYPE_CATEGORY, "a", "b"), bands, KN_EUSAGE, "no bands");
    refuses(COLUMN(KN_TYPE_CATEGORY, "0-1", "2-3"),
            (kn_build_options){.kind = KN_BUILD_BANDS, .fanout = 1}, KN_EUSAGE, "fanout");
}

static void test_packs(void **state)
{
#define PACK(n) ((kn_build_options){.kind = KN_BUILD_PACK, .pack = (n)})
    (void)state;
    builds(
        COLUMN(KN_TYPE_CATEGORY, "DE", "FRA", "US", "gr"), PACK("country"),
        "DE;Western Europe;Europe;*\nFRA;Western Europe;Europe;*\nUS;Northern America;Americas;*\n"
        "gr;Southern Europe;Europe;*\n");
    builds(COLUMN(KN_TYPE_CATEGORY, "E11", "E11.9", "I21.0", "U07.1"), PACK("icd10"),
           "E11;E11;E10-E14;E00-E90;*\nE11.9;E11;E10-E14;E00-E90;*\nI21.0;I21;I20-I25;I00-I99;*\n"
           "U07.1;U07;U00-U49;U00-U99;*\n");
    builds(COLUMN(KN_TYPE_CATEGORY, "2511", "2512", "9112"), PACK("isco"),
           "2511;251;25;2;*\n2512;251;25;2;*\n9112;911;91;9;*\n");
    builds(COLUMN(KN_TYPE_CATEGORY, "01.11", "47.11", "G47.2"), PACK("nace"),
           "01.11;01.1;01;A;*\n47.11;47.1;47;G;*\nG47.2;47.2;47;G;*\n");
    builds(COLUMN(KN_TYPE_CATEGORY, "DE21H", "FR10", "EL30"), PACK("nuts"),
           "DE21H;DE21;DE2;DE;*\nEL30;EL30;EL3;EL;*\nFR10;FR10;FR1;FR;*\n");
    refuses(COLUMN(KN_TYPE_CATEGORY, "DE", "QQ", "ZZ"), PACK("country"), KN_EINPUT,
            "2 of its values are no codes of country, such as \"QQ\"");
    refuses(COLUMN(KN_TYPE_CATEGORY, "DE"), PACK("countries"), KN_EUSAGE,
            "there are country, icd10, isco, nace and nuts");
    assert_string_equal(kn_pack_name(0), "country");
    assert_null(kn_pack_name(99));
    assert_non_null(kn_pack_help(1));
}

/* Every chapter holds its blocks, in order, and the codes of two and three letters are all there.
 */
static void test_facts(void **state)
{
    size_t alpha2 = 0, alpha3 = 0;
    kn_pack_path path;
    char code[4] = "";
    (void)state;

    for (int i = 0; i < 26 * 26 * 26; i++) {
        code[0] = (char)('A' + i / 676);
        code[1] = (char)('A' + i / 26 % 26);
        code[2] = (char)('A' + i % 26);
        alpha3 += kn__country_path(&path, code, 3);
        alpha2 += i % 26 == 0 && kn__country_path(&path, code, 2);
    }
    assert_int_equal(alpha3, 249);
    assert_int_equal(alpha2, 249 + 3); /* EL, UK and XK besides */
    for (int i = 0; i < 2600; i++) {   /* A00 to Z99: a block lies in the chapter of its codes */
        (void)snprintf(code, sizeof code, "%c%02d", 'A' + i / 100, i % 100);
        if (kn__icd10_path(&path, code, 3)) {
            assert_true(memcmp(path.label[1], path.label[2], 3) >= 0);
            assert_true(memcmp(path.label[1] + 4, path.label[2] + 4, 3) <= 0);
            assert_true(memcmp(code, path.label[1], 3) >= 0);
        }
    }
}

/* A file in the folder for temporary files; the caller unlinks it. */
static char *file_of(const char *text)
{
    static char path[64];
    FILE *file;
    int fd;

    (void)snprintf(path, sizeof path, "/tmp/kanon-codes-XXXXXX");
    fd = mkstemp(path);
    assert_true(fd >= 0);
    file = fdopen(fd, "w");
    assert_non_null(file);
    assert_true(fputs(text, file) >= 0);
    assert_int_equal(fclose(file), 0);
    return path;
}

static void test_code_lists(void **state)
{
    char *path = file_of("item,label,group,department\n0,frankfurter,sausage,meat\n"
                         "1,sausage,sausage,meat\n2,\"roll, white\",bread,bakery\n");
    kn_build_options list = {.kind = KN_BUILD_CODE_LIST, .code_list = path};
    (void)state;

    builds(COLUMN(KN_TYPE_CATEGORY, "0", "2", "1"), list,
           "0;sausage;meat;*\n1;sausage;meat;*\n2;bread;bakery;*\n");
    refuses(COLUMN(KN_TYPE_CATEGORY, "0", "7"), list, KN_EINPUT, "1 of its values are no codes");
    (void)unlink(path);

    path = file_of("code;label\n008;Other\n250;Diabetes\n251;Diabetes\n");
    builds(COLUMN(KN_TYPE_CATEGORY, "8", "250", "251"), list,
           "250;Diabetes;*\n251;Diabetes;*\n8;Other;*\n");
    (void)unlink(path);

    path = file_of("code,label\n25,Information technology\n2,Professionals\n");
    builds(COLUMN(KN_TYPE_CATEGORY, "2511"),
           (kn_build_options){.kind = KN_BUILD_PACK, .pack = "isco", .code_list = path},
           "2511;251;25 Information technology;2 Professionals;*\n");
    (void)unlink(path);

    path = file_of("code,label\n1,a\n1,b\n");
    refuses(COLUMN(KN_TYPE_CATEGORY, "1"), list, KN_EINPUT, ":3: code \"1\" is listed twice");
    (void)unlink(path);
    path = file_of("code,label\n1,a,b\n");
    refuses(COLUMN(KN_TYPE_CATEGORY, "1"), list, KN_EINPUT, "where the header has");
    (void)unlink(path);
    path = file_of("code,label\n1,\n");
    refuses(COLUMN(KN_TYPE_CATEGORY, "1"), list, KN_EINPUT, "column 2 is empty");
    (void)unlink(path);
    refuses(COLUMN(KN_TYPE_CATEGORY, "1"), (kn_build_options){.kind = KN_BUILD_CODE_LIST},
            KN_EUSAGE, "give the code list");
}

static void test_date_formats(void **state)
{
#define DATES(f) ((kn_build_options){.kind = KN_BUILD_DATES, .date_format = (f)})
    (void)state;
    builds(COLUMN(KN_TYPE_CATEGORY, "01/02/1980", "03/04/1981"), DATES("DD/MM/YYYY"),
           "01/02/1980;1980-02;1980-Q1;1980;1980s;*\n03/04/1981;1981-04;1981-Q2;1981;1980s;*\n");
    builds(COLUMN(KN_TYPE_CATEGORY, "01/02/1980", "03/04/1981"), DATES("MM/DD/YYYY"),
           "01/02/1980;1980-01;1980-Q1;1980;1980s;*\n03/04/1981;1981-03;1981-Q1;1981;1980s;*\n");
    refuses(COLUMN(KN_TYPE_CATEGORY, "01/02/1980"), DATES(NULL), KN_EINPUT, "--date-format");
    refuses(COLUMN(KN_TYPE_CATEGORY, "01/02/1980"), DATES("d/m/y"), KN_EUSAGE, "DD.MM.YYYY");
    refuses(COLUMN(KN_TYPE_CATEGORY, "13/14/1980", "01/01/1980"), DATES("MM/DD/YYYY"), KN_EUSAGE,
            "no dates");
}

/* What is suggested for `ds`, which is freed, and that it can be built. */
static kn_hierarchy_advice advice(kn_dataset *ds)
{
    kn_hierarchy_advice a;
    kn_hierarchy *h = NULL;
    kn_error err = {0};

    assert_int_equal(kn_hierarchy_suggest(&a, ds, 0, false, &err), KN_OK);
    if (kn_hierarchy_build_suggested(&h, ds, 0, &a, &err) != (a.wanted ? KN_OK : KN_EUSAGE)) {
        fail_msg("%s: %s", a.words, err.message);
    }
    kn_hierarchy_free(h);
    kn_dataset_free(ds);
    return a;
}

static void test_suggestions(void **state)
{
    kn_hierarchy_advice a;
    const char *many[121] = {NULL}, *incomes[121] = {NULL};
    static char texts[120][16], numbers[120][16];
    static const char *const numbers_of_one_length[] = {"10115", "10117", "10119", "20095",
                                                        "20097", "20099", NULL};
    kn_dataset *ds;
    (void)state;

    a = advice(COLUMN(KN_TYPE_CATEGORY, "31.12.1980", "01.05.1990"));
    assert_int_equal(a.kind, KN_BUILD_DATES);
    assert_false(a.doubtful);
    a = advice(COLUMN(KN_TYPE_CATEGORY, "01/02/1980", "03/04/1981"));
    assert_true(a.doubtful && a.date_format && a.kind == KN_BUILD_DATES);
    a = advice(COLUMN(KN_TYPE_DATE, "1980-12-31", "1990-05-01"));
    assert_int_equal(a.kind, KN_BUILD_DATES);
    a = advice(COLUMN(KN_TYPE_CATEGORY, "18-24", "25-34", "65+"));
    assert_int_equal(a.kind, KN_BUILD_BANDS);
    a = advice(COLUMN(KN_TYPE_CATEGORY, "DE", "FR", "IT", "PL", "GR"));
    assert_int_equal(a.kind, KN_BUILD_PACK);
    assert_string_equal(a.pack, "country");
    a = advice(COLUMN(KN_TYPE_CATEGORY, "red", "green"));
    assert_false(a.wanted);
    a = advice(COLUMN(KN_TYPE_INTEGER, "1", "2", "3"));
    assert_false(a.wanted);
    for (int i = 0; i < 120; i++) {
        (void)snprintf(texts[i], sizeof texts[i], "%05d", 1067 + i * 731);
        many[i] = texts[i];
        (void)snprintf(numbers[i], sizeof numbers[i], "%d",
                       i < 100 ? 1000 + 13 * i : 40000 + 900 * i);
        incomes[i] = numbers[i];
    }
    a = advice(column_of(KN_TYPE_CATEGORY, many));
    assert_int_equal(a.kind, KN_BUILD_PREFIX);
    assert_int_equal(a.lengths_count, 4);
    a = advice(column_of(KN_TYPE_INTEGER, incomes));
    assert_int_equal(a.kind, KN_BUILD_CUTS);
    for (size_t i = 1; i < a.cuts_count; i++) { /* round to two digits */
        const double step = pow(10, floor(log10(a.cuts[i])) - 1);
        assert_true(fabs(a.cuts[i] / step - nearbyint(a.cuts[i] / step)) < 1e-9);
    }
    ds = column_of(KN_TYPE_INTEGER, numbers_of_one_length);
    assert_int_equal(kn_hierarchy_suggest(&a, ds, 0, true, NULL),
                     KN_OK); /* numbers that are codes */
    assert_int_equal(a.kind, KN_BUILD_PREFIX);
    assert_int_equal(kn_hierarchy_suggest(&a, ds, 0, false, NULL), KN_OK);
    assert_false(a.wanted);
    kn_dataset_free(ds);
    for (int i = 0; i < 120; i++) {
        (void)snprintf(texts[i], sizeof texts[i], "town %c%c", 'a' + i / 26, 'a' + i % 26);
        (void)snprintf(numbers[i], sizeof numbers[i], "%d", i % 95);
    }
    a = advice(column_of(KN_TYPE_CATEGORY, many));
    assert_int_equal(a.kind, KN_BUILD_FANOUT);
    assert_true(a.doubtful);
    a = advice(column_of(KN_TYPE_INTEGER, incomes));
    assert_int_equal(a.kind, KN_BUILD_WIDTH);
    assert_true(a.width == 5);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_band_forms),  cmocka_unit_test(test_bands),
        cmocka_unit_test(test_packs),       cmocka_unit_test(test_facts),
        cmocka_unit_test(test_code_lists),  cmocka_unit_test(test_date_formats),
        cmocka_unit_test(test_suggestions),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
