#!/usr/bin/env bash
# sweep.sh - kanon anonymize --sweep: the table, the releases, the reports, and what is left when it is stopped.
# shellcheck disable=SC2016,SC2054
set -u
# shellcheck source=tests/cli/tap.bash
. "$(dirname "$0")/tap.bash"

small_table >table.csv
people=(table.csv --id name --qi age,sex,postcode --sensitive diagnosis)

# ---- the table, and nothing else ----
exits "a sweep" 0 "$KANON" anonymize "${people[@]}" --sweep k=2:4:2
says "a sweep: how many can be met" "All 2 values of k can be met (method local, 8 records)."
says "a sweep: the heading" "k  holds          achieved    loss     ncp  suppressed  seconds"
says "a sweep: points to settle of a value" "2  yes, 3 points"
says "a sweep: points to settle of one value only" \
    "k = 2: k = 2 is small: each of two people recognises the other. Ask for a larger k: --k 5. Or accept it: --accept-point small-k"
is "a sweep: nothing on standard output" "" "$out"
is "a sweep: nothing is released" "table.csv" "$(find . -type f -printf '%P\n' | sort | xargs)"
exits "quiet" 0 "$KANON" anonymize "${people[@]}" --sweep k=2,4 --quiet
is "quiet: no words" "" "$err"

exits "one value cannot be met" 0 "$KANON" anonymize "${people[@]}" --sweep k=2,9 -o out.csv
says "one value cannot be met: its row" "9  infeasible"
says "one value cannot be met: why" "k = 9: k-anonymity with k = 9 cannot be met by 8 records"
there "one value cannot be met: the other's release" out.k=2.csv
absent "one value cannot be met: no release of it" out.k=9.csv
absent "nothing at the name itself" out.csv
rm -f out.*
exits "no value can be met" 4 "$KANON" anonymize "${people[@]}" --sweep k=9,10 -o out.csv --report r.json
says "no value can be met: says so" "None of the 2 values of k can be met"
absent "no value can be met: no release" out.k=9.csv
there "no value can be met: the report says why" r.json
rm -f r.json
exits "no value can be met, as data" 4 "$KANON" anonymize "${people[@]}" --sweep k=9 --json
prints "no value can be met, as data: why" '"reason": "k-anonymity with k = 9 cannot be met'

# ---- several parameters ----
exits "two parameters" 0 "$KANON" anonymize "${people[@]}" --sweep k=2,4 --sweep method=local,mondrian,flash -o two.csv --report two.html
says "two parameters: all combinations" "All 6 combinations of k and method can be met (8 records)."
says "two parameters: the heading" "k    method  holds"
says "two parameters: what is best" "best (*): no other row has less loss without more risk"
is "two parameters: at least one row is marked" yes "$(grep -q ' \*$' <<<"$err" && echo yes)"
is "two parameters: the plot" 1 "$(grep -c '<h2>Risk against loss</h2>' two.html)"
for k in 2 4; do
    for method in local mondrian flash; do
        "$KANON" anonymize "${people[@]}" --method "$method" --k "$k" -o one.csv --quiet
        if cmp -s one.csv "two.k=$k.method=$method.csv"; then ok "$method, k = $k: as alone"; else not_ok "$method, k = $k: as alone"; fi
    done
done
rm -f one.csv two.*
exits "a parameter twice" 2 "$KANON" anonymize "${people[@]}" --sweep k=2 --sweep k=3
says "a parameter twice: says so" "--sweep: k is swept twice: give all of its values in one list"
exits "too many combinations" 2 "$KANON" anonymize "${people[@]}" --sweep k=1:500:1 --sweep suppression=0%,1%,2%
says "too many combinations: says so" "--sweep: 1500 values, and 1000 is the most"
exits "a job with a text" 0 bash -c 'printf "%s" "{\"input\": \"table.csv\", \"id\": [\"name\"], \"qi\": [\"age\"], \"drop_rest\": true, \"sweep\": \"k=2,3\"}" >old.json; "$1" anonymize --job old.json --quiet' bash "$KANON"
rm -f old.json

