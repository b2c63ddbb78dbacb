"""Turns the table candidate x member into a worth for every candidate; the largest worth wins."""

from abc import ABC, abstractmethod

import numpy as np
from numpy.typing import NDArray

FloatArray = NDArray[np.float64]


class Rule(ABC):
    """A way to weigh what a candidate does in the members of an ensemble."""

    @property
    @abstractmethod
    def name(self) -> str:
        """The word that study files use."""

    @abstractmethod
    def worth(self, values: FloatArray) -> FloatArray:
        """The worth [candidate] of values [candidate, member]; larger is better."""
