#!/usr/bin/env bash
# measure.sh - what a release can still be used for: questions and frequent sets of items.
# shellcheck disable=SC2054
set -u
# shellcheck source=tests/cli/tap.bash
. "$(dirname "$0")/tap.bash"

# value NAME: a measure of the last run's JSON.
value() { python3 -c 'import json, sys; print(json.load(sys.stdin)["utility"][sys.argv[1]])' "$1" <<<"$out"; }
# below NAME VALUE MOST: a number between 0 and MOST.
below() {
    if python3 -c 'import sys; sys.exit(not 0 <= float(sys.argv[1]) <= float(sys.argv[2]))' "$2" "$3"; then
        ok "$1"
    else
        not_ok "$1" "$2 is not between 0 and $3"
    fi
}

# Two of three sets are {B, D} or a part of it; B and D together are in one.
printf 'B D\nB\nD E\n' >before.dat
printf '{B,D}\n{B,D}\n{B,D} E\n' >after.dat
printf 'items\nB\nB D\n' | sed 's/ /|/' >ask.csv
exits "a release of sets is measured" 0 "$KANON" measure before.dat after.dat --json
is "by questions" True "$(python3 -c 'import json, sys; q = json.load(sys.stdin)["queries"]; print(q["asked"] == 100 and q["mean"] >= 0)' <<<"$out")"
# Expected: B 3 x 2/3 for 2; both 3 x 1/3 for 1.
exits "questions of a file" 0 "$KANON" measure before.dat after.dat --json --query-file <(printf 'B\nB D\n') --format dat
below "are answered by expectation" "$(value query_error)" 1e-12
exits "another form of it" 0 "$KANON" measure before.dat after.dat --items items --query-file ask.csv --format auto
prints "says how many" "2 questions"
prints "and that there is no hierarchy" "there is no hierarchy with groups"
exits "no questions" 0 "$KANON" measure before.dat after.dat --queries 0
is "are none" 0 "$(grep -c query_error <<<"$out")"

# Tables.
printf 'age,sex\n20,f\n25,m\n30,f\n40,m\n' >t.csv
printf 'age,sex\n"[20,30]",f\n"[20,30]",m\n"[20,30]",f\n40,*\n' >r.csv
printf 'sex,age\nf,\nm,"[20,25]"\n' >q.csv
# f: 2 + 1/2 for 2; m in 20 to 25: 2/3 for 1: (1/4 + 1/3) / 2
exits "a table and questions" 0 "$KANON" measure t.csv r.csv --qi age,sex --query-file q.csv --json
below "are off by so much" "$(python3 -c 'import sys; print(abs(float(sys.argv[1]) - 7 / 24))' "$(value query_error)")" 1e-12
exits "drawn ones" 0 "$KANON" measure t.csv r.csv --qi age,sex --query-values 1 --queries 20 --seed 3 --json
first=$out
exits "with the same seed" 0 "$KANON" measure t.csv r.csv --qi age,sex --query-values 1 --queries 20 --seed 3 --json --threads 1
is "are the same" "$first" "$out"
# Sets of values, in columns that have a hierarchy: a or c: 1 + 1/2 + 1 + 1/2 for 2; with x or z as well the same; x or y, and z: 1 for 1.
printf 'town,codes\na,x|y\nb,x\nc,y|z\nd,z\n' >towns.csv
printf 'town,codes\na,x|y\nA,x\nc,y|z\n*,z\n' >town_groups.csv
printf '%s\n' 'a;A;*' 'b;A;*' 'c;B;*' 'd;B;*' >town.csv
printf '%s\n' 'x;X;*' 'y;X;*' 'z;Z;*' >code.csv
towns=(towns.csv town_groups.csv --qi town --items codes --hierarchy town=town.csv --hierarchy codes=code.csv)
printf 'town,codes\n"{a,c}",\n"{a,c}","{x,z}"\n,"{x,y}|z"\n' >q.csv
exits "sets of values beside a hierarchy" 0 "$KANON" measure "${towns[@]}" --query-file q.csv --json
below "are off by so much" "$(python3 -c 'import sys; print(abs(float(sys.argv[1]) - 1 / 3))' "$(value query_error)")" 1e-12
printf 'town\n"{a,e}"\n' >q.csv
exits "a set with no value of the column" 3 "$KANON" measure "${towns[@]}" --query-file q.csv
says "says which" '"{a,e}" is no value of the original column, no group of its hierarchy'

