#!/usr/bin/env bash
# rotation.sh - how CI divides the tests under sanitizers: every test is in one part, and all turns together run every part under every
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
for part in 1 2 3; do "$SOURCE_DIR/scripts/part.sh" "$BUILD_DIR" $part | sort >part-$part.txt; done
is "every test is in one part" "$(cat all.txt)" "$(sort part-[123].txt)"
is "no part is empty" "yes yes yes" "$(for part in 1 2 3; do [ -s part-$part.txt ] && echo yes; done | xargs)"
is "options choose before" "cli.rotation" "$(for part in 1 2 3; do "$SOURCE_DIR/scripts/part.sh" "$BUILD_DIR" $part -R '^cli[.]rotation$'; done)"

unset KN_LEG KN_PART KN_ROUNDS
turn() { KN_TURN=$1 "$SOURCE_DIR/scripts/rotation.sh" --which; }
for number in 7 8 9 10 11; do
    is "commits $number to $((number + 2)) have all parts" "part 1 part 2 part 3" \
        "$(for next in 0 1 2; do turn $((number + next)); done | grep -o 'part [123]' | sort | xargs)"
done
is "six commits: all parts under both sanitizers" "clang-sanitize, part 1 of 3 of the tests
clang-sanitize, part 2 of 3 of the tests
clang-sanitize, part 3 of 3 of the tests
sanitize, part 1 of 3 of the tests
sanitize, part 2 of 3 of the tests
sanitize, part 3 of 3 of the tests" "$(for number in 7 8 9 10 11 12; do turn $number; done | sort)"
is "a leg that is named runs all tests" "tsan" "$(KN_LEG=tsan "$SOURCE_DIR/scripts/rotation.sh" --which)"
finish
