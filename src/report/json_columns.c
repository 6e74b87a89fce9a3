/* json_columns.c - the columns in the report for programs. */
#include "report/json_inside.h"

json_t *kn__json_utility_by_column(writer *w, const kn_report *r)
{
    json_t *out = object(w);

    for (size_t i = 0; i < r->measures_count; i++) {
        const char *column = r->measure_columns[i];
        if (column) {
            if (!json_object_get(out, column)) {
                put(w, out, column, object(w));
            }
            put(w, json_object_get(out, column), r->measure_names[i],
                number(w, r->measure_values[i]));
        }
    }
    return out;
}

static json_t *group(writer *w, size_t values, size_t records)
{
    json_t *out = object(w);

    put_count(w, out, "values", values);
    put_count(w, out, "records", records);
    return out;
}

static json_t *bars(writer *w, const kn_bar *bar, size_t n, const char *key)
{
    json_t *out = array(w);

    for (size_t i = 0; i < n; i++) {
        json_t *one = object(w);

        put(w, one, key, text(w, bar[i].label));
        put_count(w, one, "records", bar[i].records);
        push(w, out, one);
    }
    return out;
}

static json_t *distribution(writer *w, const kn_bars *b)
{
    json_t *out = object(w);

    put_count(w, out, "distinct", b->values);
    put(w, out, "ranges", json_boolean(b->binned));
    put(w, out, "shown", bars(w, b->bar, b->count, "value"));
    put(w, out, "more", group(w, b->more_values, b->more_records));
    put(w, out, "rare", group(w, b->rare_values, b->rare_records));
    return out;
}

/* Published records by the bars of `before`. */
static json_t *spread(writer *w, const kn_report_column *c)
{
    json_t *out = object(w), *list = array(w);

    for (size_t i = 0; i < c->before.count; i++) {
        json_t *one = object(w);
        put(w, one, "value", text(w, c->before.bar[i].label));
        put(w, one, "records", number(w, c->spread.bar[i]));
        push(w, list, one);
    }
    put(w, out, "shown", list);
    put(w, out, "rare", number(w, c->spread.rare));
    put_count(w, out, "suppressed", c->spread.suppressed);
    return out;
}

json_t *kn__json_columns(writer *w, const kn_report *r)
{
    static const char *const chosen[] = {[KN_CHOSEN_NOT] = "not",
                                         [KN_CHOSEN_GIVEN] = "given",
                                         [KN_CHOSEN_IMPLIED] = "implied",
                                         [KN_CHOSEN_REST] = "rest",
                                         [KN_CHOSEN_SUGGESTED] = "suggested"};
    json_t *out = array(w), *measures = kn__json_utility_by_column(w, r);

    for (size_t i = 0; i < r->columns; i++) {
        const kn_report_column *c = &r->column[i];
        json_t *one = object(w);

        put(w, one, "name", text(w, c->name));
        put(w, one, "role", text(w, kn_role_name(c->role)));
        put(w, one, "chosen", text(w, chosen[c->chosen]));
        put(w, one, "type", text(w, kn_type_name(c->type)));
        put(w, one, "published", json_boolean(c->published));
        if (c->role != KN_ROLE_IDENTIFIER && c->role != KN_ROLE_DROPPED) {
            put_count(w, one, "values_before", c->values_before);
            put_count(w, one, "values_after", c->values_after);
        }
        if (c->role == KN_ROLE_QUASI) {
            json_t *measured = json_incref(json_object_get(measures, c->name));
            put(w, one, "utility", measured ? measured : object(w));
            put(w, one, "before", distribution(w, &c->before));
            if (c->spread.bar) {
                put(w, one, "after_spread", spread(w, c));
            }
        }
        if (c->published && (c->role == KN_ROLE_QUASI || c->role == KN_ROLE_SENSITIVE)) {
            put(w, one, "after", distribution(w, &c->after));
        }
        push(w, out, one);
    }
    json_decref(measures);
    return out;
}

static json_t *change(writer *w, const kn_change *c, bool named)
{
    json_t *out = object(w);

    put(w, out, "published", text(w, c->published));
    put_count(w, out, "originals", c->originals);
    put_count(w, out, "records", c->records);
    if (named && c->from) {
        put(w, out, "from", bars(w, c->from, c->from_count, "value"));
        put(w, out, "more", group(w, c->more_values, c->more_records));
        put(w, out, "rare", group(w, c->rare_values, c->rare_records));
    }
    return out;
}

