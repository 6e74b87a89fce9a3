#!/usr/bin/env bash
# mine.sh - models on the command line: the paper's trees judged and mined, files and reports, applying, what a model must
# not do, and what users may get wrong.
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
exits "at most one span" 1 "$KANON" mine --check loans-tree.json "${car[@]}" --k 4 --limit 1 --rows 2
prints "at most one span: says so" "the smallest:"
prints "at most two rows" "rows 1, 5, ..."

# ---- section 3: Table 1 and Figure 1 ----
exits "Fig. 1 is 3-anonymous" 0 "$KANON" mine --check mortgage-tree.json mortgage.csv --id Name \
    --qi "Gender,Married,Age,Sports Car" --k 3
prints "Fig. 1: leaves 1 and 3 are certain" "6 records known for certain"
exits "Fig. 1 lets loan risks be inferred" 1 "$KANON" mine --check mortgage-tree.json mortgage.csv --id Name \
    --qi "Gender,Married,Age,Sports Car" --k 3 --inference 0.9
prints "Fig. 1: Donna, Emily and Fiona" "rows 10, 11, 12"

# ---- Algorithm 1 on Table 4 (Figure 4) ----
exits "Table 4 is mined" 0 "$KANON" mine tree "${car[@]}" --class "Loan Risk" --k 3 -o mined.json --report mined-report.json
says "Table 4: what was mined" "tree for 'Loan Risk': 3 leaves, depth 2, 2 attributes"
says "Table 4: the guarantee" "k-anonymity: 3 asked, 3 holds"
there "the report" mined-report.json
is "the report says that it holds" 1 "$(grep -c '"satisfied": true' mined-report.json)"
is "no name is in the model" 0 "$(grep -cE 'John|Lisa|Robert' mined.json)"
exits "what was mined passes the check" 0 "$KANON" mine --check mined.json "${car[@]}" --k 3
exits "its promise is what is asked without --k" 0 "$KANON" mine --check mined.json "${car[@]}"
prints "its promise is what is asked" "k-anonymity: 3 asked"
run "$KANON" mine tree "${car[@]}" --class "Loan Risk" --k 3 -o - -q
is "standard output is the model" "$(cat mined.json)" "$out"
run "$KANON" mine tree "${car[@]}" --class "Loan Risk" --k 3 -o - -q --threads 1
is "one thread, the same bytes" "$(cat mined.json)" "$out"
exits "as JSON" 0 "$KANON" mine tree "${car[@]}" --class "Loan Risk" --k 3 -o again.json --json
prints "as JSON: it holds" '"satisfied": true'

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
