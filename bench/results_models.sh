#!/usr/bin/env bash
# docs/results/models.md and its plots: the models paper's figures on Adult. BENCH_OUT names another folder.
# shellcheck source=bench/common.sh disable=SC1091
. "$(dirname "$0")/common.sh"
need_kanon
[ -r "$adult/adult.data.zst" ] || skip "$adult/adult.data.zst is not there; BENCH_ADULT names another folder"
command -v zstd >/dev/null || skip "zstd is not there"
if ! { python3 -m venv "$work/cart" && "$work/cart/bin/pip" install --quiet scikit-learn; } >/dev/null 2>&1; then
    skip "scikit-learn cannot be had"
fi
mkdir -p "$work/models" "${BENCH_OUT:-docs/results}"
BENCH_CART="$work/cart/bin/python" python3 bench/results_models.py "$kanon" "$adult" "$work/models" "${BENCH_OUT:-docs/results}"
