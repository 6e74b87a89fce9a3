/* Related tables into trees and back: against nested loops over the tables, and as a round trip of
 * trees whose relations were removed at random. */
#include "base/memory.h"
#include "base/rng.h"
#include "data/dataset.h"
#include "kanon/io.h"
#include "kanon/relations.h"
#include "oracle/trees.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cmocka.h>

static void put(const char *path, const char *text)
{
    FILE *f = fopen(path, "wb");

    assert_non_null(f);
    assert_int_equal(fwrite(text, 1, strlen(text), f), strlen(text));
    assert_int_equal(fclose(f), 0);
}

/* ---- tables to trees, against nested loops ---- */

enum { MOST = 12 };
typedef struct small {
    int rows;
    int up[MOST], other[MOST]; /* foreign keys */
    char value[2][MOST];       /* '\0': missing */
} small;

static void random_table(kn_rng *rng, small *t, int above, int others)
{
    t->rows = 1 + (int)kn__rng_below(rng, MOST - 1);
    for (int i = 0; i < t->rows; i++) {
        t->up[i] = above ? (int)kn__rng_below(rng, (uint64_t)above) : 0;
        t->other[i] = others ? (int)kn__rng_below(rng, (uint64_t)others + 1) : 0;
        for (int c = 0; c < 2; c++) {
            const uint64_t x = kn__rng_below(rng, 5);
            t->value[c][i] = x == 0 ? '\0' : (char)('a' + x);
        }
    }
}

static void write_table(const char *path, const char *header, const small *t, bool up, int others)
{
    char text[4096];
    int len = snprintf(text, sizeof text, "%s\n", header);

    for (int i = 0; i < t->rows; i++) {
        len += snprintf(text + len, sizeof text - (size_t)len, "k%d", i);
        if (up) {
            len += snprintf(text + len, sizeof text - (size_t)len, ",k%d", t->up[i]);
        }
        if (others) { /* one more than there are: a missing key */
            len += t->other[i] == others
                       ? snprintf(text + len, sizeof text - (size_t)len, ",")
                       : snprintf(text + len, sizeof text - (size_t)len, ",k%d", t->other[i]);
        }
        for (int c = 0; c < 2; c++) {
            const char value[] = {t->value[c][i], '\0'};
            len += snprintf(text + len, sizeof text - (size_t)len, ",%s", value);
        }
        len += snprintf(text + len, sizeof text - (size_t)len, "\n");
    }
    put(path, text);
}

static void add_path(oracle_paths *p, const char *above, const char *class_, char value, char *out)
{
    if (value) {
        snprintf(out, ORACLE_PATH, "%s/%s:%c", above, class_, value);
        memcpy(p->path[p->count++], out, ORACLE_PATH);
    } else {
        snprintf(out, ORACLE_PATH, "%s", above);
    }
}

/* p(x) > v[2](y, q.w, z) > d(s(t)), as loops. */
static void expect(const small *p, const small *v, const small *d, const small *q, int person,
                   oracle_paths *out)
{
    char x[ORACLE_PATH], y[ORACLE_PATH], s[ORACLE_PATH], rest[ORACLE_PATH];
    int visits = 0;
    size_t kept = 0;

    out->count = 0;
    add_path(out, "", "x", p->value[0][person], x);
    for (int i = 0; i < v->rows; i++) {
        if (v->up[i] != person || visits++ >= 2) {
            continue;
        }
        add_path(out, x, "y", v->value[0][i], y);
        add_path(out, y, "w", v->other[i] < q->rows ? q->value[0][v->other[i]] : '\0', rest);
        add_path(out, y, "z", v->value[1][i], rest);
        for (int j = 0; j < d->rows; j++) {
            if (d->up[j] == i) {
                add_path(out, y, "s", d->value[0][j], s);
                add_path(out, s, "t", d->value[1][j], rest);
            }
        }
    }
    qsort(out->path, out->count, sizeof *out->path, oracle_path_order);
    for (size_t i = 0; i < out->count; i++) {
        if (i == 0 || strcmp(out->path[i], out->path[kept - 1]) != 0) {
            if (kept != i) {
                memcpy(out->path[kept], out->path[i], sizeof *out->path);
            }
            kept++;
        }
    }
    out->count = kept;
}

