#!/usr/bin/env bash
# Rules that keep 20-anonymity: mining, reading back and judging on real baskets, the verdict alone, and how time grows
# with the records.
# shellcheck source=bench/common.sh disable=SC1091
. "$(dirname "$0")/common.sh"
need_kanon

sets=${BENCH_SETS:-../shared/data/sets}
rounds=${quick:+1}
rounds=${rounds:-3}

# one CASE INPUT PRIVATE SUPPORT: baskets, the prefix of private items, the least support.
one() {
    local case="$1, support $4" in=$2
    local private=(--sensitive-prefix "$3")
    measure "$rounds" rules "$kanon" mine rules "$in" "${private[@]}" --k 20 --support "$4" --confidence 0.1 \
        -o "$work/rules.json" --quiet
    measure "$rounds" rules_check "$kanon" mine --check "$work/rules.json" "$in" "${private[@]}" --k 20 --quiet
    claim rules "$case" rules "$(grep -c '"if":' "$work/rules.json")" ""
    claim rules "$case" time "$(seconds rules)" s
    claim rules "$case" "time of the verdict" "$(seconds rules_check)" s "all of it" "$(seconds rules)" 1
    claim rules "$case" memory "$(peak rules)" B
}

if [ -r "$sets/retail.dat.zst" ]; then
    one retail "$sets/retail.dat.zst" 3 0.001
    one retail "$sets/retail.dat.zst" 3 0.0005
    one bms "$sets/bms-webview-2.dat.zst" 555 0.001
    one groceries "$sets/groceries.dat" 1 0.001
else
    printf 'left out: %s is not there; BENCH_SETS names another folder\n' "$sets" >&2
fi

# Growth with the records.
first=
for n in 100000 1000000; do
    [ -z "$quick" ] || [ "$n" -lt 1000000 ] || break
    in=$work/baskets_$n.dat
    [ -f "$in" ] || "$kanon" sample baskets --records "$n" --seed 1 -o "$in" --hierarchies "$work/baskets" --quiet
    one "$n baskets" "$in" care 0.001
    unit=$(calculate "$(seconds rules) / $n * 1e9")
    if [ -z "$first" ]; then
        first=$unit
        claim rules "$n baskets" "time/record" "$unit" ns
    else
        claim rules "$n baskets" "time/record" "$unit" ns "100000 baskets" "$first" 2
    fi
done
