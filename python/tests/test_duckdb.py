"""Releases that DuckDB makes: the same as the command makes, checked before they have their name."""

from __future__ import annotations

import os
import re
import signal
import subprocess
import sys
from collections import Counter
from pathlib import Path

import duckdb
import pyarrow as pa
import pytest
from conftest import people, run

import kanon
import kanon.duckdb
from kanon import _engine

AGES = {str(a): [f"{a // 10 * 10}-{a // 10 * 10 + 9}", "adult"] for a in range(20, 90)}
OPTIONS = {
    "qi": ["age", "sex"], "sensitive": "illness", "keep": ["city"], "drop": ["name"], "k": 5,
    "hierarchies": {"age": AGES},
}  # fmt: skip


@pytest.fixture
def con() -> duckdb.DuckDBPyConnection:
    made = duckdb.connect()
    source = pa.table(people(400))  # noqa: F841 - DuckDB finds it by its name
    made.execute("CREATE TABLE people AS SELECT * FROM source").fetchall()
    return made


def rows(relation: duckdb.DuckDBPyRelation) -> Counter[tuple[str, ...]]:
    return Counter(tuple("" if v is None else str(v) for v in row) for row in relation.fetchall())


def same_as_in_memory(con: duckdb.DuckDBPyConnection, table: str, **options: object) -> kanon.duckdb.EngineRelease:
    """Both releases have the same recoding and the same rows."""
    release = kanon.duckdb.anonymize(con, table, f"{table}_public", **options)
    whole = kanon.anonymize(con.table(table).to_arrow_table(), method="flash", **options)
    assert release.recoding.json() == whole.recoding.json()
    memory = whole.to_arrow()  # noqa: F841
    assert rows(con.table(f"{table}_public")) == rows(con.sql("SELECT * FROM memory"))
    assert release.verdict["achieved"] == whole.report["achieved"]
    assert release.measures["utility"]["loss"] == whole.report["utility"]["loss"]
    assert release.records["out"] == len(whole)
    return release


def test_gives_what_memory_gives(con: duckdb.DuckDBPyConnection) -> None:
    release = same_as_in_memory(con, "people", **OPTIONS)
    assert release.records == {"in": 400, "out": 400, "suppressed": 0}
    assert kanon.duckdb.check(con, "people_public", qi=["age", "sex"], k=5)["satisfied"]
    assert not kanon.duckdb.check(con, "people", qi=["age", "sex"], k=20)["satisfied"]


@pytest.mark.parametrize(
    "extra",
    [
        {"guarantee": ["k-anonymity", "l-diversity"], "l": 3},
        {"guarantee": ["k-anonymity", "t-closeness"], "t": 0.2},
        {"suppression": 0.1},
        {"suppression": 0.3, "objective": "discernibility"},
        {"objective": "classification"},
        {"hierarchies": {}},
    ],
)
def test_other_guarantees_and_objectives(con: duckdb.DuckDBPyConnection, extra: dict[str, object]) -> None:
    con.execute("UPDATE people SET age = NULL WHERE name IN ('p1', 'p2', 'p3', 'p4', 'p5', 'p6')").fetchall()
    con.execute("DELETE FROM people WHERE age > 62 AND sex = 'f' AND name < 'p2'").fetchall()
    same_as_in_memory(con, "people", **{**OPTIONS, **extra})


def test_rows_of_small_classes_are_left_out(con: duckdb.DuckDBPyConnection) -> None:
    con.execute("INSERT INTO people VALUES ('q', 89, 'x', 'Volos', 'flu')").fetchall()
    release = same_as_in_memory(con, "people", **{**OPTIONS, "suppression": 0.02})
    assert release.records["suppressed"] > 0


def test_a_parquet_file(con: duckdb.DuckDBPyConnection, tmp_path: Path) -> None:
    out = tmp_path / "public.parquet"
    kanon.duckdb.anonymize(con, con.sql("SELECT * FROM people"), str(out), **OPTIONS)
    kanon.duckdb.anonymize(con, "people", "same", **OPTIONS)
    assert rows(con.read_parquet(str(out))) == rows(con.table("same"))
    assert os.listdir(tmp_path) == ["public.parquet"]


def test_columns_without_a_role_are_refused(con: duckdb.DuckDBPyConnection) -> None:
    with pytest.raises(kanon.UsageError) as caught:
        kanon.duckdb.anonymize(con, "people", "public", qi=["age", "sex"], sensitive="illness", k=5)
    assert {c.name for c in caught.value.columns} == {"name", "city"}
    with pytest.raises(kanon.UsageError, match="single people out"):
        kanon.duckdb.anonymize(con, "people", "public", **{**OPTIONS, "keep": ["name", "city"], "drop": None})
    with pytest.raises(kanon.UsageError, match="agee"):
        kanon.duckdb.anonymize(con, "people", "public", **{**OPTIONS, "qi": ["agee", "sex"]})
    assert [t for (t,) in con.sql("SHOW TABLES").fetchall()] == ["people"]


def test_kept_columns_are_judged_by_all_rows(con: duckdb.DuckDBPyConnection, monkeypatch: pytest.MonkeyPatch) -> None:
    """The first rows share one value, the rest do not."""
    monkeypatch.setattr(_engine, "SAMPLED", 50)
    con.execute("CREATE VIEW late AS SELECT * REPLACE (CASE WHEN substr(name, 2)::INT < 60 THEN 'Volos' ELSE name END "
                "AS city) FROM people").fetchall()  # fmt: skip
    with pytest.raises(kanon.UsageError, match="340 of 400") as caught:
        kanon.duckdb.anonymize(con, "late", "public", **OPTIONS)
    assert (caught.value.code, caught.value.column) == ("singles-out", "city")
    kanon.duckdb.anonymize(con, "late", "public", allow_unique=["city"], **OPTIONS)


