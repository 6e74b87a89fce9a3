#!/usr/bin/env bash
# sampling: the whole process, from file to certified release, on `sample towers`. The paper's size with k = 20, m = 11, sigma = 0.99; growth
# with the people; time against m; ten runs beside one, on one thread and on all; the printed choice of merges. SAMPLING_SIZES names other
# numbers of people; the parts after the first are measured with the second of them.
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

read -r -a sizes <<<"${SAMPLING_SIZES:-100000 1000000 4427486 10000000}"
[ -z "$quick" ] || sizes=(20000 100000)
# times CASE NAME: wall clock, processor and memory of a measured call.
times() {
    claim sampling "$1" time "$(seconds "$2")" s
    claim sampling "$1" processor "$(processor "$2")" s
    claim sampling "$1" memory "$(peak "$2")" B
}
for people in "${sizes[@]}"; do
    towers "$people"
    call "$people" 11
    measure 1 "sampling_$people" "${call[@]}"
    "$kanon" check "$work/sampling.dat" --original "$work/towers_$people.dat" --hierarchy "items=$work/sampling_mapping.csv" \
        --guarantee sigma-km-anonymity --k 20 --m 11 --sigma 0.99 --quiet >/dev/null
    if [ "$people" = 4427486 ]; then
        claim sampling "$people people, m = 11" "time, limit" "$(seconds "sampling_$people")" s "the issue's limit" 300 1
        claim sampling "$people people, m = 11" "memory, limit" "$(peak "sampling_$people")" B "the issue's limit" 4294967296 1
    fi
    times "$people people, m = 11" "sampling_$people"
    claim sampling "$people people, m = 11" "processor/people" "$(calculate "$(processor "sampling_$people") / $people * 1e6")" us
    claim sampling "$people people, m = 11" regions "$(area count)" ""
    claim sampling "$people people, m = 11" "mean error" "$(area mean_error_m)" m
done
people=${sizes[1]:-${sizes[0]}}
for m in 2 4 5 8; do
    call "$people" "$m"
    measure 1 "sampling_m$m" "${call[@]}"
    times "$people people, m = $m" "sampling_m$m"
done
call "$people" 11 --runs 10
all=("${call[@]}")
call "$people" 11 --runs 10 --threads 1
measure 1 sampling_one_thread "${call[@]}" :: sampling_runs "${all[@]}"
times "$people people, m = 11, 10 runs" sampling_runs
claim sampling "$people people, m = 11, 10 runs" "processor, shared start" "$(processor sampling_runs)" s "10 times one run" \
    "$(calculate "10 * $(processor "sampling_$people")")" 0.8
claim sampling "$people people, m = 11, 10 runs" "time, all cores" "$(seconds sampling_runs)" s "one thread" "$(seconds sampling_one_thread)" 0.8
claim sampling "$people people, m = 11, 10 runs" "mean error" "$(area mean_error_m)" m
ours=$(area mean_error_m)
call "$people" 11 --runs 10 --paper
measure 1 sampling_paper "${call[@]}"
claim sampling "$people people, m = 11, 10 runs" "mean error, ours" "$ours" m "as printed" "$(area mean_error_m)" 1
