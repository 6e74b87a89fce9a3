"""The second count of item lists that are too many for the driver, which shares nothing with the first one.

The first count (`_parts`) is the library's. Here the engine counts by its own queries: every single item, and
combinations that are drawn from lists it holds, those of rare items before the others.
"""

from __future__ import annotations

import itertools
import random
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from . import _classes

if TYPE_CHECKING:
    from ._engine import Engine

#: About as many lists are drawn, from those of each item as many.
_LISTS = 20_000
#: Combinations of so many of the rarest items of a list, and of so many others, are candidates.
_RAREST = 5
_OTHERS = 3
#: Combinations that are counted, at most, and how many lists the engine looks at for them; twice the items of all lists
#: are allowed in any case.
_COMBINATIONS = 20_000
_LOOKS = 20_000_000


@dataclass(frozen=True)
class Counted:
    """How far the second count went."""

    items: int
    #: By size, from two items on, how many combinations.
    combinations: list[int]

    def words(self) -> str:
        """What was counted, in the words that the command has for its second count."""
        sizes = enumerate(self.combinations, start=2)
        drawn = [f"{count:,} drawn combinations of {size}" for size, count in sizes]
        return ", ".join([f"all {self.items:,} single items", *drawn])


def _expected(supports: Mapping[str, int], combination: Iterable[str], lists: int) -> float:
    """How many lists would hold a combination if its items were independent."""
    product = float(lists)
    for item in combination:
        product *= supports[item] / lists
    return product


def _choose(
    candidates: set[tuple[str, ...]], supports: Mapping[str, int], records: int, most: int, looks: int,
    chance: random.Random,
) -> list[tuple[str, ...]]:  # fmt: skip
    """Half of the combinations are those that should be the rarest, the others any."""
    ordered = sorted(candidates, key=lambda c: (_expected(supports, c, records), c))
    others = ordered[most // 2 :]
    chance.shuffle(others)
    chosen = []
    for combination in itertools.islice(itertools.chain(ordered[: most // 2], others), most):
        looks -= supports[combination[0]]
        if looks < 0:
            break
        chosen.append(combination)
    return chosen


def draw(
    lists: Iterable[list[str]], supports: Mapping[str, int], m: int, records: int, seed: int
) -> list[tuple[str, ...]]:
    """Combinations of 2 to `m` items of these lists, in each the rarest item first.

    The same for the same lists, in any order.
    """
    chance = random.Random(seed)
    found: dict[int, set[tuple[str, ...]]] = {size: set() for size in range(2, m + 1)}
    for items in sorted(lists):
        ordered = sorted(items, key=lambda item: (supports[item], item))
        others = ordered[_RAREST:]
        if len(others) > _OTHERS:
            others = sorted(chance.sample(others, _OTHERS), key=lambda item: (supports[item], item))
        for size, combinations in found.items():
            combinations.update(itertools.combinations([*ordered[:_RAREST], *others], size))
    looks = max(_LOOKS, 2 * sum(supports.values())) // len(found)
    most = _COMBINATIONS // len(found)
    return [c for each in found.values() for c in _choose(each, supports, records, most, looks, chance)]


def _table(combinations: Sequence[tuple[str, ...]]) -> Any:
    pa = _classes.arrow()
    return pa.table({
        "place": pa.array(range(len(combinations)), pa.int32()),
        "item": pa.array([c[0] for c in combinations], pa.string()),
        "others": pa.array([c[1:] for c in combinations], pa.list_(pa.string())),
    })  # fmt: skip


def count(engine: Engine, column: str, m: int, least: int, records: int, seed: int, written: bool) -> Counted | None:
    """Count items and combinations of the lists of `column`; None: fewer than `least` lists hold one of them."""
    counted = engine.items(column, written)
    supports: dict[str, int] = dict(zip(counted["item"].to_pylist(), counted["people"].to_pylist(), strict=True))
    if any(support < least for support in supports.values()):
        return None
    chosen: list[tuple[str, ...]] = []
    if m > 1 and supports:
        number = max(1, _LISTS // len(supports))
        rarest = sorted(supports, key=lambda item: (supports[item], item))[:_LISTS]
        shares = {item: min(1.0, number / supports[item]) for item in rarest}
        chosen = draw(engine.lists_with(column, shares, seed, written), supports, m, records, seed)
        held = engine.supports(column, _table(chosen), written)
        if len(held) < len(chosen) or any(support < least for support in held.values()):
            return None
    return Counted(len(supports), [sum(len(c) == size for c in chosen) for size in range(2, m + 1)])
