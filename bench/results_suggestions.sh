#!/usr/bin/env bash
# docs/results/suggestions.md: how often the roles that kanon suggests are right. BENCH_OUT names another folder.
# shellcheck source=bench/common.sh disable=SC1091
. "$(dirname "$0")/common.sh"
need_kanon
mkdir -p "$work/suggestions" "${BENCH_OUT:-docs/results}"
python3 bench/results_suggestions.py "$kanon" "$work/suggestions" "${BENCH_OUT:-docs/results}" "${BENCH_DATA:-../shared/data}"
