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

# So do those that are alone in their group: its name would say no less.
printf 'pork\npork\npork\nlamb\nveal\nleek\nleek\n' >meat.dat
printf 'pork;swine;meat;*\nlamb;red;meat;*\nveal;white;meat;*\nleek;greens;greens;*\n' >meat.csv
for method in apriori lra vpa; do
    exits "$method with groups of one" 0 "$KANON" anonymize meat.dat -o out.dat --hierarchy items=meat.csv "${km[@]}" --method "$method" --quiet
    is "names the item: $method" "$(printf 'pork\npork\npork\nmeat\nmeat\nleek\nleek')" "$(cat out.dat)"
done

# Sets become sets, in their file's form, with the other columns.
printf 'town,bought\nA,milk|brie\nB,milk|feta\n' >t.csv
exits "a column of items" 0 "$KANON" anonymize t.csv -o out.csv --keep town --allow-unique town --items bought --hierarchy bought=shop.csv "${km[@]}" --quiet
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

# A rare item is left out of all records where that costs less than blurring many.
printf 'milk\nmilk\nmilk brie\nleek\nleek\nleek\nbrie\n' >rare.dat
rare=(--type items=set --hierarchy items=shop.csv "${km[@]}" --method apriori --subtree)
exits "rare items may be left out" 0 "$KANON" anonymize rare.dat -o out.dat "${rare[@]}" --item-suppression 30% --report rare.json --report rare.html
is "everywhere, and the others keep their names" "$(printf 'milk\nmilk\nmilk\nleek\nleek\nleek\n\n.')" "$(cat out.dat; echo .)"
says "it is said how many" "items       1 item left out of all records: 2 occurrences, 1 record emptied by that"
says "and what became empty" "1 of them held nothing but items that were left out"
for name in rare.json rare.html; do
    if grep -q brie $name; then not_ok "$name does not name what is left out"; else ok "$name does not name what is left out"; fi
done
if grep -q '"items_suppressed": 0.25' rare.json && grep -q '"ncp": 0.25' rare.json; then
    ok "what is left out counts as lost"
else
    not_ok "what is left out counts as lost" "$(grep -E '"ncp"|items_supp' rare.json)"
fi
exits "the rest holds" 0 "$KANON" check out.dat --type items=set "${km[@]}"
exits "the items may be named" 0 "$KANON" check out.dat --qi items "${km[@]}"
prints "an empty record stays" "1 record has no items"
exits "it is measured without being told" 0 "$KANON" measure rare.dat out.dat --type items=set --hierarchy items=shop.csv
prints "and seen" "items_suppressed              0.25"
exits "not beyond the limit" 0 "$KANON" anonymize rare.dat -o out.dat "${rare[@]}" --item-suppression 0.2 --quiet
is "so it blurs" "$(printf 'dairy\ndairy\ndairy\nleek\nleek\nleek\ndairy')" "$(cat out.dat)"
exits "the same from a job" 0 "$KANON" anonymize - -o out.dat --job <(printf '{"item_suppression": 0.3, "type": {"items": "set"}, "format": "dat", "hierarchy": {"items": "%s/shop.csv"}, "method": "apriori", "subtree": true, "guarantee": [{"name": "km-anonymity", "k": 2, "m": 2}]}' "$PWD") --quiet <rare.dat
is "gives the same" milk "$(head -n 1 out.dat)"
# Without a hierarchy items can only be left out.
exits "no hierarchy, a limit that suffices" 0 "$KANON" anonymize rare.dat -o out.dat --type items=set "${km[@]}" --item-suppression 0.25 --quiet
is "leaves out and nothing else" "$(printf 'milk\nmilk\nmilk\nleek\nleek\nleek\n\n.')" "$(cat out.dat; echo .)"
exits "no hierarchy, a limit that does not" 4 "$KANON" anonymize rare.dat -o no.dat --type items=set "${km[@]}" --item-suppression 0.1
says "names one that does" "25 % would do (--item-suppression 0.25)"
exits "above all" 2 "$KANON" anonymize rare.dat -o no.dat "${rare[@]}" --item-suppression 1.5
says "is out of range" "give 0 to 1"
small_table >people.csv
exits "tables have no items" 2 "$KANON" anonymize people.csv -o no.csv --drop-rest --qi age --k 2 --item-suppression 0.1
says "is said" "for km-anonymity only"
exits "as printed" 2 "$KANON" anonymize "$examples/table1.dat" -o no.dat "${km[@]}" --method acd --paper --item-suppression 0.1
says "leaves nothing out" "leaves no items out"
exits "numbers are left out" 0 "$KANON" anonymize "$examples/table1.dat" -o out.dat "${km[@]}" --method acd --item-suppression 0.2 --quiet
exits "numbers hold" 0 "$KANON" check out.dat "${km[@]}"

