"""Figures 4 to 7 of the RT paper on `kanon sample informs` and `youtube`: bench/results_rt.sh runs this.

usage: results_rt.py KANON WORK OUT RECORDS

Works in WORK and writes OUT/rt.md with its plots. Every release is made, checked and measured by the command KANON. Times
are processor seconds of the whole run. A bound that cannot be met has no point. What was measured before is kept in
WORK/figures.json and not measured again."""
import json
import os
import resource
import subprocess
import sys

from curves import draw

KANON, WORK, OUT, RECORDS = sys.argv[1], sys.argv[2], sys.argv[3], int(sys.argv[4])
MERGES = ["r", "t", "rt"]
DELTAS = [0.3, 0.4, 0.5, 0.65, 0.8, 0.95]
KM, LM = ["--guarantee", "k-km-anonymity"], ["--guarantee", "k-lm-diversity", "--l", "2", "--sensitive-prefix", "d61"]
ASKS = {"2 values": (2, 0), "1 value, 2 items": (1, 2), "2 items": (0, 2)}
KEPT = os.path.join(WORK, "figures.json")
figures = json.load(open(KEPT)) if os.path.exists(KEPT) else {}
out = []


def run(*words):
    """What the command prints; None where the bound cannot be met."""
    done = subprocess.run([KANON, *words], capture_output=True, text=True)
    if done.returncode not in (0, 4):
        sys.exit("failed: kanon " + " ".join(words) + "\n" + done.stderr)
    return done.stdout if done.returncode == 0 else None


def processor_seconds():
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    return used.ru_utime + used.ru_stime


def sample(name, records):
    to = os.path.join(WORK, "%s-%d" % (name, records))
    if not os.path.exists(to + ".json"):
        run("sample", name, "--records", str(records), "--seed", "1", "-o", to + ".csv", "--hierarchies", to + "-hierarchies", "--schema",
            to + ".json", "-q")
    return to


def release(table, method, *options, k=25, guarantee=KM, asks=()):
    """What is lost, the clusters, ARE by kind of question, and processor seconds; None where it cannot be done."""
    key = " ".join([os.path.basename(table), method, *options, "k=%d" % k, guarantee[1], *asks])
    if key not in figures:
        figures[key] = measured(table, method, options, k, guarantee, asks)
        with open(KEPT, "w") as f:
            json.dump(figures, f, indent=1, sort_keys=True)
    return figures[key]


def measured(table, method, options, k, guarantee, asks):
    public, report = os.path.join(WORK, "out.csv"), os.path.join(WORK, "out.json")
    before = processor_seconds()
    if run("anonymize", table + ".csv", "--schema", table + ".json", *guarantee, "--k", str(k), "--m", "2", "--method", method, *options, "-o",
           public, "--report", report, "-q") is None:
        return None
    taken = processor_seconds() - before
    with open(report) as f:
        found = json.load(f)
    result = {**found["utility"], **found["clusters"], "seconds": taken}
    for name in asks:
        values, items = ASKS[name]
        answers = json.loads(run("measure", table + ".csv", public, "--schema", table + ".json", "--queries", "100", "--query-values",
                                 str(values), "--query-items", str(items), "--json"))
        result[name] = answers["utility"]["query_error"]
    return result


def plot(name, title, x, y, series, **axes):
    """One plot, and what it shows as a table under it."""
    draw(os.path.join(OUT, "rt-%s.svg" % name), title, x, y, series, **axes)
    out.append("![%s](rt-%s.svg)" % (title, name))
    out.append("")


def table(x_name, series, form="%.3f"):
    xs = sorted({x for line in series.values() for x, _ in line})
    out.append("| %s | %s |" % (x_name, " | ".join(series)))
    out.append("|---" * (len(series) + 1) + "|")
    for x in xs:
        cells = [form % dict(line)[x] if x in dict(line) else "–" for line in series.values()]
        out.append("| %s | %s |" % ("{:,g}".format(x), " | ".join(cells)))
    out.append("")


def over_delta(base, method, k, guarantee, asks):
    """By way of merging, (delta, release)."""
    found = {merge: [(d, release(base, method, "--merge", merge, "--delta", str(d), k=k, guarantee=guarantee, asks=asks)) for d in DELTAS]
             for merge in MERGES}
    return {merge: [(d, r) for d, r in line if r] for merge, line in found.items()}


