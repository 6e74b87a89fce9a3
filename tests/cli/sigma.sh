#!/usr/bin/env bash
# sigma.sh - sigma-km-anonymity on the command line: Table I and Figure 1 of the sampling paper, certificates with and without the
# original, lists of numbers, and what users may get wrong.
set -u
# shellcheck source=tests/cli/tap.bash
. "$(dirname "$0")/tap.bash"

cat >cities.dat <<'EOF'
LA
LA Seattle
NewYork Boston
NewYork Boston
LA Seattle NewYork
LA Seattle NewYork
LA Seattle NewYork Boston
EOF
# Figure 1: Boston and New York become one, here in another order.
cat >figure1.dat <<'EOF'
LA Seattle {Boston,NewYork}
LA Seattle
{Boston,NewYork}
LA Seattle {Boston,NewYork}
{Boston,NewYork}
LA Seattle {Boston,NewYork}
LA
EOF
sigma=(--guarantee sigma-km-anonymity --k 2 --m 2 --sigma 0.99)

exits "Table I" 1 "$KANON" check cities.dat "${sigma[@]}"
prints "Table I: which sizes fail" "2 published 2-itemsets have support below 2"
prints "Table I: LA and Boston" "Boston, LA"
exits "Table I: counted, so nothing is left open" 0 grep -q '^2 rare combinations of items in 1 record;' <<<"$out"
exits "Figure 1" 0 "$KANON" check figure1.dat "${sigma[@]}"
exits "Figure 1, with the original" 0 "$KANON" check figure1.dat --original cities.dat "${sigma[@]}"
prints "Figure 1: counted" "none of the 2-itemsets that occur has support below 2"
exits "Figure 1, sampled" 0 "$KANON" check figure1.dat --original cities.dat "${sigma[@]}" --exact-up-to 1 --seed 7
prints "Figure 1, sampled: uniform" "of the 2-itemsets that occur have support below 2 (confidence 99.95 %, 10,000 samples of which 0 failed, attacker uniform, seed 7)"
prints "Figure 1, sampled: person" "2 random items of theirs (confidence 99.95 %, 10,000 samples of which 0 failed, attacker person, seed 7)"
exits "Table I, sampled" 1 "$KANON" check cities.dat --original cities.dat "${sigma[@]}" --exact-up-to 0 --json
prints "Table I, sampled: certificates" '"attacker": "person"'
prints "Table I, sampled: there may be more" '"at_least": true'
first=$out
exits "Table I, sampled: in words" 1 "$KANON" check cities.dat --original cities.dat "${sigma[@]}" --exact-up-to 0
prints "each rare itemset once, and there may be more" "at least 2 rare combinations of items in at least 1 record"
exits "Table I on one thread" 1 "$KANON" check cities.dat --original cities.dat "${sigma[@]}" --exact-up-to 0 --json --threads 1
is "the thread count changes nothing" "$first" "$out"
exits "one attacker" 0 "$KANON" check figure1.dat --original cities.dat "${sigma[@]}" --exact-up-to 0 --attacker person
if grep -q uniform <<<"$out"; then not_ok "one attacker: the other is not drawn"; else ok "one attacker: the other is not drawn"; fi

# Lists of numbers, and in a job.
exits "lists" 0 "$KANON" check figure1.dat --guarantee sigma-km-anonymity --k 3,2 --m 3 --sigma 1,0.9
echo '{"guarantee": [{"name": "sigma-km-anonymity", "k": [3, 2], "m": 3, "sigma": [1, 0.9], "exact_up_to": 1}]}' >job.json
exits "lists in a job" 0 "$KANON" check figure1.dat --job job.json
prints "lists in a job: k of larger sizes" "support below 2"
exits "more known items than any record has" 0 "$KANON" check figure1.dat --original cities.dat --guarantee sigma-km-anonymity --k 2 --m 20 --sigma 0.9
prints "more known items than any record has: says so" "no record has 5 items or more: there is nothing to protect"

# Data whose larger sizes cannot be counted.
"$KANON" sample towers --records 3000 --seed 1 -o towers.dat --quiet
exits "without the original" 4 "$KANON" check towers.dat --guarantee sigma-km-anonymity --k 1 --m 11 --sigma 0.9
prints "without the original: the state" "CANNOT BE TOLD"
prints "without the original: which sizes" "5-itemsets: cannot be told from the release alone"
exits "sigma of 1" 2 "$KANON" check towers.dat --guarantee sigma-km-anonymity --k 2 --m 11 --sigma 1
says "sigma of 1: what it would cost" "years"
exits "the original as its own release" 0 "$KANON" check towers.dat --original towers.dat --guarantee sigma-km-anonymity --k 1 --m 6 --sigma 0.9 --exact-up-to 2

# What users may get wrong.
exits "sigma of a half" 2 "$KANON" check figure1.dat --guarantee sigma-km-anonymity --k 2 --m 2 --sigma 0.5
says "sigma of a half: what would do" "above 0.5 and at most 1"
exits "sigma that grows" 2 "$KANON" check figure1.dat --guarantee sigma-km-anonymity --k 2 --m 2 --sigma 0.9,1
exits "no sigma" 2 "$KANON" check figure1.dat --guarantee sigma-km-anonymity --k 2 --m 2
exits "a list for another guarantee" 2 "$KANON" check figure1.dat --guarantee km-anonymity --k 2,3 --m 2
says "a list for another guarantee: says so" "km-anonymity takes one number"
exits "an original for another guarantee" 2 "$KANON" check figure1.dat --original cities.dat --guarantee km-anonymity --k 2 --m 2
sed 's/^LA$/Seattle/' figure1.dat >stranger.dat
exits "a release of other data" 3 "$KANON" check stranger.dat --original cities.dat "${sigma[@]}"
says "a release of other data: says so" "does not belong to the original: 1 of its 7 records"
exits "a release with other items" 3 "$KANON" check towers.dat --original cities.dat "${sigma[@]}"
says "a release with other items: says so" "does not belong to the original"
"$KANON" hierarchy build cities.dat --column items -o cities.csv --quiet
exits "a method for another guarantee" 2 "$KANON" anonymize cities.dat --hierarchy items=cities.csv --guarantee sigma-km-anonymity \
    --k 2 --m 20 --sigma 0.9 --method apriori -o out.dat
says "a method for another guarantee: says so" "apriori does not reach sigma-km-anonymity"
printf 'a a b\nb\n' >bags.dat
exits "bags" 2 "$KANON" check bags.dat "${sigma[@]}"

# The uniqueness curve.
exits "profile: sampled" 0 "$KANON" profile towers.dat --known 6 --samples 500
prints "profile: says how many" "(500 samples, "
exits "profile: naive" 0 "$KANON" profile towers.dat --known 3 --samples 500 --naive --json
prints "profile: naive, as JSON" '"naive": true'
finish
