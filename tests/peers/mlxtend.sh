#!/usr/bin/env bash
# mlxtend.sh - rules mined by mlxtend and written as CSV: kanon reads and judges them, and what both mine has the same support,
# confidence and lift. $KANON is the command. Skipped (77) without it, or where neither python3 has mlxtend nor pip can get it.
set -eu

SOURCE_DIR=$(cd "${SOURCE_DIR:-$(dirname "$0")/../..}" && pwd)
# shellcheck source=tests/peers/python.bash
. "$(dirname "$0")/python.bash"
need "mlxtend" "mlxtend" mlxtend

cp "$SOURCE_DIR/examples/models/cherries.dat" .
cat >mine.py <<'PYTHON'
import pandas
from mlxtend.frequent_patterns import association_rules, fpgrowth
from mlxtend.preprocessing import TransactionEncoder

baskets = [line.split() for line in open("cherries.dat")]
encoder = TransactionEncoder()
frame = pandas.DataFrame(encoder.fit(baskets).transform(baskets), columns=encoder.columns_)
sets = fpgrowth(frame, min_support=0.02, use_colnames=True)
rules = association_rules(sets, metric="confidence", min_threshold=0.5)
rules.to_csv("theirs.csv")
about = rules["antecedents"].map(lambda s: s <= {"cherries", "birthday_candles"}) & rules["consequents"].map(
    lambda s: s <= {"viagra", "tylenol"})
rules[about].to_csv("cherries.csv")
PYTHON
"$python" mine.py

fail() {
    echo "not ok - $1"
    exit 1
}
private=(--sensitive-items "viagra,tylenol")
# Among theirs are the paper's two rules, and others about the same items: no span changes.
"$KANON" mine --check cherries.csv cherries.dat "${private[@]}" --k 30 || fail "their rules are 30-anonymous"
code=0
"$KANON" mine --check cherries.csv cherries.dat "${private[@]}" --k 31 || code=$?
[ "$code" = 1 ] || fail "their rules are not 31-anonymous"

"$KANON" mine rules cherries.dat "${private[@]}" --k 1 --support 0.02 --confidence 0.5 -o ours.csv --quiet
cat >compare.py <<'PYTHON'
import ast
import csv

def items(text):
    return frozenset(ast.literal_eval(text[10:-1])) if text.startswith("frozenset(") else frozenset(text.split("|"))

theirs = {(items(r["antecedents"]), items(r["consequents"])): r for r in csv.DictReader(open("theirs.csv"))}
count = 0
for r in csv.DictReader(open("ours.csv")):
    other = theirs[items(r["left"]), items(r["right"])]
    private = items(r["right"]) & {"viagra", "tylenol"}  # whose lift would tell too much
    assert (r["lift"] == "") == bool(private), r
    for figure in ("support", "confidence") if private else ("support", "confidence", "lift"):
        assert abs(float(r[figure]) - float(other[figure])) < 1e-9, (r, other)
    count += 1
assert count > 5, count
print(f"ok - {count} rules of both have the same figures")
PYTHON
"$python" compare.py
