"""Releases of tables that Spark holds.

import kanon.spark

people = spark.read.parquet("hdfs:///people")
kanon.spark.anonymize(people, "hdfs:///public", qi=["age", "sex"], sensitive="illness", rest="drop", k=5)
kanon.spark.check(spark.read.parquet("hdfs:///public"), qi=["age", "sex"], k=5)
"""

from __future__ import annotations

import os
import secrets
from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any

from . import _asked, _engine
from ._classes import Grouped
from ._engine import EngineRelease, Plan
from ._errors import InputError, SystemFailure, UsageError
from ._frames import _need
from ._parts import Naming, Parts

__all__ = ["EngineRelease", "anonymize", "check"]

_MOST_CLASSES = 2_000_000
_MOST_BROADCAST = 200_000
_SLICE = 100_000


def _column(name: str) -> Any:
    functions = _need("pyspark.sql.functions", "a table that Spark holds")
    return functions.col("`" + name.replace("`", "``") + "`")


def _without_notes(type_: Any) -> Any:
    """A type of Spark without the metadata of its fields: these may say anything about the rows."""
    types = _need("pyspark.sql.types", "a table that Spark holds")
    if isinstance(type_, types.StructType):
        fields = [types.StructField(f.name, _without_notes(f.dataType), f.nullable) for f in type_.fields]
        return types.StructType(fields)
    if isinstance(type_, types.ArrayType):
        return types.ArrayType(_without_notes(type_.elementType), type_.containsNull)
    if isinstance(type_, types.MapType):
        return types.MapType(_without_notes(type_.keyType), _without_notes(type_.valueType), type_.valueContainsNull)
    return type_


def _bare(frame: Any) -> Any:
    """The rows without notes about their columns."""
    shown = []
    for f in frame.schema.fields:
        bare = _without_notes(f.dataType)
        cell = _column(f.name) if bare.json() == f.dataType.json() else _column(f.name).cast(bare)
        shown.append(cell.alias(f.name, metadata={}))
    return frame.select(shown)


def _counter(work: Parts, column: str) -> Callable[[Iterator[Any]], Iterator[Any]]:
    """What an executor does with the rows of a partition, which come as Arrow batches: the counts of every part."""

    def count(batches: Iterator[Any]) -> Iterator[Any]:
        pa = _need("pyarrow", "a table that Spark holds")
        slices = (pa.table({column: pa.chunked_array(lists)}) for lists in _slices(batches))
        for part, counts in enumerate(work.counts(slices, 0, work.parts)):
            yield pa.record_batch({"part": pa.array([part], pa.int32()), "counts": pa.array([counts], pa.binary())})

    return count


def _slices(batches: Iterator[Any]) -> Iterator[list[Any]]:
    """The column of the batches, so many rows together: Spark's batches are small."""
    lists: list[Any] = []
    for batch in batches:
        lists.append(batch.column(0))
        if sum(map(len, lists)) >= _SLICE:
            yield lists
            lists = []
    if lists:
        yield lists


def _merger(work: Parts) -> Callable[[Any], Any]:
    """What an executor does with the counts of one part."""

    def merge(found: Any) -> Any:
        pa = _need("pyarrow", "a table that Spark holds")
        part = found["part"][0].as_py()
        merged = work.merged((counts.as_py() for counts in found["counts"]), part)
        return pa.table({"part": pa.array([part], pa.int32()), "counts": pa.array([merged], pa.binary())})

    return merge


