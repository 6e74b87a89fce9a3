"""Releases of tables that DuckDB holds, also when they do not fit into memory.

import duckdb, kanon.duckdb

con = duckdb.connect("people.db")
kanon.duckdb.anonymize(con, "people", "people_public", qi=["age", "sex"], sensitive="illness", rest="drop", k=5)
kanon.duckdb.anonymize(con, con.read_parquet("people.parquet"), "public.parquet", qi=["age", "sex"], rest="drop", k=5)
"""

from __future__ import annotations

import contextlib
import os
import re
import secrets
from collections.abc import Callable, Mapping, Sequence
from typing import Any

from . import _asked, _engine
from ._classes import Grouped
from ._engine import EngineRelease, Plan
from ._errors import UsageError
from ._frames import _need
from ._parts import MOST_M, Naming, Parts

__all__ = ["EngineRelease", "anonymize", "check"]

_MOST_CLASSES = 5_000_000
_SLICE = 100_000

#: Types whose cells are compared as they are; of others their texts.
_HASHED = frozenset((
    "BOOLEAN", "TINYINT", "SMALLINT", "INTEGER", "BIGINT", "UTINYINT", "USMALLINT", "UINTEGER", "UBIGINT", "FLOAT",
    "DOUBLE", "VARCHAR", "DATE", "TIMESTAMP", "BLOB", "HUGEINT",
))  # fmt: skip

#: Types that Parquet holds in another form, with another text: their cells are not compared. Large integers become
#: numbers of type DOUBLE there.
_CHANGED = ("TIME WITH TIME ZONE", "INTERVAL", "UNION", "TUPLE", "HUGEINT")

#: A name in a type, or an ENUM with its values.
_ENUM = re.compile(r"""\"(?:[^"]|"")*\"|ENUM\((?:'(?:[^']|'')*'(?:, )?)*\)""")


def _quoted(name: str) -> str:
    return '"' + name.replace('"', '""') + '"'


def _literal(text: str) -> str:
    return "'" + text.replace("'", "''") + "'"


def _without_enums(type_: str) -> str:
    """A type with texts in the place of each ENUM, which lists values that no row of a release may have."""
    return _ENUM.sub(lambda found: found[0] if found[0].startswith('"') else "VARCHAR", type_)


def _select(
    source: str, plan: Plan, registered: dict[str, str], key: Callable[[str, str], str], types: Mapping[str, str]
) -> str:
    """The query that recodes the rows of `source`; `registered` names the tables of values by column."""
    shown = []
    joins = []
    for i, column in enumerate(plan.columns):
        if column in plan.items:
            shown.append(f"list_sort(list_distinct({registered[column]}({key('s.', column)}))) AS {_quoted(column)}")
            continue
        if column not in plan.texts:
            plain = _without_enums(types[column])
            cast = "" if plain == types[column] else f"::{plain}"
            shown.append(f"s.{_quoted(column)}{cast} AS {_quoted(column)}")
            continue
        shown.append(f"t{i}.text AS {_quoted(column)}")
        # An inner join: a value that the plan lacks stops the release in the check of what was written.
        joins.append(f"JOIN {registered[column]} t{i} ON {key('s.', column)} IS NOT DISTINCT FROM t{i}.value")
    if plan.suppressed is not None:
        keys = plan.suppressed.column_names
        same = " AND ".join(f"{key('s.', c)} IS NOT DISTINCT FROM x.{_quoted(c)}" for c in keys)
        joins.append(f"ANTI JOIN {registered['']} x ON {same}")
    return f"SELECT {', '.join(shown)} FROM {source} s {' '.join(joins)}"


def _batches(relation: Any) -> Any:
    """The rows of a relation slice by slice; before DuckDB 1.4 the function had another name."""
    read = getattr(relation, "to_arrow_reader", None) or relation.fetch_arrow_reader
    return read(_SLICE)


