/* models/format/pmml/xml.h - an XML document as a small tree whose elements know where they stand,
 * for readers that must say where something is that they refuse.
 *
 * Documents come from strangers: document types (and with them entities of their own) are refused,
 * and so is what is too large, too deep or has too many elements. */
#ifndef KN_MODELS_FORMAT_PMML_XML_H
#define KN_MODELS_FORMAT_PMML_XML_H

#include "kanon/error.h"
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define KN_XML_BYTES    ((size_t)256 << 20) /* of a document */
#define KN_XML_ELEMENTS ((size_t)8 << 20)
#define KN_XML_DEPTH    1000u

typedef struct kn_xml_attribute {
    const char *name; /* without its namespace */
    const char *value;
    const char *space; /* its namespace; NULL: none */
} kn_xml_attribute;

typedef struct kn_xml_element {
    const char *name;  /* without its namespace */
    const char *space; /* its namespace; NULL: none */
    const kn_xml_attribute *attribute;
    uint32_t attributes;
    uint32_t line, column; /* from 1 */
    const char *text;      /* what stands inside an element without others inside; never NULL */
    size_t text_len;
    const struct kn_xml_element *first, *next; /* its first child; its next sibling */
    bool more; /* comments, processing instructions, or text beside its children: not kept */
} kn_xml_element;

typedef struct kn_xml kn_xml;

/** Parse `len` bytes; `name` is what messages call the file.
 *  @return KN_EINPUT with line and column. O(len). */
kn_status kn__xml_parse(kn_xml **out, const char *name, const char *bytes, size_t len,
                        kn_error *err);
void kn__xml_free(kn_xml *x);

const kn_xml_element *kn__xml_root(const kn_xml *x);
/** Whether there are comments or processing instructions before or behind the root. */
bool kn__xml_more_outside(const kn_xml *x);
/** The value of the attribute `name` (in no namespace), or NULL. */
const char *kn__xml_get(const kn_xml_element *e, const char *name);
/** The first child called `name`, or NULL; and the next sibling called as `e` is. */
const kn_xml_element *kn__xml_child(const kn_xml_element *e, const char *name);
const kn_xml_element *kn__xml_again(const kn_xml_element *e);

#endif
