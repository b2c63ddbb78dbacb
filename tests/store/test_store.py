"""What was played is kept: whole batches, once, whoever writes them and however they end."""

import os
import signal
import sqlite3
import subprocess
import sys
import textwrap
import time
from contextlib import closing
from dataclasses import astuple, replace
from pathlib import Path

import pytest

from audition.errors import StoreError
from audition.store import Batch, CurveRow, FailureRow, ScoreRow, Store

ROW = ScoreRow(
    "key", "ucb(theta=1)", "posterior", 3, "abc", 0, 32, "regret", -1.5, 2.0, 124.0, 32, 0, 100, 7,
    "cpu-1",
)  # fmt: skip
FAILURE = FailureRow("trial", 4, "ucb(theta=1)", "posterior", 3, "it broke", None)
CURVE = CurveRow("trial", 4, "ucb(theta=1)", "posterior", 3, (1, 2), (0.5, 0.25))


def row(number: int, **changed) -> ScoreRow:
    return replace(ROW, **{"key": f"key{number:05d}", "member": number, **changed})


def batch(*rows: ScoreRow, **more) -> Batch:
    return Batch([astuple(one) for one in rows], **more)


@pytest.fixture
def store(tmp_path):
    with Store.open(tmp_path / "scores.sqlite") as opened:
        yield opened


def test_what_is_kept_comes_back_as_it_was(store):
    store.keep(batch(ROW, failures=[FAILURE], curves=[CURVE]))
    assert list(store.rows()) == [ROW]
    assert store.failures(["trial"]) == [FAILURE]
    assert store.curves(["trial"]) == [CURVE]
    assert store.found(["key", "other"]) == {"key": (-1.5, 124.0, 32, 0)}


def test_rows_come_in_one_order_whatever_the_order_they_were_kept_in(tmp_path):
    rows = [row(number) for number in range(40)]
    with Store.open(tmp_path / "a") as one, Store.open(tmp_path / "b") as other:
        one.keep(batch(*rows))
        for turned in reversed(rows):
            other.keep(batch(turned))
        assert list(one.rows()) == list(other.rows()) == rows


def test_a_failure_never_takes_the_place_of_a_score(store):
    lost = row(1, mean=None, standard_deviation=None, sum_of_squares=0.0, valid=0, invalid=32)
    sound = row(1)
    store.keep(batch(lost, failures=[replace(FAILURE, trial="t")]))
    store.keep(batch(sound, mended=["t"]))
    assert list(store.rows()) == [sound]
    assert store.failures(["t"]) == []
    store.keep(batch(lost))
    assert list(store.rows()) == [sound]


def test_what_failed_is_forgotten_when_asked_and_nothing_else(store):
    lost = row(1, mean=None, standard_deviation=None, sum_of_squares=0.0, valid=0, invalid=32)
    grown = replace(CURVE, trial="sound")
    store.keep(batch(lost, row(2), failures=[FAILURE], curves=[CURVE, grown]))
    assert store.forget_failed() == 1
    assert list(store.rows()) == [row(2)]
    assert store.failures(["trial"]) == []
    assert store.curves(["trial", "sound"]) == [grown]


def test_a_batch_is_kept_whole_or_not_at_all(store):
    broken = Batch([astuple(row(1)), (*astuple(row(2))[:-1], object())])
    with pytest.raises((StoreError, sqlite3.Error)):
        store.keep(broken)
    assert store.size == 0
    store.keep(batch(row(3)))
    assert store.size == 1


def test_many_keys_are_looked_up_at_once(store):
    store.keep(batch(*(row(number) for number in range(3000))))
    keys = [f"key{number:05d}" for number in range(0, 4000, 2)]
    assert len(store.found(keys)) == 1500


