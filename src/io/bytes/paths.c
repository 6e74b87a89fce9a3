/* paths.c - paths as texts, and whether two of them name one file. */
#include "io/bytes/paths.h"
#include "base/memory.h"
#include "io/bytes/file.h"

#include <string.h>

char *kn__path_join(const char *folder, const char *path)
{
    size_t folder_len, path_len = strlen(path);
    char *joined;

    if (!folder || !*folder || *path == '/' || strcmp(path, "-") == 0) {
        return kn__strdup(path);
    }
    folder_len = strlen(folder);
    while (folder_len > 1 && folder[folder_len - 1] == '/') {
        folder_len--;
    }
    joined = kn__malloc(folder_len + path_len + 2);
    if (joined) {
        memcpy(joined, folder, folder_len);
        joined[folder_len] = '/';
        memcpy(joined + folder_len + 1, path, path_len + 1);
    }
    return joined;
}

char *kn__path_folder(const char *path)
{
    const char *slash = strrchr(path, '/');
    size_t len = 0;

    if (slash) {
        len = slash == path ? 1 : (size_t)(slash - path);
    }
    return kn__strndup(path, len);
}

static const char *base_name(const char *path)
{
    const char *slash = strrchr(path, '/');

    return slash ? slash + 1 : path;
}

bool kn__path_same(const char *a, const char *b)
{
    char *to_a, *to_b, *folder_a, *folder_b;
    bool same;

    if (strcmp(a, "-") == 0 || strcmp(b, "-") == 0) {
        return false;
    }
    if (kn__file_same(a, b) || strcmp(a, b) == 0) {
        return true;
    }
    to_a = kn__file_follow(a);
    to_b = kn__file_follow(b);
    folder_a = to_a ? kn__path_folder(to_a) : NULL;
    folder_b = to_b ? kn__path_folder(to_b) : NULL;
    same = folder_a && folder_b && strcmp(base_name(to_a), base_name(to_b)) == 0 &&
           kn__file_same(*folder_a ? folder_a : ".", *folder_b ? folder_b : ".");
    kn__free(to_a);
    kn__free(to_b);
    kn__free(folder_a);
    kn__free(folder_b);
    return same;
}
