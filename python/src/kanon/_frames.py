"""Tables of other libraries: in through the Arrow C stream interface, out in the same kind.

Nothing here imports a library that the caller has not imported already, unless the caller asks for it by name.
"""

from __future__ import annotations

import difflib
import importlib
import os
from collections.abc import Callable, Iterable
from typing import Any

from ._errors import InputError, UsageError
from ._types import ArrowTable


def library_of(data: object) -> str:
    """The library that `data` comes from, such as "pandas"."""
    return type(data).__module__.partition(".")[0].lstrip("_")


class _PandasStream:
    """A pandas frame as an Arrow stream; what pandas cannot convert is said with the column."""

    def __init__(self, frame: Any) -> None:
        self.columns = frame.columns
        self._frame = frame.reset_index(drop=True)  # the index would come as one more column; it is not published
        texts = {i: as_texts(frame.iloc[:, i]) for i, dtype in enumerate(frame.dtypes) if has_text_cells(dtype)}
        if texts:
            columns = [texts.get(i, frame.iloc[:, i]) for i in range(frame.shape[1])]
            self._frame = type(frame)(dict(enumerate(c.array for c in columns)))
        self._frame.columns = [str(label) for label in self.columns]  # pandas warns of others

    def __arrow_c_stream__(self, requested_schema: object | None = None) -> object:
        try:
            return self._frame.__arrow_c_stream__(requested_schema)
        except _NOT_ARROW:
            pass
        # What pandas says may show a cell, of a column of names too: it is not repeated, nor kept as the cause.
        for i, label in enumerate(self.columns):
            if _fails(self._frame.iloc[:, [i]]):
                raise InputError(
                    f"column {str(label)!r} has cells that pandas cannot convert to Arrow: "
                    f"{_said_of(self._frame.iloc[:, i])}",
                    code="type",
                    column=str(label),
                    remedy=f"Convert it before: df[{label!r}].astype(str) makes texts, pandas.to_numeric numbers; "
                    f"or leave it out of the frame: df.drop(columns=[{label!r}]).",
                )
        raise InputError("pandas cannot convert the frame to Arrow", code="type")


_NOT_ARROW = (TypeError, ValueError, ArithmeticError, NotImplementedError)


def _fails(column: Any) -> bool:
    try:
        column.__arrow_c_stream__()
    except _NOT_ARROW:
        return True
    return False


def _kind_of(cell: Any) -> str:
    large = isinstance(cell, int) and cell.bit_length() > 63
    return type(cell).__name__ + " (beyond 64 bits)" * large


def _said_of(column: Any) -> str:
    """Which types the cells of a column have."""
    dtype = getattr(column.dtype, "categories", column).dtype  # of categories the type of their values
    if dtype.kind != "O":
        return f"they are of type {dtype}"
    kinds = sorted({_kind_of(cell) for cell in column.dropna()})
    return f"they are of type{'s' if len(kinds) > 1 else ''} {', '.join(kinds)}"


def has_text_cells(dtype: Any) -> bool:
    """Whether cells of a type of pandas mean something as texts only.

    Arrow has numbers for periods, and pairs for intervals.
    """
    inner = getattr(getattr(dtype, "categories", None), "dtype", dtype)
    return type(inner).__name__ in ("PeriodDtype", "IntervalDtype")


def as_texts(column: Any) -> Any:
    """The cells of a column of pandas as texts; what is missing stays missing."""
    return column.astype(object).map(str, na_action="ignore").astype(object)


def _refuse_doubles(data: Any) -> None:
    seen = set()
    for name in column_names(data) or ():
        if name in seen:
            raise InputError(f"two columns are called {name!r}", code="duplicate-column", column=name)
        seen.add(name)


def column_names(data: Any) -> list[str] | None:
    """The names of the columns; None: `data` does not tell."""
    if library_of(data) == "polars" and hasattr(data, "collect"):  # lazy: polars warns of `columns`
        return list(data.collect_schema().names())
    known = getattr(data, "column_names", None)
    known = getattr(data, "columns", None) if known is None or callable(known) else known
    if (known is None or callable(known)) and hasattr(data, "schema"):
        known = getattr(data.schema, "names", None)
    return None if known is None or callable(known) else [str(c) for c in known]


