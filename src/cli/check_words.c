/* check_words.c - what kanon check has found, for people. */
#include "cli/check.h"

#include <string.h>

bool cli_guarantee_is_about(const kn_guarantee *g, unsigned about)
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

bool cli_guarantee_has_second_k(const kn_guarantee *g)
{
    return has_k(g) && strcmp(kn_guarantee_parameter(g), "k") != 0;
}

bool cli_check_only_items(const cli_checking *c)
{
    for (size_t i = 0; i < c->count; i++) {
        if (cli_guarantee_is_about(&c->guarantees[i], KN_ABOUT_CLASSES)) {
            return false;
        }
    }
    return true;
}

bool cli_check_only_trees(const cli_checking *c)
{
    for (size_t i = 0; i < c->count; i++) {
        if (!cli_guarantee_is_about(&c->guarantees[i], KN_ABOUT_TREES)) {
            return false;
        }
    }
    return true;
}

bool cli_check_is_class_column(const cli_checking *c, size_t column)
{
    const kn_type type = kn_dataset_type(c->ds, column);

    return kn_dataset_role(c->ds, column) == KN_ROLE_QUASI && type != KN_TYPE_SET &&
           type != KN_TYPE_BAG && type != KN_TYPE_NUMBERS;
}

size_t cli_check_shape(const kn_violation *v)
{
    if (v->knowledge) {
        return 3;
    }
    if (v->class_size) {
        return 2;
    }
    return v->items ? 1 : 0;
}

static void print_item(const cli_checking *c, size_t column, uint32_t code)
{
    size_t len;
    const char *text = kn_dataset_value(c->ds, column, code, &len);

    cli_print_plain(stdout, text, len);
}

static void print_known(const cli_checking *c, const kn_violation *v)
{
    for (size_t i = 0; i < v->items_count; i++) {
        (void)fputs(i ? ", " : "", stdout);
        print_item(c, v->column, v->items[i]);
    }
}

static void print_combination(const cli_checking *c, const kn_violation *v)
{
    (void)printf("%9zu  ", v->size);
    print_known(c, v);
    (void)putchar('\n');
}

static void print_knowledge(const cli_checking *c, const kn_violation *v)
{
    (void)c;
    (void)printf("%9zu  ", v->size);
    cli_print_plain(stdout, v->knowledge, SIZE_MAX);
    (void)putchar('\n');
}

