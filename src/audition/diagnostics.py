"""Why an average over simulators differs from the one simulator: curvature, direction by direction.

The paper's prop:regularized1: averaging a candidate's score J over simulators that lie a random
step away from the fitted one changes it by `tr(H S) / 2`, where H is the Hessian of J in the
simulator's parameters and S the second moment of the step, up to `L / 6` times the third moment,
where L is the Lipschitz constant of the Hessian. So Uncertainty-Aware is Plug-In with a correction
for curvature. `curvature` estimates all of it by regression over the members of an ensemble,
`curvature_on_surface` by finite differences on a table, `curvature_of_study` from what a study
has at hand.

Everything is computed in steps of one standard deviation (whitened parameters), so that units of
parameters do not matter to the bound. A direction in which the members never move has no part.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import combinations_with_replacement
from typing import Final, final

import numpy as np
from numpy.typing import ArrayLike, NDArray

from audition.ensemble import Ensemble
from audition.errors import ScoreError
from audition.expansion import (
    checked,
    differences,
    labels,
    steepest_bend,
    symmetric,
    terms,
    whitened,
)
from audition.family import BanditFamily, Family
from audition.scores import Scores
from audition.simulator import Simulator
from audition.surface import Surface

FloatArray = NDArray[np.float64]

LARGEST_PARAMETERS: Final = 64  # simulators of more numbers are described by their arms' means


@final
@dataclass(frozen=True, slots=True)
class Direction:
    """A way in which the members differ, and what its curvature adds to a difference of worths."""

    contribution: float  # to the correction of the first candidate less that of the second
    move: dict[str, float]  # parameter -> its change over one standard deviation


@final
@dataclass(frozen=True, slots=True, eq=False)
class Curvature:
    """The paper's expansion of every candidate's score around the fitted simulator."""

    names: tuple[str, ...]  # [parameter]
    candidates: tuple[str, ...]
    gradient: FloatArray  # [candidate, parameter]
    hessian: FloatArray  # [candidate, parameter, parameter]
    sigma: FloatArray  # [parameter, parameter] second moment of the members' steps from the fit
    scales: FloatArray  # [parameter, direction] a whitened step as a step of the parameters
    actual: FloatArray  # [candidate] J_UA - J_plug
    drift: FloatArray  # [candidate] gradient times the mean step, zero in the proposition
    predicted: FloatArray  # [candidate] tr(H Sigma) / 2
    predicted_error: FloatArray  # [candidate] standard error of it; NaN where it is not estimated
    bound: FloatArray  # [candidate] L / 6 E|step|^3, by the estimated L; NaN where there is none

    @property
    def remainder(self) -> FloatArray:  # [candidate]
        """What drift and curvature leave unexplained."""
        return self.actual - self.drift - self.predicted

    def directions(self, first: str, second: str) -> tuple[Direction, ...]:
        """What curvature adds to the first candidate's worth over the second's, largest first.

        The directions are uncorrelated over the members; their contributions sum to the difference
        of the two candidates' predicted corrections.
        """
        of, less = self.candidates.index(first), self.candidates.index(second)
        difference = self.scales.T @ (self.hessian[of] - self.hessian[less]) @ self.scales
        values, vectors = np.linalg.eigh(difference)
        moves = self.scales @ vectors  # [parameter, direction]
        order = np.argsort(-np.abs(values), kind="stable")
        return tuple(
            Direction(
                float(values[k]) / 2.0,
                {name: float(m) for name, m in zip(self.names, moves[:, k], strict=True)},
            )
            for k in order
        )


def curvature(
    parameters: ArrayLike,
    scores: ArrayLike,
    *,
    fitted: ArrayLike,
    fitted_scores: ArrayLike,
    names: Sequence[str] = (),
    candidates: Sequence[str] = (),
) -> Curvature:
    """Estimate the expansion by regression over members.

    `parameters` [member, parameter] and `scores` [candidate, member] are the members'; `fitted`
    [parameter] and `fitted_scores` [candidate] those of the fitted simulator, through which the
    quadratic is made to pass. The bound takes L from a cubic, where there are twice as many
    members as it has terms.
    """
    steps, table, base = checked(parameters, scores, fitted, fitted_scores)
    scales, white = whitened(steps)
    design, rank = terms(white, 2), white.shape[1]
    if white.shape[0] <= design.shape[1]:
        raise ScoreError(
            f"a quadratic in {rank} directions has {design.shape[1]} terms and needs more members, "
            f"but there are {white.shape[0]}; enlarge the ensemble, or give fewer parameters"
        )
    rises = (table - base[:, None]).T  # [member, candidate]
    found = np.linalg.lstsq(design, rises, rcond=None)[0]  # [term, candidate]
    bends = np.stack([symmetric(column[rank:], rank) for column in found.T])
    half_trace = np.zeros(design.shape[1])
    half_trace[rank:] = [0.5 * (i == j) for i, j in combinations_with_replacement(range(rank), 2)]
    spread = half_trace @ np.linalg.pinv(design.T @ design) @ half_trace
    left = ((rises - design @ found) ** 2).sum(axis=0) / (white.shape[0] - design.shape[1])
    return _assembled(
        labels(names, steps.shape[1], "parameter"),
        labels(candidates, base.size, "candidate"),
        steps=steps,
        scales=scales,
        slope=np.asarray(found[:rank].T, dtype=np.float64),
        bend=bends,
        actual=rises.mean(axis=0),
        predicted_error=np.sqrt(left * spread),
        lipschitz=steepest_bend(white, rises),
    )


def curvature_on_surface(
    surface: Surface, *, fitted: ArrayLike, parameters: ArrayLike, step: ArrayLike | None = None
) -> Curvature:
    """Read the expansion off a surface by central differences.

    `step` [axis] is one standard deviation of the members by default, and at least one step of the
    grid, for between two grid points a surface is straight. L is the largest change of the Hessian
    over one such step along an axis.
    """
    at = surface.grid.checked(fitted)[0]
    steps = surface.grid.checked(parameters) - at
    width = _width(surface, at, steps, step)
    scales, _ = whitened(steps)
    slope, bend = differences(surface.at, at, width)
    return _assembled(
        surface.grid.names,
        surface.candidates,
        steps=steps,
        scales=scales,
        slope=slope @ scales,
        bend=np.asarray(scales.T @ bend @ scales),
        actual=surface.at(at + steps).mean(axis=0) - surface.at(at)[0],
        predicted_error=np.full(len(surface.candidates), np.nan),
        lipschitz=_steepest_change(surface, at, width, scales, bend),
        whole=(slope, bend),
    )


def curvature_of_study(
    plug_in: Ensemble, plug_in_scores: Scores, ensemble: Ensemble, scores: Scores, *, family: Family
) -> Curvature:
    """The expansion of a study's own tables, for the candidates that no trial failed."""
    sound = plug_in_scores.eligible & scores.eligible
    names, table = described((*plug_in.simulators, *ensemble.simulators), family=family)
    return curvature(
        table[1:],
        scores.subset(sound).by_member,
        fitted=table[0],
        fitted_scores=plug_in_scores.subset(sound).by_member[:, 0],
        names=names,
        candidates=scores.subset(sound).candidates,
    )


