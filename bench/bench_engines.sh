#!/usr/bin/env bash
# kanon.duckdb on a Parquet file against the command on the same table as CSV: flash, k = 5, ten million rows of `sample people`, each in a
# process of its own, from file to checked file; both releases are compared. $KN_BENCH_PYTHON is a python that has kanon (a release build:
# pip install ./python), duckdb and pyarrow. BENCH_ENGINE_ROWS is another number of rows (100000000 for the large table).
# shellcheck source=bench/common.sh disable=SC1091
. "$(dirname "$0")/common.sh"
need_kanon
python=${KN_BENCH_PYTHON:-python3}
"$python" -c 'import kanon, duckdb, pyarrow' 2>/dev/null || skip "$python has no kanon, duckdb and pyarrow: pip install ./python duckdb pyarrow; KN_BENCH_PYTHON names another"

n=10000000
[ -z "$quick" ] || n=200000
n=${BENCH_ENGINE_ROWS:-$n}
qi=sex,age,country,marital,education,occupation,sector
table=$work/engines_$n.csv
hierarchies=$work/engines_hierarchies
[ -f "$table" ] || "$kanon" sample people --records "$n" --seed 1 -o "$table" --hierarchies "$hierarchies" --quiet
[ -f "$table.parquet" ] || "$python" -c 'import sys, duckdb; duckdb.connect().read_csv(sys.argv[1]).write_parquet(sys.argv[1] + ".parquet")' "$table"

cat >"$work/engines.py" <<'PYTHON'
import sys, duckdb, kanon.duckdb
table, hierarchies, qi, out, recoding = sys.argv[1:]
con = duckdb.connect()
release = kanon.duckdb.anonymize(con, con.read_parquet(table + ".parquet"), out, qi=qi.split(","), sensitive="diagnosis", rest="drop",
                                 hierarchies=hierarchies, k=5, suppression=0.05)
open(recoding, "w").write(release.recoding.json())
PYTHON
measure 1 engines_command "$kanon" anonymize "$table" --qi "$qi" --sensitive diagnosis --drop-rest --hierarchies "$hierarchies" --k 5 --method flash \
    --suppression 0.05 -o "$work/engines_out.csv" --recoding "$work/engines_command.json" --quiet \
    :: engines_duckdb "$python" "$work/engines.py" "$table" "$hierarchies" "$qi" "$work/engines_out.parquet" "$work/engines_duckdb.json"
cmp "$work/engines_command.json" "$work/engines_duckdb.json"
"$python" - "$work/engines_out" <<'PYTHON'
import sys, duckdb
con = duckdb.connect()
one, other = f"read_csv('{sys.argv[1]}.csv', all_varchar = true)", f"(SELECT COLUMNS(*)::VARCHAR FROM '{sys.argv[1]}.parquet')"
assert con.sql(f"(FROM {one} EXCEPT ALL FROM {other}) UNION ALL (FROM {other} EXCEPT ALL FROM {one})").fetchall() == [], "not the same rows"
PYTHON
claim engines "$n rows, DuckDB, file to file" time "$(seconds engines_duckdb)" s "the command, CSV to CSV" "$(seconds engines_command)" 3
claim engines "$n rows, DuckDB" memory "$(peak engines_duckdb)" bytes "the command" "$(peak engines_command)" 2
rm -f "$work/engines_out.csv" "$work/engines_out.parquet"
