"""Simulators side by side, one per lane: what a learner meets.

A world hands out rewards and keeps the score; how a learner shapes the reward for itself is the
learner's private matter. The semantics every world keeps:

- A lane is independent of every other lane.
- Rounds count from 1; `pull` answers for every lane at once and moves to the next round.
- The reward of an arm in a round is a function of (simulator, replication, round, arm) alone, so
  two learners that pull the same arm in the same round of the same lane get the same reward.
- After `horizon` rounds the world is over; its `outcome` says what happened, for an objective to
  turn into one number a lane.
"""

from abc import ABC, abstractmethod
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, final

import numpy as np
from numpy.typing import NDArray

from audition.errors import LearnerError
from audition.seeds import Draws

FloatArray = NDArray[np.float64]
IntArray = NDArray[np.int64]


@final
@dataclass(frozen=True, slots=True, eq=False)
class Outcome:
    """What happened in a bandit world up to each checkpoint (a number of rounds)."""

    checkpoints: tuple[int, ...]
    pulls: FloatArray  # [lane, checkpoint, arm] how often each arm was pulled so far
    totals: FloatArray  # [lane, checkpoint, arm] the sum of the rewards each arm gave so far
    means: FloatArray  # [lane, arm] the true mean reward of each arm


class World(ABC):
    """A set of simulators, one per lane, that a learner is deployed in."""

    @property
    @abstractmethod
    def lanes(self) -> int:
        """How many simulators stand side by side."""


@dataclass(frozen=True, slots=True, eq=False)
class ArmTable:
    """What a bandit world pays: the arms' true means and a reward for every draw."""

    means: FloatArray  # [lane, arm]
    kind: str  # of the draws: "normal" or "uniform"
    reward: Callable[[FloatArray, IntArray], FloatArray]  # (draw [lane], arm [lane]) -> [lane]


@final
class BanditWorld(World):
    """K arms, one simulator a lane, common random numbers, and a score kept in plain sight."""

    def __init__(
        self,
        table: ArmTable,
        *,
        draws: Draws,
        horizon: int,
        checkpoints: tuple[int, ...] = (),
    ) -> None:
        self._table = table
        self._draws = draws
        self.horizon = horizon
        self.arms = table.means.shape[1]
        self.round = 1
        marks = (*checkpoints, horizon) if horizon not in checkpoints else checkpoints
        self._checkpoints = tuple(sorted(set(marks)))
        self._pulls = np.zeros_like(table.means)
        self._totals = np.zeros_like(table.means)
        self._seen: list[tuple[FloatArray, FloatArray]] = []

    @property
    def lanes(self) -> int:
        """How many simulators stand side by side."""
        return int(self._table.means.shape[0])

    def pull(self, arms: Any) -> FloatArray:
        """Pull one arm in every lane; returns the rewards [lane]."""
        chosen = self._checked(arms)
        if self._table.kind == "normal":
            noise = self._draws.normals(self.round, self.arms)
        else:
            noise = self._draws.uniforms(self.round, self.arms)
        lane = np.arange(self.lanes)
        rewards = self._table.reward(noise[lane, chosen], chosen)
        self._pulls[lane, chosen] += 1.0
        self._totals[lane, chosen] += rewards
        if self.round in self._checkpoints:
            self._seen.append((self._pulls.copy(), self._totals.copy()))
        self.round += 1
        return rewards

    def outcome(self) -> Outcome:
        """What happened, once all rounds have been played."""
        if self.round != self.horizon + 1:
            raise LearnerError(
                f"a learner must pull an arm in each of {self.horizon} rounds, "
                f"but this one stopped after {self.round - 1}"
            )
        pulls = np.stack([seen[0] for seen in self._seen], axis=1)
        totals = np.stack([seen[1] for seen in self._seen], axis=1)
        return Outcome(self._checkpoints, pulls, totals, self._table.means)

    def _checked(self, arms: Any) -> IntArray:
        if self.round > self.horizon:
            raise LearnerError(
                f"this world is over after {self.horizon} rounds, but the learner pulled once more"
            )
        chosen = np.asarray(arms)
        if chosen.shape != (self.lanes,) or not np.issubdtype(chosen.dtype, np.integer):
            raise LearnerError(
                f"pull expects one whole number per lane, shape ({self.lanes},), "
                f"but got shape {chosen.shape} of {chosen.dtype}"
            )
        if chosen.size and (chosen.min() < 0 or chosen.max() >= self.arms):
            raise LearnerError(
                f"arms are numbered 0 to {self.arms - 1}, "
                f"but the learner pulled {int(chosen.min())} to {int(chosen.max())}"
            )
        return chosen.astype(np.int64)
