"""Item lists that are too many for the driver: processes of the engine count combinations, in slices and parts."""

from __future__ import annotations

import math
from array import array
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from . import _frames, _job, _kanon
from ._errors import InputError, call

if TYPE_CHECKING:
    from ._engine import Engine

#: Combinations of so many items, at most, are counted.
MOST_M = 3
MOST_PARTS = 1024

#: About as many combinations as a process counts at a time.
_MOST_COUNTED = 4_000_000


def _arrow() -> Any:
    _frames._need("pyarrow.compute", "a table that an engine holds")
    return _frames._need("pyarrow", "a table that an engine holds")


@dataclass(frozen=True)
class Naming:
    """What becomes of each item of a list: names, none to several."""

    #: All items, as an array of texts.
    items: Any
    #: By item its names, as an array of lists of texts.
    names: Any

    def of(self, lists: Any) -> Any:
        """The names of the items of each list, in their order; names may come twice."""
        pa = _arrow()
        if isinstance(lists, pa.ChunkedArray):
            lists = lists.combine_chunks()
        at = pa.compute.index_in(lists.flatten().cast(pa.string()), value_set=self.items)
        if at.null_count:
            raise InputError("the rows hold an item that they did not hold before")
        found = self.names.take(at)
        ends = _ends(pa, found).take(_ends(pa, lists))
        return pa.ListArray.from_arrays(ends.cast(pa.int32()), found.flatten())


def _ends(pa: Any, lists: Any) -> Any:
    """Where the lists end in their elements, after a 0."""
    lengths = pa.compute.fill_null(pa.compute.list_value_length(lists), 0).cast(pa.int64())
    return pa.concat_arrays([pa.array([0], pa.int64()), pa.compute.cumulative_sum(lengths)])


@dataclass(frozen=True)
class Parts:
    """Supports of item combinations, counted slice by slice and in parts by a hash; what the processes of an engine do.

    Counts are bytes (``kanon/partial.h``). A process that counts or merges them needs this package and pyarrow.
    """

    #: The settings of the check, and all items, numbered.
    settings: str
    dictionary: bytes
    #: The number of parts.
    parts: int
    #: What is counted in the place of the items; None: they are.
    naming: Naming | None = None

    def _named(self, slices: Iterable[Any]) -> Iterator[Any]:
        for table in slices:
            if self.naming is None:
                yield table
            else:
                (column,) = table.schema.names
                yield _arrow().table({column: self.naming.of(table[column])})

    def counts(self, slices: Iterable[Any], first: int, count: int) -> list[bytes]:
        """The counts of some parts, of all lists in the tables `slices`."""
        return call(_kanon.count_parts, self.settings, self.dictionary, self._named(slices), self.parts, first, count)

    def merged(self, counts: Iterable[bytes], part: int) -> bytes:
        """Of one part, what matters of the counts of all slices: the combinations that are too rare."""
        return call(_kanon.merge_part, self.settings, self.dictionary, counts, self.parts, part)


def dictionary(settings: str, column: str, items: Iterable[str]) -> bytes:
    """The items, numbered."""
    pa = _arrow()
    every = pa.table({column: pa.array([list(items)], pa.list_(pa.string()))})
    return call(_kanon.dictionary, settings, _frames.stream_source(every))


def needed(parts: int, names: int, m: int) -> int:
    """How many of so many parts are needed for the combinations of up to `m` names."""
    most = sum(math.comb(names, size) for size in range(1, m + 1))
    return max(1, min(parts, math.ceil(most / _MOST_COUNTED)))


def verdict(
    engine: Engine, column: str, settings: str, items: Iterable[str], parts: int, written: bool = False
) -> _kanon.Summed:
    """The verdict on the lists of `column`, which hold these items, or on those that were written."""
    work = Parts(settings, dictionary(settings, column, items), parts)
    counts = engine.count_in_parts(column, work, written)
    return call(_kanon.finish_parts, settings, work.dictionary, counts, parts)


class Counter:
    """Answers what apriori asks of lists that the engine holds: which combinations of names are too rare."""

    def __init__(self, engine: Engine, column: str, items: Any, parts: int) -> None:
        self._engine = engine
        self._column = column
        self._items = items
        self._parts = parts
        #: How often it was asked, the number of lists, and the most names of a combination.
        self.questions = 0
        self.records = 0
        self.m = 1

    def _naming(self, items: list[str], begin: bytes, name: bytes) -> tuple[Naming, list[str]]:
        """What each item becomes, and all names: the numbers of nodes of the hierarchy."""
        pa = _arrow()
        ends, nodes = array("I", begin), list(map(str, array("I", name)))
        names = {item: nodes[ends[i] : ends[i + 1]] for i, item in enumerate(items)}
        lists = [names.get(item, []) for item in self._items.to_pylist()]
        return Naming(self._items, pa.array(lists, pa.list_(pa.string()))), sorted(set(nodes))

    def __call__(self, items: list[str], begin: bytes, name: bytes, k: int, m: int) -> bytes:
        naming, names = self._naming(items, begin, name)
        asked = {"qi": [self._column], "items": [self._column], "guarantee": "km-anonymity", "k": k, "m": m}
        settings = _job.settings(asked, {})
        parts = needed(self._parts, len(names), m)
        work = Parts(settings, dictionary(settings, self._column, names), parts, naming)
        counts = self._engine.count_in_parts(self._column, work, False)
        self.questions += 1
        self.m = max(m, self.m)
        self.records, found = call(_kanon.rare_parts, settings, work.dictionary, counts, parts)
        return found
