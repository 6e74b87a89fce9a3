#!/usr/bin/env bash
# no_header.sh - the first line of a file without a header is somebody's record: its values are never printed.
set -u
# shellcheck source=tests/cli/tap.bash
. "$(dirname "$0")/tap.bash"

cat >data.csv <<'END'
Ada Quix,ada@example.org,34,f,10115,flu
Bo Zimt,bo@example.org,36,m,10117,asthma
Cleo Yaks,cleo@example.org,35,f,10119,flu
END
# No number at all; the first value of the last column comes again.
cat >words.csv <<'END'
Ada Quix,Birch Road,flu
Bo Zimt,Cedar Lane,asthma
Cleo Yaks,Maple Street,flu
END
# Nothing to tell it from a header but that nothing says it is one.
printf 'Ada Quix\nBo Zimt\nCleo Yaks\n' >names.csv
# The number of the first record is missing.
printf 'Ada Quix,unknown\nBo Zimt,36\nCleo Yaks,35\n' >gap.csv
printf 'Ada Quix,ada@example.org\nBo Zimt,bo@example.org\n' >long.csv
printf 'Ada Quix,Ada Quix\nBo Zimt,Bo\n' >twice.csv
printf "34;*\n35;*\n36;*\n" >h.csv
"$KANON" sample loans --records 60 --seed 1 -o loans.csv --schema loans.json
"$KANON" mine tree loans.csv --schema loans.json --class risk --k 3 --quiet -o tree.json || not_ok "a tree to apply"

# silent NAME CODE COMMAND...: fails as it should, and no value of the first line is printed.
silent() {
    exits "$@"
    if grep -qiE 'quix|ada@|birch|zimt' <<<"$out$err"; then not_ok "$1: prints no value" "$err"; else ok "$1: prints no value"; fi
}

for file in data words names gap; do
    silent "$file: anonymize" 2 "$KANON" anonymize $file.csv --qi age --k 2 -o o.csv
    silent "$file: a name near a value" 2 "$KANON" anonymize $file.csv --qi 'Ada Qui' --k 2 -o o.csv
    silent "$file: check" 2 "$KANON" check $file.csv --qi age --k 2
    silent "$file: measure" 2 "$KANON" measure $file.csv $file.csv --qi age
    silent "$file: profile" 2 "$KANON" profile $file.csv --qi age
    silent "$file: convert" 2 "$KANON" convert $file.csv o.jsonl --drop name
    silent "$file: hierarchy build" 2 "$KANON" hierarchy build $file.csv --column age -o o.csv
    silent "$file: hierarchy check" 2 "$KANON" hierarchy check h.csv $file.csv --column age
    silent "$file: mine" 2 "$KANON" mine tree $file.csv --class 'Ada Qui' --k 2 -o o.json
    silent "$file: group" 3 "$KANON" anonymize $file.csv --group-by name --qi age --k 2 -o o.csv
    silent "$file: apply" 3 "$KANON" apply tree.json $file.csv -o o.csv
done
for file in data words names gap; do
    silent "$file: profile without roles" 0 "$KANON" profile $file.csv
    prints "$file: that the first line may be a record" "hint: the first line may be a record, so it is not shown: add --no-header"
    silent "$file: profile for programs" 0 "$KANON" profile $file.csv --json
done
exits "what to do is said" 2 "$KANON" anonymize data.csv --qi age --k 2 -o o.csv
says "that there may be no header" "it has 6 columns; if its first line is no header, --no-header calls them column1 to column6"
silent "position as a name" 2 "$KANON" anonymize data.csv --id 34 --qi f,x --k 2 -o o.csv
for i in $(seq 60); do echo "Ada Quix$i,$((i % 2))"; done >people.csv
silent "a column without a role" 2 "$KANON" anonymize people.csv --qi 1 --k 2 -o o.csv
says "is called by its number" "column 1  identifier  nearly every record has a value of its own"
silent "a kept column" 2 "$KANON" anonymize people.csv --qi 1 --keep-rest --k 2 -o o.csv
says "is called by its number too" "column 1  it looks like an identifier: nearly every record has a value of its own"
says "what to do" "--no-header calls them column1, column2"
silent "long form" 3 "$KANON" anonymize long.csv --format long --key person --guarantee km-anonymity --k 2 --m 1 -o o.dat
silent "a value twice in the first line" 3 "$KANON" anonymize twice.csv --qi age --k 2 -o o.csv

