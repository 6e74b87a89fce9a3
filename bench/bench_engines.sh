#!/usr/bin/env bash
# kanon.duckdb and kanon.spark on a Parquet file against the command on the same table as CSV: flash, k = 5, ten million rows of `sample people`, each
# in a process of its own, from file to checked file. The recodings are compared byte by byte, the releases row by row. $KN_BENCH_PYTHON is a python
# that has kanon (a release build: pip install ./python), duckdb and pyarrow; $KN_BENCH_SPARK_PYTHON one that has kanon, pyspark and pyarrow (the same
# unless given; without pyspark Spark is left out, which is said). KN_SPARK_MASTER is another master than two executors that are processes of their own
# (local-cluster[2,1,1024]: one core and 1024 MB each; above ten million rows 2048).
# BENCH_ENGINE_ROWS is another number of rows (100000000 for the large table; above ten million the table has the published columns only, 73 bytes a row),
# BENCH_ENGINE_BASKETS another number of item lists than a tenth of that, which the engines anonymize by `apriori` without the driver having them; 0 is
# none. BENCH_ENGINES names what runs on the table, BENCH_ENGINES_BASKETS what runs on the lists ("command python duckdb spark"), BENCH_LIMIT the seconds after
# which Spark is stopped. BENCH_ENGINE_CLASSES: above so many different lists they are counted in parts (1000, so that they are; "" is what the engines
# take by themselves).
# shellcheck source=bench/common.sh disable=SC1091
. "$(dirname "$0")/common.sh"
need_kanon
python=${KN_BENCH_PYTHON:-python3}
engines=${BENCH_ENGINES:-command python duckdb spark}
engines_baskets=${BENCH_ENGINES_BASKETS:-$engines}
runs() { case " $2 " in *" $1 "*) true ;; *) false ;; esac; }
spark=${KN_BENCH_SPARK_PYTHON:-$python}
"$python" -c 'import kanon, duckdb, pyarrow' 2>/dev/null || skip "$python has no kanon, duckdb and pyarrow: pip install ./python duckdb pyarrow; KN_BENCH_PYTHON names another"

n=10000000
[ -z "$quick" ] || n=200000
n=${BENCH_ENGINE_ROWS:-$n}
qi=sex,age,country,marital,education,occupation,sector
table=$work/engines_$n.csv
hierarchies=$work/engines_hierarchies
people=("$kanon" sample people --records "$n" --seed 1 --hierarchies "$hierarchies" --quiet)
to_parquet='
import os, sys, duckdb
con = duckdb.connect()
con.execute("SET preserve_insertion_order = false")
con.read_csv(sys.argv[1]).write_parquet(sys.argv[2] + ".part")
os.rename(sys.argv[2] + ".part", sys.argv[2])'
# DuckDB loses the first rows of a pipe, which it reads to guess the types: 1,313,724 of version 2.0.
from_pipe='
import os, sys, pyarrow.csv, pyarrow.parquet
name, rows = sys.argv[1] + ".part", 0
with pyarrow.csv.open_csv(sys.stdin.buffer) as table, pyarrow.parquet.ParquetWriter(name, table.schema) as file:
    for batch in table:
        file.write_batch(batch)
        rows += batch.num_rows
assert rows == int(sys.argv[2]), f"{rows} rows of {sys.argv[2]}"
os.rename(name, sys.argv[1])'
if [ ! -f "$table" ] && [ "$n" -le 10000000 ]; then
    "${people[@]}" -o "$table"
elif [ ! -f "$table" ] && runs command "$engines"; then
    "${people[@]}" | cut -d , -f 3,4,6-10,12 >"$table.part"
    mv "$table.part" "$table"
elif [ ! -f "$table.parquet" ] && [ ! -f "$table" ]; then
    "${people[@]}" | cut -d , -f 3,4,6-10,12 | "$python" -c "$from_pipe" "$table.parquet" "$n"
fi
[ -f "$table.parquet" ] || "$python" -c "$to_parquet" "$table" "$table.parquet"

# What Spark runs on here: two executors that are processes of their own, and a driver that holds the classes.
KN_SPARK_MASTER=${KN_SPARK_MASTER:-local-cluster[2,1,$((n > 10000000 ? 2048 : 1024))]}
export KN_SPARK_MASTER
cat >"$work/engines_session.py" <<'PYTHON'
import os, re, sys
from pyspark.sql import SparkSession

