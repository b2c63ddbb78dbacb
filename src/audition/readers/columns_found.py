"""Whether the wanted columns are there; when one is not, which others could be meant."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import numpy as np

from audition.columns import Column, ColumnMap, labels, numbers
from audition.errors import LogError
from audition.frames import known_column

_MOST_ARMS = 50  # distinct values that a column may have to be proposed as the arm


def require(names: Sequence[str], columns: ColumnMap, sample: Mapping[str, Column]) -> None:
    """Refuse a map that names a column that is not there, or one column in two roles."""
    if columns.arm == columns.reward:
        raise LogError(f"arm and reward should be two columns; both are {columns.arm!r}")
    for name in columns.names:
        try:
            known_column(name, names)
        except LogError as error:
            raise LogError(f"{error}{_proposal(name, columns, sample)}") from None


def _proposal(name: str, columns: ColumnMap, sample: Mapping[str, Column]) -> str:
    """Columns that could be the arm or the reward, going by their first rows."""
    if name == columns.arm:
        close = [other for other in sample if _could_be_arm(sample[other], other)]
        role = "arm (few distinct values)"
    elif name == columns.reward:
        close = [other for other in sample if _could_be_reward(sample[other], other, columns)]
        role = "reward (numbers)"
    else:
        return ""
    return f". These could be the {role}: {', '.join(close[:8])}" if close else ""


def _could_be_arm(column: Column, name: str) -> bool:
    try:
        found = labels(column, name).names
    except LogError:
        return False
    return 2 <= len(found) <= min(_MOST_ARMS, max(2, column.size // 2))


def _could_be_reward(column: Column, name: str, columns: ColumnMap) -> bool:
    try:
        values = numbers(column, name, decimal=columns.decimal)
    except LogError:
        return False
    return bool(np.unique(values[np.isfinite(values)]).size >= 2)
