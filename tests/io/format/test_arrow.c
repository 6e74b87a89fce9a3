/* test_arrow.c - kn_dataset_from_arrow: every type, and everything that can be wrong. */
#include "io/format/arrow_case.h"

#include <math.h>

static const uint8_t odd[] = {0xfd}; /* the second of eight is null */

/* ---- types ---- */

static const int8_t int8s[] = {-128, 0, 127};
static const uint8_t uint8s[] = {255, 0, 7};
static const int16_t int16s[] = {-32768, 0, 32767};
static const uint16_t uint16s[] = {65535, 0, 1};
static const int32_t int32s[] = {INT32_MIN, 0, INT32_MAX};
static const uint32_t uint32s[] = {UINT32_MAX, 0, 1};
static const int64_t int64s[] = {INT64_MIN, 0, INT64_MAX};
static const uint64_t uint64s[] = {UINT64_MAX, 0, 1};
static const uint16_t halves[] = {0x3c01, 0, 0xfbff}; /* 1 + 2^-10, -65504 */
static const uint16_t small_halves[] = {0x0001, 0, 0x2e66};
static const float floats[] = {0.1f, 0, -3.4028235e38f};
static const double doubles[] = {0.1, 0, -1.7976931348623157e308};
static const double whole_doubles[] = {40000, 0, 1e22};
static const uint8_t booleans[] = {0x01};
static const int32_t days[] = {0, 0, -719528};
static const int64_t milliseconds[] = {86400000, 0, -86400000};
static const int64_t timestamps[] = {1, 0, -1};
static const uint64_t decimals[] = {1250, 0, 0, 0, (uint64_t)-5, UINT64_MAX};
/* 10^38 - 1 and its negative */
static const uint64_t long_decimals[] = {0x098a223fffffffff, 0x4b3b4ca85a86c47a, 0, 0,
                                         0xf675ddc000000001, 0xb4c4b357a5793b85};
static const int32_t offsets[] = {0, 3, 3, 8};

static void every_type(void **state)
{
    static const struct {
        const char *format;
        const void *data;
        const char *first, *third;
        kn_type type;
    } rows[] = {
        {"c", int8s, "-128", "127", KN_TYPE_INTEGER},
        {"C", uint8s, "255", "7", KN_TYPE_INTEGER},
        {"s", int16s, "-32768", "32767", KN_TYPE_INTEGER},
        {"S", uint16s, "65535", "1", KN_TYPE_INTEGER},
        {"i", int32s, "-2147483648", "2147483647", KN_TYPE_INTEGER},
        {"I", uint32s, "4294967295", "1", KN_TYPE_INTEGER},
        {"l", int64s, "-9223372036854775808", "9223372036854775807", KN_TYPE_INTEGER},
        {"L", uint64s, "18446744073709551615", "1", KN_TYPE_INTEGER},
        {"e", halves, "1.0009766", "-65504", KN_TYPE_DECIMAL},
        {"e", small_halves, "5.9604645e-08", "0.099975586", KN_TYPE_DECIMAL},
        {"f", floats, "0.1", "-3.4028235e+38", KN_TYPE_DECIMAL},
        {"g", doubles, "0.1", "-1.7976931348623157e+308", KN_TYPE_DECIMAL},
        {"g", whole_doubles, "40000", "1e+22", KN_TYPE_DECIMAL},
        {"b", booleans, "true", "false", KN_TYPE_CATEGORY},
        {"tdD", days, "1970-01-01", "0000-01-01", KN_TYPE_DATE},
        {"tdm", milliseconds, "1970-01-02", "1969-12-31", KN_TYPE_DATE},
        {"tss:", timestamps, "1970-01-01T00:00:01", "1969-12-31T23:59:59", KN_TYPE_CATEGORY},
        {"tsm:", timestamps, "1970-01-01T00:00:00.001", "1969-12-31T23:59:59.999",
         KN_TYPE_CATEGORY},
        {"tsu:UTC", timestamps, "1970-01-01T00:00:00.000001Z", "1969-12-31T23:59:59.999999Z",
         KN_TYPE_CATEGORY},
        {"tsn:Europe/Athens", timestamps, "1970-01-01T00:00:00.000000001Z",
         "1969-12-31T23:59:59.999999999Z", KN_TYPE_CATEGORY},
        {"d:5,2", decimals, "12.50", "-0.05", KN_TYPE_DECIMAL},
        {"d:5,0,128", decimals, "1250", "-5", KN_TYPE_INTEGER},
        {"d:5,-2", decimals, "125000", "-500", KN_TYPE_INTEGER},
        {"d:38,38", decimals, "0.00000000000000000000000000000000001250",
         "-0.00000000000000000000000000000000000005", KN_TYPE_DECIMAL},
        {"d:38,0", long_decimals, "99999999999999999999999999999999999999",
         "-99999999999999999999999999999999999999", KN_TYPE_INTEGER},
    };

    (void)state;
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        made m = {0};
        kn_dataset *ds;
        struct ArrowArrayStream out;
        struct ArrowSchema schema;
        kn_error err = {0};
        add_field(&m, rows[i].format, "x");
        add_batch(&m, 3);
        add_array(&m, an_array(&m, 3, 2, odd, rows[i].data, NULL));
        ds = must_take(&m, NULL);
        assert_int_equal(kn_dataset_records(ds), 3);
        assert_cell(ds, "x", 0, rows[i].first);
        assert_cell(ds, "x", 1, NULL);
        assert_cell(ds, "x", 2, rows[i].third);
        assert_int_equal(kn_dataset_type(ds, 0), rows[i].type);
        /* It comes back as what it was. */
        assert_int_equal(kn_dataset_to_arrow(&out, ds, NULL, &err), KN_OK);
        kn_dataset_free(ds);
        assert_int_equal(out.get_schema(&out, &schema), 0);
        assert_string_equal(schema.children[0]->format, rows[i].format);
        schema.release(&schema);
        assert_int_equal(kn_dataset_from_arrow(&ds, &out, NULL, NULL, &err), KN_OK);
        assert_cell(ds, "x", 0, rows[i].first);
        assert_cell(ds, "x", 1, NULL);
        assert_cell(ds, "x", 2, rows[i].third);
        kn_dataset_free(ds);
    }
}

