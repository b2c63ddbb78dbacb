"""Masses and densities on equal terms: the cell of values that would be written down as a reward.

A log holds rewards as they were recorded: 3 clicks, 12.50 in money, a float with all its digits.
A recorded reward x stands for the cell of values from x - width/2 to x + width/2, where the width
is the last decimal that the log uses. The likelihood of x is the probability of its cell over the
width. For a density that is flat over the cell this is the density; for a probability mass it is
the mass over the width. So a Poisson, a Gaussian and a share of exact zeros can be compared.

A log with more than six decimals has no last decimal. Its width is a millionth of its largest
reward: narrow enough that densities are flat, wide enough that an atom counts as strong evidence
and not as proof.
"""

from typing import Final

import numpy as np
from numpy.typing import NDArray
from scipy.special import log_ndtr

FloatArray = NDArray[np.float64]

DECIMALS: Final = 6
FINE: Final = 2.0**-20  # the width of a cell against the largest reward where all digits are kept
FLAT: Final = 1e-3  # a cell narrower than this many standard deviations: density off by < 1e-6
HALF_LOG_TWO_PI: Final = 0.5 * np.log(2.0 * np.pi)


def width_of(rewards: FloatArray) -> float:
    """The width of the cells: the last decimal used, at most one; see the module."""
    largest = float(np.max(np.abs(rewards), initial=0.0))
    with np.errstate(over="ignore", invalid="ignore"):  # too large a number has no decimals
        for decimals in range(DECIMALS + 1):
            scaled = rewards * 10.0**decimals
            slack = 4.0 * np.spacing(largest * 10.0**decimals)
            if not slack <= 1e-3:
                break
            if np.all(np.abs(scaled - np.round(scaled)) <= slack):
                return float(10.0**-decimals)
    return FINE * largest


def normal_density(z: FloatArray, sd: FloatArray | float) -> FloatArray:
    """The log density of a normal reward, `z` standard deviations from its mean."""
    with np.errstate(over="ignore"):  # so far out the density is nothing
        return np.asarray(-0.5 * z * z - np.log(sd) - HALF_LOG_TWO_PI)


def over_cells(
    low: FloatArray, high: FloatArray, log_density: FloatArray, *, width: float
) -> FloatArray:
    """Log of normal probability between two z-scores over the width; the density where flat."""
    narrow = high - low < FLAT
    with np.errstate(divide="ignore", invalid="ignore", over="ignore"):
        return np.where(narrow, log_density, _log_between(low, high) - np.log(width))


def _log_between(low: FloatArray, high: FloatArray) -> FloatArray:
    """log(Phi(high) - Phi(low)), from the tail in which it loses no digits."""
    upper = low + high > 0.0
    near = log_ndtr(np.where(upper, -low, high))
    far = log_ndtr(np.where(upper, -high, low))
    between = near + np.log1p(-np.exp(np.minimum(far - near, 0.0)))
    return np.where(np.isneginf(near), -np.inf, between)
