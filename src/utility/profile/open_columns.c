/* open_columns.c - which decisions about columns must be made before a table may be published.
 *
 * Publishing is by permission: every column has a role that was chosen, and a column that is
 * published as it is must not single people out unless that was allowed by name. Identifiers are
 * recognised as in profiles. */
#include "utility/profile/open_columns.h"
#include "base/args.h"
#include "base/error.h"
#include "base/memory.h"
#include "utility/profile/profile.h"

#include <string.h>

enum { DEFAULT_K = KN_PROFILE_SHARED, MOST_NAMED = 400 };

struct kn_open_columns {
    kn_profile *profile; /* owns the reasons of columns without a role */
    kn_open_column *at;
    char **reasons; /* by open column, NULL: the profile's; owned */
    size_t count;
    bool named; /* the names of the columns are surely names */
};

size_t kn__rare_below(const kn_guarantee *guarantees, size_t count)
{
    size_t k = 0;

    for (size_t i = 0; guarantees && i < count; i++) {
        k = guarantees[i].k > k ? guarantees[i].k : k;
    }
    return k ? k : DEFAULT_K;
}

static bool is_in_question(const kn_column *c)
{
    return c->role == KN_ROLE_UNSET || (c->role == KN_ROLE_KEPT && !c->allow_unique && c->dict);
}

/* Why a kept column must not be published without being allowed. */
static kn_status describe(char **out, const kn_open_column *c, size_t rare, size_t records,
                          kn_error *err)
{
    kn_buffer b = {0};

    if (c->kind == KN_OPEN_IDENTIFIER) {
        kn__buffer_addf(&b, "it looks like an identifier: %s", c->reason);
    } else {
        kn__buffer_addf(&b, "%zu of %zu records hold a value that fewer than %zu share", rare,
                        records, c->k);
    }
    return kn__buffer_take(&b, out, err);
}

/* Column number `i`, which is in question: add it if a decision is open. */
static kn_status judge(kn_open_columns *open, const kn_dataset *ds, size_t i, size_t k,
                       kn_error *err)
{
    const kn_column_profile *p = kn_profile_column(open->profile, i);
    const size_t rare = open->profile->owned[i].rare;
    kn_open_column *to = &open->at[open->count];

    *to = (kn_open_column){.name = ds->column[i].name,
                           .named = open->named,
                           .column = i,
                           .suggested = p->suggested,
                           .reason = p->reason,
                           .k = k};
    if (p->role != KN_ROLE_UNSET) {
        char **why = &open->reasons[open->count];
        kn_status status;
        to->kind = p->suggested == KN_ROLE_IDENTIFIER ? KN_OPEN_IDENTIFIER : KN_OPEN_UNIQUE;
        if (to->kind == KN_OPEN_UNIQUE && rare <= ds->records / 2) {
            return KN_OK;
        }
        status = describe(why, to, rare, ds->records, err);
        if (status != KN_OK) {
            return status;
        }
        to->reason = *why;
    }
    open->count++;
    return KN_OK;
}

kn_status kn__open_columns(kn_open_columns **out, const kn_dataset *ds, size_t k, const kn_run *run,
                           kn_error *err)
{
    kn_open_columns *open = kn__zalloc(sizeof *open);
    uint8_t *wanted = kn__zalloc_array(ds->columns, 1);
    kn_status status = KN_OK;
    bool any = false;

    *out = NULL;
    if (open) {
        open->at = kn__zalloc_array(ds->columns, sizeof *open->at);
        open->reasons = kn__zalloc_array(ds->columns, sizeof *open->reasons);
    }
    KN_TRY(open && wanted && open->at && open->reasons ? KN_OK : kn__nomem(err));
    for (size_t i = 0; i < ds->columns; i++) {
        wanted[i] = is_in_question(&ds->column[i]);
        any = any || wanted[i];
    }
    open->named = kn_dataset_has_names(ds);
    if (any) {
        KN_TRY(kn__profile_some(&open->profile, ds, wanted, k, run, err));
    }
    for (size_t i = 0; i < ds->columns; i++) {
        KN_TRY(wanted[i] ? judge(open, ds, i, k, err) : KN_OK);
    }
    *out = open;
    open = NULL;

done:
    kn__free(wanted);
    kn_open_columns_free(open);
    return status;
}

kn_status kn_open_columns_find(kn_open_columns **out, const kn_dataset *ds,
                               const kn_guarantee *guarantees, size_t guarantees_count,
                               const kn_run *run, kn_error *err)
{
    KN_NEED_OUT(err, out);
    KN_NEED(err, ds);
    KN_NEED_ROWS(err, ds);
    KN_NEED_SIZED(err, run);
    KN_NEED_GUARANTEES(err, guarantees, guarantees_count);

    return kn__open_columns(out, ds, kn__rare_below(guarantees, guarantees_count), run, err);
}

void kn_open_columns_free(kn_open_columns *open)
{
    if (!open) {
        return;
    }
    for (size_t i = 0; open->reasons && i < open->count; i++) {
        kn__free(open->reasons[i]);
    }
    KN_FREE(open->reasons, open->at);
    kn_profile_free(open->profile);
    kn__free(open);
}

size_t kn_open_columns_count(const kn_open_columns *open)
{
    return open ? open->count : 0;
}

