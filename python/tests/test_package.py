"""The package itself: generated files, types, what the wheel holds."""

from __future__ import annotations

import ast
import inspect
import re
import subprocess
import sys
from pathlib import Path

import pytest

import kanon
from kanon import _kanon

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


def test_the_stub_has_what_the_extension_has() -> None:
    """mypy reads _kanon.pyi, which is written by hand: the names, and how many arguments each function takes."""
    stub = ast.parse((SOURCE / "src" / "kanon" / "_kanon.pyi").read_text())
    functions = {node.name: len(node.args.posonlyargs) for node in stub.body if isinstance(node, ast.FunctionDef)}
    taken = {}
    for name, function in vars(_kanon).items():
        if callable(function) and not isinstance(function, type) and not name.startswith("__"):
            try:
                function()
            except TypeError as error:  # anonymize() takes exactly 4 arguments (0 given)
                taken[name] = int(re.findall(r"exactly (\d+) argument", str(error))[0])
            else:
                taken[name] = 0
    assert functions == taken
    classes = {node.name: node for node in stub.body if isinstance(node, ast.ClassDef)}
    assert {name for name, value in vars(_kanon).items() if isinstance(value, type)} <= classes.keys()
    public = {n.name for n in classes["Table"].body if isinstance(n, ast.FunctionDef)}
    assert public == {n for n, v in vars(_kanon.Table).items() if callable(v) or inspect.isdatadescriptor(v)}


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
