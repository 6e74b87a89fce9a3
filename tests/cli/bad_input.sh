#!/usr/bin/env bash
# bad_input.sh - the table of docs/bad-input.md: what kanon says, its exit code, and that nothing is left behind.
# shellcheck disable=SC2016,SC2054
set -u
# shellcheck source=tests/cli/tap.bash
. "$(dirname "$0")/tap.bash"
page=$SOURCE_DIR/docs/bad-input.md

small_table >table.csv

# bad_call NAME CODE WORDS COMMAND...: it refuses so, in words that the docs show, and leaves the folder as it was. bad:
# kanon anonymize does; bad_check: kanon check.
bad() { bad_call "${@:1:3}" "$KANON" anonymize "${@:4}" -o out.csv; }
bad_check() { bad_call "${@:1:3}" "$KANON" check "${@:4}"; }
bad_call() {
    local name=$1 wanted=$2 words=$3 before after
    shift 3
    before=$(find . -type f | sort | xargs cksum)
    exits "$name: exit $wanted" "$wanted" "$@"
    says "$name: says so" "$words"
    case $err in
    "kanon: "*) ok "$name: the words start with the command's name" ;;
    *) not_ok "$name: the words start with the command's name" "$err" ;;
    esac
    after=$(find . -type f | sort | xargs cksum)
    is "$name: nothing is left behind" "$before" "$after"
    in_docs "$name" "$wanted" "$words"
}

# in_docs NAME CODE WORDS
in_docs() {
    local name=$1 wanted=$2 words=$3
    if [ -f "$page" ]; then
        if grep -qF -- "| $name |" "$page" && grep -F -- "| $name |" "$page" | grep -qF -- "$words" &&
            grep -F -- "| $name |" "$page" | grep -q -- "| $wanted |"; then
            ok "$name: is in the docs"
        else
            not_ok "$name: is in the docs" "$page: no row | $name | with: $words"
        fi
    fi
}

bad "no file" 3 "absent.csv: there is no such file" absent.csv --qi age --k 2

mkdir folder
bad "a directory" 3 "folder: is a folder: give the file in it" folder --qi age --k 2

: >empty.csv
bad "empty file" 3 "empty.csv: " empty.csv --qi age --k 2

head -n 1 table.csv >header.csv
bad "header only" 3 "header.csv: there are no records in it" header.csv --qi age --k 2

printf 'age,sex\n34,f\n36\n' >ragged.csv
bad "ragged row" 3 "ragged.csv: line 3" ragged.csv --qi age --k 2

printf 'age,sex\n34,"f\n36,m\n' >quote.csv
bad "unclosed quote" 3 "quote.csv: line 2" quote.csv --qi age --k 2

printf 'age,sex\n34,f\0\n36,m\n' >nul.csv
bad "NUL byte" 3 "nul.csv: line 2" nul.csv --qi age --k 2

printf 'age,sex\n34,f\n36,\377\n' >latin.csv
bad "invalid UTF-8" 3 "latin.csv: line 3" latin.csv --qi age --k 2

printf 'age,age\n34,f\n' >twice.csv
bad "two columns with one name" 3 "twice.csv: line 1" twice.csv --qi age --k 2

printf 'born\n01/02/1980\n03/04/1975\n' >born.csv
bad "dates of which day or month may come first" 3 "nothing tells whether day or month comes first" born.csv --qi born --k 2
printf 'seen\n2023-01-31 10:15\n2023-02-01 08:00\n' >seen.csv
bad "dates with times" 3 "column 'seen' holds dates with times that are read as text" seen.csv --qi seen --k 2
printf 'pay;sex\n1,234;f\n9,900;m\n' >pay.csv
bad "commas before thousands, or before decimals" 3 "column 'pay' holds numbers in a form that is read as text" pay.csv --qi pay,sex --k 2
printf 'age\n34\nn/a\n36\n' >mark.csv
bad "n/a among numbers" 3 "say --missing 'n/a'" mark.csv --qi age --k 2
printf 'sex,age\nf, 34\nm, 36\n' >spaces.csv
bad "spaces around numbers" 3 "Strip the spaces with --trim" spaces.csv --qi age,sex --k 2
printf 'age, sex\n34, f\n36, m\n' >spaced.csv
bad "spaces around names" 2 "but one with spaces around its name: strip them with --trim" spaced.csv --qi age,sex --k 2
printf 'age;sex\n34;f\n36;m\n' >semicolon.csv
bad "a wrong separator" 2 "its separator looks like ';': give it with --separator" semicolon.csv --qi age,sex --k 2 --separator ,
printf '\n1;2\n3;4\n' >blank.csv
bad "an empty first line, without a header" 3 "blank.csv: line 1: the line is empty, and records follow" \
    blank.csv --no-header --qi column1 --k 2
printf '1 2\n1 2\n' >few.dat
of=(few.dat --guarantee km-anonymity --k 2 --m 1)
bad "a separator of items that is too long" 2 "separated by one character, and '::' has more" "${of[@]}" --item-separator ::
bad "d without the printed algorithm" 2 "add --paper, or leave --d out" "${of[@]}" --method acd --d 0.1
bad "numbers without a method" 2 "of numbers, --method acd makes ranges without a hierarchy" "${of[@]}" --numbers items
bad "a percentage without its sign" 2 "give 0 to 1, or a percentage: 5%" table.csv --qi age --k 2 --suppression 5
printf 'PK\003\004\024\0\010\0\010\0sheet\n1\n' >book.xlsx
bad "an Excel file" 3 "book.xlsx: is an Excel or OpenDocument workbook" book.xlsx --qi age --k 2
printf 'PAR1\025\004\025\n1\n' >data.parquet
bad "a Parquet file" 3 "data.parquet: is a Parquet file" data.parquet --qi age --k 2
of=(table.csv --id name --qi age,sex --keep postcode,diagnosis --k 2)
bad_call "an output that is not written" 2 "out.xlsx: kanon does not write .xlsx: name the output .csv" \
    "$KANON" anonymize "${of[@]}" -o out.xlsx
