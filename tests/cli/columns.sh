#!/usr/bin/env bash
# columns.sh - time grows with the number of columns, not with its square.
set -u
# shellcheck source=tests/cli/tap.bash
. "$(dirname "$0")/tap.bash"

# table COLUMNS: a header and two equal records.
table() {
    awk -v n="$1" 'BEGIN {
        for (i = 0; i < n; i++) printf "%sc%d", i ? "," : "", i
        for (r = 0; r < 2; r++) { printf "\n"; for (i = 0; i < n; i++) printf "%s%d", i ? "," : "", i * 7 % 13 }
        printf "\n"
    }'
}
# within NAME COMMAND...: ten seconds of processor time are plenty; squares of 25,000 take more.
within() {
    local name=$1
    shift
    code=0
    (ulimit -t 10 && exec "$@" >out.txt 2>err.txt) || code=$?
    if [ "$code" = 0 ]; then ok "$name"; else not_ok "$name" "exit $code" "$(head -c 300 err.txt)"; fi
}

table 25000 >wide.csv
within "anonymize" "$KANON" anonymize wide.csv --qi c1,c2 --keep-rest --k 2 -o o.csv --report r.json --quiet
within "check" "$KANON" check wide.csv --qi c1,c2 --k 2
within "profile" "$KANON" profile wide.csv
within "convert" "$KANON" convert wide.csv o.jsonl
within "JSON" "$KANON" check o.jsonl --qi c1,c2 --k 2
qi=$(seq -s, -f 'c%.0f' 0 9999)
within "an option with many columns" "$KANON" check wide.csv --qi "$qi" --k 2
{
    printf '{"columns": {'
    seq -s, -f '"c%.0f": {"role": "quasi-identifier"}' 0 9999
    printf '}}'
} >schema.json
within "a schema of many columns" "$KANON" anonymize wide.csv --schema schema.json --keep-rest --k 2 --method mondrian -o o.csv --quiet
finish
