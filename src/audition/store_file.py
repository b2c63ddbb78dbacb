"""The SQLite file of a store: how it is made, recognised and refused."""

import sqlite3
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Final

from audition.errors import StoreError
from audition.store_rows import TABLES

FORMAT: Final = 1
APPLICATION: Final = 0x41554449  # "AUDI": how SQLite files of this kind are recognised
WAITING: Final = 60.0  # seconds to wait for another process that writes


def prepare(database: sqlite3.Connection, place: Path) -> None:
    """Make the tables in a new file; refuse a file that is something else."""
    database.execute(f"PRAGMA busy_timeout = {WAITING * 1000:.0f}")
    database.execute("PRAGMA synchronous = NORMAL")
    if _pragma(database, "application_id") != APPLICATION:
        if database.execute("SELECT count(*) FROM sqlite_master").fetchone()[0]:
            _refuse_stranger(database, place)
        _write_ahead(database)
        database.execute("BEGIN IMMEDIATE")
        for table in TABLES:
            database.execute(table)
        database.execute(f"PRAGMA application_id = {APPLICATION}")
        database.execute(f"PRAGMA user_version = {FORMAT}")
        database.commit()
    found = _pragma(database, "user_version")
    if found != FORMAT:
        raise StoreError(
            f"{place} is a store of format {found}, but this Audition reads format {FORMAT}; "
            "use the Audition that wrote it, or begin the study in another folder"
        )


def _refuse_stranger(database: sqlite3.Connection, place: Path) -> None:
    """Raise, unless another process made this store a moment ago."""
    if _pragma(database, "application_id") != APPLICATION:
        raise StoreError(
            f"{place} is an SQLite file of something else, not a store of Audition's scores; "
            "give another path, and nothing in this file is touched"
        )


def _write_ahead(database: sqlite3.Connection) -> None:
    """Turn the write-ahead log on; it stays on in the file. SQLite does not wait for this lock."""
    for _ in range(int(WAITING / 0.05)):
        try:
            database.execute("PRAGMA journal_mode = WAL")
        except sqlite3.OperationalError as error:
            if "locked" not in str(error):
                raise
            time.sleep(0.05)
        else:
            return
    raise sqlite3.OperationalError("database is locked")


def _pragma(database: sqlite3.Connection, name: str) -> int:
    return int(database.execute(f"PRAGMA {name}").fetchone()[0])


@contextmanager
def told(path: Path) -> Iterator[None]:
    """SQLite's errors as ours."""
    try:
        yield
    except sqlite3.OperationalError as error:
        advice = "check that its folder is there, can be written and has room"
        if "locked" in str(error):
            advice = f"another process kept it for {WAITING:.0f} s; try again when it is done"
        raise StoreError(f"the store {path} cannot be used: {error}; {advice}") from error
    except sqlite3.DatabaseError as error:
        raise StoreError(
            f"{path} is not a store of Audition's scores ({error}); give the path of one, or of a "
            "file that does not exist yet"
        ) from error
