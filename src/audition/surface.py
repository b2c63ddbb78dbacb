"""Tabulate once, read many: scores measured over a grid of simulators, read off anywhere on it.

A surface holds, for every grid point, the mean score of every candidate (minus the pseudo-regret
at the horizon, so that larger is better) and the covariance of those scores across candidates,
from replications that share their random numbers over the whole surface. Between grid points it
interpolates, outside the grid it clips (the paper's eq:plane-rules). `scores` answers for a set
of simulators what fresh trials in them would have answered, without running any.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Final, final

import numpy as np
from numpy.typing import ArrayLike, NDArray

from audition.scores import Scores
from audition.surface_grid import Grid

FloatArray = NDArray[np.float64]
OBJECTIVE: Final = "regret"  # the name of the objective whose scores a surface holds


@final
@dataclass(frozen=True, slots=True, eq=False)
class Surface:
    """Mean scores of candidates over a grid of simulator parameters."""

    header: dict[str, Any]  # everything the numbers depend on
    candidates: tuple[str, ...]
    grid: Grid
    means: FloatArray  # [grid point, candidate] score: minus the pseudo-regret
    covariances: FloatArray  # [grid point, candidate, candidate] of one replication's score
    replications: int

    @property
    def standard_errors(self) -> FloatArray:  # [grid point, candidate]
        """The Monte-Carlo standard error of every mean."""
        variances = np.diagonal(self.covariances, axis1=1, axis2=2)
        return np.asarray(np.sqrt(variances / self.replications))

    def standard_error_of(self, contrast: ArrayLike) -> FloatArray:  # [grid point]
        """The standard error of a weighted sum of candidates: a difference, for example."""
        weights = np.asarray(contrast, dtype=np.float64)
        variances = np.einsum("c,pcd,d->p", weights, self.covariances, weights)
        return np.asarray(np.sqrt(np.maximum(variances, 0.0) / self.replications))

    def at(self, points: ArrayLike) -> FloatArray:  # [point, candidate]
        """The score of every candidate at any parameters."""
        return self.grid.read(self.means, points)

    def regret_at(self, points: ArrayLike) -> FloatArray:  # [point, candidate]
        """The pseudo-regret of every candidate at any parameters."""
        return -self.at(points)

    def mean_over(self, points: FloatArray) -> FloatArray:  # [set, candidate]
        """The mean score of every candidate over sets of parameters [set, member, axis]."""
        return self.grid.mean(self.means, points)

    def scores(self, points: ArrayLike) -> Scores:
        """What fresh trials in the members at these parameters would have answered.

        Every member has one block; its spread is interpolated from the measured variances.
        """
        mean = self.at(points).T[:, :, None]  # [candidate, member, block]
        variances = np.diagonal(self.covariances, axis1=1, axis2=2)
        spread = self.grid.read(variances, points).T[:, :, None] * (self.replications - 1)
        valid = np.full(mean.shape, self.replications, dtype=np.int64)
        return Scores(OBJECTIVE, self.candidates, mean, spread, valid, np.zeros_like(valid))

    def of(self, candidates: Sequence[str]) -> "Surface":
        """The same surface for some of its candidates, by name."""
        chosen = [self.candidates.index(name) for name in candidates]
        covariances = self.covariances[:, chosen][:, :, chosen]
        return Surface(
            self.header,
            tuple(candidates),
            self.grid,
            np.ascontiguousarray(self.means[:, chosen]),
            covariances,
            self.replications,
        )
