"""What is refused: with the column, the setting, and what would do, in Python's terms."""

from __future__ import annotations

import os
import signal
import sys
import threading
import time
import types
from collections.abc import Callable
from pathlib import Path
from typing import Any, ClassVar

import duckdb
import polars as pl
import pyarrow as pa
import pytest
from conftest import people

import kanon
import kanon.duckdb


def table() -> pa.Table:
    return pa.table(people())


def test_misspelt_column_is_named_with_the_nearest() -> None:
    with pytest.raises(kanon.UsageError, match="did you mean 'age'") as caught:
        kanon.anonymize(table(), qi=["aeg"], rest="drop", k=2)
    assert caught.value.code == "no-column"
    assert caught.value.column == "aeg"
    assert "--" not in str(caught.value)


#: Every call that takes names of columns; each gets a frame, or what an engine holds.
DOORS: dict[str, Callable[..., Any]] = {
    "anonymize": lambda frame, **roles: kanon.anonymize(frame, rest="drop", k=2, **roles),
    "sweep": lambda frame, **roles: kanon.sweep(frame, rest="drop", sweep={"k": [2]}, **roles),
    "check": lambda frame, **roles: kanon.check(frame, k=2, **roles),
    "measure": lambda frame, **roles: kanon.measure(frame, frame, rest="drop", **roles),
    "profile": lambda frame, **roles: kanon.profile(frame, **roles),
    "init": lambda frame, **roles: kanon.init(frame, **roles),
    "duckdb.anonymize": lambda frame, **roles: kanon.duckdb.anonymize(
        *held(frame), "public", rest="drop", k=2, **roles
    ),
    "duckdb.check": lambda frame, **roles: kanon.duckdb.check(*held(frame), k=2, **roles),
}


def held(frame: Any) -> tuple[Any, str]:
    """The frame as a table of DuckDB."""
    con = duckdb.connect()
    con.register("frame", frame)
    return con, "frame"


@pytest.mark.parametrize("door", DOORS)
@pytest.mark.parametrize("role", ["qi", "sensitive"])
def test_a_misspelt_role_is_refused_at_every_door(door: str, role: str) -> None:
    """It would leave the column that was meant as it is."""
    for frame in (table(), table().to_pandas(), pl.from_arrow(table())):
        with pytest.raises(kanon.UsageError, match=f"{role}: there is no column 'aeg'.*did you mean 'age'") as caught:
            DOORS[door](frame, **{"qi": "sex", role: "aeg"})
        assert (caught.value.code, caught.value.column) == ("no-column", "aeg")


def test_a_schema_that_misspells_a_column_is_refused(tmp_path: Path) -> None:
    schema = tmp_path / "schema.json"
    schema.write_text('{"columns": {"aeg": {"role": "quasi-identifier"}, "sex": {"role": "quasi-identifier"}}}')
    for door in ("anonymize", "check"):
        with pytest.raises(kanon.Error, match="did you mean 'age'") as caught:
            DOORS[door](table(), schema=str(schema))
        assert (caught.value.code, caught.value.column) == ("no-column", "aeg")


def test_columns_without_a_role() -> None:
    with pytest.raises(kanon.UsageError, match="no role was chosen") as caught:
        kanon.anonymize(table(), qi=["age"], k=2)
    assert caught.value.code == "no-role"
    assert [c.name for c in caught.value.columns] == ["name", "sex", "city", "illness"]
    assert caught.value.columns[0].suggested == "identifier"
    assert caught.value.remedy is not None and 'rest="drop"' in caught.value.remedy


def test_kept_column_that_singles_out() -> None:
    with pytest.raises(kanon.UsageError) as caught:
        kanon.anonymize(table(), qi=["age"], rest="keep", k=2)
    assert caught.value.code == "singles-out"
    assert caught.value.column == "name"
    release = kanon.anonymize(table(), qi=["age"], rest="keep", k=2, allow_unique="name")
    assert release.report["satisfied"]


