"""Tables of classes, each with its number of people: what the driver works on while an engine holds the rows."""

from __future__ import annotations

import json
from array import array
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any

from . import _frames, _kanon
from ._errors import InfeasibleError, call


def arrow() -> Any:
    """The module pyarrow, with pyarrow.compute."""
    _frames._need("pyarrow.compute", "a table that an engine holds")
    return _frames._need("pyarrow", "a table that an engine holds")


def free_name(columns: Sequence[str], name: str) -> str:
    while name in columns:
        name += "_"
    return name


@dataclass(frozen=True)
class Grouped:
    """How rows are grouped."""

    columns: Sequence[str]
    #: The column of the result that has the number of rows.
    number: str
    #: Columns beside them, of which hashes of the rows' cells are summed, and the column of the result for the sums.
    cells: Sequence[str] = ()
    sums: str = ""

    @property
    def numbers(self) -> list[str]:
        """The columns of the result that are sums over rows."""
        return [self.number, *([self.sums] if self.cells else ())]


def counts(table: Any, by: Grouped) -> tuple[Any, bytes]:
    """The columns of the classes, and their numbers of people for the library."""
    numbers = array("Q", table[by.number].to_pylist())
    return table.select(list(by.columns)), numbers.tobytes()


def few(table: Any, most: int) -> Any:
    if table.num_rows > most:
        raise InfeasibleError(
            f"the table has more than {most:,} classes, which is too many for the driver",
            code="infeasible",
            parameter="most_classes",
            remedy="Generalise a quasi-identifier before (dates to months, say), or raise most_classes.",
        )
    return table


@dataclass(frozen=True)
class Classes:
    """What the driver works on."""

    #: The classes with their numbers, as the engine counted them.
    counted: Any
    #: The same with a value of the table for each label.
    values: Any
    #: On which level of its hierarchy a column was grouped, and the label of each value there.
    levels: dict[str, int] = field(default_factory=dict)
    labels: dict[str, Any] = field(default_factory=dict)


def sorted_lists(pa: Any, column: Any) -> Any:
    """Item lists as texts, each once and in order."""
    return pa.array([sorted(set(items or ())) for items in column.to_pylist()], pa.list_(pa.string()))


def _lists_as_texts(pa: Any, table: Any) -> Any:
    """Item lists as one text each, which can be compared and grouped."""
    for i, f in enumerate(table.schema):
        if is_list(pa, f.type):
            lists = sorted_lists(pa, table[f.name]).to_pylist()
            table = table.set_column(i, f.name, pa.array([json.dumps(items) for items in lists], pa.string()))
    return table


def same_classes(pa: Any, one: Any, other: Any, by: Grouped) -> bool:
    """Whether two tables hold the same classes with the same numbers and sums, in any order."""
    keys, numbers = list(by.columns), by.numbers
    more, less = (_lists_as_texts(pa, table).select([*keys, *numbers]) for table in (one, other))
    for name in numbers:
        i = more.schema.get_field_index(name)
        more = more.set_column(i, name, more[name].cast(pa.int64()))
        less = less.set_column(i, name, pa.compute.negate(less[name].cast(pa.int64())))
    try:
        both = pa.concat_tables([more, less.cast(more.schema)])
    except (pa.ArrowInvalid, pa.ArrowNotImplementedError):
        return False
    sums = both.group_by(keys).aggregate([(name, "sum") for name in numbers])
    return not any(pa.compute.any(pa.compute.not_equal(sums[f"{name}_sum"], 0)).as_py() for name in numbers)


def is_list(pa: Any, type_: Any) -> bool:
    return bool(pa.types.is_list(type_) or pa.types.is_large_list(type_))


def plain(pa: Any, table: Any) -> Any:
    """Texts instead of codes into a dictionary."""
    for i, f in enumerate(table.schema):
        if is_list(pa, f.type):
            table = table.set_column(i, f.name, sorted_lists(pa, table[f.name]))
        if pa.types.is_dictionary(f.type):
            table = table.set_column(i, f.name, table[f.name].cast(f.type.value_type))
    return table


@dataclass(frozen=True)
class Recoded:
    texts: dict[str, Any]
    suppressed: Any
    expected: Any


