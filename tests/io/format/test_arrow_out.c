/* test_arrow_out.c - kn_dataset_to_arrow: types, ownership, and the way back. */
#include "io/format/arrow_case.h"

static kn_dataset *read_csv(const char *text, const char *json)
{
    kn_schema *s = json ? schema_of(json) : NULL;
    const kn_read_options options = {.schema = s};
    kn_dataset *ds;

    put_text("in.csv", text);
    ds = must_read("in.csv", &options);
    kn_schema_free(s);
    return ds;
}

/* Opens the stream of `ds`, which it frees. */
static void must_give(struct ArrowArrayStream *out, kn_dataset *ds)
{
    kn_error err = {0};

    if (kn_dataset_to_arrow(out, ds, NULL, &err) != KN_OK) {
        fail_msg("%s", err.message);
    }
    kn_dataset_free(ds);
}

static kn_dataset *must_come_back(struct ArrowArrayStream *stream, const kn_read_options *options)
{
    kn_dataset *ds = NULL;
    kn_error err = {0};
    const char *reason = "";

    if (kn_dataset_from_arrow(&ds, stream, options, NULL, &err) != KN_OK) {
        fail_msg("%s", err.message);
    }
    assert_null(stream->release);
    if (!kn__dataset_validate(ds, &reason)) {
        fail_msg("%s", reason);
    }
    return ds;
}

static void types(void **state)
{
    static const char csv[] = "whole,padded,huge,ragged,money,mixed,day,word,empty\n"
                              "1,007,1,0.1,12.50,1.50,2024-02-29,b,\n"
                              ",,123456789012345678901,2.25,0.05,2.5,1999-12-31,a,\n"
                              "-3,8,2,,,,,,\n";
    static const char json[] = "{\"columns\": {\"padded\": {\"type\": \"integer\"}}}";
    static const char *const formats[] = {"l", "C", "C", "g", "d:38,2", "C", "tdD", "C", "C"};
    const size_t before = kn_memory_in_use();
    struct ArrowArrayStream out;
    struct ArrowSchema schema, again;
    struct ArrowArray batch, end;
    const struct ArrowArray *word;

    (void)state;
    must_give(&out, read_csv(csv, json));
    assert_int_equal(out.get_schema(&out, &schema), 0);
    assert_int_equal(out.get_schema(&out, &again), 0);
    assert_string_equal(schema.format, "+s");
    assert_int_equal(schema.n_children, 9);
    for (size_t i = 0; i < 9; i++) {
        const struct ArrowSchema *s = schema.children[i];
        assert_string_equal(s->format, formats[i]);
        assert_int_equal(s->flags, ARROW_FLAG_NULLABLE);
        assert_true((s->dictionary != NULL) == (strcmp(formats[i], "C") == 0));
        if (s->dictionary) {
            assert_string_equal(s->dictionary->format, "U");
        }
    }
    schema.release(&schema);
    assert_null(schema.release);
    assert_string_equal(again.children[8]->name, "empty");
    again.release(&again);

    assert_int_equal(out.get_next(&out, &batch), 0);
    assert_int_equal(out.get_next(&out, &end), 0);
    assert_null(end.release);
    out.release(&out); /* the batch lives on */
    assert_null(out.release);
    assert_int_equal(batch.length, 3);
    assert_int_equal(batch.children[0]->null_count, 1);
    assert_int_equal(((const int64_t *)batch.children[0]->buffers[1])[2], -3);
    assert_int_equal(((const uint8_t *)batch.children[0]->buffers[0])[0] & 7, 5);
    assert_true(((const double *)batch.children[3]->buffers[1])[1] == 2.25);
    assert_int_equal(((const uint64_t *)batch.children[4]->buffers[1])[0], 1250);
    word = batch.children[7];
    assert_int_equal(word->null_count, 1);
    assert_int_equal(word->dictionary->length, 2); /* the missing value is no entry */
    assert_memory_equal(word->dictionary->buffers[2], "ab", 2);
    assert_int_equal(((const uint8_t *)word->buffers[1])[0], 1);
    assert_int_equal(batch.children[8]->dictionary->length, 0);
    batch.release(&batch);
    assert_int_equal(kn_memory_in_use(), before);
}

