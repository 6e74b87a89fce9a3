"""Releases of tables that an engine holds: a database, a cluster.

The engine groups the rows by their quasi-identifiers and counts them, the driver (this process) finds the recoding on
the classes, the engine applies it row by row and writes under a temporary name. What was written is read again, grouped
again and checked before it gets its name. An engine is an object with the methods of `Engine`.
"""

from __future__ import annotations

import json
from array import array
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Protocol

from . import _frames, _job, _kanon
from ._api import Recoding
from ._errors import InfeasibleError, InputError, UsageError, WithheldError, call

#: Rows in which columns without a role and kept columns that single people out are looked for.
SAMPLED = 200_000

#: Settings that mean the same for rows that an engine holds; all others are refused.
_ROLES = ("qi", "sensitive", "id", "keep", "drop", "rest", "allow_unique")
_BY_COLUMN = ("type", "weight")
_OF_CLASSES = (
    "missing", "missing_rule", "codes", "uncovered", "guarantee", "k", "l", "diversity", "c", "t", "distance",
    "method", "objective", "suppression", "threads", "memory",
)  # fmt: skip


@dataclass(frozen=True)
class Plan:
    """What an engine does with each row."""

    #: The published columns, in the order of the table.
    columns: list[str]
    #: For each quasi-identifier a table with the columns "value" and "text": what becomes of a value.
    texts: Mapping[str, Any]
    #: The quasi-identifiers of the rows that are left out: a table with their columns; None: no row is.
    suppressed: Any


class Engine(Protocol):
    """What an engine can do. Tables that travel are pyarrow tables."""

    def columns(self) -> list[str]:
        """The names of the columns of the rows."""

    def sample(self, rows: int) -> Any:
        """At most so many rows."""

    def count(self, columns: Sequence[str], name: str, most: int) -> Any:
        """The rows grouped by `columns`, with their number in the column `name`; at most `most` groups."""

    def rare(self, column: str, k: int) -> tuple[int, int]:
        """How many rows hold a value of `column` that fewer than `k` rows share, and how many rows there are."""

    def write(self, plan: Plan) -> None:
        """Recode the rows, and write them under a temporary name."""

    def count_written(self, columns: Sequence[str], name: str, most: int) -> Any:
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
    #: Classes that the driver worked on.
    classes: int = field(default=0)

    def __repr__(self) -> str:
        achieved = ", ".join(f"{k} = {v:g}" for k, v in self.verdict["achieved"].items())
        return f"<kanon.EngineRelease of {self.records['out']:,} records in {self.output}: {achieved}>"


# ---- settings ----


def _refuse_others(options: Mapping[str, Any]) -> None:
    for name, value in options.items():
        if value is not None and name not in (*_ROLES, *_BY_COLUMN, *_OF_CLASSES):
            raise UsageError(
                f"{name} is not for tables that an engine holds", code="parameter", parameter=name,
                remedy="Leave it out, or use kanon.anonymize on a table in memory.",
            )  # fmt: skip
    if options.get("rest") == "suggested":
        raise UsageError(
            'rest="suggested" looks at all rows, which the engine holds', code="parameter", parameter="rest",
            remedy="Name the roles: qi=, sensitive=, keep=, drop=; kanon.profile on a sample suggests some.",
        )  # fmt: skip


def _for_columns(options: Mapping[str, Any], qi: Sequence[str], sensitive: Sequence[str]) -> dict[str, Any]:
    """The settings for a table that has these columns only."""
    made = {name: options[name] for name in _OF_CLASSES if options.get(name) is not None}
    for name in _BY_COLUMN:
        if options.get(name):
            made[name] = {c: v for c, v in options[name].items() if c in (*qi, *sensitive)}
    return {**made, "qi": list(qi), "sensitive": list(sensitive) or None}


def _names(value: Any) -> list[str]:
    return [value] if isinstance(value, str) else list(value or ())


