"""Rewards of one normal draw whose law has no formula, as a table read along the draw.

A family gives every reward as a function of one standard normal number. Where the law has no
formula for it (gamma, Poisson, anything with a share of zeros), the family tabulates the reward,
or its logarithm, over `CELLS` cells of the draw and interpolates linearly within a cell. A larger
draw gives a larger reward, so simulators that are near each other pay nearly the same.

The engines' normal draws come from a 23-bit Box-Muller transform and never leave `REACH`.
"""

from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from audition.scalars import floor, lookup, maximum, minimum, sqrt

FloatArray = NDArray[np.float64]

CELLS: Final = 128
LAST: Final = CELLS - 1.0
REACH: Final = 5.8  # sqrt(-2 log 2^-24) = 5.768 is the largest normal draw that there is
STEP: Final = 2.0 * REACH / CELLS
PER_STEP: Final = 1.0 / STEP
NODES, WEIGHTS = np.polynomial.legendre.leggauss(6)  # a cell's quadrature


def even(draw: Any) -> Any:
    """Where a draw lies on `CELLS` even cells from -REACH to REACH."""
    return (minimum(maximum(draw, -REACH), REACH) + REACH) * PER_STEP


def rooted(draw: Any, cut: Any) -> Any:
    """Where a draw lies on cells from `cut` to REACH that are narrow near the cut.

    A law that starts at the cut changes fastest there. The edges are even in the root of the
    distance, so the first of 128 cells is 16,000 times narrower than the whole.
    """
    share = maximum(minimum(draw, REACH) - cut, 0.0) / (REACH - cut)
    return minimum(sqrt(share), 1.0) * (LAST + 1.0)


def along(table: Any, position: Any) -> Any:
    """A table of CELLS + 1 knots at a position, by linear interpolation."""
    cell = minimum(floor(position), LAST)
    low = lookup(table, cell)
    return low + (position - cell) * (lookup(table, cell + 1.0) - low)


def even_knots() -> FloatArray:  # [knot]
    """The draws at the edges of the even cells."""
    knots: FloatArray = -REACH + STEP * np.arange(CELLS + 1, dtype=np.float64)
    return knots


def rooted_knots(cut: FloatArray) -> FloatArray:  # [..., knot]
    """The draws at the edges of the cells above a cut."""
    share = (np.arange(CELLS + 1) / CELLS) ** 2
    return np.asarray(cut[..., None] + (REACH - cut[..., None]) * share)


def centred(log_table: FloatArray, cut: FloatArray | None = None) -> FloatArray:  # [..., knot]
    """The table of logarithms, moved so that what is really drawn has mean one.

    The mean is that of `exp(along(log_table, position))` under the normal density, by Gauss's
    quadrature in every cell; above a cut it is the mean of the draws above it.
    """
    along_cell = (NODES + 1.0) / 2.0
    if cut is None:
        knots = even_knots()
        draws = knots[:-1, None] + STEP * along_cell
        weight = _density(draws) * STEP * WEIGHTS / 2.0
    else:
        place = (np.arange(CELLS)[:, None] + along_cell) / CELLS  # root of the share
        width = (REACH - cut)[..., None, None]
        draws = cut[..., None, None] + width * place**2
        weight = _density(draws) * width * 2.0 * place / CELLS * WEIGHTS / 2.0
    low, rise = log_table[..., :-1, None], np.diff(log_table, axis=-1)[..., None]
    value = np.exp(low + rise * along_cell)
    mean = (value * weight).sum(axis=(-2, -1)) / weight.sum(axis=(-2, -1))
    return np.asarray(log_table - np.log(mean)[..., None])


def _density(draws: FloatArray) -> FloatArray:
    return np.asarray(np.exp(-0.5 * draws * draws) / np.sqrt(2.0 * np.pi))