def session(folder, partitions):
    os.environ.setdefault("PYSPARK_PYTHON", sys.executable)
    master = os.environ["KN_SPARK_MASTER"]
    cluster = re.fullmatch(r"local-cluster\[\d+,\d+,(\d+)\]", master)
    made = SparkSession.builder.master(master)
    for name, value in {
        "spark.ui.enabled": "false", "spark.executor.memory": f"{cluster[1]}m" if cluster else "2g", "spark.driver.memory": "3g", "spark.driver.host": "127.0.0.1",
        "spark.driver.bindAddress": "127.0.0.1", "spark.sql.shuffle.partitions": partitions, "spark.local.dir": folder,
    }.items():
        made = made.config(name, str(value))
    return made.getOrCreate()
PYTHON
cat >"$work/engines.py" <<'PYTHON'
import os, sys
engine, table, hierarchies, qi, out, recoding = sys.argv[1:]
options = dict(qi=qi.split(","), sensitive="diagnosis", rest="drop", hierarchies=hierarchies, k=5, suppression=0.05)
if engine == "duckdb":
    import duckdb, kanon.duckdb
    con = duckdb.connect()
    release = kanon.duckdb.anonymize(con, con.read_parquet(table + ".parquet"), out, **options)
elif engine == "python":
    import kanon, pyarrow.csv, pyarrow.parquet
    columns = pyarrow.csv.ConvertOptions(include_columns=[*qi.split(","), "diagnosis"])
    made = kanon.anonymize(pyarrow.csv.read_csv(table, convert_options=columns), method="flash", measures="basic", **options)
    pyarrow.parquet.write_table(made.data, out)
    open(recoding, "w").write(made.recoding.json())
    sys.exit()