def _needs_values(options: Mapping[str, Any]) -> bool:
    """Whether classes differ by the values of sensitive columns, not by their sizes alone."""
    asked = any(options.get(name) is not None for name in ("l", "c", "diversity", "t", "distance"))
    others = _names(options.get("guarantee")) not in ([], ["k-anonymity"])
    return asked or others or options.get("objective") == "classification"


# ---- tables of classes ----


def _arrow() -> Any:
    """The module pyarrow, with pyarrow.compute."""
    _frames._need("pyarrow.compute", "a table that an engine holds")
    return _frames._need("pyarrow", "a table that an engine holds")


def _free_name(columns: Sequence[str]) -> str:
    name = "people"
    while name in columns:
        name += "_"
    return name


def _counts(table: Any, name: str) -> tuple[Any, bytes]:
    """The columns of the classes, and their numbers of people for the library."""
    numbers = array("Q", table[name].to_pylist())
    return table.drop_columns([name]), numbers.tobytes()


def _counted(engine: Engine, columns: Sequence[str], name: str, most: int, written: bool) -> Any:
    table = (engine.count_written if written else engine.count)(columns, name, most + 1)
    if table.num_rows > most:
        raise InfeasibleError(
            f"the table has more than {most:,} classes, which is too many for the driver",
            remedy="Generalise a quasi-identifier before (dates to months, say), or raise most_classes.",
        )
    return table


def _same_classes(pa: Any, one: Any, other: Any, name: str) -> bool:
    """Whether two tables hold the same classes with the same numbers, in any order."""
    keys = [c for c in one.column_names if c != name]
    less = other.select([*keys, name])
    i = less.schema.get_field_index(name)
    less = less.set_column(i, name, pa.compute.negate(less[name].cast(pa.int64())))
    i = one.schema.get_field_index(name)
    more = one.set_column(i, name, one[name].cast(pa.int64())).select([*keys, name])
    try:
        both = pa.concat_tables([more, less.cast(more.schema)])
    except (pa.ArrowInvalid, pa.ArrowNotImplementedError):
        return False
    sums = both.group_by(keys).aggregate([(name, "sum")])[f"{name}_sum"]
    return not any(pa.compute.not_equal(sums, 0).to_pylist())


def _plain(pa: Any, table: Any) -> Any:
    """Texts instead of codes into a dictionary."""
    for i, f in enumerate(table.schema):
        if pa.types.is_dictionary(f.type):
            table = table.set_column(i, f.name, table[f.name].cast(f.type.value_type))
    return table


@dataclass(frozen=True)
class _Recoded:
    texts: dict[str, Any]
    suppressed: Any
    expected: Any


def _recode(pa: Any, classes: Any, counted: str, qi: Sequence[str], made: _kanon.Made, settings: str) -> _Recoded:
    """What becomes of the values and rows, and which classes are to be found in what is written."""
    rows = pa.array(memoryview(made["kept"]).cast("I"), pa.uint32())
    kept = classes.take(rows)
    source = _frames.stream_source(kept.select(qi))
    published = _plain(pa, pa.table(call(_kanon.recode_values, settings, made["recoding"], source)))
    texts = {}
    expected = kept
    for column in qi:
        pairs = pa.table({"value": kept[column], "text": published[column]})
        texts[column] = pairs.group_by(["value", "text"]).aggregate([])
        expected = expected.set_column(expected.schema.get_field_index(column), column, published[column])
    suppressed = None
    if kept.num_rows < classes.num_rows:
        left_out = pa.compute.invert(pa.compute.is_in(pa.array(range(classes.num_rows), pa.uint32()), rows))
        suppressed = classes.filter(left_out).select(qi).group_by(list(qi)).aggregate([])
    return _Recoded(texts, suppressed, expected)


def _refuse_rare(engine: Engine, kept: Sequence[str], options: Mapping[str, Any]) -> None:
    """Refuse kept columns that single people out in the whole table, where only a part was looked at."""
    k = int(options.get("k") or 5)
    for column in kept:
        rare, rows = engine.rare(column, k)
        if column not in _names(options.get("allow_unique")) and rare > rows // 2:
            raise UsageError(
                f"column '{column}' is kept and can single people out: {rare:,} of {rows:,} records hold a value that "
                f"fewer than {k} share",
                code="singles-out",
                column=column,
                remedy=f"Make it a quasi-identifier (qi=), drop it (drop=), or allow it: allow_unique=[{column!r}].",
            )