def described(
    simulators: Sequence[Simulator], *, family: Family
) -> tuple[tuple[str, ...], FloatArray]:
    """Names [parameter] and numbers [simulator, parameter] of simulators.

    A family whose simulators are too long or of unequal length (the empirical family's) is
    described by the true means of its arms.
    """
    first = simulators[0].parameters
    shapes = {tuple((k, v.shape) for k, v in one.parameters.items()) for one in simulators}
    if len(shapes) > 1 or sum(value.size for value in first.values()) > LARGEST_PARAMETERS:
        if not isinstance(family, BanditFamily):
            raise ScoreError(f"{family.name} simulators have too many numbers to be told apart by")
        means = np.stack([family.means(one) for one in simulators])
        return tuple(f"mean[{arm}]" for arm in range(means.shape[1])), means
    names = tuple(
        name if value.size == 1 else f"{name}[{place}]"
        for name, value in first.items()
        for place in range(value.size)
    )
    rows = [np.concatenate([v.ravel() for v in one.parameters.values()]) for one in simulators]
    return names, np.stack(rows)


def _width(
    surface: Surface, at: FloatArray, steps: FloatArray, step: ArrayLike | None
) -> FloatArray:  # [axis]
    """How far differences reach along every axis; zero along an axis of one value."""
    knots = surface.grid.values
    apart = np.array([np.diff(axis).max() if axis.size > 1 else 0.0 for axis in knots])
    wanted = np.maximum(np.sqrt((steps**2).mean(axis=0)), apart)
    given = np.broadcast_to(wanted if step is None else np.asarray(step, dtype=float), at.shape)
    width = np.where(apart > 0.0, given, 0.0)
    reach = np.concatenate([at + 2.0 * np.diag(width), at - 2.0 * np.diag(width)])
    if bool(surface.grid.outside(reach[np.tile(width > 0.0, 2)]).any()):
        raise ScoreError(
            f"differences of two steps of {width} around {at} leave the surface, whose edge is not "
            "the law of the simulators; take smaller steps or a larger surface"
        )
    return width


def _steepest_change(
    surface: Surface, at: FloatArray, width: FloatArray, scales: FloatArray, bend: FloatArray
) -> FloatArray:  # [candidate]
    """The largest change of the whitened Hessian over one step along an axis, per unit of step."""
    found = np.zeros(len(surface.candidates))
    for move in np.diag(width)[width > 0.0]:
        apart = float(np.linalg.norm(np.linalg.pinv(scales) @ move))
        for side in (move, -move):
            change = scales.T @ (differences(surface.at, at + side, width)[1] - bend) @ scales
            if apart > 0.0:
                found = np.maximum(found, np.linalg.norm(change, ord=2, axis=(1, 2)) / apart)
    return found


def _assembled(
    names: tuple[str, ...],
    candidates: tuple[str, ...],
    *,
    steps: FloatArray,
    scales: FloatArray,
    slope: FloatArray,
    bend: FloatArray,
    actual: FloatArray,
    predicted_error: FloatArray,
    lipschitz: FloatArray,
    whole: tuple[FloatArray, FloatArray] | None = None,
) -> Curvature:
    """The expansion from its whitened gradient [candidate, direction] and Hessian."""
    back = np.linalg.pinv(scales)  # [direction, parameter]
    white = steps @ back.T
    gradient, hessian = whole or (slope @ back, np.asarray(back.T @ bend @ back))
    third = float((np.linalg.norm(white, axis=1) ** 3).mean())
    return Curvature(
        names=names,
        candidates=candidates,
        gradient=gradient,
        hessian=hessian,
        sigma=steps.T @ steps / len(steps),
        scales=scales,
        actual=actual,
        drift=slope @ white.mean(axis=0),
        predicted=np.trace(bend, axis1=1, axis2=2) / 2.0,
        predicted_error=predicted_error,
        bound=lipschitz * third / 6.0,
    )
