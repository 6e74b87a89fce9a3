#!/usr/bin/env bash
# query_error and mining_loss: what a thousand questions and the frequent sets of 100,000 baskets take beyond the
# other measures, how that grows, and that a large job is none the slower for them.
# shellcheck source=bench/common.sh disable=SC1091,SC2054
. "$(dirname "$0")/common.sh"
need_kanon

rounds=5
[ -z "$quick" ] || rounds=2

one() { # RECORDS: leaves the seconds in $asking and $mining
    local n=$1 in=$work/baskets_$1.dat tree=$work/baskets_$1.csv out=$work/measures_$1.dat
    [ -f "$in" ] || "$kanon" sample baskets --records "$n" --seed 1 -o "$in" --quiet
    [ -f "$tree" ] || "$kanon" hierarchy build "$in" --column items -o "$tree" --quiet
    [ -f "$out" ] || "$kanon" anonymize "$in" -o "$out" --hierarchy "items=$tree" --guarantee km-anonymity --k 5 --m 2 --quiet
    local call=("$kanon" measure "$in" "$out" --hierarchy "items=$tree")
    measure "$rounds" measures_none "${call[@]}" --queries 0 --set-size 1 \
        :: measures_ask "${call[@]}" --queries 1000 --set-size 1 \
        :: measures_mine "${call[@]}" --queries 0
    asking=$(calculate "$(seconds measures_ask) - $(seconds measures_none)")
    mining=$(calculate "$(seconds measures_mine) - $(seconds measures_none)")
    claim measures "$n baskets" memory "$(peak measures_ask)" B
}

one 100000
claim measures "100000 baskets" "1000 questions" "$asking" s "a second" 1 1
claim measures "100000 baskets" "frequent sets, all levels" "$mining" s "a second" 1 1
if [ -z "$quick" ]; then
    few=$asking
    mined=$mining
    one 1000000
    claim measures "1000000 baskets" "1000 questions" "$asking" s "10 times 100000 baskets" "$(calculate "10 * $few")" 1.5
    claim measures "1000000 baskets" "frequent sets, all levels" "$mining" s "10 times 100000 baskets" \
        "$(calculate "10 * $mined")" 1.5
fi

# A table: two values a question.
people=$work/measures_people
[ -f "$people.csv" ] || "$kanon" sample people --records 100000 --seed 1 -o "$people.csv" --hierarchies "$people.hierarchies" \
    --schema "$people.schema.json" --quiet
"$kanon" anonymize "$people.csv" --schema "$people.schema.json" --k 5 --method mondrian -o "$people.out.csv" --quiet
call=("$kanon" measure "$people.csv" "$people.out.csv" --schema "$people.schema.json")
measure "$rounds" measures_table "${call[@]}" --queries 0 :: measures_values "${call[@]}" --queries 1000
claim measures "100000 people" "1000 questions" "$(calculate "$(seconds measures_values) - $(seconds measures_table)")" s \
    "a second" 1 1

# A report of a million incomes does not wait for them.
in=$work/income_1000000.dat
[ -f "$in" ] || "$kanon" sample income --records 1000000 --seed 1 -o "$in" --quiet
job=("$kanon" anonymize "$in" -o "$work/measures.dat" --guarantee km-anonymity --k 10 --m 2 --method acd --quiet)
measure 3 measures_basic "${job[@]}" --measures basic :: measures_auto "${job[@]}"
claim measures "1000000 incomes, acd" "time of the job" "$(seconds measures_auto)" s "--measures basic" \
    "$(seconds measures_basic)" 1.05
rm -f "$work/measures.dat"
