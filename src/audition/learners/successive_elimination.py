"""Successive elimination (Even-Dar, Mannor and Mansour 2006).

The arms that are left are pulled in turn; an arm is dropped for good once its upper confidence
bound falls below the largest lower bound. A bound is `mean +- sqrt(2 theta log T / pulls)`, as in
Slivkins (2019, section 1.3.1), so that all of them hold with probability near one.
"""

import math
from dataclasses import dataclass
from typing import Any, ClassVar, Final, NamedTuple, final

from audition.errors import ConfigError
from audition.learner import Hints, ScalarLearner, rounded
from audition.scalars import BIG, log, maximum, sqrt, where

SHARES: Final = (0.05, 0.1, 0.25, 0.5)  # of the variance


class Settings(NamedTuple):
    """Numbers that the rule reads."""

    theta: float


class Now(NamedTuple):
    """What the round fixes."""

    width: float  # sqrt(2 theta log T)


@final
@dataclass(frozen=True, slots=True)
class SuccessiveElimination(ScalarLearner):
    """Pull the arms in turn, and drop those that are surely worse."""

    theta: float

    keeps: ClassVar[tuple[str, ...]] = ("memory",)  # 1.0 once the arm is dropped
    pooling: ClassVar[str] = "max"
    shift_equivariant: ClassVar[bool] = True
    Settings: ClassVar[Any] = Settings

    def __post_init__(self) -> None:
        if not 0.0 <= self.theta < math.inf:
            raise ConfigError(
                "successive elimination's theta is a variance, zero or more and finite, "
                f"but is {self.theta}"
            )

    @property
    def name(self) -> str:
        """`successive_elimination`."""
        return "successive_elimination"

    def settings(self) -> tuple[float, ...]:
        """The exploration radius."""
        return (self.theta,)

    @classmethod
    def grid(cls, hints: Hints) -> "tuple[SuccessiveElimination, ...]":
        """Shares of the variance of the rewards."""
        return tuple(cls(rounded(share * hints.variance)) for share in SHARES)

    @staticmethod
    def start(settings: Any, clock: Any) -> Now:
        """The width that one pull would leave."""
        return Now(sqrt(2.0 * settings.theta * log(clock.horizon)))

    @staticmethod
    def pool(arm: Any, now: Any) -> Any:
        """The lower bound of an arm that is left; an arm not yet pulled has none."""
        lower = arm.root * (arm.total * arm.root - now.width)
        return where((arm.pulls > 0.5) & (arm.memory < 0.5), lower, -BIG)

    @staticmethod
    def choose(arm: Any, now: Any) -> Any:
        """The arm with the fewest pulls among those that are left."""
        return where(dropped(arm, now) > 0.5, -BIG, -arm.pulls)

    @staticmethod
    def update(arm: Any, now: Any, hit: Any, reward: Any) -> Any:
        """Dropped once, dropped for good."""
        del hit, reward
        return dropped(arm, now)


def dropped(arm: Any, now: Any) -> Any:
    """1.0 for an arm that was dropped before or has fallen below the largest lower bound."""
    upper = arm.root * (arm.total * arm.root + now.width)
    behind = where((arm.pulls > 0.5) & (upper < arm.pooled), 1.0, 0.0)
    return maximum(arm.memory, behind)
