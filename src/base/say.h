/* base/say.h - numbers and lists of names as people write them, whatever the locale. */
#ifndef KN_BASE_SAY_H
#define KN_BASE_SAY_H

#include "base/buffer.h"

#define KN_SAY_NAMES 4 /* names of a longer list that are written out */

/** "30,162". */
void kn__say_count(kn_buffer *b, size_t n);
/** "1 record", "30,162 records". */
void kn__say_things(kn_buffer *b, size_t n, const char *one, const char *many);
/** With `decimals` decimals and commas; "–" for what is not finite. */
void kn__say_number(kn_buffer *b, double x, unsigned decimals);
/** "3.9 %", "under 0.1 %". */
void kn__say_share(kn_buffer *b, double share);
/** What stands before name `i` of a list of `count`: nothing, ", " or `last` (" and ", " or "). */
const char *kn__say_gap(size_t i, size_t count, const char *last);
/** The names of columns: "age, sex and city"; of more than five the first four, and how many others
 * there are. */
void kn__say_names(kn_buffer *b, const char *const *names, size_t count);
/** Append `text` between quotes; a quote inside of it is doubled, as in CSV and SQL. */
void kn__say_quoted(kn_buffer *b, char quote, const char *text, size_t len);
/** Append `name` as an option takes it in a list (base/name_list.h), which is one word of a shell.
 */
void kn__say_option_name(kn_buffer *b, const char *name);
/** The same for a part of a word that stands in single quotes already. */
void kn__say_part_of_option(kn_buffer *b, const char *name);

#endif