class _DuckDB:
    """What DuckDB does: an Engine. Tables are made inside a transaction, files beside their place."""

    def __init__(self, connection: Any, table: Any, output: str | None) -> None:
        self._connection = connection
        self._tag = f"kanon_{secrets.token_hex(6)}"
        self._output = output
        self._file = output is not None and output.lower().endswith(".parquet")
        self._open = False
        self._temporary = ""
        self._registered: list[str] = []
        self._functions: list[str] = []
        if not all(hasattr(connection, method) for method in ("execute", "sql", "register")):
            raise UsageError(
                f"{type(connection).__module__}.{type(connection).__qualname__} is no connection of DuckDB",
                code="type", parameter="connection", remedy="Give duckdb.connect(...) first, then the table.",
            )  # fmt: skip
        if not isinstance(table, str) and not hasattr(table, "create_view"):
            raise UsageError(
                f"{type(table).__module__}.{type(table).__qualname__} is neither the name of a table nor a relation",
                code="type", parameter="table",
                remedy="Give a name or con.sql(...); a data frame goes to kanon.anonymize, or to con.from_arrow first.",
            )  # fmt: skip
        if isinstance(table, str):
            self._source = ".".join(_quoted(part) for part in table.split("."))
            self._relation = connection.sql(f"SELECT * FROM {self._source}")
        else:
            self._source = f"{self._tag}_source"
            self._relation = table
            table.create_view(self._source, replace=False)
            self._refuse_other_connection(table)
        self._types = dict(zip(self._relation.columns, map(str, self._relation.types), strict=True))

    def _refuse_other_connection(self, relation: Any) -> None:
        """A relation of another connection is refused: this one does not see its rows."""
        mine = "SELECT count(*) FROM duckdb_views() WHERE view_name = ?"
        if self._connection.execute(mine, [self._source]).fetchall() == [(0,)]:
            relation.query(f"{self._tag}_relation", f"DROP VIEW {self._source}")
            raise UsageError(
                "the relation belongs to another connection than the one that is given",
                code="parameter", parameter="table",
                remedy="Make it with that connection: con.sql(...), con.read_parquet(...); duckdb.sql and "
                "duckdb.read_parquet have one of their own, duckdb.default_connection().",
            )  # fmt: skip

    def columns(self) -> list[str]:
        return list(self._relation.columns)

    def sample(self, rows: int) -> Any:
        return self._connection.sql(f"SELECT * FROM {self._source} LIMIT {rows}").to_arrow_table()

    def _key(self, prefix: str, column: str) -> str:
        """What rows are grouped and joined by: of lists the set of items."""
        name = prefix + _quoted(column)
        if self._types[column].endswith("[]"):
            return f"list_sort(list_distinct(coalesce({name}::VARCHAR[], [])))"
        return name

    def _hash(self, columns: Sequence[str], *others: str) -> str:
        """A hash of the cells of a row, the same of what is read again from a file, and of other expressions."""
        cells = []
        for column in columns:
            type_ = self._types[column]
            if self._file and type_ in ("HUGEINT", "UHUGEINT"):
                cells.append(f"{_quoted(column)}::DOUBLE")
            elif not self._file or not any(name in type_ for name in _CHANGED):
                plain = type_ in _HASHED or type_.startswith("DECIMAL")
                cells.append(_quoted(column) if plain else f"{_quoted(column)}::VARCHAR")
        return f"hash({', '.join([*others, *cells]) or '0'})"

    def _grouped(self, source: str, by: Grouped, most: int) -> Any:
        keys = ", ".join(f"{self._key('', c)} AS {_quoted(c)}" for c in by.columns)
        numbers = ", ".join(str(i + 1) for i in range(len(by.columns)))
        made = f"count(*) AS {_quoted(by.number)}"
        if by.cells:  # 31 bits of each hash: the sum over 2^32 rows has 63
            made += f", sum({self._hash(by.cells)} >> 33)::BIGINT AS {_quoted(by.sums)}"
        query = f"SELECT {keys}, {made} FROM {source} GROUP BY {numbers} LIMIT {most}"
        return self._connection.sql(query).to_arrow_table()

    def count(self, by: Grouped, most: int, labels: Mapping[str, Any]) -> Any:
        return self._grouped(self._labelled([*by.columns, *by.cells], labels), by, most)

    def rare(self, column: str, k: int) -> tuple[int, int]:
        sizes = f"SELECT count(*) AS n FROM {self._source} GROUP BY {_quoted(column)}"
        query = f"SELECT coalesce(sum(n) FILTER (n < {k}), 0), coalesce(sum(n), 0) FROM ({sizes})"
        ((rare, rows),) = self._connection.sql(query).fetchall()
        return int(rare), int(rows)

    def items(self, column: str, written: bool) -> Any:
        source = self._written() if written else self._source
        each = f"SELECT unnest({self._key('', column)}) AS item FROM {source}"
        return self._connection.sql(f"SELECT item, count(*) AS people FROM ({each}) GROUP BY item").to_arrow_table()

    def count_in_parts(self, column: str, work: Parts, written: bool) -> list[bytes]:
        """Each part is a scan of its own, so that the combinations of one part are in memory at a time."""
        source = self._written() if written else self._source
        made = []
        for part in range(work.parts):
            lists = self._connection.sql(f"SELECT {self._key('', column)} AS {_quoted(column)} FROM {source}")
            made.append(work.merged(work.counts(_batches(lists), part, 1), part))
        return made

    def _register(self, tables: Mapping[str, Any]) -> dict[str, str]:
        """The tables by names of our own."""
        names = {}
        for column, table in tables.items():
            names[column] = f"{self._tag}_values_{len(self._registered)}"
            self._connection.register(names[column], table)
            self._registered.append(names[column])
        return names

    def _register_items(self, items: Mapping[str, Naming]) -> dict[str, str]:
        """Functions by names of our own, which recode lists item by item."""
        names = {}
        for column, naming in items.items():
            names[column] = f"{self._tag}_items_{len(self._functions)}"
            self._connection.create_function(names[column], naming.of, ["VARCHAR[]"], "VARCHAR[]", type="arrow")
            self._functions.append(names[column])
        return names

    def _labelled(self, columns: Sequence[str], labels: Mapping[str, Any]) -> str:
        """The rows with labels in the place of values."""
        if not labels:
            return self._source
        plan = Plan(list(columns), labels, None)
        return f"({_select(self._source, plan, self._register(labels), self._key, self._types)})"

    def write(self, plan: Plan) -> None:
        registered = self._register({**plan.texts, **({} if plan.suppressed is None else {"": plan.suppressed})})
        registered.update(self._register_items(plan.items))
        query = _select(self._labelled(plan.columns, plan.labels), plan, registered, self._key, self._types)
        if self._file:
            folder, base = os.path.split(os.path.abspath(self._output or ""))
            self._temporary = os.path.join(folder, f".{base}.{self._tag}")
            self._connection.execute(f"COPY ({query}) TO {_literal(self._temporary)} (FORMAT parquet)").fetchall()
        else:
            self._connection.begin()
            self._open = True
            self._temporary = f"{self._tag}_unchecked"
            self._connection.execute(f"CREATE TABLE {self._temporary} AS {query}").fetchall()

    def _written(self) -> str:
        return f"read_parquet({_literal(self._temporary)})" if self._file else self._temporary

    def count_written(self, by: Grouped, most: int) -> Any:
        return self._grouped(self._written(), by, most)

    def _sums(self, query: str) -> tuple[int, ...]:
        ((rows, sum_),) = self._connection.sql(query).fetchall()
        return int(rows), int(sum_ or 0)

    def rows_meant(self, plan: Plan) -> tuple[int, ...]:
        """Rows are taken apart into items, these joined with their names, and put together again."""
        ((column, naming),) = plan.items.items()
        pa = _need("pyarrow", "a table that an engine holds")
        every = pa.compute.list_parent_indices(naming.names)
        table = pa.table({"item": naming.items.take(every), "name": naming.names.flatten()})
        names = self._register({column: table})[column]
        others = self._hash([c for c in plan.columns if c != column])
        items = self._key("", column)
        # A row without items has one, NULL, that has no name.
        rows = f"SELECT row_number() OVER () AS row, {others} AS cells, {items} AS items FROM {self._source}"
        each = f"SELECT row, cells, unnest(CASE WHEN len(items) = 0 THEN [NULL] ELSE items END) AS item FROM ({rows})"
        joined = f"SELECT row, cells, name FROM ({each}) LEFT JOIN {names} USING (item)"
        again = (
            f"SELECT any_value(cells) AS cells, list(name) FILTER (name IS NOT NULL) AS l FROM ({joined}) GROUP BY row"
        )
        return self._sums(
            f"SELECT count(*), sum(hash(list_sort(list_distinct(coalesce(l, []))), cells)) FROM ({again})"
        )

    def rows_written(self, plan: Plan) -> tuple[int, ...]:
        (column,) = plan.items
        cells = self._hash([c for c in plan.columns if c != column])
        return self._sums(f"SELECT count(*), sum(hash({_quoted(column)}, {cells})) FROM {self._written()}")

    def lists_with(self, column: str, shares: Mapping[str, float], seed: int, written: bool) -> list[list[str]]:
        pa = _need("pyarrow", "a table that an engine holds")
        limits = [int(share * (2**53 - 1)) for share in shares.values()]
        table = pa.table({"item": pa.array(shares, pa.string()), "most": pa.array(limits, pa.int64())})
        wanted = self._register({column: table})[column]
        lists = f"SELECT list, hash(list) AS h FROM ({self._lists(column, written)}) WHERE len(list) > 1"
        each = f"SELECT list, h, unnest(list) AS item FROM ({lists})"
        drawn = f"hash(h, item, {seed}) >> 11 <= most"
        found = self._connection.sql(f"SELECT DISTINCT list FROM ({each}) JOIN {wanted} USING (item) WHERE {drawn}")
        return [list(items) for (items,) in found.fetchall()]

    def supports(self, column: str, combinations: Any, written: bool) -> dict[int, int]:
        asked = self._register({column: combinations})[column]
        each = f"SELECT list, unnest(list) AS item FROM ({self._lists(column, written)})"
        # list_has_all says the same, and takes ten times as long.
        all_ = " AND ".join(f"(len(others) < {i} OR list_contains(list, others[{i}]))" for i in range(1, MOST_M))
        held = f"SELECT place FROM ({each}) JOIN {asked} USING (item) WHERE {all_}"
        return dict(self._connection.sql(f"SELECT place, count(*) FROM ({held}) GROUP BY place").fetchall())

    def _lists(self, column: str, written: bool) -> str:
        """The lists, each item once."""
        source = self._written() if written else self._source
        return f"SELECT list_sort(list_distinct({_quoted(column)}::VARCHAR[])) AS list FROM {source}"

    def publish(self) -> None:
        if self._file:
            descriptor = os.open(self._temporary, os.O_RDONLY)
            try:
                os.fsync(descriptor)
            finally:
                os.close(descriptor)
            _refuse_file(self._output or "")
            os.replace(self._temporary, self._output or "")
        else:
            renamed = f"ALTER TABLE {self._temporary} RENAME TO {_quoted(self._output or '')}"
            self._connection.execute(renamed).fetchall()
            self._connection.commit()
            self._open = False

    def discard(self) -> None:
        if self._open:
            self._connection.rollback()
            self._open = False
        if self._file and self._temporary:
            with contextlib.suppress(FileNotFoundError):
                os.unlink(self._temporary)

    def close(self) -> None:
        """Forget the tables of values; outside of the transaction, whose end would bring them back."""
        for name in self._registered:
            self._connection.unregister(name)
        for name in self._functions:
            self._connection.remove_function(name)
        if self._source == f"{self._tag}_source":
            self._connection.execute(f"DROP VIEW IF EXISTS {self._source}").fetchall()


