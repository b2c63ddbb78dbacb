"""Rows that do not count, and rows that are there twice."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

import numpy as np
from numpy.typing import NDArray
from scipy.stats import chi2

from audition import cells
from audition.audit.card import NOTE, WARN, Finding
from audition.audit.subject import LEVEL, FloatArray, Subject, clear
from audition.log import Log
from audition.readers.rows import DROPPED_ARM

MANY_LOST: Final = 0.01  # share of the file's rows
MANY_TWICE: Final = 0.01
TELLING: Final = 0.5  # share of different rows from which on a repeated row is news
PROOF: Final = 20  # different rows that all come in even numbers once in a million sound logs
ATOM: Final = 0.01  # share of the rows that makes one reward an atom
EXPECTED: Final = 5.0  # rows expected in every cell of a chi-square test

_GOLDEN, _MIX = np.uint64(0x9E3779B97F4A7C15), np.uint64(0xBF58476D1CE4E5B9)


def findings(subject: Subject) -> Iterator[Finding]:
    """What the file lost on the way, and what it holds twice."""
    yield from _dropped(subject)
    yield from _missing_by_arm(subject)
    yield from _twice(subject.log)


def _dropped(subject: Subject) -> Iterator[Finding]:
    for reason, count in subject.dropped.items():
        share = count / max(subject.file_rows, 1)
        if reason == DROPPED_ARM:
            yield Finding(NOTE, "rows-left-out", f"{_rows(count)}: {reason}")
            continue
        yield Finding(
            WARN if share > MANY_LOST else NOTE,
            "rows-dropped",
            f"{count:,} of {_rows(subject.file_rows)} {'does' if count == 1 else 'do'} not count: "
            f"{reason}. If what is missing "
            "depends on the reward, the means of the rest are off",
        )


def _rows(count: int) -> str:
    return f"{count:,} row" if count == 1 else f"{count:,} rows"


def _missing_by_arm(subject: Subject) -> Iterator[Finding]:
    """Pearson's chi-square on missing rewards by arm, at LEVEL."""
    gone, there = subject.unrewarded, subject.counts
    table = np.stack([gone, there])[:, gone + there > 0].astype(np.float64)
    if not gone.sum() or table.shape[1] < 2:
        return
    expected = table.sum(axis=1, keepdims=True) * table.sum(axis=0) / table.sum()
    statistic = float(((table - expected) ** 2 / np.maximum(expected, 1e-300)).sum())
    if expected.min() < EXPECTED or statistic <= chi2.isf(LEVEL, table.shape[1] - 1):
        return
    rates = np.where(gone + there > 0, gone / np.maximum(gone + there, 1), np.nan)
    worst, least = int(np.nanargmax(rates)), int(np.nanargmin(rates))
    names = subject.log.arm_names
    yield Finding(
        WARN,
        "missing-depends-on-arm",
        f"rewards are missing in {rates[worst]:.2%} of the rows of {names[worst]!r} and in "
        f"{rates[least]:.2%} of those of {names[least]!r} (chi-square test at level {LEVEL:g}): "
        "what is missing may not be like what is there, and the gap between arms may be off",
    )


def _twice(log: Log) -> Iterator[Finding]:
    """Rows equal in every column, more of them than rewards of few decimals give by chance.

    Where chance makes two rows equal it makes as many miss each other by one step of the last
    decimal, on either side: half the pairs one step apart are the pairs that chance explains.
    """
    steps = cells.width_of(log.rewards)
    if log.rows < 2 or steps <= 0.0:
        return
    telling = _telling(log)
    places = np.round(log.rewards / steps)
    prints, counts = np.unique(fingerprints(log, places)[telling], return_counts=True)
    if prints.size >= PROOF and (copies := int(np.gcd.reduce(counts))) > 1:
        yield Finding(
            WARN,
            "rows-twice",
            f"every row is there {copies} times, or a multiple of that: the file seems to have "
            "been written or joined more than once, and the log is far less sure than it looks; "
            "take the copies out",
        )
        return
    if prints.size <= TELLING * log.rows:
        return
    missed, near = np.unique(fingerprints(log, places + 1.0)[telling], return_counts=True)
    _, here, there = np.intersect1d(prints, missed, assume_unique=True, return_indices=True)
    pairs = float((counts * (counts - 1.0)).sum()) / 2.0
    chance = float((counts[here] * near[there]).sum()) / 2.0
    if not clear((pairs - chance) / np.sqrt(max(pairs + chance / 2.0, 1.0)), looks=1):
        return
    excess = min(round(pairs - chance), int((counts - 1).sum()))
    yield Finding(
        WARN if excess > MANY_TWICE * log.rows else NOTE,
        "rows-twice",
        f"about {excess:,} rows ({excess / log.rows:.2%}) repeat another row in every column that "
        f"is read, beyond what chance explains (level {LEVEL:g}). If a join or a retry wrote them "
        "twice, the log seems surer than it is; take them out",
    )


def _telling(log: Log) -> NDArray[np.bool_]:
    """Rows whose repetition is news: their time is their own, or their reward is not an atom."""
    if log.times is not None and np.unique(log.times).size > TELLING * log.rows:
        return np.ones(log.rows, dtype=bool)
    _, where, counts = np.unique(log.rewards, return_inverse=True, return_counts=True)
    return np.asarray(counts[where] <= max(ATOM * log.rows, 3))


def fingerprints(log: Log, rewards: FloatArray) -> NDArray[np.uint64]:
    """A 64-bit hash of every row, with other numbers for its reward  # [row]."""
    features = [] if log.contexts is None else list(log.contexts.T)
    columns = [log.arms, rewards, log.propensities, log.clusters, log.times, *features]
    state = np.full(log.rows, _GOLDEN)
    for column in columns:
        if column is None:
            continue
        plain = column + 0.0 if column.dtype.kind == "f" else column  # -0.0 is 0.0
        # The finaliser of SplitMix64 (Steele, Lea and Flood 2014), fed one column at a time.
        state = (state ^ np.ascontiguousarray(plain).view(np.uint64)) * _MIX + _GOLDEN
        state ^= state >> np.uint64(29)
        state *= _GOLDEN
        state ^= state >> np.uint64(32)
    return state


__all__ = ["findings", "fingerprints"]
