/* cmd_check.c - kanon check: does a file satisfy a guarantee? */
#include "cli/cli.h"
#include "cli/json.h"

#include <string.h>

static const cli_option options[] = {
    {.name = "limit",
     .argument = "N",
     .help = "list at most N offending classes or combinations; the default is 10"},
    {.name = "job",
     .argument = "FILE",
     .help = "take columns, layout and guarantees from a job file; options given here win"},
    {.name = "original",
     .argument = "FILE",
     .help = "sigma-km-anonymity: the data that INPUT is a release of, from which itemsets are "
             "drawn; without it only sizes that can be counted are checked"},
    {.name = "json", .help = "print the verdict as JSON"},
};

static const cli_example examples[] = {
    {"Is this file 5-anonymous over age, sex and postcode?",
     "kanon check public.csv --qi age,sex,postcode --k 5"},
    {"The three worst classes, for a program.",
     "kanon check public.csv --qi age,sex --sensitive diagnosis --guarantee l-diversity --l 3 "
     "--limit 3 --json"},
    {"Does whoever knows two items of a basket find at least five baskets?",
     "kanon check baskets.dat --guarantee km-anonymity --k 5 --m 2"},
    {"And whoever knows age, sex and two diagnoses, without learning of a mental disorder?",
     "kanon check patients.csv --qi age,sex --items codes --sensitive-prefix 29,30 "
     "--guarantee k-lm-diversity --k 5 --l 2 --m 2"},
    {"With a certificate that 99 % of what is known of up to 11 places is shared by 20 people?",
     "kanon check public.dat --original visits.dat --guarantee sigma-km-anonymity --k 20 --m 11 "
     "--sigma 0.99"},
};

typedef struct checking {
    kn_dataset *ds, *original;
    kn_hierarchies *hierarchies;
    kn_guarantee *guarantees;
    size_t count, limit;
    kn_verdict *verdict;
    kn_point_options decisions;
    kn_points *points;
} checking;

static bool is_about(const kn_guarantee *g, unsigned about)
{
    return (kn_guarantee_about(g->kind) & about) == about;
}

static bool has_k(const kn_guarantee *g)
{
    const kn_entry *entry = kn_catalog_find(KN_ENTRY_GUARANTEE, kn_guarantee_name(g->kind));

    for (size_t i = 0; i < entry->params_count; i++) {
        if (strcmp(entry->params[i].name, "k") == 0) {
            return true;
        }
    }
    return false;
}

/* Beside the parameter that is compared it has a k. */
static bool has_second_k(const kn_guarantee *g)
{
    return has_k(g) && strcmp(kn_guarantee_parameter(g), "k") != 0;
}

static bool only_items(const checking *c)
{
    for (size_t i = 0; i < c->count; i++) {
        if (is_about(&c->guarantees[i], KN_ABOUT_CLASSES)) {
            return false;
        }
    }
    return true;
}

static bool only_trees(const checking *c)
{
    for (size_t i = 0; i < c->count; i++) {
        if (!is_about(&c->guarantees[i], KN_ABOUT_TREES)) {
            return false;
        }
    }
    return true;
}

/* ---- for people ---- */

static bool is_class_column(const checking *c, size_t column)
{
    const kn_type type = kn_dataset_type(c->ds, column);

    return kn_dataset_role(c->ds, column) == KN_ROLE_QUASI && type != KN_TYPE_SET &&
           type != KN_TYPE_BAG && type != KN_TYPE_NUMBERS;
}

static void print_item(const checking *c, size_t column, uint32_t code)
{
    size_t len;
    const char *text = kn_dataset_value(c->ds, column, code, &len);

    cli_print_plain(stdout, text, len);
}

static void print_known(const checking *c, const kn_violation *v)
{
    for (size_t i = 0; i < v->items_count; i++) {
        (void)fputs(i ? ", " : "", stdout);
        print_item(c, v->column, v->items[i]);
    }
}

static void print_combination(const checking *c, const kn_violation *v)
{
    (void)printf("%9zu  ", v->size);
    print_known(c, v);
    (void)putchar('\n');
}

static void print_knowledge(const checking *c, const kn_violation *v)
{
    (void)c;
    (void)printf("%9zu  ", v->size);
    cli_print_plain(stdout, v->knowledge, SIZE_MAX);
    (void)putchar('\n');
}

