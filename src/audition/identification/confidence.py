"""How surely a log tells each parameter: intervals, conditioning, and what it cannot tell.

The interval is that of a mean over episodes, wide where episodes disagree. The conditioning is
that of the pooled Jacobian of the fits, with every parameter in units of its own estimate: a small
singular value is a direction in which the model's predictions do not change.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final, final

import numpy as np
from numpy.typing import NDArray
from scipy import special

from audition.errors import ConfigError
from audition.identification.curves import Curves

FloatArray = NDArray[np.float64]
SILENT: Final = 1e-6  # sensitivity, as a share of the strongest parameter's, that counts as none
ENTANGLED: Final = 1e3  # singular values of the scaled Jacobian that far apart are a near-tie
WIDE: Final = 0.5  # share of the box that an interval may cover before it says nothing
PRESSED: Final = 0.2  # share of the episodes at an end of the box that is no accident
EDGE: Final = 1e-3  # share of the box that is its end: a trust region only comes close to it


@final
@dataclass(frozen=True, slots=True, eq=False)
class Confidence:
    """What a log says of each parameter."""

    names: tuple[str, ...]
    estimate: FloatArray  # [parameter]
    standard_error: FloatArray  # [parameter] of the mean over episodes; NaN for one episode
    low: FloatArray  # [parameter] end of the interval, inside the box
    high: FloatArray  # [parameter]
    conditioning: float  # ratio of the largest to the smallest singular value
    unidentified: tuple[str, ...]  # one sentence for each parameter the log cannot tell

    def sentences(self) -> tuple[str, ...]:
        """One line for each parameter, then what cannot be told."""
        rows = zip(self.names, self.estimate, self.low, self.high, strict=True)
        lines = [f"{name} is {at:.3g} ({low:.3g} to {high:.3g})" for name, at, low, high in rows]
        return (*lines, *self.unidentified)


def confidence(curves: Curves, *, level: float = 0.95) -> Confidence:
    """Intervals by the spread between episodes, and the parameters that the log cannot tell."""
    if not 0 < level < 1:
        raise ConfigError(f"the level of an interval is between 0 and 1; got {level}")
    estimate = curves.estimate()
    error, half = _spread(curves, level)
    low = np.clip(estimate - half, curves.low, curves.high)
    high = np.clip(estimate + half, curves.low, curves.high)
    width = _place(curves, high) - _place(curves, low)
    sensitivity, directions, singular = _directions(curves)
    return Confidence(
        names=curves.names,
        estimate=estimate,
        standard_error=error,
        low=low,
        high=high,
        conditioning=float(singular[0] / singular[-1]) if singular[-1] > 0 else float("inf"),
        unidentified=(
            *_unidentified(curves, sensitivity, directions, singular, width),
            *_pressed(curves),
        ),
    )


def _spread(curves: Curves, level: float) -> tuple[FloatArray, FloatArray]:
    """Standard error of the mean over episodes, and the half width of its interval."""
    count, size = curves.units, len(curves.names)
    if count < 2:
        return np.full(size, np.nan), np.full(size, np.inf)
    error = curves.corrected.std(axis=0, ddof=1) / np.sqrt(count)
    return error, error * float(special.stdtrit(count - 1, 0.5 + level / 2))


def _directions(curves: Curves) -> tuple[FloatArray, FloatArray, FloatArray]:
    """Each parameter's sensitivity, and the singular directions of the scaled Jacobian."""
    units = curves.naive_estimate()
    scaled = curves.information * np.outer(units, units)
    values, vectors = np.linalg.eigh(scaled)
    singular = np.sqrt(np.maximum(values[::-1], 0.0))
    return np.sqrt(np.maximum(np.diag(scaled), 0.0)), vectors[:, ::-1], singular


def _unidentified(
    curves: Curves,
    sensitivity: FloatArray,
    directions: FloatArray,
    singular: FloatArray,
    width: FloatArray,  # [parameter] share of the box
) -> tuple[str, ...]:
    silent = sensitivity <= SILENT * max(float(sensitivity.max()), np.finfo(float).tiny)
    said = [
        f"the log cannot tell {name!r}: it changes nothing in the logged transitions, so its "
        "estimate is the start of the fit; log motions that depend on it, or drop it"
        for name, mute in zip(curves.names, silent, strict=True)
        if mute
    ]
    if not silent.any() and singular[0] > ENTANGLED * singular[-1]:
        weak = np.abs(directions[:, -1])
        tied = [name for name, w in zip(curves.names, weak, strict=True) if w > 0.3 * weak.max()]
        said.append(
            f"the log cannot tell {' from '.join(repr(name) for name in tied)}: changing them "
            "together changes almost nothing; fix one of them"
        )
    broad = (width > WIDE) & ~silent
    said += [
        f"the log hardly tells {name!r}: its interval covers most of the box "
        f"[{curves.low:g}, {curves.high:g}]; log more episodes"
        for name, wide in zip(curves.names, broad, strict=True)
        if wide
    ]
    return tuple(said)


def _pressed(curves: Curves) -> tuple[str, ...]:
    """One sentence for each parameter that many episodes would take out of the box."""
    place = _place(curves, np.clip(curves.corrected, curves.low, curves.high))
    shares = ((place < EDGE) | (place > 1 - EDGE)).mean(axis=0)  # [parameter]
    return tuple(
        f"{share:.0%} of the episodes put {name!r} at an end of the box [{curves.low:g}, "
        f"{curves.high:g}]: check the control step, the units and the model, or widen "
        "identification.least_squares"
        for name, share in zip(curves.names, shares, strict=True)
        if share > PRESSED
    )


def _place(curves: Curves, values: FloatArray) -> FloatArray:
    """Where in the box values are, 0 to 1: by ratios, as multipliers go, if none is negative."""
    low, high = curves.low, curves.high
    if low > 0:
        return np.asarray(np.log(values / low) / np.log(high / low))
    return (values - low) / (high - low)
