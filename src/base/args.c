/* args.c - refusing arguments that make no sense. */
#include "base/args.h"

bool kn__args_lack(const void *const *pointers, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        if (!pointers[i]) {
            return true;
        }
    }
    return false;
}

kn_status kn__args_refuse(kn_error *err, const char *function, const char *what)
{
    return kn__fail(err, KN_EUSAGE, "%s: %s", function, what);
}

kn_status kn__args_refuse_number(kn_error *err, const char *function, const char *what,
                                 size_t value)
{
    return kn__fail(err, KN_EUSAGE, "%s: there is no %s number %zu (counted from 0)", function,
                    what, value);
}

kn_status kn__args_refuse_size(kn_error *err, const char *function, size_t size, size_t known)
{
    return kn__fail(
        err, KN_EUSAGE,
        "%s: a struct has the size %zu, and this version of kanon knows %zu: begin it with "
        "KN_INIT, and compile the program with the headers of the library that it runs with",
        function, size, known);
}
