#!/usr/bin/env bash
# Rows grouped by a key into records with sets, rows of a key far apart: the whole process against reading and
# writing the same rows as they are, how time grows with the rows, and memory a row.
# shellcheck source=bench/common.sh disable=SC1091,SC2054
. "$(dirname "$0")/common.sh"
need_kanon

one() { # ROWS ROUNDS
    local n=$1 in=$work/rows_$1.csv
    [ -f "$in" ] || awk -v n="$n" 'BEGIN {
        print "patient,age,sex,town,code"
        for (i = 0; i < n; i++) {
            p = (i * 7919) % (n / 4)
            printf "%d,%d,%s,t%d,c%d\n", p, p % 90, p % 2 ? "f" : "m", p % 500, (i * 31 + p) % 700
        }
    }' >"$in"
    measure "$2" "group_as_is_$n" "$kanon" convert "$in" "$work/group_as_is.csv" --quiet \
        :: "group_$n" "$kanon" convert "$in" "$work/group_$n.csv" --group-by patient --collect code --quiet
    [ "$(wc -l <"$work/group_$n.csv")" = $((n / 4 + 1)) ] || { echo "not one record a patient" >&2; exit 1; }
    claim group "$n rows" time "$(seconds "group_$n")" s "rows as they are" "$(seconds "group_as_is_$n")" 1
    claim group "$n rows" "memory a row" "$(calculate "$(peak "group_$n") / $n")" B
    unit=$(calculate "$(seconds "group_$n") / $n * 1e9")
    rm -f "$work/group_as_is.csv" "$work/group_$n.csv"
}

one 1000000 3
first=$unit
if [ -z "$quick" ]; then
    one 10000000 2
    claim group "10000000 rows" "time/row" "$unit" ns "1000000 rows" "$first" 2
fi
