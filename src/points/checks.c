/* checks.c - the checks that give points, in one table: what each is called, its limit, how it
 * finds points, and the words for what was found and for what settles it. Terminal, JSON and page
 * all take them from here. */
#include "base/error.h"
#include "base/memory.h"
#include "base/say.h"
#include "data/dataset.h"
#include "guarantees/registry.h"
#include "points/checks.h"

#include <math.h>

/* ---- identifiers that are still there ---- */

static kn_status find_identifiers(kn_point_search *s)
{
    kn_status status = KN_OK;

    for (size_t i = 0; s->table && status == KN_OK && i < s->table->published->columns; i++) {
        const kn_column *c = &s->table->published->column[i];
        if ((c->role == KN_ROLE_IDENTIFIER || c->role == KN_ROLE_DROPPED) && !c->absent) {
            status = kn__point_add(s, KN_CHECK_IDENTIFIER, c->name, s->table->published->records,
                                   NAN, false);
        }
    }
    return status;
}

static void say_identifier(kn_buffer *b, const kn_point_search *s, const kn_point *p)
{
    const kn_dataset *ds = s->table->published;
    const kn_role role = ds->column[kn_dataset_find(ds, p->column)].role;

    kn__buffer_addf(b, "Column %s is %s and is still in the file: this is no release.", p->column,
                    role == KN_ROLE_IDENTIFIER ? "an identifier" : "to be dropped");
}

static void remedy_identifier(kn_buffer *b, const kn_point_search *s, const kn_point *p)
{
    (void)s;
    kn__buffer_addf(b, "Publish the file without %s: kanon anonymize leaves it out.", p->column);
}

/* ---- unique records ---- */

enum { MOST_NAMED = 50 }; /* columns in an option that is to be pasted */

/* With columns that may be unique by decision, what the others do is what counts. */
static kn_status find_unique(kn_point_search *s)
{
    const kn_survey *v = &s->points->survey;
    const double limit = kn__point_limit(s->options, KN_CHECK_UNIQUE);
    double share;
    size_t unique;
    bool allowed = false, decided = false;
    kn_status status = KN_OK;

    if (!s->table || v->records == 0) {
        return KN_OK;
    }
    share = (double)(v->unique - v->unique_quasi) / (double)v->records;
    if (!(share > limit)) {
        return KN_OK;
    }
    for (size_t i = 0; i < v->columns && !allowed; i++) {
        allowed = kn__may_be_unique(s->table->published, s->table->original, v->column[i].name);
    }
    if (allowed) {
        status = kn__survey_unique_otherwise(&unique, s->table->published, s->table->original,
                                             s->run, s->err);
        decided = status == KN_OK &&
                  !((double)(unique - v->unique_quasi) / (double)v->records > limit);
    }
    return status == KN_OK ? kn__point_add(s, KN_CHECK_UNIQUE, NULL, v->unique,
                                           (double)v->unique / (double)v->records, decided)
                           : status;
}

/* The kept columns that single people out: in words, or as an option takes them. */
static void say_culprits(kn_buffer *b, const kn_survey *v, bool option)
{
    const char **names = kn__malloc_array(v->columns, sizeof *names);
    size_t count = 0;

    if (!names) {
        b->failed = true;
        return;
    }
    for (size_t i = 0; i < v->columns; i++) {
        if (v->column[i].singles_out) {
            kn__buffer_adds(b, option && count ? "," : "");
            if (option) {
                kn__say_part_of_option(b, v->column[i].name);
            }
            names[count++] = v->column[i].name;
        }
    }
    if (!option) {
        kn__say_names(b, names, count);
    }
    kn__free((void *)names);
}

