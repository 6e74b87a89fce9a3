/* models/describe.h - descriptions of tests and paths, for people. */
#ifndef KN_MODELS_DESCRIBE_H
#define KN_MODELS_DESCRIBE_H

#include "base/buffer.h"
#include "models/model.h"

/** Append "Age < 30", "Job in {clerk, sales}", "Age < 30 or Job is missing". Long sets are
 * shortened. */
void kn__test_words(const kn_model *m, const kn_test *t, kn_buffer *out);
/** Append the path from the root to `node`: "Gender = Female, Married = Yes"; "everybody" for the
 * root. */
void kn__tree_path_words(const kn_model *m, uint32_t node, kn_buffer *out);
/** Append the branch into `node` without the attribute of its parent: "< 30", "= Yes", or its
 * label. */
void kn__tree_branch_words(const kn_model *m, uint32_t node, kn_buffer *out);
/** `value` rounded to so many significant digits. */
double kn__rounded(double value, int digits);
/** Append a number, with 7 digits at most, or date of attribute `a`. */
void kn__attribute_number_words(const kn_attribute *a, double value, kn_buffer *out);

#endif
