"""Epsilon-greedy (Sutton and Barto 2018, section 2.2).

With probability epsilon an arm is drawn at random, else the arm of largest mean is pulled. Zero is
the greedy learner, one pulls at random throughout.
"""

from dataclasses import dataclass
from typing import Any, ClassVar, Final, NamedTuple, final

from audition.errors import ConfigError
from audition.learner import Hints, ScalarLearner
from audition.scalars import uniform_of, where

EPSILONS: Final = (0.0, 0.01, 0.03, 0.1, 0.2)


class Settings(NamedTuple):
    """Numbers that the rule reads."""

    epsilon: float


@final
@dataclass(frozen=True, slots=True)
class EpsilonGreedy(ScalarLearner):
    """Pull the best arm so far, and now and then any arm."""

    epsilon: float

    noise: ClassVar[str] = "bits"
    shift_equivariant: ClassVar[bool] = True
    Settings: ClassVar[Any] = Settings

    def __post_init__(self) -> None:
        if not 0.0 <= self.epsilon <= 1.0:
            raise ConfigError(
                f"epsilon is a probability, from 0 to 1, but is {self.epsilon}; try 0.1"
            )

    @property
    def name(self) -> str:
        """`epsilon_greedy`."""
        return "epsilon_greedy"

    def settings(self) -> tuple[float, ...]:
        """The share of rounds that explore."""
        return (self.epsilon,)

    @classmethod
    def grid(cls, hints: Hints) -> "tuple[EpsilonGreedy, ...]":
        """From greedy to one round in five; a probability has no unit, so the noise is no guide."""
        del hints
        return tuple(cls(epsilon) for epsilon in EPSILONS)

    @staticmethod
    def start(settings: Any, clock: Any) -> Settings:
        """Nothing depends on the round."""
        del clock
        return Settings(settings.epsilon)

    @staticmethod
    def choose(arm: Any, now: Any) -> Any:
        """A random number in a round that explores, the mean in any other."""
        explore = uniform_of(arm.shared, 1) < now.epsilon
        return where(explore, uniform_of(arm.draw, 2), arm.total * arm.root * arm.root)
