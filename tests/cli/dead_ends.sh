#!/usr/bin/env bash
# dead_ends.sh - options and inputs that a user would expect to work: they do, or the message names
# what would.
# shellcheck disable=SC2054
set -u
# shellcheck source=tests/cli/tap.bash
. "$(dirname "$0")/tap.bash"

# ---- dates and numbers in local forms ----

cat >eu.csv <<'END'
name;born;pay;admitted;postcode;diagnosis
P0;19.11.1995;7514,88;2023-04-04 00:06;10115;C
P1;21.07.1987;7356,31;2023-01-11 13:27;20095;A
P2;26.01.1954;4842,31;2023-02-11 05:12;10115;C
P3;23.02.1949;1107,93;2023-07-28 23:10;80331;B
P4;27.01.1965;2307,97;2023-03-08 07:00;01067;A
P5;09.06.1995;2037,16;2023-08-13 19:22;20095;A
END
of=(eu.csv --id name --sensitive diagnosis --k 2)
exits "German dates are dates" 0 "$KANON" anonymize "${of[@]}" --qi born --drop pay,admitted,postcode -o out.csv
is "German dates: ranges as they are written" yes "$(grep -q '\[[0-9][0-9]\.[0-9][0-9]\.[0-9]*,[0-9][0-9]\.' out.csv && echo yes)"
rm -f out.csv
exits "decimal commas are numbers" 0 "$KANON" anonymize "${of[@]}" --qi pay --drop born,admitted,postcode -o out.csv
says "decimal commas: says so" "Column pay holds numbers with a decimal comma"
rm -f out.csv
exits "decimal commas that are none: refused" 3 "$KANON" anonymize "${of[@]}" --decimal . --qi pay --drop born,admitted,postcode -o out.csv
absent "decimal commas that are none: nothing is published" out.csv
exits "timestamps: refused" 3 "$KANON" anonymize "${of[@]}" --qi admitted --drop born,pay,postcode -o out.csv
says "timestamps: the remedy" "--kind dates"
exits "postcodes with leading zeros are categories" 0 "$KANON" anonymize "${of[@]}" --qi postcode --drop born,pay,admitted -o out.csv
rm -f out.csv
exits "declared as categories: published as sets, by choice" 0 "$KANON" anonymize "${of[@]}" --qi born \
    --type born=category --drop pay,admitted,postcode -o out.csv
rm -f out.csv
run "$KANON" hierarchy build eu.csv --column born --kind dates -o born.csv
run cat born.csv
prints "a calendar of German dates" "26.01.1954;1954-01;1954-Q1;1954;1950s;*"
run "$KANON" hierarchy build eu.csv --column admitted --kind dates -o -
prints "a calendar of timestamps begins with days" "2023-04-04 00:06;2023-04-04;2023-04;2023-Q2;2023;2020s;*"
exits "with the calendar it is published" 0 "$KANON" anonymize "${of[@]}" --qi born --hierarchy born=born.csv \
    --drop pay,admitted,postcode -o out.csv
is "no birth date is exact" 0 "$(grep -c '[0-9]\.[0-9]*\.[0-9]' out.csv)"
rm -f out.csv
run "$KANON" profile eu.csv --decimal .
prints "profile hints at the dates" "hint: admitted: dates that are read as text"
prints "profile hints at the numbers" "hint: pay: numbers that are read as text"
printf 'd\n01/02/1980\n03/14/1990\n' >american.csv
run "$KANON" hierarchy build american.csv --column d --kind dates -o -
prints "the month comes first where a day is above 12" "03/14/1990;1990-03;1990-Q1;1990;1990s;*"
printf 'd\n01/02/1980\n03/04/1990\n' >either.csv
exits "day or month: refused" 3 "$KANON" hierarchy build either.csv --column d --kind dates -o -
says "day or month: says so" "nothing tells whether day or month comes first"

printf 'at\n10:15\n10:45\n11:00\n11:30\n' >clock.csv
exits "times of day: refused" 3 "$KANON" anonymize clock.csv --qi at --k 2 -o out.csv
says "times of day: the remedy" "--kind prefix --lengths 2"
run "$KANON" hierarchy build clock.csv --column at --kind prefix --lengths 2 -o clock.h.csv
exits "times of day: the remedy works" 0 "$KANON" anonymize clock.csv --qi at --hierarchy at=clock.h.csv --k 2 -q -o out.csv
rm -f out.csv
printf 'd\n1980-01-01\nunknown\n1981-02-03\n1982-02-03\n' >unknown.csv
exits "dates and a word: refused" 3 "$KANON" anonymize unknown.csv --qi d --k 2 -o out.csv
says "dates and a word: the remedy" "Name the texts that mean a missing value (--missing)"
exits "dates and a word: the remedy works" 0 "$KANON" anonymize unknown.csv --qi d --k 2 --missing unknown \
    --suppression 50% -q -o out.csv
