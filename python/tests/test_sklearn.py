"""Estimators for scikit-learn: its own checks, roles of columns, models that are judged before they are handed out."""

from __future__ import annotations

import json
import subprocess
import sys
import warnings
import xml.etree.ElementTree as ET
from pathlib import Path
from typing import Any

import pandas as pd
import pytest
from conftest import people, run

np = pytest.importorskip("numpy")
pytest.importorskip("sklearn")

from sklearn.base import clone  # noqa: E402
from sklearn.utils.estimator_checks import parametrize_with_checks  # noqa: E402

import kanon  # noqa: E402
from kanon import sklearn as estimators  # noqa: E402


@parametrize_with_checks(
    [
        estimators.KAnonymousTreeClassifier(k=2),
        estimators.KAnonymousTreeClassifier(),
        estimators.KAnonymousClusters(k=2),
        estimators.KAnonymousClusters(),
    ]
)
def test_checks_of_scikit_learn(estimator: Any, check: Any) -> None:
    check(estimator)


def frame(n: int = 400) -> pd.DataFrame:
    table = pd.DataFrame(people(n)).drop(columns="name")
    table["ill"] = np.where((table["age"] > 44) & (table["sex"] == "f"), "yes", "no")
    return table


def test_tree_of_a_frame_keeps_k(command: str, tmp_path: Path) -> None:
    table = frame()
    X, y = table[["age", "sex", "city"]], table["ill"]
    tree = estimators.KAnonymousTreeClassifier(k=10).fit(X, y, public=["age", "sex", "city"])
    assert tree.score(X, y) > 0.95
    assert list(tree.classes_) == ["no", "yes"]
    # The command judges the same files, against the same records.
    table.rename(columns={"ill": "class"}).to_csv(tmp_path / "table.csv", index=False)
    (tmp_path / "tree.pmml").write_text(tree.to_pmml())
    (tmp_path / "tree.json").write_text(tree.to_json())
    for name in ("tree.pmml", "tree.json"):
        done = run(command, "mine", "--check", tmp_path / name, tmp_path / "table.csv", "--qi", "age,sex,city",
                   "--sensitive", "class", "--k", 10)  # fmt: skip
        assert done.returncode == 0, done.stdout + done.stderr
    out = tmp_path / "scored.csv"
    done = run(command, "apply", tmp_path / "tree.json", tmp_path / "table.csv", "-o", out)
    assert done.returncode == 0, done.stderr
    assert pd.read_csv(out)["predicted"].tolist() == tree.predict(X).tolist()
    assert ET.fromstring(tree.to_pmml()).tag.endswith("PMML")


def test_a_larger_k_tells_less() -> None:
    table = frame()
    X, y = table[["age", "sex", "illness"]], table["ill"]
    fine = estimators.KAnonymousTreeClassifier(k=10).fit(X, y, private=["illness"])
    coarse = estimators.KAnonymousTreeClassifier(k=150).fit(X, y, private=["illness"])
    assert 10 <= fine.report_["found"]["k"] < 150 <= coarse.report_["found"]["k"]
    assert fine.score(X, y) > coarse.score(X, y)
    assert fine.report_["satisfied"] and fine.points_[0]["check"]
    assert not any("--" in p["remedy"] for p in fine.points_)


def test_columns_by_number() -> None:
    rng = np.random.default_rng(1)
    X = rng.integers(0, 5, size=(200, 3))
    y = (X[:, 0] > 2).astype(int)
    tree = estimators.KAnonymousTreeClassifier(k=5).fit(X, y, private=[2])
    assert tree.score(X, y) == 1.0
    with pytest.raises(kanon.UsageError) as caught:
        estimators.KAnonymousTreeClassifier(k=5).fit(X, y, private=[3])
    assert caught.value.parameter == "private" and caught.value.remedy is not None
    with pytest.raises(kanon.UsageError, match="public and private"):
        estimators.KAnonymousTreeClassifier(k=5).fit(X, y, public=[0], private=[0])


