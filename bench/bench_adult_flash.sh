#!/usr/bin/env bash
# Adult, flash, k = 5, 5 % suppression: the whole process, from the compressed file to the checked one.
# For scale, seen on this kind of machine: ARX takes 2.6 s from a cold start, and 0.46 s for the search
# alone in a warm JVM.
# shellcheck source=bench/common.sh disable=SC1091
. "$(dirname "$0")/common.sh"
need_kanon
need_adult

rounds=${quick:+3}
report=$work/adult_flash.json
anonymize_adult "$adult/adult.csv.zst" "$work/adult_flash.csv" "$report" --k 5 --method flash --suppression 0.05
measure "${rounds:-9}" adult_flash "${call[@]}"
check_adult "$work/adult_flash.csv" 5
claim adult_flash "k=5, 5 %" time "$(seconds adult_flash)" s "ARX, cold start" 2.6 0.1
claim adult_flash "k=5, 5 %" time "$(seconds adult_flash)" s "ARX, warm search" 0.46 1
claim adult_flash "k=5, 5 %" memory "$(peak adult_flash)" B "ARX" 370e6 1
# ARX's optimum is known to three digits: what rounds to it is it.
claim adult_flash "k=5, 5 %" loss "$(utility "$report" loss)" "" "ARX, optimum" 0.280 1.0018
