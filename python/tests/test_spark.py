"""Releases that Spark makes, with executors that are processes of their own."""

from __future__ import annotations

import contextlib
import os
import re
import shutil
import signal
import subprocess
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

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

import kanon
import kanon.spark
from kanon import _engine, _parts, _second

pytest.importorskip("pyspark", reason="pyspark is not in this environment: python.spark has it")

LEAN = "-XX:TieredStopAtLevel=1 -XX:+UseSerialGC"
AGES = {str(a): [f"{a // 10 * 10}-{a // 10 * 10 + 9}", "adult"] for a in range(20, 90)}
OPTIONS: dict[str, Any] = {
    "qi": ["age", "sex"], "sensitive": "illness", "keep": ["city"], "drop": ["name"], "k": 5,
    "hierarchies": {"age": AGES},
}  # fmt: skip


@pytest.fixture(scope="module")
def spark(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Any]:
    if not os.environ.get("JAVA_HOME") and not shutil.which("java"):
        pytest.skip("there is no Java runtime, and run.sh could not get one")
    from pyspark.sql import SparkSession

    os.environ.setdefault("PYSPARK_PYTHON", sys.executable)  # the executors have the libraries of this environment
    folder = tmp_path_factory.mktemp("spark")
    session = (
        SparkSession.builder.master(os.environ.get("KN_SPARK_MASTER", "local-cluster[2,1,1024]"))
        .config("spark.ui.enabled", "false")
        .config("spark.driver.host", "127.0.0.1")
        .config("spark.driver.bindAddress", "127.0.0.1")
        .config("spark.sql.shuffle.partitions", "2")
        .config("spark.driver.extraJavaOptions", LEAN)  # the work is small: starting costs more
        .config("spark.executor.extraJavaOptions", LEAN)
        .config("spark.sql.codegen.wholeStage", "false")
        .config("spark.sql.adaptive.enabled", "false")
        .config("spark.local.dir", str(folder))
        .config("spark.sql.warehouse.dir", str(folder / "warehouse"))
        .getOrCreate()
    )
    session.sparkContext.setLogLevel("ERROR")
    yield session
    session.stop()


@pytest.fixture(scope="module")
def frame(spark: Any) -> Any:
    return spark.createDataFrame(pa.table(people(400))).repartition(2)


def test_gives_what_memory_gives(spark: Any, frame: Any, tmp_path: Path) -> None:
    options = {**OPTIONS, "guarantee": ["k-anonymity", "l-diversity"], "l": 2, "suppression": 0.1}
    out = str(tmp_path / "public")
    release = kanon.spark.anonymize(frame, out, **options)
    whole = kanon.anonymize(frame.toArrow(), method="flash", **options)
    assert release.recoding.json() == whole.recoding.json()
    public = spark.read.parquet(out)
    assert rows_of(public.toArrow()) == rows_of(whole.to_arrow())
    assert release.measures["utility"]["loss"] == whole.report["utility"]["loss"]
    assert kanon.spark.check(public, qi=["age", "sex"], k=5)["satisfied"]
    assert not kanon.spark.check(frame, qi=["age", "sex"], k=20)["satisfied"]
    assert os.listdir(tmp_path) == ["public"]
    with pytest.raises(kanon.UsageError, match="already"):
        kanon.spark.anonymize(frame, out, **options)


@pytest.mark.parametrize("data", ["adult_by_command", "webview_by_command"])
def test_real_tables_as_the_command_makes_them(
    spark: Any, data: str, request: pytest.FixtureRequest, tmp_path: Path
) -> None:
    made = request.getfixturevalue(data)
    out = str(tmp_path / "public")
    release = kanon.spark.anonymize(spark.read.parquet(str(made.original)).repartition(3), out, **made.options)
    assert release.recoding.json() == made.recoding
    public = spark.read.parquet(out)
    assert rows_of(public.toArrow()) == made.rows
    kept = ("qi", "items", "guarantee", "k", "m")
    verdict = kanon.spark.check(public, **{n: v for n, v in made.options.items() if n in kept})
    assert verdict["satisfied"]
    assert verdict["records"] == sum(made.rows.values())


