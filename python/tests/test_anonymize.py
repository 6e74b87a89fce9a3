"""Releases: from any kind of frame, in the same kind, checked, with a report."""

from __future__ import annotations

import datetime as dt
import json
import subprocess
import sys
from collections import Counter
from pathlib import Path

import duckdb
import pandas as pd
import polars as pl
import pyarrow as pa
import pytest
from conftest import ROLES, people

import kanon


def rows(table: pa.Table) -> list[tuple[object, ...]]:
    return list(zip(*(table[c].to_pylist() for c in table.column_names), strict=True))


def frames() -> dict[str, object]:
    d = people()
    df = pd.DataFrame(d)  # noqa: F841 - DuckDB finds it by its name
    return {
        "pandas": pd.DataFrame(d),
        "polars": pl.DataFrame(d),
        "pyarrow": pa.table(d),
        "duckdb": duckdb.sql("SELECT * FROM df"),
    }


@pytest.mark.parametrize("kind", ["pandas", "polars", "pyarrow", "duckdb"])
def test_same_kind_of_frame(kind: str) -> None:
    frame = frames()[kind]
    release = kanon.anonymize(frame, **ROLES)
    assert type(release.data) is type(frame)
    assert rows(release.to_arrow()) == rows(kanon.anonymize(pa.table(people()), **ROLES).to_arrow())


def test_release_satisfies_its_guarantee() -> None:
    release = kanon.anonymize(pa.table(people()), **ROLES)
    classes = Counter((r[0], r[1]) for r in rows(release.to_arrow()))
    assert min(classes.values()) >= 5
    assert release.report["satisfied"]
    assert release.report["achieved"]["k"] == min(classes.values())
    assert release.to_arrow().column_names == ["age", "sex", "city", "illness"]


def test_order_and_kept_values_are_those_of_the_input() -> None:
    d = people()
    made = kanon.anonymize(pa.table(d), **ROLES).to_arrow()
    assert made["city"].to_pylist() == d["city"]
    assert made["illness"].to_pylist() == d["illness"]


def test_data_come_out_as_often_as_asked() -> None:
    release = kanon.anonymize(pl.DataFrame(people()), **ROLES)
    assert release.data.equals(release.data)
    assert len(release.to_pandas()) == len(release.to_polars()) == release.to_arrow().num_rows == len(release) == 200
    assert pa.table(release).num_rows == 200  # the release itself is an Arrow stream


def test_data_outlive_the_release() -> None:
    table = kanon.anonymize(pa.table(people()), **ROLES).to_arrow()
    table.validate(full=True)
    assert table.num_rows == 200


def test_kept_columns_keep_their_types_in_pandas() -> None:
    n = 60
    df = pd.DataFrame(
        {
            "age": [20 + i % 3 for i in range(n)],
            "whole": pd.array([None if i % 7 == 0 else i % 4 + 2**60 for i in range(n)], dtype="Int64"),
            "word": ["a" if i % 2 else "b" for i in range(n)],
            "code": [str(100 + i % 3) for i in range(n)],  # texts that look like numbers
            "day": pd.to_datetime([f"2024-02-{1 + i % 3:02}" for i in range(n)]),
            "grade": pd.Categorical(["lo" if i % 2 else "hi" for i in range(n)], ["lo", "hi"], ordered=True),
            "share": [i % 4 / 8 for i in range(n)],
            "flag": [i % 2 == 0 for i in range(n)],
        }
    )
    made = kanon.anonymize(df, qi="age", rest="keep", k=2).data
    pd.testing.assert_frame_equal(made.drop(columns="age"), df.drop(columns="age"))


def test_kept_columns_keep_their_types_in_polars_and_arrow() -> None:
    n = 60
    df = pl.DataFrame(
        {
            "age": [20 + i % 3 for i in range(n)],
            "small": pl.Series([i % 4 for i in range(n)], dtype=pl.UInt8),
            "word": ["a rather long text" if i % 2 else None for i in range(n)],
            "day": [dt.date(2024, 2, 1 + i % 3) for i in range(n)],
            "time": [dt.datetime(2024, 2, 1, 12, i % 3) for i in range(n)],
            "grade": pl.Series(["lo" if i % 2 else "hi" for i in range(n)], dtype=pl.Enum(["lo", "hi"])),
            "list": [["x", "y"] if i % 2 else ["z"] for i in range(n)],
        }
    )
    made = kanon.anonymize(df, qi="age", rest="keep", k=2).data
    assert made.drop("age").equals(df.drop("age"))
    assert made.drop("age").schema == df.drop("age").schema
    table = df.to_arrow()
    made = kanon.anonymize(table, qi="age", rest="keep", k=2).data
    assert made.drop(["age"]).schema.types == table.drop(["age"]).schema.types
    assert made.drop(["age"]).to_pylist() == table.drop(["age"]).to_pylist()


def test_index_of_pandas_is_not_published() -> None:
    df = pd.DataFrame(people()).set_index("name")
    made = kanon.anonymize(df, qi=["age", "sex"], sensitive="illness", keep="city", k=5).data
    assert list(made.columns) == ["age", "sex", "city", "illness"]
    assert list(made.index) == list(range(200))


