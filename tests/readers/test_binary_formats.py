"""NumPy archives and Parquet files."""

import io
import sys
import zipfile

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from audition.errors import LogError
from audition.log import Log
from audition.readers import ColumnMap, numpy_archive, read_log

ARMS, REWARDS = ["a", "b", "a", "b"], [1.0, 2.5, -3.0, 0.0]


def archive(tmp_path, name="log.npz", **arrays):
    np.savez(tmp_path / name, **arrays)
    return tmp_path / name


def parquet(tmp_path, **columns):
    pq.write_table(pa.table(columns), tmp_path / "log.parquet")
    return tmp_path / "log.parquet"


def test_every_format_gives_the_same_log(tmp_path):
    expected = Log.from_arrays(ARMS, REWARDS).digest
    lines = "".join(f"{arm},{reward}\n" for arm, reward in zip(ARMS, REWARDS, strict=True))
    (tmp_path / "log.csv").write_text("arm,reward\n" + lines)
    paths = [
        tmp_path / "log.csv",
        archive(tmp_path, arm=np.array(ARMS), reward=np.array(REWARDS)),
        parquet(tmp_path, arm=ARMS, reward=REWARDS),
    ]
    assert {read_log(path).digest for path in paths} == {expected}


def test_the_axes_of_an_array_are_columns(tmp_path):
    path = archive(
        tmp_path, arm=np.arange(4) % 2, reward=np.array(REWARDS), x=np.arange(8.0).reshape(4, 2)
    )
    log = read_log(path, columns=ColumnMap(context=("x_0", "x_1"))).log
    assert log.contexts.tolist() == [[0.0, 1.0], [2.0, 3.0], [4.0, 5.0], [6.0, 7.0]]


def test_a_record_array_gives_its_fields(tmp_path):
    rows = np.array([("a", 1.0), ("b", 2.0)], dtype=[("arm", "U1"), ("reward", "f8")])
    assert read_log(archive(tmp_path, rows=rows)).log.arm_names == ("a", "b")


def test_python_objects_are_never_unpickled(tmp_path):
    class Trap:
        def __reduce__(self):
            return (sys.exit, (1,))

    path = archive(tmp_path, arm=np.array([Trap(), Trap()], dtype=object), reward=np.zeros(2))
    with pytest.raises(LogError, match=r"never read.*array\.astype\(str\)"):
        read_log(path)


def test_arrays_of_different_lengths_are_refused(tmp_path):
    path = archive(tmp_path, arm=np.arange(3), reward=np.arange(4.0))
    with pytest.raises(LogError, match="'arm' 3, 'reward' 4"):
        read_log(path)


def test_an_archive_that_would_unpack_to_too_much_is_refused(tmp_path, monkeypatch):
    path = tmp_path / "bomb.npz"
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as bomb:
        bomb.writestr("arm.npy", bytes(10_000))
    monkeypatch.setattr(numpy_archive, "MOST_BYTES", 5_000)
    with pytest.raises(LogError, match="holds more when unpacked"):
        read_log(path)


def test_an_array_that_lies_about_its_size_is_refused(tmp_path):
    buffer = io.BytesIO()
    np.save(buffer, np.zeros(8))
    lie = buffer.getvalue().replace(b"(8,), }      ", b"(80000000,), }")[: len(buffer.getvalue())]
    assert lie != buffer.getvalue()
    with zipfile.ZipFile(tmp_path / "lie.npz", "w") as made:
        made.writestr("reward.npy", lie)
    with pytest.raises(LogError, match="not a sound NumPy archive"):
        read_log(tmp_path / "lie.npz")


def test_parquet_types_of_every_kind_are_read(tmp_path):
    path = parquet(
        tmp_path,
        arm=pa.array(ARMS).dictionary_encode(),
        reward=pa.array([1, 2, None, 4], pa.int16()),
        user=pa.array(["u", None, "v", "u"], pa.large_string()),
        time=pa.array([0, 1, 2, 3], pa.timestamp("ms", tz="UTC")),
    )
    reading = read_log(path, columns=ColumnMap(cluster="user", time="time"))
    assert reading.log.times.tolist() == [0.0, 0.001, 0.003]
    assert (dict(reading.dropped), reading.unclustered) == ({"no reward": 1}, 1)


def test_a_parquet_column_of_lists_is_refused_only_where_it_is_asked_for(tmp_path):
    path = parquet(tmp_path, arm=ARMS, reward=REWARDS, tags=[[1], [2], [], [3]])
    assert read_log(path).log.rows == 4
    with pytest.raises(LogError, match="'tags' should hold plain values"):
        read_log(path, columns=ColumnMap(arm="tags"))


def test_without_pyarrow_the_remedy_is_named(tmp_path, monkeypatch):
    path = parquet(tmp_path, arm=ARMS, reward=REWARDS)
    monkeypatch.setitem(sys.modules, "pyarrow", None)
    with pytest.raises(LogError, match=r"pip install 'audition\[data\]'"):
        read_log(path)


@pytest.mark.parametrize("ending", [".npz", ".parquet"])
def test_a_missing_column_is_met_with_those_that_could_be_meant(tmp_path, ending):
    path = (
        archive(tmp_path, variant=np.array(ARMS), reward=np.array(REWARDS))
        if ending == ".npz"
        else parquet(tmp_path, variant=ARMS, reward=REWARDS)
    )
    with pytest.raises(LogError, match=r"no column is called 'arm'.*could be the arm.*variant"):
        read_log(path)
