"""The figures of the sampling paper on `kanon sample towers`: bench/results_sampling.sh runs this.

usage: results_sampling.py KANON WORK OUT PEOPLE GOWALLA

Works in WORK, where finished runs are kept and not made again, and writes OUT/sampling.md with its
plots. GOWALLA is the folder of gowalla-*.tsv.zst; where it is not there, that part says so. With
SAMPLING_FINISHED in the environment no run is made: the page has those that are there."""
import json
import os
import resource
import subprocess
import sys
import time

KANON, WORK, OUT, PEOPLE, GOWALLA = sys.argv[1], sys.argv[2], sys.argv[3], int(sys.argv[4]), sys.argv[5]
SIZES = range(4, 12)
GRID = ((20, 0.99), (20, 0.999), (10, 0.99), (10, 0.999))
ATTACKERS = ("both", "uniform", "person")
COLOURS = ["#1f5fa8", "#c4501b", "#3a8f3a", "#7a4fa0", "#777777", "#b8860b", "#008b8b"]
# What the paper says in words and under Figure 3 (k = 20, r = 10).
PAPER = {"partitions": {0.99: {4: 337, 5: 296, 8: 158, 11: 143}, 0.999: {5: 234, 8: 121, 11: 118}},
         "error": {0.99: {4: 120, 5: 143, 8: 264, 11: 284}, 0.999: {5: 184, 8: 314, 11: 331}},
         "km2": {0.99: {11: 1.0}, 0.999: {11: 1.3}}}


def path(name):
    return os.path.join(WORK, name)


def run(*words):
    done = subprocess.run([KANON, *words], capture_output=True, text=True)
    if done.returncode != 0:
        sys.exit("failed: kanon " + " ".join(words) + "\n" + done.stderr)


def used():
    spent = resource.getrusage(resource.RUSAGE_CHILDREN)
    return spent.ru_utime + spent.ru_stime


def anonymize(table, places, k, m, sigma, *options):
    """One run, from file to certified release: what its report says for m and every smaller m, and its time. A search for m passes
    through the regions of every smaller m, so --curve has them all, each with a certificate of its own."""
    name = "_".join(str(word).strip("-") for word in (table, k, m, sigma, *options)).replace(",", "+")
    kept = path(name + ".json")
    if not os.path.exists(kept) and "SAMPLING_FINISHED" in os.environ:
        return None
    if not os.path.exists(kept):
        before, start = used(), time.time()
        run("anonymize", path(table + ".dat"), "--guarantee", "sigma-km-anonymity", "--k", str(k), "--m", str(m),
            "--sigma", str(sigma), "--method", "sampling", "--coordinates", path(places + ".csv"), "--names", "areas", "--curve",
            "-o", path("out.dat"), "--report", path("report.json"), "--quiet", *options)
        report = json.load(open(path("report.json")))
        sampled = [c for g in report["guarantee"] for c in g.get("certificates", []) if c["kind"] == "sampled"]
        result = {"cpu": used() - before, "wall": time.time() - start, "memory": report["peak_memory_bytes"],
                  "failures": sum(c["failures"] for c in sampled), "samples": sum(c["samples"] for c in sampled),
                  "curve": {step["m"]: {"partitions": step["areas"], "error": step["mean_error_m"], "km2": step["mean_km2"],
                                        "eps": step["eps"], "attempt": step["attempt"]} for step in report["areas"]["curve"]}}
        with open(kept + ".new", "w") as f:
            json.dump(result, f)
        os.rename(kept + ".new", kept)
    result = json.load(open(kept))
    result["curve"] = {int(m): step for m, step in result["curve"].items()}
    return result


