/* job_guarantees.c - what a job asks for: guarantees with their parameters, the method, how to run.
 */
#include "base/buffer.h"
#include "base/args.h"
#include "base/error.h"
#include "base/memory.h"
#include "job/job.h"
#include "kanon/catalog.h"
#include "methods/registry.h"

#include <stdint.h>
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

    return text && kn_job_option_find(name, &option) ? kn__option_number(&option, text) : 0;
}

/* The place of the option's value among its choices. */
static unsigned choice(const kn_job *job, const char *name)
{
    const char *text = kn_job_get(job, name, 0);
    kn_option option;
    unsigned place = 0;

    if (!text || !kn_job_option_find(name, &option)) {
        return 0;
    }
    for (const char *c = option.choices; *c; c += strcspn(c, "|"), c += *c == '|', place++) {
        if (strncmp(c, text, strcspn(c, "|")) == 0 && strlen(text) == strcspn(c, "|")) {
            return place;
        }
    }
    return 0;
}

static kn_status fill(const kn_job *job, const kn_entry *entry, kn_guarantee *out, kn_error *err)
{
    static const kn_guarantee_kind kinds[] = {KN_K_ANONYMITY,    KN_L_DIVERSITY,
                                              KN_T_CLOSENESS,    KN_KM_ANONYMITY,
                                              KN_K_KM_ANONYMITY, KN_K_LM_DIVERSITY};

    for (size_t i = 0; i < entry->params_count; i++) {
        if (entry->params[i].required && !kn_job_get(job, entry->params[i].name, 0)) {
            return kn__fail(err, KN_EUSAGE, "%s needs --%s: %s", entry->name, entry->params[i].name,
                            entry->params[i].help);
        }
    }
    *out = (kn_guarantee){.k = (size_t)number(job, "k"),
                          .m = (size_t)number(job, "m"),
                          .l = number(job, "l"),
                          .c = number(job, "c"),
                          .diversity = (kn_diversity)choice(job, "diversity"),
                          .recount = (kn_recount_extent)choice(job, "recount"),
                          .t = number(job, "t"),
                          .distance = (kn_distance)choice(job, "distance")};
    for (size_t i = 0; i < sizeof kinds / sizeof *kinds; i++) {
        if (strcmp(kn_guarantee_name(kinds[i]), entry->name) == 0) {
            out->kind = kinds[i];
        }
    }
    if (out->kind == KN_L_DIVERSITY && out->diversity == KN_RECURSIVE && !kn_job_get(job, "c", 0)) {
        return kn__fail(err, KN_EUSAGE, "recursive l-diversity needs --c, such as --c 3");
    }
    if (out->kind == KN_L_DIVERSITY && out->diversity != KN_RECURSIVE && kn_job_get(job, "c", 0)) {
        return kn__fail(err, KN_EUSAGE, "--c belongs to --diversity recursive");
    }
    return kn_guarantee_validate(out, err);
}

/* --k by itself asks for k-anonymity, and beside l-diversity for both; not beside a guarantee that
 * has a k of its own. */
bool kn__job_asks_for(const kn_job *job, const char *guarantee)
{
    const char *name;
    bool k_taken = false;

    for (size_t i = 0; (name = kn_job_get(job, "guarantee", i)); i++) {
        const kn_entry *entry = kn_catalog_find(KN_ENTRY_GUARANTEE, name);
        if (strcmp(name, guarantee) == 0) {
            return true;
        }
        k_taken = k_taken || (entry && has_param(entry, "k"));
    }
    return is(guarantee, "k-anonymity") && kn_job_get(job, "k", 0) && !k_taken;
}

