"""Public files from `kanon init` to a checked release: bench/results_init.sh runs this.

usage: results_init.py KANON WORK OUT DATA

Works in WORK, which is made anew, and writes OUT/init.md."""
import json
import os
import resource
import shutil
import subprocess
import sys

KANON, WORK, OUT, DATA = (os.path.abspath(word) for word in sys.argv[1:5])
FILES = ["adult/adult.csv.zst", "adult/adult.data.zst", "synthea/patients.csv.zst", "synthea/conditions.csv.zst",
         "synthea/medications.csv.zst", "synthea/allergies.csv.zst", "income/acs-pums-100k.csv.zst", "income/casc-census.csv",
         "rt/diabetes.csv.zst", "sets/groceries.dat", "tpch-0.01/customer.tbl.zst"]


def used():
    spent = resource.getrusage(resource.RUSAGE_CHILDREN)
    return spent.ru_utime + spent.ru_stime


def run(*words):
    before = used()
    done = subprocess.run([KANON, *words], capture_output=True, text=True, cwd=WORK)
    return done, used() - before


def must(*words):
    done, seconds = run(*words)
    if done.returncode != 0:
        sys.exit("failed: kanon " + " ".join(words) + "\n" + done.stderr)
    return done, seconds


def roles_by_number(schema):
    """Options for a release without a header: its columns are called column1, column2, ... again, without those that were left out."""
    words, number = [], 0
    options = {"quasi-identifier": "--qi", "sensitive": "--sensitive", "kept": "--keep"}
    for column in schema["columns"].values():
        if column["role"] in options:
            number += 1
            words += [options[column["role"]], f"column{number}"]
    return words


def check(folder):
    """The release judged once more, by `kanon check` and nothing but the release and the job's schema and guarantees."""
    job = json.load(open(os.path.join(WORK, folder, "job.json"), encoding="utf-8"))
    schema = json.load(open(os.path.join(WORK, folder, "schema.json"), encoding="utf-8"))
    words = ["check", os.path.join(folder, job["output"]), "--quiet"]
    words += roles_by_number(schema) if job.get("no_header") else ["--schema", os.path.join(folder, "schema.json")]
    for guarantee in job["guarantee"]:
        for key, value in guarantee.items():
            words += ["--guarantee" if key == "name" else "--" + key, str(value)]
    for key in ("no_header", "trim"):
        words += ["--" + key.replace("_", "-")] if job.get(key) else []
    words += ["--separator", job["separator"]] if "separator" in job else []
    done, _ = run(*words)
    return done.returncode


def one(file):
    name = os.path.basename(file)
    folder = name.replace(".", "-") + ".kanon"
    said, looked = must("init", os.path.join(DATA, file), "--yes", "-o", folder)
    report = os.path.join(folder, "report.json")
    _, published = must("anonymize", "--job", os.path.join(folder, "job.json"), "--report", report, "--quiet")
    schema = json.load(open(os.path.join(WORK, folder, "schema.json"), encoding="utf-8"))
    result = json.load(open(os.path.join(WORK, report), encoding="utf-8"))
    columns = schema["columns"]
    asked = [name for name, column in columns.items() if column["comment"].startswith("UNSURE")]
    fanout = [name for name, column in columns.items() if "FAN-OUT" in column["comment"]]
    roles = {}
    for column in columns.values():
        roles[column["role"]] = roles.get(column["role"], 0) + 1
    return {"file": file, "records": result["input"]["rows"], "columns": len(columns), "roles": roles, "group_by": schema.get("group_by"),
            "asked": asked, "fanout": fanout, "looked": looked, "published": published, "verdict": result["verdict"],
            "points": [p for p in result["points"] if not p["decided"]], "loss": result["utility"].get("loss"),
            "check": check(folder),
            "guarantees": " + ".join(g["name"] for g in json.load(open(os.path.join(WORK, folder, "job.json")))["guarantee"])}


def table(out, rows):
    out.write("| file | records | columns | identifiers, quasi-identifiers, sensitive, kept, dropped | guarantees | `init` | `anonymize` | verdict | loss |\n"
              "|---|---:|---:|---|---|---:|---:|---|---:|\n")
    for row in rows:
        roles = ", ".join(str(row["roles"].get(role, 0)) for role in ("identifier", "quasi-identifier", "sensitive", "kept", "dropped"))
        points = f", {len(row['points'])} point{'s' if len(row['points']) > 1 else ''} to settle" if row["points"] else ""
        out.write(f"| `{row['file']}` | {row['records']:,} | {row['columns']} | {roles} | {row['guarantees']} | {row['looked']:.1f} s | "
                  f"{row['published']:.1f} s | holds{points} | {row['loss']:.3f} |\n")