static void against_loops(void **state)
{
    static oracle_paths want, got;
    kn_rng rng;

    (void)state;
    (void)mkdir("tables", 0777);
    kn__rng_seed(&rng, 5, 0);
    for (int round = 0; round < 1000; round++) {
        small p, v, d, q;
        kn_relations *r;
        kn_dataset *ds = NULL;
        kn_error err = {0};

        random_table(&rng, &p, 0, 0);
        random_table(&rng, &q, 0, 0);
        random_table(&rng, &v, p.rows, q.rows);
        random_table(&rng, &d, v.rows, 0);
        p.value[0][0] = 'x'; /* so that there is a node */
        write_table("tables/p.csv", "p_id,x,x2", &p, false, 0);
        write_table("tables/q.csv", "q_id,w,w2", &q, false, 0);
        write_table("tables/v.csv", "v_id,p_id,q,y,z", &v, true, q.rows);
        write_table("tables/d.csv", "d_id,v_id,s,t", &d, true, 0);
        assert_int_equal(kn_relations_open(&r, "tables", &err), KN_OK);
        assert_int_equal(kn_relations_add_key(r, "v.q=q.q_id", &err), KN_OK);
        if (kn_relations_trees(&ds, r, "p(x) > v[2](y, q.w, z) > d(s(t))", NULL, NULL, &err) !=
            KN_OK) {
            fail_msg("%s", err.message);
        }
        assert_int_equal(ds->records, p.rows);
        for (int i = 0; i < p.rows; i++) {
            expect(&p, &v, &d, &q, i, &want);
            oracle_tree_paths(ds->forest, (size_t)i, &got);
            assert_int_equal(want.count, got.count);
            for (size_t j = 0; j < want.count; j++) {
                assert_string_equal(want.path[j], got.path[j]);
            }
        }
        kn_dataset_free(ds);
        kn_relations_free(r);
    }
}

/* ---- trees to tables and back ---- */

/* p(C0) > v(C1, C2) > d(C3): nothing of C3 is below C2, which is no parent of it in the notation.
 * All else may come of releases that removed relations. */
static bool fits(const kn_forest *f)
{
    for (size_t r = 0; r < f->records; r++) {
        for (uint64_t i = f->starts[r]; i < f->starts[r + 1]; i++) {
            const uint32_t up = f->parent[i];
            if (up != KN_NO_PARENT && f->value_class[f->value[f->starts[r] + up]] == 2) {
                return false;
            }
        }
    }
    return true;
}

/* Whether a record has several values of C0, or one beside another node at the top: what one row
 * per person cannot say. */
static bool is_beyond_one_row(const kn_forest *f)
{
    for (size_t r = 0; r < f->records; r++) {
        size_t tops = 0, firsts = 0;
        for (uint64_t i = f->starts[r]; i < f->starts[r + 1]; i++) {
            tops += f->parent[i] == KN_NO_PARENT;
            firsts += f->parent[i] == KN_NO_PARENT && f->value_class[f->value[i]] == 0;
        }
        if (firsts && tops > 1) {
            return true;
        }
    }
    return false;
}

static void round_trips(void **state)
{
    static const char *const texts[] = {"a", "b,c", "\"", "d"};
    static const char *const notations[] = {"p(C0) > v(C1, C2) > d(C3)",
                                            "p > c(C0) > v(C1, C2) > d(C3)"};
    kn_rng rng;
    int done = 0, refusals = 0;

    (void)state;
    kn__rng_seed(&rng, 6, 0);
    while (done < 1500) {
        const char *notation = notations[done % 2];
        kn_forest *f = oracle_random_forest(&rng, 3, 8, texts, 4), *original = NULL;
        kn_relations *r = NULL;
        kn_dataset *ds = NULL, *back = NULL;
        kn_error err = {0};
        kn_status status;

        if (f->starts[f->records] == 0 || !fits(f)) {
            kn__forest_free(f);
            continue;
        }
        assert_int_equal(kn__forest_copy(&original, f, NULL), KN_OK);
        assert_int_equal(kn__dataset_of_forest(&ds, f, NULL, false, NULL), KN_OK);
        status = kn_trees_write_tables(ds, notation, "back", NULL, &err);
        if (status != KN_OK) {
            assert_int_equal(status, KN_EUSAGE);
            assert_true(done % 2 == 0 && is_beyond_one_row(ds->forest));
            refusals++;
        } else {
            assert_false(done % 2 == 0 && is_beyond_one_row(ds->forest));
            assert_int_equal(kn_relations_open(&r, "back", &err), KN_OK);
            assert_int_equal(kn_relations_add_key(r, "d.v_id=v.v_id", &err), KN_OK);
            assert_int_equal(
                kn_relations_add_key(r, done % 2 ? "v.c_id=c.c_id" : "v.p_id=p.p_id", &err), KN_OK);
            assert_int_equal(kn_relations_add_key(r, "c.p_id=p.p_id", &err), KN_OK);
            status = kn_relations_trees(&back, r, notation, NULL, NULL, &err);
            if (status == KN_OK) {
                assert_true(oracle_same_trees(original, back->forest));
            } else { /* a table without rows cannot be read */
                assert_non_null(strstr(err.message, "no records"));
            }
        }
        done++;
        kn_relations_free(r);
        kn_dataset_free(ds);
        kn_dataset_free(back);
        kn__forest_free(original);
    }
    assert_in_range(refusals, 50, 700);
}