# Records without items, one record, an m beyond all.
printf 'milk\n\nmilk\n\n' >empty.dat
exits "empty records" 0 "$KANON" anonymize empty.dat -o out.dat --hierarchy items=shop.csv "${km[@]}"
is "are kept" "$(printf 'milk\n\nmilk\n\n.')" "$(cat out.dat; echo .)"
says "counted and said" "2 records have no items and stayed in the file"
exits "one record" 4 "$KANON" anonymize - -o no.dat --format dat --hierarchy items=shop.csv "${km[@]}" <<<milk
says "is too few" "only 1 record holds any item"
exits "one record and k = 1" 0 "$KANON" anonymize - -o out.dat --format dat --hierarchy items=shop.csv --guarantee km-anonymity --k 1 --m 2 --quiet <<<milk
is "stays as it is" milk "$(cat out.dat)"
exits "m beyond all records" 0 "$KANON" anonymize shop.dat -o out.dat --hierarchy items=shop.csv --guarantee km-anonymity --k 2 --m 5
says "m beyond all records: a warning" "No record has more than 1 item, so m = 5 asks for k-anonymity of whole records"
is "m beyond all records: no separator is named" 0 "$(grep -c -e --item-separator <<<"$err")"
printf '%s\n' bought 'milk;bread' 'milk;bread' 'bread;eggs' 'bread;eggs' >semicolons.csv
exits "a wrong separator of items" 0 "$KANON" anonymize semicolons.csv --items bought -o semicolons.out.csv --item-suppression 1 "${km[@]}"
says "a wrong separator of items: the right one is named" "Most items of bought hold ';': if it separates items, say --item-separator ';'."
exits "a wrong separator of numbers" 3 "$KANON" anonymize - -o no.csv --numbers pay --drop-rest --k 2 <<<$'sex,pay\nf,"1,2"\nm,"3,4"'
says "a wrong separator of numbers: the right one is named" "if ',' separates the numbers of a cell, say --item-separator ,"
exits "m beyond what can be" 2 "$KANON" anonymize shop.dat -o no.dat --hierarchy items=shop.csv --guarantee km-anonymity --k 2 --m 17
for number in nan NaN inf -inf infinity 1e999; do
    exits "$number is no number" 3 "$KANON" anonymize - -o no.dat --format dat "${km[@]}" --method acd <<<"1 $number"
    says "$number is placed" "record 1"
done

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
    # A few rare items make all departments blur: without them much less is lost.
    ncp() { grep -m 1 -oE '"ncp": [0-9.e-]+' "$1" | cut -d ' ' -f 2; }
    for limit in 0 0.01; do
        exits "groceries, at most $limit left out" 0 "$KANON" anonymize "$sets/groceries.dat" -o out.dat --hierarchy items=groceries.csv \
            "${ask[@]}" --m 2 --method apriori --subtree --item-suppression $limit --report r$limit.json --quiet
        exits "hold" 0 "$KANON" check out.dat "${ask[@]}" --m 2
    done
    if awk -v a="$(ncp r0.01.json)" -v b="$(ncp r0.json)" 'BEGIN { exit !(a != "" && b != "" && a < 0.8 * b) }'; then
        ok "a fifth less is lost at least"
    else
        not_ok "a fifth less is lost at least" "$(ncp r0.01.json) and $(ncp r0.json)"
    fi
else
    skipped "groceries" "$sets is not there"
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
else
    skipped "sessions" "$sets/bms-webview-2.dat.zst is not there, or zstd is not built in"
fi
# 23 of 37 items are rare: what is named must do, however it is rounded.
{
    printf 'a\n%.0s' {1..14}
    printf 'b%s\n' {1..23}
} >rare.dat
rare=(rare.dat --guarantee km-anonymity --k 2 --m 1)
exits "leaving out too little" 4 "$KANON" anonymize "${rare[@]}" --item-suppression 10% -o no.dat
share=$(sed -n 's/.*(--item-suppression \([0-9.e-]*\)).*/\1/p' <<<"$err")
exits "leaving out what was named: $share" 0 "$KANON" anonymize "${rare[@]}" --item-suppression "$share" -o out.dat --quiet
finish
