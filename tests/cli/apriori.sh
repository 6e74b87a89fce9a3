#!/usr/bin/env bash
# apriori.sh - items along a hierarchy: the paper's example, and baskets of three shops.
# shellcheck disable=SC2054
set -u
# shellcheck source=tests/cli/tap.bash
. "$(dirname "$0")/tap.bash"

examples=$SOURCE_DIR/examples/income
tree=(--hierarchy "items=$examples/figure1.hierarchy.csv")
km=(--guarantee km-anonymity --k 2 --m 2)

# The paper's Table 1 gives its Table 2.
for how in "" --subtree; do
    exits "Table 1 is anonymised ${how:-and parted}" 0 "$KANON" anonymize "$examples/table1.dat" -o out.dat \
        "${tree[@]}" "${km[@]}" --method apriori ${how:+$how} --quiet
    is "that gives Table 2 ${how:-parted}" "$(cat "$examples/table2.dat")" "$(cat out.dat)"
done
exits "apriori is the default" 0 "$KANON" anonymize "$examples/table1.dat" -o out2.dat "${tree[@]}" "${km[@]}" --quiet
is "so it is the same" "$(cat out.dat)" "$(cat out2.dat)"
exits "Table 2 holds" 0 "$KANON" check out.dat "${km[@]}"
exits "it is measured" 0 "$KANON" measure "$examples/table1.dat" out.dat "${tree[@]}"

# Frequent items keep their names.
printf 'milk\nmilk\nmilk\nbrie\nfeta\nleek\nleek\n' >shop.dat
printf 'milk;dairy;*\nbrie;dairy;*\nfeta;dairy;*\nleek;greens;*\n' >shop.csv
shop=(--hierarchy items=shop.csv "${km[@]}" --quiet)
exits "a shop is anonymised" 0 "$KANON" anonymize shop.dat -o out.dat "${shop[@]}"
is "milk keeps its name" "$(printf 'milk\nmilk\nmilk\ndairy\ndairy\nleek\nleek')" "$(cat out.dat)"
exits "by whole groups" 0 "$KANON" anonymize shop.dat -o out.dat "${shop[@]}" --method apriori --subtree
is "it does not" "$(printf 'dairy\ndairy\ndairy\ndairy\ndairy\nleek\nleek')" "$(cat out.dat)"

# Sets become sets, in their file's form, with the other columns.
printf 'town,bought\nA,milk|brie\nB,milk|feta\n' >t.csv
exits "a column of items" 0 "$KANON" anonymize t.csv -o out.csv --items bought --hierarchy bought=shop.csv "${km[@]}" --quiet
is "beside others" "$(printf 'town,bought\nA,dairy|milk\nB,dairy|milk')" "$(tr -d '"' <out.csv)"

# What cannot be.
exits "no hierarchy" 2 "$KANON" anonymize shop.dat -o no.dat "${km[@]}" --method apriori
says "is asked for" "--hierarchy items=FILE"
exits "an item that no leaf covers" 3 "$KANON" anonymize - -o no.dat --format dat "${shop[@]}" <<<"milk plum"
says "is named" "plum"
exits "k above the records" 4 "$KANON" anonymize shop.dat -o no.dat --hierarchy items=shop.csv --guarantee km-anonymity --k 8 --m 1
says "says what could be" "only 7 records"
exits "m = 0" 2 "$KANON" anonymize shop.dat -o no.dat --hierarchy items=shop.csv --guarantee km-anonymity --k 2 --m 0
absent "nothing was written" no.dat

# The real ones.
sets=${SHARED_DATA:-}/sets
ask=(--guarantee km-anonymity --k 5)
if [ -f "$sets/groceries.dat" ]; then
    # item,label,level2,level1 without quotes: the numbers are what the baskets hold
    sed 1d "$sets/groceries-items.csv" | awk -F, '{ gsub(" ", "_"); print $1 ";" $3 ";" $4 ";*" }' >groceries.csv
    for m in 1 2 3; do
        exits "groceries, m = $m" 0 "$KANON" anonymize "$sets/groceries.dat" -o out.dat \
            --hierarchy items=groceries.csv "${ask[@]}" --m "$m" --quiet
        exits "hold" 0 "$KANON" check out.dat "${ask[@]}" --m "$m"
    done
fi
if [ -f "$sets/bms-webview-2.dat.zst" ] && "$KANON" --version | grep -q '^built in:.*zstd'; then
    for m in 1 2 3; do
        exits "sessions, m = $m" 0 "$KANON" anonymize "$sets/bms-webview-2.dat.zst" -o out.dat \
            --hierarchy "items=$sets/bms-webview-2.hierarchy.csv" "${ask[@]}" --m "$m" --quiet
        exits "hold" 0 "$KANON" check out.dat "${ask[@]}" --m "$m"
    done
    exits "a hierarchy for retail" 0 "$KANON" hierarchy build "$sets/retail.dat.zst" --column items -o retail.csv
    exits "retail" 0 "$KANON" anonymize "$sets/retail.dat.zst" -o out.dat --hierarchy items=retail.csv "${ask[@]}" --m 2 --quiet
    exits "holds" 0 "$KANON" check out.dat "${ask[@]}" --m 2
fi
finish
