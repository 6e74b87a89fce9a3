#!/usr/bin/env bash
# reference.sh - t-closeness compared with the published or with the original table: releases, checks
# with and without the original, reports, job files, and what users may get wrong.
# shellcheck disable=SC2154
set -u
# shellcheck source=tests/cli/tap.bash
. "$(dirname "$0")/tap.bash"

# In classes a and b half of the answers are yes, in c all, in the whole table 0.6. Without c, a and b
# are at a distance of 0 from what is published, and of 0.1 from the original.
{
    echo 'city,answer'
    for _ in 1 2 3 4; do printf 'a,yes\na,no\nb,yes\nb,no\n'; done
    printf 'c,yes\nc,yes\nc,yes\nc,yes\n'
} >in.csv
roles=(--qi city --sensitive answer)
close=(--guarantee t-closeness --t 0.2)
exits "published" 0 "$KANON" anonymize in.csv "${roles[@]}" "${close[@]}" --method flash --suppression 0.5 -o pub.csv --report pub.json --quiet
exits "original" 0 "$KANON" anonymize in.csv "${roles[@]}" "${close[@]}" --reference original --method flash --suppression 0.5 -o orig.csv \
    --report orig.json --report orig.html --save-job job.json --quiet
is "c is removed" 0 "$(grep -c '^c,' orig.csv)"
is "published: the distance to what is left" '"achieved": 0' "$(grep -oE '"achieved": [0-9.]+' pub.json | head -1)"
is "original: the distance to the input" '"achieved": 0.1' "$(grep -oE '"achieved": 0\.1' orig.json | head -1)"
is "the report names the reference" '"reference": "original"' "$(grep -oE '"reference": "[a-z]+"' orig.json | head -1)"
is "the page says so" 1 "$(grep -c 'distributed as in the original table' orig.html | sed 's/^[1-9][0-9]*$/1/')"

# ---- the check ----
exits "check, published" 0 "$KANON" check orig.csv "${roles[@]}" "${close[@]}"
prints "check, published: as in the file" "distributed as in the whole file, up to a distance of 0"
exits "check, original" 0 "$KANON" check orig.csv "${roles[@]}" "${close[@]}" --reference original --original in.csv
prints "check, original: the claim" "distributed as in the original table, up to a distance of 0.1"
prints "check, original: the words" "compared with the original table: asked t = 0.2, achieved t = 0.1"
exits "check, original: a smaller t" 1 "$KANON" check orig.csv "${roles[@]}" --guarantee t-closeness --t 0.05 --reference original --original in.csv
exits "check, original: JSON" 0 "$KANON" check orig.csv "${roles[@]}" "${close[@]}" --reference original --original in.csv --json
prints "check, original: JSON names it" '"reference": "original"'
exits "check without the original" 4 "$KANON" check orig.csv "${roles[@]}" "${close[@]}" --reference original
prints "check without the original: the state" "CANNOT BE TOLD"
exits "check without the original, and k is broken" 1 "$KANON" check orig.csv "${roles[@]}" --k 9 --guarantee k-anonymity,t-closeness --t 0.2 --reference original

# ---- starred rows stay in the file: both references are the same, and the rows are a class ----
for reference in published original; do
    exits "starred, $reference" 0 "$KANON" anonymize in.csv "${roles[@]}" --guarantee t-closeness --t 0.4 --reference $reference --method flash \
        --suppression 0.5 --suppressed starred -o star-$reference.csv --quiet
done
is "starred: one release" "" "$(diff star-published.csv star-original.csv)"

# ---- a job file, other methods, a recoding ----
exits "the job" 0 "$KANON" anonymize --job job.json -o again.csv --quiet
is "the job: the same release" "" "$(diff orig.csv again.csv)"
for method in local mondrian tds id3; do
    exits "$method" 0 "$KANON" anonymize in.csv "${roles[@]}" "${close[@]}" --reference original --method $method --suppression 0.5 -o $method.csv --quiet
    exits "$method: checked" 0 "$KANON" check $method.csv "${roles[@]}" "${close[@]}" --reference original --original in.csv --quiet
done
exits "cluster reaches k-anonymity only" 2 "$KANON" anonymize in.csv "${roles[@]}" "${close[@]}" --reference original --method cluster -o none.csv

# ---- no release of that file ----
printf 'city,answer\na,yes\na,maybe\n' >other.csv
exits "a value that the original lacks" 3 "$KANON" check other.csv "${roles[@]}" "${close[@]}" --reference original --original in.csv
says "a value that the original lacks: said" 'of sensitive column "answer" is not in the original'
is "a value that the original lacks: not named" 0 "$(grep -c maybe <<<"$err$out")"
exits "an original that is too small" 3 "$KANON" check in.csv "${roles[@]}" "${close[@]}" --reference original --original orig.csv
says "an original that is too small: said" "more records than in the original"
exits "--original is not needed" 2 "$KANON" check orig.csv "${roles[@]}" "${close[@]}" --original in.csv
says "--original is not needed: said" "--reference original"
exits "a reference that there is not" 2 "$KANON" check orig.csv "${roles[@]}" "${close[@]}" --reference input
finish
