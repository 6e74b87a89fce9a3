#!/usr/bin/env bash
# The second count of km-anonymity, on what was published: its time against that of the whole run that it
# guards, and against the search that it checks. Partial counts that threads make and merge, beside them.
# shellcheck source=bench/common.sh disable=SC1091
. "$(dirname "$0")/common.sh"
need_kanon
bench_recount=$(dirname "$kanon")/bench/bench_recount
[ -x "$bench_recount" ] || skip "$bench_recount is not there; run make bench"
sets=${BENCH_SETS:-../shared/data/sets}
rounds=5
[ -z "$quick" ] || rounds=3

one() { # CASE K M INPUT OPTION...
    local name=$1 k=$2 m=$3 input=$4 out=$work/recount.dat kind took
    shift 4
    measure "$rounds" recount_run "$kanon" anonymize "$input" -o "$out" --guarantee km-anonymity \
        --k "$k" --m "$m" "$@" --quiet
    "$bench_recount" "$out" "$k" "$m" "$rounds" >"$work/recount.txt"
    while read -r kind took; do
        case $kind in
        search) claim recount "$name" "$kind" "$took" s ;;
        recount) claim recount "$name" "$kind" "$took" s "the whole run" "$(seconds recount_run)" 0.1 ;;
        *) claim recount "$name" "$kind" "$took" s ;;
        esac
    done <"$work/recount.txt"
    rm -f "$out"
}

income=$work/income_1000000.dat
[ -f "$income" ] || "$kanon" sample income --records 1000000 --seed 1 -o "$income" --quiet
one "income 1M, k=10, m=2" 10 2 "$income" --method acd
[ -r "$sets/retail.dat.zst" ] || skip "$sets is not there; BENCH_SETS names another folder"
for m in 1 2 3; do
    one "BMS-WebView-2, k=5, m=$m" 5 $m "$sets/bms-webview-2.dat.zst" \
        --hierarchy "items=$sets/bms-webview-2.hierarchy.csv"
done
"$kanon" hierarchy build "$sets/retail.dat.zst" --column items -o "$work/retail.csv" --quiet
for m in 2 3; do
    one "Retail, k=5, m=$m" 5 $m "$sets/retail.dat.zst" --hierarchy "items=$work/retail.csv"
done