def plot(name, title, unit, lines):
    """An SVG of lines over m: {label: {m: value}}."""
    width, height, left, bottom = 640, 360, 60, 60
    lines = {label: line for label, line in lines.items() if line}
    top = max(v for line in lines.values() for v in line.values()) * 1.1
    x = lambda m: left + (m - 4) * (width - left - 20) / 7
    y = lambda v: height - bottom - v * (height - bottom - 20) / top
    out = ['<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 %d %d" font-family="sans-serif" font-size="12">' % (width, height + 20 * len(lines)),
           '<title>%s</title><rect width="100%%" height="100%%" fill="white"/>' % title]
    for i in range(6):
        v = top * i / 5
        out.append('<line x1="%d" x2="%d" y1="%.1f" y2="%.1f" stroke="#ddd"/><text x="%d" y="%.1f" text-anchor="end">%.3g</text>'
                   % (left, width - 20, y(v), y(v), left - 6, y(v) + 4, v))
    for m in SIZES:
        out.append('<text x="%.1f" y="%d" text-anchor="middle">%d</text>' % (x(m), height - bottom + 18, m))
    out.append('<text x="%d" y="%d" text-anchor="middle">m, items known</text><text x="6" y="14">%s</text>' % (width / 2, height - bottom + 38, unit))
    for i, (label, line) in enumerate(lines.items()):
        dash = ' stroke-dasharray="5 4"' if "paper" in label else ""
        points = " ".join("%.1f,%.1f" % (x(m), y(v)) for m, v in sorted(line.items()))
        out.extend('<circle cx="%.1f" cy="%.1f" r="3" fill="%s"/>' % (x(m), y(v), COLOURS[i % len(COLOURS)]) for m, v in line.items())
        colour = COLOURS[i % len(COLOURS)]
        out.append('<polyline points="%s" fill="none" stroke="%s" stroke-width="2"%s/>' % (points, colour, dash))
        out.append('<line x1="%d" x2="%d" y1="%d" y2="%d" stroke="%s" stroke-width="2"%s/><text x="%d" y="%d">%s</text>'
                   % (left, left + 30, height + 20 * i - 8, height + 20 * i - 8, colour, dash, left + 38, height + 20 * i - 4, label))
    out.append("</svg>")
    with open(os.path.join(OUT, name), "w") as f:
        f.write("\n".join(out) + "\n")


def table(f, head, rows):
    f.write("| " + " | ".join(head) + " |\n|" + "---|" * len(head) + "\n")
    for row in rows:
        f.write("| " + " | ".join(str(cell) for cell in row) + " |\n")
    f.write("\n")


def towers():
    name = "towers_%d" % PEOPLE
    if not os.path.exists(path("towers.csv")) or not os.path.exists(path(name + ".dat")):
        run("sample", "towers", "--records", str(PEOPLE), "--seed", "1", "-o", path(name + ".dat"), "--coordinates", path("towers.csv"))
    most = max(SIZES)
    found = {}
    for k, sigma in GRID:
        found[k, sigma, "both"] = anonymize(name, "towers", k, most, sigma)
    found["paper"] = anonymize(name, "towers", 20, most, 0.99, "--paper")
    for k, sigma in GRID:
        for attacker in ATTACKERS[1:]:
            found[k, sigma, attacker] = anonymize(name, "towers", k, most, sigma, "--attacker", attacker)
    return found


def gowalla():
    """Real visits in and around Austin; places are snapped to a grid of about 500 m."""
    visits, places = (os.path.join(GOWALLA, "gowalla-%s.tsv.zst" % n) for n in ("visits", "places"))
    if not os.path.exists(visits) or not os.path.exists(places):
        return None
    step = 0.005
    read = lambda p: subprocess.run(["zstd", "-dc", p], capture_output=True, text=True, check=True).stdout.splitlines()
    cell, middle = {}, {}
    for line in read(places):
        place, lat, lon = line.split("\t")
        if not (30.0 <= float(lat) <= 30.6 and -98.1 <= float(lon) <= -97.4):
            continue
        key = "c%d_%d" % (round(float(lat) / step), round(float(lon) / step))
        cell[place] = key
        middle[key] = (round(float(lat) / step) * step, round(float(lon) / step) * step)
    people = {}
    for line in read(visits):
        person, place, _ = line.split("\t")
        if place in cell:
            people.setdefault(person, set()).add(cell[place])
    with open(path("gowalla.dat"), "w") as f:
        for cells in people.values():
            f.write(" ".join(sorted(cells)) + "\n")
    with open(path("gowalla.csv"), "w") as f:
        f.write("item,lat,lon\n")
        for key, (lat, lon) in middle.items():
            f.write("%s,%.4f,%.4f\n" % (key, lat, lon))
    ours = anonymize("gowalla", "gowalla", 5, 5, 0.99)
    paper = anonymize("gowalla", "gowalla", 5, 5, 0.99, "--paper")
    return len(people), len({c for s in people.values() for c in s}), ours, paper


def line(found, field):
    return {m: step[field] for m, step in found["curve"].items() if m in SIZES} if found else {}


