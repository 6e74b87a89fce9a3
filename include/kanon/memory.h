/* kanon/memory.h - memory that the library gives to its caller, and how much it uses. */
#ifndef KANON_MEMORY_H
#define KANON_MEMORY_H

#include <stddef.h>

#ifdef __cplusplus
extern "C" {
#endif

/** Free a text that a function put into its `char **out`. NULL is fine. */
void kn_string_free(char *s);
/** Free bytes that a function put into its `unsigned char **out`. NULL is fine. */
void kn_bytes_free(unsigned char *bytes);

/** Refuse allocations that would take the library's memory in use above `bytes`; 0 lifts the limit.
 *  For the whole process: set it once, before work starts. */
void kn_memory_set_limit(size_t bytes);

/** The memory that this process can count on: the machine's, or the least that its control groups
 *  allow it; 0 when that is unknown. */
size_t kn_memory_of_machine(void);

/** Bytes that the library has allocated now, and the most it ever had. */
size_t kn_memory_in_use(void);
size_t kn_memory_peak(void);

#ifdef __cplusplus
}
#endif
#endif