json_t *kn__json_changes(writer *w, const kn_report *r)
{
    json_t *out = array(w);

    for (size_t q = 0; q < r->quasis; q++) {
        const kn_report_column *c = &r->column[r->quasi[q]];
        json_t *one = object(w), *list = array(w);

        put(w, one, "column", text(w, c->name));
        put(w, one, "known", json_boolean(c->changes.known));
        put(w, one, "uniform", json_boolean(c->changes.uniform));
        put_count(w, one, "same_records", c->changes.same_records);
        put_count(w, one, "generalised_records", c->changes.changed_records);
        put_count(w, one, "suppressed_records", c->changes.suppressed_records);
        for (size_t i = 0; i < c->changes.count; i++) {
            push(w, list, change(w, &c->changes.change[i], c->changes.uniform));
        }
        put(w, one, "generalisations", list);
        put(w, one, "more", group(w, c->changes.more_values, c->changes.more_records));
        put(w, one, "rare", group(w, c->changes.rare_values, c->changes.rare_records));
        push(w, out, one);
    }
    return out;
}

static json_t *statistic(writer *w, double mean, double deviation)
{
    json_t *out = object(w);

    put(w, out, "mean", number(w, mean));
    put(w, out, "deviation", number(w, deviation));
    return out;
}

json_t *kn__json_statistics(writer *w, const kn_report *r)
{
    json_t *out = array(w);

    for (size_t i = 0; i < r->statistics; i++) {
        const kn_report_statistic *s = &r->statistic[i];
        json_t *one = object(w);
        put(w, one, "column", text(w, r->column[s->column].name));
        put(w, one, "before",
            s->before_known ? statistic(w, s->mean_before, s->deviation_before) : json_null());
        put(w, one, "after", statistic(w, s->mean_after, s->deviation_after));
        put_count(w, one, "records", s->records_after);
        push(w, out, one);
    }
    return out;
}

json_t *kn__json_correlations(writer *w, const kn_report *r)
{
    json_t *out = array(w);

    for (size_t i = 0; i < r->correlations; i++) {
        const kn_report_correlation *c = &r->correlation[i];
        json_t *one = object(w), *columns = array(w);
        push(w, columns, text(w, r->column[c->column].name));
        push(w, columns, text(w, r->column[c->other].name));
        put(w, one, "columns", columns);
        put(w, one, "before", number(w, c->before));
        put(w, one, "after", number(w, c->after));
        push(w, out, one);
    }
    return out;
}

static json_t *values(writer *w, const kn_report *r, char *const *cells)
{
    json_t *out = object(w);

    for (size_t q = 0; q < r->quasis; q++) {
        put(w, out, r->column[r->quasi[q]].name, text(w, cells[q]));
    }
    return out;
}

json_t *kn__json_rows(writer *w, const kn_report *r)
{
    json_t *out = array(w);

    for (size_t i = 0; i < r->rows; i++) {
        json_t *one = object(w);
        put(w, one, "published", values(w, r, r->row[i].after));
        put_count(w, one, "records", r->row[i].records);
        if (r->row[i].before) {
            put(w, one, "original", values(w, r, r->row[i].before));
        }
        push(w, out, one);
    }
    return out;
}

json_t *kn__json_survey(writer *w, const kn_survey *v)
{
    json_t *out = object(w), *list = array(w);

    put_count(w, out, "records", v->records);
    put_count(w, out, "compared_columns", v->grouped);
    put_count(w, out, "unique_records", v->unique);
    put_count(w, out, "unique_by_quasi_identifiers", v->unique_quasi);
    put_count(w, out, "rare_below", v->rare_below);
    for (size_t i = 0; i < v->columns; i++) {
        const kn_published_column *c = &v->column[i];
        json_t *one = object(w);

        put(w, one, "name", text(w, c->name));
        put(w, one, "role", text(w, kn_role_name(c->role)));
        put_count(w, one, "values", c->values);
        if (c->role != KN_ROLE_QUASI) {
            put_count(w, one, "rare_values", c->rare_values);
            put_count(w, one, "rare_records", c->rare_records);
        }
        if (c->role == KN_ROLE_SENSITIVE) {
            put(w, one, "certainty", number(w, c->certainty));
            put_count(w, one, "certain_records", c->certain_records);
        } else if (c->role != KN_ROLE_QUASI) {
            put(w, one, "singles_out", json_boolean(c->singles_out));
        }
        push(w, list, one);
    }
    put(w, out, "columns", list);
    return out;
}
