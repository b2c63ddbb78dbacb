"""Gamma rewards: positive and skewed, such as waiting times or money spent."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, ClassVar, NamedTuple, final

import numpy as np
from numpy.typing import NDArray
from scipy.special import ndtr

from audition import cells, gamma_law
from audition.draw_table import along, centred, even, even_knots
from audition.family import BanditFamily, HasPosterior, Tables, require_pooled, require_support
from audition.log import Log
from audition.scalars import exp
from audition.simulator import Simulator

FloatArray = NDArray[np.float64]
IntArray = NDArray[np.int64]


class Columns(NamedTuple):
    """One arm's numbers; the shape is in its table."""

    mean: float


@final
@dataclass(frozen=True, slots=True)
class Gamma(BanditFamily, HasPosterior):
    """Every arm has its own mean; all share one shape.

    A reward is the mean times the exponential of a tabulated log quantile, interpolated. Its mean
    is the arm's, and for shapes from 0.1 its law is within 5e-4 of the gamma law in Kolmogorov's
    distance (for smaller ones but for rewards below e^-80 of the mean).
    """

    noise: ClassVar[str] = "normal"
    supports: ClassVar[str] = "positive"
    Columns: ClassVar[Any] = Columns

    @property
    def name(self) -> str:
        """`gamma`."""
        return "gamma"

    def fit(self, log: Log) -> Simulator:
        """Sample means, and the pooled shape."""
        told = self._sums(log)
        shape = np.asarray(gamma_law.shape_of(told))
        return Simulator(self.name, {"mean": told.totals / told.counts, "shape": shape})

    @staticmethod
    def reward(draw: Any, p: Any, table: Any) -> Any:
        """The mean times the quantile of a gamma law of mean one."""
        return p.mean * exp(along(table, even(draw)))

    def tables(self, simulators: Sequence[Simulator]) -> Tables:
        """Means, and the log quantiles that the shape gives."""
        means = np.stack([simulator.parameters["mean"] for simulator in simulators])
        shapes = np.array([float(simulator.parameters["shape"]) for simulator in simulators])
        own, which = np.unique(shapes, return_inverse=True)
        knots = even_knots()
        logs = centred(gamma_law.log_quantile(own[:, None], ndtr(knots), ndtr(-knots)))
        entries = np.broadcast_to(logs[which, None, :], (*means.shape, knots.size))
        return Tables(means[..., None], np.ascontiguousarray(entries), means)

    def log_likelihood(self, simulator: Simulator, log: Log) -> FloatArray:
        """The probability of each reward's cell."""
        told = np.full(log.rows, -np.inf)
        paid = log.rewards > 0.0
        told[paid] = gamma_law.over_cells(
            log.rewards[paid],
            simulator.parameters["mean"][log.arms[paid]],
            float(simulator.parameters["shape"]),
            width=cells.width_of(log.rewards),
        )
        return told

    def sample(self, simulator: Simulator, arms: IntArray, rng: np.random.Generator) -> FloatArray:
        """Gamma rewards."""
        shape = float(simulator.parameters["shape"])
        paid = rng.gamma(shape, size=arms.size) * simulator.parameters["mean"][arms] / shape
        return np.maximum(paid, np.finfo(np.float64).tiny)

    def posterior(self, log: Log, *, size: int, rng: np.random.Generator) -> list[Simulator]:
        """Reference prior; the shape's posterior is tabulated (see `gamma_law.posterior`)."""
        return [
            Simulator(self.name, {"mean": means, "shape": np.asarray(shape)})
            for means, shape in gamma_law.posterior(self._sums(log), rng, size=size)
        ]

    def _sums(self, log: Log) -> gamma_law.Sums:
        require_pooled(self, log)
        require_support(self, log)
        return gamma_law.sums(log.rewards, log.arms, size=len(log.arm_names))
