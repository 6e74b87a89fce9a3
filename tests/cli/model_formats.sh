#!/usr/bin/env bash
# model_formats.sh - mined models in all formats: PMML that is read back keeps what was asked and answers the same, SQL
# answers the same in SQLite, DOT is drawn by Graphviz; pages for people.
set -u
# shellcheck source=tests/cli/tap.bash
. "$(dirname "$0")/tap.bash"

"$KANON" sample loans --records 3000 --seed 4 -o whole.csv --quiet || exit
# gaps, and names and values that have to be quoted
awk -F, -v OFS=, 'NR == 1 { $9 = "what they do & where"; print; next }
    NR % 17 == 0 { $4 = "" } NR % 13 == 0 { $9 = "" } NR % 11 == 0 { $12 = "" }
    { gsub("Never married", "never \047married\047 <yet>", $7); print }' whole.csv >loans.csv
loans=(loans.csv --id "id,name" --qi "sex,age,marital,education,what they do & where")
# Not pruned, and with every value a child: the formats have to hold large trees too.
mined=("${loans[@]}" --sensitive "income,savings" --class risk --k 20 --no-prune --splits values --gain information --smallest 1)
judged=("${loans[@]}" --sensitive "income,savings,risk")

exits "a tree in all formats" 0 "$KANON" mine tree "${mined[@]}" -o t.json -o t.pmml -o t.dot -o t.sql \
    -o t.txt --report t.html --report report.json
for file in t.json t.pmml t.dot t.sql t.txt t.html report.json; do
    there "a tree in all formats: $file" $file
done
is "identifiers are nowhere" 0 "$(cut -d, -f2 whole.csv | tail -n +2 | head -n 50 | grep -cFf - t.json t.pmml t.dot t.sql t.txt \
    t.html report.json | awk -F: '{ n += $2 } END { print n }')"

# ---- PMML ----
exits "the PMML keeps what was asked" 0 "$KANON" mine --check t.pmml "${judged[@]}" --k 20
from_pmml=$out
exits "so does the JSON" 0 "$KANON" mine --check t.json "${judged[@]}" --k 20
is "both tell the same" "$out" "$from_pmml"
exits "and not more" 1 "$KANON" mine --check t.pmml "${judged[@]}" --k 3000 --report broken.html
is "the page of what is broken says so" 1 "$(grep -c 'reveals more than was allowed' broken.html)"
"$KANON" apply t.json loans.csv -o by-json.csv --quiet
"$KANON" apply t.pmml loans.csv -o by-pmml.csv --quiet
is "JSON and PMML answer the same" "$(cksum <by-json.csv)" "$(cksum <by-pmml.csv)"
exits "PMML again from PMML" 0 "$KANON" mine tree "${mined[@]}" -o again.pmml --threads 1
is "the same bytes, whatever the threads" "$(cksum <t.pmml)" "$(cksum <again.pmml)"

# ---- SQL ----
# in_sqlite NAME EXPRESSION DATA SCORED: the expression over the data gives the last column of what was scored.
in_sqlite() {
    if ! command -v sqlite3 >/dev/null; then
        skipped "$1" "sqlite3 is not here"
        return
    fi
    head -n 1 "$3" | awk -F, '{ printf "CREATE TABLE t (";
        for (i = 1; i <= NF; i++) {
            number = $i ~ /^(age|income|savings|loan)$/
            printf "%s\"%s\" %s", (i > 1 ? ", " : ""), $i, (number ? "REAL" : "TEXT")
        }
        print ");" }' >load.sql
    echo ".import --csv --skip 1 $3 t" >>load.sql
    for column in age income savings loan marital "what they do & where"; do
        echo "UPDATE t SET \"$column\" = NULL WHERE \"$column\" = '';" >>load.sql
    done
    {
        echo "SELECT coalesce("
        cat "$2"
        echo ", '') FROM t ORDER BY rowid;"
    } >>load.sql
    sqlite3 :memory: <load.sql >by-sql.txt 2>sql.err || true
    awk -F, 'NR > 1 { print $NF }' "$4" >expected.txt
    if cmp -s by-sql.txt expected.txt; then
        ok "$1"
    else
        not_ok "$1" "$(head -n 3 sql.err)" "$(diff by-sql.txt expected.txt | head -n 5)"
    fi
}
in_sqlite "SQL of the tree answers as the tree does" t.sql loans.csv by-json.csv

# ---- DOT ----
if command -v dot >/dev/null; then
    exits "Graphviz draws the tree" 0 dot -Tsvg t.dot -o t.svg
else
    skipped "Graphviz draws the tree" "dot is not here"
fi

# ---- clusters ----
clusters=(whole.csv --id "id,name" --qi "sex,age,marital" --sensitive "income,savings" --k 20)
exits "clusters in all formats" 0 "$KANON" mine clusters "${clusters[@]}" --clusters 12 -o c.json -o c.pmml -o c.sql -o c.txt \
    --report c.html
"$KANON" apply c.json whole.csv -o by-json.csv --quiet
"$KANON" apply c.pmml whole.csv -o by-pmml.csv --quiet
is "clusters as JSON and PMML answer the same" "$(cksum <by-json.csv)" "$(cksum <by-pmml.csv)"
sed 's/occupation/what they do \& where/' whole.csv >plain.csv
in_sqlite "SQL of the clusters answers as they do" c.sql plain.csv by-json.csv
exits "clusters have no DOT" 2 "$KANON" mine clusters "${clusters[@]}" -o c.dot
says "clusters have no DOT: says so" "clusters have no edges to draw"
absent "clusters have no DOT: no file" c.dot

# ---- pages ----
if command -v python3 >/dev/null; then
    for page in t.html broken.html c.html; do
        exits "$page is well-formed" 0 python3 -c 'import sys, xml.dom.minidom; xml.dom.minidom.parse(sys.argv[1])' $page
    done
else
    skipped "pages are well-formed" "python3 is not here"
fi
finish
