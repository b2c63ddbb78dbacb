"""Whatever bytes a file holds, and whatever it is called, the answer is a Reading or a LogError."""

import gzip
import io
import json
import string

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from audition.errors import LogError
from audition.readers import ColumnMap, Reading, read_log, suffixes
from audition.readers.source import FileTable

EVERY_COLUMN = ColumnMap(propensity="p", cluster="user", time="time", context=("x",))
MAPS = st.sampled_from([ColumnMap(), EVERY_COLUMN, ColumnMap(decimal=","), ColumnMap(arm="reward")])
TEXT_SUFFIXES = (".csv", ".tsv", ".jsonl", ".json", ".csv.gz", ".jsonl.gz")
COLUMNS = {
    "arm": ["a", "b", "a"],
    "reward": [1.0, 2.0, 0.5],
    "p": [0.5, 0.5, 0.25],
    "user": ["u", "v", "u"],
    "time": [1.0, 2.0, 3.0],
    "x": [0.0, 1.0, 0.0],
}

HOSTILE = (
    "<script>alert(1)</script>",
    '=HYPERLINK("http://x")',
    "\x1b[31mred\x1b[0m",
    "a\x00b",
    "\u202egnp.exe",
    "’; DROP TABLE trials;--",
    "'\"&",
    "a" * 5000,
)


def assert_read_or_refused(folder, data, suffix, columns):
    """Read the bytes; anything but a reading or a LogError fails the test that calls this."""
    path = folder / f"log{suffix}"
    path.write_bytes(gzip.compress(data) if suffix.endswith(".gz") else data)
    try:
        reading = read_log(path, columns=columns)
    except LogError as error:
        assert str(error).strip()
        return None
    assert isinstance(reading, Reading)
    assert reading.rows == reading.log.rows + sum(reading.dropped.values())
    assert all(type(name) is str and name.encode() for name in reading.log.arm_names)
    return reading


def valid(suffix):
    """A sound file of each format, to be damaged."""
    if suffix == ".npz":
        buffer = io.BytesIO()
        np.savez_compressed(buffer, **{name: np.array(v) for name, v in COLUMNS.items()})
        return buffer.getvalue()
    if suffix in (".parquet", ".pq"):
        buffer = io.BytesIO()
        pq.write_table(pa.table(COLUMNS), buffer)
        return buffer.getvalue()
    rows = [dict(zip(COLUMNS, row, strict=True)) for row in zip(*COLUMNS.values(), strict=True)]
    if suffix.startswith(".json"):
        return "".join(json.dumps(row) + "\n" for row in rows).encode()
    mark = "\t" if suffix.startswith(".tsv") else ","
    lines = [mark.join(COLUMNS), *(mark.join(map(str, row.values())) for row in rows)]
    return ("\n".join(lines) + "\n").encode()


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    return tmp_path_factory.mktemp("any")


@settings(max_examples=60, deadline=None)
@given(st.binary(max_size=300), st.sampled_from((*suffixes(), ".csv.gz", ".jsonl.gz")), MAPS)
@example(b"", ".csv", ColumnMap())
@example(b"\xff\xfea\x00", ".csv", ColumnMap())
@example(b"PK\x05\x06" + bytes(18), ".npz", ColumnMap())
@example(b"[" * 100_000, ".jsonl", ColumnMap())
@example(b'{"a":' * 100_000, ".jsonl", ColumnMap())
def test_any_bytes_are_read_or_refused(folder, data, suffix, columns):
    assert_read_or_refused(folder, data, suffix, columns)


@settings(max_examples=150, deadline=None)
@given(
    st.sampled_from([*suffixes(), ".csv.gz", ".jsonl.gz"]),
    st.lists(st.tuples(st.floats(0, 1), st.binary(max_size=6), st.integers(0, 8)), max_size=4),
    MAPS,
)
def test_a_damaged_file_is_read_or_refused(folder, suffix, changes, columns):
    data = valid(suffix)
    for place, new, gone in changes:
        start = int(place * len(data))
        data = data[:start] + new + data[start + gone :]
    assert_read_or_refused(folder, data, suffix, columns)


@settings(max_examples=100, deadline=None)
@given(st.floats(0, 1), st.binary(min_size=1, max_size=3))
def test_a_damaged_gzip_file_is_read_or_refused(folder, place, new):
    packed = gzip.compress(valid(".csv") * 20)
    start = int(place * len(packed))
    path = folder / "damaged.csv.gz"
    path.write_bytes(packed[:start] + new + packed[start + len(new) :])
    try:
        read_log(path)
    except LogError as error:
        assert str(error)


