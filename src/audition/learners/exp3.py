"""EXP3, for rewards in [0, 1] (Auer, Cesa-Bianchi, Freund and Schapire 2002, figure 1).

An arm is pulled with probability `p = (1 - gamma) w / sum(w) + gamma / K`, and the arm that was
pulled has its weight multiplied by `exp(gamma / K * reward / p)`. The memory is the logarithm of
the weight's share in the round before, so it neither overflows nor needs a second sum. The mixture
is drawn in two steps: with probability gamma any arm, else one by the Gumbel trick.
"""

import math
from dataclasses import dataclass
from typing import Any, ClassVar, Final, NamedTuple, final

from audition.errors import ConfigError
from audition.learner import Hints, ScalarLearner, rounded
from audition.scalars import exp, log, maximum, minimum, uniform_of, where

SHARES: Final = (0.25, 0.5, 1.0, 2.0)  # of the paper's gamma (its corollary 3.2)
LEAST: Final = -80.0  # the logarithm of a share that single precision still holds


class Settings(NamedTuple):
    """Numbers that the rule reads."""

    gamma: float


class Now(NamedTuple):
    """What the round fixes."""

    gamma: float
    floor: float  # gamma / K


@final
@dataclass(frozen=True, slots=True)
class EXP3(ScalarLearner):
    """Exponential weights on what each arm would have paid; made for rewards that may change."""

    gamma: float

    needs: ClassVar[str] = "unit"
    noise: ClassVar[str] = "bits"
    keeps: ClassVar[tuple[str, ...]] = ("memory",)
    opening: ClassVar[int] = 0
    pooling: ClassVar[str] = "sum"
    Settings: ClassVar[Any] = Settings

    def __post_init__(self) -> None:
        if not 0.0 < self.gamma <= 1.0:
            raise ConfigError(f"EXP3's gamma lies above 0 and up to 1, but is {self.gamma}")

    @property
    def name(self) -> str:
        """`exp3`."""
        return "exp3"

    def settings(self) -> tuple[float, ...]:
        """The share of rounds that explore, which is the learning rate too."""
        return (self.gamma,)

    @classmethod
    def grid(cls, hints: Hints) -> "tuple[EXP3, ...]":
        """Multiples of the gamma that the paper's bound is smallest at."""
        best = math.sqrt(hints.arms * math.log(hints.arms) / ((math.e - 1.0) * hints.horizon))
        gammas = {rounded(min(max(share * best, 1e-4), 1.0)) for share in SHARES}
        return tuple(cls(gamma) for gamma in sorted(gammas))

    @staticmethod
    def start(settings: Any, clock: Any) -> Now:
        """The least probability of an arm."""
        return Now(settings.gamma, settings.gamma / clock.arms)

    @staticmethod
    def pool(arm: Any, now: Any) -> Any:
        """The weight, over the sum of the round before."""
        del now
        return exp(arm.memory)

    @staticmethod
    def choose(arm: Any, now: Any) -> Any:
        """Any arm in a round that explores, else an arm with probability like its weight."""
        explore = uniform_of(arm.shared, 1) < now.gamma
        gumbel = -log(-log(uniform_of(arm.draw, 2)))
        return where(explore, gumbel, arm.memory + gumbel)

    @staticmethod
    def update(arm: Any, now: Any, hit: Any, reward: Any) -> Any:
        """The logarithm of the share, moved by the reward over its probability."""
        share = arm.memory - log(arm.pooled)
        probability = (1.0 - now.gamma) * exp(share) + now.floor
        paid = minimum(maximum(reward, 0.0), 1.0)
        return maximum(share + now.floor * hit * paid / probability, LEAST)
