"""Publish data about people with a checked guarantee.

import kanon

release = kanon.anonymize(df, qi=["age", "sex", "postcode"], sensitive="diagnosis", rest="drop", k=5)
release.data            # the same kind of data frame, 5-anonymous: checked before it was handed out
release.report.html()   # what was done, what is left, what an attacker can still do
"""

from ._api import Recoded, Recoding, Release, Report, Sweep, Verdict, catalog
from ._calls import anonymize, check, init, measure, profile, sweep
from ._errors import (
    Cancelled,
    Error,
    InfeasibleError,
    InputError,
    OpenColumn,
    OutOfMemoryError,
    SystemFailure,
    UsageError,
    WithheldError,
)
from ._kanon import Table
from ._kanon import version as __version__
from ._plan import Plan

__all__ = [
    "Cancelled",
    "Error",
    "InfeasibleError",
    "InputError",
    "OpenColumn",
    "OutOfMemoryError",
    "Plan",
    "Recoded",
    "Recoding",
    "Release",
    "Report",
    "Sweep",
    "SystemFailure",
    "Table",
    "UsageError",
    "Verdict",
    "WithheldError",
    "__version__",
    "anonymize",
    "catalog",
    "check",
    "init",
    "measure",
    "profile",
    "sweep",
]
