#!/usr/bin/env bash
# reliability.sh [BEFORE] - run every campaign of faults and hostile inputs, and print docs/results/reliability.md.
# BEFORE, a commit, is built in build-reliability/ and put through the same campaigns where it can be.
#
#   TORTURE=all             how many of the allocations and file system calls of each job fail: all, or about so many
#   BEFORE_TORTURE=100      the same for BEFORE
#   KILLED_ROUNDS=50        rounds of each signal
#   DIFFERENTIAL_CASES=5000 random jobs
#   FUZZ_SECONDS=20         of each fuzz target
#   CAMPAIGNS="files memory data killed input fuzz"  those to run; the rows of the others are taken from their last run
#
# Two campaigns run at a time. Progress goes to standard error. Takes about half an hour on two cores.
# What other commands have found (the tests under sanitizers, bare Debians) is in scripts/reliability-remarks.md, which the page ends with.
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
campaigns=${CAMPAIGNS:-files memory data killed input fuzz}
rows=$top/build-dev/reliability
mkdir -p "$rows"

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

# A campaign is a function that runs in a folder of its own, with a binary as its last argument. It sets runs (faults that were injected, or
# checks), points (where they could have been, or nothing) and failures.
# script NAME... KANON: tests/NAME.sh, one after the other.
script() {
    local kanon=${!#} name
    for name in "${@:1:$#-1}"; do
        rm -rf scratch && mkdir scratch
        (cd scratch && KANON=$kanon timeout 14400 bash "$top/tests/$name.sh") >>log 2>&1
    done
    read -r runs points < <(sed -nE 's/^(not )?ok - .*\(([0-9]+) runs( of ([0-9]+))?\).*/\2 \4/p' log | awk '{ n += $1; m += $2 } END { print n + 0, m + 0 }')
    if [ "$runs" -eq 0 ]; then runs=$(grep -cE '^(not )?ok - ' log); fi
    failures=$(awk '/^not ok/ { n++; counts = 0 } /^#   wanted: 0$/ { counts = 1 } counts && /^#   got: [0-9]+$/ { n += $3 - 1 } END { print n + 0 }' log)
    if [ "$runs" -eq 0 ]; then failures=1; fi
    if [ "$points" -gt 0 ]; then points=" of $points"; else points=; fi
    grep -E '^not ok|^#' log | head -n 20 >&2
}
differential() {
    points=
    python3 "$top/fuzz/differential.py" "$1" --cases "$cases" >log 2>&1
    read -r runs failures < <(sed -nE 's/^differential: ([0-9]+) cases, .* ([0-9]+) failed$/\1 \2/p' log)
    if [ "${failures:-1}" -ne 0 ]; then tail -n 20 log >&2; fi
}
# fuzzers KANON: every target of libFuzzer; the command is not run.
fuzzers() {
    local target name
    runs=0 failures=0 points=
    for target in "$top"/build-fuzz/fuzz/fuzz_*; do
        if [ ! -f "$target" ] || [ ! -x "$target" ]; then continue; fi
        name=$(basename "$target" | sed 's/^fuzz_//')
        mkdir -p "found/$name"
        "$target" -max_total_time="$seconds" -timeout=60 -rss_limit_mb=2048 -print_final_stats=1 -artifact_prefix="found/$name-" "found/$name" \
            "$top/fuzz/corpus/$name" >log 2>&1 || {
            failures=$((failures + 1))
            say "fuzz $name failed:"
            grep -vE '^#[0-9]+|^stat::|^INFO' log | head -n 20 >&2
            find found -maxdepth 1 -name "$name-*" -exec base64 {} + >&2
        }
        runs=$((runs + $(sed -nE 's/^stat::number_of_executed_units: ([0-9]+)$/\1/p' log | grep . || echo 0)))
    done
}

# spent: sets cpu to the processor time of the processes that this shell has waited for, in seconds.
spent() {
    times >processor-times
    cpu=$(awk -F '[ms ]+' 'NR == 2 { printf "%.0f", 60 * ($1 + $3) + $2 + $4 }' processor-times)
}
# campaign KEY NAME FUNCTION...: writes a row of the table. now before FUNCTION: not for BEFORE.
campaign() {
    local to=$work/$1 row=$rows/$1 name=$2 was="-" start=0
    shift 2
    rm -f "$row"
    say "$name"
    if [ "$1" = now ]; then
        shift
    elif [ -n "$old" ]; then
        mkdir "$to.before" && cd "$to.before" || return
        TORTURE=${BEFORE_TORTURE:-100} TORTURE_OLDER=1 "$@" "$old"
        was="${failures:-?} of ${runs:-?}"
        spent
        start=$cpu
    fi
    mkdir "$to.now" && cd "$to.now" || return
    TORTURE=${TORTURE:-all} "$@" "$top/build-dev/kanon"
    spent
    echo "| $name | ${runs:-?}$points | $was | ${failures:-?} | $((cpu - start)) | $commit |" >"$row"
    say "$name: ${failures:-?} failures"
}
# row KEY NAME FUNCTION...: begins a campaign as soon as no more than one other is running.
keys=()
row() {
    keys+=("$1")
    if [[ " $campaigns " != *" $1 "* && -e $rows/$1 ]]; then return; fi
    while [ "$(jobs -pr | wc -l)" -ge 2 ]; do wait -n; done
    campaign "$@" >/dev/null &
}

commit=$(git rev-parse --short HEAD)
cat <<END
# Reliability

Faults and hostile inputs, made by \`make reliability\`${before:+ (before: commit $before)}. What \`make test\` runs is a sample of each. A failure is a run in which an
output is incomplete, an old and a new output stand beside each other, something is left behind, an exit code or a message is not the documented one, the
process crashes, or a release breaks its guarantee. "n of m" runs: m calls can fail, and n of them, evenly chosen, did. Before, jobs that the
older version does not know were left out, and $([ -n "$before" ] && echo "about ${BEFORE_TORTURE:-100} faults of each kind were injected into each job" || echo "nothing was run").

| campaign | runs | failures before | failures now | processor seconds | commit |
|---|---|---|---|---|---|
END
row files "every file system call fails (ENOSPC, EIO, EINTR, EACCES, EMFILE), is stopped or killed, or loses power" script torture/files
row memory "every allocation of every command fails, once and from then on" script torture/memory torture/memory_methods
row data "random data and options, releases judged by definitions of their own" differential
row killed "killed and interrupted at random moments" script cli/killed
row input "wrong input of every kind" now script cli/bad_input
row fuzz "inputs by libFuzzer to $(find build-fuzz/fuzz -maxdepth 1 -type f -name 'fuzz_*' -perm -u+x | wc -l) targets, $seconds s each" now fuzzers
wait
for key in "${keys[@]}"; do cat "$rows/$key"; done
misuses=$(cat tests/api/test_misuse*.c | grep -cE '^ *(refused|answers|MISUSE|REFUSED|assert_)')
say "what make test runs of it"
TIMEFORMAT='%U %S' # of processor time: what else the machine does changes the time on the clock
read -r user system < <({ time env -u TORTURE ctest --test-dir build-dev -R '^(torture|fuzz|cli\.(killed|bad_input|differential|outputs|attacks)|api\.misuse)' >"$work/log" 2>&1; } 2>&1)
in_test="$(grep -cE 'Passed .* sec$' "$work/log") tests, $(awk -v a="$user" -v b="$system" 'BEGIN { printf "%.0f", a + b }') s of processor time, \
$(grep -cE '(Failed|Timeout) .* sec$' "$work/log") failed"
cat <<END

Wrong calls of the library: $misuses assertions in \`tests/api/test_misuse*.c\`, run by \`make test\` and under sanitizers.

Time in CI: what \`make test\` runs of these campaigns ($in_test). \`.ci/run\` runs the tests a second time under one of the sanitizers, in turn (\`scripts/rotation.sh\`).

END
cat scripts/reliability-remarks.md
