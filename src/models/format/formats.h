/* models/format/formats.h - models as text: one writer and one reader a format.
 *
 * What a reader lets through is valid (kn__model_validate); what it does not understand it refuses
 * by name. `name` is what messages call the file. */
#ifndef KN_MODELS_FORMAT_FORMATS_H
#define KN_MODELS_FORMAT_FORMATS_H

#include "base/buffer.h"
#include "models/model.h"

enum { KN_MODEL_JSON_VERSION = 1 };

/** Append the model as JSON, as docs/models.md describes it. The same model gives the same bytes.
 */
kn_status kn__model_json(const kn_model *m, kn_buffer *out, kn_error *err);
kn_status kn__model_parse_json(kn_model **out, const char *name, const char *bytes, size_t len,
                               kn_error *err);

/** Append rules as CSV: left, right, support, confidence, lift, count and private, which are the
 * rule's private items; items of a side are separated by "|". KN_EUSAGE for other models. */
kn_status kn__model_csv(const kn_model *m, kn_buffer *out, kn_error *err);
/** Read rules as CSV: ours, and as arules and mlxtend write them (rules_csv.c). */
kn_status kn__model_parse_csv(kn_model **out, const char *name, const char *bytes, size_t len,
                              kn_error *err);

/** Append the model as PMML 4.4; read PMML 3 and 4 as other tools write it. docs/model-formats.md
 * says what is understood; the rest is refused by name, with line and column. */
kn_status kn__model_pmml(const kn_model *m, kn_buffer *out, kn_error *err);
kn_status kn__model_parse_pmml(kn_model **out, const char *name, const char *bytes, size_t len,
                               kn_error *err);

/** Append the model for people and other programs: Graphviz's DOT (trees and rules), an SQL
 * expression (trees and clusters), indented text.
 *  @return KN_EUSAGE where a kind of model has no such form. */
kn_status kn__model_dot(const kn_model *m, kn_buffer *out, kn_error *err);
kn_status kn__model_sql(const kn_model *m, kn_buffer *out, kn_error *err);
kn_status kn__model_text(const kn_model *m, kn_buffer *out, kn_error *err);

/** How a number is written: its digits from the first one that is not 0, and the decimals that the
 * last of them stands for. */
typedef struct kn_digits {
    int significant, decimals;
} kn_digits;
kn_digits kn__digits_of(const char *text, size_t len);
/** How far a figure may be from what it was rounded from, if those beside it have at most the
 * digits `most`: half a unit of the last place, be it that decimals or that significant digits were
 * kept; trailing zeros may have been left out. */
double kn__digits_within(kn_digits figure, kn_digits most);
static inline void kn__digits_raise(kn_digits *most, kn_digits figure)
{
    most->significant = figure.significant > most->significant ? figure.significant
                                                               : most->significant;
    most->decimals = figure.decimals > most->decimals ? figure.decimals : most->decimals;
}

/** Append the shortest text that reads back as `value`: 3, 0.1, 1e+300. */
void kn__model_number(kn_buffer *out, double value);

#endif