# Where the first line is a header, names help.
small_table >t.csv
exits "a header" 2 "$KANON" anonymize t.csv --qi aeg --k 2 -o o.csv
says "is recognised by its numbers" "did you mean 'age'? Its columns are name, age, sex, postcode, diagnosis"
printf 'name,town\nAda,Ulm\nBo,Ulm\n' >w.csv
exits "a header over words" 2 "$KANON" anonymize w.csv --id name --qi twon --k 2 -o o.csv
says "is recognised by a column that was named" "did you mean 'town'?"
printf '{"name": "Ada", "town": "Ulm"}\n' >w.jsonl
exits "names of JSON" 2 "$KANON" anonymize w.jsonl --qi twon --k 2 -o o.csv
says "are always names" "did you mean 'town'?"
# Questions of a survey, lists in quotes, and numbered names: two columns of numbers speak for a header of any form.
{
    echo '1. How old are you?,"Do you smoke (yes, no, sometimes)?","your ""real"" name, please",How often did you see a doctor in the last twelve months? Please count all visits.,q105'
    for i in $(seq 30); do echo "$((20 + i % 7)),$([ $((i % 2)) = 0 ] && echo yes || echo no),P$i,$((i % 4)),x$((i % 3))"; done
} >survey.csv
exits "questions as names" 2 "$KANON" anonymize survey.csv --k 2 -o o.csv
says "are recognised by two columns of numbers" "--qi '1. How old are you?','How often did you see a doctor in the last twelve months? Please count all visits.',q105"
{
    echo '1. How old are you?,2. How many visits?,"If other, please say in your own words."'
    for i in $(seq 30); do echo "$((20 + i % 7)),$((i % 4)),\"Came in with a headache, number $i.\""; done
} >comments.csv
exits "questions and a comment as names" 2 "$KANON" anonymize comments.csv --k 2 -o o.csv
says "questions and a comment as names: are recognised" "'\"If other, please say in your own words.\"'"
exits "questions as names: init" 0 "$KANON" init survey.csv --yes -o survey.kanon
if grep -q no_header survey.kanon/job.json; then not_ok "init reads them as names" "$(cat survey.kanon/job.json)"; else ok "init reads them as names"; fi
{
    echo 'c1,c10,c100'
    for i in $(seq 30); do echo "$((i % 2)),$((i % 3)),$((i % 4))"; done
} >numbered.csv
exits "numbered names" 2 "$KANON" anonymize numbered.csv --k 2 -o o.csv
says "are recognised, too" "--qi c1,c10,c100"
# In a file without numbers, two names that are given do.
{
    echo 'Do you smoke?,"Red, green or blue?"'
    for i in $(seq 30); do echo "$([ $((i % 2)) = 0 ] && echo yes || echo no),$([ $((i % 3)) = 0 ] && echo red || echo blue)"; done
} >words.csv
exits "questions over words" 0 "$KANON" init words.csv --yes -o words.kanon
says "are taken for a record, with the way out" "If it names the columns, give two of them a role (--qi, --id)"
printf '{"columns": {"Do you smoke?": {"role": "quasi-identifier"}, "Red, green or blue?": {"role": "quasi-identifier"}}}\n' >words.json
exits "questions over words, given a role" 0 "$KANON" init words.csv --yes --schema words.json -o named.kanon
says "are names" 'quasi-identifier  Do you smoke?, Red, green or blue?'
# One such column is too little: the first record may lack its number.
printf 'Who is it?,unknown age\nBo Zimt,36\nCleo Yaks,35\n' >one.csv
exits "one column of numbers" 2 "$KANON" anonymize one.csv --qi age --k 2 -o o.csv
says "is no evidence for names of that form" "it has 2 columns; if its first line is no header"
# A first person who did not state two numbers: cells of the form of titles look like those below them, or are texts that mean
# a missing value.
printf '"Quix, Ada",AB12345678,rather not,not today\n"Zimt, Bo",CD99887766,1200,34\n"Yaks, Cleo",EF11223344,1300,35\n' >persons.csv
printf '12 Quix Road,rather not,not today\n5 Maple Street,1200,34\n117 Cedar Lane,1300,35\n' >addresses.csv
printf '"Quix came in with a headache, and left.",rather not,not today\n"A cold, the second of the year.",1200,34\nNothing was found in spite of all tests.,1300,35\n' >texts.csv
printf 'Ada,Quix,refused\nBo,Zimt,34\nCleo,Yaks,35\n' >refused.csv
for name in persons addresses texts refused; do
    silent "$name: profile" 0 "$KANON" profile $name.csv
    prints "$name: the first line may be a record" "hint: the first line may be a record, so it is not shown"
    silent "$name: anonymize" 2 "$KANON" anonymize $name.csv --k 2 -o o.csv
    silent "$name: the roles that are suggested" 2 "$KANON" anonymize $name.csv --k 2 --accept-suggested -o o.csv --report o.json
    says "$name: are not accepted" "the first line of the table may be a record, so no roles are accepted as suggested: --no-header if it is one"
