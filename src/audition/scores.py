"""The table candidate x member x block of replications: everything the rules know.

A block is a run of consecutive replications with its mean, its spread and its count; a learner
that is run one trial at a time has blocks of one. Scores that are not finite are invalid: they
are counted, kept out of every mean, and a candidate that has one cannot win.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import final

import numpy as np
from numpy.typing import NDArray

from audition.errors import ScoreError

FloatArray = NDArray[np.float64]
IntArray = NDArray[np.int64]


@final
@dataclass(frozen=True, slots=True)
class Block:
    """The scores of consecutive replications, summed up."""

    mean: float  # over the valid ones; NaN when there is none
    spread: float  # sum of squared deviations from the mean
    valid: int
    invalid: int


def block(scores: FloatArray) -> Block:
    """Sum up the scores of one block."""
    finite = scores[np.isfinite(scores)]
    if finite.size == 0:
        return Block(float("nan"), 0.0, 0, int(scores.size))
    mean = float(finite.mean())
    spread = float(((finite - mean) ** 2).sum())
    return Block(mean, spread, int(finite.size), int(scores.size - finite.size))


@final
@dataclass(frozen=True, slots=True, eq=False)
class Scores:
    """One objective's scores of every candidate in every member of one ensemble."""

    objective: str
    candidates: tuple[str, ...]
    mean: FloatArray  # [candidate, member, block]
    spread: FloatArray  # [candidate, member, block]
    valid: IntArray  # [candidate, member, block]
    invalid: IntArray  # [candidate, member, block]

    def __post_init__(self) -> None:
        if self.mean.ndim != 3 or self.mean.shape[0] != len(self.candidates):
            raise ScoreError(
                f"scores stand as candidate x member x block with {len(self.candidates)} "
                f"candidates, but have shape {self.mean.shape}"
            )

    @property
    def members(self) -> int:
        """How many members were played."""
        return int(self.mean.shape[1])

    @property
    def failed(self) -> IntArray:  # [candidate]
        """How many trials of every candidate had no finite score."""
        failed: IntArray = self.invalid.sum(axis=(1, 2))
        return failed

    @property
    def eligible(self) -> NDArray[np.bool_]:  # [candidate]
        """The candidates that may win: every one of their trials gave a score."""
        valid: IntArray = self.valid.sum(axis=(1, 2))
        eligible: NDArray[np.bool_] = (self.failed == 0) & (valid > 0)
        return eligible

    @property
    def by_member(self) -> FloatArray:  # [candidate, member]
        """Mean score in every member; NaN where nothing was valid."""
        return _weighted(self.mean, self.valid)

    @property
    def units(self) -> FloatArray:  # [candidate, unit]
        """The independent pieces that errors are computed from.

        Members are drawn independently, so they are the units of an ensemble. A single simulator
        has only its replications, so there the blocks are the units.
        """
        return self.by_member if self.members > 1 else self.mean[:, 0, :]

    def resamples(self, rng: np.random.Generator, *, size: int) -> Iterator[FloatArray]:
        """Tables [candidate, member] of resampled units, the same units for every candidate."""
        units = self.units
        for _ in range(size):
            drawn = units[:, rng.integers(units.shape[1], size=units.shape[1])]
            yield drawn if self.members > 1 else drawn.mean(axis=1, keepdims=True)

    def subset(self, keep: NDArray[np.bool_]) -> "Scores":
        """The scores of some of the candidates."""
        names = tuple(name for name, kept in zip(self.candidates, keep, strict=True) if kept)
        return Scores(
            self.objective,
            names,
            self.mean[keep],
            self.spread[keep],
            self.valid[keep],
            self.invalid[keep],
        )


def _weighted(mean: FloatArray, valid: IntArray) -> FloatArray:
    total = (np.where(valid > 0, mean, 0.0) * valid).sum(axis=-1)
    count = valid.sum(axis=-1)
    return np.where(count > 0, total / np.maximum(count, 1), np.nan)
