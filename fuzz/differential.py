#!/usr/bin/env python3
"""differential.py KANON [--cases N] [--seconds S] [--seed S]

Random small data and random options through the whole command. Every release is judged here, by the definitions of
docs/guarantees.md written down once more; kanon's own check is not asked, but its verdict is compared with ours. Each
published value must cover the value that it stands for. Works in the current folder; a case that fails is left there,
with the command that repeats it. Exit 0: no case failed."""

import argparse
import csv
import itertools
import json
import math
import os
import random
import shutil
import subprocess
import sys
import time
from collections import Counter, defaultdict
from fractions import Fraction

TABLE_METHODS = ["flash", "mondrian", "local", "cluster"]
ITEM_METHODS = ["apriori", "lra", "vpa"]
MIXED_METHODS = ["rum-bound", "tum-bound", "rfirst", "tfirst"]


# ---- the definitions ----


def classes_of(rows, names):
    classes = defaultdict(list)
    for row in rows:
        classes[tuple(row[name] for name in names)].append(row)
    return list(classes.values())


def least_class(rows, names):
    return min((len(c) for c in classes_of(rows, names)), default=math.inf)


def diverse(rows, names, sensitive, kind, l, c):
    for records in classes_of(rows, names):
        counts = sorted(Counter(r[sensitive] for r in records).values(), reverse=True)
        n = sum(counts)
        if kind == "distinct" and len(counts) < l:
            return False
        if kind == "entropy":
            entropy = -sum(x / n * math.log(x / n) for x in counts)
            if abs(entropy - math.log(l)) < 1e-9:
                return None  # too near to tell with floating-point numbers
            if entropy < math.log(l):
                return False
        if kind == "recursive":
            rest = sum(counts[int(l) - 1 :])
            if not Fraction(counts[0]) < Fraction(c) * rest:
                return False
    return True


def close(rows, names, sensitive, distance, t, reference):
    """Whether the classes of `rows` are within t of the table `reference`."""
    whole = Counter(r[sensitive] for r in reference)
    values = sorted(whole, key=(lambda v: (v == "", float(v) if v else 0)) if distance == "ordered" else str)
    for records in classes_of(rows, names):
        part = Counter(r[sensitive] for r in records)
        difference = [Fraction(part[v], len(records)) - Fraction(whole[v], len(reference)) for v in values]
        if distance == "equal":
            emd = sum(abs(d) for d in difference) / 2
        else:
            emd = sum(abs(s) for s in itertools.accumulate(difference)) / max(len(values) - 1, 1)
        if abs(float(emd) - t) < 1e-12:
            return None
        if emd > t:
            return False
    return True


def least_support(lists, m):
    """The smallest support of a combination of 1 to m items that occurs."""
    least = math.inf
    for size in range(1, m + 1):
        support = Counter()
        for items in lists:
            support.update(itertools.combinations(sorted(items), size))
        least = min(least, min(support.values(), default=math.inf))
    return least


def holds(case, rows):
    """True, False, or None where floating-point numbers cannot tell."""
    verdicts = []
    for g in case["guarantees"]:
        if g == "k-anonymity":
            verdicts.append(least_class(rows, case["qi"]) >= case["k"])
        elif g == "l-diversity":
            verdicts.append(diverse(rows, case["qi"], "s", case["l_kind"], case["l"], case["c"]))
        elif g == "t-closeness":
            verdicts.append(close(rows, case["qi"], "s", case["distance"], case["t"], case["reference"] or rows))
        elif g == "km-anonymity":
            verdicts.append(least_support([r["items"] for r in rows], case["m"]) >= case["k"])
        elif g == "k-km-anonymity":
            for records in classes_of(rows, case["qi"]):
                verdicts.append(len(records) >= case["k"])
                verdicts.append(least_support([r["items"] for r in records], case["m"]) >= case["k"])
    if False in verdicts:
        return False
    return None if None in verdicts else True


def surely_feasible(case, rows):
    """Whether publishing the root of every hierarchy, and of every other column all of its values, satisfies the guarantee."""
    if case["guarantees"] == ["k-anonymity"]:
        return len(rows) >= case["k"]
    if "--delta" in case["options"] or "items" not in rows[0]:
        return False
    holders = sum(1 for row in rows if row["items"])
    return (case["kind"] == "items" or len(rows) >= case["k"]) and (holders == 0 or holders >= case["k"])


# ---- what a published value covers ----


def covers(published, value, ancestors):
    """Whether `published` may stand for `value`; `ancestors` maps a value to the labels above it."""
    if published == value or published == "*" or published in ancestors.get(value, ()):
        return True
    if value == "" or published == "":
        return False
    if published.startswith("[") and "," in published:
        low, high = published[1:-1].split(",")
        return float(low) <= float(value) <= float(high)
    return published.startswith("{") and value in published[1:-1].split(",")