def _no_table(data: Any) -> UsageError:
    kind = f"{type(data).__module__}.{type(data).__qualname__}"
    if isinstance(data, (str, os.PathLike)):
        return UsageError(
            f"{os.fspath(data)!r} is a path or a text, and no table",
            code="type",
            remedy="Read the file first: pandas.read_csv, polars.read_csv, pyarrow.csv.read_csv, duckdb.read_csv.",
        )
    if hasattr(data, "to_frame"):
        return UsageError(f"{kind} is one column, and no table", code="type", remedy="Make a frame of it: .to_frame().")
    return UsageError(
        f"{kind} does not give itself as an Arrow stream of rows",
        code="type",
        remedy="Give a pandas (2.2 or later) or polars data frame, a pyarrow table, a DuckDB relation, or any "
        "object with __arrow_c_stream__.",
    )


def stream_source(data: Any) -> ArrowTable:
    """What to read `data` from. Refuses what is no table."""
    library = library_of(data)
    if library == "pandas" and hasattr(data, "reset_index") and hasattr(data, "dtypes") and hasattr(data, "columns"):
        _refuse_doubles(data)
        return _PandasStream(data)
    if library == "polars" and hasattr(data, "collect"):
        data = data.collect()
    if (library in ("pandas", "polars") and hasattr(data, "to_frame")) or not isinstance(data, ArrowTable):
        raise _no_table(data)
    _refuse_doubles(data)
    return data


def as_it_is(source: Any) -> Any:
    """The frame whose types and names a release takes, whatever its owner does to it afterwards: no cells are copied.

    Only those of periods and intervals are, which are found by their texts.
    """
    library = library_of(source)
    if library == "pandas" and hasattr(source, "dtypes"):
        held = source.copy(deep=False)
        for i, dtype in enumerate(source.dtypes):
            if has_text_cells(dtype):
                held.isetitem(i, source.iloc[:, i].copy())
        return held
    return source.clone() if library == "polars" and hasattr(source, "clone") else source


def nearest(column: str, names: Iterable[str]) -> str:
    """What to add to "there is no column": the name that was meant, it seems; or nothing."""
    near = difflib.get_close_matches(column, list(names), 1)
    return f"; did you mean {near[0]!r}?" if near else ""


def refuse_unknown(data: Any, columns: Iterable[str], parameter: str) -> None:
    """Refuse columns that `data` does not have, where it tells which it has."""
    names = data if isinstance(data, list) else column_names(data)
    for column in columns:
        if names is not None and column not in names:
            raise UsageError(
                f"{parameter}: there is no column {column!r}{nearest(column, names)}",
                code="no-column",
                column=column,
                parameter=parameter,
            )


def _need(library: str, what: str) -> Any:
    try:
        return importlib.import_module(library)
    except ImportError as error:
        raise ImportError(f"{what} needs {library}: pip install {library}") from error


def _without_notes(pa: Any, type_: Any) -> Any:
    """A type of coded texts, or of lists of them, without metadata of its elements: these may say anything."""
    kinds = ((pa.types.is_list, pa.list_), (pa.types.is_large_list, pa.large_list))
    for is_kind, make in kinds:
        if is_kind(type_):
            return make(type_.value_field.remove_metadata())
    return pa.list_(type_.value_field.remove_metadata(), type_.list_size) if hasattr(type_, "list_size") else type_


def to_arrow(table: ArrowTable, source: Any = None, changed: frozenset[str] = frozenset()) -> Any:
    """A pyarrow table; columns that were published as they are have the types of `source`."""
    pa = _need("pyarrow", "to_arrow()")
    made = pa.table(table)
    fields = source.schema if library_of(source) == "pyarrow" and hasattr(source, "schema") else None
    for i, name in enumerate(made.column_names):
        if fields is None or name in changed or fields.get_field_index(name) < 0:
            continue
        type_ = _without_notes(pa, fields.field(name).type)
        if type_ != made.schema.field(name).type:
            made = made.set_column(i, made.schema.field(name).with_type(type_), made[name].cast(type_))
    return made


