"""Messages of the library as they reach Python: with a code, and without the notation of the command line."""

from __future__ import annotations

import datetime as dt
import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import polars as pl
import pyarrow as pa
import pytest
from conftest import people

import kanon
from kanon._errors import reword_page

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


def test_every_message_has_a_code_and_a_remedy(refused: list[tuple[dict[str, Any], kanon.Error]]) -> None:
    assert not [str(e) for _, e in refused if e.code == "other" or not e.remedy]
    assert not [e.remedy for _, e in refused if " --" in f" {e.remedy}" or "None" in str(e.remedy)]


EMPTY = pl.DataFrame({"age": []}, schema={"age": pl.Int64})
CHECKED: dict[str, Any] = {"qi": ["age"], "k": 2}
ITEMS = {"bread": "food", "milk": "food", "wine": "food"}
SWEPT: dict[str, Any] = {"qi": ["age"], "rest": "drop"}


def made(**options: Any) -> kanon.Release:
    return kanon.anonymize(TABLE, **BASE, **options)


def flash() -> kanon.Recoding:
    return kanon.anonymize(TABLE, **BASE, method="flash").recoding


#: Other calls that make no sense or cannot be done, with the code, the column and the parameter of what they raise.
#: ``{d}`` is a folder with files that hold something else than they should.
OTHERS: dict[str, tuple[Callable[[str], object], tuple[str, str | None, str | None]]] = {
    "schema that is absent": (lambda d: made(schema="/nowhere/s.json"), ("file", None, "schema")),
    "schema that is no JSON": (lambda d: made(schema=f"{d}/bad.json"), ("file", None, "schema")),
    "schema with a wrong key": (lambda d: made(schema=f"{d}/key.json"), ("file", None, "schema")),
    "schema that is a folder": (lambda d: made(schema=d), ("file", None, "schema")),
    "schema about another table": (
        lambda d: made(schema=f"{d}/other.json"), ("no-column", "nothing", None)),
    "schema that is no path": (lambda d: made(schema=5), ("parameter", None, "schema")),
    "hierarchy that is absent": (
        lambda d: made(hierarchies={"age": "/nowhere/age.csv"}), ("file", "age", "hierarchies")),
    "hierarchy that is a folder": (
        lambda d: made(hierarchies={"age": d}), ("file", "age", "hierarchies")),
    "hierarchy that is wrong": (
        lambda d: made(hierarchies={"age": f"{d}/h/age.csv"}), ("file", "age", "hierarchies")),
    "hierarchy that is empty": (
        lambda d: made(hierarchies={"age": f"{d}/empty.csv"}), ("file", "age", "hierarchies")),
    "hierarchy without values": (
        lambda d: made(hierarchies={"age": {}}), ("file", "age", "hierarchies")),
    "hierarchy with a value twice": (
        lambda d: made(hierarchies={"age": [["1", "*"], ["1", "*"]]}),
        ("file", "age", "hierarchies")),
    "hierarchy that is a number": (
        lambda d: made(hierarchies={"age": 5}), ("parameter", "age", "hierarchies")),
    "hierarchy of numbers": (
        lambda d: made(hierarchies={"age": [1, 2]}), ("parameter", "age", "hierarchies")),
    "hierarchies of no column": (
        lambda d: made(hierarchies={"aeg": {"1": "2"}}), ("no-column", "aeg", "hierarchies")),
    "folder that is absent": (
        lambda d: made(hierarchies="/nowhere"), ("file", None, "hierarchies")),
    "folder that is a file": (
        lambda d: made(hierarchies=f"{d}/bad.json"), ("file", None, "hierarchies")),
    "folder with a wrong file": (
        lambda d: made(hierarchies=f"{d}/h"), ("file", None, "hierarchies")),
    "folder without files": (
        lambda d: made(hierarchies=f"{d}/none"), ("file", None, "hierarchies")),
    "hierarchies as a list": (
        lambda d: made(hierarchies=[1]), ("parameter", None, "hierarchies")),
    "table without records": (lambda d: kanon.anonymize(EMPTY, qi="age", k=2), ("no-records", None, None)),
    "table without columns": (lambda d: kanon.anonymize(pa.table({}), rest="drop", k=2), ("no-records", None, None)),
    "joined file that is absent": (
        lambda d: kanon.anonymize(TABLE, **BASE, join={"x": "/nowhere/j.csv"}, join_on={"x": "name"},
                                  join_items={"x": "code"}), ("file", None, None)),
    "k above the records": (lambda d: kanon.anonymize(TABLE, **{**BASE, "k": 201}), ("parameter", None, "k")),
    "memory that is too little": (
        lambda d: kanon.anonymize(pl.DataFrame({"a": [str(i) for i in range(300_000)]}), qi="a", k=2, memory="1M"),
        ("memory", None, "memory")),
    "check by a column that is absent": (lambda d: kanon.check(TABLE, qi=["aeg"], k=2), ("no-column", "aeg", None)),
    "check without a guarantee": (lambda d: kanon.check(TABLE, qi=["age"]), ("parameter", None, "guarantee")),
    "check without quasi-identifiers": (lambda d: kanon.check(TABLE, k=2), ("parameter", None, "qi")),
    "check with an absent schema": (
        lambda d: kanon.check(TABLE, **CHECKED, schema="/nowhere/s.json"), ("file", None, "schema")),
    "check with an absent hierarchy": (
        lambda d: kanon.check(TABLE, **CHECKED, hierarchies={"age": "/nowhere/a"}), ("file", "age", "hierarchies")),
    "measure of another table": (
        lambda d: kanon.measure(pa.table({"age": [1, 2]}), pa.table({"age": ["x", "y"]}), qi=["age"]),
        ("mismatch", "age", None)),
    "measure the wrong way round": (
        lambda d: kanon.measure(pa.table({"age": [1]}), pa.table({"age": ["1", "1"]}), qi=["age"]),
        ("mismatch", None, None)),
    "profile of a wrong type": (lambda d: kanon.profile(TABLE, type={"sex": "integer"}), ("value", "sex", None)),
    "profile of no table": (lambda d: kanon.profile(7), ("type", None, None)),
    "init of an absent file": (lambda d: kanon.init("/nowhere/x.csv"), ("file", None, None)),
    "init into a folder that is there": (lambda d: kanon.init(TABLE, folder=d), ("file", None, None)),
    "init into an absent folder": (lambda d: kanon.init(TABLE, folder="/nowhere/a/b"), ("file", None, None)),
    "plan on another table": (
        lambda d: kanon.init(TABLE).anonymize(pa.table({"x": [1, 2]})), ("no-column", "name", None)),
    "sweep over nothing": (lambda d: kanon.sweep(TABLE, **SWEPT), ("parameter", None, "sweep")),
    "sweep over no values": (lambda d: kanon.sweep(TABLE, **SWEPT, sweep={"k": []}), ("parameter", None, "sweep")),
    "sweep over no parameter": (lambda d: kanon.sweep(TABLE, **SWEPT, sweep={"kk": [1]}), ("parameter", None, "sweep")),
    "plot of no measure": (
        lambda d: kanon.sweep(TABLE, **SWEPT, sweep={"k": [2]}).plot("x"), ("parameter", None, "measure")),
    "recoding of local": (
        lambda d: kanon.anonymize(TABLE, **BASE, method="local").recoding, ("parameter", None, "method")),
    "recoding of another table": (lambda d: flash().apply(pa.table({"x": [1]})), ("no-column", "age", None)),
    "recoding of too few": (lambda d: flash().apply(TABLE.slice(0, 1)), ("broken", None, None)),
    "recoding of no table": (lambda d: flash().apply(3), ("type", None, None)),
    "recoding of lists as SQL": (
        lambda d: kanon.anonymize(
            BASKETS, qi="items", guarantee="km-anonymity", k=5, m=1, hierarchies={"items": ITEMS}).recoding.sql("t"),
        ("type", "items", None)),
}  # fmt: skip


