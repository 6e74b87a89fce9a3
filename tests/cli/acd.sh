#!/usr/bin/env bash
# acd.sh - numbers without a hierarchy: the paper's example, and incomes from a table's columns.
# shellcheck disable=SC2054
set -u
# shellcheck source=tests/cli/tap.bash
. "$(dirname "$0")/tap.bash"

examples=$SOURCE_DIR/examples/income
km=(--guarantee km-anonymity --k 2 --m 2)

# The paper's Table 1 gives its Table 3, by both algorithms.
for how in "" --paper; do
    exits "Table 1 is anonymised ${how:-by ours}" 0 "$KANON" anonymize "$examples/table1.dat" -o out.dat \
        "${km[@]}" --method acd ${how:+$how} --quiet
    is "that gives Table 3 ${how:-by ours}" "$(cat "$examples/table3.dat")" "$(cat out.dat)"
done
exits "Table 3 holds" 0 "$KANON" check "$examples/table3.dat" "${km[@]}"
exits "Table 1 does not" 1 "$KANON" check "$examples/table1.dat" "${km[@]}"

# The report has both on common ranges. One person has twenty numbers near 500: they are in no bar of their own.
awk 'BEGIN { for (i = 0; i < 200; i++) printf "%d %d\n", i % 40, 100 + i % 50
    for (j = 0; j < 20; j++) printf "%s%d", j ? " " : "", 500 + j; print "" }' >lists.dat
exits "a report of lists of numbers" 0 "$KANON" anonymize lists.dat -o out.dat --guarantee km-anonymity --k 5 --m 1 --method acd --report r.json --report r.html --quiet
is "lists of numbers: the input in ranges" '"ranges": true,' "$(grep -m 1 -o '"ranges".*' r.json)"
# shown KEY: how many numbers the bars of KEY have.
shown() { python3 -c 'import json, sys; c = json.load(open("r.json"))["columns"][0]; print(round(sum(b["records"] for b in c[sys.argv[1]]["shown"])))' "$1"; }
is "lists of numbers: both count every number" "420 420" "$(shown before) $(shown after_spread)"
is "lists of numbers: no bar is one person's" "" "$(python3 -c 'import json
for b in json.load(open("r.json"))["columns"][0]["before"]["shown"]:
    if b["records"] == 20: print(b)')"
is "lists of numbers: on the page" 1 "$(grep -c 'Share of the numbers, input and published, by value' r.html)"

# Columns that become one bag.
printf 'name,wages,pension,rent\na,100,0,7\nb,100,0,9\nc,0,200,7\nd,0,210,9\n' >t.csv
bag=(--bag income=wages,pension,rent --nulls 0 --drop name)
exits "columns become a bag" 0 "$KANON" convert t.csv out.dat "${bag[@]}" --quiet
is "without nulls" "$(printf '7 100\n9 100\n7 200\n9 210')" "$(cat out.dat)"
exits "a bag is anonymised" 0 "$KANON" anonymize t.csv -o out.csv "${bag[@]}" "${km[@]}" --method acd --quiet
is "as one column" "$(printf 'income\n"100|[7,9]"\n"100|[7,9]"\n"[200,210]|[7,9]"\n"[200,210]|[7,9]"')" "$(cat out.csv)"
exits "the release is checked with the same words" 0 "$KANON" check out.csv "${bag[@]}" "${km[@]}"
exits "nulls alone are refused" 2 "$KANON" profile t.csv --nulls 0
says "with words" "--nulls belongs to --bag"
exits "a column that is not there" 3 "$KANON" profile t.csv --bag income=wages,rents
says "is named" "'rents'"

# What cannot be.
exits "words are refused" 3 "$KANON" anonymize - -o out.dat --format dat "${km[@]}" --method acd <<<"a b"
exits "NaN is refused" 3 "$KANON" anonymize - -o out.dat --format dat "${km[@]}" --method acd <<<"1 nan"
exits "k above the records" 4 "$KANON" anonymize "$examples/table1.dat" -o out.dat --guarantee km-anonymity --k 6 --m 1 --method acd
exits "a record longer than all others" 4 "$KANON" anonymize "$examples/table1.dat" -o out.dat --guarantee km-anonymity --k 2 --m 5 --method acd
says "says what could be" "m can be at most 4"
exits "--paper belongs to acd" 2 "$KANON" anonymize "$examples/table1.dat" -o out.dat "${km[@]}" --method apriori --paper

# Incomes of 100,000 people.
data=${SHARED_DATA:-}/income/acs-pums-100k.csv.zst
if [ -f "$data" ] && "$KANON" --version | grep -q '^built in:.*zstd'; then
    columns=(--bag income=pincp,wagp,intp,pap,retp,ssip,ssp,otherincp --nulls 0
        --drop serialno,sporder,stabbr,pwgtp,adjinc,mar,sex,agep,incgroup)
    ask=(--guarantee km-anonymity --k 10 --m 2)
    exits "incomes are anonymised" 0 "$KANON" anonymize "$data" -o income.csv "${columns[@]}" "${ask[@]}" \
        --method acd --report r.json --quiet
    exits "and hold" 0 "$KANON" check income.csv "${columns[@]}" "${ask[@]}"
    exits "by the paper too" 0 "$KANON" anonymize "$data" -o paper.csv "${columns[@]}" "${ask[@]}" \
        --method acd --paper --d 0.001 --report p.json --quiet
    ours=$(grep -m 1 -oE '"ncp": [0-9.e-]+' r.json | cut -d ' ' -f 2)
    paper=$(grep -m 1 -oE '"ncp": [0-9.e-]+' p.json | cut -d ' ' -f 2)
    if awk -v a="$ours" -v b="$paper" 'BEGIN { exit !(a != "" && b != "" && a <= b / 2) }'; then
        ok "loss $ours, at most half of the printed algorithm's $paper"
    else
        not_ok "loss" "ours $ours, the paper's $paper"
    fi

    # Numbers with more digits than a double has, and apriori over ranges of them; loss by the width of ranges.
    exits "a hierarchy of incomes is built" 0 "$KANON" hierarchy build "$data" --bag "${columns[1]}" --nulls 0 \
        --column income --kind width --width 100 --fanout 2 -o width.csv --quiet
    exits "and covers them" 0 "$KANON" hierarchy check width.csv "$data" --bag "${columns[1]}" --nulls 0 --column income
    exits "apriori follows it" 0 "$KANON" anonymize "$data" -o apriori.csv "${columns[@]}" "${ask[@]}" \
        --method apriori --hierarchy income=width.csv --quiet
    exits "and is measured" 0 "$KANON" measure "$data" apriori.csv "${columns[@]}" --numbers income --json
    apriori=$(grep -m 1 -oE '"ncp": [0-9.e-]+' <<<"$out" | cut -d ' ' -f 2)
    if awk -v a="$ours" -v b="$apriori" 'BEGIN { exit !(a != "" && b != "" && a <= b / 2) }'; then
        ok "loss $ours, at most half of apriori's $apriori"
    else
        not_ok "loss" "ours $ours, apriori's $apriori"
    fi
else
    skipped "incomes" "$data is not there, or zstd is not built in"
fi
finish
