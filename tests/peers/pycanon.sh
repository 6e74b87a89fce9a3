#!/usr/bin/env bash
# pycanon.sh - k, l and t of a release, by kanon and by pyCANON: they must be equal.
# $KANON is the command. Skipped (77) without it, or where neither python3 has pyCANON nor pip can
# get it. pyCANON's c for recursive diversity takes the rarest value of a class for r1, which is not the
# definition, so c is compared with a few lines of Python instead.
set -eu

# shellcheck source=tests/peers/python.bash
. "$(dirname "$0")/python.bash"
need "pyCANON" "pycanon" 'pycanon>=1,<2'

awk 'BEGIN {
    srand(7)
    split("flu asthma gastritis fracture migraine", illness, " ")
    print "age,sex,postcode,diagnosis,salary"
    for (i = 0; i < 3000; i++) {
        age = 18 + int(60 * rand() * rand())
        printf "%d,%s,%d,%s,%d\n", age, rand() < 0.5 ? "F" : "M", 8000 + int(40 * rand()),
               illness[1 + int(5 * rand() * rand())], 1000 * (15 + int(30 * rand() * rand()) + age / 10)
    }
}' >people.csv

qi=age,sex,postcode
"$KANON" anonymize people.csv --qi $qi --sensitive diagnosis,salary --guarantee k-anonymity --k 25 \
    --method mondrian -o release.csv --quiet || skip "this kanon cannot make the release yet"

# Exit status 1 says that the guarantee does not hold, which is no failure here.
check() {
    local out=$1
    shift
    "$KANON" check release.csv --qi $qi "$@" --limit 0 --json >"$out" || [ $? -eq 1 ]
}
check k.json --guarantee k-anonymity --k 2
for column in diagnosis salary; do
    for kind in distinct entropy; do
        check "$column-$kind.json" --sensitive $column --guarantee l-diversity --l 2 --diversity $kind
    done
    check "$column-recursive.json" --sensitive $column --guarantee l-diversity --l 2 --c 2 \
        --diversity recursive
done
check diagnosis-t.json --sensitive diagnosis --guarantee t-closeness --t 0.1 --distance equal
check salary-t.json --sensitive salary --guarantee t-closeness --t 0.1 --distance ordered

cat >compare.py <<'END'
import json
import math
import sys

import pandas
from pycanon import anonymity

QI = ["age", "sex", "postcode"]
text = {column: str for column in QI}
table = pandas.read_csv("release.csv", dtype=text, keep_default_na=False)
wrong = 0


def ours(name):
    with open(name + ".json") as file:
        value = json.load(file)["guarantees"][0]["achieved"]
    return math.inf if value is None else float(value)


def compare(what, mine, theirs):
    global wrong
    equal = mine == theirs or abs(mine - theirs) < 1e-9
    wrong += not equal
    print(f"{'equal' if equal else 'DIFFERENT'}: {what}: kanon {mine:g}, peer {theirs:g}")


def smallest_c(column, l):
    worst = 0.0
    for _, part in table.groupby(QI):
        counts = sorted(part[column].value_counts(), reverse=True)
        tail = sum(counts[l - 1:])
        worst = max(worst, counts[0] / tail if tail else math.inf)
    return worst


compare("k", ours("k"), anonymity.k_anonymity(table, QI))
for column in ["diagnosis", "salary"]:
    distinct = ours(column + "-distinct")
    compare(column + ", distinct l", distinct, anonymity.l_diversity(table, QI, [column]))
    # pyCANON cuts the decimals off; so do we, once rounding of its sum can do no harm
    entropy = ours(column + "-entropy")
    theirs = anonymity.entropy_l_diversity(table, QI, [column])
    whole = abs(entropy - round(entropy)) < 1e-9 and theirs in (round(entropy), round(entropy) - 1)
    compare(column + ", entropy l", theirs if whole else math.floor(entropy), theirs)
    compare(column + ", recursive l", distinct,
            anonymity.recursive_c_l_diversity(table, QI, [column])[1])
    compare(column + ", recursive c", ours(column + "-recursive"), smallest_c(column, 2))
    compare(column + ", t", ours(column + "-t"), anonymity.t_closeness(table, QI, [column]))
sys.exit(wrong > 0)
END
"$python" compare.py
