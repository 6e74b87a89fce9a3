/* fuzz_trees.h - what the fuzz targets of tree records share. */
#ifndef FUZZ_TREES_H
#define FUZZ_TREES_H

#include "fuzz_io.h"

/* Forests with the same values and relations. */
static void fuzz_same_trees(const kn_forest *a, const kn_forest *b)
{
    const size_t nodes = (size_t)a->starts[a->records];

    if (a->records != b->records || a->values != b->values || nodes != b->starts[b->records]) {
        fuzz_fail("trees that were written read back as others");
    }
    for (size_t i = 0; i < a->values; i++) {
        if (strcmp(a->text[i], b->text[i]) != 0) {
            fuzz_fail("a value that was written reads back as another");
        }
    }
    if (memcmp(a->value, b->value, nodes * sizeof *a->value) != 0 ||
        memcmp(a->parent, b->parent, nodes * sizeof *a->parent) != 0) {
        fuzz_fail("a relation that was written reads back as another");
    }
}

/* What can be read, by kanon's own shape or by a notation, can be written and read again. */
static inline void fuzz_trees(const uint8_t *data, size_t size, kn_format format)
{
    static const char *const schemas[] = {
        "{}", "{\"tree\": \"p(a, b.c as c) > {q[2](. as d), r(e(f))}\"}", "{\"classes\": [\"a\"]}"};
    char path[64];
    const int fd = fuzz_file(data, size, path);

    for (size_t i = 0; i < sizeof schemas / sizeof *schemas; i++) {
        kn_schema *schema = NULL;
        kn_read_options options = {.layout = &(const kn_layout){.format = format},
                                   .released = i == 1 && size % 2};
        kn_dataset *ds = NULL, *back = NULL;
        kn_error err = {0};
        char out[64];
        int again;

        if (kn__schema_parse(&schema, "schema", schemas[i], strlen(schemas[i]), NULL, &err)) {
            fuzz_fail(err.message);
        }
        options.schema = schema;
        again = fuzz_file((const uint8_t *)"", 0, out);
        if (kn_read(&ds, path, &options, NULL, &err) == KN_OK && ds->forest &&
            kn_write(ds, out, &(kn_layout){.format = format, .separator = ','}, NULL, &err) ==
                KN_OK) {
            kn_schema_free(schema);
            if (kn_schema_new(&schema, &err) != KN_OK ||
                kn_schema_set_classes(schema, (const char *const *)ds->forest->classes.name,
                                      ds->forest->classes.len, &err) != KN_OK ||
                kn_read(&back, out,
                        &(kn_read_options){.layout = &(const kn_layout){.format = format},
                                           .schema = schema},
                        NULL, &err) != KN_OK) {
                fuzz_fail(err.message);
            }
            fuzz_same_trees(ds->forest, back->forest);
        }
        kn_dataset_free(ds);
        kn_dataset_free(back);
        kn_schema_free(schema);
        (void)close(again);
    }
    (void)close(fd);
}

#endif
