"""Releases of tables that an engine holds: a database, a cluster.

The engine groups the rows by their quasi-identifiers and counts them, the driver (this process) finds the recoding on
the classes, the engine applies it row by row and writes under a temporary name. What was written is read again, grouped
again and checked before it gets its name. An engine is an object with the methods of `Engine`.
"""

from __future__ import annotations

import json
import sys
import warnings
from array import array
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Protocol

from . import _asked, _classes, _frames, _job, _kanon, _parts, _second
from ._api import Recoding
from ._classes import Grouped
from ._errors import InputError, UsageError, WithheldError, call
from ._parts import Naming, Parts

#: Rows in which columns without a role and kept columns that single people out are looked for.
SAMPLED = 200_000


@dataclass(frozen=True)
class Plan:
    """What an engine does with each row."""

    #: The published columns, in the order of the table.
    columns: list[str]
    #: For each quasi-identifier a table with the columns "value" and "text": what becomes of a value. Of item lists
    #: both are lists, the value as `Engine.count` gives it.
    texts: Mapping[str, Any]
    #: The quasi-identifiers of the rows that are left out: a table with their columns; None: no row is.
    suppressed: Any
    #: What columns are replaced by first, as in `texts`, which are then about that: labels of a level of hierarchies.
    labels: Mapping[str, Any] = field(default_factory=dict)
    #: Of columns of lists that are not in `texts`: what becomes of each item; published are the different names, sorted
    items: Mapping[str, Naming] = field(default_factory=dict)


class Engine(Protocol):
    """What an engine can do. Tables that travel are pyarrow tables.

    Columns of lists hold sets of items: wherever rows are grouped or joined by one, its items are texts, each once and
    in order, without nulls; a list that is null is empty.
    """

    def columns(self) -> list[str]:
        """The names of the columns of the rows."""

    def sample(self, rows: int) -> Any:
        """At most so many rows."""

    def count(self, by: Grouped, most: int, labels: Mapping[str, Any]) -> Any:
        """The rows, grouped; at most `most` groups. Columns of `labels` are replaced first, as `Plan.labels` says."""

    def rare(self, column: str, k: int) -> tuple[int, int]:
        """How many rows hold a value of `column` that fewer than `k` rows share, and how many rows there are."""

    def items(self, column: str, written: bool) -> Any:
        """The different items of a column of lists, in "item", and in how many lists each is, in "people".

        With `written`, of what was written.
        """

    def count_in_parts(self, column: str, work: Parts, written: bool) -> list[bytes]:
        """What `Parts.merged` gives of the lists of `column`, for each part. With `written`, of what was written."""

    def lists_with(self, column: str, shares: Mapping[str, float], seed: int, written: bool) -> list[list[str]]:
        """Of the lists of `column` that hold an item of `shares` so large a share, and more items; each list once.

        They are drawn by a hash of the list, the item and the seed, whatever the order of the rows.
        """

    def supports(self, column: str, combinations: Any, written: bool) -> dict[int, int]:
        """How many lists of `column` hold each combination, by its "place"; what no list holds is left out.

        `combinations` is a table with one "item" of each and the "others". The engine counts by a query of its own.
        """

    def rows_meant(self, plan: Plan) -> tuple[int, ...]:
        """The number of rows, and sums of hashes of the rows that `plan.items` make of the originals.

        Found in another way than `write` does it.
        """

    def rows_written(self, plan: Plan) -> tuple[int, ...]:
        """The same of the rows that were written."""

    def write(self, plan: Plan) -> None:
        """Recode the rows, and write them under a temporary name."""

    def count_written(self, by: Grouped, most: int) -> Any:
        """What was written, read again and grouped as `count` does."""

    def publish(self) -> None:
        """Give what was written its name."""

    def discard(self) -> None:
        """Remove what was written. Called after any failure, also of `publish`."""


