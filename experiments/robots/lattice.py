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
PLACES: Final = 2  # decimals of a knot, as the paper prints them; three for the mass


@final
@dataclass(frozen=True, slots=True)
class Lattice:
    """Knots of friction and of damping, and the mass that goes with all of them."""

    friction: tuple[float, ...]
    damping: tuple[float, ...]
    mass: float

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
    axes = [
        np.percentile(estimates[:, column], np.linspace(*PERCENTILES, count))
        for column, count in zip((1, 2), knots, strict=True)
    ]
    friction, damping = (tuple(float(round(v, PLACES)) for v in axis) for axis in axes)
    return Lattice(friction, damping, float(round(estimates[:, 0].mean(), PLACES + 1)))
