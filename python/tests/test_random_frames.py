"""Random frames through pandas, polars and pyarrow alike: the same release, or the same refusal.

KN_FRAMES says how many; the default is 2000.
"""

from __future__ import annotations

import datetime as dt
import os
from collections import Counter
from typing import Any

import polars as pl
import pyarrow as pa
from hypothesis import HealthCheck, assume, given, settings
from hypothesis import strategies as st

import kanon

WORDS = st.sampled_from(["a", "b", "c", "Ünïcode", "", " ", "x;y", 'say "x"', "007", "1e3", "*", "long text of 20 b"])
VALUES: dict[str, tuple[pa.DataType, st.SearchStrategy[Any]]] = {
    "int8": (pa.int8(), st.integers(-128, 127)),
    "int64": (pa.int64(), st.integers(-(2**53), 2**53)),
    "uint32": (pa.uint32(), st.integers(0, 2**32 - 1)),
    "float": (pa.float64(), st.floats(allow_nan=False, allow_infinity=False, width=32)),
    "bool": (pa.bool_(), st.booleans()),
    "string": (pa.string(), WORDS),
    "category": (pa.dictionary(pa.int32(), pa.string()), st.sampled_from(["lo", "mid", "hi"])),
    "date": (pa.date32(), st.dates(dt.date(1700, 1, 1), dt.date(2200, 1, 1))),
    "timestamp": (pa.timestamp("us"), st.datetimes(dt.datetime(1700, 1, 1), dt.datetime(2200, 1, 1))),
    "list": (pa.list_(pa.string()), st.lists(st.sampled_from("abcd"), max_size=3, unique=True)),
}
ROLES = ["qi", "qi", "sensitive", "keep", "drop"]


@st.composite
def frames(draw: st.DrawFn) -> tuple[pa.Table, dict[str, Any]]:
    """A table, and what to ask of it."""
    n = draw(st.one_of(st.sampled_from([0, 1, 2]), st.integers(3, 30)))
    kinds = draw(st.lists(st.sampled_from(sorted(VALUES)), min_size=1, max_size=5))
    columns, names = [], [f"c{i}" for i in range(len(kinds))]
    roles: dict[str, list[str]] = {r: [] for r in ROLES}
    for name, kind in zip(names, kinds, strict=True):
        type_, values = VALUES[kind]
        few = draw(st.lists(values, min_size=1, max_size=draw(st.sampled_from([2, 8]))))
        cell = st.sampled_from(few)
        cell = st.one_of(cell, st.none()) if draw(st.booleans()) else cell
        columns.append(pa.array(draw(st.lists(cell, min_size=n, max_size=n)), type_))
        roles[draw(st.sampled_from(ROLES))].append(name)
    options: dict[str, Any] = {**roles, "allow_unique": roles["keep"], "k": draw(st.integers(1, 4))}
    options["method"] = draw(st.sampled_from([None, "mondrian", "flash", "cluster", "local"]))
    return pa.table(columns, names=names), {k: v for k, v in options.items() if v}


def outcome(frame: Any, options: dict[str, Any]) -> Any:
    """The rows of the release as texts, or what kind of refusal there was."""
    try:
        release = kanon.anonymize(frame, **options)
    except kanon.Error as error:
        assert "--" not in str(error)
        return type(error).__name__, error.code, error.column
    table = pa.table(release)
    table.validate(full=True)
    return [table.column_names, *([str(v) for v in table[c].to_pylist()] for c in table.column_names)]


def test_random_frames() -> None:
    seen: Counter[str] = Counter()

    @settings(
        max_examples=int(os.environ.get("KN_FRAMES", "2000")),
        deadline=None,
        database=None,
        derandomize=True,
        suppress_health_check=list(HealthCheck),
    )
    @given(frames())
    def run(drawn: tuple[pa.Table, dict[str, Any]]) -> None:
        table, options = drawn
        assume(any(options.get(r) for r in ("qi", "sensitive", "keep", "drop")))
        made = outcome(table, options)
        seen["refused" if isinstance(made, tuple) else "released"] += 1
        if not isinstance(made, tuple):
            check(table, options, made)
        assert outcome(pl.from_arrow(table), options) == made
        if all(c.null_count < len(c) for c in table.columns):  # pandas forgets the type of a column without values
            assert outcome(table.to_pandas(integer_object_nulls=True, date_as_object=True), options) == made

    run()
    assert seen["released"] > seen["refused"] / 4, seen


def check(table: pa.Table, options: dict[str, Any], made: Any) -> None:
    """The definition, by other code: classes of k, all else as it was, in the same order."""
    names, *columns = made
    by_name = dict(zip(names, columns, strict=True))
    qi = [q for q in options.get("qi", [])]
    classes = Counter(zip(*(by_name[q] for q in qi), strict=True))
    assert not qi or min(classes.values()) >= options["k"]
    assert set(names) == set(table.column_names) - set(options.get("drop", []))
    for name in set(names) - set(qi):
        assert by_name[name] == [str(v) for v in table[name].to_pylist()]
