#!/usr/bin/env bash
# part.sh BUILD_DIR PART [CTEST_OPTION...] - the names of the tests in one of three parts of a build's: PART is 1, 2 or 3. Which one a
# test is in depends on its name only, so that it stays there when others are added.
set -eu
build=$(cd "$1" && pwd) part=$2
shift 2
# A list of tests, too, replaces the log of the last run in its folder, which test.sh counts: list them from a folder aside.
aside=$(mktemp -d)
trap 'rm -rf "$aside"' EXIT
echo "subdirs(\"$build\")" >"$aside/CTestTestfile.cmake"
ctest --test-dir "$aside" -N "$@" | sed -n 's/^ *Test *#[0-9]*: //p' | while read -r name; do
    sum=$(printf %s "$name" | cksum)
    # These digits of the sum divide the time of today's tests best.
    if [ $((${sum%% *} / 256 % 3 + 1)) -eq "$part" ]; then echo "$name"; fi
done
