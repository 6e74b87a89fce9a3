"""Write _settings.py and _calls.py of src/kanon from the settings and the catalogue of the library.

With --reference it writes docs/python-api.md instead, from the docstrings of the package.

    python generate.py [--reference] [--check]

With --check nothing is written, and the exit status says whether the files are those that would be.
"""

from __future__ import annotations

import importlib
import inspect
import json
import keyword
import re
import sys
import textwrap
from pathlib import Path
from typing import Any, NamedTuple

FOLDER = Path(__file__).parent / "src" / "kanon"

# The groups of kanon/job.h.
COLUMNS, LAYOUT, HIERARCHIES, GUARANTEE, METHOD, RUN, SEED, REPORT = (2 << i for i in range(8))
POINTS, HEADING = 1024, 2048

# What a table in memory has no use for: files, and what other arguments say.
NOT_HERE = {
    "accept-suggested", "areas", "classes", "drop-rest", "hierarchies", "hierarchy", "keep-rest", "map", "mapping",
    "recoding", "report", "sweep", "tree",
}  # fmt: skip

# What the command says in its own terms.
HELP = {
    "names": "sampling: publish a region as the set of its items, or as area-1, area-2, ..., of which release.recoding "
    "says what is in each",
    "strict": "hand nothing out while there are points to settle",
}

# Parameters of methods that name files: the catalogue has them as texts.
FILES = {"coordinates", "distances", "edges", "outline"}

# The first keywords of a call, in this order; the others follow in the order of the library.
FIRST = ["qi", "sensitive", "id", "keep", "drop", "guarantee"]


class Setting(NamedTuple):
    """A setting of a job."""

    name: str
    kind: str
    group: int
    choices: str | None
    numbers: bool
    help: str

    @property
    def key(self) -> str:
        """Its name in a job."""
        return self.name.replace("-", "_")

    @property
    def keyword(self) -> str:
        """Its name in Python."""
        return self.key + "_" if keyword.iskeyword(self.key) else self.key


class Call(NamedTuple):
    """A function of the package."""

    name: str
    tables: list[str]
    groups: int
    result: str
    rest: bool
    hierarchies: bool
    original: bool
    words: str
    plan: bool = False
    sweeps: bool = False


CALLS = [
    Call("anonymize", ["data"], COLUMNS | HIERARCHIES | GUARANTEE | METHOD | RUN | SEED | REPORT | POINTS | HEADING,
         "Release", True, True, False,
         """Make a release of `data` that satisfies the guarantees, and check it before it is handed out.

         `data` is any table that gives itself as an Arrow stream: a pandas or polars data frame, a pyarrow table, a
         DuckDB relation. Every column needs a role; `rest` decides for those that are given none. The result has the
         release as the same kind of table (``.data``), the report (``.report``), and what is to settle (``.points``).

         Raises kanon.Error: nothing is handed out that does not satisfy the guarantees."""),
    Call("check", ["data"], COLUMNS | HIERARCHIES | GUARANTEE | RUN | SEED | POINTS, "Verdict", False, True, True,
         """Check whether the guarantees hold for `data`, however it was made.

         The result is true where they hold, and a dict: what is achieved, the worst violations, the points."""),
    Call("measure", ["original", "release"], COLUMNS | HIERARCHIES | RUN, "dict[str, Any]", True, True, False,
         """Measure how much of `original` was lost in `release`, which has the same records in the same order.

         The result has ``utility`` (of the whole table) and ``utility_by_column``."""),
    Call("profile", ["data"], COLUMNS | RUN, "dict[str, Any]", False, False, False,
         """Look at `data`: types, missing values, how unique people are, and which roles we would choose.

         Values of identifiers never appear in the result, other values only where at least 5 records hold them."""),
    Call("init", ["data"], COLUMNS | LAYOUT | RUN, "Plan", False, False, False,
         """Look at `data`, a table or a file, and plan how it could be published.

         The plan has roles, hierarchies and guarantees: what ``kanon init`` writes and says. It is on the safe side:
         what cannot be told from the values and names of the columns is a quasi-identifier. Roles that are given are
         taken over. Look at it, then: ``plan.anonymize()``; ``plan.write(folder)`` writes the files to edit.""",
         plan=True),
    Call("sweep", ["data"], COLUMNS | HIERARCHIES | GUARANTEE | METHOD | RUN | SEED | POINTS | HEADING, "Sweep",
         True, True, False,
         """Make a release of `data` for each of many values, check each, and compare them.

         No release is handed out. ``sweep={"k": [2, 5, 10]}`` asks for three; with several parameters all combinations
         are made. The result is a dict (``["sweep"]`` has an entry per value), with ``text()``, ``html()`` and
         ``plot()``. A value that cannot be met is part of it, with the reason.""", sweeps=True),
]  # fmt: skip

