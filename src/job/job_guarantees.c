/* job_guarantees.c - what a job asks for: guarantees with their parameters, the method, how to run.
 */
#include "base/buffer.h"
#include "base/args.h"
#include "base/error.h"
#include "base/memory.h"
#include "base/say.h"
#include "guarantees/registry.h"
#include "job/job.h"
#include "kanon/catalog.h"
#include "methods/registry.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static bool is(const char *text, const char *word)
{
    return text && strcmp(text, word) == 0;
}

static bool has_param(const kn_entry *entry, const char *name)
{
    for (size_t i = 0; i < entry->params_count; i++) {
        if (strcmp(entry->params[i].name, name) == 0) {
            return true;
        }
    }
    return false;
}

static double number(const kn_job *job, const char *name)
{
    const char *text = kn_job_get(job, name, 0);
    kn_option option;

    return text && kn_job_option_find(&option, name) ? kn__option_number(&option, text) : 0;
}

/* The place of the option's value among its choices. */
static unsigned choice(const kn_job *job, const char *name)
{
    const char *text = kn_job_get(job, name, 0);
    kn_option option;
    unsigned place = 0;

    if (!text || !kn_job_option_find(&option, name)) {
        return 0;
    }
    for (const char *c = option.choices; *c; c += strcspn(c, "|"), c += *c == '|', place++) {
        if (strncmp(c, text, strcspn(c, "|")) == 0 && strlen(text) == strcspn(c, "|")) {
            return place;
        }
    }
    return 0;
}

/* A parameter that is needed with one choice of another parameter, and only with it. */
static kn_status check_with(const kn_job *job, const kn_param *p, kn_error *err)
{
    const size_t len = strcspn(p->with, "=");
    const char *choice_name = p->with + len + 1;
    char other[32];
    bool chosen;

    (void)snprintf(other, sizeof other, "%.*s", (int)len, p->with);
    chosen = is(kn_job_get(job, other, 0), choice_name);
    if (chosen && !kn_job_get(job, p->name, 0)) {
        (void)kn__fail(err, KN_EUSAGE, "--%s %s needs --%s, such as --%s %g", other, choice_name,
                       p->name, p->name, p->standard);
        return kn__about_parameter(err, KN_EUSAGE, KN_ERROR_PARAMETER, p->name);
    }
    if (!chosen && kn_job_get(job, p->name, 0)) {
        (void)kn__fail(err, KN_EUSAGE, "--%s belongs to --%s %s", p->name, other, choice_name);
        return kn__about_parameter(err, KN_EUSAGE, KN_ERROR_PARAMETER, p->name);
    }
    return KN_OK;
}

/* "20,20,10": one number for each number of items. */
static kn_status set_list(const kn_guarantee_row *row, const kn_param *p, const kn_option *option,
                          const char *text, kn_guarantee *out, kn_error *err)
{
    double values[KN_MOST_KNOWN];
    size_t count = 0;

    if (!p->list) {
        (void)kn__fail(err, KN_EUSAGE, "--%s: %s takes one number, not %.60s", p->name,
                       row->entry.name, text);
        return kn__about_parameter(err, KN_EUSAGE, KN_ERROR_PARAMETER, p->name);
    }
    for (; *text; text += *text == ',') {
        const size_t len = strcspn(text, ",");
        char part[64];
        if (count == KN_MOST_KNOWN) {
            (void)kn__fail(err, KN_EUSAGE,
                           "--%s: give at most %d numbers, one for each number of "
                           "items",
                           p->name, KN_MOST_KNOWN);
            return kn__about_parameter(err, KN_EUSAGE, KN_ERROR_PARAMETER, p->name);
        }
        (void)snprintf(part, sizeof part, "%.*s", (int)len, text);
        values[count++] = kn__option_number(option, part);
        text += len;
    }
    kn__guarantee_set_list(out, p->name, values, count);
    return KN_OK;
}