/* ---- bad input ---- */

static kn_error refused(const char *notation, const char *key, const char *words)
{
    const size_t before = kn_memory_in_use();
    kn_relations *r;
    kn_dataset *ds;
    kn_error err = {0};

    assert_int_equal(kn_relations_open(&r, "bad", &err), KN_OK);
    if (key) {
        assert_int_equal(kn_relations_add_key(r, key, &err), KN_OK);
    }
    assert_int_not_equal(kn_relations_trees(&ds, r, notation, NULL, NULL, &err), KN_OK);
    assert_null(ds);
    if (!strstr(err.message, words)) {
        fail_msg("%s", err.message);
    }
    kn_relations_free(r);
    assert_int_equal(kn_memory_in_use(), before);
    return err;
}

static void bad_tables(void **state)
{
    kn_error err;

    (void)state;
    (void)mkdir("bad", 0777);
    put("bad/p.csv", "id,name,boss\n1,Ann,2\n2,Bob,1\n");
    put("bad/v.csv", "vid,p,place\n1,1,Rome\n2,7,Oslo\n3,,Bonn\n");
    put("bad/twice.csv", "id,x\n1,a\n1,b\n");
    (void)refused(
        "p(name) > v(place)", "v.p=p.id",
        "table 'v': row 2 belongs to no row above it: its key in column 'p' is missing or "
        "unknown (so it is with 2 of 3 rows)");
    err = refused("p(name) > v(place)", NULL, "no foreign key leads from table 'v' to 'p'");
    assert_int_equal(err.code, KN_ERROR_PARAMETER);
    assert_string_equal(err.parameter, "foreign_key");
    (void)refused("p(name) > p(boss)", "p.boss=p.id", "table 'p' stands below itself");
    (void)refused("p(name) > v(place) > p(boss)", "v.p=p.id", "the foreign keys go in a circle");
    err = refused("p(nam)", NULL, "table 'p' has no column 'nam'");
    assert_int_equal(err.code, KN_ERROR_NO_COLUMN);
    assert_string_equal(err.column, "nam");
    (void)refused("q(x)", NULL, "there is no table 'q'");
    (void)refused("v(place, twice.x)", "v.p=twice.id",
                  "rows 1 and 2 have the same key in column 'id'");
    (void)refused("p(name", NULL, "--tree: character 7");
    (void)refused("p(name) > v(place, p.name)", "v.p=p.id", "this class occurs twice");
}

static void drops_orphans(void **state)
{
    kn_relations *r;
    kn_dataset *ds;
    kn_error err = {0};

    (void)state;
    assert_int_equal(kn_relations_open(&r, "bad", &err), KN_OK);
    assert_int_equal(kn_relations_add_key(r, "v.p=p.id", &err), KN_OK);
    kn_relations_set_orphans(r, KN_ORPHANS_DROP);
    assert_int_equal(kn_relations_trees(&ds, r, "p(name) > v(place)", NULL, NULL, &err), KN_OK);
    assert_int_equal(ds->forest->starts[1], 2);
    assert_non_null(strstr(kn_dataset_note(ds, 0), "2 rows were left out"));
    kn_dataset_free(ds);
    kn_relations_free(r);
}

static void bad_keys_and_bins(void **state)
{
    kn_relations *r;
    kn_dataset *ds;
    kn_error err = {0};

    (void)state;
    assert_int_equal(kn_relations_open(&r, "bad", &err), KN_OK);
    assert_int_equal(kn_relations_add_key(r, "v=p.id", &err), KN_EUSAGE);
    assert_int_equal(kn_relations_add_key(r, "v.p=p", &err), KN_EUSAGE);
    assert_int_equal(kn_relations_add_key(r, ".p=p.id", &err), KN_EUSAGE);
    assert_int_equal(kn_relations_set_bin(r, "boss", "", &err), KN_EUSAGE);
    assert_int_equal(kn_relations_set_bin(r, "nobodys", "5", &err), KN_OK);
    assert_int_equal(kn_relations_trees(&ds, r, "p(name)", NULL, NULL, &err), KN_EUSAGE);
    assert_non_null(strstr(err.message, "the notation has no class 'nobodys'"));
    kn_relations_free(r);
    assert_int_equal(kn_relations_open(&r, "bad/none", &err), KN_EINPUT);
    assert_non_null(strstr(err.message, "no such file or folder"));
}

