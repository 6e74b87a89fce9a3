"""What the calls do: settings and tables in, checked releases and verdicts out."""

from __future__ import annotations

import html
import json
import os
import tempfile
from collections.abc import Iterable, Iterator, Mapping
from contextlib import contextmanager
from typing import Any

from . import _frames, _job, _kanon, _plan
from ._errors import UsageError, WithheldError, call, reword, reword_page
from ._plan import Plan
from ._types import ProgressFunction


class Report(dict[str, Any]):
    """The report of a release: the keys of the JSON report, and the other forms of it."""

    def __init__(self, source: object) -> None:
        super().__init__(json.loads(call(_kanon.text_of, source, "json")))
        self._source = source

    def html(self) -> str:
        """The report as one self-contained HTML page."""
        return reword_page(call(_kanon.text_of, self._source, "html"))

    def text(self) -> str:
        """The summary that the command prints."""
        return reword(call(_kanon.text_of, self._source, "text"))


def _in_python(points: Iterable[Mapping[str, Any]]) -> list[dict[str, Any]]:
    """Points with their remedies in Python's terms."""
    return [{**p, "words": reword(p["words"]), "remedy": reword(p["remedy"])} for p in points]


def _number(value: object) -> str:
    return f"{value:,.4g}" if isinstance(value, float) else f"{value:,}" if isinstance(value, int) else str(value)


class Recoding:
    """What a release made of every value of its quasi-identifiers: to keep, and to apply to the next table."""

    def __init__(
        self, text: str, settings: str, columns: Iterable[Mapping[str, Any]], files: Mapping[str, str] | None = None
    ) -> None:
        self._text = text
        self._settings = settings
        self._columns = list(columns)  # of the release, with their roles
        self._files = files  # what the settings name, by name

    def json(self) -> str:
        """The recoding as JSON; equal recodings have equal bytes."""
        return self._text

    def sql(self, table: str) -> str:
        """The recoding as an SQL query on `table`; a value that is not covered becomes ``*``."""
        return call(_kanon.recoding_sql, self._text, table)

    def apply(self, data: Any) -> Recoded:
        """Recode `data`, with the roles and guarantees of the release, and check it before it is handed out.

        A column that the release did not have is left out where the release left out all others (``rest="drop"``),
        and else refused.

        The result has the same kind of table in ``.data``, its rows in their order, and what is to settle in
        ``.points``, among them that the rows came sorted by a column that is left out or recoded. Raises InputError
        where a value is not covered, and WithheldError where a guarantee does not hold for the result, or a point is
        to settle and the release was made with ``strict=True``.
        """
        source = _frames.stream_source(data)
        wanted = _job.for_next(self._settings, self._columns, _frames.column_names(source))
        with _plan.placed(wanted, self._files) as (settings, here):
            try:
                table, settled = call(here(_kanon.recode), settings, self._text, source, None)
            except UsageError as error:
                if not error.columns:
                    raise
                raise UsageError(
                    error.message, code=error.code, column=error.column, columns=error.columns,
                    remedy="Leave it out of the table, or make a new release, in which it has a role: kanon.anonymize.",
                ) from None  # fmt: skip
        checked = _job.for_release(self._settings, self._columns)
        verdict = Verdict(call(_kanon.check, checked, table, None, [], None))
        if not verdict:
            raise WithheldError(verdict["summary"], code="broken")
        # What was found where the table came in: there its order and the columns that are left out are known.
        verdict.update(state=settled["state"], summary=settled["summary"], points=_in_python(settled["points"]))
        return Recoded(table, data, _changed(self._columns), verdict)

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Recoding) and self._text == other._text

    def __hash__(self) -> int:
        return hash(self._text)

    def __repr__(self) -> str:
        columns = json.loads(self._text)["columns"]
        return f"<kanon.Recoding of {', '.join(c['name'] for c in columns)}>"


def _changed(columns: Iterable[Mapping[str, Any]]) -> frozenset[str]:
    """The names of the columns that a release publishes in other words."""
    return frozenset(c["name"] for c in columns if c["role"] == "quasi-identifier" and c["published"])


def _named(columns: list[dict[str, Any]], names: list[str] | None) -> list[dict[str, Any]]:
    """The columns of a report by their names in the table: a report has none with line ends and the like."""
    if names is None or len(names) != len(columns):
        return columns
    return [{**c, "name": name} for c, name in zip(columns, names, strict=True)]


class _Published:
    """A table that passed its check, as the kind of table that came in, and as others."""

    def __init__(self, table: _kanon.Table, source: object, changed: frozenset[str]) -> None:
        self._table = table
        self._source = _frames.as_it_is(source)
        self._changed = changed

    @property
    def data(self) -> Any:
        """The release as the kind of table that came in."""
        return _frames.like(self._table, self._source, self._changed)

    def to_arrow(self) -> Any:
        """The release as a pyarrow table."""
        return _frames.to_arrow(self._table, self._source, self._changed)

    def to_pandas(self) -> Any:
        """The release as a pandas data frame."""
        return _frames.to_pandas(self._table, self._source, self._changed)

    def to_polars(self) -> Any:
        """The release as a polars data frame."""
        return _frames.to_polars(self._table, self._source, self._changed)

    def __arrow_c_stream__(self, requested_schema: object | None = None) -> object:
        """The release for any library that takes Arrow data."""
        return self._table.__arrow_c_stream__(requested_schema)

    def __len__(self) -> int:
        return len(self._table)