printf 'a;b;*\nb;a;*\n' >round.csv
bad_call "a hierarchy that goes round" 3 'round.csv:1: value "a" is in a group "b", and value "b" (line 2) is in a group "a"' \
    "$KANON" hierarchy check round.csv
bad_call "a file that may not grow" 5 "big.csv: cannot be written: File too large" \
    bash -c 'ulimit -f 1; exec "$0" sample people --records 5000 --seed 1 -o big.csv' "$KANON"
bad_call "no folder for temporary files" 5 "standard output: cannot be written: there can be no temporary file in nowhere" \
    env TMPDIR=nowhere "$KANON" anonymize "${of[@]}" -o -

bad "unknown column" 2 "--qi: there is no column 'aeg' in table.csv; did you mean 'age'?" \
    table.csv --qi aeg --k 2
is "unknown column: nothing goes to standard output" "" "$out"

bad "tds without a class" 2 "method tds keeps what tells the classes of a column apart: name that column with --class, or with --sensitive" \
    table.csv --id name --qi age --keep sex,postcode,diagnosis --k 2 --method tds
bad "id3 without a class" 2 "method id3 keeps what tells the classes of a column apart: name that column with --class, or with --sensitive" \
    table.csv --id name --qi age --keep sex,postcode,diagnosis --k 2 --method id3
for method in id3 tds; do
    of=(table.csv --id name --qi age,sex --keep postcode --sensitive diagnosis --k 2 --method "$method")
    bad "a class for $method that is no column" 2 "--class: there is no column 'diagnoses' in table.csv; did you mean 'diagnosis'?" \
        "${of[@]}" --class diagnoses
    bad "a class for $method that is generalised" 2 "the class 'sex' is a quasi-identifier: it must be published as it is" "${of[@]}" --class sex
    bad "a class for $method that is an identifier" 2 "the class 'name' is an identifier: it must be published as it is" "${of[@]}" --class name
done
bad "a class for another method" 2 "--class belongs to tds and id3: add --method with one of them" \
    table.csv --id name --qi age,sex --keep postcode --sensitive diagnosis --k 2 --class diagnosis
{ echo age,income; for i in $(seq 600); do echo "$((i % 7)),$((i % 300 * 13))"; done; } >classes.csv
bad "id3 with a class of many values" 3 "method id3: the class 'income' has 300 values, and a tree tells 256 apart at most" \
    classes.csv --qi age --sensitive income --k 2 --method id3
bad "k = 0" 2 "--k: 0 is out of range: give 1 or more" table.csv --qi age --k 0
bad "k of 23 digits" 2 "--k: 99999999999999999999999 is out of range: give at most 4294967295" table.csv --qi age --k 99999999999999999999999

bad "k larger than the table" 4 "k-anonymity with k = 9 cannot be met by 8 records" table.csv --drop-rest --qi age --k 9

bad "cluster for another guarantee" 2 "method cluster reaches k-anonymity only, not l-diversity" \
    table.csv --drop-rest --qi age --sensitive diagnosis --guarantee l-diversity --l 2 --method cluster

printf '33;30-39;*\n34;30-39;*\n35;30-39;*\n36;30-39;*\n51;50-59;*\n52;50-59;*\n' >age.csv
bad "hierarchy with a gap" 3 "age.csv" table.csv --drop-rest --qi age --k 2 --hierarchy age=age.csv
says "hierarchy with a gap: lists the values" "57"

printf 'brie;cheese;Food\n' >food.csv
printf 'sock;*\nbrie;*\n' >wear.csv
printf 'brie sock\nsock\nsock\nsock\n' >items.dat
bad "an item in two hierarchies of its column" 3 "wear.csv:2: value \"brie\" is in food.csv:1 too" \
    items.dat --hierarchy items=food.csv --hierarchy items=wear.csv --guarantee km-anonymity --k 2 --m 1
bad "a limit of items left out that does not suffice" 4 "20 % would do (--item-suppression 0.2)" \
    items.dat --guarantee km-anonymity --k 2 --m 1 --item-suppression 1%
km=(--guarantee km-anonymity --k 2)
bad "m = 0" 2 "--m: 0 is out of range: give 1 to 32" items.dat "${km[@]}" --m 0
for number in nan inf -inf 1e999; do
    printf '1 2\n1 %s\n' "$number" >pay.dat
    bad "a number that is not finite" 3 "pay.dat: column 'items', record 2: the value is not a value of type numbers" \
        pay.dat "${km[@]}" --m 1 --method acd
done
bad "an item that no leaf covers" 3 "food.csv: 1 value of column \"items\" is in no row of the hierarchy: \"sock\"" \
    items.dat --hierarchy items=food.csv "${km[@]}" --m 1
printf '1 2\n' >pay.dat
bad "one record with items" 4 "km-anonymity with k = 2 cannot be met: only 1 record holds any item; k can be at most that" \
    pay.dat "${km[@]}" --m 1 --method acd
printf '1;*\n2;*\n' >pay.csv
bad "one record with items" 4 "km-anonymity with k = 2 cannot be met: only 1 record holds any item; k can be at most that" \
    pay.dat "${km[@]}" --m 1 --hierarchy items=pay.csv
printf '1 1\n2\n' >pay.dat
bad "fewer than k long bags" 4 "cannot be met: only 1 record holds 2 or more items, however general; ask for m = 1" \
    pay.dat "${km[@]}" --m 2 --hierarchy items=pay.csv
bad "fewer than k long bags of numbers" 4 "only 1 record holds 2 items or more, and an attacker who knows 2 items knows that: m can be at most 1" \
    pay.dat "${km[@]}" --m 2 --method acd
bad "items left out of a table" 2 "items can be left out (--item-suppression) for km-anonymity only" \
    table.csv --drop-rest --qi age --k 2 --item-suppression 0.1

