#!/usr/bin/env bash
# The check of tables with items: classes of 25 records with 6 of 936 items each, k = 10, l = 2, m = 2, which hold; against
# reading and writing the same file, and against the same records as a single class.
# shellcheck source=bench/common.sh disable=SC1091,SC2054
. "$(dirname "$0")/common.sh"
need_kanon

# Every item is absent from at most three records of a class, so that pairs have 19 holders or more; one record in five
# holds one of three sensitive items.
table() { # RECORDS
    awk -v n="$1" 'BEGIN {
        print "class,sex,items"
        for (i = 0; i < n; i++) {
            c = int(i / 25); r = i % 25; s = ""
            if (c == int(n / 25)) c-- # what is left over joins the last class
            for (j = 0; j < 6; j++) if ((r + 7 * j) % 9) s = s (s == "" ? "" : "|") "i" (c * 7 + j * 131) % 936
            if (r % 5 == 0) s = s "|s" int(r / 5) % 3
            print "c" c ",f," s
        }
    }'
}

one() { # RECORDS ROUNDS
    local n=$1 in=$work/rt_check_$1.csv
    [ -f "$in" ] || table "$n" >"$in"
    local check=("$kanon" check "$in" --items items --sensitive-prefix s --m 2 --quiet)
    measure "$2" "rt_convert_$n" "$kanon" convert "$in" "$work/rt_convert.csv" --quiet \
        :: "rt_km_$n" "${check[@]:0:5}" --qi class,sex --guarantee k-km-anonymity --k 1 --m 2 --quiet \
        :: "rt_lm_$n" "${check[@]}" --qi class,sex --guarantee k-lm-diversity --k 10 --l 2 \
        :: "rt_one_$n" "${check[@]}" --qi sex --guarantee k-lm-diversity --k 1 --l 1
    claim rt_check "$n records" "k-km, all items, k=1" "$(seconds "rt_km_$n")" s "kanon convert" "$(seconds "rt_convert_$n")" 6
    claim rt_check "$n records" "k-lm, k=10, l=2" "$(seconds "rt_lm_$n")" s "kanon convert" "$(seconds "rt_convert_$n")" 6
    claim rt_check "$n records" "classes of 25" "$(seconds "rt_lm_$n")" s "one class" "$(seconds "rt_one_$n")" 2
    claim rt_check "$n records" "memory a record" "$(calculate "$(peak "rt_lm_$n") / $n")" B
    unit=$(calculate "$(seconds "rt_lm_$n") / $n * 1e9")
    rm -f "$work/rt_convert.csv"
}

one 131780 5
first=$unit
one 1000000 3
claim rt_check "1000000 records" "time/record" "$unit" ns "131780 records" "$first" 1.5