static void print_values(const checking *c, const kn_violation *v)
{
    bool first = true;

    for (size_t i = 0; i < kn_dataset_columns(c->ds); i++) {
        if (is_class_column(c, i)) {
            size_t len;
            const char *text = kn_dataset_value(c->ds, i, kn_dataset_code(c->ds, i, v->record),
                                                &len);
            (void)fputs(first ? "  " : ", ", stdout);
            cli_print_plain(stdout, kn_dataset_name(c->ds, i), SIZE_MAX);
            (void)putchar('=');
            cli_print_plain(stdout, text, len);
            first = false;
        }
    }
}

static void print_class(const checking *c, const kn_violation *v)
{
    char number[32], value[96];
    const kn_guarantee *g = &c->guarantees[v->guarantee];

    (void)snprintf(value, sizeof value, "%s = %s", kn_guarantee_parameter(g),
                   cli_format(v->value, number));
    (void)printf("%9zu  ", v->size);
    cli_pad(stdout, value, 14);
    print_values(c, v);
    if (v->sensitive) {
        (void)printf("  (%s)", v->sensitive);
    }
    (void)putchar('\n');
}

/* Of a table with items: what is known, in which class, and what follows from it. */
static void print_both(const checking *c, const kn_violation *v)
{
    char number[32], value[96];

    (void)snprintf(value, sizeof value, "%s = %s", v->held ? "l" : "k",
                   cli_format(v->value, number));
    (void)printf("%9zu of %6zu  ", v->size, v->class_size);
    cli_pad(stdout, value, 10);
    print_values(c, v);
    (void)fputs(v->items_count ? "; items: " : "", stdout);
    print_known(c, v);
    if (v->held) {
        (void)fputs(" => ", stdout);
        print_item(c, v->column, v->sensitive_item);
        (void)printf(" (%zu of %zu, %.0f %%)", v->held, v->size,
                     100.0 * (double)v->held / (double)v->size);
    }
    (void)putchar('\n');
}

/* The k that holds for each number of items that an attacker knows. */
static void print_sizes(const checking *c, size_t i)
{
    const kn_guarantee *g = &c->guarantees[i];
    const size_t longest = kn_verdict_items(c->verdict)->longest;
    char number[32];

    for (size_t size = is_about(g, KN_ABOUT_CLASSES) ? 0 : 1; size <= g->m && size <= longest;
         size++) {
        (void)printf("  %2zu item%s known: k = %s\n", size, size == 1 ? " " : "s",
                     cli_format(kn_verdict_achieved_size(c->verdict, i, size), number));
    }
}

static void print_items(const checking *c)
{
    const kn_items_seen *seen = kn_verdict_items(c->verdict);

    if (seen->empty) {
        (void)printf("%zu record%s no %s\n", seen->empty, seen->empty == 1 ? " has" : "s have",
                     only_trees(c) ? "nodes" : "items");
    }
    if (seen->sensitive) {
        (void)printf("%zu sensitive item%s\n", seen->sensitive,
                     seen->sensitive == 1 ? " occurs" : "s occur");
    }
    if (seen->asked) {
        (void)printf("%.1f %% of %llu support questions stopped early\n",
                     100.0 * (double)seen->stopped / (double)seen->asked,
                     (unsigned long long)seen->asked);
    }
    if (seen->recount) {
        (void)printf("counted a second time: %s\n", seen->recount);
    }
}

/* To standard error: the data may be fine, the question is not what it seems. */
static void warn(const checking *c)
{
    const kn_items_seen *seen = kn_verdict_items(c->verdict);

    for (size_t i = 0; i < c->count && seen; i++) {
        const kn_guarantee *g = &c->guarantees[i];
        if (is_about(g, KN_ABOUT_ITEMS) && !kn_guarantee_uses_original(g->kind) &&
            g->m > seen->longest && seen->longest) {
            (void)fprintf(
                stderr,
                "kanon: warning: m = %zu, and no record has more than %zu item%s: this is "
                "k-anonymity of whole records\n",
                g->m, seen->longest, seen->longest == 1 ? "" : "s");
        }
    }
    if (seen && seen->absent) {
        (void)fprintf(stderr, "kanon: warning: %s", seen->unknown);
        if (seen->absent > 1) {
            (void)fprintf(stderr, " (and %zu more)", seen->absent - 1);
        }
        (void)fprintf(stderr,
                      "; nothing was checked for it, and nothing can be inferred of an item "
                      "that does not occur\n");
    }
    if (seen && seen->above) {
        (void)fprintf(stderr,
                      "kanon: warning: %zu record%s an item above sensitive ones, such as *: it is "
                      "taken for the items below it that are not sensitive\n",
                      seen->above, seen->above == 1 ? " holds" : "s hold");
    }
}