@pytest.fixture(scope="module")
def wrong_files(tmp_path_factory: pytest.TempPathFactory) -> str:
    folder = tmp_path_factory.mktemp("wrong")
    (folder / "bad.json").write_text("{")
    (folder / "key.json").write_text('{"colums": {}}')
    (folder / "other.json").write_text('{"columns": {"nothing": {"role": "kept"}}}')
    (folder / "empty.csv").write_text("")
    (folder / "none").mkdir()
    (folder / "h").mkdir()
    (folder / "h" / "age.csv").write_text("1;*\n1;*\n")
    return str(folder)


@pytest.mark.parametrize("what", OTHERS)
def test_what_it_is_about(what: str, wrong_files: str) -> None:
    misuse, expected = OTHERS[what]
    with pytest.raises(kanon.Error) as caught:
        misuse(wrong_files)
    e = caught.value
    assert (e.code, e.column, e.parameter) == expected, str(e)
    assert e.remedy and " --" not in f" {e} {e.remedy}" and "None" not in e.remedy


def test_parameters_are_keywords(refused: list[tuple[dict[str, Any], kanon.Error]]) -> None:
    import inspect

    known = set(inspect.signature(kanon.anonymize).parameters) | {"sweep"}
    assert not [(e.parameter, str(e)) for _, e in refused if e.parameter is not None and e.parameter not in known]


