#!/usr/bin/env bash
# The Python package on a polars data frame against the command on the same table as CSV: flash, k = 5, a million rows of
# `sample people`, from frame to checked frame and from file to checked file, with the report: the clock and, as cores may be shared, the processor;
# and what reading takes of it, as both reports say. $KN_BENCH_PYTHON is a python that has kanon (a
# release build: pip install ./python) and polars.
# shellcheck source=bench/common.sh disable=SC1091
. "$(dirname "$0")/common.sh"
need_kanon
python=${KN_BENCH_PYTHON:-python3}
"$python" -c 'import kanon, polars' 2>/dev/null || skip "$python has no kanon and polars: pip install ./python polars; KN_BENCH_PYTHON names another"

n=1000000
rounds=5
if [ -n "$quick" ]; then
    n=200000
    rounds=3
fi
table=$work/python_$n.csv
hierarchies=$work/python_hierarchies
[ -f "$table" ] || "$kanon" sample people --records $n --seed 1 -o "$table" --hierarchies "$hierarchies" --quiet

# Both in turns: the best round each.
"$python" - "$kanon" "$table" "$hierarchies" "$work" "$rounds" <<'PYTHON'
import json, resource, subprocess, sys, time
import kanon, polars
command, table, hierarchies, work, rounds = sys.argv[1:]
qi = ["sex", "age", "country", "marital", "education", "occupation", "sector"]
frame = polars.read_csv(table)

def by_command():
    subprocess.run([command, "anonymize", table, "--qi", ",".join(qi), "--sensitive", "diagnosis", "--drop-rest", "--hierarchies",
                    hierarchies, "--k", "5", "--method", "flash", "--suppression", "0.05", "--measures", "basic",
                    "-o", work + "/python_out.csv", "--report", work + "/python_out.json", "--quiet"], check=True)

def by_python():
    release = kanon.anonymize(frame, qi=qi, sensitive="diagnosis", rest="drop", hierarchies=hierarchies, k=5, method="flash",
                              suppression=0.05, measures="basic")
    return release.to_polars(), release.report

def processor():
    return sum(r.ru_utime + r.ru_stime for r in map(resource.getrusage, (resource.RUSAGE_SELF, resource.RUSAGE_CHILDREN)))

def reading(report):
    return sum(phase["seconds"] for phase in report["phases"] if phase["name"] == "read")

best = {}
for _ in range(int(rounds)):
    for name, function in (("csv", by_command), ("frame", by_python)):
        start, used = time.perf_counter(), processor()
        result = function()
        found = {"seconds": time.perf_counter() - start, "processor": processor() - used}
        if name == "frame":
            made, report = result
        else:
            report = json.load(open(work + "/python_out.json"))
        found["read"] = reading(report)
        best[name] = {what: min(value, best.get(name, found)[what]) for what, value in found.items()}
written = polars.read_csv(work + "/python_out.csv", infer_schema=False)
assert made.select(polars.all().cast(polars.String)).equals(written), "not the same release"
for name, found in best.items():
    for what, value in found.items():
        with open(f"{work}/python_{name}.{what}", "w") as file:
            file.write(f"{value:.6f}")
PYTHON
claim python "$n rows, frame to frame" time "$(seconds python_frame)" s "the command, CSV to CSV" "$(seconds python_csv)" 1
claim python "$n rows, frame to frame" processor "$(processor python_frame)" s "the command, CSV to CSV" "$(processor python_csv)" 1
claim python "$n rows, a polars frame" "time of reading" "$(cat "$work/python_frame.read")" s "the command, CSV" "$(cat "$work/python_csv.read")" 1
rm -f "$work/python_out.csv" "$work/python_out.json"
