#!/usr/bin/env bash
# local_input.sh - files as people have them: decimal commas, other encodings, spaces in lists.
set -u
# shellcheck source=tests/cli/tap.bash
. "$(dirname "$0")/tap.bash"

# A decimal comma is seen, published with a point, and the release is read again.
{
    echo 'name;weight;sex'
    for i in 1 2 3 4 5 6 7 8; do echo "P$i;7$i,5;$([ $((i % 2)) = 0 ] && echo f || echo m)"; done
} >weights.csv
roles=(--id name --qi "weight, sex" --k 2)
exits "decimal comma" 0 "$KANON" anonymize weights.csv "${roles[@]}" --method mondrian -o public.csv --report r.json
says "decimal comma: says what it does" "1 column holds numbers with a decimal comma: they are read, and published, with a decimal point"
is "decimal comma: ranges with points" yes "$(grep -q '^\[7[0-9]\.5,7[0-9]\.5\];' public.csv && echo yes)"
if command -v python3 >/dev/null 2>&1; then
    is "decimal comma: the mean of the report" 75 \
        "$(python3 -c 'import json; print(round(json.load(open("r.json"))["statistics"][0]["before"]["mean"]))')"
fi
exits "decimal comma: the release is checked" 0 "$KANON" check public.csv --qi weight,sex --k 2 --quiet
exits "decimal comma: stated, for the release too" 0 "$KANON" check public.csv --qi weight,sex --k 2 --decimal , --quiet
exits "decimal comma: stated" 0 "$KANON" anonymize weights.csv "${roles[@]}" --decimal , -o stated.csv --quiet
exits "decimal comma: measured" 0 "$KANON" measure weights.csv public.csv --qi weight,sex --id name --quiet
exits "decimal point: text" 3 "$KANON" anonymize weights.csv "${roles[@]}" --decimal . -o text.csv
says "decimal point: says so" "column 'weight' holds numbers in a form that is read as text"
exits "decimal: another mark" 2 "$KANON" anonymize weights.csv "${roles[@]}" --decimal ';' -o text.csv
echo '{ "decimal": ",", "columns": { "name": { "role": "identifier" }, "weight": { "role": "quasi-identifier" },
  "sex": { "role": "quasi-identifier" } } }' >weights.json
exits "decimal comma: in a schema" 0 "$KANON" anonymize weights.csv --schema weights.json --k 2 -o schema.csv --quiet
is "decimal comma: the same release" "$(cat stated.csv)" "$(cat schema.csv)"

# The first line of a file may be a record: notes do not show it.
printf 'Ada;71,5\nBo;72,5\nCleo;73,5\n' >bare.csv
run "$KANON" profile bare.csv
is "decimal comma: no names" "" "$(grep -o 'Ada\|71,5' <<<"$out$err")"

# Latin-1 is seen and written as UTF-8.
printf 'name,town,sex\nA,K\366ln,f\nB,K\366ln,m\nC,M\374nchen,f\nD,M\374nchen,m\n' >latin.csv
exits "latin1" 0 "$KANON" anonymize latin.csv --id name --qi town,sex --k 2 --method mondrian -o utf8.csv
says "latin1: says what it does" "read as Latin-1 (Windows-1252)"
is "latin1: written as UTF-8" 2 "$(grep -c 'Köln' utf8.csv)"
exits "latin1: stated" 0 "$KANON" anonymize latin.csv --id name --qi town,sex --k 2 --method mondrian -o stated.csv --encoding latin1
is "latin1: stated, no words about it" "" "$(grep Latin <<<"$err")"
is "latin1: the same release" "$(cat utf8.csv)" "$(cat stated.csv)"
exits "latin1: the release with the same options" 0 "$KANON" check utf8.csv --qi town,sex --k 2 --encoding latin1
exits "utf8: stated, and wrong" 3 "$KANON" check latin.csv --qi town,sex --k 2 --encoding utf8 --drop name
if command -v iconv >/dev/null 2>&1; then
    iconv -f LATIN1 -t UTF-16 latin.csv >wide.csv
    exits "utf16" 0 "$KANON" anonymize wide.csv --id name --qi town,sex --k 2 --method mondrian -o wide.out.csv --quiet
    is "utf16: written as UTF-8" 2 "$(grep -c 'Köln' wide.out.csv)"
else
    skipped "utf16" "iconv is not here"
fi
finish