def test_notes_about_columns_are_not_published(spark: Any, frame: Any, tmp_path: Path) -> None:
    """Spark keeps them with columns, also inside of them, and writes them into Parquet: labels of every row, say."""
    from pyspark.sql import functions
    from pyspark.sql.types import ArrayType, MapType, StringType, StructField, StructType

    notes = {"ml_attr": {"vals": ["an illness of one person"]}}
    inner = StructType([StructField("a", StringType(), True, notes)])
    deep = StructType([StructField("l", ArrayType(inner), True, notes), StructField("m", MapType(StringType(), inner))])
    city = functions.col("city")
    part = functions.struct(city.alias("a"))
    noted = frame.withColumn("illness", functions.col("illness").alias("illness", metadata=notes)).withColumn(
        "deep", functions.struct(functions.array(part), functions.create_map(city, part)).cast(deep)
    )
    before = {str(row) for row in noted.select("name", "illness", "deep").collect()}
    out = str(tmp_path / "public")
    options = {**OPTIONS, "keep": ["city", "deep", "name"], "drop": [], "allow_unique": "name"}
    kanon.spark.anonymize(noted, Path(out), **options)
    public = spark.read.parquet(out)
    assert not [file for file in (tmp_path / "public").iterdir() if b"one person" in file.read_bytes()]
    assert "one person" not in public.schema.json()
    assert {str(row) for row in public.select("name", "illness", "deep").collect()} == before


def test_too_many_classes_are_grouped_on_higher_levels(spark: Any, frame: Any, tmp_path: Path) -> None:
    out = str(tmp_path / "public")
    with pytest.warns(UserWarning, match="more than 12 classes"):
        release = kanon.spark.anonymize(frame, out, most_classes=12, **OPTIONS)
    whole = kanon.anonymize(frame.toArrow(), method="flash", lowest=["age=1"], **OPTIONS)
    assert release.levels == {"age": 1}
    assert release.recoding.json() == whole.recoding.json()
    assert rows_of(spark.read.parquet(out).toArrow()) == rows_of(whole.to_arrow())


def test_items_are_sampled_however_they_are_partitioned(
    spark: Any, webview_sampled_by_command: Made, tmp_path: Path
) -> None:
    made = webview_sampled_by_command
    visits = spark.read.parquet(str(made.original))
    for parts in (1, 5):
        out = str(tmp_path / f"public_{parts}")
        release = kanon.spark.anonymize(visits.repartition(parts, "visit"), out, **made.options)
        assert release.recoding.json() == made.recoding
    assert rows_of(spark.read.parquet(out).toArrow()) == made.rows
    asked = {n: v for n, v in made.options.items() if n not in ("method", "drop")}
    assert kanon.spark.check(spark.read.parquet(out), original=visits, **asked)["satisfied"]


def test_items_in_parts_give_the_same_verdict(spark: Any) -> None:
    """Executors count item lists too many for the driver, and send it what is too rare."""
    for seed, parts in ((2, 3), (5, 1)):
        source = pa.table({"items": pa.array(random_baskets(seed, 200), pa.list_(pa.string()))})
        frame = spark.createDataFrame(source).repartition(4)
        options = {"qi": "items", "items": "items", "guarantee": "km-anonymity", "k": 5, "m": 3}
        whole = kanon.spark.check(frame, **options)
        counted = kanon.spark.check(frame, most_classes=1, parts=parts, **options)
        same_when_counted_in_parts(whole, counted)
        assert whole["violations_total"] > 0


