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
import numpy as np
import pyarrow as pa
import pytest
from conftest import (
    Made,
    item_tree,
    own_cells_are_kept,
    people,
    random_baskets,
    rows_of,
    same_when_counted_in_parts,
)
from pyarrow import parquet

import kanon
import kanon.duckdb
from kanon import _engine, _parts

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


def test_cells_of_every_type_are_compared(con: duckdb.DuckDBPyConnection, tmp_path: Path) -> None:
    """A file may hold them in another form; the release is not withheld for that."""
    con.execute(
        """CREATE TABLE typed AS SELECT age, sex, city::ENUM('Athens', 'Patras', 'Volos') AS city,
           age::HUGEINT AS large, age / 7 AS share, (age / 7)::DECIMAL(9, 3) AS price,
           DATE '2020-01-01' + age::INT AS day,
           TIMESTAMP_S '2020-01-01 00:00:01' AS second, TIMESTAMPTZ '2020-01-01 00:00:01+01' AS moment,
           INTERVAL 5 MICROSECONDS AS span, TIMETZ '10:00:00+02' AS clock, {'a': age, 'b': [city]} AS both,
           CASE WHEN age > 40 THEN 'old'::BLOB END AS bytes, uuid() AS number, [age, NULL] AS several FROM people"""
    ).fetchall()
    options = {
        "qi": ["age", "sex"],
        "rest": "keep",
        "allow_unique": ["number", "both"],
        "k": 5,
        "hierarchies": {"age": AGES},
    }
    kanon.duckdb.anonymize(con, "typed", str(tmp_path / "public.parquet"), **options)
    kanon.duckdb.anonymize(con, "typed", "public", **options)


def test_a_parquet_file(con: duckdb.DuckDBPyConnection, tmp_path: Path) -> None:
    out = tmp_path / "public.parquet"
    kanon.duckdb.anonymize(con, con.sql("SELECT * FROM people"), str(out), **OPTIONS)
    kanon.duckdb.anonymize(con, "people", "same", **OPTIONS)
    assert rows(con.read_parquet(str(out))) == rows(con.table("same"))
    assert os.listdir(tmp_path) == ["public.parquet"]


def test_no_type_of_the_release_lists_values_of_rows_that_are_left_out(con: duckdb.DuckDBPyConnection) -> None:
    con.execute("""CREATE TYPE ill AS ENUM ('flu', 'cold', 'asthma', 'none', 'an illness, of ''one'' person')""")
    con.execute("INSERT INTO people VALUES ('q', 89, 'x', 'Volos', 'an illness, of ''one'' person')").fetchall()
    con.execute("""CREATE TABLE typed AS SELECT * REPLACE (illness::ill AS illness),
                   {'a': illness::ill, 'ENUM(''b'')': [illness::ill]} AS both FROM people""").fetchall()
    options = {**OPTIONS, "keep": ["city", "both"], "suppression": 0.02}
    for more in ({}, {"guarantee": ["k-anonymity", "l-diversity"], "l": 2}):
        release = kanon.duckdb.anonymize(con, "typed", f"public{len(more)}", **options, **more)
        assert release.records["suppressed"] > 0
        made = con.table(f"public{len(more)}")
        types = dict(zip(made.columns, map(str, made.types), strict=True))
        assert (types["illness"], types["both"]) == ("VARCHAR", "STRUCT(a VARCHAR, \"ENUM('b')\" VARCHAR[])")
        assert {row["both"]["a"] for row in made.to_arrow_table().to_pylist()} == {"flu", "cold", "asthma", "none"}


def test_what_is_there_is_not_written_over(con: duckdb.DuckDBPyConnection, tmp_path: Path) -> None:
    """Among others the original: it may be read through any view."""
    file = tmp_path / "people.parquet"
    con.execute(f"COPY people TO '{file}'").fetchall()
    before = file.read_bytes()
    for output in (str(file), file, "PEOPLE"):
        with pytest.raises(kanon.UsageError, match="already") as caught:
            kanon.duckdb.anonymize(con, con.read_parquet(str(file)), output, **OPTIONS)
        assert caught.value.parameter == "output"
    assert file.read_bytes() == before
    with pytest.raises(kanon.UsageError, match="neither a name nor a path"):
        kanon.duckdb.anonymize(con, "people", 3, **OPTIONS)


