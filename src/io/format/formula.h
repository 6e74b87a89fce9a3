/* io/format/formula.h - cells that a spreadsheet would take for a formula.
 *
 * A text is a formula if it begins with = + - @, a tab or a carriage return, possibly after
 * apostrophes, and is no plain number. Such a text is written with one more apostrophe before it,
 * which reading removes: the apostrophes are skipped in the definition so that the two undo each
 * other for every text. */
#ifndef KN_IO_FORMAT_FORMULA_H
#define KN_IO_FORMAT_FORMULA_H

#include <stdbool.h>
#include <stddef.h>

bool kn__is_formula(const char *text, size_t len);

#endif
