"""Log-normal rewards: the logarithm is normal, with its own mean in every arm and one spread.

The posterior of a log-normal mean has no expectation under the reference prior, because an
unlikely large spread makes the mean astronomically large. So the prior ends at `WIDEST` times the
fitted spread; a log of more than about twenty rows never gets there.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Final, final

import numpy as np
from numpy.typing import NDArray
from scipy.special import chndtr, i0e

from audition import cells
from audition.errors import FamilyError

FloatArray = NDArray[np.float64]
IntArray = NDArray[np.int64]

WIDEST: Final = 2.0
LARGEST: Final = 10.0  # of the spread: such a law's mean lies five spreads above its median
GRAIN: Final = 2.0**-23  # of the uniform that a normal draw's radius is made of


@final
@dataclass(frozen=True, slots=True, eq=False)
class Sums:
    """What positive rewards say of a log-normal law."""

    counts: FloatArray  # [arm]
    log_means: FloatArray  # [arm] zero where there is no row
    squares: float  # sum over rows of squared distances from the arm's log mean
    freedom: float  # rows less arms

    @property
    def log_sd(self) -> float:
        """The pooled standard deviation of the logarithm."""
        return float(np.sqrt(self.squares / self.freedom))


def sums(rewards: FloatArray, arms: IntArray, *, size: int) -> Sums:
    """Sum up positive rewards of `size` arms, some of which may have none."""
    logs = np.log(rewards)
    counts = np.bincount(arms, minlength=size).astype(np.float64)
    totals = np.bincount(arms, weights=logs, minlength=size)
    means = totals / np.maximum(counts, 1.0)
    away = logs - means[arms]
    told = Sums(counts, means, float(away @ away), float(rewards.size - (counts > 0).sum()))
    if told.log_sd > LARGEST:
        raise FamilyError(
            f"the logarithms of the positive rewards have a standard deviation of {told.log_sd:.3g}"
            f", but a log-normal law of more than {LARGEST:g} has a mean that no log could show; "
            "check the rewards, or use the empirical family"
        )
    return told


def over_cells(
    rewards: FloatArray, log_mean: FloatArray, log_sd: float, *, width: float
) -> FloatArray:
    """Log probability of the cells of positive rewards, over the width."""
    sd = max(log_sd, 1e-300)
    z = (np.log(rewards) - log_mean) / sd
    with np.errstate(divide="ignore"):
        low = (np.log(np.maximum(rewards - width / 2.0, 0.0)) - log_mean) / sd
    high = (np.log(rewards + width / 2.0) - log_mean) / sd
    density = cells.normal_density(z, sd) - np.log(rewards)
    return cells.over_cells(low, high, density, width=width)


def drawn_mean(log_sd: FloatArray) -> FloatArray:
    """The mean of `exp(log_sd * draw)` over the normal draws that the engines make.

    A draw is a radius times a cosine, so the mean is that of a Bessel function over the radius.
    Radii end where the uniform behind them does: all of its cells but the last are summed as the
    integral, which is a noncentral chi-square probability, and the last one is its midpoint.
    """
    edge = -2.0 * np.log(GRAIN)
    middle = np.sqrt(-2.0 * np.log(GRAIN / 2.0))
    inside = np.exp(0.5 * log_sd**2) * chndtr(edge, 2.0, log_sd**2)
    return np.asarray(inside + GRAIN * i0e(log_sd * middle) * np.exp(log_sd * middle))


def posterior(
    told: Sums, rng: np.random.Generator, *, size: int
) -> Iterator[tuple[FloatArray, float]]:
    """Draws of (log means [arm], log sd) under the reference prior, cut as the module says."""
    for _ in range(size):
        spread = max(rng.chisquare(told.freedom), told.freedom / WIDEST**2)
        log_sd = float(np.sqrt(told.squares / spread))
        error = log_sd / np.sqrt(np.maximum(told.counts, 1.0))
        yield told.log_means + error * rng.standard_normal(error.size), log_sd