def test_an_open_transaction_is_refused_and_stays_as_it_is(con: duckdb.DuckDBPyConnection, tmp_path: Path) -> None:
    con.begin()
    con.execute("DELETE FROM people WHERE age > 50").fetchall()
    with pytest.raises(kanon.UsageError, match="transaction") as caught:
        kanon.duckdb.anonymize(con, "people", "public", **OPTIONS)
    assert caught.value.parameter == "connection"
    kanon.duckdb.anonymize(con, "people", tmp_path / "public.parquet", **OPTIONS)  # a file needs none
    con.commit()
    kanon.duckdb.anonymize(con, "people", "public", **OPTIONS)
    assert rows(con.read_parquet(str(tmp_path / "public.parquet"))) == rows(con.table("public"))


def test_names_in_any_list(con: duckdb.DuckDBPyConnection) -> None:
    """Arrays of numpy have no truth value, and a generator can be read once."""
    sought = {**OPTIONS, "guarantee": ["k-anonymity", "l-diversity"], "l": 2}
    expected = kanon.duckdb.anonymize(con, "people", "public", **sought).recoding
    for i, listed in enumerate((np.array, tuple, lambda names: (name for name in names))):
        lists = {n: listed(v) for n, v in sought.items() if isinstance(v, list)}
        assert kanon.duckdb.anonymize(con, "people", f"public_{i}", **{**sought, **lists}).recoding == expected
        assert kanon.duckdb.check(con, "public", qi=listed(["age", "sex"]), k=5)["satisfied"]


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


@pytest.mark.parametrize(
    ("most", "extra", "levels"),
    [
        (13, {}, {"age": 1}),
        (5, {"hierarchies": {"age": AGES, "sex": {"f": "person", "m": "person", "x": "person"}}}, {"age": 2}),
        (60, {"guarantee": ["k-anonymity", "l-diversity"], "l": 3, "k": 12}, {"age": 1}),
        (14, {"suppression": 0.05, "k": 7}, {"age": 1}),
    ],
)
def test_too_many_classes_are_grouped_on_higher_levels(
    con: duckdb.DuckDBPyConnection, most: int, extra: dict[str, object], levels: dict[str, int]
) -> None:
    """The release is the one of a search that does not go below those levels."""
    con.execute("UPDATE people SET age = NULL WHERE name < 'p16'").fetchall()
    con.execute("INSERT INTO people SELECT 'q' || i, 89, 'x', 'Volos', 'flu' FROM range(6) t(i)").fetchall()
    options = {**OPTIONS, **extra}
    with pytest.warns(UserWarning, match=f"more than {most} classes"):
        release = kanon.duckdb.anonymize(con, "people", "public", most_classes=most, **options)
    lowest = [f"{c}={level}" for c, level in levels.items()]
    whole = kanon.anonymize(con.table("people").to_arrow_table(), method="flash", lowest=lowest, **options)
    assert release.levels == levels
    assert release.classes <= most
    assert release.recoding.json() == whole.recoding.json()
    assert rows_of(con.table("public").to_arrow_table()) == rows_of(whole.to_arrow())
    assert release.verdict["achieved"] == whole.report["achieved"]
    assert release.measures["utility"]["loss"] == whole.report["utility"]["loss"]
    assert release.records["suppressed"] == (6 if "suppression" in extra else 0)


def test_too_many_classes_on_all_levels_are_refused(con: duckdb.DuckDBPyConnection) -> None:
    options = {**OPTIONS, "guarantee": ["k-anonymity", "l-diversity"], "l": 2}
    with pytest.raises(kanon.InfeasibleError, match="more than 2 classes"):
        kanon.duckdb.anonymize(con, "people", "public", most_classes=2, **options)  # there are four illnesses
    with pytest.raises(kanon.InfeasibleError, match="more than 1 classes"):  # "sex" has no hierarchy
        kanon.duckdb.anonymize(con, "people", "public", most_classes=1, **OPTIONS)
    with pytest.raises(kanon.InfeasibleError, match="more than 10 classes"):
        kanon.duckdb.check(con, "people", qi=["age", "sex"], k=5, most_classes=10)


