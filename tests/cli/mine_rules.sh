#!/usr/bin/env bash
# mine_rules.sh - association rules on the command line: the paper's cherries with and without their data, mining, every
# format, and what users may get wrong.
set -u
# shellcheck source=tests/cli/tap.bash
. "$(dirname "$0")/tap.bash"
cp "$SOURCE_DIR"/examples/models/cherries.* .
private=(--sensitive-items "viagra,tylenol")
data=(cherries.dat "${private[@]}")

# ---- section 4.3 ----
is "the data is what the script makes" "$(bash cherries.sh)" "$(cat cherries.dat)"
exits "both rules are 30-anonymous" 0 "$KANON" mine --check cherries.csv "${data[@]}" --k 30
prints "three spans" "spans: 3, of which 2 reveal something about private values"
exits "both rules are not 31-anonymous" 1 "$KANON" mine --check cherries.csv "${data[@]}" --k 31
golden "the span with candles" mine-cherries-k31.txt
head -n 2 cherries.csv >one.csv
exits "the first rule alone is" 0 "$KANON" mine --check one.csv "${data[@]}" --k 31
prints "the first rule alone: 112" "k-anonymity: 31 asked, 112 holds"
exits "the same as JSON" 1 "$KANON" mine --check cherries.json "${data[@]}" --k 31
exits "its promise is what is asked without --k" 0 "$KANON" mine --check cherries.json "${data[@]}"
exits "no certainty at all cannot be asked" 2 "$KANON" mine --check cherries.csv "${data[@]}" --k 30 --inference 0
says "no certainty at all: says so" "--inference: 0 cannot be kept"
exits "Tylenol can be inferred" 1 "$KANON" mine --check cherries.csv "${data[@]}" --k 30 --inference 0.75
prints "Tylenol can be inferred: says so" "tylenol is 80.0 % certain"

# ---- without the data ----
stated=(mine --check cherries.csv --records 1000 "${private[@]}")
exits "by their figures they are 30-anonymous" 0 "$KANON" "${stated[@]}" --k 30
golden "888, 82 and 30" mine-cherries-stated.txt
exits "by their figures they are not 31-anonymous" 1 "$KANON" "${stated[@]}" --k 31
exits "for programs" 1 "$KANON" "${stated[@]}" --k 31 --json
golden "for programs" mine-cherries-stated.json
exits "the number of records may be the model's own" 0 "$KANON" mine --check cherries.json
printf 'left,right,support,confidence\ncherries,viagra,0.084,0.75\nplums,viagra,0.1,0.5\n' >apart.csv
exits "who buys both is not stated" 4 "$KANON" mine --check apart.csv --records 1000 --sensitive-items viagra --k 5
prints "who buys both is not stated: says so" "CANNOT BE TOLD"
exits "nothing is private, without the data" 0 "$KANON" mine --check apart.csv --records 1000 --k 5
prints "nothing is private, without the data: says so" "which are private is said with --sensitive-items"
printf 'left,right,support,confidence,count\ncherries,viagra,0.03,1.00,30\ncherries|plums,viagra,0.01,1.00,8\n' >rounded.csv
exits "counts are believed, not rounded supports" 1 "$KANON" mine --check rounded.csv --records 1000 --sensitive-items viagra --k 10
exits "rounded supports do not say how many there were" 2 "$KANON" mine --check rounded.csv --sensitive-items viagra --k 10
exits "nobody knows how many there were" 2 "$KANON" mine --check cherries.csv "${private[@]}" --k 30
says "nobody knows how many there were: says so" "--records N does"
exits "trees need the data" 2 "$KANON" mine --check "$SOURCE_DIR/examples/models/loans-tree.json" --k 3
exits "inference needs the data" 2 "$KANON" "${stated[@]}" --k 30 --inference 0.5
exits "--records is for rules without data" 2 "$KANON" mine --check cherries.csv "${data[@]}" --k 30 --records 9

