/* xml.c - expat's events to a tree. All strings and elements lie in blocks that are freed together:
 * documents have millions of both. */
#include "models/format/pmml/xml.h"
#include "base/buffer.h"
#include "base/error.h"
#include "base/memory.h"

#include <expat.h>
#include <stdbool.h>
#include <stdint.h>
#include <string.h>

enum { BLOCK = 64 * 1024, AT_ONCE = 1 << 20, SPACES = 16, SPACE_LENGTH = 1000 };

typedef struct block {
    struct block *before;
    size_t used, size;
    _Alignas(void *) char bytes[];
} block;

struct kn_xml {
    block *last;
    kn_xml_element *root;
    bool more_outside;
};

typedef struct open_element {
    kn_xml_element *element, *last_child;
} open_element;

typedef struct parsing {
    XML_Parser parser;
    kn_xml *xml;
    const char *name;
    open_element open[KN_XML_DEPTH];
    size_t depth, elements;
    kn_buffer text;            /* of the innermost element, while it has no children */
    const char *space[SPACES]; /* the namespaces that were seen, each once */
    size_t spaces;
    kn_status status;
    kn_error *err;
} parsing;

static void *take(kn_xml *x, size_t size)
{
    const size_t rounded = (size + sizeof(void *) - 1) & ~(sizeof(void *) - 1);
    block *b = x->last;

    if (!b || b->size - b->used < rounded) {
        const size_t room = rounded > BLOCK / 4 ? rounded : BLOCK;
        b = kn__malloc(sizeof *b + room);
        if (!b) {
            return NULL;
        }
        *b = (block){.before = x->last, .size = room};
        x->last = b;
    }
    b->used += rounded;
    return b->bytes + (b->used - rounded);
}

static const char *copy(kn_xml *x, const char *text, size_t len)
{
    char *new_text = take(x, len + 1);

    if (new_text) {
        memcpy(new_text, text, len);
        new_text[len] = '\0';
    }
    return new_text;
}

/* Where the parser is, counted from 1. expat 2.9 has other functions for that, and warns of these.
 */
#if XML_MAJOR_VERSION > 2 || XML_MINOR_VERSION >= 9
#define LINE_OF   XML_GetCurrentLineNumber64
#define COLUMN_OF XML_GetCurrentColumnNumber64
#else
#define LINE_OF   XML_GetCurrentLineNumber
#define COLUMN_OF XML_GetCurrentColumnNumber
#endif

static unsigned long line_of(const parsing *p)
{
    return (unsigned long)LINE_OF(p->parser);
}

static unsigned long column_of(const parsing *p)
{
    return (unsigned long)COLUMN_OF(p->parser) + 1;
}

static void stop(parsing *p, kn_status status)
{
    if (p->status == KN_OK) {
        p->status = status;
        (void)XML_StopParser(p->parser, XML_FALSE);
    }
}

static void refuse(parsing *p, const char *what)
{
    if (p->status == KN_OK) {
        stop(p, kn__fail(p->err, KN_EINPUT, "%s: line %lu, column %lu: %s", p->name, line_of(p),
                         column_of(p), what));
    }
}

static void no_memory(parsing *p)
{
    if (p->status == KN_OK) {
        stop(p, kn__nomem(p->err));
    }
}

/* Our own copy of a namespace. Every name comes with its namespace spelt out: kept once for each,
 * few lines would become gigabytes. */
static const char *space_of(parsing *p, const char *text, size_t len)
{
    for (size_t i = 0; i < p->spaces; i++) {
        if (strlen(p->space[i]) == len && memcmp(p->space[i], text, len) == 0) {
            return p->space[i];
        }
    }
    if (p->spaces == SPACES) {
        refuse(p, "there are more than 16 namespaces: that is no model that a tool wrote");
        return NULL;
    }
    p->space[p->spaces] = copy(p->xml, text, len);
    return p->space[p->spaces] ? p->space[p->spaces++] : NULL;
}

/* expat writes a name with a namespace as "SPACE NAME". */
static bool split_name(parsing *p, const char *full, const char **space, const char **name)
{
    const char *blank = strrchr(full, ' ');

    *space = NULL;
    if (blank) {
        *space = space_of(p, full, (size_t)(blank - full));
        full = blank + 1;
    }
    *name = copy(p->xml, full, strlen(full));
    return *name && (!blank || *space);
}

