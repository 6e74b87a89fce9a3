/* check_json.c - what kanon check has found, for programs. */
#include "cli/check.h"
#include "cli/json.h"

static json_t *json_item(const cli_checking *c, size_t column, uint32_t code)
{
    size_t len;
    const char *text = kn_dataset_value(c->ds, column, code, &len);

    return json_stringn(text, len);
}

static json_t *json_known(const cli_checking *c, const kn_violation *v)
{
    json_t *items = json_array();

    for (size_t i = 0; i < v->items_count; i++) {
        (void)json_array_append_new(items, json_item(c, v->column, v->items[i]));
    }
    return items;
}

static json_t *json_combination(const cli_checking *c, const kn_violation *v)
{
    return json_pack("{s:s, s:I, s:o, s:s, s:o}", "guarantee", kn_guarantee_name(v->kind),
                     "records", (json_int_t)v->size, "value", cli_json_number(v->value), "column",
                     kn_dataset_name(c->ds, v->column), "items", json_known(c, v));
}

static json_t *json_knowledge(const cli_checking *c, const kn_violation *v)
{
    (void)c;
    return json_pack("{s:s, s:I, s:o, s:s, s:I}", "guarantee", kn_guarantee_name(v->kind),
                     "records", (json_int_t)v->size, "value", cli_json_number(v->value),
                     "knowledge", v->knowledge, "first_record", (json_int_t)v->record + 1);
}

static json_t *json_sizes(const cli_checking *c, size_t i)
{
    json_t *sizes = json_array();

    /* A table's classes are what holds for no items. */
    for (size_t size = cli_guarantee_is_about(&c->guarantees[i], KN_ABOUT_CLASSES) ? 0 : 1;
         size <= c->guarantees[i].m; size++) {
        (void)json_array_append_new(sizes,
                                    cli_json_number(kn_verdict_achieved_size(c->verdict, i, size)));
    }
    return sizes;
}

/* By size 1..m: one combination in so many. */
static json_t *json_recount(const cli_checking *c, const kn_items_seen *seen)
{
    json_t *one_in = json_array();
    size_t m = 0;

    for (size_t i = 0; i < c->count; i++) {
        if (c->guarantees[i].m > m) { /* 0 of guarantees that are not about items */
            m = c->guarantees[i].m;
        }
    }
    for (size_t size = 1; size <= m; size++) {
        (void)json_array_append_new(one_in, json_integer((json_int_t)seen->recounted[size]));
    }
    return json_pack("{s:s, s:o}", "words", seen->recount, "one_in", one_in);
}

static json_t *json_class(const cli_checking *c, const kn_violation *v)
{
    json_t *values = json_object(), *object;

    for (size_t i = 0; i < kn_dataset_columns(c->ds); i++) {
        if (cli_check_is_class_column(c, i)) {
            size_t len;
            const char *text = kn_dataset_value(c->ds, i, kn_dataset_code(c->ds, i, v->record),
                                                &len);
            (void)json_object_set_new(values, kn_dataset_name(c->ds, i), json_stringn(text, len));
        }
    }
    object = json_pack("{s:s, s:I, s:o, s:o}", "guarantee", kn_guarantee_name(v->kind), "records",
                       (json_int_t)v->size, "value", cli_json_number(v->value), "class", values);
    if (object && v->sensitive) {
        (void)json_object_set_new(object, "sensitive", json_string(v->sensitive));
    }
    return object;
}

static void put_count(json_t *object, const char *key, uint64_t count)
{
    (void)json_object_set_new(object, key, json_integer((json_int_t)count));
}

static json_t *json_both(const cli_checking *c, const kn_violation *v)
{
    json_t *object = json_class(c, v);

    put_count(object, "class_size", v->class_size);
    (void)json_object_set_new(object, "column", json_string(kn_dataset_name(c->ds, v->column)));
    (void)json_object_set_new(object, "items", json_known(c, v));
    put_count(object, "first_record", v->record + 1);
    if (v->held) {
        (void)json_object_set_new(object, "sensitive_item",
                                  json_item(c, v->column, v->sensitive_item));
        put_count(object, "held", v->held);
        (void)json_object_set_new(object, "confidence",
                                  cli_json_number((double)v->held / (double)v->size));
    }
    return object;
}

