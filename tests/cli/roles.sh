#!/usr/bin/env bash
# roles.sh - nothing is published unless every column has a role that was chosen, and kept columns single no person out: what is
# listed, what settles it, and where it is recorded.
# shellcheck disable=SC2016,SC2054
set -u
# shellcheck source=tests/cli/tap.bash
. "$(dirname "$0")/tap.bash"
small_table >table.csv
# refused NAME COMMAND...: exit 2, nothing printed, no file.
refused() {
    local name=$1
    shift
    exits "$name" 2 "$@" -o no.csv
    is "$name: nothing is printed" "" "$out"
    absent "$name: no file" no.csv
}

# ---- without roles ----
refused "no role at all" "$KANON" anonymize table.csv --k 3
says "no role at all: how many" "kanon: no role was chosen for 5 columns, so nothing is published:"
for column in name age sex postcode diagnosis; do
    says "no role at all: $column is listed" "$column  "
done
says "no role at all: a line to paste" "  --id name --qi age,sex,postcode --sensitive diagnosis"
# shellcheck disable=SC2046
exits "the line completes the command" 0 "$KANON" anonymize table.csv --k 3 $(grep -- '^  --id' <<<"$err") -o pasted.csv --quiet
exits "--accept-suggested" 0 "$KANON" anonymize table.csv --k 3 --accept-suggested -o accepted.csv --report r.json --report r.html
is "--accept-suggested: the same release" "$(cat pasted.csv)" "$(cat accepted.csv)"
says "--accept-suggested: is said" "accepted as suggested: name (identifier), age (quasi-identifier), sex (quasi-identifier), postcode (quasi-identifier), diagnosis (sensitive)"
is "--accept-suggested: in the JSON" 5 "$(grep -c '"chosen": "suggested"' r.json)"
is "--accept-suggested: in the page" 1 "$(grep -c 'in the role that was suggested</dt><dd>name, age, sex, postcode and diagnosis' r.html)"
refused "from standard input" bash -c '"$KANON" anonymize - --k 3 --qi age "$@" <table.csv' _
says "from standard input: listed too" "no role was chosen for 4 columns"
refused "in a sweep" "$KANON" anonymize table.csv --sweep k=2,3 --qi age
says "in a sweep: listed too" "no role was chosen for 4 columns"
refused "a type, a weight and a hierarchy are no roles" "$KANON" anonymize table.csv --k 2 --qi age --drop name,diagnosis --type sex=category \
    --weight postcode=2
says "a type, a weight and a hierarchy are no roles: both are listed" "no role was chosen for 2 columns"

# ---- the rest ----
exits "--drop-rest" 0 "$KANON" anonymize table.csv --k 3 --qi age --drop-rest -o dropped.csv --save-job job.json --report r.json
is "--drop-rest: one column is left" age "$(head -1 dropped.csv)"
says "--drop-rest: is said" "dropped with the rest: name, sex, postcode and diagnosis"
is "--drop-rest: in the report's columns" 4 "$(grep -c '"chosen": "rest"' r.json)"
is "--drop-rest: in the report's job" 1 "$(grep -c '"drop_rest": true' r.json)"
exits "--drop-rest in a job" 0 "$KANON" anonymize --job job.json -o again.csv --quiet
is "--drop-rest in a job: the same" "$(cat dropped.csv)" "$(cat again.csv)"
exits "check with the same words" 0 "$KANON" check dropped.csv --qi age --drop-rest --k 3
refused "--keep-rest of names" "$KANON" anonymize table.csv --k 3 --qi age --keep-rest
says "--keep-rest of names: by name" "name      it looks like an identifier: its name says 'name'"
says "--keep-rest of names: by values" "postcode  8 of 8 records hold a value that fewer than 3 share"
says "--keep-rest of names: a line to paste" "  --allow-unique name,postcode"
exits "--keep-rest" 0 "$KANON" anonymize table.csv --k 2 --qi age --id name --keep-rest -o kept.csv
says "--keep-rest: is said" "kept with the rest: sex, postcode and diagnosis"
is "--keep-rest: they are there" age,sex,postcode,diagnosis "$(head -1 kept.csv)"
for pair in "--drop-rest --keep-rest" "--accept-suggested --keep-rest" "--accept-suggested --drop-rest"; do
    # shellcheck disable=SC2086
    refused "$pair" "$KANON" anonymize table.csv --k 2 --qi age $pair
