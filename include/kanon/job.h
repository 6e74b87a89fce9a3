/* kanon/job.h - a whole call of `kanon anonymize` as a value: options in, report out.
 *
 * As a file it is JSON; its keys are the long options of the command, `-` as `_`:
 *
 *     { "input": "patients.csv", "output": "public.csv",
 *       "schema": "patients.schema.json", "hierarchies": "hierarchies/",
 *       "guarantee": [{"name": "k-anonymity", "k": 5}],
 *       "method": "local", "suppression": 0.02, "report": ["r.html"] }
 *
 * Paths are relative to the folder of the job file. docs/jobs.md lists every key. */
#ifndef KANON_JOB_H
#define KANON_JOB_H

#include "kanon/anonymize.h"
#include "kanon/arrow.h"
#include "kanon/recoding.h"
#include "kanon/report.h"

#ifdef __cplusplus
extern "C" {
#endif

/* ---- the options there are ---- */

typedef enum kn_option_kind {
    KN_OPTION_FLAG, /**< "true" or "false" */
    KN_OPTION_TEXT,
    KN_OPTION_PATH,
    KN_OPTION_CHOICE,  /**< one of `choices` */
    KN_OPTION_COUNT,   /**< a whole number in min..max */
    KN_OPTION_NUMBER,  /**< a number in min..max, with a decimal point */
    KN_OPTION_SHARE,   /**< 0..1, or a percentage: 0.05, 5% */
    KN_OPTION_SIZE,    /**< bytes: 512M, 4G */
    KN_OPTION_LIST,    /**< texts; as an option separated by commas */
    KN_OPTION_TEXTS,   /**< texts, one an option */
    KN_OPTION_PATHS,   /**< paths, one an option */
    KN_OPTION_MAP,     /**< COLUMN=VALUE, one an option */
    KN_OPTION_PATH_MAP /**< COLUMN=PATH, one an option */
} kn_option_kind;

/** What an option is about: commands take the groups that concern them. */
typedef enum kn_option_group {
    KN_GROUP_FILES = 1,   /**< input and output, which commands take in their own way */
    KN_GROUP_COLUMNS = 2, /**< roles, types, missing values */
    KN_GROUP_LAYOUT = 4,  /**< how files are written */
    KN_GROUP_HIERARCHIES = 8,
    KN_GROUP_GUARANTEE = 16,
    KN_GROUP_METHOD = 32,
    KN_GROUP_RUN = 64, /**< threads and memory */
    KN_GROUP_SEED = 128,
    KN_GROUP_REPORT = 256,
    KN_GROUP_ACCEPT = 512,  /**< accepting suggested roles: only for what makes a release */
    KN_GROUP_POINTS = 1024, /**< what is to settle before a release is handed on */
    KN_GROUP_HEADING = 2048 /**< title, note and date of reports */
} kn_option_group;

typedef struct kn_option {
    const char
        *name; /**< "item-separator": the option is --item-separator, the key "item_separator" */
    kn_option_kind kind;
    kn_option_group group;
    const char *argument; /**< what help calls its value, such as "FILE"; NULL for flags */
    const char *choices;  /**< "a|b|c", or NULL; the first is the default */
    double min, max;      /**< of counts and numbers */
    bool list;            /**< several of these numbers, separated by commas, are taken too */
    const char *help;     /**< one line */
} kn_option;

/** How many options a job has; option `i` into `*out`. Parameters of guarantees and methods come
 * from the catalogue. */
size_t kn_job_options(void);
void kn_job_option(kn_option *out, size_t i);
/** The option called `name` (with `-` or `_`); false if there is none. */
bool kn_job_option_find(kn_option *out, const char *name);
/** Whether the option may be given several times, each adding to what is there. */
bool kn_option_repeats(const kn_option *option);

/* ---- a job as a value ---- */

typedef struct kn_job kn_job;

kn_status kn_job_new(kn_job **out, kn_error *err);
/** Read a job file. @return KN_EINPUT naming the line or the key that is wrong. */
kn_status kn_job_read(kn_job **out, const char *path, kn_error *err);
/** A job from JSON text; `name` is what messages call it, `folder` (may be NULL) what relative
 * paths are resolved against. */
kn_status kn_job_parse(kn_job **out, const char *text, size_t len, const char *name,
                       const char *folder, kn_error *err);
void kn_job_free(kn_job *job);

/** Set option `key` (the long option's name, such as "qi", "suppression", "k") from text, as the
 * command line does. Options that may be repeated add to what is there. @return KN_EUSAGE for an
 * unknown key (the nearest right one is named) or a value out of range. */
kn_status kn_job_set(kn_job *job, const char *key, const char *value, kn_error *err);
/** The value of `key` as text, or NULL; of a repeated option, the `i`-th. Borrowed until the next
 * set. */
const char *kn_job_get(const kn_job *job, const char *key, size_t i);
/** The date that `job` asks reports to show, or NULL; "today" is the day in UTC, written into
 * `buffer`, which has `size` bytes, at least 11. */
const char *kn_job_date(const kn_job *job, char *buffer, size_t size);

/** The job as JSON text, keys in the order of docs/jobs.md; free with kn_string_free. */
kn_status kn_job_json(char **out, const kn_job *job, kn_error *err);
/** Write the job to `path`. When that is not in the current folder, relative paths are made
 * absolute. */
kn_status kn_job_write(const kn_job *job, const char *path, kn_error *err);

/** Have the job written to `path` (as kn_job_write does) whenever it runs: release, reports and job
 * file appear together or not at all. NULL: no more. */
kn_status kn_job_save_as(kn_job *job, const char *path, kn_error *err);

/** Have the report (of a sweep: its report) printed as JSON to standard output whenever the job
 * runs, together with the files or not at all. */
kn_status kn_job_print_report(kn_job *job, bool print, kn_error *err);

/* ---- the parts of a job, for commands that do less than all of it ---- */

/** How a table is meant. */
typedef enum kn_table_use {
    KN_TABLE_ORIGINAL, /**< to be anonymised: every column that the job names must be there */
    KN_TABLE_RELEASE,  /**< a published one: identifiers and dropped columns may be gone,
                          quasi-identifiers are texts */
    KN_TABLE_WHOLE, /**< as an original, with the values of identifiers and dropped columns kept */
    KN_TABLE_QUESTIONS, /**< questions about an original: values are written as in a release, and
                          columns may be left out */
    KN_TABLE_CHECKED, /**< as a release, for kn_check alone: values of columns that have no role are
                        not kept where the guarantees do not need them */
    KN_TABLE_SURVEYED /**< as a release, for kn_check and kn_points_find alone: kept columns of
                         large files nearly all of whose values are different are sampled, not kept
                       */
} kn_table_use;

/** Read the table at `path` with the columns and the layout that the job gives.
 *  @return KN_EUSAGE for a column that is named and not there, with the nearest one and the list of
 * columns. */
kn_status kn_job_table(kn_dataset **out, const kn_job *job, const char *path, kn_table_use use,
                       bool hash, const kn_run *run, kn_error *err);
/** The same of a table in memory, which is taken: it is released when the function returns, also on
 * failure unless an argument is NULL. What the job says of files (their format, their separator) is
 * not used. */
kn_status kn_job_table_data(kn_dataset **out, const kn_job *job, struct ArrowArrayStream *table,
                            kn_table_use use, const kn_run *run, kn_error *err);
/** The hierarchies of the job (options first, then the schema's, then the folder's) for the columns
 * of `ds`. */
kn_status kn_job_hierarchies(kn_hierarchies **out, const kn_job *job, const kn_dataset *ds,
                             kn_error *err);
/** The guarantees that the job asks for; free `*out` with kn_job_guarantees_free.
 *  @return KN_EUSAGE when none is asked for, a parameter is absent, or one belongs to no guarantee
 * asked for. */
kn_status kn_job_guarantees(kn_guarantee **out, size_t *count, const kn_job *job, kn_error *err);
void kn_job_guarantees_free(kn_guarantee *guarantees);
/** What the job says of making a release: the method, its parameters, the limits of suppression.
 * `guarantees` are borrowed by `out`, and so is `*params`; free that with kn_params_free after the
 * last use of `out`. The points of `out` are NULL (kn_job_points).
 *  @return KN_EUSAGE for a parameter that belongs to another method, and for guarantees that are
 * not there. */
kn_status kn_job_anonymize_options(kn_anonymize_options *out, kn_params **params, const kn_job *job,
                                   const kn_guarantee *guarantees, size_t count, kn_error *err);
/** The limits and decisions of the job. Names are the job's; free the lists of them with
 * kn_job_points_free before it is changed. `models`: limits of what only tables have are refused.
 *  @return KN_EUSAGE for a check or a point that does not exist, or a limit out of range. */
kn_status kn_job_points(kn_point_options *out, const kn_job *job, bool models, kn_error *err);
void kn_job_points_free(kn_point_options *options);
/** Put the job's threads and seed into `run`, and set the memory limit of the process if the job
 * has one. */
kn_status kn_job_settings(kn_run *run, const kn_job *job, kn_error *err);

/** Before files are written: none of `written` may be one of `read`, a schema, hierarchy or joined
 * file of the job, or another of `written`; "-" is no file.
 *  @return KN_EUSAGE with the file that would be lost. */
kn_status kn_job_refuse_overwriting(const kn_job *job, const char *const *read, size_t read_count,
                                    const char *const *written, size_t written_count,
                                    kn_error *err);

/* ---- doing it ---- */

/** Do it: read, anonymise, publish, measure, write the reports. `*report` (may be NULL) receives
 * the result; without it and without reports to write, what only they tell (what held before, how
 * well queries and item sets survive) is not worked out. With "strict" and a point to
 * settle nothing is written and KN_EBROKEN returned; in this case, and in no other that fails,
 * `*report` is there to say what. The job's threads, seed and memory limit
 * win over those of `run` (may be NULL). Release, reports, what
 * is printed and the job file appear together or, on any failure, not at all. */
kn_status kn_job_run(kn_report **report, const kn_job *job, const kn_run *run, kn_error *err);

/** What a job works on that reads no file. */
typedef struct kn_job_data {
    size_t size;                    /**< KN_INIT sets it */
    struct ArrowArrayStream *table; /**< taken: released when the function returns */
    /** Hierarchies that were made in memory (may be NULL), beside those of the job. Taken: they are
     * freed by the function. */
    kn_hierarchies *hierarchies;
    /** Where to put the recoding of the release (may be NULL), which the caller frees; NULL is put
     * there where there is none to keep (kanon/recoding.h). */
    kn_value_recoding **recoding;
    /** Where kn_job_recode_data puts what is to settle about its result (may be NULL); the caller
     * frees it. Of kn_job_run_data that is kn_report_points. */
    kn_points **points;
} kn_job_data;

/** kn_job_run on a table in memory: the release goes into `*out` as kn_release_to_arrow gives it,
 * after the same check, and the caller releases it. `*report` as with kn_job_run. On failure
 * `out->release` is NULL; `data` is taken, also on failure, unless an argument is NULL.
 *  @return KN_EUSAGE also for a job that names files to read or write, except a schema, hierarchies
 * and files of its method; KN_EBROKEN with "strict" and a point to settle, which `err` names. */
kn_status kn_job_run_data(struct ArrowArrayStream *out, kn_report **report, const kn_job *job,
                          const kn_job_data *data, const kn_run *run, kn_error *err);

/** Apply `recoding` to data->table, with the roles and the guarantees of the job, and give the
 * result as kn_job_run_data does when the guarantees hold for it. Methods and limits of suppression
 * are not used: what does not satisfy the guarantees is refused. The records keep their order; that
 * they came sorted by a column that is left out or recoded is one of the points.
 *  @return KN_EINPUT when the recoding does not cover the table: each of its quasi-identifiers, and
 * each of their values; KN_EBROKEN when a guarantee does not hold, and with "strict" and a point to
 * settle. Otherwise as kn_job_run_data. */
kn_status kn_job_recode_data(struct ArrowArrayStream *out, const kn_job *job,
                             const kn_value_recoding *recoding, const kn_job_data *data,
                             const kn_run *run, kn_error *err);

/** Remove the temporary files of everything that is being written now, for signal handlers that end
 * the process: async-signal-safe. */
void kn_cleanup_temporary(void);

#ifdef __cplusplus
}
#endif
#endif
