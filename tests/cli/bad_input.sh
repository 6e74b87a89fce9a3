#!/usr/bin/env bash
# bad_input.sh - the table of docs/bad-input.md: what kanon says, its exit code, and that nothing is left behind.
# shellcheck disable=SC2016,SC2054
set -u
# shellcheck source=tests/cli/tap.bash
. "$(dirname "$0")/tap.bash"
page=$SOURCE_DIR/docs/bad-input.md

small_table >table.csv

# bad NAME CODE WORDS ARGUMENTS...: kanon anonymize refuses so, in words that the docs show, and leaves the folder as
# it was.
bad() {
    local name=$1 wanted=$2 words=$3 before after
    shift 3
    before=$(find . -type f | sort | xargs cksum)
    exits "$name: exit $wanted" "$wanted" "$KANON" anonymize "$@" -o out.csv
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

bad "unknown column" 2 "--qi: there is no column 'aeg' in table.csv; did you mean 'age'?" \
    table.csv --qi aeg --k 2
prints "unknown column: nothing goes to standard output" ""

bad "k = 0" 2 "--k: 0 is out of range: give 1 or more" table.csv --qi age --k 0

bad "k larger than the table" 4 "" table.csv --id name --qi age --k 9

printf '33;30-39;*\n34;30-39;*\n35;30-39;*\n36;30-39;*\n51;50-59;*\n52;50-59;*\n' >age.csv
bad "hierarchy with a gap" 3 "age.csv" table.csv --id name --qi age --k 2 --hierarchy age=age.csv
says "hierarchy with a gap: lists the values" "57"

before=$(cksum <table.csv)
exits "output equal to input: exit 2" 2 "$KANON" anonymize table.csv --qi age --k 2 -o table.csv
says "output equal to input: says so" "would overwrite the input"
ln -s table.csv link.csv
exits "output linked to input: exit 2" 2 "$KANON" anonymize table.csv --qi age --k 2 -o link.csv
exits "output is the input by another path: exit 2" 2 "$KANON" anonymize table.csv --qi age --k 2 \
    -o ./../"$(basename "$PWD")"/table.csv
is "output equal to input: the input is as it was" "$before" "$(cksum <table.csv)"
rm link.csv

if [ -w /dev/full ]; then
    exits "full disk: exit 5" 5 "$KANON" anonymize table.csv --id name --qi age --k 2 -o /dev/full \
        --report r.json
    says "full disk: says so" "No space left on device"
    exits "full standard output: exit 5" 5 bash -c \
        '"$KANON" anonymize table.csv --id name --qi age --k 2 -o - >/dev/full'
    is "full disk: no report without its release" "" "$(find . -name 'r.json' -o -name '.*.tmp')"
fi
if mkdir small && mount -t tmpfs -o size=64k none small 2>/dev/null; then
    "$KANON" sample people --records 3000 -o big.csv
    exits "full file system: exit 5" 5 "$KANON" anonymize big.csv --id id,name --qi sex,age --k 2 \
        --method mondrian -o small/out.csv
    says "full file system: says so" "No space left on device"
    is "full file system: nothing is left behind" "" "$(find small -type f)"
    head -c 61440 /dev/zero >small/filler
    exits "full file system for a report: exit 5" 5 "$KANON" anonymize big.csv --id id,name \
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
bad "memory limit reached" 5 "out of memory: raise --memory" many.csv --id id,name --qi sex,age --k 2 \
    --memory 300K

bad "a decimal comma" 2 "--suppression: '0,05' is not a number; decimals come after a point" \
    table.csv --qi age --k 2 --suppression 0,05
bad "unknown option" 2 "there is no option --supression; did you mean --suppression?" \
    table.csv --qi age --k 2 --supression 0.05
bad "no guarantee" 2 "say what must hold" table.csv --qi age
bad "no quasi-identifier" 2 "name the quasi-identifiers" table.csv --k 2

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
bad "parts of a method that has none" 2 "--parts belongs to lra" items.dat --hierarchy items=items.csv "${km[@]}" \
    --method apriori --parts 2

# Identifiers' values are never shown, whatever goes wrong.
printf 'name,age\nSecretPerson,34\n"AnotherSecret,35\n' >secret.csv
run "$KANON" anonymize secret.csv --id name --qi age --k 2 -o out.csv
case $out$err in
*Secret*) not_ok "identifiers never appear in messages" "$err" ;;
*) ok "identifiers never appear in messages" ;;
esac
finish