class Recoded(_Published):
    """A table to which a recoding was applied, and which passed its check."""

    def __init__(self, table: _kanon.Table, source: object, changed: frozenset[str], verdict: Verdict) -> None:
        super().__init__(table, source, changed)
        #: What was found when the recoded table was checked.
        self.verdict = verdict

    @property
    def summary(self) -> str:
        """What holds, in a sentence."""
        return str(self.verdict["summary"])

    @property
    def points(self) -> list[dict[str, Any]]:
        """What is to settle before the table is handed on, and what was accepted."""
        return list(self.verdict["points"])

    def __repr__(self) -> str:
        return f"<kanon.Recoded of {len(self):,} records: {self.summary}>"


class Release(_Published):
    """A release that passed its check: the guarantees hold for what is handed out."""

    def __init__(
        self,
        table: _kanon.Table,
        report: Report,
        source: object,
        recoding: str | None,
        settings: str,
        files: Mapping[str, str] | None = None,
    ) -> None:
        self._columns = _named(report["columns"], _frames.column_names(source))
        super().__init__(table, source, _changed(self._columns))
        self._recoding = recoding
        self._settings = settings
        self._files = files
        #: The report, as a dict with ``html()`` and ``text()``.
        self.report = report

    @property
    def recoding(self) -> Recoding:
        """What became of every value, where each became one thing everywhere (flash, apriori); else UsageError."""
        if self._recoding is None:
            raise UsageError(
                f"{self.report['method']} published a value in several ways: there is no recoding to keep",
                code="parameter",
                parameter="method",
                remedy='Take a method that recodes globally: method="flash", for items method="apriori".',
            )
        return Recoding(self._recoding, self._settings, self._columns, self._files)

    @property
    def summary(self) -> str:
        """What holds, in a sentence."""
        return str(self.report["summary"])

    @property
    def points(self) -> list[dict[str, Any]]:
        """What is to settle before the release is handed on, and what was accepted."""
        return _in_python(self.report["points"])

    def __repr__(self) -> str:
        return f"<kanon.Release of {len(self):,} records: {self.summary}>"

    def _repr_html_(self) -> str:
        r = self.report
        achieved = ", ".join(f"{k} = {_number(v)}" for k, v in r["achieved"].items())
        loss = r["utility"].get("loss")
        rows = [
            ("records", f"{_number(r['records']['out'])} of {_number(r['records']['in'])}"),
            ("guarantee", ", ".join(g["name"] for g in r["guarantee"])),
            ("achieved", achieved),
            ("method", r["method"]),
            ("information loss", "" if loss is None else f"{loss:.1%}"),
        ]
        cells = "".join(
            f"<tr><th style='text-align:left'>{html.escape(name)}</th><td style='text-align:left'>"
            f"{html.escape(value)}</td></tr>"
            for name, value in rows
            if value
        )
        points = "".join(
            f"<li>{html.escape(p['words'])} {html.escape(p['remedy'])}</li>" for p in self.points if not p["decided"]
        )
        return (
            "<div style='border:1px solid #888;border-left:.4rem solid #2364aa;border-radius:.4rem;padding:.6rem 1rem;"
            f"max-width:60rem'><strong>{html.escape(self.summary)}.</strong><table>{cells}</table>"
            + (f"<p>To settle:</p><ul>{points}</ul>" if points else "")
            + "</div>"
        )


class Verdict(dict[str, Any]):
    """Whether guarantees hold for a table: true where they do. Keys: guarantee, achieved, violations, points, ..."""

    def __init__(self, found: _kanon.Checked) -> None:
        super().__init__(json.loads(found["verdict"]))
        self.update(state=found["state"], summary=found["summary"], points=_in_python(found["points"]))
        self.update(records=found["records"], classes=found["classes"])

    def __bool__(self) -> bool:
        return bool(self["satisfied"])

    def __repr__(self) -> str:
        return f"<kanon.Verdict: {self['summary']}>"


