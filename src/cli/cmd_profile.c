/* cmd_profile.c - kanon profile: what a table is like before anything is done to it. */
#include "cli/cli.h"
#include "cli/json.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { CELL = 32, COLUMNS = 8 };

static const cli_option options[] = {
    {.name = "subsets",
     .argument = "N",
     .help = "look at subsets of up to N quasi-identifiers, 1 to 4; the default is 3"},
    {.name = "limit",
     .argument = "N",
     .help = "list at most N subsets of a size; the default is 5"},
    {.name = "known",
     .argument = "N",
     .help = "item lists: what knowing up to N items gives away, 0 to 16; the default is 4"},
    {.name = "samples",
     .argument = "N",
     .help = "item lists: combinations drawn for each number of items that is not counted; the "
             "default is 26492: within 1 % in 99 of 100 cases"},
    {.name = "naive",
     .help = "item lists: draw people and then items, which is biased towards what many hold; to "
             "compare"},
    {.name = "json", .help = "print the profile as JSON"},
};

static const cli_example examples[] = {
    {"What is in this table, and who stands out?", "kanon profile patients.csv"},
    {"How unique do age, sex and postcode make people?",
     "kanon profile patients.csv --qi age,sex,postcode"},
    {"How many items must one know to find a basket?", "kanon profile baskets.dat --known 6"},
};

typedef struct profiling {
    kn_dataset *ds;
    kn_profile *profile;
    kn_uniqueness *subsets;
    size_t subsets_count, subset_size, limit;
    kn_items_known_options known;
    kn_items_known **curve; /* by column: that of a list, or NULL */
    size_t *curve_len;
    const char **cells;       /* of the printed table of columns */
    char (*numbers)[3][CELL]; /* by column: what cells show */
    bool suggested;           /* the quasi-identifiers are our suggestion */
} profiling;

static bool is_list(kn_type type)
{
    return type == KN_TYPE_SET || type == KN_TYPE_BAG || type == KN_TYPE_NUMBERS;
}

/* Quasi-identifiers as given, or else as suggested. Lists are left out: uniqueness is counted over
 * single values. Returns how many there are. */
static size_t choose_quasi(profiling *p)
{
    size_t given = 0;

    for (size_t i = 0; i < kn_profile_columns(p->profile); i++) {
        const kn_column_profile *c = kn_profile_column(p->profile, i);
        if (c->role == KN_ROLE_QUASI && is_list(c->type)) {
            (void)kn_dataset_set_role(p->ds, i, KN_ROLE_KEPT, NULL);
        } else {
            given += c->role == KN_ROLE_QUASI;
        }
    }
    p->suggested = given == 0;
    for (size_t i = 0; p->suggested && i < kn_profile_columns(p->profile); i++) {
        const kn_column_profile *c = kn_profile_column(p->profile, i);
        if (c->role == KN_ROLE_UNSET && c->suggested == KN_ROLE_QUASI && !is_list(c->type)) {
            (void)kn_dataset_set_role(p->ds, i, KN_ROLE_QUASI, NULL);
            given++;
        }
    }
    return given;
}

/* Lists that are identifiers, given or suggested, are not described here. */
static bool is_open_list(const profiling *p, size_t column)
{
    const kn_column_profile *c = kn_profile_column(p->profile, column);

    return is_list(c->type) && c->values && c->role != KN_ROLE_IDENTIFIER &&
           c->suggested != KN_ROLE_IDENTIFIER;
}

static kn_status measure_lists(profiling *p, const kn_run *run, kn_error *err)
{
    const size_t columns = kn_dataset_columns(p->ds);
    kn_status st = KN_OK;

    p->curve = calloc(columns + 1, sizeof(kn_items_known *));
    p->curve_len = calloc(columns + 1, sizeof *p->curve_len);
    p->cells = calloc((columns + 1) * COLUMNS, sizeof *p->cells);
    p->numbers = calloc(columns + 1, sizeof *p->numbers);
    if (!p->curve || !p->curve_len || !p->cells || !p->numbers) {
        *err = (kn_error){.status = KN_ENOMEM, .message = "out of memory"};
        return KN_ENOMEM;
    }
    for (size_t i = 0; i < columns && st == KN_OK && p->known.most; i++) {
        if (is_open_list(p, i)) {
            st = kn_items_uniqueness(&p->curve[i], &p->curve_len[i], p->ds, i, &p->known, run, err);
        }
    }
    return st;
}

