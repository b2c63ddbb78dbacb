"""Probability of being best: the share of the members that a candidate wins."""

from dataclasses import dataclass
from typing import final

import numpy as np
from numpy.typing import NDArray

from audition.rule import Rule

FloatArray = NDArray[np.float64]


@final
@dataclass(frozen=True, slots=True)
class BestProbability(Rule):
    """How often a candidate is the best one; tied winners share the member."""

    @property
    def name(self) -> str:
        """`best_probability`."""
        return "best_probability"

    def worth(self, values: FloatArray) -> FloatArray:
        """The share of members won."""
        winners = values == values.max(axis=0, keepdims=True)
        return np.asarray((winners / winners.sum(axis=0, keepdims=True)).mean(axis=1))
