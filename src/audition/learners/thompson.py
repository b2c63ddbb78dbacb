"""Thompson Sampling with working reward variance theta (the paper's eqn:TS).

A flat prior on each mean and Gaussian rewards of variance theta give the posterior
`N(mean, theta / pulls)`; the arm with the largest posterior draw is pulled.
"""

from dataclasses import dataclass
from typing import Any, ClassVar, NamedTuple, final

from audition.learner import ScalarLearner
from audition.scalars import sqrt


class Settings(NamedTuple):
    """Numbers that the rule reads."""

    theta: float


class Now(NamedTuple):
    """What the round fixes."""

    spread: float  # sqrt(theta)


@final
@dataclass(frozen=True, slots=True)
class ThompsonSampling(ScalarLearner):
    """Pull each arm with the posterior probability that it is the best."""

    theta: float

    noise: ClassVar[str] = "normal"
    Settings: ClassVar[Any] = Settings

    @property
    def name(self) -> str:
        """`ts`."""
        return "ts"

    def settings(self) -> tuple[float, ...]:
        """The working reward variance."""
        return (self.theta,)

    @staticmethod
    def start(settings: Any, clock: Any) -> Now:
        """The spread of a posterior after one pull."""
        del clock
        return Now(sqrt(settings.theta))

    @staticmethod
    def choose(arm: Any, now: Any) -> Any:
        """A draw from the arm's posterior."""
        return arm.root * (arm.total * arm.root + now.spread * arm.draw)
