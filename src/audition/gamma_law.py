"""Gamma rewards: every arm has its own mean, all share one shape (one coefficient of variation).

The likelihood splits: arm means are estimated by sample means, and the shape by one equation in
the spread `sum of n (log mean - mean log)` over the arms (Choi and Wette 1969). The spread is
divided by rows less arms and not by rows, as a pooled variance is, which takes most of the bias
out of the shape in small logs.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Final, final

import numpy as np
from numpy.typing import NDArray
from scipy.special import (
    digamma,
    gammainc,
    gammaincc,
    gammainccinv,
    gammaincinv,
    gammaln,
    polygamma,
)

from audition.cells import FLAT

FloatArray = NDArray[np.float64]
IntArray = NDArray[np.int64]

LEAST_SHAPE: Final = 0.05
LARGEST_SHAPE: Final = 1e6
LOWEST: Final = -80.0  # of log(reward / mean): e^-80 is as good as nothing in single precision
GRID: Final = 401  # shapes that a posterior is tabulated on
WIDEST: Final = 4.0  # a posterior mean stays within this factor above the fitted one


@final
@dataclass(frozen=True, slots=True, eq=False)
class Sums:
    """What the rewards say of a gamma law."""

    counts: FloatArray  # [arm]
    totals: FloatArray  # [arm]
    spread: float  # sum over rows of log(mean of its arm / reward)
    freedom: float  # rows less arms


def sums(rewards: FloatArray, arms: IntArray, *, size: int) -> Sums:
    """Sum up positive rewards of `size` arms, some of which may have none."""
    counts = np.bincount(arms, minlength=size).astype(np.float64)
    totals = np.bincount(arms, weights=rewards, minlength=size).astype(np.float64)
    seen = counts > 0
    means = totals[seen] / counts[seen]
    spread = float(counts[seen] @ np.log(means) - np.log(rewards).sum())
    return Sums(counts, totals, max(spread, 0.0), float(rewards.size - seen.sum()))


def shape_of(told: Sums) -> float:
    """The shape at which log(shape) - digamma(shape) is the spread a row."""
    spread = told.spread / told.freedom
    if spread <= 0.5 / LARGEST_SHAPE:
        return LARGEST_SHAPE
    shape = (3.0 - spread + np.sqrt((spread - 3.0) ** 2 + 24.0 * spread)) / (12.0 * spread)
    for _ in range(4):  # Newton on the inverse shape, exact to rounding from this start
        off = np.log(shape) - digamma(shape) - spread
        slope = 1.0 / shape - polygamma(1, shape)
        shape = 1.0 / (1.0 / shape + off / (shape * shape * slope))
    return float(np.clip(shape, LEAST_SHAPE, LARGEST_SHAPE))


def log_density(rewards: FloatArray, mean: FloatArray, shape: float) -> FloatArray:
    """Log density of positive rewards."""
    rate = shape / mean
    return np.asarray(
        shape * np.log(rate) - gammaln(shape) + (shape - 1.0) * np.log(rewards) - rate * rewards
    )


def over_cells(rewards: FloatArray, mean: FloatArray, shape: float, *, width: float) -> FloatArray:
    """Log probability of the cells of positive rewards, over the width."""
    density = log_density(rewards, mean, shape)
    narrow = width < FLAT * np.minimum(rewards, mean / np.sqrt(shape))
    rate = shape / mean
    low = np.maximum(rewards - width / 2.0, 0.0) * rate
    high = (rewards + width / 2.0) * rate
    above = low > shape
    between = np.where(
        above,
        gammaincc(shape, low) - gammaincc(shape, high),
        gammainc(shape, high) - gammainc(shape, low),
    )
    with np.errstate(divide="ignore"):
        told = np.log(between) - np.log(width)
    return np.where(narrow | (between < 1e-290), density, told)


def log_quantile(shape: FloatArray, below: FloatArray, above: FloatArray) -> FloatArray:
    """Log of reward over mean, at a probability given from both its sides."""
    with np.errstate(divide="ignore", over="ignore"):
        value = np.where(
            below < 0.5, gammaincinv(shape, below), gammainccinv(shape, np.minimum(above, 1.0))
        )
        start = (np.log(below) + gammaln(shape + 1.0)) / shape  # the law near zero
        told = np.where(value > 1e-200, np.log(value), start)
    return np.asarray(np.maximum(told - np.log(shape), LOWEST))


def posterior(
    told: Sums, rng: np.random.Generator, *, size: int
) -> Iterator[tuple[FloatArray, float]]:
    """Draws of (means [arm], shape) under the reference prior; arms without rows are not drawn.

    They are drawn one by one, so that a caller may draw numbers of its own between them.

    The means given the shape are inverse gamma (prior 1 / mean), exactly. The shape's marginal
    posterior, with prior `sqrt(trigamma(shape) - 1 / shape)`, is tabulated on `GRID` shapes up to
    eight standard errors either side of the fit and interpolated. Under so flat a prior the mean
    of an arm of few rows may have no expectation, so the prior ends at `WIDEST` times its fit.
    """
    fitted = shape_of(told)
    error = np.sqrt(2.0 / told.freedom)  # of log(shape), never less than the true one
    logs = np.log(fitted) + np.linspace(-8.0, 8.0, GRID) * min(error, 0.75)
    shapes = np.exp(np.clip(logs, np.log(LEAST_SHAPE), np.log(LARGEST_SHAPE)))
    density = np.exp(_marginal(told, shapes))
    steps = np.concatenate([[0.0], (density[1:] + density[:-1]) / 2.0])
    below = np.cumsum(steps) / steps.sum()
    for _ in range(size):
        shape = float(np.exp(np.interp(rng.random(), below, np.log(shapes))))
        degrees = np.maximum(told.counts, 1.0) * shape
        drawn = np.maximum(rng.gamma(degrees) / degrees, 1.0 / WIDEST)
        yield told.totals / np.maximum(told.counts, 1.0) / drawn, shape


def _marginal(told: Sums, shapes: FloatArray) -> FloatArray:
    """Log posterior density of the log shape, its largest value zero  # [shape]."""
    counts = told.counts[told.counts > 0][:, None]
    rows = counts.sum()
    # The means are integrated out; totals enter through the spread alone.
    parts = gammaln(counts * shapes) - counts * shapes * np.log(counts)
    prior = 0.5 * np.log(np.maximum(polygamma(1, shapes) - 1.0 / shapes, 1e-300))
    told_of = parts.sum(axis=0) - rows * gammaln(shapes) - shapes * told.spread
    told_of += prior + np.log(shapes)
    return np.asarray(told_of - told_of.max())