static void say_unique(kn_buffer *b, const kn_point_search *s, const kn_point *p)
{
    const kn_survey *v = &s->points->survey;

    kn__buffer_adds(b, v->estimated ? "At least about " : "");
    kn__say_count(b, p->records);
    kn__buffer_adds(b, " of ");
    kn__say_things(b, v->records, "record", "records");
    kn__buffer_adds(b, " (");
    kn__say_share(b, p->value);
    kn__buffer_addf(b, ") %s unique by the ", p->records == 1 ? "is" : "are");
    kn__say_things(b, v->grouped, "published column that is", "published columns that are");
    kn__buffer_adds(b, " not sensitive; by the quasi-identifiers alone ");
    if (v->unique_quasi) {
        kn__say_count(b, v->unique_quasi);
    } else {
        kn__buffer_adds(b, "none");
    }
    kn__buffer_adds(b, v->unique_quasi == 1 || !v->unique_quasi ? " is" : " are");
    kn__buffer_adds(b, ". The kept columns that single people out: ");
    say_culprits(b, v, false);
    kn__buffer_addc(b, '.');
}

/* Without the columns named, few enough records are unique. As quasi-identifiers they may stay as
 * exact as they are, and single people out together with other kept columns. */
static void remedy_unique(kn_buffer *b, const kn_point_search *s, const kn_point *p)
{
    const kn_survey *v = &s->points->survey;
    size_t kept = 0, named = 0;

    (void)p;
    for (size_t i = 0; i < v->columns; i++) {
        kept += v->column[i].role != KN_ROLE_QUASI && v->column[i].role != KN_ROLE_SENSITIVE;
        named += v->column[i].singles_out;
    }
    if (named > MOST_NAMED) {
        kn__buffer_adds(b, "Leave them out (--drop). Or make ");
    } else {
        kn__buffer_adds(b, "Leave them out: --drop '");
        say_culprits(b, v, true);
        kn__buffer_adds(b, "'. Or make ");
    }
    if (kept == named) {
        kn__buffer_adds(b, "them");
    } else {
        kn__buffer_adds(b, "all ");
        kn__say_things(b, kept, "kept column", "kept columns");
    }
    kn__buffer_adds(b, " quasi-identifiers (--qi).");
}

/* ---- rare values ---- */

static kn_status find_rare(kn_point_search *s)
{
    const kn_survey *v = &s->points->survey;
    kn_status status = KN_OK;

    for (size_t i = 0; s->table && status == KN_OK && i < v->columns; i++) {
        const kn_published_column *c = &v->column[i];
        const double share = v->records ? (double)c->rare_records / (double)v->records : 0;
        if (share > kn__point_limit(s->options, KN_CHECK_RARE)) {
            status = kn__point_add(s, KN_CHECK_RARE, c->name, c->rare_records, share,
                                   kn__may_be_unique(s->table->published, s->table->original,
                                                     c->name));
        }
    }
    return status;
}

static void say_rare(kn_buffer *b, const kn_point_search *s, const kn_point *p)
{
    const kn_survey *v = &s->points->survey;
    const kn_dataset *ds = s->table->published;
    const kn_column *c = &ds->column[kn_dataset_find(ds, p->column)];

    kn__buffer_addf(b, "Column %s is published as it is (%s): ", p->column,
                    c->role == KN_ROLE_SENSITIVE ? "sensitive" : "kept");
    kn__buffer_adds(b, c->sample ? "about " : "");
    kn__say_things(b, p->records, "record", "records");
    kn__buffer_adds(b, " (");
    kn__say_share(b, p->value);
    kn__buffer_addf(b, ") %s %s that fewer than ", p->records == 1 ? "holds" : "hold",
                    c->starts ? "an item" : "a value");
    kn__say_count(b, v->rare_below);
    kn__buffer_adds(b, " records share.");
}

static void remedy_rare(kn_buffer *b, const kn_point_search *s, const kn_point *p)
{
    const kn_dataset *ds = s->table->published;

    if (ds->column[kn_dataset_find(ds, p->column)].role == KN_ROLE_SENSITIVE) {
        kn__buffer_adds(b, "If such a value could be looked up elsewhere, round it or group it "
                           "before, or leave it out (");
    } else {
        kn__buffer_adds(b, "Make it a quasi-identifier (");
        kn__buffer_adds(b, "--qi ");
        kn__say_option_name(b, p->column);
        kn__buffer_adds(b, ") or leave it out (");
    }
    kn__buffer_adds(b, "--drop ");
    kn__say_option_name(b, p->column);
    kn__buffer_adds(b, ").");
}

