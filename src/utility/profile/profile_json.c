/* profile_json.c - a profile as JSON, fit to be passed on: extremes that fewer than five records
 * hold are left out. */
#include "base/args.h"
#include "base/error.h"
#include "data/value.h"
#include "utility/profile/profile.h"

#include <jansson.h>
#include <math.h>
#include <string.h>

/* Text that is no UTF-8 cannot stand in JSON; an empty text does instead. */
static json_t *text_json(const char *text)
{
    if (!text) {
        return json_null();
    }
    return json_string(kn__utf8_valid(text, strlen(text), NULL) ? text : "");
}

static json_t *number_json(double value, bool shown)
{
    return shown && isfinite(value) ? json_real(value) : json_null();
}

static json_t *count_json(size_t count)
{
    return json_integer((json_int_t)count);
}

static json_t *top_json(const kn_column_profile *p)
{
    json_t *list = json_array();

    for (size_t i = 0; list && i < p->top_count; i++) {
        json_t *value = json_object();
        if (!value || json_object_set_new(value, "value", text_json(p->top[i].text)) != 0 ||
            json_object_set_new(value, "records", count_json(p->top[i].records)) != 0) {
            json_decref(value);
            json_decref(list);
            return NULL;
        }
        if (json_array_append_new(list, value) != 0) {
            json_decref(list);
            return NULL;
        }
    }
    return list;
}

static json_t *column_json(const kn_column_profile *p, const kn_profile_strings *owned)
{
    json_t *o = json_object();
    int bad = !o;

    bad = bad || json_object_set_new(o, "name", text_json(p->name));
    bad = bad || json_object_set_new(o, "type", text_json(kn_type_name(p->type)));
    bad = bad || json_object_set_new(o, "role", text_json(kn_role_name(p->role)));
    bad = bad || json_object_set_new(o, "suggested_role", text_json(kn_role_name(p->suggested)));
    bad = bad || json_object_set_new(o, "reason", text_json(p->reason));
    bad = bad || json_object_set_new(o, "detector", text_json(p->detector));
    bad = bad || json_object_set_new(o, "doubtful", json_boolean(p->doubtful));
    bad = bad || json_object_set_new(o, "values", count_json(p->values));
    bad = bad || json_object_set_new(o, "missing", count_json(p->missing));
    bad = bad || json_object_set_new(o, "unique", count_json(p->unique));
    bad = bad || json_object_set_new(o, "min", number_json(p->min, owned->min_shared));
    bad = bad || json_object_set_new(o, "mean", number_json(p->mean, owned->mean_shared));
    bad = bad || json_object_set_new(o, "max", number_json(p->max, owned->max_shared));
    bad = bad || json_object_set_new(o, "sorted", json_boolean(p->sorted));
    bad = bad || json_object_set_new(o, "hint", text_json(p->hint));
    bad = bad || json_object_set_new(o, "top", top_json(p));
    if (bad) {
        json_decref(o);
        return NULL;
    }
    return o;
}

static int to_buffer(const char *bytes, size_t len, void *user)
{
    kn__buffer_add(user, bytes, len);
    return 0;
}

kn_status kn_profile_json(char **out, const kn_profile *p, kn_error *err)
{
    KN_NEED_OUT(err, out);
    KN_NEED(err, p);

    json_t *root = json_object();
    json_t *columns = json_array();
    kn_buffer text = {0};
    int bad = !root || !columns;

    for (size_t i = 0; !bad && i < p->columns; i++) {
        bad = json_array_append_new(columns, column_json(&p->column[i], &p->owned[i]));
    }
    bad = bad || json_object_set_new(root, "records", count_json(p->records));
    bad = bad || json_object_set_new(root, "group_by",
                                     p->person < p->columns ? text_json(p->column[p->person].name)
                                                            : json_null());
    bad = bad || json_object_set(root, "columns", columns);
    bad = bad || json_dump_callback(root, to_buffer, &text, JSON_INDENT(2)) != 0;
    json_decref(columns);
    json_decref(root);
    if (bad) {
        kn__buffer_free(&text);
        return kn__nomem(err);
    }
    kn__buffer_addc(&text, '\n');
    return kn__buffer_take(&text, out, err);
}
