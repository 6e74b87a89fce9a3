#!/usr/bin/env bash
# misuse.sh LIST SOURCE_DIR - every function of LIST is called in a test of misuses, and every struct of the
# public headers is in docs/api.md.
set -eu
export LC_ALL=C
list=$1 source=$2
status=0
called=$(grep -ohE '\bkn_[a-z0-9_]+\(' "$source"/tests/api/test_misuse*.c | tr -d '(' | sort -u)
for name in $(comm -23 <(sort "$list") <(echo "$called")); do
    echo "no tests/api/test_misuse*.c calls $name"
    status=1
done
# shellcheck disable=SC2016 # the quotes hold a pattern
told=$(grep -oE '`kn_[a-z0-9_]+`' "$source/docs/api.md" | tr -d '`' | sort -u)
structs=$(sed -nE 's/^typedef struct (kn_[a-z_]+).*/\1/p' "$source"/include/kanon/*.h | sort -u)
for name in $(comm -23 <(echo "$structs") <(echo "$told")); do
    echo "docs/api.md does not say how $name is made"
    status=1
done
exit $status
