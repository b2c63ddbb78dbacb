"""The parameters that explain one episode best: nonlinear least squares (`app:deeprl-sysid`).

The model is any function (parameters, states, actions) -> next states that takes many rows of
parameters at once; all columns of a finite difference go into one call of it, and the point they
start from is not computed twice.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final, Protocol, final

import numpy as np
from numpy.typing import NDArray
from scipy import optimize

from audition.errors import FamilyError, LogError
from audition.identification.settings import LeastSquaresSettings
from audition.trajectories import Episode

FloatArray = NDArray[np.float64]
_DEFAULT: Final = LeastSquaresSettings()


class Transitions(Protocol):
    """The model as a function; a row that goes unstable comes back as NaN."""

    def __call__(
        self, parameters: FloatArray, states: FloatArray, actions: FloatArray, /
    ) -> FloatArray:  # [row, transition, coordinate]
        """The next state of every transition under every row of parameters."""
        ...


@final
@dataclass(frozen=True, slots=True, eq=False)
class EpisodeFit:
    """One episode's estimate, and what it knows of each parameter."""

    values: FloatArray  # [parameter]
    information: FloatArray  # [parameter, parameter] J'J of the scaled residuals at the estimate
    squares: float  # sum of squared scaled residuals
    residuals: int  # how many there are
    evaluations: int  # of one row of parameters over the episode


def least_squares(
    model: Transitions,
    episode: Episode,
    *,
    parameters: int,
    scale: FloatArray | None = None,
    settings: LeastSquaresSettings = _DEFAULT,
) -> EpisodeFit:
    """Fit `parameters` multipliers to one episode, by default scaled by its next states' spread."""
    tau = next_state_spread(episode) if scale is None else scale
    rows = evenly_spaced(episode.steps, settings.transitions)
    problem = _Problem(model, episode, rows, tau, settings)
    start = np.full(parameters, settings.start)
    if not np.isfinite(problem.residuals(start)).all():
        raise FamilyError(
            "the model goes unstable in the first fit of an episode, at multipliers of "
            f"{settings.start:g}; check that the log's states are this model's"
        )
    found = optimize.least_squares(
        problem.residuals,
        start,
        jac=problem.jacobian,
        bounds=(settings.low, settings.high),
        method="trf",
    )
    jacobian = np.asarray(found.jac)
    return EpisodeFit(
        values=found.x,
        information=jacobian.T @ jacobian,
        squares=float(2 * found.cost),
        residuals=int(found.fun.size),
        evaluations=problem.evaluations,
    )


def next_state_spread(episode: Episode) -> FloatArray:  # [coordinate]
    """tau_t: the standard deviation of each coordinate; infinite where it never moves."""
    if episode.steps < 2:
        raise LogError(
            "an episode needs at least 2 transitions to be identified from; one has "
            f"{episode.steps}: drop it"
        )
    still = np.ptp(episode.next_states, axis=0) == 0  # a mean's rounding can leave 1e-17 of spread
    return np.where(still, np.inf, episode.next_states.std(axis=0))


def evenly_spaced(steps: int, most: int) -> NDArray[np.int64]:
    """At most `most` of `steps` numbers, the first and the last among them."""
    if steps <= most:
        return np.arange(steps)
    return np.linspace(0, steps - 1, most).round().astype(np.int64)


class _Problem:
    """Residuals and their Jacobian, with the last residuals kept for the Jacobian to use."""

    def __init__(
        self,
        model: Transitions,
        episode: Episode,
        rows: NDArray[np.int64],
        tau: FloatArray,
        settings: LeastSquaresSettings,
    ) -> None:
        self._model = model
        self._states = episode.states[rows]
        self._actions = episode.actions[rows]
        self._next = episode.next_states[rows]
        self._inverse = 1.0 / tau
        self._settings = settings
        self._kept: tuple[FloatArray, FloatArray] | None = None
        self.evaluations = 0

    def residuals(self, values: FloatArray) -> FloatArray:
        """(f_lambda(S, A) - S') / tau, flat; the point asked last is not computed twice."""
        if self._kept is not None and np.array_equal(self._kept[0], values):
            return self._kept[1]
        found: FloatArray = self._rows(values[None, :])[0]
        self._kept = (values.copy(), found)
        return found

    def jacobian(self, values: FloatArray) -> FloatArray:  # [residual, parameter]
        """Forward differences, turned backward where the box is in the way (as SciPy's)."""
        here = self.residuals(values)
        moved = np.tile(values, (values.size, 1))
        np.fill_diagonal(moved, values + self._steps(values))
        change = self._rows(moved) - here
        jacobian = (change / (moved.diagonal() - values)[:, None]).T
        if not np.isfinite(jacobian).all():
            raise FamilyError(
                f"the model goes unstable near multipliers {np.round(values, 4).tolist()}; "
                "narrow the box of the fit (identification.least_squares.low and .high under "
                "[family.settings]), or check the log's states"
            )
        return jacobian

    def _steps(self, values: FloatArray) -> FloatArray:
        settings = self._settings
        relative = settings.step_kind == "relative"
        steps = settings.step * values if relative else np.full(values.size, settings.step)
        steps[values + steps > settings.high] *= -1
        return steps

    def _rows(self, parameters: FloatArray) -> FloatArray:  # [row, residual]
        self.evaluations += len(parameters)
        reached = self._model(parameters, self._states, self._actions)
        scaled = (reached - self._next) * self._inverse
        return scaled.reshape(len(parameters), -1)
