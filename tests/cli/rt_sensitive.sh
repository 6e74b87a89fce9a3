#!/usr/bin/env bash
# rt_sensitive.sh - sensitive items that no hierarchy holds, that are gone from a release, and guarantees that the data meet as they are.
# shellcheck disable=SC2154
set -u
# shellcheck source=tests/cli/tap.bash
. "$(dirname "$0")/tap.bash"

ask=(--guarantee k-lm-diversity --k 2 --l 2 --m 1)

# ---- diversity that holds as it is, and not with coarser items ----
printf 'age,items\n30,a|s\n30,a|b\n30,b|s\n30,\n' >holds.csv
printf 'a;G;*\nb;G;*\n' >G.csv
for tree in "" "--hierarchy items=G.csv"; do
    roles=(--qi age --items items --sensitive-items s)
    # shellcheck disable=SC2206
    options=("${roles[@]}" $tree "${ask[@]}")
    exits "as it is it holds" 0 "$KANON" check holds.csv "${options[@]}"
    for method in rum-bound tum-bound rfirst tfirst; do
        exits "$method $tree" 0 "$KANON" anonymize holds.csv "${options[@]}" --method $method -o out.csv --quiet
        is "$method $tree: published as it is" "$(cat holds.csv)" "$(cat out.csv)"
        exits "$method $tree: it holds" 0 "$KANON" check out.csv "${options[@]}"
    done
done
printf 'age,items\n30,a|s\n30,a|s\n30,b|s\n30,\n' >never.csv
exits "too sure of everybody" 4 "$KANON" anonymize never.csv "${options[@]}" -o none.csv
says "too sure of everybody: why" "a sensitive item is in more than 1/2 of the 4 records"

printf 'age,items\n30,a|s\n30,a\n30,b|s\n30,b|s\n30,\n30,\n' >hard.csv
exits "nothing is found" 4 "$KANON" anonymize hard.csv "${options[@]}" -o none.csv
says "nothing is found: it says no more than that" "nothing was found that satisfies the guarantee, even for all records as one class"

# ---- sensitive items need no hierarchy ----
printf 'age,items\n30,a|s\n30,a|b\n30,b\n30,a|b\n31,a\n31,b|s\n31,a|b\n31,a|b\n' >people.csv
roles=(--qi age --items items --hierarchy items=G.csv)
for what in error suppress root; do
    exits "--uncovered $what" 0 "$KANON" anonymize people.csv "${roles[@]}" --sensitive-items s "${ask[@]}" --uncovered $what -o out.csv --quiet
    is "--uncovered $what: everybody stays" 9 "$(wc -l <out.csv)"
    is "--uncovered $what: the sensitive item stays" 2 "$(grep -cw s out.csv)"
    exits "--uncovered $what: it holds" 0 "$KANON" check out.csv "${roles[@]}" --sensitive-items s "${ask[@]}"
    exits "--uncovered $what: it is measured" 0 "$KANON" measure people.csv out.csv "${roles[@]}"
done
sed 's/b|s/b|s|x/' people.csv >more.csv
exits "another item is still refused" 3 "$KANON" anonymize more.csv "${roles[@]}" --sensitive-items s "${ask[@]}" -o none.csv
says "another item is still refused, and alone" '1 value of column "items" is in no row of the hierarchy: "x"'
exits "its records are suppressed" 0 "$KANON" anonymize more.csv "${roles[@]}" --sensitive-items s "${ask[@]}" --uncovered suppress -o out.csv --quiet
is "its records are suppressed, no others" 8 "$(wc -l <out.csv)"
is "its records are suppressed: the others keep s" 1 "$(grep -cw s out.csv)"
sed 's/s$/G/; 1s/G$/s/' people.csv >group.csv
for what in error root; do
    exits "a sensitive item that is called like a group, --uncovered $what" 3 "$KANON" anonymize group.csv "${roles[@]}" --sensitive-items G "${ask[@]}" \
        --uncovered $what -o none.csv
    says "a sensitive item that is called like a group, --uncovered $what: why" "is called like a group of its hierarchy"
done

# ---- a sensitive item that is gone ----
printf 'age,items\n30,a|s|x\n30,a|b\n30,b\n30,a|b\n' >gone.csv
exits "the only holder is suppressed" 0 "$KANON" anonymize gone.csv "${roles[@]}" --sensitive-items s "${ask[@]}" --uncovered suppress -o out.csv --quiet
is "the only holder is suppressed: s is gone" 0 "$(grep -cw s out.csv)"
for named in "--sensitive-items s" "--sensitive-prefix s" "--sensitive-items s,t"; do
    # shellcheck disable=SC2086
    exits "check with $named" 0 "$KANON" check out.csv "${roles[@]}" $named "${ask[@]}"
    says "check with $named: a word about it" "warning: sensitive items: there is no item "
    # shellcheck disable=SC2086
    exits "check with $named, as JSON" 0 "$KANON" check out.csv "${roles[@]}" $named "${ask[@]}" --json
    prints "check with $named, as JSON: it is counted" '"sensitive_names_absent": '
    # shellcheck disable=SC2086
    exits "anonymize with $named is refused: it may be a slip" 2 "$KANON" anonymize out.csv "${roles[@]}" $named "${ask[@]}" -o none.csv
done

finish