static kn_status set_param(const kn_job *job, const kn_guarantee_row *row, const kn_param *p,
                           kn_guarantee *out, kn_error *err)
{
    const char *text = kn_job_get(job, p->name, 0);
    kn_option option;

    if (kn_job_option_find(&option, p->name) && option.list && strchr(text, ',')) {
        return set_list(row, p, &option, text, out, err);
    }
    kn__guarantee_set(out, p->name,
                      p->kind == KN_PARAM_CHOICE ? choice(job, p->name) : number(job, p->name));
    return KN_OK;
}

static kn_status fill(const kn_job *job, const kn_guarantee_row *row, kn_guarantee *out,
                      kn_error *err)
{
    *out = (kn_guarantee){.kind = row->kind};
    for (size_t i = 0; i < row->entry.params_count; i++) {
        const kn_param *p = &row->entry.params[i];
        if (p->required && !kn_job_get(job, p->name, 0)) {
            (void)kn__fail(err, KN_EUSAGE, "%s needs --%s: %s", row->entry.name, p->name, p->help);
            return kn__about_parameter(err, KN_EUSAGE, KN_ERROR_PARAMETER, p->name);
        }
        if (p->with) {
            KN_PASS(check_with(job, p, err));
        }
        if (kn_job_get(job, p->name, 0)) {
            KN_PASS(set_param(job, row, p, out, err));
        }
    }
    return kn_guarantee_validate(out, err);
}

/* Without --guarantee, a method that reaches one guarantee only asks for it: its name, or NULL. */
static const char *implied_guarantee(const kn_job *job)
{
    const char *method = kn_job_get(job, "method", 0);
    const kn_entry *entry = method ? kn_catalog_find(KN_ENTRY_METHOD, method) : NULL;

    if (kn_job_get(job, "guarantee", 0) || !entry || strchr(entry->reaches, ' ')) {
        return NULL;
    }
    return entry->reaches;
}

/* --k by itself asks for k-anonymity, and beside l-diversity for both; not beside a guarantee that
 * has a k of its own. */
bool kn__job_asks_for(const kn_job *job, const char *guarantee)
{
    const char *name, *implied = implied_guarantee(job);
    bool k_taken = implied != NULL;

    if (implied && strcmp(implied, guarantee) == 0) {
        return true;
    }

    for (size_t i = 0; (name = kn_job_get(job, "guarantee", i)); i++) {
        const kn_entry *entry = kn_catalog_find(KN_ENTRY_GUARANTEE, name);
        if (strcmp(name, guarantee) == 0) {
            return true;
        }
        k_taken = k_taken || (entry && has_param(entry, "k"));
    }
    return is(guarantee, "k-anonymity") && kn_job_get(job, "k", 0) && !k_taken;
}

/* "k-anonymity, l-diversity and t-closeness": those of `entries` that `pick` takes. */
static void list_names(kn_buffer *list, const kn_entry *const *entries, size_t count,
                       bool (*pick)(const kn_entry *entry, const char *param), const char *param)
{
    size_t all = 0, listed = 0;

    for (size_t i = 0; i < count; i++) {
        all += pick(entries[i], param);
    }
    for (size_t i = 0; i < count; i++) {
        if (pick(entries[i], param)) {
            kn__buffer_adds(list, kn__say_gap(listed++, all, " and "));
            kn__buffer_adds(list, entries[i]->name);
        }
    }
}

/* All that have the parameter may be meant. */
static kn_status idle(const char *name, const kn_entry *const *entries, size_t count,
                      const char *kind, kn_error *err)
{
    kn_buffer list = {0};
    const char *names;
    kn_status status;

    list_names(&list, entries, count, has_param, name);
    KN_TRY(list.failed ? kn__nomem(err) : KN_OK);
    names = list.data ? list.data : "none";
    status = kn__fail(err, KN_EUSAGE, "--%s belongs to %s: add --%s %s, or leave --%s out", name,
                      names, kind, strchr(names, ' ') ? "with one of them" : names, name);
    (void)kn__about_parameter(err, status, KN_ERROR_PARAMETER, name);
done:
    kn__buffer_free(&list);
    return status;
}

/* A parameter that nothing asked for would use is a misunderstanding, and silence about it a
 * danger. */