/* ---- certainty ---- */

static kn_status find_certainty(kn_point_search *s)
{
    const kn_survey *v = &s->points->survey;
    const double limit = kn__point_limit(s->options, KN_CHECK_CERTAINTY);
    kn_status status = KN_OK;

    if (s->model && s->model->certainty > limit) {
        return kn__point_add(s, KN_CHECK_CERTAINTY, NULL, (size_t)s->model->certain_records,
                             s->model->certainty, false);
    }
    for (size_t i = 0; s->table && status == KN_OK && i < v->columns; i++) {
        const kn_published_column *c = &v->column[i];
        if (c->certainty > limit) {
            status = kn__point_add(s, KN_CHECK_CERTAINTY, c->name, c->certain_records, c->certainty,
                                   false);
        }
    }
    return status;
}

static void say_certainty(kn_buffer *b, const kn_point_search *s, const kn_point *p)
{
    kn__buffer_addf(b, "%s of ",
                    s->model ? "A private value" : "By the quasi-identifiers the value");
    if (s->table) {
        kn__buffer_adds(b, p->column);
        kn__buffer_adds(b, " of ");
    }
    kn__say_things(b, p->records, "record", "records");
    if (s->table) {
        kn__buffer_adds(b, " (");
        kn__say_share(b, (double)p->records / (double)s->points->survey.records);
        kn__buffer_adds(b, ")");
    }
    kn__buffer_adds(b, " can be inferred with more than ");
    kn__say_share(b, p->limit);
    kn__buffer_adds(b, " certainty, at most ");
    kn__say_share(b, p->value);
    kn__buffer_addc(b, '.');
}

/* (c,2)-diversity asks that the most frequent value has less than c times the records of all
 * others: a share below the limit for c = limit / (1 - limit). */
static void remedy_certainty(kn_buffer *b, const kn_point_search *s, const kn_point *p)
{
    const double c = p->limit < 1 ? p->limit / (1 - p->limit) : 9;

    if (s->model) {
        kn__buffer_adds(b, "Limit the certainty: --inference ");
        kn__say_number(b, p->limit, 2);
    } else {
        kn__buffer_adds(b, "Ask that no value is too frequent in a group: --guarantee l-diversity "
                           "--diversity recursive --l 2 --c ");
        kn__say_number(b, c, fabs(c - round(c)) < 1e-9 ? 0 : 2);
    }
    kn__buffer_addc(b, '.');
}

/* ---- a small k ---- */

/* Whether a guarantee asks that every equivalence class has k records. */
static bool asks_k_of_classes(const kn_table_facts *t)
{
    for (size_t i = 0; i < t->guarantees_count; i++) {
        if (kn__guarantee_has_k(&t->guarantees[i]) &&
            kn__guarantee_is_about(&t->guarantees[i], KN_ABOUT_CLASSES)) {
            return true;
        }
    }
    return false;
}

/* Without such a guarantee (l-diversity alone) the k that holds is the size of the smallest
 * class. */
static kn_status find_small_k(kn_point_search *s)
{
    const double limit = kn__point_limit(s->options, KN_CHECK_SMALL_K);
    double k = HUGE_VAL;

    if (s->model && s->model->k != UINT64_MAX) {
        k = (double)s->model->k;
    }
    for (size_t i = 0; s->table && i < s->table->guarantees_count; i++) {
        const kn_guarantee *g = &s->table->guarantees[i];
        if (kn__guarantee_has_k(g)) {
            k = fmin(k,
                     s->points->holds ? kn_verdict_achieved_k(s->table->verdict, i) : (double)g->k);
        }
    }
    if (s->table && s->points->smallest && s->table->guarantees_count &&
        !asks_k_of_classes(s->table)) {
        k = fmin(k, (double)s->points->smallest);
    }
    return k < limit ? kn__point_add(s, KN_CHECK_SMALL_K, NULL, 0, k, false) : KN_OK;
}

