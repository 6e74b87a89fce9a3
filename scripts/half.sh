#!/usr/bin/env bash
# half.sh BUILD_DIR HALF [CTEST_OPTION...] - the names of the tests in one half of a build's: HALF is 1 or 2. Which one a test is in
# depends on its name only, so that it stays there when others are added.
set -eu
build=$1 half=$2
shift 2
ctest --test-dir "$build" -N "$@" | sed -n 's/^ *Test *#[0-9]*: //p' | while read -r name; do
    sum=$(printf %s "$name" | cksum)
    # These digits of the sum divide the time of today's tests best.
    if [ $((${sum%% *} / 65536 % 2 + 1)) -eq "$half" ]; then echo "$name"; fi
done
