/* io/bytes/sink_registry.h - the temporary files that exist, for kn__sink_remove_all to remove. */
#ifndef KN_IO_BYTES_SINK_REGISTRY_H
#define KN_IO_BYTES_SINK_REGISTRY_H

/** Register `path`; returns its slot, or -1 when the path is too long or all slots are taken. */
int kn__sink_registry_add(const char *path);
/** Free `slot`; -1 is fine. */
void kn__sink_registry_remove(int slot);
/** How often all temporary files were removed: a sink that was open then must not be committed. */
unsigned kn__sink_removals(void);

#endif
