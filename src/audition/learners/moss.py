"""MOSS, the minimax optimal strategy (Audibert and Bubeck 2009).

The index is `mean + sqrt(2 theta max(log(T / (K pulls)), 0) / pulls)`: an arm that has had its
share of the horizon is not explored any more. Rewards in [0, 1] have theta = 1/2 in the paper;
Lattimore and Szepesvari (2020, chapter 9) have twice the variance.
"""

import math
from dataclasses import dataclass
from typing import Any, ClassVar, Final, NamedTuple, final

from audition.errors import ConfigError
from audition.learner import Hints, ScalarLearner, rounded
from audition.scalars import log, maximum, sqrt

SHARES: Final = (0.1, 0.25, 0.5, 1.0, 2.0)  # of the variance


class Settings(NamedTuple):
    """Numbers that the rule reads."""

    theta: float


class Now(NamedTuple):
    """What the round fixes."""

    share: float  # T / K
    double: float  # 2 theta


@final
@dataclass(frozen=True, slots=True)
class MOSS(ScalarLearner):
    """UCB that knows the horizon and gives every arm its share of it."""

    theta: float

    shift_equivariant: ClassVar[bool] = True
    Settings: ClassVar[Any] = Settings

    def __post_init__(self) -> None:
        if not 0.0 <= self.theta < math.inf:
            raise ConfigError(
                f"MOSS's theta is a variance, zero or more and finite, but is {self.theta}"
            )

    @property
    def name(self) -> str:
        """`moss`."""
        return "moss"

    def settings(self) -> tuple[float, ...]:
        """The exploration radius."""
        return (self.theta,)

    @classmethod
    def grid(cls, hints: Hints) -> "tuple[MOSS, ...]":
        """Shares of the variance of the rewards."""
        return tuple(cls(rounded(share * hints.variance)) for share in SHARES)

    @staticmethod
    def start(settings: Any, clock: Any) -> Now:
        """An arm's share of the horizon."""
        return Now(clock.horizon / clock.arms, 2.0 * settings.theta)

    @staticmethod
    def choose(arm: Any, now: Any) -> Any:
        """The mean plus a width that ends with the arm's share."""
        left = log(maximum(now.share * arm.root * arm.root, 1.0))
        return arm.root * (arm.total * arm.root + sqrt(now.double * left))
