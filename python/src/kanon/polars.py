"""``import kanon.polars`` adds a namespace to data frames: ``df.kanon.anonymize(qi=["age"], k=5)``."""

from __future__ import annotations

import polars

from ._accessor import Accessor

polars.api.register_dataframe_namespace("kanon")(Accessor)
