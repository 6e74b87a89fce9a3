"""What the tests share: tables of people that do not exist, and the command of the same build."""

from __future__ import annotations

import os
import random
import shutil
import subprocess
from collections import Counter
from dataclasses import dataclass
from io import BytesIO
from pathlib import Path
from typing import Any

import pyarrow as pa
import pytest
from pyarrow import csv, parquet


@pytest.fixture(scope="session")
def command() -> str:
    """The kanon command: that of the build under test, or the wheel's."""
    found = os.environ.get("KANON") or shutil.which("kanon")
    if not found:
        pytest.skip("no kanon command")
    return found


@pytest.fixture(scope="session")
def adult() -> Path:
    """The folder of the census table Adult and its hierarchies, where it is there."""
    folder = Path(os.environ.get("SHARED_DATA", "/nowhere")) / "adult"
    if not (folder / "adult.csv.zst").exists():
        pytest.skip(f"{folder} is not there")
    return folder


def people(n: int = 200) -> dict[str, list[object]]:
    """A small table: two quasi-identifiers, one sensitive column, one that is kept, one to drop."""
    return {
        "name": [f"p{i}" for i in range(n)],
        "age": [20 + (i * 7) % 50 for i in range(n)],
        "sex": ["f" if i % 2 else "m" for i in range(n)],
        "city": [("Athens", "Patras", "Volos")[i % 3] for i in range(n)],
        "illness": [("flu", "cold", "asthma", "none")[(i // 2) % 4] for i in range(n)],
    }


ROLES = {"qi": ["age", "sex"], "sensitive": "illness", "keep": ["city"], "drop": ["name"], "k": 5}


def run(*arguments: object) -> subprocess.CompletedProcess[str]:
    return subprocess.run([str(a) for a in arguments], capture_output=True, text=True, check=False)


@dataclass(frozen=True)
class Made:
    """What the command makes of a file: settings for Python, the original, the recoding, the rows of the release."""

    options: dict[str, Any]
    original: Path
    recoding: str
    rows: Counter[tuple[Any, ...]]


@pytest.fixture(scope="session")
def adult_by_command(adult: Path, command: str, tmp_path_factory: pytest.TempPathFactory) -> Made:
    """Adult with flash; the original as Parquet."""
    folder = tmp_path_factory.mktemp("adult")
    qi = ["age", "sex", "race", "marital-status", "education", "native-country", "workclass"]
    done = run(
        command, "anonymize", adult / "adult.csv.zst", "-o", folder / "out.csv", "--method", "flash", "--hierarchies",
        adult / "hierarchies", "--recoding", folder / "recoding.json", "--qi", ",".join(qi), "--sensitive",
        "occupation", "--drop-rest", "--k", "5", "--suppression", "0.02",
    )  # fmt: skip
    assert done.returncode == 0, done.stderr
    text = subprocess.run(["zstd", "-dc", adult / "adult.csv.zst"], capture_output=True, check=True).stdout
    original = csv.read_csv(BytesIO(text), parse_options=csv.ParseOptions(delimiter=";"))
    parquet.write_table(original, folder / "adult.parquet")
    as_text = csv.ConvertOptions(column_types=dict.fromkeys([*qi, "occupation"], pa.string()))
    made = csv.read_csv(folder / "out.csv", parse_options=csv.ParseOptions(delimiter=";"), convert_options=as_text)
    options = {
        "qi": qi, "sensitive": "occupation", "rest": "drop", "k": 5, "suppression": 0.02,
        "hierarchies": adult / "hierarchies",
    }  # fmt: skip
    return Made(options, folder / "adult.parquet", (folder / "recoding.json").read_text(), rows_of(made))


def _webview(sets: Path, command: str, folder: Path, settings: dict[str, Any]) -> Made:
    """BMS-WebView-2; the original as Parquet, with a column of numbers that is dropped."""
    hierarchy = sets / "bms-webview-2.hierarchy.csv"
    asked = [part for name, value in settings.items() for part in (f"--{name.replace('_', '-')}", value)]
    done = run(
        command, "anonymize", sets / "bms-webview-2.dat.zst", "-o", folder / "out.dat", "--hierarchy",
        f"items={hierarchy}", "--recoding", folder / "recoding.json", *asked,
    )  # fmt: skip
    assert done.returncode == 0, done.stderr
    text = subprocess.run(["zstd", "-dc", sets / "bms-webview-2.dat.zst"], capture_output=True, check=True, text=True)
    baskets = [[int(item) for item in line.split()] for line in text.stdout.splitlines()]
    table = pa.table({"visit": range(len(baskets)), "items": baskets})
    parquet.write_table(table, folder / "webview.parquet")
    options = {
        "qi": "items", "items": "items", "drop": "visit", "hierarchies": {"items": hierarchy}, **settings,
    }  # fmt: skip
    lines = (folder / "out.dat").read_text().splitlines()
    rows = Counter((tuple(sorted(line.split())),) for line in lines)
    return Made(options, folder / "webview.parquet", (folder / "recoding.json").read_text(), rows)


@pytest.fixture(scope="session")
def webview_by_command(adult: Path, command: str, tmp_path_factory: pytest.TempPathFactory) -> Made:
    """BMS-WebView-2 with apriori."""
    settings = {"guarantee": "km-anonymity", "method": "apriori", "k": 5, "m": 2}
    return _webview(adult.parent / "sets", command, tmp_path_factory.mktemp("webview"), settings)


@pytest.fixture(scope="session")
def webview_sampled_by_command(adult: Path, command: str, tmp_path_factory: pytest.TempPathFactory) -> Made:
    """BMS-WebView-2 with sampling: another seed gives another recoding."""
    settings = {
        "guarantee": "sigma-km-anonymity", "method": "sampling", "k": 5, "m": 4, "sigma": 0.9, "exact_up_to": 1,
        "seed": 3,
    }  # fmt: skip
    return _webview(adult.parent / "sets", command, tmp_path_factory.mktemp("sampled"), settings)


def rows_of(table: Any) -> Counter[tuple[Any, ...]]:
    """The rows of a pyarrow table as a multiset: texts, item lists in order, "" for what is missing."""

    def cell(value: Any) -> Any:
        return tuple(sorted(map(str, value))) if isinstance(value, list) else "" if value is None else str(value)

    return Counter(zip(*([cell(v) for v in table[c].to_pylist()] for c in table.column_names), strict=True))


def own_cells_are_kept(original: Any, public: Any, options: dict[str, Any]) -> None:
    """Rows of `public`, told apart by name, hold what is kept and sensitive of their own person, and cover the rest."""
    before, after = ({row["name"]: row for row in table.to_pylist()} for table in (original, public))
    assert len(after) == public.num_rows
    assert after.keys() < before.keys()  # some rows were left out
    ages = options["hierarchies"]["age"]
    for name, row in after.items():
        person = before[name]
        assert (row["city"], row["illness"]) == (person["city"], person["illness"])
        assert row["age"] in (str(person["age"]), *ages[str(person["age"])], "*")
        assert row["sex"] in (person["sex"], "*")


def random_baskets(seed: int, records: int = 60) -> list[list[str] | None]:
    """Item lists, some empty, some null, with repeats."""
    draw = random.Random(seed)
    items = [f"i{n}" for n in range(draw.randint(2, 8))]
    return [
        None if draw.random() < 0.05 else [draw.choice(items) for _ in range(draw.randint(0, 5))]
        for _ in range(records)
    ]


def item_tree(items: int) -> dict[str, list[str]]:
    """A hierarchy of the items i0, i1, ...: groups of three, and two halves."""
    return {f"i{n}": [f"g{n // 3}", f"h{n // 6}", "*"] for n in range(items)}


def same_when_counted_in_parts(whole: dict[str, Any], parts: dict[str, Any]) -> None:
    """Two verdicts on the same item lists, the second one from partial counts."""
    assert parts["classes"] is None
    assert whole["classes"] is not None
    for name in ("satisfied", "achieved", "violations", "violations_total", "records"):
        assert parts[name] == whole[name], name
