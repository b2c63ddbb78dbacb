"""Zero, or log-normal: what a visitor spends when most of them spend nothing."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, ClassVar, NamedTuple, final

import numpy as np
from numpy.typing import NDArray
from scipy.special import ndtr, ndtri

from audition import cells, log_normal_law, zero_inflation
from audition.draw_table import along, centred, rooted
from audition.family import BanditFamily, HasPosterior, Tables
from audition.log import Log
from audition.scalars import exp, where
from audition.simulator import Simulator

FloatArray = NDArray[np.float64]
IntArray = NDArray[np.int64]


class Columns(NamedTuple):
    """One arm's numbers; the spread is in its table."""

    cut: float
    mean: float  # of its positive rewards


@final
@dataclass(frozen=True, slots=True)
class ZeroInflatedLogNormal(BanditFamily, HasPosterior):
    """Every arm has its own share of positive rewards and their log mean; all share their spread.

    The positive law is tabulated and interpolated: within 5e-4 of the log-normal law in
    Kolmogorov's distance, with the arm's mean.
    """

    noise: ClassVar[str] = "normal"
    supports: ClassVar[str] = "nonnegative"
    Columns: ClassVar[Any] = Columns

    @property
    def name(self) -> str:
        """`zero_inflated_log_normal`."""
        return "zero_inflated_log_normal"

    def fit(self, log: Log) -> Simulator:
        """Shares of positive rewards, means of their logarithm, and its pooled variance."""
        told, shares, pooled = self._told(log)
        return self._simulator(shares, _borrowed(told, told.log_means, pooled), told.log_sd)

    @staticmethod
    def reward(draw: Any, p: Any, table: Any) -> Any:
        """Zero up to the cut, above it the mean times a log-normal number of mean one."""
        return where(draw > p.cut, p.mean * exp(along(table, rooted(draw, p.cut))), 0.0)

    def tables(self, simulators: Sequence[Simulator]) -> Tables:
        """Cuts, means of positive rewards, and the log quantiles above the cut."""
        shares, log_means = (
            np.stack([simulator.parameters[name] for simulator in simulators])
            for name in ("share", "log_mean")
        )
        log_sds = np.array([float(s.parameters["log_sd"]) for s in simulators])[:, None]
        cut = zero_inflation.cuts(shares)
        below, above = zero_inflation.places(cut)
        draws = np.where(below < 0.5, ndtri(below), -ndtri(above))
        entries = centred(log_sds[..., None] * draws, cut)
        positive = np.exp(log_means + log_sds**2 / 2.0)
        return Tables(np.stack([cut, positive], axis=-1), entries, shares * positive)

    def log_likelihood(self, simulator: Simulator, log: Log) -> FloatArray:
        """The probability of each reward's cell."""
        width, paid = cells.width_of(log.rewards), log.rewards > 0.0
        log_mean = simulator.parameters["log_mean"][log.arms]
        log_sd = float(simulator.parameters["log_sd"])
        positive = np.zeros(log.rows)
        positive[paid] = log_normal_law.over_cells(
            log.rewards[paid], log_mean[paid], log_sd, width=width
        )
        hidden = ndtr((np.log(width / 2.0) - log_mean) / max(log_sd, 1e-300))
        shares = simulator.parameters["share"][log.arms]
        return zero_inflation.log_likelihood(log.rewards, shares, positive, hidden, width=width)

    def sample(self, simulator: Simulator, arms: IntArray, rng: np.random.Generator) -> FloatArray:
        """Zeros and log-normal rewards."""
        noise = rng.standard_normal(arms.size) * float(simulator.parameters["log_sd"])
        positive = np.exp(simulator.parameters["log_mean"][arms] + noise)
        return np.where(rng.random(arms.size) < simulator.parameters["share"][arms], positive, 0.0)

    def posterior(self, log: Log, *, size: int, rng: np.random.Generator) -> list[Simulator]:
        """Jeffreys' prior for the shares, the reference prior for the positive part."""
        told, shares, pooled = self._told(log)
        return [
            self._simulator(
                zero_inflation.shares_drawn(log, shares, rng),
                _borrowed(told, log_means, pooled),
                log_sd,
            )
            for log_means, log_sd in log_normal_law.posterior(told, rng, size=size)
        ]

    def _told(self, log: Log) -> tuple[log_normal_law.Sums, FloatArray, float]:
        rewards, arms, shares = zero_inflation.positive_rows(self, log)
        told = log_normal_law.sums(rewards, arms, size=shares.size)
        return told, shares, float(np.log(rewards).mean())

    def _simulator(self, shares: FloatArray, log_means: FloatArray, log_sd: float) -> Simulator:
        numbers = {"share": shares, "log_mean": log_means, "log_sd": np.asarray(log_sd)}
        return Simulator(self.name, numbers)


def _borrowed(told: log_normal_law.Sums, log_means: FloatArray, pooled: float) -> FloatArray:
    return np.where(told.counts > 0, log_means, pooled)
