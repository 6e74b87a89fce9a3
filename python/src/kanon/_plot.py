"""Drawings of sweeps: by matplotlib where that is installed, otherwise as SVG of our own."""

from __future__ import annotations

import html
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from ._errors import UsageError

_WIDTH, _HEIGHT, _LEFT, _RIGHT, _TOP, _BOTTOM = 560, 300, 60, 60, 20, 60
_COLOURS = ("#2364aa", "#c1440e")
#: So many letters of labels have room below the axis.
_LETTERS = 60


class Drawing:
    """A drawing that a notebook shows; ``svg`` is its text."""

    def __init__(self, svg: str) -> None:
        self.svg = svg

    def _repr_html_(self) -> str:
        return self.svg


@dataclass(frozen=True)
class _Series:
    """What is drawn: a mark per run; None where the values cannot be met."""

    labels: list[str]
    name: str
    values: list[float | None]
    risks: list[float | None]
    #: One parameter, whose values are numbers: only then does a line from one run to the next mean anything.
    joined: bool

    @property
    def wide(self) -> bool:
        """Whether the labels have no room side by side."""
        return len(self.labels) * (max(map(len, self.labels)) + 3) > _LETTERS


def _series(sweep: Mapping[str, Any], measure: str | None) -> _Series:
    runs = sweep["sweep"]
    known = list(dict.fromkeys(name for run in runs for name in run.get("utility") or {}))
    name = measure or next((n for n in ("loss", "ncp", "ul") if n in known), known[0] if known else "")
    if measure is not None and measure not in known:
        raise UsageError(
            f"the sweep has no measure {measure!r}",
            code="parameter",
            parameter="measure",
            remedy=f"Choose one of {', '.join(known)}." if known else "No value of the sweep can be met: try others.",
        )
    labels = [
        ", ".join(str(v) for v in run["values"].values()) + ("" if run.get("utility") else " (cannot be met)")
        for run in runs
    ]
    values = [(run.get("utility") or {}).get(name) for run in runs]
    risks = [((run.get("risk") or {}).get("after") or {}).get("prosecutor_max") for run in runs]
    joined = all(len(r["values"]) == 1 and isinstance(v, (int, float)) for r in runs for v in r["values"].values())
    return _Series(labels, name, values, risks, joined)


def draw(sweep: Mapping[str, Any], measure: str | None) -> Any:
    """Axes of matplotlib, or a Drawing."""
    try:
        from matplotlib import pyplot
    except ImportError:
        return Drawing(svg(sweep, measure))
    s = _series(sweep, measure)
    _, axes = pyplot.subplots(layout="constrained")
    places = range(len(s.labels))
    line = "-" if s.joined else ""

    def mark(on: Any, values: list[float | None], marker: str, colour: str, name: str) -> None:
        numbers = [float("nan") if v is None else v for v in values]
        on.plot(places, numbers, marker=marker, linestyle=line, color=colour)
        on.set_ylabel(name, color=colour)
        on.set_ylim(bottom=0)

    mark(axes, s.values, "o", _COLOURS[0], s.name)
    axes.set_xticks(list(places), s.labels, rotation=30 if s.wide else 0, ha="right" if s.wide else "center")
    axes.set_xlim(-0.5, len(s.labels) - 0.5)
    axes.set_xlabel(sweep["parameter"])
    if any(r is not None for r in s.risks):
        mark(axes.twinx(), s.risks, "s", _COLOURS[1], "highest risk")
    return axes


def _line(values: list[float | None], colour: str, right: bool, joined: bool, bottom: int) -> list[str]:
    """The marks of one series, the line between them, and its largest value at its axis."""
    present = [v for v in values if v is not None]
    top = max(present, default=0) or 1.0
    step = (_WIDTH - _LEFT - _RIGHT) / len(values)
    points = [
        (_LEFT + (i + 0.5) * step, bottom - v / top * (bottom - _TOP)) for i, v in enumerate(values) if v is not None
    ]
    path = " ".join(f"{x:.1f},{y:.1f}" for x, y in points)
    where = f'x="{_WIDTH - _RIGHT + 6}"' if right else f'x="{_LEFT - 6}" text-anchor="end"'
    return [
        *([f'<polyline points="{path}" fill="none" stroke="{colour}"/>'] if joined else []),
        *(f'<circle cx="{x:.1f}" cy="{y:.1f}" r="3" fill="{colour}"/>' for x, y in points),
        f'<text {where} y="{_TOP + 4}" fill="{colour}">{top:.3g}</text>',
        f'<text {where} y="{bottom + 4}" fill="{colour}">0</text>',
    ]


def svg(sweep: Mapping[str, Any], measure: str | None) -> str:
    """The sweep as a drawing in SVG."""
    s = _series(sweep, measure)
    step = (_WIDTH - _LEFT - _RIGHT) / max(len(s.labels), 1)
    bottom = _HEIGHT - _BOTTOM
    height = _HEIGHT + (3 * max(len(label) for label in s.labels) if s.wide else 0)
    parts = [
        f'<svg xmlns="http://www.w3.org/2000/svg" width="{_WIDTH}" height="{height}" font-size="12" '
        'font-family="sans-serif">',
        f'<path d="M{_LEFT},{_TOP}V{bottom}H{_WIDTH - _RIGHT}V{_TOP}" fill="none" stroke="#888"/>',
        *_line(s.values, _COLOURS[0], False, s.joined, bottom),
    ]
    if any(r is not None for r in s.risks):
        parts += _line(s.risks, _COLOURS[1], True, s.joined, bottom)
        parts.append(
            f'<text x="{_WIDTH - _RIGHT}" y="{height - 8}" text-anchor="end" fill="{_COLOURS[1]}">highest risk</text>'
        )
    parts.append(f'<text x="{_LEFT}" y="{height - 8}" fill="{_COLOURS[0]}">{html.escape(s.name)}</text>')
    for i, label in enumerate(s.labels):
        x, y = _LEFT + (i + 0.5) * step, bottom + 18
        turned = f'text-anchor="end" transform="rotate(-30 {x:.1f} {y})"' if s.wide else 'text-anchor="middle"'
        parts.append(f'<text x="{x:.1f}" y="{y}" {turned}>{html.escape(label)}</text>')
    middle = (_LEFT + _WIDTH - _RIGHT) / 2
    parts.append(
        f'<text x="{middle}" y="{height - 8}" text-anchor="middle">{html.escape(str(sweep["parameter"]))}</text>'
    )
    return "".join([*parts, "</svg>"])
