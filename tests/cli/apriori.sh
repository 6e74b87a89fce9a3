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

# A hierarchy for each family of items: a root with a name is a group, `*` is not.
printf 'brie;cheese;Food\nfeta;cheese;Food\nplum;fruit;Food\n' >food.csv
printf 'sock;wool;*\nhat;wool;*\n' >wear.csv
printf 'brie sock\nfeta hat\nplum\nplum\n' >both.dat
both=(--hierarchy items=food.csv --hierarchy items=wear.csv)
exits "two families" 0 "$KANON" anonymize both.dat -o out.dat "${both[@]}" "${km[@]}" --quiet --save-job both.json --report both.html
is "each has its groups" "$(printf 'cheese wool\ncheese wool\nplum\nplum')" "$(cat out.dat)"
exits "two families hold" 0 "$KANON" check out.dat "${both[@]}" "${km[@]}"
exits "two families are measured" 0 "$KANON" measure both.dat out.dat "${both[@]}"
prints "the domain is that of both" "ncp                         0.2667"
mv out.dat first.dat
exits "two families in a job" 0 "$KANON" anonymize --job both.json --quiet
is "give the same" "$(cat first.dat)" "$(cat out.dat)"
echo '{"columns": {"items": {"type": "bag", "role": "quasi-identifier", "hierarchy": ["food.csv", "wear.csv"]}}}' >both.schema.json
exits "two families in a schema" 0 "$KANON" anonymize both.dat -o out.dat --schema both.schema.json "${km[@]}" --quiet
is "give the same too" "$(cat first.dat)" "$(cat out.dat)"
mkdir families
cp food.csv families/items.food.csv
cp wear.csv families/items.wear.csv
exits "two families in a folder" 0 "$KANON" anonymize both.dat -o out.dat --hierarchies families "${km[@]}" --quiet
is "give the same as well" "$(cat first.dat)" "$(cat out.dat)"
exits "two families are shown" 0 "$KANON" hierarchy show food.csv wear.csv
prints "below one root" "*  (5 values, 4 levels)"
exits "two families cover" 0 "$KANON" hierarchy check food.csv wear.csv both.dat --column items
exits "one family does not" 3 "$KANON" hierarchy check food.csv both.dat --column items
exits "an item in two families" 3 "$KANON" anonymize both.dat -o no.dat "${both[@]}" --hierarchy items=shop.csv "${km[@]}"
says "names both places" "shop.csv:2: value \"brie\" is in food.csv:1 too"
printf 'x;*\n' >families/items.more.csv
exits "an item in no family" 3 "$KANON" anonymize shop.dat -o no.dat --hierarchies families "${km[@]}"
says "names the item" '"leek", "milk"'
# A column with one value a record has the last.
exits "one value a record" 0 "$KANON" anonymize - -o one.csv --format csv --qi a --hierarchy a=absent.csv --hierarchy a=wear.csv \
    --k 2 --quiet <<<$'a\nsock\nhat'
is "has the last hierarchy" "$(printf 'a\nwool\nwool')" "$(cat one.csv)"
echo '{"columns": {"a": {"role": "quasi-identifier", "hierarchy": ["food.csv", "wear.csv"]}}}' >one.schema.json
exits "several in a schema" 3 "$KANON" anonymize - -o no.csv --format csv --schema one.schema.json --k 2 <<<$'a\nsock\nhat'
says "are for items" "only columns of items may have several"

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
