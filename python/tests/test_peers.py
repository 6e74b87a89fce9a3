"""pyCANON agrees on k, l and t of ten releases, of which ANJANA made two. Skipped where they cannot be had."""

from __future__ import annotations

import random
from typing import Any

import pandas as pd
import pytest

import kanon

anonymity = pytest.importorskip("pycanon.anonymity")
QI = ["age", "sex", "region"]


def people() -> pd.DataFrame:
    chance = random.Random(11)
    n = 600
    return pd.DataFrame(
        {
            "age": [18 + int(60 * chance.random() * chance.random()) for _ in range(n)],
            "sex": [chance.choice("fm") for _ in range(n)],
            "region": [f"r{int(6 * chance.random())}" for _ in range(n)],
            "illness": [chance.choice(["flu", "flu", "flu", "asthma", "migraine", "fracture"]) for _ in range(n)],
        }
    )


def ours(**options: Any) -> pd.DataFrame:
    options = {"k": 4, **options}
    return kanon.anonymize(people(), qi=QI, sensitive="illness", **options).to_pandas()


def anjana(k: int) -> pd.DataFrame:
    theirs = pytest.importorskip("anjana.anonymity")
    if int(pd.__version__.partition(".")[0]) > 3:
        pytest.skip("ANJANA takes texts as objects only, of which pandas 4 makes none by itself")
    tens = {str(a): f"{a // 10}0s" for a in range(18, 80)}
    levels = {
        "age": {0: list(tens), 1: list(tens.values()), 2: ["*"] * len(tens)},
        "sex": {0: ["f", "m"], 1: ["*", "*"]},
        "region": {0: [f"r{i}" for i in range(6)], 1: ["*"] * 6},
    }
    with pd.option_context("future.infer_string", False):  # ANJANA takes texts as objects only
        made = theirs.k_anonymity(people().astype({"age": str}), [], QI, k, 5, levels)
    return made.reset_index(drop=True)


RELEASES = {
    "local": lambda: ours(),
    "local-10": lambda: ours(k=10),
    "mondrian": lambda: ours(method="mondrian"),
    "mondrian-25": lambda: ours(method="mondrian", k=25),
    "flash": lambda: ours(method="flash", suppression=0.05),
    "cluster": lambda: ours(method="cluster", k=3),
    "diverse": lambda: ours(guarantee=["k-anonymity", "l-diversity"], l=3, method="mondrian"),
    "close": lambda: ours(guarantee=["k-anonymity", "t-closeness"], t=0.25, method="mondrian"),
    "anjana": lambda: anjana(5),
    "anjana-20": lambda: anjana(20),
}


@pytest.mark.parametrize("name", sorted(RELEASES))
def test_same_k_l_and_t(name: str) -> None:
    release = RELEASES[name]()
    texts = release.astype({q: str for q in QI})
    roles = {"qi": QI, "sensitive": "illness"}
    assert kanon.check(release, k=2, **roles)["achieved"]["k"] == anonymity.k_anonymity(texts, QI)
    found = kanon.check(release, guarantee="l-diversity", l=2, **roles)["achieved"]["l"]
    assert found == anonymity.l_diversity(texts, QI, ["illness"])
    found = kanon.check(release, guarantee="t-closeness", t=0.5, distance="equal", **roles)["achieved"]["t"]
    assert found == pytest.approx(anonymity.t_closeness(texts, QI, ["illness"]), abs=1e-9)