HEAD = '"""{words}\n\nWritten by generate.py from the catalogue of the library: do not edit.\n"""\n\n'


def type_of(s: Setting) -> str:
    """The type of a keyword."""
    if s.name in FILES:
        return "StrPath"
    if s.kind == "choice" and s.choices:
        return "Literal[" + ", ".join(f'"{c}"' for c in s.choices.split("|")) + "]"
    plain = {
        "flag": "bool", "text": "str", "path": "StrPath", "choice": "str", "count": "int", "number": "float",
        "share": "float | str", "size": "int | str", "list": "Columns", "texts": "Columns", "paths": "Columns",
        "map": "Mapping[str, Any]", "path_map": "Mapping[str, StrPath]",
    }[s.kind]  # fmt: skip
    return f"{plain} | Sequence[{plain}]" if s.numbers else plain


def describe(catalog: dict[str, Any], s: Setting) -> str:
    """What the setting is, after the guarantees or methods that have it, unless it names some itself."""
    owners = [
        e["name"]
        for kind in ("guarantees", "methods")
        for e in catalog[kind]
        if any(p["name"] == s.name for p in e["parameters"])
    ]
    words = HELP.get(s.name, re.sub(r"--([a-z][a-z-]*)", lambda m: m.group(1).replace("-", "_"), s.help))
    named = words.partition(":")[0].split(", ")
    return words if not owners or any(name in owners for name in named) else f"{', '.join(owners)}: {words}"


def paragraphs(text: str, indent: int) -> list[str]:
    """`text` in lines of 110 characters, indented."""
    lines: list[str] = []
    for part in textwrap.dedent("         " + text).split("\n\n"):
        lines += textwrap.wrap(" ".join(part.split()), 110 - indent)
        lines.append("")
    return [(" " * indent + line).rstrip() for line in lines[:-1]]


def write_call(call: Call, settings: list[Setting], catalog: dict[str, Any]) -> str:
    """The function `call`."""
    chosen = [s for s in settings if s.group & call.groups and s.name not in NOT_HERE]
    chosen.sort(key=lambda s: FIRST.index(s.name) if s.name in FIRST else len(FIRST))
    kind = "ArrowTable | StrPath" if call.plan else "ArrowTable"
    head = [f"    {t}: {kind}," for t in call.tables] + ["    *,"]
    arguments: list[tuple[str, str, str]] = [(s.keyword, type_of(s), describe(catalog, s)) for s in chosen]
    at = min(len(arguments), 5)
    extra = []
    if call.rest:
        words = (
            "what becomes of the columns without a role: drop them, keep them as they are, or take what is suggested"
        )
        extra.append(("rest", 'Literal["drop", "keep", "suggested"]', words))
    if call.hierarchies:
        words = "by column, a file, a mapping from values to groups, rows, or a frame of levels; or a folder of files"
        extra.append(("hierarchies", "Mapping[str, HierarchySource] | StrPath", words))
    if call.original:
        words = (
            "the table that `data` is a release of: what is sampled is drawn from it, and t-closeness may be compared "
            "with it"
        )
        extra.append(("original", "ArrowTable", words))
    if call.plan:
        words = "where to write the files, a new folder; the default is nowhere"
        extra.append(("folder", "StrPath", words))
    if call.sweeps:
        words = "by parameter, the values to try, such as k, suppression or method"
        extra.append(("sweep", "Mapping[str, Sequence[object]]", words))
    arguments[at:at] = extra
    words = "called with a phase and the share that is done; True: a bar of tqdm, where that is installed"
    arguments.append(("progress", "bool | ProgressFunction", words))

    out = [f"def {call.name}(", *head]
    out += [f"    {name}: {type_} | None = None," for name, type_, _ in arguments]
    out += [f") -> {call.result}:"]
    body = paragraphs(call.words, 4)
    body[0] = '    """' + body[0].lstrip()
    out += [*body, "", "    Args:"]
    for table in call.tables:
        out.append(f"        {table}: a table{', or the path of a file' if call.plan else ''}.")
    for name, _, help_ in arguments:
        wrapped = textwrap.wrap(f"{name}: {help_}.", 98)
        out += ["        " + wrapped[0]] + ["            " + line for line in wrapped[1:]]
    out.append('    """')
    out.append("    options = {")
    out += [f'        "{s.keyword}": {s.keyword},' for s in chosen]
    out += ['        "rest": rest,'] if call.rest else []
    out += ['        "sweep": sweep,'] if call.sweeps else []
    out.append("    }")
    passed = [
        *call.tables,
        *(["original"] if call.original else []),
        *(["hierarchies"] if call.hierarchies else []),
        *(["folder"] if call.plan else []),
    ]
    out.append(f"    return _api.{call.name}({', '.join(passed)}, progress, options)")
    return "\n".join(out) + "\n"


