/* models/format/pmml/write.h - the inside of the PMML writer. */
#ifndef KN_MODELS_FORMAT_PMML_WRITE_H
#define KN_MODELS_FORMAT_PMML_WRITE_H

#include "base/buffer.h"
#include "models/model.h"

/** Append text, escaped for XML. */
void kn__out_bytes(kn_buffer *out, const char *text, size_t len);
/** Append ` name="..."`. */
void kn__out_attribute(kn_buffer *out, const char *name, const char *text, size_t len);
void kn__out_text(kn_buffer *out, const char *name, const char *text);
void kn__out_value(kn_buffer *out, const char *name, const kn_dict *d, uint32_t code);
void kn__out_number(kn_buffer *out, const char *name, double value);
void kn__out_date(kn_buffer *out, const char *name, double days);
/** Append an Extension of kanon's, which changes nothing that a model does. */
void kn__out_extension(kn_buffer *out, const char *name, const char *value);
/** Whether XML 1.0 can hold it at all. */
bool kn__out_can_hold(const char *text, size_t len);

void kn__out_schema(kn_buffer *out, const kn_model *m);
void kn__out_promise(kn_buffer *out, const kn_model_promise *p);
kn_status kn__out_tree(kn_buffer *out, const kn_model *m, kn_error *err);
kn_status kn__out_clusters(kn_buffer *out, const kn_model *m, kn_error *err);
kn_status kn__out_rules(kn_buffer *out, const kn_model *m, kn_error *err);

#endif
