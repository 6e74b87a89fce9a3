"""Frames and settings as people give them: what Arrow cannot hold, names that are no texts, numbers of numpy."""

from __future__ import annotations

import threading
import traceback
import warnings
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa
import pytest
from conftest import people

import kanon

N = 40
TABLE = pd.DataFrame({"age": [20 + i % 5 for i in range(N)], "sex": ["f", "m"] * 20, "ill": ["flu", "cold"] * 20})
DOUBLE = pd.DataFrame([[1, 2, "flu"]] * 4, columns=["age", "age", "ill"])


def of(column: list[Any]) -> pd.DataFrame:
    return pd.DataFrame({"sex": ["f", "m"] * 5, "odd": pd.Series(column * 5, dtype=object)})


#: What is no table, or has a column that cannot be read: data, exception, code, column, and words of the remedy.
REFUSED: dict[str, tuple[Any, type[kanon.Error], str, str | None, str]] = {
    "two columns of a name": (DOUBLE, kanon.InputError, "duplicate-column", "age", "Rename"),
    "the same in pyarrow": (
        pa.Table.from_arrays([pa.array([1, 2])] * 2, names=["a", "a"]), kanon.InputError, "duplicate-column", "a",
        "Rename"),
    "the same in a stream": (
        pa.Table.from_arrays([pa.array([1, 2])] * 2, names=["a", "a"]).to_reader(), kanon.InputError,
        "duplicate-column", "a", "Rename"),
    "numbers and texts": (of([1, "x"]), kanon.InputError, "type", "odd", "astype(str)"),
    "objects": (of([object(), None]), kanon.InputError, "type", "odd", "df.drop(columns=['odd'])"),
    "integers beyond 64 bits": (of([10**30, 1]), kanon.InputError, "type", "odd", "astype(str)"),
    "complex numbers": (of([1j, 2j]).astype({"odd": complex}), kanon.InputError, "type", "odd", "astype(str)"),
    "sparse cells": (
        pd.DataFrame({"sex": ["f"] * 4, "odd": pd.arrays.SparseArray([0, 0, 1, 1])}), kanon.InputError, "type", "odd",
        "astype(str)"),
    "a column of pandas": (TABLE["age"], kanon.UsageError, "type", None, "to_frame()"),
    "a column of polars": (pl.Series("age", [1, 2]), kanon.UsageError, "type", None, "to_frame()"),
    "a path": ("people.csv", kanon.UsageError, "type", None, "read_csv"),
    "a dict": ({"age": [1, 2]}, kanon.UsageError, "type", None, "data frame"),
}  # fmt: skip


@pytest.mark.parametrize("name", sorted(REFUSED))
def test_what_is_no_table_is_refused_with_the_column(name: str) -> None:
    data, kind, code, column, remedy = REFUSED[name]
    with pytest.raises(kind) as caught:
        kanon.anonymize(data, qi="sex", rest="drop", k=2)
    assert type(caught.value) is kind
    assert (caught.value.code, caught.value.column) == (code, column)
    assert column is None or repr(column) in caught.value.message
    assert caught.value.remedy is not None and remedy in caught.value.remedy


class Person:
    """An object whose text is a name."""

    def __repr__(self) -> str:
        return "Ada Lovelace"


@pytest.mark.parametrize(
    ("cells", "types"),
    [
        ([1, "Ada Lovelace"], "types int, str"), (["Ada Lovelace", 1.5], "types float, str"),
        ([{"a": "Ada Lovelace"}, {"a": 3}], "type dict"), ([Person(), None], "type Person"),
        ([["Ada Lovelace"], "Ada Lovelace"], "types list, str"), ([10**30, 1], "types int, int (beyond 64 bits)"),
    ],
)  # fmt: skip
def test_cells_that_cannot_be_read_are_not_shown(cells: list[Any], types: str) -> None:
    """Neither in the message nor in what Python prints of the exceptions before it: the column may hold names."""
    frames = [of(cells)]
    if not any(isinstance(cell, (dict, list)) for cell in cells):
        frames.append(of(cells).astype({"odd": "category"}))
    for frame in frames:
        with pytest.raises(kanon.InputError) as caught:
            kanon.anonymize(frame, qi="sex", drop="odd", k=2)
        printed = "".join(traceback.format_exception(caught.value))
        assert "Lovelace" not in printed and "0000000" not in printed
        assert types in caught.value.message