static kn_status refuse_idle(const kn_job *job, kn_entry_kind kind, const char *method,
                             kn_error *err)
{
    size_t count;
    const kn_entry *const *entries = kn_catalog(kind, &count);

    for (size_t i = 0; i < count; i++) {
        const kn_entry *e = entries[i];
        for (size_t p = 0; p < e->params_count; p++) {
            const char *name = e->params[p].name;
            bool used = false;
            if (!kn_job_get(job, name, 0) || is(kn_job_get(job, name, 0), "false")) {
                continue;
            }
            for (size_t j = 0; j < count && !used; j++) {
                used = has_param(entries[j], name) &&
                       (method ? is(method, entries[j]->name)
                               : kn__job_asks_for(job, entries[j]->name));
            }
            if (!used) {
                return idle(name, entries, count, method ? "method" : "guarantee", err);
            }
        }
    }
    return KN_OK;
}

bool kn__job_asks_about(const kn_job *job, unsigned about)
{
    size_t count;
    const kn_entry *const *entries = kn__guarantee_entries(&count);

    for (size_t i = 0; i < count; i++) {
        const unsigned of = kn__guarantee_find(entries[i]->name)->about;
        if ((of & about) == about && kn__job_asks_for(job, entries[i]->name)) {
            return true;
        }
    }
    return false;
}

static bool is_of_both(const kn_entry *entry, const char *unused)
{
    const unsigned both = KN_ABOUT_CLASSES | KN_ABOUT_ITEMS;

    (void)unused;
    return (kn__guarantee_find(entry->name)->about & both) == both;
}

static bool is_of_classes(const kn_entry *entry, const char *unused)
{
    (void)unused;
    return !kn__guarantee_find(entry->name)->check;
}

static bool asks_for_any(const kn_job *job, bool (*pick)(const kn_entry *e, const char *unused))
{
    size_t count;
    const kn_entry *const *entries = kn__guarantee_entries(&count);
    bool any = false;

    for (size_t i = 0; i < count; i++) {
        any = any || (pick(entries[i], NULL) && kn__job_asks_for(job, entries[i]->name));
    }
    return any;
}

/* Sensitive items matter to guarantees of tables with items; and lists have no missing values, and
 * beside lists they cannot be counted as anyone's. */
static kn_status refuse_idle_others(const kn_job *job, kn_error *err)
{
    static const char *const items[] = {"sensitive-items", "sensitive-prefix", "sensitive-node"};
    const bool any = is(kn_job_get(job, "missing-rule", 0), "any");
    size_t count;
    const kn_entry *const *entries = kn__guarantee_entries(&count);
    kn_buffer list = {0};
    kn_status status = KN_OK;

    for (size_t i = 0; i < sizeof items / sizeof *items; i++) {
        if (kn_job_get(job, items[i], 0) && !asks_for_any(job, is_of_both)) {
            list_names(&list, entries, count, is_of_both, NULL);
            KN_TRY(list.failed ? kn__nomem(err) : KN_OK);
            KN_TRY(kn__fail(err, KN_EUSAGE,
                            "--%s belongs to %s: add --guarantee with one of them, or leave --%s "
                            "out",
                            items[i], list.data, items[i]));
        }
    }
    if (any && kn_job_get(job, "guarantee", 0) && !asks_for_any(job, is_of_classes)) {
        list_names(&list, entries, count, is_of_classes, NULL);
        KN_TRY(list.failed ? kn__nomem(err) : KN_OK);
        KN_TRY(kn__fail(err, KN_EUSAGE,
                        "--missing-rule any belongs to %s: for %s use --missing-rule own",
                        list.data, kn_job_get(job, "guarantee", 0)));
    }
done:
    kn__buffer_free(&list);
    return status;
}

