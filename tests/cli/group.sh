#!/usr/bin/env bash
# group.sh - rows grouped by a key, files joined through one, item columns put together: in every command, as options, schema
# and job; what users may get wrong; the diabetes and Synthea data.
# shellcheck disable=SC2016,SC2054
set -u
# shellcheck source=tests/cli/tap.bash
. "$(dirname "$0")/tap.bash"

cat >visits.csv <<'END'
patient,name,age,sex,drug,diag_1,diag_2
7,Ada,34,f,aspirin,401,?
3,Bo,36,m,insulin,250.83,401
7,Ada,35,f,aspirin|statin,250,8
3,Bo,36,m,,250.83,?
5,Cleo,35,f,,?,?
9,Dan,36,m,insulin,401,250
END
group=(--group-by patient --collect drug --collect codes=diag_1,diag_2 --nulls '?' --id name)

exits "convert groups" 0 "$KANON" convert visits.csv grouped.csv "${group[@]}"
says "rows that differ are said" "kanon: warning: rows with one key differ, and the first value is taken: 'age' in 1 of 4 groups"
is "one record a patient, in the order of first rows" "age,sex,drug,codes
34,f,aspirin|statin,250|401|8
36,m,insulin,250.83|401
35,f,,
36,m,insulin,250|401" "$(cat grouped.csv)"
exits "--quiet leaves the words out" 0 "$KANON" convert visits.csv again.csv "${group[@]}" --quiet
is "--quiet leaves the words out: nothing is said" "" "$err"
"$KANON" convert visits.csv visits.jsonl --keep name
exits "JSON Lines" 0 "$KANON" convert visits.jsonl from.csv "${group[@]}" --quiet
is "JSON Lines: the same" "$(cat grouped.csv)" "$(cat from.csv)"
tr , '\t' <visits.csv >visits.tsv
exits "tabs" 0 "$KANON" convert visits.tsv from.csv "${group[@]}" --quiet
is "tabs: the same" "$(cat grouped.csv)" "$(cat from.csv)"
exits "through a pipe" 0 bash -c '"$KANON" convert - from.csv "$@" --quiet <visits.csv' _ "${group[@]}"
is "through a pipe: the same" "$(cat grouped.csv)" "$(cat from.csv)"
exits "as a bag" 0 "$KANON" convert visits.csv bag.csv "${group[@]}" --type codes=bag --quiet
is "as a bag: repeats count" "36,m,insulin,250.83|250.83|401" "$(sed -n 3p bag.csv)"
exits "several keys" 0 "$KANON" convert visits.csv two.csv --group-by patient,age --id name --quiet
is "several keys: each pair is a record" 6 "$(wc -l <two.csv)"
exits "the key can be kept" 0 "$KANON" convert visits.csv kept.csv "${group[@]}" --keep patient --quiet
is "the key can be kept: and published" "7,34,f,aspirin|statin,250|401|8" "$(sed -n 2p kept.csv)"
exits "what was grouped with its key is grouped again" 0 "$KANON" check kept.csv "${group[@]}" --keep patient --qi sex --k 2
is "what was grouped with its key is grouped again: no word" "" "$err"

exits "profile" 0 "$KANON" profile visits.csv "${group[@]}"
prints "profile: of the records" "visits.csv: 4 records, 6 columns"
exits "hierarchy build" 0 "$KANON" hierarchy build visits.csv --column codes -o codes.csv "${group[@]}" --quiet
is "hierarchy build: over all codes" 4 "$(wc -l <codes.csv)"

# Anonymise, check and measure with the same words.
exits "anonymize" 0 "$KANON" anonymize visits.csv "${group[@]}" --drop codes --drop drug --qi age,sex --k 2 -o out.csv \
    --report r.json --json