# ---- mining ----
exits "rules are mined" 0 "$KANON" mine rules "${data[@]}" --k 30 --support 0.02 -o mined.json -o mined.csv
says "rules are mined: the guarantee" "k-anonymity: 30 asked, 30 holds"
exits "what was mined passes the check" 0 "$KANON" mine --check mined.json "${data[@]}" --k 30
exits "so does the CSV" 0 "$KANON" mine --check mined.csv "${data[@]}" --k 30
is "the paper's second rule is among them" 1 "$(grep -c '^birthday_candles|cherries,tylenol,0.02400000,0.80000000,' mined.csv)"
exits "it says how many records there were" 4 "$KANON" mine --check mined.csv "${private[@]}" --k 30
# Where no item is private, a certainty of 0 % would read as protection.
exits "no item is private" 0 "$KANON" mine rules cherries.dat --k 30 --support 0.02 -o public.json --report public.html --quiet
is "no item is private: nothing is said of certainty" 0 "$(grep -c 'Highest certainty\|Known for certain\|id="infer"\|"#infer"' public.html)"
exits "31 leaves it out" 0 "$KANON" mine rules "${data[@]}" --k 31 --support 0.02 -o mined31.csv
is "31 leaves it out: yes" 0 "$(grep -c '^birthday_candles|cherries,tylenol' mined31.csv)"
exits "within a limit on inference" 0 "$KANON" mine rules "${data[@]}" --k 5 --support 0.02 --inference 0.7 -o safe.csv
is "nobody is sure of Viagra" 0 "$(grep -c '^cherries,viagra' safe.csv)"
exits "what was mined keeps to it" 0 "$KANON" mine --check safe.csv "${data[@]}" --k 5 --inference 0.7
exits "three rules" 0 "$KANON" mine rules "${data[@]}" --k 5 --support 0.02 --rules 3 -o three.csv
is "three rules: yes" 4 "$(wc -l <three.csv | tr -d ' ')"
exits "one thread" 0 "$KANON" mine rules "${data[@]}" --k 30 --support 0.02 -o again.json --threads 1
is "one thread, the same bytes" "$(cat mined.json)" "$(cat again.json)"
exits "nothing is private" 0 "$KANON" mine rules cherries.dat --k 30 --support 0.02 -o open.csv
says "nothing is private: says so" "no rule names a private item"
says "nothing is private: is not green" "Holds, with 1 point to settle. No item is called private, so nothing limits what this set of rules reveals."
says "nothing is private: what settles it" "Name the items that others must not learn about a person: --sensitive-items, --sensitive-prefix or --sensitive-node. Or accept it: --accept-point nothing-private"
exits "nothing is private: strictly" 1 "$KANON" mine rules cherries.dat --k 30 --support 0.02 --strict -o strict.csv
absent "nothing is private: strictly, no model" strict.csv
exits "nothing is private: accepted" 0 "$KANON" mine rules cherries.dat --k 30 --support 0.02 --strict --accept-point nothing-private -o strict.csv
says "nothing is private: accepted, and said" "Holds, with 1 point accepted."

# 2 of the 3 without plums take tylenol: the lift of plums => tylenol would tell, and they are fewer than k
{
    for _ in 1 2 3 4 5 6 7 8 9 10 11 12; do echo "plums tylenol"; done
    printf 'plums\nplums\nplums\nplums\nplums\npears tylenol\npears tylenol\npears\n'
} >lift.dat
exits "how many take it in all is not told" 0 "$KANON" mine rules lift.dat --sensitive-items tylenol --k 5 --support 0.3 -o lift.csv
is "how many take it in all is not told: no lift" "plums,tylenol,0.6000,0.7058823529411765,,12,tylenol" "$(tail -n 1 lift.csv)"
exits "public items have a lift" 0 "$KANON" mine rules lift.dat --k 5 --support 0.3 -o lift.csv
is "public items have a lift: yes" "plums,tylenol,0.6000,0.7058823529411765,1.008403361344538,12," "$(grep '^plums' lift.csv)"