done
printf 'Ada,Quix,withheld\nBo,Zimt,34\nCleo,Yaks,35\nDan,Elm,withheld\n' >withheld.csv
silent "a text that means a missing value" 0 "$KANON" profile withheld.csv --missing withheld
prints "a text that means a missing value: is no name" "hint: the first line may be a record, so it is not shown"
# Roles that were guessed do not show that a line is a header.
for name in data words names; do
    silent "$name: suggestions accepted" 2 "$KANON" anonymize $name.csv --k 2 --accept-suggested -o o.csv --report o.html
done
for file in o.csv o.html o.json; do
    is "nothing is published: $file" no "$([ -e $file ] && echo yes || echo no)"
done
exits "without a header: suggestions accepted" 0 "$KANON" anonymize data.csv --no-header --k 2 --accept-suggested -o o.csv
rm -f o.csv
# Two names that are given show a header whatever form the others have.
{
    echo 'sex,2019,2020'
    for i in $(seq 40); do echo "$([ $((i % 3)) = 0 ] && echo m || echo f),$((i % 7 * 100)),$((i % 5 * 100))"; done
} >years.csv
exits "years as names" 0 "$KANON" init years.csv --yes --qi sex,2019 -o years.kanon
says "years as names: given a role" "quasi-identifier  sex, 2019, 2020"
exits "years as names: suggestions accepted" 0 "$KANON" anonymize years.csv --qi sex,2019 --accept-suggested --k 5 -o o.csv
rm -f o.csv
printf 'Ada Quix,44,"12,50"\nBo Zimt,36,"1,75"\nCleo Yaks,35,"3,75"\n' >commas.csv
silent "decimal commas" 0 "$KANON" convert commas.csv o.csv
says "are noted without a name" "1 column holds numbers with a decimal comma"
# Nor are missing values, addresses and numbers any names.
for line in 'Ada,NA,null' 'ada@example.org,a,b' '12 345,a,b' 'Ada,7,b'; do
    printf '%s\nBo,36,1\nCleo,35,2\n' "$line" >first.csv
    exits "a record: $line" 2 "$KANON" anonymize first.csv --qi age --k 2 -o o.csv
    says "is not shown" "it has 3 columns; if its first line is no header"
done
exits "numbered columns" 2 "$KANON" anonymize data.csv --no-header --qi colum1 --k 2 -o o.csv
says "are always shown" "did you mean 'column1'?"
finish