/* A value that no hierarchy covers. */
static void uncovered(void **state)
{
    kn_relations *r;
    kn_dataset *ds;
    kn_error err = {0};

    (void)state;
    put("bad/name.csv", "Ann;A;*\n");
    assert_int_equal(kn_relations_open(&r, "bad", &err), KN_OK);
    assert_int_equal(kn_relations_set_bin(r, "name", "bad/name.csv", &err), KN_OK);
    assert_int_equal(kn_relations_trees(&ds, r, "p(name)", NULL, NULL, &err), KN_EINPUT);
    assert_non_null(strstr(err.message, "Bob"));
    kn_relations_free(r);
}

static void bins(void **state)
{
    kn_relations *r;
    kn_dataset *ds;
    kn_error err = {0};
    FILE *f;
    char line[100];

    (void)state;
    (void)mkdir("bins", 0777);
    put("bins/p.csv", "id,age,day,seen\n1,23,2020-02-03,2021-05-06T10:00:00\n"
                      "2,47,2020-11-30,2021-07-06T10:00:00\n3,29,2021-01-01,2021-07-07T10:00:00\n");
    assert_int_equal(kn_relations_open(&r, "bins", &err), KN_OK);
    assert_int_equal(kn_relations_set_bin(r, "age", "10", &err), KN_OK);
    assert_int_equal(kn_relations_set_bin(r, "day", "year", &err), KN_OK);
    assert_int_equal(kn_relations_set_bin(r, "seen", "month", &err), KN_OK);
    if (kn_relations_trees(&ds, r, "p(age, day, seen)", NULL, NULL, &err) != KN_OK) {
        fail_msg("%s", err.message);
    }
    assert_int_equal(kn_dataset_values(ds, 0), 2);
    assert_int_equal(kn_dataset_values(ds, 1), 2);
    assert_int_equal(kn_dataset_values(ds, 2), 2);
    assert_string_equal(ds->forest->text[kn_dataset_values(ds, 0)], "2020");
    assert_string_equal(ds->forest->text[4], "2021-05");
    if (kn_relations_write(r, ds, NULL, NULL, 0, "bins/h", NULL, &err) != KN_OK) {
        fail_msg("%s", err.message);
    }
    f = fopen("bins/h/day.csv", "r");
    assert_non_null(f);
    assert_non_null(fgets(line, sizeof line, f));
    assert_string_equal(line, "2020;2020s;*\n");
    (void)fclose(f);
    kn_dataset_free(ds);
    kn_relations_free(r);
}

/* Lists of rows per table, and files without a header. */
static void json_and_columns(void **state)
{
    kn_relations *r;
    kn_dataset *ds;
    kn_error err = {0};

    (void)state;
    put("shop.json", "{\"p\": [{\"pid\": 1, \"n\": \"Ann\"}, {\"pid\": 2}],\n"
                     " \"v\": [{\"pid\": 1, \"c\": 0.50}, {\"pid\": 2, \"c\": null}]}");
    assert_int_equal(kn_relations_open(&r, "shop.json", &err), KN_OK);
    if (kn_relations_trees(&ds, r, "p(n) > v(c)", NULL, NULL, &err) != KN_OK) {
        fail_msg("%s", err.message);
    }
    assert_int_equal(ds->forest->starts[2], 2);
    assert_string_equal(ds->forest->text[1], "0.50");
    kn_dataset_free(ds);
    kn_relations_free(r);
    put("shop.json", "{\"p\": [{\"pid\": 1, \"n\": {\"x\": 1}}]}");
    assert_int_equal(kn_relations_open(&r, "shop.json", &err), KN_OK);
    assert_int_equal(kn_relations_trees(&ds, r, "p(n)", NULL, NULL, &err), KN_EINPUT);
    assert_non_null(strstr(err.message, "shop.json: line 1: an object inside a row"));
    kn_relations_free(r);
    put("shop.json", "{\"p\": [5]}");
    assert_int_equal(kn_relations_open(&r, "shop.json", &err), KN_OK);
    assert_int_equal(kn_relations_trees(&ds, r, "p(n)", NULL, NULL, &err), KN_EINPUT);
    assert_non_null(strstr(err.message, "one object with a list of objects per table"));
    kn_relations_free(r);
    (void)mkdir("tbl", 0777);
    put("tbl/p.tbl", "1|a, \"b|\n2|c|\n");
    assert_int_equal(kn_relations_open(&r, "tbl", &err), KN_OK);
    assert_int_equal(kn_relations_set_columns(r, "p", (const char *[]){"id", "n"}, 2, &err), KN_OK);
    if (kn_relations_trees(&ds, r, "p(n)", NULL, NULL, &err) != KN_OK) {
        fail_msg("%s", err.message);
    }
    assert_string_equal(ds->forest->text[0], "a, \"b");
    kn_dataset_free(ds);
    assert_int_equal(kn_relations_set_columns(r, "q", (const char *[]){"id"}, 1, &err), KN_OK);
    put("tbl/q.tbl", "1|a|b\n");
    assert_int_equal(kn_relations_trees(&ds, r, "q(id)", NULL, NULL, &err), KN_EINPUT);
    assert_non_null(strstr(err.message, "1 column name was given"));
    kn_relations_free(r);
}

