#!/usr/bin/env bash
# A sweep of ten values against ten jobs: delta of tables with items; k of Adult by mondrian and flash, of BMS-WebView-2 by
# apriori.
# shellcheck source=bench/common.sh disable=SC1091,SC2016
. "$(dirname "$0")/common.sh"
need_kanon

rounds=${quick:+1}
k_values="2 5 10 20 50 100 200 500 1000 2000"
deltas="0.35 0.4 0.45 0.5 0.55 0.6 0.65 0.7 0.8 0.9"

# one NAME MOST OUTPUT PARAMETER VALUES OPTION...: the same call as a sweep and as jobs.
one() {
    local name=$1 most=$2 out=$3 parameter=$4 values=$5
    shift 5
    measure "${rounds:-5}" "sweep_$name" "$kanon" anonymize "$@" --sweep "$parameter=${values// /,}" --quiet \
        :: "jobs_$name" bash -c 'kanon=$1 out=$2 parameter=$3 values=$4; shift 4
            for value in $values; do
                "$kanon" anonymize "$@" "--$parameter" "$value" -o "$out" --report "$out.json" --quiet || exit 1
            done' bash "$kanon" "$work/$out" "$parameter" "$values" "$@"
    claim sweep "$name" time "$(seconds "sweep_$name")" s "ten jobs" "$(seconds "jobs_$name")" "$most"
    rm -f "$work/$out" "$work/$out.json"
}

# Tables with items: clusters are formed once, and merges chosen once.
sample=$work/rt_informs_36553
[ -f "$sample.json" ] || "$kanon" sample informs --records 36553 --seed 1 -o "$sample.csv" --hierarchies "${sample}_hierarchies" \
    --schema "$sample.json" --quiet
for method in rum-bound tum-bound; do
    for merge in r t rt; do
        one "$method $merge" 0.5 sweep.csv delta "$deltas" "$sample.csv" --schema "$sample.json" --guarantee k-km-anonymity --k 25 --m 2 \
            --method $method --merge $merge
    done
done

need_adult
for method in mondrian flash; do
    one "$method" 0.8 sweep.csv k "$k_values" "$adult/adult.csv.zst" --separator ';' --qi "$adult_qi" "${keep_rest[@]}" \
        --hierarchies "$adult/hierarchies" --method "$method"
done
sets=${BENCH_SETS:-../shared/data/sets}
[ -r "$sets/bms-webview-2.dat.zst" ] || skip "$sets/bms-webview-2.dat.zst is not there; BENCH_SETS names another folder"
one apriori 1 sweep.dat k "$k_values" "$sets/bms-webview-2.dat.zst" --hierarchy "items=$sets/bms-webview-2.hierarchy.csv" \
    --guarantee km-anonymity --m 2