@pytest.mark.parametrize(
    "extra",
    [{"method": "mondrian"}, {"suppressed": "starred"}, {"shuffle": True}, {"items": ["city"]}, {"rest": "suggested"}],
)
def test_what_does_not_run_here_is_refused(con: duckdb.DuckDBPyConnection, extra: dict[str, object]) -> None:
    with pytest.raises(kanon.UsageError):
        kanon.duckdb.anonymize(con, "people", "public", **{**OPTIONS, **extra})


def test_the_page_about_engines() -> None:
    page = (Path(__file__).parents[2] / "docs" / "engines.md").read_text()
    (block,) = re.findall(r"```python\n(.*?)```", page, re.DOTALL)
    names: dict[str, object] = {}
    exec(compile(block, "engines.md", "exec"), names)
    assert names["release"].verdict["satisfied"]  # type: ignore[attr-defined]


def test_a_name_that_is_taken_is_refused(con: duckdb.DuckDBPyConnection) -> None:
    with pytest.raises(kanon.UsageError, match="already"):
        kanon.duckdb.anonymize(con, "people", "people", **OPTIONS)


def test_too_many_classes_are_refused(con: duckdb.DuckDBPyConnection) -> None:
    with pytest.raises(kanon.InfeasibleError, match="classes"):
        kanon.duckdb.anonymize(con, "people", "public", most_classes=10, **OPTIONS)


@pytest.mark.parametrize("output", ["public", "{folder}/public.parquet"])
@pytest.mark.parametrize("fault", ["a value is lost", "a value is changed", "writing fails"])
def test_what_was_written_wrongly_is_withheld(
    con: duckdb.DuckDBPyConnection, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, output: str, fault: str
) -> None:
    write = kanon.duckdb._DuckDB.write

    def broken(self: kanon.duckdb._DuckDB, plan: _engine.Plan) -> None:
        texts = plan.texts["age"]
        if fault == "a value is lost":
            texts = texts.slice(1)
        elif fault == "a value is changed":
            other = pa.array(["20-29 ", *texts["text"].to_pylist()[1:]], texts.schema.field("text").type)
            texts = texts.set_column(1, "text", other)
        write(self, _engine.Plan(plan.columns, {**plan.texts, "age": texts}, plan.suppressed))
        if fault == "writing fails":
            raise OSError("no space left")

    monkeypatch.setattr(kanon.duckdb._DuckDB, "write", broken)
    with pytest.raises((kanon.WithheldError, OSError)):
        kanon.duckdb.anonymize(con, "people", output.format(folder=tmp_path), **OPTIONS)
    assert os.listdir(tmp_path) == []
    assert [t for (t,) in con.sql("SHOW ALL TABLES").select("name").fetchall()] == ["people"]


KILLED = """
import os, signal, sys, duckdb, kanon.duckdb
con = duckdb.connect(sys.argv[1])
kanon.duckdb._DuckDB.publish = lambda self: os.kill(os.getpid(), signal.SIGKILL)
kanon.duckdb.anonymize(con, "people", sys.argv[2], qi=["age", "sex"], rest="drop", k=5)
"""


@pytest.mark.parametrize("output", ["public", "public.parquet"])
def test_a_killed_driver_leaves_no_release(tmp_path: Path, output: str) -> None:
    source = pa.table(people(400))  # noqa: F841
    with duckdb.connect(str(tmp_path / "people.db")) as con:
        con.execute("CREATE TABLE people AS SELECT * FROM source").fetchall()
    done = subprocess.run([sys.executable, "-c", KILLED, "people.db", output], cwd=tmp_path, check=False)
    assert done.returncode == -signal.SIGKILL
    with duckdb.connect(str(tmp_path / "people.db")) as con:
        assert [t for (t,) in con.sql("SHOW TABLES").fetchall()] == ["people"]
    assert not (tmp_path / "public.parquet").exists()


def test_adult_as_the_command_makes_it(adult: Path, command: str, tmp_path: Path) -> None:
    qi = ["age", "sex", "race", "marital-status", "education", "native-country", "workclass"]
    arguments = ["--qi", ",".join(qi), "--sensitive", "occupation", "--drop-rest", "--k", "5", "--suppression", "0.02"]
    done = run(
        command, "anonymize", adult / "adult.csv.zst", "-o", tmp_path / "command.csv", "--method", "flash",
        "--hierarchies", adult / "hierarchies", "--recoding", tmp_path / "recoding.json", *arguments,
    )  # fmt: skip
    assert done.returncode == 0, done.stderr
    con = duckdb.connect()
    columns = con.read_csv(str(adult / "adult.csv.zst"), all_varchar=False)
    columns.create("adult")
    release = kanon.duckdb.anonymize(
        con, "adult", "public", qi=qi, sensitive="occupation", rest="drop", k=5, suppression=0.02,
        hierarchies=adult / "hierarchies",
    )  # fmt: skip
    assert release.recoding.json() == (tmp_path / "recoding.json").read_text()
    assert rows(con.table("public")) == rows(con.read_csv(str(tmp_path / "command.csv"), all_varchar=True))
