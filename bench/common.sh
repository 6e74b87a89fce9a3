# shellcheck shell=bash disable=SC2034
# common.sh - what the benches share; sourced by them.
#
# A bench is bench/bench_NAME.sh. It runs from the top of the tree, measures with `measure`, and states
# what it found with `claim`. Files go to $work, which stays, so that large inputs are made once. Exit
# 77 says that it was skipped.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."

kanon=${KANON:-build/kanon}
work=${BENCH_WORK:-build/bench-work}
rows=${BENCH_ROWS:-/dev/null}
quick=${BENCH_QUICK:-}
adult=${BENCH_ADULT:-../shared/data/adult}
adult_qi=sex,age,race,marital-status,education,native-country,workclass,occupation
mkdir -p "$work"

skip() { printf 'skipped: %s\n' "$*" >&2; exit 77; }
need_kanon() { [ -x "$kanon" ] || skip "$kanon is not there; run make first"; }
need_adult() {
    [ -r "$adult/adult.csv.zst" ] || skip "$adult/adult.csv.zst is not there; BENCH_ADULT names another folder"
}

# Columns without a role are published as they are: what 0.1.0, which has no option for it, does anyway.
keep_rest=()
if "$kanon" anonymize --help 2>/dev/null | grep -c -- --keep-rest >/dev/null; then keep_rest=(--keep-rest); fi

# measure ROUNDS NAME COMMAND... [:: NAME COMMAND...]...
# Run the commands ROUNDS times, in turns, so that a busy moment hits them all. For each, the least
# wall-clock seconds, the least seconds of the processor and the greatest peak of resident memory (at
# least Python's own 15 MB) are left in $work/NAME.seconds, $work/NAME.processor and $work/NAME.peak, what
# it printed in $work/NAME.log. A command that fails ends the bench.
measure() {
    python3 - "$work" "$@" <<'PYTHON'
import os, sys, time
work, rounds, words = sys.argv[1], int(sys.argv[2]), sys.argv[3:]
commands = []
while words:
    end = words.index("::") if "::" in words else len(words)
    commands.append((words[0], words[1:end]))
    words = words[end + 1:]
best = {name: (float("inf"), 0, float("inf")) for name, _ in commands}
for _ in range(rounds):
    for name, command in commands:
        log = os.path.join(work, name + ".log")
        out = os.open(log, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o644)
        start = time.perf_counter()
        pid = os.posix_spawnp(command[0], command, os.environ,
                              file_actions=[(os.POSIX_SPAWN_DUP2, out, 1), (os.POSIX_SPAWN_DUP2, out, 2)])
        _, status, usage = os.wait4(pid, 0)
        seconds = time.perf_counter() - start
        os.close(out)
        if status != 0:
            sys.stderr.write("failed: " + " ".join(command) + "\n" + open(log, errors="replace").read()[-2000:])
            sys.exit(1)
        best[name] = (min(best[name][0], seconds), max(best[name][1], usage.ru_maxrss * 1024),
                      min(best[name][2], usage.ru_utime + usage.ru_stime))
for name, (seconds, peak, processor) in best.items():
    with open(os.path.join(work, name + ".processor"), "w") as f:
        f.write("%.6f" % processor)
    with open(os.path.join(work, name + ".seconds"), "w") as f:
        f.write("%.6f" % seconds)
    with open(os.path.join(work, name + ".peak"), "w") as f:
        f.write("%d" % peak)
PYTHON
}