done

# ---- a schema ----
echo '{"rest": "dropped", "columns": {"age": {"role": "quasi-identifier"}, "sex": {"type": "category"}}}' >s.json
exits "a schema that drops the rest" 0 "$KANON" anonymize table.csv --k 3 --schema s.json -o schema.csv --quiet
is "a schema that drops the rest: also what it names without a role" "$(cat dropped.csv)" "$(cat schema.csv)"
exits "an option wins over the schema" 0 "$KANON" anonymize table.csv --k 2 --schema s.json --keep-rest --id name --drop postcode -o won.csv --quiet
is "an option wins over the schema: kept" age,sex,diagnosis "$(head -1 won.csv)"
echo '{"columns": {"age": {"role": "quasi-identifier"}, "postcode": {"role": "kept", "allow_unique": true}}}' >s.json
exits "allow_unique in a schema" 0 "$KANON" anonymize table.csv --k 3 --schema s.json --drop-rest -o allowed.csv --quiet
is "allow_unique in a schema: kept" age,postcode "$(head -1 allowed.csv)"
echo '{"columns": {"age": {"role": "quasi-identifier"}, "sex": {"type": "category"}}}' >s.json
refused "a schema without roles" "$KANON" anonymize table.csv --k 3 --schema s.json --id name --drop diagnosis,postcode
says "a schema without roles: named" "no role was chosen for 1 column, so nothing is published:"

# ---- kept columns ----
refused "the largest k of a sweep counts" "$KANON" anonymize table.csv --sweep k=2,3 --qi age,sex --keep postcode --drop-rest
says "the largest k of a sweep counts: says so" "fewer than 3 share"
refused "l-diversity alone: k is 5" "$KANON" anonymize table.csv --guarantee l-diversity --l 2 --qi age --sensitive diagnosis --keep postcode --drop-rest
says "l-diversity alone: says so" "fewer than 5 share"
exits "sensitive values may be unique" 0 "$KANON" anonymize table.csv --k 3 --qi age --sensitive postcode --drop-rest -o sensitive.csv
says "sensitive values may be unique: a point to settle" "Column postcode is published as it is (sensitive): 8 records (100 %) hold a value that fewer than 3 records share."

# ---- names that shells and lists take apart ----
for _ in 1 2; do echo '{"age": 1, "the x": "x", "it'\''s": "x", "a,b": "x"}'; done >odd.jsonl
refused "odd names" "$KANON" anonymize odd.jsonl --k 2 --qi age
says "odd names: quoted" "--keep 'the x','it'\\''s'"
says "odd names: a comma" "'\"a,b\"'"

# ---- roles that follow from other options ----
printf '%s\n' patient,drug,age 1,a,30 1,b,30 2,a,31 2,b,31 >visits.csv
printf '%s\n' 'a;*' 'b;*' >drug.csv
exits "keys and items" 0 "$KANON" anonymize visits.csv --group-by patient --collect drug --drop age --hierarchy drug=drug.csv \
    --guarantee km-anonymity --k 2 --m 2 -o items.csv --report r.json --quiet
is "keys and items: implied" 2 "$(grep -c '"chosen": "implied"' r.json)"
exits "items are no rest" 0 "$KANON" anonymize visits.csv --group-by patient --collect drug --drop-rest --hierarchy drug=drug.csv \
    --guarantee km-anonymity --k 2 --m 2 -o items.csv --quiet
is "items are no rest: published" drug "$(head -1 items.csv)"
refused "items that no guarantee is about" "$KANON" anonymize visits.csv --group-by patient --collect drug --qi age --k 2
says "items that no guarantee is about: are listed" "drug    sensitive  its name says 'drug'"
exits "a class" 0 "$KANON" anonymize table.csv --k 2 --qi age,sex --class diagnosis --method tds --drop-rest -o class.csv --quiet
is "a class: kept" age,sex,diagnosis "$(head -1 class.csv)"

