/* report/hospital.h - a small job to report on, and strict readers of what reports write. */
#ifndef TESTS_REPORT_HOSPITAL_H
#define TESTS_REPORT_HOSPITAL_H

#include "base/memory.h"
#include "data/dataset.h"
#include "report/facts.h"

#include <jansson.h>
#include <locale.h>
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>

enum { RECORDS = 120, PUBLISHED = 114 };

/* A small hospital: 120 people, of whom the six oldest are removed. Rare on purpose: the city
 * Gavdos, the illness Kuru. */
typedef struct job {
    kn_dataset *original, *published;
    uint32_t origin[RECORDS];
    kn_guarantee guarantee[3];
    kn_verdict *before, *after;
    kn_measures *measures;
    kn_report_facts facts;
} job;

static const kn_phase phases[] = {{"read", 0.25}, {"anonymize", 1.5}};

static inline kn_dataset *finish(kn_dataset_builder *b)
{
    kn_dataset *ds;

    assert_int_equal(kn_dataset_builder_finish(&ds, b, NULL), KN_OK);
    return ds;
}

static inline void set_roles(kn_dataset *ds)
{
    static const struct {
        const char *name;
        kn_role role;
    } roles[] = {{"name", KN_ROLE_IDENTIFIER},
                 {"age", KN_ROLE_QUASI},
                 {"city", KN_ROLE_QUASI},
                 {"illness", KN_ROLE_SENSITIVE},
                 {"ward", KN_ROLE_KEPT}};

    for (size_t i = 0; i < sizeof roles / sizeof *roles; i++) {
        const size_t at = kn_dataset_find(ds, roles[i].name);
        if (at != SIZE_MAX) {
            kn_dataset_set_role(ds, at, roles[i].role, NULL);
        }
    }
}

static inline void job_judge(job *j)
{
    kn_verdict_free(j->before);
    kn_verdict_free(j->after);
    assert_int_equal(kn_check(&j->before, j->original, j->guarantee, j->facts.guarantees_count,
                              NULL, NULL, NULL),
                     KN_OK);
    assert_int_equal(kn_check(&j->after, j->published, j->guarantee, j->facts.guarantees_count,
                              NULL, NULL, NULL),
                     KN_OK);
    j->facts.before = j->before;
    j->facts.after = j->after;
}

static inline void job_open(job *j)
{
    static const char *const names[] = {"name", "age", "city", "illness", "ward"};
    static const char *const illnesses[] = {"flu", "asthma", "<script>alert(1)</script>",
                                            "gout & \"more\""};
    kn_dataset_builder *a, *b;
    size_t out = 0;

    *j = (job){.guarantee = {{.kind = KN_K_ANONYMITY, .k = 5},
                             {.kind = KN_L_DIVERSITY, .l = 2, .diversity = KN_DISTINCT}}};
    assert_int_equal(kn_dataset_builder_new(&a, names, 5, NULL, NULL), KN_OK);
    assert_int_equal(kn_dataset_builder_new(&b, names + 1, 4, NULL, NULL), KN_OK);
    for (size_t i = 0; i < RECORDS; i++) {
        const bool old = i >= PUBLISHED;
        const int age = old ? 97 + (int)(i % 3) : 20 + (int)(i % 57);
        char name[32], years[16], range[24];
        const char *city = i % 40 == 7 ? "Gavdos" : i % 2 ? "Athens" : "Patra";
        const char *illness = i == 50 ? "Kuru" : illnesses[i % 4];
        const char *ward = i % 3 ? "north" : "south";

        (void)snprintf(name, sizeof name, "Zorba-%03zu", i);
        (void)snprintf(years, sizeof years, "%d", age);
        (void)snprintf(range, sizeof range, "[%d,%d]", age / 20 * 20, age / 20 * 20 + 19);
        assert_int_equal(
            kn_dataset_builder_add(a, (const char *[]){name, years, city, illness, ward}, NULL),
            KN_OK);
        if (!old) {
            assert_int_equal(
                kn_dataset_builder_add(
                    b, (const char *[]){range, city[0] == 'P' ? city : "*", illness, ward}, NULL),
                KN_OK);
            j->origin[out++] = (uint32_t)i;
        }
    }
    assert_int_equal(out, PUBLISHED);
    j->original = finish(a);
    j->published = finish(b);
    set_roles(j->original);
    set_roles(j->published);
    j->facts = (kn_report_facts){
        .job_json =
            "{\"input\": \"patients.csv\", \"suppression\": 0.05, \"note\": \"</pre><script>\"}",
        .seed = 7,
        .input_path = "secret/folder/patients.csv",
        .output_path = "public/out.csv",
        .original = j->original,
        .published = j->published,
        .origin = j->origin,
        .suppressed = RECORDS - PUBLISHED,
        .guarantees = j->guarantee,
        .guarantees_count = 2,
        .method = "flash",
        .phases = phases,
        .phases_count = 2,
        .peak_memory_bytes = 41200000,
    };
    job_judge(j);
    assert_int_equal(
        kn_measure(&j->measures, j->original, j->published, j->origin, NULL, NULL, NULL), KN_OK);
    j->facts.measures = j->measures;
}

