/* job/job.h - the inside of a job: options as texts, checked when they are set. */
#ifndef KN_JOB_JOB_H
#define KN_JOB_JOB_H

#include "base/buffer.h"
#include "data/dict.h"
#include "io/bytes/paths.h"
#include "kanon/catalog.h"
#include "kanon/job.h"

/* The values of one option, in the order in which they were given. */
typedef struct kn_job_values {
    char *name; /* the option's */
    char **texts;
    size_t count, cap;
    kn_dict *keys; /* code = position. What tells values apart: a later one with the same key
                      replaces the earlier one */
} kn_job_values;

struct kn_job {
    kn_job_values *options; /* those that were given */
    size_t count, cap;
    char *save_as; /* where the job is written when it runs; NULL: nowhere */
    bool prints;   /* the report goes to standard output as well */
};

/** The options that are no parameters of the catalogue (option_rows.c). */
extern const kn_option kn__option_rows[];
extern const size_t kn__option_rows_count;

/** Whether `text` is a value of `option`; KN_EUSAGE with words that name the option if not. Lists
 * and maps: one element. */
kn_status kn__option_check(const kn_option *option, const char *text, kn_error *err);

/** The option that sets a parameter of the catalogue. */
void kn__option_of_param(const kn_param *p, kn_option_group group, kn_option *out);
/** Parameters of `entry` from the options of their names; the caller frees them. */
kn_status kn__job_params(kn_params **out, const kn_job *job, const kn_entry *entry, kn_error *err);

/** Numbers as options write them; the text was checked before. */
double kn__option_number(const kn_option *option, const char *text);
/** "512M" in bytes; false if it is none. */
bool kn__option_size(const char *text, size_t *out);

/** Add or replace one checked value; lists are not split. */
kn_status kn__job_put(kn_job *job, const kn_option *option, const char *text, kn_error *err);

/** All values of `option`, or NULL. */
kn_job_values *kn__job_values(const kn_job *job, const char *option);
/** Whether `text` was given to `option`, which is one that repeats and no map. */
bool kn__job_has(const kn_job *job, const char *option, const char *text);

/** Split "COLUMN=VALUE" at the first `=` that leaves a value; NULL when there is none. Points to
 * the value. */
const char *kn__map_value(const char *text, size_t *column_len);
/** Whether the values of a map are numbers. */
bool kn__option_maps_numbers(const kn_option *option);
/** Apply what is said of single items (sensitive ones, weights) to the one item column of a table,
 * which is known only when that is read. KN_EUSAGE when there is none. */
kn_status kn__job_items(const kn_job *job, kn_dataset *ds, kn_error *err);

/** Write the job file that will stand at `path` to a sink, which is finished but not committed. */
struct kn_sink;
kn_status kn__job_put_file(struct kn_sink **out, const kn_job *job, const char *path,
                           kn_error *err);

/** The schema of the job: its file, then its options. */
kn_status kn__job_schema(const kn_job *job, kn_schema **out, kn_error *err);
/** What the options say about how rows and columns become records, into `s`. */
kn_status kn__job_rows(const kn_job *job, kn_schema *s, kn_error *err);
/** For a file of tree records: where the schema states no classes, those with hierarchies; and,
 * where there are hierarchies, the index of their labels in `*out` (NULL otherwise). */
kn_status kn__job_tree_classes(const kn_job *job, kn_schema *s, const char *path,
                               const kn_layout *layout, kn_class_index **out, kn_error *err);
/** The layout that the options give. `layout->key` is borrowed from the job. */
/** Read a sample of the kept columns of the table at `path` into `*out`: columns that keep a sample
 * there have values nearly all of which are different, and need not be read again
 * (schema->sampled). NULL where the file is small, or cannot be read twice. */
kn_status kn__job_sample_kept(kn_dataset **out, const kn_job *job, const char *path,
                              const kn_read_options *options, kn_schema *schema, const kn_run *run,
                              kn_error *err);
kn_status kn__job_layout(const kn_job *job, kn_layout *layout, kn_error *err);

/** What the format of the file at `path` adds to its schema and layout; and the index of
 * kn__job_tree_classes in `*classes`. */
kn_status kn__job_describe_file(const kn_job *job, const char *path, kn_table_use use, kn_schema *s,
                                kn_layout *layout, kn_class_index **classes, kn_error *err);

/** Whether the job asks for the guarantee called `name`: by name, or k-anonymity by --k alone. */
bool kn__job_asks_for(const kn_job *job, const char *name);

/** Whether it asks for a guarantee that is about all of `about` (KN_ABOUT_...). */
bool kn__job_asks_about(const kn_job *job, unsigned about);

/** Fill `options`, with the method always named, and `*params` with the parameters of the method,
 * which the caller frees when `options` are done with. */
kn_status kn__job_method(const kn_job *job, const kn_guarantee *guarantees, size_t count,
                         kn_anonymize_options *options, kn_params **params, kn_error *err);

/** kn_job_hierarchies, which adds to `given` (may be NULL), and takes it. */
kn_status kn__job_hierarchies(const kn_job *job, const kn_dataset *ds, kn_hierarchies *given,
                              kn_hierarchies **out, kn_error *err);
/** Give the quasi-identifiers of `ds` that are postcodes read as numbers a hierarchy of their first
 * digits, unless they have a declared type or a hierarchy; `names` gets their names. */
kn_status kn__add_postcode_prefixes(kn_hierarchies *hs, const kn_dataset *ds, kn_buffer *names,
                                    kn_error *err);
/** The same with a note; and quasi-identifiers that are other codes become categories: ranges of
 * codes mean nothing, and without a hierarchy sets of them are published. */
kn_status kn__treat_codes(kn_dataset *ds, kn_hierarchies *hs, kn_error *err);

/** What messages call a table in memory. */
extern const char kn__job_data_name[];

/** Add to `m` the measures of what `published` can be used for: with "measures" all, or as long as
 *  they are cheap; not with basic. */
kn_status kn__job_measure_tasks(const kn_job *job, kn_measures *m, const kn_dataset *original,
                                const kn_dataset *published, const kn_hierarchies *hierarchies,
                                const kn_run *run, kn_error *err);

#endif