# measure_tree NAME COMMAND...
# Run the command once and measure it together with the processes that it starts (a Java runtime, executors): the seconds and the peak of
# the sum of the resident memory of all, which is looked at five times a second, and the seconds of the processor of each as they were last
# seen. What they share is counted once per process. The same files are left as by `measure`. Status 124: it took longer than
# $BENCH_LIMIT seconds and was stopped; .seconds, .processor and .peak say how far it got.
measure_tree() {
    python3 - "$work" "${BENCH_LIMIT:-0}" "$@" <<'PYTHON'
import os, signal, sys, time
work, limit, name, command = sys.argv[1], float(sys.argv[2]), sys.argv[3], sys.argv[4:]
tick, page = os.sysconf("SC_CLK_TCK"), os.sysconf("SC_PAGE_SIZE")

def look(known):
    """The processes below `known`, by number and start: the number above, seconds of the processor, memory."""
    found = {}
    for pid in filter(str.isdigit, os.listdir("/proc")):
        try:
            words = open(f"/proc/{pid}/stat").read().rpartition(")")[2].split()
        except OSError:
            continue
        # Field 4 of the page about /proc is words[1].
        found[int(pid), int(words[19])] = int(words[1]), (int(words[11]) + int(words[12])) / tick, int(words[21]) * page
    numbers = {pid for pid, _ in known if (pid, _) in found}
    more = True
    while more:
        new = {pid for (pid, _), (above, *_rest) in found.items() if above in numbers} - numbers
        numbers |= new
        more = bool(new)
    return {key: value for key, value in found.items() if key[0] in numbers}

out = os.open(os.path.join(work, name + ".log"), os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o644)
start = time.perf_counter()
pid = os.posix_spawnp(command[0], command, os.environ, file_actions=[(os.POSIX_SPAWN_DUP2, out, 1), (os.POSIX_SPAWN_DUP2, out, 2)])
seen, peak, status, stopped = {}, 0, None, False
first = int(open(f"/proc/{pid}/stat").read().rpartition(")")[2].split()[19])
known = {(pid, first)}
while status is None:
    time.sleep(0.2)
    ended, code = os.waitpid(pid, os.WNOHANG)
    now = look(known)
    known |= set(now)
    peak = max(peak, sum(memory for _, _, memory in now.values()))
    seen.update({key: seconds for key, (_, seconds, _) in now.items()})
    if ended:
        status = code
    elif limit and time.perf_counter() - start > limit and not stopped:
        stopped = True
        for process, _ in now:
            os.kill(process, signal.SIGKILL)
seconds = time.perf_counter() - start
for what, value in ("seconds", f"{seconds:.6f}"), ("processor", f"{sum(seen.values()):.6f}"), ("peak", str(peak)):
    with open(os.path.join(work, f"{name}.{what}"), "w") as file:
        file.write(value)
if stopped:
    sys.exit(124)
if status != 0:
    sys.stderr.write("failed: " + " ".join(command) + "\n" + open(os.path.join(work, name + ".log"), errors="replace").read()[-2000:])
    sys.exit(1)
PYTHON
}

# $BENCH_CLOCK=processor: what a busy machine leaves comparable (bench/compare).
seconds() { cat "$work/$1.${BENCH_CLOCK:-seconds}"; }
peak() { cat "$work/$1.peak"; }
processor() { cat "$work/$1.processor"; }

# utility REPORT MEASURE: a measure from a JSON report.
utility() {
    python3 -c 'import json, sys; print(json.load(open(sys.argv[1]))["utility"][sys.argv[2]])' "$1" "$2"
}
calculate() { python3 -c 'import sys; from math import log2; print(eval(sys.argv[1]))' "$1"; }

# claim BENCH CASE WHAT VALUE UNIT [REFERENCE-NAME REFERENCE MOST]
# One line of the table: VALUE, and where there is a reference, VALUE / REFERENCE, which should be at most MOST.
claim() {
    python3 - "$rows" "$@" <<'PYTHON'
import json, sys
rows, bench, case, what, value, unit = sys.argv[1:7]
row = {"bench": bench, "case": case, "what": what, "value": float(value), "unit": unit}
if len(sys.argv) > 7:
    name, reference, most = sys.argv[7], float(sys.argv[8]), float(sys.argv[9])
    ratio = float(value) / reference
    row.update(against=name, reference=reference, ratio=ratio, at_most=most, holds=ratio <= most)
with open(rows, "a") as f:
    f.write(json.dumps(row) + "\n")
PYTHON
}

# anonymize_adult TABLE OUT REPORT OPTION...: the words of a call on a table with Adult's columns, into the array $call.
anonymize_adult() {
    local table=$1 out=$2 report=$3
    shift 3
    call=("$kanon" anonymize "$table" --separator ';' --qi "$adult_qi" "${keep_rest[@]}" --hierarchies "$adult/hierarchies"
          --guarantee k-anonymity "$@" -o "$out" --report "$report" --quiet)
}
# check_adult OUT K: what was measured must also be right.
check_adult() {
    "$kanon" check "$1" --separator ';' --qi "$adult_qi" --guarantee k-anonymity --k "$2" --quiet >/dev/null
}