static void lists(void **state)
{
    struct ArrowArrayStream out;
    struct ArrowSchema schema;
    kn_schema *s = schema_of("{\"columns\": {\"n\": {\"type\": \"numbers\"}}}");
    const kn_read_options options = {.schema = s};
    kn_dataset *ds;

    (void)state;
    must_give(&out, read_csv("s,n\nb|a,2|1\n,\na,2.5|2.5\n",
                             "{\"columns\": {\"s\": {\"type\": \"set\"}, \"n\": {\"type\": "
                             "\"numbers\"}}}"));
    assert_int_equal(out.get_schema(&out, &schema), 0);
    assert_string_equal(schema.children[0]->format, "+L");
    assert_string_equal(schema.children[0]->children[0]->format, "C");
    assert_string_equal(schema.children[1]->format, "+L");
    assert_string_equal(schema.children[1]->children[0]->format, "g");
    schema.release(&schema);
    ds = must_come_back(&out, &options);
    assert_cell(ds, "s", 0, "a|b");
    assert_cell(ds, "s", 1, "");
    assert_cell(ds, "n", 0, "1|2");
    assert_cell(ds, "n", 2, "2.5|2.5");
    kn_dataset_free(ds);
    /* Lists of numbers have a spelling of their own. */
    must_give(&out,
              read_csv("n\n1e22|1e-1\n12.5\n", "{\"columns\": {\"n\": {\"type\": \"numbers\"}}}"));
    assert_int_equal(out.get_schema(&out, &schema), 0);
    assert_string_equal(schema.children[0]->children[0]->format, "g");
    schema.release(&schema);
    ds = must_come_back(&out, &options);
    assert_cell(ds, "n", 0, "0.1|10000000000000000000000");
    assert_cell(ds, "n", 1, "12.5");
    kn_dataset_free(ds);
    kn_schema_free(s);
}

/* Values of records that were left out: none of their bytes is given, as a dictionary or as views.
 */
static void only_what_is_used(void **state)
{
    static const char csv[] = "w,v\nthe second of the texts,the first long text\n,\n"
                              "a text,another text that is long\n"
                              "only a record that is left out has it,and this one\n";
    const size_t before = kn_memory_in_use();
    kn_dataset *ds = read_csv(csv, NULL);
    struct ArrowArrayStream out;
    struct ArrowArray batch;
    const struct ArrowArray *word, *view;

    (void)state;
    ds->records--;
    ds->column[1].arrow = kn__strdup("vu");
    must_give(&out, ds);
    assert_int_equal(out.get_next(&out, &batch), 0);
    word = batch.children[0];
    assert_int_equal(word->dictionary->length, 2);
    assert_int_equal(((const int64_t *)word->dictionary->buffers[1])[2], 29);
    assert_memory_equal(word->dictionary->buffers[2], "a textthe second of the texts", 29);
    assert_memory_equal(word->buffers[1], "\1\0\0", 3);
    assert_int_equal(word->null_count, 1);
    view = batch.children[1];
    assert_int_equal(((const int64_t *)view->buffers[3])[0], 44);
    assert_memory_equal(view->buffers[2], "another text that is longthe first long text", 44);
    assert_int_equal(((const uint32_t *)view->buffers[1])[3], 25);
    assert_int_equal(((const uint32_t *)view->buffers[1])[11], 0);
    batch.release(&batch);
    out.release(&out);
    assert_int_equal(kn_memory_in_use(), before);
}

/* Consumers may move children out of a batch, and release them when and in which order they like.
 */
static void moved_children(void **state)
{
    const size_t before = kn_memory_in_use();
    struct ArrowArrayStream out;
    struct ArrowArray batch, word, values;

    (void)state;
    must_give(&out, read_csv("w,x\nb,1\na,2\n", NULL));
    assert_int_equal(out.get_next(&out, &batch), 0);
    word = *batch.children[0];
    batch.children[0]->release = NULL;
    batch.release(&batch);
    out.release(&out);
    values = *word.dictionary;
    word.dictionary->release = NULL;
    word.release(&word);
    assert_memory_equal(values.buffers[2], "ab", 2); /* the dataset's own memory */
    values.release(&values);
    assert_int_equal(kn_memory_in_use(), before);

    must_give(&out, read_csv("w,x\nb,1\na,2\n", NULL));
    out.release(&out); /* nothing was taken from it */
    assert_int_equal(kn_memory_in_use(), before);
}

static void refused(void **state)
{
    static const char hidden[] =
        "{\"columns\": {\"a\": {\"role\": \"identifier\"}, \"b\": {\"role\": "
        "\"dropped\"}}}";
    kn_dataset *ds = read_csv("a,b\n1,2\n", hidden);
    struct ArrowArrayStream out;
    struct ArrowSchema schema;
    kn_error err = {0};

    (void)state;
    assert_int_equal(kn_dataset_to_arrow(&out, ds, NULL, &err), KN_EUSAGE);
    assert_non_null(strstr(err.message, "nothing is left to write"));
    assert_null(out.release);
    ds->column[1].role = KN_ROLE_KEPT;
    assert_int_equal(kn_dataset_to_arrow(&out, ds, NULL, &err), KN_EUSAGE);
    assert_non_null(strstr(err.message, "column 'b' cannot be written"));
    assert_null(out.release);
    kn_dataset_free(ds);
    must_give(&out, read_csv("a,b,c\n1,2,3\n", hidden));
    assert_int_equal(out.get_schema(&out, &schema), 0);
    assert_int_equal(schema.n_children, 1);
    assert_string_equal(schema.children[0]->name, "c");
    schema.release(&schema);
    out.release(&out);
}

static int cancel(void *user, const char *phase, double done)
{
    (void)user;
    (void)done;
    assert_string_equal(phase, "write");
    return 1;
}

