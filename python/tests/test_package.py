"""The package itself: generated files, types, what the wheel holds."""

from __future__ import annotations

import ast
import inspect
import os
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


ABOUT = """
import sys, sysconfig
usable = sys.implementation.name == "cpython" and sys.version_info >= (3, 10)
print(sys.version.split()[0] if usable and not sysconfig.get_config_var("Py_GIL_DISABLED") else "")
"""
USE = """
import sys, kanon
from kanon import _kanon
assert len(kanon.catalog()["methods"]) > 10
try:
    kanon.anonymize(3, qi="age", k=2)
except kanon.UsageError as error:
    print(kanon.__version__, error.code)
"""


def interpreters() -> dict[str, Path]:
    """The CPythons of this machine that the package is for, by version: those on the path, and those of pyenv."""
    found = {}
    folders = [Path(folder) for folder in os.get_exec_path()]
    folders += Path(os.environ.get("PYENV_ROOT", Path.home() / ".pyenv")).glob("versions/*/bin")
    for python in (python for folder in folders for python in sorted(folder.glob("python3*"))):
        if re.fullmatch(r"python3(\.\d+)?", python.name) and os.access(python, os.X_OK):
            done = subprocess.run([python, "-c", ABOUT], capture_output=True, text=True)
            version = done.stdout.strip()
            if done.returncode == 0 and version:
                found.setdefault(version, python)
    return found


def test_every_cpython_of_the_machine_takes_it() -> None:
    """One extension for all, without any other library: the limited API is the same in all of them."""
    found = interpreters()
    assert found
    path = str(Path(_kanon.__file__).parents[1])
    for version, python in found.items():
        done = subprocess.run([python, "-B", "-c", USE], env={"PYTHONPATH": path}, capture_output=True, text=True)
        assert done.returncode == 0, f"{version}: {done.stderr}"
        assert done.stdout == f"{kanon.__version__} type\n", version


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