/* A view that is not inline. */
static void long_view(unsigned char *view, int32_t len, int32_t buffer, int32_t offset)
{
    const int32_t parts[4] = {len, 0, buffer, offset};

    memcpy(view, parts, sizeof parts);
}

static void texts(void **state)
{
    static const char bytes[] = "caf\xc3\xa9"
                                "abc",
                      far[] = "##a text of more than twelve bytes";
    static const int64_t sizes[] = {3, sizeof far - 1};
    unsigned char views[48] = {0};
    made m = {0};
    struct ArrowArray *a;
    kn_dataset *ds;

    (void)state;
    views[0] = 12;
    memcpy(views + 4, "twelve bytes", 12);
    long_view(views + 32, (int32_t)sizeof far - 3, 1, 2);
    add_field(&m, "u", "small");
    add_field(&m, "U", "large");
    add_field(&m, "vu", "view");
    add_batch(&m, 3);
    add_array(&m, an_array(&m, 3, 3, NULL, ((const int32_t[]){0, 5, 5, 8}), bytes));
    add_array(&m, an_array(&m, 3, 3, odd, ((const int64_t[]){0, 5, 5, 8}), bytes));
    a = add_array(&m, an_array(&m, 3, 5, odd, views, "none"));
    a->buffers[3] = far;
    a->buffers[4] = sizes;
    ds = must_take(&m, NULL);
    assert_cell(ds, "small", 0, "caf\xc3\xa9");
    assert_cell(ds, "small", 1, NULL); /* the empty text means missing, as everywhere */
    assert_cell(ds, "small", 2, "abc");
    assert_cell(ds, "large", 0, "caf\xc3\xa9");
    assert_cell(ds, "large", 1, NULL);
    assert_cell(ds, "large", 2, "abc");
    assert_cell(ds, "view", 0, "twelve bytes");
    assert_cell(ds, "view", 1, NULL);
    assert_cell(ds, "view", 2, far + 2);
    assert_string_equal(ds->column[0].arrow, "u"); /* and as such it comes back */
    assert_string_equal(ds->column[2].arrow, "vu");
    kn_dataset_free(ds);
}

static void nulls(void **state)
{
    made m = {0};
    struct ArrowArray *b;
    kn_dataset *ds;
    static const uint8_t last_two[] = {0xfe};

    (void)state;
    add_field(&m, "n", "nothing");
    add_field(&m, "i", "x");
    b = add_batch(&m, 3);
    add_array(&m, an_array(&m, 3, 0, NULL, NULL, NULL));
    add_array(&m, an_array(&m, 3, 2, NULL, int32s, NULL));
    b->buffers[0] = last_two; /* a record that is null has no values */
    b->null_count = 1;
    ds = must_take(&m, NULL);
    assert_cell(ds, "nothing", 0, NULL);
    assert_cell(ds, "nothing", 2, NULL);
    assert_cell(ds, "x", 0, NULL);
    assert_cell(ds, "x", 1, "0");
    assert_int_equal(kn_dataset_values(ds, 0), 1);
    kn_dataset_free(ds);
}

/* ---- layout ---- */

static void slices(void **state)
{
    /* Of ten numbers, the column begins at 3, and the batch at 2 of it: 5, 6, 7. */
    static const int32_t ten[] = {0, 1, 2, 3, 4, 5, 6, 7, 8, 9};
    static const uint8_t valid[] = {0xbf, 0xff}; /* not the 6 */
    static const int32_t ends[] = {0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10};
    static const uint8_t flags[] = {0xa0, 0x00};
    made m = {0};
    struct ArrowArray *b;
    kn_dataset *ds;

    (void)state;
    add_field(&m, "i", "x");
    add_field(&m, "u", "t");
    add_field(&m, "b", "f");
    b = add_batch(&m, 3);
    b->offset = 2;
    add_array(&m, an_array(&m, 5, 2, valid, ten, NULL))->offset = 3;
    add_array(&m, an_array(&m, 5, 3, valid, ends, "abcdefghij"))->offset = 3;
    add_array(&m, an_array(&m, 5, 2, valid, flags, NULL))->offset = 3;
    ds = must_take(&m, NULL);
    assert_int_equal(kn_dataset_records(ds), 3);
    assert_cell(ds, "x", 0, "5");
    assert_cell(ds, "x", 1, NULL);
    assert_cell(ds, "x", 2, "7");
    assert_cell(ds, "t", 0, "f");
    assert_cell(ds, "t", 1, NULL);
    assert_cell(ds, "t", 2, "h");
    assert_cell(ds, "f", 0, "true");
    assert_cell(ds, "f", 2, "true");
    kn_dataset_free(ds);
}

static struct ArrowArray *with_dictionary(struct ArrowArray *a, struct ArrowArray *values)
{
    a->dictionary = values;
    return a;
}

static void dictionaries(void **state)
{
    static const char *const formats[] = {"c", "C", "s", "S", "i", "I", "l", "L"};
    static const uint8_t places8[] = {2, 9, 0, 1};
    static const uint16_t places16[] = {2, 9, 0, 1};
    static const uint32_t places32[] = {2, 9, 0, 1};
    static const uint64_t places64[] = {2, 9, 0, 1};
    static const void *const places[] = {places8,  places8,  places16, places16,
                                         places32, places32, places64, places64};
    static const uint8_t not_second[] = {0x05}; /* of the dictionary */
    static const int32_t ends[] = {0, 1, 2, 3, 10};

    (void)state;
    for (size_t i = 0; i < 8; i++) {
        made m = {0};
        kn_dataset *ds;
        add_field(&m, formats[i], "t")->dictionary = a_schema(&m, "u", "");
        add_field(&m, formats[i], "n")->dictionary = a_schema(&m, "i", "");
        add_batch(&m, 4);
        /* The index of a null may be anything, and a value of the dictionary may be null. */
        add_array(&m, with_dictionary(an_array(&m, 4, 2, odd, places[i], NULL),
                                      an_array(&m, 4, 3, not_second, ends, "zyxunused")));
        add_array(&m, with_dictionary(an_array(&m, 4, 2, odd, places[i], NULL),
                                      an_array(&m, 3, 2, NULL, int32s, NULL)));
        ds = must_take(&m, NULL);
        assert_cell(ds, "t", 0, "x");
        assert_cell(ds, "t", 1, NULL);
        assert_cell(ds, "t", 2, "z");
        assert_cell(ds, "t", 3, NULL);
        assert_int_equal(kn_dataset_values(ds, 0), 3); /* x, z, missing: in their order */
        assert_cell(ds, "n", 0, "2147483647");
        assert_cell(ds, "n", 2, "-2147483648");
        assert_cell(ds, "n", 3, "0");
        assert_string_equal(ds->column[1].arrow, "i");
        kn_dataset_free(ds);
    }
}

