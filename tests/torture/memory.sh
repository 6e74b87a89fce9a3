#!/usr/bin/env bash
# memory.sh - allocations fail, jansson's and expat's among them: the call does all of its work, or exits with 5, speaks of
# memory, prints nothing and leaves nothing.
set -u
# shellcheck source=tests/torture/torture.bash
. "$(dirname "$0")/torture.bash"

small_table >t.csv
printf '33;30-39;*\n34;30-39;*\n35;30-39;*\n36;30-39;*\n51;50-59;*\n52;50-59;*\n57;50-59;*\n58;50-59;*\n' >age.csv
cat >s.json <<'END'
{"columns": {"name": {"role": "identifier"}, "age": {"role": "quasi-identifier", "type": "integer", "hierarchy": "age.csv"},
 "sex": {"role": "quasi-identifier"}, "postcode": {"role": "dropped"}, "diagnosis": {"role": "sensitive"}}}
END
printf '1 2 3\n1 2\n2 3\n1 2 3\n' >b.dat
printf '1;low;*\n2;low;*\n3;high;*\n' >items.csv
"$KANON" hierarchy build t.csv --column age --kind width --width 5 --quiet -o h.csv
"$KANON" anonymize t.csv --schema s.json --k 2 --quiet -o release.csv --save-job job.json
"$KANON" mine tree t.csv --schema s.json --class diagnosis --k 2 --quiet -o m.json -o m.pmml
shop
"$KANON" convert shop shop.trees --tree 'customer(nation) > orders(price)' --foreign-key orders.buyer=customer.id --bin price=100 --hierarchies-to shop.h --quiet
places c.dat places.csv
printf 'item,neighbour\nLA,Seattle\nSeattle,Boston\nBoston,NewYork\n' >edges.csv

starved "$KANON" anonymize t.csv --schema s.json --k 2 --quiet -o made/o.csv
starved "$KANON" anonymize --job job.json --quiet -o made/o.csv --save-job made/j.json
starved "$KANON" anonymize t.csv --schema s.json --sweep k=2,3 --quiet -o made/o.csv
starved "$KANON" anonymize b.dat --guarantee km-anonymity --k 2 --m 2 --method apriori --hierarchy items=items.csv --quiet -o made/o.dat
starved "$KANON" check t.csv --schema s.json --k 3 --json
starved "$KANON" check t.csv --schema s.json --k 3
starved "$KANON" check b.dat --guarantee km-anonymity --k 3 --m 2 --json
starved "$KANON" measure t.csv release.csv --schema s.json --json
starved "$KANON" profile t.csv --json
starved "$KANON" profile b.dat --json
starved "$KANON" convert t.csv made/o.jsonl
starved "$KANON" hierarchy build t.csv --column age --kind width --width 5 --quiet -o made/h.csv
starved "$KANON" hierarchy check h.csv t.csv --column age
starved "$KANON" hierarchy show h.csv
starved "$KANON" sample people --records 5 -o made/p.csv --hierarchies made --schema made/s.json
starved "$KANON" mine tree t.csv --schema s.json --class diagnosis --k 2 --quiet -o made/m.json -o made/m.pmml
starved "$KANON" mine --check m.json t.csv --schema s.json --k 2
starved "$KANON" mine --check m.pmml t.csv --schema s.json --k 2 --json
starved "$KANON" mine --check m.json t.csv --schema s.json --k 2 --report made/r.json
starved "$KANON" apply m.json t.csv --schema s.json -o made/a.csv
starved "$KANON" apply m.json t.csv --schema s.json -o made/a.csv --json
starved "$KANON" convert shop made/o.trees --tree 'customer(nation) > orders(price)' --foreign-key orders.buyer=customer.id --bin price=100 --hierarchies-to made --quiet
starved "$KANON" convert shop.trees made/ --to-tree 'customer(nation) > orders(price)' --quiet
starved "$KANON" anonymize shop.trees --hierarchies shop.h --guarantee kmn-anonymity --k 2 --m 2 --n 1 --quiet -o made/o.trees
starved "$KANON" check shop.trees --hierarchies shop.h --guarantee kmn-anonymity --k 2 --m 2 --n 1 --json
starved "$KANON" anonymize c.dat --guarantee sigma-km-anonymity --k 2 --m 2 --sigma 0.99 --edges edges.csv --quiet -o made/o.dat
if "$KANON" --version | grep -q '^built in:.*geos'; then
    starved "$KANON" anonymize c.dat --guarantee sigma-km-anonymity --k 2 --m 2 --sigma 0.99 --coordinates places.csv --names areas --map made/m.geojson \
        --areas made/a.csv --mapping made/m.csv --quiet -o made/o.dat
fi
if [ -e shop.db ]; then
    starved "$KANON" convert shop.db made/o.trees --tree 'customer(nation) > orders(price)' --foreign-key orders.buyer=customer.id --bin price=100 \
        --hierarchies-to made --quiet
fi
starved "$KANON" list methods
starved "$KANON" list methods --json

# Little memory in all: what does not fit is not mistaken for a defect or for a wrong file.
"$KANON" sample loans --records 2000 --seed 1 -o loans.csv --schema loans.json
wrong=0
least=4000 # KiB with which the command starts at all: libraries differ from build to build
until (ulimit -v $least && exec "$KANON" --version) >/dev/null 2>&1 || [ $least -ge 200000 ]; do least=$((least + 500)); done
failed=0
for size in $(seq $least 400 $((least + 12000))); do
    code=0
    err=$( (ulimit -v "$size" && exec "$KANON" mine tree loans.csv --schema loans.json --class risk --k 3 --quiet -o l.json) 2>&1) || code=$?
    case $code:$err in
    0:*) ;;
    5:*memory*) failed=$((failed + 1)) ;;
    *) wrong=$((wrong + 1)) && echo "# $size KiB: exit $code: $err" ;;
    esac
done
is "mine tree with little memory" 0 "$wrong"
if [ "$failed" -gt 0 ]; then ok "some of it did not suffice"; else not_ok "some of it did not suffice"; fi
finish
