#!/usr/bin/env bash
# Every test that docs/threat-model.md names exists, so that no promise there stands without its test.
set -eu
# Not by ctest -N, which would write over the log of the tests that are running.
find "$BUILD_DIR" -name CTestTestfile.cmake -exec sed -nE 's/^add_test\((\[=+\[)?([A-Za-z0-9_.]+).*/\2/p' {} + >known.txt
# Tests that other builds leave out are known by their files.
for script in "$SOURCE_DIR"/tests/{cli,peers,torture}/*.sh; do
    echo "$(basename "$(dirname "$script")").$(basename "$script" .sh)"
done >>known.txt
failed=0
# shellcheck disable=SC2016 # the quotes hold a pattern
while read -r name; do
    pattern=${name//./\\.}
    if ! grep -qE "^${pattern//\*/.*}$" known.txt; then
        echo "FAILED: docs/threat-model.md names $name, which is no test"
        failed=1
    fi
done < <(grep -E '^\|' "$SOURCE_DIR/docs/threat-model.md" | grep -oE '`[a-z_]+\.[a-z_.*]+`' | tr -d '`' | sort -u)
exit "$failed"
