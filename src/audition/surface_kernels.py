"""Compiled loops over many points of a surface: the arithmetic of multilinear interpolation."""

from collections.abc import Callable
from typing import Any, ParamSpec, TypeVar

import numba
import numpy as np
from numba import prange

P = ParamSpec("P")
R = TypeVar("R")


def inlined(function: Callable[P, R]) -> Callable[P, R]:
    """Compile a piece of a loop."""
    piece: Callable[P, R] = numba.njit(cache=True, error_model="numpy")(function)
    return piece


def spread(function: Callable[P, R]) -> Callable[P, R]:
    """Compile a loop over points and run it on all cores."""
    loop: Callable[P, R] = numba.njit(cache=True, parallel=True, error_model="numpy")(function)
    return loop


@inlined
def _place(knots: Any, at: Any) -> Any:
    """The interval a value falls in and how far along it is, after clipping."""
    last = knots.size - 1
    if last == 0 or at <= knots[0]:
        return 0, 0.0
    if at >= knots[last]:
        return last - 1, 1.0
    low = min(int((at - knots[0]) * (last / (knots[last] - knots[0]))), last - 1)
    while at < knots[low]:  # at most a step or two on evenly spaced knots
        low -= 1
    while at >= knots[low + 1]:
        low += 1
    return low, (at - knots[low]) / (knots[low + 1] - knots[low])


@inlined
def _corners(knots: Any, shape: Any, point: Any, rows: Any, weights: Any) -> None:
    """The grid points around a point and their weights, 2**axes of them."""
    rows[0], weights[0] = 0, 1.0
    count, first = 1, 0
    for axis in range(shape.size):
        low, along = _place(knots[first : first + shape[axis]], point[axis])
        step = 1 if shape[axis] > 1 else 0
        for corner in range(count):
            row = rows[corner] * shape[axis] + low
            weight = weights[corner]
            rows[corner], weights[corner] = row, weight * (1.0 - along)
            rows[count + corner], weights[count + corner] = row + step, weight * along
        count *= 2
        first += shape[axis]


@spread
def read(knots: Any, shape: Any, table: Any, points: Any) -> Any:
    """The table at every point, [point, column]."""
    found = np.zeros((points.shape[0], table.shape[1]))
    corners = 2**shape.size
    blocks = (points.shape[0] + 1023) // 1024
    for block in prange(blocks):
        rows, weights = np.empty(corners, np.int64), np.empty(corners)
        for point in range(block * 1024, min((block + 1) * 1024, points.shape[0])):
            _corners(knots, shape, points[point], rows, weights)
            for corner in range(corners):
                for column in range(table.shape[1]):
                    found[point, column] += weights[corner] * table[rows[corner], column]
    return found


@inlined
def _share_of_two(knots: Any, shape: Any, points: Any, share: Any) -> None:
    """Of the mean over members on two axes, the part that each grid point carries."""
    first, second = knots[: shape[0]], knots[shape[0] :]
    down = shape[1] if shape[0] > 1 else 0
    right = 1 if shape[1] > 1 else 0
    for member in range(points.shape[0]):
        i, x = _place(first, points[member, 0])
        j, y = _place(second, points[member, 1])
        row, both = i * shape[1] + j, x * y
        share[row] += 1.0 - x - y + both
        share[row + right] += y - both
        share[row + down] += x - both
        share[row + down + right] += both


@inlined
def _share_of_any(knots: Any, shape: Any, points: Any, share: Any) -> None:
    """The same on any number of axes."""
    corners = 2**shape.size
    rows, weights = np.empty(corners, np.int64), np.empty(corners)
    for member in range(points.shape[0]):
        _corners(knots, shape, points[member], rows, weights)
        for corner in range(corners):
            share[rows[corner]] += weights[corner]


@spread
def mean(knots: Any, shape: Any, table: Any, points: Any) -> Any:
    """The table's mean over the points of every set, [set, column]."""
    found = np.zeros((points.shape[0], table.shape[1]))
    for at in prange(points.shape[0]):
        share = np.zeros(table.shape[0])
        if shape.size == 2:
            _share_of_two(knots, shape, points[at], share)
        else:
            _share_of_any(knots, shape, points[at], share)
        for row in range(table.shape[0]):
            if share[row] > 0.0:
                for column in range(table.shape[1]):
                    found[at, column] += share[row] * table[row, column]
        found[at] /= points.shape[1]
    return found


@spread
def settle(knots: Any, shape: Any, worth: Any, bends: Any, points: Any) -> Any:
    """The best column by interpolation at every point, or -1 where interpolation may mislead.

    `bends` [grid point, axis, column] are second differences. On an interval, linear
    interpolation errs by at most a quarter of the sum of those at its two ends (kinks of one
    sign), taken here for the difference of two columns and summed over the axes.
    """
    chosen = np.empty(points.shape[0], np.int64)
    corners = 2**shape.size
    columns = worth.shape[1]
    blocks = (points.shape[0] + 1023) // 1024
    for block in prange(blocks):
        rows, weights = np.empty(corners, np.int64), np.empty(corners)
        value = np.empty(columns)
        for point in range(block * 1024, min((block + 1) * 1024, points.shape[0])):
            _corners(knots, shape, points[point], rows, weights)
            value[:] = 0.0
            for corner in range(corners):
                value += weights[corner] * worth[rows[corner]]
            best = np.argmax(value)
            chosen[point] = best
            for column in range(columns):
                error = 0.0
                for axis in range(shape.size):
                    most = 0.0
                    for corner in range(corners):
                        bend = bends[rows[corner], axis, best] - bends[rows[corner], axis, column]
                        most = max(most, abs(bend))
                    error += 0.5 * most
                if column != best and value[best] - value[column] <= error:
                    chosen[point] = -1
    return chosen