def lines(found, what):
    return {"merge " + merge: [(x, r[what]) for x, r in line] for merge, line in found.items()}


def figure_of_errors(found, name, title):
    for i, ask in enumerate(a for a in ASKS if any(a in r for line in found.values() for _, r in line)):
        plot("%s-%d" % (name, i + 1), "%s: questions of %s" % (title, ask), "delta", "ARE", lines(found, ask))
        table("delta, " + ask, lines(found, ask), "%.2f")


def page():
    informs, youtube, small = sample("informs", RECORDS), sample("youtube", RECORDS), sample("informs", min(RECORDS, 4000))
    rum = over_delta(informs, "rum-bound", 25, KM, ASKS)
    tube = over_delta(youtube, "rum-bound", 100, KM, ASKS)
    tum = over_delta(informs, "tum-bound", 25, KM, ["1 value, 2 items"])
    diverse = over_delta(informs, "rum-bound", 25, LM, ASKS)
    out.extend(["# Tables with items, beside the RT paper", "",
                "Made by `bench/results_rt.sh` with `kanon sample informs` and `youtube`, %s records each, seed 1. The paper's data are not public; the samples have "
                "[their shape](../samples.md#informs-youtube), not their distribution. So shapes can be compared, not numbers: the paper's figures are drawn "
                "without tables, and its text states the trends only. k = 25 for INFORMS and 100 for YOUTUBE, m = 2, as in the paper; 100 questions per point. "
                "ARE is [`query_error`](../measures.md). A bound below what the clusters lose before any merge cannot be met and has no point." % "{:,}".format(RECORDS), "",
                "`rum-bound` is not run as printed: it publishes the clusters for which `ul` was least ([rt.md](../rt.md#rum-bound-and-tum-bound)), so a larger delta spends no more "
                "than helps. `--paper` in Fig. 7g spends the whole bound.", "", "## Error of questions against delta (Fig. 4)", "", "### INFORMS, rum-bound (a-c)", ""])
    figure_of_errors(rum, "4-informs", "INFORMS, rum-bound")
    out.extend(["### YOUTUBE, rum-bound (d-g)", ""])
    figure_of_errors(tube, "4-youtube", "YOUTUBE, rum-bound")
    out.extend(["### INFORMS, tum-bound (h)", ""])
    figure_of_errors(tum, "4-tum", "INFORMS, tum-bound")
    out.extend(["## (k,l^m)-diversity (Fig. 5)", "", "l = 2; the items that begin with d61 are sensitive.", ""])
    figure_of_errors(diverse, "5", "INFORMS, k-lm-diversity")
    out.extend(["## Largest cluster and UL against delta (Fig. 6)", ""])
    for name, found in (("INFORMS", rum), ("YOUTUBE", tube)):
        plot("6-size-" + name.lower(), name + ": the largest cluster", "delta", "records", lines(found, "largest"))
        table("delta, largest cluster", lines(found, "largest"), "%d")
        plot("6-ul-" + name.lower(), name + ": UL", "delta", "ul", lines(found, "ul"))
        table("delta, ul", lines(found, "ul"))
    times(informs, small)
    merges(small)
    compare({"INFORMS": rum, "YOUTUBE": tube})


def compare(found):
    """What the paper's text says of Fig. 4 and 6, counted here."""
    most = {"largest": [], "ul": []}
    falls = {"ul": [], "2 items": []}
    for by_merge in found.values():
        by_merge = {merge: dict(line) for merge, line in by_merge.items()}
        for d in set.intersection(*(set(line) for line in by_merge.values())):
            at = {merge: line[d] for merge, line in by_merge.items()}
            most["largest"].append(at["r"]["largest"] >= max(at["t"]["largest"], at["rt"]["largest"]))
            most["ul"].append(at["r"]["ul"] <= min(at["t"]["ul"], at["rt"]["ul"]))
        for line in by_merge.values():
            for what, list_of in falls.items():
                list_of.append(line[max(line)][what] <= line[min(line)][what])
    out.extend(["## What the paper says, and what is found here", "",
                "- `merge r` makes the largest clusters (Fig. 6a, 6b): at %d of %d points." % (sum(most["largest"]), len(most["largest"])),
                "- and these have the lowest UL (Fig. 6c, 6d): at %d of %d points." % (sum(most["ul"]), len(most["ul"])),
                "- A large delta favours the items: from the smallest to the largest delta UL falls in %d of %d lines, but the error of questions of 2 items falls in %d of %d. The "
                "two measure different things: UL is low where a record's items are in few huge groups, and such groups answer a question about two items badly "
                "([rt.md](../rt.md#how-near-items-are))." % (sum(falls["ul"]), len(falls["ul"]), sum(falls["2 items"]), len(falls["2 items"])), ""])


