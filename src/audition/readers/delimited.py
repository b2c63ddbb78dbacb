"""Comma, semicolon or tab separated text with a header line; quotes as in RFC 4180."""

from __future__ import annotations

import csv
import io
from collections.abc import Iterator, Sequence
from itertools import islice
from typing import Any, final

from audition.errors import LogError
from audition.readers.source import SAMPLE_ROWS, FileTable, found, objects, text_of

SUFFIXES = (".csv", ".tsv")
_SEPARATORS = ",;\t|"
_ROWS_AT_ONCE = 1000  # few enough that the garbage collector never walks them

Rows = list[list[str]]


def read(data: bytes, wanted: Sequence[str]) -> FileTable:
    """The wanted columns as text."""
    records = _Records(text_of(data))
    names = tuple(name.strip() for name in records.header)
    complete = found(names, wanted)
    kept = list(dict.fromkeys(wanted if complete else names))
    places = [names.index(name) for name in kept]
    columns: list[list[str]] = [[] for _ in places]
    for rows in records.pieces():
        for column, place in zip(columns, places, strict=True):
            column.extend([row[place] for row in rows])
        if not complete and len(columns[0]) >= SAMPLE_ROWS:
            break
    return FileTable(
        names=names,
        columns={name: objects(column) for name, column in zip(kept, columns, strict=True)},
        torn=records.torn,
        open_ended=records.open_ended and not records.torn,
        line_of=records.line_of,
    )


@final
class _Records:
    """The records of a text, each of as many fields as the header has."""

    def __init__(self, text: str) -> None:
        self._text = text
        self.torn = 0
        self.open_ended = not text.endswith(("\n", "\r"))
        self._separator = max(_SEPARATORS, key=lambda mark: len(self._first(mark)))
        self.header = self._first(self._separator)
        if not _filled(self.header):
            raise LogError("a log should begin with a line that names its columns; this has none")

    def pieces(self) -> Iterator[Rows]:
        """The records after the header, some at a time."""
        width, done = len(self.header), 0
        reader = self._after_header()
        while True:
            try:
                rows = list(islice(reader, _ROWS_AT_ONCE))
            except csv.Error:
                break
            if not rows:
                return
            sound = [row for row in rows if len(row) == width]
            if len(sound) < len(rows) and any(_filled(r) for r in rows if len(r) != width):
                break
            done += len(sound)
            yield sound
        yield [row for _, row in islice(self._numbered(), done, None)]

    def line_of(self, row: int) -> int:
        """The line on which a record begins, counted from 1."""
        return next(islice((line for line, _ in self._numbered()), row, None), 0)

    def _numbered(self) -> Iterator[tuple[int, list[str]]]:
        """Each record with its line; a torn last one ends them, any other fault is an error."""
        width, reader = len(self.header), self._after_header()
        last = sum(1 for _ in io.StringIO(self._text, newline="")) if self.open_ended else 0
        while True:
            line = reader.line_num + 1
            try:
                row = next(reader)
            except StopIteration:
                return
            except csv.Error as error:
                if line != last:
                    raise LogError(_malformed(line, str(error))) from None
                row = []
            if line == last and len(row) < width:
                self.torn = 1
                return
            if len(row) != width and _filled(row):
                raise LogError(
                    f"line {line}: expected {width} fields, as the header has; got {len(row)}. "
                    "Mend or delete the line; a field that holds the separator needs quotes"
                )
            if len(row) == width:
                yield line, row

    def _reader(self, separator: str) -> Any:
        return csv.reader(io.StringIO(self._text, newline=""), strict=True, delimiter=separator)

    def _after_header(self) -> Any:
        reader = self._reader(self._separator)
        next(row for row in reader if row)
        return reader

    def _first(self, separator: str) -> list[str]:
        """The first record that is not an empty line."""
        try:
            return next((row for row in self._reader(separator) if row), [])
        except csv.Error:
            return []


def _filled(row: Sequence[str]) -> bool:
    return any(field.strip() for field in row)


def _malformed(line: int, why: str) -> str:
    if "field limit" in why or "unexpected end" in why:
        why = "a quote is opened here or on this line and never closed"
    return f"line {line}: {why}. Mend or delete the line"