def main():
    found, real = towers(), gowalla()
    f = open(os.path.join(OUT, "sampling.md"), "w")
    f.write("# sampling on towers, beside the sampling paper\n\n"
            "Made by `bench/results_sampling.sh` with `kanon sample towers --records %d --seed 1`. The paper has 4,427,486 people and data that is\n"
            "not public; the sample has its shape ([samples](../samples.md#towers)).%s Sizes up to 4 are exact, larger ones sampled; one run (`--runs 1`), where\n"
            "the paper keeps the best of ten. A search for m = 11 goes through the regions of every smaller m, so each line is one run with `--curve`; every point has a certificate\n"
            "of its own, and the bounds and attempts are in the tables. Where the attacker `uniform` alone gives the same line as both together, the plots leave it out.%s\n\n"
            % (PEOPLE, "" if PEOPLE == 4427486 else " **Fewer people than the paper's**: with fewer people the same k asks for larger regions, so "
               "compare the shape of the curves, not their height.",
               " Runs that were not made are left out." if "SAMPLING_FINISHED" in os.environ else ""))
    for field, title, unit, name in (("partitions", "Regions", "regions", "sampling-partitions"), ("error", "Mean error", "metres", "sampling-error"),
                                     ("km2", "Average size of a region, weighted by people", "km^2", "sampling-size")):
        for sigma in (0.99, 0.999):
            lines = {"k = %d, %s" % (k, "both attackers" if a == "both" else "attacker %s alone" % a): line(found[k, sigma, a], field)
                     for k in (10, 20) for a in ATTACKERS
                     if a != "uniform" or line(found[k, sigma, a], field) != line(found[k, sigma, "both"], field)}
            lines["the paper, k = 20, 4.4 million people, best of 10 runs"] = PAPER[field][sigma]
            file = "%s-%s.svg" % (name, sigma)
            plot(file, "%s, sigma = %s" % (title, sigma), unit, lines)
            f.write("![%s against m, sigma = %s](%s)\n\n" % (title, sigma, file))
    f.write("## Figures\n\n")
    for k in (10, 20):
        for sigma in (0.99, 0.999):
            f.write("### k = %d, sigma = %s\n\n" % (k, sigma))
            rows = []
            runs = [found[k, sigma, attacker] for attacker in ATTACKERS]
            for m in SIZES:
                cell = lambda form, field, times=1: " / ".join(form % (times * x["curve"][m][field]) if x else "-" for x in runs)
                if any(runs):
                    rows.append([m, cell("%d", "partitions"), cell("%.0f", "error"), cell("%.2f", "km2"), cell("%.3f %%", "eps", 100),
                                 cell("%d", "attempt")])
            if not rows:
                f.write("Not run.\n\n")
                continue
            table(f, ["m", "regions (both / uniform / person)", "mean error, m", "average size, km^2", "certified eps", "attempts"], rows)
    ours, paper = found[20, 0.99, "both"], found["paper"]
    if ours and paper:
        f.write("## Ours beside the printed choice of merges\n\nk = 20, sigma = 0.99, both attackers, the same guarantee and certificate "
                "([decision 0023](../decisions/0023-merges.md)). One run for all m, with a certificate for each, took %.0f s of the processor and %.1f GB; as printed %.0f s.\n\n"
                % (ours["cpu"], ours["memory"] / 1e9, paper["cpu"]))
        table(f, ["m", "regions, ours", "as printed", "mean error, ours", "as printed", "ratio"],
              [[m, a["partitions"], b["partitions"], "%.0f m" % a["error"], "%.0f m" % b["error"], "%.2f" % (a["error"] / b["error"])]
               for m, a, b in ((m, ours["curve"][m], paper["curve"][m]) for m in SIZES)])
    f.write("## Gowalla\n\n")
    if real and real[2] and real[3]:
        people, cells, ours, paper = real
        cpu, ours, paper = ours["cpu"], ours["curve"][5], paper["curve"][5]
        f.write("%d people in %d squares of about 500 m in and around Austin (public check-ins), k = 5, m = 5, sigma = 0.99, both attackers: %d regions with a mean error of %.0f m\n"
                "and %.1f km^2 on average (as printed %d, %.0f m, %.1f km^2); at most %.2f %% of the itemsets of a size fail; %.0f s of the processor.\n"
                % (people, cells, ours["partitions"], ours["error"], ours["km2"], paper["partitions"], paper["error"], paper["km2"], 100 * ours["eps"], cpu))
    else:
        f.write("Not run when this page was made.\n")
    f.close()


main()