@dataclass(frozen=True)
class EngineRelease:
    """A release that an engine holds, and that passed its check."""

    #: Where it is: the name of the table or the path.
    output: str
    #: What became of every value, to keep and to apply to the next table.
    recoding: Recoding
    #: Rows that were read, that are published, and that were left out.
    records: dict[str, int]
    #: The verdict on what was read again, as ``kanon.check`` gives it: guarantee, achieved, ...
    verdict: dict[str, Any]
    #: What was lost, by measure, as ``kanon.measure`` gives it.
    measures: dict[str, Any]
    #: Classes that the driver worked on; None: item lists, which were too many for it.
    classes: int | None = field(default=0)
    #: Where there were too many classes of values: on which level of its hierarchy a column was grouped instead.
    levels: Mapping[str, int] = field(default_factory=dict)

    def __repr__(self) -> str:
        achieved = ", ".join(f"{k} = {v:g}" for k, v in self.verdict["achieved"].items())
        return f"<kanon.EngineRelease of {self.records['out']:,} records in {self.output}: {achieved}>"


# ---- tables of classes ----


class _Grouping:
    """Groups rows by values or, where that gives too many classes, by labels of their hierarchies."""

    def __init__(self, engine: Engine, options: Mapping[str, Any], files: Mapping[str, Any], given: Any) -> None:
        self._engine = engine
        self._options = {n: options[n] for n in ("missing", "codes", "uncovered", "type") if options.get(n) is not None}
        self._files = files
        self._given = given

    def _labels(self, pa: Any, values: Any, level: int) -> Any:
        """The label of each value of a column on `level`; None: there is no such level, or it says nothing.

        Found by flash: with k = 1 nothing is generalised beyond its lowest level.
        """
        (column,) = values.column_names
        options = _asked.for_columns({**self._options, "method": "flash", "k": 1}, [column], ())
        files = {
            n: v if n != "hierarchy" else {c: f for c, f in v.items() if c == column} for n, v in self._files.items()
        }
        settings = _job.settings({**options, "lowest": [f"{column}={level}"]}, files)
        ones = array("Q", [1] * values.num_rows).tobytes()
        given = [(c, text) for c, text in self._given if c == column]
        try:
            made = call(_kanon.anonymize_classes, settings, _frames.stream_source(values), ones, given, None, None)
        except UsageError as error:
            if error.parameter != "lowest":
                raise
            return None
        source = _frames.stream_source(values)
        labels = _classes.plain(pa, pa.table(call(_kanon.recode_values, settings, made["recoding"], source)))
        # A missing value stays one on every level, so that the recoding says what becomes of it.
        texts = pa.compute.if_else(pa.compute.is_valid(values[column]), labels[column], None)
        return (
            None
            if {"*"}.issuperset(texts.drop_null().to_pylist())
            else pa.table({"value": values[column], "text": texts})
        )

    def classes(self, pa: Any, qi: Sequence[str], by: Grouped, most: int, in_parts: bool) -> _classes.Classes | None:
        """The classes of the rows: on the lowest levels that give at most `most`, the column with most values first.

        None: there are more item lists, and they can be counted in parts.
        """
        found = self._engine.count(by, most + 1, {})
        if found.num_rows <= most:
            return _classes.Classes(found, found)
        if any(_classes.is_list(pa, t) for t in found.schema.types):
            return None if in_parts else _classes.few(found, most)
        room = max(most, SAMPLED)
        alone = {c: self._engine.count(Grouped([c], by.number), room + 1, {}) for c in qi}
        values = {c: _classes.few(found, room).select([c]) for c, found in alone.items()}
        sizes = {c: values[c].num_rows for c in qi}
        levels: dict[str, int] = {}
        labels: dict[str, Any] = {}
        while found.num_rows > most:
            if max(sizes.values(), default=0) < 2:
                _classes.few(found, most)
            column = max(sizes, key=lambda c: sizes[c])
            above = self._labels(pa, values[column], levels.get(column, 0) + 1)
            if above is None:
                del sizes[column]
                continue
            levels[column] = levels.get(column, 0) + 1
            labels[column] = above
            sizes[column] = len(above["text"].unique())
            found = self._engine.count(by, most + 1, labels)
        return _classes.Classes(found, self._with_values(pa, found, labels), levels, labels)

    def _with_values(self, pa: Any, found: Any, labels: Mapping[str, Any]) -> Any:
        """The classes with one of the values that a label stands for in its place."""
        for column, table in labels.items():
            one = dict(zip(table["text"].to_pylist(), table["value"].to_pylist(), strict=True))
            values = pa.array([one[label] for label in found[column].to_pylist()], table["value"].type)
            found = found.set_column(found.schema.get_field_index(column), column, values)
        return found


