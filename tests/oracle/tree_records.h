/* oracle/tree_records.h - the running example of the tree paper, rebuilt.
 *
 * Figures 2 and 6 are lost in the text. What the prose says: Hospital2 is below the root in records
 * 1, 2 and 3 (Example 4); H1 ~> Flu with H2 ~> Antibiotics is record 3 alone (section 2.2); Flu and
 * Bronchitis stand below H1 in the synopsis tree, and Lung Disease there has the records 2, 3, 4
 * (Example 5); in record 2 Gastritis is below Hospital2 and above Antibiotics (Figure 7); the
 * paths of records 1 and 2 after anonymisation are those of Example 1; the cut and the two
 * disassociations are those of section 3.3. The records below satisfy all of it. The hierarchy has
 * 12 leaves and 6 groups, the numbers that Example 1 divides by, and height 3 (Example 3). */
#ifndef KN_ORACLE_TREE_RECORDS_H
#define KN_ORACLE_TREE_RECORDS_H

#include "data/trees.h"
#include "hierarchy/hierarchy.h"

#include <stdlib.h>
#include <string.h>

/* A record as "A(B C(D)) E". */
typedef struct example_text {
    const char *at;
    kn_forest_builder *b;
} example_text;

static uint16_t example_class(const char *text, size_t len)
{
    static const char *const of[3][12] = {
        {"Hospital1", "Hospital2", "Rea", "Gaia"},
        {"Flu", "Bronchitis", "Gastritis", "Diarrhea", "LungDisease"},
        {"Painkillers", "Antibiotics", "Neurological", "Orthopedic", "Medicine"}};

    for (uint16_t c = 0; c < 3; c++) {
        for (size_t i = 0; i < 12 && of[c][i]; i++) {
            if (strlen(of[c][i]) == len && memcmp(of[c][i], text, len) == 0) {
                return c;
            }
        }
    }
    abort();
}

static void example_nodes(example_text *t, uint32_t parent)
{
    uint32_t node = parent;

    while (*t->at && *t->at != ')') {
        const size_t len = strcspn(t->at, " ()");
        if (len) {
            if (kn__forest_builder_node(t->b, example_class(t->at, len), t->at, len, parent, &node,
                                        NULL) != KN_OK) {
                abort();
            }
            t->at += len;
        } else if (*t->at++ == '(') {
            example_nodes(t, node);
            t->at++;
        }
    }
}

static kn_forest *example_forest(const char *const *records, size_t count)
{
    static const char *const names[] = {"hospital", "disease", "treatment"};
    const kn_tree_classes classes = {3, (char **)names};
    kn_forest_builder *b = NULL;
    kn_forest *f = NULL;

    if (kn__forest_builder_new(&b, &classes, NULL) != KN_OK) {
        abort();
    }
    for (size_t i = 0; i < count; i++) {
        example_text t = {records[i], b};
        if (kn__forest_builder_record(b, NULL) != KN_OK) {
            abort();
        }
        example_nodes(&t, KN_NO_PARENT);
    }
    if (kn__forest_builder_finish(b, &f, NULL) != KN_OK ||
        kn__forest_normalise(f, NULL, NULL) != KN_OK) {
        abort();
    }
    return f;
}

static const char *const example_records[4] = {
    "Hospital1(Gastritis(Painkillers)) Hospital2(Flu(Antibiotics))",
    "Hospital1(Bronchitis(Antibiotics)) Hospital2(Bronchitis(Antibiotics) Gastritis(Antibiotics))",
    "Hospital1(Flu(Antibiotics)) Hospital2(Bronchitis(Antibiotics) Gastritis(Antibiotics))",
    "Hospital1(Flu(Painkillers))",
};

/* Figure 4. */
static const char *const example_release[4] = {
    "Gastritis Hospital1(Medicine) Hospital2(LungDisease(Medicine))",
    "Gastritis Hospital1(LungDisease(Medicine)) Hospital2(LungDisease(Medicine) Medicine)",
    "Gastritis Hospital1(LungDisease(Medicine)) Hospital2(LungDisease(Medicine) Medicine)",
    "Hospital1(LungDisease(Medicine))",
};

static kn_hierarchies *example_hierarchies(void)
{
    static const char *const files[3][2] = {
        {"hospital", "Hospital1;General;Hospital\nHospital2;General;Hospital\n"
                     "Rea;Maternity;Hospital\nGaia;Maternity;Hospital\n"},
        {"disease", "Flu;LungDisease;Disease\nBronchitis;LungDisease;Disease\n"
                    "Gastritis;StomachDisorder;Disease\nDiarrhea;StomachDisorder;Disease\n"},
        {"treatment", "Painkillers;Medicine;Treatment\nAntibiotics;Medicine;Treatment\n"
                      "Neurological;Surgery;Treatment\nOrthopedic;Surgery;Treatment\n"}};
    kn_hierarchies *hs = NULL;

    if (kn_hierarchies_new(&hs, NULL) != KN_OK) {
        abort();
    }
    for (size_t i = 0; i < 3; i++) {
        kn_hierarchy *h = NULL;
        if (kn__hierarchy_parse(&h, files[i][0], files[i][1], strlen(files[i][1]), NULL) != KN_OK ||
            kn_hierarchies_add(hs, files[i][0], h, NULL) != KN_OK) {
            abort();
        }
    }
    return hs;
}

#endif
