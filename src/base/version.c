/* version.c - the version, and which optional libraries this build found. */
#include "kanon/version.h"

#include <stddef.h>

static const char *const built_in[] = {
#ifdef KN_HAVE_ZLIB
    "gzip",
#endif
#ifdef KN_HAVE_ZSTD
    "zstd",
#endif
#ifdef KN_HAVE_SQLITE
    "sqlite",
#endif
#ifdef KN_HAVE_GEOS
    "geos",
#endif
    NULL};

static const char *const left_out[] = {
#ifndef KN_HAVE_ZLIB
    "gzip",
#endif
#ifndef KN_HAVE_ZSTD
    "zstd",
#endif
#ifndef KN_HAVE_SQLITE
    "sqlite",
#endif
#ifndef KN_HAVE_GEOS
    "geos",
#endif
    NULL};

const char *kn_version(void)
{
    return KN_VERSION;
}

const char *const *kn_features(void)
{
    return built_in;
}

const char *const *kn_features_missing(void)
{
    return left_out;
}
