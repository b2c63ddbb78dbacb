"""`audition export`: a study's scores as a table for other programs.

The rows stand in an order that does not depend on when they were played, so the same study gives
the same bytes. A spreadsheet runs a cell that begins with =, +, - or @: names that do are quoted.
"""

from __future__ import annotations

import csv
import io
import json
import sys
from collections.abc import Sequence
from dataclasses import fields
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

import click

from audition.cli import options
from audition.cli.words import answer, label, plural, say
from audition.errors import ConfigError, StoreError
from audition.study_directory import StudyDirectory

if TYPE_CHECKING:
    from audition.store import ScoreRow

FORMATS: Final = ("csv", "parquet", "json")
FORMULAS: Final = ("=", "+", "-", "@", "\t", "\r")


@click.command("export", short_help="Write a study's scores as CSV, Parquet or JSON.")
@click.argument("directory", metavar="DIR")
@click.option("--to", type=click.Choice(FORMATS), default="csv", show_default=True, help="Format.")
@click.option("--out", "-o", metavar="FILE", help="Where to; CSV and JSON go to stdout without it.")
@options.as_json
def command(directory: str, to: str, out: str | None, as_json: bool) -> None:
    """Write the scores in DIR, one row for a candidate, a simulator and a span of runs.

    `mean` is over the `valid` runs of the row; `invalid` runs gave no finite score. With --json
    the answer says what was written where.
    """
    if out is None and (as_json or to == "parquet"):
        raise ConfigError(f"name the file to write with --out, such as --out scores.{to}")
    rows = _rows(StudyDirectory.existing(directory))
    data = {"csv": csv_bytes, "json": json_bytes, "parquet": parquet_bytes}[to](rows)
    if out is None:
        sys.stdout.write(data.decode())
        return
    try:
        Path(out).write_bytes(data)
    except OSError as error:
        raise StoreError(f"{out} cannot be written: {error}") from error
    say(f"{out} holds {plural(len(rows), 'row')} of scores")
    if as_json:
        answer({"file": out, "format": to, "rows": len(rows)})


def csv_bytes(rows: Sequence[ScoreRow]) -> bytes:
    """The rows as CSV, safe to open in a spreadsheet and to print on a terminal."""
    page = io.StringIO()
    writer = csv.writer(page, lineterminator="\n")
    writer.writerow(_names())
    for row in rows:
        writer.writerow([_cell(value) for value in _values(row)])
    return page.getvalue().encode()


def json_bytes(rows: Sequence[ScoreRow]) -> bytes:
    """The rows as one JSON list of objects."""
    records = [dict(zip(_names(), _values(row), strict=True)) for row in rows]
    return (json.dumps(records, indent=1, allow_nan=False) + "\n").encode()


def parquet_bytes(rows: Sequence[ScoreRow]) -> bytes:
    """The rows as a Parquet file."""
    try:
        import pyarrow
        from pyarrow import parquet
    except ImportError as error:
        raise ConfigError(
            "Parquet needs the package pyarrow; install audition[data], or export --to csv"
        ) from error
    columns = [list(column) for column in zip(*map(_values, rows), strict=True)]
    table = pyarrow.table(dict(zip(_names(), columns, strict=True)))
    page = io.BytesIO()
    parquet.write_table(table, page)
    return page.getvalue()


def _rows(directory: StudyDirectory) -> list[ScoreRow]:
    if directory.trials.is_file():
        with directory.store() as store:
            rows = list(store.rows())
        if rows:
            return rows
    raise StoreError(
        f"{directory.path} holds no scores yet; play the study first: audition run {directory.path}"
    )


def _names() -> list[str]:
    from audition.store import ScoreRow

    return [item.name for item in fields(ScoreRow)]


def _values(row: ScoreRow) -> list[Any]:
    return [getattr(row, name) for name in _names()]


def _cell(value: Any) -> Any:
    if not isinstance(value, str):
        return value
    return f"'{label(value)}" if value.startswith(FORMULAS) else label(value)