else:
    import kanon.spark, pyarrow.parquet
    from engines_session import session
    rows = pyarrow.parquet.ParquetFile(table + ".parquet").metadata.num_rows
    held = session(os.path.dirname(out), max(4, rows // 2_000_000))
    release = kanon.spark.anonymize(held.read.parquet(table + ".parquet"), out, most_classes=5_000_000, **options)
    held.stop()
print(release.classes, "classes", dict(release.levels), release.records)
open(recoding, "w").write(release.recoding.json())
PYTHON
cat >"$work/engines_rows.py" <<'PYTHON'
import sys, duckdb
con = duckdb.connect()
def counted(path):  # the rows as a multiset: each different row with its number
    table = f"read_csv('{path}', all_varchar = true)" if path.endswith(".csv") else f"read_parquet('{path}')"
    return f"(SELECT *, count(*) AS n FROM (SELECT COLUMNS(*)::VARCHAR FROM {table}) GROUP BY ALL)"
one, other = counted(sys.argv[1]), counted(sys.argv[2])
assert con.sql(f"(FROM {one} EXCEPT FROM {other}) UNION ALL (FROM {other} EXCEPT FROM {one}) LIMIT 1").fetchall() == [], "not the same rows"
PYTHON
# The same rows in the same order: a file that the command wrote, and one of Python's.
cat >"$work/engines_order.py" <<'PYTHON'
import sys, pyarrow, pyarrow.csv, pyarrow.parquet
other = pyarrow.parquet.read_table(sys.argv[2])
texts = pyarrow.csv.ConvertOptions(column_types=dict.fromkeys(other.column_names, pyarrow.string()), strings_can_be_null=True, null_values=[""])
one = pyarrow.csv.read_csv(sys.argv[1], convert_options=texts)
assert one.column_names == other.column_names
for name in one.column_names:
    assert one[name].combine_chunks().equals(other[name].cast(pyarrow.string()).combine_chunks()), f"{name}: other rows, or in another order"
PYTHON
out=$(realpath "$work")/engines
rm -rf "$out"_out.*
command=("$kanon" anonymize "$table" --qi "$qi" --sensitive diagnosis --drop-rest --hierarchies "$hierarchies" --k 5 --method flash
    --suppression 0.05 -o "$out"_out.csv --recoding "$out"_command.json --quiet)
with_spark=
if runs spark "$engines $engines_baskets"; then
    if "$spark" -c 'import kanon.spark, pyspark' 2>/dev/null; then
        with_spark=1
    else
        echo "Spark is left out: $spark has no kanon and pyspark; KN_BENCH_SPARK_PYTHON names another" >&2
    fi
fi
# A table of which the command's release is not made is compared with DuckDB's, or with nothing.
ran=0
same=0
first=
rows_of() { if [ "$1" = command ]; then echo "$out"_out.csv; elif [ "$1" = duckdb ]; then echo "$out"_out.parquet; elif [ "$1" = python ]; then echo "$out"_python.parquet; else echo "${out}_out.spark/*.parquet"; fi; }
compare() {
    ran=$((ran + 1))
    if [ -z "$first" ]; then
        first=$1
        same=$((same + 1))
        return
    fi
    cmp "$out"_"$first".json "$out"_"$1".json && "$python" "$work/engines_rows.py" "$(rows_of "$first")" "$(rows_of "$1")" && same=$((same + 1))
}
if runs command "$engines"; then
    measure 1 engines_command "${command[@]}"
    compare command
    claim engines "$n rows, the command, CSV to CSV" time "$(seconds engines_command)" s
    claim engines "$n rows, the command, CSV to CSV" processor "$(processor engines_command)" s
    claim engines "$n rows, the command, CSV to CSV" memory "$(peak engines_command)" bytes
fi
if runs python "$engines" && [ -f "$table" ]; then
    measure 1 engines_python "$python" "$work/engines.py" python "$table" "$hierarchies" "$qi" "$out"_python.parquet "$out"_python.json
    compare python
    if runs command "$engines"; then
        "$python" "$work/engines_order.py" "$out"_out.csv "$out"_python.parquet
    fi
    claim engines "$n rows, Python, a pyarrow table read from CSV, written as Parquet" time "$(seconds engines_python)" s
    claim engines "$n rows, Python, a pyarrow table read from CSV, written as Parquet" processor "$(processor engines_python)" s
    claim engines "$n rows, Python, a pyarrow table read from CSV, written as Parquet" memory "$(peak engines_python)" bytes
fi
if runs duckdb "$engines"; then
    measure 1 engines_duckdb "$python" "$work/engines.py" duckdb "$table" "$hierarchies" "$qi" "$out"_out.parquet "$out"_duckdb.json
    compare duckdb
    if runs command "$engines"; then
        claim engines "$n rows, DuckDB, file to file" time "$(seconds engines_duckdb)" s "the command, CSV to CSV" "$(seconds engines_command)" 3
        claim engines "$n rows, DuckDB" processor "$(processor engines_duckdb)" s "the command" "$(processor engines_command)" 3
        claim engines "$n rows, DuckDB" memory "$(peak engines_duckdb)" bytes "the command" "$(peak engines_command)" 2
    else
        claim engines "$n rows, DuckDB, file to file" processor "$(processor engines_duckdb)" s
        claim engines "$n rows, DuckDB, file to file" memory "$(peak engines_duckdb)" bytes
    fi
fi
spark_claims() {
    claim engines "$1" time "$(seconds "$2")" s
    claim engines "$1" "processor, all processes" "$(processor "$2")" s
    claim engines "$1" "memory, all processes" "$(peak "$2")" bytes
}
if [ "$with_spark" ] && runs spark "$engines"; then
    status=0
    measure_tree engines_spark "$spark" "$work/engines.py" spark "$table" "$hierarchies" "$qi" "$out"_out.spark "$out"_spark.json || status=$?
    case $status in
    0) compare spark && spark_claims "$n rows, Spark, file to folder" engines_spark ;;
    124)
        [ ! -e "${out}_out.spark" ] # what was stopped has no release
        spark_claims "$n rows, Spark, stopped after $BENCH_LIMIT s, no release" engines_spark
        rm -rf "$work"/spark-* "$work"/blockmgr-*
        ;;
    *) exit "$status" ;;
    esac
fi
if [ "$ran" -gt 0 ]; then
    claim engines "$n rows" "releases whose recoding is the same, byte for byte, and whose rows are (the first one is $first)" "$same" releases "releases that were made" "$ran" 1
    [ "$same" = "$ran" ]
fi
rm -rf "$out"_out.* "$out"_python.parquet

# ---- item lists ----

lists=$((n / 10))
lists=${BENCH_ENGINE_BASKETS:-$lists}
baskets=$work/engines_baskets_$lists.dat
[ -f "$baskets" ] || "$kanon" sample baskets --records "$lists" --seed 1 -o "$baskets" --hierarchies "$hierarchies" --quiet
cat >"$work/engines_baskets.py" <<'PYTHON'
import os, sys
engine, baskets, hierarchy, k, classes, out, recoding = sys.argv[1:]
options = dict(qi="items", items="items", guarantee="km-anonymity", k=int(k), m=2, hierarchies={"items": hierarchy})
if classes:
    options["most_classes"] = int(classes)
if engine == "duckdb":
    import duckdb, kanon.duckdb
    con = duckdb.connect()
    con.execute("SET preserve_insertion_order = false")
    con.execute("SET memory_limit = '8GB'")
    con.execute(f"SET temp_directory = '{os.path.dirname(out)}/engines_spill'")
    release = kanon.duckdb.anonymize(con, con.read_parquet(baskets), out, **options)