def _refuse_lists(pa: Any, schema: Any, qi: Sequence[str], options: Mapping[str, Any]) -> None:
    """Refuse lists that were not named as sets of items: the engine takes them for such."""
    for column in _asked.names(options.get("items")):
        if column not in schema.names or not _classes.is_list(pa, schema.field(column).type):
            raise UsageError(
                f"items names '{column}', which is no column of lists", code="parameter", parameter="items",
                column=column, remedy="Make lists of the texts before, in the engine.",
            )  # fmt: skip
    for column in qi:
        type_ = schema.field(column).type
        if not _classes.is_list(pa, type_):
            continue
        inner = type_.value_type
        if not (pa.types.is_string(inner) or pa.types.is_large_string(inner) or pa.types.is_integer(inner)):
            raise UsageError(
                f"column '{column}' holds lists of {inner}: an engine takes sets of texts or of whole numbers",
                code="type",
                column=column,
            )
        if column not in _asked.names(options.get("items")):
            raise UsageError(
                f"column '{column}' holds lists, which an engine takes as sets: an item counts once in a record",
                code="parameter",
                parameter="items",
                column=column,
                remedy=f"Say so: items=[{column!r}]; for lists in which repeats count, kanon.anonymize has them.",
            )


def _refuse_rare(engine: Engine, kept: Sequence[str], options: Mapping[str, Any]) -> None:
    """Refuse kept columns that single people out in the whole table, where only a part was looked at."""
    k = int(options.get("k") or 5)
    for column in kept:
        rare, rows = engine.rare(column, k)
        if column not in _asked.names(options.get("allow_unique")) and rare > rows // 2:
            raise UsageError(
                f"column '{column}' is kept and can single people out: {rare:,} of {rows:,} records hold a value that "
                f"fewer than {k} share",
                code="singles-out",
                column=column,
                remedy=f"Make it a quasi-identifier (qi=), drop it (drop=), or allow it: allow_unique=[{column!r}].",
            )


def _warn(levels: Mapping[str, int], most: int) -> None:
    on = ", ".join(f"{level} of '{column}'" for column, level in levels.items())
    warnings.warn(
        f"the table has more than {most:,} classes: rows were grouped on level {on}, and no lower level was searched; "
        "raise most_classes to search them all",
        stacklevel=4,
    )


def _verdict(settings: str, given: Any, by: Grouped, release: Any, original: Any, attempt: int) -> _kanon.Counted:
    """What holds for the classes of a release; with those of its `original`, where the guarantee draws from it."""
    values, numbers = _classes.counts(release, by)
    source, of_source = (None, b"") if original is None else _classes.counts(original, by)
    return call(
        _kanon.check_classes, settings, _frames.stream_source(values), numbers, given,
        None if source is None else _frames.stream_source(source), of_source, attempt,
    )  # fmt: skip


# ---- the algorithm ----


def _limits(most_classes: Any, parts: Any) -> tuple[int, int]:
    """Both as whole numbers in their ranges."""
    return _asked.whole("most_classes", most_classes, 1, sys.maxsize - 1), _asked.whole(
        "parts", parts, 1, _parts.MOST_PARTS, "more where memory is short"
    )


def _disagree() -> WithheldError:
    return WithheldError(
        "the first count and the second one disagree: kanon has a fault, and nothing is published",
        remedy="Please report it, with the data if you can.",
    )


