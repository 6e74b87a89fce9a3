/* error.c - statuses, their words and exit codes. */
#include "base/error.h"

#include <stdarg.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>

const char *kn_status_name(kn_status status)
{
    switch (status) {
    case KN_OK: return "done";
    case KN_EUSAGE: return "wrong usage";
    case KN_EINPUT: return "bad input";
    case KN_EINFEASIBLE: return "infeasible";
    case KN_EBROKEN: return "release withheld";
    case KN_ENOMEM: return "out of memory";
    case KN_EIO: return "system error";
    case KN_ECANCELLED: return "interrupted";
    }
    return "unknown";
}

const char *kn_error_code_name(kn_error_code code)
{
    static const char *const names[] = {
        [KN_ERROR_OTHER] = "other",         [KN_ERROR_NO_COLUMN] = "no-column",
        [KN_ERROR_NO_ROLE] = "no-role",     [KN_ERROR_SINGLES_OUT] = "singles-out",
        [KN_ERROR_TYPE] = "type",           [KN_ERROR_VALUE] = "value",
        [KN_ERROR_UNCOVERED] = "uncovered", [KN_ERROR_NO_HIERARCHY] = "no-hierarchy",
        [KN_ERROR_PARAMETER] = "parameter", [KN_ERROR_SUPPRESSION] = "suppression",
        [KN_ERROR_POINTS] = "points",       [KN_ERROR_MEMORY] = "memory",
        [KN_ERROR_FILE] = "file",           [KN_ERROR_NO_RECORDS] = "no-records",
        [KN_ERROR_MISMATCH] = "mismatch",   [KN_ERROR_INFEASIBLE] = "infeasible",
        [KN_ERROR_BROKEN] = "broken",
    };

    return (size_t)code < sizeof names / sizeof *names ? names[code] : "other";
}

int kn_status_exit_code(kn_status status)
{
    switch (status) {
    case KN_OK: return 0;
    case KN_EBROKEN: return 1;
    case KN_EUSAGE: return 2;
    case KN_EINPUT: return 3;
    case KN_EINFEASIBLE: return 4;
    case KN_ENOMEM:
    case KN_EIO: return 5;
    case KN_ECANCELLED: return 130;
    }
    return 5;
}

/* What kind of mistake a status stands for where nothing else is said. */
static kn_error_code code_of(kn_status status)
{
    switch (status) {
    case KN_EINFEASIBLE: return KN_ERROR_INFEASIBLE;
    case KN_EBROKEN: return KN_ERROR_BROKEN;
    case KN_EIO: return KN_ERROR_FILE;
    default: return KN_ERROR_OTHER;
    }
}

/* The first setting that the message names (decision 0035: `--name`) is what it is about, unless
 * the caller says more by kn__about_column or kn__about_parameter. It is looked for in the format:
 * names and values that a user gave do not count, except where the message begins with the setting.
 */
static void note_setting(kn_error *err, const char *format)
{
    static const char letters[] = "abcdefghijklmnopqrstuvwxyz-";
    const char *begins = strncmp(format, "--%s", 4) == 0 ? err->message : format;

    for (const char *at = strstr(begins, "--"); at; at = strstr(at + 2, "--")) {
        const size_t len = strspn(at + 2, letters);
        if (len && at[2] != '-' && len < sizeof err->parameter) {
            for (size_t i = 0; i < len; i++) {
                err->parameter[i] = (char)(at[2 + i] == '-' ? '_' : at[2 + i]);
            }
            err->parameter[len] = '\0';
            err->code = err->status == KN_EUSAGE ? KN_ERROR_PARAMETER : err->code;
            return;
        }
    }
}

kn_status kn__fail(kn_error *err, kn_status status, const char *format, ...)
{
    if (err) {
        va_list args;
        va_start(args, format);
        err->status = status;
        err->code = code_of(status);
        err->column[0] = err->parameter[0] = '\0';
        (void)vsnprintf(err->message, sizeof err->message, format, args);
        va_end(args);
        /* What a file is called or holds must not steer a terminal. */
        for (char *c = err->message; *c; c++) {
            if ((unsigned char)*c < ' ' && *c != '\n') {
                *c = '?';
            }
        }
        note_setting(err, format);
    }
    return status;
}

/* Copy as much of `name` as fits, whole characters only. */
static void copy_name(char *to, size_t size, const char *name)
{
    size_t len = strlen(name);

    if (len >= size) {
        len = size - 1;
        while (len && ((unsigned char)name[len] & 0xC0) == 0x80) {
            len--;
        }
    }
    memcpy(to, name, len);
    to[len] = '\0';
}

kn_status kn__about_column(kn_error *err, kn_status status, kn_error_code code, const char *name)
{
    if (err && status != KN_OK) {
        err->code = code;
        err->parameter[0] = '\0';
        copy_name(err->column, sizeof err->column, name);
    }
    return status;
}

kn_status kn__about_parameter(kn_error *err, kn_status status, kn_error_code code, const char *name)
{
    if (err && status != KN_OK) {
        err->code = code;
        copy_name(err->parameter, sizeof err->parameter, name);
        for (char *c = err->parameter; *c; c++) {
            *c = (char)(*c == '-' ? '_' : *c);
        }
    }
    return status;
}

kn_status kn__about(kn_error *err, kn_status status, kn_error_code code)
{
    if (err && status != KN_OK) {
        err->code = code;
    }
    return status;
}

kn_status kn__about_file(kn_error *err, kn_status status, const char *name)
{
    const bool unsaid = err && (err->code == KN_ERROR_OTHER || err->code == KN_ERROR_FILE);

    return unsaid ? kn__about_parameter(err, status, KN_ERROR_FILE, name) : status;
}

kn_status kn__nomem(kn_error *err)
{
    return kn__about_parameter(
        err,
        kn__fail(err, KN_ENOMEM,
                 "out of memory: raise --memory, use a machine with more, or give a smaller table"),
        KN_ERROR_MEMORY, "memory");
}

kn_status kn__fail_errno(kn_error *err, const char *path, const char *what, int errno_value)
{
    return kn__fail(err, KN_EIO, "%s: %s: %s", path, what, strerror(errno_value));
}

kn_status kn__error_pass(kn_error *err, const kn_error *from)
{
    if (from->status != KN_OK && err) {
        *err = *from;
    }
    return from->status;
}

void kn__error_prefix(kn_error *err, const char *prefix)
{
    char old[sizeof err->message];

    if (err) {
        memcpy(old, err->message, sizeof old);
        (void)snprintf(err->message, sizeof err->message, "%s: %.900s", prefix, old);
    }
}

kn_place kn__place_make(const char *name, size_t line)
{
    const size_t len = strlen(name);
    const char *dots = len > 160 ? "..." : "";
    kn_place p;

    if (len > 160) {
        name += len - 157;
    }
    if (line) {
        (void)snprintf(p.text, sizeof p.text, "%s%s:%zu", dots, name, line);
    } else {
        (void)snprintf(p.text, sizeof p.text, "%s%s", dots, name);
    }
    return p;
}

kn_quote kn__quote_make(const char *text, size_t len)
{
    size_t n = len < 40 ? len : 40, i;
    kn_quote q;

    while (n < len && n && ((unsigned char)text[n] & 0xC0) == 0x80) {
        n--;
    }
    q.text[0] = '"';
    for (i = 0; i < n; i++) {
        q.text[i + 1] = (unsigned char)text[i] < 0x20 || text[i] == 0x7F ? '?' : text[i];
    }
    (void)snprintf(q.text + n + 1, sizeof q.text - n - 1, "%s", n < len ? "...\"" : "\"");
    return q;
}
