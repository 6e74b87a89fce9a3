#!/usr/bin/env bash
# basic.sh - every command once through, and the manners of the command line.
# shellcheck disable=SC2016,SC2054
set -u
# shellcheck source=tests/cli/tap.bash
. "$(dirname "$0")/tap.bash"

small_table >table.csv
roles=(--id name --qi age,sex --sensitive diagnosis --keep postcode --allow-unique postcode)

# ---- anonymize ----
exits "anonymize" 0 "$KANON" anonymize table.csv --id name --drop postcode --qi age,sex \
    --sensitive diagnosis --k 3 -o out.csv --report r.json --report r.html
is "anonymize: words go to standard error" "" "$out"
is "anonymize: the release has no identifier" "age,sex,diagnosis" "$(head -n 1 out.csv)"
is "anonymize: all records are there" 9 "$(wc -l <out.csv)"
says "anonymize: names the reports" "r.html"
exits "check of the release" 0 "$KANON" check out.csv --qi age,sex --k 3
prints "check of the release: holds" "out.csv: holds"
exits "check of the original" 1 "$KANON" check table.csv --qi age,sex --k 3
prints "check of the original: does not" "table.csv: does not hold"
prints "check: offending classes" "age=34, sex=f"
is "no temporary file is left" "" "$(find . -name '.*.tmp')"
exits "the same bytes again" 0 "$KANON" anonymize table.csv --id name --drop postcode --qi age,sex \
    --sensitive diagnosis --k 3 -o out2.csv --threads 1 --quiet
is "the same bytes again: equal" "$(cksum <out.csv)" "$(cksum <out2.csv)"
is "--quiet says nothing" "" "$out$err"
exits "to standard output" 0 bash -c '"$KANON" anonymize - --id name --drop postcode --qi age,sex \
    --sensitive diagnosis --k 3 -o - <table.csv 2>/dev/null'
is "to standard output: the same" "$(cat out.csv)" "$out"
exits "--json" 0 "$KANON" anonymize table.csv "${roles[@]}" --k 3 -o out3.csv --json
prints "--json: the report" '"satisfied": true'
is "--json: no words" "" "$err"
exits "--json and -o -" 2 "$KANON" anonymize table.csv "${roles[@]}" --k 3 -o - --json
exits "no -o" 2 "$KANON" anonymize table.csv "${roles[@]}" --k 3
says "no -o: says what would do" "-o FILE"
for method in flash mondrian local; do
    exits "method $method" 0 "$KANON" anonymize table.csv "${roles[@]}" --k 2 --method "$method" -o m.csv
    exits "method $method: l-diversity" 0 "$KANON" anonymize table.csv "${roles[@]}" --guarantee l-diversity \
        --l 2 --k 2 --method "$method" -o l.csv
    exits "method $method: checked again" 0 "$KANON" check l.csv --qi age,sex --sensitive diagnosis \
        --guarantee k-anonymity,l-diversity --l 2 --k 2
done
exits "a column with two roles" 2 "$KANON" anonymize table.csv --id name --qi name,age --k 2 -o x.csv
exits "a parameter without its guarantee" 2 "$KANON" anonymize table.csv "${roles[@]}" --k 2 --t 0.2 -o x.csv
says "a parameter without its guarantee: says so" "--t belongs to t-closeness"

# ---- check ----
exits "check --json" 1 "$KANON" check table.csv --qi age,sex --sensitive diagnosis --guarantee l-diversity \
    --l 2 --k 3 --limit 2 --json
prints "check --json: verdict" '"satisfied": false'
is "check --json: --limit" 2 "$(grep -c '"class"' <<<"$out")"
exits "check --limit 0" 1 "$KANON" check table.csv --qi age,sex --k 3 --limit 0
exits "check --quiet" 1 "$KANON" check table.csv --qi age,sex --k 3 --quiet
is "check --quiet: says nothing" "" "$out$err"
exits "check without guarantee" 2 "$KANON" check table.csv --qi age,sex
exits "check: an absent quasi-identifier is refused" 2 "$KANON" check out.csv --qi age,postcode --k 2
exits "check: an absent identifier is fine" 0 "$KANON" check out.csv --id name --qi age,sex --k 2

# ---- profile ----
exits "profile" 0 "$KANON" profile table.csv
prints "profile: the columns" "diagnosis"
case $out in *Cleo*) not_ok "profile: no values of identifiers" "$out" ;; *) ok "profile: no values of identifiers" ;; esac
printf 'age\n31\n' >one.csv
exits "profile: one of each" 0 "$KANON" profile one.csv
prints "profile: one of each: no plural" "one.csv: 1 record, 1 column"
exits "profile --qi" 0 "$KANON" profile table.csv --qi age,sex --id name
prints "profile --qi: uniqueness" "8 of 8 records (100.0 %) are alone"
exits "profile --json" 0 "$KANON" profile table.csv --qi age,sex --json
prints "profile --json: uniqueness" '"uniqueness"'
exits "profile --subsets 5" 2 "$KANON" profile table.csv --subsets 5

