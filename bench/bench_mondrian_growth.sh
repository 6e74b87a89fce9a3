#!/usr/bin/env bash
# mondrian, k = 5, eight quasi-identifiers, on 10^5, 10^6 and 10^7 people: does time grow like n log n, and
# memory stay below 6 GiB? The whole process is timed: reading, anonymising, writing, re-reading,
# checking, reporting.
# shellcheck source=bench/common.sh disable=SC1091
. "$(dirname "$0")/common.sh"
need_kanon

one() { # ROWS ROUNDS
    local n=$1 name=mondrian_$1
    measure 1 "people_$n" "$kanon" sample people --records "$n" --seed 1 -o "$work/people_$n.csv" \
        --hierarchies "$work/people" --schema "$work/people_$n.schema.json" --quiet
    measure "$2" "$name" "$kanon" anonymize "$work/people_$n.csv" --schema "$work/people_$n.schema.json" \
        --guarantee k-anonymity --k 5 --method mondrian -o "$work/$name.csv" --report "$work/$name.json" --quiet
    "$kanon" check "$work/$name.csv" --qi sex,age,postcode,country,marital,education,occupation,sector \
        --guarantee k-anonymity --k 5 --quiet >/dev/null
    rm -f "$work/$name.csv" "$work/people_$n.csv"
    unit=$(calculate "$(seconds "$name") / ($n * log2($n)) * 1e9")
    claim mondrian_growth "$n rows" "making them" "$(seconds "people_$n")" s
    claim mondrian_growth "$n rows" time "$(seconds "$name")" s
    claim mondrian_growth "$n rows" memory "$(peak "$name")" B "6 GiB" 6442450944 1
}
one 100000 5
first=$unit
claim mondrian_growth "100000 rows" "time/(n log n)" "$unit" ns
for n in 1000000 10000000; do
    [ -z "$quick" ] || [ "$n" -le 1000000 ] || continue
    one "$n" 1
    # Caches make large tables dearer by a constant: twice is still n log n, ten times would be a power more.
    claim mondrian_growth "$n rows" "time/(n log n)" "$unit" ns "100000 rows" "$first" 2
done
