#!/usr/bin/env bash
# clusters: the minimal spanning tree and its cuts, how time grows from 10^4 to 10^5 records; what the default takes, which
# runs k-means as well or instead; k-means on 10^6, from all starts and from one, as 0.1.0 ran it.
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
    measure "${quick:-3}" clusters_ten "${call[@]}" --clusters 10 --algorithm mst -o "$work/clusters.json"
    measure "${quick:-3}" clusters_default "${call[@]}" --clusters 10 -o "$work/clusters.json"
    measure 1 clusters_all "${call[@]}" --algorithm mst -o "$work/clusters_all.json"
    "$kanon" mine --check "$work/clusters_all.json" "$people" "${columns[@]}" --k 10 --quiet
    claim clusters "$n x 7, k=10" "time, mst, 10 clusters" "$(seconds clusters_ten)" s
    claim clusters "$n x 7, k=10" "time, default, 10 clusters" "$(seconds clusters_default)" s
    claim clusters "$n x 7, k=10" "time, mst, all it finds" "$(seconds clusters_all)" s "2 minutes" 120 1
    claim clusters "$n x 7, k=10" memory "$(peak clusters_all)" B
    [ "$n" -lt 100000 ] || claim clusters "$n x 7, k=10" "time, mst, 10 clusters" "$(seconds clusters_ten)" s "10000 records" "$first" 40
    first=$(seconds clusters_ten)
done

n=1000000
[ -z "$quick" ] || n=100000
make "$n"
call=("$kanon" mine clusters "$people" "${columns[@]}" --k 25 --clusters 10 --algorithm kmeans --quiet)
one=() # 0.1.0 has one start and no option for it
if "$kanon" mine --help 2>/dev/null | grep -c -- --starts >/dev/null; then one=(--starts 1); fi
measure 1 clusters_one "${call[@]}" "${one[@]}" -o "$work/clusters.json"
measure 1 clusters_kmeans "${call[@]}" -o "$work/clusters.json"
"$kanon" mine --check "$work/clusters.json" "$people" "${columns[@]}" --k 25 --quiet
claim clusters "$n x 7, k=25" "time, kmeans, one start" "$(seconds clusters_one)" s
claim clusters "$n x 7, k=25" "time, kmeans, 10 clusters" "$(seconds clusters_kmeans)" s
claim clusters "$n x 7, k=25" memory "$(peak clusters_kmeans)" B
