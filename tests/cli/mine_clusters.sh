#!/usr/bin/env bash
# mine_clusters.sh - clusters on the command line: the paper's centres judged, its points clustered, both algorithms,
# formats, applying, and what users may get wrong.
# shellcheck disable=SC2054
set -u
# shellcheck source=tests/cli/tap.bash
. "$(dirname "$0")/tap.bash"
cp "$SOURCE_DIR"/examples/models/{customers,patients}.csv "$SOURCE_DIR"/examples/models/customers-clusters.json .
customers=(customers.csv --id Name --qi "Zip Code" --sensitive Income)
patients=(patients.csv --id Point --qi Age --sensitive Result --weight Age=4)

# ---- section 4.2 ----
exits "four centres give Lisa away" 1 "$KANON" mine --check customers-clusters.json "${customers[@]}" --k 2
golden "four centres give Lisa away: row 6" mine-customers-k2.txt
exits "without Lisa they would not" 0 "$KANON" mine --check customers-clusters.json --k 2 \
    <(grep -v Lisa customers.csv) --id Name --qi "Zip Code" --sensitive Income

# ---- section 5.2 ----
exits "three clusters of seven points" 0 "$KANON" mine clusters "${patients[@]}" --k 4 --clusters 3 --smallest 1 --algorithm mst -o fig5.json
says "three clusters of seven points: all of D to G may be in two" "k-anonymity: 4 asked, 4 holds"
exits "three clusters of seven points: the model" 0 cat fig5.json
golden "three clusters of seven points: as told" mine-patients.json
exits "nobody is a cluster by default" 0 "$KANON" mine clusters "${patients[@]}" --k 3 --clusters 3 -o two.json
says "nobody is a cluster by default: two" "2 clusters over 2 attributes"
exits "the clusters are applied" 0 "$KANON" apply fig5.json patients.csv -o scored.csv
is "the clusters are applied: C4 is D alone" "D,70,8,2" "$(grep '^D' scored.csv)"

# ---- mining ----
"$KANON" sample people --records 3000 --seed 2 -o people.csv
people=(people.csv --id id,name --qi sex,age,country --sensitive income,diagnosis)
for algorithm in mst kmeans best; do
    exits "$algorithm" 0 "$KANON" mine clusters "${people[@]}" --k 20 --clusters 5 --algorithm "$algorithm" \
        -o "$algorithm.json" -o "$algorithm.pmml" -o "$algorithm.txt" --seed 4
    says "$algorithm: what it costs" "distance within clusters: "
    exits "$algorithm: other threads" 0 "$KANON" mine clusters "${people[@]}" --k 20 --clusters 5 --algorithm "$algorithm" \
        -o again.json --seed 4 --threads 1
    is "$algorithm: the same bytes" "$(cat "$algorithm.json")" "$(cat again.json)"
    for format in json pmml; do
        exits "$algorithm: holds as $format" 0 "$KANON" mine --check "$algorithm.$format" "${people[@]}" --k 20
    done
    exits "$algorithm: a plain model" 0 "$KANON" mine clusters "${people[@]}" --k 1 --clusters 5 \
        --algorithm "$algorithm" -o plain.json

    # how surely an attacker knows who is in which cluster
    for limit in "--inference 0.7" "--l 1.5" "--l 2 --diversity distinct"; do
        read -ra asked <<<"$limit"
        exits "$algorithm $limit" 0 "$KANON" mine clusters "${people[@]}" --k 5 --clusters 6 --algorithm "$algorithm" \
            "${asked[@]}" -o mixed.json --report mixed-report.json --report mixed.html
        exits "$algorithm $limit: holds" 0 "$KANON" mine --check mixed.json "${people[@]}" --k 5 "${asked[@]}"
        exits "$algorithm $limit: counted twice" 0 grep -q '"recounted_records": [1-9]' mixed-report.json
        exits "$algorithm $limit: what it costs, as JSON" 0 grep -q '"without_guarantee": [0-9.]*,$' mixed-report.json
        exits "$algorithm $limit: what it costs, as HTML" 0 grep -q 'How close people are to their centre' mixed.html
    done
    exits "$algorithm: what was promised is asked" 0 "$KANON" mine clusters "${people[@]}" --k 5 --clusters 6 \
        --algorithm "$algorithm" --inference 0.7 -o mixed.json --quiet
    exits "$algorithm: what was promised is asked: so it is" 0 "$KANON" mine --check mixed.json "${people[@]}" --json
    exits "$algorithm: what was promised is asked: 70 %" 0 grep -q '^  "inference": 0.7$' \
        <("$KANON" mine --check mixed.json "${people[@]}" --json)
done
# ---- as many as are asked for, where that is safe ----
within() { sed -n "s/.*\"$1\": \([0-9.]*\).*/\1/p" "$2.report.json"; }
for algorithm in mst kmeans best; do
    exits "eight clusters, $algorithm" 0 "$KANON" mine clusters "${people[@]}" --k 20 --clusters 8 --algorithm $algorithm -o eight.json \
        --report $algorithm.report.json --report $algorithm.report.html -q
    exits "eight clusters, $algorithm: they hold" 0 "$KANON" mine --check eight.json "${people[@]}" --k 20
    is "eight clusters, $algorithm: compared with eight" 8 "$(within clusters_asked $algorithm)"
    sound=$(awk -v a="$(within within $algorithm)" -v p="$(within without_guarantee $algorithm)" 'BEGIN { print((p > 0 && p <= a + 1e-9) ? "yes" : "no: " a " " p) }')
    is "eight clusters, $algorithm: the baseline is not worse than what it is the baseline of" yes "$sound"
    exits "eight clusters, $algorithm: no claim that privacy is free" 1 grep -q 'costs nothing' $algorithm.report.html
done
is "k-means asked for eight gives eight" 8 "$(within clusters kmeans)"
better=$(awk -v b="$(within within best)" -v k="$(within within kmeans)" -v m="$(within within mst)" 'BEGIN { print((b <= k + 1e-9 && b <= m + 1e-9) ? "yes" : "no: " b " " k " " m) }')
is "the default takes the closer of the two" yes "$better"

exits "quality is of what was mined" 1 grep -q '"quality"' <("$KANON" mine --check mst.json "${people[@]}" --json)
finish
