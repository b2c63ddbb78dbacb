"""UCB1-tuned (Auer, Cesa-Bianchi and Fischer 2002, section 4).

The width of an arm goes with its own variance: `mean + sqrt(min(w^2/4, V) log t / pulls)`, where
V is the arm's variance plus `w^2 sqrt(2 log t / pulls)` and w the width of the range of the
rewards (1 in the paper; where the range is not known, w sets how much it explores).
"""

import math
from dataclasses import dataclass
from typing import Any, ClassVar, Final, NamedTuple, final

from audition.errors import ConfigError
from audition.learner import Hints, ScalarLearner, rounded
from audition.scalars import log, minimum, sqrt

SHARES: Final = (0.5, 1.0, 2.0, 4.0)  # of the noise; a variance is at most a quarter of w squared


class Settings(NamedTuple):
    """Numbers that the rule reads."""

    width: float


class Now(NamedTuple):
    """What the round fixes."""

    logarithm: float  # log t
    slack: float  # w^2 sqrt(2 log t)
    most: float  # w^2 / 4, the largest variance in a range of width w


@final
@dataclass(frozen=True, slots=True)
class UCBTuned(ScalarLearner):
    """UCB that explores an arm with steady rewards less."""

    width: float = 1.0

    keeps: ClassVar[tuple[str, ...]] = ("memory",)
    shift_equivariant: ClassVar[bool] = True
    Settings: ClassVar[Any] = Settings

    def __post_init__(self) -> None:
        if not 0.0 <= self.width < math.inf:
            raise ConfigError(
                "the width of the range of the rewards is zero or more and finite, "
                f"but is {self.width}"
            )

    @property
    def name(self) -> str:
        """`ucb_tuned`."""
        return "ucb_tuned"

    def settings(self) -> tuple[float, ...]:
        """The width of the range of the rewards."""
        return (self.width,)

    @classmethod
    def grid(cls, hints: Hints) -> "tuple[UCBTuned, ...]":
        """Multiples of the noise."""
        return tuple(cls(rounded(share * hints.scale)) for share in SHARES)

    @staticmethod
    def start(settings: Any, clock: Any) -> Now:
        """What the bound needs of the round."""
        logarithm, square = log(clock.round), settings.width * settings.width
        return Now(logarithm, square * sqrt(2.0 * logarithm), 0.25 * square)

    @staticmethod
    def choose(arm: Any, now: Any) -> Any:
        """The mean plus a width that the arm's own variance sets."""
        variance = arm.memory * arm.root * arm.root + now.slack * arm.root
        width = sqrt(now.logarithm * minimum(now.most, variance))
        return arm.root * (arm.total * arm.root + width)

    @staticmethod
    def update(arm: Any, now: Any, hit: Any, reward: Any) -> Any:
        """The sum of squared deviations, one step of Welford (1962); the first pull adds zero."""
        del now
        before = reward - arm.total * arm.root * arm.root
        return arm.memory + hit * before * before * arm.pulls / (arm.pulls + 1.0)
