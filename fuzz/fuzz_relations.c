/* fuzz_relations.c - the first line as the notation of --tree, the rest as a JSON file of tables:
 * refused with words, or trees that are sound and become tables that give the same trees. */
#include "data/tree_shape.h"
#include "fuzz_io.h"
#include "kanon/relations.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    const uint8_t *end = memchr(data, '\n', size);
    const size_t len = end ? (size_t)(end - data) : size;
    char *notation = malloc(len + 1), path[64];
    kn_relations *r = NULL;
    kn_dataset *ds = NULL;
    kn_error err = {0};
    const char *reason;
    const int fd = fuzz_file(end ? end + 1 : data + size, end ? size - len - 1 : 0, path);

    memcpy(notation, data, len);
    notation[len] = '\0';
    if (kn_relations_open(&r, path, &err) == KN_OK) {
        (void)kn_relations_add_key(r, "v.p=p.id", NULL);
        kn_relations_set_orphans(r, size % 2 ? KN_ORPHANS_DROP : KN_ORPHANS_ERROR);
        if (kn_relations_trees(&ds, r, notation, NULL, NULL, &err) != KN_OK) {
            if (ds || !*err.message) {
                fuzz_fail("a failure without words");
            }
        } else if (!kn__dataset_validate(ds, &reason)) {
            fuzz_fail(reason);
        }
    } else {
        fuzz_fail(err.message);
    }
    kn_dataset_free(ds);
    kn_relations_free(r);
    free(notation);
    (void)close(fd);
    return 0;
}
