"""KL-UCB for rewards in [0, 1] (Garivier and Cappe 2011; Cappe et al. 2013).

The index is the largest q with `pulls * kl(mean, q) <= scale * log t`, where kl is the
Kullback-Leibler divergence of two Bernoulli laws; scale 1 is what the papers recommend (their
constant c = 0). The bound is solved for `1 - q` by Newton steps in its logarithm from the better
of two lower bounds, Pinsker's and the one that leaves out `p log q`. Four steps come within 1e-5
of the root over means and levels from 1e-5 up; a fixed number keeps every lane in step.
"""

import math
from dataclasses import dataclass
from typing import Any, ClassVar, Final, NamedTuple, final

from audition.errors import ConfigError
from audition.learner import Hints, ScalarLearner
from audition.scalars import exp, log, maximum, minimum, sqrt

SCALES: Final = (0.1, 0.2, 0.4, 0.7, 1.0, 1.5)
STEPS: Final = 4
EDGE: Final = 1e-6  # a mean is kept this far from 0 and 1, where single precision still resolves it
TINY: Final = 1e-37


class Settings(NamedTuple):
    """Numbers that the rule reads."""

    scale: float


class Now(NamedTuple):
    """What the round fixes."""

    level: float  # scale * log t


@final
@dataclass(frozen=True, slots=True)
class KLUCB(ScalarLearner):
    """UCB with the bound that fits coin flips."""

    scale: float = 1.0

    needs: ClassVar[str] = "unit"
    Settings: ClassVar[Any] = Settings

    def __post_init__(self) -> None:
        if not 0.0 <= self.scale < math.inf:
            raise ConfigError(f"KL-UCB's scale is zero or more and finite, but is {self.scale}")

    @property
    def name(self) -> str:
        """`kl_ucb`."""
        return "kl_ucb"

    def settings(self) -> tuple[float, ...]:
        """What multiplies the logarithm."""
        return (self.scale,)

    @classmethod
    def grid(cls, hints: Hints) -> "tuple[KLUCB, ...]":
        """Around the papers' 1, mostly below; the divergence knows the noise itself."""
        del hints
        return tuple(cls(scale) for scale in SCALES)

    @staticmethod
    def start(settings: Any, clock: Any) -> Now:
        """The level that pulls times divergence may reach."""
        return Now(settings.scale * log(clock.round))

    @staticmethod
    def choose(arm: Any, now: Any) -> Any:
        """The largest mean that the arm's rewards do not rule out."""
        mean = minimum(maximum(arm.total * arm.root * arm.root, EDGE), 1.0 - EDGE)
        return bound(mean, now.level * arm.root * arm.root)


def bound(mean: Any, level: Any) -> Any:
    """The largest q whose divergence from the mean is at most the level."""
    miss = 1.0 - mean
    order = mean * log(mean) + miss * log(miss)  # kl(p, q) = order - p log q - (1 - p) log(1 - q)
    rest = maximum(exp((order - level) / miss), miss - sqrt(0.5 * level))
    rest = minimum(maximum(rest, TINY), miss)
    for _ in range(STEPS):
        q = 1.0 - rest
        excess = order - mean * log(maximum(q, EDGE)) - miss * log(rest) - level
        step = minimum(excess * q / maximum(miss - rest, 1e-7), 5.0)
        rest = maximum(minimum(rest * exp(step), miss), TINY)
    return 1.0 - rest
