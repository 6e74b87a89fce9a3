/* models/format/pmml/pmml.h - the inside of the PMML reader: what its files share.
 *
 * A document is read into a tree of elements (models/format/pmml/xml.h) and then understood from
 * the top. Each element that is looked at says which attributes and children it knows; any other is
 * refused by name, because what is not understood could change what the model does. Extension
 * elements, attributes that begin with "x-" and attributes of other namespaces are what PMML lets
 * tools add: they do not change what the model does, but they are published with it, so they are
 * noted in the model (unjudged.c). */
#ifndef KN_MODELS_FORMAT_PMML_PMML_H
#define KN_MODELS_FORMAT_PMML_PMML_H

#include "base/buffer.h"
#include "models/model.h"
#include "models/format/pmml/xml.h"

/* ---- fields ---- */

/** One step of a derived number. Every step is monotonic, also as computed with
 * rounding; so a test of the result can be expressed as a test of the field. */
typedef enum kn_pmml_step_kind {
    KN_PMML_ADD,
    KN_PMML_MULTIPLY,
    KN_PMML_DIVIDE,
    KN_PMML_SUBTRACT_FROM, /* number - x */
    KN_PMML_NORM,          /* PMML's NormContinuous through two points */
    KN_PMML_FLOAT          /* rounded to single precision */
} kn_pmml_step_kind;

typedef struct kn_pmml_step {
    kn_pmml_step_kind kind;
    double number;
    double from[2], to[2]; /* KN_PMML_NORM */
} kn_pmml_step;

typedef enum kn_pmml_state { KN_PMML_NEW = 0, KN_PMML_BUSY, KN_PMML_READY } kn_pmml_state;

typedef struct kn_pmml_field {
    const char *name;
    const kn_xml_element *at;     /* DataField, or DerivedField */
    const kn_xml_element *mining; /* its MiningField; NULL: none */
    kn_pmml_state state;
    bool derived;
    bool target;
    uint32_t attribute; /* of the model; KN_NO_CODE until it is ready */
    kn_type type;       /* of that attribute */
    kn_pmml_step *step; /* numbers: what is done to the attribute's value */
    size_t steps, steps_cap;
    const char *one_for; /* NormDiscrete: 1 where the attribute has this value, else 0; or NULL */
    const char *replacement; /* stands for missing values; NULL: none */
} kn_pmml_field;

typedef struct kn_pmml_reader {
    const char *name;
    kn_error *err;
    kn_model *model;
    kn_dict *names; /* of fields */
    kn_pmml_field *field;
    size_t fields, cap;
    unsigned following; /* derived fields that are being followed */
    uint32_t target;    /* the field that is predicted, or KN_NO_CODE */
} kn_pmml_reader;

/** KN_EINPUT, with where `e` stands before the words. */
#if defined(__GNUC__)
__attribute__((format(printf, 3, 4)))
#endif
kn_status
kn__pmml_refuse(const kn_pmml_reader *r, const kn_xml_element *e, const char *format, ...);

/** Refuse attributes and children of `e` that are not among `attributes` and `children`, words with
 * blanks between. */
kn_status kn__pmml_known(const kn_pmml_reader *r, const kn_xml_element *e, const char *attributes,
                         const char *children);
/** The attribute `name` of `e`; refused if it is not there. */
kn_status kn__pmml_need(const kn_pmml_reader *r, const kn_xml_element *e, const char *name,
                        const char **out);
/** The attribute `name` of `e` as a number; `*out` stays as it is where it is not given. */
kn_status kn__pmml_number(const kn_pmml_reader *r, const kn_xml_element *e, const char *name,
                          double *out);
/** The same as a count, which must be a whole number from 0. */
kn_status kn__pmml_count(const kn_pmml_reader *r, const kn_xml_element *e, const char *name,
                         uint64_t *out);
/** Refuse the attribute `name` of `e` unless it is absent or one of `values`, words with blanks. */
kn_status kn__pmml_only(const kn_pmml_reader *r, const kn_xml_element *e, const char *name,
                        const char *values);
bool kn__pmml_is(const kn_xml_element *e, const char *name);
/** What kanon's own Extension `name` inside of `e` says; NULL: there is none. */
const char *kn__pmml_extension(const kn_xml_element *e, const char *name);

/** Whether `word` is among `words`, which have blanks between. */
bool kn__pmml_among(const char *words, const char *word);
/** Whether the element is PMML's own, of whatever version. */
bool kn__pmml_own(const kn_xml_element *e);
/** Note in the model what the document holds beside it and no verdict covers: Extension elements of
 * others than kanon, attributes of other namespaces, comments, free text, elements that are not
 * read. `outside`: there is some before or behind the root. */
kn_status kn__pmml_note_unjudged(const kn_pmml_reader *r, const kn_xml_element *root, bool outside);

/** The next element of an Array's text, from `*at`: `*text`, `*len` into `scratch` or the Array;
 * false at its end. */
bool kn__pmml_array_next(const kn_xml_element *array, size_t *at, kn_buffer *scratch,
                         const char **text, size_t *len);
/** Refuse an Array whose `n` is not what it holds; `*count` is that. */
kn_status kn__pmml_array_count(const kn_pmml_reader *r, const kn_xml_element *array, size_t *count);
/** All of an Array as numbers, into `out`, which has room for `count`. */
kn_status kn__pmml_array_numbers(const kn_pmml_reader *r, const kn_xml_element *array, size_t count,
                                 double *out);

/** Note DataDictionary, TransformationDictionary, LocalTransformations (NULL: none), and take the
 * MiningSchema of `model`. */
kn_status kn__pmml_fields(kn_pmml_reader *r, const kn_xml_element *pmml,
                          const kn_xml_element *model);
void kn__pmml_fields_clear(kn_pmml_reader *r);
/** The field that `e` names in its attribute `key`, ready for use: derived fields are followed to
 * the attribute that they stand for. */
kn_status kn__pmml_field_of(kn_pmml_reader *r, const kn_xml_element *e, const char *key,
                            const kn_pmml_field **out);
/** The result of the steps of `f` for `x`; whether they reverse the order. */
double kn__pmml_steps_value(const kn_pmml_field *f, double x);
bool kn__pmml_steps_turn(const kn_pmml_field *f);
/** `text` as a value of number or date attribute of type `type`. */
bool kn__pmml_value(kn_type type, const char *text, double *out);
/** The code of `text` among the values of `attribute`, added if it is new. */
kn_status kn__pmml_code(kn_pmml_reader *r, uint32_t attribute, const char *text, size_t len,
                        uint32_t *code);

/* ---- kinds ---- */

kn_status kn__pmml_predicate(kn_pmml_reader *r, const kn_xml_element *e, unsigned depth,
                             kn_test *out);
kn_status kn__pmml_tree(kn_pmml_reader *r, const kn_xml_element *e);
kn_status kn__pmml_clusters(kn_pmml_reader *r, const kn_xml_element *e);
kn_status kn__pmml_rules(kn_pmml_reader *r, const kn_xml_element *e);

#endif