/* Whether the small k is that of a guarantee that was asked for. */
static bool was_asked(const kn_point_search *s, const kn_point *p)
{
    return !s->table || asks_k_of_classes(s->table) || (double)s->points->smallest != p->value;
}

static void say_small_k(kn_buffer *b, const kn_point_search *s, const kn_point *p)
{
    if (!was_asked(s, p)) {
        kn__buffer_adds(b, "k-anonymity was not asked for, and the smallest group of look-alikes "
                           "has ");
        kn__say_things(b, s->points->smallest, "record", "records");
        kn__buffer_adds(b, ": ");
    }
    kn__buffer_adds(b, "k = ");
    kn__say_number(b, p->value, 0);
    if (p->value < 3) {
        kn__buffer_adds(b, p->value < 2 ? " protects no person."
                                        : " is small: each of two people recognises the other.");
    } else {
        kn__buffer_adds(b, " is below ");
        kn__say_number(b, p->limit, 0);
        kn__buffer_adds(b, ", the limit that was set.");
    }
}

static void remedy_small_k(kn_buffer *b, const kn_point_search *s, const kn_point *p)
{
    kn__buffer_adds(b, was_asked(s, p) ? "Ask for a larger k: --k "
                                       : "Ask for k-anonymity, too: --k ");
    kn__say_number(b, fmax(p->limit, KN_USUAL_K), 0);
    kn__buffer_addc(b, '.');
}

/* ---- the order of the records ---- */

/* Whether the published column holds, record by record, the texts of the original. */
static kn_status is_unchanged(bool *out, const kn_table_facts *t, const kn_column *from,
                              const kn_column *to, kn_error *err)
{
    uint32_t *same;
    const size_t records = t->published->records;

    *out = from->dict && to->dict && !from->starts && !to->starts &&
           (t->origin || records == t->original->records);
    if (!*out) {
        return KN_OK;
    }
    same = kn__malloc_array(kn__column_values(from), sizeof *same);
    KN_PASS(same ? KN_OK : kn__nomem(err));
    for (uint32_t code = 0; code < kn__column_values(from); code++) {
        size_t len;
        const char *text = kn__column_text(from, code, &len);
        same[code] = kn__dict_find(to->dict, text, len);
    }
    for (size_t i = 0; *out && i < records; i++) {
        *out = same[kn__column_code(from, t->origin ? t->origin[i] : i)] == kn__column_code(to, i);
    }
    kn__free(same);
    return KN_OK;
}

static kn_status find_sorted(kn_point_search *s)
{
    const kn_table_facts *t = s->table;
    kn_status status = KN_OK;

    if (!t || !t->original || t->shuffled || t->published->records < 2) {
        return KN_OK;
    }
    for (size_t i = 0; status == KN_OK && i < t->original->columns; i++) {
        const kn_column *c = &t->original->column[i];
        const size_t at = kn_dataset_find(t->published, c->name);
        bool unchanged = false;
        if ((c->order != KN_ORDER_ASCENDING && c->order != KN_ORDER_DESCENDING) ||
            c->role == KN_ROLE_KEPT || c->role == KN_ROLE_SENSITIVE) {
            continue;
        }
        if (c->role == KN_ROLE_QUASI && t->changed) {
            unchanged = !t->changed[i];
        } else if (c->role == KN_ROLE_QUASI && at != SIZE_MAX) {
            status = is_unchanged(&unchanged, t, c, &t->published->column[at], s->err);
        }
        if (status == KN_OK && !unchanged) {
            status = kn__point_add(s, KN_CHECK_SORTED, c->name, t->published->records, NAN, false);
        }
    }
    return status;
}

static void say_sorted(kn_buffer *b, const kn_point_search *s, const kn_point *p)
{
    const kn_dataset *ds = s->table->original;
    const bool quasi = ds->column[kn_dataset_find(ds, p->column)].role == KN_ROLE_QUASI;

    kn__buffer_addf(
        b,
        "The records are in the order of the input, which is sorted by %s, a column that "
        "was %s: the order tells about values that the file hides.",
        p->column, quasi ? "generalised" : "left out");
}

