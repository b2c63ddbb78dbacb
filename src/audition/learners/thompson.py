"""Thompson Sampling with working reward variance theta (the paper's eqn:TS).

A flat prior on each mean and Gaussian rewards of variance theta give the posterior
`N(mean, theta / pulls)`; the arm with the largest posterior draw is pulled.
"""

import math
from dataclasses import dataclass
from typing import Any, ClassVar, Final, NamedTuple, final

from audition.errors import ConfigError
from audition.learner import Hints, ScalarLearner, rounded
from audition.scalars import sqrt

# theta over the variance of the rewards: the paper's range (eq:plane-grid) in even ratios, and
# twice as far up, because too much exploration costs little and a log may hide the noise
SHARES: Final = (0.1, 0.15, 0.22, 0.33, 0.5, 0.75, 1.1, 1.5, 3.0)


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
    shift_equivariant: ClassVar[bool] = True
    Settings: ClassVar[Any] = Settings

    def __post_init__(self) -> None:
        if not 0.0 <= self.theta < math.inf:
            raise ConfigError(
                "Thompson Sampling's theta is a variance, zero or more and finite, "
                f"but is {self.theta}"
            )

    @property
    def name(self) -> str:
        """`ts`."""
        return "ts"

    def settings(self) -> tuple[float, ...]:
        """The working reward variance."""
        return (self.theta,)

    @classmethod
    def grid(cls, hints: Hints) -> "tuple[ThompsonSampling, ...]":
        """Shares of the variance of the rewards."""
        return tuple(cls(rounded(share * hints.variance)) for share in SHARES)

    @staticmethod
    def start(settings: Any, clock: Any) -> Now:
        """The spread of a posterior after one pull."""
        del clock
        return Now(sqrt(settings.theta))

    @staticmethod
    def choose(arm: Any, now: Any) -> Any:
        """A draw from the arm's posterior."""
        return arm.root * (arm.total * arm.root + now.spread * arm.draw)
