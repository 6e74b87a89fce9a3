#!/usr/bin/env bash
# run_check_file.sh - the example on a file that is 2-anonymous and not 3-anonymous.
set -eu

printf '%s\n' age,town,illness '"[30,39]",Graz,flu' '"[30,39]",Graz,cold' \
    '"[30,39]",Graz,flu' '"[40,49]",*,cold' '"[40,49]",*,asthma' >public.csv

# says STATUS K COLUMN...: what the example exits with; what it prints is in said.txt.
says() {
    local wanted=$1 status=0
    shift
    "$EXAMPLE" public.csv "$@" >said.txt 2>&1 || status=$?
    cat said.txt
    [ "$status" = "$wanted" ] || { echo "exit status $status instead of $wanted"; exit 1; }
}

says 0 2 age town
grep -q '^holds: 2 classes, achieved k = 2$' said.txt
says 1 3 age town
grep -q '^does not hold: 2 classes, achieved k = 2$' said.txt
grep -qF '2 records: age=[40,49] town=*' said.txt
says 3 2 age city
grep -qF "there is no column 'city' that the schema names" said.txt
says 3 2 aeg town
grep -qF "did you mean 'age'?" said.txt
says 2 0 age town
says 2 2x age town
rm public.csv
says 3 2 age town
