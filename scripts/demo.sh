#!/usr/bin/env bash
# demo.sh - the main job on a made-up table: sample, anonymise, show the report.
set -eu
cd "$(dirname "$0")/.."
kanon=${KANON:-build/kanon}
demo=build/demo

say() { printf '\n$ %s\n' "$*"; "$@"; }

rm -rf "$demo"
mkdir -p "$demo"
say "$kanon" sample people --records 5000 --seed 1 -o "$demo/people.csv" \
    --hierarchies "$demo/hierarchies" --schema "$demo/people.schema.json"
say "$kanon" anonymize "$demo/people.csv" --schema "$demo/people.schema.json" \
    --guarantee k-anonymity --k 5 --method local \
    -o "$demo/public.csv" --report "$demo/report.json" --report "$demo/report.html"

printf '\nThe table, before and after:\n'
head -n 6 "$demo/people.csv"
printf '...\n'
head -n 6 "$demo/public.csv"
printf '...\n\nThe report: open %s in a browser.\n' "$PWD/$demo/report.html"
