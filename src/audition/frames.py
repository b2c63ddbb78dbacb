"""Columns out of a data frame of any make, without depending on the package it comes from.

pandas is asked for its own arrays (its Arrow export needs pyarrow); a mapping of arrays and a NumPy
record array are taken as they are; everything else speaks through the Arrow C stream.
"""

from __future__ import annotations

import sys
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from difflib import get_close_matches
from typing import Any, Protocol, final

import numpy as np

from audition.arrow import ArrowStream, ArrowTable
from audition.columns import Column, column_of
from audition.errors import LogError


class Table(Protocol):
    """Columns by name; a column is read when it is asked for."""

    @property
    def names(self) -> tuple[str, ...]: ...

    def column(self, name: str) -> Column: ...


@final
@dataclass(frozen=True, slots=True, eq=False)
class ColumnTable:
    """Columns that are in memory already."""

    columns: Mapping[str, Column]

    @property
    def names(self) -> tuple[str, ...]:
        return tuple(self.columns)

    def column(self, name: str) -> Column:
        return self.columns[name]


@final
@dataclass(frozen=True, slots=True, eq=False)
class _PandasTable:
    frame: Any
    names: tuple[str, ...]

    def column(self, name: str) -> Column:
        series = self.frame.iloc[:, self.names.index(name)]
        if isinstance(series.dtype, np.dtype):
            return np.asarray(series.to_numpy())
        return np.asarray(series.to_numpy(dtype=object, na_value=None))


@contextmanager
def open_frame(frame: Any) -> Iterator[Table]:
    """The frame as a table, for as long as the block lasts."""
    pandas = sys.modules.get("pandas")
    if pandas is not None and isinstance(frame, pandas.DataFrame):
        yield _PandasTable(frame, tuple(str(name) for name in frame.columns))
    elif isinstance(frame, Mapping):
        yield ColumnTable({str(name): column_of(frame[name], str(name)) for name in frame})
    elif isinstance(frame, np.ndarray) and frame.dtype.names:
        yield ColumnTable({name: column_of(frame[name], name) for name in frame.dtype.names})
    elif isinstance(frame, ArrowStream):
        with ArrowTable(frame) as table:
            yield table
    else:
        raise LogError(
            "a frame should be pandas, polars, Arrow, a mapping of columns, or offer "
            f"__arrow_c_stream__; got {type(frame).__name__}"
        )


def frame_columns(frame: Any, names: Sequence[str]) -> dict[str, Column]:
    """The named columns of a frame."""
    with open_frame(frame) as table:
        return {name: table.column(known_column(name, table.names)) for name in names}


def readable(table: Table) -> list[str]:
    """The columns that can be read: a frame may hold some that no log could use."""
    kept = []
    for name in dict.fromkeys(table.names):
        with suppress(LogError):
            table.column(name)
            kept.append(name)
    return kept


def known_column(name: str, names: Sequence[str]) -> str:
    """The name, when exactly one column has it."""
    if names.count(name) == 1:
        return name
    if name in names:
        raise LogError(f"one column should be called {name!r}; {names.count(name)} columns are")
    close = get_close_matches(name, names, n=1)
    hint = f"did you mean {close[0]!r}? " if close else ""
    raise LogError(f"no column is called {name!r}; {hint}the columns are: {_listed(names)}")


def _listed(names: Sequence[str]) -> str:
    shown = ", ".join(names[:20])
    return f"{shown} and {len(names) - 20} more" if len(names) > 20 else shown or "none"