def test_a_merge_adds_what_is_new_and_nothing_twice(store, tmp_path):
    store.keep(batch(row(1), row(2)))
    with Store.open(tmp_path / "other") as other:
        other.keep(batch(row(2), row(3), failures=[FAILURE], curves=[CURVE]))
        assert store.merge(other) == 1
        assert store.merge(other) == 0
    assert [one.member for one in store.rows()] == [1, 2, 3]
    assert store.failures(["trial"]) == [FAILURE]
    assert store.curves(["trial"]) == [CURVE]


def test_it_is_a_plain_sqlite_file_with_a_write_ahead_log_and_no_pickle(store, tmp_path):
    store.keep(batch(ROW))
    with closing(sqlite3.connect(tmp_path / "scores.sqlite")) as database:
        assert database.execute("PRAGMA journal_mode").fetchone() == ("wal",)
        kinds = {
            kind
            for (table,) in database.execute("SELECT name FROM sqlite_master WHERE type='table'")
            for *_, kind in database.execute(f"SELECT name, type FROM pragma_table_info('{table}')")
        }
    assert kinds == {"TEXT", "INTEGER", "REAL"}


@pytest.mark.parametrize("content", [b"", b"not a database at all, but long enough to look" * 40])
def test_a_file_of_something_else_is_refused_and_left_as_it_is(tmp_path, content):
    place = tmp_path / "scores.sqlite"
    place.write_bytes(content)
    if not content:  # an empty file is what a crash right after the start leaves
        with Store.open(place) as store:
            assert store.size == 0
        return
    with pytest.raises(StoreError, match="is not a store of Audition's scores"):
        Store.open(place)
    assert place.read_bytes() == content


def test_a_database_of_somebody_else_is_refused_and_left_as_it_is(tmp_path):
    place = tmp_path / "theirs.sqlite"
    with closing(sqlite3.connect(place)) as database, database:
        database.execute("CREATE TABLE theirs (x)")
    before = place.read_bytes()
    with pytest.raises(StoreError, match="something else"):
        Store.open(place)
    assert place.read_bytes() == before


def test_a_store_of_another_format_says_which_is_read(tmp_path):
    place = tmp_path / "scores.sqlite"
    Store.open(place).close()
    with closing(sqlite3.connect(place)) as database, database:
        database.execute("PRAGMA user_version = 99")
    with pytest.raises(StoreError, match="format 99, but this Audition reads format 1"):
        Store.open(place)


def test_a_folder_that_is_not_there_is_an_error_of_ours(tmp_path):
    with pytest.raises(StoreError, match="cannot be used"):
        Store.open(tmp_path / "none" / "scores.sqlite")


WRITER = textwrap.dedent(
    """
    import sys
    from dataclasses import astuple, replace
    sys.path.insert(0, sys.argv[3])
    from test_store import batch, row
    from audition.store import Store

    first = int(sys.argv[2])
    with Store.open(sys.argv[1]) as store:
        print("open", flush=True)
        number = first
        while number < first + 5000:
            store.keep(batch(*(row(number + i) for i in range(5))))
            number += 5
    """
)


def writer(place: Path, first: int) -> subprocess.Popen:
    return subprocess.Popen(
        [sys.executable, "-c", WRITER, str(place), str(first), str(Path(__file__).parent)],
        stdout=subprocess.PIPE,
        env=os.environ,
    )


def test_two_processes_share_a_file_and_a_killed_one_leaves_whole_batches(tmp_path):
    place = tmp_path / "scores.sqlite"
    processes = [writer(place, first) for first in (0, 50_000)]
    for process in processes:
        assert process.stdout.readline() == b"open\n"
    time.sleep(0.15)
    for process in processes:
        process.send_signal(signal.SIGKILL)
        process.communicate()
    with Store.open(place) as store:
        rows = [one.member for one in store.rows()]
        assert rows
        assert len(rows) % 5 == 0
        assert all(set(range(n - n % 5, n - n % 5 + 5)) <= set(rows) for n in rows)
        store.keep(batch(row(99_999)))
        assert store.size == len(rows) + 1
