/* oracle/group.h - rows into records by hand: every row is compared with every record so far, texts
 * with texts. */
#ifndef ORACLE_GROUP_H
#define ORACLE_GROUP_H

#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { ORACLE_COLUMNS = 8, ORACLE_ROWS = 64, ORACLE_CELL = 512 };

typedef struct oracle_rows {
    char cell[ORACLE_ROWS][ORACLE_COLUMNS][ORACLE_CELL];
    size_t rows;
} oracle_rows;

static bool oracle_same_key(const oracle_rows *t, size_t a, size_t b, const size_t *keys,
                            size_t keys_count)
{
    for (size_t i = 0; i < keys_count; i++) {
        if (strcmp(t->cell[a][keys[i]], t->cell[b][keys[i]]) != 0) {
            return false;
        }
    }
    return true;
}

/* By row, the record that it is part of; returns how many records there are. `first` by record. */
static size_t oracle_records(const oracle_rows *t, const size_t *keys, size_t keys_count,
                             size_t *record_of, size_t *first)
{
    size_t records = 0;

    for (size_t r = 0; r < t->rows; r++) {
        size_t g = 0;
        while (g < records && !oracle_same_key(t, r, first[g], keys, keys_count)) {
            g++;
        }
        if (g == records) {
            first[records++] = r;
        }
        record_of[r] = g;
    }
    return records;
}

/* The first value of the record that is not empty; whether rows differ in it. */
static const char *oracle_first(const oracle_rows *t, const size_t *record_of, size_t record,
                                size_t column, bool *differ)
{
    const char *found = "";

    *differ = false;
    for (size_t r = 0; r < t->rows; r++) {
        const char *text = t->cell[r][column];
        if (record_of[r] != record || !*text) {
            continue;
        }
        if (*found && strcmp(found, text) != 0) {
            *differ = true;
        }
        found = *found ? found : text;
    }
    return found;
}

typedef struct oracle_list {
    char item[4 * ORACLE_ROWS][ORACLE_CELL];
    size_t count;
} oracle_list;

static int oracle_by_text(const void *a, const void *b)
{
    return strcmp(a, b);
}

/* Add what is between the bars of `cell`, but nothing empty and not `null`; prefix before each. */
static void oracle_add(oracle_list *list, const char *cell, const char *null, const char *prefix)
{
    while (*cell) {
        const size_t len = strcspn(cell, "|");
        char text[ORACLE_CELL];
        snprintf(text, sizeof text, "%.*s", (int)len, cell);
        if (len && strcmp(text, null) != 0) {
            snprintf(list->item[list->count++], ORACLE_CELL, "%.200s%.300s", prefix, text);
        }
        cell += len + (cell[len] == '|');
    }
}

/* The list as the cell of a table: sorted, "a|b|b"; repeats only `with_repeats`. */
static void oracle_cell(oracle_list *list, bool with_repeats, char *out)
{
    qsort(list->item, list->count, sizeof *list->item, oracle_by_text);
    *out = '\0';
    for (size_t i = 0; i < list->count; i++) {
        if (with_repeats || i == 0 || strcmp(list->item[i], list->item[i - 1]) != 0) {
            strcat(out, *out ? "|" : "");
            strcat(out, list->item[i]);
        }
    }
}

#endif