prints "anonymize: rows that differ are in the report" "Rows with one key differ, and the first value is taken: 'age' in 1 of 4 groups."
if grep -q "patient" out.csv; then not_ok "the key is not published" "$(head -1 out.csv)"; else ok "the key is not published"; fi
exits "check reads the release as it is" 0 "$KANON" check out.csv "${group[@]}" --drop codes --drop drug --qi age,sex --k 2
says "check reads the release as it is: and says so" "there is no column 'patient' in out.csv: its rows are taken for records that were grouped before"
exits "measure" 0 "$KANON" measure visits.csv out.csv "${group[@]}" --drop codes --drop drug --qi age,sex
printf 'age,codes\n34,250|401\n,250\n' >questions.csv
exits "questions are not grouped" 0 "$KANON" measure visits.csv grouped.csv "${group[@]}" --keep drug --qi age,sex --query-file questions.csv
prints "questions are not grouped: they are answered" "query_error"
exits "the original is checked grouped" 1 "$KANON" check visits.csv "${group[@]}" --qi age,sex --k 2
prints "the original is checked grouped: 4 records" "records: 4"
exits "items of groups" 0 "$KANON" anonymize visits.csv "${group[@]}" --drop drug,age,sex --hierarchy codes=codes.csv \
    --guarantee km-anonymity --k 2 --m 2 -o items.csv --quiet
exits "items of groups: check" 0 "$KANON" check items.csv "${group[@]}" --drop drug,age,sex --guarantee km-anonymity --k 2 --m 2

# The same as a schema and as a job.
cat >visits.schema.json <<'END'
{ "group_by": ["patient"], "collect": { "drug": ["drug"], "codes": ["diag_1", "diag_2"] }, "nulls": ["?"],
  "columns": { "name": { "role": "identifier" } } }
END
exits "schema" 0 "$KANON" convert visits.csv from.csv --schema visits.schema.json --quiet
is "schema: the same" "$(cat grouped.csv)" "$(cat from.csv)"
exits "--save-job" 0 "$KANON" anonymize visits.csv "${group[@]}" --drop codes,drug --qi age,sex --k 2 -o out.csv --save-job job.json --quiet
sum=$(cksum <out.csv)
rm out.csv
exits "--job" 0 "$KANON" anonymize --job job.json --quiet
is "--job: the same bytes" "$sum" "$(cksum <out.csv)"

# A code without its point and zeros.
printf '%s\n' "008;001-139;*" "250;249-259;*" "401;401-405;*" >icd.csv
exits "codes that the hierarchy lacks" 3 "$KANON" anonymize visits.csv "${group[@]}" --drop drug,age,sex --hierarchy codes=icd.csv \
    --guarantee km-anonymity --k 2 --m 1 -o coded.csv
says "codes that the hierarchy lacks: which" '"250.83", "8"'
exits "--codes finds them" 0 "$KANON" anonymize visits.csv "${group[@]}" --drop drug,age,sex --hierarchy codes=icd.csv --codes codes \
    --guarantee km-anonymity --k 2 --m 1 -o coded.csv --quiet
exits "--codes: the release holds" 0 "$KANON" check coded.csv "${group[@]}" --drop drug,age,sex --guarantee km-anonymity --k 2 --m 1
exits "--codes without a hierarchy" 2 "$KANON" anonymize visits.csv "${group[@]}" --drop drug,age,sex --codes codes \
    --guarantee km-anonymity --k 2 --m 1 -o coded.csv
says "--codes without a hierarchy: what would do" "--codes: column 'codes' has no hierarchy"

# Joins.
printf 'id,age\n7,34\n3,36\n5,35\n' >people.csv
printf 'who,what,how\n3,x,1\n7,y,1\n3,z,2\n9,y,3\n3,x,\n' >events.csv
join=(--join events=events.csv --join-on events=id=who --join-items events=what)
exits "join" 0 "$KANON" convert people.csv joined.csv "${join[@]}"
is "join: sets by record, empty where there are none" "age,events
34,y
36,x|z
35," "$(cat joined.csv)"
says "join: keys of nobody are said" "join 'events': 1 of the 3 keys in events.csv are of no record: their rows are left out"
exits "two joins together" 0 "$KANON" convert people.csv together.csv "${join[@]}" --join how=events.csv --join-on how=id=who \
    --join-items how=how --items-together items=events,how --quiet