def _numbers(pa: Any, count: int) -> Any:
    """The numbers from 0 on."""
    return pa.compute.subtract(pa.compute.cumulative_sum(pa.repeat(pa.scalar(1, pa.int64()), count)), 1)


def _codes(pa: Any, column: Any) -> tuple[Any, Any]:
    """By class the number of its value, and by value the first class that has it."""
    plain = column.cast(column.type.value_type) if pa.types.is_dictionary(column.type) else column
    codes = plain.combine_chunks().dictionary_encode("encode").indices
    rows = pa.table({"code": codes, "row": _numbers(pa, len(codes))})
    return codes, rows.group_by("code").aggregate([("row", "min")]).sort_by("code")["row_min"].combine_chunks()


def _recode_lists(pa: Any, kept: Any, values: Any, column: str, recoding: str, settings: str) -> tuple[Any, Any]:
    """What becomes of each list, which stands in one class only, and the classes of the release."""
    source = _frames.stream_source(values.select([column]))
    published = plain(pa, pa.table(call(_kanon.recode_values, settings, recoding, source)))[column]
    expected = kept.set_column(kept.schema.get_field_index(column), column, published)
    return pa.table({"value": kept[column], "text": published}), expected


def _recode_values(
    pa: Any, kept: Any, values: Any, qi: Sequence[str], by: Grouped, recoding: str, settings: str
) -> tuple[dict[str, Any], Any]:
    """What becomes of each value of each column, and the classes of the release.

    Values are recoded, not classes: there are far more of those.
    """
    codes = {c: _codes(pa, kept[c]) for c in qi}
    most = max(len(firsts) for _, firsts in codes.values())
    rows = {c: pa.concat_arrays([firsts, firsts.slice(0, 1).take(pa.repeat(0, most - len(firsts)))])
            for c, (_, firsts) in codes.items()}  # fmt: skip
    source = pa.table({c: values[c].take(rows[c]) for c in qi})
    published = plain(pa, pa.table(call(_kanon.recode_values, settings, recoding, _frames.stream_source(source))))
    texts = {}
    for column, (of, firsts) in codes.items():
        text = published[column].slice(0, len(firsts)).combine_chunks()
        texts[column] = pa.table({"value": kept[column].take(firsts), "text": text})
        again = text.dictionary_encode("encode")  # several values have one text
        shown = pa.DictionaryArray.from_arrays(again.indices.take(of), again.dictionary)
        kept = kept.set_column(kept.schema.get_field_index(column), column, shown)
    keys = list(by.columns)
    sums = kept.group_by(keys).aggregate([(name, "sum") for name in by.numbers]).rename_columns([*keys, *by.numbers])
    return texts, plain(pa, sums)


def _suppressed(pa: Any, classes: Any, qi: Sequence[str], by: Grouped, kept: Any) -> Any:
    """The quasi-identifiers of the classes that are not kept, each once."""
    left_out = pa.compute.invert(pa.compute.is_in(_numbers(pa, classes.num_rows).cast(pa.uint32()), kept))
    found = classes.filter(left_out).select(qi)
    once = {*by.columns} == {*qi}
    return found if once else found.group_by(list(qi)).aggregate([])


def recode(pa: Any, found: Classes, qi: Sequence[str], by: Grouped, made: _kanon.Made, settings: str) -> Recoded:
    """What becomes of the values and rows, and which classes are to be found in what is written."""
    rows = pa.array(memoryview(made["kept"]).cast("I"), pa.uint32())
    classes = found.counted
    every = len(rows) == classes.num_rows
    suppressed = None if every else _suppressed(pa, classes, qi, by, rows)
    kept = classes if every else classes.take(rows)
    values = kept if found.values is classes else found.values.take(rows)
    texts: dict[str, Any] = {}
    if any(is_list(pa, classes[c].type) for c in qi):
        (column,) = qi
        texts[column], expected = _recode_lists(pa, kept, values, column, made["recoding"], settings)
    else:
        texts, expected = _recode_values(pa, kept, values, qi, by, made["recoding"], settings)
    return Recoded(texts, suppressed, expected)
