"""Columns that are published as they are: the caller's own cells, whatever their type."""

from __future__ import annotations

import datetime as dt
import decimal
import os
from typing import Any

import pandas as pd
import polars as pl
import pyarrow as pa
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

import kanon
from kanon import _frames

N = 40
D = decimal.Decimal


def columns() -> dict[str, pa.Array]:
    """One column per type; all have few values, so that none of them singles anybody out."""
    odd = [i % 2 == 1 for i in range(N)]
    words = pa.array(["u" if o else "v" for o in odd])
    return {
        "timestamp with zone": pa.array(
            [dt.datetime(2024, 1, 1 + i % 3, tzinfo=dt.timezone.utc) for i in range(N)],
            pa.timestamp("us", tz="Europe/Athens"),
        ),
        "decimal": pa.array([D("1.50") if o else None for o in odd], pa.decimal128(10, 2)),
        "wide decimal": pa.array([D("1.50") if o else D("2.5") for o in odd], pa.decimal256(50, 2)),
        "binary": pa.array([b"\x00\xff" if o else b"" for o in odd]),
        "long binary": pa.array([b"x" * 100 if o else None for o in odd], pa.large_binary()),
        "fixed binary": pa.array([b"ab" if o else b"cd" for o in odd], pa.binary(2)),
        "binary view": pa.array([b"x" * 50 if o else b"short" for o in odd], pa.binary_view()),
        "text view": pa.array(["x" * 50 if o else "" for o in odd], pa.string_view()),
        "time": pa.array([dt.time(1, 2, i % 3) for i in range(N)], pa.time64("us")),
        "duration": pa.array([dt.timedelta(seconds=i % 3) for i in range(N)], pa.duration("ns")),
        "interval": pa.array([pa.MonthDayNano([i % 2, 2, 3]) for i in range(N)]),
        "struct": pa.array([{"a": i % 2, "b": {"c": [1, 2][: i % 3]}} if i % 3 else None for i in range(N)]),
        "map": pa.array([[("k", 1)] if o else [] for o in odd], pa.map_(pa.string(), pa.int64())),
        "fixed list": pa.array([[1, 2] if o else None for o in odd], pa.list_(pa.int32(), 2)),
        "list of lists": pa.array([[[1], [2, 3]] if o else [[None]] for o in odd]),
        "unsorted list": pa.array([["z", "a"] if o else None for o in odd]),
        "list view": pa.array([["z", "a"] if o else ["b"] for o in odd], pa.list_view(pa.string())),
        "empty text": pa.array(["" if o else "q" for o in odd]),
        "not a number": pa.array([float("nan") if o else -0.0 for o in odd]),
        "category": words.dictionary_encode(),
        "category in a struct": pa.StructArray.from_arrays([words.dictionary_encode()], ["x"]),
        "null": pa.nulls(N),
        "bool": pa.array(odd),
    }


def table(*names: str) -> pa.Table:
    chosen = {n: a for n, a in columns().items() if not names or n in names}
    return pa.table({"age": [20 + i % 3 for i in range(N)], **chosen})


@pytest.mark.parametrize("name", list(columns()))
def test_every_type_of_arrow(name: str) -> None:
    whole = table(name)
    chunks = pa.concat_tables([whole.slice(3, 10), whole.slice(15, 20)])
    for given_table in (whole, chunks):
        made = kanon.anonymize(given_table, qi="age", rest="keep", k=2).data
        made.validate(full=True)
        assert made.schema.field(name).type == given_table.schema.field(name).type
        assert str(made[name].to_pylist()) == str(given_table[name].to_pylist())