is "two joins together: items are prefixed" "36,events:x|events:z|how:1|how:2" "$(sed -n 3p together.csv)"
"$KANON" convert people.csv parts.csv "${join[@]}" --join how=events.csv --join-on how=id=who --join-items how=how --quiet
printf '%s\n' "x;consonant;*" "y;vowel;*" "z;consonant;*" >events.hierarchy.csv
printf '%s\n' "1;low;*" "2;low;*" "3;high;*" >how.hierarchy.csv
parts=(--items events,how --items-together items=events,how --hierarchy events=events.hierarchy.csv --hierarchy how=how.hierarchy.csv)
exits "hierarchies of the parts" 0 "$KANON" anonymize parts.csv "${parts[@]}" --drop age --guarantee km-anonymity --k 2 --m 1 -o blurred.csv --quiet
exits "hierarchies of the parts: the release holds" 0 "$KANON" check blurred.csv "${parts[@]}" --drop age --guarantee km-anonymity --k 2 --m 1
exits "hierarchies of the parts: measure" 0 "$KANON" measure parts.csv blurred.csv "${parts[@]}" --drop age
is "hierarchies of the parts: groups are prefixed" "items
events:*|how:low
events:*|how:low
\"\"" "$(cat blurred.csv)"
exits "a role of a part" 2 "$KANON" convert parts.csv x.csv "${parts[@]:0:4}" --qi how
says "a role of a part: says so" "--qi: there is no column 'how'"
exits "a joined release is read as it is" 0 "$KANON" check joined.csv "${join[@]}" --qi age --k 1
mkdir sub
cp events.csv sub/
printf '%s' '{ "join": { "events": { "file": "events.csv", "on": "id", "key": "who", "columns": ["what"] } } }' >sub/s.json
exits "join in a schema: paths from its folder" 0 "$KANON" convert people.csv from.csv --schema sub/s.json --quiet
is "join in a schema: the same" "$(cat joined.csv)" "$(cat from.csv)"
exits "join in a job" 0 "$KANON" anonymize people.csv "${join[@]}" --keep events --qi age --k 1 -o released.csv --save-job sub/job.json --quiet
exits "join in a report" 0 "$KANON" anonymize people.csv "${join[@]}" --keep events --qi age --k 1 -o released.csv --report r.json --report r.html --quiet
is "join in a report: the checksum of the joined file" "$(sha256sum <events.csv | cut -d' ' -f1)" \
    "$(sed -n '/"joined"/,/]/ s/.*"sha256": "\(.*\)".*/\1/p' r.json)"
is "join in a report: in the page" 1 "$(grep -c "$(sha256sum <events.csv | cut -d' ' -f1)" r.html)"
exits "join in a sweep" 0 "$KANON" anonymize people.csv "${join[@]}" --keep events --qi age --sweep k=1 --report r.json --quiet
is "join in a sweep: the checksum of the joined file" "$(sha256sum <events.csv | cut -d' ' -f1)" \
    "$(sed -n '/"joined"/,/]/ s/.*"sha256": "\(.*\)".*/\1/p' r.json | head -1)"
rm -f r.json r.html
sum=$(cksum <released.csv)
rm released.csv
exits "join in a job: from another folder" 0 "$KANON" anonymize --job sub/job.json --quiet
is "join in a job: the same bytes" "$sum" "$(cksum <released.csv)"
before=$(cksum <events.csv)
exits "a joined file is not overwritten" 2 "$KANON" convert people.csv events.csv "${join[@]}"
exits "a joined file is not overwritten by a release" 2 "$KANON" anonymize people.csv "${join[@]}" --drop events --qi age --k 1 -o events.csv
says "a joined file is not overwritten by a release: says so" "would overwrite the joined file"
is "a joined file is not overwritten: it is as it was" "$before" "$(cksum <events.csv)"

# Item columns that are bags: what was put together before is read as one, so that repeats count.
printf 'paid,got\n1|1,2\n1|1,2\n1,2\n' >paid.csv
bags=(--type paid=bag --type got=bag --items-together both=paid,got)
exits "bags together" 0 "$KANON" convert paid.csv both.csv "${bags[@]}"
is "bags together: repeats" "paid:1|paid:1|got:2" "$(sed -n 2p both.csv | tr '|' '\n' | sort -r | paste -sd'|')"
exits "bags together: checked" 1 "$KANON" check paid.csv "${bags[@]}" --guarantee km-anonymity --k 3 --m 2
exits "bags together: checked when they are" 1 "$KANON" check both.csv "${bags[@]}" --guarantee km-anonymity --k 3 --m 2
prints "bags together: the repeat is what is rare" "paid:1, paid:1"

