#!/usr/bin/env bash
# km.sh - km-anonymity on the command line: the paper's tables, and what users may get wrong.
set -u
# shellcheck source=tests/cli/tap.bash
. "$(dirname "$0")/tap.bash"

km="--guarantee km-anonymity --k 2 --m 2"

printf '%s\n' "11000 11000 20000 40000 40000" "11000 30500 40000" "11000 11000 40000 40000" 11000 20000 >payments.dat
# shellcheck disable=SC2086
exits "Table 1 is not 2^2-anonymous" 1 "$KANON" check payments.dat $km
golden "Table 1: the rare combinations" km-table-1.txt
# shellcheck disable=SC2086
exits "Table 1, for programs" 1 "$KANON" check payments.dat $km --json
golden "Table 1: as JSON" km-table-1.json

printf '%s\n' "11000 11000 [20000,30500] 40000 40000" "11000 [20000,30500] 40000" "11000 11000 40000 40000" \
    11000 "[20000,30500]" >dynamic.dat
# shellcheck disable=SC2086
exits "Table 3 is" 0 "$KANON" check dynamic.dat $km
prints "Table 3: k = 2 for two items" "2 items known: k = 2"
prints "Table 3: counted twice" "counted a second time: all combinations of up to 2 items"
# shellcheck disable=SC2086
exits "Table 3: all of it again" 0 "$KANON" check dynamic.dat $km --recount full
exits "--recount of another guarantee" 2 "$KANON" check people.csv --qi age --k 2 --recount full
says "--recount of another guarantee: says whose" "--recount belongs to km-anonymity"
exits "Table 3 is not 2^3-anonymous" 1 "$KANON" check dynamic.dat --guarantee km-anonymity --k 2 --m 3
exits "Table 3 is not 3^2-anonymous" 1 "$KANON" check dynamic.dat --guarantee km-anonymity --k 3 --m 2
prints "repeats count" "11000, 11000"

# The same in a CSV file, as numbers and as sets.
{
    echo "id,paid"
    nl -w1 -s, dynamic.dat | tr ' ' '|' | sed 's/,\(.*\)$/,"\1"/'
} >dynamic.csv
# shellcheck disable=SC2086
exits "numbers of a release are texts" 0 "$KANON" check dynamic.csv --numbers paid $km
exits "a bag breaks what the set does not" 1 "$KANON" check dynamic.csv --type paid=bag --guarantee km-anonymity --k 3 --m 2
prints "a bag: the repeat" "11000, 11000"
exits "the set" 1 "$KANON" check dynamic.csv --items paid --guarantee km-anonymity --k 3 --m 2
if grep -qF "11000, 11000" <<<"$out"; then not_ok "a set has no repeats"; else ok "a set has no repeats"; fi

printf '%s\n' "a b" "" "a b" "" >empty.dat
# shellcheck disable=SC2086
exits "empty records are kept" 0 "$KANON" check empty.dat $km
prints "empty records are said" "2 records have no items"
exits "m beyond every record" 0 "$KANON" check empty.dat --guarantee km-anonymity --k 2 --m 5
says "m beyond every record: a warning" "no record has more than 2 items"
echo "a b" >one.dat
# shellcheck disable=SC2086
exits "one record" 1 "$KANON" check one.dat $km

# Long form: persons are put together by their names, which stay at home.
printf '%s\n' who,bought Ann,milk Ann,leek Bob,milk Cat,kale Bob,leek Dan,kale >long.csv
printf '%s\n' "milk;dairy;*" "leek;greens;*" "kale;greens;*" >long.hierarchy.csv
# shellcheck disable=SC2086
exits "long form" 0 "$KANON" anonymize long.csv --format long --hierarchy bought=long.hierarchy.csv $km -o long.out.csv
is "long form: persons are numbered" "person,bought 1,leek 1,milk 2,leek 2,milk 3,kale 4,kale" "$(paste -sd' ' long.out.csv)"
# shellcheck disable=SC2086
exits "long form: a key that is kept" 0 "$KANON" anonymize long.csv --format long --keep who --allow-unique who --hierarchy bought=long.hierarchy.csv $km -o long.out.csv
awk -F, '{ print $2 "," $1 }' long.csv >turned.csv
# shellcheck disable=SC2086
exits "long form: the person second" 0 "$KANON" anonymize turned.csv --format long --key who --hierarchy bought=long.hierarchy.csv $km -o long.out.csv
# shellcheck disable=SC2086
exits "long form: the person second, and kept" 0 "$KANON" anonymize turned.csv --format long --key who --keep who --allow-unique who --hierarchy bought=long.hierarchy.csv $km -o long.out.csv

