"""The average over the ensemble: Uncertainty-Aware (the paper's eqn:ensembleObjective)."""

from dataclasses import dataclass
from typing import final

import numpy as np
from numpy.typing import NDArray

from audition.rule import Rule

FloatArray = NDArray[np.float64]


@final
@dataclass(frozen=True, slots=True)
class Mean(Rule):
    """On average over what the log leaves possible. On an ensemble of one it is Plug-In."""

    @property
    def name(self) -> str:
        """`mean`."""
        return "mean"

    def worth(self, values: FloatArray) -> FloatArray:
        """The mean over members."""
        mean: FloatArray = values.mean(axis=1)
        return mean