# ---- the algorithm ----


def anonymize(
    engine: Engine, output: str, hierarchies: Any, most_classes: int, options: Mapping[str, Any]
) -> EngineRelease:
    """Make a release of the rows of `engine`; kanon.duckdb.anonymize and kanon.spark.anonymize say how."""
    pa = _arrow()
    _refuse_others(options)
    options = {"method": "flash", **{n: v for n, v in options.items() if v is not None}}
    files, given = _job.hierarchies(hierarchies)
    sample = engine.sample(SAMPLED)
    if options["method"] != "flash":
        raise UsageError(
            f"method {options['method']} works on rows, and an engine hands over classes",
            code="parameter",
            parameter="method",
            remedy='Take method="flash", or kanon.anonymize on a table in memory.',
        )
    roles = call(_kanon.roles, _job.settings(options, {}), _frames.stream_source(sample))
    if sample.num_rows == SAMPLED:
        _refuse_rare(engine, [c for c, role in roles if role == "kept"], options)
    qi = [c for c, role in roles if role == "quasi-identifier"]
    sensitive = [c for c, role in roles if role == "sensitive"]
    columns = [c for c, role in roles if role in ("quasi-identifier", "sensitive", "kept")]
    grouped = [*qi, *(sensitive if _needs_values(options) else ())]
    counted = _free_name(grouped)
    classes = _counted(engine, grouped, counted, most_classes, written=False)
    if classes.num_rows == 0:
        raise InputError("the table has no records")
    about = _for_columns(options, qi, grouped[len(qi) :])
    settings = _job.settings(about, files)
    values, numbers = _counts(classes, counted)
    made = call(_kanon.anonymize_classes, settings, _frames.stream_source(values), numbers, given, None)
    recoded = _recode(pa, classes, counted, qi, made, _job.settings(_for_columns(options, qi, ()), {}))
    try:
        engine.write(Plan(columns, recoded.texts, recoded.suppressed))
        written = _plain(pa, _counted(engine, grouped, counted, most_classes, written=True))
        if not _same_classes(pa, recoded.expected, written, counted):
            raise WithheldError("the release was withheld: what was written is not what was meant")
        again, numbers = _counts(written, counted)
        found = call(_kanon.check_classes, settings, _frames.stream_source(again), numbers, given)
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
    made_with = _job.settings(options, {})
    published = [{"name": c, "role": role, "published": c in columns} for c, role in roles]
    recoding = Recoding(made["recoding"], made_with, _job.for_release(made_with, published), frozenset(qi))
    return EngineRelease(output, recoding, records, verdict, json.loads(made["measures"]), classes.num_rows)


def check(engine: Engine, hierarchies: Any, most_classes: int, options: Mapping[str, Any]) -> dict[str, Any]:
    """The verdict on the rows of `engine`, a release made in any way."""
    _refuse_others(options)
    files, given = _job.hierarchies(hierarchies)
    qi, sensitive = _names(options.get("qi")), _names(options.get("sensitive"))
    absent = [c for c in (*qi, *sensitive) if c not in engine.columns()]
    if absent:
        raise UsageError(f"there is no column '{absent[0]}'", code="no-column", column=absent[0])
    if not qi:
        raise UsageError("no column is a quasi-identifier: name what an attacker may know (qi=)", parameter="qi")
    grouped = [*qi, *(sensitive if _needs_values(options) else ())]
    counted = _free_name(grouped)
    values, numbers = _counts(_counted(engine, grouped, counted, most_classes, written=False), counted)
    settings = _job.settings(_for_columns(options, qi, grouped[len(qi) :]), files)
    found = call(_kanon.check_classes, settings, _frames.stream_source(values), numbers, given)
    return {**json.loads(found["verdict"]), "records": found["records"], "classes": found["classes"]}
