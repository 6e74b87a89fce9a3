"""Plans: roles, hierarchies and guarantees that ``kanon.init`` found by looking at a table."""

from __future__ import annotations

import html
import json
import os
import tempfile
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any, Protocol, TypeVar

from . import _frames, _job, _kanon
from ._errors import UsageError, call, reword
from ._types import ProgressFunction

if TYPE_CHECKING:
    from ._api import Release

T = TypeVar("T")


class Here(Protocol):
    """What makes a function of one, which names files of a plan in its failures as `Plan.write` names them."""

    def __call__(self, function: Callable[..., T]) -> Callable[..., T]:
        """That function."""


def _as_it_is(function: Callable[..., T]) -> Callable[..., T]:
    return function


_ROLES = ("identifier", "quasi-identifier", "sensitive", "kept", "dropped")
_FILES_OF_A_JOB = ("comment", "input", "output", "report")


def _write(folder: Path, files: Mapping[str, str]) -> None:
    (folder / "hierarchies").mkdir(parents=True)
    for name, text in files.items():
        (folder / name).write_text(text)


@contextmanager
def placed(settings: str, files: Mapping[str, str] | None) -> Iterator[tuple[str, Here]]:
    """The settings with the schema of `files`, which are on disk meanwhile, and what to call functions with them by."""
    if files is None:
        yield settings, _as_it_is
        return
    with tempfile.TemporaryDirectory(prefix="kanon.") as temporary:
        folder = os.path.join(temporary, "plan")
        _write(Path(folder), files)

        def here(function: Callable[..., T]) -> Callable[..., T]:
            def run(*arguments: object) -> T:
                try:
                    return function(*arguments)
                except _kanon.Failure as failure:
                    words = (a.replace(folder + os.sep, "") if isinstance(a, str) else a for a in failure.args)
                    failure.args = tuple(words)
                    raise

            return run

        yield json.dumps({**json.loads(settings), "schema": os.path.join(folder, "schema.json")}), here


def _instead(job: dict[str, Any], settings: Mapping[str, Any]) -> dict[str, Any]:
    """The job with these settings; one that a guarantee of it has takes the place of that."""
    made: dict[str, Any] = json.loads(json.dumps(job))
    if "guarantee" in settings:
        made["guarantee"] = settings["guarantee"]
    for name, value in settings.items():
        having = [g for g in made.get("guarantee", ()) if isinstance(g, dict) and name in g]
        for guarantee in having or [made]:
            guarantee[name] = value
    return made


