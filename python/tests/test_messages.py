"""Messages of the library as they reach Python: with a code, and without the notation of the command line."""

from __future__ import annotations

import datetime as dt
from collections import Counter
from pathlib import Path
from typing import Any

import polars as pl
import pyarrow as pa
import pytest
from conftest import people

import kanon

BASKETS = pl.DataFrame({"items": [["bread", "milk"], ["bread"], ["milk"], ["wine"]] * 5})
TABLE = pa.table(people())
BASE: dict[str, Any] = {"qi": ["age", "sex"], "rest": "drop", "k": 5}

#: Calls that make no sense, or cannot be done: what is given, and what is asked.
MISUSES: list[tuple[Any, dict[str, Any]]] = [
    (TABLE, {**BASE, "qi": ["aeg"]}),
    (TABLE, {**BASE, "qi": []}),
    (TABLE, {**BASE, "qi": ["age", "age"], "sensitive": "age"}),
    (TABLE, {**BASE, "rest": None}),
    (TABLE, {**BASE, "rest": "keep"}),
    (TABLE, {**BASE, "rest": "suggested", "k": 2}),
    (TABLE, {**BASE, "k": None}),
    (TABLE, {**BASE, "k": 0}),
    (TABLE, {**BASE, "k": 1.5}),
    (TABLE, {**BASE, "k": 1000}),
    (TABLE, {**BASE, "k": [2, 3]}),
    (TABLE, {**BASE, "guarantee": "k-anonymous"}),
    (TABLE, {**BASE, "guarantee": "l-diversity"}),
    (TABLE, {**BASE, "guarantee": "l-diversity", "l": 2}),
    (TABLE, {**BASE, "guarantee": "l-diversity", "l": 2, "diversity": "many", "sensitive": "illness"}),
    (TABLE, {**BASE, "guarantee": "t-closeness", "t": 3, "sensitive": "illness"}),
    (TABLE, {**BASE, "guarantee": "t-closeness", "t": 0.1}),
    (TABLE, {**BASE, "guarantee": "km-anonymity", "m": 2}),
    (TABLE, {**BASE, "guarantee": "kmn-anonymity", "m": 2, "n": 1}),
    (TABLE, {**BASE, "guarantee": "k-km-anonymity", "m": 2}),
    (TABLE, {**BASE, "l": 3}),
    (TABLE, {**BASE, "m": 3}),
    (TABLE, {**BASE, "sigma": 0.5}),
    (TABLE, {**BASE, "method": "flush"}),
    (TABLE, {**BASE, "method": "apriori"}),
    (TABLE, {**BASE, "method": "acd"}),
    (TABLE, {**BASE, "method": "tds"}),
    (TABLE, {**BASE, "method": "id3", "class_": "nothing"}),
    (TABLE, {**BASE, "method": "sampling"}),
    (TABLE, {**BASE, "method": "gcs"}),
    (TABLE, {**BASE, "method": "mondrian", "relaxed": True, "effort": 3}),
    (TABLE, {**BASE, "objective": "speed"}),
    (TABLE, {**BASE, "suppression": 3}),
    (TABLE, {**BASE, "suppression": "many"}),
    (TABLE, {**BASE, "item_suppression": 0.1}),
    (TABLE, {**BASE, "suppressed": "hidden"}),
    (TABLE, {**BASE, "threads": -1}),
    (TABLE, {**BASE, "memory": "lots"}),
    (TABLE, {**BASE, "seed": -3}),
    (TABLE, {**BASE, "type": {"age": "colour"}}),
    (TABLE, {**BASE, "type": {"sex": "integer"}}),
    (TABLE, {**BASE, "type": {"nothing": "integer"}}),
    (TABLE, {**BASE, "weight": {"age": -1}}),
    (TABLE, {**BASE, "weight": {"nothing": 1}}),
    (TABLE, {**BASE, "missing_rule": "none"}),
    (TABLE, {**BASE, "items": "city"}),
    (TABLE, {**BASE, "sensitive_items": "flu"}),
    (TABLE, {**BASE, "group_by": "nothing"}),
    (TABLE, {**BASE, "collect": {"illness": "illnesses"}}),
    (TABLE, {**BASE, "join_on": {"a": "b"}}),
    (TABLE, {**BASE, "accept_point": "no-such-point"}),
    (TABLE, {**BASE, "point_limit": {"no-such-check": 1}}),
    (TABLE, {**BASE, "strict": True, "sensitive": "illness"}),
    (TABLE, {**BASE, "schema": "/nowhere/schema.json"}),
    (TABLE, {**BASE, "hierarchies": "/nowhere"}),
    (TABLE, {**BASE, "hierarchies": {"age": "/nowhere/age.csv"}}),
    (TABLE, {**BASE, "hierarchies": {"sex": {"f": "person"}}}),
    (TABLE, {**BASE, "hierarchies": {"nothing": {"f": "person"}}}),
    (TABLE, {**BASE, "hierarchies": {"sex": [["f", "a"], ["f", "b"]]}}),
    (TABLE, {**BASE, "method": "flash", "qi": ["city"], "uncovered": "forget"}),
    (TABLE, {**BASE, "codes": "nothing"}),
    (TABLE, {**BASE, "date": "tomorrow"}),
    (TABLE, {**BASE, "allow_unique": "nothing"}),
    (BASKETS, {"qi": "items", "k": 2}),
    (BASKETS, {"qi": "items", "guarantee": "km-anonymity", "k": 2}),
    (BASKETS, {"qi": "items", "guarantee": "km-anonymity", "k": 2, "m": 0}),
    (BASKETS, {"qi": "items", "guarantee": "km-anonymity", "k": 2, "m": 2, "method": "flash"}),
    (BASKETS, {"qi": "items", "guarantee": "km-anonymity", "k": 50, "m": 2}),
    (BASKETS, {"qi": "items", "guarantee": "km-anonymity", "k": 2, "m": 2, "hierarchies": {"items": {"milk": "food"}}}),
    (BASKETS, {"qi": "items", "guarantee": "sigma-km-anonymity", "k": 2, "m": 2}),
    (BASKETS, {"qi": "items", "guarantee": "k-km-anonymity", "k": 2, "m": 2}),
    (BASKETS, {"qi": "items", "guarantee": "km-anonymity", "k": 2, "m": 2, "item_weight": {"milk": 7}}),
    (pl.DataFrame({"when": [dt.datetime(2024, 1, d, 12) for d in range(1, 20)]}), {"qi": "when", "k": 2}),
    (pl.DataFrame({"age": [1.0, float("inf")]}), {"qi": "age", "k": 2}),
    (pl.DataFrame({"age": []}, schema={"age": pl.Int64}), {"qi": "age", "k": 2}),
    (pa.table({"age": pa.array([b"a", b"b"])}), {"qi": "age", "k": 2}),
]


