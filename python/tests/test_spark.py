"""Releases that Spark makes, with executors that are processes of their own."""

from __future__ import annotations

import os
import shutil
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pyarrow as pa
import pytest
from conftest import people

import kanon
import kanon.spark
from kanon import _engine

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


def rows(table: Any) -> Counter[tuple[str, ...]]:
    return Counter(tuple("" if v is None else str(v) for v in row.values()) for row in pa.table(table).to_pylist())


def test_gives_what_memory_gives(spark: Any, frame: Any, tmp_path: Path) -> None:
    options = {**OPTIONS, "guarantee": ["k-anonymity", "l-diversity"], "l": 2, "suppression": 0.1}
    out = str(tmp_path / "public")
    release = kanon.spark.anonymize(frame, out, **options)
    whole = kanon.anonymize(frame.toArrow(), method="flash", **options)
    assert release.recoding.json() == whole.recoding.json()
    public = spark.read.parquet(out)
    assert rows(public.toArrow()) == rows(whole.to_arrow())
    assert release.measures["utility"]["loss"] == whole.report["utility"]["loss"]
    assert kanon.spark.check(public, qi=["age", "sex"], k=5)["satisfied"]
    assert not kanon.spark.check(frame, qi=["age", "sex"], k=20)["satisfied"]
    assert os.listdir(tmp_path) == ["public"]
    with pytest.raises(kanon.UsageError, match="already"):
        kanon.spark.anonymize(frame, out, **options)


def test_columns_without_a_role_are_refused(frame: Any, tmp_path: Path) -> None:
    with pytest.raises(kanon.UsageError) as caught:
        kanon.spark.anonymize(frame, str(tmp_path / "public"), qi=["age", "sex"], sensitive="illness", k=5)
    assert {c.name for c in caught.value.columns} == {"name", "city"}
    assert os.listdir(tmp_path) == []


@pytest.mark.parametrize("fault", ["a value is lost", "writing fails"])
def test_what_was_written_wrongly_is_withheld(
    frame: Any, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, fault: str
) -> None:
    write = kanon.spark._Spark.write

    def broken(self: Any, plan: _engine.Plan) -> None:
        lost = {"age": plan.texts["age"].slice(1)} if fault == "a value is lost" else {}
        write(self, _engine.Plan(plan.columns, {**plan.texts, **lost}, plan.suppressed))
        if fault == "writing fails":
            raise OSError("no space left")

    monkeypatch.setattr(kanon.spark._Spark, "write", broken)
    with pytest.raises((kanon.WithheldError, OSError)):
        kanon.spark.anonymize(frame, str(tmp_path / "public"), **OPTIONS)
    assert os.listdir(tmp_path) == []
