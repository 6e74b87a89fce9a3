#!/usr/bin/env bash
# rt.sh - anonymising tables with item sets: the paper's figures, bounds that hold for the file that is published, jobs, threads,
# sensitive items, and patients with their diagnoses.
# shellcheck disable=SC2001,SC2034,SC2054
set -u
# shellcheck source=tests/cli/tap.bash
. "$(dirname "$0")/tap.bash"
cp -r "$SOURCE_DIR"/examples/rt/. .

anonymity=(--guarantee k-km-anonymity --k 2 --m 2)
diversity=(--guarantee k-lm-diversity --k 2 --l 2 --m 2)
figure=(figure1a.csv --schema schema.json)

# number FILE KEY: the first number of that name in a report.
number() { sed -n "s/.*\"$2\": \([0-9.e-]*\),*/\1/p" "$1" | head -1; }
# at_most NAME A B
at_most() { exits "$1: $2 is at most $3" 0 awk "BEGIN { exit !($2 <= $3) }"; }

# ---- the figures ----
for how in "" --paper; do
    # shellcheck disable=SC2086
    exits "rfirst $how" 0 "$KANON" anonymize "${figure[@]}" "${anonymity[@]}" --method rfirst $how -o out.csv --quiet
    is "Fig. 2a: its classes $how" "$(cut -d, -f1-4 figure2a.csv)" "$(cut -d, -f1-4 out.csv)"
done
for asked in anonymity diversity; do
    declare -n ask=$asked
    for method in rum-bound tum-bound rfirst tfirst; do
        exits "$asked by $method" 0 "$KANON" anonymize "${figure[@]}" "${ask[@]}" --method $method -o out.csv --quiet
        exits "$asked by $method: it holds" 0 "$KANON" check out.csv --schema schema.json "${ask[@]}"
        is "$asked by $method: G and H stay" "G H G H G H" "$(tail -n +2 out.csv | grep -o '[GH]' | xargs)"
    done
    exits "$asked: rum-bound is the default" 0 "$KANON" anonymize "${figure[@]}" "${ask[@]}" -o out.csv --report r.json --quiet
    is "$asked: rum-bound is the default: it says so" rum-bound "$(sed -n 's/.*"method": "\(.*\)".*/\1/p' r.json | tail -1)"