@pytest.mark.parametrize(("seed", "k", "m"), [(3, 6, 2), (7, 12, 3)])
def test_too_many_item_lists_are_recoded_as_memory_recodes_them(
    spark: Any, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, seed: int, k: int, m: int
) -> None:
    """Executors count what the driver asks: it finds the recoding that it finds with the lists."""
    monkeypatch.setattr(_parts, "_MOST_COUNTED", 9)  # several parts
    lists = random_baskets(seed, 200)
    source = pa.table({"visit": range(200), "items": pa.array(lists, pa.list_(pa.string()))})
    options = {
        "qi": "items", "items": "items", "keep": "visit", "allow_unique": ["visit"], "guarantee": "km-anonymity",
        "k": k, "m": m, "hierarchies": {"items": item_tree(8)},
    }  # fmt: skip
    out = str(tmp_path / "public")
    frame = spark.createDataFrame(source).repartition(4)
    release = kanon.spark.anonymize(frame, out, most_classes=1, parts=3, **options)
    whole = kanon.anonymize(source, method="apriori", **options)
    assert release.recoding.json() == whole.recoding.json()
    assert rows_of(spark.read.parquet(out).toArrow()) == rows_of(whole.to_arrow())
    assert release.classes is None
    assert release.records == {"in": 200, "out": 200, "suppressed": 0}
    assert os.listdir(tmp_path) == ["public"]


def test_every_row_keeps_its_own_cells(spark: Any, tmp_path: Path) -> None:
    """The names say whose row it is: kept and sensitive cells are that person's, and the others cover them."""
    columns = people(400)
    for column, value in {"name": "q", "age": 89, "sex": "x", "city": None, "illness": None}.items():
        columns[column].append(value)
    original = pa.table(columns)
    options = {**OPTIONS, "keep": ["name", "city"], "drop": None, "allow_unique": ["name"], "suppression": 0.1}
    kanon.spark.anonymize(spark.createDataFrame(original).repartition(3), str(tmp_path / "public"), **options)
    own_cells_are_kept(original, spark.read.parquet(str(tmp_path / "public")).toArrow(), options)


def test_columns_without_a_role_are_refused(frame: Any, tmp_path: Path) -> None:
    with pytest.raises(kanon.UsageError) as caught:
        kanon.spark.anonymize(frame, str(tmp_path / "public"), qi=["age", "sex"], sensitive="illness", k=5)
    assert {c.name for c in caught.value.columns} == {"name", "city"}
    assert os.listdir(tmp_path) == []


def test_what_is_given_wrongly_is_said(frame: Any, tmp_path: Path) -> None:
    """Before anything is made: misspelt columns, and names that Spark does not tell apart."""
    from pyspark.sql import functions

    for roles in ({"qi": "aeg"}, {"qi": "age", "sensitive": "ilness"}):
        meant = "illness" if "sensitive" in roles else "age"
        with pytest.raises(kanon.UsageError, match=f"did you mean '{meant}'") as caught:
            kanon.spark.anonymize(frame, str(tmp_path / "public"), rest="drop", k=5, **roles)
        assert caught.value.code == "no-column"
        with pytest.raises(kanon.UsageError, match=f"did you mean '{meant}'"):
            kanon.spark.check(frame, k=5, **roles)
    alike = frame.select("age", functions.col("sex").alias("AGE"))
    with pytest.raises(kanon.InputError, match="'age' and 'AGE' differ by case only") as twice:
        kanon.spark.anonymize(alike, str(tmp_path / "public"), qi="age", rest="drop", k=5)
    assert (twice.value.code, twice.value.column) == ("duplicate-column", "AGE")
    with pytest.raises(kanon.UsageError, match="output is empty"):
        kanon.spark.anonymize(frame, "", qi="age", rest="drop", k=5)
    assert os.listdir(tmp_path) == []


def changed(frame: Any, column: str, to: str) -> Any:
    """The rows with another value of a column where the name is p9."""
    from pyspark.sql import functions

    return frame.withColumn(column, functions.expr(f"CASE WHEN name = 'p9' THEN {to} ELSE {column} END"))


