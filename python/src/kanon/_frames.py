"""Tables of other libraries: in through the Arrow C stream interface, out in the same kind.

Nothing here imports a library that the caller has not imported already, unless the caller asks for it by name.
"""

from __future__ import annotations

import difflib
import importlib
from collections.abc import Iterable
from typing import Any

from ._errors import UsageError
from ._types import ArrowTable


def library_of(data: object) -> str:
    """The library that `data` comes from, such as "pandas"."""
    return type(data).__module__.partition(".")[0].lstrip("_")


def stream_source(data: Any) -> ArrowTable:
    """What to read `data` from. Refuses what is no table."""
    if library_of(data) == "pandas" and hasattr(data, "reset_index"):
        # The index would come as one more column; it is not published.
        data = data.reset_index(drop=True)
    elif library_of(data) == "polars" and hasattr(data, "collect"):
        data = data.collect()
    if not isinstance(data, ArrowTable):
        raise UsageError(
            f"{type(data).__module__}.{type(data).__qualname__} does not give itself as an Arrow stream",
            code="type",
            remedy="Give a pandas (2.2 or later) or polars data frame, a pyarrow table, a DuckDB relation, or any "
            "object with __arrow_c_stream__.",
        )
    return data


def refuse_unknown(data: Any, columns: Iterable[str], parameter: str) -> None:
    """Refuse columns that `data` does not have, where it tells which it has."""
    known = getattr(data, "column_names", None)
    known = getattr(data, "columns", None) if known is None or callable(known) else known
    names = None if known is None or callable(known) else [str(c) for c in known]
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
        for name, dtype in source.dtypes.items():
            if str(name) not in made.columns or str(name) in changed:
                continue
            if dtype.kind == "O" and arrow.schema.field(str(name)).type.num_fields:  # lists are lists again, not arrays
                made[str(name)] = type(made[str(name)])(arrow[str(name)].to_pylist(), dtype=object)
            elif made[str(name)].dtype != dtype:
                made[str(name)] = made[str(name)].astype(dtype)
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
