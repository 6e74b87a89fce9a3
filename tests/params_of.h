/* params_of.h - parameters of a method or model from a text such as "parts=2;subtree=true". */
#ifndef KN_TESTS_PARAMS_OF_H
#define KN_TESTS_PARAMS_OF_H

#include "base/params.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { PARAMS_KEPT = 8 };
static kn_params *params_kept[PARAMS_KEPT];

__attribute__((destructor)) static void params_forget(void)
{
    for (int i = 0; i < PARAMS_KEPT; i++) {
        kn_params_free(params_kept[i]);
    }
}

/** Parameters of `entry`, with those of the text set. They live for the next PARAMS_KEPT - 1
 * calls. */
static inline const kn_params *params_of(const kn_entry *entry, const char *format, ...)
{
    static size_t next;
    kn_params **slot = &params_kept[next++ % PARAMS_KEPT];
    char text[512], *save = NULL;
    va_list args;

    va_start(args, format);
    (void)vsnprintf(text, sizeof text, format, args);
    va_end(args);
    kn_params_free(*slot);
    assert_int_equal(kn__params_new(slot, entry, NULL), KN_OK);
    for (char *at = strtok_r(text, ";", &save); at; at = strtok_r(NULL, ";", &save)) {
        char *value = strchr(at, '=');
        const kn_param *p;
        kn_error err = {0};
        assert_non_null(value);
        *value++ = '\0';
        p = kn__param_find(entry, at);
        assert_non_null(p);
        switch (p->kind) {
        case KN_PARAM_COUNT:
            assert_int_equal(kn_params_set_int(*slot, at, atoll(value), &err), KN_OK);
            break;
        case KN_PARAM_NUMBER:
            assert_int_equal(kn_params_set_real(*slot, at, atof(value), &err), KN_OK);
            break;
        case KN_PARAM_FLAG:
            assert_int_equal(kn_params_set_bool(*slot, at, strcmp(value, "true") == 0, &err),
                             KN_OK);
            break;
        case KN_PARAM_LIST: {
            const char *texts[8];
            size_t count = 0;
            char *rest = NULL;
            for (char *one = strtok_r(value, ",", &rest); one; one = strtok_r(NULL, ",", &rest)) {
                texts[count++] = one;
            }
            assert_int_equal(kn_params_set_list(*slot, at, texts, count, &err), KN_OK);
            break;
        }
        default: assert_int_equal(kn_params_set_text(*slot, at, value, &err), KN_OK);
        }
    }
    return *slot;
}

#endif