def untruthful(case, original, published, suppressed_items):
    """The first column whose published value cannot stand for the original one, or None."""
    for name in case["qi"]:
        if not covers(published[name], original[name], case["above"].get(name, {})):
            return name
    if "s" in original and published["s"] != original["s"]:
        return "s"
    if "items" in original:
        above = case["above"].get("items", {})
        for item in original["items"]:
            if not suppressed_items and not any(covers(p, item, above) for p in published["items"]):
                return "items"
        for p in published["items"]:
            if not any(covers(p, item, above) for item in original["items"]):
                return "items"
    return None


# ---- random cases ----


def random_hierarchy(rng, values, path):
    """Rows from each value to the root, in random groups; returns the labels above each value."""
    groups, above = [[v] for v in sorted(values)], {v: [] for v in values}
    for level in range(rng.randint(0, 2)):
        rng.shuffle(groups)
        width = rng.randint(2, 3)
        groups = [sum(groups[i : i + width], []) for i in range(0, len(groups), width)]
        for number, group in enumerate(groups):
            for v in group:
                above[v].append(f"G{level}.{number}")
    with open(path, "w", newline="") as f:
        csv.writer(f, delimiter=";", lineterminator="\n").writerows([v, *above[v], "*"] for v in sorted(values))
    return {v: set(labels) | {"*"} for v, labels in above.items()}


def random_case(rng, folder):
    kind = rng.choice(["table", "table", "items", "mixed"])
    n = rng.choice([1, rng.randint(2, 5), rng.randint(4, 15), rng.randint(10, 60), rng.randint(10, 60)])
    case = {"kind": kind, "qi": [], "above": {}, "k": rng.randint(1, 5), "m": rng.randint(1, 3)}
    rows = [{"row": str(i)} for i in range(n)]
    options = ["--k", case["k"], "--seed", rng.randint(0, 9), "--threads", rng.randint(1, 3)]
    if kind != "items":
        for number in range(rng.randint(1, 3)):
            name = f"q{number}"
            numeric = rng.random() < 0.5
            size = rng.randint(1, 8)
            domain = [str(x) for x in rng.sample(range(-20, 60), size)] if numeric else [f"v{x}" for x in range(size)]
            if rng.random() < 0.2 and not numeric:
                domain.append("")
            for row in rows:
                row[name] = rng.choice(domain)
            case["qi"].append(name)
            if rng.random() < 0.5:
                values = {row[name] for row in rows} - {""} or {"v0"}
                case["above"][name] = random_hierarchy(rng, values, f"{folder}/{name}.csv")
                options += ["--hierarchy", f"{name}={folder}/{name}.csv"]
        options += ["--qi", ",".join(case["qi"]), "--keep", "row", "--allow-unique", "row"]
    if kind == "table":
        case["guarantees"] = ["k-anonymity"]
        method = rng.choice(TABLE_METHODS)
        if method != "cluster" and rng.random() < 0.6:
            numeric = rng.random() < 0.5
            domain = [str(x) if numeric else f"s{x}" for x in range(rng.randint(1, 5))]
            for row in rows:
                row["s"] = rng.choice(domain)
            options += ["--sensitive", "s"]
            case["distance"] = rng.choice(["equal", "ordered"] if numeric else ["equal"])
            if rng.random() < 0.5:
                case["guarantees"].append("l-diversity")
                case["l_kind"] = rng.choice(["distinct", "entropy", "recursive"])
                case["l"] = rng.choice([1, 2, 3] if case["l_kind"] != "entropy" else [1, 1.3, 1.7, 2.2])
                case["c"] = rng.choice([1, 2, 3])
                options += ["--l", case["l"], "--diversity", case["l_kind"]]
                if case["l_kind"] == "recursive":
                    options += ["--c", case["c"]]
            else:
                case["guarantees"].append("t-closeness")
                case["t"] = rng.choice([0.15, 0.25, 0.45, 0.6, 0.9])
                case["reference"] = rng.choice([None, rows])  # the published table, or the original
                options += ["--t", case["t"], "--distance", case["distance"]]
                options += ["--reference", "original"] if case["reference"] else []
        if rng.random() < 0.5:
            options += ["--suppression", rng.choice(["0", "5%", "20%", "100%"])]
    else:
        domain = [f"i{x}" for x in range(rng.randint(1, 9))]
        for row in rows:
            row["items"] = rng.sample(domain, rng.randint(kind == "items", min(len(domain), 5)))
        values = {item for row in rows for item in row["items"]} or {"i0"}
        case["above"]["items"] = random_hierarchy(rng, values, f"{folder}/items.csv")
        options += ["--hierarchy", f"items={folder}/items.csv", "--m", case["m"]]
        case["guarantees"] = ["km-anonymity" if kind == "items" else "k-km-anonymity"]
        method = rng.choice(ITEM_METHODS if kind == "items" else MIXED_METHODS)
        if kind == "mixed":
            options += ["--items", "items"]
            if method in ("rum-bound", "tum-bound"):
                options += ["--delta", rng.choice([0.1, 0.5, 1])]
    options += ["--method", method]
    for g in case["guarantees"]:
        options += ["--guarantee", g]
    case["suffix"] = ".dat" if kind == "items" else ".csv"
    case["options"] = [str(o) for o in options]
    return case, rows


