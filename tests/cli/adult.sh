#!/usr/bin/env bash
# adult.sh - the census table with hierarchies, from file to checked file, and how much it loses.
# shellcheck disable=SC2016,SC2054
set -u
# shellcheck source=tests/cli/tap.bash
. "$(dirname "$0")/tap.bash"

data=${SHARED_DATA:-}/adult
if [ ! -f "$data/adult.csv.zst" ]; then
    echo "skipped: $data/adult.csv.zst is not there"
    exit 77
fi
if ! "$KANON" --version | grep -q '^built in:.*zstd'; then
    echo "skipped: zstd is not built in"
    exit 77
fi
qi=sex,age,race,marital-status,education,native-country,workclass,occupation
hierarchies=()
for name in ${qi//,/ }; do
    hierarchies+=(--hierarchy "$name=$data/hierarchies/$name.csv")
done

# loss NAME LIMIT OPTIONS...: anonymises and compares the loss.
loss() {
    local name=$1 limit=$2 got
    shift 2
    exits "$name" 0 "$KANON" anonymize "$data/adult.csv.zst" --separator ';' --qi $qi --keep-rest "${hierarchies[@]}" \
        "$@" -o out.csv --report r.json --report r.html
    got=$(grep -m 1 -oE '"loss": [0-9.e-]+' r.json | cut -d ' ' -f 2)
    if awk -v got="$got" -v limit="$limit" 'BEGIN { exit !(got != "" && got <= limit) }'; then
        ok "$name: loss $got is not above $limit"
    else
        not_ok "$name: loss is not above $limit" "$got"
    fi
}
loss "flash, k = 5, no suppression" 0.6615 --k 5 --method flash
loss "flash, k = 10, 5 %" 0.3325 --k 10 --method flash --suppression 0.05
loss "local, k = 10" 0.0790 --k 10 --method local
loss "local, k = 5" 0.0569 --k 5 --method local
loss "flash, k = 5, 5 %" 0.2805 --guarantee k-anonymity --k 5 --method flash --suppression 0.05
exits "check k = 5" 0 "$KANON" check out.csv --qi $qi --k 5
exits "check k = 1000" 1 "$KANON" check out.csv --qi $qi --k 1000
prints "check k = 1000: lists classes" "sex="
cp out.csv before.csv
exits "the folder of hierarchies does the same" 0 "$KANON" anonymize "$data/adult.csv.zst" --separator ';' \
    --qi $qi --keep-rest --hierarchies "$data/hierarchies" --k 5 --method flash --suppression 5% -o out.csv --threads 1
if cmp -s before.csv out.csv; then ok "byte for byte, on one thread"; else not_ok "byte for byte, on one thread"; fi
exits "measure agrees" 0 "$KANON" measure "$data/adult.csv.zst" out.csv --separator ';' --qi $qi \
    --hierarchies "$data/hierarchies" --json
is "measure agrees: loss" "$(grep -m 1 -oE '"loss": [0-9.]{6}' r.json)" "$(grep -m 1 -oE '"loss": [0-9.]{6}' <<<"$out")"
exits "t-closeness with salary" 0 "$KANON" anonymize "$data/adult.csv.zst" --separator ';' --qi $qi \
    --sensitive salary-class --hierarchies "$data/hierarchies" --k 5 --guarantee t-closeness --t 0.3 \
    --suppression 5% --method flash -o t.csv
exits "t-closeness with salary: checked" 0 "$KANON" check t.csv --separator ';' --qi $qi \
    --sensitive salary-class --k 5 --guarantee t-closeness --t 0.3
finish