static void remedy_sorted(kn_buffer *b, const kn_point_search *s, const kn_point *p)
{
    (void)p;
    kn__buffer_adds(b, s->table->changed
                           ? "Mix the records of the table before the recoding is applied."
                           : "Publish the records in random order: --shuffle.");
}

/* ---- roles that were suggested ---- */

/* A wrong guess loses something, or publishes it as it is: only the second is in doubt here. */
static bool is_doubtful(const kn_column *c)
{
    return c->chosen == KN_CHOSEN_SUGGESTED &&
           (c->role == KN_ROLE_KEPT || c->role == KN_ROLE_SENSITIVE);
}

static kn_status find_roles(kn_point_search *s)
{
    const kn_dataset *ds = s->table ? s->table->original : NULL;
    size_t doubtful = 0;

    for (size_t i = 0; ds && i < ds->columns; i++) {
        doubtful += is_doubtful(&ds->column[i]);
    }
    return doubtful
               ? kn__point_add(s, KN_CHECK_ROLE, NULL, s->table->published->records, NAN, false)
               : KN_OK;
}

/* The columns in doubt with `role` (KN_ROLE_UNSET: any), separated by commas. */
static size_t say_doubtful(kn_buffer *b, const kn_dataset *ds, kn_role role, const char *before)
{
    size_t count = 0;

    for (size_t i = 0; i < ds->columns; i++) {
        const kn_column *c = &ds->column[i];
        if (is_doubtful(c) && (role == KN_ROLE_UNSET || c->role == role)) {
            kn__buffer_adds(b, count++ ? "," : before);
            if (role == KN_ROLE_UNSET) {
                kn__buffer_adds(b, c->name);
            } else {
                kn__say_part_of_option(b, c->name);
            }
        }
    }
    return count;
}

static void say_role(kn_buffer *b, const kn_point_search *s, const kn_point *p)
{
    (void)p;
    (void)say_doubtful(b, s->table->original, KN_ROLE_UNSET,
                       "Published as they are because that was suggested and accepted, not chosen "
                       "column by column: ");
    kn__buffer_addc(b, '.');
}

static void remedy_role(kn_buffer *b, const kn_point_search *s, const kn_point *p)
{
    (void)p;
    kn__buffer_adds(b, "Look at them, and give their roles yourself:");
    if (say_doubtful(b, s->table->original, KN_ROLE_KEPT, " --keep '")) {
        kn__buffer_addc(b, '\'');
    }
    if (say_doubtful(b, s->table->original, KN_ROLE_SENSITIVE, " --sensitive '")) {
        kn__buffer_addc(b, '\'');
    }
    kn__buffer_addc(b, '.');
}

/* ---- people with several records ---- */

static kn_status find_rows(kn_point_search *s)
{
    const kn_column *c = s->table ? s->table->people : NULL;

    return c ? kn__point_add(s, KN_CHECK_ROWS, c->name, s->table->published->records, NAN, false)
             : KN_OK;
}

/* An estimate within a few percent, with two digits. */
static size_t rounded(size_t n)
{
    size_t step = 1;

    while (n / step >= 100) {
        step *= 10;
    }
    return (n + step / 2) / step * step;
}

static void say_rows(kn_buffer *b, const kn_point_search *s, const kn_point *p)
{
    const kn_distinct *found = &s->table->people_found;

    kn__buffer_addf(b, "Column %s, which is left out, repeats: %s", p->column,
                    found->estimated ? "about " : "");
    kn__say_things(b, found->estimated ? rounded(found->values) : found->values, "value", "values");
    kn__buffer_adds(b, " in ");
    kn__say_things(b, found->rows, "row", "rows");
    kn__buffer_adds(b, ", as where people have several rows each. k counts records, so a group of "
                       "look-alikes may be fewer people than records.");
}

