"""Zero, or gamma: what a visitor spends when most of them spend nothing."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, ClassVar, NamedTuple, final

import numpy as np
from numpy.typing import NDArray
from scipy.special import gammainc

from audition import cells, gamma_law, zero_inflation
from audition.draw_table import along, centred, rooted
from audition.family import BanditFamily, HasPosterior, Tables
from audition.log import Log
from audition.scalars import exp, where
from audition.simulator import Simulator

FloatArray = NDArray[np.float64]
IntArray = NDArray[np.int64]


class Columns(NamedTuple):
    """One arm's numbers; the shape is in its table."""

    cut: float
    mean: float  # of its positive rewards


@final
@dataclass(frozen=True, slots=True)
class ZeroInflatedGamma(BanditFamily, HasPosterior):
    """Every arm has its own share of positive rewards and their mean; all share their shape.

    The positive law is tabulated and interpolated: within 5e-4 of the gamma law in Kolmogorov's
    distance, with the arm's mean.
    """

    noise: ClassVar[str] = "normal"
    supports: ClassVar[str] = "nonnegative"
    Columns: ClassVar[Any] = Columns

    @property
    def name(self) -> str:
        """`zero_inflated_gamma`."""
        return "zero_inflated_gamma"

    def fit(self, log: Log) -> Simulator:
        """Shares of positive rewards, their sample means, and their pooled shape."""
        told, shares = self._told(log)
        means = told.totals / np.maximum(told.counts, 1.0)
        return self._simulator(shares, _borrowed(told, means), gamma_law.shape_of(told))

    @staticmethod
    def reward(draw: Any, p: Any, table: Any) -> Any:
        """Zero up to the cut, above it the mean times a gamma number of mean one."""
        return where(draw > p.cut, p.mean * exp(along(table, rooted(draw, p.cut))), 0.0)

    def tables(self, simulators: Sequence[Simulator]) -> Tables:
        """Cuts, means of positive rewards, and the log quantiles above the cut."""
        shares, positive = (
            np.stack([simulator.parameters[name] for simulator in simulators])
            for name in ("share", "positive_mean")
        )
        shapes = np.array([float(simulator.parameters["shape"]) for simulator in simulators])
        cut = zero_inflation.cuts(shares)
        below, above = zero_inflation.places(cut)
        entries = centred(gamma_law.log_quantile(shapes[:, None, None], below, above), cut)
        return Tables(np.stack([cut, positive], axis=-1), entries, shares * positive)

    def log_likelihood(self, simulator: Simulator, log: Log) -> FloatArray:
        """The probability of each reward's cell."""
        width, paid = cells.width_of(log.rewards), log.rewards > 0.0
        means = simulator.parameters["positive_mean"][log.arms]
        shape = float(simulator.parameters["shape"])
        positive = np.zeros(log.rows)
        positive[paid] = gamma_law.over_cells(log.rewards[paid], means[paid], shape, width=width)
        hidden = np.asarray(gammainc(shape, width / 2.0 * shape / means), dtype=np.float64)
        shares = simulator.parameters["share"][log.arms]
        return zero_inflation.log_likelihood(log.rewards, shares, positive, hidden, width=width)

    def sample(self, simulator: Simulator, arms: IntArray, rng: np.random.Generator) -> FloatArray:
        """Zeros and gamma rewards."""
        shape = float(simulator.parameters["shape"])
        means = simulator.parameters["positive_mean"][arms]
        paid = np.maximum(rng.gamma(shape, size=arms.size) * means / shape, 1e-300)
        return np.where(rng.random(arms.size) < simulator.parameters["share"][arms], paid, 0.0)

    def posterior(self, log: Log, *, size: int, rng: np.random.Generator) -> list[Simulator]:
        """Jeffreys' prior for the shares, `gamma_law.posterior` for the positive part."""
        told, shares = self._told(log)
        return [
            self._simulator(
                zero_inflation.shares_drawn(log, shares, rng), _borrowed(told, means), shape
            )
            for means, shape in gamma_law.posterior(told, rng, size=size)
        ]

    def _told(self, log: Log) -> tuple[gamma_law.Sums, FloatArray]:
        rewards, arms, shares = zero_inflation.positive_rows(self, log)
        return gamma_law.sums(rewards, arms, size=shares.size), shares

    def _simulator(self, shares: FloatArray, means: FloatArray, shape: float) -> Simulator:
        numbers = {"share": shares, "positive_mean": means, "shape": np.asarray(shape)}
        return Simulator(self.name, numbers)


def _borrowed(told: gamma_law.Sums, means: FloatArray) -> FloatArray:
    """The means, those of all arms together where an arm had no positive reward."""
    return np.where(told.counts > 0, means, told.totals.sum() / told.counts.sum())
