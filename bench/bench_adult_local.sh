#!/usr/bin/env bash
# Adult, local recoding, k = 5 and k = 10: loss and time. ARX's local recoding reaches 0.0569 in 1.9 s
# and 0.0790 in 3.2 s.
# shellcheck source=bench/common.sh disable=SC1091
. "$(dirname "$0")/common.sh"
need_kanon
need_adult

rounds=${quick:+1}
one() { # K LOSS SECONDS
    local name=adult_local_$1
    anonymize_adult "$adult/adult.csv.zst" "$work/$name.csv" "$work/$name.json" --k "$1" --method local
    measure "${rounds:-3}" "$name" "${call[@]}"
    check_adult "$work/$name.csv" "$1"
    claim adult_local "k=$1" loss "$(utility "$work/$name.json" loss)" "" "ARX, local" "$2" 1
    claim adult_local "k=$1" time "$(seconds "$name")" s "ARX, local" "$3" 1
}
one 5 0.0569 1.9
one 10 0.0790 3.2