static void XMLCALL on_space(void *user, const char *prefix, const char *space)
{
    (void)prefix;
    if (space && strlen(space) > SPACE_LENGTH) {
        refuse(user, "the name of a namespace has more than 1,000 bytes: that is no model that a "
                     "tool wrote");
    }
}

static bool copy_attributes(parsing *p, kn_xml_element *e, const char **atts)
{
    kn_xml_attribute *list;
    size_t count = 0;

    while (atts[2 * count]) {
        count++;
    }
    list = count ? take(p->xml, count * sizeof *list) : NULL;
    if (count && !list) {
        return false;
    }
    for (size_t i = 0; i < count; i++) {
        list[i].value = copy(p->xml, atts[2 * i + 1], strlen(atts[2 * i + 1]));
        if (!list[i].value || !split_name(p, atts[2 * i], &list[i].space, &list[i].name)) {
            return false;
        }
    }
    e->attribute = list;
    e->attributes = (uint32_t)count;
    return true;
}

static bool is_blank(const char *text, size_t len)
{
    for (size_t i = 0; i < len; i++) {
        if (!strchr(" \t\r\n", text[i]) || text[i] == '\0') {
            return false;
        }
    }
    return true;
}

/* What a reader never sees; a file that is published shows it all the same. */
static void note_more(parsing *p)
{
    if (p->status == KN_OK && p->depth) {
        p->open[p->depth - 1].element->more = true;
    } else {
        p->xml->more_outside = true;
    }
}

static void XMLCALL on_start(void *user, const char *full, const char **atts)
{
    parsing *p = user;
    kn_xml_element *e;

    if (p->status != KN_OK) {
        return;
    }
    if (p->depth == KN_XML_DEPTH) {
        refuse(p, "elements are nested more than 1,000 deep: that is no model that a tool wrote");
        return;
    }
    if (p->elements++ == KN_XML_ELEMENTS) {
        refuse(p, "there are more than 8,388,608 elements: that is too much for a model");
        return;
    }
    e = take(p->xml, sizeof *e);
    if (!e) {
        no_memory(p);
        return;
    }
    *e = (kn_xml_element){.text = "",
                          .line = (uint32_t)line_of(p),
                          .column = (uint32_t)column_of(p)};
    if (!split_name(p, full, &e->space, &e->name) || !copy_attributes(p, e, atts)) {
        no_memory(p);
        return;
    }
    if (p->depth == 0) {
        p->xml->root = e;
    } else {
        open_element *parent = &p->open[p->depth - 1];
        if (parent->last_child) {
            parent->last_child->next = e;
        } else {
            parent->element->first = e;
        }
        parent->last_child = e;
    }
    if (p->depth && p->text.len && !is_blank(p->text.data, p->text.len)) {
        note_more(p);
    }
    p->open[p->depth++] = (open_element){.element = e};
    p->text.len = 0;
}

static void XMLCALL on_end(void *user, const char *full)
{
    parsing *p = user;
    kn_xml_element *e;

    (void)full;
    if (p->status != KN_OK) {
        return;
    }
    e = p->open[--p->depth].element;
    if (!e->first && p->text.len) {
        e->text = copy(p->xml, p->text.data, p->text.len);
        e->text_len = p->text.len;
        if (!e->text) {
            no_memory(p);
        }
    }
    p->text.len = 0;
}

static void XMLCALL on_text(void *user, const char *text, int len)
{
    parsing *p = user;

    if (p->status != KN_OK || !p->depth) {
        return;
    }
    if (p->open[p->depth - 1].last_child) {
        if (!is_blank(text, (size_t)len)) {
            note_more(p);
        }
        return;
    }
    kn__buffer_add(&p->text, text, (size_t)len);
    if (p->text.failed) {
        no_memory(p);
    }
}

static void XMLCALL on_comment(void *user, const char *text)
{
    (void)text;
    note_more(user);
}

static void XMLCALL on_instruction(void *user, const char *target, const char *text)
{
    (void)target;
    (void)text;
    note_more(user);
}