bad "no such key" 3 "table.csv: there is no column 'nmae' to group by; did you mean 'name'? Its columns are name, age, sex, " table.csv --group-by nmae --qi age --k 2
printf 'patient,age\n7,1\n,2\n,3\n' >holes.csv
bad "rows without a key" 3 "holes.csv: 2 rows have no value in 'patient', the first is record 2" holes.csv --group-by patient --qi age --k 2
bad "collect without a key" 2 "--collect age belongs to --group-by" table.csv --collect age --qi sex --k 2
bad "collect what is not there" 3 "table.csv: set 'd': there is no column 'diag' to put into it" \
    table.csv --group-by name --collect d=diag --qi age --k 2
bad "a name that is taken" 3 "table.csv: set 'age': there is a column of that name: call the set otherwise" \
    table.csv --group-by name --collect age=diagnosis --qi sex --k 2
bad "join without a key" 2 "--join e: say by which key, with --join-on" table.csv --join e=table.csv --qi age --k 2
bad "join with a file that is not there" 3 "nowhere.csv: there is no such file" \
    table.csv --join e=nowhere.csv --join-on e=name --join-items e=what --qi age --k 2
bad "join on the wrong column" 3 "join 'e': no 'sex' of table.csv is the 'name' of any record" \
    table.csv --join e=table.csv --join-on e=name=sex --join-items e=diagnosis --qi age --k 2
bad "join on what is no key" 3 "table.csv: column 'sex' does not tell all records apart" \
    table.csv --join e=table.csv --join-on e=sex=name --join-items e=diagnosis --qi age --k 2

before=$(cksum <table.csv)
exits "output equal to input: exit 2" 2 "$KANON" anonymize table.csv --qi age --k 2 -o table.csv
says "output equal to input: says so" "would overwrite the input"
printf '{"columns": {"age": {"type": "integer"}}}\n' >over.json
printf '1;a;*\n' >over.csv
for output in over.json over.csv; do
    exits "convert keeps $output" 2 "$KANON" convert table.csv $output --to csv --schema over.json --hierarchy age=over.csv
    says "convert keeps $output: says so" "$output: the output would overwrite the"
    exits "hierarchy build keeps $output" 2 "$KANON" hierarchy build table.csv --column age -o $output --schema over.json --hierarchy age=over.csv
done
exits "hierarchy build keeps the list of codes" 2 "$KANON" hierarchy build table.csv --column age --kind code-list --code-list over.csv -o over.csv
ln -s table.csv link.csv
exits "output linked to input: exit 2" 2 "$KANON" anonymize table.csv --qi age --k 2 -o link.csv
exits "output is the input by another path: exit 2" 2 "$KANON" anonymize table.csv --qi age --k 2 \
    -o ./../"$(basename "$PWD")"/table.csv
is "output equal to input: the input is as it was" "$before" "$(cksum <table.csv)"
rm link.csv

if [ -w /dev/full ]; then
    exits "full disk: exit 5" 5 "$KANON" anonymize table.csv --drop-rest --qi age --k 2 -o /dev/full \
        --report r.json
    says "full disk: says so" "No space left on device"
    exits "full standard output: exit 5" 5 bash -c \
        '"$KANON" anonymize table.csv --drop-rest --qi age --k 2 -o - >/dev/full'
    is "full disk: no report without its release" "" "$(find . -name 'r.json' -o -name '.*.tmp')"
fi
if mkdir small && mount -t tmpfs -o size=64k none small 2>/dev/null; then
    "$KANON" sample people --records 3000 -o big.csv
    exits "full file system: exit 5" 5 "$KANON" anonymize big.csv --id id,name --keep-rest --allow-unique income --qi sex,age --k 2 \
        --method mondrian -o small/out.csv
    says "full file system: says so" "No space left on device"
    is "full file system: nothing is left behind" "" "$(find small -type f)"
    head -c 61440 /dev/zero >small/filler
    exits "full file system for a report: exit 5" 5 "$KANON" anonymize big.csv --drop-rest \
        --qi sex,age --k 2 --method mondrian -o out.csv --report small/r.html
    is "full file system for a report: nothing is left behind" "" "$(find small out.csv -type f ! -name filler 2>/dev/null)"
    umount small
else
    echo "ok - full file system # SKIP mounting needs root"
fi

bad "unreadable report path" 5 "nowhere/r.json: cannot write the report" table.csv --id name --qi age --k 2 \
    --report nowhere/r.json
bad "report without a known ending" 2 "neither .json nor .html" table.csv --id name --qi age --k 2 \
    --report r.txt
exits "report equal to the output: exit 2" 2 "$KANON" anonymize table.csv --qi age --k 2 -o r.json \
    --report r.json

"$KANON" sample people --records 20000 -o many.csv
bad "memory limit reached" 5 "out of memory: raise --memory" many.csv --drop-rest --qi sex,age --k 2 \
    --memory 300K

bad "a decimal comma" 2 "--suppression: '0,05' is not a number; decimals come after a point" \
    table.csv --qi age --k 2 --suppression 0,05
bad "unknown option" 2 "there is no option --supression; did you mean --suppression?" \
    table.csv --qi age --k 2 --supression 0.05
bad "no guarantee" 2 "say what must hold" table.csv --qi age
bad "no quasi-identifier" 2 "no column is a quasi-identifier: name what an attacker may know with --qi or a schema" \
    table.csv --drop-rest --k 2
bad "columns without a role" 2 "no role was chosen for 2 columns, so nothing is published:" table.csv --id name --qi age,sex --k 2
bad "a kept column that singles people out" 2 "1 column that is to be published as it is can single people out" table.csv \
    --keep postcode --drop-rest --qi age,sex --k 3
bad "two roles for the rest" 2 "--drop-rest and --keep-rest are both about the columns without a role; choose one" table.csv \
    --drop-rest --keep-rest --qi age,sex --k 2

