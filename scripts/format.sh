#!/usr/bin/env bash
# format.sh [--check] - write the C sources as .clang-format says, or say which are not so.
set -eu
cd "$(dirname "$0")/.."
mapfile -t sources < <(find include src python tests fuzz bench examples -name '*.[ch]' | LC_ALL=C sort)
if [ "${1:-}" = --check ]; then
    clang-format --dry-run -Werror "${sources[@]}"
else
    clang-format -i "${sources[@]}"
fi
