#!/usr/bin/env bash
# docs/results/models.md and its plots: the models paper's figures on Adult, and trees beside CART. BENCH_OUT names another folder.
# shellcheck source=bench/common.sh disable=SC1091
. "$(dirname "$0")/common.sh"
need_kanon
data=${BENCH_DATA:-../shared/data}
[ -r "$data/adult/adult.data.zst" ] || skip "$data/adult/adult.data.zst is not there; BENCH_DATA names another folder"
command -v zstd >/dev/null || skip "zstd is not there"
if ! "$work/cart/bin/python" -c 'import sklearn, importlib.util as u; assert u.find_spec("dalex")' 2>/dev/null &&
    ! { python3 -m venv "$work/cart" && "$work/cart/bin/pip" install --quiet scikit-learn && "$work/cart/bin/pip" install --quiet --no-deps dalex; } >/dev/null 2>&1; then
    skip "scikit-learn and the data of dalex cannot be had"
fi
mkdir -p "$work/models" "${BENCH_OUT:-docs/results}"
"$work/cart/bin/python" bench/results_models.py "$kanon" "$data" "$work/models" "${BENCH_OUT:-docs/results}"