/* ---- for people ---- */

static void print_columns(const profiling *p)
{
    static const bool right[COLUMNS] = {[2] = true, [3] = true, [4] = true};
    const size_t columns = kn_profile_columns(p->profile);
    static const char *const titles[COLUMNS] = {"column", "type", "distinct",  "missing",
                                                "alone",  "role", "suggested", "why"};

    memcpy(p->cells, titles, sizeof titles);
    for (size_t i = 0; i < columns; i++) {
        const kn_column_profile *c = kn_profile_column(p->profile, i);
        const char **row = p->cells + (i + 1) * COLUMNS;
        const bool given = c->role != KN_ROLE_UNSET;
        (void)snprintf(p->numbers[i][0], CELL, "%zu", c->values);
        (void)snprintf(p->numbers[i][1], CELL, "%zu", c->missing);
        (void)snprintf(p->numbers[i][2], CELL, "%zu", c->unique);
        row[0] = c->name;
        row[1] = kn_type_name(c->type);
        row[2] = p->numbers[i][0];
        row[3] = p->numbers[i][1];
        row[4] = p->numbers[i][2];
        row[5] = given ? kn_role_name(c->role) : "-";
        row[6] = given ? "" : kn_role_name(c->suggested);
        row[7] = given || !c->reason ? "" : c->reason;
    }
    cli_table(stdout, p->cells, columns + 1, COLUMNS, right);
    if (!kn_profile_has_names(p->profile)) {
        (void)puts(
            "hint: the first line may be a record, so it is not shown: add --no-header if it "
            "is one; if it names the columns, give two of them a role (--qi, --id)");
    }
    for (size_t i = 0; i < columns; i++) {
        const kn_column_profile *c = kn_profile_column(p->profile, i);
        if (c->hint) {
            (void)printf("hint: %s: %s\n", c->name, c->hint);
        }
    }
    if (kn_profile_person(p->profile) < columns) {
        const kn_column_profile *c = kn_profile_column(p->profile, kn_profile_person(p->profile));
        (void)printf("hint: %s is an id that repeats (%zu values in %zu records), as where people "
                     "have several rows: --group-by %s makes one record per person\n",
                     c->name, c->values, kn_dataset_records(p->ds), c->name);
    }
    for (size_t i = 0; i < columns; i++) {
        const kn_column_profile *c = kn_profile_column(p->profile, i);
        if (c->sorted && kn_dataset_records(p->ds) > 1 && c->values > 1) {
            (void)printf("hint: the records are sorted by %s, which can give people away: "
                         "--shuffle\n",
                         c->name);
        }
    }
}

static double share(size_t part, size_t whole)
{
    return whole ? 100.0 * (double)part / (double)whole : 0;
}

static void print_uniqueness(const profiling *p)
{
    const size_t records = kn_dataset_records(p->ds);
    size_t size = 0, shown = 0;

    for (size_t i = 0; i < p->subsets_count; i++) {
        const kn_uniqueness *u = &p->subsets[i];
        if (u->size == 0) {
            (void)printf(
                "\nwith all %squasi-identifiers together, %zu of %zu records (%.1f %%) are "
                "alone\n",
                p->suggested ? "suggested " : "", u->unique, records, share(u->unique, records));
            continue;
        }
        if (u->size != size) {
            size = u->size;
            shown = 0;
            (void)printf("with %zu of them:\n", size);
        }
        if (shown++ < p->limit) {
            (void)printf("  %6.1f %%  ", share(u->unique, records));
            for (size_t c = 0; c < u->size; c++) {
                (void)printf("%s%s", c ? ", " : "",
                             kn_profile_column(p->profile, u->columns[c])->name);
            }
            (void)putchar('\n');
        }
    }
}

