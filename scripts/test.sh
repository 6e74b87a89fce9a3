#!/usr/bin/env bash
# test.sh BUILD_DIR [CTEST_OPTION...] - run the tests of a build and close with
# "N passed, N failed", counted over single tests. With $KN_COUNTS (a file) the counts are appended
# to it instead, for a caller that adds several runs up. Tests that scripts/left-out.txt lists for the preset of
# the build are left out; $KN_PART (such as 2/3, the second of three) runs a part of the others (part.sh).
# A run after which the tree has files that git does not know and that were not there before has failed, too.
set -u
here=$(cd "$(dirname "$0")" && pwd)
build=$1
shift
log=$build/Testing/Temporary/LastTest.log
leg=${build##*build-}

jobs=$(nproc 2>/dev/null || echo 2)
if [ -n "${KN_PART:-}" ] || grep -qE "^([a-z-]+,)*${leg}[ ,]" "$here/left-out.txt"; then
    names=$("$here/part.sh" "$build" "$leg" "${KN_PART:-1/1}" "$@") || exit 2
    names=${names//./[.]}
    set -- "$@" -R "^(${names//$'\n'/|})\$"
fi
rm -f "$log" "$build/Testing/Temporary/LastTestsDisabled.log"
unknown_files() {
    git -C "$here/.." ls-files --others --exclude-standard 2>/dev/null | sort
}
before=$(unknown_files)
ctest --test-dir "$build" -j "$jobs" --output-on-failure --no-tests=error "$@" </dev/null
status=$?

if [ -f "$log" ]; then
    read -r passed failed skipped < <(
        awk -v skipped_names="$build/Testing/Temporary/LastTestsDisabled.log" \
            -f "$here/count-tests.awk" "$log"
    )
else
    passed=0 failed=1 skipped=0
fi
if [ "$failed" -eq 0 ] && { [ "$status" -ne 0 ] || [ $((passed + skipped)) -eq 0 ]; }; then
    failed=1 # ctest says so, or the log does not name its tests
fi

left=$(comm -13 <(echo "$before") <(unknown_files))
if [ -n "$left" ]; then
    printf 'test.sh: these files appeared in the tree while the tests ran, which write to folders of their own only:\n%s\n' "$left"
    failed=$((failed + 1))
fi

if [ -n "${KN_COUNTS:-}" ]; then
    echo "$passed $failed $skipped" >>"$KN_COUNTS"
    echo "tests of $build: passed $passed, failed $failed, skipped $skipped"
else
    line="$passed passed, $failed failed"
    if [ "$skipped" -gt 0 ]; then
        line="$line, $skipped skipped"
    fi
    echo "$line"
fi
[ "$failed" -eq 0 ]
