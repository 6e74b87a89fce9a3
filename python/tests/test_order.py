"""The order of the rows changes nothing: costs are summed exactly, so nothing is chosen by how a sum was rounded."""

from __future__ import annotations

import random
from typing import Any

import duckdb
import pyarrow as pa
import pytest
from conftest import item_tree, random_baskets, rows_of

import kanon
import kanon.duckdb

OBJECTIVES = next(
    parameter["choices"]
    for method in kanon.catalog()["methods"]
    if method["name"] == "flash"
    for parameter in method["parameters"]
    if parameter["name"] == "objective"
)
NAMES = ["q0", "q1", "q2", "q3"]
VALUES = 9
TREES = {
    name: {f"v{i}": [f"a{i // (2 + n % 2)}", f"b{i // 6}", "*"] for i in range(VALUES)} for n, name in enumerate(NAMES)
}
#: Columns that are alike but for the order of their values cost the same: only rounding could tell their nodes apart.
WEIGHTS = {"q0": 0.1, "q1": 0.3, "q2": 0.7, "q3": 0.9}
#: The same of items.
WEIGHED = {f"i{n}": weight for n, weight in enumerate([0.1, 0.3, 0.7, 0.9, 1 / 3, 0.6, 0.2, 0.55])}


def drawn_table(seed: int) -> pa.Table:
    draw = random.Random(seed)
    rows = draw.randint(50, 300)
    columns = {name: [f"v{int(VALUES * draw.random() * draw.random())}" for _ in range(rows)] for name in NAMES}
    return pa.table({**columns, "class": [draw.choice("xyz") for _ in range(rows)]})


def in_another_order(table: pa.Table, seed: int) -> pa.Table:
    places = list(range(table.num_rows))
    random.Random(seed + 1).shuffle(places)
    return table.take(places)


def of_flash(table: pa.Table, seed: int) -> Any:
    """What is made of a table: the recoding, every measure as it is, to its last bit, and the rows."""
    draw = random.Random(seed)
    options: dict[str, Any] = {
        "qi": NAMES, "sensitive": "class", "k": draw.randint(2, 8), "method": "flash",
        "objective": OBJECTIVES[seed % len(OBJECTIVES)], "suppression": draw.choice([0, 0.1, 0.3]),
        "hierarchies": TREES, "weight": WEIGHTS if seed % 2 else None,
    }  # fmt: skip
    release = kanon.anonymize(table, **options)
    return release.recoding.json(), release.report["utility"], rows_of(pa.table(release))


@pytest.mark.parametrize("objective", OBJECTIVES)
def test_rows_in_another_order_give_the_same_release(objective: str) -> None:
    for seed in range(OBJECTIVES.index(objective), 240, len(OBJECTIVES)):
        table = drawn_table(seed)
        assert of_flash(table, seed) == of_flash(in_another_order(table, seed), seed), seed


def test_item_lists_in_another_order_give_the_same_release() -> None:
    found = []
    for seed in range(60):
        table = pa.table({"items": pa.array(random_baskets(seed, 150), pa.list_(pa.string()))})
        options = {
            "qi": "items", "items": "items", "guarantee": "km-anonymity", "k": 3 + seed % 5, "m": 1 + seed % 3,
            "method": "apriori", "hierarchies": {"items": item_tree(8)}, "item_weight": WEIGHED if seed % 2 else None,
        }  # fmt: skip
        made = [kanon.anonymize(t, **options) for t in (table, in_another_order(table, seed))]
        for release in made:
            del release.report["utility"]["query_error"]  # of queries about drawn records
        one, other = ((r.recoding.json(), r.report["utility"], rows_of(pa.table(r))) for r in made)
        assert one == other, seed
        found.append(one[0])
    assert len(set(found)) > 10  # other lists have other recodings


def test_duckdb_gives_the_same_release_in_any_order_of_rows_and_classes() -> None:
    """Several threads return the groups in an order that no query asked for."""
    con = duckdb.connect()
    for seed in range(4):
        table = drawn_table(seed)
        options = {
            "qi": NAMES, "sensitive": "class", "k": 3, "suppression": 0.1, "hierarchies": TREES, "weight": WEIGHTS,
            "objective": ["loss", "ncp", "precision", "discernibility"][seed],
        }  # fmt: skip
        whole = kanon.anonymize(table, method="flash", **options)
        for order, rows in enumerate((table, in_another_order(table, seed))):
            con.register("rows", rows)
            made = kanon.duckdb.anonymize(con, "rows", f"public_{seed}_{order}", **options)
            assert made.recoding.json() == whole.recoding.json()
            assert made.measures["utility"]["loss"] == whole.report["utility"]["loss"]
            assert rows_of(con.table(f"public_{seed}_{order}").to_arrow_table()) == rows_of(pa.table(whole))