def _check_items(engine: Engine, column: str, settings: str, plan: Plan, counter: _parts.Counter, parts: int) -> Any:
    """The verdict on item lists that were written; stops unless they are those that were meant."""
    expected = {name for names in plan.items[column].names.to_pylist() for name in names}
    rows = engine.rows_written(plan)
    if rows[0] != counter.records or rows != engine.rows_meant(plan):
        raise WithheldError("the release was withheld: what was written is not what was meant")
    found = _parts.verdict(
        engine, column, settings, expected, _parts.needed(parts, len(expected), counter.m), written=True
    )
    verdict = json.loads(found["verdict"])
    if found["records"] != counter.records:
        raise _disagree()
    if not verdict["satisfied"]:
        raise WithheldError("the release was withheld: what was written does not satisfy the guarantee")
    return verdict


def _count_again(
    engine: Engine, column: str, options: Mapping[str, Any], verdict: dict[str, Any], records: int, written: bool
) -> dict[str, Any]:
    """The verdict, which says that lists hold what they should, with what a second count went through."""
    (asked,) = verdict["guarantee"]
    least = int(verdict["achieved"].get("k") or asked["k"])
    seed = int(options.get("seed") or 0)
    again = _second.count(engine, column, asked["m"], least, records, seed, written)
    if again is None:
        raise _disagree()
    return {**verdict, "recount": {"words": again.words(), "items": again.items, "combinations": again.combinations}}


def _named_by(recoding: str, items: Sequence[str]) -> list[list[str]]:
    """What each item becomes, read from the file of the recoding; None in it: it is left out."""
    (column,) = json.loads(recoding)["columns"]
    return [[] if column["values"][item] is None else [column["values"][item]] for item in items]


def _anonymize_in_parts(
    engine: Engine, output: str, roles: Sequence[tuple[str, str]], options: Mapping[str, Any],
    files: Mapping[str, Any], given: Any, parts: int,
) -> EngineRelease:  # fmt: skip
    """A release of item lists that are too many for the driver, which gets items and rare combinations."""
    pa = _classes.arrow()
    if options.get("uncovered") == "suppress":
        raise UsageError(
            "lists too many for the driver are published all, also those with items that the hierarchy lacks",
            code="parameter", parameter="uncovered", remedy='Say uncovered="root", or complete the hierarchy.',
        )  # fmt: skip
    column = next(c for c, role in roles if role == "quasi-identifier")
    columns = [c for c, role in roles if role in ("quasi-identifier", "sensitive", "kept")]
    about = _asked.for_columns(options, [column], ())
    settings = _job.settings(about, files)
    counted = engine.items(column, False)
    items = pa.array(counted["item"].to_pylist(), pa.string())
    values = pa.table({column: pa.array([[item] for item in items.to_pylist()], pa.list_(pa.string()))})
    numbers = array("Q", counted["people"].to_pylist()).tobytes()
    counter = _parts.Counter(engine, column, items, parts)
    source = _frames.stream_source(values)
    made = call(_kanon.anonymize_classes, settings, source, numbers, given, None, counter)
    source = _frames.stream_source(values)
    published = pa.table(call(_kanon.recode_values, _job.settings(about, {}), made["recoding"], source))
    naming = Naming(items, _classes.sorted_lists(pa, published[column]))
    if naming.names.to_pylist() != _named_by(made["recoding"], items.to_pylist()):
        raise WithheldError("the release was withheld: what items become is not what the recoding says")
    plan = Plan(columns, {}, None, items={column: naming})
    try:
        engine.write(plan)
        verdict = _check_items(engine, column, settings, plan, counter, parts)
        verdict = _count_again(engine, column, options, verdict, counter.records, written=True)
        engine.publish()
    except BaseException:
        engine.discard()
        raise
    records = {"in": counter.records, "out": counter.records, "suppressed": 0}
    measures = json.loads(made["measures"])
    measures["utility"].pop("ul", None)  # it is about whole lists
    return EngineRelease(output, _recoding(made, options, roles), records, verdict, measures, None)


def _recoding(made: _kanon.Made, options: Mapping[str, Any], roles: Sequence[tuple[str, str]]) -> Recoding:
    """What was done, to keep and to apply to the next table."""
    published = ("quasi-identifier", "sensitive", "kept")
    columns = [{"name": c, "role": role, "published": role in published} for c, role in roles]
    return Recoding(made["recoding"], _job.settings(options, {}), columns)


