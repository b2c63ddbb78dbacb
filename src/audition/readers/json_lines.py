"""JSON, one object a row: a line each (JSON lines), or all of them in one array.

Keys are the columns; an object that lacks one has no value there. A last line without a
line end that is no sound JSON was cut short by a crash: it is left out and counted.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from itertools import islice
from typing import Any, Final, final

import msgspec

from audition.errors import LogError
from audition.readers.source import SAMPLE_ROWS, FileTable, found, objects, text_of

SUFFIXES = (".jsonl", ".ndjson", ".json")
_ROWS_AT_ONCE: Final = 10_000
_SHOWN: Final = 40

Row = dict[str, Any]


def read(data: bytes, wanted: Sequence[str]) -> FileTable:
    """The wanted columns as the values that the objects hold."""
    text = text_of(data)
    if text.lstrip()[:1] == "[":
        records: _Array | _Lines = _Array(text)
    else:
        records = _Lines(text)
    seen: Row = {}  # its keys are the columns, in the order in which they first occur
    columns: dict[str, list[Any]] = {name: [] for name in wanted}
    for rows in records.pieces():
        for row in rows:
            seen.update(row)
        for name, column in columns.items():
            column.extend([row.get(name) for row in rows])
    names = tuple(seen)
    if not found(names, wanted):
        rows = list(islice((row for piece in records.pieces() for row in piece), SAMPLE_ROWS))
        columns = {name: [row.get(name) for row in rows] for name in names}
    return FileTable(
        names=names,
        columns={name: objects(column) for name, column in columns.items()},
        torn=records.torn,
        line_of=records.line_of,
    )


@final
class _Lines:
    """One object a line; empty lines say nothing."""

    def __init__(self, text: str) -> None:
        # Not splitlines: a JSON string may hold the other line ends as they are.
        self._lines = text.split("\n")
        self.torn = 0

    def pieces(self) -> Iterator[list[Row]]:
        """The objects, some at a time."""
        decoder = msgspec.json.Decoder(Row)
        for start in range(0, len(self._lines), _ROWS_AT_ONCE):
            piece = self._lines[start : start + _ROWS_AT_ONCE]
            try:
                yield [decoder.decode(line) for line in piece if line and not line.isspace()]
            except (msgspec.MsgspecError, RecursionError, ValueError):
                yield list(self._one_by_one(start, piece))

    def line_of(self, row: int) -> int:
        """The line on which a row is written, counted from 1."""
        filled = (n for n, line in enumerate(self._lines, start=1) if line and not line.isspace())
        return next(islice(filled, row, None), 0)

    def _one_by_one(self, start: int, piece: list[str]) -> Iterator[Row]:
        for number, line in enumerate(piece, start=start + 1):
            if not line or line.isspace():
                continue
            try:
                place = f"line {number}"
                yield _object(_decoded(line, place), place)
            except LogError:
                if number < len(self._lines) or not line.lstrip().startswith("{"):
                    raise
                self.torn = 1


@final
class _Array:
    """All objects in one array; an array that was cut short cannot be read."""

    torn = 0
    line_of = None

    def __init__(self, text: str) -> None:
        entries = _decoded(text, "the array of rows")
        self._rows = [_object(row, f"entry {n}") for n, row in enumerate(entries, start=1)]

    def pieces(self) -> Iterator[list[Row]]:
        """The objects, all at once."""
        yield self._rows


def _decoded(text: str, place: str) -> Any:
    """JSON, also with the NaN and Infinity that Python writes."""
    try:
        return msgspec.json.decode(text)
    except (msgspec.MsgspecError, RecursionError, ValueError):
        pass
    try:
        return json.loads(text)
    except json.JSONDecodeError as error:
        at = f"character {error.colno}" if error.lineno == 1 else f"line {error.lineno}"
        why = f"{error.msg} at {at}"
    except RecursionError:
        why = "objects lie too deep in each other"
    except ValueError as error:  # a number of thousands of digits
        why = str(error)
    raise LogError(f"{place}: this is not sound JSON: {why}. Mend or delete it")


def _object(value: Any, place: str) -> Row:
    if isinstance(value, dict):
        return value
    raise LogError(
        f'{place}: a row should be an object like {{"arm": "a", "reward": 1}}; '
        f"it is {repr(value)[:_SHOWN]}"
    )
