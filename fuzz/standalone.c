/* standalone.c - runs a fuzz target without libFuzzer: every file of the corpus, then mutations of
 * them. Deterministic, and over in seconds, so that it can be a test.
 *
 *     fuzz_csv CORPUS_FOLDER_OR_FILE...
 *
 * Each input lies in a heap block of exactly its size, where a sanitizer sees a read past its end.
 */
#include "../tests/rounds.h"

#include <dirent.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

enum { MOST_BYTES = 1 << 16, MOST_SECONDS = 20 };

typedef struct input {
    uint8_t *data;
    size_t size;
} input;

static input *inputs;
static size_t count;

static uint64_t random_next(void)
{
    static uint64_t x = UINT64_C(0x6b616e6f6e);

    x ^= x << 13;
    x ^= x >> 7;
    x ^= x << 17;
    return x;
}

static size_t below(size_t n)
{
    return n ? (size_t)(random_next() % n) : 0;
}

static void *need(void *p)
{
    if (!p) {
        perror("standalone");
        exit(2);
    }
    return p;
}

static void keep(const uint8_t *data, size_t size)
{
    uint8_t *copy = need(malloc(size + 1));

    if (size) {
        memcpy(copy, data, size);
    }
    inputs = need(realloc(inputs, (count + 1) * sizeof *inputs));
    inputs[count++] = (input){copy, size};
}

static void read_one(const char *path)
{
    FILE *file = need(fopen(path, "rb"));
    uint8_t *bytes = need(malloc(MOST_BYTES));
    const size_t size = fread(bytes, 1, MOST_BYTES, file);

    (void)fclose(file);
    keep(bytes, size);
    free(bytes);
}

/* In the order of their names: what is run must not depend on the file system. */
static void read_all(const char *path)
{
    struct dirent **entries = NULL;
    struct stat status;
    int entries_count;

    if (stat(path, &status) != 0) {
        return;
    }
    if (!S_ISDIR(status.st_mode)) {
        read_one(path);
        return;
    }
    entries_count = scandir(path, &entries, NULL, alphasort);
    for (int i = 0; i < entries_count; i++) {
        char *name = need(malloc(strlen(path) + strlen(entries[i]->d_name) + 2));

        (void)sprintf(name, "%s/%s", path, entries[i]->d_name);
        if (stat(name, &status) == 0 && S_ISREG(status.st_mode)) {
            read_one(name);
        }
        free(name);
        free(entries[i]);
    }
    free(entries);
}

static void run(const uint8_t *data, size_t size)
{
    uint8_t *exact = need(malloc(size ? size : 1));

    if (size) {
        memcpy(exact, data, size);
    }
    (void)LLVMFuzzerTestOneInput(exact, size);
    free(exact);
}

/* Overwrite, insert, delete, repeat, cut or splice at a random place; `bytes` has room for
 * MOST_BYTES. */
static size_t mutate_once(uint8_t *bytes, size_t size)
{
    static const char special[] = "\"\n\r,;\t\\{}[]()*:.-+0\xff\xef\xbb\xbf ?";
    const size_t at = below(size + 1);
    const size_t len = below(size - at + 1);
    const input *other = &inputs[below(count)];
    size_t from, some;

    switch (below(7)) {
    case 0:
        if (at < size) {
            bytes[at] ^= (uint8_t)(1U << below(8));
        }
        return size;
    case 1:
        if (at < size) {
            bytes[at] = (uint8_t)special[below(sizeof special)];
        }
        return size;
    case 2:
        if (size == MOST_BYTES) {
            return size;
        }
        memmove(bytes + at + 1, bytes + at, size - at);
        bytes[at] = (uint8_t)special[below(sizeof special)];
        return size + 1;
    case 3: memmove(bytes + at, bytes + at + len, size - at - len); return size - len;
    case 4:
        if (len > MOST_BYTES - size) {
            return size;
        }
        memmove(bytes + at + len, bytes + at, size - at);
        return size + len;
    case 5: return at;
    default:
        from = below(other->size + 1);
        some = below(other->size - from + 1);
        if (some > MOST_BYTES - at) {
            some = MOST_BYTES - at;
        }
        memcpy(bytes + at, other->data + from, some);
        return at + some > size ? at + some : size;
    }
}

int main(int argc, char **argv)
{
    uint8_t *bytes = need(malloc(MOST_BYTES));
    const time_t start = time(NULL);
    const size_t mutations = test_rounds(4000);
    size_t files, done = 0;

    for (int i = 1; i < argc; i++) {
        read_all(argv[i]);
    }
    files = count;
    keep((const uint8_t *)"", 0);
    for (size_t i = 0; i < count; i++) {
        run(inputs[i].data, inputs[i].size);
    }
    while (done < mutations && time(NULL) - start < MOST_SECONDS) {
        const input *one = &inputs[below(count)];
        size_t size = one->size;

        if (size) {
            memcpy(bytes, one->data, size);
        }
        for (size_t rounds = 1 + below(5); rounds > 0; rounds--) {
            size = mutate_once(bytes, size);
        }
        run(bytes, size);
        done++;
    }
    printf("%zu files and %zu mutations of them\n", files, done);
    for (size_t i = 0; i < count; i++) {
        free(inputs[i].data);
    }
    free(inputs);
    free(bytes);
    return 0;
}
