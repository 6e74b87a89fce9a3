#!/usr/bin/env bash
# lint.sh - shellcheck on the scripts, clang-tidy on the sources. Says only what is wrong.
set -eu
cd "$(dirname "$0")/.."
jobs=$(nproc 2>/dev/null || echo 2)
result=0

mapfile -t scripts < <(find .ci scripts tests examples bench -type f | LC_ALL=C sort |
    while read -r file; do
        if head -n 1 "$file" | grep -aqE '^#!.*\b(ba)?sh\b' || [[ $file == *.sh ]]; then echo "$file"; fi
    done)
shellcheck -x "${scripts[@]}" || result=1

scripts/includes.sh || result=1

[ -f build-dev/build.ninja ] || cmake --preset dev >/dev/null
cmake --build build-dev --target help >/dev/null # lists new files in compile_commands.json
# error.c defines the functions that lint.h wraps. What clang-tidy suppressed it counts on standard
# error.
tidy=(clang-tidy -p build-dev --quiet)
errors=build-dev/clang-tidy.err
"${tidy[@]}" src/base/error.c 2>"$errors" || result=1
if ! find src -name '*.c' ! -path src/base/error.c | LC_ALL=C sort |
    xargs -P "$jobs" -n 1 "${tidy[@]}" --extra-arg=-include --extra-arg="$PWD/scripts/lint.h" \
        2>>"$errors"; then
    grep -vE '^[0-9]+ warnings? generated|^Suppressed|^Use ' "$errors" || true
    result=1
fi
exit $result
