#!/usr/bin/env bash
# clusters: the minimal spanning tree and its cuts, how time grows from 10^4 to 10^5 records; k-means with merging on 10^6.
# The records are nearly all different points.
# shellcheck source=bench/common.sh disable=SC1091,SC2054
. "$(dirname "$0")/common.sh"
need_kanon

columns=(--id id,name --qi sex,age,postcode,country --sensitive income,diagnosis,education)
make() {
    people=$work/people_$1.csv
    [ -f "$people" ] || "$kanon" sample people --records "$1" --seed 1 -o "$people" --schema "$work/people_$1.json" \
        --hierarchies "$work/people_${1}_hierarchies" --quiet
}

for n in 10000 100000; do
    make "$n"
    call=("$kanon" mine clusters "$people" "${columns[@]}" --k 10 --quiet)
    measure 3 clusters_ten "${call[@]}" --clusters 10 -o "$work/clusters.json"
    measure 1 clusters_all "${call[@]}" -o "$work/clusters_all.json"
    "$kanon" mine --check "$work/clusters_all.json" "$people" "${columns[@]}" --k 10 --quiet
    claim clusters "$n x 7, k=10" "time, mst, 10 clusters" "$(seconds clusters_ten)" s
    claim clusters "$n x 7, k=10" "time, mst, all it finds" "$(seconds clusters_all)" s "2 minutes" 120 1
    claim clusters "$n x 7, k=10" memory "$(peak clusters_all)" B
    [ "$n" -lt 100000 ] || claim clusters "$n x 7, k=10" "time, mst, 10 clusters" "$(seconds clusters_ten)" s "10000 records" "$first" 40
    first=$(seconds clusters_ten)
done

n=1000000
[ -z "$quick" ] || n=100000
make "$n"
measure 1 clusters_kmeans "$kanon" mine clusters "$people" "${columns[@]}" --k 25 --clusters 10 --algorithm kmeans --quiet \
    -o "$work/clusters.json"
"$kanon" mine --check "$work/clusters.json" "$people" "${columns[@]}" --k 25 --quiet
claim clusters "$n x 7, k=25" "time, kmeans, 10 clusters" "$(seconds clusters_kmeans)" s
claim clusters "$n x 7, k=25" memory "$(peak clusters_kmeans)" B