def anonymize(
    engine: Engine, output: str, hierarchies: Any, most_classes: int, options: Mapping[str, Any], parts: int
) -> EngineRelease:
    """Make a release of the rows of `engine`; kanon.duckdb.anonymize and kanon.spark.anonymize say how."""
    pa = _classes.arrow()
    _asked.refuse_others(options)
    most_classes, parts = _limits(most_classes, parts)
    options = _asked.listed(options)
    asked = _asked.names(options.get("guarantee"))
    method = next((_asked.OF_ITEMS[g] for g in asked if g in _asked.OF_ITEMS), "flash")
    options = {"method": method, **{n: v for n, v in options.items() if v is not None}}
    files, given = _job.hierarchies(hierarchies)
    _frames.refuse_unknown(engine.columns(), (*files.get("hierarchy", ()), *(c for c, _ in given)), "hierarchies")
    sample = engine.sample(SAMPLED)
    if options["method"] not in ("flash", *_asked.OF_ITEMS.values()):
        raise UsageError(
            f"method {options['method']} works on rows, and an engine hands over classes",
            code="parameter",
            parameter="method",
            remedy='Take method="flash", for item lists method="apriori" or "sampling", or kanon.anonymize on a table '
            "in memory.",
        )
    roles = call(_kanon.roles, _job.settings(options, {}), _frames.stream_source(sample))
    schema, rows = sample.schema, sample.num_rows
    del sample
    if rows == SAMPLED:
        _refuse_rare(engine, [c for c, role in roles if role == "kept"], options)
    qi = [c for c, role in roles if role == "quasi-identifier"]
    if not qi:
        raise _asked.no_quasi_identifier()
    _refuse_lists(pa, schema, qi, options)
    sensitive = [c for c, role in roles if role == "sensitive"]
    columns = [c for c, role in roles if role in ("quasi-identifier", "sensitive", "kept")]
    grouped = [*qi, *(sensitive if _asked.needs_values(options) else ())]
    counted = _classes.free_name(grouped, "people")
    cells = [c for c in columns if c not in grouped]
    by = Grouped(grouped, counted, cells, _classes.free_name([*grouped, counted], "cells"))
    in_parts = options["method"] == "apriori" and _goes_in_parts(pa, schema, qi, options)
    classes = _Grouping(engine, options, files, given).classes(pa, qi, by, most_classes, in_parts)
    if classes is None:
        return _anonymize_in_parts(engine, output, roles, options, files, given, parts)
    if classes.counted.num_rows == 0:
        raise InputError("the table has no records", code="no-records")
    about = _asked.for_columns(options, qi, grouped[len(qi) :])
    settings = _job.settings(about, files)
    if classes.levels:
        _warn(classes.levels, most_classes)
        about = {**about, "lowest": [f"{c}={level}" for c, level in classes.levels.items()]}
    values, numbers = _classes.counts(classes.values, by)
    source = _frames.stream_source(values)
    made = call(_kanon.anonymize_classes, _job.settings(about, files), source, numbers, given, None, None)
    recoded = _classes.recode(pa, classes, qi, by, made, _job.settings(_asked.for_columns(options, qi, ()), {}))
    original = classes.values if _asked.SAMPLED_GUARANTEE in asked else None
    how_many, levels, labels = classes.counted.num_rows, classes.levels, classes.labels
    del classes, values, numbers, source  # the engine needs the memory now
    pa.default_memory_pool().release_unused()
    try:
        engine.write(Plan(columns, recoded.texts, recoded.suppressed, labels))
        written = _classes.plain(pa, _classes.few(engine.count_written(by, most_classes + 1), most_classes))
        if not _classes.same_classes(pa, recoded.expected, written, by):
            raise WithheldError("the release was withheld: what was written is not what was meant")
        found = _verdict(settings, given, by, written, original, made["attempt"])
        verdict = json.loads(found["verdict"])
        if not verdict["satisfied"]:
            raise WithheldError("the release was withheld: what was written does not satisfy the guarantee")
        engine.publish()
    except BaseException:
        engine.discard()
        raise
    records = {
        "in": found["records"] + made["suppressed"],
        "out": found["records"],
        "suppressed": made["suppressed"],
    }
    measures = json.loads(made["measures"])
    recoding = _recoding(made, options, roles)
    return EngineRelease(output, recoding, records, verdict, measures, how_many, levels)


