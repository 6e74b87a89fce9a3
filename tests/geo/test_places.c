/* Places: distances, files, neighbours, Voronoi cells of places that can be checked by hand, and
 * failing allocations. */
#include "base/memory.h"
#include "geo/areas.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

static const double degree = 111195.08; /* metres of latitude on our sphere */

static void write_file(const char *path, const char *text)
{
    FILE *f = fopen(path, "w");

    assert_non_null(f);
    assert_true(fputs(text, f) >= 0);
    (void)fclose(f);
}

/* A column of the items a, b, c, ... */
static kn_dataset *items(size_t count)
{
    kn_schema *schema = NULL;
    kn_read_options options = {0};
    kn_dataset *ds = NULL;
    FILE *f = fopen("items.dat", "w");

    assert_non_null(f);
    for (size_t i = 0; i < count; i++) {
        (void)fprintf(f, "%c ", (char)('a' + i));
    }
    (void)fputc('\n', f);
    (void)fclose(f);
    assert_int_equal(kn_schema_new(&schema, NULL), KN_OK);
    assert_int_equal(kn_schema_set_type(schema, "items", KN_TYPE_SET, NULL), KN_OK);
    options.schema = schema;
    assert_int_equal(kn_read(&ds, "items.dat", &options, NULL, NULL), KN_OK);
    kn_schema_free(schema);
    (void)remove("items.dat");
    return ds;
}

static const uint8_t all[26] = {1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1,
                                1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1};

static void refused(const char *text, const char *words)
{
    kn_dataset *ds = items(3);
    kn_places *places = NULL;
    kn_error err = {0};

    write_file("places.csv", text);
    assert_int_equal(kn__places_read(&places, "places.csv", &ds->column[0], all, NULL, &err),
                     KN_EINPUT);
    assert_null(places);
    if (!strstr(err.message, words)) {
        fail_msg("%s", err.message);
    }
    (void)remove("places.csv");
    kn_dataset_free(ds);
}

static void test_files(void **state)
{
    kn_dataset *ds = items(3);
    kn_places *places = NULL;
    kn_neighbours *near = NULL;
    size_t parts;

    (void)state;
    write_file("places.csv", "lon,item,latitude\n8,a,47\n9.5,zz,1\n-8.25,b,4.7e1\n8,c,-47\n");
    assert_int_equal(kn__places_read(&places, "places.csv", &ds->column[0], all, NULL, NULL),
                     KN_OK);
    assert_true(places->lat[0] == 47 && places->lon[1] == -8.25 && places->lat[2] == -47);
    kn__places_free(places);
    refused("item,lat,lon\na,1,1\nc,1,1\n", "no coordinates for 'b'");
    refused("item,lat,lon\na,1,1\n", "'b' and others");
    refused("item,lat,lon\na,1,1\nb,1,1\nc,91,1\n", "line 4, column 'lat': '91'");
    refused("item,lat,lon\na,1,1\nb,1,x\nc,9,1\n", "line 3, column 'lon': 'x'");
    refused("item,lat\na,1\n", "no column 'lon'");
    refused("item,lat,lon\na,1,1\na,1,2\nb,1,1\nc,1,1\n", "line 3: 'a' has other coordinates");
    write_file("edges.csv", "item,neighbour\na,b\nb,a\nb,b\nb,zz\n");
    assert_int_equal(kn__edges_read(&near, "edges.csv", &ds->column[0], NULL, NULL), KN_OK);
    assert_int_equal(near->at[3], 2);
    assert_int_equal(kn__neighbours_parts(near, all, &parts, NULL), KN_OK);
    assert_int_equal(parts, 2);
    kn__neighbours_free(near);
    (void)remove("edges.csv");
    (void)remove("places.csv");
    kn_dataset_free(ds);
}

/* A grid of `side` x `side` places, `step` degrees apart, around the equator. */
static void grid(kn_places *p, size_t side, double step)
{
    static double lat[100], lon[100];

    for (size_t i = 0; i < side * side; i++) {
        lat[i] = (double)(i / side) * step - step * (double)(side - 1) / 2;
        lon[i] = (double)(i % side) * step - step * (double)(side - 1) / 2;
    }
    *p = (kn_places){.count = side * side, .lat = lat, .lon = lon};
}

static bool touch(const kn_neighbours *n, uint32_t a, uint32_t b)
{
    for (uint64_t e = n->at[a]; e < n->at[a + 1]; e++) {
        if (n->to[e] == b) {
            return true;
        }
    }
    return false;
}

static bool built_in(void)
{
#ifdef KN_HAVE_GEOS
    return true;
#else
    return false;
#endif
}

