"""Minimax regret: in no member far behind the candidate that is best there (Savage 1951)."""

from dataclasses import dataclass
from typing import final

import numpy as np
from numpy.typing import NDArray

from audition.rule import Rule

FloatArray = NDArray[np.float64]


@final
@dataclass(frozen=True, slots=True)
class MinimaxRegret(Rule):
    """Minus the largest shortfall behind the best candidate of a member."""

    @property
    def name(self) -> str:
        """`minimax_regret`."""
        return "minimax_regret"

    def worth(self, values: FloatArray) -> FloatArray:
        """The largest shortfall, with its sign turned."""
        largest: FloatArray = (values.max(axis=0, keepdims=True) - values).max(axis=1)
        return -largest
