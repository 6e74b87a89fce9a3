"""Faults in what search and check of many item lists share: the engine's own count and its rows show them."""

from __future__ import annotations

import json
import os
import random
import subprocess
import sys
from collections import Counter
from itertools import combinations
from pathlib import Path
from typing import Any

import duckdb
import pyarrow as pa
import pytest
from conftest import item_tree, random_baskets

import kanon
import kanon.duckdb
from kanon import _engine, _parts, _second

FAULTY = Path(_parts._kanon.__file__).parents[1] / "faulty" / "_kanon.abi3.so"

# The extension with a fault in its partial counts (faulty/partial.c) takes the place of the sound one. For each
# collection of lists it prints what is published without the second count and with it: lists, or why nothing is.
RUN = """
import importlib.util, json, sys
spec = importlib.util.spec_from_file_location("kanon._kanon", sys.argv[1])
sys.modules["kanon._kanon"] = importlib.util.module_from_spec(spec)
spec.loader.exec_module(sys.modules["kanon._kanon"])
import duckdb, pyarrow as pa, kanon, kanon.duckdb
from kanon import _engine, _parts
from conftest import item_tree

_parts._MOST_COUNTED = 200  # several parts
count_again = _engine._count_again
con = duckdb.connect()

def published(m, source):
    try:
        kanon.duckdb.anonymize(
            con, con.sql("FROM source"), "public", most_classes=1, parts=3, qi="items", items="items",
            guarantee="km-anonymity", k=5, m=m, hierarchies={"items": item_tree(60)},
        )
    except kanon.Error as error:
        assert con.sql("SHOW TABLES").fetchall() == []
        return str(error).splitlines()[0]
    made = [items for (items,) in con.sql("SELECT items FROM public").fetchall()]
    con.sql("DROP TABLE public")
    return made

made = []
for m, lists in json.load(sys.stdin):
    source = pa.table({"items": pa.array(lists, pa.list_(pa.string()))})
    _engine._count_again = lambda engine, column, options, verdict, *others, **more: verdict
    alone = published(m, source)
    _engine._count_again = count_again
    made.append([alone, published(m, source)])
print(json.dumps(made))
"""
DISAGREE = "the first count and the second one disagree: kanon has a fault, and nothing is published"


def lists_of(seed: int) -> list[list[str]]:
    """Item lists in which items differ in frequency, so that combinations of some are rare."""
    draw = random.Random(seed)
    return [[f"i{min(int(draw.expovariate(0.06)), 59)}" for _ in range(draw.randint(1, 6))] for _ in range(2500)]


def run(fault: str, m: int, seeds: range) -> list[tuple[Any, Any]]:
    if not FAULTY.exists():
        pytest.skip(f"{FAULTY} is not there: builds with tests have it")
    path = os.pathsep.join([str(Path(__file__).parent), *sys.path])
    done = subprocess.run(
        [sys.executable, "-c", RUN, str(FAULTY)], input=json.dumps([(m, lists_of(seed)) for seed in seeds]),
        capture_output=True, text=True, check=False, env={**os.environ, "PYTHONPATH": path, "KN_FAULT": fault},
    )  # fmt: skip
    assert done.returncode == 0, done.stderr
    return [tuple(pair) for pair in json.loads(done.stdout)]


def rarest(lists: list[list[str]], m: int) -> int:
    """The least support of a combination, by definition."""
    held = Counter(c for items in lists for size in range(1, m + 1) for c in combinations(sorted(items), size))
    return min(held.values())


@pytest.mark.parametrize(
    ("fault", "m"),
    [
        ("no combinations", 2),
        ("no triples", 3),
        ("one too many", 2),
        ("twice", 3),
    ],
)
def test_faults_of_partial_counts_are_found(fault: str, m: int) -> None:
    """Search and check are wrong alike: without a second count there are releases that break their guarantee."""
    broken = 0
    for alone, made in run(fault, m, range(3)):
        if isinstance(alone, list) and rarest(alone, m) < 5:
            broken += 1
            assert made == DISAGREE
    assert broken


@pytest.mark.parametrize("fault", ["nine of ten pairs are lost", "merging forgets"])
def test_answers_that_contradict_each_other_stop_the_search(fault: str) -> None:
    """What is lost differs from question to question, which apriori notices."""
    for alone, made in run(fault, 2, range(2)):
        assert alone == made == "the records that are counted elsewhere changed"


@pytest.mark.parametrize("m", [2, 3])
def test_sound_counts_agree(m: int) -> None:
    ((alone, made),) = run("none", m, range(1))
    assert alone == made
    assert rarest(made, m) >= 5


# ---- rows that are not those that were meant ----

OPTIONS: dict[str, Any] = {
    "qi": "items", "items": "items", "keep": ["shop", "visit"], "allow_unique": ["visit"],
    "guarantee": "km-anonymity", "k": 25, "m": 2, "hierarchies": {"items": item_tree(8)}, "most_classes": 1,
}  # fmt: skip
NOT_MEANT = "what was written is not what was meant"


@pytest.fixture
def con() -> duckdb.DuckDBPyConnection:
    made = duckdb.connect()
    lists = pa.array([["i0", "i1"], ["i1"], *random_baskets(6, 398)], pa.list_(pa.string()))
    source = pa.table({"items": lists, "shop": [f"s{i % 7}" for i in range(400)], "visit": range(400)})  # noqa: F841
    made.execute("CREATE TABLE baskets AS SELECT * FROM source").fetchall()
    return made