@pytest.mark.parametrize("output", ["public", "{folder}/public.parquet"])
@pytest.mark.parametrize(
    "fault",
    ["a value is lost", "a value is changed", "a kept cell is changed", "a sensitive cell is lost", "writing fails"],
)
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
        source = self._source
        cell = {
            "a kept cell is changed": "CASE WHEN name = 'p9' THEN 'Athens ' ELSE city END AS city",
            "a sensitive cell is lost": "CASE WHEN name = 'p9' THEN NULL ELSE illness END AS illness",
        }.get(fault)
        if cell:
            self._source = f"(SELECT * REPLACE ({cell}) FROM people)"
        write(self, _engine.Plan(plan.columns, {**plan.texts, "age": texts}, plan.suppressed))
        self._source = source
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


FULL = """
import os, subprocess, sys, duckdb, kanon.duckdb
subprocess.run(["mount", "-t", "tmpfs", "-o", "size=1m", "none", "full"], check=True)
con = duckdb.connect("full/people.db")
people = "SELECT i % 90 AS age, 'f' AS sex, hash(i) AS kept FROM range(20000) t(i)"
con.execute(f"CREATE TABLE people AS {people}").fetchall()
con.execute("CHECKPOINT").fetchall()
try:
    kanon.duckdb.anonymize(con, con.sql("FROM people, range(50)"), sys.argv[1], qi=["age", "sex"], rest="keep", k=5,
                           allow_unique=["kept", "range"])
except Exception as error:
    print(type(error).__name__, str(error)[:60])
    if sys.argv[2] == "reopened":
        con.close()
        con = duckdb.connect("full/people.db")
    left = [f for f in os.listdir("full") if not f.startswith("people.db")]
    print([t for (t,) in con.sql("SHOW ALL TABLES").select("name").fetchall()], left)
"""