# bad_question NAME CODE WORDS ARGUMENTS...: likewise, kanon measure.
bad_question() {
    local name=$1 wanted=$2 words=$3
    shift 3
    exits "$name: exit $wanted" "$wanted" "$KANON" measure table.csv table.csv --qi age,sex --id name "$@"
    says "$name: says so" "$words"
    is "$name: nothing goes to standard output" "" "$out"
    in_docs "$name" "$wanted" "$words"
}
printf 'sex,age\nf,\n,\n' >ask.csv
bad_question "a question that asks nothing" 3 "ask.csv: record 2: it asks nothing" --query-file ask.csv
printf 'sex,height\nf,180\n' >height.csv
bad_question "a question about no column" 3 "height.csv: column 'height'" --query-file height.csv
printf 'sex\nx\n' >x.csv
bad_question "a question about no value" 3 'x.csv: record 1: column "sex": "x"' --query-file x.csv
bad_question "questions of items without a list" 2 "no quasi-identifier is a list" --query-items 2

printf 'a b\na b\n' >items.dat
printf 'a;*\nb;*\n' >items.csv
km=(--guarantee km-anonymity --k 2 --m 2)
for method in lra vpa; do
    bad "$method without a hierarchy" 2 "$method generalises along a hierarchy, and column 'items' has none" \
        items.dat "${km[@]}" --method "$method"
done
bad "no parts" 2 "--parts: 0 is out of range: give 1 to 1000000" items.dat --hierarchy items=items.csv "${km[@]}" \
    --method lra --parts 0
bad "parts of a method that has none" 2 "--parts belongs to lra, vpa and tfirst: add --method with one of them" items.dat --hierarchy items=items.csv "${km[@]}" \
    --method apriori --parts 2

# Tables with items.
printf 'age,codes\n34,290|401\n34,290|402\n' >codes.csv
both=(--qi age --items codes --guarantee k-km-anonymity --k 2 --m 1)
lm=(--qi age --items codes --guarantee k-lm-diversity --k 2 --l 2 --m 1)
bad_check "no item column" 2 "k-km-anonymity is about items, and no quasi-identifier holds any: name the column" \
    codes.csv --qi age --guarantee k-km-anonymity --k 2 --m 1
bad_check "items and no other quasi-identifier" 2 "every quasi-identifier holds lists, and this guarantee is for items beside" \
    codes.csv --items codes --guarantee k-km-anonymity --k 2 --m 1
bad_check "no sensitive item is named" 2 "k-lm-diversity protects sensitive items, and none of column 'codes' is named" \
    codes.csv "${lm[@]}"
bad_check "all items are sensitive" 2 "every item of column 'codes' is sensitive" codes.csv "${lm[@]}" --sensitive-prefix 2,4
bad "a sensitive item that does not occur" 2 'there is no item "409" in column '"'codes'"'; did you mean "401"?' \
    codes.csv "${lm[@]}" --sensitive-items 409
bad "a sensitive prefix that does not occur" 2 'there is no item that begins with "30" in column' \
    codes.csv "${lm[@]}" --sensitive-prefix 30
bad_check "a sensitive node without a hierarchy" 2 'sensitive items below "Mind": column '"'codes'"' has no hierarchy' \
    codes.csv "${lm[@]}" --sensitive-node Mind
printf 'age,codes\n34,"290|{290,401}"\n34,290|402\n' >hidden.csv
bad_check "a published set that hides a sensitive item" 3 'the published item "{290,401}" could be the sensitive "290"' \
    hidden.csv "${lm[@]}" --sensitive-items 290
printf '290;290;*\n401;290;*\n402;x;*\n' >called.csv
bad_check "a sensitive item that is called like a group" 3 'the sensitive item "290" is called like a group of its hierarchy' \
    codes.csv "${lm[@]}" --sensitive-items 290 --hierarchy codes=called.csv
bad_check "l below 1" 2 "--l: 0.5 is out of range: give 1 or more" codes.csv --qi age --items codes \
    --guarantee k-lm-diversity --k 2 --l 0.5 --m 1 --sensitive-items 290
bad "a method that cannot" 2 "method 'mondrian' is for tables: for tables with items (k-km-anonymity, k-lm-diversity) there are" \
    codes.csv "${both[@]}" --method mondrian
bad "a table with items, a method for tables" 2 "method 'rfirst' is for tables with items" codes.csv --qi age --drop codes --k 2 \
    --method rfirst
bad "items and nothing beside them" 2 "every quasi-identifier holds lists, and this guarantee is for items beside" \
    codes.csv --items codes --qi codes --drop age --guarantee k-km-anonymity --k 2 --m 1
bad "delta above 1" 2 "--delta: 1.5 is out of range: give 0 to 1" codes.csv "${both[@]}" --delta 1.5
bad "delta below 0" 2 "--delta: -1 is out of range: give 0 to 1" codes.csv "${both[@]}" --delta -1
bad "merge x" 2 "--merge: there is no 'x'; choose one of " codes.csv "${both[@]}" --merge x
bad "delta of a method that has none" 2 "--delta belongs to rum-bound and tum-bound: add --method with one of them" codes.csv "${both[@]}" --method rfirst --delta 0.5
bad "a weight above 1 beside items" 2 "the weight of column 'age' is 2: beside items weights are from 0 to 1" codes.csv \
    "${both[@]}" --weight age=2
bad "a weight of an item above 1" 2 "--item-weight: 2 is out of range: give 0 to 1" codes.csv "${both[@]}" --item-weight 290=2
bad "a weight without an item" 2 "--item-weight: '0.5' is not of the form ITEM=NUMBER" codes.csv "${both[@]}" --item-weight 0.5
bad "a weight of an item that does not occur" 2 'weights of items: there is no item "409" in column '"'codes'"'; did you mean "401"?' \
    codes.csv "${both[@]}" --item-weight 409=0.5