def write_rows(case, rows, path):
    with open(path, "w", newline="") as f:
        if case["kind"] == "items":
            f.writelines(" ".join(row["items"]) + "\n" for row in rows)
            return
        names = list(rows[0])
        writer = csv.writer(f, lineterminator="\n")
        writer.writerow(names)
        for row in rows:
            writer.writerow(["|".join(row[n]) if n == "items" else row[n] for n in names])


def read_rows(case, path):
    with open(path, newline="") as f:
        if case["kind"] == "items":
            return [{"items": line.split()} for line in f.read().splitlines()]
        rows = list(csv.DictReader(f))
    for row in rows:
        if "items" in row:
            row["items"] = [x for x in row["items"].split("|") if x]
    return rows


def run(arguments):
    done = subprocess.run(arguments, capture_output=True, text=True, stdin=subprocess.DEVNULL, timeout=120)
    return done.returncode, done.stderr


def check_options(case, k):
    """The options that kanon check takes: roles, hierarchies, guarantees with their parameters, with another k."""
    options, out = case["options"], []
    for name, value in zip(options, options[1:]):
        if name == "--k":
            out += ["--k", str(k)]
        elif name in ("--guarantee", "--qi", "--sensitive", "--items", "--m", "--l", "--c", "--t", "--distance", "--diversity", "--reference"):
            out += [name, value]
    return out


def try_case(kanon, rng, folder):
    """None, or what is wrong; and the exit code."""
    case, rows = random_case(rng, folder)
    data, release = f"{folder}/in{case['suffix']}", f"{folder}/out{case['suffix']}"
    write_rows(case, rows, data)
    command = [kanon, "anonymize", data, *case["options"], "-o", release, "--quiet"]
    with open(f"{folder}/command", "w") as f:
        f.write(json.dumps(command) + "\n")
    code, words = run(command)
    if code not in (0, 2, 4):
        return f"exit {code}: {words}", code
    if code != 0:
        if os.path.exists(release):
            return f"exit {code}, and a release is there", code
        if code == 4 and surely_feasible(case, rows):
            return f"exit 4, and publishing the roots would do: {words}", code
        return (None, code) if words else (f"exit {code} without a word", code)
    published = read_rows(case, release)
    if holds(case, published) is False:
        return "the release breaks its guarantee", code
    if len(published) > len(rows):
        return "more records than there were", code
    by_row = {row["row"]: row for row in rows}
    if case["kind"] == "items" and len(published) == len(rows):
        pairs = list(zip(rows, published))
    else:
        pairs = [(by_row[p["row"]], p) for p in published if "row" in p]
    for original, p in pairs:
        wrong = untruthful(case, original, p, False)
        if wrong:
            return f"a published value of {wrong} does not cover its original", code
    for k in {case["k"], case["k"] + 1, rng.randint(1, 9)}:
        asked = dict(case, k=k)
        expected = holds(asked, published)
        original = ["--original", data] if case.get("reference") else []
        got, words = run([kanon, "check", release, *check_options(case, k), *original, "--quiet"])
        if expected is not None and got != (0 if expected else 1):
            return f"check with k = {k} exits {got}, and the guarantee {'holds' if expected else 'is broken'}: {words}", code
    return None, code


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("kanon")
    parser.add_argument("--cases", type=int, default=10**9)
    parser.add_argument("--seconds", type=float, default=math.inf)
    parser.add_argument("--seed", type=int, default=1)
    given = parser.parse_args()
    begin, codes, failed = time.monotonic(), Counter(), 0
    for number in range(given.cases):
        if time.monotonic() - begin > given.seconds:
            break
        seed = f"{given.seed}.{number}"
        folder = f"case-{seed}"
        os.makedirs(folder, exist_ok=True)
        wrong, code = try_case(given.kanon, random.Random(seed), folder)
        codes[code] += 1
        if wrong:
            failed += 1
            print(f"FAILED: {folder}: {wrong}\n    {' '.join(json.load(open(folder + '/command')))}")
        else:
            shutil.rmtree(folder)
    total = sum(codes.values())
    print(f"differential: {total} cases, {codes[0]} releases, {codes[4]} cannot be met, {codes[2]} refused, {failed} failed")
    if total >= 50 and codes[0] < total / 2:
        print("FAILED: too few cases end in a release for this to show anything")
        failed += 1
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