class _Spark:
    """What Spark does: an Engine. Rows are written as a folder of Parquet files, which is renamed."""

    def __init__(self, frame: Any, output: str) -> None:
        self._frame = frame
        self._session = frame.sparkSession
        self._types = {f.name: f.dataType.typeName() for f in frame.schema.fields}
        self._tag = f"kanon_{secrets.token_hex(6)}"
        self._output = output
        self._temporary = f"{output.rstrip('/')}-{self._tag}-unchecked"
        self._started = False

    def columns(self) -> list[str]:
        return list(self._frame.columns)

    def sample(self, rows: int) -> Any:
        return self._frame.limit(rows).toArrow()

    def _key(self, column: str) -> Any:
        """What rows are grouped and joined by: of lists the set of items."""
        functions = _need("pyspark.sql.functions", "a table that Spark holds")
        if self._types[column] != "array":
            return _column(column)
        items = functions.coalesce(_column(column), functions.array()).cast("array<string>")
        return functions.array_sort(functions.array_distinct(functions.array_compact(items)))

    def _hash(self, columns: Sequence[str], *others: Any) -> Any:
        """A hash of the cells of a row, the same of what is read again, and of other expressions.

        Spark's own passes over null, wherever it stands.
        """
        functions = _need("pyspark.sql.functions", "a table that Spark holds")
        cells = []
        for c in columns:
            plain = self._types[c] not in ("array", "struct", "map", "variant")
            cells += [_column(c) if plain else functions.to_json(functions.struct(_column(c))), _column(c).isNull()]
        return functions.xxhash64(functions.lit(0), *others, *cells)

    def _sum(self, hashes: Any) -> Any:
        """The sum of 31 bits of each: over 2^32 rows it has 63."""
        functions = _need("pyspark.sql.functions", "a table that Spark holds")
        return functions.sum(functions.shiftrightunsigned(hashes, 33))

    def _grouped(self, frame: Any, by: Grouped, most: int) -> Any:
        functions = _need("pyspark.sql.functions", "a table that Spark holds")
        made = [functions.count(functions.lit(1)).alias(by.number)]
        if by.cells:
            made.append(self._sum(self._hash(by.cells)).alias(by.sums))
        groups = frame.groupBy(*(self._key(c).alias(c) for c in by.columns)).agg(*made).persist()
        try:
            # Spark's own limit() would bring all groups into one task, and its executor out of memory.
            partition = functions.spark_partition_id()
            sizes = groups.groupBy(partition.alias("partition")).count().toArrow().to_pylist()
            taken: list[int] = []
            number = 0
            for size in sizes:
                if number < most:
                    taken.append(size["partition"])
                    number += size["count"]
            if len(taken) < len(sizes):
                return groups.filter(partition.isin(taken)).toArrow().slice(0, most)
            return groups.toArrow().slice(0, most)
        finally:
            groups.unpersist()

    def count(self, by: Grouped, most: int, labels: Mapping[str, Any]) -> Any:
        columns = [*by.columns, *by.cells]
        frame = self._mapped(self._frame, columns, labels, "label") if labels else self._frame
        return self._grouped(frame, by, most)

    def rare(self, column: str, k: int) -> tuple[int, int]:
        functions = _need("pyspark.sql.functions", "a table that Spark holds")
        sizes = self._frame.groupBy(_column(column)).agg(functions.count(functions.lit(1)).alias("n"))
        below = functions.when(functions.col("n") < k, functions.col("n")).otherwise(0)
        found = sizes.agg(functions.sum(below).alias("rare"), functions.sum("n").alias("all")).toArrow().to_pylist()[0]
        return found["rare"] or 0, found["all"] or 0

    def items(self, column: str, written: bool) -> Any:
        functions = _need("pyspark.sql.functions", "a table that Spark holds")
        each = self._rows(written).select(functions.explode(self._key(column)).alias("item"))
        return each.groupBy("item").agg(functions.count(functions.lit(1)).alias("people")).toArrow()

    def _rows(self, written: bool) -> Any:
        return self._session.read.parquet(self._temporary) if written else self._frame

    def count_in_parts(self, column: str, work: Parts, written: bool) -> list[bytes]:
        """Executors count their rows and merge the counts of a part; what is too rare comes to the driver."""
        schema = "part int, counts binary"
        counts = self._rows(written).select(self._key(column).alias(column)).mapInArrow(_counter(work, column), schema)
        return list(counts.groupBy("part").applyInArrow(_merger(work), schema).toArrow()["counts"].to_pylist())

    def _broadcast(self, table: Any, prefix: str) -> tuple[Any, list[str]]:
        """A small table on every executor, with column names of our own; a large one is left to Spark's joins."""
        functions = _need("pyspark.sql.functions", "a table that Spark holds")
        names = [f"{self._tag}_{prefix}_{i}" for i in range(table.num_columns)]
        made = self._session.createDataFrame(table.rename_columns(names))
        return functions.broadcast(made) if table.num_rows <= _MOST_BROADCAST else made, names

    def _mapped(self, frame: Any, columns: Sequence[str], texts: Mapping[str, Any], prefix: str) -> Any:
        """The rows with each value of the columns of `texts` replaced by its text."""
        shown = {}
        for i, (column, table) in enumerate(texts.items()):
            small, (value, text) = self._broadcast(table.select(["value", "text"]), f"{prefix}_{i}")
            # An inner join: a value that the plan lacks stops the release in the check of what was written.
            frame = frame.join(small, self._key(column).eqNullSafe(_column(value)), "inner")
            shown[column] = _column(text).alias(column)
        return frame.select([shown.get(c, _column(c)) for c in columns])

    def _items_mapped(self, frame: Any, column: str, naming: Naming) -> Any:
        """The rows with the lists of `column` recoded item by item: each different list once, then joined."""
        functions = _need("pyspark.sql.functions", "a table that Spark holds")
        pa = _need("pyarrow", "a table that Spark holds")
        small, (item, names) = self._broadcast(pa.table({"item": naming.items, "names": naming.names}), "item")
        own, of, text = (f"{self._tag}_{name}" for name in ("own", "of", "text"))
        lists = frame.select(self._key(column).alias(own)).distinct()
        each = lists.select(own, functions.explode(own).alias(of)).join(small, _column(of) == _column(item), "left")
        # An item without names would be lost: it stops the release.
        known = functions.coalesce(_column(names), functions.raise_error(functions.lit("an item came later")))
        flat = functions.array_distinct(functions.flatten(functions.collect_list(known)))
        made = each.groupBy(own).agg(functions.array_sort(flat).alias(text))
        joined = frame.join(made, self._key(column).eqNullSafe(_column(own)), "left")
        empty = functions.array().cast("array<string>")
        return joined.withColumn(column, functions.coalesce(_column(text), empty)).drop(own, text)

    def _recoded(self, plan: Plan) -> Any:
        frame = self._mapped(self._frame, plan.columns, plan.labels, "label") if plan.labels else self._frame
        if plan.suppressed is not None:
            small, names = self._broadcast(plan.suppressed, "suppressed")
            same = [
                self._key(c).eqNullSafe(_column(n)) for c, n in zip(plan.suppressed.column_names, names, strict=True)
            ]
            frame = frame.join(small, same, "left_anti")
        for column, naming in plan.items.items():
            frame = self._items_mapped(frame, column, naming)
        return self._mapped(frame, plan.columns, plan.texts, "text")

    def write(self, plan: Plan) -> None:
        self._started = True
        _bare(self._recoded(plan)).write.mode("error").parquet(self._temporary)

    def count_written(self, by: Grouped, most: int) -> Any:
        return self._grouped(self._rows(True), by, most)

    def _sums(self, rows: Any, hashes: Any) -> tuple[int, ...]:
        functions = _need("pyspark.sql.functions", "a table that Spark holds")
        low = self._sum(functions.shiftleft(hashes, 31))
        found = rows.agg(functions.count(functions.lit(1)).alias("n"), self._sum(hashes).alias("h"), low.alias("l"))
        (row,) = found.toArrow().to_pylist()
        return row["n"], row["h"] or 0, row["l"] or 0

    def rows_meant(self, plan: Plan) -> tuple[int, ...]:
        """Rows are numbered, taken apart into items, these joined with their names, and put together again."""
        functions = _need("pyspark.sql.functions", "a table that Spark holds")
        pa = _need("pyarrow", "a table that Spark holds")
        ((column, naming),) = plan.items.items()
        small, (item, names) = self._broadcast(pa.table({"item": naming.items, "names": naming.names}), "again")
        row, of, cells = (f"{self._tag}_{name}" for name in ("row", "each", "cells"))
        others = self._hash([c for c in plan.columns if c != column])
        # The numbers come first: beside explode each item would get one.
        rows = self._frame.select(
            functions.monotonically_increasing_id().alias(row), others.alias(cells), self._key(column).alias(column)
        )
        each = rows.select(row, cells, functions.explode_outer(column).alias(of))
        found = each.join(small, _column(of) == _column(item), "left").groupBy(row)
        flat = functions.array_distinct(functions.flatten(functions.collect_list(_column(names))))
        again = found.agg(functions.array_sort(flat).alias(column), functions.first(cells).alias(cells))
        return self._sums(again, functions.xxhash64(_column(column), _column(cells)))

    def rows_written(self, plan: Plan) -> tuple[int, ...]:
        functions = _need("pyspark.sql.functions", "a table that Spark holds")
        (column,) = plan.items
        others = self._hash([c for c in plan.columns if c != column])
        return self._sums(self._rows(True), functions.xxhash64(_column(column), others))

    def _lists(self, column: str, written: bool) -> Any:
        """The lists, each item once."""
        functions = _need("pyspark.sql.functions", "a table that Spark holds")
        items = functions.array_distinct(functions.array_compact(_column(column).cast("array<string>")))
        return self._rows(written).select(functions.array_sort(items).alias("list"))

    def lists_with(self, column: str, shares: Mapping[str, float], seed: int, written: bool) -> list[list[str]]:
        functions = _need("pyspark.sql.functions", "a table that Spark holds")
        pa = _need("pyarrow", "a table that Spark holds")
        limits = [int(share * (2**53 - 1)) for share in shares.values()]
        table = pa.table({"item": pa.array(shares, pa.string()), "most": pa.array(limits, pa.int64())})
        wanted, (item, most) = self._broadcast(table, "wanted")
        lists = self._lists(column, written).where(functions.size("list") > 1)
        each = lists.select("list", functions.xxhash64("list").alias("h"), functions.explode("list").alias("item"))
        drawn = functions.shiftrightunsigned(functions.xxhash64("h", "item", functions.lit(seed)), 11) <= _column(most)
        found = each.join(wanted, _column("item") == _column(item), "inner").where(drawn).select("list").distinct()
        return list(found.toArrow()["list"].to_pylist())

    def supports(self, column: str, combinations: Any, written: bool) -> dict[int, int]:
        functions = _need("pyspark.sql.functions", "a table that Spark holds")
        asked, (place, item, others) = self._broadcast(combinations, "asked")
        each = self._lists(column, written).select("list", functions.explode("list").alias("item"))
        held = each.join(asked, _column("item") == _column(item), "inner").where(
            functions.size(functions.array_except(_column(others), _column("list"))) == 0
        )
        found = held.groupBy(place).agg(functions.count(functions.lit(1)).alias("n")).toArrow()
        return dict(zip(found[place].to_pylist(), found["n"].to_pylist(), strict=True))

    def _path(self, name: str) -> tuple[Any, Any]:
        """A path of Hadoop, and the file system that it is on."""
        path = self._session._jvm.org.apache.hadoop.fs.Path(name)
        return path, path.getFileSystem(self._session._jsc.hadoopConfiguration())

    def refuse_output(self) -> None:
        """Refuse an output that is there: a rename would put the release inside of it."""
        if not self._output:
            raise UsageError("output is empty: give a folder to be made", code="parameter", parameter="output")
        path, files = self._path(self._output)
        if files.exists(path):
            raise UsageError(
                f"there is '{self._output}' already",
                code="parameter",
                parameter="output",
                remedy="Choose another name.",
            )

    def publish(self) -> None:
        self.refuse_output()
        path, files = self._path(self._temporary)
        if not files.rename(path, self._path(self._output)[0]):
            raise SystemFailure(f"'{self._output}' could not be made: the file system refused to rename")

    def discard(self) -> None:
        if self._started:
            path, files = self._path(self._temporary)
            files.delete(path, True)