bad "a weight of an item, no column of items" 2 "--item-weight: no quasi-identifier holds items: name the column (--items and --qi)" \
    codes.csv --qi age --drop codes --k 2 --item-weight 290=0.5
printf '{"columns": {"codes": {"role": "quasi-identifier", "type": "set", "item_weights": {"290": 1.5}}}}\n' >s.json
bad "a weight of an item in a schema, above 1" 3 "s.json: 'item_weights' must be numbers from 0 to 1" codes.csv --schema s.json --qi age \
    --guarantee k-km-anonymity --k 2 --m 1
rm s.json
bad "k above the records, with items" 4 "k-km-anonymity with k = 3 needs at least 3 records, and the table has 2" codes.csv --qi age \
    --items codes --guarantee k-km-anonymity --k 3 --m 1
bad "table and items, with another guarantee" 2 "k-anonymity cannot be reached together with k-km-anonymity or k-lm-diversity" codes.csv \
    --qi age --items codes --guarantee k-anonymity,k-km-anonymity --k 2 --m 1
printf 'age,codes\n34,290|401\n36,290|401\n' >alike.csv
bad "everybody has the sensitive item" 4 "not even all records as one class satisfy the guarantee" alike.csv "${lm[@]}" \
    --sensitive-items 290
printf 'age,codes\n34,290|401\n36,401\n40,401\n50,401\n' >ages.csv
printf 'city,answer\na,yes\na,no\n' >first.csv
printf 'city,answer\na,yes\na,maybe\n' >second.csv
bad_check "t-closeness compared with another original" 3 '1 value of sensitive column "answer" is not in the original' second.csv --qi city \
    --sensitive answer --guarantee t-closeness --t 0.2 --reference original --original first.csv
bad "delta out of reach" 4 "cannot be kept at delta = 0.1; the smallest delta that can be reached here is " ages.csv \
    "${both[@]}" --delta 0.1
printf '%s\n' age,codes '30,a|c' '31,b|d' '32,a|d' '33,b|c' >named.csv
printf '%s\n' 'a;g;x;*' 'b;g;x;*' 'c;y;g;*' 'd;z;g;*' >groups.csv
bad "a bound that the names of groups break" 4 "tum-bound: ul of the file would be 1, above delta = 0.5" named.csv --qi age --items codes \
    --hierarchy codes=groups.csv --guarantee k-km-anonymity --k 2 --m 2 --method tum-bound --delta 0.5
bad "a share of records left out, with items" 2 "records are left out within a limit (--suppression) for guarantees of tables only" \
    ages.csv "${both[@]}" --suppression 10%
bad "missing values that may be anyone's, with items" 2 "--missing-rule any belongs to k-anonymity, l-diversity and t-closeness" ages.csv \
    "${both[@]}" --missing-rule any

# Sweeps.
sweep=(table.csv --id name --qi age,sex --keep postcode --sensitive diagnosis)
bad "a sweep over no parameter" 2 "did you mean 'effort'?" "${sweep[@]}" --k 2 --sweep efort=1,2
bad "a sweep without values" 2 "--sweep: 'k' is not of the form" "${sweep[@]}" --sweep k
bad "a sweep that counts down" 2 "--sweep: the start of k is beyond its end" "${sweep[@]}" --sweep k=5:2:1
bad "a sweep that stands still" 2 "--sweep: the step is 0" "${sweep[@]}" --sweep k=2:5:0
bad "a sweep without a step" 2 "--sweep: a range has a start, an end and a step" "${sweep[@]}" --sweep k=2:5
bad "a sweep without end" 2 "--sweep: 4999 values, and 1000 is the most" "${sweep[@]}" --sweep k=2:5000:1
bad "a sweep over words" 2 "--sweep: --k: 'two' is not a whole number" "${sweep[@]}" --sweep k=two,3
bad "a sweep out of range" 2 "--sweep: --k: 0 is out of range" "${sweep[@]}" --sweep k=0:5:1
bad "a sweep that repeats a value" 2 "--sweep: k=2 is there twice" "${sweep[@]}" --sweep k=2,3,2
bad "a sweep over another method's parameter" 2 "--sweep: --effort belongs to local" "${sweep[@]}" --k 2 --method mondrian --sweep effort=1,2
bad "a sweep with too many releases" 2 "149 values, and 100 releases are the most" "${sweep[@]}" --sweep k=2:150:1
bad_call "a sweep to standard output" 2 "several releases do not fit into standard output" \
    "$KANON" anonymize "${sweep[@]}" --sweep k=2,3 -o -
cp table.csv out.k=3.csv
bad "a sweep over its input" 2 "out.k=3.csv: the output would overwrite the input" out.k=3.csv "${sweep[@]:1}" --sweep k=2,3
rm out.k=3.csv

# Identifiers' values are never shown, whatever goes wrong.
printf 'name,age\nSecretPerson,34\n"AnotherSecret,35\n' >secret.csv
run "$KANON" anonymize secret.csv --id name --qi age --k 2 -o out.csv
case $out$err in
*Secret*) not_ok "identifiers never appear in messages" "$err" ;;
*) ok "identifiers never appear in messages" ;;
esac
# ---- models ----
cp "$SOURCE_DIR"/examples/models/loans* "$SOURCE_DIR"/examples/models/mortgage* .
loans=(loans.csv --id Name --qi "Marital Status" --sensitive "Sports Car")
bad_mine() { bad_call "${@:1:3}" "$KANON" mine "${@:4}"; }
bad_mine "an unknown kind of model" 2 "kanon mine: there is no 'tee'; did you mean 'tree'?" tee "${loans[@]}" --k 2 -o m.json
bad_mine "a tree without a class" 2 "a tree predicts a class: name its column with --class" tree "${loans[@]}" --k 2 -o m.json
bad_mine "a class that is no column" 2 "the class 'Loan Rsk' is no column of the data; did you mean 'Loan Risk'?" \
    tree "${loans[@]}" --class "Loan Rsk" --k 2 -o m.json
