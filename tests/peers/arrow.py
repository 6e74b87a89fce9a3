"""Arrow streams of pyarrow through kanon and back: arrow.py SHIM. Says what differs, and exits with 1 then."""
import ctypes
import datetime as dt
import decimal
import gc
import sys

import pyarrow as pa

shim = ctypes.CDLL(sys.argv[1])
shim.peer_memory.restype = ctypes.c_size_t
USAGE, INPUT, INFEASIBLE = 1, 2, 3  # kn_status
ATHENS, DAY = "Europe/Athens", dt.date(2024, 2, 29)


pointer_of = ctypes.pythonapi.PyCapsule_GetPointer
pointer_of.restype, pointer_of.argtypes = ctypes.c_void_p, [ctypes.py_object, ctypes.c_char_p]


def call(function, table, roles, *more):
    """The status of a function of the shim, and the table or the message that it gave."""
    capsule = table.__arrow_c_stream__()
    given, got = ctypes.c_void_p(pointer_of(capsule, b"arrow_array_stream")), ctypes.create_string_buffer(64)
    message = ctypes.create_string_buffer(2000)
    status = function(given, got, roles.encode(), *more, message)
    if status:
        return status, message.value.decode()
    back = pa.RecordBatchReader._import_from_c(ctypes.addressof(got)).read_all()
    back.validate(full=True)
    return 0, back


def through(table, roles=""):
    status, back = call(shim.peer_pass, table, roles)
    assert status == 0, back
    return back


def anonymized(table, roles, k, changed_only=False):
    status, back = call(shim.peer_anonymize, table, roles, ctypes.c_size_t(k), int(changed_only))
    assert status == 0, back
    return back


def is_text(t):
    return pa.types.is_string(t) or pa.types.is_large_string(t) or pa.types.is_string_view(t)


def of_codes(t):
    """Lists of a dictionary's values come back as sets: sorted, without nulls."""
    return (pa.types.is_list(t) or pa.types.is_large_list(t)) and pa.types.is_dictionary(t.value_type)


def expected(t):
    """The type in which a column comes back that is published as it is: its own, but a dictionary is coded anew, or resolved."""
    if of_codes(t):
        return pa.large_list(expected(t.value_type))
    if not pa.types.is_dictionary(t):
        return t
    return pa.dictionary(pa.uint8(), pa.large_string()) if is_text(t.value_type) else t.value_type


def assert_same(table, back):
    """Columns that are published as they are come back cell by cell."""
    assert back.column_names == table.column_names
    for name in table.column_names:
        want, got = table[name], back[name]
        assert got.type == expected(want.type), f"{name}: {want.type} came back as {got.type}"
        if pa.types.is_dictionary(want.type) and not pa.types.is_dictionary(got.type):
            want = want.cast(want.type.value_type)
        if pa.types.is_timestamp(want.type):
            want, got = want.cast(pa.int64()), got.cast(pa.int64())  # Python knows no nanoseconds
        wanted = want.to_pylist()
        if of_codes(want.type):
            wanted = [sorted({i for i in items or [] if i is not None}) for items in wanted]
        assert got.to_pylist() == wanted, f"{name}: {wanted} came back as {got.to_pylist()}"