/* What a violation is: a class, a combination of items, both, or knowledge about a tree. */
static size_t shape_of(const kn_violation *v)
{
    return v->knowledge ? 3 : v->class_size ? 2 : v->items ? 1 : 0;
}

static void print_violations(const checking *c, size_t shown)
{
    typedef struct shape {
        const char *heading;
        void (*print)(const checking *c, const kn_violation *v);
    } shape;
    static const shape shapes[] = {
        {"  records  holds           class", print_class},
        {"  records  items", print_combination},
        {"  records of class   holds       class; items", print_both},
        {"  records  what is known", print_knowledge},
    };
    const shape *last = NULL;

    for (size_t i = 0; i < shown; i++) {
        const kn_violation *v = kn_verdict_violation(c->verdict, i);
        const shape *of = &shapes[shape_of(v)];
        if (of != last) {
            (void)puts(of->heading);
            last = of;
        }
        of->print(c, v);
    }
}

static void print_guarantee(const checking *c, size_t i)
{
    const kn_guarantee *g = &c->guarantees[i];
    const char *parameter = kn_guarantee_parameter(g), *variant = kn_guarantee_variant(g);
    char number[4][32], k[2][48] = {"", ""};

    if (has_second_k(g)) {
        (void)snprintf(k[0], sizeof k[0], "k = %s and ", cli_format((double)g->k, number[2]));
        (void)snprintf(k[1], sizeof k[1], "k = %s and ",
                       cli_format(kn_verdict_achieved_k(c->verdict, i), number[3]));
    }
    (void)printf("%s%s%s: asked %s%s = %s, achieved %s%s = %s\n", kn_guarantee_name(g->kind),
                 variant ? ", " : "", variant ? variant : "", k[0], parameter,
                 cli_format(kn_guarantee_asked(g), number[0]), k[1], parameter,
                 cli_format(kn_verdict_achieved(c->verdict, i), number[1]));
    if (kn_guarantee_uses_original(g->kind)) {
        cli_print_certificates(stdout, c->verdict, i);
    } else if (is_about(g, KN_ABOUT_ITEMS)) {
        print_sizes(c, i);
    }
}

static void print_counts(const checking *c, const char *path)
{
    (void)printf(only_items(c) ? "%s: %s (records: %zu, different: %zu)\n"
                               : "%s: %s (records: %zu, classes: %zu)\n",
                 path, kn_verdict_unknown(c->verdict) ? "CANNOT BE TOLD" : cli_state(c->points),
                 kn_dataset_records(c->ds), kn_verdict_classes(c->verdict));
}

static void print_words(const checking *c, const char *path)
{
    const kn_items_seen *seen = kn_verdict_items(c->verdict);
    const size_t violations = kn_verdict_violations(c->verdict);
    const size_t kept = kn_verdict_violations_kept(c->verdict);
    const size_t shown = c->limit < kept ? c->limit : kept;

    cli_print_verdict(stdout, c->points);
    for (size_t i = 0; i < c->count; i++) {
        print_guarantee(c, i);
    }
    if (only_trees(c)) {
        (void)printf("%s: %s (records: %zu)\n", path, cli_state(c->points),
                     kn_dataset_records(c->ds));
    } else {
        print_counts(c, path);
    }
    if (seen) {
        print_items(c);
    }
    if (violations && only_trees(c)) {
        const size_t records = kn_verdict_records_at_risk(c->verdict);
        (void)printf("\n%zu thing%s that can be known and that too few records match, %zu record%s "
                     "in all; the smallest first:\n",
                     violations, violations == 1 ? "" : "s", records, records == 1 ? "" : "s");
    } else if (violations && only_items(c)) {
        const size_t records = kn_verdict_records_at_risk(c->verdict);
        (void)printf("\n%zu rare combination%s of items in %zu record%s; the smallest first:\n",
                     violations, violations == 1 ? "" : "s", records, records == 1 ? "" : "s");
    } else if (violations) {
        (void)printf("\n%zu violation%s in classes %swith %zu records; the worst first:\n",
                     violations, violations == 1 ? "" : "s",
                     seen ? "and combinations of items " : "",
                     kn_verdict_records_at_risk(c->verdict));
    }
    print_violations(c, shown);
    if (violations > shown && shown) {
        (void)printf("          ... and %zu more; --limit shows more of them\n",
                     violations - shown);
    }
}

