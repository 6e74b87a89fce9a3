#!/usr/bin/env bash
# coverage.sh BUILD_DIR - what the tests ran, as BUILD_DIR/html and one line per folder.
set -eu
cd "$(dirname "$0")/.."
build=$1
if ! command -v lcov >/dev/null; then
    echo "coverage: needs lcov: apt-get install lcov" >&2
    exit 1
fi
lcov -q --capture --directory "$build" --base-directory . --no-external \
    --output-file "$build/all.info"
lcov -q --extract "$build/all.info" "$PWD/src/*" --output-file "$build/coverage.info"
genhtml -q --output-directory "$build/html" "$build/coverage.info"
lcov --list "$build/coverage.info"
echo "coverage: $build/html/index.html"