def files(settings: list[Setting], catalog: dict[str, Any]) -> dict[str, str]:
    """The generated files, by name."""
    table = HEAD.format(words="The settings of a job, by their names.")
    table += "from __future__ import annotations\n\n"
    table += "#: What kind of value each has, by its name in a job.\nKINDS: dict[str, str] = {\n"
    table += "".join(f'    "{s.key}": "{s.kind}",\n' for s in settings) + "}\n\n"
    table += "#: The keyword of each, by its name on the command line.\nKEYWORDS: dict[str, str] = {\n"
    table += "".join(f'    "{s.name}": "{s.keyword}",\n' for s in settings) + "}\n\n"
    table += "#: Those that are true or false.\nFLAGS: frozenset[str] = frozenset(\n    {\n"
    table += "".join(f'        "{s.name}",\n' for s in settings if s.kind == "flag") + "    }\n)\n\n"
    table += "#: The choices of those that have some.\nCHOICES: dict[str, frozenset[str]] = {\n"
    for s in settings:
        names = s.choices.split("|") if s.choices else []
        if s.name in ("method", "guarantee"):
            names = [e["name"] for e in catalog[s.name + "s"]]
        if names:
            listed = "".join(f'            "{n}",\n' for n in names)
            table += f'    "{s.name}": frozenset(\n        {{\n{listed}        }}\n    ),\n'
    table += "}\n"

    calls = HEAD.format(words="The functions of the package, with every keyword that the library has.")
    calls += "from __future__ import annotations\n\n"
    calls += "from collections.abc import Mapping, Sequence\nfrom typing import Any, Literal\n\n"
    calls += "from . import _api\nfrom ._api import Release, Sweep, Verdict\nfrom ._plan import Plan\n"
    calls += "from ._types import ArrowTable, Columns, HierarchySource, ProgressFunction, StrPath\n"
    for call in CALLS:
        calls += "\n\n" + write_call(call, settings, catalog)
    return {"_settings.py": table, "_calls.py": calls}


# ---- the reference ----


def cleaned(thing: Any) -> str:
    """The docstring of something as Markdown: arguments as a list."""
    text = inspect.getdoc(thing) or ""
    head, _, arguments = text.partition("\nArgs:\n")
    lines = [head.replace("``", "`").rstrip(), ""]
    for line in arguments.splitlines():
        if line.startswith("    ") and not line.startswith("     "):
            name, _, words = line.strip().partition(": ")
            lines.append(f"- `{name}`: {words}")
        elif line.strip():
            lines.append(f"  {line.strip()}")
    return "\n".join(lines).rstrip() + "\n"


def signature(name: str, thing: Any, short: bool) -> str:
    """How it is called; `short`: without its keywords, which are listed below."""
    parameters = list(inspect.signature(thing).parameters.values())
    if short:
        plain = [p.name for p in parameters if p.kind is p.POSITIONAL_OR_KEYWORD]
        return f"{name}({', '.join([*plain, '*', '...'])})"
    return f"{name}{inspect.signature(thing)}".replace("'", "")


