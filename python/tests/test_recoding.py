"""Recodings: what became of every value, as JSON and SQL, and applied to the next table."""

from __future__ import annotations

import json
import subprocess
from pathlib import Path

import duckdb
import pandas as pd
import polars as pl
import pyarrow as pa
import pytest
from conftest import people

import kanon

TOWNS = {"Athens": "South", "Patras": "South", "Volos": "North", "Larissa": "North", "Kavala": "East"}
AGES = {str(a): [f"{a // 10 * 10}-{a // 10 * 10 + 9}", "adult"] for a in range(20, 90)}
OPTIONS = {
    "qi": ["age", "sex", "city"], "sensitive": "illness", "rest": "drop", "k": 5, "method": "flash",
    "hierarchies": {"city": TOWNS, "age": AGES},
}  # fmt: skip


def texts(frame: object) -> list[dict[str, str]]:
    return [{k: str(v) for k, v in row.items()} for row in pa.table(frame).to_pylist()]


@pytest.mark.parametrize("kind", [pd.DataFrame, pl.DataFrame, pa.table])
def test_applied_to_the_same_table_it_gives_the_release(kind: type) -> None:
    release = kanon.anonymize(kind(people()), **OPTIONS)
    again = release.recoding.apply(kind(people()))
    assert type(again.data) is type(release.data)
    assert texts(again) == texts(release)
    assert [p["name"] for p in again.points] == [p["name"] for p in release.points]
    assert again.verdict["achieved"] == release.report["achieved"]


def test_points_of_the_next_table_are_its_own() -> None:
    release = kanon.anonymize(pl.DataFrame(people()), **OPTIONS)
    other = people()
    other["illness"] = ["flu"] * len(other["illness"])
    points = {p["check"] for p in release.recoding.apply(pl.DataFrame(other)).points}
    assert points - {p["check"] for p in release.points}  # everybody has the flu
    strict = kanon.anonymize(
        pl.DataFrame(people()), **OPTIONS, strict=True, accept_point=[p["name"] for p in release.points]
    )
    with pytest.raises(kanon.WithheldError) as caught:
        strict.recoding.apply(pl.DataFrame(other))
    assert caught.value.code == "points"


def test_a_next_table_that_comes_sorted_has_a_point() -> None:
    """By a column that is left out or recoded; not by one that is published as it is."""
    recoding = kanon.anonymize(pl.DataFrame(people()), **OPTIONS).recoding
    mixed = pl.DataFrame(people()).sample(fraction=1, shuffle=True, seed=3)

    def order(frame: pl.DataFrame) -> list[dict[str, str]]:
        return [p for p in recoding.apply(frame).points if p["check"] == "sorted"]

    assert order(mixed) == []
    assert order(mixed.sort("illness")) == []
    assert [p["name"] for p in order(mixed.sort("name"))] == ["sorted:name"]
    (point,) = order(mixed.sort("age"))
    assert point["name"] == "sorted:age" and "generalised" in point["words"]
    assert point["remedy"] == "Mix the records of the table before the recoding is applied."
    found = recoding.apply(mixed.sort("name"))
    assert found.verdict["state"] == "holds_with_points" and found.summary.startswith("Holds, with")
    accepted = [p["name"] for p in found.points if p["check"] != "sorted"]
    strict = kanon.anonymize(mixed, **OPTIONS, strict=True, accept_point=accepted).recoding
    assert strict.apply(mixed).verdict["state"] == "holds"
    with pytest.raises(kanon.WithheldError, match="sorted:name") as caught:
        strict.apply(mixed.sort("name"))
    assert caught.value.code == "points"


def test_json_is_the_same_from_every_library() -> None:
    made = {
        kanon.anonymize(kind(people()), **OPTIONS).recoding.json() for kind in (pd.DataFrame, pl.DataFrame, pa.table)
    }
    assert len(made) == 1
    columns = {c["name"]: c["values"] for c in json.loads(made.pop())["columns"]}
    assert list(columns) == ["age", "sex", "city"]
    # What is not in the table is covered on the level of its column.
    assert (columns["city"]["Volos"], columns["city"]["Larissa"]) == ("Volos", "Larissa")
    assert AGES["21"].index(columns["age"]["21"]) == AGES["88"].index(columns["age"]["88"])


def test_values_that_are_not_covered_are_refused() -> None:
    recoding = kanon.anonymize(pl.DataFrame(people()), **OPTIONS).recoding
    other = people()
    other["city"][3] = "Sparta"
    with pytest.raises(kanon.InputError) as caught:
        recoding.apply(pl.DataFrame(other))
    assert caught.value.code == "uncovered"
    assert caught.value.column == "city"
    assert "make a new release" in str(caught.value)
    assert caught.value.remedy == "Make a new release, whose recoding covers the values."


def next_month() -> dict[str, list[object]]:
    """The names are few, so that they may well be traits; a column is new."""
    table = people()
    return {**table, "name": ["Ada", "Bo"] * 100, "new": ["x", "y"] * 100}


def test_roles_that_were_suggested_are_those_of_the_release() -> None:
    """What was an identifier stays out, whatever the next table suggests, and a new column needs a role."""
    options = {**OPTIONS, "rest": "suggested"}
    later = next_month()
    release = kanon.anonymize(pl.DataFrame(people()), **options)
    published = release.to_polars().columns
    assert "name" not in published
    roles = {c["name"]: c["suggested_role"] for c in kanon.profile(pl.DataFrame(later))["columns"]}
    assert roles["name"] == "quasi-identifier"
    with pytest.raises(kanon.UsageError) as caught:
        release.recoding.apply(pl.DataFrame(later))
    assert (caught.value.code, [c.name for c in caught.value.columns]) == ("no-role", ["new"])
    assert "kanon.anonymize" in str(caught.value.remedy)
    del later["new"]
    assert release.recoding.apply(pl.DataFrame(later)).to_polars().columns == published
    del later["name"]  # what was left out need not be there
    assert release.recoding.apply(pl.DataFrame(later)).to_polars().columns == published
    assert release.recoding.apply(pl.DataFrame(later).to_arrow().to_reader()).to_polars().columns == published


