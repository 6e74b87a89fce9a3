"""Choosing: plans of tables, and sweeps over values, with the words and results of the command."""

from __future__ import annotations

import builtins
import json
import re
from pathlib import Path
from typing import Any

import pandas as pd
import polars as pl
import pyarrow as pa
import pytest
from conftest import ROLES, people, run

import kanon


@pytest.fixture()
def sample(command: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    made = run(command, "sample", "people", "--records", 300, "--seed", 1, "-o", "people.csv")
    assert made.returncode == 0, made.stderr
    return tmp_path / "people.csv"


def folder(path: Path) -> dict[str, str]:
    return {str(p.relative_to(path)): p.read_text() for p in sorted(path.rglob("*")) if p.is_file()}


def test_init_of_a_file_is_what_the_command_writes_and_says(sample: Path, command: str) -> None:
    said = run(command, "init", "people.csv", "--yes", "-o", "theirs", "--keep", "sector")
    assert said.returncode == 0, said.stderr
    plan = kanon.init("people.csv", folder="ours", keep="sector")
    assert folder(Path("ours")) == folder(Path("theirs"))
    assert said.stderr.startswith(plan.text().rstrip("\n"))
    assert said.stderr[len(plan.text().rstrip("\n")) :].strip().startswith("written: theirs/schema.json")
    plan.write("again")
    assert folder(Path("again")).keys() == folder(Path("ours")).keys()
    assert json.loads(Path("again/schema.json").read_text()) == plan.schema


@pytest.mark.parametrize("library", ["pandas", "polars"])
def test_init_of_a_frame_finds_the_same(sample: Path, library: str) -> None:
    frame: Any = pd.read_csv(sample) if library == "pandas" else pl.read_csv(sample)
    plan, of_file = kanon.init(frame), kanon.init(sample)
    assert [(c["name"], c["role"], c["reason"]) for c in plan.columns] == [
        (c["name"], c["role"], c["reason"]) for c in of_file.columns
    ]
    assert plan.job["guarantee"] == of_file.job["guarantee"] and "input" not in plan.job
    assert plan.hierarchies == of_file.hierarchies
    release = plan.anonymize()
    assert type(release.data) is type(frame)
    assert release.report["satisfied"] and "name" not in list(release.data.columns)
    assert plan.anonymize(seed=3).report["seed"] == 3
    assert "<table>" in plan._repr_html_()


def test_arguments_come_instead_of_what_the_plan_says() -> None:
    """Parameters of its guarantees, hierarchies, a callback."""
    frame = pl.DataFrame(people(200))
    plan = kanon.init(frame, sensitive="illness", qi=["age", "sex", "city"])
    assert [g["name"] for g in plan.job["guarantee"]] == ["k-anonymity", "l-diversity"]
    as_planned = plan.anonymize().report["guarantee"]
    made = plan.anonymize(k=7, c=8, method="flash").report
    assert made["method"] == "flash"
    assert [(g.get("k"), g.get("c")) for g in made["guarantee"]] == [(7, None), (None, 8)]
    assert plan.anonymize().report["guarantee"] == as_planned
    (alone,) = plan.anonymize(guarantee="k-anonymity", k=4).report["guarantee"]
    assert (alone["name"], alone["k"]) == ("k-anonymity", 4)
    towns = {"Athens": "here", "Patras": "here", "Volos": "there"}
    cities = plan.anonymize(method="flash", k=60, suppression=0, hierarchies={"city": towns}).to_polars()["city"]
    assert set(cities) <= {"here", "there", "*", *towns}
    with pytest.raises(kanon.UsageError, match="did you mean 'city'"):
        plan.anonymize(hierarchies={"citi": towns})
    phases: list[str] = []
    plan.anonymize(progress=lambda phase, done: phases.append(phase))
    assert phases


def test_the_recoding_of_a_plan_is_applied_when_its_files_are_gone() -> None:
    frame = pl.DataFrame(people(200))
    release = kanon.init(frame, sensitive="illness").anonymize(method="flash")
    again = release.recoding.apply(frame)
    assert again.to_polars().equals(release.to_polars())
    with pytest.raises(kanon.UsageError) as caught:
        release.recoding.apply(frame.with_columns(new=pl.lit("x")))
    assert (caught.value.code, caught.value.column) == ("no-role", "new")


def test_release_by_a_plan_is_that_of_the_command(sample: Path, command: str) -> None:
    plan = kanon.init(sample, folder="plan")
    done = run(command, "anonymize", "--job", "plan/job.json", "--quiet")
    assert done.returncode == 0, done.stderr
    theirs = pd.read_csv("plan/release.csv", dtype=str, keep_default_na=False)
    ours = plan.anonymize(pd.read_csv(sample, dtype=str, keep_default_na=False)).data.astype(str)
    pd.testing.assert_frame_equal(ours, theirs)
    with pytest.raises(kanon.UsageError, match="in memory"):
        plan.anonymize()


def test_marks_of_missing_values_in_a_frame() -> None:
    frame = pl.DataFrame(
        {"age": ["?" if i % 9 == 0 else str(20 + i % 30) for i in range(200)], "sex": ["f", "m"] * 100}
    )
    plan = kanon.init(frame)
    assert any("'?'" in note for note in plan.notes)  # the table was read a second time
    assert plan.anonymize().report["satisfied"]


def test_init_refuses_a_folder_that_is_there(tmp_path: Path) -> None:
    with pytest.raises(kanon.UsageError, match="there already") as caught:
        kanon.init(pl.DataFrame(people()), folder=tmp_path)
    assert " --" not in str(caught.value) and "(-o)" not in str(caught.value)


def masked(sweep: Any) -> Any:
    """The runs of a sweep without times, files, and the wording of remedies."""
    runs = json.loads(json.dumps(sweep["sweep"]))
    for r in runs:
        for key in ("seconds", "phases", "output", "reason"):
            r.pop(key, None)
        r["points"] = [p["name"] for p in r.get("points", [])]
    return runs


def test_sweep_has_the_results_of_the_command(sample: Path, command: str) -> None:
    options = ["--qi", "sex,age,postcode", "--sensitive", "diagnosis", "--drop-rest"]
    done = run(command, "anonymize", "people.csv", *options, "--sweep", "k=2,5,400", "--json")
    theirs = json.loads(done.stdout)
    ours = kanon.sweep(
        pd.read_csv(sample), qi=["sex", "age", "postcode"], sensitive="diagnosis", rest="drop", sweep={"k": [2, 5, 400]}
    )
    assert masked(ours) == masked(theirs)
    assert (ours["summary"], ours["feasible"]) == (theirs["summary"], 2)
    assert ours["sweep"][2]["reason"] and " --" not in ours["sweep"][2]["reason"]
    printed = run(command, "anonymize", "people.csv", *options, "--sweep", "k=2,5,400").stderr
    rows = [re.sub(r"\s+[0-9.]+ s\b.*", "", line) for line in ours.text().splitlines()]
    assert any(row.strip() and row in printed for row in rows)
    assert ours.html().startswith("<!DOCTYPE html>")


def test_sweep_over_two_parameters() -> None:
    roles = {k: v for k, v in ROLES.items() if k != "k"}
    swept = kanon.sweep(pl.DataFrame(people()), **roles, sweep={"k": [2, 5], "method": ["mondrian", "cluster"]})
    assert [r["values"] for r in swept["sweep"]] == [
        {"k": k, "method": m} for k in (2, 5) for m in ("mondrian", "cluster")
    ]
    for r in swept["sweep"]:
        alone = kanon.anonymize(pl.DataFrame(people()), **roles, **r["values"])
        assert alone.report["utility"] == r["utility"]


def test_plot_without_matplotlib(monkeypatch: pytest.MonkeyPatch) -> None:
    real = builtins.__import__

    def importing(name: str, *args: Any, **kwargs: Any) -> Any:
        if name.partition(".")[0] == "matplotlib":
            raise ImportError(name)
        return real(name, *args, **kwargs)

    monkeypatch.setattr(builtins, "__import__", importing)
    swept = kanon.sweep(pl.DataFrame(people()), qi=["age", "sex"], rest="drop", sweep={"k": [2, 5, 500]})
    drawing = swept.plot()
    assert drawing._repr_html_().startswith("<svg") and drawing.svg.count("<circle") == 4  # two values can be met
    assert "<svg" in swept._repr_html_()
    with pytest.raises(kanon.UsageError) as caught:
        swept.plot("los")
    assert caught.value.parameter == "measure"


def test_plot_with_matplotlib() -> None:
    matplotlib = pytest.importorskip("matplotlib")
    matplotlib.use("Agg")
    swept = kanon.sweep(pl.DataFrame(people()), **{**ROLES, "k": None}, sweep={"k": [2, 5]})
    axes = swept.plot("ncp")
    assert axes.get_ylabel() == "ncp"
    assert list(axes.lines[0].get_ydata()) == [r["utility"]["ncp"] for r in swept["sweep"]]
    assert axes.lines[0].get_linestyle() == "-"
    risk = axes.figure.axes[1]
    assert risk.get_ylabel() == "highest risk"
    assert list(risk.lines[0].get_ydata()) == [r["risk"]["after"]["prosecutor_max"] for r in swept["sweep"]]
    matplotlib.pyplot.close(axes.figure)


def test_plot_of_values_that_cannot_be_met_and_of_methods() -> None:
    """Each run has its place on the axis; between methods there is no line."""
    matplotlib = pytest.importorskip("matplotlib")
    matplotlib.use("Agg")
    roles = {"qi": ["age", "sex"], "rest": "drop"}
    swept = kanon.sweep(pl.DataFrame(people()), **roles, sweep={"k": [2, 500], "method": ["local", "flash"]})
    axes = swept.plot()
    labels = [t.get_text() for t in axes.get_xticklabels()]
    assert labels == ["2, local", "2, flash", "500, local (cannot be met)", "500, flash (cannot be met)"]
    low, high = axes.get_xlim()
    assert low < 0 and high > 3
    assert axes.lines[0].get_linestyle() == "None"
    assert "<polyline" not in kanon._plot.svg(swept, None)
    assert kanon._plot.svg(swept, None).count("cannot be met") == 2
    matplotlib.pyplot.close(axes.figure)


@pytest.mark.parametrize("sweep", [None, {}, {"kk": [1]}, {"k": ["many"]}, [1, 2]])
def test_wrong_sweeps_are_refused(sweep: Any) -> None:
    with pytest.raises(kanon.UsageError) as caught:
        kanon.sweep(pl.DataFrame(people()), **{**ROLES, "k": None}, sweep=sweep)
    assert " --" not in str(caught.value)


def test_files_of_a_plan_are_named_as_it_writes_them() -> None:
    plan = kanon.init(pa.table(people(200)))
    with pytest.raises(kanon.InputError, match=r"^schema\.json: there is no column 'name'"):
        plan.anonymize(pa.table({"x": [1, 2, 3]}))
    with pytest.raises(kanon.InputError, match=r"^hierarchies/age\.csv: 200 values"):
        plan.anonymize(pa.table({**people(200), "age": range(100, 300)}))


def test_postcodes_that_became_floats_get_prefixes() -> None:
    zips = [None if i == 7 else 2134.0 if i == 9 else float(90001 + i % 40 * 37) for i in range(400)]
    table = pa.table({"sex": ["m", "f"] * 200, "ZIP": pa.array(zips, pa.float64())})
    published = kanon.anonymize(table, qi=["sex", "ZIP"], k=15).data.column("ZIP").to_pylist()
    assert any(str(value).endswith("*") and str(value).startswith("90") for value in published)
    assert not any(str(value).startswith(("[", "{")) for value in published)
    assert "prefixes of the codes" in str(next(c for c in kanon.init(table).columns if c["name"] == "ZIP")["hierarchy"])
