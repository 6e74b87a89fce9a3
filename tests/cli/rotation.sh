#!/usr/bin/env bash
# rotation.sh - how CI divides the tests under sanitizers: no test is in no half, and all turns together run every half under every
# sanitizer.
set -u
# shellcheck source=tests/cli/tap.bash
. "$(dirname "$0")/tap.bash"

if ! command -v ctest >/dev/null; then
    echo "skipped: ctest is not here"
    exit 77
fi
echo "subdirs(\"$BUILD_DIR\")" >CTestTestfile.cmake # in the folder of the build, ctest -N would write over the log of the tests that are running
ctest --test-dir . -N | sed -n 's/^ *Test *#[0-9]*: //p' | sort >all.txt
for half in 1 2; do "$SOURCE_DIR/scripts/half.sh" "$BUILD_DIR" $half | sort >half-$half.txt; done
is "every test is in one half" "$(cat all.txt)" "$(sort half-1.txt half-2.txt)"
is "no half is empty" "yes yes" "$([ -s half-1.txt ] && printf yes) $([ -s half-2.txt ] && printf yes)"
is "options choose before" "cli.rotation" "$(for half in 1 2; do "$SOURCE_DIR/scripts/half.sh" "$BUILD_DIR" $half -R '^cli[.]rotation$'; done)"

unset KN_LEG KN_HALF KN_ROUNDS
turn() { KN_TURN=$1 "$SOURCE_DIR/scripts/rotation.sh" --which; }
half_of() { turn "$1" | grep -o 'half [12]'; }
for number in 7 8 9 10; do
    if [ "$(half_of $number)" != "$(half_of $((number + 1)))" ]; then
        ok "commits $number and $((number + 1)) have both halves"
    else
        not_ok "commits $number and $((number + 1)) have both halves"
    fi
done
is "four commits: both halves under both sanitizers" "clang-sanitize, half 1 of the tests
clang-sanitize, half 2 of the tests
sanitize, half 1 of the tests
sanitize, half 2 of the tests" "$(for number in 7 8 9 10; do turn $number; done | sort)"
is "a leg that is named runs all tests" "tsan" "$(KN_LEG=tsan "$SOURCE_DIR/scripts/rotation.sh" --which)"
finish
