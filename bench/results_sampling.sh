#!/usr/bin/env bash
# docs/results/sampling.md and its plots: the sampling paper's figures on `kanon sample towers`, and Gowalla. SAMPLING_PEOPLE says how
# many people (the paper's 4,427,486), BENCH_OUT names another folder, BENCH_LOCATION that of the Gowalla files.
# shellcheck source=bench/common.sh disable=SC1091
. "$(dirname "$0")/common.sh"
need_kanon
"$kanon" --version | grep -q '^built in:.*geos' || skip "GEOS is not built in"
mkdir -p "$work/sampling" "${BENCH_OUT:-docs/results}"
python3 bench/results_sampling.py "$kanon" "$work/sampling" "${BENCH_OUT:-docs/results}" "${SAMPLING_PEOPLE:-4427486}" \
    "${BENCH_LOCATION:-../shared/data/location}"
