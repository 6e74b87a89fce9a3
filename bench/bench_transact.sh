#!/usr/bin/env bash
# T, the generalisation of the items of one cluster: clusters of 25 records with 4.3 of 619 items on average, as the RT
# paper's larger runs start with, and clusters of 100, as merging makes them; along a hierarchy, into sets, and with
# sensitive items. Seconds are those of T alone, on all cores; reading is not counted.
# shellcheck source=bench/common.sh disable=SC1091
. "$(dirname "$0")/common.sh"
need_kanon
bench_transact=$(dirname "$kanon")/bench/bench_transact
[ -x "$bench_transact" ] || skip "$bench_transact is not there; run make bench"

rounds=3
tree=$work/transact_tree.csv

# Records of a cluster have items of one of twenty kinds more often than others.
lists() { # RECORDS FILE
    [ -f "$2" ] || awk -v n="$1" 'BEGIN {
        srand(1)
        for (i = 0; i < 619; i++) { sum += 1 / (i + 3); upto[i] = sum }
        for (r = 0; r < n; r++) {
            if (r % 100 == 0) kind = int(rand() * 20)
            split("", has)
            line = ""
            for (len = 1; len < 17 && rand() < 0.77; len++) ;
            for (; len > 0; len--) {
                x = rand() * sum
                for (i = 0; upto[i] < x; i++) ;
                if (rand() < 0.33) i = (kind * 30 + i % 8) % 619
                if (!(i in has)) line = line " i" (i * 331 % 619)
                has[i] = 1
            }
            print substr(line, 2)
        }
    }' >"$2"
}

one() { # FILE CASE AT-MOST OPTION...
    local in=$1 name=$2 most=$3 best="" ul="" ncp="" seconds
    shift 3
    for ((i = 0; i < rounds; i++)); do
        read -r _ _ _ _ _ seconds _ ul _ ncp < <("$bench_transact" "$@" "$in")
        [ -n "$best" ] && [ "$(calculate "$best <= $seconds")" = True ] || best=$seconds
    done
    claim transact "$name" "T alone" "$best" s "wanted" "$most" 1
    claim transact "$name" ul "$ul" ""
    claim transact "$name" ncp "$ncp" ""
}

awk 'BEGIN { for (i = 0; i < 619; i++) printf "i%d;a%d;b%d;c%d;*\n", i, i / 5, i / 25, i / 125 }' >"$tree"
few=$work/transact_36550.dat
lists 36550 "$few"
one "$few" "1462 clusters of 25, sets" 1 --k 25
one "$few" "1462 clusters of 25, hierarchy" 1 --k 25 --hierarchy "$tree"
one "$few" "1462 clusters of 25, sets, l = 3" 1 --k 15 --l 3
one "$few" "1462 clusters of 25, hierarchy, l = 3" 1 --k 15 --l 3 --hierarchy "$tree"
one "$few" "365 clusters of 100, sets" 2 --k 25 --records 100
one "$few" "365 clusters of 100, hierarchy" 2 --k 25 --records 100 --hierarchy "$tree"
one "$few" "one cluster of 36550, sets" 5 --k 25 --records 36550
one "$few" "one cluster of 36550, hierarchy" 1 --k 25 --records 36550 --hierarchy "$tree"
if [ -z "$quick" ]; then
    many=$work/transact_1000000.dat
    lists 1000000 "$many"
    one "$many" "40000 clusters of 25, sets" 10 --k 25
    one "$many" "40000 clusters of 25, hierarchy" 10 --k 25 --hierarchy "$tree"
fi
