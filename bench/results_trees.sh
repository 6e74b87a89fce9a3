#!/usr/bin/env bash
# docs/results/trees.md and its plots: the tree paper's figures on `sample orders`. BENCH_OUT names another folder,
# BENCH_TREES the number of records (the paper's default is 250000), BENCH_TREES_SERIES that of the series over k, m and n,
# BENCH_TREES_SIZES those of the last plot, BENCH_TREES_LIMIT the processor seconds that one call may take. What
# was measured is kept: a call that was stopped goes on where it was.
# shellcheck source=bench/common.sh disable=SC1091
. "$(dirname "$0")/common.sh"
need_kanon
mkdir -p "$work/trees" "${BENCH_OUT:-docs/results}"
python3 bench/results_trees.py "$kanon" "$work/trees" "${BENCH_OUT:-docs/results}" "${BENCH_TREES:-250000}" \
    "${BENCH_TREES_SERIES:-${BENCH_TREES:-250000}}" "${BENCH_TREES_SIZES:-100000 250000 1000000}" "${BENCH_DATA:-../shared/data}" \
    "${BENCH_TREES_LIMIT:-3600}"