rm -f out.csv

# ---- n/a among numbers ----

printf 'age,sex\n34,f\nn/a,m\n34,f\n36,m\n37,f\n39,m\n40,f\n41,m\n' >na.csv
exits "n/a among ages: refused" 3 "$KANON" anonymize na.csv --qi age,sex --k 2 -o out.csv
says "n/a among ages: the remedy" "--missing 'n/a'"
exits "n/a among ages: the remedy works" 0 "$KANON" anonymize na.csv --qi age,sex --k 2 --missing n/a -o out.csv
rm -f out.csv
printf 'code\n250\nV45\n401\n250\nV45\n401\n' >codes.csv
exits "codes are categories" 0 "$KANON" anonymize codes.csv --qi code --k 2 -o out.csv
rm -f out.csv

# ---- spellings of a number ----

printf '0.1 5\n.1 5.0\n1e-1 +5 7\n12.50 7\n' >spellings.dat
of=(--guarantee km-anonymity --k 2 --m 1 --method acd)
exits "spellings of a number" 0 "$KANON" anonymize spellings.dat "${of[@]}" -o out.dat
is "spellings of a number are one item" "0.1 5
0.1 5
0.1 5 [7,12.50]
[7,12.50] [7,12.50]" "$(cat out.dat)"
exits "the release is checked" 0 "$KANON" check out.dat --guarantee km-anonymity --k 2 --m 1
exits "the release is measured" 0 "$KANON" measure spellings.dat out.dat --numbers items
rm -f out.dat

# ---- hierarchies that contradict themselves ----

printf 'a;b;*\nb;c;*\nc;a;*\n' >triangle.csv
exits "a longer circle: refused" 3 "$KANON" hierarchy check triangle.csv
printf '39;39;3*;*\n301;30;3*;*\n30;30;3*;*\n' >fine.csv
exits "a value that is called like its group is fine" 0 "$KANON" hierarchy check fine.csv

# ---- formats that are not read or written ----

small_table >table.csv
of=(table.csv --id name --qi age,sex --keep postcode,diagnosis --k 2)
for name in out.xlsx out.xlsb out.dbf out.yaml out.sql out.parquet out.html out.csv.bz2 out.XLSX; do
    exits "$name is not written as CSV" 2 "$KANON" anonymize "${of[@]}" -o "$name"
    says "$name: says what is written" "name the output .csv, .tsv, .dat or .jsonl"
    absent "$name is not there" "$name"
done
exits "convert refuses too" 2 "$KANON" convert table.csv out.xlsx
exits "another ending is written as before" 0 "$KANON" anonymize "${of[@]}" -o out.txt
printf 'PAR1,b\n1,2\n' >named.csv
exits "a header may begin like one" 0 "$KANON" profile named.csv

# ---- temporary files ----

run env TMPDIR="$PWD" "$KANON" anonymize "${of[@]}" -q -o -
is "TMPDIR that is there" 0 "$code"

# ---- what separates items in baskets ----

printf 'milk,whole bread, eggs\nmilk,eggs\nwhole bread,milk\n' >food.dat
of=(--item-separator , --guarantee km-anonymity --k 2 --m 1)
exits "--item-separator of baskets" 0 "$KANON" anonymize food.dat "${of[@]}" --item-suppression 0.5 -q -o out.dat
is "--item-separator of baskets is honoured, in the release too" "eggs,milk,whole bread
eggs,milk
milk,whole bread" "$(cat out.dat)"
exits "the release is read with it" 0 "$KANON" check out.dat "${of[@]}"
rm -f out.dat
printf '1,3\n2,4\n1,4\n' >codes.dat
run "$KANON" hierarchy build codes.dat --item-separator , --column items --kind fanout --fanout 2 -o codes.h.csv
exits "a group that holds the separator is not written" 2 "$KANON" anonymize codes.dat "${of[@]:0:2}" \
    --hierarchy items=codes.h.csv --guarantee km-anonymity --k 2 --m 1 -o out.dat