static void print_values(const cli_checking *c, const kn_violation *v)
{
    bool first = true;

    for (size_t i = 0; i < kn_dataset_columns(c->ds); i++) {
        if (cli_check_is_class_column(c, i)) {
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

static void print_class(const cli_checking *c, const kn_violation *v)
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
static void print_both(const cli_checking *c, const kn_violation *v)
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
static void print_sizes(const cli_checking *c, size_t i)
{
    const kn_guarantee *g = &c->guarantees[i];
    const size_t longest = kn_verdict_items(c->verdict)->longest;
    char number[32];

    for (size_t size = cli_guarantee_is_about(g, KN_ABOUT_CLASSES) ? 0 : 1;
         size <= g->m && size <= longest; size++) {
        (void)printf("  %2zu item%s known: k = %s\n", size, size == 1 ? " " : "s",
                     cli_format(kn_verdict_achieved_size(c->verdict, i, size), number));
    }
}

static void print_items(const cli_checking *c)
{
    const kn_items_seen *seen = kn_verdict_items(c->verdict);

    if (seen->empty) {
        (void)printf("%zu record%s no %s\n", seen->empty, seen->empty == 1 ? " has" : "s have",
                     cli_check_only_trees(c) ? "nodes" : "items");
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

void cli_check_warn(const cli_checking *c)
{
    const kn_items_seen *seen = kn_verdict_items(c->verdict);

    for (size_t i = 0; i < c->count && seen; i++) {
        const kn_guarantee *g = &c->guarantees[i];
        if (cli_guarantee_is_about(g, KN_ABOUT_ITEMS) && !kn_guarantee_uses_original(g->kind) &&
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

static void print_violations(const cli_checking *c, size_t shown)
{
    typedef struct shape {
        const char *heading;
        void (*print)(const cli_checking *c, const kn_violation *v);
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
        const shape *of = &shapes[cli_check_shape(v)];
        if (of != last) {
            (void)puts(of->heading);
            last = of;
        }
        of->print(c, v);
    }
}

static void print_guarantee(const cli_checking *c, size_t i)
{
    const kn_guarantee *g = &c->guarantees[i];
    const char *parameter = kn_guarantee_parameter(g), *variant = kn_guarantee_variant(g);
    char number[4][32], k[2][48] = {"", ""};

    if (cli_guarantee_has_second_k(g)) {
        (void)snprintf(k[0], sizeof k[0], "k = %s and ", cli_format((double)g->k, number[2]));
        (void)snprintf(k[1], sizeof k[1], "k = %s and ",
                       cli_format(kn_verdict_achieved_k(c->verdict, i), number[3]));
    }
    /* About trees counting stops at k. */
    const bool least = cli_guarantee_is_about(g, KN_ABOUT_TREES) &&
                       kn_verdict_achieved(c->verdict, i) == kn_guarantee_asked(g);
    (void)printf("%s%s%s%s: asked %s%s = %s, achieved %s%s %s %s\n", kn_guarantee_name(g->kind),
                 variant ? ", " : "", variant ? variant : "",
                 kn_guarantee_compares_original(g) ? ", compared with the original table" : "",
                 k[0], parameter, cli_format(kn_guarantee_asked(g), number[0]), k[1], parameter,
                 least ? ">=" : "=", cli_format(kn_verdict_achieved(c->verdict, i), number[1]));
    if (kn_guarantee_uses_original(g->kind)) {
        cli_print_certificates(stdout, c->verdict, i);
    } else if (cli_guarantee_is_about(g, KN_ABOUT_ITEMS)) {
        print_sizes(c, i);
    }
}

static void print_counts(const cli_checking *c, const char *path)
{
    (void)printf(cli_check_only_items(c) ? "%s: %s (records: %zu, different: %zu)\n"
                                         : "%s: %s (records: %zu, classes: %zu)\n",
                 path, kn_verdict_unknown(c->verdict) ? "CANNOT BE TOLD" : cli_state(c->points),
                 kn_dataset_records(c->ds), kn_verdict_classes(c->verdict));
}

void cli_check_print_words(const cli_checking *c, const char *path)
{
    const kn_items_seen *seen = kn_verdict_items(c->verdict);
    const size_t violations = kn_verdict_violations(c->verdict);
    const size_t kept = kn_verdict_violations_kept(c->verdict);
    const size_t shown = c->limit < kept ? c->limit : kept;

    cli_print_verdict(stdout, c->points);
    for (size_t i = 0; i < c->count; i++) {
        print_guarantee(c, i);
    }
    if (cli_check_only_trees(c)) {
        (void)printf("%s: %s (records: %zu)\n", path, cli_state(c->points),
                     kn_dataset_records(c->ds));
    } else {
        print_counts(c, path);
    }
    if (seen) {
        print_items(c);
    }
    if (violations && cli_check_only_trees(c)) {
        const size_t records = kn_verdict_records_at_risk(c->verdict);
        (void)printf("\n%zu thing%s that can be known and that too few records match, %zu record%s "
                     "in all; the smallest first:\n",
                     violations, violations == 1 ? "" : "s", records, records == 1 ? "" : "s");
    } else if (violations && cli_check_only_items(c)) {
        const size_t records = kn_verdict_records_at_risk(c->verdict);
        const char *least = seen && seen->at_least ? "at least " : "";
        (void)printf("\n%s%zu rare combination%s of items in %s%zu record%s; the smallest first:\n",
                     least, violations, violations == 1 ? "" : "s", least, records,
                     records == 1 ? "" : "s");
    } else if (violations) {
        const size_t records = kn_verdict_records_at_risk(c->verdict);
        (void)printf("\n%zu violation%s in classes %swith %zu record%s; the worst first:\n",
                     violations, violations == 1 ? "" : "s",
                     seen ? "and combinations of items " : "", records, records == 1 ? "" : "s");
    }
    print_violations(c, shown);
    if (violations > shown && shown) {
        (void)printf("          ... and %zu more; --limit shows more of them\n",
                     violations - shown);
    }
}
