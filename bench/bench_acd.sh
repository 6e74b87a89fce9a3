#!/usr/bin/env bash
# acd on incomes, k = 10, m = 2, d = 0.001: the whole process against reading and writing the same file,
# how time grows with the records, and loss against the printed algorithm.
# shellcheck source=bench/common.sh disable=SC1091,SC2054
. "$(dirname "$0")/common.sh"
need_kanon

km=(--guarantee km-anonymity --k 10 --m 2)

one() { # RECORDS ROUNDS
    local n=$1 in=$work/income_$1.dat
    [ -f "$in" ] || "$kanon" sample income --records "$n" --seed 1 -o "$in" --quiet
    measure "$2" "acd_convert_$n" "$kanon" convert "$in" "$work/acd_convert.dat" --quiet \
        :: "acd_$n" "$kanon" anonymize "$in" -o "$work/acd_$n.dat" "${km[@]}" --method acd \
        --report "$work/acd_$n.json" --quiet
    "$kanon" check "$work/acd_$n.dat" "${km[@]}" --quiet >/dev/null
    claim acd "$n records" time "$(seconds "acd_$n")" s
    claim acd "$n records" "memory a record" "$(calculate "$(peak "acd_$n") / $n")" B
    claim acd "$n records" ncp "$(utility "$work/acd_$n.json" ncp)" ""
    unit=$(calculate "$(seconds "acd_$n") / $n * 1e9")
    rm -f "$work/acd_$n.dat" "$work/acd_convert.dat"
}

one 1000000 3
first=$unit
claim acd "1000000 records" "time, whole process" "$(seconds acd_1000000)" s "kanon convert" "$(seconds acd_convert_1000000)" 6
if [ -z "$quick" ]; then
    one 10000000 1
    claim acd "10000000 records" "time/record" "$unit" ns "1000000 records" "$first" 1.5
fi

# Loss on real incomes, never above the printed algorithm's.
income=${BENCH_INCOME:-../shared/data/income/acs-pums-100k.csv.zst}
[ -r "$income" ] || skip "$income is not there; BENCH_INCOME names another file"
columns=(--bag income=pincp,wagp,intp,pap,retp,ssip,ssp,otherincp --nulls 0
    --drop serialno,sporder,stabbr,pwgtp,adjinc,mar,sex,agep,incgroup)
loss() { # NAME K M OPTION...
    local name=$1 k=$2 m=$3
    shift 3
    measure 1 "acd_$name" "$kanon" anonymize "$income" -o "$work/acd_loss.csv" "${columns[@]}" \
        --guarantee km-anonymity --k "$k" --m "$m" --method acd "$@" --report "$work/acd_$name.json" --quiet
}
for m in 1 2 3 4; do
    for k in 5 10 25 50 100; do
        [ -z "$quick" ] || [ "$m$k" = 210 ] || continue
        loss ours "$k" "$m"
        claim acd "k=$k, m=$m" time "$(seconds acd_ours)" s
        for d in 0.0001 0.001 0.01 0.1 1; do
            [ -z "$quick" ] || [ "$d" = 0.001 ] || continue
            loss paper "$k" "$m" --paper --d "$d"
            claim acd "k=$k, m=$m, d=$d" ncp "$(utility "$work/acd_ours.json" ncp)" "" \
                "as printed" "$(utility "$work/acd_paper.json" ncp)" 1
        done
    done
done
rm -f "$work/acd_loss.csv"