static struct ArrowArray *with_child(made *m, struct ArrowArray *a, struct ArrowArray *child)
{
    static struct ArrowArray *children[64];
    static size_t used;

    (void)m;
    used = (used + 1) % 64;
    children[used] = child;
    a->children = &children[used];
    a->n_children = 1;
    return a;
}

static void list_of(made *m, const char *format, const char *name, struct ArrowSchema *item)
{
    static struct ArrowSchema *children[64];
    static size_t used;
    struct ArrowSchema *s = add_field(m, format, name);

    used = (used + 1) % 64;
    children[used] = item;
    s->children = &children[used];
    s->n_children = 1;
}

static void lists(void **state)
{
    /* [7, 1, 1], null, [], [null, 2] */
    static const int32_t items[] = {7, 1, 1, 9, 0, 2}, ends[] = {0, 3, 4, 4, 6};
    static const int64_t large_ends[] = {0, 3, 4, 4, 6};
    static const uint8_t items_valid[] = {0x2f}, places[] = {1, 0, 0, 9, 1, 0};
    kn_schema *s = schema_of(
        "{\"columns\": {\"sets\": {\"type\": \"set\"}, \"numbers\": {\"type\": "
        "\"numbers\"}}}");
    const kn_read_options options = {.schema = s};
    made m = {0};
    kn_dataset *ds;

    (void)state;
    list_of(&m, "+l", "bags", a_schema(&m, "i", "item"));
    list_of(&m, "+L", "sets", a_schema(&m, "i", "item"));
    list_of(&m, "+l", "numbers", a_schema(&m, "i", "item"));
    list_of(&m, "+L", "coded", a_schema(&m, "C", "item"));
    m.children[3]->children[0]->dictionary = a_schema(&m, "u", "");
    add_batch(&m, 4);
    add_array(&m, with_child(&m, an_array(&m, 4, 2, odd, ends, NULL),
                             an_array(&m, 6, 2, items_valid, items, NULL)));
    add_array(&m, with_child(&m, an_array(&m, 4, 2, odd, large_ends, NULL),
                             an_array(&m, 6, 2, items_valid, items, NULL)));
    add_array(&m, with_child(&m, an_array(&m, 4, 2, odd, ends, NULL),
                             an_array(&m, 6, 2, items_valid, items, NULL)));
    add_array(&m, with_child(&m, an_array(&m, 4, 2, odd, large_ends, NULL),
                             with_dictionary(an_array(&m, 6, 2, items_valid, places, NULL),
                                             an_array(&m, 2, 3, NULL, offsets, "abc"))));
    ds = must_take(&m, &options);
    assert_int_equal(kn_dataset_type(ds, 0), KN_TYPE_BAG);
    assert_int_equal(kn_dataset_type(ds, 1), KN_TYPE_SET);
    assert_int_equal(kn_dataset_type(ds, 2), KN_TYPE_NUMBERS);
    assert_cell(ds, "bags", 0, "1|1|7");
    assert_cell(ds, "bags", 1, "");
    assert_cell(ds, "bags", 2, "");
    assert_cell(ds, "bags", 3, "2");
    assert_cell(ds, "sets", 0, "1|7");
    assert_cell(ds, "numbers", 0, "1|1|7");
    assert_cell(ds, "coded", 0, "abc|abc"); /* the empty text is no item */
    assert_cell(ds, "coded", 3, "abc");
    kn_dataset_free(ds);
    kn_schema_free(s);
}

static void batches(void **state)
{
    static const int32_t first[] = {0, 1}, second[] = {1, 2}, ends[] = {0, 1, 2};
    made m = {0};
    kn_dataset *ds;

    (void)state;
    add_field(&m, "C", "t")->dictionary = a_schema(&m, "u", "");
    add_field(&m, "i", "x");
    assert_int_equal(kn_dataset_records(ds = must_take(&m, NULL)), 0); /* no batch at all */
    assert_int_equal(kn_dataset_columns(ds), 2);
    kn_dataset_free(ds);
    for (size_t i = 0; i < 3; i++) {
        const size_t length = i == 1 ? 0 : 2;
        add_batch(&m, length);
        add_array(&m, with_dictionary(an_array(&m, length, 2, NULL, "\0\1", NULL),
                                      an_array(&m, 2, 3, NULL, ends, i ? "ba" : "ab")));
        add_array(&m, an_array(&m, length, 2, NULL, length ? i ? second : first : NULL, NULL));
    }
    ds = must_take(&m, NULL);
    assert_int_equal(kn_dataset_records(ds), 4);
    assert_cell(ds, "t", 0, "a");
    assert_cell(ds, "t", 1, "b");
    assert_cell(ds, "t", 2, "b");
    assert_cell(ds, "t", 3, "a");
    assert_cell(ds, "x", 2, "1");
    assert_cell(ds, "x", 3, "2");
    assert_int_equal(kn_dataset_values(ds, 1), 3);
    kn_dataset_free(ds);
}

/* ---- schemas ---- */

static void two_columns(made *m)
{
    add_field(m, "i", "id");
    add_field(m, "u", "t");
    add_batch(m, 3);
    add_array(m, an_array(m, 3, 2, NULL, int32s, NULL));
    add_array(m, an_array(m, 3, 3, NULL, offsets, "abcdefgh"));
}