def asked(out, rows):
    out.write("\nWhat `init` would have asked on a terminal:\n\n| file | one record per | role of | hierarchies to replace (FAN-OUT) |\n|---|---|---|---|\n")
    for row in rows:
        names = ", ".join(row["asked"][:12]) + (f" and {len(row['asked']) - 12} more" if len(row["asked"]) > 12 else "")
        out.write(f"| `{row['file']}` | {', '.join(row['group_by'] or []) or '-'} | {names or '-'} | {', '.join(row['fanout']) or '-'} |\n")


def block(out, words, done, lines):
    text = (done.stderr + done.stdout).rstrip("\n").split("\n")
    out.write("```\nkanon " + " ".join(words) + "\n\n" + "\n".join(line[:220].rstrip() + ("..." if len(line) > 220 else "") for line in text[:lines]) +
              ("\n..." if len(text) > lines else "") + f"\n(exit {done.returncode})\n```\n\n")


def introduction(out):
    """The two jobs that looked green before every column needed a role."""
    for source in ("synthea/patients.csv.zst", "rt/diabetes.csv.zst"):
        name = os.path.basename(source).removesuffix(".zst")
        with open(os.path.join(WORK, name), "wb") as f:
            subprocess.run(["zstd", "-dc", os.path.join(DATA, source)], stdout=f, check=True)
    words = ["anonymize", "patients.csv", "--id", "ID,SSN,DRIVERS,PASSPORT,ADDRESS", "--qi", "GENDER", "--k", "5", "-o", "z.csv"]
    done, _ = run(*words)
    out.write("Names forgotten, birth dates published as they are: refused, and no file is written.\n\n")
    block(out, words, done, 26)
    words = ["anonymize", "diabetes.csv", "--group-by", "patient_nbr", "--id", "encounter_id", "--missing", "',?'", "--qi", "race,gender,age",
             "--sensitive", "diag_1,diag_2,diag_3", "--keep-rest", "--k", "5", "-o", "d.csv"]
    done, _ = run(*[word.strip("'") for word in words])
    out.write("Sensible roles, and all other columns kept: amber, with the columns that make people unique.\n\n")
    block(out, words, done, 12)


def path(out):
    """From the raw file to an l-diverse release with a report."""
    out.write("```\n")
    total = 0
    for words in (["init", "diabetes.csv", "--yes"], ["anonymize", "--job", "diabetes.kanon/job.json"]):
        done, seconds = must(*words)
        total += seconds
        out.write("kanon " + " ".join(words) + f"    # {seconds:.1f} s\n")
    out.write("\n" + "\n".join(line[:220] for line in done.stderr.split("\n")[:1]) + "\n")
    kept = [line for line in done.stderr.split("\n") if "diversity" in line and "achieved" in line]
    out.write("\n".join(kept) + "\n```\n\n")
    out.write(f"Two commands, {total:.1f} s of the processor, no list of columns typed; `diabetes.kanon/release.csv` and `diabetes.kanon/report.html` are there.\n")


shutil.rmtree(WORK, ignore_errors=True)
os.makedirs(WORK)
results = [one(file) for file in FILES]
with open(os.path.join(OUT, "init.md"), "w", encoding="utf-8") as page:
    page.write("""# From `kanon init` to a checked release, measured

`bench/results_init.sh` makes this page from public files. For each file two commands, without any other option:

```
kanon init FILE --yes -o FOLDER
kanon anonymize --job FOLDER/job.json
```

Every release was checked by `anonymize` before it was put into place, and judged once more by `kanon check` with the written schema: """)
    wrong = [row["file"] for row in results if row["check"] != 0]
    page.write(f"{len(results) - len(wrong)} of {len(results)} hold.\n" if not wrong else f"all but {', '.join(wrong)} hold.\n")
    page.write("Times are seconds of the processor, over all threads, of one run; the verdict names the number of points that are left to settle.\n\n")
    table(page, results)
    asked(page, results)
    page.write("\n## Two jobs that once looked green\n\n")
    introduction(page)
    page.write("## A person's path: the diabetes file to an l-diverse release with a report\n\n")
    path(page)