static inline void job_close(job *j)
{
    kn_measures_free(j->measures);
    kn_verdict_free(j->before);
    kn_verdict_free(j->after);
    kn_dataset_free(j->original);
    kn_dataset_free(j->published);
}

static inline kn_report *report_of(const job *j)
{
    kn_report *r;
    kn_error err = {0};

    if (kn__report_make(&r, &j->facts, NULL, &err) != KN_OK) {
        fail_msg("%s", err.message);
    }
    return r;
}

/* Everything that the report says, in all three forms, one after the other. */
static inline char *all_of(const kn_report *r)
{
    char *text, *json, *html, *all;
    size_t size;

    assert_int_equal(kn_report_text(&text, r, NULL), KN_OK);
    assert_int_equal(kn_report_json(&json, r, NULL), KN_OK);
    assert_int_equal(kn_report_html(&html, r, NULL), KN_OK);
    size = strlen(text) + strlen(json) + strlen(html) + 1;
    all = malloc(size);
    assert_non_null(all);
    (void)snprintf(all, size, "%s%s%s", text, json, html);
    kn__free(text);
    kn__free(json);
    kn__free(html);
    return all;
}

/* ---- HTML ---- */

static const char *name_end(const char *p)
{
    while (*p && !strchr(" \t\n/>=", *p)) {
        p++;
    }
    return p;
}

/* A strict reader of the XML that we write: tags nest, attributes are quoted and not repeated by
 * name within a tag, entities are known. Fails the test at the first thing wrong. */
static inline void check_well_formed(const char *html)
{
    char stack[64][16];
    size_t depth = 0, elements = 0;
    const char *p = html;

    assert_int_equal(strncmp(p, "<!DOCTYPE html>\n", 16), 0);
    for (p += 16; *p;) {
        if (*p == '&') {
            assert_true(strncmp(p, "&amp;", 5) == 0 || strncmp(p, "&lt;", 4) == 0 ||
                        strncmp(p, "&gt;", 4) == 0 || strncmp(p, "&quot;", 6) == 0 ||
                        strncmp(p, "&#39;", 5) == 0);
            p++;
        } else if (*p != '<') {
            assert_true((unsigned char)*p >= 0x20 || *p == '\n');
            p++;
        } else if (p[1] == '/') {
            const char *end = name_end(p + 2);
            assert_true(depth > 0 && *end == '>');
            depth--;
            assert_int_equal((size_t)(end - p - 2), strlen(stack[depth]));
            assert_memory_equal(p + 2, stack[depth], strlen(stack[depth]));
            p = end + 1;
        } else {
            const char *end = name_end(p + 1);
            const size_t len = (size_t)(end - p - 1);
            bool closed = false;

            assert_true(len > 0 && len < sizeof stack[0] && depth < 64);
            memcpy(stack[depth], p + 1, len);
            stack[depth][len] = '\0';
            for (p = end; *p != '>';) {
                assert_true(*p != '\0' && *p != '<');
                if (*p == '/') {
                    closed = true;
                    assert_int_equal(p[1], '>');
                    p++;
                } else if (*p == ' ') {
                    p++;
                } else {
                    const char *eq = name_end(p);
                    assert_true(eq > p && eq[0] == '=' && eq[1] == '"');
                    p = strchr(eq + 2, '"');
                    assert_non_null(p);
                    for (const char *v = eq + 2; v < p; v++) {
                        assert_true(*v != '<');
                    }
                    p++;
                }
            }
            p++;
            depth += !closed;
            elements++;
        }
    }
    assert_int_equal(depth, 0);
    assert_true(elements > 50);
}

static inline char *html_of(const kn_report *r)
{
    char *html;

    assert_int_equal(kn_report_html(&html, r, NULL), KN_OK);
    check_well_formed(html);
    assert_null(strstr(html, "<script"));
    assert_null(strstr(html, "src="));
    assert_null(strstr(html, "url("));
    assert_null(strstr(html, "@import"));
    return html;
}

/* ---- JSON ---- */

static inline json_t *json_of(const kn_report *r)
{
    json_error_t reason;
    char *text;
    json_t *json;

    assert_int_equal(kn_report_json(&text, r, NULL), KN_OK);
    json = json_loads(text, JSON_REJECT_DUPLICATES, &reason);
    assert_non_null(json);
    kn__free(text);
    return json;
}

static inline void check_keys(json_t *object, const char *expected)
{
    kn_buffer keys = {0};
    const char *key;
    json_t *value;

    json_object_foreach(object, key, value)
    {
        kn__buffer_adds(&keys, keys.len ? " " : "");
        kn__buffer_adds(&keys, key);
    }
    assert_string_equal(keys.data, expected);
    kn__buffer_free(&keys);
}

#endif
