#!/usr/bin/env bash
# uninstall.sh MANIFEST - remove the files that `make install` wrote, under $DESTDIR if given, and the
# folders that are empty then and that carry kanon's name.
set -eu
manifest=${1:?uninstall.sh MANIFEST}
if [ ! -f "$manifest" ]; then
    echo "uninstall: $manifest is not there: nothing was installed from this build" >&2
    exit 2
fi
removed=0
while IFS= read -r file || [ -n "$file" ]; do
    file=${DESTDIR:-}$file
    if [ -e "$file" ] || [ -L "$file" ]; then
        rm -f -- "$file"
        removed=$((removed + 1))
    fi
    folder=$(dirname "$file")
    while [[ $(basename "$folder") == *kanon* ]] && [ -d "$folder" ] && rmdir -- "$folder" 2>/dev/null; do
        folder=$(dirname "$folder")
    done
done <"$manifest"
echo "uninstall: removed $removed files"
