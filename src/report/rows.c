/* rows.c - how some records look. A report may be handed on, so what it shows are equivalence
 * classes of the published file of at least rare_below records, quasi-identifiers only; original
 * records only where they were asked for (docs/decisions/0041-rows-in-reports.md). */
#include "report/make.h"
#include "base/error.h"
#include "base/memory.h"
#include "count/classes.h"

enum { CLASSES = 5 };

/* The quasi-identifiers of `record` of `ds`, as text. Their names in the report are cleaned, and
 * may differ from those of the table. */
static kn_status cells(char ***out, const kn_report *r, const kn_dataset *original,
                       const kn_dataset *ds, size_t record, kn_error *err)
{
    *out = kn__zalloc_array(r->quasis, sizeof **out);
    KN_PASS(*out ? KN_OK : kn__nomem(err));
    for (size_t q = 0; q < r->quasis; q++) {
        const size_t at = kn_dataset_find(ds, original->column[r->quasi[q]].name);
        const kn_column *c = &ds->column[at];
        KN_PASS(kn__label(&(*out)[q], c, kn__column_code(c, record), err));
    }
    return KN_OK;
}

static kn_status add_row(kn_report *r, const kn_report_facts *f, size_t record, size_t records,
                         size_t original, kn_error *err)
{
    kn_report_row *row = &r->row[r->rows++];

    row->records = records;
    KN_PASS(cells(&row->after, r, f->original, f->published, record, err));
    if (original != SIZE_MAX) {
        KN_PASS(cells(&row->before, r, f->original, f->original, original, err));
    }
    return KN_OK;
}

/* Classes of as many records as may be named, from all over the file. */
static kn_status pick_classes(kn_report *r, const kn_report_facts *f, const kn_classes *classes,
                              kn_error *err)
{
    size_t shown = 0, seen = 0, every;

    for (uint32_t c = 0; c < classes->count; c++) {
        shown += classes->size[c] >= r->rare_below;
    }
    every = shown > CLASSES ? shown / CLASSES : 1;
    for (uint32_t c = 0; c < classes->count && r->rows < CLASSES; c++) {
        if (classes->size[c] >= r->rare_below && seen++ % every == 0) {
            KN_PASS(add_row(r, f, classes->first[c], classes->size[c], SIZE_MAX, err));
        }
    }
    return KN_OK;
}

static kn_status pick_originals(kn_report *r, const kn_report_facts *f, const kn_classes *classes,
                                size_t wanted, kn_error *err)
{
    for (size_t i = 0; i < wanted; i++) {
        const size_t record = (2 * i + 1) * f->published->records / (2 * wanted);
        KN_PASS(add_row(r, f, record, classes->size[classes->of[record]],
                        f->origin ? f->origin[record] : record, err));
    }
    r->originals = true;
    return KN_OK;
}

kn_status kn__report_pick_rows(kn_report *r, const kn_report_facts *f, const kn_run *run,
                               kn_error *err)
{
    const size_t records = f->published->records;
    const bool traced = f->origin || (!f->shuffled && records == f->original->records);
    const size_t both = f->original_rows < records ? f->original_rows : records;
    const size_t wanted = traced ? both : 0;
    kn_classes *classes = NULL;
    size_t *columns = NULL, count = 0;
    kn_status status;

    for (size_t q = 0; q < r->quasis; q++) {
        const kn_report_column *c = &r->column[r->quasi[q]];
        if (!c->published || f->original->column[r->quasi[q]].starts) {
            return KN_OK; /* a whole list of items may be one person's */
        }
    }
    if (r->quasis == 0 || f->original->forest) {
        return KN_OK;
    }
    KN_TRY(kn__dataset_with_role(f->published, KN_ROLE_QUASI, &columns, &count, err));
    KN_TRY(kn__classes_new(&classes, f->published, columns, count, run, err));
    r->row = kn__zalloc_array(wanted > CLASSES ? wanted : CLASSES, sizeof *r->row);
    KN_TRY(r->row ? KN_OK : kn__nomem(err));
    KN_TRY(wanted ? pick_originals(r, f, classes, wanted, err) : pick_classes(r, f, classes, err));
done:
    kn__classes_free(classes);
    kn__free(columns);
    return status;
}
