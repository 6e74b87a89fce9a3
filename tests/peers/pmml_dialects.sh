#!/usr/bin/env bash
# pmml_dialects.sh - PMML as others speak it: trees and clusters that scikit-learn trained and Nyoka wrote, and clusters of Spark,
# are scored by kanon as by whoever trained them, and what breaks k is listed; trees that kanon mined are scored by Weka as by
# kanon, and what Weka writes (regression) is refused by name. R is not here: Debian has no package of it that writes PMML.
# $KANON is the command. Skipped (77) without it, or where neither python3 has Nyoka nor pip can get it; Weka, which pip gets too,
# needs java; Spark is large, and is tried where it is installed. A part that is left out says so.
set -eu

# shellcheck source=tests/peers/python.bash
. "$(dirname "$0")/python.bash"
need "Nyoka and Weka" "nyoka, sklearn, pandas, jpype, weka" nyoka==5.5.0 scikit-learn==1.9.1 pandas python-weka-wrapper3==0.3.3

cat >train.py <<'PYTHON'
import numpy
import pandas
from nyoka import skl_to_pmml
from sklearn.cluster import KMeans
from sklearn.pipeline import Pipeline
from sklearn.preprocessing import MinMaxScaler, StandardScaler
from sklearn.tree import DecisionTreeClassifier

random = numpy.random.default_rng(3)
n = 800
people = pandas.DataFrame({
    "age": random.integers(18, 80, n),
    "hours": numpy.round(random.normal(40, 9, n), 1),
    "job": random.choice(["clerk", "sales", "it & co", "odd < job"], n),
    "sex": random.choice(["F", "M"], n)})
bad = (people.age > 40) & (people.job != "clerk") | (people.hours < 30)
people["risk"] = numpy.where(bad | (random.random(n) < 0.1), "bad", "good")
people.to_csv("people.csv", index=False)

numbers = people[["age", "hours"]]
trees = {"tree": [], "tree_scaled": [("scale", StandardScaler())], "tree_range": [("scale", MinMaxScaler())]}
means = {"means": [], "means_scaled": [("scale", StandardScaler())]}
for name, steps in trees.items():
    classifier = DecisionTreeClassifier(max_depth=7, min_samples_leaf=2, random_state=1)
    model = Pipeline(steps + [("tree", classifier)]).fit(numbers, people.risk)
    skl_to_pmml(model, ["age", "hours"], "risk", name + ".pmml")
    pandas.Series(model.predict(numbers)).to_csv(name + ".out", index=False, header=False)
    leaves = pandas.Series(classifier.apply(model[:-1].transform(numbers) if steps else numbers))
    with open(name + ".k", "w") as file:
        print(leaves.value_counts().min(), file=file)
for name, steps in means.items():
    model = Pipeline(steps + [("means", KMeans(5, random_state=1, n_init=3))]).fit(numbers)
    skl_to_pmml(model, ["age", "hours"], "cluster", name + ".pmml")
    pandas.Series(model.predict(numbers)).to_csv(name + ".out", index=False, header=False)

# for what kanon mines: gaps, too
for column in ["age", "hours", "job"]:
    people.loc[random.random(n) < 0.05, column] = None
