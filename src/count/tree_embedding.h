/* count/tree_embedding.h - whether a part of what is known can be embedded in the tree of a record.
 */
#ifndef KN_COUNT_TREE_EMBEDDING_H
#define KN_COUNT_TREE_EMBEDDING_H

#include "count/tree_knowledge.h"

enum { KN_MOST_PART_NODES = 2 * KN_TREE_MOST_N };

/* A node of a part. */
typedef struct kn_part_node {
    uint32_t label;
    uint16_t parent; /* within all nodes of the walk; the root's is itself */
} kn_part_node;

/* Part nodes begin..end of `node`, and a record. */
typedef struct kn_embedding {
    const kn_synopsis *s;
    const kn_part_node *node;
    uint32_t begin, end;
    const uint32_t *held;
    size_t held_len;
} kn_embedding;

/** Whether the part of `user`, a kn_embedding, can be embedded in the tree of `record`: a
 *  kn_record_filter. Sets its `held`. */
bool kn__part_embeds(void *user, uint32_t record);

#endif
