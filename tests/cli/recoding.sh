#!/usr/bin/env bash
# recoding.sh - --recoding writes what every value is published as; what has no recoding is refused, and nothing is written.
set -u
# shellcheck source=tests/cli/tap.bash
. "$(dirname "$0")/tap.bash"

printf 'age,ill\n30,a\n31,b\n40,a\n41,b\n30,b\n' >t.csv
printf '30;young;*\n31;young;*\n40;old;*\n41;old;*\n49;old;*\n' >age.csv
flash=(--qi age --sensitive ill --hierarchy age=age.csv --k 2 --method flash --quiet)
exits "a recoding is written beside the release" 0 "$KANON" anonymize t.csv "${flash[@]}" -o o.csv --recoding r.json
is "it covers the values of the hierarchy" '{"30": "young", "31": "young", "40": "old", "41": "old", "49": "old"}' \
    "$(tr -d '\n' <r.json | sed 's/.*"values": {/{/; s/}.*/}/; s/  */ /g; s/{ /{/; s/ }/}/')"
exits "the same bytes again" 0 "$KANON" anonymize t.csv "${flash[@]}" -o o2.csv --recoding r2.json
exits "are they" 0 cmp r.json r2.json
exits "a job has it" 0 "$KANON" anonymize t.csv "${flash[@]}" -o o.csv --recoding r.json --save-job job.json
exits "by its name" 0 grep -q '"recoding": ".*r.json"' job.json

printf 'age,ill\n1,a\n2,b\n2,a\n2,b\n3,a\n3,b\n' >local.csv
exits "local recoding has none" 2 "$KANON" anonymize local.csv --qi age --sensitive ill --k 3 --method mondrian --relaxed --quiet -o local_out.csv --recoding local.json
absent "and leaves no release" local_out.csv
absent "nor a recoding" local.json
exits "a sweep has many" 2 "$KANON" anonymize t.csv "${flash[@]}" --sweep k=2,3 --recoding r.json
exits "the input is not overwritten" 2 "$KANON" anonymize t.csv "${flash[@]}" -o o.csv --recoding t.csv
finish
