#!/usr/bin/env bash
# fuzz.sh BUILD_DIR SECONDS - run every libFuzzer program, and the differential fuzzer, for SECONDS. New inputs stay in the build;
# one that crashes is named, and belongs into fuzz/corpus/ with its fix.
set -eu
cd "$(dirname "$0")/.."
build=$1 seconds=$2
result=0
for target in "$build"/fuzz/fuzz_*; do
    if [ ! -f "$target" ] || [ ! -x "$target" ]; then
        continue
    fi
    name=$(basename "$target" | sed 's/^fuzz_//')
    mkdir -p "$build/found/$name" "fuzz/corpus/$name"
    echo "fuzz: $name for $seconds seconds"
    "$target" -max_total_time="$seconds" -timeout=10 -rss_limit_mb=2048 -print_final_stats=1 \
        -artifact_prefix="$build/found/$name-" "$build/found/$name" "fuzz/corpus/$name" || result=1
done
if command -v python3 >/dev/null; then
    kanon=$(realpath "$build/kanon")
    mkdir -p "$build/found/differential"
    echo "fuzz: differential for $seconds seconds"
    (cd "$build/found/differential" && python3 ../../../fuzz/differential.py "$kanon" --seconds "$seconds" \
        --seed "${FUZZ_SEED:-$RANDOM}") || result=1
fi
exit $result
