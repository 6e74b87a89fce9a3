#!/usr/bin/env bash
# mistakes.sh - the first table of docs/bad-input.md, row by row: each call is made as it stands there, in a folder
# with the files that the page describes, and gives that message and that exit code, and no file.
# shellcheck disable=SC2001,SC2016
set -u
# shellcheck source=tests/cli/tap.bash
. "$(dirname "$0")/tap.bash"
page=$SOURCE_DIR/docs/bad-input.md

small_table >patients.csv
tr , ';' <patients.csv >semicolon.csv
printf 'name;age;pay\nAda;34;1,200\nBo;36;2,500\nCleo;35;1,800\n' >pay.csv
printf 'age,sex\n34,f\nn/a,m\n36,f\n' >gaps.csv
printf 'PK\003\004 not really' >book.xlsx
printf 'PAR1\025\004\025\n1\n' >data.parquet
printf '{ "columns": { "age": { "role": "quasi" } } }\n' >roles.json
printf '34;30-39;*\n36;30-39;*\n' >age.csv
mkdir results

PATH=$(dirname "$KANON"):$PATH
rows=0
while IFS= read -r row; do
    call=$(sed 's/^| `\(kanon [^`]*\)` |.*/\1/' <<<"$row")
    words=$(sed 's/^| `[^`]*` | `\(.*\)` | [0-9]* |$/\1/; s/\\|/|/g' <<<"$row")
    wanted=$(sed 's/.* | \([0-9]*\) |$/\1/' <<<"$row")
    before=$(find . -type f | sort | xargs cksum)
    exits "$call" "$wanted" bash -c "$call"
    is "$call: the words" "kanon: $words" "$(head -n 1 <<<"$err")"
    is "$call: nothing is left behind" "$before" "$(find . -type f | sort | xargs cksum)"
    rows=$((rows + 1))
done < <(sed -n '/^## Twenty-five/,/^## /p' "$page" | grep '^| `kanon ')
is "there are twenty-five, or more" yes "$([ "$rows" -ge 25 ] && echo yes || echo "only $rows")"
finish
