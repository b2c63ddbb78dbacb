"""A rectilinear grid of parameters, and reading a table on it by multilinear interpolation.

A point outside the grid is first moved to the nearest point of the grid (the paper clips the
argument in eq:plane-rules).
"""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import final

import numpy as np
from numpy.typing import ArrayLike, NDArray

from audition.errors import ConfigError

FloatArray = NDArray[np.float64]
IntArray = NDArray[np.int64]


@final
@dataclass(frozen=True, slots=True, eq=False)
class Grid:
    """Values along each axis, by the axis's name; the grid is their product."""

    names: tuple[str, ...]
    values: tuple[FloatArray, ...]  # [axis] [knot] rising

    def __post_init__(self) -> None:
        for name, knots in zip(self.names, self.values, strict=True):
            if knots.ndim != 1 or not knots.size or not np.all(np.isfinite(knots)):
                raise ConfigError(f"axis {name!r} needs a list of finite values, but got {knots}")
            if np.any(np.diff(knots) <= 0.0):
                raise ConfigError(f"the values of axis {name!r} must rise, but are {knots}")

    @staticmethod
    def of(axes: Mapping[str, ArrayLike]) -> "Grid":
        """A grid from values by axis name: `Grid.of({"margin": [...], "sd": [...]})`."""
        values = tuple(np.array(knots, dtype=np.float64) for knots in axes.values())
        return Grid(tuple(axes), values)

    @property
    def shape(self) -> tuple[int, ...]:
        """How many values each axis has."""
        return tuple(knots.size for knots in self.values)

    @property
    def size(self) -> int:
        """How many points the grid has."""
        return int(np.prod(self.shape))

    @property
    def points(self) -> FloatArray:  # [point, axis] the last axis runs fastest
        """Every point of the grid."""
        return np.stack(np.meshgrid(*self.values, indexing="ij"), axis=-1).reshape(self.size, -1)

    def nearest(self, point: ArrayLike) -> int:
        """The number of the grid point that is nearest along every axis."""
        given = self.checked(point)[0]
        places = [
            int(np.abs(knots - at).argmin()) for knots, at in zip(self.values, given, strict=True)
        ]
        return int(np.ravel_multi_index(places, self.shape))

    def outside(self, points: ArrayLike) -> NDArray[np.bool_]:  # [point]
        """Which points lie outside the grid and would be moved to its edge."""
        given = self.checked(points)
        lows = np.array([knots[0] for knots in self.values])
        highs = np.array([knots[-1] for knots in self.values])
        return np.asarray(np.any((given < lows) | (given > highs), axis=-1))

    def read(self, table: FloatArray, points: ArrayLike) -> FloatArray:  # [point, column]
        """A table [grid point, column] at any points, by multilinear interpolation."""
        from audition.surface_kernels import read

        return np.asarray(read(*self.packed, np.ascontiguousarray(table), self.checked(points)))

    def mean(self, table: FloatArray, points: FloatArray) -> FloatArray:  # [set, column]
        """The mean of a table over sets of points [set, member, axis]."""
        from audition.surface_kernels import mean

        given = np.ascontiguousarray(points, dtype=np.float64)
        return np.asarray(mean(*self.packed, np.ascontiguousarray(table), given))

    @property
    def packed(self) -> tuple[FloatArray, IntArray]:
        """The knots of all axes in one row, and how many each axis has."""
        return np.concatenate(self.values), np.array(self.shape, dtype=np.int64)

    def checked(self, points: ArrayLike) -> FloatArray:  # [point, axis]
        """Points as an array, one column an axis."""
        given = np.atleast_2d(np.asarray(points, dtype=np.float64))
        if given.ndim != 2 or given.shape[1] != len(self.names):
            raise ConfigError(
                f"a point has {len(self.names)} numbers ({', '.join(self.names)}), "
                f"but the points have shape {given.shape}"
            )
        if not np.all(np.isfinite(given)):
            raise ConfigError("points must be finite numbers, but some are not")
        return np.ascontiguousarray(given)
