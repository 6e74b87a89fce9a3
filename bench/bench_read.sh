#!/usr/bin/env bash
# Reading and coding a CSV of 1 GB, against `wc` (lines, words, bytes) on the same file, in three cases:
#   columns     ten columns of at most a few thousand values, all coded: the case that the claim is about
#   people      `sample people` with its schema, as `anonymize` reads it: names and numbers of persons
#               are looked at, but not kept, which makes it easier than its size says
#   people+ids  the same without a schema: two columns with a value of its own for (nearly) every
#               person are coded too, which is the hard case for the dictionaries
# A million rows, over and over, until the size is reached.
# shellcheck source=bench/common.sh disable=SC1091
. "$(dirname "$0")/common.sh"
bench_read=$(dirname "$kanon")/bench/bench_read
[ -x "$bench_read" ] || skip "$bench_read is not there; run make bench"

megabytes=1000
rounds=5
if [ -n "$quick" ]; then
    megabytes=100
    rounds=3
fi
table=$work/read.csv
part=$work/read_part.csv
schema=$work/read.schema.json
trap 'rm -f "$table" "$part" "$schema"' EXIT

grow() {
    head -n 1 "$part" >"$table"
    while [ "$(stat -c %s "$table")" -lt $((megabytes * 1000000)) ]; do
        tail -n +2 "$part" >>"$table"
    done
    cat "$table" >/dev/null # both find it in memory
}

one() { # CASE OPTION...
    local name=$1
    shift
    measure "$rounds" "read_wc_$name" wc "$table" :: "read_$name" "$bench_read" "$@" "$table"
    claim read "$name, $megabytes MB" time "$(seconds "read_$name")" s wc "$(seconds "read_wc_$name")" 1.5
    claim read "$name, $megabytes MB" memory "$(peak "read_$name")" B "the text" "$((megabytes * 1000000))" 1
}

awk 'BEGIN {
    srand(1)
    print "age,sex,education,postcode,job,marital,country,salary,birth,diagnosis"
    for (i = 0; i < 1000000; i++)
        printf "%d,%s,level %d,%05d,job %d,%s,country %d,%d,%d-%02d-%02d,code %d\n",
            17 + rand() * 80, rand() < 0.5 ? "Male" : "Female", rand() * 16, 10000 + rand() * 3000,
            rand() * 60, rand() < 0.5 ? "Married" : "Never married", rand() * 40,
            1000 + int(rand() * 4000), 1940 + rand() * 60, 1 + rand() * 12, 1 + rand() * 2, rand() * 500
}' >"$part"
grow
one columns

if [ -x "$kanon" ] &&
    "$kanon" sample people --records 1000000 --seed 1 -o "$part" --schema "$schema" --quiet; then
    grow
    one people --schema "$schema"
    one people+ids
fi
