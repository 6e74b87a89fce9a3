/* report/html/model_page.h - the parts of the page about a model. */
#ifndef KN_REPORT_HTML_MODEL_PAGE_H
#define KN_REPORT_HTML_MODEL_PAGE_H

#include "report/html/html.h"
#include "report/model_report.h"

/** What is known of a node of a tree or of a centre. */
typedef struct kn_model_place {
    uint64_t records;  /* that end here; of a node with children, also below */
    uint64_t smallest; /* the smallest span that tells something and allows it; 0: there is none */
    bool broken;       /* one of its spans breaks what was asked */
} kn_model_place;

typedef struct kn_model_page {
    const kn_model *m;
    const kn_model_verdict *v;
    kn_model_shape shape;
    kn_model_place *place; /* by node or centre; NULL for rules */
    unsigned *ids;         /* the number of the last picture of the page */
} kn_model_page;

/** A text of the model's, cleaned, cut and escaped. */
void kn__model_html_text(kn_buffer *b, const char *text, size_t len, size_t most);
/** What `words` holds, likewise; frees it. */
void kn__model_html_words(kn_buffer *b, kn_buffer *words, size_t most);

/** The tree as a picture, closed below where it would be too large. */
void kn__model_html_tree(kn_buffer *b, const kn_model_page *p);
/** The centres as a table with bars. */
void kn__model_html_clusters(kn_buffer *b, const kn_model_page *p);
/** The rules as a plot and a table. */
void kn__model_html_rules(kn_buffer *b, const kn_model_page *p);

#endif
