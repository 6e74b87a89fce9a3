/* rounds.h - how many rounds a test with random data runs.
 *
 * The plain run looks for wrong answers and runs all of them. A sanitizer looks for wrong steps,
 * which fewer rounds of the same data take just as well, and is slower by far: scripts/rotation.sh
 * sets $KN_ROUNDS to the percentage that it runs.
 */
#ifndef KN_TEST_ROUNDS_H
#define KN_TEST_ROUNDS_H

#include <stdint.h>
#include <stdlib.h>

/* `all`, or the percentage of it that $KN_ROUNDS says (1 to 99); at least one. Of a type that may
 * be compared with signed and unsigned numbers. */
static inline uint16_t test_rounds(uint16_t all)
{
    const char *text = getenv("KN_ROUNDS");
    const int percent = text ? atoi(text) : 100;

    if (percent < 1 || percent > 99) {
        return all;
    }
    return (uint16_t)((all * percent + 99) / 100);
}

#endif
