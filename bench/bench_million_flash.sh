#!/usr/bin/env bash
# A million rows with Adult's columns (drawn from Adult with replacement, seed 1), flash, k = 5, without and with 5 %
# suppression. For scale: ARX takes 8.9 s and 21.6 s, and 1.4 to 1.7 GB.
# shellcheck source=bench/common.sh disable=SC1091
. "$(dirname "$0")/common.sh"
need_kanon
need_adult
command -v zstd >/dev/null || skip "zstd is not there"

rounds=${quick:+1}
table=$work/adult_million.csv
if [ ! -s "$table" ]; then
    zstd -dcq "$adult/adult.csv.zst" | python3 -c '
import random, sys
lines = sys.stdin.read().splitlines()
print(lines[0])
sys.stdout.writelines(line + "\n" for line in random.Random(1).choices(lines[1:], k=1000000))
' >"$table.part"
    mv "$table.part" "$table"
fi

anonymize_adult "$table" "$work/million_0.csv" "$work/million_0.json" --k 5 --method flash --suppression 0
none=("${call[@]}")
anonymize_adult "$table" "$work/million_5.csv" "$work/million_5.json" --k 5 --method flash --suppression 0.05
measure "${rounds:-3}" million_0 "${none[@]}" :: million_5 "${call[@]}" :: million_wc wc "$table"
check_adult "$work/million_0.csv" 5
check_adult "$work/million_5.csv" 5
rm -f "$work/million_0.csv" "$work/million_5.csv"
claim million_flash "k=5" time "$(seconds million_0)" s "ARX" 8.9 0.2
claim million_flash "k=5, 5 %" time "$(seconds million_5)" s "ARX" 21.6 0.2
claim million_flash "k=5" memory "$(peak million_0)" B "ARX" 1.4e9 0.2
claim million_flash "k=5, 5 %" memory "$(peak million_5)" B "ARX" 1.4e9 0.2
claim million_flash "yardstick: wc" time "$(seconds million_wc)" s
