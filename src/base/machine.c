/* machine.c - how much memory there is. */

#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

/* The number in a file of the control groups; SIZE_MAX when there is none ("max", or no such file).
 */
static size_t limit_in(const char *path)
{
    FILE *file = fopen(path, "re");
    char line[32] = "", *end = line;
    unsigned long long bytes = 0;

    if (file) {
        if (fgets(line, sizeof line, file)) {
            bytes = strtoull(line, &end, 10);
        }
        (void)fclose(file);
    }
    return end == line || bytes == 0 || bytes > SIZE_MAX ? SIZE_MAX : (size_t)bytes;
}

size_t kn_memory_of_machine(void)
{
    const long pages = sysconf(_SC_PHYS_PAGES), page = sysconf(_SC_PAGESIZE);
    const size_t unified = limit_in("/sys/fs/cgroup/memory.max");
    const size_t older = limit_in("/sys/fs/cgroup/memory/memory.limit_in_bytes");
    size_t least = pages > 0 && page > 0 ? (size_t)pages * (size_t)page : SIZE_MAX;

    least = unified < least ? unified : least;
    least = older < least ? older : least;
    return least == SIZE_MAX ? 0 : least;
}
