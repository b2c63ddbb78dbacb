"""Boltzmann exploration at a constant temperature (Sutton and Barto 2018, section 2.8).

An arm is pulled with probability proportional to `exp(mean / temperature)`. It is drawn by the
Gumbel trick: the largest of `mean + temperature x Gumbel` falls on each arm with just that
probability.
"""

import math
from dataclasses import dataclass
from typing import Any, ClassVar, Final, NamedTuple, final

from audition.errors import ConfigError
from audition.learner import Hints, ScalarLearner, rounded
from audition.scalars import log

SHARES: Final = (0.05, 0.1, 0.2, 0.4)  # of the gap, or of the noise where there is no gap


class Settings(NamedTuple):
    """Numbers that the rule reads."""

    temperature: float


@final
@dataclass(frozen=True, slots=True)
class Boltzmann(ScalarLearner):
    """Pull an arm the more often the better it looks."""

    temperature: float

    noise: ClassVar[str] = "uniform"
    shift_equivariant: ClassVar[bool] = True
    Settings: ClassVar[Any] = Settings

    def __post_init__(self) -> None:
        if not 0.0 <= self.temperature < math.inf:
            raise ConfigError(
                "a temperature is in the unit of the rewards, zero or more and finite, "
                f"but is {self.temperature}"
            )

    @property
    def name(self) -> str:
        """`boltzmann`."""
        return "boltzmann"

    def settings(self) -> tuple[float, ...]:
        """The temperature."""
        return (self.temperature,)

    @classmethod
    def grid(cls, hints: Hints) -> "tuple[Boltzmann, ...]":
        """Shares of the gap, which a constant temperature must stay well below."""
        size = hints.gap if hints.gap > 0.0 else hints.scale
        return tuple(cls(rounded(share * size)) for share in SHARES)

    @staticmethod
    def start(settings: Any, clock: Any) -> Settings:
        """Nothing depends on the round."""
        del clock
        return Settings(settings.temperature)

    @staticmethod
    def choose(arm: Any, now: Any) -> Any:
        """The mean, moved by a Gumbel draw."""
        gumbel = -log(-log(arm.draw))
        return arm.total * arm.root * arm.root + now.temperature * gumbel
