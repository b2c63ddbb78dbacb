"""What a reader starts from and what it gives: the bytes of a file, and a table of its columns."""

from __future__ import annotations

import zlib
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import final

import numpy as np

from audition.columns import Column
from audition.errors import LogError

MOST_BYTES = 2 * 2**30  # of one file, unpacked: a log is read into memory at once
SAMPLE_ROWS = 1000  # read of every column when a wanted one is missing, to name candidates
_PIECE = 2**20
_GZIP = 16 + zlib.MAX_WBITS  # with the header and the checksum of gzip


@final
@dataclass(frozen=True, slots=True, eq=False)
class FileTable:
    """The columns that were asked for, and what reading them brought to light."""

    names: tuple[str, ...]  # of every column of the file
    columns: Mapping[str, Column]  # those wanted, or a sample of all when a wanted one is missing
    torn: int = 0  # lines at the end that a crash cut short, and that were left out
    open_ended: bool = False  # the last line has no line end: it may be cut short, too
    line_of: Callable[[int], int] | None = None  # the line of the file on which a row begins

    @property
    def rows(self) -> int:
        """How many rows the columns hold."""
        return next((column.size for column in self.columns.values()), 0)


def read_bytes(path: Path) -> bytes:
    """The bytes of a file, unpacked when its name ends in .gz."""
    try:
        size = path.stat().st_size
        if size > MOST_BYTES:
            raise _too_large(path, size)
        data = path.read_bytes()
    except FileNotFoundError:
        raise LogError(f"there is no file {str(path)!r}; check the path of the log") from None
    except (OSError, ValueError) as error:  # a path may hold a NUL
        raise LogError(f"the log {str(path)!r} cannot be read: {error}") from None
    return _unpacked(path, data) if path.suffix.lower() == ".gz" else data


def text_of(data: bytes) -> str:
    """The bytes as UTF-8 text, without a byte order mark; a character cut short at the end goes."""
    if data[:2] in (b"\xff\xfe", b"\xfe\xff"):
        raise LogError("the log should be UTF-8; its first bytes say UTF-16. Save it as UTF-8")
    try:
        return data.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        if error.reason == "unexpected end of data" and error.end == len(data):
            return data[: error.start].decode("utf-8-sig")
        line = data.count(b"\n", 0, error.start) + 1
        raise LogError(
            f"line {line}: the log should be UTF-8; byte {data[error.start]:#04x} is not. "
            "Save it as UTF-8 (a spreadsheet calls it 'CSV UTF-8')"
        ) from None


def found(names: Sequence[str], wanted: Sequence[str]) -> bool:
    """Whether every wanted column is there exactly once."""
    return all(names.count(name) == 1 for name in wanted)


def objects(values: Sequence[object]) -> Column:
    """Python values as one column."""
    column = np.empty(len(values), dtype=object)
    column[:] = values
    return column


def _unpacked(path: Path, data: bytes) -> bytes:
    """The unpacked bytes; of a file that was cut short while it was written, what is there."""
    pieces, size = [], 0
    try:
        while data:
            member = zlib.decompressobj(wbits=_GZIP)
            while data and not member.eof:
                piece = member.decompress(data, _PIECE)
                size += len(piece)
                if size > MOST_BYTES:
                    raise _too_large(path, size)
                pieces.append(piece)
                data = member.unconsumed_tail
            pieces.append(member.flush())
            data = member.unused_data.lstrip(b"\x00")  # padding, as gzip itself allows
    except zlib.error as error:
        raise LogError(f"the log {str(path)!r} is not a sound gzip file: {error}") from None
    return b"".join(pieces)


def _too_large(path: Path, size: int) -> LogError:
    return LogError(
        f"a log of at most {MOST_BYTES / 2**30:g} GiB is read; {str(path)!r} holds at least "
        f"{size / 2**30:.3g} GiB. Keep the columns you need, or a sample of whole users or days"
    )
