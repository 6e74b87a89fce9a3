#!/usr/bin/env bash
# Reading and coding a CSV of 1 GB, against `wc` (lines, words, bytes) on the same file. The table is
# `sample people`, over and over, read with its schema as `anonymize` reads it; without the sample,
# ten columns from awk.
# shellcheck source=bench/common.sh disable=SC1091
. "$(dirname "$0")/common.sh"
bench_read=$(dirname "$kanon")/bench/bench_read
[ -x "$bench_read" ] || skip "$bench_read is not there; run make bench"

megabytes=1000
[ -z "$quick" ] || megabytes=100
table=$work/read.csv
part=$work/read_part.csv
schema=$work/read.schema.json
options=()

if [ -x "$kanon" ] && "$kanon" sample people --records 1000000 --seed 1 -o "$part" --schema "$schema" --quiet; then
    options=(--schema "$schema")
else
    awk 'BEGIN {
        srand(1)
        print "age,sex,education,postcode,job,marital,country,salary,birth,diagnosis"
        for (i = 0; i < 1000000; i++)
            printf "%d,%s,level %d,%05d,job %d,%s,country %d,%d,%d-%02d-%02d,code %d\n", 17 + rand() * 80,
                rand() < 0.5 ? "Male" : "Female", rand() * 16, 10000 + rand() * 3000, rand() * 60,
                rand() < 0.5 ? "Married" : "Never married", rand() * 40, 1000 + int(rand() * 4000),
                1940 + rand() * 60, 1 + rand() * 12, 1 + rand() * 2, rand() * 500
    }' >"$part"
fi
head -n 1 "$part" >"$table"
while [ "$(stat -c %s "$table")" -lt $((megabytes * 1000000)) ]; do
    tail -n +2 "$part" >>"$table"
done

cat "$table" >/dev/null # both find it in memory
rounds=5
[ -z "$quick" ] || rounds=3
measure "$rounds" read_wc wc "$table" :: read_kanon "$bench_read" "${options[@]}" "$table"
claim read "$megabytes MB" time "$(seconds read_kanon)" s wc "$(seconds read_wc)" 1.5
claim read "$megabytes MB" memory "$(peak read_kanon)" B "the text" "$((megabytes * 1000000))" 1
rm -f "$table" "$part"