/* ---- for programs ---- */

static json_t *json_item(const checking *c, size_t column, uint32_t code)
{
    size_t len;
    const char *text = kn_dataset_value(c->ds, column, code, &len);

    return json_stringn(text, len);
}

static json_t *json_known(const checking *c, const kn_violation *v)
{
    json_t *items = json_array();

    for (size_t i = 0; i < v->items_count; i++) {
        (void)json_array_append_new(items, json_item(c, v->column, v->items[i]));
    }
    return items;
}

static json_t *json_combination(const checking *c, const kn_violation *v)
{
    return json_pack("{s:s, s:I, s:o, s:s, s:o}", "guarantee", kn_guarantee_name(v->kind),
                     "records", (json_int_t)v->size, "value", cli_json_number(v->value), "column",
                     kn_dataset_name(c->ds, v->column), "items", json_known(c, v));
}

static json_t *json_knowledge(const checking *c, const kn_violation *v)
{
    (void)c;
    return json_pack("{s:s, s:I, s:o, s:s, s:I}", "guarantee", kn_guarantee_name(v->kind),
                     "records", (json_int_t)v->size, "value", cli_json_number(v->value),
                     "knowledge", v->knowledge, "first_record", (json_int_t)v->record + 1);
}

static json_t *json_sizes(const checking *c, size_t i)
{
    json_t *sizes = json_array();

    /* A table's classes are what holds for no items. */
    for (size_t size = is_about(&c->guarantees[i], KN_ABOUT_CLASSES) ? 0 : 1;
         size <= c->guarantees[i].m; size++) {
        (void)json_array_append_new(sizes,
                                    cli_json_number(kn_verdict_achieved_size(c->verdict, i, size)));
    }
    return sizes;
}

/* By size 1..m: one combination in so many. */
static json_t *json_recount(const checking *c, const kn_items_seen *seen)
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

