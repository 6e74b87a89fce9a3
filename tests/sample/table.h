/* table.h - for the tests of samples: a file read whole, and its cells. */
#ifndef KN_TESTS_SAMPLE_TABLE_H
#define KN_TESTS_SAMPLE_TABLE_H

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* The bytes of `path`, NUL-terminated; NULL if it cannot be read. Free with free. */
static inline char *slurp(const char *path, size_t *len)
{
    FILE *f = fopen(path, "rb");
    char *text = NULL;
    long size;

    *len = 0;
    if (!f) {
        return NULL;
    }
    if (fseek(f, 0, SEEK_END) == 0 && (size = ftell(f)) >= 0 && fseek(f, 0, SEEK_SET) == 0) {
        text = calloc((size_t)size + 1, 1);
        if (text && fread(text, 1, (size_t)size, f) != (size_t)size) {
            free(text);
            text = NULL;
        }
        *len = (size_t)size;
    }
    fclose(f);
    return text;
}

/* Split `line` in place at `separator` into at most `most` cells; moves `*next` to the next line,
 * NULL at the end. Returns the number of cells, most + 1 if there are more. */
static inline size_t split(char *line, char separator, char **cells, size_t most, char **next)
{
    char *end = strchr(line, '\n');
    size_t n = 0;

    *next = NULL;
    if (end) {
        *end = '\0';
        *next = end[1] ? end + 1 : NULL;
    }
    for (char *p = line;; n++) {
        char *stop = strchr(p, separator);
        if (n == most) {
            return most + 1;
        }
        cells[n] = p;
        if (!stop) {
            return n + 1;
        }
        *stop = '\0';
        p = stop + 1;
    }
}

#endif
