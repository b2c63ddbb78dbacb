"""What a run is worth: one number a lane, larger is better."""

from abc import ABC, abstractmethod
from dataclasses import dataclass
from typing import Any, final

import numpy as np
from numpy.typing import NDArray

from audition.errors import ConfigError
from audition.world import Outcome

FloatArray = NDArray[np.float64]


class Objective(ABC):
    """Turns what happened in a world into a score; several can read one run."""

    @property
    @abstractmethod
    def name(self) -> str:
        """What the score is called in tables and files."""

    @abstractmethod
    def checkpoints(self, horizon: int) -> tuple[int, ...]:
        """The rounds after which this objective needs to see the world."""

    @abstractmethod
    def score(self, outcome: Any) -> FloatArray:
        """The score of every lane; larger is better."""


@final
@dataclass(frozen=True, slots=True)
class CumulativeReward(Objective):
    """The sum of the rewards that were really paid."""

    @property
    def name(self) -> str:
        """`reward`."""
        return "reward"

    def checkpoints(self, horizon: int) -> tuple[int, ...]:
        """The end is all it needs."""
        return (horizon,)

    def score(self, outcome: Outcome) -> FloatArray:
        """Sum over arms of what they paid."""
        paid: FloatArray = outcome.totals[:, -1, :].sum(axis=-1)
        return paid


@final
@dataclass(frozen=True, slots=True)
class Regret(Objective):
    """Cumulative pseudo-regret with its sign turned: larger is better (eq:bandit-regret)."""

    @property
    def name(self) -> str:
        """`regret`."""
        return "regret"

    def checkpoints(self, horizon: int) -> tuple[int, ...]:
        """The end is all it needs."""
        return (horizon,)

    def score(self, outcome: Outcome) -> FloatArray:
        """Minus the sum over arms of (best mean - mean) times pulls."""
        gaps = outcome.means.max(axis=-1, keepdims=True) - outcome.means
        regret: FloatArray = (gaps * outcome.pulls[:, -1, :]).sum(axis=-1)
        return -regret


@final
@dataclass(frozen=True, slots=True)
class LastReward(Objective):
    """The sum of the rewards of the last `rounds` rounds: how good the learner has become."""

    rounds: int

    @property
    def name(self) -> str:
        """`last-K`."""
        return f"last-{self.rounds}"

    def checkpoints(self, horizon: int) -> tuple[int, ...]:
        """The start of the last stretch and the end."""
        if not 0 < self.rounds <= horizon:
            raise ConfigError(
                f"last rounds must lie between 1 and the horizon {horizon}, but are {self.rounds}"
            )
        return (horizon - self.rounds, horizon) if self.rounds < horizon else (horizon,)

    def score(self, outcome: Outcome) -> FloatArray:
        """What was paid by the end less what was paid before the last stretch."""
        horizon = outcome.checkpoints[-1]
        paid: FloatArray = outcome.totals[:, -1, :].sum(axis=-1)
        if self.rounds == horizon:
            return paid
        start = outcome.checkpoints.index(horizon - self.rounds)
        before: FloatArray = outcome.totals[:, start, :].sum(axis=-1)
        return paid - before


def objective(name: str) -> Objective:
    """The objective of a name: `reward`, `regret` or `last-K`."""
    if name == "reward":
        return CumulativeReward()
    if name == "regret":
        return Regret()
    if name.startswith("last-") and name[5:].isdecimal():
        return LastReward(int(name[5:]))
    raise ConfigError(f"an objective is 'reward', 'regret' or 'last-K', but {name!r} was named")