@pytest.mark.parametrize("fault", ["a value is lost", "a kept cell is changed", "writing fails"])
def test_what_was_written_wrongly_is_withheld(
    frame: Any, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, fault: str
) -> None:
    write = kanon.spark._Spark.write

    def broken(self: Any, plan: _engine.Plan) -> None:
        lost = {"age": plan.texts["age"].slice(1)} if fault == "a value is lost" else {}
        self._frame = changed(frame, "city", "NULL") if fault == "a kept cell is changed" else frame
        write(self, _engine.Plan(plan.columns, {**plan.texts, **lost}, plan.suppressed))
        if fault == "writing fails":
            raise OSError("no space left")

    monkeypatch.setattr(kanon.spark._Spark, "write", broken)
    with pytest.raises((kanon.WithheldError, OSError)):
        kanon.spark.anonymize(frame, str(tmp_path / "public"), **OPTIONS)
    assert os.listdir(tmp_path) == []


@pytest.fixture(scope="module")
def baskets(spark: Any) -> Any:
    lists = pa.array(random_baskets(6, 200), pa.list_(pa.string()))
    return spark.createDataFrame(pa.table({"name": [f"p{i}" for i in range(200)], "items": lists})).repartition(3)


def test_many_lists_that_were_written_wrongly_are_withheld(
    baskets: Any, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """One person's list is another one: the items and the number of rows are those that were meant."""
    write = kanon.spark._Spark.write

    def broken(self: Any, plan: _engine.Plan) -> None:
        self._frame = changed(baskets, "items", "array('i0', 'i1', 'i2')")
        write(self, plan)
        self._frame = baskets

    monkeypatch.setattr(kanon.spark._Spark, "write", broken)
    options = {
        "qi": "items", "items": "items", "keep": "name", "allow_unique": ["name"], "guarantee": "km-anonymity", "k": 3,
        "m": 2, "hierarchies": {"items": item_tree(8)},
    }  # fmt: skip
    with pytest.raises(kanon.WithheldError, match="not what was meant"):
        kanon.spark.anonymize(baskets, str(tmp_path / "public"), most_classes=1, **options)
    assert os.listdir(tmp_path) == []


def test_supports_are_counted_by_spark(baskets: Any) -> None:
    """Every combination of drawn lists has the support that its definition gives."""
    sets = [{item for item in row["items"] or () if item is not None} for row in baskets.toArrow().to_pylist()]
    engine = kanon.spark._Spark(baskets, "")
    supports = {item: sum(item in items for items in sets) for item in set().union(*sets)}
    every = engine.lists_with("items", dict.fromkeys(supports, 1.0), 3, written=False)
    assert {frozenset(items) for items in every} == {frozenset(items) for items in sets if len(items) > 1}
    some = engine.lists_with("items", dict.fromkeys(supports, 0.05), 3, written=False)
    assert 0 < len(some) < len(every)
    chosen = _second.draw(every, supports, 3, 200, 3)
    held = engine.supports("items", _second._table(chosen), written=False)
    assert held == {i: sum(items.issuperset(c) for items in sets) for i, c in enumerate(chosen)}


# ---- an executor, the driver or the disk fails ----


def executors(session: Any) -> list[int]:
    """The processes of the executors that the session's Java process has started."""
    found = []
    for folder in Path("/proc").glob("[0-9]*"):
        with contextlib.suppress(OSError):
            above = int((folder / "stat").read_text().rpartition(")")[2].split()[1])
            command = (folder / "cmdline").read_bytes()
            if above == session.sparkContext._gateway.proc.pid and b"CoarseGrainedExecutorBackend" in command:
                found.append(int(folder.name))
    return found


def die_once(flag: str) -> Callable[[Iterator[Any]], Iterator[Any]]:
    """A function for mapPartitions: the first task that finds the file `flag` kills the executor that runs it."""

    def of(rows: Iterator[Any]) -> Iterator[Any]:
        with contextlib.suppress(FileNotFoundError):
            os.unlink(flag)
            daemon = Path(f"/proc/{os.getppid()}/stat").read_text()
            os.kill(int(daemon.rpartition(")")[2].split()[1]), signal.SIGKILL)
        yield from rows

    return of


@pytest.mark.parametrize("moment", ["count", "write"])
def test_a_killed_executor(
    spark: Any, adult_by_command: Made, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, moment: str
) -> None:
    """Spark does the lost work again: the release is that of the command, or there is none."""
    before = set(executors(spark))
    if not before:
        pytest.skip("the executors are no processes of their own (KN_SPARK_MASTER)")
    flag, out = tmp_path / "flag", tmp_path / "out" / "public"
    out.parent.mkdir()
    original = spark.read.parquet(str(adult_by_command.original)).repartition(2)
    frame = spark.createDataFrame(original.rdd.mapPartitions(die_once(str(flag))), original.schema, verifySchema=False)
    then = getattr(kanon.spark._Spark, moment)
    armed: list[str] = []

    def failing(self: Any, *arguments: Any) -> Any:
        armed.append(moment)
        flag.touch()
        return then(self, *arguments)

    monkeypatch.setattr(kanon.spark._Spark, moment, failing)
    try:
        release = kanon.spark.anonymize(frame, str(out), **adult_by_command.options)
    except Exception as error:
        print("no release:", error)
        assert os.listdir(out.parent) == []
    else:
        assert release.recoding.json() == adult_by_command.recoding
        assert rows_of(spark.read.parquet(str(out)).toArrow()) == adult_by_command.rows
        assert os.listdir(out.parent) == ["public"]
    assert armed
    assert not flag.exists()  # a task found it
    assert before - set(executors(spark))  # and its executor is gone


FAILING = """
import json, os, signal, subprocess, sys
import pyarrow as pa, kanon.spark
from conftest import people
from pyspark.sql import SparkSession

session = (SparkSession.builder.master("local[1]").config("spark.ui.enabled", "false")
           .config("spark.driver.host", "127.0.0.1").config("spark.driver.bindAddress", "127.0.0.1")
           .config("spark.sql.shuffle.partitions", "1").config("spark.local.dir", "local")
           .config("spark.driver.extraJavaOptions", "-XX:TieredStopAtLevel=1 -XX:+UseSerialGC").getOrCreate())
session.sparkContext.setLogLevel("OFF")
frame = session.createDataFrame(pa.table(people(400)))
subprocess.run(["mount", "-t", "tmpfs", "-o", "size=4k", "none", "full"], check=True)
try:
    kanon.spark.anonymize(frame, os.path.abspath("full/public"), qi=["age", "sex"], rest="drop", k=5)
except Exception as error:
    print("full disk:", type(error).__name__, os.listdir("full"), flush=True)
kanon.spark._Spark.publish = lambda self: os.kill(os.getpid(), signal.SIGKILL)
kanon.spark.anonymize(frame, os.path.abspath("killed/public"), qi=["age", "sex"], rest="drop", k=5)
"""


def test_a_full_disk_and_a_killed_driver(tmp_path: Path) -> None:
    alone = ["unshare", "--map-root-user", "--mount"]  # a file system of its own, which no other process sees
    if subprocess.run([*alone, "true"], capture_output=True, check=False).returncode:
        pytest.skip("this machine lets nobody mount a small file system: unshare --map-root-user --mount")
    (tmp_path / "full").mkdir()
    (tmp_path / "killed").mkdir()
    path = os.pathsep.join([str(Path(__file__).parent), *sys.path])
    done = subprocess.run(
        [*alone, sys.executable, "-c", FAILING], cwd=tmp_path, env={**os.environ, "PYTHONPATH": path},
        capture_output=True, text=True, check=False,
    )  # fmt: skip
    assert done.returncode in (-signal.SIGKILL, 128 + signal.SIGKILL), done.stderr
    assert re.fullmatch(r"full disk: \w+ \[\]\n", done.stdout), done.stdout
    (left,) = os.listdir(tmp_path / "killed")
    assert left.endswith("-unchecked")
