"""A rule: between the worst and the best that a candidate could come to (Hurwicz 1951)."""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from audition.errors import ConfigError
from audition.rule import Rule


@dataclass(frozen=True, slots=True)
class Hurwicz(Rule):
    """Weigh a candidate's worst member by `pessimism`, and its best member by the rest."""

    pessimism: float = 0.7

    def __post_init__(self) -> None:
        if not 0.0 <= self.pessimism <= 1.0:
            raise ConfigError(f"pessimism is a weight from 0 to 1, but is {self.pessimism}")

    @property
    def name(self) -> str:
        """The word that study files and `--rule` use."""
        return "hurwicz"

    def worth(self, values: NDArray[np.float64]) -> NDArray[np.float64]:
        """One worth a candidate, from values [candidate, member]; larger is better."""
        worst, best = values.min(axis=1), values.max(axis=1)
        return self.pessimism * worst + (1.0 - self.pessimism) * best