# What may be wrong.
bad() {
    local name=$1 wanted=$2 words=$3
    shift 3
    exits "$name: exit $wanted" "$wanted" "$KANON" convert "$@"
    says "$name: says so" "$words"
}
bad "no such key" 3 "visits.csv: there is no column 'pateint' to group by; did you mean 'patient'? Its columns are patient, name, age" \
    visits.csv x.csv --group-by pateint
printf 'patient,age\n7,1\n,2\n,3\n' >holes.csv
bad "rows without a key" 3 "holes.csv: 2 rows have no value in 'patient', the first is record 2" holes.csv x.csv --group-by patient
bad "collect without a key" 2 "--collect drug belongs to --group-by" visits.csv x.csv --collect drug
bad "collect a column that is not there" 3 "set 'codes': there is no column 'diag_9' to put into it" \
    visits.csv x.csv --group-by patient --collect codes=diag_1,diag_9
bad "long form" 2 "leave --group-by out" people.csv x.csv --format long --group-by id
bad "join without a key" 2 "--join events: say by which key, with --join-on" people.csv x.csv --join events=events.csv
bad "join without items" 2 "say which columns hold the items, with --join-items" people.csv x.csv --join events=events.csv --join-on events=id
bad "a key for no join" 2 "--join-on: there is no --join called 'evnts'" people.csv x.csv "${join[@]}" --join-on evnts=id
bad "joined file absent" 3 "nowhere.csv: there is no such file" people.csv x.csv --join e=nowhere.csv --join-on e=id --join-items e=a
bad "joined on the wrong column" 3 "no 'what' of events.csv is the 'id' of any record" people.csv x.csv --join e=events.csv \
    --join-on e=id=what --join-items e=how
bad "joined on what is not a key" 3 "does not tell all records apart" visits.csv x.csv --join e=events.csv --join-on e=patient=who \
    --join-items e=what
bad "a key among the items" 3 "column 'patient' is left out of what is published (identifier): it cannot be a part of it" \
    visits.csv x.csv --group-by patient --collect drug --items-together all=drug,patient
bad "a key of a join among the items" 3 "column 'id' is left out of what is published (identifier)" \
    people.csv x.csv "${join[@]}" --items-together all=events,id
absent "nothing is left behind" x.csv

# Secrets stay: neither keys nor names show, whatever goes wrong.
printf 'patient,age\nSecret7,34\nSecret7,x\nSecret8,36\n' >secret.csv
for options in "--type age=integer" "--type patient=integer" "--qi nothing" "--join e=secret.csv --join-on e=patient --join-items e=age"; do
    # shellcheck disable=SC2086
    run "$KANON" anonymize secret.csv --group-by patient --qi age $options --k 2 -o out.csv
    case $out$err in
    *Secret*) not_ok "keys are not shown: $options" "$err" ;;
    *) ok "keys are not shown: $options" ;;
    esac
done

# Samples are read by their schemas.
for sample in clinic informs youtube; do
    exits "sample $sample" 0 "$KANON" sample "$sample" --records 300 --seed 2 -o "$sample.csv" --hierarchies "$sample" --schema "$sample.json"
    exits "sample $sample: profile" 0 "$KANON" profile "$sample.csv" --schema "$sample.json"
done