class Plan:
    """How a table could be published, to look at and to change: what ``kanon init`` writes, and says.

    ``schema`` and ``job`` are the JSON files as dicts, ``hierarchies`` the files by column, ``columns`` what was found
    of each column, ``notes`` what else to confirm.
    """

    def __init__(self, found: _kanon.Planned, source: object, folder: str) -> None:
        here = Path(folder)
        self._source = source
        self.records = found["records"]
        self.columns = found["columns"]
        for column in self.columns:
            column["reason"] = reword(column["reason"])
            column["hierarchy"] = column["hierarchy"] and reword(column["hierarchy"])
        self.notes = [reword(n) for n in found["notes"]]
        self.group_by = found["group_by"]
        self.schema: dict[str, Any] = json.loads((here / "schema.json").read_text())
        self.job: dict[str, Any] = json.loads((here / "job.json").read_text())
        self.hierarchies = {p.stem: p.read_text() for p in sorted((here / "hierarchies").glob("*.csv"))}

    def write(self, folder: str | os.PathLike[str]) -> None:
        """Write schema.json, hierarchies/ and job.json into a new folder, as ``kanon init`` does.

        The job of a table in memory names no input: ``kanon anonymize TABLE -o RELEASE --job FOLDER/job.json`` runs it.
        """
        Path(folder).mkdir()
        _write(Path(folder), self._files())

    def _files(self) -> dict[str, str]:
        """What `write` writes, by name."""
        found = {f"hierarchies/{column}.csv": text for column, text in self.hierarchies.items()}
        for name, content in (("schema.json", self.schema), ("job.json", self.job)):
            found[name] = json.dumps(content, indent=2, ensure_ascii=False) + "\n"
        return found

    def anonymize(
        self,
        data: Any = None,
        *,
        hierarchies: Any = None,
        progress: bool | ProgressFunction | None = None,
        **settings: Any,
    ) -> Release:
        """Make a release as the plan says; arguments of kanon.anonymize come beside it, or instead.

        `data` is the table that was looked at, unless another is given. Raises what kanon.anonymize raises.
        """
        from ._api import Release, Report, watched

        given = self._source if data is None else data
        if isinstance(given, (str, os.PathLike)):
            raise UsageError(
                "the plan was made from a file, and a release is made of a table in memory",
                code="parameter",
                parameter="data",
                remedy="Read the table and give it: plan.anonymize(df); or write the plan and run its job.",
            )
        source = _frames.stream_source(given)
        files, made = _job.hierarchies(hierarchies)
        _frames.refuse_unknown(source, (column for column, _ in made), "hierarchies")
        job = {k: v for k, v in self.job.items() if k not in _FILES_OF_A_JOB}
        job = _instead(job, json.loads(_job.settings(settings, {})))
        written = self._files()
        with placed(json.dumps({**job, **files}), written) as (text, here), watched(progress) as watch:
            table, report, recoding = call(here(_kanon.anonymize), text, source, made, watch)
        return Release(table, Report(report), given, recoding, json.dumps(job), written)

    # ---- words ----

    def _doubts(self) -> list[str]:
        lines: list[str] = []
        last: _kanon.PlannedColumn | None = None
        names: list[str] = []
        for c in [*(c for c in self.columns if c["doubtful"] or c["fan_out"]), None]:
            same = (
                c is not None
                and last is not None
                and not c["fan_out"]
                and not last["fan_out"]
                and (c["role"], c["reason"]) == (last["role"], last["reason"])
            )
            if last is not None and not same:
                words = f"{last['role']}, because {last['reason']}" if last["doubtful"] else ""
                if last["fan_out"]:
                    words += ("; " if words else "") + str(last["hierarchy"])
                lines.append(f"  {', '.join(names)}: {words}")
                names = []
            if c is not None:
                names.append(c["name"])
            last = c
        return lines

    def text(self) -> str:
        """What ``kanon init`` prints: the columns by role, what it was unsure of, and notes."""
        lines = []
        for role in _ROLES:
            names = [c["name"] for c in self.columns if c["role"] == role]
            if names:
                lines.append(f"{role:<17} {', '.join(names)}")
        lists = ("set", "bag", "numbers")
        if any(c["role"] == "quasi-identifier" and c["type"] not in lists for c in self.columns):
            if any(c["role"] == "sensitive" for c in self.columns):
                found = "Only some sensitive columns are recognised"
            else:
                found = (
                    "No column is called sensitive, so the release hides which record is whose, "
                    "but not what a group of records has in common"
                )
            lines += [
                "",
                f"{found}. If a column says what others must not learn about a person, such as an illness or an "
                "income, give it the role sensitive.",
            ]
        doubts = self._doubts()
        if doubts:
            lines += ["", "unsure of:", *doubts]
        if self.group_by is not None:
            values = next(c["values"] for c in self.columns if c["name"] == self.group_by)
            lines += [
                "",
                f"note: rows with the same {self.group_by} become one record ({self.records} rows, {values} records), "
                "with the first value of each column; to publish all values of one, collect them (docs/rt.md).",
            ]
        lines += [f"note: {note}" for note in self.notes]
        return "\n".join(lines) + "\n"

    def __repr__(self) -> str:
        return self.text()

    def _repr_html_(self) -> str:
        head = "".join(f"<th style='text-align:left'>{h}</th>" for h in ("column", "type", "role", "why", "hierarchy"))
        rows = "".join(
            "<tr>"
            + "".join(
                f"<td style='text-align:left'>{html.escape(str(cell or ''))}</td>"
                for cell in (c["name"], c["type"], c["role"], ("UNSURE: " if c["doubtful"] else "") + c["reason"],
                             c["hierarchy"])
            )
            + "</tr>"
            for c in self.columns
        )  # fmt: skip
        notes = "".join(f"<li>{html.escape(n)}</li>" for n in self.notes)
        return f"<table><tr>{head}</tr>{rows}</table>" + (f"<ul>{notes}</ul>" if notes else "")