def times(informs, small):
    sizes = [RECORDS // 2, RECORDS, RECORDS * 2, RECORDS * 4]
    by_size, by_k = {}, {}
    for way in MERGES + ["clusters alone"]:
        how = ["rfirst"] if way not in MERGES else ["rum-bound", "--merge", way, "--delta", "0.65"]
        name = way if way not in MERGES else "merge " + way
        by_size[name] = [(n, release(sample("informs", n), *how)["seconds"]) for n in sizes]
        by_k[name] = [(k, release(informs, *how, k=k)["seconds"]) for k in (10, 25, 50, 100)]
    out.extend(["## Time (Fig. 7a, 7b)", "", "Processor seconds of the whole run (reading, merging, writing, checking twice, measuring); `clusters alone` is `rfirst`. "
                "They depend on the machine and on how kanon was built; the shape does not.", ""])
    plot("7-size", "INFORMS, rum-bound, delta = 0.65", "records", "processor seconds", by_size, log_x=True)
    table("records", by_size, "%.2f")
    plot("7-k", "INFORMS, rum-bound, delta = 0.65", "k", "processor seconds", by_k)
    table("k", by_k, "%.2f")
    out.extend(["## BTD beside trial generalisation (Fig. 7c-7f)", "", "%s records; `exact` is `--exact-utility`." % "{:,}".format(min(RECORDS, 4000)), ""])
    for method in ("rum-bound", "tum-bound"):
        found = {}
        for merge in ("t", "rt"):
            for exact in ([], ["--exact-utility"]):
                name = "merge %s%s" % (merge, ", exact" if exact else "")
                line = [(d, release(small, method, "--merge", merge, "--delta", str(d), *exact)) for d in (0.5, 0.65, 0.8)]
                found[name] = [(d, r) for d, r in line if r]
        for what, form, y in (("seconds", "%.2f", "processor seconds"), ("ul", "%.3f", "ul")):
            series = {name: [(d, r[what]) for d, r in line] for name, line in found.items()}
            plot("7-%s-%s" % (method, what), "%s: %s" % (method, y), "delta", y, series)
            table("delta, %s, %s" % (method, y), series, form)


def swept(table, method, *options):
    """(merges, UL) of the releases of a sweep of delta, each once."""
    public, report = os.path.join(WORK, "sweep.csv"), os.path.join(WORK, "sweep.json")
    run("anonymize", table + ".csv", "--schema", table + ".json", *KM, "--k", "25", "--m", "2", "--method", method, *options, "--sweep",
        "delta=0.2:1:0.05", "-o", public, "--report", report, "-q")
    with open(report) as f:
        found = json.load(f)["sweep"]
    return sorted({(one["clusters"]["merges"], one["utility"]["ul"]) for one in found if one["feasible"]})


def merges(small):
    rises = total = 0
    out.extend(["## UL against the number of merges (Fig. 7g, 7h)", "",
                "The paper says that UL never increases as clusters merge (its property 3), for a generalisation that may publish an item in several forms. Here an item has one "
                "form per cluster, and the property does not hold strictly ([0016](../decisions/0016-items-of-a-cluster.md)): a merge may raise UL. Each point is a release of "
                "`kanon anonymize --sweep delta=0.2:1:0.05 --report sweep.json`, which has `clusters.merges` and `utility.ul` of each. `rum-bound --paper` merges "
                "whatever the bound allows.", ""])
    for method, extra in (("rum-bound", ["--paper"]), ("tum-bound", [])):
        series = {"merge " + merge: swept(small, method, "--merge", merge, *extra) for merge in MERGES}
        for line in series.values():
            rises += sum(b > a + 1e-12 for (_, a), (_, b) in zip(line, line[1:]))
            total += max(len(line) - 1, 0)
        plot("7-merges-" + method, "%s: UL against merges" % method, "merges", "ul", series)
    out.extend(["Of %d steps from one point to the next, %d raise UL." % (total, rises), ""])


page()
with open(os.path.join(OUT, "rt.md"), "w") as f:
    f.write("\n".join(out).rstrip() + "\n")
