"""Plans: roles, hierarchies and guarantees that ``kanon.init`` found by looking at a table."""

from __future__ import annotations

import html
import json
import os
import tempfile
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeVar

from . import _frames, _job, _kanon
from ._errors import UsageError, call, reword

if TYPE_CHECKING:
    from ._api import Release

T = TypeVar("T")

_ROLES = ("identifier", "quasi-identifier", "sensitive", "kept", "dropped")
_FILES_OF_A_JOB = ("comment", "input", "output", "report")


def _here(function: Callable[..., T], folder: str) -> Callable[..., T]:
    """The function, with files of a plan in its messages named as `Plan.write` names them."""

    def run(text: str, source: object) -> T:
        try:
            return function(text, source, [], None)
        except _kanon.Failure as failure:
            failure.args = tuple(a.replace(folder + os.sep, "") if isinstance(a, str) else a for a in failure.args)
            raise

    return run


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
        self.notes = [reword(n) for n in found["notes"]]
        self.group_by = found["group_by"]
        self.schema: dict[str, Any] = json.loads((here / "schema.json").read_text())
        self.job: dict[str, Any] = json.loads((here / "job.json").read_text())
        self.hierarchies = {p.stem: p.read_text() for p in sorted((here / "hierarchies").glob("*.csv"))}

    def write(self, folder: str | os.PathLike[str]) -> None:
        """Write schema.json, hierarchies/ and job.json into a new folder, as ``kanon init`` does.

        The job of a table in memory names no input: ``kanon anonymize TABLE -o RELEASE --job FOLDER/job.json`` runs it.
        """
        here = Path(folder)
        here.mkdir()
        (here / "hierarchies").mkdir()
        for column, text in self.hierarchies.items():
            (here / "hierarchies" / f"{column}.csv").write_text(text)
        (here / "schema.json").write_text(json.dumps(self.schema, indent=2, ensure_ascii=False) + "\n")
        (here / "job.json").write_text(json.dumps(self.job, indent=2, ensure_ascii=False) + "\n")

    def anonymize(self, data: Any = None, **settings: Any) -> Release:
        """Make a release as the plan says; `settings` of kanon.anonymize come beside it, or instead.

        `data` is the table that was looked at, unless another is given. Raises what kanon.anonymize raises.
        """
        from ._api import Release, Report

        source = self._source if data is None else data
        if isinstance(source, (str, os.PathLike)):
            raise UsageError(
                "the plan was made from a file, and a release is made of a table in memory",
                code="parameter",
                parameter="data",
                remedy="Read the table and give it: plan.anonymize(df); or write the plan and run its job.",
            )
        job = {k: v for k, v in self.job.items() if k not in _FILES_OF_A_JOB}
        job.update(json.loads(_job.settings(settings, {})))
        with tempfile.TemporaryDirectory(prefix="kanon.") as temporary:
            self.write(Path(temporary) / "plan")
            job["schema"] = os.path.join(temporary, "plan", "schema.json")
            text = json.dumps(job)
            made = call(_here(_kanon.anonymize, os.path.join(temporary, "plan")), text, _frames.stream_source(source))
        return Release(made[0], Report(made[1]), source, made[2], text)

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
