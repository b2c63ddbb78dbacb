"""Small bandit worlds to try learners in, and what a learner did in them round by round."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Final, final

import numpy as np
from numpy.typing import NDArray

from audition.learner import LEARNER_PURPOSE, Hints
from audition.seeds import Draws, Lanes
from audition.world import ArmTable, BanditWorld

FloatArray = NDArray[np.float64]
IntArray = NDArray[np.int64]

SEED: Final = 2026
HORIZON: Final = 60
LANES: Final = 6
REAL_MEANS: Final = (0.0, 0.6, 1.0)  # [arm], moved from lane to lane
UNIT_MEANS: Final = (0.3, 0.5, 0.7)


@final
@dataclass(frozen=True, slots=True)
class Setting:
    """A world to be: which lanes, how long, and what it pays."""

    lanes: tuple[int, ...] = tuple(range(LANES))
    horizon: int = HORIZON
    unit: bool = False  # rewards of 0 and 1, else normal ones
    shift: float = 0.0  # added to every reward
    told: float = 0.0  # added to the first arm's mean in the world's books, not to what it pays
    seed: int = SEED

    def open(self) -> BanditWorld:
        """The world; lane i depends on its own number alone."""
        means = np.stack([_means(lane, unit=self.unit) for lane in self.lanes])
        unit, shift = self.unit, self.shift

        def reward(draw: FloatArray, arms: IntArray) -> FloatArray:
            mean = means[np.arange(arms.size), arms]
            paid = (draw < mean).astype(np.float64) if unit else mean + draw
            return np.asarray(paid + shift)

        table = ArmTable(means + shift + self._told(means), self._kind, reward)
        rounds = tuple(range(1, self.horizon + 1))
        return BanditWorld(
            table,
            draws=Draws(self.seed, "world", self._addresses),
            horizon=self.horizon,
            checkpoints=rounds,
        )

    def draws(self) -> Draws:
        """The learner's own random numbers."""
        return Draws(self.seed, LEARNER_PURPOSE, self._addresses)

    @property
    def _addresses(self) -> Lanes:
        return Lanes.of(list(self.lanes))

    @property
    def _kind(self) -> str:
        return "uniform" if self.unit else "normal"

    def _told(self, means: FloatArray) -> FloatArray:
        moved = np.zeros_like(means)
        moved[:, 0] = self.told
        return moved


def choices(learner: Any, setting: Setting) -> IntArray:  # [round, lane]
    """The arm that a learner pulled in every round and lane."""
    world = setting.open()
    learner.deploy(world, setting.draws())
    pulls = world.outcome().pulls  # [lane, round, arm]
    return np.asarray(np.diff(pulls, axis=1, prepend=0.0).argmax(axis=2).T)


def hints(*, unit: bool) -> Hints:
    """What a log of these worlds would say."""
    if unit:
        return Hints(
            noise=0.48, gap=0.4, arms=3, horizon=HORIZON, low=0.0, high=1.0, support="binary"
        )
    return Hints(noise=1.0, gap=1.0, arms=3, horizon=HORIZON)


def _means(lane: int, *, unit: bool) -> FloatArray:
    return np.roll(np.array(UNIT_MEANS if unit else REAL_MEANS), lane)
