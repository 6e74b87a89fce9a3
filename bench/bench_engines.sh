#!/usr/bin/env bash
# kanon.duckdb and kanon.spark on a Parquet file against the command on the same table as CSV: flash, k = 5, ten million rows of `sample people`, each
# in a process of its own, from file to checked file. The recodings are compared byte by byte, the releases row by row. $KN_BENCH_PYTHON is a python
# that has kanon (a release build: pip install ./python), duckdb and pyarrow; $KN_BENCH_SPARK_PYTHON one that has kanon, pyspark and pyarrow (the same
# unless given; without pyspark Spark is left out, which is said). KN_SPARK_MASTER is another master than two executors that are processes of their own.
# BENCH_ENGINE_ROWS is another number of rows (100000000 for the large table; above ten million the table has the published columns only, 73 bytes a row),
# BENCH_ENGINE_BASKETS another number of item lists than a tenth of that, which DuckDB anonymizes by `apriori` without the driver having them.
# shellcheck source=bench/common.sh disable=SC1091
. "$(dirname "$0")/common.sh"
need_kanon
python=${KN_BENCH_PYTHON:-python3}
spark=${KN_BENCH_SPARK_PYTHON:-$python}
"$python" -c 'import kanon, duckdb, pyarrow' 2>/dev/null || skip "$python has no kanon, duckdb and pyarrow: pip install ./python duckdb pyarrow; KN_BENCH_PYTHON names another"

n=10000000
[ -z "$quick" ] || n=200000
n=${BENCH_ENGINE_ROWS:-$n}
qi=sex,age,country,marital,education,occupation,sector
table=$work/engines_$n.csv
hierarchies=$work/engines_hierarchies
people=("$kanon" sample people --records "$n" --seed 1 --hierarchies "$hierarchies" --quiet)
if [ ! -f "$table" ] && [ "$n" -le 10000000 ]; then
    "${people[@]}" -o "$table"
elif [ ! -f "$table" ]; then
    "${people[@]}" | cut -d , -f 3,4,6-10,12 >"$table.part"
    mv "$table.part" "$table"
fi
[ -f "$table.parquet" ] || "$python" -c '
import os, sys, duckdb
con = duckdb.connect()
con.execute("SET preserve_insertion_order = false")
con.read_csv(sys.argv[1]).write_parquet(sys.argv[1] + ".parquet.part")
os.rename(sys.argv[1] + ".parquet.part", sys.argv[1] + ".parquet")' "$table"

cat >"$work/engines.py" <<'PYTHON'
import os, sys
engine, table, hierarchies, qi, out, recoding = sys.argv[1:]
options = dict(qi=qi.split(","), sensitive="diagnosis", rest="drop", hierarchies=hierarchies, k=5, suppression=0.05)
if engine == "duckdb":
    import duckdb, kanon.duckdb
    con = duckdb.connect()
    release = kanon.duckdb.anonymize(con, con.read_parquet(table + ".parquet"), out, **options)
else:
    import kanon.spark
    from pyspark.sql import SparkSession
    session = (SparkSession.builder.master(os.environ.get("KN_SPARK_MASTER", "local-cluster[2,1,2048]")).config("spark.ui.enabled", "false")
               .config("spark.executor.memory", "2g").config("spark.driver.host", "127.0.0.1").config("spark.driver.bindAddress", "127.0.0.1")
               .config("spark.sql.shuffle.partitions", "4").config("spark.local.dir", os.path.dirname(out)).getOrCreate())
    release = kanon.spark.anonymize(session.read.parquet(table + ".parquet"), out, **options)
    session.stop()
open(recoding, "w").write(release.recoding.json())
PYTHON
cat >"$work/engines_rows.py" <<'PYTHON'
import sys, duckdb
con = duckdb.connect()
def counted(source):  # the rows as a multiset: each different row with its number
    return f"(SELECT *, count(*) AS n FROM {source} GROUP BY ALL)"
one, other = counted(f"read_csv('{sys.argv[1]}', all_varchar = true)"), counted(f"(SELECT COLUMNS(*)::VARCHAR FROM read_parquet('{sys.argv[2]}'))")
assert con.sql(f"(FROM {one} EXCEPT FROM {other}) UNION ALL (FROM {other} EXCEPT FROM {one}) LIMIT 1").fetchall() == [], "not the same rows"
PYTHON
out=$(realpath "$work")/engines
rm -rf "$out"_out.*
command=("$kanon" anonymize "$table" --qi "$qi" --sensitive diagnosis --drop-rest --hierarchies "$hierarchies" --k 5 --method flash
    --suppression 0.05 -o "$out"_out.csv --recoding "$out"_command.json --quiet)
