#!/usr/bin/env bash
# cluster: how time grows with the records, six and eight quasi-identifiers, as printed and improved. The searches are exact
# at every size; so that this is seen, NCP at 50,000 records beside the printed algorithm that looks at every record for every
# seed. NCP and time beside mondrian and local on Adult.
# shellcheck source=bench/common.sh disable=SC1091,SC2054
. "$(dirname "$0")/common.sh"
need_kanon

# one RECORDS ROUNDS CASE OPTION...: as printed and improved, in turns.
one() {
    local n=$1 rounds=$2 case=$3 in=$work/people_$1.csv
    shift 3
    [ -f "$in" ] || "$kanon" sample people --records "$n" --seed 1 -o "$in" --schema "$work/people_$n.json" \
        --hierarchies "$work/people_${n}_hierarchies" --quiet
    local call=("$kanon" anonymize "$in" --schema "$work/people_$n.json" --method cluster --quiet "$@")
    measure "$rounds" cluster_paper "${call[@]}" --paper -o "$work/cluster_p.csv" --report "$work/cluster_p.json" \
        :: cluster_ours "${call[@]}" -o "$work/cluster_o.csv" --report "$work/cluster_o.json"
    for out in p o; do
        "$kanon" check "$work/cluster_$out.csv" --schema "$work/people_$n.json" --quiet "$@" >/dev/null
    done
    claim cluster "$case" "time, --paper" "$(seconds cluster_paper)" s
    claim cluster "$case" time "$(seconds cluster_ours)" s
    claim cluster "$case" memory "$(peak cluster_ours)" B
    claim cluster "$case" ncp "$(utility "$work/cluster_o.json" ncp)" "" "--paper" \
        "$(utility "$work/cluster_p.json" ncp)" 0.85
    rm -f "$work/cluster_p.csv" "$work/cluster_o.csv"
}
unit() { calculate "$(seconds "$1") / ($2 * log2($2)) * 1e9"; }

six=(--drop occupation,sector)
one 50000 3 "50000 x 6, k=10" --k 10 "${six[@]}"
one 131780 3 "131780 x 6, k=25" --k 25 "${six[@]}"
bench_exact=$(dirname "$kanon")/bench/bench_cluster_exact
if [ -x "$bench_exact" ]; then
    read -r _ _ _ exact _ exact_seconds _ index _ index_seconds < <("$bench_exact" "$work/people_50000.csv" "$work/people_50000.json" 10 occupation,sector)
    claim cluster "50000 x 6, k=10, --paper" "ncp" "$index" "" "all looked at" "$exact" 1.03
    claim cluster "50000 x 6, k=10, --paper" "time of the search" "$index_seconds" s "all looked at" "$exact_seconds" 1
else
    printf 'bench_cluster_exact is not there (make bench): not compared with looking at all records\n' >&2
fi

for n in 10000 100000 1000000; do
    [ -z "$quick" ] || [ "$n" -lt 1000000 ] || continue
    one "$n" "$([ "$n" -lt 1000000 ] && echo 3 || echo 1)" "$n x 8, k=5" --k 5
    if [ "$n" -eq 100000 ]; then
        first_paper=$(unit cluster_paper "$n")
        first=$(unit cluster_ours "$n")
    elif [ "$n" -gt 100000 ]; then
        claim cluster "$n x 8, k=5" "time/(n log n), --paper" "$(unit cluster_paper "$n")" ns "100000 records" "$first_paper" 3
        claim cluster "$n x 8, k=5" "time/(n log n)" "$(unit cluster_ours "$n")" ns "100000 records" "$first" 3
    fi
done

need_adult
for k in 5 10 25; do
    anonymize_adult "$adult/adult.csv.zst" "$work/cluster_o.csv" "$work/cluster_o.json" --k "$k" --method cluster
    ours=("${call[@]}")
    anonymize_adult "$adult/adult.csv.zst" "$work/cluster_p.csv" "$work/cluster_p.json" --k "$k" --method cluster --paper
    paper=("${call[@]}")
    anonymize_adult "$adult/adult.csv.zst" "$work/cluster_m.csv" "$work/cluster_m.json" --k "$k" --method mondrian
    mondrian=("${call[@]}")
    anonymize_adult "$adult/adult.csv.zst" "$work/cluster_l.csv" "$work/cluster_l.json" --k "$k" --method local
    measure 3 cluster_ours "${ours[@]}" :: cluster_paper "${paper[@]}" :: cluster_mondrian "${mondrian[@]}" \
        :: cluster_local "${call[@]}"
    for out in o p; do
        check_adult "$work/cluster_$out.csv" "$k"
    done
    for other in ours paper mondrian local; do
        claim cluster "Adult, k=$k" "time, $other" "$(seconds "cluster_$other")" s
        claim cluster "Adult, k=$k" "ncp, $other" "$(utility "$work/cluster_${other:0:1}.json" ncp)" ""
    done
    claim cluster "Adult, k=$k" ncp "$(utility "$work/cluster_o.json" ncp)" "" mondrian "$(utility "$work/cluster_m.json" ncp)" 1
    claim cluster "Adult, k=$k" ncp "$(utility "$work/cluster_o.json" ncp)" "" "--paper" "$(utility "$work/cluster_p.json" ncp)" 0.8
done
rm -f "$work"/cluster_?.csv