def _there_is(what: str) -> UsageError:
    return UsageError(f"there is {what} already", code="parameter", parameter="output", remedy="Choose another name.")


def _refuse_file(output: str) -> None:
    """Refuse a file that is there: it may be the original, which a view can read."""
    if os.path.lexists(output):
        raise _there_is(f"a file '{output}'")


def _refuse_table(connection: Any, output: str) -> None:
    if not output or "." in output:
        raise UsageError(
            f"output is '{output}', which is neither the name of a table nor of a Parquet file", code="parameter",
            parameter="output",
            remedy="Give a name without a dot, of a table in the current schema (USE changes that), or a path that "
            "ends with .parquet.",
        )  # fmt: skip
    for function, name in (("duckdb_tables", "table_name"), ("duckdb_views", "view_name")):
        query = f"SELECT count(*) FROM {function}() WHERE lower({name}) = lower(?)"
        ((found,),) = connection.execute(query, [output]).fetchall()
        if found:
            raise _there_is(f"a table '{output}'")


def _refuse_transaction(connection: Any) -> None:
    """Refuse a connection with a transaction that is open: each statement has a number of its own, or all have one."""
    one, other = (connection.execute("SELECT txid_current()").fetchall() for _ in range(2))
    if one == other:
        raise UsageError(
            "the connection has an open transaction, and the table is made in one of its own",
            code="parameter", parameter="connection",
            remedy="Commit it before, or publish into a file (output ends with .parquet).",
        )  # fmt: skip