def outcome(data: Any, options: dict[str, Any]) -> kanon.Error | None:
    try:
        kanon.anonymize(data, **options)
    except kanon.Error as error:
        return error
    return None


@pytest.fixture(scope="module")
def refused() -> list[tuple[dict[str, Any], kanon.Error]]:
    found = [(options, outcome(data, options)) for data, options in MISUSES]
    return [(options, error) for options, error in found if error is not None]


def test_messages_name_no_options_of_the_command(refused: list[tuple[dict[str, Any], kanon.Error]]) -> None:
    assert len(refused) > 60  # the others are no mistakes
    named = [str(e) for _, e in refused if " --" in f" {e}" or "(-o" in str(e) or "kanon list" in str(e)]
    assert not named, named


def test_most_messages_have_a_code(refused: list[tuple[dict[str, Any], kanon.Error]]) -> None:
    codes = Counter(e.code for _, e in refused)
    without = [str(e) for _, e in refused if e.code == "other"]
    assert len(without) * 10 <= len(refused), (codes, without)


def test_parameters_are_keywords(refused: list[tuple[dict[str, Any], kanon.Error]]) -> None:
    import inspect

    known = set(inspect.signature(kanon.anonymize).parameters) | {"sweep"}
    assert not [(e.parameter, str(e)) for _, e in refused if e.parameter is not None and e.parameter not in known]


def test_remedies_are_calls(tmp_path: Path) -> None:
    """Words of points are about keywords, too."""
    release = kanon.anonymize(TABLE, qi=["age", "sex"], sensitive="illness", keep="city", drop="name", k=2)
    assert release.points
    assert not [p for p in release.points if " --" in p["words"] + p["remedy"]]
