#!/usr/bin/env bash
# rt: tables with items. The six variants and the two baselines on the shape of the paper's first table, the whole process; its second table;
# BTD beside --exact-utility at 4,000 records; how time and memory grow to a million records.
# shellcheck source=bench/common.sh disable=SC1091,SC2054
. "$(dirname "$0")/common.sh"
need_kanon

ask=(--guarantee k-km-anonymity --k 25 --m 2)
# sample NAME RECORDS: $work/rt_NAME_RECORDS.csv and .json
sample() {
    local to=$work/rt_$1_$2
    [ -f "$to.json" ] || "$kanon" sample "$1" --records "$2" --seed 1 -o "$to.csv" --hierarchies "${to}_hierarchies" \
        --schema "$to.json" --quiet
}
# call NAME RECORDS OUT OPTION...: the words of a call, into $call.
call() {
    local from=$work/rt_$1_$2 out=$work/rt_$3
    shift 3
    call=("$kanon" anonymize "$from.csv" --schema "$from.json" "${ask[@]}" "$@" -o "$out.csv" --report "$out.json" --quiet)
}
# holds NAME RECORDS OUT: what was measured must also be right.
holds() { "$kanon" check "$work/rt_$3.csv" --schema "$work/rt_$1_$2.json" "${ask[@]}" --quiet >/dev/null; }
losses() {
    for measure in relational_ncp items_ncp ul; do
        claim rt "$1" "$measure" "$(utility "$work/rt_$2.json" "$measure")" ""
    done
}

sample informs 36553
for method in rfirst tfirst rum-bound tum-bound; do
    for merge in $(case $method in *bound) echo r t rt ;; *) echo - ;; esac); do
        options=(--method "$method")
        [ "$merge" = - ] || options+=(--merge "$merge")
        case="36553 x 5, $method ${merge#-}"
        call informs 36553 out "${options[@]}"
        measure 3 rt_time "${call[@]}"
        holds informs 36553 out
        if [ "$method$merge" = rum-boundrt ]; then
            claim rt "$case" time "$(seconds rt_time)" s "the issue's limit" 10 1
        else
            claim rt "$case" time "$(seconds rt_time)" s
        fi
        losses "$case" out
    done
done

sample youtube 131780
call youtube 131780 out
measure "$([ -z "$quick" ] && echo 3 || echo 1)" rt_time "${call[@]}"
holds youtube 131780 out
claim rt "131780 x 6, rum-bound rt" time "$(seconds rt_time)" s "the issue's limit" 60 1
claim rt "131780 x 6, rum-bound rt" memory "$(peak rt_time)" B
losses "131780 x 6, rum-bound rt" out

# BTD beside trial generalisation.
sample informs 4000
for method in rum-bound tum-bound; do
    for merge in t rt; do
        call informs 4000 btd --method $method --merge $merge
        btd=("${call[@]}")
        call informs 4000 exact --method $method --merge $merge --exact-utility
        measure 3 rt_btd "${btd[@]}" :: rt_exact "${call[@]}"
        holds informs 4000 btd
        holds informs 4000 exact
        claim rt "4000, $method $merge" "time" "$(seconds rt_btd)" s "--exact-utility" "$(seconds rt_exact)" 0.1
        claim rt "4000, $method $merge" "ul" "$(utility "$work/rt_btd.json" ul)" "" "--exact-utility" "$(utility "$work/rt_exact.json" ul)" 1.05
    done
done

for n in 10000 100000 1000000; do
    [ -z "$quick" ] || [ "$n" -lt 1000000 ] || continue
    sample informs $n
    call informs $n out
    measure "$([ "$n" -lt 1000000 ] && echo 3 || echo 1)" rt_time "${call[@]}"
    holds informs $n out
    claim rt "$n x 5, rum-bound rt" time "$(seconds rt_time)" s
    if [ "$n" -eq 1000000 ]; then
        claim rt "$n x 5, rum-bound rt" memory "$(peak rt_time)" B "4 GiB" 4294967296 1
    else
        claim rt "$n x 5, rum-bound rt" memory "$(peak rt_time)" B
    fi
done
rm -f "$work"/rt_out.csv "$work"/rt_btd.csv "$work"/rt_exact.csv
