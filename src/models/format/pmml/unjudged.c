/* unjudged.c - what a PMML document holds that neither changes the model nor is covered by a
 * verdict. Tools may add anything to their files, and an Extension may list the records of a leaf.
 * The whole document is walked once more: whatever is not on a list of what is understood is
 * noted. */
#include "base/error.h"
#include "models/format/pmml/pmml.h"

#include <ctype.h>
#include <string.h>

/* Elements that are read, or that only say what a scoring engine puts out. */
static const char understood[] =
    "PMML Header Application Timestamp DataDictionary DataField Value Interval MiningSchema "
    "MiningField TransformationDictionary LocalTransformations DerivedField FieldRef NormContinuous "
    "LinearNorm NormDiscrete Apply Constant Output OutputField TreeModel Node SimplePredicate "
    "SimpleSetPredicate CompoundPredicate True False ScoreDistribution Array ClusteringModel "
    "ComparisonMeasure euclidean squaredEuclidean ClusteringField MissingValueWeights Cluster "
    "AssociationModel Item Itemset ItemRef AssociationRule";
static const char with_text[] = "Array Constant Timestamp";
/* Namespaces whose attributes are about the document. */
static const char of_documents[] =
    "http://www.w3.org/2001/XMLSchema-instance http://www.w3.org/XML/1998/namespace";

/* What kanon itself writes into Extension elements: where, and what. */
static const struct {
    const char *name, *inside;
} own[] = {{"private", "DataField Item"},
           {"label", "Node"},
           {"k", "TreeModel ClusteringModel AssociationModel"},
           {"l", "TreeModel ClusteringModel AssociationModel"},
           {"inference", "TreeModel ClusteringModel AssociationModel"},
           {"column", "AssociationModel"}};

static bool is_blank(const kn_xml_element *e)
{
    for (size_t i = 0; i < e->text_len; i++) {
        if (!isspace((unsigned char)e->text[i])) {
            return false;
        }
    }
    return true;
}

static bool is_own_extension(const kn_xml_element *e, const kn_xml_element *parent)
{
    const char *extender = kn__xml_get(e, "extender"), *name = kn__xml_get(e, "name");

    if (!extender || !name || !kn__xml_get(e, "value") || strcmp(extender, "kanon") != 0 ||
        e->attributes != 3 || e->first || e->more || !is_blank(e)) {
        return false;
    }
    for (size_t i = 0; i < sizeof own / sizeof *own; i++) {
        if (strcmp(name, own[i].name) == 0 && kn__pmml_among(own[i].inside, parent->name)) {
            return true;
        }
    }
    return false;
}

/* `what` inside of `e`; texts of the file are not shown: they may be names of people. */
static kn_status note(const kn_pmml_reader *r, const kn_xml_element *e, const char *what,
                      const char *name, const char *inside)
{
    kn_model *m = r->model;
    kn_buffer words = {0};

    if (m->unjudged++) {
        return KN_OK;
    }
    kn__buffer_addf(&words, "%.200s: line %u, column %u: %s%.60s inside of %.60s", r->name, e->line,
                    e->column, what, name, inside);
    return kn__buffer_take(&words, &m->unjudged_first, r->err);
}

static kn_status note_attributes(const kn_pmml_reader *r, const kn_xml_element *e)
{
    const bool header = kn__pmml_is(e, "Header");
    kn_status st = KN_OK;

    for (uint32_t i = 0; st == KN_OK && i < e->attributes; i++) {
        const kn_xml_attribute *a = &e->attribute[i];
        if (a->space ? !kn__pmml_among(of_documents, a->space)
                     : strncmp(a->name, "x-", 2) == 0 ||
                           (header && kn__pmml_among("description copyright", a->name))) {
            st = note(r, e, "the attribute ", a->name, e->name);
        }
    }
    return st;
}

/* Documents are at most KN_XML_DEPTH deep. */
static kn_status note_inside(const kn_pmml_reader *r, const kn_xml_element *e)
{
    KN_PASS(note_attributes(r, e));
    if (e->more || (!is_blank(e) && !kn__pmml_among(with_text, e->name))) {
        KN_PASS(note(r, e, "text, a comment or a processing instruction", "", e->name));
    }
    for (const kn_xml_element *c = e->first; c; c = c->next) {
        if (kn__pmml_is(c, "Extension")) {
            KN_PASS(is_own_extension(c, e) ? KN_OK : note(r, c, "an Extension", "", e->name));
        } else if (!kn__pmml_own(c) || !kn__pmml_among(understood, c->name)) {
            KN_PASS(note(r, c, "", c->name, e->name));
        } else {
            KN_PASS(note_inside(r, c));
        }
    }
    return KN_OK;
}

kn_status kn__pmml_note_unjudged(const kn_pmml_reader *r, const kn_xml_element *root, bool outside)
{
    const kn_status st = outside ? note(r, root, "a comment or a processing instruction", "",
                                        "the document")
                                 : KN_OK;

    return st == KN_OK ? note_inside(r, root) : st;
}