bad_mine "a class that is an identifier" 2 "the class 'Name' is an identifier" tree "${loans[@]}" --class Name --k 2 -o m.json
sed 's/good/bad/' loans.csv >onlybad.csv
bad_mine "a class with one value" 3 "the class 'Loan Risk' has one value only: there is nothing to predict" \
    tree onlybad.csv --id Name --qi "Marital Status" --class "Loan Risk" --k 2 -o m.json
sed '2s/good//' loans.csv >nobody.csv
bad_mine "a tree of a class with missing values" 3 "the class 'Loan Risk' has missing values: leave these records out" \
    tree nobody.csv --id Name --qi "Marital Status" --class "Loan Risk" --k 2 -o m.json
printf 'a,b,c\nx,1,\nx,2,\ny,1,\n' >unknown.csv
bad_mine "a tree of a class that nobody has" 3 "the class 'c' is missing in every record: there is nothing to predict" \
    tree unknown.csv --qi a,b --class c --k 2 -o m.json
printf 'a,b,c\nx,1,y\n' >one.csv
bad_mine "a tree of one record" 4 "k is 2, and there is 1 record: no model can hide anybody" tree one.csv --qi a,b --class c --k 2 -o m.json
: >blank.csv
bad_mine "a tree of an empty file" 3 "blank.csv: the file is empty" tree blank.csv --qi a,b --class c --k 2 -o m.json
echo a,b,c >title.csv
bad_mine "a tree of a file without records" 3 "title.csv: there are no records in it" tree title.csv --qi a,b --class c --k 2 -o m.json
bad_mine "a tree from a column that is not there" 2 "--qi: there is no column 'bb' in one.csv; did you mean 'b'?" \
    tree one.csv --qi a,bb --class c --k 1 -o m.json
bad_mine "a tree of a class with many values" 3 "the class 'income' has 300 values, and a tree predicts 256 at most" \
    tree classes.csv --qi age --class income --type income=category --k 2 -o m.json
bad_mine "a class that is not diverse enough" 4 "the class 'Loan Risk' is not diverse enough: its commonest value is that of 66.7 %" \
    tree "${loans[@]}" --class "Loan Risk" --k 2 --l 2 -o m.json
bad_mine "a model for more people than there are" 4 "k is 7, and there are 6 records" \
    tree "${loans[@]}" --class "Loan Risk" --k 7 -o m.json
bad_mine "an attribute with a value per row" 3 "'Name' has another value in every record: it is an identifier" \
    tree loans.csv --qi "Name,Marital Status" --class "Loan Risk" --k 2 -o m.json
bad_mine "a model without k" 2 "how many people must a model tell of at least? Give --k" \
    tree "${loans[@]}" --class "Loan Risk" -o m.json
bad_mine "a model without a file" 2 "name the model: -o tree.json" tree "${loans[@]}" --class "Loan Risk" --k 2
bad_mine "a model without a format" 2 "m.doc: the name of a model says how it is written" \
    tree "${loans[@]}" --class "Loan Risk" --k 2 -o m.doc
bad_mine "a parameter of another kind of model" 2 "--support belongs to 'kanon mine rules', not to 'tree'" \
    tree "${loans[@]}" --class "Loan Risk" --k 2 --support 0.1 -o m.json
bad_mine "an inference above one" 2 "--inference: 85 is out of range: give 0..1" \
    tree "${loans[@]}" --class "Loan Risk" --k 2 --inference 85 -o m.json
cp loans-tree.json kept.json
bad_mine "a report in the place of a model" 2 "kept.json: the output would overwrite the input" --check kept.json "${loans[@]}" --k 2 --report kept.json
bad_mine "a limit on inference of a public class" 2 "the class 'Loan Risk' is public: limits on diversity" \
    tree loans.csv --id Name --qi "Marital Status,Loan Risk" --sensitive "Sports Car" --class "Loan Risk" --k 2 --inference 0.9 -o m.json
bad_mine "a check that writes a model" 2 "--check judges a model and writes none" --check loans-tree.json "${loans[@]}" --k 2 \
    -o m.json
bad_mine "a check of a model without a promise" 2 "the model does not say what it keeps: give --k" \
    --check loans-tree.json "${loans[@]}"
sed 's/"Sports Car"/"Sport Car"/g' loans-tree.json >sport.json
bad_mine "a model with an attribute that is no column" 3 \
    "the model looks at 'Sport Car', which is no column of the data; is 'Sports Car' meant?" \
    --check sport.json "${loans[@]}" --k 2
bad_mine "a model of other data" 3 \
    "the model looks at 'Gender', which is no column of the data: it was made from data with other columns" \
    --check mortgage-tree.json "${loans[@]}" --k 2
bad_mine "an attribute without a role" 3 \
    "the model looks at 'Sports Car', which has no role: is it public (--qi) or private (--sensitive)?" \
    --check loans-tree.json loans.csv --id Name --qi "Marital Status" --k 2
bad_mine "a model that looks at an identifier" 3 "the model looks at 'Sports Car', an identifier" \
    --check loans-tree.json loans.csv --id "Name,Sports Car" --qi "Marital Status" --k 2
head -c 300 loans-tree.json >cut.json
bad_mine "a model that is cut off" 3 "cut.json: line " --check cut.json "${loans[@]}" --k 2
sed 's/"kanon_model": 1/"kanon_model": 9/' loans-tree.json >later.json
bad_mine "a model of a later version" 3 "later.json: 'kanon_model' is 9: this kanon reads version 1" \
    --check later.json "${loans[@]}" --k 2