# ---- hierarchy ----
exits "hierarchy build" 0 "$KANON" hierarchy build table.csv --column age --kind width --width 5 -o age.csv
exits "hierarchy check" 0 "$KANON" hierarchy check age.csv table.csv --column age
prints "hierarchy check: covers" "it covers every value of age"
exits "hierarchy show" 0 "$KANON" hierarchy show age.csv --depth 2
exits "hierarchy build of the default kind" 0 "$KANON" hierarchy build table.csv --column diagnosis -o d.csv
exits "hierarchy build of one value" 0 "$KANON" hierarchy build one.csv --column age --kind fanout -o one.h.csv
says "hierarchy build of one value: no plural" "1 leaf, "
exits "hierarchy build of cuts" 0 "$KANON" hierarchy build table.csv --column age --cuts 18,40,65 -o c.csv
exits "hierarchy build of prefixes" 0 "$KANON" hierarchy build table.csv --column postcode \
    --type postcode=category --kind prefix --lengths 3,1 -o p.csv
exits "hierarchy build: bad number" 2 "$KANON" hierarchy build table.csv --column age --width 5,5 -o x.csv
exits "hierarchy build: no column" 2 "$KANON" hierarchy build table.csv --column aeg -o x.csv
says "hierarchy build: no column: names the nearest" "did you mean 'age'?"
exits "hierarchy build: over its input" 2 "$KANON" hierarchy build table.csv --column age -o table.csv
exits "hierarchy: unknown action" 2 "$KANON" hierarchy shwo age.csv
exits "hierarchy show: no file" 3 "$KANON" hierarchy show absent.csv
mkdir hierarchies && cp age.csv hierarchies/
exits "a folder of hierarchies" 0 "$KANON" anonymize table.csv "${roles[@]}" --hierarchies hierarchies --k 2 \
    --method flash -o folder.csv

# ---- measure ----
exits "measure" 0 "$KANON" measure table.csv out.csv --id name --drop postcode --qi age,sex --sensitive diagnosis
prints "measure: loss" "loss"
prints "measure: risk" "prosecutor_risk"
exits "measure --json" 0 "$KANON" measure table.csv out.csv --id name --drop postcode --qi age,sex --json
prints "measure --json: utility" '"utility"'
exits "measure of itself" 0 "$KANON" measure table.csv table.csv --qi age,sex --json
prints "measure of itself: no loss" '"loss": 0'

# ---- convert ----
exits "convert to JSON Lines" 0 "$KANON" convert table.csv table.jsonl
exits "convert back" 0 "$KANON" convert table.jsonl back.csv
is "convert back: the same" "$(cat table.csv)" "$(cat back.csv)"
exits "convert to tabs" 0 "$KANON" convert table.csv table.tsv
is "convert to tabs: a tab" "$(printf 'name\tage')" "$(head -n 1 table.tsv | cut -f 1,2)"
exits "convert leaves identifiers out" 0 "$KANON" convert table.csv - --id name --to-separator semicolon
is "convert leaves identifiers out: really" "age;sex;postcode;diagnosis" "$(head -n 1 <<<"$out")"
exits "convert over its input" 2 "$KANON" convert table.csv ./table.csv

# ---- sample ----
exits "sample" 0 "$KANON" sample people --records 50 --seed 3 -o people.csv --hierarchies ph --schema p.json
is "sample: as many as asked" 51 "$(wc -l <people.csv)"
exits "sample: the same again" 0 "$KANON" sample people --records 50 --seed 3
is "sample: the same bytes" "$(cat people.csv)" "$out"
exits "sample: anonymised by its schema" 0 "$KANON" anonymize people.csv --schema p.json --k 3 -o pp.csv
exits "sample: checked by its schema" 0 "$KANON" check pp.csv --schema p.json --k 3
exits "sample: unknown" 2 "$KANON" sample peple
exits "sample: nothing like it" 2 "$KANON" sample nothing
says "sample: nothing like it: lists them all" "there are: people, income, baskets, clinic, informs, youtube, loans, towers"
exits "sample: records in words" 2 "$KANON" sample people --records many

# ---- the command line ----
exits "--opt=value" 0 "$KANON" check --qi=age,sex --k=1 table.csv
exits "-- ends options" 3 "$KANON" check --qi age --k 1 -- --absent.csv
says "-- ends options: it was a file" "--absent.csv"
exits "an option twice" 2 "$KANON" check table.csv --qi age --k 2 --k 3
exits "an option without value" 2 "$KANON" check table.csv --qi age --k
exits "a flag with value" 2 "$KANON" check table.csv --qi age --k 1 --json=yes
exits "too many arguments" 2 "$KANON" check table.csv table.csv --qi age --k 1
exits "too few arguments" 2 "$KANON" check --qi age --k 1
exits "-oFILE" 0 "$KANON" sample people --records 1 -oone.csv
exits "closed standard output" 5 bash -c '"$KANON" --help >&-'
exits "closed standard output, no output" 0 bash -c '"$KANON" check table.csv --qi sex --k 1 --quiet >&-'
exits "closed standard input and error" 0 bash -c '"$KANON" anonymize table.csv --drop-rest --qi age --k 2 -o z.csv <&- 2>&-'
if [ -w /dev/full ]; then
    exits "full standard output" 5 bash -c '"$KANON" list methods >/dev/full'
fi
exits "progress always" 0 "$KANON" sample people --records 10 -o x.csv --progress always
exits "progress sometimes" 2 "$KANON" sample people --progress sometimes
finish
