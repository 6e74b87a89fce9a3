#!/usr/bin/env bash
# run_anonymize_file.sh - the example on a sample; the command agrees that the file is 5-anonymous.
set -eu
[ -n "${KANON:-}" ] || { echo "skipped: the command was not built"; exit 77; }

"$KANON" sample people --records 500 --seed 3 -o people.csv --hierarchies hierarchies \
    --schema people.schema.json
"$EXAMPLE" people.csv people.schema.json hierarchies 5 public.csv | tee said.txt
grep -q '^500 of 500 records published' said.txt
grep -q '^loss 0\.[0-9]' said.txt
"$KANON" check public.csv --schema people.schema.json --k 5

# More than there are records: says so, exits 4, leaves nothing.
status=0
"$EXAMPLE" people.csv people.schema.json hierarchies 501 none.csv 2>words.txt || status=$?
cat words.txt
[ "$status" = 4 ]
[ ! -e none.csv ]