def test_names_of_columns_that_are_no_texts_come_back() -> None:
    made = kanon.anonymize(pd.DataFrame({0: [1, 2] * 5, 1: ["a"] * 10, 2: 0}), qi=[0], keep=[1], drop=[2], k=2).data
    assert list(made.columns) == [0, 1]
    with warnings.catch_warnings():  # pandas warns of names of several types, which come back here
        warnings.simplefilter("error")
        mixed = TABLE.rename(columns={"age": 0, "sex": ("who", 1)})
        made = kanon.anonymize(mixed, qi=[0, ("who", 1)], sensitive="ill", k=2).data
    assert list(made.columns) == [0, ("who", 1), "ill"] and list(mixed.columns) == list(made.columns)
    several = TABLE.set_axis(pd.MultiIndex.from_tuples([("who", "age"), ("who", "sex"), ("what", "ill")]), axis=1)
    made = kanon.anonymize(several, qi=[("who", "age"), ("who", "sex")], sensitive=[("what", "ill")], k=2).data
    pd.testing.assert_index_equal(made.columns, several.columns)
    assert list(made["what"]["ill"]) == list(TABLE["ill"])


def test_a_lazy_frame_is_collected_without_a_warning() -> None:
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        release = kanon.anonymize(pl.DataFrame(TABLE).lazy(), qi=["age", "sex"], sensitive="ill", k=2)
        assert isinstance(release.data, pl.DataFrame)


def test_names_of_columns_may_hold_anything_but_nul() -> None:
    """A report shows them on one line; the library once read beyond its columns there."""
    names = ["a\nge", "s\tex\x1b[31m", " ill\r\n"]
    frame = TABLE.set_axis(names, axis=1)
    release = kanon.anonymize(frame, qi=names[:2], sensitive=names[2], k=10, method="flash", suppression=0.5)
    assert list(release.data.columns) == names
    assert release.data[names[2]].tolist() == frame[names[2]].tolist()
    assert list(release.recoding.apply(frame).data.columns) == names
    assert "\n" not in release.report["columns"][0]["name"]
    assert "a ge" in release.report.html()


def test_periods_and_intervals_are_texts_and_come_back_as_they_were() -> None:
    months = pd.Series(pd.period_range("2020-01", periods=4, freq="M").repeat(10))
    frame = TABLE.assign(month=months, band=pd.cut(TABLE["age"], 2), gap=None)
    frame.loc[3, "month"] = pd.NaT
    made = kanon.anonymize(frame, qi=["age"], rest="keep", k=2).data
    pd.testing.assert_series_equal(made["month"], frame["month"])
    pd.testing.assert_series_equal(made["band"], frame["band"])
    made = kanon.anonymize(frame, qi=["month", "band"], rest="drop", k=2).data
    assert {"2020-02", "(19.996, 22.0]"} <= {*made["month"], *made["band"]}


def test_what_becomes_of_the_original_afterwards_changes_no_release() -> None:
    """A release takes types and names from the frame that came in, which its owner may change."""
    frame = TABLE.assign(month=pd.Series(pd.period_range("2020-01", periods=4, freq="M").repeat(10)), n=3)
    frame = frame.rename(columns={"n": 7})
    release = kanon.anonymize(frame, qi=["age", "sex"], rest="keep", k=2)
    recoded = kanon.anonymize(frame, qi=["age", "sex"], rest="keep", k=2, method="flash").recoding.apply(frame)
    before, again = release.data, recoded.data
    frame["month"] = frame["month"] + 12
    frame["ill"] = frame["ill"].astype("category").cat.rename_categories({"flu": "gone"})
    frame[7] = "x"
    frame.columns = [*"abcde"]
    pd.testing.assert_frame_equal(release.data, before)
    pd.testing.assert_frame_equal(recoded.data, again)
    other = pl.DataFrame(TABLE).with_columns(pl.col("ill").cast(pl.Enum(["flu", "cold"])))
    release = kanon.anonymize(other, qi=["age", "sex"], sensitive="ill", k=2)
    made = release.data
    other.replace_column(2, pl.Series("ill", ["x"] * N))
    assert release.data.equals(made) and release.data.schema == made.schema


@pytest.mark.parametrize("k", [np.int64(2), np.uint8(2), np.array(2)])
def test_numbers_of_numpy_are_numbers(k: Any) -> None:
    release = kanon.anonymize(TABLE, qi="age", rest="drop", k=k, suppression=np.float32(0.5))
    assert release.report["guarantee"][0]["k"] == 2
    swept = kanon.sweep(TABLE, qi="age", rest="drop", sweep={"k": np.array([2, 3]), "suppression": 0.5})
    assert len(swept["sweep"]) == 2


