"""The settings of tables that an engine holds."""

from __future__ import annotations

import operator
import os
from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from ._errors import UsageError
from ._frames import nearest
from ._settings import KINDS

#: Settings that mean the same for rows that an engine holds; all others are refused.
_ROLES = ("qi", "items", "sensitive", "id", "keep", "drop", "rest", "allow_unique")
_BY_COLUMN = ("type", "weight")
_OF_CLASSES = (
    "missing", "missing_rule", "codes", "uncovered", "guarantee", "k", "l", "diversity", "c", "t", "distance",
    "m", "recount", "method", "objective", "subtree", "suppression", "threads", "memory", "seed",
    "sigma", "exact_up_to", "attacker", "certificate_delta", "coordinates", "edges", "outline", "error", "distances",
    "runs", "samples", "paper",
)  # fmt: skip

#: Guarantees of item lists, and the method that reaches each; the last draws from the original when it is checked.
OF_ITEMS = {"km-anonymity": "apriori", "sigma-km-anonymity": "sampling"}
SAMPLED_GUARANTEE = "sigma-km-anonymity"


def refuse_others(options: Mapping[str, Any]) -> None:
    taken = (*_ROLES, *_BY_COLUMN, *_OF_CLASSES)
    for name in options:
        if name not in taken and name.rstrip("_") not in KINDS:
            raise TypeError(f"there is no keyword argument {name!r}{nearest(name, taken)}")
    for name, value in options.items():
        if value is not None and name not in taken:
            raise UsageError(
                f"{name} is not for tables that an engine holds", code="parameter", parameter=name,
                remedy="Leave it out, or use kanon.anonymize on a table in memory.",
            )  # fmt: skip
    if options.get("rest") == "suggested":
        raise UsageError(
            'rest="suggested" looks at all rows, which the engine holds', code="parameter", parameter="rest",
            remedy="Name the roles: qi=, sensitive=, keep=, drop=; kanon.profile on a sample suggests some.",
        )  # fmt: skip


def for_columns(options: Mapping[str, Any], qi: Sequence[str], sensitive: Sequence[str]) -> dict[str, Any]:
    """The settings for a table that has these columns only."""
    made = {name: options[name] for name in _OF_CLASSES if options.get(name) is not None}
    made["items"] = [c for c in names(options.get("items")) if c in qi] or None
    for name in _BY_COLUMN:
        if options.get(name):
            made[name] = {c: v for c, v in options[name].items() if c in (*qi, *sensitive)}
    return {**made, "qi": list(qi), "sensitive": list(sensitive) or None}


def names(value: Any) -> list[str]:
    return [value] if isinstance(value, str) else [] if value is None else list(value)


def listed(options: Mapping[str, Any]) -> dict[str, Any]:
    """The options with lists in place of what can be read once only: they are looked at often."""
    return {
        name: list(value)
        if KINDS.get(name) == "list" and isinstance(value, Iterable) and not isinstance(value, str)
        else value
        for name, value in options.items()
    }


def whole(name: str, value: Any, least: int, most: int, why: str = "") -> int:
    """A whole number in a range."""
    try:
        number = operator.index(value)
    except TypeError:
        number = least - 1
    if isinstance(value, bool) or not least <= number <= most:
        raise UsageError(
            f"{name} is {value!r}: give a whole number from {least} to {most}" + (f", {why}" if why else ""),
            code="parameter", parameter=name,
        )  # fmt: skip
    return number


def no_quasi_identifier() -> UsageError:
    return UsageError(
        "no column is a quasi-identifier", code="parameter", parameter="qi",
        remedy="Name what an attacker may know: qi=[...].",
    )  # fmt: skip


def needs_values(options: Mapping[str, Any]) -> bool:
    """Whether classes differ by the values of sensitive columns, not by their sizes alone."""
    asked = any(options.get(name) is not None for name in ("l", "c", "diversity", "t", "distance"))
    others = not {"k-anonymity", *OF_ITEMS}.issuperset(names(options.get("guarantee")))
    return asked or others or options.get("objective") == "classification"


def name_of(output: Any) -> str:
    """The name or path of what is published."""
    try:
        return os.fsdecode(output)
    except TypeError:
        raise UsageError("output is neither a name nor a path", code="parameter", parameter="output") from None