static void roles(void **state)
{
    kn_schema *s = schema_of(
        "{\"columns\": {\"id\": {\"role\": \"identifier\"}, \"blob\": {\"role\": "
        "\"dropped\"}, \"t\": {\"role\": \"sensitive\", \"type\": "
        "\"category\"}}}");
    kn_read_options options = {.schema = s};
    made m = {0};
    kn_dataset *ds;

    (void)state;
    two_columns(&m);
    add_field(&m, "z", "blob"); /* what is not kept may have any type */
    add_array(&m, an_array(&m, 3, 3, NULL, offsets, "abcdefgh"));
    ds = must_take(&m, &options);
    assert_null(ds->column[0].dict);
    assert_int_equal(ds->column[0].order, KN_ORDER_ASCENDING);
    assert_null(ds->column[2].dict);
    assert_int_equal(kn_dataset_role(ds, 1), KN_ROLE_SENSITIVE);
    kn_dataset_free(ds);
    options.keep_dropped = true;
    must_refuse(&m, &options, KN_EINPUT,
                "column 'blob': the Arrow type binary (z) is not supported");
    m.schema.n_children = m.batch[0].n_children = 2;
    options.keep_dropped = false;
    must_refuse(&m, &options, KN_EINPUT, "no column 'blob'"); /* the schema misspells a name */
    kn_schema_free(s);

    s = schema_of("{\"columns\": {\"id\": {\"role\": \"identifier\"}}}");
    options = (kn_read_options){.schema = s, .keep_dropped = true};
    ds = must_take(&m, &options);
    assert_cell(ds, "id", 2, "2147483647");
    kn_dataset_free(ds);
    kn_schema_free(s);
}

static void sorted_identifiers(void **state)
{
    static const int64_t up[] = {8, 9, 10};
    kn_schema *s = schema_of("{\"columns\": {\"id\": {\"role\": \"identifier\"}}}");
    const kn_read_options options = {.schema = s};
    made m = {0};
    kn_dataset *ds;

    (void)state;
    add_field(&m, "l", "id");
    for (size_t i = 0; i < 2; i++) {
        add_batch(&m, i ? 2 : 1);
        add_array(&m, an_array(&m, i ? 2 : 1, 2, NULL, up + i, NULL));
    }
    ds = must_take(&m, &options);
    assert_int_equal(ds->column[0].order, KN_ORDER_ASCENDING);
    kn_dataset_free(ds);
    kn_schema_free(s);
}

/* Columns that become one, texts that are split: record by record. */
static void merged(void **state)
{
    static const int32_t split_ends[] = {0, 3, 3, 6}, list_ends[] = {0, 1, 2, 3};
    kn_schema *s = schema_of(
        "{\"bags\": {\"all\": [\"a\", \"b\"]}, \"nulls\": [\"0\"], \"columns\": {\"t\": {\"type\": "
        "\"set\"}, \"id\": {\"role\": \"identifier\"}, \"hidden\": {\"role\": \"dropped\"}}}");
    kn_read_options options = {.schema = s};
    made m = {0};
    struct ArrowArray *b;
    kn_dataset *ds;

    (void)state;
    add_field(&m, "i", "id");
    add_field(&m, "i", "a");
    add_field(&m, "g", "b");
    add_field(&m, "u", "t");
    list_of(&m, "+l", "l", a_schema(&m, "i", "item"));
    list_of(&m, "+l", "hidden", a_schema(&m, "i", "item"));
    b = add_batch(&m, 3);
    add_array(&m, an_array(&m, 3, 2, NULL, int32s, NULL));
    add_array(&m, an_array(&m, 3, 2, odd, int32s, NULL));
    add_array(&m, an_array(&m, 3, 2, NULL, whole_doubles, NULL));
    add_array(&m, an_array(&m, 3, 3, NULL, split_ends, "x|yz|z"));
    for (int i = 0; i < 2; i++) {
        add_array(&m, with_child(&m, an_array(&m, 3, 2, odd, list_ends, NULL),
                                 an_array(&m, 3, 2, NULL, int32s, NULL)));
    }
    ds = must_take(&m, &options);
    assert_cell(ds, "all", 0, "-2147483648|40000");
    assert_cell(ds, "all", 1, "");
    assert_cell(ds, "all", 2, "2147483647|10000000000000000000000");
    assert_cell(ds, "t", 0, "x|y");
    assert_cell(ds, "t", 1, "");
    assert_cell(ds, "t", 2, "z");
    assert_cell(ds, "l", 0, "-2147483648");
    assert_cell(ds, "l", 1, "");
    kn_dataset_free(ds);
    b->buffers[0] = odd; /* the second record is null */
    b->null_count = 1;
    ds = must_take(&m, &options);
    assert_cell(ds, "l", 1, "");
    assert_cell(ds, "t", 2, "z");
    kn_dataset_free(ds);
    kn_schema_free(s);
}

static void grouped(void **state)
{
    static const int32_t keys[] = {1, 2, 1}, items[] = {5, 6, 7};
    kn_schema *s = schema_of("{\"group_by\": [\"k\"], \"collect\": {\"items\": [\"x\"]}}");
    const kn_read_options options = {.schema = s};
    made m = {0};
    kn_dataset *ds;

    (void)state;
    add_field(&m, "i", "k");
    add_field(&m, "i", "x");
    add_batch(&m, 3);
    add_array(&m, an_array(&m, 3, 2, NULL, keys, NULL));
    add_array(&m, an_array(&m, 3, 2, NULL, items, NULL));
    ds = must_take(&m, &options);
    assert_int_equal(kn_dataset_records(ds), 2);
    assert_cell(ds, "items", 0, "5|7");
    assert_cell(ds, "items", 1, "6");
    assert_null(ds->column[0].dict);
    kn_dataset_free(ds);
    kn_schema_free(s);
}