done
is "Fig. 2c: two classes" "Europe Africa" "$(tail -n +2 out.csv | sed 's/^"[^"]*",//' | cut -d, -f1 | uniq | xargs)"
is "Fig. 2c: its ages" "[19,39]" "$(sed -n 2p out.csv | sed 's/^"\([^"]*\)".*/\1/')"
is "clusters are counted" "3 1 2 4" "$(number r.json formed) $(number r.json merges) $(number r.json count) $(number r.json largest)"
exits "in words" 0 "$KANON" anonymize "${figure[@]}" "${diversity[@]}" -o out.csv
words=$err
says "in words: clusters" "clusters    2 clusters of records, the largest with 4 records (3 were formed, then 1 merge of two)"
for line in "  columns   0.[0-9]*  (relational_ncp)" "  items     0.[0-9]*  (items_ncp)" "ul          0.[0-9]*  (utility loss of the items)"; do
    exits "in words: ${line##*  }" 0 grep -q "$line" <<<"$words"
done
exits "tfirst" 0 "$KANON" anonymize "${figure[@]}" "${anonymity[@]}" --method tfirst -o out.csv --quiet
is "Fig. 2b: one class" 6 "$(grep -c '^"\[19,70\]",All,All,' out.csv)"
exits "tfirst in parts" 0 "$KANON" anonymize "${figure[@]}" "${anonymity[@]}" --method tfirst --parts 2 -o out.csv --quiet
exits "tfirst in parts: it holds" 0 "$KANON" check out.csv --schema schema.json "${anonymity[@]}"

# ---- bounds ----
exits "a sample" 0 "$KANON" sample informs --records 3000 -o s.csv --hierarchies h --schema s.json --quiet
sample=(s.csv --schema s.json --guarantee k-km-anonymity --k 10 --m 2)
for method in rum-bound tum-bound; do
    measure=$([ $method = rum-bound ] && echo relational_ncp || echo ul)
    for merge in r t rt; do
        exits "$method --merge $merge" 0 "$KANON" anonymize "${sample[@]}" --method $method --merge $merge --delta 0.6 -o out.csv \
            --report r.json --quiet
        exits "$method --merge $merge: it is measured" 0 "$KANON" measure s.csv out.csv --schema s.json --json
        printf '%s\n' "$out" >m.json
        at_most "$method --merge $merge: $measure" "$(number m.json "$measure")" 0.6
        at_most "$method --merge $merge: the report has it" "($(number r.json "$measure") - $(number m.json "$measure")) ^ 2" 1e-18
        exits "$method --merge $merge: the file holds" 0 "$KANON" check out.csv --schema s.json --guarantee k-km-anonymity --k 10 --m 2
    done
    exits "$method out of reach" 4 "$KANON" anonymize "${sample[@]}" --method $method --delta 0.01 -o none.csv
    absent "$method out of reach: no file" none.csv
    least=$(sed -n 's/.*smallest delta that can be reached here is \([0-9.e-]*\).*/\1/p' <<<"$err")
    exits "$method: delta $least works" 0 "$KANON" anonymize "${sample[@]}" --method $method --delta "$least" -o out.csv \
        --report r.json --quiet
    at_most "$method: $measure" "$(number r.json "$measure")" "$least"
    less=$(awk "BEGIN { print $least - 0.0001 }")
    exits "$method: delta $less does not" 4 "$KANON" anonymize "${sample[@]}" --method $method --delta "$less" -o none.csv --quiet
done
exits "weights" 0 "$KANON" anonymize "${sample[@]}" --delta 0.3 --weight race=1 --weight year=0.1 -o out.csv --report r.json --quiet
exits "weights: measured" 0 "$KANON" measure s.csv out.csv --schema s.json --weight race=1 --weight year=0.1 --json
printf '%s\n' "$out" >m.json
at_most "weights: relational_ncp" "$(number m.json relational_ncp)" 0.3
# ---- weights of items ----
weights=(--item-weight d001=0.25 --item-weight d002=0 --item-weight "*=0.8")
for how in "tum-bound --delta 0.5" "tum-bound --delta 0.5 --merge t" "rum-bound --delta 0.5"; do
    # shellcheck disable=SC2086
    exits "item weights, $how" 0 "$KANON" anonymize "${sample[@]}" "${weights[@]}" --method $how -o out.csv --report r.json --quiet
    exits "item weights, $how: measured" 0 "$KANON" measure s.csv out.csv --schema s.json "${weights[@]}" --json
    printf '%s\n' "$out" >m.json
    at_most "item weights, $how: ul as reported" "($(number r.json ul) - $(number m.json ul)) ^ 2" 1e-18
    exits "item weights, $how: without them" 0 "$KANON" measure s.csv out.csv --schema s.json --json
    printf '%s\n' "$out" >m.json
    at_most "item weights, $how: ul is less" "$(number r.json ul)" "0.9 * $(number m.json ul)"
    case $how in tum*) at_most "item weights, $how: the bound" "$(number r.json ul)" 0.5 ;; esac
    exits "item weights, $how: it holds" 0 "$KANON" check out.csv --schema s.json --guarantee k-km-anonymity --k 10 --m 2
done
exits "item weights in a job" 0 "$KANON" anonymize "${sample[@]}" "${weights[@]}" --delta 0.5 -o one.csv --report r.json --save-job job.json --quiet
exits "item weights in a job: as numbers" 0 grep -q '"d001": 0.25' job.json
exits "item weights in a job: again" 0 "$KANON" anonymize --job job.json -o two.csv --report r2.json --quiet
is "item weights in a job: the same" "$(cksum <one.csv) $(number r.json ul)" "$(cksum <two.csv) $(number r2.json ul)"
sed 's/"type": "set"/"type": "set", "item_weights": {"d001": 0.25, "d002": 0, "*": 0.8}/' s.json >weighted.json
exits "item weights in a schema" 0 "$KANON" anonymize s.csv --schema weighted.json --guarantee k-km-anonymity --k 10 --m 2 --delta 0.5 -o two.csv \
    --report r2.json --quiet
is "item weights in a schema: the same" "$(cksum <one.csv) $(number r.json ul)" "$(cksum <two.csv) $(number r2.json ul)"

# UL counts records that are removed as lost: the bound holds with them.
grep -vE '^d00[12]' h/diagnoses.csv >lacks.csv
lacking=(s.csv --schema s.json --hierarchy diagnoses=lacks.csv --uncovered suppress)
exits "removed records" 0 "$KANON" anonymize "${lacking[@]}" --guarantee k-km-anonymity --k 10 --m 2 --method tum-bound --delta 0.8 \
    -o out.csv --report r.json --quiet
exits "removed records: some" 0 grep -q '"suppressed": [1-9]' r.json
exits "removed records: measured" 0 "$KANON" measure "${lacking[@]:0:1}" out.csv "${lacking[@]:1}" --json
printf '%s\n' "$out" >m.json
at_most "removed records: ul" "$(number m.json ul)" 0.8
exits "one thread" 0 "$KANON" anonymize "${sample[@]}" -o one.csv --threads 1 --quiet
exits "three threads" 0 "$KANON" anonymize "${sample[@]}" -o three.csv --threads 3 --quiet
exits "are the same" 0 cmp one.csv three.csv
head -400 s.csv >few.csv
for merge in r t rt; do
    exits "exact utility, $merge" 0 "$KANON" anonymize few.csv --schema s.json --guarantee k-km-anonymity --k 10 --m 2 --merge $merge \
        --exact-utility -o out.csv --quiet
    exits "exact utility, $merge: it holds" 0 "$KANON" check out.csv --schema s.json --guarantee k-km-anonymity --k 10 --m 2
done
exits "a job keeps it all" 0 "$KANON" anonymize few.csv --schema s.json --guarantee k-km-anonymity --k 10 --m 2 --method tum-bound \
    --delta 0.7 --merge t --exact-utility --paper -o out.csv --save-job job.json --quiet
exits "and runs" 0 "$KANON" anonymize --job job.json -o out2.csv --quiet
exits "the same" 0 cmp out.csv out2.csv

# Groups that are called like values: whoever reads "b" must think of the group.
printf '%s\n' town,codes a,x b,x b,y c,y c,x b,x b,y a,y d,x d,y >named.csv
printf '%s\n' 'a;b;*' 'b;b;*' 'c;e;*' 'd;e;*' >towns.csv
named=(named.csv --qi town --items codes --hierarchy town=towns.csv --guarantee k-km-anonymity --k 2 --m 2)
exits "groups called like values" 4 "$KANON" anonymize "${named[@]}" --delta 0 -o no.csv
least=$(sed -n 's/.*smallest delta that can be reached here is \([0-9.e-]*\).*/\1/p' <<<"$err")
exits "groups called like values: delta $least works" 0 "$KANON" anonymize "${named[@]}" --delta "$least" -o out.csv --report r.json --quiet
at_most "groups called like values" "$(number r.json relational_ncp)" "$least"
# Two groups of one name are one item to the reader.
printf '%s\n' age,codes '30,a|c' '31,b|d' '32,a|d' '33,b|c' >named.csv
printf '%s\n' 'a;g;x;*' 'b;g;x;*' 'c;y;g;*' 'd;z;g;*' >items.csv
named=(named.csv --qi age --items codes --hierarchy codes=items.csv --guarantee k-km-anonymity --k 2 --m 2 --method tum-bound)
exits "groups of one name" 4 "$KANON" anonymize "${named[@]}" --delta 0.5 -o no.csv
says "groups of one name: why" "tum-bound: ul of the file would be 1, above delta = 0.5"
absent "groups of one name: nothing is published" no.csv

# ---- sensitive items, empty lists, items that no hierarchy has ----
exits "sensitive diagnoses" 0 "$KANON" anonymize s.csv --schema s.json --guarantee k-lm-diversity --k 10 --l 3 --m 2 \
    --sensitive-prefix d01 -o out.csv --quiet
exits "sensitive diagnoses: it holds" 0 "$KANON" check out.csv --schema s.json --guarantee k-lm-diversity --k 10 --l 3 --m 2 \
    --sensitive-prefix d01
before=$(grep -o 'd01[0-9]' s.csv | sort | uniq -c)
is "sensitive diagnoses stay as they are" "$before" "$(grep -o 'd01[0-9]' out.csv | sort | uniq -c)"
# Named, and not there: in the file, or in what is left of it.
printf 'age,codes\n%s' "$(printf '%s,x|y\n' 31 32 33 34)" >rare.csv
printf 'x;g;*\ny;g;*\ns;h;*\n' >rare.tree.csv
rare=(--qi age --items codes --hierarchy codes=rare.tree.csv --sensitive-items s --guarantee k-lm-diversity --k 2 --l 2 --m 2 --delta 1)
exits "a sensitive item that only the hierarchy has" 0 "$KANON" anonymize rare.csv "${rare[@]}" -o out.csv --quiet
printf '%s\n' '' '35,x|s|gone' >>rare.csv
exits "the only sensitive item is suppressed" 0 "$KANON" anonymize rare.csv "${rare[@]}" --uncovered suppress -o out.csv --quiet
is "the only sensitive item is suppressed: four are left" 5 "$(wc -l <out.csv)"
printf '%s\n' age,codes 31,s 32, 33,s 34, 35,gone >rare.csv
exits "only sensitive items are left" 0 "$KANON" anonymize rare.csv "${rare[@]}" --uncovered suppress -o out.csv --quiet
is "only sensitive items are left: in two records" 2 "$(grep -c ',s$' out.csv)"
printf 'age,codes\n34,\n35,x\n35,\n36,x|y\n38,x|y\n40,y\n41,y\n50,\n51,\n52,x\n' >empty.csv
empty=(--qi age --items codes --guarantee k-km-anonymity --k 2 --m 2)
wide=("${empty[@]}" --delta 1)
exits "empty lists" 0 "$KANON" anonymize empty.csv "${wide[@]}" -o out.csv --quiet
exits "empty lists: it holds" 0 "$KANON" check out.csv "${empty[@]}"
is "empty lists stay empty" 4 "$(grep -c ',$' out.csv)"
printf 'y;known;*\n' >half.csv
exits "items that the hierarchy lacks" 3 "$KANON" anonymize empty.csv "${wide[@]}" --hierarchy codes=half.csv -o no.csv
exits "as the root" 0 "$KANON" anonymize empty.csv "${wide[@]}" --hierarchy codes=half.csv --uncovered root -o out.csv --quiet
exits "as the root: it holds" 0 "$KANON" check out.csv "${empty[@]}"
exits "removed" 0 "$KANON" anonymize empty.csv "${wide[@]}" --hierarchy codes=half.csv --uncovered suppress -o out.csv --quiet
is "removed: six are left" 7 "$(wc -l <out.csv)"
exits "removed: it holds" 0 "$KANON" check out.csv "${empty[@]}"
# A record that is removed is lost, in the bound as in what is measured.
printf '%s\n' age,codes {31,32,33,34,35,36,37,38}',y|z|w' 40,x 41,x 42, '43,x|y' >lost.csv
printf 'y;known;*\nz;known;*\nw;known;*\n' >most.csv
lost=(lost.csv "${empty[@]}" --hierarchy codes=most.csv --uncovered suppress --method tum-bound)
exits "removed records and the bound" 4 "$KANON" anonymize "${lost[@]}" --delta 0.5 -o no.csv
least=$(sed -n 's/.*smallest delta that can be reached here is \([0-9.e-]*\).*/\1/p' <<<"$err")
exits "removed records: the smallest delta" 0 "$KANON" anonymize "${lost[@]}" --delta "$least" -o out.csv --report r.json --quiet
at_most "removed records: ul" "$(number r.json ul)" "$least"
# Eight records of three items: 3/7 each; three of the twelve records had items and are gone.
at_most "removed records: ul by hand" "($(number r.json ul) - (8 * 3 / 7 + 3) / 12) ^ 2" 1e-18
exits "not as stars" 2 "$KANON" anonymize empty.csv "${wide[@]}" --hierarchy codes=half.csv --uncovered suppress --suppressed starred -o no.csv
says "not as stars: why" "lists cannot be kept as"
awk 'BEGIN { srand(7); print "age,amounts"
    for (i = 0; i < 300; i++) { s = ""; for (a = 10; a <= 80; a += 10) if (rand() < 0.3) s = s (s == "" ? "" : "|") a
        print 20 + int(rand() * 40) "," s } }' >amounts.csv
for how in rfirst "rum-bound --delta 0.3" "tum-bound --delta 0.5"; do
    numbers=(--qi age,amounts --type amounts=numbers)
    # shellcheck disable=SC2086
    exits "numbers by $how" 0 "$KANON" anonymize amounts.csv "${numbers[@]}" --guarantee k-km-anonymity --k 5 --m 2 --method $how \
        -o out.csv --report r.json --quiet
    exits "numbers by $how: in sets" 0 grep -q '{10,' out.csv
    exits "numbers by $how: they hold" 0 "$KANON" check out.csv "${numbers[@]}" --guarantee k-km-anonymity --k 5 --m 2
    exits "numbers by $how: they are measured" 0 "$KANON" measure amounts.csv out.csv "${numbers[@]}" --json
    printf '%s\n' "$out" >m.json
    for measure in ul items_ncp; do
        at_most "numbers by $how: $measure as reported" "($(number r.json $measure) - $(number m.json $measure)) ^ 2" 1e-18
    done
done
exits "bags" 0 "$KANON" anonymize empty.csv "${wide[@]}" --type codes=bag -o out.csv --quiet
exits "bags: they hold" 0 "$KANON" check out.csv "${empty[@]}" --type codes=bag

# ---- patients ----
diabetes=$SHARED_DATA/rt/diabetes.csv.zst
if [ -r "$diabetes" ]; then
    group=(--group-by patient_nbr --collect diagnosis=diag_1,diag_2,diag_3)
    others=$("$KANON" convert "$diabetes" - "${group[@]}" --quiet 2>/dev/null | head -1 | tr -d '\r' | tr , '\n' |
        grep -vxE 'race|gender|age|diagnosis' | paste -sd,)
    patients=("$diabetes" "${group[@]}" --nulls '?' --missing '?' --drop "$others" --qi race,gender,age,diagnosis --codes diagnosis
        --uncovered root --hierarchy diagnosis="$SHARED_DATA/rt/icd9.hierarchy.csv" --guarantee k-km-anonymity --k 25 --m 2)
    for how in "rum-bound --delta 0.2" "rum-bound --delta 0.65" "rum-bound --delta 0.3 --merge t" "tum-bound --delta 0.6" rfirst tfirst; do
        # shellcheck disable=SC2086
        exits "diabetes by $how" 0 "$KANON" anonymize "${patients[@]}" --method $how -o d.csv --report r.json --quiet
        exits "diabetes by $how: it holds" 0 "$KANON" check d.csv --qi race,gender,age --items diagnosis \
            --guarantee k-km-anonymity --k 25 --m 2
        case $how in
        rum-bound*) at_most "diabetes by $how" "$(number r.json relational_ncp)" "$(sed 's/.*delta \([0-9.]*\).*/\1/' <<<"$how")" ;;
        tum-bound*) at_most "diabetes by $how" "$(number r.json ul)" 0.6 ;;
        esac
    done
else
    skipped "diabetes" "$diabetes is not there"
fi
synthea=$SHARED_DATA/synthea
if [ -r "$synthea/patients.csv.zst" ]; then
    people=("$synthea/patients.csv.zst" --join condition="$synthea/conditions.csv.zst" --join-on condition=ID=PATIENT
        --join-items condition=CODE --drop DEATHDATE,PREFIX,SUFFIX,BIRTHPLACE,STATE,MARITAL,CITY
        --id ID,SSN,DRIVERS,PASSPORT,FIRST,LAST,MAIDEN,ADDRESS,ZIP --qi BIRTHDATE,RACE,ETHNICITY,GENDER,condition
        --guarantee k-km-anonymity --k 3 --m 2)
    for how in "rum-bound --delta 0.5" "tum-bound --delta 0.5" rfirst; do
        # shellcheck disable=SC2086
        exits "synthea by $how" 0 "$KANON" anonymize "${people[@]}" --method $how -o p.csv --quiet
        exits "synthea by $how: it holds" 0 "$KANON" check p.csv --qi BIRTHDATE,RACE,ETHNICITY,GENDER --items condition \
            --guarantee k-km-anonymity --k 3 --m 2
    done
else
    skipped "synthea" "$synthea is not there"
fi
finish
