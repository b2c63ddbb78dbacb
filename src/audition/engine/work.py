"""What an engine is asked to play, and what it answers.

A cell is one learner (one setting of a rule) in one simulator. Every cell is played in the same
replications to the same horizon. A cell's member is the address of its random numbers: cells of
equal member meet the same draws, replication by replication.
"""

from abc import ABC, abstractmethod
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import ClassVar, Final, final

import numpy as np
from numpy.typing import NDArray

from audition.engine.moments import Moments, Summing, sharing
from audition.errors import EngineError
from audition.family import BanditFamily, Tables
from audition.learner import ScalarLearner
from audition.seeds import Lanes
from audition.world import Outcome

FloatArray = NDArray[np.float64]
SingleArray = NDArray[np.float32]
IntArray = NDArray[np.int64]

LARGEST_HORIZON: Final = 2**24  # single precision counts pulls exactly up to here
ADDRESSES: Final = 2**32  # replications and members are words of the generator's counter
SLICE_BYTES: Final = 2**28


@final
@dataclass(frozen=True, slots=True, eq=False)
class Work:
    """Cells of one rule and one family, and how they are to be played."""

    learners: tuple[ScalarLearner, ...]  # [cell] all of one class; their settings differ
    family: BanditFamily
    tables: Tables  # [cell, ...]
    members: IntArray  # [cell]
    replications: IntArray  # [replication]
    horizon: int
    checkpoints: tuple[int, ...]  # rising, the last one is the horizon
    seed: int

    def __post_init__(self) -> None:
        for name in ("members", "replications"):
            object.__setattr__(
                self, name, np.ascontiguousarray(getattr(self, name), dtype=np.int64)
            )
        _check_cells(self)
        _check_rounds(self)

    @property
    def cells(self) -> int:
        """How many cells there are."""
        return len(self.learners)

    @property
    def arms(self) -> int:
        """How many arms every simulator has."""
        return int(self.tables.means.shape[1])

    def of_cells(self, chosen: IntArray) -> "Work":
        """The same work for some of the cells."""
        tables = self.tables
        return replace(
            self,
            learners=tuple(self.learners[cell] for cell in chosen),
            tables=Tables(tables.columns[chosen], tables.entries[chosen], tables.means[chosen]),
            members=self.members[chosen],
        )

    def of_replications(self, chosen: IntArray) -> "Work":
        """The same work for other replications."""
        return replace(self, replications=chosen)

    def lanes(self, chosen: IntArray) -> Lanes:
        """Some cells' addresses of randomness, one lane per (cell, replication)."""
        size = self.replications.size
        return Lanes(np.tile(self.replications, len(chosen)), np.repeat(self.members[chosen], size))


@final
@dataclass(frozen=True, slots=True, eq=False)
class Played:
    """What happened in every cell, replication by replication."""

    checkpoints: tuple[int, ...]
    pulls: SingleArray  # [cell, checkpoint, arm, replication]
    totals: SingleArray  # [cell, checkpoint, arm, replication]
    means: FloatArray  # [cell, arm] the arms' true means

    def outcome(self, cell: int) -> Outcome:
        """One cell as a world's outcome, with the replications as lanes."""
        pulls, totals = (
            np.moveaxis(counted[cell], -1, 0).astype(np.float64)
            for counted in (self.pulls, self.totals)
        )
        means = np.broadcast_to(self.means[cell], (pulls.shape[0], self.means.shape[1]))
        return Outcome(self.checkpoints, pulls, totals, means)

    def regrets(self) -> FloatArray:  # [cell, replication]
        """Pseudo-regret at the horizon: gaps times pulls, summed over the arms."""
        gaps = self.means.max(axis=1, keepdims=True) - self.means
        pulls = self.pulls[:, -1].astype(np.float64)
        regrets: FloatArray = np.einsum("ca,car->cr", gaps, pulls)
        return regrets


class Engine(ABC):
    """A way to play bandit rules; all of them meet the same draws."""

    slice_bytes: ClassVar[int] = SLICE_BYTES  # of played numbers that it holds at a time

    @property
    @abstractmethod
    def name(self) -> str:
        """The word that the command line uses."""

    @property
    @abstractmethod
    def version(self) -> str:
        """Part of every stored key: it changes when this engine's numbers change."""

    @abstractmethod
    def prepare(self, learner: ScalarLearner, family: BanditFamily, *, arms: int) -> None:
        """Make ready to play a rule; raises EngineError or PluginError saying why it cannot."""

    @abstractmethod
    def play(self, work: Work) -> Played:
        """Play every cell in every replication."""

    @abstractmethod
    def spreads(
        self, work: Work, places: Sequence[IntArray]
    ) -> tuple[FloatArray, list[FloatArray]]:
        """Mean regret by cell, and sums of products of deviations among the cells of a place."""

    def moments(self, work: Work) -> Moments:
        """Means of the pseudo-regret and its covariance across cells that share a simulator."""
        groups = sharing(work.tables, work.members)
        ending = replace(work, checkpoints=(work.horizon,))
        parts = []
        for chosen in _batches(groups, work):
            summing = Summing.over(groups, chosen)
            for replications in _slices(chosen.size, work, self.slice_bytes):
                sliced = ending.of_cells(chosen).of_replications(replications)
                summing.merge(replications.size, *self.spreads(sliced, summing.places))
            parts.append(summing)
        return Moments.joined(parts, cells=work.cells)


def _batches(groups: list[IntArray], work: Work) -> list[IntArray]:
    """Whole groups together, as many as leave room for 64 replications of each cell."""
    room = max(SLICE_BYTES // (64 * 8 * work.arms), 1)
    batches: list[list[IntArray]] = [[]]
    for group in groups:
        if batches[-1] and sum(part.size for part in batches[-1]) + group.size > room:
            batches.append([])
        batches[-1].append(group)
    return [np.concatenate(batch) for batch in batches]


def _slices(cells: int, work: Work, room: int) -> list[IntArray]:
    size = max(room // (8 * work.arms * cells) // 64, 1) * 64
    return [work.replications[at : at + size] for at in range(0, work.replications.size, size)]


def _check_cells(work: Work) -> None:
    cells = len(work.learners)
    if not cells or work.tables.means.shape[0] != cells or work.members.shape != (cells,):
        raise EngineError(
            "work needs one learner, one row of tables and one member per cell, but has "
            f"{cells}, {work.tables.means.shape[0]} and {work.members.shape}"
        )
    kinds = {type(learner) for learner in work.learners}
    if len(kinds) != 1 or not issubclass(next(iter(kinds)), ScalarLearner):
        names = sorted(kind.__name__ for kind in kinds)
        raise EngineError(f"one piece of work plays one class of scalar rule, but got {names}")
    if not work.replications.size:
        raise EngineError("work needs at least one replication, but got none")
    for name, words in (("members", work.members), ("replications", work.replications)):
        if words.min() < 0 or words.max() >= ADDRESSES:
            raise EngineError(f"{name} must be from 0 to 2**32 - 1, but reach {words.max()}")


def _check_rounds(work: Work) -> None:
    marks = work.checkpoints
    if not 1 <= work.horizon <= LARGEST_HORIZON:
        raise EngineError(
            f"an engine plays 1 to {LARGEST_HORIZON} rounds, but the horizon is {work.horizon}"
        )
    if not marks or marks[-1] != work.horizon or marks[0] < 1 or list(marks) != sorted(set(marks)):
        raise EngineError(
            f"checkpoints must rise and end at the horizon {work.horizon}, but are {marks}"
        )