printf '{"columns": {}}' >none.json
bad_mine "JSON that is no model" 3 "none.json: this JSON is no model" --check none.json "${loans[@]}" --k 2
printf '<PMML' >cut.pmml
bad_mine "PMML that is cut off" 3 "cut.pmml: line 1, column 1: this is not XML: unclosed token" --check cut.pmml "${loans[@]}" --k 2
printf '<!DOCTYPE PMML [<!ENTITY a "ha"><!ENTITY b "&a;&a;">]><PMML>&b;</PMML>' >laughs.pmml
bad_mine "PMML with a document type (billion laughs)" 3 "laughs.pmml: line 1, column 16: a document type (<!DOCTYPE ...>) is not read" \
    --check laughs.pmml "${loans[@]}" --k 2
awk 'BEGIN { for (i = 0; i < 5000; i++) printf "<Node x=>" }' </dev/null | sed 's/ x=/     /g' >deep.pmml
bad_mine "PMML that is nested too deeply" 3 "elements are nested more than 1,000 deep" --check deep.pmml "${loans[@]}" --k 2
awk 'BEGIN { printf "<PMML>"; for (i = 0; i < 20; i++) printf "<a xmlns=\"n%d\"/>", i; print "</PMML>" }' </dev/null >spaces.pmml
bad_mine "PMML with very many namespaces" 3 "there are more than 16 namespaces" --check spaces.pmml "${loans[@]}" --k 2
awk 'BEGIN { printf "<PMML xmlns=\""; for (i = 0; i < 1001; i++) printf "u"; print "\"/>" }' </dev/null >space.pmml
bad_mine "PMML with a very long namespace" 3 "the name of a namespace has more than 1,000 bytes" --check space.pmml "${loans[@]}" --k 2
bad_mine "a model into a folder that is not there" 5 "cannot write the output: its folder: No such file or directory" \
    tree "${loans[@]}" --class "Loan Risk" --k 2 -o nowhere/m.json
head='<PMML version="4.4"><DataDictionary><DataField name="c" optype="categorical" dataType="string"/></DataDictionary>'
echo "$head<MiningModel/></PMML>" >forest.pmml
bad_mine "PMML of a model that is not read" 3 "MiningModel is not read: TreeModel, ClusteringModel and AssociationModel are" \
    --check forest.pmml "${loans[@]}" --k 2
echo "$head<TreeModel functionName=\"classification\"><MiningSchema><MiningField name=\"c\" usageType=\"target\"/></MiningSchema>\
<Node score=\"a\"><True/><Node score=\"b\"><SimplePredicate field=\"c\" operator=\"like\" value=\"x\"/></Node></Node></TreeModel></PMML>" \
    >odd.pmml
bad_mine "PMML with a feature that is not understood" 3 "SimplePredicate with operator 'like' is not read" \
    --check odd.pmml "${loans[@]}" --k 2
sed 's|<Node score="b">.*</Node></Node>|</Node><ModelVerification/>|' odd.pmml >shown.pmml
bad_mine "PMML that shows records" 3 "ModelVerification inside of TreeModel may tell counts or records beside the model" \
    --check shown.pmml "${loans[@]}" --k 2
bad_mine "clusters as DOT" 2 "clusters have no edges to draw, so there is no DOT of them" \
    clusters "${loans[@]}" --k 2 -o m.dot
bad_mine "no model" 3 "absent.json: there is no such file" --check absent.json "${loans[@]}" --k 2
cp "$SOURCE_DIR"/examples/models/customers* .
customers=(customers.csv --id Name --qi "Zip Code" --sensitive Income)
bad_mine "clusters of nothing" 2 "there is nothing to cluster: name public columns with --qi" clusters customers.csv --k 2 \
    -o m.json
bad_mine "clusters without an end" 2 "without a guarantee every edge could be cut" clusters "${customers[@]}" --k 1 -o m.json
printf 'items,age\na|b,1\nb|c,2\n' >lists.csv
bad_mine "clusters of lists" 3 "'items' holds lists; clusters are of records with one value a column" \
    clusters lists.csv --items items --qi items,age --k 2 -o m.json
sed 's/,98$/,1e90/' customers.csv >huge.csv
bad_mine "a number too large for distances" 3 "attribute 'Income' has a number, scale or weight too large or too small" \
    clusters huge.csv --id Name --qi "Zip Code" --sensitive Income --k 2 -o m.json
sed 's/11001, 80/11001, null/' customers-clusters.json >open.json
bad_mine "a centre without a private number" 3 "centre 1 has no value of 'Income', which is private and a number" \
    --check open.json "${customers[@]}" --k 2
bad_call "a name for answers that is taken" 2 "there is a column 'Loan Risk' already; --name gives the new one another name" \
    "$KANON" apply loans-tree.json loans.csv --id Name --name "Loan Risk" -o scored.csv

baskets=(cherries.dat --sensitive-items "viagra,tylenol")
cp "$SOURCE_DIR"/examples/models/cherries.{csv,dat} .
printf 'left,right\ncherry,viagra\n' >cherry.csv
bad_mine "rules of an item that nobody has" 3 'the rules name the item "cherry", which no record of the data holds' \
    --check cherry.csv "${baskets[@]}" --k 5
printf 'left,right,private\ncherries,tylenol,tylenol\n' >private.csv
bad_mine "a private item that the call does not name" 3 'the rules say that "tylenol" is private, and nothing else does' \
    --check private.csv cherries.dat --sensitive-items viagra --k 5
bad_mine "a file that is no list of rules" 3 "table.csv:1: no list of rules" --check table.csv "${baskets[@]}" --k 5
printf 'left,right\nbread|milk,milk\n' >both.csv
bad_mine "an item on both sides of a rule" 3 'both.csv:2: column 2: "milk" names an item that is on the left side too' \
    --check both.csv "${baskets[@]}" --k 5
printf 'left,right\nmilk|milk,bread\n' >twice.csv
bad_mine "an item twice in a rule" 3 "names an item twice" --check twice.csv "${baskets[@]}" --k 5
printf 'left,right\nmilk,\n' >open.csv
bad_mine "a rule without a right side" 3 'open.csv:2: column 2: "" names nothing for the right side' \
    --check open.csv "${baskets[@]}" --k 5