# ---- the releases ----
for method in flash mondrian local; do
    exits "$method: a release a value" 0 "$KANON" anonymize "${people[@]}" --method "$method" --sweep k=2,3,4 -o out.csv
    says "$method: one only" "publish one of these releases at most"
    for k in 2 3 4; do
        "$KANON" anonymize "${people[@]}" --method "$method" --k "$k" -o one.csv --quiet
        if cmp -s one.csv "out.k=$k.csv"; then ok "$method, k = $k: as alone"; else not_ok "$method, k = $k: as alone"; fi
        exits "$method, k = $k: holds" 0 "$KANON" check "out.k=$k.csv" --qi age,sex,postcode --k "$k"
    done
    rm -f one.csv out.*
done
exits "the sweep's values take the place of another" 0 "$KANON" anonymize "${people[@]}" --k 8 --sweep k=2,3 -o out.csv.gz
there "before both endings" out.k=2.csv.gz
rm -f out.*

# ---- reports ----
exits "reports" 0 "$KANON" anonymize "${people[@]}" --sweep k=2,9 --report r.html --report r.json --json
if diff <(grep -v -e '"seconds"' -e peak_memory <<<"$out") <(grep -v -e '"seconds"' -e peak_memory r.json) >.diff; then
    ok "--json is the report"
else
    not_ok "--json is the report" "$(head -n 5 .diff)"
fi
rm -f .diff
prints "the swept parameter" '"parameter": "k"'
if grep -q '<svg' r.html && grep -q 'id="loss"' r.html; then ok "the page has a plot"; else not_ok "the page has a plot"; fi
is "the first screen says that a release leaves points" 1 "$(sed '/<h2>/,$d' r.html | grep -c '1 release leaves points to settle')"
if grep -qE 'Ada|Cleo|Finn' r.html r.json <<<"$out$err"; then not_ok "no identifiers"; else ok "no identifiers"; fi
if command -v xmllint >/dev/null; then
    exits "the page is well-formed" 0 xmllint --noout --nonet r.html
else
    skipped "the page is well-formed" "xmllint is not here"
fi
rm -f r.*

# ---- jobs ----
exits "a saved sweep" 0 "$KANON" anonymize "${people[@]}" --sweep k=2,3 --save-job s.json --quiet
if tr -d ' \n' <s.json | grep -q '"sweep":\["k=2,3"\]'; then ok "the job has the key"; else not_ok "the job has the key" "$(cat s.json)"; fi
exits "a saved sweep again, with a release" 0 "$KANON" anonymize --job s.json -o out.csv --quiet
there "a saved sweep again: released" out.k=3.csv
rm -f out.* s.json
exits "a job where a release goes" 2 "$KANON" anonymize "${people[@]}" --sweep k=2,3 -o out.json --save-job out.k=3.json
says "a job where a release goes: is taken" "'out.k=3.json' is taken"
absent "a job where a release goes: nothing written" out.k=2.json

# ---- items ----
printf '%s\n' "11000 11000 20000 40000 40000" "11000 30500 40000" "11000 11000 40000 40000" 11000 20000 >payments.dat
exits "m of km-anonymity, by acd" 0 "$KANON" anonymize payments.dat --type items=numbers --guarantee km-anonymity --k 2 \
    --method acd --sweep m=1:3:1 -o out.dat
for m in 1 2 3; do
    exits "acd, m = $m: holds" 0 "$KANON" check "out.m=$m.dat" --guarantee km-anonymity --k 2 --m "$m"
done
rm -f out.*

