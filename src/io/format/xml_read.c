/* xml_read.c - tree records as XML, through expat: every child of the outermost element is a
 * record, which becomes a document (document.h): elements and attributes are members, and an
 * element that has neither is the value that its text is.
 *
 * A document type is refused, and with it every entity: what entities grow to, and files that they
 * name, are no part of the data. Depth and size are limited before the document is built. */
#include "base/error.h"
#include "base/memory.h"
#include "io/format/document.h"
#include "io/format/trees.h"

#include <expat.h>
#include <string.h>

enum { BLOCK = 1 << 18 }; /* bytes that expat is given at a time */
static const size_t longest_record = (size_t)1 << 28;

typedef struct open_element {
    uint32_t item;
    size_t text; /* where its text begins in xml_file.text */
} open_element;

typedef struct xml_file {
    kn_reading *r;
    XML_Parser parser;
    kn_forest_builder *b;
    kn_tree_shape *shape;
    kn_document doc;
    kn_buffer text; /* of the open elements of the record */
    open_element open[KN_DOCUMENT_DEPTH];
    size_t depth; /* of the open elements, the outermost included */
    kn_status status;
    kn_error *err;
} xml_file;

/* expat 2.9 has other functions for places, and warns of these. */
static size_t line_of(const xml_file *x)
{
#if XML_MAJOR_VERSION > 2 || XML_MINOR_VERSION >= 9
    return (size_t)XML_GetCurrentLineNumber64(x->parser);
#else
    return (size_t)XML_GetCurrentLineNumber(x->parser);
#endif
}

static void stop(xml_file *x, kn_status status)
{
    if (x->status == KN_OK && status != KN_OK) {
        x->status = status;
        (void)XML_StopParser(x->parser, XML_FALSE);
    }
}

/* The name without its namespace's prefix. */
static const char *local(const char *name)
{
    const char *colon = strrchr(name, ':');

    return colon ? colon + 1 : name;
}

static kn_status add_attributes(xml_file *x, uint32_t item, const XML_Char **attributes)
{
    for (size_t i = 0; attributes[i]; i += 2) {
        const char *name = local(attributes[i]);
        uint32_t member;
        if (!x->shape && strcmp(name, "value") == 0) {
            name = "@value"; /* a class, too, may be called value */
        }
        if (strncmp(attributes[i], "xmlns", 5) == 0 || strcmp(attributes[i], "class") == 0) {
            continue;
        }
        KN_PASS(kn__document_add(&x->doc, item, name, strlen(name), false, line_of(x), &member,
                                 x->err));
        kn__document_value(&x->doc, member, attributes[i + 1], strlen(attributes[i + 1]));
    }
    return KN_OK;
}

/* An element's class is its name, or what <node class="..."> says. */
static const char *class_of(const char *name, const XML_Char **attributes)
{
    for (size_t i = 0; strcmp(local(name), "node") == 0 && attributes[i]; i += 2) {
        if (strcmp(attributes[i], "class") == 0) {
            return attributes[i + 1];
        }
    }
    return local(name);
}

static void XMLCALL on_start(void *user, const XML_Char *name, const XML_Char **attributes)
{
    xml_file *x = user;
    uint32_t item = KN_NO_ITEM;
    kn_status status = KN_OK;

    if (x->depth == KN_DOCUMENT_DEPTH) {
        KN_TRY(kn__fail(x->err, KN_EINPUT, "line %zu: elements are nested deeper than %d",
                        line_of(x), KN_DOCUMENT_DEPTH));
    }
    if (x->doc.text.len + x->text.len > longest_record) {
        KN_TRY(kn__fail(x->err, KN_EINPUT, "line %zu: the record is larger than %zu bytes",
                        line_of(x), longest_record));
    }
    if (x->depth == 1) {
        kn__document_clear(&x->doc);
        x->text.len = 0;
    }
    if (x->depth >= 1) {
        const char *class_ = class_of(name, attributes);
        const uint32_t up = x->depth == 1 ? KN_NO_ITEM : x->open[x->depth - 1].item;
        KN_TRY(
            kn__document_add(&x->doc, up, class_, strlen(class_), true, line_of(x), &item, x->err));
        KN_TRY(add_attributes(x, item, attributes));
    }
    x->open[x->depth++] = (open_element){item, x->text.len};
done:
    stop(x, status);
}

/* The text of an element, without blanks around it. */
static void trim(const xml_file *x, size_t *begin, size_t *end)
{
    while (*begin < *end && strchr(" \t\r\n", x->text.data[*begin])) {
        (*begin)++;
    }
    while (*end > *begin && strchr(" \t\r\n", x->text.data[*end - 1])) {
        (*end)--;
    }
}

