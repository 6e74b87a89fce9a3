"""Estimators for scikit-learn whose models keep people anonymous: each is judged before it is handed out.

``fit`` mines a model from the records, writes it, reads it back and has it judged by code that knows nothing of the
mining; a model that would link fewer than k people to private values is never stored in the estimator. What was judged
is the model: publish ``to_pmml()`` or ``to_json()``, not the pickled estimator, which also holds what scikit-learn
expects (``labels_`` holds the cluster of each record). Importing this module imports scikit-learn and numpy.
"""

from __future__ import annotations

import json
import os
import tempfile
from collections.abc import Iterable, Sequence
from typing import Any, NoReturn

import numpy as np
from sklearn.base import BaseEstimator, ClassifierMixin, ClusterMixin
from sklearn.utils.multiclass import check_classification_targets
from sklearn.utils.validation import check_is_fitted, validate_data

from . import _frames, _kanon
from ._errors import UsageError, call, reword

__all__ = ["KAnonymousClusters", "KAnonymousTreeClassifier"]

_CLASS = "class"

#: What scikit-learn calls parameters of models that have another name elsewhere.
_CALLED = {"gain": "criterion", "depth": "max_depth", "clusters": "n_clusters"}


def _raise_about(error: UsageError) -> NoReturn:
    """Raise `error`, about a parameter of an estimator."""
    name = error.parameter or ""
    if name not in _CALLED:
        raise error
    raise UsageError(
        error.message.replace(f"{name}:", f"{_CALLED[name]}:", 1),
        code=error.code,
        column=error.column,
        parameter=_CALLED[name],
    ) from None


def _text(value: Any) -> str | None:
    """A cell as text; None where it is missing."""
    if value is None or (isinstance(value, (float, np.floating)) and np.isnan(value)):
        return None
    if isinstance(value, (float, np.floating)):
        number = float(value)
        return str(int(number)) if number.is_integer() and abs(number) < 2**53 else repr(number)
    return str(value)


def _columns(X: Any) -> list[list[str | None]]:
    return [[_text(v) for v in X[:, j].tolist()] for j in range(X.shape[1])]


def _chosen(given: Any, names: Sequence[str], parameter: str) -> set[str]:
    """The columns that `given` names, by name or by number; one stands for itself."""
    found = set()
    columns: Iterable[Any] = [given] if isinstance(given, (str, int, np.integer)) else given
    for column in columns:
        number = isinstance(column, (int, np.integer)) and not isinstance(column, bool)
        if number and 0 <= column < len(names):
            found.add(names[int(column)])
        elif not number and str(column) in names:
            found.add(str(column))
        else:
            raise UsageError(
                f"{parameter}: there is no column {column!r}{_frames.nearest(str(column), names)}",
                code="no-column",
                column=str(column),
                parameter=parameter,
                remedy=f"Name columns, or their numbers from 0 to {len(names) - 1}.",
            )
    return found


class _Miner(BaseEstimator):  # type: ignore[misc]
    """What the estimators have in common: roles of columns, mining, asking."""

    def _validated(self, X: Any, **more: Any) -> Any:
        """Checked arrays; columns of frames may hold texts."""
        names = getattr(X, "columns", None)
        named = names is not None and all(isinstance(n, str) for n in names)
        return validate_data(self, X, dtype=None if named else "numeric", **more)

    def _least(self) -> int:
        """How many records a model needs. Refuses a k that makes no sense."""
        if isinstance(self.k, bool) or not isinstance(self.k, (int, np.integer)) or self.k < 1:
            raise UsageError("k must be a whole number of at least 1", code="parameter", parameter="k")
        return int(self.k)

    def _names(self) -> list[str]:
        named = getattr(self, "feature_names_in_", None)
        return [str(n) for n in named] if named is not None else [f"x{i}" for i in range(self.n_features_in_)]

    def _roles(self, public: Iterable[Any] | None, private: Iterable[Any] | None) -> list[tuple[str, str]]:
        """The role of each column: public unless named in `private`; with `public`, private unless named there."""
        names = self._names()
        hidden = set() if private is None else _chosen(private, names, "private")
        if public is not None:
            shown = _chosen(public, names, "public")
            both = shown & hidden
            if both:
                raise UsageError(
                    f"column {min(both)!r} is public and private",
                    code="parameter",
                    column=min(both),
                    parameter="public",
                    remedy="Name each column once.",
                )
            hidden = set(names) - shown
        return [("sensitive" if n in hidden else "quasi-identifier", "") for n in names]

    def _mine(
        self,
        kind: str,
        names: list[str],
        roles: list[tuple[str, str]],
        columns: list[list[str | None]],
        limits: tuple[float, bool, float],
        parameters: dict[str, Any],
    ) -> None:
        l, distinct, inference = limits  # noqa: E741
        texts = [(name, str(value)) for name, value in parameters.items() if value is not None]
        with tempfile.TemporaryDirectory(prefix="kanon.") as folder:
            paths = [os.path.join(folder, f"model.{ending}") for ending in ("json", "pmml")]
            try:
                report = call(
                    _kanon.mine, kind, names, roles, columns, int(self.k), l, distinct, inference, 0, texts, paths, None
                )
            except UsageError as error:
                _raise_about(error)
            with open(paths[0], encoding="utf-8") as file:
                self.model_ = file.read()
            with open(paths[1], encoding="utf-8") as file:
                self.pmml_ = file.read()
        self.report_ = json.loads(report)
        #: What is to settle before the model is handed on.
        self.points_ = [
            {**p, "words": reword(p["words"]), "remedy": reword(p["remedy"])} for p in self.report_.get("points", [])
        ]

    def _answers(self, X: Any) -> list[str | None]:
        """What the model says of each record of a validated array."""
        return call(_kanon.apply, self.model_, self._names(), _columns(X))

    def _asked(self, X: Any) -> Any:
        check_is_fitted(self, "model_")
        return self._validated(X, reset=False)

    def to_pmml(self) -> str:
        """The model as PMML 4.4, as it was read back and judged."""
        check_is_fitted(self, "model_")
        return str(self.pmml_)

    def to_json(self) -> str:
        """The model as JSON of kanon, which ``kanon apply`` and ``kanon mine --check`` read."""
        check_is_fitted(self, "model_")
        return str(self.model_)


