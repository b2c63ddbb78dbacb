"""Rewards of zero or one: a click, a sale, a cure."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, ClassVar, NamedTuple, final

import numpy as np
from numpy.typing import NDArray

from audition import cells
from audition.family import BanditFamily, HasPosterior, Tables, require_rows, require_support
from audition.log import Log
from audition.scalars import where
from audition.simulator import Simulator

FloatArray = NDArray[np.float64]
IntArray = NDArray[np.int64]


class Columns(NamedTuple):
    """One arm's numbers."""

    share: float


@final
@dataclass(frozen=True, slots=True)
class Bernoulli(BanditFamily, HasPosterior):
    """Every arm pays one with a probability of its own, and zero otherwise."""

    noise: ClassVar[str] = "uniform"
    supports: ClassVar[str] = "binary"
    Columns: ClassVar[Any] = Columns

    @property
    def name(self) -> str:
        """`bernoulli`."""
        return "bernoulli"

    def fit(self, log: Log) -> Simulator:
        """The share of ones of every arm."""
        require_rows(self, log)
        require_support(self, log)
        return Simulator(self.name, {"share": log.means})

    @staticmethod
    def reward(draw: Any, p: Any, table: Any) -> Any:
        """One where the uniform draw falls below the share."""
        del table
        return where(draw < p.share, 1.0, 0.0)

    def tables(self, simulators: Sequence[Simulator]) -> Tables:
        """The share of ones by arm."""
        shares = np.stack([simulator.parameters["share"] for simulator in simulators])
        return Tables(shares[..., None], np.zeros((*shares.shape, 1)), shares)

    def log_likelihood(self, simulator: Simulator, log: Log) -> FloatArray:
        """The probability of each reward, over the width of its cell."""
        share = simulator.parameters["share"][log.arms]
        mass = np.where(log.rewards == 1.0, share, np.where(log.rewards == 0.0, 1.0 - share, 0.0))
        with np.errstate(divide="ignore"):
            return np.asarray(np.log(mass) - np.log(cells.width_of(log.rewards)))

    def sample(self, simulator: Simulator, arms: IntArray, rng: np.random.Generator) -> FloatArray:
        """Zeros and ones."""
        return (rng.random(arms.size) < simulator.parameters["share"][arms]).astype(np.float64)

    def posterior(self, log: Log, *, size: int, rng: np.random.Generator) -> list[Simulator]:
        """Beta draws under Jeffreys' prior, Beta(1/2, 1/2)."""
        ones = self.fit(log).parameters["share"] * log.counts
        zeros = log.counts - ones
        return [
            Simulator(self.name, {"share": rng.beta(ones + 0.5, zeros + 0.5)}) for _ in range(size)
        ]
