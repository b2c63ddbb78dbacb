"""A learner as a scalar rule: every engine plays it, at the speed of the built-in ones."""

import math
from dataclasses import dataclass
from typing import Any, ClassVar, NamedTuple

from audition.errors import ConfigError
from audition.learner import Hints, ScalarLearner, rounded


class Settings(NamedTuple):
    """The numbers that the rule reads."""

    bonus: float


@dataclass(frozen=True, slots=True)
class FadingBonus(ScalarLearner):
    """Pull the arm with the best mean plus a bonus that fades as one over its pulls."""

    bonus: float

    shift_equivariant: ClassVar[bool] = True  # a constant added to all rewards changes no choice
    Settings: ClassVar[Any] = Settings

    def __post_init__(self) -> None:
        if not 0.0 <= self.bonus < math.inf:
            raise ConfigError(f"the bonus is a reward, zero or more, but is {self.bonus}")

    @property
    def name(self) -> str:
        """The word that study files and `--learner` use."""
        return "fading_bonus"

    def settings(self) -> tuple[float, ...]:
        """The settings as numbers, in the order of `Settings`."""
        return (self.bonus,)

    @classmethod
    def grid(cls, hints: Hints) -> "tuple[FadingBonus, ...]":
        """What is worth trying: some multiples of the noise of the logged rewards."""
        return tuple(cls(rounded(share * hints.scale)) for share in (1.0, 3.0, 10.0, 30.0))

    @staticmethod
    def start(settings: Any, clock: Any) -> Settings:
        """What depends on the round alone: here, nothing."""
        return Settings(settings.bonus)

    @staticmethod
    def choose(arm: Any, now: Any) -> Any:
        """The index of one arm; the arm with the largest index is pulled."""
        return (arm.total + now.bonus) * arm.root * arm.root  # root is 1 / sqrt(pulls)