CELLS = st.one_of(
    st.sampled_from(
        ["", "1", "-2.5", "1e400", "nan", "inf", "1_000", "1,5", "a", '"', "2024-01-01"]
    ),
    st.text(max_size=8),
    st.text(alphabet=string.printable, max_size=5),
)


@settings(max_examples=150, deadline=None)
@given(
    st.lists(st.lists(CELLS, min_size=6, max_size=6), max_size=6),
    st.sampled_from([",", ";", "\t", "|"]),
    st.sampled_from(["\n", "\r\n", "\r"]),
    st.booleans(),
    MAPS,
)
def test_any_cells_are_read_or_refused(folder, rows, mark, end, quoted, columns):
    def written(cell):
        return '"' + cell.replace('"', '""') + '"' if quoted else cell

    lines = [list(COLUMNS), *rows]
    text = end.join(mark.join(written(cell) for cell in line) for line in lines) + end
    assert_read_or_refused(folder, text.encode("utf-8", "surrogatepass"), ".csv", columns)


JSON = st.recursive(
    st.none()
    | st.booleans()
    | st.integers()
    | st.sampled_from([10**400, -(10**400), 1e308, 0.1])
    | st.floats()
    | st.text(max_size=5)
    | st.sampled_from(["\ud800", "NaN", "1"]),
    lambda inner: (
        st.lists(inner, max_size=2) | st.dictionaries(st.text(max_size=3), inner, max_size=2)
    ),
    max_leaves=4,
)
ROWS = st.dictionaries(st.sampled_from([*COLUMNS, "other"]), JSON, max_size=6)


@settings(max_examples=200, deadline=None)
@given(st.lists(ROWS | JSON, max_size=5), st.booleans(), MAPS)
def test_any_json_values_are_read_or_refused(folder, rows, as_array, columns):
    text = json.dumps(rows) if as_array else "\n".join(json.dumps(row) for row in rows)
    assert_read_or_refused(folder, text.encode("utf-8", "surrogatepass"), ".json", columns)


KINDS = ["f2", "f8", "i1", "u8", "?", "c8", "U3", "S3", "M8[ns]", "M8[D]", "M8[Y]", "m8[s]"]
ARRAYS = st.tuples(st.sampled_from(KINDS), st.binary(min_size=36, max_size=36))


def array_of(kind, raw):
    item = np.dtype(kind)
    if kind == "U3":
        return np.array([chr(33 + octet) * 2 for octet in raw[:3]])
    return np.frombuffer((raw * 4)[: 3 * item.itemsize], dtype=item)


@settings(max_examples=150, deadline=None)
@given(ARRAYS, ARRAYS, ARRAYS)
def test_arrays_of_any_kind_are_read_or_refused(folder, arm, reward, time):
    buffer = io.BytesIO()
    with np.errstate(all="ignore"):
        np.savez(buffer, arm=array_of(*arm), reward=array_of(*reward), time=array_of(*time))
        assert_read_or_refused(folder, buffer.getvalue(), ".npz", ColumnMap(time="time"))


@pytest.mark.parametrize("name", HOSTILE)
@pytest.mark.parametrize("suffix", [".csv", ".jsonl", ".npz", ".parquet"])
def test_a_hostile_arm_name_is_plain_text(tmp_path, suffix, name):
    rows = {"arm": [name, "b", name], "reward": [1.0, 2.0, 3.0]}
    buffer = io.BytesIO()
    if suffix == ".npz":
        np.savez(buffer, **{key: np.array(value) for key, value in rows.items()})
    elif suffix == ".parquet":
        pq.write_table(pa.table(rows), buffer)
    elif suffix == ".csv":
        quoted = '"' + name.replace('"', '""') + '"'
        buffer.write(f"arm,reward\n{quoted},1\nb,2\n{quoted},3\n".encode())
    else:
        lines = (json.dumps({"arm": a, "reward": r}) for a, r in zip(*rows.values(), strict=True))
        buffer.write("\n".join(lines).encode())
    reading = assert_read_or_refused(tmp_path, buffer.getvalue(), suffix, ColumnMap())
    assert reading is not None
    assert set(reading.log.arm_names) == {name, "b"}


def test_a_table_without_columns_has_no_rows():
    assert FileTable(names=(), columns={}).rows == 0