@pytest.mark.parametrize(("output", "then"), [("public", "reopened"), ("full/public.parquet", "at once")])
def test_a_full_disk_leaves_no_release(tmp_path: Path, output: str, then: str) -> None:
    alone = ["unshare", "--map-root-user", "--mount"]  # a file system of its own, which no other process sees
    if subprocess.run([*alone, "true"], capture_output=True, check=False).returncode:
        pytest.skip("this machine lets nobody mount a small file system: unshare --map-root-user --mount")
    (tmp_path / "full").mkdir()
    done = subprocess.run(
        [*alone, sys.executable, "-c", FULL, output, then], cwd=tmp_path, capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stderr
    error, left = done.stdout.splitlines()
    assert "space" in error or "write" in error
    assert left == "['people'] []"


@pytest.mark.parametrize("data", ["adult_by_command", "webview_by_command"])
def test_real_tables_as_the_command_makes_them(data: str, request: pytest.FixtureRequest) -> None:
    made = request.getfixturevalue(data)
    con = duckdb.connect()
    release = kanon.duckdb.anonymize(con, con.read_parquet(str(made.original)), "public", **made.options)
    assert release.recoding.json() == made.recoding
    assert rows_of(con.table("public").to_arrow_table()) == made.rows
    kept = ("qi", "items", "guarantee", "k", "m")
    verdict = kanon.duckdb.check(con, "public", **{n: v for n, v in made.options.items() if n in kept})
    assert verdict["satisfied"]
    assert verdict["records"] == sum(made.rows.values())


def test_every_row_keeps_its_own_cells(con: duckdb.DuckDBPyConnection) -> None:
    """The names say whose row it is: kept and sensitive cells are that person's, and the others cover them."""
    options = {**OPTIONS, "keep": ["name", "city"], "drop": None, "allow_unique": ["name"], "suppression": 0.1}
    con.execute("INSERT INTO people VALUES ('q', 89, 'x', NULL, 'flu')").fetchall()
    con.execute("UPDATE people SET illness = NULL WHERE name IN ('p7', 'p8')").fetchall()
    kanon.duckdb.anonymize(con, "people", "public", **options)
    own_cells_are_kept(con.table("people").to_arrow_table(), con.table("public").to_arrow_table(), options)


# ---- item lists ----

GROUPS = {"beer": ["drinks", "*"], "wine": ["drinks", "*"], "bread": ["food", "*"], "milk": ["food", "*"]}
BASKETS = [["bread", "milk"], ["milk", "bread", "milk"], ["wine"], None, [], ["beer", None], ["bread"], ["milk"]]
ITEMS: dict[str, object] = {
    "qi": "items", "items": "items", "keep": "shop", "guarantee": "km-anonymity", "k": 4, "m": 2,
    "hierarchies": {"items": GROUPS},
}  # fmt: skip


@pytest.fixture
def baskets() -> duckdb.DuckDBPyConnection:
    made = duckdb.connect()
    source = pa.table({"items": BASKETS * 3, "shop": ["a", "b"] * 12})  # noqa: F841
    made.execute("CREATE TABLE baskets AS SELECT * FROM source").fetchall()
    return made


@pytest.mark.parametrize("extra", [{}, {"m": 1}, {"m": 3, "subtree": True}, {"k": 9}, {"uncovered": "suppress"}])
def test_items_as_memory_makes_them(baskets: duckdb.DuckDBPyConnection, extra: dict[str, object]) -> None:
    options = {**ITEMS, **extra}
    if "uncovered" in extra:
        options["hierarchies"] = {"items": {k: v for k, v in GROUPS.items() if k != "wine"}}
    release = kanon.duckdb.anonymize(baskets, "baskets", "public", **options)
    whole = kanon.anonymize(baskets.table("baskets").to_arrow_table(), method="apriori", **options)
    assert release.recoding.json() == whole.recoding.json()
    public = baskets.table("public").to_arrow_table()
    assert rows_of(public) == rows_of(whole.to_arrow())
    assert all(row == sorted(row) for row in public["items"].to_pylist())  # the order of the originals is not told
    assert release.verdict["achieved"] == whole.report["achieved"]
    assert release.measures["utility"]["loss"] == pytest.approx(whole.report["utility"]["loss"], rel=1e-12)
    assert release.records == {"in": 24, "out": len(whole), "suppressed": 24 - len(whole)}


def test_items_are_checked(baskets: duckdb.DuckDBPyConnection) -> None:
    options = {"qi": "items", "items": "items", "guarantee": "km-anonymity", "m": 2}
    assert kanon.duckdb.check(baskets, "baskets", k=3, **options)["achieved"] == {"k": 3}
    verdict = kanon.duckdb.check(baskets, "baskets", k=4, **options)
    assert not verdict["satisfied"]
    assert verdict["violations_total"] == 2


@pytest.mark.parametrize(
    ("extra", "said"),
    [
        ({"items": None}, "takes as sets"),
        ({"qi": ["items", "shop"], "keep": None}, "km-anonymity covers the items"),
        ({"method": "lra"}, "works on rows"),
        ({"item_suppression": 0.1}, "item_suppression"),
        ({"guarantee": "k-km-anonymity", "method": None, "qi": ["items", "shop"], "keep": None}, "each record as one"),
    ],
)
def test_items_that_do_not_run_here_are_refused(
    baskets: duckdb.DuckDBPyConnection, extra: dict[str, object], said: str
) -> None:
    with pytest.raises(kanon.UsageError, match=said):
        kanon.duckdb.anonymize(baskets, "baskets", "public", **{**ITEMS, **extra})
    baskets.execute("CREATE TABLE amounts AS SELECT [1.5, 2.5] AS items, 'a' AS shop").fetchall()
    with pytest.raises(kanon.UsageError, match="lists of"):
        kanon.duckdb.check(baskets, "amounts", qi="items", guarantee="km-anonymity", k=2, m=2)


SAMPLED: dict[str, object] = {**ITEMS, "guarantee": "sigma-km-anonymity", "sigma": 0.9, "exact_up_to": 1}


@pytest.mark.parametrize(
    "extra", [{}, {"m": 3, "seed": 4}, {"k": 9}, {"attacker": "person"}, {"runs": 3, "paper": True}]
)
def test_items_are_sampled_as_memory_samples_them(baskets: duckdb.DuckDBPyConnection, extra: dict[str, object]) -> None:
    options = {**SAMPLED, **extra}
    release = kanon.duckdb.anonymize(baskets, "baskets", "public", **options)
    whole = kanon.anonymize(baskets.table("baskets").to_arrow_table(), method="sampling", **options)
    assert release.recoding.json() == whole.recoding.json()
    assert rows_of(baskets.table("public").to_arrow_table()) == rows_of(whole.to_arrow())
    certificates, of_memory = (r["guarantee"][0]["certificates"] for r in (release.verdict, whole.report))
    assert certificates == of_memory
    assert release.verdict["achieved"] == whole.report["achieved"]
    assert release.measures["utility"]["loss"] == pytest.approx(whole.report["utility"]["loss"], rel=1e-12)


def test_items_are_sampled_as_the_command_samples_them(webview_sampled_by_command: Made) -> None:
    made = webview_sampled_by_command
    con = duckdb.connect()
    con.execute(f"CREATE TABLE visits AS SELECT * FROM '{made.original}' ORDER BY hash(visit)").fetchall()
    release = kanon.duckdb.anonymize(con, "visits", "public", **made.options)
    assert release.recoding.json() == made.recoding
    assert rows_of(con.table("public").to_arrow_table()) == made.rows
    other = kanon.duckdb.anonymize(con, "visits", "other", **{**made.options, "seed": 4})
    assert other.recoding.json() != made.recoding

    asked = {n: v for n, v in made.options.items() if n not in ("method", "drop")}
    verdict = kanon.duckdb.check(con, "public", original="visits", **asked)
    assert verdict["satisfied"]
    assert {c["kind"] for g in verdict["guarantee"] for c in g["certificates"]} == {"exact", "sampled"}
    assert not kanon.duckdb.check(con, "visits", original="visits", **asked)["satisfied"]
    assert not kanon.duckdb.check(con, "public", **asked)["satisfied"]  # larger sets cannot be told without it


def test_an_original_that_is_not_looked_at_is_refused(baskets: duckdb.DuckDBPyConnection) -> None:
    with pytest.raises(kanon.UsageError, match="draws from it"):
        kanon.duckdb.check(baskets, "baskets", original="baskets", **{**ITEMS, "keep": None})
    baskets.execute("CREATE TABLE others AS SELECT ['tea'] AS items FROM range(9)").fetchall()
    with pytest.raises(kanon.InputError, match="does not belong to the original"):
        kanon.duckdb.check(baskets, "others", original="baskets", **{**SAMPLED, "keep": None})
    with pytest.raises(kanon.UsageError, match="no column 'items'"):
        kanon.duckdb.check(
            baskets, "baskets", original=baskets.sql("SELECT shop FROM baskets"), **{**SAMPLED, "keep": None}
        )


def test_items_in_parts_give_the_same_verdict() -> None:
    """Item lists too many for the driver are counted in parts."""
    con = duckdb.connect()
    held = 0
    for seed in range(40):
        source = pa.table({"items": pa.array(random_baskets(seed), pa.list_(pa.string()))})  # noqa: F841
        options = {"qi": "items", "items": "items", "guarantee": "km-anonymity", "k": 2 + seed % 3, "m": 1 + seed % 3}
        whole = kanon.duckdb.check(con, con.sql("FROM source"), **options)
        for parts in (1, 2, 5):
            counted = kanon.duckdb.check(con, con.sql("FROM source"), most_classes=1, parts=parts, **options)
            same_when_counted_in_parts(whole, counted)
        held += whole["satisfied"]
    assert 0 < held < 40


def test_items_that_are_not_counted_in_parts_are_refused(baskets: duckdb.DuckDBPyConnection) -> None:
    options = {"qi": "items", "items": "items", "guarantee": "km-anonymity", "k": 2, "most_classes": 1}
    assert kanon.duckdb.check(baskets, "baskets", m=3, **options)["classes"] is None
    with pytest.raises(kanon.InfeasibleError, match="more than 1 classes") as caught:
        kanon.duckdb.check(baskets, "baskets", m=4, **options)
    assert (caught.value.code, caught.value.parameter) == ("infeasible", "most_classes")
    with pytest.raises(kanon.UsageError, match="parts"):
        kanon.duckdb.check(baskets, "baskets", m=2, parts=0, **options)


def test_each_list_keeps_its_own_cells(baskets: duckdb.DuckDBPyConnection) -> None:
    baskets.execute("CREATE TABLE named AS SELECT items, shop, 'v' || rowid AS visit FROM baskets").fetchall()
    options = {**ITEMS, "keep": ["visit", "shop"], "allow_unique": ["visit"]}
    kanon.duckdb.anonymize(baskets, "named", "public", **options)
    before, after = (
        {row["visit"]: row for row in baskets.table(t).to_arrow_table().to_pylist()} for t in ("named", "public")
    )
    assert before.keys() == after.keys()
    assert all(before[v]["shop"] == after[v]["shop"] for v in before)
    for v, row in before.items():
        above = [{item, *GROUPS[item]} for item in row["items"] or () if item is not None]
        assert all(any(public in labels for labels in above) for public in after[v]["items"])
        assert all(labels & set(after[v]["items"]) for labels in above)


def test_too_many_item_lists_are_recoded_as_memory_recodes_them(monkeypatch: pytest.MonkeyPatch) -> None:
    """The driver gets items and rare combinations, and finds the recoding that it finds with the lists."""
    con = duckdb.connect()
    monkeypatch.setattr(_parts, "_MOST_COUNTED", 9)  # several parts
    levels = set()
    for seed in range(12):
        source = pa.table({"items": pa.array(random_baskets(seed, 90), pa.list_(pa.string()))})
        options = {
            "qi": "items", "items": "items", "guarantee": "km-anonymity", "k": (2, 5, 20, 50)[seed % 4],
            "m": 1 + seed % 3, "hierarchies": {"items": item_tree(8)}, "subtree": seed % 5 == 0,
        }  # fmt: skip
        whole = kanon.anonymize(source, method="apriori", **options)
        release = kanon.duckdb.anonymize(
            con, con.sql("FROM source"), f"public_{seed}", most_classes=1, parts=3, **options
        )
        assert release.recoding.json() == whole.recoding.json()
        public = con.table(f"public_{seed}").to_arrow_table()
        assert rows_of(public) == rows_of(whole.to_arrow())
        assert all(row == sorted(row) for row in public["items"].to_pylist())  # the order of the originals is not told
        assert release.classes is None
        assert release.records == {"in": 90, "out": 90, "suppressed": 0}
        assert release.verdict["achieved"] == whole.report["achieved"]
        assert release.measures["utility"]["loss"] == pytest.approx(whole.report["utility"]["loss"], rel=1e-12)
        assert "ul" not in release.measures["utility"]
        levels |= {item[0] for row in public["items"].to_pylist() for item in row}
    assert levels >= {"i", "g"}
    assert levels & {"h", "*"}
    assert not con.sql(
        "SELECT function_name FROM duckdb_functions() WHERE starts_with(function_name, 'kanon')"
    ).fetchall()


def test_too_many_item_lists_as_the_command_recodes_them(webview_by_command: Made, tmp_path: Path) -> None:
    made = webview_by_command
    con = duckdb.connect()
    out = tmp_path / "public.parquet"
    visits = con.read_parquet(str(made.original))
    release = kanon.duckdb.anonymize(con, visits, str(out), most_classes=1000, **made.options)
    assert release.classes is None
    assert release.recoding.json() == made.recoding
    assert rows_of(parquet.read_table(out)) == made.rows


@pytest.mark.parametrize(
    ("extra", "said"),
    [
        ({"m": 4}, "more than 3 classes"),
        ({"method": "sampling", "guarantee": "sigma-km-anonymity", "sigma": 0.9, "m": 2}, "more than 3 classes"),
        ({"uncovered": "suppress"}, "items that the hierarchy lacks"),
        ({"k": 90, "keep": None, "drop": "shop"}, "only 18 records hold any item"),
    ],
)
def test_too_many_item_lists_are_refused(
    baskets: duckdb.DuckDBPyConnection, extra: dict[str, object], said: str
) -> None:
    with pytest.raises(kanon.Error, match=said):
        kanon.duckdb.anonymize(baskets, "baskets", "public", most_classes=3, **{**ITEMS, **extra})
    assert [t for (t,) in baskets.sql("SHOW TABLES").fetchall()] == ["baskets"]


def test_a_count_that_fails_leaves_nothing(baskets: duckdb.DuckDBPyConnection, monkeypatch: pytest.MonkeyPatch) -> None:
    def broken(self: kanon.duckdb._DuckDB, column: str, work: _parts.Parts, written: bool) -> list[bytes]:
        raise KeyboardInterrupt

    monkeypatch.setattr(kanon.duckdb._DuckDB, "count_in_parts", broken)
    with pytest.raises(KeyboardInterrupt):
        kanon.duckdb.anonymize(baskets, "baskets", "public", most_classes=3, **ITEMS)
    assert [t for (t,) in baskets.sql("SHOW TABLES").fetchall()] == ["baskets"]


@pytest.mark.parametrize("fault", ["a basket is lost", "an item is kept", "an item is lost", "a name is rare"])
def test_many_lists_that_were_written_wrongly_are_withheld(
    baskets: duckdb.DuckDBPyConnection, monkeypatch: pytest.MonkeyPatch, fault: str
) -> None:
    write = kanon.duckdb._DuckDB.write

    def broken(self: kanon.duckdb._DuckDB, plan: _engine.Plan) -> None:
        naming = plan.items["items"]
        if fault == "an item is kept":
            naming = _parts.Naming(naming.items, pa.array([[item] for item in naming.items.to_pylist()]))
        if fault == "an item is lost":
            naming = _parts.Naming(naming.items, pa.array([[]] * len(naming.items), pa.list_(pa.string())))
        write(self, _engine.Plan(plan.columns, {}, None, items={"items": naming}))
        if fault == "a basket is lost":
            self._connection.execute(
                f"DELETE FROM {self._temporary} WHERE items = ['drinks'] AND shop = 'a'"
            ).fetchall()
        if fault == "a name is rare":
            bread = f"UPDATE {self._temporary} SET items = ['milk'] WHERE shop = 'a' AND list_contains(items, 'bread')"
            self._connection.execute(bread).fetchall()

    monkeypatch.setattr(kanon.duckdb._DuckDB, "write", broken)
    with pytest.raises(kanon.WithheldError):
        kanon.duckdb.anonymize(baskets, "baskets", "public", most_classes=3, **ITEMS)
    assert [t for (t,) in baskets.sql("SHOW TABLES").fetchall()] == ["baskets"]


@pytest.mark.parametrize("fault", ["a basket is lost", "an item is kept"])
def test_items_that_were_written_wrongly_are_withheld(
    baskets: duckdb.DuckDBPyConnection, monkeypatch: pytest.MonkeyPatch, fault: str
) -> None:
    write = kanon.duckdb._DuckDB.write

    def broken(self: kanon.duckdb._DuckDB, plan: _engine.Plan) -> None:
        texts = plan.texts["items"]
        if fault == "an item is kept":
            texts = pa.table({"value": texts["value"], "text": texts["value"]})
        write(self, _engine.Plan(plan.columns, {"items": texts.slice(fault == "a basket is lost")}, plan.suppressed))

    monkeypatch.setattr(kanon.duckdb._DuckDB, "write", broken)
    with pytest.raises(kanon.WithheldError, match="not what was meant"):
        kanon.duckdb.anonymize(baskets, "baskets", "public", **ITEMS)
    assert [t for (t,) in baskets.sql("SHOW TABLES").fetchall()] == ["baskets"]


@pytest.mark.parametrize("output", ["", "main.public", "public.csv"])
def test_a_table_has_a_plain_name(con: duckdb.DuckDBPyConnection, output: str) -> None:
    """Not the name of a file of another kind, nor a schema before it: DuckDB would take both for a part of the name."""
    with pytest.raises(kanon.UsageError, match="neither the name of a table nor of a Parquet file") as caught:
        kanon.duckdb.anonymize(con, "people", output, qi="age", rest="drop", k=5)
    assert caught.value.parameter == "output"
    assert [t for (t,) in con.sql("SHOW TABLES").fetchall()] == ["people"]


@pytest.mark.parametrize("limit", ["most_classes", "parts"])
@pytest.mark.parametrize("value", [0, -1, 1.5, "many", None, True])
def test_limits_are_whole_numbers(con: duckdb.DuckDBPyConnection, limit: str, value: object) -> None:
    with pytest.raises(kanon.UsageError, match=f"{limit} is .*: give a whole number from 1") as caught:
        kanon.duckdb.check(con, "people", qi="age", k=5, **{limit: value})
    assert caught.value.parameter == limit


def test_a_misspelt_keyword_is_no_setting(con: duckdb.DuckDBPyConnection) -> None:
    with pytest.raises(TypeError, match="did you mean 'suppression'"):
        kanon.duckdb.anonymize(con, "people", "public", qi="age", rest="drop", k=5, supression=0.1)
    with pytest.raises(kanon.UsageError, match="shuffle is not for tables that an engine holds"):
        kanon.duckdb.anonymize(con, "people", "public", qi="age", rest="drop", k=5, shuffle=True)


def test_what_is_given_wrongly_is_said(con: duckdb.DuckDBPyConnection) -> None:
    """A relation of another connection, hierarchies of no column, a frame, a path: said before anything is made."""
    other = duckdb.connect().sql("SELECT i % 5 AS age FROM range(40) t(i)")
    with pytest.raises(kanon.UsageError, match="another connection"):
        kanon.duckdb.anonymize(con, other, "public", qi="age", k=5)
    with pytest.raises(kanon.UsageError, match="did you mean 'age'") as caught:
        kanon.duckdb.anonymize(con, "people", "public", qi="age", rest="drop", k=5, hierarchies={"aeg": {"20": "x"}})
    assert caught.value.column == "aeg"
    with pytest.raises(kanon.UsageError, match="no connection"):
        kanon.duckdb.anonymize("people.db", "people", "public", qi="age", k=5)
    with pytest.raises(kanon.UsageError, match="neither the name of a table nor a relation"):
        kanon.duckdb.anonymize(con, pa.table({"age": [1]}), "public", qi="age", k=5)
    with pytest.raises(kanon.InputError) as empty:
        kanon.duckdb.anonymize(con, con.sql("SELECT 1 AS age WHERE false"), "public", qi="age", k=5)
    assert empty.value.code == "no-records"
    with pytest.raises(kanon.UsageError, match="no column is a quasi-identifier") as nothing:
        kanon.duckdb.anonymize(con, "people", "public", rest="drop", k=5)
    assert (nothing.value.code, nothing.value.parameter) == ("parameter", "qi")
    with pytest.raises(kanon.UsageError, match="qi must be a text or a list of texts"):
        kanon.duckdb.check(con, "people", qi=3, k=5)
    with pytest.raises(kanon.UsageError, match="no column is a quasi-identifier") as nothing:
        kanon.duckdb.check(con, "people", k=5)
    assert (nothing.value.code, nothing.value.parameter) == ("parameter", "qi")
    assert con.sql("SELECT view_name FROM duckdb_views() WHERE view_name LIKE 'kanon%'").fetchall() == []
