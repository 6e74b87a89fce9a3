/* oracle/csv.h - a slow, obvious reader of delimited text: one byte at a time, everything in
 * memory. */
#ifndef ORACLE_CSV_H
#define ORACLE_CSV_H

#include <stdbool.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

typedef struct oracle_csv {
    char ***cells;   /* [row][column], NUL-terminated */
    size_t *columns; /* by row */
    size_t rows;
    size_t bad_line; /* of the first thing that is wrong; 0: nothing is */
} oracle_csv;

static void oracle_csv_free(oracle_csv *t)
{
    for (size_t r = 0; r < t->rows; r++) {
        for (size_t c = 0; c < t->columns[r]; c++) {
            free(t->cells[r][c]);
        }
        free(t->cells[r]);
    }
    free(t->cells);
    free(t->columns);
}

static void oracle_csv_add(oracle_csv *t, size_t row, const char *text, size_t len)
{
    char *copy = malloc(len + 1);

    memcpy(copy, text, len);
    copy[len] = '\0';
    if (row == t->rows) {
        t->cells = realloc(t->cells, (row + 1) * sizeof *t->cells);
        t->columns = realloc(t->columns, (row + 1) * sizeof *t->columns);
        t->cells[row] = NULL;
        t->columns[row] = 0;
        t->rows++;
    }
    t->cells[row] = realloc(t->cells[row], (t->columns[row] + 1) * sizeof(char *));
    t->cells[row][t->columns[row]++] = copy;
}

/* Whether only line ends stand from `at` on. */
static bool oracle_csv_only_ends(const char *text, size_t len, size_t at)
{
    while (at < len) {
        if (text[at] == '\r' && at + 1 < len && text[at + 1] == '\n') {
            at++;
        }
        if (text[at] != '\n') {
            return false;
        }
        at++;
    }
    return true;
}

/* Read a table in which every row has as many values as the first. */
static oracle_csv oracle_csv_read(const char *text, size_t len, char separator, bool quotes,
                                  bool trim)
{
    oracle_csv t = {0};
    char *value = malloc(len + 1);
    size_t at = 0, line = 1, row = 0;

    while (at < len && !t.bad_line) {
        const size_t row_line = line;
        bool row_ends = false;

        if (row > 0 && t.columns[0] > 1 &&
            (text[at] == '\n' || (text[at] == '\r' && at + 1 < len && text[at + 1] == '\n'))) {
            if (!oracle_csv_only_ends(text, len, at)) {
                t.bad_line = line;
            }
            break;
        }
        while (!row_ends && !t.bad_line) {
            size_t used = 0;

            while (trim && at < len && (text[at] == ' ' || text[at] == '\t') &&
                   text[at] != separator) {
                at++;
            }
            if (quotes && at < len && text[at] == '"') {
                const size_t open_line = line;
                bool closed = false;
                at++;
                while (at < len && !closed) {
                    if (text[at] == '"' && at + 1 < len && text[at + 1] == '"') {
                        value[used++] = '"';
                        at += 2;
                    } else if (text[at] == '"') {
                        closed = true;
                        at++;
                    } else {
                        line += text[at] == '\n';
                        value[used++] = text[at++];
                    }
                }
                if (!closed) {
                    t.bad_line = open_line;
                }
                while (trim && at < len && (text[at] == ' ' || text[at] == '\t') &&
                       text[at] != separator) {
                    at++;
                }
            } else {
                while (at < len && text[at] != separator && text[at] != '\n' && text[at] != '\r' &&
                       !(quotes && text[at] == '"')) {
                    value[used++] = text[at++];
                }
                while (trim && used && (value[used - 1] == ' ' || value[used - 1] == '\t')) {
                    used--;
                }
            }
            if (t.bad_line) {
                break;
            }
            /* A value too many is wrong before what ends it is looked at, unless it is ended badly.
             */
            if (at == len) {
                row_ends = true;
            } else if (text[at] == '\r' && at + 1 < len && text[at + 1] == '\n') {
                row_ends = true;
                at += 2;
                line++;
            } else if (text[at] == '\n') {
                row_ends = true;
                at++;
                line++;
            } else if (text[at] == separator) {
                at++;
            } else {
                t.bad_line = line;
                break;
            }
            if (row > 0 && row < t.rows && t.columns[row] == t.columns[0]) {
                t.bad_line = row_line;
                break;
            }
            oracle_csv_add(&t, row, value, used);
        }
        if (!t.bad_line && row > 0 && t.columns[row] != t.columns[0]) {
            t.bad_line = row_line;
        }
        row++;
    }
    free(value);
    return t;
}

#endif