static kn_status close_element(xml_file *x)
{
    const open_element *e = &x->open[x->depth];
    kn_document_item *item = &x->doc.item[e->item];
    size_t begin = e->text, end = x->text.len;
    kn_status status = KN_OK;

    trim(x, &begin, &end);
    if (item->first == KN_NO_ITEM && x->depth > 1) { /* a value, if only an empty one */
        item->object = false;
        item->value = x->doc.text.len;
        kn__document_value(&x->doc, e->item, end > begin ? x->text.data + begin : "", end - begin);
    } else if (end > begin) {
        status = kn__fail(x->err, KN_EINPUT,
                          "line %zu: element %s holds text beside elements or attributes, which "
                          "has no place in a tree",
                          line_of(x),
                          kn__quote_make(x->doc.text.data + item->name, item->name_len).text);
    }
    x->text.len = e->text;
    if (status == KN_OK && (x->text.failed || x->doc.text.failed)) {
        status = kn__nomem(x->err);
    }
    if (status == KN_OK && x->depth == 1) {
        status = kn__document_to_tree(&x->doc, x->shape, x->r->options->released, x->b, x->err);
    }
    return status;
}

static void XMLCALL on_end(void *user, const XML_Char *name)
{
    xml_file *x = user;

    (void)name;
    if (x->status == KN_OK && --x->depth >= 1) {
        stop(x, close_element(x));
    }
}

static void XMLCALL on_text(void *user, const XML_Char *text, int len)
{
    xml_file *x = user;

    if (x->depth > 1) {
        kn__buffer_add(&x->text, text, (size_t)len);
    } else if (x->depth == 1) {
        for (int i = 0; i < len; i++) {
            if (!strchr(" \t\r\n", text[i])) {
                stop(x,
                     kn__fail(x->err, KN_EINPUT, "line %zu: text between the records", line_of(x)));
                return;
            }
        }
    }
}

static void XMLCALL on_doctype(void *user, const XML_Char *name, const XML_Char *system_id,
                               const XML_Char *public_id, int has_internal_subset)
{
    xml_file *x = user;

    (void)name, (void)system_id, (void)public_id, (void)has_internal_subset;
    stop(x, kn__fail(x->err, KN_EINPUT,
                     "line %zu: the file has a document type (<!DOCTYPE ...>): kanon reads XML "
                     "without one, and without entities: remove it",
                     line_of(x)));
}

static bool enough(void *user, const char *text, size_t len)
{
    (void)user, (void)text;
    return len > 0;
}

static kn_status parse(void *user, const char *text, size_t len, bool last, size_t *used,
                       size_t *lines, kn_error *err)
{
    xml_file *x = user;

    *lines = 0; /* the parser counts lines itself */
    while (*used < len || last) {
        const size_t now = len - *used < BLOCK ? len - *used : BLOCK;
        const bool end = last && *used + now == len;
        if (XML_Parse(x->parser, text + *used, (int)now, end) == XML_STATUS_ERROR) {
            const enum XML_Error code = XML_GetErrorCode(x->parser);
            if (x->status != KN_OK) {
                return x->status;
            }
            if (code == XML_ERROR_NO_MEMORY) {
                return kn__nomem(err);
            }
            return kn__fail(err, KN_EINPUT, "line %zu: not XML: %s", line_of(x),
                            XML_ErrorString(code));
        }
        *used += now;
        if (end) {
            break;
        }
    }
    return KN_OK;
}

static kn_status read_xml(kn_reading *r, kn_dataset **out, kn_error *err)
{
    static const XML_Memory_Handling_Suite memory = {kn__malloc, kn__realloc, kn__free};
    xml_file x = {.r = r, .err = err};
    const kn_tree_feed feed = {.enough = enough, .parse = parse, .user = &x};
    kn_status status;

    KN_TRY(kn__tree_builder(r, &x.b, err));
    KN_TRY(kn__tree_shape_of(r, x.b, &x.shape, err));
    x.parser = XML_ParserCreate_MM(NULL, &memory, NULL);
    KN_TRY(x.parser ? KN_OK : kn__nomem(err));
    XML_SetUserData(x.parser, &x);
    XML_SetElementHandler(x.parser, on_start, on_end);
    XML_SetCharacterDataHandler(x.parser, on_text);
    XML_SetStartDoctypeDeclHandler(x.parser, on_doctype);
    KN_TRY(kn__tree_feed_run(r, &feed, err));
    status = kn__tree_finish(r, x.b, x.shape != NULL, out, err);
    x.b = NULL;
done:
    if (x.parser) {
        XML_ParserFree(x.parser);
    }
    kn__forest_builder_free(x.b);
    kn__tree_shape_free(x.shape);
    kn__document_free(&x.doc);
    kn__buffer_free(&x.text);
    return status;
}

const kn_reader kn__reader_xml = {read_xml};