static void cancelled(void **state)
{
    const kn_run run = {.progress = cancel, .threads = 1};
    kn_dataset *ds = read_csv("a,b\n1,2\n", NULL);
    struct ArrowArrayStream out;
    kn_error err = {0};

    (void)state;
    assert_int_equal(kn_dataset_to_arrow(&out, ds, &run, &err), KN_ECANCELLED);
    assert_null(out.release);
    kn_dataset_free(ds);
}

/* ---- the way back ---- */

static void random_cell(kn_buffer *out, kn_rng *rng, size_t kind)
{
    const uint32_t n = (uint32_t)kn__rng_below(rng, 40);

    if (n == 0) {
        return; /* missing, or an empty list */
    }
    switch (kind) {
    case 0: kn__buffer_addf(out, "%d", (int)n - 20); break;
    case 1: kn__buffer_addf(out, "%d.%02d", (int)n, (int)n * 7 % 100); break;
    case 2: kn__buffer_addf(out, "20%02d-0%d-1%d", (int)n, (int)n % 9 + 1, (int)n % 10); break;
    case 3: kn__buffer_addf(out, "w\xc3\xb6rd%d", (int)n); break;
    case 4:
        for (uint32_t i = 0; i < n % 5; i++) {
            kn__buffer_addf(out, "%si%d", i ? "|" : "", (int)kn__rng_below(rng, 9));
        }
        break;
    default: kn__buffer_addf(out, "%d.5e%d", (int)n, (int)n * 3 - 50); break;
    }
}

static void round_trips(void **state)
{
    static const char *const names[] = {"int", "dec", "day", "text", "set", "exp"};
    kn_schema *s = schema_of("{\"columns\": {\"set\": {\"type\": \"set\"}}}");
    const kn_read_options options = {.schema = s};

    (void)state;
    for (uint64_t seed = 1; seed <= 200; seed++) {
        kn_rng rng;
        kn_buffer text = {0};
        kn_dataset *there, *back;
        struct ArrowArrayStream out;
        kn__rng_seed(&rng, seed, 0);
        kn__buffer_adds(&text, "int,dec,day,text,set,exp\n");
        for (size_t i = 1 + kn__rng_below(&rng, seed % 10 ? 60 : 700); i > 0; i--) {
            for (size_t kind = 0; kind < 6; kind++) {
                random_cell(&text, &rng, kind);
                kn__buffer_addc(&text, kind == 5 ? '\n' : ',');
            }
        }
        there = read_csv(text.data, "{\"columns\": {\"set\": {\"type\": \"set\"}}}");
        (void)kn__dataset_share(there);
        must_give(&out, there);
        back = must_come_back(&out, &options);
        assert_int_equal(back->records, there->records);
        for (size_t c = 0; c < 6; c++) {
            assert_string_equal(kn_dataset_name(back, c), names[c]);
            assert_int_equal(kn_dataset_values(back, c), kn_dataset_values(there, c));
            assert_int_equal(kn_dataset_type(back, c), kn_dataset_type(there, c));
            for (size_t i = 0; i < there->records; i++) {
                char wanted[200];
                (void)snprintf(wanted, sizeof wanted, "%s", cell_text(there, c, i));
                assert_string_equal(cell_text(back, c, i), wanted);
            }
        }
        kn_dataset_free(back);
        kn_dataset_free(there);
        kn__buffer_free(&text);
    }
    kn_schema_free(s);
}

static void no_memory(void **state)
{
    kn_dataset *ds = read_csv("i,w,s,d\n1,b,x|y,0.5\n,a,,1.5\n3,,y,\n",
                              "{\"columns\": {\"s\": {\"type\": \"set\"}}}");
    const size_t before = kn_memory_in_use();
    const kn_run run = {.threads = 1};
    kn_status status = KN_ENOMEM;
    struct ArrowArrayStream out;
    struct ArrowSchema schema;
    int code = ENOMEM;
    size_t n = 0;

    (void)state;
    while (status == KN_ENOMEM) {
        kn_error err = {0};
        kn__memory_fail_after(++n);
        status = kn_dataset_to_arrow(&out, ds, &run, &err);
        kn__memory_fail_after(0);
        assert_true((out.release != NULL) == (status == KN_OK));
        assert_true(status == KN_OK || kn_memory_in_use() == before);
    }
    assert_int_equal(status, KN_OK);
    assert_true(n > 20);
    for (n = 1; code == ENOMEM; n++) {
        kn__memory_fail_after(n);
        code = out.get_schema(&out, &schema);
        kn__memory_fail_after(0);
        if (code == ENOMEM) {
            assert_non_null(out.get_last_error(&out));
            assert_null(schema.release);
        }
    }
    assert_int_equal(code, 0);
    schema.release(&schema);
    out.release(&out);
    assert_int_equal(kn_memory_in_use(), before);
    kn_dataset_free(ds);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(types),       cmocka_unit_test(only_what_is_used),
        cmocka_unit_test(lists),       cmocka_unit_test(moved_children),
        cmocka_unit_test(refused),     cmocka_unit_test(cancelled),
        cmocka_unit_test(round_trips), cmocka_unit_test(no_memory),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