says "a group that holds the separator: what would do" "write CSV or JSON Lines"
exits "convert takes it to CSV" 0 "$KANON" convert food.dat food.csv --item-separator ';'
run "$KANON" convert food.dat - --item-separator , --to csv
prints "convert: items of baskets in cells" '"eggs,milk,whole bread"'

# ---- numbers and acd ----

printf '1 2 3\n1 2 3\n2 3\n' >few.dat
of=(--guarantee km-anonymity --k 2 --m 1)
exits "--d with --paper" 0 "$KANON" anonymize few.dat --method acd --paper --d 0.1 "${of[@]}" -q -o out.dat
rm -f out.dat
printf 'x,n\na,1|2\nb,2|3\nc,1|3\n' >n.csv
exits "--numbers without a guarantee: refused" 2 "$KANON" anonymize n.csv --drop x --numbers n --k 2 -o out.csv
says "--numbers without a guarantee: km-anonymity is named" "--guarantee km-anonymity"

# ---- hierarchies that are built ----

printf '10 9\n100 8\n2 3\n' >ids.dat
run "$KANON" hierarchy build ids.dat --column items --kind fanout --fanout 2 -o -
is "fan-out over numeric ids is in the order of numbers" "2;[2,3];[2,9];*
3;[2,3];[2,9];*
8;[8,9];[2,9];*
9;[8,9];[2,9];*
10;[10,100];[10,100];*
100;[10,100];[10,100];*" "$out"
printf 'code\n010\n9\n008\n' >padded.csv
run "$KANON" hierarchy build padded.csv --column code --kind fanout --fanout 2 -o -
prints "codes with leading zeros stay in the order of texts" "008;{008..010}"
printf 'age\n1\n2\n3\n4\n5\n' >small.csv
run "$KANON" hierarchy build small.csv --column age -o -
prints "small integers waste no level" "1;[0,1];[0,3];*"
run "$KANON" hierarchy build small.csv --column age --kind frequency -o -
prints "nor with equal frequencies" "1;[1,2];[1,4];*"
{ echo age; seq 20 79; echo 20.5; echo -1; } >minus.csv
run "$KANON" hierarchy build minus.csv --column age -o -
prints "one age of -1 makes no ranges far below it" "-1;[-5.0,-0.1];[-5.0,-0.1];"
prints "the others have the ranges that they had" "20;[20.0,24.9];[20.0,29.9];[20.0,39.9];[0.0,39.9];"

# ---- how the file is laid out ----

printf '\n1;2\n3;4\n' >blank.csv
printf '\n1\n2\n' >one.csv
exits "--no-header, one column: a missing value" 0 "$KANON" profile one.csv --no-header
printf 'age, sex\n34, f\n36, m\n' >spaced.csv
exits "spaces around names: refused" 2 "$KANON" anonymize spaced.csv --qi age,sex --k 2 -o out.csv
says "spaces around names: --trim" "strip them with --trim"
exits "spaces around names: --trim does" 0 "$KANON" anonymize spaced.csv --qi age,sex --k 2 --trim -q -o out.csv
rm -f out.csv
printf 'sex,age\nf, 34\nm, 36\n' >spaced.csv
run "$KANON" profile spaced.csv
prints "profile says so" "hint: age: spaces stand around its values: --trim strips them"
printf 'sex,age\nf, "34"\n' >spaced.csv
exits "spaces before a quote: refused" 3 "$KANON" profile spaced.csv
says "spaces before a quote: --trim" "spaces stand before the quote: strip them (--trim)"
exits "a list of columns with spaces" 0 "$KANON" anonymize table.csv --id name --qi " age , sex" --keep "postcode, diagnosis" \
    --k 2 -q -o out.csv
rm -f out.csv
printf 'age;sex\n34;f\n36;m\n' >semicolon.csv
printf 'age;sex\n34,5;f\n36;m\n' >semicolon.csv
exits "a wrong separator, several values: refused" 3 "$KANON" profile semicolon.csv --separator ,
says "a wrong separator, several values: the right one is named" "the separator looks like ';', and ',' was given"

# ---- the command ----

exits "kanon list lists all" 0 "$KANON" list
for word in k-anonymity mondrian ncp tree; do
    prints "kanon list: $word" "  $word "
done
run "$KANON" list --json
prints "kanon list as JSON: guarantees" '"guarantees": ['
prints "kanon list as JSON: models" '"models": ['

finish
