#!/usr/bin/env bash
# tree.sh - kanon mine tree and --method id3 on a table with everything in it: hierarchies, numbers, missing values, private
# attributes.
set -u
# shellcheck source=tests/cli/tap.bash
. "$(dirname "$0")/tap.bash"

"$KANON" sample loans --records 3000 --seed 4 -o loans.csv --hierarchies h --schema s.json -q
loans=(loans.csv --schema s.json)
# shellcheck disable=SC2054
public=(loans.csv --schema s.json --qi sex,age,postcode,country,marital,education,occupation,sector,home,income,savings,loan
    --sensitive risk)

for words in "--k 2" "--k 20" "--k 20 --gain gini --depth 4" "--k 5 --gain ratio --no-prune" "--k 5 --paper" "--k 5 --splits values --smallest 1 --no-prune" "--k 3 --l 1.2" \
    "--k 3 --l 2 --diversity distinct" "--k 3 --inference 0.9"; do
    # shellcheck disable=SC2206
    options=($words)
    exits "private attributes, $words" 0 "$KANON" mine tree "${loans[@]}" --class risk "${options[@]}" -o private.json -q
    exits "public attributes, $words" 0 "$KANON" mine tree "${public[@]}" --class risk "${options[@]}" -o public.json -q
    check=()
    for ((i = 0; i < ${#options[@]}; i++)); do
        case ${options[i]} in --k | --l | --diversity | --inference) check+=("${options[i]}" "${options[i + 1]}") ;; esac
    done
    exits "it is judged alike again, $words" 0 "$KANON" mine --check private.json "${loans[@]}" "${check[@]}"
    exits "so is that of public ones, $words" 0 "$KANON" mine --check public.json "${public[@]}" "${check[@]}"
done
"$KANON" mine tree "${loans[@]}" --class risk --k 20 --paper -o private.json -q
exits "public attributes of a tree that took them for private" 1 "$KANON" mine --check private.json "${public[@]}" --k 20

"$KANON" mine tree "${loans[@]}" --class risk --k 5 -o one.json --threads 1 -q
"$KANON" mine tree "${loans[@]}" --class risk --k 5 -o two.json --threads 2 -q
is "the same bytes for every number of threads" "$(cksum <one.json)" "$(cksum <two.json)"
"$KANON" sample loans --records 3000 --seed 5 -o fresh.csv -q
exits "the default with a hold-out" 0 "$KANON" mine tree "${loans[@]}" --class risk --k 5 --hold-out 0.2 -o held.json --json
share() { sed -n "s/.*\"$1\": \([0-9.]*\).*/\1/p" <<<"$out"; }
near=$(awk -v a="$(share cross_validated_accuracy)" -v b="$(share hold_out_accuracy)" 'BEGIN { print((a > 0.7 && b > 0.7 && a < 0.86 && b < 0.86) ? "yes" : "no: " a " " b) }')
is "cross-validation and hold-out say what to expect" yes "$near"
is "a hold-out changes nothing in the model" "$(cksum <one.json)" "$(cksum <held.json)"
exits "fresh records" 0 "$KANON" apply held.json fresh.csv -o scored.csv --json
majority=$(awk -F, 'NR > 1 { n[$NF]++; m = n[$NF] > m ? n[$NF] : m } END { print m / (NR - 1) - 0.01 }' fresh.csv)
better=$(awk -v a="$(share accuracy)" -v m="$majority" 'BEGIN { print((a >= m) ? "yes" : "no: " a " " m) }')
is "by default a tree is not below the majority on fresh records" yes "$better"
exits "as printed" 0 "$KANON" mine tree "${loans[@]}" --class risk --k 5 --paper -o paper.json --json
is "no accuracy on other records is said of a tree that was not validated" "" "$(share cross_validated_accuracy)"
is "no identifier is in a model" 0 "$(grep -cF "$(sed -n 2p loans.csv | cut -d, -f2)" one.json)"

exits "a public class" 0 "$KANON" mine tree loans.csv --hierarchies h --id id,name --qi sex,age,home,loan,risk --sensitive income \
    --class risk --k 20 -o class.json

# One number written in several ways is one number: no threshold lies between.
{
    echo x,c
    for _ in 1 2 3; do printf '%s\n' -0.0,a 0,b 0.0,b 1,a 1.0,b 01,b 1e0,a 1.00,a; done
    printf '%s\n' ,a ,b
} >ways.csv
exits "numbers written in several ways" 0 "$KANON" mine tree ways.csv --qi x --type x=decimal --class c --k 2 --no-prune -o ways.json -o ways.txt
is "have one threshold" "1" "$(grep -c 'x <=' ways.txt)"
is "and leaves with the records that come to them" "  x <= 0: b  (9 records: 3 a, 6 b)" "$(grep 'x <=' ways.txt)"

# Real data, some of it private.
adult=${SHARED_DATA:-}/adult
if [ -r "$adult/adult.csv.zst" ]; then
    for k in 2 50 1000; do
        exits "Adult with private attributes, k = $k" 0 "$KANON" mine tree "$adult/adult.csv.zst" --separator ';' \
            --qi sex,age,race,education,native-country --sensitive marital-status,workclass,occupation --class salary-class \
            --hierarchies "$adult/hierarchies" --k $k -o adult.json -q
    done
else
    skipped "Adult" "$adult is not there"
fi

for k in 2 10 100; do
    exits "id3, k = $k" 0 "$KANON" anonymize "${public[@]}" --k $k --method id3 -o id3.csv --report id3.json -q
    exits "id3, k = $k: checked" 0 "$KANON" check id3.csv --qi sex,age,postcode,country,marital,education,occupation,sector,home,income,savings,loan --k $k
done
is "the report counts the classification metric" 1 "$(grep -c '"classification_metric"' id3.json)"
# Another class than the first sensitive column: the tree is grown for it, and the metric counts it.
of=(loans.csv --schema s.json --qi "sex,age,marital,education,occupation" --drop "postcode,country" --keep "home,sector" --sensitive "risk,income,savings,loan")
metric() { sed -n 's/.*"classification_metric": \([0-9]*\).*/\1/p' "$1"; }
for method in id3 tds; do
    for class in risk home; do
        exits "$method --class $class" 0 "$KANON" anonymize "${of[@]}" --k 10 --method $method --class $class -o $class.csv --report $class.json -q
    done
    differs=$(cmp -s risk.csv home.csv || echo yes)
    is "$method: another class, another table" yes "$differs"
    # How well home is told by each of the two tables, when home is the first sensitive column.
    for class in risk home; do
        exits "$method: measured for home, made for $class" 0 "$KANON" measure loans.csv $class.csv --schema s.json \
            --qi sex,age,marital,education,occupation --drop postcode,country --sensitive home --keep sector,risk,income,savings,loan --json
        metric /dev/stdin <<<"$out" >$class.metric
    done
    is "$method: the metric is that of its class" "$(cat home.metric)" "$(metric home.json)"
    better=$([ "$(cat home.metric)" -le "$(cat risk.metric)" ] && echo yes)
    is "$method: the table is not worse for its own class" yes "$better"
done
printf '%s' '{"qi": ["sex", "age"], "method": "id3", "class": "home", "guarantee": [{"name": "k-anonymity", "k": 10}]}' >class.job.json
exits "id3: the class of a job" 0 "$KANON" anonymize loans.csv --job class.job.json --drop-rest -o job.csv -q
exits "id3 with l-diversity" 0 "$KANON" anonymize "${public[@]}" --guarantee k-anonymity --k 5 --guarantee l-diversity --l 2 \
    --method id3 -o id3.csv -q
finish