def document_class(name: str, thing: type) -> list[str]:
    """A class with its public methods and properties."""
    out = [f"### `{name}`", "", cleaned(thing)]
    for member, value in sorted({**vars_of_bases(thing), **vars(thing)}.items()):
        if member.startswith("_"):
            continue
        if isinstance(value, property):
            out += [f"- `.{member}`: {first_line(value)}"]
        elif inspect.isfunction(value):
            head = signature(member, value, False).replace("self, ", "").replace("self", "")
            out += [f"- `.{head}`: {first_line(value)}"]
    return [*out, ""]


def vars_of_bases(thing: type) -> dict[str, Any]:
    """What a class has from bases of this package."""
    found: dict[str, Any] = {}
    for base in reversed(thing.__mro__[1:]):
        if base.__module__.startswith("kanon"):
            found.update(vars(base))
    return found


def first_line(thing: Any) -> str:
    """The first sentence of a docstring."""
    return (inspect.getdoc(thing) or "").partition("\n")[0].replace("``", "`")


def reference() -> str:
    """The page docs/python-api.md."""
    package = importlib.import_module("kanon")
    out = ["# Python: every function and class", "", "Written by `python/generate.py` from the package: do not edit."]
    out += ["How to use it: [python.md](python.md).", "", "## Functions", ""]
    names = [n for n in package.__all__ if not n.startswith("_")]
    for name in (n for n in names if inspect.isfunction(getattr(package, n))):
        thing = getattr(package, name)
        out += [
            f"### `kanon.{signature(name, thing, len(inspect.signature(thing).parameters) > 3)}`",
            "",
            cleaned(thing),
        ]
    classes = {n: getattr(package, n) for n in names if isinstance(getattr(package, n), type)}
    out += ["## Results", ""]
    for name, thing in classes.items():
        if not issubclass(thing, Exception):
            out += document_class(f"kanon.{name}", thing)
    out += ["## Exceptions", ""]
    out += [f"- `kanon.{n}`: {first_line(t)}" for n, t in classes.items() if issubclass(t, Exception)]
    out += ["", "## Estimators for scikit-learn", ""]
    try:
        estimators = importlib.import_module("kanon.sklearn")
    except ImportError:
        sys.exit("generate.py: the reference needs scikit-learn: pip install scikit-learn")
    for name in estimators.__all__:
        out += document_class(f"kanon.sklearn.{name}", getattr(estimators, name))
    return "\n".join(out).rstrip() + "\n"


def main() -> int:
    """Write the files, or compare them."""
    if "--reference" in sys.argv:
        page = FOLDER.parents[2] / "docs" / "python-api.md"
        if "--check" not in sys.argv:
            page.write_text(reference())
        elif page.read_text() != reference():
            print("docs/python-api.md is not what the package says: run python/generate.py --reference")
            return 1
        return 0
    library = importlib.import_module("kanon._kanon") if "--check" in sys.argv else load()
    settings = [Setting(*s) for s in library.settings()]
    wrong = 0
    for name, text in files(settings, json.loads(library.catalog())).items():
        path = FOLDER / name
        if "--check" in sys.argv:
            if path.read_text() != text:
                print(f"{path.name} is not what the library says: run python/generate.py")
                wrong = 1
        else:
            path.write_text(text)
    return wrong


def load() -> Any:
    """The extension alone, without the package, whose generated files may not be there yet."""
    import importlib.machinery
    import importlib.util

    found = [p for folder in sys.path for p in Path(folder or ".").glob("kanon/_kanon.abi3.so")]
    if not found:
        sys.exit("generate.py: kanon/_kanon.abi3.so is not on the path: pip install ./python first, or set PYTHONPATH")
    loader = importlib.machinery.ExtensionFileLoader("kanon._kanon", str(found[0]))
    spec = importlib.util.spec_from_loader("kanon._kanon", loader)
    assert spec is not None
    module = importlib.util.module_from_spec(spec)
    loader.exec_module(module)
    return module


if __name__ == "__main__":
    sys.exit(main())
