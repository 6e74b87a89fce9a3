"""Exceptions: what the library refuses, with the column, the setting and what would do, in Python's terms."""

from __future__ import annotations

import html
import json
import re
from collections.abc import Callable
from typing import NamedTuple, NoReturn, TypeVar

from . import _kanon
from ._settings import CHOICES, FLAGS, KEYWORDS

T = TypeVar("T")


class OpenColumn(NamedTuple):
    """A column about which a decision is open, and what we would make of it."""

    name: str
    column: int
    kind: str
    suggested: str
    reason: str


class Error(Exception):
    """What kanon refuses or cannot do.

    ``code`` says which kind of mistake it is (such as ``"no-column"``), ``column`` and ``parameter`` what it is about
    (or None), ``remedy`` what would do, and ``columns`` lists all columns with open decisions.
    """

    def __init__(
        self,
        message: str,
        *,
        code: str = "other",
        column: str | None = None,
        parameter: str | None = None,
        remedy: str | None = None,
        general: str | None = None,
        columns: tuple[OpenColumn, ...] = (),
    ) -> None:
        super().__init__(message if remedy is None else f"{message}\n{remedy}")
        self.message = message
        self.code = code
        self.column = column
        self.parameter = parameter
        self.remedy = (general or _general(code, column, parameter)) if remedy is None else remedy
        self.columns = columns


class UsageError(Error, ValueError):
    """An argument makes no sense, or a decision is open."""


class InputError(Error, ValueError):
    """The data, a hierarchy or a schema is bad."""


class InfeasibleError(Error):
    """The guarantee cannot be met; the message says what could be."""


class WithheldError(Error):
    """The release failed its own check, or points are to settle: nothing is handed out."""


class OutOfMemoryError(Error, MemoryError):
    """Out of memory, or of the limit that was set."""


class SystemFailure(Error, OSError):
    """The operating system refused, or the data could not be read to their end."""


class Cancelled(Error):
    """The work was asked to stop."""


_CLASSES: dict[int, type[Error]] = {
    1: UsageError,
    2: InputError,
    3: InfeasibleError,
    4: WithheldError,
    5: OutOfMemoryError,
    6: SystemFailure,
    7: Cancelled,
}

_BAD_INPUT = 2

#: What would do, by the code of an error, where its message does not say it.
REMEDIES = {
    "no-role": 'Name the role of each: qi=, sensitive=, keep=, drop= or id=; or decide for all others: rest="drop".',
    "singles-out": "Make it a quasi-identifier (qi=), drop it (drop=), or allow it by name: allow_unique=[{column!r}].",
    "type": "Cast column {column!r} to numbers, texts, dates or lists of them, drop it (drop=[{column!r}]), or publish "
    "it as it is (keep=[{column!r}]).",
    "uncovered": 'Add the values to hierarchies[{column!r}], or choose uncovered="suppress" or uncovered="root".',
    "no-hierarchy": "Give one: hierarchies={{{column!r}: {{...}}}}, from each value to its groups; dates without a "
    "time of day need none (.dt.date of pandas, .dt.date() of polars).",
    "duplicate-column": "Rename one of them, or leave one out.",
    "suppression": "Raise {parameter}, or give a hierarchy: hierarchies={{{column!r}: ...}}.",
    "points": "Settle the points, accept them by name (accept_point=[...]), or leave strict out.",
    "memory": 'Raise the limit (memory="8G"), use a machine with more, or give a smaller table.',
    "no-records": "Give a table with at least one column and one row.",
}

#: The same of messages that say it themselves, at more length.
_IN_THE_MESSAGE = {
    "no-column": "Name a column of the table instead of {column!r}, or leave it out.",
    "value": 'Correct the values of column {column!r}, or declare it as texts: type={{{column!r}: "category"}}.',
    "uncovered": "Make a new release, whose recoding covers the values.",
    "infeasible": "Ask for less (a smaller k, say), allow more to be left out (suppression=), or give hierarchies=.",
    "mismatch": "Give the original first and its own release second, with the hierarchies of the release.",
    "broken": "Make a new release of this table: kanon.anonymize.",
}


def _setting_help(parameter: str) -> str | None:
    name = parameter.rstrip("_").replace("_", "-")
    return next((reword(s[5]) for s in _kanon.settings() if s[0] == name), None)


def _general(code: str, column: str | None, parameter: str | None, absent: bool = False) -> str:
    """What would do about a mistake of this kind; `absent`: the setting was not given."""
    if code == "file":
        if not parameter:
            return "Check that it is there, that it can be read or written, and that there is room; then try again."
        where = f"hierarchies={{{column!r}: ...}}" if column else f"{parameter}=..."
        return f"Correct what it holds, or name another that is there and can be read: {where}"
    if code == "parameter" and parameter is not None:
        about = _setting_help(parameter)
        what = f"Give {parameter}=" if absent else f"Change {parameter}=, or leave it out"
        return what + (f". It is: {about}." if about else ".")
    words = _IN_THE_MESSAGE.get(code) or REMEDIES.get(code)
    return (
        "Change what the message names; help(kanon.anonymize) lists every setting."
        if words is None
        else words.format(column=column, parameter=parameter)
    )


# Words of the command that stand for something else than a setting of the same name.
_WORDS = {
    "drop-rest": 'rest="drop"',
    "keep-rest": 'rest="keep"',
    "accept-suggested": 'rest="suggested"',
    "hierarchy": "hierarchies",
}
_SETTING = re.compile(
    r"(?<![^\s(>])--([a-z][a-z-]*)((?: |=)('[^']*'|,(?=[ ;,]|$)|[A-Za-z0-9_.%*-]+(?:[,=][A-Za-z0-9_.%*-]+)*))?"
)