# Other tools write it, and are judged as if they had written how many take it in all.
printf 'lhs,rhs,support,confidence,lift\n{plums},{tylenol},0.6,0.706,1.0084\n' >plums.csv
plums=(lift.dat --sensitive-items tylenol)
exits "a lift is told" 1 "$KANON" mine --check plums.csv "${plums[@]}" --k 5
prints "a lift is told: 3 people" "k-anonymity: 5 asked, 3 holds"
prints "a lift is told: says so" "tell how many hold 1 set of private items: judged as if published"
exits "a lift is told: three are enough" 0 "$KANON" mine --check plums.csv "${plums[@]}" --k 3
exits "without the data, too" 1 "$KANON" mine --check plums.csv --records 20 --sensitive-items tylenol --k 5
sed 's/lift/conviction/' plums.csv >conviction.csv
exits "conviction tells the same" 1 "$KANON" mine --check conviction.csv "${plums[@]}" --k 5
cut -d, -f1-4 plums.csv >plain.csv
exits "without either it holds" 0 "$KANON" mine --check plain.csv "${plums[@]}" --k 5
sed 's/0.706/0.500/' plain.csv >other.csv
exits "figures of other data" 4 "$KANON" mine --check other.csv "${plums[@]}" --k 5
prints "figures of other data: says so" "1 stated figure is not those of these records"
exits "figures of other data, by choice" 0 "$KANON" mine --check other.csv "${plums[@]}" --k 5 --ignore-counts
# 0.2 may be anything from 3 to 5 of 20
printf 'left,right,support,confidence\nplums,tylenol,0.2,1.00\n' >coarse.csv
exits "a rounded support is what it may stand for" 4 "$KANON" mine --check coarse.csv --records 20 --sensitive-items tylenol --k 4
exits "a rounded support: at the least" 0 "$KANON" mine --check coarse.csv --records 20 --sensitive-items tylenol --k 3
exits "more digits" 0 "$KANON" mine --check <(sed 's/0.2,/0.20,/' coarse.csv) --records 20 --sensitive-items tylenol --k 4

# ---- lists that other tools write ----
printf '"","rules","support","confidence","coverage","lift","count"\n"1","{cherries} => {viagra}",0.084,0.75,0.112,4.9,84\n"2","{birthday_candles,cherries} => {tylenol}",0.024,0.8,0.03,7.7,24\n' >arules.csv
exits "arules" 1 "$KANON" mine --check arules.csv "${data[@]}" --k 31
exits "arules says how many records there were" 0 "$KANON" mine --check <(sed 's/0\.084/0.08400000/' arules.csv) "${private[@]}" --k 30
exits "but not by three decimals" 2 "$KANON" mine --check arules.csv "${private[@]}" --k 30
# 10 of 80 is 0.1, as 10 of 100 is: then 6 have no bread, not 26
printf 'left,right,support,confidence,count\nbread,milk,0.1,0.135,10\naspirin,bread,0.1,0.500,10\n' >eighty.csv
exits "rounded supports do not say how many records" 2 "$KANON" mine --check eighty.csv --sensitive-items aspirin --k 10
exits "and contradict nobody who does" 1 "$KANON" mine --check eighty.csv --records 80 --sensitive-items aspirin --k 10
printf ",antecedents,consequents,support,confidence\n0,frozenset({'cherries'}),frozenset({'viagra'}),0.084,0.75\n1,\"frozenset({'cherries', 'birthday_candles'})\",frozenset({'tylenol'}),0.024,0.8\n" >mlxtend.csv
exits "mlxtend" 1 "$KANON" mine --check mlxtend.csv "${data[@]}" --k 31
exits "mlxtend at 30" 0 "$KANON" mine --check mlxtend.csv "${data[@]}" --k 30