static void XMLCALL on_doctype(void *user, const char *name, const char *system, const char *public,
                               int inside)
{
    (void)name;
    (void)system;
    (void)public;
    (void)inside;
    refuse(user, "a document type (<!DOCTYPE ...>) is not read, because it can make a small file "
                 "grow without end: remove it");
}

static kn_status feed(parsing *p, const char *bytes, size_t len)
{
    for (size_t at = 0;;) {
        const size_t now = len - at < AT_ONCE ? len - at : AT_ONCE;
        const bool last = at + now == len;
        const enum XML_Status s = XML_Parse(p->parser, bytes + at, (int)now, last);

        if (p->status != KN_OK) {
            return p->status;
        }
        if (s == XML_STATUS_ERROR) {
            const enum XML_Error code = XML_GetErrorCode(p->parser);
            if (code == XML_ERROR_NO_MEMORY) {
                return kn__nomem(p->err);
            }
            return kn__fail(p->err, KN_EINPUT, "%s: line %lu, column %lu: this is not XML: %s",
                            p->name, line_of(p), column_of(p), XML_ErrorString(code));
        }
        at += now;
        if (last) {
            return KN_OK;
        }
    }
}

kn_status kn__xml_parse(kn_xml **out, const char *name, const char *bytes, size_t len,
                        kn_error *err)
{
    static const XML_Memory_Handling_Suite memory = {kn__malloc, kn__realloc, kn__free};
    parsing *p = NULL;
    kn_status st = KN_ENOMEM;

    *out = NULL;
    if (len > KN_XML_BYTES) {
        return kn__fail(err, KN_EINPUT,
                        "%s: the file has %zu bytes; models of up to %zu bytes are read", name, len,
                        KN_XML_BYTES);
    }
    p = kn__zalloc(sizeof *p);
    if (!p) {
        return kn__nomem(err);
    }
    p->name = name;
    p->err = err;
    p->xml = kn__zalloc(sizeof *p->xml);
    p->parser = p->xml ? XML_ParserCreate_MM(NULL, &memory, " ") : NULL;
    if (!p->parser) {
        (void)kn__nomem(err);
        goto done;
    }
    XML_SetUserData(p->parser, p);
    XML_SetStartNamespaceDeclHandler(p->parser, on_space);
    XML_SetElementHandler(p->parser, on_start, on_end);
    XML_SetCharacterDataHandler(p->parser, on_text);
    XML_SetCommentHandler(p->parser, on_comment);
    XML_SetProcessingInstructionHandler(p->parser, on_instruction);
    XML_SetStartDoctypeDeclHandler(p->parser, on_doctype);
    st = feed(p, bytes, len);
    if (st == KN_OK) {
        *out = p->xml;
        p->xml = NULL;
    }
done:
    if (p->parser) {
        XML_ParserFree(p->parser);
    }
    kn__buffer_free(&p->text);
    kn__xml_free(p->xml);
    kn__free(p);
    return st;
}

void kn__xml_free(kn_xml *x)
{
    if (!x) {
        return;
    }
    for (block *b = x->last; b;) {
        block *before = b->before;
        kn__free(b);
        b = before;
    }
    kn__free(x);
}

const kn_xml_element *kn__xml_root(const kn_xml *x)
{
    return x->root;
}

const char *kn__xml_get(const kn_xml_element *e, const char *name)
{
    for (uint32_t i = 0; i < e->attributes; i++) {
        if (!e->attribute[i].space && strcmp(e->attribute[i].name, name) == 0) {
            return e->attribute[i].value;
        }
    }
    return NULL;
}

bool kn__xml_more_outside(const kn_xml *x)
{
    return x->more_outside;
}

static const kn_xml_element *find(const kn_xml_element *e, const char *name)
{
    while (e && strcmp(e->name, name) != 0) {
        e = e->next;
    }
    return e;
}

const kn_xml_element *kn__xml_child(const kn_xml_element *e, const char *name)
{
    return find(e->first, name);
}

const kn_xml_element *kn__xml_again(const kn_xml_element *e)
{
    return find(e->next, e->name);
}
