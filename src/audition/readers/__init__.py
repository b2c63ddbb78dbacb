"""Logs out of files and frames: one file here for every format.

A reader turns bytes into columns; which rows count is decided once, for all formats. Whatever the
input, the answer is a `Reading` or a `LogError`.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from difflib import get_close_matches
from pathlib import Path
from typing import Any

from audition.columns import ColumnMap
from audition.errors import LogError
from audition.frames import open_frame, readable
from audition.readers import delimited, json_lines, numpy_archive, parquet
from audition.readers.columns_found import require
from audition.readers.rows import Reading, reading_of
from audition.readers.source import FileTable, found, read_bytes

__all__ = ["ColumnMap", "Reading", "read_frame", "read_log", "suffixes"]

Reader = Callable[[bytes, Sequence[str]], FileTable]
_READERS: dict[str, Reader] = {
    suffix: reader.read
    for reader in (delimited, json_lines, numpy_archive, parquet)
    for suffix in reader.SUFFIXES
}
_PACKED = (*delimited.SUFFIXES, *json_lines.SUFFIXES)  # text that may come as .gz


def suffixes() -> tuple[str, ...]:
    """The endings of the file names that are read."""
    return tuple(_READERS)


def read_log(path: str | Path, *, columns: ColumnMap | None = None) -> Reading:
    """The log in a file; the ending of its name says the format, and .gz that it is packed."""
    place, columns = Path(path), columns or ColumnMap()
    reader = _reader(place)
    table = reader(read_bytes(place), columns.names)
    require(table.names, columns, table.columns)
    return reading_of(table, columns, origin=str(path))


def read_frame(frame: Any, *, columns: ColumnMap | None = None) -> Reading:
    """The log in a pandas, polars or Arrow frame, or in a mapping of arrays."""
    columns = columns or ColumnMap()
    with open_frame(frame) as table:
        names = table.names
        kept = columns.names if found(names, columns.names) else readable(table)
        taken = {name: table.column(name) for name in kept}
    require(names, columns, taken)
    return reading_of(FileTable(names=names, columns=taken), columns)


def _reader(path: Path) -> Reader:
    endings = [suffix.lower() for suffix in path.suffixes]
    ending = "".join(endings[-1:])
    if ending == ".gz" and len(endings) > 1 and endings[-2] in _PACKED:
        return _READERS[endings[-2]]
    if ending in _READERS:
        return _READERS[ending]
    known = [*_READERS, *(f"{text}.gz" for text in _PACKED)]
    close = get_close_matches(ending, known, n=1)
    hint = f"; did you mean {close[0]!r}?" if close else ""
    raise LogError(
        f"the log's name should end in {', '.join(known)}; got {path.name!r}{hint} "
        "Rename it after its format, or convert it to CSV"
    )