people["age"] = people.age.astype("Int64")
people.to_csv("gaps.csv", index=False)
PYTHON
"$python" train.py >train.log 2>&1 || {
    cat train.log
    skip "Nyoka does not work here"
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
# scores MODEL DATA OUT WHO: kanon says what OUT has.
scores() {
    local differ
    if ! "$KANON" apply "$1" "$2" -o scored.csv --quiet 2>refused.txt; then
        say wrong "$1: $(cat refused.txt)"
        return
    fi
    differ=$(last_column scored.csv | diff - "$3" | grep -c '^<' || true)
    say "$([ "$differ" -eq 0 ] && echo right || echo wrong)" "$1: kanon and $4 differ on $differ records"
}

# ---- Nyoka ----
for model in tree tree_scaled tree_range means means_scaled; do
    scores $model.pmml people.csv $model.out scikit-learn
done
# With the class alone private, a span is a leaf: its least is known from scikit-learn.
for model in tree tree_scaled tree_range; do
    status=0
    "$KANON" mine --check $model.pmml people.csv --qi age,hours --sensitive risk --k 5 --json --ignore-extensions \
        >$model.json || status=$?
    found=$("$python" -c 'import json, sys
found = json.load(open(sys.argv[1])); print(found["found"]["k"], len(found["broken"]) > 0)' $model.json)
    if [ "$status" -eq 1 ] && [ "$found" = "$(cat $model.k) True" ]; then
        say right "$model: kanon finds that k = $(cat $model.k) holds, and lists what breaks k = 5"
    else
        say wrong "$model: exit $status, k and whether any is listed: $found; scikit-learn's k: $(cat $model.k)"
    fi
done

# ---- Weka ----
if ! command -v java >/dev/null; then
    echo "left out: Weka needs java, which is not here"
else
    for data in people gaps; do
        "$KANON" mine tree $data.csv --qi age,sex,job --sensitive hours,risk --class risk --k 10 -o mined_$data.pmml --quiet
        "$KANON" apply mined_$data.pmml $data.csv -o mined_$data.csv --quiet
        # Weka knows the word of PMML 4.1 and before
        sed 's/usageType="target"/usageType="predicted"/' mined_$data.pmml >for_weka_$data.pmml
    done
    cat >weka_scores.py <<'PYTHON'
import csv
import os
import sys

import jpype
import weka

jpype.startJVM(classpath=[os.environ.get("KN_WEKA_JAR") or os.path.join(os.path.dirname(weka.__file__), "lib", "weka.jar")])
Factory = jpype.JClass("weka.core.pmml.PMMLFactory")
Loader = jpype.JClass("weka.core.converters.CSVLoader")


def load(path):
    loader = Loader()
    loader.setSource(jpype.JClass("java.io.File")(path))
    data = loader.getDataSet()
    data.setClassIndex(data.numAttributes() - 1)
    return data


wrong = 0
for name in ["people", "gaps"]:
    model = Factory.getPMMLModel("for_weka_" + name + ".pmml")
    classes = model.getMiningSchema().getFieldsAsInstances().classAttribute()
    data = load(name + ".csv")
    with open("mined_" + name + ".csv", newline="") as scored:
        ours = [row[-1] for row in list(csv.reader(scored))[1:]]
    different = 0
    for i, own in enumerate(ours):
        shares = list(model.distributionForInstance(data.instance(i)))
        different += str(classes.value(shares.index(max(shares)))) != own
    print(f"{'wrong' if different else 'right'}: {name}: Weka and kanon differ on {different} of {len(ours)} records")
    wrong += different
data = load("people.csv")
regression = jpype.JClass("weka.classifiers.functions.Logistic")()
regression.buildClassifier(data)
with open("weka.pmml", "w") as file:
    file.write(str(regression.toPMML(data)))
sys.exit(wrong > 0)
PYTHON
    "$python" weka_scores.py 2>weka.log || {
        tail -n 5 weka.log
        failed=1
    }
    if [ ! -s weka.pmml ]; then
        echo "left out: with this java Weka reads PMML, but writes none"
    elif "$KANON" mine --check weka.pmml people.csv --qi age,hours,job,sex --sensitive risk --k 5 >/dev/null 2>refused.txt; then
        say wrong "Weka's regression was judged"
    elif grep -q RegressionModel refused.txt; then
        say right "Weka's regression is refused by name"
    else
        say wrong "Weka's regression: $(cat refused.txt)"
    fi
fi

# ---- Spark ----
if ! "$python" -c 'import pyspark' 2>/dev/null || ! command -v java >/dev/null; then
    echo "left out: Spark is not installed"
else
    cat >spark.py <<'PYTHON'
from pyspark.ml.clustering import KMeans
from pyspark.ml.feature import VectorAssembler
from pyspark.sql import SparkSession

spark = SparkSession.builder.master("local[1]").config("spark.ui.enabled", "false").getOrCreate()
people = spark.read.csv("people.csv", header=True, inferSchema=True)
points = VectorAssembler(inputCols=["age", "hours"], outputCol="features").transform(people)
model = KMeans(k=4, seed=1).fit(points)
model.write().format("pmml").save("spark")
with open("spark.out", "w") as file:
    for row in model.transform(points).collect():
        print("cluster_%d" % row.prediction, file=file)
PYTHON
    if timeout 200 "$python" spark.py >spark.log 2>&1; then
        # Spark does not know the names of the columns
        sed '1s/age,hours/field_0,field_1/' people.csv >fields.csv
        scores spark/part-00000 fields.csv spark.out Spark
    else
        echo "left out: Spark does not work here"
    fi
fi
exit $failed