/* "79.3 %  of the 1.2e+09 of 5 items (26492 samples, 78.6 to 79.9 % in 99 of 100 cases)". */
static void print_point(const kn_items_known *k)
{
    (void)printf("  %6.1f %%  of ", 100 * k->alone);
    if (isnan(k->combinations)) {
        (void)printf("those");
    } else {
        (void)printf("the %.*g", k->exact ? 15 : 3, k->combinations);
    }
    (void)printf(" of %zu item%s", k->size, k->size == 1 ? "" : "s");
    if (!k->exact) {
        (void)printf(" (%llu samples, %.1f to %.1f %% in 99 of 100 cases%s)",
                     (unsigned long long)k->samples, 100 * k->low, 100 * k->high,
                     k->naive ? "; naive: biased" : "");
    }
    (void)putchar('\n');
}

static void print_list(const profiling *p, size_t column)
{
    const kn_column_profile *c = kn_profile_column(p->profile, column);
    char number[3][32];

    (void)printf("\n%s: %s to %s items a record, %s on average\n", c->name,
                 cli_format(c->min, number[0]), cli_format(c->max, number[1]),
                 cli_format(c->mean, number[2]));
    for (size_t i = 0; i < c->top_count && i < p->limit; i++) {
        (void)printf("  %6.1f %%  of the records hold  ",
                     share(c->top[i].records, kn_dataset_records(p->ds)));
        cli_print_plain(stdout, c->top[i].text, SIZE_MAX);
        (void)putchar('\n');
    }
    for (size_t i = 0; i < p->curve_len[column]; i++) {
        const kn_items_known *k = &p->curve[column][i];
        if (i == 0) {
            (void)puts("  combinations of items that one record alone holds:");
        }
        print_point(k);
    }
}

/* ---- for programs ---- */

static void json_lists(const profiling *p, json_t *root)
{
    json_t *columns = json_object_get(root, "columns");

    for (size_t i = 0; i < kn_dataset_columns(p->ds); i++) {
        json_t *points = json_array();
        for (size_t j = 0; j < p->curve_len[i]; j++) {
            const kn_items_known *k = &p->curve[i][j];
            (void)json_array_append_new(
                points,
                json_pack("{s:I, s:b, s:b, s:o, s:o, s:o, s:o, s:o, s:I, s:I}", "items",
                          (json_int_t)k->size, "exact", k->exact, "naive", k->naive, "combinations",
                          cli_json_number(k->combinations), "alone", cli_json_number(k->alone),
                          "low", cli_json_number(k->low), "high", cli_json_number(k->high),
                          "within", cli_json_number(k->within), "samples", (json_int_t)k->samples,
                          "draws", (json_int_t)k->draws));
        }
        if (p->curve_len[i]) {
            (void)json_object_set(json_array_get(columns, i), "items_known", points);
        }
        json_decref(points);
    }
}

static json_t *json_subset(const profiling *p, const kn_uniqueness *u)
{
    json_t *columns = json_array();

    for (size_t i = 0; i < (u->size ? u->size : kn_dataset_columns(p->ds)); i++) {
        const size_t column = u->size ? u->columns[i] : i;
        if (u->size || kn_dataset_role(p->ds, column) == KN_ROLE_QUASI) {
            (void)json_array_append_new(columns,
                                        json_string(kn_profile_column(p->profile, column)->name));
        }
    }
    return json_pack("{s:o, s:I, s:I}", "columns", columns, "classes", (json_int_t)u->classes,
                     "unique", (json_int_t)u->unique);
}

