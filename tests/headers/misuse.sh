#!/usr/bin/env bash
# misuse.sh LIST SOURCE_DIR - every function of LIST is called in a test of misuses, and every struct of the public headers is in docs/api.md.
set -eu
list=$1 source=$2
status=0
while read -r name; do
    if ! grep -qE "\\b$name\\(" "$source"/tests/api/test_misuse*.c; then
        echo "no tests/api/test_misuse*.c calls $name"
        status=1
    fi
done <"$list"
for name in $(sed -nE 's/^typedef struct (kn_[a-z_]+).*/\1/p' "$source"/include/kanon/*.h | sort -u); do
    if ! grep -qF "\`$name\`" "$source/docs/api.md"; then
        echo "docs/api.md does not say how $name is made"
        status=1
    fi
done
exit $status
