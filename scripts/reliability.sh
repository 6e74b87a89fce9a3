#!/usr/bin/env bash
# reliability.sh [BEFORE] - run every campaign of faults and hostile inputs, and print docs/results/reliability.md.
# BEFORE, a commit, is built in build-reliability/ and put through the same campaigns where it can be.
#
#   TORTURE=all             how many of the allocations and file system calls of each job fail: all, or about so many
#   BEFORE_TORTURE=100      the same for BEFORE
#   KILLED_ROUNDS=50        rounds of each signal
#   DIFFERENTIAL_CASES=5000 random jobs
#   FUZZ_SECONDS=20         of each fuzz target
#
# Progress goes to standard error. Takes about an hour on two cores.
set -u
cd "$(dirname "$0")/.." || exit
top=$PWD
before=${1:-}
seconds=${FUZZ_SECONDS:-20} cases=${DIFFERENTIAL_CASES:-5000}
export KILLED_ROUNDS=${KILLED_ROUNDS:-50}
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
export LC_ALL=C.UTF-8 FAULT_LIBRARY=$top/build-dev/tests/libkn_fault.so SOURCE_DIR=$top BUILD_DIR=$top/build-dev
say() { echo "reliability: $*" >&2; }

old=
if [ -n "$before" ]; then
    old=$top/build-reliability/build/kanon
fi
if [ -n "$before" ] && { [ ! -x "$old" ] || [ "$(cat build-reliability/commit)" != "$before" ]; }; then
    say "building $before"
    rm -rf build-reliability && mkdir -p build-reliability/source
    git archive "$before" | tar -x -C build-reliability/source
    if ! cmake -S build-reliability/source -B build-reliability/build -G Ninja -DCMAKE_BUILD_TYPE=Release -DKN_TESTS=OFF >"$work/log" 2>&1 ||
        ! cmake --build build-reliability/build --target kanon_command >>"$work/log" 2>&1; then
        tail "$work/log" >&2
        exit 1
    fi
    echo "$before" >build-reliability/commit
fi

# script NAME KANON: runs tests/NAME.sh; sets runs (faults that were injected, or checks), points (where they could have been, or
# nothing) and failures.
script() {
    local name=$1 log=$work/log
    rm -rf "$work/scratch" && mkdir "$work/scratch"
    (cd "$work/scratch" && KANON=$2 timeout 14400 bash "$top/tests/$name.sh") >"$log" 2>&1
    read -r runs points < <(sed -nE 's/^(not )?ok - .*\(([0-9]+) runs( of ([0-9]+))?\).*/\2 \4/p' "$log" | awk '{ n += $1; m += $2 } END { print n + 0, m + 0 }')
    if [ "$runs" -eq 0 ]; then runs=$(grep -cE '^(not )?ok - ' "$log"); fi
    failures=$(awk '/^not ok/ { n++ } /^#   got: [0-9]+$/ { n += $3 - 1 } END { print n + 0 }' "$log")
    if [ "$points" -gt "$runs" ]; then points=" of $points"; else points=; fi
    grep -E '^not ok|^#' "$log" | head -n 20 >&2
}
differential() {
    rm -rf "$work/scratch" && mkdir "$work/scratch"
    points=
    (cd "$work/scratch" && python3 "$top/fuzz/differential.py" "$1" --cases "$cases") >"$work/log" 2>&1
    read -r runs failures < <(sed -nE 's/^differential: ([0-9]+) cases, .* ([0-9]+) failed$/\1 \2/p' "$work/log")
}
# row NAME COMMAND...: COMMAND is given a binary as its last argument. now: not for BEFORE.
row() {
    local name=$1 start=$SECONDS was="-"
    shift
    say "$name"
    if [ "$1" = now ]; then
        shift
    elif [ -n "$old" ]; then
        TORTURE=${BEFORE_TORTURE:-100} TORTURE_OLDER=1 "$@" "$old"
        was="$failures of $runs"
        start=$SECONDS
    fi
    TORTURE=${TORTURE:-all} "$@" "$top/build-dev/kanon"
    echo "| $name | $runs$points | $was | $failures | $((SECONDS - start)) |"
}

version=$(build-dev/kanon --version | head -n 1)
cat <<END
# Reliability

Faults and hostile inputs, made by \`make reliability\`${before:+ (before: commit $before)}. What \`make test\` runs is a sample of each. A failure is a run in which an
output is incomplete, an old and a new output stand beside each other, something is left behind, an exit code or a message is not the documented one, the
process crashes, or a release breaks its guarantee. "n of m" runs: m calls can fail, and n of them, evenly chosen, did. Before, jobs that the
older version does not know are left out, and $([ -n "$before" ] && echo "about ${BEFORE_TORTURE:-100} faults of each kind were injected into each job" || echo "nothing was run").

$version, commit $(git rev-parse --short HEAD)

| campaign | runs | failures before | failures now | seconds |
|---|---|---|---|---|
END
row "every allocation of every command fails, once and from then on" script torture/memory
row "every file system call fails (ENOSPC, EIO, EINTR, EACCES, EMFILE), is killed, or loses power" script torture/files
row "killed and interrupted at random moments" script cli/killed
row "wrong input of every kind" now script cli/bad_input
row "random data and options, releases judged by definitions of their own" differential

if [ -d build-fuzz/fuzz ]; then
    total=0 wrong=0 targets=0 start=$SECONDS
    for target in build-fuzz/fuzz/fuzz_*; do
        if [ ! -f "$target" ] || [ ! -x "$target" ]; then continue; fi
        name=$(basename "$target" | sed 's/^fuzz_//')
        say "fuzz $name"
        mkdir -p "$work/found/$name"
        "$target" -max_total_time="$seconds" -timeout=60 -rss_limit_mb=2048 -print_final_stats=1 \
            -artifact_prefix="$work/found/$name-" "$work/found/$name" "fuzz/corpus/$name" >"$work/log" 2>&1 || {
            wrong=$((wrong + 1))
            say "fuzz $name failed:"
            grep -vE '^#[0-9]+|^stat::|^INFO' "$work/log" | head -n 20 >&2
            find "$work/found" -maxdepth 1 -name "$name-*" -exec base64 {} + >&2
        }
        total=$((total + $(sed -nE 's/^stat::number_of_executed_units: ([0-9]+)$/\1/p' "$work/log" || echo 0)))
        targets=$((targets + 1))
    done
    echo "| inputs by libFuzzer to $targets targets, $seconds s each | $total | - | $wrong | $((SECONDS - start)) |"
fi
misuses=$(cat tests/api/test_misuse*.c | grep -cE '^ *(refused|answers|MISUSE|REFUSED|assert_)')
say "what make test runs of it"
TIMEFORMAT='%U %S' # of processor time: what else the machine does changes the time on the clock
read -r user system < <({ time ctest --test-dir build-dev -R '^(torture|fuzz|cli\.(killed|bad_input|differential|outputs|attacks)|api\.misuse)' >"$work/log" 2>&1; } 2>&1)
spent="$(grep -cE 'Passed .* sec$' "$work/log") tests, $(awk -v a="$user" -v b="$system" 'BEGIN { printf "%.0f", a + b }') s of processor time, \
$(grep -cE '(Failed|Timeout) .* sec$' "$work/log") failed"
cat <<END

Wrong calls of the library: $misuses assertions in \`tests/api/test_misuse*.c\`, run by \`make test\` and under sanitizers.

Time in CI: what \`make test\` runs of these campaigns ($spent). \`.ci/run\` runs the tests a second time under one of the sanitizers, in turn (\`scripts/rotation.sh\`).
END
