#!/usr/bin/env bash
# docs/results/init.md: public files from `kanon init` to a checked release without further options. BENCH_OUT names another folder.
# shellcheck source=bench/common.sh disable=SC1091
. "$(dirname "$0")/common.sh"
need_kanon
data=${BENCH_DATA:-../shared/data}
[ -r "$data/rt/diabetes.csv.zst" ] || skip "$data/rt/diabetes.csv.zst is not there; BENCH_DATA names another folder"
mkdir -p "$work" "${BENCH_OUT:-docs/results}"
python3 bench/results_init.py "$kanon" "$work/init" "${BENCH_OUT:-docs/results}" "$data"
