/* claim.c - the sentence that says what holds: its frame, and the parts that guarantees share. */
#include "base/memory.h"
#include "guarantees/registry.h"

#include <math.h>
#include <string.h>

static size_t names_of(kn_claim *c, kn_role role, bool lists)
{
    size_t count = 0;

    for (size_t i = 0; i < c->ds->columns; i++) {
        if (c->ds->column[i].role == role && (c->ds->column[i].starts != NULL) == lists) {
            c->names[count++] = c->ds->column[i].name;
        }
    }
    return count;
}

void kn__claim_items(kn_claim *c, const kn_guarantee *g)
{
    kn__buffer_adds(c->b, g->m == 1 ? "any item" : "up to ");
    if (g->m > 1) {
        kn__say_things(c->b, g->m, "item", "items");
    }
    if (names_of(c, KN_ROLE_QUASI, true) && strcmp(c->names[0], "items") != 0) {
        kn__buffer_adds(c->b, " of ");
        kn__buffer_adds(c->b, c->names[0]);
    }
}

/* "By age and sex together with up to 2 items of codes, " */
static void say_by(kn_claim *c, const kn_guarantee *g)
{
    const kn_guarantee_row *row = kn__guarantee_row(g->kind);
    const size_t count = row->about & KN_ABOUT_CLASSES ? names_of(c, KN_ROLE_QUASI, false) : 0;

    kn__buffer_adds(c->b, c->begun ? "by " : "By ");
    kn__say_names(c->b, c->names, count);
    if (row->known) {
        kn__buffer_adds(c->b, count ? " together with " : "");
        row->known(c, g);
    }
    kn__buffer_adds(c->b, ", ");
}

void kn__claim_begin(kn_claim *c, const kn_guarantee *g, bool same)
{
    if (c->begun) {
        kn__buffer_adds(c->b, ", and ");
    }
    if (!c->begun || !same) {
        say_by(c, g);
    }
    c->begun = true;
}

void kn__claim_k(kn_claim *c, const kn_guarantee *g, size_t i)
{
    const double k = kn_verdict_achieved_k(c->verdict, i);

    kn__claim_begin(c, g, false);
    if (!isfinite(k)) {
        kn__buffer_adds(c->b, "there is nothing that a person could be recognised by");
    } else if (k < 2) {
        kn__buffer_adds(c->b, "a person may be the only one: k = 1 protects no person");
    } else {
        kn__buffer_addf(c->b, "every %s looks like at least ", c->subject);
        kn__say_things(c->b, (size_t)k - 1, "other", "others");
    }
}

size_t kn__claim_sensitive(kn_claim *c)
{
    const size_t count = names_of(c, KN_ROLE_SENSITIVE, false);

    kn__say_names(c->b, c->names, count);
    return count;
}

void kn__say_claim(kn_buffer *b, const kn_dataset *ds, const kn_guarantee *guarantees, size_t count,
                   const kn_verdict *verdict, const char *subject)
{
    kn_claim c = {.b = b, .ds = ds, .verdict = verdict, .subject = subject};

    c.names = kn__malloc_array(ds->columns + 1, sizeof *c.names);
    if (!c.names) {
        b->failed = true;
    } else if (count == 0) {
        kn__buffer_adds(b, "No guarantee was asked for");
    } else if (kn_verdict_unknown(verdict)) {
        kn__buffer_adds(b, "What could be checked holds; the rest needs the original");
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
                    kn__guarantee_row(guarantees[i].kind)->claim(&c, &guarantees[i], i);
                }
            }
        }
    }
    kn__free((void *)c.names);
}