def written(change: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """Let a statement change what was written, before it is checked; {table} stands for its name."""
    write = kanon.duckdb._DuckDB.write

    def broken(self: kanon.duckdb._DuckDB, plan: _engine.Plan) -> None:
        write(self, plan)
        self._connection.execute(change.format(table=self._temporary)).fetchall()

    monkeypatch.setattr(kanon.duckdb._DuckDB, "write", broken)


SWAP = "UPDATE {{table}} a SET {0} = b.{0} FROM {{table}} b WHERE (a.visit, b.visit) IN ((0, 1), (1, 0))"


@pytest.mark.parametrize(
    "change",
    [
        SWAP.format("items"),
        SWAP.format("shop"),
        "UPDATE {table} SET shop = NULL WHERE visit = 7",
        "UPDATE {table} SET items = list_reverse(items) WHERE len(items) > 1",  # the order of the originals is not told
        "UPDATE {table} SET items = list_concat(items, items) WHERE visit = 1",
    ],
)
def test_lists_and_cells_of_other_rows_are_found(
    con: duckdb.DuckDBPyConnection, monkeypatch: pytest.MonkeyPatch, change: str
) -> None:
    """The items and the number of rows are those that were meant."""
    written(change, monkeypatch)
    with pytest.raises(kanon.WithheldError, match=NOT_MEANT):
        kanon.duckdb.anonymize(con, "baskets", "public", **OPTIONS)
    assert [t for (t,) in con.sql("SHOW TABLES").fetchall()] == ["baskets"]


def test_lists_that_are_recoded_wrongly_are_found(
    con: duckdb.DuckDBPyConnection, monkeypatch: pytest.MonkeyPatch
) -> None:
    """What DuckDB calls for each list gives two items each other's names."""
    register = kanon.duckdb._DuckDB._register_items

    def broken(self: kanon.duckdb._DuckDB, items: dict[str, _parts.Naming]) -> dict[str, str]:
        (naming,) = items.values()
        names = naming.names.to_pylist()
        other = next(i for i, name in enumerate(names) if name != names[0])
        names[0], names[other] = names[other], names[0]
        return register(self, {"items": _parts.Naming(naming.items, pa.array(names, naming.names.type))})

    monkeypatch.setattr(kanon.duckdb._DuckDB, "_register_items", broken)
    with pytest.raises(kanon.WithheldError, match=NOT_MEANT):
        kanon.duckdb.anonymize(con, "baskets", "public", **OPTIONS)


def test_names_that_are_not_those_of_the_recoding_are_found(
    con: duckdb.DuckDBPyConnection, monkeypatch: pytest.MonkeyPatch
) -> None:
    recode = _engine._kanon.recode_values

    def broken(settings: str, recoding: str, data: object) -> Any:
        return pa.table(recode(settings, recoding, data)).take(pa.array([1, 0, *range(2, 8)]))

    monkeypatch.setattr(_engine._kanon, "recode_values", broken)
    with pytest.raises(kanon.WithheldError, match="what items become is not what the recoding says"):
        kanon.duckdb.anonymize(con, "baskets", "public", **OPTIONS)


# ---- what is drawn, and what is said ----


def test_what_was_counted_again_is_said(con: duckdb.DuckDBPyConnection) -> None:
    release = kanon.duckdb.anonymize(con, "baskets", "public", **OPTIONS)
    recount = release.verdict["recount"]
    rows = [items for (items,) in con.sql("SELECT items FROM public").fetchall()]
    pairs = {pair for items in rows for pair in combinations(items, 2)}
    assert recount["items"] == len({item for items in rows for item in items})
    assert recount["combinations"] == [len(pairs)]  # there are few
    assert recount["words"] == f"all {recount['items']} single items, {len(pairs)} drawn combinations of 2"
    asked = {n: OPTIONS[n] for n in ("qi", "items", "guarantee", "k", "m", "most_classes")}
    assert kanon.duckdb.check(con, "public", **asked)["recount"] == recount


def test_lists_are_drawn_in_any_order(con: duckdb.DuckDBPyConnection) -> None:
    con.execute("CREATE TABLE mixed AS FROM baskets ORDER BY hash(rowid)").fetchall()

    def drawn(table: str, seed: int) -> list[list[str]]:
        engine = kanon.duckdb._DuckDB(con, table, None)
        found = engine.lists_with("items", {"i0": 1.0, "i1": 0.1, "i2": 0.1}, seed, written=False)
        every = con.sql(
            f"SELECT DISTINCT list_sort(list_distinct(items)) AS l FROM {table} WHERE l <> ['i0']"
        ).fetchall()
        assert [items for (items,) in every if "i0" in items and items not in found] == []
        assert 0 < sum("i0" not in items for items in found) < sum("i0" not in items for (items,) in every)
        return sorted(sorted(items) for items in found)

    assert drawn("baskets", 1) == drawn("mixed", 1) != drawn("mixed", 2)


def test_combinations_that_should_be_rare_come_first(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(_second, "_COMBINATIONS", 4)
    supports = {"a": 5, "b": 6, "c": 500, "d": 600, "e": 700}
    lists = [["e", "d", "c", "b", "a"], ["c", "d"]]
    chosen = _second.draw(lists, supports, 3, 1000, 7)
    assert chosen[0] == ("a", "b")
    assert chosen[2] == ("a", "b", "c")
    assert [len(c) for c in chosen] == [2, 2, 3, 3]
    assert chosen == _second.draw(lists[::-1], supports, 3, 1000, 7)
    assert chosen != _second.draw(lists, supports, 3, 1000, 8)
