#!/usr/bin/env bash
# lra.sh - local recoding and vertical partitioning: a shop by hand, the paper's example, and web sessions.
# shellcheck disable=SC2054
set -u
# shellcheck source=tests/cli/tap.bash
. "$(dirname "$0")/tap.bash"

examples=$SOURCE_DIR/examples/income
km=(--guarantee km-anonymity --k 2 --m 2)

# Milk is frequent, milk with a plum is not: there alone it loses its name.
printf 'milk\nmilk\nmilk leek\nmilk leek\nmilk plum\nbrie plum\nbrie\nfeta\n' >shop.dat
printf 'milk;dairy;*\nbrie;dairy;*\nfeta;dairy;*\nleek;greens;*\nplum;fruit;*\n' >shop.csv
shop=(shop.dat --hierarchy items=shop.csv "${km[@]}" --quiet)
meant=$(printf 'milk\nmilk\nleek milk\nleek milk\ndairy plum\ndairy plum\ndairy\ndairy')
exits "a shop by lra" 0 "$KANON" anonymize "${shop[@]}" --method lra -o out.dat --report r.json
is "milk keeps its name where it can" "$meant" "$(cat out.dat)"
is "the measures read each record by itself" "0.2" "$(sed -n 's/.*"ncp": \([0-9.]*\),*/\1/p' r.json | head -1)"
exits "in parts" 0 "$KANON" anonymize "${shop[@]}" --method lra --parts 3 -o out.dat
is "the better one is taken" "$meant" "$(cat out.dat)"
exits "it holds" 0 "$KANON" check out.dat "${km[@]}"
exits "it is measured" 0 "$KANON" measure shop.dat out.dat --hierarchy items=shop.csv
exits "a job keeps the parts" 0 "$KANON" anonymize "${shop[@]}" --method lra --parts 3 -o out.dat --save-job job.json
exits "and runs" 0 "$KANON" anonymize --job job.json -o out2.dat
is "the same" "$(cat out.dat)" "$(cat out2.dat)"
exits "a shop by apriori" 0 "$KANON" anonymize "${shop[@]}" --method apriori -o apriori.dat
exits "a shop by vpa" 0 "$KANON" anonymize "${shop[@]}" --method vpa -o out.dat
is "is as by apriori" "$(cat apriori.dat)" "$(cat out.dat)"

# The paper's Table 1: nothing can be kept that the cut of Table 2 gives up.
tree=(--hierarchy "items=$examples/figure1.hierarchy.csv")
for method in "lra" "vpa" "vpa --subtree --parts 2"; do
    # shellcheck disable=SC2086
    exits "Table 1 by $method" 0 "$KANON" anonymize "$examples/table1.dat" -o out.dat "${tree[@]}" "${km[@]}" --method $method --quiet
    is "is Table 2" "$(cat "$examples/table2.dat")" "$(cat out.dat)"
done

# What cannot be.
exits "k above the records" 4 "$KANON" anonymize shop.dat -o no.dat --hierarchy items=shop.csv --guarantee km-anonymity --k 9 --m 1 --method lra
says "says what could be" "only 8 records"
exits "subtree is not for lra" 2 "$KANON" anonymize "${shop[@]}" --method lra --subtree -o no.dat
exits "a table has no lra" 2 "$KANON" anonymize shop.csv --separator ";" --no-header --qi column2 --drop column1,column3 --k 2 --method lra -o no.dat
absent "nothing was written" no.dat

# Sessions of a web shop: lra loses half of what apriori loses, and threads change nothing.
sets=${SHARED_DATA:-}/sets
if [ -f "$sets/bms-webview-2.dat.zst" ] && "$KANON" --version | grep -q '^built in:.*zstd'; then
    bms=("$sets/bms-webview-2.dat.zst" --hierarchy "items=$sets/bms-webview-2.hierarchy.csv" --guarantee km-anonymity --k 5 --m 2 --quiet)
    ncp() { sed -n 's/.*"ncp": \([0-9.e-]*\),*/\1/p' "$1" | head -1; }
    for method in apriori lra vpa; do
        exits "sessions by $method" 0 "$KANON" anonymize "${bms[@]}" --method "$method" -o "$method.dat" --report "$method.json"
        exits "hold" 0 "$KANON" check "$method.dat" --guarantee km-anonymity --k 5 --m 2
    done
    exits "lra loses half" 0 awk "BEGIN { exit !($(ncp lra.json) < 0.5 * $(ncp apriori.json)) }"
    exits "vpa about as much" 0 awk "BEGIN { exit !($(ncp vpa.json) < 1.05 * $(ncp apriori.json)) }"
    exits "sessions with one thread" 0 "$KANON" anonymize "${bms[@]}" --method lra -o one.dat --threads 1
    exits "are the same" 0 cmp lra.dat one.dat
else
    skipped "sessions" "$sets/bms-webview-2.dat.zst is not there, or zstd is not built in"
fi
finish