class Sweep(dict[str, Any]):
    """A job for many values: the keys of its JSON report, among them ``sweep``, an entry per value."""

    def __init__(self, source: object) -> None:
        super().__init__(json.loads(call(_kanon.text_of, source, "json")))
        self._source = source
        for run in self["sweep"]:
            run["points"] = _in_python(run.get("points") or [])
            run["reason"] = run["reason"] and reword(run["reason"])

    def html(self) -> str:
        """The sweep as one self-contained HTML page, with its plots."""
        return reword_page(call(_kanon.text_of, self._source, "html"))

    def text(self) -> str:
        """The table that the command prints."""
        return reword(call(_kanon.text_of, self._source, "text"))

    def plot(self, measure: str | None = None) -> Any:
        """Draw a measure (the first that there is, unless named) and the highest risk over the values.

        With matplotlib installed the result is its axes; otherwise a drawing that a notebook shows as SVG.
        """
        from . import _plot

        return _plot.draw(self, measure)

    def __repr__(self) -> str:
        return self.text()

    def _repr_html_(self) -> str:
        from . import _plot

        return f"<pre>{html.escape(self.text())}</pre>" + _plot.svg(self, None)


# ---- progress ----


@contextmanager
def watched(progress: bool | ProgressFunction | None) -> Iterator[ProgressFunction | None]:
    """The callback that `progress` asks for: True is a bar of tqdm where that is installed."""
    if callable(progress):
        yield progress
        return
    if not progress:
        yield None
        return
    try:
        from tqdm.auto import tqdm
    except ImportError:
        yield None
        return
    with tqdm(total=1.0, bar_format="{desc:12} {percentage:3.0f}%|{bar}| {elapsed}") as bar:

        def show(phase: str, done: float) -> None:
            bar.set_description_str(phase, refresh=False)
            bar.n = max(done, 0.0)
            bar.refresh()

        yield show
        show("done", 1.0)


# ---- the calls ----


def anonymize(
    data: Any, hierarchies: Any, progress: bool | ProgressFunction | None, options: Mapping[str, Any]
) -> Release:
    """Make a release of `data`; kanon.anonymize says how."""
    source = _frames.stream_source(data)
    files, made = _job.hierarchies(hierarchies)
    if not options.get("bag") and not options.get("items_together") and not options.get("join"):
        _frames.refuse_unknown(source, (column for column, _ in made), "hierarchies")
    settings = _job.settings(options, files)
    with watched(progress) as watch:
        table, report, recoding = call(_kanon.anonymize, settings, source, made, watch)
    return Release(table, Report(report), data, recoding, _job.settings(options, {}))


def check(
    data: Any,
    original: Any,
    hierarchies: Any,
    progress: bool | ProgressFunction | None,
    options: Mapping[str, Any],
) -> Verdict:
    """Check `data`; kanon.check says how."""
    source = _frames.stream_source(data)
    before = None if original is None else _frames.stream_source(original)
    files, made = _job.hierarchies(hierarchies)
    with watched(progress) as watch:
        return Verdict(call(_kanon.check, _job.settings(options, files), source, before, made, watch))


def measure(
    original: Any,
    release: Any,
    hierarchies: Any,
    progress: bool | ProgressFunction | None,
    options: Mapping[str, Any],
) -> dict[str, Any]:
    """Measure `release` against `original`; kanon.measure says how."""
    before, after = _frames.stream_source(original), _frames.stream_source(release)
    files, made = _job.hierarchies(hierarchies)
    with watched(progress) as watch:
        found = call(_kanon.measure, _job.settings(options, files), before, after, made, watch)
    return dict(json.loads(found))


def profile(data: Any, progress: bool | ProgressFunction | None, options: Mapping[str, Any]) -> dict[str, Any]:
    """Profile `data`; kanon.profile says how."""
    source = _frames.stream_source(data)
    with watched(progress) as watch:
        found = dict(json.loads(call(_kanon.profile, _job.settings(options, {}), source, watch)))
    for column in found["columns"]:
        column.update({key: reword(column[key]) for key in ("hint", "reason") if column[key]})
    return found


def sweep(data: Any, hierarchies: Any, progress: bool | ProgressFunction | None, options: Mapping[str, Any]) -> Sweep:
    """Run a job for many values; kanon.sweep says how."""
    source = _frames.stream_source(data)
    files, made = _job.hierarchies(hierarchies)
    with watched(progress) as watch:
        return Sweep(call(_kanon.sweep, _job.settings(options, files), source, made, watch))


def init(
    data: Any,
    folder: Any,
    progress: bool | ProgressFunction | None,
    options: Mapping[str, Any],
) -> Plan:
    """Plan how `data` could be published; kanon.init says how."""
    path = os.fspath(data) if isinstance(data, (str, os.PathLike)) else None
    source = None if path is not None else _frames.stream_source(data)
    with tempfile.TemporaryDirectory(prefix="kanon.") as temporary, watched(progress) as watch:
        target = os.path.join(temporary, "plan") if folder is None else os.fspath(folder)
        where = None if path is None else path if folder is not None else os.path.abspath(path)
        found = call(_kanon.plan, _job.settings(options, {}), where, source, target, watch)
        return Plan(found, data, target)


def catalog() -> dict[str, Any]:
    """Every guarantee, method, measure and kind of model, with its parameters, as ``kanon list --json`` prints it."""
    return dict(json.loads(call(_kanon.catalog)))