def test_a_new_column_is_not_kept_because_others_were() -> None:
    table = people()
    del table["name"]
    release = kanon.anonymize(pl.DataFrame(table), **{**OPTIONS, "rest": "keep"})
    later = {**table, "new": ["x", "y"] * 100}
    with pytest.raises(kanon.UsageError) as caught:
        release.recoding.apply(pl.DataFrame(later))
    assert (caught.value.code, [c.name for c in caught.value.columns]) == ("no-role", ["new"])
    dropped = kanon.anonymize(pl.DataFrame(table), **OPTIONS).recoding
    assert "new" not in dropped.apply(pl.DataFrame(later)).to_polars().columns


def test_what_does_not_hold_is_withheld() -> None:
    recoding = kanon.anonymize(pl.DataFrame(people()), **OPTIONS).recoding
    with pytest.raises(kanon.WithheldError, match="at risk"):
        recoding.apply(pl.DataFrame(people(3)))


def test_sql_gives_the_same_rows_in_duckdb() -> None:
    release = kanon.anonymize(pl.DataFrame(people()), **OPTIONS)
    table = pl.DataFrame(people())  # noqa: F841 - DuckDB finds it by its name
    made = duckdb.sql(release.recoding.sql("table")).pl()
    expected = release.to_polars().select(pl.col("age", "sex", "city").cast(pl.String))
    assert made.equals(expected)


def test_local_recoding_has_none() -> None:
    release = kanon.anonymize(pl.DataFrame(people()), **{**OPTIONS, "method": "mondrian", "hierarchies": None})
    with pytest.raises(kanon.UsageError) as caught:
        _ = release.recoding
    assert caught.value.parameter == "method"


def test_items() -> None:
    baskets = [["bread", "milk"], ["bread"], ["milk"], ["bread", "milk"], ["wine"], ["beer"]] * 3
    groups = {"bread": "food", "milk": "food", "wine": "drinks", "beer": "drinks", "gin": "drinks"}
    release = kanon.anonymize(
        pl.DataFrame({"items": baskets}), qi="items", guarantee="km-anonymity", k=5, m=2, hierarchies={"items": groups}
    )
    made = release.recoding.apply(pl.DataFrame({"items": [["gin"], ["beer", "wine"]] * 3 + [["bread"]] * 6}))
    assert [list(map(str, row)) for row in made.data["items"].to_list()] == [["drinks"], ["drinks"]] * 3 + [
        ["bread"]
    ] * 6


def test_same_bytes_as_the_command_on_adult(adult: Path, command: str, tmp_path: Path) -> None:
    qi = "sex,age,race,marital-status,education,native-country,workclass,occupation"
    kept = tmp_path / "recoding.json"
    subprocess.run(
        [command, "anonymize", adult / "adult.csv.zst", "--separator", ";", "--qi", qi, "--keep-rest", "--hierarchies",
         adult / "hierarchies", "--k", "5", "--method", "flash", "--suppression", "0.02", "-o", tmp_path / "out.csv",
         "--recoding", kept, "--quiet"],
        check=True,
    )  # fmt: skip
    text = subprocess.run(["zstd", "-dc", adult / "adult.csv.zst"], capture_output=True, check=True).stdout
    df = pl.read_csv(text, separator=";")
    release = kanon.anonymize(
        df, qi=qi.split(","), rest="keep", hierarchies=adult / "hierarchies", k=5, method="flash", suppression=0.02
    )
    assert release.recoding.json() == kept.read_text()
    written = pl.read_csv(tmp_path / "out.csv", separator=";", infer_schema=False)
    assert len(df) > len(written)  # some rows are left out
    assert release.to_polars().select(pl.all().cast(pl.String)).equals(written)  # the others in the same order


def test_same_bytes_as_the_command_on_baskets(adult: Path, command: str, tmp_path: Path) -> None:
    sets = adult.parent / "sets"
    kept = tmp_path / "recoding.json"
    options = ["--guarantee", "km-anonymity", "--k", "5", "--m", "2", "--method", "apriori", "--quiet"]
    hierarchy = sets / "bms-webview-2.hierarchy.csv"
    subprocess.run(
        [command, "anonymize", sets / "bms-webview-2.dat.zst", "--hierarchy", f"items={hierarchy}", *options,
         "-o", tmp_path / "out.dat", "--recoding", kept],
        check=True,
    )  # fmt: skip
    text = subprocess.run(["zstd", "-dc", sets / "bms-webview-2.dat.zst"], capture_output=True, check=True, text=True)
    baskets = [line.split() for line in text.stdout.splitlines()]
    release = kanon.anonymize(
        pl.DataFrame({"items": baskets}), qi="items", guarantee="km-anonymity", k=5, m=2, method="apriori",
        hierarchies={"items": hierarchy},
    )  # fmt: skip
    assert release.recoding.json() == kept.read_text()
    written = [sorted(line.split()) for line in (tmp_path / "out.dat").read_text().splitlines()]
    assert [sorted(map(str, row)) for row in release.to_polars()["items"].to_list()] == written
