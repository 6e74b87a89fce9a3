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


def encode(rows, columns, values):
    parts = [np.array([[float(r[c])] if values[c] is None else [r[c] == v for v in values[c]] for r in rows], float) for c in columns]
    return np.hstack(parts)


train, test = load("train.csv"), load("test.csv")
target = list(train[0])[-1]
answers = [np.array([r[target] for r in rows]) for rows in (train, test)]
for line in sys.stdin:
    k, leaves, criterion, columns = line.split()
    columns = columns.split(",")
    values = {c: None if all(is_number(r[c]) for r in train) else sorted({r[c] for r in train}) for c in columns}
    tree = DecisionTreeClassifier(min_samples_leaf=int(k), max_leaf_nodes=int(leaves) or None, criterion=criterion, random_state=0)
    tree.fit(encode(train, columns, values), answers[0])
    wrong = [tree.predict(encode(rows, columns, values)) != answer for rows, answer in zip((train, test), answers)]
    print(int(wrong[0].sum()), 100 * wrong[1].mean(), tree.get_n_leaves(), flush=True)
