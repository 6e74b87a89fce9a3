/* names.c - the name that was perhaps meant. */
#include "kanon/catalog.h"

#include <string.h>

enum { MOST_WORD = 63 };

static char lower(char c)
{
    if (c >= 'A' && c <= 'Z') {
        return (char)(c - 'A' + 'a');
    }
    return c == '_' ? '-' : c;
}

/* Edits (insert, delete, replace, swap of neighbours) between two short words, without regard to
 * case. */
static size_t edits(const char *a, size_t a_len, const char *b, size_t b_len)
{
    size_t row[3][MOST_WORD + 1];

    for (size_t j = 0; j <= b_len; j++) {
        row[0][j] = j;
    }
    for (size_t i = 1; i <= a_len; i++) {
        size_t *now = row[i % 3];
        const size_t *above = row[(i + 2) % 3], *two_above = row[(i + 1) % 3];
        now[0] = i;
        for (size_t j = 1; j <= b_len; j++) {
            size_t best = above[j - 1] + (lower(a[i - 1]) != lower(b[j - 1]));
            best = above[j] + 1 < best ? above[j] + 1 : best;
            best = now[j - 1] + 1 < best ? now[j - 1] + 1 : best;
            if (i > 1 && j > 1 && lower(a[i - 1]) == lower(b[j - 2]) &&
                lower(a[i - 2]) == lower(b[j - 1]) && two_above[j - 2] + 1 < best) {
                best = two_above[j - 2] + 1;
            }
            now[j] = best;
        }
    }
    return row[a_len % 3][b_len];
}

const char *kn_nearest(const char *word, const char *const *names, size_t count)
{
    const size_t len = word ? strlen(word) : 0;
    const char *nearest = NULL;
    size_t least;

    if (len == 0 || len > MOST_WORD) {
        return NULL;
    }
    least = len < 3 ? 1 : len / 3 + 1;
    for (size_t i = 0; names && i < count; i++) {
        const size_t name_len = names[i] ? strlen(names[i]) : 0;
        size_t distance;
        if (name_len == 0 || name_len > MOST_WORD) {
            continue;
        }
        distance = edits(word, len, names[i], name_len);
        /* A word that was cut short is as good as one slip. */
        if (len >= 3 && len < name_len && strncmp(word, names[i], len) == 0 && distance > 1) {
            distance = 1;
        }
        if (distance < len && (distance < least || (distance == least && !nearest))) {
            least = distance;
            nearest = names[i];
        }
    }
    return nearest;
}