@pytest.mark.parametrize(("one", "listed"), [("inc", ["inc"]), (1, [1])])
def test_one_column_stands_for_itself(one: Any, listed: list[Any]) -> None:
    X = pd.DataFrame({"age": list(range(20, 70)) * 4, "inc": [0, 1, 2, 3] * 50})
    y = ["yes" if age > 45 else "no" for age in X["age"]]
    for role in ("private", "public"):
        made, same = (estimators.KAnonymousTreeClassifier(k=5).fit(X, y, **{role: r}) for r in (one, listed))
        assert made.to_json() == same.to_json()


@pytest.mark.parametrize(
    ("estimator", "parameter"),
    [
        (estimators.KAnonymousTreeClassifier(criterion="entropy"), "criterion"),
        (estimators.KAnonymousTreeClassifier(max_depth=-1), "max_depth"),
        (estimators.KAnonymousTreeClassifier(splits="three"), "splits"),
        (estimators.KAnonymousTreeClassifier(inference=2), "inference"),
        (estimators.KAnonymousTreeClassifier(l=0.5), "l"),
        (estimators.KAnonymousClusters(n_clusters=-1), "n_clusters"),
        (estimators.KAnonymousClusters(algorithm="dbscan"), "algorithm"),
    ],
)
def test_parameters_are_called_as_scikit_learn_calls_them(estimator: Any, parameter: str) -> None:
    X = np.arange(40).reshape(20, 2)
    with pytest.raises(kanon.UsageError, match=f"^{parameter}(: | is )") as caught:
        estimator.fit(X, [0, 1] * 10)
    assert caught.value.parameter == parameter and f"{parameter}=" in str(caught.value.remedy)


def test_what_cannot_be_made_leaves_the_estimator_unfitted() -> None:
    X = np.arange(20).reshape(10, 2)
    tree = estimators.KAnonymousTreeClassifier(k=2, criterion="best")
    with pytest.raises(kanon.UsageError) as caught:
        tree.fit(X, [0, 1] * 5)
    assert " --" not in str(caught.value)
    assert not hasattr(tree, "model_")
    with pytest.raises(ValueError, match="k must be"):
        estimators.KAnonymousClusters(k=0).fit(X)
    with pytest.raises(ValueError, match="minimum of 11"):
        estimators.KAnonymousClusters(k=11).fit(X)


def test_clusters() -> None:
    rng = np.random.default_rng(1)
    X = np.concatenate([rng.integers(0, 10, size=(60, 2)), rng.integers(90, 100, size=(60, 2))])
    clusters = estimators.KAnonymousClusters(k=5, n_clusters=2).fit(X, private=[1])
    assert clusters.labels_.tolist() == clusters.predict(X).tolist()
    assert set(clusters.labels_[:60]) != set(clusters.labels_[60:]) and len(set(clusters.labels_)) == 2
    assert json.loads(clusters.to_json())


def test_a_frame_gives_what_an_array_gives_without_warnings() -> None:
    rng = np.random.default_rng(1)
    X = np.concatenate([rng.integers(0, 10, size=(60, 2)), rng.integers(90, 100, size=(60, 2))])
    y = (X[:, 0] > 50).astype(int)
    frame = pd.DataFrame(X, columns=["x0", "x1"])
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        for estimator, of in (
            (estimators.KAnonymousClusters(k=5, n_clusters=2), ()),
            (estimators.KAnonymousTreeClassifier(k=5), (y,)),
        ):
            answers = clone(estimator).fit(X, *of, private=[1]).predict(X)
            named = clone(estimator).fit(frame, *of, private=["x1"])
            assert named.predict(frame).tolist() == answers.tolist()
            assert getattr(named, "labels_", answers).tolist() == answers.tolist()


def test_scikit_learn_is_imported_by_this_module_only() -> None:
    code = "import sys, kanon; assert 'sklearn' not in sys.modules and 'numpy' not in sys.modules"
    subprocess.run([sys.executable, "-c", code], check=True)