kn_status kn_job_guarantees(kn_guarantee **out, size_t *count, const kn_job *job, kn_error *err)
{
    KN_NEED_OUT(err, out);
    KN_NEED(err, job, count);

    size_t entries_count;
    const kn_entry *const *entries = kn_catalog(KN_ENTRY_GUARANTEE, &entries_count);
    kn_guarantee *list;
    kn_status st = refuse_idle(job, KN_ENTRY_GUARANTEE, NULL, err);

    *count = 0;
    if (st == KN_OK) {
        st = refuse_idle_others(job, err);
    }
    if (st != KN_OK) {
        return st;
    }
    list = kn__zalloc_array(entries_count, sizeof *list);
    KN_PASS(list ? KN_OK : kn__nomem(err));
    for (size_t i = 0; i < entries_count && st == KN_OK; i++) {
        if (kn__job_asks_for(job, entries[i]->name)) {
            st = fill(job, kn__guarantee_find(entries[i]->name), &list[*count], err);
            ++*count;
        }
    }
    if (st == KN_OK && *count == 0) {
        st = kn__fail(err, KN_EUSAGE,
                      "say what must hold: --k 5, or --guarantee NAME (see kanon list guarantees)");
        (void)kn__about_parameter(err, st, KN_ERROR_PARAMETER, "guarantee");
    }
    if (st != KN_OK) {
        *count = 0;
        kn__free(list);
        return st;
    }
    *out = list;
    return KN_OK;
}

void kn_job_guarantees_free(kn_guarantee *guarantees)
{
    kn__free(guarantees);
}

kn_status kn__job_method(const kn_job *job, const kn_guarantee *guarantees, size_t count,
                         kn_anonymize_options *options, kn_params **params, kn_error *err)
{
    const kn_entry *entry = kn_catalog_find(KN_ENTRY_GUARANTEE,
                                            kn_guarantee_name(guarantees[0].kind));
    const char *method = kn_job_get(job, "method", 0);
    const kn_method_row *row;
    kn_params checked;

    method = method ? method : entry->method;
    row = kn__method_find(method);
    *options = (kn_anonymize_options){.guarantees = guarantees,
                                      .guarantees_count = count,
                                      .method = method,
                                      .suppression = number(job, "suppression"),
                                      .item_suppression = number(job, "item-suppression"),
                                      .suppressed = (kn_suppressed)choice(job, "suppressed"),
                                      .uncovered = (kn_uncovered)choice(job, "uncovered"),
                                      .shuffle = is(kn_job_get(job, "shuffle", 0), "true")};
    KN_PASS(refuse_idle(job, KN_ENTRY_METHOD, method, err));
    KN_PASS(kn__job_params(params, job, &row->entry, err));
    KN_PASS(kn__method_params(&checked, row, *params, err));
    options->params = *params;
    return KN_OK;
}

kn_status kn_job_anonymize_options(kn_anonymize_options *out, kn_params **params, const kn_job *job,
                                   const kn_guarantee *guarantees, size_t count, kn_error *err)
{
    kn_status status;

    KN_NEED_OUT(err, params);
    KN_NEED(err, out, job, guarantees);
    KN_NEED_GUARANTEES(err, guarantees, count);
    if (count == 0) {
        return kn__args_refuse(err, __func__, "no guarantee is asked for");
    }
    status = kn__job_method(job, guarantees, count, out, params, err);
    if (status != KN_OK) {
        kn_params_free(*params);
        *params = NULL;
    }
    return status;
}

kn_status kn_job_settings(kn_run *run, const kn_job *job, kn_error *err)
{
    KN_NEED(err, job, run);
    KN_NEED_SIZED(err, run);

    const char *seed = kn_job_get(job, "seed", 0), *threads = kn_job_get(job, "threads", 0);
    const char *memory = kn_job_get(job, "memory", 0);
    size_t bytes;

    if (seed) {
        run->seed = strtoull(seed, NULL, 10);
    }
    if (threads) {
        run->threads = (unsigned)strtoul(threads, NULL, 10);
    }
    if (memory) {
        if (!kn__option_size(memory, &bytes)) {
            return kn__fail(err, KN_EUSAGE, "--memory: '%.60s' is not a size", memory);
        }
        kn_memory_set_limit(bytes);
    }
    return KN_OK;
}