# What a message says in the terms of the command beyond single settings, and what Python says there.
_PHRASES: tuple[tuple[re.Pattern[str], str | Callable[[re.Match[str]], str]], ...] = (
    (re.compile(r"settings: | \(see kanon list guarantees\)| \(-o\)"), ""),
    (
        re.compile(r"Build one \(kanon hierarchy build .*?-o FILE\) and give it with --hierarchy"),
        "Give one with hierarchies",
    ),
    (re.compile(r"make one with kanon hierarchy build"), "make one, a dict from each item to its groups"),
    (re.compile(r"\((?:see )?kanon list [a-z]+\)"), "(kanon.catalog() lists them)"),
    (re.compile(r"kanon list [a-z]+"), "kanon.catalog()"),
    (re.compile(r"\(see --mapping\)"), "(release.recoding says what is in each)"),
    (re.compile(r"`?\bkanon (anonymize|check|init|measure|profile|sweep)\b`?"), r"kanon.\1"),
    (re.compile(r"--hierarchy ([^()]+?)=FILE"), lambda m: _of_column("hierarchies", m.group(1), "...")),
    (re.compile(r"--accept-point ('[^'\n]*'|\S+)"), lambda m: f"accept_point={_points(m.group(1))}"),
    (re.compile(r"--type '([^']*)=([a-z]+)'"), lambda m: _of_column("type", m.group(1), f'"{m.group(2)}"')),
)


def _of_column(keyword: str, column: str, value: str) -> str:
    """A setting that is a dict by column; COLUMN and the like stand for any."""
    return (
        keyword if column == column.upper() and column in ("COLUMN", "CLASS") else f"{keyword}={{{column!r}: {value}}}"
    )


def _points(text: str) -> str:
    """The names of points as a list; in quotes it is one name."""
    names = [text[1:-1]] if text.startswith("'") else text.split(",")
    return "[" + ", ".join(f'"{name}"' for name in names) + "]"


def _value(name: str, text: str) -> str | None:
    """The argument of a setting as Python writes it; None: the word after the setting is no argument."""
    if text.startswith("'"):
        return text
    if re.fullmatch(r"[0-9]+(\.[0-9]+)?", text):
        return text
    if name in CHOICES:
        return f'"{text}"' if text in CHOICES[name] else None
    return None


def _reword_one(match: re.Match[str]) -> str:
    name, rest, argument = match.group(1), match.group(2) or "", match.group(3) or ""
    if name in _WORDS:
        upper = argument == argument.upper() and argument != ""  # COLUMN=FILE
        return _WORDS[name] + ("" if upper else rest)
    keyword = KEYWORDS.get(name, name.replace("-", "_"))
    if name in FLAGS:
        return f"{keyword}=True{rest}"
    if argument and argument == argument.upper() and argument[0].isalpha():
        return keyword  # FILE, NAME: what help calls an argument
    value = _value(name, argument) if argument else None
    return f"{keyword}={value}" if value is not None else keyword + rest


def reword(message: str) -> str:
    """Write the settings that a message of the library names as keywords."""
    for pattern, words in _PHRASES:
        message = pattern.sub(words, message)
    return _SETTING.sub(_reword_one, message)


def reword_page(page: str) -> str:
    """The same of a page, which marks settings as code; what the caller said in it stays as it is."""
    return re.sub(
        "<code>(--[^<]*)</code>",
        lambda m: f"<code>{html.escape(reword(html.unescape(m.group(1))), quote=False)}</code>",
        page.replace("<code>--areas FILE</code> writes them all", "the recoding of the release has them all"),
    )


def _is_absent(parameter: str, settings: object) -> bool:
    """Whether `settings`, the first argument of most functions of the extension, lack this one."""
    if not parameter or not isinstance(settings, str) or not settings.startswith("{"):
        return False
    given = json.loads(settings)
    guarantees = given.get("guarantee")
    inside = guarantees if isinstance(guarantees, list) else []
    return parameter not in given and not any(isinstance(g, dict) and parameter in g for g in inside)


def _raise(failure: _kanon.Failure, settings: object) -> NoReturn:
    status, code, column, parameter, message, opened = failure.args
    columns = tuple(OpenColumn(*c)._replace(reason=reword(c[4])) for c in opened or ())
    remedy = REMEDIES.get(code)
    if remedy is not None:
        remedy = remedy.format(column=column, parameter=parameter)
    if code == "uncovered":
        first, _, advice = message.partition("\n")
        if advice:  # the same in the command's terms
            message = first
        else:  # by a recoding, which says itself what would do
            remedy = None
    name = parameter.replace("_", "-")
    keyword = _WORDS[name].partition("=")[0] if name in _WORDS else KEYWORDS.get(name, parameter)
    if code == "file":  # the message says what the operating system or the reader said
        remedy = _general(code, column, keyword)
    general = _general(code, column or None, keyword or None, _is_absent(parameter, settings))
    # Settings travel as a file of a job does; here they are arguments.
    kind = UsageError if code == "parameter" and status == _BAD_INPUT else _CLASSES.get(status, Error)
    raise kind(
        reword(message),
        code=code,
        column=column or None,
        parameter=keyword or None,
        remedy=remedy,
        general=general,
        columns=columns,
    ) from None


def call(function: Callable[..., T], *args: object) -> T:
    """Call a function of the extension; its failures become exceptions of this module."""
    try:
        return function(*args)
    except _kanon.Failure as failure:
        _raise(failure, args[0] if args else None)
