"""Arguments of Python as the settings of a job."""

from __future__ import annotations

import json
import operator
import os
from collections.abc import Iterable, Mapping
from typing import Any

from ._errors import UsageError
from ._settings import KINDS

#: The largest number of a setting: JSON has no larger integer, nor infinity.
_MOST = 2**63 - 1

_REST = {"drop": "drop_rest", "keep": "keep_rest", "suggested": "accept_suggested"}


def _text(name: str, value: Any) -> str:
    """A text that the library can take: its texts are UTF-8 and end at a NUL."""
    text = str(value)
    if "\0" in text or any("\ud800" <= c <= "\udfff" for c in text):
        raise UsageError(
            f"{name}: {text!r} holds a NUL or half a character, which no text of a table can",
            code="parameter", parameter=name,
        )  # fmt: skip
    return text


def _texts(name: str, value: Any) -> list[str]:
    """A list of texts; one text stands for itself."""
    if isinstance(value, str):
        return [_text(name, value)]
    if not isinstance(value, Iterable):
        raise UsageError(f"{name} must be a text or a list of texts", code="parameter", parameter=name)
    return [_text(name, v) for v in value]


def _plain(name: str, value: Any) -> Any:
    """A value as JSON writes it: numbers of numpy and the like are numbers."""
    if value is None or isinstance(value, (bool, int, float)):
        if value is not None and not -_MOST <= value <= _MOST:  # among these what is no number
            raise UsageError(
                f"{name}: {value} is no number that a setting can have: at most {_MOST}", code="parameter",
                parameter=name,
            )  # fmt: skip
        return value
    if isinstance(value, str):
        return _text(name, value)
    if isinstance(value, os.PathLike):  # some parameters of methods name files
        return _text(name, os.fsdecode(value))
    if isinstance(value, (list, tuple, set, frozenset, range)):
        return [_plain(name, v) for v in value]
    if type(value).__module__ == "numpy" and hasattr(value, "item"):
        return _plain(name, value.item() if getattr(value, "ndim", 0) == 0 else value.tolist())
    try:
        return operator.index(value)
    except TypeError:
        pass
    try:
        return float(value)
    except (TypeError, ValueError):
        raise UsageError(
            f"{name} is neither a number nor a text: {value!r}", code="parameter", parameter=name
        ) from None


def _joined(name: str, value: Any) -> Any:
    """Several names as the settings write them: separated by commas, in quotes where they need them, as in CSV."""
    if isinstance(value, (list, tuple)):
        return ",".join(_element(_text(name, v)) for v in value)
    return _plain(name, value)


def _element(text: str) -> str:
    if "," in text or text.startswith(('"', " ")) or text.endswith(" "):
        return '"' + text.replace('"', '""') + '"'
    return text


def _path(name: str, value: Any) -> str:
    try:
        return os.fsdecode(value)
    except TypeError:
        raise UsageError(f"{name} must be a path", code="parameter", parameter=name) from None


def _setting(name: str, kind: str, value: Any) -> Any:
    if kind in ("list", "texts", "paths"):
        return _texts(name, value)
    if kind in ("map", "path_map"):
        if not isinstance(value, Mapping):
            raise UsageError(f"{name} must be a dict", code="parameter", parameter=name)
        return {_text(name, k): _path(name, v) if kind == "path_map" else _joined(name, v) for k, v in value.items()}
    if kind == "path":
        return _path(name, value)
    return _plain(name, value)


def _sweep(value: Any) -> list[str]:
    """What to sweep over, as settings write it: k=2,5,10."""
    if not isinstance(value, Mapping) or not value:
        raise UsageError(
            'sweep must be a dict from parameters to values: sweep={"k": [2, 5, 10]}',
            code="parameter",
            parameter="sweep",
        )
    return [f"{str(name).rstrip('_').replace('_', '-')}={','.join(_swept(v))}" for name, v in value.items()]


def _swept(value: Any) -> list[str]:
    """The values of one parameter; one number stands for itself."""
    return _texts("sweep", value if isinstance(value, (str, Iterable)) else [_plain("sweep", value)])


def settings(options: Mapping[str, Any], files: Mapping[str, Any]) -> str:
    """The job that `options` describe, with the `files` of hierarchies, as JSON; what is None is left out."""
    job: dict[str, Any] = dict(files)
    for name, value in options.items():
        if value is None:
            continue
        if name == "rest":
            if value not in _REST:
                raise UsageError(
                    f'rest={value!r} is not one of "drop", "keep" and "suggested"',
                    code="parameter",
                    parameter="rest",
                )
            job[_REST[value]] = True
            continue
        if name == "sweep":
            job["sweep"] = _sweep(value)
            continue
        key = name.rstrip("_")
        job[key] = _setting(name, KINDS[key], value)
    return json.dumps(job)


