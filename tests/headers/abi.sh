#!/usr/bin/env bash
# abi.sh LIBRARY SOURCE_DIR - the binary interface against that of the last release (abi/kanon-VERSION.abi.gz).
# What breaks programs that were built with it needs another soname, and a word about the binary interface in
# the newest section of CHANGELOG.md. To store the interface of a release, from a build with debug information:
#   abidw --headers-dir include --drop-private-types --no-corpus-path --no-comp-dir-path --no-show-locs LIBRARY | gzip -9n
set -eu
library=$1 source=$2
if ! command -v abidiff >/dev/null; then
    echo "skipped: abidiff is not here (package abigail-tools)"
    exit 77
fi
if ! readelf -S "$library" 2>/dev/null | grep -q '\.debug_info'; then
    echo "skipped: the library was built without debug information"
    exit 77
fi
old=$(mktemp) report=$(mktemp)
trap 'rm -f "$old" "$report"' EXIT
stored=$(printf '%s\n' "$source"/abi/kanon-*.abi.gz | sort -V | tail -1)
gzip -dc "$stored" >"$old"
code=0
abidiff --headers-dir2 "$source/include" --drop-private-types "$old" "$library" >"$report" 2>&1 || code=$?
if [ $((code & 3)) -ne 0 ]; then
    echo "abidiff failed:"
    head -20 "$report"
    exit 1
fi
if [ $((code & 8)) -eq 0 ]; then
    echo "programs that were built with $(basename "$stored" .abi.gz) still run"
    exit 0
fi
status=0
if ! grep -q '^SONAME changed' "$report"; then
    echo "the binary interface breaks, and the soname is the same as in $(basename "$stored" .abi.gz)"
    status=1
fi
if ! awk '/^## \[/ { n++ } n == 1' "$source/CHANGELOG.md" | grep -qi 'binary interface'; then
    echo "the binary interface breaks, and the newest section of CHANGELOG.md does not say so (\"binary interface\")"
    status=1
fi
if [ "$status" -ne 0 ]; then
    head -60 "$report"
else
    grep 'changes summary' "$report"
fi
exit $status