class KAnonymousTreeClassifier(ClassifierMixin, _Miner):  # type: ignore[misc]
    """A k-anonymous decision tree: what it reveals about private values is true of at least k people.

    The class is private unless ``class_public`` says that others know it anyway.

    Args:
        k: at least so many people share what the model reveals about private values.
        l: how diverse the class must be among those people; None: not asked for.
        diversity: how l is counted: "entropy" or "distinct".
        inference: the most certain that anybody may be of a person's class; None: no limit.
        max_depth: the longest way to a leaf; None: no limit.
        criterion: how good a split is: "ratio", "information" or "gini".
        splits: how categories split: "two" or "values".
        prune: whether splits that do not help with unseen records are taken back.
        class_public: whether others know the class.
    """

    def __init__(
        self,
        k: int = 5,
        *,
        l: float | None = None,  # noqa: E741
        diversity: str = "entropy",
        inference: float | None = None,
        max_depth: int | None = None,
        criterion: str = "ratio",
        splits: str = "two",
        prune: bool = True,
        class_public: bool = False,
    ) -> None:
        self.k = k
        self.l = l
        self.diversity = diversity
        self.inference = inference
        self.max_depth = max_depth
        self.criterion = criterion
        self.splits = splits
        self.prune = prune
        self.class_public = class_public

    def fit(
        self, X: Any, y: Any, public: Iterable[Any] | None = None, private: Iterable[Any] | None = None
    ) -> KAnonymousTreeClassifier:
        """Grow a tree that predicts `y` from `X`, and judge it.

        `public` names the columns that others may know, `private` those that they must not learn (names, or numbers
        from 0); with neither, all are public. Raises kanon.Error where no such model can be made, or it fails its
        judgement: then the estimator is not fitted.
        """
        X, y = self._validated(X, y=y, ensure_min_samples=self._least())
        check_classification_targets(y)
        self.classes_, codes = np.unique(y, return_inverse=True)
        labels = [str(c) for c in self.classes_.tolist()]
        if len(set(labels)) != len(labels) or "" in labels:
            raise UsageError(
                "the classes of y must have different texts, none of them empty", code="value", parameter="y"
            )
        names = self._names()
        target = _CLASS
        while target in names:
            target += "_"
        role = "quasi-identifier" if self.class_public else "sensitive"
        self._mine(
            "tree",
            [*names, target],
            [*self._roles(public, private), (role, "category")],
            [*_columns(X), [labels[c] for c in codes.tolist()]],
            (self.l or 0.0, self.diversity == "distinct", self.inference or 0.0),
            {
                "class": target,
                "gain": self.criterion,
                "splits": self.splits,
                "depth": self.max_depth,
                "no-prune": None if self.prune else "true",
            },
        )
        # A record that the tree has no answer for gets the commonest class.
        self.commonest_ = int(np.argmax(np.bincount(codes)))
        return self

    def predict(self, X: Any) -> Any:
        """The class of each record."""
        check_is_fitted(self, "model_")
        number: dict[str | None, int] = {str(c): i for i, c in enumerate(self.classes_.tolist())}
        answers = [number.get(a, self.commonest_) for a in self._answers(self._asked(X))]
        return self.classes_[np.asarray(answers, dtype=int)]


class KAnonymousClusters(ClusterMixin, _Miner):  # type: ignore[misc]
    """k-anonymous clusters: what they reveal about private values is true of at least k people.

    Args:
        k: at least so many people share what the model reveals about private values.
        n_clusters: stop at so many; None: when no split is safe.
        l: how diverse the clusters must be among those people; None: not asked for.
        diversity: how l is counted: "entropy" or "distinct".
        inference: the most certain that anybody may be of a person's cluster; None: no limit.
        algorithm: "best", "mst" or "kmeans".
    """

    def __init__(
        self,
        k: int = 5,
        *,
        n_clusters: int | None = None,
        l: float | None = None,  # noqa: E741
        diversity: str = "entropy",
        inference: float | None = None,
        algorithm: str = "best",
    ) -> None:
        self.k = k
        self.n_clusters = n_clusters
        self.l = l
        self.diversity = diversity
        self.inference = inference
        self.algorithm = algorithm

    def fit(
        self, X: Any, y: Any = None, public: Iterable[Any] | None = None, private: Iterable[Any] | None = None
    ) -> KAnonymousClusters:
        """Find clusters in `X`, and judge them; `y` is not used. `public` and `private` as in the classifier."""
        X = self._validated(X, ensure_min_samples=self._least())
        self._mine(
            "clusters",
            self._names(),
            self._roles(public, private),
            _columns(X),
            (self.l or 0.0, self.diversity == "distinct", self.inference or 0.0),
            {"clusters": self.n_clusters, "algorithm": self.algorithm},
        )
        self.labels_ = self._numbers(X)
        return self

    def predict(self, X: Any) -> Any:
        """The number of the cluster of each record, from 0; -1 where there is none."""
        return self._numbers(self._asked(X))

    def _numbers(self, X: Any) -> Any:
        return np.asarray([-1 if a is None else int(a) - 1 for a in self._answers(X)], dtype=int)
