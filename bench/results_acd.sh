#!/usr/bin/env bash
# docs/results/acd.md and its plots: the ACD paper's curves over d and the number of records, on `kanon sample income`. ACD_RECORDS says how
# many records the largest set has (the paper's 500,000), BENCH_OUT names another folder.
# shellcheck source=bench/common.sh disable=SC1091
. "$(dirname "$0")/common.sh"
need_kanon
mkdir -p "$work/acd-results" "${BENCH_OUT:-docs/results}"
PYTHONPATH=bench PYTHONDONTWRITEBYTECODE=1 python3 bench/results_acd.py "$kanon" "$work/acd-results" "${BENCH_OUT:-docs/results}" "${ACD_RECORDS:-100000}"
