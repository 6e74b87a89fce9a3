#!/usr/bin/env bash
# Leaving items out of baskets, k = 5: time against the method by itself, and what it saves, with limits of 0.1 %,
# 1 % and 5 %.
# shellcheck source=bench/common.sh disable=SC1091,SC2054
. "$(dirname "$0")/common.sh"
need_kanon

sets=${BENCH_SETS:-../shared/data/sets}
[ -r "$sets/bms-webview-2.dat.zst" ] || skip "$sets/bms-webview-2.dat.zst is not there; BENCH_SETS names another folder"

rounds=2
[ -z "$quick" ] || rounds=1

one() { # NAME DATA HIERARCHY M OPTION...
    local name=$1 data=$2 tree=$3 m=$4 limit
    shift 4
    local run=("$kanon" anonymize "$data" --hierarchy "items=$tree" --guarantee km-anonymity --k 5 --m "$m"
        --method apriori "$@" -o "$work/left.dat" --quiet)
    for limit in 0.001 0.01 0.05; do
        measure "$rounds" "left_without" "${run[@]}" --report "$work/left_without.json" \
            :: "left_$limit" "${run[@]}" --item-suppression "$limit" --report "$work/left_$limit.json"
        claim item_suppression "$name, m=$m $*, limit $limit" time "$(seconds "left_$limit")" s \
            "without" "$(seconds left_without)" 10
        claim item_suppression "$name, m=$m $*, limit $limit" ncp "$(utility "$work/left_$limit.json" ncp)" "" \
            "without" "$(utility "$work/left_without.json" ncp)" 1
        claim item_suppression "$name, m=$m $*, limit $limit" "left out" \
            "$(utility "$work/left_$limit.json" items_suppressed)" ""
    done
    rm -f "$work/left.dat"
}

one BMS-WebView-2 "$sets/bms-webview-2.dat.zst" "$sets/bms-webview-2.hierarchy.csv" 2
one BMS-WebView-2 "$sets/bms-webview-2.dat.zst" "$sets/bms-webview-2.hierarchy.csv" 2 --subtree
[ -f "$work/retail.csv" ] || "$kanon" hierarchy build "$sets/retail.dat.zst" --column items -o "$work/retail.csv" --quiet
one Retail "$sets/retail.dat.zst" "$work/retail.csv" 2