static json_t *json_class(const checking *c, const kn_violation *v)
{
    json_t *values = json_object(), *object;

    for (size_t i = 0; i < kn_dataset_columns(c->ds); i++) {
        if (is_class_column(c, i)) {
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

static json_t *json_both(const checking *c, const kn_violation *v)
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

static json_t *json_seen(const checking *c, const kn_items_seen *seen)
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
    for (size_t i = 0; i < c->count; i++) {
        if (is_about(&c->guarantees[i], KN_ABOUT_CLASSES | KN_ABOUT_ITEMS)) {
            put_count(object, "sensitive_items", seen->sensitive);
            put_count(object, "records_above_sensitive", seen->above);
            put_count(object, "sensitive_names_absent", seen->absent);
        }
    }
    return object;
}

static int print_json(const checking *c)
{
    const size_t kept = kn_verdict_violations_kept(c->verdict);
    const kn_items_seen *seen = kn_verdict_items(c->verdict);
    json_t *guarantees = json_array(), *classes = json_array(), *root;
    json_t *(*const json_of[])(const checking *, const kn_violation *) = {
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
        if (object && has_second_k(g)) {
            put_count(object, "k", g->k);
            (void)json_object_set_new(object, "achieved_k",
                                      cli_json_number(kn_verdict_achieved_k(c->verdict, i)));
        }
        if (object && is_about(g, KN_ABOUT_TREES)) {
            put_count(object, "m", g->m);
            put_count(object, "n", g->n);
        }
        if (object && is_about(g, KN_ABOUT_ITEMS)) {
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
        (void)json_array_append_new(classes, json_of[shape_of(v)](c, v));
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
    if (root && seen && only_trees(c)) {
        (void)json_object_set_new(
            root, "trees",
            json_pack("{s:I, s:I, s:s}", "empty_records", (json_int_t)seen->empty, "largest_record",
                      (json_int_t)seen->longest, "recount", seen->recount ? seen->recount : ""));
    } else if (root && seen) {
        (void)json_object_set_new(root, "items", json_seen(c, seen));
    }
    return cli_json_print(root);
}

/* Also where points are not printed: a file that still has its identifiers is no release. */
static void warn_of_identifiers(const kn_dataset *ds)
{
    for (size_t i = 0; i < kn_dataset_columns(ds); i++) {
        if (kn_dataset_role(ds, i) == KN_ROLE_IDENTIFIER) {
            (void)fprintf(stderr,
                          "kanon: warning: column '%s' is an identifier and is still in the file: "
                          "this is no release\n",
                          kn_dataset_name(ds, i));
        }
    }
}

/* Print what was found; returns the exit code. */
static int show(const cli_call *call, const checking *c)
{
    int code = 0;

    if (!call->quiet) {
        warn(c);
    }
    warn_of_identifiers(c->ds);
    if (call->json) {
        code = print_json(c);
    } else if (!call->quiet) {
        print_words(c, call->arguments[0]);
    }
    if (code == 0 && kn_verdict_unknown(c->verdict)) {
        code = 4;
    }
    return code ? code : cli_verdict_code(c->points, &c->decisions);
}

static bool uses_original(const checking *c)
{
    for (size_t i = 0; i < c->count; i++) {
        if (kn_guarantee_uses_original(c->guarantees[i].kind)) {
            return true;
        }
    }
    return false;
}

static int run(cli_call *call)
{
    const char *path = call->arguments[0], *original = cli_value(call, "original");
    checking c = {.limit = 10};
    kn_table_use use = KN_TABLE_RELEASE;
    kn_error err = {0};
    kn_status status;
    int code = cli_count(call, "limit", 0, &c.limit);

    if (code) {
        return code;
    }
    CLI_TRY(kn_job_guarantees(&c.guarantees, &c.count, call->job, &err));
    if (original && !uses_original(&c)) {
        kn_job_guarantees_free(c.guarantees);
        return cli_usage("--original is for sigma-km-anonymity, which draws itemsets from it");
    }
    CLI_TRY(kn_job_points(&c.decisions, call->job, false, &err));
    if (call->quiet && !call->json && !c.decisions.strict) {
        use = KN_TABLE_CHECKED; /* of columns that no guarantee is about nothing is shown */
    }
    CLI_TRY(cli_read(call, path, use, &c.ds, &err));
    if (original) {
        CLI_TRY(cli_read(call, original, KN_TABLE_ORIGINAL, &c.original, &err));
    }
    CLI_TRY(kn_job_hierarchies(&c.hierarchies, call->job, original ? c.original : c.ds, &err));
    CLI_TRY(kn_check_release(&c.verdict, c.ds, c.original, c.guarantees, c.count, c.hierarchies,
                             &call->run, &err));
    CLI_TRY(kn_points_find(&c.points, c.ds, c.guarantees, c.count, c.verdict, &c.decisions,
                           &call->run, &err));
done:
    cli_progress_end();
    code = status == KN_OK ? show(call, &c) : cli_fail(&err);
    kn_points_free(c.points);
    kn_job_points_free(&c.decisions);
    kn_verdict_free(c.verdict);
    kn_job_guarantees_free(c.guarantees);
    kn_hierarchies_free(c.hierarchies);
    kn_dataset_free(c.original);
    kn_dataset_free(c.ds);
    return code;
}

const cli_command cmd_check = {
    .name = "check",
    .arguments = "INPUT [options]",
    .summary = "does a file satisfy a guarantee? exit 0 yes, 1 no",
    .about =
        "Forms the classes of records with equal quasi-identifiers, text for text, checks the "
        "guarantees exactly, and lists the classes that break them, the worst first. For "
        "km-anonymity it counts the combinations of items instead, and lists the rare ones, the "
        "smallest first; for k-km-anonymity and k-lm-diversity it does so inside each class. For "
        "sigma-km-anonymity it counts small combinations and certifies the larger ones by samples "
        "of the original (--original); without it, what cannot be counted is open: exit 4.\n"
        "The file is then looked at as a whole, and points to settle are listed first; with --strict "
        "they make the exit code 1.\n"
        "INPUT is usually a release: identifiers and dropped columns that a schema names may be "
        "gone from it, quasi-identifiers may not.",
    .groups = KN_GROUP_COLUMNS | KN_GROUP_LAYOUT | KN_GROUP_HIERARCHIES | KN_GROUP_GUARANTEE |
              KN_GROUP_POINTS | KN_GROUP_SEED | KN_GROUP_RUN,
    CLI_OPTIONS(options),
    CLI_EXAMPLES(examples),
    .least = 1,
    .most = 1,
    .run = run,
};
