#!/usr/bin/env bash
# half.sh BUILD_DIR HALF [CTEST_OPTION...] - the names of the tests in one half of a build's: HALF is 1 or 2. Which one a test is in
# depends on its name only, so that it stays there when others are added.
set -eu
build=$(cd "$1" && pwd) half=$2
shift 2
# A list of tests, too, replaces the log of the last run in its folder, which test.sh counts: list them from a folder aside.
aside=$(mktemp -d)
trap 'rm -rf "$aside"' EXIT
echo "subdirs(\"$build\")" >"$aside/CTestTestfile.cmake"
ctest --test-dir "$aside" -N "$@" | sed -n 's/^ *Test *#[0-9]*: //p' | while read -r name; do
    sum=$(printf %s "$name" | cksum)
    # These digits of the sum divide the time of today's tests best.
    if [ $((${sum%% *} / 65536 % 2 + 1)) -eq "$half" ]; then echo "$name"; fi
done
