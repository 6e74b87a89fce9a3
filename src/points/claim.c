/* claim.c - what holds of a table, in one sentence. Every claim is about certain columns, and names
 * them: nothing is said of the others. */
#include "base/memory.h"
#include "base/say.h"
#include "data/dataset.h"
#include "points/checks.h"

#include <math.h>
#include <string.h>

typedef struct claim {
    kn_buffer *b;
    const kn_dataset *ds;
    const kn_verdict *verdict;
    const char **names; /* room for all columns */
    bool begun;         /* a part of the sentence is there already */
} claim;

static size_t names_of(claim *c, kn_role role, bool lists)
{
    size_t count = 0;

    for (size_t i = 0; i < c->ds->columns; i++) {
        if (c->ds->column[i].role == role && (c->ds->column[i].starts != NULL) == lists) {
            c->names[count++] = c->ds->column[i].name;
        }
    }
    return count;
}

static bool of_items(const kn_guarantee *g)
{
    return g->kind == KN_KM_ANONYMITY || g->kind == KN_K_KM_ANONYMITY ||
           g->kind == KN_K_LM_DIVERSITY;
}

/* "By age and sex together with up to 2 items of codes, " */
static void say_by(claim *c, const kn_guarantee *g)
{
    const size_t count = g->kind == KN_KM_ANONYMITY ? 0 : names_of(c, KN_ROLE_QUASI, false);

    kn__buffer_adds(c->b, c->begun ? "by " : "By ");
    kn__say_names(c->b, c->names, count);
    if (of_items(g)) {
        kn__buffer_adds(c->b, count ? " together with " : "");
        kn__buffer_adds(c->b, g->m == 1 ? "any item" : "up to ");
        if (g->m > 1) {
            kn__say_things(c->b, g->m, "item", "items");
        }
        if (names_of(c, KN_ROLE_QUASI, true)) {
            kn__buffer_adds(c->b, " of ");
            kn__buffer_adds(c->b, c->names[0]);
        }
    }
    kn__buffer_adds(c->b, ", ");
}

/* What comes before a part: its columns, or only "and" where the last part had the same ones. */
static void begin(claim *c, const kn_guarantee *g, bool same)
{
    if (c->begun) {
        kn__buffer_adds(c->b, ", and ");
    }
    if (!c->begun || !same) {
        say_by(c, g);
    }
    c->begun = true;
}

static void say_k(claim *c, const kn_guarantee *g, double k)
{
    begin(c, g, false);
    if (!isfinite(k)) {
        kn__buffer_adds(c->b, "there is nothing that a person could be recognised by");
    } else if (k < 2) {
        kn__buffer_adds(c->b, "a person may be the only one: k = 1 protects no person");
    } else {
        kn__buffer_adds(c->b, "every person looks like at least ");
        kn__say_things(c->b, (size_t)k - 1, "other", "others");
    }
}

static void say_sensitive(claim *c)
{
    kn__say_names(c->b, c->names, names_of(c, KN_ROLE_SENSITIVE, false));
}

static void say_diversity(claim *c, const kn_guarantee *g, double l)
{
    begin(c, g, true);
    if (g->diversity == KN_RECURSIVE) {
        kn__buffer_adds(c->b, "no value of ");
        say_sensitive(c);
        kn__buffer_adds(c->b, " is too frequent in a group of look-alikes (c = ");
        kn__say_number(c->b, g->c, g->c == floor(g->c) ? 0 : 2);
        kn__buffer_adds(c->b, ")");
        return;
    }
    kn__buffer_adds(c->b, "every group of look-alikes has at least ");
    kn__say_number(c->b, isfinite(l) ? floor(l + 1e-9) : g->l, 0);
    kn__buffer_adds(c->b, g->diversity == KN_DISTINCT ? " different values of "
                                                      : " well-mixed values of ");
    say_sensitive(c);
}

static void say_closeness(claim *c, const kn_guarantee *g, double t)
{
    begin(c, g, true);
    say_sensitive(c);
    kn__buffer_adds(c->b, " in every group of look-alikes ");
    kn__buffer_adds(c->b, names_of(c, KN_ROLE_SENSITIVE, false) == 1 ? "is" : "are");
    kn__buffer_adds(c->b, " distributed as in the whole file, up to a distance of ");
    kn__say_number(c->b, ceil(t * 1000 - 1e-6) / 1000, 3);
}

static void say_guarantee(claim *c, const kn_guarantee *g, size_t i)
{
    const double achieved = kn_verdict_achieved(c->verdict, i);

    switch (g->kind) {
    case KN_K_ANONYMITY:
    case KN_KM_ANONYMITY:
    case KN_K_KM_ANONYMITY: say_k(c, g, achieved); return;
    case KN_K_LM_DIVERSITY:
        say_k(c, g, kn_verdict_achieved_k(c->verdict, i));
        kn__buffer_adds(c->b, ", and no sensitive item can be inferred with more than ");
        kn__say_share(c->b, isfinite(achieved) ? 1 / achieved : 0);
        kn__buffer_adds(c->b, " certainty");
        return;
    case KN_L_DIVERSITY: say_diversity(c, g, achieved); return;
    case KN_T_CLOSENESS: say_closeness(c, g, achieved); return;
    }
}

void kn__say_claim(kn_buffer *b, const kn_dataset *ds, const kn_guarantee *guarantees, size_t count,
                   const kn_verdict *verdict)
{
    claim c = {.b = b, .ds = ds, .verdict = verdict};

    c.names = kn__malloc_array(ds->columns + 1, sizeof *c.names);
    if (!c.names) {
        b->failed = true;
    } else if (count == 0) {
        kn__buffer_adds(b, "No guarantee was asked for");
    } else if (!kn_verdict_holds(verdict)) {
        const size_t records = kn_verdict_records_at_risk(verdict);
        say_by(&c, &guarantees[0]);
        kn__say_things(b, records, "record is", "records are");
        kn__buffer_adds(b, " in groups that break what was asked");
    } else if (ds->records == 0) {
        kn__buffer_adds(b, "The file holds no records");
    } else {
        for (int with_k = 1; with_k >= 0; with_k--) {
            for (size_t i = 0; i < count; i++) {
                if (kn__guarantee_has_k(&guarantees[i]) == (with_k == 1)) {
                    say_guarantee(&c, &guarantees[i], i);
                }
            }
        }
    }
    kn__free((void *)c.names);
}