printf 'left,right,support\ncherries,viagra,84\n' >share.csv
bad_mine "a support that is no share" 3 'share.csv:2: column 3: "84" is no share in 0..1' \
    --check share.csv "${baskets[@]}" --k 5
printf 'left,right,boost\nmilk,bread,2\n' >boost.csv
bad_mine "a measure beside rules that is not known" 3 'boost.csv:1: column 3: "boost" is no measure that is known' \
    --check boost.csv "${baskets[@]}" --k 5
printf 'left,right,lhs\nmilk,bread,a\n' >second.csv
bad_mine "two columns for one thing" 3 'second.csv:1: column 3: "lhs" is a second column for the same' \
    --check second.csv "${baskets[@]}" --k 5
printf 'left,right,\nmilk,bread,0.35\n' >nameless.csv
bad_mine "figures in a column without a name" 3 'nameless.csv:2: column 3: "0.35" stands in a column without a name' \
    --check nameless.csv "${baskets[@]}" --k 5
printf 'left,right,count\nmilk,bread,2.5\n' >half.csv
bad_mine "a count of rules that is none" 3 'half.csv:2: column 3: "2.5" is no number of records' --check half.csv "${baskets[@]}" --k 5
printf 'left,right\n{milk,bread\n' >brace.csv
bad_mine "a side with an open brace" 3 'brace.csv:2: column 1: "{milk" opens a brace' --check brace.csv "${baskets[@]}" --k 5
printf 'left,right\n"{milk(1l,bread}",butter\n' >bracket.csv
bad_mine "a side with an open bracket" 3 'column 1: "{milk(1l,bread}" opens a bracket' --check bracket.csv "${baskets[@]}" --k 5
printf "lhs,rhs\n\"frozenset({('milk', 1)})\",bread\n" >tuple.csv
bad_mine "a side with something else in it" 3 "neither a text nor a number" --check tuple.csv "${baskets[@]}" --k 5
printf '%s' '<PMML version="4.4"><Header/><DataDictionary><DataField name="t" optype="categorical" dataType="string"/>' \
    '<DataField name="item" optype="categorical" dataType="string"/></DataDictionary><AssociationModel ' \
    'functionName="associationRules" numberOfTransactions="100" numberOfItems="2" minimumSupport="0" minimumConfidence="0" ' \
    'numberOfItemsets="2" numberOfRules="1"><MiningSchema><MiningField name="t" usageType="group"/><MiningField name="item"/>' \
    '</MiningSchema><Item id="1" value="milk"/><Item id="2" value="bread"/><Itemset id="1"><ItemRef itemRef="1"/></Itemset>' \
    '<Itemset id="2"><ItemRef itemRef="2"/></Itemset><AssociationRule antecedent="1" consequent="2"><Extension name="zhang" ' \
    'value="0.5"/></AssociationRule></AssociationModel></PMML>' >more.pmml
bad_mine "PMML that tells more beside a rule" 3 "an Extension of AssociationRule is not read: what it tells is not known" \
    --check more.pmml "${baskets[@]}" --k 5
printf '%s' '<PMML version="4.4"><Header/><DataDictionary><DataField name="Loan Risk" optype="categorical" dataType="string">' \
    '<Value value="bad"/></DataField></DataDictionary><TreeModel functionName="classification"><MiningSchema>' \
    '<MiningField name="Loan Risk" usageType="target"/></MiningSchema><Node score="bad"><Extension name="rows" ' \
    'value="John"/><True/></Node></TreeModel></PMML>' >extended.pmml
bad_mine "PMML with an Extension" 3 "an Extension inside of Node: what it tells is not judged" \
    --check extended.pmml "${loans[@]}" --k 2
printf 'rules\n{milk} => {bread} => {butter}\n' >arrows.csv
bad_mine "a rule with several arrows" 3 'arrows.csv:2: column 1: "{milk} => {bread} => {butter}" has several arrows' \
    --check arrows.csv "${baskets[@]}" --k 5
printf 'left,right\nmilk,bread,butter\n' >long.csv
bad_mine "a rule with a field too many" 3 "long.csv:2: 3 fields, but the first line names 2 columns" \
    --check long.csv "${baskets[@]}" --k 5
bad_mine "rules without items" 2 "rules are about items, and no column holds any" rules loans.csv --id Name --k 2 -o m.json
bad_mine "l above 2 for rules" 2 "l is 3; an item is held or not" rules "${baskets[@]}" --k 5 --l 3 -o m.json
seq -s ' ' 1 22 >wide.dat
bad_mine "rules of too many item sets" 4 "sets of items are held by 1 records or more; raise --support, or lower --longest" \
    rules wide.dat --k 1 --support 1 --longest 16 -o m.json
bad_mine "rules without data or records" 2 "the rules do not say how many records they are of; --records N does" \
    --check cherries.csv --sensitive-items viagra --k 5
printf 'left,right,support,confidence,count\nmilk,bread,0.03000000,1,30\n' >thousand.csv
bad_mine "rules that are of another number of records" 2 \
    "the rules say that they are of 1000 records, not of 100000; leave --records out" \
    --check thousand.csv --records 100000 --sensitive-items bread --k 5
bad_mine "a private item that no rule names" 2 'sensitive items: no rule names "aspirin"' \
    --check cherries.csv --records 1000 --sensitive-items aspirin --k 5
printf 'left,right,support,confidence\nmilk,bread,0.3,0.5\n,milk,0.7,0.7\n' >against.csv
bad_mine "rules whose figures contradict each other" 3 "contradict each other, or there are not 10 records" \
    --check against.csv --records 10 --sensitive-items bread --k 5
bad_mine "another model without data" 2 "only rules can be judged without the data" --check loans-tree.json --k 3

finish
