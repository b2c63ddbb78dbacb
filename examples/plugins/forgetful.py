"""A learner that plays the world by itself, in NumPy: for what no scalar rule can say."""

from dataclasses import dataclass
from typing import Any, ClassVar

import numpy as np

from audition.errors import ConfigError
from audition.learner import Hints, Learner


@dataclass(frozen=True, slots=True)
class Forgetful(Learner):
    """Epsilon-greedy that forgets: an old reward counts `memory` times as much every round."""

    epsilon: float = 0.05
    memory: float = 0.995

    shift_equivariant: ClassVar[bool] = True

    def __post_init__(self) -> None:
        if not (0.0 <= self.epsilon <= 1.0 and 0.5 <= self.memory <= 1.0):
            raise ConfigError(
                f"epsilon is from 0 to 1 and memory from 0.5 to 1, but they are {self.epsilon} "
                f"and {self.memory}"
            )

    @property
    def name(self) -> str:
        """The word that study files and `--learner` use."""
        return "forgetful"

    @classmethod
    def grid(cls, hints: Hints) -> "tuple[Forgetful, ...]":
        """What is worth trying."""
        return tuple(cls(memory=memory) for memory in (0.99, 0.999, 1.0))

    def deploy(self, world: Any, rng: Any) -> None:
        """Play every round of the world, all lanes at once."""
        lane = np.arange(world.lanes)
        counts = np.zeros((world.lanes, world.arms))
        totals = np.zeros((world.lanes, world.arms))
        for _ in range(world.horizon):
            draws = rng.uniforms(world.round, 2)  # [lane, column]
            unseen = counts == 0.0
            means = np.where(unseen, np.inf, totals / np.where(unseen, 1.0, counts))
            anything = (draws[:, 1] * world.arms).astype(np.int64)
            arms = np.where(draws[:, 0] < self.epsilon, anything, means.argmax(axis=1))
            rewards = world.pull(arms)
            counts *= self.memory
            totals *= self.memory
            counts[lane, arms] += 1.0
            totals[lane, arms] += rewards
