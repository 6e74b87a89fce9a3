/* fault.h - what the two files of the library share. */
#ifndef KN_TORTURE_FAULT_H
#define KN_TORTURE_FAULT_H

#include <stdbool.h>

/* Counts the allocations of this process from here; number `at` fails (0: none), and with `rest`
 * all later ones too. */
void fault_starve(long at, bool rest);
/* The allocations so far. */
long fault_calls(void);

#endif