#: What says which roles columns have, how rows become records, and how a release is made: a table that is
#: published has been through it.
_ONLY_MAKING = frozenset(
    {
        "id", "qi", "sensitive", "keep", "drop", "drop_rest", "keep_rest", "accept_suggested", "schema",
        "bag", "nulls", "group_by", "collect", "join", "join_on", "join_items", "items_together",
        "method", "suppression", "item_suppression", "suppressed", "shuffle", "strict", "uncovered",
    }
)  # fmt: skip
_ROLES = {"quasi-identifier": "qi", "sensitive": "sensitive", "kept": "keep"}


def for_release(settings: str, columns: Iterable[Mapping[str, Any]]) -> str:
    """The settings with which a release is checked whose report has these `columns`."""
    job = {k: v for k, v in json.loads(settings).items() if k not in _ONLY_MAKING}
    for column in columns:
        if column["published"] and column["role"] in _ROLES:
            job.setdefault(_ROLES[column["role"]], []).append(column["name"])
    return json.dumps(job)


_ALL_ROLES = {**_ROLES, "identifier": "id", "dropped": "drop"}


def for_next(settings: str, columns: Iterable[Mapping[str, Any]], present: Iterable[str] | None) -> str:
    """The settings for the next table, after a release whose report has these `columns`.

    Columns have the roles that they had there. One that is new needs a role, unless the release left out all others:
    neither what is suggested for the next table nor that others were kept says what becomes of it. What was left out
    need not be there: `present` are the names of the next table, None: it does not tell.
    """
    job = json.loads(settings)
    suggested, kept = job.pop(_REST["suggested"], False), job.pop(_REST["keep"], False)
    if not suggested and not kept:
        return settings
    named = {name for key in _ALL_ROLES.values() for name in job.get(key, ())}
    names = None if present is None else set(present)
    for column in columns:
        key = _ALL_ROLES.get(column["role"])
        needless = key in ("id", "drop") and names is not None and column["name"] not in names
        if key and column["name"] not in named and not needless:
            job.setdefault(key, []).append(column["name"])
    return json.dumps(job)


# ---- hierarchies ----


def _is_path(value: Any) -> bool:
    return isinstance(value, (str, os.PathLike))


def _no_rows(column: str) -> UsageError:
    return UsageError(
        f"hierarchies[{column!r}] is neither a path nor a dict nor rows of labels",
        code="parameter",
        column=column,
        parameter="hierarchies",
        remedy='Give a dict from values to groups, such as {"Athens": ["Attica", "Greece"]}, or a path.',
    )


def _groups(column: str, given: Any) -> list[Any]:
    """The groups of a value, from the smallest to the largest; one text or number stands for itself."""
    if given is None:
        raise _no_rows(column)
    return list(given) if isinstance(given, Iterable) and not isinstance(given, (str, bytes)) else [given]


def _rows(column: str, source: Any) -> list[list[str]]:
    """The rows of a hierarchy, from each value to the root: `*`, where they do not end with one."""
    if type(source).__name__ == "Series" and hasattr(source, "to_dict"):  # pandas: values to groups
        source = source.to_dict()
    if isinstance(source, Mapping):
        rows: Iterable[Iterable[Any]] = ([k, *_groups(column, v)] for k, v in source.items())
    elif hasattr(source, "iter_rows"):  # polars
        rows = source.iter_rows()
    elif hasattr(source, "itertuples"):  # pandas
        rows = source.itertuples(index=False, name=None)
    elif hasattr(source, "to_pylist"):  # pyarrow
        rows = [list(row.values()) for row in source.to_pylist()]
    else:
        rows = source
    try:
        rows = list(rows)
        if any(isinstance(row, str) for row in rows):
            raise _no_rows(column)
        made = [[_text("hierarchies", label) for label in row if label is not None] for row in rows]
    except TypeError:
        raise _no_rows(column) from None
    if len({row[-1] for row in made if row}) != 1 or any(len(row) < 2 for row in made):
        return [[*row, "*"] for row in made]
    return made


def hierarchies(given: Any) -> tuple[dict[str, Any], list[tuple[str, list[list[str]]]]]:
    """What to add to the settings for hierarchies in files, and those that are made here."""
    if given is None:
        return {}, []
    if _is_path(given):
        return {"hierarchies": os.fspath(given)}, []
    if not isinstance(given, Mapping):
        raise UsageError(
            "hierarchies must be a dict from columns to hierarchies, or the path of a folder",
            code="parameter",
            parameter="hierarchies",
        )
    files: dict[str, Any] = {}
    made: list[tuple[str, list[list[str]]]] = []
    for column, source in given.items():
        if _is_path(source):
            files[str(column)] = os.fspath(source)
        elif isinstance(source, (list, tuple)) and source and all(_is_path(s) for s in source):
            files[str(column)] = [os.fspath(s) for s in source]
        else:
            made.append((str(column), _rows(str(column), source)))
    return ({"hierarchy": files} if files else {}), made
