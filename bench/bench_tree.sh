#!/usr/bin/env bash
# mine tree: Adult at several k, below 0.3 s from the file to the checked model; growth with the rows of `sample loans` (eight
# categorical and four continuous attributes, 10^5 to 10^7 rows, the last within two minutes) and with the attributes; the same with three
# private attributes, which is what costs most; id3 beside mondrian. Whole processes.
# shellcheck source=bench/common.sh disable=SC1091
. "$(dirname "$0")/common.sh"
need_kanon

columns=sex,age,postcode,country,marital,education,occupation,sector,home,income,savings,loan
if [ -r "$adult/adult.csv.zst" ]; then
    for k in 1 2 10 100 1000; do
        measure 5 "tree_adult_$k" "$kanon" mine tree "$adult/adult.csv.zst" --separator ';' --qi "$adult_qi" --class salary-class \
            --hierarchies "$adult/hierarchies" --k "$k" -o "$work/tree.json" --quiet
        claim tree "Adult, k = $k" time "$(seconds "tree_adult_$k")" s "0.3 s" 0.3 1
    done
fi

tree() { # ROWS ROUNDS NAME COLUMNS [OPTIONS]
    measure "$2" "$3" "$kanon" mine tree "$work/loans_$1.csv" --hierarchies "$work/loans" --id id,name --qi "$4" --class risk \
        --k 100 -o "$work/$3.json" --quiet "${@:5}"
}
private=home,income,loan
public=sex,age,postcode,country,marital,education,occupation,sector,savings
for n in 100000 1000000 10000000; do
    [ -z "$quick" ] || [ "$n" -le 1000000 ] || continue
    "$kanon" sample loans --records "$n" --seed 1 -o "$work/loans_$n.csv" --hierarchies "$work/loans" \
        --schema "$work/loans_$n.schema.json" --quiet
    tree "$n" "$([ "$n" -le 100000 ] && echo 3 || echo 1)" "tree_$n" "$columns"
    claim tree "$n rows, 12 attributes" time "$(seconds "tree_$n")" s
    claim tree "$n rows, 12 attributes" "time a row" "$(calculate "$(seconds "tree_$n") / $n * 1e6")" us
    claim tree "$n rows, 12 attributes" memory "$(peak "tree_$n")" B "4 GiB" 4294967296 1
    if [ "$n" = 10000000 ]; then
        claim tree "$n rows, 12 attributes" time "$(seconds "tree_$n")" s "2 minutes" 120 1
    fi
    # With 10^7 rows growing stops at its limit, so that there is nothing to compare.
    if [ "$n" = 100000 ] || { [ "$n" = 1000000 ] && [ -z "$quick" ]; }; then
        tree "$n" 1 tree_private "$public" --sensitive "$private"
        claim tree "$n rows, 3 of 12 attributes private" time "$(seconds tree_private)" s
        claim tree "$n rows, 3 of 12 attributes private" memory "$(peak tree_private)" B "4 GiB" 4294967296 1
    fi
    if [ "$n" = 1000000 ]; then
        for some in sex,age,income sex,age,postcode,country,income,loan; do
            tree "$n" 1 tree_some "$some"
            claim tree "$n rows, $(tr , '\n' <<<"$some" | wc -l) attributes" time "$(seconds tree_some)" s
        done
        call=("$kanon" anonymize "$work/loans_$n.csv" --schema "$work/loans_$n.schema.json" --qi "$columns" --sensitive risk --k 100
            -o "$work/tree_release.csv" --quiet)
        measure 1 tree_id3 "${call[@]}" --method id3 :: tree_mondrian "${call[@]}" --method mondrian
        claim tree "$n rows" "id3" "$(seconds tree_id3)" s mondrian "$(seconds tree_mondrian)" 2
    fi
    rm -f "$work/loans_$n.csv" "$work/tree_release.csv"
done
