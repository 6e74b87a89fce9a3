/* guarantees/claim.h - what holds of a table, in one sentence. Every claim is about certain columns
 * and names them: nothing is said of the others. */
#ifndef KN_GUARANTEES_CLAIM_H
#define KN_GUARANTEES_CLAIM_H

#include "base/say.h"
#include "data/dataset.h"
#include "kanon/guarantee.h"

/** A sentence being written, to which each guarantee adds its part. */
typedef struct kn_claim {
    kn_buffer *b;
    const kn_dataset *ds;
    const kn_verdict *verdict;
    const char **names;  /* room for all columns */
    const char *subject; /* whom k counts: "person", or "record" where a person may have several */
    bool begun;          /* a part of the sentence is there already */
} kn_claim;

/** Write the whole sentence, without a full stop. `subject`: as in kn_claim. */
void kn__say_claim(kn_buffer *b, const kn_dataset *ds, const kn_guarantee *guarantees, size_t count,
                   const kn_verdict *verdict, const char *subject);

/* ---- for the parts ---- */

/** Begin a part: with the columns that `g` is about, or only "and" where `same` says that the part
 *  before it was about the same ones. */
void kn__claim_begin(kn_claim *c, const kn_guarantee *g, bool same);
/** The whole part of a guarantee of k: "every person looks like at least 4 others". */
void kn__claim_k(kn_claim *c, const kn_guarantee *g, size_t i);
/** What an attacker knows of items: "up to 2 items of codes". */
void kn__claim_items(kn_claim *c, const kn_guarantee *g);
/** The names of the sensitive columns. Returns how many there are. */
size_t kn__claim_sensitive(kn_claim *c);

#endif
