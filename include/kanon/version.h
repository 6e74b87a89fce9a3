/* kanon/version.h - which kanon this is. */
#ifndef KANON_VERSION_H
#define KANON_VERSION_H

#define KN_VERSION "0.2.0"

#ifdef __cplusplus
extern "C" {
#endif

/** The version of the library at run time. */
const char *kn_version(void);

/** The optional features built in, such as "zstd"; NULL-terminated. */
const char *const *kn_features(void);

/** The optional features left out of this build; NULL-terminated. */
const char *const *kn_features_missing(void);

#ifdef __cplusplus
}
#endif
#endif