static void tables_refused(void **state)
{
    static const struct {
        const char *trees, *notation, *words;
    } cases[] = {
        {"a:x b:y\n", "p(a)", "values of class 'b', which --tree names in no table"},
        {"a:x a:y\n", "p(a)",
         "record 1: a value of class 'a' stands below another, or the record has"},
        {"b:y(c:z)\n", "p(a) > {v(b), d(c)}", "class 'c' stands below one of class 'b'"},
        {"a:\"\"\n", "p(a)", "class 'a' has an empty value"},
        {"a:x\n", "p(a) > p(b)", "--tree names table 'p' twice"},
        {"a:x\n", "\"p/q\"(a)", "no file can be called so"},
    };
    kn_error err = {0};
    kn_dataset *ds;

    (void)state;
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        put("in.trees", cases[i].trees);
        assert_int_equal(kn_read(&ds, "in.trees", NULL, NULL, &err), KN_OK);
        assert_int_equal(kn_trees_write_tables(ds, cases[i].notation, "refused", NULL, &err),
                         KN_EUSAGE);
        if (!strstr(err.message, cases[i].words)) {
            fail_msg("%s", err.message);
        }
        kn_dataset_free(ds);
    }
    put("in.csv", "a\nx\n");
    assert_int_equal(kn_read(&ds, "in.csv", NULL, NULL, &err), KN_OK);
    assert_int_equal(kn_trees_write_tables(ds, "p(a)", "refused", NULL, &err), KN_EUSAGE);
    kn_dataset_free(ds);
}

static kn_status whole_way(void)
{
    kn_relations *r = NULL;
    kn_dataset *ds = NULL;
    kn_status status = kn_relations_open(&r, "bad", NULL);

    if (status == KN_OK) {
        status = kn_relations_add_key(r, "v.p=p.id", NULL);
        kn_relations_set_orphans(r, KN_ORPHANS_DROP);
    }
    if (status == KN_OK) {
        status = kn_relations_trees(&ds, r, "p(name) > v(place)", NULL, &(kn_run){.threads = 1},
                                    NULL);
    }
    if (status == KN_OK) {
        status = kn_trees_write_tables(ds, "p(name) > v(place)", "whole", NULL, NULL);
    }
    kn_dataset_free(ds);
    kn_relations_free(r);
    return status;
}

static void survives_failing_allocations(void **state)
{
    (void)state;
    for (size_t n = 1;; n++) {
        const size_t before = kn_memory_in_use();
        kn_status status;

        kn__memory_fail_after(n);
        status = whole_way();
        kn__memory_fail_after(0);
        assert_int_equal(kn_memory_in_use(), before);
        if (status == KN_OK) {
            break;
        }
        assert_int_equal(status, KN_ENOMEM);
        assert_true(n < 3000);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(against_loops),
        cmocka_unit_test(round_trips),
        cmocka_unit_test(bad_tables),
        cmocka_unit_test(drops_orphans),
        cmocka_unit_test(bad_keys_and_bins),
        cmocka_unit_test(uncovered),
        cmocka_unit_test(bins),
        cmocka_unit_test(json_and_columns),
        cmocka_unit_test(tables_refused),
        cmocka_unit_test(survives_failing_allocations),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
