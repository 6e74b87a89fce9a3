"""What ``df.kanon`` has: the functions of the package, for this data frame."""

from __future__ import annotations

from typing import Any

from . import _calls
from ._api import Release, Sweep, Verdict
from ._plan import Plan


class Accessor:
    """The functions of kanon, with the data frame as their first argument."""

    def __init__(self, frame: Any) -> None:
        self._frame = frame

    def anonymize(self, **settings: Any) -> Release:
        """Make a release of the data frame: see kanon.anonymize."""
        return _calls.anonymize(self._frame, **settings)

    def check(self, **settings: Any) -> Verdict:
        """Check whether guarantees hold for the data frame: see kanon.check."""
        return _calls.check(self._frame, **settings)

    def measure(self, release: Any, **settings: Any) -> dict[str, Any]:
        """Measure how much of the data frame was lost in `release`: see kanon.measure."""
        return _calls.measure(self._frame, release, **settings)

    def profile(self, **settings: Any) -> dict[str, Any]:
        """Look at the data frame: see kanon.profile."""
        return _calls.profile(self._frame, **settings)

    def init(self, **settings: Any) -> Plan:
        """Plan how the data frame could be published: see kanon.init."""
        return _calls.init(self._frame, **settings)

    def sweep(self, **settings: Any) -> Sweep:
        """Compare releases of the data frame for many values: see kanon.sweep."""
        return _calls.sweep(self._frame, **settings)