def test_item_lists() -> None:
    baskets = [["bread", "milk"], ["bread"], ["milk"], ["bread", "milk"], ["wine"], ["beer"]] * 3
    groups = {"bread": "food", "milk": "food", "wine": "drinks", "beer": "drinks"}
    release = kanon.anonymize(
        pl.DataFrame({"items": baskets}),
        qi="items",
        guarantee="km-anonymity",
        k=5,
        m=2,
        hierarchies={"items": groups},
    )
    assert release.report["guarantee"][0]["name"] == "km-anonymity"
    assert set(release.to_polars()["items"].explode().cast(pl.String)) == {"bread", "milk", "drinks"}
    assert kanon.check(release, qi="items", guarantee="km-anonymity", k=5, m=2)


@pytest.mark.parametrize("form", ["mapping", "rows", "frame", "arrow", "path"])
def test_hierarchies_in_every_form(form: str, tmp_path: Path) -> None:
    cities = {"Athens": ["Attica", "Greece"], "Patras": ["Achaea", "Greece"], "Volos": ["Magnesia", "Greece"]}
    as_rows = [[c, *up] for c, up in cities.items()]
    levels = {f"level{i}": [r[i] for r in as_rows] for i in range(3)}
    path = tmp_path / "city.csv"
    path.write_text("".join(";".join(r) + "\n" for r in as_rows))
    given = {
        "mapping": cities,
        "rows": as_rows,
        "frame": pd.DataFrame(levels),
        "arrow": pa.table(levels),
        "path": path,
    }[form]
    made = kanon.anonymize(
        pa.table(people(6)), qi=["city"], rest="drop", k=6, method="flash", hierarchies={"city": given}
    )
    assert set(made.to_arrow()["city"].to_pylist()) == {"Greece"}


def test_report_and_card() -> None:
    release = kanon.anonymize(pd.DataFrame(people()), **ROLES)
    assert release.report["records"] == {
        "in": 200, "out": 200, "suppressed": 0, "suppressed_kept_as_stars": False, "shuffled": False,
    }  # fmt: skip
    assert release.report.html().startswith("<!DOCTYPE html>")
    assert "k-anonymity" in release.report.text()
    card = release._repr_html_()
    assert "k-anonymity" in card and "<table>" in card
    assert "p1" not in json.dumps(release.report)  # names of people are nowhere
    assert "kanon.Release" in repr(release)
    assert release.points and not any("--" in p["remedy"] for p in release.points)


def test_several_guarantees_and_parameters() -> None:
    release = kanon.anonymize(
        pa.table(people()), qi=["age", "sex"], sensitive="illness", rest="drop",
        guarantee=["k-anonymity", "l-diversity"], k=4, l=3, diversity="distinct", method="mondrian", suppression=0.1,
        threads=1, seed=7,
    )  # fmt: skip
    assert [g["name"] for g in release.report["guarantee"]] == ["k-anonymity", "l-diversity"]
    assert kanon.check(release, qi=["age", "sex"], sensitive="illness", guarantee="l-diversity", l=3)


def test_check_and_measure_and_profile() -> None:
    table = pa.table(people())
    verdict = kanon.check(table, qi=["age", "sex"], k=5)
    assert not verdict and verdict["achieved"]["k"] < 5 and verdict["violations"]
    release = kanon.anonymize(table, **ROLES)
    verdict = kanon.check(release, qi=["age", "sex"], sensitive="illness", keep="city", k=5)
    assert verdict and verdict["state"] in ("holds", "holds_with_points") and verdict["records"] == 200
    utility = kanon.measure(table, release, qi=["age", "sex"], rest="drop")["utility"]
    assert utility["loss"] == pytest.approx(release.report["utility"]["loss"])
    profile = kanon.profile(table)
    assert {c["name"]: c["suggested_role"] for c in profile["columns"]}["name"] == "identifier"


def test_module_imports_no_library() -> None:
    code = (
        "import sys, kanon; print([m for m in ('pandas', 'polars', 'pyarrow', 'numpy', 'duckdb') if m in sys.modules])"
    )
    assert subprocess.run([sys.executable, "-c", code], capture_output=True, text=True).stdout.strip() == "[]"


def test_same_release_as_the_command_on_adult(adult: Path, command: str, tmp_path: Path) -> None:
    qi = "sex,age,race,marital-status,education,native-country,workclass,occupation"
    out, report = tmp_path / "out.csv", tmp_path / "report.json"
    table = tmp_path / "adult.csv"
    table.write_bytes(subprocess.run(["zstd", "-dc", adult / "adult.csv.zst"], capture_output=True, check=True).stdout)
    subprocess.run(
        [command, "anonymize", table, "--separator", ";", "--qi", qi, "--keep-rest", "--hierarchies",
         adult / "hierarchies", "--k", "5", "--method", "flash", "--suppression", "0.02", "-o", out, "--report", report,
         "--quiet"],
        check=True,
    )  # fmt: skip
    df = pd.read_csv(table, sep=";", dtype=str, keep_default_na=False)
    df["age"] = df["age"].astype(int)
    release = kanon.anonymize(
        df,
        qi=qi.split(","),
        rest="keep",
        hierarchies=adult / "hierarchies",
        k=5,
        method="flash",
        suppression=0.02,
    )
    written = pd.read_csv(out, sep=";", dtype=str, keep_default_na=False)
    made = release.to_pandas().astype(str)
    pd.testing.assert_frame_equal(made, written)  # the same rows in the same order
    theirs = json.loads(report.read_text())
    assert {k: release.report[k] for k in ("achieved", "utility", "changes")} == {
        k: theirs[k] for k in ("achieved", "utility", "changes")
    }
