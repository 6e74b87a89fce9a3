/* publish/publish.h - a release on its way out, in two steps: written, read back and checked; then
 * renamed into place. */
#ifndef KN_PUBLISH_PUBLISH_H
#define KN_PUBLISH_PUBLISH_H

#include "kanon/anonymize.h"

/** How to read `r` back: published quasi-identifiers are texts, all else is as it was. `headed`: it
 * has the names of its columns; otherwise they are numbered. */
kn_status kn__release_schema(const kn_release *r, bool headed, kn_schema **out, kn_error *err);
/** Whether all columns of `read` but the quasi-identifiers hold what the original holds. */
kn_status kn__release_unchanged(const kn_release *r, const kn_dataset *read, bool *same,
                                kn_error *err);
/** Judge what was read back, `found->published`: it is what `r` holds, the guarantees hold for it,
 * and every value covers its original. Fills in the rest of `*found`; its
 * points only where `whole` asks to look at the published table as a whole.
 *  @return KN_EBROKEN when it is not so. */
kn_status kn__release_judge(const kn_release *r, bool whole, const kn_run *run, kn_outcome *found,
                            kn_error *err);

typedef struct kn_publication kn_publication;

/** Write `r` to a temporary file beside `path`, flush it, read it back and check it. KN_EBROKEN,
 * and no file, when it fails the check. `wants_report`: the outcome will be read; otherwise its
 * dataset has no SHA-256. */
kn_status kn__publication_prepare(kn_publication **out, const kn_release *r, const char *path,
                                  const kn_layout *layout, bool wants_report, const kn_run *run,
                                  kn_error *err);
/** What was found when it was read back. Borrowed; a report may take its points. */
kn_outcome *kn__publication_outcome(kn_publication *p);
/** Free what was read back, when only the file is waited with. */
void kn__publication_settle(kn_publication *p);
/** Hand over the file, which is complete, to be committed with others; `p` keeps the rest. */
struct kn_sink *kn__publication_take_file(kn_publication *p);
/** Remove the temporary file and free `p`. NULL is fine. */
void kn__publication_abandon(kn_publication *p);

#endif
