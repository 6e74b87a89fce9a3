#!/usr/bin/env bash
# sampling: the whole process, from file to certified release, on `sample towers`. The paper's size with k = 20, m = 11, sigma = 0.99; growth
# with the people; time against m; ten runs beside one; the printed choice of merges.
# shellcheck source=bench/common.sh disable=SC1091,SC2054
. "$(dirname "$0")/common.sh"
need_kanon
"$kanon" --version | grep -q '^built in:.*geos' || skip "GEOS is not built in"

places=$work/towers.csv
# towers PEOPLE: $work/towers_PEOPLE.dat
towers() {
    if [ -f "$work/towers_$1.dat" ] && [ -f "$places" ]; then return; fi
    "$kanon" sample towers --records "$1" --seed 1 -o "$work/towers_$1.dat" --coordinates "$places" --quiet
}
# call PEOPLE M OPTION...: the words of a call, into $call.
call() {
    local from=$work/towers_$1.dat m=$2
    shift 2
    call=("$kanon" anonymize "$from" --guarantee sigma-km-anonymity --k 20 --m "$m" --sigma 0.99 --coordinates "$places"
        --names areas --mapping "$work/sampling_mapping.csv" -o "$work/sampling.dat" --report "$work/sampling.json" --quiet "$@")
}
area() { python3 -c 'import json, sys; print(json.load(open(sys.argv[1]))["areas"][sys.argv[2]])' "$work/sampling.json" "$1"; }

sizes=(100000 1000000 4427486 10000000)
[ -z "$quick" ] || sizes=(20000 100000)
for people in "${sizes[@]}"; do
    towers "$people"
    call "$people" 11
    measure 1 "sampling_$people" "${call[@]}"
    "$kanon" check "$work/sampling.dat" --original "$work/towers_$people.dat" --hierarchy "items=$work/sampling_mapping.csv" \
        --guarantee sigma-km-anonymity --k 20 --m 11 --sigma 0.99 --quiet >/dev/null
    if [ "$people" = 4427486 ]; then
        claim sampling "$people people, m = 11" time "$(seconds "sampling_$people")" s "the issue's limit" 300 1
        claim sampling "$people people, m = 11" memory "$(peak "sampling_$people")" B "the issue's limit" 4294967296 1
    else
        claim sampling "$people people, m = 11" time "$(seconds "sampling_$people")" s
        claim sampling "$people people, m = 11" memory "$(peak "sampling_$people")" B
    fi
    claim sampling "$people people, m = 11" "time/people" "$(calculate "$(seconds "sampling_$people") / $people * 1e9")" ns
    claim sampling "$people people, m = 11" regions "$(area count)" ""
    claim sampling "$people people, m = 11" "mean error" "$(area mean_error_m)" m
done
people=${sizes[-3]:-${sizes[-1]}}
[ -z "$quick" ] || people=${sizes[-1]}
for m in 2 4 5 8; do
    call "$people" "$m"
    measure 1 "sampling_m$m" "${call[@]}"
    claim sampling "$people people, m = $m" time "$(seconds "sampling_m$m")" s
done
call "$people" 11 --runs 10
measure 1 sampling_runs "${call[@]}"
claim sampling "$people people, m = 11, 10 runs" time "$(seconds sampling_runs)" s "10 times one run" \
    "$(calculate "10 * $(seconds "sampling_$people")")" 0.6
claim sampling "$people people, m = 11, 10 runs" "mean error" "$(area mean_error_m)" m
ours=$(area mean_error_m)
call "$people" 11 --runs 10 --paper
measure 1 sampling_paper "${call[@]}"
claim sampling "$people people, m = 11, 10 runs" "mean error, ours" "$ours" m "as printed" "$(area mean_error_m)" 1
