"""The Python of the README, of the page about Python and of the notebooks runs as written."""

from __future__ import annotations

import importlib.util
import json
import re
from pathlib import Path

import pandas as pd
import pytest

SOURCE = Path(__file__).parents[2]


@pytest.mark.parametrize("page", ["README.md", "docs/python.md", "python/README.md"])
def test_page(page: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    n = 60
    df = pd.DataFrame(
        {
            "age": [20 + i % 50 for i in range(n)],
            "sex": ["f" if i % 2 else "m" for i in range(n)],
            "postcode": [f"{10 + i % 9}000" for i in range(n)],
            "diagnosis": [("flu", "cold")[i // 2 % 2] for i in range(n)],
        }
    )
    text = (SOURCE / page).read_text()
    if importlib.util.find_spec("sklearn") is None:
        text = re.sub(r"<!-- needs sklearn -->\n```python.*?```", "", text, flags=re.DOTALL)
    blocks = re.findall(r"```python\n(.*?)```", text, re.DOTALL)
    assert blocks
    names: dict[str, object] = {"df": df}
    for block in blocks:
        exec(compile(block, page, "exec"), names)
    assert names["release"]


@pytest.mark.parametrize("name", ["table", "baskets", "model"])
def test_notebook(name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    if name == "model":
        pytest.importorskip("sklearn")
    notebook = json.loads((SOURCE / "docs" / "notebooks" / f"{name}.ipynb").read_text())
    names: dict[str, object] = {}
    for i, cell in enumerate(notebook["cells"]):
        if cell["cell_type"] == "code":
            assert not cell["outputs"]
            exec(compile("".join(cell["source"]), f"{name}.ipynb, cell {i}", "exec"), names)
    assert "<table>" in names["release"]._repr_html_()  # type: ignore[attr-defined]
