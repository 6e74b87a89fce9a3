"""CART with at least k records per leaf, for bench/results_models.py: scikit-learn in an environment of its own.

Reads from standard input lines "FOLDER K LEAVES CRITERION COLUMN,COLUMN,..." (LEAVES 0: no limit), whose training and test records are FOLDER/train.csv
and FOLDER/test.csv with the class as last column. Prints for each the errors on the training records, the share of errors on the test records in percent,
and the leaves. Columns that hold numbers split at thresholds, missing ones go to the side that gains more; of others every value, and that none is there, is a column of its own (one-hot)."""
import csv
import sys

import numpy as np
from sklearn.dummy import DummyClassifier
from sklearn.tree import DecisionTreeClassifier


class Folder:
    def __init__(self, path):
        self.rows = []
        for name in ("/train.csv", "/test.csv"):
            with open(path + name, newline="") as f:
                self.rows.append(list(csv.DictReader(f)))
        target = list(self.rows[0][0])[-1]
        self.answers = [np.array([r[target] for r in rows]) for rows in self.rows]
        self.encoded = {}

    def encode(self, column):
        """The column of both files: as it is, or one column per value of the training records."""
        if column not in self.encoded:
            cells = [[r[column] for r in rows] for rows in self.rows]
            if all(is_number(x) for x in cells[0]):
                self.encoded[column] = [np.array([[float(x or "nan")] for x in part]) for part in cells]
            else:
                values = sorted(set(cells[0]))
                self.encoded[column] = [np.array([[x == v for v in values] for x in part], float) for part in cells]
        return self.encoded[column]


def is_number(text):
    try:
        float(text or "nan")
        return True
    except ValueError:
        return False


last, folder = None, None
for line in sys.stdin:
    path, k, leaves, criterion, columns = line.split()
    if path != last:
        last, folder = path, Folder(path)
    tables = [np.hstack([folder.encode(c)[i] for c in columns.split(",")]) for i in range(2)]
    if int(leaves) == 1:
        model = DummyClassifier()
    else:
        model = DecisionTreeClassifier(min_samples_leaf=int(k), max_leaf_nodes=int(leaves) or None, criterion=criterion, random_state=0)
    model.fit(tables[0], folder.answers[0])
    wrong = [model.predict(table) != answer for table, answer in zip(tables, folder.answers)]
    print(int(wrong[0].sum()), 100 * wrong[1].mean(), 1 if int(leaves) == 1 else model.get_n_leaves(), flush=True)
