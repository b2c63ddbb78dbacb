"""What was played, in one SQLite file that any browser of SQLite opens.

A row of `scores` is what one candidate came to in one member over consecutive replications by one
objective, under a key that says everything it depends on; `failures` says why trials gave no
score, and `curves` how learners learned. Nothing is pickled. Rows are committed a batch at a time
through a write-ahead log, so a process that is killed loses the batch in hand and nothing else,
and two processes can share a file: equal keys mean equal rows.
"""

from __future__ import annotations

import json
import sqlite3
from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import fields
from pathlib import Path
from typing import Any, Final, Self, final

from audition.store_file import WAITING, prepare, told
from audition.store_rows import Batch, CurveRow, FailureRow, ScoreRow

AT_ONCE: Final = 900  # keys in one question; SQLite takes at least 999 values
_ORDER: Final = (
    "objective, ensemble, horizon, seed, candidate, simulator, member, first_replication, key"
)


@final
class Store:
    """The trials of a study; open it with `with`."""

    def __init__(self, path: Path, database: sqlite3.Connection) -> None:
        """Use `Store.open`."""
        self.path = path
        self._database = database

    @staticmethod
    def open(path: str | Path) -> Store:
        """The store in a file, which is made if it is not there."""
        place = Path(path)
        with told(place):
            database = sqlite3.connect(place, timeout=WAITING, isolation_level=None)
            try:
                prepare(database, place)
            except BaseException:
                database.close()
                raise
        return Store(place, database)

    def keep(self, batch: Batch) -> None:
        """Add rows; a failure never takes the place of a score."""
        with self._writing() as database:
            marks = ", ".join("?" * len(fields(ScoreRow)))
            columns = ", ".join(item.name for item in fields(ScoreRow))
            database.executemany(
                f"INSERT INTO scores ({columns}) VALUES ({marks}) ON CONFLICT (key) DO UPDATE SET "
                "mean = excluded.mean, standard_deviation = excluded.standard_deviation, "
                "sum_of_squares = excluded.sum_of_squares, valid = excluded.valid, "
                "invalid = excluded.invalid WHERE scores.invalid > excluded.invalid",
                batch.scores,
            )
            database.executemany(
                "DELETE FROM failures WHERE trial = ?", [(trial,) for trial in batch.mended]
            )
            database.executemany(
                "INSERT OR REPLACE INTO failures VALUES (?, ?, ?, ?, ?, ?, ?)",
                [_values(row) for row in batch.failures],
            )
            database.executemany(
                "INSERT OR REPLACE INTO curves VALUES (?, ?, ?, ?, ?, ?, ?, ?)",
                [_written(row) for row in batch.curves],
            )

    def forget_failed(self) -> int:
        """Drop what gave no score, so that it is played again; returns how many failures it had."""
        with self._writing() as database:
            (count,) = database.execute("SELECT count(*) FROM failures").fetchone()
            database.execute("DELETE FROM curves WHERE trial IN (SELECT trial FROM failures)")
            database.execute("DELETE FROM failures")
            database.execute("DELETE FROM scores WHERE invalid > 0")
        return int(count)

    def found(self, keys: Sequence[str]) -> dict[str, tuple[float | None, float, int, int]]:
        """Mean, sum of squares, valid and invalid under those keys that are here."""
        if self.size == 0:
            return {}
        question = "SELECT key, mean, sum_of_squares, valid, invalid FROM scores WHERE key IN"
        return {row[0]: row[1:] for row in self._where(question, keys)}

    def failures(self, trials: Sequence[str]) -> list[FailureRow]:
        """Why trials of these keys gave no score."""
        question = "SELECT * FROM failures WHERE trial IN"
        return [FailureRow(*row) for row in self._where(question, trials)]

    def curves(self, trials: Sequence[str]) -> list[CurveRow]:
        """How learners learned in the trials of these keys."""
        question = "SELECT * FROM curves WHERE trial IN"
        return [_curve(row) for row in self._where(question, trials)]

    def note_progress(self, ensemble: str, *, done: int, total: int) -> None:
        """Write down how far one ensemble has come, for `progress` to tell."""
        with self._writing() as database:
            database.execute(
                "INSERT OR REPLACE INTO progress VALUES (?, ?, ?)", (ensemble, done, total)
            )

    def progress(self) -> dict[str, tuple[int, int]]:
        """Trials done and wanted by ensemble, as they were last written down."""
        with told(self.path):
            rows = self._database.execute("SELECT * FROM progress ORDER BY ensemble").fetchall()
        return {ensemble: (done, total) for ensemble, done, total in rows}

    @property
    def size(self) -> int:
        """How many rows of scores there are."""
        with told(self.path):
            (count,) = self._database.execute("SELECT count(*) FROM scores").fetchone()
        return int(count)

    def rows(self) -> Iterator[ScoreRow]:
        """All scores, in an order that does not depend on when they were played."""
        with told(self.path):
            for row in self._database.execute(f"SELECT * FROM scores ORDER BY {_ORDER}"):
                yield ScoreRow(*row)

    def merge(self, other: Store) -> int:
        """Add what another store holds; returns how many rows of scores were new."""
        before = self.size
        with told(other.path):
            for part in _parts(other._database.execute("SELECT * FROM scores")):
                self.keep(Batch(part))
            failures = other._database.execute("SELECT * FROM failures").fetchall()
            curves = other._database.execute("SELECT * FROM curves").fetchall()
        with self._writing() as database:
            for table, more in (("failures", failures), ("curves", curves)):
                for row in more:
                    marks = ", ".join("?" * len(row))
                    database.execute(f"INSERT OR IGNORE INTO {table} VALUES ({marks})", row)
        return self.size - before

    def close(self) -> None:
        """Let go of the file."""
        self._database.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *ending: object) -> None:
        del ending
        self.close()

    @contextmanager
    def _writing(self) -> Iterator[sqlite3.Connection]:
        with told(self.path):
            self._database.execute("BEGIN IMMEDIATE")
            try:
                yield self._database
            except BaseException:
                self._database.rollback()
                raise
            self._database.commit()

    def _where(self, question: str, keys: Sequence[str]) -> Iterator[tuple[Any, ...]]:
        with told(self.path):
            for at in range(0, len(keys), AT_ONCE):
                asked = keys[at : at + AT_ONCE]
                marks = ", ".join("?" * len(asked))
                yield from self._database.execute(f"{question} ({marks})", asked).fetchall()


def _parts(rows: Iterable[tuple[Any, ...]]) -> Iterator[list[tuple[Any, ...]]]:
    part = []
    for row in rows:
        part.append(row)
        if len(part) == 10_000:
            yield part
            part = []
    if part:
        yield part


def _values(row: Any) -> tuple[Any, ...]:
    return tuple(getattr(row, item.name) for item in fields(row))


def _written(row: CurveRow) -> tuple[Any, ...]:
    *labels, steps, value, frames = _values(row)
    return (*labels, json.dumps(steps), json.dumps(value), json.dumps(frames))


def _curve(row: tuple[Any, ...]) -> CurveRow:
    trial, replication, candidate, ensemble, member, steps, value, frames = row
    numbers = tuple(float(number) for number in json.loads(value))
    drawn = tuple(tuple(tuple(limb) for limb in frame) for frame in json.loads(frames))
    counts = tuple(json.loads(steps))
    return CurveRow(trial, replication, candidate, ensemble, member, counts, numbers, drawn)


__all__ = ["Batch", "CurveRow", "FailureRow", "ScoreRow", "Store"]