diabetes=$SHARED_DATA/rt/diabetes.csv.zst
if [ -r "$diabetes" ]; then
    group=(--group-by patient_nbr --collect diagnosis=diag_1,diag_2,diag_3 --nulls '?' --missing '?' --drop encounter_id)
    exits "diabetes" 0 "$KANON" convert "$diabetes" d.csv "${group[@]}"
    is "diabetes: 71,518 patients" 71519 "$(wc -l <d.csv)"
    # By hand: the different codes of each patient, and their first race that is known.
    "$KANON" convert "$diabetes" rows.csv
    wanted=$(awk -F, 'NR > 1 { for (i = 19; i <= 21; i++) if ($i != "?" && !(($2, $i) in seen)) { seen[$2, $i]; n++ } } END { print n }' rows.csv)
    got=$(awk -F, 'NR > 1 && $17 != "" { n += split($17, a, "|") } END { print n }' d.csv)
    is "diabetes: every code of every patient once" "$wanted" "$got"
    wanted=$(awk -F, 'NR > 1 { if (!($2 in race)) order[++n] = $2; if (!($2 in race) || race[$2] == "?") race[$2] = $3 }
        END { for (i = 1; i <= n; i++) print race[order[i]] }' rows.csv | cksum)
    is "diabetes: the first race of each patient" "$wanted" "$(tail -n +2 d.csv | cut -d, -f1 | cksum)"
    head -1 d.csv | tr -d '\r' | tr , '\n' | grep -v '^diagnosis$' | paste -sd, >others.txt
    items=("${group[@]}" --drop "$(cat others.txt)" --guarantee km-anonymity --k 25 --m 2)
    exits "diabetes: the hierarchy lacks codes" 3 "$KANON" anonymize "$diabetes" "${items[@]}" \
        --hierarchy diagnosis="$SHARED_DATA/rt/icd9.hierarchy.csv" -o diag.csv
    says "diabetes: the hierarchy lacks codes: how many" "78 values of column \"diagnosis\" are in no row of the hierarchy"
    exits "diabetes: items, codes and root" 0 "$KANON" anonymize "$diabetes" "${items[@]}" --codes diagnosis --uncovered root \
        --hierarchy diagnosis="$SHARED_DATA/rt/icd9.hierarchy.csv" -o diag.csv --quiet
    exits "diabetes: the release holds" 0 "$KANON" check diag.csv "${items[@]}"
    exits "diabetes: suppress" 0 "$KANON" anonymize "$diabetes" "${items[@]}" --codes diagnosis --uncovered suppress \
        --hierarchy diagnosis="$SHARED_DATA/rt/icd9.hierarchy.csv" -o fewer.csv --quiet
    exits "diabetes: the smaller release holds" 0 "$KANON" check fewer.csv "${items[@]}"
else
    skipped "diabetes" "$diabetes is not there"
fi

synthea=$SHARED_DATA/synthea
if [ -r "$synthea/patients.csv.zst" ]; then
    exits "synthea" 0 "$KANON" convert "$synthea/patients.csv.zst" p.csv --join condition="$synthea/conditions.csv.zst" \
        --join-on condition=ID=PATIENT --join-items condition=CODE \
        --drop BIRTHDATE,DEATHDATE,SSN,DRIVERS,PASSPORT,PREFIX,FIRST,LAST,SUFFIX,MAIDEN,BIRTHPLACE,ADDRESS
    is "synthea: 1,000 patients" 1001 "$(wc -l <p.csv)"
    is "synthea: no word" "" "$err"
    "$KANON" convert "$synthea/conditions.csv.zst" conditions.csv
    wanted=$(awk -F, 'NR > 1 && !(($3, $5) in seen) { seen[$3, $5]; n++ } END { print n }' conditions.csv)
    got=$(awk -F, 'NR > 1 && $NF != "" { n += split($NF, a, "|") } END { print n }' p.csv)
    is "synthea: every condition of every patient once" "$wanted" "$got"
    # Conditions and drugs as one item column, each with a hierarchy of its own.
    joins=(--join condition="$synthea/conditions.csv.zst" --join-on condition=ID=PATIENT --join-items condition=CODE
        --join drug="$synthea/medications.csv.zst" --join-on drug=ID=PATIENT --join-items drug=CODE)
    for part in condition drug; do
        exits "synthea: a hierarchy of $part" 0 "$KANON" hierarchy build "$synthea/patients.csv.zst" "${joins[@]}" --column $part \
            -o $part.hierarchy.csv --quiet
    done
    together=("${joins[@]}" --items-together items=condition,drug --hierarchy condition=condition.hierarchy.csv
        --hierarchy drug=drug.hierarchy.csv --drop
        BIRTHDATE,DEATHDATE,SSN,DRIVERS,PASSPORT,PREFIX,FIRST,LAST,SUFFIX,MAIDEN,BIRTHPLACE,ADDRESS,MARITAL,RACE,ETHNICITY,GENDER,CITY,STATE,ZIP)
    exits "synthea: conditions and drugs together" 0 "$KANON" anonymize "$synthea/patients.csv.zst" "${together[@]}" --guarantee km-anonymity --k 5 --m 2 \
        -o both.csv --quiet
    exits "synthea: the release holds" 0 "$KANON" check both.csv "${together[@]}" --guarantee km-anonymity --k 5 --m 2
    exits "synthea: measured" 0 "$KANON" measure "$synthea/patients.csv.zst" both.csv "${together[@]}"
else
    skipped "synthea" "$synthea is not there"
fi
finish