const kn_open_column *kn_open_columns_at(const kn_open_columns *open, size_t i)
{
    return open && i < open->count ? &open->at[i] : NULL;
}

/* Reports and the release state the names of columns. Where they may be the values of a person,
 * roles that were guessed are no reason to publish them. */
static kn_status refuse_record_as_names(const kn_dataset *ds, const kn_open_columns *open,
                                        kn_error *err)
{
    if (!ds->line_names || !open->profile || kn_profile_has_names(open->profile) ||
        kn__dataset_columns_named(ds) >= KN_NAMED_FOR_HEADER) {
        return KN_OK;
    }
    return kn__fail(err, KN_EUSAGE,
                    "the first line of the table may be a record, so no roles are accepted as "
                    "suggested: --no-header if it is one; if it names the columns, give two of "
                    "them a role (--qi, --id, --sensitive)");
}

kn_status kn__accept_suggested(kn_dataset *ds, size_t k, const kn_run *run, kn_error *err)
{
    kn_open_columns *open = NULL;
    kn_status status;

    KN_TRY(kn__open_columns(&open, ds, k, run, err));
    KN_TRY(refuse_record_as_names(ds, open, err));
    for (size_t i = 0; i < open->count; i++) {
        kn_column *c = &ds->column[open->at[i].column];
        if (open->at[i].kind == KN_OPEN_ROLE) {
            c->role = open->at[i].suggested;
            c->chosen = KN_CHOSEN_SUGGESTED;
            c->repeats = open->at[i].column == open->profile->person;
        }
    }
done:
    kn_open_columns_free(open);
    return status;
}

kn_status kn_accept_suggested(kn_dataset *ds, const kn_guarantee *guarantees,
                              size_t guarantees_count, const kn_run *run, kn_error *err)
{
    KN_NEED(err, ds);
    KN_NEED_ROWS(err, ds);
    KN_NEED_SIZED(err, run);
    KN_NEED_GUARANTEES(err, guarantees, guarantees_count);

    return kn__accept_suggested(ds, kn__rare_below(guarantees, guarantees_count), run, err);
}

/* Names of the open columns of these kinds, as many as a message has room for. */
static size_t name_columns(const kn_open_columns *open, bool roles, kn_buffer *names)
{
    size_t count = 0, named = 0;

    for (size_t i = 0; i < open->count; i++) {
        if ((open->at[i].kind == KN_OPEN_ROLE) == roles) {
            if (names->len < MOST_NAMED / 2) {
                if (open->named) {
                    kn__buffer_addf(names, "%s%.60s", count ? ", " : "", open->at[i].name);
                } else {
                    kn__buffer_addf(names, "%snumber %zu", count ? ", " : "",
                                    open->at[i].column + 1);
                }
                named++;
            }
            count++;
        }
    }
    if (named < count) {
        kn__buffer_addf(names, " and %zu more", count - named);
    }
    return count;
}

/* The name of the first open column of these kinds, or "" where it may be a value. */
static const char *first_open(const kn_open_columns *open, bool roles)
{
    for (size_t i = 0; open->named && i < open->count; i++) {
        if ((open->at[i].kind == KN_OPEN_ROLE) == roles) {
            return open->at[i].name;
        }
    }
    return "";
}

static kn_status say_open(const kn_open_columns *open, kn_error *err)
{
    kn_buffer b = {0}, unset = {0}, kept = {0};
    const size_t roles = name_columns(open, true, &unset),
                 uniques = name_columns(open, false, &kept);
    kn_status status;

    if (roles) {
        kn__buffer_addf(&b, "no role was chosen for %zu column%s: %s", roles, roles == 1 ? "" : "s",
                        unset.data);
    }
    if (uniques) {
        kn__buffer_addf(&b,
                        "%s%zu kept column%s can single people out, and may be published only if "
                        "that is allowed by name: %s",
                        roles ? "; " : "", uniques, uniques == 1 ? "" : "s", kept.data);
    }
    status = b.failed || unset.failed || kept.failed ? kn__nomem(err)
                                                     : kn__fail(err, KN_EUSAGE, "%s", b.data);
    if (status == KN_EUSAGE) {
        (void)kn__about_column(err, status, roles ? KN_ERROR_NO_ROLE : KN_ERROR_SINGLES_OUT,
                               first_open(open, roles > 0));
    }
    kn__buffer_free(&b);
    kn__buffer_free(&unset);
    kn__buffer_free(&kept);
    return status;
}

kn_status kn__refuse_open_columns(const kn_dataset *ds, size_t k, const kn_run *run, kn_error *err)
{
    kn_open_columns *open = NULL;
    kn_status status;

    KN_TRY(kn__open_columns(&open, ds, k, run, err));
    if (open->count) {
        if (run && run->open) {
            run->open(run->open_user, open->at, open->count);
        }
        KN_TRY(say_open(open, err));
    }
done:
    kn_open_columns_free(open);
    return status;
}

kn_status kn_open_columns_refuse(const kn_dataset *ds, const kn_guarantee *guarantees,
                                 size_t guarantees_count, const kn_run *run, kn_error *err)
{
    KN_NEED(err, ds);
    KN_NEED_ROWS(err, ds);
    KN_NEED_SIZED(err, run);
    KN_NEED_GUARANTEES(err, guarantees, guarantees_count);

    return kn__refuse_open_columns(ds, kn__rare_below(guarantees, guarantees_count), run, err);
}
