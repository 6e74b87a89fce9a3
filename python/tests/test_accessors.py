"""The accessor of pandas and the namespace of polars."""

from __future__ import annotations

import pandas as pd
import polars as pl
from conftest import ROLES, people

import kanon
import kanon.pandas
import kanon.polars


def test_accessor_of_pandas() -> None:
    df = pd.DataFrame(people())
    made = df.kanon.anonymize(**ROLES)
    pd.testing.assert_frame_equal(made.data, kanon.anonymize(df, **ROLES).data)
    assert not df.kanon.check(qi=["age", "sex"], k=5)
    assert df.kanon.measure(made, qi=["age", "sex"], rest="drop")["utility"]["loss"] > 0
    assert len(df.kanon.profile()["columns"]) == 5
    assert df.kanon.init().text() == kanon.init(df).text()
    assert df.kanon.sweep(qi=["age"], rest="drop", sweep={"k": [2, 5]})["feasible"] == 2


def test_namespace_of_polars() -> None:
    df = pl.DataFrame(people())
    made = df.kanon.anonymize(**ROLES)
    assert made.data.equals(kanon.anonymize(df, **ROLES).data)
    assert made.data.kanon.check(qi=["age", "sex"], k=5)
