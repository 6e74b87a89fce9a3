#!/usr/bin/env bash
# memory_methods.sh - allocations fail in every method, model, format and kind of report; memory.sh has the commands.
# shellcheck disable=SC2054
set -u
# shellcheck source=tests/torture/torture.bash
. "$(dirname "$0")/torture.bash"

small_table >t.csv
printf '33;30-39;*\n34;30-39;*\n35;30-39;*\n36;30-39;*\n51;50-59;*\n52;50-59;*\n57;50-59;*\n58;50-59;*\n' >age.csv
printf '1 2 3\n1 2\n2 3\n1 2 3\n' >b.dat
printf '1;low;*\n2;low;*\n3;high;*\n' >items.csv
cp -r "$SOURCE_DIR"/examples/rt rt
cp "$SOURCE_DIR"/examples/models/{patients.csv,customers.csv,customers-clusters.json,cherries.csv,cherries.dat} .
places c.dat places.csv
echo '{"type": "Polygon", "coordinates": [[[-125, 25], [-65, 25], [-65, 50], [-125, 50], [-125, 25]]]}' >outline.geojson
shop
"$KANON" convert shop shop.trees --tree 'customer(nation) > orders(price)' --foreign-key orders.buyer=customer.id --bin price=100 --hierarchies-to shop.h --quiet
for kind in xml json; do "$KANON" convert shop.trees shop.$kind --quiet; done
for kind in jsonl csv.gz csv.zst; do "$KANON" convert t.csv t.$kind --quiet; done
table=(t.csv --id name --qi age,sex --drop postcode --sensitive diagnosis --hierarchy age=age.csv --k 2 --quiet)
people=(patients.csv --id Point --qi Age --sensitive Result --quiet)
"$KANON" mine clusters "${people[@]}" --k 3 --clusters 2 -o clusters.json

for method in flash mondrian local cluster tds id3; do
    starved "$KANON" anonymize "${table[@]}" --method $method -o made/o.csv
done
starved "$KANON" anonymize "${table[@]}" --guarantee l-diversity --l 2 -o made/o.csv --report made/report.json
starved "$KANON" anonymize "${table[@]}" --guarantee t-closeness --t 0.5 -o made/o.csv --report made/report.html
starved "$KANON" anonymize "${table[@]:0:11}" --sweep k=2,3 --quiet -o made/o.csv --report made/report.html
starved "$KANON" anonymize "${table[@]}" --spreadsheet-safe -o made/o.csv
starved "$KANON" anonymize "${table[@]}" --method flash -o made/o.csv --recoding made/r.json
for method in lra vpa; do
    starved "$KANON" anonymize b.dat --guarantee km-anonymity --k 2 --m 2 --method $method --hierarchy items=items.csv --quiet -o made/o.dat
done
starved "$KANON" anonymize b.dat --guarantee km-anonymity --k 2 --m 2 --method acd --quiet -o made/o.dat --report made/report.html
for method in rum-bound tum-bound rfirst tfirst; do
    starved "$KANON" anonymize rt/figure1a.csv --schema rt/schema.json --guarantee k-km-anonymity --k 2 --m 2 --method $method --quiet -o made/o.csv
done
starved "$KANON" anonymize rt/figure1a.csv --schema rt/schema.json --guarantee k-lm-diversity --k 2 --l 2 --m 2 --quiet -o made/o.csv --report made/report.html
starved "$KANON" check rt/figure1a.csv --schema rt/schema.json --guarantee k-km-anonymity --k 2 --m 2 --json
for method in ecs ocs acs miracle; do
    starved "$KANON" anonymize shop.trees --hierarchies shop.h --guarantee kmn-anonymity --k 2 --m 2 --n 1 --method $method --quiet -o made/o.trees
done
starved "$KANON" anonymize shop.trees --hierarchies shop.h --guarantee kmn-anonymity --k 2 --m 2 --n 1 --quiet -o made/o.json --report made/report.html
starved "$KANON" measure shop.trees shop.trees --hierarchies shop.h --json
if "$KANON" --version | grep -q '^built in:.*geos'; then
    starved "$KANON" anonymize c.dat --guarantee sigma-km-anonymity --k 2 --m 2 --sigma 0.99 --coordinates places.csv --outline outline.geojson --quiet -o made/o.dat \
        --map made/m.geojson
fi

starved "$KANON" mine clusters "${people[@]}" --k 3 --clusters 2 -o made/m.json -o made/m.pmml
starved "$KANON" mine clusters "${people[@]}" --k 3 --clusters 2 --algorithm mst -o made/m.json --report made/report.json
starved "$KANON" mine rules cherries.dat --sensitive-items viagra,tylenol --k 30 --quiet -o made/m.json -o made/m.csv -o made/m.pmml
starved "$KANON" mine --check customers-clusters.json customers.csv --id Name --qi 'Zip Code' --sensitive Income --k 2 --json
starved "$KANON" mine --check cherries.csv cherries.dat --sensitive-items viagra,tylenol --k 30 --json
starved "$KANON" apply clusters.json patients.csv -o made/a.csv

starved "$KANON" init t.csv --yes -o made/job
starved "$KANON" hierarchy suggest t.csv --qi age,sex,postcode
starved "$KANON" hierarchy build t.csv --hierarchies made --qi age,sex,postcode --quiet
starved "$KANON" convert t.csv.gz made/o.csv.zst
starved "$KANON" convert t.csv.zst made/o.csv.gz
starved "$KANON" convert t.jsonl made/o.csv
for kind in xml json; do
    starved "$KANON" convert shop.$kind made/o.trees --quiet
    starved "$KANON" convert shop.trees made/o.$kind --quiet
done
starved "$KANON" sample loans --records 5 -o made/p.csv
starved "$KANON" sample orders --records 5 -o made/p.trees
starved "$KANON" profile t.csv
starved "$KANON" profile b.dat
starved "$KANON" measure t.csv t.csv --id name --qi age,sex --drop postcode --sensitive diagnosis
starved "$KANON" measure shop.trees shop.trees --hierarchies shop.h
starved "$KANON" help anonymize
finish
