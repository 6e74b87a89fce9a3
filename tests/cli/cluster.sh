#!/usr/bin/env bash
# cluster.sh - clusters of nearest records: the RT paper's example, refusals, and Adult.
# shellcheck disable=SC2054
set -u
# shellcheck source=tests/cli/tap.bash
. "$(dirname "$0")/tap.bash"

# Fig. 1a of the paper, its items left out, as our notes rebuild it; Fig. 2a's classes.
cat >patients.csv <<'END'
name,age,origin,gender
John,19,France,Male
Steve,22,Greece,Male
Mary,28,Germany,Female
Zoe,39,Spain,Female
Ann,70,Algeria,Female
Jim,55,Nigeria,Male
END
printf '%s;Europe;All\n' France Greece Germany Spain >origin.csv
printf '%s;Africa;All\n' Algeria Nigeria >>origin.csv
printf '%s;All\n' Male Female >gender.csv
roles=(--id name --qi age,origin,gender)
trees=(--hierarchy origin=origin.csv --hierarchy gender=gender.csv)
wanted=$(printf '%s\n' age,origin,gender '"[19,22]",Europe,Male' '"[19,22]",Europe,Male' '"[28,39]",Europe,Female' \
    '"[28,39]",Europe,Female' '"[55,70]",Africa,All' '"[55,70]",Africa,All')
for seed in 0 1 2 3 4 5 6 7; do
    exits "Fig. 1a is clustered with seed $seed" 0 "$KANON" anonymize patients.csv "${roles[@]}" "${trees[@]}" --k 2 \
        --method cluster --seed "$seed" -o out.csv --quiet
    is "that gives Fig. 2a with seed $seed" "$wanted" "$(cat out.csv)"
done
exits "as printed" 0 "$KANON" anonymize patients.csv "${roles[@]}" "${trees[@]}" --k 2 --method cluster --paper -o out.csv \
    --quiet
is "as printed, seed 0 gives Fig. 2a too" "$wanted" "$(cat out.csv)"
exits "Fig. 2a holds" 0 "$KANON" check out.csv --qi age,origin,gender --k 2

# Ranges, sets and missing values; barred records; every record alone.
small_table >table.csv
exits "without hierarchies" 0 "$KANON" anonymize table.csv --id name --qi age,sex,postcode --sensitive diagnosis --k 3 \
    --method cluster -o sets.csv --quiet
exits "without hierarchies: holds" 0 "$KANON" check sets.csv --qi age,sex,postcode --k 3
exits "k = 1" 0 "$KANON" anonymize table.csv --id name --qi age,sex --drop postcode --sensitive diagnosis --k 1 --method cluster \
    -o one.csv --quiet
is "k = 1 changes nothing" "$(cut -d , -f 2,3,5 table.csv)" "$(cat one.csv)"
exits "k of all" 0 "$KANON" anonymize table.csv --id name --qi age,sex --drop postcode --sensitive diagnosis --k 8 \
    --method cluster -o all.csv --quiet
is "k of all is one class" 1 "$(tail -n +2 all.csv | cut -d '"' -f 2,3 | cut -d , -f 1-3 | sort -u | wc -l)"
sed 's/,m,/,,/' table.csv >missing.csv
exits "missing values" 0 "$KANON" anonymize missing.csv --id name --qi age,sex --drop postcode --sensitive diagnosis --k 2 \
    --method cluster -o m.csv --quiet
exits "missing values: holds" 0 "$KANON" check m.csv --qi age,sex --k 2
printf 'f;*\n' >sex.csv
for how in suppress root; do
    exits "uncovered values: $how" 0 "$KANON" anonymize table.csv --id name --qi age,sex --drop postcode --sensitive diagnosis \
        --hierarchy sex=sex.csv --uncovered "$how" --suppression 1 --k 2 --method cluster -o u.csv --quiet
    exits "uncovered values: $how: holds" 0 "$KANON" check u.csv --qi age,sex --k 2
done

# local starts from clusters too: it loses less than either method that it starts from.
"$KANON" sample people --records 3000 --seed 5 -o people.csv --schema people.schema.json --hierarchies people
qis=sex,age,postcode,country,marital
loss() {
    "$KANON" anonymize people.csv "$@" --k 5 -o loss.csv --json 2>/dev/null | sed -n 's/^    "loss": \([0-9.e-]*\),*$/\1/p'
}
for roles in "--schema people.schema.json" "--qi $qis --drop-rest"; do
    # shellcheck disable=SC2086
    for method in local cluster mondrian; do
        loss $roles --method $method >"loss.$method"
    done
    is "local loses less than cluster and mondrian (${roles%% *})" yes "$(sort -g loss.local loss.cluster loss.mondrian |
        head -1 | cmp -s - loss.local && ! cmp -s loss.local loss.cluster && echo yes)"
done

exits "k above the records" 4 "$KANON" anonymize table.csv --drop-rest --qi age --k 9 --method cluster -o x.csv
says "k above the records: says what could be" "k can be at most 8"
exits "t-closeness is refused" 2 "$KANON" anonymize table.csv --drop-rest --qi age --sensitive diagnosis --k 2 \
    --guarantee t-closeness --t 0.5 --method cluster -o x.csv
says "t-closeness is refused: in words" "method cluster reaches k-anonymity only, not t-closeness"
exits "items are refused" 2 "$KANON" anonymize - -o x.dat --format dat --guarantee km-anonymity --k 2 --m 1 --method cluster \
    <<<"a b"
exits "--paper belongs to some" 2 "$KANON" anonymize table.csv --id name --qi age --k 2 --method local --paper -o x.csv
absent "nothing was written" x.csv

# Adult: holds, the same for any number of threads, and better than as printed.
data=${SHARED_DATA:-}/adult
if [ -f "$data/adult.csv.zst" ] && "$KANON" --version | grep -q '^built in:.*zstd'; then
    adult=("$data/adult.csv.zst" --separator ';' --hierarchies "$data/hierarchies" --k 10 --method cluster --quiet
        --qi sex,age,race,marital-status,education,native-country,workclass,occupation --keep-rest --seed 7)
    exits "Adult" 0 "$KANON" anonymize "${adult[@]}" -o adult.csv --report r.json --threads 1
    exits "Adult holds" 0 "$KANON" check adult.csv --separator ';' --k 10 --quiet \
        --qi sex,age,race,marital-status,education,native-country,workclass,occupation
    exits "Adult on three threads" 0 "$KANON" anonymize "${adult[@]}" -o again.csv --threads 3
    is "gives the same bytes" "$(cksum <adult.csv)" "$(cksum <again.csv)"
    exits "Adult as printed" 0 "$KANON" anonymize "${adult[@]}" -o paper.csv --paper --report p.json --threads 1
    exits "as printed on three threads" 0 "$KANON" anonymize "${adult[@]}" -o again.csv --paper --threads 3
    is "as printed: the same bytes" "$(cksum <paper.csv)" "$(cksum <again.csv)"
    ours=$(grep -m 1 -oE '"ncp": [0-9.e-]+' r.json | cut -d ' ' -f 2)
    paper=$(grep -m 1 -oE '"ncp": [0-9.e-]+' p.json | cut -d ' ' -f 2)
    if awk -v a="$ours" -v b="$paper" 'BEGIN { exit !(a != "" && b != "" && a <= b * 0.75) }'; then
        ok "NCP $ours, at most three quarters of the printed algorithm's $paper"
    else
        not_ok "NCP" "ours $ours, the paper's $paper"
    fi
else
    skipped "Adult" "$data is not there, or zstd is not built in"
fi
finish
