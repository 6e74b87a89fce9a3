#!/usr/bin/env bash
# lint.sh [--all] - shellcheck on the scripts, the table of includes, clang-tidy on the sources. Says only what is
# wrong. clang's analyzer, which takes most of the time, looks at what changed since LINT_SINCE (default: the ten
# newest commits), with --all at every source.
set -eu
cd "$(dirname "$0")/.."
jobs=$(nproc 2>/dev/null || echo 2)
result=0

mapfile -t scripts < <(find .ci scripts tests examples bench python -type f | LC_ALL=C sort |
    while read -r file; do
        if head -n 1 "$file" | grep -aqE '^#!.*\b(ba)?sh\b' || [[ $file == *.sh ]]; then echo "$file"; fi
    done)
shellcheck -x "${scripts[@]}" || result=1

scripts/includes.sh || result=1

# gcc 14 reads p->q->field although `flag` is false: such lines are written as statements (CONTRIBUTING.md).
if grep -rnE '\(\w+ \? [^():]*->[^():]*->[^():]* : 0\) [+*-]|[+*-] \(\w+ \? [^():]*->[^():]*->[^():]* : 0\)' src --include='*.c'; then
    echo "lint: (flag ? p->q->field : 0) + n: gcc 14 reads the field although the flag is false; write it as statements" >&2
    result=1
fi

if ! find src -name '*.[ch]' -exec scripts/nested.py {} +; then
    echo "lint: a conditional operator in another: write if-statements, a small function or a table" >&2
    result=1
fi

# A function that releases something under `done:` would leak it if a step returned at once.
if find src python/extension -name '*.c' -exec awk '
    /^\{/ { step = 0 }
    /KN_PASS\(/ { step = FNR }
    /^done:/ && step { printf "%s:%d\n", FILENAME, step; found = 1 }
    END { exit !found }' {} +; then
    echo "lint: KN_PASS in a function with a label done: write KN_TRY, which goes there" >&2
    result=1
fi

[ -f build-dev/build.ninja ] || cmake --preset dev >/dev/null
cmake --build build-dev --target help >/dev/null # lists new files in compile_commands.json
errors=build-dev/clang-tidy.err
: >"$errors"

# each OPTION...: clang-tidy on every file of standard input. What it suppressed it counts on standard error.
each() {
    xargs -r -P "$jobs" -n 1 clang-tidy -p build-dev --quiet --extra-arg=-include \
        --extra-arg="$PWD/scripts/lint.h" "$@" 2>>"$errors"
}

# error.c and args.c define the functions that lint.h wraps.
clang-tidy -p build-dev --quiet src/base/error.c src/base/args.c 2>>"$errors" || result=1
sources() { find src -name '*.c' ! -path src/base/error.c ! -path src/base/args.c | LC_ALL=C sort; }
changed() {
    local since=${LINT_SINCE:-$(git rev-parse --verify --quiet HEAD~10 || git rev-list --max-parents=0 HEAD | tail -n 1)}
    git diff --name-only --diff-filter=d "$since" -- 'src/*.c' ':!src/base/error.c' ':!src/base/args.c' |
        LC_ALL=C sort
}

quick='--checks=-clang-analyzer-*'
if [ "${1:-}" = --all ] || ! git rev-parse --git-dir >/dev/null 2>&1; then
    sources | each || result=1
else
    changed | each || result=1
    LC_ALL=C comm -23 <(sources) <(changed) | each "$quick" || result=1
fi
if [ $result -ne 0 ]; then
    grep -vE '^[0-9]+ warnings? generated|^Suppressed|^Use ' "$errors" >&2 || true
fi
exit $result
