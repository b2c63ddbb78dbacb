"""A low quantile over the members (the paper's 10th percentile variant)."""

from dataclasses import dataclass
from typing import final

import numpy as np
from numpy.typing import NDArray

from audition.errors import ConfigError
from audition.rule import Rule

FloatArray = NDArray[np.float64]


@final
@dataclass(frozen=True, slots=True)
class Quantile(Rule):
    """The score that a share `level` of the members stays below."""

    level: float = 0.1

    def __post_init__(self) -> None:
        if not 0.0 <= self.level <= 1.0:
            raise ConfigError(f"a quantile's level lies between 0 and 1, but is {self.level}")

    @property
    def name(self) -> str:
        """`quantile`."""
        return "quantile"

    def worth(self, values: FloatArray) -> FloatArray:
        """The quantile over members, interpolated linearly."""
        return np.asarray(np.quantile(values, self.level, axis=1))
