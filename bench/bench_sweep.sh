#!/usr/bin/env bash
# A sweep of ten values of k against ten jobs: Adult by mondrian and flash, BMS-WebView-2 by apriori.
# shellcheck source=bench/common.sh disable=SC1091,SC2016
. "$(dirname "$0")/common.sh"
need_kanon

values="2 5 10 20 50 100 200 500 1000 2000"
rounds=${quick:+1}

one() { # NAME MOST OUTPUT OPTION...: the same call as a sweep and as jobs, without reports
    local name=$1 most=$2 out=$3
    shift 3
    measure "${rounds:-5}" "sweep_$name" "$kanon" anonymize "$@" --sweep "k=${values// /,}" --quiet \
        :: "jobs_$name" bash -c 'kanon=$1 out=$2 values=$3; shift 3
            for k in $values; do "$kanon" anonymize "$@" --k "$k" -o "$out" --quiet || exit 1; done' \
        bash "$kanon" "$work/$out" "$values" "$@"
    claim sweep "$name" time "$(seconds "sweep_$name")" s "ten jobs" "$(seconds "jobs_$name")" "$most"
    rm -f "$work/$out"
}

need_adult
for method in mondrian flash; do
    one "$method" 0.8 sweep.csv "$adult/adult.csv.zst" --separator ';' --qi "$adult_qi" --hierarchies "$adult/hierarchies" \
        --method "$method"
done
sets=${BENCH_SETS:-../shared/data/sets}
[ -r "$sets/bms-webview-2.dat.zst" ] || skip "$sets/bms-webview-2.dat.zst is not there; BENCH_SETS names another folder"
one apriori 1 sweep.dat "$sets/bms-webview-2.dat.zst" --hierarchy "items=$sets/bms-webview-2.hierarchy.csv" \
    --guarantee km-anonymity --m 2