def test_uncovered_values() -> None:
    with pytest.raises(kanon.InputError) as caught:
        kanon.anonymize(table(), qi=["city"], rest="drop", k=2, hierarchies={"city": {"Athens": "Attica"}})
    assert caught.value.code == "uncovered"
    assert caught.value.column == "city"
    assert caught.value.remedy is not None and 'uncovered="root"' in caught.value.remedy
    assert "--" not in str(caught.value)


def test_types_that_are_not_supported() -> None:
    bad = pa.table({"age": [1, 2], "blob": pa.array([b"x", b"y"])})
    with pytest.raises(kanon.InputError) as caught:
        kanon.anonymize(bad, qi=["age", "blob"], k=2)
    assert caught.value.code == "type"
    assert caught.value.column == "blob"
    assert len(kanon.anonymize(bad, qi=["age"], rest="drop", k=2)) == 2


def test_not_a_number() -> None:
    bad = pl.DataFrame({"age": [1.0, float("nan")]})
    with pytest.raises(kanon.InputError) as caught:
        kanon.anonymize(bad, qi=["age"], k=2)
    assert caught.value.code == "value"
    assert caught.value.column == "age"


@pytest.mark.parametrize(
    ("options", "parameter"),
    [
        ({}, "guarantee"),
        ({"k": 0}, "k"),
        ({"k": "five"}, "k"),
        ({"guarantee": "t-closeness"}, "t"),
        ({"guarantee": "k-anonymous", "k": 2}, "guarantee"),
        ({"k": 2, "method": "flush"}, "method"),
        ({"k": 2, "suppression": 3}, "suppression"),
        ({"k": 2, "rest": "keeep"}, "rest"),
    ],
)
def test_wrong_settings_are_named(options: dict[str, object], parameter: str) -> None:
    with pytest.raises(kanon.Error) as caught:
        kanon.anonymize(table(), **{"qi": ["age"], "rest": "drop", **options})  # type: ignore[arg-type]
    assert caught.value.code == "parameter"
    assert caught.value.parameter == parameter
    assert "--" not in str(caught.value)


@pytest.mark.parametrize(
    ("options", "remedy"),
    [
        ({}, "Give guarantee=."),
        ({"guarantee": "t-closeness"}, "Give t=."),
        ({"k": 0}, "Change k=, or leave it out."),
        ({"k": 2, "method": "flush"}, "Change method=, or leave it out."),
    ],
)
def test_what_is_absent_is_not_to_be_left_out(options: dict[str, object], remedy: str) -> None:
    with pytest.raises(kanon.UsageError) as caught:
        kanon.anonymize(table(), **{"qi": ["age"], "rest": "drop", **options})  # type: ignore[arg-type]
    assert str(caught.value.remedy).startswith(remedy)


def test_unknown_keyword_is_an_ordinary_type_error() -> None:
    with pytest.raises(TypeError, match="kk"):
        kanon.anonymize(table(), qi=["age"], rest="drop", kk=2)  # type: ignore[call-arg]


def test_infeasible() -> None:
    with pytest.raises(kanon.InfeasibleError):
        kanon.anonymize(table(), qi=["age"], rest="drop", k=201)


def test_strict_hands_nothing_out() -> None:
    with pytest.raises(kanon.WithheldError) as caught:
        kanon.anonymize(table(), qi=["age", "sex"], sensitive="illness", rest="drop", k=2, strict=True)
    assert caught.value.code == "points"


def test_no_table() -> None:
    with pytest.raises(kanon.UsageError, match="Arrow stream"):
        kanon.anonymize([1, 2, 3], qi=["age"], k=2)  # type: ignore[arg-type]


def test_stream_that_fails() -> None:
    def batches() -> object:
        yield pa.record_batch({"age": [1, 2, 3]})
        raise RuntimeError("the disk is gone")

    reader = pa.RecordBatchReader.from_batches(pa.schema({"age": pa.int64()}), batches())
    with pytest.raises(kanon.SystemFailure, match="the disk is gone"):
        kanon.anonymize(reader, qi=["age"], k=2)


def test_exception_in_the_callback_cancels() -> None:
    class Enough(Exception):
        pass

    def stop(phase: str, done: float) -> None:
        raise Enough(phase)

    with pytest.raises(Enough):
        kanon.anonymize(table(), qi=["age", "sex"], rest="drop", k=2, progress=stop)
    assert kanon.anonymize(table(), qi=["age", "sex"], rest="drop", k=2).report["satisfied"]