def test_polars() -> None:
    df = pl.from_arrow(table().drop(["map", "wide decimal", "interval", "list view", "null"]))
    assert isinstance(df, pl.DataFrame)
    df = df.with_columns(grade=pl.Series(["lo", "hi"] * (N // 2), dtype=pl.Enum(["lo", "hi"])))
    made = kanon.anonymize(df, qi="age", rest="keep", k=2).data
    assert made.drop("age").schema == df.drop("age").schema
    assert made.drop("age").equals(df.drop("age"))


def test_pandas() -> None:
    c = columns()
    df = pd.DataFrame(
        {
            "age": [20 + i % 3 for i in range(N)],
            "zone": c["timestamp with zone"].to_pandas(),
            "decimal": c["decimal"].to_pylist(),
            "bytes": c["binary"].to_pylist(),
            "struct": c["struct"].to_pylist(),
            "delta": c["duration"].to_pandas(),
            "time": c["time"].to_pylist(),
            "list": c["unsorted list"].to_pylist(),
            "text": ["" if i % 2 else "q" for i in range(N)],
            "whole": pd.array([None if i % 4 == 0 else 2**60 for i in range(N)], dtype="Int64"),
        }
    )
    made = kanon.anonymize(df, qi="age", rest="keep", k=2).data
    for name in df.columns.drop("age"):
        assert made[name].dtype == df[name].dtype, name
        assert made[name].tolist() == df[name].tolist(), name


def test_records_that_are_suppressed_leave_nothing_behind() -> None:
    n = 41
    secret = [b"the one and only" if i == 40 else b"plain text of a hundred" for i in range(n)]
    given_table = pa.table(
        {
            "age": [99 if i == 40 else 20 + i % 2 for i in range(n)],
            "blob": pa.array(secret, pa.binary_view()),
            "struct": pa.StructArray.from_arrays([pa.array([s.decode() for s in secret]).dictionary_encode()], ["x"]),
        }
    )
    release = kanon.anonymize(
        given_table, qi="age", rest="keep", k=5, method="flash", suppression=0.1, shuffle=True,
        hierarchies={"age": {"20": "young", "21": "young", "99": "old"}},
    )  # fmt: skip
    made = release.to_arrow()
    assert made.num_rows == n - 1
    assert b"only" not in b"".join(
        b.to_pybytes() for name in ("blob", "struct") for c in made[name].chunks for b in c.buffers() if b
    )


#: A person of a rare age is left out; nobody else has this illness or lives in this town.
LEFT_OUT: dict[str, list[Any]] = {
    "age": [*[20 + i % 2 for i in range(N)], 99],
    "ill": [*["flu", "cold"] * (N // 2), "an illness of one person"],
    "town": [*["Patras", "Athens"] * (N // 2), "Nowhere"],
}
ROLES: dict[str, Any] = {
    "qi": "age", "sensitive": "ill", "keep": "town", "k": 5, "method": "flash", "suppression": 0.1,
    "hierarchies": {"age": {"20": "young", "21": "young", "99": "old"}},
}  # fmt: skip


def bytes_of(array: Any) -> bytes:
    """What the buffers of an array hold, and those of its dictionary."""
    own = b"".join(b.to_pybytes() for b in array.buffers() if b)
    return own + (bytes_of(array.dictionary) if pa.types.is_dictionary(array.type) else b"")


def left_out_is_not_there(made: Any) -> None:
    assert made.num_rows == N
    held = b"".join(bytes_of(c) for name in made.column_names for c in made[name].chunks)
    assert b"one person" not in held
    assert b"Nowhere" not in held
    assert b"never" not in held


def test_categories_of_pandas_are_those_of_the_records_that_are_published() -> None:
    df = pd.DataFrame(LEFT_OUT)
    df["ill"] = pd.Categorical(df["ill"], ["flu", "never", "cold", "an illness of one person"], ordered=True)
    df["town"] = df["town"].astype("category")
    release = kanon.anonymize(df, **ROLES)
    for made in (release.data, release.to_pandas()):
        assert made["ill"].dtype == pd.CategoricalDtype(["flu", "cold"], ordered=True)
        assert made["town"].dtype == pd.CategoricalDtype(["Athens", "Patras"])
        assert made["ill"].tolist() == LEFT_OUT["ill"][:N]
        left_out_is_not_there(pa.Table.from_pandas(made))
    left_out_is_not_there(release.to_arrow())
    assert set(release.to_polars()["ill"].unique()) == {"flu", "cold"}
    bands = df.assign(town=pd.cut(pd.Series([*[1, 2] * (N // 2), 77]), [0, 1, 2, 50, 100]))
    made = kanon.anonymize(bands, **ROLES).data
    assert [str(band) for band in made["town"].cat.categories] == ["(0, 1]", "(1, 2]"]


@pytest.mark.parametrize("group", [{}, {"group_by": "who"}])
def test_values_of_records_that_are_left_out_are_in_no_buffer(group: dict[str, str]) -> None:
    long = {name: [f"{v} and some more" if name == "ill" else v for v in LEFT_OUT[name]] for name in LEFT_OUT}
    whole = pa.table({"who": [f"p{i}" for i in range(N + 1)], **long})
    roles = {**ROLES, **group, **({} if group else {"drop": "who"})}
    coded = whole.set_column(2, "ill", whole["ill"].dictionary_encode())
    views = whole.set_column(2, "ill", pa.array(whole["ill"].to_pylist(), pa.string_view()))
    for data in (whole, coded, views, pl.DataFrame(whole), pl.DataFrame(coded)):
        release = kanon.anonymize(data, **roles)
        left_out_is_not_there(pa.table(release))
        left_out_is_not_there(release.to_arrow())
        left_out_is_not_there(release.to_polars().to_arrow())


def test_pandas_gets_signed_codes_whatever_pyarrow_can_convert() -> None:
    """Before pyarrow 23 unsigned ones are refused: the first release of a pandas frame failed."""
    df = pd.DataFrame({**LEFT_OUT, "code": [str(i % 300) for i in range(N + 1)]})
    arrow = kanon.anonymize(df, qi=["age", "code"], rest="drop", k=1).to_arrow()
    assert {str(t.index_type) for t in arrow.schema.types} == {"uint8"}
    signed = _frames._with_signed_codes(arrow)
    assert {str(t.index_type) for t in signed.schema.types} == {"int16"}
    assert signed.to_pylist() == arrow.to_pylist()
    assert _frames._with_signed_codes(arrow.slice(0, 0)).num_rows == 0


def test_enums_of_polars_hold_what_is_published_in_their_order() -> None:
    levels, left = pl.Enum(["never", "flu", "an illness of one person", "cold"]), pl.Enum(["flu", "cold"])
    ill = LEFT_OUT["ill"]
    cells: list[tuple[list[Any], pl.DataType, pl.DataType]] = [
        (ill, levels, left),
        ([{"a": i} for i in ill], pl.Struct({"a": levels}), pl.Struct({"a": left})),
    ]
    if int(pl.__version__.split(".")[0]) >= 2:  # before, polars panics when it hands over lists of an Enum
        lists = [[i] for i in ill]
        cells += [(lists, pl.List(levels), pl.List(left)), (lists, pl.Array(levels, 1), pl.Array(left, 1))]
    for values, given_type, made_type in cells:
        df = pl.DataFrame(LEFT_OUT).with_columns(pl.Series("town", values, given_type))
        made = kanon.anonymize(df, **ROLES).data
        assert made["town"].dtype == made_type
        assert made["town"].to_list() == values[:N]


def test_notes_in_the_schema_of_a_column_are_not_published() -> None:
    whole = pa.table(LEFT_OUT)
    noted = pa.field("ill", pa.dictionary(pa.int32(), pa.string()), metadata={"labels": "an illness of one person"})
    whole = whole.set_column(1, noted, whole["ill"].dictionary_encode()).replace_schema_metadata({"who": "all"})
    made = kanon.anonymize(whole, **ROLES).data
    assert made.schema.field("ill").metadata is None
    assert made.schema.metadata is None
    assert made.schema.field("ill").type == noted.type
    left_out_is_not_there(made)


def test_what_is_not_understood_is_looked_at_all_the_same() -> None:
    whole = pa.table({"age": [20 + i % 3 for i in range(N)], "id": [b"%d" % i for i in range(N)]})
    with pytest.raises(kanon.UsageError) as caught:
        kanon.anonymize(whole, qi="age", rest="keep", k=2)
    assert (caught.value.code, caught.value.column) == ("singles-out", "id")
    assert kanon.anonymize(whole, qi="age", rest="keep", k=2, allow_unique="id").data["id"].equals(whole["id"])
    assert {c["name"] for c in kanon.profile(whole)["columns"]} == {"age", "id"}


@pytest.mark.parametrize("role", ["qi", "sensitive"])
def test_other_roles_need_a_type_that_is_understood(role: str) -> None:
    whole = table("binary", "bool")
    with pytest.raises(kanon.InputError) as caught:
        kanon.anonymize(
            whole, **{"qi": ["age"], "rest": "drop", "k": 2, role: ["age", "binary"][role == "sensitive" :]}
        )
    assert (caught.value.code, caught.value.column) == ("type", "binary")


def test_suggested_roles_never_generalise_it() -> None:
    whole = table("binary")
    try:
        made = kanon.anonymize(whole, qi="age", rest="suggested", k=2).to_arrow()
    except kanon.InputError as error:
        assert (error.code, error.column) == ("type", "binary")
    else:
        assert "binary" not in made.column_names or made["binary"].equals(whole["binary"])


TYPES: st.SearchStrategy[tuple[pa.DataType, st.SearchStrategy[Any]]] = st.recursive(
    st.sampled_from(
        [
            (pa.int16(), st.integers(-5, 5)),
            (pa.string(), st.text("ab", max_size=20)),
            (pa.large_binary(), st.binary(max_size=20)),
            (pa.string_view(), st.text("ab", max_size=20)),
            (pa.binary_view(), st.binary(max_size=20)),
            (pa.bool_(), st.booleans()),
            (pa.float32(), st.sampled_from([0.5, -0.0, float("inf")])),
            (pa.time32("s"), st.sampled_from([dt.time(1), dt.time(2)])),
            (pa.binary(3), st.sampled_from([b"abc", b"xyz"])),
            (pa.dictionary(pa.int8(), pa.string()), st.sampled_from(["p", "q", "r"])),
        ]
    ),
    lambda inner: st.one_of(
        inner.map(lambda t: (pa.list_(t[0]), st.lists(st.one_of(st.none(), t[1]), max_size=3))),
        inner.map(lambda t: (pa.large_list(t[0]), st.lists(st.one_of(st.none(), t[1]), max_size=3))),
        inner.map(lambda t: (pa.list_(t[0], 2), st.lists(t[1], min_size=2, max_size=2))),
        st.lists(inner, min_size=1, max_size=3).map(
            lambda ts: (
                pa.struct([(f"f{i}", t[0]) for i, t in enumerate(ts)]),
                st.fixed_dictionaries({f"f{i}": st.one_of(st.none(), t[1]) for i, t in enumerate(ts)}),
            )
        ),
    ),
    max_leaves=4,
)


@settings(
    max_examples=int(os.environ.get("KN_FRAMES", "300")),
    deadline=None,
    database=None,
    derandomize=True,
    suppress_health_check=list(HealthCheck),
)
@given(st.data())
def test_random_nested_types(data: st.DataObject) -> None:
    """Any nesting, in slices and chunks, with suppressed records and in mixed order: record by record as it came."""
    type_, values = data.draw(TYPES)
    n = data.draw(st.integers(4, 20))
    cells = data.draw(st.lists(st.one_of(st.none(), values), min_size=n, max_size=n))
    ages = data.draw(st.lists(st.sampled_from([20, 21, 22]), min_size=n, max_size=n))
    whole = pa.table({"age": ages, "mark": list(range(n)), "cell": pa.array(cells, type_)})
    cut = data.draw(st.integers(1, n - 1))
    begin = data.draw(st.integers(0, cut - 1))
    whole = pa.concat_tables([whole.slice(begin, cut - begin), whole.slice(cut)])
    try:
        release = kanon.anonymize(
            whole, qi="age", keep=["mark", "cell"], allow_unique=["mark", "cell"], k=2,
            suppression=data.draw(st.sampled_from([0, 0.5])), shuffle=data.draw(st.booleans()),
        )  # fmt: skip
    except kanon.Error as error:
        assert error.code not in ("type", "value", "other") or "suppress" in str(error) or len(whole) < 2
        return
    made = release.to_arrow()
    made.validate(full=True)
    by_mark = {m: str(c) for m, c in zip(whole["mark"].to_pylist(), whole["cell"].to_pylist(), strict=True)}
    for mark, cell in zip(made["mark"].to_pylist(), made["cell"].to_pylist(), strict=True):
        assert str(cell) == by_mark[mark]
    assert made.schema.field("cell").type == whole.schema.field("cell").type
