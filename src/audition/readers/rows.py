"""From the columns of a table to a log: which rows count, and why the others do not."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Final, final

import numpy as np
from numpy.typing import NDArray

from audition.columns import CellError, Column, ColumnMap, Labels, labels, numbers, times
from audition.errors import LogError
from audition.log import Log
from audition.readers.source import FileTable

TORN: Final = "torn last line"
DROPPED_ARM: Final = "arm left out on request"
NO_ARM: Final = "no arm"
NO_REWARD: Final = "no reward"
INFINITE_REWARD: Final = "infinite reward"

Rows = NDArray[np.bool_]
Floats = NDArray[np.float64]


@final
@dataclass(frozen=True, slots=True, eq=False)
class Reading:
    """A log, and what was in its file besides."""

    log: Log
    rows: int  # that the file held, a torn last line included
    dropped: Mapping[str, int] = field(default_factory=dict)  # reason to rows; each row once
    unrewarded: tuple[int, ...] = ()  # [arm] rows without a finite reward
    unclustered: int = 0  # rows whose cluster is missing: each is a unit of its own
    origin: str = ""  # the file, as it was named

    @property
    def digest(self) -> str:
        """The digest of the log: what the rows say, not how the file writes them."""
        return self.log.digest


@final
@dataclass(frozen=True, slots=True, eq=False)
class _Values:
    """The columns as labels and numbers, row by row as they were found."""

    arms: Labels
    rewards: Floats  # [row]
    numeric: Mapping[str, Floats]  # propensity, time and contexts, by column  # [row]
    clusters: Column | None


def reading_of(table: FileTable, columns: ColumnMap, *, origin: str = "") -> Reading:
    """The log that the table holds, without the rows that say nothing."""
    _check_lengths(table.columns)
    torn = table.torn
    try:
        values = _values(table.columns, columns)
    except CellError as error:
        if not (table.open_ended and error.row == table.rows - 1):
            raise _placed(error, table) from None
        values = _values({name: c[:-1] for name, c in table.columns.items()}, columns)
        torn = 1
    _check_drops(values.arms.names, columns)
    dropped = {TORN: torn} if torn else {}
    kept = np.ones(values.rewards.size, dtype=bool)
    for reason, rows in _reasons(values, columns).items():
        count = int(np.count_nonzero(rows & kept))
        kept &= ~rows
        if count:
            dropped[reason] = count
    if not kept.any():
        raise LogError(_nothing_left(dropped))
    return Reading(
        log=_log(values, columns, kept),
        rows=values.rewards.size + torn,
        dropped=dropped,
        unrewarded=_unrewarded(values, columns),
        unclustered=_unclustered(values, columns, kept),
        origin=origin,
    )


def _values(table: Mapping[str, Column], columns: ColumnMap) -> _Values:
    numeric = [*columns.context, *([columns.propensity] if columns.propensity else [])]
    found = {name: numbers(table[name], name, decimal=columns.decimal) for name in numeric}
    if columns.time is not None and columns.time not in found:
        found[columns.time] = times(table[columns.time], columns.time)
    return _Values(
        arms=labels(table[columns.arm], columns.arm, declared=columns.arms or None),
        rewards=numbers(table[columns.reward], columns.reward, decimal=columns.decimal),
        numeric=found,
        clusters=None if columns.cluster is None else table[columns.cluster],
    )


def _reasons(values: _Values, columns: ColumnMap) -> dict[str, Rows]:
    """Why rows do not count, the first reason first  # each [row]."""
    names = values.arms.names
    unwanted = [names.index(name) for name in columns.drop_arms]
    reasons = {
        DROPPED_ARM: np.isin(values.arms.codes, unwanted),
        NO_ARM: values.arms.codes < 0,
        NO_REWARD: np.isnan(values.rewards),
        INFINITE_REWARD: np.isinf(values.rewards),
    }
    for name, column in values.numeric.items():
        reasons[f"no finite {name}"] = ~np.isfinite(column)
    return reasons


def _log(values: _Values, columns: ColumnMap, kept: Rows) -> Log:
    names = [name for name in values.arms.names if name not in columns.drop_arms]
    place = np.full(len(values.arms.names) + 1, -1, dtype=np.int64)
    for position, name in enumerate(names):
        place[values.arms.names.index(name)] = position
    features = [values.numeric[name][kept] for name in columns.context]
    propensity, time = columns.propensity, columns.time
    return Log.from_arrays(
        place[values.arms.codes[kept]],
        values.rewards[kept],
        arm_names=names,
        propensities=None if propensity is None else values.numeric[propensity][kept],
        clusters=None if values.clusters is None else values.clusters[kept],
        times=None if time is None else values.numeric[time][kept],
        contexts=np.column_stack(features) if features else None,
        context_names=columns.context,
        reward_name=columns.reward,
        arm_name=columns.arm,
    )


def _unrewarded(values: _Values, columns: ColumnMap) -> tuple[int, ...]:
    missing = values.arms.codes[~np.isfinite(values.rewards) & (values.arms.codes >= 0)]
    counts = np.bincount(missing, minlength=len(values.arms.names))
    pairs = zip(values.arms.names, counts.tolist(), strict=True)
    return tuple(count for name, count in pairs if name not in columns.drop_arms)


def _unclustered(values: _Values, columns: ColumnMap, kept: Rows) -> int:
    if values.clusters is None or columns.cluster is None:
        return 0
    return int(np.count_nonzero(labels(values.clusters, columns.cluster).codes[kept] < 0))


def _check_lengths(columns: Mapping[str, Column]) -> None:
    lengths = {name: column.size for name, column in columns.items()}
    if len(set(lengths.values())) > 1:
        said = ", ".join(f"{name!r} {length:,}" for name, length in lengths.items())
        raise LogError(f"the columns of a log should be of one length; they hold {said} values")


def _check_drops(arms: tuple[str, ...], columns: ColumnMap) -> None:
    for name in columns.drop_arms:
        if name not in arms:
            raise LogError(
                f"there is no arm {name!r} to leave out; the arms are {', '.join(arms[:20])}"
            )


def _placed(error: CellError, table: FileTable) -> LogError:
    line = table.line_of(error.row) if table.line_of is not None else 0
    return LogError(f"line {line}: {error}" if line else str(error))


def _nothing_left(dropped: Mapping[str, int]) -> str:
    if not dropped:
        return "a log should hold at least one row; this one has only its header"
    why = ", ".join(f"{count:,} with {reason}" for reason, count in dropped.items())
    return f"no row of the log can be used: {why}. Check which columns hold the arm and the reward"