exits "m = 0" 2 "$KANON" check one.dat --guarantee km-anonymity --k 2 --m 0
says "m = 0: what would do" "give 1 to 32"
exits "m = 17" 2 "$KANON" check one.dat --guarantee km-anonymity --k 2 --m 17
exits "no m" 2 "$KANON" check one.dat --guarantee km-anonymity --k 2
says "no m: says so" "km-anonymity needs --m"
exits "m of another guarantee" 2 "$KANON" check one.dat --k 2 --m 2
says "m of another guarantee: says whose" "--m belongs to km-anonymity"
exits "no items" 2 "$KANON" check dynamic.csv --qi id --guarantee km-anonymity --k 2 --m 2
exits "k-anonymity of lists" 2 "$KANON" check one.dat --k 2
says "k-anonymity of lists: what would do" "ask for km-anonymity"
small_table >people.csv
exits "a table has no items" 2 "$KANON" check people.csv --guarantee km-anonymity --k 2 --m 2
says "a table has no items: what would do" "--items"

exits "in the catalogue" 0 "$KANON" list guarantees
prints "in the catalogue: by name" "km-anonymity"

exits "profile of lists" 0 "$KANON" profile payments.dat --known 3
prints "profile: lengths" "items: 1 to 5 items a record, 2.8 on average"
prints "profile: the uniqueness curve" "57.1 %  of the 7 of 2 items"
exits "profile of lists, for programs" 0 "$KANON" profile payments.dat --json
prints "profile: as JSON" '"items_known"'
exits "profile: too many items" 2 "$KANON" profile payments.dat --known 17
for name in income baskets; do
    exits "sample $name" 0 "$KANON" sample $name --records 2000 --seed 1 -o $name.dat
    is "sample $name: a record a line" 2000 "$(wc -l <$name.dat)"
    exits "sample $name: is checked" 1 "$KANON" check $name.dat --guarantee km-anonymity --k 5 --m 2 --quiet
done

if [ -e "${SHARED_DATA:-}/sets/bms-webview-2.dat.zst" ]; then
    for m in 1 2 3; do
        exits "BMS-WebView-2, m = $m" 1 "$KANON" check "$SHARED_DATA/sets/bms-webview-2.dat.zst" \
            --guarantee km-anonymity --k 5 --m $m --limit 0
    done
    prints "BMS-WebView-2: all rare combinations" "1672151 rare combinations"
    prints "BMS-WebView-2: all counted twice" "all combinations of up to 3 items"
    exits "BMS-WebView-2, m = 4" 1 "$KANON" check "$SHARED_DATA/sets/bms-webview-2.dat.zst" \
        --guarantee km-anonymity --k 5 --m 4 --limit 0
    prints "BMS-WebView-2: a share counted twice" "all combinations of up to 3 items, 1 in 6 of those of 4"
    one=$("$KANON" check "$SHARED_DATA/sets/bms-webview-2.dat.zst" --guarantee km-anonymity --k 5 --m 2 --json --threads 1)
    two=$("$KANON" check "$SHARED_DATA/sets/bms-webview-2.dat.zst" --guarantee km-anonymity --k 5 --m 2 --json --threads 3)
    is "BMS-WebView-2: threads change nothing" "$one" "$two"
else
    skipped "BMS-WebView-2" "${SHARED_DATA:-}/sets is not there"
fi
finish
