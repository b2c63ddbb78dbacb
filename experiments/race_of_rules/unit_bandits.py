"""Two-armed Gaussian bandits by their two numbers: margin over sigma, and theta over sigma^2.

Scaling all rewards scales the regret and changes no choice, so the regret of any candidate in any
two-armed bandit is sigma times a number of this table, read by interpolation in both logarithms.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import final

import numpy as np
import settings
from numpy.typing import NDArray

from audition.engine import choose
from audition.families.gaussian import Gaussian
from audition.learner import Candidate, ScalarLearner
from audition.learners.thompson import ThompsonSampling
from audition.learners.ucb import UCB
from audition.surface_grid import Grid
from audition.surface_measure import Plan, measure
from claims import Call
from plane import NAMES, simulator

FloatArray = NDArray[np.float64]


@final
@dataclass(frozen=True, slots=True, eq=False)
class UnitRegret:
    """The regret of a learner at one horizon in every two-armed Gaussian bandit."""

    grid: Grid
    regret: FloatArray  # [grid point, 1]
    engine: str

    def of(
        self, margins: FloatArray, sds: FloatArray, thetas: FloatArray
    ) -> FloatArray:  # [candidate, member]
        """The regret of every theta in every bandit."""
        shape = (thetas.size, margins.size)
        ratio = np.log(np.maximum(np.abs(margins) / sds, 1e-12))
        levels = np.log(thetas[:, None] / sds[None, :] ** 2)
        points = np.stack([np.broadcast_to(ratio, shape), levels], axis=-1).reshape(-1, 2)
        return sds * self.grid.read(self.regret, points).reshape(shape)


def unit_regret(kind: str, horizon: int, made: Call) -> UnitRegret:
    """The table of one learner and horizon, measured or read where it is kept."""
    cls: type[ScalarLearner] = UCB if kind == "ucb" else ThompsonSampling
    plan = Plan(
        candidates=tuple(Candidate(f"{c:.4g}", cls(float(c))) for c in settings.UNIT_THETAS),
        grid=Grid.of({"margin": settings.UNIT_MARGINS, "sd": [1.0]}),
        family=Gaussian(),
        simulator=simulator,
        horizon=horizon,
        replications=settings.BUDGETS[made.preset].unit_replications[horizon],
        seed=settings.SEED,
    )
    choice = choose(made.engine, plan.learners[0], plan.family, arms=2)
    path = made.keep(f"{made.preset}-unit-{kind}-{horizon}.npz")
    surface = measure(plan, engine=choice.engine, path=path)
    made.say(f"{NAMES[kind]}: unit bandits to T = {horizon:,}")
    logs = {"margin": np.log(settings.UNIT_MARGINS), "theta": np.log(settings.UNIT_THETAS)}
    return UnitRegret(Grid.of(logs), -surface.means.reshape(-1, 1), choice.engine.version)
