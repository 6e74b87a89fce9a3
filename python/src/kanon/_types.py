"""The types of arguments."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Protocol, TypeAlias, runtime_checkable

StrPath: TypeAlias = "str | os.PathLike[str]"
Columns: TypeAlias = "str | Sequence[str]"
ProgressFunction: TypeAlias = Callable[[str, float], object]


@runtime_checkable
class ArrowTable(Protocol):
    """Any table that gives itself as an Arrow stream: pandas, polars, pyarrow, DuckDB and others."""

    def __arrow_c_stream__(self, requested_schema: object | None = None) -> object:
        """Give the table as a capsule of the Arrow C stream interface."""


#: A hierarchy: the path of a file; a mapping from each value to its group, or to its groups from the smallest to the
#: largest; rows from the value to the root; or a frame whose columns are the levels.
HierarchySource: TypeAlias = (
    "StrPath | Mapping[object, object] | Iterable[Sequence[object]] | Sequence[StrPath] | ArrowTable"
)
