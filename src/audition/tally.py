"""The table while it fills: which cells are known, and what every one of them came to.

Scores are summed up in double precision, one block of replications at a time, so that a block
comes to the same bits in whatever company it was played.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, final

import numpy as np
from numpy.typing import NDArray

from audition.allocation import Cell, Span
from audition.episode_world import Frames

FloatArray = NDArray[np.float64]
IntArray = NDArray[np.int64]


@final
@dataclass(frozen=True, slots=True, eq=False)
class Blocks:
    """Scores of many blocks of replications, summed up; every array has the same shape."""

    mean: FloatArray  # over the valid scores; NaN where there is none
    spread: FloatArray  # sum of squared deviations from the mean
    valid: IntArray
    invalid: IntArray

    @staticmethod
    def empty(*shape: int) -> "Blocks":
        """Blocks in which nothing was played yet."""
        return Blocks(
            np.full(shape, np.nan),
            np.zeros(shape),
            np.zeros(shape, dtype=np.int64),
            np.zeros(shape, dtype=np.int64),
        )

    @property
    def arrays(self) -> "tuple[Any, Any, Any, Any]":
        """The four arrays in order."""
        return self.mean, self.spread, self.valid, self.invalid

    def write(self, place: Any, found: "Blocks") -> None:
        """Set the blocks at a place."""
        for mine, theirs in zip(self.arrays, found.arrays, strict=True):
            mine[place] = theirs


def blocks(scores: FloatArray) -> Blocks:  # of [..., replication]
    """Sum up scores along their last axis.

    A score that is not finite is invalid; so are all scores of a block whose sums are too large
    for a number.
    """
    rows = np.ascontiguousarray(scores, dtype=np.float64)
    finite = np.isfinite(rows)
    count = finite.sum(axis=-1)
    with np.errstate(over="ignore", invalid="ignore", divide="ignore"):
        mean = np.where(finite, rows, 0.0).sum(axis=-1) / count
        spread = (np.where(finite, rows - mean[..., None], 0.0) ** 2).sum(axis=-1)
    good = np.isfinite(mean) & np.isfinite(spread)
    valid = np.where(good, count, 0)
    return Blocks(
        np.where(good, mean, np.nan), np.where(good, spread, 0.0), valid, rows.shape[-1] - valid
    )


def by_span(scores: FloatArray, spans: Sequence[Span]) -> Blocks:  # [..., span]
    """Sum up consecutive replications span by span; spans are equal but for the last."""
    size = spans[0].count
    whole = sum(span.count for span in spans) // size
    first = blocks(scores[..., : whole * size].reshape(*scores.shape[:-1], whole, size))
    if whole == len(spans):
        return first
    last = blocks(scores[..., None, whole * size :])
    pairs = zip(first.arrays, last.arrays, strict=True)
    return Blocks(*(np.concatenate(pair, axis=-1) for pair in pairs))


@final
@dataclass(frozen=True, slots=True, eq=False)
class Tally:
    """One part of a study: its cells' blocks by every objective, and which cells are known."""

    scores: Blocks  # [objective, candidate, member, span]
    known: NDArray[np.bool_]  # [candidate, member, span]

    @staticmethod
    def empty(objectives: int, candidates: int, members: int, spans: int) -> "Tally":
        """A table in which nothing is known."""
        return Tally(
            Blocks.empty(objectives, candidates, members, spans),
            np.zeros((candidates, members, spans), dtype=np.bool_),
        )

    def regrouped(self, spans: Sequence[Span], *, trials: Sequence[Span]) -> Blocks:
        """The scores by larger spans, for a part that was kept trial by trial."""
        if len(trials) == len(spans):
            return self.scores
        return by_span(self.scores.mean, spans)

    def take(self, settled: "Settled") -> None:
        """Write down what came of some cells."""
        candidate, member, span = settled.cells.T
        self.scores.write((slice(None), candidate, member, span), settled.blocks)
        self.known[candidate, member, span] = True


@final
@dataclass(frozen=True, slots=True)
class Trouble:
    """Why one run of a cell has no score."""

    cell: int  # which of the settled cells
    replication: int
    reason: str
    deadline: float | None = None  # the seconds that it was given, where it took longer


@final
@dataclass(frozen=True, slots=True)
class Grown:
    """How a learner learned in one run of a cell, and stills of what it does."""

    cell: int
    replication: int
    steps: tuple[int, ...]
    value: tuple[float, ...]
    frames: Frames = ()


@final
@dataclass(frozen=True, slots=True, eq=False)
class Settled:
    """Cells of one part that were played, or given up."""

    cells: IntArray  # [cell, (candidate, member, span)]
    blocks: Blocks  # [objective, cell]
    troubles: tuple[Trouble, ...] = ()
    curves: tuple[Grown, ...] = ()


def given_up(
    cells: Sequence[Cell],
    spans: Sequence[Span],
    reason: str,
    *,
    objectives: int,
    deadline: float | None = None,
) -> Settled:
    """Cells that came to nothing, and why."""
    counts = np.array([spans[cell.span].count for cell in cells], dtype=np.int64)
    gone = Blocks.empty(objectives, len(cells))
    gone.invalid[...] = counts
    troubles = tuple(
        Trouble(number, spans[cell.span].first, reason, deadline)
        for number, cell in enumerate(cells)
    )
    return Settled(places(cells), gone, troubles)


def places(cells: Sequence[Cell]) -> IntArray:
    """Cells as rows of an array."""
    return np.array([(cell.candidate, cell.member, cell.span) for cell in cells], dtype=np.int64)
