/* models/format/json_read.h - what the readers of JSON models share. */
#ifndef KN_MODELS_FORMAT_JSON_READ_H
#define KN_MODELS_FORMAT_JSON_READ_H

#include "models/model.h"

#include <jansson.h>

typedef struct kn_json_reading {
    const char *name; /* of the file */
    kn_model *m;
    kn_dict *names; /* of the attributes, by number */
    kn_error *err;
} kn_json_reading;

/** A place in the file, such as "node 3". */
typedef struct kn_json_place {
    const char *what;
    size_t number; /* SIZE_MAX: none */
} kn_json_place;

#define KN_JSON_TOP ((kn_json_place){"the model", SIZE_MAX})

/** KN_EINPUT: "FILE: PLACE: 'KEY' must be EXPECTED". */
kn_status kn__json_wrong(const kn_json_reading *r, kn_json_place at, const char *key,
                         const char *expected);
/** KN_EINPUT unless `object` is one and has only keys of the NULL-terminated list. */
kn_status kn__json_only(const kn_json_reading *r, kn_json_place at, json_t *object,
                        const char *const *keys);
bool kn__json_number(json_t *value, double *out);
bool kn__json_count(json_t *value, uint64_t *out);
/** A number from 0 to `most`, which `expected` says in words; `*out` stays as it is where it is not
 * given. */
kn_status kn__json_share(const kn_json_reading *r, kn_json_place at, json_t *object,
                         const char *key, double most, const char *expected, double *out);
/** The code of a text among `values`; KN_NO_CODE for anything else. */
uint32_t kn__json_code(const kn_dict *values, const json_t *value);
/** A text that is not empty, as a new string. */
kn_status kn__json_text(const kn_json_reading *r, kn_json_place at, const char *key, json_t *value,
                        char **out);

/* json_read_lists.c: */
kn_status kn__json_read_centres(const kn_json_reading *r, json_t *root);
kn_status kn__json_read_rules(const kn_json_reading *r, json_t *root);

#endif