class Bar:
    """A bar as tqdm has one, which notes what it shows."""

    shown: ClassVar[list[tuple[str, float]]] = []

    def __init__(self, total: float, bar_format: str) -> None:
        self.total, self.n, self.text = total, 0.0, ""

    def set_description_str(self, text: str, refresh: bool = True) -> None:
        self.text = text

    def refresh(self) -> None:
        self.shown.append((self.text, self.n))

    def __enter__(self) -> Bar:
        return self

    def __exit__(self, *exception: object) -> None:
        self.shown.append(("closed", self.n))


def test_a_bar_of_tqdm_shows_the_progress(monkeypatch: pytest.MonkeyPatch) -> None:
    """Up to the end, where there is one; without tqdm there is no bar."""
    monkeypatch.setitem(sys.modules, "tqdm", types.SimpleNamespace())
    monkeypatch.setitem(sys.modules, "tqdm.auto", types.SimpleNamespace(tqdm=Bar))
    monkeypatch.setattr(Bar, "shown", [])
    assert len(kanon.anonymize(table(), qi=["age", "sex"], rest="drop", k=2, progress=True)) == 200
    assert "read" in {phase for phase, _ in Bar.shown}
    assert all(0 <= done <= 1 for _, done in Bar.shown)
    assert Bar.shown[-2:] == [("done", 1.0), ("closed", 1.0)]
    with pytest.raises(kanon.InfeasibleError):
        kanon.anonymize(table(), qi=["age"], rest="drop", k=201, progress=True)
    assert Bar.shown[-1][0] == "closed" and Bar.shown[-2][0] != "done"
    monkeypatch.setitem(sys.modules, "tqdm.auto", None)
    Bar.shown.clear()
    assert kanon.check(table(), qi=["age"], k=2, progress=True) and not Bar.shown


def large() -> pl.DataFrame:
    n = 400_000
    columns = {f"q{j}": [(i * (2 * j + 7919)) % 1009 for i in range(n)] for j in range(5)}
    return pl.DataFrame(columns)


def test_interrupt_cancels() -> None:
    frame = large()
    started = threading.Event()

    def note(phase: str, done: float) -> None:
        started.set()

    def interrupt() -> None:
        started.wait(60)
        os.kill(os.getpid(), signal.SIGINT)

    thread = threading.Thread(target=interrupt)
    thread.start()
    with pytest.raises(KeyboardInterrupt):
        kanon.anonymize(frame, qi=frame.columns, k=5, method="mondrian", progress=note)
    thread.join()


def test_other_threads_run_meanwhile() -> None:
    frame = large()
    ticks = 0
    done = threading.Event()

    def count() -> None:
        nonlocal ticks
        while not done.is_set():
            ticks += 1
            time.sleep(0.001)

    thread = threading.Thread(target=count)
    thread.start()
    before = ticks
    kanon.check(frame, qi=frame.columns, k=2)
    during = ticks - before
    done.set()
    thread.join()
    assert during > 2  # a lock that is held would let it run once at most


def test_a_limit_of_memory_holds_for_its_call_only() -> None:
    frame = large()
    with pytest.raises(kanon.OutOfMemoryError):
        kanon.check(frame, qi=frame.columns, k=2, memory="1M")
    assert kanon.check(frame, qi=frame.columns, k=2)


def test_wording_of_settings() -> None:
    reword = kanon._errors.reword
    assert reword("choose --uncovered suppress (x)") == 'choose uncovered="suppress" (x)'
    assert reword("use --missing-rule own") == 'use missing_rule="own"'
    assert reword("--k 5, or --guarantee NAME (see kanon list guarantees)") == "k=5, or guarantee"
    assert reword("give it with --hierarchy COLUMN=FILE") == "give it with hierarchies"
    assert reword("name them (--qi), or --drop-rest") == 'name them (qi), or rest="drop"'
    assert reword("publish in random order: --shuffle.") == "publish in random order: shuffle=True."
    assert reword("say --class or --method acd") == 'say class_ or method="acd"'