# ---- tables with items: values share clusters and merges, and each is as alone ----
"$KANON" sample informs --records 600 --seed 3 -o patients.csv --hierarchies p --schema p.json --quiet
patients=(patients.csv --schema p.json)
anonymity=(--guarantee k-km-anonymity)
# as_alone NAME PARAMETER VALUES OPTION...
as_alone() {
    local name=$1 parameter=$2 values=$3 value made=0
    shift 3
    exits "$name" 0 "$KANON" anonymize "${patients[@]}" "$@" --sweep "$parameter=$values" -o out.csv --quiet
    for value in ${values//,/ }; do
        if "$KANON" anonymize "${patients[@]}" "$@" "--$parameter" "$value" -o one.csv --quiet 2>/dev/null; then
            exits "$name, $parameter = $value: as alone" 0 cmp one.csv "out.$parameter=$value.csv"
            made=$((made + 1))
        else
            absent "$name, $parameter = $value: neither alone" "out.$parameter=$value.csv"
        fi
    done
    exits "$name: some can be met" 0 test "$made" -gt 1
    rm -f out.*.csv one.csv
}
exits "what a sweep shows" 0 "$KANON" anonymize "${patients[@]}" "${anonymity[@]}" --k 10 --m 2 --sweep delta=0.5,0.7
says "what a sweep shows: the parts" "delta  holds  achieved    loss     ncp   table   items      ul  query error  suppressed  seconds"
for method in rum-bound tum-bound; do
    for merge in r t rt; do
        as_alone "$method --merge $merge" delta 0.7,0.05,0.5,0.6,1 "${anonymity[@]}" --k 10 --m 2 --method $method --merge $merge
    done
    as_alone "$method --exact-utility" delta 0.6,0.3,0.8 "${anonymity[@]}" --k 15 --m 2 --method $method --exact-utility
    as_alone "$method over m" m 1,2,3 "${anonymity[@]}" --k 10 --method $method --delta 0.8
    as_alone "$method over k" k 10,5,40 "${anonymity[@]}" --m 2 --method $method --delta 0.8
    as_alone "$method, diversity" l 1,2,3 --guarantee k-lm-diversity --k 10 --m 2 --sensitive-prefix d01 --method $method --delta 0.8
done
as_alone rfirst m 2,1 "${anonymity[@]}" --k 10 --method rfirst
as_alone tfirst parts 3,8,1 "${anonymity[@]}" --k 10 --m 2 --method tfirst

# ---- stopped ----
"$KANON" sample people --records 30000 --seed 2 -o people.csv --hierarchies h --schema s.json
call=("$KANON" anonymize people.csv --schema s.json --method mondrian --sweep k=2:40:1 -o out.csv --report r.json --quiet)
if env --default-signal=INT true 2>/dev/null; then
    env --default-signal=INT "${call[@]}" 2>.err &
    pid=$!
    sleep 1
    kill -INT "$pid" 2>/dev/null
    wait "$pid"
    code=$?
    if [ "$code" = 0 ]; then
        skipped "stopped" "the machine was faster"
    else
        is "stopped: exit 130" 130 "$code"
        is "stopped: nothing is left" "" "$(find . -name 'out*' -o -name 'r.json' -o -name '.*.tmp')"
    fi
    rm -f .err
fi

# ---- real data ----
adult=${SHARED_DATA:-}/adult
if [ -r "$adult/adult.csv.zst" ]; then
    exits "Adult" 0 "$KANON" anonymize "$adult/adult.csv.zst" --qi age,sex,race,education --keep-rest --hierarchies "$adult/hierarchies" \
        --method mondrian --sweep k=5,50 -o adult.csv --quiet
    for k in 5 50; do
        "$KANON" anonymize "$adult/adult.csv.zst" --qi age,sex,race,education --keep-rest --hierarchies "$adult/hierarchies" \
            --method mondrian --k "$k" -o one.csv --quiet
        if cmp -s one.csv "adult.k=$k.csv"; then ok "Adult, k = $k: as alone"; else not_ok "Adult, k = $k: as alone"; fi
    done
else
    skipped "Adult" "$adult/adult.csv.zst is not there"
fi
finish
