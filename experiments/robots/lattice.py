"""Where simulated scores are tabulated: a lattice over friction and damping (app:deeprl-protocol).

The axes are quantiles, evenly spaced in probability from the 2nd to the 98th percentile, of the
identified parameters over independent logs; mass is held at their mean.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Final, final

import numpy as np
from numpy.typing import NDArray

from robots.runs import Point
from robots.settings import LATTICES

FloatArray = NDArray[np.float64]
PERCENTILES: Final = (2.0, 98.0)
RESAMPLES: Final = 400
PLACES: Final = 2  # decimals of a knot, as the paper prints them; three for the mass


@final
@dataclass(frozen=True, slots=True)
class Lattice:
    """Knots of friction and of damping, and the mass that goes with all of them."""

    friction: tuple[float, ...]
    damping: tuple[float, ...]
    mass: float

    @property
    def numbers(self) -> dict[str, float]:
        """Mass and knots by name, in the order of `lattice_errors`."""
        axes = {"friction": self.friction, "damping": self.damping}
        named = {
            f"{axis} {number} of {len(knots)}": knot
            for axis, knots in axes.items()
            for number, knot in enumerate(knots, start=1)
        }
        return {"mass": self.mass, **named}

    @property
    def points(self) -> list[Point]:
        """Every lambda of the lattice; damping runs fastest."""
        return [(self.mass, f, d) for f in self.friction for d in self.damping]


Lattices = Mapping[tuple[str, int], Lattice]
"""By robot and T_off."""
PAPER: Final[Lattices] = {
    (robot, logged): Lattice(*axes)
    for robot, by_logged in LATTICES.items()
    for logged, axes in by_logged.items()
}


def lattice_of(estimates: FloatArray, *, knots: tuple[int, int]) -> Lattice:
    """The lattice that estimates [log, (mass, friction, damping)] ask for."""
    numbers = _numbers(estimates, knots)
    axes = [float(round(value, PLACES)) for value in numbers[1:]]
    mass = float(round(numbers[0], PLACES + 1))
    return Lattice(tuple(axes[: knots[0]]), tuple(axes[knots[0] :]), mass)


def lattice_errors(estimates: FloatArray, *, knots: tuple[int, int]) -> FloatArray:
    """Standard errors of mass, friction knots and damping knots, from resampled logs."""
    rng = np.random.default_rng(0)
    count = len(estimates)
    drawn = [_numbers(estimates[rng.integers(count, size=count)], knots) for _ in range(RESAMPLES)]
    return np.asarray(np.std(drawn, axis=0, ddof=1))


def _numbers(estimates: FloatArray, knots: tuple[int, int]) -> FloatArray:
    """Mass, then the knots of friction, then those of damping."""
    axes = [
        np.percentile(estimates[:, column], np.linspace(*PERCENTILES, count))
        for column, count in zip((1, 2), knots, strict=True)
    ]
    return np.concatenate([[estimates[:, 0].mean()], *axes])
