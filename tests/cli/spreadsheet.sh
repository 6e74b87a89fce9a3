#!/usr/bin/env bash
# --spreadsheet-safe: no cell of the file is a formula, and reading gives the values again.
set -u
# shellcheck source=tests/cli/tap.bash
. "$(dirname "$0")/tap.bash"

cat >in.csv <<'END'
name,age,note,=h
a,30,=1+1,x
b,30,@SUM(A1),'=y
c,31,-5,''=z
d,31,+3.5,"=A1,""quoted"""
e,30,-5+cmd|x,-
f,31,'plain,'-7
END
exits "convert writes it" 0 "$KANON" convert in.csv safe.csv --spreadsheet-safe
# shellcheck disable=SC2016
is "formulas have an apostrophe, numbers and texts do not" \
    "name,age,note,'=h a,30,'=1+1,x b,30,'@SUM(A1),'=y c,31,-5,''=z d,31,+3.5,\"'=A1,\"\"quoted\"\"\" e,30,'-5+cmd|x,'- f,31,'plain,'-7" \
    "$(tr '\n' ' ' <safe.csv | sed 's/ $//')"
is "no cell begins as a formula" "" "$(grep -nE '(^|,)"?[=@]' safe.csv)"
exits "convert reads it back" 0 "$KANON" convert safe.csv back.jsonl --to jsonl
exits "with the option as it was" 0 "$KANON" convert safe.csv again.csv --spreadsheet-safe
is "the same bytes" "$(cat safe.csv)" "$(cat again.csv)"
exits "a format without cells is refused" 2 "$KANON" convert in.csv out.jsonl --spreadsheet-safe
says "with a word" "CSV files only"
absent "and no file" out.jsonl

roles=(--id name --qi age --sensitive note --keep "=h" --k 3 --allow-unique "=h")
exits "anonymize writes a safe release" 0 "$KANON" anonymize in.csv "${roles[@]}" --spreadsheet-safe -o release.csv --quiet
is "no formula in it" "" "$(grep -nE '(^|,)"?[=@]' release.csv)"
exits "check reads it" 0 "$KANON" check release.csv --qi age --sensitive note --k 3 --spreadsheet-safe --quiet
exits "measure reads it" 0 "$KANON" measure in.csv release.csv --qi age --sensitive note --keep "=h" --drop name --spreadsheet-safe --json
exits "a job keeps the option" 0 "$KANON" anonymize in.csv "${roles[@]}" --spreadsheet-safe -o job.csv --save-job j.json --quiet
exits "and runs with it" 0 "$KANON" anonymize --job j.json -o job2.csv --quiet
is "the same release" "$(cat release.csv)" "$(cat job2.csv)"

# Lists of items: what begins the cell decides.
printf 'id,items\n1,=a|b\n2,b|=a\n3,b\n' >lists.csv
exits "lists" 0 "$KANON" convert lists.csv lists-safe.csv --items items --spreadsheet-safe
exits "lists back" 0 "$KANON" convert lists-safe.csv lists-back.csv --items items --spreadsheet-safe
is "lists come back" "$(cat lists-safe.csv)" "$(cat lists-back.csv)"
is "no list begins as a formula" "" "$(grep -nE '(^|,)"?[=@]' lists-safe.csv)"
finish
