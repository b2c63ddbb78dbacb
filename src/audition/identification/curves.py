"""The corrected estimates of many episodes, and the estimate over any set of them.

The trend over the noise multiplier is linear in the curves' values, so the estimate over a set of
episodes is the mean of their corrected estimates, clipped to the box of the fit. A bootstrap over
episodes therefore costs nothing once the curves are known.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import final

import numpy as np
from numpy.typing import ArrayLike, NDArray

from audition.errors import LogError
from audition.identification.simex import Curve, extrapolation

FloatArray = NDArray[np.float64]


@final
@dataclass(frozen=True, slots=True, eq=False)
class EpisodeCurve:
    """What one episode says of the parameters, at every noise multiplier."""

    multipliers: FloatArray  # [omega]
    values: FloatArray  # [omega, parameter]
    information: FloatArray  # [parameter, parameter] J'J of the fit to the log as it is
    squares: float  # sum of squared scaled residuals of that fit
    residuals: int  # how many there are
    evaluations: int  # of one row of parameters over the episode, in all fits

    @property
    def curve(self) -> Curve:
        """The estimates alone."""
        return Curve(self.multipliers, self.values)


@final
@dataclass(frozen=True, slots=True, eq=False)
class Curves:
    """The curves of a log's episodes, and the box that estimates are clipped to."""

    names: tuple[str, ...]  # of the parameters
    episodes: tuple[EpisodeCurve, ...]
    low: float
    high: float

    def __post_init__(self) -> None:
        """Refuse curves that cannot be averaged."""
        if not self.episodes:
            raise LogError("an identification needs the curve of at least one episode; none came")
        shapes = {curve.values.shape for curve in self.episodes}
        if len(shapes) > 1 or next(iter(shapes))[1] != len(self.names):
            raise LogError(
                f"every curve needs one row per noise multiplier and {len(self.names)} parameters; "
                f"got shapes {sorted(shapes)}"
            )

    @property
    def units(self) -> int:
        """How many episodes there are."""
        return len(self.episodes)

    @property
    def values(self) -> FloatArray:  # [episode, omega, parameter]
        """The estimates of every episode at every noise multiplier."""
        return np.stack([curve.values for curve in self.episodes])

    @property
    def naive(self) -> FloatArray:  # [episode, parameter]
        """The estimate of every episode from the log as it is."""
        return self.values[:, 0]

    @property
    def corrected(self) -> FloatArray:  # [episode, parameter]
        """The estimate of every episode at omega = -1, not clipped."""
        weights = extrapolation(self.episodes[0].multipliers)
        corrected: FloatArray = np.einsum("w,ewp->ep", weights, self.values)
        return corrected

    @property
    def information(self) -> FloatArray:  # [parameter, parameter]
        """J'J of all episodes together."""
        return np.asarray(np.sum([curve.information for curve in self.episodes], axis=0))

    def estimate(self, units: ArrayLike | None = None) -> FloatArray:  # [..., parameter]
        """The corrected estimate over a set of episodes, each as often as it is named.

        `units` [..., episode number] may hold many sets at once; None is every episode once.
        """
        return np.asarray(np.clip(_mean(self.corrected, units), self.low, self.high))

    def naive_estimate(self, units: ArrayLike | None = None) -> FloatArray:  # [..., parameter]
        """The estimate over a set of episodes without the correction."""
        return _mean(self.naive, units)

    def named(self, values: FloatArray) -> dict[str, float]:
        """One estimate by the parameters' names."""
        return {name: float(value) for name, value in zip(self.names, values, strict=True)}

    def take(self, units: Sequence[int]) -> Curves:
        """The curves of these episodes, in this order."""
        chosen = tuple(self.episodes[unit] for unit in units)
        return Curves(self.names, chosen, self.low, self.high)


def _mean(values: FloatArray, units: ArrayLike | None) -> FloatArray:
    if units is None:
        return np.asarray(values.mean(axis=0))
    return np.asarray(values[np.asarray(units, dtype=np.int64)].mean(axis=-2))
