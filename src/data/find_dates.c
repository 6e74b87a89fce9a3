/* find_dates.c - the order of day and month in a column, before its type is detected. */
#include "data/builder_inside.h"

kn_date_order kn__find_date_order(const kn_dict *values, const kn_schema *schema,
                                  const kn_column_spec *spec)
{
    kn_date_order stated = schema ? (kn_date_order)schema->dates : KN_DATES_UNKNOWN;
    kn_date_evidence evidence = {0};
    bool fits = true;

    stated = spec && spec->dates ? (kn_date_order)spec->dates : stated;
    for (uint32_t code = 0; code < values->len; code++) {
        size_t len;
        const char *text = kn__dict_text(values, code, &len);
        double days;

        if (kn__schema_is_missing(schema, spec, text, len)) {
            continue;
        }
        if (!kn__date_evidence_add(&evidence, text, len)) {
            return stated; /* most columns hold no dates, and end here */
        }
        fits = fits && kn__plain_date_parse(text, len, stated, &days);
    }
    return fits || evidence.mixed ? stated : kn__date_evidence_order(&evidence);
}
