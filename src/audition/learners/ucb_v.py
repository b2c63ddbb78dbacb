"""UCB-V (Audibert, Munos and Szepesvari 2009).

The empirical Bernstein bound: `mean + sqrt(2 V z log t / pulls) + 3 w z log t / pulls`, with V the
arm's variance, w the width of the range of the rewards and z (the paper's zeta, 1.2 there) the
exploration.
"""

import math
from dataclasses import dataclass
from typing import Any, ClassVar, Final, NamedTuple, final

from audition.errors import ConfigError
from audition.learner import Hints, ScalarLearner, rounded
from audition.scalars import log, sqrt

ZETAS: Final = (0.1, 0.3, 1.0)
SHARES: Final = (0.1, 1.0)  # width of the range over the noise


class Settings(NamedTuple):
    """Numbers that the rule reads."""

    width: float
    zeta: float


class Now(NamedTuple):
    """What the round fixes."""

    spread: float  # 2 z log t
    reach: float  # 3 w z log t


@final
@dataclass(frozen=True, slots=True)
class UCBV(ScalarLearner):
    """UCB with a bound that reads each arm's variance."""

    width: float = 1.0
    zeta: float = 1.2

    keeps: ClassVar[tuple[str, ...]] = ("memory",)
    shift_equivariant: ClassVar[bool] = True
    Settings: ClassVar[Any] = Settings

    def __post_init__(self) -> None:
        for word, value in (("width", self.width), ("zeta", self.zeta)):
            if not 0.0 <= value < math.inf:
                raise ConfigError(f"UCB-V's {word} is zero or more and finite, but is {value}")

    @property
    def name(self) -> str:
        """`ucb_v`."""
        return "ucb_v"

    def settings(self) -> tuple[float, ...]:
        """The width of the range of the rewards, and the exploration."""
        return (self.width, self.zeta)

    @classmethod
    def grid(cls, hints: Hints) -> "tuple[UCBV, ...]":
        """A narrow and a wide range, each with three levels of exploration."""
        widths = [rounded(share * hints.scale) for share in SHARES]
        return tuple(cls(width, zeta) for width in widths for zeta in ZETAS)

    @staticmethod
    def start(settings: Any, clock: Any) -> Now:
        """What the bound needs of the round."""
        level = settings.zeta * log(clock.round)
        return Now(2.0 * level, 3.0 * settings.width * level)

    @staticmethod
    def choose(arm: Any, now: Any) -> Any:
        """The mean plus Bernstein's two terms."""
        variance = arm.memory * arm.root * arm.root
        width = sqrt(variance * now.spread) + arm.root * now.reach
        return arm.root * (arm.total * arm.root + width)

    @staticmethod
    def update(arm: Any, now: Any, hit: Any, reward: Any) -> Any:
        """The sum of squared deviations, one step of Welford (1962); the first pull adds zero."""
        del now
        before = reward - arm.total * arm.root * arm.root
        return arm.memory + hit * before * before * arm.pulls / (arm.pulls + 1.0)
