#!/usr/bin/env bash
# acd on incomes, k = 10, m = 2, d = 0.001: its time against apriori's and against reading and writing the
# same file, how time grows with the records, and loss against apriori and against the printed algorithm.
# shellcheck source=bench/common.sh disable=SC1091,SC2054
. "$(dirname "$0")/common.sh"
need_kanon

km=(--guarantee km-anonymity --k 10 --m 2)
width=(--kind width --width 100 --fanout 2) # the hierarchy that the paper gives apriori

sample() { # RECORDS
    [ -f "$work/income_$1.dat" ] || "$kanon" sample income --records "$1" --seed 1 -o "$work/income_$1.dat" --quiet
}
acd() { # RECORDS: the words of the call, into $call
    call=("$kanon" anonymize "$work/income_$1.dat" -o "$work/acd_$1.dat" "${km[@]}" --method acd
        --report "$work/acd_$1.json" --quiet)
}
# asked RECORDS: of the supports that a check asks for one by one, how many were known before their lists were read to the
# end. Where nothing is rare it asks for none, and pairs are counted in tables: so the release for m = 2 is checked for m = 3.
asked() {
    "$kanon" check "$work/acd_$1.dat" --guarantee km-anonymity --k 10 --m 3 --json >"$work/acd_check.json" 2>/dev/null ||
        [ $? = 1 ]
    number() { python3 -c 'import json, sys; print(json.load(open(sys.argv[1]))["items"][sys.argv[2]])' "$work/acd_check.json" "$1"; }
    claim acd "$1 records, check, m=3" "support questions" "$(number support_questions)" ""
    [ "$(number support_questions)" = 0 ] || claim acd "$1 records, check, m=3" "stopped early, share" \
        "$(calculate "$(number stopped_early) / $(number support_questions)")" ""
}
state() { # RECORDS: what the release was, and that it holds
    "$kanon" check "$work/acd_$1.dat" "${km[@]}" --json >"$work/acd_check.json" 2>/dev/null
    claim acd "$1 records" time "$(seconds "acd_$1")" s
    claim acd "$1 records" "memory a record" "$(calculate "$(peak "acd_$1") / $1")" "B a record"
    claim acd "$1 records" ncp "$(utility "$work/acd_$1.json" ncp)" ""
    asked "$1"
    unit=$(calculate "$(seconds "acd_$1") / $1 * 1e9")
    rm -f "$work/acd_$1.dat" "$work/acd_check.json"
}

# ---- time ----

n=1000000
sample $n
in=$work/income_$n.dat
"$kanon" hierarchy build "$in" --numbers items --column items "${width[@]}" -o "$work/acd_width.csv" --quiet
acd $n
measure "$([ -n "$quick" ] && echo 3 || echo 5)" \
    acd_convert "$kanon" convert "$in" "$work/acd_convert.dat" --quiet \
    :: acd_$n "${call[@]}" \
    :: acd_apriori "$kanon" anonymize "$in" -o "$work/acd_apriori.dat" --numbers items "${km[@]}" --method apriori \
    --hierarchy items="$work/acd_width.csv" --quiet
state $n
million=$unit
claim acd "$n records" "time, whole process" "$(seconds acd_$n)" s "kanon convert" "$(seconds acd_convert)" 10
claim acd "$n records" "time, whole process" "$(seconds acd_$n)" s apriori "$(seconds acd_apriori)" 1
if [ -z "$quick" ]; then
    sample 100000
    acd 100000
    measure 5 acd_100000 "${call[@]}"
    state 100000
    claim acd "1000000 records" time/record "$million" ns "100000 records" "$unit" 1.5
    sample 10000000
    acd 10000000
    measure 1 acd_10000000 "${call[@]}"
    state 10000000
    claim acd "10000000 records" time/record "$unit" ns "1000000 records" "$million" 1.5
fi
rm -f "$work/acd_convert.dat" "$work/acd_apriori.dat" "$work/acd_width.csv"

# ---- loss on real incomes ----

income=${BENCH_INCOME:-../shared/data/income/acs-pums-100k.csv.zst}
[ -r "$income" ] || skip "$income is not there; BENCH_INCOME names another file"
columns=(--bag income=pincp,wagp,intp,pap,retp,ssip,ssp,otherincp --nulls 0
    --drop serialno,sporder,stabbr,pwgtp,adjinc,mar,sex,agep,incgroup)
"$kanon" hierarchy build "$income" --bag "${columns[1]}" --nulls 0 --column income "${width[@]}" \
    -o "$work/acd_acs.csv" --quiet
loss() { # NAME K M METHOD OPTION...
    local name=$1 k=$2 m=$3 method=$4
    shift 4
    measure 1 "acd_$name" "$kanon" anonymize "$income" -o "$work/acd_$name.csv" "${columns[@]}" \
        --guarantee km-anonymity --k "$k" --m "$m" --method "$method" "$@" --quiet
    # By the width of ranges for all of them: with its hierarchy, apriori's would be by the share of values.
    "$kanon" measure "$income" "$work/acd_$name.csv" "${columns[@]}" --json >"$work/acd_$name.json"
    rm -f "$work/acd_$name.csv"
}
for m in 1 2 3 4; do
    for k in 5 10 25 50 100; do
        [ -z "$quick" ] || [ "$m$k" = 210 ] || continue
        loss ours "$k" "$m" acd
        loss apriori "$k" "$m" apriori --hierarchy income="$work/acd_acs.csv"
        claim acd "k=$k, m=$m" time "$(seconds acd_ours)" s
        claim acd "k=$k, m=$m" "time of apriori" "$(seconds acd_apriori)" s
        claim acd "k=$k, m=$m" ncp "$(utility "$work/acd_ours.json" ncp)" "" \
            apriori "$(utility "$work/acd_apriori.json" ncp)" "$([ "$m$k" = 210 ] && echo 0.5 || echo 1)"
        for d in 0.0001 0.001 0.01 0.1 1; do
            [ -z "$quick" ] || [ "$d" = 0.001 ] || continue
            loss paper "$k" "$m" acd --paper --d "$d"
            claim acd "k=$k, m=$m, d=$d" ncp "$(utility "$work/acd_ours.json" ncp)" "" \
                "as printed" "$(utility "$work/acd_paper.json" ncp)" 1
        done
    done
done
rm -f "$work/acd_acs.csv"