static void missing_texts(void **state)
{
    kn_schema *none = schema_of("{\"missing\": []}");
    kn_schema *asked = schema_of("{\"missing\": [\"?\", \"0\"]}");
    kn_read_options options = {.schema = asked};
    made m = {0};
    kn_dataset *ds;

    (void)state;
    add_field(&m, "i", "x");
    add_batch(&m, 3);
    add_array(&m, an_array(&m, 3, 2, (const uint8_t[]){0x06}, int32s, NULL));
    ds = must_take(&m, &options);
    assert_cell(ds, "x", 0, NULL);
    assert_cell(ds, "x", 1, NULL); /* 0 means missing, too */
    assert_cell(ds, "x", 2, "2147483647");
    kn_dataset_free(ds);
    options.schema = none;
    must_refuse(&m, &options, KN_EINPUT, "column 'x', record 1: the value is null, and the schema");
    kn_schema_free(none);
    kn_schema_free(asked);
}

/* ---- what is refused ---- */

static void types_refused(void **state)
{
    static const struct {
        const char *format, *words;
    } rows[] = {
        {"z", "binary (z)"},
        {"Z", "large binary"},
        {"vz", "binary view"},
        {"w:16", "binary of a fixed size (w:16)"},
        {"d:40,2,256", "decimal of another width than 128 bits"},
        {"d:9,2,32", "decimal of another width than 128 bits"},
        {"d:39,2", "more than 38 digits"},
        {"d:", "decimal"},
        {"d:5", "decimal"},
        {"tts", "time of day"},
        {"tDs", "duration"},
        {"tiM", "interval"},
        {"tsx:", "unknown"},
        {"ts", "unknown"},
        {"+s", "struct"},
        {"+m", "map"},
        {"+w:3", "list of a fixed size"},
        {"+vl", "list view"},
        {"+vL", "large list view"},
        {"+us:1", "union"},
        {"+r", "run-end encoded"},
        {"", "unknown"},
        {"int", "unknown"},
    };

    kn_schema *s = schema_of("{\"columns\": {\"my column\": {\"role\": \"sensitive\"}}}");
    const kn_read_options options = {.schema = s};

    (void)state;
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        made m = {0}, list = {0};
        add_field(&m, "i", "fine");
        add_field(&m, rows[i].format, "my column");
        must_refuse(&m, &options, KN_EINPUT, rows[i].words);
        must_refuse(&m, &options, KN_EINPUT, "column 'my column': the Arrow type ");
        list_of(&list, "+l", "my column", a_schema(&list, rows[i].format, "item"));
        must_refuse(&list, &options, KN_EINPUT, "the Arrow type list of ");
    }
    kn_schema_free(s);
}

/* A kept column of a type that is not supported: its cells are compared, and come back. */
static void opaque_columns(void **state)
{
    static const int32_t ends[] = {0, 2, 2, 4};
    static const uint8_t valid[] = {0x05};
    made m = {0};
    kn_dataset *ds;
    struct ArrowArrayStream out;
    struct ArrowSchema schema;
    struct ArrowArray batch;
    const int32_t *given;

    (void)state;
    add_field(&m, "z", "blob");
    for (int i = 0; i < 2; i++) {
        add_batch(&m, 3);
        add_array(&m, an_array(&m, 3, 3, valid, ends, "\x00\xff\x00\xff"));
    }
    ds = must_take(&m, NULL);
    assert_int_equal(m.moved, 2);
    assert_cell(ds, "blob", 0, "0x00ff");
    assert_cell(ds, "blob", 1, NULL);
    assert_cell(ds, "blob", 5, "0x00ff");
    assert_true(ds->column[0].opaque);
    assert_int_equal(kn_dataset_to_arrow(&out, ds, NULL, NULL), KN_OK);
    kn_dataset_free(ds);
    assert_int_equal(m.moved, 0); /* what is given back is a copy */
    assert_int_equal(out.get_schema(&out, &schema), 0);
    assert_int_equal(out.get_next(&out, &batch), 0);
    assert_string_equal(schema.children[0]->format, "z");
    assert_int_equal(batch.length, 6);
    given = batch.children[0]->buffers[1];
    assert_int_equal(given[6], 8);
    assert_memory_equal(batch.children[0]->buffers[2], "\x00\xff\x00\xff\x00\xff\x00\xff", 8);
    assert_int_equal(*(const uint8_t *)batch.children[0]->buffers[0], 0x2d);
    schema.release(&schema);
    batch.release(&batch);
    out.release(&out);
}

static void schemas_refused(void **state)
{
    made m = {0};

    (void)state;
    m.schema.format = "i";
    must_refuse(&m, NULL, KN_EINPUT, "holds no record batches");
    m.schema.format = NULL;
    must_refuse(&m, NULL, KN_EINPUT, "holds no record batches");
    m.schema.format = "+s";
    must_refuse(&m, NULL, KN_EINPUT, "has no columns");
    m.schema.n_children = -1;
    must_refuse(&m, NULL, KN_EINPUT, "has no columns");
    m.schema.n_children = 2;
    must_refuse(&m, NULL, KN_EINPUT, "has no columns");
    m.schema.n_children = 0;
    two_columns(&m);
    m.fields[1].name = "id";
    must_refuse(&m, NULL, KN_EINPUT, "two columns are called 'id'");
    m.fields[1].name = NULL;
    must_refuse(&m, NULL, KN_EINPUT, "a column without a name");
    m.fields[1].name = "";
    must_refuse(&m, NULL, KN_EINPUT, "a column without a name");
    m.fields[1].name = "\xff";
    must_refuse(&m, NULL, KN_EINPUT, "not valid UTF-8");
    m.fields[1].name = "t";
    m.fields[1].format = NULL;
    must_refuse(&m, NULL, KN_EINPUT, "column 't': the Arrow schema is wrong: it has no format");
    m.fields[1].format = "u";
    m.fields[1].n_children = 1;
    must_refuse(&m, NULL, KN_EINPUT,
                "column 't': the Arrow schema is wrong: a type that is not "
                "nested has children");
    m.fields[1].format = "+l";
    must_refuse(&m, NULL, KN_EINPUT, "a list has one child");
    m.fields[1].n_children = 2;
    must_refuse(&m, NULL, KN_EINPUT, "a list has one child");
    m.fields[1].n_children = 0;
    m.fields[1].format = "u";
    m.fields[1].dictionary = a_schema(&m, "u", "");
    must_refuse(&m, NULL, KN_EINPUT, "indices that are no integers");
    m.fields[1].format = "C";
    m.fields[2].format = NULL;
    must_refuse(&m, NULL, KN_EINPUT, "a dictionary has no format");
    m.fields[2].format = "C";
    m.fields[2].dictionary = a_schema(&m, "u", "");
    must_refuse(&m, NULL, KN_EINPUT, "a dictionary has a dictionary");
    m.fields[2].dictionary = NULL;
    m.fields[2].format = "+l";
    must_refuse(&m, NULL, KN_EINPUT, "list (+l) is not supported"); /* and has no child */
    m.fields[1].dictionary = NULL;
    m.fields[1].format = "u";
    m.children[1] = NULL;
    must_refuse(&m, NULL, KN_EINPUT, "lacks column 2");
}