def every_type():
    """One column per type, four records, the second of them null."""
    def column(t, *three):
        return pa.array([three[0], None, three[1], three[2]], t)

    columns = {}
    for bits in 8, 16, 32, 64:
        high = 2 ** (bits - 1)
        columns[f"int{bits}"] = column(getattr(pa, f"int{bits}")(), -high, 0, high - 1)
        columns[f"uint{bits}"] = column(getattr(pa, f"uint{bits}")(), 2 * high - 1, 0, 1)
    columns["float16"] = column(pa.float16(), 0.5, -65504.0, 2.0**-24)
    columns["float32"] = column(pa.float32(), 0.5, -1.5, 2.0**-100)
    columns["float64"] = column(pa.float64(), 0.1, 1 / 3, -1e300)
    columns["decimal"] = column(pa.decimal128(10, 2), *map(decimal.Decimal, ("12.50", "-0.05", "99999999.99")))
    columns["long decimal"] = column(pa.decimal128(38, 0), decimal.Decimal("9" * 38), decimal.Decimal("-" + "9" * 38), decimal.Decimal(0))
    columns["small decimal"] = column(pa.decimal128(38, 38), *map(decimal.Decimal, ("0." + "0" * 37 + "1", "-0." + "9" * 38, "0E-38")))
    columns["bool"] = column(pa.bool_(), True, False, True)
    for t in pa.string(), pa.large_string(), pa.string_view():
        columns[str(t)] = column(t, "käse", "a text of more than twelve bytes", "b")
    columns["date32"] = column(pa.date32(), DAY, dt.date(1, 1, 1), dt.date(9999, 12, 31))
    columns["date64"] = column(pa.date64(), DAY, dt.date(1969, 12, 31), dt.date(1970, 1, 1))
    for unit in "s", "ms", "us", "ns":
        for zone in None, "UTC", ATHENS, "+02:00":
            t = pa.timestamp(unit, zone)
            columns[str(t)] = column(t, 0, -1, 1_700_000_000)
    columns["null"] = pa.nulls(4)
    for index in pa.int8(), pa.uint8(), pa.int16(), pa.uint16(), pa.int32(), pa.uint32(), pa.int64(), pa.uint64():
        columns[f"dictionary {index}"] = pa.DictionaryArray.from_arrays(pa.array([2, None, 0, 1], index), ["z", "y", "x", "unused"])
    for value in "int16", "float64", "decimal", "bool", "date32", str(pa.timestamp("us", ATHENS)), "large_string":
        columns[f"dictionary of {value}"] = columns[value].dictionary_encode()
    for value in "int32", "float64", "decimal", "bool", "string", "string_view", "date32", str(pa.timestamp("ms")), "dictionary int8":
        items = columns[value]
        columns[f"list of {value}"] = pa.ListArray.from_arrays(pa.array([0, 2, 2, 2, 4]), items, mask=pa.array([False, True, False, False]))
        columns[f"large list of {value}"] = pa.LargeListArray.from_arrays(pa.array([0, 3, 3, 4, 4]), items)
    return pa.table(columns)


def test_every_type():
    assert_same(every_type(), through(every_type()))


def test_chunks_and_slices():
    table = every_type()
    several = pa.concat_tables([table, table.slice(1, 2), table.slice(4), table.slice(3), table])
    assert several["int8"].num_chunks > 3
    assert_same(several, through(several))
    assert_same(table.slice(2), through(table.slice(2)))
    long = pa.concat_tables([table] * 100).combine_chunks().slice(7, 333)
    assert_same(long, through(long))


def test_empty():
    table = every_type().slice(0, 0)
    for empty in table, table.schema.empty_table(), pa.RecordBatchReader.from_batches(table.schema, []):
        back = through(empty)
        assert back.num_rows == 0 and back.column_names == table.column_names
    one = every_type()
    between = pa.RecordBatchReader.from_batches(one.schema, one.slice(0, 0).to_batches() + one.to_batches() + one.slice(4).to_batches())
    assert_same(one, through(between))
    status, message = call(shim.peer_anonymize, pa.table({"a": pa.array([], pa.int32())}), "a=quasi-identifier", ctypes.c_size_t(2), 0)
    assert status in (INPUT, INFEASIBLE), (status, message)


def test_struct_validity():
    """A record that is null holds nothing but missing values; the batch is a slice."""
    records = pa.StructArray.from_arrays([pa.array([1, 2, 3, 4]), pa.array(["a", "b", "c", "d"]), pa.array([[1], [2], [3], [4]])],
                                         names=["x", "t", "l"], mask=pa.array([False, True, False, False]))
    back = through(pa.chunked_array([records.slice(1)]))
    assert back["x"].to_pylist() == [None, 3, 4]
    assert back["t"].to_pylist() == [None, "c", "d"]
    assert back["l"].to_pylist() == [None, [3], [4]]


