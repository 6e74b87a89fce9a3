/* report/sweep.h - the runs of a sweep side by side. Each has a report of its own, or a reason why
 * there is none; JSON, HTML and text take from them what helps to choose. */
#ifndef KN_REPORT_SWEEP_H
#define KN_REPORT_SWEEP_H

#include "kanon/sweep.h"
#include "report/facts.h"

typedef struct kn_sweep_row {
    char *value;       /* of one parameter; of several "k = 5, method = flash" */
    char **values;     /* by parameter */
    kn_report *report; /* NULL: the value cannot be met */
    char *reason;      /* then: why */
    double seconds;    /* to anonymise, publish and measure */
} kn_sweep_row;

struct kn_sweep {
    char *parameter;   /* "k", or "k and method" */
    char **parameters; /* one by one */
    size_t parameters_count;
    char *job_json, *method;
    char *title, *note, *date; /* as in a report; NULL where not asked for */
    uint64_t seed;
    kn_report_file input;
    bool released; /* the releases were put into place */
    kn_sweep_row *rows;
    size_t count, cap;
    size_t peak_memory_bytes;
};

/** What all runs have in common; all borrowed and copied. */
typedef struct kn_sweep_facts {
    const char *const *parameters;
    size_t parameters_count;
    const char *job_json, *method, *input_path;
    const char *title, *note, *date;
    const kn_dataset *original;
    uint64_t seed;
    bool released;
} kn_sweep_facts;

kn_status kn__sweep_new(kn_sweep **out, const kn_sweep_facts *facts, kn_error *err);
/** Add a run with these `values`, one per parameter. `report`, which becomes the sweep's unless
 * this fails, or the reason why there is none. */
kn_status kn__sweep_add(kn_sweep *s, const char *const *values, kn_report *report,
                        const char *reason, double seconds, kn_error *err);

/** A measure that is a column of the table if any run has it. */
typedef struct kn_sweep_measure {
    const char *name, *heading;
} kn_sweep_measure;

/** Those measures, in the order of the table; `i` counts those that some run has. NULL at the end.
 */
const kn_sweep_measure *kn__sweep_measure(const kn_sweep *s, size_t i);
/** A measure of run `i`; NaN when there is none. */
double kn__sweep_value(const kn_sweep *s, size_t i, const char *measure);
/** Whether runs have a loss in the relational part and one in the items. */
bool kn__sweep_has_both(const kn_sweep *s);
/** Whether `parameter` is one of those that were swept. */
bool kn__sweep_sweeps(const kn_sweep *s, const char *parameter);
/** The highest risk that a person has in the release of run `i`; NaN where it is not known. */
double kn__sweep_risk(const kn_sweep *s, size_t i);
/** Of a sweep over several parameters: whether no other run has less loss without more risk, or
 * less risk without more loss. Loss is the first measure of the table. */
bool kn__sweep_is_best(const kn_sweep *s, size_t i);
/** "k = 5": which run it is. */
void kn__say_sweep_run(kn_buffer *b, const kn_sweep *s, size_t i);
/** "k = 5, l = 2": what holds for run `i`. */
void kn__say_sweep_achieved(kn_buffer *b, const kn_report *r);
/** How many runs have a point to settle. */
size_t kn__sweep_open(const kn_sweep *s);
/** "5 of 6 values of k can be met". */
void kn__say_sweep(kn_buffer *b, const kn_sweep *s);
/** Warning or point to settle number `i` of all runs, each once, "k = 3, 4: " before those that not
 * all share; false beyond the last. */
bool kn__say_sweep_warning(kn_buffer *b, const kn_sweep *s, size_t i);

extern const char kn__sweep_one_only[]; /* why only one of the releases may be published */

#endif