static void remedy_rows(kn_buffer *b, const kn_point_search *s, const kn_point *p)
{
    (void)s;
    kn__buffer_adds(b, "Make one record per person: --group-by ");
    kn__say_option_name(b, p->column);
    kn__buffer_addc(b, '.');
}

/* ---- a model of which nothing is private ---- */

static kn_status find_nothing_private(kn_point_search *s)
{
    return s->model && s->model->lacks_private
               ? kn__point_add(s, KN_CHECK_NOTHING_PRIVATE, NULL, 0, NAN, false)
               : KN_OK;
}

static void say_nothing_private(kn_buffer *b, const kn_point_search *s, const kn_point *p)
{
    (void)p;
    kn__buffer_addf(
        b,
        "Where no %s is private every model holds: there is nothing that the guarantee could "
        "protect.",
        s->model->of_items ? "item" : "column");
}

static void remedy_nothing_private(kn_buffer *b, const kn_point_search *s, const kn_point *p)
{
    (void)p;
    kn__buffer_addf(b, "Name the %s that others must not learn about a person: %s.",
                    s->model->of_items ? "items" : "columns",
                    s->model->of_items ? "--sensitive-items, --sensitive-prefix or --sensitive-node"
                                       : "--sensitive");
}

/* ---- the table ---- */

const kn_point_check kn__checks[KN_CHECKS] = {
    [KN_CHECK_IDENTIFIER] = {.name = "identifier",
                             .tables = true,
                             .help = "an identifier or dropped column is still in the file"},
    [KN_CHECK_UNIQUE] = {.name = "unique-records",
                         .standard = 0.05,
                         .share = true,
                         .tables = true,
                         .help = "with the kept columns a larger share of the records is unique"},
    [KN_CHECK_RARE] = {.name = "rare-values",
                       .standard = 0.01,
                       .share = true,
                       .tables = true,
                       .help = "a larger share of the records holds values of a kept or sensitive "
                               "column that fewer than k share"},
    [KN_CHECK_CERTAINTY] = {.name = "certainty",
                            .standard = 0.9,
                            .share = true,
                            .tables = true,
                            .models = true,
                            .help = "a sensitive value can be inferred with more certainty"},
    [KN_CHECK_SMALL_K] = {.name = "small-k",
                          .standard = 3,
                          .tables = true,
                          .models = true,
                          .help = "the k that holds is smaller"},
    [KN_CHECK_SORTED] = {.name = "sorted",
                         .tables = true,
                         .help =
                             "the input is sorted by a column that was left out or generalised, "
                             "and the records were not shuffled"},
    [KN_CHECK_ROLE] =
        {.name = "suggested-roles",
         .tables = true,
         .help = "columns are published as they are because that was suggested, and accepted"},
    [KN_CHECK_ROWS] = {.name = "several-rows",
                       .tables = true,
                       .help = "a column that is left out stands for people with several rows"},
    [KN_CHECK_NOTHING_PRIVATE] = {.name = "nothing-private",
                                  .models = true,
                                  .help = "no column or item of a model's data was called private"},
};

const kn_check_row kn__check_rows[KN_CHECKS] = {
    [KN_CHECK_IDENTIFIER] = {find_identifiers, say_identifier, remedy_identifier},
    [KN_CHECK_UNIQUE] = {find_unique, say_unique, remedy_unique},
    [KN_CHECK_RARE] = {find_rare, say_rare, remedy_rare},
    [KN_CHECK_CERTAINTY] = {find_certainty, say_certainty, remedy_certainty},
    [KN_CHECK_SMALL_K] = {find_small_k, say_small_k, remedy_small_k},
    [KN_CHECK_SORTED] = {find_sorted, say_sorted, remedy_sorted},
    [KN_CHECK_ROLE] = {find_roles, say_role, remedy_role},
    [KN_CHECK_ROWS] = {find_rows, say_rows, remedy_rows},
    [KN_CHECK_NOTHING_PRIVATE] = {find_nothing_private, say_nothing_private,
                                  remedy_nothing_private},
};
