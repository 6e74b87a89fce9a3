"""The package itself: generated files, types, what the wheel holds."""

from __future__ import annotations

import inspect
import subprocess
import sys
from pathlib import Path

import pytest

import kanon

SOURCE = Path(__file__).parents[1]


def test_generated_files_are_those_of_the_library() -> None:
    done = subprocess.run([sys.executable, SOURCE / "generate.py", "--check"], capture_output=True, text=True)
    assert done.returncode == 0, done.stdout + done.stderr


def test_reference_is_that_of_the_package() -> None:
    pytest.importorskip("sklearn")
    done = subprocess.run(
        [sys.executable, SOURCE / "generate.py", "--reference", "--check"], capture_output=True, text=True
    )
    assert done.returncode == 0, done.stdout + done.stderr


def test_every_parameter_of_the_catalogue_is_a_keyword() -> None:
    catalog = kanon.catalog()
    keywords = inspect.signature(kanon.anonymize).parameters
    for kind in ("guarantees", "methods"):
        for entry in catalog[kind]:
            for parameter in entry["parameters"]:
                name = parameter["name"].replace("-", "_")
                assert name in keywords or name + "_" in keywords, f"{entry['name']}: {name}"
                assert name in (kanon.anonymize.__doc__ or "")


def test_types_and_style() -> None:
    for command in (
        ["mypy", "--cache-dir=/dev/null"],
        ["ruff", "check", "--no-cache", "src", "tests", "generate.py"],
        ["ruff", "format", "--no-cache", "--check", "src", "tests", "generate.py"],
    ):
        done = subprocess.run([sys.executable, "-m", *command], cwd=SOURCE, capture_output=True, text=True)
        assert done.returncode == 0, done.stdout + done.stderr


def test_version_is_that_of_the_command(command: str) -> None:
    done = subprocess.run([command, "--version"], capture_output=True, text=True, check=True)
    assert kanon.__version__ in done.stdout