static void test_cells(void **state)
{
    enum { SIDE = 5, COUNT = SIDE * SIDE };
    kn_places p;
    kn_voronoi *v = NULL;
    kn_neighbours *near = NULL;
    kn_shape shape;
    const double cell = pow(0.01 * degree / 1000, 2); /* km^2 of a whole cell */
    uint32_t middle[3] = {11, 12, 13};
    double sum = 0, lat, lon;
    kn_error err = {0};

    (void)state;
    grid(&p, SIDE, 0.01);
    if (!built_in()) {
        assert_int_equal(kn__voronoi_new(&v, &p, NULL, &err), KN_EUSAGE);
        assert_non_null(strstr(err.message, "--edges"));
        return;
    }
    assert_int_equal(kn__voronoi_new(&v, &p, NULL, &err), KN_OK);
    for (uint32_t i = 0; i < COUNT; i++) {
        sum += kn__voronoi_area(v, i);
    }
    assert_true(fabs(sum - 16 * cell) < 0.01);                /* the hull */
    assert_true(fabs(kn__voronoi_area(v, 12) - cell) < 0.01); /* the middle one */
    kn__voronoi_centroid(v, 12, &lat, &lon);
    assert_true(fabs(lat) < 1e-6 && fabs(lon) < 1e-6);
    assert_int_equal(kn__voronoi_neighbours(&near, v, NULL), KN_OK);
    assert_true(touch(near, 12, 11) && touch(near, 12, 13) && touch(near, 12, 7) &&
                touch(near, 12, 17) && !touch(near, 12, 14) && !touch(near, 0, 24));
    assert_int_equal(kn__voronoi_unite(&shape, v, middle, 3, NULL), KN_OK);
    assert_int_equal(shape.polygons, 1);
    assert_int_equal(shape.rings, 1);
    assert_true(fabs(shape.km2 - 3 * cell) < 0.02);
    kn__shape_clear(&shape);
    kn__neighbours_free(near);
    kn__voronoi_free(v);
}

/* Places in one spot share a cell; places on a line and single ones have cells too; a place
 * without coordinates has none. */
static void test_degenerate(void **state)
{
    double lat[5] = {0, 0, 0.01, NAN, 0.02}, lon[5] = {0, 0, 0, NAN, 0};
    kn_places p = {.count = 5, .lat = lat, .lon = lon};
    kn_voronoi *v = NULL;
    kn_neighbours *near = NULL;

    (void)state;
    if (!built_in()) {
        return;
    }
    assert_int_equal(kn__voronoi_new(&v, &p, NULL, NULL), KN_OK);
    assert_true(kn__voronoi_area(v, 0) > 0);
    assert_true(kn__voronoi_area(v, 0) == kn__voronoi_area(v, 1));
    assert_true(kn__voronoi_area(v, 3) == 0);
    assert_int_equal(kn__voronoi_neighbours(&near, v, NULL), KN_OK);
    assert_true(touch(near, 0, 1) && touch(near, 0, 2) && touch(near, 1, 2) && touch(near, 2, 4));
    assert_true(!touch(near, 0, 4));
    kn__neighbours_free(near);
    kn__voronoi_free(v);
    p.count = 1;
    assert_int_equal(kn__voronoi_new(&v, &p, NULL, NULL), KN_OK);
    assert_true(kn__voronoi_area(v, 0) > 0);
    kn__voronoi_free(v);
    p.count = 0;
    assert_int_equal(kn__voronoi_new(&v, &p, NULL, NULL), KN_OK);
    kn__voronoi_free(v);
}

static void test_no_memory(void **state)
{
    const uint32_t two[2] = {0, 1};
    kn_places p;
    const size_t held = kn_memory_in_use();
    kn_status status = KN_ENOMEM;

    (void)state;
    grid(&p, 4, 0.01);
    for (size_t at = 1; built_in() && status != KN_OK; at++) {
        kn_voronoi *v = NULL;
        kn_neighbours *near = NULL;
        kn_shape shape = {0};
        kn__memory_fail_after(at);
        status = kn__voronoi_new(&v, &p, NULL, NULL);
        status = status == KN_OK ? kn__voronoi_neighbours(&near, v, NULL) : status;
        status = status == KN_OK ? kn__voronoi_unite(&shape, v, two, 2, NULL) : status;
        kn__memory_fail_after(0);
        kn__shape_clear(&shape);
        kn__neighbours_free(near);
        kn__voronoi_free(v);
        assert_int_equal(kn_memory_in_use(), held);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_files),
        cmocka_unit_test(test_cells),
        cmocka_unit_test(test_degenerate),
        cmocka_unit_test(test_no_memory),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
