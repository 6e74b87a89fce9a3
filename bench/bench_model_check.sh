#!/usr/bin/env bash
# mine --check: trees over public columns only, and with private numbers between them, on `sample loans` of 10^5 and 10^6 rows, against
# reading and scoring the same file (apply): judging costs little more, and no more a record in the larger table. Whole processes.
# shellcheck source=bench/common.sh disable=SC1091
. "$(dirname "$0")/common.sh"
need_kanon

public=sex,age,postcode,country,marital,education,occupation,sector,home
for n in 100000 1000000; do
    "$kanon" sample loans --records "$n" --seed 1 -o "$work/check_$n.csv" --quiet
    data=("$work/check_$n.csv" --id "id,name" --qi "$public")
    for what in public private; do
        roles=(--sensitive risk)
        [ "$what" = public ] || roles=(--sensitive "risk,income,savings,loan")
        "$kanon" mine tree "${data[@]}" "${roles[@]}" --class risk --k $((n / 500)) --depth 8 -o "$work/check_$what.json" --quiet
        measure 3 "check_${what}_$n" "$kanon" mine --check "$work/check_$what.json" "${data[@]}" "${roles[@]}" --quiet :: \
            "apply_${what}_$n" "$kanon" apply "$work/check_$what.json" "${data[@]}" -o "$work/scored.csv" --quiet
        claim model_check "$n rows, $what" time "$(seconds "check_${what}_$n")" s apply "$(seconds "apply_${what}_$n")" 2
        claim model_check "$n rows, $what" memory "$(peak "check_${what}_$n")" B "4 GiB" 4294967296 1
    done
    rm -f "$work/check_$n.csv" "$work/scored.csv"
done
for what in public private; do
    claim model_check "time a row, $what" "10^6" "$(calculate "$(seconds "check_${what}_1000000") / 10")" s "10^5" \
        "$(seconds "check_${what}_100000")" 2
done
