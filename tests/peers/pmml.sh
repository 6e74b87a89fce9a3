#!/usr/bin/env bash
# pmml.sh - models go both ways: trees and clusters that scikit-learn trained and SkLearn2PMML wrote are
# scored by kanon as by scikit-learn, and their violations are listed; trees and clusters that kanon
# mined are scored by JPMML as by kanon.
# $KANON is the command. Skipped (77) without it or java, or where neither python3 has the packages nor
# pip can get them.
set -eu

# shellcheck source=tests/peers/python.bash
. "$(dirname "$0")/python.bash"
command -v java >/dev/null || skip "java is not here"
# a converter knows the versions of scikit-learn up to its own day
need "SkLearn2PMML and JPMML" "sklearn2pmml, jpmml_evaluator, pandas, jpype" sklearn2pmml==0.133.1 scikit-learn==1.9.0 jpmml_evaluator==0.16.0 jpype1 pandas

cat >train.py <<'END'
import numpy
import pandas
from sklearn.cluster import KMeans
from sklearn.compose import ColumnTransformer
from sklearn.preprocessing import OneHotEncoder, StandardScaler
from sklearn.tree import DecisionTreeClassifier
from sklearn2pmml import sklearn2pmml
from sklearn2pmml.pipeline import PMMLPipeline

random = numpy.random.default_rng(3)
n = 800
people = pandas.DataFrame({
    "age": random.integers(18, 80, n),
    "hours": numpy.round(random.normal(40, 9, n), 1),
    "job": random.choice(["clerk", "sales", "it & co", "no \"job\""], n),
    "sex": random.choice(["F", "M"], n)})
bad = (people.age > 40) & (people.job != "clerk") | (people.hours < 30)
people["risk"] = numpy.where(bad | (random.random(n) < 0.1), "bad", "good")
people.to_csv("people.csv", index=False)

mapper = ColumnTransformer([("c", OneHotEncoder(), ["job", "sex"]),
                            ("n", "passthrough", ["age", "hours"])])
classifier = DecisionTreeClassifier(max_depth=8, min_samples_leaf=2, random_state=1)
tree = PMMLPipeline([("mapper", mapper), ("tree", classifier)]).fit(people, people.risk)
for name, compact in [("tree", True), ("tree_plain", False)]:
    tree.configure(compact=compact)
    sklearn2pmml(tree, name + ".pmml")
pandas.Series(tree.predict(people)).to_csv("tree.out", index=False, header=False)
leaves = pandas.Series(classifier.apply(mapper.transform(people)))
with open("tree.k", "w") as file:
    print(leaves.value_counts().min(), file=file)

scaled = ColumnTransformer([("n", StandardScaler(), ["age", "hours"])])
means = PMMLPipeline([("scale", scaled), ("means", KMeans(5, random_state=1, n_init=3))]).fit(people)
sklearn2pmml(means, "means.pmml")
pandas.Series(means.predict(people)).to_csv("means.out", index=False, header=False)

# for what kanon mines: gaps, too
for column in ["age", "hours", "job"]:
    people.loc[random.random(n) < 0.05, column] = None
people["age"] = people.age.astype("Int64")
people.to_csv("gaps.csv", index=False)
END
"$python" train.py >train.log 2>&1 || {
    cat train.log
    skip "SkLearn2PMML does not work here"
}

failed=0
say() {
    echo "$1: $2"
    if [ "$1" = wrong ]; then
        failed=1
    fi
}
last_column() {
    "$python" -c 'import csv, sys
for row in list(csv.reader(open(sys.argv[1], newline="")))[1:]: print(row[-1])' "$1"
}

for model in tree tree_plain means; do
    "$KANON" apply $model.pmml people.csv -o $model.csv --quiet
    out=${model%_plain}.out
    if last_column $model.csv | cmp -s - "$out"; then
        say right "$model: kanon scores 800 records as scikit-learn does"
    else
        say wrong "$model: kanon and scikit-learn differ on $(last_column $model.csv | diff - "$out" | grep -c '^<') records"
    fi
done

# With the class alone private, a span is a leaf: its least is known from scikit-learn.
for model in tree tree_plain; do
    status=0
    # Their files hold a description of the pipeline, and shares that may be weighted.
    "$KANON" mine --check $model.pmml people.csv --qi age,hours,job,sex --sensitive risk --k 5 --json --ignore-extensions \
        >$model.json || status=$?
    found=$("$python" -c 'import json, sys
found = json.load(open(sys.argv[1])); print(found["found"]["k"], len(found["broken"]) > 0)' $model.json)
    if [ "$status" -eq 1 ] && [ "$found" = "$(cat tree.k) True" ]; then
        say right "$model: kanon finds that k = $(cat tree.k) holds, and lists what breaks k = 5"
    else
        say wrong "$model: exit $status, k and whether any is listed: $found; scikit-learn's k: $(cat tree.k)"
    fi
done

"$KANON" mine tree gaps.csv --qi age,sex,job --sensitive hours,risk --class risk --k 10 -o mined_tree.pmml \
    -o mined_tree.json --quiet
"$KANON" mine clusters people.csv --qi age,sex,job --sensitive hours --k 10 -o mined_clusters.pmml --quiet
"$KANON" apply mined_tree.json gaps.csv -o mined_tree.csv --quiet
"$KANON" apply mined_clusters.pmml people.csv -o mined_clusters.csv --quiet

cat >score.py <<'END'
import csv
import sys

from jpmml_evaluator import make_evaluator

wrong = 0
for model, data in [("mined_tree", "gaps.csv"), ("mined_clusters", "people.csv")]:
    evaluator = make_evaluator(model + ".pmml").verify()
    numbers = {"age": int, "hours": float}
    names = [field.name for field in evaluator.getInputFields()]
    different = 0
    with open(data, newline="") as rows, open(model + ".csv", newline="") as scored:
        ours = [row[-1] for row in list(csv.reader(scored))[1:]]
        for row, own in zip(csv.DictReader(rows), ours):
            given = {name: numbers.get(name, str)(row[name]) if row[name] else None for name in names}
            different += str(next(iter(evaluator.evaluate(given).values()))) != own
    print(f"{'wrong' if different else 'right'}: {model}: JPMML and kanon differ on {different} of "
          f"{len(ours)} records")
    wrong += different
sys.exit(wrong > 0)
END
"$python" score.py || failed=1
exit $failed
