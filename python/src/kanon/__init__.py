"""Publish data about people with a checked guarantee.

import kanon

release = kanon.anonymize(df, qi=["age", "sex", "postcode"], sensitive="diagnosis", rest="drop", k=5)
release.data            # the same kind of data frame, 5-anonymous: checked before it was handed out
release.report.html()   # what was done, what is left, what an attacker can still do
"""

from ._api import Recoding, Release, Report, Verdict, catalog
from ._calls import anonymize, check, measure, profile
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

__all__ = [
    "Cancelled",
    "Error",
    "InfeasibleError",
    "InputError",
    "OpenColumn",
    "OutOfMemoryError",
    "Recoding",
    "Release",
    "Report",
    "SystemFailure",
    "Table",
    "UsageError",
    "Verdict",
    "WithheldError",
    "__version__",
    "anonymize",
    "catalog",
    "check",
    "measure",
    "profile",
]
