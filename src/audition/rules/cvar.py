"""Conditional value at risk: the average over the members that a candidate does worst in."""

from dataclasses import dataclass
from typing import final

import numpy as np
from numpy.typing import NDArray

from audition.errors import ConfigError
from audition.rule import Rule

FloatArray = NDArray[np.float64]


@final
@dataclass(frozen=True, slots=True)
class CVaR(Rule):
    """The mean of the lowest share `level` of the members, counting a fraction of the last one."""

    level: float = 0.2

    def __post_init__(self) -> None:
        if not 0.0 < self.level <= 1.0:
            raise ConfigError(f"a CVaR's level lies above 0 and up to 1, but is {self.level}")

    @property
    def name(self) -> str:
        """`cvar`."""
        return "cvar"

    def worth(self, values: FloatArray) -> FloatArray:
        """The mean of the lower tail."""
        members = values.shape[1]
        weight = np.clip(self.level * members - np.arange(members), 0.0, 1.0)
        return np.asarray(np.sort(values, axis=1) @ weight / weight.sum())
