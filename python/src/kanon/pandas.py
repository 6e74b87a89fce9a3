"""``import kanon.pandas`` adds an accessor to data frames: ``df.kanon.anonymize(qi=["age"], k=5)``."""

from __future__ import annotations

import pandas

from ._accessor import Accessor

pandas.api.extensions.register_dataframe_accessor("kanon")(Accessor)