/* All that have the parameter may be meant. */
static kn_status idle(const char *name, const kn_entry *const *entries, size_t count,
                      const char *kind, kn_error *err)
{
    const char *only = NULL;
    size_t owners = 0, listed = 0;
    kn_buffer list = {0};
    kn_status status;

    for (size_t i = 0; i < count; i++) {
        owners += has_param(entries[i], name);
    }
    for (size_t i = 0; i < count; i++) {
        if (has_param(entries[i], name)) {
            listed++;
            kn__buffer_adds(&list, listed == 1 ? "" : listed == owners ? " and " : ", ");
            kn__buffer_adds(&list, entries[i]->name);
            only = entries[i]->name;
        }
    }
    kn__buffer_addc(&list, '\0');
    status = list.failed
                 ? kn__nomem(err)
                 : kn__fail(err, KN_EUSAGE, "--%s belongs to %s: add --%s %s, or leave --%s out",
                            name, list.data, kind, owners == 1 ? only : "with one of them", name);
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

bool kn__job_asks_for_both(const kn_job *job)
{
    return kn__job_asks_for(job, "k-km-anonymity") || kn__job_asks_for(job, "k-lm-diversity");
}

static kn_status refuse_idle_items(const kn_job *job, kn_error *err)
{
    static const char *const options[] = {"sensitive-items", "sensitive-prefix", "sensitive-node"};

    for (size_t i = 0; i < sizeof options / sizeof *options; i++) {
        if (kn_job_get(job, options[i], 0) && !kn__job_asks_for_both(job)) {
            return kn__fail(
                err, KN_EUSAGE,
                "--%s belongs to k-lm-diversity and k-km-anonymity: add --guarantee with "
                "one of them, or leave --%s out",
                options[i], options[i]);
        }
    }
    return KN_OK;
}

/* Lists have no missing values, and beside lists they cannot be counted as anyone's. */
static kn_status refuse_idle_rule(const kn_job *job, kn_error *err)
{
    if (is(kn_job_get(job, "missing-rule", 0), "any") && kn_job_get(job, "guarantee", 0) &&
        !kn__job_asks_for(job, "k-anonymity") && !kn__job_asks_for(job, "l-diversity") &&
        !kn__job_asks_for(job, "t-closeness")) {
        return kn__fail(err, KN_EUSAGE,
                        "--missing-rule any belongs to k-anonymity, l-diversity and t-closeness: "
                        "for %s use --missing-rule own",
                        kn_job_get(job, "guarantee", 0));
    }
    return KN_OK;
}

kn_status kn_job_guarantees(const kn_job *job, kn_guarantee **out, size_t *count, kn_error *err)
{
    KN_NEED_OUT(err, out);
    KN_NEED(err, job, count);

    size_t entries_count;
    const kn_entry *const *entries = kn_catalog(KN_ENTRY_GUARANTEE, &entries_count);
    kn_guarantee *list;
    kn_status st = refuse_idle(job, KN_ENTRY_GUARANTEE, NULL, err);

    *count = 0;
    if (st == KN_OK) {
        st = refuse_idle_items(job, err);
    }
    if (st == KN_OK) {
        st = refuse_idle_rule(job, err);
    }
    if (st != KN_OK) {
        return st;
    }
    list = kn__zalloc_array(entries_count, sizeof *list);
    if (!list) {
        return kn__nomem(err);
    }
    for (size_t i = 0; i < entries_count && st == KN_OK; i++) {
        if (kn__job_asks_for(job, entries[i]->name)) {
            st = fill(job, entries[i], &list[*count], err);
            ++*count;
        }
    }
    if (st == KN_OK && *count == 0) {
        st = kn__fail(err, KN_EUSAGE,
                      "say what must hold: --k 5, or --guarantee NAME (see kanon list guarantees)");
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
    kn_status status;

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
    KN_TRY(refuse_idle(job, KN_ENTRY_METHOD, method, err));
    KN_TRY(kn__job_params(params, job, &row->entry, err));
    KN_TRY(kn__method_params(&checked, row, *params, err));
    options->params = *params;
done:
    return status;
}

kn_status kn_job_settings(const kn_job *job, kn_run *run, kn_error *err)
{
    KN_NEED(err, job, run);

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
