#!/usr/bin/env bash
# exports.sh LIBRARY LIST - LIBRARY must export exactly the functions that LIST names.
set -eu
export LC_ALL=C
library=$1 list=$2
if ! command -v nm >/dev/null; then
    echo "skipped: nm is not here (package binutils)"
    exit 77
fi
exported=$(nm -D --defined-only "$library" |
    awk '$2 ~ /^[TWDBR]$/ { sub(/@.*/, "", $3); if ($3 ~ /^kn_/) print $3 }' | sort)
missing=$(comm -23 <(sort "$list") <(echo "$exported"))
extra=$(comm -13 <(sort "$list") <(echo "$exported"))
if [ -n "$missing" ]; then
    printf 'declared in a public header but not defined:\n%s\n' "$missing"
fi
if [ -n "$extra" ]; then
    printf 'exported but not declared in a public header:\n%s\n' "$extra"
fi
[ -z "$missing$extra" ]