else:
    import kanon.spark
    from engines_session import session
    held = session(os.path.dirname(out), 8)
    release = kanon.spark.anonymize(held.read.parquet(baskets), out, **options)
    held.stop()
open(recoding, "w").write(release.recoding.json())
print(engine, release.records, release.classes, (release.verdict.get("recount") or {}).get("words"))
PYTHON
cat >"$work/engines_same_lists.py" <<'PYTHON'
import sys, duckdb
con = duckdb.connect()
text = f"SELECT list_sort(string_split(column0, ' ')) AS items FROM read_csv('{sys.argv[1]}', header = false, delim = '\t', quote = '')"
one = f"(SELECT items, count(*) AS n FROM ({text}) GROUP BY ALL)"
other = f"(SELECT list_sort(items::VARCHAR[]) AS items, count(*) AS n FROM read_parquet('{sys.argv[2]}') GROUP BY ALL)"
assert con.sql(f"(FROM {one} EXCEPT FROM {other}) UNION ALL (FROM {other} EXCEPT FROM {one}) LIMIT 1").fetchall() == [], "not the same rows"
PYTHON
[ "$lists" -gt 0 ] || exit 0
[ -f "$baskets.parquet" ] || "$python" -c '
import os, sys, duckdb
con = duckdb.connect()
con.execute("SET preserve_insertion_order = false")
name = sys.argv[1]
con.sql(f"""SELECT string_split(column0, chr(32)) AS items FROM read_csv({name!r}, header = false, delim = chr(9), quote = chr(0))""").write_parquet(name + ".parquet.part")
os.rename(name + ".parquet.part", name + ".parquet")' "$baskets"
k=$((lists / 20000 < 5 ? 5 : lists / 20000))
classes=${BENCH_ENGINE_CLASSES-1000}
rm -rf "$out"_lists.*
ran=0
same=0
of="$lists baskets, k = $k"
if runs command "$engines_baskets"; then
    measure 1 engines_baskets_command "$kanon" anonymize "$baskets" --guarantee km-anonymity --k "$k" --m 2 --method apriori \
        --hierarchy items="$hierarchies"/items.csv -o "$out"_lists.dat --recoding "$out"_lists_command.json --quiet
    claim engines "$of, the command" time "$(seconds engines_baskets_command)" s
    claim engines "$of, the command" processor "$(processor engines_baskets_command)" s
    claim engines "$of, the command" memory "$(peak engines_baskets_command)" bytes
fi
compare_lists() {
    ran=$((ran + 1))
    runs command "$engines_baskets" || return 0
    cmp "$out"_lists_command.json "$out"_lists_"$1".json && "$python" "$work/engines_same_lists.py" "$out"_lists.dat "$2" && same=$((same + 1))
}
if runs duckdb "$engines_baskets"; then
    measure 1 engines_baskets_duckdb "$python" "$work/engines_baskets.py" duckdb "$baskets.parquet" "$hierarchies"/items.csv "$k" "$classes" "$out"_lists.parquet "$out"_lists_duckdb.json
    cat "$work/engines_baskets_duckdb.log" >&2
    compare_lists duckdb "$out"_lists.parquet
    claim engines "$of, DuckDB" time "$(seconds engines_baskets_duckdb)" s
    claim engines "$of, DuckDB" processor "$(processor engines_baskets_duckdb)" s
    claim engines "$of, DuckDB" memory "$(peak engines_baskets_duckdb)" bytes
fi
if [ "$with_spark" ] && runs spark "$engines_baskets"; then
    status=0
    measure_tree engines_baskets_spark "$spark" "$work/engines_baskets.py" spark "$baskets.parquet" "$hierarchies"/items.csv "$k" "$classes" "$out"_lists.spark "$out"_lists_spark.json || status=$?
    case $status in
    0) compare_lists spark "${out}_lists.spark/*.parquet" && spark_claims "$of, Spark" engines_baskets_spark ;;
    124)
        [ ! -e "${out}_lists.spark" ]
        spark_claims "$of, Spark, stopped after $BENCH_LIMIT s, no release" engines_baskets_spark
        rm -rf "$work"/spark-* "$work"/blockmgr-*
        ;;
    *) exit "$status" ;;
    esac
fi
if runs command "$engines_baskets" && [ "$ran" -gt 0 ]; then
    claim engines "$of" "engines whose recoding is the command's, byte for byte, and whose rows are" "$same" engines "engines that ran" "$ran" 1
    [ "$same" = "$ran" ]
fi
rm -rf "$out"_lists.*
