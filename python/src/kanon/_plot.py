"""Drawings of sweeps: by matplotlib where that is installed, otherwise as SVG of our own."""

from __future__ import annotations

import html
from collections.abc import Mapping
from typing import Any

from ._errors import UsageError

_WIDTH, _HEIGHT, _LEFT, _RIGHT, _TOP, _BOTTOM = 560, 300, 60, 60, 20, 60
_COLOURS = ("#2364aa", "#c1440e")


class Drawing:
    """A drawing that a notebook shows; ``svg`` is its text."""

    def __init__(self, svg: str) -> None:
        self.svg = svg

    def _repr_html_(self) -> str:
        return self.svg


def _series(
    sweep: Mapping[str, Any], measure: str | None
) -> tuple[list[str], str, list[float | None], list[float | None]]:
    """Labels of the values, the measure's name, its values and the highest risks; None where a value cannot be met."""
    runs = sweep["sweep"]
    known = list(dict.fromkeys(name for run in runs for name in run.get("utility") or {}))
    name = measure or next((n for n in ("loss", "ncp", "ul") if n in known), known[0] if known else "")
    if measure is not None and measure not in known:
        raise UsageError(
            f"the sweep has no measure {measure!r}",
            code="parameter",
            parameter="measure",
            remedy=f"Choose one of {', '.join(known)}.",
        )
    labels = [", ".join(str(v) for v in run["values"].values()) for run in runs]
    values = [(run.get("utility") or {}).get(name) for run in runs]
    risks = [((run.get("risk") or {}).get("after") or {}).get("prosecutor_max") for run in runs]
    return labels, name, values, risks


def draw(sweep: Mapping[str, Any], measure: str | None) -> Any:
    """Axes of matplotlib, or a Drawing."""
    try:
        from matplotlib import pyplot
    except ImportError:
        return Drawing(svg(sweep, measure))
    labels, name, values, risks = _series(sweep, measure)
    _, axes = pyplot.subplots()
    places = range(len(labels))
    axes.plot(places, [float("nan") if v is None else v for v in values], marker="o", color=_COLOURS[0])
    axes.set_xticks(list(places), labels)
    axes.set_xlabel(sweep["parameter"])
    axes.set_ylabel(name, color=_COLOURS[0])
    if any(r is not None for r in risks):
        other = axes.twinx()
        other.plot(places, [float("nan") if r is None else r for r in risks], marker="s", color=_COLOURS[1])
        other.set_ylabel("highest risk", color=_COLOURS[1])
        other.set_ylim(bottom=0)
    axes.set_ylim(bottom=0)
    return axes


def _line(values: list[float | None], colour: str, right: bool) -> list[str]:
    """The marks of one series, the line between them, and its largest value at its axis."""
    present = [v for v in values if v is not None]
    top = max(present, default=0) or 1.0
    step = (_WIDTH - _LEFT - _RIGHT) / max(len(values) - 1, 1)
    points = [
        (_LEFT + i * step, _HEIGHT - _BOTTOM - v / top * (_HEIGHT - _TOP - _BOTTOM))
        for i, v in enumerate(values)
        if v is not None
    ]
    path = " ".join(f"{x:.1f},{y:.1f}" for x, y in points)
    where = f'x="{_WIDTH - _RIGHT + 6}"' if right else f'x="{_LEFT - 6}" text-anchor="end"'
    return [
        f'<polyline points="{path}" fill="none" stroke="{colour}"/>',
        *(f'<circle cx="{x:.1f}" cy="{y:.1f}" r="3" fill="{colour}"/>' for x, y in points),
        f'<text {where} y="{_TOP + 4}" fill="{colour}">{top:.3g}</text>',
        f'<text {where} y="{_HEIGHT - _BOTTOM + 4}" fill="{colour}">0</text>',
    ]


def svg(sweep: Mapping[str, Any], measure: str | None) -> str:
    """The sweep as a drawing in SVG."""
    labels, name, values, risks = _series(sweep, measure)
    step = (_WIDTH - _LEFT - _RIGHT) / max(len(labels) - 1, 1)
    bottom = _HEIGHT - _BOTTOM
    parts = [
        f'<svg xmlns="http://www.w3.org/2000/svg" width="{_WIDTH}" height="{_HEIGHT}" font-size="12" '
        'font-family="sans-serif">',
        f'<path d="M{_LEFT},{_TOP}V{bottom}H{_WIDTH - _RIGHT}V{_TOP}" fill="none" stroke="#888"/>',
        *_line(values, _COLOURS[0], False),
    ]
    if any(r is not None for r in risks):
        parts += _line(risks, _COLOURS[1], True)
        parts.append(
            f'<text x="{_WIDTH - _RIGHT}" y="{_HEIGHT - 8}" text-anchor="end" fill="{_COLOURS[1]}">highest risk</text>'
        )
    parts.append(f'<text x="{_LEFT}" y="{_HEIGHT - 8}" fill="{_COLOURS[0]}">{html.escape(name)}</text>')
    parts += [
        f'<text x="{_LEFT + i * step:.1f}" y="{bottom + 18}" text-anchor="middle">{html.escape(label)}</text>'
        for i, label in enumerate(labels)
    ]
    middle = (_LEFT + _WIDTH - _RIGHT) / 2
    parts.append(
        f'<text x="{middle}" y="{_HEIGHT - 24}" text-anchor="middle">{html.escape(str(sweep["parameter"]))}</text>'
    )
    return "".join([*parts, "</svg>"])
