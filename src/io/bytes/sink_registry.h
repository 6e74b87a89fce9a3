/* io/bytes/sink_registry.h - what kn__sink_remove_all has to undo: the temporary files that exist,
 * and the files that stand at their targets while the outputs of the call are not complete yet. */
#ifndef KN_IO_BYTES_SINK_REGISTRY_H
#define KN_IO_BYTES_SINK_REGISTRY_H

/** Register `path`; returns its slot, or -1 when the path is too long or all slots are taken. */
int kn__sink_registry_add(const char *path);
/** The same for a file at its target; `older` is the second name of the file that stood there
 * before, which gets its place again, or NULL. */
int kn__sink_registry_add_placed(const char *path, const char *older);
/** Free `slot`; -1 is fine. */
void kn__sink_registry_remove(int slot);
/** How often all temporary files were removed: a sink that was open then must not be committed. */
unsigned kn__sink_removals(void);

#endif