def anonymize(
    connection: Any,
    table: Any,
    output: str | os.PathLike[str],
    *,
    hierarchies: Any = None,
    most_classes: int = _MOST_CLASSES,
    parts: int = 16,
    **options: Any,
) -> EngineRelease:
    """Publish the rows of `table` as `output`, with the settings of kanon.anonymize.

    `table` is the name of a table or view of `connection`, or a relation of it. `output` is the name of a table to be
    made, or of a Parquet file (it ends with .parquet); neither may be there already. DuckDB groups and recodes the
    rows; the classes, at most `most_classes`, are worked on here, by method flash or, for item lists, apriori or
    sampling. If a table has more, labels of a level of its hierarchies are grouped, with a warning; item lists are then
    counted in up to so many `parts`, one after the other, for km-anonymity with m up to 3. What was written is grouped
    again and checked before it gets its name; on any failure, and when the process is killed, there is no table and no
    file of that name.

    Takes the roles (qi, sensitive, id, keep, drop, rest="drop" or "keep", allow_unique), hierarchies, k-anonymity,
    l-diversity, t-closeness, km-anonymity and sigma-km-anonymity (of one column of lists) with their parameters, items,
    objective, subtree, suppression (rows are left out), missing, missing_rule, uncovered, type, weight, seed, threads,
    memory, and of method sampling coordinates, edges, outline, error, distances, runs, samples and paper.
    """
    name = _asked.name_of(output)
    engine = _DuckDB(connection, table, name)
    try:
        if name.lower().endswith(".parquet"):
            _refuse_file(name)
        else:
            _refuse_table(connection, name)
            _refuse_transaction(connection)
        return _engine.anonymize(engine, name, hierarchies, most_classes, options, parts)
    finally:
        engine.close()


def check(
    connection: Any,
    table: Any,
    *,
    original: Any = None,
    hierarchies: Any = None,
    most_classes: int = _MOST_CLASSES,
    parts: int = 16,
    **options: Any,
) -> dict[str, Any]:
    """The verdict on `table` (a name or a relation), a release made in any way, as kanon.check gives it.

    Names the columns that an attacker may know (qi) and, where the guarantee is about them, the sensitive ones.
    `original` is the table that the release was made of: sigma-km-anonymity draws from it. Item lists of which more
    than `most_classes` are different are counted in so many `parts`, one after the other: km-anonymity for m up to 3.
    """
    engine = _DuckDB(connection, table, None)
    other = None
    try:
        other = None if original is None else _DuckDB(connection, original, None)
        return _engine.check(engine, hierarchies, most_classes, options, other, parts)
    finally:
        engine.close()
        if other is not None:
            other.close()
