#!/usr/bin/env bash
# The Python package on a polars data frame against the command on the same table as CSV: flash, k = 5, a million rows of
# `sample people`, from frame to checked frame and from file to checked file, with the report. $KN_BENCH_PYTHON is a python that has kanon (a
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

# Both in turns: seconds of the best round each.
"$python" - "$kanon" "$table" "$hierarchies" "$work" "$rounds" <<'PYTHON'
import subprocess, sys, time
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
    return release.to_polars()

best = {}
for _ in range(int(rounds)):
    for name, function in (("csv", by_command), ("frame", by_python)):
        start = time.perf_counter()
        made = function()
        best[name] = min(best.get(name, float("inf")), time.perf_counter() - start)
written = polars.read_csv(work + "/python_out.csv", infer_schema=False)
assert made.select(polars.all().cast(polars.String)).equals(written), "not the same release"
for name, seconds in best.items():
    with open(f"{work}/python_{name}.seconds", "w") as file:
        file.write(f"{seconds:.6f}")
PYTHON
claim python "$n rows, frame to frame" time "$(seconds python_frame)" s "the command, CSV to CSV" "$(seconds python_csv)" 1
rm -f "$work/python_out.csv" "$work/python_out.json"
