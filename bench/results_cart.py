"""CART with at least k records per leaf, for bench/results_models.py: scikit-learn in an environment of its own.

usage: results_cart.py WORK

Reads WORK/train.csv, WORK/test.csv and from standard input lines "K LEAVES CRITERION COLUMN,COLUMN,..." (LEAVES 0: no limit). Prints for
each the errors on the training records, the share of errors on the test records in percent, and the leaves. Columns that hold
numbers split at thresholds, of others every value is a column of its own (one-hot)."""
import csv
import sys

import numpy as np
from sklearn.tree import DecisionTreeClassifier


def load(name):
    with open(sys.argv[1] + "/" + name, newline="") as f:
        return list(csv.DictReader(f))


def is_number(text):
    try:
        float(text)
        return True
    except ValueError:
        return False


def encode(column):
    """The column of both files: as it is, or one column per value of the training records."""
    if all(is_number(r[column]) for r in train):
        return [np.array([[float(r[column])] for r in rows]) for rows in (train, test)]
    values = sorted({r[column] for r in train})
    return [np.array([[r[column] == v for v in values] for r in rows], float) for rows in (train, test)]


train, test = load("train.csv"), load("test.csv")
target = list(train[0])[-1]
answers = [np.array([r[target] for r in rows]) for rows in (train, test)]
encoded = {}
for line in sys.stdin:
    k, leaves, criterion, columns = line.split()
    for c in columns.split(","):
        encoded[c] = encoded.get(c) or encode(c)
    tables = [np.hstack([encoded[c][i] for c in columns.split(",")]) for i in range(2)]
    tree = DecisionTreeClassifier(min_samples_leaf=int(k), max_leaf_nodes=int(leaves) or None, criterion=criterion, random_state=0)
    tree.fit(tables[0], answers[0])
    wrong = [tree.predict(table) != answer for table, answer in zip(tables, answers)]
    print(int(wrong[0].sum()), 100 * wrong[1].mean(), tree.get_n_leaves(), flush=True)
