#!/usr/bin/env bash
# mine.sh - models on the command line: the paper's trees judged and mined, files and reports, applying, what a model must
# not do, and what users may get wrong.
# shellcheck disable=SC2054
set -u
# shellcheck source=tests/cli/tap.bash
. "$(dirname "$0")/tap.bash"
models=$SOURCE_DIR/examples/models
if [ ! -d "$models" ]; then
    echo "skipped: examples/models is not here"
    exit 77
fi
cp "$models"/* .

loans=(loans.csv --id Name --qi "Marital Status")
car=("${loans[@]}" --sensitive "Sports Car")

# ---- section 4.1: Table 4 and Figure 2 ----
exits "Fig. 2 is 3-anonymous while Sports Car is private" 0 "$KANON" mine --check loans-tree.json "${car[@]}" --k 3
golden "Fig. 2" mine-figure2.txt
exits "Fig. 2 is not 4-anonymous" 1 "$KANON" mine --check loans-tree.json "${car[@]}" --k 4
golden "Fig. 2: the two spans with their four bins" mine-figure2-k4.txt
exits "Fig. 2 is not 3-anonymous when Sports Car is public" 1 "$KANON" mine --check loans-tree.json loans.csv --id Name \
    --qi "Marital Status,Sports Car" --k 3
golden "Fig. 2: John is row 2" mine-figure2-public.txt
case $out$err in *John* | *Lisa*) not_ok "names never appear" "$out" ;; *) ok "names never appear" ;; esac
exits "Fig. 2 for programs" 1 "$KANON" mine --check loans-tree.json loans.csv --id Name --qi "Marital Status,Sports Car" \
    --k 3 --json
golden "Fig. 2: as JSON" mine-figure2-public.json
exits "what breaks it, as a page" 1 "$KANON" mine --check loans-tree.json loans.csv --id Name \
    --qi "Marital Status,Sports Car" --k 3 --report broken.html
is "what breaks it stands before what is to settle" "does not hold</span>;Do not hand it on;kanon mine tree;Also to settle;" \
    "$(grep -oE 'does not hold</span>|Do not hand it on|kanon mine tree|(Also t|T)o settle[a-z ]*' broken.html | tr '\n' ';')"
exits "at most one span" 1 "$KANON" mine --check loans-tree.json "${car[@]}" --k 4 --limit 1 --rows 2
prints "at most one span: says so" "the smallest:"
prints "at most two rows" "rows 1, 5, ..."

# ---- dates that are read as text ----
printf 'born,cls\n01/02/1980,a\n01/02/1980,a\n03/04/1981,b\n03/04/1981,b\n' >born.csv
exits "dates that are read as text are refused" 3 "$KANON" mine tree born.csv --qi born --sensitive cls --class cls --k 2 -o born.json
says "dates that are read as text: what would do" "say it with --date-format"
exits "unless declared as a category" 0 "$KANON" mine tree born.csv --type born=category --qi born --sensitive cls --class cls \
    --k 2 -o born.json

# ---- everything that a file states is known ----
printf 'age,cls\n20,bad\n21,bad\n22,bad\n23,good\n24,good\n40,bad\n41,good\n42,good\n43,good\n44,good\n,bad\n' >ages.csv
ages=(ages.csv --qi age --sensitive cls)
# pmml_tree ROOT_ATTRIBUTES ROOT_INSIDE YOUNG_BAD YOUNG_INSIDE: the rest of the five young are good.
pmml_tree() {
    local counts='<ScoreDistribution value="bad" recordCount="%s"/><ScoreDistribution value="good" recordCount="%s"/>'
    printf '<?xml version="1.0" encoding="UTF-8"?>\n<PMML xmlns="http://www.dmg.org/PMML-4_4" version="4.4"><Header/>\n'
    printf '<DataDictionary><DataField name="age" optype="continuous" dataType="double"/>\n'
    printf '<DataField name="cls" optype="categorical" dataType="string"><Value value="bad"/><Value value="good"/></DataField>'
    printf '</DataDictionary>\n<TreeModel functionName="classification"><MiningSchema><MiningField name="age"/>'
    printf '<MiningField name="cls" usageType="target"/></MiningSchema>\n<Node%s><True/>%s\n<Node score="bad">%s' "$1" "$2" "$4"
    # shellcheck disable=SC2059
    printf "<SimplePredicate field=\"age\" operator=\"lessOrEqual\" value=\"30\"/>$counts</Node>\n" "$3" "$((5 - $3))"
    # shellcheck disable=SC2059
    printf "<Node score=\"good\"><SimplePredicate field=\"age\" operator=\"greaterThan\" value=\"30\"/>$counts</Node>\n" 1 4
    printf '</Node></TreeModel></PMML>\n'
}
counts='<ScoreDistribution value="bad" recordCount="5"/><ScoreDistribution value="good" recordCount="6"/>'
pmml_tree ' score="good" recordCount="11"' "$counts" 3 '' >root.pmml
exits "counts of the root minus those of the leaves" 1 "$KANON" mine --check root.pmml "${ages[@]}" --k 5
golden "counts of the root minus those of the leaves: row 11" mine-root-counts.txt
pmml_tree ' score="good"' '' 3 '' >score.pmml
exits "the commonest class of all tells as much" 1 "$KANON" mine --check score.pmml "${ages[@]}" --k 5
pmml_tree '' '' 3 '' >leaves.pmml
exits "without figures of the root nothing is told" 0 "$KANON" mine --check leaves.pmml "${ages[@]}" --k 5
printf 'p,cls\nx,bad\nx,bad\nx,good\nx,good\nx,good\nx,good\nx,good\ny,bad\n' >xy.csv
printf '%s' '{"kanon_model": 1, "kind": "tree", "attributes": [{"name": "p", "type": "category", "values": ["x", "y"]},
 {"name": "cls", "type": "category", "values": ["bad", "good"]}], "class": "cls", "missing": "next", "last_answer": false,
 "nodes": [{"parent": null, "test": {"is": "true"}, "answer": "good", "population": [3, 5]}, {"parent": 0,
 "test": {"is": "in", "attribute": "p", "values": ["x"]}, "answer": "good", "population": [2, 5]}]}' >xy.json
exits "the same as JSON" 1 "$KANON" mine --check xy.json xy.csv --qi p --sensitive cls --k 3
prints "the same as JSON: row 8" "1 record: too few; row 8"

# ---- counts of other data ----
pmml_tree '' '' 1 '' >false.pmml
exits "false counts" 4 "$KANON" mine --check false.pmml "${ages[@]}" --k 5
golden "false counts: says so" mine-false-counts.txt
exits "false counts, as JSON" 4 "$KANON" mine --check false.pmml "${ages[@]}" --k 5 --json
prints "false counts, as JSON: not satisfied" '"satisfied": false'
prints "false counts, as JSON: two figures" '"other_figures": 2'
exits "false counts, ignored" 0 "$KANON" mine --check false.pmml "${ages[@]}" --k 5 --ignore-counts
prints "false counts, ignored: says so" "2 stated figures are not those of these records"
exits "false counts, ignored, as JSON" 0 "$KANON" mine --check false.pmml "${ages[@]}" --k 5 --ignore-counts --json
prints "false counts, ignored, as JSON: says so" '"ignore_counts": true'
exits "false counts and too few" 1 "$KANON" mine --check false.pmml "${ages[@]}" --k 6
"$KANON" sample loans --records 670 --seed 3 -o few.csv -q
{ cat few.csv; tail -n +2 few.csv; tail -n +2 few.csv; tail -n +2 few.csv; } >four.csv
borrowers=(--id id,name --qi sex,age,education,marital)
for format in json pmml; do
    exits "a tree of 670 records" 0 "$KANON" mine tree few.csv "${borrowers[@]}" --sensitive income --class risk --k 3 \
        -o "few.$format" -q
    exits "these records four times: $format" 4 "$KANON" mine --check "few.$format" four.csv "${borrowers[@]}" \
        --sensitive income,risk --k 10
done
exits "clusters of 670 records" 0 "$KANON" mine clusters few.csv "${borrowers[@]}" --sensitive income --k 3 --clusters 2 -o few-clusters.json -q
exits "these records four times: clusters" 4 "$KANON" mine --check few-clusters.json four.csv "${borrowers[@]}" --sensitive income --k 4

# ---- content that no verdict covers ----
pmml_tree '' '' 3 '<Extension extender="x" name="rows" value="John Smith:bad"/>' >extended.pmml
exits "an Extension" 3 "$KANON" mine --check extended.pmml "${ages[@]}" --k 5
says "an Extension: where it stands" "extended.pmml: line 7, column 19: an Extension inside of Node: what it tells is not judged"
case $out$err in *Smith*) not_ok "an Extension: what it holds is not shown" "$err" ;; *) ok "an Extension: what it holds is not shown" ;; esac
exits "an Extension, ignored" 0 "$KANON" mine --check extended.pmml "${ages[@]}" --k 5 --ignore-extensions
golden "an Extension, ignored: says so" mine-extension.txt
exits "an Extension, ignored, as JSON" 0 "$KANON" mine --check extended.pmml "${ages[@]}" --k 5 --ignore-extensions --json
prints "an Extension, ignored, as JSON: says so" '"unjudged_extensions": 1'
exits "an Extension does not matter for applying" 0 "$KANON" apply extended.pmml ages.csv -o scored-ages.csv -q
exits "a comment" 3 "$KANON" mine --check <(pmml_tree '' '' 3 '<!-- John Smith:bad -->') "${ages[@]}" --k 5
exits "both belong to --check" 2 "$KANON" mine tree "${car[@]}" --class "Loan Risk" --k 3 -o x.json --ignore-extensions

# ---- whole numbers ----
printf 'p,kids,cls\nx,0,c0\nx,3,c0\ny,0,c1\ny,3,c0\ny,3,c1\ny,1,c0\n' >kids.csv
printf '%s' '{"kanon_model": 1, "kind": "tree", "attributes": [{"name": "p", "type": "category", "values": ["x", "y"]},
 {"name": "kids", "type": "integer"}, {"name": "cls", "type": "category", "values": ["c0", "c1"]}], "class": "cls",
 "missing": "next", "last_answer": true, "nodes": [{"parent": null, "test": {"is": "true"}, "answer": "c0"},
 {"parent": 0, "test": {"is": "or", "parts": [{"is": "and", "parts": [{"is": "in", "attribute": "p", "values": ["x"]},
   {"is": ">", "attribute": "kids", "number": 1.2}, {"is": "<", "attribute": "kids", "number": 1.8}]},
   {"is": "and", "parts": [{"is": "in", "attribute": "p", "values": ["y"]}, {"is": ">", "attribute": "kids", "number": 2}]}]},
  "answer": "c1"}, {"parent": 0, "test": {"is": "true"}, "answer": "c0"}]}' >kids.json
exits "nobody has 1.5 children" 1 "$KANON" mine --check kids.json kids.csv --qi p --sensitive kids,cls --k 5
golden "nobody has 1.5 children: two people" mine-whole.txt
exits "incomes may be anything" 0 "$KANON" mine --check kids.json kids.csv --qi p --sensitive kids,cls --k 5 --type kids=decimal

# ---- section 3: Table 1 and Figure 1 ----
exits "Fig. 1 is 3-anonymous" 0 "$KANON" mine --check mortgage-tree.json mortgage.csv --id Name \
    --qi "Gender,Married,Age,Sports Car" --k 3
prints "Fig. 1: leaves 1 and 3 are certain" "6 records known for certain"
exits "Fig. 1 lets loan risks be inferred" 1 "$KANON" mine --check mortgage-tree.json mortgage.csv --id Name \
    --qi "Gender,Married,Age,Sports Car" --k 3 --inference 0.9
prints "Fig. 1: Donna, Emily and Fiona" "rows 10, 11, 12"

# ---- Algorithm 1 on Table 4 (Figure 4) ----
exits "Table 4 is mined" 0 "$KANON" mine tree "${car[@]}" --class "Loan Risk" --k 3 --paper -o mined.json --report mined-report.json
says "Table 4: what was mined" "tree for 'Loan Risk': 3 leaves, depth 2, 2 attributes"
says "Table 4: the guarantee" "k-anonymity: 3 asked, 3 holds"
there "the report" mined-report.json
is "the report says that it holds" 1 "$(grep -c '"satisfied": true' mined-report.json)"
is "no name is in the model" 0 "$(grep -cE 'John|Lisa|Robert' mined.json)"
exits "what was mined passes the check" 0 "$KANON" mine --check mined.json "${car[@]}" --k 3
exits "its promise is what is asked without --k" 0 "$KANON" mine --check mined.json "${car[@]}"
prints "its promise is what is asked" "k-anonymity: 3 asked"
run "$KANON" mine tree "${car[@]}" --class "Loan Risk" --k 3 --paper -o - -q
is "standard output is the model" "$(cat mined.json)" "$out"
run "$KANON" mine tree "${car[@]}" --class "Loan Risk" --k 3 --paper -o - -q --threads 1
is "one thread, the same bytes" "$(cat mined.json)" "$out"
exits "as JSON" 0 "$KANON" mine tree "${car[@]}" --class "Loan Risk" --k 3 --paper -o again.json --json
prints "as JSON: it holds" '"satisfied": true'

# ---- nothing is private ----
exits "a public class" 0 "$KANON" mine tree loans.csv --id Name --qi "Marital Status,Loan Risk" --class "Loan Risk" --k 3 -o public.json --report public.html
is "a public class: the page says so" 1 "$(grep -c 'says: no column or item was called private' public.html)"
says "a public class: nothing was limited" "Holds, with 1 point to settle. No column is called private"
says "a public class: what settles it" "--accept-point nothing-private"
exits "a public class: the report as JSON" 0 "$KANON" mine --check public.json loans.csv --id Name --qi "Marital Status,Loan Risk" --k 3 --report public-report.json
exits "a public class: it is JSON, and a point without a number says null" 0 python3 -c '
import json
point = json.load(open("public-report.json"))["points"][0]
assert point["name"] == "nothing-private" and point["value"] is None, point'
exits "a public class: strictly" 1 "$KANON" mine --check public.json loans.csv --id Name --qi "Marital Status,Loan Risk" --k 3 --strict
exits "a private class, though only public columns are asked" 0 "$KANON" mine tree loans.csv --id Name --qi "Marital Status" --class "Loan Risk" --k 1 --accept-point small-k,certainty --strict -o private.json

# ---- applying ----
exits "a tree is applied" 0 "$KANON" apply loans-tree.json loans.csv --id Name -o scored.csv
says "how often it is right" "right for 5 of 6 records (83.33 %)"
is "the new column" "Marital Status,Sports Car,Loan Risk,predicted" "$(head -n 1 scored.csv)"
is "its answers" "bad good bad bad bad bad " "$(tail -n +2 scored.csv | cut -d, -f4 | tr '\n' ' ')"
cut -d, -f1-3 loans.csv >new.csv
exits "without the class" 0 "$KANON" apply loans-tree.json new.csv -o scored2.csv --name risk
is "a name of its own" "Name,Marital Status,Sports Car,risk" "$(head -n 1 scored2.csv)"
exits "counts for programs" 0 "$KANON" apply loans-tree.json loans.csv --id Name -o scored.csv --json
prints "counts for programs: right" '"right": 5'

# ---- it does not leave unchecked, and leaves nothing else ----
before=$(cksum loans.csv)
exits "the output is not the input" 2 "$KANON" mine tree "${car[@]}" --class "Loan Risk" --k 3 -o loans.csv
exits "nor is the scored table" 2 "$KANON" apply loans-tree.json loans.csv -o loans.csv
is "the input is as it was" "$before" "$(cksum loans.csv)"
cp loans.csv loans.json
exits "whatever it is called" 2 "$KANON" mine tree loans.json --format csv --id Name --qi "Marital Status" --sensitive \
    "Sports Car" --class "Loan Risk" --k 3 -o loans.json
says "whatever it is called: says so" "would overwrite the input"
cp loans-tree.json kept.json
exits "a report is not the model that is judged" 2 "$KANON" mine --check kept.json "${car[@]}" --k 3 --report ./kept.json
says "a report is not the model that is judged: says so" "would overwrite the input"
is "the model is as it was" "$(cksum <loans-tree.json)" "$(cksum <kept.json)"
exits "nor one that is mined" 2 "$KANON" mine tree "${car[@]}" --class "Loan Risk" --k 3 -o both.json --report ./both.json
absent "neither is written" both.json
exits "one model under two names of one file" 2 "$KANON" mine tree "${car[@]}" --class "Loan Risk" --k 3 -o both.json -o ./both.json
says "one model under two names of one file: says so" "given twice"
echo '{"columns": {"Name": {"role": "identifier"}}}' >roles.json
cp roles.json roles.csv
exits "nor is it the schema" 2 "$KANON" mine tree "${car[@]}" --schema roles.json --class "Loan Risk" --k 3 -o roles.json
exits "nor is the scored table" 2 "$KANON" apply loans-tree.json loans.csv --schema roles.csv -o roles.csv
says "nor is the scored table: says so" "would overwrite the schema"
is "the schema is as it was" "$(cksum <roles.json)" "$(cksum <roles.csv)"
exits "a folder that is not there" 5 "$KANON" mine tree "${car[@]}" --class "Loan Risk" --k 3 -o nowhere/m.json
exits "a report that cannot be written" 5 "$KANON" mine tree "${car[@]}" --class "Loan Risk" --k 3 -o left.json \
    --report nowhere/r.json
absent "leaves no model" left.json
is "no temporary files" "" "$(find . -name '.*.*' -type f)"

finish
