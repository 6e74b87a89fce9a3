"""What the tests share: tables of people that do not exist, and the command of the same build."""

from __future__ import annotations

import os
import shutil
import subprocess
from pathlib import Path

import pytest


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
