#!/usr/bin/env bash
# jobs.sh - job files: the whole call as JSON.
# shellcheck disable=SC2016,SC2054
set -u
# shellcheck source=tests/cli/tap.bash
. "$(dirname "$0")/tap.bash"

mkdir data
small_table >data/table.csv
exits "--save-job" 0 "$KANON" anonymize data/table.csv --id name --qi age,sex --sensitive diagnosis --drop-rest --k 2 \
    --guarantee l-diversity --l 2 --suppression 10% -o out.csv --save-job job.json --quiet
run cat job.json
golden "the job is as it was" job.json
sum=$(cksum <out.csv)
rm out.csv
exits "--job" 0 "$KANON" anonymize --job job.json
is "--job: the same bytes" "$sum" "$(cksum <out.csv)"
exits "--job with another output" 0 "$KANON" anonymize --job job.json -o other.csv
is "--job with another output: the same bytes" "$sum" "$(cksum <other.csv)"
exits "--job with another k" 0 "$KANON" anonymize --job job.json --k 3 -o three.csv --json
prints "--job with another k: wins" '"k": 3'

mkdir jobs
cat >jobs/relative.json <<'END'
{ "input": "../data/table.csv", "output": "public.csv", "id": ["name"], "qi": ["age", "sex"],
  "keep_rest": true, "allow_unique": ["postcode"],
  "guarantee": [{"name": "k-anonymity", "k": 2}], "report": ["r.json"] }
END
exits "paths are relative to the job" 0 "$KANON" anonymize --job jobs/relative.json
there "paths are relative to the job: output" jobs/public.csv
there "paths are relative to the job: report" jobs/r.json

exits "--save-job into another folder" 0 "$KANON" anonymize data/table.csv --id name --qi age --keep-rest --allow-unique postcode --k 2 -o out.csv \
    --save-job jobs/saved.json
rm out.csv
exits "--save-job into another folder: works from anywhere" 0 bash -c 'cd jobs && "$KANON" anonymize --job saved.json'
there "it wrote where it had written" out.csv

bad() {
    printf '%s' "$3" >bad.json
    exits "$1: exit 3" 3 "$KANON" anonymize --job bad.json
    says "$1: says so" "$2"
}
bad "unknown key" "bad.json: there is no option 'gaurantee'; did you mean 'guarantee'?" '{"gaurantee": []}'
bad "not JSON" "bad.json: line 1, column" '{"input": }'
bad "a number as text" "bad.json: 'k' must be a number" '{"k": "5"}'
bad "out of range" "bad.json: --k: 0 is out of range" '{"k": 0}'
exits "no job file" 3 "$KANON" anonymize --job absent.json
exits "job without input" 2 bash -c 'echo "{}" >e.json; "$KANON" anonymize --job e.json'
exits "--save-job over the input" 2 "$KANON" anonymize data/table.csv --qi age --k 2 -o o.csv --save-job data/table.csv
exits "--save-job nowhere" 5 "$KANON" anonymize data/table.csv --drop-rest --qi age --k 2 -o never.csv \
    --save-job nowhere/j.json
absent "--save-job nowhere: no release" never.csv
exits "check --job" 0 "$KANON" check out.csv --job job.json --k 1 --l 1
exits "measure --job" 0 "$KANON" measure data/table.csv other.csv --job job.json
finish
