/* models/describe.h - parts of models in words that a person understands. */
#ifndef KN_MODELS_DESCRIBE_H
#define KN_MODELS_DESCRIBE_H

#include "base/buffer.h"
#include "models/model.h"

/** Append "Age < 30", "Job in {clerk, sales}", "Age < 30 or Job is missing". Sets of many values
 * are cut short. */
void kn__test_words(const kn_model *m, const kn_test *t, kn_buffer *out);
/** Append the way from the root to `node`: "Gender = Female, Married = Yes"; "everybody" for the
 * root. */
void kn__tree_path_words(const kn_model *m, uint32_t node, kn_buffer *out);
/** Append the way into `node` where its parent stands by: "< 30", "= Yes", or what a person calls
 * it. */
void kn__tree_way_words(const kn_model *m, uint32_t node, kn_buffer *out);
/** `value` with so many significant digits, for people. */
double kn__rounded(double value, int digits);
/** Append a number, with 7 digits at most, or date of attribute `a`. */
void kn__attribute_number_words(const kn_attribute *a, double value, kn_buffer *out);

#endif
