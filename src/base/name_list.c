/* name_list.c - see the header. */
#include "base/name_list.h"
#include "base/say.h"

#include <string.h>

/* What follows the quotes that begin at `at`, without spaces: a comma or the end. NULL if the
 * quotes do not end so. */
static char *behind_quotes(char *at)
{
    for (at++; *at; at++) {
        if (*at == '"' && at[1] == '"') {
            at++;
        } else if (*at == '"') {
            at += 1 + strspn(at + 1, " ");
            return *at == ',' || *at == '\0' ? at : NULL;
        }
    }
    return NULL;
}

static void remove_quotes(char *name)
{
    char *to = name;

    for (const char *at = name + 1; !(*at == '"' && at[1] != '"'); at++) {
        at += *at == '"';
        *to++ = *at;
    }
    *to = '\0';
}

char *kn__name_list_cut(char **rest)
{
    char *name = *rest + strspn(*rest, " ");
    char *end = *name == '"' ? behind_quotes(name) : NULL;
    const bool quoted = end != NULL;

    end = quoted ? end : name + strcspn(name, ",");
    *rest = *end ? end + 1 : NULL;
    *end = '\0';
    if (quoted) {
        remove_quotes(name);
        return name;
    }
    while (end > name && end[-1] == ' ') {
        *--end = '\0';
    }
    return name;
}

void kn__name_list_add(kn_buffer *b, const char *name)
{
    const size_t len = strlen(name);

    if (len == 0 || strchr(name, ',') || *name == '"' || *name == ' ' || name[len - 1] == ' ' ||
        strcmp(name, "''") == 0) {
        kn__say_quoted(b, '"', name, len);
    } else {
        kn__buffer_adds(b, name);
    }
}