static int print_json(const profiling *p)
{
    json_t *root, *subsets = json_array();
    char *text = NULL;
    kn_error err = {0};
    size_t size = 0, shown = 0;

    if (kn_profile_json(&text, p->profile, &err) != KN_OK) {
        json_decref(subsets);
        return cli_fail(&err);
    }
    root = json_loads(text, 0, NULL);
    kn_string_free(text);
    for (size_t i = 0; i < p->subsets_count; i++) {
        shown = p->subsets[i].size == size ? shown + 1 : 1;
        size = p->subsets[i].size;
        if (size == 0 || shown <= p->limit) {
            (void)json_array_append_new(subsets, json_subset(p, &p->subsets[i]));
        }
    }
    json_lists(p, root);
    if (json_object_set_new(root, "uniqueness", subsets) != 0) {
        json_decref(root);
        root = NULL;
    }
    return cli_json_print(root);
}

static void print_words(const profiling *p, const char *path)
{
    const size_t columns = kn_dataset_columns(p->ds), records = kn_dataset_records(p->ds);

    (void)printf("%s: %zu record%s, %zu column%s\n\n", path, records, records == 1 ? "" : "s",
                 columns, columns == 1 ? "" : "s");
    print_columns(p);
    print_uniqueness(p);
    for (size_t i = 0; i < columns; i++) {
        if (is_open_list(p, i)) {
            print_list(p, i);
        }
    }
}

static int run(cli_call *call)
{
    profiling p = {.limit = 5,
                   .subset_size = 3,
                   .known = {KN_INIT(kn_items_known_options), .most = 4}};
    size_t samples = 0;
    kn_error err = {0};
    kn_status status;
    int code = cli_count(call, "limit", 0, &p.limit);

    code = code ? code : cli_count(call, "subsets", 1, &p.subset_size);
    code = code ? code : cli_count(call, "known", 0, &p.known.most);
    code = code ? code : cli_count(call, "samples", 1, &samples);
    if (code) {
        return code;
    }
    if (p.known.most > 16) {
        return cli_usage("--known: %zu is out of range: give 0 to 16", p.known.most);
    }
    p.known.samples = samples;
    p.known.naive = cli_flag(call, "naive");
    if (p.subset_size > 4) {
        return cli_usage("--subsets: %zu is out of range: give 1 to 4", p.subset_size);
    }
    CLI_TRY(cli_read(call, call->arguments[0], KN_TABLE_WHOLE, &p.ds, &err));
    CLI_TRY(kn_profile_make(&p.profile, p.ds, &call->run, &err));
    CLI_TRY(measure_lists(&p, &call->run, &err));
    if (choose_quasi(&p)) {
        CLI_TRY(kn_uniqueness_measure(&p.subsets, &p.subsets_count, p.ds, p.subset_size, &call->run,
                                      &err));
    }
done:
    cli_progress_end();
    if (status != KN_OK) {
        code = cli_fail(&err);
    } else if (call->json) {
        code = print_json(&p);
    } else {
        print_words(&p, call->arguments[0]);
    }
    for (size_t i = 0; p.curve && p.ds && i < kn_dataset_columns(p.ds); i++) {
        kn_items_uniqueness_free(p.curve[i]);
    }
    free(p.curve);
    free(p.curve_len);
    free(p.cells);
    free(p.numbers);
    kn_uniqueness_free(p.subsets);
    kn_profile_free(p.profile);
    kn_dataset_free(p.ds);
    return code;
}

const cli_command cmd_profile = {
    .name = "profile",
    .arguments = "INPUT [options]",
    .summary = "columns, types, sizes, how unique people are, suggested roles",
    .about =
        "Shows every column with its type, the number of different values, how many are "
        "missing, how many records are alone with theirs, and the role that we would give it "
        "and why. Then: how many people the quasi-identifiers, given or suggested, single out, "
        "all together and in small subsets. For item lists: how long they are, the most frequent "
        "items, and which share of the combinations of 1, 2, ... items one record alone holds.\n"
        "Suggestions are guesses from values, names of columns and counts: a person has to decide.",
    .groups = KN_GROUP_COLUMNS | KN_GROUP_LAYOUT | KN_GROUP_SEED | KN_GROUP_RUN,
    CLI_OPTIONS(options),
    .common = "schema|separator|no-header|missing|known|json",
    CLI_EXAMPLES(examples),
    .least = 1,
    .most = 1,
    .run = run,
};
