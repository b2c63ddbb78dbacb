"""Gaussian rewards with one variance per arm (the paper's eq:perturbed-bandit).

An arm with fewer than four rows says too little of its own variance (its mean would have a
posterior without a variance), so it takes the variance pooled over all arms.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, ClassVar, Final, NamedTuple, final

import numpy as np
from numpy.typing import NDArray

from audition import cells
from audition.family import BanditFamily, HasPosterior, Tables, require_pooled
from audition.log import Log
from audition.simulator import Simulator

FloatArray = NDArray[np.float64]
IntArray = NDArray[np.int64]

ENOUGH: Final = 4  # rows: a Student mean on n - 1 degrees of freedom has a variance from here on


class Columns(NamedTuple):
    """One arm's numbers."""

    mean: float
    sd: float


@final
@dataclass(frozen=True, slots=True)
class GaussianPerArm(BanditFamily, HasPosterior):
    """Every arm has its own mean and its own standard deviation."""

    noise: ClassVar[str] = "normal"
    supports: ClassVar[str] = "real"
    Columns: ClassVar[Any] = Columns

    @property
    def name(self) -> str:
        """`gaussian_per_arm`."""
        return "gaussian_per_arm"

    def fit(self, log: Log) -> Simulator:
        """Sample means and sample variances; arms of few rows take the pooled variance."""
        require_pooled(self, log)
        squares, freedom = _squares(log)
        return Simulator(self.name, {"mean": log.means, "sd": np.sqrt(squares / freedom)})

    @staticmethod
    def reward(draw: Any, p: Any, table: Any) -> Any:
        """Mean plus noise."""
        del table
        return p.mean + p.sd * draw

    def tables(self, simulators: Sequence[Simulator]) -> Tables:
        """Mean and standard deviation by arm."""
        means = np.stack([simulator.parameters["mean"] for simulator in simulators])
        sds = np.stack([simulator.parameters["sd"] for simulator in simulators])
        return Tables(np.stack([means, sds], axis=-1), np.zeros((*means.shape, 1)), means)

    def log_likelihood(self, simulator: Simulator, log: Log) -> FloatArray:
        """The normal probability of each reward's cell."""
        sd = np.maximum(simulator.parameters["sd"][log.arms], 1e-300)
        width = cells.width_of(log.rewards)
        away = log.rewards - simulator.parameters["mean"][log.arms]
        low, high = (away - width / 2.0) / sd, (away + width / 2.0) / sd
        return cells.over_cells(low, high, cells.normal_density(away / sd, sd), width=width)

    def sample(self, simulator: Simulator, arms: IntArray, rng: np.random.Generator) -> FloatArray:
        """Normal rewards."""
        noise = rng.standard_normal(arms.size) * simulator.parameters["sd"][arms]
        return np.asarray(simulator.parameters["mean"][arms] + noise)

    def posterior(self, log: Log, *, size: int, rng: np.random.Generator) -> list[Simulator]:
        """Reference prior by arm: variance scaled inverse chi-square, mean normal given it."""
        require_pooled(self, log)
        squares, freedom = _squares(log)
        borrowed = log.counts < ENOUGH
        means, roots = log.means, np.sqrt(log.counts)
        drawn = []
        for _ in range(size):
            pooled = rng.chisquare(log.rows - log.counts.size)
            sds = np.sqrt(squares / np.where(borrowed, pooled, rng.chisquare(freedom)))
            moved = means + sds / roots * rng.standard_normal(sds.size)
            drawn.append(Simulator(self.name, {"mean": moved, "sd": sds}))
        return drawn


def _squares(log: Log) -> tuple[FloatArray, FloatArray]:
    """Sum of squares and degrees of freedom behind each arm's variance  # [arm], [arm]."""
    residual = (log.rewards - log.means[log.arms]) ** 2
    own = np.bincount(log.arms, weights=residual, minlength=log.counts.size)
    borrowed = log.counts < ENOUGH
    freedom = np.where(borrowed, log.rows - log.counts.size, log.counts - 1)
    return np.where(borrowed, own.sum(), own), freedom.astype(np.float64)
