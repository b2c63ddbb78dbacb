"""The worst member: what a candidate is sure to reach in every simulator of the ensemble."""

from dataclasses import dataclass
from typing import final

import numpy as np
from numpy.typing import NDArray

from audition.rule import Rule

FloatArray = NDArray[np.float64]


@final
@dataclass(frozen=True, slots=True)
class Worst(Rule):
    """The smallest score over the members."""

    @property
    def name(self) -> str:
        """`worst`."""
        return "worst"

    def worth(self, values: FloatArray) -> FloatArray:
        """The minimum over members."""
        worst: FloatArray = values.min(axis=1)
        return worst
