"""Boltzmann-Gumbel exploration (Cesa-Bianchi, Gentile, Lugosi and Neu 2017).

Every arm has a temperature of its own that falls with its pulls: the index is
`mean + scale / sqrt(pulls) x Gumbel`. It mends the constant temperature, which explores too much
late or too little early.
"""

import math
from dataclasses import dataclass
from typing import Any, ClassVar, Final, NamedTuple, final

from audition.errors import ConfigError
from audition.learner import Hints, ScalarLearner, rounded
from audition.scalars import log

SHARES: Final = (0.15, 0.3, 0.6, 1.2)  # of the noise


class Settings(NamedTuple):
    """Numbers that the rule reads."""

    scale: float


@final
@dataclass(frozen=True, slots=True)
class BoltzmannGumbel(ScalarLearner):
    """Pull the arm that looks best after a Gumbel draw as wide as its mean is unsure."""

    scale: float

    noise: ClassVar[str] = "uniform"
    shift_equivariant: ClassVar[bool] = True
    Settings: ClassVar[Any] = Settings

    def __post_init__(self) -> None:
        if not 0.0 <= self.scale < math.inf:
            raise ConfigError(
                "the scale is in the unit of the rewards, zero or more and finite, "
                f"but is {self.scale}"
            )

    @property
    def name(self) -> str:
        """`boltzmann_gumbel`."""
        return "boltzmann_gumbel"

    def settings(self) -> tuple[float, ...]:
        """The temperature after one pull."""
        return (self.scale,)

    @classmethod
    def grid(cls, hints: Hints) -> "tuple[BoltzmannGumbel, ...]":
        """Shares of the noise."""
        return tuple(cls(rounded(share * hints.scale)) for share in SHARES)

    @staticmethod
    def start(settings: Any, clock: Any) -> Settings:
        """Nothing depends on the round."""
        del clock
        return Settings(settings.scale)

    @staticmethod
    def choose(arm: Any, now: Any) -> Any:
        """The mean, moved by a Gumbel draw over the root of the pulls."""
        gumbel = -log(-log(arm.draw))
        return arm.root * (arm.total * arm.root + now.scale * gumbel)