/* Change one field of an array, see it refused, and change it back. */
#define REFUSED(field, value, words)             \
    do {                                         \
        const __typeof__(field) before_ = field; \
        field = value;                           \
        must_refuse(&m, NULL, KN_EINPUT, words); \
        field = before_;                         \
    } while (0)

static void arrays_refused(void **state)
{
    made m = {0};
    struct ArrowArray *b, *x, *t;

    (void)state;
    two_columns(&m);
    add_batch(&m, 3); /* a second batch, so that records before it count */
    x = add_array(&m, an_array(&m, 3, 2, NULL, int32s, NULL));
    t = add_array(&m, an_array(&m, 3, 3, NULL, offsets, "abcdefgh"));
    b = &m.batch[1];
    REFUSED(b->length, -1, "record 4: the Arrow record batch");
    REFUSED(b->offset, -1, "record 4: the Arrow record batch");
    REFUSED(b->length, INT64_MAX, "record 4: the Arrow record batch");
    REFUSED(b->null_count, -2, "record 4: the Arrow record batch");
    REFUSED(b->null_count, 1, "record 4: the Arrow record batch");
    REFUSED(b->n_children, 1, "record 4: the Arrow record batch");
    REFUSED(b->n_children, -1, "record 4: the Arrow record batch");
    REFUSED(b->children, NULL, "record 4: the Arrow record batch");
    REFUSED(b->n_buffers, 0, "record 4: the Arrow record batch");
    REFUSED(b->buffers, NULL, "record 4: the Arrow record batch");
    REFUSED(b->children[1], NULL, "column 't', record 4: an Arrow array is missing");
    REFUSED(b->length, 4, "column 'id', record 4: an Arrow array is shorter");
    REFUSED(b->offset, 1, "column 'id', record 4: an Arrow array is shorter");
    REFUSED(x->length, -1, "column 'id', record 4: an Arrow array has an impossible length");
    REFUSED(x->offset, -1, "column 'id', record 4: an Arrow array has an impossible length");
    REFUSED(x->offset, INT64_MAX, "column 'id', record 4: an Arrow array has an impossible length");
    REFUSED(x->null_count, -2, "column 'id', record 4: an Arrow array has an impossible length");
    REFUSED(x->null_count, 1, "column 'id', record 4: an Arrow array has nulls, but no validity");
    REFUSED(x->n_buffers, 3, "column 'id', record 4: an Arrow array has another number of buffers");
    REFUSED(x->n_buffers, -1, "column 'id', record 4: an Arrow array has another number of");
    REFUSED(x->buffers, NULL, "column 'id', record 4: an Arrow array has another number of");
    REFUSED(x->buffers[1], NULL, "column 'id', record 4: an Arrow array has no buffer");
    REFUSED(x->n_children, 1, "column 'id', record 4: an Arrow array has another number of child");
    REFUSED(x->dictionary, t, "column 'id', record 4: an Arrow array has a dictionary");
    REFUSED(t->n_buffers, 2, "column 't', record 4: an Arrow array has another number of buffers");
    REFUSED(t->buffers[2], NULL, "column 't', record 4: the Arrow array has no buffer for its");
    REFUSED(t->buffers[1], ((const int32_t[]){0, 3, 2, 8}), "column 't', record 5: the offsets");
    REFUSED(t->buffers[1], ((const int32_t[]){-1, 3, 3, 8}), "column 't', record 4: the offsets");
    REFUSED(t->buffers[2],
            "ab\xff"
            "defgh",
            "column 't', record 4: the text is not valid UTF-8");
    REFUSED(t->buffers[2], "abcde\0gh", "column 't', record 6: the text is not valid UTF-8");
    kn_dataset_free(must_take(&m, NULL));
}

static void values_refused(void **state)
{
    static const float no_float[] = {1, NAN, INFINITY};
    static const uint16_t no_half[] = {0, 0x7c00, 0};
    static const int32_t no_day[] = {0, 2932897, 0};
    static const int64_t no_whole_day[] = {0, 86400001, 0}, no_time[] = {0, INT64_MAX, 0};
    static const struct {
        const char *format;
        const void *data;
        const char *words;
    } rows[] = {
        {"f", no_float, "column 'x', record 2: the value is infinite or not a number"},
        {"e", no_half, "column 'x', record 2: the value is infinite or not a number"},
        {"tdD", no_day, "column 'x', record 2: the date is not within the years"},
        {"tdm", no_whole_day, "column 'x', record 2: the date is not a whole day"},
        {"tss:", no_time, "column 'x', record 2: the date is not within the years"},
    };
    kn_schema *s = schema_of("{\"columns\": {\"x\": {\"role\": \"dropped\"}}}");
    const kn_read_options options = {.schema = s};

    (void)state;
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        made m = {0};
        add_field(&m, rows[i].format, "x");
        add_batch(&m, 3);
        add_array(&m, an_array(&m, 3, 2, NULL, rows[i].data, NULL));
        must_refuse(&m, NULL, KN_EINPUT, rows[i].words);
        kn_dataset_free(must_take(&m, &options)); /* what is not kept does no harm */
    }
    kn_schema_free(s);
}

