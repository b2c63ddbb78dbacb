"""What is audited: a log, what its file held besides, and sums that several findings share."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import Final, final

import numpy as np
from numpy.typing import NDArray
from scipy.stats import norm

from audition.log import Log
from audition.readers.rows import Reading

FloatArray = NDArray[np.float64]
IntArray = NDArray[np.int64]

LEVEL: Final = 0.001  # false alarms of one test on a sound log; divided where it looks many times
MANY: Final = 1e-9  # relative spread below which rewards are one value written down twice
SHOWN: Final = 5  # names or numbers that one message lists


@final
@dataclass(frozen=True, eq=False)
class Subject:
    """One log under audit; without slots, so that sums can be kept."""

    log: Log
    file_rows: int
    dropped: Mapping[str, int]
    unrewarded: IntArray  # [arm]
    unlabelled: int
    origin: str

    @cached_property
    def counts(self) -> IntArray:
        """Rows of every arm  # [arm]."""
        return self.log.counts

    @cached_property
    def seen(self) -> IntArray:
        """The arms that were chosen at least once."""
        return np.flatnonzero(self.counts > 0)

    @cached_property
    def residuals(self) -> FloatArray:
        """Rewards less the mean of their arm  # [row]."""
        with np.errstate(all="ignore"):
            return self.log.rewards - self.log.means[self.log.arms]

    @cached_property
    def squares(self) -> FloatArray:
        """Sum of squared residuals of every arm  # [arm]."""
        with np.errstate(all="ignore"):
            squares = self.residuals**2
            sums = np.bincount(self.log.arms, weights=squares, minlength=self.counts.size)
            return np.asarray(sums, dtype=np.float64)

    @cached_property
    def units(self) -> IntArray:
        """The unit of every row  # [row]."""
        codes = self.log.clusters
        return np.arange(self.log.rows) if codes is None else codes

    @cached_property
    def units_by_arm(self) -> IntArray:
        """How many units hold each arm  # [arm]."""
        if self.log.clusters is None:
            return self.counts
        pairs = np.unique(self.units * np.int64(self.counts.size) + self.log.arms)
        return np.bincount(pairs % self.counts.size, minlength=self.counts.size).astype(np.int64)

    def summed(self, values: FloatArray) -> FloatArray:
        """Sums over the rows of each unit  # [unit]."""
        if self.log.clusters is None:
            return values
        sums = np.bincount(self.units, weights=values, minlength=self.log.units)
        return np.asarray(sums, dtype=np.float64)


def subject_of(source: Log | Reading) -> Subject:
    """A log, or a log as it was read."""
    if isinstance(source, Log):
        none = np.zeros(len(source.arm_names), dtype=np.int64)
        return Subject(source, source.rows, {}, none, 0, "")
    log = source.log
    unrewarded = source.unrewarded or (0,) * len(log.arm_names)
    return Subject(
        log=log,
        file_rows=source.rows,
        dropped=source.dropped,
        unrewarded=np.asarray(unrewarded, dtype=np.int64),
        unlabelled=source.unclustered,
        origin=source.origin,
    )


def clear(z: FloatArray | float, *, looks: int) -> NDArray[np.bool_]:
    """Whether normal scores are out of bounds at LEVEL, two-sided, after so many looks."""
    bound = float(norm.isf(LEVEL / (2 * max(looks, 1))))
    return np.asarray(np.abs(np.asarray(z)) > bound)


def named(names: tuple[str, ...], which: IntArray) -> str:
    """A few of the names, and how many more there are."""
    shown = ", ".join(repr(names[i]) for i in which[:SHOWN].tolist())
    return f"{shown} and {which.size - SHOWN} more" if which.size > SHOWN else shown
