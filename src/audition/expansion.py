"""Quadratics and cubics through scores: the numerical part of the curvature diagnostic.

Steps are whitened: one unit along a principal direction is one standard deviation of the members,
so a second moment is the identity and `tr(H S)` is a plain trace. A monomial is divided by the
factorials of its powers, so that its coefficient is a partial derivative.
"""

from collections import Counter
from collections.abc import Callable, Sequence
from itertools import combinations_with_replacement
from math import factorial, prod
from typing import Final

import numpy as np
from numpy.typing import ArrayLike, NDArray

from audition.errors import ScoreError

FloatArray = NDArray[np.float64]

RANK: Final = 1e-9  # a principal direction with a smaller share of the largest variance is none
PLENTY: Final = 2  # members per term that a cubic is fitted with, at least


def checked(
    parameters: ArrayLike, scores: ArrayLike, fitted: ArrayLike, fitted_scores: ArrayLike
) -> tuple[FloatArray, FloatArray, FloatArray]:
    """Steps from the fit [member, parameter], scores [candidate, member], the fit's [candidate]."""
    at = np.atleast_1d(np.asarray(fitted, dtype=np.float64))
    base = np.atleast_1d(np.asarray(fitted_scores, dtype=np.float64))
    table = np.atleast_2d(np.asarray(scores, dtype=np.float64))
    rows = np.asarray(parameters, dtype=np.float64)
    rows = rows[:, None] if rows.ndim == 1 else rows
    if rows.shape != (table.shape[1], at.size) or table.shape[0] != base.size:
        raise ScoreError(
            "curvature needs parameters [member, parameter], scores [candidate, member], fitted "
            f"[parameter] and fitted_scores [candidate], but their shapes are {rows.shape}, "
            f"{table.shape}, {at.shape} and {base.shape}"
        )
    if not all(np.isfinite(part).all() for part in (rows, table, at, base)):
        raise ScoreError(
            "curvature needs finite parameters and scores, but some are not; "
            "leave out the candidates that failed"
        )
    return rows - at, table, base


def labels(names: Sequence[str], size: int, word: str) -> tuple[str, ...]:
    """The names that were given, or numbered ones."""
    if names and len(names) != size:
        raise ScoreError(f"there are {size} {word}s, but {len(names)} names for them: {names}")
    return tuple(names) or tuple(f"{word} {place + 1}" for place in range(size))


def whitened(steps: FloatArray) -> tuple[FloatArray, FloatArray]:
    """Scales [parameter, direction] and steps of unit second moment [member, direction].

    Principal directions are looked for in parameters divided by their own root mean square, so
    that no unit hides a direction.
    """
    sizes = np.sqrt((steps**2).mean(axis=0))
    moving = sizes > 0.0
    if not moving.any():
        raise ScoreError("all members are the fitted simulator, so there is no direction to tell")
    unit = steps[:, moving] / sizes[moving]
    values, vectors = np.linalg.eigh(unit.T @ unit / len(unit))
    kept = values > RANK * values[-1]
    lengths = np.sqrt(values[kept])
    scales = np.zeros((steps.shape[1], int(kept.sum())))
    scales[moving] = sizes[moving, None] * vectors[:, kept] * lengths
    return scales, unit @ (vectors[:, kept] / lengths)


def terms(white: FloatArray, degree: int) -> FloatArray:  # [member, term]
    """Every monomial from degree one on, lower degrees first, over the factorials of its powers."""
    columns = []
    for power in range(1, degree + 1):
        for places in combinations_with_replacement(range(white.shape[1]), power):
            divisor = prod(factorial(count) for count in Counter(places).values())
            columns.append(white[:, places].prod(axis=1) / divisor)
    return np.stack(columns, axis=1)


def symmetric(coefficients: FloatArray, rank: int, degree: int = 2) -> FloatArray:
    """The symmetric tensor of partial derivatives, from its distinct entries in order."""
    tensor = np.zeros((rank,) * degree)
    order = {
        places: at for at, places in enumerate(combinations_with_replacement(range(rank), degree))
    }
    for index in np.ndindex(tensor.shape):
        tensor[index] = coefficients[order[tuple(sorted(index))]]
    return tensor


def steepest_bend(white: FloatArray, rises: FloatArray) -> FloatArray:  # [candidate]
    """A Lipschitz constant of the Hessian from a cubic; NaN where members are too few for one.

    The largest singular value of the third derivative laid out as a matrix bounds its norm from
    above, and is that norm where there is one direction.
    """
    design = terms(white, 3)
    if len(design) < PLENTY * design.shape[1]:
        return np.full(rises.shape[1], np.nan)
    rank = white.shape[1]
    lower = rank + rank * (rank + 1) // 2
    found = np.linalg.lstsq(design, rises, rcond=None)[0]  # [term, candidate]
    thirds = [symmetric(column[lower:], rank, 3).reshape(rank, -1) for column in found.T]
    return np.array([np.linalg.norm(third, ord=2) for third in thirds])


def differences(
    score: Callable[[FloatArray], FloatArray], at: FloatArray, width: FloatArray
) -> tuple[FloatArray, FloatArray]:
    """Gradient [candidate, axis] and Hessian [candidate, axis, axis] by central differences.

    `score` takes points [point, axis] to scores [point, candidate]. An axis of width zero is held.
    """
    size = at.size
    moves = np.diag(width)
    level = score(at[None])[0]
    slope, bend = np.zeros((level.size, size)), np.zeros((level.size, size, size))
    free = np.flatnonzero(width)
    for i in free:
        up, down = score(np.stack([at + moves[i], at - moves[i]]))
        slope[:, i] = (up - down) / (2.0 * width[i])
        bend[:, i, i] = (up - 2.0 * level + down) / width[i] ** 2
        for j in free[free > i]:
            corners = [
                at + one * moves[i] + two * moves[j] for one in (1.0, -1.0) for two in (1.0, -1.0)
            ]
            both, first, second, none = score(np.stack(corners))
            bend[:, i, j] = bend[:, j, i] = (both - first - second + none) / (
                4.0 * width[i] * width[j]
            )
    return slope, bend