def raw() -> pl.DataFrame:
    """A table as it comes: persons with several rows, marks of missing values, spaces, dates that tell nothing."""
    n = 300
    return pl.DataFrame(
        {
            "pid": [i // 3 for i in range(n)],
            "age": ["20" if i % 5 else "-" for i in range(n)],
            "codes": [f"a{i % 3}|b{i % 7}|c" for i in range(n)],
            "paid": [f"{i % 50},5" for i in range(n)],
            "seen": [f"{i % 12 + 1:02d}/{i % 12 + 1:02d}/2020" for i in range(n)],
            "spaced": [f" {i % 4} " for i in range(n)],
            "sex": ["f", "m"] * 150,
            "ill": ["flu", "cold", "none"] * 100,
        }
    )


def test_what_is_said_of_columns_names_keywords() -> None:
    """Hints, reasons and notes."""
    profile = kanon.profile(raw())
    said = [c.get(key) or "" for c in profile["columns"] for key in ("hint", "reason")]
    plan = kanon.init(raw())
    said += [*(c["reason"] for c in plan.columns), *plan.notes, plan.text()]
    with pytest.raises(kanon.UsageError) as caught:
        kanon.anonymize(raw(), qi=["sex"], k=2)
    said += [c.reason for c in caught.value.columns]
    assert [w for w in said if "group_by" in w] and [w for w in said if "date_format" in w]
    assert [w for w in said if 'decimal=","' in w] and [w for w in said if "trim=True" in w]
    assert not [w for w in said if " --" in f" {w}"]


def test_names_that_look_like_settings_stay_as_they_are() -> None:
    with pytest.raises(kanon.UsageError) as caught:
        kanon.anonymize(TABLE, qi=["pre--keep", "--k"], rest="drop", k=2)
    assert caught.value.column == "pre--keep" and "'pre--keep'" in caught.value.message


def test_texts_and_pages_name_keywords() -> None:
    options: dict[str, Any] = {"qi": ["sex"], "sensitive": ["ill", "paid"], "rest": "drop"}
    release = kanon.anonymize(raw(), **options, k=5, title="--k 5 <code>--k 5</code>")
    swept = kanon.sweep(raw(), **options, sweep={"k": [2, 5]})
    for text in (release.report.text(), swept.text()):
        assert "shuffle=True" in text and "accept_point" in text and " --" not in text
    for page in (release.report.html(), swept.html()):
        assert "shuffle=True" in page and "accept_point" in page and "<code>--" not in page
    assert "--k 5 &lt;code&gt;--k 5&lt;/code&gt;" in release.report.html()  # what the caller says stays as it is


def test_areas_are_in_the_recoding_and_no_file_is_named(tmp_path: Path) -> None:
    """A page of more areas than it shows, and what helps to understand their names."""
    page = "<p>2 more areas are not shown: <code>--areas FILE</code> writes them all.</p>"
    assert reword_page(page) == "<p>2 more areas are not shown: the recoding of the release has them all.</p>"
    places = tmp_path / "places.csv"
    places.write_text("item,lat,lon\na,38.1,23.7\nb,38.1,23.8\nc,37.9,23.7\nd,37.9,23.8\n")
    lists = pl.DataFrame({"place": [["a", "b"], ["a"], ["b"], ["c", "d"], ["c"], ["d"]] * 4})
    release = kanon.anonymize(
        lists, qi="place", guarantee="sigma-km-anonymity", k=9, m=2, sigma=0.9, method="sampling", names="areas",
        coordinates=places,
    )  # fmt: skip
    names = json.loads(release.recoding.json())["columns"][0]["values"]
    published = set(release.data["place"].explode().cast(pl.String))
    assert published == set(names.values())
    assert any(name.startswith("area-") for name in published)


def test_remedies_are_calls(tmp_path: Path) -> None:
    """Words of points are about keywords, too."""
    release = kanon.anonymize(TABLE, qi=["age", "sex"], sensitive="illness", keep="city", drop="name", k=2)
    assert release.points
    assert not [p for p in release.points if " --" in p["words"] + p["remedy"]]