# What cannot be.
exits "items of a table without any" 2 "$KANON" measure t.csv r.csv --qi age,sex --query-items 1
says "says so" "no quasi-identifier is a list"
exits "frequent sets of a table" 2 "$KANON" measure t.csv r.csv --qi age,sex --support 0.1
says "says so" "no quasi-identifier is a list"
exits "a support of 0" 2 "$KANON" measure before.dat after.dat --support 0
says "says what would do" "above 0"
exits "both ways to ask" 2 "$KANON" measure t.csv r.csv --qi age,sex --query-file q.csv --queries 5
says "says so" "leave one out"
printf 'sex,age\nf,\n,\n' >nothing.csv
exits "a question that asks nothing" 3 "$KANON" measure t.csv r.csv --qi age,sex --query-file nothing.csv
says "says which" "nothing.csv: record 2: it asks nothing"
printf 'sex,height\nf,180\n' >height.csv
exits "a column that is not there" 3 "$KANON" measure t.csv r.csv --qi age,sex --query-file height.csv
says "is named" "column 'height'"
printf 'sex\nx\n' >x.csv
exits "a value that is not there" 3 "$KANON" measure t.csv r.csv --qi age,sex --query-file x.csv
says "is named" 'record 1: column "sex": "x"'

# Reports hold both where they are cheap, or asked for.
printf 'milk;dairy;*\nbrie;dairy;*\nfeta;dairy;*\nleek;greens;*\n' >shop.csv
printf 'milk leek\nmilk leek\nmilk\nbrie leek\nfeta leek\nleek\nleek\n' >shop.dat
km=(--guarantee km-anonymity --k 2 --m 2 --hierarchy items=shop.csv --quiet)
exits "a report" 0 "$KANON" anonymize shop.dat -o s.dat "${km[@]}" --report s.json --report s.html
out=$(cat s.json)
below "has the query error" "$(value query_error)" 100
below "and the mining loss" "$(value mining_loss)" 1
is "in words as well" 2 "$(grep -o '>query error<\|>mining loss<' s.html | wc -l)"
exits "the others only" 0 "$KANON" anonymize shop.dat -o s.dat "${km[@]}" --report s.json --measures basic
is "are there" 0 "$(grep -c 'query_error\|mining_loss' s.json)"
exits "tables when asked" 0 "$KANON" anonymize t.csv -o o.csv --qi age,sex --drop-rest --k 2 --report s.json --measures all --quiet
out=$(cat s.json)
below "have the query error" "$(value query_error)" 100

# Real ones. A release of few changes keeps most frequent sets.
sets=${SHARED_DATA:-}/sets
if [ -f "$sets/groceries.dat" ]; then
    sed 1d "$sets/groceries-items.csv" | awk -F, '{ gsub(" ", "_"); print $1 ";" $3 ";" $4 ";*" }' >groceries.csv
    exits "groceries" 0 "$KANON" anonymize "$sets/groceries.dat" -o g.dat --hierarchy items=groceries.csv \
        --guarantee km-anonymity --k 5 --m 2 --quiet
    exits "are measured" 0 "$KANON" measure "$sets/groceries.dat" g.dat --hierarchy items=groceries.csv --json
    below "and keep most frequent sets" "$(value mining_loss)" 0.3
    first=$out
    exits "one thread" 0 "$KANON" measure "$sets/groceries.dat" g.dat --hierarchy items=groceries.csv --json --threads 1
    is "gives the same" "$first" "$out"
    exits "groceries themselves" 0 "$KANON" measure "$sets/groceries.dat" "$sets/groceries.dat" \
        --hierarchy items=groceries.csv --json
    is "answer all" "0 0" "$(value query_error) $(value mining_loss)"
else
    skipped "groceries" "$sets is not there"
fi
exits "standard input is one file" 2 "$KANON" measure - -
says "which is said" "standard input can be one of the two files only"
income=${SHARED_DATA:-}/income/acs-pums-100k.csv.zst
if [ -f "$income" ] && "$KANON" --version | grep -q '^built in:.*zstd'; then
    bag=(--bag income=pincp,wagp,intp,pap,retp,ssip,ssp,otherincp --nulls 0
        --drop serialno,sporder,stabbr,pwgtp,adjinc,mar,sex,agep,incgroup)
    exits "incomes" 0 "$KANON" anonymize "$income" -o i.csv "${bag[@]}" --guarantee km-anonymity --k 5 --m 1 --method acd --quiet
    exits "are measured" 0 "$KANON" measure "$income" i.csv "${bag[@]}" --numbers income --json
    below "and answer" "$(value query_error)" 1
    below "by ranges" "$(value mining_loss)" 0.9
else
    skipped "incomes" "$income is not there, or zstd is not built in"
fi
finish
