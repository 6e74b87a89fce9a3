"""The figures of the tree paper on `kanon sample orders`: bench/results_trees.sh runs this.

usage: results_trees.py KANON WORK OUT RECORDS SERIES SIZES DATA LIMIT

Works in WORK and writes OUT/trees.md with its plots. Every release is made, checked and measured by the command
KANON; times are processor seconds of the whole run (reading, searching, writing, checking), so that a busy machine
changes them little. A call of the command that takes more than LIMIT processor seconds is ended, and its figure is
missing. What was measured before is kept in WORK/figures.json and not measured again."""
import json
import os
import resource
import signal
import subprocess
import sys

KANON, WORK, OUT, RECORDS, SERIES, SIZES, DATA, LIMIT = sys.argv[1:9]
RECORDS, SERIES, LIMIT, SIZES = int(RECORDS), int(SERIES), int(LIMIT), [int(size) for size in SIZES.split()]
METHODS = ["gcs", "ecs", "ocs", "miracle"]
COLOURS = {"gcs": "#1f5fa8", "ecs": "#3a8f3a", "ocs": "#c4501b", "miracle": "#7a4fa0"}
USUAL = {"k": 20, "m": 3, "n": 2}
SWEEPS = {"k": [5, 20, 100, 300], "m": [2, 3, 4, 5, 6], "n": [0, 1, 2, 3]}
if SERIES < 20000:  # a short run
    SWEEPS = {"k": [5, 20, 100], "m": [2, 3, 4], "n": [0, 1, 2, 3]}
SUPPORT = "0.01"
KEPT = os.path.join(WORK, "figures.json")
figures = json.load(open(KEPT)) if os.path.exists(KEPT) else {}


def path(name):
    return os.path.join(WORK, name)


class TooLong(Exception):
    pass


def run(*words):
    done = subprocess.run([KANON, *words], capture_output=True, text=True,
                          preexec_fn=lambda: resource.setrlimit(resource.RLIMIT_CPU, (LIMIT, LIMIT + 5)))
    if done.returncode in (-signal.SIGXCPU, -signal.SIGKILL):
        raise TooLong()
    if done.returncode != 0:
        sys.exit("failed: kanon " + " ".join(words) + "\n" + done.stderr)
    return done.stdout


def processor_seconds():
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    return used.ru_utime + used.ru_stime


def orders(records):
    """The sample with its hierarchies."""
    name = path("orders-%d.trees" % records)
    if not os.path.exists(name):
        run("sample", "orders", "--records", str(records), "--seed", "1", "-o", name, "--hierarchies", path("hierarchies"), "-q")
    return name


def figure(method, records, asked, mine=True, extra=()):
    """RPD, ML^2, dML^2, relations removed and processor seconds of one release; {} where it took too long."""
    key = "%s %d k=%d m=%d n=%d %s" % (method, records, asked["k"], asked["m"], asked["n"], " ".join(extra))
    if figures.get(key) == {"over": LIMIT} or (key in figures and "over" not in figures[key] and (not mine or "ml2" in figures[key])):
        return {} if "over" in figures[key] else figures[key]
    try:
        figures[key] = measure_one(method, orders(records), asked, mine, extra)
    except TooLong:
        figures[key] = {"over": LIMIT}
    with open(KEPT, "w") as f:
        json.dump(figures, f, indent=1, sort_keys=True)
    return {} if "over" in figures[key] else figures[key]


def measure_one(method, table, asked, mine, extra):
    out = path("out.trees")
    given = ["--hierarchies", path("hierarchies"), "--guarantee", "kmn-anonymity"]
    for name, value in asked.items():
        given += ["--" + name, str(value)]
    before = processor_seconds()
    run("anonymize", table, *given, "--method", method, *extra, "-o", out, "-q")
    taken = processor_seconds() - before
    run("check", out, *given)
    found = json.loads(run("measure", table, out, "--hierarchies", path("hierarchies"), "--support", SUPPORT if mine else "1", "--json"))
    result = {"rpd": found["utility"]["rpd"], "removed": found["utility"]["relations_removed"], "seconds": taken}
    if mine:
        result.update(ml2=found["utility"]["ml2"], dml2=found["utility"]["dml2"],
                      frequent=found["subtrees"]["frequent"], preserved=found["subtrees"]["preserved"])
    return result


def cell(found, name, form):
    return form % found[name] if name in found else "–"


