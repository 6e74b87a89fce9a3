/* json.c - parsing JSON, twice where memory may have been short: the two results must agree; and
 * members of objects. */
#include "base/json.h"
#include "base/error.h"

#include <math.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

enum { SMALL = 64 * 1024 };

static json_t *parse(const char *bytes, size_t len, json_error_t *where)
{
    memset(where, 0,
           sizeof *where); /* jansson fills in the code of an error only when it has read */
    return json_loadb(bytes, len, JSON_REJECT_DUPLICATES, where);
}

/* jansson has no place for an error that happens before it reads. */
static bool is_memory(const json_error_t *where)
{
    return json_error_code(where) == json_error_out_of_memory || where->line < 0 || !where->text[0];
}

kn_status kn__json_parse(json_t **out, const char *bytes, size_t len, json_error_t *where,
                         kn_error *err)
{
    json_error_t again;
    json_t *second;
    bool agree;

    *out = parse(bytes, len, where);
    if (*out && len > SMALL) {
        return KN_OK;
    }
    second = parse(bytes, len, &again);
    if (*out && second) {
        agree = json_equal(*out, second);
    } else {
        agree = !*out && !second && !is_memory(where) && !is_memory(&again) &&
                where->position == again.position && strcmp(where->text, again.text) == 0;
    }
    json_decref(second);
    if (!agree) {
        json_decref(*out);
        *out = NULL;
        return kn__nomem(err);
    }
    return *out ? KN_OK : KN_EINPUT;
}

typedef struct dumped {
    char *text;
    size_t len, size;
    bool failed; /* for good: jansson does not hear of every failure */
} dumped;

static int append(const char *bytes, size_t len, void *user)
{
    dumped *d = user;

    if (!d->failed && d->size - d->len <= len) {
        const size_t size = 2 * d->size + len + 1;
        char *text = realloc(d->text, size);
        d->failed = !text;
        d->text = text ? text : d->text;
        d->size = text ? size : d->size;
    }
    if (d->failed) {
        return -1;
    }
    memcpy(d->text + d->len, bytes, len);
    d->len += len;
    return 0;
}

char *kn__json_dump(const json_t *root, size_t flags)
{
    dumped d = {0};

    if (json_dump_callback(root, append, &d, flags) != 0 || append("", 1, &d) != 0) {
        free(d.text);
        return NULL;
    }
    return d.text;
}

json_t *kn__json_of_number(double x)
{
    if (!isfinite(x)) {
        return json_null();
    }
    return x == floor(x) && fabs(x) < 9e15 ? json_integer((json_int_t)x) : json_real(x);
}

bool kn__json_put_number(json_t *object, const char *key, double x)
{
    return json_object_set_new(object, key, kn__json_of_number(x)) == 0;
}

bool kn__json_put_text(json_t *object, const char *key, const char *text)
{
    return json_object_set_new(object, key, text ? json_string(text) : json_null()) == 0;
}
