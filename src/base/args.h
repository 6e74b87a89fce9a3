/* base/args.h - refusing arguments that make no sense.
 *
 * A public function that returns a kn_status begins with these checks, one per kind of argument.
 * Each returns KN_EUSAGE from the function that uses it, with a message that names this function.
 * A getter, which has no status, gives its documented neutral answer instead: NULL, 0, false, NaN.
 */
#ifndef KN_BASE_ARGS_H
#define KN_BASE_ARGS_H

#include "base/error.h"

#include <stdbool.h>
#include <stddef.h>

/** Whether one of `count` pointers is NULL. */
bool kn__args_lack(const void *const *pointers, size_t count);
/** KN_EUSAGE: a struct of `size` bytes, where this version has `known`. */
kn_status kn__args_refuse_size(kn_error *err, const char *function, size_t size, size_t known);
/** KN_EUSAGE: "FUNCTION: WHAT". */
kn_status kn__args_refuse(kn_error *err, const char *function, const char *what);
/** KN_EUSAGE: "FUNCTION: there is no WHAT number VALUE". */
kn_status kn__args_refuse_number(kn_error *err, const char *function, const char *what,
                                 size_t value);

/** None of these pointers may be NULL. */
#define KN_NEED(err, ...)                                                         \
    do {                                                                          \
        const void *const needed_[] = {__VA_ARGS__};                              \
        if (kn__args_lack(needed_, sizeof needed_ / sizeof *needed_)) {           \
            return kn__args_refuse(err, __func__, "a required argument is NULL"); \
        }                                                                         \
    } while (0)

/** `out` is where the result goes: NULL until the function has succeeded. */
#define KN_NEED_OUT(err, out) \
    do {                      \
        KN_NEED(err, out);    \
        *(out) = NULL;        \
    } while (0)

/** A struct that callers fill (may be NULL) is of this version: its size, or 0. The first struct to
 * grow is copied into one of this version instead, up to the size that it has. */
#define KN_NEED_SIZED(err, given)                                                       \
    do {                                                                                \
        if ((given) && (given)->size != 0 && (given)->size != sizeof *(given)) {        \
            return kn__args_refuse_size(err, __func__, (given)->size, sizeof *(given)); \
        }                                                                               \
    } while (0)

/** The same of `count` structs in a row. */
#define KN_NEED_SIZED_LIST(err, list, count)                \
    do {                                                    \
        for (size_t i_ = 0; (list) && i_ < (count); i_++) { \
            KN_NEED_SIZED(err, &(list)[i_]);                \
        }                                                   \
    } while (0)

/** A list of `count` pointers, each of them given; the list itself may be NULL if it is empty. */
#define KN_NEED_LIST(err, list, count)                                                       \
    do {                                                                                     \
        if ((count) > 0 && (!(list) || kn__args_lack((const void *const *)(list), count))) { \
            return kn__args_refuse(err, __func__, "a list or one of its entries is NULL");   \
        }                                                                                    \
    } while (0)

/** A value of an enumeration that counts from 0 to `last`; `what` is what messages call it. */
#define KN_NEED_ENUM(err, value, last, what)                                       \
    do {                                                                           \
        if ((unsigned)(value) > (unsigned)(last)) {                                \
            return kn__args_refuse_number(err, __func__, what, (unsigned)(value)); \
        }                                                                          \
    } while (0)

/** An index below `count`. */
#define KN_NEED_INDEX(err, index, count, what)                         \
    do {                                                               \
        if ((index) >= (count)) {                                      \
            return kn__args_refuse_number(err, __func__, what, index); \
        }                                                              \
    } while (0)

/** A list of guarantees of kinds that exist. A file that uses it includes kanon/guarantee.h. */
#define KN_NEED_GUARANTEES(err, list, count)                                                  \
    do {                                                                                      \
        if ((count) > 0 && !(list)) {                                                         \
            return kn__args_refuse(err, __func__, "a list of guarantees is NULL");            \
        }                                                                                     \
        for (size_t i_ = 0; i_ < (count); i_++) {                                             \
            KN_NEED_SIZED(err, &(list)[i_]);                                                  \
            KN_NEED_ENUM(err, (list)[i_].kind, KN_GUARANTEE_KINDS - 1, "kind of guarantees"); \
        }                                                                                     \
    } while (0)

#endif