# ---- commands that publish nothing ----
exits "check" 1 "$KANON" check table.csv --qi age,sex --k 3
exits "profile" 0 "$KANON" profile table.csv
exits "convert" 0 "$KANON" convert table.csv table.jsonl
exits "a job that accepted suggestions is no check" 2 bash -c '"$KANON" anonymize table.csv --k 3 --accept-suggested -o a.csv --save-job a.json -q &&
    "$KANON" check a.csv --job a.json'
says "a job that accepted suggestions is no check: says so" "name the roles of a release one by one"

# ---- the case that was reported ----
patients=${SHARED_DATA:-}/synthea/patients.csv.zst
if [ -r "$patients" ] && "$KANON" --version | grep -q '^built in:.*zstd'; then
    refused "names of patients" "$KANON" anonymize "$patients" --id ID,SSN,DRIVERS,PASSPORT,ADDRESS --qi GENDER --k 5
    listed=$(tr -s ' ' <<<"$err" | cut -d' ' -f1,2)
    for row in "FIRST identifier" "LAST identifier" "MAIDEN identifier" "BIRTHDATE quasi-identifier"; do
        exits "names of patients: $row" 0 grep -qx "$row" <<<"$listed"
    done
else
    echo "ok - patients # SKIP $patients is not there"
fi
# ---- names with commas and quotes, which a list holds in quotes ----
{
    echo '"person id","last, first",age,size'
    for i in $(seq 40); do echo "$((1000 + i)),\"Meier$i, Anna\",$((20 + i % 4)),$((i % 3))"; done
} >commas.csv
exits "a name with a comma" 2 "$KANON" anonymize commas.csv --qi age,size --keep-rest --k 2 -o o.csv
is "a name with a comma: the line to paste" "  --allow-unique 'person id','\"last, first\"'" "$(grep '^  --' <<<"$err")"
exits "a name with a comma: is allowed by it" 0 eval "\"\$KANON\" anonymize commas.csv --qi age,size --keep-rest --k 2 -o o.csv $(grep '^  --' <<<"$err")"
{
    echo '"last, first","my ""real"" age","""quoted""",it'\''s pay, lead,"a,b,c",$HOME x'
    for i in $(seq 60); do echo "\"M$i, Otto\",$((20 + i % 9)),$([ $((i % 2)) = 0 ] && echo y || echo n),$((i % 5)),$((i % 3)),$((i % 4)),$((i % 2))"; done
} >names.csv
refused "odd names of all kinds" "$KANON" anonymize names.csv --k 3
line=$(grep '^  --' <<<"$err")
is "odd names of all kinds: the line to paste" "  --id '\"last, first\"' --qi 'my \"real\" age','\"\"\"quoted\"\"\"','it'\\''s pay','\" lead\"','\"a,b,c\"','\$HOME x'" "$line"
exits "odd names of all kinds: pasted" 0 eval "\"\$KANON\" anonymize names.csv --k 3 -o o.csv $line"
says "odd names of all kinds: a point to accept" "--accept-point '\"sorted:last, first\"'"
exits "odd names of all kinds: accepted" 0 eval "\"\$KANON\" anonymize names.csv --k 3 -o o.csv $line --accept-point '\"sorted:last, first\"' --strict"
exits "columns to leave out" 0 "$KANON" anonymize names.csv --k 3 -o o.csv --qi ' my "real" age ' --keep-rest --allow-unique '"last, first"'
says "columns to leave out: in quotes" "Leave them out: --drop '\"last, first\",it'\\''s pay,\"a,b,c\"'."
printf '%s\n' 'id,"a, b",c' 1,x,y 1,z,y 2,x,y 2,z,y >collect.csv
exits "columns of a map" 0 "$KANON" convert collect.csv collected.jsonl --group-by id --collect 'both= "a, b" , c' --drop id
is "columns of a map: collected" 2 "$(grep -c '"both":\["x","y","z"\]' collected.jsonl)"
finish