def plot(name, title, axis, points, what):
    """Lines of one measure over the values of one parameter, as SVG."""
    points = {method: [(x, found[what]) for x, found in line if what in found] for method, line in points.items()}
    width, height, left, top, right, bottom = 460, 260, 62, 30, 92, 42
    values = sorted({x for line in points.values() for x, _ in line})
    most = max([y for line in points.values() for _, y in line] + [1e-12]) * 1.05
    place = {x: left + (width - left - right) * (i / max(len(values) - 1, 1)) for i, x in enumerate(values)}
    scale = lambda y: top + (height - top - bottom) * (1 - y / most)
    svg = ['<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 %d %d" font-family="sans-serif" font-size="11">' % (width, height),
           '<rect width="100%%" height="100%%" fill="#fff"/><text x="%d" y="18" font-size="13">%s</text>' % (left, title)]
    for i in range(5):
        y = most * i / 4
        svg.append('<line x1="%d" x2="%d" y1="%.1f" y2="%.1f" stroke="#ddd"/><text x="%d" y="%.1f" text-anchor="end">%.3g</text>'
                   % (left, width - right, scale(y), scale(y), left - 5, scale(y) + 4, y))
    for x in values:
        svg.append('<text x="%.1f" y="%d" text-anchor="middle">%s</text>' % (place[x], height - bottom + 16, "{:,}".format(x)))
    svg.append('<text x="%d" y="%d" text-anchor="middle">%s</text>' % ((left + width - right) // 2, height - 8, axis))
    for i, (method, line) in enumerate(points.items()):
        line = sorted(line)
        svg.append('<polyline fill="none" stroke="%s" stroke-width="2" points="%s"/>'
                   % (COLOURS[method], " ".join("%.1f,%.1f" % (place[x], scale(y)) for x, y in line)))
        svg += ['<circle cx="%.1f" cy="%.1f" r="3" fill="%s"/>' % (place[x], scale(y), COLOURS[method]) for x, y in line]
        svg.append('<text x="%d" y="%d" fill="%s">%s</text>' % (width - right + 12, top + 14 + 16 * i, COLOURS[method], method))
    svg.append("</svg>")
    with open(os.path.join(OUT, name), "w") as f:
        f.write("\n".join(svg) + "\n")
    return "![%s](%s)" % (title, name)


def table(head, rows):
    lines = ["| " + " | ".join(head) + " |", "|" + "---|" * len(head)]
    return "\n".join(lines + ["| " + " | ".join(str(cell) for cell in row) + " |" for row in rows])


def sweep(name):
    return {method: [(value, figure(method, SERIES, dict(USUAL, **{name: value}))) for value in SWEEPS[name]
                     if dict(USUAL, **{name: value})["n"] <= dict(USUAL, **{name: value})["m"] * (dict(USUAL, **{name: value})["m"] - 1) // 2]
            for method in METHODS}


SCHEMAS = {  # name: k, source, the call of kanon convert
    "TPC-H": (20, "tpch-0.01", [
        "--tree", "customer(nation.name as nation) > orders[2](price, date) > lineitem[3](quantity, part.mfgr as manufacturer, part.brand)",
        "--table-columns", "customer=custkey,cname,address,nationkey,phone,acctbal,segment,ccomment",
        "--table-columns", "nation=nationkey,name,regionkey,ncomment",
        "--table-columns", "orders=orderkey,custkey,status,price,date,priority,clerk,shippriority,ocomment",
        "--table-columns", "lineitem=orderkey,partkey,suppkey,line,quantity,extended,discount,tax,flag,lstatus,ship,commit,receipt,instruct,mode,lcomment",
        "--table-columns", "part=partkey,pname,mfgr,brand,type,size,container,retail,pcomment", "--bin", "price=5000", "--bin", "date=month"]),
    "Chinook": (5, "tree/chinook.json.zst", [
        "--tables", "--tree", "Customer(Country) > Invoice(InvoiceDate as date) > InvoiceLine(Track.Genre.Name as genre)", "--bin", "date=quarter"]),
    "Synthea": (20, "synthea", [
        "--tree", "patients(CITY as city, GENDER as sex) > {conditions[2](DESCRIPTION as condition, START as since), medications[2](DESCRIPTION as drug)}",
        "--foreign-key", "conditions.PATIENT=patients.ID", "--foreign-key", "medications.PATIENT=patients.ID", "--bin", "since=year"]),
}


def real():
    """Three real schemas: from related tables to trees, each release checked."""
    rows = []
    for name, (k, source, words) in SCHEMAS.items():
        if not os.path.exists(os.path.join(DATA, source)):
            continue
        trees, folder = path(name + ".trees"), path(name + "-hierarchies")
        run("convert", os.path.join(DATA, source), trees, *words, "--hierarchies-to", folder, "-q")
        records = sum(1 for line in open(trees) if not line.startswith("#"))
        for method in METHODS:
            given = ["--hierarchies", folder, "--guarantee", "kmn-anonymity", "--k", str(k), "--m", "3", "--n", "2"]
            before = processor_seconds()
            run("anonymize", trees, *given, "--method", method, "-o", path("real.trees"), "-q")
            taken = processor_seconds() - before
            run("check", path("real.trees"), *given)
            found = json.loads(run("measure", trees, path("real.trees"), "--hierarchies", folder, "--support", "0.05", "--json"))
            rows.append([name, "{:,}".format(records), k, method, "%.5f" % found["utility"]["rpd"], "%.3f" % found["utility"]["ml2"],
                         "%.3f" % found["utility"]["dml2"], "%.1f %%" % (100 * found["utility"]["relations_removed"]), "%.2f" % taken])
    return rows


def main():
    os.makedirs(OUT, exist_ok=True)
    text = [open(os.path.join(os.path.dirname(__file__), "results_trees.head.md")).read().replace("@RECORDS@", "{:,}".format(RECORDS)).replace("@SERIES@", "{:,}".format(SERIES)).replace("@LIMIT@", "{:,}".format(LIMIT))]
    usual = [(RECORDS, method, figure(method, RECORDS, USUAL)) for method in METHODS]
    for key, found in sorted(figures.items()):  # what a longer run left
        method, records, rest = key.split(" ", 2)
        if int(records) > RECORDS and rest == "k=20 m=3 n=2 " and "ml2" in found:
            usual.append((int(records), method, found))
    text.append("## At the defaults\n\n" + table(
        ["records", "method", "RPD", "ML^2", "dML^2", "frequent subtrees kept", "relations removed", "processor seconds"],
        [["{:,}".format(n), m, "%.5f" % f["rpd"], "%.3f" % f["ml2"], "%.3f" % f["dml2"], "{:,} of {:,}".format(f["preserved"], f["frequent"]),
          "%.1f %%" % (100 * f["removed"]), "%.1f" % f["seconds"]] for n, m, f in usual if f]))
    rows = real()
    if rows:
        text.append("## Real schemas\n\nRelated tables through `kanon convert`, m = 3, n = 2, g = 2; subtrees with a support of 5 %.\n\n" + table(
            ["data", "records", "k", "method", "RPD", "ML^2", "dML^2", "relations removed", "processor seconds"], rows))
    for name, title in (("k", "k"), ("m", "m, values known"), ("n", "n, relations known")):
        found = sweep(name)
        text.append("## Over {}, {:,} records\n".format(name, SERIES))
        for measure, words in (("rpd", "RPD"), ("ml2", "ML^2"), ("dml2", "dML^2"), ("seconds", "processor seconds")):
            text.append(plot("trees-%s-%s.svg" % (name, measure), words, title,
                             found, measure))
        text.append("\n" + table([name] + ["%s %s" % (m, w) for m in METHODS for w in ("RPD", "s")],
                                 [[x] + [text for m in METHODS for text in
                                         (cell(dict(found[m])[x], "rpd", "%.5f"), cell(dict(found[m])[x], "seconds", "%.1f"))]
                                  for x, _ in found["gcs"]]))
    found = {method: [(size, figure(method, size, USUAL, mine=False)) for size in SIZES] for method in METHODS}
    text.append("## Over the number of records\n")
    for measure, words in (("rpd", "RPD"), ("seconds", "processor seconds")):
        text.append(plot("trees-size-%s.svg" % measure, words, "records",
                         found, measure))
    text.append("\n" + table(["records"] + ["%s %s" % (m, w) for m in found for w in ("RPD", "s")],
                             [["{:,}".format(size)] + [text for m in found for text in
                              (cell(dict(found[m])[size], "rpd", "%.5f"), cell(dict(found[m])[size], "seconds", "%.1f"))] for size in SIZES]))
    small = min(SIZES)
    rows = [["gcs, g = %d" % g] + [figure("gcs", small, USUAL, False, ("--g", str(g)))] for g in (1, 2, 4)]
    cuts = "80000" if SERIES >= 20000 else "500"
    rows.append(["acs, %s cuts" % cuts, figure("acs", small, USUAL, False, ("--cuts", cuts))])
    text.append("## acs beside gcs, {:,} records\n\n".format(small) +
                table(["", "RPD", "processor seconds"], [[n, cell(f, "rpd", "%.5f"), cell(f, "seconds", "%.1f")] for n, f in rows]))
    table_in, out = orders(RECORDS), path("negative.trees")
    given = ["--hierarchies", path("hierarchies"), "--guarantee", "kmn-anonymity", "--k", "20", "--m", "3", "--n", "2"]
    run("anonymize", table_in, *given, "-o", out, "-q")
    rows = []
    for q in (1, 2, 3, 4):
        found = json.loads(run("measure", table_in, out, "--hierarchies", path("hierarchies"), "--support", "1", "--negative", str(q), "--json"))["negative"]
        rows.append([q] + [cell for which in ("original", "generalised") for cell in
                           ("%.4f" % found[which]["breached"], found[which]["least"])])
    text.append("## Attackers with negative knowledge (Figure 18)\n\nPeople found by attackers who are left with fewer than k = 20 records, per attacker "
                "drawn, and the fewest records left.\n\n" +
                table(["values denied", "of the original: breached", "least", "generalised: breached", "least"], rows))
    text.append(open(os.path.join(os.path.dirname(__file__), "results_trees.tail.md")).read())
    with open(os.path.join(OUT, "trees.md"), "w") as f:
        f.write("\n\n".join(part.strip() for part in text) + "\n")


main()