def test_sets():
    table = pa.table({"s": [["a", "b", "a"], [], None, ["b"]], "t": ["x|y|x", "", None, "y"]})
    assert_same(table, through(table, "s=set;t=set"))


def test_refused():
    rows = {
        "binary": pa.array([b"x"]),
        "large binary": pa.array([b"x"], pa.large_binary()),
        "binary of a fixed size": pa.array([b"x"], pa.binary(1)),
        "decimal of another width": pa.array([1], pa.decimal256(5, 2)),
        "time of day": pa.array([1], pa.time32("s")),
        "duration": pa.array([1], pa.duration("s")),
        "struct": pa.array([{"a": 1}]),
        "map": pa.array([[("a", 1)]], pa.map_(pa.string(), pa.int32())),
        "list of a fixed size": pa.array([[1]], pa.list_(pa.int32(), 1)),
        "list of list": pa.array([[[1]]]),
        "run-end encoded": pa.RunEndEncodedArray.from_arrays(pa.array([1], pa.int32()), pa.array([1])),
        "union": pa.UnionArray.from_sparse(pa.array([0], pa.int8()), [pa.array([1])]),
    }
    for name, column in rows.items():
        table = pa.table({"fine": [1], "odd one": column})
        for role in ["quasi-identifier"] + ["kept"] * (name in ("run-end encoded", "union")):
            status, message = call(shim.peer_pass, table, "odd one=" + role)
            assert status == INPUT and "column 'odd one': the Arrow type " + name in message, message
        if role != "kept":  # what is not understood can be published as it is
            assert_same(table, through(table, "odd one=kept"))
        assert through(table, "odd one=dropped").column_names == ["fine"]
    status, message = call(shim.peer_pass, pa.table({"a": [1]}), "b=identifier")
    assert status == INPUT and "'b'" in message, message


def people(records):
    table = every_type()
    kept = pa.concat_tables([table] * (records // 4)).combine_chunks()
    columns = {"name": [f"person {i}" for i in range(records)],
               "age": pa.array([20 + i * 7 % 60 if i % 50 else None for i in range(records)], pa.uint8()),
               "town": pa.array(["Athens", "Volos", "Larisa"][i * i % 3] for i in range(records)).dictionary_encode(),
               "born": pa.array([dt.date(1950, 1, 1) + dt.timedelta(days=i % 40 * 300) for i in range(records)]),
               "illness": ["flu" if i % 4 else None for i in range(records)]}
    return pa.table({**columns, **{name: kept[name] for name in kept.column_names}})


def test_anonymized():
    table = people(2000)
    quasi = ["age", "town", "born"]
    roles = ";".join(["name=identifier", "illness=sensitive"] + [f"{q}=quasi-identifier" for q in quasi] +
                     [f"{name}=kept" for name in every_type().column_names])
    back = anonymized(table, roles, 5)
    assert back.column_names == table.column_names[1:]
    assert back.num_rows == table.num_rows
    sizes = {}
    for row in zip(*(back[q].to_pylist() for q in quasi)):
        sizes[row] = sizes.get(row, 0) + 1
    assert len(sizes) > 1 and min(sizes.values()) >= 5, sizes
    for q in quasi:
        assert back[q].type.value_type == pa.large_string(), back[q].type
    kept = [name for name in back.column_names if name not in quasi]
    assert_same(table.select(kept), back.select(kept))
    assert anonymized(table, roles, 5, changed_only=True).column_names == quasi


def main():
    failed = 0
    for name, test in list(globals().items()):
        if not name.startswith("test_"):
            continue
        try:
            test()
            gc.collect()
            assert shim.peer_memory() == 0, f"{shim.peer_memory()} bytes are still in use"
            print("ok", name)
        except Exception as e:  # all are run
            print("FAILED", name, type(e).__name__, str(e)[:500])
            failed += 1
    sys.exit(failed > 0)


main()
