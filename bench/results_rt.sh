#!/usr/bin/env bash
# docs/results/rt.md and its plots: Figures 4 to 7 of the RT paper on `kanon sample informs` and `youtube`. RT_RECORDS says how many
# records each has (the paper's are 36,553 and 131,780), BENCH_OUT names another folder.
# shellcheck source=bench/common.sh disable=SC1091
. "$(dirname "$0")/common.sh"
need_kanon
mkdir -p "$work/rt-results" "${BENCH_OUT:-docs/results}"
PYTHONPATH=bench PYTHONDONTWRITEBYTECODE=1 python3 bench/results_rt.py "$kanon" "$work/rt-results" "${BENCH_OUT:-docs/results}" "${RT_RECORDS:-2000}"