@pytest.mark.parametrize(
    ("options", "parameter"),
    [
        ({"method": max}, "method"),
        ({"k": object()}, "k"),
        ({"k": float("nan")}, "k"),
        ({"suppression": float("inf")}, "suppression"),
        ({"k": 10**30}, "k"),
        ({"seed": np.uint64(2**64 - 1)}, "seed"),
        ({"qi": ["a\0ge"]}, "qi"),
        ({"qi": "\ud800"}, "qi"),
    ],
)
def test_settings_that_are_nothing_of_the_kind(options: dict[str, Any], parameter: str) -> None:
    with pytest.raises(kanon.UsageError) as caught:
        kanon.anonymize(TABLE, **{"qi": "age", "rest": "drop", "k": 2, **options})
    assert (caught.value.code, caught.value.parameter) == ("parameter", parameter)


def test_a_series_is_a_hierarchy_and_a_list_of_texts_is_none(tmp_path: Path) -> None:
    groups = pd.Series({str(age): "young" if age < 22 else "old" for age in range(20, 25)})
    made = kanon.anonymize(TABLE, qi="age", rest="drop", k=10, method="flash", hierarchies={"age": groups}).data
    assert set(made["age"]) == {"young", "old"}
    with pytest.raises(kanon.UsageError, match="neither a path nor a dict"):
        kanon.anonymize(TABLE, qi="age", rest="drop", k=2, hierarchies={"age": np.array(["20", "21"])})


@pytest.mark.parametrize("group", [int, float, np.int64, lambda tens: [tens, 100]])
def test_groups_may_be_numbers(group: Any) -> None:
    groups = {age: group(age // 22 * 22) for age in range(20, 25)}
    for given in (groups, pd.Series(groups)):
        made = kanon.anonymize(TABLE, qi="age", rest="drop", k=16, method="flash", hierarchies={"age": given}).data
        assert {float(text) for text in made["age"]} == {0.0, 22.0}
    with pytest.raises(kanon.UsageError, match="neither a path nor a dict") as caught:
        kanon.anonymize(TABLE, qi="age", rest="drop", k=2, hierarchies={"age": dict.fromkeys(range(20, 25))})
    assert (caught.value.column, caught.value.parameter) == ("age", "hierarchies")


def test_remedies_are_calls_of_python_and_no_commands() -> None:
    """Dates with times, and item lists without a hierarchy: the command says which of its commands builds one."""
    dates = pd.DataFrame({"born": pd.date_range("2020-01-01", periods=N, tz="Europe/Athens")})
    baskets = pa.table({"items": [["a", "b"], ["b"]] * 5})
    alike = pd.DataFrame({"age": [1, 2] * 5, "ill": [None] * 10})
    for data, column, options in (
        (dates, "born", {"qi": "born", "k": 2}),
        (baskets, "items", {"qi": "items", "guarantee": "km-anonymity", "k": 2, "m": 2}),
        (alike, "ill", {"qi": "age", "sensitive": "ill", "guarantee": "l-diversity", "l": 2}),
    ):
        with pytest.raises(kanon.Error) as caught:
            kanon.anonymize(data, **options)
        assert caught.value.column == column
        assert caught.value.remedy is not None and "hierarchies=" in caught.value.remedy
        assert not [word for word in ("kanon hierarchy", "FILE", "--", "='") if word in str(caught.value)]
    dates["born"] = dates["born"].dt.date  # as the remedy says
    assert len(kanon.anonymize(dates, qi="born", k=2)) == N


def test_calls_in_threads_do_not_disturb_each_other() -> None:
    """Each has its own result, its own failure, and its own callback."""
    frame = pl.DataFrame(people(2000))
    found: dict[int, Any] = {}

    def run(i: int) -> None:
        heard: list[str] = []
        try:
            wrong = i % 4 == 3
            release = kanon.anonymize(
                frame, qi=["age", "sex" if not wrong else f"sex{i}"], rest="drop", k=2 + i,
                progress=lambda phase, done: heard.append(threading.current_thread().name),
            )  # fmt: skip
            found[i] = release.report["guarantee"][0]["k"], set(heard)
        except kanon.UsageError as error:
            found[i] = error.column

    threads = [threading.Thread(target=run, args=(i,), name=f"t{i}") for i in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert found == {i: f"sex{i}" if i % 4 == 3 else (2 + i, {f"t{i}"}) for i in range(8)}


def test_names_with_commas() -> None:
    """A name with a comma or a quote is one name: of a role, and of the columns that are collected."""
    table = pd.DataFrame({"id": [i // 2 for i in range(N)], "a, b": ["x", "z"] * 20, '"c"': ["y"] * N, "age": 30})
    made = kanon.anonymize(
        table, group_by="id", collect={"both": ["a, b", '"c"']}, qi=["age"], sensitive=["both"], k=5
    )  # fmt: skip
    assert list(made.data["both"].iloc[0]) == ["x", "y", "z"] and len(made.data) == N // 2
    released = kanon.anonymize(table, qi=["a, b", '"c"', "age"], id="id", k=5)
    assert list(released.data.columns) == ["a, b", '"c"', "age"]