measure 1 engines_command "${command[@]}" \
    :: engines_duckdb "$python" "$work/engines.py" duckdb "$table" "$hierarchies" "$qi" "$out"_out.parquet "$out"_duckdb.json
engines=1
same=0
if "$spark" -c 'import kanon.spark, pyspark' 2>/dev/null; then
    measure 1 engines_spark "$spark" "$work/engines.py" spark "$table" "$hierarchies" "$qi" "$out"_out.spark "$out"_spark.json
    engines=2
else
    echo "Spark is left out: $spark has no kanon and pyspark; KN_BENCH_SPARK_PYTHON names another" >&2
fi
cmp "$out"_command.json "$out"_duckdb.json && same=$((same + 1))
"$python" "$work/engines_rows.py" "$out"_out.csv "$out"_out.parquet
claim engines "$n rows, DuckDB, file to file" time "$(seconds engines_duckdb)" s "the command, CSV to CSV" "$(seconds engines_command)" 3
claim engines "$n rows, DuckDB" processor "$(processor engines_duckdb)" s "the command" "$(processor engines_command)" 3
claim engines "$n rows, DuckDB" memory "$(peak engines_duckdb)" bytes "the command" "$(peak engines_command)" 2
if [ "$engines" = 2 ]; then
    cmp "$out"_command.json "$out"_spark.json && same=$((same + 1))
    "$python" "$work/engines_rows.py" "$out"_out.csv "${out}_out.spark/*.parquet"
    claim engines "$n rows, Spark, file to folder" time "$(seconds engines_spark)" s
fi
claim engines "$n rows" "engines whose recoding is the command's, byte for byte, and whose rows are" "$same" engines "engines that ran" "$engines" 1
rm -rf "$out"_out.*

# ---- item lists ----

lists=$((n / 10))
lists=${BENCH_ENGINE_BASKETS:-$lists}
baskets=$work/engines_baskets_$lists.dat
[ -f "$baskets" ] || "$kanon" sample baskets --records "$lists" --seed 1 -o "$baskets" --hierarchies "$hierarchies" --quiet
cat >"$work/engines_baskets.py" <<'PYTHON'
import sys, duckdb, kanon.duckdb
baskets, hierarchy, k, out, recoding = sys.argv[1:]
con = duckdb.connect()
rows = con.sql(f"SELECT string_split(column0, ' ') AS items FROM read_csv('{baskets}', header = false, delim = '\t', quote = '')")
release = kanon.duckdb.anonymize(con, rows, out, qi="items", items="items", guarantee="km-anonymity", k=int(k), m=2,
                                 hierarchies={"items": hierarchy}, most_classes=1000)
open(recoding, "w").write(release.recoding.json())
print(release.verdict["recount"]["words"])
PYTHON
k=$((lists / 20000 < 5 ? 5 : lists / 20000))
rm -f "$out"_lists.*
measure 1 engines_baskets_command "$kanon" anonymize "$baskets" --guarantee km-anonymity --k "$k" --m 2 --method apriori --hierarchy items="$hierarchies"/items.csv \
    -o "$out"_lists.dat --recoding "$out"_lists_command.json --quiet \
    :: engines_baskets_duckdb "$python" "$work/engines_baskets.py" "$baskets" "$hierarchies"/items.csv "$k" "$out"_lists.parquet "$out"_lists_duckdb.json
same=0
cmp "$out"_lists_command.json "$out"_lists_duckdb.json && same=1
claim engines "$lists baskets, k = $k, DuckDB, counted in parts" processor "$(processor engines_baskets_duckdb)" s
claim engines "$lists baskets, k = $k, the command" processor "$(processor engines_baskets_command)" s
claim engines "$lists baskets, DuckDB, counted in parts" memory "$(peak engines_baskets_duckdb)" bytes
claim engines "$lists baskets, the command" memory "$(peak engines_baskets_command)" bytes
claim engines "$lists baskets" "engines whose recoding is the command's, byte for byte" "$same" engines "engines that ran" 1 1
cat "$work/engines_baskets_duckdb.log" >&2
rm -f "$out"_lists.*