static void dictionaries_refused(void **state)
{
    made m = {0};
    struct ArrowSchema *field = add_field(&m, "c", "t");
    struct ArrowArray *a, *values;

    (void)state;
    field->dictionary = a_schema(&m, "u", "");
    add_batch(&m, 2);
    values = an_array(&m, 3, 3, NULL, offsets, "abcdefgh");
    a = add_array(&m, with_dictionary(an_array(&m, 2, 2, NULL, "\0\2", NULL), values));
    REFUSED(a->buffers[1], "\0\3", "column 't', record 2: the index is outside the dictionary");
    REFUSED(a->buffers[1], "\0\xff", "column 't', record 2: the index is outside the dictionary");
    REFUSED(a->dictionary, NULL, "column 't', record 1: an Arrow array lacks its dictionary");
    REFUSED(values->length, -5, "column 't', record 1: an Arrow array has an impossible length");
    REFUSED(values->length, 2, "column 't', record 2: the index is outside the dictionary");
    REFUSED(values->n_buffers, 2, "column 't', record 1: an Arrow array has another number of");
    field->format = "L";
    REFUSED(a->buffers[1], ((const uint64_t[]){0, UINT64_MAX}),
            "column 't', record 2: the index is outside the dictionary");
}

static void lists_refused(void **state)
{
    static const int32_t ends[] = {0, 2, 3};
    made m = {0};
    struct ArrowArray *a, *items;

    (void)state;
    list_of(&m, "+l", "l", a_schema(&m, "i", "item"));
    add_batch(&m, 2);
    items = an_array(&m, 3, 2, NULL, int32s, NULL);
    a = add_array(&m, with_child(&m, an_array(&m, 2, 2, NULL, ends, NULL), items));
    REFUSED(a->buffers[1], ((const int32_t[]){0, 2, 1}), "column 'l', record 2: the offsets of");
    REFUSED(a->buffers[1], ((const int32_t[]){-1, 2, 3}), "column 'l', record 1: the offsets of");
    REFUSED(a->buffers[1], ((const int32_t[]){0, 2, 4}), "column 'l', record 2: the list ends");
    REFUSED(a->buffers[1], NULL, "column 'l', record 1: an Arrow array has no buffer");
    REFUSED(a->n_children, 0, "column 'l', record 1: an Arrow array has another number of child");
    REFUSED(a->children, NULL, "column 'l', record 1: an Arrow array has another number of child");
    REFUSED(a->children[0], NULL, "column 'l', record 1: an Arrow array has another number of");
    REFUSED(items->length, -1, "column 'l', record 1: an Arrow array has an impossible length");
    REFUSED(items->length, 2, "column 'l', record 2: the list ends after the last item");
    REFUSED(items->buffers[1], NULL, "column 'l', record 1: an Arrow array has no buffer");
}

static void views_refused(void **state)
{
    static const char far[] = "a text of more than twelve bytes";
    static const int64_t sizes[] = {sizeof far - 1};
    unsigned char view[16];
    made m = {0};
    struct ArrowArray *a;

    (void)state;
    add_field(&m, "vu", "v");
    add_batch(&m, 1);
    a = add_array(&m, an_array(&m, 1, 4, NULL, view, far));
    a->buffers[3] = sizes;
    long_view(view, 32, 0, 0);
    kn_dataset_free(must_take(&m, NULL));
    REFUSED(a->buffers[3], NULL, "column 'v', record 1: an Arrow array of string views");
    REFUSED(a->buffers[2], NULL, "column 'v', record 1: the string view is negative or of");
    REFUSED(a->n_buffers, 2, "column 'v', record 1: an Arrow array has another number of buffers");
    long_view(view, -1, 0, 0);
    must_refuse(&m, NULL, KN_EINPUT, "column 'v', record 1: the string view is negative or of");
    long_view(view, 13, 1, 0);
    must_refuse(&m, NULL, KN_EINPUT, "column 'v', record 1: the string view is negative or of");
    long_view(view, 13, -1, 0);
    must_refuse(&m, NULL, KN_EINPUT, "column 'v', record 1: the string view is negative or of");
    long_view(view, 13, 0, -1);
    must_refuse(&m, NULL, KN_EINPUT, "column 'v', record 1: the string view is negative or of");
    long_view(view, 13, 0, 20);
    must_refuse(&m, NULL, KN_EINPUT, "column 'v', record 1: the string view ends after");
    long_view(view, INT32_MAX, 0, INT32_MAX);
    must_refuse(&m, NULL, KN_EINPUT, "column 'v', record 1: the string view ends after");
}

/* ---- streams ---- */

static void streams_that_fail(void **state)
{
    made m = {0};
    kn_dataset *ds;
    kn_error err = {0};

    (void)state;
    two_columns(&m);
    m.words = "the network is gone";
    m.fail_schema = EIO;
    must_refuse(&m, NULL, KN_EIO, "the Arrow stream failed: the network is gone");
    m.fail_schema = 0;
    m.fail_next = EIO;
    must_refuse(&m, NULL, KN_EIO, "the Arrow stream failed: the network is gone");
    m.words = NULL;
    must_refuse(&m, NULL, KN_EIO, "the Arrow stream failed: ");
    m.fail_next = ENOMEM;
    must_refuse(&m, NULL, KN_ENOMEM, "memory");
    m.fail_next = 0;
    kn_dataset_free(must_take(&m, NULL));
    assert_int_equal(kn_dataset_from_arrow(&ds, &m.opened, NULL, NULL, &err), KN_EUSAGE);
    assert_non_null(strstr(err.message, "released before"));
    assert_int_equal(kn_dataset_from_arrow(&ds, NULL, NULL, NULL, &err), KN_EUSAGE);
    assert_int_equal(kn_dataset_from_arrow(NULL, open_made(&m), NULL, NULL, &err), KN_EUSAGE);
    assert_released(&m);
    open_made(&m)->get_next = NULL;
    assert_int_equal(kn_dataset_from_arrow(&ds, &m.opened, NULL, NULL, &err), KN_EUSAGE);
    assert_released(&m);
}

static int cancel(void *user, const char *phase, double done)
{
    int *left = user;

    (void)done;
    assert_string_equal(phase, "read");
    return (*left)-- == 0;
}

