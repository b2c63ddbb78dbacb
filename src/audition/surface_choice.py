"""Choose from one surface for very many fits at once, exactly for each of them.

A study of selection rules needs the choice for a million logs, each with its own ensemble of
thousands of members. The members are the same draws moved and scaled by the fit, so the average
score is a smooth function of the fit: it is tabulated on a fine grid of fits and read off between
them. A fit whose two best candidates lie closer together than such reading can err is worked out
in full, so the answer is that of averaging afresh for every fit.
"""

from collections.abc import Callable, Iterator
from typing import Final

import numpy as np
from numpy.typing import ArrayLike, NDArray

from audition.errors import ConfigError
from audition.surface import Surface
from audition.surface_grid import Grid

FloatArray = NDArray[np.float64]
IntArray = NDArray[np.int64]
# fits [fit, axis] -> members [fit, member, axis], made from the same draws for every fit
Members = Callable[[FloatArray], FloatArray]
TOGETHER: Final = 32  # fits whose members are held at a time: few enough to stay in the cache


def best_in_fit(surface: Surface, fits: ArrayLike) -> IntArray:  # [fit]
    """The candidate that does best in the fitted simulator itself (Plug-In)."""
    return np.asarray(surface.at(fits).argmax(axis=1))


def best_on_average(
    surface: Surface, fits: ArrayLike, *, members: Members, spacing: ArrayLike | None = None
) -> IntArray:  # [fit]
    """The candidate that does best on average over the members of every fit.

    With a `spacing` [axis] the averages are tabulated on a grid of fits that far apart, and only
    fits that the table leaves open are worked out in full; without, all are.
    """
    given = surface.grid.checked(fits)
    chosen = np.full(len(given), -1, dtype=np.int64)
    if spacing is not None and len(given):
        chosen = _tabulated(surface, given, members, np.asarray(spacing, dtype=np.float64))
    left = np.flatnonzero(chosen < 0)
    chosen[left] = _averages(surface, given[left], members).argmax(axis=1)
    return chosen


def _tabulated(
    surface: Surface, fits: FloatArray, members: Members, spacing: FloatArray
) -> IntArray:  # [fit]
    """The choice where the table settles it, and -1 where it does not."""
    from audition.surface_kernels import settle

    grid = _around(fits, surface.grid.names, spacing)
    worth = _averages(surface, grid.points, members)
    return np.asarray(settle(*grid.packed, worth, _bends(worth, grid.shape), fits))


def _around(fits: FloatArray, names: tuple[str, ...], spacing: FloatArray) -> Grid:
    """A grid of fits that holds all of them, with three values an axis at least."""
    if spacing.shape != (len(names),) or not np.all(spacing > 0.0):
        raise ConfigError(
            f"spacing needs a positive number for each of {', '.join(names)}, but is {spacing}"
        )
    low, high = fits.min(axis=0), fits.max(axis=0)
    counts = np.maximum(np.ceil((high - low) / spacing).astype(int) + 1, 3)
    axes = [
        first + step * np.arange(count)
        for first, step, count in zip(low, spacing, counts, strict=True)
    ]
    return Grid(names, tuple(axes))


def _bends(worth: FloatArray, shape: tuple[int, ...]) -> FloatArray:  # [point, axis, candidate]
    """Second differences along every axis; at an edge those of its neighbour."""
    table = worth.reshape(*shape, -1)
    found = []
    for axis in range(len(shape)):
        inner = np.diff(table, n=2, axis=axis)
        pad = [(1, 1) if place == axis else (0, 0) for place in range(table.ndim)]
        found.append(np.pad(inner, pad, mode="edge").reshape(worth.shape))
    return np.ascontiguousarray(np.stack(found, axis=1))


def _averages(surface: Surface, fits: FloatArray, members: Members) -> FloatArray:
    """The mean score [fit, candidate] over the members of every fit."""
    parts = [surface.mean_over(members(part)) for part in _parts(fits)]
    return np.concatenate(parts) if parts else np.zeros((0, len(surface.candidates)))


def _parts(fits: FloatArray) -> Iterator[FloatArray]:
    for at in range(0, len(fits), TOGETHER):
        yield fits[at : at + TOGETHER]