def _refuse_frame(frame: Any) -> None:
    if not hasattr(frame, "sparkSession") or not hasattr(frame, "toArrow"):
        raise UsageError(
            f"{type(frame).__module__}.{type(frame).__qualname__} is no data frame of Spark 4 or later", code="type"
        )
    if not hasattr(frame.sparkSession, "_jvm"):
        raise UsageError("Spark Connect is not supported: run this in the driver of the cluster", code="type")
    if frame.sparkSession.conf.get("spark.sql.caseSensitive") != "true":
        seen: dict[str, str] = {}
        for name in frame.columns:
            other = seen.setdefault(name.lower(), name)
            if other != name:
                raise InputError(
                    f"the columns {other!r} and {name!r} differ by case only, and Spark does not tell them apart",
                    code="duplicate-column", column=name,
                    remedy="Rename one of them, or set spark.sql.caseSensitive to true.",
                )  # fmt: skip


def anonymize(
    frame: Any,
    output: str | os.PathLike[str],
    *,
    hierarchies: Any = None,
    most_classes: int = _MOST_CLASSES,
    parts: int = 16,
    **options: Any,
) -> EngineRelease:
    """Publish the rows of `frame` as the folder `output` of Parquet files, with the settings of kanon.anonymize.

    Spark groups and recodes the rows; the classes, at most `most_classes`, come to the driver, where method flash (of
    item lists apriori or sampling) finds the recoding, and go back as small tables for broadcast joins. The rows are
    written to a folder with a temporary name; that is read again, grouped again and checked, and only then renamed. On
    any failure there is no `output`. Item lists of which more than `most_classes` are different are counted by the
    executors, which then need this package, too, in up to so many `parts`: km-anonymity for m up to 3. Settings are
    those of kanon.duckdb.anonymize.
    """
    _refuse_frame(frame)
    name = _asked.name_of(output)
    engine = _Spark(frame, name)
    engine.refuse_output()
    return _engine.anonymize(engine, name, hierarchies, most_classes, options, parts)


def check(
    frame: Any,
    *,
    original: Any = None,
    hierarchies: Any = None,
    most_classes: int = _MOST_CLASSES,
    parts: int = 16,
    **options: Any,
) -> dict[str, Any]:
    """The verdict on `frame`, a release made in any way, as kanon.check gives it.

    Names the columns that an attacker may know (qi) and, where the guarantee is about them, the sensitive ones.
    `original` is the data frame that the release was made of: sigma-km-anonymity draws from it. Item lists of which
    more than `most_classes` are different are counted by the executors, which then need this package, too, in so many
    `parts`: km-anonymity for m up to 3.
    """
    _refuse_frame(frame)
    if original is not None:
        _refuse_frame(original)
    other = None if original is None else _Spark(original, "")
    return _engine.check(_Spark(frame, ""), hierarchies, most_classes, options, other, parts)