def _refuse_original(original: Engine | None, options: Mapping[str, Any], qi: Sequence[str]) -> None:
    """Refuse an original that the guarantee does not look at, or that lacks the column."""
    if original is None:
        return
    if _asked.SAMPLED_GUARANTEE not in _asked.names(options.get("guarantee")):
        raise UsageError(
            f"original is for {_asked.SAMPLED_GUARANTEE}, which draws from it", code="parameter", parameter="original",
            remedy="Leave it out.",
        )  # fmt: skip
    absent = [c for c in qi if c not in original.columns()]
    if absent:
        raise UsageError(f"the original has no column '{absent[0]}'", code="no-column", column=absent[0])
    _refuse_lists(_classes.arrow(), original.sample(0).schema, qi, options)


def _check_in_parts(engine: Engine, column: str, options: Mapping[str, Any], parts: int) -> dict[str, Any]:
    """The verdict on item lists of which too many are different: only rare combinations come to the driver."""
    settings = _job.settings(_asked.for_columns(options, [column], ()), {})
    found = _parts.verdict(engine, column, settings, engine.items(column, False)["item"].to_pylist(), parts)
    verdict = json.loads(found["verdict"])
    if verdict["satisfied"] and found["records"]:
        verdict = _count_again(engine, column, options, verdict, found["records"], written=False)
    for violation, items in zip(verdict["violations"], found["items"], strict=True):
        violation["values"] = {column: "|".join(items)}
    return {**verdict, "records": found["records"], "classes": None}


def _goes_in_parts(pa: Any, schema: Any, qi: Sequence[str], options: Mapping[str, Any]) -> bool:
    """Whether combinations of items can be counted in parts: few items each, as their number grows with the power m."""
    alone = _asked.names(options.get("guarantee")) == ["km-anonymity"] and len(qi) == 1
    return alone and _classes.is_list(pa, schema.field(qi[0]).type) and int(options.get("m") or 0) <= _parts.MOST_M


def check(
    engine: Engine,
    hierarchies: Any,
    most_classes: int,
    options: Mapping[str, Any],
    original: Engine | None = None,
    parts: int = 16,
) -> dict[str, Any]:
    """The verdict on the rows of `engine`, a release made in any way; `original` is what it was made of."""
    pa = _classes.arrow()
    _asked.refuse_others(options)
    most_classes, parts = _limits(most_classes, parts)
    options = _asked.listed(options)
    _job.settings(options, {})  # refuses what is nothing of the kind
    files, given = _job.hierarchies(hierarchies)
    qi, sensitive = _asked.names(options.get("qi")), _asked.names(options.get("sensitive"))
    for parameter, named in (("qi", qi), ("sensitive", sensitive)):
        _frames.refuse_unknown(engine.columns(), named, parameter)
    if not qi:
        raise _asked.no_quasi_identifier()
    _refuse_lists(pa, engine.sample(0).schema, qi, options)
    _refuse_original(original, options, qi)
    grouped = [*qi, *(sensitive if _asked.needs_values(options) else ())]
    by = Grouped(grouped, _classes.free_name(grouped, "people"))
    classes = engine.count(by, most_classes + 1, {})
    if classes.num_rows > most_classes and _goes_in_parts(pa, classes.schema, qi, options):
        return _check_in_parts(engine, qi[0], options, parts)
    _classes.few(classes, most_classes)
    before = None if original is None else _classes.few(original.count(by, most_classes + 1, {}), most_classes)
    settings = _job.settings(_asked.for_columns(options, qi, grouped[len(qi) :]), files)
    found = _verdict(settings, given, by, classes, before, 1)
    return {**json.loads(found["verdict"]), "records": found["records"], "classes": found["classes"]}
