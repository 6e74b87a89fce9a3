#!/usr/bin/env bash
# Random itemsets per second of the processor, on data of the sampling paper's shape: the exact sampler and the chain of the
# paper's Algorithm 1, by size; the draws that a sample takes; and the work of all samples of a last round, our way and as printed.
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
        claim samplers "towers $records, chain, size $size" rate "$rate" /s "exact" "$exact" 1
        ;;
    *) claim samplers "towers $records, $kind, size $size" rate "$rate" /s ;;
    esac
done < <(cat "$work/samplers.txt")

# A search for sigma = 0.999, m = 11 ends with a round of passing samples for each size from 5 on: 20,388 (ten runs, 1,303 items) by the exact
# sampler, or 5,485,661 by the chain.
"$kanon" list sample-sizes --sigma 0.999 --rounds 1303 --runs 10 --json >"$work/samplers_sizes.json"
read -r ours printed < <(python3 - "$work/samplers.txt" "$work/samplers_sizes.json" <<'PYTHON'
import json, sys
rate = {(kind, int(size)): float(r) for kind, size, r, _ in (line.split() for line in open(sys.argv[1]))}
samples = {row["rule"]: row["samples"] for row in json.load(open(sys.argv[2]))}
sizes = range(5, 12)
print(sum(samples["zero-failure"] / rate["exact", l] for l in sizes), sum(samples["hoeffding"] / rate["chain", l] for l in sizes))
PYTHON
)
claim samplers "towers $records, sigma = 0.999, last rounds" time "$ours" s "as printed" "$printed" 0.01
