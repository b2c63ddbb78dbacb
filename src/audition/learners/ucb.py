"""UCB with exploration radius theta (the paper's eqn:ucb1; Auer, Cesa-Bianchi and Fischer 2002).

The index is `mean + sqrt(2 theta log t / pulls)`; theta at the variance of the rewards is the
critical level of exploration (Theorem 1 of the paper).
"""

import math
from dataclasses import dataclass
from typing import Any, ClassVar, Final, NamedTuple, final

from audition.errors import ConfigError
from audition.learner import Hints, ScalarLearner, rounded
from audition.scalars import log, sqrt

# theta over the variance of the rewards: the paper's range (eq:plane-grid) in even ratios, and
# twice as far up, because too much exploration costs little and a log may hide the noise
SHARES: Final = (0.1, 0.15, 0.22, 0.33, 0.5, 0.75, 1.1, 2.2)


class Settings(NamedTuple):
    """Numbers that the rule reads."""

    theta: float


class Now(NamedTuple):
    """What the round fixes."""

    width: float  # sqrt(2 theta log t)


@final
@dataclass(frozen=True, slots=True)
class UCB(ScalarLearner):
    """Pull the arm whose mean could plausibly be the largest."""

    theta: float

    shift_equivariant: ClassVar[bool] = True
    Settings: ClassVar[Any] = Settings

    def __post_init__(self) -> None:
        if not 0.0 <= self.theta < math.inf:
            raise ConfigError(
                f"UCB's theta is a variance, zero or more and finite, but is {self.theta}"
            )

    @property
    def name(self) -> str:
        """`ucb`."""
        return "ucb"

    def settings(self) -> tuple[float, ...]:
        """The exploration radius."""
        return (self.theta,)

    @classmethod
    def grid(cls, hints: Hints) -> "tuple[UCB, ...]":
        """Shares of the variance of the rewards."""
        return tuple(cls(rounded(share * hints.variance)) for share in SHARES)

    @staticmethod
    def start(settings: Any, clock: Any) -> Now:
        """The width that one pull would leave."""
        return Now(sqrt(2.0 * settings.theta * log(clock.round)))

    @staticmethod
    def choose(arm: Any, now: Any) -> Any:
        """Mean plus width over the root of the pulls, with one root an arm."""
        return arm.root * (arm.total * arm.root + now.width)
