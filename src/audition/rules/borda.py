"""Borda count: every member ranks the candidates, and the best average rank wins."""

from dataclasses import dataclass
from typing import final

import numpy as np
from numpy.typing import NDArray
from scipy.stats import rankdata

from audition.rule import Rule

FloatArray = NDArray[np.float64]


@final
@dataclass(frozen=True, slots=True)
class Borda(Rule):
    """The mean over members of a candidate's rank, 1 for the worst; tied ones share a rank."""

    @property
    def name(self) -> str:
        """`borda`."""
        return "borda"

    def worth(self, values: FloatArray) -> FloatArray:
        """Mean rank over members."""
        return np.asarray(rankdata(values, axis=0).mean(axis=1))
