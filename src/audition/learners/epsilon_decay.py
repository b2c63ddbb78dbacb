"""Epsilon-greedy with exploration that fades as 1/t (Auer, Cesa-Bianchi, Fischer 2002, figure 3).

Epsilon in round t is `min(1, decay K / t)`. The paper writes `decay = c / d^2` for rewards in
[0, 1] with d a lower bound on the gap; in other units it goes with the variance over the squared
gap.
"""

import math
from dataclasses import dataclass
from typing import Any, ClassVar, Final, NamedTuple, final

from audition.errors import ConfigError
from audition.learner import Hints, ScalarLearner, rounded
from audition.scalars import minimum, uniform_of, where

SHARES: Final = (0.25, 1.0, 4.0, 16.0)  # of the variance over the squared gap
LARGEST_SHARE: Final = 0.25  # of the horizon that explores for sure


class Settings(NamedTuple):
    """Numbers that the rule reads."""

    decay: float


class Now(NamedTuple):
    """What the round fixes."""

    epsilon: float


@final
@dataclass(frozen=True, slots=True)
class EpsilonDecay(ScalarLearner):
    """Pull the best arm so far, and ever less often any arm."""

    decay: float

    noise: ClassVar[str] = "bits"
    shift_equivariant: ClassVar[bool] = True
    Settings: ClassVar[Any] = Settings

    def __post_init__(self) -> None:
        if not 0.0 <= self.decay < math.inf:
            raise ConfigError(
                f"the decay is zero or more and finite, but is {self.decay}; try 5, which explores "
                "for sure in the first 5 K rounds"
            )

    @property
    def name(self) -> str:
        """`epsilon_decay`."""
        return "epsilon_decay"

    def settings(self) -> tuple[float, ...]:
        """The rounds per arm that explore for sure."""
        return (self.decay,)

    @classmethod
    def grid(cls, hints: Hints) -> "tuple[EpsilonDecay, ...]":
        """Multiples of the variance over the squared gap, up to a quarter of the horizon."""
        most = LARGEST_SHARE * hints.horizon / hints.arms
        base = hints.variance / hints.gap**2 if hints.gap > 0.0 else most
        return tuple(cls(rounded(min(share * base, most))) for share in SHARES)

    @staticmethod
    def start(settings: Any, clock: Any) -> Now:
        """This round's epsilon."""
        return Now(minimum(1.0, settings.decay * clock.arms / clock.round))

    @staticmethod
    def choose(arm: Any, now: Any) -> Any:
        """A random number in a round that explores, the mean in any other."""
        explore = uniform_of(arm.shared, 1) < now.epsilon
        return where(explore, uniform_of(arm.draw, 2), arm.total * arm.root * arm.root)