static void cancelled(void **state)
{
    made m = {0};
    kn_dataset *ds;
    kn_error err = {0};
    int left = 1;
    const kn_run run = {.progress = cancel, .user = &left};

    (void)state;
    two_columns(&m);
    add_batch(&m, 3);
    add_array(&m, an_array(&m, 3, 2, NULL, int32s, NULL));
    add_array(&m, an_array(&m, 3, 3, NULL, offsets, "abcdefgh"));
    assert_int_equal(kn_dataset_from_arrow(&ds, open_made(&m), NULL, &run, &err), KN_ECANCELLED);
    assert_null(ds);
    assert_released(&m);
}

static void no_memory(void **state)
{
    static const int64_t many[] = {1,  2,  3,  4,  5,  6,  7,  8,  9,  10, 11, 12, 13, 14,
                                   15, 16, 17, 18, 19, 20, 21, 22, 23, 24, 25, 26, 27, 28,
                                   29, 30, 31, 32, 33, 34, 35, 36, 37, 38, 39, 40, 41};
    static const uint8_t places[40] = {2, 1, 0};
    const size_t before = kn_memory_in_use();
    const kn_run run = {.threads = 1};
    kn_status status = KN_ENOMEM;
    made m = {0};
    size_t n = 0;

    (void)state;
    add_field(&m, "l", "x");
    add_field(&m, "C", "t")->dictionary = a_schema(&m, "u", "");
    list_of(&m, "+L", "l", a_schema(&m, "i", "item"));
    for (int i = 0; i < 2; i++) {
        add_batch(&m, 40);
        add_array(&m, an_array(&m, 40, 2, odd, many, NULL))->null_count = 0;
        m.arrays[m.used_arrays - 1].buffers[0] = NULL;
        add_array(&m, with_dictionary(an_array(&m, 40, 2, NULL, places, NULL),
                                      an_array(&m, 3, 3, NULL, offsets, "abcdefgh")));
        add_array(&m, with_child(&m, an_array(&m, 40, 2, NULL, many, NULL),
                                 an_array(&m, 41, 2, NULL, many, NULL)));
    }
    while (status == KN_ENOMEM) {
        kn_dataset *ds = NULL;
        kn_error err = {0};
        kn__memory_fail_after(++n);
        status = kn_dataset_from_arrow(&ds, open_made(&m), NULL, &run, &err);
        kn__memory_fail_after(0);
        assert_released(&m);
        assert_true((ds != NULL) == (status == KN_OK));
        kn_dataset_free(ds);
        assert_int_equal(kn_memory_in_use(), before);
    }
    assert_int_equal(status, KN_OK);
    assert_true(n > 40);
}

/* Take a column of structs, with texts, a dictionary and lists below, and give it back; any
 * allocation may fail. */
static void opaque_without_memory(void **state)
{
    static const uint8_t places[] = {2, 0, 2};
    static const int32_t ends[] = {0, 2, 2, 3};
    static const uint8_t valid[] = {0x05};
    const size_t before = kn_memory_in_use();
    const kn_run run = {.threads = 1};
    struct ArrowSchema *types[3];
    struct ArrowArray *children[2][3], *struct_array;
    kn_status status = KN_ENOMEM;
    made m = {0};
    size_t n = 0;

    (void)state;
    types[0] = a_schema(&m, "z", "bytes");
    types[1] = a_schema(&m, "C", "word");
    types[1]->dictionary = a_schema(&m, "u", "");
    types[2] = a_schema(&m, "w:2", "pair");
    *add_field(&m, "+s", "x") = (struct ArrowSchema){
        .format = "+s", .name = "x", .n_children = 3, .children = types};
    for (int i = 0; i < 2; i++) {
        add_batch(&m, 3);
        children[i][0] = an_array(&m, 3, 3, valid, ends, "abc");
        children[i][1] = with_dictionary(an_array(&m, 3, 2, NULL, places, NULL),
                                         an_array(&m, 3, 3, NULL, offsets, "abcdefgh"));
        children[i][2] = an_array(&m, 3, 2, NULL, "uvwxyz", NULL);
        struct_array = an_array(&m, 3, 1, NULL, NULL, NULL);
        struct_array->n_children = 3;
        struct_array->children = children[i];
        add_array(&m, struct_array);
    }
    while (status == KN_ENOMEM) {
        struct ArrowArrayStream out = {0};
        kn_dataset *ds = NULL;
        kn__memory_fail_after(++n);
        status = kn_dataset_from_arrow(&ds, open_made(&m), NULL, &run, NULL);
        if (status == KN_OK) {
            status = kn_dataset_to_arrow(&out, ds, &run, NULL);
        }
        kn__memory_fail_after(0);
        kn_dataset_free(ds);
        assert_true((out.release != NULL) == (status == KN_OK));
        if (out.release) {
            out.release(&out);
        }
        assert_int_equal(m.moved, 0);
        assert_int_equal(kn_memory_in_use(), before);
    }
    assert_int_equal(status, KN_OK);
    assert_true(n > 40);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_type),
        cmocka_unit_test(texts),
        cmocka_unit_test(nulls),
        cmocka_unit_test(slices),
        cmocka_unit_test(dictionaries),
        cmocka_unit_test(lists),
        cmocka_unit_test(batches),
        cmocka_unit_test(roles),
        cmocka_unit_test(sorted_identifiers),
        cmocka_unit_test(merged),
        cmocka_unit_test(grouped),
        cmocka_unit_test(missing_texts),
        cmocka_unit_test(types_refused),
        cmocka_unit_test(opaque_columns),
        cmocka_unit_test(opaque_without_memory),
        cmocka_unit_test(schemas_refused),
        cmocka_unit_test(arrays_refused),
        cmocka_unit_test(values_refused),
        cmocka_unit_test(dictionaries_refused),
        cmocka_unit_test(lists_refused),
        cmocka_unit_test(views_refused),
        cmocka_unit_test(streams_that_fail),
        cmocka_unit_test(cancelled),
        cmocka_unit_test(no_memory),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