def _with_signed_codes(made: Any) -> Any:
    """The table with signed codes of texts: pyarrow before 23 makes no categories of pandas from unsigned ones."""
    pa = _need("pyarrow", "to_pandas()")
    signed = {pa.uint8(): pa.int16(), pa.uint16(): pa.int32(), pa.uint32(): pa.int64()}
    for i, field in enumerate(made.schema):
        wide = signed.get(field.type.index_type) if pa.types.is_dictionary(field.type) else None
        if wide is not None:
            chunks = [
                pa.DictionaryArray.from_arrays(c.indices.cast(wide), c.dictionary, ordered=field.type.ordered)
                for c in made.column(i).chunks
            ]
            type_ = pa.dictionary(wide, field.type.value_type, field.type.ordered)
            made = made.set_column(i, field.with_type(type_), pa.chunked_array(chunks, type_))
    return made


def to_pandas(table: ArrowTable, source: Any = None, changed: frozenset[str] = frozenset()) -> Any:
    """A pandas data frame; columns that were published as they are have the types of `source`.

    Of categories those that records have: others may be of records that were left out.
    """
    arrow = to_arrow(table)
    made = _with_signed_codes(arrow).to_pandas(integer_object_nulls=True)
    if library_of(source) == "pandas" and hasattr(source, "dtypes"):
        for i, (label, dtype) in enumerate(source.dtypes.items()):
            name = str(label)
            if name not in made.columns or name in changed:
                continue
            if has_text_cells(dtype):
                cells = source.iloc[:, i]
                back = {str(value): value for value in cells.astype(object).unique()}
                made[name] = type(cells)(made[name].astype(object).map(back, na_action="ignore"), dtype=dtype)
            elif dtype.kind == "O" and arrow.schema.field(name).type.num_fields:  # lists are lists again, not arrays
                made[name] = type(made[name])(arrow[name].to_pylist(), dtype=object)
            elif made[name].dtype != dtype:
                made[name] = made[name].astype(dtype)
            if hasattr(made[name].dtype, "categories"):
                made[name] = made[name].cat.remove_unused_categories()
        if any(str(label) != label for label in source.columns):  # numbers and tuples are names of columns there
            at = {str(label): i for i, label in enumerate(source.columns)}
            made.columns = source.columns.take([at[name] for name in made.columns])
    return made


def to_polars(table: ArrowTable, source: Any = None, changed: frozenset[str] = frozenset()) -> Any:
    """A polars data frame; columns that were published as they are have the types of `source`.

    An Enum has the values that records have: others may be of records that were left out.
    """
    pl = _need("polars", "to_polars()")
    made = pl.DataFrame(table)
    if library_of(source) == "polars":
        types = (
            made.schema
        )  # first: polars prepares itself for types under a lock of the frame, which threads may share
        schema = source.collect_schema()
        casts = {n: t for n, t in schema.items() if n in types and n not in changed and types[n] != t}
        texts = {n: _with_enums(pl, t, made[n], lambda enum, cells: pl.String()) for n, t in casts.items()}
        held = {
            n: _with_enums(pl, t, made[n], lambda enum, cells: _of_values(pl, enum, cells)) for n, t in casts.items()
        }
        made = made.cast(texts).cast(held) if casts else made  # no arrays of codes become arrays of an Enum
    return made


def _of_values(pl: Any, enum: Any, cells: Any) -> Any:
    """An Enum of those of its values only that `cells` have."""
    values = set(cells.cast(pl.String).unique())
    return pl.Enum([value for value in enum.categories if value in values])


def _with_enums(pl: Any, type_: Any, cells: Any, change: Callable[[Any, Any], Any]) -> Any:
    """A type of polars with `change` applied to every Enum in it and its cells."""
    if isinstance(type_, pl.Enum):
        return change(type_, cells)
    if isinstance(type_, pl.List):
        return pl.List(_with_enums(pl, type_.inner, cells.explode(), change))
    if isinstance(type_, pl.Array):
        return pl.Array(_with_enums(pl, type_.inner, cells.explode(), change), type_.size)
    if isinstance(type_, pl.Struct):
        return pl.Struct({f.name: _with_enums(pl, f.dtype, cells.struct.field(f.name), change) for f in type_.fields})
    return type_


def like(table: ArrowTable, source: Any, changed: frozenset[str]) -> Any:
    """`table` as the kind of table that `source` is; as an Arrow table of ours where that kind is not known."""
    library = library_of(source)
    if library == "pandas":
        return to_pandas(table, source, changed)
    if library == "polars":
        return to_polars(table, source, changed)
    if library == "pyarrow":
        return to_arrow(table, source, changed)
    if library == "duckdb":
        return _need("duckdb", "data").from_arrow(to_arrow(table))
    return table