static json_t *json_seen(const cli_checking *c, const kn_items_seen *seen)
{
    json_t *object = json_object();

    (void)json_object_set_new(object, "column", json_string(kn_dataset_name(c->ds, seen->column)));
    put_count(object, "empty_records", seen->empty);
    put_count(object, "longest_record", seen->longest);
    if (seen->distinct) {
        put_count(object, "different_records", seen->distinct);
    }
    put_count(object, "support_questions", seen->asked);
    put_count(object, "stopped_early", seen->stopped);
    if (seen->recount) {
        (void)json_object_set_new(object, "recount", json_recount(c, seen));
    }
    if (seen->at_least) { /* violations_count and records_at_risk are lower bounds */
        (void)json_object_set_new(object, "at_least", json_true());
    }
    for (size_t i = 0; i < c->count; i++) {
        if (cli_guarantee_is_about(&c->guarantees[i], KN_ABOUT_CLASSES | KN_ABOUT_ITEMS)) {
            put_count(object, "sensitive_items", seen->sensitive);
            put_count(object, "records_above_sensitive", seen->above);
            put_count(object, "sensitive_names_absent", seen->absent);
        }
    }
    return object;
}

int cli_check_print_json(const cli_checking *c)
{
    const size_t kept = kn_verdict_violations_kept(c->verdict);
    const kn_items_seen *seen = kn_verdict_items(c->verdict);
    json_t *guarantees = json_array(), *classes = json_array(), *root;
    json_t *(*const json_of[])(const cli_checking *, const kn_violation *) = {
        json_class, json_combination, json_both, json_knowledge};

    for (size_t i = 0; i < c->count; i++) {
        const kn_guarantee *g = &c->guarantees[i];
        json_t *object = json_pack("{s:s, s:s, s:o, s:o}", "name", kn_guarantee_name(g->kind),
                                   "parameter", kn_guarantee_parameter(g), "asked",
                                   cli_json_number(kn_guarantee_asked(g)), "achieved",
                                   cli_json_number(kn_verdict_achieved(c->verdict, i)));
        if (object && kn_guarantee_variant(g)) {
            (void)json_object_set_new(object, "variant", json_string(kn_guarantee_variant(g)));
        }
        if (object && kn_guarantee_compares_original(g)) {
            (void)json_object_set_new(object, "reference", json_string("original"));
        }
        if (object && cli_guarantee_has_second_k(g)) {
            put_count(object, "k", g->k);
            (void)json_object_set_new(object, "achieved_k",
                                      cli_json_number(kn_verdict_achieved_k(c->verdict, i)));
        }
        if (object && cli_guarantee_is_about(g, KN_ABOUT_TREES)) {
            put_count(object, "m", g->m);
            put_count(object, "n", g->n);
        }
        if (object && cli_guarantee_is_about(g, KN_ABOUT_ITEMS)) {
            (void)json_object_set_new(object, "m", json_integer((json_int_t)g->m));
            (void)json_object_set_new(object, "achieved_by_size", json_sizes(c, i));
        }
        if (object && kn_guarantee_uses_original(g->kind)) {
            (void)json_object_set_new(object, "certificates", cli_json_certificates(c->verdict, i));
        }
        (void)json_array_append_new(guarantees, object);
    }
    for (size_t i = 0; i < c->limit && i < kept; i++) {
        const kn_violation *v = kn_verdict_violation(c->verdict, i);
        (void)json_array_append_new(classes, json_of[cli_check_shape(v)](c, v));
    }
    root = json_pack("{s:b, s:s, s:s, s:o, s:I, s:I, s:o, s:I, s:I, s:o}", "satisfied",
                     kn_verdict_holds(c->verdict), "verdict",
                     kn_verdict_unknown(c->verdict) ? "unknown"
                                                    : kn_state_name(kn_points_state(c->points)),
                     "summary", kn_points_summary(c->points), "points", cli_json_points(c->points),
                     "records", (json_int_t)kn_dataset_records(c->ds), "classes",
                     (json_int_t)kn_verdict_classes(c->verdict), "guarantees", guarantees,
                     "violations_count", (json_int_t)kn_verdict_violations(c->verdict),
                     "records_at_risk", (json_int_t)kn_verdict_records_at_risk(c->verdict),
                     "violations", classes);
    if (root && seen && cli_check_only_trees(c)) {
        (void)json_object_set_new(
            root, "trees",
            json_pack("{s:I, s:I, s:s}", "empty_records", (json_int_t)seen->empty, "largest_record",
                      (json_int_t)seen->longest, "recount", seen->recount ? seen->recount : ""));
    } else if (root && seen) {
        (void)json_object_set_new(root, "items", json_seen(c, seen));
    }
    return cli_json_print(root);
}
