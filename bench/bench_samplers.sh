#!/usr/bin/env bash
# Random itemsets per second on one thread, on data of the sampling paper's shape: the exact sampler and the chain of the
# paper's Algorithm 1, by size; and the draws that a sample takes.
# shellcheck source=bench/common.sh disable=SC1091
. "$(dirname "$0")/common.sh"
need_kanon
bench_samplers=$(dirname "$kanon")/bench/bench_samplers
[ -x "$bench_samplers" ] || skip "$bench_samplers is not there; run make bench"
records=4427486
[ -z "$quick" ] || records=200000
towers=$work/towers_$records.dat
[ -f "$towers" ] || "$kanon" sample towers --records "$records" --seed 1 -o "$towers" --quiet
"$bench_samplers" "$towers" 0.5 >"$work/samplers.txt"
while read -r kind size rate draws; do
    case $kind in
    exact)
        claim samplers "towers $records, exact, size $size" rate "$rate" /s
        claim samplers "towers $records, exact, size $size" draws "$draws" ""
        ;;
    chain)
        exact=$(awk -v size="$size" '$1 == "exact" && $2 == size { print $3 }' "$work/samplers.txt")
        claim samplers "towers $records, chain, size $size" rate "$rate" /s "exact" "$exact"
        ;;
    *) claim samplers "towers $records, $kind, size $size" rate "$rate" /s ;;
    esac
done < <(cat "$work/samplers.txt")