# ---- wrong ----
wrong() {
    local name=$1 wanted=$2 text=$3
    shift 3
    exits "$name" "$wanted" "$@"
    says "$name: says so" "$text"
}
wrong "support above 1" 2 "out of range" "$KANON" mine rules "${data[@]}" --k 5 --support 1.5 -o x.json
wrong "an item that nobody has" 3 'the rules name the item "cherry"' \
    "$KANON" mine --check <(printf 'left,right\ncherry,viagra\n') "${data[@]}" --k 5
wrong "an item on both sides" 3 "on the left side too" \
    "$KANON" mine --check <(printf 'left,right\ncherries|milk,milk\n') "${data[@]}" --k 5
wrong "a share above 1" 3 "is no share in 0..1" \
    "$KANON" mine --check <(printf 'left,right,support\ncherries,viagra,84\n') "${data[@]}" --k 5
wrong "no list of rules" 3 "no list of rules" "$KANON" mine --check cherries.dat "${data[@]}" --k 5
wrong "no items" 2 "no column holds any" "$KANON" mine rules "$SOURCE_DIR/examples/models/loans.csv" --id Name --k 2 -o x.json
wrong "l above 2" 2 "at most 2" "$KANON" mine rules "${data[@]}" --k 5 --l 3 -o x.json
wrong "too many sets" 4 "raise --support" "$KANON" mine rules <(seq 1 22 | tr '\n' ' ') --format dat --k 1 --support 1 --longest 16 -o x.json
printf '\n\n\n\n' >empty.dat
run "$KANON" mine rules empty.dat --k 2 -o empty.csv
is "baskets without items: no rules, or a word why" 1 "$([ "$code" = 0 ] && [ "$(wc -l <empty.csv)" = 1 ] || [ "$code" = 3 ] && echo 1)"
wrong "k larger than the data" 4 "k is 2000" "$KANON" mine rules "${data[@]}" --k 2000 -o x.json

absent "nothing is left behind" x.json

# ---- real baskets ----
sets=$SHARED_DATA/sets
if [ -r "$sets/groceries.dat" ]; then
    sed 1d "$sets/groceries-items.csv" | awk -F, '{ print $1 ";" $3 ";" $4 ";*" }' >departments.csv
    drinks=("$sets/groceries.dat" --hierarchy items=departments.csv --sensitive-node drinks)
    exits "groceries, drinks private" 0 "$KANON" mine rules "${drinks[@]}" --k 10 --support 0.002 --confidence 0.1 -o g.json -o g.csv
    is "some rules tell of drinks" 1 "$([ "$(cut -d, -f7 g.csv | grep -c .)" -gt 50 ] && echo 1)"
    exits "groceries: another reading passes" 0 "$KANON" mine --check g.csv "${drinks[@]}" --k 10
    exits "groceries: one thread" 0 "$KANON" mine rules "${drinks[@]}" --k 10 --support 0.002 --confidence 0.1 -o g1.json --threads 1
    is "groceries: one thread, the same bytes" "$(cksum <g.json)" "$(cksum <g1.json)"
    exits "groceries: without k people are found" 0 "$KANON" mine rules "${drinks[@]}" --k 1 --support 0.002 --confidence 0.1 -o g1.json
    exits "groceries: without k people are found: the check says so" 1 "$KANON" mine --check g1.json "${drinks[@]}" --k 10
    exits "groceries, within a limit on inference" 0 "$KANON" mine rules "${drinks[@]}" --k 10 --support 0.002 --confidence 0.1 \
        --inference 0.3 -o g3.json
    exits "groceries: the limit is kept" 0 "$KANON" mine --check g3.json "${drinks[@]}" --k 10 --inference 0.3
    clicks=("$sets/bms-webview-2.dat.zst" --sensitive-prefix 555)
    exits "clicks, some pages private" 0 "$KANON" mine rules "${clicks[@]}" --k 50 --support 0.001 --confidence 0.1 -o b.json
    exits "clicks: the check passes" 0 "$KANON" mine --check b.json "${clicks[@]}" --k 50
else
    skipped "real baskets" "$sets is not there"
fi
finish
