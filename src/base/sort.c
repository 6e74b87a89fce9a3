/* sort.c - insertion for short lists, which most are; a heap for long ones. */
#include "base/sort.h"

enum { SHORT_LIST = 24 };

static void sift_down(uint32_t *values, size_t from, size_t count)
{
    const uint32_t value = values[from];

    for (;;) {
        size_t child = 2 * from + 1;
        if (child >= count) {
            break;
        }
        child += child + 1 < count && values[child + 1] > values[child];
        if (values[child] <= value) {
            break;
        }
        values[from] = values[child];
        from = child;
    }
    values[from] = value;
}

void kn__sort_u32(uint32_t *values, size_t count)
{
    size_t at = 1;

    while (at < count && values[at - 1] <= values[at]) {
        at++;
    }
    if (at >= count) {
        return;
    }
    if (count <= SHORT_LIST) {
        for (; at < count; at++) {
            const uint32_t value = values[at];
            size_t j = at;
            for (; j > 0 && values[j - 1] > value; j--) {
                values[j] = values[j - 1];
            }
            values[j] = value;
        }
        return;
    }
    for (size_t i = count / 2; i-- > 0;) {
        sift_down(values, i, count);
    }
    for (size_t i = count; i-- > 1;) {
        const uint32_t value = values[i];
        values[i] = values[0];
        values[0] = value;
        sift_down(values, 0, i);
    }
}
