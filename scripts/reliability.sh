#!/usr/bin/env bash
# reliability.sh [BEFORE] - run every campaign of faults and hostile inputs in full, and print docs/results/reliability.md.
# BEFORE, a commit, is built in build-reliability/ and put through the same campaigns where it can be.
# FUZZ_SECONDS (20) is the time of each fuzz target, DIFFERENTIAL_CASES (5000) the number of random jobs.
# Progress goes to standard error. Takes some 20 minutes on two cores.
set -u
cd "$(dirname "$0")/.." || exit
top=$PWD
before=${1:-}
seconds=${FUZZ_SECONDS:-20} cases=${DIFFERENTIAL_CASES:-5000}
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
export LC_ALL=C.UTF-8 FAULT_LIBRARY=$top/build-dev/tests/libkn_fault.so SOURCE_DIR=$top BUILD_DIR=$top/build-dev
say() { echo "reliability: $*" >&2; }

old=
if [ -n "$before" ]; then
    say "building $before"
    rm -rf build-reliability && mkdir -p build-reliability/source
    git archive "$before" | tar -x -C build-reliability/source
    if ! cmake -S build-reliability/source -B build-reliability/build -G Ninja -DCMAKE_BUILD_TYPE=Release -DKN_TESTS=OFF >"$work/log" 2>&1 ||
        ! cmake --build build-reliability/build --target kanon_command >>"$work/log" 2>&1; then
        tail "$work/log" >&2
        exit 1
    fi
    old=$top/build-reliability/build/kanon
fi

# script NAME KANON: runs tests/NAME.sh; sets runs (faults that were injected, or checks) and failures.
script() {
    local name=$1 log=$work/log
    rm -rf "$work/scratch" && mkdir "$work/scratch"
    (cd "$work/scratch" && KANON=$2 TORTURE=all timeout 3600 bash "$top/tests/$name.sh") >"$log" 2>&1
    runs=$(sed -nE 's/.*\(([0-9]+) runs\).*/\1/p' "$log" | awk '{ n += $1 } END { print n + 0 }')
    if [ "$runs" -eq 0 ]; then runs=$(grep -cE '^(not )?ok - ' "$log"); fi
    failures=$(awk '/^not ok/ { n++ } /^#   got: [0-9]+$/ { n += $3 - 1 } END { print n + 0 }' "$log")
}
differential() {
    rm -rf "$work/scratch" && mkdir "$work/scratch"
    (cd "$work/scratch" && python3 "$top/fuzz/differential.py" "$1" --cases "$cases") >"$work/log" 2>&1
    read -r runs failures < <(sed -nE 's/^differential: ([0-9]+) cases, .* ([0-9]+) failed$/\1 \2/p' "$work/log")
}
# row NAME COMMAND...: COMMAND is given a binary as its last argument.
row() {
    local name=$1 start=$SECONDS was="-"
    shift
    say "$name"
    if [ -n "$old" ]; then
        "$@" "$old"
        was="$failures of $runs"
        start=$SECONDS
    fi
    "$@" "$top/build-dev/kanon"
    echo "| $name | $runs | $was | $failures | $((SECONDS - start)) |"
}

version=$(build-dev/kanon --version | head -n 1)
cat <<END
# Reliability

Faults and hostile inputs, in full, made by \`make reliability\`${before:+ (before: commit $before)}. What \`make test\` runs is a sample of each. A failure is a run in which an
output is incomplete, an old and a new output stand beside each other, something is left behind, an exit code or a message is not the documented one, the
process crashes, or a release breaks its guarantee.

$version

| campaign | runs | failures before | failures now | seconds |
|---|---|---|---|---|
END
row "every allocation of every command fails, once and from then on" script torture/memory
row "every file system call fails (ENOSPC, EIO, EINTR, EACCES, EMFILE), is killed, or loses power" script torture/files
row "killed and interrupted at random moments" script cli/killed
row "wrong input of every kind" script cli/bad_input
row "random data and options, releases judged by definitions of their own" differential

if [ -d build-fuzz/fuzz ]; then
    total=0 wrong=0 start=$SECONDS
    for target in build-fuzz/fuzz/fuzz_*; do
        if [ ! -f "$target" ] || [ ! -x "$target" ]; then continue; fi
        name=$(basename "$target" | sed 's/^fuzz_//')
        say "fuzz $name"
        mkdir -p "$work/found/$name"
        "$target" -max_total_time="$seconds" -timeout=10 -rss_limit_mb=2048 -print_final_stats=1 \
            -artifact_prefix="$work/found/$name-" "$work/found/$name" "fuzz/corpus/$name" >"$work/log" 2>&1 || wrong=$((wrong + 1))
        total=$((total + $(sed -nE 's/^stat::number_of_executed_units: ([0-9]+)$/\1/p' "$work/log" || echo 0)))
    done
    echo "| inputs by libFuzzer to every reader, $seconds s each | $total | - | $wrong | $((SECONDS - start)) |"
fi
misuses=$(grep -cE '^ *(refused|answers|MISUSE|assert_)' tests/api/test_misuse.c)
echo
echo "Wrong calls of the library: $misuses assertions in \`tests/api/test_misuse.c\`, run by \`make test\` and under the sanitizers of gcc."
