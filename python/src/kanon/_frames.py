"""Tables of other libraries: in through the Arrow C stream interface, out in the same kind.

Nothing here imports a library that the caller has not imported already, unless the caller asks for it by name.
"""

from __future__ import annotations

import difflib
import importlib
import os
from collections.abc import Iterable
from typing import Any

from ._errors import InputError, UsageError
from ._types import ArrowTable


def library_of(data: object) -> str:
    """The library that `data` comes from, such as "pandas"."""
    return type(data).__module__.partition(".")[0].lstrip("_")


class _PandasStream:
    """A pandas frame as an Arrow stream; what pandas cannot convert is said with the column."""

    def __init__(self, frame: Any) -> None:
        self._frame = frame.reset_index(drop=True)  # the index would come as one more column; it is not published
        texts = {i: as_texts(frame.iloc[:, i]) for i, dtype in enumerate(frame.dtypes) if has_text_cells(dtype)}
        if texts:
            columns = [texts.get(i, frame.iloc[:, i]) for i in range(frame.shape[1])]
            self._frame = type(frame)(dict(enumerate(c.array for c in columns)))
            self._frame.columns = frame.columns

    @property
    def columns(self) -> Any:
        return self._frame.columns

    def __arrow_c_stream__(self, requested_schema: object | None = None) -> object:
        try:
            return self._frame.__arrow_c_stream__(requested_schema)
        except (TypeError, ValueError, ArithmeticError, NotImplementedError) as error:
            for i, label in enumerate(self._frame.columns):
                try:
                    self._frame.iloc[:, [i]].__arrow_c_stream__()
                except (TypeError, ValueError, ArithmeticError, NotImplementedError) as own:
                    raise InputError(
                        f"column {str(label)!r} has cells that pandas cannot convert to Arrow: {_said(own)}",
                        code="type",
                        column=str(label),
                        remedy=f"Convert it before: df[{label!r}].astype(str) makes texts, pandas.to_numeric numbers; "
                        f"or leave it out of the frame: df.drop(columns=[{label!r}]).",
                    ) from own
            raise InputError(f"pandas cannot convert the frame to Arrow: {_said(error)}", code="type") from error


def _said(error: BaseException) -> str:
    """What an exception says first: some come with a second text, which column it was."""
    return str(error.args[0] if error.args else error).strip().partition("\n")[0]


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
    for name in _names(data) or ():
        if name in seen:
            raise InputError(f"two columns are called {name!r}", code="duplicate-column", column=name)
        seen.add(name)


def _names(data: Any) -> list[str] | None:
    """The names of the columns; None: `data` does not tell."""
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


def refuse_unknown(data: Any, columns: Iterable[str], parameter: str) -> None:
    """Refuse columns that `data` does not have, where it tells which it has."""
    names = data if isinstance(data, list) else _names(data)
    for column in columns:
        if names is not None and column not in names:
            near = difflib.get_close_matches(column, names, 1)
            raise UsageError(
                f"{parameter}: there is no column {column!r}" + (f"; did you mean {near[0]!r}?" if near else ""),
                code="no-column",
                column=column,
                parameter=parameter,
            )


def _need(library: str, what: str) -> Any:
    try:
        return importlib.import_module(library)
    except ImportError as error:
        raise ImportError(f"{what} needs {library}: pip install {library}") from error


def to_arrow(table: ArrowTable, source: Any = None, changed: frozenset[str] = frozenset()) -> Any:
    """A pyarrow table; columns that were published as they are have the types of `source`."""
    pa = _need("pyarrow", "to_arrow()")
    made = pa.table(table)
    fields = source.schema if library_of(source) == "pyarrow" and hasattr(source, "schema") else None
    for i, name in enumerate(made.column_names):
        if fields is None or name in changed or fields.get_field_index(name) < 0:
            continue
        field = fields.field(name)
        if field.type != made.schema.field(name).type:
            made = made.set_column(i, field, made[name].cast(field.type))
    return made


def to_pandas(table: ArrowTable, source: Any = None, changed: frozenset[str] = frozenset()) -> Any:
    """A pandas data frame; columns that were published as they are have the types of `source`."""
    arrow = to_arrow(table)
    made = arrow.to_pandas(integer_object_nulls=True)
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
        if any(str(label) != label for label in source.columns):  # numbers and tuples are names of columns there
            at = {str(label): i for i, label in enumerate(source.columns)}
            made.columns = source.columns.take([at[name] for name in made.columns])
    return made


def to_polars(table: ArrowTable, source: Any = None, changed: frozenset[str] = frozenset()) -> Any:
    """A polars data frame; columns that were published as they are have the types of `source`."""
    pl = _need("polars", "to_polars()")
    made = pl.DataFrame(table)
    if library_of(source) == "polars":
        schema = source.collect_schema()
        casts = {n: t for n, t in schema.items() if n in made.columns and n not in changed and made.schema[n] != t}
        made = made.cast(casts) if casts else made
    return made


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
